// SPDX-License-Identifier: MIT
#include "weight_brush.h"

#include <stdlib.h>
#include <string.h>

// Smaller influences are left out: they are invisible, and each takes a slot.
static const float least_weight = 1e-4f;

enum
{
    ROW_MAX = 64, // influences of a vertex; those that have more are left as they are
};

/// Influences of one vertex while they are edited.
typedef struct weight_row
{
    pelt_influence influences[ROW_MAX + 4]; ///< two joints may come, each with one more
    uint32_t count;
} weight_row;

// ---------------------------------------------------------------------------------------------
// Strokes

static void free_stroke(weight_stroke* in)
{
    free(in->vertices);
    free(in->first);
    free(in->counts);
    free(in->influences);
    *in = (weight_stroke){0};
}

void weight_brush_destroy(weight_brush* in)
{
    free_stroke(&in->stroke);
    for (uint32_t i = 0; i < in->undo_count; ++i)
    {
        free_stroke(&in->undo[i]);
    }
    free(in->slots);
    mesh_mirror_destroy(&in->mirror);
    *in = (weight_brush){0};
}

static bool grow(uint32_t** inout, uint32_t count)
{
    uint32_t* longer = realloc(*inout, count * sizeof *longer);
    *inout = longer != NULL ? longer : *inout;
    return longer != NULL;
}

static bool reserve(weight_stroke* inout, uint32_t influence_count)
{
    if (inout->count == inout->capacity)
    {
        uint32_t capacity = inout->capacity > 0 ? 2 * inout->capacity : 256;
        if (!grow(&inout->vertices, capacity) || !grow(&inout->first, capacity) ||
            !grow(&inout->counts, capacity))
        {
            return false;
        }
        inout->capacity = capacity;
    }
    if (inout->influence_count + influence_count > inout->influence_capacity)
    {
        uint32_t capacity = 2 * inout->influence_capacity + influence_count + 256;
        pelt_influence* longer = realloc(inout->influences, capacity * sizeof *longer);
        if (longer == NULL)
        {
            return false;
        }
        inout->influences = longer;
        inout->influence_capacity = capacity;
    }
    return true;
}

// A vertex of all meshes, by its mesh.
typedef struct mesh_vertex
{
    uint32_t mesh, vertex;
} mesh_vertex;

static mesh_vertex vertex_of(const surface_walk* walk, uint32_t vertex)
{
    uint32_t mesh = surface_walk_mesh(walk, vertex);
    return (mesh_vertex){mesh, vertex - walk->mesh_first[mesh]};
}

// The first time that a stroke gets to a vertex.
static bool remember(weight_brush* inout, const surface_walk* walk, const live_weights* live,
                     uint32_t vertex)
{
    if (inout->slots[vertex] > 0)
    {
        return true;
    }
    weight_stroke* stroke = &inout->stroke;
    mesh_vertex at = vertex_of(walk, vertex);
    uint32_t count;
    const pelt_influence* row = live_weights_row(live, at.mesh, at.vertex, &count);
    if (!reserve(stroke, count))
    {
        return false;
    }
    memcpy(stroke->influences + stroke->influence_count, row, count * sizeof *row);
    stroke->vertices[stroke->count] = vertex;
    stroke->first[stroke->count] = stroke->influence_count;
    stroke->counts[stroke->count] = count;
    stroke->influence_count += count;
    inout->slots[vertex] = ++stroke->count;
    return true;
}

// The influences of a vertex at the start of the stroke.
static const pelt_influence* row_before(const weight_brush* brush, const surface_walk* walk,
                                        const live_weights* live, uint32_t vertex, uint32_t* count)
{
    uint32_t slot = brush->slots[vertex];
    if (slot > 0)
    {
        *count = brush->stroke.counts[slot - 1];
        return brush->stroke.influences + brush->stroke.first[slot - 1];
    }
    mesh_vertex at = vertex_of(walk, vertex);
    return live_weights_row(live, at.mesh, at.vertex, count);
}

// ---------------------------------------------------------------------------------------------
// Joints

// The joint of the skin that takes over where a vertex has only this one.
static uint32_t find_heir(const pelt_skin* skin, const pelt_scene* scene, uint32_t node)
{
    uint32_t above = scene->nodes[node].parent;
    for (; above != PELT_NONE; above = scene->nodes[above].parent)
    {
        uint32_t joint = pelt_skin_find_joint(skin, above);
        if (joint != PELT_NONE)
        {
            return joint;
        }
    }
    for (uint32_t i = 0; i < skin->joint_count; ++i)
    {
        if (scene->nodes[skin->joints[i]].parent == node)
        {
            return i;
        }
    }
    return PELT_NONE;
}

static float weight_in(const pelt_influence* row, uint32_t count, uint32_t joint)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        if (row[i].joint == joint)
        {
            return row[i].weight;
        }
    }
    return 0.0f;
}

