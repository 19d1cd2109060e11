// SPDX-License-Identifier: MIT
// The layout of the animation texture thesis (2021), against its tables, against closed forms of
// bytes, and read by a second decoder that follows docs/texture_format.md.
#include "pelt/bake.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// A scene with a row of joints, each of which rotates about z and moves on an ellipse

enum
{
    JOINTS_MAX = 67,
    KEYS_MAX = 249,
};

typedef struct row_of_joints
{
    pelt_scene scene;
    float size; // meters
    uint32_t joint_count, key_count;
    pelt_node nodes[JOINTS_MAX];
    uint32_t joints[JOINTS_MAX];
    pelt_mat34 inverse_binds[JOINTS_MAX];
    pelt_vec3 positions[JOINTS_MAX];
    uint32_t first[JOINTS_MAX + 1];
    pelt_influence influences[JOINTS_MAX];
    pelt_track tracks[2 * JOINTS_MAX];
    float times[KEYS_MAX];
    float rotations[JOINTS_MAX][KEYS_MAX][4];
    float translations[JOINTS_MAX][KEYS_MAX][3];
    pelt_mesh mesh;
    pelt_skin skin;
    pelt_instance instance;
    pelt_clip clips[2];
} row_of_joints;

static pelt_vec3 origin_of(const row_of_joints* s, uint32_t joint)
{
    float part = (float)joint / (float)(s->joint_count - 1);
    return pelt_vec3_make(0.3f * s->size * part, s->size * part, -0.1f * s->size);
}

// Fraction of the period at a key: 1 at the last.
static double phase_of(const row_of_joints* s, uint32_t key)
{
    return s->key_count > 1 ? (double)key / (s->key_count - 1) : 0.0;
}

static double angle_of(const row_of_joints* s, uint32_t joint, uint32_t key, bool loops)
{
    double phase = phase_of(s, key);
    return loops ? (0.5 + 0.01 * joint) * sin(2.0 * (double)PELT_PI * phase)
                 : 5.0 * phase - 0.03 * joint;
}

static pelt_vec3 position_of(const row_of_joints* s, uint32_t joint, uint32_t key)
{
    double angle = 2.0 * (double)PELT_PI * phase_of(s, key);
    float x = 0.2f * s->size * (float)cos(angle), y = 0.05f * s->size * (float)sin(angle);
    return pelt_vec3_add(origin_of(s, joint), pelt_vec3_make(x, y, -0.3f * y));
}

static void add_joint(row_of_joints* s, uint32_t i, bool loops)
{
    pelt_vec3 origin = origin_of(s, i);
    pelt_mat3 identity = pelt_mat3_identity();
    s->nodes[i] =
        (pelt_node){"joint", PELT_NONE, {origin, pelt_quat_identity(), {1.0f, 1.0f, 1.0f}}};
    s->joints[i] = i;
    s->inverse_binds[i] = pelt_mat34_make(&identity, pelt_vec3_scale(origin, -1.0f));
    s->positions[i] = pelt_vec3_add(origin, pelt_vec3_make(0.06f * s->size, 0.0f, 0.0f));
    s->first[i + 1] = i + 1;
    s->influences[i] = (pelt_influence){.joint = (uint16_t)i, .weight = 1.0f};
    for (uint32_t key = 0; key < s->key_count; ++key)
    {
        double half = 0.5 * angle_of(s, i, key, loops);
        pelt_vec3 at = position_of(s, i, key);
        s->times[key] = (float)key / 30.0f;
        memcpy(s->rotations[i][key], (float[4]){0.0f, 0.0f, (float)sin(half), (float)cos(half)},
               sizeof s->rotations[i][key]);
        memcpy(s->translations[i][key], (float[3]){at.x, at.y, at.z},
               sizeof s->translations[i][key]);
    }
    s->tracks[2 * i] = (pelt_track){.target = i,
                                    .path = PELT_PATH_ROTATION,
                                    .interpolation = PELT_INTERPOLATION_LINEAR,
                                    .key_count = s->key_count,
                                    .width = 4,
                                    .times = s->times,
                                    .values = s->rotations[i][0]};
    s->tracks[2 * i + 1] = (pelt_track){.target = i,
                                        .path = PELT_PATH_TRANSLATION,
                                        .interpolation = PELT_INTERPOLATION_LINEAR,
                                        .key_count = s->key_count,
                                        .width = 3,
                                        .times = s->times,
                                        .values = s->translations[i][0]};
}

