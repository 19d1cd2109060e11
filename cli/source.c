// SPDX-License-Identifier: MIT
// The INPUT of a command: a built-in rig or a file.
#include "source.h"

#include "message.h"
#include "progress.h"
#include "rigs.h"
#include "scene_size.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    LONGEST_TEXT = 4 << 20, // of joint changes; its JSON takes some thirty times as much
};

static bool is_rig_name(const char* text)
{
    const pelt_rig_info* rigs;
    uint32_t count = pelt_rig_list(&rigs);
    size_t length = strcspn(text, "?");
    for (uint32_t i = 0; i < count; ++i)
    {
        if (strlen(rigs[i].name) == length && strncmp(rigs[i].name, text, length) == 0)
        {
            return true;
        }
    }
    return false;
}

static int load_rig(pelt_scene** out, const char* name)
{
    pelt_error error = {0};
    pelt_result result = pelt_rig_build(out, name, &error);
    return message_error(result, &error);
}

static bool show_progress(float part, void* user)
{
    (void)user;
    progress_show(part);
    return true;
}

static int load_file(pelt_scene** out, pelt_source* file, const char* path)
{
    pelt_error error = {0};
    const pelt_load_options options = {.progress = show_progress};
    progress_begin("reading");
    pelt_result result = pelt_load_keep(out, file, path, &options, &error);
    progress_end();
    if (result == PELT_ERROR_READ && is_rig_name(path))
    {
        message_note("%s; the built-in rig is rig:%s", error.message, path);
        return EXIT_INPUT;
    }
    return message_error(result, &error);
}

int source_load_keep(pelt_scene** out, pelt_source* file, const char* input)
{
    *out = NULL;
    *file = (pelt_source){0};
    return strncmp(input, "rig:", 4) == 0 ? load_rig(out, input) : load_file(out, file, input);
}

int source_load(pelt_scene** out, const char* input)
{
    pelt_source file;
    int code = source_load_keep(out, &file, input);
    pelt_source_release(&file);
    return code;
}

int source_load_mesh(pelt_scene** out, const char* input)
{
    int code = source_load(out, input);
    if (code == EXIT_DONE && (*out)->instance_count == 0)
    {
        message_note("%s: there is no mesh in it to deform; pelt info shows what there is", input);
        code = EXIT_INPUT;
    }
    code = code == EXIT_DONE ? scene_size_check(*out, input) : code;
    if (code != EXIT_DONE)
    {
        pelt_scene_destroy(*out);
        *out = NULL;
    }
    return code;
}

// Everything from a stream, with a final zero; NULL when memory ran out. What is longer than
// LONGEST_TEXT is not read to its end.
static char* read_all(FILE* stream, size_t* size)
{
    size_t capacity = 4096;
    char* text = malloc(capacity);
    *size = 0;
    while (text != NULL)
    {
        *size += fread(text + *size, 1, capacity - *size - 1, stream);
        if (*size + 1 < capacity || *size > LONGEST_TEXT)
        {
            text[*size] = '\0';
            return text;
        }
        capacity *= 2;
        char* larger = realloc(text, capacity);
        if (larger == NULL)
        {
            free(text);
        }
        text = larger;
    }
    return NULL;
}

int source_read_text(char** out, const char* path)
{
    bool is_stdin = strcmp(path, "-") == 0;
    FILE* stream = is_stdin ? stdin : fopen(path, "rb");
    *out = NULL;
    if (stream == NULL)
    {
        if (errno == ENOMEM)
        {
            return message_memory();
        }
        message_note("cannot read %s: %s", path, strerror(errno));
        return EXIT_INPUT;
    }

    size_t size;
    errno = 0;
    char* text = read_all(stream, &size);
    int code = ferror(stream) ? errno : 0;
    if (!is_stdin)
    {
        fclose(stream);
    }
    if (text == NULL)
    {
        return message_memory();
    }
    const char* reason =
        code != 0                          ? strerror(code)
        : memchr(text, '\0', size) != NULL ? "it holds a zero byte, so it is no text"
        : size > LONGEST_TEXT ? "it has more than 4 MB, far more than joint changes need"
                              : NULL;
    if (reason != NULL)
    {
        message_note("cannot read %s: %s", path, reason);
        free(text);
        return EXIT_INPUT;
    }
    *out = text;
    return EXIT_DONE;
}
