# SPDX-License-Identifier: MIT
# Turns text files into a C table of {name, text}:
#     cmake -DOUTPUT=x.c -DTABLE=pelti_x_text -DFILES="a;b" -P embed.cmake
# As bytes, because a string literal may not be longer than 4095 characters.
set(arrays "")
set(rows "")
foreach(path IN LISTS FILES)
    get_filename_component(name "${path}" NAME)
    get_filename_component(symbol "${path}" NAME_WE)
    file(READ "${path}" bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(0x0a,)" "\\1\n    " bytes "${bytes}")
    string(APPEND arrays "static const char ${symbol}[] = {\n    ${bytes}0x00};\n\n")
    string(APPEND rows "    {\"${name}\", ${symbol}},\n")
endforeach()
list(LENGTH FILES count)
file(WRITE "${OUTPUT}" "// Made by cmake/embed.cmake.\n#include \"shader_text.h\"\n\n${arrays}"
     "const pelt_shader_file ${TABLE}[] = {\n${rows}};\n"
     "const uint32_t ${TABLE}_count = ${count};\n")
