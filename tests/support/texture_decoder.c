// SPDX-License-Identifier: MIT
#include "texture_decoder.h"

#include <math.h>
#include <string.h>

// The parts of a motion before the hierarchy; which of them count depends on the kind.
typedef struct parts
{
    double q[4], p[3], s[6];     // pose: rotation x y z w, position, stretch xx yy zz yz zx xy
    double a[3][3];              // matrix: linear part; its position is p
    double real[4], dual[4];     // dual quaternion; its stretch is s
    double path_q[3], path_p[3]; // pose: of this key
} parts;

enum
{
    KIND_POSE = 0,
    KIND_MATRIX = 1,
    KIND_DUAL = 2
};

// ---------------------------------------------------------------------------------------------
// Words and bits

static double float_at(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

static uint32_t bits_at(const uint32_t* words, uint32_t first_word, uint32_t bit, uint32_t count)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t at = bit + i;
        value |= (words[first_word + at / 32] >> at % 32 & 1) << i;
    }
    return value;
}

static void read_component(texture_component* out, uint32_t word, uint32_t* bit, double scale)
{
    uint32_t width = word & 31;
    *out = (texture_component){.word = word, .width = width == 31 ? 32 : width, .bit = *bit};
    if (width == 0)
    {
        out->low = float_at(word & ~31u);
    }
    else if (width != 31)
    {
        uint32_t m = word >> 5 & 31, x = word >> 10 & 31;
        out->low = float_at(word & 0xFFFF8000u);
        out->range = scale * (32.0 + m) * pow(2.0, (double)x - 28.0);
    }
    *bit += out->width;
}

static double component_value(const texture_component* c, const uint32_t* words, uint32_t key)
{
    if (c->width == 0)
    {
        return c->low;
    }
    uint32_t value = bits_at(words, key, c->bit, c->width);
    return c->width == 32 ? float_at(value)
                          : c->low + c->range * (value / (pow(2.0, c->width) - 1.0));
}

static double path_value(uint32_t word, int axis, const uint32_t* words, uint32_t key,
                         uint32_t* bit, double scale)
{
    uint32_t own = word >> 10 * axis, width = own & 15, m = own >> 4 & 1, x = own >> 5 & 31;
    if (width == 0)
    {
        return 0.0;
    }
    double range = scale * (2.0 + m) * pow(2.0, (double)x - 30.0);
    double value = bits_at(words, key, *bit, width);
    *bit += width;
    return range * (value - pow(2.0, width - 1.0)) / pow(2.0, width);
}

// ---------------------------------------------------------------------------------------------
// Quaternions x y z w

