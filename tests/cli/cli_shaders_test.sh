#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt shaders, its files and its advice: sh tests/cli/cli_shaders_test.sh PATH/TO/pelt

. "${0%/*}/cli_support.sh"

files_are()
{
    [ "$(ls "$1" | tr '\n' ' ')" = "$2 " ]
}

works shaders --lang glsl --method dqs -o gpu
ok "  writes the library" grep -q '^pelt_motion pelt_skin_dqs(' gpu/skin_dqs.glsl
ok "  and a shader" grep -q '^#version 330 core' gpu/skin_dqs_block_4.vert
ok "  and a README" grep -q '^# Skinning in GLSL 330' gpu/README.md
ok "  with the bytes of a joint" grep -q '| `skin_dqs_block_4.vert` | dqs | 8 | 32 |' gpu/README.md
ok "  says how many" grep -q 'gpu; README.md' err
ok "  says nothing on stdout" [ ! -s out ]
works shaders --lang essl --influences 3 --palette texture -o gpu
ok "  adds to the folder" [ -e gpu/skin_dqs_block_4.vert ]
for method in lbs dqs mix crs; do
    ok "  has $method" grep -q '^#version 300 es' gpu/skin_${method}_texture_3.vert
done
ok "  with the influences asked for" grep -q '^#define PELT_INFLUENCES 3' gpu/skin_lbs_texture_3.vert
echo mine >gpu/notes.txt
echo old >gpu/skin_lbs_texture_3.vert
works shaders --lang essl --influences 3 --palette texture -o gpu
ok "  replaces its own files" grep -q '^#version 300 es' gpu/skin_lbs_texture_3.vert
ok "  and leaves others" [ "$(cat gpu/notes.txt)" = mine ]
for pair in hlsl:hlsl msl:metal wgsl:wgsl; do
    language=${pair%:*}
    ending=${pair#*:}
    works shaders --lang $language --method crs -o gpu-$language
    compute=
    [ $language = wgsl ] && compute="compute_crs.wgsl "
    ok "  writes the library and a shader" \
        files_are gpu-$language "README.md ${compute}pelt_skin.$ending skin_crs_block_4.$ending"
    ok "  with functions of pelt" grep -q 'pelt_deform_crs(' gpu-$language/pelt_skin.$ending
    ok "  and a call" grep -q 'skinned = pelt_deform_crs(' gpu-$language/skin_crs_block_4.$ending
    works shaders --lang $language --method dqs --scale origin --influences 5 --normals accurate \
        -o gpu-$language
    shader=gpu-$language/skin_dqs_block_5_origin_accurate_4.$ending
    ok "  sets the scale" grep -q 'PELT_SCALE.* PELT_GPU_SCALE_ORIGIN' "$shader"
    ok "  and the influences" grep -Eq 'PELT_INFLUENCES.* 5;?$' "$shader"
    ok "  and the layout that this needs" grep -q 'PELT_LAYOUT.* PELT_LAYOUT_SHARED' "$shader"
    ok "  with accurate normals" grep -q 'skinned = pelt_deform_dqs_accurate(' "$shader"
    works shaders --lang $language --method dqs --sign-rule hierarchy -o gpu-$language
    ok "  signs are those of the palette" \
        grep -q 'PELT_SIGNS.* PELT_SIGNS_PALETTE' gpu-$language/skin_dqs_block_4_hierarchy.$ending
done
works shaders --lang glsl --method dqs --palette-layout shared -o gpu-shared
ok "  names the layout" grep -q 'LAYOUT_SHARED' gpu-shared/skin_dqs_block_4_shared.vert
ok "  with the bytes of a joint" grep -q '| dqs | 16 | 64 |' gpu-shared/README.md
make_scaled
works shaders scaled.gltf --lang wgsl --method dqs -o gpu-for --json
json "  scale follows from the character" 'd["scale"] == "local"'
json "  and so do influences" 'd["influences"] == 3'
works shaders rig:arm --lang wgsl --method dqs -o gpu-for --json
json "  rigid where it is" 'd["scale"] == "none"'
works shaders scaled.gltf --lang wgsl --method dqs --scale none -o gpu-for
ok "  against which it advises" grep -q 'use --scale local' err
works shaders rig:cloth --lang glsl --method dqs --influences 4 -o gpu-for
ok "  and against too few influences" grep -q 'up to 5 influences' err
works shaders --lang essl --method crs --normals accurate --slots 8 -o gpu-normals
ok "  names rule and slots" [ -e gpu-normals/skin_crs_block_4_accurate_8.vert ]
ok "  writes their functions" grep -q '^mat2x3 pelt_jacobian_crs(' gpu-normals/skin_normals_crs.glsl
ok "  says how many bytes" grep -q '| crs | 80 | 320 |' gpu-normals/README.md
ok "  and how to fill them" grep -q 'pelt_gpu_normals_write' gpu-normals/README.md
works shaders --lang essl --method lbs --palette baked --encoding matrix --texel rgba16ui -o gpu-baked
shader=gpu-baked/skin_lbs_baked_4_matrix_rgba16ui.vert
ok "  sets the form of motions" grep -q '^#define PELT_BAKED_KIND PELT_BAKED_MATRIX' "$shader"
ok "  and the texel" grep -q '^#define PELT_BAKED_TEXEL_WORDS 2' "$shader"
ok "  writes the decoder" grep -q '^pelt_joint pelt_joint_at(' gpu-baked/skin_texture_joint.glsl
ok "  says what an instance is" grep -q 'pelt_gpu_playback_of' gpu-baked/README.md
works shaders --lang hlsl --method lbs --palette baked --encoding dq --bake-layout thesis -o gpu-thesis
shader=gpu-thesis/skin_lbs_baked_4_thesis_dq_rgba8ui.hlsl
ok "  sets the layout of the texture" grep -q '^#define PELT_BAKED_LAYOUT PELT_BAKED_THESIS' "$shader"
ok "  and its texel" grep -q '^#define PELT_BAKED_TEXEL_WORDS 1' "$shader"
works shaders --lang glsl --method dqs --palette posed -o gpu-posed
ok "  writes the pose pass" grep -q 'pelt_out_texel' gpu-posed/pose.frag
ok "  and its triangle" grep -q '^#version 330 core' gpu-posed/pose.vert
ok "  reads poses" grep -q '^#define PELT_PALETTE_POSED' gpu-posed/skin_dqs_posed_4.vert
works shaders --lang wgsl --palette baked --encoding vertex -o gpu-vertex --json
json "  one shader for vertices" '"skin_vertex_baked_rgba32ui.wgsl" in d["files"]'
json "  names the palette" 'd["palette"] == "baked"'
works shaders --lang godot -o gpu-godot
ok "  has functions and a README" files_are gpu-godot "README.md pelt_texture.gdshaderinc"
works shaders --lang hlsl --json -o gpu-json
ok "  is JSON" is_json out
ok "  lists the files" has_member out files list
json "  by name" '"skin_mix_block_4.hlsl" in d["files"]'
fails 1 'choices are glsl, essl, vulkan, hlsl, msl, wgsl, godot' shaders --lang cg -o gpu
fails 1 'give --lang' shaders -o gpu
fails 1 'give -o DIR' shaders --lang glsl
fails 1 'need a folder' shaders --lang glsl -o -
fails 1 'choices are all, lbs, dqs, mix, crs' shaders --lang glsl --method sbs -o gpu
fails 1 'from 1 to 8' shaders --lang glsl --influences 9 -o gpu
fails 1 'choices are block, texture, posed, baked' shaders --lang glsl --palette buffer -o gpu
fails 1 'have no effect' shaders --lang glsl --encoding dq -o gpu
fails 1 'needs --encoding matrix, dq or vertex' shaders --lang glsl --palette baked --bake-layout thesis -o gpu
fails 1 'has texels rgba8ui' shaders --lang glsl --palette baked --encoding dq --bake-layout thesis --texel rgba32ui -o gpu
fails 1 'have no poses' shaders --lang glsl --palette posed --encoding vertex -o gpu
fails 1 'are baked as well' shaders --lang glsl --palette baked --encoding vertex --normals accurate -o gpu
fails 1 'give --palette posed' shaders --lang wgsl --palette baked --normals accurate -o gpu
fails 1 'choices are standard, accurate, paper' shaders --lang glsl --normals exact -o gpu
fails 1 'choices are 2, 3, 4, 8' shaders --lang glsl --normals accurate --slots 5 -o gpu
fails 1 'no effect' shaders --lang glsl --slots 4 -o gpu
fails 1 'standard and accurate' shaders --lang hlsl --normals paper -o gpu
fails 1 'needs --palette block or texture' shaders --lang glsl --palette baked --sign-rule hierarchy -o gpu
fails 1 'choices are none, local, origin' shaders --lang hlsl --scale maya -o gpu
fails 1 'choices are compact, shared' shaders --lang hlsl --palette-layout big -o gpu
fails 2 'No such file' shaders missing.glb --lang hlsl -o gpu
: >taken
fails 4 'folder' shaders --lang glsl -o taken
fails 4 'folder' shaders --lang glsl -o missing/folder
mkdir -p gpu-taken/skin_lbs_block_4.hlsl
fails 4 'irectory' shaders --lang hlsl -o gpu-taken
mkdir locked && chmod a-w locked
if [ ! -w locked ]; then
    fails 4 'denied' shaders --lang glsl -o locked
fi
code=0
(ulimit -f 1 && exec "$pelt" shaders --lang hlsl --method lbs -o gpu-hlsl) 2>err || code=$?
ok "exit 4 when a file cannot grow" [ "$code" -eq 4 ]
ok "  and no part of it is there" [ ! -e gpu-hlsl/skin_lbs_block_4.hlsl ]
ok "no temporary file is left anywhere" no_temporary

finish
