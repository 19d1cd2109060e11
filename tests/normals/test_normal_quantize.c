// SPDX-License-Identifier: MIT
// Normal factors in integers of 16 and 8 bits: nothing is lost but digits.
#include "failing_heap.h"
#include "mesh_builder.h"
#include "normal_error.h"
#include "rigs.h"

#include <string.h>

static const uint32_t bit_counts[] = {16, 8};

static const float* numbers_of(const pelt_normal_factor* factor)
{
    return &factor->alpha; // beta and the moments follow
}

static pelt_normal_factors build(const mesh_builder* s, uint32_t max_joints)
{
    pelt_normal_factors out;
    pelt_normal_options options = {.max_joints = max_joints};
    return pelt_normal_factors_build(&out, &s->mesh, NULL, &options, s->arena, NULL) == PELT_OK
               ? out
               : (pelt_normal_factors){0};
}

// Sums of doubles that hold every digit.
static int check_sums(const pelt_normal_factors* f, uint32_t v)
{
    double weight = 0.0, sums[6] = {0}, whole = f->bits == 8 ? 255.0 : 65535.0;
    for (uint32_t i = f->first[v]; i < f->first[v + 1]; ++i)
    {
        double count = rint((double)f->factors[i].weight * whole);
        ENSURE(count >= 1.0 && f->factors[i].weight == (float)count / (float)whole);
        weight += count;
        for (int k = 0; k < 6; ++k)
        {
            sums[k] += (double)numbers_of(&f->factors[i])[k];
        }
    }
    ENSURE(weight == whole);
    for (int k = 0; k < 6; ++k)
    {
        ENSURE(sums[k] == (k == 2 || k == 5 ? 1.0 : 0.0));
    }
    return 0;
}

// Whole numbers of a power of two, as far from the floats as rounding and the sum take them.
static int check_numbers(const pelt_normal_factors* f, const pelt_normal_factors* from, uint32_t v)
{
    pelt_vec2 units = pelt_normal_units(f, v);
    int exponent;
    ENSURE(frexpf(units.x, &exponent) == 0.5f && frexpf(units.y, &exponent) == 0.5f);
    ENSURE(units.y <= 1.0f);
    const pelt_normal_factor* source = from->factors + from->first[v] - 1;
    for (uint32_t i = f->first[v]; i < f->first[v + 1]; ++i)
    {
        ENSURE(f->factors[i].joint == (++source)->joint);
        for (int k = 0; k < 6; ++k)
        {
            float unit = k < 2 ? units.x : units.y, value = numbers_of(&f->factors[i])[k];
            float count = value / unit;
            ENSURE(count == rintf(count) && fabsf(count) <= (f->bits == 8 ? 127.0f : 32767.0f));
            // The units may be half of those that were rounded to. Rates that are nothing but
            // rounding, of weights over edges of 1e-3 or more, need not sum to zero.
            ENSURE_NEAR(value, numbers_of(source)[k], 3.0f * unit + (k < 2 ? 1e-12f : 0.0f));
        }
    }
    return 0;
}

static int integers_keep_the_sums_exactly(void)
{
    const uint32_t limits[] = {0, 2, 3, 4, 8};
    for (uint64_t seed = 1; seed <= 40; ++seed)
    {
        mesh_builder* s = mesh_builder_random(seed);
        ENSURE(s != NULL);
        for (uint32_t i = 0; i < 10; ++i)
        {
            pelt_normal_factors f = build(s, limits[i / 2]), q;
            pelt_error error = {{0}};
            ENSURE(pelt_normal_factors_quantize(&q, &f, bit_counts[i % 2], s->arena) == PELT_OK);
            ENSURE(q.bits == bit_counts[i % 2] && q.max_factors == f.max_factors);
            ENSURE(q.factor_count == f.factor_count);
            ENSURE(pelt_normal_factors_validate(&q, &s->mesh, &error) == PELT_OK);
            for (uint32_t v = 0; v < q.vertex_count; ++v)
            {
                ENSURE(q.first[v] == q.first[v + 1] ||
                       (check_sums(&q, v) == 0 && check_numbers(&q, &f, v) == 0));
            }
        }
        pelt_arena_destroy(s->arena);
    }
    return 0;
}

static int rounding_twice_changes_nothing(void)
{
    for (uint32_t i = 0; i < 2; ++i)
    {
        mesh_builder* s = mesh_builder_random(7);
        pelt_normal_factors f = build(s, 4), once, twice;
        ENSURE(pelt_normal_factors_quantize(&once, &f, bit_counts[i], s->arena) == PELT_OK);
        ENSURE(pelt_normal_factors_quantize(&twice, &once, bit_counts[i], s->arena) == PELT_OK);
        ENSURE(memcmp(once.factors, twice.factors, once.factor_count * sizeof *once.factors) == 0);
        size_t count = once.vertex_count;
        ENSURE(memcmp(once.tangents, twice.tangents, count * sizeof *once.tangents) == 0);
        ENSURE(memcmp(once.plane_normals, twice.plane_normals,
                      count * sizeof *once.plane_normals) == 0);
        pelt_arena_destroy(s->arena);
    }
    return 0;
}

