// SPDX-License-Identifier: MIT
// Bodies: creation, measurement of a pose, and instances that do not change a measurement.
#include "../base/exact.h"

#include "body.h"

#include "../../include/pelt/metrics.h"

#include <string.h>

// Limits of 32-bit counts: vertices and corners of all instances, joints of all skins.
static pelt_result check_sizes(const pelt_scene* scene, pelt_error* error)
{
    uint64_t vertices = 0, corners = 0, influences = 0, joints = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        vertices += mesh->vertex_count;
        corners += mesh->index_count;
        influences += mesh->weights.influence_count;
    }
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        joints += scene->skins[i].joint_count;
    }
    if (joints > PELT_MAX_JOINTS)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "The skins of the scene have %llu joints together; measurements "
                              "support up to %u.",
                              (unsigned long long)joints, PELT_MAX_JOINTS);
    }
    // Edges are listed twice per triangle corner at most.
    if (vertices >= UINT32_MAX / 2 || corners >= UINT32_MAX / 4 || influences >= UINT32_MAX)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "The skinned meshes have %llu vertices and %llu triangles together, "
                              "too many to measure them as one body.",
                              (unsigned long long)vertices, (unsigned long long)corners / 3);
    }
    return PELT_OK;
}

static bool add_slots(pelt_body* out, const pelt_scene* scene)
{
    pelt_arena* arena = out->arena;
    out->skin_count = scene->skin_count;
    out->first_slots = pelt_arena_alloc(arena, (size_t)scene->skin_count + 1, sizeof(uint32_t));
    out->placements = pelt_arena_alloc(arena, scene->skin_count, sizeof *out->placements);
    for (uint32_t i = 0; out->first_slots != NULL && i < scene->skin_count; ++i)
    {
        out->slot_count += scene->skins[i].joint_count;
        out->first_slots[i + 1] = out->slot_count;
    }
    out->slot_nodes = pelt_arena_alloc(arena, out->slot_count, sizeof *out->slot_nodes);
    if (out->first_slots == NULL || out->placements == NULL || out->slot_nodes == NULL)
    {
        return false;
    }
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        for (uint32_t k = 0; k < scene->skins[i].joint_count; ++k)
        {
            out->slot_nodes[out->first_slots[i] + k] = scene->skins[i].joints[k];
        }
    }
    return true;
}

// Buffers of a measurement, which are not used after it.
static bool allocate_scratch(pelt_body* out)
{
    pelt_arena* arena = out->arena;
    size_t vertex_count = out->mesh.vertex_count;
    out->positions = pelt_arena_alloc(arena, vertex_count, sizeof *out->positions);
    out->deformed = pelt_arena_alloc(arena, out->group_count, sizeof *out->deformed);
    out->normals = pelt_arena_alloc(arena, vertex_count, sizeof *out->normals);
    out->segments = pelt_arena_alloc(arena, out->bone_count, sizeof *out->segments);
    out->motions = pelt_arena_alloc(arena, out->slot_count, sizeof *out->motions);
    out->handedness = pelt_arena_alloc(arena, out->slot_count, sizeof *out->handedness);
    out->values = pelt_arena_alloc(arena, vertex_count, sizeof *out->values);
    out->point_sums = pelt_arena_alloc(arena, out->point_count, sizeof *out->point_sums);
    out->vertex_values = pelt_arena_alloc(arena, vertex_count, sizeof *out->vertex_values);
    out->sorted = pelt_arena_alloc(arena, vertex_count, sizeof *out->sorted);
    out->section_sums = pelt_arena_alloc(arena, out->info.section_count, sizeof *out->section_sums);
    out->pose_volumes = pelt_arena_alloc(arena, out->triangle_count, sizeof *out->pose_volumes);
    out->is_crossing = pelt_arena_alloc(arena, out->triangle_count, sizeof *out->is_crossing);
    return out->is_crossing != NULL && out->positions != NULL && out->deformed != NULL &&
           out->normals != NULL && out->segments != NULL && out->motions != NULL &&
           out->handedness != NULL && out->values != NULL && out->point_sums != NULL &&
           out->vertex_values != NULL && out->sorted != NULL && out->section_sums != NULL &&
           out->pose_volumes != NULL;
}

