// SPDX-License-Identifier: MIT
// Baking: clips of a scene are sampled, encoded and laid out in a texture.
#include "../base/exact.h"

#include "bake_layout.h"
#include "bake_pose.h"

#include <stdatomic.h>

enum
{
    DEFAULT_MAX_SIZE = 4096, // what phones have
};

// Joints that stand alone are interpolated well when they are sampled this often.
static const double min_rate = 24.0;

// A bake in the making.
typedef struct bake_work
{
    pelt_bake_options options;
    pelti_bake_source source;
    pelti_bake_plan plan;
    pelti_bake_job job;
    pelti_quality quality; // without a budget
    uint32_t clip_count;
    pelti_bake_clip* clips;
    pelt_arena* arena;

    // For tasks that run at once.
    atomic_uint done;
    atomic_flag is_telling;
    atomic_bool is_canceled;
    atomic_int result;

    pelti_found shared; // keys of all clips, if that takes fewer bytes
    bool is_shared;
} bake_work;

static void tell_progress(bake_work* work)
{
    unsigned done = atomic_fetch_add(&work->done, 1) + 1;
    if (work->options.progress != NULL && !atomic_flag_test_and_set(&work->is_telling))
    {
        float part = (float)done / (float)(2 * work->clip_count);
        if (!work->options.progress(fminf(part, 1.0f), work->options.user))
        {
            atomic_store(&work->is_canceled, true);
        }
        atomic_flag_clear(&work->is_telling);
    }
}

static void keep_result(bake_work* work, pelt_result result)
{
    int none = PELT_OK;
    if (result != PELT_OK)
    {
        atomic_compare_exchange_strong(&work->result, &none, (int)result);
    }
}

// ---------------------------------------------------------------------------------------------
// Options

static pelt_result check_options(pelt_bake_options* options, const pelt_scene* scene,
                                 pelt_error* error)
{
    static const uint32_t defaults[] = {96, 16, 16, 16, 16};
    if ((unsigned)options->encoding >= PELT_ENCODING_COUNT)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "there is no encoding %d",
                              (int)options->encoding);
    }
    options->bits = options->bits == 0 ? defaults[options->encoding] : options->bits;
    uint32_t bits = options->bits;
    bool is_valid = true;
    switch (options->encoding)
    {
    case PELT_ENCODING_QT:
        is_valid = bits == 64 || bits == 96 || bits == 128;
        break;
    case PELT_ENCODING_LOCAL:
        is_valid = bits >= 2 && bits <= PELTI_WIDTH_MAX;
        break;
    case PELT_ENCODING_VERTEX:
        is_valid = bits >= 4 && bits <= 16;
        break;
    default:
        is_valid = bits == 8 || bits == 16 || bits == 32;
        break;
    }
    if (!is_valid)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "encoding %s has no variant of %u bits",
                              pelt_encoding_name(options->encoding), bits);
    }
    if (options->timing == PELT_BAKE_RATE && !(options->rate >= 1e-3f && options->rate <= 1e4f))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "a rate of %g Hz is not possible",
                              (double)options->rate);
    }
    options->max_size = options->max_size == 0 ? DEFAULT_MAX_SIZE : options->max_size;
    for (uint32_t i = 0; i < options->clip_count; ++i)
    {
        if (options->clips[i] >= scene->clip_count)
        {
            return pelt_error_set(error, PELT_ERROR_ARGUMENT, "there is no clip %u",
                                  options->clips[i]);
        }
    }
    for (uint32_t i = 0; i < options->socket_count; ++i)
    {
        if (options->sockets[i] >= scene->node_count)
        {
            return pelt_error_set(error, PELT_ERROR_ARGUMENT, "there is no node %u",
                                  options->sockets[i]);
        }
    }
    return PELT_OK;
}

static pelti_quality quality_of(const pelt_bake_options* options)
{
    pelti_quality quality = {
        .value_bits = options->bits, .has_path = !options->has_no_correction, .path_weight = 1.0f};
    if (options->encoding == PELT_ENCODING_QT)
    {
        quality.key_bits = options->bits;
        // Errors between keys are the larger ones; with more bits there is room to be exact at
        // keys.
        quality.path_weight = options->bits == 64 ? 0.85f : 0.5f;
    }
    return quality;
}

