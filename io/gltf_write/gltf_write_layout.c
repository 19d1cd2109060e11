// SPDX-License-Identifier: MIT
// Which glTF mesh and node everything becomes, so that reading the file gives the scene back.
#include "gltf_write.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Meshes that are primitives of one glTF mesh

static bool is_same_name(const char* a, const char* b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

size_t pelti_gltf_base_length(const char* name)
{
    size_t end = strlen(name), digits = end;
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
    {
        --digits;
    }
    return digits < end && digits > 1 && name[digits - 1] == '_' ? digits - 1 : end;
}

// "hat_0" and "hat_1", as pelt_load() calls the primitives of a hat; or twice the same.
static bool are_parts(const char* a, const char* b)
{
    if (is_same_name(a, b))
    {
        return true;
    }
    if (a == NULL || b == NULL)
    {
        return false;
    }
    size_t base = pelti_gltf_base_length(a);
    return base == pelti_gltf_base_length(b) && a[base] == '_' && b[base] == '_' &&
           strncmp(a, b, base) == 0;
}

// The primitives of a glTF mesh share its name, the names of its shapes and their weights.
static bool can_share(const pelt_mesh* a, const pelt_mesh* b)
{
    if (!are_parts(a->name, b->name) || a->morph_count != b->morph_count ||
        (a->weights.first == NULL) != (b->weights.first == NULL) ||
        (a->morph_weights == NULL) != (b->morph_weights == NULL))
    {
        return false;
    }
    for (uint32_t i = 0; i < a->morph_count; ++i)
    {
        if (!is_same_name(a->morphs[i].name, b->morphs[i].name) ||
            (a->morph_weights != NULL && a->morph_weights[i] != b->morph_weights[i]))
        {
            return false;
        }
    }
    return true;
}

static bool is_same_track(const pelt_track* a, const pelt_track* b)
{
    if (a == NULL || b == NULL)
    {
        return a == b;
    }
    size_t parts = a->interpolation == PELT_INTERPOLATION_CUBIC ? 3 : 1;
    return a->interpolation == b->interpolation && a->key_count == b->key_count &&
           a->width == b->width && memcmp(a->times, b->times, a->key_count * sizeof(float)) == 0 &&
           memcmp(a->values, b->values, parts * a->key_count * a->width * sizeof(float)) == 0;
}

// Neighbors at one node.
static bool stand_together(const pelt_scene* scene, uint32_t first)
{
    const pelt_instance *a = &scene->instances[first], *b = a + 1;
    return first + 1 < scene->instance_count && b->mesh == a->mesh + 1 && b->skin == a->skin &&
           b->node == a->node;
}

static void compare_neighbors(bool* is_parted, const pelt_scene* scene,
                              const pelt_track* const* tracks, uint32_t first)
{
    bool is_compared = stand_together(scene, first) && !is_parted[first];
    is_parted[first] |= is_compared && !is_same_track(tracks[first], tracks[first + 1]);
}

// Neighbors whose shapes some clip moves differently: the primitives of a glTF mesh cannot.
// @param tracks  of each instance, within one clip; all NULL before and after
static void find_parted(bool* is_parted, const pelt_track** tracks, const pelt_scene* scene,
                        const pelt_clip* clip)
{
    for (uint32_t i = clip->track_count; i > 0; --i)
    {
        const pelt_track* track = &clip->tracks[i - 1];
        if (track->path == PELT_PATH_MORPH)
        {
            tracks[track->target] = track; // the first of several stays
        }
    }
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        uint32_t target = clip->tracks[i].target;
        if (clip->tracks[i].path == PELT_PATH_MORPH)
        {
            compare_neighbors(is_parted, scene, tracks, target);
            compare_neighbors(is_parted, scene, tracks, target > 0 ? target - 1 : 0);
        }
    }
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        if (clip->tracks[i].path == PELT_PATH_MORPH)
        {
            tracks[clip->tracks[i].target] = NULL;
        }
    }
}

static void find_joined(bool* is_joined, const pelt_scene* scene, const bool* is_parted)
{
    // A mesh without an instance stands alone, and so does one that follows it.
    uint32_t instanced = PELT_NONE;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        is_joined[scene->instances[i].mesh] = true;
    }
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        bool has_neighbor = i > 0 && instanced == i - 1;
        instanced = is_joined[i] ? i : instanced;
        is_joined[i] =
            is_joined[i] && has_neighbor && can_share(&scene->meshes[i - 1], &scene->meshes[i]);
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        uint32_t mesh = scene->instances[i].mesh;
        if (mesh + 1 < scene->mesh_count && (is_parted[i] || !stand_together(scene, i)))
        {
            is_joined[mesh + 1] = false;
        }
        bool follows = i > 0 && scene->instances[i - 1].mesh + 1 == mesh;
        is_joined[mesh] = is_joined[mesh] && follows;
    }
}

// ---------------------------------------------------------------------------------------------
// Nodes that carry instances
//
// Readers meet instances in the order of nodes, so each node should come after the one before. A
// skinned mesh ignores its node's transform and may stand anywhere; best at the root.
//
// Cursors only go forward: a node that is taken or too early, and an instance whose node is, stay
// so.

