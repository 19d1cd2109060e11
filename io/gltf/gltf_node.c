// SPDX-License-Identifier: MIT
// The node hierarchy, parents first, and which nodes of it put meshes into the default scene.
#include "gltf_read.h"

#include "../matrix_decompose.h"

// ---------------------------------------------------------------------------------------------
// Hierarchy

static pelt_result read_children(pelti_gltf* g, uint32_t parent, const pelti_json* node,
                                 const pelti_place* at)
{
    const pelti_json* children = NULL;
    pelti_place here = pelti_place_member(at, "children");
    pelt_result result = pelti_gltf_get_array(&children, g, node, "children", at);
    for (size_t i = 0; i < pelti_json_size(children) && result == PELT_OK; ++i)
    {
        pelti_place element = pelti_place_index(&here, i);
        uint32_t child;
        result = pelti_gltf_check_index(&child, g, PELTI_GLTF_NODES, pelti_json_at(children, i),
                                        &element);
        if (result == PELT_OK && g->nodes[child].parent != PELT_NONE)
        {
            result = pelti_gltf_fail(g, &element, "node %u is also a child of node %u", child,
                                     g->nodes[child].parent);
        }
        if (result == PELT_OK)
        {
            g->nodes[child].parent = parent;
        }
    }
    return result;
}

// List a node behind its ancestors. Those still to be listed are collected going up.
static pelt_result place_node(uint32_t* order, uint32_t* placed, uint32_t* chain, pelti_gltf* g,
                              uint32_t index)
{
    uint32_t length = 0;
    for (uint32_t i = index; i != PELT_NONE && !g->nodes[i].is_placed; i = g->nodes[i].parent)
    {
        // Marked on the way: to come back to one of them is a circle.
        g->nodes[i].is_placed = true;
        chain[length++] = i;
    }
    uint32_t top = length > 0 ? g->nodes[chain[length - 1]].parent : PELT_NONE;
    for (uint32_t i = 0; i < length; ++i)
    {
        if (chain[i] == top)
        {
            pelti_place list = {.member = "nodes"}, at = pelti_place_index(&list, top);
            return pelti_gltf_fail(g, &at, "this node is its own ancestor");
        }
    }
    while (length > 0)
    {
        order[(*placed)++] = chain[--length];
    }
    return PELT_OK;
}

static pelt_result order_nodes(uint32_t** out, pelti_gltf* g)
{
    uint32_t count = g->lists[PELTI_GLTF_NODES].count, placed = 0;
    void *order = NULL, *chain = NULL;
    pelt_result result = pelti_gltf_alloc_scratch(&order, g, count, sizeof(uint32_t));
    if (result == PELT_OK)
    {
        result = pelti_gltf_alloc_scratch(&chain, g, count, sizeof(uint32_t));
    }
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        result = place_node(order, &placed, chain, g, i);
    }
    *out = order;
    return result;
}

// ---------------------------------------------------------------------------------------------
// Transforms

static pelt_result check_rotation(pelt_quat* rotation, pelti_gltf* g, const char* name)
{
    double square =
        (double)rotation->x * (double)rotation->x + (double)rotation->y * (double)rotation->y +
        (double)rotation->z * (double)rotation->z + (double)rotation->w * (double)rotation->w;
    // What is unit to the last digits stays as it is written.
    if (fabs(square - 1.0) < 1e-6)
    {
        return PELT_OK;
    }
    *rotation = pelt_quat_normalize(*rotation);
    return fabs(square - 1.0) < 1e-2
               ? PELT_OK
               : pelti_gltf_repair_count(g, PELT_REPAIR_ROTATION_LENGTH, 1,
                                         "the rotation of node \"%.60s\" had length %g instead of "
                                         "1: it was %s",
                                         name, sqrt(square),
                                         square > 0.0 ? "normalized" : "left out");
}

// glTF lists the columns of a 4x4 matrix.
static bool split_columns(pelt_transform* outer, pelt_quat* inner, const float columns[16])
{
    pelt_mat34 matrix;
    pelt_transform parts[2];
    for (int i = 0; i < 12; ++i)
    {
        matrix.m[i % 3][i / 3] = columns[4 * (i / 3) + i % 3];
    }
    bool is_split = pelti_split_matrix(parts, &matrix) == 2;
    *outer = parts[0];
    *inner = parts[1].rotation;
    return is_split;
}

static pelt_result read_transform(pelt_transform* outer, pelt_quat* inner, bool* is_split,
                                  pelti_gltf* g, const pelti_json* json, const char* name,
                                  const pelti_place* at)
{
    float matrix[16];
    if (pelti_json_get(json, "matrix") != NULL)
    {
        pelt_result result = pelti_gltf_get_floats(matrix, 16, g, json, "matrix", at);
        *is_split = result == PELT_OK && split_columns(outer, inner, matrix);
        return result;
    }
    *outer = pelt_transform_identity();
    pelt_result result =
        pelti_gltf_get_floats(&outer->translation.x, 3, g, json, "translation", at);
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_floats(&outer->rotation.x, 4, g, json, "rotation", at);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_floats(&outer->scale.x, 3, g, json, "scale", at);
    }
    return result == PELT_OK ? check_rotation(&outer->rotation, g, name) : result;
}

