// SPDX-License-Identifier: MIT
#include "random_bake.h"

#include <string.h>

enum
{
    WIDTH = 61, // of the texture, in texels: no power of two
    WORD_MAX = 1 << 17,
    RUN_MAX = 3,
    TRACK_MAX = 13, // components of a record
};

// A texture while it is written.
typedef struct writer
{
    test_random random;
    const random_bake_desc* desc;
    pelt_baked* baked;
    uint32_t* words;
    uint32_t count;
} writer;

static uint32_t dice(writer* w, uint32_t count)
{
    uint32_t face = (uint32_t)test_uniform(&w->random, 0.0f, (float)count);
    return face < count ? face : count - 1;
}

static uint32_t bits_of(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

// Words at an address that is no multiple of anything.
static uint32_t reserve(writer* w, uint32_t count)
{
    uint32_t first = w->count + dice(w, 4);
    w->count = first + count;
    PELT_ASSERT(w->count < WORD_MAX);
    return first;
}

static void write_bits(uint32_t* words, size_t bit, uint32_t width, uint32_t value)
{
    for (uint32_t i = 0; i < width; ++i, ++bit)
    {
        words[bit / 32] |= (value >> i & 1) << bit % 32;
    }
}

// ---------------------------------------------------------------------------------------------
// Records

// What a key holds of a component: so many bits, floats where they are 32.
typedef struct track
{
    uint32_t bits;
    float low, high;
} track;

typedef struct layout
{
    track tracks[2 * TRACK_MAX];
    uint32_t track_count, path_bits[6], path_count;
    uint32_t first_bit;
} layout;

// A component from low to about high.
static void add_component(writer* w, layout* out, float low, float high, float scale)
{
    static const uint32_t widths[] = {0, 1, 5, 8, 11, 16, 17, 21, 24, 31};
    uint32_t width = widths[dice(w, sizeof widths / sizeof widths[0])];
    uint32_t at = w->count++;
    if (width == 0)
    {
        w->words[at] = bits_of(test_uniform(&w->random, low, high)) & ~31u;
        return;
    }
    if (width == 31)
    {
        w->words[at] = 31;
    }
    else
    {
        // 63 * 2^(x - 28) * scale is the widest range with that exponent.
        uint32_t x = 0;
        while (x < 30 && 63.0f * ldexpf(scale, (int)x + 1 - 28) < high - low)
        {
            ++x;
        }
        w->words[at] = (bits_of(low) & 0xFFFF8000u) | x << 10 | dice(w, 32) << 5 | width;
    }
    out->tracks[out->track_count++] = (track){width == 31 ? 32 : width, low, high};
}

static void add_components(writer* w, layout* out, int count, float low, float high, float scale)
{
    for (int i = 0; i < count; ++i)
    {
        add_component(w, out, low, high, scale);
    }
}

static void add_path(writer* w, layout* out)
{
    uint32_t word = 0;
    for (uint32_t i = 0; i < 3; ++i)
    {
        uint32_t width = dice(w, 16);
        word |= (width | dice(w, 2) << 4 | 27u << 5) << 10 * i;
        out->path_bits[out->path_count++] = width;
    }
    w->words[w->count++] = word;
}

static void add_stretch(writer* w, layout* out, uint32_t* flags)
{
    float unit = w->baked->stretch_unit;
    float side = w->desc->is_mirrored ? -1.0f : 1.0f;
    uint32_t kind = w->desc->is_mirrored ? 2 : w->desc->has_stretch ? dice(w, 3) : 0;
    *flags |= kind << 25;
    if (kind > 0)
    {
        add_components(w, out, kind == 1 ? 1 : 3, side * 1.0f - 0.3f, side * 1.0f + 0.3f, unit);
        add_components(w, out, kind == 1 ? 0 : 3, -0.2f, 0.2f, unit);
    }
}

static void add_pose(writer* w, layout* out, uint32_t* flags)
{
    static const uint32_t rotations[] = {22, 29, 30}; // reference, axes of rotation and position
    float rotation = w->desc->is_calm ? 0.1f : 0.4f;
    for (uint32_t i = w->desc->is_calm ? 1 : 0; i < 3; ++i)
    {
        if (dice(w, 2))
        {
            *flags |= 1u << rotations[i];
            w->words[w->count++] = dice(w, 1023) | dice(w, 1023) << 10 | dice(w, 1023) << 20;
        }
    }
    if (dice(w, 5))
    {
        *flags |= 1u << 23;
        add_components(w, out, 3, -rotation, rotation, 1.0f);
    }
    if (dice(w, 5))
    {
        *flags |= 1u << 24;
        add_components(w, out, 3, -0.5f, 0.5f, w->baked->unit);
    }
    add_stretch(w, out, flags);
    for (uint32_t i = 0; i < 2; ++i)
    {
        if (dice(w, 2))
        {
            *flags |= 1u << (27 + i);
            add_path(w, out);
        }
    }
}

// The record of a joint; its values begin at a bit of the keys.
static void add_record(writer* w, layout* out)
{
    uint32_t at = w->count++, flags = out->first_bit;
    switch (w->desc->encoding)
    {
    case PELT_ENCODING_MATRIX:
        flags |= 1u << 20;
        add_components(w, out, 9, -1.0f, 1.0f, w->baked->stretch_unit);
        add_components(w, out, 3, -0.5f, 0.5f, w->baked->unit);
        break;
    case PELT_ENCODING_DQ:
        flags |= 2u << 20;
        add_components(w, out, 4, 0.2f, 0.8f, 1.0f);
        add_components(w, out, 4, -0.5f, 0.5f, w->baked->unit);
        add_stretch(w, out, &flags);
        break;
    default:
        add_pose(w, out, &flags);
        break;
    }
    w->words[at] = flags;
}

static uint32_t layout_bits(const layout* in)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < in->track_count; ++i)
    {
        bits += in->tracks[i].bits;
    }
    for (uint32_t i = 0; i < in->path_count; ++i)
    {
        bits += in->path_bits[i];
    }
    return bits;
}

