// SPDX-License-Identifier: MIT
// Wrong calls of the functions that take plain structs: each ends in a result with a sentence, or
// in the assert hook, and never in a crash. test_skinner_misuse.c has those of the flat interface.
#include "pelt/deformer.h"
#include "rigs.h"
#include "test.h"

#include <setjmp.h>
#include <string.h>

enum
{
    VERTICES = 4,
    JOINTS = 2,
};

// Two triangles whose vertices two joints share, and everything that a call may take.
typedef struct call
{
    pelt_vec3 positions[VERTICES], normals[VERTICES], result[VERTICES];
    uint32_t indices[6], first[VERTICES + 1];
    pelt_influence influences[2 * VERTICES];
    uint16_t raw_joints[2 * VERTICES];
    float raw_weights[2 * VERTICES], matrices[12 * JOINTS];
    pelt_mesh mesh;
    pelt_palette palette;
    pelt_surface out;
    pelt_deform_input input;
    pelt_deform_options options;
    pelt_range range;
    pelt_weights_source source;
    pelt_cor_options cor_options;
    pelt_normal_options normal_options;
    pelt_arena* arena;
    pelt_scene* scene;
    pelt_pose pose;
    float time;
} call;

static bool make_call(call* c)
{
    *c = (call){.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
                .indices = {0, 1, 2, 2, 1, 3},
                .first = {0, 2, 4, 6, 8},
                .options.method = PELT_METHOD_CRS,
                .range = {0, VERTICES}};
    for (uint32_t v = 0; v < VERTICES; ++v)
    {
        float part = 0.6f + 0.1f * (float)v;
        c->positions[v] = pelt_vec3_make((float)(v % 2), (float)(v / 2), 0.0f);
        c->influences[2 * v] = (pelt_influence){0, 0, part};
        c->influences[2 * v + 1] = (pelt_influence){1, 1, 1.0f - part};
        c->raw_joints[2 * v + 1] = 1;
        c->raw_weights[2 * v] = part;
        c->raw_weights[2 * v + 1] = 1.0f - part;
    }
    c->mesh = (pelt_mesh){.name = "quad",
                          .vertex_count = VERTICES,
                          .index_count = 6,
                          .positions = c->positions,
                          .normals = c->normals,
                          .indices = c->indices,
                          .material = PELT_NONE,
                          .weights = {.vertex_count = VERTICES,
                                      .joint_count = JOINTS,
                                      .influence_count = 2 * VERTICES,
                                      .max_influences = 2,
                                      .first = c->first,
                                      .influences = c->influences}};
    c->out = (pelt_surface){.positions = c->result};
    c->input = (pelt_deform_input){.positions = c->positions,
                                   .normals = c->normals,
                                   .cors = c->positions,
                                   .weights = &c->mesh.weights,
                                   .palette = &c->palette};
    c->source = (pelt_weights_source){.vertex_count = VERTICES,
                                      .joint_count = JOINTS,
                                      .per_vertex = 2,
                                      .joints_u16 = c->raw_joints,
                                      .weights = c->raw_weights};
    c->arena = pelt_arena_create();
    return c->arena != NULL && pelt_palette_create(&c->palette, JOINTS) == PELT_OK &&
           pelt_rig_build(&c->scene, "arm", NULL) == PELT_OK &&
           pelt_pose_create(&c->pose, c->scene) == PELT_OK;
}

static void release_call(call* c)
{
    pelt_pose_destroy(&c->pose);
    pelt_scene_destroy(c->scene);
    pelt_palette_destroy(&c->palette);
    pelt_arena_destroy(c->arena);
}

// ---------------------------------------------------------------------------------------------
// Calls. Each uses what a case has changed.

static pelt_result validate(call* c, pelt_error* error)
{
    return pelt_deform_validate(&c->out, &c->input, &c->options, c->range, error);
}

static pelt_result deform(call* c, pelt_error* error)
{
    (void)error;
    pelt_deform(&c->out, &c->input, &c->options, c->range);
    return PELT_OK;
}

static pelt_result solve(call* c, pelt_error* error)
{
    pelt_vec3* out = c->result;
    const pelt_mesh* mesh = &c->mesh;
    return pelt_cor_solve(&out, &(pelt_cor_input){1, &mesh}, &c->cor_options, NULL, error);
}

static pelt_result factors(call* c, pelt_error* error)
{
    pelt_normal_factors out;
    return pelt_normal_factors_build(&out, &c->mesh, NULL, &c->normal_options, c->arena, error);
}

static pelt_result weights(call* c, pelt_error* error)
{
    (void)error;
    pelt_weights out;
    pelt_result result = pelt_weights_create(&out, &c->source, NULL);
    pelt_weights_destroy(&out);
    return result;
}

