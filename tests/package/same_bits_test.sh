#!/bin/sh
# SPDX-License-Identifier: MIT
# The core builds without CMake and computes the same bits with every compiler: each way of compiling
# gives the hashes that the project's own flags give.
#
#     same_bits_test.sh SOURCE CC BUILD
#     same_bits_test.sh SOURCE CC OTHER_CC EMULATOR...
#
# BUILD has the libraries that the project's flags made. With OTHER_CC, a compiler for another
# machine, its core runs in the emulator and gives the bits of CC.
source=$1
cc=$2
shift 2
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
    echo "$files" | (cd "$objects" && xargs -n 16 -P 2 "$@" -c)
}

core=$(find "$source/src" -name '*.c' | sort)
program=$source/tests/package/same_bits.c
rigs=$(find "$source/rigs" -name '*.c' | sort)

# The caller of the core is compiled the same way in all: its own arithmetic is not tested.
# compile_caller CC FILES
compile_caller() {
    compile "$folder/caller" "$2" "$1" -std=c17 -O1 -ffp-contract=off -I "$source/include" \
        -I "$source/rigs"
}

# hashes NAME CC FLAGS...: build a core, and write its hashes to a file of that name
hashes() {
    name=$1
    shift
    compile "$folder/$name" "$core" "$@" &&
        "$1" "$folder"/caller/*.o $library "$folder/$name"/*.o -lm -pthread \
            -o "$folder/$name/same_bits" &&
        $emulator "$folder/$name/same_bits" > "$folder/$name.txt" 2> "$folder/$name.log"
}

# is_same FILE FILE: but for lines that depend on libm or on the machine
is_same() {
    sed "$libm" "$1" > "$folder/one.txt"
    sed "$libm" "$2" > "$folder/two.txt"
    diff "$folder/one.txt" "$folder/two.txt"
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
    rm -rf "$folder/other"
    if ! hashes other "$@"; then
        cat "$folder/other.log"
        fail "$*: does not compile, or does not run"
    elif ! is_same "$folder/project.txt" "$folder/other.txt"; then
        fail "$*: not the same bits"
    elif has_fused "$folder/other"; then
        fail "$*: fused multiply-adds that this rig does not show"
    else
        passed=$((passed + 1))
        echo "ok   $*: the same bits"
    fi
}

# The objects of the last core, which no option has helped to its headers.
lacks_nothing() {
    if "$cc" -shared "$folder"/other/*.o -lm -pthread -Wl,-z,defs -o "$folder/libpelt.so"; then
        passed=$((passed + 1))
        echo "ok   the core builds with one command, without CMake"
    else
        fail "the core lacks something when it is built without CMake"
    fi
}

# Whether objects of a folder have a fused multiply-add, but for kernels of deformers that ask for it.
has_fused() {
    objdump=objdump
    [ -z "$emulator" ] || objdump=${other%-gcc}-objdump
    command -v "$objdump" > /dev/null &&
        find "$1" -name '*.o' ! -name 'deformer_avx*.o' -exec "$objdump" -d {} + |
        grep -E '[[:space:]](vfn?m(add|sub)[0-9a-z]*|fn?m(add|sub)|fml[as])[[:space:]]'
}

emulator=""
libm=""
library=""
if [ $# -gt 1 ]; then
    compile_caller "$cc" "$program
$rigs" && hashes project "$cc" -std=c17 -O3 -ffp-contract=off || exit 1
    other=$1
    shift
    emulator=$*
    # Only lms calls libm for each vertex, and other machines have another libm. The best kernels of
    # deformers fuse what the base set does not.
    libm='/ lms /d; /^deformer best /d'
    compile_caller "$other" "$program
$rigs" || exit 1
    same_bits "$other" -O2
elif [ "${PELT_SWEEP:-}" != full ]; then
    echo "SKIP other ways to compile the core: they take a minute; PELT_SWEEP=full tries them"
    exit 77
else
    library=$1/libpelt_rigs.a
    compile_caller "$cc" "$program" &&
        "$cc" "$folder"/caller/*.o "$library" "$1/libpelt.a" -lm -pthread -o "$folder/project" &&
        "$folder/project" > "$folder/project.txt" || exit 1
    # Without an option, as for sources copied into another project.
    same_bits "$cc" -fPIC
    lacks_nothing
    same_bits "$cc" -O2
    same_bits "$cc" -O3 -march=native
    same_bits clang -O2
    same_bits clang -O3 -march=native
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
