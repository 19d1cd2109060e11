// SPDX-License-Identifier: MIT
// Encodes the motion of one joint: the parts that change, their components, and a correction of the
// path between keys.
#include "../base/exact.h"

#include "../base/double3.h"
#include "bake_record.h"

#include <string.h>

enum
{
    PATH_COMPONENTS = 6, // rotation, position
};

// Fraction of the residue of a path: a smaller rounding error gains nothing.
static const float useful_rounding = 0.25f;

// ---------------------------------------------------------------------------------------------
// Parts of a pose that are stored

typedef struct pose_parts
{
    bool has_reference, has_rotation, has_position;
    bool is_rotating, is_moving; // rotation, position change
    uint32_t stretch;            // PELTI_RECORD_UNIFORM, PELTI_RECORD_SYMMETRIC or 0
    bool is_stretching;
    pelt_quat reference;
    uint32_t reference_word;
    bool has_rotation_axes, has_axes; // of rotations, of positions
    pelt_quat rotation_axes, axes;
    uint32_t rotation_axes_word, axes_word;
} pose_parts;

static double angle_between(pelt_quat a, pelt_quat b)
{
    pelt_quat d = pelt_quat_mul(pelt_quat_conjugate(a), b);
    double sine =
        sqrt((double)d.x * (double)d.x + (double)d.y * (double)d.y + (double)d.z * (double)d.z);
    return 2.0 * atan2(sine, fabs((double)d.w));
}

static void find_stretch(pose_parts* parts, const pelti_joint_pose* poses, uint32_t count,
                         double small)
{
    double away = 0.0, nonuniform = 0.0, change = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        const float *s = poses[i].stretch, *first = poses[0].stretch;
        for (int k = 0; k < 6; ++k)
        {
            double identity = k < 3 ? 1.0 : 0.0, uniform = k < 3 ? (double)s[0] : 0.0;
            away = fmax(away, fabs((double)s[k] - identity));
            nonuniform = fmax(nonuniform, fabs((double)s[k] - uniform));
            change = fmax(change, fabs((double)s[k] - (double)first[k]));
        }
    }
    parts->stretch = away <= small         ? 0
                     : nonuniform <= small ? (uint32_t)PELTI_RECORD_UNIFORM
                                           : (uint32_t)PELTI_RECORD_SYMMETRIC;
    parts->is_stretching = change > small;
}

static pelt_quat mean_rotation(const pelti_joint_pose* poses, uint32_t count)
{
    pelt_quat sum = poses[0].rotation;
    for (uint32_t i = 1; i < count; ++i)
    {
        float sign = pelt_quat_dot(sum, poses[i].rotation) < 0.0f ? -1.0f : 1.0f;
        sum = pelt_quat_add(sum, pelt_quat_scale(poses[i].rotation, sign));
    }
    return pelt_quat_normalize(sum);
}

// Uses the motion of the source, without compensation for rounding of the parent, so that constant
// parts remain constant.
static pose_parts find_parts(const pelti_record_scratch* scratch, const pelti_code_job* job,
                             const pelti_quality* quality, uint32_t joint)
{
    const pelti_reach* reach = &scratch->reaches[joint];
    const pelti_joint_pose* poses = scratch->open_poses;
    uint32_t count = job->samples->count;
    double small = pelti_still_distance(job, quality), away = 0.0, angle = 0.0, offset = 0.0,
           move = 0.0;
    pose_parts parts = {.reference = mean_rotation(poses, count),
                        .rotation_axes = pelt_quat_identity(),
                        .axes = pelt_quat_identity()};
    float widest = 0.0f; // of the rotation as a vector
    for (uint32_t i = 0; i < count; ++i)
    {
        away = fmax(away, angle_between(pelt_quat_identity(), poses[i].rotation));
        angle = fmax(angle, angle_between(poses[0].rotation, poses[i].rotation));
        offset =
            fmax(offset, (double)pelt_vec3_distance(job->plan->pivots[joint], poses[i].position));
        move = fmax(move, (double)pelt_vec3_distance(poses[0].position, poses[i].position));
        widest = fmaxf(widest, pelt_vec3_length(pelti_quat_to_vector(poses[i].rotation)));
    }
    double rotation_reach = (double)reach->rotation, position_reach = (double)reach->position;
    parts.is_rotating = angle * rotation_reach > small;
    parts.has_rotation = parts.is_rotating || away * rotation_reach > 0.1 * small;
    parts.is_moving = move * position_reach > small;
    parts.has_position = parts.is_moving || offset * position_reach > 0.1 * small;
    find_stretch(&parts, poses, count, small / fmax((double)reach->stretch, 1e-30));
    // Near 180 degrees the vector jumps to its opposite; a reference rotation avoids that.
    bool is_free = job->plan->parents[joint] == PELT_NONE;
    parts.has_reference = parts.has_rotation && (is_free || widest > 0.45f);
    if (parts.has_reference)
    {
        parts.reference_word = pelti_reference_word(parts.reference);
        parts.reference = pelti_reference_read(parts.reference_word);
    }
    else
    {
        parts.reference = pelt_quat_identity();
    }
    return parts;
}

