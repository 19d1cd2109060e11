#!/bin/sh
# SPDX-License-Identifier: MIT
# Facts about the pelt program, seen from outside: sh tests/cli/cli_test.sh PATH/TO/pelt
# Uses python3 to check JSON where there is one.

. "${0%/*}/cli_support.sh"

clip_has_name_and_duration()
{
    if command -v python3 >/dev/null; then
        python3 -c 'import json
for c in json.load(open("out"))["clips"]: assert isinstance(c["name"], str) and c["duration"] > 0'
    else
        grep -q '"duration": ' out
    fi
}

# Every index of every face names a line above or in its own object, and all kinds are used.
is_valid_obj()
{
    awk '
    $1 == "v" || $1 == "vn" || $1 == "vt" {
        count[$1]++
        for (i = 2; i <= NF; i++) if ($i !~ /^-?[0-9.]+(e[-+][0-9]+)?$/) exit 1
    }
    $1 == "f" {
        if (NF != 4) exit 1
        faces++
        for (i = 2; i <= 4; i++) {
            n = split($i, at, "/")
            if (at[1] < 1 || at[1] > count["v"]) exit 1
            if (n > 1 && at[2] != "" && (at[2] < 1 || at[2] > count["vt"])) exit 1
            if (n > 2 && (at[3] < 1 || at[3] > count["vn"])) exit 1
            if (at[1] > top) top = at[1]
        }
    }
    END { exit !(faces > 0 && top == count["v"]) }' "$1"
}

object_count_is()
{
    [ "$(grep -c '^o ' "$1")" -eq "$2" ]
}

# Header, then rows of 32 bytes (position, normal, UV) and 13 bytes (a triangle).
is_valid_ply()
{
    vertices=$(sed -n 's/^element vertex //p' "$1")
    faces=$(sed -n 's/^element face //p' "$1")
    header=$(sed '/^end_header$/q' "$1" | wc -c)
    size=$(wc -c <"$1")
    [ "$size" -eq $((header + 32 * vertices + 13 * faces)) ]
}

is_svg()
{
    [ "$(head -c 5 "$1")" = "<svg " ] && [ "$(tail -n 1 "$1")" = "</svg>" ] || return 1
    ! command -v xmllint >/dev/null || xmllint --noout "$1"
}

differ()
{
    ! cmp -s "$1" "$2"
}

# -------------------------------------------------------------------------------------------------
echo "# help and usage"

works
ok "  names the commands" grep -q deform out
works help
works --version
ok "  has a number" grep -q '^pelt [0-9]' out
for command in info enhance deform render convert shaders rig demo bench; do
    works help $command
    ok "  shows the options" grep -q -e '--json' out
    cp out kept
    works $command --help
    ok "  the same help" cmp -s out kept
done
fails 1 'nearest is deform' defrom
fails 1 'pelt help' xyzzy
fails 1 'pelt help' help xyzzy
fails 1 'nearest is --method' deform rig:arm --metod dqs -o x.obj
fails 1 'see pelt help' deform rig:arm --xyzzy -o x.obj
fails 1 'needs a value' deform rig:arm -o x.obj --method
fails 1 'needs a value' deform rig:arm --method --json -o x.obj
fails 1 'takes no value' info rig:arm --json=yes
fails 1 'needs INPUT' info
fails 1 'know what to do' info rig:arm rig:bar
fails 1 'before the options' --json info rig:arm

# -------------------------------------------------------------------------------------------------
echo "# info"

works info rig:arm --json
ok "  is JSON" is_json out
for member in meshes skins joints clips repairs instances; do
    ok "  has the array $member" has_member out $member list
done
ok "  has name" has_member out name
ok "  has bounds" has_member out bounds
ok "  clips have name and duration" clip_has_name_and_duration
cp out kept
works info rig:arm --json -o info.json
ok "  -o writes the same" cmp -s info.json kept
ok "  and prints nothing" [ ! -s out ]
works info rig:arm --joints
ok "  lists joints" grep -q elbow out
works info rig:arm --gpu
ok "  lists bytes by method" grep -q 'PER JOINT' out
ok "  48 for a joint under lbs" grep -Eq '^ *lbs +48 ' out
ok "  32 under dqs, 64 when it scales" grep -Eq '^ *dqs +32 +64 ' out
works info rig:arm --gpu --json
ok "  is JSON" is_json out
ok "  has the member gpu" has_member out gpu dict
works info rig:arm --json
ok "  which is there only when asked for" cmp -s out kept
fails 1 'human' info rig:nobody
fails 1 'vertices' info 'rig:arm?size=3'
fails 2 'rig:arm' info arm

# -------------------------------------------------------------------------------------------------
echo "# rig"

works rig
ok "  lists the human" grep -q rig:human out
works rig --json
ok "  is JSON" is_json out
fails 1 'give -o' rig arm
works rig arm -o rest.obj
ok "  is a valid OBJ" is_valid_obj rest.obj
works rig rig:box -o box.obj
ok "  is a valid OBJ" is_valid_obj box.obj
ok "  has two objects" object_count_is box.obj 2
works rig cuboid -o cuboid.PLY
ok "  is a valid PLY" is_valid_ply cuboid.PLY
works rig box -o box.ply
ok "  is a valid PLY" is_valid_ply box.ply

# -------------------------------------------------------------------------------------------------
echo "# deform"

works deform rig:arm -o stored.obj
ok "  without a pose gives the stored one" cmp -s stored.obj rest.obj
for method in lbs dqs mix crs lms sbs; do
    works deform rig:arm --clip bend --time 1 --method $method -o $method.obj
    ok "  is a valid OBJ" is_valid_obj $method.obj
    ok "  has moved" differ $method.obj rest.obj
    ok "  no progress outside of a terminal" [ "$(tr -d '\r\033' <err | wc -c)" -eq "$(wc -c <err)" ]
    ok "  nothing on stdout" [ ! -s out ]
done
works deform rig:arm --clip bend --time 1 --method mix --mix 0 -o mix.obj
ok "  mix 0 is lbs" cmp -s mix.obj lbs.obj
works deform rig:arm --clip bend --time 1 --method mix --mix=1 -o mix.obj
ok "  mix 1 is dqs" cmp -s mix.obj dqs.obj
works deform rig:arm --clip bend --time 1 --method dqs --threads 1 -o one.obj
ok "  one thread gives the same bits" cmp -s one.obj dqs.obj
for variant in basic optimized; do
    works deform rig:arm --clip bend --time 1 --method dqs --dqs $variant -o variant.obj
done
for variant in relative published; do
    works deform rig:arm --clip curl --time 1 --method lms --lms $variant -o $variant.obj
done
works deform rig:arm --clip curl --time 1 --method lms -o lms_default.obj
ok "  logarithms are relative by default" cmp -s lms_default.obj relative.obj
ok "  published ones are others" differ relative.obj published.obj
for rule in heaviest running first hierarchy; do
    works deform rig:arm --clip bend --time 1 --method dqs --sign-rule $rule -o rule.obj
    for degrees in 270 -90; do
        works deform rig:arm --pose '{"elbow": {"axis": [1, 0, 0], "degrees": '$degrees'}}' \
            --method dqs --sign-rule $rule -o $rule$degrees.obj
    done
done
ok "  270 degrees are -90 to most" cmp -s heaviest270.obj heaviest-90.obj
ok "  but not down the hierarchy" differ hierarchy270.obj hierarchy-90.obj
ok "  where -90 is what it is to all" cmp -s heaviest-90.obj hierarchy-90.obj
for rule in standard accurate paper recompute; do
    works deform rig:arm --clip bend --time 1 --method dqs --normals $rule -o $rule.obj
done
ok "  the standard is the default" cmp -s standard.obj dqs.obj
ok "  accurate normals are others" differ standard.obj accurate.obj
ok "  of the paper still others" differ accurate.obj paper.obj
grep '^v ' standard.obj >points
grep '^v ' recompute.obj >others
ok "  positions are the same" cmp -s points others
# A square that no skin moves, with a shape that lifts it by z = x and says nothing about normals.
floats=AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAACAPwAAgD8AAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAA
floats=${floats}AAAAAIA/AAAAAAAAAAAAAIA/AAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAIA/AAAAAAAA
floats=${floats}AAAAAIA/AAAAAAAAAAAAAAAAAAABAAIAAAACAAMA
cat >shape.gltf <<GLTF
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
 "nodes": [{"mesh": 0, "scale": [-1, 1, 1]}],
 "meshes": [{"weights": [1], "primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1},
   "targets": [{"POSITION": 2}], "indices": 3}]}],
 "accessors": [
  {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
  {"bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC3"},
  {"bufferView": 2, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 1]},
  {"bufferView": 3, "componentType": 5123, "count": 6, "type": "SCALAR"}],
 "bufferViews": [
  {"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 48},
  {"buffer": 0, "byteOffset": 96, "byteLength": 48},
  {"buffer": 0, "byteOffset": 144, "byteLength": 12}],
 "buffers": [{"byteLength": 156, "uri": "data:application/octet-stream;base64,$floats"}]}
GLTF
# Mirrored by its node, the plane is z = -x.
for rule in accurate paper recompute; do
    works deform shape.gltf --normals $rule -o shape.obj
    ok "  normals by $rule follow the shape" \
        [ "$(grep -c '^vn 0\.7071[0-9]* -*0 0\.7071[0-9]*$' shape.obj)" -eq 4 ]
