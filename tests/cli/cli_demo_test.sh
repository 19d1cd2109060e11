#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt demo: sh tests/cli/cli_demo_test.sh PATH/TO/pelt

. "${0%/*}/cli_support.sh"

# works_in_the_dark ARGUMENTS...: as works, without a driver. Pictures take longest by far, and those
# of one demo tell all.
works_in_the_dark()
{
    code=0
    without_driver "$@" || code=$?
    ok "exit 0: pelt $*" [ "$code" -eq 0 ]
}

works demo rig:arm
ok "  writes rest.obj" is_valid_obj pelt-demo/rest.obj
for method in lbs dqs mix crs lms sbs; do
    ok "  writes $method.obj" is_valid_obj pelt-demo/$method.obj
    ok "  has a row for it" grep -q "^  $method " out
done
ok "  writes report.json" is_json pelt-demo/report.json
ok "  says where" grep -q pelt-demo err
if [ "$(grep -c OpenGL err)" -gt 0 ]; then
    skip "pictures of the demo" "$(grep OpenGL err)"
else
    for picture in bar scale cuboid human difference normals pivot twist textures; do
        ok "  draws $picture.png" [ "$(tail -c 8 pelt-demo/$picture.png | head -c 4)" = IEND ]
        ok "  and says what is to be seen" grep -q "^pelt: $picture.png: ..........." err
    done
    ok "  and of a character of one's own" [ -e pelt-demo/input.png ]
fi

works_in_the_dark demo -o human
ok "  writes rest.obj" is_valid_obj human/rest.obj
ok "  poses it" differ human/lbs.obj human/rest.obj
ok "  methods differ" differ human/lbs.obj human/dqs.obj
ok "  bakes it" [ -s human/human_bake/human.ktx2 ]
ok "  and says how well" grep -q 'human_bake: a texture of .* mm off$' err
works_in_the_dark demo rig:cloth --clip drape --json -o cloth
ok "  is JSON" is_json out
ok "  has methods" has_member out methods list
input rig arm -o arm.glb
works_in_the_dark demo arm.glb --clip bend -o file-demo
ok "  writes dqs.obj" is_valid_obj file-demo/dqs.obj
if make_hollow; then
    works_in_the_dark demo hollow.gltf -o hollow-demo
    ok "  demo has its own choice of a clip" grep -q 'using twist' err
else
    skip "the choice of a clip" "there is no python3"
fi

without_driver demo rig:box -o dark
code=$?
if [ -e dark/bar.png ]; then
    skip "a demo without a driver" "this EGL finds its driver in another way"
else
    ok "demo goes on without a driver" [ "$code" -eq 0 ]
    ok "  and says so in one line" [ "$(grep -c OpenGL err)" -eq 1 ]
    ok "  with all meshes" is_valid_obj dark/crs.obj
    ok "  and no picture" [ ! -e dark/bar.png ]
fi

: >taken
fails 4 'folder' demo rig:box -o taken
fails 4 'folder' demo rig:box -o missing/folder
fails 2 'beyond the range' demo rig:arm -o far-demo \
    --pose '{"shoulder":{"scale":1e25},"elbow":{"scale":1e25}}'

finish
