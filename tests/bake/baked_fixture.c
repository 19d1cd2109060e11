// SPDX-License-Identifier: MIT
#include "baked_fixture.h"

#include <string.h>

enum
{
    HEADER_WORDS = 12,
    CLIP_COUNT = 2,
    RUN_COUNT = 3,
    KEY_COUNT = 6,
    VERTEX_COUNT = 24,
    WIDTH_BITS = 16,
    NORMAL_BITS = 8,
    ROW_WORDS = 32,
};

typedef struct fixture_builder
{
    pelt_baked* out;
    uint32_t* words;
    uint32_t used;
    bool is_vertex;
} fixture_builder;

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void put(fixture_builder* b, uint32_t word)
{
    b->words[b->used++] = word;
}

// From -1 on, over a range of 8 * 2^(23 - 26) = 1 times the scale.
static uint32_t component(void)
{
    return WIDTH_BITS | 23u << 8 | bits_of(-1.0f);
}

static void put_joint_table(fixture_builder* b)
{
    uint32_t count = b->out->joint_count, records = (count + 1) / 2;
    for (uint32_t i = 0; i < records; ++i)
    {
        put(b, i == 0 ? records : 0); // joint 0 has the one record
    }
    put(b, 1u << 23 | 1u << 24);
    for (int i = 0; i < 6; ++i)
    {
        put(b, component());
    }
}

static void put_vertex_table(fixture_builder* b)
{
    put(b, WIDTH_BITS | NORMAL_BITS << 8 | 1u << 16);
    for (int i = 0; i < 3; ++i)
    {
        put(b, component());
    }
}

static void put_keys(fixture_builder* b, pelt_baked_run* run)
{
    uint32_t bits = b->is_vertex ? VERTEX_COUNT * (3 * WIDTH_BITS + 2 * NORMAL_BITS) : 96;
    run->key_words = bits / 32;
    run->first_word = b->used;
    for (uint32_t i = 0; i < run->key_count * run->key_words; ++i)
    {
        put(b, 0x9E3779B9u * (b->used + 1));
    }
}

static void put_run(fixture_builder* b, uint32_t at, const pelt_baked_run* run)
{
    const uint32_t words[8] = {
        bits_of(run->start), bits_of(run->rate), run->key_count, run->first_word,
        run->key_words,      run->table,         run->is_held,   0};
    memcpy(b->words + at, words, sizeof words);
}

static void put_header(fixture_builder* b)
{
    pelt_baked* out = b->out;
    uint32_t joints = b->is_vertex ? 0 : out->joint_count;
    const uint32_t header[HEADER_WORDS] = {0x544C4550,
                                           1,
                                           b->is_vertex,
                                           b->is_vertex ? out->vertex_count : joints,
                                           b->is_vertex ? 0 : HEADER_WORDS,
                                           CLIP_COUNT,
                                           HEADER_WORDS + 4 * joints,
                                           bits_of(out->unit),
                                           bits_of(out->stretch_unit)};
    memcpy(b->words, header, sizeof header);
    b->used = HEADER_WORDS;
    for (uint32_t i = 0; i < joints; ++i)
    {
        const pelt_baked_joint* joint = &out->joints[i];
        put(b, joint->parent);
        put(b, bits_of(joint->pivot.x));
        put(b, bits_of(joint->pivot.y));
        put(b, bits_of(joint->pivot.z));
    }
}

static void put_clips(fixture_builder* b, pelt_baked_run* runs)
{
    uint32_t first = b->used + CLIP_COUNT * 4;
    for (uint32_t i = 0, run = 0; i < CLIP_COUNT; run += b->out->clips[i++].run_count)
    {
        const pelt_baked_clip* clip = &b->out->clips[i];
        put(b, first + 8 * run);
        put(b, clip->run_count);
        put(b, bits_of(clip->duration));
        put(b, (clip->wraps ? 1u : 0u) | (clip->loops ? 2u : 0u));
    }
    b->used += RUN_COUNT * 8;
    for (uint32_t i = 0; i < RUN_COUNT; ++i)
    {
        runs[i].table = b->used;
        if (b->is_vertex)
        {
            put_vertex_table(b);
        }
        else
        {
            put_joint_table(b);
        }
        put_keys(b, &runs[i]);
        put_run(b, first + 8 * i, &runs[i]);
    }
}

