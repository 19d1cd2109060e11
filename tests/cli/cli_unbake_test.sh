#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt unbake: animation textures back as clips. sh tests/cli/cli_unbake_test.sh PATH/TO/pelt

. "${0%/*}/cli_support.sh"

# distance FILE CLIP TIME INPUT: how far the vertices of two files are apart at a moment, in meters.
distance()
{
    "$pelt" deform "$1" --clip "$2" --time "$3" -o left.obj 2>/dev/null &&
        "$pelt" deform "$4" --clip "$2" --time "$3" -o right.obj 2>/dev/null &&
        paste left.obj right.obj | awk '$1 == "v" {
            d = ($2 - $6) ^ 2 + ($3 - $7) ^ 2 + ($4 - $8) ^ 2; if (d > most) most = d }
        END { if (NR == 0) exit 1; print sqrt(most) }'
}

# is_within FILE INPUT LIMIT: at moments of all clips that are no keys.
is_within()
{
    for moment in bend:0.37 bend:0.901 twist:0.333 curl:0.71; do
        distance "$1" ${moment%:*} ${moment#*:} "$2" >apart || return 1
        awk -v limit="$3" '{ exit !($1 <= limit) }' apart || return 1
    done
}

member()
{
    sed -n "s/^  *\"$1\": \([0-9.e+-]*\),*\$/\1/p" out | head -1
}

sum()
{
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%.9g", 1.1 * (a + b) + 2e-6 }' # OBJ has six digits
}

for encoding in qt local matrix dq; do
    input bake 'rig:arm?vertices=400' --encoding $encoding --json -o baked
    baked=$(member max)
    works unbake baked/arm.json --json -o back.glb
    ok "  says how far it is off" [ -n "$(member max)" ]
    ok "  which is where it is" is_within back.glb 'rig:arm?vertices=400' "$(sum "$baked" "$(member max)")"
    json "  three clips on the mesh of the bake" 'd["clips"] == 3 and d["skins"] == 1 and d["mesh"] == "baked/arm.glb"'
    # Matrices shear between keys, and nodes do not.
    [ $encoding = matrix ] || json "  within the default" 'd["max_per_meter"] <= 1e-4'
done
works info back.glb --json
json "  with their names and durations" '[(c["name"], round(c["duration"], 4)) for c in d["clips"]] == [(c["name"], round(c["duration"], 4)) for c in json.load(open("baked/arm.json"))["clips"]]'
works unbake baked/arm.json -o back.glb
ok "  nothing on stdout" [ ! -s out ]
ok "  says so in words" grep -q 'mm off the bake' err
works unbake baked/arm.json -o back.gltf
ok "  glTF as text" is_json back.gltf
works unbake baked/arm.json -o - --format glb
ok "  - is the standard output" cmp -s out back.glb
works unbake baked/arm.json --threads 1 -o one.glb
ok "  one thread gives the same bytes" cmp -s one.glb back.glb
works unbake baked/arm.json --clip twist --json -o twist.glb
json "  one clip" 'd["clips"] == 1 and d["worst_clip"] == "twist"'
works unbake baked/arm.json --rate 5 --json -o slow.glb
json "  fewer keys are farther off" 'd["keys"] < 50 and d["max_per_meter"] > 1e-4'

# Baked again, what was unbaked is the same character.
input bake 'rig:arm?vertices=400' --encoding local --bits 24 -o baked
input unbake baked/arm.json -o back.glb
input bake back.glb --encoding local --bits 24 -o again
input unbake again/back.json -o twice.glb
ok "a second time nothing more is lost" is_within twice.glb back.glb 1e-5

# Bakes of vertices become morph targets.
code=0
"$pelt" bake 'rig:arm?vertices=400' --encoding vertex --clip bend --json -o vertex >out 2>err || code=$?
if [ "$code" -eq 0 ]; then
    baked=$(member max)
    works unbake vertex/arm.json --json -o shapes.glb
    json "  without a skin" 'd["skins"] == 0'
    distance shapes.glb bend 0.37 'rig:arm?vertices=400' >apart
    ok "  which is where it is" awk -v limit="$(sum "$baked" 0)" '{ exit !($1 <= limit) }' apart
    fails 1 'has no effect' unbake vertex/arm.json --rate 5 -o x.glb
else
    skip "shapes" "pelt bake --encoding vertex: $(cat err)"
fi

# -------------------------------------------------------------------------------------------------
echo "# Mistakes"

fails 1 'needs FILE.json' unbake -o x.glb
fails 1 'give -o FILE' unbake baked/arm.json
fails 1 '.glb or .gltf' unbake baked/arm.json -o x.obj
fails 1 'both need' unbake baked/arm.json -o - --format glb --json
fails 1 'give FILE.json' unbake - -o x.glb
fails 1 'did you mean bend' unbake baked/arm.json --clip benx -o x.glb
fails 1 'from 0.001' unbake baked/arm.json --rate 0 -o x.glb
fails 1 'the mesh of the bake' unbake baked/arm.json -o baked/arm.glb
fails 1 'the input itself' unbake baked/arm.json --format glb -o baked/arm.json
fails 2 'No such file' unbake missing.json -o x.glb
fails 2 'JSON' unbake baked/arm.glb -o x.glb
echo '{}' >empty.json
fails 2 'not the JSON file of a bake' unbake empty.json -o x.glb
cp baked/arm.json baked/arm.ktx2 .
fails 2 'arm.glb' unbake arm.json -o x.glb
input rig box -o arm.glb
fails 2 'the bake was made of' unbake arm.json -o x.glb
if [ -n "$python" ]; then
    "$python" -c 'import json; d = json.load(open("arm.json")); d["mesh"] = "../arm.glb"; json.dump(d, open("outside.json", "w"))'
    fails 2 'outside.json' unbake outside.json -o x.glb
    "$python" -c 'import json; d = json.load(open("arm.json")); del d["mesh"]; json.dump(d, open("without.json", "w"))'
    fails 2 'mesh' unbake without.json -o x.glb
fi
if [ -n "$python" ]; then
    input bake 'rig:human?vertices=2000' -o old
    works unbake old/human.json -o new.glb
    "$python" - <<'SCRIPT'
import json
d = json.load(open("old/human.json"))
assert d["version"] == 2 and d["clips"]
d["version"] = 1
for clip in d["clips"]:
    boxes, motion, last = clip["key_bounds"], clip["root_motion"], [0] * 6
    keys, step = len(boxes["values"]) // 6, boxes["step"]
    clip["key_bounds"] = []
    for i in range(keys):
        last = [a + b for a, b in zip(last, boxes["values"][6 * i:6 * i + 6])]
        clip["key_bounds"].append([number * step for number in last])
    parts = [motion["position"], motion["rotation"], motion["scale"]]
    widths = [3, 4, 3]
    clip["root_motion"] = [sum(([*p[:w]] if len(p) == w else p[w * i:w * i + w]
                                for p, w in zip(parts, widths)), []) for i in range(keys)]
json.dump(d, open("old/human.json", "w"))
SCRIPT
    works unbake old/human.json -o old.glb
    ok "  a file of version 1 gives the same" cmp -s old.glb new.glb
fi
fails 4 'No such file' unbake baked/arm.json -o missing/x.glb
ok "no failed command has left a file" [ ! -e x.glb ]
ok "no temporary file is left" no_temporary

finish
