#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt compare: sh tests/cli/cli_compare_test.sh PATH/TO/pelt

case $0 in
/*) tests=${0%/*}/.. ;;
*) tests=$PWD/${0%/*}/.. ;;
esac
. "${0%/*}/cli_support.sh"

# Pictures are few: what a driver compiles costs more than what it draws.
export GALLIVM_PERF=nopt

# without_pictures ARGUMENTS...: as works; pictures take longest by far.
without_pictures()
{
    works compare "$@" --no-pictures
}

echo "# the page"

# Two clips have figures of both, and so an order to be seen. All methods take seconds; they are
# wanted where a fact is about them.
methods='--method lbs,mix,crs'
[ "${PELT_SWEEP:-}" != full ] || methods=
works compare 'rig:arm?vertices=300' --frames 5 --clip bend --clip twist $methods -o report
ok "  says where the page is" grep -q '^pelt: wrote report/report.html' err
ok "  and nothing else, in a pipe" [ "$(grep -c -v 'no pictures' err)" -eq 1 ]
ok "  recommends a method" grep -q '^Use [a-z-]*: ' out
ok "  in lines of 100 columns" awk 'length($0) > 100 { exit 1 }' out
ok "  has no address to load from" [ "$(grep -c -E 'https?:|url\(|@import|<link [^>]*stylesheet|src="[^d]' report/report.html)" -eq 0 ]
ok "  is whole" [ "$(tail -n 1 report/report.html)" = '</html>' ]
ok "  report.json is JSON" is_json report/report.json
ok "  leaves nothing else" [ "$(ls -A report)" = "report.html
report.json" ]
cp report/report.json out
if grep -q '"pictures": true' report/report.json; then
    json "  measures what shaders take" \
        'all((c["cost"]["gpu"] or {}).get("seconds_per_vertex", 1) for c in d["contenders"])'
    # Three pictures of each moment: as it is, and colored by two metrics.
    json "  has pictures of all methods" '3 * len(d["figures"]) * len(d["contenders"]) == \
        open("report/report.html").read().count("data:image/png;base64,") > 0'
    json "  the first one shows the worst vertex" 'd["figures"][0]["visible"] >= 0.5'
else
    skip "pictures of a report" "$(grep OpenGL err)"
fi
without_pictures 'rig:arm?vertices=300' --frames 5 --clip bend --clip twist -o all
ok "  in lines of 100 columns" awk 'length($0) > 100 { exit 1 }' out
cp all/report.json out
json "  all methods take part" '[c["name"] for c in d["contenders"]] == ["lbs", "dqs",
    "dqs-distance", "mix", "mix-map", "crs", "lms", "sbs", "ddm"]'
json "  what shaders lack is not recommended" \
    '["dqs-distance", "lms", "sbs", "ddm"] == [c["name"] for c in d["contenders"] if not c["eligible"]]'
json "  crs needs 12 bytes per vertex, a map of mix factors 4, ddm blocks of some joints, others none" \
    '(lambda b: b[:-1] == [0, 0, 0, 0, 4, 12, 0, 0] and 20 + 56 <= b[-1] < 400)([c["cost"]["bytes_per_vertex"]
    for c in d["contenders"]])'
json "  the first figure is where the choice gains" \
    'd["figures"][0]["worst"] != d["recommendation"]["contender"]'

# A driver on the processor draws 280 000 triangles: those of one moment of this character.
if [ "${PELT_SWEEP:-}" = full ]; then
    works compare 'rig:human?vertices=9000' --frames 30 --no-times --method lbs,dqs,mix,crs,sbs,lms \
        --mix 0,0.25,0.75,1 -o dense
    cp err notes
    cp dense/report.json out
    if grep -q '"renderer": ".*llvmpipe' out; then
        json "a software driver draws one of several moments" 'len(d["figures"]) > 1 and \
            3 * len(d["contenders"]) == \
            open("dense/report.html").read().count("data:image/png;base64,")'
        ok "  and says so in one line" [ "$(grep -c 'fewer pictures.* 1 of [2-4] moments' notes)" -eq 1 ]
        ok "  on the page, too" grep -q 'There are fewer pictures' dense/report.html
    else
        skip "fewer pictures by a software driver" "this driver is another one, or there is none"
    fi
fi

echo "# without a driver"

without_driver compare 'rig:arm?vertices=300' --frames 5 --clip bend $methods -o dark
code=$?
cp err notes
cp dark/report.json out
if grep -q '"pictures": true' out; then
    skip "a report without a driver" "this EGL finds its driver in another way"
else
    ok "goes on without a driver" [ "$code" -eq 0 ]
    ok "  and says so in one line" [ "$(grep -c 'no pictures' notes)" -eq 1 ]
    ok "  on the page, too" grep -q 'There are no pictures' dark/report.html
    json "  nothing is measured on a GPU" 'd["renderer"] is None'
fi

echo "# closed forms"

if [ -z "$python" ]; then
    skip "closed forms" "there is no python3"
else
    # Chords of 20 000 vertices take less than 0.1 % from the volume of a twist.
    bar='rig:bar?vertices=20000'
    input rig "${bar#rig:}" -o bar.gltf
    input deform "$bar" -o rest.obj
    input deform "$bar" --clip bend120 --time 1 --method crs -o crs.obj
    without_pictures "$bar" --clip twist135 --clip bend120 --method lbs,dqs,crs --frames 4 -o bar
    ok "  the report has the numbers of the bar" \
        "$python" "$tests/cli/compare_bar.py" bar/report.json bar.gltf rest.obj crs.obj
fi

echo "# what is compared"

without_pictures 'rig:arm?vertices=300' --frames 5 --clip bend --method crs,lbs --json -o few
json "  methods in the order that was asked for" '[c["name"] for c in d["contenders"]] == ["crs", "lbs"]'
json "  one clip, five frames" '[len(m["times"]) for m in d["motions"]] == [5]'
ok "  the standard output is the file" cmp -s out few/report.json
without_pictures 'rig:arm?vertices=300' --frames 5 --clip bend --no-times -o once
without_pictures 'rig:arm?vertices=300' --frames 5 --clip bend --no-times -o again
ok "  without times a report is the same every time" diff -r once again
without_pictures 'rig:arm?vertices=300' --frames 5 --clip bend --method dqs,lms,mix --mix 1 --json -o mix
json "  mix at 1 is dqs" 'd["contenders"][0]["total"]["bulge"] == d["contenders"][2]["total"]["bulge"]'
without_pictures 'rig:bar?vertices=300' --frames 12 --clip twist180 --method mix,lbs,dqs \
    --mix 0,0.25,0.5,1 --no-times --json -o sweep
json "  one contender for each factor" '[(c["name"], c["mix"]) for c in d["contenders"]] == [
    ("mix-0", 0), ("mix-0.25", 0.25), ("mix-0.5", 0.5), ("mix-1", 1), ("lbs", None), ("dqs", None)]'
json "  0 is lbs and 1 is dqs" '[d["contenders"][i]["total"] for i in (0, 3)] == [
    d["contenders"][i]["total"] for i in (4, 5)]'
json "  in a twist by 180 degrees the radius grows with the factor" 'all(abs(c["total"]["collapse"] - (1 - c["mix"])) < 1e-3
    for c in d["contenders"][:4])'
ok "  plots over the factor" grep -q 'id="sweep"' sweep/report.html
without_pictures 'rig:bar?vertices=300' --frames 5 --clip bend120 --method mix --mix 1,0,0.5 -o unsorted
ok "  none where factors do not ascend" [ "$(grep -c 'id="sweep"' unsorted/report.html)" -eq 0 ]
if [ -n "$python" ]; then
    input rig 'arm?vertices=300' -o still.gltf
    edit still.gltf 'del g["animations"]'
    without_pictures still.gltf $methods --json -o still
    json "  joints bend and twist where there are no clips" \
        '{m["kind"] for m in d["motions"]} == {"bend", "twist"} and len(d["motions"]) % 2 == 0'
    # One joint rotates by 90 degrees: lbs leaves cos 45 in the middle of what its weights blend.
    json "  a twist by 90 degrees leaves at least cos 45 under lbs" \
        '0.05 < max(m["contenders"]["lbs"]["radius_loss"] for m in d["motions"] if m["kind"] == "twist") < 0.2929'
    input rig 'arm?vertices=300' -o painted.gltf
    edit painted.gltf 'import base64, struct
p = g["meshes"][0]["primitives"][0]["attributes"]
n = g["accessors"][p["POSITION"]]["count"]
data = struct.pack("<%df" % n, *([1.0] * n))
g["buffers"].append({"byteLength": len(data), "uri":
    "data:application/octet-stream;base64," + base64.b64encode(data).decode()})
g["bufferViews"].append({"buffer": len(g["buffers"]) - 1, "byteLength": len(data)})
g["accessors"].append({"bufferView": len(g["bufferViews"]) - 1, "componentType": 5126, "count": n, "type": "SCALAR"})
p["_PELT_MIX"] = len(g["accessors"]) - 1'
    without_pictures painted.gltf --frames 5 --clip bend --json -o painted
    json "  a map of mix factors takes part" '[c["name"] for c in d["contenders"]][3:5] == ["mix", "mix-map"]'
    json "  factors of 1 are dqs" 'len({c["total"]["bulge"] for c in d["contenders"] if c["name"] in ("dqs", "mix-map")}) == 1'
    json "  and mix keeps its own" 'len({c["total"]["bulge"] for c in d["contenders"] if c["name"] in ("mix", "mix-map")}) == 2'
    edit painted.gltf '[n.update(name="<script>%d</script>\"" % i) for i, n in enumerate(g["nodes"])]'
    without_pictures painted.gltf --frames 5 --clip bend $methods -o hostile
    ok "  names of files are text on the page" [ "$(grep -c '<script>' hostile/report.html)" -eq 1 ]
    ok "  and are there" grep -q '&lt;script&gt;1&lt;/script&gt;&quot;' hostile/report.html
else
    skip "files without clips, or with factors" "there is no python3"
fi
if [ -n "$python" ] && "$python" -c 'import jsonschema' 2>/dev/null; then
    ok "report.json is as docs/compare.schema.json says" "$python" -c 'import json, jsonschema, sys
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
for path in sys.argv[2:]:
    jsonschema.validate(json.load(open(path)), schema, jsonschema.Draft202012Validator)' \
        "$tests/../docs/compare.schema.json" */report.json
