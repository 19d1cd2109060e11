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
static pelt_vec3 offset_from_segment(pelt_vec3 head, pelt_vec3 tail, pelt_vec3 point)
{
    pelt_vec3 axis = pelt_vec3_sub(tail, head), offset = pelt_vec3_sub(point, head);
    float square = pelt_vec3_dot(axis, axis), along = pelt_vec3_dot(offset, axis);
    along = square > 0.0f ? fminf(fmaxf(along / square, 0.0f), 1.0f) : 0.0f;
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
    pelt_vec3 away; // from its nearest point to the vertex
    float distance; // its length, divided by the influence of the joint
    float rest;     // the same at rest
} bone_view;

static bone_view view_bone(const pelti_vertex* vertex, const pelt_bone* bone, pelt_vec3 position,
                           float say)
{
    const pelt_palette* palette = vertex->palette;
    pelt_vec3 head = pelt_mat34_point(&palette->matrices[bone->joints[0]], bone->ends[0]);
    pelt_vec3 tail = pelt_mat34_point(&palette->matrices[bone->joints[1]], bone->ends[1]);
    pelt_vec3 rest = offset_from_segment(bone->ends[0], bone->ends[1], vertex->position);
    pelt_vec3 away = offset_from_segment(head, tail, position);
    return (bone_view){.away = away,
                       .distance = pelt_vec3_length(away) / say,
                       .rest = pelt_vec3_length(rest) * scale_of(palette, bone->joints[0]) / say};
}

pelt_vec3 pelti_correct_distance(pelt_vec3 position, const pelti_vertex* vertex,
                                 const pelt_bones* bones, float strength)
{
    float nearest = INFINITY, rest = INFINITY;
    pelt_vec3 sum = {0.0f, 0.0f, 0.0f};
    float total = 0.0f;
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
                    nearest = fminf(nearest, view.distance);
                    rest = fminf(rest, view.rest);
                    continue;
                }
                float part = nearness(nearest, view.distance);
                sum = pelt_vec3_mad(sum, part, pelt_vec3_normalize(view.away));
                total += part;
            }
        }
        // Only vertices that bulge; none where there is no bone.
        if (!(nearest > rest) || !isfinite(nearest))
        {
            return position;
        }
    }
    // The mean direction is shorter than 1 between bones on different sides, and zero halfway
    // between two: the correction fades out there instead of jumping.
    return pelt_vec3_mad(position, -strength * (nearest - rest) / total, sum);
}
