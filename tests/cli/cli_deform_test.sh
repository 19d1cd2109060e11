#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt deform: methods, options, poses and ends of ranges. sh tests/cli/cli_deform_test.sh PATH/TO/pelt

. "${0%/*}/cli_support.sh"

# A small one: what options do shows on few vertices.
arm='rig:arm?vertices=500'

input rig "${arm#rig:}" -o rest.obj

works deform "$arm" -o stored.obj
ok "  without a pose gives the stored one" cmp -s stored.obj rest.obj
for method in lbs dqs mix crs lms sbs ddm; do
    works deform "$arm" --clip bend --time 1 --method $method -o $method.obj
    ok "  is a valid OBJ" is_valid_obj $method.obj
    ok "  has moved" differ $method.obj rest.obj
    ok "  no progress outside of a terminal" [ "$(tr -d '\r\033' <err | wc -c)" -eq "$(wc -c <err)" ]
    ok "  nothing on stdout" [ ! -s out ]
done
works deform "$arm" --clip bend --time 1 --method dqs -o plain.obj
works deform "$arm" --clip bend --time 1 --method dqs --correct-distance 0.5 --json -o pushed.obj
json "  says how far vertices are pushed back" 'd["correct_distance"] == 0.5'
ok "  and pushes them" sh -c '! cmp -s plain.obj pushed.obj'
works deform "$arm" --clip bend --time 1 --method dqs --correct-distance 0 -o pushed.obj
ok "  by 0 not at all" cmp -s plain.obj pushed.obj
works deform "$arm" --clip bend --time 1 --method mix --mix 0 -o mix.obj
ok "  mix 0 is lbs" cmp -s mix.obj lbs.obj
works deform "$arm" --clip bend --time 1 --method mix --mix=1 -o mix.obj
ok "  mix 1 is dqs" cmp -s mix.obj dqs.obj
for threads in 1 2; do
    works deform rig:arm --clip bend --time 1 --method dqs --threads $threads -o threads$threads.obj
done
ok "  one thread gives the same bits" cmp -s threads1.obj threads2.obj
for variant in basic optimized; do
    works deform "$arm" --clip bend --time 1 --method dqs --dqs $variant -o variant.obj
done
for variant in relative published; do
    works deform "$arm" --clip curl --time 1 --method lms --lms $variant -o $variant.obj
done
works deform "$arm" --clip curl --time 1 --method lms -o lms_default.obj
ok "  logarithms are relative by default" cmp -s lms_default.obj relative.obj
ok "  published ones are others" differ relative.obj published.obj
for rule in heaviest running first hierarchy; do
    works deform "$arm" --clip bend --time 1 --method dqs --sign-rule $rule -o rule.obj
    for degrees in 270 -90; do
        works deform "$arm" --pose '{"elbow": {"axis": [1, 0, 0], "degrees": '$degrees'}}' \
            --method dqs --sign-rule $rule -o $rule$degrees.obj
    done
done
ok "  270 degrees are -90 to most" cmp -s heaviest270.obj heaviest-90.obj
ok "  but not down the hierarchy" differ hierarchy270.obj hierarchy-90.obj
ok "  where -90 is what it is to all" cmp -s heaviest-90.obj hierarchy-90.obj
for rule in standard accurate paper recompute; do
    works deform "$arm" --clip bend --time 1 --method dqs --normals $rule -o $rule.obj
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
works deform "$arm" --method dqs --pose "$scaled" -o default.obj
for convention in pelt blender maya usd ogre; do
    works deform "$arm" --method dqs --pose "$scaled" --convention $convention -o $convention.obj
