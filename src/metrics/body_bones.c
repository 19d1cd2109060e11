// SPDX-License-Identifier: MIT
// The bones of a body, the segments its vertices belong to, and the regions of its joints.
#include "../base/exact.h"

#include "body.h"

#include "../../include/pelt/prepare.h"

enum
{
    JOINTS_OF_VERTEX = 16, // the strongest
    SECTION_MAX = 16,      // of one bone
    SECTION_VERTICES = 16, // of a section at least, on average
    SECTION_LEAST = 8,     // to tell a radius
};

// Joints with less than this fraction of the largest weight of a vertex do not count: a raised arm
// moves away from the chest, and the skin there, which hardly follows the arm, does not bulge.
static const float least_share = 0.25f;

// ---------------------------------------------------------------------------------------------
// Bones

// Joints of a skin become slots.
static void add_skin(pelt_body* inout, const pelt_bones* bones, uint32_t first_slot)
{
    uint32_t first_bone = inout->bone_count;
    for (uint32_t joint = 0; joint < bones->joint_count; ++joint)
    {
        inout->first_bones[first_slot + joint] = first_bone + bones->first[joint];
    }
    for (uint32_t i = 0; i < bones->first[bones->joint_count]; ++i)
    {
        const pelt_bone* bone = &bones->bones[i];
        inout->bones[inout->bone_count++] =
            (pelti_bone){{first_slot + bone->joints[0], first_slot + bone->joints[1]},
                         {bone->ends[0], bone->ends[1]},
                         bone->joints[0] != bone->joints[1]};
    }
}

static bool add_bones(pelt_body* inout, const pelt_scene* scene)
{
    pelt_arena* arena = inout->arena;
    size_t count = 0;
    pelt_bones* bones = pelt_arena_alloc(arena, scene->skin_count, sizeof *bones);
    if (bones == NULL || pelt_bones_build(bones, scene, arena) != PELT_OK)
    {
        return false;
    }
    for (uint32_t skin = 0; skin < scene->skin_count; ++skin)
    {
        count += bones[skin].first[bones[skin].joint_count];
    }
    inout->bones = pelt_arena_alloc(arena, count, sizeof *inout->bones);
    inout->first_bones =
        pelt_arena_alloc(arena, (size_t)inout->slot_count + 1, sizeof *inout->first_bones);
    if (inout->bones == NULL || inout->first_bones == NULL)
    {
        return false;
    }
    for (uint32_t skin = 0; skin < scene->skin_count; ++skin)
    {
        add_skin(inout, &bones[skin], inout->first_slots[skin]);
    }
    inout->first_bones[inout->slot_count] = inout->bone_count;
    return true;
}

static pelt_range bones_of_skin(const pelt_body* body, uint32_t skin)
{
    uint32_t first = body->first_bones[body->first_slots[skin]];
    return (pelt_range){first, body->first_bones[body->first_slots[skin + 1]] - first};
}

void pelti_bones_pose(pelti_segment* out, const pelt_body* body, const pelt_palette* palettes)
{
    for (uint32_t skin = 0; skin < body->skin_count; ++skin)
    {
        const pelt_mat34* matrices = palettes[skin].matrices;
        pelt_range range = bones_of_skin(body, skin);
        for (uint32_t i = range.first; i < range.first + range.count; ++i)
        {
            const pelti_bone* bone = &body->bones[i];
            for (int k = 0; k < 2; ++k)
            {
                uint32_t joint = bone->slots[k] - body->first_slots[skin];
                out[i].ends[k] =
                    pelti_double3_from(pelt_mat34_point(&matrices[joint], bone->ends[k]));
            }
        }
    }
}

