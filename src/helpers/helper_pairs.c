// SPDX-License-Identifier: MIT
// Pairs of joints that share vertices, the error that each carries, and which of them get helpers.
#include "../base/exact.h"

#include "helpers.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Pairs

typedef struct pair_use
{
    uint32_t joints[2]; // of the fit
    uint32_t point, influence;
    uint32_t slots[2]; // of the skin
    float product;
} pair_use;

static int compare_uses(const void* a, const void* b)
{
    const pair_use *x = a, *y = b;
    for (int i = 0; i < 2; ++i)
    {
        if (x->joints[i] != y->joints[i])
        {
            return x->joints[i] < y->joints[i] ? -1 : 1;
        }
    }
    return (x->point > y->point) - (x->point < y->point);
}

static bool is_above(const pelt_scene* scene, uint32_t node, uint32_t other)
{
    // Parents come before children.
    while (other != PELT_NONE && other > node)
    {
        other = scene->nodes[other].parent;
    }
    return other == node;
}

// @param count  of the uses so far; out NULL: only count
static uint32_t list_uses(pair_use* out, const pelti_fit* fit)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < fit->point_count; ++i)
    {
        const pelt_influence* influences;
        uint32_t own = pelti_fit_influences(&influences, fit, i);
        own = own < PELTI_HELPER_JOINTS ? own : PELTI_HELPER_JOINTS;
        const uint32_t* nodes = fit->scene->skins[fit->parts[fit->points[i].part].skin].joints;
        for (uint32_t k = 0; k < own; ++k)
        {
            for (uint32_t m = k + 1; m < own; ++m, ++count)
            {
                uint32_t a = k, b = m;
                uint32_t first = nodes[influences[a].joint], second = nodes[influences[b].joint];
                if (out == NULL)
                {
                    continue;
                }
                if (is_above(fit->scene, second, first) ||
                    (!is_above(fit->scene, first, second) && second < first))
                {
                    a = m, b = k;
                    first = nodes[influences[a].joint], second = nodes[influences[b].joint];
                }
                out[count] = (pair_use){
                    .joints = {fit->node_joints[first], fit->node_joints[second]},
                    .point = i,
                    .influence = a,
                    .slots = {influences[a].joint, influences[b].joint},
                    .product = influences[a].weight * influences[b].weight,
                };
            }
        }
    }
    return count;
}

// Between the two joints in the bind pose. @return false: one of them is singular
static bool find_bind(pelt_mat34* out, const pelti_fit* fit, const pair_use* use)
{
    const pelt_skin* skin = &fit->scene->skins[fit->parts[fit->points[use->point].part].skin];
    pelt_mat34 bind_from_parent;
    if (!pelt_mat34_inverse(&bind_from_parent, &skin->inverse_binds[use->slots[0]]))
    {
        return false;
    }
    *out = pelt_mat34_mul(&skin->inverse_binds[use->slots[1]], &bind_from_parent);
    return true;
}

// Skins may bind a pair differently; the first skin decides, and the points of others do not use
// its helpers.
static bool is_same_bind(const pelt_mat34* a, const pelt_mat34* b, double size)
{
    double most = 0.0;
    for (int i = 0; i < 12; ++i)
    {
        double scale = i % 4 == 3 ? size : 1.0;
        most = fmax(most, fabs((double)a->m[i / 4][i % 4] - (double)b->m[i / 4][i % 4]) / scale);
    }
    return most < 1e-3;
}

// Where vertices rotate whose two weights are equal: nearer ones count more.
static void add_center(pelti_helper_pair* pair, const pelti_fit* fit, const pair_use* use)
{
    double weight = (double)use->product;
    weight *= weight;
    pelti_double3 p = pelti_fit_local(fit, use->point, use->influence);
    pair->center = pelti_double3_mad(pair->center, weight, p);
    pair->center_weight += weight;
    pair->radius += weight * pelti_double3_dot(p, p);
}