// ---------------------------------------------------------------------------------------------
// Rows

static pelt_influence* find_or_add(weight_row* inout, uint32_t joint)
{
    uint32_t slot = 0;
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        if (inout->influences[i].joint == joint)
        {
            return &inout->influences[i];
        }
        slot = inout->influences[i].slot >= slot ? inout->influences[i].slot + 1u : slot;
    }
    pelt_influence* added = &inout->influences[inout->count++];
    *added = (pelt_influence){.joint = (pelt_joint_index)joint, .slot = (uint16_t)slot};
    return added;
}

// Give a joint a weight, and the rest of 1 to the others as they had it.
static void set_weight(weight_row* inout, uint32_t joint, float weight, uint32_t heir)
{
    float others = 0.0f;
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        others += inout->influences[i].joint != joint ? inout->influences[i].weight : 0.0f;
    }
    bool has_others = others > least_weight;
    if (!has_others && heir == PELT_NONE)
    {
        return;
    }
    float scale = has_others ? (1.0f - weight) / others : 1.0f;
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        inout->influences[i].weight *= scale;
    }
    find_or_add(inout, joint)->weight = weight;
    if (!has_others)
    {
        find_or_add(inout, heir)->weight += fmaxf(1.0f - weight - others, 0.0f);
    }
}

static int compare_influences(const void* a, const void* b)
{
    const pelt_influence *x = a, *y = b;
    int order = (x->weight < y->weight) - (x->weight > y->weight);
    return order != 0 ? order : (x->joint > y->joint) - (x->joint < y->joint);
}

// Strongest first, no more than the limit, with sum 1.
static void tidy(weight_row* inout, uint32_t limit)
{
    qsort(inout->influences, inout->count, sizeof *inout->influences, compare_influences);
    inout->count = inout->count < limit ? inout->count : limit;
    while (inout->count > 1 && inout->influences[inout->count - 1].weight < least_weight)
    {
        --inout->count;
    }
    float sum = 0.0f;
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        sum += inout->influences[i].weight;
    }
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        inout->influences[i].weight /= sum;
    }
}

// ---------------------------------------------------------------------------------------------
// Painting

typedef struct weight_work
{
    weight_brush* brush;
    const brush_mask* mask;
    live_weights* live;
    const pelt_scene* scene;
    const weight_dab* dab;
} weight_work;

// The mean weight of a joint over the points that share a triangle with one.
static float mean_around(const weight_work* work, uint32_t point, uint32_t node)
{
    const surface_walk* walk = &work->mask->walk;
    float sum = 0.0f, count = 0.0f;
    for (uint32_t i = walk->first_triangle[point]; i < walk->first_triangle[point + 1]; ++i)
    {
        const uint32_t* corners = walk->triangles + 3 * (size_t)walk->point_triangles[i];
        for (uint32_t k = 0; k < 3; ++k)
        {
            uint32_t vertex = walk->members[walk->member_first[corners[k]]], length;
            uint32_t mesh = surface_walk_mesh(walk, vertex);
            uint32_t joint = pelt_skin_find_joint(&work->scene->skins[walk->skins[mesh]], node);
            const pelt_influence* row = row_before(work->brush, walk, work->live, vertex, &length);
            bool is_other = corners[k] != point && joint != PELT_NONE;
            sum += is_other ? weight_in(row, length, joint) : 0.0f;
            count += is_other ? 1.0f : 0.0f;
        }
    }
    return count > 0.0f ? sum / count : 0.0f;
}

// What the brush makes of the weight of a joint at a point with some mask.
// @return false: nothing
static bool edit_joint(weight_row* inout, const weight_work* work, const pelt_skin* skin,
                       uint32_t point, uint32_t node, float mask)
{
    uint32_t joint = node != PELT_NONE ? pelt_skin_find_joint(skin, node) : PELT_NONE;
    if (joint == PELT_NONE || !(mask > 0.0f))
    {
        return false;
    }
    float before = weight_in(inout->influences, inout->count, joint), after = before;
    switch (work->dab->tool)
    {
    case WEIGHT_ADD:
        after = fminf(before + mask, 1.0f);
        break;
    case WEIGHT_SUBTRACT:
        after = fmaxf(before - mask, 0.0f);
        break;
    case WEIGHT_SMOOTH:
        after = before + mask * (mean_around(work, point, node) - before);
        break;
    case WEIGHT_TOOL_COUNT:
        break;
    }
    if (after == before)
    {
        return false;
    }
    if (inout->count == 0)
    {
        // A vertex that follows no joint has no others to share with.
        find_or_add(inout, joint)->weight = 1.0f;
        return true;
    }
    set_weight(inout, joint, after, find_heir(skin, work->scene, node));
    return true;
}