done
ok "  pelt's own is the default" cmp -s default.obj pelt.obj
ok "  usd scales about another point" differ pelt.obj usd.obj
grep '^v ' usd.obj >points
grep '^v ' maya.obj >others
ok "  and so does maya" cmp -s points others
ok "  which makes its normals anew" differ maya.obj usd.obj
works deform "$arm" --method dqs --pose "$scaled" --convention maya --normals standard -o other.obj
ok "  unless told otherwise" cmp -s other.obj usd.obj
works deform "$arm" --method dqs --pose "$scaled" --convention usd --normals recompute -o other.obj
ok "  as usd can be told to" cmp -s other.obj maya.obj
works deform "$arm" --clip bend --time 1 --convention blender -o other.obj
works deform "$arm" --clip bend --time 1 --normals recompute -o anew.obj
ok "  blender makes them anew too" cmp -s other.obj anew.obj
mirror='{"elbow": {"scale": [1, -1, 1]}}'
works deform "$arm" --method dqs --pose "$mirror" --json -o mirror.obj
ok "  vertices between mirrored and unmirrored joints are told" grep -q '[1-9][0-9]* vertices have both mirrored' err
json "  and counted" 'd["mixed_handedness_vertices"] > 0'
works deform "$arm" --method lbs --pose "$mirror" --json -o mirror_lbs.obj
ok "  lbs has nothing to say about them" sh -c '! grep -q unmirrored err'
json "  but counts them" 'd["mixed_handedness_vertices"] > 0'
works deform "$arm" --clip bend --time 1 --method crs --sigma 0.2 -o sigma.obj
ok "  another sigma, another mesh" differ sigma.obj crs.obj
works deform "$arm" --clip bend --time 1 --method crs --json -o summary.obj
ok "  the summary tells of the centers" has_member out cor dict
works deform "$arm" --time 1 -o first.obj
ok "  says which clip it took" grep -q 'first clip' err
ok "  which is the first" cmp -s first.obj lbs.obj
# Numbers near the ends of float.
for format in obj ply glb gltf; do
    works deform "$arm" --pose '{"elbow":{"scale":1e20}}' -o far.$format
    rm -f x.$format
    fails 2 'vertex [0-9]* of instance 0' deform "$arm" -o x.$format \
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
fails 2 'beyond the range' deform "$arm" --pose '{"wrist":{"translate":[3e38,3e38,3e38]}}' \
    --clip bend --time 1 -o x.obj
# Exporters write an empty take before the real clips.
if make_hollow; then
    input deform 'rig:arm?vertices=400' --clip bend --time 1 -o bent.obj
    works deform hollow.gltf --time 1 --json -o hollow.obj
    ok "  passes over an empty take" cmp -s hollow.obj bent.obj
    ok "  says so" grep -q 'using bend' err
    json "  and in JSON" 'd["clip"] == "bend"'
else
    skip "an empty take" "there is no python3"
fi
works deform "$arm" --clip bend --time 9 -o late.obj
ok "  past the end holds the last frame" cmp -s late.obj lbs.obj
works deform "$arm" --clip bend --time 1 -o - --format obj
ok "  - is the standard output" cmp -s out lbs.obj
works deform "$arm" --clip bend --time 1 --json -o summary.obj
ok "  the summary is JSON" is_json out
ok "  has bounds" has_member out bounds
fails 1 'choices are lbs' deform "$arm" --method xyz -o x.obj
fails 1 'clips are bend' deform "$arm" --clip xyz -o x.obj
fails 1 'finite number' deform "$arm" --time nan -o x.obj
fails 1 'finite number' deform "$arm" --time inf -o x.obj
fails 1 'finite number' deform "$arm" --time 1s -o x.obj
fails 1 'from 0 to 1' deform "$arm" --method mix --mix 2 -o x.obj
fails 1 'one factor' deform "$arm" --method mix --mix 0,1 -o x.obj
fails 1 'from 0 to 1' deform "$arm" --method dqs --correct-distance 1.5 -o x.obj
fails 1 'must be' deform "$arm" --time 1e300 -o x.obj
fails 1 'whole number' deform "$arm" --threads 1.5 -o x.obj
fails 1 'give -o' deform "$arm"
fails 1 '.glb or .gltf' deform "$arm" -o x.fbx
fails 1 'format' deform "$arm" -o -
fails 1 'both need' deform "$arm" -o - --format ply --json
fails 1 'goes with --method mix' deform "$arm" --method dqs --mix 0.3 -o x.obj
fails 1 'goes with --method crs' deform "$arm" --cor compute -o x.obj
fails 1 'goes with --method crs' deform "$arm" --method dqs --sigma 0.2 -o x.obj
fails 1 'goes with --solver paper' deform "$arm" --method crs --omega 0.2 -o x.obj
fails 1 'choices are auto, compute' deform "$arm" --method crs --cor full -o x.obj

# -------------------------------------------------------------------------------------------------
echo "# poses"

rotate='{"elbow": {"axis": [0, 0, 1], "degrees": 90}}'
works deform "$arm" --pose "$rotate" -o rotated.obj
ok "  moves the mesh" differ rotated.obj rest.obj
echo "$rotate" >rotate.json
works deform "$arm" --pose @rotate.json -o file.obj
ok "  from a file as well" cmp -s file.obj rotated.obj
works deform "$arm" --pose \
    '{"elbow": [{"axis": [0, 0, 2], "degrees": 45}, {"axis": [0, 0, 1], "degrees": 45}]}' -o two.obj
