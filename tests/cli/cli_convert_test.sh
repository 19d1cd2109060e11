#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt convert, and what it carries over: sh tests/cli/cli_convert_test.sh PATH/TO/pelt

. "${0%/*}/cli_support.sh"

input rig arm -o arm.glb
input deform rig:arm --clip bend --time 1 -o lbs.obj

works convert arm.glb -o arm.gltf
ok "  says what it wrote" grep -q 'arm.gltf' err
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
ok "  and no skin" grep -q 'no skins' out
fails 1 'give -o' convert arm.glb
fails 1 'cannot hold a skeleton' convert arm.glb -o x.obj
fails 1 '.glb or .gltf' convert arm.glb -o x.fbx
fails 1 '.glb or .gltf' convert arm.glb -o x
fails 1 'both need' convert arm.glb -o - --format glb --json
fails 1 'needs INPUT' convert -o x.glb
fails 4 'No such file' convert arm.glb -o missing/x.glb
ok "no failed command has left a file" [ ! -e x.glb ]

# -------------------------------------------------------------------------------------------------
echo "# what is lost, and pictures that go along"

if [ -z "$python" ]; then
    skip "what is lost" "there is no python3"
    finish
fi
mkdir -p art/textures elsewhere
"$pelt" convert rig:bar -o art/plain.gltf 2>err
"$python" - <<'SCRIPT'
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
ok "  clips are those that were written" grep -q " $(grep -c '"samplers"' art/plain.gltf) clips$" err
ok "  the picture is inside" grep -q 'image/png' elsewhere/all.glb
ok "  and nothing that is none" [ "$(grep -c secret elsewhere/all.glb)" -eq 0 ]
works convert art/all.gltf -o art/again.gltf --json
ok "  in its folder the picture stays a name" grep -q '"uri": "hand.png"' art/again.gltf
ok "  the summary lists losses" has_member out lost list
json "  with the clip" 'any("1 clip" in what for what in d["lost"])'
ok "  alpha is kept" grep -q '"alphaMode": "BLEND"' art/again.gltf
works convert elsewhere/all.glb -o elsewhere/again.glb --json
ok "  what was written has no more to lose" "$python" -c 'import json
assert [what for what in json.load(open("out"))["lost"] if "picture" not in what] == []'
works enhance art/all.gltf --twist root -o elsewhere/twisted.glb --json
ok "  enhance says the same" grep -q 'rewritten; not carried over: 3 normal textures; 1 camera' err
json "  and lists it" 'any("1 clip" in what for what in d["lost"])'
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

# -------------------------------------------------------------------------------------------------
echo "# methods that files name"

make_named dqs
works convert named.gltf -o named.glb
works info named.glb --json
json "  goes along" 'd["meshes"][0]["method"] == "dqs"'
json "  and is no extra that is lost" 'd["lost"] == []'
works deform named.gltf -o named.glb
works info named.glb --json
json "  a deformed mesh has none" 'd["meshes"][0]["method"] is None'

finish