static bool edit_vertex(const weight_work* work, uint32_t vertex, uint32_t point, float mask,
                        float mirrored)
{
    const surface_walk* walk = &work->mask->walk;
    mesh_vertex at = vertex_of(walk, vertex);
    if (!remember(work->brush, walk, work->live, vertex))
    {
        return false;
    }
    const pelt_skin* skin = &work->scene->skins[walk->skins[at.mesh]];
    weight_row row = {0};
    const pelt_influence* before = row_before(work->brush, walk, work->live, vertex, &row.count);
    if (row.count > ROW_MAX)
    {
        return true;
    }
    memcpy(row.influences, before, row.count * sizeof *before);
    uint32_t node = work->dab->node, other = node;
    if (mirrored > 0.0f)
    {
        other = mesh_mirror_joint(&work->brush->mirror, skin, work->scene, node);
    }
    if (other == node)
    {
        mask = fmaxf(mask, mirrored);
        mirrored = 0.0f;
    }
    bool is_edited = edit_joint(&row, work, skin, point, node, mask);
    is_edited = edit_joint(&row, work, skin, point, other, mirrored) || is_edited;
    if (is_edited)
    {
        tidy(&row, live_weights_limit(work->live, at.mesh));
    }
    return live_weights_set(work->live, at.mesh, at.vertex, row.influences, row.count);
}

static bool edit_point(const weight_work* work, uint32_t point)
{
    const surface_walk* walk = &work->mask->walk;
    const uint32_t* partners = work->dab->is_mirrored ? work->brush->mirror.partners : NULL;
    bool has_partner = partners != NULL && partners[point] != PELT_NONE;
    float mirrored = has_partner ? work->mask->masks[partners[point]] : 0.0f;
    for (uint32_t i = walk->member_first[point]; i < walk->member_first[point + 1]; ++i)
    {
        if (!edit_vertex(work, walk->members[i], point, work->mask->masks[point], mirrored))
        {
            return false;
        }
    }
    return true;
}

static bool prepare(weight_brush* inout, brush_mask* mask, const pelt_scene* scene,
                    bool is_mirrored)
{
    if (!brush_mask_prepare(mask, scene))
    {
        return false;
    }
    const surface_walk* walk = &mask->walk;
    if (inout->slots == NULL)
    {
        inout->slots = calloc((size_t)walk->mesh_first[walk->mesh_count] + 1, sizeof *inout->slots);
    }
    bool needs_mirror = is_mirrored && !inout->mirror.is_known;
    return inout->slots != NULL && (!needs_mirror || mesh_mirror_find(&inout->mirror, walk, scene));
}

bool weight_brush_dab(weight_brush* brush, brush_mask* mask, live_weights* inout,
                      const pelt_scene* scene, const pelt_vec3* const* positions,
                      const surface_point* from, const weight_dab* dab)
{
    if (!prepare(brush, mask, scene, dab->is_mirrored))
    {
        return false;
    }
    brush_mask_dab(mask, positions, from, dab->radius, dab->strength);
    const weight_work work = {brush, mask, inout, scene, dab};
    const uint32_t* partners = dab->is_mirrored ? brush->mirror.partners : NULL;
    for (uint32_t i = 0; i < mask->raised_count; ++i)
    {
        uint32_t point = mask->raised[i];
        uint32_t partner = partners != NULL ? partners[point] : PELT_NONE;
        bool is_other = partner != PELT_NONE && partner != point;
        if (!edit_point(&work, point) || (is_other && !edit_point(&work, partner)))
        {
            return false;
        }
    }
    return true;
}

bool weight_brush_lift(weight_brush* brush, brush_mask* mask)
{
    brush_mask_lift(mask);
    weight_stroke* stroke = &brush->stroke;
    for (uint32_t i = 0; i < stroke->count; ++i)
    {
        brush->slots[stroke->vertices[i]] = 0;
    }
    if (stroke->count == 0)
    {
        return false;
    }
    if (brush->undo_count == WEIGHT_UNDO_MAX)
    {
        free_stroke(&brush->undo[0]);
        --brush->undo_count;
        memmove(brush->undo, brush->undo + 1, brush->undo_count * sizeof *brush->undo);
    }
    brush->undo[brush->undo_count++] = *stroke;
    *stroke = (weight_stroke){0};
    return true;
}

bool weight_brush_undo(weight_brush* brush, const brush_mask* mask, live_weights* inout)
{
    if (brush->undo_count == 0)
    {
        return false;
    }
    weight_stroke* stroke = &brush->undo[--brush->undo_count];
    bool has_memory = true;
    for (uint32_t i = 0; i < stroke->count; ++i)
    {
        mesh_vertex at = vertex_of(&mask->walk, stroke->vertices[i]);
        has_memory = has_memory &&
                     live_weights_set(inout, at.mesh, at.vertex,
                                      stroke->influences + stroke->first[i], stroke->counts[i]);
    }
    free_stroke(stroke);
    return has_memory;
}
