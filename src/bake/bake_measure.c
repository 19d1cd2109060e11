// SPDX-License-Identifier: MIT
// Measures the error of a bake: decodes it at keys and between them, deforms, and compares with the
// source.
#include "../base/exact.h"

#include "../../include/pelt/deformer.h"
#include "../baked/baked_decode.h"
#include "../base/progress.h"
#include "bake_work.h"

#include <float.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum
{
    DEFAULT_BETWEEN = 7,
    BLOCK = 32,            // times of one task
    BIN_BITS = 7,          // of the mantissa of a distance: the histogram has 128 bins per octave
    BINS = 64 << BIN_BITS, // from 2^-40 to 2^24 meters
    DEFAULT_VERTICES = 500 * 1000 * 1000,
};

// One point in time at which bake and source are compared.
typedef struct compared_time
{
    uint32_t clip;
    float time;
    bool is_key;
    // Results:
    double sum_of_squares, normal_sum;
    uint64_t vertex_count, normal_count;
    float max, normal_max;
    uint32_t worst_instance, worst_vertex;
} compared_time;

typedef struct measure_work
{
    const pelt_baked* baked;
    const pelt_scene* scene;
    pelti_bake_source source;
    pelt_measure_options options;
    pelt_frame prepared;         // all tasks use its deformers
    pelt_scene split_scene;      // the scene with a node of its own for each unskinned instance
    pelt_pose rest;              // of split_scene
    const uint32_t* scene_clips; // of each clip of the bake
    uint32_t time_count;
    compared_time* times;
    atomic_uint* bins;         // BINS for each clip
    atomic_uint* joint_errors; // joint_count floats for each clip; bits of floats >= 0 are ordered
    pelti_progress progress;
    atomic_bool is_out_of_memory;
} measure_work;

// ---------------------------------------------------------------------------------------------
// One point in time

// Buffers of a task.
typedef struct measure_buffers
{
    pelti_surface_sampler source;
    pelt_frame decoded;  // of split_scene
    pelt_mat34* motions; // of all joints of the bake
    uint32_t* bins;      // of one time
    pelt_arena* arena;
} measure_buffers;

static void destroy_buffers(measure_buffers* buffers)
{
    pelti_surface_sampler_destroy(&buffers->source);
    pelt_frame_destroy(&buffers->decoded);
    pelt_arena_destroy(buffers->arena);
}

static bool create_buffers(measure_buffers* out, const measure_work* work)
{
    *out = (measure_buffers){.arena = pelt_arena_create()};
    if (out->arena == NULL ||
        pelti_surface_sampler_create(&out->source, work->scene, &work->prepared) != PELT_OK ||
        pelt_frame_create(&out->decoded, &work->split_scene) != PELT_OK)
    {
        destroy_buffers(out);
        return false;
    }
    pelt_frame_share(&out->decoded, &work->prepared);
    for (uint32_t i = 0; i < work->scene->instance_count; ++i)
    {
        out->decoded.surfaces[i].tangents = NULL;
    }
    out->bins = pelt_arena_alloc(out->arena, BINS, sizeof *out->bins);
    out->motions = pelt_arena_alloc(out->arena, work->baked->joint_count + 1, sizeof *out->motions);
    if (out->bins == NULL || out->motions == NULL)
    {
        destroy_buffers(out);
        return false;
    }
    return true;
}

