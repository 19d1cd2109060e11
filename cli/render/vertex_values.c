// SPDX-License-Identifier: MIT
// Numbers of vertices that a picture shows as colors.
#include "vertex_values.h"

#include "normal_error.h"
#include "pelt/metrics.h"

#include <stdlib.h>

static const pelt_mesh* mesh_of(const pelt_scene* scene, uint32_t instance)
{
    return &scene->meshes[scene->instances[instance].mesh];
}

bool vertex_values_create(vertex_values* out, const pelt_scene* scene)
{
    *out = (vertex_values){.instance_count = scene->instance_count};
    out->arrays = calloc((size_t)scene->instance_count + 1, sizeof *out->arrays);
    bool is_whole = out->arrays != NULL;
    for (uint32_t i = 0; is_whole && i < scene->instance_count; ++i)
    {
        out->arrays[i] = calloc((size_t)mesh_of(scene, i)->vertex_count + 1, sizeof(float));
        is_whole = out->arrays[i] != NULL;
    }
    if (!is_whole)
    {
        vertex_values_destroy(out);
    }
    return is_whole;
}

void vertex_values_destroy(vertex_values* in)
{
    for (uint32_t i = 0; in->arrays != NULL && i < in->instance_count; ++i)
    {
        free(in->arrays[i]);
    }
    free(in->arrays);
    *in = (vertex_values){0};
}

static void fill_weights(float* out, const pelt_weights* weights, uint32_t joint)
{
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        out[v] = 0.0f;
        for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
        {
            const pelt_influence* influence = &weights->influences[i];
            out[v] = influence->joint == joint ? influence->weight : out[v];
        }
    }
}

void vertex_values_weights(vertex_values* inout, const pelt_scene* scene, uint32_t node)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        uint32_t skin = scene->instances[i].skin;
        if (skin != PELT_NONE)
        {
            fill_weights(inout->arrays[i], &mesh_of(scene, i)->weights,
                         pelt_skin_find_joint(&scene->skins[skin], node));
        }
    }
}

void vertex_values_distances(vertex_values* inout, const pelt_scene* scene, const pelt_frame* frame,
                             const pelt_frame* other, float scale)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_vec3* a = frame->surfaces[i].positions;
        const pelt_vec3* b = other->surfaces[i].positions;
        for (uint32_t v = 0; v < mesh_of(scene, i)->vertex_count; ++v)
        {
            inout->arrays[i][v] = pelt_vec3_distance(a[v], b[v]) / scale;
        }
    }
}

void vertex_values_angles(vertex_values* inout, const pelt_scene* scene, const pelt_frame* frame,
                          const pelt_frame* truth, float scale)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_vec3* a = frame->surfaces[i].normals;
        const pelt_vec3* b = truth->surfaces[i].normals;
        for (uint32_t v = 0; v < mesh_of(scene, i)->vertex_count; ++v)
        {
            inout->arrays[i][v] = a != NULL ? (float)normal_angle(a[v], b[v]) / scale : NAN;
        }
    }
}

// ---------------------------------------------------------------------------------------------

static bool is_below(const pelt_scene* scene, uint32_t node, uint32_t top)
{
    while (node != PELT_NONE && node != top)
    {
        node = scene->nodes[node].parent;
    }
    return node == top;
}

void vertex_values_shares(vertex_values* inout, const pelt_scene* scene, uint32_t node)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        uint32_t skin = scene->instances[i].skin;
        const pelt_weights* weights = &mesh_of(scene, i)->weights;
        for (uint32_t v = 0; skin != PELT_NONE && v < weights->vertex_count; ++v)
        {
            inout->arrays[i][v] = 0.0f;
            for (uint32_t k = weights->first[v]; k < weights->first[v + 1]; ++k)
            {
                const pelt_influence* influence = &weights->influences[k];
                uint32_t joint = scene->skins[skin].joints[influence->joint];
                inout->arrays[i][v] += is_below(scene, joint, node) ? influence->weight : 0.0f;
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------

float vertex_values_farthest(const pelt_scene* scene, const pelt_frame* frame,
                             const pelt_frame* other)
{
    double farthest = 0.0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        pelt_difference difference =
            pelt_positions_compare(frame->surfaces[i].positions, other->surfaces[i].positions,
                                   mesh_of(scene, i)->vertex_count);
        farthest = fmax(farthest, difference.max);
    }
    return (float)farthest;
}
