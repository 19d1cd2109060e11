#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes a project as the page says, has the editor import it, and tests it in Godot.
# Usage: run.sh BUILD ROOT; the folder of characters is PELT_MODELS. ROOT is a folder that
# tools/debian_root has made, with Godot and Xvfb, or - for those of the system.
set -eu
source=$(cd "$(dirname "$0")/../../.." && pwd)
build=$(cd "$1" && pwd)
root=$2
models=${PELT_MODELS:-$source/../shared/models}
pelt=$build/pelt
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
project=$folder/game
mkdir "$project" "$folder/home" "$folder/runtime"

in_godot() {
    if [ "$root" != - ]; then
        "$source/tools/in_debian_root" "$root" "$folder:test" -- \
            /usr/bin/env HOME=/mnt/test/home XDG_DATA_HOME=/mnt/test/home sh -c "cd /mnt/test/game && $*"
    else
        (cd "$project" && HOME="$folder/home" XDG_DATA_HOME="$folder/home" sh -c "$*")
    fi
}

# block LANGUAGE: what the page has in that language.
block() {
    sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$source/bindings/godot/README.md" | sed '/^```/d'
}

# The commands of the page, for a character of its own.
cp "$source/bindings/godot/tests/project.godot" "$project"
cp "$source"/bindings/godot/tests/*.gd "$project"
"$pelt" rig 'human?vertices=2000' -o "$folder/hero.glb" 2> /dev/null
block sh | sed -e '/^make /d' -e "s,build/pelt,$pelt,g" -e "s,build/godot,$build/godot,g" > "$folder/page.sh"
grep -q enhance "$folder/page.sh"
(cd "$folder" && sh -e page.sh) > "$folder/said" 2>&1 || { cat "$folder/said"; exit 1; }
block gdscript > "$project/page.gd"
grep -q PeltCrowd "$project/page.gd"

{
    echo "extends Node"
    sed -n '/^```gdscript$/,/^```$/p' "$source/docs/bounds.md" | sed '/^```/d'
} > "$project/bounds.gd"

runtime=$([ "$root" = - ] && echo "$folder" || echo /mnt/test)/runtime

# skin FILE SOURCE CLIP TIME METHOD: a case, with the positions of each method.
skins=""
skin() {
    expected=""
    for method in lbs dqs mix crs; do
        obj=$(echo "$1_$method.txt" | tr '/:' '__') # Godot would import an .obj
        "$pelt" deform "$2" --method "$method" --clip "$3" --time "$4" --format obj -o "$project/$obj" 2> /dev/null
        expected="$expected${expected:+, }{\"method\": \"$method\", \"obj\": \"res://$obj\"}"
    done
    skins="$skins${skins:+, }{\"file\": \"$1\", \"clip\": \"$3\", \"time\": $4, \"import_method\": \"$5\", \"expected\": [$expected]}"
}

# crowd NAME SOURCE CLIP TIME...: a bake of a character, and its positions at three times.
crowds=""
crowd() {
    name=$1
    character=$2
    clip=$3
    shift 3
    objs=""
    for time in "$@"; do
        "$pelt" deform "$character" --method lbs --clip "$clip" --time "$time" --format obj -o "$project/${name}_$time.txt" 2> /dev/null
        objs="$objs${objs:+, }\"res://${name}_$time.txt\""
    done
    crowds="$crowds${crowds:+, }{\"bake\": \"res://$name/$name.json\", \"clip\": \"$clip\", \"times\": [$1, $2, $3], \"obj\": [$objs], \"error\": $error}"
}

# The space of its meshes is not that of the scene.
bounds=""
if [ -d "$models" ]; then
    "$pelt" enhance "$models/Godot_mannequiny/mannequiny.glb" --bounds --method dqs -o "$folder/runtime/man.glb" 2> /dev/null
    skin "$runtime/man.glb" "$folder/runtime/man.glb" run_root.001 0.2 dqs
    bounds=$skins
    skins=""
fi
skin res://hero.glb "$project/hero.glb" extreme 1.5 crs
# The same file, loaded while the program runs.
cp "$project/hero.glb" "$folder/runtime"
skin "$runtime/hero.glb" "$project/hero.glb" twist 1.0 crs
error=0.0002 # the bakes are ten times better
crowd hero "$folder/hero.glb" extreme 0.5 1.5 2.5
for encoding in local matrix dq; do
    "$pelt" bake "$folder/hero.glb" --encoding $encoding --force -o "$project/$encoding/$encoding.json" 2> /dev/null > /dev/null
    crowd $encoding "$folder/hero.glb" extreme 0.5 1.5 2.5
done
if [ -d "$models" ]; then
    "$pelt" enhance "$models/CesiumMan/CesiumMan.glb" --cor --mix-map --bounds --method dqs --carrier texcoord \
        -o "$project/cesium.glb" 2> /dev/null
    skin res://cesium.glb "$project/cesium.glb" clip_0 0.5 dqs
    # Eight influences, and joints that stretch.
    "$pelt" enhance "$models/momentum_8influences/test_24fps.glb" --cor --mix-map --bounds --method crs \
        --carrier texcoord -o "$project/eight.glb" 2> /dev/null
    skin res://eight.glb "$project/eight.glb" clip_0 0.0 crs
else
    echo "SKIP    CesiumMan: no models folder"
fi
shots=${PELT_SHOTS:+$([ "$root" = - ] && echo "$folder" || echo /mnt/test)/godot.png}
echo "{\"skins\": [$skins], \"crowds\": [$crowds], \"bounds\": [$bounds], \"shots\": \"$shots\"}" > "$project/cases.json"

in_godot "timeout 300 godot --headless --import" > "$folder/said" 2>&1 || { cat "$folder/said"; exit 1; }
! grep -E 'ERROR|WARNING' "$folder/said" | grep -v X509 || { cat "$folder/said"; exit 1; }
echo "ok      the editor imports the project of the page"
is_failed=""
in_godot "xvfb-run -a -s '-screen 0 640x480x24' timeout 300 godot --rendering-driver opengl3 --audio-driver Dummy -s test_pelt.gd" \
    > "$folder/said" 2>&1 || is_failed=yes
[ ! -f "$folder/godot.png" ] || cp "$folder/godot.png" "$PELT_SHOTS"
[ -z "$is_failed" ] || { cat "$folder/said"; exit 1; }
grep -E '^(ok|FAILED|SKIP|Godot Engine)|passed' "$folder/said"
