// SPDX-License-Identifier: MIT
// Fewer keys within an error of vertices. A key is removed if interpolation between its neighbors
// moves no vertex by more than a tolerance, according to the reach of its joint. The errors of
// joints add up along limbs, so vertices are then measured, at all keys of the clip and halfway
// between, and the tolerance is corrected until the largest distance is within the limit.
#include "../base/exact.h"

#include "../../include/pelt/prepare.h"
#include "scene_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    LONGEST_RUN = 256, // keys that one interpolation may replace
    MOST_TIMES = 2000, // at which vertices are measured
    MOST_ROUNDS = 10,
};

typedef struct simplifier
{
    const pelt_scene* scene;
    const pelt_clip* clip; // as it was
    double limit;          // meters
    pelt_arena* arena;     // of the results
    pelt_arena* scratch;
    double* reach;        // by node: of the vertices that follow it, in the rest pose
    double* parent_scale; // by node: largest scale of what is above it
    double* morph_reach;  // by instance: largest displacement of a target
    float* times;
    uint32_t time_count;
    pelt_pose poses[2];
    pelt_frame frames[2];
} simplifier;

// ---------------------------------------------------------------------------------------------
// How far vertices move

static double largest_column(const pelt_mat34* m)
{
    double largest = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        double square = 0.0;
        for (int i = 0; i < 3; ++i)
        {
            square += (double)m->m[i][k] * (double)m->m[i][k];
        }
        largest = fmax(largest, sqrt(square));
    }
    return largest;
}

static double linear_length(const pelt_mat34* m, pelt_vec3 v)
{
    pelt_mat3 linear = pelt_mat34_linear(m);
    return (double)pelt_vec3_length(pelt_mat3_vector(&linear, v));
}

static void reach_of_skin(simplifier* s, const pelt_mat34* model, const pelt_mesh* mesh,
                          const pelt_skin* skin)
{
    for (uint32_t v = 0; v < mesh->vertex_count && mesh->weights.first != NULL; ++v)
    {
        for (uint32_t i = mesh->weights.first[v]; i < mesh->weights.first[v + 1]; ++i)
        {
            uint32_t joint = mesh->weights.influences[i].joint, node = skin->joints[joint];
            pelt_vec3 local = pelt_mat34_point(&skin->inverse_binds[joint], mesh->positions[v]);
            s->reach[node] = fmax(s->reach[node], linear_length(&model[node], local));
        }
    }
}

static void reach_of_instance(simplifier* s, const pelt_mat34* model, uint32_t index)
{
    const pelt_instance* instance = &s->scene->instances[index];
    const pelt_mesh* mesh = &s->scene->meshes[instance->mesh];
    for (uint32_t i = 0; i < mesh->morph_count; ++i)
    {
        for (uint32_t v = 0; v < mesh->vertex_count && mesh->morphs[i].positions != NULL; ++v)
        {
            double length = (double)pelt_vec3_length(mesh->morphs[i].positions[v]);
            s->morph_reach[index] = fmax(s->morph_reach[index], length);
        }
    }
    if (instance->skin != PELT_NONE)
    {
        reach_of_skin(s, model, mesh, &s->scene->skins[instance->skin]);
        return;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        double length = linear_length(&model[instance->node], mesh->positions[v]);
        s->reach[instance->node] = fmax(s->reach[instance->node], length);
    }
}

static bool find_reach(simplifier* s)
{
    const pelt_scene* scene = s->scene;
    pelt_mat34* model = pelt_arena_alloc(s->scratch, scene->node_count, sizeof *model);
    s->reach = pelt_arena_alloc(s->scratch, scene->node_count, sizeof *s->reach);
    s->parent_scale = pelt_arena_alloc(s->scratch, scene->node_count, sizeof *s->parent_scale);
    s->morph_reach = pelt_arena_alloc(s->scratch, scene->instance_count, sizeof *s->morph_reach);
    if (model == NULL || s->reach == NULL || s->parent_scale == NULL || s->morph_reach == NULL)
    {
        return false;
    }
    for (uint32_t i = 0; i < scene->node_count; ++i)
    {
        uint32_t parent = scene->nodes[i].parent;
        pelt_mat34 local = pelt_mat34_from_transform(scene->nodes[i].rest);
        model[i] = parent != PELT_NONE ? pelt_mat34_mul(&model[parent], &local) : local;
        s->parent_scale[i] = parent != PELT_NONE ? largest_column(&model[parent]) : 1.0;
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        reach_of_instance(s, model, i);
    }
    for (uint32_t i = scene->node_count; i-- > 0;)
    {
        uint32_t parent = scene->nodes[i].parent;
        if (parent != PELT_NONE && s->reach[i] > 0.0)
        {
            double length = linear_length(&model[parent], scene->nodes[i].rest.translation);
            s->reach[parent] = fmax(s->reach[parent], length + s->reach[i]);
        }
    }
    return true;
}

