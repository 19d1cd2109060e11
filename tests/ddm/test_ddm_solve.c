// SPDX-License-Identifier: MIT
// Smoothed weights of odd meshes, of whole scenes, and when something fails.
#include "ddm_tube.h"
#include "failing_heap.h"
#include "shared_rig.h"

#include <stdlib.h>
#include <string.h>

static pelt_result solve(pelt_ddm* out, mesh_builder* s, const pelt_ddm_options* options,
                         pelt_error* error)
{
    const pelt_cor_input input = {1, &(const pelt_mesh*){&s->mesh}};
    pelt_result result = pelt_ddm_solve(out, &input, options, NULL, s->arena, error);
    s->mesh.weights.ddm = result == PELT_OK ? out : NULL;
    return result;
}

static bool are_finite(const pelt_vec3* points, uint32_t count)
{
    bool is_finite = true;
    for (uint32_t i = 0; i < count; ++i)
    {
        is_finite =
            is_finite && isfinite(points[i].x) && isfinite(points[i].y) && isfinite(points[i].z);
    }
    return is_finite;
}

static int weights_of_a_vertex_sum_to_one_strongest_first(void)
{
    for (uint64_t seed = 1; seed <= 4; ++seed)
    {
        mesh_builder* s = mesh_builder_random(seed);
        pelt_ddm ddm;
        ENSURE(solve(&ddm, s, &(pelt_ddm_options){.max_influences = 5}, NULL) == PELT_OK);
        for (uint32_t v = 0; v < s->mesh.vertex_count; ++v)
        {
            double sum = 0.0;
            pelt_vec3 moment = {0.0f, 0.0f, 0.0f};
            uint32_t first = ddm.first[v], end = ddm.first[v + 1];
            ENSURE(end - first >= 1 && end - first <= 5);
            for (uint32_t i = first; i < end; ++i)
            {
                sum += (double)ddm.influences[i].weight;
                const float* m = ddm.moments + PELT_DDM_MOMENTS * (size_t)i;
                moment = pelt_vec3_add(moment, pelt_vec3_make(m[3], m[7], m[11]));
                ENSURE(m[1] == m[4] && m[2] == m[8] && m[6] == m[9]);
                ENSURE(i == first || ddm.influences[i].weight <= ddm.influences[i - 1].weight);
            }
            ENSURE_NEAR(sum, 1.0, 1e-6);
            ENSURE(pelt_vec3_length(moment) < 1e-6f);
        }
        pelt_arena_destroy(s->arena);
    }
    return 0;
}

// A vertex without triangles, one with a triangle without area, one without weights, one with a
// single joint among others.
static int odd_vertices_are_finite_and_keep_the_rest_pose(void)
{
    mesh_builder* s = ddm_tube_create(0.3f);
    uint32_t alone = mesh_builder_add_shared(s, pelt_vec3_make(0.0f, 1.0f, 0.0f), 0, 1, 0.5f);
    uint32_t line = mesh_builder_add_shared(s, pelt_vec3_make(0.0f, 0.5f, 0.0f), 0, 1, 0.5f);
    uint32_t bare = mesh_builder_add_vertex(s, pelt_vec3_make(0.1f, 0.6f, 0.0f));
    uint32_t other = mesh_builder_add_vertex(s, pelt_vec3_make(0.0f, 0.7f, 0.0f));
    mesh_builder_add_influence(s, other, 7, 1.0f);
    mesh_builder_add_triangle(s, line, other, other);
    mesh_builder_add_triangle(s, line, bare, other);
    ENSURE(mesh_builder_bind(s));
    pelt_ddm ddm;
    ENSURE(solve(&ddm, s, NULL, NULL) == PELT_OK);
    ENSURE(ddm.radii[alone] == 0.0f && ddm.radii[line] > 0.0f);
    ENSURE(ddm.first[bare + 1] == ddm.first[bare]);
    ddm_tube_pose* pose = malloc(sizeof *pose);
    static pelt_vec3 positions[BUILDER_VERTICES], lbs[BUILDER_VERTICES];
    pelt_mat34 matrix = pelt_mat34_identity();
    ddm_tube_pose_set(pose, &matrix, &matrix);
    ddm_tube_deform(positions, NULL, s, pose, PELT_METHOD_DDM);
    for (uint32_t v = 0; v < s->mesh.vertex_count; ++v)
    {
        ENSURE_POINT(positions[v], s->positions[v], 1e-6);
    }
    matrix = ddm_tube_rotation(pelt_vec3_make(0.0f, 1.0f, 0.0f), 120.0f);
    const pelt_mat34 identity = pelt_mat34_identity();
    ddm_tube_pose_set(pose, &identity, &matrix);
    ddm_tube_deform(positions, NULL, s, pose, PELT_METHOD_DDM);
    ddm_tube_deform(lbs, NULL, s, pose, PELT_METHOD_LBS);
    ENSURE(are_finite(positions, s->mesh.vertex_count));
    ENSURE_POINT(positions[alone], lbs[alone], 0.0);
    ENSURE_POINT(positions[bare], s->positions[bare], 0.0);
    free(pose);
    pelt_arena_destroy(s->arena);
    return 0;
}

