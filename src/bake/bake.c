// SPDX-License-Identifier: MIT
// Baking: clips of a scene are sampled, encoded and laid out in a texture.
#include "../base/exact.h"

#include "bake_work.h"

enum
{
    DEFAULT_MAX_SIZE = 4096, // the limit of phones
};

// Keys per second at which joints in model space are interpolated well.
static const double min_rate = 24.0;

// ---------------------------------------------------------------------------------------------
// Tasks

void pelti_bake_keep_result(pelti_bake_work* work, pelt_result result)
{
    int none = PELT_OK;
    if (result != PELT_OK)
    {
        atomic_compare_exchange_strong(&work->result, &none, (int)result);
    }
}

pelt_result pelti_bake_state(pelti_bake_work* work)
{
    return pelti_progress_is_canceled(&work->progress) ? PELT_ERROR_CANCELED
                                                       : (pelt_result)atomic_load(&work->result);
}

pelt_result pelti_bake_tasks_end(pelti_bake_work* work, pelt_error* error)
{
    pelt_result result = pelti_bake_state(work);
    return result == PELT_ERROR_CANCELED ? pelt_error_set(error, result, "baking was canceled")
           : result == PELT_ERROR_MEMORY ? pelt_error_memory(error)
                                         : result;
}

pelt_result pelti_bake_refuse_error(const pelti_bake_work* work, const pelti_bake_clip* clip,
                                    pelt_error* error)
{
    const pelt_bake_options* options = &work->options;
    bool has_rate = options->timing != PELT_BAKE_AUTO;
    bool has_local = options->encoding != PELT_ENCODING_LOCAL && !options->finds_encoding;
    return pelt_error_set(
        error, PELT_ERROR_UNSUPPORTED,
        "clip %s cannot be baked to %.3g mm by encoding %s%s: it reaches %.3g mm; "
        "choose %s%s%sa larger error",
        clip->clip->name, 1e3 * options->max_error, pelt_encoding_name(options->encoding),
        has_rate                ? ""
        : clip->most_rate < 8.0 ? " at any rate that memory allows (--max-memory)"
                                : " at any rate",
        1e3 * clip->reached, has_rate ? "a higher rate" : "", has_rate && has_local ? ", " : "",
        has_local  ? "encoding local or "
        : has_rate ? " or "
                   : "");
}

// The last row of a nearly square texture is not full.
static size_t texture_bytes(size_t words)
{
    return 4 * words + (size_t)ceil(16.0 * sqrt((double)words));
}

bool pelti_bake_fits(const pelti_bake_work* work, size_t words)
{
    return texture_bytes(words) <= work->options.max_bytes;
}

pelt_result pelti_bake_refuse_bytes(const pelti_bake_work* work, size_t words, pelt_error* error)
{
    return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                          "%zu bytes are too few: at least %zu bytes are needed",
                          work->options.max_bytes, texture_bytes(words));
}

size_t pelti_bake_code_words(const pelti_bake_work* work)
{
    size_t words = work->is_shared ? pelti_code_words(&work->shared.code) : 0;
    for (uint32_t i = 0; i < work->clip_count && !work->is_shared; ++i)
    {
        words += pelti_code_words(&work->clips[i].found.code);
    }
    return words;
}

size_t pelti_bake_clip_words(const pelti_bake_clip* clip)
{
    return PELTI_BAKE_CLIP_WORDS + (size_t)PELTI_BAKE_RUN_WORDS * clip->times.run_count;
}

// ---------------------------------------------------------------------------------------------
// Options

static pelt_result check_vertices(const pelt_bake_options* options, const pelt_scene* scene,
                                  pelt_error* error)
{
    if (options->socket_count > 0)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "encoding vertex has no joints that sockets could follow");
    }
    if (options->normal_bits == 1 || options->normal_bits > 16)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "normals of %u bits are not possible; 2 to 16 are",
                              options->normal_bits);
    }
    if ((unsigned)options->deform.method >= PELT_METHOD_COUNT)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "there is no method %d",
                              (int)options->deform.method);
    }
    const pelt_method_traits* method = pelt_method_info(options->deform.method);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        bool has_skin = scene->instances[i].skin != PELT_NONE;
        if (method->needs_centers && has_skin && mesh->cors == NULL)
        {
            return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                  "mesh %s has no centers of rotation for method %s; "
                                  "pelt_scene_add_cors() finds them",
                                  mesh->name != NULL ? mesh->name : "", method->name);
        }
    }
    return PELT_OK;
}

