// SPDX-License-Identifier: MIT
// Kernels of morph targets: a block at rest with the targets in use, as a deformer that has no
// other block, for other kernels to move.
//
// Part of deformer_kernel.h.

PELTI_INLINE void store3(float* planes, uint32_t lane, wide3 value)
{
    wide_store(planes + lane, value.x);
    wide_store(planes + PELTI_BLOCK + lane, value.y);
    wide_store(planes + 2 * PELTI_BLOCK + lane, value.z);
}

PELTI_INLINE wide choose(wide_bits is_first, wide first, wide second)
{
    return (wide)(((wide_bits)first & is_first) | ((wide_bits)second & ~is_first));
}

// An attribute with the targets in use, in the order of pelt_morph_apply(). Directions are not of
// unit length: they start as they are in the source.
// @param rest  of the block
// @return whether any target is in use
static bool add_morphs(float* out, const float* rest, const pelt_deformer* deformer,
                       const float* morph_weights, uint32_t block, pelti_attribute attribute)
{
    bool is_moved = false;
    for (size_t i = deformer->first_morphs[block]; i < deformer->first_morphs[block + 1]; ++i)
    {
        const pelti_block_morph* morph = &deformer->block_morphs[i];
        const float* planes = deformer->morph_planes + i * 3 * PELTI_BLOCK;
        if (morph->attribute != attribute || !pelti_block_morph_is_used(morph, morph_weights))
        {
            rest = morph->attribute == attribute && morph->target == PELT_NONE ? planes : rest;
            continue;
        }
        const wide weight = wide_all(morph_weights[morph->target]);
        const float* from = is_moved ? out : rest;
        for (uint32_t k = 0; k < 3 * PELTI_BLOCK; k += PELTI_WIDE_LANES)
        {
            wide_store(out + k, wide_mad(weight, wide_load(planes + k), wide_load(from + k)));
        }
        is_moved = true;
    }
    return is_moved;
}

// A direction that its targets cancel out is that at rest.
static pelt_vec3 unit_of(pelt_vec3 sum, pelt_vec3 rest)
{
    pelt_vec3 unit = pelt_vec3_normalize(sum);
    return unit.x == 0.0f && unit.y == 0.0f && unit.z == 0.0f ? rest : unit;
}

static void normalize_directions(float* inout, const float* rest)
{
    for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
    {
        wide3 sum = load3(inout, lane);
        wide square = dot3(sum, sum);
        wide_bits outside = outside_of(square, 1e-30f, 1e30f);
        store3(inout, lane, scale3(sum, 1.0f / wide_root(square)));
        for (int i = 0; i < PELTI_WIDE_LANES && wide_has_high_bit(outside); ++i)
        {
            if (outside[i] >> 31 != 0)
            {
                pelt_vec3 lost = {sum.x[i], sum.y[i], sum.z[i]};
                uint32_t at = lane + (uint32_t)i;
                pelti_put3(inout, at, unit_of(lost, pelti_get3(rest, at)));
            }
        }
    }
}

// Directions of a block. Returns whether targets in use rotate them.
static bool morph_directions(float* out, const float* rest, const pelt_deformer* deformer,
                             const float* morph_weights, uint32_t block, pelti_attribute attribute)
{
    bool is_rotated = add_morphs(out, rest, deformer, morph_weights, block, attribute);
    if (is_rotated)
    {
        normalize_directions(out, rest);
    }
    else
    {
        memcpy(out, rest, 3 * PELTI_BLOCK * sizeof *out);
    }
    return is_rotated;
}

// ---------------------------------------------------------------------------------------------
// Accurate normals

// The tangents and plane_normals of pelt_normal_factors.
typedef struct block_planes
{
    float tangents[3 * PELTI_BLOCK];
    float plane_normals[2][PELTI_BLOCK];
} block_planes;

static void gather_planes(block_planes* out, const pelt_deformer* deformer, uint32_t block,
                          bool is_constant)
{
    const pelt_deformer_source* source = &deformer->source;
    for (uint32_t lane = 0; lane < PELTI_BLOCK; ++lane)
    {
        uint32_t v = pelti_vertex_at(deformer, block, lane);
        pelt_vec2 plane_normal = pelti_plane_normal_at(source, v, is_constant);
        pelti_put3(out->tangents, lane, source->normal_factors->tangents[v]);
        out->plane_normals[0][lane] = plane_normal.x;
        out->plane_normals[1][lane] = plane_normal.y;
    }
}