static pelt_texel texel_of(const pelt_bake_options* options)
{
    if (options->texel != PELT_TEXEL_AUTO)
    {
        return options->texel;
    }
    bool has_values = options->encoding != PELT_ENCODING_QT &&
                      options->encoding != PELT_ENCODING_LOCAL && !options->has_budget;
    return has_values && options->bits == 8    ? PELT_TEXEL_RGBA8UI
           : has_values && options->bits == 16 ? PELT_TEXEL_RGBA16UI
                                               : PELT_TEXEL_RGBA32UI;
}

// ---------------------------------------------------------------------------------------------
// Stages

static pelt_result list_clips(bake_work* work, pelt_error* error)
{
    const pelt_scene* scene = work->source.scene;
    const pelt_bake_options* options = &work->options;
    uint32_t count = options->clip_count > 0 ? options->clip_count : scene->clip_count;
    work->clips = pelt_arena_alloc(work->arena, count, sizeof *work->clips);
    if (work->clips == NULL)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        const pelt_clip* clip = &scene->clips[options->clip_count > 0 ? options->clips[i] : i];
        if (options->clip_count > 0 || clip->track_count > 0)
        {
            work->clips[work->clip_count++].clip = clip;
        }
    }
    if (work->clip_count == 0 || work->source.joint_count == 0)
    {
        return pelt_error_set(error, PELT_ERROR_DATA, "%s has no %s to bake",
                              scene->name != NULL ? scene->name : "the scene",
                              work->clip_count == 0 ? "clips" : "meshes");
    }
    for (uint32_t i = 0; i < work->clip_count; ++i)
    {
        pelti_bake_clip* clip = &work->clips[i];
        bool is_exact = pelti_bake_is_exact(options, clip->clip);
        if (pelti_clip_times_find(&clip->source_times, &work->source, clip->clip, options,
                                  is_exact ? 0.0 : min_rate, work->arena) != PELT_OK)
        {
            return pelt_error_memory(error);
        }
    }
    return PELT_OK;
}

static void sample_task(void* context, uint32_t index)
{
    bake_work* work = context;
    if (!atomic_load(&work->is_canceled))
    {
        keep_result(work, pelti_bake_clip_sample(&work->clips[index], &work->source, 1, 1));
        tell_progress(work);
    }
}

static void encode_task(void* context, uint32_t index)
{
    bake_work* work = context;
    if (atomic_load(&work->is_canceled) || atomic_load(&work->result) != PELT_OK)
    {
        return;
    }
    pelti_bake_clip* clip = &work->clips[index];
    const pelt_bake_options* options = &work->options;
    pelt_result result;
    if (options->has_budget && options->max_error > 0.0)
    {
        result = pelti_bake_clip_search(clip, &work->job);
    }
    else
    {
        result = pelti_bake_encode(&clip->found.code, NULL, &work->job, &clip->samples,
                                   &work->quality, NULL, clip->arena);
    }
    keep_result(work, result);
    tell_progress(work);
}

static float power_of_two(float value)
{
    int exponent;
    frexpf(value, &exponent);
    return ldexpf(1.0f, exponent);
}

// Positions and stretches are relative to units; a range of a component may be up to 256 of one.
static void find_units(bake_work* work)
{
    float largest = work->source.size, stretch = 1.0f;
    uint32_t joint_count = work->source.joint_count;
    for (uint32_t c = 0; c < work->clip_count; ++c)
    {
        const pelti_samples* samples = &work->clips[c].samples;
        for (size_t i = 0; i < (size_t)samples->count * joint_count; ++i)
        {
            pelt_vec3 t =
                pelt_mat34_point(&samples->motions[i], work->source.joints[i % joint_count].center);
            largest = fmaxf(largest, fmaxf(fabsf(t.x), fmaxf(fabsf(t.y), fabsf(t.z))) / 128.0f);
            for (int k = 0; k < 9; ++k)
            {
                stretch = fmaxf(stretch, fabsf(samples->motions[i].m[k / 3][k % 3]));
            }
        }
    }
    work->job.unit = power_of_two(largest);
    work->job.stretch_unit = stretch > 64.0f ? power_of_two(stretch / 64.0f) : 1.0f;
}