// ---------------------------------------------------------------------------------------------
// Paths

// Difference between the source and the interpolation of two keys: a rotation, as its axis times
// half its angle, and an offset.
typedef struct path_lack
{
    pelt_vec3 rotation, position;
} path_lack;

static path_lack lack_at(const pelti_joint_pose* a, const pelti_joint_pose* b,
                         const pelti_joint_pose* target, float u)
{
    pelt_quat q = pelt_quat_slerp(a->rotation, b->rotation, u);
    pelt_quat rest = pelt_quat_mul(pelt_quat_conjugate(q), target->rotation);
    pelt_vec3 chord = pelt_vec3_lerp(a->position, b->position, u);
    return (path_lack){pelt_vec3_scale(pelt_vec3_make(rest.x, rest.y, rest.z),
                                       fabsf(rest.w) > 0.1f ? 1.0f / rest.w : 0.0f),
                       pelt_vec3_sub(target->position, chord)};
}

// Residue after the correction: root mean square of an interval, largest over all intervals.
typedef struct path_residue
{
    float rotation, position;
} path_residue;

// Least-squares fit of the vectors b of the correction 4 u (1 - u) b.
static path_residue fit_paths(pelti_record_scratch* scratch, const pelti_code_job* job,
                              const pose_parts* parts)
{
    const pelti_samples* samples = job->samples;
    path_residue residue = {0};
    for (uint32_t key = 0; key < samples->key_count; ++key)
    {
        pelt_vec3 rotation = {0.0f, 0.0f, 0.0f}, position = rotation;
        const pelti_joint_pose *a = &scratch->decoded[key],
                               *b = &scratch->decoded[samples->next[key]];
        float sum = 0.0f, rotation_square = 0.0f, position_square = 0.0f;
        uint32_t span = samples->spans[key];
        for (uint32_t i = 1; i < span; ++i)
        {
            float u = (float)i / (float)span, g = 4.0f * u * (1.0f - u);
            path_lack lack = lack_at(a, b, &scratch->poses[samples->key_samples[key] + i], u);
            rotation = pelt_vec3_mad(rotation, g, lack.rotation);
            position = pelt_vec3_mad(position, g, lack.position);
            rotation_square += pelt_vec3_dot(lack.rotation, lack.rotation);
            position_square += pelt_vec3_dot(lack.position, lack.position);
            sum += g * g;
        }
        if (span > 1)
        {
            rotation = pelt_vec3_scale(rotation, 1.0f / sum);
            position = pelt_vec3_scale(position, 1.0f / sum);
            float count = (float)(span - 1);
            rotation_square -= sum * pelt_vec3_dot(rotation, rotation);
            position_square -= sum * pelt_vec3_dot(position, position);
            residue.rotation = fmaxf(residue.rotation, sqrtf(fmaxf(rotation_square / count, 0.0f)));
            residue.position = fmaxf(residue.position, sqrtf(fmaxf(position_square / count, 0.0f)));
        }
        scratch->paths[key][0] =
            pelt_quat_rotate(pelt_quat_conjugate(parts->rotation_axes), rotation);
        scratch->paths[key][1] = pelt_quat_rotate(pelt_quat_conjugate(parts->axes), position);
    }
    return residue;
}