static void group_uses(pelti_fit* inout, uint32_t* use_pairs, const pair_use* uses, uint32_t count)
{
    bool is_valid = false;
    for (uint32_t i = 0; i < count; ++i)
    {
        pelti_helper_pair* pair = &inout->pairs[inout->pair_count > 0 ? inout->pair_count - 1 : 0];
        pelt_mat34 bind;
        bool is_new = i == 0 || uses[i].joints[0] != uses[i - 1].joints[0] ||
                      uses[i].joints[1] != uses[i - 1].joints[1];
        bool has_bind = find_bind(&bind, inout, &uses[i]);
        use_pairs[i] = PELT_NONE;
        if (is_new)
        {
            is_valid = has_bind;
            if (is_valid)
            {
                pair = &inout->pairs[inout->pair_count++];
                *pair = (pelti_helper_pair){.joints = {uses[i].joints[0], uses[i].joints[1]},
                                            .source_from_parent = bind};
            }
        }
        double size = fmax(inout->size, 1e-30);
        if (is_valid && has_bind && is_same_bind(&bind, &pair->source_from_parent, size))
        {
            use_pairs[i] = inout->pair_count - 1;
            add_center(pair, inout, &uses[i]);
        }
    }
    for (uint32_t i = 0; i < inout->pair_count; ++i)
    {
        pelti_helper_pair* pair = &inout->pairs[i];
        double part = 1.0 / fmax(pair->center_weight, 1e-30);
        pair->center = pelti_double3_scale(pair->center, part);
        double spread = pair->radius * part - pelti_double3_dot(pair->center, pair->center);
        pair->radius = sqrt(fmax(spread, 0.0));
    }
}

// The pairs of each point, by descending product of weights as influences are sorted.
static void list_point_pairs(pelti_fit* inout, const pair_use* uses, const uint32_t* use_pairs,
                             uint32_t count)
{
    uint32_t* first = inout->first_pairs;
    for (uint32_t i = 0; i < count; ++i)
    {
        first[uses[i].point + 2] += use_pairs[i] != PELT_NONE;
    }
    for (uint32_t i = 1; i <= inout->point_count; ++i)
    {
        first[i + 1] += first[i];
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        if (use_pairs[i] != PELT_NONE)
        {
            inout->point_pairs[first[uses[i].point + 1]++] =
                (pelti_point_pair){use_pairs[i], uses[i].influence, uses[i].product};
        }
    }
}

bool pelti_fit_find_pairs(pelti_fit* inout)
{
    uint32_t count = list_uses(NULL, inout);
    pair_use* uses = pelt_allocate(count, sizeof *uses);
    uint32_t* use_pairs = pelt_allocate(count, sizeof *use_pairs);
    inout->pairs = pelt_arena_alloc(inout->arena, count, sizeof *inout->pairs);
    inout->first_pairs =
        pelt_arena_alloc(inout->arena, (size_t)inout->point_count + 2, sizeof(uint32_t));
    inout->point_pairs = pelt_arena_alloc(inout->arena, count, sizeof *inout->point_pairs);
    bool is_ok = uses != NULL && use_pairs != NULL && inout->pairs != NULL &&
                 inout->first_pairs != NULL && inout->point_pairs != NULL;
    if (is_ok)
    {
        list_uses(uses, inout);
        if (count > 0)
        {
            qsort(uses, count, sizeof *uses, compare_uses);
        }
        group_uses(inout, use_pairs, uses, count);
        list_point_pairs(inout, uses, use_pairs, count);
    }
    pelt_release(uses);
    pelt_release(use_pairs);
    return is_ok;
}

// ---------------------------------------------------------------------------------------------
// Choice

