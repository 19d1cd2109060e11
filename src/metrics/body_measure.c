// SPDX-License-Identifier: MIT
// All metrics of one pose.
#include "../base/exact.h"

#include "body.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Names

static const pelt_metric_info infos[PELT_METRIC_COUNT] = {
    [PELT_METRIC_VOLUME] = {"volume", "volume change per area", "m", true},
    [PELT_METRIC_RADIUS] = {"radius", "cross-section radius change", "1", true},
    [PELT_METRIC_BULGE] = {"bulge", "bone distance change", "m", true},
    [PELT_METRIC_COLLAPSE] = {"collapse", "bone distance lost", "1", false},
    [PELT_METRIC_EDGE] = {"edge", "edge strain", "1", true},
    [PELT_METRIC_AREA] = {"area", "area strain", "1", true},
    [PELT_METRIC_RIGIDITY] = {"rigidity", "non-rigid strain", "1", false},
    [PELT_METRIC_NORMAL] = {"normal", "normal error", "rad", false},
    [PELT_METRIC_FOLD] = {"fold", "fold angle", "rad", false},
    [PELT_METRIC_GAP] = {"gap", "crack width", "m", false},
    [PELT_METRIC_JUMP] = {"jump", "jump between frames", "m", false},
    [PELT_METRIC_INTERSECTION] = {"intersection", "crossing triangles", "count", false},
    [PELT_METRIC_DISTANCE] = {"distance", "distance to the reference", "m", false},
};

const pelt_metric_info* pelt_metric_describe(pelt_metric metric)
{
    PELT_ASSERT(metric < PELT_METRIC_COUNT);
    return &infos[metric];
}

pelt_metric pelt_metric_find(const char* name)
{
    pelt_metric metric = 0;
    while (metric < PELT_METRIC_COUNT && strcmp(infos[metric].name, name) != 0)
    {
        ++metric;
    }
    return metric;
}

// ---------------------------------------------------------------------------------------------
// Results

pelt_result pelt_pose_metrics_create(pelt_pose_metrics* out, const pelt_body* body)
{
    size_t region_count = body->info.region_count, section_count = body->info.section_count;
    *out = (pelt_pose_metrics){.region_count = body->info.region_count,
                               .regions = pelt_allocate(region_count, sizeof *out->regions),
                               .section_count = body->info.section_count,
                               .section_radii =
                                   pelt_allocate(section_count + 1, sizeof *out->section_radii)};
    if (out->regions == NULL || out->section_radii == NULL)
    {
        pelt_pose_metrics_destroy(out);
        return PELT_ERROR_MEMORY;
    }
    memset(out->regions, 0, region_count * sizeof *out->regions);
    memset(out->section_radii, 0, section_count * sizeof *out->section_radii);
    return PELT_OK;
}

void pelt_pose_metrics_destroy(pelt_pose_metrics* metrics)
{
    pelt_release(metrics->regions);
    pelt_release(metrics->section_radii);
    *metrics = (pelt_pose_metrics){0};
}

// ---------------------------------------------------------------------------------------------
// Measuring

void pelti_body_gather(pelt_body* inout, const pelt_surface* surfaces)
{
    for (uint32_t i = 0; i < inout->part_count; ++i)
    {
        const pelti_body_part* part = &inout->parts[i];
        const pelt_surface* surface = &surfaces[part->instance];
        for (uint32_t v = 0; v < part->vertices.count; ++v)
        {
            inout->positions[part->vertices.first + v] =
                *pelt_vec3_at(surface->positions, surface->position_stride, v);
        }
    }
    for (uint32_t g = 0; g < inout->group_count; ++g)
    {
        inout->deformed[g] = pelti_double3_from(inout->positions[inout->group_vertices[g]]);
    }
}

typedef struct crossing_count
{
    pelt_body* body;
    uint32_t pairs;
} crossing_count;

static void count_crossing(uint32_t first, uint32_t second, void* user)
{
    crossing_count* count = user;
    ++count->pairs;
    count->body->is_crossing[first] = count->body->is_crossing[second] = true;
}

