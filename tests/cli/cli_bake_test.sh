#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt bake: animation textures with their error. sh tests/cli/cli_bake_test.sh PATH/TO/pelt

. "${0%/*}/cli_support.sh"

# -------------------------------------------------------------------------------------------------
echo "# Files"

# has_files FOLDER NAME TEXTURE: the four files of a bake and nothing else.
has_files()
{
    [ "$(ls -A "$1")" = "$(printf '%s\n' "$2.$3" "$2.glb" "$2.json" "$2_error.svg" | sort)" ]
}

same_files()
{
    for file in "$1"/*; do
        cmp -s "$file" "$2/${file##*/}" || return 1
    done
}

fits_terminal()
{
    awk 'length($0) > 100 { exit 1 }' "$1"
}

is_xml()
{
    "$python" -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1"
}

works bake 'rig:arm?vertices=400' -o arm
ok "  writes texture, JSON, mesh and plot" has_files arm arm ktx2
ok "  says so in one line" [ "$(grep -c '^pelt: wrote arm/arm.json, .ktx2, .glb and _error.svg: 3 clips' err)" -eq 1 ]
ok "  a row per clip" [ "$(grep -c '^  \(bend\|twist\|curl\) ' out)" -eq 3 ]
ok "  and the totals" grep -q ' bytes per joint and key' out
ok "  the table fits in 100 columns" fits_terminal out
ok "  no progress outside of a terminal" [ "$(tr -d '\r\033' <err | wc -c)" -eq "$(wc -c <err)" ]
ok "  the mesh has no clips" sh -c '"$1" info arm/arm.glb --json | grep -q "\"clips\": \[\]"' sh "$pelt"
if [ -n "$python" ]; then
    ok "  the plot is XML" is_xml arm/arm_error.svg
fi
ok "  with a panel per clip" [ "$(grep -c '^<circle ' arm/arm_error.svg)" -eq 3 ]
works bake 'rig:arm?vertices=400' -o one --threads 1
works bake 'rig:arm?vertices=400' -o two --threads 2
ok "  any number of threads gives the same bytes" same_files one two
for format in ktx2 png exr dds raw; do
    works bake 'rig:arm?vertices=400' --clip bend --format $format -o $format
    ok "  writes .$format" has_files $format arm $format
done
works bake 'rig:arm?vertices=400' --clip bend -o named/hero.json
ok "  another name" has_files named hero ktx2
works bake 'rig:arm?vertices=400' --clip bend -o named/hero.json
ok "  twice is as good as once" has_files named hero ktx2
input rig arm -o model.glb
works bake model.glb --clip bend -o model
ok "  the name is that of the file" has_files model model ktx2
"$pelt" bake - --clip bend -o piped <model.glb >out 2>err
ok "  or none in particular" has_files piped character ktx2
mkdir here && (cd here && "$pelt" bake 'rig:arm?vertices=400' --clip bend -o arm.json >/dev/null 2>&1)
ok "  in the folder itself" has_files here arm ktx2

# -------------------------------------------------------------------------------------------------
echo "# JSON"

