#!/bin/sh
# SPDX-License-Identifier: MIT
# What other programs say about the files of pelt shaders: sh tests/shader_test.sh PELT SOURCE CC
# Each part says SKIP when its program is missing. naga-wasm@30.1.0 for WGSL is looked for in
# PELT_NPM; nothing is fetched. chromium is found by its name, or is PELT_CHROMIUM.

[ $# -eq 3 ] || { echo "usage: shader_test.sh PELT SOURCE CC" >&2; exit 2; }
pelt=$1
source=$2
cc=$3
passed=0
failed=0
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# fact NAME COMMAND...: one line of result, the output only when it fails.
fact()
{
    name=$1
    shift
    if "$@" > "$folder/log" 2>&1; then
        passed=$((passed + 1))
        echo "ok   $name"
    else
        failed=$((failed + 1))
        echo "FAIL $name"
        cat "$folder/log"
    fi
}

has()
{
    command -v "$1" > /dev/null
}

# write LANGUAGE PALETTE INFLUENCES [OPTION...]: into a folder of that name.
write()
{
    out=$folder/$1_$2_$3
    words="--lang $1 --palette $2 --influences $3"
    shift 3
    # shellcheck disable=SC2086
    "$pelt" shaders $words "$@" -o "$out" 2> /dev/null
}

# write_normals LANGUAGE PALETTE INFLUENCES RULE SLOTS [OPTION...]
write_normals()
{
    out=$folder/normals_$1_$2_$3_$4_$5
    words="--lang $1 --palette $2 --influences $3 --normals $4 --slots $5"
    shift 5
    # shellcheck disable=SC2086
    "$pelt" shaders $words "$@" -o "$out" 2> /dev/null
}

# every COMMAND LANGUAGE: the command succeeds on each shader of each variant of a language.
every()
{
    for shader in "$folder/$2"_*/skin_*_*_*.*; do
        $1 "$shader" || return 1
    done
}

glslang()
{
    glslangValidator "$@"
}

glslang_to_spirv()
{
    glslangValidator -V "$1" -o "$folder/spirv" && spirv-val "$folder/spirv"
}

glslang_hlsl()
{
    glslangValidator -D -V -S vert -e main "$1" -o "$folder/spirv" && spirv-val "$folder/spirv"
}

# block LANGUAGE FILE: the code of that language in a README.
block()
{
    sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$2" | sed '/^```/d'
}

# Lines of a README, then the library in the order that it gives, then the main() that it shows; also
# as it says for joints that scale.
readme_glsl_compiles()
{
    for method in lbs dqs mix crs; do
        write "$1" "$2" 4 --method $method || return 1
        files="skin_$method.glsl"
        [ $method != mix ] || files="skin_lbs.glsl skin_dqs.glsl skin_mix.glsl"
        readme_method_compiles "$3" "" skin_palette.glsl $files || return 1
        [ $method != lbs ] || continue
        for pivot in LOCAL ORIGIN; do
            readme_method_compiles "$3" "#define PELT_SCALE_$pivot" skin_palette.glsl \
                skin_stretch.glsl $files || return 1
        done
    done
}

# The same with normals that know about weights.
readme_normals_compile()
{
    for method in lbs dqs mix crs; do
        for rule in accurate paper; do
            write_normals "$1" "$2" 4 $rule 4 --method $method || return 1
            files=$(sed -n '/^order, the lines below/,/^skin_vertex/p' "$out/README.md" |
                grep -o 'skin_[a-z_]*\.glsl' | sed '/common\|skin_palette\|skin_vertex/d')
            # shellcheck disable=SC2086
            readme_method_compiles "$3" "" skin_palette.glsl $files || return 1
            [ $method != lbs ] || continue
            # shellcheck disable=SC2086
            readme_method_compiles "$3" "#define PELT_SCALE_LOCAL" skin_palette.glsl \
                skin_stretch.glsl $files || return 1
        done
    done
}

# readme_method_compiles COMPILER DEFINITION FILE...
readme_method_compiles()
{
    compiler=$1
    definition=$2
    shift 2
    code=$(block glsl "$out/README.md")
    {
        echo "$code" | grep '^\(#\|precision\)'
        echo "$definition"
        for file in skin_common.glsl "$@" skin_vertex.glsl; do
            cat "$out/$file"
        done
        echo "$code" | grep -v '^\(#\|precision\)'
    } > "$folder/readme.vert"
    $compiler "$folder/readme.vert"
}

readme_hlsl_compiles()
{
    for palette in block texture; do
        for method in lbs dqs mix crs; do
            write hlsl $palette 8 --method $method || return 1
            block hlsl "$out/README.md" > "$folder/readme.hlsl"
            glslangValidator -D -V -S vert -e my_main -I"$out" "$folder/readme.hlsl" \
                -o "$folder/spirv" && spirv-val "$folder/spirv" || return 1
        done
    done
}

readme_c_compiles()
{
    for language in glsl wgsl; do
        write $language block 8 || return 1
        c_compiles || return 1
    done
    write_normals glsl block 4 accurate 8 && c_compiles
}

c_compiles()
{
    block c "$out/README.md" > "$folder/readme.c"
    "$cc" -std=c17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$source/include" \
        "$folder/readme.c"
}

# An attribute table with the locations of the shader, and no word left to be filled in.
readmes_are_filled_in()
{
    for out in "$folder"/*_block_4 "$folder"/*_texture_8 "$folder"/normals_*; do
        ! grep -n '@[A-Z_][A-Z_]*@' "$out/README.md" || return 1
        for shader in "$out"/skin_*_*_*.*; do
            grep -q "$(basename "$shader")" "$out/README.md" || return 1
        done
    done
}

# ---------------------------------------------------------------------------------------------

for palette in block texture; do
    for influences in 1 2 3 4 5 6 7 8; do
        for language in glsl essl vulkan; do
            write $language $palette $influences || exit 1
        done
    done
    for influences in 4 8; do
        for language in hlsl msl wgsl; do
            write $language $palette $influences || exit 1
        done
    done
done

for slots in 2 3 4 8; do
    for language in glsl essl vulkan; do
        write_normals $language block $slots accurate $slots || exit 1
        write_normals $language texture 8 accurate $slots || exit 1
        write_normals $language texture 1 paper $slots || exit 1
    done
done

fact "every README names its shaders and is filled in" readmes_are_filled_in
fact "the C of the README compiles" readme_c_compiles
if has glslangValidator; then
    fact "glslang accepts GLSL 330" glslang "$folder"/glsl_*/skin_*_*_*.vert
    fact "glslang accepts GLSL ES 300" glslang "$folder"/essl_*/skin_*_*_*.vert
    fact "the GLSL of the README compiles" readme_glsl_compiles glsl texture glslang
    fact "the GLSL ES of the README compiles" readme_glsl_compiles essl block glslang
    fact "glslang accepts accurate normals" glslang "$folder"/normals_[ge]*/skin_*_*_*.vert
    fact "the accurate normals of the README compile" readme_normals_compile essl block glslang
else
    echo "SKIP GLSL: there is no glslangValidator"
fi
if has glslangValidator && has spirv-val; then
    fact "Vulkan GLSL becomes valid SPIR-V" every glslang_to_spirv vulkan
    fact "the Vulkan GLSL of the README does" readme_glsl_compiles vulkan texture glslang_to_spirv
    fact "Vulkan GLSL with accurate normals does" every glslang_to_spirv normals_vulkan
    fact "and that of its README" readme_normals_compile vulkan texture glslang_to_spirv
    fact "HLSL becomes valid SPIR-V" every glslang_hlsl hlsl
    fact "the HLSL of the README does" readme_hlsl_compiles
else
    echo "SKIP Vulkan and HLSL: there is no glslangValidator or no spirv-val"
fi

# ---------------------------------------------------------------------------------------------
# Translations

has_naga()
{
    has node && [ -d "${PELT_NPM:-none}/node_modules/naga-wasm" ]
}

# Needs no translator: a shader that was changed alone shows here.
translations_are_of_these_sources()
{
    mkdir -p "$folder/sources"
    for influences in 4 8; do
        for palette in block texture; do
            cp "$folder/vulkan_${palette}_$influences"/*.vert "$folder/sources" || return 1
        done
    done
    sum=$(cat "$folder"/sources/*.vert | sed '/pelt_color/d' | cksum)
    echo "sources $sum" && cat "$source/gl/shaders/translated.txt"
    grep -q "^sources $sum\$" "$source/gl/shaders/translated.txt"
}

translations_are_what_translators_make()
{
    for language in "$@"; do
        diff -r "$folder/made/$language" "$source/gl/shaders/$language" || return 1
    done
}

versions_agree()
{
    grep '^glslang\|^spirv-cross' "$folder/made/translated.txt" > "$folder/here"
    grep '^glslang\|^spirv-cross' "$source/gl/shaders/translated.txt" > "$folder/there"
    cmp -s "$folder/here" "$folder/there"
}

naga_accepts()
{
    node "$source/tools/naga.mjs" "$PELT_NPM" --check "$@"
}

# They are not among those that pelt carries along, but whoever wants them can make them.
naga_translates_normals()
{
    for shader in "$folder"/normals_vulkan_*/skin_*_*_*.vert; do
        node "$source/tools/naga.mjs" "$PELT_NPM" "$shader" "$folder/normals.wgsl" || return 1
    done
}

# The code of the README below each shader that has what it sets.
readme_wgsl_is_valid()
{
    for palette in block texture; do
        out=$folder/wgsl_${palette}_4
        for method in lbs dqs mix crs; do
            { cat "$out/skin_${method}_${palette}_4.wgsl" && block wgsl "$out/README.md"; } \
                > "$folder/readme.wgsl"
            naga_accepts "$folder/readme.wgsl" || return 1
        done
    done
}

fact "translations are of these sources (else run tools/shaders)" translations_are_of_these_sources
languages="hlsl msl"
if has_naga; then
    languages="hlsl msl wgsl"
    fact "naga accepts WGSL" naga_accepts "$folder"/wgsl_*/*.wgsl
    fact "naga accepts the WGSL of the README" readme_wgsl_is_valid
    fact "naga translates accurate normals" naga_translates_normals
else
    echo "SKIP WGSL: there is no node, or no naga-wasm in PELT_NPM"
fi
if has glslangValidator && has spirv-val && has spirv-cross; then
    mkdir "$folder/made"
    # shellcheck disable=SC2086
    fact "translators run" "$source/tools/shaders" "$pelt" "$folder/made" $languages
    if versions_agree; then
        # shellcheck disable=SC2086
        fact "translations are what translators make: $languages" \
            translations_are_what_translators_make $languages
    else
        echo "SKIP comparison of translations: other versions than in gl/shaders/translated.txt"
    fi
else
    echo "SKIP translations: there is no glslangValidator, spirv-val or spirv-cross"
fi
echo "SKIP compilation of MSL: there is no compiler outside of macOS"

browser=${PELT_CHROMIUM:-$(command -v chromium)}
if has node && [ -n "$browser" ]; then
    fact "in a browser the shaders give what the CPU gives" \
        node "$source/tests/browser_skin.mjs" "$pelt" "$browser"
    cat "$folder/log"
else
    echo "SKIP browser: there is no node or no chromium"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
