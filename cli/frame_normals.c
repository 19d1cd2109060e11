// SPDX-License-Identifier: MIT
// Normals as --normals asks for them.
#include "frame_normals.h"

#include "message.h"
#include "normal_error.h"
#include "stale_data.h"

static bool is_skinned(const pelt_mesh* mesh)
{
    return mesh->weights.first != NULL && mesh->normals != NULL;
}

// Rates of centers are those of the mesh's own.
static bool has_fitting(const pelt_mesh* mesh, const pelt_vec3* cors)
{
    const pelt_normal_factors* own = mesh->normal_factors;
    return own != NULL && (cors == NULL || (cors == mesh->cors && own->centers != NULL));
}

// Normals of an instance from its triangles. A node that mirrors turns them to the inside; joints
// that do so keep the side of the triangles, as other programs have it.
static pelt_result recompute(pelt_frame* frame, const pelt_scene* scene, uint32_t index)
{
    const pelt_mesh* mesh = &scene->meshes[scene->instances[index].mesh];
    const pelt_surface* surface = &frame->surfaces[index];
    if (is_skinned(mesh))
    {
        return pelt_normals_recompute(surface->normals, mesh, surface->positions);
    }
    return pelt_morph_lacks_normals(mesh, NULL)
               ? normal_truth(surface->normals, scene, index, frame)
               : PELT_OK;
}

static pelt_result build_rates(pelt_frame* frame, const pelt_scene* scene, pelt_arena* arena)
{
    pelt_normal_factors* all = pelt_arena_alloc(arena, scene->mesh_count, sizeof *all);
    pelt_result result = all != NULL ? PELT_OK : PELT_ERROR_MEMORY;
    for (uint32_t i = 0; i < scene->mesh_count && result == PELT_OK; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        if (is_skinned(mesh) && !has_fitting(mesh, frame->cors[i]))
        {
            result = pelt_normal_factors_build(&all[i], mesh, frame->cors[i], NULL, arena);
            frame->normal_factors[i] = &all[i];
        }
    }
    return result;
}

int frame_normals_create(frame_normals* out, pelt_frame* frame, const pelt_scene* scene,
                         const method_list* how)
{
    *out = (frame_normals){.is_recomputed = method_list_is_recomputed(how, 0)};
    if (!method_list_needs_factors(how))
    {
        return EXIT_DONE;
    }
    stale_data_note(scene, PELT_REPAIR_NORMALS_DROPPED);
    out->arena = pelt_arena_create();
    if (out->arena == NULL || build_rates(frame, scene, out->arena) != PELT_OK)
    {
        frame_normals_destroy(out);
        return message_memory();
    }
    return EXIT_DONE;
}

void frame_normals_note_unused(const pelt_scene* scene, const method_list* how)
{
    bool is_standard = how->rule_count == 1 && how->rules[0] == PELT_NORMAL_STANDARD;
    if (!how->is_rule_given || is_standard)
    {
        return;
    }
    uint32_t bare_count = 0;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        bare_count += scene->meshes[i].normals == NULL;
    }
    if (bare_count > 0)
    {
        message_note("--normals has no effect on %u of %u meshes: they have no normals", bare_count,
                     scene->mesh_count);
    }
    for (uint32_t i = 0; i < how->count; ++i)
    {
        if (method_list_lacks_rule(how, i))
        {
            message_note("method %s has standard normals only: --normals %s has no effect on it",
                         pelt_method_name(how->methods[i].method), method_list_rule_name(how, i));
        }
    }
}

const char* frame_normals_rule_name(const pelt_scene* scene, const method_list* how)
{
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        if (scene->meshes[i].normals != NULL)
        {
            return method_list_lacks_rule(how, 0) ? method_list_normal_names[PELT_NORMAL_STANDARD]
                                                  : method_list_rule_name(how, 0);
        }
    }
    return NULL;
}

void frame_normals_destroy(frame_normals* in)
{
    if (in->arena != NULL)
    {
        pelt_arena_destroy(in->arena);
    }
    *in = (frame_normals){0};
}

int frame_normals_update(const frame_normals* in, pelt_frame* frame, const pelt_scene* scene,
                         const pelt_pose* pose, const pelt_deform_options* how)
{
    pelt_frame_update(frame, scene, pose, how);
    for (uint32_t i = 0; i < scene->instance_count && in->is_recomputed; ++i)
    {
        if (recompute(frame, scene, i) != PELT_OK)
        {
            return message_memory();
        }
    }
    return EXIT_DONE;
}