// Two unskinned instances on one node are two joints of a bake, and their decoded motions may
// differ by rounding. A frame has one matrix for each node, so each of these instances gets its
// own.
static pelt_result split_nodes(measure_work* work, pelt_arena* arena)
{
    const pelt_scene* scene = work->scene;
    uint32_t node_count = scene->node_count, count = scene->instance_count;
    pelt_node* nodes = pelt_arena_alloc(arena, (size_t)node_count + count, sizeof *nodes);
    pelt_instance* instances = pelt_arena_alloc(arena, count, sizeof *instances);
    if (nodes == NULL || instances == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    memcpy(nodes, scene->nodes, node_count * sizeof *nodes);
    for (uint32_t i = 0; i < count; ++i)
    {
        nodes[node_count + i] = (pelt_node){"", PELT_NONE, pelt_transform_identity()};
        instances[i] = scene->instances[i];
        instances[i].node = instances[i].skin == PELT_NONE ? node_count + i : instances[i].node;
    }
    work->split_scene = *scene;
    work->split_scene.nodes = nodes;
    work->split_scene.node_count += count;
    work->split_scene.instances = instances;
    PELT_TRY(pelt_pose_create(&work->rest, &work->split_scene));
    pelt_pose_rest(&work->rest, &work->split_scene);
    return PELT_OK;
}

// The first step of a frame, from decoded motions instead of a pose. Options may require signs of
// quaternions that follow the hierarchy: those of the source do.
static void pose_decoded(measure_buffers* buffers, const measure_work* work)
{
    const pelt_mat34* motions = buffers->motions;
    for (uint32_t s = 0; s < work->scene->skin_count; ++s)
    {
        pelt_palette* palette = &buffers->decoded.palettes[s];
        const pelt_dquat* signs = buffers->source.frame.palettes[s].motions;
        memcpy(palette->matrices, motions, palette->joint_count * sizeof *motions);
        pelt_palette_decompose(palette);
        for (uint32_t joint = 0; joint < palette->joint_count; ++joint)
        {
            bool is_opposite =
                pelt_quat_dot(palette->motions[joint].real, signs[joint].real) < 0.0f;
            palette->motions[joint] =
                pelt_dquat_scale(palette->motions[joint], is_opposite ? -1.0f : 1.0f);
        }
        motions += palette->joint_count;
    }
    for (uint32_t i = 0; i < work->scene->instance_count; ++i)
    {
        const pelt_instance* instance = &work->split_scene.instances[i];
        if (instance->skin == PELT_NONE)
        {
            buffers->decoded.model_from_node[instance->node] =
                buffers->motions[work->baked->instances[i].first];
        }
    }
}

// The upper bits of a float that is not negative, which are in the order of its value.
static const uint32_t first_bin = (127 - 40) << BIN_BITS;

static uint32_t bin_of(float distance)
{
    uint32_t bin = pelti_float_word(distance) >> (23 - BIN_BITS);
    return bin <= first_bin ? 0 : bin - first_bin < BINS ? bin - first_bin : BINS - 1;
}

static double bin_end(uint32_t bin)
{
    return (double)pelti_word_float((first_bin + bin + 1) << (23 - BIN_BITS));
}

// Degrees between unit vectors. Most angles are small; there, a series in the chord is exact.
static float angle_between(pelt_vec3 a, pelt_vec3 b)
{
    float chord = pelt_vec3_distance(a, b);
    float angle = chord < 0.1f
                      ? chord * (1.0f + chord * chord * (1.0f / 24.0f))
                      : atan2f(pelt_vec3_length(pelt_vec3_cross(a, b)), pelt_vec3_dot(a, b));
    return angle * (180.0f / PELT_PI);
}

static void keep_largest(atomic_uint* largest, float value)
{
    unsigned bits = pelti_float_word(value);
    unsigned before = atomic_load_explicit(largest, memory_order_relaxed);
    while (before < bits && !atomic_compare_exchange_weak(largest, &before, bits))
    {
    }
}

// Sums are kept in a local copy: `inout` could alias the histogram, and each addition would wait
// for the store before it.
static void compare_surfaces(compared_time* inout, measure_work* work,
                             const measure_buffers* buffers, uint32_t index)
{
    const pelt_instance* instance = &work->scene->instances[index];
    const pelt_mesh* mesh = &work->scene->meshes[instance->mesh];
    const pelt_weights* weights = &mesh->weights;
    const pelt_surface *source = &buffers->source.frame.surfaces[index],
                       *decoded = &buffers->decoded.surfaces[index];
    compared_time at = *inout;
    uint32_t* bins = buffers->bins;
    bool has_weights = instance->skin != PELT_NONE && weights->first != NULL;
    atomic_uint* joint_errors = work->joint_errors + (size_t)at.clip * work->source.joint_count +
                                work->source.first_joints[index];
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        float distance = pelt_vec3_distance(source->positions[v], decoded->positions[v]);
        distance = distance <= FLT_MAX ? distance : INFINITY; // NaN counts as infinite
        at.sum_of_squares += (double)distance * (double)distance;
        ++bins[bin_of(distance)];
        if (distance > at.max)
        {
            at.max = distance;
            at.worst_instance = index;
            at.worst_vertex = v;
        }
        if (has_weights && weights->first[v + 1] > weights->first[v])
        {
            keep_largest(&joint_errors[weights->influences[weights->first[v]].joint], distance);
        }
        else if (instance->skin == PELT_NONE)
        {
            keep_largest(joint_errors, distance);
        }
        if (mesh->normals != NULL)
        {
            float degrees = angle_between(source->normals[v], decoded->normals[v]);
            at.normal_sum += (double)degrees;
            at.normal_max = degrees > at.normal_max ? degrees : at.normal_max;
        }
    }
    at.vertex_count += mesh->vertex_count;
    at.normal_count += mesh->normals != NULL ? mesh->vertex_count : 0;
    *inout = at;
}