static void quat_mul(double out[4], const double a[4], const double b[4])
{
    const double r[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                         a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                         a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                         a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    memcpy(out, r, sizeof r);
}

static double quat_dot(const double a[4], const double b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static void quat_scale(double q[4], double factor)
{
    for (int i = 0; i < 4; ++i)
    {
        q[i] *= factor;
    }
}

static void quat_rotate(double out[3], const double q[4], const double v[3])
{
    const double point[4] = {v[0], v[1], v[2], 0.0}, back[4] = {-q[0], -q[1], -q[2], q[3]};
    double r[4];
    quat_mul(r, q, point);
    quat_mul(r, r, back);
    memcpy(out, r, 3 * sizeof *r);
}

static void quat_of_vector(double q[4], const double a[3])
{
    double square = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    for (int i = 0; i < 3; ++i)
    {
        q[i] = 2.0 * a[i] / (1.0 + square);
    }
    q[3] = (1.0 - square) / (1.0 + square);
}

// From a at 0 to the nearer of b and -b at 1.
static void quat_slerp(double out[4], const double a[4], const double b[4], double u)
{
    double sign = quat_dot(a, b) < 0.0 ? -1.0 : 1.0, across[4];
    for (int i = 0; i < 4; ++i)
    {
        across[i] = sign * b[i] - a[i];
    }
    // The angle from its chord, which is exact where it is small.
    double angle = 2.0 * asin(fmin(1.0, 0.5 * sqrt(quat_dot(across, across))));
    double from = angle > 1e-9 ? sin((1.0 - u) * angle) / sin(angle) : 1.0 - u;
    double to = angle > 1e-9 ? sin(u * angle) / sin(angle) : u;
    for (int i = 0; i < 4; ++i)
    {
        out[i] = from * a[i] + to * sign * b[i];
    }
}

static void quat_of_word(double q[4], uint32_t word)
{
    double a[3];
    for (int i = 0; i < 3; ++i)
    {
        a[i] = ((double)(word >> 10 * i & 1023) - 511.0) / 511.0;
    }
    quat_of_vector(q, a);
}

// ---------------------------------------------------------------------------------------------
// Records

static uint32_t record_of(const uint32_t* words, uint32_t run, uint32_t joint)
{
    uint32_t table = words[run + 5], offset = words[table + joint / 2];
    offset = joint % 2 == 0 ? offset & 0xFFFF : offset >> 16;
    return offset == 0 ? 0 : table + offset;
}

static uint32_t kind_of(uint32_t flags)
{
    return flags >> 20 & 3;
}

static uint32_t stretch_count(uint32_t flags)
{
    uint32_t stretch = flags >> 25 & 3;
    return stretch == 0 ? 0 : stretch == 1 ? 1 : 6;
}

// Reference and axes come before the components.
static uint32_t words_before(uint32_t flags)
{
    return kind_of(flags) == KIND_POSE ? (flags >> 22 & 1) + (flags >> 29 & 1) + (flags >> 30 & 1)
                                       : 0;
}

static uint32_t list_components(texture_component* out, uint32_t* end, const uint32_t* words,
                                uint32_t record)
{
    uint32_t flags = words[record], kind = kind_of(flags), bit = flags & 0xFFFFF, count = 0;
    double unit = float_at(words[7]), stretch_unit = float_at(words[8]), scales[14];
    if (kind == KIND_POSE)
    {
        for (uint32_t i = 0; i < 3 * (flags >> 23 & 1); ++i)
        {
            scales[count++] = 1.0;
        }
        for (uint32_t i = 0; i < 3 * (flags >> 24 & 1); ++i)
        {
            scales[count++] = unit;
        }
    }
    else if (kind == KIND_MATRIX)
    {
        for (; count < 12; ++count)
        {
            scales[count] = count < 9 ? stretch_unit : unit;
        }
    }
    else
    {
        for (; count < 8; ++count)
        {
            scales[count] = count < 4 ? 1.0 : unit;
        }
    }
    for (uint32_t i = 0; kind != KIND_MATRIX && i < stretch_count(flags); ++i)
    {
        scales[count++] = stretch_unit;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        read_component(&out[i], words[record + 1 + words_before(flags) + i], &bit, scales[i]);
    }
    *end = bit;
    return count;
}

uint32_t texture_components(texture_component* out, const uint32_t* words, uint32_t run_word,
                            uint32_t joint)
{
    uint32_t record = record_of(words, run_word, joint), end;
    return record == 0 ? 0 : list_components(out, &end, words, record);
}

uint32_t texture_joint_bits(const uint32_t* words, uint32_t run_word, uint32_t joint)
{
    texture_component list[14];
    uint32_t record = record_of(words, run_word, joint), end;
    if (record == 0)
    {
        return 0;
    }
    uint32_t flags = words[record], count = list_components(list, &end, words, record);
    uint32_t path = record + 1 + words_before(flags) + count;
    for (int i = 0; kind_of(flags) == KIND_POSE && i < 2; ++i)
    {
        if (flags >> (27 + i) & 1)
        {
            end += (words[path] & 15) + (words[path] >> 10 & 15) + (words[path] >> 20 & 15);
            ++path;
        }
    }
    return end - (flags & 0xFFFFF);
}

static void read_pose(parts* out, const uint32_t* words, uint32_t record, uint32_t key)
{
    uint32_t flags = words[record], next = record + 1, bit;
    double reference[4] = {0, 0, 0, 1}, rotation_axes[4] = {0, 0, 0, 1}, axes[4] = {0, 0, 0, 1};
    double unit = float_at(words[7]);
    if (flags >> 22 & 1)
    {
        quat_of_word(reference, words[next++]);
        memcpy(out->q, reference, sizeof reference);
    }
    if (flags >> 29 & 1)
    {
        quat_of_word(rotation_axes, words[next++]);
    }
    if (flags >> 30 & 1)
    {
        quat_of_word(axes, words[next++]);
    }
    texture_component list[14];
    uint32_t count = list_components(list, &bit, words, record), at = 0;
    double values[14];
    for (uint32_t i = 0; i < count; ++i)
    {
        values[i] = component_value(&list[i], words, key);
    }
    next += count;
    if (flags >> 23 & 1)
    {
        double rotation[3], own[4];
        quat_rotate(rotation, rotation_axes, values);
        quat_of_vector(own, rotation);
        quat_mul(out->q, reference, own);
        at += 3;
    }
    if (flags >> 24 & 1)
    {
        quat_rotate(out->p, axes, values + at);
        at += 3;
    }
    for (uint32_t i = 0; i < 6 && stretch_count(flags) > 0; ++i)
    {
        out->s[i] = stretch_count(flags) == 6 ? values[at + i] : i < 3 ? values[at] : 0.0;
    }
    for (int part = 0; part < 2; ++part)
    {
        double vector[3];
        if (flags >> (27 + part) & 1)
        {
            for (int i = 0; i < 3; ++i)
            {
                vector[i] = path_value(words[next], i, words, key, &bit, part == 0 ? 1.0 : unit);
            }
            ++next;
            quat_rotate(part == 0 ? out->path_q : out->path_p, part == 0 ? rotation_axes : axes,
                        vector);
        }
    }
}

// A joint in a key; without a record it has no rotation, its pivot as position and no stretch.
static parts read_key(const uint32_t* words, uint32_t record, uint32_t key, const double pivot[3])
{
    parts out = {.q = {0, 0, 0, 1},
                 .p = {pivot[0], pivot[1], pivot[2]},
                 .s = {1, 1, 1, 0, 0, 0},
                 .a = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                 .real = {0, 0, 0, 1},
                 .dual = {0.5 * pivot[0], 0.5 * pivot[1], 0.5 * pivot[2], 0.0}};
    uint32_t kind = record == 0 ? KIND_POSE : kind_of(words[record]), bit;
    texture_component list[14];
    if (record != 0 && kind == KIND_POSE)
    {
        read_pose(&out, words, record, key);
        return out;
    }
    uint32_t count = record == 0 ? 0 : list_components(list, &bit, words, record);
    for (uint32_t i = 0; i < count; ++i)
    {
        double value = component_value(&list[i], words, key);
        double* number = kind == KIND_MATRIX ? (i < 9 ? &out.a[i / 3][i % 3] : &out.p[i - 9])
                         : i < 4             ? &out.real[i]
                         : i < 8             ? &out.dual[i - 4]
                                             : &out.s[i - 8];
        *number = value;
        if (kind == KIND_DUAL && i >= 8 && count == 9)
        {
            out.s[1] = out.s[2] = value;
        }
    }
    return out;
}

// ---------------------------------------------------------------------------------------------
// Interpolation

static double mix(double a, double b, double u)
{
    return (1.0 - u) * a + u * b;
}

// A column keeps its interpolated length and goes on the arc, up to a right angle.
static void mix_column(parts* out, const parts* a, const parts* b, int column, double u)
{
    double x[3], y[3], length_x = 0.0, length_y = 0.0, cosine = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        x[i] = a->a[i][column];
        y[i] = b->a[i][column];
        length_x += x[i] * x[i];
        length_y += y[i] * y[i];
        cosine += x[i] * y[i];
    }
    length_x = sqrt(length_x);
    length_y = sqrt(length_y);
    if (!(length_x > 0.0 && length_y > 0.0) || !(cosine >= 0.0))
    {
        return;
    }
    double angle = acos(fmin(1.0, cosine / (length_x * length_y)));
    double from = angle > 1e-7 ? sin((1.0 - u) * angle) / sin(angle) : 1.0 - u;
    double to = angle > 1e-7 ? sin(u * angle) / sin(angle) : u;
    for (int i = 0; i < 3; ++i)
    {
        out->a[i][column] =
            mix(length_x, length_y, u) * (from * x[i] / length_x + to * y[i] / length_y);
    }
}

// Everything but paths, which belong to keys.
static parts mix_parts(const parts* a, const parts* b, double u, bool is_spherical)
{
    parts out = *a;
    quat_slerp(out.q, a->q, b->q, u);
    double sign = quat_dot(a->real, b->real) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 4; ++i)
    {
        out.real[i] = mix(a->real[i], sign * b->real[i], u);
        out.dual[i] = mix(a->dual[i], sign * b->dual[i], u);
    }
    double length = sqrt(quat_dot(out.real, out.real));
    quat_scale(out.real, 1.0 / length);
    quat_scale(out.dual, 1.0 / length);
    for (int i = 0; i < 3; ++i)
    {
        out.p[i] = mix(a->p[i], b->p[i], u);
        out.path_q[i] = out.path_p[i] = 0.0;
        for (int k = 0; k < 3; ++k)
        {
            out.a[i][k] = mix(a->a[i][k], b->a[i][k], u);
        }
    }
    for (int i = 0; i < 6; ++i)
    {
        out.s[i] = mix(a->s[i], b->s[i], u);
    }
    for (int i = 0; is_spherical && i < 3; ++i)
    {
        mix_column(&out, a, b, i, u);
    }
    return out;
}

