#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt bench: sh tests/cli/cli_bench_test.sh PATH/TO/pelt

. "${0%/*}/cli_support.sh"

input rig 'arm?vertices=1000' -o arm.glb
input deform rig:arm -o rigid.glb
mkdir folder

# Timings decide nothing: what is there, what is ordered, and what is whole.
export PELT_ISA=base
works bench --quick --json --plot deform.svg
unset PELT_ISA
ok "  is JSON" is_json out
json "  has deformers by four methods, mostly with the kernels that PELT_ISA names" '({r["method"] for r in
    d["deformers"]} == {"lbs", "dqs", "mix", "crs"} and all(r["isa"] == "base" for r in d["deformers"]
    if r["normals"] == "accurate" or r["order"] == "kept" or r["influences"] != "own"))'
json "  of ratios" 'all(r[k] > 0 for r in d["deformers"] for k in ("ns_per_vertex", "speedup", "memory_percent"))'
json "  a center takes 12 bytes, an order 4, and what is left of a block a little" '(lambda b: 12 <= b["crs",
    "sorted"] - b["lbs", "sorted"] < 12.5 and abs(b["lbs", "kept"] - b["lbs", "sorted"] - 4) < 0.1)({(r["method"],
    r["order"]): r["bytes_per_vertex"] for r in d["deformers"] if r["influences"] == "own" and
    r["normals"] == "standard"})'
json "  threads are compared with one" '(all(r["threads"] == d["threads"] and r["times_one_thread"] > 0
    for r in d["scaling"]) and len(d["scaling"]) == (4 if d["threads"] > 1 else 0))'
json "  preparation with frames and the mesh" '[r["influences"] for r in d["preparation"]] == [
    "own", "1", "2", "4", "8"] and all(r["reference_frames"] > 0 < r["bytes_to_mesh"] for r in d["preparation"])'
json "  and the reference with a plain loop" '[r["method"] for r in d["references"]] == ["loop", "lbs", "dqs",
    "mix", "crs", "lms", "sbs", "ddm"] and all(r["ratio_to_memory"] > 0 for r in d["references"])'
ok "  draws a whole picture" is_svg deform.svg
works bench deform --quick --methods crs --vertices 2000 --influences 3,8 --isa base --normals all --threads 1
ok "  measures every combination of lists" [ "$(grep -c '^  crs  .* base  *\(standard\|accurate\)  sorted' out)" -eq 4 ]
ok "  within 100 columns" awk 'length($0) > 100 { exit 1 }' out
fails 1 '"xyzzy" is not a valid method; choose from all, lbs, dqs, mix, crs' bench --methods lbs,xyzzy
fails 1 'a number of vertices is from 2000 to' bench --vertices 25k
fails 1 'suite cor has no --isa; deform has' bench cor --isa base
works bench load arm.glb --quick --json
ok "  is JSON" is_json out
ok "  of ratios" grep -q '"ratio_to_checksum": ' out
fails 2 'missing.glb' bench load missing.glb
fails 1 'takes no file' bench deform arm.glb
fails 1 'takes one file' bench load arm.glb arm.glb
fails 1 'suites are deform, pose, load, cor, normals, helpers, bake, gpu, crowd' bench xyzzy
works bench helpers --quick --json --plot helpers.svg
ok "  draws a whole picture" is_svg helpers.svg
ok "  has ratios" grep -q '"held_out_ratio": ' out
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
works bench pose arm.glb rig:human --quick --json
json "  players are near the reference" 'len(d["rows"]) == 2 and all(
    0 <= r["difference"] < 30 and r["player_ns"] > 0 for r in d["rows"])'
fails 2 'rigid.glb has no clips' bench pose rigid.glb
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
# Budgets of a human take seconds; by its name it is a file like others.
human=
rays=9
if [ "${PELT_SWEEP:-}" = full ]; then
    human='rig:human?vertices=2000'
    rays=12
fi
works bench bake arm.glb $human --quick --json --plot bake.svg
ok "  is JSON" is_json out
json "  has bakes of two rigs and of the file" \
    '{r["subject"] for r in d["encodings"]} - {"'"$human"'"} == {"rig:box", "rig:human", "arm.glb"}'