static void rest_bones(pelt_body* inout)
{
    for (uint32_t skin = 0; skin < inout->skin_count; ++skin)
    {
        pelt_range range = bones_of_skin(inout, skin);
        for (uint32_t i = 2 * range.first; i < 2 * (range.first + range.count); ++i)
        {
            pelt_vec3 end = inout->bones[i / 2].ends[i % 2];
            inout->rest_segments[i / 2].ends[i % 2] =
                pelti_double3_from(pelt_mat34_point(&inout->placements[skin], end));
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Anchors

pelti_double3 pelti_segment_point(const pelti_segment* segment, double along)
{
    pelti_double3 axis = pelti_double3_sub(segment->ends[1], segment->ends[0]);
    return pelti_double3_mad(segment->ends[0], along, axis);
}

// The fraction of a segment that is nearest to a point.
static double nearest_along(const pelti_segment* segment, pelti_double3 point)
{
    pelti_double3 axis = pelti_double3_sub(segment->ends[1], segment->ends[0]);
    double square = pelti_double3_dot(axis, axis);
    double along = pelti_double3_dot(pelti_double3_sub(point, segment->ends[0]), axis);
    return square > 0.0 ? fmin(fmax(along / square, 0.0), 1.0) : 0.0;
}

// The bones of the joints of a group that count.
static uint32_t list_bones(pelt_range out[JOINTS_OF_VERTEX], const pelt_body* body, uint32_t group)
{
    const pelt_weights* weights = &body->mesh.weights;
    uint32_t vertex = body->group_vertices[group], count = 0;
    uint32_t first = weights->first[vertex], end = weights->first[vertex + 1];
    float least = first < end ? least_share * weights->influences[first].weight : 0.0f;
    // Strongest first.
    for (uint32_t i = first; i < end && count < JOINTS_OF_VERTEX; ++i)
    {
        if (weights->influences[i].weight < least)
        {
            break;
        }
        uint32_t slot = weights->influences[i].joint, bone = body->first_bones[slot];
        out[count++] = (pelt_range){bone, body->first_bones[slot + 1] - bone};
    }
    return count;
}

static double nearest_distance(double* along, const pelti_segment* segment, pelti_double3 point)
{
    *along = nearest_along(segment, point);
    return pelti_double3_length(pelti_double3_sub(point, pelti_segment_point(segment, *along)));
}

pelti_anchor pelti_anchor_find(double* distance, const pelt_body* body, uint32_t group,
                               pelti_double3 position, const pelti_segment* segments)
{
    pelt_range lists[JOINTS_OF_VERTEX];
    uint32_t count = list_bones(lists, body, group);
    pelti_anchor best = {.bone = PELT_NONE};
    *distance = -1.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        for (uint32_t k = lists[i].first; k < lists[i].first + lists[i].count; ++k)
        {
            double along, apart = nearest_distance(&along, &segments[k], position);
            if (best.bone == PELT_NONE || apart < *distance)
            {
                best = (pelti_anchor){k, along};
                *distance = apart;
            }
        }
    }
    return best;
}

double pelti_bone_reach(const pelt_body* body, uint32_t group, pelti_double3 a, pelti_double3 b,
                        const pelti_segment* segments)
{
    pelt_range lists[JOINTS_OF_VERTEX];
    uint32_t count = list_bones(lists, body, group);
    double least = (double)INFINITY;
    for (uint32_t i = 0; i < count; ++i)
    {
        for (uint32_t k = lists[i].first; k < lists[i].first + lists[i].count; ++k)
        {
            double along, from_a = nearest_distance(&along, &segments[k], a);
            least = fmin(least, fmax(from_a, nearest_distance(&along, &segments[k], b)));
        }
    }
    return least;
}

double pelti_bone_distance(const pelt_body* body, uint32_t group, pelti_double3 position,
                           const pelti_segment* segments)
{
    double distance;
    pelti_anchor_find(&distance, body, group, position, segments);
    return distance;
}

static bool add_anchors(pelt_body* inout)
{
    pelt_arena* arena = inout->arena;
    uint32_t group_count = inout->group_count;
    inout->rest_segments = pelt_arena_alloc(arena, inout->bone_count, sizeof *inout->rest_segments);
    inout->anchors = pelt_arena_alloc(arena, group_count, sizeof *inout->anchors);
    inout->bone_distances = pelt_arena_alloc(arena, group_count, sizeof *inout->bone_distances);
    if (inout->rest_segments == NULL || inout->anchors == NULL || inout->bone_distances == NULL)
    {
        return false;
    }
    rest_bones(inout);
    for (uint32_t g = 0; g < group_count; ++g)
    {
        inout->anchors[g] = pelti_anchor_find(&inout->bone_distances[g], inout, g, inout->rest[g],
                                              inout->rest_segments);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Sections

// How many sections each bone has, by the groups around it.
static uint32_t plan_sections(uint32_t* counts, const pelt_body* body)
{
    uint32_t sum = 0;
    for (uint32_t g = 0; g < body->group_count; ++g)
    {
        if (body->anchors[g].bone != PELT_NONE)
        {
            ++counts[body->anchors[g].bone];
        }
    }
    for (uint32_t i = 0; i < body->bone_count; ++i)
    {
        pelti_double3 axis =
            pelti_double3_sub(body->rest_segments[i].ends[1], body->rest_segments[i].ends[0]);
        bool has_length = pelti_double3_length(axis) > 1e-6 * body->info.size;
        uint32_t wanted = counts[i] / SECTION_VERTICES;
        wanted = wanted < SECTION_MAX ? wanted : SECTION_MAX;
        counts[i] = !has_length || counts[i] == 0 ? 0 : wanted > 0 ? wanted : 1;
        sum += counts[i];
    }
    return sum;
}

static void fill_sections(pelt_metric_section* out, pelt_body* inout, const uint32_t* counts)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < inout->bone_count; ++i)
    {
        const pelti_bone* bone = &inout->bones[i];
        inout->first_sections[i] = next;
        for (uint32_t k = 0; k < counts[i]; ++k)
        {
            out[next++] = (pelt_metric_section){
                .head = inout->slot_nodes[bone->slots[0]],
                .tail = bone->has_tail_joint ? inout->slot_nodes[bone->slots[1]] : PELT_NONE,
                .fraction = ((float)k + 0.5f) / (float)counts[i]};
        }
    }
    for (uint32_t g = 0; g < inout->group_count; ++g)
    {
        pelti_anchor anchor = inout->anchors[g];
        uint32_t count = anchor.bone != PELT_NONE ? counts[anchor.bone] : 0;
        uint32_t which = (uint32_t)(anchor.along * count);
        inout->group_sections[g] =
            count > 0 ? inout->first_sections[anchor.bone] + (which < count ? which : count - 1)
                      : PELT_NONE;
    }
    for (uint32_t v = 0; v < inout->mesh.vertex_count; ++v)
    {
        uint32_t section = inout->group_sections[inout->vertex_groups[v]];
        if (section != PELT_NONE)
        {
            ++out[section].vertex_count;
        }
    }
}

// Whether a section is an outline of its bone, rather than a few vertices on one side of it: their
// mean would be as far from the bone as each of them. From the sums of pelti_section_radii().
static bool is_surrounded(const pelt_body* body, uint32_t section)
{
    const pelti_section_sum* sum = &body->section_sums[section];
    double off = pelti_double3_length(sum->mean) / sum->weight;
    return sum->count >= SECTION_LEAST && off < 0.75 * sqrt(sum->square / sum->weight);
}

static bool add_sections(pelt_body* inout)
{
    pelt_arena* arena = inout->arena;
    uint32_t* counts = pelt_arena_alloc(arena, inout->bone_count, sizeof *counts);
    inout->first_sections =
        pelt_arena_alloc(arena, inout->bone_count, sizeof *inout->first_sections);
    inout->group_sections =
        pelt_arena_alloc(arena, inout->group_count, sizeof *inout->group_sections);
    if (counts == NULL || inout->first_sections == NULL || inout->group_sections == NULL)
    {
        return false;
    }
    uint32_t section_count = plan_sections(counts, inout);
    pelt_metric_section* sections = pelt_arena_alloc(arena, section_count, sizeof *sections);
    double* radii = pelt_arena_alloc(arena, section_count, sizeof *radii);
    inout->section_sums = pelt_arena_alloc(arena, section_count, sizeof *inout->section_sums);
    if (sections == NULL || radii == NULL || inout->section_sums == NULL)
    {
        return false;
    }
    fill_sections(sections, inout, counts);
    inout->info.section_count = section_count;
    inout->info.sections = sections;
    pelti_section_radii(radii, inout, inout->rest, inout->rest_segments);
    for (uint32_t i = 0; i < section_count; ++i)
    {
        sections[i].radius = is_surrounded(inout, i) ? radii[i] : 0.0;
    }
    return true;
}

bool pelti_body_add_bones(pelt_body* inout, const pelt_scene* scene)
{
    return add_bones(inout, scene) && add_anchors(inout) && add_sections(inout);
}

// =============================================================================================
// Which part of a body is attributed to which joint.

// Below this a bend is invisible: 4 W (1 - W) where W is 0.0025.
static const float least_bend = 0.01f;

// Joints are numbered so that the descendants of a joint follow it: numbers then decide which joint
// is below which.
static void number_subtrees(pelt_range* out, const pelt_joint_parent* parents, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        out[i] = (pelt_range){0, 1};
    }
    for (uint32_t i = count; i-- > 0;)
    {
        if (parents[i].parent != PELT_NO_JOINT)
        {
            out[parents[i].parent].count += out[parents[i].joint].count;
        }
    }
    // `first` of a joint whose children are being numbered is the number of the next child; the
    // number of the joint itself is restored below.
    uint32_t next_root = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        pelt_range* joint = &out[parents[i].joint];
        uint32_t* next =
            parents[i].parent != PELT_NO_JOINT ? &out[parents[i].parent].first : &next_root;
        uint32_t own = *next;
        *next += joint->count;
        joint->first = own + 1;
    }
    for (uint32_t i = count; i-- > 0;)
    {
        // All children have moved it past the last of them.
        pelt_range* joint = &out[parents[i].joint];
        joint->first -= joint->count;
    }
}

