// SPDX-License-Identifier: MIT
// Normals as --normals asks for them.
#include "shading.h"

#include "message.h"

static bool is_skinned(const pelt_mesh* mesh)
{
    return mesh->weights.first != NULL && mesh->normals != NULL;
}

static pelt_result build_rates(pelt_frame* frame, const pelt_scene* scene, pelt_arena* arena)
{
    pelt_normal_factors* all = pelt_arena_alloc(arena, scene->mesh_count, sizeof *all);
    pelt_result result = all != NULL ? PELT_OK : PELT_ERROR_MEMORY;
    for (uint32_t i = 0; i < scene->mesh_count && result == PELT_OK; ++i)
    {
        if (is_skinned(&scene->meshes[i]))
        {
            result =
                pelt_normal_factors_build(&all[i], &scene->meshes[i], frame->cors[i], NULL, arena);
            frame->normal_factors[i] = &all[i];
        }
    }
    return result;
}

int shading_create(shading* out, pelt_frame* frame, const pelt_scene* scene, const deforming* how)
{
    *out = (shading){.is_recomputed = deforming_is_recomputed(how, 0)};
    if (!deforming_needs_rates(how))
    {
        return EXIT_DONE;
    }
    out->arena = pelt_arena_create();
    if (out->arena == NULL || build_rates(frame, scene, out->arena) != PELT_OK)
    {
        shading_destroy(out);
        return message_memory();
    }
    return EXIT_DONE;
}

void shading_destroy(shading* in)
{
    if (in->arena != NULL)
    {
        pelt_arena_destroy(in->arena);
    }
    *in = (shading){0};
}

int shading_update(const shading* in, pelt_frame* frame, const pelt_scene* scene,
                   const pelt_pose* pose, const pelt_deform_options* how)
{
    pelt_frame_update(frame, scene, pose, how);
    for (uint32_t i = 0; i < scene->instance_count && in->is_recomputed; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        const pelt_surface* surface = &frame->surfaces[i];
        if (is_skinned(mesh) &&
            pelt_normals_recompute(surface->normals, mesh, surface->positions) != PELT_OK)
        {
            return message_memory();
        }
    }
    return EXIT_DONE;
}