else
    skip "docs/compare.schema.json" "python3 has no jsonschema"
fi

echo "# samples"

short='--frames 5 --clip bend --method lbs,crs --no-times'
without_pictures 'rig:arm?vertices=300' $short --threads 1 -o one
without_pictures 'rig:arm?vertices=300' $short --threads 3 -o three
ok "  any number of threads gives the same bits" diff -r one three
if [ -n "$python" ]; then
    without_pictures 'rig:arm?vertices=300' --method lbs,dqs,crs --no-times --json -o part
    cp out sample
    json "  a sample says what it has of all" '(lambda s: s["surface_frames"] < s["frames"] <= s["all_frames"]
        and s["clips"] == s["all_clips"] > 1)(d["sampling"])'
    without_pictures 'rig:arm?vertices=300' --method lbs,dqs,crs --no-times --json --exact -o whole
    json "  --exact has all frames" '(lambda s: s["surface_frames"] == s["frames"] == s["all_frames"]
        and s["precision"] == 0)(d["sampling"])'
    json "  and recommends the same" \
        'd["recommendation"]["contender"] == json.load(open("sample"))["recommendation"]["contender"]'

    input rig 'arm?vertices=200' -o many.gltf
    edit many.gltf 'g["animations"] = [dict(g["animations"][0], name="c%d" % i) for i in range(700)]'
    without_pictures many.gltf --method lbs --no-times --json -o many
    json "  of 700 clips 256 are played" '[d["sampling"][k] for k in ("clips", "all_clips")] == [256, 700]'
    ok "  and the page says so" grep -q 'in 256 of 700 clips' many/report.html

    # A mesh that lists its triangles eight times is no surface.
    input rig 'arm?vertices=200' -o heap.gltf
    edit heap.gltf 'p = g["meshes"][0]["primitives"][0]