static void read_decoded(pelti_record_scratch* scratch, const pelti_code_job* job,
                         const uint32_t* record, const pelti_key_writer* writer, size_t first_bit,
                         uint32_t joint)
{
    // A table of this joint alone: one index word, then the record.
    uint32_t table[25] = {1};
    for (int i = 0; i < 24; ++i)
    {
        table[1 + i] = record[i];
    }
    table[1] |= (uint32_t)first_bit;
    for (uint32_t key = 0; key < writer->key_count; ++key)
    {
        const uint32_t* words = writer->keys + (size_t)key * writer->key_words;
        pelti_key_pair pair = {.encoding = job->encoding,
                               .table = table,
                               .key = words,
                               .next = words,
                               .unit = job->unit,
                               .stretch_unit = job->stretch_unit};
        pelti_motion motion = pelti_motion_decode(&pair, 0, job->plan->pivots[joint]);
        scratch->decoded[key] =
            (pelti_joint_pose){.rotation = motion.rotation, .position = motion.position};
    }
}

// Plan the components of paths. The vector of a small rotation is half its angle.
static void plan_paths(pelti_component_plan* plans, const pelti_record_scratch* scratch,
                       const pelti_code_job* job, uint32_t joint, float weight)
{
    const pelti_reach* reach = &scratch->reaches[joint];
    for (int i = 0; i < PATH_COMPONENTS; ++i)
    {
        float largest = 0.0f;
        for (uint32_t key = 0; key < job->samples->key_count; ++key)
        {
            largest = fmaxf(largest, fabsf(pelt_vec3_component(scratch->paths[key][i / 3], i % 3)));
        }
        plans[i] = (pelti_component_plan){
            .low = -largest,
            .high = largest,
            .reach = weight * (i < 3 ? 2.0f * reach->rotation : reach->position),
            .scale = i < 3 ? 1.0f : job->unit,
            .is_constant = !(largest > 0.0f),
            .widest = PELTI_PATH_WIDTH_MAX};
    }
}

// A width of 1 has two steps, both near 0: it is stored as 0.
static uint32_t* write_path(uint32_t* word, pelti_key_writer* writer,
                            const pelti_record_scratch* scratch, const pelti_component_plan* plans,
                            int part)
{
    *word = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        uint32_t width = plans[axis].width < 2 ? 0 : plans[axis].width;
        *word |= pelti_path_bits(plans[axis].high, width, plans[axis].scale) << 10 * axis;
        pelti_path path = pelti_path_read(*word, axis, plans[axis].scale);
        for (uint32_t key = 0; path.width > 0 && key < writer->key_count; ++key)
        {
            const float* values = &scratch->paths[key][part].x;
            pelti_bits_write(writer->keys + (size_t)key * writer->key_words, writer->bit,
                             path.width, pelti_path_quantize(&path, values[axis]));
        }
        writer->bit += path.width;
    }
    return word + 1;
}

// Widths are known by now. Paths are fitted again, to the keys as decoded.
static uint32_t* write_paths(uint32_t* word, uint32_t* record, pelti_key_writer* writer,
                             const pelti_record_scratch* scratch, pelti_component_plan* plans,
                             const pelti_code_job* job, uint32_t joint)
{
    uint32_t widths[PATH_COMPONENTS];
    for (int i = 0; i < PATH_COMPONENTS; ++i)
    {
        widths[i] = plans[i].width;
    }
    plan_paths(plans, scratch, job, joint, 1.0f);
    for (int part = 0; part < 2; ++part)
    {
        bool has_path = false;
        for (int i = 3 * part; i < 3 * part + 3; ++i)
        {
            plans[i].width = widths[i];
            has_path = has_path || widths[i] >= 2;
        }
        if (has_path)
        {
            *record |= part == 0 ? PELTI_RECORD_ROTATION_PATH : PELTI_RECORD_POSITION_PATH;
            word = write_path(word, writer, scratch, plans + 3 * part, part);
        }
    }
    return word;
}

// ---------------------------------------------------------------------------------------------
// Records