static pelt_result make_plan(bake_work* work, pelt_error* error)
{
    const pelti_samples** clips = pelt_arena_alloc(work->arena, work->clip_count, sizeof *clips);
    if (clips == NULL)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t c = 0; c < work->clip_count; ++c)
    {
        clips[c] = &work->clips[c].samples;
    }
    double tolerance = work->options.has_budget && work->options.max_error > 0.0
                           ? 0.1 * work->options.max_error
                           : 1e-5 * (double)work->source.height;
    pelt_result result = pelti_bake_plan_create(&work->plan, &work->source, clips, work->clip_count,
                                                &work->options, tolerance, work->arena);
    work->job = (pelti_bake_job){&work->source, &work->plan, &work->options, 1.0f, 1.0f};
    find_units(work);
    return result == PELT_OK ? PELT_OK : pelt_error_memory(error);
}

static pelt_result run_clips(bake_work* work, pelt_task task, pelt_error* error)
{
    pelt_run(work->clip_count, task, work);
    pelt_result result = (pelt_result)atomic_load(&work->result);
    if (atomic_load(&work->is_canceled))
    {
        return pelt_error_set(error, PELT_ERROR_CANCELED, "baking was canceled");
    }
    if (result == PELT_ERROR_MEMORY)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t i = 0; result != PELT_OK && i < work->clip_count; ++i)
    {
        if (work->clips[i].reached > work->options.max_error && isfinite(work->clips[i].reached))
        {
            return pelt_error_set(
                error, PELT_ERROR_UNSUPPORTED,
                "clip %s cannot be baked to %.3g mm by encoding %s: %.3g mm is what it reaches; "
                "a higher rate%s or a larger error helps",
                work->clips[i].clip->name, 1e3 * work->options.max_error,
                pelt_encoding_name(work->options.encoding), 1e3 * work->clips[i].reached,
                work->options.encoding == PELT_ENCODING_LOCAL ? "" : ", encoding local");
        }
    }
    return result == PELT_OK
               ? PELT_OK
               : pelt_error_set(error, result, "%u joints are more than one table has room for",
                                work->source.joint_count);
}

static size_t fixed_words(const pelti_bake_clip* clip)
{
    return PELTI_BAKE_CLIP_WORDS + (size_t)PELTI_BAKE_RUN_WORDS * clip->times.run_count;
}

// One table for all clips: wider ranges, but only one table.
static pelt_result share_table(bake_work* work, pelt_error* error)
{
    const pelti_samples** clips = pelt_arena_alloc(work->arena, work->clip_count, sizeof *clips);
    pelti_samples all;
    size_t words = 0;
    bool has_path = false;
    if (clips == NULL)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t c = 0; c < work->clip_count; ++c)
    {
        const pelti_bake_clip* clip = &work->clips[c];
        clips[c] = &clip->samples;
        words += pelti_code_words(&clip->found.code);
        has_path = has_path || !pelti_bake_is_exact(&work->options, clip->clip) ||
                   clip->times.runs[0].intervals != clip->source_times.runs[0].intervals;
    }
    double reached;
    pelt_result result =
        pelti_samples_join(&all, clips, work->clip_count, work->source.joint_count, work->arena);
    if (result == PELT_OK)
    {
        result = pelti_bake_search(&work->shared, &reached, &work->job, &all,
                                   has_path && !work->options.has_no_correction, work->arena);
    }
    // Refining makes it smaller by a tenth or so.
    if (result == PELT_OK && 0.8 * (double)pelti_code_words(&work->shared.code) < (double)words)
    {
        result = pelti_bake_refine(&work->shared, &work->job, &all, work->arena);
        result = result == PELT_OK ? pelti_bake_verify(&work->shared, &work->job, &all, work->arena)
                                   : result;
        work->is_shared = result == PELT_OK && pelti_code_words(&work->shared.code) < words;
    }
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : PELT_OK;
}

