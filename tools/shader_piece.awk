# SPDX-License-Identifier: MIT
# One piece of a translated library, for tools/shaders:
#     awk -v piece=skin|normals|texture -v language=hlsl|msl|wgsl -v layout=|compact \
#         -f shader_piece.awk NAMES CONSTANTS TEXT
# NAMES are those of other pieces than "skin", with their piece, CONSTANTS is skin_constants.glsl. Constants of
# the translation give way to those, so that they are at the top with names and comments.

BEGIN {
    # What the file around the pieces brings along: texels, and an entry point.
    count = split("main main_1 main0 main0_out vert_main VertexOutput SPIRV_Cross_Output " \
                  "pelt_palette_fetch pelt_palette_texel pelt_normal_texel pelt_normal_words " \
                  "pelt_baked_texel spvTextureSize", list, " ")
    for (i = 1; i <= count; ++i) {
        is_outside[list[i]] = 1
    }
    print "// SPDX-License-Identifier: MIT"
    title["skin"] = "Skinning functions"
    title["normals"] = "Accurate normals" (layout == "" ? "" : " with " layout " factors")
    title["texture"] = "Animation textures"
    print "// " title[piece] " of pelt, translated from its GLSL by tools/shaders."
    if (piece != "skin") {
        print "// Goes after pelt_skin, and needs " \
            (piece != "normals" ? "pelt_baked_texel()" : layout == "" ? "pelt_normal_texel()" : \
             "pelt_normal_words()") " as well."
    }
}

FNR == 1 { ++file }

file == 1 { piece_of[$1] = $2; next }

# A group of constants, up to an empty line, belongs to the piece that its names say.
file == 2 && FNR > 2 {
    if ($1 == "#define" && $3 ~ /^[0-9]+$/) {
        value[$2] = $3
    }
    if ($1 == "#ifndef") {
        is_constant[$2] = 1
        group_piece = $2 ~ /NORMAL/ ? "normals" : $2 ~ /BAKED/ ? "texture" : "skin"
    }
    if ($0 == "") {
        finish_group()
    } else if (language != "wgsl" || $1 !~ /^#(ifndef|endif)/) {
        group = group constant_line($0) "\n"
    }
    next
}

file == 2 { next }

file == 3 && FNR == 1 { finish_group() }

{ sub(/[ \t]+$/, "") }

# Metal has nothing global: functions pass on where joints are, whatever that is.
language == "msl" { gsub(/texture2d<float> pelt_palette/, "pelt_palette_source pelt_palette") }

# Constants of the translation: those of pelt are above, and what follows from them is written
# out where it is used.
/^(static const|constant) (bool|int|uint) _[0-9]+ = / {
    name = language == "hlsl" ? $4 : $3
    line = write_out($0)
    sub(/^[^=]*= /, "", line)
    sub(/;$/, "", line)
    expression[name] = line ~ /^\(.*\)$/ ? line : "(" line ")"
    next
}
/SPIRV_CROSS_CONSTANT_ID/ { is_macro = 1; next }
is_macro && /^#endif/ { is_macro = 0; next }
/^constant int PELT_|^(@id\([0-9]+\) )?override PELT_/ { next }
/^(static|var<private>).* gl_Position/ || /^(Texture2D<|@group|var )/ { next }

# Directives and templates at the top of MSL, which has vectors without simd.
/^#include <simd/ { next }
/^[#]|^using / {
    if (piece == "skin") {
        printf("%s%s\n", directive_count++ ? "" : "\n", $0)
    }
    next
}

# A declaration, from its first line to the brace that closes it.
/^[^ \t}]/ && !is_inside { text = ""; name = ""; is_inside = 1 }

is_inside {
    text = text write_out($0) "\n"
    if (name == "" && match($0, /[A-Za-z0-9_]+\(/) && $0 !~ /__attribute__/) {
        name = substr($0, RSTART, RLENGTH - 1)
    }
    if (name == "" && match($0, /^struct [A-Za-z0-9_]+/)) {
        name = substr($0, 8, RLENGTH - 7)
    }
    if ($0 ~ /^}/) {
        is_inside = 0
        is_mine = (name in piece_of ? piece_of[name] : "skin") == piece && !(name in is_outside)
        if (is_mine) {
            printf "\n%s", text
        }
    }
}

# A constant in the words of the language.
function constant_line(line,    words) {
    split(line, words, " ")
    if (language != "wgsl" || words[1] != "#define") {
        return line
    }
    if (words[2] in is_constant) {
        return "override " words[2] ": i32 = " words[3] ";"
    }
    sub(/#define [A-Z_]+ [0-9]+/, "const " words[2] ": i32 = " words[3] ";", line)
    return line
}

function finish_group() {
    if (group != "" && group_piece == piece) {
        printf "\n%s", group
    }
    group = ""
    group_piece = ""
}

# A line with expressions for what the translator named by a number, and names for numbers.
function write_out(line,    rest, out, name) {
    out = ""
    while (match(line, /[A-Za-z0-9_]+/)) {
        name = substr(line, RSTART, RLENGTH)
        rest = substr(line, RSTART + RLENGTH)
        out = out substr(line, 1, RSTART - 1)
        if (!(name in expression)) {
            out = out name
        } else if (out ~ /\($/ && rest ~ /^\)/) {
            out = out substr(expression[name], 2, length(expression[name]) - 2)
        } else {
            out = out expression[name]
        }
        line = rest
    }
    line = out line
    for (name in value) {
        for (constant in is_constant) {
            if (constant != name && index(name, constant "_") == 1) {
                gsub(constant " == " value[name] "i?", constant " == " name, line)
                gsub(constant " != " value[name] "i?", constant " != " name, line)
            }
        }
    }
    return line
}
