#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt enhance: centers of rotation, normal factors, mix factors, twist and helper joints.
# sh tests/cli/cli_enhance_test.sh PATH/TO/pelt

. "${0%/*}/cli_support.sh"

input deform rig:arm -o posed.glb
mkdir folder.glb

# -------------------------------------------------------------------------------------------------
echo "# --cor"

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
    if [ -n "$python" ]; then
        "$python" -c 'import json
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
ok "  says what it wrote" grep -q 'better.glb.*1 of 1' err
ok "  says how many have how many influences" grep -q influences err
ok "  says by whom they were computed" grep -q 'solver fast' err
ok "  no progress outside of a terminal" [ "$(tr -d '\r\033' <err | wc -c)" -eq "$(wc -c <err)" ]
works info better.glb
ok "  the file has centers" grep -q ' cors ' out
positions plain.glb --clip walk --time 0.4 >own
positions better.glb --clip walk --time 0.4 >kept
ok "  which are those that deform computes" cmp -s kept own
ok "  and there are some" [ -s own ]
works deform better.glb --method crs --json -o x.ply
json "  deform computes none for it" 'd["cor"] is None'
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
    works enhance plain.glb --cor --solver $solver --json -o solver.glb
    json "  says so" "d['cor']['solver'] == '$solver'"
done
works enhance plain.glb --cor --solver paper --omega 0.2 --cutoff 1e-4 --json -o solver.glb
json "  the summary has omega" 'd["cor"]["omega"] == 0.2'
works enhance plain.glb --cor --epsilon off --json -o whole.glb
json "  epsilon is null then" 'd["cor"]["epsilon"] is None'
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
ok "  a rig becomes a file" [ "$(first 4 rigged.glb)" = glTF ]
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
if [ -n "$python" ]; then
    "$python" - <<'SCRIPT'
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
    json "  one problem" 'd["cor"]["problems"] == 1'
    json "  of two meshes" 'd["cor"]["meshes"] == 2'
    positions bar.gltf --time 1 --solver full >kept
    cat kept kept >twice
    positions halves.glb --time 1 >kept
    ok "  halves have the centers of the whole" cmp -s kept twice
    positions halves.gltf --time 1 --solver full >kept
    ok "  also when deform computes them" cmp -s kept twice
    works enhance skins.gltf --cor --solver full --json -o skins.glb
    json "  two skins, two problems" 'd["cor"]["problems"] == 2'
fi

fails 1 'give --cor' enhance plain.glb -o x.glb
fails 1 'give --cor' enhance plain.glb --sigma 0.2 -o x.glb
fails 1 'give -o' enhance plain.glb --cor
fails 1 'needs INPUT' enhance --cor -o x.glb
fails 1 '.glb or .gltf' enhance plain.glb --cor -o x.obj
fails 1 '.glb or .gltf' enhance plain.glb --cor -o x
fails 1 'both need' enhance plain.glb --cor -o - --json
fails 1 'takes no value' enhance plain.glb --cor=auto -o x.glb
fails 1 'choices are fast, full, paper' enhance plain.glb --cor --solver xyz -o x.glb
fails 1 'from 0.001' enhance plain.glb --cor --sigma 0 -o x.glb
fails 1 'from 0.001' enhance plain.glb --cor --epsilon -1 -o x.glb
fails 1 'number or off' enhance plain.glb --cor --epsilon on -o x.glb
fails 1 'goes with --solver paper' enhance plain.glb --cor --omega 0.2 -o x.glb
fails 1 'goes with --solver paper' enhance plain.glb --cor --solver full --cutoff 1e-3 -o x.glb
fails 2 'no skinned mesh' enhance posed.glb --cor -o x.glb
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
echo "# --normals"

# shaded INPUT ARGUMENTS...: vertices and normals of a pose under crs.
shaded()
{
    "$pelt" deform "$@" --method crs --clip walk --time 0.4 -o - --format obj 2>/dev/null |
        grep '^vn* '
}

