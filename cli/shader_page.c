// SPDX-License-Identifier: MIT
// Pages of the README beside shaders: texts (gl/shaders/readme) in which words between @ stand for
// what the set is about.
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

static void print_definitions(FILE* stream, const shader_set* set)
{
    fputs(pelt_shader_prologue(shader_glsl(set->language)), stream);
    fputs("#define PELT_METHOD_", stream);
    print_upper(stream, pelt_method_name(set->methods[0]));
    fprintf(stream, "\n#define PELT_INFLUENCES %u\n", set->influence_count);
    if (set->rule != PELT_NORMAL_STANDARD)
    {
        fputs("#define PELT_NORMAL_", stream);
        print_upper(stream, pelt_normal_rule_name(set->rule));
        fprintf(stream, "\n#define PELT_NORMAL_SLOTS %u\n#define PELT_NORMAL_WIDTH %u\n%s",
                set->slot_count, (uint32_t)PELT_NORMAL_WIDTH,
                set->methods[0] == PELT_METHOD_CRS ? "#define PELT_NORMAL_CENTERS\n" : "");
    }
    if (set->palette == PELT_PALETTE_TEXTURE)
    {
        fprintf(stream, "#define PELT_PALETTE_TEXTURE\n#define PELT_PALETTE_WIDTH %u",
                (uint32_t)PELT_PALETTE_WIDTH);
        return;
    }
    fprintf(stream, "#define PELT_PALETTE_BLOCK_TEXELS %u", (uint32_t)SHADER_BLOCK_TEXELS);
}

static void print_method_files(FILE* stream, const shader_set* set)
{
    pelt_method method = set->methods[0];
    const char* prefixes[] = {"skin_", "skin_normals_"};
    for (int i = 0; i < (set->rule == PELT_NORMAL_ACCURATE ? 2 : 1); ++i)
    {
        fprintf(stream, "%s", i > 0 ? ", skin_normals.glsl, " : "");
        if (method == PELT_METHOD_MIX)
        {
            fprintf(stream, "%slbs.glsl, %sdqs.glsl, ", prefixes[i], prefixes[i]);
        }
        fprintf(stream, "%s%s.glsl", prefixes[i], pelt_method_name(method));
    }
    fprintf(stream, "%s", set->rule == PELT_NORMAL_PAPER ? ", skin_normals.glsl" : "");
}

static void print_word(FILE* stream, const shader_set* set, const char* word)
{
    pelt_method method = set->methods[0];
    char name[SHADER_NAME_MAX];
    if (strcmp(word, "FILE") == 0)
    {
        shader_name(name, set, method);
        fputs(name, stream);
    }
    else if (strcmp(word, "METHOD") == 0)
    {
        print_upper(stream, pelt_method_name(method));
    }
    else if (strcmp(word, "METHOD_FILES") == 0)
    {
        print_method_files(stream, set);
    }
    else if (strcmp(word, "RULE") == 0)
    {
        print_upper(stream, pelt_normal_rule_name(set->rule));
    }
    else if (strcmp(word, "SLOTS") == 0)
    {
        fprintf(stream, "%u", set->slot_count);
    }
    else if (strcmp(word, "INFLUENCES") == 0)
    {
        fprintf(stream, "%u", set->influence_count);
    }
    else if (strcmp(word, "DEFINITIONS") == 0)
    {
        print_definitions(stream, set);
    }
    else // not one of ours: @vertex of WGSL, for instance
    {
        fprintf(stream, "@%s", word);
    }
}

void shader_page(FILE* stream, const shader_set* set, const char* page)
{
    const char* text = shader_port(page);
    fputc('\n', stream);
    while (*text != '\0')
    {
        size_t plain = strcspn(text, "@");
        fwrite(text, 1, plain, stream);
        text += plain;
        if (*text == '\0')
        {
            return;
        }
        char word[32];
        size_t length = strspn(text + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        snprintf(word, sizeof word, "%.*s", (int)length, text + 1);
        print_word(stream, set, word);
        bool is_closed = length > 0 && text[1 + length] == '@';
        text += 1 + length + is_closed;
    }
}
