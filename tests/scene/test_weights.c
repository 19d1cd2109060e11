// SPDX-License-Identifier: MIT
// Import of weights: whatever a file holds, one documented outcome each.
#include "test.h"

#include <float.h>
#include <string.h>

typedef struct imported
{
    pelt_arena* arena;
    pelt_weights weights;
    pelt_weights_report report;
} imported;

static imported import(const pelt_weights_source* source)
{
    imported r = {.arena = pelt_arena_create()};
    pelt_result result = pelt_weights_import(&r.weights, &r.report, source, r.arena);
    if (result != PELT_OK)
    {
        r.weights = (pelt_weights){0};
    }
    return r;
}

// One vertex with `count` influences among 4 joints.
static imported import_one(const uint32_t* joints, const float* weights, uint32_t count,
                           uint32_t max_influences)
{
    return import(&(pelt_weights_source){.vertex_count = 1,
                                         .joint_count = 4,
                                         .per_vertex = count,
                                         .joints_u32 = joints,
                                         .weights = weights,
                                         .max_influences = max_influences});
}

// The promises of pelt_weights, tested by the validator on a mesh made around them.
static bool keeps_promises(const pelt_weights* weights)
{
    static const pelt_vec3 origin[4096];
    pelt_mesh mesh = {.name = "m",
                      .vertex_count = weights->vertex_count,
                      .positions = origin,
                      .weights = *weights,
                      .material = PELT_NONE};
    pelt_scene scene = {.mesh_count = 1, .meshes = &mesh};
    pelt_error error;
    return pelt_scene_validate(&scene, &error) == PELT_OK;
}

static bool has(const imported* r, uint32_t index, uint32_t joint, uint32_t slot, float weight)
{
    const pelt_influence* inf = &r->weights.influences[index];
    return index < r->weights.influence_count && inf->joint == joint && inf->slot == slot &&
           inf->weight == weight;
}

static int strongest_comes_first_and_keeps_its_slot(void)
{
    const uint32_t joints[4] = {2, 0, 3, 1};
    const float weights[4] = {0.125f, 0.25f, 0.5f, 0.125f};
    imported r = import_one(joints, weights, 4, 0);
    ENSURE(r.weights.influence_count == 4 && r.weights.max_influences == 4);
    ENSURE(r.weights.vertex_count == 1 && r.weights.joint_count == 4);
    ENSURE(has(&r, 0, 3, 2, 0.5f) && has(&r, 1, 0, 1, 0.25f));
    // Equal weights by ascending joint.
    ENSURE(has(&r, 2, 1, 3, 0.125f) && has(&r, 3, 2, 0, 0.125f));
    ENSURE(r.report.unnormalized == 0 && r.report.worst_sum == 1.0f);
    ENSURE(keeps_promises(&r.weights));
    pelt_arena_destroy(r.arena);
    return 0;
}

static int any_sum_becomes_one(void)
{
    const uint32_t joints[6] = {0, 1, 0, 1, 0, 1};
    const float weights[6] = {3.0f, 1.0f, 0.3f, 0.1f, 0.7504f, 0.2501f};
    imported r = import(&(pelt_weights_source){.vertex_count = 3,
                                               .joint_count = 2,
                                               .per_vertex = 2,
                                               .joints_u32 = joints,
                                               .weights = weights});
    ENSURE(has(&r, 0, 0, 0, 0.75f) && has(&r, 1, 1, 1, 0.25f));
    ENSURE_NEAR(r.weights.influences[2].weight, 0.75, 1e-7);
    // Sums 4, 0.4 and 1.0005: the last is within 1e-3 and not worth a report.
    ENSURE(r.report.unnormalized == 2 && r.report.worst_sum == 4.0f);
    ENSURE(keeps_promises(&r.weights));
    pelt_arena_destroy(r.arena);
    return 0;
}

