// SPDX-License-Identifier: MIT
// Skins: joints, inverse bind matrices, and the joints and weights of vertices.
#include "gltf_read.h"

#include <stdio.h>

static pelt_result read_joints(pelt_skin* out, pelti_gltf* g, const pelti_json* json,
                               const pelti_json_path* at)
{
    const pelti_json* list = NULL;
    void* memory = NULL;
    pelti_json_path here = pelti_json_member(at, "joints");
    pelt_result result = pelti_gltf_get_array(&list, g, json, "joints", at);
    size_t count = pelti_json_size(list);
    if (result == PELT_OK && count == 0)
    {
        return pelti_gltf_fail(g, &here, "a skin needs joints");
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_alloc(&memory, g, count, sizeof(uint32_t));
    }
    uint32_t* joints = memory;
    for (size_t i = 0; i < count && result == PELT_OK; ++i)
    {
        pelti_json_path element = pelti_json_element(&here, i);
        uint32_t node = 0;
        result =
            pelti_gltf_check_index(&node, g, PELTI_GLTF_NODES, pelti_json_at(list, i), &element);
        if (result == PELT_OK)
        {
            joints[i] = g->nodes[node].node;
        }
    }
    out->joints = joints;
    out->joint_count = (uint32_t)count;
    return result;
}

static pelt_result check_binds(pelti_gltf* g, const pelti_accessor* a, const pelt_skin* skin,
                               const pelti_json_path* at)
{
    if (a->width != 16)
    {
        return pelti_gltf_fail(g, at, "accessor %u must hold 4x4 matrices", a->index);
    }
    if (a->count < skin->joint_count)
    {
        return pelti_gltf_fail(g, at, "accessor %u has %u matrices for %u joints", a->index,
                               a->count, skin->joint_count);
    }
    return a->count == skin->joint_count
               ? PELT_OK
               : pelti_gltf_repair_add(g,
                                       "skin \"%.60s\" has %u inverse bind matrices for %u %s: "
                                       "the others were ignored",
                                       skin->name, a->count, skin->joint_count,
                                       pelti_plural(skin->joint_count, "joint", "joints"));
}

static pelt_result read_matrices(pelt_mat34* out, pelti_gltf* g, const pelti_accessor* accessor,
                                 const pelt_skin* skin, const pelti_json_path* at)
{
    void* memory = NULL;
    PELT_TRY(pelti_gltf_alloc_scratch(&memory, g, accessor->count, 16 * sizeof(float)));
    const float* columns = memory;
    pelti_accessor_floats(memory, 16, accessor);
    for (uint32_t joint = 0; joint < skin->joint_count; ++joint, columns += 16)
    {
        // Rows of the scene's matrices are columns of the file's.
        for (int i = 0; i < 12; ++i)
        {
            float number = columns[4 * (i % 4) + i / 4];
            out[joint].m[i / 4][i % 4] = number;
            if (!isfinite(number))
            {
                return pelti_gltf_fail(g, at, "matrix %u of accessor %u is not finite", joint,
                                       accessor->index);
            }
        }
    }
    return PELT_OK;
}

static pelt_result read_binds(pelt_skin* out, pelti_gltf* g, const pelti_json* json,
                              const pelti_json_path* at)
{
    void* memory = NULL;
    uint32_t index = PELT_NONE;
    pelti_accessor accessor;
    pelti_json_path here = pelti_json_member(at, "inverseBindMatrices");
    pelt_result result = pelti_gltf_alloc(&memory, g, out->joint_count, sizeof(pelt_mat34));
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_index(&index, g, PELTI_GLTF_ACCESSORS, json, here.member, at);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    pelt_mat34* binds = memory;
    out->inverse_binds = binds;
    if (index == PELT_NONE)
    {
        for (uint32_t joint = 0; joint < out->joint_count; ++joint)
        {
            binds[joint] = pelt_mat34_identity();
        }
        return PELT_OK;
    }
    result = pelti_accessor_open(&accessor, g, index, &here);
    if (result == PELT_OK)
    {
        result = check_binds(g, &accessor, out, &here);
    }
    return result == PELT_OK ? read_matrices(binds, g, &accessor, out, &here) : result;
}

pelt_result pelti_gltf_read_skins(pelti_gltf* g)
{
    uint32_t count = g->lists[PELTI_GLTF_SKINS].count;
    pelti_json_path list = {.member = "skins"};
    void* memory = NULL;
    pelt_result result = pelti_gltf_alloc(&memory, g, count, sizeof(pelt_skin));
    pelt_skin* skins = memory;
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        pelti_json_path at = pelti_json_element(&list, i);
        const pelti_json* json = pelti_gltf_item(g, PELTI_GLTF_SKINS, i);
        result = pelti_gltf_name(&skins[i].name, g, json, "skin", i, &at);
        if (result == PELT_OK)
        {
            result = read_joints(&skins[i], g, json, &at);
        }
        if (result == PELT_OK)
        {
            result = read_binds(&skins[i], g, json, &at);
        }
    }
    g->scene->skins = skins;
    g->scene->skin_count = count;
    return result;
}

// ---------------------------------------------------------------------------------------------
enum
{
    SET_WIDTH = 4,
    MAX_SETS = 256, // real files have far fewer; more names would take long to look up
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
    pelti_json_path outer = pelti_json_member(&primitive->at, "attributes");
    pelti_json_path here = pelti_json_member(&outer, name);
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
    PELT_TRY(open_set(&accessor, g, primitive, name));
    pelti_accessor_integers(sets->joints + (size_t)SET_WIDTH * n, sets->stride, &accessor);

    snprintf(name, sizeof name, "WEIGHTS_%u", n);
    PELT_TRY(open_set(&accessor, g, primitive, name));
    // Integer weights are fractions, even without the flag `normalized`.
    accessor.is_normalized = true;
    pelti_accessor_floats(sets->weights + (size_t)SET_WIDTH * n, sets->stride, &accessor);
    return PELT_OK;
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
    // Joints and weights as they are read; the results are in the memory of the scene.
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