// Add the histogram of one time to that of its clip.
static void add_bins(measure_work* work, measure_buffers* buffers, uint32_t clip)
{
    for (uint32_t i = 0; i < BINS; ++i)
    {
        if (buffers->bins[i] > 0)
        {
            atomic_fetch_add(&work->bins[(size_t)clip * BINS + i], buffers->bins[i]);
            buffers->bins[i] = 0;
        }
    }
}

static void compare(compared_time* at, measure_work* work, measure_buffers* buffers)
{
    const pelt_scene* scene = work->scene;
    const pelt_deform_options* options = &work->options.deform;
    const pelt_playback playback = {.base = {at->clip, at->time, PELT_WRAP_CLAMP}};
    bool has_vertices = work->baked->encoding == PELT_ENCODING_VERTEX;
    pelti_surface_sample(&buffers->source, scene, &scene->clips[work->scene_clips[at->clip]],
                         at->time, options);
    if (!has_vertices)
    {
        // A bake of joints leaves morph targets at their default weights.
        pelt_unbake(buffers->motions, work->baked, &playback);
        pose_decoded(buffers, work);
        pelt_frame_deform(&buffers->decoded, &work->split_scene, &work->rest, options);
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        if (has_vertices)
        {
            pelt_unbake_vertices(&buffers->decoded.surfaces[i], work->baked, i,
                                 &scene->meshes[scene->instances[i].mesh], &playback);
        }
        compare_surfaces(at, work, buffers, i);
    }
}

static void measure_task(void* context, uint32_t index)
{
    measure_work* work = context;
    measure_buffers buffers;
    if (pelti_progress_is_canceled(&work->progress) || !create_buffers(&buffers, work))
    {
        if (!pelti_progress_is_canceled(&work->progress))
        {
            atomic_store(&work->is_out_of_memory, true);
        }
        return;
    }
    uint32_t end = (index + 1) * BLOCK < work->time_count ? (index + 1) * BLOCK : work->time_count;
    for (uint32_t i = index * BLOCK; i < end; ++i)
    {
        compared_time* at = &work->times[i];
        compare(at, work, &buffers);
        add_bins(work, &buffers, at->clip);
    }
    destroy_buffers(&buffers);
    pelti_progress_add(&work->progress, end - index * BLOCK);
}

// ---------------------------------------------------------------------------------------------
// Times

// List keys and times between them, from the beginning of a clip to its end.
// @param out   NULL: only count them
// @param step  take every step-th time; odd, so that both keys and times between them occur
static uint64_t list_times(compared_time* out, const pelt_baked* baked, uint32_t between,
                           uint64_t step)
{
    uint64_t count = 0;
    for (uint32_t c = 0; c < baked->clip_count; ++c)
    {
        const pelt_baked_clip* clip = &baked->clips[c];
        for (uint32_t r = 0; r < clip->run_count; ++r)
        {
            const pelt_baked_run* run = &clip->runs[r];
            float end = r + 1 < clip->run_count ? clip->runs[r + 1].start : clip->duration;
            uint64_t parts = (uint64_t)between + 1;
            uint64_t intervals = clip->wraps ? run->key_count : run->key_count - 1;
            for (uint64_t i = 0; i <= intervals * parts; i += step)
            {
                double x = (double)i / (double)parts, rate = (double)run->rate;
                float time = rate > 0.0 ? (float)((double)run->start + x / rate) : run->start;
                bool is_key = i % parts == 0;
                // The next run begins at a jump.
                if (time < end || (r + 1 == clip->run_count && is_key))
                {
                    if (out != NULL)
                    {
                        out[count] = (compared_time){.clip = c, .time = time, .is_key = is_key};
                    }
                    ++count;
                }
            }
        }
        // Before the first key and after the last.
        const float ends[2] = {0.0f, clip->duration};
        for (int i = 0; i < 2; ++i)
        {
            if (out != NULL)
            {
                out[count] = (compared_time){.clip = c, .time = ends[i]};
            }
            ++count;
        }
    }
    return count;
}

