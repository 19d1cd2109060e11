// SPDX-License-Identifier: MIT
// Animated properties, sampled through pelt_pose_sample(), against closed forms.
#include "test.h"

#include <string.h>

// Two nodes, and two instances with three and two shapes.
typedef struct stage
{
    pelt_node nodes[2];
    pelt_mesh meshes[2];
    pelt_morph morphs[3];
    float defaults[3];
    pelt_instance instances[2];
    pelt_clip clip;
    pelt_scene scene;
    pelt_transform locals[2];
    float morph_weights[5];
    pelt_pose pose;
} stage;

static stage* make_stage(void)
{
    static stage storage;
    stage* s = &storage;
    memset(s, 0, sizeof *s);
    s->nodes[0] = (pelt_node){"a", PELT_NONE, pelt_transform_identity()};
    s->nodes[1] = (pelt_node){"b", 0, pelt_transform_identity()};
    s->nodes[1].rest.translation = pelt_vec3_make(7, 8, 9);
    s->defaults[0] = 0.5f;
    s->meshes[0] = (pelt_mesh){.morph_count = 3, .morphs = s->morphs, .morph_weights = s->defaults};
    s->meshes[1] = (pelt_mesh){.morph_count = 2, .morphs = s->morphs};
    s->instances[0] = (pelt_instance){.mesh = 0, .skin = PELT_NONE};
    s->instances[1] = (pelt_instance){.mesh = 1, .skin = PELT_NONE, .first_morph_weight = 3};
    s->scene = (pelt_scene){.node_count = 2,
                            .mesh_count = 2,
                            .instance_count = 2,
                            .morph_weight_count = 5,
                            .nodes = s->nodes,
                            .meshes = s->meshes,
                            .instances = s->instances};
    s->pose = (pelt_pose){2, 5, s->locals, s->morph_weights};
    return s;
}

// The stage at a time of a clip with these tracks, which lasts 100 seconds.
static const stage* sample(const pelt_track* tracks, uint32_t count, float time)
{
    stage* s = make_stage();
    s->clip = (pelt_clip){"clip", 100.0f, count, tracks};
    pelt_pose_sample(&s->pose, &s->scene, &s->clip, time, PELT_WRAP_CLAMP);
    return s;
}

static pelt_vec3 translation_at(const pelt_track* track, float time)
{
    return sample(track, 1, time)->locals[track->target].translation;
}

static pelt_quat rotation_at(const pelt_track* track, float time)
{
    return sample(track, 1, time)->locals[track->target].rotation;
}

static const float uneven_times[4] = {1.0f, 1.5f, 3.5f, 4.0f};
static const float corners[12] = {0, 0, 0, 1, 2, 3, 5, -2, 3, 6, 0, 0};

static int linear_keys_are_joined_by_lines(void)
{
    pelt_track track = {
        1, PELT_PATH_TRANSLATION, PELT_INTERPOLATION_LINEAR, 4, 3, uneven_times, corners};
    ENSURE_POINT(translation_at(&track, 1.25f), pelt_vec3_make(0.5f, 1.0f, 1.5f), 1e-6);
    ENSURE_POINT(translation_at(&track, 3.0f), pelt_vec3_make(4.0f, -1.0f, 3.0f), 1e-6);
    for (uint32_t key = 0; key < 4; ++key)
    {
        const float* v = corners + 3 * key;
        ENSURE_POINT(translation_at(&track, uneven_times[key]), pelt_vec3_make(v[0], v[1], v[2]),
                     0.0);
    }
    return 0;
}

static int step_holds_until_the_next_key(void)
{
    pelt_track track = {1,      PELT_PATH_TRANSLATION, PELT_INTERPOLATION_STEP, 4, 3, uneven_times,
                        corners};
    ENSURE_POINT(translation_at(&track, 1.4999f), pelt_vec3_make(0, 0, 0), 0.0);
    ENSURE_POINT(translation_at(&track, 1.5f), pelt_vec3_make(1, 2, 3), 0.0);
    ENSURE_POINT(translation_at(&track, 3.4999f), pelt_vec3_make(1, 2, 3), 0.0);
    ENSURE_POINT(translation_at(&track, 3.5f), pelt_vec3_make(5, -2, 3), 0.0);
    return 0;
}

