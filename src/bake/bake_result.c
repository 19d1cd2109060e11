// SPDX-License-Identifier: MIT
// The result of a bake: descriptions of clips with bounds and root motion, of joints and instances,
// and the texture.
#include "../base/exact.h"

#include "bake_record.h"
#include "bake_work.h"

#include <string.h>

pelt_texel pelti_bake_texel(const pelt_bake_options* options)
{
    if (options->texel != PELT_TEXEL_AUTO)
    {
        return options->texel;
    }
    // Other encodings have any number of bits: use the largest texel.
    bool has_values =
        options->encoding == PELT_ENCODING_MATRIX || options->encoding == PELT_ENCODING_DQ;
    has_values = has_values && !options->has_budget;
    return has_values && options->bits == 8    ? PELT_TEXEL_RGBA8UI
           : has_values && options->bits == 16 ? PELT_TEXEL_RGBA16UI
                                               : PELT_TEXEL_RGBA32UI;
}

static pelt_result describe_joints(pelt_baked* baked, const pelti_bake_work* work)
{
    const pelti_bake_source* source = &work->source;
    pelt_baked_joint* joints = pelt_arena_alloc(baked->arena, source->joint_count, sizeof *joints);
    uint32_t* order = pelt_arena_alloc(baked->arena, source->joint_count, sizeof *order);
    if (joints == NULL || order == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    baked->joint_count = source->joint_count;
    baked->joints = joints;
    baked->joint_order = order;
    baked->root = PELT_NONE;
    for (uint32_t i = 0; i < source->joint_count; ++i)
    {
        uint32_t joint = work->plan.order[i];
        order[i] = joint;
        joints[joint] =
            (pelt_baked_joint){.name = pelt_arena_string(baked->arena, source->joints[joint].name),
                               .kind = source->joints[joint].kind,
                               .parent = work->plan.parents[joint],
                               .pivot = work->plan.pivots[joint]};
        if (joints[joint].name == NULL)
        {
            return PELT_ERROR_MEMORY;
        }
        bool is_root = source->joints[joint].above == PELT_NONE &&
                       source->joints[joint].kind == PELT_BAKED_SKIN_JOINT;
        baked->root = is_root && baked->root == PELT_NONE ? joint : baked->root;
    }
    return PELT_OK;
}

static bool copy_vertex_ids(pelt_baked_instance* out, const pelti_bake_work* work, uint32_t index,
                            pelt_arena* arena)
{
    if (work->options.encoding != PELT_ENCODING_VERTEX)
    {
        return true;
    }
    uint32_t* ids = pelt_arena_alloc(arena, out->vertex_count, sizeof *ids);
    if (ids != NULL)
    {
        memcpy(ids, work->unique.ids[index], out->vertex_count * sizeof *ids);
    }
    out->vertex_ids = ids;
    return ids != NULL;
}

static pelt_result describe_instances(pelt_baked* baked, const pelti_bake_work* work)
{
    const pelt_scene* scene = work->source.scene;
    pelt_baked_instance* instances =
        pelt_arena_alloc(baked->arena, scene->instance_count, sizeof *instances);
    if (instances == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    baked->instance_count = scene->instance_count;
    baked->instances = instances;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* own = &scene->instances[i];
        const pelt_mesh* mesh = &scene->meshes[own->mesh];
        instances[i] = (pelt_baked_instance){
            .name = pelt_arena_string(baked->arena, mesh->name != NULL ? mesh->name : ""),
            .vertex_count = mesh->vertex_count,
            .first = work->source.first_joints[i],
            .joint_count = own->skin == PELT_NONE ? 1 : scene->skins[own->skin].joint_count,
            .digest = pelt_baked_digest(mesh->positions, mesh->vertex_count)};
        if (instances[i].name == NULL || !copy_vertex_ids(&instances[i], work, i, baked->arena))
        {
            return PELT_ERROR_MEMORY;
        }
    }
    baked->vertex_count = work->unique.count;
    return PELT_OK;
}

static void add_bounds(pelt_bounds* inout, const pelt_bounds* other)
{
    pelt_bounds_add(inout, &other->min, 1);
    pelt_bounds_add(inout, &other->max, 1);
}

// The box of all vertices from a key to the next. Between keys a vertex moves on an arc. The convex
// hull of its ends and of the control point of the parabola through its ends and its middle
// contains the parabola, and also arcs of up to 180 degrees.
static pelt_bounds bounds_from_key(const pelti_bake_source* source, const pelti_samples* samples,
                                   uint32_t key)
{
    const pelti_probe_list* vertices = &source->vertices;
    size_t sample = samples->key_samples[key], joint_count = source->joint_count;
    const pelt_mat34* start = samples->motions + sample * joint_count;
    const pelt_mat34* middle = start + (size_t)(samples->spans[key] / 2) * joint_count;
    const pelt_mat34* end =
        samples->motions + samples->key_samples[samples->next[key]] * joint_count;
    bool is_interpolated = samples->spans[key] > 1;
    pelt_bounds bounds = pelt_bounds_empty();
    for (uint32_t v = 0; v < vertices->count; ++v)
    {
        pelt_vec3 points[3] = {pelti_probe_position(vertices, v, start),
                               pelti_probe_position(vertices, v, end)};
        if (is_interpolated)
        {
            pelt_vec3 chord = pelt_vec3_lerp(points[0], points[1], 0.5f);
            pelt_vec3 halfway = pelti_probe_position(vertices, v, middle);
            points[2] = pelt_vec3_mad(halfway, 1.0f, pelt_vec3_sub(halfway, chord));
        }
        pelt_bounds_add(&bounds, points, is_interpolated ? 3 : 2);
    }
    return bounds;
}

static void find_bounds(pelt_baked_clip* out, pelt_bounds* bounds, const pelti_bake_source* source,
                        const pelti_bake_clip* clip)
{
    const pelti_samples* samples = &clip->samples;
    // Room for the error of the encoding.
    float margin = 0.02f * source->size;
    pelt_vec3 more = {margin, margin, margin};
    for (uint32_t key = 0; key < samples->key_count; ++key)
    {
        if (clip->key_bounds != NULL)
        {
            bounds[key] = clip->key_bounds[key];
            add_bounds(&bounds[key], &clip->key_bounds[samples->next[key]]);
        }
        else
        {
            bounds[key] = bounds_from_key(source, samples, key);
            bounds[key].min = pelt_vec3_sub(bounds[key].min, more);
            bounds[key].max = pelt_vec3_add(bounds[key].max, more);
        }
        add_bounds(&out->bounds, &bounds[key]);
    }
}

static void find_root_motion(pelt_transform* out, const pelti_bake_source* source, uint32_t root,
                             const pelti_samples* samples)
{
    for (uint32_t key = 0; key < samples->key_count; ++key)
    {
        const pelt_mat34* motions =
            samples->motions + (size_t)samples->key_samples[key] * source->joint_count;
        pelti_joint_pose pose = pelti_joint_pose_of(&motions[root], source->joints[root].origin);
        out[key] = (pelt_transform){pose.position, pose.rotation, {1.0f, 1.0f, 1.0f}};
    }
}

static pelt_result describe_clip(pelt_baked_clip* out, pelt_baked_run* runs, pelt_baked* baked,
                                 const pelti_bake_work* work, const pelti_bake_clip* clip)
{
    const pelti_clip_times* times = &clip->times;
    *out = (pelt_baked_clip){
        .name = pelt_arena_string(baked->arena, clip->clip->name != NULL ? clip->clip->name : ""),
        .duration = clip->clip->duration,
        .loops = times->loops,
        .wraps = times->wraps,
        .run_count = times->run_count,
        .runs = runs,
        .bounds = pelt_bounds_empty()};
    for (uint32_t i = 0; i < times->run_count; ++i)
    {
        const pelti_run_times* run = &times->runs[i];
        double length = run->end - run->start;
        runs[i] = (pelt_baked_run){.start = (float)run->start,
                                   .rate = length > 0.0 ? (float)(run->intervals / length) : 0.0f,
                                   .key_count = pelti_run_key_count(run, times->wraps),
                                   .is_held = run->is_held};
        out->key_count += runs[i].key_count;
    }
    pelt_bounds* bounds = pelt_arena_alloc(baked->arena, out->key_count, sizeof *bounds);
    pelt_transform* motion = pelt_arena_alloc(baked->arena, out->key_count, sizeof *motion);
    if (out->name == NULL || bounds == NULL || motion == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    out->key_bounds = bounds;
    find_bounds(out, bounds, &work->source, clip);
    if (baked->root != PELT_NONE)
    {
        out->root_motion = motion;
        find_root_motion(motion, &work->source, baked->root, &clip->samples);
    }
    return PELT_OK;
}

pelt_result pelti_bake_result(pelt_baked** out, const pelti_bake_work* work, pelt_error* error)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_baked* baked = arena != NULL ? pelt_arena_alloc(arena, 1, sizeof *baked) : NULL;
    if (baked == NULL)
    {
        pelt_arena_destroy(arena);
        return pelt_error_memory(error);
    }
    *baked = (pelt_baked){.encoding = work->options.encoding,
                          .layout = work->options.layout,
                          .texel = pelti_bake_texel(&work->options),
                          .unit = work->job.unit,
                          .stretch_unit = work->job.stretch_unit,
                          .height_meters = work->source.height,
                          .clip_count = work->clip_count,
                          .arena = arena};
    uint32_t run_count = 0, first = 0;
    for (uint32_t i = 0; i < work->clip_count; ++i)
    {
        run_count += work->clips[i].times.run_count;
    }
    pelt_baked_clip* clips = pelt_arena_alloc(arena, work->clip_count, sizeof *clips);
    pelt_baked_run* runs = pelt_arena_alloc(arena, run_count, sizeof *runs);
    pelti_run_keys* keys = pelt_arena_alloc(work->arena, run_count, sizeof *keys);
    bool has_memory = clips != NULL && runs != NULL && keys != NULL &&
                      describe_joints(baked, work) == PELT_OK &&
                      describe_instances(baked, work) == PELT_OK;
    baked->clips = clips;
    bool is_shared = work->is_shared;
    for (uint32_t i = 0, key = 0; i < work->clip_count && has_memory; ++i)
    {
        const pelti_bake_clip* clip = &work->clips[i];
        key = is_shared ? key : 0;
        has_memory = describe_clip(&clips[i], runs + first, baked, work, clip) == PELT_OK;
        for (uint32_t run = 0; run < clip->times.run_count; ++run)
        {
            keys[first] = (pelti_run_keys){is_shared ? &work->shared.code : &clip->found.code, key,
                                           runs[first].key_count};
            key += runs[first++].key_count;
        }
    }
    bool has_rows = !work->options.has_budget && work->options.encoding != PELT_ENCODING_LOCAL;
    bool is_thesis = work->options.layout == PELT_BAKE_LAYOUT_THESIS;
    pelt_result result =
        !has_memory ? pelt_error_memory(error)
        : is_thesis ? pelti_thesis_write(baked, runs, &work->clips[0], &work->options, error)
                    : pelti_layout_write(baked, runs, keys, run_count, has_rows,
                                         work->options.max_size, error);
    if (result != PELT_OK)
    {
        pelt_arena_destroy(arena);
        return result;
    }
    *out = baked;
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Texture

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

// Offsets of the parts of a texture, in words.
typedef struct texture_layout
{
    uint32_t joints, clips, runs, tables;
    uint64_t keys; // first word after the tables, at a row if has_rows
    uint64_t end;
} texture_layout;

static bool has_own_table(const pelti_run_keys* keys, uint32_t run)
{
    return run == 0 || keys[run].code != keys[run - 1].code;
}

// A texture of vertices has no table of joints.
static uint32_t joints_in(const pelt_baked* baked)
{
    return baked->encoding == PELT_ENCODING_VERTEX ? 0 : baked->joint_count;
}

static texture_layout find_layout(const pelt_baked* baked, const pelti_run_keys* keys,
                                  uint32_t run_count)
{
    texture_layout at = {.joints = PELTI_BAKE_HEADER_WORDS};
    at.clips = at.joints + PELTI_BAKE_JOINT_WORDS * joints_in(baked);
    at.runs = at.clips + PELTI_BAKE_CLIP_WORDS * baked->clip_count;
    at.tables = at.runs + PELTI_BAKE_RUN_WORDS * run_count;
    at.keys = at.tables;
    for (uint32_t i = 0; i < run_count; ++i)
    {
        at.keys += has_own_table(keys, i) ? keys[i].code->table_words : 0;
    }
    return at;
}

// Each key takes whole rows; several keys share a row where the texture would be too high.
static bool size_rows(pelt_baked* baked, texture_layout* at, pelt_baked_run* runs,
                      const pelti_run_keys* keys, uint32_t run_count, uint32_t max_size)
{
    uint32_t texel_words = pelt_texel_words(baked->texel);
    uint64_t widest = 1, key_count = 0;
    for (uint32_t i = 0; i < run_count; ++i)
    {
        uint64_t texels = divide_up(keys[i].code->key_words, texel_words);
        widest = texels > widest ? texels : widest;
        key_count += keys[i].key_count;
    }
    uint64_t rows = divide_up(widest, max_size), width = divide_up(widest, rows);
    uint64_t stride = rows * width * texel_words; // words of a key
    uint64_t per_row = 1;
    at->keys = divide_up(at->keys, width * texel_words) * width * texel_words;
    at->end = at->keys + key_count * stride;
    while (divide_up(at->end, per_row * width * texel_words) > max_size)
    {
        ++per_row;
    }
    baked->width = (uint32_t)(per_row * width);
    baked->height = (uint32_t)divide_up(at->end, (uint64_t)baked->width * texel_words);
    uint64_t word = at->keys;
    for (uint32_t i = 0; i < run_count; ++i)
    {
        runs[i].first_word = (uint32_t)word;
        runs[i].key_words = (uint32_t)stride;
        word += keys[i].key_count * stride;
    }
    return per_row * width <= max_size && at->end <= UINT32_MAX;
}

// A nearly square texture.
static bool size_packed(pelt_baked* baked, texture_layout* at, pelt_baked_run* runs,
                        const pelti_run_keys* keys, uint32_t run_count, uint32_t max_size)
{
    uint64_t word = at->keys;
    for (uint32_t i = 0; i < run_count; ++i)
    {
        runs[i].first_word = (uint32_t)word;
        runs[i].key_words = keys[i].code->key_words;
        word += (uint64_t)keys[i].key_count * keys[i].code->key_words;
    }
    at->end = word;
    uint64_t texels = divide_up(word, pelt_texel_words(baked->texel)), width = 1;
    while (width * width < texels)
    {
        ++width;
    }
    baked->width = (uint32_t)width;
    baked->height = (uint32_t)divide_up(texels, width);
    return width <= max_size && at->end <= UINT32_MAX;
}

static void write_header(uint32_t* words, const pelt_baked* baked, const texture_layout* at)
{
    bool has_vertices = baked->encoding == PELT_ENCODING_VERTEX;
    words[0] = PELTI_BAKE_MAGIC;
    words[1] = PELTI_BAKE_VERSION;
    words[2] = has_vertices ? 1 : 0;
    words[3] = has_vertices ? baked->vertex_count : baked->joint_count;
    words[4] = has_vertices ? 0 : at->joints;
    words[5] = baked->clip_count;
    words[6] = at->clips;
    words[7] = pelti_float_word(baked->unit);
    words[8] = pelti_float_word(baked->stretch_unit);
    for (uint32_t i = 0; i < joints_in(baked); ++i)
    {
        uint32_t* entry = words + at->joints + (size_t)PELTI_BAKE_JOINT_WORDS * i;
        entry[0] = baked->joints[i].parent;
        entry[1] = pelti_float_word(baked->joints[i].pivot.x);
        entry[2] = pelti_float_word(baked->joints[i].pivot.y);
        entry[3] = pelti_float_word(baked->joints[i].pivot.z);
    }
    uint32_t run = at->runs;
    for (uint32_t i = 0; i < baked->clip_count; ++i)
    {
        const pelt_baked_clip* clip = &baked->clips[i];
        uint32_t* entry = words + at->clips + (size_t)PELTI_BAKE_CLIP_WORDS * i;
        entry[0] = run;
        entry[1] = clip->run_count;
        entry[2] = pelti_float_word(clip->duration);
        entry[3] = (clip->wraps ? (uint32_t)PELTI_CLIP_WRAPS : 0) |
                   (clip->loops ? (uint32_t)PELTI_CLIP_LOOPS : 0);
        run += PELTI_BAKE_RUN_WORDS * clip->run_count;
    }
}

static void write_run(uint32_t* words, const pelt_baked_run* run, uint32_t entry,
                      const pelti_run_keys* keys)
{
    const pelti_code* code = keys->code;
    uint32_t* own = words + entry;
    own[0] = pelti_float_word(run->start);
    own[1] = pelti_float_word(run->rate);
    own[2] = run->key_count;
    own[3] = run->first_word;
    own[4] = run->key_words;
    own[5] = run->table;
    own[6] = run->is_held ? PELTI_RUN_HELD : 0;
    memcpy(words + run->table, code->table, code->table_words * sizeof *words);
    for (uint32_t key = 0; key < keys->key_count; ++key)
    {
        memcpy(words + run->first_word + (size_t)key * run->key_words,
               code->keys + (size_t)(keys->first_key + key) * code->key_words,
               code->key_words * sizeof *words);
    }
}

pelt_result pelti_layout_refuse(uint64_t words, uint32_t max_size, pelt_error* error)
{
    return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                          "the animation takes %.1f MB, more than a texture of %u x %u texels "
                          "holds; bake fewer clips, at a lower rate, or allow a larger max_size "
                          "(--max-size)",
                          (double)words * 4e-6, max_size, max_size);
}

pelt_result pelti_layout_write(pelt_baked* inout, pelt_baked_run* runs, const pelti_run_keys* keys,
                               uint32_t run_count, bool has_rows, uint32_t max_size,
                               pelt_error* error)
{
    texture_layout at = find_layout(inout, keys, run_count);
    bool fits = has_rows ? size_rows(inout, &at, runs, keys, run_count, max_size)
                         : size_packed(inout, &at, runs, keys, run_count, max_size);
    if (!fits)
    {
        return pelti_layout_refuse(at.end, max_size, error);
    }
    uint32_t* words = pelt_arena_alloc(
        inout->arena, (size_t)inout->width * inout->height * pelt_texel_words(inout->texel),
        sizeof *words);
    if (words == NULL)
    {
        return pelt_error_memory(error);
    }
    inout->words = words;
    write_header(words, inout, &at);
    uint32_t table = at.tables;
    for (uint32_t i = 0; i < run_count; ++i)
    {
        runs[i].table = has_own_table(keys, i) ? table : runs[i - 1].table;
        table += has_own_table(keys, i) ? keys[i].code->table_words : 0;
        write_run(words, &runs[i], at.runs + PELTI_BAKE_RUN_WORDS * i, &keys[i]);
    }
    return PELT_OK;
}