// The step of list_times() that keeps to options->max_vertices.
static uint64_t choose_step(const measure_work* work, uint64_t time_count)
{
    uint64_t most = work->options.max_vertices > 0 ? work->options.max_vertices : DEFAULT_VERTICES;
    // Decoding a joint takes as long as comparing four vertices.
    uint64_t vertices = work->source.vertices.count + 4 * (uint64_t)work->source.joint_count + 64;
    uint64_t allowed = most / vertices > 0 ? most / vertices : 1;
    return time_count <= allowed ? 1 : (time_count / allowed + 1) | 1;
}

// Clips of a bake have the names and durations of those of the scene, in their order.
static pelt_result match_clips(uint32_t* out, const pelt_baked* baked, const pelt_scene* scene,
                               pelt_error* error)
{
    uint32_t next = 0;
    for (uint32_t c = 0; c < baked->clip_count; ++c)
    {
        const pelt_baked_clip* clip = &baked->clips[c];
        uint32_t found = PELT_NONE;
        for (uint32_t i = 0; i < scene->clip_count && found == PELT_NONE; ++i)
        {
            uint32_t at = (next + i) % scene->clip_count;
            const char* name = scene->clips[at].name != NULL ? scene->clips[at].name : "";
            bool is_same = strcmp(name, clip->name) == 0 &&
                           fabsf(scene->clips[at].duration - clip->duration) <= 1e-4f;
            found = is_same ? at : found;
        }
        if (found == PELT_NONE)
        {
            return pelt_error_set(error, PELT_ERROR_DATA, "the scene has no clip %s of %.3f s",
                                  clip->name, (double)clip->duration);
        }
        out[c] = found;
        next = found + 1;
    }
    return PELT_OK;
}

pelt_result pelti_baked_match(const pelt_baked* baked, const pelt_scene* scene, pelt_error* error)
{
    if (baked->instance_count != scene->instance_count)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "the scene has %u instances, the bake was made of %u",
                              scene->instance_count, baked->instance_count);
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        const pelt_baked_instance* instance = &baked->instances[i];
        uint32_t skin = scene->instances[i].skin;
        uint32_t joints = skin == PELT_NONE ? 1 : scene->skins[skin].joint_count;
        bool has_joints =
            baked->encoding == PELT_ENCODING_VERTEX || instance->joint_count == joints;
        if (instance->vertex_count != mesh->vertex_count || !has_joints ||
            instance->digest != pelt_baked_digest(mesh->positions, mesh->vertex_count))
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "mesh %s is not the one that was baked: its vertices differ",
                                  instance->name);
        }
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Report

// The distance that 99 % of all distances are below.
static double find_p99(const atomic_uint* bins, uint32_t clip_count)
{
    uint64_t total = 0, sum = 0;
    for (size_t i = 0; i < (size_t)BINS * clip_count; ++i)
    {
        total += atomic_load(&bins[i]);
    }
    uint32_t bin = 0;
    for (; bin < BINS; ++bin)
    {
        for (uint32_t c = 0; c < clip_count; ++c)
        {
            sum += atomic_load(&bins[(size_t)c * BINS + bin]);
        }
        if (sum * 100 >= total * 99)
        {
            break;
        }
    }
    return bin == 0 ? 0.0 : bin_end(bin);
}

