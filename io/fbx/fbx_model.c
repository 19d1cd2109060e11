// SPDX-License-Identifier: MIT
// Models become nodes, parents first. A transform of pelt cannot refuse its parent's scale, as
// joints of Maya do: a node between the two takes it away.
#include "fbx_read.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// The tree

static uint32_t parent_object(const pelti_fbx* f, uint32_t object)
{
    for (uint32_t link = f->objects[object].first_parent; link != PELT_NONE;
         link = f->links[link].next_parent)
    {
        const pelti_fbx_link* at = &f->links[link];
        if (at->property == NULL &&
            (at->parent == PELT_NONE || f->objects[at->parent].kind == PELTI_FBX_MODEL))
        {
            return at->parent;
        }
    }
    return PELT_NONE;
}

static void add_model(pelti_fbx* f, uint32_t object, uint32_t parent)
{
    f->model_of_object[object] = f->model_count;
    f->models[f->model_count++] =
        (pelti_fbx_model){.object = object, .parent = parent, .place = PELT_NONE};
}

// Depth first, children in the order of the file, with a stack of links instead of recursion.
static void list_below(pelti_fbx* f, uint32_t root, const uint32_t* parents, uint32_t* stack)
{
    uint32_t depth = 0;
    add_model(f, root, PELT_NONE);
    stack[depth++] = f->objects[root].first_child;
    uint32_t at = root;
    while (depth > 0)
    {
        uint32_t child = pelti_fbx_next_child(f, &stack[depth - 1], PELTI_FBX_MODEL);
        if (child == PELT_NONE)
        {
            depth--;
            uint32_t parent = f->models[f->model_of_object[at]].parent;
            at = parent != PELT_NONE ? f->models[parent].object : at;
        }
        else if (f->model_of_object[child] == PELT_NONE && parents[child] == at)
        {
            add_model(f, child, f->model_of_object[at]);
            stack[depth++] = f->objects[child].first_child;
            at = child;
        }
    }
}

static pelt_result list_models(pelti_fbx* f)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->object_count; ++i)
    {
        count += f->objects[i].kind == PELTI_FBX_MODEL;
    }
    f->models = pelti_fbx_take(&f->file, count, sizeof *f->models);
    f->model_of_object = pelti_fbx_take(&f->file, f->object_count, sizeof *f->model_of_object);
    uint32_t* stack = pelti_fbx_take(&f->file, (size_t)count + 1, sizeof *stack);
    uint32_t* parents = pelti_fbx_take(&f->file, f->object_count, sizeof *parents);
    if (f->models == NULL || f->model_of_object == NULL || stack == NULL || parents == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < f->object_count; ++i)
    {
        f->model_of_object[i] = PELT_NONE;
        parents[i] = parent_object(f, i);
    }
    for (uint32_t i = 0; i < f->object_count; ++i)
    {
        if (f->objects[i].kind == PELTI_FBX_MODEL && parents[i] == PELT_NONE)
        {
            list_below(f, i, parents, stack);
        }
    }
    return f->model_count == count
               ? PELT_OK
               : pelti_fbx_repair(f, "left out %u %s", count - f->model_count,
                                  pelti_plural(count - f->model_count,
                                               "model that is its own ancestor",
                                               "models that are their own ancestors"));
}

// ---------------------------------------------------------------------------------------------
// Whether a model moves

static bool is_moved_by(const pelti_fbx_drive* drive, const double rest[3])
{
    for (int i = 0; i < 3 && drive->is_there; ++i)
    {
        double close = 1e-6 * fmax(1.0, fabs(rest[i]));
        const pelti_fbx_curve* curve = drive->curves[i];
        if (curve == NULL && fabs(drive->values[i] - rest[i]) > close)
        {
            return true;
        }
        for (uint32_t k = 0; curve != NULL && k < curve->key_count; ++k)
        {
            if (fabs(curve->keys[k].value - rest[i]) > close)
            {
                return true;
            }
        }
    }
    return false;
}