# What one figure says about another, and files about both.
adds_up()
{
    "$python" - "$@" <<'SCRIPT'
import json, os, sys
d = json.load(open("out"))
near = lambda a, b: abs(a - b) <= 1e-6 * max(abs(a), abs(b))
height, clips, error = d["height"], d["clips"], d["error"]
for e in [error] + [c["error"] for c in clips]:
    for name in ["max", "p99", "rms", "max_at_keys"]:
        assert near(e[name + "_per_meter"], e[name] / height), name
    # A bin of the histogram is at most a hundred and twenty-eighth of its distance wide.
    assert 0 < e["rms"] <= e["p99"] <= e["max"] * 1.008 and e["max_at_keys"] <= e["max"]
    assert 0 <= e["normal_mean_degrees"] <= e["normal_max_degrees"]
for name in ["max", "max_at_keys", "normal_max_degrees"]:
    assert error[name] == max(c["error"][name] for c in clips), name
[worst] = [c for c in clips if c["name"] == d["worst_clip"]]
assert worst["error"] == error or worst["error"]["max"] == error["max"]
for c in clips:
    assert len(c["joints"]) == d["joints"] and len(c["chord_errors"]) == c["keys"]
    assert near(max(j["max"] for j in c["joints"]), c["error"]["max"])
    assert c["error"]["worst_joint"] in [j["name"] for j in c["joints"] if near(j["max"], c["error"]["max"])]
    assert 0 <= c["error"]["worst_time"] <= c["duration"]
    assert all(0 <= x < 1 for x in c["chord_errors"])
texture = d["texture"]
assert texture["bytes"] == texture["width"] * texture["height"] * {"rgba32ui": 16, "rgba16ui": 8, "rgba8ui": 4}[texture["texel"]]
assert all(os.path.getsize(f) > 0 for f in d["files"]) and d["bake_seconds"] > 0 < d["measure_seconds"]
[raw] = [f for f in d["files"] if f.endswith(".raw")]
assert os.path.getsize(raw) == texture["bytes"]
about = json.load(open(d["files"][0]))
assert [c["name"] for c in about["clips"]] == [c["name"] for c in clips]
assert about["texture"]["width"] == texture["width"] and about["height"] == height
assert sum(r["keys"] for r in about["clips"][0]["runs"]) == clips[0]["keys"]
SCRIPT
}

if [ -n "$python" ]; then
    for encoding in qt local matrix dq; do
        works bake rig:box --encoding $encoding --format raw --json -o json
        ok "  its figures add up" adds_up
        json "  says which encoding" "d['encoding'] == '$encoding' and d['budget'] is None"
    done
else
    skip "figures" "there is no python3"
fi
works bake 'rig:arm?vertices=400' --clip curl --clip bend --json -o some
json "  two clips in the order of the command line" '[c["name"] for c in d["clips"]] == ["curl", "bend"]'
json "  bits and rate by default" 'd["bits"] == 96 and d["rate"] == "keys"'
works bake 'rig:arm?vertices=400' --clip bend --bits 64 --rate 30 --json -o some
json "  bits and rate as asked" 'd["bits"] == 64 and d["rate"] == 30 and 29 < d["clips"][0]["rate"] < 31'
works bake 'rig:arm?vertices=400' --clip bend --socket hand --json -o some
json "  a socket is one more joint" 'd["joints"] == 6 and d["clips"][0]["joints"][5]["name"] == "hand"'
works bake 'rig:arm?vertices=400' --clip bend --texel rgba8ui --max-size 64 --json -o some
json "  texel and size" 'd["texture"]["texel"] == "rgba8ui" and max(d["texture"]["width"], d["texture"]["height"]) <= 64'
for method in lbs dqs mix crs; do
    works bake 'rig:arm?vertices=400' --clip bend --method $method --json -o some
    json "  measured by $method" "d['method'] == '$method'"
done
for encoding in qt vertex; do
    works bake 'rig:arm?vertices=400' --encoding $encoding --json -o fast
    cp out figures
    works bake 'rig:arm?vertices=400' --encoding $encoding --exact --json -o exact
    ok "  bakes the same bytes" cmp -s fast/arm.ktx2 exact/arm.ktx2
    # Both sides of a distance are off by 2e-6 of the size at most.
    json "  and finds the same error" 'd["exact"] and not json.load(open("figures"))["exact"] and all(abs(d["error"][k] - json.load(open("figures"))["error"][k]) <= 4e-6 * d["height"] for k in ("max", "rms"))'
done
make_named dqs
works bake named.gltf --clip bend --json -o some
json "  or by the method of the file" "d['method'] == 'dqs'"

# -------------------------------------------------------------------------------------------------
echo "# Budgets"

