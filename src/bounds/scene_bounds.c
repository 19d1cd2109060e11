// SPDX-License-Identifier: MIT
// Boxes of the meshes of a scene, for files: of clips and of joints.
#include "../base/exact.h"

#include "../../include/pelt/bounds.h"
#include "../../include/pelt/prepare.h"

#include <stdlib.h>
#include <string.h>

// Frames of one clip, and of the bends and twists that try what boxes of joints hold.
#define MOST_FRAMES 4096u
#define CLIP_STEP (1.0f / 60.0f)
#define TRIAL_STEP 0.1f

// Vertices leave the chord between two frames by about as much as they do in its middle.
static const float chord_room = 1.5f;

// What is measured of one mesh.
typedef struct mesh_work
{
    pelt_mesh_bounds* bounds; // NULL: not skinned
    pelt_bounds* joints;
    pelt_clip_box* clips;
    float margin;
} mesh_work;

typedef struct bounds_work
{
    const pelt_scene* scene;
    const pelt_deform_options* options;
    mesh_work* meshes;
    pelt_pose pose;
    pelt_frame frames[3]; // at the ends of an interval, and in its middle
    pelt_arena* arena;
    pelt_error* error;
    uint32_t frame_count;
} bounds_work;

static void join(pelt_bounds* inout, const pelt_bounds* other)
{
    inout->min.x = fminf(inout->min.x, other->min.x);
    inout->min.y = fminf(inout->min.y, other->min.y);
    inout->min.z = fminf(inout->min.z, other->min.z);
    inout->max.x = fmaxf(inout->max.x, other->max.x);
    inout->max.y = fmaxf(inout->max.y, other->max.y);
    inout->max.z = fmaxf(inout->max.z, other->max.z);
}

// ---------------------------------------------------------------------------------------------
// Boxes of joints

// Weights that clips give a morph target, and 0 to 1.
static void find_morph_range(float out[2], const pelt_scene* scene, uint32_t mesh, uint32_t target)
{
    const float* defaults = scene->meshes[mesh].morph_weights;
    out[0] = defaults != NULL ? fminf(0.0f, defaults[target]) : 0.0f;
    out[1] = defaults != NULL ? fmaxf(1.0f, defaults[target]) : 1.0f;
    for (uint32_t c = 0; c < scene->clip_count; ++c)
    {
        for (uint32_t t = 0; t < scene->clips[c].track_count; ++t)
        {
            const pelt_track* track = &scene->clips[c].tracks[t];
            bool is_of_mesh =
                track->path == PELT_PATH_MORPH && scene->instances[track->target].mesh == mesh;
            uint32_t parts = track->interpolation == PELT_INTERPOLATION_CUBIC ? 3 : 1;
            for (uint32_t k = 0; is_of_mesh && k < track->key_count; ++k)
            {
                float value =
                    track->values[((size_t)k * parts + parts / 2) * track->width + target];
                out[0] = fminf(out[0], value);
                out[1] = fmaxf(out[1], value);
            }
        }
    }
}

// The displacement of each vertex by morph targets, as a range.
static pelt_result find_positions(pelt_bounds* out, const pelt_scene* scene, uint32_t index)
{
    const pelt_mesh* mesh = &scene->meshes[index];
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        out[v] = (pelt_bounds){mesh->positions[v], mesh->positions[v]};
    }
    for (uint32_t k = 0; k < mesh->morph_count; ++k)
    {
        const pelt_vec3* moved = mesh->morphs[k].positions;
        float range[2];
        find_morph_range(range, scene, index, k);
        for (uint32_t v = 0; moved != NULL && v < mesh->vertex_count; ++v)
        {
            for (int axis = 0; axis < 3; ++axis)
            {
                float a = range[0] * pelt_vec3_component(moved[v], axis),
                      b = range[1] * pelt_vec3_component(moved[v], axis);
                *pelt_vec3_component_at(&out[v].min, axis) += fminf(a, b);
                *pelt_vec3_component_at(&out[v].max, axis) += fmaxf(a, b);
            }
        }
    }
    return PELT_OK;
}

static void add_transformed(pelt_bounds* inout, const pelt_bounds* box, const pelt_mat34* by)
{
    pelt_vec3 c = pelt_vec3_lerp(box->min, box->max, 0.5f);
    pelt_vec3 e = pelt_vec3_scale(pelt_vec3_sub(box->max, box->min), 0.5f);
    pelt_vec3 middle = pelt_mat34_point(by, c), half;
    for (int row = 0; row < 3; ++row)
    {
        const float* m = by->m[row];
        *pelt_vec3_component_at(&half, row) =
            fabsf(m[0]) * e.x + fabsf(m[1]) * e.y + fabsf(m[2]) * e.z;
    }
    pelt_bounds moved = {pelt_vec3_sub(middle, half), pelt_vec3_add(middle, half)};
    join(inout, &moved);
}

