// SPDX-License-Identifier: MIT
// Characters of extreme shapes: time and memory of preparation stay in proportion, and ordinary
// characters are not affected.
#include "load_inputs.h"
#include "pelt/prepare.h"
#include "rigs.h"
#include "test.h"

#include <time.h>

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static int shapes_are_valid_scenes(void)
{
    for (int shape = 0; shape < LOAD_SHAPE_COUNT; ++shape)
    {
        pelt_arena* arena = pelt_arena_create();
        pelt_scene scene;
        pelt_error error = {0};
        ENSURE(load_shape_build(&scene, (load_shape)shape, 200, arena));
        ENSURE(pelt_scene_validate(&scene, &error) == PELT_OK);
        pelt_arena_destroy(arena);
    }
    return 0;
}

// Triangles times pairs of joints are what takes time: 12 joints of a triangle are 66 pairs, and
// bisection would make 150 pieces of each.
static int unrelated_weights_are_bisected_less(void)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_scene scene;
    pelt_scene_cor_report fine, coarse;
    ENSURE(load_shape_build(&scene, LOAD_SHAPE_RANDOM, 8000, arena));
    ENSURE(pelt_scene_add_cors(&scene, PELT_PREPARE_ALL, NULL, &coarse, arena, NULL) == PELT_OK);
    ENSURE(coarse.total.epsilon == 0.2f);
    ENSURE((double)coarse.total.sample_count * 66.0 < 3.2e7);
    // The same as when that epsilon is asked for.
    const pelt_vec3* cors = scene.meshes[0].cors;
    pelt_cor_options options = {.epsilon = coarse.total.epsilon};
    ENSURE(pelt_scene_add_cors(&scene, PELT_PREPARE_ALL, &options, &fine, arena, NULL) == PELT_OK);
    ENSURE(fine.total.sample_count == coarse.total.sample_count);
    for (uint32_t v = 0; v < scene.meshes[0].vertex_count; ++v)
    {
        ENSURE(pelt_vec3_distance(cors[v], scene.meshes[0].cors[v]) == 0.0f);
    }
    pelt_arena_destroy(arena);
    return 0;
}

// Those of 2 joints out of 4: nearly all triangles are unlike each vertex.
static bool weigh_by_two(pelt_mesh* mesh, pelt_arena* arena)
{
    test_random random = {7};
    size_t count = 2 * (size_t)mesh->vertex_count;
    uint32_t* joints = pelt_arena_alloc(arena, count, sizeof *joints);
    float* weights = pelt_arena_alloc(arena, count, sizeof *weights);
    for (uint32_t v = 0; joints != NULL && weights != NULL && v < mesh->vertex_count; ++v)
    {
        joints[2 * v] = (uint32_t)test_uniform(&random, 0.0f, 3.999f);
        joints[2 * v + 1] = (joints[2 * v] + 1) % 4;
        weights[2 * v] = test_uniform(&random, 0.0f, 1.0f);
        weights[2 * v + 1] = 1.0f - weights[2 * v];
    }
    pelt_weights_source source = {.vertex_count = mesh->vertex_count,
                                  .joint_count = 64,
                                  .per_vertex = 2,
                                  .joints_u32 = joints,
                                  .weights = weights};
    return joints != NULL && weights != NULL &&
           pelt_weights_import(&mesh->weights, NULL, &source, arena) == PELT_OK;
}

