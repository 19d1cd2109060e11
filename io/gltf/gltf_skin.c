// SPDX-License-Identifier: MIT
// Skins: joints and the matrices that take vertices into their spaces.
#include "gltf_read.h"

static pelt_result read_joints(pelt_skin* out, pelti_gltf* g, const pelti_json* json,
                               const pelti_place* at)
{
    const pelti_json* list = NULL;
    void* memory = NULL;
    pelti_place here = pelti_place_member(at, "joints");
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
        pelti_place element = pelti_place_index(&here, i);
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
                               const pelti_place* at)
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
                                 const pelt_skin* skin, const pelti_place* at)
{
    void* memory = NULL;
    pelt_result result = pelti_gltf_alloc_scratch(&memory, g, accessor->count, 16 * sizeof(float));
    if (result != PELT_OK)
    {
        return result;
    }
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
                              const pelti_place* at)
{
    void* memory = NULL;
    uint32_t index = PELT_NONE;
    pelti_accessor accessor;
    pelti_place here = pelti_place_member(at, "inverseBindMatrices");
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
    pelti_place list = {.member = "skins"};
    void* memory = NULL;
    pelt_result result = pelti_gltf_alloc(&memory, g, count, sizeof(pelt_skin));
    pelt_skin* skins = memory;
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        pelti_place at = pelti_place_index(&list, i);
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
