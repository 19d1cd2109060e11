// SPDX-License-Identifier: MIT
// Decodes an animation texture on the CPU, as docs/texture_format.md defines it.
#include "../base/exact.h"

#include "baked_decode.h"

// ---------------------------------------------------------------------------------------------
// Time

pelti_key_time pelti_clip_at(const pelt_baked_clip* clip, float time, pelt_wrap wrap)
{
    float t = fminf(fmaxf(time, 0.0f), clip->duration);
    if (wrap == PELT_WRAP_LOOP)
    {
        t = clip->duration > 0.0f ? time - floorf(time / clip->duration) * clip->duration : 0.0f;
    }
    const pelt_baked_run* run = clip->runs;
    for (uint32_t i = 1; i < clip->run_count && clip->runs[i].start <= t; ++i)
    {
        run = &clip->runs[i];
    }
    uint32_t count = run->key_count, last = count - 1;
    float x = fminf(fmaxf((t - run->start) * run->rate, 0.0f), (float)(clip->wraps ? count : last));
    uint32_t key = x < (float)last ? (uint32_t)x : last; // 2^32 - 1 is rounded up
    key = key < last ? key : last;
    pelti_key_time at = {.run = run, .key = key, .u = run->is_held ? 0.0f : x - (float)key};
    at.next = clip->wraps ? (key + 1) % count : key < last ? key + 1 : last;
    return at;
}

// ---------------------------------------------------------------------------------------------
// One joint

// Reads components of both keys in the order of a record.
typedef struct record_reader
{
    const pelti_key_pair* pair;
    const uint32_t* word; // next of the record
    size_t bit;           // next of the keys
} record_reader;

static void read_components(float* first, float* second, record_reader* reader, int count,
                            float scale)
{
    for (int i = 0; i < count; ++i)
    {
        uint32_t word = *reader->word++, bits = pelti_component_bits(word);
        pelti_component component = pelti_component_read(word, scale);
        first[i] = pelti_component_value(&component,
                                         pelti_bits_read(reader->pair->key, reader->bit, bits));
        second[i] = pelti_component_value(&component,
                                          pelti_bits_read(reader->pair->next, reader->bit, bits));
        reader->bit += bits;
    }
}

static void blend_components(float* out, record_reader* reader, int count, float scale)
{
    float first[12], second[12], u = reader->pair->u;
    read_components(first, second, reader, count, scale);
    for (int i = 0; i < count; ++i)
    {
        out[i] = (1.0f - u) * first[i] + u * second[i];
    }
}

static pelt_vec3 read_path(record_reader* reader, float scale)
{
    uint32_t word = *reader->word++;
    float axes[3];
    for (int i = 0; i < 3; ++i)
    {
        pelti_path path = pelti_path_read(word, i, scale);
        axes[i] =
            pelti_path_value(&path, pelti_bits_read(reader->pair->key, reader->bit, path.width));
        reader->bit += path.width;
    }
    float u = reader->pair->u;
    return pelt_vec3_scale(pelt_vec3_make(axes[0], axes[1], axes[2]), 4.0f * u * (1.0f - u));
}

// The axes of components: those of the record, if any, else the identity.
static pelt_quat read_axes(record_reader* reader, bool has_axes)
{
    return has_axes ? pelti_reference_read(*reader->word++) : pelt_quat_identity();
}

static pelt_quat rotation_of(pelt_quat reference, pelt_quat axes, const float* values)
{
    pelt_vec3 v = pelt_quat_rotate(axes, pelt_vec3_make(values[0], values[1], values[2]));
    return pelt_quat_mul(reference, pelti_quat_from_vector(v));
}

static void read_stretch(pelti_motion* out, record_reader* reader, uint32_t record)
{
    float unit = reader->pair->stretch_unit;
    if ((record & PELTI_RECORD_STRETCH) == PELTI_RECORD_UNIFORM)
    {
        blend_components(out->stretch, reader, 1, unit);
        out->stretch[1] = out->stretch[2] = out->stretch[0];
    }
    else if (record & PELTI_RECORD_STRETCH)
    {
        blend_components(out->stretch, reader, 6, unit);
    }
}

