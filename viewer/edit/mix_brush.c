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
    free(in->masks);
    free(in->before);
    surface_walk_destroy(&in->walk);
    *in = (mix_brush){0};
}

// Connectivity is computed with the first stroke, because few users paint.
static bool prepare(mix_brush* inout, const pelt_scene* scene)
{
    if (inout->walk.arena != NULL)
    {
        return true;
    }
    if (!surface_walk_create(&inout->walk, scene))
    {
        return false;
    }
    inout->masks = calloc((size_t)inout->walk.point_count + 1, sizeof *inout->masks);
    inout->before = calloc((size_t)inout->walk.point_count + 1, sizeof *inout->before);
    if (inout->masks == NULL || inout->before == NULL)
    {
        mix_brush_destroy(inout);
        return false;
    }
    return true;
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
static bool begin_point(mix_brush* inout, const joint_mix* mix, uint32_t point)
{
    const surface_walk* walk = &inout->walk;
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

bool mix_brush_dab(mix_brush* brush, joint_mix* inout, const pelt_scene* scene,
                   const pelt_vec3* const* positions, const surface_point* from, const mix_dab* dab)
{
    if (!prepare(brush, scene))
    {
        return false;
    }
    surface_walk* walk = &brush->walk;
    surface_walk_from(walk, positions, from, dab->radius);
    for (uint32_t i = 0; i < walk->reached_count; ++i)
    {
        uint32_t point = walk->reached[i];
        float part = walk->distances[point] / dab->radius;
        float mask = dab->strength * (1.0f - part * part) * (1.0f - part * part);
        if (!(mask > brush->masks[point]))
        {
            continue;
        }
        if (brush->masks[point] == 0.0f && !begin_point(brush, inout, point))
        {
            return false;
        }
        brush->masks[point] = mask;
        float before = brush->before[point];
        paint_point(inout, walk, point, before + mask * (dab->value - before));
    }
    return true;
}

bool mix_brush_clear(mix_brush* brush, joint_mix* inout, const pelt_scene* scene)
{
    if (!prepare(brush, scene))
    {
        return false;
    }
    const surface_walk* walk = &brush->walk;
    for (uint32_t vertex = 0; vertex < walk->mesh_first[walk->mesh_count]; ++vertex)
    {
        uint32_t mesh = surface_walk_mesh(walk, vertex);
        uint32_t own = vertex - walk->mesh_first[mesh];
        if (inout->painted[mesh][own] >= 0.0f && remember(&brush->stroke, walk, inout, vertex))
        {
            joint_mix_paint(inout, mesh, own, -1.0f);
        }
    }
    return mix_brush_lift(brush);
}

bool mix_brush_lift(mix_brush* brush)
{
    if (brush->stroke.count == 0)
    {
        return false;
    }
    for (uint32_t i = 0; i < brush->stroke.count; ++i)
    {
        brush->masks[brush->walk.point_of[brush->stroke.vertices[i]]] = 0.0f;
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

bool mix_brush_undo(mix_brush* brush, joint_mix* inout)
{
    if (brush->undo_count == 0)
    {
        return false;
    }
    mix_stroke* stroke = &brush->undo[--brush->undo_count];
    for (uint32_t i = 0; i < stroke->count; ++i)
    {
        uint32_t mesh = surface_walk_mesh(&brush->walk, stroke->vertices[i]);
        uint32_t vertex = stroke->vertices[i] - brush->walk.mesh_first[mesh];
        joint_mix_paint(inout, mesh, vertex, stroke->painted[i]);
    }
    free_stroke(stroke);
    return true;
}
