#!/bin/sh
# SPDX-License-Identifier: MIT
# What others build on: the installed package by CMake and by pkg-config, and the program in the
# README. Usage: package_test.sh SOURCE BUILD CC
source=$1
build=$2
cc=$3
here=$source/tests/package
. "$here/facts.sh"

# Moved at once: nothing in it may contain the first path.
package_installs() {
    cmake --install "$build" --prefix "$folder/first" && mv "$folder/first" "$folder/prefix"
}

# Two folders give the same files.
nothing_names_the_build_folder() {
    ! grep -rlF -e "$source/" -e "$build/" "$folder/prefix"
}

headers_are_installed() {
    ls "$source/include/pelt" > "$folder/expected" &&
        ls "$folder/prefix/include/pelt" | diff "$folder/expected" -
}

versions_agree() {
    version=$(sed -n 's/^#define PELT_VERSION_STRING "\(.*\)"$/\1/p' "$source/include/pelt/base.h")
    [ "$(flags --modversion pelt)" = "$version" ] &&
        [ "$("$folder/prefix/bin/pelt" --version)" = "pelt $version" ] &&
        [ -e "$libraries/libpelt.so.$version" ] &&
        readelf -d "$libraries/libpelt.so" | grep -q "SONAME.*\[libpelt.so.${version%.*}\]"
}

flags() {
    PKG_CONFIG_PATH=$libraries/pkgconfig pkg-config "$@"
}

readme_program_runs() {
    sed -n '/^```c$/,/^```$/p' "$source/README.md" | sed '/^```/d' > "$folder/readme.c" &&
        "$cc" -std=c17 -Wall -Werror "$folder/readme.c" $(flags --cflags --libs pelt) \
            -o "$folder/readme" &&
        LD_LIBRARY_PATH=$libraries "$folder/readme" > "$folder/said" &&
        cat "$folder/said" && grep -qF "$(sed -n 's/.*prints \(.*\)$/\1/p' "$folder/readme.c")" \
        "$folder/said"
}

# The same program, in the other language that calls C.
readme_program_is_cpp() {
    for standard in 17 20; do
        c++ -x c++ -std=c++$standard -pedantic -Wall -Werror "$folder/readme.c" \
            -x none $(flags --cflags --libs pelt) -o "$folder/readme_cpp" &&
            LD_LIBRARY_PATH=$libraries "$folder/readme_cpp" | diff "$folder/said" - || return 1
    done
}

# is_hardened FILE: relocations are read-only, functions bound at the start, stack frames and calls
# of libc checked.
is_hardened() {
    readelf -lW "$1" | grep -q GNU_RELRO && readelf -dW "$1" | grep -Eq 'BIND_NOW|FLAGS.* NOW' &&
        readelf -sW --dyn-syms "$1" | grep -q __stack_chk_fail
}

is_position_independent() {
    readelf -hW "$1" | grep -q 'Type: *DYN' && readelf -dW "$1" | grep -Eq 'FLAGS_1.*PIE'
}

programs_are_hardened() {
    for program in "$folder"/prefix/bin/*; do
        is_hardened "$program" && is_position_independent "$program" &&
            readelf -sW --dyn-syms "$program" | grep -q '__[a-z]*_chk' || return 1
    done
    [ -x "$folder/prefix/bin/pelt" ]
}

libraries_are_hardened() {
    for library in "$libraries"/libpelt*.so; do
        is_hardened "$library" || return 1
    done
}

# pkg_config_links OUTPUT OPTIONS...
pkg_config_links() {
    output=$1
    shift
    for component in $components; do
        module=pelt_$component
        [ "$component" = core ] && module=pelt
        "$cc" -std=c17 -Wall -Werror "$here/consumer/use_$component.c" \
            $(flags --cflags --libs "$@" $module) -o "$output$component" || return 1
    done
}

shared_links() {
    pkg_config_links "$folder/shared_" && (
        export LD_LIBRARY_PATH="$libraries"
        use "$folder/shared_"
    )
}

examples_build() {
    for example in "$source"/examples/*.c; do
        modules=pelt_io
        if [ "${example##*/}" = gpu_window.c ]; then
            modules="pelt_gl pelt_io sdl2 epoxy"
            flags --exists $modules || continue
        fi
        "$cc" -std=c17 -Wall -Werror "$example" $(flags --cflags --libs $modules) -lm -pthread \
            -o "$folder/example" || return 1
    done
}

