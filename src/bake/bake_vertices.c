// SPDX-License-Identifier: MIT
// Encodes the vertices of all clips: with given bits, within an error, or into a number of bytes.
// Clips are encoded one after another, so that only one is kept as floats.
#include "../base/exact.h"

#include "../baked/baked_texels.h"
#include "bake_work.h"

#include <stdlib.h>
#include <string.h>

enum
{
    BITS_MAX = 16, // of a coordinate, with a budget of bytes
    PASSES = 4,    // over a clip with a budget, roughly
};

static const double room = 0.98; // of the allowed error, since it may be larger between samples

// ---------------------------------------------------------------------------------------------
// One clip

static pelt_result encode_clip(pelti_bake_work* work, pelti_bake_clip* clip, uint32_t width)
{
    pelti_vertex_clip samples;
    pelt_result result = pelti_vertex_clip_create(&samples, work, clip);
    if (result == PELT_OK)
    {
        bool is_thesis = work->options.layout == PELT_BAKE_LAYOUT_THESIS;
        result = is_thesis ? pelti_thesis_encode(clip, &samples)
                           : pelti_vertex_clip_encode(clip, &samples, width);
    }
    pelti_vertex_clip_destroy(&samples);
    return result;
}

// The first of some widths with an error that is small enough.
static uint32_t first_within(const pelti_vertex_error* errors, const uint32_t* widths, double limit,
                             bool is_at_keys)
{
    for (int i = 0; i < PELTI_VERTEX_WIDTHS; ++i)
    {
        if ((is_at_keys ? errors[i].at_keys : errors[i].everywhere) <= limit)
        {
            return widths[i];
        }
    }
    return 0;
}

// The smallest width, from *inout on, that keeps the error at keys or everywhere.
static pelt_result find_width(uint32_t* inout, double* reached, pelti_vertex_clip* samples,
                              bool is_at_keys)
{
    double limit = room * samples->work->options.max_error;
    uint32_t found = 0;
    for (uint32_t first = *inout; found == 0; first += PELTI_VERTEX_WIDTHS - 1)
    {
        pelti_vertex_error errors[PELTI_VERTEX_WIDTHS];
        uint32_t widths[PELTI_VERTEX_WIDTHS];
        for (uint32_t i = 0; i < PELTI_VERTEX_WIDTHS; ++i)
        {
            // The last is the widest; if that misses the error, every width does.
            bool is_last = i + 1 == PELTI_VERTEX_WIDTHS || first + i > PELTI_WIDTH_MAX;
            widths[i] = is_last ? PELTI_WIDTH_MAX : first + i;
        }
        PELT_TRY(pelti_vertex_clip_measure(errors, samples, widths, is_at_keys));
        const pelti_vertex_error* finest = &errors[PELTI_VERTEX_WIDTHS - 1];
        *reached = is_at_keys ? finest->at_keys : finest->everywhere;
        if (*reached > limit)
        {
            return PELT_ERROR_UNSUPPORTED;
        }
        found = first_within(errors, widths, limit, is_at_keys);
        found = found == PELTI_WIDTH_MAX && first + 2 < PELTI_WIDTH_MAX ? 0 : found;
    }
    *inout = found;
    return PELT_OK;
}

static pelt_result search_rate(pelti_bake_clip* tried, pelti_rate rate, void* context)
{
    pelti_bake_work* work = context;
    pelti_vertex_clip samples = {0};
    uint32_t width = 1;
    pelt_result result = pelti_bake_clip_sample(tried, &work->source, &work->options, rate);
    pelti_bake_keep_result(work, result);
    if (result == PELT_OK)
    {
        result = pelti_vertex_clip_create(&samples, work, tried);
    }
    // At keys first, which needs no deformation; the second search starts with that width.
    if (result == PELT_OK)
    {
        result = find_width(&width, &tried->reached, &samples, true);
    }
    if (result == PELT_OK && work->options.scope == PELT_BAKE_EVERYWHERE)
    {
        result = find_width(&width, &tried->reached, &samples, false);
    }
    if (result == PELT_OK)
    {
        result = pelti_vertex_clip_encode(tried, &samples, width);
    }
    pelti_vertex_clip_destroy(&samples);
    return result;
}

// ---------------------------------------------------------------------------------------------
// All clips

static uint32_t count_keys(const pelti_clip_times* times)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < times->run_count; ++i)
    {
        count += pelti_run_key_count(&times->runs[i], times->wraps);
    }
    return count;
}

