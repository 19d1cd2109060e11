// SPDX-License-Identifier: MIT
// Wrong calls of the flat interface end in a result and a sentence: never in a crash, never in a
// broken contract further inside.
#include "failing_heap.h"
#include "pelt/skinner.h"
#include "test.h"

#include <string.h>

enum
{
    VERTICES = 4,
    JOINTS = 2,
};

// Two triangles and two joints. Each case changes one thing of a call that works.
typedef struct call
{
    float positions[3 * VERTICES], normals[3 * VERTICES], tangents[4 * VERTICES];
    uint16_t indices[6];
    uint32_t wide_indices[6];
    uint16_t joints[2 * VERTICES];
    float weights[2 * VERTICES], centers[3 * VERTICES], mix_factors[VERTICES];
    uint32_t first[VERTICES + 1], parents[JOINTS];
    float heads[3 * JOINTS], matrices[2 * 16 * JOINTS], result[16 * VERTICES];
    uint8_t bytes[2 * VERTICES];
    pelt_skinner_desc desc;
    unsigned what;
    pelt_skinner_output out;
    pelt_deform_options options;
    pelt_matrix_layout layout;
    uint32_t pose_count;
    bool has_no_desc, has_no_output, has_no_matrices;
} call;

static void make_call(call* c)
{
    memset(c, 0, sizeof *c);
    for (uint32_t v = 0; v < VERTICES; ++v)
    {
        c->positions[3 * v] = (float)(v % 2);
        c->positions[3 * v + 1] = (float)(v / 2);
        c->normals[3 * v + 2] = 1.0f;
        c->tangents[4 * v] = c->tangents[4 * v + 3] = 1.0f;
        c->joints[2 * v + 1] = 1;
        c->weights[2 * v] = 0.25f * (float)v;
        c->weights[2 * v + 1] = 1.0f - c->weights[2 * v];
        c->first[v + 1] = 2 * (v + 1);
    }
    memcpy(c->indices, (uint16_t[]){0, 1, 2, 2, 1, 3}, sizeof c->indices);
    memcpy(c->wide_indices, (uint32_t[]){0, 1, 2, 2, 1, 3}, sizeof c->wide_indices);
    c->parents[0] = PELT_NONE;
    c->heads[3] = 1.0f;
    for (uint32_t i = 0; i < 2 * 16 * JOINTS; ++i)
    {
        c->matrices[i] = i % 16 % 5 == 0 ? 1.0f : 0.0f;
    }
    c->desc = (pelt_skinner_desc){.vertex_count = VERTICES,
                                  .joint_count = JOINTS,
                                  .positions = c->positions,
                                  .normals = c->normals,
                                  .tangents = c->tangents,
                                  .index_count = 6,
                                  .indices_u16 = c->indices,
                                  .influences_per_vertex = 2,
                                  .joints_u16 = c->joints,
                                  .weights = c->weights,
                                  .joint_positions = c->heads,
                                  .joint_parents = c->parents};
    c->what = PELT_SKINNER_CENTERS | PELT_SKINNER_NORMAL_FACTORS;
    c->out = (pelt_skinner_output){.positions = c->result};
    c->options = (pelt_deform_options){.method = PELT_METHOD_CRS};
    c->layout = PELT_MATRIX_ROWS_4X4;
    c->pose_count = 1;
}

static uint32_t assert_count;

static void count_assert(const char* condition, const char* file, int line, void* user)
{
    (void)user;
    printf("  %s:%d: broken contract: %s\n", file, line, condition);
    ++assert_count;
}

// Create, prepare, deform. @return the first result that is not PELT_OK
static pelt_result run_call(call* c, pelt_error* error)
{
    pelt_skinner* skinner = NULL;
    pelt_result result;
    PELT_TRY_OR(done, result,
                pelt_skinner_create(&skinner, c->has_no_desc ? NULL : &c->desc, error));
    PELT_TRY_OR(done, result, pelt_skinner_prepare(skinner, c->what, error));
    result = pelt_skinner_deform_poses(skinner, c->has_no_output ? NULL : &c->out,
                                       c->has_no_matrices ? NULL : c->matrices, c->layout,
                                       c->pose_count, &c->options, error);
done:
    pelt_skinner_destroy(skinner);
    return result;
}

