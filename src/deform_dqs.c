// SPDX-License-Identifier: MIT
// Dual quaternion skinning (Kavan et al. 2008): the weighted mean of the joints' rigid motions as
// unit dual quaternions, in the three variants of Kavan's shaders.
#include "deform_vertex.h"

static bool is_scaled_locally(const pelti_vertex* vertex, const pelt_deform_options* options)
{
    return !vertex->palette->is_rigid && options->scale_pivot == PELT_SCALE_LOCAL;
}

// The rigid motion of a joint as this vertex feels it. With the vertex as the pivot of scale, a
// joint is replaced by the rigid motion of the same rotation that takes the vertex where the joint
// takes it, and the result moves along with the model. Such motions are written for a vertex at the
// origin (see stretched_position), which makes no difference to the blend but keeps its digits when
// a joint shrinks much.
static pelt_dquat motion_at(const pelti_vertex* vertex, const pelt_deform_options* options,
                            uint32_t joint)
{
    const pelt_palette* palette = vertex->palette;
    if (!is_scaled_locally(vertex, options))
    {
        return palette->motions[joint];
    }
    return pelt_dquat_make(palette->motions[joint].real,
                           pelt_mat34_point(&palette->matrices[joint], vertex->position));
}

// Where the vertex is after the first phase, in the space that motion_at() moves from.
static pelt_vec3 stretched_position(const pelti_vertex* vertex, const pelt_deform_options* options,
                                    const pelt_mat3* stretch)
{
    return is_scaled_locally(vertex, options) ? pelt_vec3_make(0.0f, 0.0f, 0.0f)
                                              : pelt_mat3_vector(stretch, vertex->position);
}

static pelt_dquat blend_motion(const pelti_vertex* vertex, const pelt_deform_options* options)
{
    pelt_sign_rule rule = options->sign_rule;
    bool has_sign_rule = options->dqs_variant == PELT_DQS_ANTIPODAL;
    pelt_quat lead = vertex->palette->motions[pelti_influence_at(vertex, rule, 0)->joint].real;
    pelt_dquat sum = {0};

    for (uint32_t step = 0; step < vertex->count; ++step)
    {
        const pelt_influence* inf = pelti_influence_at(vertex, rule, step);
        pelt_dquat motion = motion_at(vertex, options, inf->joint);
        float side = has_sign_rule ? pelti_sign_of(rule, motion.real, lead, sum.real) : 1.0f;
        sum = pelt_dquat_add(sum, pelt_dquat_scale(motion, side * inf->weight));
    }
    return pelti_is_cancelled(sum.real) ? motion_at(vertex, options, vertex->influences[0].joint)
                                        : pelt_dquat_normalize(sum);
}

// Bittner et al. 2019, Algorithm 1. The optimised variant turns the vertex by the quaternion
// itself instead of by its matrix.
pelti_motion pelti_motion_dqs(const pelti_vertex* vertex, const pelt_deform_input* input,
                              const pelt_deform_options* options)
{
    (void)input;
    pelt_dquat blend = blend_motion(vertex, options);
    pelt_mat3 rotation = pelt_mat3_from_quat(blend.real);
    pelt_mat34 matrix = pelt_mat34_make(&rotation, pelt_dquat_translation(blend));
    pelt_mat3 stretch = pelti_blend_stretch(vertex);
    pelt_vec3 p = stretched_position(vertex, options, &stretch);

    return (pelti_motion){.linear = pelt_mat3_mul(&rotation, &stretch),
                          .position = options->dqs_variant == PELT_DQS_OPTIMIZED
                                          ? pelt_dquat_point(blend, p)
                                          : pelt_mat34_point(&matrix, p)};
}

// ---------------------------------------------------------------------------------------------
// The derivative. With y = T x0, where each joint takes the vertex, the method is
//     x = vector part of (sum w y q) s* / |s|^2,   s = sum w q,
// q with the signs of the blend, whether joints stretch or not. Written for y - x instead of y, the
// vector part vanishes and with it the derivative of |s|^2.

typedef struct dqs_blend
{
    pelt_quat sum;    // s
    pelt_quat moment; // sum w (y - x) q
    pelt_mat3 linear; // derivative at constant weights
} dqs_blend;

// s, by the rule of the variant.
static pelt_quat sum_rotations(const pelti_vertex* vertex, const pelt_deform_options* options)
{
    if (options->dqs_variant == PELT_DQS_ANTIPODAL)
    {
        return pelti_sum_rotations(vertex, options->sign_rule);
    }
    pelt_quat sum = {0};
    for (uint32_t i = 0; i < vertex->count; ++i)
    {
        const pelt_influence* inf = &vertex->influences[i];
        pelt_quat q = vertex->palette->motions[inf->joint].real;
        sum = pelt_quat_add(sum, pelt_quat_scale(q, inf->weight));
    }
    return sum;
}

