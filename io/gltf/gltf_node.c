// SPDX-License-Identifier: MIT
// The node hierarchy, parents first, and the instances of the default scene.
#include "../matrix_decompose.h"
#include "gltf_read.h"

// ---------------------------------------------------------------------------------------------
// Hierarchy

static pelt_result read_children(pelti_gltf* g, uint32_t parent, const pelti_json* node,
                                 const pelti_json_path* at)
{
    const pelti_json* children = NULL;
    pelti_json_path here = pelti_json_member(at, "children");
    pelt_result result = pelti_gltf_get_array(&children, g, node, "children", at);
    for (size_t i = 0; i < pelti_json_size(children) && result == PELT_OK; ++i)
    {
        pelti_json_path element = pelti_json_element(&here, i);
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

// List a node after its ancestors. Those that are not listed yet are collected on the way up.
static pelt_result list_node(uint32_t* order, uint32_t* listed, uint32_t* chain, pelti_gltf* g,
                             uint32_t index)
{
    uint32_t length = 0;
    for (uint32_t i = index; i != PELT_NONE && !g->nodes[i].is_placed; i = g->nodes[i].parent)
    {
        // Marked on the way: meeting one of them again is a cycle.
        g->nodes[i].is_placed = true;
        chain[length++] = i;
    }
    uint32_t top = length > 0 ? g->nodes[chain[length - 1]].parent : PELT_NONE;
    for (uint32_t i = 0; i < length; ++i)
    {
        if (chain[i] == top)
        {
            pelti_json_path list = {.member = "nodes"}, at = pelti_json_element(&list, top);
            return pelti_gltf_fail(g, &at, "this node is its own ancestor");
        }
    }
    while (length > 0)
    {
        order[(*listed)++] = chain[--length];
    }
    return PELT_OK;
}

static pelt_result order_nodes(uint32_t** out, pelti_gltf* g)
{
    uint32_t count = g->lists[PELTI_GLTF_NODES].count, listed = 0;
    void *order = NULL, *chain = NULL;
    pelt_result result = pelti_gltf_alloc_scratch(&order, g, count, sizeof(uint32_t));
    if (result == PELT_OK)
    {
        result = pelti_gltf_alloc_scratch(&chain, g, count, sizeof(uint32_t));
    }
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        result = list_node(order, &listed, chain, g, i);
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
    // A rotation of unit length up to rounding keeps its bits.
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
                                  const pelti_json_path* at)
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

// One node, or two when its matrix shears: the first stretches along rotated axes, the second
// rotates back and represents the node of the file.
static pelt_result add_node(pelt_node* nodes, uint32_t* count, pelti_gltf* g, uint32_t index)
{
    pelti_json_path list = {.member = "nodes"}, at = pelti_json_element(&list, index);
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
    pelti_json_path list = {.member = "scenes"}, at = pelti_json_element(&list, scene);
    pelti_json_path here = pelti_json_member(&at, "nodes");
    const pelti_json* roots = NULL;
    pelt_result result =
        pelti_gltf_get_array(&roots, g, pelti_gltf_item(g, PELTI_GLTF_SCENES, scene), "nodes", &at);
    for (size_t i = 0; i < pelti_json_size(roots) && result == PELT_OK; ++i)
    {
        pelti_json_path element = pelti_json_element(&here, i);
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
    pelti_json_path list = {.member = "nodes"};
    for (uint32_t i = 0; i < count; ++i)
    {
        g->nodes[i] = (pelti_gltf_node){.parent = PELT_NONE, .mesh = PELT_NONE, .skin = PELT_NONE};
    }
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        pelti_json_path at = pelti_json_element(&list, i);
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
        // Capacity for the case that every matrix shears.
        result = pelti_gltf_alloc(&nodes, g, 2 * (size_t)count, sizeof(pelt_node));
    }
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        result = add_node(nodes, &g->scene->node_count, g, order[i]);
    }
    g->scene->nodes = nodes;
    return result == PELT_OK ? find_visible(g, order) : result;
}

// ---------------------------------------------------------------------------------------------
static size_t count_instances(const pelti_gltf* g)
{
    size_t count = 0;
    for (uint32_t i = 0; i < g->lists[PELTI_GLTF_NODES].count; ++i)
    {
        const pelti_gltf_node* node = &g->nodes[i];
        if (node->is_visible && node->mesh != PELT_NONE)
        {
            count += g->meshes[node->mesh].count;
        }
    }
    return count;
}

static pelt_result add_instance(pelt_instance* out, pelti_gltf* g, const pelti_gltf_node* node,
                                uint32_t mesh)
{
    const pelt_mesh* m = &g->scene->meshes[mesh];
    *out = (pelt_instance){.mesh = mesh,
                           .skin = m->weights.first != NULL ? node->skin : PELT_NONE,
                           .node = node->node,
                           .first_morph_weight = g->scene->morph_weight_count};
    // Every pose allocates that many.
    if (!pelt_budget_charge(&g->budget.memory, m->morph_count * sizeof(float)))
    {
        return pelti_gltf_fail(g, NULL,
                               "its morph targets have more weights than its size explains");
    }
    g->scene->morph_weight_count += m->morph_count;
    return node->skin == PELT_NONE || m->weights.first != NULL
               ? PELT_OK
               : pelti_gltf_repair_add(g,
                                       "mesh \"%.60s\" has a skin but no weights: it follows its "
                                       "node \"%.60s\"",
                                       m->name, g->scene->nodes[node->node].name);
}

static bool are_equal(const pelti_json* a, const pelti_json* b)
{
    size_t count = pelti_json_size(a);
    bool is_equal = a != NULL && b != NULL && count == pelti_json_size(b);
    for (size_t i = 0; i < count && is_equal; ++i)
    {
        const pelti_json *x = pelti_json_at(a, i), *y = pelti_json_at(b, i);
        is_equal = x->type == PELTI_JSON_NUMBER && y->type == PELTI_JSON_NUMBER &&
                   x->as.number == y->as.number;
    }
    return is_equal;
}

// See pelti_gltf_read_morphs(): one node's weights represent all nodes of a mesh.
static pelt_result check_weights(pelti_gltf* g, uint32_t index)
{
    const pelti_gltf_mesh* mesh = &g->meshes[g->nodes[index].mesh];
    if (mesh->weight_node == PELT_NONE || mesh->count == 0 ||
        g->scene->meshes[mesh->first].morph_count == 0)
    {
        return PELT_OK;
    }
    const pelti_json* kept =
        pelti_json_get(pelti_gltf_item(g, PELTI_GLTF_NODES, mesh->weight_node), "weights");
    const pelti_json* own = pelti_json_get(pelti_gltf_item(g, PELTI_GLTF_NODES, index), "weights");
    return are_equal(kept, own)
               ? PELT_OK
               : pelti_gltf_repair_add(g,
                                       "node \"%.60s\" starts with the morph weights of node "
                                       "\"%.60s\", which has the same mesh",
                                       g->scene->nodes[g->nodes[index].node].name,
                                       g->scene->nodes[g->nodes[mesh->weight_node].node].name);
}

pelt_result pelti_gltf_read_instances(pelti_gltf* g)
{
    void* memory = NULL;
    uint32_t added = 0;
    pelt_result result = pelti_gltf_alloc(&memory, g, count_instances(g), sizeof(pelt_instance));
    pelt_instance* instances = memory;
    for (uint32_t i = 0; i < g->lists[PELTI_GLTF_NODES].count && result == PELT_OK; ++i)
    {
        pelti_gltf_node* node = &g->nodes[i];
        if (!node->is_visible || node->mesh == PELT_NONE)
        {
            continue;
        }
        const pelti_gltf_mesh* mesh = &g->meshes[node->mesh];
        node->first_instance = added;
        node->instance_count = mesh->count;
        result = check_weights(g, i);
        for (uint32_t k = 0; k < mesh->count && result == PELT_OK; ++k)
        {
            result = add_instance(&instances[added++], g, node, mesh->first + k);
        }
    }
    g->scene->instances = instances;
    g->scene->instance_count = added;
    return result;
}
