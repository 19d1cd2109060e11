// SPDX-License-Identifier: MIT
// The table of metrics, and their statistics over regions and clips.
#include "../base/exact.h"

#include "body.h"

#include "../../include/pelt/metrics.h"
#include "../base/double3.h"

#include <string.h>

pelt_result pelt_clip_metrics_create(pelt_clip_metrics* out, const pelt_body* body)
{
    uint32_t region_count = body->info.region_count;
    *out = (pelt_clip_metrics){.region_count = region_count,
                               .regions = pelt_allocate(region_count, sizeof *out->regions),
                               .min_enclosed_volume = (double)NAN,
                               .max_enclosed_volume = (double)NAN};
    if (out->regions == NULL)
    {
        *out = (pelt_clip_metrics){0};
        return PELT_ERROR_MEMORY;
    }
    memset(out->regions, 0, region_count * sizeof *out->regions);
    for (uint32_t i = 0; i < region_count * PELT_METRIC_COUNT; ++i)
    {
        pelt_clip_summary* summary =
            &out->regions[i / PELT_METRIC_COUNT].metrics[i % PELT_METRIC_COUNT];
        summary->min.vertex = summary->max.vertex = PELT_NONE;
    }
    return PELT_OK;
}

void pelt_clip_metrics_destroy(pelt_clip_metrics* metrics)
{
    pelt_release(metrics->regions);
    *metrics = (pelt_clip_metrics){0};
}

// @param count  of frames, this one included
static void add_summary(pelt_clip_summary* inout, const pelt_metric_summary* pose, float time,
                        uint32_t count)
{
    double part = 1.0 / count;
    double square = inout->rms * inout->rms;
    inout->mean = pelti_number(inout->mean + part * (pose->mean - inout->mean));
    inout->rms = pelti_number(sqrt(square + part * (pose->rms * pose->rms - square)));
    inout->percentile95 = fmax(inout->percentile95, pose->percentile95);
    if (pose->min_vertex != PELT_NONE &&
        (inout->min.vertex == PELT_NONE || pose->min < inout->min.value))
    {
        inout->min = (pelt_metric_extreme){pose->min, time, pose->min_vertex};
    }
    if (pose->max_vertex != PELT_NONE &&
        (inout->max.vertex == PELT_NONE || pose->max > inout->max.value))
    {
        inout->max = (pelt_metric_extreme){pose->max, time, pose->max_vertex};
    }
}

// Widen a range of values to one more.
static void widen(double* min, float* min_time, double* max, float* max_time, double value,
                  float time, bool is_first)
{
    if (is_first || value < *min)
    {
        *min = value;
        *min_time = time;
    }
    if (is_first || value > *max)
    {
        *max = value;
        *max_time = time;
    }
}

void pelt_clip_metrics_add(pelt_clip_metrics* inout, const pelt_pose_metrics* pose, float time)
{
    PELT_ASSERT(inout->region_count == pose->region_count);
    ++inout->frame_count;
    inout->metrics |= pose->metrics;
    for (uint32_t metric = 0; metric < PELT_METRIC_COUNT; ++metric)
    {
        if ((pose->metrics & PELT_METRIC_BIT(metric)) != 0)
        {
            uint32_t count = ++inout->frame_counts[metric];
            for (uint32_t i = 0; i < inout->region_count; ++i)
            {
                add_summary(&inout->regions[i].metrics[metric], &pose->regions[i].metrics[metric],
                            time, count);
            }
        }
    }
    bool is_first = inout->frame_counts[PELT_METRIC_VOLUME] == 1;
    for (uint32_t i = 0;
         (pose->metrics & PELT_METRIC_BIT(PELT_METRIC_VOLUME)) != 0 && i < inout->region_count; ++i)
    {
        pelt_clip_region* region = &inout->regions[i];
        widen(&region->min_volume, &region->min_volume_time, &region->max_volume,
              &region->max_volume_time, pose->regions[i].volume, time, is_first);
    }
    if (!isnan(pose->enclosed_volume))
    {
        widen(&inout->min_enclosed_volume, &inout->min_enclosed_time, &inout->max_enclosed_volume,
              &inout->max_enclosed_time, pose->enclosed_volume, time, is_first);
    }
    if (pose->intersection_count > inout->max_intersection_count)
    {
        inout->max_intersection_count = pose->intersection_count;
        inout->max_intersection_time = time;
    }
}

