// SPDX-License-Identifier: MIT
// The rule's target is the output of the command, its prerequisites are the files that were read.
#define _XOPEN_SOURCE 700

#include "depfile.h"

#include "output.h"
#include "terminal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static struct
{
    atomic_flag is_locked; ///< held for the length of a search in a short list
    const char* path;      ///< of the rule; NULL: none is asked for
    const char* target;
    char** files;
    uint32_t count, capacity;
    bool is_out_of_memory;
} state = {.is_locked = ATOMIC_FLAG_INIT};

void depfile_begin(const args* arguments)
{
    bool has_output = args_knows(arguments, "output");
    state.path = args_text(arguments, "depfile", NULL);
    // Without an output, as of `pelt info`, the rule itself is what is up to date.
    state.target = has_output ? args_text(arguments, "output", state.path) : state.path;
}

static bool is_known(const char* path)
{
    for (uint32_t i = 0; i < state.count; ++i)
    {
        if (strcmp(state.files[i], path) == 0)
        {
            return true;
        }
    }
    return false;
}

static bool add(const char* path)
{
    if (state.count == state.capacity)
    {
        uint32_t capacity = state.capacity == 0 ? 16 : 2 * state.capacity;
        char** files = realloc(state.files, capacity * sizeof *files);
        if (files == NULL)
        {
            return false;
        }
        state.files = files;
        state.capacity = capacity;
    }
    size_t size = strlen(path) + 1;
    char* copy = malloc(size);
    if (copy == NULL)
    {
        return false;
    }
    memcpy(copy, path, size);
    state.files[state.count++] = copy;
    return true;
}

void depfile_add(const char* path, void* user)
{
    (void)user;
    if (state.path == NULL)
    {
        return;
    }
    while (atomic_flag_test_and_set(&state.is_locked))
    {
    }
    if (!is_known(path) && !add(path))
    {
        state.is_out_of_memory = true;
    }
    atomic_flag_clear(&state.is_locked);
}

// Characters that mean something to make.
static void put_path(FILE* out, const char* path)
{
    for (; *path != '\0'; ++path)
    {
        const char* before = *path == ' ' || *path == '#' ? "\\" : *path == '$' ? "$" : "";
        fprintf(out, "%s%c", before, *path);
    }
}

static int write_rule(void)
{
    output rule;
    TRY(output_open(&rule, state.path));
    put_path(rule.stream, state.target);
    fputs(":", rule.stream);
    for (uint32_t i = 0; i < state.count; ++i)
    {
        fputs(i == 0 ? " " : " \\\n  ", rule.stream);
        put_path(rule.stream, state.files[i]);
    }
    fputs("\n", rule.stream);
    return output_close(&rule);
}

int depfile_end(int code)
{
    bool has_result = code == EXIT_DONE || code == EXIT_INPUT;
    if (state.path != NULL && has_result)
    {
        int written = state.is_out_of_memory ? message_memory() : write_rule();
        code = code == EXIT_DONE ? written : code;
    }
    for (uint32_t i = 0; i < state.count; ++i)
    {
        free(state.files[i]);
    }
    free(state.files);
    state.files = NULL;
    state.count = state.capacity = 0;
    return code;
}
