// SPDX-License-Identifier: MIT
// Baking: what is stored, and how exact it is, by closed forms and laws.
#include "bake_compare.h"
#include "bake_scene.h"
#include "texture_decoder.h"

#include <stdlib.h>
#include <string.h>

static const pelt_vec3 x_axis = {1, 0, 0}, z_axis = {0, 0, 1};

static pelt_baked* bake_as(const pelt_scene* scene, pelt_encoding encoding, uint32_t bits)
{
    return bake_valid(scene, &(pelt_bake_options){.encoding = encoding, .bits = bits});
}

// ---------------------------------------------------------------------------------------------
// Between keys

enum
{
    ROTATION_KEYS = 11
};

// Joint 1 rotates about x at constant speed; all others are at rest.
static bake_scene* make_rotation(float step)
{
    bake_scene* s = bake_scene_make(2);
    bake_scene_clip(s, "rotation", (ROTATION_KEYS - 1) / 30.0f);
    bake_scene_rotate(s, 1, x_axis, 0.0f, 30.0f, ROTATION_KEYS, step);
    return s;
}

// Largest error of a vertex at the middle of key intervals, or at another part of them.
static double error_between(const bake_scene* s, const pelt_baked* baked, uint32_t vertex, double u)
{
    bake_comparison c;
    double most = 0.0;
    if (!bake_comparison_create(&c, &s->scene, baked))
    {
        return INFINITY;
    }
    for (int key = 0; key + 1 < ROTATION_KEYS; ++key)
    {
        bake_difference found = {0};
        bake_compare_at(&found, &c, 0, 0, (float)((key + u) / 30.0));
        most = fmax(most, c.distances[vertex]);
    }
    bake_comparison_destroy(&c);
    return most;
}

// A corner of the box of joint 1 that it moves alone, and its distance from the axis.
static const uint32_t far_corner = BAKE_SCENE_VERTICES + 4;

static double far_radius(void)
{
    return hypot(0.4, 0.1);
}

// How far the rounding of a record can move a point at a distance from the pivot: half a step of
// each component. The vector of a rotation is tan(angle / 4), which changes by a quarter of it.
static double half_steps(const pelt_baked* baked, uint32_t clip, uint32_t joint, double reach)
{
    texture_component list[14];
    uint32_t run = texture_run(baked->words, clip, 0);
    uint32_t count = texture_components(list, baked->words, run, joint);
    uint32_t table = baked->words[run + 5], record = baked->words[table + joint / 2];
    record = table + (joint % 2 == 0 ? record & 0xFFFF : record >> 16);
    uint32_t flags = baked->words[record];
    double sums[3] = {0};
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t rotations = 3 * (flags >> 23 & 1), moves = 3 * (flags >> 24 & 1);
        // A constant is a float without its five lowest bits.
        double half = list[i].width == 0
                          ? fabs(list[i].low) * ldexp(1.0, -19)
                          : 0.5 * list[i].range / (ldexp(1.0, (int)list[i].width) - 1);
        sums[i < rotations ? 0 : i < rotations + moves ? 1 : 2] += half * half;
    }
    return 4.0 * sqrt(sums[0]) * reach + sqrt(sums[1]) + sqrt(2.0 * sums[2]) * reach;
}

// Keys are on the arc, and so is what is between: slerp is what the source does.
static int local_is_exact_between_keys(void)
{
    bake_scene* s = make_rotation(0.3f);
    for (uint32_t bits = 6; bits <= 22; bits += 4)
    {
        pelt_baked* baked = bake_as(&s->scene, PELT_ENCODING_LOCAL, bits);
        ENSURE(baked != NULL);
        double bound = half_steps(baked, 0, 1, far_radius()) + 1e-6;
        for (double u = 0.0; u < 1.0; u += 0.125)
        {
            ENSURE(error_between(s, baked, far_corner, u) <= bound);
        }
        // The bound is tight enough: it shrinks with the bits, down to rounding.
        ENSURE(bound < 4.0 * far_radius() * ldexp(1.0, -(int)bits) + 4e-6);
        pelt_baked_destroy(baked);
    }
    bake_scene_free(s);
    return 0;
}