// ---------------------------------------------------------------------------------------------
// Playing

typedef struct player
{
    pelt_pose pose;
    pelt_frame frames[2]; // the current and the previous one, alternating
    pelt_frame reference;
    pelt_pose_metrics metrics;
} player;

static void destroy_player(player* p)
{
    pelt_pose_destroy(&p->pose);
    pelt_frame_destroy(&p->frames[0]);
    pelt_frame_destroy(&p->frames[1]);
    pelt_frame_destroy(&p->reference);
    pelt_pose_metrics_destroy(&p->metrics);
}

static bool create_player(player* out, const pelt_body* body, const pelt_scene* scene,
                          const pelt_clip_request* request)
{
    *out = (player){0};
    bool is_ok =
        pelt_pose_create(&out->pose, scene) == PELT_OK &&
        pelt_frame_create(&out->frames[0], scene) == PELT_OK &&
        pelt_frame_create(&out->frames[1], scene) == PELT_OK &&
        (request->reference == NULL || pelt_frame_create(&out->reference, scene) == PELT_OK) &&
        pelt_pose_metrics_create(&out->metrics, body) == PELT_OK;
    if (!is_ok)
    {
        destroy_player(out);
    }
    return is_ok;
}

static pelt_result check_centers(const pelt_scene* scene, const pelt_deform_options* options,
                                 pelt_error* error)
{
    bool is_needed = options != NULL && pelt_method_info(options->method)->needs_centers;
    for (uint32_t i = 0; is_needed && i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        if (scene->instances[i].skin != PELT_NONE && mesh->weights.vertex_count > 0 &&
            mesh->cors == NULL)
        {
            return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                  "Mesh '%s' has no centers of rotation, which crs needs; add them "
                                  "with pelt_scene_add_cors().",
                                  mesh->name != NULL ? mesh->name : "");
        }
    }
    return PELT_OK;
}

uint32_t pelti_clip_frame_count(const pelt_clip* clip, float rate, uint32_t max_frames)
{
    if (clip == NULL || !(clip->duration > 0.0f))
    {
        return 1;
    }
    double most = max_frames > 0 ? max_frames : 1000;
    double wanted = ceil((double)clip->duration * (double)(rate > 0.0f ? rate : 30.0f)) + 1.0;
    return (uint32_t)fmin(fmax(wanted, 2.0), fmax(most, 2.0));
}

float pelti_clip_frame_time(const pelt_clip* clip, uint32_t frame, uint32_t count)
{
    return count > 1 ? clip->duration * ((float)frame / (float)(count - 1)) : 0.0f;
}

static void measure_frame(player* p, pelt_body* body, const pelt_scene* scene,
                          const pelt_clip_request* request, uint32_t index)
{
    pelt_frame* now = &p->frames[index % 2];
    const pelt_frame* before = index > 0 ? &p->frames[(index + 1) % 2] : NULL;
    pelt_frame_update(now, scene, &p->pose, &request->deform);
    if (request->reference != NULL)
    {
        pelt_frame_update(&p->reference, scene, &p->pose, request->reference);
    }
    pelt_metric_input input = {.metrics = request->metrics,
                               .surfaces = now->surfaces,
                               .palettes = now->palettes,
                               .previous_surfaces = before != NULL ? before->surfaces : NULL,
                               .previous_palettes = before != NULL ? before->palettes : NULL,
                               .reference =
                                   request->reference != NULL ? p->reference.surfaces : NULL};
    pelt_body_measure(&p->metrics, body, &input);
}

