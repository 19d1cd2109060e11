#!/bin/sh
# SPDX-License-Identifier: MIT
# Names that come from outside: those inside files, on their way to a terminal, and those of output
# files. sh tests/cli/cli_names_test.sh PATH/TO/pelt; needs python3.

. "${0%/*}/cli_support.sh"

# Pictures are small: what a driver compiles costs more than what it draws.
export GALLIVM_PERF=nopt

[ -n "$python" ] || { skip cli_names "there is no python3"; finish; }

# Only what a terminal shows as letters: no control (C0, C1, DEL), no change of direction, no other
# line ends, and nothing that is not UTF-8.
is_printable()
{
    "$python" -c 'import sys, unicodedata
text = open(sys.argv[1], "rb").read().decode("utf-8")
bidi = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
bad = [c for c in text if c != "\n" and (unicodedata.category(c) in ("Cc", "Zl", "Zp") or c in bidi)]
sys.exit(len(bad) > 0)' "$1"
}

# ---------------------------------------------------------------------------------------------
# Names inside files

works rig 'bar?vertices=400' -o named.gltf
edit named.gltf "
name = '\x1b[31m\u009b2J\x7f\u202e\u2066\u2028\u0085Zo\u00eb \u9aa8\n'
for kind in ('nodes', 'meshes', 'skins', 'animations', 'materials', 'scenes'):
    for item in g.get(kind, []): item['name'] = name + item.get('name', '')"

for command in 'info named.gltf --joints' 'info named.gltf --gpu' 'info named.gltf --json' \
    'deform named.gltf --pose {"x":{"scale":2}} -o x.obj' 'convert named.gltf -o named.glb' \
    'enhance named.gltf --cor --normals -o more.glb' 'deform named.gltf --method crs -o crs.obj' \
    'bench normals named.gltf --quick' \
    'bench crowd named.gltf --quick --techniques control'; do
    # shellcheck disable=SC2086
    run $command
    tr -d '\177' <out >shown # a terminal ignores DEL, and JSON has no need to escape it
    ok "printable: pelt $command, stdout" is_printable shown
    ok "  and stderr" is_printable err
done
works info named.gltf
ok "letters of any language stay" grep -q 'Zoë 骨' out
works info named.gltf --json
ok "names in JSON are those of the file" "$python" -c 'import json
names = [c["name"] for c in json.load(open("out"))["clips"]]
assert names and all(n.startswith("\x1b[31m\u009b2J\x7f\u202e") for n in names)'
works convert named.gltf -o named.glb

# Words of the command line reach the terminal too.
fails 2 'cannot' info "$(printf 'no\033[2Jfile\302\233\342\200\256\377.glb')"
ok "  printable" is_printable err

# ---------------------------------------------------------------------------------------------
# Names of output files

long=$(printf '%0251d' 0)
for extension in obj glb ply; do
    file=$(echo "$long" | cut -c -$((255 - 1 - ${#extension}))).$extension
    works deform rig:bar -o "$file"
    ok "  the file is there: 255 bytes" [ -s "$file" ]
    rm -f "$file"
done
ok "nothing is left half-written" no_temporary
fails 4 'cannot write' deform rig:bar -o "$long.json.obj"
ok "nothing is left half-written" no_temporary

# ---------------------------------------------------------------------------------------------
# An output that is the input

works rig arm -o arm.glb
works rig arm -o arm.gltf
cp arm.glb arm.orig && cp arm.gltf arm.text
ln -s arm.glb link.glb
ln arm.glb twin.glb
mkdir below
for output in arm.glb ./arm.glb below/../arm.glb link.glb twin.glb; do
    fails 1 'itself' deform arm.glb -o "$output"
    fails 1 'itself' info arm.glb -o "$output"
done
fails 1 'itself' deform link.glb -o twin.glb
fails 1 'itself' bench normals arm.glb --quick -o arm.glb
ok "the character is as it was" cmp arm.glb arm.orig
works deform arm.glb -o other.glb
works enhance arm.glb --cor -o arm.glb
ok "enhance may replace its input" [ "$(wc -c <arm.glb)" -gt "$(wc -c <arm.orig)" ]
fails 1 'itself' deform arm.gltf -o arm.gltf
ok "the character is as it was" cmp arm.gltf arm.text

# ---------------------------------------------------------------------------------------------
# Rules of normals that have nothing to act on

works rig arm -o bare.gltf
edit bare.gltf "
for mesh in g['meshes']:
    for p in mesh['primitives']: p['attributes'].pop('NORMAL', None); p['attributes'].pop('TANGENT', None)"
for rule in accurate recompute paper; do
    works deform bare.gltf --normals "$rule" -o x.obj
    ok "  --normals $rule says that there are none" grep -q 'no normals' err
done
works deform bare.gltf --convention maya -o x.obj
ok "  what a convention brings along needs no words" [ "$(wc -l <err)" -eq 1 ]
works deform bare.gltf -o x.obj
ok "  nor does the default" [ "$(wc -l <err)" -eq 1 ]
for method in lms sbs ddm; do
    works deform arm.glb --method $method --normals accurate -o x.obj
    ok "  --normals accurate has no effect on $method, and that is said" \
        grep -q "$method.*standard normals" err
    works deform arm.glb --method $method --normals recompute -o x.obj
    ok "  recompute has one" [ "$(wc -l <err)" -eq 1 ]
done
works deform arm.glb --method lms --normals accurate --json -o x.obj
ok "  JSON has the rule that was used" grep -q '"normals": "standard"' out
works deform arm.glb --normals accurate --json -o x.obj
ok "  and so where it is the one asked for" grep -q '"normals": "accurate"' out
works deform bare.gltf --normals accurate --json -o x.obj
ok "  and null where there are none" grep -q '"normals": null' out

# ---------------------------------------------------------------------------------------------
# A demo that fails leaves nothing

fails 1 'joint' demo rig:arm --pose '{"nothing": {"degrees": 1}}' -o failed-demo
ok "the empty folder is gone" [ ! -e failed-demo ]
mkdir kept
fails 1 'joint' demo rig:arm --pose '{"nothing": {"degrees": 1}}' -o kept
ok "a folder that was there stays" [ -d kept ]

# ---------------------------------------------------------------------------------------------
# Little memory is not the driver's fault

# limited KILOBYTES ARGUMENTS...: as run, with an address space of this size.
limited()
{
    code=0
    (
        ulimit -v "$1"
        shift
        exec "$pelt" "$@"
    ) >out 2>err </dev/null || code=$?
}

# Sanitizers reserve terabytes, and not every machine has OpenGL.
limited 200000 info rig:bar
start=$code
run render rig:bar --size 64x64 -o large.png
if [ "$start" -eq 0 ] && [ "$code" -eq 0 ]; then
    for size in 60000 250000 400000 600000; do
        limited "$size" render rig:bar -o small.png
        ok "exit 2: pelt render with $size KB" [ "$code" -eq 2 ]
        ok "  it says out of memory" grep -q 'out of memory' err
        ok "  and nothing else" [ "$(wc -l <err)" -eq 1 ]
        ok "  no picture, no temporary" [ ! -e small.png ]
    done
else
    skip "limits of memory" "no OpenGL, or a build that does not start under one"
fi

finish