static pelt_result check_options(pelt_bake_options* options, const pelt_scene* scene,
                                 pelt_error* error)
{
    if ((unsigned)options->encoding >= PELT_ENCODING_COUNT)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "there is no encoding %d",
                              (int)options->encoding);
    }
    if ((unsigned)options->layout >= PELT_BAKE_LAYOUT_COUNT)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "there is no layout %d",
                              (int)options->layout);
    }
    if (options->layout == PELT_BAKE_LAYOUT_THESIS)
    {
        PELT_TRY(pelti_thesis_check(options, error));
    }
    pelt_encoding_bits widths = pelt_encoding_bits_of(options->encoding);
    options->bits = options->bits == 0 ? widths.usual : options->bits;
    if (!pelt_encoding_has_bits(options->encoding, options->bits))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "encoding %s has %s bits, not %u",
                              pelt_encoding_name(options->encoding), widths.text, options->bits);
    }
    if (options->encoding == PELT_ENCODING_VERTEX)
    {
        PELT_TRY(check_vertices(options, scene, error));
    }
    if (options->timing == PELT_BAKE_RATE && !(options->rate >= 1e-3f && options->rate <= 1e4f))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "a rate of %g Hz is not possible",
                              (double)options->rate);
    }
    if (options->finds_encoding && !options->has_budget)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "encodings can only be compared within a budget");
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

// ---------------------------------------------------------------------------------------------
// Stages

static pelt_result list_clips(pelti_bake_work* work, pelt_error* error)
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
    bool is_thesis = options->layout == PELT_BAKE_LAYOUT_THESIS;
    if (is_thesis && work->clip_count > 1)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "the thesis layout has room for one clip, and %u are asked for",
                              work->clip_count);
    }
    for (uint32_t i = 0; i < work->clip_count; ++i)
    {
        pelti_bake_clip* clip = &work->clips[i];
        if (pelti_clip_times_find(&clip->source_times, &work->source, clip->clip, options, min_rate,
                                  work->arena) != PELT_OK)
        {
            return pelt_error_memory(error);
        }
    }
    PELT_TRY(pelti_bake_check_memory(work, error));
    PELT_TRY(pelti_bake_check_morphs(work, error));
    return is_thesis ? pelti_thesis_times(&work->clips[0].source_times, options, error) : PELT_OK;
}

static void sample_task(void* context, uint32_t index)
{
    pelti_bake_work* work = context;
    if (!pelti_progress_is_canceled(&work->progress))
    {
        pelti_bake_keep_result(
            work, pelti_bake_clip_begin(&work->clips[index], &work->source, &work->options));
        if (work->options.encoding != PELT_ENCODING_VERTEX) // there, sampling joints takes no time
        {
            pelti_progress_add(&work->progress, 1);
        }
    }
}

static float power_of_two(float value)
{
    int exponent;
    frexpf(value, &exponent);
    return ldexpf(1.0f, exponent);
}

// Positions and stretches are relative to units; a range of a component may be up to 256 of one.
static void find_units(pelti_bake_work* work)
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
    // Positions of vertices are not known yet. Morph targets and methods other than lbs may move
    // them farther than the joints.
    bool has_vertices = work->options.encoding == PELT_ENCODING_VERTEX;
    work->job.unit = power_of_two(has_vertices ? 64.0f * largest : largest);
    work->job.stretch_unit = stretch > 64.0f ? power_of_two(stretch / 64.0f) : 1.0f;
}

static pelt_result make_plan(pelti_bake_work* work, pelt_error* error)
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
    bool has_pivots = work->options.layout == PELT_BAKE_LAYOUT_THESIS &&
                      work->options.encoding != PELT_ENCODING_VERTEX;
    if (result == PELT_OK && has_pivots)
    {
        work->job.unit = pelti_thesis_plan(&work->plan, &work->source, &work->clips[0].samples);
    }
    work->job.stretch_unit =
        work->options.layout == PELT_BAKE_LAYOUT_THESIS ? 1.0f : work->job.stretch_unit;
    return result == PELT_OK ? PELT_OK : pelt_error_memory(error);
}

