// SPDX-License-Identifier: MIT
// Import of weights from any layout of a file: packed, sorted and normalized.
#include "../base/exact.h"

#include "../../include/pelt/pelt.h"
#include "../../include/pelt/prepare.h"

#include <float.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static uint32_t per_vertex(const pelt_weights_source* source)
{
    return source->per_vertex > 0 ? source->per_vertex : 4;
}

// The address of influence i of vertex v in an array of elements of `size` bytes.
static const void* element(const void* array, uint32_t size, uint32_t stride,
                           const pelt_weights_source* source, uint32_t v, uint32_t i)
{
    size_t vertex = source->first != NULL ? (size_t)source->first[v] * size
                    : stride > 0          ? (size_t)v * stride
                                          : (size_t)v * per_vertex(source) * size;
    return (const char*)array + vertex + (size_t)i * size;
}

static uint32_t joint_at(const pelt_weights_source* source, uint32_t v, uint32_t i)
{
    uint32_t stride = source->joint_stride;
    if (source->joints_u8 != NULL)
    {
        return *(const uint8_t*)element(source->joints_u8, 1, stride, source, v, i);
    }
    if (source->joints_u16 != NULL)
    {
        return *(const uint16_t*)element(source->joints_u16, 2, stride, source, v, i);
    }
    return *(const uint32_t*)element(source->joints_u32, 4, stride, source, v, i);
}

static float weight_at(const pelt_weights_source* source, uint32_t v, uint32_t i)
{
    uint32_t stride = source->weight_stride;
    if (source->weights_unorm8 != NULL)
    {
        return *(const uint8_t*)element(source->weights_unorm8, 1, stride, source, v, i) / 255.0f;
    }
    if (source->weights_unorm16 != NULL)
    {
        return *(const uint16_t*)element(source->weights_unorm16, 2, stride, source, v, i) /
               65535.0f;
    }
    return *(const float*)element(source->weights, 4, stride, source, v, i);
}

// Copy the usable influences of vertex v; count the repairs.
static uint32_t collect(pelt_influence* out, pelt_weights_report* report,
                        const pelt_weights_source* source, uint32_t v)
{
    uint32_t raw =
        source->first != NULL ? source->first[v + 1] - source->first[v] : per_vertex(source);
    bool has_negative = false, has_not_finite = false, has_out_of_range = false;
    uint32_t count = 0;

    for (uint32_t i = 0; i < raw; ++i)
    {
        float weight = weight_at(source, v, i);
        uint32_t joint = joint_at(source, v, i);
        if (weight == 0.0f)
        {
            continue;
        }
        has_not_finite |= !isfinite(weight);
        has_negative |= weight < 0.0f && isfinite(weight);
        if (!isfinite(weight) || weight < 0.0f)
        {
            continue;
        }
        if (joint >= source->joint_count)
        {
            has_out_of_range = true;
            continue;
        }
        uint16_t slot = (uint16_t)(i < UINT16_MAX ? i : UINT16_MAX);
        out[count++] = (pelt_influence){(pelt_joint_index)joint, slot, weight};
    }
    report->negative += has_negative;
    report->not_finite += has_not_finite;
    report->out_of_range += has_out_of_range;
    return count;
}

// Ascending joint; equal joints by weight, so that their sum does not depend on the order given.
static int by_joint(const void* a, const void* b)
{
    const pelt_influence *x = a, *y = b;
    if (x->joint != y->joint)
    {
        return x->joint < y->joint ? -1 : 1;
    }
    return (x->weight < y->weight) - (x->weight > y->weight);
}

static int by_strength(const void* a, const void* b)
{
    const pelt_influence *x = a, *y = b;
    if (x->weight != y->weight)
    {
        return x->weight > y->weight ? -1 : 1;
    }
    return (x->joint > y->joint) - (x->joint < y->joint);
}

static uint32_t merge_duplicates(pelt_influence* inf, uint32_t count, pelt_weights_report* report)
{
    qsort(inf, count, sizeof *inf, by_joint);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (kept > 0 && inf[kept - 1].joint == inf[i].joint)
        {
            pelt_influence* same = &inf[kept - 1];
            same->weight += inf[i].weight;
            same->slot = same->slot < inf[i].slot ? same->slot : inf[i].slot;
            continue;
        }
        inf[kept++] = inf[i];
    }
    report->duplicate += kept < count;
    return kept;
}

