// SPDX-License-Identifier: MIT
// Centers of rotation for a scene: which meshes are solved together, and who gets what.
#include "failing_heap.h"
#include "mesh_builder.h"

#include <string.h>

enum
{
    BODY,  // skin 0
    COAT,  // skin 0
    TAIL,  // skin 1
    BOTH,  // skins 1 and 0
    RIGID, // no weights
    LOOSE, // weights, but no instance
    MESH_COUNT,
    VERTICES = 60, // of each
};

typedef struct fixture
{
    mesh_builder* builders[MESH_COUNT];
    pelt_mesh meshes[MESH_COUNT];
    pelt_skin skins[2];
    pelt_scene scene;
    pelt_arena* arena;
} fixture;

static const pelt_instance instances[] = {
    {.mesh = COAT, .skin = 0}, {.mesh = BODY, .skin = 0}, {.mesh = TAIL, .skin = 1},
    {.mesh = BOTH, .skin = 1}, {.mesh = BOTH, .skin = 0}, {.mesh = RIGID, .skin = PELT_NONE},
};

static bool create(fixture* out)
{
    *out = (fixture){.arena = pelt_arena_create()};
    for (uint32_t i = 0; i < MESH_COUNT; ++i)
    {
        out->builders[i] = mesh_builder_random(100 + i);
        if (out->builders[i] == NULL)
        {
            return false;
        }
        out->meshes[i] = out->builders[i]->mesh;
    }
    out->meshes[RIGID].weights = (pelt_weights){0};
    out->scene = (pelt_scene){.mesh_count = MESH_COUNT,
                              .skin_count = 2,
                              .instance_count = sizeof instances / sizeof instances[0],
                              .meshes = out->meshes,
                              .skins = out->skins,
                              .instances = instances};
    return out->arena != NULL;
}

static void destroy(fixture* f)
{
    for (uint32_t i = 0; i < MESH_COUNT; ++i)
    {
        pelt_arena_destroy(f->builders[i]->arena);
    }
    pelt_arena_destroy(f->arena);
}

// Solved by themselves, in the order of the scene.
typedef struct group
{
    pelt_vec3 cors[2][VERTICES];
    pelt_cor_report report;
} group;

static pelt_result solve_group(group* out, const fixture* f, const uint32_t* members,
                               uint32_t count, const pelt_cor_options* options)
{
    const pelt_mesh* meshes[2];
    pelt_vec3* outs[2] = {out->cors[0], out->cors[1]};
    for (uint32_t i = 0; i < count; ++i)
    {
        meshes[i] = &f->meshes[members[i]];
    }
    return pelt_cor_solve(outs, &(pelt_cor_input){count, meshes}, options, &out->report, NULL);
}

static bool are_same(const pelt_vec3* a, const pelt_vec3* b)
{
    return a != NULL && memcmp(a, b, VERTICES * sizeof *a) == 0;
}

// ---------------------------------------------------------------------------------------------

static int meshes_of_one_skin_are_solved_together_and_skins_apart(void)
{
    static const uint32_t first[] = {BODY, COAT}, second[] = {TAIL, BOTH}, third[] = {LOOSE};
    fixture f;
    group groups[3], alone;
    ENSURE(create(&f));
    ENSURE(solve_group(&groups[0], &f, first, 2, NULL) == PELT_OK);
    ENSURE(solve_group(&groups[1], &f, second, 2, NULL) == PELT_OK);
    ENSURE(solve_group(&groups[2], &f, third, 1, NULL) == PELT_OK);
    ENSURE(solve_group(&alone, &f, first, 1, NULL) == PELT_OK);
    pelt_scene better = f.scene;
    ENSURE(pelt_scene_add_cors(&better, PELT_PREPARE_ALL, NULL, NULL, f.arena, NULL) == PELT_OK);
    const pelt_mesh* m = better.meshes;
    ENSURE(are_same(m[BODY].cors, groups[0].cors[0]) && are_same(m[COAT].cors, groups[0].cors[1]));
    ENSURE(are_same(m[TAIL].cors, groups[1].cors[0]) && are_same(m[BOTH].cors, groups[1].cors[1]));
    ENSURE(are_same(m[LOOSE].cors, groups[2].cors[0]) && m[RIGID].cors == NULL);
    // Being together matters.
    ENSURE(!are_same(m[BODY].cors, alone.cors[0]));
    for (uint32_t i = 0; i < MESH_COUNT; ++i)
    {
        ENSURE(f.scene.meshes[i].cors == NULL && m[i].positions == f.meshes[i].positions);
    }
    destroy(&f);
    return 0;
}