// The ball about the center of rotation of a vertex that it is on. A ball maps to an ellipsoid,
// whose extents are the lengths of rows.
static void add_ball(pelt_bounds* inout, pelt_vec3 center, const pelt_bounds* position,
                     const pelt_mat34* by)
{
    pelt_vec3 below = pelt_vec3_sub(center, position->min);
    pelt_vec3 above = pelt_vec3_sub(position->max, center);
    const pelt_vec3 farthest = {fmaxf(below.x, above.x), fmaxf(below.y, above.y),
                                fmaxf(below.z, above.z)};
    float radius = pelt_vec3_length(farthest);
    pelt_vec3 middle = pelt_mat34_point(by, center), half;
    for (int row = 0; row < 3; ++row)
    {
        const float* m = by->m[row];
        *pelt_vec3_component_at(&half, row) =
            radius * sqrtf(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    }
    pelt_bounds moved = {pelt_vec3_sub(middle, half), pelt_vec3_add(middle, half)};
    join(inout, &moved);
}

// Under crs, joints hold balls: docs/bounds.md says why no pose takes a vertex out of them.
static void measure_joints(mesh_work* inout, const pelt_bounds* positions, const pelt_mesh* mesh,
                           const pelt_skin* skin)
{
    const pelt_weights* weights = &mesh->weights;
    bool has_balls = inout->bounds->method == PELT_METHOD_CRS;
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
        {
            uint32_t joint = weights->influences[i].joint;
            const pelt_mat34* bind = &skin->inverse_binds[joint];
            if (has_balls)
            {
                add_ball(&inout->joints[joint], mesh->cors[v], &positions[v], bind);
            }
            else
            {
                add_transformed(&inout->joints[joint], &positions[v], bind);
            }
        }
    }
}

// Enlarge the boxes by a distance in model space, for joints that have the size of the bind pose.
static void enlarge_joints(mesh_work* inout, const pelt_skin* skin, float margin)
{
    for (uint32_t j = 0; j < inout->bounds->joint_count; ++j)
    {
        const pelt_mat34* bind = &skin->inverse_binds[j];
        pelt_bounds* box = &inout->joints[j];
        bool is_empty = box->min.x > box->max.x;
        for (int row = 0; row < 3 && !is_empty; ++row)
        {
            const float* m = bind->m[row];
            float more = margin * sqrtf(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
            // Also for the rounding of the box itself.
            more += 1e-6f * fmaxf(fabsf(pelt_vec3_component(box->min, row)),
                                  fabsf(pelt_vec3_component(box->max, row)));
            *pelt_vec3_component_at(&box->min, row) -= more;
            *pelt_vec3_component_at(&box->max, row) += more;
        }
    }
}

pelt_bounds pelt_mesh_bounds_at(const pelt_mesh_bounds* bounds, const pelt_skin* skin,
                                const pelt_mat34* model_from_node)
{
    PELT_ASSERT(bounds != NULL && skin != NULL && bounds->joint_count <= skin->joint_count);
    pelt_bounds out = pelt_bounds_empty();
    for (uint32_t j = 0; j < bounds->joint_count; ++j)
    {
        if (bounds->joints[j].min.x <= bounds->joints[j].max.x)
        {
            add_transformed(&out, &bounds->joints[j], &model_from_node[skin->joints[j]]);
        }
    }
    return out;
}

// ---------------------------------------------------------------------------------------------
// Frames

static bool is_measured(const bounds_work* work, uint32_t instance)
{
    const pelt_instance* in = &work->scene->instances[instance];
    return in->skin != PELT_NONE && work->meshes[in->mesh].bounds != NULL;
}

// @param clip  NULL: the stored pose
static pelt_result update(bounds_work* inout, pelt_frame* frame, const pelt_clip* clip, float time)
{
    if (clip != NULL)
    {
        pelt_pose_sample(&inout->pose, inout->scene, clip, time, PELT_WRAP_CLAMP);
    }
    else
    {
        pelt_pose_rest(&inout->pose, inout->scene);
    }
    pelt_frame_update(frame, inout->scene, &inout->pose, inout->options);
    ++inout->frame_count;
    return pelt_surfaces_validate(frame->surfaces, inout->scene, inout->error);
}

// The largest distance of the surface from the union of the boxes of the joints.
static void measure_margins(bounds_work* inout, const pelt_frame* frame)
{
    const pelt_scene* scene = inout->scene;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        if (!is_measured(inout, i))
        {
            continue;
        }
        mesh_work* mesh = &inout->meshes[instance->mesh];
        const pelt_bounds all = pelt_mesh_bounds_at(mesh->bounds, &scene->skins[instance->skin],
                                                    frame->model_from_node);
        pelt_bounds exact = pelt_bounds_empty();
        // Vertices without influences are not in the box of any joint, only in that of the stored
        // pose.
        const pelt_weights* weights = &scene->meshes[instance->mesh].weights;
        for (uint32_t v = 0; v < weights->vertex_count; ++v)
        {
            if (weights->first[v] < weights->first[v + 1])
            {
                pelt_bounds_add(&exact, &frame->surfaces[i].positions[v], 1);
            }
        }
        for (int axis = 0; axis < 3 && exact.min.x <= exact.max.x; ++axis)
        {
            float below = pelt_vec3_component(all.min, axis) - pelt_vec3_component(exact.min, axis);
            float above = pelt_vec3_component(exact.max, axis) - pelt_vec3_component(all.max, axis);
            mesh->margin = fmaxf(mesh->margin, fmaxf(below, above));
        }
    }
}