done
works deform shape.gltf -o shape.obj
ok "  standard ones stay, as in glTF" [ "$(grep -c '^vn -*0 -*0 1$' shape.obj)" -eq 4 ]
scaled='{"elbow": {"scale": [1, 2, 0.5]}}'
works deform rig:arm --method dqs --pose "$scaled" -o default.obj
for convention in pelt blender maya usd ogre; do
    works deform rig:arm --method dqs --pose "$scaled" --convention $convention -o $convention.obj
done
ok "  pelt's own is the default" cmp -s default.obj pelt.obj
ok "  usd scales about another point" differ pelt.obj usd.obj
grep '^v ' usd.obj >points
grep '^v ' maya.obj >others
ok "  and so does maya" cmp -s points others
ok "  which makes its normals anew" differ maya.obj usd.obj
works deform rig:arm --method dqs --pose "$scaled" --convention maya --normals standard -o other.obj
ok "  unless told otherwise" cmp -s other.obj usd.obj
works deform rig:arm --method dqs --pose "$scaled" --convention usd --normals recompute -o other.obj
ok "  as usd can be told to" cmp -s other.obj maya.obj
works deform rig:arm --clip bend --time 1 --convention blender -o other.obj
works deform rig:arm --clip bend --time 1 --normals recompute -o anew.obj
ok "  blender makes them anew too" cmp -s other.obj anew.obj
mirror='{"elbow": {"scale": [1, -1, 1]}}'
works deform rig:arm --method dqs --pose "$mirror" --json -o mirror.obj
ok "  vertices between mirrored and unmirrored joints are told" grep -q 'mirror and joints that do not: [1-9]' err
ok "  and counted" grep -q '"mixed_vertices": [1-9]' out
works deform rig:arm --method lbs --pose "$mirror" --json -o mirror_lbs.obj
ok "  lbs has nothing to say about them" sh -c '! grep -q "joints that" err'
ok "  but counts them" grep -q '"mixed_vertices": [1-9]' out
works deform rig:arm --clip bend --time 1 --method crs --sigma 0.2 -o sigma.obj
ok "  another sigma, another mesh" differ sigma.obj crs.obj
works deform rig:arm --clip bend --time 1 --method crs --json -o summary.obj
ok "  the summary tells of the centers" has_member out cor dict
works deform rig:arm --time 1 -o first.obj
ok "  says which clip it took" grep -q 'first clip' err
ok "  which is the first" cmp -s first.obj lbs.obj
# Numbers near the ends of float.
for format in obj ply glb gltf; do
    works deform rig:arm --pose '{"elbow":{"scale":1e20}}' -o far.$format
    rm -f x.$format
    fails 2 'vertex [0-9]* of instance 0' deform rig:arm -o x.$format \
        --pose '{"shoulder":{"scale":1e25},"elbow":{"scale":1e25}}'
    ok "  and leaves nothing" [ ! -e x.$format ]
done
ok "  scale of 1e20 gives no NaN" sh -c '! grep -qi "nan\|inf" far.obj'
for rule in standard accurate paper recompute; do
    for method in lbs dqs crs; do
        works deform 'rig:arm?vertices=600' --clip bend --time 1 --method $method -o far.obj \
            --normals $rule --pose '{"shoulder":{"scale":1e20}}'
        ok "  is finite" sh -c '! grep -qi "nan\|inf" far.obj'
    done
done
fails 2 'beyond the range' deform rig:arm --pose '{"wrist":{"translate":[3e38,3e38,3e38]}}' \
    --clip bend --time 1 -o x.obj
fails 2 'beyond the range' demo rig:arm -o far-demo \
    --pose '{"shoulder":{"scale":1e25},"elbow":{"scale":1e25}}'
# Exporters write an empty take before the real clips.
works rig rig:arm -o moving.gltf
cat >hollow.py <<'end'
import json
model = json.load(open("moving.gltf"))
model["animations"].insert(0, {"name": "Take 001", "channels": [], "samplers": []})
json.dump(model, open("hollow.gltf", "w"))
end
if python3 hollow.py 2>/dev/null; then
    works deform hollow.gltf --time 1 --json -o hollow.obj
    ok "  passes over an empty take" cmp -s hollow.obj lbs.obj
    ok "  says so" grep -q 'taking bend, since clips before it move nothing' err
    ok "  and in JSON" grep -q '"clip": "bend"' out
    works info hollow.gltf
    ok "  which pelt info marks" grep -q 'bend .* yes$' out
    works info hollow.gltf --json
    ok "  once" [ "$(grep -c '"default": true' out)" -eq 1 ]
    works demo hollow.gltf -o hollow-demo
    ok "  demo has its own choice" grep -q 'taking twist' err
fi
works deform rig:arm --clip bend --time 9 -o late.obj
ok "  past the end holds the last frame" cmp -s late.obj lbs.obj
works deform rig:arm --clip bend --time 1 -o - --format obj
ok "  - is the standard output" cmp -s out lbs.obj
works deform rig:arm --clip bend --time 1 --json -o summary.obj
ok "  the summary is JSON" is_json out
ok "  has bounds" has_member out bounds
fails 1 'valid are lbs' deform rig:arm --method xyz -o x.obj
fails 1 'valid are bend' deform rig:arm --clip xyz -o x.obj
fails 1 'finite number' deform rig:arm --time nan -o x.obj
fails 1 'finite number' deform rig:arm --time inf -o x.obj
fails 1 'finite number' deform rig:arm --time 1s -o x.obj
fails 1 'from 0 to 1' deform rig:arm --method mix --mix 2 -o x.obj
fails 1 'must be' deform rig:arm --time 1e300 -o x.obj
fails 1 'whole number' deform rig:arm --threads 1.5 -o x.obj
fails 1 'give -o' deform rig:arm
fails 1 '.glb or .gltf' deform rig:arm -o x.fbx
printf '; FBX 7.5.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7500\n}\nObjects: {\nModel: 1, "Model::hip", "Null" {\n}\n}\nConnections: {\nC: "OO",1,0\n}\n' > hip.txt
ok "FBX is known by its content" "$pelt" info hip.txt
printf '; FBX 6.1.0 project file\nFBXHeaderExtension: {\nFBXVersion: 6100\n}\n' > old.fbx
fails 3 'version 6100' info old.fbx
printf 'Objects: {\nVertices: 0,1\n,2\n}\n' >> old.fbx
fails 3 'version 6100' info old.fbx
printf 'nothing to see' > none.fbx
fails 2 'no format that pelt reads' info none.fbx
fails 1 'format' deform rig:arm -o -
fails 1 'both want' deform rig:arm -o - --format ply --json
fails 1 'goes with --method mix' deform rig:arm --method dqs --mix 0.3 -o x.obj
fails 1 'goes with --method crs' deform rig:arm --cor compute -o x.obj
fails 1 'goes with --method crs' deform rig:arm --method dqs --sigma 0.2 -o x.obj
fails 1 'goes with --solver paper' deform rig:arm --method crs --omega 0.2 -o x.obj
fails 1 'valid are auto, compute' deform rig:arm --method crs --cor full -o x.obj

# -------------------------------------------------------------------------------------------------
echo "# poses"

turn='{"elbow": {"axis": [0, 0, 1], "degrees": 90}}'
works deform rig:arm --pose "$turn" -o turned.obj
ok "  moves the mesh" differ turned.obj rest.obj
echo "$turn" >turn.json
works deform rig:arm --pose @turn.json -o file.obj
ok "  from a file as well" cmp -s file.obj turned.obj
works deform rig:arm --pose \
    '{"elbow": [{"axis": [0, 0, 2], "degrees": 45}, {"axis": [0, 0, 1], "degrees": 45}]}' -o two.obj
ok "  an array applies in turn" is_valid_obj two.obj
works deform rig:arm --pose '{"elbow": {"scale": 1.5, "translate": [0, 0.1, 0], "space": "model"}}' \
    -o scaled.obj
works deform rig:arm --pose '{}' -o none.obj
ok "  no changes, no change" cmp -s none.obj rest.obj
fails 2 'line 1' deform rig:arm --pose '{"elbow": ' -o x.obj
fails 2 'object' deform rig:arm --pose '[1]' -o x.obj
fails 2 'duplicate' deform rig:arm --pose '{"elbow": {}, "elbow": {}}' -o x.obj
fails 1 'valid' deform rig:arm --pose '{"knee": {}}' -o x.obj
fails 1 'elbow' deform rig:arm --pose '{"Elbow": {}}' -o x.obj
fails 2 'no member' deform rig:arm --pose '{"elbow": {"turn": 3}}' -o x.obj
fails 2 'elbow.axis' deform rig:arm --pose '{"elbow": {"axis": [0, 0], "degrees": 3}}' -o x.obj
fails 2 'elbow.axis' deform rig:arm --pose '{"elbow": {"axis": [0, 0, 0], "degrees": 3}}' -o x.obj
fails 2 'no "degrees"' deform rig:arm --pose '{"elbow": {"axis": [0, 0, 1]}}' -o x.obj
fails 2 'elbow.degrees' deform rig:arm --pose '{"elbow": {"axis": [0, 0, 1], "degrees": "x"}}' -o x.obj
fails 2 'elbow.degrees' deform rig:arm --pose '{"elbow": {"axis": [0, 0, 1], "degrees": 1e300}}' -o x.obj
fails 2 'elbow.scale' deform rig:arm --pose '{"elbow": {"scale": 0}}' -o x.obj
fails 2 'elbow.space' deform rig:arm --pose '{"elbow": {"space": "world"}}' -o x.obj
fails 2 'elbow must be' deform rig:arm --pose '{"elbow": 3}' -o x.obj
fails 2 'cannot read' deform rig:arm --pose @missing.json -o x.obj