static row_of_joints* make_row(uint32_t joint_count, uint32_t key_count, float size, bool loops)
{
    row_of_joints* s = calloc(1, sizeof *s);
    s->size = size;
    s->joint_count = joint_count;
    s->key_count = key_count;
    for (uint32_t i = 0; i < joint_count; ++i)
    {
        add_joint(s, i, loops);
    }
    s->mesh =
        (pelt_mesh){.name = "mesh",
                    .vertex_count = joint_count,
                    .positions = s->positions,
                    .weights = {joint_count, joint_count, joint_count, 1, s->first, s->influences},
                    .material = PELT_NONE};
    s->skin = (pelt_skin){"skin", joint_count, s->joints, s->inverse_binds};
    s->clips[0] = (pelt_clip){"clip", s->times[key_count - 1], 2 * joint_count, s->tracks};
    s->clips[1] = s->clips[0];
    s->scene = (pelt_scene){.name = "row",
                            .node_count = joint_count,
                            .mesh_count = 1,
                            .skin_count = 1,
                            .instance_count = 1,
                            .clip_count = 1,
                            .nodes = s->nodes,
                            .meshes = &s->mesh,
                            .skins = &s->skin,
                            .instances = &s->instance,
                            .clips = s->clips};
    return s;
}

static pelt_baked* bake_thesis(const pelt_scene* scene, pelt_encoding encoding, bool is_padded)
{
    pelt_baked* baked = NULL;
    pelt_error error = {0};
    const pelt_bake_options options = {
        .encoding = encoding, .layout = PELT_BAKE_LAYOUT_THESIS, .is_padded = is_padded};
    if (pelt_bake(&baked, scene, &options, &error) != PELT_OK ||
        pelt_baked_validate(baked, &error) != PELT_OK)
    {
        printf("  %s\n", error.message);
        return NULL;
    }
    return baked;
}

// ---------------------------------------------------------------------------------------------
// A second decoder

static const pelt_encoding encodings[] = {PELT_ENCODING_MATRIX, PELT_ENCODING_DQ};

static double byte_at(const pelt_baked* baked, uint32_t column, uint32_t row, uint32_t channel)
{
    return baked->words[(size_t)row * baked->width + column] >> 8 * channel & 255;
}

// Byte i of the box of a joint.
static double box_byte(const pelt_baked* baked, uint32_t joint, uint32_t i)
{
    uint32_t rows = baked->encoding == PELT_ENCODING_MATRIX ? 3 : 2;
    return byte_at(baked, 0, 2 + rows * joint + i / 4, i % 4);
}

typedef struct axis_box
{
    double center, bounds; // meters
} axis_box;

static axis_box read_axis(const pelt_baked* baked, uint32_t joint, uint32_t axis)
{
    double unit = (double)baked->unit;
    if (baked->encoding == PELT_ENCODING_DQ)
    {
        return (axis_box){unit * (box_byte(baked, joint, axis) - 128.0),
                          unit * box_byte(baked, joint, 4 + axis)};
    }
    double fraction = (box_byte(baked, joint, 3 + axis) - 128.0) / 127.0;
    double whole = box_byte(baked, joint, axis);
    return (axis_box){
        unit * (fraction < 0.0 ? fraction - whole : fraction + whole),
        unit * (box_byte(baked, joint, 6 + axis) + box_byte(baked, joint, 9 + axis) / 255.0)};
}

// The byte of a pivot, above the keys where all pivots fit there, else in a column after them.
static double pivot_byte(const pelt_baked* baked, uint32_t joint, uint32_t channel)
{
    uint32_t key_count = baked->clips[0].key_count, last = 2 + (baked->joint_count - 1) / 2;
    uint32_t rows = baked->encoding == PELT_ENCODING_MATRIX ? 3 : 2;
    return last <= key_count ? byte_at(baked, 2 + joint / 2, joint % 2, channel)
                             : byte_at(baked, 1 + key_count, 2 + rows * joint, channel);
}

static double stretch_of(const pelt_baked* baked, uint32_t joint)
{
    return exp2(pivot_byte(baked, joint, 3));
}

