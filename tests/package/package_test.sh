#!/bin/sh
# SPDX-License-Identifier: MIT
# What others build on: the core without CMake, headers as C++, the installed package, and the
# program in the README. Usage: package_test.sh SOURCE BUILD CC
source=$1
build=$2
cc=$3
passed=0
failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# fact NAME COMMAND...: one line of result, the output only when it fails.
fact() {
    name=$1
    shift
    if "$@" > "$folder/log" 2>&1; then
        passed=$((passed + 1))
        echo "ok   $name"
    else
        failed=$((failed + 1))
        echo "FAIL $name"
        cat "$folder/log"
    fi
}

core_builds_alone() {
    mkdir -p "$folder/core" && cd "$folder/core" &&
        "$cc" -std=c17 -c "$source"/src/*/*.c &&
        "$cc" -shared -fPIC "$source"/src/*/*.c -lm -pthread -o libpelt.so
}

headers_compile() {
    for header in "$source"/include/pelt/*.h; do
        echo "#include \"$header\"" > "$folder/header.c"
        cp "$folder/header.c" "$folder/header.cpp"
        "$cc" -std=c17 -Wall -Wextra -Wpedantic -Werror -c "$folder/header.c" -o /dev/null &&
            c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -c "$folder/header.cpp" -o /dev/null ||
            return 1
    done
}

# An option per line: the arguments of pkg-config are words.
flags() {
    PKG_CONFIG_PATH=$(dirname "$(find "$folder/prefix" -name pelt.pc)") pkg-config "$@"
}

package_installs() {
    cmake --install "$build" --prefix "$folder/prefix"
}

readme_program_runs() {
    sed -n '/^```c$/,/^```$/p' "$source/README.md" | sed '/^```/d' > "$folder/readme.c" &&
        "$cc" -std=c17 -Wall -Werror "$folder/readme.c" $(flags --cflags --libs pelt) -lm \
            -o "$folder/readme" &&
        LD_LIBRARY_PATH=$(dirname "$(find "$folder/prefix" -name libpelt.so)") "$folder/readme" \
            > "$folder/said" &&
        cat "$folder/said" && grep -qF "$(sed -n 's/.*prints \(.*\)$/\1/p' "$folder/readme.c")" \
        "$folder/said"
}

static_library_links() {
    "$cc" -std=c17 $(flags --cflags pelt) "$folder/readme.c" \
        "$(find "$folder/prefix" -name libpelt.a)" $(flags --static --libs-only-other pelt) -lm \
        -o "$folder/static" && "$folder/static"
}

examples_build() {
    for example in "$source"/examples/*.c; do
        "$cc" -std=c17 -Wall -Werror "$example" $(flags --cflags --libs pelt_io) \
            -o "$folder/example" || return 1
    done
}

# With a driver it makes a context, and without one it says what is missing.
gl_program_runs() {
    cat > "$folder/gl.c" << 'END'
#include <pelt/gl.h>
#include <stdio.h>

int main(void)
{
    char* text;
    pelt_gl* gl;
    pelt_error error = {{0}};
    if (pelt_shader_source(&text, &(pelt_shader_desc){.method = PELT_METHOD_DQS}, &error))
    {
        return 1;
    }
    printf("%.17s\n", text);
    pelt_release(text);
    pelt_result result = pelt_gl_create(&gl, PELT_GL_OFFSCREEN, &error);
    printf("%s\n", result == PELT_OK ? pelt_gl_describe(gl).renderer : error.message);
    pelt_gl_destroy(gl);
    return result != PELT_OK && error.message[0] == 0;
}
END
    "$cc" -std=c17 -Wall -Werror "$folder/gl.c" $(flags --cflags --libs pelt_gl) -o "$folder/gl" &&
        LD_LIBRARY_PATH=$(dirname "$(find "$folder/prefix" -name libpelt.so)") "$folder/gl"
}

gl_static_library_links() {
    library=$(dirname "$(find "$folder/prefix" -name libpelt.a)")
    "$cc" -std=c17 $(flags --cflags pelt_gl) "$folder/gl.c" "$library/libpelt_gl.a" \
        "$library/libpelt.a" $(pkg-config --libs epoxy) \
        $(flags --static --libs-only-other pelt_gl) -lm -o "$folder/gl_static" &&
        "$folder/gl_static"
}

fact "the core builds with one command, without CMake" core_builds_alone
fact "headers compile alone, as C and as C++" headers_compile
fact "the package installs" package_installs
fact "the program in the README runs against the installed package" readme_program_runs
fact "it links with the static library too" static_library_links
fact "the examples build against the installed package" examples_build
fact "the installed program runs" "$folder/prefix/bin/pelt" --version
if [ -n "$(find "$folder/prefix" -name pelt_gl.pc)" ]; then
    fact "a program with libpelt_gl runs against the installed package" gl_program_runs
    fact "it links with the static libraries too" gl_static_library_links
else
    echo "SKIP libpelt_gl: not in this build"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
