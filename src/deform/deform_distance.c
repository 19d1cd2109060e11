// SPDX-License-Identifier: MIT
// Distance correction: vertices that have moved away from their bones are moved back, after Kim and
// Han, "Bulging-free Dual Quaternion Skinning", 2014. They project onto the nearest bone, which
// changes from one vertex or pose to the next and tears the surface there. Here the distance is the
// minimum over all bones of the vertex, each divided by its influence, which is continuous; the
// direction is a mean over these bones in which the nearest counts most.
#include "../base/exact.h"

#include "deform_vertex.h"

#include <math.h>

// How much a bone counts in the direction: one at twice the distance of the nearest counts a 16th.
static float nearness(float nearest, float distance)
{
    float part = distance > 0.0f ? nearest / distance : 1.0f;
    float square = part * part;
    return square * square;
}

// From the nearest point of a segment.
// @param slope  gets what is left of the axis, whose part in a change of the point changes nothing;
//               zero beyond the ends
static pelt_vec3 offset_from_segment(pelt_vec3* slope, pelt_vec3 head, pelt_vec3 tail,
                                     pelt_vec3 point)
{
    pelt_vec3 axis = pelt_vec3_sub(tail, head), offset = pelt_vec3_sub(point, head);
    float square = pelt_vec3_dot(axis, axis), along = pelt_vec3_dot(offset, axis);
    along = square > 0.0f ? fminf(fmaxf(along / square, 0.0f), 1.0f) : 0.0f;
    bool is_inside = along > 0.0f && along < 1.0f;
    *slope = is_inside ? pelt_vec3_scale(axis, 1.0f / sqrtf(square)) : (pelt_vec3){0};
    return pelt_vec3_mad(offset, -along, axis);
}

// From 0 for a joint with little weight to 1 for the strongest; smooth at both ends.
static float say_of(const pelti_vertex* vertex, uint32_t i)
{
    float share = vertex->influences[i].weight / vertex->influences[0].weight;
    return share * share * (3.0f - 2.0f * share);
}

// The enlargement by a joint: distances to its bones grow with it.
static float scale_of(const pelt_palette* palette, uint32_t joint)
{
    if (palette->is_rigid)
    {
        return 1.0f;
    }
    pelt_mat3 linear = pelt_mat34_linear(&palette->matrices[joint]);
    return cbrtf(fabsf(pelt_mat3_determinant(&linear)));
}

// A bone in the pose.
typedef struct bone_view
{
    pelt_vec3 away;    // from its nearest point to the vertex
    pelt_vec3 slope;   // the direction of the bone where that point moves along with the vertex
    float distance;    // the length of away, divided by the influence of the joint
    pelt_vec3 is_away; // the same at rest
    float rest;        // its length, with the enlargement, divided by that influence
    float scale;       // the enlargement
} bone_view;

static bone_view view_bone(const pelti_vertex* vertex, const pelt_bone* bone, pelt_vec3 position,
                           float say)
{
    const pelt_palette* palette = vertex->palette;
    pelt_vec3 head = pelt_mat34_point(&palette->matrices[bone->joints[0]], bone->ends[0]);
    pelt_vec3 tail = pelt_mat34_point(&palette->matrices[bone->joints[1]], bone->ends[1]);
    bone_view view;
    view.is_away = offset_from_segment(&view.slope, bone->ends[0], bone->ends[1], vertex->position);
    view.away = offset_from_segment(&view.slope, head, tail, position);
    view.scale = scale_of(palette, bone->joints[0]);
    view.distance = pelt_vec3_length(view.away) / say;
    view.rest = pelt_vec3_length(view.is_away) * view.scale / say;
    return view;
}

pelti_correction pelti_correction_at(pelt_vec3 position, const pelti_vertex* vertex,
                                     const pelt_bones* bones)
{
    pelti_correction out = {.vertex = vertex,
                            .bones = bones,
                            .position = position,
                            .nearest = INFINITY,
                            .rest = INFINITY};
    // First the distances, then the directions by them.
    for (int pass = 0; pass < 2; ++pass)
    {
        for (uint32_t i = 0; i < vertex->count; ++i)
        {
            float say = say_of(vertex, i);
            uint32_t joint = vertex->influences[i].joint;
            for (uint32_t k = bones->first[joint]; say > 0.0f && k < bones->first[joint + 1]; ++k)
            {
                bone_view view = view_bone(vertex, &bones->bones[k], position, say);
                if (pass == 0)
                {
                    out.nearest = fminf(out.nearest, view.distance);
                    out.rest = fminf(out.rest, view.rest);
                    continue;
                }
                float part = nearness(out.nearest, view.distance);
                out.sum = pelt_vec3_mad(out.sum, part, pelt_vec3_normalize(view.away));
                out.total += part;
            }
        }
        // Only vertices that bulge; none where there is no bone.
        if (!(out.nearest > out.rest) || !isfinite(out.nearest))
        {
            return out;
        }
    }
    out.is_moved = true;
    return out;
}