a = dict(g["accessors"][p["indices"]])
v = dict(g["bufferViews"][a["bufferView"]])
import base64
data = base64.b64decode(g["buffers"][0]["uri"].split(",")[1])
at = v.get("byteOffset", 0) + a.get("byteOffset", 0)
part = data[at:at + a["count"] * {5123: 2, 5125: 4}[a["componentType"]]] * 8
data += b"\0" * (-len(data) % 4)
a.update(bufferView=len(g["bufferViews"]), byteOffset=0, count=a["count"] * 8)
g["bufferViews"].append({"buffer": 0, "byteOffset": len(data), "byteLength": len(part)})
p["indices"] = len(g["accessors"])
g["accessors"].append(a)
data += part
g["buffers"][0] = {"byteLength": len(data),
    "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}'
    without_pictures heap.gltf --method lbs --no-times --json -o heap
    json "  of too many triangles four for each vertex are measured" \
        '(lambda s: s["triangles"] == 4 * d["character"]["vertices"] < s["all_triangles"])(d["sampling"])'
    ok "  and the page says so" grep -q 'triangles, too many for a surface' heap/report.html

    # A mesh that 100 nodes show with one skin deforms in one way.
    input rig 'arm?vertices=300' -o crowd.gltf
    without_pictures crowd.gltf $short --json -o alone
    json "few frames say how precise they are" '0 < d["sampling"]["precision"] < 0.5'
    ok "  in a sentence, too" grep -q 'gives shape errors within [0-9.]* %' alone/report.html
    cp out alone.json
    edit crowd.gltf 'node = next(n for n in g["nodes"] if "skin" in n)
for i in range(99):
    g["nodes"].append({"mesh": node["mesh"], "skin": node["skin"]})
    g["scenes"][0]["nodes"].append(len(g["nodes"]) - 1)'
    without_pictures crowd.gltf $short --json -o crowd
    json "  of 100 instances one is measured" '[d["sampling"][k] for k in ("instances", "all_instances")] == [1, 100]'
    json "  with the numbers of one" \
        '[c["total"] for c in d["contenders"]] == [c["total"] for c in json.load(open("alone.json"))["contenders"]]'

    # 100 times as large: lengths are in meters, and have three digits all the same.
    edit crowd.gltf 'g["nodes"] = g["nodes"][:-99]
g["scenes"][0]["nodes"] = g["scenes"][0]["nodes"][:-99]
[n.update(scale=[100, 100, 100]) for i, n in enumerate(g["nodes"]) if i in g["scenes"][0]["nodes"]]'
    without_pictures crowd.gltf $short --json -o giant
    json "  small numbers have three significant digits" '(lambda found: len(found) > 1 and
        all(len(t.replace(".", "").lstrip("0")) >= 3 for t in found))(__import__("re").findall(
        r"([0-9.]+) m under", d["recommendation"]["summary"]))'

    # All weight on the strongest joint: no method blends anything.
    input rig 'arm?vertices=300' -o rigid.gltf
    edit rigid.gltf 'import base64, struct