// Name, a word of the sentence, and what is wrong. The word tells that the right check answered.
#define CASES(X)                                                                                   \
    X(no_description, "description", c->has_no_desc = true)                                        \
    X(no_positions, "positions", c->desc.positions = NULL)                                         \
    X(too_many_vertices, "vertex_count", c->desc.vertex_count = PELT_NONE)                         \
    X(position_nan, "position of vertex 2", c->positions[7] = NAN)                                 \
    X(position_infinite, "position of vertex 0", c->positions[0] = INFINITY)                       \
    X(normal_nan, "normal of vertex 3", c->normals[9] = NAN)                                       \
    X(tangent_nan, "tangent of vertex 1", c->tangents[7] = NAN)                                    \
    X(position_stride_small, "stride of positions", c->desc.position_stride = 8)                   \
    X(position_stride_odd, "stride of positions", c->desc.position_stride = 13)                    \
    X(normal_stride_small, "stride of normals", c->desc.normal_stride = 4)                         \
    X(tangent_stride_small, "stride of tangents", c->desc.tangent_stride = 12)                     \
    X(joint_stride_odd, "strides of joints", c->desc.joint_stride = 3)                             \
    X(weight_stride_odd, "strides of joints", c->desc.weight_stride = 7)                           \
    X(index_past_end, "index 4", c->indices[4] = 4)                                                \
    X(wide_index_past_end, "index 5", c->desc.indices_u16 = NULL;                                  \
      c->desc.indices_u32 = c->wide_indices; c->wide_indices[5] = 4000000000u)                     \
    X(index_count_of_no_triangle, "index_count", c->desc.index_count = 5)                          \
    X(index_count_huge, "index_count", c->desc.index_count = PELT_NONE)                            \
    X(no_indices, "arrays of indices", c->desc.indices_u16 = NULL)                                 \
    X(two_index_arrays, "arrays of indices", c->desc.indices_u32 = c->wide_indices)                \
    X(no_joints_array, "one array of joints", c->desc.joints_u16 = NULL)                           \
    X(no_weights_array, "one array of joints", c->desc.weights = NULL)                             \
    X(two_joint_arrays, "one array of joints", c->desc.joints_u8 = c->bytes)                       \
    X(two_weight_arrays, "one array of joints", c->desc.weights_unorm8 = c->bytes)                 \
    X(zero_joints, "there are 0 joints", c->desc.joint_count = 0; c->desc.joint_parents = NULL;    \
      c->desc.joint_positions = NULL)                                                              \
    X(too_many_joints, "joints are more", c->desc.joint_count = 70000;                             \
      c->desc.joint_parents = NULL; c->desc.joint_positions = NULL)                                \
    X(joint_past_end, "names joint 2", c->joints[3] = 2)                                           \
    X(joint_far_past_end, "names joint 65535", c->joints[0] = 65535; c->weights[0] = 1.0f)         \
    X(weight_nan, "weight 1 of vertex 0", c->weights[1] = NAN)                                     \
    X(weight_infinite, "weight 0 of vertex 1", c->weights[2] = INFINITY)                           \
    X(weight_negative, "weight 0 of vertex 2", c->weights[4] = -0.5f)                              \
    X(first_decreases, "never decrease", c->desc.first = c->first; c->first[2] = 1)                \
    X(first_not_from_zero, "never decrease", c->desc.first = c->first; c->first[0] = 1)            \
    X(first_wraps, "never decrease", c->desc.first = c->first; c->first[3] = 4000000000u)          \
    X(too_many_influences, "too many", c->desc.influences_per_vertex = 2000000000u)                \
    X(center_nan, "center of vertex 1", c->desc.centers = c->centers; c->centers[4] = NAN)         \
    X(mix_factor_nan, "mix factor of vertex 0", c->desc.mix_factors = c->mix_factors;              \
      c->mix_factors[0] = NAN)                                                                     \
    X(mix_factor_large, "mix factor of vertex 3", c->desc.mix_factors = c->mix_factors;            \
      c->mix_factors[3] = 1.5f)                                                                    \
    X(parents_alone, "joint_positions and", c->desc.joint_positions = NULL)                        \
    X(heads_alone, "joint_positions and", c->desc.joint_parents = NULL)                            \
    X(parent_past_end, "joint 7", c->parents[1] = 7)                                               \
    X(parents_in_a_cycle, "cycle", c->parents[0] = 1; c->parents[1] = 0)                           \
    X(parent_of_itself, "cycle", c->parents[0] = 0)                                                \
    X(head_nan, "position of joint 1", c->heads[3] = NAN)                                          \
    X(prepare_unknown_bits, "bits", c->what = 64)                                                  \
    X(centers_without_triangles, "no triangles", c->desc.index_count = 0;                          \
      c->desc.indices_u16 = NULL)                                                                  \
    X(factors_without_normals, "need normals", c->desc.normals = NULL)                             \
    X(mix_without_skeleton, "joint_positions", c->what = PELT_SKINNER_MIX_FACTORS;                 \
      c->desc.joint_positions = NULL; c->desc.joint_parents = NULL)                                \
    X(no_output, "output is NULL", c->has_no_output = true)                                        \
    X(no_matrices, "matrices are NULL", c->has_no_matrices = true)                                 \
    X(layout_unknown, "layout 9", c->layout = (pelt_matrix_layout)9)                               \
    X(matrix_nan, "joint 1 of pose 0", c->matrices[17] = NAN)                                      \
    X(matrix_infinite, "joint 0 of pose 0", c->matrices[3] = -INFINITY)                            \
    X(matrix_nan_in_second_pose, "joint 1 of pose 1", c->pose_count = 2; c->matrices[50] = NAN)    \
    X(method_unknown, "out of range", c->options.method = PELT_METHOD_COUNT)                       \
    X(method_negative, "out of range", c->options.method = (pelt_method)-1)                        \
    X(normal_rule_unknown, "out of range", c->options.normal_rule = (pelt_normal_rule)17)          \
    X(sign_rule_unknown, "out of range", c->options.sign_rule = (pelt_sign_rule)17)                \
    X(scale_pivot_unknown, "out of range", c->options.scale_pivot = (pelt_scale_pivot)17)          \
    X(dqs_variant_unknown, "out of range", c->options.dqs_variant = (pelt_dqs_variant)17)          \
    X(lms_variant_unknown, "out of range", c->options.lms_variant = (pelt_lms_variant)17)          \
    X(mix_nan, "mix is", c->options.mix = NAN)                                                     \
    X(mix_large, "mix is 2", c->options.mix = 2.0f)                                                \
    X(correction_negative, "distance_correction", c->options.distance_correction = -1.0f)          \
    X(clamp_infinite, "normal_clamp", c->options.normal_clamp = INFINITY)                          \
    X(crs_without_centers, "PELT_SKINNER_CENTERS", c->what = 0)                                    \
    X(accurate_without_factors, "NORMAL_FACTORS", c->what = PELT_SKINNER_CENTERS;                  \
      c->options.normal_rule = PELT_NORMAL_ACCURATE)                                               \
    X(accurate_lms, "standard rule", c->options.method = PELT_METHOD_LMS;                          \
      c->options.normal_rule = PELT_NORMAL_ACCURATE)                                               \
    X(signs_of_a_hierarchy, "deform a scene", c->options.sign_rule = PELT_SIGN_HIERARCHY)          \
    X(optimized_dqs, "deform a scene", c->options.dqs_variant = PELT_DQS_OPTIMIZED)                \
    X(correction_without_bones, "needs bones", c->options.distance_correction = 0.5f;              \
      c->desc.joint_positions = NULL; c->desc.joint_parents = NULL)                                \
    X(normals_without_input, "normals are asked for", c->what = PELT_SKINNER_CENTERS;              \
      c->desc.normals = NULL; c->out.normals = c->result)                                          \
    X(tangents_without_input, "tangents are asked for", c->desc.tangents = NULL;                   \
      c->out.tangents = c->result)                                                                 \
    X(output_stride_small, "strides of the output", c->out.position_stride = 4)                    \
    X(output_stride_odd, "strides of the output", c->out.tangent_stride = 17)