// The squared error of each point is divided among its pairs.
static void measure_pairs(pelti_fit* inout)
{
    for (uint32_t i = 0; i < inout->pair_count; ++i)
    {
        inout->pairs[i].error = 0.0;
    }
    for (uint32_t s = 0; s < inout->sample_count; ++s)
    {
        uint32_t point = inout->sample[s];
        double error = 0.0, sum = 0.0;
        for (uint32_t f = 0; f < inout->training_count; ++f)
        {
            pelt_vec3 target = inout->targets[(size_t)point * inout->pose_count + f];
            pelti_double3 d =
                pelti_double3_sub(pelti_fit_blended(inout, point, f), pelti_double3_from(target));
            error += pelti_double3_dot(d, d);
        }
        for (uint32_t i = inout->first_pairs[point]; i < inout->first_pairs[point + 1]; ++i)
        {
            sum += (double)inout->point_pairs[i].product;
        }
        for (uint32_t i = inout->first_pairs[point]; i < inout->first_pairs[point + 1]; ++i)
        {
            const pelti_point_pair* use = &inout->point_pairs[i];
            inout->pairs[use->pair].error += error * (double)use->product / fmax(sum, 1e-30);
        }
    }
}

// The part of a pair's squared error that one more helper removes: with n of them, evenly spaced,
// about 1 / (n + 1)^2 of it remains.
static double gain_of(const pelti_helper_pair* pair)
{
    double n = (double)pair->count, part = (n + 1.0) / (n + 2.0);
    return pair->error * (1.0 - part * part);
}

static double rotation_near(double q[4], const pelt_mat3* rotation)
{
    pelt_quat r = pelt_quat_from_mat3(rotation);
    double sign = r.w < 0.0f ? -1.0 : 1.0;
    q[0] = sign * (double)r.x;
    q[1] = sign * (double)r.y;
    q[2] = sign * (double)r.z;
    q[3] = sign * (double)r.w;
    return sign;
}

static bool find_motions(pelti_fit* inout, pelti_helper_pair* pair)
{
    if (pair->motions != NULL)
    {
        return true;
    }
    pair->motions = pelt_arena_alloc(inout->arena, inout->pose_count, sizeof *pair->motions);
    for (uint32_t f = 0; f < inout->pose_count && pair->motions != NULL; ++f)
    {
        const pelti_affine* matrices = inout->joint_matrices + (size_t)f * inout->joint_count;
        pelt_mat34 sides[2], parent_from_model;
        for (int i = 0; i < 24; ++i)
        {
            sides[i / 12].m[i % 12 / 4][i % 4] =
                (float)matrices[pair->joints[i / 12]].m[i % 12 / 4][i % 4];
        }
        pelti_pair_motion* out = &pair->motions[f];
        pelt_mat34 identity = pelt_mat34_identity();
        *out = (pelti_pair_motion){
            pelti_affine_from(&identity), {0.0, 0.0, 0.0, 1.0}, {1.0, 1.0, 1.0}};
        if (!pelt_mat34_inverse(&parent_from_model, &sides[0]))
        {
            continue;
        }
        pelt_mat34 motion = pelt_mat34_mul(&parent_from_model, &sides[1]);
        motion = pelt_mat34_mul(&motion, &pair->source_from_parent);
        pelt_mat3 linear = pelt_mat34_linear(&motion), rotation, stretch;
        if (pelt_mat3_determinant(&linear) > 0.0f)
        {
            pelt_mat3_polar(&rotation, &stretch, &linear);
            out->motion = pelti_affine_from(&motion);
            rotation_near(out->rotation, &rotation);
            for (int i = 0; i < 3; ++i)
            {
                out->stretch[i] = (double)stretch.m[i][i];
            }
        }
    }
    return pair->motions != NULL;
}

// Factors at which the rotations of helpers are evenly spaced when the joints are half a turn
// apart, where it matters most: a helper at angle t of 180 degrees has factor
// tan(t / 2) / (1 + tan(t / 2)).
static double factor_of(uint32_t index, uint32_t count)
{
    double t = tan(0.5 * 3.14159265358979323846 * (index + 1.0) / (count + 1.0));
    return t / (1.0 + t);
}