static int joint_named_twice_gets_both_weights(void)
{
    const uint32_t joints[4] = {1, 0, 1, 1};
    const float weights[4] = {0.25f, 0.375f, 0.125f, 0.25f};
    imported r = import_one(joints, weights, 4, 0);
    ENSURE(r.weights.influence_count == 2);
    ENSURE(has(&r, 0, 1, 0, 0.625f) && has(&r, 1, 0, 1, 0.375f));
    ENSURE(r.report.duplicate == 1 && r.report.unnormalized == 0);
    pelt_arena_destroy(r.arena);
    return 0;
}

// Each spoils one vertex of its own; in each the sound influence takes all.
static int unusable_weights_are_dropped_and_counted(void)
{
    const uint32_t joints[14] = {1, 0, 1, 0, 1, 0, 1, 0, 1, 4, 1, 99, 1, 0};
    const float weights[14] = {1,         -0.5f, 1,    NAN,  1,    INFINITY, 1,
                               -INFINITY, 1,     0.5f, 0.5f, 0.0f, 1,        -0.0f};
    imported r = import(&(pelt_weights_source){.vertex_count = 7,
                                               .joint_count = 4,
                                               .per_vertex = 2,
                                               .joints_u32 = joints,
                                               .weights = weights});
    ENSURE(r.weights.influence_count == 7 && r.weights.max_influences == 1);
    for (uint32_t v = 0; v < 7; ++v)
    {
        ENSURE(r.weights.first[v] == v && has(&r, v, 1, 0, 1.0f));
    }
    ENSURE(r.report.negative == 1 && r.report.not_finite == 3 && r.report.out_of_range == 1);
    ENSURE(r.report.duplicate == 0 && r.report.pruned == 0 && r.report.without_weight == 0);
    // The sum counts only what is usable: 0.5 in the one vertex whose rest is padding.
    ENSURE(r.report.unnormalized == 1 && r.report.worst_sum == 0.5f);
    pelt_arena_destroy(r.arena);
    return 0;
}

static int zero_weights_vanish_whatever_joint_they_name(void)
{
    const uint32_t joints[4] = {UINT32_MAX, 3, 65536, 3};
    const float weights[4] = {0.0f, 1.0f, 0.0f, 0.0f};
    imported r = import_one(joints, weights, 4, 0);
    ENSURE(r.weights.influence_count == 1 && has(&r, 0, 3, 1, 1.0f));
    ENSURE(r.report.out_of_range == 0 && r.report.duplicate == 0 && r.report.negative == 0);
    pelt_arena_destroy(r.arena);
    return 0;
}

static int vertex_without_usable_weight_has_no_influence(void)
{
    const uint32_t joints[8] = {0, 1, 0, 1, 9, 9, 0, 1};
    const float weights[8] = {0, 0, -1, NAN, 1, 1, 1, 0};
    imported r = import(&(pelt_weights_source){.vertex_count = 4,
                                               .joint_count = 2,
                                               .per_vertex = 2,
                                               .joints_u32 = joints,
                                               .weights = weights});
    ENSURE(r.report.without_weight == 3 && r.weights.influence_count == 1);
    ENSURE(r.weights.first[3] == 0 && r.weights.first[4] == 1);
    ENSURE(r.report.unnormalized == 0);
    ENSURE(keeps_promises(&r.weights));
    pelt_arena_destroy(r.arena);
    return 0;
}

static int pruning_keeps_the_strongest_and_renormalizes(void)
{
    const uint32_t joints[4] = {0, 1, 2, 3};
    const float weights[4] = {0.1f, 0.3f, 0.1f, 0.5f};
    imported r = import_one(joints, weights, 4, 2);
    ENSURE(r.weights.influence_count == 2 && r.weights.max_influences == 2);
    ENSURE(r.weights.influences[0].joint == 3 && r.weights.influences[1].joint == 1);
    ENSURE_NEAR(r.weights.influences[0].weight, 0.625, 6e-8);
    ENSURE_NEAR(r.weights.influences[1].weight, 0.375, 6e-8);
    ENSURE(r.report.pruned == 1 && r.report.unnormalized == 0);
    pelt_arena_destroy(r.arena);
    // As many as allowed is not too many.
    r = import_one(joints, weights, 4, 4);
    ENSURE(r.report.pruned == 0 && r.weights.influence_count == 4);
    pelt_arena_destroy(r.arena);
    return 0;
}