static void decode_pose(pelti_motion* out, record_reader* reader, uint32_t record)
{
    float unit = reader->pair->unit;
    pelt_quat reference = read_axes(reader, record & PELTI_RECORD_REFERENCE);
    pelt_quat rotation_axes = read_axes(reader, record & PELTI_RECORD_ROTATION_AXES);
    pelt_quat axes = read_axes(reader, record & PELTI_RECORD_POSITION_AXES);
    out->rotation = reference;
    if (record & PELTI_RECORD_ROTATION)
    {
        float first[3], second[3];
        read_components(first, second, reader, 3, 1.0f);
        out->rotation =
            pelt_quat_slerp(rotation_of(reference, rotation_axes, first),
                            rotation_of(reference, rotation_axes, second), reader->pair->u);
    }
    if (record & PELTI_RECORD_POSITION)
    {
        blend_components(&out->position.x, reader, 3, unit);
        out->position = pelt_quat_rotate(axes, out->position);
    }
    read_stretch(out, reader, record);
    if (record & PELTI_RECORD_ROTATION_PATH)
    {
        pelt_vec3 b = pelt_quat_rotate(rotation_axes, read_path(reader, 1.0f));
        pelt_quat correction = {b.x, b.y, b.z, 1.0f};
        out->rotation = pelt_quat_normalize(pelt_quat_mul(out->rotation, correction));
    }
    if (record & PELTI_RECORD_POSITION_PATH)
    {
        pelt_vec3 b = pelt_quat_rotate(axes, read_path(reader, unit));
        out->position = pelt_vec3_add(out->position, b);
    }
}

// Interpolate the directions of columns on the arc between both keys, with linearly interpolated
// lengths: Eq. 7 of the animation texture thesis (2021), applied to columns instead of vertices, so
// that the result is a matrix. Columns more than 90 degrees apart are interpolated linearly.
static void bend_columns(float* blended, const float* first, const float* second, float u)
{
    for (int column = 0; column < 3; ++column)
    {
        pelt_vec3 a = {first[column], first[column + 3], first[column + 6]};
        pelt_vec3 b = {second[column], second[column + 3], second[column + 6]};
        float length = (1.0f - u) * pelt_vec3_length(a) + u * pelt_vec3_length(b);
        a = pelt_vec3_normalize(a);
        b = pelt_vec3_normalize(b);
        float cosine = pelt_vec3_dot(a, b);
        if (cosine < 0.0f)
        {
            continue;
        }
        // As in pelt_quat_slerp(): below this angle, linear interpolation is exact in float.
        float angle = cosine < 0.9995f ? acosf(cosine) : 0.0f;
        float from = angle > 0.0f ? sinf((1.0f - u) * angle) : 1.0f - u;
        float to = angle > 0.0f ? sinf(u * angle) : u;
        pelt_vec3 direction = pelt_vec3_mad(pelt_vec3_scale(a, from), to, b);
        pelt_vec3 bent = pelt_vec3_scale(pelt_vec3_normalize(direction), length);
        blended[column] = bent.x;
        blended[column + 3] = bent.y;
        blended[column + 6] = bent.z;
    }
}

// The linear part by rows, then the position, at both keys.
static void blend_matrix(pelti_motion* out, const float first[12], const float second[12],
                         const pelti_key_pair* pair)
{
    float blended[12], u = pair->u;
    for (int i = 0; i < 12; ++i)
    {
        blended[i] = (1.0f - u) * first[i] + u * second[i];
    }
    if (pair->is_spherical)
    {
        bend_columns(blended, first, second, u);
    }
    for (int i = 0; i < 9; ++i)
    {
        out->linear.m[i / 3][i % 3] = blended[i];
    }
    out->position = pelt_vec3_make(blended[9], blended[10], blended[11]);
}

static void decode_matrix(pelti_motion* out, record_reader* reader)
{
    float first[12], second[12];
    read_components(first, second, reader, 9, reader->pair->stretch_unit);
    read_components(first + 9, second + 9, reader, 3, reader->pair->unit);
    blend_matrix(out, first, second, reader->pair);
}

