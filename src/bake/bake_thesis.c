// SPDX-License-Identifier: MIT
// The layout of the animation texture thesis (2021), sections 3.4 and 3.5: 8 bits for each number,
// positions relative to a box for each joint or one of all vertices, one column for each key.
#include "../base/exact.h"

#include "bake_work.h"

#include "../baked/baked_decode.h"
#include "bake_record.h"

#include <string.h>

pelt_result pelti_thesis_check(pelt_bake_options* inout, pelt_error* error)
{
    inout->bits = inout->bits == 0 ? 8 : inout->bits;
    inout->texel = inout->texel == PELT_TEXEL_AUTO ? PELT_TEXEL_RGBA8UI : inout->texel;
    if (inout->encoding == PELT_ENCODING_QT || inout->encoding == PELT_ENCODING_LOCAL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "the thesis layout has encodings matrix, dq and vertex, not %s",
                              pelt_encoding_name(inout->encoding));
    }
    inout->has_mesh_bounds = inout->encoding == PELT_ENCODING_VERTEX;
    if (inout->bits != 8 || inout->texel != PELT_TEXEL_RGBA8UI)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "the thesis layout has 8 bits for each number, in texels rgba8ui");
    }
    return !inout->has_budget
               ? PELT_OK
               : pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                "the thesis layout has one size: a budget of error or bytes has "
                                "no effect on it");
}

// ---------------------------------------------------------------------------------------------
// Times and pivots

pelt_result pelti_thesis_times(pelti_clip_times* inout, const pelt_bake_options* options,
                               pelt_error* error)
{
    double interval = 0.0, end = inout->runs[inout->run_count - 1].end;
    for (uint32_t i = 0; i < inout->run_count && interval == 0.0; ++i)
    {
        const pelti_run_times* run = &inout->runs[i];
        interval = run->intervals > 0 ? (run->end - run->start) / run->intervals : 0.0;
    }
    double intervals = inout->runs[0].intervals;
    if (!inout->wraps)
    {
        // Times are exact to a fiftieth of an interval.
        intervals = interval > 0.0 ? ceil(end / interval - 0.02) : 0.0;
    }
    if (intervals >= fmin(options->max_size, PELTI_THESIS_FRAMES_MAX))
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "the clip lasts %.0f intervals of keys, which take a column each in "
                              "the thesis layout, and %u are allowed; bake at a lower rate",
                              intervals, options->max_size);
    }
    inout->run_count = 1;
    inout->runs[0] =
        (pelti_run_times){.end = intervals * interval, .intervals = (uint32_t)intervals};
    return PELT_OK;
}

static float nearest(float value, float low, float high)
{
    return fminf(fmaxf(floorf(value + 0.5f), low), high);
}

// The texel of a pivot, in steps. With a pivot near the joint, rounding of a rotation moves
// vertices little. It need not be exact, because decoders use the same pivot.
static uint32_t pivot_word(pelt_vec3 pivot, float unit)
{
    const float axes[3] = {pivot.x, pivot.y, pivot.z};
    uint32_t word = 0;
    for (uint32_t i = 0; i < 3; ++i)
    {
        float steps = nearest(axes[i] / (PELTI_THESIS_PIVOT_STEP * unit), -127.0f, 127.0f);
        word |= (uint32_t)(steps + 128.0f) << 8 * i;
    }
    return word;
}

static pelt_vec3 pivot_of(const pelti_bake_joint* joint, float unit)
{
    return pelti_thesis_pivot(pivot_word(joint->origin, unit), unit);
}

// Whether no pivot is ever farther from the origin than 254 units: centers and bounds fit then, and
// so do dual parts, which are half as long.
static bool fits_unit(const pelti_bake_source* source, const pelti_samples* samples, float unit)
{
    for (uint32_t joint = 0; joint < source->joint_count; ++joint)
    {
        pelt_vec3 pivot = pivot_of(&source->joints[joint], unit);
        for (uint32_t key = 0; key < samples->key_count; ++key)
        {
            size_t at = (size_t)samples->key_samples[key] * source->joint_count + joint;
            if (pelt_vec3_length(pelt_mat34_point(&samples->motions[at], pivot)) > 254.0f * unit)
            {
                return false;
            }
        }
    }
    return true;
}

