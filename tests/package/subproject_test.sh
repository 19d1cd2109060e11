#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt's sources inside another project, which stays as it is.
# Usage: subproject_test.sh SOURCE CC PELT COMPONENTS...
source=$1
cc=$2
pelt=$3
shift 3
here=$source/tests/package
. "$here/facts.sh"
model=$folder/box.glb
model_vertices=312

# parent WAY TARGETS OPTIONS...
parent() {
    way=$1
    components=$2
    shift 2
    cmake -S "$here/parent" -B "$folder/$way" -DCMAKE_C_COMPILER="$cc" -DWAY="$way" \
        -DPELT_SOURCE="$source" "-DTARGETS=$(echo "$components" | tr ' ' ';')" "$@" &&
        cmake --build "$folder/$way" -j 2 && use "$folder/$way/programs/use_"
}

# Nothing but the programs and what they link.
nothing_else_is_built() {
    find "$folder" -name 'libpelt*.so' -o -name pelt -type f -o -name '*test*' -type f -perm -u+x |
        grep . && return 1
    cmake --install "$folder/add_subdirectory" --prefix "$folder/prefix" &&
        [ ! -e "$folder/prefix" ]
}

"$pelt" rig box -o "$model" || exit 2
fact "add_subdirectory" parent add_subdirectory "$(echo "$@" | sed 's/[a-z][a-z]*/&_static/g')"
fact "nothing else is built or installed" nothing_else_is_built
fact "FetchContent, of the core alone" parent FetchContent core -DPELT_CORE_ONLY=ON
count_facts
