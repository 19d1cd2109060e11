// SPDX-License-Identifier: MIT
// Accurate normals of deformers against the reference, on characters with triangles.
#include "deformer/deformer.h"
#include "failing_heap.h"
#include "pelt/prepare.h"
#include "rigs.h"
#include "test.h"

#include <string.h>

// A character in a random pose, with factors, by the reference and by a deformer.
typedef struct subject
{
    pelt_scene* scene;
    const pelt_mesh* mesh;
    pelt_frame frame;
    pelt_pose pose;
    pelt_arena* arena;
    pelt_normal_factors factors;
    pelt_deformer_source source;
    pelt_surface surface;
} subject;

static bool subject_create(subject* out, const char* rig)
{
    if (pelt_rig_build(&out->scene, rig, NULL) != PELT_OK ||
        pelt_frame_create(&out->frame, out->scene) != PELT_OK ||
        pelt_pose_create(&out->pose, out->scene) != PELT_OK)
    {
        return false;
    }
    const pelt_mesh* mesh = out->mesh = &out->scene->meshes[0];
    const pelt_cor_input input = {1, &mesh};
    uint32_t count = mesh->vertex_count;
    out->arena = pelt_arena_create();
    pelt_vec3* cors = pelt_arena_alloc(out->arena, count, sizeof *cors);
    out->surface = (pelt_surface){
        .positions = pelt_arena_alloc(out->arena, count, sizeof *out->surface.positions),
        .normals = pelt_arena_alloc(out->arena, count, sizeof *out->surface.normals)};
    if (pelt_cor_solve(&cors, &input, NULL, NULL) != PELT_OK ||
        pelt_normal_factors_build(&out->factors, mesh, cors, NULL, out->arena) != PELT_OK)
    {
        return false;
    }
    out->frame.cors[0] = cors;
    out->frame.normal_factors[0] = &out->factors;
    out->source = (pelt_deformer_source){.positions = mesh->positions,
                                         .normals = mesh->normals,
                                         .cors = cors,
                                         .normal_factors = &out->factors,
                                         .weights = &mesh->weights};
    return true;
}

static void subject_destroy(subject* s)
{
    pelt_arena_destroy(s->arena);
    pelt_pose_destroy(&s->pose);
    pelt_frame_destroy(&s->frame);
    pelt_scene_destroy(s->scene);
}

static void subject_pose(subject* s, uint64_t seed, float degrees)
{
    test_random random = {seed};
    for (uint32_t node = 0; node < s->scene->node_count; ++node)
    {
        pelt_quat rest = s->scene->nodes[node].rest.rotation;
        s->pose.locals[node].rotation = pelt_quat_mul(rest, test_rotation(&random, degrees));
    }
}

static pelt_range whole(const pelt_deformer* deformer)
{
    return (pelt_range){0, pelt_deformer_block_count(deformer)};
}

// How many normals are those of the reference to the bit, all of them being within 0.05 degrees;
// UINT32_MAX: one is not, or a position is off by 2e-6 of the size.
static uint32_t count_same(const subject* s, const pelt_deformer* deformer)
{
    const pelt_surface* expected = &s->frame.surfaces[0];
    pelt_bounds box = pelt_bounds_empty();
    const pelt_vec3 origin = {0.0f, 0.0f, 0.0f};
    pelt_bounds_add(&box, expected->positions, s->mesh->vertex_count);
    pelt_bounds_add(&box, &origin, 1);
    uint32_t same = 0;
    for (uint32_t place = 0; place < s->mesh->vertex_count; ++place)
    {
        uint32_t v = pelt_deformer_order(deformer)[place];
        pelt_vec3 p = s->surface.positions[place], n = s->surface.normals[place];
        bool is_near =
            pelt_vec3_distance(p, expected->positions[v]) <= 2e-6f * pelt_bounds_diagonal(&box) &&
            pelt_vec3_distance(n, expected->normals[v]) < 8.7e-4f; // the sine of 0.05 degrees
        if (!is_near)
        {
            return UINT32_MAX;
        }
        same += memcmp(&n, &expected->normals[v], sizeof n) == 0;
    }
    return same;
}

// ---------------------------------------------------------------------------------------------

static int check_rig(const char* rig)
{
    static const pelt_deformer_options how = {.weights = PELT_WEIGHTS_FLOAT};
    subject s;
    pelt_deformer* deformer;
    ENSURE(subject_create(&s, rig));
    ENSURE(pelt_deformer_create(&deformer, &s.source, &how) == PELT_OK);
    size_t size = s.mesh->vertex_count * sizeof(pelt_vec3);
    pelt_vec3* fused = pelt_arena_alloc(s.arena, s.mesh->vertex_count, sizeof *fused);
    for (uint32_t i = 0; i < 4 * 4; ++i)
    {
        pelt_deform_options options = {.method = (pelt_method)(i % 4),
                                       .sign_rule = (pelt_sign_rule)(i / 4),
                                       .normal_rule = PELT_NORMAL_ACCURATE,
                                       .mix = 0.3f};
        // Gentle poses, which kernels do alone, and wild ones.
        subject_pose(&s, i, (i + i / 4) % 2 == 0 ? 15.0f : 90.0f);
        pelt_frame_update(&s.frame, s.scene, &s.pose, &options);
        for (int isa = 0; isa < PELTI_ISA_COUNT; ++isa)
        {
            const pelti_block_kernels* kernels = pelti_block_kernels_for((pelti_isa)isa);
            if (kernels != NULL)
            {
                memset(s.surface.normals, 0xff, size);
                pelti_deformer_run(deformer, kernels, &s.surface, &s.frame.palettes[0], &options,
                                   whole(deformer));
                ENSURE(count_same(&s, deformer) <= s.mesh->vertex_count);
                ENSURE(isa <= PELTI_ISA_AVX2 || memcmp(fused, s.surface.normals, size) == 0);
                memcpy(fused, s.surface.normals, size);
            }
        }
    }
    pelt_deformer_destroy(deformer);
    subject_destroy(&s);
    return 0;
}