# Linkers prefer shared libraries, so these go out of the way.
static_links() {
    mkdir "$folder/hidden" && mv "$libraries"/libpelt*.so* "$folder/hidden" &&
        pkg_config_links "$folder/static_" --static && use "$folder/static_"
    code=$?
    mv "$folder"/hidden/* "$libraries"
    return $code
}

# configure COMPONENTS TARGETS OPTIONS...
configure() {
    wanted=$(list $1)
    targets=$(list $2)
    shift 2
    cmake -S "$here/consumer" -B "$folder/consumer" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_PREFIX_PATH="$folder/prefix" "-DCOMPONENTS=$wanted" "-DTARGETS=$targets" "$@"
}

cmake_finds_package() {
    configure "$components" "$components $(static $components)" &&
        cmake --build "$folder/consumer" -j 2 && use "$folder/consumer/use_" && (
        components=$(static $components)
        use "$folder/consumer/use_" &&
            for component in $components; do
                ! ldd "$folder/consumer/use_$component" | grep libpelt || exit 1
            done
    )
}

# On a machine that has none of the libraries that pelt was built with.
shared_needs_nothing() {
    rm -rf "$folder/consumer"
    PKG_CONFIG_LIBDIR=$folder configure "core io" "core io" \
        -DCMAKE_DISABLE_FIND_PACKAGE_meshoptimizer=ON > "$folder/said" 2>&1
    code=$?
    cat "$folder/said"
    rm -rf "$folder/consumer"
    [ $code -eq 0 ] && grep -q 'pelt::io_static is left out: there is no jansson' "$folder/said"
}

# A part that is not there, then one that there never was.
missing_component_is_named() {
    mv "$libraries/cmake/pelt/pelt_io.cmake" "$folder/hidden.cmake"
    configure "core io" core > "$folder/said" 2>&1
    code=$?
    mv "$folder/hidden.cmake" "$libraries/cmake/pelt/pelt_io.cmake"
    [ $code -ne 0 ] && tr -s '\n ' ' ' < "$folder/said" > "$folder/line" &&
        cat "$folder/line" && grep -q 'was built without its component io' "$folder/line" &&
        ! configure "core voice" core > "$folder/said" 2>&1 &&
        tr -s '\n ' ' ' < "$folder/said" > "$folder/line" && cat "$folder/line" &&
        grep -q 'pelt has no component "voice": there are core, io, gpu and gl' "$folder/line"
}

# Versions 0.1.x fit 0.1, and no other minor version does.
minor_version_decides() {
    for asked in 0.1:TRUE 0.1.0:TRUE 0.0:FALSE 0.2:FALSE 1.0:FALSE; do
        cat > "$folder/version.cmake" << END
set(PACKAGE_FIND_VERSION ${asked%:*})
string(REPLACE "." ";" parts \${PACKAGE_FIND_VERSION})
list(GET parts 0 PACKAGE_FIND_VERSION_MAJOR)
list(GET parts 1 PACKAGE_FIND_VERSION_MINOR)
set(CMAKE_SIZEOF_VOID_P "")
include("$libraries/cmake/pelt/peltConfigVersion.cmake")
if(NOT "\${PACKAGE_VERSION_COMPATIBLE}" STREQUAL ${asked#*:})
    message(FATAL_ERROR "${asked%:*}: \${PACKAGE_VERSION_COMPATIBLE}")
endif()
END
        cmake -P "$folder/version.cmake" || return 1
    done
}

fact "the package installs, and may be moved" package_installs
libraries=$(dirname "$(find "$folder/prefix" -name libpelt.so)")
components="core io gpu"
[ -e "$libraries/libpelt_gl.so" ] && components="core io gpu gl"
model=$folder/box.glb
model_vertices=312
fact "no installed file names the folder it was built in" nothing_names_the_build_folder
fact "the installed program runs" "$folder/prefix/bin/pelt" rig box -o "$model"
fact "header, program, libraries and package have one version" versions_agree
if command -v python3 > /dev/null; then
    fact "libraries export what headers declare, and nothing else" \
        python3 "$here/exported_names.py" "$cc" "$folder/prefix/include" "$libraries"/libpelt*.so
else
    echo "SKIP exported names: there is no python3"
fi
fact "the program in the README runs" readme_program_runs
if command -v c++ > /dev/null; then
    fact "it is C++ too" readme_program_is_cpp
else
    echo "SKIP the program in the README as C++: there is no c++"
fi
if grep -q '^PELT_HARDEN:BOOL=ON' "$build/CMakeCache.txt"; then
    fact "programs are hardened" programs_are_hardened
    fact "libraries are hardened" libraries_are_hardened
else
    echo "SKIP hardened programs: PELT_HARDEN is off"
fi
fact "the examples build" examples_build
fact "pkg-config links shared libraries" shared_links
fact "pkg-config --static links static libraries" static_links
fact "CMake finds the package, shared and static" cmake_finds_package
fact "shared libraries need nothing that they were built with" shared_needs_nothing
fact "CMake names a component that is missing" missing_component_is_named
fact "before 1.0 another minor version is another interface" minor_version_decides
if [ "$components" = "core io gpu gl" ]; then
    fact "all public headers are installed" headers_are_installed
else
    echo "SKIP libpelt_gl: not in this build"
fi
count_facts