#define DEFINE_CASE(name, word, ...)                                                               \
    static void name(call* c)                                                                      \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
CASES(DEFINE_CASE)

static const struct
{
    const char* name;
    const char* word;
    void (*change)(call*);
} cases[] = {
#define LIST_CASE(name, word, ...) {#name, word, name},
    CASES(LIST_CASE)};

enum
{
    CASE_COUNT = sizeof cases / sizeof *cases,
};

static int wrong_input_gets_a_sentence(void)
{
    static call c;
    assert_count = 0;
    for (int i = 0; i < CASE_COUNT; ++i)
    {
        pelt_error error = {"no sentence"};
        make_call(&c);
        cases[i].change(&c);
        pelt_result result = run_call(&c, &error);
        if (result == PELT_OK || strstr(error.message, cases[i].word) == NULL)
        {
            printf("  %s: %s: %s\n", cases[i].name, pelt_result_name(result), error.message);
        }
        ENSURE(result == PELT_ERROR_ARGUMENT || result == PELT_ERROR_DATA);
        ENSURE(strstr(error.message, cases[i].word) != NULL);
        // The sentence is optional.
        make_call(&c);
        cases[i].change(&c);
        ENSURE(run_call(&c, NULL) == result);
    }
    ENSURE(CASE_COUNT >= 57);
    ENSURE(assert_count == 0);
    return 0;
}

