#!/bin/sh
# SPDX-License-Identifier: MIT
# Which targets of the Makefile install packages, on a machine made of fakes: dpkg-query, which
# misses jansson until apt-get has come, and cmake, which fails as long. Usage: make_test.sh SOURCE
source=$1
. "$source/tests/package/facts.sh"

# stand_in NAME TEXT
stand_in() {
    printf '#!/bin/sh\n%s\n' "$2" > "$folder/bin/$1" && chmod +x "$folder/bin/$1"
}

# run TARGET [everything]: a fresh machine, or one that has everything, with a fresh clone; what it says is
# in $folder/said.
run() {
    rm -rf "$folder/clone" && mkdir -p "$folder/bin" "$folder/clone/build" &&
        cp -r "$source/Makefile" "$source/tools" "$folder/clone" &&
        stand_in dpkg-query 'case "$*" in *libjansson-dev) [ -e installed ] || exit 1 ;; esac
printf installed' &&
        stand_in apt-get 'echo "apt-get $*" >> calls; touch installed' &&
        stand_in sudo 'exec "$@"' &&
        stand_in cmake '[ -e installed ] || { echo "CMake Error: Call Stack"; exit 1; }' &&
        stand_in ctest 'echo "tests run"' &&
        cp "$folder/bin/ctest" "$folder/clone/build/pelt" && touch "$folder/clone/calls" || return 2
    [ "$2" != everything ] || touch "$folder/clone/installed"
    (cd "$folder/clone" && PATH="$folder/bin:$PATH" MAKEFLAGS='' make "$1") > "$folder/said" 2>&1
    code=$?
    cat "$folder/said" "$folder/clone/calls"
    return $code
}

build_names_packages() {
    ! run build && grep -q 'has no libjansson-dev. `make deps` installs' "$folder/said" &&
        ! grep -q 'Call Stack' "$folder/said" && [ ! -s "$folder/clone/calls" ]
}

installs_packages() {
    run "$1" && grep -q 'apt-get install.* libjansson-dev' "$folder/clone/calls"
}

runs_tests() {
    for target in asan tsan scalar core-only clang windows arm; do
        run "$target" everything && grep -q 'tests run' "$folder/said" || return 1
    done
}

fact "make build names what is missing, and installs nothing" build_names_packages
fact "make deps installs it" installs_packages deps
fact "make demo does everything on a fresh machine" installs_packages demo
fact "so does make test" installs_packages test
fact "every way to build runs its tests" runs_tests
count_facts
