#!/bin/sh
# SPDX-License-Identifier: MIT
# The core computes the same bits whoever compiles it: each way of compiling gives the hashes that
# the project's own flags give. Usage: same_bits_test.sh SOURCE CC
source=$1
cc=$2
passed=0
failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    failed=$((failed + 1))
    echo "FAIL $1"
}

# compile FOLDER FILES CC FLAGS...: objects of all FILES, which are a list of lines
compile() {
    mkdir -p "$1"
    objects=$1
    files=$2
    shift 2
    echo "$files" | (cd "$objects" && xargs -n 16 -P 2 "$@" -I "$source/include" -I "$source/rigs" -c)
}

core=$(find "$source/src" -name '*.c' | sort)
caller=$(find "$source/rigs" "$source/tests/same_bits.c" -name '*.c' | sort)

# What calls the core is the same in all: its own arithmetic is not the question here.
compile "$folder/caller" "$caller" "$cc" -std=c17 -O1 -ffp-contract=off || exit 1

# hashes NAME CC FLAGS...: build a core, and write its hashes to a file of that name
hashes() {
    name=$1
    shift
    compile "$folder/$name" "$core" "$@" &&
        "$1" "$folder/$name"/*.o "$folder"/caller/*.o -lm -pthread -o "$folder/$name/same_bits" &&
        "$folder/$name/same_bits" > "$folder/$name.txt" 2> "$folder/$name.log"
}

# same_bits CC FLAGS...: the hashes are those of the project's flags
same_bits() {
    if ! command -v "$1" > /dev/null; then
        echo "SKIP $*: there is no $1"
        return
    fi
    if ! "$@" -c -x c /dev/null -o "$folder/empty.o" 2> /dev/null; then
        echo "SKIP $*: $1 does not know these flags"
        return
    fi
    if ! hashes other "$@"; then
        cat "$folder/other.log"
        fail "$*: does not compile, or does not run"
    elif ! diff "$folder/project.txt" "$folder/other.txt"; then
        fail "$*: not the same bits"
    elif has_fused "$folder/other/same_bits"; then
        fail "$*: fused multiply-adds that this rig does not show"
    else
        passed=$((passed + 1))
        echo "ok   $*: the same bits"
    fi
    rm -rf "$folder/other"
}

# Whether a program has a fused multiply-add; libm, which has some, is linked dynamically.
has_fused() {
    command -v objdump > /dev/null && objdump -d "$1" |
        grep -E '[[:space:]](vfn?m(add|sub)[0-9a-z]*|fn?m(add|sub)|fml[as])[[:space:]]'
}

hashes project "$cc" -std=c17 -O3 -ffp-contract=off || exit 1
same_bits "$cc" -O2
same_bits "$cc" -O3 -march=native
same_bits clang -O2
same_bits clang -O3 -march=native
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