a = g["accessors"][g["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]]
n = a["count"]
data = struct.pack("<%df" % (4 * n), *([1.0, 0.0, 0.0, 0.0] * n))
g["buffers"].append({"byteLength": len(data), "uri":
    "data:application/octet-stream;base64," + base64.b64encode(data).decode()})
g["bufferViews"].append({"buffer": len(g["buffers"]) - 1, "byteLength": len(data)})
a.update(bufferView=len(g["bufferViews"]) - 1, byteOffset=0, componentType=5126)
a.pop("normalized", None)'
    without_pictures rigid.gltf --frames 5 --clip bend --no-times -o rigid
    ok "  where all methods are equal, they tie" grep -q '^Use lbs: all methods tie' out
    works enhance rigid.gltf --mix-map -o mixed.gltf
    ok "  and there are no mix factors to compute" grep -q 'no vertex follows more than one joint' err

    echo "# the page in a browser"
    cp rigid.gltf "$(printf 'bad\377name.gltf')"
    without_pictures "$(printf 'bad\377name.gltf')" $short -o bytes
    ok "  is UTF-8, whatever files are called" "$python" -c 'open("bytes/report.html", encoding="utf-8").read()'
    ok "  runs its own script and no other" "$python" -c 'import base64, hashlib, re
page = open("bytes/report.html", encoding="utf-8").read()
policy = re.search("Content-Security-Policy\" content=\"([^\"]*)\"", page).group(1)
script = page.split("<script>")[1].split("</script>")[0]
digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
assert "default-src \x27none\x27" in policy and "sha256-" + digest in policy, digest'

    echo "# on a terminal"
    cat >terminal.py <<'END'
import os, pty, re, signal, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], [sys.argv[1], "compare", "rig:human?vertices=6000", "--exact",
             "--method", "lbs,dqs", "--no-pictures", "--no-times", "-o", "stopped"])
