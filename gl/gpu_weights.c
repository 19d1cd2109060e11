// SPDX-License-Identifier: MIT
// Influences as vertex attributes.
#include "pelt/gpu.h"

#include <string.h>

// Weights that division has made equal go by joint again: the first is the pivot of signs.
static void order_ties(pelt_influence* influences, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i)
    {
        pelt_influence moved = influences[i];
        uint32_t at = i;
        while (at > 0 && influences[at - 1].weight == moved.weight &&
               influences[at - 1].joint > moved.joint)
        {
            influences[at] = influences[at - 1];
            --at;
        }
        influences[at] = moved;
    }
}

// The strongest influences of a vertex, scaled to a sum of one when some are cut off.
static uint32_t take_influences(pelt_influence out[PELT_GPU_INFLUENCE_MAX],
                                const pelt_weights* weights, uint32_t v, uint32_t limit)
{
    const pelt_influence* in = weights->influences + weights->first[v];
    uint32_t all = weights->first[v + 1] - weights->first[v];
    uint32_t count = all < limit ? all : limit;
    double sum = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        out[i] = in[i];
        sum += (double)in[i].weight;
    }
    for (uint32_t i = 0; i < count && count < all; ++i)
    {
        out[i].weight = (float)((double)in[i].weight / sum);
    }
    order_ties(out, count);
    return count;
}

uint32_t pelt_gpu_weights_write(const pelt_gpu_weights* out, const pelt_weights* weights,
                                uint32_t vertex_count, uint32_t influence_count)
{
    PELT_ASSERT(influence_count >= 1 && influence_count <= PELT_GPU_INFLUENCE_MAX);
    PELT_ASSERT(out->joints[0] != NULL && out->weights[0] != NULL);
    PELT_ASSERT(influence_count <= 4 || (out->joints[1] != NULL && out->weights[1] != NULL));
    PELT_ASSERT(weights->vertex_count == 0 || weights->vertex_count == vertex_count);
    static const pelt_attribute joints[2] = {PELT_ATTRIBUTE_JOINTS, PELT_ATTRIBUTE_JOINTS_2};
    static const pelt_attribute values[2] = {PELT_ATTRIBUTE_WEIGHTS, PELT_ATTRIBUTE_WEIGHTS_2};
    size_t joint_strides[2], weight_strides[2];
    for (int part = 0; part < 2; ++part)
    {
        joint_strides[part] = out->joint_strides[part] > 0
                                  ? out->joint_strides[part]
                                  : pelt_gpu_attribute_bytes(joints[part], influence_count);
        weight_strides[part] = out->weight_strides[part] > 0
                                   ? out->weight_strides[part]
                                   : pelt_gpu_attribute_bytes(values[part], influence_count);
    }
    // An odd number of joints has one more slot, so that vertices stay aligned to 4 bytes.
    uint32_t slot_count = (influence_count + 1) / 2 * 2, pruned_count = 0;
    for (uint32_t v = 0; v < vertex_count; ++v)
    {
        pelt_influence taken[PELT_GPU_INFLUENCE_MAX] = {{.weight = 1.0f}};
        if (weights->vertex_count > 0)
        {
            memset(taken, 0, sizeof taken);
            uint32_t count = take_influences(taken, weights, v, influence_count);
            pruned_count += weights->first[v + 1] - weights->first[v] > count;
        }
        for (uint32_t i = 0; i < slot_count; ++i)
        {
            char* joint = (char*)out->joints[i / 4] + v * joint_strides[i / 4];
            char* weight = (char*)out->weights[i / 4] + v * weight_strides[i / 4];
            memcpy(joint + i % 4 * sizeof(uint16_t), &taken[i].joint, sizeof taken[i].joint);
            if (i < influence_count)
            {
                memcpy(weight + i % 4 * sizeof(float), &taken[i].weight, sizeof taken[i].weight);
            }
        }
    }
    return pruned_count;
}