// Number i of a motion, and the size of its half step.
static double read_value(double* half_step, const pelt_baked* baked, uint32_t joint, uint32_t key,
                         uint32_t i)
{
    bool is_matrix = baked->encoding == PELT_ENCODING_MATRIX;
    uint32_t row = is_matrix ? (i < 9 ? i / 3 : i - 9) : i / 4;
    uint32_t channel = is_matrix ? (i < 9 ? i % 3 : 3) : i % 4;
    uint32_t first = 2 + (is_matrix ? 3 : 2) * joint;
    double value = (byte_at(baked, 1 + key, first + row, channel) - 128.0) / 127.0;
    *half_step = 0.5 / 127.0;
    uint32_t linear = is_matrix ? 9 : 4;
    if (i < linear)
    {
        double stretch = is_matrix ? stretch_of(baked, joint) : 1.0;
        *half_step *= stretch;
        return stretch * value;
    }
    axis_box box = read_axis(baked, joint, i - linear);
    *half_step *= box.bounds;
    return box.center + value * box.bounds;
}

// The same number in closed form: about the pivot, which the texture has in steps of two units.
static double exact_value(const row_of_joints* s, const pelt_baked* baked, uint32_t joint,
                          uint32_t key, uint32_t i)
{
    double angle = angle_of(s, joint, key, false), c = cos(angle), w = sin(angle);
    pelt_vec3 at = position_of(s, joint, key), origin = origin_of(s, joint);
    pelt_vec3 radius = pelt_vec3_sub(baked->joints[joint].pivot, origin);
    const double p[3] = {(double)at.x + c * (double)radius.x - w * (double)radius.y,
                         (double)at.y + w * (double)radius.x + c * (double)radius.y,
                         (double)at.z + (double)radius.z};
    if (baked->encoding == PELT_ENCODING_MATRIX)
    {
        const double linear[9] = {c, -w, 0.0, w, c, 0.0, 0.0, 0.0, 1.0};
        return i < 9 ? linear[i] : p[i - 9];
    }
    // The dual part is (p, 0) (0, 0, z, w) / 2.
    double z = sin(0.5 * angle), real = cos(0.5 * angle);
    const double dual[8] = {0.0,
                            0.0,
                            z,
                            real,
                            0.5 * (p[0] * real + p[1] * z),
                            0.5 * (p[1] * real - p[0] * z),
                            0.5 * p[2] * real,
                            -0.5 * p[2] * z};
    return dual[i];
}

// ---------------------------------------------------------------------------------------------

// Tables 2, 4, 6 and 8 of the animation texture thesis (2021).
static int textures_have_the_sizes_of_the_thesis(void)
{
    static const struct
    {
        uint32_t joints, width, dual_height, dual_texels, matrix_height, matrix_texels;
    } tables[] = {{4, 249, 10, 2490, 14, 3486},
                  {65, 86, 132, 11352, 197, 16942},
                  {52, 154, 106, 16324, 158, 24332},
                  {67, 132, 136, 17952, 203, 26796}};
    for (uint32_t i = 0; i < 8; ++i)
    {
        row_of_joints* s = make_row(tables[i / 2].joints, tables[i / 2].width - 1, 1.8f, false);
        pelt_baked* baked = bake_thesis(&s->scene, encodings[i % 2], false);
        ENSURE(baked != NULL && baked->layout == PELT_BAKE_LAYOUT_THESIS);
        ENSURE(baked->texel == PELT_TEXEL_RGBA8UI && baked->width == tables[i / 2].width);
        ENSURE(baked->height ==
               (i % 2 == 0 ? tables[i / 2].matrix_height : tables[i / 2].dual_height));
        ENSURE(pelt_baked_bytes(baked) ==
               4 * (i % 2 == 0 ? tables[i / 2].matrix_texels : tables[i / 2].dual_texels));
        pelt_baked_destroy(baked);
        free(s);
    }
    return 0;
}

// Rounding to the nearest step; the box holds everything, so that nothing is cut off. The rest of
// the tolerance is that of floats.
static int values_are_within_half_a_step(void)
{
    for (uint32_t e = 0; e < 2; ++e)
    {
        row_of_joints* s = make_row(30, 40, 1.8f, false);
        pelt_baked* baked = bake_thesis(&s->scene, encodings[e], false);
        ENSURE(baked != NULL && baked->unit == 0.01f);
        uint32_t count = e == 0 ? 12 : 8;
        for (uint32_t i = 0; i < 30 * 40 * count; ++i)
        {
            uint32_t joint = i / count / 40, key = i / count % 40;
            double half_step;
            double value = read_value(&half_step, baked, joint, key, i % count);
            double exact = exact_value(s, baked, joint, key, i % count);
            // The sign of a dual quaternion is free, here that of its first key.
            double sign = e == 1 && exact_value(s, baked, joint, 0, 3) < 0.0 ? -1.0 : 1.0;
            ENSURE_NEAR(value, sign * exact, half_step + 2e-6);
        }
        pelt_baked_destroy(baked);
        free(s);
    }
    return 0;
}

