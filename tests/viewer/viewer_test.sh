#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt-view from outside, on a virtual screen: by scripts, by real X events, by pictures.
# Usage: viewer_test.sh PELT_VIEW PELT
here=$(cd "$(dirname "$0")" && pwd) || exit 2
. "$here/viewer_support.sh"

# refuses CODE WORD ARGUMENTS...
refuses()
{
    wanted=$1
    word=$2
    shift 2
    view "$@"
    ok "exit $wanted: pelt-view $*" [ "$code" -eq "$wanted" ]
    ok "  one sentence that says \"$word\"" grep -q -e "^pelt-view: .*$word" err
    ok "  and no more" [ "$(wc -l <err)" -eq 1 ]
}

unset DISPLAY
refuses 3 "no display"
refuses 1 "1280x720" --size big
refuses 1 "no option" --wat 1
refuses 1 "missing" --state
refuses 1 "needs --frames" --screenshot a.png
refuses 2 "cannot read" --script nowhere.txt --frames 1
echo "frames 3 key space" >bad.txt
refuses 2 "line 1" --script bad.txt
view --help
ok "--help lists options" grep -q -e --script out

open_screen

# ---------------------------------------------------------------------------------------------
# Scripts

input rig 'arm?vertices=300' -o arm.glb
first 200 arm.glb >broken.glb
# A file of clips alone: the nodes of the arm in another order, below one more.
input convert arm.glb -o arm.gltf
"$python" - <<END
import json
d = json.load(open("arm.gltf"))
for name in ("meshes", "skins", "materials"):
    d.pop(name, None)
for node in d["nodes"]:
    node.pop("mesh", None)
    node.pop("skin", None)
d["nodes"].insert(0, {"name": "above", "children": [i + 1 for i in d["scenes"][0]["nodes"]]})
for node in d["nodes"][1:]:
    node["children"] = [i + 1 for i in node.get("children", [])] or node.pop("children", None)
    if node["children"] is None:
        del node["children"]
for animation in d["animations"]:
    for channel in animation["channels"]:
        channel["target"]["node"] += 1
d["scenes"][0]["nodes"] = [0]
json.dump(d, open("moves.gltf", "w"))
END
cat >script.txt <<END
frame 1 set views 1
frame 1 clip bend       # what follows is about it
frame 1 key space
frame 2 time 0.1
frame 2 key right
frame 2 set mix 0.3
frame 2 set view.1.method mix
frame 3 set sigma 0.25
frame 3 joint elbow
frame 3 twist 40
frame 3 bend 60
frame 3 key Ctrl+Z
frame 3 save pose.json
frame 4 set pane.performance on
frame 4 set help on
frame 5 open broken.glb
frame 6 quit
END
view arm.glb --script script.txt --size 320x240 --state state.json
ok "a script runs to its end" [ "$code" -eq 0 ]
state "  space pauses" 'not s["play"]'
state "  the right arrow steps beyond where it was" 'd["time"] > 0.1'
state "  the clip was changed" 'd["clip"] == "bend"'
state "  the mix was set" 'abs(s["mix"] - 0.3) < 1e-6 and d["views"][0]["method"] == "mix"'
state "  one viewport is there" 'len(d["views"]) == 1'
state "  another sigma solves for centers again" 'abs(d["solved_sigma"] - 0.25) < 1e-6 and d["solve_ms"] > 0'
state "  undo takes the last rotation back" 'd["edits"][0]["degrees"] == [40, 0, 0]'
state "  panes are toggled" 's["pane.performance"] and s["help"]'
state "  a broken file is a message that names it" '"broken.glb" in d["error"]'
state "  and the old character stays" 'd["model"] == "arm.glb"'
ok "  the user's configuration is left alone" [ ! -e config ]

run deform arm.glb --pose @pose.json -o posed.obj --json
ok "pelt deform takes the pose that was saved" [ "$code" -eq 0 ]
json "  with its rotation" 'd["overrides"] == 1'