static pelt_dquat blend_duals(pelt_dquat a, pelt_dquat b, float u)
{
    float weight = pelt_quat_dot(a.real, b.real) < 0.0f ? -u : u;
    return pelt_dquat_normalize(
        pelt_dquat_add(pelt_dquat_scale(a, 1.0f - u), pelt_dquat_scale(b, weight)));
}

// Real part, then dual part, at both keys.
static void blend_dual(pelti_motion* out, const float a[8], const float b[8], float u)
{
    pelt_dquat first = {{a[0], a[1], a[2], a[3]}, {a[4], a[5], a[6], a[7]}};
    pelt_dquat second = {{b[0], b[1], b[2], b[3]}, {b[4], b[5], b[6], b[7]}};
    out->dual = blend_duals(first, second, u);
}

static void decode_dual(pelti_motion* out, record_reader* reader, uint32_t record)
{
    float first[8], second[8];
    read_components(first, second, reader, 4, 1.0f);
    read_components(first + 4, second + 4, reader, 4, reader->pair->unit);
    blend_dual(out, first, second, reader->pair->u);
    read_stretch(out, reader, record);
}

static void decode_thesis(pelti_motion* out, const pelti_key_pair* pair, uint32_t joint)
{
    float first[12], second[12];
    pelti_thesis_box box = pelti_thesis_read_box(pair, joint);
    pelti_thesis_read(first, pair->key, pair, joint, &box);
    pelti_thesis_read(second, pair->next, pair, joint, &box);
    if (pair->encoding == PELT_ENCODING_MATRIX)
    {
        blend_matrix(out, first, second, pair);
    }
    else
    {
        blend_dual(out, first, second, pair->u);
    }
}

pelti_motion pelti_motion_decode(const pelti_key_pair* pair, uint32_t joint, pelt_vec3 pivot)
{
    pelti_motion motion = {.rotation = pelt_quat_identity(),
                           .position = pivot,
                           .stretch = {1.0f, 1.0f, 1.0f, 0.0f, 0.0f, 0.0f},
                           .linear = pelt_mat3_identity(),
                           .dual = pelt_dquat_make(pelt_quat_identity(), pivot)};
    if (pair->row_words > 0)
    {
        decode_thesis(&motion, pair, joint);
        return motion;
    }
    uint32_t offset = pair->table[joint / 2] >> 16 * (joint % 2) & 0xFFFF;
    if (offset == 0)
    {
        return motion;
    }
    const uint32_t* record = pair->table + offset;
    record_reader reader = {pair, record + 1, record[0] & ((1u << PELTI_RECORD_BITS) - 1)};
    switch (record[0] & PELTI_RECORD_KIND)
    {
    case PELTI_RECORD_MATRIX:
        decode_matrix(&motion, &reader);
        break;
    case PELTI_RECORD_DUAL:
        decode_dual(&motion, &reader, record[0]);
        break;
    default:
        decode_pose(&motion, &reader, record[0]);
        break;
    }
    return motion;
}

pelt_mat34 pelti_motion_matrix(const pelti_motion* motion, pelt_encoding encoding, pelt_vec3 pivot)
{
    pelt_mat3 linear = motion->linear;
    pelt_vec3 position = motion->position;
    if (encoding != PELT_ENCODING_MATRIX)
    {
        bool is_dual = encoding == PELT_ENCODING_DQ;
        const float* s = motion->stretch;
        pelt_mat3 stretch = {{{s[0], s[5], s[4]}, {s[5], s[1], s[3]}, {s[4], s[3], s[2]}}};
        pelt_mat3 rotation = pelt_mat3_from_quat(is_dual ? motion->dual.real : motion->rotation);
        linear = pelt_mat3_mul(&rotation, &stretch);
        position = is_dual ? pelt_dquat_translation(motion->dual) : position;
    }
    pelt_vec3 moved = pelt_mat3_vector(&linear, pivot);
    return pelt_mat34_make(&linear, pelt_vec3_sub(position, moved));
}

// ---------------------------------------------------------------------------------------------
// Whole poses