// ---------------------------------------------------------------------------------------------

static void fill_runs(pelt_baked_run* runs)
{
    runs[0] = (pelt_baked_run){.start = 0.0f, .rate = 30.0f, .key_count = 3};
    runs[1] = (pelt_baked_run){.start = 0.05f, .rate = 12.5f, .key_count = 2};
    runs[2] = (pelt_baked_run){.start = 0.7f, .key_count = 1, .is_held = true};
}

static void fill_keys(pelt_bounds* bounds, pelt_transform* motion)
{
    for (uint32_t i = 0; i < KEY_COUNT; ++i)
    {
        float f = (float)i;
        bounds[i] = i == 4
                        ? pelt_bounds_empty()
                        : (pelt_bounds){{-0.1f * f, 0.0f, -1.0f / 3.0f}, {0.1f, 1e-7f + f, 2.0f}};
        motion[i] = (pelt_transform){{0.1f * f, 1.0f / 3.0f, -1e-8f},
                                     {0.0f, sinf(0.1f * f), 0.0f, cosf(0.1f * f)},
                                     {1.0f, 1.0f, 1.0f}};
    }
}

static void fill_clips(pelt_baked_clip* clips, const pelt_baked_run* runs,
                       const pelt_bounds* bounds, const pelt_transform* motion)
{
    clips[0] = (pelt_baked_clip){.name = "walk",
                                 .duration = 0.1f,
                                 .loops = true,
                                 .wraps = true,
                                 .run_count = 1,
                                 .runs = runs,
                                 .bounds = bounds[1],
                                 .key_count = 3,
                                 .key_bounds = bounds,
                                 .root_motion = motion};
    clips[1] = (pelt_baked_clip){.name = "wave \"\xC3\xA9\"",
                                 .duration = 1.25f,
                                 .run_count = 2,
                                 .runs = runs + 1,
                                 .bounds = bounds[5],
                                 .key_count = 3,
                                 .key_bounds = bounds + 3,
                                 .root_motion = motion != NULL ? motion + 3 : NULL};
}

static bool fill_joints(pelt_baked* out, uint32_t count)
{
    pelt_baked_joint* joints = pelt_arena_alloc(out->arena, count, sizeof *joints);
    uint32_t* order = pelt_arena_alloc(out->arena, count, sizeof *order);
    for (uint32_t i = 0; joints != NULL && order != NULL && i < count; ++i)
    {
        order[i] = i;
        joints[i] = (pelt_baked_joint){
            .name = i == 0   ? "hips"
                    : i == 1 ? "tail"
                             : "other",
            .kind = i == 0 ? PELT_BAKED_SKIN_JOINT : (pelt_baked_joint_kind)(i % 4),
            .parent = i == 1 ? 0 : PELT_NONE,
            .pivot = {0.1f * (float)i, 1.0f / 3.0f, i == 0 ? -0.0f : -0.25f}};
    }
    out->joints = joints;
    out->joint_order = order;
    out->joint_count = count;
    return joints != NULL && order != NULL;
}

static bool fill_instances(pelt_baked* out, const pelt_scene* scene, bool is_vertex)
{
    uint32_t count = scene != NULL ? scene->instance_count : 1;
    pelt_baked_instance* instances = pelt_arena_alloc(out->arena, count, sizeof *instances);
    for (uint32_t i = 0; instances != NULL && i < count; ++i)
    {
        instances[i] = (pelt_baked_instance){.name = "none", .joint_count = out->joint_count};
        if (scene == NULL)
        {
            continue;
        }
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        uint32_t* ids = pelt_arena_alloc(out->arena, mesh->vertex_count, sizeof *ids);
        for (uint32_t v = 0; ids != NULL && v < mesh->vertex_count; ++v)
        {
            ids[v] = 5 * v % VERTEX_COUNT;
        }
        instances[i].name = mesh->name;
        instances[i].vertex_count = mesh->vertex_count;
        instances[i].vertex_ids = is_vertex ? ids : NULL;
        instances[i].digest = pelt_baked_digest(mesh->positions, mesh->vertex_count);
    }
    out->instances = instances;
    out->instance_count = count;
    return instances != NULL;
}