pelt_vec3 pelti_corrected(const pelti_correction* in, float strength)
{
    // The mean direction is shorter than 1 between bones on different sides, and zero halfway
    // between two: the correction fades out there instead of jumping.
    return in->is_moved ? pelt_vec3_mad(in->position,
                                        -strength * (in->nearest - in->rest) / in->total, in->sum)
                        : in->position;
}

// ---------------------------------------------------------------------------------------------
// Derivative

// The change of a weight along an axis.
static float weight_slope(const pelti_gradients* gradients, uint32_t joint, int axis)
{
    for (uint32_t i = 0; gradients->factors != NULL && i < gradients->count; ++i)
    {
        const pelt_normal_factor* factor = &gradients->factors[i];
        if (factor->joint == joint)
        {
            return axis == 0 ? factor->alpha : factor->beta;
        }
    }
    return 0.0f;
}

// The change of say_of(), relative to it.
static float say_slope(const pelti_vertex* vertex, uint32_t i, const pelti_gradients* gradients,
                       int axis)
{
    if (gradients == NULL || i == 0)
    {
        return 0.0f;
    }
    const pelt_influence *own = &vertex->influences[i], *first = &vertex->influences[0];
    float share = own->weight / first->weight;
    float slope = (weight_slope(gradients, own->joint, axis) -
                   share * weight_slope(gradients, first->joint, axis)) /
                  first->weight;
    return 6.0f * (1.0f - share) * slope / (share * (3.0f - 2.0f * share));
}

// Changes of the least distances.
typedef struct least_slopes
{
    float nearest, rest;
} least_slopes;

static float length_slope(pelt_vec3 of, pelt_vec3 change)
{
    return pelt_vec3_dot(pelt_vec3_normalize(of), change);
}

pelt_vec3 pelti_correct_along(const pelti_correction* in, float strength, pelt_vec3 moved,
                              pelt_vec3 rest, const pelti_gradients* gradients, int axis)
{
    if (!in->is_moved)
    {
        return moved;
    }
    const pelti_vertex* vertex = in->vertex;
    const pelt_bones* bones = in->bones;
    least_slopes least = {0};
    pelt_vec3 sum = {0.0f, 0.0f, 0.0f};
    float total = 0.0f;
    for (int pass = 0; pass < 2; ++pass)
    {
        for (uint32_t i = 0; i < vertex->count; ++i)
        {
            float say = say_of(vertex, i), relative = say_slope(vertex, i, gradients, axis);
            uint32_t joint = vertex->influences[i].joint;
            for (uint32_t k = bones->first[joint]; say > 0.0f && k < bones->first[joint + 1]; ++k)
            {
                bone_view view = view_bone(vertex, &bones->bones[k], in->position, say);
                float slope = length_slope(view.away, moved) / say - relative * view.distance;
                if (pass == 0)
                {
                    float still = length_slope(view.is_away, rest) * view.scale / say;
                    least.nearest = view.distance == in->nearest ? slope : least.nearest;
                    least.rest = view.rest == in->rest ? still - relative * view.rest : least.rest;
                    continue;
                }
                float length = view.distance * say, part = nearness(in->nearest, view.distance);
                if (!(length > 0.0f))
                {
                    continue;
                }
                float change = 4.0f * part * (least.nearest / in->nearest - slope / view.distance);
                pelt_vec3 unit = pelt_vec3_scale(view.away, 1.0f / length);
                pelt_vec3 turned =
                    pelt_vec3_mad(moved, -pelt_vec3_dot(moved, view.slope), view.slope);
                turned = pelt_vec3_mad(turned, -pelt_vec3_dot(turned, unit), unit);
                sum = pelt_vec3_mad(sum, change, unit);
                sum = pelt_vec3_mad(sum, part / length, turned);
                total += change;
            }
        }
    }
    float distance = in->nearest - in->rest, slope = least.nearest - least.rest;
    pelt_vec3 direction = pelt_vec3_mad(sum, -total / in->total, in->sum);
    pelt_vec3 out = pelt_vec3_mad(moved, -strength * slope / in->total, in->sum);
    return pelt_vec3_mad(out, -strength * distance / in->total, direction);
}

void pelti_correct_map(pelti_vertex_map* inout, const pelti_correction* correction, float strength,
                       const pelt_mat3* before)
{
    pelt_mat3 linear = inout->linear;
    for (int k = 0; k < 3; ++k)
    {
        pelt_vec3 rest = {k == 0 ? 1.0f : 0.0f, k == 1 ? 1.0f : 0.0f, k == 2 ? 1.0f : 0.0f};
        rest = before != NULL ? pelt_mat3_vector(before, rest) : rest;
        pelt_vec3 moved = {linear.m[0][k], linear.m[1][k], linear.m[2][k]};
        moved = pelti_correct_along(correction, strength, moved, rest, NULL, 0);
        inout->linear.m[0][k] = moved.x;
        inout->linear.m[1][k] = moved.y;
        inout->linear.m[2][k] = moved.z;
    }
    inout->is_rotation = false;
}
