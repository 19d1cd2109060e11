// SPDX-License-Identifier: MIT
// A character to deform.
#include "deform_subject.h"

#include "deform_plan.h"
#include "rigs.h"

#include <stdio.h>
#include <string.h>

enum
{
    CHARACTER_MAX = 25000,
    JOINTS_MAX = 8, // of a vertex, and one more is looked for
};

// ---------------------------------------------------------------------------------------------
// Weights

typedef struct near_joint
{
    float distance;
    uint32_t joint;
} near_joint;

// The nearest joints of a point, nearest first.
static void find_nearest(near_joint* out, uint32_t count, const pelt_vec3* origins,
                         uint32_t joint_count, pelt_vec3 point)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        out[i] = (near_joint){INFINITY, 0};
    }
    for (uint32_t joint = 0; joint < joint_count; ++joint)
    {
        near_joint found = {pelt_vec3_distance(origins[joint], point), joint};
        for (uint32_t i = 0; i < count; ++i)
        {
            if (found.distance < out[i].distance)
            {
                near_joint moved = out[i];
                out[i] = found;
                found = moved;
            }
        }
    }
}

// Give every vertex the same number of joints, the nearest ones. Weights decrease to zero at the
// distance of the next joint, so that they are continuous.
static pelt_result spread_weights(pelt_weights* out, const pelt_mesh* mesh, const pelt_skin* skin,
                                  uint32_t influences, pelt_arena* arena)
{
    size_t count = (size_t)mesh->vertex_count * influences;
    pelt_vec3* origins = pelt_arena_alloc(arena, skin->joint_count, sizeof *origins);
    uint32_t* joints = pelt_arena_alloc(arena, count, sizeof *joints);
    float* weights = pelt_arena_alloc(arena, count, sizeof *weights);
    if (origins == NULL || joints == NULL || weights == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < skin->joint_count; ++i)
    {
        pelt_mat34 bind;
        bool is_regular = pelt_mat34_inverse(&bind, &skin->inverse_binds[i]);
        origins[i] = is_regular ? pelt_vec3_make(bind.m[0][3], bind.m[1][3], bind.m[2][3])
                                : pelt_vec3_make(0.0f, 0.0f, 0.0f);
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        near_joint near[JOINTS_MAX + 1] = {{0}}; // avoids a warning about uninitialized use
        find_nearest(near, influences + 1, origins, skin->joint_count, mesh->positions[v]);
        for (uint32_t i = 0; i < influences; ++i)
        {
            // No weight is 0, because the number of influences is measured.
            float left = 1.0f - near[i].distance / (near[influences].distance + 1e-6f);
            joints[(size_t)v * influences + i] = near[i].joint;
            weights[(size_t)v * influences + i] = left * left + 1e-3f;
        }
    }
    const pelt_weights_source source = {.vertex_count = mesh->vertex_count,
                                        .joint_count = skin->joint_count,
                                        .per_vertex = influences,
                                        .joints_u32 = joints,
                                        .weights = weights};
    return pelt_weights_import(out, NULL, &source, arena);
}

// ---------------------------------------------------------------------------------------------
// Copies

static void* repeat(const void* from, size_t size, uint32_t copies, pelt_arena* arena)
{
    char* out = pelt_arena_alloc(arena, copies, size);
    for (uint32_t i = 0; i < copies && out != NULL; ++i)
    {
        memcpy(out + i * size, from, size);
    }
    return out;
}

static bool repeat_weights(pelt_weights* inout, uint32_t copies, pelt_arena* arena)
{
    uint32_t count = inout->vertex_count * copies;
    uint32_t* first = pelt_arena_alloc(arena, (size_t)count + 1, sizeof *first);
    inout->influences = repeat(inout->influences,
                               inout->influence_count * sizeof *inout->influences, copies, arena);
    for (uint32_t v = 0; v <= count && first != NULL; ++v)
    {
        uint32_t copy = v / inout->vertex_count;
        first[v] = copy * inout->influence_count + inout->first[v - copy * inout->vertex_count];
    }
    inout->first = first;
    inout->vertex_count = count;
    inout->influence_count *= copies;
    return first != NULL && inout->influences != NULL;
}

// Copies are 2 m apart; normal factors would weld copies that coincide.
static bool repeat_mesh(pelt_mesh* inout, uint32_t copies, pelt_arena* arena)
{
    uint32_t vertices = inout->vertex_count, indices = inout->index_count;
    pelt_vec3* positions = repeat(inout->positions, vertices * sizeof *positions, copies, arena);
    uint32_t* triangles = repeat(inout->indices, indices * sizeof *triangles, copies, arena);
    inout->normals = repeat(inout->normals, vertices * sizeof *inout->normals, copies, arena);
    bool is_whole = repeat_weights(&inout->weights, copies, arena);
    if (!is_whole || positions == NULL || triangles == NULL || inout->normals == NULL)
    {
        return false;
    }
    for (size_t v = vertices; v < (size_t)vertices * copies; ++v)
    {
        positions[v].x += 2.0f * (float)(v / vertices);
    }
    for (size_t i = indices; i < (size_t)indices * copies; ++i)
    {
        triangles[i] += vertices * (uint32_t)(i / indices);
    }
    inout->positions = positions;
    inout->indices = triangles;
    inout->vertex_count *= copies;
    inout->index_count *= copies;
    return true;
}