static pelt_quat signed_rotation(const pelti_vertex* vertex, const pelt_deform_options* options,
                                 uint32_t joint, pelt_quat sum)
{
    pelt_quat q = vertex->palette->motions[joint].real;
    return options->dqs_variant == PELT_DQS_ANTIPODAL
               ? pelt_quat_scale(q, pelti_sign_in_sum(vertex, options->sign_rule, joint, sum))
               : q;
}

// (y - x) q for the joint of q.
static pelt_quat moment_of(const pelti_vertex* vertex, uint32_t joint, pelt_quat q, pelt_vec3 x)
{
    pelt_vec3 y = pelt_mat34_point(&vertex->palette->matrices[joint], vertex->position);
    return pelt_quat_mul(pelt_quat_make(y.x - x.x, y.y - x.y, y.z - x.z, 0.0f), q);
}

// Add w times the map from y to the vector part of y r: r.w y + y x r, after the joint's matrix.
static void add_turned(pelt_mat3* sum, float w, pelt_quat r, const pelt_mat34* matrix)
{
    pelt_mat3 linear = pelt_mat34_linear(matrix);
    pelt_mat3 turn = {{{r.w, r.z, -r.y}, {-r.z, r.w, r.x}, {r.y, -r.x, r.w}}};
    pelt_mat3 product = pelt_mat3_mul(&turn, &linear);
    *sum = pelt_mat3_mad(sum, w, &product);
}

// Joints that stretch take the vertex apart as it moves, by more than the mean rotation of the mean
// stretch: that one is the derivative of a rigid blend only.
static dqs_blend blend_at(const pelti_vertex* vertex, const pelti_motion* motion,
                          const pelt_deform_options* options)
{
    dqs_blend out = {.sum = sum_rotations(vertex, options)};
    pelt_quat back =
        pelt_quat_scale(pelt_quat_conjugate(out.sum), 1.0f / pelt_quat_dot(out.sum, out.sum));
    for (uint32_t i = 0; i < vertex->count; ++i)
    {
        const pelt_influence* inf = &vertex->influences[i];
        pelt_quat q = signed_rotation(vertex, options, inf->joint, out.sum);
        pelt_quat moment = moment_of(vertex, inf->joint, q, motion->position);
        out.moment = pelt_quat_add(out.moment, pelt_quat_scale(moment, inf->weight));
        add_turned(&out.linear, inf->weight, pelt_quat_mul(q, back),
                   &vertex->palette->matrices[inf->joint]);
    }
    out.linear = vertex->palette->is_rigid ? motion->linear : out.linear;
    return out;
}

pelt_mat3 pelti_jacobian_dqs(const pelti_vertex* vertex, const pelti_motion* motion,
                             const pelti_rates* rates, const pelt_deform_input* input,
                             const pelt_deform_options* options)
{
    (void)input;
    if (pelti_is_cancelled(sum_rotations(vertex, options)))
    {
        return motion->linear; // one joint alone decides, however the weights change
    }
    dqs_blend blend = blend_at(vertex, motion, options);
    pelt_quat sums[2] = {0}, moments[2] = {0};
    for (uint32_t i = 0; i < rates->count; ++i)
    {
        const pelt_normal_factor* factor = &rates->factors[i];
        const float along[2] = {factor->alpha, factor->beta};
        pelt_quat q = signed_rotation(vertex, options, factor->joint, blend.sum);
        pelt_quat moment = moment_of(vertex, factor->joint, q, motion->position);
        for (int axis = 0; axis < 2; ++axis)
        {
            sums[axis] = pelt_quat_add(sums[axis], pelt_quat_scale(q, along[axis]));
            moments[axis] = pelt_quat_add(moments[axis], pelt_quat_scale(moment, along[axis]));
        }
    }

    pelt_vec3 changes[2];
    for (int axis = 0; axis < 2; ++axis)
    {
        pelt_quat change =
            pelt_quat_add(pelt_quat_mul(moments[axis], pelt_quat_conjugate(blend.sum)),
                          pelt_quat_mul(blend.moment, pelt_quat_conjugate(sums[axis])));
        changes[axis] = pelt_vec3_scale(pelt_vec3_make(change.x, change.y, change.z),
                                        1.0f / pelt_quat_dot(blend.sum, blend.sum));
    }
    return pelti_add_changes(&blend.linear, rates, changes);
}

void pelt_deform_dqs(const pelt_surface* out, const pelt_deform_input* input,
                     const pelt_deform_options* options, pelt_range range)
{
    const pelti_method method = {pelti_motion_dqs, pelti_jacobian_dqs};
    pelti_deform_each(out, input, options, range, &method);
}
