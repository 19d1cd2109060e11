#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt batch: many characters, failures among them, interruptions, shards, rules of a project.
# sh tests/cli/cli_batch_test.sh PATH/TO/pelt

case $0 in
/*) tests=${0%/*}/.. ;;
*) tests=$PWD/${0%/*}/.. ;;
esac
. "${0%/*}/cli_support.sh"

# same_files A B: the same relative paths with the same bytes, without what batch remembers.
same_files()
{
    (cd "$1" && find . -name .pelt-batch -prune -o -type f -print | sort | xargs sha256sum) >a.sums
    (cd "$2" && find . -name .pelt-batch -prune -o -type f -print | sort | xargs sha256sum) >b.sums
    [ -s a.sums ] && diff a.sums b.sums
}

mkdir -p models/arms models/.hidden
input rig box -o models/box.glb
input rig bar -o models/bar.gltf
input rig arm -o models/arms/arm.glb
cp models/box.glb models/.hidden/box.glb
cp models/box.glb models/arms/box.glb
echo 'not a character' >models/notes.txt
printf 'glTF' >models/arms/broken.glb

echo "# a folder"

run batch models -o done -- enhance --cor
ok "exit 2: a character has failed" [ "$code" -eq 2 ]
ok "  it is named with its reason" grep -q '^pelt: models/arms/broken.glb: ' err
ok "  the summary counts" grep -q '^pelt: 5 characters: 0 up to date, 1 failed; see done/report.html$' err
for name in box.glb bar.glb arms/arm.glb arms/box.glb; do
    ok "  done/$name is written" [ -s done/$name ]
done
ok "  nothing of hidden folders" [ ! -e done/.hidden ]
ok "  nothing of the one that failed" [ ! -e done/arms/broken.glb ]
"$pelt" enhance models/arms/arm.glb --cor -o single.glb 2>err
ok "  the result is that of the command alone" cmp single.glb done/arms/arm.glb
cp done/report.json out
json "  the report has rows in the order of paths" \
    '[j["input"] for j in d["jobs"]] == ["models/" + n for n in ["arms/arm.glb", "arms/box.glb", "arms/broken.glb", "bar.gltf", "box.glb"]]'
json "  and says what failed" '[j["failed"] for j in d["jobs"]] == [False, False, True, False, False]'
ok "  the page lists the failure first" sh -c \
    'grep -o "title=.models/[a-z/.]*" done/report.html | head -n 1 | grep -q broken'

echo "# what is up to date"

cp -r done before
run batch models -o done -- enhance --cor
ok "the same again leaves out what is done" grep -q ' 4 up to date, 1 failed' err
ok "  files stay as they are" same_files before done
touch models/box.glb
run batch models -o done -- enhance --cor
ok "a new time of a file changes nothing" grep -q ' 4 up to date' err
rm done/box.glb
run batch models -o done -- enhance --cor
ok "an output that is missing is made again" grep -q ' 3 up to date' err
ok "  as it was" same_files before done
printf ' ' >>models/bar.gltf
run batch models -o done -- enhance --cor
ok "a change of content is found" grep -q ' 3 up to date' err
run batch models -o done -- enhance --cor --sigma 0.2
ok "a change of options runs all again" grep -q ' 0 up to date' err

echo "# files that a character refers to"

mkdir parts
"$python" - <<'END'
import base64, json
d = json.load(open("models/bar.gltf"))
d["buffers"][0]["uri"], data = "bar.bin", d["buffers"][0]["uri"]
open("parts/bar.bin", "wb").write(base64.b64decode(data.split(",", 1)[1]))
json.dump(d, open("parts/bar.gltf", "w"))
END
works batch parts -o parts_out -- info
works batch parts -o parts_out -- info
ok "nothing has changed" grep -q '1 character: 1 up to date' err
printf 'x' >>parts/bar.bin
works batch parts -o parts_out -- info
ok "a change of its buffer is found" grep -q '1 character: 0 up to date' err

echo "# shards"

rm -rf whole
run batch models -o whole -- doctor
ok "doctor: exit 2 for findings or failures" [ "$code" -eq 2 ]
for shard in 3 1 2; do
    run batch models -o shards --shard $shard/3 -- doctor
done
works_or_findings() { run "$@"; ok "exit 2 for findings: pelt $*" [ "$code" -eq 2 ]; }
works_or_findings batch --merge -o shards
rm -f shards/report-*-of-3.*
ok "shards give the same files as one run" same_files whole shards
mkdir lone
cp whole/report.json lone/report-1-of-2.json
fails 2 'report-2-of-2.json is missing' batch --merge -o lone
fails 2 'no report of a shard' batch --merge -o whole

echo "# interruption"

i=0
mkdir many
while [ $i -lt 24 ]; do
    cp models/arms/arm.glb many/arm$i.glb
    printf '%d' $i >>many/arm$i.glb
    i=$((i + 1))
done
"$pelt" batch many -o killed --threads 2 -- enhance --cor --normals >out 2>err </dev/null &
batch=$!
tries=0
while [ "$(ls killed 2>/dev/null | grep -c glb)" -lt 3 ] && [ $tries -lt 600 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
kill -9 $batch
wait $batch 2>/dev/null
done_before=$(find killed/.pelt-batch -name '*.json' | wc -l)
works batch many -o killed --threads 2 -- enhance --cor --normals
ok "after kill -9 what was done is not done again" grep -q "24 characters: $done_before up to date" err
works batch many -o calm --threads 1 -- enhance --cor --normals
ok "  the result is that of a batch that was not interrupted" same_files calm killed

echo "# lists, names, other commands"

printf '# a comment\nmodels/box.glb\n\n  rig:bar?vertices=200  \n./models/arms/arm.glb\n' >list.txt
works batch list.txt -o listed --extension gltf -- convert
ok "a list names files and rigs" [ -s listed/models/box.gltf ]
ok "  rigs too" [ -s listed/rig-bar-vertices-200.gltf ]
mkdir twins
cp models/box.glb twins/box.glb
cp models/bar.gltf twins/box.gltf
works batch twins -o twins_out -- convert
ok "inputs that differ in the extension have outputs of their own" \
    [ -s twins_out/box.glb.glb -a -s twins_out/box.gltf.glb ]
printf 'models/arms/arm.glb\n' >one.txt
works batch one.txt -o baked -- bake --max-error 0.1mm/m
ok "bake gets a folder for each" [ -s baked/models/arms/arm/arm.json ]
cp baked/report.json out
json "  its error is in the report" '0 < d["jobs"][0]["figures"]["error"] <= 0.1'
works batch one.txt -o infos --json -- info
json "--json prints the report" 'd["format"] == "pelt-batch" and d["jobs"][0]["figures"]["vertices"] > 1000'

echo "# rules of a project"

cat >models/pelt.json <<'END'
{"doctor": [{"files": "*", "ignore": ["unused-joints"], "budget": {"joints": 4}},
            {"files": "arms/*", "severity": {"budget": "warning"}},
            {"files": "box*", "budget": {"joints": null, "triangles": 2}}]}
END
run doctor models/arms/arm.glb --json
json "a budget that is exceeded is a finding" 'any(f["kind"] == "budget" for f in d["findings"])'
json "  of the severity that a later rule gives" 'd["counts"]["error"] == 0 and d["counts"]["warning"] == 1'
json "  and says the number and the limit" \
    'any("5, above the budget of 4" in f["message"] for f in d["findings"])'
json "what is ignored is not listed" 'not any(f["kind"] == "unused-joints" for f in d["findings"])'
run doctor models/box.glb --json
json "other files have other budgets" '[f["message"][:9] for f in d["findings"] if f["kind"] == "budget"] == ["triangles"]'
works doctor models/box.glb --rules none
run batch models -o shards -- doctor
ok "new rules are a change" grep -q '5 characters: 0 up to date' err
echo '{"doctor": [{"files": "*", "ignore": ["jokes"]}]}' >bad.json
fails 2 'there is no finding "jokes"' doctor models/box.glb --rules bad.json
echo '{"doctor": [{"files": "*", "budget": {"bones": 4}}]}' >bad.json
fails 2 'there is no budget "bones"' doctor models/box.glb --rules bad.json
echo '{"doctor": [' >bad.json
fails 2 'is not JSON' doctor models/box.glb --rules bad.json

echo "# the entry of CI and of commit hooks"

check=$tests/../tools/check_characters
checked()
{
    code=0
    PELT=$pelt PELT_STATE=$folder/state PELT_SARIF=$folder/all.sarif sh "$check" "$@" >out 2>err ||
        code=$?
}
if [ -n "$python" ]; then
    checked models
    ok "exit 2: errors among characters" [ "$code" -eq 2 ]
    ok "  one line for each" grep -q '^models/arms/arm.glb: warning: .* \[budget\]$' out
    ok "  also for a file that cannot be read" grep -q '^models/arms/broken.glb: error: ' out
    ok "  and as SARIF" grep -q '"ruleId": "unreadable"' all.sarif
    GITHUB_ACTIONS=true checked models
    ok "annotations on GitHub" grep -q '^::error file=models/arms/broken.glb,title=pelt unreadable::' out
    ok "  without examining anything again" grep -q '5 up to date' err
    checked parts/bar.gltf
    ok "exit 0: files of a commit that are healthy" [ "$code" -eq 0 ]
    checked
    ok "exit 0: a commit without characters" [ "$code" -eq 0 ]
    PELT=nowhere sh "$check" models >out 2>err
    ok "no program pelt: says so" grep -q 'install pelt or set PELT' err
else
    skip "the entry of CI" "there is no python3"
fi

echo "# dependencies for make"

mkdir 'a b'
cp parts/bar.gltf parts/bar.bin 'a b'
works convert 'a b/bar.gltf' -o c.glb --depfile c.d
ok "the rule has all files" grep -q 'bar.bin$' c.d
printf 'include c.d\nc.glb:\n\ttouch c.glb\n' >Makefile
if command -v make >/dev/null 2>&1; then
    ok "make: nothing to do" make -q c.glb
    touch -d '1 hour' 'a b/bar.bin'
    ok "make: a newer buffer makes the file old" sh -c '! make -q c.glb'
else
    skip "make reads the rule" "there is no make"
fi

echo "# wrong use"

fails 1 'needs a command' batch models -o x
fails 1 'cannot run "bench"' batch models -o x -- bench
fails 1 'did you mean' batch models -o x -- enhance --corr
fails 1 'gives -o itself' batch models -o x -- enhance --cor -o y.glb
fails 1 '\-\-shard 4/3' batch models -o x --shard 4/3 -- info
fails 1 'needs -o DIR' batch models -- info
fails 2 'No such file' batch missing -o x -- info
mkdir void
fails 2 'has no character' batch void -o x -- info
ok "nothing was written" [ ! -e x ]

finish