typedef struct node_search
{
    const pelt_scene* scene;
    const bool* is_joined;
    bool* is_taken;     // or promised to an unskinned instance
    uint32_t next;      // nodes before it would come too early
    uint32_t free_node; // none is free from next up to it
    uint32_t free_root; // the same of roots
    uint32_t follower; // no unskinned instance from the one in hand up to it stands at or past next
} node_search;

static bool is_leader(const node_search* search, uint32_t instance)
{
    return !search->is_joined[search->scene->instances[instance].mesh];
}

static uint32_t find_free(node_search* search)
{
    uint32_t* node = &search->free_node;
    *node = *node > search->next ? *node : search->next;
    while (*node < search->scene->node_count && search->is_taken[*node])
    {
        ++*node;
    }
    return *node;
}

static uint32_t find_free_root(node_search* search)
{
    const pelt_scene* scene = search->scene;
    uint32_t* node = &search->free_root;
    *node = *node > search->next ? *node : search->next;
    while (*node < scene->node_count &&
           (search->is_taken[*node] || scene->nodes[*node].parent != PELT_NONE))
    {
        ++*node;
    }
    return *node;
}

// Where the next unskinned instance stands, whose node is not ours to choose.
static uint32_t find_limit(node_search* search, uint32_t instance)
{
    const pelt_scene* scene = search->scene;
    uint32_t* i = &search->follower;
    *i = *i > instance ? *i : instance + 1;
    while (*i < scene->instance_count &&
           (scene->instances[*i].skin != PELT_NONE || !is_leader(search, *i) ||
            scene->instances[*i].node < search->next))
    {
        ++*i;
    }
    return *i < scene->instance_count ? scene->instances[*i].node : scene->node_count;
}

static uint32_t choose_node(node_search* search, uint32_t instance)
{
    uint32_t own = search->scene->instances[instance].node;
    uint32_t limit = find_limit(search, instance);
    if (own >= search->next && own < limit && !search->is_taken[own])
    {
        return own;
    }
    uint32_t root = find_free_root(search), node = root < limit ? root : find_free(search);
    return node < limit ? node : PELT_NONE;
}

// Unskinned instances keep their nodes; of several at one node the first.
static void promise_nodes(const node_search* search, uint32_t* node_of)
{
    const pelt_scene* scene = search->scene;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        node_of[i] = PELT_NONE;
        if (instance->skin == PELT_NONE && is_leader(search, i) &&
            !search->is_taken[instance->node])
        {
            search->is_taken[instance->node] = true;
            node_of[i] = instance->node;
        }
    }
}

static uint32_t place_instances(uint32_t* node_of, node_search* search)
{
    const pelt_scene* scene = search->scene;
    uint32_t node_count = scene->node_count;
    promise_nodes(search, node_of);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        if (!is_leader(search, i))
        {
            node_of[i] = node_of[i - 1];
            continue;
        }
        if (scene->instances[i].skin != PELT_NONE)
        {
            node_of[i] = choose_node(search, i);
        }
        if (node_of[i] == PELT_NONE)
        {
            node_of[i] = node_count++;
        }
        else
        {
            search->is_taken[node_of[i]] = true;
        }
        search->next = node_of[i] >= search->next ? node_of[i] + 1 : search->next;
    }
    return node_count;
}

pelt_result pelti_gltf_layout_create(pelti_gltf_layout* out, const pelt_scene* scene)
{
    *out = (pelti_gltf_layout){.arena = pelt_arena_create()};
    if (out->arena == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t instance_count = scene->instance_count;
    bool* is_joined = pelt_arena_alloc(out->arena, scene->mesh_count, sizeof *is_joined);
    bool* is_taken = pelt_arena_alloc(out->arena, scene->node_count, sizeof *is_taken);
    bool* is_parted = pelt_arena_alloc(out->arena, instance_count, sizeof *is_parted);
    const pelt_track** tracks = pelt_arena_alloc(out->arena, instance_count, sizeof *tracks);
    uint32_t* mesh_of = pelt_arena_alloc(out->arena, scene->mesh_count, sizeof *mesh_of);
    uint32_t* node_of = pelt_arena_alloc(out->arena, instance_count, sizeof *node_of);
    if (is_joined == NULL || is_taken == NULL || is_parted == NULL || tracks == NULL ||
        mesh_of == NULL || node_of == NULL)
    {
        pelti_gltf_layout_destroy(out);
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        find_parted(is_parted, tracks, scene, &scene->clips[i]);
    }
    find_joined(is_joined, scene, is_parted);
    for (uint32_t i = 1; i < scene->mesh_count; ++i)
    {
        mesh_of[i] = mesh_of[i - 1] + !is_joined[i];
    }
    node_search search = {.scene = scene, .is_joined = is_joined, .is_taken = is_taken};
    out->node_count = place_instances(node_of, &search);
    out->is_joined = is_joined;
    out->mesh_of = mesh_of;
    out->node_of = node_of;
    return PELT_OK;
}

void pelti_gltf_layout_destroy(pelti_gltf_layout* layout)
{
    pelt_arena_destroy(layout->arena);
    *layout = (pelti_gltf_layout){0};
}
