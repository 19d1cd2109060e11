// SPDX-License-Identifier: MIT
#include "painted_file.h"

#include "pelt/io.h"

#include <string.h>
#include <strings.h>

pelt_result painted_file_save(const char* path, const pelt_scene* scene, const joint_mix* mix,
                              const char* source, pelt_error* error)
{
    size_t length = strlen(path);
    if (length < 5 || strcasecmp(path + length - 4, ".glb") != 0)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "cannot write what was painted to %s: only .glb keeps it; let the "
                              "name end in .glb",
                              path);
    }
    pelt_scene copy = *scene;
    pelt_arena* arena = pelt_arena_create();
    pelt_mesh* meshes =
        arena != NULL ? pelt_arena_alloc(arena, scene->mesh_count, sizeof *meshes) : NULL;
    if (meshes == NULL)
    {
        pelt_arena_destroy(arena);
        return pelt_error_memory(error);
    }
    memcpy(meshes, scene->meshes, scene->mesh_count * sizeof *meshes);
    for (uint32_t i = 0; i < scene->mesh_count && joint_mix_has_any(mix); ++i)
    {
        if (mix->vertices[i] != NULL)
        {
            meshes[i].mix_factors = mix->vertices[i];
            meshes[i].is_mix_computed = false;
        }
    }
    copy.meshes = meshes;
    pelt_result result = pelt_scene_pack(&copy, source, path, arena, error);
    if (result == PELT_OK)
    {
        result = pelt_save_scene(path, PELT_FORMAT_GLB, &copy, error);
    }
    pelt_arena_destroy(arena);
    return result;
}