static void fill_key(writer* w, const layout* in, uint32_t* key)
{
    uint32_t bit = in->first_bit;
    for (uint32_t i = 0; i < in->track_count; ++i)
    {
        const track* t = &in->tracks[i];
        uint32_t value = (uint32_t)((double)test_uniform(&w->random, 0.0f, 0.999f) *
                                    (double)(UINT64_C(1) << t->bits));
        value = t->bits == 32 ? bits_of(test_uniform(&w->random, t->low, t->high)) : value;
        write_bits(key, bit, t->bits, value);
        bit += t->bits;
    }
    for (uint32_t i = 0; i < in->path_count; ++i)
    {
        write_bits(key, bit, in->path_bits[i], dice(w, 1u << in->path_bits[i]));
        bit += in->path_bits[i];
    }
}

// ---------------------------------------------------------------------------------------------
// Runs and clips

// Positions of vertices: any bits are values.
static void add_vertices(writer* w, pelt_baked_run* out)
{
    uint32_t width = 1 + dice(w, 24), normal_width = 1 + dice(w, 16), is_shared = dice(w, 2);
    uint32_t slot_count = w->desc->joint_count;
    uint32_t component_count = is_shared ? 3 : 3 * slot_count;
    out->table = reserve(w, 1 + component_count);
    w->words[out->table] = width | normal_width << 8 | is_shared << 16;
    for (uint32_t i = 0; i < component_count; ++i)
    {
        float low = test_uniform(&w->random, -0.5f, 0.5f);
        // From -0.5 to 0.5 plus 32 to 63 times 2^-6 of the unit, or constant.
        w->words[out->table + 1 + i] =
            dice(w, 4) ? (bits_of(low) & 0xFFFF8000u) | 22u << 10 | dice(w, 32) << 5 | width
                       : bits_of(low) & ~31u;
    }
    out->key_words = (slot_count * (3 * width + 2 * normal_width) + 31) / 32;
    out->first_word = reserve(w, out->key_words * out->key_count);
    for (uint32_t i = 0; i < out->key_words * out->key_count; ++i)
    {
        w->words[out->first_word + i] = dice(w, 1u << 16) | dice(w, 1u << 16) << 16;
    }
}

static void add_joint_records(writer* w, pelt_baked_run* out)
{
    static layout layouts[64];
    uint32_t joint_count = w->desc->joint_count, bit = 0;
    PELT_ASSERT(joint_count <= 64);
    out->table = reserve(w, (joint_count + 1) / 2);
    for (uint32_t joint = 0; joint < joint_count; ++joint)
    {
        layouts[joint] = (layout){.first_bit = bit + dice(w, 9)};
        if (dice(w, 6) > 0 || w->desc->is_mirrored)
        {
            w->words[out->table + joint / 2] |= (w->count - out->table) << 16 * (joint % 2);
            add_record(w, &layouts[joint]);
        }
        bit = layouts[joint].first_bit + layout_bits(&layouts[joint]);
    }
    out->key_words = (bit + 31) / 32 + 1 + dice(w, 3);
    out->first_word = reserve(w, out->key_words * out->key_count);
    for (uint32_t key = 0; key < out->key_count; ++key)
    {
        for (uint32_t joint = 0; joint < joint_count; ++joint)
        {
            fill_key(w, &layouts[joint], w->words + out->first_word + key * out->key_words);
        }
    }
}

