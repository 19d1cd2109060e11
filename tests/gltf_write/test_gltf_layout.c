// SPDX-License-Identifier: MIT
// Which node carries an instance in a written file: what cursors find, against the plain rule.
#include "gltf_write/gltf_write.h"

#include "test.h"

#include <string.h>

enum
{
    NODE_COUNT = 24,
    INSTANCE_COUNT = 30,
    MESH_COUNT = 4,
};

typedef struct crowd
{
    pelt_node nodes[NODE_COUNT];
    pelt_mesh meshes[MESH_COUNT];
    pelt_skin skin;
    pelt_instance instances[INSTANCE_COUNT];
    pelt_track tracks[NODE_COUNT / 3];
    pelt_clip clip;
    pelt_scene scene;
} crowd;

static uint32_t pick(test_random* random, uint32_t count)
{
    return (uint32_t)test_uniform(random, 0.0f, (float)count - 0.01f);
}

// Roots and children, and meshes with and without a skin anywhere among them.
static void crowd_make(crowd* c, uint64_t seed)
{
    test_random random = {seed};
    float skinned_part = test_uniform(&random, 0.0f, 1.0f);
    float root_part = test_uniform(&random, 0.0f, 1.0f);
    *c = (crowd){.skin = {.name = "skin"}};
    for (uint32_t i = 0; i < NODE_COUNT; ++i)
    {
        bool is_root = i == 0 || test_uniform(&random, 0.0f, 1.0f) < root_part;
        c->nodes[i] =
            (pelt_node){"node", is_root ? PELT_NONE : pick(&random, i), pelt_transform_identity()};
        c->nodes[i].rest.translation.x = (float)pick(&random, 2);
    }
    for (uint32_t i = 0; i < NODE_COUNT / 3; ++i)
    {
        c->tracks[i] = (pelt_track){.target = 3 * i, .path = PELT_PATH_SCALE};
    }
    c->clip = (pelt_clip){"clip", 1.0f, NODE_COUNT / 3, c->tracks};
    static const char* const names[MESH_COUNT] = {"a", "b", "c", "d"};
    for (uint32_t i = 0; i < MESH_COUNT; ++i)
    {
        c->meshes[i] = (pelt_mesh){.name = names[i], .material = PELT_NONE};
    }
    for (uint32_t i = 0; i < INSTANCE_COUNT; ++i)
    {
        bool is_skinned = test_uniform(&random, 0.0f, 1.0f) < skinned_part;
        c->instances[i] = (pelt_instance){.mesh = pick(&random, MESH_COUNT),
                                          .skin = is_skinned ? 0 : PELT_NONE,
                                          .node = pick(&random, NODE_COUNT)};
    }
    c->scene = (pelt_scene){.node_count = NODE_COUNT,
                            .mesh_count = MESH_COUNT,
                            .skin_count = 1,
                            .instance_count = INSTANCE_COUNT,
                            .clip_count = 1,
                            .nodes = c->nodes,
                            .meshes = c->meshes,
                            .skins = &c->skin,
                            .instances = c->instances,
                            .clips = &c->clip};
}

// ---------------------------------------------------------------------------------------------
// The rule: a node of its own for each, after that of the instance before. Unskinned instances keep
// theirs where no other has it. The others take their own or another root, if that has no transform
// and no clip moves it, before that of the next unskinned one; or an extra one just there.

static uint32_t find_limit(const crowd* c, uint32_t instance, uint32_t next)
{
    for (uint32_t i = instance + 1; i < INSTANCE_COUNT; ++i)
    {
        if (c->instances[i].skin == PELT_NONE && c->instances[i].node >= next)
        {
            return c->instances[i].node;
        }
    }
    return NODE_COUNT;
}

// A root without a transform; clips move every third node.
static bool is_plain(const crowd* c, uint32_t node)
{
    return c->nodes[node].parent == PELT_NONE && c->nodes[node].rest.translation.x == 0.0f &&
           node % 3 != 0;
}

static uint32_t find_free(const crowd* c, const bool* is_taken, pelt_range range)
{
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        if (!is_taken[i] && is_plain(c, i))
        {
            return i;
        }
    }
    return PELT_NONE;
}

static uint32_t choose(const crowd* c, const bool* is_taken, uint32_t instance, uint32_t next)
{
    uint32_t limit = find_limit(c, instance, next), own = c->instances[instance].node;
    pelt_range range = {next, limit > next ? limit - next : 0};
    bool is_own = own >= next && own < limit && !is_taken[own] && is_plain(c, own);
    return is_own ? own : find_free(c, is_taken, range);
}

static uint32_t place_all(uint32_t* node_of, const crowd* c)
{
    bool is_taken[NODE_COUNT] = {false};
    uint32_t count = NODE_COUNT, next = 0;
    for (uint32_t i = 0; i < INSTANCE_COUNT; ++i)
    {
        bool* own = &is_taken[c->instances[i].node];
        bool is_kept = c->instances[i].skin == PELT_NONE && !*own;
        node_of[i] = is_kept ? c->instances[i].node : PELT_NONE;
        *own = *own || is_kept;
    }
    for (uint32_t i = 0; i < INSTANCE_COUNT; ++i)
    {
        bool is_skinned = c->instances[i].skin != PELT_NONE;
        uint32_t end = is_skinned ? find_limit(c, i, next) : NODE_COUNT;
        node_of[i] = is_skinned ? choose(c, is_taken, i, next) : node_of[i];
        uint32_t passed = node_of[i] != PELT_NONE ? node_of[i] + 1 : end;
        if (node_of[i] == PELT_NONE)
        {
            node_of[i] = count++;
        }
        else
        {
            is_taken[node_of[i]] = true;
        }
        next = passed > next ? passed : next;
    }
    return count;
}