ok "  an array applies one after another" is_valid_obj two.obj
works deform "$arm" --pose '{"elbow": {"scale": 1.5, "translate": [0, 0.1, 0], "space": "model"}}' \
    -o scaled.obj
works deform "$arm" --pose '{}' -o none.obj
ok "  no changes, no change" cmp -s none.obj rest.obj
fails 2 'line 1' deform "$arm" --pose '{"elbow": ' -o x.obj
fails 2 'object' deform "$arm" --pose '[1]' -o x.obj
fails 2 'duplicate' deform "$arm" --pose '{"elbow": {}, "elbow": {}}' -o x.obj
fails 1 'valid' deform "$arm" --pose '{"knee": {}}' -o x.obj
fails 1 'elbow' deform "$arm" --pose '{"Elbow": {}}' -o x.obj
fails 2 'no member' deform "$arm" --pose '{"elbow": {"rotate": 3}}' -o x.obj
fails 2 'elbow.axis' deform "$arm" --pose '{"elbow": {"axis": [0, 0], "degrees": 3}}' -o x.obj
fails 2 'elbow.axis' deform "$arm" --pose '{"elbow": {"axis": [0, 0, 0], "degrees": 3}}' -o x.obj
fails 2 'no "degrees"' deform "$arm" --pose '{"elbow": {"axis": [0, 0, 1]}}' -o x.obj
fails 2 'elbow.degrees' deform "$arm" --pose '{"elbow": {"axis": [0, 0, 1], "degrees": "x"}}' -o x.obj
fails 2 'elbow.degrees' deform "$arm" --pose '{"elbow": {"axis": [0, 0, 1], "degrees": 1e300}}' -o x.obj
fails 2 'elbow.scale' deform "$arm" --pose '{"elbow": {"scale": 0}}' -o x.obj
fails 2 'elbow.space' deform "$arm" --pose '{"elbow": {"space": "world"}}' -o x.obj
fails 2 'elbow must be' deform "$arm" --pose '{"elbow": 3}' -o x.obj
fails 2 'cannot read' deform "$arm" --pose @missing.json -o x.obj

# -------------------------------------------------------------------------------------------------
echo "# methods that files name"

make_named crs
works deform named.gltf --clip bend --time 1 -o named.obj
ok "  centers are computed where the file has none" cmp -s named.obj crs.obj
make_named dqs
works deform named.gltf --clip bend --time 1 -o named.obj --json
ok "  the file chooses" cmp -s named.obj dqs.obj
ok "  and is said to" grep -q 'the file specifies dqs' err
json "  in the summary too" '(d["method"], d["mesh_methods"]) == ("dqs", None)'
works deform named.gltf --clip bend --time 1 --method lbs -o named.obj
ok "  --method overrules it" cmp -s named.obj lbs.obj
ok "  in silence" [ "$(grep -c 'file specifies' err)" -eq 0 ]
works deform named.gltf --clip bend --time 1 --dqs basic -o named.obj
fails 1 'mix has no effect on method dqs' deform named.gltf --mix 0.3 -o x.obj
if [ -n "$python" ]; then
    edit named.gltf 'p = g["meshes"][0]["primitives"]
p += [dict(p[0], extras={"pelt_skinning": {"method": "lbs"}}), {**p[0], "extras": {}}]'
    works deform named.gltf --clip bend --time 1 -o named.obj --json
    json "  each mesh has its own" \
        '(d["method"], d["mesh_methods"]) == ("file", ["dqs", "lbs", "lbs"])'
    ok "  which is said" grep -q 'the file specifies lbs, dqs for different meshes' err
    for name in dqs lbs lbs; do
        grep '^v ' $name.obj
    done >points
    grep '^v ' named.obj >others
    ok "  and done" cmp -s points others
else
    skip "meshes of several methods" "there is no python3"
fi

# -------------------------------------------------------------------------------------------------
echo "# crowds"

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
crowd 275000 40 >crowd.gltf
works deform crowd.gltf --format ply -o /dev/null
ok "  a crowd is told before the work" grep -q '40 instances.*11000000' err
crowd 1000 100 >crowd.gltf
works deform crowd.gltf --format ply -o /dev/null
ok "  a small one is not" [ "$(grep -c 'instances of meshes' err)" -eq 0 ]
crowd 1000000 5000 >crowd.gltf
fails 2 '5001000000 vertices in all meshes, instances' deform crowd.gltf -o x.ply

ok "no failed command has left a file" [ ! -e x.obj ]
ok "  of either kind" [ ! -e x.ply ]

finish