static uint32_t strongest_joint(const measure_work* work, uint32_t instance, uint32_t vertex)
{
    const pelt_instance* own = &work->scene->instances[instance];
    const pelt_weights* weights = &work->scene->meshes[own->mesh].weights;
    uint32_t joint = work->source.first_joints[instance];
    bool has_weights = own->skin != PELT_NONE && weights->first != NULL &&
                       weights->first[vertex + 1] > weights->first[vertex];
    return has_weights ? joint + weights->influences[weights->first[vertex]].joint : joint;
}

static pelt_bake_error summarize(const measure_work* work, uint32_t first, uint32_t end)
{
    pelt_bake_error error = {0};
    double squares = 0.0, normals = 0.0;
    uint64_t count = 0, normal_count = 0;
    for (uint32_t i = first; i < end; ++i)
    {
        const compared_time* at = &work->times[i];
        squares += at->sum_of_squares;
        normals += at->normal_sum;
        count += at->vertex_count;
        normal_count += at->normal_count;
        error.max_at_keys =
            at->is_key ? fmax(error.max_at_keys, (double)at->max) : error.max_at_keys;
        error.normal_max = fmax(error.normal_max, (double)at->normal_max);
        if ((double)at->max > error.max || i == first)
        {
            error.max = (double)at->max;
            error.worst_instance = at->worst_instance;
            error.worst_vertex = at->worst_vertex;
            error.worst_time = at->time;
        }
    }
    error.rms = count > 0 ? sqrt(squares / (double)count) : 0.0;
    error.normal_mean = normal_count > 0 ? normals / (double)normal_count : 0.0;
    if (work->scene->instance_count > 0)
    {
        error.worst_joint = strongest_joint(work, error.worst_instance, error.worst_vertex);
    }
    return error;
}

// Between two keys a point moves on an arc, and linear interpolation on its chord. The error is the
// part of the circular sector outside the triangle, for the joint with the largest rotation (the
// animation texture thesis (2021), section 5.2.4).
static void find_chords(float* out, const measure_work* work, uint32_t index,
                        pelti_bake_sampler* sampler, pelt_mat34* motions)
{
    const pelt_baked_clip* clip = &work->baked->clips[index];
    const pelti_bake_source* source = &work->source;
    const pelt_clip* own = &work->scene->clips[work->scene_clips[index]];
    pelt_mat34* next = motions + source->joint_count;
    for (uint32_t r = 0; r < clip->run_count; ++r)
    {
        const pelt_baked_run* run = &clip->runs[r];
        for (uint32_t key = 0; key < run->key_count; ++key, ++out)
        {
            bool has_next = run->rate > 0.0f && (key + 1 < run->key_count || clip->wraps);
            if (!has_next)
            {
                *out = 0.0f;
                continue;
            }
            float time = run->start + (float)key / run->rate;
            pelti_bake_sample(motions, source, sampler, own, time);
            pelti_bake_sample(next, source, sampler, own, time + 1.0f / run->rate);
            float most = 0.0f;
            for (uint32_t joint = 0; joint < source->joint_count; ++joint)
            {
                pelt_mat3 a = pelt_mat34_linear(&motions[joint]),
                          b = pelt_mat34_linear(&next[joint]);
                float dots = 0.0f, squares = 0.0f;
                for (int i = 0; i < 9; ++i)
                {
                    dots += a.m[i / 3][i % 3] * b.m[i / 3][i % 3];
                    squares += a.m[i / 3][i % 3] * a.m[i / 3][i % 3];
                }
                // The trace of a rotation is 1 + 2 cos(angle).
                float cosine = squares > 0.0f ? 1.5f * dots / squares - 0.5f : 1.0f;
                float angle = acosf(fminf(fmaxf(cosine, -1.0f), 1.0f));
                most = source->joints[joint].is_used ? fmaxf(most, angle) : most;
            }
            *out = most > 1e-3f ? 1.0f - sinf(most) / most : 0.0f;
        }
    }
}

// Nodes that are joints: two skins may share their skeleton.
static uint32_t count_nodes(const pelti_bake_source* source)
{
    uint32_t count = 0, before = PELT_NONE;
    for (uint32_t i = 0; i < source->joint_count; ++i)
    {
        uint32_t node = source->joints[source->order[i]].node;
        count += node != before;
        before = node;
    }
    return count;
}

