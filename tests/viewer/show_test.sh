#!/bin/sh
# SPDX-License-Identifier: MIT
# The Show and Texture panes of pelt-view, by scripts, by pictures and by real X events.
# Usage: show_test.sh PELT_VIEW PELT
here=$(cd "$(dirname "$0")" && pwd) || exit 2
. "$here/viewer_support.sh"
open_screen
input rig 'arm?vertices=300' -o arm.glb

# ---------------------------------------------------------------------------------------------
# What is drawn: one run, and a picture after each change.

cat >shots.txt <<END
frame 0 set views 1
frame 0 set play off
frame 0 set pane.side off
frame 0 clip curl
frame 0 time 0.9
frame 1 screenshot plain.png
frame 2 set show.textures off
frame 2 screenshot untextured.png
frame 3 set show.textures on
frame 3 set colors joints
frame 3 screenshot joints.png
frame 4 set view.1.skinning CPU
frame 4 screenshot cpu.png
frame 5 set colors materials
frame 5 set show.joint_boxes on
frame 5 screenshot boxes.png
frame 6 set show.joint_boxes off
frame 6 key N
frame 6 screenshot normals.png
END
view arm.glb --script shots.txt --frames 7 --size 320x260 --state state.json
# against PICTURE CONDITION: as compare(), with the plain picture.
against()
{
    cp "$1" views.png && compare 1 1 "$2" plain.png
}
ok "colors of joints show" against joints.png 'part > 0.02'
ok "  and boxes of joints" against boxes.png 'part > 0.002'
ok "  and normals" against normals.png 'part > 0.005'
ok "  without textures an arm that has none looks the same" against untextured.png 'part == 0'
cp cpu.png views.png
ok "colors of joints are the same on CPU and GPU" compare 1 1 'part < 0.01' joints.png
state "  N is the key of normals" 's["show.normals"]'
state "  nothing is missing" 'd["note"] is None'

# A file whose texture is not there is shown, and says so.
input rig 'arm?vertices=300' -o bare.gltf
"$python" - <<END
import json
d = json.load(open("bare.gltf"))
d["images"] = [{"uri": "nowhere.png"}]
d["textures"] = [{"source": 0}]
for material in d["materials"]:
    material.setdefault("pbrMetallicRoughness", {})["baseColorTexture"] = {"index": 0}
json.dump(d, open("bare.gltf", "w"))
END
view bare.gltf --frames 2 --size 320x240 --state state.json
state "a missing texture is said in a line that names it" \
    '"nowhere.png" in d["note"] and d["error"] is None and d["model"] == "bare.gltf"'

# While it plays, a viewport on the GPU has the ground and the shadow of its own moment: in this clip
# the lowest point goes up by 16 cm.
cat >play.txt <<END
frame 0 set views 1
frame 0 clip extreme
frame 1 time 2
frame 3 time 1.48
frame 3 screenshot GPU.png
frame 4 set view.1.skinning CPU
frame 4 time 1.48
frame 4 screenshot CPU.png
END
view "rig:human?vertices=2000" --script play.txt --frames 5 --size 320x240 --state state.json
mv GPU.png views.png
ok "ground and shadow of shaders are up to date" compare 1 1 'part < 0.01 and colors > 100' CPU.png

# ---------------------------------------------------------------------------------------------
# The Texture pane

cat >texture.txt <<END
frame 0 set views 4
frame 0 set play off
frame 0 clip bend
frame 0 time 0.6
frame 0 set view.2.method LBS
frame 0 set view.2.skinning bone texture
frame 0 set view.4.skinning vertex texture
frame 0 set texture.rate 25
frame 0 set pane.texture on
frame 3 key Ctrl+right
frame 5 state first.json
frame 5 set texture.view 4
frame 7 key Ctrl+left
frame 8 key Ctrl+left
END
view arm.glb --script texture.txt --frames 10 --size 320x400 --state state.json
state "the first viewport with a texture is shown" 'd["texture"]["view"] == 2' first.json
state "  with its size" 'd["texture"]["encoding"] == "qt" and d["texture"]["bytes"] > 0' first.json
# 16 bytes per texel.
state "  in bytes" 'd["texture"]["bytes"] == 16 * d["texture"]["size"][0] * d["texture"]["size"][1]' first.json
# Ten bits per component and more: an arm of 0.8 m is off by less than a millimeter.
state "  and its error, which is measured" '0 < d["texture"]["error"]["max"] < 1e-3' first.json
state "  least at keys" 'd["texture"]["error"]["max_at_keys"] <= d["texture"]["error"]["max"]' first.json
state "Ctrl+right steps to the next key of 25 per second" 'abs(d["time"] - 0.64) < 1e-4' first.json
state "another viewport's texture can be chosen" \
    'd["texture"]["view"] == 4 and d["texture"]["encoding"] == "vertex"'
state "  with an error of its own" 'd["texture"]["error"]["max"] > 0'
state "Ctrl+left steps back" 'abs(d["time"] - 0.56) < 1e-4'

# ---------------------------------------------------------------------------------------------
# Real events

if command -v xdotool >/dev/null 2>&1; then
    mkdir -p config/pelt
    # While it plays, it draws as often as it can.
    play=false
    [ "${PELT_SWEEP:-}" != full ] || play=true
    cat >config/pelt/view.json <<END
{"settings": {"views": "1", "view.1.skinning": "bone texture", "pane.texture": true, "pane.show": true,
              "pane.parameters": false, "pane.pose": false, "play": $play}}
END
    if "$python" "$here/drive_show.py" "$view" arm.glb "$folder/config/pelt" >events 2>&1; then
        passed=$((passed + $(grep -c '^ok' events)))
        cat events
    else
        failed=$((failed + 1))
        cat events
    fi
else
    skip "real mouse and keyboard" "there is no xdotool"
fi
finish