// The coordinates of the plane_normal of a vertex, about a normal that has rotated: see
// pelti_plane_axes_about().
typedef struct wide_frame
{
    wide3 normal, tangent, bitangent;
    wide plane_normal[2], plane_square;
} wide_frame;

PELTI_INLINE wide_frame rotated_frame(const float* normals, const block_planes* plane_normals,
                                      uint32_t lane)
{
    wide3 n = load3(normals, lane), t = load3(plane_normals->tangents, lane);
    t = mad3(n, -dot3(t, n), t);
    wide square = dot3(t, t);
    // Nothing is left of a tangent if the normal has rotated to it.
    wide length = choose((wide_bits)(square > 1e-30f), wide_root(square), wide_all(INFINITY));
    t = scale3(t, 1.0f / length);
    wide a = wide_load(plane_normals->plane_normals[0] + lane),
         b = wide_load(plane_normals->plane_normals[1] + lane);
    return (wide_frame){n, t, cross3(n, t), {a, b}, wide_mad(a, a, b * b)};
}

// The normals of triangles in a block of constant weights, see pelti_plane_axes().
static void rotate_planes(float* out, const float* normals, const pelt_deformer* deformer,
                          uint32_t block)
{
    block_planes plane_normals;
    gather_planes(&plane_normals, deformer, block, true);
    for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
    {
        wide_frame frame = rotated_frame(normals, &plane_normals, lane);
        wide k = 2.0f / (1.0f + frame.plane_square);
        wide3 plane =
            mad3(frame.tangent, frame.plane_normal[0] * k, scale3(frame.normal, k - 1.0f));
        store3(out, lane, mad3(frame.bitangent, frame.plane_normal[1] * k, plane));
    }
}

// The axes, of which the first is of the slope of the normal, see pelti_projection_directions().
// How far it does stays the same.
static void rotate_axes(const pelti_factor_rows* inout, const float* normals,
                        const pelt_deformer* deformer, uint32_t block)
{
    const wide one = wide_all(1.0f), zero = wide_all(0.0f);
    block_planes plane_normals;
    gather_planes(&plane_normals, deformer, block, false);
    for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
    {
        wide_frame frame = rotated_frame(normals, &plane_normals, lane);
        wide_bits is_oblique = (wide_bits)(frame.plane_square > 1e-30f);
        wide size = choose(is_oblique, -wide_root(frame.plane_square), one);
        wide x = choose(is_oblique, frame.plane_normal[0] / size, one);
        wide y = choose(is_oblique, frame.plane_normal[1] / size, zero);
        wide3 ahead = mad3(frame.tangent, x, scale3(frame.bitangent, y));
        wide3 first = scale3(ahead, wide_load(inout->normal_z + lane));
        first = mad3(frame.normal, wide_load(inout->normal_x + lane), first);
        store3(inout->axes[0], lane, first);
        store3(inout->axes[1], lane, mad3(frame.bitangent, x, scale3(frame.tangent, -y)));
    }
}

// What joints move as weights change, see pelti_factor_rows: by their slopes, vertices are
// elsewhere, and what is not their slope is in the plane of the axes, which have rotated.
static void morph_changes(const pelti_factor_rows* out, const pelti_factor_rows* rest,
                          uint32_t joint_count, bool is_rotated, const float* rest_positions,
                          const float* positions)
{
    for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
    {
        wide3 offset = load3(rest_positions, lane), move = sub3(load3(positions, lane), offset);
        wide3 axes[2] = {load3(rest->axes[0], lane), load3(rest->axes[1], lane)};
        wide3 rotations[2] = {sub3(load3(out->axes[0], lane), axes[0]),
                              sub3(load3(out->axes[1], lane), axes[1])};
        offset = rest->center != NULL ? sub3(offset, load3(rest->center, lane)) : offset;
        for (size_t i = 0; i < 2 * (size_t)(joint_count - 1); ++i)
        {
            const size_t axis = i % 2, at = i / 2 * PELTI_BLOCK;
            wide slope = wide_load(rest->slopes[axis] + at + lane);
            wide3 change = load3(rest->changes[axis] + 3 * at, lane);
            wide3 moved = mad3(move, slope, change);
            if (is_rotated)
            {
                wide3 flat = mad3(offset, -slope, change);
                moved = mad3(rotations[0], dot3(flat, axes[0]), moved);
                moved = mad3(rotations[1], dot3(flat, axes[1]), moved);
            }
            store3(out->changes[axis] + 3 * at, lane, moved);
        }
    }
}

