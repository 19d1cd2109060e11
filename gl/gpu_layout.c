// SPDX-License-Identifier: MIT
// The layout of vertices and joints on the GPU, and its size. Needs no OpenGL.
#include "pelt/gpu.h"

#include <string.h>

enum
{
    ROW_FLOATS = 12, // three rows of a matrix
    QUAT_FLOATS = 4,
};

bool pelt_gpu_has_method(pelt_method method)
{
    return method < PELT_METHOD_COUNT && pelt_method_info(method)->gpu_joint_floats > 0;
}

bool pelt_gpu_has_signs(pelt_sign_rule rule)
{
    return rule == PELT_SIGN_HEAVIEST || rule == PELT_SIGN_HIERARCHY;
}

const char* pelt_gpu_scale_name(pelt_gpu_scale scale)
{
    static const char* const names[] = {"none", "local", "origin"};
    PELT_ASSERT((uint32_t)scale < PELT_GPU_SCALE_COUNT);
    return names[scale];
}

const char* pelt_gpu_layout_name(pelt_gpu_layout layout)
{
    static const char* const names[] = {"compact", "shared"};
    PELT_ASSERT((uint32_t)layout < PELT_GPU_LAYOUT_COUNT);
    return names[layout];
}

const char* pelt_palette_kind_name(pelt_palette_kind kind)
{
    static const char* const names[] = {"auto", "block", "texture", "posed", "baked"};
    PELT_ASSERT((uint32_t)kind < PELT_PALETTE_KIND_COUNT);
    return names[kind];
}

pelt_gpu_scale pelt_gpu_scale_of(const pelt_palette* palette, pelt_scale_pivot pivot)
{
    if (palette->is_rigid)
    {
        return PELT_GPU_SCALE_NONE;
    }
    return pivot == PELT_SCALE_ORIGIN ? PELT_GPU_SCALE_ORIGIN : PELT_GPU_SCALE_LOCAL;
}

uint32_t pelt_gpu_joint_floats(pelt_method method, pelt_gpu_scale scale, pelt_gpu_layout layout)
{
    if (!pelt_gpu_has_method(method))
    {
        return 0;
    }
    // A joint that scales is its matrix and the rotation in it.
    const pelt_method_traits* traits = pelt_method_info(method);
    bool has_scale = scale != PELT_GPU_SCALE_NONE && traits->needs_motions;
    return layout == PELT_GPU_LAYOUT_SHARED || has_scale ? ROW_FLOATS + QUAT_FLOATS
                                                         : traits->gpu_joint_floats;
}

void pelt_gpu_palette_write(float* out, const pelt_palette* palette, pelt_method method,
                            pelt_gpu_scale scale, pelt_gpu_layout layout)
{
    PELT_ASSERT(pelt_gpu_has_method(method));
    uint32_t joint_floats = pelt_gpu_joint_floats(method, scale, layout);
    // A joint with fewer floats than a matrix is a dual quaternion alone.
    uint32_t matrix_floats = joint_floats < ROW_FLOATS ? 0 : ROW_FLOATS;
    uint32_t motion_floats = joint_floats - matrix_floats;

    for (uint32_t joint = 0; joint < palette->joint_count; ++joint)
    {
        memcpy(out, &palette->matrices[joint], matrix_floats * sizeof *out);
        out += matrix_floats;
        memcpy(out, &palette->motions[joint], motion_floats * sizeof *out);
        out += motion_floats;
    }
}

uint32_t pelt_gpu_influence_count(const pelt_mesh* mesh, uint32_t limit)
{
    PELT_ASSERT(limit <= PELT_GPU_INFLUENCE_MAX);
    uint32_t most = limit > 0 ? limit : PELT_GPU_INFLUENCE_MAX;
    uint32_t count = mesh->weights.max_influences > 0 ? mesh->weights.max_influences : 1;
    return count < most ? count : most;
}

static pelt_attribute_set bit_if(bool is_there, pelt_attribute attribute)
{
    return is_there ? 1u << attribute : 0;
}