static double sum_of(const pelt_influence* inf, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        sum += (double)inf[i].weight;
    }
    return sum;
}

// Scale weights by a power of two that brings the largest into [1, 2), so that sums neither
// overflow nor lose digits: normalized weights do not shrink, and the smallest keep their last bit.
// Returns the exponent of the inverse.
static int scale_to_unit(pelt_influence* inf, uint32_t count)
{
    int exponent = INT_MIN;
    for (uint32_t i = 0; i < count; ++i)
    {
        int e = ilogbf(inf[i].weight);
        exponent = e > exponent ? e : exponent;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        inf[i].weight = ldexpf(inf[i].weight, -exponent);
    }
    return exponent;
}

// Divide by the sum, and drop results below the normal range of float. A sum that is one up to
// rounding is kept: imported weights do not change when they are imported again.
static uint32_t normalize(pelt_influence* inf, uint32_t count, int exponent)
{
    double sum = sum_of(inf, count);
    bool is_one = fabs(ldexp(sum, exponent) - 1.0) <= count * (double)FLT_EPSILON;
    double divisor = is_one ? ldexp(1.0, -exponent) : sum;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        inf[i].weight = (float)((double)inf[i].weight / divisor);
        kept += inf[i].weight >= FLT_MIN;
    }
    return kept;
}

static uint32_t import_vertex(pelt_influence* out, pelt_weights_report* report,
                              const pelt_weights_source* source, uint32_t v)
{
    uint32_t count = collect(out, report, source, v);
    if (count == 0)
    {
        report->without_weight++;
        return 0;
    }
    int exponent = scale_to_unit(out, count);
    count = merge_duplicates(out, count, report);
    qsort(out, count, sizeof *out, by_strength);
    double sum = ldexp(sum_of(out, count), exponent), error = fabs(sum - 1.0);
    if (error > 1e-3)
    {
        bool is_worst = report->unnormalized == 0 || error > fabs((double)report->worst_sum - 1.0);
        report->worst_sum = is_worst ? (float)sum : report->worst_sum;
        report->unnormalized++;
    }
    if (source->max_influences > 0 && count > source->max_influences)
    {
        report->pruned++;
        count = source->max_influences;
    }
    count = normalize(out, count, exponent);
    // Division may have rounded two weights to the same float; those go by joint.
    qsort(out, count, sizeof *out, by_strength);
    return count;
}

static size_t raw_count(const pelt_weights_source* source)
{
    return source->first ? source->first[source->vertex_count]
                         : (size_t)source->vertex_count * per_vertex(source);
}

// Arrays and offsets, before any influence is read.
static pelt_result validate_arrays(const pelt_weights_source* source, pelt_error* error)
{
    int joint_arrays =
        (source->joints_u8 != NULL) + (source->joints_u16 != NULL) + (source->joints_u32 != NULL);
    int weight_arrays = (source->weights != NULL) + (source->weights_unorm8 != NULL) +
                        (source->weights_unorm16 != NULL);
    if (source->joint_count > PELT_MAX_JOINTS)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "%u joints are more than the %u that a skin may have",
                              source->joint_count, PELT_MAX_JOINTS);
    }
    for (uint32_t v = 0; source->first != NULL && v < source->vertex_count; ++v)
    {
        if (source->first[0] != 0 || source->first[v + 1] < source->first[v])
        {
            return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                  "the offsets of influences must start at 0 and never decrease, "
                                  "but first[%u] is %u and first[%u] is %u",
                                  v, source->first[v], v + 1, source->first[v + 1]);
        }
    }
    if (raw_count(source) >= PELT_NONE)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "%zu influences are too many; split the mesh", raw_count(source));
    }
    if (raw_count(source) > 0 && (joint_arrays != 1 || weight_arrays != 1))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "influences need one array of joints and one of weights, but there "
                              "are %d and %d",
                              joint_arrays, weight_arrays);
    }
    uint32_t joint_size = source->joints_u8 != NULL ? 1 : source->joints_u16 != NULL ? 2 : 4;
    uint32_t weight_size = source->weights_unorm8 != NULL    ? 1
                           : source->weights_unorm16 != NULL ? 2
                                                             : 4;
    if (source->first == NULL &&
        (source->joint_stride % joint_size != 0 || source->weight_stride % weight_size != 0))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "the strides of joints (%u bytes) and weights (%u bytes) must be "
                              "multiples of the sizes of their elements, %u and %u",
                              source->joint_stride, source->weight_stride, joint_size, weight_size);
    }
    return PELT_OK;
}

