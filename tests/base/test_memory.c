// SPDX-License-Identifier: MIT
// Out of memory is a result: each allocation of each function is made to fail in a run of its own.
#include "failing_heap.h"
#include "rigs.h"

#include <stdlib.h>

static int survives(failing_heap_attempt what, const void* context)
{
    return failing_heap_check(what, context, UINT32_MAX);
}

static pelt_result try_arena(const void* context)
{
    (void)context;
    pelt_arena* arena = pelt_arena_create();
    bool is_ok = arena && pelt_arena_alloc(arena, 10, 8) && pelt_arena_alloc(arena, 1000000, 8) &&
                 pelt_arena_string(arena, "text") && pelt_arena_format(arena, "%99999d", 1);
    pelt_arena_destroy(arena);
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}

static int arenas_survive(void)
{
    return survives(try_arena, NULL);
}

static int arena_goes_on_after_a_failure(void)
{
    counting_heap heap = {.kind = HEAP_FAIL_ONCE, .fail_at = 3};
    pelt_hooks before = pelt_hooks_get();
    pelt_hooks_set(&(pelt_hooks){
        .allocate = failing_heap_allocate, .release = failing_heap_release, .memory_user = &heap});
    pelt_arena* arena = pelt_arena_create();
    uint32_t* kept = pelt_arena_alloc(arena, 1, sizeof *kept);
    *kept = 7;
    void* failed = pelt_arena_alloc(arena, 100000, 1);
    void* again = pelt_arena_alloc(arena, 100000, 1);
    bool is_kept = *kept == 7;
    pelt_arena_destroy(arena);
    pelt_hooks_set(&before);
    ENSURE(failed == NULL && again != NULL && is_kept);
    ENSURE(atomic_load(&heap.live) == 0);
    return 0;
}

static pelt_result try_pool(const void* context)
{
    (void)context;
    pelt_pool* pool = pelt_pool_create(2);
    pelt_result result = pool ? PELT_OK : PELT_ERROR_MEMORY;
    pelt_pool_destroy(pool);
    return result;
}

static int pools_survive(void)
{
    return survives(try_pool, NULL);
}

static pelt_result try_pose(const void* context)
{
    pelt_pose pose;
    pelt_result result = pelt_pose_create(&pose, context);
    // After a failure the result is empty and owns nothing.
    bool is_empty = pose.locals == NULL && pose.morph_weights == NULL;
    if (result == PELT_OK)
    {
        pelt_pose_destroy(&pose);
    }
    return is_empty == (result != PELT_OK) ? result : PELT_ERROR_DATA;
}

static pelt_result try_palette(const void* context)
{
    (void)context;
    pelt_palette palette;
    pelt_result result = pelt_palette_create(&palette, 20);
    bool is_empty = palette.matrices == NULL && palette.motions == NULL && !palette.stretches;
    if (result == PELT_OK)
    {
        pelt_palette_destroy(&palette);
    }
    return is_empty == (result != PELT_OK) ? result : PELT_ERROR_DATA;
}

static pelt_result try_frame(const void* context)
{
    pelt_frame frame;
    pelt_result result = pelt_frame_create(&frame, context);
    bool is_empty = frame.arena == NULL && frame.surfaces == NULL && frame.palettes == NULL;
    if (result == PELT_OK)
    {
        pelt_frame_destroy(&frame);
    }
    return is_empty == (result != PELT_OK) ? result : PELT_ERROR_DATA;
}

