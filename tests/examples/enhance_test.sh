#!/bin/sh
# SPDX-License-Identifier: MIT
# The example writes what the program writes, byte for byte: sh enhance_test.sh PELT ENHANCE MODELS
# MODELS is the folder of real characters, where there is one.

[ $# -eq 3 ] || { echo "usage: enhance_test.sh PELT ENHANCE MODELS" >&2; exit 2; }
example=$2
models=${PELT_MODELS:-$3}
set -- "$1"
. "${0%/*}/../cli/cli_support.sh"

# same_as_program FILE: both enhance it; the example comes second, onto what it has read.
same_as_program()
{
    works enhance "$1" --cor --normals -o theirs.glb
    cp "$1" ours.glb
    ok "the example takes it too" "$example" ours.glb ours.glb
    ok "  and writes the same bytes" cmp ours.glb theirs.glb
    ok "  more than there were" [ "$(wc -c <ours.glb)" -gt "$(wc -c <"$1")" ]
}

works rig 'human?vertices=2000' -o human.glb
same_as_program human.glb
if [ -f "$models/CesiumMan/CesiumMan.glb" ]; then
    same_as_program "$models/CesiumMan/CesiumMan.glb"
else
    skip CesiumMan "no models folder; set PELT_MODELS"
fi

printf 'glTF' >broken.glb
for arguments in '' 'human.glb' 'broken.glb x.glb' 'missing.glb x.glb' 'human.glb missing/x.glb'; do
    code=0
    # shellcheck disable=SC2086
    "$example" $arguments >out 2>err || code=$?
    ok "exit 1: enhance $arguments" [ "$code" -eq 1 ]
    ok "  one sentence" [ "$(wc -l <err)" -eq 1 ]
done
ok "  which names the file" grep -q 'missing/x.glb' err
ok "no failed run has left a file" [ ! -e x.glb ]

finish