// Round and flat-shaded, with few joints and many.
static int every_kernel_agrees_with_the_reference(void)
{
    ENSURE(check_rig("arm") == 0);
    ENSURE(check_rig("cuboid") == 0);
    ENSURE(check_rig("human?vertices=2000") == 0);
    return 0;
}

// What the reference does is the same to the bit, and hardly a normal of a kernel is.
static int kernels_are_used_where_they_can_be(void)
{
    subject s;
    pelt_deformer* deformer;
    ENSURE(subject_create(&s, "arm"));
    subject_pose(&s, 7, 30.0f);
    ENSURE(pelt_deformer_create(&deformer, &s.source,
                                &(pelt_deformer_options){.weights = PELT_WEIGHTS_FLOAT}) ==
           PELT_OK);
    uint32_t count = s.mesh->vertex_count;
    for (uint32_t i = 0; i < PELT_METHOD_COUNT * 2; ++i)
    {
        pelt_deform_options options = {.method = (pelt_method)(i / 2),
                                       .normal_rule = (pelt_normal_rule)(1 + i % 2),
                                       .mix = 0.5f};
        pelt_frame_update(&s.frame, s.scene, &s.pose, &options);
        pelt_deformer_run(deformer, &s.surface, &s.frame.palettes[0], &options, whole(deformer));
        uint32_t same = count_same(&s, deformer);
        bool is_covered =
            options.normal_rule == PELT_NORMAL_ACCURATE && options.method <= PELT_METHOD_CRS;
        ENSURE(is_covered ? same < count / 2 : same == count);
    }
    pelt_deformer_destroy(deformer);
    subject_destroy(&s);
    return 0;
}

// Kernels of accurate normals are for rigid joints.
static int joints_that_scale_are_those_of_the_reference(void)
{
    subject s;
    pelt_deformer* deformer;
    ENSURE(subject_create(&s, "arm"));
    subject_pose(&s, 8, 30.0f);
    s.pose.locals[s.scene->node_count - 1].scale = pelt_vec3_make(1.3f, 0.8f, 1.1f);
    ENSURE(pelt_deformer_create(&deformer, &s.source, NULL) == PELT_OK);
    for (uint32_t i = 0; i < 4; ++i)
    {
        pelt_deform_options options = {
            .method = (pelt_method)i, .normal_rule = PELT_NORMAL_ACCURATE, .mix = 0.5f};
        pelt_frame_update(&s.frame, s.scene, &s.pose, &options);
        ENSURE(!s.frame.palettes[0].is_rigid);
        pelt_deformer_run(deformer, &s.surface, &s.frame.palettes[0], &options, whole(deformer));
        ENSURE(count_same(&s, deformer) == s.mesh->vertex_count);
    }
    pelt_deformer_destroy(deformer);
    subject_destroy(&s);
    return 0;
}

// Without normals to write there is nothing to derive.
static int positions_alone_do_not_depend_on_the_rule(void)
{
    subject s;
    pelt_deformer* deformer;
    ENSURE(subject_create(&s, "arm"));
    subject_pose(&s, 9, 30.0f);
    ENSURE(pelt_deformer_create(&deformer, &s.source, NULL) == PELT_OK);
    size_t size = s.mesh->vertex_count * sizeof(pelt_vec3);
    pelt_surface alone = {.positions =
                              pelt_arena_alloc(s.arena, s.mesh->vertex_count, sizeof(pelt_vec3))};
    for (uint32_t i = 0; i < 4; ++i)
    {
        pelt_deform_options options = {.method = (pelt_method)i, .mix = 0.5f};
        pelt_frame_update(&s.frame, s.scene, &s.pose, &options);
        pelt_deformer_run(deformer, &s.surface, &s.frame.palettes[0], &options, whole(deformer));
        options.normal_rule = PELT_NORMAL_ACCURATE;
        pelt_deformer_run(deformer, &alone, &s.frame.palettes[0], &options, whole(deformer));
        ENSURE(memcmp(alone.positions, s.surface.positions, size) == 0);
    }
    pelt_deformer_destroy(deformer);
    subject_destroy(&s);
    return 0;
}

static pelt_result create_and_destroy(const void* context)
{
    const subject* s = context;
    pelt_deformer* deformer;
    pelt_result result = pelt_deformer_create(&deformer, &s->source, NULL);
    pelt_deformer_destroy(deformer);
    return result;
}

static int out_of_memory_is_a_result(void)
{
    subject s;
    ENSURE(subject_create(&s, "arm"));
    ENSURE(failing_heap_check(create_and_destroy, &s, HEAP_FAIL_ONCE, 1000) == 0);
    subject_destroy(&s);
    return 0;
}

void test_deformer_normals(void)
{
    RUN(every_kernel_agrees_with_the_reference);
    RUN(kernels_are_used_where_they_can_be);
    RUN(joints_that_scale_are_those_of_the_reference);
    RUN(positions_alone_do_not_depend_on_the_rule);
    RUN(out_of_memory_is_a_result);
}
