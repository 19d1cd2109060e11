#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt-view as people use it in their first hour: files, menus, sizes, modes, figures.
# Usage: use_test.sh PELT_VIEW PELT
here=$(cd "$(dirname "$0")" && pwd) || exit 2
. "$here/viewer_support.sh"
open_screen 2000x1200
input rig 'arm?vertices=300' -o arm.glb
first 200 arm.glb >broken.glb
input rig bar -o bar.glb

# ---------------------------------------------------------------------------------------------
# Figures

# same_error FILE: the Texture pane has the error that pelt bake writes.
same_error()
{
    cat >texture.txt <<END
frame 0 set views 1
frame 0 set play off
frame 0 set view.1.method LBS
frame 0 set view.1.skinning bone texture
frame 0 set pane.texture on
END
    view "$1" --script texture.txt --frames 3 --size 400x300 --state state.json
    run bake "$1" -o baked --encoding qt --rate keys --method lbs --json
    ok "the Texture pane and pelt bake measure the same error of ${1##*/}" "$python" -IS -c 'import json
shown = json.load(open("state.json"))["texture"]["error"]
baked = json.load(open("out"))["error"]
for name in ("max", "rms", "max_at_keys"):
    assert abs(shown[name] - baked[name]) <= 2e-6 * baked[name], (name, shown[name], baked[name])
assert shown["max"] > 0'
}
same_error arm.glb
models=${PELT_MODELS:-$here/../../../shared/models}
if [ -f "$models/CesiumMan/CesiumMan.glb" ]; then
    same_error "$models/CesiumMan/CesiumMan.glb"
else
    skip "the Texture pane and pelt bake measure the same error of CesiumMan.glb" "it is not there"
fi

# The smallest window: what is at the foot of viewports stays within these.
cat >feet.txt <<END
frame 0 set views 4
frame 0 set colors difference
frame 0 set play off
END
view arm.glb --script feet.txt --frames 3 --size 840x480 --state state.json
ok "texts at the foot of small viewports stay within these" "$python" -IS -c 'import json
places = json.load(open("state.json"))["controls"]
for view in "1234":
    x, y, width, height = places["view_" + view]
    lines = [place for name, place in places.items() if name.startswith("foot_" + view)]
    assert lines, places
    for left, top, across, down in lines:
        assert x <= left and left + across <= x + width, (view, lines)
        assert y <= top and top + down <= y + height, (view, lines)'

# ---------------------------------------------------------------------------------------------
# Playing

cat >fade.txt <<END
frame 0 set views 2
frame 0 set view.1.method LBS
frame 0 set view.1.skinning CPU
frame 0 set view.2.method LBS
frame 0 set view.2.skinning bone texture
frame 0 set play off
frame 0 set fade 0.05
frame 0 clip bend
frame 0 time 0.4
frame 1 screenshot still.png
frame 2 fade twist
frame 3 screenshot paused.png
frame 4 state paused.json
frame 4 set play on
frame 6 state fading.json
frame 9 state faded.json
frame 9 set play off
frame 10 joint elbow
frame 10 twist 90
frame 12 state edited.json
frame 12 key Ctrl+Z
frame 14 state undone.json
END
view arm.glb --script fade.txt --frames 15 --size 400x300
state "a fade while paused does not jump" \
    'd["clip"] == "bend" and d["next_clip"] == "twist" and abs(d["time"] - 0.4) < 1e-6' paused.json
mv still.png views.png
cp paused.json state.json
ok "  nor does it move anything" compare 1 1 'changed == 0 and colors > 100' paused.png
state "  and a texture says how it fades" 'any("fade" in h for h in d["views"][1]["hints"])' fading.json
state "  which ends when it plays" 'd["clip"] == "twist" and d["next_clip"] is None' faded.json
state "a texture says that it lacks pose edits" \
    'd["views"][1]["from_texture"] and any("pose edits" in h for h in d["views"][1]["hints"])' edited.json
state "  only as long as there are some" 'not any("pose" in h for h in d["views"][1]["hints"])' undone.json

# ---------------------------------------------------------------------------------------------
# Clips of other proportions: translations of all joints, 0.6 times as far.

input convert arm.glb -o arm.gltf
"$python" - <<END
import base64, json, struct
d = json.load(open("arm.gltf"))
for name in ("meshes", "skins", "materials"):
    d.pop(name, None)
for node in d["nodes"]:
    node.pop("mesh", None)
    node.pop("skin", None)
