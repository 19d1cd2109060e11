#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt info: sh tests/cli/cli_info_test.sh PATH/TO/pelt

. "${0%/*}/cli_support.sh"

clip_has_name_and_duration()
{
    if [ -n "$python" ]; then
        "$python" -c 'import json
for c in json.load(open("out"))["clips"]: assert isinstance(c["name"], str) and c["duration"] > 0'
    else
        grep -q '"duration": ' out
    fi
}

works info rig:arm --json
ok "  is JSON" is_json out
for member in meshes skins joints clips repairs instances; do
    ok "  has the array $member" has_member out $member list
done
ok "  has name" has_member out name
ok "  has bounds" has_member out bounds
ok "  clips have name and duration" clip_has_name_and_duration
cp out kept
works info rig:arm --json -o info.json
ok "  -o writes the same" cmp -s info.json kept
ok "  and prints nothing" [ ! -s out ]
works info rig:arm --joints
ok "  lists joints" grep -q elbow out
works info rig:arm --gpu
ok "  lists bytes by method" grep -q 'PER JOINT' out
ok "  48 for a joint under lbs" grep -Eq '^ *lbs +48 ' out
ok "  32 under dqs, 64 when it scales" grep -Eq '^ *dqs +32 +64 ' out
works info rig:arm --gpu --json
ok "  is JSON" is_json out
ok "  has the member gpu" has_member out gpu dict
works info rig:arm --json
ok "  which is there only when asked for" cmp -s out kept
fails 1 'human' info rig:nobody
fails 1 'vertices' info 'rig:arm?size=3'
fails 2 'rig:arm' info arm

if make_hollow; then
    works info hollow.gltf
    ok "  which pelt info marks" grep -q 'bend .* yes$' out
    works info hollow.gltf --json
    ok "  once" [ "$(grep -c '"default": true' out)" -eq 1 ]
else
    skip "clips that move nothing" "there is no python3"
fi

# -------------------------------------------------------------------------------------------------
echo "# methods that files name"

works info rig:arm --json
json "  a rig names none" 'd["meshes"][0]["method"] is None'
make_named dqs
works info named.gltf
ok "  a file may" grep -Eq '^ *arm .* dqs ' out
works info named.gltf --json
json "  in JSON too" 'd["meshes"][0]["method"] == "dqs"'
make_named magic
works info named.gltf
ok "  what is none is listed" grep -q 'pelt_skinning was ignored: "magic" is not a method' out

# -------------------------------------------------------------------------------------------------
echo "# joints that scale"

make_scaled
works info scaled.gltf
ok "  info says by how much joints scale" grep -q '^joints scale by 0.5 to 2 (farthest: elbow)' out
works info scaled.gltf --gpu
ok "  and what shaders need" grep -q 'pelt shaders --scale local' out
works info scaled.gltf --gpu --json
ok "  in JSON too" grep -q '"scale": "local"' out
ok "  with the joint" has_member out joint_scale dict
works info rig:arm --gpu
ok "  or that they stay rigid" grep -q '^joints are rigid' out
ok "  and need nothing" grep -q 'pelt shaders --scale none' out

finish
