// SPDX-License-Identifier: MIT
// Bakes as files: written to temporaries that baked_commit.c renames, and read within the limits of
// any other file.
#include "baked_file.h"

#include "../readers.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Writing

enum
{
    // Whole numbers that a float holds.
    VERTEX_LIMIT = 1 << 24,
};

static const char json_extension[] = ".json";

static bool has_extension(const char* path)
{
    size_t length = strlen(path), size = strlen(json_extension);
    return length > size && strcmp(path + length - size, json_extension) == 0;
}

// The path with another ending; free with pelt_release(). NULL: out of memory
static char* change_ending(const char* path, const char* mark, const char* ending)
{
    size_t length = strlen(path) - strlen(json_extension);
    size_t size = length + strlen(mark) + strlen(ending) + 1;
    char* out = pelt_allocate(size, 1);
    if (out != NULL)
    {
        snprintf(out, size, "%.*s%s%s", (int)length, path, mark, ending);
    }
    return out;
}

static pelt_result check(const char* path, const pelt_baked* baked,
                         const pelt_save_baked_options* options, pelt_error* error)
{
    const pelt_scene* scene = options->scene;
    bool is_vertex = baked->encoding == PELT_ENCODING_VERTEX;
    if (!has_extension(path))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "%s: the file of a bake has to end in .json", path);
    }
    PELT_TRY(pelti_baked_check_name(path, error));
    PELT_TRY(pelt_baked_validate(baked, error));
    if (options->has_openvat && !is_vertex)
    {
        return pelt_error_set(
            error, PELT_ERROR_ARGUMENT,
            "%s: OpenVAT has textures of vertices, not of joints; bake \"vertex\"", path);
    }
    if (is_vertex && scene == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "%s: a bake of vertices needs the scene, whose mesh carries their "
                              "slots in the texture",
                              path);
    }
    if (is_vertex && baked->vertex_count > VERTEX_LIMIT)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "%s: a mesh file can tell %d vertices of a bake apart, not %u", path,
                              VERTEX_LIMIT, baked->vertex_count);
    }
    return scene != NULL ? pelti_baked_check_scene(baked, scene, error) : PELT_OK;
}

typedef struct baked_content
{
    pelti_baked_output output;
    const pelt_source* source;                // of the scene, when it is glTF; NULL: it is not
    pelti_openvat openvat;                    // its width is 0: none
    const pelt_file* companion;               // NULL: none
    pelti_blob blobs[PELTI_BAKED_FILE_COUNT]; // the mesh has none: it goes straight to its file
} baked_content;

static pelt_result name_files(baked_content* inout, const char* path, pelt_error* error)
{
    bool has_openvat = inout->openvat.width > 0;
    const struct
    {
        bool is_wanted;
        const char *mark, *ending;
    } names[PELTI_BAKED_FILE_COUNT] = {
        [PELTI_BAKED_TEXTURE] = {true, ".", pelt_texture_format_name(inout->output.format)},
        [PELTI_BAKED_MESH] = {inout->output.scene != NULL, ".", "glb"},
        [PELTI_BAKED_VAT] = {has_openvat, "_", "vat.png"},
        [PELTI_BAKED_REMAP] = {has_openvat, "-", "remap_info.json"},
        [PELTI_BAKED_JSON] = {true, ".", "json"},
    };
    for (int i = 0; i < PELTI_BAKED_FILE_COUNT; ++i)
    {
        inout->output.paths[i] =
            names[i].is_wanted ? change_ending(path, names[i].mark, names[i].ending) : NULL;
        if (names[i].is_wanted && inout->output.paths[i] == NULL)
        {
            return pelt_error_memory(error);
        }
    }
    if (inout->companion != NULL)
    {
        const pelt_file* file = inout->companion;
        size_t size = strlen(file->path) + 1;
        inout->output.paths[PELTI_BAKED_COMPANION] = pelt_allocate(size, 1);
        if (inout->output.paths[PELTI_BAKED_COMPANION] == NULL)
        {
            return pelt_error_memory(error);
        }
        memcpy(inout->output.paths[PELTI_BAKED_COMPANION], file->path, size);
    }
    return PELT_OK;
}

static pelt_result prepare(baked_content* inout, const char* path, pelt_error* error)
{
    PELT_TRY(name_files(inout, path, error));
    size_t folder = pelti_path_folder(path);
    const pelti_baked_names names = {
        inout->output.paths[PELTI_BAKED_TEXTURE] + folder, inout->output.format,
        inout->output.scene != NULL ? inout->output.paths[PELTI_BAKED_MESH] + folder : NULL};
    pelti_texture texture = pelti_baked_texture(inout->output.baked);
    PELT_TRY(pelti_texture_write(&inout->blobs[PELTI_BAKED_TEXTURE], &texture, inout->output.format,
                                 error));
    if (inout->openvat.width > 0)
    {
        PELT_TRY(pelti_openvat_make(&inout->blobs[PELTI_BAKED_VAT],
                                    &inout->blobs[PELTI_BAKED_REMAP], &inout->openvat,
                                    inout->output.baked, inout->output.scene, error));
    }
    return pelti_baked_json(&inout->blobs[PELTI_BAKED_JSON], inout->output.baked, &names,
                            inout->output.scene, error);
}

