// SPDX-License-Identifier: MIT
// Divides a mesh into regions and measures them.
#include "../base/exact.h"

#include "../../include/pelt/ddm.h"
#include "skin_bounds.h"

#include <stdlib.h>
#include <string.h>

// Regions are divided until their vertices are near each other and have similar weights: the box
// grows in proportion to the spread of both. Limits are relative to the size of the mesh, or
// weights. A region of one joint is exact but for the finite number of directions.
static const float first_spread = 0.12f, least_spread = 0.005f, rigid_factor = 2.5f;

enum
{
    FEW_REGIONS = 128, // a mesh with fewer is divided further
    FEATURES = 6       // of a vertex: position and the strongest weights
};

// A vertex and its region: the two strongest joints, and the number of the part after divisions.
typedef struct sorted_vertex
{
    uint32_t joints[2]; // PELT_NONE: none
    uint32_t part;
    uint32_t vertex;
    float feature; // by which a region is divided
} sorted_vertex;

static int compare_regions(const sorted_vertex* p, const sorted_vertex* q)
{
    const uint32_t left[2] = {p->joints[0], p->joints[1]};
    const uint32_t right[2] = {q->joints[0], q->joints[1]};
    int i = left[0] != right[0] ? 0 : 1;
    return left[i] < right[i] ? -1 : left[i] > right[i];
}

static int compare_vertices(const void* a, const void* b)
{
    const sorted_vertex *p = a, *q = b;
    int by_region = compare_regions(p, q);
    return by_region != 0 ? by_region : p->vertex < q->vertex ? -1 : p->vertex > q->vertex;
}

static int compare_features(const void* a, const void* b)
{
    const sorted_vertex *p = a, *q = b;
    int by_vertex = p->vertex < q->vertex ? -1 : p->vertex > q->vertex;
    return p->feature < q->feature ? -1 : p->feature > q->feature ? 1 : by_vertex;
}

static bool is_same_region(const sorted_vertex* a, const sorted_vertex* b)
{
    return compare_regions(a, b) == 0 && a->part == b->part;
}

static void sort_vertices(sorted_vertex* out, const pelt_weights* weights)
{
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        const pelt_influence* influences = weights->influences + weights->first[v];
        uint32_t count = weights->first[v + 1] - weights->first[v];
        out[v] = (sorted_vertex){.joints = {count > 0 ? influences[0].joint : PELT_NONE,
                                            count > 1 ? influences[1].joint : PELT_NONE},
                                 .vertex = v};
    }
    qsort(out, weights->vertex_count, sizeof *out, compare_vertices);
}

static float feature_of(const pelt_mesh* mesh, float scale, uint32_t v, int feature)
{
    const pelt_weights* weights = &mesh->weights;
    uint32_t influence = weights->first[v] + (uint32_t)(feature - 3);
    return feature < 3 ? scale * pelt_vec3_component(mesh->positions[v], feature)
           : influence < weights->first[v + 1] ? weights->influences[influence].weight
                                               : 0.0f;
}

// Divide the vertices of a region where they differ most.
// @return how many are in the first part; 0: the region is not divided
static uint32_t divide(sorted_vertex* inout, uint32_t count, const pelt_mesh* mesh, float scale,
                       float spread)
{
    int widest = -1;
    float most = inout[0].joints[1] == PELT_NONE ? rigid_factor * spread : spread;
    for (int f = 0; f < FEATURES; ++f)
    {
        float low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < count; ++i)
        {
            float value = feature_of(mesh, scale, inout[i].vertex, f);
            low = fminf(low, value);
            high = fmaxf(high, value);
        }
        widest = high - low > most ? f : widest;
        most = fmaxf(most, high - low);
    }
    if (widest < 0)
    {
        return 0;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        inout[i].feature = feature_of(mesh, scale, inout[i].vertex, widest);
    }
    qsort(inout, count, sizeof *inout, compare_features);
    float middle = 0.5f * (inout[0].feature + inout[count - 1].feature);
    uint32_t first = 1;
    while (first + 1 < count && inout[first].feature <= middle)
    {
        ++first;
    }
    return first;
}