static pelt_result scene(call* c, pelt_error* error)
{
    const pelt_instance instance = {.mesh = 0, .skin = PELT_NONE, .node = PELT_NONE};
    const pelt_scene one = {
        .mesh_count = 1, .meshes = &c->mesh, .instance_count = 1, .instances = &instance};
    return pelt_scene_validate(&one, error);
}

static pelt_result palette(call* c, pelt_error* error)
{
    pelt_palette_set(&c->palette, c->matrices, (pelt_matrix_layout)7);
    return validate(c, error);
}

static pelt_result sample_no_clip(call* c, pelt_error* error)
{
    (void)error;
    pelt_pose_sample(&c->pose, c->scene, NULL, 0.0f, PELT_WRAP_CLAMP);
    return PELT_OK;
}

static pelt_result sample(call* c, pelt_error* error)
{
    (void)error;
    pelt_clip clip = {.duration = 1.0f};
    pelt_pose_sample(&c->pose, c->scene, &clip, c->time, PELT_WRAP_LOOP);
    return PELT_OK;
}

static pelt_result add_cors(call* c, pelt_error* error)
{
    return pelt_scene_add_cors(c->scene, PELT_PREPARE_ALL, &c->cor_options, NULL, c->arena, error);
}

static pelt_result add_factors(call* c, pelt_error* error)
{
    const pelt_scene_normal_options options = {.bits = 7};
    return pelt_scene_add_normal_factors(c->scene, PELT_PREPARE_ALL, &options, NULL, c->arena,
                                         error);
}

static pelt_result add_mix(call* c, pelt_error* error)
{
    return pelt_scene_add_mix_factors(c->scene, NULL, NULL, c->arena, error);
}

static pelt_result frame(call* c, pelt_error* error)
{
    (void)error;
    pelt_frame out;
    return pelt_frame_create(&out, NULL) == PELT_OK && c->scene == NULL ? PELT_ERROR_DATA : PELT_OK;
}

static pelt_result bounds(call* c, pelt_error* error)
{
    (void)error;
    pelt_bounds out;
    return pelt_scene_bounds(&out, c->scene, NULL);
}

static pelt_result deformer(call* c, pelt_error* error)
{
    (void)error;
    pelt_deformer* out;
    const pelt_deformer_source source = {.positions = c->mesh.positions};
    return pelt_deformer_create(&out, &source, NULL);
}

static const pelt_palette empty_palette = {.joint_count = JOINTS};
static const pelt_normal_factors other_factors = {.vertex_count = 9};

