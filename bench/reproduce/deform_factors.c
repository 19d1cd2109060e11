// SPDX-License-Identifier: MIT
#include "deform_factors.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Triangles

typedef struct corner_gradients
{
    pelt_vec3 gradients[3]; // of the function that is 1 at a corner and 0 at the others
    float voronoi[3];       // areas
    float area;
    bool has_area;
} corner_gradients;

// Mixed Voronoi areas: of an obtuse triangle half belongs to the obtuse corner, a quarter to each
// of the others (Meyer et al., "Discrete Differential-Geometry Operators for Triangulated
// 2-Manifolds", 2003).
static corner_gradients gradients_of(const pelt_mesh* mesh, uint32_t triangle)
{
    const uint32_t* t = mesh->indices + (size_t)3 * triangle;
    corner_gradients out = {0};
    pelt_vec3 p[3], e[3];
    for (int k = 0; k < 3; ++k)
    {
        p[k] = mesh->positions[t[k]];
    }
    for (int k = 0; k < 3; ++k)
    {
        e[k] = pelt_vec3_sub(p[(k + 2) % 3], p[(k + 1) % 3]);
    }
    pelt_vec3 cross = pelt_vec3_cross(e[2], pelt_vec3_scale(e[1], -1.0f));
    float twice = pelt_vec3_length(cross);
    out.area = 0.5f * twice;
    out.has_area = twice > 1e-12f;
    if (!out.has_area)
    {
        return out;
    }
    pelt_vec3 n = pelt_vec3_scale(cross, 1.0f / twice);
    float cot[3];
    int obtuse = 3;
    for (int k = 0; k < 3; ++k)
    {
        out.gradients[k] = pelt_vec3_scale(pelt_vec3_cross(n, e[k]), 1.0f / twice);
        cot[k] = -pelt_vec3_dot(e[(k + 1) % 3], e[(k + 2) % 3]) / twice;
        obtuse = cot[k] < 0.0f ? k : obtuse;
    }
    for (int k = 0; k < 3; ++k)
    {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out.voronoi[k] =
            0.125f * (pelt_vec3_dot(e[i], e[i]) * cot[i] + pelt_vec3_dot(e[j], e[j]) * cot[j]);
        out.voronoi[k] = obtuse < 3 ? out.area * (obtuse == k ? 0.5f : 0.25f) : out.voronoi[k];
    }
    return out;
}

// A joint near a vertex, with the gradient of its weight.
typedef struct near_joint
{
    uint32_t joint;
    float weight;
    pelt_vec3 gradient;
} near_joint;

typedef struct near_list
{
    uint32_t count;
    near_joint joints[32];
} near_list;

static void add_gradient(near_list* inout, uint32_t joint, pelt_vec3 gradient)
{
    uint32_t i = 0;
    while (i < inout->count && inout->joints[i].joint != joint)
    {
        ++i;
    }
    if (i == inout->count && i < sizeof inout->joints / sizeof inout->joints[0])
    {
        inout->joints[inout->count++] = (near_joint){.joint = joint};
    }
    if (i < inout->count)
    {
        inout->joints[i].gradient = pelt_vec3_add(inout->joints[i].gradient, gradient);
    }
}

// Adds the gradients of all weights on a triangle, times a scale (Eq. 4 and 5).
static void add_triangle(near_list* inout, const pelt_mesh* mesh, uint32_t triangle,
                         const corner_gradients* own, float scale)
{
    for (int k = 0; k < 3; ++k)
    {
        uint32_t v = mesh->indices[(size_t)3 * triangle + (size_t)k];
        for (uint32_t i = mesh->weights.first[v]; i < mesh->weights.first[v + 1]; ++i)
        {
            const pelt_influence* influence = &mesh->weights.influences[i];
            add_gradient(inout, influence->joint,
                         pelt_vec3_scale(own->gradients[k], scale * influence->weight));
        }
    }
}

static void begin(near_list* out, const pelt_mesh* mesh, uint32_t vertex)
{
    out->count = 0;
    for (uint32_t i = mesh->weights.first[vertex]; i < mesh->weights.first[vertex + 1]; ++i)
    {
        const pelt_influence* influence = &mesh->weights.influences[i];
        out->joints[out->count++] =
            (near_joint){.joint = influence->joint, .weight = influence->weight};
    }
}

// ---------------------------------------------------------------------------------------------
// Vertices

