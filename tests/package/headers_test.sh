#!/bin/sh
# SPDX-License-Identifier: MIT
# The public headers as C and as C++, for every compiler there is.
# Usage: headers_test.sh SOURCE CC
source=$1
. "$source/tests/package/facts.sh"

# compile OPTIONS...: $folder/header.c by each of $compilers in each of $standards.
compile() {
    cp "$folder/header.c" "$folder/header.cpp"
    for compiler in $compilers; do
        for standard in $standards; do
            file=$folder/header.c
            [ "${standard#c++}" = "$standard" ] || file=$folder/header.cpp
            "$compiler" -std=$standard -Wall -Wextra -Wpedantic -Wconversion -Werror "$@" \
                -fsyntax-only "$file" || {
                echo "as $standard by $compiler:" && cat "$file"
                return 1
            }
        done
    done
}

# All together meet all compilers and standards below, so that alone compilers alternate.
headers_compile_alone() (
    [ "${PELT_SWEEP:-}" = full ] || standards="c11 c++11"
    set -- $compilers
    for header in $headers; do
        echo "#include <pelt/$header>" > "$folder/header.c"
        if [ "${PELT_SWEEP:-}" != full ]; then
            compilers=$1
            shift
            set -- "$@" "$compilers"
        fi
        compile -I"$source/include" || return 1
    done
)

# What windows.h defines. Headers of libc come before, as they do there.
headers_meet_macros() {
    {
        printf '#include <%s.h>\n' math stdbool stddef stdint
        printf '#define %s +\n' near far small interface IN OUT
        echo '#define min(a, b) ((a) < (b) ? (a) : (b))'
        echo '#define max(a, b) ((a) > (b) ? (a) : (b))'
        printf '#include <pelt/%s>\n' $headers
    } > "$folder/header.c"
    compile -I"$source/include"
}

# A program that looks for headers in include/pelt itself still gets those of libc.
headers_hide_nothing() {
    {
        printf '#include <%s.h>\n' assert ctype errno float limits locale math setjmp signal \
            stdarg stdbool stddef stdint stdio stdlib string time
        printf '#include <%s>\n' $headers
        echo 'extern FILE* file;'
        echo 'extern time_t moment;'
        echo 'extern size_t length;'
        echo 'size_t length = sizeof(va_list) + INT_MAX + DBL_DIG;'
    } > "$folder/header.c"
    compile -I"$source/include/pelt"
}

headers=$(cd "$source/include/pelt" && ls -- *.h)
standards="c11 c17 c++11 c++17"
compilers=""
for compiler in gcc clang; do
    command -v $compiler > /dev/null && compilers="$compilers $compiler"
done
[ -n "$compilers" ] || compilers=$2
fact "headers compile alone" headers_compile_alone
fact "headers compile after windows.h" headers_meet_macros
fact "no header hides one of libc" headers_hide_nothing
count_facts