// By some take, itself or what it hangs from.
static pelt_result study_motion(pelti_fbx* f, pelti_fbx_model* model)
{
    pelt_result result = PELT_OK;
    model->is_moving = model->parent != PELT_NONE && f->models[model->parent].is_moving;
    for (uint32_t t = 0; t < f->take_count && result == PELT_OK; ++t)
    {
        const pelti_fbx_motion* motion = pelti_fbx_motion_of(&f->takes[t], model->object);
        for (int i = 0; i < 3 && motion != NULL && result == PELT_OK; ++i)
        {
            const pelti_fbx_drive* drive = &motion->drives[i];
            for (int k = 0; k < 3 && result == PELT_OK; ++k)
            {
                const pelti_fbx_curve* curve = drive->curves[k];
                result = pelti_fbx_charge(&f->file, curve != NULL ? curve->key_count : 1);
            }
            model->is_moving = model->is_moving || is_moved_by(drive, model->placing.numbers[i]);
        }
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Scales that are inherited otherwise

static void note_scale(pelti_fbx_model* model, const double scale[3])
{
    const double close = 1e-6;
    double size = fmax(fabs(scale[0]), fmax(fabs(scale[1]), fabs(scale[2])));
    for (int i = 0; i < 3; ++i)
    {
        model->is_unit_scale = model->is_unit_scale && fabs(scale[i] - 1.0) <= close;
        model->is_even_scale =
            model->is_even_scale && fabs(scale[i] - scale[(i + 1) % 3]) <= close * size;
    }
}

// Scales at every key and half way to the next.
static pelt_result note_motion(pelti_fbx* f, pelti_fbx_model* model, const pelti_fbx_motion* motion)
{
    const pelti_fbx_drive* drive = &motion->drives[PELTI_FBX_SCALE];
    double scale[3];
    pelti_fbx_numbers_at(scale, model, motion, PELTI_FBX_SCALE, (pelti_fbx_moment){0.0, false});
    note_scale(model, scale);
    // A take may set a scale without ever moving it.
    model->moves_scale =
        model->moves_scale || is_moved_by(drive, model->placing.numbers[PELTI_FBX_SCALE]);
    pelt_result result = PELT_OK;
    for (int i = 0; i < 3 && result == PELT_OK; ++i)
    {
        const pelti_fbx_curve* curve = drive->curves[i];
        uint32_t count = curve != NULL ? curve->key_count : 0;
        model->moves_scale = model->moves_scale || count > 0;
        result = pelti_fbx_charge(&f->file, 8 * (uint64_t)count);
        for (uint32_t k = 0; k < count && result == PELT_OK; ++k)
        {
            double time = curve->keys[k].time;
            double next = k + 1 < count ? curve->keys[k + 1].time : time;
            pelti_fbx_numbers_at(scale, model, motion, PELTI_FBX_SCALE,
                                 (pelti_fbx_moment){time, false});
            note_scale(model, scale);
            pelti_fbx_numbers_at(scale, model, motion, PELTI_FBX_SCALE,
                                 (pelti_fbx_moment){0.5 * (time + next), false});
            note_scale(model, scale);
        }
    }
    return result;
}

static pelt_result study_scale(pelti_fbx* f, pelti_fbx_model* model)
{
    const pelti_fbx_model* parent = model->parent != PELT_NONE ? &f->models[model->parent] : NULL;
    model->is_unit_scale = model->is_even_scale = true;
    note_scale(model, model->placing.numbers[PELTI_FBX_SCALE]);
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < f->take_count && result == PELT_OK; ++i)
    {
        const pelti_fbx_motion* motion = pelti_fbx_motion_of(&f->takes[i], model->object);
        if (motion != NULL && motion->drives[PELTI_FBX_SCALE].is_there)
        {
            result = note_motion(f, model, motion);
        }
    }
    model->is_freed =
        parent != NULL && ((model->inherit == PELTI_FBX_RRS && !parent->is_unit_scale) ||
                           (model->inherit == PELTI_FBX_RRSS && !parent->is_even_scale));
    if (model->is_freed && model->inherit == PELTI_FBX_RRSS)
    {
        model->is_unit_scale = model->is_even_scale = false;
        model->moves_scale = model->moves_scale || parent->moves_scale;
        model->chain = parent->chain + 1;
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Nodes

pelt_result pelti_fbx_add_node(pelti_fbx* f, uint32_t* out, const char* name, uint32_t parent,
                               pelt_transform rest)
{
    char* copy = pelt_arena_string(f->arena, name);
    if (copy == NULL)
    {
        return pelt_error_memory(f->error);
    }
    void* nodes = f->nodes;
    if (!pelti_fbx_grow(&f->file, &nodes, &f->node_capacity, f->node_count, sizeof *f->nodes))
    {
        return PELT_ERROR_MEMORY;
    }
    f->nodes = nodes;
    *out = f->node_count;
    f->nodes[f->node_count++] = (pelt_node){copy, parent, rest};
    return PELT_OK;
}

// The node that children hang from which do not want the scale of this place.
static pelt_result find_inner(pelti_fbx* f, uint32_t place)
{
    pelti_fbx_place* p = &f->places[place];
    if (p->inner != PELT_NONE)
    {
        return PELT_OK;
    }
    double scale[3];
    pelti_fbx_scale_at(scale, f, p->model, NULL, (pelti_fbx_moment){0});
    pelt_transform rest = pelt_transform_identity();
    rest.scale = pelt_vec3_make((float)pelti_fbx_inverse_scale(scale[0]),
                                (float)pelti_fbx_inverse_scale(scale[1]),
                                (float)pelti_fbx_inverse_scale(scale[2]));
    char* name = pelt_arena_format(f->file.scratch, "%s (unscaled)", f->nodes[p->node].name);
    return name != NULL ? pelti_fbx_add_node(f, &p->inner, name, p->node, rest)
                        : pelt_error_memory(f->error);
}

// Remember a place; the first one of a model stays the first.
static pelt_result list_place(pelti_fbx* f, uint32_t* out, uint32_t model, uint32_t node)
{
    void* places = f->places;
    if (!pelti_fbx_grow(&f->file, &places, &f->place_capacity, f->place_count, sizeof *f->places))
    {
        return PELT_ERROR_MEMORY;
    }
    f->places = places;
    *out = f->place_count++;
    pelti_fbx_place* first = NULL;
    if (f->models[model].place == PELT_NONE)
    {
        f->models[model].place = *out;
    }
    else
    {
        first = &f->places[f->models[model].place];
    }
    f->places[*out] = (pelti_fbx_place){
        .model = model, .node = node, .inner = PELT_NONE, .next = first ? first->next : PELT_NONE};
    if (first != NULL)
    {
        first->next = *out;
    }
    return PELT_OK;
}

// Put a model into the tree, under the place of its parent or else under a node.
static pelt_result add_place(pelti_fbx* f, uint32_t* out, uint32_t model, uint32_t parent_place,
                             uint32_t parent_node, const char* name)
{
    bool is_freed = f->models[model].is_freed;
    pelt_result result = pelti_fbx_charge(&f->file, f->models[model].chain);
    if (result != PELT_OK)
    {
        return result;
    }
    if (parent_place != PELT_NONE)
    {
        result = is_freed ? find_inner(f, parent_place) : PELT_OK;
        if (result != PELT_OK)
        {
            return result;
        }
        const pelti_fbx_place* p = &f->places[parent_place];
        parent_node = is_freed ? p->inner : p->node;
    }
    pelti_fbx_transform rest;
    pelti_fbx_transform_at(&rest, f, model, NULL, (pelti_fbx_moment){0});
    uint32_t node = PELT_NONE;
    result = pelti_fbx_add_node(f, &node, name, parent_node, pelti_fbx_to_transform(&rest));
    return result == PELT_OK ? list_place(f, out, model, node) : result;
}

static pelt_result add_root(pelti_fbx* f)
{
    f->root_node = PELT_NONE;
    if (!f->is_turned)
    {
        return PELT_OK;
    }
    pelt_mat3 turn = pelt_mat34_linear(&f->axes);
    pelt_transform rest = pelt_transform_identity();
    if (pelt_mat3_determinant(&turn) < 0.0f)
    {
        // A left-handed file: mirror along x first.
        rest.scale.x = -1.0f;
        for (int i = 0; i < 3; ++i)
        {
            turn.m[i][0] = -turn.m[i][0];
        }
    }
    rest.rotation = pelt_quat_from_mat3(&turn);
    return pelti_fbx_add_node(f, &f->root_node, "RootNode", PELT_NONE, rest);
}

pelt_result pelti_fbx_read_models(pelti_fbx* f)
{
    pelt_result result = list_models(f);
    if (result != PELT_OK)
    {
        return result;
    }
    result = add_root(f);
    uint32_t spheric = 0;
    for (uint32_t i = 0; i < f->model_count && result == PELT_OK; ++i)
    {
        pelti_fbx_model* m = &f->models[i];
        pelti_fbx_read_placing(f, m);
        spheric += m->placing.order == 6;
        result = study_scale(f, m);
        if (result != PELT_OK)
        {
            return result;
        }
        result = study_motion(f, m);
        uint32_t place;
        uint32_t parent = m->parent != PELT_NONE ? f->models[m->parent].place : PELT_NONE;
        if (result != PELT_OK)
        {
            return result;
        }
        result = add_place(f, &place, i, parent, f->root_node, f->objects[m->object].name);
    }
    return result == PELT_OK && spheric > 0
               ? pelti_fbx_repair(f, "%u %s spherical rotation order; read as x, y, z", spheric,
                                  pelti_plural(spheric, "node has", "nodes have"))
               : result;
}

// ---------------------------------------------------------------------------------------------
// Copies

// The place of a model below `node`, made with those of all its ancestors when it is not there.
static pelt_result find_copy(pelti_fbx* f, uint32_t* copies, uint32_t model, uint32_t node,
                             const char* suffix)
{
    // Upwards to the first that is there, then down again; parents come before children.
    uint32_t lowest = model, top = model;
    while (copies[model] == PELT_NONE)
    {
        for (top = lowest;
             f->models[top].parent != PELT_NONE && copies[f->models[top].parent] == PELT_NONE;
             top = f->models[top].parent)
        {
        }
        uint32_t parent = f->models[top].parent;
        const char* name = f->objects[f->models[top].object].name;
        char* copy = pelt_arena_format(f->file.scratch, "%s (%s)", name, suffix);
        pelt_result result = pelti_fbx_charge(&f->file, f->model_count);
        if (copy == NULL || result != PELT_OK)
        {
            return copy == NULL ? pelt_error_memory(f->error) : result;
        }
        result = add_place(f, &copies[top], top, parent != PELT_NONE ? copies[parent] : PELT_NONE,
                           node, copy);
        if (result != PELT_OK)
        {
            return result;
        }
    }
    return PELT_OK;
}

pelt_result pelti_fbx_copy_joints(pelti_fbx* f, uint32_t* joint_models, uint32_t* joints,
                                  uint32_t count, uint32_t node, const char* suffix)
{
    uint32_t* copies = pelti_fbx_take(&f->file, f->model_count, sizeof *copies);
    if (copies == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    memset(copies, 0xff, f->model_count * sizeof *copies);
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        if (joint_models[i] != PELT_NONE)
        {
            result = find_copy(f, copies, joint_models[i], node, suffix);
            joints[i] = result == PELT_OK ? f->places[copies[joint_models[i]]].node : joints[i];
        }
    }
    return result;
}

pelt_mat34 pelti_fbx_rest_matrix(const pelti_fbx* f, uint32_t node)
{
    pelt_mat34 matrix = pelt_mat34_identity();
    for (; node != PELT_NONE && node != f->root_node; node = f->nodes[node].parent)
    {
        pelt_mat34 local = pelt_mat34_from_transform(f->nodes[node].rest);
        matrix = pelt_mat34_mul(&local, &matrix);
    }
    return matrix;
}