// The data of accurate normals for a block that targets move.
static void morph_factors(pelti_morphed_block* inout, const pelt_deformer* deformer, uint32_t block,
                          bool is_rotated)
{
    const pelti_factor_block* from = &deformer->factor_blocks[block];
    const uint32_t joint_count = from->joint_count;
    const bool has_centers = deformer->cors != NULL;
    float *planes = deformer->factor_planes + (size_t)from->first_plane * PELTI_BLOCK,
          *morphed = inout->factor_planes;
    if (pelti_factor_plane_count(joint_count, has_centers) > PELTI_MORPHED_PLANES_MAX)
    {
        inout->factor_block.joint_count = PELTI_BLOCK_JOINTS_MAX + 1; // for the reference
        return;
    }
    inout->factor_block.first_plane = 0;
    inout->deformer.factor_planes = morphed;
    if (joint_count == 0 && is_rotated)
    {
        rotate_planes(morphed, inout->normals, deformer, block);
        return;
    }
    if (joint_count == 0)
    {
        memcpy(morphed, planes, 3 * PELTI_BLOCK * sizeof *planes);
        return;
    }
    const pelti_factor_rows rest = pelti_factor_rows_of(planes, joint_count, has_centers);
    const pelti_factor_rows rows = pelti_factor_rows_of(morphed, joint_count, has_centers);
    memcpy(morphed, planes, (size_t)(rest.changes[0] - planes) * sizeof *planes);
    if (is_rotated)
    {
        rotate_axes(&rows, inout->normals, deformer, block);
    }
    morph_changes(&rows, &rest, joint_count, is_rotated,
                  deformer->positions + 3 * (size_t)block * PELTI_BLOCK, inout->positions);
}

// See pelti_factor_block.has_skewed_tangents.
static bool has_skewed_tangents(const pelti_morphed_block* in, const pelt_deformer* deformer,
                                uint32_t block)
{
    bool is_constant = deformer->factor_blocks[block].joint_count == 0;
    for (uint32_t lane = 0; lane < deformer->blocks[block].vertex_count; ++lane)
    {
        uint32_t v = pelti_vertex_at(deformer, block, lane);
        float cosine = pelt_vec3_dot(pelti_get3(in->tangents, lane), pelti_get3(in->normals, lane));
        bool has_plane_normal = pelti_has_plane_normal(&deformer->source, v, is_constant);
        if (!has_plane_normal && fabsf(cosine) > PELTI_SMALL_ANGLE)
        {
            return true;
        }
    }
    return false;
}

static void morph_block(pelti_morphed_block* out, const pelt_deformer* deformer,
                        const float* morph_weights, uint32_t block, bool is_accurate)
{
    size_t at = (size_t)block * PELTI_BLOCK;
    out->deformer = *deformer;
    out->deformer.block_count = 1;
    out->deformer.blocks += block;
    out->deformer.order += at;
    out->deformer.positions = out->positions;
    out->deformer.cors += deformer->cors != NULL ? 3 * at : 0;
    out->deformer.mix_factors += deformer->mix_factors != NULL ? at : 0;

    const float* positions = deformer->positions + 3 * at;
    bool is_rotated = false, has_rotated_tangents = false;
    if (!add_morphs(out->positions, positions, deformer, morph_weights, block, PELTI_POSITIONS))
    {
        memcpy(out->positions, positions, sizeof out->positions);
    }
    if (deformer->normals != NULL)
    {
        out->deformer.normals = out->normals;
        is_rotated = morph_directions(out->normals, deformer->normals + 3 * at, deformer,
                                      morph_weights, block, PELTI_NORMALS);
    }
    if (deformer->tangents != NULL)
    {
        const float *tangents = deformer->tangents + 4 * at, *signs = tangents + 3 * PELTI_BLOCK;
        out->deformer.tangents = out->tangents;
        has_rotated_tangents = morph_directions(out->tangents, tangents, deformer, morph_weights,
                                                block, PELTI_TANGENTS);
        memcpy(out->tangents + 3 * PELTI_BLOCK, signs, PELTI_BLOCK * sizeof *signs);
    }
    if (is_accurate && deformer->factor_blocks != NULL)
    {
        out->factor_block = deformer->factor_blocks[block];
        out->deformer.factor_blocks = &out->factor_block;
        if (out->factor_block.joint_count <= PELTI_BLOCK_JOINTS_MAX)
        {
            morph_factors(out, deformer, block, is_rotated);
        }
        if (deformer->tangents != NULL && (is_rotated || has_rotated_tangents))
        {
            out->factor_block.has_skewed_tangents = has_skewed_tangents(out, deformer, block);
        }
    }
}