static void verify_task(void* context, uint32_t index)
{
    bake_work* work = context;
    pelti_bake_clip* clip = &work->clips[index];
    keep_result(work, pelti_bake_verify(&clip->found, &work->job, &clip->samples, clip->arena));
}

// Clips in the fewest bytes within an error: with a table each, or one for all.
static pelt_result meet_error(bake_work* work, pelt_error* error)
{
    pelt_result result = run_clips(work, encode_task, error);
    if (result == PELT_OK && work->clip_count > 1)
    {
        result = share_table(work, error);
    }
    if (result == PELT_OK && !work->is_shared)
    {
        result = run_clips(work, verify_task, error);
    }
    return result;
}

// The coarsest tolerance of all clips that fits into so many bytes.
static pelt_result fit_bytes(bake_work* work, pelt_error* error)
{
    double low = 0.0, high = 0.0, height = (double)work->source.height;
    size_t fixed =
        PELTI_BAKE_HEADER_WORDS + PELTI_BAKE_JOINT_WORDS * (size_t)work->source.joint_count;
    work->quality = (pelti_quality){.tolerance = 1e-4 * height,
                                    .path_weight = 0.5f,
                                    .has_path = !work->options.has_no_correction};
    for (int i = 0; i < 24; ++i)
    {
        pelt_result result = run_clips(work, encode_task, error);
        if (result != PELT_OK)
        {
            return result;
        }
        size_t words = fixed;
        for (uint32_t c = 0; c < work->clip_count; ++c)
        {
            words += fixed_words(&work->clips[c]) + pelti_code_words(&work->clips[c].found.code);
        }
        double tolerance = work->quality.tolerance;
        // The last row of a nearly square texture is not full.
        bool fits =
            4.0 * ((double)words + 4.0 * sqrt((double)words)) <= (double)work->options.max_bytes;
        low = fits ? low : tolerance;
        high = fits ? tolerance : high;
        if (fits && (tolerance < 1e-7 * height || (low > 0.0 && high < 1.05 * low)))
        {
            return PELT_OK;
        }
        if (!fits && tolerance > height)
        {
            return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                                  "%zu bytes are too few: %zu is what it takes at least",
                                  work->options.max_bytes, 4 * words);
        }
        work->quality.tolerance = high == 0.0  ? 4.0 * tolerance
                                  : low == 0.0 ? 0.25 * tolerance
                                               : sqrt(low * high);
        if (i >= 22)
        {
            work->quality.tolerance = high;
        }
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Result

static pelt_result describe_joints(pelt_baked* baked, const bake_work* work)
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

static pelt_result describe_instances(pelt_baked* baked, const bake_work* work)
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
        if (instances[i].name == NULL)
        {
            return PELT_ERROR_MEMORY;
        }
    }
    return PELT_OK;
}

static void add_probes(pelt_bounds* bounds, const pelti_bake_source* source,
                       const pelt_mat34* motions)
{
    for (uint32_t p = 0; p < source->probes.count; ++p)
    {
        pelt_vec3 at = pelti_probe_position(&source->probes, p, motions);
        pelt_bounds_add(bounds, &at, 1);
    }
}

// From each key to the next, at the probes; they stick out farthest, and a little more is added for
// what is between them.
static void find_bounds(pelt_baked_clip* out, pelt_bounds* bounds, const pelti_bake_source* source,
                        const pelti_samples* samples)
{
    float margin = 0.02f * source->size;
    pelt_vec3 more = {margin, margin, margin};
    for (uint32_t key = 0; key < samples->key_count; ++key)
    {
        bounds[key] = pelt_bounds_empty();
        size_t first = samples->places[key], next = samples->places[samples->next[key]];
        for (uint32_t i = 0; i < samples->spans[key]; ++i)
        {
            add_probes(&bounds[key], source, samples->motions + (first + i) * source->joint_count);
        }
        add_probes(&bounds[key], source, samples->motions + next * source->joint_count);
        bounds[key].min = pelt_vec3_sub(bounds[key].min, more);
        bounds[key].max = pelt_vec3_add(bounds[key].max, more);
        pelt_bounds_add(&out->bounds, &bounds[key].min, 1);
        pelt_bounds_add(&out->bounds, &bounds[key].max, 1);
    }
}