// A triangle 1000 times as long as high has moments of 0.75 * 250 at least. One is no multiple of
// the unit that 8 bits would need for them.
static int what_does_not_fit_is_as_if_weights_were_constant(void)
{
    mesh_builder* s = mesh_builder_create();
    const pelt_vec3 corners[3] = {
        {0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.5f, 1.0f / 1000.0f, 0.0f}};
    for (uint32_t k = 0; k < 3; ++k)
    {
        mesh_builder_add_shared(s, corners[k], k, 9, 0.25f);
    }
    mesh_builder_add_triangle(s, 0, 1, 2);
    ENSURE(mesh_builder_bind(s));
    pelt_normal_factors f = build(s, 0), q;
    ENSURE(f.factor_count == 12);
    ENSURE(pelt_normal_factors_quantize(&q, &f, 16, s->arena) == PELT_OK && q.factor_count == 12);
    ENSURE(pelt_normal_factors_quantize(&q, &f, 8, s->arena) == PELT_OK && q.factor_count == 0);
    ENSURE(q.max_factors == 0 && pelt_normal_factors_validate(&q, &s->mesh, NULL) == PELT_OK);
    pelt_arena_destroy(s->arena);
    return 0;
}

static int other_numbers_and_bits_are_refused(void)
{
    mesh_builder* s = mesh_builder_random(8);
    pelt_normal_factors f = build(s, 4), q;
    const uint32_t others[] = {0, 1, 12, 32};
    for (uint32_t i = 0; i < 4; ++i)
    {
        ENSURE(pelt_normal_factors_quantize(&q, &f, others[i], s->arena) == PELT_ERROR_ARGUMENT);
        ENSURE(q.first == NULL);
    }
    pelt_error error = {{0}};
    f.bits = 12;
    ENSURE(pelt_normal_factors_validate(&f, &s->mesh, &error) == PELT_ERROR_DATA);
    ENSURE(strstr(error.message, "8 or 16") != NULL);
    f.bits = 16;
    ENSURE(pelt_normal_factors_validate(&f, &s->mesh, &error) == PELT_ERROR_DATA);
    ENSURE(strstr(error.message, "lost in integers") != NULL);
    pelt_arena_destroy(s->arena);
    return 0;
}

// ---------------------------------------------------------------------------------------------

static double mean_difference(const pelt_scene* scene, const pelt_normal_factors* a,
                              const pelt_normal_factors* b, const pelt_pose* pose,
                              const pelt_deform_options* how)
{
    pelt_frame frames[2];
    normal_error error = {0};
    if (pelt_frame_create(&frames[0], scene) != PELT_OK ||
        pelt_frame_create(&frames[1], scene) != PELT_OK)
    {
        return (double)INFINITY;
    }
    for (int i = 0; i < 2; ++i)
    {
        frames[i].normal_factors[0] = i == 0 ? a : b;
        pelt_frame_update(&frames[i], scene, pose, how);
    }
    normal_error_add(&error, a, frames[1].surfaces[0].normals, frames[0].surfaces[0].normals);
    pelt_frame_destroy(&frames[0]);
    pelt_frame_destroy(&frames[1]);
    return normal_error_mean(&error);
}

// The mean angle for a person in all clips, in degrees. A weight is off by 1/510 at most with 8
// bits, which is 0.1 degrees of a rotation by 60; and by 1/256 of that with 16.
static int normals_hardly_change(void)
{
    const double bounds[] = {0.001, 0.2};
    pelt_scene* scene;
    pelt_pose pose;
    ENSURE(pelt_rig_build(&scene, "rig:human?vertices=3000", NULL) == PELT_OK);
    ENSURE(pelt_pose_create(&pose, scene) == PELT_OK);
    pelt_arena* arena = pelt_arena_create();
    pelt_normal_factors f, q;
    const pelt_normal_options options = {.max_joints = 4};
    ENSURE(pelt_normal_factors_build(&f, &scene->meshes[0], NULL, &options, arena, NULL) ==
           PELT_OK);
    for (uint32_t i = 0; i < 2 * scene->clip_count; ++i)
    {
        const pelt_clip* clip = &scene->clips[i / 2];
        ENSURE(pelt_normal_factors_quantize(&q, &f, bit_counts[i % 2], arena) == PELT_OK);
        pelt_pose_sample(&pose, scene, clip, 0.4f * clip->duration, PELT_WRAP_CLAMP);
        for (int method = 0; method <= PELT_METHOD_MIX; ++method)
        {
            pelt_deform_options how = {
                .method = (pelt_method)method, .mix = 0.5f, .normal_rule = PELT_NORMAL_ACCURATE};
            ENSURE(mean_difference(scene, &f, &q, &pose, &how) < bounds[i % 2]);
        }
    }
    pelt_arena_destroy(arena);
    pelt_pose_destroy(&pose);
    pelt_scene_destroy(scene);
    return 0;
}

static pelt_result attempt(const void* context)
{
    pelt_normal_factors out;
    pelt_arena* arena = pelt_arena_create();
    if (arena == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    pelt_result result = pelt_normal_factors_quantize(&out, context, 8, arena);
    result = result != PELT_OK && out.first != NULL ? PELT_ERROR_DATA : result;
    pelt_arena_destroy(arena);
    return result;
}

static int out_of_memory_is_survived(void)
{
    mesh_builder* s = mesh_builder_random(9);
    pelt_normal_factors f = build(s, 0);
    int failures = failing_heap_check(attempt, &f, 1000);
    pelt_arena_destroy(s->arena);
    return failures;
}

void test_normal_quantize(void)
{
    RUN(integers_keep_the_sums_exactly);
    RUN(rounding_twice_changes_nothing);
    RUN(what_does_not_fit_is_as_if_weights_were_constant);
    RUN(other_numbers_and_bits_are_refused);
    RUN(normals_hardly_change);
    RUN(out_of_memory_is_survived);
}
