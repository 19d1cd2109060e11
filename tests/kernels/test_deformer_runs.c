// SPDX-License-Identifier: MIT
// Blocks that share their joints are moved together: what one of them is must not matter to others.
#include "deformer_check.h"
#include "pelt/prepare.h"

#include <string.h>

enum
{
    BLOCKS = 37, // more than kernels take at a time
    VERTICES = BLOCKS * PELT_DEFORMER_BLOCK
};

// What goes wrong in a block where two joints have equal weights, or nearly so around its vertices.
typedef enum trouble
{
    TROUBLE_FLAT,   // they are 180 degrees apart: lbs takes the plane of the rotation to a point
    TROUBLE_THIN,   // hardly anything is left of that plane
    TROUBLE_CANCEL, // their quaternions are opposite, and sign rules leave them so
} trouble;

typedef struct subject
{
    point_set points;
    pelt_normal_factor factor_list[2 * VERTICES];
    pelt_vec3 tangents[VERTICES];
    pelt_vec2 plane_normals[VERTICES];
    pelt_vec3 center_derivatives[2 * VERTICES];
    pelt_normal_factors factors;
    float mix_factors[VERTICES];
} subject;

// Weights that do not change around any vertex, as factors that say so, in planes across which
// normals have a slope.
// @param constant_block  where they are those of trouble, whatever those of the vertices
static void fill_factors(subject* inout, trouble kind, uint32_t constant_block)
{
    const point_set* m = &inout->points;
    static const float nearly_of[] = {
        [TROUBLE_FLAT] = 0.0f, [TROUBLE_THIN] = 0.0025f, [TROUBLE_CANCEL] = 0.0002f};
    const float nearly = nearly_of[kind];
    test_random random = {514};
    for (uint32_t v = 0; v < VERTICES; ++v)
    {
        bool is_constant = v / PELT_DEFORMER_BLOCK == constant_block;
        pelt_vec4 t = m->tangents[v];
        inout->tangents[v] = pelt_vec3_make(t.x, t.y, t.z);
        inout->plane_normals[v].x = test_uniform(&random, -0.4f, 0.4f);
        inout->plane_normals[v].y = test_uniform(&random, -0.4f, 0.4f);
        for (uint32_t i = 2 * v; i < 2 * v + 2; ++i)
        {
            float w = is_constant ? 0.5f + (i % 2 == 0 ? nearly : -nearly)
                                  : m->weights.influences[i].weight;
            inout->factor_list[i] = (pelt_normal_factor){.joint = m->weights.influences[i].joint,
                                                         .weight = w,
                                                         .moments = {{w, 0.0f}, {0.0f, w}}};
        }
    }
    inout->factors = (pelt_normal_factors){.vertex_count = VERTICES,
                                           .joint_count = m->joint_count,
                                           .factor_count = m->weights.first[VERTICES],
                                           .max_factors = 2,
                                           .first = m->weights.first,
                                           .factors = inout->factor_list,
                                           .tangents = inout->tangents,
                                           .plane_normals = inout->plane_normals,
                                           .centers = m->cors,
                                           .center_derivatives = inout->center_derivatives};
}

// Normals lie in the plane of the rotation, which the first kind of trouble takes to nothing.
// @param block       that has trouble; BLOCKS: none has
// @param is_outside  around its vertices, and not with themselves
static void subject_create(subject* out, trouble kind, uint32_t block, bool is_outside)
{
    memset(out, 0, sizeof *out);
    point_set m = point_set_random(512, VERTICES, 2, 2, 20.0f);
    test_random random = {block};
    for (uint32_t v = 0; v < VERTICES; ++v)
    {
        bool is_constant = v / PELT_DEFORMER_BLOCK == block && !is_outside;
        out->mix_factors[v] = test_uniform(&random, 0.0f, 1.0f);
        float angle = test_uniform(&random, 0.0f, 2.0f * PELT_PI);
        m.normals[v] = pelt_vec3_make(cosf(angle), sinf(angle), 0.0f);
        m.tangents[v] = (pelt_vec4){-sinf(angle), cosf(angle), 0.0f, 1.0f};
        m.joints[2 * v] = 0;
        m.joints[2 * v + 1] = 1;
        m.raw_weights[2 * v] = is_constant ? 0.5f : test_uniform(&random, 0.6f, 0.9f);
        m.raw_weights[2 * v + 1] = 1.0f - m.raw_weights[2 * v];
    }
    m.palette.matrices[1] = m.palette.matrices[0];
    for (int i = 0; i < 6 && kind != TROUBLE_CANCEL; ++i)
    {
        m.palette.matrices[1].m[i / 2][i % 2] *= -1.0f;
    }
    point_set_bind(&m);
    point_set_pose(&m);
    if (kind == TROUBLE_CANCEL)
    {
        m.palette.motions[1] = pelt_dquat_scale(m.palette.motions[0], -1.0f);
    }
    out->points = m;
    fill_factors(out, kind, is_outside ? block : BLOCKS);
}

static bool is_near(const pelt_surface* out, const pelt_surface* expected, uint32_t v)
{
    return pelt_vec3_distance(out->positions[v], expected->positions[v]) < 1e-5f &&
           pelt_vec3_distance(out->normals[v], expected->normals[v]) < 8.7e-4f; // 0.05 degrees
}

