// SPDX-License-Identifier: MIT
// The INPUT of a command: a built-in rig or a file.
#define _POSIX_C_SOURCE 200809L

#include "source.h"

#include "message.h"
#include "rigs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    if (result == PELT_OK)
    {
        result = pelt_scene_validate(*out, &error);
        if (result != PELT_OK)
        {
            pelt_scene_destroy(*out);
            *out = NULL;
        }
    }
    return message_error(result, &error);
}

static int load_file(const char* path)
{
    pelt_error error = {0};
    struct stat status;
    if (stat(path, &status) != 0)
    {
        const char* reason = strerror(errno);
        pelt_error_set(&error, PELT_ERROR_READ, "cannot read %s: %s", path, reason);
        if (is_rig_name(path))
        {
            pelt_error_set(&error, PELT_ERROR_READ,
                           "cannot read %s: %s; the built-in rig is rig:%s", path, reason, path);
        }
        return message_error(PELT_ERROR_READ, &error);
    }
    if (S_ISDIR(status.st_mode))
    {
        pelt_error_set(&error, PELT_ERROR_READ, "cannot read %s: it is a folder", path);
        return message_error(PELT_ERROR_READ, &error);
    }
    pelt_error_set(
        &error, PELT_ERROR_UNSUPPORTED,
        "%s: this build reads built-in rigs only, such as rig:human; pelt rig lists them", path);
    return message_error(PELT_ERROR_UNSUPPORTED, &error);
}

int source_load(pelt_scene** out, const char* input)
{
    *out = NULL;
    return strncmp(input, "rig:", 4) == 0 ? load_rig(out, input) : load_file(input);
}

// Everything from a stream, with a final zero; NULL when memory ran out.
static char* read_all(FILE* stream, size_t* size)
{
    size_t capacity = 4096;
    char* text = malloc(capacity);
    *size = 0;
    while (text != NULL)
    {
        *size += fread(text + *size, 1, capacity - *size - 1, stream);
        if (*size + 1 < capacity)
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
        message_note("cannot read %s: %s", path, strerror(errno));
        return EXIT_INPUT;
    }

    size_t size;
    errno = 0;
    char* text = read_all(stream, &size);
    int reason = ferror(stream) ? errno : 0;
    if (!is_stdin)
    {
        fclose(stream);
    }
    if (text == NULL)
    {
        return message_memory();
    }
    if (reason != 0 || memchr(text, '\0', size) != NULL)
    {
        message_note("cannot read %s: %s", path,
                     reason != 0 ? strerror(reason) : "it holds a zero byte, so it is no text");
        free(text);
        return EXIT_INPUT;
    }
    *out = text;
    return EXIT_DONE;
}