// Progress counts keys, several times with a budget. It is limited to the first `end` clips.
static void limit_steps(pelti_bake_work* work, uint32_t end)
{
    unsigned passes = work->options.has_budget ? PASSES : 1;
    work->progress.step_count = work->progress.step_limit = 0;
    for (uint32_t i = 0; i < work->clip_count; ++i)
    {
        unsigned steps = passes * count_keys(&work->clips[i].source_times);
        work->progress.step_count += steps;
        work->progress.step_limit += i < end ? steps : 0;
    }
}

// @param width  0: as the budget says
static pelt_result encode_clips(pelti_bake_work* work, uint32_t width, pelt_error* error)
{
    for (uint32_t i = 0; i < work->clip_count; ++i)
    {
        pelti_bake_clip* clip = &work->clips[i];
        atomic_store(&work->progress.done, work->progress.step_limit);
        limit_steps(work, i + 1);
        pelt_result result =
            width > 0 ? encode_clip(work, clip, width)
                      : pelti_bake_try_rates(clip, &work->options, search_rate, work, false);
        if (result == PELT_ERROR_UNSUPPORTED)
        {
            return pelti_bake_refuse_error(work, clip, error);
        }
        if (result == PELT_ERROR_DATA)
        {
            return pelt_error_set(
                error, result,
                "clip %s moves vertices too far for a texture, or to positions that are not finite",
                clip->clip->name);
        }
        if (result == PELT_OK)
        {
            atomic_store(&work->progress.done, work->progress.step_limit - 1);
            pelti_progress_add(&work->progress, 1);
        }
        if (pelti_bake_state(work) != PELT_OK)
        {
            return pelti_bake_tasks_end(work, error);
        }
    }
    return PELT_OK;
}

// Words of the whole texture with the keys that clips have now.
static uint64_t count_words(const pelti_bake_work* work, uint32_t width)
{
    uint64_t words = PELTI_BAKE_HEADER_WORDS;
    for (uint32_t i = 0; i < work->clip_count; ++i)
    {
        const pelti_bake_clip* clip = &work->clips[i];
        words +=
            pelti_bake_clip_words(clip) + pelti_vertex_words(work, clip->samples.key_count, width);
    }
    return words;
}

static bool fits(const pelti_bake_work* work, uint32_t width)
{
    uint64_t words = count_words(work, width);
    // size_t may have 32 bits.
    return words < PELT_NONE && pelti_bake_fits(work, (size_t)words);
}

static pelt_result sample_clips(pelti_bake_work* work, pelti_rate rate)
{
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < work->clip_count && result == PELT_OK; ++i)
    {
        result = pelti_bake_clip_sample(&work->clips[i], &work->source, &work->options, rate);
    }
    pelti_bake_keep_result(work, result);
    return result;
}

static pelt_result measure_clips(double* out, pelti_bake_work* work, uint32_t width)
{
    pelt_result result = PELT_OK;
    *out = 0.0;
    for (uint32_t i = 0; i < work->clip_count && result == PELT_OK; ++i)
    {
        pelti_vertex_clip samples;
        pelti_vertex_error errors[PELTI_VERTEX_WIDTHS];
        result = pelti_vertex_clip_create(&samples, work, &work->clips[i]);
        if (result == PELT_OK)
        {
            const uint32_t widths[PELTI_VERTEX_WIDTHS] = {width, width, width, width};
            result = pelti_vertex_clip_measure(errors, &samples, widths, false);
            *out = fmax(*out, errors[0].everywhere);
        }
        pelti_vertex_clip_destroy(&samples);
    }
    return result;
}

// Find the most bits that fit and, with PELT_BAKE_AUTO, the rate with the smallest error.
static pelt_result fit_bytes(pelti_bake_work* work, pelt_error* error)
{
    bool is_auto = work->options.timing == PELT_BAKE_AUTO;
    uint32_t best_width = 0;
    pelti_rate best_rate = {1, 1};
    double best_error = INFINITY;
    uint64_t least = 0;
    for (int i = -1; i < (is_auto ? PELTI_FEWER_RATES : 0); ++i)
    {
        pelti_rate rate = i < 0 ? (pelti_rate){1, 1} : pelti_fewer_rates[i];
        pelt_result result = sample_clips(work, rate);
        uint32_t width = BITS_MAX;
        while (width > 0 && result == PELT_OK && !fits(work, width))
        {
            --width;
        }
        double found = 0.0;
        if (is_auto && width > 0 && result == PELT_OK)
        {
            result = measure_clips(&found, work, width);
        }
        if (result != PELT_OK)
        {
            return pelti_bake_tasks_end(work, error);
        }
        least = count_words(work, 1);
        if (width > 0 && found < best_error)
        {
            best_width = width;
            best_rate = rate;
            best_error = found;
        }
        else if (best_width > 0)
        {
            break; // the error grows
        }
    }
    if (best_width == 0)
    {
        return pelti_bake_refuse_bytes(work, (size_t)least, error);
    }
    return sample_clips(work, best_rate) == PELT_OK ? encode_clips(work, best_width, error)
                                                    : pelti_bake_tasks_end(work, error);
}