// One node, or two when its matrix shears: the first stretches along turned axes, the second turns
// back and is the node as the file means it.
static pelt_result add_node(pelt_node* nodes, uint32_t* count, pelti_gltf* g, uint32_t index)
{
    pelti_place list = {.member = "nodes"}, at = pelti_place_index(&list, index);
    const pelti_json* json = pelti_gltf_item(g, PELTI_GLTF_NODES, index);
    pelti_gltf_node* node = &g->nodes[index];
    uint32_t parent = node->parent == PELT_NONE ? PELT_NONE : g->nodes[node->parent].node;
    const char* name = NULL;
    pelt_transform outer;
    pelt_quat inner;
    pelt_result result = pelti_gltf_name(&name, g, json, "node", index, &at);
    if (result == PELT_OK)
    {
        result = read_transform(&outer, &inner, &node->is_split, g, json, name, &at);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    if (node->is_split)
    {
        const char* outer_name = pelt_arena_format(g->arena, "%s.stretch", name);
        if (outer_name == NULL)
        {
            return pelt_error_memory(g->error);
        }
        nodes[*count] = (pelt_node){outer_name, parent, outer};
        parent = (*count)++;
        outer = pelt_transform_identity();
        outer.rotation = inner;
        result = pelti_gltf_repair_add(
            g, "the matrix of node \"%.60s\" shears: split it into two nodes", name);
    }
    nodes[*count] = (pelt_node){name, parent, outer};
    node->node = (*count)++;
    return result;
}

// ---------------------------------------------------------------------------------------------
// Default scene

static pelt_result mark_roots(pelti_gltf* g, uint32_t scene)
{
    pelti_place list = {.member = "scenes"}, at = pelti_place_index(&list, scene);
    pelti_place here = pelti_place_member(&at, "nodes");
    const pelti_json* roots = NULL;
    pelt_result result =
        pelti_gltf_get_array(&roots, g, pelti_gltf_item(g, PELTI_GLTF_SCENES, scene), "nodes", &at);
    for (size_t i = 0; i < pelti_json_size(roots) && result == PELT_OK; ++i)
    {
        pelti_place element = pelti_place_index(&here, i);
        uint32_t node;
        result =
            pelti_gltf_check_index(&node, g, PELTI_GLTF_NODES, pelti_json_at(roots, i), &element);
        if (result == PELT_OK)
        {
            g->nodes[node].is_visible = true;
        }
    }
    return result;
}

static pelt_result find_visible(pelti_gltf* g, const uint32_t* order)
{
    uint32_t count = g->lists[PELTI_GLTF_NODES].count;
    bool has_scenes = g->lists[PELTI_GLTF_SCENES].count > 0;
    uint32_t scene = 0;
    pelt_result result = pelti_gltf_get_index(&scene, g, PELTI_GLTF_SCENES, g->root, "scene", NULL);
    if (result == PELT_OK && has_scenes)
    {
        result = mark_roots(g, scene);
    }
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        pelti_gltf_node* node = &g->nodes[order[i]];
        node->is_visible = node->is_visible || !has_scenes ||
                           (node->parent != PELT_NONE && g->nodes[node->parent].is_visible);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------

pelt_result pelti_gltf_read_nodes(pelti_gltf* g)
{
    uint32_t count = g->lists[PELTI_GLTF_NODES].count;
    pelti_place list = {.member = "nodes"};
    for (uint32_t i = 0; i < count; ++i)
    {
        g->nodes[i] = (pelti_gltf_node){.parent = PELT_NONE, .mesh = PELT_NONE, .skin = PELT_NONE};
    }
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        pelti_place at = pelti_place_index(&list, i);
        const pelti_json* json = pelti_gltf_item(g, PELTI_GLTF_NODES, i);
        pelti_gltf_node* node = &g->nodes[i];
        result = read_children(g, i, json, &at);
        if (result == PELT_OK)
        {
            result = pelti_gltf_get_index(&node->mesh, g, PELTI_GLTF_MESHES, json, "mesh", &at);
        }
        if (result == PELT_OK)
        {
            result = pelti_gltf_get_index(&node->skin, g, PELTI_GLTF_SKINS, json, "skin", &at);
        }
    }
    uint32_t* order = NULL;
    void* nodes = NULL;
    if (result == PELT_OK)
    {
        result = order_nodes(&order, g);
    }
    if (result == PELT_OK)
    {
        // Room for the case that every matrix shears.
        result = pelti_gltf_alloc(&nodes, g, 2 * (size_t)count, sizeof(pelt_node));
    }
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        result = add_node(nodes, &g->scene->node_count, g, order[i]);
    }
    g->scene->nodes = nodes;
    return result == PELT_OK ? find_visible(g, order) : result;
}
