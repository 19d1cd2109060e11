// SPDX-License-Identifier: MIT
// Texts of gl/shaders in which words between @ represent what a set is about: entry points of
// translated shaders, and pages of the README.
#include "shader_set.h"

#include <ctype.h>
#include <string.h>

static void print_upper(FILE* stream, const char* text)
{
    for (; *text != '\0'; ++text)
    {
        fputc(toupper((unsigned char)*text), stream);
    }
}

static void print_palette_definitions(FILE* stream, const shader_set* set)
{
    switch (set->palette)
    {
    case PELT_PALETTE_TEXTURE:
    case PELT_PALETTE_POSED:
        fprintf(stream, "%s#define PELT_PALETTE_TEXTURE\n#define PELT_PALETTE_WIDTH %u",
                set->palette == PELT_PALETTE_POSED ? "#define PELT_PALETTE_POSED\n" : "",
                (uint32_t)PELT_PALETTE_WIDTH);
        return;
    case PELT_PALETTE_BAKED:
        fprintf(stream,
                "#define PELT_PALETTE_BAKED\n#define %s\n#define PELT_BAKED_TEXEL_WORDS %u\n"
                "#define PELT_BAKED_KIND %s\n#define PELT_BAKED_LAYOUT %s",
                shader_has_vertices(set) ? "PELT_BAKED_VERTICES" : "PELT_PALETTE_OWN",
                pelt_texel_words(set->baked.texel), shader_baked_kind(set->baked.encoding),
                shader_baked_layout(set->baked.layout));
        return;
    default:
        fprintf(stream, "#define PELT_PALETTE_BLOCK_TEXELS %u", (uint32_t)SHADER_BLOCK_TEXELS);
        return;
    }
}

// The text above the library of GLSL.
static void print_definitions(FILE* stream, const shader_set* set, pelt_method method)
{
    pelt_gpu_scale scale =
        pelt_method_info(method)->needs_motions ? set->scale : PELT_GPU_SCALE_NONE;
    char deform[SHADER_NAME_MAX];
    shader_deform(deform, set, method);
    bool is_paper = set->rule == PELT_NORMAL_PAPER;
    fputs(pelt_shader_prologue(shader_glsl(set->language)), stream);
    const pelt_method_traits* traits = pelt_method_info(method);
    fputs(traits->needs_centers ? "#define PELT_HAS_CENTERS\n" : "", stream);
    fputs(traits->has_mix_factor ? "#define PELT_HAS_MIX_FACTOR\n" : "", stream);
    if (is_paper)
    {
        fprintf(stream, "#define PELT_SKIN pelt_skin_%s\n#define PELT_MOVE pelt_move_%s\n",
                traits->name, traits->name);
    }
    fprintf(stream, "#define PELT_DEFORM %s\n#define PELT_INFLUENCES %u\n#define PELT_SCALE ",
            is_paper ? "pelt_deform_paper" : deform, set->influence_count);
    fputs("PELT_GPU_SCALE_", stream);
    print_upper(stream, pelt_gpu_scale_name(scale));
    fprintf(stream, "\n#define PELT_LAYOUT %s\n",
            pelt_shader_layout(method, scale, shader_layout(set)));
    if (set->sign_rule == PELT_SIGN_HIERARCHY)
    {
        fputs("#define PELT_SIGNS PELT_SIGNS_PALETTE\n", stream);
    }
    if (set->rule != PELT_NORMAL_STANDARD)
    {
        fprintf(stream,
                "#define PELT_NORMAL_SLOTS %u\n#define PELT_NORMAL_CENTERS %d\n"
                "#define PELT_NORMAL_WIDTH %u\n",
                set->slot_count, traits->needs_centers, (uint32_t)PELT_NORMAL_WIDTH);
        fputs(set->is_compact ? "#define PELT_NORMAL_COMPACT\n" : "", stream);
    }
    print_palette_definitions(stream, set);
}