cat >paint.txt <<END
frame 0 set play off
frame 0 clip curl
frame 0 time 0.9
frame 0 set views 4
frame 0 set view.1.method LBS
frame 0 set view.2.method mix
frame 0 set view.3.method mix
frame 0 set view.3.skinning CPU
frame 0 set mix 0
frame 1 set brush on
frame 1 set brush.radius 0.5
frame 2 paint 0.3 0.55 0.4 0.55
frame 3 savemodel painted.glb
frame 3 state painted.json
frame 3 set colors materials
frame 3 screenshot painted.png
frame 4 key Ctrl+Z
frame 5 state undone.json
frame 5 set view.1.method DQS
frame 5 set mix 1
frame 5 joint elbow
frame 6 state even.json
frame 6 mix 0
frame 7 savemodel mixed.glb
END
view arm.glb --script paint.txt --frames 8 --size 320x480 --state state.json
state "the brush paints factors, which the GPU and the CPU use at once" \
    'd["painted"] > 10 and d["views"][1]["farthest"] > 1e-3 and d["views"][2]["farthest"] > 1e-3' painted.json
state "  and shows them" 's["colors"] == "mix factor"' painted.json
state "  undo takes the stroke back" 'd["painted"] == 0 and d["views"][1]["farthest"] == 0' undone.json
run info painted.glb
ok "  the file that was saved has them" grep -q 'arm .* mix ' out
state "a mix of 1 is DQS" 'd["views"][1]["farthest"] < 1e-5' even.json
state "  and a joint with a factor of its own differs from all others" 'd["views"][1]["farthest"] > 1e-3'
run info mixed.glb
ok "  and the file that was saved has it for each vertex" grep -q 'arm .* mix ' out

cat >play.txt <<END
frame 1 set views 1
frame 1 clip bend
frame 1 set fade 0.05
frame 2 fade twist
frame 4 state fading.json
frame 8 state one.json
frame 8 set views 2
frame 8 set view.2.method LBS
frame 10 state two.json
frame 10 set play off
END
ok "pelt view starts the same program" \
    "$pelt" view arm.glb --script play.txt --frames 12 --size 320x240 --state state.json
ok "  with its options" has_member state.json frame
state "a cross-fade is on its way" 'd["clip"] == "bend" and d["next_clip"] == "twist"' fading.json
state "  and ends in the other clip" 'd["clip"] == "twist" and d["next_clip"] is None' one.json
draws()
{
    "$python" -IS -c 'import json, sys; print(json.load(open(sys.argv[1]))["performance"]["draws"])' "$1"
}
one=$(draws one.json)
ok "two viewports draw twice as often as one" [ "$one" -gt 1 -a "$(draws two.json)" -eq $((2 * one)) ]
state "  what the CPU does is the sum of its parts" 'abs(d["cpu_ms"]["mean"] - sum(d["performance"][part]["mean"]
    for part in ("pose", "palette", "upload", "interface"))) < 1e-3 * d["cpu_ms"]["mean"]' two.json
state "  and time on the GPU is a number or unknown" \
    'd["performance"]["gpu_ms"] is None or d["performance"]["gpu_ms"] >= 0' two.json
state "a frame in which nothing moves draws nothing" 'd["performance"]["draws"] == 0'

cp arm.glb again.glb
cat >files.txt <<END
frame 0 state several.json
frame 0 set view.2.method LBS
frame 0 set view.2.skinning bone texture
frame 0 set play off
frame 1 drop again.glb
frame 2 open moves.gltf
frame 4 state added.json
frame 4 set view.2.skinning GPU
frame 4 drop rig:cuboid
frame 5 drop moves.gltf
frame 6 state replaced.json
frame 6 open rig:cuboid
frame 6 open rig:box
frame 6 open rig:bar
END
view arm.glb moves.gltf rig:cuboid --script files.txt --frames 8 --size 320x240 --state state.json
state "of several files the first is shown" 'd["model"] == "arm.glb" and d["error"] is None' several.json
state "  those with its skeleton add their clips, called after the file where names are taken" \
    'd["clips"][3:] == [name + " (moves)" for name in d["clips"][:3]]' several.json
state "  others are on the list of recent files" 'd["recent"] == ["arm.glb", "rig:cuboid"]' several.json
state "a dropped file with the same skeleton adds its clips" \
    'd["model"] == "arm.glb" and d["clips"][6:9] == [name + " (again)" for name in d["clips"][:3]]' added.json
