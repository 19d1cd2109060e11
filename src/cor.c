// SPDX-License-Identifier: MIT
// Centres of rotation by the definition (Le and Hodgins 2016, Eq. 1 and 4): the plain sum over all
// triangles, in double precision. The oracle of faster solvers.
#include "../include/pelt/pelt.h"

#include <float.h>

typedef struct entry
{
    uint32_t joint;
    double weight;
} entry;

// Weights with ascending joints, so that two lists are compared by walking along both, and a
// sum over pairs of joints has one order.
typedef struct joint_list
{
    const entry* entries;
    uint32_t count;
    uint64_t joints; // bit (joint % 64) set for each: no common bit means no common joint
} joint_list;

// The mean of a triangle: all that Eq. 4 takes from it.
typedef struct sample
{
    joint_list list;
    double area;
    double center[3];
} sample;

typedef struct cor_problem
{
    const pelt_mesh* mesh;
    pelt_vec3* out;
    double inverse_sigma2;
    joint_list* vertices;
    sample* samples; // triangles that have an area and at least two joints
    uint32_t sample_count;
} cor_problem;

// Add a weight to a list that is kept in order. Returns its new length.
static uint32_t insert(entry* list, uint32_t count, uint32_t joint, double weight)
{
    uint32_t at = count;
    while (at > 0 && list[at - 1].joint > joint)
    {
        --at;
    }
    if (at > 0 && list[at - 1].joint == joint)
    {
        list[at - 1].weight += weight;
        return count;
    }
    for (uint32_t i = count; i > at; --i)
    {
        list[i] = list[i - 1];
    }
    list[at] = (entry){joint, weight};
    return count + 1;
}

static joint_list make_list(const entry* entries, uint32_t count)
{
    joint_list list = {entries, count, 0};
    for (uint32_t i = 0; i < count; ++i)
    {
        list.joints |= (uint64_t)1 << (entries[i].joint % 64);
    }
    return list;
}

// Add a third of the weights of a corner. Returns the new length of the list.
static uint32_t add_corner(entry* list, uint32_t count, const joint_list* corner)
{
    for (uint32_t i = 0; i < corner->count; ++i)
    {
        count = insert(list, count, corner->entries[i].joint, corner->entries[i].weight / 3.0);
    }
    return count;
}

static double triangle_area(double p[3][3])
{
    double u[3], v[3];
    for (int k = 0; k < 3; ++k)
    {
        u[k] = p[1][k] - p[0][k];
        v[k] = p[2][k] - p[0][k];
    }
    double x = u[1] * v[2] - u[2] * v[1];
    double y = u[2] * v[0] - u[0] * v[2];
    double z = u[0] * v[1] - u[1] * v[0];
    return 0.5 * sqrt(x * x + y * y + z * z);
}

static void measure_triangle(sample* out, const pelt_mesh* mesh, const uint32_t* corners)
{
    double p[3][3];
    for (int k = 0; k < 3; ++k)
    {
        pelt_vec3 v = mesh->positions[corners[k]];
        p[k][0] = v.x;
        p[k][1] = v.y;
        p[k][2] = v.z;
    }
    out->area = triangle_area(p);
    for (int k = 0; k < 3; ++k)
    {
        out->center[k] = (p[0][k] + p[1][k] + p[2][k]) / 3.0;
    }
}

static void build_vertices(cor_problem* problem, entry* entries)
{
    const pelt_weights* weights = &problem->mesh->weights;
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        entry* list = entries + weights->first[v];
        uint32_t count = 0;
        for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
        {
            const pelt_influence* inf = &weights->influences[i];
            count = insert(list, count, inf->joint, (double)inf->weight);
        }
        problem->vertices[v] = make_list(list, count);
    }
}

static void build_samples(cor_problem* problem, entry* entries)
{
    const pelt_mesh* mesh = problem->mesh;
    for (uint32_t i = 0; i < mesh->index_count; i += 3)
    {
        sample* s = &problem->samples[problem->sample_count];
        uint32_t count = 0;
        measure_triangle(s, mesh, mesh->indices + i);
        for (uint32_t k = 0; k < 3; ++k)
        {
            count = add_corner(entries, count, &problem->vertices[mesh->indices[i + k]]);
        }
        if (count < 2 || !(s->area > 0.0))
        {
            continue;
        }
        s->list = make_list(entries, count);
        entries += count;
        problem->sample_count++;
    }
}

