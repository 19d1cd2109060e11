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
        -DCMAKE_C_COMPILER_LAUNCHER="$here/compile_once.sh" \
        -DPELT_SOURCE="$source" "-DTARGETS=$(list $components)" "$@" &&
        cmake --build "$folder/$way" -j 2 && use "$folder/$way/programs/use_"
}

# Nothing but the programs and what they link: a library for each.
nothing_else_is_built() {
    find "$folder/add_subdirectory" -name '*.so' -o -name '*.a' -o -path '*/programs/*' \
        > "$folder/built"
    cat "$folder/built"
    [ "$(grep -c '/libpelt[a-z_]*\.a$' "$folder/built")" -eq $# ] &&
        [ "$(grep -c '/use_[a-z_]*$' "$folder/built")" -eq $# ] &&
        [ "$(grep -c . "$folder/built")" -eq $((2 * $#)) ] &&
        cmake --install "$folder/add_subdirectory" --prefix "$folder/prefix" &&
        [ ! -e "$folder/prefix" ]
}

# Compiling all takes many seconds; package_test.sh links with all that is installed. Whether commands
# compile is asked of one source of each folder, what they make comes from the project's own build.
export PELT_OBJECTS=""
if [ "${PELT_SWEEP:-}" != full ]; then
    PELT_OBJECTS=${pelt%/*}/src/CMakeFiles/pelt_objects.dir
    set -- core
fi
# Both parents have the same core to compile.
export PELT_COMPILED="$folder/compiled"
mkdir "$PELT_COMPILED" && : > "$PELT_COMPILED/tried"
"$pelt" rig box -o "$model" || exit 2
fact "add_subdirectory" parent add_subdirectory "$(static "$@")"
fact "nothing else is built or installed" nothing_else_is_built "$@"
fact "FetchContent, of the core alone" parent FetchContent core -DPELT_CORE_ONLY=ON
count_facts
