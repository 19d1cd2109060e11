// SPDX-License-Identifier: MIT
// Normal factors in 40 bytes per vertex: the words, and what rounding does to normals.
#include "pelt/gpu.h"
#include "pelt/prepare.h"
#include "rigs.h"
#include "test.h"

#include <string.h>

// A rig with centers and factors of up to four joints, exact and as shaders read them.
typedef struct compact_rig
{
    pelt_scene* scene;
    pelt_scene prepared;
    pelt_normal_factors rounded;
    pelt_arena* arena;
} compact_rig;

static int open_rig(compact_rig* out, const char* name)
{
    const pelt_scene_normal_options options = {.max_joints = 4};
    ENSURE(pelt_rig_build(&out->scene, name, NULL) == PELT_OK);
    out->arena = pelt_arena_create();
    out->prepared = *out->scene;
    ENSURE(pelt_scene_add_cors(&out->prepared, PELT_PREPARE_ALL, NULL, NULL, out->arena, NULL) ==
           PELT_OK);
    ENSURE(pelt_scene_add_normal_factors(&out->prepared, PELT_PREPARE_ALL, &options, NULL,
                                         out->arena, NULL) == PELT_OK);
    const pelt_mesh* mesh = &out->prepared.meshes[0];
    ENSURE(pelt_gpu_normals_round(&out->rounded, mesh->normal_factors, mesh->normals, out->arena) ==
           PELT_OK);
    return 0;
}

static void close_rig(compact_rig* rig)
{
    pelt_arena_destroy(rig->arena);
    pelt_scene_destroy(rig->scene);
}

// ---------------------------------------------------------------------------------------------

// The normal is z, so that the tangent is x, the first of two axes that are as far. Sizes are the
// next fourth of an octave: 2 is 2^1, number 132; 0.5 is 2^-1, number 124.
static int words_are_as_documented(void)
{
    const uint32_t first[] = {0, 2};
    const pelt_normal_factor slots[] = {{3, 0.75f, 2, -1, {{0.5f, 0}, {0, 0.75f}}},
                                        {5, 0.25f, -2, 1, {{0.5f, 0}, {0, 0.25f}}}};
    const pelt_vec3 tangent = {1, 0, 0}, normal = {0, 0, 1};
    const pelt_vec2 plane_normal = {-1, 0.5f};
    const pelt_normal_factors factors = {.vertex_count = 1,
                                         .joint_count = 6,
                                         .factor_count = 2,
                                         .max_factors = 2,
                                         .first = first,
                                         .factors = slots,
                                         .tangents = &tangent,
                                         .plane_normals = &plane_normal};
    pelt_gpu_normals layout = pelt_gpu_normals_compact(&factors, PELT_NORMAL_ACCURATE);
    uint32_t words[PELT_NORMAL_WORDS];
    memset(words, 0xff, sizeof words);
    pelt_gpu_normals_pack(words, &factors, &normal, &layout);
    // -8191 and 4096 (half of 8191, to even) of 14 bits, after the axis and the count.
    ENSURE(words[0] == (0u | 1u << 2 | (16384u - 8191u) << 4 | 4096u << 18));
    ENSURE(words[1] == (132u | 124u << 8 | 0u << 16 | (5u & 0xffu) << 24));
    // Numbers of 16 bits from bit 72 on: a fourth of 65535, -1, a half, 1, 0, 0, a half.
    ENSURE(words[2] == (0u | 16384u << 8 | (65536u - 32767u) % 256 << 24));
    ENSURE(words[3] == ((65536u - 32767u) >> 8 | 16384u << 8 | 32767u % 256 << 24));
    ENSURE(words[4] == (32767u >> 8 | 0u << 8 | 0u << 24));
    ENSURE(words[5] == (0u | 16384u << 8));
    ENSURE(words[6] == 0 && words[9] == 0);
    ENSURE(pelt_gpu_normal_floats(&layout) == 10);
    return 0;
}

static int more_than_four_factors_have_the_standard_rule(void)
{
    for (uint32_t most = 0; most <= 8; ++most)
    {
        pelt_normal_factors factors = {.max_factors = most};
        pelt_gpu_normals layout = pelt_gpu_normals_compact(&factors, PELT_NORMAL_ACCURATE);
        ENSURE(layout.is_compact == (most <= 4));
        ENSURE(layout.rule == (most <= 4 ? PELT_NORMAL_ACCURATE : PELT_NORMAL_STANDARD));
    }
    return 0;
}