static void add_run(writer* w, pelt_baked_run* out, uint32_t word)
{
    if (w->desc->encoding == PELT_ENCODING_VERTEX)
    {
        add_vertices(w, out);
    }
    else
    {
        add_joint_records(w, out);
    }
    const uint32_t run[8] = {bits_of(out->start), bits_of(out->rate), out->key_count,
                             out->first_word,     out->key_words,     out->table,
                             out->is_held};
    memcpy(w->words + word, run, sizeof run);
}

// Clip 0 wraps, clip 1 does not, clip 2 has one key, clip 3 holds its keys, the others have more
// runs than one.
static void add_clip(writer* w, pelt_baked_clip* out, pelt_baked_run* runs, uint32_t index,
                     uint32_t word)
{
    float start = 0.0f;
    *out = (pelt_baked_clip){.name = "clip", .loops = index == 0, .wraps = index == 0};
    out->run_count = index < 4 ? 1 : index - 2;
    out->runs = runs;
    uint32_t first_run = reserve(w, 8 * out->run_count);
    for (uint32_t i = 0; i < out->run_count; ++i)
    {
        uint32_t key_count = index == 2 ? 1 : 2 + dice(w, 5);
        runs[i] = (pelt_baked_run){.start = start,
                                   .rate = index == 2 ? 0.0f : 10.0f + (float)dice(w, 20),
                                   .key_count = key_count,
                                   .is_held = index == 3 || (index == 5 && i == 1)};
        uint32_t steps = out->wraps ? key_count : key_count - 1;
        start += index == 2 ? 0.5f : (float)steps / runs[i].rate;
        add_run(w, &runs[i], first_run + 8 * i);
    }
    out->duration = start;
    const uint32_t clip[4] = {first_run, out->run_count, bits_of(start),
                              (uint32_t)out->wraps | (uint32_t)out->loops << 1};
    memcpy(w->words + word, clip, sizeof clip);
}

// Joints in a random order, each with one of those before it as a parent.
static void add_joints(writer* w, pelt_baked_joint* joints, uint32_t* order, uint32_t word)
{
    uint32_t count = w->desc->joint_count;
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t at = dice(w, i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        bool is_root = i == 0 || !w->desc->has_parents || dice(w, 6) == 0;
        pelt_baked_joint* joint = &joints[order[i]];
        *joint = (pelt_baked_joint){.name = "joint",
                                    .parent = is_root ? PELT_NONE : order[i - 1 - dice(w, i) / 2],
                                    .pivot = test_point(&w->random, 0.5f)};
        const uint32_t row[4] = {joint->parent, bits_of(joint->pivot.x), bits_of(joint->pivot.y),
                                 bits_of(joint->pivot.z)};
        memcpy(w->words + word + 4 * order[i], row, sizeof row);
    }
}

static bool add_instance(writer* w)
{
    pelt_arena* arena = w->baked->arena;
    pelt_baked_instance* instance = pelt_arena_alloc(arena, 1, sizeof *instance);
    uint32_t* ids = pelt_arena_alloc(arena, w->desc->vertex_count, sizeof *ids);
    if (instance == NULL || ids == NULL)
    {
        return false;
    }
    for (uint32_t v = 0; v < w->desc->vertex_count; ++v)
    {
        ids[v] = dice(w, w->desc->joint_count);
    }
    *instance = (pelt_baked_instance){
        .name = "mesh", .vertex_count = w->desc->vertex_count, .vertex_ids = ids};
    w->baked->instance_count = 1;
    w->baked->instances = instance;
    w->baked->vertex_count = w->desc->joint_count;
    w->baked->joint_count = 0;
    return true;
}

static void finish(writer* w)
{
    uint32_t texel_words = pelt_texel_words(w->desc->texel);
    w->baked->width = WIDTH;
    w->baked->height = w->count / texel_words / WIDTH + 1;
    PELT_ASSERT(w->baked->height * WIDTH * texel_words <= WORD_MAX);
    w->baked->words = w->words;
}