// Components of the parts of a pose, in the order of a record, with their values at all keys. Parts
// that are constant in the source have the values of the source.
static int plan_pose(pelti_component_plan* plans, pose_parts* parts, pelti_record_scratch* scratch,
                     const pelti_code_job* job, uint32_t joint)
{
    const pelti_reach* reach = &scratch->reaches[joint];
    uint32_t key_count = job->samples->key_count;
    pelt_quat back = pelt_quat_conjugate(parts->reference);
    int rotations = parts->has_rotation ? 3 : 0, positions = parts->has_position ? 3 : 0;
    int stretches = parts->stretch == PELTI_RECORD_UNIFORM ? 1 : parts->stretch != 0 ? 6 : 0;
    int count = rotations + positions + stretches;
    for (int i = 0; i < count; ++i)
    {
        bool is_rotation = i < rotations, is_position = !is_rotation && i < rotations + positions;
        plans[i] = (pelti_component_plan){.reach = is_rotation   ? 4.0f * reach->rotation
                                                   : is_position ? reach->position
                                                                 : reach->stretch,
                                          .scale = is_rotation   ? 1.0f
                                                   : is_position ? job->unit
                                                                 : job->stretch_unit,
                                          .is_constant = is_rotation   ? !parts->is_rotating
                                                         : is_position ? !parts->is_moving
                                                                       : !parts->is_stretching};
    }
    for (uint32_t key = 0; key < key_count; ++key)
    {
        const pelti_joint_pose* moving = &scratch->poses[job->samples->key_samples[key]];
        const pelti_joint_pose* fixed = &scratch->open_poses[job->samples->key_samples[key]];
        const pelt_quat rotation = parts->is_rotating ? moving->rotation : fixed->rotation;
        const pelt_vec3 position = parts->is_moving ? moving->position : fixed->position;
        const pelt_vec3 vector = pelti_quat_to_vector(pelt_quat_mul(back, rotation));
        float* row = scratch->rows[key];
        for (int i = 0; i < 3; ++i)
        {
            row[i] = rotations > 0 ? pelt_vec3_component(vector, i) : row[i];
            row[rotations + i] =
                positions > 0 ? pelt_vec3_component(position, i) : row[rotations + i];
        }
        for (int i = 0; i < stretches; ++i)
        {
            row[rotations + positions + i] = fixed->stretch[i];
        }
    }
    if (parts->is_rotating)
    {
        parts->has_rotation_axes = pelti_component_axes(
            &parts->rotation_axes, &parts->rotation_axes_word, scratch, 0, key_count);
    }
    if (parts->is_moving)
    {
        parts->has_axes =
            pelti_component_axes(&parts->axes, &parts->axes_word, scratch, rotations, key_count);
    }
    pelti_component_ranges(plans, count, scratch, key_count);
    for (int i = 0; i < count; ++i)
    {
        // A hinge rotates about one axis: the other components are 0 in every key.
        uint32_t word = pelti_component_word(plans[i].low, plans[i].high, 0, plans[i].scale);
        bool is_kept = pelti_component_read(word, plans[i].scale).low == plans[i].low;
        plans[i].is_constant = plans[i].is_constant || (plans[i].low == plans[i].high && is_kept);
    }
    return count;
}

static uint32_t encode_pose(uint32_t* record, pelti_key_writer* writer,
                            pelti_record_scratch* scratch, const pelti_code_job* job,
                            const pelti_quality* quality, uint32_t joint)
{
    const pelti_samples* samples = job->samples;
    pelt_vec3 pivot = job->plan->pivots[joint];
    for (uint32_t i = 0; i < samples->count; ++i)
    {
        scratch->open_poses[i] = pelti_joint_pose_of(&scratch->open[i], pivot);
        scratch->poses[i] = job->plan->parents[joint] == PELT_NONE
                                ? scratch->open_poses[i]
                                : pelti_joint_pose_of(&scratch->targets[i], pivot);
    }
    const double* shrinking = pelti_parent_shrinking(scratch, job, joint);
    pelti_joint_poses_fill(scratch->open_poses, shrinking, samples->count);
    pelti_joint_poses_fill(scratch->poses, shrinking, samples->count);
    pose_parts parts = find_parts(scratch, job, quality, joint);
    if (!parts.has_rotation && !parts.has_position && parts.stretch == 0)
    {
        return 0;
    }
    pelti_component_plan plans[12 + PATH_COMPONENTS];
    int count = plan_pose(plans, &parts, scratch, job, joint), path_count = 0;
    if (quality->has_path && (parts.is_rotating || parts.is_moving))
    {
        for (uint32_t key = 0; key < samples->key_count; ++key)
        {
            scratch->decoded[key] = scratch->poses[samples->key_samples[key]];
        }
        path_residue residue = fit_paths(scratch, job, &parts);
        plan_paths(plans + count, scratch, job, joint, quality->path_weight);
        path_count = PATH_COMPONENTS;
        // The height of the parabola need not be exact where it does not fit the path.
        for (int i = 0; i < PATH_COMPONENTS; ++i)
        {
            pelti_component_plan* plan = &plans[count + i];
            plan->enough =
                useful_rounding * plan->reach * (i < 3 ? residue.rotation : residue.position);
        }
    }
    pelti_component_widths(plans, count + path_count, quality, joint);

    size_t first_bit = writer->bit;
    uint32_t* word = record + 1;
    record[0] = (parts.has_reference ? (uint32_t)PELTI_RECORD_REFERENCE : 0) |
                (parts.has_rotation ? (uint32_t)PELTI_RECORD_ROTATION : 0) |
                (parts.has_position ? (uint32_t)PELTI_RECORD_POSITION : 0) |
                (parts.has_rotation_axes ? (uint32_t)PELTI_RECORD_ROTATION_AXES : 0) |
                (parts.has_axes ? (uint32_t)PELTI_RECORD_POSITION_AXES : 0) | parts.stretch;
    if (parts.has_reference)
    {
        *word++ = parts.reference_word;
    }
    if (parts.has_rotation_axes)
    {
        *word++ = parts.rotation_axes_word;
    }
    if (parts.has_axes)
    {
        *word++ = parts.axes_word;
    }
    word = pelti_components_write(word, writer, scratch, plans, count);
    if (path_count > 0)
    {
        read_decoded(scratch, job, record, writer, first_bit, joint);
        fit_paths(scratch, job, &parts);
        word = write_paths(word, record, writer, scratch, plans + count, job, joint);
    }
    // All joints have keys of the same size, so the offset follows from the index of the joint.
    if (quality->key_bits > 0 && writer->bit > first_bit)
    {
        writer->bit = first_bit + quality->key_bits;
    }
    return (uint32_t)(word - record);
}