// Where joints come from, and what skins with them.
static void print_method_files(FILE* stream, const shader_set* set, pelt_method method)
{
    if (shader_has_vertices(set))
    {
        fputs("skin_texture.glsl, skin_texture_thesis.glsl, skin_texture_vertex.glsl", stream);
        return;
    }
    if (set->palette == PELT_PALETTE_BAKED)
    {
        fputs("skin_instance.glsl, skin_texture.glsl, skin_texture_thesis.glsl,\n"
              "skin_texture_joint.glsl, skin_decoded.glsl, ",
              stream);
    }
    else if (set->palette == PELT_PALETTE_POSED)
    {
        fputs("skin_instance.glsl, ", stream);
    }
    fputs("skin_palette.glsl, skin_stretch.glsl,\n", stream);
    const char* prefixes[] = {"skin_", "skin_normals_"};
    for (int i = 0; i < (set->rule == PELT_NORMAL_ACCURATE ? 2 : 1); ++i)
    {
        fputs(i > 0 ? ", skin_normals.glsl, " : "", stream);
        uint32_t parts = pelt_method_info(method)->shader_parts;
        for (uint32_t part = 0; parts >> part != 0; ++part)
        {
            if ((parts >> part & 1u) != 0)
            {
                fprintf(stream, "%s%s.glsl%s", prefixes[i], pelt_method_name((pelt_method)part),
                        parts >> part != 1u ? ", " : "");
            }
        }
    }
    if (set->rule == PELT_NORMAL_PAPER)
    {
        fputs(", skin_normals.glsl, skin_normals_paper.glsl", stream);
    }
}

// Whether a line of an entry point is included.
static bool holds(const shader_set* set, pelt_method method, const char* condition, size_t length)
{
    const struct
    {
        const char* word;
        bool is_true;
    } conditions[] = {
        {"block", set->palette == PELT_PALETTE_BLOCK},
        {"texture", set->palette == PELT_PALETTE_TEXTURE || set->palette == PELT_PALETTE_POSED},
        {"stored", set->palette != PELT_PALETTE_BAKED},
        {"posed", set->palette == PELT_PALETTE_POSED},
        {"baked", set->palette == PELT_PALETTE_BAKED},
        {"crowd", shader_is_crowd(set)},
        {"decoded", set->palette == PELT_PALETTE_BAKED && !shader_has_vertices(set)},
        {"skinned", !shader_has_vertices(set)},
        {"vertices", shader_has_vertices(set)},
        {"unposed", set->palette == PELT_PALETTE_TEXTURE},
        {"plainly", set->rule == PELT_NORMAL_STANDARD && !shader_has_vertices(set)},
        {"few", set->influence_count <= 4 && !shader_has_vertices(set)},
        {"more", set->influence_count > 4 && !shader_has_vertices(set)},
        {"mix", pelt_method_info(method)->has_mix_factor},
        {"crs", pelt_method_info(method)->needs_centers},
        {"standard", set->rule == PELT_NORMAL_STANDARD},
        {"accurate", set->rule == PELT_NORMAL_ACCURATE},
        {"floats", set->rule == PELT_NORMAL_ACCURATE && !set->is_compact},
        {"compact", set->rule == PELT_NORMAL_ACCURATE && set->is_compact},
    };
    uint32_t i = 0;
    while (strlen(conditions[i].word) != length ||
           strncmp(conditions[i].word, condition, length) != 0)
    {
        ++i;
        PELT_ASSERT(i < sizeof conditions / sizeof conditions[0]);
    }
    return conditions[i].is_true;
}