# -------------------------------------------------------------------------------------------------
echo "# input files"

# Vertices, clips and the like, which a file shall keep.
shape_of()
{
    "$pelt" info "$1" --json 2>/dev/null | grep -v '"input": '
}

# first COUNT FILE: the first bytes of a file.
first()
{
    dd if="$2" bs=1 count="$1" 2>/dev/null
}

works rig arm -o arm.glb
ok "  nothing on stdout" [ ! -s out ]
ok "  is a GLB file" [ "$(first 4 arm.glb)" = glTF ]
shape_of rig:arm >rig.shape
ok "  all of the rig is in it" [ -s rig.shape ]
shape_of arm.glb >file.shape
ok "  all of the rig comes back" cmp -s file.shape rig.shape
works info arm.glb
ok "  needs no repair" grep -q 'repairs: none' out
works deform arm.glb --clip bend --time 1 -o from-file.obj
ok "  deforms as the rig does" cmp -s from-file.obj lbs.obj
works rig human -o human.glb --json
ok "  the summary is JSON" is_json out
ok "  and counts clips" has_member out clips int
works convert arm.glb -o arm.gltf
ok "  says what it wrote" grep -q 'wrote arm.gltf: meshes 1,' err
ok "  is JSON" is_json arm.gltf
works convert arm.gltf -o read.glb
works convert arm.glb -o again.glb
ok "  both forms hold the same" cmp -s again.glb read.glb
mv again.glb arm.glb
works convert arm.glb -o again.glb
ok "  and what was read comes back to the last bit" cmp -s again.glb arm.glb
works convert arm.glb -o - --format glb
ok "  - is the standard output" cmp -s out arm.glb
works convert arm.glb --json -o summary.glb
ok "  the summary is JSON" is_json out
ok "  has repairs" has_member out repairs list
ok "  and what was lost" has_member out lost list
cp arm.glb self.glb
works convert self.glb -o self.glb
ok "  onto itself" cmp -s self.glb arm.glb
cp arm.glb arm.unknown
works info arm.unknown
cp arm.glb 'a name with spaces.GLB'
works info 'a name with spaces.GLB'
works deform arm.glb --clip bend --time 1 -o posed.glb
ok "  a GLB of the deformed mesh" [ "$(first 4 posed.glb)" = glTF ]
works deform posed.glb -o posed.obj
ok "  holds the same positions" sh -c 'grep "^v " lbs.obj >a; grep "^v " posed.obj | cmp -s - a'
works info posed.glb
ok "  and no skin" grep -q 'skins: 0' out
works demo arm.glb --clip bend -o file-demo
ok "  writes dqs.obj" is_valid_obj file-demo/dqs.obj

: >empty.glb
: >empty
mkdir folder.glb
first 9 arm.glb >head.glb
first 300 arm.glb >json.glb
first 20000 arm.glb >cut.glb
printf 'no character at all, in words\n' >garbage.glb
printf 'no character at all, in words\n' >garbage.xyz
dd if=/dev/urandom of=noise.glb bs=1000 count=1 2>/dev/null
printf '{"asset": {"version": "2.0"}, "nodes": [{"mesh": 7}]}' >wrong.gltf
printf '{"asset": {"version": "2.0"}, "nodes": ' >half.gltf
printf '{"asset": {"version": "1.0"}}' >old.gltf
printf '{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4, "uri": "../../etc/passwd"}],
"bufferViews": [{"buffer": 0, "byteLength": 4}],
"accessors": [{"bufferView": 0, "componentType": 5126, "type": "SCALAR", "count": 1}],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]}' >outside.gltf
for file in missing.glb empty.glb empty folder.glb head.glb json.glb cut.glb garbage.glb noise.glb \
    wrong.gltf half.gltf old.gltf outside.gltf garbage.xyz; do
    run info "$file"
    if grep -q 'this build' err; then
        fails 3 "$file" info "$file"
        continue
    fi
    fails 2 "$file" info "$file"
    fails 2 "$file" deform "$file" -o x.obj
    fails 2 "$file" convert "$file" -o x.glb
done
fails 2 'No such file' info missing.glb
fails 2 'folder' info folder.glb
fails 2 'empty' info empty.glb
ok "no failed command has left a file" [ ! -e x.obj ]
ok "  of either kind" [ ! -e x.glb ]
fails 1 'give -o' convert arm.glb
fails 1 'no skeleton' convert arm.glb -o x.obj
fails 1 '.glb or .gltf' convert arm.glb -o x.fbx
fails 1 '.glb or .gltf' convert arm.glb -o x
fails 1 'both want' convert arm.glb -o - --format glb --json
fails 1 'needs INPUT' convert -o x.glb
fails 4 'No such file' convert arm.glb -o missing/x.glb
fails 4 'No such file' rig arm -o missing/x.glb

# -------------------------------------------------------------------------------------------------
echo "# enhance"

# positions INPUT ARGUMENTS...: the vertices of a pose under crs.
positions()
{
    "$pelt" deform "$@" --method crs -o - --format obj 2>/dev/null | grep '^v '
}

same_size()
{
    [ "$(wc -c <"$1")" -eq "$(wc -c <"$2")" ]
}

cor_counts_add_up()
{
    if command -v python3 >/dev/null; then
        python3 -c 'import json
cor = json.load(open("out"))["cor"]
assert cor["solver"] == "fast" and cor["sigma"] == 0.1 and cor["epsilon"] == 0.1
assert cor["seconds"] > 0 and cor["peak_bytes"] > 0 and cor["samples"] > cor["triangles"]
assert cor["computed"] > 0 and cor["few_influences"] > 0 and cor["dissimilar"] == 0
assert cor["computed"] + cor["few_influences"] == cor["vertices"]
assert sum(cor["influences"].values()) == cor["vertices"]
assert cor["influences"]["0"] + cor["influences"]["1"] == cor["few_influences"]'
    else
        grep -q '"computed": ' out
    fi
}

works rig 'human?vertices=2000' -o plain.glb
works enhance plain.glb --cor -o better.glb
ok "  nothing on stdout" [ ! -s out ]
ok "  says what it wrote" grep -q 'wrote better.glb: centers of rotation for 1 of 1 meshes' err
ok "  says how many have how many influences" grep -q 'influences: none 0, one [1-9]' err
ok "  says how many were computed, and by whom" grep -q 'computed [0-9]* centers in .* ms with solver fast' err
ok "  says who keeps its position, and why" grep -q ' 0 that no triangle resembles' err
ok "  says what it took" grep -q '[0-9]* samples after halving, at most [0-9.]* MB' err
ok "  no progress outside of a terminal" [ "$(tr -d '\r\033' <err | wc -c)" -eq "$(wc -c <err)" ]
works info better.glb
ok "  the file has centers" grep -q ' cors ' out
positions plain.glb --clip walk --time 0.4 >own
positions better.glb --clip walk --time 0.4 >kept
ok "  which are those that deform computes" cmp -s kept own
ok "  and there are some" [ -s own ]
works deform better.glb --method crs --json -o x.ply
ok "  deform computes none for it" grep -q '"cor": null' out
works enhance plain.glb --cor --threads 1 -o one.glb
ok "  one thread gives the same bits" cmp -s one.glb better.glb
works enhance better.glb --cor -o again.glb
ok "  twice is as good as once" cmp -s again.glb better.glb
works enhance better.glb --cor --sigma 0.5 -o wide.glb
ok "  centers of the file are replaced" differ wide.glb better.glb
positions wide.glb --clip walk --time 0.4 >kept
ok "  by others" differ kept own
positions plain.glb --clip walk --time 0.4 --sigma 0.5 >kept
positions wide.glb --clip walk --time 0.4 | cmp -s - kept
ok "  those of deform with that sigma" [ $? -eq 0 ]
positions wide.glb --clip walk --time 0.4 --cor compute >kept
ok "  --cor compute does not look at them" cmp -s kept own
positions wide.glb --clip walk --time 0.4 --cor auto --sigma 0.1 >kept
ok "  --cor auto does" differ kept own
works enhance wide.glb --cor -o wide.glb
ok "  onto itself, and back to the bit" cmp -s wide.glb better.glb
for solver in fast full paper; do
    works enhance plain.glb --cor --solver $solver -o solver.glb
    ok "  says so" grep -q "solver $solver" err
