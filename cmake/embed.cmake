# SPDX-License-Identifier: MIT
# Converts text files into a C table of {name, text}, declared in a header:
# cmake -DOUTPUT=x.c -DHEADER=x.h -DTABLE=x -DTYPE=x -DFILES="a;b" -P embed.cmake
# As bytes, because a string literal may not be longer than 4095 characters.
set(arrays "")
set(rows "")
foreach(path IN LISTS FILES)
    get_filename_component(name "${path}" NAME)
    string(MAKE_C_IDENTIFIER "${name}" symbol)
    file(READ "${path}" bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(0x0a,)" "\\1\n    " bytes "${bytes}")
    string(APPEND arrays "static const char ${symbol}[] = {\n    ${bytes}0x00};\n\n")
    string(APPEND rows "    {\"${name}\", ${symbol}},\n")
endforeach()
list(LENGTH FILES count)
file(WRITE "${OUTPUT}" "// Made by cmake/embed.cmake.\n#include \"${HEADER}\"\n\n${arrays}"
     "const ${TYPE} ${TABLE}[] = {\n${rows}};\n"
     "const uint32_t ${TABLE}_count = ${count};\n")