pelt_result pelti_bake_vertices(pelti_bake_work* work, pelt_error* error)
{
    const pelt_bake_options* options = &work->options;
    if (pelti_unique_vertices_find(&work->unique, work->source.scene, options, work->arena) !=
        PELT_OK)
    {
        return pelt_error_memory(error);
    }
    limit_steps(work, 0);
    if (options->has_budget)
    {
        return options->max_error > 0.0 ? encode_clips(work, 0, error) : fit_bytes(work, error);
    }
    // Check the size first: encoding may take minutes.
    uint64_t words = count_words(work, options->bits);
    uint64_t room_words = (uint64_t)options->max_size * options->max_size *
                          pelt_texel_words(pelti_bake_texel(options));
    return words <= room_words ? encode_clips(work, options->bits, error)
                               : pelti_layout_refuse(words, options->max_size, error);
}

// ---------------------------------------------------------------------------------------------
// Unique vertices

typedef struct description
{
    uint32_t count;
    uint32_t* words;
} description;

static void add_word(description* out, uint32_t word)
{
    out->words[out->count++] = word;
}

static void add_float(description* out, float value)
{
    add_word(out, pelti_float_word(value == 0.0f ? 0.0f : value)); // -0 is 0
}

static void add_point(description* out, const pelt_vec3* points, uint32_t vertex)
{
    pelt_vec3 p = points != NULL ? points[vertex] : pelt_vec3_make(0.0f, 0.0f, 0.0f);
    add_float(out, p.x);
    add_float(out, p.y);
    add_float(out, p.z);
}

enum
{
    FIXED_WORDS = 4 + 10,
    INFLUENCE_WORDS = 2,
    MORPH_WORDS = 6,
};

static uint32_t most_words(const pelt_scene* scene)
{
    uint32_t most = FIXED_WORDS;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        uint32_t own = FIXED_WORDS + INFLUENCE_WORDS * mesh->weights.max_influences +
                       MORPH_WORDS * mesh->morph_count;
        most = own > most ? own : most;
    }
    return most;
}

// All vertices of a scene, and the options of their deformation.
typedef struct vertex_list
{
    const pelt_scene* scene;
    const pelt_deform_options* deform;
    const pelti_unique_vertex* vertices;
    uint32_t count;
} vertex_list;

static void describe(description* out, const vertex_list* list, uint32_t index)
{
    const pelt_scene* scene = list->scene;
    const pelt_deform_options* deform = list->deform;
    const pelti_unique_vertex* at = &list->vertices[index];
    const pelt_instance* instance = &scene->instances[at->instance];
    const pelt_mesh* mesh = &scene->meshes[instance->mesh];
    const pelt_weights* weights = &mesh->weights;
    uint32_t v = at->vertex;
    bool is_skinned = instance->skin != PELT_NONE;
    // Weights of morph targets belong to an instance. Other rules of normals depend on neighbors,
    // so vertices are not shared.
    bool has_neighbors = deform->normal_rule != PELT_NORMAL_STANDARD && mesh->normals != NULL;
    out->count = 0;
    add_word(out, instance->skin);
    add_word(out, is_skinned ? PELT_NONE : instance->node);
    add_word(out, mesh->morph_count > 0 || has_neighbors ? at->instance : PELT_NONE);
    add_word(out, has_neighbors ? v : PELT_NONE);
    add_point(out, mesh->positions, v);
    add_point(out, mesh->normals, v);
    add_point(out, mesh->cors, v);
    add_float(out, mesh->mix_factors != NULL ? mesh->mix_factors[v] : deform->mix);
    bool has_weights = is_skinned && weights->first != NULL;
    for (uint32_t i = 0; has_weights && i < weights->first[v + 1] - weights->first[v]; ++i)
    {
        const pelt_influence* own = &weights->influences[weights->first[v] + i];
        add_word(out, own->joint | (uint32_t)own->slot << 16);
        add_float(out, own->weight);
    }
    for (uint32_t i = 0; i < mesh->morph_count; ++i)
    {
        add_point(out, mesh->morphs[i].positions, v);
        add_point(out, mesh->morphs[i].normals, v);
    }
}