done
works enhance plain.glb --cor --solver paper --omega 0.2 --cutoff 1e-4 --json -o solver.glb
ok "  the summary has omega" grep -q '"omega": 0.2' out
works enhance plain.glb --cor --epsilon off --json -o whole.glb
ok "  epsilon is null then" grep -q '"epsilon": null' out
ok "  whole triangles give other centers" differ whole.glb better.glb
works enhance plain.glb --cor -o better.gltf
ok "  is JSON" is_json better.gltf
ok "  and says what they belong to" grep -q '"pelt_cor"' better.gltf
positions better.gltf --clip walk --time 0.4 >kept
ok "  the same centers" cmp -s kept own
works enhance better.gltf --cor -o again.gltf
ok "  twice is as good as once" cmp -s again.gltf better.gltf
works enhance plain.glb --cor -o -
ok "  - is the standard output" cmp -s out better.glb
works enhance 'rig:human?vertices=2000' --cor -o rigged.glb
ok "  a rig becomes a file" grep -q 'the whole character as glTF' err
positions rigged.glb --clip walk --time 0.4 >kept
ok "  with the same centers" cmp -s kept own
cp plain.glb plain.unknown
works enhance plain.unknown --cor -o known.glb
ok "  a file is known by its content" cmp -s known.glb better.glb
works enhance plain.glb --cor --json -o summary.glb
ok "  the summary is JSON" is_json out
ok "  its numbers add up" cor_counts_add_up
ok "  the file is the same" cmp -s summary.glb better.glb

# Two halves of a mesh on one skin have the centers of the whole: they are solved together. On two
# skins they are two problems.
works convert rig:bar -o bar.gltf
if command -v python3 >/dev/null; then
    python3 - <<'SCRIPT'
import copy, json
g = json.load(open("bar.gltf"))
[mesh] = g["meshes"]
[whole] = mesh["primitives"]
other = copy.deepcopy(whole)
indices = g["accessors"][whole["indices"]]
rest = copy.deepcopy(indices)
size = {5121: 1, 5123: 2, 5125: 4}[indices["componentType"]]
half = indices["count"] // 6 * 3
indices["count"] = half
rest["count"] -= half
rest["byteOffset"] = indices.get("byteOffset", 0) + half * size
other["indices"] = len(g["accessors"])
g["accessors"].append(rest)
mesh["primitives"].append(other)
json.dump(g, open("halves.gltf", "w"))
mesh["primitives"].pop()
[node] = [n for n in g["nodes"] if "skin" in n]
g["meshes"].append({"primitives": [other]})
g["skins"].append(copy.deepcopy(g["skins"][node["skin"]]))
g["nodes"].append({"mesh": 1, "skin": len(g["skins"]) - 1})
g["scenes"][0]["nodes"].append(len(g["nodes"]) - 1)
json.dump(g, open("skins.gltf", "w"))
SCRIPT
    works enhance halves.gltf --cor --solver full --json -o halves.glb
    ok "  one problem" grep -q '"problems": 1' out
    ok "  of two meshes" grep -q '"meshes": 2' out
    positions bar.gltf --time 1 --solver full >kept
    cat kept kept >twice
    positions halves.glb --time 1 >kept
    ok "  halves have the centers of the whole" cmp -s kept twice
    positions halves.gltf --time 1 --solver full >kept
    ok "  also when deform computes them" cmp -s kept twice
    works enhance skins.gltf --cor --solver full --json -o skins.glb
    ok "  two skins, two problems" grep -q '"problems": 2' out
fi

fails 1 'valid are --cor' enhance plain.glb -o x.glb
fails 1 'valid are --cor' enhance plain.glb --sigma 0.2 -o x.glb
fails 1 'give -o' enhance plain.glb --cor
fails 1 'needs INPUT' enhance --cor -o x.glb
fails 1 '.glb or .gltf' enhance plain.glb --cor -o x.obj
fails 1 '.glb or .gltf' enhance plain.glb --cor -o x
fails 1 'both want' enhance plain.glb --cor -o - --json
fails 1 'takes no value' enhance plain.glb --cor=auto -o x.glb
fails 1 'valid are fast, full, paper' enhance plain.glb --cor --solver xyz -o x.glb
fails 1 'from 0.001' enhance plain.glb --cor --sigma 0 -o x.glb
fails 1 'from 0.001' enhance plain.glb --cor --epsilon -1 -o x.glb
fails 1 'number or off' enhance plain.glb --cor --epsilon on -o x.glb
fails 1 'goes with --solver paper' enhance plain.glb --cor --omega 0.2 -o x.glb
fails 1 'goes with --solver paper' enhance plain.glb --cor --solver full --cutoff 1e-3 -o x.glb
fails 2 'no skinned mesh' enhance posed.glb --cor -o x.glb
for file in missing.glb empty.glb folder.glb cut.glb garbage.glb wrong.gltf; do
    fails 2 "$file" enhance $file --cor -o x.glb
done
fails 4 'No such file' enhance plain.glb --cor -o missing/x.glb
fails 4 'irectory' enhance plain.glb --cor -o folder.glb
if [ -w /dev/full ]; then
    ln -s /dev/full full.glb
    fails 4 'space' enhance plain.glb --cor -o full.glb
    fails 4 'space' enhance rig:arm --cor -o full.glb
fi
ok "no failed command has left a file" [ ! -e x.glb ]
cp plain.glb precious.glb
code=0
(ulimit -f 16 && exec "$pelt" enhance precious.glb --cor -o precious.glb) 2>err || code=$?
ok "exit 4 when a file cannot grow" [ "$code" -eq 4 ]
ok "  says so" grep -q 'cannot write precious.glb' err
ok "  and the input is still there" cmp -s precious.glb plain.glb
mkdir shut && chmod a-w shut
if [ ! -w shut ]; then
    fails 4 'denied' enhance plain.glb --cor -o shut/x.glb
fi

# -------------------------------------------------------------------------------------------------
echo "# enhance --normals"

# shaded INPUT ARGUMENTS...: vertices and normals of a pose under crs.
shaded()
{
    "$pelt" deform "$@" --method crs --clip walk --time 0.4 -o - --format obj 2>/dev/null |
        grep '^vn* '
}

normal_counts_add_up()
{
    if command -v python3 >/dev/null; then
        python3 -c 'import json
normals = json.load(open("out"))["normals"]
assert normals["joints"] == 3 and normals["centers"] is True and normals["meshes"] == 1
assert 0 < normals["varying"] < normals["vertices"] and normals["without_normals"] == 0
assert normals["seconds"] > 0'
    else
        grep -q '"varying": ' out
    fi
}

works enhance plain.glb --cor --normals -o shaded.glb
ok "  nothing on stdout" [ ! -s out ]
ok "  says what it wrote" grep -q '1 of 1 meshes; normal factors for 1 of 1 meshes' err
ok "  says for how many vertices, and methods" \
    grep -q 'up to 4 joints in .* of .* vertices, .* for lbs, dqs, mix and crs$' err
works info shaded.glb
ok "  the file has factors" grep -q ' cors normal-factors ' out
ok "  and needed no repairs" grep -q 'repairs: none' out
works info shaded.glb --json
ok "  also in JSON" grep -q '"normal_factors"' out
works enhance plain.glb --cor --normals --normal-joints 8 -o eight.glb
shaded better.glb --normals accurate >own
shaded eight.glb --normals accurate >kept
ok "  with enough joints normals are those that deform finds" cmp -s kept own
ok "  and there are some" grep -q '^vn ' own
works enhance plain.glb --cor --normals --normal-joints 2 -o two.glb
shaded two.glb --normals accurate >kept
ok "  two joints give others, so the file's count" differ kept own
shaded two.glb --normals accurate --cor compute >kept
ok "  but not where its centers do not" cmp -s kept own
shaded two.glb >kept
shaded better.glb >own
ok "  without --normals they do nothing" cmp -s kept own
works convert two.glb -o converted.glb
shaded two.glb --normals accurate >own
shaded converted.glb --normals accurate >kept
ok "  convert keeps them" cmp -s kept own
works enhance better.glb --normals -o again.glb
ok "  in two runs as in one" cmp -s again.glb shaded.glb
works enhance shaded.glb --cor --normals -o again.glb
ok "  twice is as good as once" cmp -s again.glb shaded.glb
works enhance plain.glb --normals -o alone.glb
ok "  without centers they are not for crs" grep -q 'crs needs --cor' err
works enhance shaded.glb --cor --sigma 0.5 -o stale.glb
ok "  factors do not outlive their centers" grep -q 'dropped the normal factors of 1 mesh,' err
works info stale.glb
ok "  which are gone" grep -q ' cors  ' out
works enhance shaded.glb --cor --normals --normal-joints 3 --json -o three.glb
ok "  the summary is JSON" is_json out
ok "  its numbers add up" normal_counts_add_up
works enhance plain.glb --cor --normals -o shaded.gltf
ok "  says how they came about" grep -q '"pelt_normals"' shaded.gltf
works enhance shaded.gltf --cor -o stale.gltf
ok "  and no longer, when they are gone" [ "$(grep -c 'pelt_normals\|_PELT_NORMAL' stale.gltf)" -eq 0 ]
# crowd VERTICES INSTANCES: a mesh of zeros, which take no room in the file, put into the scene many times.
crowd()
{
    awk -v vertices="$1" -v count="$2" 'BEGIN {
        for (i = 0; i < count; ++i) { nodes = nodes (i ? "," : "") "{\"mesh\":0}"; roots = roots (i ? "," : "") i }
        printf "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[%s]}],\"nodes\":[%s],", roots, nodes
        printf "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
        printf "\"accessors\":[{\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"},", vertices
        print "{\"componentType\":5125,\"count\":3,\"type\":\"SCALAR\"}]}" }'
}
crowd 400000 40 >crowd.gltf
works deform crowd.gltf --format ply -o /dev/null
ok "  a crowd is told before the work" grep -q '40 instances of meshes with 400000 vertices.*16000000' err
crowd 1000 100 >crowd.gltf
works deform crowd.gltf --format ply -o /dev/null
ok "  a small one is not" [ "$(grep -c 'instances of meshes' err)" -eq 0 ]
crowd 1000000 5000 >crowd.gltf
fails 2 '5000 instances have 5000000000 vertices' deform crowd.gltf -o x.ply
# A file whose meshes another tool has changed: other digests stand for other positions.
sed 's/"digest": *"[0-9a-f]*"/"digest": "0123456789abcdef"/g' shaded.gltf >changed.gltf
works info changed.gltf
ok "  data that do not fit are left out" [ "$(grep -c 'left out' out)" -eq 2 ]
works deform changed.gltf --method crs --normals accurate --clip walk --time 0.4 -o changed.ply
ok "  and computed anew, with a word" [ "$(grep -c 'computed anew' err)" -eq 2 ]
works deform shaded.gltf --method crs --normals accurate --cor compute --clip walk --time 0.4 -o fresh.ply
ok "  as if there were none" cmp -s changed.ply fresh.ply
works deform changed.gltf -o changed.ply
ok "  which lbs does not need" [ "$(grep -c 'computed anew' err)" -eq 0 ]
works enhance changed.gltf --normals -o renewed.gltf
ok "  enhance brings back both" cmp -s renewed.gltf shaded.gltf
works enhance changed.gltf --cor -o renewed.gltf
ok "  or says what is missing" grep -q 'dropped the normal factors of 1 mesh,' err
works enhance shaded.glb --twist forearm_l -o twisted.glb
ok "  factors do not outlive their weights" grep -q 'dropped the normal factors of 1 mesh,' err
works enhance shaded.glb --twist forearm_l --cor --normals --json -o twisted.glb
ok "  unless all is asked for" grep -q '"dropped_factors": 1' out
works info twisted.glb
ok "  in the order that they need" grep -q ' cors normal-factors ' out
ok "  and right" grep -q 'repairs: none' out
works enhance rig:cloth --normals --normal-joints 8 -o cloth.glb
ok "  a rig becomes a file" grep -q 'the whole character as glTF: normal factors' err
for bits in 16 8; do
    works enhance plain.glb --cor --normals --normal-bits $bits -o bits$bits.glb
    ok "  says what $bits bits cost" grep -q "pelt: $bits bits turn these normals by [0-9.e-]* degrees" err
    works enhance plain.glb --cor --normals --normal-bits $bits --json -o bits$bits.glb
    ok "  in JSON too" grep -q '"rounding_degrees": {' out
    works info bits$bits.glb
    ok "  and they read back" grep -q ' cors normal-factors ' out
    works convert bits$bits.glb -o again.glb
    works info again.glb
    ok "  after a conversion as well" grep -q ' cors normal-factors ' out