animation = d["animations"][0]
data = struct.pack("<2f", 0, 1)
d["accessors"].append({"bufferView": len(d["bufferViews"]), "componentType": 5126, "count": 2,
                       "type": "SCALAR", "min": [0], "max": [1]})
times = len(d["accessors"]) - 1
for index, node in enumerate(d["nodes"]):
    if "translation" not in node:
        continue
    node["translation"] = [0.6 * x for x in node["translation"]]
    d["accessors"].append({"bufferView": len(d["bufferViews"]), "byteOffset": len(data),
                           "componentType": 5126, "count": 2, "type": "VEC3"})
    data += struct.pack("<3f", *node["translation"]) * 2
    animation["samplers"].append({"input": times, "output": len(d["accessors"]) - 1})
    animation["channels"] = [c for c in animation["channels"]
                             if c["target"] != {"node": index, "path": "translation"}]
    animation["channels"].append({"sampler": len(animation["samplers"]) - 1,
                                  "target": {"node": index, "path": "translation"}})
d["bufferViews"].append({"buffer": len(d["buffers"]), "byteLength": len(data)})
d["buffers"].append({"byteLength": len(data),
                     "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()})
json.dump(d, open("child.gltf", "w"))
END
cat >clips.txt <<END
frame 0 set play off
frame 0 set views 1
frame 1 drop arm.glb
frame 3 state same.json
frame 3 drop child.gltf
frame 5 time 0
frame 6 state warned.json
frame 6 screenshot crumpled.png
frame 7 rotations
frame 9 state kept.json
frame 9 screenshot kept.png
END
cp arm.glb shown.glb
view shown.glb --script clips.txt --frames 11 --size 800x480
state "clips of the same skeleton are added without a warning" \
    'len(d["clips"]) == 6 and d["proportions"] is None' same.json
state "those of other proportions are added with one, that has the ratio of bones" \
    'len(d["clips"]) > 6 and "child.gltf" in d["proportions"] and "0.600" in d["proportions"]' warned.json
state "  and offers rotations only" '"rotations_only" in d["controls"] and "keep_clips" in d["controls"]' warned.json
state "  which answers it" 'd["proportions"] is None and d["clips"] and d["error"] is None' kept.json
cp crumpled.png views.png
cp kept.json state.json
ok "  and shows another pose" compare 1 1 'part > 0.002' kept.png
view shown.glb child.gltf --retarget-rest --frames 90 --size 800x480 --state state.json
state "  clips relative to the rest poses come without one" \
    'len(d["clips"]) > 3 and d["proportions"] is None and d["error"] is None'

# ---------------------------------------------------------------------------------------------
# What modes leave behind

cat >modes.txt <<END
frame 0 set play off
frame 0 set views 2
frame 2 state before.json
frame 2 set mode crowd
frame 2 set crowd.count 20
frame 4 state crowd.json
frame 4 set mode compare
frame 6 state after.json
frame 6 set mode benchmark
frame 6 set bench.technique control
frame 8 state bench.json
frame 8 set mode compare
frame 10 set mode crowd
frame 12 set mode compare
frame 14 state again.json
END
view arm.glb --script modes.txt --frames 15 --size 400x300
ok "crowds and benchmarks leave no object on the GPU behind" "$python" -IS -c 'import json
count = {n: json.load(open(n + ".json"))["memory"]["gl_objects"]
         for n in ("before", "crowd", "after", "bench", "again")}
assert count["before"] > 0 and count["crowd"] > count["before"] and count["bench"] > count["before"], count
assert count["after"] == count["before"] == count["again"], count'
state "  nor members" '"crowd" not in d' after.json

cat >mix.txt <<END
frame 0 joint elbow
frame 0 mix 0.2
frame 1 savemodel mixed.obj
END
view arm.glb --script mix.txt --frames 3 --size 320x240
ok "mix factors are not written as .obj" [ "$code" -eq 2 ]
ok "  which one sentence says" grep -q 'mixed.obj.*\.glb' err
ok "  and no file is there" [ ! -e mixed.obj ]

# ---------------------------------------------------------------------------------------------
# Real events

if command -v xdotool >/dev/null 2>&1; then
    if "$python" "$here/drive_use.py" "$view" arm.glb broken.glb bar.glb >events 2>&1; then
        passed=$((passed + $(grep -c '^ok' events)))
    else
        failed=$((failed + 1))
    fi
    cat events
else
    skip "real mouse and keyboard" "there is no xdotool"
fi
finish
