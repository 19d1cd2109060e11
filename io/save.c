// SPDX-License-Identifier: MIT
// Output files are opened under a temporary name, written and renamed.
#include "writers.h"

#include <string.h>

typedef pelt_result (*surface_writer)(FILE* stream, const pelt_scene* scene,
                                      const pelt_surface* surfaces, pelt_error* error);

// NULL: the format is read only.
static surface_writer writer_of(pelt_format format)
{
    switch (format)
    {
    case PELT_FORMAT_GLB:
        return pelti_write_glb;
    case PELT_FORMAT_GLTF:
        return pelti_write_gltf;
    case PELT_FORMAT_OBJ:
        return pelti_write_obj;
    case PELT_FORMAT_PLY:
        return pelti_write_ply;
    default:
        return NULL;
    }
}

// Packed vertices: a copy unless they are packed already.
// @param size   bytes of a vertex
// @return false: out of memory
static bool pack(const void** inout, uint32_t size, uint32_t stride, uint32_t count,
                 pelt_arena* arena)
{
    if (*inout == NULL || stride == 0)
    {
        return true;
    }
    char* packed = pelt_arena_alloc(arena, count, size);
    for (uint32_t v = 0; packed != NULL && v < count; ++v)
    {
        memcpy(packed + (size_t)v * size, (const char*)*inout + (size_t)v * stride, size);
    }
    *inout = packed;
    return packed != NULL;
}

// Writers read packed arrays. Surfaces inside vertex buffers are copied first.
// @return NULL: out of memory
static const pelt_surface* pack_surfaces(const pelt_surface* surfaces, const pelt_scene* scene,
                                         pelt_arena* arena)
{
    pelt_surface* out = pelt_arena_alloc(arena, scene->instance_count, sizeof *out);
    for (uint32_t i = 0; out != NULL && i < scene->instance_count; ++i)
    {
        uint32_t count = scene->meshes[scene->instances[i].mesh].vertex_count;
        const pelt_surface* s = &surfaces[i];
        const void *positions = s->positions, *normals = s->normals, *tangents = s->tangents;
        if (!pack(&positions, sizeof *s->positions, s->position_stride, count, arena) ||
            !pack(&normals, sizeof *s->normals, s->normal_stride, count, arena) ||
            !pack(&tangents, sizeof *s->tangents, s->tangent_stride, count, arena))
        {
            return NULL;
        }
        out[i] = (pelt_surface){.positions = (pelt_vec3*)positions,
                                .normals = (pelt_vec3*)normals,
                                .tangents = (pelt_vec4*)tangents};
    }
    return out;
}

static pelt_result save_packed(const char* path, surface_writer write, const pelt_scene* scene,
                               const pelt_surface* surfaces, pelt_error* error)
{
    pelti_file file;
    PELT_TRY(pelti_file_open(&file, path, error));
    pelt_result result = write(file.stream, scene, surfaces, error);
    if (result != PELT_OK)
    {
        pelti_file_discard(&file);
        return result;
    }
    return pelti_file_commit(&file, error);
}

pelt_result pelt_save_surfaces(const char* path, pelt_format format, const pelt_scene* scene,
                               const pelt_surface* surfaces, pelt_error* error)
{
    PELT_ASSERT(path != NULL && scene != NULL);
    PELT_ASSERT(surfaces != NULL || scene->instance_count == 0);

    surface_writer write = writer_of(format);
    if (write == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "%s: pelt writes meshes as .glb, .gltf, .obj or .ply", path);
    }

    pelt_result result = pelt_surfaces_validate(surfaces, scene, error);
    if (result != PELT_OK)
    {
        return result;
    }
    pelt_arena* arena = pelt_arena_create();
    const pelt_surface* packed = arena != NULL ? pack_surfaces(surfaces, scene, arena) : NULL;
    result =
        packed != NULL ? save_packed(path, write, scene, packed, error) : pelt_error_memory(error);
    pelt_arena_destroy(arena);
    return result;
}

static pelt_result open_with(pelti_file* out, const pelt_file* content, pelt_error* error)
{
    PELT_ASSERT(content->path != NULL && (content->bytes != NULL || content->size == 0));

    PELT_TRY(pelti_file_open(out, content->path, error));
    if (content->size > 0)
    {
        // A short write shows in the stream's error flag.
        (void)!fwrite(content->bytes, 1, content->size, out->stream);
    }
    return PELT_OK;
}

pelt_result pelt_save_bytes(const char* path, const void* bytes, size_t size, pelt_error* error)
{
    pelti_file file;
    PELT_TRY(open_with(&file, &(pelt_file){path, bytes, size}, error));
    return pelti_file_commit(&file, error);
}

// Rename one file after the other, while no other writer does the same in the folder.
static pelt_result place_files(pelti_file* files, uint32_t count, pelt_error* error)
{
    uint32_t first = 0;
    while (first < count && files[first].temporary == NULL)
    {
        ++first;
    }
    pelti_lock lock;
    bool is_set = first + 1 < count;
    pelt_result result = is_set ? pelti_lock_folder(&lock, files[first].target, error) : PELT_OK;
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        result = pelti_file_rename(&files[i], error);
    }
    if (is_set)
    {
        pelti_lock_release(&lock);
    }
    return result;
}

static pelt_result save_files(pelti_file* files, const pelt_file* contents, uint32_t count,
                              pelt_error* error)
{
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        result = open_with(&files[i], &contents[i], error);
        if (result == PELT_OK)
        {
            result = pelti_file_finish(&files[i], error);
        }
    }
    return result == PELT_OK ? place_files(files, count, error) : result;
}

pelt_result pelt_save_files(const pelt_file* contents, uint32_t count, pelt_error* error)
{
    PELT_ASSERT(contents != NULL || count == 0);

    pelti_file* files = pelt_allocate(count, sizeof *files);
    if (files == NULL)
    {
        return pelt_error_memory(error);
    }
    memset(files, 0, count * sizeof *files);
    pelt_result result = save_files(files, contents, count, error);
    for (uint32_t i = 0; i < count; ++i)
    {
        pelti_file_discard(&files[i]);
    }
    pelt_release(files);
    return result;
}
