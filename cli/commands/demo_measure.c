// SPDX-License-Identifier: MIT
// Measurements of pelt demo: one pose deformed by every method.
#include "demo_measure.h"
#include "pelt/metrics.h"

#include "clock.h"

#include <stdlib.h>
#include <string.h>

static const pelt_mesh* mesh_of(const pelt_scene* scene, uint32_t instance)
{
    return &scene->meshes[scene->instances[instance].mesh];
}

pelt_vec3* demo_positions_copy(const pelt_scene* scene, const pelt_frame* frame)
{
    size_t count = 1;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        count += mesh_of(scene, i)->vertex_count;
    }
    pelt_vec3* copy = malloc(count * sizeof *copy);
    pelt_vec3* next = copy;
    for (uint32_t i = 0; copy != NULL && i < scene->instance_count; ++i)
    {
        uint32_t vertex_count = mesh_of(scene, i)->vertex_count;
        memcpy(next, frame->surfaces[i].positions, vertex_count * sizeof *next);
        next += vertex_count;
    }
    return copy;
}

static void compare(double* mean, double* max, const pelt_scene* scene, const pelt_frame* frame,
                    const pelt_vec3* other)
{
    double sum = 0.0;
    double count = 0.0;
    *max = 0.0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        uint32_t vertex_count = mesh_of(scene, i)->vertex_count;
        pelt_difference difference =
            pelt_positions_compare(frame->surfaces[i].positions, other, vertex_count);
        sum += difference.mean * vertex_count;
        count += vertex_count;
        *max = fmax(*max, difference.max);
        other += vertex_count;
    }
    *mean = count > 0.0 ? sum / count : 0.0;
}

// The area vectors of a closed surface sum to zero, with or without UV seams.
static bool is_closed(const pelt_vec3* positions, const pelt_mesh* mesh)
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3)
    {
        pelt_vec3 a = positions[mesh->indices[i]];
        pelt_vec3 ab = pelt_vec3_sub(positions[mesh->indices[i + 1]], a);
        pelt_vec3 ac = pelt_vec3_sub(positions[mesh->indices[i + 2]], a);
        pelt_vec3 area = pelt_vec3_scale(pelt_vec3_cross(ab, ac), 0.5f);
        sum[0] += (double)area.x;
        sum[1] += (double)area.y;
        sum[2] += (double)area.z;
    }
    double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    return length <= 1e-4 * pelt_mesh_area(positions, mesh->indices, mesh->index_count);
}

static double volume_ratio(const pelt_scene* scene, const pelt_frame* frame, const pelt_vec3* rest)
{
    double now = 0.0;
    double before = 0.0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = mesh_of(scene, i);
        if (!is_closed(rest, mesh))
        {
            return (double)NAN;
        }
        now += pelt_mesh_volume(frame->surfaces[i].positions, mesh->indices, mesh->index_count);
        before += pelt_mesh_volume(rest, mesh->indices, mesh->index_count);
        rest += mesh->vertex_count;
    }
    return before != 0.0 ? now / before : (double)NAN;
}

demo_row demo_measure(pelt_frame* frame, const pelt_scene* scene, const pelt_pose* pose,
                      pelt_method method, const pelt_vec3* rest, const pelt_vec3* lbs)
{
    pelt_deform_options options = {.method = method, .mix = 0.5f};
    demo_row row = {.method = method, .seconds = (double)INFINITY};
    for (int run = 0; run < 5; ++run)
    {
        double start = clock_seconds();
        pelt_frame_update(frame, scene, pose, &options);
        row.seconds = fmin(row.seconds, clock_seconds() - start);
    }
    if (lbs != NULL)
    {
        compare(&row.mean, &row.max, scene, frame, lbs);
    }
    row.volume_ratio = volume_ratio(scene, frame, rest);
    return row;
}

float demo_pick_time(pelt_frame* frame, const pelt_scene* scene, pelt_pose* scratch,
                     const pelt_clip* clip, const pelt_vec3* rest)
{
    enum
    {
        STEP_COUNT = 16,
    };
    float best_time = 0.0f;
    double best = -1.0;
    for (int step = 0; step <= STEP_COUNT; ++step)
    {
        float time = clip->duration * (float)step / (float)STEP_COUNT;
        double mean, max;
        pelt_pose_sample(scratch, scene, clip, time, PELT_WRAP_CLAMP);
        pelt_frame_update(frame, scene, scratch, &(pelt_deform_options){0});
        compare(&mean, &max, scene, frame, rest);
        if (mean > best)
        {
            best = mean;
            best_time = time;
        }
    }
    return best_time;
}