static void add_frame(pelt_bounds* inout, const bounds_work* work, const pelt_frame* frame,
                      uint32_t mesh)
{
    for (uint32_t i = 0; i < work->scene->instance_count; ++i)
    {
        if (is_measured(work, i) && work->scene->instances[i].mesh == mesh)
        {
            pelt_bounds_add(inout, frame->surfaces[i].positions,
                            work->scene->meshes[mesh].vertex_count);
        }
    }
}

// The largest distance by which the arcs of vertices between two frames leave their chords.
static void add_arcs(pelt_bounds* inout, const bounds_work* work, uint32_t instance)
{
    const pelt_vec3* from = work->frames[0].surfaces[instance].positions;
    const pelt_vec3* to = work->frames[1].surfaces[instance].positions;
    const pelt_vec3* middle = work->frames[2].surfaces[instance].positions;
    uint32_t count = work->scene->meshes[work->scene->instances[instance].mesh].vertex_count;
    for (uint32_t v = 0; v < count; ++v)
    {
        pelt_vec3 arc = pelt_vec3_sub(middle[v], pelt_vec3_lerp(from[v], to[v], 0.5f));
        pelt_vec3 room = {chord_room * fabsf(arc.x), chord_room * fabsf(arc.y),
                          chord_room * fabsf(arc.z)};
        const pelt_vec3 corners[4] = {pelt_vec3_sub(from[v], room), pelt_vec3_add(from[v], room),
                                      pelt_vec3_sub(to[v], room), pelt_vec3_add(to[v], room)};
        pelt_bounds_add(inout, corners, 4);
    }
}