static parts mix_keys(const parts* a, const parts* b, double u, bool is_spherical)
{
    parts out = mix_parts(a, b, u, is_spherical);
    double hump = 4.0 * u * (1.0 - u);
    const double more[4] = {hump * a->path_q[0], hump * a->path_q[1], hump * a->path_q[2], 1.0};
    quat_mul(out.q, out.q, more);
    quat_scale(out.q, 1.0 / sqrt(quat_dot(out.q, out.q)));
    for (int i = 0; i < 3; ++i)
    {
        out.p[i] += hump * a->path_p[i];
    }
    return out;
}

// ---------------------------------------------------------------------------------------------
// Time

typedef struct moment
{
    uint32_t run, key, next; // words
    double u;
} moment;

uint32_t texture_run(const uint32_t* words, uint32_t clip, uint32_t run)
{
    return words[words[6] + 4 * clip] + 8 * run;
}

static moment find_moment(const uint32_t* words, const pelt_moment* at)
{
    const uint32_t* clip = words + words[6] + 4 * at->clip;
    double t = (double)at->time, duration = float_at(clip[2]);
    if (at->wrap == PELT_WRAP_LOOP)
    {
        t = duration > 0.0 ? t - floor(t / duration) * duration : 0.0;
    }
    else
    {
        t = fmin(fmax(t, 0.0), duration);
    }
    uint32_t run = clip[0];
    for (uint32_t i = 1; i < clip[1]; ++i)
    {
        run = float_at(words[clip[0] + 8 * i]) <= t ? clip[0] + 8 * i : run;
    }
    double x = (t - float_at(words[run])) * float_at(words[run + 1]);
    uint32_t n = words[run + 2], k, next;
    if (clip[3] & 1)
    {
        x = fmin(fmax(x, 0.0), n);
        k = (uint32_t)fmin(floor(x), n - 1.0);
        next = (k + 1) % n;
    }
    else
    {
        x = fmin(fmax(x, 0.0), n - 1.0);
        k = (uint32_t)floor(x);
        next = k + 1 < n ? k + 1 : n - 1;
    }
    double u = words[run + 6] & 1 ? 0.0 : x - k;
    return (moment){run, words[run + 3] + k * words[run + 4],
                    words[run + 3] + next * words[run + 4], u};
}