pelti_key_pair pelti_key_pair_of(const pelt_baked* baked, const pelti_key_time* at,
                                 bool is_spherical)
{
    const uint32_t* keys = baked->words + at->run->first_word;
    pelti_key_pair pair = {.encoding = baked->encoding,
                           .table = baked->words + at->run->table,
                           .key = keys + (size_t)at->key * at->run->key_words,
                           .next = keys + (size_t)at->next * at->run->key_words,
                           .u = at->u,
                           .unit = baked->unit,
                           .stretch_unit = baked->stretch_unit,
                           .is_spherical = is_spherical,
                           .row_words =
                               baked->layout == PELT_BAKE_LAYOUT_THESIS ? baked->width : 0};
    return pair;
}

static pelti_key_pair pair_at(const pelt_baked* baked, const pelt_moment* moment, bool is_spherical)
{
    PELT_ASSERT(moment->clip < baked->clip_count);
    pelti_key_time at = pelti_clip_at(&baked->clips[moment->clip], moment->time, moment->wrap);
    return pelti_key_pair_of(baked, &at, is_spherical);
}

static void fade_motion(pelti_motion* motion, const pelti_motion* next, float factor)
{
    motion->rotation = pelt_quat_slerp(motion->rotation, next->rotation, factor);
    motion->position = pelt_vec3_lerp(motion->position, next->position, factor);
    for (int i = 0; i < 6; ++i)
    {
        motion->stretch[i] = (1.0f - factor) * motion->stretch[i] + factor * next->stretch[i];
    }
    for (int i = 0; i < 9; ++i)
    {
        float* value = &motion->linear.m[i / 3][i % 3];
        *value = (1.0f - factor) * *value + factor * next->linear.m[i / 3][i % 3];
    }
    motion->dual = blend_duals(motion->dual, next->dual, factor);
}

static void add_motion(pelti_motion* motion, const pelti_motion* start, const pelti_motion* now,
                       float weight)
{
    pelt_quat change = pelt_quat_mul(pelt_quat_conjugate(start->rotation), now->rotation);
    change = pelt_quat_slerp(pelt_quat_identity(), change, weight);
    motion->rotation = pelt_quat_mul(motion->rotation, change);
    pelt_vec3 step = pelt_vec3_sub(now->position, start->position);
    motion->position = pelt_vec3_mad(motion->position, weight, step);
    for (int i = 0; i < 6; ++i)
    {
        motion->stretch[i] += weight * (now->stretch[i] - start->stretch[i]);
    }
}

void pelt_unbake(pelt_mat34* out, const pelt_baked* baked, const pelt_playback* playback)
{
    PELT_ASSERT(baked->encoding != PELT_ENCODING_VERTEX);
    bool is_spherical = playback->is_spherical;
    bool has_poses = baked->encoding == PELT_ENCODING_QT || baked->encoding == PELT_ENCODING_LOCAL;
    bool is_added = has_poses && playback->additive_weight != 0.0f;
    pelt_moment start = {.clip = playback->additive.clip};
    if (is_added)
    {
        PELT_ASSERT(start.clip < baked->clip_count);
        start.time = baked->clips[start.clip].runs[0].start;
    }
    pelti_key_pair base = pair_at(baked, &playback->base, is_spherical);
    pelti_key_pair next = base, first = base, added = base;
    if (playback->fade != 0.0f)
    {
        next = pair_at(baked, &playback->next, is_spherical);
    }
    if (is_added)
    {
        first = pair_at(baked, &start, false);
        added = pair_at(baked, &playback->additive, false);
    }

    for (uint32_t i = 0; i < baked->joint_count; ++i)
    {
        uint32_t joint = baked->joint_order[i], parent = baked->joints[joint].parent;
        pelt_vec3 pivot = baked->joints[joint].pivot;
        pelti_motion motion = pelti_motion_decode(&base, joint, pivot);
        if (playback->fade != 0.0f)
        {
            pelti_motion to = pelti_motion_decode(&next, joint, pivot);
            fade_motion(&motion, &to, playback->fade);
        }
        if (is_added)
        {
            pelti_motion from = pelti_motion_decode(&first, joint, pivot);
            pelti_motion now = pelti_motion_decode(&added, joint, pivot);
            add_motion(&motion, &from, &now, playback->additive_weight);
        }
        pelt_mat34 matrix = pelti_motion_matrix(&motion, baked->encoding, pivot);
        out[joint] = parent == PELT_NONE ? matrix : pelt_mat34_mul(&out[parent], &matrix);
    }
}