// Function, name, a word of the sentence, and what is wrong. The word is empty where the assert
// hook is called instead.
#define CASES(X)                                                                                   \
    X(validate, no_positions, "positions", c->input.positions = NULL)                              \
    X(validate, no_weights, "weights", c->input.weights = NULL)                                    \
    X(validate, no_palette, "palette", c->input.palette = NULL)                                    \
    X(validate, no_matrices, "no matrices", c->input.palette = &empty_palette;                     \
      c->options.method = PELT_METHOD_LBS)                                                         \
    X(validate, normals_without_input, "normals are asked for", c->out.normals = c->result;        \
      c->input.normals = NULL)                                                                     \
    X(validate, tangents_without_input, "tangents are asked for",                                  \
      c->out.tangents = (pelt_vec4*)(void*)c->result)                                              \
    X(validate, stride_odd, "input positions", c->input.position_stride = 13)                      \
    X(validate, stride_small, "output tangents", c->out.tangent_stride = 12)                       \
    X(validate, range_past_end, "range of 5", c->range.count = 5)                                  \
    X(validate, range_wraps, "from 4294967295", c->range.first = PELT_NONE)                        \
    X(validate, too_few_palette_joints, "palette has 1", c->palette.joint_count = 1)               \
    X(validate, first_decreases, "vertex 1", c->first[2] = 1)                                      \
    X(validate, first_wraps, "vertex 2", c->first[3] = 4000000000u)                                \
    X(validate, joint_past_end, "influence 3", c->influences[3].joint = 2)                         \
    X(validate, no_centers, "pelt_cor_solve", c->input.cors = NULL)                                \
    X(validate, no_motions, "motions and stretches", pelt_release(c->palette.motions);             \
      c->palette.motions = NULL)                                                                   \
    X(validate, not_decomposed, "pelt_palette_decompose", c->palette.matrices[1].m[0][3] = 1.0f)   \
    X(validate, scaled_not_decomposed, "joint 0", c->palette.matrices[0].m[2][2] = 1.01f)          \
    X(validate, matrix_nan, "not finite", c->palette.matrices[1].m[1][1] = NAN)                    \
    X(validate, method_unknown, "out of range", c->options.method = (pelt_method)60)               \
    X(validate, method_negative, "out of range", c->options.method = (pelt_method)-1)              \
    X(validate, mix_nan, "mix is", c->options.mix = NAN)                                           \
    X(validate, correction_large, "distance_correction 2", c->options.distance_correction = 2.0f)  \
    X(validate, correction_without_bones, "pelt_bones_build",                                      \
      c->options.distance_correction = 1.0f)                                                       \
    X(validate, accurate_without_factors, "pelt_normal_factors_build",                             \
      c->options.normal_rule = PELT_NORMAL_ACCURATE)                                               \
    X(validate, accurate_lms, "standard rule", c->options.normal_rule = PELT_NORMAL_ACCURATE;      \
      c->options.method = PELT_METHOD_LMS)                                                         \
    X(validate, displacements_alone, "stencils", c->input.displacements = c->positions)            \
    X(validate, factors_of_another_mesh, "another mesh", c->input.normal_factors = &other_factors) \
    X(deform, deform_no_positions, "", c->input.positions = NULL)                                  \
    X(deform, deform_no_weights, "", c->input.weights = NULL)                                      \
    X(deform, deform_no_palette, "", c->input.palette = NULL)                                      \
    X(deform, deform_no_centers, "", c->input.cors = NULL)                                         \
    X(deform, deform_no_motions, "", pelt_release(c->palette.motions); c->palette.motions = NULL)  \
    X(deform, deform_range_past_end, "", c->range.first = 1)                                       \
    X(deform, deform_method_negative, "", c->options.method = (pelt_method)-1)                     \
    X(deform, deform_few_joints, "", c->palette.joint_count = 0)                                   \
    X(deform, deform_stride_odd, "", c->out.position_stride = 14)                                  \
    X(solve, solve_index_past_end, "index 4", c->indices[4] = 4)                                   \
    X(solve, solve_index_far_past_end, "index 0", c->indices[0] = 4000000000u)                     \
    X(solve, solve_no_indices, "count without", c->mesh.indices = NULL)                            \
    X(solve, solve_no_positions, "count without", c->mesh.positions = NULL)                        \
    X(solve, solve_half_triangle, "multiple of 3", c->mesh.index_count = 5)                        \
    X(solve, solve_not_skinned, "count without", c->mesh.weights = (pelt_weights){0})              \
    X(solve, solve_first_decreases, "vertex 0", c->first[1] = 7)                                   \
    X(solve, solve_joint_past_end, "joint 65535", c->influences[7].joint = 65535)                  \
    X(solve, solve_sigma, "sigma is -1", c->cor_options.sigma = -1.0f)                             \
    X(solve, solve_sigma_nan, "sigma is", c->cor_options.sigma = NAN)                              \
    X(solve, solve_unknown_solver, "no solver 9", c->cor_options.solver = (pelt_cor_solver)9)      \
    X(factors, factors_index_past_end, "index 5", c->indices[5] = 4)                               \
    X(factors, factors_joint_past_end, "joint 2", c->influences[2].joint = 2)                      \
    X(factors, factors_of_five, "max_joints is 5", c->normal_options.max_joints = 5)               \
    X(factors, factors_no_arena, "", pelt_arena_destroy(c->arena); c->arena = NULL)                \
    X(weights, weights_first_decreases, "", c->first[2] = 9; c->source.first = c->first)           \
    X(weights, weights_no_joints, "", c->source.joints_u16 = NULL)                                 \
    X(weights, weights_too_many_joints, "", c->source.joint_count = 70000)                         \
    X(scene, scene_position_nan, "finite", c->positions[2].y = NAN)                                \
    X(scene, scene_index_past_end, "index 1", c->indices[1] = 4)                                   \
    X(scene, scene_zero_joints, "of 0", c->mesh.weights.joint_count = 0)                           \
    X(palette, palette_layout, "", (void)c)                                                        \
    X(sample_no_clip, sample_without_clip, "", (void)c)                                            \
    X(sample, sample_time_nan, "", c->time = NAN)                                                  \
    X(sample, sample_time_infinite, "", c->time = INFINITY)                                        \
    X(sample, sample_pose_of_another_scene, "", c->pose.node_count = 1)                            \
    X(add_cors, add_cors_stride, "stride is 2", c->cor_options.stride = 2)                         \
    X(add_cors, add_cors_no_arena, "", pelt_arena_destroy(c->arena); c->arena = NULL)              \
    X(add_factors, add_factors_bits, "bits is 7", (void)c)                                         \
    X(add_mix, add_mix_no_arena, "", pelt_arena_destroy(c->arena); c->arena = NULL)                \
    X(frame, frame_without_scene, "", (void)c)                                                     \
    X(bounds, bounds_without_scene, "", pelt_scene_destroy(c->scene); c->scene = NULL)             \
    X(deformer, deformer_without_weights, "", (void)c)