float pelti_thesis_plan(pelti_bake_plan* inout, const pelti_bake_source* source,
                        const pelti_samples* samples)
{
    // Centimeters for a character as tall as a human.
    int exponent;
    frexpf(source->size / 2.55f, &exponent);
    float unit = ldexpf(0.01f, exponent);
    while (isfinite(2.0f * unit) && !fits_unit(source, samples, unit))
    {
        unit *= 2.0f;
    }
    for (uint32_t joint = 0; joint < source->joint_count; ++joint)
    {
        inout->pivots[joint] = pivot_of(&source->joints[joint], unit);
    }
    return unit;
}

// ---------------------------------------------------------------------------------------------
// Bytes

// Writes the rows of one joint.
typedef struct joint_writer
{
    const pelt_baked* baked;
    uint32_t* words;
    uint32_t joint;
    float (*rows)[12]; // values of each key
} joint_writer;

static pelti_thesis_size size_of(const pelt_baked* baked, uint32_t key_count)
{
    return (pelti_thesis_size){.key_count = key_count,
                               .joint_count = baked->joint_count,
                               .width = baked->width,
                               .encoding = baked->encoding};
}

static uint32_t* texel_at(const joint_writer* writer, uint32_t row, uint32_t column)
{
    size_t rows =
        PELTI_THESIS_HEAD_ROWS + (size_t)pelti_thesis_rows(writer->baked->encoding) * writer->joint;
    return writer->words + (rows + row) * writer->baked->width + column;
}

// The numbers of a motion at all keys. Dual quaternions are in the hemisphere of the key before.
static void find_values(const joint_writer* writer, const pelti_samples* samples)
{
    const pelt_baked* baked = writer->baked;
    pelt_vec3 pivot = baked->joints[writer->joint].pivot;
    pelt_quat before = pelt_quat_identity();
    for (uint32_t key = 0; key < samples->key_count; ++key)
    {
        const pelt_mat34* motion = samples->motions +
                                   (size_t)samples->key_samples[key] * baked->joint_count +
                                   writer->joint;
        pelti_joint_pose pose = pelti_joint_pose_of(motion, pivot);
        float sign = pelt_quat_dot(before, pose.rotation) < 0.0f ? -1.0f : 1.0f;
        before = pelt_quat_scale(pose.rotation, sign);
        pelt_dquat dual = pelt_dquat_make(before, pose.position);
        float parts[8];
        memcpy(parts, &dual, sizeof parts);
        for (int i = 0; i < 12; ++i)
        {
            float matrix =
                i < 9 ? motion->m[i / 3][i % 3] : pelt_vec3_component(pose.position, i - 9);
            float part = i < 8 ? parts[i] : 0.0f;
            writer->rows[key][i] = baked->encoding == PELT_ENCODING_MATRIX ? matrix : part;
        }
    }
}

// Write the exponent of a joint: the largest number of its matrices exceeds this power of two by at
// most half a step.
static void write_stretch(const joint_writer* writer, uint32_t key_count)
{
    float largest = 0.0f;
    for (uint32_t i = 0; i < 9 * key_count; ++i)
    {
        largest = fmaxf(largest, fabsf(writer->rows[i / 9][i % 9]));
    }
    uint32_t exponent = 0;
    while (exponent < PELTI_THESIS_STRETCH_MAX && largest > ldexpf(127.5f / 127.0f, (int)exponent))
    {
        ++exponent;
    }
    const pelti_thesis_size size = size_of(writer->baked, key_count);
    writer->words[pelti_thesis_pivot_index(writer->joint, &size)] |= exponent << 24;
}

// The bytes of one axis of a box, from low to high in units: the center, rounded, then bounds that
// enclose all values. Dual quaternions have whole units.
// @return number of bytes
static uint32_t make_dual_axis(uint32_t bytes[4], float low, float high)
{
    float center = nearest(0.5f * (low + high), -128.0f, 127.0f);
    bytes[0] = (uint32_t)(center + 128.0f);
    bytes[1] = (uint32_t)fminf(ceilf(fmaxf(high - center, center - low)), 255.0f);
    return 2;
}