// ---------------------------------------------------------------------------------------------
// Joints

static parts joint_at(const uint32_t* words, const pelt_moment* at, uint32_t joint,
                      const double pivot[3], bool is_spherical)
{
    moment m = find_moment(words, at);
    uint32_t record = record_of(words, m.run, joint);
    parts a = read_key(words, record, m.key, pivot), b = read_key(words, record, m.next, pivot);
    return mix_keys(&a, &b, m.u, is_spherical);
}

static void add_change(parts* out, const uint32_t* words, const pelt_moment* at, uint32_t joint,
                       const double pivot[3], double weight)
{
    uint32_t run = texture_run(words, at->clip, 0), record = record_of(words, run, joint);
    parts first = read_key(words, record, words[run + 3], pivot);
    parts now = joint_at(words, at, joint, pivot, false);
    const double back[4] = {-first.q[0], -first.q[1], -first.q[2], first.q[3]},
                 none[4] = {0, 0, 0, 1};
    double change[4];
    quat_mul(change, back, now.q);
    quat_slerp(change, none, change, weight);
    quat_mul(out->q, out->q, change);
    for (int i = 0; i < 6; ++i)
    {
        out->s[i] += weight * (now.s[i] - first.s[i]);
        out->p[i % 3] += i < 3 ? weight * (now.p[i] - first.p[i]) : 0.0;
    }
}

