// SPDX-License-Identifier: MIT
// Takes: which curve moves which number of which object. One clip for each animation stack.
#include "fbx_read.h"

#include <string.h>

static const struct
{
    const char* property;
    const char* parts[3]; // what curves of a curve node are connected as
} names[PELTI_FBX_PROPERTIES] = {{"Lcl Translation", {"d|X", "d|Y", "d|Z"}},
                                 {"Lcl Rotation", {"d|X", "d|Y", "d|Z"}},
                                 {"Lcl Scaling", {"d|X", "d|Y", "d|Z"}},
                                 {"DeformPercent", {"d|DeformPercent", NULL, NULL}}};

typedef struct take_reader
{
    pelti_fbx* f;
    pelti_fbx_curve** curves; // by object, as far as they have been read
    uint32_t* moved;          // by object: its number among those that takes move, or PELT_NONE
    uint32_t moved_count;
} take_reader;

// Most objects of a file with many takes are curves: tables of all objects for each take would grow
// with the square of their number.
static void number_moved(take_reader* r)
{
    const pelti_fbx* f = r->f;
    memset(r->moved, 0xff, f->object_count * sizeof *r->moved);
    for (uint32_t i = 0; i < f->link_count; ++i)
    {
        const pelti_fbx_link* link = &f->links[i];
        if (link->property != NULL && link->parent != PELT_NONE &&
            f->objects[link->child].kind == PELTI_FBX_CURVE_NODE &&
            r->moved[link->parent] == PELT_NONE)
        {
            r->moved[link->parent] = r->moved_count++;
        }
    }
}

// Whether a curve has the same value from its first key to its last. Motion capture has thousands
// of keys on such curves.
static bool is_still(const pelti_fbx_curve* curve)
{
    for (uint32_t i = 0; i < curve->key_count; ++i)
    {
        const pelti_fbx_key* key = &curve->keys[i];
        if (key->value != curve->keys[0].value || key->slope_in != 0.0 || key->slope_out != 0.0)
        {
            return false;
        }
    }
    return true;
}

// A curve moves one number of a drive, or only sets it. It is read once.
static pelt_result set_curve(take_reader* r, pelti_fbx_drive* drive, int part, uint32_t object)
{
    pelti_fbx* f = r->f;
    if (r->curves[object] == NULL)
    {
        pelti_fbx_curve* read = pelti_fbx_take(&f->file, 1, sizeof *read);
        if (read == NULL)
        {
            return PELT_ERROR_MEMORY;
        }
        pelt_result result = pelti_fbx_load_curve(read, &f->file, f->objects[object].node);
        if (result != PELT_OK)
        {
            return result;
        }
        r->curves[object] = read;
    }
    const pelti_fbx_curve* curve = r->curves[object];
    pelt_result result = pelti_fbx_charge(&f->file, 1 + curve->key_count);
    if (result != PELT_OK || curve->key_count == 0)
    {
        return result;
    }
    if (is_still(curve))
    {
        drive->values[part] = curve->keys[0].value;
        return PELT_OK;
    }
    drive->curves[part] = curve;
    return PELT_OK;
}

// The curves of a curve node, and what it states where there is none.
static pelt_result read_drive(take_reader* r, pelti_fbx_drive* out, uint32_t curve_node,
                              pelti_fbx_property which, const double rest[3])
{
    pelti_fbx* f = r->f;
    const pelti_fbx_object* object = &f->objects[curve_node];
    pelt_result result = PELT_OK;
    *out = (pelti_fbx_drive){.is_there = true};
    for (int i = 0; i < 3; ++i)
    {
        const char* part = names[which].parts[i];
        out->values[i] = part != NULL ? pelti_fbx_property_real(object, part, rest[i]) : 0.0;
    }
    for (uint32_t link = object->first_child; link != PELT_NONE && result == PELT_OK;
         link = f->links[link].next_child)
    {
        const pelti_fbx_link* at = &f->links[link];
        result = pelti_fbx_charge(&f->file, 1);
        for (int i = 0; i < 3 && result == PELT_OK; ++i)
        {
            const char* part = names[which].parts[i];
            if (part != NULL && f->objects[at->child].kind == PELTI_FBX_CURVE &&
                pelti_fbx_is_word(at->property, part))
            {
                result = set_curve(r, out, i, at->child);
            }
        }
    }
    return result;
}