done
ok "  fewer bits, smaller files" [ "$(wc -c <bits8.glb)" -lt "$(wc -c <bits16.glb)" ]
ok "  smaller than floats" [ "$(wc -c <bits16.glb)" -lt "$(wc -c <shaded.glb)" ]
works enhance bits8.glb --cor --normals --normal-bits 8 -o again.glb
ok "  twice is as good as once" cmp -s again.glb bits8.glb
fails 1 'valid are 32, 16, 8' enhance plain.glb --normals --normal-bits 12 -o x.glb
fails 1 'no effect without --normals' enhance plain.glb --cor --normal-bits 8 -o x.glb
fails 1 'valid are 2, 3, 4, 8' enhance plain.glb --normals --normal-joints 5 -o x.glb
fails 1 'no effect without --normals' enhance plain.glb --cor --normal-joints 2 -o x.glb
fails 1 'takes no value' enhance plain.glb --normals=4 -o x.glb
fails 2 'no skinned mesh with normals' enhance posed.glb --normals -o x.glb
ok "no failed command has left a file" [ ! -e x.glb ]

# -------------------------------------------------------------------------------------------------
echo "# enhance --twist"

# linear INPUT ARGUMENTS...: the vertices of a pose under lbs.
linear()
{
    "$pelt" deform "$@" --method lbs -o - --format obj 2>/dev/null | grep '^v '
}

# near A B LIMIT: no two numbers of the files are farther apart.
near()
{
    paste "$1" "$2" | awk -v limit="$3" '
        { n = NF / 2; for (i = 2; i <= n; i++) { d = $i - $(i + n); if (d < 0) d = -d;
          if (d > worst) worst = d } }
        END { exit NR > 0 && worst <= limit ? 0 : 1 }'
}

twist_counts_add_up()
{
    if command -v python3 >/dev/null; then
        python3 -c 'import json
report = json.load(open("out"))
twist = report["twist"]
assert report["cor"] is None
assert [b["joint"] for b in twist["bones"]] == ["forearm_l", "upper_arm_r"]
assert [b["child"] for b in twist["bones"]] == ["hand_l", "forearm_r"]
assert [b["source"] for b in twist["bones"]] == ["child", "own"]
assert [b["count"] for b in twist["bones"]] == [4, 3] and twist["joints"] == 7
assert abs(twist["bones"][0]["child_degrees"] - 75) < 0.5
assert twist["tracks"] > 0 and twist["split_vertices"] > 0 and twist["pruned"] == 0
assert twist["max_influences"] <= 6'
    else
        grep -q '"twist": {' out
    fi
}

works enhance plain.glb --twist forearm_l -o twisted.glb
ok "  nothing on stdout" [ ! -s out ]
ok "  says what it wrote" grep -q 'wrote twisted.glb, the whole .*: 3 twist joints on 1 bone ' err
ok "  says which twist" grep -q 'from forearm_l to hand_l, .* of forearm_l, up to 80 degrees' err
ok "  lost nothing, and says nothing of it" [ "$(grep -c 'not carried over' err)" -eq 0 ]
ok "  says how many influences" grep -q 'at most [3-5] influences on one' err
works info twisted.glb --joints
ok "  the joints are there" grep -q 'forearm_l_twist3 *forearm_l' out
linear plain.glb >before
linear twisted.glb >after
ok "  bind pose in, bind pose out" near before after 2e-6
linear plain.glb --clip twist --time 0.75 >before
linear twisted.glb --clip twist --time 0.75 >after
ok "  a clip with twist does not" differ before after
works convert twisted.glb -o again.glb
linear again.glb --clip twist --time 0.75 >kept
ok "  written again, it is the same" cmp -s kept after
works enhance rig:bar --twist root -o twisted.glb
linear rig:bar --clip bend120 --time 1 >before
linear twisted.glb --clip bend120 --time 1 >after
ok "  a clip without twist deforms as before" near before after 2e-6
works enhance plain.glb --twist forearm_l -o twisted.glb
works enhance plain.glb --twist forearm_l:4:child,upper_arm_r:own --json -o x2.glb
ok "  the summary is JSON" is_json out
ok "  its numbers add up" twist_counts_add_up
works enhance plain.glb --twist auto -o auto.glb
ok "  auto finds arms and thighs" grep -q '18 twist joints on 6 bones' err
works enhance 'rig:human?vertices=2000' --twist auto -o rigged.glb
ok "  a rig gives the same file" cmp -s rigged.glb auto.glb
works enhance plain.glb --twist auto:2 --max-influences 2 -o few.glb
ok "  auto takes a count" grep -q '12 twist joints on 6 bones' err
ok "  weak influences are dropped" grep -q 'at most 2 influences on one, weaker ones dropped' err
works enhance plain.glb --twist auto --cor -o both.glb
ok "  both in one" grep -q '18 twist joints .*; centers of rotation for 1 of 1 meshes' err
works enhance auto.glb --cor -o later.glb
positions both.glb --clip twist --time 0.75 >kept
positions later.glb --clip twist --time 0.75 >own
ok "  centers are those of the new weights" cmp -s kept own
works enhance better.glb --twist forearm_l -o x2.glb
ok "  says that old centers are gone" grep -q 'dropped the centers of rotation of 1 mesh, .*--cor' err
works info x2.glb
ok "  and they are" [ "$(grep -c ' cors ' out)" -eq 0 ]
works enhance plain.glb --twist auto -o -
ok "  - is the standard output" cmp -s out auto.glb
works enhance rig:cloth --twist auto --cor -o cloth.glb
ok "  auto that finds nothing leaves the rest to do" grep -q 'auto adds no twist joints' err
fails 2 'auto adds no twist joints' enhance rig:cloth --twist auto -o x.glb
fails 1 'nearest is forearm_l' enhance plain.glb --twist forarm_l -o x.glb
fails 1 'info --joints' enhance plain.glb --twist zzzzzz -o x.glb
fails 1 'has no child joint' enhance plain.glb --twist jaw -o x.glb
fails 1 'several bones alike' enhance plain.glb --twist hand_l -o x.glb
fails 1 'named twice' enhance plain.glb --twist forearm_l,forearm_l:2 -o x.glb
fails 1 'spread twice' enhance plain.glb --twist upper_arm_l:child,forearm_l:own -o x.glb
fails 1 'twist joints already' enhance twisted.glb --twist forearm_l -o x.glb
fails 1 'from 1 to 16' enhance plain.glb --twist forearm_l:17 -o x.glb
fails 1 'from 2 to 16' enhance plain.glb --twist forearm_l:1:both -o x.glb
fails 1 '"0" after forearm_l' enhance plain.glb --twist forearm_l:0 -o x.glb
fails 1 '"3:up" after forearm_l' enhance plain.glb --twist forearm_l:3:up -o x.glb
fails 1 '"all" after auto' enhance plain.glb --twist auto:all -o x.glb
fails 1 'comma' enhance plain.glb --twist forearm_l, -o x.glb
fails 1 'needs a value' enhance plain.glb --twist --cor -o x.glb
fails 1 'without --twist' enhance plain.glb --cor --max-influences 4 -o x.glb
fails 1 'without --cor' enhance plain.glb --twist auto --sigma 0.2 -o x.glb
fails 4 'No such file' enhance plain.glb --twist auto -o missing/x.glb
ok "no failed command has left a file" [ ! -e x.glb ]