static int report_is_the_sum_over_problems(void)
{
    static const uint32_t first[] = {BODY, COAT}, second[] = {TAIL, BOTH}, third[] = {LOOSE};
    // So narrow that tables are too coarse for some vertices.
    const pelt_cor_options options = {.sigma = 0.02f, .epsilon = -1.0f};
    fixture f;
    group groups[3];
    pelt_scene_cor_report report;
    ENSURE(create(&f));
    ENSURE(solve_group(&groups[0], &f, first, 2, &options) == PELT_OK);
    ENSURE(solve_group(&groups[1], &f, second, 2, &options) == PELT_OK);
    ENSURE(solve_group(&groups[2], &f, third, 1, &options) == PELT_OK);
    pelt_scene better = f.scene;
    ENSURE(pelt_scene_add_cors(&better, PELT_PREPARE_ALL, &options, &report, f.arena, NULL) ==
           PELT_OK);
    ENSURE(report.mesh_count == 5 && report.problem_count == 3 && report.factors_count == 0);
    pelt_cor_report sum = groups[0].report;
    for (uint32_t i = 1; i < 3; ++i)
    {
        const pelt_cor_report* part = &groups[i].report;
        sum.sample_count += part->sample_count;
        sum.solved_count += part->solved_count;
        sum.single_count += part->single_count;
        sum.dissimilar_count += part->dissimilar_count;
        sum.pair_count += part->pair_count;
        sum.tabulated_count += part->tabulated_count;
        sum.exact_count += part->exact_count;
        sum.peak_bytes = part->peak_bytes > sum.peak_bytes ? part->peak_bytes : sum.peak_bytes;
    }
    const pelt_cor_report* total = &report.total;
    ENSURE(sum.single_count > 0 && sum.exact_count > 0 && sum.pair_count > 0);
    ENSURE(total->vertex_count == 5 * VERTICES && total->triangle_count == 5 * 80);
    ENSURE(total->sample_count == sum.sample_count && total->solved_count == sum.solved_count);
    ENSURE(total->single_count == sum.single_count && total->pair_count == sum.pair_count);
    ENSURE(total->dissimilar_count == sum.dissimilar_count);
    ENSURE(total->tabulated_count == sum.tabulated_count && total->exact_count == sum.exact_count);
    ENSURE(total->peak_bytes == sum.peak_bytes);
    destroy(&f);
    return 0;
}

static int missing_keeps_what_meshes_have(void)
{
    static const uint32_t members[] = {BODY, COAT};
    static const pelt_vec3 own[VERTICES];
    fixture f;
    group both;
    pelt_scene_cor_report report;
    ENSURE(create(&f));
    f.meshes[BODY].cors = f.meshes[TAIL].cors = f.meshes[BOTH].cors = f.meshes[LOOSE].cors = own;
    ENSURE(solve_group(&both, &f, members, 2, NULL) == PELT_OK);
    pelt_scene better = f.scene;
    ENSURE(pelt_scene_add_cors(&better, PELT_PREPARE_MISSING, NULL, &report, f.arena, NULL) ==
           PELT_OK);
    ENSURE(report.mesh_count == 1 && report.problem_count == 1);
    ENSURE(report.total.vertex_count == 2 * VERTICES);
    for (uint32_t i = 0; i < MESH_COUNT; ++i)
    {
        ENSURE(i == COAT || better.meshes[i].cors == f.meshes[i].cors);
    }
    ENSURE(are_same(better.meshes[COAT].cors, both.cors[1]));

    ENSURE(pelt_scene_add_cors(&better, PELT_PREPARE_MISSING, NULL, &report, f.arena, NULL) ==
           PELT_OK);
    ENSURE(report.mesh_count == 0 && report.problem_count == 0 && report.total.vertex_count == 0);
    ENSURE(are_same(better.meshes[COAT].cors, both.cors[1]));

    better = f.scene;
    ENSURE(pelt_scene_add_cors(&better, PELT_PREPARE_ALL, NULL, &report, f.arena, NULL) == PELT_OK);
    ENSURE(report.mesh_count == 5 && are_same(better.meshes[BODY].cors, both.cors[0]));
    destroy(&f);
    return 0;
}

static int factors_do_not_outlive_the_centers_they_were_made_with(void)
{
    static const pelt_normal_factors factors;
    static const pelt_vec3 own[VERTICES];
    fixture f;
    pelt_scene_cor_report report;
    ENSURE(create(&f));
    f.meshes[BODY].cors = own;
    f.meshes[BODY].normal_factors = f.meshes[COAT].normal_factors = &factors;
    pelt_scene better = f.scene;
    ENSURE(pelt_scene_add_cors(&better, PELT_PREPARE_MISSING, NULL, &report, f.arena, NULL) ==
           PELT_OK);
    ENSURE(report.factors_count == 1 && better.meshes[BODY].normal_factors == &factors);
    ENSURE(better.meshes[COAT].normal_factors == NULL);
    ENSURE(f.meshes[COAT].normal_factors == &factors);
    destroy(&f);
    return 0;
}

