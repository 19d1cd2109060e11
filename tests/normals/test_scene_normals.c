// SPDX-License-Identifier: MIT
// Normal factors for a scene: those of each mesh by itself.
#include "failing_heap.h"
#include "rigs.h"

#include <string.h>

enum
{
    PLAIN,    // no centers
    CENTERED, // with centers
    BARE,     // no normals
    RIGID,    // no weights
    MESH_COUNT
};

typedef struct fixture
{
    pelt_scene* rig;
    pelt_mesh meshes[MESH_COUNT];
    pelt_scene scene;
    pelt_arena* arena;
} fixture;

static bool create(fixture* out)
{
    *out = (fixture){.arena = pelt_arena_create()};
    if (pelt_rig_build(&out->rig, "rig:arm?vertices=600", NULL) != PELT_OK)
    {
        return false;
    }
    for (uint32_t i = 0; i < MESH_COUNT; ++i)
    {
        out->meshes[i] = out->rig->meshes[0];
    }
    const pelt_mesh* mesh = &out->meshes[CENTERED];
    pelt_vec3* cors = pelt_arena_alloc(out->arena, mesh->vertex_count, sizeof *cors);
    pelt_result result = pelt_cor_solve(&cors, &(pelt_cor_input){1, &mesh}, NULL, NULL, NULL);
    out->meshes[CENTERED].cors = cors;
    out->meshes[BARE].normals = NULL;
    out->meshes[RIGID].weights = (pelt_weights){0};
    out->scene = *out->rig;
    out->scene.meshes = out->meshes;
    out->scene.mesh_count = MESH_COUNT;
    return result == PELT_OK;
}

static void destroy(fixture* f)
{
    pelt_scene_destroy(f->rig);
    pelt_arena_destroy(f->arena);
}

static int check_same(const pelt_normal_factors* a, const pelt_normal_factors* b)
{
    size_t count = b->vertex_count;
    ENSURE(a != NULL && a->vertex_count == b->vertex_count && a->joint_count == b->joint_count);
    ENSURE(a->factor_count == b->factor_count && a->max_factors == b->max_factors);
    ENSURE(a->slot_count == b->slot_count && a->bits == b->bits);
    ENSURE(test_is_same(a->first, b->first, count + 1, sizeof *a->first));
    ENSURE(test_is_same(a->factors, b->factors, b->factor_count, sizeof *a->factors));
    ENSURE(test_is_same(a->tangents, b->tangents, count, sizeof *a->tangents));
    ENSURE(test_is_same(a->plane_normals, b->plane_normals, count, sizeof *a->plane_normals));
    ENSURE(test_is_same(a->centers, b->centers, count, sizeof *a->centers));
    ENSURE(test_is_same(a->center_derivatives, b->center_derivatives, 2 * count,
                        sizeof *a->center_derivatives));
    return 0;
}

// ---------------------------------------------------------------------------------------------

static int factors_are_those_of_each_mesh_with_its_centers(void)
{
    static const uint32_t limits[] = {0, 2, 3, 4, 8};
    fixture f;
    ENSURE(create(&f));
    for (uint32_t i = 0; i < sizeof limits / sizeof limits[0]; ++i)
    {
        const pelt_normal_options options = {.max_joints = limits[i]};
        const pelt_scene_normal_options all = {.max_joints = limits[i]};
        pelt_scene better = f.scene;
        ENSURE(pelt_scene_add_normal_factors(&better, PELT_PREPARE_ALL, &all, NULL, f.arena,
                                             NULL) == PELT_OK);
        for (uint32_t m = PLAIN; m <= CENTERED; ++m)
        {
            pelt_normal_factors expected;
            ENSURE(pelt_normal_factors_build(&expected, &f.meshes[m], f.meshes[m].cors, &options,
                                             f.arena, NULL) == PELT_OK);
            ENSURE(expected.slot_count == limits[i]);
            ENSURE((expected.centers != NULL) == (m == CENTERED));
            ENSURE(check_same(better.meshes[m].normal_factors, &expected) == 0);
        }
        ENSURE(better.meshes[BARE].normal_factors == NULL);
        ENSURE(better.meshes[RIGID].normal_factors == NULL);
        ENSURE(f.meshes[PLAIN].normal_factors == NULL);
    }
    destroy(&f);
    return 0;
}

static int bits_give_the_rounded_factors(void)
{
    fixture f;
    ENSURE(create(&f));
    for (uint32_t bits = 8; bits <= 16; bits += 8)
    {
        const pelt_normal_options options = {.max_joints = 4};
        const pelt_scene_normal_options all = {.max_joints = 4, .bits = bits};
        pelt_scene better = f.scene;
        ENSURE(pelt_scene_add_normal_factors(&better, PELT_PREPARE_ALL, &all, NULL, f.arena,
                                             NULL) == PELT_OK);
        for (uint32_t m = PLAIN; m <= CENTERED; ++m)
        {
            pelt_normal_factors exact, expected;
            ENSURE(pelt_normal_factors_build(&exact, &f.meshes[m], f.meshes[m].cors, &options,
                                             f.arena, NULL) == PELT_OK);
            ENSURE(pelt_normal_factors_quantize(&expected, &exact, bits, f.arena) == PELT_OK);
            ENSURE(check_same(better.meshes[m].normal_factors, &expected) == 0);
        }
        ENSURE(pelt_scene_validate(&better, NULL) == PELT_OK);
    }
    destroy(&f);
    return 0;
}

