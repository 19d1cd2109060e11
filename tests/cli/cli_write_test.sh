#!/bin/sh
# SPDX-License-Identifier: MIT
# Output files: whole or not at all, with other writers and wherever the program ends.
# sh tests/cli/cli_write_test.sh PATH/TO/pelt, with PELT_FILE_CALLS=PATH/TO/libfile_calls.so

. "${0%/*}/cli_support.sh"

calls=${PELT_FILE_CALLS-}

# with VARIABLE=VALUE... COMMAND...: run with file_calls in front of the C library.
with()
{
    if [ -n "$calls" ]; then
        env LD_PRELOAD="$calls" "$@"
    else
        "$@"
    fi
}

# bake CLIP FOLDER: replace the bake in a folder, in about 10 ms.
bake()
{
    with "$pelt" bake 'rig:arm?vertices=200' --clip "$1" --rate 10 -o "$2" >/dev/null 2>&1
}

# is_bake FOLDER CLIPS...: it can be read, and has exactly the clip of one of the bakes.
is_bake()
{
    "$pelt" unbake "$1/arm.json" -o read.glb >/dev/null 2>err || return 1
    shift
    for clip in "$@"; do
        cmp -s read.glb "$clip.glb" && return
    done
    return 1
}

# has_files FOLDER: the four files of a bake and nothing else.
has_files()
{
    [ "$(ls -A "$1" | tr '\n' ' ')" = "arm.glb arm.json arm.ktx2 arm_error.svg " ]
}

# Whole files only, besides temporaries that nobody could remove.
has_no_other_files()
{
    [ -z "$(ls -A "$1" | grep -v '^\.pelt\.\(tmp-[0-9a-f]*\|lock\)$' |
        grep -v '^arm\(-[0-9a-f]\{16\}\)\{0,1\}\.\(glb\|ktx2\)$' |
        grep -v '^arm\(.json\|_error.svg\)$')" ]
}

for clip in bend twist; do
    bake $clip $clip && "$pelt" unbake $clip/arm.json -o $clip.glb >/dev/null 2>&1
    ok "a bake of $clip can be read" is_bake $clip $clip
done
ok "  and is not the other" differ bend.glb twist.glb

# -------------------------------------------------------------------------------------------------
echo "# Two programs"

# both FOLDER: two bakes into one folder at once.
both()
{
    bake bend "$1" &
    first=$!
    bake twist "$1" &
    wait $first && wait $!
}

# In one folder, and each time into a fresh one as well.
rounds=15
[ "${PELT_SWEEP-}" != full ] || rounds=400
at_once()
{
    round=0
    while [ $round -lt $rounds ]; do
        round=$((round + 1))
        both shared && has_files shared && is_bake shared bend twist || return 1
        rm -rf fresh
        both fresh && has_files fresh && is_bake fresh bend twist || return 1
    done
}
ok "two bakes at once, $rounds times: both succeed, and one of them is there" at_once

# -------------------------------------------------------------------------------------------------
echo "# Links, pipes and folders"

mkdir elsewhere && bake bend linked && mv linked/arm.json elsewhere/real.json
ln -s ../elsewhere/real.json linked/arm.json
ok "a bake through a link" bake twist linked
ok "  keeps the link" [ -L linked/arm.json ]
ok "  replaces what it leads to" is_bake linked twist
ok "  leaves nothing behind" no_temporary

mkfifo pipe
cat pipe >piped &
reader=$!
works rig arm -o pipe --format glb
wait $reader
ok "  is written to the pipe" [ -p pipe ]
"$pelt" rig arm -o whole.glb >/dev/null 2>&1
ok "  every byte" cmp -s piped whole.glb

# A folder that may not be written to, by a user for whom that matters.
bake bend closed
cp -r closed before
chmod -R a+rX,a-w closed
chmod a+x .
user=
[ "$(id -u)" -ne 0 ] || user='setpriv --reuid=65534 --regid=65534 --clear-groups'
if $user "$pelt" --version >/dev/null 2>&1; then
    code=0
    $user "$pelt" bake 'rig:arm?vertices=200' --clip twist -o closed >out 2>err || code=$?
    ok "exit 4 in a folder without write permission" [ $code -eq 4 ]
    ok "  one sentence" is_one_sentence
    ok "  it says why" grep -q 'cannot write closed/arm.*: Permission denied' err
    ok "  the old bake is as it was" diff -r closed before
else
    skip "a folder without write permission" "root may write anywhere, and cannot be another user"
fi
chmod -R u+w closed