// Bounds are those of the values: rounded up by a step of their own and half a step of the center.
static int boxes_are_as_tight_as_their_bytes(void)
{
    for (uint32_t e = 0; e < 2; ++e)
    {
        row_of_joints* s = make_row(30, 40, 1.8f, false);
        pelt_baked* baked = bake_thesis(&s->scene, encodings[e], false);
        ENSURE(baked != NULL);
        uint32_t linear = e == 0 ? 9 : 4, axes = e == 0 ? 3 : 4;
        double slack = (e == 0 ? 1.0 / 255.0 + 0.5 / 127.0 : 1.5) * (double)baked->unit;
        for (uint32_t i = 0; i < 30 * axes; ++i)
        {
            double low = 1e9, high = -1e9;
            for (uint32_t key = 0; key < 40; ++key)
            {
                double exact = exact_value(s, baked, i / axes, key, linear + i % axes);
                low = fmin(low, exact);
                high = fmax(high, exact);
            }
            axis_box box = read_axis(baked, i / axes, i % axes);
            ENSURE(box.bounds >= 0.5 * (high - low) - 1e-6);
            ENSURE(box.bounds <= 0.5 * (high - low) + slack + 1e-6);
        }
        pelt_baked_destroy(baked);
        free(s);
    }
    return 0;
}

// The matrix of the second decoder at a key; dual quaternions have length one again.
static pelt_mat34 second_matrix(const pelt_baked* baked, uint32_t joint, uint32_t key)
{
    float v[12];
    for (uint32_t i = 0; i < (baked->encoding == PELT_ENCODING_MATRIX ? 12u : 8u); ++i)
    {
        double half_step;
        v[i] = (float)read_value(&half_step, baked, joint, key, i);
    }
    pelt_mat3 linear = {{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}}};
    pelt_vec3 position = pelt_vec3_make(v[9], v[10], v[11]);
    if (baked->encoding == PELT_ENCODING_DQ)
    {
        pelt_dquat dual = {{v[0], v[1], v[2], v[3]}, {v[4], v[5], v[6], v[7]}};
        dual = pelt_dquat_normalize(dual);
        linear = pelt_mat3_from_quat(dual.real);
        position = pelt_dquat_translation(dual);
    }
    pelt_vec3 moved = pelt_mat3_vector(&linear, baked->joints[joint].pivot);
    return pelt_mat34_make(&linear, pelt_vec3_sub(position, moved));
}

static int check_decoder(const pelt_baked* baked)
{
    const pelt_baked_run* run = &baked->clips[0].runs[0];
    pelt_mat34 motions[JOINTS_MAX];
    for (uint32_t key = 0; key < run->key_count; ++key)
    {
        pelt_playback playback = {.base = {0, (float)key / run->rate, PELT_WRAP_CLAMP}};
        pelt_unbake(motions, baked, &playback);
        for (uint32_t joint = 0; joint < baked->joint_count; ++joint)
        {
            pelt_mat34 expected = second_matrix(baked, joint, key);
            for (int i = 0; i < 12; ++i)
            {
                // The time of a key may be off it by a rounding.
                ENSURE_NEAR(motions[joint].m[i / 4][i % 4], expected.m[i / 4][i % 4], 3e-5);
            }
        }
    }
    return 0;
}

static int the_decoder_reads_what_the_page_says(void)
{
    for (uint32_t i = 0; i < 4; ++i)
    {
        row_of_joints* s = make_row(19, 20, 1.8f, i >= 2);
        pelt_baked* baked = bake_thesis(&s->scene, encodings[i % 2], i >= 2);
        ENSURE(baked != NULL && check_decoder(baked) == 0);
        pelt_baked_destroy(baked);
        free(s);
    }
    return 0;
}