// All matrices zero, half of a rotation that cancels, numbers at the limits of float.
static int blends_without_a_rotation_are_finite(void)
{
    mesh_builder* s = ddm_tube_create(0.3f);
    pelt_ddm ddm;
    ddm_tube_pose* pose = malloc(sizeof *pose);
    static pelt_vec3 positions[BUILDER_VERTICES], normals[BUILDER_VERTICES];
    pelt_mat34 zero = {{{0}}}, identity = pelt_mat34_identity(), large = identity;
    large.m[0][3] = 1e30f;
    const pelt_mat34 maps[][2] = {
        {zero, zero},
        {identity, zero},
        {identity, ddm_tube_rotation(pelt_vec3_make(1.0f, 0.0f, 0.0f), 180.0f)},
        {identity, ddm_tube_rotation(pelt_vec3_make(0.0f, 0.0f, 1.0f), 180.0f)},
        {identity, large},
    };
    for (uint32_t i = 0; i < 5 * PELT_DDM_VARIANT_COUNT; ++i)
    {
        const pelt_mat34* map = maps[i % 5];
        ENSURE(solve(&ddm, s, &(pelt_ddm_options){.variant = (pelt_ddm_variant)(i / 5)}, NULL) ==
               PELT_OK);
        ddm_tube_pose_set(pose, &map[0], &map[1]);
        ddm_tube_deform(positions, normals, s, pose, PELT_METHOD_DDM);
        ENSURE(are_finite(positions, s->mesh.vertex_count));
    }
    free(pose);
    pelt_arena_destroy(s->arena);
    return 0;
}

// A vertex whose neighborhood has mirrored and other joints follows lbs, as under other methods.
static int neighborhoods_of_both_handednesses_follow_lbs(void)
{
    mesh_builder* s = ddm_tube_create(0.0f);
    pelt_ddm ddm;
    ENSURE(solve(&ddm, s, &(pelt_ddm_options){.iterations = 1}, NULL) == PELT_OK);
    ddm_tube_pose* pose = malloc(sizeof *pose);
    static pelt_vec3 positions[BUILDER_VERTICES], lbs[BUILDER_VERTICES];
    const pelt_mat34 identity = pelt_mat34_identity();
    pelt_mat34 mirror = identity;
    mirror.m[1][1] = -1.0f;
    ddm_tube_pose_set(pose, &identity, &mirror);
    ddm_tube_deform(positions, NULL, s, pose, PELT_METHOD_DDM);
    ddm_tube_deform(lbs, NULL, s, pose, PELT_METHOD_LBS);
    for (uint32_t v = 0; v < s->mesh.vertex_count; ++v)
    {
        // Those of one joint are exact under both.
        ENSURE_POINT(positions[v], lbs[v], 1e-6);
    }
    free(pose);
    pelt_arena_destroy(s->arena);
    return 0;
}

