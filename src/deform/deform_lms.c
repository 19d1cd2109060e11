// SPDX-License-Identifier: MIT
// Log-matrix skinning (Alexa 2002; Magnenat-Thalmann et al. 2004): the weighted mean of the
// logarithms of the joints' rigid motions, then the exponential. As published, logarithms are
// relative to the bind pose; by default they are relative to a mean motion of the joints.
#include "../base/exact.h"

#include "deform_each.h"

// Logarithm of a rigid motion: x' = angular x x + linear velocity carries the identity to it in
// unit time.
typedef struct twist
{
    pelt_vec3 angular; // axis times angle, angle at most pi
    pelt_vec3 linear;
} twist;

// V(angular) maps the linear velocity to the resulting translation: V = I + a [angular] + b
// [angular]^2 with the given coefficients; its inverse has the same form.
static pelt_vec3 apply_series(pelt_vec3 angular, float a, float b, pelt_vec3 x)
{
    pelt_vec3 once = pelt_vec3_cross(angular, x);
    pelt_vec3 twice = pelt_vec3_cross(angular, once);
    return pelt_vec3_mad(pelt_vec3_mad(x, a, once), b, twice);
}

static twist log_of(pelt_dquat motion)
{
    // The branch with the smaller angle is the principal logarithm.
    if (motion.real.w < 0.0f)
    {
        motion = pelt_dquat_scale(motion, -1.0f);
    }
    pelt_vec3 v = pelt_vec3_make(motion.real.x, motion.real.y, motion.real.z);
    float sine = pelt_vec3_length(v);
    float half = atan2f(sine, motion.real.w);
    float angle = 2.0f * half;

    // angle / sine and (1 - half / tan(half)) / angle^2 by their series where both vanish.
    bool is_small = angle < 1e-2f;
    float stretch = is_small ? 2.0f + sine * sine / 3.0f : angle / sine;
    float b = is_small ? 1.0f / 12.0f + angle * angle / 720.0f
                       : (1.0f - half * motion.real.w / sine) / (angle * angle);

    pelt_vec3 angular = pelt_vec3_scale(v, stretch);
    return (twist){angular, apply_series(angular, -0.5f, b, pelt_dquat_translation(motion))};
}

static pelt_dquat exp_of(twist t)
{
    float angle = pelt_vec3_length(t.angular);
    bool is_small = angle < 1e-2f;
    // (1 - cos) / angle^2, in a form without cancellation at small angles.
    float chord = is_small ? 1.0f : sinf(0.5f * angle) / (0.5f * angle);
    float a = is_small ? 0.5f - angle * angle / 24.0f : 0.5f * chord * chord;
    float b = is_small ? 1.0f / 6.0f - angle * angle / 120.0f
                       : (angle - sinf(angle)) / (angle * angle * angle);
    return pelt_dquat_make(pelt_quat_axis_angle(t.angular, angle),
                           apply_series(t.angular, a, b, t.linear));
}

static pelt_dquat inverse_of(pelt_dquat unit)
{
    return (pelt_dquat){pelt_quat_conjugate(unit.real), pelt_quat_conjugate(unit.dual)};
}

// The mean of the logarithms of the joints relative to a motion.
static pelt_dquat blend_logs(const pelti_vertex* vertex, const pelt_deform_options* options,
                             pelt_dquat from)
{
    pelt_dquat back = inverse_of(from);
    twist sum = {0};
    for (uint32_t i = 0; i < vertex->count; ++i)
    {
        const pelt_influence* inf = &vertex->influences[i];
        pelt_dquat to = pelti_motion_at(vertex, options, inf->joint);
        twist t = log_of(pelt_dquat_mul(back, to));
        sum.angular = pelt_vec3_mad(sum.angular, inf->weight, t.angular);
        sum.linear = pelt_vec3_mad(sum.linear, inf->weight, t.linear);
    }
    return pelt_dquat_mul(from, exp_of(sum));
}

// The mean by dual quaternions is so near that one step from it ends, for two joints, on their
// screw at the weighted angle, and no joint is 180 degrees away. The result does not depend on the
// rotation of the whole character.
static void map_lms(pelti_vertex_map* out, const pelti_vertex* vertex,
                    const pelt_deform_input* input, const pelt_deform_options* options)
{
    (void)input;
    bool is_published = options->lms_variant == PELT_LMS_PUBLISHED;
    // As published, any other pivot of scale than the origin would not keep a uniform scale of the
    // whole character exact, because these logarithms are not invariant under motions of the pose.
    const pelt_deform_options how = {.sign_rule = options->sign_rule,
                                     .scale_pivot =
                                         is_published ? PELT_SCALE_ORIGIN : options->scale_pivot};
    pelt_dquat from = is_published
                          ? pelt_dquat_make(pelt_quat_identity(), pelt_vec3_make(0.0f, 0.0f, 0.0f))
                          : pelti_blend_motion(vertex, &how);
    pelt_dquat blend = blend_logs(vertex, &how, from);
    pelt_mat3 stretch = pelti_blend_stretch(vertex);
    pelt_mat3 rotation = pelt_mat3_from_quat(blend.real);
    pelt_vec3 start = pelti_stretched_position(vertex, &how, &stretch);
    out->linear = pelt_mat3_mul(&rotation, &stretch);
    out->position = pelt_dquat_point(blend, start);
    out->is_rotation = false;
}

void pelt_deform_lms(const pelt_surface* out, const pelt_deform_input* input,
                     const pelt_deform_options* options, pelt_range range)
{
    const pelti_method method = {.move = map_lms};
    pelti_deform_each(out, input, options, range, map_lms, &method);
}