// Number the parts of regions: divides the first part again and again, then what comes after it.
// @return how many there are
static uint32_t divide_regions(sorted_vertex* inout, const pelt_mesh* mesh, float spread)
{
    pelt_bounds box = pelt_bounds_empty();
    pelt_bounds_add(&box, mesh->positions, mesh->vertex_count);
    float size = pelt_bounds_diagonal(&box), scale = size > 0.0f ? 1.0f / size : 0.0f;
    uint32_t part = 0, begin = 0, total = mesh->vertex_count, regions = 0;
    while (begin < total)
    {
        uint32_t end = begin + 1;
        while (end < total && is_same_region(&inout[begin], &inout[end]))
        {
            ++end;
        }
        uint32_t count = divide(inout + begin, end - begin, mesh, scale, spread);
        ++part;
        for (uint32_t i = begin; i < begin + count; ++i)
        {
            inout[i].part = part;
        }
        regions += count > 0 ? 0 : 1;
        begin = count > 0 ? begin : end;
    }
    return regions;
}

static void make_regions(sorted_vertex* out, const pelt_mesh* mesh)
{
    uint32_t count = 0;
    for (float spread = first_spread; count < FEW_REGIONS && spread > least_spread; spread *= 0.5f)
    {
        sort_vertices(out, &mesh->weights);
        count = divide_regions(out, mesh, spread);
    }
}

// ---------------------------------------------------------------------------------------------

typedef struct region_builder
{
    const pelt_mesh* mesh;
    const sorted_vertex* vertices;
    pelti_region* regions;
    pelti_influence_range* ranges;
    pelt_bounds* morphs;
    uint32_t* slots; // joint_count: its range in the current region, or PELT_NONE
    uint32_t region_count, range_count;
} region_builder;

static void measure_positions(pelti_region* out, const region_builder* in, uint32_t first,
                              uint32_t count)
{
    pelt_bounds box = pelt_bounds_empty();
    for (uint32_t i = first; i < first + count; ++i)
    {
        pelt_bounds_add(&box, &in->mesh->positions[in->vertices[i].vertex], 1);
    }
    out->center = pelt_vec3_lerp(box.min, box.max, 0.5f);
    for (uint32_t i = first; i < first + count; ++i)
    {
        pelt_vec3 p = pelt_vec3_sub(in->mesh->positions[in->vertices[i].vertex], out->center);
        for (int k = 0; k < PELTI_DIRECTIONS; ++k)
        {
            float dot =
                (float)(k / 9 - 1) * p.x + (float)(k / 3 % 3 - 1) * p.y + (float)(k % 3 - 1) * p.z;
            out->support[k] = i == first ? dot : fmaxf(out->support[k], dot);
        }
        out->extents.x = fmaxf(out->extents.x, fabsf(p.x));
        out->extents.y = fmaxf(out->extents.y, fabsf(p.y));
        out->extents.z = fmaxf(out->extents.z, fabsf(p.z));
    }
}

static pelti_influence_range* range_of(region_builder* inout, pelti_region* region, uint32_t joint)
{
    if (inout->slots[joint] == PELT_NONE)
    {
        inout->slots[joint] = inout->range_count++;
        inout->ranges[inout->slots[joint]] =
            (pelti_influence_range){.joint = joint,
                                    .weights = {1.0f, 0.0f},
                                    .offsets = pelt_bounds_empty(),
                                    .center_offsets = pelt_bounds_empty()};
        ++region->range_count;
    }
    return &inout->ranges[inout->slots[joint]];
}

// @param counts  of vertices that a range has
static void measure_vertex(region_builder* inout, pelti_region* region, uint32_t v)
{
    const pelt_mesh* mesh = inout->mesh;
    const pelt_weights* weights = &mesh->weights;
    uint32_t first = weights->first[v], count = weights->first[v + 1] - first;
    pelt_vec3 cor = mesh->cors != NULL ? mesh->cors[v] : mesh->positions[v];
    pelt_vec3 offset = pelt_vec3_sub(mesh->positions[v], region->center);
    pelt_vec3 center_offset = pelt_vec3_sub(mesh->positions[v], cor);
    region->distance = fmaxf(region->distance, pelt_vec3_length(cor));
    region->max_influences = count > region->max_influences ? count : region->max_influences;
    if (count > 0)
    {
        region->least_weight = fminf(region->least_weight, weights->influences[first].weight);
    }
    if (mesh->mix_factors != NULL)
    {
        region->mix[0] = fminf(region->mix[0], mesh->mix_factors[v]);
        region->mix[1] = fmaxf(region->mix[1], mesh->mix_factors[v]);
    }
    for (uint32_t i = 1; i < count; ++i)
    {
        const pelt_influence* influence = &weights->influences[first + i];
        pelti_influence_range* range = range_of(inout, region, influence->joint);
        pelt_vec3 scaled = pelt_vec3_scale(offset, influence->weight);
        range->weights[0] = fminf(range->weights[0], influence->weight);
        range->weights[1] = fmaxf(range->weights[1], influence->weight);
        pelt_bounds_add(&range->offsets, &scaled, 1);
        scaled = pelt_vec3_scale(center_offset, influence->weight);
        pelt_bounds_add(&range->center_offsets, &scaled, 1);
        range->reach = fmaxf(range->reach, pelt_vec3_length(scaled));
    }
}