// ---------------------------------------------------------------------------------------------
// The layout of the animation texture thesis (2021)

uint32_t pelti_thesis_rows(pelt_encoding encoding)
{
    return encoding == PELT_ENCODING_MATRIX ? 3 : 2;
}

uint32_t pelti_thesis_vertex_rows(uint32_t vertex_count, bool has_normals)
{
    return has_normals ? 2 * vertex_count : vertex_count;
}

uint64_t pelti_thesis_extent(uint64_t count, bool is_padded)
{
    uint64_t extent = 1;
    while (is_padded && extent < count)
    {
        extent *= 2;
    }
    return is_padded ? extent : count;
}

// Whether the rows above the keys have room for two pivots in each column but the first of them.
static bool has_room_for_pivots(uint32_t key_count, uint32_t joint_count)
{
    return PELTI_THESIS_FIRST_KEY + (joint_count + 1) / 2 <= key_count;
}

uint64_t pelti_thesis_columns(uint32_t key_count, uint32_t joint_count)
{
    return (uint64_t)PELTI_THESIS_FIRST_KEY + key_count +
           !has_room_for_pivots(key_count, joint_count);
}

size_t pelti_thesis_pivot_index(uint32_t joint, const pelti_thesis_size* size)
{
    if (has_room_for_pivots(size->key_count, size->joint_count))
    {
        return (size_t)(joint % 2) * size->width + PELTI_THESIS_FIRST_PIVOT + joint / 2;
    }
    size_t row = PELTI_THESIS_HEAD_ROWS + (size_t)pelti_thesis_rows(size->encoding) * joint;
    return row * size->width + PELTI_THESIS_FIRST_KEY + size->key_count;
}

uint32_t pelti_thesis_pivot_word(const uint32_t* words, uint32_t joint, uint32_t width,
                                 pelt_encoding encoding)
{
    const pelti_thesis_size size = {.key_count = words[0] & 0xFFFF,
                                    .joint_count = words[0] >> 16 & PELTI_THESIS_JOINTS_MAX,
                                    .width = width,
                                    .encoding = encoding};
    return words[pelti_thesis_pivot_index(joint, &size)];
}

static uint32_t byte_of(uint32_t word, uint32_t channel)
{
    return word >> 8 * channel & 255;
}

pelt_vec3 pelti_thesis_pivot(uint32_t word, float unit)
{
    float axes[3];
    for (uint32_t i = 0; i < 3; ++i)
    {
        axes[i] = PELTI_THESIS_PIVOT_STEP * unit * ((float)byte_of(word, i) - 128.0f);
    }
    return pelt_vec3_make(axes[0], axes[1], axes[2]);
}

// The first column has the box of a joint in the rows of its motion.
static const uint32_t* joint_row(const uint32_t* column, const pelti_key_pair* pair, uint32_t joint)
{
    size_t row = PELTI_THESIS_HEAD_ROWS + (size_t)pelti_thesis_rows(pair->encoding) * joint;
    return column + row * pair->row_words;
}