// The largest displacement of vertices if a track has b instead of a.
static double distance_of(const simplifier* s, const pelt_track* track, const float* a,
                          const float* b)
{
    double sum = 0.0, square = 0.0, plus = 0.0;
    for (uint32_t k = 0; k < track->width; ++k)
    {
        double d = (double)a[k] - (double)b[k], e = (double)a[k] + (double)b[k];
        sum += fabs(d);
        square += d * d;
        plus += e * e;
    }
    switch (track->path)
    {
    case PELT_PATH_TRANSLATION:
        return sqrt(square) * s->parent_scale[track->target];
    case PELT_PATH_ROTATION:
        // The chord between unit quaternions is half of the angle; q and -q are the same.
        return 2.0 * sqrt(fmin(square, plus)) * s->reach[track->target];
    case PELT_PATH_SCALE:
        return sum * s->reach[track->target];
    default:
        return sum * s->morph_reach[track->target];
    }
}

// ---------------------------------------------------------------------------------------------
// Keys of one track

typedef struct reducer
{
    const simplifier* s;
    const pelt_track* track;
    double tolerance;
    const float* samples; // at every key and halfway to the next one
    float* between;       // one value
} reducer;

static const float* sample_of(const reducer* r, uint32_t index)
{
    return r->samples + (size_t)index * r->track->width;
}

static float sample_time(const pelt_track* track, uint32_t index)
{
    float time = track->times[index / 2];
    return index % 2 == 0 ? time : 0.5f * (time + track->times[index / 2 + 1]);
}

// Whether interpolation from one key to another reproduces the keys between them.
static bool is_close(const reducer* r, uint32_t from, uint32_t to)
{
    const pelt_track* track = r->track;
    uint32_t row = track->width * (track->interpolation == PELT_INTERPOLATION_CUBIC ? 3u : 1u);
    float times[2] = {track->times[from], track->times[to]};
    float* values = r->between + track->width;
    pelt_track line = *track;
    line.key_count = 2;
    line.times = times;
    line.values = values;
    memcpy(values, track->values + (size_t)row * from, row * sizeof *values);
    memcpy(values + row, track->values + (size_t)row * to, row * sizeof *values);
    for (uint32_t i = 2 * from + 1; i < 2 * to; ++i)
    {
        pelti_track_sample_at(r->between, &line, sample_time(track, i), 0);
        if (distance_of(r->s, track, r->between, sample_of(r, i)) > r->tolerance)
        {
            return false;
        }
    }
    return true;
}

static bool is_constant(const reducer* r)
{
    for (uint32_t i = 1; i + 1 < 2 * r->track->key_count; ++i)
    {
        if (distance_of(r->s, r->track, sample_of(r, 0), sample_of(r, i)) > r->tolerance)
        {
            return false;
        }
    }
    return true;
}

// The next key after `from` that is kept.
static uint32_t next_kept(const reducer* r, uint32_t from)
{
    uint32_t last = r->track->key_count - 1, to = from + 1;
    if (r->track->interpolation == PELT_INTERPOLATION_STEP)
    {
        while (to < last && distance_of(r->s, r->track, sample_of(r, 2 * from),
                                        sample_of(r, 2 * to)) <= r->tolerance)
        {
            ++to;
        }
        return to;
    }
    // In steps that double, then by bisection: most runs are within the tolerance in parts as well.
    uint32_t stride = 1;
    while (to < last && to - from < LONGEST_RUN)
    {
        uint32_t next = to + stride < last ? to + stride : last;
        if (is_close(r, from, next))
        {
            to = next;
            stride *= 2;
        }
        else if (stride == 1)
        {
            break;
        }
        else
        {
            stride = 1;
        }
    }
    return to;
}

