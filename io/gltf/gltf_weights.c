// SPDX-License-Identifier: MIT
// Who pulls on a vertex: JOINTS_n and WEIGHTS_n of all n, and what had to be fixed on load in them.
#include "gltf_read.h"

#include <stdio.h>

enum
{
    SET_WIDTH = 4,
    MAX_SETS = 256, // no file comes near; more names would take long to look up
};

typedef struct weight_sets
{
    uint32_t count;  // sets
    uint32_t stride; // influences per vertex
    uint32_t* joints;
    float* weights;
} weight_sets;

// @param has_half  the set after the last has joints or weights, but not both
static uint32_t count_sets(bool* has_half, const pelti_json* attributes)
{
    for (uint32_t n = 0; n < MAX_SETS; ++n)
    {
        char joints[32], weights[32];
        snprintf(joints, sizeof joints, "JOINTS_%u", n);
        snprintf(weights, sizeof weights, "WEIGHTS_%u", n);
        bool has_joints = pelti_json_get(attributes, joints) != NULL;
        bool has_weights = pelti_json_get(attributes, weights) != NULL;
        if (!has_joints || !has_weights)
        {
            *has_half = has_joints != has_weights;
            return n;
        }
    }
    *has_half = false;
    return MAX_SETS;
}

static pelt_result open_set(pelti_accessor* out, pelti_gltf* g, const pelti_primitive* primitive,
                            const char* name)
{
    pelti_place outer = pelti_place_member(&primitive->at, "attributes");
    pelti_place here = pelti_place_member(&outer, name);
    uint32_t index = 0;
    pelt_result result =
        pelti_gltf_get_index(&index, g, PELTI_GLTF_ACCESSORS, primitive->attributes, name, &outer);
    if (result == PELT_OK)
    {
        result = pelti_accessor_open(out, g, index, &here);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    bool is_joints = name[0] == 'J';
    if (out->width != SET_WIDTH || out->count != primitive->mesh->vertex_count ||
        (is_joints && !pelti_accessor_is_unsigned(out)))
    {
        return pelti_gltf_fail(g, &here,
                               "accessor %u has %u elements of %u components, componentType %d; "
                               "needed are %u elements of 4 %s",
                               index, out->count, out->width, (int)out->component,
                               primitive->mesh->vertex_count,
                               is_joints ? "unsigned integers" : "numbers");
    }
    return PELT_OK;
}

static pelt_result read_set(weight_sets* sets, pelti_gltf* g, const pelti_primitive* primitive,
                            uint32_t n)
{
    char name[32];
    pelti_accessor accessor;
    snprintf(name, sizeof name, "JOINTS_%u", n);
    pelt_result result = open_set(&accessor, g, primitive, name);
    if (result != PELT_OK)
    {
        return result;
    }
    pelti_accessor_integers(sets->joints + (size_t)SET_WIDTH * n, sets->stride, &accessor);

    snprintf(name, sizeof name, "WEIGHTS_%u", n);
    result = open_set(&accessor, g, primitive, name);
    if (result == PELT_OK)
    {
        // Whoever stores weights as integers means fractions, whether he says so or not.
        accessor.is_normalized = true;
        pelti_accessor_floats(sets->weights + (size_t)SET_WIDTH * n, sets->stride, &accessor);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Report

// ---------------------------------------------------------------------------------------------

static pelt_result import(bool* is_pruned, pelti_gltf* g, const pelti_primitive* primitive,
                          const weight_sets* sets, uint32_t joint_count)
{
    pelt_mesh* mesh = primitive->mesh;
    pelt_weights_source source = {
        .vertex_count = mesh->vertex_count,
        .joint_count = joint_count < PELT_MAX_JOINTS ? joint_count : PELT_MAX_JOINTS,
        .per_vertex = sets->stride,
        .joints_u32 = sets->joints,
        .weights = sets->weights,
        .max_influences = g->budget.options.max_influences,
    };
    pelt_weights_report report;
    pelt_result result = pelt_weights_import(&mesh->weights, &report, &source, g->arena);
    *is_pruned = result == PELT_OK && report.pruned > 0;
    return result == PELT_OK &&
                   pelti_repairs_add_weights(&g->repairs, g->arena, mesh->name, &report)
               ? PELT_OK
               : pelt_error_memory(g->error);
}

static pelt_result read_sets(bool* is_pruned, pelti_gltf* g, const pelti_primitive* primitive,
                             weight_sets* sets, uint32_t joint_count)
{
    size_t total = (size_t)primitive->mesh->vertex_count * sets->stride;
    sets->joints = pelt_allocate(total + 1, sizeof *sets->joints);
    sets->weights = pelt_allocate(total + 1, sizeof *sets->weights);
    pelt_result result =
        sets->joints != NULL && sets->weights != NULL ? PELT_OK : pelt_error_memory(g->error);
    for (uint32_t n = 0; n < sets->count && result == PELT_OK; ++n)
    {
        result = read_set(sets, g, primitive, n);
    }
    if (result == PELT_OK)
    {
        result = import(is_pruned, g, primitive, sets, joint_count);
    }
    pelt_release(sets->joints);
    pelt_release(sets->weights);
    return result;
}

pelt_result pelti_gltf_read_weights(bool* is_pruned, pelti_gltf* g,
                                    const pelti_primitive* primitive, uint32_t joint_count)
{
    *is_pruned = false;
    const char* name = primitive->mesh->name;
    bool has_half;
    weight_sets sets = {.count = count_sets(&has_half, primitive->attributes)};
    pelt_result result =
        has_half ? pelti_gltf_repair_add(g,
                                         "mesh \"%.60s\" has JOINTS_%u or WEIGHTS_%u without the "
                                         "other: it was left out",
                                         name, sets.count, sets.count)
                 : PELT_OK;
    if (sets.count == 0 || result != PELT_OK)
    {
        return result;
    }
    if (joint_count == 0)
    {
        return pelti_gltf_repair_add(g,
                                     "mesh \"%.60s\" has weights, but no node of the scene gives "
                                     "it a skin: they were left out",
                                     name);
    }
    uint32_t most = primitive->mesh->vertex_count > 0
                        ? UINT32_MAX / primitive->mesh->vertex_count / SET_WIDTH
                        : sets.count;
    // Joints and weights as they are read; what is made of them is in the scene's own memory.
    size_t bytes = (size_t)primitive->mesh->vertex_count * SET_WIDTH * 2 * sizeof(float);
    if (sets.count > most || sets.count > g->budget.memory.left / (bytes + 1))
    {
        return pelti_gltf_fail(g, &primitive->at, "%u sets of weights for %u vertices are too many",
                               sets.count, primitive->mesh->vertex_count);
    }
    pelt_budget_charge(&g->budget.memory, sets.count * bytes);
    sets.stride = SET_WIDTH * sets.count;
    result = read_sets(is_pruned, g, primitive, &sets, joint_count);
    pelt_budget_release(&g->budget.memory, sets.count * bytes);
    return result;
}
