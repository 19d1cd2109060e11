#!/bin/sh
# SPDX-License-Identifier: MIT
# What Khronos' validator says about the glTF files that pelt writes:
#
#     sh tests/outside/gltf_validate.sh MODELS_DIR PATH/TO/pelt
#
# Rigs, characters that were converted, packed, deformed, baked, unbaked, repaired or got twist
# joints must have no errors or warnings, but for those that their source already had, if it is glTF;
# files with additions and enhanced files nothing that their source did not have. What is copied
# from glTF must have everything that its source has. Additions come from pelt_io_tests next to
# the program, where there is one. Enhanced files must also show their centers and normal factors
# to three.js, and those with twist joints have to move there as they do in pelt.
# Validator and three.js are npm packages: they are installed into PELT_NPM, or into a temporary
# folder. Without node or npm: SKIP.

[ $# -eq 2 ] || { echo "usage: gltf_validate.sh MODELS_DIR PELT" >&2; exit 2; }
absolute()
{
    case $1 in
    /*) echo "$1" ;;
    *) echo "$PWD/$1" ;;
    esac
}
models=$(absolute "$1")
pelt=$(absolute "$2")
scripts=$(absolute "$(dirname "$0")")
[ -x "$pelt" ] || { echo "gltf_validate.sh: $2 is no program" >&2; exit 2; }
for tool in node npm; do
    command -v $tool >/dev/null || { echo "SKIP gltf_validate: there is no $tool"; exit 0; }
done

folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
npm_folder=$(absolute "${PELT_NPM:-$folder/npm}")
# npm_install NAME VERSION
npm_install()
{
    [ -d "$npm_folder/node_modules/$1" ] ||
        npm install --silent --no-fund --no-audit --prefix "$npm_folder" "$1@$2" >/dev/null 2>&1
}
npm_install gltf-validator 2.0.0-dev.3.10 ||
    { echo "SKIP gltf_validate: npm cannot install gltf-validator"; exit 0; }

# Reads lines "KIND OUTPUT SOURCE", separated by tabs; SOURCE is empty for rigs.
cat > "$folder/validate.js" <<'SCRIPT'
const fs = require("fs");
const path = require("path");
const validator = require(process.argv[2] + "/node_modules/gltf-validator");

async function problems(file) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
        uri: path.basename(file),
        maxIssues: 0,
        externalResourceFunction: async (uri) => new Uint8Array(fs.readFileSync(
            path.resolve(path.dirname(file), decodeURIComponent(uri)))),
    });
    const counts = new Map();
    for (const issue of report.issues.messages.filter((m) => m.severity <= 1)) {
        const known = counts.get(issue.code) || { count: 0, issue };
        counts.set(issue.code, { count: known.count + 1, issue: known.issue });
    }
    return counts;
}

async function check(kind, output, source) {
    const found = await problems(output);
    const before = source ? await problems(source) : new Map();
    let added = 0;
    for (const [code, { count, issue }] of found) {
        // Scenes are arranged anew: there, only the kind of a problem can be compared.
        const had = before.has(code) ? before.get(code).count : 0;
        const limit = kind !== "scene" || had === 0 ? had : Infinity;
        if (count > limit) {
            console.log(`  ${code} (${count}, before ${had}) ${issue.pointer}: ${issue.message}`);
            added++;
        }
    }
    console.log(`${added === 0 ? "ok  " : "FAIL"} ${kind} ${path.basename(output)}`);
    return added === 0;
}

(async () => {
    let passed = 0, failed = 0;
    for (const line of fs.readFileSync(0, "utf8").split("\n").filter((l) => l)) {
        (await check(...line.split("\t"))) ? passed++ : failed++;
    }
    console.log(`${passed} passed, ${failed} failed`);
    process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
})();
SCRIPT

list=$folder/list
: > "$list"
rigs=$("$pelt" rig --json | node -e '
    const rigs = JSON.parse(require("fs").readFileSync(0, "utf8")).rigs;
    console.log(rigs.map((r) => r.name).join("\n"));')
for rig in $rigs; do
    for kind in glb gltf; do
        output=$folder/$rig.$kind
        "$pelt" rig "$rig" -o "$output" >/dev/null 2>&1 ||
            { echo "FAIL pelt rig $rig -o $rig.$kind"; exit 1; }
        printf 'rig\t%s\t\n' "$output" >> "$list"
    done
done

mkdir "$folder/twisted"
"$pelt" enhance rig:human --twist auto -o "$folder/twisted/human.glb" >/dev/null 2>&1 ||
    { echo "FAIL pelt enhance rig:human --twist auto"; exit 1; }
printf 'rig\t%s\t\n' "$folder/twisted/human.glb" >> "$list"

tests=$(dirname "$pelt")/pelt_io_tests
if [ -d "$models" ]; then
    mkdir "$folder/fixed" "$folder/baked" "$folder/deformed"
    for source in "$models"/*/*.glb "$models"/*/*.gltf "$models"/*/*.fbx "$models"/*/*.dae; do
        [ -f "$source" ] || continue
        # A source that is no glTF has no problems of its own.
        before=$source
        kind=copy
        case $source in
        *.fbx|*.dae) before=; kind=scene ;;
        esac
        name=$(basename "$(dirname "$source")")_$(basename "$source")
        output=$folder/$name.glb
        if "$pelt" convert "$source" -o "$output" >/dev/null 2>&1; then
            printf '%s\t%s\t%s\n' "$kind" "$output" "$before" >> "$list"
        fi
        # What meshopt has compressed the validator cannot look into.
        mkdir -p "$folder/packed"
        if "$pelt" convert "$source" --quantize -o "$folder/packed/$name.glb" >/dev/null 2>&1; then
            printf '%s\t%s\t%s\n' "$kind" "$folder/packed/$name.glb" "$before" >> "$list"
            "$pelt" convert "$source" --quantize --meshopt -o "$folder/packed/small_$name.glb" \
                >/dev/null 2>&1 || { echo "FAIL convert --quantize --meshopt $name"; exit 1; }
            printf '%s\t%s\t%s\n' "$kind" "$folder/packed/small_$name.glb" "$before" >> "$list"
        fi
        "$pelt" doctor "$source" --fix -o "$folder/fixed/$name.glb" >/dev/null 2>&1
        [ ! -f "$folder/fixed/$name.glb" ] ||
            printf '%s\t%s\t%s\n' "$kind" "$folder/fixed/$name.glb" "$before" >> "$list"
        output=$folder/twisted/$name.glb
        if "$pelt" enhance "$source" --twist auto -o "$output" >/dev/null 2>&1; then
            printf '%s\t%s\t%s\n' "$kind" "$output" "$before" >> "$list"
        fi
        output=$folder/deformed/$name.glb
        if "$pelt" deform "$source" -o "$output" >/dev/null 2>&1; then
            printf 'scene\t%s\t%s\n' "$output" "$before" >> "$list"
        fi
        # One clip each: what is written next to the texture is the same for more.
        clip=$("$pelt" info "$source" --json 2>/dev/null | node -e '
            const scene = JSON.parse(require("fs").readFileSync(0, "utf8") || "{}");
            const clips = (scene.clips || []).filter((c) => c.tracks > 0);
            console.log(clips.length > 0 ? clips[0].name : "");')
        for encoding in local vertex; do
            [ -n "$clip" ] || continue
            if "$pelt" bake "$source" --clip "$clip" --encoding $encoding -o "$folder/bake" >/dev/null 2>&1; then
                stem=$(basename "${source%.*}")
                cp "$folder/bake/$stem.glb" "$folder/baked/${encoding}_$name.glb"
                printf '%s\t%s\t%s\n' "$kind" "$folder/baked/${encoding}_$name.glb" "$before" >> "$list"
                output=$folder/baked/un${encoding}_$name.glb
                if "$pelt" unbake "$folder/bake/$stem.json" -o "$output" >/dev/null 2>&1; then
                    printf 'scene\t%s\t%s\n' "$output" "$before" >> "$list"
                fi
                rm -r "$folder/bake"
            fi
        done
    done
    mkdir "$folder/additions"
    if [ -x "$tests" ]; then
        PELT_KEEP=$folder/additions PELT_MODELS=$models "$tests" gltf_additions >/dev/null ||
            { echo "FAIL $tests gltf_additions"; exit 1; }
    else
        echo "SKIP additions: there is no $tests"
    fi
    for source in "$models"/*/*.glb "$models"/*/*.gltf; do
        output=$folder/additions/$(basename "$(dirname "$source")")_$(basename "$source")
        [ ! -f "$output" ] || printf 'additions\t%s\t%s\n' "$output" "$source" >> "$list"
    done
    mkdir "$folder/enhanced"
    for source in "$models"/*/*.glb "$models"/*/*.gltf; do
        name=$(basename "$(dirname "$source")")_$(basename "$source")
        for kind in 2_32 3_32 4_32 8_32 2_16 2_8 3_8 8_16; do
            output=$folder/enhanced/${kind}_$name
            if "$pelt" enhance "$source" --cor --normals --normal-joints ${kind%_*} \
                --normal-bits ${kind#*_} -o "$output" >/dev/null 2>&1; then
                printf 'enhanced\t%s\t%s\n' "$output" "$source" >> "$list"
            fi
        done
    done
else
    echo "SKIP characters: there is no folder $1"
fi
code=0
node "$folder/validate.js" "$npm_folder" < "$list" || code=1

# Weights that were repaired are the only difference of a copy.
if command -v python3 >/dev/null; then
    for source in "$models"/*/*.glb "$models"/*/*.gltf; do
        name=$(basename "$(dirname "$source")")_$(basename "$source")
        set -- --without JOINTS_0 --without WEIGHTS_0
        [ ! -f "$folder/$name.glb" ] ||
            python3 "$scripts/../gltf_write/gltf_same.py" "$@" "$source" "$folder/$name.glb" ||
            { echo "FAIL convert $name loses something"; code=1; }
        [ ! -f "$folder/baked/local_$name.glb" ] ||
            python3 "$scripts/../gltf_write/gltf_same.py" "$@" --without animations "$source" \
                "$folder/baked/local_$name.glb" ||
            { echo "FAIL bake $name loses something"; code=1; }
        # A file that is repaired may have other normals, triangles and keys.
        [ ! -f "$folder/fixed/$name.glb" ] ||
            python3 "$scripts/../gltf_write/gltf_same.py" "$@" --without meshes --without animations \
                "$source" "$folder/fixed/$name.glb" ||
            { echo "FAIL doctor --fix $name loses something"; code=1; }
        # Other weights end the compression by Draco, so that a reader has to decode what is left.
        set -- "$@" --without JOINTS_1 --without WEIGHTS_1 --without inverseBindMatrices
        ! grep -q KHR_draco_mesh_compression "$source" ||
            set -- "$@" --without meshes --without extensionsUsed --without extensionsRequired
        [ ! -f "$folder/twisted/$name.glb" ] ||
            python3 "$scripts/../gltf_write/gltf_same.py" "$@" --longer "$source" \
                "$folder/twisted/$name.glb" ||
            { echo "FAIL enhance --twist $name loses something"; code=1; }
    done
else
    echo "SKIP what copies keep: there is no python3"
fi

if npm_install three 0.187.0; then
    "$pelt" enhance rig:box --cor --normals -o "$folder/box.glb" >/dev/null 2>&1 ||
        { echo "FAIL pelt enhance rig:box"; code=1; }
    set -- "$folder/box.glb"
    for output in "$folder"/enhanced/*; do
        [ ! -f "$output" ] || set -- "$@" "$output"
    done
    node "$scripts/three_enhanced.mjs" "$npm_folder" "$@" || code=1
    if [ -x "$tests" ]; then
        node "$scripts/three_golden.mjs" "$folder/twisted" "$npm_folder" \
            > "$folder/three_golden.txt" || code=1
        PELT_MODELS=$folder/twisted "$tests" --data "$folder" three || code=1
    fi
else
    echo "SKIP three.js: npm cannot install three"
fi
exit $code
