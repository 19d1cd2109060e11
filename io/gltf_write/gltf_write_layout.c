// SPDX-License-Identifier: MIT
// Assigns glTF meshes and nodes, so that reading the file gives the scene back.
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

// The primitives of a glTF mesh share its name, the names of its morph targets and their weights.
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

// Neighbors whose morph targets some clip moves differently: the primitives of a glTF mesh cannot.
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
    // A mesh without an instance is separate, and so is the mesh after it.
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
// Skins whose joints lie in several trees

static uint32_t find_root(const uint32_t* roots, const pelt_node* nodes, uint32_t node)
{
    return nodes[node].parent == PELT_NONE ? node : roots[nodes[node].parent];
}

// Find roots that need a common parent: glTF requires one node above all joints of a skin.
// @param roots  room for the root of each node
// @return whether there are any
static bool find_gathered(bool* is_gathered, uint32_t* roots, const pelt_scene* scene)
{
    bool has_any = false;
    for (uint32_t i = 0; i < scene->node_count; ++i)
    {
        roots[i] = find_root(roots, scene->nodes, i);
    }
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        const pelt_skin* skin = &scene->skins[i];
        bool is_one = true;
        for (uint32_t k = 1; k < skin->joint_count; ++k)
        {
            is_one = is_one && roots[skin->joints[k]] == roots[skin->joints[0]];
        }
        for (uint32_t k = 0; k < skin->joint_count && !is_one; ++k)
        {
            is_gathered[roots[skin->joints[k]]] = true;
            has_any = true;
        }
    }
    return has_any;
}

// ---------------------------------------------------------------------------------------------
// Nodes that carry instances
//
// Readers meet instances in the order of nodes, so each node should come after the one before. A
// skinned mesh ignores its node's transform, so that it belongs at the root, on a node that has
// none and that no clip moves. Where there is no such node it gets one, just before that of the
// next unskinned instance.
//
// Cursors only go forward: a node that is taken or too early, and an instance whose node is, stay
// so.

typedef struct node_search
{
    const pelt_scene* scene;
    const bool* is_joined;
    bool* is_taken;     // or promised to an unskinned instance
    bool* is_plain;     // a root without a transform that no clip moves
    uint32_t next;      // nodes before it would come too early
    uint32_t free_root; // no plain node from next up to it is free
    uint32_t follower;  // no unskinned instance from the one in hand up to it is at or past next
    uint32_t* extra_at; // for each extra node, in their order: the node that it comes before
    uint32_t extra_count;
} node_search;

static bool is_leader(const node_search* search, uint32_t instance)
{
    return !search->is_joined[search->scene->instances[instance].mesh];
}

static void find_plain(bool* is_plain, const pelt_scene* scene, const bool* is_gathered)
{
    const pelt_transform identity = pelt_transform_identity();
    for (uint32_t i = 0; i < scene->node_count; ++i)
    {
        const pelt_node* node = &scene->nodes[i];
        is_plain[i] = node->parent == PELT_NONE && !is_gathered[i] &&
                      memcmp(&node->rest, &identity, sizeof identity) == 0;
    }
    for (uint32_t c = 0; c < scene->clip_count; ++c)
    {
        for (uint32_t i = 0; i < scene->clips[c].track_count; ++i)
        {
            const pelt_track* track = &scene->clips[c].tracks[i];
            if (track->path != PELT_PATH_MORPH)
            {
                is_plain[track->target] = false;
            }
        }
    }
}

static uint32_t find_free_root(node_search* search)
{
    uint32_t* node = &search->free_root;
    *node = *node > search->next ? *node : search->next;
    while (*node < search->scene->node_count &&
           (search->is_taken[*node] || !search->is_plain[*node]))
    {
        ++*node;
    }
    return *node;
}

// The next unskinned instance, whose node is fixed.
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

static uint32_t choose_node(node_search* search, uint32_t instance, uint32_t limit)
{
    uint32_t own = search->scene->instances[instance].node;
    if (own >= search->next && own < limit && !search->is_taken[own] && search->is_plain[own])
    {
        return own;
    }
    uint32_t root = find_free_root(search);
    return root < limit ? root : PELT_NONE;
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

// @param node_of  nodes of the scene; from scene->node_count up: the extra ones
static void place_instances(uint32_t* node_of, node_search* search)
{
    const pelt_scene* scene = search->scene;
    promise_nodes(search, node_of);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        if (!is_leader(search, i))
        {
            node_of[i] = node_of[i - 1];
            continue;
        }
        uint32_t limit = scene->node_count;
        if (scene->instances[i].skin != PELT_NONE)
        {
            limit = find_limit(search, i);
            node_of[i] = choose_node(search, i, limit);
        }
        uint32_t passed = node_of[i] + 1;
        if (node_of[i] == PELT_NONE)
        {
            node_of[i] = scene->node_count + search->extra_count;
            search->extra_at[search->extra_count++] = limit;
            passed = limit;
        }
        else
        {
            search->is_taken[node_of[i]] = true;
        }
        search->next = passed > search->next ? passed : search->next;
    }
}

