// SPDX-License-Identifier: MIT
// Weights of a joint handed on to its twist joints, by hat functions along the bone.
#include "../base/exact.h"

#include "twist.h"

#include <stdlib.h>
#include <string.h>

// Weights as pelt_weights_import() wants them, under construction.
typedef struct raw_weights
{
    uint32_t count;
    uint32_t* first;
    uint32_t* joints;
    float* weights;
    pelt_influence* scratch; // of one vertex
} raw_weights;

// ---------------------------------------------------------------------------------------------
// Hats

// The stations of a bone are evenly spaced: its twist joints and, but for BOTH, the joint itself
// where its own motion is the right one, at the start or at the end.
static uint32_t slot_of_station(const pelti_twist_split* split, uint32_t station)
{
    const pelt_twist_bone* bone = &split->bone->facts;
    bool is_shifted = bone->source == PELT_TWIST_CHILD;
    bool is_joint = is_shifted ? station == 0 : station == bone->count;
    return is_joint ? split->joint : split->first + station - (is_shifted ? 1u : 0u);
}

static float place_of_station(const pelt_twist_bone* bone, uint32_t station)
{
    bool is_shifted = bone->source == PELT_TWIST_CHILD;
    return pelti_twist_place(bone, station + (is_shifted ? 0u : 1u));
}

static void push(raw_weights* out, uint32_t joint, float weight)
{
    out->joints[out->count] = joint;
    out->weights[out->count++] = weight;
}

static void push_split(raw_weights* out, const pelti_twist_split* split, pelt_vec3 position,
                       float weight)
{
    const pelti_twist_bone* bone = split->bone;
    pelt_vec3 p = pelt_mat34_point(&split->joint_from_bind, position);
    float part = pelt_vec3_dot(p, bone->end) / pelt_vec3_dot(bone->end, bone->end);
    uint32_t last = bone->facts.count - (bone->facts.source == PELT_TWIST_BOTH ? 1u : 0u);
    float begin = place_of_station(&bone->facts, 0), end = place_of_station(&bone->facts, last);
    float u = part > begin ? fminf((part - begin) / (end - begin), 1.0f) * (float)last : 0.0f;
    uint32_t station = u < (float)last ? (uint32_t)u : last - 1;
    float second = weight * (u - (float)station);
    push(out, slot_of_station(split, station), weight - second);
    push(out, slot_of_station(split, station + 1), second);
}

// ---------------------------------------------------------------------------------------------
// Meshes

static int compare_joint(const void* key, const void* split)
{
    uint32_t a = *(const uint32_t*)key, b = ((const pelti_twist_split*)split)->joint;
    return (a > b) - (a < b);
}

static int by_slot(const void* a, const void* b)
{
    const pelt_influence *x = a, *y = b;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

// In the order of the source, which the import then keeps as slots.
static bool push_vertex(raw_weights* out, const pelt_mesh* mesh, const pelti_twist_splits* splits,
                        uint32_t v)
{
    const pelt_weights* weights = &mesh->weights;
    uint32_t count = weights->first[v + 1] - weights->first[v];
    bool has_split = false;
    if (count > 0)
    {
        memcpy(out->scratch, weights->influences + weights->first[v], count * sizeof *out->scratch);
        qsort(out->scratch, count, sizeof *out->scratch, by_slot);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        const pelt_influence* influence = &out->scratch[i];
        uint32_t joint = influence->joint;
        const pelti_twist_split* split =
            bsearch(&joint, splits->list, splits->count, sizeof *split, compare_joint);
        if (split == NULL)
        {
            push(out, influence->joint, influence->weight);
            continue;
        }
        push_split(out, split, mesh->positions[v], influence->weight);
        has_split = true;
    }
    return has_split;
}

static pelt_result import(pelt_mesh* mesh, pelt_twist_report* report, raw_weights* raw,
                          const pelti_twist_splits* splits, pelt_arena* arena)
{
    pelt_weights* weights = &mesh->weights;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        raw->first[v] = raw->count;
        report->split_count += push_vertex(raw, mesh, splits, v);
    }
    raw->first[mesh->vertex_count] = raw->count;
    pelt_weights_source source = {.vertex_count = mesh->vertex_count,
                                  .joint_count = splits->joint_count,
                                  .first = raw->first,
                                  .joints_u32 = raw->joints,
                                  .weights = raw->weights,
                                  .max_influences = splits->max_influences};
    pelt_weights_report found = {0};
    pelt_result result = pelt_weights_import(weights, &found, &source, arena);
    if (result != PELT_OK)
    {
        return result;
    }
    report->pruned_count += found.pruned;
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        report->over_four_count += weights->first[v + 1] - weights->first[v] > 4;
    }
    bool is_most = weights->max_influences > report->max_influences;
    report->max_influences = is_most ? weights->max_influences : report->max_influences;
    return PELT_OK;
}

pelt_result pelti_twist_split_weights(pelt_mesh* mesh, pelt_twist_report* report,
                                      const pelti_twist_splits* splits, pelt_arena* arena)
{
    size_t room = 2 * (size_t)mesh->weights.influence_count;
    raw_weights raw = {
        .first = pelt_allocate((size_t)mesh->vertex_count + 1, sizeof *raw.first),
        .joints = pelt_allocate(room, sizeof *raw.joints),
        .weights = pelt_allocate(room, sizeof *raw.weights),
        .scratch = pelt_allocate(mesh->weights.max_influences, sizeof *raw.scratch),
    };
    pelt_result result = raw.first && raw.joints && raw.weights && raw.scratch
                             ? import(mesh, report, &raw, splits, arena)
                             : PELT_ERROR_MEMORY;
    pelt_release(raw.first);
    pelt_release(raw.joints);
    pelt_release(raw.weights);
    pelt_release(raw.scratch);
    return result;
}
