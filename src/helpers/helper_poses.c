// SPDX-License-Identifier: MIT
// What helpers are fitted to: welded vertices, poses, and where the target method has each vertex.
#include "../base/exact.h"

#include "../../include/pelt/ddm.h"
#include "../metrics/body.h"
#include "helpers.h"

#include <string.h>

enum
{
    DEFAULT_POSES = 200,
    LEAST_POSES = 24,
    MOST_TARGETS = 1u << 23u, // positions of points in all poses, 12 bytes each
};

// ---------------------------------------------------------------------------------------------
// Joints

static bool list_joints(pelti_fit* inout)
{
    const pelt_scene* scene = inout->scene;
    inout->joint_nodes = pelt_arena_alloc(inout->arena, scene->node_count, sizeof(uint32_t));
    inout->node_joints = pelt_arena_alloc(inout->arena, scene->node_count, sizeof(uint32_t));
    inout->binds = pelt_arena_alloc(inout->arena, scene->skin_count, sizeof *inout->binds);
    if (inout->joint_nodes == NULL || inout->node_joints == NULL || inout->binds == NULL)
    {
        return false;
    }
    memset(inout->node_joints, 0xff, scene->node_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        const pelt_skin* skin = &scene->skins[i];
        inout->binds[i] = pelt_arena_alloc(inout->arena, skin->joint_count, sizeof **inout->binds);
        for (uint32_t k = 0; k < skin->joint_count && inout->binds[i] != NULL; ++k)
        {
            uint32_t* joint = &inout->node_joints[skin->joints[k]];
            if (*joint == PELT_NONE)
            {
                *joint = inout->joint_count;
                inout->joint_nodes[inout->joint_count++] = skin->joints[k];
            }
            inout->binds[i][k] = pelti_affine_from(&skin->inverse_binds[k]);
        }
        if (inout->binds[i] == NULL)
        {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Points

static uint64_t hash_bytes(uint64_t hash, const void* bytes, size_t size)
{
    const uint8_t* b = bytes;
    for (size_t i = 0; i < size; ++i)
    {
        hash = (hash ^ b[i]) * 0x100000001b3u; // FNV-1a
    }
    return hash;
}

static uint64_t hash_vertex(const pelt_mesh* mesh, uint32_t v)
{
    uint64_t hash = hash_bytes(0xcbf29ce484222325u, &mesh->positions[v], sizeof(pelt_vec3));
    for (uint32_t i = mesh->weights.first[v]; i < mesh->weights.first[v + 1]; ++i)
    {
        const pelt_influence* influence = &mesh->weights.influences[i];
        hash = hash_bytes(hash, &influence->joint, sizeof influence->joint);
        hash = hash_bytes(hash, &influence->weight, sizeof influence->weight);
    }
    return hash;
}

static bool is_same_vertex(const pelt_mesh* mesh, uint32_t a, uint32_t b)
{
    const pelt_weights* weights = &mesh->weights;
    const pelt_influence *x = weights->influences + weights->first[a],
                         *y = weights->influences + weights->first[b];
    uint32_t count = weights->first[a + 1] - weights->first[a];
    bool is_same = memcmp(&mesh->positions[a], &mesh->positions[b], sizeof(pelt_vec3)) == 0 &&
                   weights->first[b + 1] - weights->first[b] == count;
    for (uint32_t i = 0; i < count && is_same; ++i)
    {
        is_same = x[i].joint == y[i].joint && x[i].weight == y[i].weight;
    }
    return is_same;
}

static bool weld_part(pelti_fit* inout, uint32_t index)
{
    pelti_helper_part* part = &inout->parts[index];
    const pelt_mesh* mesh = &inout->scene->meshes[part->mesh];
    size_t size = 16;
    while (size < 2 * (size_t)mesh->vertex_count)
    {
        size *= 2;
    }
    uint32_t* table = pelt_allocate(size, sizeof *table);
    part->points = pelt_arena_alloc(inout->arena, mesh->vertex_count, sizeof *part->points);
    bool is_ok = table != NULL && part->points != NULL;
    if (is_ok)
    {
        memset(table, 0xff, size * sizeof *table);
    }
    for (uint32_t v = 0; v < mesh->vertex_count && is_ok; ++v)
    {
        size_t at = (size_t)hash_vertex(mesh, v) & (size - 1);
        while (table[at] != PELT_NONE && !is_same_vertex(mesh, inout->points[table[at]].vertex, v))
        {
            at = (at + 1) & (size - 1);
        }
        if (table[at] == PELT_NONE)
        {
            table[at] = inout->point_count;
            inout->points[inout->point_count++] = (pelti_helper_point){index, v};
        }
        part->points[v] = table[at];
    }
    pelt_release(table);
    return is_ok;
}

// Meshes with one skin; an instance of another skin excludes the mesh.
static bool list_parts(pelti_fit* inout)
{
    const pelt_scene* scene = inout->scene;
    size_t vertex_count = 0;
    uint32_t* skins = pelt_arena_alloc(inout->arena, scene->mesh_count, sizeof *skins);
    inout->parts = pelt_arena_alloc(inout->arena, scene->mesh_count, sizeof *inout->parts);
    if (skins == NULL || inout->parts == NULL)
    {
        return false;
    }
    memset(skins, 0xff, scene->mesh_count * sizeof *skins);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        uint32_t* skin = &skins[instance->mesh];
        bool is_other = *skin != PELT_NONE && *skin != instance->skin;
        *skin = is_other ? scene->skin_count : instance->skin;
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        if (instance->skin != PELT_NONE && skins[instance->mesh] == instance->skin)
        {
            skins[instance->mesh] = PELT_NONE;
            inout->parts[inout->part_count++] =
                (pelti_helper_part){.mesh = instance->mesh, .skin = instance->skin, .instance = i};
            vertex_count += scene->meshes[instance->mesh].vertex_count;
        }
    }
    inout->points = pelt_arena_alloc(inout->arena, vertex_count, sizeof *inout->points);
    bool is_ok = inout->points != NULL;
    for (uint32_t i = 0; i < inout->part_count && is_ok; ++i)
    {
        is_ok = weld_part(inout, i);
    }
    return is_ok;
}

// Points that share an edge, each as often as triangles have it.
static bool list_neighbors(pelti_fit* inout)
{
    size_t count = 0;
    for (uint32_t i = 0; i < inout->part_count; ++i)
    {
        count += 2 * (size_t)inout->scene->meshes[inout->parts[i].mesh].index_count;
    }
    uint32_t* first = pelt_arena_alloc(inout->arena, (size_t)inout->point_count + 2, sizeof *first);
    uint32_t* list = pelt_arena_alloc(inout->arena, count, sizeof *list);
    if (first == NULL || list == NULL || count > UINT32_MAX)
    {
        return false;
    }
    for (int is_filling = 0; is_filling < 2; ++is_filling)
    {
        for (uint32_t i = 0; i < inout->part_count; ++i)
        {
            const pelti_helper_part* part = &inout->parts[i];
            const pelt_mesh* mesh = &inout->scene->meshes[part->mesh];
            for (uint32_t k = 0; k < mesh->index_count; ++k)
            {
                uint32_t next = k % 3 == 2 ? k - 2 : k + 1;
                uint32_t a = part->points[mesh->indices[k]], b = part->points[mesh->indices[next]];
                for (int side = 0; side < 2; ++side)
                {
                    // Offsets are one entry ahead while they are used to fill.
                    uint32_t* at = &first[(side == 0 ? a : b) + 1 + (is_filling == 0)];
                    if (is_filling)
                    {
                        list[*at] = side == 0 ? b : a;
                    }
                    ++*at;
                }
            }
        }
        for (uint32_t i = 1; i <= inout->point_count && !is_filling; ++i)
        {
            first[i + 1] += first[i];
        }
    }
    inout->first_neighbors = first;
    inout->neighbors = list;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Poses

// Frames of a clip, evenly spaced, alternately for the fit and held out.
static void list_clip(pelti_helper_pose* out, uint32_t* count, const pelt_clip* clip,
                      uint32_t index, uint32_t wanted)
{
    for (uint32_t i = 0; i < wanted; ++i)
    {
        float part = wanted > 1 ? ((float)i + 0.5f) / (float)wanted : 0.0f;
        out[(*count)++] = (pelti_helper_pose){index, part * clip->duration, i % 2 == 1};
    }
}

static uint32_t most_poses(const pelti_fit* fit)
{
    uint32_t wanted = fit->options->max_poses > 0 ? fit->options->max_poses : DEFAULT_POSES;
    uint32_t within = MOST_TARGETS / (fit->point_count + 1);
    within = within > LEAST_POSES ? within : LEAST_POSES;
    return wanted < within ? wanted : within;
}

// Three quarters are poses of clips, if there are any, in proportion to their frames.
static pelti_helper_pose* list_poses(uint32_t* count, const pelti_fit* fit, const pelt_clip* range,
                                     pelt_arena* arena)
{
    const pelt_scene* scene = fit->scene;
    uint32_t most = most_poses(fit);
    uint64_t frames = 0;
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        bool is_moving = scene->clips[i].track_count > 0;
        frames += is_moving ? pelti_clip_frame_count(&scene->clips[i], 0.0f, 0) : 0;
    }
    size_t room = (size_t)most + 2 * (size_t)scene->clip_count + 4;
    pelti_helper_pose* out = pelt_arena_alloc(arena, room, sizeof *out);
    for (uint32_t i = 0; i < scene->clip_count && out != NULL; ++i)
    {
        const pelt_clip* clip = &scene->clips[i];
        uint64_t own = pelti_clip_frame_count(clip, 0.0f, 0);
        uint32_t wanted = frames > 0 ? (uint32_t)(own * (most - most / 4) / frames) : 0;
        wanted = wanted < 2 ? 2 : wanted < own ? wanted : (uint32_t)own;
        if (clip->track_count > 0 && *count + 2 < room)
        {
            list_clip(out, count, clip, i, wanted);
        }
    }
    if (out != NULL && range->track_count > 0)
    {
        uint32_t rest = frames > 0 ? most / 4 : most;
        list_clip(out, count, range, PELT_NONE, rest < 2 ? 2 : rest);
    }
    return out;
}

// Poses for the fit come first.
static bool choose_poses(pelti_fit* inout, pelt_clip* range)
{
    uint32_t count = 0;
    if (pelt_motion_range_build(range, inout->scene, NULL, inout->arena) != PELT_OK)
    {
        return false;
    }
    pelti_helper_pose* all = list_poses(&count, inout, range, inout->arena);
    inout->poses = pelt_arena_alloc(inout->arena, count, sizeof *inout->poses);
    if (all == NULL || inout->poses == NULL)
    {
        return false;
    }
    for (int is_held_out = 0; is_held_out < 2; ++is_held_out)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            if (all[i].is_held_out == (is_held_out == 1))
            {
                inout->poses[inout->pose_count++] = all[i];
                inout->training_count += is_held_out == 0;
            }
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Targets

static void record_pose(pelti_fit* inout, const pelt_frame* frame, uint32_t pose)
{
    pelti_affine* matrices = inout->joint_matrices + (size_t)pose * inout->joint_count;
    for (uint32_t i = 0; i < inout->joint_count; ++i)
    {
        matrices[i] = pelti_affine_from(&frame->model_from_node[inout->joint_nodes[i]]);
    }
    for (uint32_t i = 0; i < inout->point_count; ++i)
    {
        const pelti_helper_point* point = &inout->points[i];
        uint32_t instance = inout->parts[point->part].instance;
        inout->targets[(size_t)i * inout->pose_count + pose] =
            frame->surfaces[instance].positions[point->vertex];
    }
}

static pelt_result play(pelti_fit* inout, const pelt_scene* scene, const pelt_clip* range)
{
    pelt_pose pose = {0};
    pelt_frame frame = {0};
    // The reference, for the same bits on every machine.
    pelt_deform_options options = inout->options->target;
    options.is_exact = true;
    pelt_result result = pelt_pose_create(&pose, scene);
    result = result == PELT_OK ? pelt_frame_create(&frame, scene) : result;
    for (uint32_t i = 0; i < scene->instance_count && result == PELT_OK; ++i)
    {
        frame.surfaces[i].normals = NULL;
        frame.surfaces[i].tangents = NULL;
    }
    for (uint32_t i = 0; i < inout->pose_count && result == PELT_OK; ++i)
    {
        const pelti_helper_pose* at = &inout->poses[i];
        const pelt_clip* clip = at->clip != PELT_NONE ? &scene->clips[at->clip] : range;
        pelt_pose_sample(&pose, scene, clip, at->time, PELT_WRAP_CLAMP);
        memset(pose.morph_weights, 0, pose.morph_weight_count * sizeof(float));
        pelt_frame_update(&frame, scene, &pose, &options);
        record_pose(inout, &frame, i);
        if (!pelti_fit_tell(inout, 0.1f * (float)i / (float)inout->pose_count))
        {
            result = PELT_ERROR_CANCELED;
        }
    }
    pelt_frame_destroy(&frame);
    pelt_pose_destroy(&pose);
    return result;
}

static void find_size(pelti_fit* inout)
{
    pelt_bounds box = pelt_bounds_empty();
    for (uint32_t i = 0; i < inout->point_count; ++i)
    {
        // In the first training pose, so that scaled bind spaces do not matter.
        pelt_bounds_add(&box, &inout->targets[(size_t)i * inout->pose_count], 1);
    }
    inout->size = (double)pelt_bounds_diagonal(&box);
}

pelt_result pelti_fit_prepare(pelti_fit* inout, pelt_error* error)
{
    pelt_clip range;
    if (!list_joints(inout) || !list_parts(inout) || !list_neighbors(inout) ||
        !choose_poses(inout, &range))
    {
        return pelt_error_memory(error);
    }
    pelt_scene scene = *inout->scene;
    const pelt_method_traits* target = pelt_method_info(inout->options->target.method);
    if (target->needs_smoothing)
    {
        PELT_TRY(pelt_scene_add_ddm(&scene, PELT_PREPARE_MISSING, NULL, NULL, inout->arena, error));
    }
    if (target->needs_centers)
    {
        PELT_TRY(
            pelt_scene_add_cors(&scene, PELT_PREPARE_MISSING, NULL, NULL, inout->arena, error));
    }
    size_t target_count = (size_t)inout->point_count * inout->pose_count,
           matrix_count = (size_t)inout->joint_count * inout->pose_count;
    inout->targets = pelt_arena_alloc(inout->arena, target_count, sizeof *inout->targets);
    inout->joint_matrices =
        pelt_arena_alloc(inout->arena, matrix_count, sizeof *inout->joint_matrices);
    inout->blends = pelt_arena_alloc(inout->arena, inout->point_count, sizeof *inout->blends);
    if (inout->targets == NULL || inout->joint_matrices == NULL || inout->blends == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_result result = play(inout, &scene, &range);
    find_size(inout);
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : result;
}

// ---------------------------------------------------------------------------------------------
// Positions

pelti_affine pelti_affine_from(const pelt_mat34* a)
{
    pelti_affine out;
    for (int i = 0; i < 12; ++i)
    {
        out.m[i / 4][i % 4] = (double)a->m[i / 4][i % 4];
    }
    return out;
}

pelti_affine pelti_affine_mul(const pelti_affine* a, const pelti_affine* b)
{
    pelti_affine out;
    for (int i = 0; i < 12; ++i)
    {
        int row = i / 4, column = i % 4;
        out.m[row][column] = a->m[row][0] * b->m[0][column] + a->m[row][1] * b->m[1][column] +
                             a->m[row][2] * b->m[2][column] + (column == 3 ? a->m[row][3] : 0.0);
    }
    return out;
}

pelti_double3 pelti_fit_local(const pelti_fit* fit, uint32_t point, uint32_t influence)
{
    const pelti_helper_point* p = &fit->points[point];
    const pelti_helper_part* part = &fit->parts[p->part];
    const pelt_influence* influences;
    pelti_fit_influences(&influences, fit, point);
    pelt_vec3 position = fit->scene->meshes[part->mesh].positions[p->vertex];
    return pelti_affine_point(&fit->binds[part->skin][influences[influence].joint],
                              pelti_double3_from(position));
}

pelti_double3 pelti_fit_lbs(const pelti_fit* fit, uint32_t point, uint32_t pose)
{
    const pelt_influence* influences;
    uint32_t count = pelti_fit_influences(&influences, fit, point);
    const uint32_t* nodes = fit->scene->skins[fit->parts[fit->points[point].part].skin].joints;
    const pelti_affine* matrices = fit->joint_matrices + (size_t)pose * fit->joint_count;
    pelti_double3 out = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < count; ++i)
    {
        const pelti_affine* matrix = &matrices[fit->node_joints[nodes[influences[i].joint]]];
        pelti_double3 p = pelti_affine_point(matrix, pelti_fit_local(fit, point, i));
        out = pelti_double3_mad(out, (double)influences[i].weight, p);
    }
    return out;
}

pelti_double3 pelti_fit_blended(const pelti_fit* fit, uint32_t point, uint32_t pose)
{
    const pelti_blend* blend = &fit->blends[point];
    if (blend->count == 0)
    {
        return pelti_fit_lbs(fit, point, pose);
    }
    pelti_double3 out = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < blend->count; ++i)
    {
        const pelti_term* term = &blend->terms[i];
        const pelti_affine* matrix =
            term->index < fit->joint_count
                ? &fit->joint_matrices[(size_t)pose * fit->joint_count + term->index]
                : &fit->helpers[term->index - fit->joint_count].matrices[pose];
        pelti_double3 p = pelti_affine_point(matrix, pelti_fit_local(fit, point, term->influence));
        out = pelti_double3_mad(out, term->weight, p);
    }
    return out;
}