static bool fill(pelt_baked* out, pelt_texel texel, uint32_t joint_count, const pelt_scene* scene,
                 bool is_vertex)
{
    enum
    {
        ROOM = 2048
    };
    pelt_arena* arena = out->arena;
    pelt_baked_clip* clips = pelt_arena_alloc(arena, CLIP_COUNT, sizeof *clips);
    pelt_baked_run* runs = pelt_arena_alloc(arena, RUN_COUNT, sizeof *runs);
    pelt_bounds* bounds = pelt_arena_alloc(arena, KEY_COUNT, sizeof *bounds);
    pelt_transform* motion = pelt_arena_alloc(arena, KEY_COUNT, sizeof *motion);
    uint32_t* words = pelt_arena_alloc(arena, ROOM, sizeof *words);
    if (clips == NULL || runs == NULL || bounds == NULL || motion == NULL || words == NULL ||
        !fill_joints(out, joint_count) || !fill_instances(out, scene, is_vertex))
    {
        return false;
    }
    fill_runs(runs);
    fill_keys(bounds, motion);
    fill_clips(clips, runs, bounds, is_vertex ? NULL : motion);
    out->encoding = is_vertex ? PELT_ENCODING_VERTEX : PELT_ENCODING_QT;
    out->texel = texel;
    out->words = words;
    out->unit = 0.5f;
    out->stretch_unit = 2.0f;
    out->height_meters = 1.75f;
    out->clip_count = CLIP_COUNT;
    out->clips = clips;
    out->vertex_count = is_vertex ? VERTEX_COUNT : 0;
    out->root = is_vertex ? PELT_NONE : 0;
    fixture_builder b = {.out = out, .words = words, .is_vertex = is_vertex};
    put_header(&b);
    put_clips(&b, runs);
    out->width = ROW_WORDS / pelt_texel_words(texel);
    out->height = (b.used + ROW_WORDS - 1) / ROW_WORDS;
    return true;
}

static pelt_baked* make(pelt_texel texel, uint32_t joint_count, const pelt_scene* scene,
                        bool is_vertex)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_baked* out = arena != NULL ? pelt_arena_alloc(arena, 1, sizeof *out) : NULL;
    if (out != NULL)
    {
        out->arena = arena;
    }
    if (out == NULL || !fill(out, texel, joint_count, scene, is_vertex))
    {
        pelt_arena_destroy(arena);
        return NULL;
    }
    return out;
}

pelt_baked* baked_fixture(pelt_texel texel, uint32_t joint_count, const pelt_scene* scene)
{
    return make(texel, joint_count, scene, false);
}

pelt_baked* baked_fixture_vertices(pelt_texel texel, const pelt_scene* scene)
{
    return make(texel, 0, scene, true);
}

// ---------------------------------------------------------------------------------------------

static bool is_same_array(const void* a, const void* b, size_t size)
{
    return a == NULL || b == NULL ? a == b : memcmp(a, b, size) == 0;
}

// A file has boxes that are larger by up to a thousandth of the largest extent of all clips, which
// is below 6 here, in each direction; empty boxes do not change.
static bool contains_box(const pelt_bounds* a, const pelt_bounds* b)
{
    const float most = 0.006f, *x = &a->min.x, *y = &b->min.x;
    bool is_inside = memcmp(a, b, sizeof *a) == 0;
    if (!is_inside && a->min.x <= a->max.x)
    {
        is_inside = true;
        for (int i = 0; i < 3; ++i)
        {
            is_inside = is_inside && y[i] <= x[i] && y[i] >= x[i] - most;
            is_inside = is_inside && (&b->max.x)[i] >= (&a->max.x)[i] &&
                        (&b->max.x)[i] <= (&a->max.x)[i] + most;
        }
    }
    return is_inside;
}