pelti_thesis_box pelti_thesis_read_box(const pelti_key_pair* pair, uint32_t joint)
{
    const uint32_t* texel = joint_row(pair->table, pair, joint);
    uint32_t rows = pelti_thesis_rows(pair->encoding);
    float bytes[12];
    for (uint32_t i = 0; i < 4 * rows; ++i)
    {
        bytes[i] = (float)byte_of(texel[(size_t)(i / 4) * pair->row_words], i % 4);
    }
    pelti_thesis_box box = {.stretch = 1.0f};
    if (rows == 3)
    {
        uint32_t word =
            pelti_thesis_pivot_word(pair->table, joint, pair->row_words, pair->encoding);
        box.stretch = ldexpf(1.0f, (int)(byte_of(word, 3) & PELTI_THESIS_STRETCH_MAX));
    }
    for (uint32_t i = 0; i < 4 && rows == 2; ++i)
    {
        box.center[i] = pair->unit * (bytes[i] - 128.0f);
        box.bounds[i] = pair->unit * bytes[4 + i];
    }
    for (uint32_t i = 0; i < 3 && rows == 3; ++i)
    {
        // The sign of the fraction is that of the whole.
        float fraction = (bytes[3 + i] - 128.0f) / 127.0f;
        box.center[i] = pair->unit * (fraction < 0.0f ? fraction - bytes[i] : fraction + bytes[i]);
        box.bounds[i] = pair->unit * (bytes[6 + i] + bytes[9 + i] / 255.0f);
    }
    return box;
}

pelti_thesis_channel pelti_thesis_channel_of(uint32_t value, pelt_encoding encoding)
{
    if (encoding == PELT_ENCODING_MATRIX)
    {
        return value < 9 ? (pelti_thesis_channel){value / 3, value % 3, PELT_NONE}
                         : (pelti_thesis_channel){value - 9, 3, value - 9};
    }
    return (pelti_thesis_channel){value / 4, value % 4, value < 4 ? PELT_NONE : value - 4};
}

void pelti_thesis_read(float out[12], const uint32_t* key, const pelti_key_pair* pair,
                       uint32_t joint, const pelti_thesis_box* box)
{
    const uint32_t* texel = joint_row(key, pair, joint);
    for (uint32_t i = 0; i < 4 * pelti_thesis_rows(pair->encoding); ++i)
    {
        pelti_thesis_channel at = pelti_thesis_channel_of(i, pair->encoding);
        uint32_t word = texel[(size_t)at.row * pair->row_words];
        float value = ((float)byte_of(word, at.channel) - 128.0f) / 127.0f;
        out[i] = at.axis == PELT_NONE ? box->stretch * value
                                      : box->center[at.axis] + value * box->bounds[at.axis];
    }
}

// ---------------------------------------------------------------------------------------------
// Vertices

static pelt_vec3 decode_normal(const uint32_t* key, size_t bit, uint32_t width)
{
    return pelti_octahedral_value(pelti_bits_read(key, bit, width),
                                  pelti_bits_read(key, bit + width, width), width);
}

// A vertex at a moment: its offset from rest, and its normal.
typedef struct vertex_motion
{
    pelt_vec3 offset, normal;
} vertex_motion;

// Three bytes of a texel, from -1 to 1.
static pelt_vec3 thesis_value(uint32_t word)
{
    float axes[3];
    for (uint32_t i = 0; i < 3; ++i)
    {
        axes[i] = ((float)byte_of(word, i) - 128.0f) / 127.0f;
    }
    return pelt_vec3_make(axes[0], axes[1], axes[2]);
}

static uint32_t thesis_vertex_head(const pelt_baked* baked)
{
    return baked->words[(size_t)PELTI_THESIS_HEAD_ROWS * baked->width];
}

static vertex_motion decode_thesis_vertex(const pelt_baked* baked, const pelti_key_time* at,
                                          uint32_t id)
{
    const uint32_t* column = baked->words + (size_t)PELTI_THESIS_HEAD_ROWS * baked->width;
    float box[6];
    for (size_t i = 0; i < 6; ++i)
    {
        box[i] = baked->unit * pelti_word_float(column[(1 + i) * baked->width]);
    }
    const uint32_t* first = column + at->run->first_word + (size_t)id * baked->width;
    pelt_vec3 part =
        pelt_vec3_lerp(thesis_value(first[at->key]), thesis_value(first[at->next]), at->u);
    vertex_motion motion = {
        .offset = {box[0] + box[3] * part.x, box[1] + box[4] * part.y, box[2] + box[5] * part.z}};
    if ((thesis_vertex_head(baked) & PELTI_THESIS_NORMALS) != 0)
    {
        const uint32_t* normals = first + (size_t)baked->vertex_count * baked->width;
        motion.normal = pelt_vec3_normalize(
            pelt_vec3_lerp(thesis_value(normals[at->key]), thesis_value(normals[at->next]), at->u));
    }
    return motion;
}