// FNV-1a (Fowler, Noll, Vo), by words.
static uint64_t hash_of(const description* own)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 0; i < own->count; ++i)
    {
        hash = (hash ^ own->words[i]) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32;
    }
    return hash;
}

typedef struct hashed_vertex
{
    uint64_t hash;
    uint32_t index; // in all
} hashed_vertex;

static int compare_hashes(const void* a, const void* b)
{
    const hashed_vertex *x = a, *y = b;
    return x->hash != y->hash ? (x->hash < y->hash ? -1 : 1)
                              : (x->index > y->index) - (x->index < y->index);
}

// For each vertex the first one that is the same.
static void find_firsts(uint32_t* firsts, hashed_vertex* hashed, const vertex_list* list,
                        description both[2])
{
    for (uint32_t i = 0; i < list->count; ++i)
    {
        describe(&both[0], list, i);
        hashed[i] = (hashed_vertex){hash_of(&both[0]), i};
    }
    qsort(hashed, list->count, sizeof *hashed, compare_hashes);
    for (uint32_t i = 0, first = 0; i < list->count; ++i)
    {
        // A different description with the same hash starts a new vertex: at worst, less is shared.
        bool is_same = i > 0 && hashed[i].hash == hashed[i - 1].hash;
        if (is_same)
        {
            describe(&both[1], list, hashed[i].index);
            is_same =
                both[0].count == both[1].count &&
                memcmp(both[0].words, both[1].words, both[0].count * sizeof *both[0].words) == 0;
        }
        if (!is_same)
        {
            first = hashed[i].index;
            describe(&both[0], list, first);
        }
        firsts[hashed[i].index] = first;
    }
}

static bool list_vertices(pelti_unique_vertices* out, uint32_t* count, const pelt_scene* scene,
                          pelt_arena* arena)
{
    size_t all = 0;
    out->ids = pelt_arena_alloc(arena, scene->instance_count, sizeof *out->ids);
    for (uint32_t i = 0; out->ids != NULL && i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        all += mesh->vertex_count;
        out->has_normals = out->has_normals || mesh->normals != NULL;
        out->ids[i] = pelt_arena_alloc(arena, mesh->vertex_count, sizeof **out->ids);
        if (out->ids[i] == NULL)
        {
            return false;
        }
    }
    if (out->ids == NULL || all > UINT32_MAX)
    {
        return false;
    }
    out->firsts = pelt_arena_alloc(arena, all, sizeof *out->firsts);
    for (uint32_t i = 0; out->firsts != NULL && i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        for (uint32_t v = 0; v < mesh->vertex_count; ++v)
        {
            out->firsts[(*count)++] = (pelti_unique_vertex){i, v, mesh->positions[v]};
        }
    }
    return out->firsts != NULL;
}

pelt_result pelti_unique_vertices_find(pelti_unique_vertices* out, const pelt_scene* scene,
                                       const pelt_bake_options* options, pelt_arena* arena)
{
    uint32_t count = 0, words = most_words(scene);
    *out = (pelti_unique_vertices){0};
    if (!list_vertices(out, &count, scene, arena))
    {
        return PELT_ERROR_MEMORY;
    }
    hashed_vertex* hashed = pelt_allocate(count, sizeof *hashed);
    uint32_t* firsts = pelt_allocate(count, sizeof *firsts);
    description both[2] = {{0, pelt_allocate(words, sizeof(uint32_t))},
                           {0, pelt_allocate(words, sizeof(uint32_t))}};
    bool has_memory =
        hashed != NULL && firsts != NULL && both[0].words != NULL && both[1].words != NULL;
    for (uint32_t i = 0; has_memory && options->keeps_copies && i < count; ++i)
    {
        firsts[i] = i;
    }
    if (has_memory && !options->keeps_copies)
    {
        find_firsts(firsts, hashed, &(vertex_list){scene, &options->deform, out->firsts, count},
                    both);
    }
    // Number the unique vertices in order and compact the list in place.
    for (uint32_t i = 0; has_memory && i < count; ++i)
    {
        pelti_unique_vertex own = out->firsts[i];
        bool is_first = firsts[i] == i;
        firsts[i] = is_first ? out->count : firsts[firsts[i]];
        out->ids[own.instance][own.vertex] = firsts[i];
        if (is_first)
        {
            out->firsts[out->count++] = own;
        }
    }
    pelt_release(hashed);
    pelt_release(firsts);
    pelt_release(both[0].words);
    pelt_release(both[1].words);
    return has_memory ? PELT_OK : PELT_ERROR_MEMORY;
}
