#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt render: sh tests/cli/cli_render_test.sh PATH/TO/pelt

. "${0%/*}/cli_support.sh"

# Pictures are small: what a driver compiles costs more than what it draws.
export GALLIVM_PERF=nopt

input deform rig:arm -o posed.glb
input convert rig:arm -o arm.gltf
mirror='{"elbow": {"scale": [1, -1, 1]}}'

# png_size FILE: width and height, out of its header.
png_size()
{
    od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }'
}

# is_png FILE WIDTH HEIGHT: the file is whole, and as large as that.
is_png()
{
    [ "$(png_size "$1")" = "$2 $3" ] && [ "$(tail -c 8 "$1" | head -c 4)" = IEND ]
}

frame_count_is()
{
    [ "$(grep -ao ANMF "$1" | wc -l)" -eq "$2" ]
}

# means_fall FILE: of two means of JSON, the second is less than a tenth of the first.
means_fall()
{
    sed -n 's/.*"mean": \([0-9.e-]*\),.*/\1/p' "$1" |
        awk 'NR == 1 { a = $1 } NR == 2 { b = $1 } END { exit !(a > 1 && a < 20 && b > 0 && b < a / 10) }'
}

fails 1 'give -o' render rig:bar
fails 1 '.png or .webp' render rig:bar -o x.jpg
fails 1 '.png or .webp' render rig:bar -o -
fails 1 'choices are lbs' render rig:bar --method xyz -o x.png
fails 1 'choices are lbs' render rig:bar --method lbs,,dqs -o x.png
fails 1 'twice' render rig:bar --method lbs,dqs,lbs -o x.png
fails 1 'goes with --method crs' render rig:bar --method lbs,dqs --sigma 0.2 -o x.png
fails 1 'need --method mix' render rig:bar --mix 0,1 -o x.png
fails 1 'twice' render rig:bar --method mix --mix 0,0 -o x.png
fails 1 'not "half"' render rig:bar --method mix --mix 0,half -o x.png
fails 1 'choices are three-quarter' render rig:bar --view top -o x.png
fails 1 'for an animation' render rig:bar --view orbit -o x.png
fails 1 'for an animation' render rig:bar --fps 10 -o x.png
fails 1 'exact without it' render rig:bar --exact -o x.png
fails 1 'for an animation' render rig:bar --time 0:1 -o x.png
fails 1 'one moment' render rig:bar --time 1 -o x.webp
fails 1 'A before B' render rig:bar --time 1:0 -o x.webp
fails 1 'finite number' render rig:bar --time 1: -o x.webp
fails 1 'from 1 to 240' render rig:bar --fps 0 -o x.webp
fails 1 'more than 20000' render rig:bar --clip bend90 --time 0:0.9 --fps 240 --wrap loop \
    --time 0:100 -o x.webp
fails 1 'did you mean bones' render rig:bar --show bnoes -o x.png
fails 1 'did you mean weights' render rig:bar --show weigths:joint -o x.png
fails 1 'choices are ground' render rig:bar --show xyzzy -o x.png
fails 1 'difference:METHOD' render rig:bar --show difference -o x.png
fails 1 'only one of' render rig:bar --show weights,weights:joint -o x.png
fails 1 'choices are lbs' render rig:bar --show difference:xyz -o x.png
fails 1 'only one of' render rig:bar --show weights:joint,difference:lbs -o x.png
fails 1 'did you mean joint' render rig:bar --show weights:jiont -o x.png
fails 1 'root, joint' render rig:bar --show weights:xyzzy12 -o x.png
fails 1 'clips are twist90' render rig:bar --clip xyzzy -o x.png
fails 1 'did you mean normal-error' render rig:bar --show normal-eror -o x.png
fails 1 'only one of' render rig:bar --show normal-error,difference:lbs -o x.png
fails 1 'choose other rules' render rig:bar --show normal-error --normals standard,recompute -o x.png
fails 1 'choose other rules' render rig:bar --show normal-error --convention maya -o x.png
fails 1 'choices are standard' render rig:bar --normals standard,xyz -o x.png
fails 1 'twice' render rig:bar --normals paper,accurate,paper -o x.png
fails 1 'only standard normals' render rig:bar --method lbs,lms --normals standard,accurate -o x.png
fails 1 'choices are standard' deform rig:bar --normals standard,accurate -o x.obj
fails 1 '--range goes with' render rig:bar --range 10 -o x.png
fails 1 '--range goes with' render rig:bar --show weights:joint --range 1 -o x.png
fails 1 'at most 180 degrees' render rig:bar --show normal-error --range 200 -o x.png
fails 1 'from 1e-06' render rig:bar --show normal-error --range 0 -o x.png
fails 1 'did you mean joint' render rig:bar --focus jiont -o x.png
works deform rig:arm -o rigid.glb
fails 2 'needs a skinned mesh' render rigid.glb --show normal-error -o x.png
fails 2 'needs a skin' render rigid.glb --show weights -o x.png
works help render
ok "  explains maps of normals" grep -q normal-error out
for size in 0x0 12x900 99999x99999 99999999999999999999x9; do
    fails 1 'from 32x32' render rig:bar --size $size -o x.png