# A file in which another program holds a lock, and one that a killed program has left.
bake bend locked
: >locked/.pelt.lock
ok "a lock file that nobody holds does not matter" bake twist locked
ok "  and is removed" has_files locked
if command -v flock >/dev/null; then
    : >locked/.pelt.lock
    mkfifo hold
    flock locked/.pelt.lock cat hold &
    exec 9>hold
    while flock -n locked/.pelt.lock true; do :; done
    if [ "${PELT_SWEEP-}" = full ]; then
        fails 4 'another program has held locked/.pelt.lock' \
            bake 'rig:arm?vertices=200' --clip bend -o locked
        ok "  the old bake is there" is_bake locked twist
    fi
    (exec 9>&-; bake bend locked) &
    waiting=$!
    exec 9>&-
    wait $waiting
    ok "a bake waits until another writer is done" is_bake locked bend
else
    skip "a lock that is held" "there is no flock"
fi

# -------------------------------------------------------------------------------------------------
echo "# The end at every step"

if [ -z "$calls" ]; then
    skip "a program that ends while it replaces a bake" "nothing to preload: PELT_FILE_CALLS"
    finish
fi

twist_with()
{
    with "$@" "$pelt" bake 'rig:arm?vertices=200' --clip twist --rate 10 -o "$kind" \
        >/dev/null 2>&1
}

# every_step KIND CHECK VARIABLES...: replace a bake again and again, each time one step further.
every_step()
{
    kind=$1
    check=$2
    shift 2
    step=0
    ended=1
    while [ $ended -ne 0 ]; do
        step=$((step + 1))
        rm -rf "$kind" && cp -r "bend" "$kind"
        ended=0
        twist_with "$@" PELT_END_AT=$step || ended=$?
        $check || return 1
    done
    [ $step -gt 8 ]
}

# What is left does not disturb the next bake.
is_whole()
{
    is_bake "$kind" bend twist && has_no_other_files "$kind" &&
        bake twist "$kind" && is_bake "$kind" twist
}

# The same, and signals that can be caught leave neither temporaries nor locks.
is_clean()
{
    is_bake "$kind" bend twist && [ -z "$(find "$kind" -name '.pelt.*')" ] &&
        { [ $ended -eq 0 ] || [ $ended -eq $expected ]; }
}

ok "killed at any rename, the old bake or the new one is there" every_step killed is_whole
ok "  without hard links too" every_step unlinked is_whole PELT_NO_LINK=1
ok "  and without locks" every_step unlocked is_whole PELT_NO_LOCK=1
for signal in 2 3 15; do
    expected=$((128 + signal))
    ok "signal $signal removes temporaries and is the exit status" \
        every_step "signal$signal" is_clean PELT_END_BY=$signal
done

# After an end between the two steps the next bake removes the names of the first.
bake bend again
step=0
until ls again | grep -q '^arm-[0-9a-f]*\.ktx2$' && grep -q 'arm-[0-9a-f]*\.ktx2' again/arm.json; do
    step=$((step + 1))
    kind=again
    twist_with PELT_END_AT=$step || :
    [ $step -lt 20 ] || break
done
ok "a bake that ended between its steps has tagged names" grep -q 'arm-[0-9a-f]*\.glb' again/arm.json
rm -f again/.pelt.* && cp again/arm.glb again/arm-0123456789abcdef.glb
find again -name 'arm-*' ! -name '*0123456789abcdef*' >tagged
for name in $(find again -name 'arm-*' ! -name '*0123456789abcdef*'); do
    grep -q "${name##*/}" again/arm.json || rm "$name" # of ends before the JSON file
done
bake twist again
ok "  the next one removes them" [ -z "$(find again -name 'arm-*' ! -name '*0123456789abcdef*')" ]
ok "  but no file of another name" rm again/arm-0123456789abcdef.glb
ok "  and leaves the four files" has_files again

# -------------------------------------------------------------------------------------------------
echo "# Temporaries of others"

# In two containers that share a folder even the process ids are the same.
mkdir foreign
for file in 0000000000000001 7-0; do
    printf 'not yours' >foreign/.pelt.tmp-$file
done
cp -r foreign keep

is_untouched()
{
    for file in 0000000000000001 7-0; do
        cmp -s keep/.pelt.tmp-$file foreign/.pelt.tmp-$file || return 1
    done
}
with PELT_SAME_RANDOM=1 "$pelt" rig arm -o foreign/arm.glb >/dev/null 2>&1
ok "a temporary of the same name belongs to another program" is_untouched
ok "  and the output is written all the same" cmp -s foreign/arm.glb whole.glb
code=0
with PELT_SAME_RANDOM=1 PELT_END_AT=1 PELT_END_BY=15 "$pelt" rig arm -o foreign/arm.glb \
    >/dev/null 2>&1 || code=$?
ok "a signal does not remove it either" is_untouched
ok "  but the own one" [ "$(ls -A foreign | wc -l)" -eq 3 ]
ok "  and ends the program" [ $code -eq 143 ]

finish