# A terminal, where there is one to be had: script(1) copies what a program shows on it to a file.
# The full sum over a large mesh is slow on any machine.
if script -qec true shown </dev/null >/dev/null 2>&1; then
    works rig 'bar?vertices=100000' -o large.glb
    cp large.glb kept.glb
    : >shown
    cat >slow <<'SCRIPT'
echo $$ >process
exec "$pelt" enhance large.glb --cor --solver full --threads 1 -o large.glb
SCRIPT
    export pelt
    script -qefc 'sh ./slow' shown </dev/null >/dev/null 2>&1 &
    terminal=$!
    while kill -0 $terminal 2>/dev/null && ! grep -q ' %' shown; do :; done
    kill -TERM "$(cat process)"
    code=0
    { wait $terminal || code=$?; } 2>/dev/null
    ok "long work shows how far it is on a terminal" grep -q 'centers of rotation  *[0-9]* %' shown
    ok "  killed half-way, it says how it died" [ "$code" -eq 143 ]
    ok "  and the file is as it was" cmp -s large.glb kept.glb
fi
ok "no temporary file is left anywhere" no_temporary

# -------------------------------------------------------------------------------------------------
echo "# render"

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

# Without a driver: where EGL asks vendors' files, there are none.
without_driver()
{
    __EGL_VENDOR_LIBRARY_DIRS=$folder/nowhere "$pelt" "$@" >out 2>err </dev/null
}

fails 1 'give -o' render rig:bar
fails 1 '.png or .webp' render rig:bar -o x.jpg
fails 1 '.png or .webp' render rig:bar -o -
fails 1 'valid are lbs' render rig:bar --method xyz -o x.png
fails 1 'valid are lbs' render rig:bar --method lbs,,dqs -o x.png
fails 1 'twice' render rig:bar --method lbs,dqs,lbs -o x.png
fails 1 'goes with --method crs' render rig:bar --method lbs,dqs --sigma 0.2 -o x.png
fails 1 'valid are three-quarter' render rig:bar --view top -o x.png
fails 1 'for an animation' render rig:bar --view orbit -o x.png
fails 1 'for an animation' render rig:bar --fps 10 -o x.png
fails 1 'for an animation' render rig:bar --time 0:1 -o x.png
fails 1 'one moment' render rig:bar --time 1 -o x.webp
fails 1 'A before B' render rig:bar --time 1:0 -o x.webp
fails 1 'finite number' render rig:bar --time 1: -o x.webp
fails 1 'from 1 to 240' render rig:bar --fps 0 -o x.webp
fails 1 '20000 are possible' render rig:bar --clip bend90 --time 0:0.9 --fps 240 --wrap loop \
    --time 0:100 -o x.webp
fails 1 'nearest is bones' render rig:bar --show bnoes -o x.png
fails 1 'nearest is weights' render rig:bar --show weigths:joint -o x.png
fails 1 'valid are ground' render rig:bar --show xyzzy -o x.png
fails 1 'weights:JOINT' render rig:bar --show weights -o x.png
fails 1 'valid are lbs' render rig:bar --show difference:xyz -o x.png
fails 1 'one thing only' render rig:bar --show weights:joint,difference:lbs -o x.png
fails 1 'nearest is joint' render rig:bar --show weights:jiont -o x.png
fails 1 'root, joint' render rig:bar --show weights:xyzzy12 -o x.png
fails 1 'valid are twist90' render rig:bar --clip xyzzy -o x.png
fails 1 'nearest is normal-error' render rig:bar --show normal-eror -o x.png
fails 1 'one thing only' render rig:bar --show normal-error,difference:lbs -o x.png
fails 1 'give other rules' render rig:bar --show normal-error --normals standard,recompute -o x.png
fails 1 'give other rules' render rig:bar --show normal-error --convention maya -o x.png
fails 1 'valid are standard' render rig:bar --normals standard,xyz -o x.png
fails 1 'twice' render rig:bar --normals paper,accurate,paper -o x.png
fails 1 'one rule only' render rig:bar --method lbs,lms --normals standard,accurate -o x.png
fails 1 'valid are standard' deform rig:bar --normals standard,accurate -o x.obj
fails 1 '--range goes with' render rig:bar --range 10 -o x.png
fails 1 '--range goes with' render rig:bar --show weights:joint --range 1 -o x.png
fails 1 '180 degrees at most' render rig:bar --show normal-error --range 200 -o x.png
fails 1 'from 1e-06' render rig:bar --show normal-error --range 0 -o x.png
fails 1 'nearest is joint' render rig:bar --focus jiont -o x.png
works deform rig:arm -o rigid.glb
fails 2 'skinned mesh with normals' render rigid.glb --show normal-error -o x.png
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
    echo "skipped: $(cat err)"
    ok "without OpenGL there is one sentence" is_one_sentence
    ok "  and no file" [ ! -e first.png ]
else
    ok "exit 0: a picture" [ "$code" -eq 0 ]
    ok "  nothing on stdout" [ ! -s out ]
    ok "  is whole, and as large as asked for" is_png first.png 64 48
    works render rig:bar -o default.png
    ok "  has its own size otherwise" is_png default.png 960 720
    works render rig:bar --size 64x48 -o again.png
    ok "  twice gives the same bytes" cmp -s again.png first.png
    works render rig:bar --size 64x48 --threads 1 -o again.png
    ok "  one thread as well" cmp -s again.png first.png
    works render rig:bar --size 64x48 --clip bend120 --time 1 -o bent.png
    ok "  another pose is another picture" differ bent.png first.png
    works render rig:bar --size 64x48 \
        --pose '{"joint": {"axis": [0, 0, 1], "degrees": 120}}' -o turned.png
    ok "  as an override makes it" cmp -s turned.png bent.png
    for view in front side back; do
        works render rig:bar --size 64x48 --view $view -o view.png
        ok "  another view is another picture" differ view.png first.png
    done
    for show in none ground,wire bones,ground ground,cors ground,boxes ground,facets \
        weights:joint,ground; do
        works render rig:bar --size 96x96 --show $show --time 1 -o show.png
    done
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
    ok "  or where it is asked to end" grep -q '"legend_maximum": 0.25,' out
    works render rig:arm --size 64x48 --method dqs --pose "$mirror" --json -o mirror.png
    ok "  vertices between mirrored and unmirrored joints are told" grep -q 'mirror and joints that do not: [1-9]' err
    ok "  and counted" grep -q '"mixed_vertices": [1-9]' out
    works render rig:arm --size 64x48 --clip bend --time 1 --show normal-error \
        --normals standard,accurate --json -o normals.png
    ok "  two rules are two panels" [ "$(png_size normals.png | cut -d' ' -f1)" -eq 149 ]
    ok "  says both" grep -q 'lbs, accurate normals: off by 0' err
    ok "  has both" [ "$(grep -c '"mean": ' out)" -eq 2 ]
    ok "  accurate normals are less than a tenth as far off" means_fall out
    ok "  the legend ends at a round angle" grep -Eq '"legend_maximum": [1-9]0?\.0,' out
    works render rig:arm --size 64x48 --clip bend --fps 3 --show normal-error --range 45 --json \
        -o normals.webp
    ok "  angles of a film have the scale of one's choice" grep -q '"legend_maximum": 45.0,' out
    works render rig:bar --size 64x48 --method lbs,dqs,crs --normals standard,accurate,recompute \
        --clip bend120 --time 1 --json -o grid.png
    ok "  methods times rules are a grid" [ "$(grep -c '"normal_error": null' out)" -eq 1 ]
    ok "  as wide as three panels" [ "$(png_size grid.png | cut -d' ' -f1)" -eq 220 ]
    works render rig:human --size 64x48 --focus hand_l -o hand.png
    works render rig:human --size 64x48 -o whole.png
    ok "  a joint in focus is another picture" differ hand.png whole.png
    if [ -e hollow.gltf ]; then
        works render hollow.gltf --size 32x32 --fps 2 --json -o hollow.webp
        ok "  animates the first clip that moves" grep -q '"clip": "bend"' out
    fi
    fails 2 'beyond the range' render rig:arm --size 64x48 -o x.png \
        --pose '{"shoulder":{"scale":1e25},"elbow":{"scale":1e25}}'
    fails 2 'no more than 1e+18 m' render rig:arm --size 64x48 -o x.png \
        --pose '{"shoulder":{"scale":1e20}}'
    works render rig:arm --size 64x48 -o far.png --pose '{"shoulder":{"scale":1e17}}'
    works render rig:bar --size 64x48 --clip bend120 --fps 8 -o bend.webp
    ok "  is a WebP file" [ "$(head -c 4 bend.webp)" = RIFF ]
    ok "  a second at 8 frames per second has 8" frame_count_is bend.webp 8
    works render rig:bar --size 64x48 --clip bend120 --fps 8 -o again.webp
    ok "  twice gives the same bytes" cmp -s again.webp bend.webp
    works render rig:bar --size 64x48 --clip bend120 --time 0.5:1 --fps 8 -o half.webp
    ok "  half a second has 4" frame_count_is half.webp 4
    works render posed.glb --size 64x48 --view orbit --fps 3 -o turn.webp
    ok "  once around a still character takes 4 s" frame_count_is turn.webp 12
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
    [ ! -w /dev/full ] || { ln -s /dev/full full.png; fails 4 'space' render rig:bar -o full.png; }
    echo precious >kept.webp
    env=''
    if env --default-signal=INT true 2>/dev/null; then
        env='env --default-signal=INT' # a shell's background jobs would ignore Ctrl-C
    fi
    $env "$pelt" render rig:human --clip walk --fps 240 -o kept.webp 2>err &
    process=$!
    sleep 1
    kill -INT $process 2>/dev/null || kill -TERM $process
    [ -n "$env" ] || kill -TERM $process
    code=0
    { wait $process || code=$?; } 2>/dev/null
    ok "Ctrl-C ends it" [ "$code" -gt 128 ]
    ok "  and what was there is still there" [ "$(cat kept.webp)" = precious ]
    if without_driver render rig:bar -o x.png; then
        rm x.png # this EGL finds its driver in another way
    else
        code=0
        without_driver render rig:bar -o x.png || code=$?
        ok "exit 3 without a driver" [ "$code" -eq 3 ]
        ok "  one sentence on stderr" is_one_sentence
        ok "  it says EGL" grep -q EGL err
        code=0
        without_driver demo rig:box -o dark || code=$?
        ok "demo goes on without a driver" [ "$code" -eq 0 ]
        ok "  and says so in one line" [ "$(grep -c OpenGL err)" -eq 1 ]
        ok "  with all meshes" is_valid_obj dark/crs.obj
        ok "  and no picture" [ ! -e dark/bar.png ]
    fi
    if command -v python3 >/dev/null; then
        python3 - <<'SCRIPT'
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
        ok "  a missing texture is a note" grep -q 'without its texture.*nowhere.png' err
    fi
