#!/bin/sh
# SPDX-License-Identifier: MIT
# The example says of the bar what is known of it: sh measure_test.sh PELT MEASURE

[ $# -eq 2 ] || { echo "usage: measure_test.sh PELT MEASURE" >&2; exit 2; }
example=$2
set -- "$1"
. "${0%/*}/../cli/cli_support.sh"

# column CLIP METHOD NUMBER
column()
{
    awk -v clip="$1" -v method="$2" -v column="$3" '$1 == clip && $2 == method { print $column }' out
}

works rig 'bar?vertices=500' -o bar.glb
ok "the example measures the bar" sh -c "'$example' bar.glb >out"
ok "  six clips by four methods below a line of names" [ "$(wc -l <out)" -eq 25 ]
ok "  dqs keeps the radius in a twist" [ "$(column twist180 dqs 5)" = "-0.0" ]
ok "  lbs loses a quarter and more" awk "BEGIN { exit !($(column twist90 lbs 5) < -25) }"
ok "  at the joint" [ "$(column twist90 lbs 10)" = joint ]
ok "  and dqs bulges most in a bend" \
    awk "BEGIN { exit !($(column bend120 dqs 6) > 1.5 * $(column bend120 crs 6)) }"

printf 'glTF' >broken.glb
for arguments in '' 'broken.glb' 'missing.glb' 'bar.glb bar.glb'; do
    code=0
    # shellcheck disable=SC2086
    "$example" $arguments >out 2>err || code=$?
    ok "exit 1: measure $arguments" [ "$code" -eq 1 ]
    ok "  one sentence" [ "$(wc -l <err)" -eq 1 ]
done

finish
