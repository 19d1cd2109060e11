// SPDX-License-Identifier: MIT
// Which part of a body is attributed to which joint.
#include "../base/exact.h"

#include "body.h"

enum
{
    JOINTS_OF_VERTEX = 16, // the strongest
};

// Below this nobody sees a bend: 4 W (1 - W) where W is 0.0025.
static const float least_bend = 0.01f;

// Joints are numbered so that all below one follow it; their numbers tell who is below whom.
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
    // `first` of a joint whose children are being numbered is the number of the next of these; the
    // joint's own is taken off again below.
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
    uint32_t* places = pelt_allocate((size_t)scene->node_count + 1, sizeof *places);
    pelt_metric_region* regions =
        pelt_arena_alloc(inout->arena, (size_t)inout->slot_count + 1, sizeof *regions);
    if (places == NULL || regions == NULL)
    {
        pelt_release(places);
        return NULL;
    }
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        places[node] = 0;
    }
    for (uint32_t slot = 0; slot < inout->slot_count; ++slot)
    {
        places[inout->slot_nodes[slot]] = 1;
    }
    uint32_t count = 1;
    regions[0].node = PELT_NONE;
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        if (places[node] != 0)
        {
            places[node] = count;
            regions[count++].node = node;
        }
    }
    for (uint32_t slot = 0; slot < inout->slot_count; ++slot)
    {
        inout->slot_regions[slot] = places[inout->slot_nodes[slot]];
    }
    inout->info.region_count = count;
    pelt_release(places);
    return regions;
}

// Vertices without weights are of the whole body only.
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