pelt_result pelt_weights_source_validate(const pelt_weights_source* source, pelt_error* error)
{
    PELT_TRY(validate_arrays(source, error));
    for (uint32_t v = 0; v < source->vertex_count; ++v)
    {
        uint32_t count =
            source->first != NULL ? source->first[v + 1] - source->first[v] : per_vertex(source);
        for (uint32_t i = 0; i < count; ++i)
        {
            float weight = weight_at(source, v, i);
            uint32_t joint = joint_at(source, v, i);
            if (!isfinite(weight) || weight < 0.0f)
            {
                return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                      "weight %u of vertex %u is %g; weights are finite and not "
                                      "negative",
                                      i, v, (double)weight);
            }
            if (weight > 0.0f && joint >= source->joint_count)
            {
                return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                      "influence %u of vertex %u names joint %u, but there are %u "
                                      "joints",
                                      i, v, joint, source->joint_count);
            }
        }
    }
    return PELT_OK;
}

pelt_result pelt_weights_create(pelt_weights* out, const pelt_weights_source* source,
                                pelt_weights_report* report)
{
    PELT_ASSERT(out != NULL && source != NULL);
    *out = (pelt_weights){0};
    PELT_ASSERT(validate_arrays(source, NULL) == PELT_OK);

    uint32_t* first = pelt_allocate((size_t)source->vertex_count + 1, sizeof *first);
    // An upper bound: room for every raw influence.
    pelt_influence* influences = pelt_allocate(raw_count(source), sizeof *influences);
    if (first == NULL || influences == NULL)
    {
        pelt_release(first);
        pelt_release(influences);
        return PELT_ERROR_MEMORY;
    }
    *out = (pelt_weights){.vertex_count = source->vertex_count,
                          .joint_count = source->joint_count,
                          .first = first,
                          .influences = influences};
    pelt_weights_report found = {.worst_sum = 1.0f};
    first[0] = 0;
    for (uint32_t v = 0; v < source->vertex_count; ++v)
    {
        uint32_t count = import_vertex(influences + first[v], &found, source, v);
        first[v + 1] = first[v] + count;
        out->max_influences = count > out->max_influences ? count : out->max_influences;
    }
    out->influence_count = first[source->vertex_count];
    if (report != NULL)
    {
        *report = found;
    }
    return PELT_OK;
}

void pelt_weights_destroy(pelt_weights* weights)
{
    PELT_ASSERT(weights != NULL);
    pelt_release((void*)weights->first);
    pelt_release((void*)weights->influences);
    *weights = (pelt_weights){0};
}

pelt_result pelt_weights_import(pelt_weights* out, pelt_weights_report* report,
                                const pelt_weights_source* source, pelt_arena* arena)
{
    pelt_weights scratch;
    pelt_result result = pelt_weights_create(&scratch, source, report);
    *out = (pelt_weights){0};
    if (result != PELT_OK)
    {
        return result;
    }
    size_t offset_count = (size_t)scratch.vertex_count + 1, count = scratch.influence_count;
    uint32_t* first = pelt_arena_alloc(arena, offset_count, sizeof *first);
    pelt_influence* influences = pelt_arena_alloc(arena, count, sizeof *influences);
    if (first != NULL && influences != NULL)
    {
        memcpy(first, scratch.first, offset_count * sizeof *first);
        memcpy(influences, scratch.influences, count * sizeof *influences);
        *out = scratch;
        out->first = first;
        out->influences = influences;
    }
    pelt_weights_destroy(&scratch);
    return out->first != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------
// Fewer influences of each vertex

typedef struct pruner
{
    const pelt_prune_options* options;
    pelt_prune_report report;
    uint32_t *first, *joints; // of the mesh at hand
    float* weights;
} pruner;

static bool allocate(pruner* out, const pelt_scene* scene)
{
    size_t vertices = 0, influences = 0;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        size_t count = mesh->weights.first != NULL ? mesh->weights.first[mesh->vertex_count] : 0;
        vertices = mesh->vertex_count > vertices ? mesh->vertex_count : vertices;
        influences = count > influences ? count : influences;
    }
    out->first = pelt_allocate(vertices + 1, sizeof *out->first);
    out->joints = pelt_allocate(influences + 1, sizeof *out->joints);
    out->weights = pelt_allocate(influences + 1, sizeof *out->weights);
    return out->first != NULL && out->joints != NULL && out->weights != NULL;
}

