// SPDX-License-Identifier: MIT
// Nodes, parents first, and how bones and channels find them: by name.
#include "assimp_scene.h"

#ifdef PELT_WITH_ASSIMP

#include "../matrix_decompose.h"

#include <string.h>

pelt_mat34 pelti_assimp_matrix(const struct aiMatrix4x4* m)
{
    pelt_mat34 a = {
        {{m->a1, m->a2, m->a3, m->a4}, {m->b1, m->b2, m->b3, m->b4}, {m->c1, m->c2, m->c3, m->c4}}};
    return a;
}

bool pelti_assimp_is_finite(const pelt_mat34* m)
{
    for (int i = 0; i < 12; ++i)
    {
        if (!isfinite(m->m[i / 4][i % 4]))
        {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Names

// Where a name is in the table, or the free slot where it belongs.
static uint32_t name_slot(const pelti_assimp* a, const char* name)
{
    // FNV-1a.
    uint32_t hash = 0x811c9dc5u;
    for (const char* c = name; *c != '\0'; ++c)
    {
        hash = (hash ^ (unsigned char)*c) * 0x01000193u;
    }
    uint32_t slot = hash & (a->name_capacity - 1);
    while (a->names[slot] != 0 && strcmp(a->nodes[a->names[slot] - 1].node.name, name) != 0)
    {
        slot = (slot + 1) & (a->name_capacity - 1);
    }
    return slot;
}

uint32_t pelti_assimp_find_node(const pelti_assimp* a, const char* name)
{
    if (a->name_capacity == 0)
    {
        return PELT_NONE;
    }
    uint32_t entry = a->names[name_slot(a, name)];
    return entry == 0 ? PELT_NONE : entry - 1;
}

// The first node with a name keeps it, as in aiNode::FindNode.
static void enter_name(pelti_assimp* a, uint32_t node)
{
    uint32_t slot = name_slot(a, a->nodes[node].node.name);
    if (a->names[slot] == 0)
    {
        a->names[slot] = node + 1;
    }
}

// Room for two more nodes; the table of names stays at most half full.
static bool grow_nodes(pelti_assimp* a)
{
    if (a->node_count + 2 <= a->node_capacity)
    {
        return true;
    }
    uint32_t capacity = a->node_capacity == 0 ? 64 : 2 * a->node_capacity;
    pelti_assimp_node* nodes = pelt_allocate(capacity, sizeof *nodes);
    uint32_t* names = pelt_allocate(2 * (size_t)capacity, sizeof *names);
    if (nodes == NULL || names == NULL)
    {
        pelt_release(nodes);
        pelt_release(names);
        return false;
    }
    if (a->node_count > 0)
    {
        memcpy(nodes, a->nodes, a->node_count * sizeof *nodes);
    }
    memset(names, 0, 2 * (size_t)capacity * sizeof *names);
    pelt_release(a->nodes);
    pelt_release(a->names);
    a->nodes = nodes;
    a->names = names;
    a->node_capacity = capacity;
    a->name_capacity = 2 * capacity;
    for (uint32_t i = 0; i < a->node_count; ++i)
    {
        enter_name(a, i);
    }
    return true;
}

static uint32_t append_node(pelti_assimp* a, const char* name, uint32_t parent, pelt_transform rest)
{
    uint32_t node = a->node_count++;
    a->nodes[node] = (pelti_assimp_node){.node = {name, parent, rest}};
    enter_name(a, node);
    return node;
}

pelt_result pelti_assimp_add_node(pelti_assimp* a, uint32_t* out, const char* name, uint32_t parent,
                                  const pelt_mat34* matrix)
{
    char* copy = pelt_arena_string(a->arena, name);
    if (copy == NULL || !grow_nodes(a))
    {
        return pelt_error_memory(a->error);
    }
    pelt_transform parts[2];
    if (pelti_split_matrix(parts, matrix) == 1)
    {
        *out = append_node(a, copy, parent, parts[0]);
        return PELT_OK;
    }
    char* upper = pelt_arena_format(a->arena, "%s (stretch)", name);
    if (upper == NULL)
    {
        return pelt_error_memory(a->error);
    }
    parent = append_node(a, upper, parent, parts[0]);
    *out = append_node(a, copy, parent, parts[1]);
    a->nodes[*out].is_split = true;
    a->first_sheared = a->sheared_count++ == 0 ? copy : a->first_sheared;
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Assimp's tree

typedef struct visit_list
{
    pelti_assimp_visit* items;
    uint32_t count, capacity;
} visit_list;

static bool push_visit(visit_list* list, const struct aiNode* source, uint32_t parent)
{
    if (list->count == list->capacity)
    {
        uint32_t capacity = list->capacity == 0 ? 64 : 2 * list->capacity;
        pelti_assimp_visit* items = pelt_allocate(capacity, sizeof *items);
        if (items == NULL)
        {
            return false;
        }
        if (list->count > 0)
        {
            memcpy(items, list->items, list->count * sizeof *items);
        }
        pelt_release(list->items);
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = (pelti_assimp_visit){source, parent, PELT_NONE};
    return true;
}

// Depth first with a list instead of recursion: a file may nest its nodes to any depth.
static bool list_visits(visit_list* out, const struct aiNode* root)
{
    visit_list waiting = {0};
    bool is_good = push_visit(&waiting, root, PELT_NONE);
    while (is_good && waiting.count > 0)
    {
        pelti_assimp_visit next = waiting.items[--waiting.count];
        uint32_t index = out->count;
        is_good = push_visit(out, next.source, next.parent);
        for (uint32_t i = next.source->mNumChildren; i > 0 && is_good; --i)
        {
            // The RAW importer leaves children empty.
            const struct aiNode* child = next.source->mChildren[i - 1];
            is_good = child == NULL || push_visit(&waiting, child, index);
        }
    }
    pelt_release(waiting.items);
    return is_good;
}

pelt_result pelti_assimp_read_nodes(pelti_assimp* a)
{
    visit_list list = {0};
    bool is_good = a->source->mRootNode == NULL || list_visits(&list, a->source->mRootNode);
    a->visits = list.items;
    a->visit_count = list.count;
    if (!is_good)
    {
        return pelt_error_memory(a->error);
    }
    for (uint32_t i = 0; i < a->visit_count; ++i)
    {
        pelti_assimp_visit* visit = &a->visits[i];
        const char* name = visit->source->mName.data;
        pelt_mat34 matrix = pelti_assimp_matrix(&visit->source->mTransformation);
        if (!pelti_assimp_is_finite(&matrix))
        {
            return pelt_error_set(a->error, PELT_ERROR_DATA,
                                  "%s: the matrix of node \"%s\" is not finite", a->path, name);
        }
        uint32_t parent = visit->parent == PELT_NONE ? PELT_NONE : a->visits[visit->parent].node;
        PELT_TRY(pelti_assimp_add_node(a, &visit->node, name, parent, &matrix));
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Meshes put into the tree

uint32_t pelti_assimp_node_of_mesh(const pelti_assimp* a, uint32_t mesh)
{
    for (uint32_t i = 0; i < a->visit_count; ++i)
    {
        const struct aiNode* source = a->visits[i].source;
        for (uint32_t k = 0; k < source->mNumMeshes; ++k)
        {
            if (source->mMeshes[k] == mesh)
            {
                return a->visits[i].node;
            }
        }
    }
    return 0;
}

static uint32_t count_instances(const pelti_assimp* a)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->visit_count; ++i)
    {
        count += a->visits[i].source->mNumMeshes;
    }
    return count;
}

static pelt_result add_instances(pelti_assimp* a, pelt_instance* instances,
                                 const pelti_assimp_visit* visit)
{
    pelt_scene* scene = a->scene;
    for (uint32_t k = 0; k < visit->source->mNumMeshes; ++k)
    {
        uint32_t mesh = visit->source->mMeshes[k];
        if (mesh >= scene->mesh_count)
        {
            return pelt_error_set(a->error, PELT_ERROR_DATA, "%s: node \"%s\" names mesh %u of %u",
                                  a->path, visit->source->mName.data, mesh, scene->mesh_count);
        }
        instances[scene->instance_count++] =
            (pelt_instance){mesh, a->skin_of_mesh[mesh], visit->node, scene->morph_weight_count};
        scene->morph_weight_count += scene->meshes[mesh].morph_count;
    }
    return PELT_OK;
}

pelt_result pelti_assimp_read_instances(pelti_assimp* a)
{
    pelt_instance* instances = pelt_arena_alloc(a->arena, count_instances(a), sizeof *instances);
    if (instances == NULL)
    {
        return pelt_error_memory(a->error);
    }
    a->scene->instances = instances;
    for (uint32_t i = 0; i < a->visit_count; ++i)
    {
        PELT_TRY(add_instances(a, instances, &a->visits[i]));
    }
    return PELT_OK;
}

#endif
