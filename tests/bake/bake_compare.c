// SPDX-License-Identifier: MIT
#include "bake_compare.h"

#include <stdlib.h>
#include <string.h>

pelt_baked* bake_valid(const pelt_scene* scene, const pelt_bake_options* options)
{
    pelt_baked* baked = NULL;
    pelt_error error = {""};
    if (pelt_bake(&baked, scene, options, &error) != PELT_OK)
    {
        printf("  not baked: %s\n", error.message);
    }
    else if (pelt_baked_validate(baked, &error) != PELT_OK)
    {
        printf("  not valid: %s\n", error.message);
        pelt_baked_destroy(baked);
        return NULL;
    }
    return baked;
}

bool bake_comparison_create(bake_comparison* out, const pelt_scene* scene, const pelt_baked* baked)
{
    size_t vertex_count = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        vertex_count += scene->meshes[scene->instances[i].mesh].vertex_count;
    }
    *out = (bake_comparison){.scene = scene, .baked = baked};
    out->model_from_node = calloc(scene->node_count, sizeof *out->model_from_node);
    out->motions = calloc(baked->joint_count, sizeof *out->motions);
    out->joint_errors = calloc(baked->joint_count, sizeof *out->joint_errors);
    out->distances = calloc(vertex_count, sizeof *out->distances);
    return out->model_from_node != NULL && out->motions != NULL && out->joint_errors != NULL &&
           out->distances != NULL && pelt_pose_create(&out->pose, scene) == PELT_OK;
}

void bake_comparison_destroy(bake_comparison* c)
{
    free(c->model_from_node);
    free(c->motions);
    free(c->joint_errors);
    free(c->distances);
    pelt_pose_destroy(&c->pose);
}

typedef struct affine
{
    double m[3][4];
} affine;

static void add_matrix(affine* out, double weight, const pelt_mat34* a)
{
    for (int i = 0; i < 12; ++i)
    {
        out->m[i / 4][i % 4] += weight * (double)a->m[i / 4][i % 4];
    }
}

static void add_product(affine* out, double weight, const pelt_mat34* a, const pelt_mat34* b)
{
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 4; ++k)
        {
            double sum = k == 3 ? (double)a->m[i][3] : 0.0;
            for (int j = 0; j < 3; ++j)
            {
                sum += (double)a->m[i][j] * (double)b->m[j][k];
            }
            out->m[i][k] += weight * sum;
        }
    }
}

static void move_point(double out[3], const affine* a, pelt_vec3 p)
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = a->m[i][0] * (double)p.x + a->m[i][1] * (double)p.y + a->m[i][2] * (double)p.z +
                 a->m[i][3];
    }
}

// By the matrix of cofactors.
static void move_normal(double out[3], const affine* a, pelt_vec3 n)
{
    for (int i = 0; i < 3; ++i)
    {
        const double *r = a->m[(i + 1) % 3], *s = a->m[(i + 2) % 3];
        out[i] = (r[1] * s[2] - r[2] * s[1]) * (double)n.x +
                 (r[2] * s[0] - r[0] * s[2]) * (double)n.y +
                 (r[0] * s[1] - r[1] * s[0]) * (double)n.z;
    }
}

static double angle_between(const double a[3], const double b[3])
{
    const double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                             a[0] * b[1] - a[1] * b[0]};
    double sine = sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]);
    return atan2(sine, a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) * 180.0 / 3.14159265358979323846;
}

// Both maps of a vertex, and the joint of the bake that influences it most.
static uint32_t blend(affine* source, affine* decoded, const bake_comparison* c, uint32_t index,
                      uint32_t vertex)
{
    const pelt_instance* instance = &c->scene->instances[index];
    const pelt_weights* weights = &c->scene->meshes[instance->mesh].weights;
    uint32_t first = c->baked->instances[index].first;
    *source = *decoded = (affine){0};
    if (instance->skin == PELT_NONE)
    {
        add_matrix(source, 1.0, &c->model_from_node[instance->node]);
        add_matrix(decoded, 1.0, &c->motions[first]);
        return first;
    }
    const pelt_skin* skin = &c->scene->skins[instance->skin];
    for (uint32_t i = weights->first[vertex]; i < weights->first[vertex + 1]; ++i)
    {
        pelt_influence own = weights->influences[i];
        add_product(source, (double)own.weight, &c->model_from_node[skin->joints[own.joint]],
                    &skin->inverse_binds[own.joint]);
        add_matrix(decoded, (double)own.weight, &c->motions[first + own.joint]);
    }
    if (weights->first[vertex] == weights->first[vertex + 1])
    {
        pelt_mat34 none = pelt_mat34_identity();
        add_matrix(source, 1.0, &none);
        add_matrix(decoded, 1.0, &none);
        return PELT_NONE;
    }
    return first + weights->influences[weights->first[vertex]].joint;
}

void bake_compare_at(bake_difference* inout, bake_comparison* c, uint32_t scene_clip, uint32_t clip,
                     float time)
{
    const pelt_scene* scene = c->scene;
    pelt_playback play = {.base = {clip, time, PELT_WRAP_CLAMP}};
    pelt_pose_sample(&c->pose, scene, &scene->clips[scene_clip], time, PELT_WRAP_CLAMP);
    pelt_pose_to_model(c->model_from_node, scene, &c->pose);
    pelt_unbake(c->motions, c->baked, &play);
    double* distance = c->distances;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        for (uint32_t v = 0; v < mesh->vertex_count; ++v, ++distance)
        {
            affine source, decoded;
            double a[3], b[3];
            uint32_t joint = blend(&source, &decoded, c, i, v);
            move_point(a, &source, mesh->positions[v]);
            move_point(b, &decoded, mesh->positions[v]);
            double square = (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                            (a[2] - b[2]) * (a[2] - b[2]);
            *distance = sqrt(square);
            inout->squares += square;
            inout->count++;
            if (*distance > inout->max)
            {
                inout->max = *distance;
                inout->instance = i;
                inout->vertex = v;
            }
            if (joint != PELT_NONE)
            {
                c->joint_errors[joint] = fmax(c->joint_errors[joint], *distance);
            }
            if (mesh->normals != NULL)
            {
                move_normal(a, &source, mesh->normals[v]);
                move_normal(b, &decoded, mesh->normals[v]);
                double degrees = angle_between(a, b);
                inout->normal_max = fmax(inout->normal_max, degrees);
                inout->normal_sum += degrees;
                inout->normal_count++;
            }
        }
    }
}

double bake_compare_random(bake_comparison* c, uint32_t scene_clip, uint32_t clip, uint32_t count,
                           test_random* random)
{
    bake_difference found = {0};
    for (uint32_t i = 0; i < count; ++i)
    {
        float time = test_uniform(random, 0.0f, c->scene->clips[scene_clip].duration);
        bake_compare_at(&found, c, scene_clip, clip, time);
    }
    return found.max;
}

double bake_compare_keys(bake_comparison* c, uint32_t scene_clip, uint32_t clip)
{
    const pelt_baked_clip* own = &c->baked->clips[clip];
    bake_difference found = {0};
    for (uint32_t r = 0; r < own->run_count; ++r)
    {
        const pelt_baked_run* run = &own->runs[r];
        for (uint32_t key = 0; key < run->key_count; ++key)
        {
            double rate = (double)run->rate;
            double time = (double)run->start + (rate > 0.0 ? key / rate : 0.0);
            bake_compare_at(&found, c, scene_clip, clip, (float)time);
        }
    }
    return found.max;
}
