#!/bin/sh
# SPDX-License-Identifier: MIT
# What other programs say about the files of pelt shaders:
#
#     shader_test.sh PELT SOURCE CC glsl|translations|browser
#
# Each program's part says SKIP when its program is missing. naga-wasm@30.1.0 for WGSL and three are looked for in
# PELT_NPM; nothing is fetched. chromium is found by its name, or is PELT_CHROMIUM. PELT_SWEEP=full
# sends every combination of choices through every compiler.

[ $# -eq 4 ] || { echo "usage: shader_test.sh PELT SOURCE CC PART" >&2; exit 2; }
pelt=$1
source=$2
cc=$3
part=$4
passed=0
failed=0
skipped=0
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

# The last command. 77: nothing could be checked (SKIP_RETURN_CODE of tests/CMakeLists.txt).
finish()
{
    echo "$passed passed, $failed failed, $skipped skipped"
    [ $((passed + failed)) -gt 0 ] || exit 77
    [ "$failed" -eq 0 ]
    exit
}

# skip NAME WHY
skip()
{
    skipped=$((skipped + 1))
    echo "SKIP $1: $2"
}

has()
{
    command -v "$1" > /dev/null
}

# write LANGUAGE NAME OPTION...: shaders and README into a new folder of that name.
write()
{
    out=$folder/$1_$2
    language=$1
    shift 2
    rm -rf "$out"
    "$pelt" shaders --lang "$language" "$@" -o "$out" 2> /dev/null
}

# each COMMAND FILE...: the command succeeds on each file, of which it takes only one.
each()
{
    command=$1
    shift
    for file in "$@"; do
        "$command" "$file" || return 1
    done
}

# each_variant COMMAND FOLDER...: it succeeds on one shader of each folder, methods alternating, as
# starting a compiler takes longest; on all in a full sweep.
each_variant()
{
    command=$1
    shift
    round=0
    for variants in "$@"; do
        set -- "$variants"/skin_*_*_*.*
        if [ "$PELT_SWEEP" != full ]; then
            shift $((round % $#))
            set -- "$1"
            round=$((round + 1))
        fi
        each "$command" "$@" || return 1
    done
}

glslang()
{
    glslangValidator "$@"
}

# Optimization takes most of the time, and the result is not run.
glslang_to_spirv()
{
    glslangValidator -V -Od "$1" -o "$folder/spirv" && spirv-val "$folder/spirv"
}

glslang_hlsl()
{
    glslangValidator -D -V -Od -S vert -e main -I"$(dirname "$1")" "$1" -o "$folder/spirv" &&
        spirv-val "$folder/spirv"
}

# block LANGUAGE FILE: the code of that language in a README.
block()
{
    sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$2" | sed '/^```/d'
}

# write_readme_glsl LANGUAGE OPTION...: for each of $methods a file: lines of a README, then the library
# in the order that it gives, then the main() that it shows.
write_readme_glsl()
{
    language=$1
    shift
    for method in $methods; do
        write "$language" readme --method $method "$@" || return 1
        code=$(block glsl "$out/README.md")
        count=$((count + 1))
        {
            echo "$code" | grep '^\(#\|precision\)'
            for file in $(sed -n '/^order, the lines below/,/^skin_vertex/p' "$out/README.md" |
                grep -o 'skin_[a-z_]*\.glsl'); do
                cat "$out/$file"
            done
            echo "$code" | grep -v '^\(#\|precision\)'
        } > "$folder/readme_$count.vert"
    done
    rm -r "$out"
}

# readme_choices_compile LANGUAGE COMPILER: by all rules for normals and pivots of scale. The dialects
# differ in lines that every choice has.
readme_choices_compile()
{
    count=0
    rm -f "$folder"/readme_*.vert
    choices="standard-none standard-origin accurate-none accurate-local paper-local"
    palettes="posed matrix vertex"
    methods="lbs dqs mix crs"
    case $1$PELT_SWEEP in essl | vulkan) choices=accurate-local palettes=posed methods="lbs mix" ;; esac
    for choice in $choices; do
        write_readme_glsl "$1" --normals "${choice%-*}" --scale "${choice#*-}" || return 1
    done
    [ "$choices" != accurate-local ] || methods="dqs crs"
    for palette in $palettes; do
        [ $palette = posed ] || palette="baked --encoding $palette"
        # shellcheck disable=SC2086
        write_readme_glsl "$1" --palette $palette || return 1
    done
    $2 "$folder"/readme_*.vert
}

# The part of a shader that an engine needs, and the lines that it writes itself.
readme_hlsl_compiles()
{
    for normals in standard accurate; do
        for method in lbs dqs mix crs; do
            write hlsl readme --method $method --normals $normals --palette texture || return 1
            {
                sed '/^cbuffer pelt_view/,$d' "$out"/skin_*.hlsl
                echo "float4 mine(float3 position : A, float3 normal : B, float4 tangent : C,"
                echo "            uint4 joints : D, float4 weights : E) : SV_Position"
                echo "{"
                block hlsl "$out/README.md"
                echo "    return float4(skinned.position, 1.0);"
                echo "}"
            } > "$folder/readme.hlsl"
            glslangValidator -D -V -Od -S vert -e mine -I"$out" "$folder/readme.hlsl" \
                -o "$folder/spirv" && spirv-val "$folder/spirv" || return 1
        done
    done
    rm -r "$out"
}

readme_c_compiles()
{
    write "$1" readme --scale local --palette-layout shared --normals accurate --slots 8 && c_compiles &&
        write "$1" readme --palette posed && c_compiles && rm -r "$out"
}

c_compiles()
{
    block c "$out/README.md" > "$folder/readme.c"
    "$cc" -std=c17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$source/include" \
        "$folder/readme.c"
}

# Every shader is in its table, and no word is left to be filled in.
readmes_are_filled_in()
{
    ! grep -n '@[A-Z_][A-Z_]*@\|@?' "$folder"/*_*/* || return 1
    for out in "$folder"/*_*; do
        readme=$(cat "$out/README.md")
        for shader in "$out"/skin_*_*_*.*; do
            case $readme in *"${shader##*/}"*) ;; *) return 1 ;; esac
        done
    done
}

# Each choice with each value, and those that have to do with each other in all combinations. In
# translations the number of influences is a constant, and attributes are four or eight. ES and Vulkan's
# dialect share their text with GLSL, where all are tried; a decoder takes Vulkan a second.
write_variants()
{
    language=$1
    counts="4 5"
    case $language$PELT_SWEEP in
    *full) counts="1 2 3 4 5 6 7 8" ;;
    glsl) counts="1 2 4 5 8" ;;
    essl | vulkan) counts=5 ;;
    esac
    for influences in $counts; do
        for palette in block texture; do
            write $language ${palette}_$influences --palette $palette --influences $influences ||
                exit 1
        done
    done
    all_scales="none local origin"
    case $language$PELT_SWEEP in vulkan | essl) all_scales=local ;; esac
    for scale in $all_scales; do
        all_slots="2 3 4 8"
        case $language$PELT_SWEEP$scale in
        *full*) ;;
        vulkan* | essl*) all_slots=4 ;;
        glsllocal | glslorigin) all_slots="2 8" ;;
        glsl*) ;;
        *none) all_slots="2 8" ;;
        *) all_slots=3 ;;
        esac
        for slots in $all_slots; do
            write $language accurate_${scale}_$slots --scale $scale --normals accurate \
                --slots $slots || exit 1
        done
        write $language accurate_${scale}_compact --scale $scale --normals accurate \
            --normal-layout compact || exit 1
        write $language shared_$scale --scale $scale --palette-layout shared || exit 1
        write $language compact_$scale --scale $scale --palette texture --influences 8 || exit 1
    done
    write $language posed --palette posed --normals accurate --scale local || exit 1
    encodings="qt matrix dq vertex"
    case $language$PELT_SWEEP in vulkan) encodings=qt ;; essl) encodings=vertex ;; esac
    for encoding in $encodings; do
        write $language baked_$encoding --palette baked --encoding $encoding || exit 1
    done
    encodings="matrix dq"
    case $language$PELT_SWEEP in vulkan | essl) encodings= ;; esac
    for encoding in $encodings; do
        write $language thesis_$encoding --palette baked --encoding $encoding \
            --bake-layout thesis || exit 1
    done
    texels="rgba16ui rgba8ui"
    case $language$PELT_SWEEP in vulkan) texels=rgba8ui ;; essl) texels=rgba16ui ;; esac
    for texel in $texels; do
        write $language baked_$texel --palette baked --encoding local --texel $texel \
            --scale local --influences 5 || exit 1
    done
}

