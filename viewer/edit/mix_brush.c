// SPDX-License-Identifier: MIT
#include "mix_brush.h"

#include <stdlib.h>
#include <string.h>

static void free_stroke(mix_stroke* in)
{
    free(in->vertices);
    free(in->painted);
    *in = (mix_stroke){0};
}

void mix_brush_destroy(mix_brush* in)
{
    free_stroke(&in->stroke);
    for (uint32_t i = 0; i < in->undo_count; ++i)
    {
        free_stroke(&in->undo[i]);
    }
    free(in->before);
    *in = (mix_brush){0};
}

static bool prepare(mix_brush* inout, brush_mask* mask, const pelt_scene* scene)
{
    if (!brush_mask_prepare(mask, scene))
    {
        return false;
    }
    if (inout->before == NULL)
    {
        inout->before = calloc((size_t)mask->walk.point_count + 1, sizeof *inout->before);
    }
    return inout->before != NULL;
}

// ---------------------------------------------------------------------------------------------
// Strokes

static bool grow(mix_stroke* inout)
{
    uint32_t capacity = inout->capacity > 0 ? 2 * inout->capacity : 256;
    uint32_t* vertices = realloc(inout->vertices, capacity * sizeof *vertices);
    inout->vertices = vertices != NULL ? vertices : inout->vertices;
    float* painted = realloc(inout->painted, capacity * sizeof *painted);
    inout->painted = painted != NULL ? painted : inout->painted;
    bool has_memory = vertices != NULL && painted != NULL;
    inout->capacity = has_memory ? capacity : inout->capacity;
    return has_memory;
}

static bool remember(mix_stroke* inout, const surface_walk* walk, const joint_mix* mix,
                     uint32_t vertex)
{
    if (inout->count == inout->capacity && !grow(inout))
    {
        return false;
    }
    uint32_t mesh = surface_walk_mesh(walk, vertex);
    inout->vertices[inout->count] = vertex;
    inout->painted[inout->count++] = mix->painted[mesh][vertex - walk->mesh_first[mesh]];
    return true;
}

// The first time that a stroke gets to a point.
static bool begin_point(mix_brush* inout, const surface_walk* walk, const joint_mix* mix,
                        uint32_t point)
{
    uint32_t first = walk->members[walk->member_first[point]];
    uint32_t mesh = surface_walk_mesh(walk, first);
    inout->before[point] = mix->vertices[mesh][first - walk->mesh_first[mesh]];
    for (uint32_t i = walk->member_first[point]; i < walk->member_first[point + 1]; ++i)
    {
        if (!remember(&inout->stroke, walk, mix, walk->members[i]))
        {
            return false;
        }
    }
    return true;
}

static void paint_point(joint_mix* inout, const surface_walk* walk, uint32_t point, float factor)
{
    for (uint32_t i = walk->member_first[point]; i < walk->member_first[point + 1]; ++i)
    {
        uint32_t mesh = surface_walk_mesh(walk, walk->members[i]);
        joint_mix_paint(inout, mesh, walk->members[i] - walk->mesh_first[mesh], factor);
    }
}

bool mix_brush_dab(mix_brush* brush, brush_mask* mask, joint_mix* inout, const pelt_scene* scene,
                   const pelt_vec3* const* positions, const surface_point* from, const mix_dab* dab)
{
    if (!prepare(brush, mask, scene))
    {
        return false;
    }
    uint32_t begun = mask->touched_count;
    brush_mask_dab(mask, positions, from, dab->radius, dab->strength);
    for (uint32_t i = begun; i < mask->touched_count; ++i)
    {
        if (!begin_point(brush, &mask->walk, inout, mask->touched[i]))
        {
            return false;
        }
    }
    for (uint32_t i = 0; i < mask->raised_count; ++i)
    {
        uint32_t point = mask->raised[i];
        float before = brush->before[point];
        paint_point(inout, &mask->walk, point, before + mask->masks[point] * (dab->value - before));
    }
    return true;
}

bool mix_brush_clear(mix_brush* brush, brush_mask* mask, joint_mix* inout, const pelt_scene* scene)
{
    if (!prepare(brush, mask, scene))
    {
        return false;
    }
    const surface_walk* walk = &mask->walk;
    for (uint32_t vertex = 0; vertex < walk->mesh_first[walk->mesh_count]; ++vertex)
    {
        uint32_t mesh = surface_walk_mesh(walk, vertex);
        uint32_t own = vertex - walk->mesh_first[mesh];
        if (inout->painted[mesh][own] >= 0.0f && remember(&brush->stroke, walk, inout, vertex))
        {
            joint_mix_paint(inout, mesh, own, -1.0f);
        }
    }
    return mix_brush_lift(brush, mask);
}

bool mix_brush_lift(mix_brush* brush, brush_mask* mask)
{
    brush_mask_lift(mask);
    if (brush->stroke.count == 0)
    {
        return false;
    }
    if (brush->undo_count == MIX_UNDO_MAX)
    {
        free_stroke(&brush->undo[0]);
        --brush->undo_count;
        memmove(brush->undo, brush->undo + 1, brush->undo_count * sizeof *brush->undo);
    }
    brush->undo[brush->undo_count++] = brush->stroke;
    brush->stroke = (mix_stroke){0};
    return true;
}

bool mix_brush_undo(mix_brush* brush, const brush_mask* mask, joint_mix* inout)
{
    if (brush->undo_count == 0)
    {
        return false;
    }
    const surface_walk* walk = &mask->walk;
    mix_stroke* stroke = &brush->undo[--brush->undo_count];
    for (uint32_t i = 0; i < stroke->count; ++i)
    {
        uint32_t mesh = surface_walk_mesh(walk, stroke->vertices[i]);
        uint32_t vertex = stroke->vertices[i] - walk->mesh_first[mesh];
        joint_mix_paint(inout, mesh, vertex, stroke->painted[i]);
    }
    free_stroke(stroke);
    return true;
}