fi
ok "no failed command has left a file" [ ! -e x.png ]
ok "no temporary file is left anywhere" no_temporary

# -------------------------------------------------------------------------------------------------
if command -v python3 >/dev/null; then
    echo "# what is lost, and pictures that go along"

    mkdir -p art/textures elsewhere
    "$pelt" convert rig:bar -o art/plain.gltf 2>err
    python3 - <<'SCRIPT'
import base64, json
png = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgZGIGAAAOAAfXb+R4AAAAAElFTkSuQmCC")
open("art/hand.png", "wb").write(png)
g = json.load(open("art/plain.gltf"))
g["images"] = [{"uri": "hand.png"}, {"uri": "gone.png"}, {"uri": "notes.png"}]
g["textures"] = [{"source": 0}, {"source": 1}, {"source": 2}]
g["materials"] = [{"alphaMode": "BLEND", "doubleSided": True, "normalTexture": {"index": 0},
                   "pbrMetallicRoughness": {"baseColorTexture": {"index": i}}} for i in range(3)]
g["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": 1}}]
g["animations"].append({"name": "nothing", "channels": [], "samplers": []})
open("art/notes.png", "w").write("secret")
json.dump(g, open("art/all.gltf", "w"))
SCRIPT
    works convert art/all.gltf -o elsewhere/all.glb
    ok "  in one sentence" [ "$(grep -c 'not carried over' err)" -eq 1 ]
    ok "  with what was lost" grep -q 'carried over: 3 normal textures; 1 camera; ' err
    ok "  and the picture that is missing" grep -q 'there is no file "gone.png" beside art/all' err
    ok "  clips are those that were written" grep -q "clips $(($(grep -c '"samplers"' art/plain.gltf)))$" err
    ok "  the picture is inside" grep -q 'image/png' elsewhere/all.glb
    ok "  and nothing that is none" [ "$(grep -c secret elsewhere/all.glb)" -eq 0 ]
    works convert art/all.gltf -o art/again.gltf --json
    ok "  in its folder the picture stays a name" grep -q '"uri": "hand.png"' art/again.gltf
    ok "  the summary lists losses" has_member out lost list
    ok "  with the clip" grep -q '1 clip that moves nothing' out
    ok "  alpha is kept" grep -q '"alphaMode": "BLEND"' art/again.gltf
    works convert elsewhere/all.glb -o elsewhere/again.glb --json
    ok "  what was written has no more to lose" python3 -c 'import json
assert [what for what in json.load(open("out"))["lost"] if "picture" not in what] == []'
    works enhance art/all.gltf --twist root -o elsewhere/twisted.glb --json
    ok "  enhance says the same" grep -q 'anew; not carried over: 3 normal textures; 1 camera' err
    ok "  and lists it" grep -q '1 clip that moves nothing' out
    ok "  the picture is inside" grep -q 'image/png' elsewhere/twisted.glb
    works deform art/all.gltf -o elsewhere/mesh.glb
    ok "  a mesh takes its picture along" grep -q 'image/png' elsewhere/mesh.glb
    ok "  and says which it has not" grep -q 'not carried over: the picture "gone.png"' err
    works info art/all.gltf
    ok "  shows alpha" grep -q 'blend *2  *hand.png *repeat repeat' out
    ok "  and what a scene has no place for" grep -q 'not in the scene: 3 normal textures; 1 camera' out
    works info art/all.gltf --json
    ok "  also as JSON" grep -q '"alpha_mode": "blend"' out
    ok "  with samplers" grep -q '"wrap_u": "repeat"' out
fi

# -------------------------------------------------------------------------------------------------
echo "# files appear whole or not at all"

ok "no failed command has left a file" [ ! -e x.obj ]
fails 4 'No such file' deform rig:arm -o missing/x.obj
fails 4 'irectory' deform rig:arm -o . --format obj
fails 4 'Not a directory' deform rig:arm -o rest.obj/x.obj
if [ -w /dev/full ]; then
    fails 4 'space' deform rig:arm -o /dev/full --format ply
    fails 4 'space' info rig:arm -o /dev/full
    code=0
    "$pelt" info rig:arm >/dev/full 2>err || code=$?
    ok "exit 4 when the standard output is full" [ "$code" -eq 4 ]
fi
echo precious >x.obj
code=0
(ulimit -f 16 && exec "$pelt" deform rig:arm -o x.obj) 2>err || code=$?
ok "exit 4 when a file cannot grow" [ "$code" -eq 4 ]
ok "  says so" grep -q 'cannot write x.obj' err
ok "  what was there is still there" [ "$(cat x.obj)" = precious ]
mkdir locked && chmod a-w locked
if [ ! -w locked ]; then
    fails 4 'denied' deform rig:arm -o locked/x.obj
fi
chmod 640 x.obj
ln -s x.obj link.obj
works deform rig:arm -o link.obj
ok "  a link is followed" [ -h link.obj ]
ok "  and its file replaced" cmp -s x.obj rest.obj
ok "  which keeps its permissions" [ "$(ls -l x.obj | cut -c1-10)" = "-rw-r-----" ]

echo precious >big.obj
"$pelt" rig 'cuboid?vertices=400000' -o big.obj 2>err &
process=$!
while kill -0 $process 2>/dev/null && no_temporary; do :; done
kill -TERM $process 2>/dev/null
code=0
{ wait $process || code=$?; } 2>/dev/null
ok "a killed program says how it died" [ "$code" -eq 143 ]
ok "  and what was there is still there" [ "$(cat big.obj)" = precious ]
ok "no temporary file is left anywhere" no_temporary

# -------------------------------------------------------------------------------------------------
echo "# shaders"

files_are()
{
    [ "$(ls "$1" | tr '\n' ' ')" = "$2 " ]
}

works shaders --lang glsl --method dqs -o gpu
ok "  writes the library" grep -q '^pelt_motion pelt_skin_dqs(' gpu/skin_dqs.glsl
ok "  and a shader" grep -q '^#version 330 core' gpu/skin_dqs_block_4.vert
ok "  and a README" grep -q '^# Skinning in GLSL 330' gpu/README.md
ok "  with the bytes of a joint" grep -q '| `skin_dqs_block_4.vert` | dqs | 8 | 32 |' gpu/README.md
ok "  says how many" grep -q 'gpu; README.md' err
ok "  says nothing on stdout" [ ! -s out ]
works shaders --lang essl --influences 3 --palette texture -o gpu
ok "  adds to the folder" [ -e gpu/skin_dqs_block_4.vert ]
for method in lbs dqs mix crs; do
    ok "  has $method" grep -q '^#version 300 es' gpu/skin_${method}_texture_3.vert