normal_counts_add_up()
{
    if [ -n "$python" ]; then
        "$python" -c 'import json
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
ok "  says what it wrote" grep -q 'shaded.glb.*1 of 1.*1 of 1' err
ok "  says for which methods" grep -q 'lbs, dqs, mix and crs$' err
works info shaded.glb
ok "  the file has factors" grep -q ' cors normal-factors ' out
ok "  and needed no repairs" grep -q 'no repairs' out
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
ok "  factors do not outlive their centers" grep -q 'dropped the normal factors' err
works info stale.glb
ok "  which are gone" grep -q ' cors  ' out
works enhance shaded.glb --cor --normals --normal-joints 3 --json -o three.glb
ok "  the summary is JSON" is_json out
ok "  its numbers add up" normal_counts_add_up
works enhance plain.glb --cor --normals -o shaded.gltf
ok "  says how they came about" grep -q '"pelt_normals"' shaded.gltf
works enhance shaded.gltf --cor -o stale.gltf
ok "  and no longer, when they are gone" [ "$(grep -c 'pelt_normals\|_PELT_NORMAL' stale.gltf)" -eq 0 ]
# A file whose meshes another tool has changed: other digests represent other positions.
sed 's/"digest": *"[0-9a-f]*"/"digest": "0123456789abcdef"/g' shaded.gltf >changed.gltf
works info changed.gltf
ok "  data that do not fit are left out" [ "$(grep -c 'left out' out)" -eq 2 ]
works deform changed.gltf --method crs --normals accurate --clip walk --time 0.4 -o changed.ply
ok "  and computed again, with a word" [ "$(grep -c 'computed again' err)" -eq 2 ]
works deform shaded.gltf --method crs --normals accurate --cor compute --clip walk --time 0.4 -o fresh.ply
ok "  as if there were none" cmp -s changed.ply fresh.ply
works deform changed.gltf -o changed.ply
ok "  which lbs does not need" [ "$(grep -c 'computed again' err)" -eq 0 ]
works enhance changed.gltf --normals -o renewed.gltf
ok "  enhance brings back both" cmp -s renewed.gltf shaded.gltf
works enhance changed.gltf --cor -o renewed.gltf
ok "  or says what is missing" grep -q 'dropped the normal factors' err
works enhance shaded.glb --twist forearm_l -o twisted.glb
ok "  factors do not outlive their weights" grep -q 'dropped the normal factors' err
works enhance shaded.glb --twist forearm_l --cor --normals --json -o twisted.glb
json "  unless all is asked for" 'd["twist"]["dropped_factors"] == 1 and d["normals"]["meshes"] == 1'
works info twisted.glb
ok "  in the order that they need" grep -q ' cors normal-factors ' out
ok "  and right" grep -q 'no repairs' out
works enhance rig:cloth --normals --normal-joints 8 -o cloth.glb
ok "  a rig becomes a file" [ "$(first 4 cloth.glb)" = glTF ]
for bits in 16 8; do
    works enhance plain.glb --cor --normals --normal-bits $bits -o bits$bits.glb
    ok "  says what $bits bits cost" grep -q "$bits bits .* degrees" err
    works enhance plain.glb --cor --normals --normal-bits $bits --json -o bits$bits.glb
    json "  in JSON too" '0 < d["normals"]["rounding_degrees"]["mean"] < 1'
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
fails 1 'choices are 32, 16, 8' enhance plain.glb --normals --normal-bits 12 -o x.glb
fails 1 'no effect without --normals' enhance plain.glb --cor --normal-bits 8 -o x.glb
fails 1 'choices are 2, 3, 4, 8' enhance plain.glb --normals --normal-joints 5 -o x.glb
fails 1 'no effect without --normals' enhance plain.glb --cor --normal-joints 2 -o x.glb
fails 1 'takes no value' enhance plain.glb --normals=4 -o x.glb
fails 2 'no skinned mesh with normals' enhance posed.glb --normals -o x.glb
ok "no failed command has left a file" [ ! -e x.glb ]

# -------------------------------------------------------------------------------------------------
echo "# --twist"

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
    if [ -n "$python" ]; then
        "$python" -c 'import json
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
ok "  says what it wrote" grep -q twisted.glb err
ok "  says which twist" grep -q 'forearm_l to hand_l.* 80 degrees' err
ok "  lost nothing, and says nothing of it" [ "$(grep -c 'not carried over' err)" -eq 0 ]
ok "  says how many influences" grep -q '[3-5] influences' err
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
works enhance plain.glb --twist auto --json -o auto.glb
json "  auto finds arms and thighs" 'd["twist"]["joints"] == 18 and len(d["twist"]["bones"]) == 6'
works enhance 'rig:human?vertices=2000' --twist auto -o rigged.glb
works deform rigged.glb -o rigged.obj
works deform auto.glb -o auto.obj
ok "  a rig gives the same character" cmp -s rigged.obj auto.obj
works enhance plain.glb --twist auto:2 --max-influences 2 --json -o few.glb
json "  auto takes a count" 'd["twist"]["joints"] == 12 and len(d["twist"]["bones"]) == 6'
json "  weak influences are dropped" 'd["twist"]["max_influences"] == 2 and d["twist"]["pruned"] > 0'
works enhance plain.glb --twist auto --cor --json -o both.glb
json "  both in one" 'd["twist"]["joints"] == 18 and d["cor"]["meshes"] == 1'
works enhance auto.glb --cor -o later.glb
positions both.glb --clip twist --time 0.75 >kept
positions later.glb --clip twist --time 0.75 >own
ok "  centers are those of the new weights" cmp -s kept own
works enhance better.glb --twist forearm_l -o x2.glb
ok "  says that old centers are gone" grep -q 'dropped the centers of rotation.*--cor' err
works info x2.glb
ok "  and they are" [ "$(grep -c ' cors ' out)" -eq 0 ]
works enhance plain.glb --twist auto -o -
ok "  - is the standard output" cmp -s out auto.glb
works enhance rig:cloth --twist auto --cor -o cloth.glb
ok "  auto that finds nothing leaves the rest to do" grep -q 'no bone needs twist joints' err
works enhance rig:cloth --twist auto -o untwisted.glb
ok "  auto that finds nothing says so" grep -q 'no bone needs twist joints' err
ok "  and writes the character as it is" grep -q 'nothing to add' err
if [ -n "$python" ]; then
    works rig cloth -o cloth.gltf
    # The first UV becomes infinite, which reading sets to 0.
    "$python" -IS - <<'SCRIPT'
import base64, json, struct
tree = json.load(open("cloth.gltf"))
head, body = tree["buffers"][0]["uri"].split(",")
body = bytearray(base64.b64decode(body))
uvs = tree["accessors"][tree["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"]]
struct.pack_into("<f", body, tree["bufferViews"][uvs["bufferView"]]["byteOffset"], float("inf"))
tree["buffers"][0]["uri"] = head + "," + base64.b64encode(body).decode()
json.dump(tree, open("infinite.gltf", "w"))
SCRIPT
    works info infinite.gltf
    ok "  reading repairs it" grep -q 'TEXCOORD_0.*not finite' out
    works enhance infinite.gltf --twist auto -o kept.gltf
    ok "  what is not added stays as it is" "$python" -IS -c 'import json
assert json.load(open("infinite.gltf")) == json.load(open("kept.gltf"))'
    works enhance infinite.gltf --twist auto --cor -o kept.gltf
    works enhance infinite.gltf --cor -o cor.gltf
    ok "  and so with --cor" cmp -s kept.gltf cor.gltf
else
    skip "numbers that are not finite" "there is no python3"
fi
fails 1 'did you mean forearm_l' enhance plain.glb --twist forarm_l -o x.glb
fails 1 'info --joints' enhance plain.glb --twist zzzzzz -o x.glb
fails 1 'has no child joint' enhance plain.glb --twist jaw -o x.glb
fails 1 'several equal bones' enhance plain.glb --twist hand_l -o x.glb
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
    while kill -0 $terminal 2>/dev/null && ! grep -q ' %' shown; do sleep 0.05; done
    kill -TERM "$(cat process)"
    code=0
    { wait $terminal || code=$?; } 2>/dev/null
    ok "long work shows how far it is on a terminal" grep -q 'centers of rotation  *[0-9]* %' shown
    ok "  killed half-way, it says how it died" [ "$code" -eq 143 ]
    ok "  and the file is as it was" cmp -s large.glb kept.glb
fi
ok "no temporary file is left anywhere" no_temporary

# -------------------------------------------------------------------------------------------------
echo "# --bounds"

works enhance plain.glb --bounds -o boxed.glb
ok "  says what it wrote" grep -q 'boxes for 1 of 1 mesh' err
works info boxed.glb --bounds --json
json "  the file has boxes for lbs" 'd["bounds"][0]["method"] == "lbs"'
json "  one for each clip" '[c["name"] for c in d["bounds"][0]["clips"]] == [c["name"] for c in d["clips"]]'
json "  and for each joint" 'len(d["bounds"][0]["joints"]) == len(d["skins"][0]["joints"])'
json "  all within the whole" 'all(c["box"][1] >= d["bounds"][0]["box"][1] and c["box"][4] <= d["bounds"][0]["box"][4] for c in d["bounds"][0]["clips"])'
works info boxed.glb --bounds
ok "  as text, too" grep -q 'bounds of mesh 0 for method lbs' out
works info plain.glb --bounds
ok "  and says where there are none" grep -q 'pelt enhance --bounds adds them' out
works enhance boxed.glb --bounds -o again.glb
ok "  twice is as good as once" cmp -s again.glb boxed.glb
works convert boxed.glb -o copied.glb
works info copied.glb --bounds
ok "  copies keep them" grep -q 'bounds of mesh 0' out
works enhance boxed.glb --twist auto -o twisted.glb
works info twisted.glb --bounds
ok "  other weights do not" grep -q 'bounds: none' out
works enhance rig:human --bounds --cor --method crs --json -o x.glb
json "  measured for crs" 'd["bounds"]["method"] == "crs" and d["bounds"]["meshes"] == 1 and d["bounds"]["frames"] > 100'
fails 2 'add --cor' enhance plain.glb --bounds --method crs -o absent.glb
ok "  writes nothing" [ ! -e absent.glb ]
fails 1 'no effect without --bounds' enhance plain.glb --cor --method crs -o absent.glb

# -------------------------------------------------------------------------------------------------
echo "# --carrier"

works enhance plain.glb --cor --mix-map -o own.glb
works enhance plain.glb --cor --mix-map --carrier texcoord -o carried.gltf
ok "  says where" grep -q 'as UV sets 2 and 3' err
ok "  no attributes of pelt's own" sh -c '! grep -q _PELT_ carried.gltf'
ok "  all sets from 0 to 3, as glTF asks" sh -c 'for i in 0 1 2 3; do grep -q TEXCOORD_$i carried.gltf || exit 1; done'
works info carried.gltf
ok "  read as centers and mix factors" grep -q ' cors mix ' out
ok "  and not as UV sets" sh -c '! grep -q uvs\(4\) out'
for method in crs mix; do
    "$pelt" deform own.glb --method $method --clip walk --time 0.4 -o - --format obj 2>/dev/null >one
    "$pelt" deform carried.gltf --method $method --clip walk --time 0.4 -o - --format obj 2>/dev/null >two
    ok "  $method deforms as with attributes" cmp -s one two
done
works enhance carried.gltf --cor -o kept.gltf
ok "  the next enhancement keeps the carrier" grep -q pelt_carrier kept.gltf
works convert carried.gltf -o copied.glb
works info copied.glb
ok "  copies keep it" grep -q ' cors mix ' out
works enhance carried.gltf --carrier attributes -o back.gltf
ok "  back again" sh -c '! grep -q "TEXCOORD_3\|pelt_carrier" back.gltf && grep -q _PELT_COR back.gltf'
sed 's/pelt_carrier/other_member/' carried.gltf >uvs.gltf
works enhance uvs.gltf --cor --carrier texcoord -o uvs2.gltf
ok "  UV sets of the mesh stay, with one sentence" grep -q '1 of 1 mesh has UV sets 2 or 3 of its own' err
ok "  and centers are attributes" grep -q _PELT_COR uvs2.gltf
works info uvs2.gltf
ok "  nothing is lost" grep -q 'uvs(4)' out
sed 's/"digest": *"[0-9a-f]/"digest": "z/' carried.gltf >stale.gltf
works info stale.gltf
ok "  the digest is checked" grep -q 'belong to other positions' out
fails 2 'add --cor or --mix-map' enhance plain.glb --carrier texcoord -o absent.glb
fails 1 carrier enhance plain.glb --cor --carrier colors -o absent.glb

# -------------------------------------------------------------------------------------------------
echo "# --mix-map"

works rig 'bar?vertices=400' -o bar.glb
works enhance bar.glb --mix-map --json -o mixed.glb
json "  says what was found" \
    'd["mix"]["meshes"] == 1 and d["mix"]["energy"] < d["mix"]["fixed_energy"] and d["cor"] is None'
works info mixed.glb
ok "  the file has factors" grep -q ' mix ' out
works enhance bar.glb --mix-map --threads 1 -o mixed1.glb
ok "  one thread gives the same bits" cmp -s mixed1.glb mixed.glb
ok "  says how much is won" grep -q 'rms error .* mm, against .* under lbs' err
works enhance mixed.glb --cor -o both.glb
works info both.glb
ok "  other data leaves them" grep -q ' cors mix' out
for file in bar.glb mixed.glb; do
    "$pelt" deform $file --method mix --clip bend120 --time 0.8 -o $file.obj 2>/dev/null
done
ok "  mix uses them" sh -c '! cmp -s bar.glb.obj mixed.glb.obj'
works enhance bar.glb --mix-map --mix-weights 1,0,0,0 --mix-frames 3 -o x.glb
fails 1 'mix-frames has no effect without --mix-map' enhance bar.glb --cor --mix-frames 3 -o x.glb
for weights in 1,1,1 0,0,0,1 1,-1,1,1 1,1,1,1,1 nan,1,1,1; do
    fails 1 'give four numbers' enhance bar.glb --mix-map --mix-weights $weights -o x.glb
done

# -------------------------------------------------------------------------------------------------
echo "# methods that files name"

make_named dqs
for kind in --cor '--twist elbow'; do
    works enhance named.gltf $kind -o named.glb
    works info named.glb --json
    json "  the method stays" 'd["meshes"][0]["method"] == "dqs"'
done

# -------------------------------------------------------------------------------------------------
echo "# --helpers"

works enhance plain.glb --helpers 8 --json -o helped.glb
json "  are as many" 'd["helpers"]["count"] == 8 and len(d["helpers"]["joints"]) == 8'
json "  come closer to crs" 'd["helpers"]["held_out"]["rms"] < 0.5 * d["helpers"]["held_out"]["lbs_rms"]'
json "  have a curve" '[s["helpers"] for s in d["helpers"]["curve"]] == [0, 1, 2, 4, 8]'
linear plain.glb >before
linear helped.glb >after
ok "  bind pose in, bind pose out" near before after 2e-6
linear helped.glb --clip squat --time 1 >by_rule
works enhance plain.glb --helpers 8 --helper-motion driven -o driven.glb
linear driven.glb --clip squat --time 1 >driven
ok "  no tracks are needed where the rule is known" near by_rule driven 0
positions plain.glb --clip squat --time 1 >goal
linear plain.glb --clip squat --time 1 >lbs
far()
{
    ! near "$@"
}

ok "  lbs is off" far lbs goal 2e-2
ok "  and helpers are near" near by_rule goal 2e-2
works convert helped.glb -o copy.glb
linear copy.glb --clip squat --time 1 >copied
ok "  rules are copied" near by_rule copied 0
works enhance helped.glb --cor -o more.glb
linear more.glb --clip squat --time 1 >copied
ok "  and kept with additions" near by_rule copied 0
works enhance plain.glb --twist forearm_l --max-influences 4 --helpers 2 -o both.glb
works enhance plain.glb --max-error 1m --like dqs --json -o one.glb
json "  stops at the error that is asked for" 'd["helpers"]["is_reached"] and d["helpers"]["count"] == 1'
works enhance plain.glb --helpers 2 --plot curve.svg -o two.glb
ok "  draws the curve" grep -q "helper joints" curve.svg
works enhance plain.glb --helpers 40 --max-joints 10 --json -o few.glb
json "  keeps the limit of joints" 'd["helpers"]["count"] <= 10'
input convert plain.glb --max-influences 1 -o rigid.glb
works enhance rigid.glb --helpers 8 -o rigid_helped.glb
ok "where linear blending is exact, no helpers are added" grep -q 'linear blending is exact' err
input deform rigid.glb --time 0.4 -o rigid.ply
input deform rigid_helped.glb --time 0.4 -o rigid_helped.ply
ok "  and nothing changes" cmp rigid.ply rigid_helped.ply
fails 1 'already' enhance helped.glb --helpers 2 -o x.glb
fails 1 'without --helpers' enhance plain.glb --cor --like dqs -o x.glb
fails 1 'needs no helper joints' enhance plain.glb --helpers 2 --like lbs -o x.glb
fails 1 'needs a length' enhance plain.glb --max-error thin -o x.glb
fails 1 'must be' enhance plain.glb --helpers 0 -o x.glb

finish
