// SPDX-License-Identifier: MIT
#include "center_sum.h"

#include <math.h>
#include <string.h>

static const double sigma = 0.1;

// A piece of surface with one vector of weights, one for each joint.
typedef struct sample
{
    double area, position[3];
    double* weights;
} sample;

typedef struct sample_list
{
    uint32_t joint_count, count;
    sample* samples;
    double *weights, *own; // own: those of one vertex
} sample_list;

static double similarity(const double* p, const double* v, uint32_t joint_count, bool is_gaussian)
{
    double sum = 0.0;
    for (uint32_t j = 0; is_gaussian && j < joint_count; ++j)
    {
        sum += (p[j] - v[j]) * (p[j] - v[j]);
    }
    if (is_gaussian)
    {
        return exp(-sum / (sigma * sigma));
    }
    for (uint32_t j = 0; j < joint_count; ++j)
    {
        for (uint32_t k = 0; p[j] * v[j] > 0.0 && k < joint_count; ++k)
        {
            double distance = p[j] * v[k] - p[k] * v[j];
            sum += j == k ? 0.0
                          : p[j] * p[k] * v[j] * v[k] * exp(-distance * distance / (sigma * sigma));
        }
    }
    return sum;
}

static void add_weights(double* out, const pelt_mesh* mesh, uint32_t vertex, double scale)
{
    for (uint32_t i = mesh->weights.first[vertex]; i < mesh->weights.first[vertex + 1]; ++i)
    {
        const pelt_influence* influence = &mesh->weights.influences[i];
        out[influence->joint] += scale * (double)influence->weight;
    }
}

static void add_position(double out[3], pelt_vec3 p, double scale)
{
    out[0] += scale * (double)p.x;
    out[1] += scale * (double)p.y;
    out[2] += scale * (double)p.z;
}

static double area_of(const pelt_mesh* mesh, const uint32_t* t)
{
    pelt_vec3 a = pelt_vec3_sub(mesh->positions[t[1]], mesh->positions[t[0]]);
    pelt_vec3 b = pelt_vec3_sub(mesh->positions[t[2]], mesh->positions[t[0]]);
    return 0.5 * (double)pelt_vec3_length(pelt_vec3_cross(a, b));
}

// Each corner has a third of the triangle: the barycentric cell, which is near the Voronoi cell and
// never negative.
static void fill(sample_list* inout, const pelt_mesh* mesh, bool is_vertices)
{
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        inout->samples[i].weights = inout->weights + (size_t)i * inout->joint_count;
    }
    for (uint32_t v = 0; is_vertices && v < mesh->vertex_count; ++v)
    {
        add_weights(inout->samples[v].weights, mesh, v, 1.0);
        add_position(inout->samples[v].position, mesh->positions[v], 1.0);
    }
    for (uint32_t i = 0; i < mesh->index_count / 3; ++i)
    {
        const uint32_t* t = mesh->indices + (size_t)3 * i;
        double area = area_of(mesh, t);
        for (int k = 0; k < 3 && is_vertices; ++k)
        {
            inout->samples[t[k]].area += area / 3.0;
        }
        for (int k = 0; k < 3 && !is_vertices; ++k)
        {
            inout->samples[i].area = area;
            add_weights(inout->samples[i].weights, mesh, t[k], 1.0 / 3.0);
            add_position(inout->samples[i].position, mesh->positions[t[k]], 1.0 / 3.0);
        }
    }
}

static center_sum sum_of(sample_list* in, const pelt_mesh* mesh, uint32_t vertex, bool is_gaussian)
{
    center_sum out = {0};
    memset(in->own, 0, in->joint_count * sizeof *in->own);
    add_weights(in->own, mesh, vertex, 1.0);
    for (uint32_t i = 0; i < in->count; ++i)
    {
        const sample* s = &in->samples[i];
        double mass = s->area * similarity(in->own, s->weights, in->joint_count, is_gaussian);
        out.mass += mass;
        for (int k = 0; k < 3; ++k)
        {
            out.position[k] += mass * s->position[k];
        }
    }
    for (int k = 0; k < 3; ++k)
    {
        out.position[k] = out.mass > 0.0 ? out.position[k] / out.mass
                                         : (double)pelt_vec3_component(mesh->positions[vertex], k);
    }
    return out;
}

pelt_result center_sum_solve(center_sum* out, const pelt_mesh* mesh, center_choice choice)
{
    sample_list list = {.joint_count = mesh->weights.joint_count,
                        .count = choice.is_vertices ? mesh->vertex_count : mesh->index_count / 3};
    pelt_arena* arena = pelt_arena_create();
    if (arena != NULL)
    {
        list.samples = pelt_arena_alloc(arena, list.count, sizeof *list.samples);
        list.weights =
            pelt_arena_alloc(arena, (size_t)list.count * list.joint_count, sizeof *list.weights);
        list.own = pelt_arena_alloc(arena, list.joint_count, sizeof *list.own);
    }
    bool is_there = list.samples != NULL && list.weights != NULL && list.own != NULL;
    if (is_there)
    {
        fill(&list, mesh, choice.is_vertices);
    }
    for (uint32_t v = 0; is_there && v < mesh->vertex_count; ++v)
    {
        out[v] = sum_of(&list, mesh, v, choice.is_gaussian);
    }
    pelt_arena_destroy(arena);
    return is_there ? PELT_OK : PELT_ERROR_MEMORY;
}