static bool reduce_track(pelt_track* out, const reducer* r, pelt_arena* arena)
{
    const pelt_track* track = r->track;
    uint32_t row = track->width * (track->interpolation == PELT_INTERPOLATION_CUBIC ? 3u : 1u);
    float* times = pelt_arena_alloc(arena, track->key_count, sizeof *times);
    float* values = pelt_arena_alloc(arena, track->key_count, row * sizeof *values);
    if (times == NULL || values == NULL)
    {
        return false;
    }
    uint32_t count = 0;
    bool is_one = track->key_count == 1 || is_constant(r);
    for (uint32_t i = 0; i < track->key_count;
         i = is_one || i + 1 == track->key_count ? track->key_count : next_kept(r, i))
    {
        times[count] = track->times[i];
        memcpy(values + (size_t)row * count++, track->values + (size_t)row * i,
               row * sizeof *values);
    }
    *out = *track;
    out->key_count = count;
    out->times = times;
    out->values = values;
    if (is_one && track->interpolation == PELT_INTERPOLATION_CUBIC)
    {
        memset(values, 0, track->width * sizeof *values);
        memset(values + 2 * (size_t)track->width, 0, track->width * sizeof *values);
    }
    return true;
}

static bool reduce_clip(pelt_clip* out, const simplifier* s, double tolerance, pelt_arena* arena)
{
    pelt_track* tracks = pelt_arena_alloc(arena, s->clip->track_count, sizeof *tracks);
    for (uint32_t i = 0; i < s->clip->track_count && tracks != NULL; ++i)
    {
        const pelt_track* track = &s->clip->tracks[i];
        uint32_t count = 2 * track->key_count - 1;
        float* samples = pelt_allocate((size_t)count * track->width, sizeof *samples);
        float* between = pelt_allocate((size_t)7 * track->width, sizeof *between);
        bool is_good = samples != NULL && between != NULL;
        uint32_t key = 0;
        uint64_t steps = 0;
        for (uint32_t k = 0; k < count && is_good; ++k)
        {
            float time = sample_time(track, k);
            key = pelti_track_find_key(track, time, key, &steps);
            pelti_track_sample_at(samples + (size_t)k * track->width, track, time, key);
        }
        const reducer r = {s, track, tolerance, samples, between};
        is_good = is_good && reduce_track(&tracks[i], &r, arena);
        pelt_release(samples);
        pelt_release(between);
        if (!is_good)
        {
            return false;
        }
    }
    *out = *s->clip;
    out->tracks = tracks;
    return tracks != NULL;
}

// ---------------------------------------------------------------------------------------------
// Measuring

static int compare_floats(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

// All keys of the clip and halfway between, or as many of them as can be measured.
static bool list_times(simplifier* s)
{
    size_t count = 0, most = 1;
    for (uint32_t i = 0; i < s->clip->track_count; ++i)
    {
        most += s->clip->tracks[i].key_count;
    }
    float* keys = pelt_arena_alloc(s->scratch, most, sizeof *keys);
    s->times = pelt_arena_alloc(s->scratch, 2 * most, sizeof *s->times);
    if (keys == NULL || s->times == NULL)
    {
        return false;
    }
    for (uint32_t i = 0; i < s->clip->track_count; ++i)
    {
        const pelt_track* track = &s->clip->tracks[i];
        memcpy(keys + count, track->times, track->key_count * sizeof *keys);
        count += track->key_count;
    }
    qsort(keys, count, sizeof *keys, compare_floats);
    uint32_t found = 0;
    for (size_t i = 0; i < count; ++i)
    {
        if (found == 0 || keys[i] > s->times[found - 1])
        {
            if (found > 0)
            {
                float before = s->times[found - 1];
                s->times[found++] = 0.5f * (before + keys[i]);
            }
            s->times[found++] = keys[i];
        }
    }
    s->time_count = found < MOST_TIMES ? found : MOST_TIMES;
    for (uint32_t i = 0; i < s->time_count && found > MOST_TIMES; ++i)
    {
        s->times[i] = s->times[(uint64_t)i * found / MOST_TIMES];
    }
    return true;
}

// The largest distance of a vertex between two clips.
static double measure(simplifier* s, const pelt_clip* clip)
{
    const pelt_deform_options options = {0};
    const pelt_clip* const clips[2] = {s->clip, clip};
    double worst = 0.0;
    for (uint32_t t = 0; t < s->time_count; ++t)
    {
        for (int i = 0; i < 2; ++i)
        {
            pelt_pose_sample(&s->poses[i], s->scene, clips[i], s->times[t], PELT_WRAP_CLAMP);
            pelt_frame_update(&s->frames[i], s->scene, &s->poses[i], &options);
        }
        for (uint32_t i = 0; i < s->scene->instance_count; ++i)
        {
            uint32_t count = s->scene->meshes[s->scene->instances[i].mesh].vertex_count;
            const pelt_vec3* a = s->frames[0].surfaces[i].positions;
            const pelt_vec3* b = s->frames[1].surfaces[i].positions;
            for (uint32_t v = 0; v < count; ++v)
            {
                worst = fmax(worst, (double)pelt_vec3_distance(a[v], b[v]));
            }
        }
    }
    return worst;
}

static bool create(simplifier* s)
{
    s->scratch = pelt_arena_create();
    if (s->scratch == NULL || !find_reach(s) || !list_times(s))
    {
        return false;
    }
    for (int i = 0; i < 2; ++i)
    {
        if (pelt_pose_create(&s->poses[i], s->scene) != PELT_OK ||
            pelt_frame_create(&s->frames[i], s->scene) != PELT_OK)
        {
            return false;
        }
        for (uint32_t k = 0; k < s->scene->instance_count; ++k)
        {
            s->frames[i].surfaces[k].normals = NULL;
            s->frames[i].surfaces[k].tangents = NULL;
        }
    }
    if (pelt_frame_prepare(&s->frames[0], s->scene) != PELT_OK)
    {
        return false;
    }
    pelt_frame_share(&s->frames[1], &s->frames[0]);
    return true;
}

static void destroy(simplifier* s)
{
    for (int i = 1; i >= 0; --i)
    {
        pelt_frame_destroy(&s->frames[i]);
        pelt_pose_destroy(&s->poses[i]);
    }
    pelt_arena_destroy(s->scratch);
}

static uint64_t count_keys(const pelt_clip* clip)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        count += clip->tracks[i].key_count;
    }
    return count;
}