// Eq. 1. The sum goes over ordered pairs; here each pair counts once, and the factor 2 is the same
// above and below the line of Eq. 4.
static double similarity(const joint_list* p, const joint_list* v, double inverse_sigma2)
{
    double sum = 0.0;
    for (uint32_t i = 0, k = 0; i < p->count && k < v->count;)
    {
        if (p->entries[i].joint != v->entries[k].joint)
        {
            bool is_p_behind = p->entries[i].joint < v->entries[k].joint;
            i += is_p_behind;
            k += !is_p_behind;
            continue;
        }
        double pj = p->entries[i].weight, vj = v->entries[k].weight;
        for (uint32_t a = ++i, b = ++k; a < p->count && b < v->count;)
        {
            if (p->entries[a].joint != v->entries[b].joint)
            {
                bool is_p_behind = p->entries[a].joint < v->entries[b].joint;
                a += is_p_behind;
                b += !is_p_behind;
                continue;
            }
            double pk = p->entries[a++].weight, vk = v->entries[b++].weight;
            double distance = pj * vk - pk * vj;
            sum += pj * pk * vj * vk * exp(-distance * distance * inverse_sigma2);
        }
    }
    return sum;
}

enum
{
    CHUNK = 64
};

static pelt_vec3 find_center(const cor_problem* problem, uint32_t v)
{
    const joint_list* list = &problem->vertices[v];
    double top[3] = {0}, bottom = 0.0;
    for (uint32_t i = 0; i < problem->sample_count && list->count > 1; ++i)
    {
        const sample* s = &problem->samples[i];
        if ((list->joints & s->list.joints) == 0)
        {
            continue;
        }
        double w = s->area * similarity(list, &s->list, problem->inverse_sigma2);
        bottom += w;
        for (int k = 0; k < 3; ++k)
        {
            top[k] += w * s->center[k];
        }
    }
    if (!(bottom > DBL_MIN))
    {
        return problem->mesh->positions[v];
    }
    return pelt_vec3_make((float)(top[0] / bottom), (float)(top[1] / bottom),
                          (float)(top[2] / bottom));
}

static void find_centers(void* context, uint32_t index)
{
    const cor_problem* problem = context;
    uint32_t end = problem->mesh->vertex_count;
    uint32_t first = index * CHUNK;
    end = end - first < CHUNK ? end : first + CHUNK;
    for (uint32_t v = first; v < end; ++v)
    {
        problem->out[v] = find_center(problem, v);
    }
}

// Upper bound of the entries of all triangles: each corner brings its own joints.
static size_t corner_entry_count(const pelt_mesh* mesh)
{
    size_t count = 0;
    for (uint32_t i = 0; i < mesh->index_count; ++i)
    {
        uint32_t v = mesh->indices[i];
        count += mesh->weights.first[v + 1] - mesh->weights.first[v];
    }
    return count;
}

pelt_result pelt_cor_full(pelt_vec3* out, const pelt_mesh* mesh, const pelt_cor_options* options)
{
    PELT_ASSERT(mesh->weights.first != NULL);
    double sigma = options && options->sigma > 0.0f ? (double)options->sigma : 0.1;
    cor_problem problem = {.mesh = mesh, .out = out, .inverse_sigma2 = 1.0 / (sigma * sigma)};

    entry* vertex_entries = pelt_allocate(mesh->weights.influence_count, sizeof(entry));
    entry* sample_entries = pelt_allocate(corner_entry_count(mesh), sizeof(entry));
    problem.vertices = pelt_allocate(mesh->vertex_count, sizeof *problem.vertices);
    problem.samples = pelt_allocate(mesh->index_count / 3 + 1, sizeof *problem.samples);

    bool is_ok = vertex_entries && sample_entries && problem.vertices && problem.samples;
    if (is_ok)
    {
        build_vertices(&problem, vertex_entries);
        build_samples(&problem, sample_entries);
        pelt_run((mesh->vertex_count + CHUNK - 1) / CHUNK, find_centers, &problem);
    }
    pelt_release(problem.samples);
    pelt_release(problem.vertices);
    pelt_release(sample_entries);
    pelt_release(vertex_entries);
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}