#define DEFINE_CASE(function, name, word, ...)                                                     \
    static void name(call* c)                                                                      \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
CASES(DEFINE_CASE)

static const struct
{
    const char* name;
    const char* word;
    pelt_result (*function)(call* c, pelt_error* error);
    void (*change)(call*);
} cases[] = {
#define LIST_CASE(function, name, word, ...) {#name, word, function, name},
    CASES(LIST_CASE)};

enum
{
    CASE_COUNT = sizeof cases / sizeof *cases,
};

static jmp_buf after_assert;

// A program that goes on after a broken contract has to leave the function.
static void leave(const char* condition, const char* file, int line, void* user)
{
    (void)condition, (void)file, (void)line, (void)user;
    longjmp(after_assert, 1);
}

// @return whether the hook was called; *result is as before then
static bool run_case(pelt_result* result, int index, call* c, pelt_error* error)
{
    if (setjmp(after_assert) != 0)
    {
        return true;
    }
    *result = cases[index].function(c, error);
    return false;
}

static int every_case_ends_in_a_result_or_the_hook(void)
{
    static call c;
    ENSURE(CASE_COUNT >= 57);
    for (int i = 0; i < CASE_COUNT; ++i)
    {
        pelt_error error = {""};
        pelt_result result = PELT_OK;
        ENSURE(make_call(&c));
        cases[i].change(&c);
        bool is_hook_called = run_case(&result, i, &c, &error);
        bool is_hook_expected = cases[i].word[0] == '\0';
        bool is_right =
            is_hook_called == is_hook_expected &&
            (is_hook_expected || result == PELT_ERROR_ARGUMENT || result == PELT_ERROR_DATA) &&
            strstr(error.message, cases[i].word) != NULL;
        if (!is_right)
        {
            printf("  %s: hook %d, %s, \"%s\"\n", cases[i].name, is_hook_called,
                   pelt_result_name(result), error.message);
        }
        release_call(&c);
        ENSURE(is_right);
    }
    return 0;
}

// The cases differ from these by their change alone. Signs of quaternions are free.
static int unchanged_calls_work(void)
{
    static call c;
    pelt_error error = {""};
    ENSURE(make_call(&c));
    ENSURE(validate(&c, &error) == PELT_OK && deform(&c, &error) == PELT_OK);
    ENSURE(solve(&c, &error) == PELT_OK && factors(&c, &error) == PELT_OK);
    ENSURE(weights(&c, &error) == PELT_OK);
    for (int i = 0; i < 12 * JOINTS; ++i)
    {
        c.matrices[i] = (float)(i * i % 7) - 2.5f; // shear, scale and a mirror
    }
    pelt_palette_set(&c.palette, c.matrices, PELT_MATRIX_ROWS_3X4);
    ENSURE(validate(&c, &error) == PELT_OK);
    c.palette.motions[1] = pelt_dquat_scale(c.palette.motions[1], -1.0f);
    ENSURE(validate(&c, &error) == PELT_OK);
    release_call(&c);
    return 0;
}

static int bounds_are_those_of_all_vertices(void)
{
    static call c;
    ENSURE(make_call(&c));
    pelt_bounds box, expected = pelt_bounds_empty();
    ENSURE(pelt_scene_bounds(&box, c.scene, NULL) == PELT_OK);
    for (uint32_t i = 0; i < c.scene->mesh_count; ++i)
    {
        pelt_bounds_add(&expected, c.scene->meshes[i].positions, c.scene->meshes[i].vertex_count);
    }
    // The stored pose of the rig is its bind pose.
    ENSURE_POINT(box.min, expected.min, 1e-6f);
    ENSURE_POINT(box.max, expected.max, 1e-6f);
    // A pose that is moved as a whole moves the box.
    for (uint32_t n = 0; n < c.scene->node_count; ++n)
    {
        if (c.scene->nodes[n].parent == PELT_NONE)
        {
            c.pose.locals[n].translation.x += 5.0f;
        }
    }
    ENSURE(pelt_scene_bounds(&box, c.scene, &c.pose) == PELT_OK);
    ENSURE_POINT(box.min, pelt_vec3_add(expected.min, pelt_vec3_make(5, 0, 0)), 1e-5f);
    ENSURE_POINT(box.max, pelt_vec3_add(expected.max, pelt_vec3_make(5, 0, 0)), 1e-5f);
    release_call(&c);
    return 0;
}

void test_misuse(void)
{
    pelt_hooks before = pelt_hooks_get(), hooks = before;
    RUN(unchanged_calls_work);
    RUN(bounds_are_those_of_all_vertices);
    hooks.assert_failed = leave;
    pelt_hooks_set(&hooks);
    RUN(every_case_ends_in_a_result_or_the_hook);
    pelt_hooks_set(&before);
}