pelt_baked* random_bake_make(const random_bake_desc* desc)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_baked* baked = pelt_arena_alloc(arena, 1, sizeof *baked);
    uint32_t* words = pelt_arena_alloc(arena, WORD_MAX, sizeof *words);
    pelt_baked_joint* joints = pelt_arena_alloc(arena, desc->joint_count, sizeof *joints);
    uint32_t* order = pelt_arena_alloc(arena, desc->joint_count, sizeof *order);
    pelt_baked_clip* clips = pelt_arena_alloc(arena, BAKED_FIXTURE_CLIPS, sizeof *clips);
    pelt_baked_run* runs = pelt_arena_alloc(arena, BAKED_FIXTURE_CLIPS * RUN_MAX, sizeof *runs);
    if (!baked || !words || !joints || !order || !clips || !runs)
    {
        pelt_arena_destroy(arena);
        return NULL;
    }
    *baked = (pelt_baked){.encoding = desc->encoding,
                          .texel = desc->texel,
                          .unit = 0.25f,
                          .stretch_unit = 0.5f,
                          .clip_count = BAKED_FIXTURE_CLIPS,
                          .joint_count = desc->joint_count,
                          .clips = clips,
                          .joints = joints,
                          .joint_order = order,
                          .root = PELT_NONE,
                          .arena = arena};
    writer w = {.random = {desc->seed}, .desc = desc, .baked = baked, .words = words, .count = 12};
    bool has_vertices = desc->encoding == PELT_ENCODING_VERTEX;
    uint32_t joint_word = has_vertices ? 0 : reserve(&w, 4 * desc->joint_count);
    uint32_t clip_word = reserve(&w, 4 * BAKED_FIXTURE_CLIPS);
    const uint32_t header[12] = {0x544C4550,
                                 1,
                                 has_vertices,
                                 desc->joint_count,
                                 joint_word,
                                 BAKED_FIXTURE_CLIPS,
                                 clip_word,
                                 bits_of(baked->unit),
                                 bits_of(baked->stretch_unit)};
    memcpy(words, header, sizeof header);
    if (has_vertices && !add_instance(&w))
    {
        pelt_arena_destroy(arena);
        return NULL;
    }
    if (!has_vertices)
    {
        add_joints(&w, joints, order, joint_word);
    }
    for (uint32_t i = 0; i < BAKED_FIXTURE_CLIPS; ++i)
    {
        add_clip(&w, &clips[i], runs + RUN_MAX * i, i, clip_word + 4 * i);
    }
    finish(&w);
    return baked;
}

// ---------------------------------------------------------------------------------------------

static pelt_moment play_moment(const pelt_baked* baked, test_random* random)
{
    uint32_t index = (uint32_t)test_uniform(random, 0.0f, (float)baked->clip_count - 0.01f);
    const pelt_baked_clip* clip = &baked->clips[index];
    pelt_moment moment = {.clip = index};
    moment.time = test_uniform(random, -1.5f, 2.5f) * clip->duration;
    moment.wrap = test_uniform(random, 0.0f, 1.0f) < 0.5f ? PELT_WRAP_LOOP : PELT_WRAP_CLAMP;
    if (test_uniform(random, 0.0f, 1.0f) < 0.25f)
    {
        // Half of a rounding behind the key, as a held one is either side of it otherwise.
        const pelt_baked_run* run = &clip->runs[clip->run_count - 1];
        moment.time = run->rate > 0.0f ? run->start + 1.0001f / run->rate : run->start;
        moment.wrap = PELT_WRAP_CLAMP;
    }
    return moment;
}

pelt_playback random_bake_play(const pelt_baked* baked, test_random* random)
{
    pelt_playback playback = {.base = play_moment(baked, random),
                              .next = play_moment(baked, random),
                              .additive = play_moment(baked, random)};
    bool fades = test_uniform(random, 0.0f, 1.0f) < 0.5f;
    bool adds = test_uniform(random, 0.0f, 1.0f) < 0.5f;
    playback.fade = fades ? test_uniform(random, 0.0f, 1.0f) : 0.0f;
    bool has_poses = baked->encoding == PELT_ENCODING_QT || baked->encoding == PELT_ENCODING_LOCAL;
    playback.additive_weight = adds && has_poses ? test_uniform(random, 0.0f, 1.0f) : 0.0f;
    playback.is_spherical =
        baked->encoding == PELT_ENCODING_MATRIX && test_uniform(random, 0.0f, 1.0f) < 0.5f;
    return playback;
}