state "  a file without a mesh does so when it is opened, too" \
    'd["clips"][9:] == [name + " (moves 2)" for name in d["clips"][:3]] and d["clip"] == d["clips"][9]' added.json
state "  a line says so" 'd["note"] == "3 clips of moves.gltf added"' added.json
state "  and textures have them" 'd["views"][1]["from_texture"] and d["views"][1]["farthest"] < 5e-4' added.json
state "a dropped file with another skeleton is opened" 'd["model"] == "rig:cuboid"' replaced.json
state "  and clips that fit nothing are a message" \
    '"no mesh" in d["error"] and "moves.gltf" in d["error"]' replaced.json
state "of several files that are opened at once the last is shown" 'd["model"] == "rig:bar"'

view broken.glb --frames 1 --size 320x240 --state state.json
state "a broken first file shows the built-in human and the message" \
    'd["model"] == "rig:human" and "broken.glb" in d["error"]'

{
    for name in gpu-matrix gpu-dq gpu-crs matrix-texture qt-texture vertex-texture matrix-posed qt-posed \
        cpu-matrix thesis-matrix-texture thesis-dq-texture thesis-vertex-texture; do
        echo "frame 0 set bench.test.$name off"
    done
    echo "frame 0 set bench.without.interpolation on"
    echo "frame 0 set bench.seconds 0.1"
    echo "frame 1 benchmark results"
} >bench.txt
run_table()
{
    "$python" -c 'import json, sys; d = json.load(open("results/crowd.json"))
sys.exit(not eval(sys.argv[1]))' "$1"
}
# The mouse runs one, too, below.
if [ "${PELT_SWEEP:-}" = full ]; then
    view rig:box --script bench.txt --frames 3 --size 320x240 --state state.json
    state "a script runs a benchmark to its end" 'd["benchmark"]["state"] == "written" and d["error"] is None'
    state "  after which the crowd is on show again" 'd["benchmark"]["reason"] is None and "crowd" in d["controls"]'
    ok "  with two techniques" run_table '[r["technique"] for r in d["techniques"]] == ["control", "dq-texture"]'
    ok "  and stages of shaders" run_table '[(r["technique"], r["off"]) for r in d["toggles"]] == [
        ("dq-texture", "nothing"), ("dq-texture", "interpolation")]'
    ok "  and seven files, as pelt bench crowd" [ "$(find results -type f | wc -l)" -eq 7 ]
fi
sed -i 's/frame 1 .*/frame 1 set bench.test.control off/' bench.txt
printf 'frame 1 set bench.test.dq-texture off\nframe 1 benchmark none\n' >>bench.txt
refuses 2 "some technique" rig:box --script bench.txt --size 320x240
ok "  and nothing is written" [ ! -e none ]
printf 'frame 1 benchmark missing/deep\n' >deep.txt
refuses 4 "cannot write to missing/deep" rig:box --script deep.txt --size 320x240
cat >mode.txt <<END
frame 0 set mode benchmark
frame 2 state bench.json
frame 2 set mode crowd
END
input deform arm.glb -o still.glb
view still.glb --script mode.txt --frames 4 --size 320x240 --state state.json
state "a character without clips has no crowd, and the window says why" \
    '"no clips" in d["benchmark"]["reason"]' bench.json
state "  and what asks for one gets a message" 's["mode"] == "Compare" and d["error"]'

printf 'frame 1 set mix 3\n' >high.txt
refuses 2 "from 0 to 1" arm.glb --script high.txt --size 320x240

# ---------------------------------------------------------------------------------------------
# Pictures

