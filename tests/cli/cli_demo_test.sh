#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt demo: sh tests/cli/cli_demo_test.sh PATH/TO/pelt

. "${0%/*}/cli_support.sh"

# Small ones: a demo measures all of their clips.
arm='rig:arm?vertices=400'
cloth='rig:cloth?vertices=400'

# works_in_the_dark ARGUMENTS...: as works, without a driver. Pictures take longest by far, and those
# of one demo tell all.
works_in_the_dark()
{
    code=0
    without_driver "$@" || code=$?
    ok "exit 0: pelt $*" [ "$code" -eq 0 ]
}

works demo "$arm"
ok "  writes rest.obj" is_valid_obj pelt-demo/rest.obj
for method in lbs dqs mix crs lms sbs ddm; do
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
    ok "  and those of the report" grep -q 'data:image/png' pelt-demo/comparison/report.html
fi

works_in_the_dark demo -o human
ok "  writes rest.obj" is_valid_obj human/rest.obj
ok "  poses it" differ human/lbs.obj human/rest.obj
ok "  methods differ" differ human/lbs.obj human/dqs.obj
ok "  bakes it" [ -s human/human_bake/human.ktx2 ]
ok "  and says how well" grep -q 'human_bake: a texture of .* mm off$' err
ok "  ends with a report" [ "$(tail -n 1 err)" = 'pelt: wrote human/comparison/report.html and report.json' ]
ok "  that recommends a method" grep -q '<h1>Use [a-z-]*: ' human/comparison/report.html
works_in_the_dark demo "$cloth" --clip drape --json -o cloth
ok "  is JSON" is_json out
ok "  has methods" has_member out methods list

# near_obj A B: the same lines, and numbers that differ by no more than what frames promise.
near_obj()
{
    "$python" -c 'import sys
a, b = ([line.split() for line in open(path)] for path in sys.argv[1:])
assert len(a) == len(b)
points = [list(map(float, line[1:])) for line in b if line[:1] == ["v"]]
size = sum((max(c) - min(c)) ** 2 for c in zip(*points, [0, 0, 0])) ** 0.5
bound = {"v": 2e-6 * size + 1e-6, "vn": 9e-4} # OBJ rounds to six digits
for x, y in zip(a, b):
    if x[:1] in (["v"], ["vn"]):
        assert all(abs(float(p) - float(q)) <= bound[x[0]] for p, q in zip(x[1:], y[1:])), (x, y)' "$1" "$2"
}

works_in_the_dark demo "$arm" --clip bend --time 0.7 --exact --json -o exact
json "  --exact is in the report" 'd["exact"] is True'
works_in_the_dark demo "$arm" --clip bend --time 0.7 --json -o fast
json "  and that it was not asked for" 'd["exact"] is False'
for method in lbs dqs mix crs lms sbs ddm; do
    works deform "$arm" --clip bend --time 0.7 --method $method -o $method.obj
    ok "  is what demo --exact writes" cmp -s $method.obj exact/$method.obj
    if [ -n "$python" ]; then
        ok "  and demo nearly" near_obj fast/$method.obj $method.obj
    fi
done
input rig "${arm#rig:}" -o arm.glb
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
    ok "  and says so once for pictures and once for the report" [ "$(grep -c OpenGL err)" -eq 2 ]
    ok "  with all meshes" is_valid_obj dark/crs.obj
    ok "  and no picture" [ ! -e dark/bar.png ]
fi

: >taken
fails 4 'folder' demo rig:box -o taken
fails 4 'folder' demo rig:box -o missing/folder
fails 2 'beyond the range' demo "$arm" -o far-demo \
    --pose '{"shoulder":{"scale":1e25},"elbow":{"scale":1e25}}'

finish