// The cases differ from this one by their change alone.
static int unchanged_call_works(void)
{
    static call c;
    pelt_error error;
    make_call(&c);
    assert_count = 0;
    ENSURE(run_call(&c, &error) == PELT_OK);
    for (uint32_t i = 0; i < 3 * VERTICES; ++i)
    {
        ENSURE_NEAR(c.result[i], c.positions[i], 1e-6);
    }
    ENSURE(assert_count == 0);
    return 0;
}

static int null_handles_are_harmless(void)
{
    static call c;
    pelt_error error;
    make_call(&c);
    assert_count = 0;
    ENSURE(pelt_skinner_create(NULL, &c.desc, &error) == PELT_ERROR_ARGUMENT);
    ENSURE(pelt_skinner_prepare(NULL, 0, &error) == PELT_ERROR_ARGUMENT);
    ENSURE(pelt_skinner_deform(NULL, &c.out, c.matrices, c.layout, &c.options, &error) ==
           PELT_ERROR_ARGUMENT);
    ENSURE(pelt_skinner_vertex_count(NULL) == 0 && pelt_skinner_joint_count(NULL) == 0);
    ENSURE(pelt_skinner_normals(NULL) == NULL && pelt_skinner_centers(NULL) == NULL);
    ENSURE(pelt_skinner_mix_factors(NULL) == NULL && pelt_skinner_weights(NULL) == NULL);
    ENSURE(pelt_skinner_normal_factors(NULL) == NULL);
    pelt_skinner_destroy(NULL);
    ENSURE(assert_count == 0);
    return 0;
}

// A mesh without vertices, without influences or without joints is a mesh.
static int empty_meshes_work(void)
{
    static call c;
    make_call(&c);
    assert_count = 0;
    pelt_skinner_desc empty = {0};
    pelt_skinner* skinner;
    ENSURE(pelt_skinner_create(&skinner, &empty, NULL) == PELT_OK);
    ENSURE(pelt_skinner_deform(skinner, &c.out, NULL, PELT_MATRIX_ROWS_3X4, NULL, NULL) == PELT_OK);
    pelt_skinner_destroy(skinner);

    static const uint32_t no_influences[VERTICES + 1];
    empty = (pelt_skinner_desc){
        .vertex_count = VERTICES, .positions = c.positions, .first = no_influences};
    ENSURE(pelt_skinner_create(&skinner, &empty, NULL) == PELT_OK);
    ENSURE(pelt_skinner_deform(skinner, &c.out, NULL, PELT_MATRIX_ROWS_3X4, NULL, NULL) == PELT_OK);
    ENSURE(memcmp(c.result, c.positions, sizeof c.positions) == 0);
    pelt_skinner_destroy(skinner);
    ENSURE(assert_count == 0);
    return 0;
}

static pelt_result run_everything(const void* context)
{
    static call c;
    (void)context;
    make_call(&c);
    c.what = 15;
    c.desc.normals = NULL;
    c.desc.tangents = NULL;
    return run_call(&c, NULL);
}

static int memory_may_run_out(void)
{
    return failing_heap_check(run_everything, NULL, 400);
}

void test_skinner_misuse(void)
{
    pelt_hooks before = pelt_hooks_get(), hooks = before;
    hooks.assert_failed = count_assert;
    pelt_hooks_set(&hooks);
    RUN(unchanged_call_works);
    RUN(wrong_input_gets_a_sentence);
    RUN(null_handles_are_harmless);
    RUN(empty_meshes_work);
    pelt_hooks_set(&before);
    RUN(memory_may_run_out);
}
