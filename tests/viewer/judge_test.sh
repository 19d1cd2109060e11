#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt-view as a place where people judge a character: what viewports have of their own, crowds of
# every method, textures in every mode.
# Usage: judge_test.sh PELT_VIEW PELT
here=$(cd "$(dirname "$0")" && pwd) || exit 2
. "$here/viewer_support.sh"
open_screen 2000x1200
input rig 'arm?vertices=300' -o arm.glb
input rig bar -o bar.glb
# Some triangles of a third one have no area.
input convert arm.glb -o sick.gltf
"$python" - <<END
import base64, json, struct
d = json.load(open("sick.gltf"))
head, data = d["buffers"][0]["uri"].split(",")
data = bytearray(base64.b64decode(data))
accessor = d["accessors"][d["meshes"][0]["primitives"][0]["indices"]]
size = {5123: 2, 5125: 4}[accessor["componentType"]]
first = d["bufferViews"][accessor["bufferView"]].get("byteOffset", 0) + accessor.get("byteOffset", 0)
for triangle in range(8):
    at = first + 3 * size * triangle
    data[at + size:at + 2 * size] = data[at:at + size]
d["buffers"][0]["uri"] = head + "," + base64.b64encode(data).decode()
json.dump(d, open("sick.gltf", "w"))
END
input convert sick.gltf -o sick.glb

# ---------------------------------------------------------------------------------------------
# What a viewport has of its own

cat >own.txt <<END
frame 0 set play off
frame 0 clip curl
frame 0 time 0.9
frame 0 set views 4
frame 0 set view.1.method LBS
frame 0 set view.2.method mix
frame 0 set view.2.mix 0
frame 0 set view.3.method mix
frame 0 set view.3.mix 1
frame 0 set view.4.method DQS
frame 0 set view.4.with 3
frame 2 state own.json
frame 2 screenshot own.png
frame 3 set view.4.convention blender
frame 3 set view.3.correction 1
frame 4 state blender.json
frame 4 set view.3.correction 0
frame 4 set view.4.convention as all
frame 4 set view.4.variant basic
frame 5 state basic.json
frame 6 set view.4.method mix
frame 6 set view.4.skinning bone texture
frame 6 set view.4.variant antipodal
frame 6 set view.4.with 2
frame 6 set view.2.mix -1
frame 6 set view.2.skinning GPU
frame 6 set mix 0
frame 7 state even.json
frame 7 set brush on
frame 7 set brush.radius 0.5
frame 8 set view.3.method mix
frame 8 set view.3.mix -1
frame 8 set view.3.skinning vertex texture
frame 9 paint 0.3 0.55 0.4 0.55
frame 10 set colors materials
frame 11 state painted.json
END
view arm.glb --script own.txt --frames 12 --size 840x480
ok "viewports with options of their own are drawn" [ "$code" -eq 0 ]
state "mix 0 of one viewport is LBS, mix 1 of another is not" \
    'd["views"][1]["farthest"] < 1e-6 and d["views"][2]["farthest"] > 1e-3' own.json
state "  DQS is where mix 1 is, which it is compared with" 'd["views"][3]["farthest"] < 1e-6' own.json
state "a convention of one viewport makes it recompute normals on the CPU" \
    'not d["views"][3]["on_gpu"] and d["views"][0]["on_gpu"]' blender.json
state "  distance correction moves vertices, on the CPU" \
    'd["views"][3]["farthest"] > 1e-4 and not d["views"][2]["on_gpu"]' blender.json
state "a variant without shaders is on the CPU" 'not d["views"][3]["on_gpu"]' basic.json
state "a bone texture has the common factor" 'd["views"][3]["farthest"] < 1e-3' even.json
state "  and painted ones" \
    'd["painted"] > 5 and d["views"][1]["farthest"] > 1e-3 and d["views"][3]["farthest"] < 1e-3' painted.json
state "  a vertex texture says that it lacks them" \
    'any("painted" in hint for hint in d["views"][2]["hints"])' painted.json

# ---------------------------------------------------------------------------------------------
# Textures and crowds

cat >crowd.txt <<END
frame 0 set views 2
frame 0 set play off
frame 0 set pane.texture on
frame 0 set pane.performance on
frame 0 set view.1.skinning bone texture
frame 0 set view.2.skinning vertex texture
frame 0 set show.texture_boxes on
frame 2 state boxes.json
frame 2 set mode crowd
frame 2 set crowd.count 20
frame 3 set play on
frame 4 set crowd.method CRS
frame 5 state crs.json
frame 5 set crowd.method LMS
frame 7 state lms.json
frame 7 set crowd.method mix
frame 9 state mix.json
frame 9 set mode benchmark
frame 9 set bench.technique gpu-dq
frame 9 set bench.instances 9
frame 11 state single.json
frame 11 set bench.technique dq-texture
frame 13 state bench.json
END
view arm.glb --script crowd.txt --frames 14 --size 840x480
ok "crowds and benchmarks have panes" [ "$code" -eq 0 ]
state "textures have a box for each joint or for each vertex" \
    'd["views"][0]["boxes"] >= 3 and d["views"][1]["boxes"] == d["vertices"]' boxes.json
state "a crowd by CRS plays joints" 'd["texture"]["encoding"] == "qt"' crs.json
state "  draws and vertices are counted" \
    'd["performance"]["draws"] > 0 and d["performance"]["vertices"] == d["crowd"]["visible"] * d["vertices"] > 0' crs.json
state "  by LMS, which has no shaders, vertices" 'd["texture"]["encoding"] == "vertex"' lms.json
state "  by mix joints again" 'd["texture"]["encoding"] == "qt" and d["error"] is None' mix.json
state "the benchmark counts a draw for each instance" \
    'd["performance"]["draws"] == 9 and d["performance"]["vertices"] == 9 * d["vertices"] and d["texture"] is None' single.json
state "  or one for all, from a texture that the pane shows" \
    'd["performance"]["draws"] == 1 and d["texture"]["encoding"] == "dq"' bench.json

# ---------------------------------------------------------------------------------------------
# Real events

if command -v xdotool >/dev/null 2>&1; then
    if "$python" "$here/drive_judge.py" "$view" arm.glb bar.glb sick.glb >events 2>&1; then
        passed=$((passed + $(grep -c '^ok' events)))
    else
        failed=$((failed + 1))
    fi
    cat events
else
    skip "real mouse and keyboard" "there is no xdotool"
fi
finish
