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

void pelt_deform_dqs(const pelt_surface* out, const pelt_deform_input* input,
                     const pelt_deform_options* options, pelt_range range)
{
    pelti_deform_each(out, input, options, range, pelti_motion_dqs);
}
