#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt convert, and what it carries over: sh tests/cli/cli_convert_test.sh PATH/TO/pelt

case $0 in
/*) tests=${0%/*}/.. ;;
*) tests=$PWD/${0%/*}/.. ;;
esac
. "${0%/*}/cli_support.sh"

input rig arm -o arm.glb
input deform rig:arm --clip bend --time 1 -o lbs.obj

works convert arm.glb -o arm.gltf
ok "  says what it wrote" grep -q 'arm.gltf' err
ok "  is JSON" is_json arm.gltf
works convert arm.gltf -o read.glb
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
echo "# a glTF keeps everything that it has, and pictures go along"

if [ -z "$python" ]; then
    skip "what is kept" "there is no python3"
    finish
fi
# same [OPTION...] SOURCE COPY: the copy has everything that the source has
same()
{
    "$python" "$tests/gltf_write/gltf_same.py" "$@"
}
ok "both containers hold the same" same arm.glb read.glb
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
ok "  nothing is lost" [ "$(grep -c 'not carried over' err)" -eq 0 ]
ok "  and nothing has changed" same art/all.gltf elsewhere/all.glb
ok "  says which picture is missing" grep -q '"gone.png" is not copied' err
ok "  clips are those that move something" grep -q " $(grep -c '"samplers"' art/plain.gltf) clips$" err
ok "  the picture is inside" grep -q 'image/png' elsewhere/all.glb
ok "  and nothing that is none" [ "$(grep -c secret elsewhere/all.glb)" -eq 0 ]
works convert art/all.gltf -o art/again.gltf --json
ok "  in its folder the file stays as it is" cmp -s art/all.gltf art/again.gltf
json "  the summary lists no losses" 'd["lost"] == []'
works convert art/all.gltf -o elsewhere/all.gltf
ok "  elsewhere pictures are in the text" same art/all.gltf elsewhere/all.gltf
ok "    as data" [ "$(grep -c '"uri": "hand.png"' elsewhere/all.gltf)" -eq 0 ]
works convert art/all.gltf -o art/all.glb
ok "  a GLB in the same folder has its pictures" [ "$(grep -c hand.png art/all.glb)" -eq 0 ]
works convert elsewhere/all.glb -o elsewhere/again.glb --json
ok "  a GLB with all its data stays as it is" cmp -s elsewhere/all.glb elsewhere/again.glb

# More buffers than one, in files and in text; sparse and interleaved data; a repair in between.
"$python" - <<'SCRIPT'
import base64, copy, json, struct
g = json.load(open("art/all.gltf"))
data = base64.b64decode(g["buffers"][0].pop("uri").split(",")[1])
half = len(data) // 2
open("art/all data.bin", "wb").write(data)
g["buffers"] = [{"byteLength": len(data), "uri": "all%20data.bin", "name": "first"},
                {"byteLength": 5, "uri": "data:application/octet-stream;base64," + base64.b64encode(b"spare").decode()},
                {"byteLength": len(data), "uri": "all%20data.bin"}]
for i, view in enumerate(g["bufferViews"]):
    view["buffer"] = 2 * (i % 2)
g["bufferViews"] += [{"buffer": 1, "byteLength": 4}]
part = g["meshes"][0]["primitives"][0]
count = g["accessors"][part["attributes"]["POSITION"]]["count"]
values = struct.pack("<" + "ffff" * count, *[i / 7 for i in range(4 * count)])
g["buffers"].append({"byteLength": len(values), "uri": "data:;base64," + base64.b64encode(values).decode()})
g["bufferViews"].append({"buffer": 3, "byteLength": len(values), "byteStride": 16, "target": 34962})
view = len(g["bufferViews"]) - 1
for offset, name in ((0, "TEXCOORD_0"), (8, "TEXCOORD_1")):
    g["accessors"].append({"bufferView": view, "byteOffset": offset, "componentType": 5126, "count": count, "type": "VEC2"})
    part["attributes"][name] = len(g["accessors"]) - 1
part["attributes"]["_CUSTOM"] = len(g["accessors"]) - 1
g["accessors"].append({"componentType": 5126, "count": count, "type": "VEC3", "sparse": {"count": 1,
    "indices": {"bufferView": view - 1, "componentType": 5121}, "values": {"bufferView": view, "byteOffset": 16}}})
part["attributes"]["COLOR_0"] = len(g["accessors"]) - 1
g["extensionsUsed"] = ["KHR_lights_punctual", "KHR_materials_clearcoat"]
g["extensions"] = {"KHR_lights_punctual": {"lights": [{"type": "point"}]}}
g["materials"][0]["extensions"] = {"KHR_materials_clearcoat": {"clearcoatTexture": {"index": 0, "texCoord": 1}}}
g["nodes"].append({"name": "lamp", "camera": 0, "extensions": {"KHR_lights_punctual": {"light": 0}}, "extras": [1.5, "x"]})
g["scenes"][0]["nodes"].append(len(g["nodes"]) - 1)
g["extras"] = {"by": "hand"}
json.dump(g, open("art/rich.gltf", "w"))
g["extensions"]["ACME_numbers"] = {"accessor": 0}
json.dump(g, open("art/unknown.gltf", "w"))
SCRIPT
works convert art/rich.gltf -o elsewhere/rich.glb --json
ok "  everything of a rich file is there" same art/rich.gltf elsewhere/rich.glb
ok "  in one buffer" [ "$(strings elsewhere/rich.glb | grep -o '"byteLength":[0-9]*,"name":"first"' | wc -l)" -eq 1 ]
ok "  without data as text" [ "$(grep -c 'data:' elsewhere/rich.glb)" -eq 0 ]
works convert art/unknown.gltf -o elsewhere/unknown.glb
ok "  also with an extension that may refer to anything" same art/unknown.gltf elsewhere/unknown.glb
works bake art/rich.gltf -o baked
ok "  the mesh of a bake has all but the clips" same --without animations art/rich.gltf baked/rich.glb
works bake art/unknown.gltf -o baked
ok "    also then" same --without animations art/unknown.gltf baked/unknown.glb
ok "  without the data of clips it is smaller" [ "$(wc -c <baked/rich.glb)" -lt "$(wc -c <elsewhere/rich.glb)" ]
works unbake baked/rich.json -o unbaked.glb
works bake art/rich.gltf -o baked --clip twist90
ok "  clips that were not baked stay" grep -q '"bend90"' baked/rich.glb
ok "    and the one that was is gone" [ "$(grep -c '"twist90"' baked/rich.glb)" -eq 0 ]
works bake art/rich.gltf --encoding vertex -o vertex
ok "  a mesh of vertices has its own UVs" grep -q TEXCOORD_1 vertex/rich.glb
ok "    materials" grep -q KHR_materials_clearcoat vertex/rich.glb
ok "    camera and extras" grep -q '"camera":0.*"extras":\[1.5,"x"\]' vertex/rich.glb
ok "    and no skin" [ "$(grep -c -e JOINTS_0 -e '"skins"' vertex/rich.glb)" -eq 0 ]
works unbake vertex/rich.json -o unbaked.glb
works bake art/rich.gltf --encoding vertex --openvat -o vertex
ok "  OpenVAT has the second set of UVs, and the file's own is the third" grep -q TEXCOORD_2 vertex/rich.glb
ok "    for its textures, too" grep -q '"texCoord":2' vertex/rich.glb
works enhance art/all.gltf --twist root -o elsewhere/twisted.glb --json
json "  enhance loses nothing" 'd["lost"] == [] and d["twist"] is not None'
ok "  the picture is inside" grep -q 'image/png' elsewhere/twisted.glb
works enhance art/rich.gltf --twist root -o elsewhere/twisted.glb
ok "  with twist joints everything of a rich file is there" same --longer --without JOINTS_0 --without WEIGHTS_0 \
    --without JOINTS_1 --without WEIGHTS_1 --without inverseBindMatrices art/rich.gltf elsewhere/twisted.glb
works deform art/all.gltf -o elsewhere/mesh.glb
ok "  a mesh takes its picture along" grep -q 'image/png' elsewhere/mesh.glb
ok "  and says which it has not" grep -q 'not carried over: the picture "gone.png"' err
works info art/all.gltf
ok "  shows alpha" grep -q 'material_0 *blend *2 *1 *1' out
ok "  and textures" grep -q 'material_0 *normal *hand.png *0 *repeat repeat' out
ok "  and what a scene cannot store" grep -q 'not in the scene: 1 camera' out
works info art/all.gltf --json
ok "  also as JSON" grep -q '"alpha_mode": "blend"' out
ok "  with samplers" grep -q '"wrap_u": "repeat"' out

# -------------------------------------------------------------------------------------------------
echo "# textures of other formats"
mkdir -p art/maps painted
"$python" - <<'SCRIPT'
import struct, zlib
def png(width, height, pixel):
    rows = b"".join(b"\0" + bytes(c for x in range(width) for c in pixel(x, y)) for y in range(height))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
# Squares of two texels whose mean is 0.5 in linear light is 188 in sRGB, and 128 as a number.
open("art/maps/skin.png", "wb").write(png(16, 8, lambda x, y: (255, 255, 255) if (x + y) % 2 else (0, 0, 0)))
open("art/maps/bumps.png", "wb").write(png(4, 4, lambda x, y: (128, 128, 255)))
objects = """Model: 1, "Model::square", "Mesh" {
}
Geometry: 2, "Geometry::", "Mesh" {
Vertices: *12 {
a: 0,0,0,1,0,0,1,1,0,0,1,0
}
PolygonVertexIndex: *4 {
a: 0,1,2,-4
}
LayerElementUV: 0 {
Name: "map1"
MappingInformationType: "ByVertice"
ReferenceInformationType: "Direct"
UV: *8 {
a: 0,0,1,0,1,1,0,1
}
}
}
Material: 3, "Material::paint", "" {
}
"""
files = [("DiffuseColor", "C:/art/maps/skin.png"), ("NormalMap", "maps/bumps.png"), ("EmissiveColor", "gone.png")]
links = "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,1\n"
for i, (name, path) in enumerate(files):
    objects += 'Texture: %d, "Texture::t%d", "" {\nFileName: "%s"\n}\n' % (10 + i, i, path)
    links += 'C: "OP",%d,3, "%s"\n' % (10 + i, name)
text = "; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7400\n}\nObjects: {\n%s}\nConnections: {\n%s}\n"
open("art/painted.fbx", "w").write(text % (objects, links))
open("art/skin.png", "wb").write(open("art/maps/skin.png", "rb").read())
SCRIPT
works convert art/painted.fbx -o art/painted.glb
ok "  a missing image is one sentence" [ "$(grep -c 'not carried over' err)" -eq 1 ]
ok "    with its name" grep -q 'the picture "gone.png"' err
works info art/painted.glb --json
json "  an image is found by name where its path is dead" 'd["materials"][0]["textures"]["base_color"]["image"] == "skin.png"'
json "  and the normal map by its path" 'd["materials"][0]["textures"]["normal"]["image"] == "maps/bumps.png"'
works convert art/painted.fbx --textures embed -o art/painted.glb
ok "  images are embedded in the same folder" [ "$(grep -c 'image/png' art/painted.glb)" -ge 1 ]
works convert art/painted.fbx --textures none -o painted/none.glb
ok "  or left out" [ "$(grep -c 'image' painted/none.glb)" -eq 0 ]
works convert art/painted.fbx --textures copy --max-texture 8 -o painted/hero.glb
ok "  or copied" [ "$(ls painted | grep -c 'hero_._.*png')" -eq 2 ]
works info painted/hero.glb --json
json "    with references" 'all(t["image"].startswith("hero_") for t in d["materials"][0]["textures"].values())'
"$python" - <<'SCRIPT' > sizes
import glob, struct
for name in sorted(glob.glob("painted/*.png")):
    print(name.split("_")[-1], struct.unpack(">II", open(name, "rb").read()[16:24]))
SCRIPT
ok "  large images are scaled down" grep -q 'skin.png (8, 4)' sizes
ok "    and others are not" grep -q 'bumps.png (4, 4)' sizes
fails 1 'not glTF' convert painted/hero.glb --textures none -o x.glb
fails 1 'no folder' convert art/painted.fbx --textures copy --format glb -o -

# -------------------------------------------------------------------------------------------------
echo "# clips of other files"

# An arm without clips, and files of one clip each, whose names say nothing.
works convert rig:arm -o whole.gltf
"$python" - <<'SCRIPT'
import copy, json
g = json.load(open("whole.gltf"))
clips = g.pop("animations")
g["extras"] = {"by": "hand"}
json.dump(g, open("still.gltf", "w"))
for clip, name in zip(clips, ("mixamo.com", "Take 001", "wave")):
    one = copy.deepcopy(g)
    one["animations"] = [dict(clip, name=name)]
    for node in one["nodes"]:
        node["name"] = "mixamorig:" + node["name"]
    json.dump(one, open(name.replace(" ", "_").replace(".", "_") + ".gltf", "w"))
g["nodes"] = [dict(n, name="other" + n["name"]) for n in g["nodes"]]
g["animations"] = clips[:1]
json.dump(g, open("stranger.gltf", "w"))
SCRIPT
works convert still.gltf --clips mixamo_com.gltf Take_001.gltf -o moving.glb
ok "  a sentence for each file" [ "$(grep -c 'gltf: 1 clip added' err)" -eq 2 ]
ok "  what the file had is there" grep -q '"by":"hand"' moving.glb
works info moving.glb --json
json "  clips have the names of their files" '[c["name"] for c in d["clips"]] == ["mixamo_com", "Take_001"]'
name=$("$python" -IS -c 'import json; print(json.load(open("whole.gltf"))["animations"][0]["name"])')
works deform rig:arm --clip "$name" --time 0.7 -o expected.obj
works deform moving.glb --clip mixamo_com --time 0.7 -o found.obj
ok "  and give the same pose" cmp -s expected.obj found.obj
works deform still.gltf --clips mixamo_com.gltf --clip mixamo_com --time 0.7 -o found.obj
ok "  also without writing them" cmp -s expected.obj found.obj
works convert rig:arm --clips mixamo_com.gltf -o moving.glb --json
json "  onto a character that is no file" 'd["clip_files"][0]["clips"] == 1 and d["clip_files"][0]["tracks_without_joint"] == 0'
works convert still.gltf --clips mixamo_com.gltf --retarget-rest -o relative.glb
works deform relative.glb --clip mixamo_com --time 0.7 -o found.obj
ok "  relative to an equal rest pose they are the same" "$python" -IS -c '
read = lambda f: [float(x) for l in open(f) if l.startswith("v ") for x in l.split()[1:]]
a, b = read("expected.obj"), read("found.obj")
raise SystemExit(not max(abs(x - y) for x, y in zip(a, b)) < 1e-5)'
works enhance still.gltf --clips mixamo_com.gltf --cor -o moving.glb
works info moving.glb --json
json "  enhance adds them, too" '[c["name"] for c in d["clips"]] == ["mixamo_com"]'
works info still.gltf --clips mixamo_com.gltf Take_001.gltf --json
json "  info shows them" 'len(d["clips"]) == 2'
works bake still.gltf --clips mixamo_com.gltf -o moved
ok "  bake bakes them" grep -q mixamo_com moved/still.json
fails 2 'none of its' convert still.gltf --clips stranger.gltf -o x.glb
fails 2 'no clip' convert still.gltf --clips still.gltf -o x.glb
fails 1 'goes with --clips' convert still.gltf --retarget-rest -o x.glb
fails 1 'needs INPUT' convert --clips mixamo_com.gltf still.gltf -o x.glb
fails 2 'No such file' convert still.gltf --clips nowhere.gltf -o x.glb
ok "  no failed command has left a file" [ ! -e x.glb ]

# The elbow bends by 90 degrees in a second, on bones of another length.
cat >fold.bvh <<'BVH'
HIERARCHY
ROOT shoulder
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT elbow
  {
    OFFSET 1 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 1 0 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 1
0 0 0 0 0 0 0 0 0
0 0 0 0 0 0 90 0 0
BVH
run info fold.bvh
if [ "$code" -eq 3 ]; then
    skip "clips of BVH" "this build has no assimp"
else
    works convert rig:arm --clips fold.bvh -o crooked.glb
    ok "  says how much longer bones are" grep -q '3.33 times as long' err
    works convert rig:arm --clips fold.bvh --retarget-rest --clip fold -o bent.glb
    works deform bent.glb --clip fold --time 1 -o found.obj
    works deform rig:arm --pose '{"elbow": {"axis": [0, 0, 1], "degrees": 90}}' -o expected.obj
    ok "  a clip of BVH bends the elbow as it says" "$python" -IS -c '
read = lambda f: [float(x) for l in open(f) if l.startswith("v ") for x in l.split()[1:]]
a, b = read("expected.obj"), read("found.obj")
raise SystemExit(not max(abs(x - y) for x, y in zip(a, b)) < 1e-6)'
fi

# -------------------------------------------------------------------------------------------------
echo "# which clips, and how"

"$python" - <<'SCRIPT'
import json
g = json.load(open("whole.gltf"))
for i, clip in enumerate(g["animations"]):
    clip["extras"] = {"number": i}
g["extras"] = {"by": "hand"}
json.dump(g, open("marked.gltf", "w"))
print(*[clip["name"] for clip in g["animations"]][:2], file=open("names", "w"))
SCRIPT
read -r one two <names
works convert marked.gltf --clip "$two=other" --clip "$one" -o chosen.gltf
ok "  clips come in this order, under their new names, with what they had" "$python" -IS -c '
import json, sys
a, b = (json.load(open(f)) for f in ("marked.gltf", "chosen.gltf"))
clips = b["animations"]
sys.exit(not ([c["name"] for c in clips] == ["other", sys.argv[1]] and b["extras"] == {"by": "hand"}
         and [c["extras"]["number"] for c in clips] == [1, 0]))' "$one"
works deform chosen.gltf --clip other --time 0.6 -o found.obj
works deform rig:arm --clip "$two" --time 0.6 -o expected.obj
ok "  and move as before" cmp -s found.obj expected.obj
works convert marked.gltf -o marked.glb
works convert marked.glb --clip "$one" -o chosen.glb
ok "  the data of others have left the file" [ "$(wc -c <chosen.glb)" -lt "$(wc -c <marked.glb)" ]
works convert marked.gltf --trim 0.2:0.7 --fps 60 -o part.glb
works info part.glb --json
json "  parts are as long as they are" 'all(abs(c["duration"] - 0.5) < 1e-6 for c in d["clips"])'
works deform part.glb --clip "$one" --time 0.25 -o found.obj
works deform rig:arm --clip "$one" --time 0.45 -o expected.obj
ok "  and begin where they were told to" "$python" -IS -c '
read = lambda f: [float(x) for l in open(f) if l.startswith("v ") for x in l.split()[1:]]
a, b = read("expected.obj"), read("found.obj")
raise SystemExit(not max(abs(x - y) for x, y in zip(a, b)) < 1e-5)'
works convert rig:human --fps 120 --clip walk -o dense.glb
works convert dense.glb --simplify-keys 0.1mm/m -o few.glb --json
json "  fewer keys are within the error" 'd["keys"]["after"] < d["keys"]["before"] / 2 and 0 < d["keys"]["error"] < 0.2e-3'
ok "  and take less room" [ "$(wc -c <few.glb)" -lt "$(wc -c <dense.glb)" ]
works convert rig:human --max-influences 2 --min-weight 0.05 -o two.glb --json
json "  says which weights went" 'd["weights"]["influences"] > 0 and d["keys"] is None'
works info two.glb --json
json "  vertices have two influences" 'all(m["influences"]["histogram"][k] == 0 for m in d["meshes"] for k in ("3", "4", "5+"))'
works convert two.glb --max-influences 1 -o one.glb
works info one.glb --json
json "  also in a copy of a glTF" 'all(m["influences"]["histogram"]["2"] == 0 for m in d["meshes"])'
works convert rig:human --in-place remove -o place.glb
works convert rig:human --in-place parent -o carried.gltf
ok "  a node above the hips is added, and takes the motion" "$python" -IS -c '
import json
d = json.load(open("carried.gltf"))
root = [n["name"] for n in d["nodes"]].index("root")
assert len(d["nodes"][root]["children"]) == 1
assert any(c["target"] == {"node": root, "path": "translation"} for a in d["animations"] for c in a["channels"])'
fails 1 'has no node above it.*--in-place remove' convert dense.glb --in-place parent -o x.glb
echo "# smaller files"

input rig 'human?vertices=2000' -o large.glb
works convert large.glb --quantize --meshopt -o small.glb --json
json "both are told" 'd["packed"]["quantized"] and d["packed"]["compressed"] and \
    d["packed"]["bytes"] < 0.6 * d["packed"]["bytes_before"] and d["packed"]["meshes"] == 1'
json "  and how far vertices are off: less than 0.1 mm per meter" '0 < d["packed"]["max_error"] < 2e-4'
ok "  the size is that of the file" [ "$(wc -c <small.glb)" -eq "$("$python" -IS -c 'import json
print(json.load(open("out"))["packed"]["bytes"])')" ]
works convert large.glb --quantize -o small.glb
ok "  a sentence says so" grep -q 'quantized: vertices are at most 0[.][0-9]* mm off' err
works convert large.glb --meshopt -o small.glb
ok "  no loss, no such sentence" [ "$(grep -c 'mm off' err)" -eq 0 ]
works convert small.glb -o plain.glb
fails 3 'compressed already' convert small.glb --quantize -o x.glb
fails 1 'ends in .glb' convert large.glb --quantize -o x.gltf
works enhance large.glb --cor -o centered.glb
works convert centered.glb --quantize --meshopt -o small.glb
ok "  centers are computed again" grep -q 'computed again' err
works info small.glb
ok "  and fit" [ "$(grep -c 'left out' out)" -eq 0 ]

fails 1 'unknown clip' convert marked.gltf --clip nothing=x -o x.glb
fails 1 'two clips the name' convert marked.gltf --clip "$one=a" --clip "$two=a" -o x.glb
fails 1 'needs a part' convert marked.gltf --trim 1 -o x.glb
fails 1 'is not in it' convert marked.gltf --trim 100:101 -o x.glb
fails 1 'needs a length' convert marked.gltf --simplify-keys 3 -o x.glb
fails 1 'choices are remove, parent' convert marked.gltf --in-place keep -o x.glb
ok "  no failed command has left a file" [ ! -e x.glb ]

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