// What could not be prepared is deformed by the reference.
static pelt_result try_prepared_frame(const void* context)
{
    const pelt_scene* scene = context;
    pelt_frame frame;
    pelt_pose pose;
    if (pelt_frame_create(&frame, scene) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    pelt_result result = pelt_pose_create(&pose, scene);
    if (result == PELT_OK)
    {
        result = pelt_frame_prepare(&frame, scene);
        bool is_prepared = frame.deformers[0] != NULL;
        pelt_frame_update(&frame, scene, &pose, &(pelt_deform_options){0});
        bool is_still = pelt_vec3_distance(frame.surfaces[0].positions[5],
                                           scene->meshes[0].positions[5]) < 1e-5f;
        result = is_still && is_prepared == (result == PELT_OK) ? result : PELT_ERROR_DATA;
        pelt_pose_destroy(&pose);
    }
    pelt_frame_destroy(&frame);
    return result;
}

static pelt_result try_cursor(const void* context)
{
    pelt_cursor cursor;
    pelt_result result = pelt_cursor_create(&cursor, context);
    bool is_empty = cursor.keys == NULL && cursor.track_count == 0;
    pelt_cursor_destroy(&cursor);
    return is_empty == (result != PELT_OK) ? result : PELT_ERROR_DATA;
}

static pelt_result try_player(const void* context)
{
    const pelt_scene* scene = context;
    pelt_player *player, *other = NULL;
    pelt_result result = pelt_player_create(&player, scene, &scene->clips[0]);
    bool is_empty = player == NULL;
    if (result == PELT_OK)
    {
        result = pelt_player_share(&other, player);
    }
    bool is_right = is_empty ? result != PELT_OK : (other == NULL) == (result != PELT_OK);
    pelt_player_destroy(other);
    pelt_player_destroy(player);
    return is_right ? result : PELT_ERROR_DATA;
}

typedef struct cor_attempt
{
    const pelt_mesh* mesh;
    pelt_cor_options options;
} cor_attempt;

static pelt_result try_cor(const void* context)
{
    const cor_attempt* attempt = context;
    pelt_vec3* centers = malloc(attempt->mesh->vertex_count * sizeof *centers);
    pelt_cor_input input = {1, &attempt->mesh};
    pelt_result result = pelt_cor_solve(&centers, &input, &attempt->options, NULL, NULL);
    free(centers);
    return result;
}

static int cors_survive(const pelt_mesh* mesh)
{
    for (int i = 0; i < PELT_COR_SOLVER_COUNT; ++i)
    {
        cor_attempt attempt = {mesh, {.solver = (pelt_cor_solver)i}};
        ENSURE(survives(try_cor, &attempt) == 0);
    }
    return 0;
}

static int poses_palettes_and_centers_survive(void)
{
    pelt_scene* scene;
    ENSURE(pelt_rig_build(&scene, "rig:bar?vertices=100", NULL) == PELT_OK);
    int failed = survives(try_pose, scene) || survives(try_palette, scene) ||
                 survives(try_frame, scene) || survives(try_prepared_frame, scene) ||
                 survives(try_cursor, scene) || survives(try_player, scene) ||
                 cors_survive(&scene->meshes[0]);
    pelt_scene_destroy(scene);
    return failed;
}

// Counts so large that each array of a frame takes a block of its own. Creating a frame asks the
// scene for counts and for parents.
static int large_frames_survive(void)
{
    static const pelt_vec3 normal;
    static const pelt_vec4 tangent;
    static pelt_instance instances[5000];
    static pelt_mesh meshes[9000];
    static pelt_skin skins[2000];
    static pelt_node nodes[3000];
    static uint32_t joints[5000];
    static pelt_mat34 inverse_binds[5000];
    for (uint32_t i = 0; i < 3000; ++i)
    {
        nodes[i].parent = PELT_NONE;
    }
    skins[0] = (pelt_skin){"skin", 5000, joints, inverse_binds};
    meshes[0].vertex_count = 6000;
    meshes[0].normals = &normal;
    meshes[0].tangents = &tangent;
    for (uint32_t i = 1; i < 5000; ++i)
    {
        instances[i].mesh = 1;
    }
    pelt_scene scene = {.node_count = 3000,
                        .mesh_count = 9000,
                        .skin_count = 2000,
                        .instance_count = 5000,
                        .nodes = nodes,
                        .meshes = meshes,
                        .skins = skins,
                        .instances = instances};
    return survives(try_frame, &scene);
}

enum
{
    VERTEX_COUNT = 30000 // so that results need blocks of their own
};

static pelt_result try_weights(const void* context)
{
    const pelt_weights_source* source = context;
    pelt_arena* arena = pelt_arena_create();
    if (arena == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    pelt_weights weights;
    pelt_result result = pelt_weights_import(&weights, NULL, source, arena);
    // After a failure the weights are empty.
    if (result != PELT_OK && weights.first != NULL)
    {
        result = PELT_ERROR_DATA;
    }
    pelt_arena_destroy(arena);
    return result;
}

static int weights_survive(void)
{
    static uint32_t joints[VERTEX_COUNT * 2];
    static float weights[VERTEX_COUNT * 2];
    for (uint32_t i = 0; i < VERTEX_COUNT * 2; ++i)
    {
        joints[i] = i % 5;
        weights[i] = 0.5f;
    }
    pelt_weights_source source = {.vertex_count = VERTEX_COUNT,
                                  .joint_count = 5,
                                  .per_vertex = 2,
                                  .joints_u32 = joints,
                                  .weights = weights};
    return survives(try_weights, &source);
}

// ---------------------------------------------------------------------------------------------

static pelt_result try_rig(const void* context)
{
    pelt_scene* scene;
    pelt_error error = {""};
    pelt_result result = pelt_rig_build(&scene, context, &error);
    // A failure returns no result and gives a reason.
    bool is_honest = (result == PELT_OK) == (scene != NULL);
    is_honest = is_honest && (result == PELT_OK) == (error.message[0] == '\0');
    pelt_scene_destroy(scene);
    return is_honest ? result : PELT_ERROR_DATA;
}

// The rigs that are cheap to build: every allocation, both ways.
static int small_rigs_survive(void)
{
    static const char* const names[] = {"rig:bar", "rig:cuboid", "rig:arm", "rig:box", "rig:cloth"};
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        ENSURE(survives(try_rig, names[i]) == 0);
    }
    return 0;
}

// Half a second each: the first allocations, and some of the others.
static int characters_survive(void)
{
    ENSURE(failing_heap_check(try_rig, "rig:human?vertices=2000", 10) == 0);
    ENSURE(!test_is_full_sweep() ||
           failing_heap_check(try_rig, "rig:raptor?vertices=2000", 10) == 0);
    return 0;
}

void test_memory(void)
{
    RUN(arenas_survive);
    RUN(arena_goes_on_after_a_failure);
    RUN(pools_survive);
    RUN(poses_palettes_and_centers_survive);
    RUN(large_frames_survive);
    RUN(weights_survive);
    RUN(small_rigs_survive);
    RUN(characters_survive);
}
