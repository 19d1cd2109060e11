// SPDX-License-Identifier: MIT
// Replaces one bake by another so that its JSON file names whole files of one bake at any time.
#define _XOPEN_SOURCE 700

#include "baked_file.h"

#include "../readers.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Files that the JSON file refers to.
enum
{
    NAMED_COUNT = 2,
};

static const int named[NAMED_COUNT] = {PELTI_BAKED_TEXTURE, PELTI_BAKED_MESH};

// ---------------------------------------------------------------------------------------------
// The bake that is replaced

// The tagged names that a JSON file refers to, as paths; NULL: none, or an ordinary name.
typedef struct tagged_names
{
    char* paths[NAMED_COUNT];
} tagged_names;

static void release_names(tagged_names* names)
{
    for (int i = 0; i < NAMED_COUNT; ++i)
    {
        pelt_release(names->paths[i]);
        names->paths[i] = NULL;
    }
}

// Whether a name is "hero-TAG.ext" for the JSON file hero.json.
static bool is_tagged(const char* name, const char* path)
{
    const char* json = path + pelti_path_folder(path);
    size_t stem = strlen(json) - strlen(".json"), tag = PELTI_TAG_SIZE - 1;
    return strncmp(name, json, stem) == 0 && name[stem] == '-' &&
           strspn(name + stem + 1, "0123456789abcdef") == tag && name[stem + 1 + tag] == '.' &&
           strchr(name, '/') == NULL;
}

// A path in the folder of another; NULL: out of memory
static char* path_beside(const char* path, const char* name)
{
    size_t folder = pelti_path_folder(path), size = folder + strlen(name) + 1;
    char* out = pelt_allocate(size, 1);
    if (out != NULL)
    {
        snprintf(out, size, "%.*s%s", (int)folder, path, name);
    }
    return out;
}

static pelt_result find_names(tagged_names* out, const pelti_gltf* g, const char* path)
{
    const pelti_json* texture = pelti_json_get(g->root, "texture");
    const char* names[NAMED_COUNT] = {pelti_json_string(pelti_json_get(texture, "file")),
                                      pelti_json_string(pelti_json_get(g->root, "mesh"))};
    for (int i = 0; i < NAMED_COUNT; ++i)
    {
        bool is_own = names[i] != NULL && is_tagged(names[i], path);
        out->paths[i] = is_own ? path_beside(path, names[i]) : NULL;
        if (is_own && out->paths[i] == NULL)
        {
            return PELT_ERROR_MEMORY;
        }
    }
    return PELT_OK;
}

