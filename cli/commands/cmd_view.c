// SPDX-License-Identifier: MIT
// pelt view: starts pelt-view, a separate program, so that pelt needs no window system.
#define _XOPEN_SOURCE 700

#include "commands.h"
#include "requests/clip_request.h"
#include "terminal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const arg_option options[] = {
    {.name = "size", .kind = ARG_TEXT, .value = "WxH", .help = "size of the window"},
    {.name = "script", .kind = ARG_TEXT, .value = "FILE", .help = "timed actions"},
    {.name = "frames",
     .kind = ARG_COUNT,
     .value = "N",
     .help = "end after N frames",
     .minimum = 1,
     .maximum = 100000000},
    {.name = "screenshot", .kind = ARG_TEXT, .value = "FILE", .help = "picture of the last frame"},
    {.name = "state", .kind = ARG_TEXT, .value = "FILE", .help = "what is shown, as JSON"},
    {0},
};

enum
{
    WORD_MAX = 16 + ARGS_OPERAND_MAX + ARGS_REPEAT_MAX,
};

static void collect_words(char* words[WORD_MAX], char names[WORD_MAX][32], const args* arguments)
{
    uint32_t count = 1;
    for (uint32_t i = 0; i < arguments->operand_count; ++i)
    {
        words[count++] = (char*)(uintptr_t)arguments->operands[i];
    }
    // The viewer adds the clips of all files after the first.
    const char* clips[ARGS_REPEAT_MAX];
    uint32_t clip_count = args_list(clips, arguments, "clips");
    for (uint32_t i = 0; i < clip_count; ++i)
    {
        words[count++] = (char*)(uintptr_t)clips[i];
    }
    for (const arg_option* option = options; option->name != NULL; ++option)
    {
        if (args_is_set(arguments, option->name))
        {
            snprintf(names[count], sizeof names[count], "--%s", option->name);
            words[count] = names[count];
            words[count + 1] = (char*)(uintptr_t)args_get(arguments, option->name)->text;
            count += 2;
        }
    }
    static char relative[] = "--retarget-rest";
    if (args_is_set(arguments, "retarget-rest"))
    {
        words[count++] = relative;
    }
    words[count] = NULL;
}

// Next to this program, as in a build and in an installation.
// @return only if it is not there
static void start_beside(char** words)
{
    char path[4096 + 16];
    ssize_t length = readlink("/proc/self/exe", path, 4096);
    if (length <= 0)
    {
        return;
    }
    path[length] = '\0';
    char* slash = strrchr(path, '/');
    if (slash != NULL)
    {
        strcpy(slash, "/pelt-view");
        execv(path, words);
    }
}

static int run(const args* arguments)
{
    if (args_is_set(arguments, "json"))
    {
        return message_usage("view opens a window and prints nothing; --state FILE writes JSON");
    }
    char name[] = "pelt-view";
    char* words[WORD_MAX] = {name};
    char names[WORD_MAX][32];
    collect_words(words, names, arguments);
    start_beside(words);
    execvp(name, words);
    message_note("pelt-view, which shows the window, is neither next to pelt nor in PATH; a build "
                 "has it where GLFW and Dear ImGui are");
    return EXIT_UNSUPPORTED;
}

const args_command cmd_view = {
    .name = "view",
    .summary = "compare methods in a window",
    .operands = "[INPUT...]",
    .description =
        "Opens a window in which a character (default: the built-in human) plays, deformed by\n"
        "several methods side by side: the program pelt-view, which is looked for next to pelt\n"
        "and in PATH. Press ? there for its keys. More files add their clips if they have the\n"
        "skeleton of the first.",
    .example = "pelt view hero.glb",
    .max_operands = ARGS_OPERAND_MAX,
    .tables = {options, clip_request_options, args_common},
    .run = run,
};