cat >techniques.txt <<END
frame 0 set views 4
frame 0 set play off
frame 0 clip curl
frame 0 time 0.93
frame 0 set view.1.skinning CPU
frame 0 set view.2.method LBS
frame 0 set view.3.method LBS
frame 0 set view.3.skinning bone texture
frame 0 set view.4.method LBS
frame 0 set view.4.skinning vertex texture
frame 1 key Y
frame 1 key Y
frame 1 screenshot views.png
frame 2 state state.json
frame 2 set texture.merge off
frame 3 state copies.json
frame 3 set view.1.skinning GPU
frame 3 set view.2.method CRS
frame 3 set view.2.normals accurate
frame 4 screenshot methods.png
END
view arm.glb --script techniques.txt --frames 5 --size 960x400 --state methods.json
ok "a screenshot is written" [ -s views.png ]
state "  by CPU and GPU" '[v["on_gpu"] for v in d["views"]] == [False, True, False, False]'
state "  and by textures" '[v["from_texture"] for v in d["views"]] == [False, False, True, True]'
# Between keys a vertex texture takes the chord of an arc: half a millimeter of an arm of 0.6 m.
state "  which are at the same position" 'all(v["farthest"] < 5e-4 for v in d["views"])'

ok "  those with all copies of a vertex are larger, and show the same" "$python" -c 'import json, sys
merged, kept = (json.load(open(name))["views"][3] for name in ("state.json", "copies.json"))
sys.exit(kept["texture_bytes"] <= merged["texture_bytes"] or kept["farthest"] != merged["farthest"])'
ok "  a viewport is not blank" compare 1 2 'colors > 100'
ok "  LBS by CPU and GPU differ in less than 1 % of pixels" compare 1 2 'part < 0.01'
ok "  so does a bone texture" compare 1 3 'part < 0.01 and colors > 100'
ok "  and a vertex texture" compare 1 4 'part < 0.01 and colors > 100'
mv methods.png views.png
mv methods.json state.json
ok "LBS and CRS differ in more" compare 1 2 'part > 0.01'

mv painted.png views.png
mv painted.json state.json
ok "factors that were painted look the same by GPU and CPU" compare 2 3 'part < 0.01 and colors > 100'
ok "  and other than without" compare 1 2 'part > 0.01'

# ---------------------------------------------------------------------------------------------
# Crowd

cat >crowd.txt <<END
frame 0 set mode crowd
frame 0 set crowd.count 400
frame 0 set play off
frame 0 time 3.2
frame 3 screenshot views.png    # as late as its captions
frame 4 state culled.json
frame 4 set crowd.culling off
frame 5 screenshot all.png
frame 6 state all.json
frame 6 set crowd.culling on
frame 6 set crowd.seed 2
frame 7 screenshot other.png
frame 8 set crowd.levels on
frame 9 set crowd.freeze on
frame 10 camera 200 60 300
END
view arm.glb --script crowd.txt --frames 12 --size 320x300 --state state.json
ok "a crowd plays from one texture" [ "$code" -eq 0 ]
state "  of all members some are in view" \
    'd["crowd"]["members"] == 400 and 0 < d["crowd"]["visible"] < 300' culled.json
state "  at the time that was asked for" 'abs(d["crowd"]["time"] - 3.2) < 1e-6' culled.json
state "  without culling all are drawn" 'd["crowd"]["visible"] == 400' all.json
ok "  which makes no difference to any pixel" compare 1 1 'changed == 0 and colors > 100' all.png
ok "  but another seed does" compare 1 1 'changed > 0' other.png
state "there is a level for those far away" \
    'd["crowd"]["levels"] == 2 and d["crowd"]["near"] > 0 and d["crowd"]["far"] > 0'
state "  and a frozen frustum culls by where the camera was" '0 < d["crowd"]["visible"] < 300'

# ---------------------------------------------------------------------------------------------
# Real events

if command -v xdotool >/dev/null 2>&1; then
    mkdir -p config/pelt
    echo '{"settings": {"views": 17, "mix": "much", ' >config/pelt/view.json
    cp broken.glb b.glb
    ok "real mouse and keyboard" true
    if "$python" "$here/drive_viewer.py" "$view" arm.glb b.glb moves.gltf "$folder/config/pelt" >events 2>&1; then
        passed=$((passed + $(grep -c '^ok' events)))
        sed 's/^ok      /ok        /' events
    else
        failed=$((failed + 1))
        cat events
    fi
    ok "  a broken configuration was replaced by a whole one" is_json config/pelt/view.json
    ok "  which remembers panes" grep -q '"pane.side": false' config/pelt/view.json
    ok "  and files" grep -q 'arm.glb' config/pelt/view.json
else
    skip "real mouse and keyboard" "there is no xdotool"
fi
finish