// Twelve joints need columns 2 to 7 above the keys. With fewer keys there is a column more, and
// pivots are the same, to the nearest of steps of two units on each axis.
static int pivots_have_room_at_any_number_of_keys(void)
{
    for (uint32_t key_count = 1; key_count <= 9; ++key_count)
    {
        for (uint32_t e = 0; e < 4; ++e)
        {
            row_of_joints* s = make_row(12, key_count, 1.8f, false);
            pelt_baked* baked = bake_thesis(&s->scene, encodings[e % 2], e >= 2);
            ENSURE(baked != NULL && check_decoder(baked) == 0);
            ENSURE(baked->clips[0].key_count == key_count);
            ENSURE(e >= 2 || baked->width == key_count + (key_count < 7 ? 2 : 1));
            for (uint32_t joint = 0; joint < 12; ++joint)
            {
                pelt_vec3 own = {2.0f * baked->unit * ((float)pivot_byte(baked, joint, 0) - 128.0f),
                                 2.0f * baked->unit * ((float)pivot_byte(baked, joint, 1) - 128.0f),
                                 2.0f * baked->unit *
                                     ((float)pivot_byte(baked, joint, 2) - 128.0f)};
                ENSURE_POINT(baked->joints[joint].pivot, origin_of(s, joint), 1.74f * baked->unit);
                ENSURE_POINT(baked->joints[joint].pivot, own, 1e-6f);
            }
            pelt_baked_destroy(baked);
            free(s);
        }
    }
    return 0;
}

// Errors at keys are those of the steps, whatever the rate: with pivots at the origin they would be
// five times as large.
static int errors_at_keys_do_not_depend_on_the_rate(void)
{
    row_of_joints* s = make_row(50, 61, 1.8f, false);
    double errors[2];
    for (uint32_t i = 0; i < 2; ++i)
    {
        pelt_baked* baked;
        pelt_bake_report report;
        const pelt_bake_options options = {.encoding = PELT_ENCODING_MATRIX,
                                           .layout = PELT_BAKE_LAYOUT_THESIS,
                                           .timing = PELT_BAKE_RATE,
                                           .rate = i == 0 ? 30.0f : 3.0f};
        ENSURE(pelt_bake(&baked, &s->scene, &options, NULL) == PELT_OK);
        ENSURE(baked->width == baked->clips[0].key_count + (i == 0 ? 1 : 2));
        ENSURE(pelt_baked_measure(&report, baked, &s->scene, NULL, NULL) == PELT_OK);
        errors[i] = report.error.max_at_keys;
        pelt_bake_report_destroy(&report);
        pelt_baked_destroy(baked);
    }
    ENSURE(errors[1] < 1.2 * errors[0] && errors[0] < 0.005);
    free(s);
    return 0;
}

static int padding_changes_the_size_only(void)
{
    row_of_joints* s = make_row(20, 40, 1.8f, false);
    for (uint32_t e = 0; e < 2; ++e)
    {
        pelt_baked* baked = bake_thesis(&s->scene, encodings[e], false);
        pelt_baked* padded = bake_thesis(&s->scene, encodings[e], true);
        ENSURE(baked != NULL && padded != NULL);
        ENSURE(padded->width == 64 && padded->height == 64);
        for (uint32_t i = 0; i < 64 * 64; ++i)
        {
            uint32_t x = i % 64, y = i / 64;
            bool is_inside = x < baked->width && y < baked->height;
            uint32_t word = is_inside ? baked->words[y * baked->width + x] : 0;
            ENSURE(padded->words[i] == (i == 0 ? word | 0x80000000u : word));
        }
        pelt_baked_destroy(baked);
        pelt_baked_destroy(padded);
    }
    free(s);
    return 0;
}

// A joint of 5 times the size has matrices of up to 5, in steps of 8 / 127; dual quaternions leave
// its scale out.
static int matrices_stretch_in_steps_of_a_power_of_two(void)
{
    row_of_joints* s = make_row(4, 20, 1.8f, false);
    s->nodes[2].rest.scale = pelt_vec3_make(5.0f, 5.0f, 5.0f);
    for (uint32_t e = 0; e < 2; ++e)
    {
        pelt_baked* baked = bake_thesis(&s->scene, encodings[e], false);
        ENSURE(baked != NULL && check_decoder(baked) == 0);
        pelt_mat34 motions[4];
        pelt_unbake(motions, baked, &(pelt_playback){0});
        pelt_vec3 column = {motions[2].m[0][0], motions[2].m[1][0], motions[2].m[2][0]};
        ENSURE_NEAR(pelt_vec3_length(column), e == 0 ? 5.0 : 1.0, 0.5 * 8.0 / 127.0 * sqrt(3.0));
        for (uint32_t joint = 0; joint < 4 && e == 0; ++joint)
        {
            ENSURE(stretch_of(baked, joint) == (joint == 2 ? 8.0 : 1.0));
        }
        pelt_baked_destroy(baked);
    }
    free(s);
    return 0;
}