static bool contain_boxes(const pelt_baked_clip* a, const pelt_baked_clip* b)
{
    bool is_good = contains_box(&a->bounds, &b->bounds);
    for (uint32_t i = 0; i < a->key_count && is_good; ++i)
    {
        is_good = contains_box(&a->key_bounds[i], &b->key_bounds[i]);
    }
    return is_good;
}

// A file has positions as multiples of a step, a hundred-thousandth of the largest extent at most,
// which is below 6 here, and rotations of 1e-5: half a step on each axis, and as much again by
// their length.
static bool is_motion_near(const pelt_transform* a, const pelt_transform* b, uint32_t count)
{
    bool is_near = (a == NULL) == (b == NULL);
    for (uint32_t i = 0; a != NULL && i < count && is_near; ++i)
    {
        const float *p = &a[i].rotation.x, *q = &b[i].rotation.x;
        is_near = pelt_vec3_distance(a[i].translation, b[i].translation) < 1e-5f &&
                  memcmp(&a[i].scale, &b[i].scale, sizeof a[i].scale) == 0;
        for (int k = 0; k < 4; ++k)
        {
            is_near = is_near && fabsf(p[k] - q[k]) < 1.6e-5f;
        }
    }
    return is_near;
}

static bool is_same_clip(const pelt_baked_clip* a, const pelt_baked_clip* b)
{
    bool is_same = strcmp(a->name, b->name) == 0 && a->duration == b->duration &&
                   a->loops == b->loops && a->wraps == b->wraps && a->run_count == b->run_count &&
                   a->key_count == b->key_count;
    for (uint32_t i = 0; i < a->run_count && is_same; ++i)
    {
        const pelt_baked_run *x = &a->runs[i], *y = &b->runs[i];
        is_same = x->start == y->start && x->rate == y->rate && x->key_count == y->key_count &&
                  x->first_word == y->first_word && x->key_words == y->key_words &&
                  x->table == y->table && x->is_held == y->is_held;
    }
    return is_same && contain_boxes(a, b) &&
           is_motion_near(a->root_motion, b->root_motion, a->key_count);
}

static bool is_same_joint(const pelt_baked_joint* a, const pelt_baked_joint* b)
{
    return strcmp(a->name, b->name) == 0 && a->kind == b->kind && a->parent == b->parent &&
           memcmp(&a->pivot, &b->pivot, sizeof a->pivot) == 0;
}

static bool is_same_instance(const pelt_baked_instance* a, const pelt_baked_instance* b)
{
    return strcmp(a->name, b->name) == 0 && a->vertex_count == b->vertex_count &&
           a->first == b->first && a->joint_count == b->joint_count && a->digest == b->digest &&
           is_same_array(a->vertex_ids, b->vertex_ids, a->vertex_count * sizeof *a->vertex_ids);
}

bool baked_is_same(const pelt_baked* a, const pelt_baked* b)
{
    bool is_same = a->encoding == b->encoding && a->layout == b->layout && a->texel == b->texel &&
                   a->width == b->width && a->height == b->height && a->unit == b->unit &&
                   a->stretch_unit == b->stretch_unit && a->height_meters == b->height_meters &&
                   a->clip_count == b->clip_count && a->joint_count == b->joint_count &&
                   a->instance_count == b->instance_count && a->vertex_count == b->vertex_count &&
                   a->root == b->root && memcmp(a->words, b->words, pelt_baked_bytes(a)) == 0;
    for (uint32_t i = 0; is_same && i < a->clip_count; ++i)
    {
        is_same = is_same_clip(&a->clips[i], &b->clips[i]);
    }
    for (uint32_t i = 0; is_same && i < a->joint_count; ++i)
    {
        is_same = is_same_joint(&a->joints[i], &b->joints[i]);
    }
    for (uint32_t i = 0; is_same && i < a->instance_count; ++i)
    {
        is_same = is_same_instance(&a->instances[i], &b->instances[i]);
    }
    return is_same;
}