// The largest tolerance whose result is within the limit, of a few that were tried.
static pelt_result search(pelt_clip* out, simplifier* s, pelt_simplify_report* report)
{
    double tolerance = 0.5 * s->limit, best = 0.0;
    *out = *s->clip;
    for (int round = 0; round < MOST_ROUNDS; ++round)
    {
        pelt_clip clip;
        if (!reduce_clip(&clip, s, tolerance, s->scratch))
        {
            return PELT_ERROR_MEMORY;
        }
        double error = measure(s, &clip);
        bool is_within = error <= s->limit;
        if (is_within && count_keys(&clip) <= count_keys(out))
        {
            *out = clip;
            report->error = error;
            best = tolerance;
        }
        if (is_within && (error > 0.7 * s->limit || tolerance > 16.0 * s->limit))
        {
            break;
        }
        // The error grows about as the tolerance does.
        double factor = error > 0.0 ? 0.85 * s->limit / error : 4.0;
        double next = tolerance * fmin(fmax(factor, 0.1), 4.0);
        if (best > 0.0 && (next <= best || fabs(next / tolerance - 1.0) < 0.05))
        {
            break;
        }
        tolerance = next;
    }
    return PELT_OK;
}

static bool copy_tracks(pelt_clip* inout, pelt_arena* arena)
{
    pelt_track* tracks = pelt_arena_alloc(arena, inout->track_count, sizeof *tracks);
    for (uint32_t i = 0; i < inout->track_count && tracks != NULL; ++i)
    {
        const pelt_track* from = &inout->tracks[i];
        size_t count = (size_t)from->key_count * from->width *
                       (from->interpolation == PELT_INTERPOLATION_CUBIC ? 3u : 1u);
        float* times = pelt_arena_alloc(arena, from->key_count, sizeof *times);
        float* values = pelt_arena_alloc(arena, count, sizeof *values);
        if (times == NULL || values == NULL)
        {
            return false;
        }
        tracks[i] = *from;
        tracks[i].times = memcpy(times, from->times, from->key_count * sizeof *times);
        tracks[i].values = memcpy(values, from->values, count * sizeof *values);
    }
    inout->tracks = tracks;
    return tracks != NULL;
}

pelt_result pelt_scene_simplify_clip(pelt_clip* inout, pelt_simplify_report* report,
                                     const pelt_scene* scene, float max_error, pelt_arena* arena)
{
    PELT_ASSERT(inout != NULL && scene != NULL && arena != NULL && max_error >= 0.0f);
    simplifier s = {.scene = scene, .clip = inout, .limit = (double)max_error, .arena = arena};
    pelt_simplify_report own = {.keys_before = count_keys(inout)};
    pelt_clip found = *inout;
    pelt_result result = PELT_ERROR_MEMORY;
    if (create(&s))
    {
        result = search(&found, &s, &own);
    }
    if (result == PELT_OK && !copy_tracks(&found, arena))
    {
        result = PELT_ERROR_MEMORY;
    }
    destroy(&s);
    if (result == PELT_OK)
    {
        own.keys_after = count_keys(&found);
        *inout = found;
    }
    if (result == PELT_OK && report != NULL)
    {
        *report = own;
    }
    return result;
}