// Four bytes as glTF stores them, rounded so that they sum to 254, 255 or 256.
static int bytes_of_weight_sum_to_one(void)
{
    const uint8_t bytes[3][4] = {{127, 64, 63, 0}, {128, 64, 32, 31}, {128, 128, 0, 0}};
    uint32_t joints[12];
    float weights[12];
    for (uint32_t i = 0; i < 12; ++i)
    {
        joints[i] = i % 4;
        weights[i] = (float)bytes[i / 4][i % 4] / 255.0f;
    }
    imported r = import(&(pelt_weights_source){.vertex_count = 3,
                                               .joint_count = 4,
                                               .per_vertex = 4,
                                               .joints_u32 = joints,
                                               .weights = weights});
    ENSURE(keeps_promises(&r.weights));
    ENSURE(r.weights.influence_count == 9);
    ENSURE_NEAR(r.weights.influences[0].weight, 127.0 / 254.0, 6e-8);
    ENSURE_NEAR(r.weights.influences[3].weight, 128.0 / 255.0, 6e-8);
    ENSURE(r.weights.influences[7].weight == 0.5f && r.weights.influences[8].weight == 0.5f);
    ENSURE(r.report.unnormalized == 2); // off by 1 / 255, which is more than 1e-3
    pelt_arena_destroy(r.arena);
    return 0;
}

static int offsets_and_stride_say_the_same(void)
{
    enum
    {
        VERTICES = 100,
        STRIDE = 3
    };
    test_random random = {1};
    uint32_t joints[VERTICES * STRIDE], first[VERTICES + 1];
    float weights[VERTICES * STRIDE];
    for (uint32_t i = 0; i < VERTICES * STRIDE; ++i)
    {
        joints[i] = i % 7;
        weights[i] = test_uniform(&random, 0.0f, 1.0f);
    }
    for (uint32_t v = 0; v <= VERTICES; ++v)
    {
        first[v] = v * STRIDE;
    }
    pelt_weights_source source = {.vertex_count = VERTICES,
                                  .joint_count = 7,
                                  .per_vertex = STRIDE,
                                  .joints_u32 = joints,
                                  .weights = weights};
    imported strided = import(&source);
    source.first = first;
    source.per_vertex = 0;
    imported packed = import(&source);
    uint32_t count = strided.weights.influence_count;
    ENSURE(count == packed.weights.influence_count && count == VERTICES * STRIDE);
    ENSURE(memcmp(strided.weights.influences, packed.weights.influences,
                  count * sizeof(pelt_influence)) == 0);
    ENSURE(memcmp(strided.weights.first, packed.weights.first, sizeof first) == 0);
    pelt_arena_destroy(strided.arena);
    pelt_arena_destroy(packed.arena);

    // Lists of different lengths, among them an empty one.
    const uint32_t uneven[4] = {0, 2, 2, 5};
    source.vertex_count = 3;
    source.first = uneven;
    imported r = import(&source);
    ENSURE(r.weights.first[1] == 2 && r.weights.first[2] == 2 && r.weights.first[3] == 5);
    ENSURE(r.weights.max_influences == 3 && r.report.without_weight == 1);
    ENSURE(keeps_promises(&r.weights));
    pelt_arena_destroy(r.arena);
    return 0;
}