// The columns of X, and where it takes the pivot.
static void apply_parts(texture_motion* out, const parts* own, uint32_t kind, const double pivot[3])
{
    const double s[3][3] = {{own->s[0], own->s[5], own->s[4]},
                            {own->s[5], own->s[1], own->s[3]},
                            {own->s[4], own->s[3], own->s[2]}};
    double at_pivot[3] = {own->p[0], own->p[1], own->p[2]};
    if (kind == KIND_DUAL)
    {
        const double back[4] = {-own->real[0], -own->real[1], -own->real[2], own->real[3]};
        double twice[4];
        quat_mul(twice, own->dual, back);
        for (int i = 0; i < 3; ++i)
        {
            at_pivot[i] = 2.0 * twice[i];
        }
    }
    for (int k = 0; k < 3; ++k)
    {
        double column[3] = {s[0][k], s[1][k], s[2][k]};
        if (kind == KIND_MATRIX)
        {
            for (int i = 0; i < 3; ++i)
            {
                column[i] = own->a[i][k];
            }
        }
        else
        {
            quat_rotate(column, kind == KIND_DUAL ? own->real : own->q, column);
        }
        for (int i = 0; i < 3; ++i)
        {
            out->m[i][k] = column[i];
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        out->m[i][3] = at_pivot[i] - out->m[i][0] * pivot[0] - out->m[i][1] * pivot[1] -
                       out->m[i][2] * pivot[2];
    }
}

// All records of a texture are of one kind.
static uint32_t texture_kind(const uint32_t* words)
{
    for (uint32_t c = 0; c < words[5]; ++c)
    {
        for (uint32_t r = 0; r < words[words[6] + 4 * c + 1]; ++r)
        {
            for (uint32_t joint = 0; joint < words[3]; ++joint)
            {
                uint32_t record = record_of(words, texture_run(words, c, r), joint);
                if (record != 0)
                {
                    return kind_of(words[record]);
                }
            }
        }
    }
    return KIND_POSE;
}

static texture_motion joint_motion(const uint32_t* words, const pelt_playback* play, uint32_t joint,
                                   uint32_t kind)
{
    const uint32_t* entry = words + words[4] + 4 * joint;
    const double pivot[3] = {float_at(entry[1]), float_at(entry[2]), float_at(entry[3])};
    parts own = joint_at(words, &play->base, joint, pivot, play->is_spherical);
    if (play->fade > 0.0f)
    {
        parts other = joint_at(words, &play->next, joint, pivot, play->is_spherical);
        own = mix_parts(&own, &other, (double)play->fade, false);
    }
    if (kind == KIND_POSE && play->additive_weight != 0.0f)
    {
        add_change(&own, words, &play->additive, joint, pivot, (double)play->additive_weight);
    }
    texture_motion out;
    apply_parts(&out, &own, kind, pivot);
    return out;
}

void texture_decode(texture_motion* out, const uint32_t* words, const pelt_playback* playback)
{
    uint32_t kind = texture_kind(words);
    for (uint32_t joint = 0; joint < words[3]; ++joint)
    {
        texture_motion own = joint_motion(words, playback, joint, kind);
        uint32_t parent = words[words[4] + 4 * joint];
        while (parent != UINT32_MAX)
        {
            texture_motion above = joint_motion(words, playback, parent, kind), both;
            for (int i = 0; i < 3; ++i)
            {
                for (int k = 0; k < 4; ++k)
                {
                    both.m[i][k] = above.m[i][0] * own.m[0][k] + above.m[i][1] * own.m[1][k] +
                                   above.m[i][2] * own.m[2][k] + (k == 3 ? above.m[i][3] : 0.0);
                }
            }
            own = both;
            parent = words[words[4] + 4 * parent];
        }
        out[joint] = own;
    }
}

// ---------------------------------------------------------------------------------------------
// Vertices

static void normalize(double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; ++i)
    {
        v[i] /= length;
    }
}