// Matrices have whole units and fractions. The sign of a center is that of its fraction, which is
// 127 steps of 127 rather than 0 where it is negative.
static uint32_t make_matrix_axis(uint32_t bytes[4], float low, float high)
{
    float center = 0.5f * (low + high);
    uint32_t steps = (uint32_t)nearest(127.0f * fabsf(center), 0.0f, 127.0f * 256.0f);
    bool is_negative = center < 0.0f && steps > 0;
    uint32_t whole = steps / 127;
    whole -= whole > 255 || (is_negative && steps % 127 == 0) ? 1 : 0;
    uint32_t fraction = steps - 127 * whole;
    center = (float)whole + (float)fraction / 127.0f;
    center = is_negative ? -center : center;
    float bounds = fmaxf(fmaxf(high - center, center - low), 0.0f);
    uint32_t parts = (uint32_t)fminf(ceilf(255.0f * bounds), 255.0f * 256.0f);
    bytes[0] = whole;
    bytes[1] = is_negative ? 128 - fraction : 128 + fraction;
    bytes[2] = parts / 255 > 255 ? 255 : parts / 255;
    bytes[3] = parts - 255 * bytes[2];
    return 4;
}

static void write_axis(const joint_writer* writer, uint32_t axis, float low, float high)
{
    float unit = writer->baked->unit;
    bool is_matrix = writer->baked->encoding == PELT_ENCODING_MATRIX;
    uint32_t bytes[4], axes = is_matrix ? 3 : 4;
    uint32_t count = is_matrix ? make_matrix_axis(bytes, low / unit, high / unit)
                               : make_dual_axis(bytes, low / unit, high / unit);
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t at = i * axes + axis;
        *texel_at(writer, at / 4, 0) |= bytes[i] << 8 * (at % 4);
    }
}

static void write_box(const joint_writer* writer, uint32_t key_count)
{
    for (uint32_t i = 0; i < 4 * pelti_thesis_rows(writer->baked->encoding); ++i)
    {
        pelti_thesis_channel at = pelti_thesis_channel_of(i, writer->baked->encoding);
        float low = writer->rows[0][i], high = low;
        for (uint32_t key = 1; key < key_count && at.axis != PELT_NONE; ++key)
        {
            low = fminf(low, writer->rows[key][i]);
            high = fmaxf(high, writer->rows[key][i]);
        }
        if (at.axis != PELT_NONE)
        {
            write_axis(writer, at.axis, low, high);
        }
    }
}