done
for size in 100 100x x100 100x100x -5x10 1e3x9 '100 x100'; do
    fails 1 'as in 960x720' render rig:bar --size "$size" -o x.png
done
fails 1 'too large' render rig:bar --size 8000x8000 --method lbs,dqs,crs -o x.png
fails 2 'missing.glb' render missing.glb -o x.png
fails 1 'orbit' render posed.glb -o x.webp
ok "no failed command has left a file" [ ! -e x.png ]
ok "  of either kind" [ ! -e x.webp ]

run render rig:bar --size 64x48 -o first.png
if [ "$code" -eq 3 ]; then
    skip "pictures" "$(cat err)"
    ok "without OpenGL there is one sentence" is_one_sentence
    ok "  and no file" [ ! -e first.png ]
else
    ok "exit 0: a picture" [ "$code" -eq 0 ]
    ok "  nothing on stdout" [ ! -s out ]
    ok "  is whole, and as large as asked for" is_png first.png 64 48
    works render rig:bar --size 64x48 --threads 1 -o again.png
    ok "  twice gives the same bytes, with one thread as well" cmp -s again.png first.png
    works render rig:bar --size 64x48 --clip bend120 --time 0.5 -o bent.png
    ok "  another pose is another picture" differ bent.png first.png
    works render rig:bar --size 64x48 \
        --pose '{"joint": {"axis": [0, 0, 1], "degrees": 60}}' -o rotated.png
    ok "  as an override makes it" cmp -s rotated.png bent.png
    for view in front side back; do
        works render rig:bar --size 64x48 --view $view -o view.png
        ok "  another view is another picture" differ view.png first.png
    done
    works render rig:bar --show ground,wire,bones,cors,boxes,facets --time 1 -o default.png
    ok "  has its own size otherwise" is_png default.png 960 720
    works render rig:bar --size 96x96 --show weights:joint,ground --time 1 -o show.png
    if [ "${PELT_SWEEP:-}" = full ]; then
        for show in wire bones cors boxes facets; do
            works render rig:bar --size 96x96 --show ground,$show --time 1 -o show.png
        done
    fi
    works render rig:bar --size 96x96 --show none -o plain.png
    for show in weights bone-boxes normals; do
        works render rig:bar --size 96x96 --show $show --json -o show.png
        ok "  which shows" differ show.png plain.png
    done
    json "  and colors of joints have no scale" 'd["legend_maximum"] is None'
    works render rig:bar --size 96x96 --show untextured -o show.png
    ok "  a rig has no texture to leave out" cmp -s show.png plain.png
    works render rig:bar --size 64x48 --method mix,dqs --mix 0,0.5,1 --normals standard,accurate \
        --clip bend120 --time 1 --json -o factors.png
    json "  a panel for each factor and rule" '(d["methods"] == ["mix"] * 3 + ["dqs"] and d["mix"] == [0, 0.5, 1] and
        d["size"][0] > 2 * 64 and d["size"][1] > 4 * 48)'
    works render rig:bar --size 200x100 --method lbs,dqs,crs --clip bend120 --time 1 --json \
        -o three.png
    ok "  the summary is JSON" is_json out
    for member in size frames seconds camera legend_maximum renderer methods; do
        ok "  has $member" has_member out $member
    done
    ok "  three panels and four gaps" [ "$(png_size three.png | cut -d' ' -f1)" -eq 628 ]
    works render rig:bar --size 64x48 --method lbs,dqs --show difference:lbs --clip bend120 \
        --time 1 --json -o heat.png
    ok "  the legend ends at a distance" has_member out legend_maximum float
    works render rig:bar --size 64x48 --show difference:dqs --range 0.25 --clip bend120 --time 1 \
        --json -o heat.png
    json "  or where it is asked to end" 'd["legend_maximum"] == 0.25'
    works render rig:arm --size 64x48 --method dqs --pose "$mirror" --json -o mirror.png
    ok "  vertices between mirrored and unmirrored joints are told" grep -q '[1-9][0-9]* vertices have both mirrored' err
    json "  and counted" 'd["mixed_handedness_vertices"] > 0'
    works render rig:arm --size 64x48 --clip bend --time 1 --show normal-error \
        --normals standard,accurate --json -o normals.png
    ok "  two rules are two panels" [ "$(png_size normals.png | cut -d' ' -f1)" -eq 149 ]
    ok "  says both" [ "$(grep -c 'normals: error' err)" -eq 2 ]
    ok "  has both" [ "$(grep -c '"mean": ' out)" -eq 2 ]
    ok "  accurate normals are less than a tenth as far off" means_fall out
    json "  the legend ends at a round angle" 'd["legend_maximum"] in [*range(1, 10), *range(10, 100, 10)]'
    works rig arm -o bare.gltf
    python3 - <<-'EDIT'
	import json
	with open("bare.gltf") as file: scene = json.load(file)
	for mesh in scene["meshes"]:
	    for primitive in mesh["primitives"]: del primitive["attributes"]["NORMAL"]
	with open("bare.gltf", "w") as file: json.dump(scene, file)
	EDIT
    works render bare.gltf --size 64x48 --clip bend --time 1 --show normal-error \
        --normals standard,accurate --json -o bare.png
    ok "  normals are computed for a mesh that has none" grep -q 'no normals; this picture uses' err
    ok "  and follow the skin by the accurate rule" means_fall out
    works render rig:arm --size 64x48 --clip bend --fps 3 --show normal-error --range 45 --json \
        -o normals.webp
    json "  angles of an animation have the scale of one's choice" 'd["legend_maximum"] == 45'
    works render rig:bar --size 64x48 --method lbs,dqs,crs --normals standard,accurate,recompute \
        --clip bend120 --time 1 --json -o grid.png
    ok "  methods times rules are a grid" [ "$(grep -c '"normal_error": null' out)" -eq 1 ]
    ok "  as wide as three panels" [ "$(png_size grid.png | cut -d' ' -f1)" -eq 220 ]
    make_named dqs
    works render named.gltf --size 64x48 --clip bend --time 1 --json -o named.png
    ok "  a file may name its method" grep -q 'the file specifies dqs' err
    json "  which is in the summary" '(d["methods"], d["mesh_methods"]) == (["dqs"], None)'
    for method in dqs lbs; do
        works render named.gltf --size 64x48 --clip bend --time 1 --method $method -o $method.png
    done
    ok "  and in the picture" cmp -s named.png dqs.png
    ok "  unless --method says otherwise" differ named.png lbs.png
    works render rig:arm --size 64x48 --time 1 --method dqs --skinning gpu --json -o gpu.png
    json "  skins on the GPU" 'd["skinning"] == "gpu" and d["methods"] == ["dqs"]'
    works render rig:arm --size 64x48 --focus wrist -o hand.png
    works render rig:arm --size 64x48 -o whole.png
    ok "  a joint in focus is another picture" differ hand.png whole.png
    if make_hollow; then
        works render hollow.gltf --size 32x32 --fps 2 --json -o hollow.webp
        json "  animates the first clip that moves" 'd["clip"] == "bend"'
    fi
    fails 2 'beyond the range' render rig:arm --size 64x48 -o x.png \
        --pose '{"shoulder":{"scale":1e25},"elbow":{"scale":1e25}}'
    fails 2 'at most 1e+18 m' render rig:arm --size 64x48 -o x.png \
        --pose '{"shoulder":{"scale":1e20}}'
    works render rig:arm --size 64x48 -o far.png --pose '{"shoulder":{"scale":1e17}}'
    works render rig:bar --size 64x48 --clip bend120 --fps 8 --json -o bend.webp
    ok "  is a WebP file" [ "$(head -c 4 bend.webp)" = RIFF ]
    ok "  a second at 8 frames per second has 8" frame_count_is bend.webp 8
    json "  an animation is not exact by itself" 'd["exact"] is False'
    works render rig:bar --size 64x48 --clip bend120 --fps 8 -o again.webp
    ok "  twice gives the same bytes" cmp -s again.webp bend.webp
    works render rig:bar --size 64x48 --clip bend120 --time 0.5:1 --fps 8 --exact --json -o half.webp
    ok "  half a second has 4" frame_count_is half.webp 4
    json "  --exact is in the summary" 'd["exact"] is True'
    works render posed.glb --size 64x48 --view orbit --fps 3 -o rotate.webp
    ok "  once around a still character takes 4 s" frame_count_is rotate.webp 12
    works render rig:bar --size 64x48 --clip bend120 --fps 3 -o 'frame%02d.png'
    for number in 00 01 02; do
        ok "  frame $number is there" is_png frame$number.png 64 48
    done
    ok "  and no more" [ ! -e frame03.png ]
    fails 1 'number in its name' render rig:bar --clip bend120 --size 64x48 -o 'x%s.png'
    fails 4 'No such file' render rig:bar --size 64x48 -o missing/x.png
    fails 4 'No such file' render rig:bar --size 64x48 --clip bend120 --fps 2 -o missing/x.webp
    mkdir folder.png
    fails 4 'irectory' render rig:bar --size 64x48 -o folder.png
    [ ! -w /dev/full ] || { ln -s /dev/full full.png; fails 4 'space' render rig:bar --size 64x48 -o full.png; }
    echo precious >kept.webp
    env=''
    if env --default-signal=INT true 2>/dev/null; then
        env='env --default-signal=INT' # a shell's background jobs would ignore Ctrl-C
    fi
    $env "$pelt" render rig:bar --clip bend120 --wrap loop --time 0:50 --fps 240 -o kept.webp 2>err &
    process=$!
    sleep 0.4
    kill -INT $process 2>/dev/null || kill -TERM $process
    [ -n "$env" ] || kill -TERM $process
    code=0
    { wait $process || code=$?; } 2>/dev/null
    ok "Ctrl-C ends it" [ "$code" -gt 128 ]
    ok "  and what was there is still there" [ "$(cat kept.webp)" = precious ]
    if without_driver render rig:bar -o x.png; then
        rm x.png
        skip "exit 3 without a driver" "this EGL finds its driver in another way"
    else
        code=0
        without_driver render rig:bar -o x.png || code=$?
        ok "exit 3 without a driver" [ "$code" -eq 3 ]
        ok "  one sentence on stderr" is_one_sentence
        ok "  it says EGL" grep -q EGL err
    fi
    if [ -n "$python" ]; then
        "$python" - <<'SCRIPT'
import json
g = json.load(open("arm.gltf"))
g["images"] = [{"uri": "nowhere.png"}]
g["textures"] = [{"source": 0}]
g["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
for mesh in g["meshes"]:
    for primitive in mesh["primitives"]:
        primitive["material"] = 0
json.dump(g, open("textured.gltf", "w"))
SCRIPT
        works render textured.gltf --size 64x48 -o textured.png
        ok "  a missing texture is a note" grep -q 'without its base color texture.*nowhere.png' err
    fi
fi
ok "no failed command has left a file" [ ! -e x.png ]
ok "no temporary file is left anywhere" no_temporary

finish