// A clip that ends as it begins has one key less, and goes on from the last to the first.
static int a_clip_that_loops_wraps(void)
{
    row_of_joints* s = make_row(8, 31, 1.8f, true);
    pelt_baked* baked = bake_thesis(&s->scene, PELT_ENCODING_MATRIX, false);
    ENSURE(baked != NULL && baked->width == 31 && baked->clips[0].wraps);
    ENSURE_NEAR(baked->clips[0].runs[0].rate, 30.0f, 1e-4);
    pelt_mat34 motions[8];
    pelt_playback playback = {.base = {0, 29.5f / 30.0f, PELT_WRAP_LOOP}};
    pelt_unbake(motions, baked, &playback);
    for (uint32_t joint = 0; joint < 8; ++joint)
    {
        pelt_mat34 a = second_matrix(baked, joint, 29), b = second_matrix(baked, joint, 0);
        for (int i = 0; i < 12; ++i)
        {
            ENSURE_NEAR(motions[joint].m[i / 4][i % 4],
                        0.5f * (a.m[i / 4][i % 4] + b.m[i / 4][i % 4]), 3e-5);
        }
    }
    pelt_baked_destroy(baked);
    free(s);
    return 0;
}

// Keys are from time 0 on, whenever the source begins: here half a second later, and, in a clip
// that loops, by less than a fiftieth of an interval.
static int the_first_key_is_at_time_zero(void)
{
    for (uint32_t i = 0; i < 2; ++i)
    {
        row_of_joints* s = make_row(4, 31, 1.8f, i == 1);
        for (uint32_t key = 0; key < 31; ++key)
        {
            s->times[key] += i == 0 ? 0.5f : 1e-4f;
        }
        s->clips[0].duration = s->times[30];
        pelt_baked* baked = bake_thesis(&s->scene, PELT_ENCODING_MATRIX, false);
        ENSURE(baked != NULL && baked->clips[0].runs[0].start == 0.0f);
        ENSURE(baked->clips[0].wraps == (i == 1));
        ENSURE(baked->clips[0].key_count == (i == 0 ? 46 : 30) && check_decoder(baked) == 0);
        pelt_baked_destroy(baked);
        free(s);
    }
    return 0;
}

// Largest distance of vertices at keys, relative to the size of the character.
static int measure(double* out, const row_of_joints* s, const pelt_baked* baked)
{
    pelt_bake_report report;
    ENSURE(pelt_baked_measure(&report, baked, &s->scene, NULL, NULL) == PELT_OK);
    *out = report.error.max_at_keys / (double)s->size;
    pelt_mat34 motions[JOINTS_MAX];
    for (uint32_t key = 0; key < baked->clips[0].key_count; ++key)
    {
        pelt_playback playback = {.base = {0, (float)key / 30.0f, PELT_WRAP_CLAMP}};
        pelt_unbake(motions, baked, &playback);
        for (uint32_t v = 0; v < s->mesh.vertex_count; ++v)
        {
            float angle = (float)angle_of(s, v, key, false), radius = 0.06f * s->size;
            pelt_vec3 exact =
                pelt_vec3_add(position_of(s, v, key),
                              pelt_vec3_make(radius * cosf(angle), radius * sinf(angle), 0.0f));
            float distance =
                pelt_vec3_distance(pelt_mat34_point(&motions[v], s->positions[v]), exact);
            ENSURE((double)distance <= report.error.max + 1e-5 * (double)s->size);
        }
    }
    pelt_bake_report_destroy(&report);
    return 0;
}