static int a_scene_without_skins_has_nothing_to_solve(void)
{
    fixture f;
    pelt_scene_cor_report report;
    pelt_scene empty = {0};
    ENSURE(create(&f));
    ENSURE(pelt_scene_add_cors(&empty, PELT_PREPARE_ALL, NULL, &report, f.arena, NULL) == PELT_OK);
    ENSURE(report.mesh_count == 0 && empty.mesh_count == 0);
    pelt_scene rigid = f.scene;
    rigid.meshes += RIGID;
    rigid.mesh_count = 1;
    rigid.instance_count = rigid.skin_count = 0;
    ENSURE(pelt_scene_add_cors(&rigid, PELT_PREPARE_ALL, NULL, &report, f.arena, NULL) == PELT_OK);
    ENSURE(report.problem_count == 0 && rigid.meshes[0].cors == NULL);
    destroy(&f);
    return 0;
}

// ---------------------------------------------------------------------------------------------

typedef struct listener
{
    float last;
    uint32_t calls, most;
    bool is_steady;
} listener;

static bool listen(float part, void* user)
{
    listener* l = user;
    l->is_steady = l->is_steady && part >= l->last && part <= 1.0f;
    l->last = part;
    return ++l->calls <= l->most;
}

static int progress_goes_once_from_0_to_1_and_cancels(void)
{
    fixture f;
    listener l = {.most = UINT32_MAX, .is_steady = true};
    pelt_cor_options options = {.solver = PELT_COR_FULL, .progress = listen, .user = &l};
    ENSURE(create(&f));
    pelt_scene better = f.scene;
    ENSURE(pelt_scene_add_cors(&better, PELT_PREPARE_ALL, &options, NULL, f.arena, NULL) ==
           PELT_OK);
    ENSURE(l.is_steady && l.last == 1.0f && l.calls >= 3);

    l = (listener){.most = l.calls - 1, .is_steady = true};
    better = f.scene;
    ENSURE(pelt_scene_add_cors(&better, PELT_PREPARE_ALL, &options, NULL, f.arena, NULL) ==
           PELT_ERROR_CANCELED);
    ENSURE(better.meshes == f.meshes);
    destroy(&f);
    return 0;
}

static int options_out_of_range_are_refused_and_change_nothing(void)
{
    static const pelt_cor_options wrong[] = {{.sigma = -1.0f}, {.stride = 2}};
    fixture f;
    ENSURE(create(&f));
    for (uint32_t i = 0; i < 2; ++i)
    {
        pelt_scene better = f.scene;
        ENSURE(pelt_scene_add_cors(&better, PELT_PREPARE_ALL, &wrong[i], NULL, f.arena, NULL) ==
               PELT_ERROR_ARGUMENT);
        ENSURE(better.meshes == f.meshes);
    }
    destroy(&f);
    return 0;
}

static pelt_result attempt(const void* context)
{
    const fixture* f = context;
    // Whole triangles: this is about memory.
    const pelt_cor_options options = {.epsilon = -1.0f};
    pelt_scene better = f->scene;
    pelt_arena* arena = pelt_arena_create();
    pelt_result result =
        arena != NULL ? pelt_scene_add_cors(&better, PELT_PREPARE_ALL, &options, NULL, arena, NULL)
                      : PELT_ERROR_MEMORY;
    bool is_unchanged = better.meshes == f->meshes;
    pelt_arena_destroy(arena);
    return is_unchanged == (result != PELT_OK) ? result : PELT_ERROR_DATA;
}

static int a_lack_of_memory_is_a_result(void)
{
    fixture f;
    ENSURE(create(&f));
    ENSURE(failing_heap_check(attempt, &f, UINT32_MAX) == 0);
    destroy(&f);
    return 0;
}

void test_scene_cors(void)
{
    RUN(meshes_of_one_skin_are_solved_together_and_skins_apart);
    RUN(report_is_the_sum_over_problems);
    RUN(missing_keeps_what_meshes_have);
    RUN(factors_do_not_outlive_the_centers_they_were_made_with);
    RUN(a_scene_without_skins_has_nothing_to_solve);
    RUN(progress_goes_once_from_0_to_1_and_cancels);
    RUN(options_out_of_range_are_refused_and_change_nothing);
    RUN(a_lack_of_memory_is_a_result);
}