// Numbers in the file are all different, and those of instances ascend unless the nodes of
// unskinned ones do not.
static int check_numbers(const crowd* c, const pelti_gltf_layout* layout)
{
    bool is_seen[NODE_COUNT + INSTANCE_COUNT] = {false};
    uint32_t least = 0;
    bool is_ascending = true;
    for (uint32_t i = 0; i < layout->node_count; ++i)
    {
        uint32_t index = layout->index_of[i];
        ENSURE(index < layout->node_count && !is_seen[index]);
        is_seen[index] = true;
        ENSURE(i == 0 || i >= NODE_COUNT || index > layout->index_of[i - 1]);
    }
    for (uint32_t i = 0; i < INSTANCE_COUNT; ++i)
    {
        bool is_own = c->instances[i].skin == PELT_NONE;
        is_ascending = is_ascending && !(is_own && c->instances[i].node < least);
        least = is_own ? c->instances[i].node + 1 : least;
    }
    for (uint32_t i = 1; i < INSTANCE_COUNT && is_ascending; ++i)
    {
        ENSURE(layout->index_of[layout->node_of[i]] > layout->index_of[layout->node_of[i - 1]]);
    }
    return 0;
}

static int instances_stand_where_the_rule_puts_them(void)
{
    for (uint64_t seed = 1; seed <= 2000; ++seed)
    {
        static crowd c;
        uint32_t expected[INSTANCE_COUNT];
        pelti_gltf_layout layout;
        crowd_make(&c, seed);
        uint32_t count = place_all(expected, &c);
        ENSURE(pelti_gltf_layout_create(&layout, &c.scene) == PELT_OK);
        ENSURE(layout.node_count == count);
        ENSURE(memcmp(layout.node_of, expected, sizeof expected) == 0);
        ENSURE(check_numbers(&c, &layout) == 0);
        pelti_gltf_layout_destroy(&layout);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------

// Two primitives of one mesh, each moved by a clip: together while all clips move them equally.
static int clips_that_differ_part_primitives(void)
{
    static const float times[2] = {0, 1}, values[2] = {0, 1}, others[2] = {0, 0.5f};
    pelt_morph morph = {.name = "smile"};
    pelt_mesh meshes[2] = {{.name = "hat_0", .morph_count = 1, .morphs = &morph},
                           {.name = "hat_1", .morph_count = 1, .morphs = &morph}};
    pelt_node node = {"node", PELT_NONE, pelt_transform_identity()};
    pelt_instance instances[2] = {{0, PELT_NONE, 0, 0}, {1, PELT_NONE, 0, 1}};
    for (int i = 0; i < 4; ++i)
    {
        // Equally; differently; the second alone; differently in the second clip only.
        const pelt_track tracks[2] = {
            {1, PELT_PATH_MORPH, 0, 2, 1, times, i == 1 ? others : values},
            {0, PELT_PATH_MORPH, 0, 2, 1, times, values},
        };
        const pelt_track last[2] = {tracks[1], {1, PELT_PATH_MORPH, 0, 2, 1, times, others}};
        const pelt_clip clips[2] = {{"clip", 1.0f, i == 2 ? 1 : 2, tracks},
                                    {"last", 1.0f, i == 3 ? 2 : 0, last}};
        const pelt_scene scene = {.node_count = 1,
                                  .mesh_count = 2,
                                  .instance_count = 2,
                                  .clip_count = 2,
                                  .nodes = &node,
                                  .meshes = meshes,
                                  .instances = instances,
                                  .clips = clips};
        pelti_gltf_layout layout;
        ENSURE(pelti_gltf_layout_create(&layout, &scene) == PELT_OK);
        ENSURE(layout.is_joined[1] == (i == 0));
        pelti_gltf_layout_destroy(&layout);
    }
    return 0;
}

// Joints of two trees hang below one node, which comes first; a skinned mesh does not.
static int joints_of_two_trees_get_an_ancestor(void)
{
    const pelt_node nodes[4] = {{"left", PELT_NONE, pelt_transform_identity()},
                                {"right", PELT_NONE, pelt_transform_identity()},
                                {"tip", 1, pelt_transform_identity()},
                                {"body", PELT_NONE, pelt_transform_identity()}};
    const uint32_t joints[2] = {0, 2};
    const pelt_skin skin = {.name = "skin", .joint_count = 2, .joints = joints};
    const pelt_mesh mesh = {.name = "mesh", .material = PELT_NONE};
    const pelt_instance instance = {.mesh = 0, .skin = 0, .node = 0};
    const pelt_scene scene = {.node_count = 4,
                              .mesh_count = 1,
                              .skin_count = 1,
                              .instance_count = 1,
                              .nodes = nodes,
                              .meshes = &mesh,
                              .skins = &skin,
                              .instances = &instance};
    pelti_gltf_layout layout;
    ENSURE(pelti_gltf_layout_create(&layout, &scene) == PELT_OK);
    ENSURE(layout.gathering == 0 && layout.node_count == 5 && layout.node_of[0] == 3);
    for (uint32_t i = 0; i < 4; ++i)
    {
        ENSURE(layout.index_of[i] == i + 1 && layout.is_gathered[i] == (i < 2));
    }
    pelti_gltf_layout_destroy(&layout);
    return 0;
}

void test_gltf_layout(void)
{
    RUN(joints_of_two_trees_get_an_ancestor);
    RUN(instances_stand_where_the_rule_puts_them);
    RUN(clips_that_differ_part_primitives);
}
