#!/bin/sh
# SPDX-License-Identifier: MIT
# What all commands have in common: help, usage and files that appear whole or not at all.
# sh tests/cli/cli_test.sh PATH/TO/pelt

. "${0%/*}/cli_support.sh"

input rig arm -o rest.obj

# -------------------------------------------------------------------------------------------------
echo "# help and usage"

works
ok "  names the commands" grep -q deform out
works help
works --version
ok "  has a number" grep -q '^pelt [0-9]' out
# Lines of the list of options are indented, those that go on too.
is_indented()
{
    sed -n '/^options:/,/^$/p' "$1" | awk 'NR > 1 && NF > 0 && !/^  / { exit 1 }'
}

for command in info doctor enhance deform render compare convert bake unbake shaders rig demo bench; do
    works help $command
    ok "  shows the options" grep -q -e '--json' out
    ok "  indented" is_indented out
    cp out kept
    works $command --help
    ok "  the same help" cmp -s out kept
done
fails 1 'did you mean deform' defrom
fails 1 'pelt help' xyzzy
fails 1 'pelt help' help xyzzy
fails 1 'did you mean --method' deform rig:arm --metod dqs -o x.obj
fails 1 'see pelt help' deform rig:arm --xyzzy -o x.obj
fails 1 'needs a value' deform rig:arm -o x.obj --method
fails 1 'needs a value' deform rig:arm --method --json -o x.obj
fails 1 'takes no value' info rig:arm --json=yes
fails 1 'needs INPUT' info
fails 1 'unexpected argument' info rig:arm rig:bar
fails 1 'before the options' --json info rig:arm

# -------------------------------------------------------------------------------------------------
echo "# files appear whole or not at all"

ok "no failed command has left a file" [ ! -e x.obj ]
fails 4 'No such file' deform rig:arm -o missing/x.obj
fails 4 'irectory' deform rig:arm -o . --format obj
fails 4 'Not a directory' deform rig:arm -o rest.obj/x.obj
if [ -w /dev/full ]; then
    fails 4 'space' deform rig:arm -o /dev/full --format ply
    fails 4 'space' info rig:arm -o /dev/full
    code=0
    "$pelt" info rig:arm >/dev/full 2>err || code=$?
    ok "exit 4 when the standard output is full" [ "$code" -eq 4 ]
fi
echo precious >x.obj
code=0
(ulimit -f 16 && exec "$pelt" deform rig:arm -o x.obj) 2>err || code=$?
ok "exit 4 when a file cannot grow" [ "$code" -eq 4 ]
ok "  says so" grep -q 'cannot write x.obj' err
ok "  what was there is still there" [ "$(cat x.obj)" = precious ]
mkdir locked && chmod a-w locked
if [ ! -w locked ]; then
    fails 4 'denied' deform rig:arm -o locked/x.obj
fi
chmod 640 x.obj
ln -s x.obj link.obj
works deform rig:arm -o link.obj
ok "  a link is followed" [ -h link.obj ]
ok "  and its file replaced" cmp -s x.obj rest.obj
ok "  which keeps its permissions" [ "$(ls -l x.obj | cut -c1-10)" = "-rw-r-----" ]

echo precious >big.obj
"$pelt" rig 'cuboid?vertices=400000' -o big.obj 2>err &
process=$!
while kill -0 $process 2>/dev/null && no_temporary; do :; done
kill -TERM $process 2>/dev/null
code=0
{ wait $process || code=$?; } 2>/dev/null
ok "a killed program says how it died" [ "$code" -eq 143 ]
ok "  and what was there is still there" [ "$(cat big.obj)" = precious ]
ok "no temporary file is left anywhere" no_temporary

finish