static void measure_volumes_at_rest(pelt_body* inout, pelt_metric_region* regions)
{
    pelti_triangle_volumes(inout->triangle_volumes, inout, inout->rest, inout->rest_segments);
    for (uint32_t i = 0; i < 3 * inout->triangle_count; ++i)
    {
        double third = inout->triangle_volumes[i / 3] / 3.0;
        uint32_t region =
            inout->info.vertex_regions[inout->group_vertices[inout->triangle_groups[i]]];
        regions[0].volume += third;
        regions[region].volume += region > 0 ? third : 0.0;
    }
    inout->info.enclosed_volume =
        inout->info.is_closed
            ? pelt_mesh_volume(inout->mesh.positions, inout->mesh.indices, inout->mesh.index_count)
            : (double)NAN;
}

static void count_pair(uint32_t first, uint32_t second, void* user)
{
    (void)first, (void)second;
    ++*(uint32_t*)user;
}

static bool prepare(pelt_body* out, const pelt_scene* scene)
{
    if (!add_slots(out, scene) || !pelti_body_merge(out, scene) || !pelti_body_connect(out) ||
        !pelti_body_add_bones(out, scene) || !pelti_body_add_regions(out, scene) ||
        !allocate_scratch(out) ||
        !pelti_box_tree_build(&out->tree, out->mesh.positions, out->mesh.indices,
                              out->triangle_count, out->vertex_points, 1e-6 * out->info.size,
                              out->arena))
    {
        return false;
    }
    out->triangle_volumes =
        pelt_arena_alloc(out->arena, out->triangle_count, sizeof *out->triangle_volumes);
    if (out->triangle_volumes == NULL)
    {
        return false;
    }
    measure_volumes_at_rest(out, out->regions);
    pelti_box_tree_cross(&out->tree, out->mesh.positions, count_pair,
                         &out->info.intersection_count);
    return true;
}

// An empty body, or a copy of the pointers of another, in an arena of its own.
static pelt_body* create_body(const pelt_body* other)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_body* body = arena != NULL ? pelt_arena_alloc(arena, 1, sizeof *body) : NULL;
    if (body == NULL)
    {
        pelt_arena_destroy(arena);
        return NULL;
    }
    *body = other != NULL ? *other : (pelt_body){0};
    body->arena = arena;
    return body;
}

pelt_result pelt_body_create(pelt_body** out, const pelt_scene* scene, pelt_error* error)
{
    *out = NULL;
    PELT_TRY(check_sizes(scene, error));
    pelt_body* body = create_body(NULL);
    if (body == NULL || !prepare(body, scene))
    {
        pelt_body_destroy(body);
        return pelt_error_memory(error);
    }
    *out = body;
    return PELT_OK;
}

pelt_result pelt_body_share(pelt_body** out, const pelt_body* prepared)
{
    pelt_body* body = create_body(prepared);
    *out = body;
    if (body == NULL || !allocate_scratch(body) ||
        !pelti_box_tree_share(&body->tree, &prepared->tree, body->arena))
    {
        pelt_body_destroy(body);
        *out = NULL;
        return PELT_ERROR_MEMORY;
    }
    return PELT_OK;
}

void pelt_body_destroy(pelt_body* body)
{
    if (body != NULL)
    {
        pelt_arena_destroy(body->arena);
    }
}

const pelt_body_info* pelt_body_get_info(const pelt_body* body)
{
    return &body->info;
}

// =============================================================================================
// All metrics of one pose.

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

// =============================================================================================
// Instances of meshes that a measurement need not look at.

// Kept instances of one mesh are a chain, the last one first.
typedef struct chains
{
    uint32_t* last; // by mesh: an instance, or PELT_NONE
    uint32_t* next; // by instance that is kept
} chains;

