// SPDX-License-Identifier: MIT
#include "crowd_subject.h"

#include <math.h>

enum
{
    LOOK_COUNT = 16, // moments of the clip that are looked at
};

static bool is_part(const pelt_scene* scene, uint32_t instance)
{
    const pelt_instance* in = &scene->instances[instance];
    const pelt_mesh* mesh = &scene->meshes[in->mesh];
    return in->skin != PELT_NONE && mesh->weights.vertex_count > 0 && mesh->index_count > 0;
}

static void find_parts(crowd_subject* out)
{
    const pelt_scene* scene = out->source;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        if (is_part(scene, i))
        {
            const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
            out->parts[out->part_count++] = i;
            out->vertex_count += mesh->vertex_count;
            out->triangle_count += mesh->index_count / 3;
        }
    }
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        out->joint_count += scene->skins[i].joint_count;
    }
}

// The last moment looked at is the first of the clip, whose surfaces remain.
static void look_over_clip(crowd_subject* out)
{
    out->bounds = pelt_bounds_empty();
    out->is_rigid = true;
    for (int i = LOOK_COUNT - 1; i >= 0; --i)
    {
        float time = out->duration * (float)i / LOOK_COUNT;
        pelt_pose_sample(&out->pose, out->source, &out->source->clips[out->clip], time,
                         PELT_WRAP_LOOP);
        pelt_frame_update(&out->frame, out->source, &out->pose, &(pelt_deform_options){0});
        for (uint32_t k = 0; k < out->part_count; ++k)
        {
            const pelt_instance* part = &out->source->instances[out->parts[k]];
            pelt_bounds_add(&out->bounds, out->frame.surfaces[out->parts[k]].positions,
                            out->source->meshes[part->mesh].vertex_count);
            out->is_rigid = out->is_rigid && out->frame.palettes[part->skin].is_rigid;
        }
    }
    // Room to turn in.
    pelt_bounds box = out->bounds;
    float width = fmaxf(box.max.x - box.min.x, box.max.z - box.min.z);
    out->spacing = 1.2f * fmaxf(width, 1e-3f);
}

static pelt_result allocate(crowd_subject* out)
{
    out->arena = pelt_arena_create();
    if (out->arena == NULL || pelt_pose_create(&out->pose, out->source) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    out->parts = pelt_arena_alloc(out->arena, out->source->instance_count, sizeof *out->parts);
    return out->parts != NULL ? pelt_frame_create(&out->frame, out->source) : PELT_ERROR_MEMORY;
}

pelt_result crowd_subject_create(crowd_subject* out, const pelt_scene* scene, const char* name,
                                 pelt_error* error)
{
    *out = (crowd_subject){.source = scene, .prepared = *scene};
    uint32_t walk = pelt_scene_find_clip(scene, "walk");
    out->clip = walk != PELT_NONE ? walk : 0;
    if (scene->clip_count == 0 || !(scene->clips[out->clip].duration > 0.0f))
    {
        return pelt_error_set(error, PELT_ERROR_DATA, "%s has no clips to play", name);
    }
    out->duration = scene->clips[out->clip].duration;
    if (allocate(out) != PELT_OK)
    {
        crowd_subject_destroy(out);
        return pelt_error_memory(error);
    }
    find_parts(out);
    if (out->part_count == 0)
    {
        crowd_subject_destroy(out);
        return pelt_error_set(error, PELT_ERROR_DATA, "%s has no skinned mesh to draw", name);
    }
    look_over_clip(out);
    return PELT_OK;
}

void crowd_subject_destroy(crowd_subject* subject)
{
    pelt_frame_destroy(&subject->frame);
    pelt_pose_destroy(&subject->pose);
    pelt_arena_destroy(subject->arena);
    *subject = (crowd_subject){0};
}

pelt_result crowd_subject_add_centers(crowd_subject* inout, pelt_error* error)
{
    if (inout->has_centers)
    {
        return PELT_OK;
    }
    pelt_result result =
        pelt_scene_add_cors(&inout->prepared, PELT_PREPARE_MISSING, NULL, NULL, inout->arena);
    inout->has_centers = result == PELT_OK;
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : result;
}

void crowd_subject_pose(crowd_subject* inout, double time)
{
    const pelt_scene* scene = inout->source;
    pelt_pose_sample(&inout->pose, scene, &scene->clips[inout->clip],
                     (float)fmod(time, (double)inout->duration), PELT_WRAP_LOOP);
    pelt_pose_to_model(inout->frame.model_from_node, scene, &inout->pose);
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        pelt_palette_build(&inout->frame.palettes[i], &scene->skins[i],
                           inout->frame.model_from_node);
    }
}