done
ok "  with the influences asked for" grep -q '^#define PELT_INFLUENCES 3' gpu/skin_lbs_texture_3.vert
echo mine >gpu/notes.txt
echo old >gpu/skin_lbs_texture_3.vert
works shaders --lang essl --influences 3 --palette texture -o gpu
ok "  replaces its own files" grep -q '^#version 300 es' gpu/skin_lbs_texture_3.vert
ok "  and leaves others" [ "$(cat gpu/notes.txt)" = mine ]
for pair in hlsl:hlsl msl:metal wgsl:wgsl; do
    language=${pair%:*}
    ending=${pair#*:}
    works shaders --lang $language --method crs -o gpu-$language
    ok "  writes the library and a shader" \
        files_are gpu-$language "README.md pelt_skin.$ending skin_crs_block_4.$ending"
    ok "  with functions of pelt" grep -q 'pelt_deform_crs(' gpu-$language/pelt_skin.$ending
    ok "  and a call" grep -q 'skinned = pelt_deform_crs(' gpu-$language/skin_crs_block_4.$ending
    works shaders --lang $language --method dqs --scale origin --influences 5 --normals accurate \
        -o gpu-$language
    shader=gpu-$language/skin_dqs_block_5_origin_accurate_4.$ending
    ok "  sets the scale" grep -q 'PELT_SCALE.* PELT_SCALE_ORIGIN' "$shader"
    ok "  and the influences" grep -Eq 'PELT_INFLUENCES.* 5;?$' "$shader"
    ok "  and the layout that this needs" grep -q 'PELT_LAYOUT.* PELT_LAYOUT_SHARED' "$shader"
    ok "  with accurate normals" grep -q 'skinned = pelt_deform_dqs_accurate(' "$shader"
done
works shaders --lang glsl --method dqs --layout shared -o gpu-shared
ok "  names the layout" grep -q 'LAYOUT_SHARED' gpu-shared/skin_dqs_block_4_shared.vert
ok "  with the bytes of a joint" grep -q '| dqs | 16 | 64 |' gpu-shared/README.md
works convert rig:arm -o scaled.gltf
sed -i 's/"name": *"elbow"/"name": "elbow", "scale": [1, 2, 0.5]/' scaled.gltf
works info scaled.gltf
ok "  info says by how much joints scale" grep -q '^joints scale by 0.5 to 2 (most: elbow)' out
works info scaled.gltf --gpu
ok "  and what shaders need" grep -q 'pelt shaders --scale local' out
works info scaled.gltf --gpu --json
ok "  in JSON too" grep -q '"scale": "local"' out
ok "  with the joint" has_member out joint_scale dict
works info rig:arm --gpu
ok "  or that they stay rigid" grep -q '^joints stay rigid' out
ok "  and need nothing" grep -q 'pelt shaders --scale none' out
works shaders scaled.gltf --lang wgsl --method dqs -o gpu-for --json
ok "  scale follows from the character" grep -q '"scale": "local"' out
ok "  and so do influences" grep -q '"influences": 3' out
works shaders rig:arm --lang wgsl --method dqs -o gpu-for --json
ok "  rigid where it is" grep -q '"scale": "none"' out
works shaders scaled.gltf --lang wgsl --method dqs --scale none -o gpu-for
ok "  against which it advises" grep -q 'take --scale local' err
works shaders rig:cloth --lang glsl --method dqs --influences 4 -o gpu-for
ok "  and against too few influences" grep -q 'up to 5 influences' err
works shaders --lang essl --method crs --normals accurate --slots 8 -o gpu-normals
ok "  names rule and slots" [ -e gpu-normals/skin_crs_block_4_accurate_8.vert ]
ok "  writes their functions" grep -q '^mat2x3 pelt_jacobian_crs(' gpu-normals/skin_normals_crs.glsl
ok "  says how many bytes" grep -q '| crs | 80 | 320 |' gpu-normals/README.md
ok "  and how to fill them" grep -q 'pelt_gpu_normals_write' gpu-normals/README.md
works shaders --lang hlsl --json -o gpu-json
ok "  is JSON" is_json out
ok "  lists the files" has_member out files list
ok "  by name" grep -q '"skin_mix_block_4.hlsl"' out
fails 1 'valid are glsl, essl, vulkan, hlsl, msl, wgsl' shaders --lang cg -o gpu
fails 1 'give --lang' shaders -o gpu
fails 1 'give -o DIR' shaders --lang glsl
fails 1 'need a folder' shaders --lang glsl -o -
fails 1 'valid are all, lbs, dqs, mix, crs' shaders --lang glsl --method sbs -o gpu
fails 1 'from 1 to 8' shaders --lang glsl --influences 9 -o gpu
fails 1 'valid are block, texture' shaders --lang glsl --palette buffer -o gpu
fails 1 'valid are standard, accurate, paper' shaders --lang glsl --normals exact -o gpu
fails 1 'valid are 2, 3, 4, 8' shaders --lang glsl --normals accurate --slots 5 -o gpu
fails 1 'no effect' shaders --lang glsl --slots 4 -o gpu
fails 1 'standard and accurate' shaders --lang hlsl --normals paper -o gpu
fails 1 'valid are none, local, origin' shaders --lang hlsl --scale maya -o gpu
fails 1 'valid are compact, shared' shaders --lang hlsl --layout big -o gpu
fails 2 'No such file' shaders missing.glb --lang hlsl -o gpu
fails 4 'folder' shaders --lang glsl -o rest.obj
fails 4 'folder' shaders --lang glsl -o missing/folder
mkdir -p gpu-taken/skin_lbs_block_4.hlsl
fails 4 'irectory' shaders --lang hlsl -o gpu-taken
if [ ! -w locked ]; then
    fails 4 'denied' shaders --lang glsl -o locked
fi
code=0
(ulimit -f 1 && exec "$pelt" shaders --lang hlsl --method lbs -o gpu-hlsl) 2>err || code=$?
ok "exit 4 when a file cannot grow" [ "$code" -eq 4 ]
ok "  and no part of it is there" [ ! -e gpu-hlsl/skin_lbs_block_4.hlsl ]
ok "no temporary file is left anywhere" no_temporary

# -------------------------------------------------------------------------------------------------
echo "# demo and bench"

works demo rig:arm
ok "  writes rest.obj" is_valid_obj pelt-demo/rest.obj
for method in lbs dqs mix crs lms sbs; do
    ok "  writes $method.obj" is_valid_obj pelt-demo/$method.obj
    ok "  has a row for it" grep -q "^  $method " out
done
ok "  writes report.json" is_json pelt-demo/report.json
ok "  says where" grep -q pelt-demo err
works demo -o human
ok "  writes rest.obj" is_valid_obj human/rest.obj
ok "  poses it" differ human/lbs.obj human/rest.obj
ok "  methods differ" differ human/lbs.obj human/dqs.obj
if [ -e first.png ]; then
    for picture in bar scale cuboid human difference normals pivot twist; do
        ok "  draws $picture.png" [ "$(tail -c 8 human/$picture.png | head -c 4)" = IEND ]
        ok "  and says what is to be seen" grep -q "^pelt: $picture.png: ..........." err
    done
    ok "  and of a character of one's own" [ -e pelt-demo/input.png ]
fi
works demo rig:cloth --clip drape --json -o cloth
ok "  is JSON" is_json out
ok "  has methods" has_member out methods list
fails 4 'folder' demo rig:box -o rest.obj
fails 4 'folder' demo rig:box -o missing/folder
works bench --quick --json
ok "  is JSON" is_json out
ok "  has rows" has_member out rows list
ok "  of ratios" grep -q '"ratio_to_memory": ' out
works bench load arm.glb --quick --json
ok "  is JSON" is_json out
ok "  of ratios" grep -q '"ratio_to_checksum": ' out
fails 2 'missing.glb' bench load missing.glb
fails 1 'takes no file' bench deform arm.glb
fails 1 'takes one file' bench load arm.glb arm.glb
fails 1 'valid are deform, load, cor, normals' bench xyzzy
works bench normals --quick --json
ok "  is JSON" is_json out
ok "  of ratios" grep -q '"standard_to_accurate": ' out
ok "  and over all clips of three rigs by four methods" [ "$(grep -c '"clip": "(all)"' out)" -eq 12 ]
works bench normals arm.glb rig:cloth --quick
ok "  measures the file" [ "$(grep -c '^  arm.glb .*(all)' out)" -eq 4 ]
ok "  each clip" grep -q '^  arm.glb .*curl .*crs' out
ok "  and the next" [ "$(grep -c '^  rig:cloth .*(all)' out)" -eq 4 ]
fails 2 'missing.glb' bench normals missing.glb
fails 2 'rigid.glb has no clips' bench normals rigid.glb
works bench cor --quick --json --plot cor.svg
ok "  is JSON" is_json out
ok "  has rows" has_member out rows list
ok "  of ratios" grep -q '"full_to_fast": ' out
ok "  with errors against the definition" grep -q '"fast_error": ' out
ok "  has updates" has_member out updates list
ok "  that differ from a whole solve by nothing" [ "$(grep -c '"difference": 0.0' out)" -eq 2 ]
ok "  has growth" has_member out growth list
ok "  draws a whole picture" is_svg cor.svg
works bench cor arm.glb --quick
ok "  measures the file" grep -q '^  arm.glb ' out
works bench cor arm.glb --quick --plot - -o arm.txt
ok "  the picture may go to stdout" is_svg out
ok "  and the results to a file" grep -q '^  arm.glb ' arm.txt
fails 4 'missing/cor.svg' bench cor --plot missing/cor.svg
fails 4 'folder' bench cor --plot human
ok "  no picture is left half-written" no_temporary
fails 1 'no plot' bench deform --plot cor.svg
fails 1 'both' bench cor --plot -
fails 1 'both' bench cor --plot same -o same
works deform rig:arm -o still.glb
fails 2 'no skinned mesh' bench cor still.glb

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
