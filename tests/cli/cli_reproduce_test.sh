#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt reproduce: sh tests/cli/cli_reproduce_test.sh PATH/TO/pelt

case $0 in
/*) tests=${0%/*}/.. ;;
*) tests=$PWD/${0%/*}/.. ;;
esac
. "${0%/*}/cli_support.sh"

fails 1 'unknown document' reproduce le2015
fails 1 'le2016' reproduce le2015
fails 1 'figure2' reproduce le2016:figure22
fails 1 'unknown item' reproduce mix2019:
fails 4 'No such file' reproduce le2016:qlerp -o missing/deep

works reproduce --list
ok "  names all documents" [ "$(cut -d: -f1 out | sort -u | grep -c '^  [a-z]*20')" -eq 5 ]
works reproduce --list --json
ok "  is JSON" is_json out
cp out list.json
ok "docs/reproduction.md has a row for each item, with its command and remark" "$python" -c '
import json, sys
page = open(sys.argv[1]).read()
for item in json.load(open(sys.argv[2])):
    name = item["document"] + ":" + item["item"]
    row = [line for line in page.split("\n") if line.startswith("| `%s` |" % name)]
    assert len(row) == 1, name
    for text in (item["title"], item["command"], item["remark"]):
        assert text is None or text in row[0], (name, text)
    assert item["measured"] or item["remark"], name' "$tests/../docs/reproduction.md" out

works reproduce le2016:qlerp
ok "  the bound of 8.15 degrees agrees" grep -q ' 8.15  *8.149 .*agrees' out
works reproduce le2016:figure2 --json
cp out once
works reproduce le2016:figure2 --json --threads 1
ok "  the same for any number of threads" "$python" -c 'import json, sys
a, b = (json.load(open(path)) for path in sys.argv[1:])
assert a["items"] == b["items"]' once out

# One document and its plots by default, all of them in full sweeps.
document=mix2019
agree=20
plots="mix2019_figures5.6-5.7 mix2019_figure5.8 mix2019_figures5.9-5.11"
if [ "${PELT_SWEEP:-}" = full ]; then
    document=
    agree=200
    plots="$plots le2016_parameters"
fi
# shellcheck disable=SC2086
works reproduce $document --quick --json -o quick
ok "  the folder has the same JSON" cmp -s out quick/reproduction.json
# What is judged agrees, or its item says why not; a build or a machine without OpenGL leaves items out.
ok "  all items are there, measured" "$python" -c 'import json, math, sys
report = json.load(open(sys.argv[1]))
document, agree = sys.argv[3], int(sys.argv[4])
listed = [i for i in json.load(open(sys.argv[2])) if document in ("", i["document"])]
assert [i["item"] for i in report["items"]] == [i["item"] for i in listed]
counts = {"agrees": 0, "differs": 0, None: 0}
for item, entry in zip(report["items"], listed):
    if item["state"] == "measured":
        assert item["rows"], item["item"]
        assert any(row["measured"] is not None for row in item["rows"]), item["item"]
    else:
        assert item["state"] in ("nothing to measure", "needs OpenGL") and not item["rows"], item
        assert item["state"] == "needs OpenGL" or not entry["measured"], item
    for row in item["rows"]:
        counts[row["verdict"]] += 1
        assert row["verdict"] != "differs" or item["remark"], row
        assert row["verdict"] is None or row["measured"] is not None, row
assert counts["agrees"] == report["agree"] and counts["differs"] == report["differ"], counts
assert counts["agrees"] > agree and counts["differs"] < 16, counts' out list.json "$document" $agree
lines=$("$python" -c 'import json; print(sum(len(i["rows"]) for i in json.load(open("out"))["items"]) + 1)')
ok "  CSV has a line for each figure" [ "$(wc -l <quick/reproduction.csv)" -eq "$lines" ]
for plot in $plots; do
    ok "  $plot.svg is a plot" is_svg quick/$plot.svg
done

finish