static int bits_do_not_depend_on_the_number_of_threads(void)
{
    const pelt_scene* rig = shared_rig("human?vertices=2000");
    ENSURE(rig != NULL);
    pelt_arena* arena = pelt_arena_create();
    pelt_scene scenes[3] = {*rig, *rig, *rig};
    for (uint32_t i = 0; i < 3; ++i)
    {
        pelt_pool* pool = pelt_pool_create(i + 1);
        pelt_hooks_set(&(pelt_hooks){.run = pelt_pool_run, .run_user = pool});
        ENSURE(pelt_scene_add_ddm(&scenes[i], PELT_PREPARE_ALL, NULL, NULL, arena, NULL) ==
               PELT_OK);
        pelt_hooks_set(&(pelt_hooks){0});
        pelt_pool_destroy(pool);
    }
    for (uint32_t i = 1; i < 3; ++i)
    {
        const pelt_ddm *a = scenes[0].meshes[0].weights.ddm, *b = scenes[i].meshes[0].weights.ddm;
        size_t count = a->influence_count;
        ENSURE(count == b->influence_count);
        ENSURE(memcmp(a->influences, b->influences, count * sizeof *a->influences) == 0);
        ENSURE(memcmp(a->moments, b->moments, count * PELT_DDM_MOMENTS * sizeof *a->moments) == 0);
        ENSURE(memcmp(a->centers, b->centers, a->vertex_count * sizeof *a->centers) == 0);
    }
    pelt_arena_destroy(arena);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Scenes

// The tube in two meshes, cut along the middle ring: the points there are the same as in one.
static int meshes_of_one_skin_are_one_surface(void)
{
    mesh_builder *whole = ddm_tube_create(0.3f), *half = ddm_tube_create(0.3f);
    mesh_builder* rest = ddm_tube_create(0.3f);
    uint32_t middle = 6 * TUBE_SIDES * (whole->mesh.index_count / 12 / TUBE_SIDES / 6);
    half->mesh.index_count = 6 * middle;
    rest->mesh.index_count -= 6 * middle;
    rest->mesh.indices += 6 * middle;
    pelt_ddm one, parts[2];
    const pelt_cor_input input = {2, (const pelt_mesh* [2]){&half->mesh, &rest->mesh}};
    ENSURE(solve(&one, whole, NULL, NULL) == PELT_OK);
    ENSURE(pelt_ddm_solve(parts, &input, NULL, NULL, half->arena, NULL) == PELT_OK);
    for (int k = 0; k < 2; ++k)
    {
        ENSURE(parts[k].influence_count == one.influence_count);
        ENSURE(memcmp(parts[k].first, one.first, (one.vertex_count + 1) * sizeof *one.first) == 0);
        for (uint32_t i = 0; i < one.influence_count; ++i)
        {
            ENSURE(parts[k].influences[i].joint == one.influences[i].joint);
            ENSURE_NEAR(parts[k].influences[i].weight, one.influences[i].weight, 1e-7);
        }
    }
    pelt_arena_destroy(whole->arena);
    pelt_arena_destroy(half->arena);
    pelt_arena_destroy(rest->arena);
    return 0;
}

static int scenes_keep_what_fits_their_digest(void)
{
    const pelt_scene* rig = shared_rig("bar?vertices=200");
    ENSURE(rig != NULL);
    pelt_arena* arena = pelt_arena_create();
    pelt_scene scene = *rig, again;
    pelt_ddm_report report;
    ENSURE(pelt_scene_add_ddm(&scene, PELT_PREPARE_MISSING, NULL, &report, arena, NULL) == PELT_OK);
    ENSURE(report.mesh_count == 1 && report.vertex_count == scene.meshes[0].vertex_count);
    ENSURE(report.influence_count == scene.meshes[0].weights.ddm->influence_count);
    again = scene;
    ENSURE(pelt_scene_add_ddm(&again, PELT_PREPARE_MISSING, NULL, &report, arena, NULL) == PELT_OK);
    ENSURE(report.mesh_count == 0 && again.meshes[0].weights.ddm == scene.meshes[0].weights.ddm);
    pelt_mesh moved = scene.meshes[0];
    pelt_vec3* positions = pelt_arena_alloc(arena, moved.vertex_count, sizeof *positions);
    memcpy(positions, moved.positions, moved.vertex_count * sizeof *positions);
    positions[3].x += 0.01f;
    moved.positions = positions;
    again.meshes = &moved;
    ENSURE(pelt_scene_add_ddm(&again, PELT_PREPARE_MISSING, NULL, &report, arena, NULL) == PELT_OK);
    ENSURE(report.mesh_count == 1 && again.meshes[0].weights.ddm != scene.meshes[0].weights.ddm);
    pelt_arena_destroy(arena);
    return 0;
}

// Frames take smoothed weights from the scene that they were made of, as they do with centers.
static int frames_deform_by_the_smoothed_weights_they_were_made_with(void)
{
    const pelt_scene* rig = shared_rig("bar?vertices=200");
    pelt_arena* arena = pelt_arena_create();
    pelt_scene scene = *rig;
    ENSURE(pelt_scene_add_ddm(&scene, PELT_PREPARE_ALL, NULL, NULL, arena, NULL) == PELT_OK);
    pelt_frame frames[2];
    pelt_pose pose;
    ENSURE(pelt_frame_create(&frames[0], &scene) == PELT_OK);
    ENSURE(pelt_frame_create(&frames[1], &scene) == PELT_OK);
    ENSURE(pelt_frame_prepare(&frames[1], &scene) == PELT_OK);
    ENSURE(pelt_pose_create(&pose, rig) == PELT_OK);
    pelt_pose_sample(&pose, rig, &rig->clips[0], 0.7f * rig->clips[0].duration, PELT_WRAP_CLAMP);
    const pelt_deform_options ddm = {.method = PELT_METHOD_DDM}, lbs = {0};
    size_t size = rig->meshes[0].vertex_count * sizeof(pelt_vec3);
    pelt_vec3* expected = pelt_arena_alloc(arena, 1, size);
    pelt_frame_update(&frames[0], &scene, &pose, &ddm);
    memcpy(expected, frames[0].surfaces[0].positions, size);
    pelt_frame_update(&frames[0], rig, &pose, &ddm);
    ENSURE(memcmp(expected, frames[0].surfaces[0].positions, size) == 0);
    pelt_frame_update(&frames[1], &scene, &pose, &ddm);
    ENSURE(memcmp(expected, frames[1].surfaces[0].positions, size) == 0);
    pelt_frame_update(&frames[0], &scene, &pose, &lbs);
    ENSURE(memcmp(expected, frames[0].surfaces[0].positions, size) != 0);
    pelt_pose_destroy(&pose);
    pelt_frame_destroy(&frames[0]);
    pelt_frame_destroy(&frames[1]);
    pelt_arena_destroy(arena);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Failure

static int options_out_of_range_are_refused(void)
{
    const pelt_ddm_options bad[] = {{.variant = PELT_DDM_VARIANT_COUNT},
                                    {.iterations = PELT_DDM_MAX_ITERATIONS + 1},
                                    {.lambda = 101.0f},
                                    {.lambda = 0.5f, .kappa = 0.6f},
                                    {.alpha = 1.5f},
                                    {.lambda = NAN},
                                    {.alpha = NAN},
                                    {.min_weight = 0.2f}};
    mesh_builder* s = ddm_tube_create(0.3f);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    {
        pelt_ddm ddm;
        pelt_error error = {0};
        ENSURE(solve(&ddm, s, &bad[i], &error) == PELT_ERROR_ARGUMENT);
        ENSURE(strlen(error.message) > 10);
    }
    pelt_arena_destroy(s->arena);
    return 0;
}

static int broken_meshes_are_refused(void)
{
    mesh_builder* s = ddm_tube_create(0.3f);
    pelt_ddm ddm;
    s->indices[4] = 100000;
    ENSURE(solve(&ddm, s, NULL, NULL) == PELT_ERROR_DATA);
    pelt_arena_destroy(s->arena);
    return 0;
}

static bool stop(float part, void* user)
{
    (void)part;
    ++*(int*)user;
    return false;
}

static int it_can_be_canceled(void)
{
    mesh_builder* s = ddm_tube_create(0.3f);
    pelt_ddm ddm;
    int calls = 0;
    const pelt_ddm_options options = {.progress = stop, .user = &calls};
    ENSURE(solve(&ddm, s, &options, NULL) == PELT_ERROR_CANCELED);
    ENSURE(calls == 1);
    pelt_arena_destroy(s->arena);
    return 0;
}

static pelt_result attempt(const void* context)
{
    pelt_scene scene = *(const pelt_scene*)context;
    pelt_arena* arena = pelt_arena_create();
    pelt_result result = PELT_ERROR_MEMORY;
    if (arena != NULL)
    {
        result = pelt_scene_add_ddm(&scene, PELT_PREPARE_ALL, NULL, NULL, arena, NULL);
    }
    pelt_arena_destroy(arena);
    return result;
}

static int out_of_memory_is_a_result(void)
{
    const pelt_scene* rig = shared_rig("bar?vertices=200");
    return failing_heap_check(attempt, rig, UINT32_MAX);
}

void test_ddm_solve(void)
{
    RUN(weights_of_a_vertex_sum_to_one_strongest_first);
    RUN(odd_vertices_are_finite_and_keep_the_rest_pose);
    RUN(blends_without_a_rotation_are_finite);
    RUN(neighborhoods_of_both_handednesses_follow_lbs);
    RUN(bits_do_not_depend_on_the_number_of_threads);
    RUN(meshes_of_one_skin_are_one_surface);
    RUN(scenes_keep_what_fits_their_digest);
    RUN(frames_deform_by_the_smoothed_weights_they_were_made_with);
    RUN(options_out_of_range_are_refused);
    RUN(broken_meshes_are_refused);
    RUN(it_can_be_canceled);
    RUN(out_of_memory_is_a_result);
}