static int track_holds_before_its_first_and_after_its_last_key(void)
{
    static const float cubic[36] = {9, 9, 9, 0, 0,  0, 9, 9, 9, 9, 9, 9, 1, 2, 3, 9, 9, 9,
                                    9, 9, 9, 5, -2, 3, 9, 9, 9, 9, 9, 9, 6, 0, 0, 9, 9, 9};
    for (int i = 0; i < 3; ++i)
    {
        pelt_interpolation kind = (pelt_interpolation)i;
        const float* values = kind == PELT_INTERPOLATION_CUBIC ? cubic : corners;
        pelt_track track = {1, PELT_PATH_TRANSLATION, kind, 4, 3, uneven_times, values};
        ENSURE_POINT(translation_at(&track, 0.0f), pelt_vec3_make(0, 0, 0), 0.0);
        ENSURE_POINT(translation_at(&track, 0.9999f), pelt_vec3_make(0, 0, 0), 0.0);
        ENSURE_POINT(translation_at(&track, 4.0f), pelt_vec3_make(6, 0, 0), 0.0);
        ENSURE_POINT(translation_at(&track, 99.0f), pelt_vec3_make(6, 0, 0), 0.0);
        // A single key holds for ever; that of a cubic track lies between its tangents.
        track.key_count = 1;
        ENSURE_POINT(translation_at(&track, 0.0f), pelt_vec3_make(0, 0, 0), 0.0);
        ENSURE_POINT(translation_at(&track, 50.0f), pelt_vec3_make(0, 0, 0), 0.0);
    }
    return 0;
}

// x^3 - 2 x^2 + 3 x - 4 and its derivative.
static double cubic_at(double x)
{
    return ((x - 2.0) * x + 3.0) * x - 4.0;
}

static double slope_at(double x)
{
    return (3.0 * x - 4.0) * x + 3.0;
}

// A Hermite spline is the cubic itself when it gets its values and slopes, over any intervals;
// which holds only if tangents are multiplied by the interval.
static int cubic_keys_reproduce_a_cubic(void)
{
    float values[36];
    for (uint32_t key = 0; key < 4; ++key)
    {
        for (uint32_t k = 0; k < 3; ++k)
        {
            double x = (double)uneven_times[key] - k;
            values[9 * key + k] = values[9 * key + 6 + k] = (float)slope_at(x);
            values[9 * key + 3 + k] = (float)cubic_at(x);
        }
    }
    // The slope before the first key and after the last must not show.
    values[0] = values[35] = 1e6f;
    pelt_track track = {0,     PELT_PATH_TRANSLATION, PELT_INTERPOLATION_CUBIC, 4, 3, uneven_times,
                        values};
    for (float t = 1.0f; t <= 4.0f; t += 0.03125f)
    {
        pelt_vec3 p = translation_at(&track, t);
        // Values up to 40 and a dozen roundings of 6e-8 each.
        ENSURE_NEAR(p.x, cubic_at(t), 2e-5);
        ENSURE_NEAR(p.y, cubic_at(t - 1.0), 2e-5);
        ENSURE_NEAR(p.z, cubic_at(t - 2.0), 2e-5);
    }
    return 0;
}

// In- and out-tangents differ here: a key may be a corner.
static int cubic_tangents_have_sides(void)
{
    static const float times[2] = {0.0f, 2.0f};
    static const float values[18] = {100, 100, 100, 0, 0, 0, 1,   0,   0,
                                     0,   1,   0,   0, 0, 0, 100, 100, 100};
    pelt_track track = {0, PELT_PATH_TRANSLATION, PELT_INTERPOLATION_CUBIC, 2, 3, times, values};
    // In the middle: interval * (t^3 - 2 t^2 + t) = 1/4 and interval * (t^3 - t^2) = -1/4.
    ENSURE_POINT(translation_at(&track, 1.0f), pelt_vec3_make(0.25f, -0.25f, 0.0f), 1e-6);
    return 0;
}

static int linear_rotation_has_constant_speed(void)
{
    pelt_vec3 axis = pelt_vec3_make(1, 2, -2);
    pelt_quat a = pelt_quat_axis_angle(axis, -0.4f), b = pelt_quat_axis_angle(axis, 2.0f);
    for (float sign = -1.0f; sign <= 1.0f; sign += 2.0f)
    {
        // A key with the other sign is the same rotation, and the shorter arc is taken.
        const float values[8] = {a.x,        a.y,        a.z,        a.w,
                                 sign * b.x, sign * b.y, sign * b.z, sign * b.w};
        static const float times[2] = {1.0f, 3.0f};
        pelt_track track = {1, PELT_PATH_ROTATION, PELT_INTERPOLATION_LINEAR, 2, 4, times, values};
        for (float t = 1.0f; t <= 3.0f; t += 0.125f)
        {
            pelt_quat q = rotation_at(&track, t);
            pelt_quat expected = pelt_quat_axis_angle(axis, -0.4f + 1.2f * (t - 1.0f));
            ENSURE_NEAR(fabsf(pelt_quat_dot(q, expected)), 1.0, 5e-7);
            ENSURE_NEAR(pelt_quat_dot(q, q), 1.0, 5e-7);
        }
    }
    return 0;
}