static pelt_result add_source_keys(uint64_t* inout, const measure_work* work, uint32_t index,
                                   pelt_arena* arena)
{
    // All encodings of joints count the same keys.
    bool has_vertices = work->baked->encoding == PELT_ENCODING_VERTEX;
    pelt_bake_options options = {.encoding =
                                     has_vertices ? PELT_ENCODING_VERTEX : PELT_ENCODING_QT};
    pelti_clip_times times;
    const pelt_clip* clip = &work->scene->clips[work->scene_clips[index]];
    if (pelti_clip_times_find(&times, &work->source, clip, &options, 24.0, arena) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < times.run_count; ++i)
    {
        *inout += pelti_run_key_count(&times.runs[i], times.wraps);
    }
    return PELT_OK;
}

static int compare_time(const void* a, const void* b)
{
    const compared_time *x = a, *y = b;
    return x->clip != y->clip   ? (x->clip < y->clip ? -1 : 1)
           : x->time != y->time ? (x->time < y->time ? -1 : 1)
                                : y->is_key - x->is_key;
}

static pelt_result report_clip(pelt_bake_clip_report* out, const measure_work* work, uint32_t index,
                               uint32_t first, uint32_t end, pelti_bake_sampler* sampler,
                               pelt_mat34* motions, pelt_arena* arena)
{
    uint32_t joint_count = work->source.joint_count,
             key_count = work->baked->clips[index].key_count;
    uint32_t all_joints = work->baked->joint_count;
    float* times = pelt_arena_alloc(arena, end - first, sizeof *times);
    float* errors = pelt_arena_alloc(arena, end - first, sizeof *errors);
    float* joints = pelt_arena_alloc(arena, all_joints > joint_count ? all_joints : joint_count,
                                     sizeof *joints);
    float* chords = pelt_arena_alloc(arena, key_count, sizeof *chords);
    if (times == NULL || errors == NULL || joints == NULL || chords == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = first; i < end; ++i)
    {
        times[i - first] = work->times[i].time;
        errors[i - first] = work->times[i].max;
    }
    for (uint32_t joint = 0; joint < joint_count; ++joint)
    {
        joints[joint] =
            pelti_word_float(atomic_load(&work->joint_errors[(size_t)index * joint_count + joint]));
    }
    find_chords(chords, work, index, sampler, motions);
    *out = (pelt_bake_clip_report){.error = summarize(work, first, end),
                                   .time_count = end - first,
                                   .times = times,
                                   .errors = errors,
                                   .joint_errors = joints,
                                   .chord_errors = chords};
    out->error.p99 = find_p99(work->bins + (size_t)index * BINS, 1);
    return PELT_OK;
}