// ---------------------------------------------------------------------------------------------

// Numbers in the file: each extra node comes before the one that it was made for.
// @param first  number of the first of all
static void number_nodes(uint32_t* index_of, const node_search* search, uint32_t first)
{
    uint32_t extra = 0, node_count = search->scene->node_count;
    for (uint32_t i = 0; i <= node_count; ++i)
    {
        while (extra < search->extra_count && search->extra_at[extra] <= i)
        {
            index_of[node_count + extra] = first + i + extra;
            ++extra;
        }
        if (i < node_count)
        {
            index_of[i] = first + i + extra;
        }
    }
}

typedef struct layout_arrays
{
    bool *is_joined, *is_taken, *is_parted, *is_plain, *is_gathered;
    const pelt_track** tracks;
    uint32_t *mesh_of, *node_of, *index_of, *extra_at, *roots;
} layout_arrays;

static bool allocate(layout_arrays* out, const pelt_scene* scene, pelt_arena* arena)
{
    uint32_t instances = scene->instance_count, nodes = scene->node_count;
    size_t all = (size_t)nodes + instances;
    *out = (layout_arrays){
        .is_joined = pelt_arena_alloc(arena, scene->mesh_count, sizeof *out->is_joined),
        .is_taken = pelt_arena_alloc(arena, nodes, sizeof *out->is_taken),
        .is_parted = pelt_arena_alloc(arena, instances, sizeof *out->is_parted),
        .is_plain = pelt_arena_alloc(arena, nodes, sizeof *out->is_plain),
        .is_gathered = pelt_arena_alloc(arena, nodes, sizeof *out->is_gathered),
        .tracks = pelt_arena_alloc(arena, instances, sizeof *out->tracks),
        .mesh_of = pelt_arena_alloc(arena, scene->mesh_count, sizeof *out->mesh_of),
        .node_of = pelt_arena_alloc(arena, instances, sizeof *out->node_of),
        .index_of = pelt_arena_alloc(arena, all, sizeof *out->index_of),
        .extra_at = pelt_arena_alloc(arena, instances, sizeof *out->extra_at),
        .roots = pelt_arena_alloc(arena, nodes, sizeof *out->roots)};
    return out->is_joined != NULL && out->is_taken != NULL && out->is_parted != NULL &&
           out->is_plain != NULL && out->is_gathered != NULL && out->tracks != NULL &&
           out->mesh_of != NULL && out->node_of != NULL && out->index_of != NULL &&
           out->extra_at != NULL && out->roots != NULL;
}

pelt_result pelti_gltf_layout_create(pelti_gltf_layout* out, const pelt_scene* scene)
{
    layout_arrays a;
    *out = (pelti_gltf_layout){.arena = pelt_arena_create()};
    if (out->arena == NULL || !allocate(&a, scene, out->arena))
    {
        pelti_gltf_layout_destroy(out);
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        find_parted(a.is_parted, a.tracks, scene, &scene->clips[i]);
    }
    find_joined(a.is_joined, scene, a.is_parted);
    for (uint32_t i = 1; i < scene->mesh_count; ++i)
    {
        a.mesh_of[i] = a.mesh_of[i - 1] + !a.is_joined[i];
    }
    bool has_gathered = find_gathered(a.is_gathered, a.roots, scene);
    find_plain(a.is_plain, scene, a.is_gathered);
    node_search search = {.scene = scene,
                          .is_joined = a.is_joined,
                          .is_taken = a.is_taken,
                          .is_plain = a.is_plain,
                          .extra_at = a.extra_at};
    place_instances(a.node_of, &search);
    // A common parent comes first, as parents do.
    number_nodes(a.index_of, &search, has_gathered);
    out->node_count = scene->node_count + search.extra_count + has_gathered;
    out->gathering = has_gathered ? 0 : PELT_NONE;
    out->is_joined = a.is_joined;
    out->is_gathered = a.is_gathered;
    out->mesh_of = a.mesh_of;
    out->node_of = a.node_of;
    out->index_of = a.index_of;
    return PELT_OK;
}

void pelti_gltf_layout_destroy(pelti_gltf_layout* layout)
{
    pelt_arena_destroy(layout->arena);
    *layout = (pelti_gltf_layout){0};
}