works bake 'rig:arm?vertices=400' --max-error 0.05mm --json -o budget
json "  the error stays within it" 'd["error"]["max"] <= 5e-5 and d["bits"] is None'
json "  which the report repeats" 'd["budget"] == {"max_error": 5e-5, "scope": "everywhere", "max_bytes": None}'
ok "  and the plot shows" [ "$(grep -c 'budget 0.05 mm' budget/arm_error.svg)" -eq 3 ]
works bake 'rig:arm?vertices=400' --encoding qt --rate keys --max-error 0.05mm --json -o budget
cp out strict
works bake 'rig:arm?vertices=400' --encoding qt --rate keys --max-error 0.5mm --bits auto --json -o budget
json "  ten times the error takes fewer bytes" 'd["texture"]["bytes"] < json.load(open("strict"))["texture"]["bytes"]'
works bake 'rig:arm?vertices=400' --encoding local --max-error 0.1mm/m --rate auto --json -o budget
json "  relative to the height" 'd["error"]["max_per_meter"] <= 1e-4 and abs(d["budget"]["max_error"] - 1e-4 * d["height"]) < 1e-9'
works bake 'rig:arm?vertices=400' --max-error 0.005cm@samples --json -o budget
json "  at samples only" 'd["error"]["max_at_keys"] <= 5e-5 and d["budget"]["scope"] == "samples"'
works bake 'rig:arm?vertices=400' --max-bytes 2kB --json -o budget
json "  a size" 'd["texture"]["bytes"] <= 2000 and d["budget"]["max_bytes"] == 2000'
fails 2 'it reaches' bake 'rig:arm?vertices=400' --max-error 0.000001mm -o x
fails 2 'bytes are needed' bake 'rig:arm?vertices=400' --max-bytes 100 -o x
fails 2 'more than the' bake 'rig:arm?vertices=400' --max-error 0.05mm --max-bytes 200 -o x
ok "  nothing was written" [ ! -e x ]

# -------------------------------------------------------------------------------------------------
echo "# What a budget alone finds"

works bake rig:box --max-error 0.1mm/m --json -o found
json "  the encoding is one of two" '[c["encoding"] for c in d["candidates"]] in (["local", "qt"], ["qt", "local"])'
json "  the first was chosen" 'd["encoding"] == d["candidates"][0]["encoding"] and d["candidates"][0]["chosen"]'
json "  the other takes no fewer bytes" 'd["candidates"][0]["bytes"] == d["texture"]["bytes"] <= d["candidates"][1]["bytes"]'
json "  the rate was searched" 'd["rate"] == "auto"'
json "  and the error is kept" 'd["error"]["max_per_meter"] <= 1e-4'
ok "  one sentence says why" [ "$(grep -c '^pelt: chose encoding [a-z]* .*, the fewest bytes within the error: ' err)" -eq 1 ]
for encoding in qt local; do
    works bake rig:box --encoding $encoding --max-error 0.1mm/m --json -o found
    json "  $encoding that was named is taken" "d['encoding'] == '$encoding' and d['candidates'] == [] and d['rate'] == 'auto'"
    ok "  without a word" sh -c '! grep -q chose err'
done
works bake rig:box --rate 60 --max-error 0.5mm/m --json -o found
json "  a rate that was named is kept" 'all(abs(c["rate"] - 60) < 1 for c in d["clips"]) and len(d["candidates"]) == 2'
works bake rig:box --rate keys --max-error 0.5mm/m --json -o found
json "  that of the keys, too" 'd["rate"] == "keys" and len(d["candidates"]) == 2'
works bake rig:box --max-bytes 3k --json -o found
json "  the smallest error in so many bytes" 'd["texture"]["bytes"] <= 3000 and d["candidates"][0]["reached"] <= d["candidates"][1]["reached"]'
ok "  one sentence says so" grep -q 'the smallest error within the bytes' err
fails 2 'it reaches' bake rig:box --max-error 1e-9mm -o x
ok "  nothing was written" [ ! -e x ]
fails 2 '--max-size' bake 'rig:human?vertices=20000' --encoding vertex --max-size 64 -o x
ok "  nothing was written" [ ! -e x ]

# -------------------------------------------------------------------------------------------------
echo "# What a bake cannot hold"

