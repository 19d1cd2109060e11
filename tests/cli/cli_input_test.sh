#!/bin/sh
# SPDX-License-Identifier: MIT
# Where the input of commands comes from, and files made to hurt. sh tests/cli/cli_input_test.sh
# PATH/TO/pelt

. "${0%/*}/cli_support.sh"

# piped FILE ARGUMENTS...: as run, with FILE on the standard input through a pipe.
piped()
{
    file=$1
    shift
    code=0
    cat "$file" | "$pelt" "$@" >out 2>err || code=$?
}

# ---------------------------------------------------------------------------------------------
# Pipes

works rig arm -o arm.glb
works rig arm -o arm.gltf
works info arm.glb
cp out plain
for input in - /dev/stdin; do
    piped arm.glb info $input
    ok "pelt info $input" [ "$code" -eq 0 ]
    ok "  says what it says of the file" cmp out plain
done
mkfifo pipe
cat arm.glb >pipe &
works info pipe
ok "  and of a pipe with a name" cmp out plain
piped arm.gltf info -
ok "text is known by its content too" cmp out plain

"$pelt" deform arm.glb --method crs -o plain.obj 2>/dev/null
piped arm.glb deform - --method crs -o piped.obj
ok "pelt deform -" cmp piped.obj plain.obj
piped arm.glb convert - -o piped.glb
ok "pelt convert -" [ "$code" -eq 0 ]
"$pelt" enhance arm.glb --cor -o plain.glb 2>/dev/null
piped arm.glb enhance - --cor -o piped.glb
ok "pelt enhance - adds to what it has read" cmp piped.glb plain.glb
piped piped.obj info -
ok "an OBJ without a name is known by its content" [ "$code" -eq 0 -o "$code" -eq 3 ]
: >nothing
piped nothing info -
ok "nothing is said to be nothing" grep -q 'standard input is empty' err
ok "  and exit 2" [ "$code" -eq 2 ]
piped arm.glb deform - --pose @- -o x.obj
ok "two readers of one input: exit 1" [ "$code" -eq 1 ]
ok "  one sentence" is_one_sentence
ok "  and no output" [ ! -e x.obj ]
piped arm.glb bench load -
ok "bench load needs a file: exit 1" [ "$code" -eq 1 ]

# ---------------------------------------------------------------------------------------------
# Links

mkdir inside
cp arm.gltf inside/arm.gltf
if [ -n "$python" ]; then
    "$python" -c 'import base64, json
g = json.load(open("inside/arm.gltf"))
open("data.bin", "wb").write(base64.b64decode(g["buffers"][0]["uri"].split(",")[1]))
g["buffers"][0]["uri"] = "data.bin"
json.dump(g, open("inside/arm.gltf", "w"))'
    cp data.bin inside/data.bin
    works info inside/arm.gltf
    ln -sf ../data.bin inside/data.bin
    fails 2 'link' info inside/arm.gltf
    fails 2 'link' enhance inside/arm.gltf --cor -o x.glb
    ok "  and no output" [ ! -e x.glb ]
fi

# ---------------------------------------------------------------------------------------------
# Files that are none

: >empty.glb
: >empty
mkdir folder.glb
first 9 arm.glb >head.glb
first 300 arm.glb >json.glb
first 20000 arm.glb >cut.glb
printf 'no character at all, in words\n' >garbage.glb
printf 'no character at all, in words\n' >garbage.xyz
dd if=/dev/urandom of=noise.glb bs=1000 count=1 2>/dev/null
printf '{"asset": {"version": "2.0"}, "nodes": [{"mesh": 7}]}' >wrong.gltf
printf '{"asset": {"version": "2.0"}, "nodes": ' >half.gltf
printf '{"asset": {"version": "1.0"}}' >old.gltf
printf '{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4, "uri": "../../etc/passwd"}],
"bufferViews": [{"buffer": 0, "byteLength": 4}],
"accessors": [{"bufferView": 0, "componentType": 5126, "type": "SCALAR", "count": 1}],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]}' >outside.gltf
for file in missing.glb empty.glb empty folder.glb head.glb json.glb cut.glb garbage.glb noise.glb \
    wrong.gltf half.gltf old.gltf outside.gltf garbage.xyz; do
    run info "$file"
    if grep -q 'this build' err; then
        fails 3 "$file" info "$file"
        continue
    fi
    fails 2 "$file" info "$file"
    fails 2 "$file" deform "$file" -o x.obj
    fails 2 "$file" convert "$file" -o x.glb
done
fails 2 'No such file' info missing.glb
fails 2 'folder' info folder.glb
fails 2 'empty' info empty.glb
ok "no failed command has left a file" [ ! -e x.obj ]
ok "  of either kind" [ ! -e x.glb ]
for file in missing.glb empty.glb folder.glb cut.glb garbage.glb wrong.gltf; do
    fails 2 "$file" enhance $file --cor -o x.glb
done
ok "no failed command has left a file" [ ! -e x.glb ]

# ---------------------------------------------------------------------------------------------
# FBX by its content

printf '; FBX 7.5.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7500\n}\nObjects: {\nModel: 1, "Model::hip", "Null" {\n}\n}\nConnections: {\nC: "OO",1,0\n}\n' > hip.txt
ok "FBX is known by its content" "$pelt" info hip.txt
printf '; FBX 6.1.0 project file\nFBXHeaderExtension: {\nFBXVersion: 6100\n}\n' > old.fbx
fails 3 'version 6100' info old.fbx
printf 'Objects: {\nVertices: 0,1\n,2\n}\n' >> old.fbx
fails 3 'version 6100' info old.fbx
printf 'nothing to see' > none.fbx
fails 2 'no format that pelt reads' info none.fbx

# ---------------------------------------------------------------------------------------------
# Files made to hurt

if printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >one.obj && "$pelt" info one.obj >out 2>err; then
    awk 'BEGIN {
        print "<COLLADA version=\"1.4.1\"><asset/><library_visual_scenes><visual_scene id=\"s\">"
        for (i = 0; i < 400000; ++i) printf "<node>"
        for (i = 0; i < 400000; ++i) printf "</node>"
        print "</visual_scene></library_visual_scenes></COLLADA>" }' >deep.dae
    fails 2 'crashed' info deep.dae
    fails 2 'crashed' convert deep.dae -o x.glb
    ok "  and no output" [ ! -e x.glb ]
fi
truncate -s 5G hole.bin 2>/dev/null || dd if=/dev/zero of=hole.bin bs=1 count=1 seek=5G 2>/dev/null
fails 2 'no format' info hole.bin
awk 'BEGIN { for (i = 0; i < 600000; ++i) printf "          " }' >wide.json
fails 2 'larger than 4 MB' deform arm.glb --pose @wide.json -o x.obj

finish