// Keys as eight bits hold them, up to 1 % too short. The way between them is that of the rotations
// they mean.
static int keys_that_are_not_quite_unit_mean_their_rotation(void)
{
    pelt_vec3 axis = pelt_vec3_make(0, 0, 1);
    static const float times[2] = {0.0f, 1.0f};
    for (float shrink = 0.99f; shrink < 1.02f; shrink += 0.01f)
    {
        const float values[8] = {0, 0, 0, shrink, 0, 0, shrink * sinf(0.75f), shrink * cosf(0.75f)};
        for (int i = 0; i < 2; ++i)
        {
            pelt_interpolation kind = (pelt_interpolation)i;
            pelt_track track = {1, PELT_PATH_ROTATION, kind, 2, 4, times, values};
            pelt_quat q = rotation_at(&track, 1.0f);
            ENSURE_NEAR(pelt_quat_dot(q, q), 1.0, 5e-7);
            ENSURE_NEAR(pelt_quat_dot(q, pelt_quat_axis_angle(axis, 1.5f)), 1.0, 5e-7);
        }
        pelt_track track = {1, PELT_PATH_ROTATION, PELT_INTERPOLATION_LINEAR, 2, 4, times, values};
        ENSURE_NEAR(rotation_at(&track, 0.5f).z, sin(0.375), 1e-6);
        ENSURE_NEAR(rotation_at(&track, 0.25f).z, sin(0.1875), 1e-6);
    }
    return 0;
}

// With zero tangents the middle of a cubic is the mean of its ends, here of rotations by 0 and a:
// a chord, which normalized is the rotation by a / 2.
static int cubic_rotations_are_normalized(void)
{
    static const float times[2] = {0.0f, 4.0f};
    for (float angle = 0.1f; angle < 3.0f; angle += 0.1f)
    {
        pelt_quat b = pelt_quat_axis_angle(pelt_vec3_make(0, 1, 0), angle);
        const float values[24] = {0, 0, 0, 0, 0,   0,   0,   1,   0, 0, 0, 0,
                                  0, 0, 0, 0, b.x, b.y, b.z, b.w, 0, 0, 0, 0};
        pelt_track track = {0, PELT_PATH_ROTATION, PELT_INTERPOLATION_CUBIC, 2, 4, times, values};
        pelt_quat q = rotation_at(&track, 2.0f);
        ENSURE_NEAR(q.y, sin(0.25 * (double)angle), 1e-6);
        ENSURE_NEAR(pelt_quat_dot(q, q), 1.0, 5e-7);
        q = rotation_at(&track, 1.3f);
        ENSURE_NEAR(pelt_quat_dot(q, q), 1.0, 5e-7);
    }
    return 0;
}

static int scale_and_morph_weights_are_animated(void)
{
    static const float times[2] = {0.0f, 2.0f};
    static const float scales[6] = {1, 1, 1, 3, -1, 0}, shapes[4] = {0, 1, 0.5f, 0};
    // Targets in any order.
    const pelt_track tracks[3] = {
        {1, PELT_PATH_MORPH, PELT_INTERPOLATION_LINEAR, 2, 2, times, shapes},
        {1, PELT_PATH_SCALE, PELT_INTERPOLATION_LINEAR, 2, 3, times, scales},
        {0, PELT_PATH_TRANSLATION, PELT_INTERPOLATION_STEP, 2, 3, times, scales}};
    const stage* s = sample(tracks, 3, 1.0f);
    ENSURE_POINT(s->locals[1].scale, pelt_vec3_make(2.0f, 0.0f, 0.5f), 1e-6);
    ENSURE_POINT(s->locals[0].translation, pelt_vec3_make(1, 1, 1), 0.0);
    ENSURE_NEAR(s->morph_weights[3], 0.25, 1e-6);
    ENSURE_NEAR(s->morph_weights[4], 0.5, 1e-6);
    // What has no track takes the stored pose: the node's, and the shape weights of the mesh.
    ENSURE_POINT(s->locals[1].translation, pelt_vec3_make(7, 8, 9), 0.0);
    ENSURE(s->locals[1].rotation.w == 1.0f && s->locals[0].scale.x == 1.0f);
    ENSURE(s->morph_weights[0] == 0.5f && s->morph_weights[1] == 0.0f);
    return 0;
}

static int many_keys_are_found_by_bisection(void)
{
    static float times[1000], values[3000];
    for (uint32_t key = 0; key < 1000; ++key)
    {
        times[key] = 0.05f * (float)key;
        values[3 * key] = (float)key;
    }
    pelt_track track = {0, PELT_PATH_TRANSLATION, PELT_INTERPOLATION_STEP, 1000, 3, times, values};
    for (uint32_t key = 0; key < 1000; ++key)
    {
        ENSURE(translation_at(&track, times[key]).x == (float)key);
        ENSURE(translation_at(&track, times[key] + 0.02f).x == (float)key);
    }
    return 0;
}

void test_track(void)
{
    RUN(linear_keys_are_joined_by_lines);
    RUN(step_holds_until_the_next_key);
    RUN(track_holds_before_its_first_and_after_its_last_key);
    RUN(cubic_keys_reproduce_a_cubic);
    RUN(cubic_tangents_have_sides);
    RUN(linear_rotation_has_constant_speed);
    RUN(keys_that_are_not_quite_unit_mean_their_rotation);
    RUN(cubic_rotations_are_normalized);
    RUN(scale_and_morph_weights_are_animated);
    RUN(many_keys_are_found_by_bisection);
}