pelt_result pelt_body_measure_clip(pelt_clip_metrics* inout, pelt_body* body,
                                   const pelt_scene* scene, const pelt_clip* clip,
                                   const pelt_clip_request* request, pelt_error* error)
{
    PELT_ASSERT(scene->instance_count == body->info.instance_count);
    player p;
    pelt_result result = check_centers(scene, &request->deform, error);
    result = result == PELT_OK ? check_centers(scene, request->reference, error) : result;
    if (result != PELT_OK)
    {
        return result;
    }
    if (!create_player(&p, body, scene, request))
    {
        return pelt_error_memory(error);
    }
    uint32_t count = pelti_clip_frame_count(clip, request->rate, request->max_frames);
    for (uint32_t i = 0; result == PELT_OK && i < count; ++i)
    {
        float time = pelti_clip_frame_time(clip, i, count);
        if (clip != NULL)
        {
            pelt_pose_sample(&p.pose, scene, clip, time, PELT_WRAP_CLAMP);
        }
        measure_frame(&p, body, scene, request, i);
        pelt_clip_metrics_add(inout, &p.metrics, time);
        bool goes_on =
            request->frame == NULL || request->frame(&p.metrics, time, i, count, request->user);
        result = goes_on ? PELT_OK : PELT_ERROR_CANCELED;
    }
    destroy_player(&p);
    return result == PELT_ERROR_CANCELED
               ? pelt_error_set(error, result, "Measuring was canceled by the caller.")
               : result;
}

// =============================================================================================
// One metric over each region of a body.

enum
{
    BIN_COUNT = 1024, // of magnitudes, by exponent and two bits behind it
    BIN_SHIFT = 21,   // of the bits of a float, whose order is that of magnitudes
    BIN_LEAST = 512,  // magnitudes that are worth bins
};

static uint32_t bin_of(float magnitude)
{
    uint32_t bits;
    memcpy(&bits, &magnitude, sizeof bits);
    return (bits >> BIN_SHIFT) % BIN_COUNT;
}

// Keep the magnitudes of the one bin in which the cumulated weight reaches *wanted, and subtract
// the weight of those below from *wanted.
// @return how many are left, at the front
static uint32_t keep_bin(pelti_weighted* list, uint32_t count, double* wanted)
{
    double weights[BIN_COUNT] = {0.0};
    uint32_t last = 0, chosen = 0, kept = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t bin = bin_of(list[i].magnitude);
        weights[bin] += (double)list[i].weight;
        last = bin > last ? bin : last;
    }
    for (; chosen<last&& * wanted> weights[chosen]; ++chosen)
    {
        *wanted -= weights[chosen];
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        list[kept] = list[i];
        kept += bin_of(list[i].magnitude) == chosen;
    }
    return kept;
}

static void swap(pelti_weighted* a, pelti_weighted* b)
{
    pelti_weighted kept = *a;
    *a = *b;
    *b = kept;
}

// Three parts: below the pivot, equal to it, above it. Equal values, such as many zeros, need no
// further division.
static pelt_range divide(pelti_weighted* list, uint32_t count, float pivot)
{
    uint32_t below = 0, above = count;
    for (uint32_t i = 0; i < above;)
    {
        if (list[i].magnitude < pivot)
        {
            swap(&list[below++], &list[i++]);
        }
        else if (list[i].magnitude > pivot)
        {
            swap(&list[--above], &list[i]);
        }
        else
        {
            ++i;
        }
    }
    return (pelt_range){below, above - below};
}

static double weight_of(const pelti_weighted* list, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        sum += (double)list[i].weight;
    }
    return sum;
}

// The least magnitude such that the weight of those up to it is at least `wanted`. Changes the
// order.
static double select_magnitude(pelti_weighted* list, uint32_t count, double wanted)
{
    uint32_t random = 1;
    count = count < BIN_LEAST ? count : keep_bin(list, count, &wanted);
    while (count > 1)
    {
        // A random element: values rise and fall along a surface, and fixed positions would hit the
        // same part of a slope repeatedly.
        random = 1664525u * random + 1013904223u;
        pelt_range equal = divide(list, count, list[(random >> 8) % count].magnitude);
        double below = weight_of(list, equal.first);
        double middle = weight_of(list + equal.first, equal.count);
        if (wanted <= below && equal.first > 0)
        {
            count = equal.first;
        }
        else if (wanted <= below + middle || equal.first + equal.count == count)
        {
            return (double)list[equal.first].magnitude;
        }
        else
        {
            wanted -= below + middle;
            count -= equal.first + equal.count;
            list += equal.first + equal.count;
        }
    }
    return count > 0 ? (double)list[0].magnitude : 0.0;
}