static deform_factor factor_of(near_list* list, pelt_vec3 normal, uint32_t max_joints)
{
    while (list->count > max_joints)
    {
        uint32_t least = list->count - 1;
        for (uint32_t i = 1; i < list->count; ++i)
        {
            bool is_lighter = list->joints[i].weight < list->joints[least].weight ||
                              (list->joints[i].weight == list->joints[least].weight &&
                               pelt_vec3_length(list->joints[i].gradient) <
                                   pelt_vec3_length(list->joints[least].gradient));
            least = is_lighter ? i : least;
        }
        list->joints[least] = list->joints[--list->count];
    }
    // Any direction that is perpendicular to the normal (Eq. 9).
    pelt_vec3 axis = fabsf(normal.x) < 0.6f ? pelt_vec3_make(1.0f, 0.0f, 0.0f)
                                            : pelt_vec3_make(0.0f, 1.0f, 0.0f);
    deform_factor out = {.count = list->count};
    out.tangent = pelt_vec3_normalize(pelt_vec3_cross(normal, axis));
    out.bitangent = pelt_vec3_cross(normal, out.tangent);
    for (uint32_t i = 0; i < list->count; ++i)
    {
        out.joints[i] = list->joints[i].joint;
        out.weights[i] = list->joints[i].weight;
        out.alpha[i] = pelt_vec3_dot(list->joints[i].gradient, out.tangent);
        out.beta[i] = pelt_vec3_dot(list->joints[i].gradient, out.bitangent);
    }
    return out;
}

pelt_result deform_factors_build(deform_factor* out, const pelt_mesh* mesh, uint32_t max_joints,
                                 deform_factor_mean mean)
{
    near_list* lists = pelt_allocate(mesh->vertex_count, sizeof *lists);
    float* sums = pelt_allocate(mesh->vertex_count, sizeof *sums);
    if (lists == NULL || sums == NULL)
    {
        pelt_release(lists);
        pelt_release(sums);
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        begin(&lists[v], mesh, v);
        sums[v] = 0.0f;
    }
    for (uint32_t triangle = 0; triangle < mesh->index_count / 3; ++triangle)
    {
        corner_gradients own = gradients_of(mesh, triangle);
        for (uint32_t k = 0; k < 3 && own.has_area; ++k)
        {
            uint32_t v = mesh->indices[3 * triangle + k];
            float weight = mean == DEFORM_FACTOR_VORONOI ? own.voronoi[k] : own.area;
            add_triangle(&lists[v], mesh, triangle, &own, weight);
            sums[v] += weight;
        }
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        float scale = sums[v] > 0.0f ? 1.0f / sums[v] : 0.0f;
        for (uint32_t i = 0; i < lists[v].count; ++i)
        {
            lists[v].joints[i].gradient = pelt_vec3_scale(lists[v].joints[i].gradient, scale);
        }
        out[v] = factor_of(&lists[v], mesh->normals[v], max_joints);
    }
    pelt_release(lists);
    pelt_release(sums);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Poses

static pelt_vec3 rotate(const pelt_mat34* m, pelt_vec3 v)
{
    pelt_mat3 linear = pelt_mat34_linear(m);
    return pelt_mat3_vector(&linear, v);
}

static pelt_vec3 clamp(pelt_vec3 v)
{
    float length = pelt_vec3_length(v);
    return length > 0.9f ? pelt_vec3_scale(v, 0.9f / length) : v;
}

pelt_vec3 deform_factor_normal(const deform_factor* in, pelt_vec3 position,
                               const pelt_palette* palette, deform_factor_variant variant)
{
    pelt_vec3 t = {0.0f, 0.0f, 0.0f}, b = t, more_t = t, more_b = t, origin = t;
    for (uint32_t i = 0; i < in->count; ++i)
    {
        const pelt_mat34* m = &palette->matrices[in->joints[i]];
        pelt_vec3 q = pelt_mat34_point(m, position);
        origin = i == 0 && variant != DEFORM_FACTOR_NAIVE ? q : origin;
        pelt_vec3 offset = pelt_vec3_sub(q, origin);
        t = pelt_vec3_mad(t, in->weights[i], rotate(m, in->tangent));
        b = pelt_vec3_mad(b, in->weights[i], rotate(m, in->bitangent));
        more_t = pelt_vec3_mad(more_t, in->alpha[i], offset);
        more_b = pelt_vec3_mad(more_b, in->beta[i], offset);
    }
    bool is_clamped = variant == DEFORM_FACTOR_PAPER;
    t = pelt_vec3_add(t, is_clamped ? clamp(more_t) : more_t);
    b = pelt_vec3_add(b, is_clamped ? clamp(more_b) : more_b);
    return pelt_vec3_normalize(pelt_vec3_cross(t, b));
}

pelt_vec3 deform_factor_corner_normal(const pelt_mesh* mesh, uint32_t triangle, uint32_t corner,
                                      const pelt_palette* palette)
{
    uint32_t v = mesh->indices[3 * triangle + corner];
    corner_gradients own = gradients_of(mesh, triangle);
    near_list list;
    begin(&list, mesh, v);
    if (own.has_area)
    {
        add_triangle(&list, mesh, triangle, &own, 1.0f);
    }
    deform_factor factor = factor_of(&list, mesh->normals[v], DEFORM_FACTOR_MAX);
    return deform_factor_normal(&factor, mesh->positions[v], palette, DEFORM_FACTOR_FREE);
}