// Create the source and sample the motions of its joints at all keys.
static pelt_result prepare(pelti_bake_work* work, const pelt_scene* scene, pelt_error* error)
{
    bool has_ancestors = work->options.encoding == PELT_ENCODING_LOCAL;
    PELT_TRY(pelti_bake_source_create(&work->source, scene, &work->options, has_ancestors,
                                      work->arena, error));
    PELT_TRY(pelti_bake_check_rest(&work->source, error));
    if (work->options.is_relative)
    {
        work->options.max_error *= (double)work->source.height;
    }
    PELT_TRY(list_clips(work, error));
    work->progress.step_count = work->progress.step_limit = 2 * work->clip_count;
    pelt_run(work->clip_count, sample_task, work);
    PELT_TRY(pelti_bake_tasks_end(work, error));
    PELT_TRY(pelti_bake_check_samples(work, error));
    return make_plan(work, error);
}

// @param out  may be set after an error, too
static pelt_result bake(pelt_baked** out, pelti_bake_work* work, const pelt_scene* scene,
                        pelt_error* error)
{
    const pelt_bake_options* options = &work->options;
    PELT_TRY(prepare(work, scene, error));
    if (options->encoding == PELT_ENCODING_VERTEX)
    {
        PELT_TRY(pelti_bake_vertices(work, error));
    }
    else if (options->layout != PELT_BAKE_LAYOUT_THESIS) // which is written from samples
    {
        PELT_TRY(pelti_bake_joints(work, error));
    }
    PELT_TRY(pelti_bake_result(out, work, error));
    PELT_TRY(pelt_baked_validate(*out, error)); // pelt_bake() promises a valid bake
    bool is_too_large = options->has_budget && options->max_bytes > 0 &&
                        pelt_baked_bytes(*out) > options->max_bytes;
    return !is_too_large
               ? PELT_OK
               : pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                                "an error of %.3g mm takes %zu bytes, more than the %zu allowed",
                                1e3 * options->max_error, pelt_baked_bytes(*out),
                                options->max_bytes);
}

static void free_clips(pelti_bake_work* work)
{
    for (uint32_t i = 0; i < work->clip_count; ++i)
    {
        pelt_arena_destroy(work->clips[i].arena);
    }
}