// Random lists with duplicates, ties, zeros and pruning, shuffled: the same bits but for the slot.
static int order_of_influences_does_not_show(void)
{
    test_random random = {2};
    for (int i = 0; i < 1000; ++i)
    {
        uint32_t joints[9], pruned = (uint32_t)i % 5;
        float weights[9];
        for (uint32_t k = 0; k < 9; ++k)
        {
            joints[k] = (uint32_t)test_uniform(&random, 0.0f, 4.9f);
            weights[k] = k % 3 == 0 ? 0.1f : test_uniform(&random, -0.1f, 1.0f);
        }
        imported a = import_one(joints, weights, 9, pruned);
        for (uint32_t k = 9; k > 1; --k)
        {
            uint32_t other = (uint32_t)test_uniform(&random, 0.0f, (float)k - 0.001f);
            uint32_t joint = joints[k - 1];
            float weight = weights[k - 1];
            joints[k - 1] = joints[other];
            weights[k - 1] = weights[other];
            joints[other] = joint;
            weights[other] = weight;
        }
        imported b = import_one(joints, weights, 9, pruned);
        ENSURE(a.weights.influence_count == b.weights.influence_count);
        ENSURE(memcmp(&a.report, &b.report, sizeof a.report) == 0);
        ENSURE(keeps_promises(&a.weights));
        for (uint32_t k = 0; k < a.weights.influence_count; ++k)
        {
            ENSURE(a.weights.influences[k].joint == b.weights.influences[k].joint);
            ENSURE(a.weights.influences[k].weight == b.weights.influences[k].weight);
        }
        pelt_arena_destroy(a.arena);
        pelt_arena_destroy(b.arena);
    }
    return 0;
}

// Sums far outside the range of float, or below its smallest number.
static int weights_of_any_size_are_normalized(void)
{
    const uint32_t joints[4] = {0, 0, 1, 2};
    const float huge[4] = {3e38f, 3e38f, 3e38f, 1.0f}, tiny[4] = {2e-45f, 2e-45f, 2e-45f, 0.0f};
    const float thirds[2] = {2.0f / 3.0f, 1.0f / 3.0f};
    for (int i = 0; i < 2; ++i)
    {
        imported r = import_one(joints, i == 0 ? huge : tiny, 4, 0);
        ENSURE(r.weights.influence_count == 2 && r.report.without_weight == 0);
        ENSURE(keeps_promises(&r.weights));
        ENSURE(r.weights.influences[0].joint == 0 && r.weights.influences[1].joint == 1);
        ENSURE_NEAR(r.weights.influences[0].weight, thirds[0], 2e-7);
        ENSURE_NEAR(r.weights.influences[1].weight, thirds[1], 2e-7);
        pelt_arena_destroy(r.arena);
    }
    return 0;
}

// The same numbers in every form that vertex buffers have them. 51 / 255 and 13107 / 65535 are both
// 0.2, and so on: quotients of whole numbers round to the same float.
static int vertex_buffers_say_the_same_in_every_type(void)
{
    static const struct
    {
        uint32_t before;
        uint8_t joints[4], bytes[4];
        uint16_t wide[4], shorts[4];
        uint32_t after;
    } buffer[2] = {
        {1, {3, 1, 0, 2}, {51, 102, 85, 17}, {3, 1, 0, 2}, {13107, 26214, 21845, 4369}, 9},
        {2, {2, 0, 0, 0}, {255, 0, 0, 0}, {2, 0, 0, 0}, {65535, 0, 0, 0}, 9},
    };
    const uint32_t joints[8] = {3, 1, 0, 2, 2, 0, 0, 0};
    const float weights[8] = {51 / 255.0f, 102 / 255.0f, 85 / 255.0f, 17 / 255.0f, 1, 0, 0, 0};
    pelt_weights_source source = {.vertex_count = 2, .joint_count = 4};
    source.joints_u32 = joints;
    source.weights = weights;
    imported expected = import(&source);
    ENSURE(expected.weights.influence_count == 5);
    ENSURE_NEAR(expected.weights.influences[0].weight, 0.4, 6e-8);

    for (int i = 0; i < 9; ++i)
    {
        source = (pelt_weights_source){.vertex_count = 2, .joint_count = 4};
        source.joints_u8 = i % 3 == 0 ? buffer[0].joints : NULL;
        source.joints_u16 = i % 3 == 1 ? buffer[0].wide : NULL;
        source.joints_u32 = i % 3 == 2 ? joints : NULL;
        source.joint_stride = i % 3 == 2 ? 0 : sizeof buffer[0];
        source.weights_unorm8 = i / 3 == 0 ? buffer[0].bytes : NULL;
        source.weights_unorm16 = i / 3 == 1 ? buffer[0].shorts : NULL;
        source.weights = i / 3 == 2 ? weights : NULL;
        source.weight_stride = i / 3 == 2 ? 4 * sizeof(float) : sizeof buffer[0];
        pelt_weights made;
        pelt_weights_report report;
        ENSURE(pelt_weights_create(&made, &source, &report) == PELT_OK);
        ENSURE(made.influence_count == 5 && made.max_influences == 4 && report.duplicate == 0);
        ENSURE(memcmp(made.first, expected.weights.first, 3 * sizeof *made.first) == 0);
        ENSURE(memcmp(made.influences, expected.weights.influences, 5 * sizeof *made.influences) ==
               0);
        pelt_weights_destroy(&made);
        ENSURE(made.first == NULL && made.influences == NULL);
        pelt_weights_destroy(&made);
    }
    pelt_arena_destroy(expected.arena);
    return 0;
}

