// SPDX-License-Identifier: MIT
// From a palette to a box. docs/bounds.md derives each bound.
#include "../base/exact.h"

#include "skin_bounds.h"

// A region in a pose. Distances are bounds that hold for all of its vertices.
typedef struct region_view
{
    const pelti_region* region;
    const pelt_palette* palette;
    const pelt_deform_options* options;
    float mix[2];              // least and largest factor
    pelt_mat34 lead;           // matrix of the strongest joint
    pelt_vec3 center, extents; // of displaced positions
    float displacement;        // by morph targets: the longest
    bool is_signed;            // quaternions are blended as in the palette
} region_view;

static const pelt_bounds everything = {{-INFINITY, -INFINITY, -INFINITY},
                                       {INFINITY, INFINITY, INFINITY}};

// ---------------------------------------------------------------------------------------------
// Extents

// Largest dot product with a vector: the vector is a sum, with factors that are not negative, of
// three of the 26 directions, and each of these has its own largest product.
static float support_along(const pelti_region* region, const float n[3])
{
    int order[3] = {0, 1, 2}, sum[3] = {0};
    for (int i = 0; i < 2; ++i)
    {
        for (int k = 2; k > i; --k)
        {
            if (fabsf(n[order[k]]) > fabsf(n[order[k - 1]]))
            {
                int swapped = order[k];
                order[k] = order[k - 1];
                order[k - 1] = swapped;
            }
        }
    }
    float total = 0.0f;
    for (int i = 0; i < 3; ++i)
    {
        int axis = order[i];
        sum[axis] = n[axis] < 0.0f ? -1 : 1;
        float part = fabsf(n[axis]) - (i < 2 ? fabsf(n[order[i + 1]]) : 0.0f);
        total += part * region->support[pelti_direction(sum)];
    }
    return total;
}

static void add_lead(pelt_bounds* out, const region_view* view)
{
    pelt_vec3 more = pelt_vec3_sub(view->extents, view->region->extents);
    for (int row = 0; row < 3; ++row)
    {
        const float* m = view->lead.m[row];
        const float back[3] = {-m[0], -m[1], -m[2]};
        float middle = m[0] * view->center.x + m[1] * view->center.y + m[2] * view->center.z + m[3];
        float extra = fabsf(m[0]) * more.x + fabsf(m[1]) * more.y + fabsf(m[2]) * more.z;
        *pelt_vec3_component_at(&out->max, row) = middle + support_along(view->region, m) + extra;
        *pelt_vec3_component_at(&out->min, row) =
            middle - support_along(view->region, back) - extra;
    }
}

// ---------------------------------------------------------------------------------------------
// Influences

static pelt_mat34 difference(const pelt_mat34* a, const pelt_mat34* b)
{
    return pelt_mat34_mad(a, -1.0f, b);
}

static float norm(const pelt_mat34* m)
{
    float sum = 0.0f;
    for (int row = 0; row < 3; ++row)
    {
        sum +=
            m->m[row][0] * m->m[row][0] + m->m[row][1] * m->m[row][1] + m->m[row][2] * m->m[row][2];
    }
    return sqrtf(sum);
}