static bool add_helper(pelti_fit* inout, uint32_t pair)
{
    pelti_helper_pair* p = &inout->pairs[pair];
    pelti_fit_helper* helper = &inout->helpers[inout->helper_count];
    *helper = (pelti_fit_helper){.pair = pair, .center = p->center};
    helper->matrices = pelt_arena_alloc(inout->arena, inout->pose_count, sizeof *helper->matrices);
    if (helper->matrices == NULL || !find_motions(inout, p))
    {
        return false;
    }
    ++inout->helper_count;
    ++p->count;
    uint32_t index = 0;
    for (uint32_t i = 0; i < inout->helper_count; ++i)
    {
        if (inout->helpers[i].pair == pair)
        {
            inout->helpers[i].factor = factor_of(index++, p->count);
            pelti_fit_move(inout->helpers[i].matrices, inout, &inout->helpers[i]);
        }
    }
    return true;
}

pelt_result pelti_fit_add_helpers(pelti_fit* inout, uint32_t count)
{
    measure_pairs(inout);
    double least = 1e-18 * inout->size * inout->size;
    for (uint32_t i = 0; i < count && inout->helper_count < inout->helper_room; ++i)
    {
        uint32_t best = 0;
        for (uint32_t k = 1; k < inout->pair_count; ++k)
        {
            best = gain_of(&inout->pairs[k]) > gain_of(&inout->pairs[best]) ? k : best;
        }
        if (inout->pair_count == 0 || !(gain_of(&inout->pairs[best]) > least))
        {
            break;
        }
        // What remains of it is left to further helpers.
        pelti_helper_pair* pair = &inout->pairs[best];
        double remains = pair->error - gain_of(pair);
        if (!add_helper(inout, best))
        {
            return PELT_ERROR_MEMORY;
        }
        pair->error = remains;
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Motion of a helper

static void rotate(double out[3][3], const double q[4], double x)
{
    double a = x * q[0], b = x * q[1], c = x * q[2], w = 1.0 - x + x * q[3];
    double length = sqrt(a * a + b * b + c * c + w * w);
    a /= length, b /= length, c /= length, w /= length;
    const double rows[3][3] = {
        {1.0 - 2.0 * (b * b + c * c), 2.0 * (a * b - c * w), 2.0 * (a * c + b * w)},
        {2.0 * (a * b + c * w), 1.0 - 2.0 * (a * a + c * c), 2.0 * (b * c - a * w)},
        {2.0 * (a * c - b * w), 2.0 * (b * c + a * w), 1.0 - 2.0 * (a * a + b * b)},
    };
    memcpy(out, rows, sizeof rows);
}

void pelti_fit_move(pelti_affine* out, const pelti_fit* fit, const pelti_fit_helper* helper)
{
    const pelti_helper_pair* pair = &fit->pairs[helper->pair];
    double x = helper->factor, c[3] = {helper->center.x, helper->center.y, helper->center.z};
    for (uint32_t f = 0; f < fit->pose_count; ++f)
    {
        const pelti_pair_motion* motion = &pair->motions[f];
        pelti_affine local;
        double rotation[3][3];
        rotate(rotation, motion->rotation, x);
        pelti_double3 moved = pelti_affine_point(&motion->motion, helper->center);
        const double there[3] = {moved.x, moved.y, moved.z};
        for (int i = 0; i < 3; ++i)
        {
            double offset = (1.0 - x) * c[i] + x * there[i];
            for (int k = 0; k < 3; ++k)
            {
                local.m[i][k] = rotation[i][k] * (1.0 - x + x * motion->stretch[k]);
                offset -= local.m[i][k] * c[k];
            }
            local.m[i][3] = offset;
        }
        out[f] = pelti_affine_mul(
            &fit->joint_matrices[(size_t)f * fit->joint_count + pair->joints[0]], &local);
    }
}
