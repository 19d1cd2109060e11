// SPDX-License-Identifier: MIT
// Normals as --normals asks for them.
#include "method_frame.h"

#include "normal_error.h"
#include "source.h"
#include "terminal.h"

const arg_option method_frame_exact[] = {
    {.name = "exact",
     .kind = ARG_FLAG,
     .help = "deform as pelt deform does, with the same digits on every machine; several times"
             " slower"},
    {0},
};

static bool is_skinned(const pelt_mesh* mesh)
{
    return mesh->weights.first != NULL && mesh->normals != NULL;
}

// Compute normals of an instance from its triangles. A node that mirrors reverses them; joints
// that mirror keep the orientation of the triangles, as other programs do.
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

int method_frame_prepare(pelt_scene* inout, const method_list* how, pelt_arena* arena)
{
    if (method_list_has(how, METHOD_LIST_WITH(needs_smoothing)))
    {
        TRY(ddm_request_add(inout, &how->ddm, arena));
    }
    if (!method_list_needs_factors(how))
    {
        return EXIT_DONE;
    }
    source_note_stale(inout, PELT_REPAIR_NORMALS_DROPPED);
    pelt_error error = {0};
    pelt_result result =
        pelt_scene_add_normal_factors(inout, PELT_PREPARE_MISSING, NULL, NULL, arena, &error);
    return result == PELT_OK ? EXIT_DONE : message_error(result, &error);
}

void method_frame_note_unused(const pelt_scene* scene, const method_list* how)
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
        message_note("--normals has no effect on %u of %u %s, which %s no normals", bare_count,
                     scene->mesh_count, message_plural(scene->mesh_count, "mesh", "meshes"),
                     message_plural(bare_count, "has", "have"));
    }
    for (uint32_t i = 0; i < how->count; ++i)
    {
        if (method_list_lacks_rule(how, i))
        {
            message_note("method %s has only standard normals: --normals %s has no effect on it",
                         pelt_method_name(how->methods[i].method), method_list_rule_name(how, i));
        }
    }
}

const char* method_frame_rule_name(const pelt_scene* scene, const method_list* how)
{
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        if (scene->meshes[i].normals != NULL)
        {
            return method_list_lacks_rule(how, 0) ? method_list_normal_name(PELT_NORMAL_STANDARD)
                                                  : method_list_rule_name(how, 0);
        }
    }
    return NULL;
}

int method_frame_update(pelt_frame* frame, const pelt_scene* scene, const pelt_pose* pose,
                        const method_list* how, uint32_t method)
{
    pelt_frame_update(frame, scene, pose, &how->methods[method]);
    bool is_recomputed = method_list_is_recomputed(how, method);
    for (uint32_t i = 0; i < scene->instance_count && is_recomputed; ++i)
    {
        if (recompute(frame, scene, i) != PELT_OK)
        {
            return message_memory();
        }
    }
    return EXIT_DONE;
}

uint32_t method_frame_count_mixed(const pelt_scene* scene, const pelt_frame* frame)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        const pelt_weights* weights = &scene->meshes[instance->mesh].weights;
        if (instance->skin != PELT_NONE && weights->first != NULL)
        {
            count += pelt_weights_count_mixed_handedness(weights, &frame->palettes[instance->skin]);
        }
    }
    return count;
}

void method_frame_note_mixed(uint32_t count, const method_list* how)
{
    bool is_changed = method_list_has(how, METHOD_LIST_WITH(needs_motions));
    if (count > 0 && is_changed)
    {
        message_note("%u %s both mirrored and unmirrored joints, so lbs deforms %s", count,
                     message_plural(count, "vertex has", "vertices have"),
                     message_plural(count, "it", "them"));
    }
}