// Add the box that holds the vectors of a box after a linear map.
// @param more    a distance by which the vectors may be outside the box
// @param length  the longest result
static void add_mapped(pelt_bounds* inout, float* length, const pelt_mat3* map,
                       const pelt_bounds* box, float more)
{
    pelt_vec3 c = pelt_vec3_lerp(box->min, box->max, 0.5f);
    pelt_vec3 e = pelt_vec3_scale(pelt_vec3_sub(box->max, box->min), 0.5f);
    float square = 0.0f;
    for (int row = 0; row < 3; ++row)
    {
        const float* m = map->m[row];
        float center = m[0] * c.x + m[1] * c.y + m[2] * c.z;
        float radius = fabsf(m[0]) * e.x + fabsf(m[1]) * e.y + fabsf(m[2]) * e.z +
                       more * sqrtf(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        *pelt_vec3_component_at(&inout->max, row) += center + radius;
        *pelt_vec3_component_at(&inout->min, row) += center - radius;
        float largest = fabsf(center) + radius;
        square += largest * largest;
    }
    *length = sqrtf(square);
}

// Add the box that holds weight * position after a map.
static void add_range(pelt_bounds* inout, float* length, const region_view* view,
                      const pelti_influence_range* range, const pelt_mat34* map)
{
    const pelt_mat3 linear = pelt_mat34_linear(map);
    pelt_vec3 at = pelt_mat34_point(map, view->region->center);
    pelt_bounds moved = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    add_mapped(&moved, length, &linear, &range->offsets, range->weights[1] * view->displacement);
    float square = 0.0f;
    for (int axis = 0; axis < 3; ++axis)
    {
        float a = pelt_vec3_component(at, axis) * range->weights[0],
              b = pelt_vec3_component(at, axis) * range->weights[1];
        float low = fminf(a, b) + pelt_vec3_component(moved.min, axis),
              high = fmaxf(a, b) + pelt_vec3_component(moved.max, axis);
        float largest = fmaxf(fabsf(low), fabsf(high));
        *pelt_vec3_component_at(&inout->min, axis) += low;
        *pelt_vec3_component_at(&inout->max, axis) += high;
        square += largest * largest;
    }
    *length = sqrtf(square);
}

// The same without weights, for a map of positions.
static float distance_by(const region_view* view, const pelt_mat34* change)
{
    float square = 0.0f;
    for (int row = 0; row < 3; ++row)
    {
        const float* m = change->m[row];
        pelt_vec3 c = view->center, e = view->extents;
        float largest = fabsf(m[0] * c.x + m[1] * c.y + m[2] * c.z + m[3]) + fabsf(m[0]) * e.x +
                        fabsf(m[1]) * e.y + fabsf(m[2]) * e.z;
        square += largest * largest;
    }
    return sqrtf(square);
}

// ---------------------------------------------------------------------------------------------
// Blends of rotations
//
// Joints k with weights w_k and unit quaternions r_k take a vertex to positions p_k. With
// b = sum of w_k r_k, DQS takes it to
//
//     p_d + sum of vec(w_k (p_k - p_d) r_k b^-1)
//
// for any joint d. The mean rotation takes a vector u to the same with p_k = R_k u. In a region
// weights are near those in its middle, and b near the b of these.

typedef struct blend
{
    bool is_known; // signs of quaternions: those nearest to the strongest joint, or the palette's
    pelt_quat inverse; // of b in the middle; 0 where that may be 0
    float length;      // at least |b^-1|; INFINITY: quaternions may cancel
    float deviation;   // at least the distance of b^-1 from that in the middle
} blend;

static pelt_quat rotation_of(const region_view* view, uint32_t joint)
{
    const pelt_dquat* motions = view->palette->motions;
    pelt_quat q = motions[joint].real;
    bool is_flipped =
        !view->is_signed && pelt_quat_dot(q, motions[view->region->joint].real) < 0.0f;
    return is_flipped ? pelt_quat_scale(q, -1.0f) : q;
}

static float quat_distance(pelt_quat a, pelt_quat b)
{
    pelt_quat d = pelt_quat_add(a, pelt_quat_scale(b, -1.0f));
    return sqrtf(pelt_quat_dot(d, d));
}

// Whether all joints are within 180 degrees of each other, so that all rules give the same signs.
static bool is_coherent(const region_view* view, const pelti_influence_range* ranges)
{
    float largest[2] = {0.0f, 0.0f};
    pelt_quat lead = rotation_of(view, view->region->joint);
    for (uint32_t i = 0; i < view->region->range_count; ++i)
    {
        // The chord of half the angle between the rotations.
        float chord = quat_distance(rotation_of(view, ranges[i].joint), lead);
        float angle = 2.0f * asinf(fminf(0.5f * chord, 1.0f));
        largest[1] = fmaxf(largest[1], fminf(angle, largest[0]));
        largest[0] = fmaxf(largest[0], angle);
    }
    return largest[0] + largest[1] < 0.5f * PELT_PI - 1e-3f;
}

static blend blend_of(const region_view* view, const pelti_influence_range* ranges)
{
    const pelti_region* region = view->region;
    pelt_quat lead = rotation_of(view, region->joint), middle = lead;
    pelt_sign_rule rule = view->options->sign_rule;
    float spread = 1e-6f;
    for (uint32_t i = 0; i < region->range_count; ++i)
    {
        const float* w = ranges[i].weights;
        pelt_quat change =
            pelt_quat_add(rotation_of(view, ranges[i].joint), pelt_quat_scale(lead, -1.0f));
        middle = pelt_quat_add(middle, pelt_quat_scale(change, 0.5f * (w[0] + w[1])));
        spread += 0.5f * (w[1] - w[0]) * sqrtf(pelt_quat_dot(change, change));
    }
    float square = pelt_quat_dot(middle, middle), length = sqrtf(square);
    blend out = {.is_known =
                     view->is_signed || rule == PELT_SIGN_HEAVIEST || is_coherent(view, ranges)};
    // All quaternions are in the hemisphere of the strongest joint. The length of a sum of such
    // quaternions is at least the square root of the sum of squared weights.
    float least = fmaxf(length - spread, view->is_signed ? 0.0f : region->least_weight);
    if (!out.is_known)
    {
        least = rule == PELT_SIGN_RUNNING ? sqrtf(1.0f / (float)region->max_influences) : 0.0f;
    }
    out.length = least > 1e-3f ? 1.0f / least : INFINITY;
    out.deviation = out.length;
    if (out.is_known && length > 1e-3f)
    {
        out.inverse = pelt_quat_scale(pelt_quat_conjugate(middle), 1.0f / square);
        out.deviation = fminf(spread * out.length / length, out.length + 1.0f / length);
    }
    return out;
}

// The map x -> vec(x q).
static pelt_mat3 product_by(pelt_quat q)
{
    return (pelt_mat3){{{q.w, q.z, -q.y}, {-q.z, q.w, q.x}, {q.y, -q.x, q.w}}};
}

// ---------------------------------------------------------------------------------------------
// Methods

// Sums over the joints of a region other than its strongest, of bounds of lengths.
typedef struct range_sums
{
    float weighted;         // weight * distance from where the strongest joint takes a vertex
    float squares;          // distances without weights, squared
    float deviation;        // that the maps in the middle do not include
    pelt_mat3 stretch;      // mean in the middle
    float stretch_spread;   // of means in the region
    float stretch_change;   // largest difference between joints
    float stretched_center; // sum of weight * difference * distance of centers from the origin
} range_sums;

static pelt_mat3 stretch_of(const region_view* view, uint32_t joint)
{
    const pelt_palette* palette = view->palette;
    return palette->is_rigid ? pelt_mat3_identity() : palette->stretches[joint];
}

static float norm3(const pelt_mat3* m)
{
    const pelt_vec3 zero = {0.0f, 0.0f, 0.0f};
    const pelt_mat34 map = pelt_mat34_make(m, zero);
    return norm(&map);
}

// The mean stretch in the middle, and what follows from the differences.
static void sum_stretches(range_sums* out, const region_view* view,
                          const pelti_influence_range* ranges)
{
    const pelt_mat3 lead = stretch_of(view, view->region->joint);
    out->stretch = lead;
    out->stretch_spread = 1e-6f;
    for (uint32_t i = 0; i < view->region->range_count && !view->palette->is_rigid; ++i)
    {
        const float* w = ranges[i].weights;
        const pelt_mat3 own = stretch_of(view, ranges[i].joint);
        const pelt_mat3 change = pelt_mat3_mad(&own, -1.0f, &lead);
        float size = norm3(&change);
        out->stretch = pelt_mat3_mad(&out->stretch, 0.5f * (w[0] + w[1]), &change);
        out->stretch_spread += 0.5f * (w[1] - w[0]) * size;
        out->stretch_change = fmaxf(out->stretch_change, size);
        out->stretched_center += size * w[1] * view->region->distance;
    }
}

// By how much a joint changes the position under DQS.
static void add_blended(pelt_bounds* inout, range_sums* sums, const region_view* view,
                        const pelti_influence_range* range, const pelt_mat34* change,
                        const blend* by)
{
    pelt_mat3 product = product_by(pelt_quat_mul(rotation_of(view, range->joint), by->inverse));
    pelt_mat3 linear = pelt_mat34_linear(change);
    linear = pelt_mat3_mul(&product, &linear);
    pelt_mat34 map =
        pelt_mat34_make(&linear, pelt_mat3_vector(&product, pelt_mat34_translation(change)));
    pelt_bounds unused = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    float length;
    add_range(inout, &length, view, range, &map);
    add_range(&unused, &length, view, range, change);
    sums->weighted += length;
    sums->deviation += length * by->deviation;
}

// By how much CRS differs from LBS, as far as it is due to one joint: with u from the center of
// rotation to the vertex, R u = R_d u + sum of vec(w_k (R_k - R_d) u r_k b^-1), where LBS has
// R_d u + sum of w_k (R_k - R_d) u. Stretches S go first.
static void add_turned(pelt_bounds* inout, range_sums* sums, const region_view* view,
                       const pelti_influence_range* range, const blend* by)
{
    pelt_quat q = rotation_of(view, range->joint);
    const pelt_mat3 rotation = pelt_mat3_from_quat(q);
    const pelt_mat3 lead = pelt_mat3_from_quat(rotation_of(view, view->region->joint));
    const pelt_mat3 change = pelt_mat3_mad(&rotation, -1.0f, &lead);
    const pelt_mat3 stretch = stretch_of(view, range->joint);
    const pelt_mat3 product = product_by(pelt_quat_mul(q, by->inverse));
    const pelt_mat3 mean = pelt_mat3_mul(&change, &sums->stretch);
    const pelt_mat3 linear = pelt_mat3_mul(&change, &stretch);
    pelt_mat3 map = pelt_mat3_mul(&product, &mean);
    map = pelt_mat3_mad(&map, -1.0f, &linear);
    pelt_bounds unused = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    float length, more = range->weights[1] * view->displacement;
    add_mapped(inout, &length, &map, &range->center_offsets, more);
    add_mapped(&unused, &length, &mean, &range->center_offsets, more);
    float spread = 2.0f * sums->stretch_spread * (range->reach + more);
    sums->deviation += (length + spread) * by->deviation + spread * by->length;
}

static float largest_distance(const region_view* view)
{
    return pelt_vec3_length(view->center) + pelt_vec3_length(view->extents);
}

// Joints stretch about the origin of the mesh, each by the mean stretch.
static float origin_deviation(const region_view* view, const blend* by, const range_sums* sums)
{
    bool has_origin =
        view->options->scale_pivot == PELT_SCALE_ORIGIN || view->options->method == PELT_METHOD_LMS;
    float z = sums->stretch_change * largest_distance(view);
    return view->palette->is_rigid || !has_origin ? 0.0f : z * (1.0f + 4.5f * by->length);
}

static float crs_deviation(const region_view* view, const range_sums* sums)
{
    return view->options->scale_pivot == PELT_SCALE_LOCAL
               ? sums->deviation
               : sums->deviation + 2.0f * sums->stretched_center;
}

// A mean of logarithms moves a vertex no farther than the mean of the arcs, and an arc of up to 180
// degrees is at most pi / 2 times as long as its chord.
static float lms_deviation(const region_view* view, const blend* by, const range_sums* sums)
{
    float origin = origin_deviation(view, by, sums), away = sums->weighted * by->length + origin;
    if (view->options->lms_variant == PELT_LMS_RELATIVE)
    {
        float arcs = sums->weighted + away + origin;
        return sums->deviation + origin + 0.5f * PELT_PI * arcs;
    }
    if (!view->palette->is_rigid)
    {
        return INFINITY;
    }
    // From the bind pose. The box that this enlarges is that of DQS.
    pelt_mat34 identity = pelt_mat34_identity();
    pelt_mat34 change = difference(&view->lead, &identity);
    float moved = distance_by(view, &change);
    return sums->deviation + away + moved + 0.5f * PELT_PI * (moved + sums->weighted);
}

// At the center, the motions of the joints differ least, so they differ there by no more than at
// the vertex.
static float sbs_deviation(const region_view* view, const blend* by, const range_sums* sums)
{
    float distance = 4.0f * sqrtf(sums->squares);
    return view->palette->is_rigid ? distance * (1.0f + by->length) : INFINITY;
}

static float deviation_of(const region_view* view, const blend* by, const range_sums* sums)
{
    switch (view->options->method)
    {
    case PELT_METHOD_CRS:
        return crs_deviation(view, sums);
    case PELT_METHOD_LMS:
        return lms_deviation(view, by, sums);
    case PELT_METHOD_SBS:
        return sbs_deviation(view, by, sums);
    default:
        return sums->deviation + origin_deviation(view, by, sums);
    }
}

// ---------------------------------------------------------------------------------------------
// Regions

static void displace(region_view* inout, const pelt_skin_bounds* bounds, const float* weights)
{
    size_t first = (size_t)(inout->region - bounds->regions) * bounds->morph_count;
    pelt_bounds sum = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    for (uint32_t i = 0; weights != NULL && i < bounds->morph_count; ++i)
    {
        const pelt_bounds* box = &bounds->morphs[first + i];
        bool is_reversed = weights[i] < 0.0f;
        sum.min = pelt_vec3_mad(sum.min, weights[i], is_reversed ? box->max : box->min);
        sum.max = pelt_vec3_mad(sum.max, weights[i], is_reversed ? box->min : box->max);
    }
    pelt_vec3 middle = pelt_vec3_lerp(sum.min, sum.max, 0.5f);
    pelt_vec3 half = pelt_vec3_scale(pelt_vec3_sub(sum.max, sum.min), 0.5f);
    inout->center = pelt_vec3_add(inout->region->center, middle);
    inout->extents = pelt_vec3_add(inout->region->extents, half);
    inout->displacement = pelt_vec3_length(middle) + pelt_vec3_length(half);
}

static void join(pelt_bounds* inout, const pelt_bounds* other)
{
    pelt_bounds_add(inout, &other->min, 1);
    pelt_bounds_add(inout, &other->max, 1);
}

static pelt_bounds lerp(const pelt_bounds* a, const pelt_bounds* b, float factor)
{
    return (pelt_bounds){pelt_vec3_lerp(a->min, b->min, factor),
                         pelt_vec3_lerp(a->max, b->max, factor)};
}

// The box of a region with several joints, for methods that blend rotations.
// @param linear  box of the same region under LBS
static pelt_bounds blended_box(const region_view* view, const pelti_influence_range* ranges,
                               const pelt_bounds* linear)
{
    pelt_method method = view->options->method;
    bool is_centered = method == PELT_METHOD_CRS || method == PELT_METHOD_SBS;
    const blend by = blend_of(view, ranges);
    range_sums sums = {0};
    pelt_bounds box = *linear;
    if (!isfinite(by.length))
    {
        return everything;
    }
    if (!is_centered)
    {
        add_lead(&box, view);
    }
    sum_stretches(&sums, view, ranges);
    for (uint32_t i = 0; i < view->region->range_count; ++i)
    {
        pelt_mat34 change = difference(&view->palette->matrices[ranges[i].joint], &view->lead);
        float whole = distance_by(view, &change);
        sums.squares += whole * whole;
        if (method == PELT_METHOD_CRS)
        {
            add_turned(&box, &sums, view, &ranges[i], &by);
        }
        else if (method != PELT_METHOD_SBS)
        {
            add_blended(&box, &sums, view, &ranges[i], &change, &by);
        }
    }
    float more = deviation_of(view, &by, &sums);
    pelt_vec3 margin = {more, more, more};
    box = (pelt_bounds){pelt_vec3_sub(box.min, margin), pelt_vec3_add(box.max, margin)};
    if (method == PELT_METHOD_MIX)
    {
        pelt_bounds least = lerp(linear, &box, view->mix[0]);
        box = lerp(linear, &box, view->mix[1]);
        join(&box, &least);
    }
    if (view->palette->has_mixed_handedness)
    {
        join(&box, linear);
    }
    return box;
}

static pelt_bounds region_box(const region_view* view, const pelti_influence_range* ranges)
{
    pelt_bounds box;
    float unused;
    add_lead(&box, view);
    for (uint32_t i = 0; i < view->region->range_count; ++i)
    {
        pelt_mat34 change = difference(&view->palette->matrices[ranges[i].joint], &view->lead);
        add_range(&box, &unused, view, &ranges[i], &change);
    }
    bool is_linear =
        view->options->method == PELT_METHOD_LBS || view->options->method == PELT_METHOD_DDM;
    bool is_blended = !is_linear && view->region->range_count > 0;
    return is_blended ? blended_box(view, ranges, &box) : box;
}

// The mean of points by weights lies in the box of what the joints make of them, and a vertex no
// farther from it than at rest, up to stretches.
static void add_smoothed(pelt_bounds* inout, float* magnitude, const pelt_skin_bounds* bounds,
                         const pelt_palette* palette, float displacement)
{
    pelt_bounds box = pelt_bounds_empty();
    float largest = palette->is_rigid ? 1.0f : 0.0f;
    for (uint32_t joint = 0; joint < bounds->joint_count; ++joint)
    {
        const pelt_bounds* part = &bounds->smoothed[joint];
        const pelt_mat34* matrix = &palette->matrices[joint];
        for (uint32_t i = 0; part->min.x <= part->max.x && i < 8; ++i)
        {
            pelt_vec3 corner = {(i & 1u) != 0 ? part->max.x : part->min.x,
                                (i & 2u) != 0 ? part->max.y : part->min.y,
                                (i & 4u) != 0 ? part->max.z : part->min.z};
            pelt_vec3 moved = pelt_mat34_point(matrix, corner);
            pelt_bounds_add(&box, &moved, 1);
            largest = palette->is_rigid ? 1.0f : fmaxf(largest, norm(matrix));
        }
    }
    if (box.min.x <= box.max.x)
    {
        float more = largest * (bounds->smoothed_reach + displacement);
        pelt_vec3 margin = {more, more, more};
        box = (pelt_bounds){pelt_vec3_sub(box.min, margin), pelt_vec3_add(box.max, margin)};
        *magnitude = fmaxf(*magnitude, pelt_bounds_diagonal(&box));
        join(inout, &box);
    }
}

// The largest coordinate that was added, which bounds the rounding of these sums and of skinning.
static float magnitude_of(const region_view* view)
{
    float sum = 0.0f, size = pelt_vec3_length(view->center) + pelt_vec3_length(view->extents);
    for (int row = 0; row < 3; ++row)
    {
        sum = fmaxf(sum, fabsf(view->lead.m[row][3]));
    }
    return sum + norm(&view->lead) * size;
}

pelt_bounds pelt_skin_bounds_at(const pelt_skin_bounds* bounds, const pelt_palette* palette,
                                const pelt_deform_options* options, const float* morph_weights)
{
    PELT_ASSERT(bounds != NULL && palette != NULL && options != NULL);
    PELT_ASSERT(palette->joint_count >= bounds->joint_count);
    PELT_ASSERT(!pelt_method_info(options->method)->needs_motions || palette->motions != NULL);
    PELT_ASSERT(!pelt_method_info(options->method)->needs_centers || bounds->has_centers);
    pelt_bounds box = pelt_bounds_empty();
    float magnitude = 0.0f, displacement = 0.0f;
    bool has_variant = pelt_method_info(options->method)->has_dqs_variant;
    for (uint32_t i = 0; i < bounds->region_count; ++i)
    {
        const pelti_region* region = &bounds->regions[i];
        region_view view = {.region = region,
                            .palette = palette,
                            .options = options,
                            .mix = {bounds->has_mix_factors ? region->mix[0] : options->mix,
                                    bounds->has_mix_factors ? region->mix[1] : options->mix},
                            .lead = region->joint != PELT_NONE ? palette->matrices[region->joint]
                                                               : pelt_mat34_identity(),
                            .is_signed =
                                options->sign_rule == PELT_SIGN_HIERARCHY ||
                                (has_variant && options->dqs_variant != PELT_DQS_ANTIPODAL)};
        displace(&view, bounds, morph_weights);
        pelt_bounds part = region_box(&view, bounds->ranges + region->first_range);
        float size = pelt_bounds_diagonal(&part);
        if (!isfinite(size))
        {
            return everything;
        }
        magnitude = fmaxf(magnitude, magnitude_of(&view) + size);
        displacement = fmaxf(displacement, view.displacement);
        join(&box, &part);
    }
    if (options->method == PELT_METHOD_DDM && bounds->smoothed != NULL)
    {
        add_smoothed(&box, &magnitude, bounds, palette, displacement);
    }
    float room = 4e-6f * magnitude;
    pelt_vec3 more = {room, room, room};
    return bounds->region_count > 0
               ? (pelt_bounds){pelt_vec3_sub(box.min, more), pelt_vec3_add(box.max, more)}
               : box;
}