// The twelve numbers of a matrix, each in its own bounds.
static uint32_t encode_matrix(uint32_t* record, pelti_key_writer* writer,
                              pelti_record_scratch* scratch, const pelti_code_job* job,
                              const pelti_quality* quality, uint32_t joint)
{
    uint32_t key_count = job->samples->key_count;
    const pelti_reach* reach = &scratch->reaches[joint];
    pelti_component_plan plans[12];
    for (uint32_t key = 0; key < key_count; ++key)
    {
        const pelt_mat34* motion = &scratch->targets[job->samples->key_samples[key]];
        pelt_vec3 position = pelt_mat34_point(motion, job->plan->pivots[joint]);
        for (int i = 0; i < 12; ++i)
        {
            scratch->rows[key][i] =
                i < 9 ? motion->m[i / 3][i % 3] : pelt_vec3_component(position, i - 9);
        }
    }
    for (int i = 0; i < 12; ++i)
    {
        plans[i] = (pelti_component_plan){.reach = i < 9 ? reach->stretch : reach->position,
                                          .scale = i < 9 ? job->stretch_unit : job->unit};
    }
    pelti_component_ranges(plans, 12, scratch, key_count);
    pelti_component_widths(plans, 12, quality, joint);
    record[0] = PELTI_RECORD_MATRIX;
    return (uint32_t)(pelti_components_write(record + 1, writer, scratch, plans, 12) - record);
}

// The eight numbers of a dual quaternion, each in its own bounds, and the stretch if there is one.
static uint32_t encode_dual(uint32_t* record, pelti_key_writer* writer,
                            pelti_record_scratch* scratch, const pelti_code_job* job,
                            const pelti_quality* quality, uint32_t joint)
{
    const pelti_samples* samples = job->samples;
    const pelti_reach* reach = &scratch->reaches[joint];
    pelti_component_plan plans[8 + 6];
    pose_parts parts = {0};
    for (uint32_t i = 0; i < samples->count; ++i)
    {
        scratch->poses[i] = pelti_joint_pose_of(&scratch->targets[i], job->plan->pivots[joint]);
    }
    pelti_joint_poses_fill(scratch->poses, NULL, samples->count);
    find_stretch(&parts, scratch->poses, samples->count,
                 pelti_still_distance(job, quality) / fmax((double)reach->stretch, 1e-30));
    int stretches = parts.stretch == PELTI_RECORD_UNIFORM ? 1 : parts.stretch != 0 ? 6 : 0;
    pelt_quat before = pelt_quat_identity();
    for (uint32_t key = 0; key < samples->key_count; ++key)
    {
        const pelti_joint_pose* pose = &scratch->poses[samples->key_samples[key]];
        float sign = pelt_quat_dot(before, pose->rotation) < 0.0f ? -1.0f : 1.0f;
        before = pelt_quat_scale(pose->rotation, sign);
        pelt_dquat dual = pelt_dquat_make(before, pose->position);
        memcpy(scratch->rows[key], &dual, sizeof dual);
        for (int i = 0; i < stretches; ++i)
        {
            scratch->rows[key][8 + i] = pose->stretch[i];
        }
    }
    for (int i = 0; i < 8 + stretches; ++i)
    {
        bool is_stretch = i >= 8, is_real = i < 4;
        plans[i] = (pelti_component_plan){.reach = is_real      ? 2.0f * reach->rotation
                                                   : is_stretch ? reach->stretch
                                                                : 2.0f * reach->position,
                                          .scale = is_real      ? 1.0f
                                                   : is_stretch ? job->stretch_unit
                                                                : job->unit,
                                          .is_constant = is_stretch && !parts.is_stretching};
    }
    pelti_component_ranges(plans, 8 + stretches, scratch, samples->key_count);
    pelti_component_widths(plans, 8 + stretches, quality, joint);
    record[0] = PELTI_RECORD_DUAL | parts.stretch;
    return (uint32_t)(pelti_components_write(record + 1, writer, scratch, plans, 8 + stretches) -
                      record);
}