static void octahedron(double out[3], double x, double y)
{
    double z = 1.0 - fabs(x) - fabs(y), old = x;
    if (z < 0.0)
    {
        x = (1.0 - fabs(y)) * (x < 0.0 ? -1.0 : 1.0);
        y = (1.0 - fabs(old)) * (y < 0.0 ? -1.0 : 1.0);
    }
    out[0] = x;
    out[1] = y;
    out[2] = z;
    normalize(out);
}

static void vertex_key(double offset[3], double normal[3], const uint32_t* words, uint32_t table,
                       uint32_t key, uint32_t vertex)
{
    uint32_t width = words[table] & 255, normal_width = words[table] >> 8 & 255;
    uint32_t first = words[table] >> 16 & 1 ? table + 1 : table + 1 + 3 * vertex;
    uint32_t bit = vertex * (3 * width + 2 * normal_width);
    for (int i = 0; i < 3; ++i)
    {
        texture_component own;
        uint32_t at = bit + (uint32_t)i * width;
        read_component(&own, words[first + (uint32_t)i], &at, float_at(words[7]));
        offset[i] = component_value(&own, words, key);
    }
    bit += 3 * width;
    normal[0] = normal[1] = normal[2] = 0.0;
    if (normal_width > 0)
    {
        double steps = pow(2.0, normal_width) - 1.0;
        octahedron(normal, 2.0 * bits_at(words, key, bit, normal_width) / steps - 1.0,
                   2.0 * bits_at(words, key, bit + normal_width, normal_width) / steps - 1.0);
    }
}

static void mix_vertex(double a[3], double normal_a[3], const double b[3], const double normal_b[3],
                       double u)
{
    for (int i = 0; i < 3; ++i)
    {
        a[i] = mix(a[i], b[i], u);
        normal_a[i] = mix(normal_a[i], normal_b[i], u);
    }
    if (normal_a[0] != 0.0 || normal_a[1] != 0.0 || normal_a[2] != 0.0)
    {
        normalize(normal_a);
    }
}

static void vertex_moment(double offset[3], double normal[3], const uint32_t* words,
                          const pelt_moment* at, uint32_t vertex)
{
    moment m = find_moment(words, at);
    double next[3], next_normal[3];
    vertex_key(offset, normal, words, words[m.run + 5], m.key, vertex);
    vertex_key(next, next_normal, words, words[m.run + 5], m.next, vertex);
    mix_vertex(offset, normal, next, next_normal, m.u);
}

void texture_decode_vertex(double position[3], double normal[3], const uint32_t* words,
                           const pelt_playback* playback, const double rest[3], uint32_t vertex)
{
    vertex_moment(position, normal, words, &playback->base, vertex);
    if (playback->fade > 0.0f)
    {
        double next[3], next_normal[3];
        vertex_moment(next, next_normal, words, &playback->next, vertex);
        mix_vertex(position, normal, next, next_normal, (double)playback->fade);
    }
    for (int i = 0; i < 3; ++i)
    {
        position[i] += rest[i];
    }
}