static bool is_below(pelt_range joint, pelt_range top)
{
    return joint.first - top.first < top.count;
}

// @param subtrees  of slots; those of one skin have numbers of their own
static uint32_t find_slot(const pelt_influence* influences, uint32_t count,
                          const pelt_range* subtrees)
{
    uint32_t best = influences[0].joint;
    float most = least_bend;
    count = count < JOINTS_OF_VERTEX ? count : JOINTS_OF_VERTEX;
    for (uint32_t i = 0; i < count; ++i)
    {
        float sum = 0.0f;
        for (uint32_t k = 0; k < count; ++k)
        {
            bool counts = is_below(subtrees[influences[k].joint], subtrees[influences[i].joint]);
            sum += counts ? influences[k].weight : 0.0f;
        }
        float bend = 4.0f * sum * (1.0f - sum);
        if (bend > most)
        {
            most = bend;
            best = influences[i].joint;
        }
    }
    return best;
}

// ---------------------------------------------------------------------------------------------

// A region for each node that is a joint, in the order of nodes.
static pelt_metric_region* list_regions(pelt_body* inout, const pelt_scene* scene)
{
    uint32_t* node_regions = pelt_allocate((size_t)scene->node_count + 1, sizeof *node_regions);
    pelt_metric_region* regions =
        pelt_arena_alloc(inout->arena, (size_t)inout->slot_count + 1, sizeof *regions);
    if (node_regions == NULL || regions == NULL)
    {
        pelt_release(node_regions);
        return NULL;
    }
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        node_regions[node] = 0;
    }
    for (uint32_t slot = 0; slot < inout->slot_count; ++slot)
    {
        node_regions[inout->slot_nodes[slot]] = 1;
    }
    uint32_t count = 1;
    regions[0].node = PELT_NONE;
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        if (node_regions[node] != 0)
        {
            node_regions[node] = count;
            regions[count++].node = node;
        }
    }
    for (uint32_t slot = 0; slot < inout->slot_count; ++slot)
    {
        inout->slot_regions[slot] = node_regions[inout->slot_nodes[slot]];
    }
    inout->info.region_count = count;
    pelt_release(node_regions);
    return regions;
}