// Exact sums are vertices times pieces: 5000 triangles have 1e6 of these, and 70 vertices need it.
static int exact_sums_are_limited(void)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_scene scene;
    ENSURE(load_shape_build(&scene, LOAD_SHAPE_FAN, 8000, arena));
    pelt_mesh mesh = scene.meshes[0];
    ENSURE(weigh_by_two(&mesh, arena));
    scene.meshes = &mesh;
    pelt_scene_cor_report report;
    double start = cpu_seconds();
    ENSURE(pelt_scene_add_cors(&scene, PELT_PREPARE_ALL, NULL, &report, arena, NULL) == PELT_OK);
    printf("  %u vertices exactly, %u not, %.2f s\n", report.total.exact_count,
           report.total.coarse_count, cpu_seconds() - start);
    ENSURE(report.total.coarse_count > 0 && report.total.epsilon == 0.1f);
    // Whatever they are, they are means of the surface: within its bounds.
    pelt_bounds box = pelt_bounds_empty();
    pelt_bounds_add(&box, mesh.positions, mesh.vertex_count);
    for (uint32_t v = 0; v < mesh.vertex_count; ++v)
    {
        pelt_vec3 c = scene.meshes[0].cors[v];
        ENSURE(c.x >= box.min.x && c.x <= box.max.x && c.y >= box.min.y && c.y <= box.max.y);
    }
    // And those of a sample are as the definition has them, but for what tables lose.
    const pelt_mesh* meshes[1] = {&mesh};
    pelt_vec3* expected = pelt_arena_alloc(arena, mesh.vertex_count, sizeof *expected);
    pelt_cor_options full = {.solver = PELT_COR_FULL, .stride = 1000};
    pelt_cor_input input = {1, meshes};
    ENSURE(pelt_cor_solve(&expected, &input, &full, NULL, NULL) == PELT_OK);
    for (uint32_t v = 0; v < mesh.vertex_count; v += 1000)
    {
        ENSURE(pelt_vec3_distance(expected[v], scene.meshes[0].cors[v]) < 1e-3f);
    }
    pelt_arena_destroy(arena);
    return 0;
}

// One triangle for each set of joints, whole: each is a haul of its own when few sets are wanted.
static int many_sets_of_joints_have_room(void)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_scene scene;
    ENSURE(load_shape_build(&scene, LOAD_SHAPE_RANDOM, 20000, arena));
    pelt_cor_options options = {.epsilon = 0.5f};
    ENSURE(pelt_scene_add_cors(&scene, PELT_PREPARE_ALL, &options, NULL, arena, NULL) == PELT_OK);
    pelt_arena_destroy(arena);
    return 0;
}

static int characters_are_not_limited(void)
{
    static const char* const names[] = {"rig:human", "rig:raptor?influences=16", "rig:cloth"};
    for (int i = 0; i < 3; ++i)
    {
        pelt_scene* rig;
        ENSURE(pelt_rig_build(&rig, names[i], NULL) == PELT_OK);
        pelt_arena* arena = pelt_arena_create();
        pelt_scene scene = *rig;
        pelt_scene_cor_report report;
        ENSURE(pelt_scene_add_cors(&scene, PELT_PREPARE_ALL, NULL, &report, arena, NULL) ==
               PELT_OK);
        ENSURE(report.total.epsilon == 0.1f && report.total.coarse_count == 0);
        pelt_arena_destroy(arena);
        pelt_scene_destroy(rig);
    }
    return 0;
}

// Ratios of processor time: quadratic growth would be 16 for four times as many triangles.
static int normal_factors_grow_in_proportion(void)
{
    for (int shape = 0; shape <= LOAD_SHAPE_RANDOM; ++shape)
    {
        double seconds[2];
        for (uint32_t i = 0; i < 2; ++i)
        {
            pelt_arena* arena = pelt_arena_create();
            pelt_scene scene;
            ENSURE(load_shape_build(&scene, (load_shape)shape, 5000u << 2 * i, arena));
            double start = cpu_seconds();
            ENSURE(pelt_scene_add_normal_factors(&scene, PELT_PREPARE_ALL, NULL, NULL, arena,
                                                 NULL) == PELT_OK);
            seconds[i] = cpu_seconds() - start;
            pelt_arena_destroy(arena);
        }
        // A few milliseconds are not worth a ratio.
        ENSURE(seconds[1] < 0.25 || seconds[1] < 10.0 * seconds[0]);
    }
    return 0;
}

void test_load_shapes(void)
{
    RUN(shapes_are_valid_scenes);
    RUN(unrelated_weights_are_bisected_less);
    RUN(exact_sums_are_limited);
    RUN(many_sets_of_joints_have_room);
    RUN(characters_are_not_limited);
    RUN(normal_factors_grow_in_proportion);
}
