// SPDX-License-Identifier: MIT
// The INPUT of a command: a built-in rig or a file.
#define _POSIX_C_SOURCE 200809L

#include "source.h"

#include "message.h"
#include "pelt/io.h"
#include "rigs.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

// ---------------------------------------------------------------------------------------------
// assimp ends the program, or never comes back, when broken files get past its checks. That is the
// file's fault, and is said as such. Files that pelt reads itself get no such net.

static const char* volatile guarded_path;

static void say(const char* text)
{
    (void)!write(STDERR_FILENO, text, strlen(text));
}

// Only what a signal handler may call.
static void on_importer_crash(int number)
{
    (void)number;
    say("pelt: cannot read ");
    say(guarded_path);
    say(": the importer gave up on it, so it must be broken\n");
    _exit(EXIT_INPUT);
}

static pelt_result load_guarded(pelt_scene** out, const char* path, pelt_error* error)
{
    pelt_format format = pelt_format_of(path);
    if (format == PELT_FORMAT_GLB || format == PELT_FORMAT_GLTF)
    {
        return pelt_load(out, path, NULL, error);
    }
    static const int numbers[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGALRM};
    enum
    {
        NUMBER_COUNT = sizeof numbers / sizeof numbers[0],
        PATIENCE = 120, // seconds; whole films of motion capture load in a few
    };
    guarded_path = path;
    struct sigaction guard = {.sa_handler = on_importer_crash}, previous[NUMBER_COUNT];
    for (int i = 0; i < NUMBER_COUNT; ++i)
    {
        sigaction(numbers[i], &guard, &previous[i]);
    }
    alarm(PATIENCE);
    pelt_result result = pelt_load(out, path, NULL, error);
    alarm(0);
    for (int i = 0; i < NUMBER_COUNT; ++i)
    {
        sigaction(numbers[i], &previous[i], NULL);
    }
    return result;
}

static int load_file(pelt_scene** out, const char* path)
{
    pelt_error error = {0};
    pelt_result result = load_guarded(out, path, &error);
    if (result == PELT_ERROR_READ && is_rig_name(path))
    {
        message_note("%s; the built-in rig is rig:%s", error.message, path);
        return EXIT_INPUT;
    }
    return message_error(result, &error);
}

int source_load(pelt_scene** out, const char* input)
{
    *out = NULL;
    return strncmp(input, "rig:", 4) == 0 ? load_rig(out, input) : load_file(out, input);
}

int source_load_mesh(pelt_scene** out, const char* input)
{
    int code = source_load(out, input);
    if (code == EXIT_DONE && (*out)->instance_count == 0)
    {
        message_note("%s: there is no mesh in it to deform; pelt info shows what there is", input);
        pelt_scene_destroy(*out);
        *out = NULL;
        code = EXIT_INPUT;
    }
    return code;
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