pelt_result pelti_bake_as(pelt_baked** out, pelt_bake_candidate* found, size_t* most_words,
                          const pelt_scene* scene, const pelt_bake_options* options,
                          pelt_error* error)
{
    pelti_bake_work work = {.options = *options,
                            .most_words = *most_words,
                            .progress = {.is_telling = ATOMIC_FLAG_INIT}};
    work.progress.tell = work.options.progress;
    work.progress.user = work.options.user;
    *out = NULL;
    *found = (pelt_bake_candidate){.encoding = options->encoding};
    PELT_TRY(check_options(&work.options, scene, error));
    work.arena = pelt_arena_create();
    if (work.arena == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_result result = bake(out, &work, scene, error);
    if (result != PELT_OK)
    {
        pelt_baked_destroy(*out);
        *out = NULL;
    }
    *most_words = pelti_bake_code_words(&work);
    found->is_met = result == PELT_OK;
    found->is_given_up = work.about_words > 0;
    found->bytes = result == PELT_OK ? pelt_baked_bytes(*out) : 4 * work.about_words;
    found->max_error = work.error;
    free_clips(&work);
    pelt_arena_destroy(work.arena);
    return result;
}

pelt_result pelt_bake(pelt_baked** out, const pelt_scene* scene, const pelt_bake_options* options,
                      pelt_error* error)
{
    const pelt_bake_options defaults = {0};
    pelt_bake_candidate found;
    size_t most_words = 0;
    options = options != NULL ? options : &defaults;
    return options->finds_encoding ? pelti_bake_choose(out, scene, options, error)
                                   : pelti_bake_as(out, &found, &most_words, scene, options, error);
}

// ---------------------------------------------------------------------------------------------
// Choice of the encoding

enum
{
    CANDIDATES = 2,
};

// Maps the progress of one encoding to a part of the whole.
typedef struct choice_progress
{
    const pelt_bake_options* options;
    float first, part;
} choice_progress;

static bool tell_part(float part, void* user)
{
    const choice_progress* own = user;
    return own->options->progress(own->first + own->part * part, own->options->user);
}

// Fewer bytes or, for a budget of bytes, a smaller error. QT wins a tie: it needs one pass only.
static bool is_better(const pelt_bake_candidate* a, const pelt_bake_candidate* b,
                      const pelt_bake_options* options)
{
    if (a->is_met != b->is_met)
    {
        return a->is_met;
    }
    bool has_error = options->max_error > 0.0;
    double x = has_error ? (double)a->bytes : a->max_error;
    double y = has_error ? (double)b->bytes : b->max_error;
    return x < y || (x == y && a->encoding == PELT_ENCODING_QT);
}

static pelt_result describe(pelt_baked* inout, const pelt_bake_candidate* found, uint32_t best,
                            pelt_error* error)
{
    pelt_bake_candidate* own = pelt_arena_alloc(inout->arena, CANDIDATES, sizeof *own);
    if (own == NULL)
    {
        return pelt_error_memory(error);
    }
    own[0] = found[best];
    own[1] = found[1 - best];
    inout->candidates = own;
    inout->candidate_count = CANDIDATES;
    return PELT_OK;
}

// Neither meets the budget: report the error of the better one and what the other reaches.
static pelt_result refuse(const pelt_bake_candidate* found, const pelt_error* errors,
                          const pelt_bake_options* options, pelt_error* error)
{
    bool has_first = found[0].max_error > 0.0, has_second = found[1].max_error > 0.0;
    uint32_t best = has_second && (!has_first || found[1].max_error < found[0].max_error) ? 1 : 0;
    if (!has_first || !has_second || !(options->max_error > 0.0))
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED, "%s", errors[best].message);
    }
    return pelt_error_set(error, PELT_ERROR_UNSUPPORTED, "%s; encoding %s reaches %.3g mm",
                          errors[best].message, pelt_encoding_name(found[1 - best].encoding),
                          1e3 * found[1 - best].max_error);
}

pelt_result pelti_bake_choose(pelt_baked** out, const pelt_scene* scene,
                              const pelt_bake_options* options, pelt_error* error)
{
    static const pelt_encoding encodings[CANDIDATES] = {PELT_ENCODING_LOCAL, PELT_ENCODING_QT};
    pelt_bake_candidate found[CANDIDATES];
    pelt_error errors[CANDIDATES] = {0};
    pelt_baked* baked[CANDIDATES] = {0};
    size_t words = 0;
    pelt_result result = PELT_OK;
    *out = NULL;
    for (uint32_t i = 0; i < CANDIDATES; ++i)
    {
        choice_progress progress = {options, i == 0 ? 0.0f : 0.7f, i == 0 ? 0.7f : 0.3f};
        pelt_bake_options own = *options;
        own.encoding = encodings[i];
        own.progress = options->progress != NULL ? tell_part : NULL;
        own.user = &progress;
        words = i > 0 && found[0].is_met && options->max_error > 0.0 ? words : 0;
        result = pelti_bake_as(&baked[i], &found[i], &words, scene, &own, &errors[i]);
        if (result != PELT_OK && result != PELT_ERROR_UNSUPPORTED)
        {
            pelt_baked_destroy(baked[0]);
            return pelt_error_set(error, result, "%s", errors[i].message);
        }
    }
    uint32_t best = is_better(&found[1], &found[0], options) ? 1 : 0;
    if (!found[best].is_met)
    {
        return refuse(found, errors, options, error);
    }
    pelt_baked_destroy(baked[1 - best]);
    *out = baked[best];
    result = describe(*out, found, best, error);
    if (result == PELT_OK && options->progress != NULL)
    {
        options->progress(1.0f, options->user);
    }
    if (result != PELT_OK)
    {
        pelt_baked_destroy(*out);
        *out = NULL;
    }
    return result;
}