static void measure_intersections(double* out, pelt_pose_metrics* pose, pelt_body* body)
{
    crossing_count count = {.body = body};
    memset(body->is_crossing, 0, body->triangle_count * sizeof *body->is_crossing);
    pelti_box_tree_cross(&body->tree, body->positions, count_crossing, &count);
    pose->intersection_count = count.pairs;
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        out[g] = 0.0;
    }
    for (uint32_t i = 0; i < 3 * body->triangle_count; ++i)
    {
        out[body->triangle_groups[i]] += body->is_crossing[i / 3] ? 1.0 : 0.0;
    }
}

static void measure_groups(double* out, pelt_pose_metrics* pose, pelt_body* body,
                           const pelt_metric_input* input, pelt_metric metric)
{
    switch (metric)
    {
    case PELT_METRIC_VOLUME:
        pelti_measure_volume(out, pose, body);
        break;
    case PELT_METRIC_RADIUS:
        pelti_measure_radius(out, pose, body);
        break;
    case PELT_METRIC_BULGE:
        pelti_measure_bulge(out, body);
        break;
    case PELT_METRIC_COLLAPSE:
        pelti_measure_collapse(out, body);
        break;
    case PELT_METRIC_EDGE:
        pelti_measure_edges(out, body);
        break;
    case PELT_METRIC_AREA:
        pelti_measure_area(out, body);
        break;
    case PELT_METRIC_RIGIDITY:
        pelti_measure_rigidity(out, body);
        break;
    case PELT_METRIC_FOLD:
        pelti_measure_folds(out, body);
        break;
    case PELT_METRIC_JUMP:
        pelti_measure_jumps(out, body, input);
        break;
    default:
        measure_intersections(out, pose, body);
        break;
    }
}

static void measure_vertices(pelt_pose_metrics* pose, pelt_body* body,
                             const pelt_metric_input* input, pelt_metric metric)
{
    float* values = body->vertex_values;
    switch (metric)
    {
    case PELT_METRIC_NORMAL:
        pelti_measure_normals(values, body, input);
        break;
    case PELT_METRIC_GAP:
        pelti_measure_gaps(values, body);
        break;
    case PELT_METRIC_DISTANCE:
        pelti_measure_distances(values, body, input);
        break;
    default:
        measure_groups(body->values, pose, body, input, metric);
        for (uint32_t v = 0; v < body->mesh.vertex_count; ++v)
        {
            values[v] = (float)body->values[body->vertex_groups[v]];
        }
        break;
    }
    for (uint32_t v = 0; v < body->mesh.vertex_count; ++v)
    {
        values[v] = (float)pelti_number((double)values[v]);
    }
}

static uint32_t measurable(const pelt_body* body, const pelt_metric_input* input)
{
    uint32_t metrics = input->metrics != 0 ? input->metrics & PELT_METRICS_ALL : PELT_METRICS_ALL;
    bool has_normals = body->mesh.normals != NULL;
    bool has_previous = input->previous_surfaces != NULL && input->previous_palettes != NULL;
    metrics &= has_normals ? PELT_METRICS_ALL : ~PELT_METRIC_BIT(PELT_METRIC_NORMAL);
    metrics &= has_previous ? PELT_METRICS_ALL : ~PELT_METRIC_BIT(PELT_METRIC_JUMP);
    return metrics &
           (input->reference != NULL ? PELT_METRICS_ALL : ~PELT_METRIC_BIT(PELT_METRIC_DISTANCE));
}

void pelt_body_measure(pelt_pose_metrics* out, pelt_body* body, const pelt_metric_input* input)
{
    PELT_ASSERT(out->region_count == body->info.region_count);
    PELT_ASSERT(input->surfaces != NULL && input->palettes != NULL);
    memset(out->regions, 0, out->region_count * sizeof *out->regions);
    memset(out->section_radii, 0, out->section_count * sizeof *out->section_radii);
    out->metrics = measurable(body, input);
    out->intersection_count = 0;
    out->enclosed_volume = (double)NAN;
    pelti_body_gather(body, input->surfaces);
    pelti_bones_pose(body->segments, body, input->palettes);
    for (pelt_metric metric = 0; metric < PELT_METRIC_COUNT; ++metric)
    {
        if ((out->metrics & PELT_METRIC_BIT(metric)) != 0)
        {
            measure_vertices(out, body, input, metric);
            pelti_summarize(out, body, metric);
            if (input->values[metric] != NULL)
            {
                memcpy(input->values[metric], body->vertex_values,
                       body->mesh.vertex_count * sizeof(float));
            }
        }
    }
}