static pelt_result make_report(pelt_bake_report* out, const measure_work* work)
{
    pelt_arena* arena = out->arena;
    pelti_bake_sampler sampler;
    pelt_bake_clip_report* clips = pelt_arena_alloc(arena, work->baked->clip_count, sizeof *clips);
    pelt_mat34* motions =
        pelt_arena_alloc(arena, 2 * (size_t)work->source.joint_count, sizeof *motions);
    if (clips == NULL || motions == NULL ||
        pelti_bake_sampler_create(&sampler, work->scene) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    out->clips = clips;
    out->clip_count = work->baked->clip_count;
    out->error = summarize(work, 0, work->time_count);
    out->error.p99 = find_p99(work->bins, out->clip_count);
    pelt_result result = PELT_OK;
    uint64_t source_keys = 0;
    for (uint32_t c = 0, first = 0; c < out->clip_count && result == PELT_OK; ++c)
    {
        uint32_t end = first;
        while (end < work->time_count && work->times[end].clip == c)
        {
            ++end;
        }
        result = report_clip(&clips[c], work, c, first, end, &sampler, motions, arena);
        out->worst_clip =
            clips[c].error.max > clips[out->worst_clip].error.max ? c : out->worst_clip;
        if (result == PELT_OK)
        {
            result = add_source_keys(&source_keys, work, c, arena);
        }
        first = end;
    }
    bool has_morphs = work->baked->encoding == PELT_ENCODING_VERTEX;
    for (uint32_t c = 0; c < out->clip_count && !has_morphs; ++c)
    {
        const pelt_clip* clip = &work->scene->clips[work->scene_clips[c]];
        double motion = pelti_clip_morph_motion(NULL, &work->source, clip);
        bool is_moved = motion > pelti_morph_tolerance(&work->source);
        out->morph_max = is_moved ? fmax(out->morph_max, motion) : out->morph_max;
    }
    out->bytes_per_joint_key =
        (double)pelt_baked_bytes(work->baked) /
        (fmax(1.0, (double)source_keys) * fmax(1.0, count_nodes(&work->source)));
    pelti_bake_sampler_destroy(&sampler);
    return result;
}

void pelt_bake_report_destroy(pelt_bake_report* report)
{
    pelt_arena_destroy(report->arena);
    *report = (pelt_bake_report){0};
}

static pelt_result measure(pelt_bake_report* out, measure_work* work, pelt_error* error)
{
    pelt_arena* arena = out->arena;
    const pelt_baked* baked = work->baked;
    uint32_t* scene_clips = pelt_arena_alloc(arena, baked->clip_count, sizeof *scene_clips);
    if (scene_clips == NULL)
    {
        return pelt_error_memory(error);
    }
    work->scene_clips = scene_clips;
    PELT_TRY(pelti_baked_match(baked, work->scene, error));
    PELT_TRY(match_clips(scene_clips, baked, work->scene, error));
    PELT_TRY(pelti_bake_source_create(&work->source, work->scene, &(pelt_bake_options){0}, false,
                                      arena, error));
    if (split_nodes(work, arena) != PELT_OK ||
        pelt_frame_create(&work->prepared, work->scene) != PELT_OK ||
        (!work->options.deform.is_exact &&
         pelt_frame_prepare(&work->prepared, work->scene) != PELT_OK))
    {
        return pelt_error_memory(error);
    }
    uint32_t between = work->options.between == 0 ? DEFAULT_BETWEEN : work->options.between;
    uint64_t step = choose_step(work, list_times(NULL, baked, between, 1));
    uint64_t time_count = list_times(NULL, baked, between, step);
    if (time_count > UINT32_MAX / 2)
    {
        return pelt_error_memory(error);
    }
    work->time_count = (uint32_t)time_count;
    work->times = pelt_arena_alloc(arena, work->time_count, sizeof *work->times);
    work->bins = pelt_arena_alloc(arena, (size_t)BINS * baked->clip_count, sizeof *work->bins);
    work->joint_errors = pelt_arena_alloc(
        arena, (size_t)work->source.joint_count * baked->clip_count, sizeof *work->joint_errors);
    if (work->times == NULL || work->bins == NULL || work->joint_errors == NULL)
    {
        return pelt_error_memory(error);
    }
    list_times(work->times, baked, between, step);
    qsort(work->times, work->time_count, sizeof *work->times, compare_time);
    work->progress.step_count = work->progress.step_limit = work->time_count;
    pelt_run((work->time_count + BLOCK - 1) / BLOCK, measure_task, work);
    if (pelti_progress_is_canceled(&work->progress))
    {
        return pelt_error_set(error, PELT_ERROR_CANCELED, "measuring was canceled");
    }
    if (atomic_load(&work->is_out_of_memory) || make_report(out, work) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    return PELT_OK;
}

pelt_result pelt_baked_measure(pelt_bake_report* out, const pelt_baked* baked,
                               const pelt_scene* scene, const pelt_measure_options* options,
                               pelt_error* error)
{
    *out = (pelt_bake_report){.arena = pelt_arena_create()};
    if (out->arena == NULL)
    {
        return pelt_error_memory(error);
    }
    measure_work work = {
        .baked = baked, .scene = scene, .progress = {.is_telling = ATOMIC_FLAG_INIT}};
    work.options = options != NULL ? *options : work.options;
    work.progress.tell = work.options.progress;
    work.progress.user = work.options.user;
    pelt_result result = measure(out, &work, error);
    pelt_frame_destroy(&work.prepared);
    pelt_pose_destroy(&work.rest);
    if (result != PELT_OK)
    {
        pelt_bake_report_destroy(out);
    }
    return result;
}
