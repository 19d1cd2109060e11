// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L

#include "source.h"

#include "depfile.h"
#include "rigs.h"
#include "terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static int load_file(pelt_scene** out, pelt_source* file, const char* path)
{
    pelt_error error = {0};
    const pelt_load_options options = {.progress = progress_part};
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

// ---------------------------------------------------------------------------------------------
// Size

enum
{
    // Warn above this count: the result is too large for most viewers.
    MANY_VERTICES = 10000000,
    MANY_TIMES = 10, // as many as the meshes have
};

typedef struct instance_sums
{
    uint64_t vertex_count;
    double bytes; // of deformed surfaces
} instance_sums;

static instance_sums sum_instances(const pelt_scene* scene)
{
    instance_sums sums = {0};
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        size_t size = sizeof *mesh->positions + (mesh->normals ? sizeof *mesh->normals : 0) +
                      (mesh->tangents ? sizeof *mesh->tangents : 0);
        sums.vertex_count += mesh->vertex_count;
        sums.bytes += (double)size * mesh->vertex_count;
    }
    return sums;
}

static uint64_t count_own(const pelt_scene* scene)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        count += scene->meshes[i].vertex_count;
    }
    return count;
}

// In bytes; 0: unknown
static double machine_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (double)pages * (double)size : 0.0;
}

// Before any work: warn if the instances have far more vertices than the meshes, and refuse more
// than a mesh file or the machine can hold.
static int check_size(const pelt_scene* scene, const char* input)
{
    instance_sums sums = sum_instances(scene);
    uint64_t own = count_own(scene);
    double memory = machine_memory();
    if (sums.vertex_count > UINT32_MAX || (memory > 0.0 && sums.bytes > memory))
    {
        message_note(
            "%s: deformed, its %u instances have %llu vertices and take %.1f GB: too many for a "
            "mesh file or for this machine; use fewer instances",
            input, scene->instance_count, (unsigned long long)sums.vertex_count, 1e-9 * sums.bytes);
        return EXIT_INPUT;
    }
    if (sums.vertex_count > MANY_VERTICES && sums.vertex_count > MANY_TIMES * own)
    {
        message_note("%s: its %u instances are deformed one by one: %llu vertices, %.1f GB, from "
                     "meshes with %llu vertices",
                     input, scene->instance_count, (unsigned long long)sums.vertex_count,
                     1e-9 * sums.bytes, (unsigned long long)own);
    }
    return EXIT_DONE;
}

int source_load_mesh(pelt_scene** out, const char* input)
{
    pelt_source file;
    int code = source_load_mesh_keep(out, &file, input);
    pelt_source_release(&file);
    return code;
}

int source_load_mesh_keep(pelt_scene** out, pelt_source* file, const char* input)
{
    int code = source_load_keep(out, file, input);
    if (code != EXIT_DONE)
    {
        return code;
    }
    if ((*out)->instance_count == 0)
    {
        message_note("%s has no mesh to deform; pelt info lists what it has", input);
        code = EXIT_INPUT;
    }
    else
    {
        code = check_size(*out, input);
    }
    if (code != EXIT_DONE)
    {
        pelt_scene_destroy(*out);
        pelt_source_release(file);
        *out = NULL;
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// Text

// All of a stream, with a final zero; NULL when out of memory. Reading stops after LONGEST_TEXT.
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
    if (stream != NULL && !is_stdin)
    {
        depfile_add(path, NULL);
    }
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
        : memchr(text, '\0', size) != NULL ? "it contains a zero byte, so it is not text"
        : size > LONGEST_TEXT              ? "it is larger than 4 MB, the limit for joint changes"
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

// ---------------------------------------------------------------------------------------------
// Stale data

uint32_t source_count_stale(const pelt_scene* scene, pelt_repair_kind kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->repair_count; ++i)
    {
        count += scene->repairs[i].kind == kind;
    }
    return count;
}

void source_note_stale(const pelt_scene* scene, pelt_repair_kind kind)
{
    uint32_t count = source_count_stale(scene, kind);
    if (count > 0)
    {
        message_note("the %s in the file no longer fit %u of %u %s and are computed again; "
                     "run pelt enhance after other tools, not before",
                     kind == PELT_REPAIR_CORS_DROPPED ? "centers of rotation" : "normal factors",
                     count, scene->mesh_count, message_plural(scene->mesh_count, "mesh", "meshes"));
    }
}