# make_scene FILE SCALE LAST: a triangle that grows to SCALE during LAST seconds, while a morph
# target moves it by 0.3 m.
make_scene()
{
    "$python" - "$@" <<'SCRIPT'
import base64, json, struct, sys
path, scale, last = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
parts = [(3, "VEC3", [0, 0, 0, 1, 0, 0, 0, 1, 0]), (3, "VEC3", [0, 0, 0.3] * 3), (2, "SCALAR", [0, last]),
         (2, "SCALAR", [0, 1]), (2, "VEC3", [1, 1, 1] + 3 * [scale])]
blob, views, accessors = b"", [], []
for i, (count, kind, values) in enumerate(parts):
    data = struct.pack("<%df" % len(values), *values)
    views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(data)})
    width = len(values) // count
    accessors.append({"bufferView": i, "componentType": 5126, "count": count, "type": kind,
                      "min": [min(values[k::width]) for k in range(width)], "max": [max(values[k::width]) for k in range(width)]})
    blob += data
clips = [{"name": name, "samplers": [{"input": 2, "output": output}], "channels": [{"sampler": 0, "target": {"node": 0, "path": target}}]}
         for name, output, target in [("smile", 3, "weights"), ("grow", 4, "scale")]]
json.dump({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"name": "face", "mesh": 0}],
           "meshes": [{"name": "face", "weights": [0], "primitives": [{"attributes": {"POSITION": 0}, "targets": [{"POSITION": 1}]}]}],
           "animations": clips, "accessors": accessors, "bufferViews": views,
           "buffers": [{"byteLength": len(blob), "uri": "data:application/octet-stream;base64," + base64.b64encode(blob).decode()}]},
          open(path, "w"))
SCRIPT
}

fails 2 'of the height' bake 'rig:arm?vertices=400' --encoding matrix --rate 1 -o x
# Between few keys, qt interpolates in model space and local along the skeleton.
works bake 'rig:human?vertices=2000' --clip walk --rate 6 --json -o open
json "  local is taken where qt is off by more than 1 % of the height" \
    'd["encoding"] == "local" and d["error"]["max_per_meter"] < 0.01'
ok "  and that is said" grep -q 'chose encoding local: qt is off by' err
fails 2 "off by up to" bake 'rig:human?vertices=2000' --clip walk --rate 6 --encoding qt -o open
works bake 'rig:arm?vertices=400' --encoding matrix --rate 1 --force --json -o forced
json "  more than 1 % of the height is written by force" 'd["error"]["max_per_meter"] > 0.01'
works bake 'rig:arm?vertices=400' --encoding matrix --rate 1 --max-error 5m -o forced
if [ -n "$python" ]; then
    make_scene face.gltf 2 1
    for encoding in qt local matrix dq; do
        fails 2 '--encoding vertex' bake face.gltf --encoding $encoding -o x
    done
    works bake face.gltf --clip grow -o face
    works bake face.gltf --encoding vertex --json -o face
    json "  vertices have morph targets" 'd["error"]["max"] < 1e-4 and d["lost"] == []'
    works bake face.gltf --clip smile --force --json -o face
    json "  joints are off by all of them" 'abs(d["error"]["max"] - 0.3) < 1e-6 and "morph" in d["lost"][0]'
    make_scene long.gltf 2 1e6
    fails 2 'lower rate' bake long.gltf --clip grow -o x
    works bake long.gltf --clip grow --max-error 1mm --json -o long
    json "  a budget needs no more than the two keys that the clip has" 'd["texture"]["bytes"] < 500'
    fails 2 'more than the 0.0 GB' bake face.gltf --clip grow --max-memory 1k -o x
    make_scene burst.gltf 3e38 1
    fails 2 'infinity' bake burst.gltf --clip grow --max-error 1mm/m -o x
fi
ok "  nothing was written" [ ! -e x ]