// A JSON file that is not a bake names no files: all files stay.
// @return PELT_OK or PELT_ERROR_MEMORY
static pelt_result read_names(tagged_names* out, const char* path)
{
    pelt_source source;
    *out = (tagged_names){0};
    pelt_result result = pelti_source_read_any(&source, path, NULL);
    if (result != PELT_OK)
    {
        return result == PELT_ERROR_MEMORY ? result : PELT_OK;
    }
    pelti_gltf g = {.path = path, .source = &source};
    pelti_load_start(&g.budget, NULL, source.size);
    g.scratch = pelt_arena_create();
    const pelti_blob file = {(uint8_t*)source.bytes, source.size};
    result = g.scratch != NULL ? pelti_gltf_parse(&g, &file) : PELT_ERROR_MEMORY;
    result = result == PELT_OK ? find_names(out, &g, path) : result;
    pelt_arena_destroy(g.scratch);
    pelt_source_release(&source);
    return result == PELT_ERROR_MEMORY ? result : PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Step 1

typedef struct tagged_bake
{
    tagged_names names;
    pelti_alias aliases[NAMED_COUNT];
} tagged_bake;

// "hero-TAG.ktx2" for "hero.ktx2"; NULL: out of memory
static char* tag_path(const char* path, const char* tag)
{
    const char* dot = strrchr(path, '.');
    size_t size = strlen(path) + PELTI_TAG_SIZE + 1;
    char* out = pelt_allocate(size, 1);
    if (out != NULL)
    {
        snprintf(out, size, "%.*s-%s%s", (int)(dot - path), path, tag, dot);
    }
    return out;
}

static pelt_result create_aliases(tagged_bake* out, const pelti_baked_output* bake,
                                  pelt_error* error)
{
    char tag[PELTI_TAG_SIZE];
    pelti_random_tag(tag);
    pelt_result result = PELT_OK;
    for (int i = 0; i < NAMED_COUNT && result == PELT_OK; ++i)
    {
        const pelti_file* file = &bake->files[named[i]];
        if (file->temporary == NULL) // no such file, or a pipe
        {
            continue;
        }
        out->names.paths[i] = tag_path(bake->paths[named[i]], tag);
        result = out->names.paths[i] != NULL
                     ? pelti_alias_create(&out->aliases[i], file, out->names.paths[i], error)
                     : pelt_error_memory(error);
    }
    return result;
}

static pelt_result write_json(pelti_file* out, const tagged_bake* tagged,
                              const pelti_baked_output* bake, pelt_error* error)
{
    const char* names[NAMED_COUNT];
    for (int i = 0; i < NAMED_COUNT; ++i)
    {
        const char* path =
            tagged->names.paths[i] != NULL ? tagged->names.paths[i] : bake->paths[named[i]];
        names[i] = path != NULL ? path + pelti_path_folder(path) : NULL;
    }
    pelti_blob json = {0};
    const pelti_baked_names all = {names[0], bake->format, names[1]};
    pelt_result result = pelti_baked_json(&json, bake->baked, &all, bake->scene, error);
    result =
        result == PELT_OK ? pelti_file_open(out, bake->paths[PELTI_BAKED_JSON], error) : result;
    if (result == PELT_OK)
    {
        // A short write shows in the stream's error flag.
        (void)!fwrite(json.data, 1, json.size, out->stream);
        result = pelti_file_finish(out, error);
    }
    pelti_blob_release(&json);
    return result;
}

// Install the bake under tagged names. On failure the old bake is unchanged.
static pelt_result commit_tagged(tagged_bake* out, const pelti_baked_output* bake,
                                 pelt_error* error)
{
    pelti_file json = {0};
    pelt_result result = create_aliases(out, bake, error);
    result = result == PELT_OK ? write_json(&json, out, bake, error) : result;
    if (result == PELT_OK)
    {
        // Before the rename: a signal in between leaves too many files, not too few.
        for (int i = 0; i < NAMED_COUNT; ++i)
        {
            pelti_alias_keep(&out->aliases[i]);
        }
        result = pelti_file_rename(&json, error);
    }
    pelti_file_discard(&json);
    for (int i = 0; i < NAMED_COUNT && result != PELT_OK; ++i)
    {
        pelti_alias_remove(&out->aliases[i]);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Step 2

static pelt_result place_files(pelti_baked_output* inout, pelt_error* error)
{
    for (int i = 0; i < PELTI_BAKED_FILE_COUNT; ++i)
    {
        if (inout->paths[i] != NULL)
        {
            PELT_TRY(pelti_file_rename(&inout->files[i], error));
        }
    }
    return PELT_OK;
}

static pelt_result replace(pelti_baked_output* inout, pelt_error* error)
{
    tagged_names old;
    tagged_bake tagged = {0};
    pelt_result result = read_names(&old, inout->paths[PELTI_BAKED_JSON]);
    result = result == PELT_OK ? commit_tagged(&tagged, inout, error) : pelt_error_memory(error);
    result = result == PELT_OK ? place_files(inout, error) : result;
    for (int i = 0; i < NAMED_COUNT && result == PELT_OK; ++i)
    {
        pelti_alias_remove(&tagged.aliases[i]);
        if (old.paths[i] != NULL)
        {
            unlink(old.paths[i]);
        }
    }
    release_names(&tagged.names);
    release_names(&old);
    return result;
}

// ---------------------------------------------------------------------------------------------

pelt_result pelti_baked_commit(pelti_baked_output* inout, pelt_error* error)
{
    const char* path = inout->paths[PELTI_BAKED_JSON];
    pelti_lock lock;
    pelt_result result = pelti_lock_folder(&lock, path, error);
    if (result == PELT_OK)
    {
        // A pipe takes the JSON file once.
        struct stat existing;
        bool is_replacing = stat(path, &existing) == 0 && S_ISREG(existing.st_mode);
        result = is_replacing ? replace(inout, error) : place_files(inout, error);
    }
    pelti_lock_release(&lock);
    return result;
}
