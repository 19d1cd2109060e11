#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs of docs/embedding.md: sh embedding_test.sh PELT ARRAYS VERTEX_BUFFER CROWD HOOKS [WINDOW]

[ $# -ge 5 ] || { echo "usage: embedding_test.sh PELT ARRAYS VERTEX_BUFFER CROWD HOOKS [WINDOW]" >&2; exit 2; }
arrays=$2
vertex_buffer=$3
crowd=$4
hooks=$5
window=${6:-}
set -- "$1"
. "${0%/*}/../cli/cli_support.sh"

works rig 'human?vertices=2000' -o hero.glb

# position FILE: of the first vertex of an OBJ file, with digits FORMAT.
position()
{
    awk -v format="$2" '$1 == "v" { printf format " " format " " format "\n", $2, $3, $4; exit }' "$1"
}

ok "arrays: runs" sh -c "'$arrays' >said"
# Half way along a twist by 170 degrees, linear blending leaves cos 85 degrees, 0.087, at a weight of
# one half, which bytes do not hold and rings need not meet.
ok "  lbs loses the radius" awk '$1 == "lbs:" { right = $4 > 0.08 && $4 < 0.13 } END { exit !right }' said
ok "  crs keeps it" awk '$1 == "crs:" { right = $4 > 0.999 } END { exit !right }' said

ok "vertex_buffer: runs" sh -c "'$vertex_buffer' hero.glb >said"
works deform hero.glb --clip walk --time 1 --method dqs -o second.obj
ok "  the buffer has what pelt deform writes" \
    grep -qF "frame 30: vertex 0 at $(position second.obj %.5f)," said
ok "  and the UVs are those of the mesh" grep -q 'uv 0\.[0-9]* 0\.[0-9]*$' said

ok "crowd: runs" sh -c "'$crowd' hero.glb >said"
ok "  1 000 members, three times" [ "$(grep -c '^1000 members of' said)" -eq 3 ]
# The last member is 9.99 s ahead, in a clip of 1.1 s.
works deform hero.glb --clip walk --time 9.99 --wrap loop --method dqs -o last.obj
ok "  the last is where pelt deform has it" \
    grep -qF "the last is at $(position last.obj %.4f)" said

ok "hooks: runs" sh -c "'$hooks' hero.glb >said"
ok "  all memory comes from the allocator, and goes back" \
    awk '{ right = $1 > 20 && $3 == 0 && $6 > 5 } END { exit !right }' said

if [ -z "$window" ]; then
    skip gpu_window "this build has no SDL or no OpenGL"
elif ! command -v xvfb-run >/dev/null; then
    skip gpu_window "there is no xvfb-run"
else
    # Drivers and desktop libraries do not release all memory when a program ends.
    ok "gpu_window: runs" \
        sh -c "ASAN_OPTIONS=detect_leaks=0 xvfb-run -a '$window' hero.glb 4 >said"
    # A person in a window of 640 x 480.
    ok "  and shows the character" awk '{ right = $1 > 5000 && $1 < 150000 } END { exit !right }' said
fi

printf 'glTF' >broken.glb
for example in "$vertex_buffer" "$crowd" "$hooks"; do
    for arguments in '' 'broken.glb' 'missing.glb'; do
        code=0
        # shellcheck disable=SC2086
        "$example" $arguments >out 2>err || code=$?
        ok "exit 1: ${example##*_} $arguments" [ "$code" -eq 1 ]
        ok "  one sentence" [ "$(wc -l <err)" -eq 1 ]
    done
done

finish