pelt_attribute_set pelt_gpu_attributes(const pelt_mesh* mesh, pelt_method method,
                                       uint32_t influence_count)
{
    bool has_second = influence_count > 4;
    return bit_if(true, PELT_ATTRIBUTE_POSITION) |
           bit_if(mesh->normals != NULL, PELT_ATTRIBUTE_NORMAL) |
           bit_if(mesh->tangents != NULL, PELT_ATTRIBUTE_TANGENT) |
           bit_if(mesh->uvs != NULL, PELT_ATTRIBUTE_UV) |
           bit_if(mesh->colors != NULL, PELT_ATTRIBUTE_COLOR) |
           bit_if(true, PELT_ATTRIBUTE_JOINTS) | bit_if(true, PELT_ATTRIBUTE_WEIGHTS) |
           bit_if(has_second, PELT_ATTRIBUTE_JOINTS_2) |
           bit_if(has_second, PELT_ATTRIBUTE_WEIGHTS_2) |
           bit_if(pelt_method_info(method)->needs_centers, PELT_ATTRIBUTE_COR);
}

// Influences that the first or the second pair of attributes holds.
static uint32_t influences_in(pelt_attribute attribute, uint32_t influence_count)
{
    bool is_second = attribute == PELT_ATTRIBUTE_JOINTS_2 || attribute == PELT_ATTRIBUTE_WEIGHTS_2;
    if (is_second)
    {
        return influence_count > 4 ? influence_count - 4 : 0;
    }
    return influence_count < 4 ? influence_count : 4;
}

uint32_t pelt_gpu_attribute_bytes(pelt_attribute attribute, uint32_t influence_count)
{
    switch (attribute)
    {
    case PELT_ATTRIBUTE_POSITION:
    case PELT_ATTRIBUTE_NORMAL:
    case PELT_ATTRIBUTE_COR:
        return sizeof(pelt_vec3);
    case PELT_ATTRIBUTE_TANGENT:
    case PELT_ATTRIBUTE_COLOR:
        return sizeof(pelt_vec4);
    case PELT_ATTRIBUTE_UV:
        return sizeof(pelt_vec2);
    case PELT_ATTRIBUTE_JOINTS:
    case PELT_ATTRIBUTE_JOINTS_2:
        return (influences_in(attribute, influence_count) + 1) / 2 * 2 * (uint32_t)sizeof(uint16_t);
    case PELT_ATTRIBUTE_WEIGHTS:
    case PELT_ATTRIBUTE_WEIGHTS_2:
        return influences_in(attribute, influence_count) * (uint32_t)sizeof(float);
    case PELT_ATTRIBUTE_MIX:
        return sizeof(float);
    case PELT_ATTRIBUTE_VERTEX:
        return sizeof(uint32_t);
    default:
        return 0;
    }
}

uint32_t pelt_gpu_vertex_bytes(pelt_attribute_set attributes, uint32_t influence_count)
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < PELT_ATTRIBUTE_COUNT; ++i)
    {
        if (attributes & 1u << i)
        {
            bytes += pelt_gpu_attribute_bytes((pelt_attribute)i, influence_count);
        }
    }
    return bytes;
}

// ---------------------------------------------------------------------------------------------
// Animation textures

_Static_assert(sizeof(pelt_gpu_playback) == 32, "two texels of four words");

static uint16_t pack_clip(const pelt_moment* moment)
{
    PELT_ASSERT(moment->clip < 0x8000);
    return (uint16_t)(moment->clip | (moment->wrap == PELT_WRAP_LOOP ? 0x8000u : 0u));
}

pelt_gpu_playback pelt_gpu_playback_of(const pelt_playback* playback)
{
    return (pelt_gpu_playback){.base_clip = pack_clip(&playback->base),
                               .next_clip = pack_clip(&playback->next),
                               .additive_clip = pack_clip(&playback->additive),
                               .flags = playback->is_spherical ? 1 : 0,
                               .fade = playback->fade,
                               .additive_weight = playback->additive_weight,
                               .base_time = playback->base.time,
                               .next_time = playback->next.time,
                               .additive_time = playback->additive.time};
}

pelt_gpu_baked pelt_gpu_baked_of(const pelt_baked* baked)
{
    return (pelt_gpu_baked){baked->encoding, baked->texel, baked->width, baked->layout};
}