// Joints other than the two of the region do not influence all of its vertices.
static void add_absent(region_builder* inout, const pelti_region* region, const sorted_vertex* of)
{
    const pelt_vec3 zero = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = region->first_range; i < inout->range_count; ++i)
    {
        pelti_influence_range* range = &inout->ranges[i];
        if (range->joint != of->joints[1])
        {
            range->weights[0] = 0.0f;
            pelt_bounds_add(&range->offsets, &zero, 1);
            pelt_bounds_add(&range->center_offsets, &zero, 1);
        }
        inout->slots[range->joint] = PELT_NONE;
    }
}

static void measure_morphs(region_builder* inout, uint32_t region, uint32_t first, uint32_t count)
{
    const pelt_mesh* mesh = inout->mesh;
    const pelt_vec3 zero = {0.0f, 0.0f, 0.0f};
    for (uint32_t k = 0; inout->morphs != NULL && k < mesh->morph_count; ++k)
    {
        pelt_bounds* box = &inout->morphs[(size_t)region * mesh->morph_count + k];
        *box = pelt_bounds_empty();
        for (uint32_t i = first; i < first + count; ++i)
        {
            const pelt_vec3* moved = mesh->morphs[k].positions;
            pelt_bounds_add(box, moved != NULL ? &moved[inout->vertices[i].vertex] : &zero, 1);
        }
    }
}

static void measure_region(region_builder* inout, uint32_t first, uint32_t count)
{
    uint32_t index = inout->region_count++;
    pelti_region* region = &inout->regions[index];
    *region = (pelti_region){.joint = inout->vertices[first].joints[0],
                             .first_range = inout->range_count,
                             .mix = {1.0f, 0.0f},
                             .least_weight = 1.0f};
    measure_positions(region, inout, first, count);
    for (uint32_t i = first; i < first + count; ++i)
    {
        measure_vertex(inout, region, inout->vertices[i].vertex);
    }
    add_absent(inout, region, &inout->vertices[first]);
    measure_morphs(inout, index, first, count);
}

static uint32_t count_regions(const sorted_vertex* vertices, uint32_t count)
{
    uint32_t regions = count > 0 ? 1 : 0;
    for (uint32_t i = 1; i < count; ++i)
    {
        regions += is_same_region(&vertices[i - 1], &vertices[i]) ? 0 : 1;
    }
    return regions;
}