uint32_t pelti_record_encode(uint32_t* record, pelti_key_writer* writer,
                             pelti_record_scratch* scratch, const pelti_code_job* job,
                             const pelti_quality* quality, uint32_t joint)
{
    switch (job->encoding)
    {
    case PELT_ENCODING_MATRIX:
        return encode_matrix(record, writer, scratch, job, quality, joint);
    case PELT_ENCODING_DQ:
        return encode_dual(record, writer, scratch, job, quality, joint);
    default:
        return encode_pose(record, writer, scratch, job, quality, joint);
    }
}

// ---------------------------------------------------------------------------------------------
// Components

void pelti_component_ranges(pelti_component_plan* plans, int count,
                            const pelti_record_scratch* scratch, uint32_t key_count)
{
    for (int i = 0; i < count; ++i)
    {
        pelti_component_plan* plan = &plans[i];
        plan->widest = PELTI_WIDTH_MAX;
        plan->low = plan->high = scratch->rows[0][i];
        for (uint32_t key = 1; key < key_count; ++key)
        {
            plan->low = fminf(plan->low, scratch->rows[key][i]);
            plan->high = fmaxf(plan->high, scratch->rows[key][i]);
        }
        uint32_t word = pelti_component_word(plan->low, plan->high, 1, plan->scale);
        plan->range = pelti_component_read(word, plan->scale).range;
    }
}

// The rounding error of a component with a width, in meters at the vertices.
static double rounding(const pelti_component_plan* plan, uint32_t width)
{
    double range = (double)plan->high - (double)plan->low;
    range = width > 0 && plan->range > 0.0f ? (double)plan->range : range;
    return ldexp(range * (double)plan->reach, -(int)width - 1);
}

// Greedy: each bit goes to the component with the largest error.
static void share_bits(pelti_component_plan* plans, int count, uint32_t bits)
{
    for (; bits > 0; --bits)
    {
        pelti_component_plan* worst = NULL;
        for (int i = 0; i < count; ++i)
        {
            double error = rounding(&plans[i], plans[i].width);
            bool has_use = !plans[i].is_constant && plans[i].width < plans[i].widest &&
                           error > (double)plans[i].enough;
            if (has_use && (worst == NULL || error > rounding(worst, worst->width)))
            {
                worst = &plans[i];
            }
        }
        if (worst == NULL)
        {
            return;
        }
        ++worst->width;
    }
}

void pelti_component_widths(pelti_component_plan* plans, int count, const pelti_quality* quality,
                            uint32_t joint)
{
    if (quality->key_bits > 0)
    {
        share_bits(plans, count, quality->key_bits);
        return;
    }
    double factor = quality->joint_factors != NULL ? (double)quality->joint_factors[joint] : 1.0;
    for (int i = 0; i < count; ++i)
    {
        if (plans[i].is_constant)
        {
            continue;
        }
        if (!(quality->tolerance > 0.0))
        {
            uint32_t bits = quality->value_bits;
            plans[i].width = bits == 32               ? (uint32_t)PELTI_WIDTH_FLOAT
                             : bits < plans[i].widest ? bits
                                                      : plans[i].widest;
            while (plans[i].enough > 0.0f && plans[i].width > 0 &&
                   rounding(&plans[i], plans[i].width - 1) <= (double)plans[i].enough)
            {
                --plans[i].width;
            }
            continue;
        }
        while (plans[i].width < plans[i].widest &&
               rounding(&plans[i], plans[i].width) > factor * quality->tolerance)
        {
            ++plans[i].width;
        }
    }
}