// Vertices without weights belong to the whole body only.
static void assign_vertices(uint32_t* out, const pelt_body* body, const pelt_range* subtrees)
{
    const pelt_weights* weights = &body->mesh.weights;
    for (uint32_t v = 0; v < body->mesh.vertex_count; ++v)
    {
        uint32_t count = weights->first[v + 1] - weights->first[v];
        out[v] = count > 0 ? body->slot_regions[find_slot(weights->influences + weights->first[v],
                                                          count, subtrees)]
                           : 0;
    }
}

static void fill_regions(pelt_metric_region* inout, pelt_body* body, const uint32_t* regions)
{
    uint32_t* first = body->first_in_region;
    for (uint32_t v = 0; v < body->mesh.vertex_count; ++v)
    {
        ++first[regions[v] + 2];
        ++inout[0].vertex_count;
        inout[0].area += (double)body->info.vertex_areas[v];
        if (regions[v] > 0)
        {
            ++inout[regions[v]].vertex_count;
            inout[regions[v]].area += (double)body->info.vertex_areas[v];
        }
    }
    for (uint32_t i = 0; i < body->info.region_count; ++i)
    {
        first[i + 2] += first[i + 1];
    }
    for (uint32_t v = 0; v < body->mesh.vertex_count; ++v)
    {
        body->region_vertices[first[regions[v] + 1]++] = v;
    }
}