// Characters of any size have as many units. A vertex is 0.06 of the size away from its joint, and
// up to a unit on each axis more from the pivot; each of three rows adds half a step of the bounds.
static int errors_are_those_of_the_steps_at_any_size(void)
{
    static const float sizes[] = {1.8f, 0.018f, 180.0f, 2.6f, 1e-6f, 1e6f};
    for (uint32_t i = 0; i < 2 * sizeof sizes / sizeof sizes[0]; ++i)
    {
        row_of_joints* s = make_row(20, 60, sizes[i / 2], false);
        pelt_baked* baked = bake_thesis(&s->scene, encodings[i % 2], false);
        double error = 0.0, step = 0.5 / 127.0, unit;
        ENSURE(baked != NULL && measure(&error, s, baked) == 0);
        unit = (double)baked->unit / (double)s->size;
        ENSURE(unit >= 1.0 / 512.0 && unit <= 1.0 / 32.0);
        double bounds = sqrt(0.2 * 0.2 + 2.0 * 0.05 * 0.05) + sqrt(3.0) * 3.0 * unit;
        if (i % 2 == 0)
        {
            ENSURE(error <= step * (bounds + 3.0 * (0.06 + 2.0 * unit)) + 1e-5);
        }
        ENSURE(error > 1e-4 && error < 0.03);
        pelt_baked_destroy(baked);
        free(s);
    }
    return 0;
}

static const uint32_t second_clip = 1;

