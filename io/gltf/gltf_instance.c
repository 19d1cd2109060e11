// SPDX-License-Identifier: MIT
// Instances: every node of the default scene that carries a mesh, once for each of its primitives.
#include "gltf_read.h"

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
    // Every pose will have room for them.
    if (!pelt_budget_charge(&g->budget.memory, m->morph_count * sizeof(float)))
    {
        return pelti_gltf_fail(g, NULL, "its shapes have more weights than its size explains");
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

// See pelti_gltf_read_morphs(): one node's weights stand for all nodes of a mesh.
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
                                       "node \"%.60s\" starts with the shape weights of node "
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