static void add_interval(bounds_work* inout, uint32_t clip)
{
    for (uint32_t i = 0; i < inout->scene->instance_count; ++i)
    {
        if (is_measured(inout, i))
        {
            mesh_work* mesh = &inout->meshes[inout->scene->instances[i].mesh];
            add_arcs(&mesh->clips[clip].box, inout, i);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Times

static int compare_times(const void* a, const void* b)
{
    const float *p = a, *q = b;
    return *p < *q ? -1 : *p > *q;
}

static size_t count_keys(const pelt_clip* clip)
{
    size_t count = 0;
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        count += clip->tracks[i].key_count;
    }
    return count;
}

// All keys, each once, with more times between them; without keys where there are too many.
// @param out  MOST_FRAMES + 1
static pelt_result find_times(float* out, uint32_t* count, const pelt_clip* clip)
{
    size_t total = 0, key_count = count_keys(clip);
    float* keys = pelt_allocate(key_count + 2, sizeof *keys);
    if (keys == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    keys[total++] = 0.0f;
    keys[total++] = clip->duration;
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        for (uint32_t k = 0; k < clip->tracks[i].key_count; ++k)
        {
            float time = clip->tracks[i].times[k];
            keys[total++] = fminf(fmaxf(time, 0.0f), clip->duration);
        }
    }
    qsort(keys, total, sizeof *keys, compare_times);
    *count = 0;
    out[(*count)++] = keys[0];
    bool fits = true;
    for (size_t i = 1; i < total && fits; ++i)
    {
        float from = keys[i - 1], gap = keys[i] - from, parts = ceilf(gap / CLIP_STEP);
        fits = parts <= (float)(MOST_FRAMES - *count);
        for (uint32_t k = 1; fits && gap > 0.0f && k <= (uint32_t)parts; ++k)
        {
            out[(*count)++] = from + gap * ((float)k / parts);
        }
    }
    if (!fits)
    {
        *count = MOST_FRAMES + 1;
        for (uint32_t k = 0; k < *count; ++k)
        {
            out[k] = clip->duration * ((float)k / (float)MOST_FRAMES);
        }
    }
    pelt_release(keys);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------

static pelt_result measure_clip(bounds_work* inout, uint32_t index, float* times)
{
    const pelt_clip* clip = &inout->scene->clips[index];
    uint32_t count = 0;
    PELT_TRY(find_times(times, &count, clip));
    PELT_TRY(update(inout, &inout->frames[0], clip, times[0]));
    for (uint32_t i = 0; i < count; ++i)
    {
        bool is_last = i + 1 == count;
        float next = is_last ? times[i] : times[i + 1];
        PELT_TRY(update(inout, &inout->frames[1], clip, next));
        PELT_TRY(update(inout, &inout->frames[2], clip, 0.5f * (times[i] + next)));
        add_interval(inout, index);
        measure_margins(inout, &inout->frames[0]);
        measure_margins(inout, &inout->frames[2]);
        pelt_frame swapped = inout->frames[0];
        inout->frames[0] = inout->frames[1];
        inout->frames[1] = swapped;
    }
    return PELT_OK;
}

static pelt_result measure_clips(bounds_work* inout)
{
    float* times = pelt_allocate(MOST_FRAMES + 1, sizeof *times);
    pelt_result result = times != NULL ? PELT_OK : PELT_ERROR_MEMORY;
    for (uint32_t i = 0; i < inout->scene->clip_count && result == PELT_OK; ++i)
    {
        result = measure_clip(inout, i, times);
    }
    pelt_release(times);
    return result;
}

static pelt_result measure_trials(bounds_work* inout)
{
    pelt_clip clip;
    PELT_TRY(pelt_motion_range_build(&clip, inout->scene, NULL, inout->arena));
    uint32_t count = (uint32_t)fminf(ceilf(clip.duration / TRIAL_STEP), (float)MOST_FRAMES);
    for (uint32_t i = 0; i <= count && count > 0; ++i)
    {
        float time = clip.duration * ((float)i / (float)count);
        PELT_TRY(update(inout, &inout->frames[0], &clip, time));
        measure_margins(inout, &inout->frames[0]);
    }
    return PELT_OK;
}

static pelt_result prepare_mesh(bounds_work* inout, uint32_t index)
{
    const pelt_mesh* mesh = &inout->scene->meshes[index];
    mesh_work* out = &inout->meshes[index];
    uint32_t joint_count = mesh->weights.joint_count, clip_count = inout->scene->clip_count;
    out->bounds = pelt_arena_alloc(inout->arena, 1, sizeof *out->bounds);
    out->joints = pelt_arena_alloc(inout->arena, joint_count, sizeof *out->joints);
    out->clips = pelt_arena_alloc(inout->arena, clip_count, sizeof *out->clips);
    pelt_bounds* positions = pelt_allocate((size_t)mesh->vertex_count + 1, sizeof *positions);
    if (out->bounds == NULL || out->joints == NULL || out->clips == NULL || positions == NULL)
    {
        pelt_release(positions);
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t j = 0; j < joint_count; ++j)
    {
        out->joints[j] = pelt_bounds_empty();
    }
    for (uint32_t c = 0; c < clip_count; ++c)
    {
        out->clips[c] = (pelt_clip_box){inout->scene->clips[c].name, pelt_bounds_empty()};
    }
    *out->bounds = (pelt_mesh_bounds){.method = inout->options->method,
                                      .box = pelt_bounds_empty(),
                                      .clip_count = clip_count,
                                      .joint_count = joint_count,
                                      .clips = out->clips,
                                      .joints = out->joints};
    find_positions(positions, inout->scene, index);
    for (uint32_t i = 0; i < inout->scene->instance_count; ++i)
    {
        const pelt_instance* instance = &inout->scene->instances[i];
        if (instance->mesh == index && instance->skin != PELT_NONE)
        {
            measure_joints(out, positions, mesh, &inout->scene->skins[instance->skin]);
        }
    }
    pelt_release(positions);
    return PELT_OK;
}

static pelt_result prepare_meshes(bounds_work* inout)
{
    for (uint32_t i = 0; i < inout->scene->instance_count; ++i)
    {
        const pelt_instance* instance = &inout->scene->instances[i];
        const pelt_mesh* mesh = &inout->scene->meshes[instance->mesh];
        if (instance->skin == PELT_NONE || mesh->weights.first == NULL ||
            inout->meshes[instance->mesh].bounds != NULL)
        {
            continue;
        }
        if (pelt_method_info(inout->options->method)->needs_centers && mesh->cors == NULL)
        {
            return pelt_error_set(inout->error, PELT_ERROR_DATA,
                                  "mesh %u has no centers of rotation, which method %s needs; "
                                  "compute them first",
                                  instance->mesh, pelt_method_name(inout->options->method));
        }
        PELT_TRY(prepare_mesh(inout, instance->mesh));
    }
    return PELT_OK;
}

// Boxes of clips are complete now, and the box of the mesh with them. Those of joints still need
// their margin.
static void finish(pelt_mesh* meshes, bounds_work* inout, pelt_scene_bounds_report* report)
{
    const pelt_scene* scene = inout->scene;
    for (uint32_t m = 0; m < scene->mesh_count; ++m)
    {
        mesh_work* mesh = &inout->meshes[m];
        if (mesh->bounds == NULL)
        {
            continue;
        }
        for (uint32_t c = 0; c < scene->clip_count; ++c)
        {
            join(&mesh->bounds->box, &mesh->clips[c].box);
        }
        meshes[m].bounds = mesh->bounds;
        ++report->mesh_count;
        report->margin = fmaxf(report->margin, mesh->margin);
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        mesh_work* mesh = &inout->meshes[instance->mesh];
        if (is_measured(inout, i) && mesh->joints != NULL)
        {
            // Poses that were not tried may need somewhat more.
            bool is_linear = inout->options->method == PELT_METHOD_LBS;
            enlarge_joints(mesh, &scene->skins[instance->skin],
                           is_linear ? 0.0f : 1.25f * mesh->margin);
            mesh->joints = NULL; // once
        }
    }
    report->frame_count = inout->frame_count;
}

static pelt_result create_frames(bounds_work* inout)
{
    for (int i = 0; i < 3; ++i)
    {
        PELT_TRY(pelt_frame_create(&inout->frames[i], inout->scene));
        for (uint32_t k = 0; k < inout->scene->instance_count; ++k)
        {
            inout->frames[i].surfaces[k].normals = NULL;
            inout->frames[i].surfaces[k].tangents = NULL;
        }
    }
    return pelt_pose_create(&inout->pose, inout->scene);
}

static pelt_result measure(bounds_work* inout)
{
    PELT_TRY(prepare_meshes(inout));
    PELT_TRY(create_frames(inout));
    PELT_TRY(update(inout, &inout->frames[0], NULL, 0.0f));
    for (uint32_t m = 0; m < inout->scene->mesh_count; ++m)
    {
        if (inout->meshes[m].bounds != NULL)
        {
            add_frame(&inout->meshes[m].bounds->box, inout, &inout->frames[0], m);
        }
    }
    measure_margins(inout, &inout->frames[0]);
    PELT_TRY(measure_clips(inout));
    return inout->options->method != PELT_METHOD_LBS ? measure_trials(inout) : PELT_OK;
}

pelt_result pelt_scene_add_bounds(pelt_scene* inout, const pelt_deform_options* options,
                                  pelt_scene_bounds_report* report, pelt_arena* arena,
                                  pelt_error* error)
{
    PELT_ASSERT(inout != NULL && options != NULL && arena != NULL);
    pelt_deform_options exact = *options;
    exact.is_exact = true; // the same bits on every machine
    exact.normal_rule = PELT_NORMAL_STANDARD;
    pelt_scene_bounds_report storage;
    report = report != NULL ? report : &storage;
    *report = (pelt_scene_bounds_report){0};
    pelt_mesh* meshes = pelt_arena_alloc(arena, inout->mesh_count, sizeof *meshes);
    bounds_work work = {.scene = inout,
                        .options = &exact,
                        .meshes = pelt_arena_alloc(arena, inout->mesh_count, sizeof *work.meshes),
                        .arena = arena,
                        .error = error};
    pelt_result result = meshes != NULL && work.meshes != NULL ? measure(&work) : PELT_ERROR_MEMORY;
    if (result == PELT_OK)
    {
        memcpy(meshes, inout->meshes, inout->mesh_count * sizeof *meshes);
        finish(meshes, &work, report);
        inout->meshes = meshes;
    }
    for (int i = 0; i < 3; ++i)
    {
        pelt_frame_destroy(&work.frames[i]);
    }
    pelt_pose_destroy(&work.pose);
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : result;
}