# ---------------------------------------------------------------------------------------------
# GLSL

# Godot's language is checked as the GLSL that it is near to, with its own way to declare a texture.
godot_is_glsl()
{
    "$pelt" shaders --lang godot -o "$folder/godot" 2> /dev/null || return 1
    {
        echo "#version 300 es"
        echo "precision highp float;"
        echo "precision highp int;"
        echo "precision highp usampler2D;"
        echo "in vec3 VERTEX_IN, NORMAL_IN;"
        echo "in vec4 INSTANCE_CUSTOM, CUSTOM0, CUSTOM1;"
        echo "vec3 VERTEX, NORMAL;"
        sed 's/ : filter_nearest, repeat_disable//' "$folder/godot/pelt_texture.gdshaderinc"
        block glsl "$folder/godot/README.md" | grep -v '^shader_type\|^#include'
        echo "void main()"
        echo "{"
        echo "    VERTEX = VERTEX_IN;"
        echo "    NORMAL = NORMAL_IN;"
        echo "    vertex();"
        echo "    gl_Position = vec4(VERTEX + NORMAL, 1.0);"
        echo "}"
    } > "$folder/godot.vert"
    # Godot knows square matrices only.
    ! grep -n 'mat[234]x[234]' "$folder/godot/pelt_texture.gdshaderinc" &&
        glslang "$folder/godot.vert"
}