static void find_root_motion(pelt_transform* out, const pelti_bake_source* source, uint32_t root,
                             const pelti_samples* samples)
{
    for (uint32_t key = 0; key < samples->key_count; ++key)
    {
        const pelt_mat34* motions =
            samples->motions + (size_t)samples->places[key] * source->joint_count;
        pelti_pose pose = pelti_pose_of(&motions[root], source->joints[root].origin);
        out[key] = (pelt_transform){pose.position, pose.rotation, {1.0f, 1.0f, 1.0f}};
    }
}

static pelt_result describe_clip(pelt_baked_clip* out, pelt_baked_run* runs, pelt_baked* baked,
                                 const bake_work* work, const pelti_bake_clip* clip)
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
    find_bounds(out, bounds, &work->source, &clip->samples);
    if (baked->root != PELT_NONE)
    {
        out->root_motion = motion;
        find_root_motion(motion, &work->source, baked->root, &clip->samples);
    }
    return PELT_OK;
}

static pelt_result make_result(pelt_baked** out, const bake_work* work, pelt_error* error)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_baked* baked = arena != NULL ? pelt_arena_alloc(arena, 1, sizeof *baked) : NULL;
    if (baked == NULL)
    {
        pelt_arena_destroy(arena);
        return pelt_error_memory(error);
    }
    *baked = (pelt_baked){.encoding = work->options.encoding,
                          .texel = texel_of(&work->options),
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
    pelt_result result = has_memory ? pelti_layout_write(baked, runs, keys, run_count, has_rows,
                                                         work->options.max_size, error)
                                    : pelt_error_memory(error);
    if (result != PELT_OK)
    {
        pelt_arena_destroy(arena);
        return result;
    }
    *out = baked;
    return PELT_OK;
}

static pelt_result bake_joints(pelt_baked** out, bake_work* work, const pelt_scene* scene,
                               pelt_error* error)
{
    bool has_ancestors = work->options.encoding == PELT_ENCODING_LOCAL;
    pelt_result result = pelti_bake_source_create(&work->source, scene, &work->options,
                                                  has_ancestors, work->arena, error);
    if (work->options.is_relative)
    {
        work->options.max_error *= (double)work->source.height;
    }
    if (result == PELT_OK)
    {
        result = list_clips(work, error);
    }
    if (result == PELT_OK)
    {
        result = run_clips(work, sample_task, error);
    }
    if (result == PELT_OK)
    {
        result = make_plan(work, error);
    }
    bool has_budget = work->options.has_budget;
    work->quality = quality_of(&work->options);
    if (result == PELT_OK)
    {
        bool has_error = has_budget && work->options.max_error > 0.0;
        result = has_error    ? meet_error(work, error)
                 : has_budget ? fit_bytes(work, error)
                              : run_clips(work, encode_task, error);
    }
    if (result == PELT_OK)
    {
        result = make_result(out, work, error);
    }
    if (result == PELT_OK && has_budget && work->options.max_bytes > 0 &&
        pelt_baked_bytes(*out) > work->options.max_bytes)
    {
        result = pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                                "an error of %.3g mm takes %zu bytes, more than the %zu allowed",
                                1e3 * work->options.max_error, pelt_baked_bytes(*out),
                                work->options.max_bytes);
        pelt_baked_destroy(*out);
        *out = NULL;
    }
    for (uint32_t i = 0; i < work->clip_count; ++i)
    {
        pelt_arena_destroy(work->clips[i].arena);
    }
    return result;
}

pelt_result pelt_bake(pelt_baked** out, const pelt_scene* scene, const pelt_bake_options* options,
                      pelt_error* error)
{
    *out = NULL;
    bake_work work = {.options = options != NULL ? *options : (pelt_bake_options){0},
                      .is_telling = ATOMIC_FLAG_INIT};
    pelt_result result = check_options(&work.options, scene, error);
    if (result != PELT_OK)
    {
        return result;
    }
    work.arena = pelt_arena_create();
    if (work.arena == NULL)
    {
        return pelt_error_memory(error);
    }
    result = bake_joints(out, &work, scene, error);
    pelt_arena_destroy(work.arena);
    return result;
}