static int report_is_optional_and_no_vertices_are_fine(void)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_weights weights;
    pelt_weights_source none = {.joint_count = PELT_MAX_JOINTS};
    ENSURE(pelt_weights_import(&weights, NULL, &none, arena) == PELT_OK);
    ENSURE(weights.first != NULL && weights.first[0] == 0 && weights.max_influences == 0);
    pelt_arena_destroy(arena);
    return 0;
}

// A file that pelt wrote must read as the same scene.
static int importing_twice_changes_nothing(void)
{
    test_random random = {77};
    for (int i = 0; i < 2000; ++i)
    {
        uint32_t joints[4] = {0, 1, 2, 3};
        float weights[4];
        for (int k = 0; k < 4; ++k)
        {
            weights[k] = test_uniform(&random, 0.001f, 1.0f);
        }
        imported once = import_one(joints, weights, 4, 0);
        for (int k = 0; k < 4; ++k)
        {
            joints[k] = once.weights.influences[k].joint;
            weights[k] = once.weights.influences[k].weight;
        }
        imported twice = import_one(joints, weights, 4, 0);
        for (int k = 0; k < 4; ++k)
        {
            ENSURE(once.weights.influences[k].joint == twice.weights.influences[k].joint);
            ENSURE(once.weights.influences[k].weight == twice.weights.influences[k].weight);
        }
        pelt_arena_destroy(once.arena);
        pelt_arena_destroy(twice.arena);
    }
    return 0;
}

static int tiny_weights_beside_one_keep_every_bit(void)
{
    // Halved, it would leave the normal range of float and lose its last bit.
    const float tiny = nextafterf(1.5f * FLT_MIN, 1.0f);
    const uint32_t joints[2] = {0, 1};
    const float weights[2] = {1.0f, tiny};
    imported r = import_one(joints, weights, 2, 0);
    ENSURE(has(&r, 0, 0, 0, 1.0f) && has(&r, 1, 1, 1, tiny));
    pelt_arena_destroy(r.arena);
    return 0;
}

void test_weights(void)
{
    RUN(importing_twice_changes_nothing);
    RUN(tiny_weights_beside_one_keep_every_bit);
    RUN(strongest_comes_first_and_keeps_its_slot);
    RUN(any_sum_becomes_one);
    RUN(joint_named_twice_gets_both_weights);
    RUN(unusable_weights_are_dropped_and_counted);
    RUN(zero_weights_vanish_whatever_joint_they_name);
    RUN(vertex_without_usable_weight_has_no_influence);
    RUN(pruning_keeps_the_strongest_and_renormalizes);
    RUN(bytes_of_weight_sum_to_one);
    RUN(offsets_and_stride_say_the_same);
    RUN(order_of_influences_does_not_show);
    RUN(weights_of_any_size_are_normalized);
    RUN(vertex_buffers_say_the_same_in_every_type);
    RUN(report_is_optional_and_no_vertices_are_fine);
}