// QT goes straight from center to center, r (1 - cos(a / 2)) inside of the arc.
static int qt_without_correction_is_off_by_the_sagitta_of_its_center(void)
{
    bake_scene* s = make_rotation(0.3f);
    pelt_baked* baked =
        bake_valid(&s->scene, &(pelt_bake_options){.bits = 128, .has_no_correction = true});
    ENSURE(baked != NULL);
    // Upper corners have weight 1 and lower ones 3/4: the center is at 4 / 7 of 0.4.
    ENSURE_NEAR(baked->joints[1].pivot.y, 0.5 + 0.4 * 4.0 / 7.0, 1e-6);
    double sagitta = 0.4 * 4.0 / 7.0 * (1.0 - cos(0.15));
    ENSURE_NEAR(error_between(s, baked, far_corner, 0.5), sagitta, 1e-6);
    ENSURE_NEAR(error_between(s, baked, far_corner + 3, 0.5), sagitta, 1e-6);
    ENSURE(error_between(s, baked, far_corner, 0.0) < 1e-6);
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

// A parabola instead of the arc: what is left is odd about the middle, r (sin(a x) - 2 x sin(a /
// 2)), at most r a^3 / 124.
static int qt_path_follows_the_arc(void)
{
    double r = 0.4 * 4.0 / 7.0;
    for (double step = 0.1; step < 0.5; step += 0.1)
    {
        bake_scene* s = make_rotation((float)step);
        pelt_baked* baked = bake_as(&s->scene, PELT_ENCODING_QT, 128);
        ENSURE(baked != NULL);
        double rest = r * pow(step, 3.0) / 124.0, most = 0.0;
        for (double u = 0.0; u < 1.0; u += 0.0625)
        {
            most = fmax(most, error_between(s, baked, far_corner, u));
        }
        // A thousandth of the sagitta for the bits of the path.
        double sagitta = r * (1.0 - cos(0.5 * step));
        ENSURE(most <= 1.1 * rest + 1e-3 * sagitta + 2e-6);
        pelt_baked_destroy(baked);
        bake_scene_free(s);
    }
    return 0;
}

static int matrices_are_off_by_the_sagitta_of_each_vertex(void)
{
    for (float step = 0.1f; step < 0.6f; step += 0.2f)
    {
        bake_scene* s = make_rotation(step);
        pelt_baked* baked = bake_as(&s->scene, PELT_ENCODING_MATRIX, 32);
        ENSURE(baked != NULL);
        double sagitta = far_radius() * (1.0 - cos(0.5 * (double)step));
        ENSURE_NEAR(error_between(s, baked, far_corner, 0.5), sagitta, 1e-6);
        ENSURE(error_between(s, baked, far_corner, 0.0) < 1e-6);
        pelt_baked_destroy(baked);
        bake_scene_free(s);
    }
    return 0;
}

// A mean of two dual quaternions is halfway on the screw. At a quarter it lags behind by
// angle - 2 atan(tan(angle / 4) / 2), half angles: the chord is divided evenly and not the arc.
static int dual_quaternions_are_exact_halfway(void)
{
    bake_scene* s = make_rotation(0.5f);
    pelt_baked* baked = bake_as(&s->scene, PELT_ENCODING_DQ, 32);
    ENSURE(baked != NULL);
    ENSURE(error_between(s, baked, far_corner, 0.5) < 1e-6);
    double lag = 0.125 - 2.0 * atan2(0.25 * sin(0.25), 0.75 + 0.25 * cos(0.25));
    ENSURE_NEAR(error_between(s, baked, far_corner, 0.25), fabs(lag) * far_radius(), 2e-6);
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// At keys

// Every number of the matrix, by its own step.
static int matrices_are_off_by_half_a_step_at_keys(void)
{
    bake_scene* s = bake_scene_dance(4);
    for (uint32_t bits = 8; bits <= 16; bits += 8)
    {
        pelt_baked* baked = bake_as(&s->scene, PELT_ENCODING_MATRIX, bits);
        ENSURE(baked != NULL);
        bake_comparison c;
        ENSURE(bake_comparison_create(&c, &s->scene, baked));
        for (uint32_t key = 0; key < 31; ++key)
        {
            bake_difference found = {0};
            bake_compare_at(&found, &c, 0, 0, (float)(key / 30.0));
            for (uint32_t joint = 0; joint < 4; ++joint)
            {
                texture_component list[14];
                uint32_t run = texture_run(baked->words, 0, 0);
                ENSURE(texture_components(list, baked->words, run, joint) == 12);
                pelt_mat34 source = pelt_mat34_mul(&c.model_from_node[joint], &s->binds[joint]);
                pelt_vec3 pivot = baked->joints[joint].pivot;
                pelt_vec3 a = pelt_mat34_point(&source, pivot),
                          b = pelt_mat34_point(&c.motions[joint], pivot);
                for (int i = 0; i < 12; ++i)
                {
                    double steps = ldexp(1.0, (int)list[i].width) - 1.0;
                    double off = i < 9 ? (double)source.m[i / 3][i % 3] -
                                             (double)c.motions[joint].m[i / 3][i % 3]
                                       : (double)(&a.x)[i - 9] - (double)(&b.x)[i - 9];
                    ENSURE(fabs(off) <= 0.5 * list[i].range / steps + 1e-6);
                }
            }
        }
        bake_comparison_destroy(&c);
        pelt_baked_destroy(baked);
    }
    bake_scene_free(s);
    return 0;
}

// Vertices by the steps of all joints above them.
static int poses_are_off_by_half_a_step_at_keys(void)
{
    bake_scene* s = bake_scene_dance(4);
    const pelt_bake_options options[] = {{.bits = 64, .has_no_correction = true},
                                         {.bits = 96},
                                         {.encoding = PELT_ENCODING_LOCAL, .bits = 8},
                                         {.encoding = PELT_ENCODING_LOCAL, .bits = 14}};
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i)
    {
        pelt_baked* baked = bake_valid(&s->scene, &options[i]);
        bake_comparison c;
        ENSURE(baked != NULL && bake_comparison_create(&c, &s->scene, baked));
        for (uint32_t clip = 0; clip < 2; ++clip)
        {
            // No vertex is farther than 2.1 m from any joint.
            double bound = 1e-6;
            for (uint32_t joint = 0; joint < 4; ++joint)
            {
                bound += half_steps(baked, clip, joint, 2.1);
            }
            double off = bake_compare_keys(&c, clip, clip);
            ENSURE(off <= bound && bound < 0.1);
        }
        bake_comparison_destroy(&c);
        pelt_baked_destroy(baked);
    }
    bake_scene_free(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// What is stored

static int rigid_followers_have_no_record(void)
{
    bake_scene* s = bake_scene_make(4);
    bake_scene_clip(s, "rotation", (ROTATION_KEYS - 1) / 30.0f);
    bake_scene_rotate(s, 0, z_axis, 0.0f, 30.0f, ROTATION_KEYS, 0.1f);
    bake_scene_rotate(s, 1, x_axis, 0.0f, 30.0f, ROTATION_KEYS, 0.1f);
    for (int has_no_followers = 0; has_no_followers < 2; ++has_no_followers)
    {
        pelt_baked* baked =
            bake_valid(&s->scene, &(pelt_bake_options){.has_no_followers = has_no_followers != 0});
        ENSURE(baked != NULL);
        texture_component list[14];
        uint32_t run = texture_run(baked->words, 0, 0);
        for (uint32_t joint = 0; joint < 4; ++joint)
        {
            bool is_alone = joint < 2 || has_no_followers;
            ENSURE(baked->joints[joint].parent == (is_alone ? PELT_NONE : 1));
            ENSURE((texture_components(list, baked->words, run, joint) > 0) == is_alone);
        }
        pelt_baked_destroy(baked);
    }
    bake_scene_free(s);
    return 0;
}

static int constant_tracks_take_no_bits(void)
{
    bake_scene* s = bake_scene_dance(3);
    float times[31];
    pelt_quat rotations[31];
    for (int i = 0; i < 31; ++i)
    {
        times[i] = (float)(i / 30.0);
        rotations[i] = pelt_quat_axis_angle(z_axis, 0.8f);
    }
    // The third joint has a constant rotation.
    s->clips[1].track_count = 0;
    s->scene.clip_count = 2;
    bake_scene_track(s, 1, PELT_PATH_ROTATION, PELT_INTERPOLATION_LINEAR, 31, times,
                     &rotations[0].x);
    bake_scene_rotate(s, 0, x_axis, 0.0f, 30.0f, 21, 0.1f);
    pelt_baked* baked = bake_as(&s->scene, PELT_ENCODING_LOCAL, 16);
    ENSURE(baked != NULL);
    uint32_t run = texture_run(baked->words, 1, 0);
    texture_component list[14];
    ENSURE(texture_joint_bits(baked->words, run, 0) > 0);
    ENSURE(texture_components(list, baked->words, run, 1) > 0);
    ENSURE(texture_joint_bits(baked->words, run, 1) == 0);
    ENSURE(texture_joint_bits(baked->words, run, 2) == 0);
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

// What is interpolated as in the source needs no path.
static int local_has_no_paths_between_linear_keys(void)
{
    bake_scene* s = bake_scene_dance(3);
    for (uint32_t bits = 8; bits <= 20; bits += 2)
    {
        pelt_baked* baked = bake_as(&s->scene, PELT_ENCODING_LOCAL, bits);
        ENSURE(baked != NULL);
        uint32_t run = texture_run(baked->words, 0, 0);
        ENSURE(texture_joint_bits(baked->words, run, 0) == 6 * bits);
        ENSURE(texture_joint_bits(baked->words, run, 1) == 3 * bits);
        pelt_baked_destroy(baked);
    }
    bake_scene_free(s);
    return 0;
}

static int rest_pose_is_no_motion(void)
{
    bake_scene* s = bake_scene_make(3);
    const float times[2] = {0.0f, 1.0f}, rotations[8] = {0, 0, 0, 1, 0, 0, 0, 1};
    bake_scene_clip(s, "rest", 1.0f);
    bake_scene_track(s, 1, PELT_PATH_ROTATION, PELT_INTERPOLATION_LINEAR, 2, times, rotations);
    for (int encoding = 0; encoding < PELT_ENCODING_VERTEX; ++encoding)
    {
        pelt_baked* baked = bake_as(&s->scene, (pelt_encoding)encoding, 0);
        ENSURE(baked != NULL && baked->joint_count == 3 && baked->clips[0].key_count == 1);
        for (float time = -0.5f; time < 2.0f; time += 0.25f)
        {
            pelt_mat34 out[3], none = pelt_mat34_identity();
            pelt_unbake(out, baked, &(pelt_playback){.base = {0, time, PELT_WRAP_LOOP}});
            for (int i = 0; i < 36; ++i)
            {
                ENSURE_NEAR(out[i / 12].m[i % 12 / 4][i % 4], none.m[i % 12 / 4][i % 4], 1e-6);
            }
        }
        pelt_baked_destroy(baked);
    }
    bake_scene_free(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Laws

static double largest_error(const pelt_scene* scene, const pelt_baked* baked)
{
    bake_comparison c;
    test_random random = {5};
    double most = INFINITY;
    if (bake_comparison_create(&c, scene, baked))
    {
        most = fmax(bake_compare_random(&c, 0, 0, 100, &random),
                    bake_compare_random(&c, 1, 1, 100, &random));
    }
    bake_comparison_destroy(&c);
    return most;
}

static double error_of(const pelt_scene* scene, pelt_encoding encoding)
{
    pelt_baked* baked = bake_as(scene, encoding, 0);
    double error = baked != NULL ? largest_error(scene, baked) : INFINITY;
    pelt_baked_destroy(baked);
    return error;
}

// Mesh, skeleton and pose together. Other axes round differently, so that errors are similar and
// not equal.
static int moving_everything_moves_the_result(void)
{
    bake_scene *a = bake_scene_dance(4), *b = bake_scene_dance(4);
    pelt_transform move = {
        {0.3f, -0.2f, 0.4f}, pelt_quat_axis_angle(pelt_vec3_make(1, 2, 3), 0.6f), {1, 1, 1}};
    pelt_mat34 matrix = pelt_mat34_from_transform(move), back;
    ENSURE(pelt_mat34_inverse(&back, &matrix));
    // A node above the root carries the motion, and the mesh is bound where it is.
    b->scene.node_count = 5;
    for (uint32_t i = 4; i > 0; --i)
    {
        b->nodes[i] = b->nodes[i - 1];
        b->nodes[i].parent = i - 1;
        b->joints[i - 1] = i;
        b->binds[i - 1] = pelt_mat34_mul(&b->binds[i - 1], &back);
    }
    b->nodes[0] = (pelt_node){"above", PELT_NONE, move};
    for (uint32_t v = 0; v < b->mesh.vertex_count; ++v)
    {
        b->positions[v] = pelt_mat34_point(&matrix, b->positions[v]);
    }
    for (int clip = 0; clip < 2; ++clip)
    {
        for (uint32_t t = 0; t < b->clips[clip].track_count; ++t)
        {
            b->tracks[clip][t].target++;
        }
    }
    for (int encoding = 0; encoding < PELT_ENCODING_VERTEX; ++encoding)
    {
        double still = error_of(&a->scene, (pelt_encoding)encoding);
        double moved = error_of(&b->scene, (pelt_encoding)encoding);
        ENSURE(moved <= 1.5 * still + 1e-6);
    }
    bake_scene_free(a);
    bake_scene_free(b);
    return 0;
}

static void scale_scene(bake_scene* s, float factor)
{
    for (uint32_t i = 0; i < s->scene.node_count; ++i)
    {
        s->nodes[i].rest.translation = pelt_vec3_scale(s->nodes[i].rest.translation, factor);
        for (int row = 0; row < 3; ++row)
        {
            s->binds[i].m[row][3] *= factor;
        }
    }
    for (uint32_t v = 0; v < s->mesh.vertex_count; ++v)
    {
        s->positions[v] = pelt_vec3_scale(s->positions[v], factor);
    }
    for (int clip = 0; clip < 2; ++clip)
    {
        for (uint32_t t = 0; t < s->clips[clip].track_count; ++t)
        {
            const pelt_track* track = &s->tracks[clip][t];
            float* values = (float*)track->values; // of the scene's own arena
            for (uint32_t i = 0; track->path == PELT_PATH_TRANSLATION && i < 3 * track->key_count;
                 ++i)
            {
                values[i] *= factor;
            }
        }
    }
}

// A power of two changes exponents only: the same bits in every key.
static int larger_rig_has_larger_errors_by_as_much(void)
{
    for (int encoding = 0; encoding < PELT_ENCODING_VERTEX; ++encoding)
    {
        bake_scene *a = bake_scene_dance(3), *b = bake_scene_dance(3), *c = bake_scene_dance(3);
        scale_scene(b, 1024.0f);
        scale_scene(c, 1000.0f);
        pelt_baked *small = bake_as(&a->scene, (pelt_encoding)encoding, 16 * (encoding != 0)),
                   *large = bake_as(&b->scene, (pelt_encoding)encoding, 16 * (encoding != 0));
        ENSURE(small != NULL && large != NULL);
        const pelt_baked_run *x = &small->clips[0].runs[0], *y = &large->clips[0].runs[0];
        ENSURE(x->key_words == y->key_words && x->first_word == y->first_word);
        ENSURE(memcmp(small->words + x->first_word, large->words + y->first_word,
                      4 * (size_t)x->key_words * x->key_count) == 0);
        double error = largest_error(&a->scene, small);
        ENSURE_NEAR(largest_error(&b->scene, large) / 1024.0, error, 1e-7);
        ENSURE(error_of(&c->scene, (pelt_encoding)encoding) / 1000.0 <= 1.5 * error + 1e-6);
        pelt_baked_destroy(small);
        pelt_baked_destroy(large);
        bake_scene_free(a);
        bake_scene_free(b);
        bake_scene_free(c);
    }
    return 0;
}

// A mesh in centimeters that its bind matrices make meters of.
static int binding_at_a_hundred_times_scale_changes_nothing(void)
{
    for (int encoding = 0; encoding < PELT_ENCODING_VERTEX; ++encoding)
    {
        bake_scene *a = bake_scene_dance(3), *b = bake_scene_dance(3);
        for (uint32_t v = 0; v < b->mesh.vertex_count; ++v)
        {
            b->positions[v] = pelt_vec3_scale(b->positions[v], 100.0f);
        }
        for (uint32_t joint = 0; joint < 3; ++joint)
        {
            for (int i = 0; i < 9; ++i)
            {
                b->binds[joint].m[i / 3][i % 3] *= 0.01f;
            }
        }
        double own = error_of(&a->scene, (pelt_encoding)encoding);
        ENSURE(error_of(&b->scene, (pelt_encoding)encoding) <= 1.5 * own + 2e-6);
        bake_scene_free(a);
        bake_scene_free(b);
    }
    return 0;
}

// Squashed, mirrored and flattened: 16 bits of a range of 2 m are 0.02 mm, and some joints add up.
// QT has 128 bits for eighteen numbers, seven each: 7 mm of 1 m, and half of it by rounding.
static int scales_of_any_sign_are_kept(void)
{
    bake_scene* s = bake_scene_dance(4);
    const float times[3] = {0.0f, 0.4f, 2.0f / 3.0f};
    const float squash[9] = {1, 1, 1, 1.6f, 0.5f, 1.6f, 0.8f, 1.3f, 0.8f};
    const float mirror[9] = {-1, 1, 1, -1, 1, 1, -1.2f, 1.2f, 1.2f};
    const float flat[9] = {1, 1, 1, 1, 0, 1, 1, 0.5f, 1};
    bake_scene_track(s, 1, PELT_PATH_SCALE, PELT_INTERPOLATION_LINEAR, 3, times, squash);
    bake_scene_track(s, 2, PELT_PATH_SCALE, PELT_INTERPOLATION_LINEAR, 3, times, mirror);
    bake_scene_track(s, 3, PELT_PATH_SCALE, PELT_INTERPOLATION_LINEAR, 3, times, flat);
    for (int encoding = 0; encoding < PELT_ENCODING_VERTEX; ++encoding)
    {
        pelt_baked* baked = bake_as(&s->scene, (pelt_encoding)encoding, encoding == 0 ? 128 : 16);
        bake_comparison c;
        ENSURE(baked != NULL && bake_comparison_create(&c, &s->scene, baked));
        ENSURE(bake_compare_keys(&c, 1, 1) <= (encoding == 0 ? 4e-3 : 1e-4));
        bake_comparison_destroy(&c);
        pelt_baked_destroy(baked);
    }
    bake_scene_free(s);
    return 0;
}

void test_bake(void)
{
    RUN(local_is_exact_between_keys);
    RUN(qt_without_correction_is_off_by_the_sagitta_of_its_center);
    RUN(qt_path_follows_the_arc);
    RUN(matrices_are_off_by_the_sagitta_of_each_vertex);
    RUN(dual_quaternions_are_exact_halfway);
    RUN(matrices_are_off_by_half_a_step_at_keys);
    RUN(poses_are_off_by_half_a_step_at_keys);
    RUN(rigid_followers_have_no_record);
    RUN(constant_tracks_take_no_bits);
    RUN(local_has_no_paths_between_linear_keys);
    RUN(rest_pose_is_no_motion);
    RUN(moving_everything_moves_the_result);
    RUN(larger_rig_has_larger_errors_by_as_much);
    RUN(binding_at_a_hundred_times_scale_changes_nothing);
    RUN(scales_of_any_sign_are_kept);
}