// Arrays of ranges have room for all influences; the arena keeps only those that are used.
static pelt_result build_regions(pelt_skin_bounds* out, region_builder* with)
{
    uint32_t total = with->mesh->vertex_count, first = 0;
    memset(with->slots, 0xff, ((size_t)out->joint_count + 1) * sizeof *with->slots); // PELT_NONE
    for (uint32_t i = 1; i <= total; ++i)
    {
        if (i == total || !is_same_region(&with->vertices[first], &with->vertices[i]))
        {
            measure_region(with, first, i - first);
            first = i;
        }
    }
    pelti_influence_range* ranges = pelt_arena_alloc(out->arena, with->range_count, sizeof *ranges);
    if (ranges == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    memcpy(ranges, with->ranges, with->range_count * sizeof *ranges);
    out->regions = with->regions;
    out->region_count = with->region_count;
    out->ranges = ranges;
    out->range_count = with->range_count;
    out->morphs = with->morphs;
    return PELT_OK;
}

// A smoothed position is a mean of points, one of each joint, by the smoothed weights.
static pelt_vec3 smoothed_point(const pelt_ddm* ddm, uint32_t vertex, uint32_t influence)
{
    const float* m =
        ddm->moments != NULL ? ddm->moments + PELT_DDM_MOMENTS * (size_t)influence : NULL;
    const pelt_vec3 none = {0.0f, 0.0f, 0.0f};
    pelt_vec3 vector = m != NULL              ? pelt_vec3_make(m[3], m[7], m[11])
                       : ddm->vectors != NULL ? ddm->vectors[influence]
                                              : none;
    float weight = ddm->influences[influence].weight;
    float scale = weight > 0.0f ? ddm->translation * ddm->radii[vertex] / weight : 0.0f;
    return pelt_vec3_mad(ddm->centers[vertex], scale, vector);
}

static pelt_result measure_smoothed(pelt_skin_bounds* out, const pelt_mesh* mesh)
{
    const pelt_ddm* ddm = mesh->weights.ddm;
    if (ddm == NULL)
    {
        return PELT_OK;
    }
    pelt_bounds* boxes = pelt_arena_alloc(out->arena, out->joint_count, sizeof *boxes);
    for (uint32_t joint = 0; boxes != NULL && joint < out->joint_count; ++joint)
    {
        boxes[joint] = pelt_bounds_empty();
    }
    for (uint32_t v = 0; boxes != NULL && v < ddm->vertex_count; ++v)
    {
        pelt_vec3 offset = pelt_vec3_sub(mesh->positions[v], ddm->centers[v]);
        out->smoothed_reach = fmaxf(out->smoothed_reach, pelt_vec3_length(offset));
        for (uint32_t i = ddm->first[v]; i < ddm->first[v + 1]; ++i)
        {
            pelt_vec3 point = smoothed_point(ddm, v, i);
            pelt_bounds_add(&boxes[ddm->influences[i].joint], &point, 1);
        }
    }
    out->smoothed = boxes;
    return boxes != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

static pelt_result build(pelt_skin_bounds* out, const pelt_mesh* mesh)
{
    const pelt_weights* weights = &mesh->weights;
    sorted_vertex* vertices = pelt_allocate((size_t)mesh->vertex_count + 1, sizeof *vertices);
    pelti_influence_range* ranges =
        pelt_allocate((size_t)weights->influence_count + 1, sizeof *ranges);
    uint32_t* slots = pelt_allocate((size_t)weights->joint_count + 1, sizeof *slots);
    region_builder builder = {.mesh = mesh, .vertices = vertices, .ranges = ranges, .slots = slots};
    pelt_result result = PELT_ERROR_MEMORY;
    if (vertices == NULL || ranges == NULL || slots == NULL)
    {
        goto cleanup;
    }
    make_regions(vertices, mesh);
    size_t region_count = count_regions(vertices, mesh->vertex_count);
    builder.regions = pelt_arena_alloc(out->arena, region_count, sizeof *builder.regions);
    if (mesh->morph_count > 0)
    {
        builder.morphs =
            pelt_arena_alloc(out->arena, region_count * mesh->morph_count, sizeof *builder.morphs);
    }
    if (builder.regions != NULL && (mesh->morph_count == 0 || builder.morphs != NULL))
    {
        result = build_regions(out, &builder);
    }
cleanup:
    pelt_release(vertices);
    pelt_release(ranges);
    pelt_release(slots);
    return result;
}

pelt_result pelt_skin_bounds_create(pelt_skin_bounds** out, const pelt_mesh* mesh)
{
    PELT_ASSERT(out != NULL && mesh != NULL);
    PELT_ASSERT(mesh->weights.first != NULL && mesh->weights.vertex_count == mesh->vertex_count);
    *out = NULL;
    pelt_arena* arena = pelt_arena_create();
    pelt_skin_bounds* bounds = arena != NULL ? pelt_arena_alloc(arena, 1, sizeof *bounds) : NULL;
    if (bounds == NULL)
    {
        pelt_arena_destroy(arena);
        return PELT_ERROR_MEMORY;
    }
    *bounds = (pelt_skin_bounds){.joint_count = mesh->weights.joint_count,
                                 .morph_count = mesh->morph_count,
                                 .has_centers = mesh->cors != NULL,
                                 .has_mix_factors = mesh->mix_factors != NULL,
                                 .arena = arena};
    if (build(bounds, mesh) != PELT_OK || measure_smoothed(bounds, mesh) != PELT_OK)
    {
        pelt_skin_bounds_destroy(bounds);
        return PELT_ERROR_MEMORY;
    }
    *out = bounds;
    return PELT_OK;
}

void pelt_skin_bounds_destroy(pelt_skin_bounds* bounds)
{
    if (bounds != NULL)
    {
        pelt_arena_destroy(bounds->arena);
    }
}
