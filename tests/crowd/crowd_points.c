// SPDX-License-Identifier: MIT
#include "crowd_points.h"

#include <stdlib.h>

bool crowd_points_create(crowd_points* out, const pelt_scene* scene, pelt_encoding encoding)
{
    *out = (crowd_points){.scene = scene};
    pelt_bake_options options = {.encoding = encoding};
    if (pelt_bake(&out->baked, scene, &options, NULL) != PELT_OK ||
        pelt_crowd_bounds_create(&out->bounds, out->baked, scene, NULL) != PELT_OK)
    {
        return false;
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        out->count += scene->meshes[scene->instances[i].mesh].vertex_count;
    }
    out->motions = calloc(out->baked->joint_count, sizeof *out->motions);
    out->points = calloc(out->count, sizeof *out->points);
    return out->motions != NULL && out->points != NULL;
}

void crowd_points_destroy(crowd_points* in)
{
    pelt_baked_destroy(in->baked);
    free(in->motions);
    free(in->points);
}

static pelt_vec3 blend(const crowd_points* in, const pelt_mesh* mesh, uint32_t first, uint32_t v)
{
    pelt_vec3 rest = mesh->positions[v], sum = {0};
    const pelt_weights* weights = &mesh->weights;
    if (weights->vertex_count == 0)
    {
        return pelt_mat34_point(&in->motions[first], rest);
    }
    for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
    {
        const pelt_influence* influence = &weights->influences[i];
        pelt_vec3 moved = pelt_mat34_point(&in->motions[first + influence->joint], rest);
        sum = pelt_vec3_mad(sum, influence->weight, moved);
    }
    return sum;
}

void crowd_points_play(crowd_points* inout, const pelt_playback* playback)
{
    const pelt_scene* scene = inout->scene;
    const pelt_baked* baked = inout->baked;
    bool has_vertices = baked->encoding == PELT_ENCODING_VERTEX;
    pelt_vec3* next = inout->points;
    if (!has_vertices)
    {
        pelt_unbake(inout->motions, baked, playback);
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        if (has_vertices)
        {
            pelt_surface surface = {.positions = next};
            pelt_unbake_vertices(&surface, baked, i, mesh, playback);
        }
        for (uint32_t v = 0; v < mesh->vertex_count && !has_vertices; ++v)
        {
            next[v] = blend(inout, mesh, baked->instances[i].first, v);
        }
        next += mesh->vertex_count;
    }
}

static pelt_moment random_moment(const pelt_baked* baked, test_random* random)
{
    uint32_t clip = (uint32_t)test_uniform(random, 0.0f, (float)baked->clip_count - 1e-3f);
    return (pelt_moment){.clip = clip,
                         .time = test_uniform(random, -1.0f, 2.0f) * baked->clips[clip].duration,
                         .wrap = test_uniform(random, 0.0f, 1.0f) < 0.5f ? PELT_WRAP_LOOP
                                                                         : PELT_WRAP_CLAMP};
}

pelt_playback crowd_points_random(const crowd_points* in, test_random* random)
{
    pelt_playback playback = {.base = random_moment(in->baked, random),
                              .next = random_moment(in->baked, random)};
    playback.fade = fmaxf(0.0f, test_uniform(random, -1.0f, 1.0f));
    return playback;
}

void crowd_points_camera(double out[16], pelt_vec3 eye, pelt_vec3 target, double field_of_view,
                         double aspect)
{
    const double near_plane = 0.1, far_plane = 60.0;
    pelt_vec3 back = pelt_vec3_normalize(pelt_vec3_sub(eye, target));
    pelt_vec3 right = pelt_vec3_normalize(pelt_vec3_make(back.z, 0.0f, -back.x));
    pelt_vec3 up = pelt_vec3_cross(back, right);
    const pelt_vec3 axes[3] = {right, up, back};
    double tall = 1.0 / tan(0.5 * field_of_view), depth = near_plane - far_plane;
    const double scale[3] = {tall / aspect, tall, (near_plane + far_plane) / depth};
    for (int row = 0; row < 3; ++row)
    {
        double shift = 0.0;
        for (int column = 0; column < 3; ++column)
        {
            double value = (double)(&axes[row].x)[column];
            out[4 * column + row] = scale[row] * value;
            shift -= value * (double)(&eye.x)[column];
        }
        out[12 + row] =
            scale[row] * shift + (row == 2 ? 2.0 * near_plane * far_plane / depth : 0.0);
        out[4 * row + 3] = -(double)(&back.x)[row];
    }
    out[15] = (double)pelt_vec3_dot(back, eye);
}

double crowd_points_depth(const double camera[16], pelt_vec3 point)
{
    double clip[4];
    for (int row = 0; row < 4; ++row)
    {
        clip[row] = camera[row] * (double)point.x + camera[4 + row] * (double)point.y +
                    camera[8 + row] * (double)point.z + camera[12 + row];
    }
    double least = INFINITY;
    for (int axis = 0; axis < 3; ++axis)
    {
        least = fmin(least, fmin(clip[3] - clip[axis], clip[3] + clip[axis]));
    }
    return least;
}
