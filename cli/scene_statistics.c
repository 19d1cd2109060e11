// SPDX-License-Identifier: MIT
// Statistics of a scene.
#include "scene_statistics.h"

#include <stdlib.h>

mesh_totals mesh_totals_of(const pelt_scene* scene, const pelt_frame* frame)
{
    mesh_totals totals = {.bounds = pelt_bounds_empty()};
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        totals.vertex_count += mesh->vertex_count;
        totals.triangle_count += mesh->index_count / 3;
        pelt_bounds_add(&totals.bounds, frame->surfaces[i].positions, mesh->vertex_count);
    }
    return totals;
}

// Some of the instances, in a frame of their own. @param inout  grows by them
static pelt_result measure_part(mesh_totals* inout, const pelt_scene* part, const pelt_pose* pose)
{
    pelt_frame frame;
    PELT_TRY(pelt_frame_create(&frame, part));
    pelt_frame_update(&frame, part, pose, &(pelt_deform_options){0});
    mesh_totals totals = mesh_totals_of(part, &frame);
    inout->vertex_count += totals.vertex_count;
    inout->triangle_count += totals.triangle_count;
    if (totals.vertex_count > 0)
    {
        pelt_bounds_add(&inout->bounds, &totals.bounds.min, 1);
        pelt_bounds_add(&inout->bounds, &totals.bounds.max, 1);
    }
    pelt_frame_destroy(&frame);
    return PELT_OK;
}

// The number of instances at a time is limited by their vertices, because a small file may have any
// number of instances.
static pelt_result measure_stored_pose(mesh_totals* out, const pelt_scene* scene)
{
    enum
    {
        PART_VERTICES = 1 << 22
    };
    pelt_pose pose;
    *out = (mesh_totals){.bounds = pelt_bounds_empty()};
    pelt_result result = pelt_pose_create(&pose, scene);
    for (uint32_t first = 0, next; first < scene->instance_count && result == PELT_OK; first = next)
    {
        uint64_t vertex_count = 0;
        for (next = first; next < scene->instance_count && vertex_count < PART_VERTICES; ++next)
        {
            vertex_count += scene->meshes[scene->instances[next].mesh].vertex_count;
        }
        pelt_scene part = *scene;
        part.instances = scene->instances + first;
        part.instance_count = next - first;
        result = measure_part(out, &part, &pose);
    }
    pelt_pose_destroy(&pose);
    return result;
}

// The nearest joint at or above each node, parents first.
static void find_joints(scene_statistics* out, const pelt_scene* scene, uint32_t* nearest)
{
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        nearest[node] = PELT_NONE;
    }
    for (uint32_t skin = 0; skin < scene->skin_count; ++skin)
    {
        for (uint32_t i = 0; i < scene->skins[skin].joint_count; ++i)
        {
            uint32_t node = scene->skins[skin].joints[i];
            nearest[node] = node;
        }
    }
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        uint32_t parent = scene->nodes[node].parent;
        uint32_t above = parent != PELT_NONE ? nearest[parent] : PELT_NONE;
        if (nearest[node] == node)
        {
            out->joints[out->joint_count] = node;
            out->joint_parents[out->joint_count++] = above;
        }
        else
        {
            nearest[node] = above;
        }
    }
}

pelt_result scene_statistics_create(scene_statistics* out, const pelt_scene* scene)
{
    *out = (scene_statistics){0};
    size_t room = (size_t)scene->node_count + 1;
    uint32_t* nearest = calloc(room, sizeof *nearest);
    out->joints = calloc(room, sizeof *out->joints);
    out->joint_parents = calloc(room, sizeof *out->joint_parents);

    pelt_result result = PELT_ERROR_MEMORY;
    if (nearest != NULL && out->joints != NULL && out->joint_parents != NULL)
    {
        find_joints(out, scene, nearest);
        result = measure_stored_pose(&out->totals, scene);
    }
    free(nearest);
    if (result != PELT_OK)
    {
        scene_statistics_destroy(out);
    }
    return result;
}

void scene_statistics_destroy(scene_statistics* in)
{
    free(in->joints);
    free(in->joint_parents);
    *in = (scene_statistics){0};
}

void scene_statistics_histogram(uint32_t out[STATISTICS_BIN_COUNT], const pelt_mesh* mesh)
{
    for (uint32_t i = 0; i < STATISTICS_BIN_COUNT; ++i)
    {
        out[i] = 0;
    }
    for (uint32_t v = 0; v < mesh->weights.vertex_count; ++v)
    {
        uint32_t count = mesh->weights.first[v + 1] - mesh->weights.first[v];
        ++out[count < STATISTICS_BIN_COUNT ? count : STATISTICS_BIN_COUNT - 1];
    }
}

json_t* scene_statistics_describe(const uint32_t bins[STATISTICS_BIN_COUNT])
{
    static const char* const names[STATISTICS_BIN_COUNT] = {"0", "1", "2", "3", "4", "5+"};
    json_t* histogram = json_object();
    for (uint32_t i = 0; i < STATISTICS_BIN_COUNT; ++i)
    {
        json_object_set_new(histogram, names[i], json_integer(bins[i]));
    }
    return histogram;
}