static int what_the_layout_lacks_is_refused_in_a_sentence(void)
{
    static const struct
    {
        pelt_bake_options options;
        pelt_result result;
        const char* words;
    } wrong[] = {
        {{.encoding = PELT_ENCODING_QT}, PELT_ERROR_ARGUMENT, "dq and vertex, not qt"},
        {{.encoding = PELT_ENCODING_LOCAL}, PELT_ERROR_ARGUMENT, "dq and vertex, not local"},
        {{.encoding = PELT_ENCODING_VERTEX, .bits = 16}, PELT_ERROR_ARGUMENT, "8 bits"},
        {{.encoding = PELT_ENCODING_DQ, .bits = 16}, PELT_ERROR_ARGUMENT, "8 bits"},
        {{.encoding = PELT_ENCODING_DQ, .texel = PELT_TEXEL_RGBA16UI},
         PELT_ERROR_ARGUMENT,
         "rgba8ui"},
        {{.encoding = PELT_ENCODING_DQ, .has_budget = true, .max_error = 0.01},
         PELT_ERROR_ARGUMENT,
         "budget"},
        {{.encoding = PELT_ENCODING_DQ}, PELT_ERROR_ARGUMENT, "one clip, and 2"},
        {{.encoding = PELT_ENCODING_DQ, .clip_count = 1, .clips = &second_clip, .max_size = 20},
         PELT_ERROR_UNSUPPORTED,
         "21 x 10 texels"},
        {{.encoding = PELT_ENCODING_DQ,
          .clip_count = 1,
          .clips = &second_clip,
          .timing = PELT_BAKE_RATE,
          .rate = 1e4f},
         PELT_ERROR_UNSUPPORTED,
         "6333 intervals"},
    };
    row_of_joints* s = make_row(4, 20, 1.8f, false);
    s->scene.clip_count = 2;
    for (uint32_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
    {
        pelt_baked* baked;
        pelt_error error = {0};
        pelt_bake_options options = wrong[i].options;
        options.layout = PELT_BAKE_LAYOUT_THESIS;
        ENSURE(pelt_bake(&baked, &s->scene, &options, &error) == wrong[i].result);
        ENSURE(strstr(error.message, wrong[i].words) != NULL && baked == NULL);
    }
    free(s);
    return 0;
}

// Sixteen clips of one character are sixteen textures, each of which says all about itself: any bit
// of that which changes is noticed.
static int changed_metadata_is_refused(void)
{
    for (uint32_t e = 0; e < 2; ++e)
    {
        row_of_joints* s = make_row(9, 12, 1.8f, false);
        pelt_baked* baked = bake_thesis(&s->scene, encodings[e], false);
        ENSURE(baked != NULL);
        uint32_t* words = (uint32_t*)baked->words;
        const uint32_t offsets[] = {0, 1, baked->width, baked->width + 1, 2, baked->width + 2};
        for (uint32_t i = 0; i < 6 * 32; ++i)
        {
            // The last byte of a pivot stretches matrices: any is possible.
            bool is_free = i / 32 >= 4 && i % 32 >= 24;
            pelt_error error = {0};
            words[offsets[i / 32]] ^= UINT32_C(1) << i % 32;
            ENSURE(is_free || pelt_baked_validate(baked, &error) == PELT_ERROR_DATA);
            ENSURE(is_free || error.message[0] != '\0');
            words[offsets[i / 32]] ^= UINT32_C(1) << i % 32;
        }
        pelt_baked_destroy(baked);
        free(s);
    }
    return 0;
}

static int textures_of_another_size_are_refused(void)
{
    row_of_joints* s = make_row(9, 12, 1.8f, false);
    pelt_baked* baked = bake_thesis(&s->scene, PELT_ENCODING_DQ, false);
    ENSURE(baked != NULL && baked->width == 13 && baked->height == 20);
    static const uint32_t sizes[][2] = {{20, 13}, {26, 10}, {1, 260}, {260, 1}, {0, 0}, {13, 19}};
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
    {
        pelt_baked other = *baked;
        other.width = sizes[i][0];
        other.height = sizes[i][1];
        ENSURE(pelt_baked_validate(&other, NULL) == PELT_ERROR_DATA);
    }
    pelt_baked other = *baked;
    other.encoding = PELT_ENCODING_MATRIX;
    ENSURE(pelt_baked_validate(&other, NULL) == PELT_ERROR_DATA);
    other.encoding = PELT_ENCODING_DQ;
    other.layout = PELT_BAKE_LAYOUT_MODERN;
    ENSURE(pelt_baked_validate(&other, NULL) == PELT_ERROR_DATA);
    other.layout = PELT_BAKE_LAYOUT_COUNT;
    ENSURE(pelt_baked_validate(&other, NULL) == PELT_ERROR_DATA);
    pelt_baked_destroy(baked);
    free(s);
    return 0;
}

// All bytes below the metadata decode to finite numbers.
static int any_bytes_decode(void)
{
    test_random random = {17};
    for (uint32_t e = 0; e < 2; ++e)
    {
        row_of_joints* s = make_row(9, 12, 1.8f, false);
        pelt_baked* baked = bake_thesis(&s->scene, encodings[e], true);
        ENSURE(baked != NULL);
        uint32_t* words = (uint32_t*)baked->words;
        for (uint32_t i = 2 * baked->width; i < baked->width * baked->height; ++i)
        {
            words[i] = (uint32_t)test_uniform(&random, 0.0f, 65535.0f) * 0x10001u;
        }
        ENSURE(pelt_baked_validate(baked, NULL) == PELT_OK);
        for (int i = -10; i < 20; ++i)
        {
            pelt_mat34 motions[9];
            pelt_playback playback = {.base = {0, 0.07f * (float)i, (pelt_wrap)(i & 1)},
                                      .next = {0, 1e9f * (float)i, PELT_WRAP_LOOP},
                                      .fade = 0.3f,
                                      .is_spherical = i % 3 == 0};
            pelt_unbake(motions, baked, &playback);
            for (int k = 0; k < 9 * 12; ++k)
            {
                ENSURE(isfinite(motions[k / 12].m[k % 12 / 4][k % 4]));
            }
        }
        pelt_baked_destroy(baked);
        free(s);
    }
    return 0;
}

static int layouts_have_names(void)
{
    ENSURE(strcmp(pelt_bake_layout_name(PELT_BAKE_LAYOUT_THESIS), "thesis") == 0);
    ENSURE(pelt_bake_layout_find("modern") == PELT_BAKE_LAYOUT_MODERN);
    ENSURE(pelt_bake_layout_find("thesis") == PELT_BAKE_LAYOUT_THESIS);
    ENSURE(pelt_bake_layout_find("") == PELT_BAKE_LAYOUT_COUNT);
    return 0;
}

void test_bake_thesis(void)
{
    RUN(layouts_have_names);
    RUN(textures_have_the_sizes_of_the_thesis);
    RUN(values_are_within_half_a_step);
    RUN(boxes_are_as_tight_as_their_bytes);
    RUN(the_decoder_reads_what_the_page_says);
    RUN(pivots_have_room_at_any_number_of_keys);
    RUN(errors_at_keys_do_not_depend_on_the_rate);
    RUN(padding_changes_the_size_only);
    RUN(matrices_stretch_in_steps_of_a_power_of_two);
    RUN(a_clip_that_loops_wraps);
    RUN(the_first_key_is_at_time_zero);
    RUN(errors_are_those_of_the_steps_at_any_size);
    RUN(what_the_layout_lacks_is_refused_in_a_sentence);
    RUN(changed_metadata_is_refused);
    RUN(textures_of_another_size_are_refused);
    RUN(any_bytes_decode);
}