static void write_keys(const joint_writer* writer, uint32_t key_count)
{
    const pelt_baked* baked = writer->baked;
    const pelti_key_pair pair = {.encoding = baked->encoding,
                                 .table = writer->words,
                                 .unit = baked->unit,
                                 .row_words = baked->width};
    pelti_thesis_box box = pelti_thesis_read_box(&pair, writer->joint);
    for (uint32_t key = 0; key < key_count; ++key)
    {
        for (uint32_t i = 0; i < 4 * pelti_thesis_rows(baked->encoding); ++i)
        {
            pelti_thesis_channel at = pelti_thesis_channel_of(i, baked->encoding);
            bool is_rotation = at.axis == PELT_NONE;
            float center = is_rotation ? 0.0f : box.center[at.axis];
            float bounds = is_rotation ? box.stretch : box.bounds[at.axis];
            float value = bounds > 0.0f ? (writer->rows[key][i] - center) / bounds : 0.0f;
            float steps = nearest(127.0f * value, -127.0f, 127.0f);
            *texel_at(writer, at.row, PELTI_THESIS_FIRST_KEY + key) |= (uint32_t)(steps + 128.0f)
                                                                       << 8 * at.channel;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Vertices

// Bounds of an axis in units: no number of steps exceeds 127 of them.
static void find_axis(float* center, float* bounds, float low, float high)
{
    *center = 0.5f * (low + high);
    *bounds = fmaxf(high - *center, *center - low);
}

static uint32_t value_word(const float values[3])
{
    uint32_t word = 0;
    for (uint32_t i = 0; i < 3; ++i)
    {
        word |= (uint32_t)(nearest(127.0f * values[i], -127.0f, 127.0f) + 128.0f) << 8 * i;
    }
    return word;
}

static pelt_vec3 offset_of(uint32_t word, const float box[6], float unit)
{
    float axes[3];
    for (uint32_t i = 0; i < 3; ++i)
    {
        axes[i] = unit * (box[i] + box[3 + i] * ((float)(word >> 8 * i & 255) - 128.0f) / 127.0f);
    }
    return pelt_vec3_make(axes[0], axes[1], axes[2]);
}

// The column of a key: positions, then normals.
static void write_vertices(uint32_t* column, pelt_bounds* bounds, const pelti_vertex_clip* clip,
                           uint32_t key, const float box[6])
{
    const pelti_unique_vertices* unique = &clip->work->unique;
    float unit = clip->work->job.unit;
    *bounds = pelt_bounds_empty();
    for (uint32_t i = 0; i < unique->count; ++i)
    {
        pelt_vec3 offset = clip->offsets[(size_t)key * unique->count + i];
        float values[3];
        for (int k = 0; k < 3; ++k)
        {
            float value = pelt_vec3_component(offset, k) / unit - box[k];
            values[k] = box[3 + k] > 0.0f ? value / box[3 + k] : 0.0f;
        }
        column[i] = value_word(values);
        pelt_vec3 position = pelt_vec3_add(unique->firsts[i].rest, offset_of(column[i], box, unit));
        pelt_bounds_add(bounds, &position, 1);
        if (unique->has_normals)
        {
            pelt_vec3 n = pelti_vertex_clip_normal(clip, key, i);
            column[unique->count + i] = value_word((float[3]){n.x, n.y, n.z});
        }
    }
}

pelt_result pelti_thesis_encode(pelti_bake_clip* out, pelti_vertex_clip* clip)
{
    const pelti_unique_vertices* unique = &clip->work->unique;
    uint32_t key_count = out->samples.key_count;
    uint32_t rows = pelti_thesis_vertex_rows(unique->count, unique->has_normals);
    pelti_code* code = &out->found.code;
    *code = (pelti_code){
        .key_count = key_count, .key_words = rows, .table_words = PELTI_THESIS_BOX_ROWS};
    code->table = pelt_arena_alloc(out->arena, code->table_words, sizeof *code->table);
    code->keys = pelt_arena_alloc(out->arena, (size_t)rows * key_count, sizeof *code->keys);
    pelt_bounds* bounds = pelt_arena_alloc(out->arena, key_count, sizeof *bounds);
    out->key_bounds = bounds;
    if (code->table == NULL || code->keys == NULL || bounds == NULL)
    {
        pelti_bake_keep_result(clip->work, PELT_ERROR_MEMORY);
        return PELT_ERROR_MEMORY;
    }
    float box[6], unit = clip->work->job.unit;
    code->table[0] = unique->count | (unique->has_normals ? PELTI_THESIS_NORMALS : 0);
    for (int i = 0; i < 3; ++i)
    {
        find_axis(&box[i], &box[3 + i], pelt_vec3_component(clip->ranges->min, i) / unit,
                  pelt_vec3_component(clip->ranges->max, i) / unit);
    }
    for (uint32_t i = 0; i < 6; ++i)
    {
        code->table[1 + i] = pelti_float_word(box[i]);
    }
    for (uint32_t key = 0; key < key_count; ++key)
    {
        write_vertices(code->keys + (size_t)key * rows, &bounds[key], clip, key, box);
    }
    return PELT_OK;
}

// Columns of the texture from the keys of a code.
static void write_columns(uint32_t* words, uint32_t width, const pelti_code* code)
{
    uint32_t* below = words + (size_t)PELTI_THESIS_HEAD_ROWS * width;
    for (size_t row = 0; row < code->table_words; ++row)
    {
        below[row * width] = code->table[row];
    }
    for (uint32_t key = 0; key < code->key_count; ++key)
    {
        for (size_t row = 0; row < code->key_words; ++row)
        {
            below[row * width + PELTI_THESIS_FIRST_KEY + key] =
                code->keys[(size_t)key * code->key_words + row];
        }
    }
}

// ---------------------------------------------------------------------------------------------

// A texture of vertices has no joints.
static uint32_t joint_count_in(const pelt_baked* baked)
{
    return baked->encoding == PELT_ENCODING_VERTEX ? 0 : baked->joint_count;
}

static void write_head(uint32_t* words, const pelt_baked* baked, bool is_padded)
{
    const pelt_baked_clip* clip = &baked->clips[0];
    uint32_t joint_count = joint_count_in(baked);
    words[0] = clip->key_count | joint_count << 16 | (clip->wraps ? PELTI_THESIS_WRAPS : 0) |
               (is_padded ? PELTI_THESIS_PADDED : 0);
    words[1] = pelti_float_word(baked->unit);
    words[baked->width] = pelti_float_word(clip->runs[0].rate);
    words[baked->width + 1] = pelti_float_word(clip->duration);
    const pelti_thesis_size size = size_of(baked, clip->key_count);
    for (uint32_t joint = 0; joint < joint_count; ++joint)
    {
        words[pelti_thesis_pivot_index(joint, &size)] =
            pivot_word(baked->joints[joint].pivot, baked->unit);
    }
}

// The size of a texture, and memory for it.
// @param rows  below the head
static pelt_result allocate_words(uint32_t** out, pelt_baked* inout, uint64_t rows,
                                  const pelt_bake_options* options, pelt_error* error)
{
    uint32_t key_count = inout->clips[0].key_count, joint_count = joint_count_in(inout);
    uint64_t width =
        pelti_thesis_extent(pelti_thesis_columns(key_count, joint_count), options->is_padded);
    uint64_t height = pelti_thesis_extent(PELTI_THESIS_HEAD_ROWS + rows, options->is_padded);
    bool has_vertices = inout->encoding == PELT_ENCODING_VERTEX;
    if (width > options->max_size || height > options->max_size ||
        joint_count > PELTI_THESIS_JOINTS_MAX)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "%u keys of %u %s take %llu x %llu texels in the thesis layout, "
                              "and %u x %u are allowed",
                              key_count, has_vertices ? inout->vertex_count : joint_count,
                              has_vertices ? "vertices" : "joints", (unsigned long long)width,
                              (unsigned long long)height, options->max_size, options->max_size);
    }
    inout->width = (uint32_t)width;
    inout->height = (uint32_t)height;
    *out = pelt_arena_alloc(inout->arena, (size_t)(width * height), sizeof **out);
    inout->words = *out;
    return *out != NULL ? PELT_OK : pelt_error_memory(error);
}

static pelt_result write_joints(pelt_baked* inout, uint32_t* words, const pelti_samples* samples)
{
    joint_writer writer = {.baked = inout,
                           .words = words,
                           .rows = pelt_allocate(samples->key_count, sizeof *writer.rows)};
    if (writer.rows == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (; writer.joint < inout->joint_count; ++writer.joint)
    {
        find_values(&writer, samples);
        if (inout->encoding == PELT_ENCODING_MATRIX)
        {
            write_stretch(&writer, samples->key_count);
        }
        write_box(&writer, samples->key_count);
        write_keys(&writer, samples->key_count);
    }
    pelt_release(writer.rows);
    return PELT_OK;
}

pelt_result pelti_thesis_write(pelt_baked* inout, pelt_baked_run* run, const pelti_bake_clip* clip,
                               const pelt_bake_options* options, pelt_error* error)
{
    const pelti_code* code = &clip->found.code;
    bool has_vertices = inout->encoding == PELT_ENCODING_VERTEX;
    uint64_t rows =
        has_vertices ? (code->key_words > code->table_words ? code->key_words : code->table_words)
                     : (uint64_t)pelti_thesis_rows(inout->encoding) * inout->joint_count;
    uint32_t* words;
    PELT_TRY(allocate_words(&words, inout, rows, options, error));
    run->first_word = PELTI_THESIS_FIRST_KEY;
    run->key_words = 1;
    run->table = 0;
    write_head(words, inout, options->is_padded);
    if (has_vertices)
    {
        write_columns(words, inout->width, code);
        return PELT_OK;
    }
    return write_joints(inout, words, &clip->samples) == PELT_OK ? PELT_OK
                                                                 : pelt_error_memory(error);
}
