// SPDX-License-Identifier: MIT
#include "view_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void view_options_help(void)
{
    fputs("usage: pelt-view [FILE...] [options]\n\n"
          "Shows a character deformed by several methods side by side. FILE is .glb, .gltf, .fbx\n"
          "or another that pelt reads, or a built-in character such as rig:human, the default.\n"
          "More files add their clips if they have the skeleton of the first; others are listed\n"
          "in the menu of recent files.\n\n"
          "  --size WxH         of the window\n"
          "  --script FILE      timed actions: lines like \"frame 10 key space\"\n"
          "  --frames N         draw N frames of 1/60 s each, then end\n"
          "  --screenshot FILE  write the last frame as .png\n"
          "  --state FILE       write what is shown as JSON, after each input and at the end\n"
          "  --help, --version\n\n"
          "Exit codes: 0 done, 1 usage, 2 bad input, 3 no display or not in this build, 4 cannot\n"
          "write.\n",
          stdout);
}

static int usage(const char* text, const char* word)
{
    fprintf(stderr, "pelt-view: %s%s; pelt-view --help lists all options\n", text, word);
    return VIEW_USAGE;
}

static bool parse_size(view_options* out, const char* text)
{
    char rest;
    return sscanf(text, "%dx%d%c", &out->width, &out->height, &rest) == 2 && out->width >= 320 &&
           out->width <= 16384 && out->height >= 240 && out->height <= 16384;
}

static bool parse_frames(view_options* out, const char* text)
{
    char* end;
    unsigned long number = strtoul(text, &end, 10);
    out->frames = (uint32_t)number;
    return *end == '\0' && text[0] != '-' && number > 0 && number <= 100000000ul;
}

static int parse_option(view_options* out, const char* name, const char* value)
{
    if (strcmp(name, "--size") == 0)
    {
        return parse_size(out, value) ? VIEW_DONE
                                      : usage("--size is like 1280x720, from 320x240, not ", value);
    }
    if (strcmp(name, "--frames") == 0)
    {
        return parse_frames(out, value) ? VIEW_DONE
                                        : usage("--frames is a number from 1, not ", value);
    }
    const struct
    {
        const char* name;
        const char** value;
    } texts[] = {
        {"--screenshot", &out->screenshot}, {"--state", &out->state}, {"--script", &out->script}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    {
        if (strcmp(name, texts[i].name) == 0)
        {
            *texts[i].value = value;
            return VIEW_DONE;
        }
    }
    return usage("there is no option ", name);
}

static int parse_word(view_options* out, char** words, int count, int* at)
{
    const char* word = words[*at];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
    {
        out->is_help = true;
        return VIEW_DONE;
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
    {
        out->is_version = true;
        return VIEW_DONE;
    }
    if (word[0] == '-' && word[1] != '\0')
    {
        if (*at + 1 >= count)
        {
            return usage("a value is missing after ", word);
        }
        return parse_option(out, word, words[++*at]);
    }
    // Files gather at the front, in the place of words that have been read.
    words[1 + out->file_count++] = words[*at];
    return VIEW_DONE;
}

int view_options_parse(view_options* out, int count, char** words)
{
    *out = (view_options){.files = (const char* const*)words + 1};
    int code = VIEW_DONE;
    for (int i = 1; i < count && code == VIEW_DONE; ++i)
    {
        code = parse_word(out, words, count, &i);
    }
    if (code == VIEW_DONE && out->screenshot != NULL && out->frames == 0)
    {
        return usage("--screenshot needs --frames, which says when", "");
    }
    return code;
}
