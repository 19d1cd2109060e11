#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the tests of a build folder and counts what they say: sh tests/support/run_tests.sh BUILD JOBS
# A suite prints "SKIP NAME: WHY" for what it cannot check here, and at its end "N passed, ...".

[ $# -eq 2 ] || { echo "usage: run_tests.sh BUILD JOBS" >&2; exit 2; }
code=0
ctest --output-on-failure --no-tests=error --test-dir "$1" -j "$2" || code=$?

# The log has the output of all suites. It calls skipped ones passed: those are known by their words.
awk '
/^[0-9]+\/[0-9]+ Test: / { suite = $3; facts = skips = 0 }
/^SKIP / {
    sub(/^SKIP +/, "")
    lines[++count] = suite ($1 == suite ":" ? substr($0, length(suite) + 1) : ": " $0)
    skips++
    if (/no models folder/) wants_models = 1
}
/^[0-9]+ passed, [0-9]+ failed/ { facts += $1 }
/^Test Passed\./ { if (skips > 0 && facts == 0) skipped++; else passed++; all_facts += facts }
/^Test Failed\./ { failed++ }
END {
    printf "\n%d suites passed with %d facts, %d skipped, %d failed", passed, all_facts, skipped, failed
    print (count > 0 ? "; not checked here:" : ".")
    for (i = 1; i <= count; ++i) print "  " lines[i]
    if (wants_models)
        print "Real characters are looked for in the folder PELT_MODELS, else in ../shared/models beside" \
              " the\nproject; \"Real characters\" in CONTRIBUTING.md lists them and where they come from."
}' "$1/Testing/Temporary/LastTest.log" || exit 2
exit "$code"