static pelt_result write_files(baked_content* inout, pelt_error* error)
{
    pelt_result result = PELT_OK;
    for (int i = 0; i < PELTI_BAKED_FILE_COUNT && result == PELT_OK; ++i)
    {
        pelti_file* file = &inout->output.files[i];
        if (inout->output.paths[i] == NULL)
        {
            continue;
        }
        result = pelti_file_open(file, inout->output.paths[i], error);
        if (result == PELT_OK && i == PELTI_BAKED_MESH)
        {
            const pelti_openvat* openvat = inout->openvat.width > 0 ? &inout->openvat : NULL;
            result = pelti_baked_write_mesh(file->stream, inout->output.baked, inout->output.scene,
                                            inout->source, openvat, error);
        }
        else if (result == PELT_OK)
        {
            bool is_companion = i == PELTI_BAKED_COMPANION;
            const void* bytes = is_companion ? inout->companion->bytes : inout->blobs[i].data;
            size_t size = is_companion ? inout->companion->size : inout->blobs[i].size;
            // A short write shows in the stream's error flag.
            (void)!fwrite(bytes, 1, size, file->stream);
        }
        result = result == PELT_OK ? pelti_file_finish(file, error) : result;
    }
    return result;
}

pelt_result pelt_save_baked(const char* path, const pelt_baked* baked,
                            const pelt_save_baked_options* options, pelt_error* error)
{
    PELT_ASSERT(path != NULL && baked != NULL);
    const pelt_save_baked_options defaults = {0};
    options = options != NULL ? options : &defaults;
    PELT_ASSERT(options->format < PELT_TEXTURE_FORMAT_COUNT);

    PELT_TRY(check(path, baked, options, error));
    const pelt_scene* scene = options->scene;
    bool is_gltf =
        scene != NULL && (scene->format == PELT_FORMAT_GLB || scene->format == PELT_FORMAT_GLTF);
    baked_content content = {.output = {.baked = baked, .scene = scene, .format = options->format},
                             .source = is_gltf ? options->source : NULL,
                             .companion = options->companion};
    pelt_result result =
        options->has_openvat ? pelti_openvat_plan(&content.openvat, baked, error) : PELT_OK;
    result = result == PELT_OK ? prepare(&content, path, error) : result;
    result = result == PELT_OK ? write_files(&content, error) : result;
    result = result == PELT_OK ? pelti_baked_commit(&content.output, error) : result;
    for (int i = 0; i < PELTI_BAKED_FILE_COUNT; ++i)
    {
        pelti_file_discard(&content.output.files[i]);
        pelti_blob_release(&content.blobs[i]);
        pelt_release(content.output.paths[i]);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Reading

static pelt_result read_named(pelti_blob* out, pelti_baked_reader* r, const char* path,
                              size_t folder, const pelti_json_path* at)
{
    pelti_gltf* g = &r->g;
    const pelt_source* source = g->source;
    pelt_error reason = {{0}};
    pelt_result result = source->files != NULL
                             ? pelti_files_read(out, source, path + folder, &reason)
                             : pelti_path_below(path, folder, &reason);
    if (result == PELT_OK)
    {
        return source->files != NULL ? PELT_OK : pelti_blob_read(out, path, g->error);
    }
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(g->error)
           : result == PELT_ERROR_DATA
               ? pelti_gltf_fail(g, at, "%s", reason.message)
               : pelt_error_set(g->error, result, "%s: %s", g->path, reason.message);
}

pelt_result pelti_baked_read_file(pelti_blob* out, const char** path, pelti_baked_reader* r,
                                  const char* name, const pelti_json_path* at)
{
    *out = (pelti_blob){0};
    size_t folder = pelti_path_folder(r->g.path);
    char* full = pelt_arena_format(r->g.scratch, "%.*s%s", (int)folder, r->g.path, name);
    if (full == NULL)
    {
        return pelt_error_memory(r->g.error);
    }
    *path = full;
    PELT_TRY(read_named(out, r, full, folder, at));
    pelti_load_grow(&r->g.budget, out->size);
    return PELT_OK;
}

static pelt_result run_step(pelti_baked_reader* r, float part,
                            pelt_result (*step)(pelti_baked_reader* r))
{
    PELT_TRY(pelti_load_progress(&r->g.budget, part, r->g.path, r->g.error));
    return step(r);
}

// The steps check what they read; this is the promise to the caller.
static pelt_result check_baked(pelti_baked_reader* r)
{
    pelt_error broken = {{0}};
    pelt_result result = pelt_baked_validate(r->baked, &broken);
    return result == PELT_OK
               ? PELT_OK
               : pelt_error_set(r->g.error, result, "%s: %s", r->g.path, broken.message);
}

static pelt_result read_all(pelti_baked_reader* r, const pelti_blob* file)
{
    PELT_TRY(pelti_gltf_parse(&r->g, file));
    PELT_TRY(run_step(r, 0.2f, pelti_baked_read_json));
    PELT_TRY(run_step(r, 0.4f, pelti_baked_read_texture));
    if (r->baked->encoding == PELT_ENCODING_VERTEX)
    {
        PELT_TRY(run_step(r, 0.6f, pelti_baked_read_mesh));
    }
    return run_step(r, 0.8f, check_baked);
}

pelt_result pelt_load_baked_memory(pelt_baked** out, const pelt_source* source,
                                   const pelt_load_options* options, pelt_error* error)
{
    PELT_ASSERT(out != NULL && source != NULL);
    PELT_ASSERT(source->bytes != NULL || source->size == 0);
    *out = NULL;
    const pelt_source named = pelti_source_named(source);
    pelti_baked_reader r = {.g = {.path = named.path, .source = &named, .error = error}};
    pelti_load_start(&r.g.budget, options, named.size);
    r.g.arena = pelt_arena_create();
    r.g.scratch = pelt_arena_create();
    pelt_result result = pelt_error_memory(error);
    if (r.g.arena != NULL && r.g.scratch != NULL)
    {
        pelt_arena_limit(r.g.arena, &r.g.budget.memory);
        pelt_arena_limit(r.g.scratch, &r.g.budget.memory);
        r.baked = pelt_arena_alloc(r.g.arena, 1, sizeof *r.baked);
        const pelti_blob file = {(uint8_t*)named.bytes, named.size};
        result = r.baked != NULL ? read_all(&r, &file) : result;
    }
    pelt_arena_destroy(r.g.scratch);
    if (result != PELT_OK)
    {
        pelt_arena_destroy(r.g.arena);
        return pelti_load_finish(&r.g.budget, result, named.path, error);
    }
    pelt_arena_limit(r.g.arena, NULL);
    r.baked->arena = r.g.arena;
    *out = r.baked;
    return PELT_OK;
}

pelt_result pelt_load_baked(pelt_baked** out, const char* path, const pelt_load_options* options,
                            pelt_error* error)
{
    PELT_ASSERT(out != NULL && path != NULL);
    *out = NULL;
    pelt_source source;
    pelt_result result = pelti_source_read_any(&source, path, error);
    if (result == PELT_OK)
    {
        result = pelt_load_baked_memory(out, &source, options, error);
        pelt_source_release(&source);
    }
    return result;
}

// The name of the mesh, as a path from where the reader is.
static pelt_result find_mesh(char** out, pelti_baked_reader* r, const pelti_blob* file)
{
    const pelti_json_path at = {.member = "mesh"};
    const char* name = NULL;
    pelt_error reason = {{0}};
    PELT_TRY(pelti_gltf_parse(&r->g, file));
    PELT_TRY(pelti_baked_need_text(&name, r, r->g.root, "mesh", NULL));
    size_t folder = pelti_path_folder(r->g.path), size = folder + strlen(name) + 1;
    *out = pelt_allocate(size, 1);
    if (*out == NULL)
    {
        return pelt_error_memory(r->g.error);
    }
    snprintf(*out, size, "%.*s%s", (int)folder, r->g.path, name);
    pelt_result result = pelti_path_below(*out, folder, &reason);
    return result == PELT_ERROR_DATA ? pelti_gltf_fail(&r->g, &at, "%s", reason.message)
           : result != PELT_OK
               ? pelt_error_set(r->g.error, result, "%s: %s", r->g.path, reason.message)
               : PELT_OK;
}

pelt_result pelt_baked_mesh_path(char** out, const char* path, pelt_error* error)
{
    PELT_ASSERT(out != NULL && path != NULL);
    *out = NULL;
    pelt_source source;
    PELT_TRY(pelti_source_read_any(&source, path, error));
    pelti_baked_reader r = {.g = {.path = path, .source = &source, .error = error}};
    pelti_load_start(&r.g.budget, NULL, source.size);
    r.g.scratch = pelt_arena_create();
    const pelti_blob file = {(uint8_t*)source.bytes, source.size};
    pelt_result result = r.g.scratch != NULL ? find_mesh(out, &r, &file) : pelt_error_memory(error);
    pelt_arena_destroy(r.g.scratch);
    pelt_source_release(&source);
    if (result != PELT_OK)
    {
        pelt_release(*out);
        *out = NULL;
    }
    return result;
}