// ---------------------------------------------------------------------------------------------

// Arrays are aligned to a cache line, as vertex buffers are, so that times are reproducible.
static pelt_vec3* take_attribute(deform_subject* out)
{
    const size_t line = 64;
    char* memory =
        pelt_arena_alloc(out->arena, out->mesh.vertex_count * sizeof(pelt_vec3) + line, 1);
    size_t past = (uintptr_t)memory % line;
    return memory != NULL ? (pelt_vec3*)(void*)(memory + (line - past) % line) : NULL;
}

static pelt_result build_mesh(deform_subject* out)
{
    const pelt_mesh* from = &out->scene->meshes[0];
    uint32_t copies = (out->vertices + from->vertex_count / 2) / from->vertex_count;
    // The attributes that deformers and normal factors use.
    out->mesh = (pelt_mesh){.vertex_count = from->vertex_count,
                            .index_count = from->index_count,
                            .positions = from->positions,
                            .normals = from->normals,
                            .indices = from->indices,
                            .weights = from->weights,
                            .material = PELT_NONE};
    if (out->influences != DEFORM_OWN_INFLUENCES)
    {
        PELT_TRY(spread_weights(&out->mesh.weights, from, &out->scene->skins[0], out->influences,
                                out->arena));
    }
    if (copies > 1)
    {
        if (!repeat_mesh(&out->mesh, copies, out->arena))
        {
            return PELT_ERROR_MEMORY;
        }
    }
    out->out.positions = take_attribute(out);
    out->out.normals = take_attribute(out);
    bool has_out = out->out.positions != NULL && out->out.normals != NULL;
    return has_out ? PELT_OK : PELT_ERROR_MEMORY;
}

static void drop_mesh(deform_subject* inout)
{
    pelt_arena_destroy(inout->arena);
    inout->arena = NULL;
    inout->vertices = 0;
    inout->factors = (pelt_normal_factors){0};
}

void deform_subject_destroy(deform_subject* subject)
{
    drop_mesh(subject);
    if (subject->scene != NULL)
    {
        pelt_frame_destroy(&subject->frame);
        pelt_pose_destroy(&subject->pose);
        pelt_scene_destroy(subject->scene);
    }
    *subject = (deform_subject){0};
}

static pelt_result build_character(deform_subject* out, uint32_t vertices, pelt_error* error)
{
    char rig[64];
    snprintf(rig, sizeof rig, "human?vertices=%u", vertices);
    deform_subject_destroy(out);
    PELT_TRY(pelt_rig_build(&out->scene, rig, error));
    out->character_vertices = vertices;
    if (pelt_pose_create(&out->pose, out->scene) != PELT_OK ||
        pelt_frame_create(&out->frame, out->scene) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    const pelt_clip* clip = &out->scene->clips[pelt_scene_default_clip(out->scene)];
    pelt_pose_sample(&out->pose, out->scene, clip, 0.5f * clip->duration, PELT_WRAP_CLAMP);
    pelt_frame_update(&out->frame, out->scene, &out->pose, &(pelt_deform_options){0});
    out->palette = &out->frame.palettes[0];
    return PELT_OK;
}

pelt_result deform_subject_prepare(deform_subject* inout, uint32_t vertices, uint32_t influences,
                                   pelt_error* error)
{
    PELT_ASSERT(influences <= JOINTS_MAX);
    uint32_t character_vertices = vertices < CHARACTER_MAX ? vertices : CHARACTER_MAX;
    if (inout->vertices == vertices && inout->influences == influences)
    {
        return PELT_OK;
    }
    drop_mesh(inout);
    if (inout->character_vertices != character_vertices)
    {
        PELT_TRY(build_character(inout, character_vertices, error));
    }
    inout->vertices = vertices;
    inout->influences = influences;
    inout->arena = pelt_arena_create();
    if (inout->arena == NULL || build_mesh(inout) != PELT_OK)
    {
        drop_mesh(inout);
        return pelt_error_memory(error);
    }
    return PELT_OK;
}

const pelt_normal_factors* deform_subject_factors(deform_subject* subject)
{
    if (subject->factors.vertex_count == 0 &&
        pelt_normal_factors_build(&subject->factors, &subject->mesh, deform_subject_cors(subject),
                                  NULL, subject->arena, NULL) != PELT_OK)
    {
        return NULL;
    }
    return &subject->factors;
}

const pelt_vec3* deform_subject_cors(const deform_subject* subject)
{
    return subject->mesh.positions;
}
