// SPDX-License-Identifier: MIT
// Deformers: preparing morph targets. A block that a target moves has planes of its displacements;
// deformer_morph_kernel.h adds those in use to the block at rest.
#include "../base/exact.h"

#include "deformer.h"

static const pelt_vec3* deltas_of(const pelt_morph* morph, pelti_attribute attribute)
{
    return attribute == PELTI_POSITIONS ? morph->positions
           : attribute == PELTI_NORMALS ? morph->normals
                                        : morph->tangents;
}

// Whether a target displaces an attribute of any vertex of a block.
static bool moves_block(const pelt_deformer* deformer, uint32_t block, const pelt_morph* morph,
                        pelti_attribute attribute)
{
    const pelt_vec3* deltas = deltas_of(morph, attribute);
    bool is_kept = attribute == PELTI_POSITIONS ||
                   (attribute == PELTI_NORMALS ? deformer->normals : deformer->tangents) != NULL;
    for (uint32_t lane = 0; lane < PELTI_BLOCK && deltas != NULL && is_kept; ++lane)
    {
        pelt_vec3 delta = deltas[pelti_vertex_at(deformer, block, lane)];
        if (delta.x != 0.0f || delta.y != 0.0f || delta.z != 0.0f)
        {
            return true;
        }
    }
    return false;
}

static pelt_vec3 direction_at(const pelt_deformer_source* source, pelti_attribute attribute,
                              uint32_t v)
{
    if (attribute == PELTI_NORMALS)
    {
        return *pelt_vec3_at(source->normals, source->normal_stride, v);
    }
    pelt_vec4 t = *pelt_vec4_at(source->tangents, source->tangent_stride, v);
    return pelt_vec3_make(t.x, t.y, t.z);
}

// A morph target for a block, written if there is memory for it: see pelti_block_morph.
static void add_morph(pelt_deformer* inout, size_t index, uint32_t block, uint32_t target,
                      pelti_attribute attribute)
{
    if (inout->block_morphs == NULL)
    {
        return;
    }
    inout->block_morphs[index] = (pelti_block_morph){target, attribute};
    float* planes = inout->morph_planes + index * 3 * PELTI_BLOCK;
    for (uint32_t lane = 0; lane < PELTI_BLOCK; ++lane)
    {
        uint32_t v = pelti_vertex_at(inout, block, lane);
        pelti_put3(planes, lane,
                   target == PELT_NONE ? direction_at(&inout->source, attribute, v)
                                       : deltas_of(&inout->source.morphs[target], attribute)[v]);
    }
}

// All morph targets, in the order of blocks, attributes and targets. Returns their number.
static size_t list_morphs(pelt_deformer* inout)
{
    size_t count = 0;
    for (uint32_t block = 0; block < inout->block_count; ++block)
    {
        inout->first_morphs[block] = count;
        for (uint32_t i = 0; i < PELTI_ATTRIBUTE_COUNT; ++i)
        {
            pelti_attribute attribute = (pelti_attribute)i;
            bool has_rest = attribute == PELTI_POSITIONS;
            for (uint32_t target = 0; target < inout->source.morph_count; ++target)
            {
                bool is_moved = moves_block(inout, block, &inout->source.morphs[target], attribute);
                if (is_moved && !has_rest)
                {
                    add_morph(inout, count++, block, PELT_NONE, attribute);
                    has_rest = true;
                }
                if (is_moved)
                {
                    add_morph(inout, count++, block, target, attribute);
                }
            }
        }
    }
    inout->first_morphs[inout->block_count] = count;
    return count;
}

bool pelti_deformer_add_morphs(pelt_deformer* out)
{
    out->first_morphs =
        pelti_deformer_take(out, (size_t)out->block_count + 1, sizeof *out->first_morphs);
    if (out->first_morphs == NULL)
    {
        return false;
    }
    size_t count = list_morphs(out);
    out->morph_planes = pelti_deformer_take(out, count, 3 * PELTI_BLOCK * sizeof(float));
    out->block_morphs = pelti_deformer_take(out, count, sizeof *out->block_morphs);
    if (out->morph_planes == NULL || out->block_morphs == NULL)
    {
        return false;
    }
    list_morphs(out);
    return true;
}

// ---------------------------------------------------------------------------------------------

bool pelti_block_is_morphed(const pelt_deformer* deformer, const float* morph_weights,
                            uint32_t block)
{
    if (deformer->first_morphs == NULL || morph_weights == NULL)
    {
        return false;
    }
    size_t i = deformer->first_morphs[block], end = deformer->first_morphs[block + 1];
    while (i < end && !pelti_block_morph_is_used(&deformer->block_morphs[i], morph_weights))
    {
        ++i;
    }
    return i < end;
}