// A word that is one text or number. @return false when it is not one of these
static bool print_value(FILE* stream, const shader_set* set, pelt_method method, const char* word)
{
    char file[SHADER_NAME_MAX], deform[SHADER_NAME_MAX], influences[16], slots[16], texels[16],
        words[16], decoded[16];
    shader_name(file, set, method);
    shader_deform(deform, set, method);
    snprintf(influences, sizeof influences, "%u", set->influence_count);
    snprintf(slots, sizeof slots, "%u", set->slot_count);
    snprintf(texels, sizeof texels, "%u", shader_joint_texels(set, method));
    snprintf(words, sizeof words, "%u", pelt_texel_words(set->baked.texel));
    snprintf(decoded, sizeof decoded, "%u", 4 * set->influence_count);
    bool is_shared = shader_layout(set) == PELT_GPU_LAYOUT_SHARED;
    const struct
    {
        const char* word;
        const char* value;
    } values[] = {
        {"FILE", file},
        {"NAME", pelt_method_name(method)},
        {"DEFORM", deform},
        {"INFLUENCES", influences},
        {"LAYOUT", pelt_shader_layout(method, set->scale, shader_layout(set))},
        {"GPU_LAYOUT", is_shared ? "PELT_GPU_LAYOUT_SHARED" : "PELT_GPU_LAYOUT_COMPACT"},
        {"JOINT_TEXELS", texels},
        {"SLOTS", slots},
        {"TEXEL_WORDS", words},
        {"BAKED_KIND", shader_baked_kind(set->baked.encoding)},
        {"BAKED_LAYOUT", shader_baked_layout(set->baked.layout)},
        {"ENCODING", pelt_encoding_name(set->baked.encoding)},
        {"DECODED_TEXELS", decoded},
        {"CENTERS", shader_normals(set, method).has_centers ? "1" : "0"},
    };
    for (uint32_t i = 0; i < sizeof values / sizeof values[0]; ++i)
    {
        if (strcmp(values[i].word, word) == 0)
        {
            fputs(values[i].value, stream);
            return true;
        }
    }
    return false;
}

// The end of the name of a constant.
static bool print_constant(FILE* stream, const shader_set* set, pelt_method method,
                           const char* word)
{
    const struct
    {
        const char* word;
        const char* prefix;
        const char* name;
    } constants[] = {
        {"METHOD", "", pelt_method_name(method)},
        {"RULE", "", pelt_normal_rule_name(set->rule)},
        {"SCALE", "PELT_GPU_SCALE_", pelt_gpu_scale_name(set->scale)},
        {"GPU_SCALE", "PELT_GPU_SCALE_", pelt_gpu_scale_name(set->scale)},
        {"SIGNS", "PELT_SIGNS_", set->sign_rule == PELT_SIGN_HIERARCHY ? "palette" : "heaviest"},
    };
    for (uint32_t i = 0; i < sizeof constants / sizeof constants[0]; ++i)
    {
        if (strcmp(constants[i].word, word) == 0)
        {
            fputs(constants[i].prefix, stream);
            print_upper(stream, constants[i].name);
            return true;
        }
    }
    return false;
}

static void print_word(FILE* stream, const shader_set* set, pelt_method method, const char* word)
{
    if (print_value(stream, set, method, word) || print_constant(stream, set, method, word))
    {
        return;
    }
    if (strcmp(word, "DEFINITIONS") == 0)
    {
        print_definitions(stream, set, method);
    }
    else if (strcmp(word, "METHOD_FILES") == 0)
    {
        print_method_files(stream, set, method);
    }
    else // not one of ours: @vertex of WGSL, for instance
    {
        fprintf(stream, "@%s", word);
    }
}

// The text after a condition, or after the line that it leaves out.
static const char* skip_condition(const shader_set* set, pelt_method method, const char* text)
{
    size_t length = strcspn(text, " \n");
    if (holds(set, method, text, length))
    {
        return text + length + (text[length] == ' ');
    }
    text += strcspn(text, "\n");
    return *text == '\n' ? text + 1 : text;
}

void shader_fill(FILE* stream, const shader_set* set, pelt_method method, const char* text)
{
    while (*text != '\0')
    {
        size_t plain = strcspn(text, "@");
        fwrite(text, 1, plain, stream);
        text += plain;
        if (*text == '\0')
        {
            return;
        }
        if (text[1] == '?')
        {
            text = skip_condition(set, method, text + 2);
            continue;
        }
        char word[32];
        size_t length = strspn(text + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        snprintf(word, sizeof word, "%.*s", (int)length, text + 1);
        print_word(stream, set, method, word);
        bool is_closed = length > 0 && text[1 + length] == '@';
        text += 1 + length + is_closed;
    }
}