// By all kernels: all blocks at once have the bits that each has alone, the one with trouble has
// those of the reference, and all are near it.
static int check(const subject* s, const pelt_deform_options* options, uint32_t block)
{
    static surface_buffers together, alone, by_reference;
    const point_set* m = &s->points;
    const bool is_accurate = options->normal_rule == PELT_NORMAL_ACCURATE;
    pelt_deformer_source source = {.positions = m->positions,
                                   .normals = m->normals,
                                   .cors = m->cors,
                                   .mix_factors = s->mix_factors,
                                   .normal_factors = is_accurate ? &s->factors : NULL,
                                   .weights = &m->weights};
    pelt_deform_input input = point_set_input(m);
    input.tangents = NULL;
    input.mix_factors = s->mix_factors;
    input.normal_factors = source.normal_factors;
    const pelt_deformer_options how = {.weights = PELT_WEIGHTS_FLOAT};
    pelt_deformer* deformer;
    ENSURE(pelt_deformer_create(&deformer, &source, &how) == PELT_OK);
    ENSURE(deformer->blocks[0].run_length == BLOCKS);
    pelt_surface expected = surface_of(&by_reference);
    pelt_deform(&expected, &input, options, (pelt_range){0, VERTICES});
    for (int isa = 0; isa < PELTI_ISA_COUNT; ++isa)
    {
        const pelti_block_kernels* kernels = pelti_block_kernels_for((pelti_isa)isa);
        if (kernels == NULL)
        {
            continue;
        }
        pelt_surface out = surface_of(&together), each = surface_of(&alone);
        pelti_deformer_run(deformer, kernels, &out, &m->palette, options, (pelt_range){0, BLOCKS});
        for (uint32_t b = 0; b < BLOCKS; ++b)
        {
            pelti_deformer_run(deformer, kernels, &each, &m->palette, options, (pelt_range){b, 1});
        }
        ENSURE(memcmp(&together, &alone, sizeof together) == 0);
        uint32_t first = block * PELT_DEFORMER_BLOCK, same = 0;
        for (uint32_t v = 0; v < VERTICES; ++v)
        {
            bool is_same = memcmp(&out.normals[v], &expected.normals[v], sizeof *out.normals) == 0;
            ENSURE(is_near(&out, &expected, v));
            ENSURE(is_same || v < first || v >= first + PELT_DEFORMER_BLOCK);
            same += is_same;
        }
        ENSURE(same < VERTICES / 2); // kernels round in another way
    }
    pelt_deformer_destroy(deformer);
    return 0;
}

static int check_all(trouble kind, pelt_method method, pelt_normal_rule rule)
{
    static subject s;
    static const uint32_t blocks[] = {0, 1, 5, 31, 32, BLOCKS - 1, BLOCKS};
    const pelt_deform_options options = {
        .method = method, .mix = 0.25f, .sign_rule = PELT_SIGN_HIERARCHY, .normal_rule = rule};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i)
    {
        subject_create(&s, kind, blocks[i], rule == PELT_NORMAL_ACCURATE);
        ENSURE(check(&s, &options, blocks[i]) == 0);
        point_set_free(&s.points);
    }
    return 0;
}

static int flat_blocks_are_the_only_ones_for_the_reference(void)
{
    ENSURE(check_all(TROUBLE_FLAT, PELT_METHOD_LBS, PELT_NORMAL_STANDARD) == 0);
    ENSURE(check_all(TROUBLE_FLAT, PELT_METHOD_LBS, PELT_NORMAL_ACCURATE) == 0);
    return check_all(TROUBLE_THIN, PELT_METHOD_LBS, PELT_NORMAL_ACCURATE);
}

static int blocks_whose_quaternions_cancel_are_the_only_ones_for_the_reference(void)
{
    static const pelt_method methods[] = {PELT_METHOD_DQS, PELT_METHOD_MIX, PELT_METHOD_CRS};
    for (int i = 0; i < 3; ++i)
    {
        ENSURE(check_all(TROUBLE_CANCEL, methods[i], PELT_NORMAL_STANDARD) == 0);
        ENSURE(check_all(TROUBLE_CANCEL, methods[i], PELT_NORMAL_ACCURATE) == 0);
    }
    return 0;
}

// Whatever the order of its influences is, each vertex of a set of joints is in the same run.
static int the_order_of_influences_does_not_split_runs(void)
{
    point_set m = point_set_random(513, VERTICES, 3, 3, 20.0f);
    for (uint32_t v = 0; v < VERTICES; ++v)
    {
        for (uint32_t i = 0; i < 3; ++i)
        {
            m.joints[3 * v + i] = (v / 7 + i) % 3;
        }
    }
    point_set_bind(&m);
    pelt_deformer_source source = {.positions = m.positions, .weights = &m.weights};
    pelt_deformer* deformer;
    ENSURE(pelt_deformer_create(&deformer, &source, NULL) == PELT_OK);
    for (uint32_t b = 0; b < BLOCKS; ++b)
    {
        ENSURE(deformer->blocks[b].joint_count == 3);
        ENSURE(deformer->blocks[b].run_length == BLOCKS - b);
    }
    pelt_deformer_destroy(deformer);
    point_set_free(&m);
    return 0;
}

void test_deformer_runs(void)
{
    RUN(flat_blocks_are_the_only_ones_for_the_reference);
    RUN(blocks_whose_quaternions_cancel_are_the_only_ones_for_the_reference);
    RUN(the_order_of_influences_does_not_split_runs);
}