shown, end = b"", time.time() + 120
while b" left" not in shown and time.time() < end:
    shown += os.read(terminal, 4096)
assert re.search(rb"measuring +\d+ %, about \d+ (s|min) left", shown), shown
os.kill(pid, signal.SIGINT)
rest = b""
try:
    while True:
        part = os.read(terminal, 4096)
        if not part:
            break
        rest += part
except OSError:
    pass
status = os.waitpid(pid, 0)[1]
assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGINT, status
assert rest.endswith(b"\r\x1b[K"), rest
assert not os.path.exists("stopped")
END
    ok "shows the time that is left; Ctrl-C ends it and leaves nothing" "$python" terminal.py "$pelt"
else
    skip "samples, terminals" "there is no python3"
fi

echo "# mistakes"

fails 1 'leave out --frames' compare rig:arm -o x --exact --frames 5

fails 1 'give the folder' compare rig:arm
fails 1 'unknown clip' compare rig:arm -o x --clip nothing
fails 1 'unknown method' compare rig:arm -o x --method lbs,dqz
fails 1 'twice' compare rig:arm -o x --method lbs,lbs
fails 1 'leaves out' compare rig:arm -o x --method lbs --mix 0.3
fails 1 'twice' compare rig:arm -o x --mix 0.3,0.30
fails 1 'from 0 to 1' compare rig:arm -o x --mix 0.3,1.5
fails 1 'up to 8' compare rig:arm -o x --mix 0,.1,.2,.3,.4,.5,.6,.7,.8
fails 1 'frames' compare rig:arm -o x --frames 0
fails 2 'No such file' compare missing.glb -o x
: >taken
fails 4 'folder' compare 'rig:arm?vertices=300' --clip bend --frames 5 --method lbs --no-pictures -o taken
fails 4 'folder' compare 'rig:arm?vertices=300' --clip bend --frames 5 --method lbs --no-pictures -o missing/folder
if [ -n "$python" ]; then
    input rig box -o loose.gltf
    edit loose.gltf '[n.pop("skin", None) for n in g["nodes"]]'
    fails 2 'skeleton' compare loose.gltf -o x
fi
if [ -n "$python" ]; then
    echo "# one joint: nothing to bend"
    "$python" - <<END
import base64, json, struct
data = struct.pack("<9f12B12B3H", 0, 0, 0, 1, 0, 0, 0, 1, 0, *[0] * 12, *[255, 0, 0, 0] * 3, 0, 1, 2)
views = [(0, 36), (36, 12), (48, 12), (60, 6)]
json.dump({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
           "nodes": [{"mesh": 0, "skin": 0}, {}], "skins": [{"joints": [1]}],
           "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}, "indices": 3}]}],
           "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
                         {"bufferView": 1, "componentType": 5121, "count": 3, "type": "VEC4"},
                         {"bufferView": 2, "componentType": 5121, "count": 3, "type": "VEC4", "normalized": True},
                         {"bufferView": 3, "componentType": 5123, "count": 3, "type": "SCALAR"}],
           "bufferViews": [{"buffer": 0, "byteOffset": o, "byteLength": n} for o, n in views],
           "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]},
          open("one.gltf", "w"))
END
    without_pictures one.gltf --method lbs,dqs -o one
    ok "one frame is not several" sh -c 'tr "\n" " " <out | grep -q "surface and 1 frame of 1 pose"'
    ok "  on the page as well" grep -q '1 frame of each method' one/report.html
fi

ok "no failed command has left a folder" [ ! -e x ]
ok "and no temporary file" no_temporary

finish