// Sums, joints, tangents: what pelt_normal_factors promises holds after rounding.
static int rounded_factors_are_valid(void)
{
    const char* const names[] = {"bar?vertices=1000", "human?vertices=2000", "cloth?vertices=500"};
    for (int i = 0; i < 3; ++i)
    {
        compact_rig rig;
        pelt_error error = {0};
        ENSURE(open_rig(&rig, names[i]) == 0);
        pelt_result result =
            pelt_normal_factors_validate(&rig.rounded, &rig.prepared.meshes[0], &error);
        if (result != PELT_OK)
        {
            printf("  %s\n", error.message);
        }
        ENSURE(result == PELT_OK);
        close_rig(&rig);
    }
    return 0;
}

static double angle_of(pelt_vec3 a, pelt_vec3 b)
{
    return atan2((double)pelt_vec3_length(pelt_vec3_cross(a, b)), (double)pelt_vec3_dot(a, b)) *
           180.0 / (double)PELT_PI;
}

// Mean angle between the normals of both, over vertices with factors, in the middle of each clip.
static double deviation(compact_rig* rig, pelt_method method)
{
    const pelt_mesh* mesh = &rig->prepared.meshes[0];
    const pelt_deform_options options = {
        .method = method, .mix = 0.5f, .normal_rule = PELT_NORMAL_ACCURATE};
    pelt_frame frame;
    pelt_pose pose;
    double sum = 0.0;
    uint32_t count = 0;
    if (pelt_frame_create(&frame, &rig->prepared) != PELT_OK)
    {
        return 1e9;
    }
    if (pelt_pose_create(&pose, &rig->prepared) != PELT_OK)
    {
        pelt_frame_destroy(&frame);
        return 1e9;
    }
    pelt_vec3* exact = pelt_arena_alloc(rig->arena, mesh->vertex_count, sizeof *exact);
    for (uint32_t i = 0; i < rig->scene->clip_count && exact != NULL; ++i)
    {
        const pelt_clip* clip = &rig->scene->clips[i];
        pelt_pose_sample(&pose, &rig->prepared, clip, 0.5f * clip->duration, PELT_WRAP_CLAMP);
        frame.normal_factors[0] = mesh->normal_factors;
        pelt_frame_update(&frame, &rig->prepared, &pose, &options);
        memcpy(exact, frame.surfaces[0].normals, mesh->vertex_count * sizeof *exact);
        frame.normal_factors[0] = &rig->rounded;
        pelt_frame_update(&frame, &rig->prepared, &pose, &options);
        for (uint32_t v = 0; v < mesh->vertex_count; ++v)
        {
            if (rig->rounded.first[v] < rig->rounded.first[v + 1])
            {
                sum += angle_of(exact[v], frame.surfaces[0].normals[v]);
                ++count;
            }
        }
    }
    pelt_pose_destroy(&pose);
    pelt_frame_destroy(&frame);
    return exact != NULL && count > 0 ? sum / count : 1e9;
}

// Wrong axes or a swapped number are degrees. Rounding: 8 bits are half of 1/127 of the largest
// number, about 0.2 degrees for one number; 10 bits and more a fourth of it and less. Vertices
// with few joints, which have 16 bits, are most of the mean.
static int normals_differ_by_hundredths_of_a_degree(void)
{
    static const pelt_method methods[] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_MIX,
                                          PELT_METHOD_CRS};
    const char* const names[] = {"bar?vertices=1000", "human?vertices=2000"};
    for (int i = 0; i < 2; ++i)
    {
        compact_rig rig;
        ENSURE(open_rig(&rig, names[i]) == 0);
        for (int k = 0; k < 4; ++k)
        {
            double degrees = deviation(&rig, methods[k]);
            printf("  %s, %s: %.4f degrees\n", names[i], pelt_method_name(methods[k]), degrees);
            ENSURE(degrees <= 0.1);
        }
        close_rig(&rig);
    }
    return 0;
}

void test_gpu_normals(void)
{
    RUN(words_are_as_documented);
    RUN(more_than_four_factors_have_the_standard_rule);
    RUN(rounded_factors_are_valid);
    RUN(normals_differ_by_hundredths_of_a_degree);
}