uint32_t* pelti_components_write(uint32_t* word, pelti_key_writer* writer,
                                 const pelti_record_scratch* scratch,
                                 const pelti_component_plan* plans, int count)
{
    for (int i = 0; i < count; ++i)
    {
        const pelti_component_plan* plan = &plans[i];
        *word = pelti_component_word(plan->low, plan->high, plan->width, plan->scale);
        pelti_component component = pelti_component_read(*word, plan->scale);
        uint32_t bits = pelti_component_bits(*word++);
        for (uint32_t key = 0; bits > 0 && key < writer->key_count; ++key)
        {
            uint32_t value = pelti_component_quantize(&component, scratch->rows[key][i]);
            pelti_bits_write(writer->keys + (size_t)key * writer->key_words, writer->bit, bits,
                             value);
        }
        writer->bit += bits;
    }
    return word;
}

// ---------------------------------------------------------------------------------------------
// Axes

// The extent of three columns of the rows along their axes, as a volume.
static double box_volume(const pelti_record_scratch* scratch, int column, uint32_t key_count,
                         pelt_quat back)
{
    pelt_bounds bounds = pelt_bounds_empty();
    for (uint32_t key = 0; key < key_count; ++key)
    {
        const float* row = scratch->rows[key] + column;
        pelt_vec3 v = pelt_quat_rotate(back, pelt_vec3_make(row[0], row[1], row[2]));
        pelt_bounds_add(&bounds, &v, 1);
    }
    pelt_vec3 extent = pelt_vec3_sub(bounds.max, bounds.min);
    // An extent below 1/1000 of the longest needs almost no bits.
    double longest = (double)fmaxf(extent.x, fmaxf(extent.y, extent.z)), thin = 1e-3 * longest;
    return fmax((double)extent.x, thin) * fmax((double)extent.y, thin) *
           fmax((double)extent.z, thin);
}

bool pelti_component_axes(pelt_quat* axes, uint32_t* word, pelti_record_scratch* scratch,
                          int column, uint32_t key_count)
{
    double mean[3] = {0}, spread[3][3] = {{0}}, values[3], vectors[3][3];
    for (uint32_t key = 0; key < key_count; ++key)
    {
        for (int i = 0; i < 3; ++i)
        {
            mean[i] += (double)scratch->rows[key][column + i] / key_count;
        }
    }
    for (uint32_t key = 0; key < key_count; ++key)
    {
        const float* row = scratch->rows[key] + column;
        for (int i = 0; i < 9; ++i)
        {
            spread[i / 3][i % 3] +=
                ((double)row[i / 3] - mean[i / 3]) * ((double)row[i % 3] - mean[i % 3]);
        }
    }
    pelti_eigen_symmetric3(values, vectors, spread);
    pelt_mat3 rotation;
    for (int i = 0; i < 9; ++i)
    {
        rotation.m[i / 3][i % 3] = (float)vectors[i / 3][i % 3];
    }
    float sign = pelt_mat3_determinant(&rotation) < 0.0f ? -1.0f : 1.0f;
    for (int i = 0; i < 3; ++i)
    {
        rotation.m[i][2] *= sign;
    }
    *word = pelti_reference_word(pelt_quat_from_mat3(&rotation));
    *axes = pelti_reference_read(*word);
    pelt_quat back = pelt_quat_conjugate(*axes);
    double before = box_volume(scratch, column, key_count, pelt_quat_identity());
    double after = box_volume(scratch, column, key_count, back);
    // Bits saved in all keys, compared with those of the word.
    if (!(log2(before / after) * key_count > 48.0))
    {
        *axes = pelt_quat_identity();
        return false;
    }
    for (uint32_t key = 0; key < key_count; ++key)
    {
        float* row = scratch->rows[key] + column;
        pelt_vec3 v = pelt_quat_rotate(back, pelt_vec3_make(row[0], row[1], row[2]));
        row[0] = v.x;
        row[1] = v.y;
        row[2] = v.z;
    }
    return true;
}