check_glsl()
{
    for language in glsl essl vulkan; do
        write_variants $language
        write $language baked_accurate --palette baked --normals accurate || exit 1
        write $language baked_compact --palette baked --normals accurate --normal-layout compact ||
            exit 1
        write $language paper_none --normals paper --palette texture --influences 1 || exit 1
        write $language paper_local --normals paper --scale local --slots 8 || exit 1
    done
    fact "every README names its shaders and is filled in" readmes_are_filled_in
    fact "the C of the README compiles" readme_c_compiles glsl
    if has glslangValidator; then
        fact "glslang accepts GLSL 330" glslang "$folder"/glsl_*/skin_*_*_*.vert
        fact "glslang accepts GLSL ES 300" glslang "$folder"/essl_*/skin_*_*_*.vert
        fact "glslang accepts the pose pass" \
            glslang "$folder"/glsl_posed/pose.* "$folder"/essl_posed/pose.*
        fact "glslang accepts the functions for Godot as GLSL ES" godot_is_glsl
        fact "the GLSL of the README compiles" readme_choices_compile glsl glslang
        fact "the GLSL ES of the README compiles" readme_choices_compile essl glslang
    else
        skip "GLSL" "there is no glslangValidator"
    fi
    if has glslangValidator && has spirv-val; then
        fact "Vulkan GLSL becomes valid SPIR-V" \
            each_variant glslang_to_spirv "$folder"/vulkan_*
        fact "the pose pass does" each glslang_to_spirv "$folder"/vulkan_posed/pose.*
        fact "the Vulkan GLSL of the README does" \
            readme_choices_compile vulkan "each glslang_to_spirv"
    else
        skip "Vulkan" "there is no glslangValidator or no spirv-val"
    fi
}

# ---------------------------------------------------------------------------------------------
# Translations

has_naga()
{
    has node && [ -d "${PELT_NPM:-none}/node_modules/naga-wasm" ]
}

# Needs no translator: a shader that was changed alone shows here.
translations_are_of_these_sources()
{
    sum=$("$source/tools/shaders" --print | cksum)
    echo "sources $sum" && cat "$source/gl/generated/translated.txt"
    grep -q "^sources $sum\$" "$source/gl/generated/translated.txt"
}