static int missing_keeps_factors_that_go_with_the_centers(void)
{
    fixture f;
    pelt_scene_normal_report report;
    pelt_normal_factors plain, centered;
    ENSURE(create(&f));
    ENSURE(pelt_normal_factors_build(&plain, &f.meshes[PLAIN], NULL, NULL, f.arena, NULL) ==
           PELT_OK);
    ENSURE(pelt_normal_factors_build(&centered, &f.meshes[CENTERED], f.meshes[CENTERED].cors, NULL,
                                     f.arena, NULL) == PELT_OK);
    // Without centers they are of no use to crs, and are made again.
    f.meshes[PLAIN].normal_factors = f.meshes[CENTERED].normal_factors = &plain;
    pelt_scene better = f.scene;
    ENSURE(pelt_scene_add_normal_factors(&better, PELT_PREPARE_MISSING, NULL, &report, f.arena,
                                         NULL) == PELT_OK);
    ENSURE(report.mesh_count == 1 && report.centered_count == 1);
    ENSURE(better.meshes[PLAIN].normal_factors == &plain);
    ENSURE(check_same(better.meshes[CENTERED].normal_factors, &centered) == 0);

    f.meshes[CENTERED].normal_factors = &centered;
    better = f.scene;
    ENSURE(pelt_scene_add_normal_factors(&better, PELT_PREPARE_MISSING, NULL, &report, f.arena,
                                         NULL) == PELT_OK);
    ENSURE(report.mesh_count == 0 && better.meshes[CENTERED].normal_factors == &centered);
    ENSURE(pelt_scene_add_normal_factors(&better, PELT_PREPARE_ALL, NULL, &report, f.arena, NULL) ==
           PELT_OK);
    ENSURE(report.mesh_count == 2 && better.meshes[CENTERED].normal_factors != &centered);
    destroy(&f);
    return 0;
}

static int report_counts_meshes_and_vertices(void)
{
    fixture f;
    pelt_scene_normal_report report;
    ENSURE(create(&f));
    pelt_scene better = f.scene;
    ENSURE(pelt_scene_add_normal_factors(&better, PELT_PREPARE_ALL, NULL, &report, f.arena, NULL) ==
           PELT_OK);
    ENSURE(report.mesh_count == 2 && report.centered_count == 1 && report.bare_count == 1);
    ENSURE(report.vertex_count == 2 * (uint64_t)f.meshes[PLAIN].vertex_count);
    uint64_t varying = 0;
    const pelt_normal_factors* factors = better.meshes[PLAIN].normal_factors;
    for (uint32_t v = 0; v < factors->vertex_count; ++v)
    {
        varying += factors->first[v] != factors->first[v + 1];
    }
    ENSURE(varying > 0 && varying < factors->vertex_count && report.varying_count == 2 * varying);
    pelt_scene empty = {0};
    ENSURE(pelt_scene_add_normal_factors(&empty, PELT_PREPARE_ALL, NULL, &report, f.arena, NULL) ==
           PELT_OK);
    ENSURE(report.mesh_count == 0 && report.vertex_count == 0);
    destroy(&f);
    return 0;
}

static int frames_of_the_copy_deform_with_what_was_added(void)
{
    fixture f;
    pelt_frame frame;
    ENSURE(create(&f));
    pelt_scene better = *f.rig;
    ENSURE(pelt_scene_add_cors(&better, PELT_PREPARE_MISSING, NULL, NULL, f.arena, NULL) ==
           PELT_OK);
    ENSURE(pelt_scene_add_normal_factors(&better, PELT_PREPARE_MISSING, NULL, NULL, f.arena,
                                         NULL) == PELT_OK);
    ENSURE(test_is_same(better.meshes[0].cors, f.meshes[CENTERED].cors,
                        better.meshes[0].vertex_count, sizeof(pelt_vec3)));
    ENSURE(pelt_frame_create(&frame, &better) == PELT_OK);
    ENSURE(frame.cors[0] == better.meshes[0].cors);
    ENSURE(frame.normal_factors[0] == better.meshes[0].normal_factors);
    ENSURE(frame.normal_factors[0]->centers != NULL);
    pelt_frame_destroy(&frame);
    destroy(&f);
    return 0;
}

static int options_out_of_range_are_refused_and_change_nothing(void)
{
    static const pelt_scene_normal_options wrong[] = {{.max_joints = 5}, {.bits = 12}};
    fixture f;
    ENSURE(create(&f));
    for (uint32_t i = 0; i < 2; ++i)
    {
        pelt_scene better = f.scene;
        ENSURE(pelt_scene_add_normal_factors(&better, PELT_PREPARE_ALL, &wrong[i], NULL, f.arena,
                                             NULL) == PELT_ERROR_ARGUMENT);
        ENSURE(better.meshes == f.meshes);
    }
    destroy(&f);
    return 0;
}

static pelt_result attempt(const void* context)
{
    const fixture* f = context;
    const pelt_scene_normal_options options = {.max_joints = 4, .bits = 16};
    pelt_scene better = f->scene;
    pelt_arena* arena = pelt_arena_create();
    pelt_result result = arena != NULL ? pelt_scene_add_normal_factors(&better, PELT_PREPARE_ALL,
                                                                       &options, NULL, arena, NULL)
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

void test_scene_normals(void)
{
    RUN(factors_are_those_of_each_mesh_with_its_centers);
    RUN(bits_give_the_rounded_factors);
    RUN(missing_keeps_factors_that_go_with_the_centers);
    RUN(report_counts_meshes_and_vertices);
    RUN(frames_of_the_copy_deform_with_what_was_added);
    RUN(options_out_of_range_are_refused_and_change_nothing);
    RUN(a_lack_of_memory_is_a_result);
}
