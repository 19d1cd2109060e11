// SPDX-License-Identifier: MIT
// Morph targets: displacements added to the rest surface, before skinning.
#include "../base/exact.h"

#include "deform_vertex.h"

typedef enum attribute
{
    POSITIONS,
    NORMALS,
    TANGENTS,
} attribute;

static void check_range(const pelt_mesh* mesh, pelt_range range)
{
    PELT_ASSERT(range.count <= mesh->vertex_count);
    PELT_ASSERT(range.first <= mesh->vertex_count - range.count);
}

static const pelt_vec3* deltas_of(const pelt_morph* morph, attribute which)
{
    switch (which)
    {
    case POSITIONS:
        return morph->positions;
    case NORMALS:
        return morph->normals;
    case TANGENTS:
        return morph->tangents;
    }
    return NULL;
}

static pelt_vec3 displaced(pelt_vec3 base, const pelt_mesh* mesh, const float* weights,
                           attribute which, uint32_t v)
{
    for (uint32_t i = 0; i < mesh->morph_count; ++i)
    {
        const pelt_vec3* deltas = deltas_of(&mesh->morphs[i], which);
        if (deltas != NULL && weights != NULL && weights[i] != 0.0f)
        {
            base = pelt_vec3_mad(base, weights[i], deltas[v]);
        }
    }
    return base;
}

// A direction that its morph targets cancel out stays as it is at rest.
static pelt_vec3 displaced_direction(pelt_vec3 base, const pelt_mesh* mesh, const float* weights,
                                     attribute which, uint32_t v)
{
    pelt_vec3 moved = pelt_vec3_normalize(displaced(base, mesh, weights, which, v));
    return pelt_vec3_dot(moved, moved) > 0.0f ? moved : base;
}

bool pelt_morph_is_active(const pelt_mesh* mesh, const float* weights)
{
    uint32_t i = 0;
    while (i < mesh->morph_count && weights[i] == 0.0f)
    {
        ++i;
    }
    return i < mesh->morph_count;
}

static bool is_bare(const pelt_morph* morph)
{
    return morph->positions != NULL && morph->normals == NULL;
}

bool pelt_morph_lacks_normals(const pelt_mesh* mesh, const float* weights)
{
    for (uint32_t i = 0; i < mesh->morph_count && mesh->normals != NULL; ++i)
    {
        if (is_bare(&mesh->morphs[i]) && (weights == NULL || weights[i] != 0.0f))
        {
            return true;
        }
    }
    return false;
}

void pelt_morph_displace(pelt_vec3* out, const pelt_mesh* mesh, const float* weights,
                         pelt_range range)
{
    check_range(mesh, range);
    const float* w = weights ? weights : mesh->morph_weights;
    for (uint32_t v = range.first; v < range.first + range.count; ++v)
    {
        out[v] = pelt_vec3_make(0.0f, 0.0f, 0.0f);
        for (uint32_t i = 0; i < mesh->morph_count && w != NULL; ++i)
        {
            if (is_bare(&mesh->morphs[i]) && w[i] != 0.0f)
            {
                out[v] = pelt_vec3_mad(out[v], w[i], mesh->morphs[i].positions[v]);
            }
        }
    }
}

void pelt_morph_apply(const pelt_surface* out, const pelt_mesh* mesh, const float* weights,
                      pelt_range range)
{
    check_range(mesh, range);
    const float* w = weights ? weights : mesh->morph_weights;

    for (uint32_t v = range.first; v < range.first + range.count; ++v)
    {
        if (out->positions)
        {
            pelti_set_position(out, v, displaced(mesh->positions[v], mesh, w, POSITIONS, v));
        }
        if (out->normals && mesh->normals)
        {
            pelti_set_normal(out, v, displaced_direction(mesh->normals[v], mesh, w, NORMALS, v));
        }
        if (out->tangents && mesh->tangents)
        {
            pelt_vec4 t = mesh->tangents[v];
            pelt_vec3 moved =
                displaced_direction(pelt_vec3_make(t.x, t.y, t.z), mesh, w, TANGENTS, v);
            pelti_set_tangent(out, v, (pelt_vec4){moved.x, moved.y, moved.z, t.w});
        }
    }
}