// Influences to keep, strongest first; the strongest always stays.
// @return vertices that lose some
static uint32_t list_kept(pruner* p, const pelt_mesh* mesh)
{
    const pelt_weights* from = &mesh->weights;
    uint32_t most = p->options->max_influences, total = 0, changed = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        uint32_t begin = from->first[v], end = from->first[v + 1];
        p->first[v] = total;
        for (uint32_t i = begin; i < end; ++i)
        {
            const pelt_influence* influence = &from->influences[i];
            bool is_kept = i == begin || ((most == 0 || i - begin < most) &&
                                          influence->weight >= p->options->min_weight);
            p->joints[total] = influence->joint;
            p->weights[total] = influence->weight;
            total += is_kept;
            p->report.dropped_count += !is_kept;
            if (!is_kept && influence->weight > p->report.largest)
            {
                p->report.largest = influence->weight;
            }
        }
        changed += total - p->first[v] < end - begin;
    }
    p->first[mesh->vertex_count] = total;
    return changed;
}

static pelt_result prune_mesh(pelt_mesh* inout, pruner* p, pelt_arena* arena)
{
    uint32_t changed = list_kept(p, inout);
    if (changed == 0)
    {
        return PELT_OK;
    }
    uint32_t joint_count = 0;
    for (uint32_t i = 0; i < p->first[inout->vertex_count]; ++i)
    {
        joint_count = p->joints[i] >= joint_count ? p->joints[i] + 1 : joint_count;
    }
    const pelt_weights_source source = {.vertex_count = inout->vertex_count,
                                        .joint_count = joint_count,
                                        .first = p->first,
                                        .joints_u32 = p->joints,
                                        .weights = p->weights};
    PELT_TRY(pelt_weights_import(&inout->weights, NULL, &source, arena));
    // Made for other weights.
    p->report.prepared_count += inout->cors != NULL || inout->normal_factors != NULL ||
                                (inout->mix_factors != NULL && inout->is_mix_computed) ||
                                inout->bounds != NULL;
    inout->cors = NULL;
    inout->normal_factors = NULL;
    inout->bounds = NULL;
    if (inout->is_mix_computed)
    {
        inout->mix_factors = NULL;
        inout->is_mix_computed = false;
    }
    p->report.mesh_count++;
    p->report.vertex_count += changed;
    return PELT_OK;
}

static pelt_result prune_all(pelt_mesh** out, pruner* p, const pelt_scene* scene, pelt_arena* arena)
{
    *out = pelt_arena_alloc(arena, scene->mesh_count, sizeof **out);
    if (*out == NULL || !allocate(p, scene))
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        (*out)[i] = scene->meshes[i];
        if (scene->meshes[i].weights.first != NULL)
        {
            PELT_TRY(prune_mesh(&(*out)[i], p, arena));
        }
    }
    return PELT_OK;
}

pelt_result pelt_scene_prune_weights(pelt_scene* inout, pelt_prune_report* report,
                                     const pelt_prune_options* options, pelt_arena* arena)
{
    PELT_ASSERT(inout != NULL && options != NULL && arena != NULL);
    pruner p = {.options = options};
    pelt_mesh* meshes = NULL;
    pelt_result result = prune_all(&meshes, &p, inout, arena);
    if (result == PELT_OK)
    {
        inout->meshes = meshes;
    }
    if (result == PELT_OK && report != NULL)
    {
        *report = p.report;
    }
    pelt_release(p.first);
    pelt_release(p.joints);
    pelt_release(p.weights);
    return result;
}