json "  and budgets of a rig and of the file" '{r["subject"] for r in d["budgets"]} >= {"rig:box", "arm.glb"}'
json "  of ratios" 'all(r[k] > 0 for r in d["encodings"] for k in ("bake_to_sample", "decode_to_sample"))'
json "  the error anywhere is at least that at keys" \
    'all(r["max"] >= r["keys_max"] and r["max"] >= r["median"] for r in d["encodings"])'
json "  bytes grow with bits" 'all(b[s, e[0]] < b[s, e[1]] < b[s, e[2]] for b in [{(r["subject"],
    r["encoding"]): r["bytes"] for r in d["encodings"] if r["rate"] == "keys"}]
    for s in ("rig:box", "rig:human") for e in (("qt 64", "qt 96", "qt 128"),
    ("matrix 8", "matrix 16", "matrix 32"), ("dq 8", "dq 16", "dq 32")))'
json "  budgets are kept" 'all((r["max_allowed"] is None or r["max"] <= r["max_allowed"]) and
    (r["bytes_allowed"] is None or r["bytes"] <= r["bytes_allowed"]) for r in d["budgets"])'
json "  has the layout of the thesis: 2 rows, and 2 or 3 for each joint" 'all(
    b[s, "thesis matrix 8"] * (2 * j + 2) == b[s, "thesis dq 8"] * (3 * j + 2)
    for b in [{(r["subject"], r["encoding"]): r["bytes"] for r in d["encodings"]}]
    for s, j in (("rig:box", 4), ("rig:human", 65), ("arm.glb", 5)))'
json "  matrices of which keep scale, dual quaternions not" 'all(b["thesis matrix 8"] < 10 and
    b["thesis dq 8"] > 50 for b in [{r["encoding"]: r["keys_max"] for r in d["encodings"]
    if r["subject"] == "rig:box"}])'
json "  bakes textures of bones as large as in the thesis, and counts those of vertices" 'all(
    {r["layout"] for r in rows} == {"thesis dq 8", "thesis matrix 8", "thesis vertex 8, counted"} and
    len(rows) == 11 and all(r["texels"] == r["thesis_texels"] for r in rows)
    for rows in [[r for r in d["document"] if r["thesis_texels"] is not None]])'
json "  measures its rays" '(all(r["max"] >= r["rms"] > 0 for r in d["rays"]) and len(d["rays"]) == '$rays' and
    {r["code"] for r in d["rays"]} == {"box", "ray", "ellipsoid"})'
ok "  draws a whole picture" is_svg bake.svg
fails 2 'missing.glb' bench bake missing.glb --quick
fails 2 'clips to bake' bench bake rigid.glb --quick
fails 4 'missing/cor.svg' bench cor --plot missing/cor.svg
fails 4 'folder' bench cor --plot folder
ok "  no picture is left half-written" no_temporary
fails 1 'no plot' bench load --plot cor.svg
fails 1 'both' bench cor --plot -
fails 1 'both' bench cor --plot same -o same
fails 2 'no skinned mesh' bench cor rigid.glb

# A driver need not optimize what it compiles where times decide nothing.
export GALLIVM_PERF=nopt
fails 1 'crowd has' bench cor --rig box
fails 1 'not both' bench crowd arm.glb --rig box
fails 1 'is a folder' bench crowd -o -
fails 4 'missing/deep' bench crowd -o missing/deep
fails 4 'no folder' bench crowd -o arm.glb/
run bench gpu --quick --json
if [ "$code" -eq 3 ]; then
    skip "suites that draw" "$(cat err)"
    ok "without OpenGL there is one sentence" is_one_sentence
    run bench crowd --quick -o results
    ok "  and exit 3 of crowds, too" [ "$code" -eq 3 ]
    ok "  and no folder" [ ! -e results ]
    finish
fi
ok "exit 0: pelt bench gpu --quick --json" [ "$code" -eq 0 ]
json "  has four methods by two rules" '{(r["method"], r["normals"]) for r in d["rows"]} == {("none",
    "standard")} | {(m, n) for m in ("lbs", "dqs", "mix", "crs") for n in ("standard", "accurate")}'
json "  of ratios to lbs" '(all(r["ratio_to_lbs"] > 0 for r in d["rows"]) and
    [r["ratio_to_lbs"] for r in d["rows"] if r["method"] == "lbs"][0] == 1)'
