#!/bin/sh
# SPDX-License-Identifier: MIT
# Weights painted in pelt-view: by scripts, by pictures and by real X events.
# Usage: paint_test.sh PELT_VIEW PELT
here=$(cd "$(dirname "$0")" && pwd) || exit 2
. "$here/viewer_support.sh"
open_screen
input rig 'arm?vertices=300' -o arm.glb

cat >paint.txt <<END
frame 0 set play off
frame 0 clip curl
frame 0 time 0.9
frame 0 set views 4
frame 0 set view.1.method LBS
frame 0 set view.1.skinning CPU
frame 0 set view.2.method LBS
frame 0 set view.2.skinning GPU
frame 0 set view.3.method CRS
frame 0 set view.3.normals accurate
frame 0 set view.4.method LBS
frame 0 set view.4.skinning bone texture
frame 0 set pane.side off
frame 0 joint elbow
frame 1 set brush.radius 0.3
frame 1 set brush.strength 0.5
frame 1 set brush.tool subtract
frame 1 key I
frame 2 screenshot before.png
frame 3 state before.json
frame 3 paint 0.42 0.60 0.415 0.54
frame 4 screenshot views.png
frame 4 state painted.json
frame 4 savemodel painted.glb
frame 5 paint 0.42 0.60 0.415 0.54
frame 6 state twice.json
frame 6 key Ctrl+Z
frame 6 key Ctrl+Z
frame 7 screenshot undone.png
frame 7 state undone.json
frame 8 open painted.glb
frame 9 set play off
frame 10 joint elbow
END
view arm.glb --script paint.txt --frames 12 --size 960x480 --state again.json
ok "weights are painted" [ "$code" -eq 0 ]
state "  I shows those of the joint" 's["brush"] and s["brush.target"] == "weights" and s["colors"] == "weights"' before.json
weights()
{
    ok "$1" "$python" -IS -c 'import json, sys
names = ("before", "painted", "twice", "undone", "again")
before, painted, twice, undone, again = (json.load(open(n + ".json"))["weights"] for n in names)
sys.exit(not eval(sys.argv[1]))' "$2"
}
weights "  the joint loses some, and the sum over all stays" \
    'painted["joint"] < 0.95 * before["joint"] and abs(painted["all"] - before["all"]) < 1e-3'
weights "  centers of rotation follow" 'painted["centers"] > 10 and painted["center_ms"] > 0 and painted["edited"]'
weights "  another stroke takes more" 'twice["joint"] < painted["joint"]'
weights "  Ctrl+Z takes strokes back" 'abs(undone["joint"] - before["joint"]) < 1e-9'
weights "  the file that was saved has the weights" 'abs(again["joint"] - painted["joint"]) < 1e-3'
run info painted.glb
ok "  and their centers and factors for normals" grep -q 'arm .* cors .*normal-factors' out
cp painted.json state.json
ok "LBS by CPU and GPU show the same weights" compare 1 2 'part < 0.01 and colors > 100'
ok "  so does a bone texture" compare 1 4 'part < 0.01'
ok "  which are others than before" compare 2 2 'part > 0.005' before.png
mv undone.png views.png
ok "  and the same again after undo" compare 3 3 'changed == 0' before.png

# A hand on one side, and what that does on the other.
cat >mirror.txt <<END
frame 0 set play off
frame 0 set views 1
frame 0 joint hand_r
frame 1 state right.json
frame 1 joint hand_l
frame 1 set brush.mirror on
frame 1 set brush.radius 0.1
frame 1 set brush.target weights
frame 1 set brush on
frame 1 time 0
frame 1 camera 90 0 2
frame 2 paint 0.75 0.37
frame 3 state left.json
frame 3 joint hand_r
frame 4 state other.json
END
view "rig:human?vertices=2000" --script mirror.txt --frames 5 --size 640x480 --state state.json
ok "the other side gets the same" "$python" -IS -c 'import json
before, left, right = (json.load(open(n + ".json"))["weights"]["joint"] for n in ("right", "left", "other"))
assert left > 1.02 * before and abs(left - right) < 1e-3 * left, (before, left, right)'

# ---------------------------------------------------------------------------------------------
# Real events

if command -v xdotool >/dev/null 2>&1; then
    mkdir -p config/pelt
    cat >config/pelt/view.json <<END
{"settings": {"views": "1", "view.1.method": "CRS", "play": false, "pane.pose": false,
              "brush.radius": 0.05}}
END
    if "$python" "$here/drive_paint.py" "$view" arm.glb "$folder/config/pelt" >events 2>&1; then
        passed=$((passed + $(grep -c '^ok' events)))
        cat events
    else
        failed=$((failed + 1))
        cat events
    fi
    ok "  the file is there" [ -s saved.glb ]
else
    skip "real mouse and keyboard" "there is no xdotool"
fi
finish