static bool find_subtrees(pelt_range* out, const pelt_body* body, const pelt_scene* scene)
{
    pelt_joint_parent* parents = pelt_allocate((size_t)body->slot_count + 1, sizeof *parents);
    bool is_ok = parents != NULL;
    for (uint32_t skin = 0; is_ok && skin < scene->skin_count; ++skin)
    {
        is_ok = pelt_joint_parents_find(parents, &scene->skins[skin], scene) == PELT_OK;
        if (is_ok)
        {
            number_subtrees(out + body->first_slots[skin], parents, scene->skins[skin].joint_count);
        }
    }
    pelt_release(parents);
    return is_ok;
}

bool pelti_body_add_regions(pelt_body* inout, const pelt_scene* scene)
{
    pelt_arena* arena = inout->arena;
    uint32_t vertex_count = inout->mesh.vertex_count;
    uint32_t* vertex_regions = pelt_arena_alloc(arena, vertex_count, sizeof *vertex_regions);
    pelt_range* subtrees = pelt_allocate((size_t)inout->slot_count + 1, sizeof *subtrees);
    inout->slot_regions = pelt_arena_alloc(arena, inout->slot_count, sizeof *inout->slot_regions);
    inout->region_vertices = pelt_arena_alloc(arena, vertex_count, sizeof *inout->region_vertices);
    inout->first_in_region =
        pelt_arena_alloc(arena, (size_t)inout->slot_count + 3, sizeof *inout->first_in_region);
    bool is_ok = vertex_regions != NULL && subtrees != NULL && inout->slot_regions != NULL &&
                 inout->region_vertices != NULL && inout->first_in_region != NULL &&
                 find_subtrees(subtrees, inout, scene);
    pelt_metric_region* regions = is_ok ? list_regions(inout, scene) : NULL;
    if (regions != NULL)
    {
        assign_vertices(vertex_regions, inout, subtrees);
        fill_regions(regions, inout, vertex_regions);
        inout->info.vertex_regions = vertex_regions;
        inout->info.regions = inout->regions = regions;
    }
    pelt_release(subtrees);
    return regions != NULL;
}
