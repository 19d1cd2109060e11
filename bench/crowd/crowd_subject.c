// SPDX-License-Identifier: MIT
// The character of a crowd as the CPU sees it, and the transforms of its instances.
#include "crowd_subject.h"

#include <math.h>

enum
{
    MOMENT_COUNT = 16, // moments of the clip that are sampled
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

// Sample the clip for bounds and rigidity. The first moment comes last, so that its surfaces
// remain.
static void sample_clip(crowd_subject* out)
{
    out->bounds = pelt_bounds_empty();
    out->is_rigid = true;
    for (int i = MOMENT_COUNT - 1; i >= 0; --i)
    {
        float time = out->duration * (float)i / MOMENT_COUNT;
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
    // Space for any heading.
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
    sample_clip(out);
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
        pelt_scene_add_cors(&inout->prepared, PELT_PREPARE_MISSING, NULL, NULL, inout->arena, NULL);
    inout->has_centers = result == PELT_OK;
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : result;
}

void crowd_subject_pose(crowd_subject* inout, double time)
{
    const pelt_scene* scene = inout->source;
    pelt_pose_sample(&inout->pose, scene, &scene->clips[inout->clip],
                     (float)fmod(time, (double)inout->duration), PELT_WRAP_LOOP);
    pelt_frame_pose(&inout->frame, scene, &inout->pose, &(pelt_deform_options){0});
}

// ---------------------------------------------------------------------------------------------
// Instances

pelt_result crowd_instances_create(crowd_instances* out, uint32_t capacity)
{
    *out = (crowd_instances){.capacity = capacity};
    out->transforms = pelt_allocate(capacity, sizeof *out->transforms);
    out->offsets = pelt_allocate(capacity, sizeof *out->offsets);
    if (out->transforms == NULL || out->offsets == NULL)
    {
        crowd_instances_destroy(out);
        return PELT_ERROR_MEMORY;
    }
    return PELT_OK;
}

void crowd_instances_destroy(crowd_instances* instances)
{
    pelt_release(instances->transforms);
    pelt_release(instances->offsets);
    *instances = (crowd_instances){0};
}

// From 0 to 1, by the finalizer of SplitMix64 (Steele et al., "Fast splittable pseudorandom number
// generators", 2014).
static float random_part(uint64_t index)
{
    uint64_t z = (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (float)(z >> 40) / (float)(1u << 24);
}

void crowd_instances_arrange(crowd_instances* instances, uint32_t count, float spacing)
{
    PELT_ASSERT(count > 0 && count <= instances->capacity);
    uint32_t columns = (uint32_t)ceil(sqrt((double)count));
    uint32_t rows = (count + columns - 1) / columns;
    instances->count = count;
    for (uint32_t i = 0; i < count; ++i)
    {
        float heading = 6.2831853f * random_part(2 * (uint64_t)i);
        float* transform = instances->transforms[i];
        transform[0] = spacing * ((float)(i % columns) - 0.5f * (float)(columns - 1));
        transform[1] = spacing * ((float)(i / columns) - 0.5f * (float)(rows - 1));
        transform[2] = cosf(heading);
        transform[3] = sinf(heading);
        instances->offsets[i] = random_part(2 * (uint64_t)i + 1);
    }
}

pelt_bounds crowd_instances_bounds(const crowd_instances* instances, const pelt_bounds* one)
{
    float reach = fmaxf(hypotf(one->min.x, one->min.z), hypotf(one->max.x, one->max.z));
    pelt_bounds out = pelt_bounds_empty();
    for (uint32_t i = 0; i < instances->count; ++i)
    {
        const float* transform = instances->transforms[i];
        pelt_vec3 corners[2] = {{transform[0] - reach, one->min.y, transform[1] - reach},
                                {transform[0] + reach, one->max.y, transform[1] + reach}};
        pelt_bounds_add(&out, corners, 2);
    }
    return out;
}
