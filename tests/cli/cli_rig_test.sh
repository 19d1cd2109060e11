#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt rig: sh tests/cli/cli_rig_test.sh PATH/TO/pelt

. "${0%/*}/cli_support.sh"

object_count_is()
{
    [ "$(grep -c '^o ' "$1")" -eq "$2" ]
}

# Header, then rows of 32 bytes (position, normal, UV) and 13 bytes (a triangle).
is_valid_ply()
{
    vertices=$(sed -n 's/^element vertex //p' "$1")
    faces=$(sed -n 's/^element face //p' "$1")
    header=$(sed '/^end_header$/q' "$1" | wc -c)
    size=$(wc -c <"$1")
    [ "$size" -eq $((header + 32 * vertices + 13 * faces)) ]
}

# Vertices, clips and the like, which a file shall keep.
shape_of()
{
    "$pelt" info "$1" --json 2>/dev/null | grep -v '"input": '
}

works rig
ok "  lists the human" grep -q rig:human out
ok "  with the limit of its vertices" grep -q '^ *rig:human .* 2000 to 2000000, 1 to 16 ' out
works rig --json
ok "  is JSON" is_json out
json "  with the limits" '[r["ranges"] for r in d["rigs"] if r["name"] in ("box", "human")] == [[], [[2000, 2000000], [1, 16]]]'
fails 1 'give -o' rig arm
works rig arm -o rest.obj
ok "  is a valid OBJ" is_valid_obj rest.obj
works rig rig:box -o box.obj
ok "  is a valid OBJ" is_valid_obj box.obj
ok "  has two objects" object_count_is box.obj 2
works rig cuboid -o cuboid.PLY
ok "  is a valid PLY" is_valid_ply cuboid.PLY
works rig box -o box.ply
ok "  is a valid PLY" is_valid_ply box.ply

input deform rig:arm --clip bend --time 1 -o lbs.obj
works rig arm -o arm.glb
ok "  nothing on stdout" [ ! -s out ]
ok "  is a GLB file" [ "$(first 4 arm.glb)" = glTF ]
shape_of rig:arm >rig.shape
ok "  all of the rig is in it" [ -s rig.shape ]
shape_of arm.glb >file.shape
ok "  all of the rig comes back" cmp -s file.shape rig.shape
works info arm.glb
ok "  needs no repair" grep -q 'no repairs' out
works deform arm.glb --clip bend --time 1 -o from-file.obj
ok "  deforms as the rig does" cmp -s from-file.obj lbs.obj
works rig human -o human.glb --json
ok "  the summary is JSON" is_json out
ok "  and counts clips" has_member out clips int
fails 4 'No such file' rig arm -o missing/x.glb

finish
