// SPDX-License-Identifier: MIT
// Factors for normals on a stage: megabytes that rarely change from pose to pose, and are uploaded
// when they do. While the standard rule is used, their texture is kept aside.
#include "pelt/prepare.h"
#include "stage.h"

#include <epoxy/gl.h>

enum
{
    LOOK_COUNT = 64, // vertices that are looked at
};

// FNV-1a: Fowler, Noll and Vo, RFC 9923.
static uint64_t add_bytes(uint64_t hash, const void* bytes, size_t size)
{
    const unsigned char* at = bytes;
    for (size_t i = 0; i < size; ++i)
    {
        hash = (hash ^ at[i]) * 0x100000001B3u;
    }
    return hash;
}

static uint64_t add_vertex(uint64_t hash, const pelt_normal_factors* in, uint32_t vertex)
{
    hash = add_bytes(hash, &in->tangents[vertex], sizeof *in->tangents);
    hash = add_bytes(hash, &in->plane_normals[vertex], sizeof *in->plane_normals);
    if (in->centers != NULL)
    {
        hash = add_bytes(hash, &in->centers[vertex], sizeof *in->centers);
        hash = add_bytes(hash, &in->center_derivatives[2 * (size_t)vertex],
                         2 * sizeof *in->center_derivatives);
    }
    for (uint32_t i = in->first[vertex]; i < in->first[vertex + 1]; ++i)
    {
        // Member by member: there may be padding between them.
        const pelt_normal_factor* factor = &in->factors[i];
        hash = add_bytes(hash, &factor->joint, sizeof factor->joint);
        hash = add_bytes(hash, &factor->alpha, sizeof factor->alpha);
        hash = add_bytes(hash, &factor->beta, sizeof factor->beta);
        hash = add_bytes(hash, factor->moments, sizeof factor->moments);
    }
    return hash;
}

// A hash of the addresses of factors and of some of their values: other factors may be allocated at
// the same address. Never 0.
static uint64_t stamp_of(const pelt_normal_factors* in, pelt_normal_rule rule)
{
    const void* const addresses[] = {in, in->factors, in->tangents, in->centers};
    const uint32_t counts[] = {in->vertex_count, in->factor_count, in->max_factors, (uint32_t)rule};
    uint64_t hash = add_bytes(0xCBF29CE484222325u, addresses, sizeof addresses);
    hash = add_bytes(hash, counts, sizeof counts);
    uint32_t step = in->vertex_count / LOOK_COUNT + 1;
    for (uint32_t v = 0; v < in->vertex_count; v += step)
    {
        hash = add_vertex(hash, in, v);
    }
    return hash != 0 ? hash : 1;
}

static void exchange(pelti_stage_mesh* drawn)
{
    uint32_t texture = drawn->mesh.normal_texture;
    pelt_gpu_normals normals = drawn->mesh.normals;
    drawn->mesh.normal_texture = drawn->spare_texture;
    drawn->mesh.normals = drawn->spare_normals;
    drawn->spare_texture = texture;
    drawn->spare_normals = normals;
}

pelt_result pelti_stage_mesh_set_normals(pelti_stage_mesh* drawn, pelt_gl* gl,
                                         const pelt_normal_factors* factors, pelt_normal_rule rule,
                                         pelt_error* error)
{
    bool has_rule = factors != NULL && rule != PELT_NORMAL_STANDARD &&
                    (drawn->mesh.attributes & 1u << PELT_ATTRIBUTE_NORMAL) != 0;
    bool is_aside = drawn->spare_texture != 0;
    if (drawn->normal_stamp != 0 && has_rule == is_aside)
    {
        exchange(drawn);
    }
    uint64_t stamp = has_rule ? stamp_of(factors, rule) : 0;
    if (!has_rule || stamp == drawn->normal_stamp)
    {
        return PELT_OK;
    }
    pelt_result result = pelt_gl_mesh_set_normals(&drawn->mesh, gl, factors, rule, error);
    drawn->normal_stamp = result == PELT_OK ? stamp : 0;
    return result;
}