translations_are_what_translators_make()
{
    for language in godot "$@"; do
        for file in "$folder/made/$language"/*; do
            cmp "$file" "$source/gl/generated/$language/$(basename "$file")" || return 1
        done
    done
}

versions_agree()
{
    grep '^glslang\|^spirv-cross' "$folder/made/translated.txt" > "$folder/here"
    grep '^glslang\|^spirv-cross' "$source/gl/generated/translated.txt" > "$folder/there"
    cmp -s "$folder/here" "$folder/there"
}

naga_accepts()
{
    node "$source/tools/naga.mjs" "$PELT_NPM" --check "$@"
}

# The library with an entry point of one's own, which replaces that of the shader.
readme_wgsl_is_valid()
{
    for method in lbs dqs mix crs; do
        write wgsl readme --method $method --palette texture || return 1
        { sed '/^@vertex/,$d' "$out"/skin_*.wgsl && block wgsl "$out/README.md"; } \
            > "$folder/readme.wgsl"
        naga_accepts "$folder/readme.wgsl" || return 1
    done
    rm -r "$out"
}

# Metal has no compiler outside of macOS, but its dialect is near to one that clang knows, but for
# how vectors are made of numbers.
clang_msl()
{
    mkdir -p "$folder/clang"
    for file in "$(dirname "$1")"/pelt_*.metal "$1"; do
        sed -E 's/\b(float|uint|int)([234])\(/(\1\2)(/g' "$file" \
            > "$folder/clang/$(basename "$file")"
    done
    clang -x clcpp -cl-std=clc++ -cl-single-precision-constant -Xclang -finclude-default-header \
        -target spir64 -fsyntax-only -Wno-unknown-attributes -Wno-c++11-narrowing \
        -I"$source/tests/outside/metal" "$folder/clang/$(basename "$1")"
}

# The lines of the README in a function.
readme_msl_compiles()
{
    for method in lbs dqs mix crs; do
        write msl readme --method $method || return 1
        {
            sed '/^struct pelt_input/,$d' "$out"/skin_*.metal
            echo "float3 mine(float3 position, float3 normal, float4 tangent, uint4 joints,"
            echo "            float4 weights, uint4 no_joints, float4 no_weights,"
            echo "            pelt_palette_source palette)"
            echo "{"
            sed -n '/^    pelt_rest rest = {};/,/^    pelt_vertex skinned/p' "$out/README.md"
            echo "    return skinned.position;"
            echo "}"
        } > "$out/mine.metal"
        clang_msl "$out/mine.metal" || return 1
    done
    rm -r "$out"
}

check_translations()
{
    for language in hlsl msl wgsl; do
        write_variants $language
    done
    fact "every README names its shaders and is filled in" readmes_are_filled_in
    fact "the C of the README compiles" readme_c_compiles wgsl
    if has glslangValidator && has spirv-val; then
        fact "HLSL becomes valid SPIR-V" each_variant glslang_hlsl "$folder"/hlsl_*
        fact "the HLSL of the README does" readme_hlsl_compiles
    else
        skip "HLSL" "there is no glslangValidator or no spirv-val"
    fi
    fact "translations are of these sources (else run tools/shaders)" translations_are_of_these_sources
    languages="hlsl msl"
    if has_naga; then
        languages="hlsl msl wgsl"
        fact "naga accepts WGSL" naga_accepts "$folder"/wgsl_*/skin_*.wgsl
        fact "naga accepts the WGSL of the README" readme_wgsl_is_valid
    else
        skip "WGSL" "there is no node, or no naga-wasm in PELT_NPM"
    fi
    if has glslangValidator && has spirv-val && has spirv-cross; then
        mkdir "$folder/made"
        # shellcheck disable=SC2086
        fact "translators run" "$source/tools/shaders" "$folder/made" godot $languages
        if versions_agree; then
            # shellcheck disable=SC2086
            fact "translations are what translators make: $languages" \
                translations_are_what_translators_make $languages
        else
            skip "comparison of translations" "other versions than in gl/generated/translated.txt"
        fi
    else
        skip "translations" "there is no glslangValidator, spirv-val or spirv-cross"
    fi
    if has clang && echo 'kernel void main_() {}' |
        clang -x clcpp -cl-std=clc++ -target spir64 -fsyntax-only - 2> /dev/null; then
        fact "clang accepts the types of MSL" each_variant clang_msl "$folder"/msl_*
        fact "and those of its README" readme_msl_compiles
    else
        skip "types of MSL" "there is no clang that knows C++ for OpenCL"
    fi
    skip "compilation of MSL" "there is no compiler outside of macOS"
}

# ---------------------------------------------------------------------------------------------
# Browser

check_browser()
{
    browser=${PELT_CHROMIUM:-$(command -v chromium)}
    if has node && [ -n "$browser" ]; then
        fact "in a browser the shaders give what the CPU gives" \
            node "$source/tests/outside/browser_skin.mjs" "$pelt" "$browser"
        grep '^SKIP' "$folder/log"
        if [ -d "${PELT_NPM:-none}/node_modules/three" ]; then
            fact "materials of three.js take the functions" \
                node "$source/tests/outside/three_material.mjs" "$pelt" "$browser" "$PELT_NPM"
        else
            skip "three.js" "it is not in PELT_NPM"
        fi
    else
        skip "browser" "there is no node or no chromium"
    fi
}

case $part in
glsl) check_glsl ;;
translations) check_translations ;;
browser) check_browser ;;
*)
    echo "shader_test.sh: no part $part" >&2
    exit 2
    ;;
esac
finish