static bool has_stored_normals(const pelt_baked* baked, const pelt_baked_run* run)
{
    return baked->layout == PELT_BAKE_LAYOUT_THESIS
               ? (thesis_vertex_head(baked) & PELTI_THESIS_NORMALS) != 0
               : (baked->words[run->table] >> 8 & 255) != 0;
}

static vertex_motion decode_vertex(const pelt_baked* baked, const pelti_key_time* at, uint32_t id)
{
    if (baked->layout == PELT_BAKE_LAYOUT_THESIS)
    {
        return decode_thesis_vertex(baked, at, id);
    }
    const uint32_t* table = baked->words + at->run->table;
    uint32_t width = table[0] & 255, normal_width = table[0] >> 8 & 255;
    const uint32_t* words = table + 1 + (table[0] & PELTI_VERTEX_SHARED ? 0 : 3 * (size_t)id);
    const uint32_t* keys = baked->words + at->run->first_word;
    const uint32_t* both[2] = {keys + (size_t)at->key * at->run->key_words,
                               keys + (size_t)at->next * at->run->key_words};
    size_t bit = (size_t)id * (3 * width + 2 * normal_width);
    float axes[2][3];
    vertex_motion motion = {0};
    for (int axis = 0; axis < 3; ++axis, bit += width)
    {
        pelti_component component = pelti_component_read(words[axis], baked->unit);
        for (int i = 0; i < 2; ++i)
        {
            axes[i][axis] = pelti_component_value(&component, pelti_bits_read(both[i], bit, width));
        }
    }
    motion.offset = pelt_vec3_lerp(pelt_vec3_make(axes[0][0], axes[0][1], axes[0][2]),
                                   pelt_vec3_make(axes[1][0], axes[1][1], axes[1][2]), at->u);
    if (normal_width > 0)
    {
        motion.normal =
            pelt_vec3_normalize(pelt_vec3_lerp(decode_normal(both[0], bit, normal_width),
                                               decode_normal(both[1], bit, normal_width), at->u));
    }
    return motion;
}

void pelt_unbake_vertices(const pelt_surface* out, const pelt_baked* baked, uint32_t instance,
                          const pelt_mesh* mesh, const pelt_playback* playback)
{
    PELT_ASSERT(baked->encoding == PELT_ENCODING_VERTEX && instance < baked->instance_count);
    PELT_ASSERT(playback->base.clip < baked->clip_count);
    const uint32_t* ids = baked->instances[instance].vertex_ids;
    const pelt_moment *base = &playback->base, *next = &playback->next;
    bool is_fading = playback->fade != 0.0f;
    PELT_ASSERT(!is_fading || next->clip < baked->clip_count);
    pelti_key_time from = pelti_clip_at(&baked->clips[base->clip], base->time, base->wrap),
                   to = from;
    if (is_fading)
    {
        to = pelti_clip_at(&baked->clips[next->clip], next->time, next->wrap);
    }
    // If the texture has no normals, the mesh keeps those at rest.
    bool has_normals = has_stored_normals(baked, from.run);
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        vertex_motion motion = decode_vertex(baked, &from, ids[v]);
        if (is_fading)
        {
            vertex_motion other = decode_vertex(baked, &to, ids[v]);
            motion.offset = pelt_vec3_lerp(motion.offset, other.offset, playback->fade);
            motion.normal =
                pelt_vec3_normalize(pelt_vec3_lerp(motion.normal, other.normal, playback->fade));
        }
        if (out->positions != NULL)
        {
            pelt_vec3* position = (pelt_vec3*)pelt_vec3_at(out->positions, out->position_stride, v);
            *position = pelt_vec3_add(mesh->positions[v], motion.offset);
        }
        if (out->normals != NULL && (has_normals || mesh->normals != NULL))
        {
            *(pelt_vec3*)pelt_vec3_at(out->normals, out->normal_stride, v) =
                has_normals ? motion.normal : mesh->normals[v];
        }
    }
}