json "  with those of papers" 'any("(thesis 2019)" in (r["published"] or "") for r in d["rows"])'
json "  with the bytes of a joint" '({r["method"]: r["joint_bytes"] for r in d["rows"]} ==
    {"none": None, "lbs": 48, "dqs": 32, "mix": 80, "crs": 64})'
json "  and of a vertex: a center takes 12" '(lambda b: b["crs"] - b["lbs"])({r["method"]:
    r["vertex_bytes"] for r in d["rows"] if r["normals"] == "standard"}) == 12'
json "  names the renderer" 'd["renderer"] and "rig:human" in d["subject"]'
works bench gpu arm.glb --quick
ok "  measures the file" grep -q '^subject: arm.glb' out
fails 1 'unknown technique "xyzzy"' bench crowd --techniques control,xyzzy
names=$(sed 's/.*choose from all, //; s/ and /, /; s/,//g' err)
works help bench
for name in $names; do
    ok "  has technique $name" grep -q -w -- "$name" out
done
fails 2 'missing.glb' bench crowd --rig missing.glb
fails 2 'rigid.glb has no clips' bench crowd rigid.glb
fails 2 'rigid.glb has no clips' bench gpu rigid.glb

# One of each kind: a software driver takes a second to compile a decoder.
techniques=control,gpu-matrix,qt-posed
if [ "${PELT_SWEEP:-}" = full ]; then
    techniques=control,cpu-matrix,gpu-matrix,gpu-dq,gpu-crs,matrix-texture,dq-texture,qt-texture
    techniques=$techniques,vertex-texture,matrix-posed,qt-posed,thesis-matrix-texture,thesis-dq-texture
    techniques=$techniques,thesis-vertex-texture
fi
works bench crowd --quick --seconds 0.1 --techniques $techniques --json -o results
json "  has the techniques" '",".join(r["technique"] for r in d["techniques"]) == "'$techniques'"'
json "  with ratings" 'all(r["rating"] > 0 and r["points"] > 0 for r in d["techniques"])'
json "  and breakpoints in their order" 'all(a <= b for r in d["techniques"] for at in [[r[k] for k in
    ("at_120_fps", "at_60_fps", "at_30_fps") if r[k] is not None]] for a, b in zip(at, at[1:]))'
json "  textures have bytes" 'all((r["texture_bytes"] is None) == (not r["technique"].endswith(
    ("texture", "posed"))) for r in d["techniques"])'
json "  breakpoints are relative to control" '(d["breakpoints"][0]["technique"] == "control" and all(
    v in (None, 100) for k, v in d["breakpoints"][0].items() if k != "technique"))'
json "  t-tests have chances" 'd["tests"] and all(r["p"] is None or 0 <= r["p"] <= 1
    for r in d["tests"])'
json "  the mean rating is that of the points, rounded" 'all(abs(r["rating"] - sum(p) / len(p)) <= 1
    for r in d["techniques"] for p in [[q["rating"] for q in d["points"] if q["technique"] ==
    r["technique"]]])'
json "  samples have more and more instances" 'all(a["instances"] < b["instances"] for a, b in
    zip(d["points"], d["points"][1:]) if a["technique"] == b["technique"])'
json "  what is left out is compared with all" '(d["toggles"][0]["off"] == "nothing" and
    d["toggles"][0]["to_all_on_percent"] == 100)'
ok "  the folder has the same JSON" cmp -s out results/crowd.json
ok "  a picture" is_svg results/crowd.svg
ok "  and a table for each" [ "$(find results -type f | wc -l)" -eq 7 ]
ok "  with a head and as many rows" \
    [ "$(wc -l <results/crowd_techniques.csv)" -eq $(($(echo $techniques | tr ',' '\n' | wc -l) + 1)) ]
ok "  nothing is left half-written" no_temporary
works bench crowd --rig arm.glb --techniques control --seconds 0.1
ok "  measures the file by that technique" [ "$(grep -c '^  [a-z-]*  *\(few\|many\) ' out)" -eq 1 ]
ok "  within 100 columns" awk 'length($0) > 100 { exit 1 }' out
if without_driver bench crowd --quick; then
    skip "exit 3 without a driver" "this EGL finds its driver in another way"
else
    code=0
    without_driver bench crowd --quick || code=$?
    ok "exit 3 without a driver" [ "$code" -eq 3 ]
    ok "  one sentence on stderr" is_one_sentence
fi

finish