// A curve node names the object and the property it moves.
static pelt_result read_curve_node(take_reader* r, pelti_fbx_take_info* take, uint32_t curve_node)
{
    pelti_fbx* f = r->f;
    pelt_result result = PELT_OK;
    for (uint32_t link = f->objects[curve_node].first_parent;
         link != PELT_NONE && result == PELT_OK; link = f->links[link].next_parent)
    {
        const pelti_fbx_link* at = &f->links[link];
        result = pelti_fbx_charge(&f->file, 1);
        for (int i = 0; i < PELTI_FBX_PROPERTIES && result == PELT_OK && at->parent != PELT_NONE;
             ++i)
        {
            if (!pelti_fbx_is_word(at->property, names[i].property))
            {
                continue;
            }
            pelti_fbx_motion** motion = &take->motions[r->moved[at->parent]];
            *motion = *motion != NULL ? *motion : pelti_fbx_take(&f->file, 1, sizeof **motion);
            if (*motion == NULL)
            {
                return PELT_ERROR_MEMORY;
            }
            double rest[3];
            pelti_fbx_property_vec3(rest, &f->objects[at->parent], names[i].property,
                                    i == PELTI_FBX_SCALE ? 1.0 : 0.0);
            result = read_drive(r, &(*motion)->drives[i], curve_node, (pelti_fbx_property)i, rest);
        }
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// From when to when

static void widen(pelti_fbx_take_info* take, const pelti_fbx_drive* drive)
{
    for (int i = 0; i < 3; ++i)
    {
        const pelti_fbx_curve* curve = drive->curves[i];
        if (curve != NULL)
        {
            take->start = fmin(take->start, curve->keys[0].time);
            take->stop = fmax(take->stop, curve->keys[curve->key_count - 1].time);
        }
    }
}

// What the stack says, or else from the first key to the last.
static void find_span(const take_reader* r, pelti_fbx_take_info* take)
{
    const pelti_fbx_object* stack = &r->f->objects[take->object];
    take->start = pelti_fbx_property_real(stack, "LocalStart", 0.0);
    take->stop = pelti_fbx_property_real(stack, "LocalStop", 0.0);
    if (take->stop > take->start)
    {
        return;
    }
    take->start = (double)INFINITY;
    take->stop = (double)-INFINITY;
    for (uint32_t i = 0; i < r->moved_count; ++i)
    {
        for (int k = 0; k < PELTI_FBX_PROPERTIES && take->motions[i] != NULL; ++k)
        {
            widen(take, &take->motions[i]->drives[k]);
        }
    }
    if (!(take->stop >= take->start))
    {
        take->start = take->stop = 0.0;
    }
}

// ---------------------------------------------------------------------------------------------

// The first layer is the one that others are laid upon.
static pelt_result read_take(take_reader* r, pelti_fbx_take_info* take, uint32_t stack)
{
    pelti_fbx* f = r->f;
    *take = (pelti_fbx_take_info){.object = stack, .moved = r->moved};
    pelt_result result = pelti_fbx_charge(&f->file, r->moved_count);
    if (result != PELT_OK)
    {
        return result;
    }
    take->motions = pelti_fbx_take(&f->file, r->moved_count, sizeof *take->motions);
    const char* name = f->objects[stack].name;
    take->name = name[0] != '\0' ? pelt_arena_string(f->arena, name)
                                 : pelt_arena_format(f->arena, "clip %u", f->take_count);
    if (take->motions == NULL || take->name == NULL)
    {
        return pelt_error_memory(f->error);
    }
    uint32_t link = f->objects[stack].first_child, count = 0;
    for (uint32_t layer = pelti_fbx_next_child(f, &link, PELTI_FBX_LAYER);
         layer != PELT_NONE && result == PELT_OK;
         layer = pelti_fbx_next_child(f, &link, PELTI_FBX_LAYER))
    {
        uint32_t node_link = f->objects[layer].first_child, node;
        while (count == 0 && result == PELT_OK &&
               (node = pelti_fbx_next_child(f, &node_link, PELTI_FBX_CURVE_NODE)) != PELT_NONE)
        {
            result = read_curve_node(r, take, node);
        }
        ++count;
    }
    find_span(r, take);
    return result == PELT_OK && count > 1
               ? pelti_fbx_repair(f, "clip %s has %u layers; only the first was read", take->name,
                                  count)
               : result;
}

pelt_result pelti_fbx_read_takes(pelti_fbx* f)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->object_count; ++i)
    {
        count += f->objects[i].kind == PELTI_FBX_STACK;
    }
    take_reader r = {.f = f,
                     .curves = pelti_fbx_take(&f->file, f->object_count, sizeof *r.curves),
                     .moved = pelti_fbx_take(&f->file, f->object_count, sizeof *r.moved)};
    f->takes = pelti_fbx_take(&f->file, count, sizeof *f->takes);
    if (r.curves == NULL || r.moved == NULL || f->takes == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    number_moved(&r);
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < f->object_count && result == PELT_OK; ++i)
    {
        if (f->objects[i].kind == PELTI_FBX_STACK)
        {
            result = read_take(&r, &f->takes[f->take_count], i);
            f->take_count++;
        }
    }
    return result;
}