# Names that a JSON file cannot hold, or that look like paths when they are read.
for name in 'back\slash' 'http:name' "$(printf 'stray\377byte')"; do
    cp model.glb "./$name.glb"
    rm -rf names
    works bake "./$name.glb" --clip bend -o names
    works unbake names/*.json -o names/back.glb
done
fails 1 'may have no' bake 'rig:arm?vertices=400' --clip bend -o 'names/a:b.json'

# -------------------------------------------------------------------------------------------------
echo "# Mistakes"

fails 1 'needs INPUT' bake -o x
fails 1 'give -o DIR' bake 'rig:arm?vertices=400'
fails 1 'needs a folder' bake 'rig:arm?vertices=400' -o -
fails 1 'must be 64, 96 or 128' bake 'rig:arm?vertices=400' --bits 12 -o x
fails 1 'must be 2 to 24' bake 'rig:arm?vertices=400' --encoding local --bits 96 -o x
fails 1 'must be 8, 16 or 32' bake 'rig:arm?vertices=400' --encoding dq --bits x -o x
fails 1 'must be 4 to 16' bake 'rig:arm?vertices=400' --encoding vertex --bits 17 -o x
fails 1 'needs --max-error or --max-bytes' bake 'rig:arm?vertices=400' --bits auto -o x
fails 1 'leave one out' bake 'rig:arm?vertices=400' --bits 64 --max-bytes 1k -o x
fails 1 'needs --max-error or --max-bytes' bake 'rig:arm?vertices=400' --rate auto -o x
for rate in 0 -1 1e9 often nan; do
    fails 1 'keys, auto, or a number of Hz' bake 'rig:arm?vertices=400' --rate=$rate -o x
done
for length in 0.1 0mm -1mm 1inch 0.1mm@keys 0.1mm/mm nanmm infm; do
    fails 1 'such as 0.1mm' bake 'rig:arm?vertices=400' --max-error=$length -o x
done
for size in 0 -1 1T kB 1e30; do
    fails 1 'such as 50000, 64k' bake 'rig:arm?vertices=400' --max-bytes=$size -o x
done
fails 1 'did you mean bend' bake 'rig:arm?vertices=400' --clip benx -o x
fails 1 'clips are bend, twist, curl' bake 'rig:arm?vertices=400' --clip xyzzy -o x
fails 1 'did you mean hand' bake 'rig:arm?vertices=400' --socket hnd -o x
works bake rig:box --bake-layout thesis --padded --force --json -o padded
json "  4 joints are 10 rows of 8 bits, padded to 16" 'd["layout"] == "thesis" and d["bits"] == 8 and (
    d["texture"]["height"] == 16 and d["texture"]["width"] in (256, 512))'
fails 1 'needs --bake-layout thesis' bake 'rig:arm?vertices=400' --padded -o x
fails 1 'needs --encoding vertex' bake 'rig:arm?vertices=400' --openvat -o x
fails 1 'choices are' bake 'rig:arm?vertices=400' --bake-layout other -o x
fails 2 'No such file' bake missing.glb -o x
input deform 'rig:arm?vertices=400' -o still.glb
fails 2 'no clip to bake' bake still.glb -o x
if [ -n "$python" ]; then
    input rig arm -o bones.gltf
    edit bones.gltf 'g["nodes"] = [{k: v for k, v in n.items() if k not in ("mesh", "skin")} for n in g["nodes"]]'
    fails 2 'no mesh' bake bones.gltf -o x
fi
ok "  none of them made a folder" [ ! -e x ]
cp model.glb precious.glb
fails 1 'the input itself' bake precious.glb -o .
ok "  which is as it was" cmp -s precious.glb model.glb
fails 4 'No such file' bake 'rig:arm?vertices=400' -o missing/x
touch file
fails 4 'exists' bake 'rig:arm?vertices=400' -o file
mkdir shut && chmod a-w shut
if [ ! -w shut ]; then
    fails 4 'denied' bake 'rig:arm?vertices=400' -o shut
fi
code=0
(ulimit -f 16 && exec "$pelt" bake 'rig:arm?vertices=400' -o limited) >out 2>err || code=$?
ok "exit 4 when a file cannot grow" [ "$code" -eq 4 ]
ok "  and nothing is left, not even the folder" [ ! -e limited ]
ok "no temporary file is left" no_temporary

finish