static bool has_copy(const pelt_scene* scene, const pelt_instance* instances, const chains* kept,
                     const pelt_instance* instance)
{
    // Morph weights may differ from node to node, and so may the points of an unskinned instance.
    if (instance->skin == PELT_NONE || scene->meshes[instance->mesh].morph_count > 0)
    {
        return false;
    }
    uint32_t other = kept->last[instance->mesh];
    while (other != PELT_NONE && instances[other].skin != instance->skin)
    {
        other = kept->next[other];
    }
    return other != PELT_NONE;
}

// @param indices  by instance: its new index, or PELT_NONE
static uint32_t keep_instances(pelt_instance* out, uint32_t* indices, const chains* kept,
                               const pelt_scene* scene, uint64_t max_vertices)
{
    uint64_t vertex_count = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        uint32_t* last = &kept->last[instance->mesh];
        uint64_t next_count = vertex_count + scene->meshes[instance->mesh].vertex_count;
        indices[i] = PELT_NONE;
        if (*last == PELT_NONE ||
            (next_count <= max_vertices && !has_copy(scene, out, kept, instance)))
        {
            vertex_count = next_count;
            out[count] = *instance;
            kept->next[count] = *last;
            *last = indices[i] = count++;
        }
    }
    return count;
}

// Tracks of morph targets are those of instances. @return NULL when out of memory
static pelt_clip* move_tracks(const pelt_scene* scene, const uint32_t* indices, pelt_arena* arena)
{
    pelt_clip* clips = pelt_arena_alloc(arena, scene->clip_count, sizeof *clips);
    for (uint32_t i = 0; clips != NULL && i < scene->clip_count; ++i)
    {
        clips[i] = scene->clips[i];
        pelt_track* tracks = pelt_arena_alloc(arena, clips[i].track_count, sizeof *tracks);
        if (tracks == NULL)
        {
            return NULL;
        }
        clips[i].tracks = tracks;
        clips[i].track_count = 0;
        for (uint32_t k = 0; k < scene->clips[i].track_count; ++k)
        {
            pelt_track track = scene->clips[i].tracks[k];
            bool is_morph = track.path == PELT_PATH_MORPH;
            track.target = is_morph ? indices[track.target] : track.target;
            if (track.target != PELT_NONE)
            {
                tracks[clips[i].track_count++] = track;
            }
        }
    }
    return clips;
}

pelt_result pelt_scene_skip_copies(pelt_scene* inout, uint64_t max_vertices, pelt_arena* arena)
{
    PELT_ASSERT(inout != NULL && arena != NULL);
    size_t count = inout->instance_count;
    pelt_instance* instances = pelt_arena_alloc(arena, count, sizeof *instances);
    uint32_t* indices = pelt_arena_alloc(arena, count, sizeof *indices);
    chains kept = {.last = pelt_arena_alloc(arena, inout->mesh_count, sizeof(uint32_t)),
                   .next = pelt_arena_alloc(arena, count, sizeof(uint32_t))};
    if (instances == NULL || indices == NULL || kept.last == NULL || kept.next == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    memset(kept.last, 0xff, inout->mesh_count * sizeof *kept.last);
    uint32_t kept_count = keep_instances(instances, indices, &kept, inout, max_vertices);
    if (kept_count == inout->instance_count)
    {
        return PELT_OK;
    }
    const pelt_clip* clips =
        inout->morph_weight_count > 0 ? move_tracks(inout, indices, arena) : inout->clips;
    if (clips == NULL && inout->clip_count > 0)
    {
        return PELT_ERROR_MEMORY;
    }
    inout->morph_weight_count = 0;
    for (uint32_t i = 0; i < kept_count; ++i)
    {
        instances[i].first_morph_weight = inout->morph_weight_count;
        inout->morph_weight_count += inout->meshes[instances[i].mesh].morph_count;
    }
    inout->clips = clips;
    inout->instances = instances;
    inout->instance_count = kept_count;
    return PELT_OK;
}