// @param vertices  of the region; NULL: all
static pelt_metric_summary summarize(pelt_body* body, const uint32_t* vertices, uint32_t count,
                                     double area)
{
    pelt_metric_summary out = {.min_vertex = PELT_NONE, .max_vertex = PELT_NONE};
    double weight = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t v = vertices != NULL ? vertices[i] : i;
        float value = body->vertex_values[v];
        // If nothing has an area, all vertices count equally.
        float share = area > 0.0 ? body->info.vertex_areas[v] : 1.0f;
        body->sorted[i] = (pelti_weighted){fabsf(value), share};
        weight += (double)share;
        // A vertex without a triangle has no area, and infinity times zero is no number.
        double part = share > 0.0f ? (double)share * (double)value : 0.0;
        out.mean += part;
        out.rms += share > 0.0f ? part * (double)value : 0.0;
        if (out.min_vertex == PELT_NONE || value < out.min)
        {
            out.min = value;
            out.min_vertex = v;
        }
        if (out.max_vertex == PELT_NONE || value > out.max)
        {
            out.max = value;
            out.max_vertex = v;
        }
    }
    if (weight > 0.0)
    {
        out.mean = pelti_number(out.mean / weight);
        out.rms = pelti_number(sqrt(out.rms / weight));
        out.percentile95 = select_magnitude(body->sorted, count, 0.95 * weight);
    }
    return out;
}

void pelti_summarize(pelt_pose_metrics* out, pelt_body* body, pelt_metric metric)
{
    const pelt_metric_region* regions = body->info.regions;
    out->regions[0].metrics[metric] =
        summarize(body, NULL, body->mesh.vertex_count, regions[0].area);
    for (uint32_t i = 1; i < out->region_count; ++i)
    {
        uint32_t first = body->first_in_region[i];
        out->regions[i].metrics[metric] =
            summarize(body, body->region_vertices + first, body->first_in_region[i + 1] - first,
                      regions[i].area);
    }
}

// =============================================================================================
// Measures of meshes and of the difference between two versions of one.

static pelti_double3 difference(pelt_vec3 a, pelt_vec3 b)
{
    return pelti_double3_sub(pelti_double3_from(a), pelti_double3_from(b));
}

pelt_difference pelt_positions_compare(const pelt_vec3* a, const pelt_vec3* b, uint32_t count)
{
    pelt_difference d = {.worst_vertex = PELT_NONE};
    double sum = 0.0, sum_of_squares = 0.0;
    for (uint32_t v = 0; v < count; ++v)
    {
        pelti_double3 apart = difference(a[v], b[v]);
        double square = pelti_double3_dot(apart, apart);
        double distance = sqrt(square);
        sum += distance;
        sum_of_squares += square;
        // The first NaN is the worst value.
        if (d.worst_vertex == PELT_NONE || (!isnan(d.max) && !(distance <= d.max)))
        {
            d.max = distance;
            d.worst_vertex = v;
        }
    }
    if (count > 0)
    {
        d.mean = sum / count;
        d.rms = sqrt(sum_of_squares / count);
    }
    return d;
}

double pelt_mesh_volume(const pelt_vec3* positions, const uint32_t* indices, uint32_t index_count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i + 2 < index_count; i += 3)
    {
        // Any origin gives the same volume; one on the mesh keeps the terms small.
        pelt_vec3 origin = positions[indices[0]];
        pelti_double3 a = difference(positions[indices[i]], origin);
        pelti_double3 b = difference(positions[indices[i + 1]], origin);
        pelti_double3 c = difference(positions[indices[i + 2]], origin);
        sum += pelti_double3_dot(a, pelti_double3_cross(b, c));
    }
    return sum / 6.0;
}

double pelt_mesh_area(const pelt_vec3* positions, const uint32_t* indices, uint32_t index_count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i + 2 < index_count; i += 3)
    {
        pelt_vec3 a = positions[indices[i]];
        pelti_double3 n = pelti_double3_cross(difference(positions[indices[i + 1]], a),
                                              difference(positions[indices[i + 2]], a));
        sum += 0.5 * pelti_double3_length(n);
    }
    return sum;
}
