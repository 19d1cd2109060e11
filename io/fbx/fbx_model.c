// SPDX-License-Identifier: MIT
// Models become nodes, parents first. Nodes of pelt always inherit the scale of their parent; where
// a model does not (Maya's segment scale compensation), an additional node undoes the scale.
#include "fbx_read.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Hierarchy

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
        (pelti_fbx_model){.object = object, .parent = parent, .first = PELT_NONE};
}

// Depth first, children in file order, with a stack of links instead of recursion.
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
    f->models = pelti_fbx_alloc(&f->file, count, sizeof *f->models);
    f->model_of_object = pelti_fbx_alloc(&f->file, f->object_count, sizeof *f->model_of_object);
    uint32_t* stack = pelti_fbx_alloc(&f->file, (size_t)count + 1, sizeof *stack);
    uint32_t* parents = pelti_fbx_alloc(&f->file, f->object_count, sizeof *parents);
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
// Animation

static bool is_moved_by(const pelti_fbx_drive* drive, const double rest[3])
{
    if (drive->next != NULL)
    {
        return true; // layers that cancel each other are rare
    }
    for (int i = 0; i < 3 && drive->is_present; ++i)
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

// Find out whether a take moves the model or one of its ancestors.
static pelt_result find_motion(pelti_fbx* f, pelti_fbx_model* model)
{
    model->is_moving = model->parent != PELT_NONE && f->models[model->parent].is_moving;
    for (uint32_t t = 0; t < f->take_count; ++t)
    {
        const pelti_fbx_motion* motion = pelti_fbx_motion_of(&f->takes[t], model->object);
        for (int i = 0; i < 3 && motion != NULL; ++i)
        {
            const pelti_fbx_drive* drive = &motion->drives[i];
            for (int k = 0; k < 3; ++k)
            {
                const pelti_fbx_curve* curve = drive->curves[k];
                PELT_TRY(pelti_fbx_charge(&f->file, curve != NULL ? curve->key_count : 1));
            }
            model->is_moving = model->is_moving || is_moved_by(drive, model->local.numbers[i]);
        }
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Inherited scale

static void note_scale(pelti_fbx_model* model, const double scale[3])
{
    const double close = 1e-6;
    double size = fmax(fabs(scale[0]), fmax(fabs(scale[1]), fabs(scale[2])));
    for (int i = 0; i < 3; ++i)
    {
        model->is_unit_scale = model->is_unit_scale && fabs(scale[i] - 1.0) <= close;
        model->is_uniform_scale =
            model->is_uniform_scale && fabs(scale[i] - scale[(i + 1) % 3]) <= close * size;
    }
}

// @param curve  NULL: none
static pelt_result note_curve(pelti_fbx* f, pelti_fbx_model* model, const pelti_fbx_motion* motion,
                              const pelti_fbx_curve* curve)
{
    uint32_t count = curve != NULL ? curve->key_count : 0;
    double scale[3];
    model->moves_scale = model->moves_scale || count > 0;
    PELT_TRY(pelti_fbx_charge(&f->file, 8 * (uint64_t)count));
    for (uint32_t k = 0; k < count; ++k)
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
    return PELT_OK;
}

// Look at the scale at every key and halfway to the next one.
static pelt_result note_motion(pelti_fbx* f, pelti_fbx_model* model, const pelti_fbx_motion* motion)
{
    const pelti_fbx_drive* first = &motion->drives[PELTI_FBX_SCALE];
    double scale[3];
    pelti_fbx_numbers_at(scale, model, motion, PELTI_FBX_SCALE, (pelti_fbx_moment){0.0, false});
    note_scale(model, scale);
    // A take may set a scale that differs from the rest pose without animating it.
    model->moves_scale =
        model->moves_scale || is_moved_by(first, model->local.numbers[PELTI_FBX_SCALE]);
    for (const pelti_fbx_drive* drive = first; drive != NULL; drive = drive->next)
    {
        const pelti_fbx_curve* weights = drive->layer != NULL ? &drive->layer->weight_curve : NULL;
        for (int i = 0; i < 4; ++i)
        {
            PELT_TRY(note_curve(f, model, motion, i < 3 ? drive->curves[i] : weights));
        }
    }
    return PELT_OK;
}

static pelt_result find_scale(pelti_fbx* f, pelti_fbx_model* model)
{
    const pelti_fbx_model* parent = model->parent != PELT_NONE ? &f->models[model->parent] : NULL;
    model->is_unit_scale = model->is_uniform_scale = true;
    note_scale(model, model->local.numbers[PELTI_FBX_SCALE]);
    for (uint32_t i = 0; i < f->take_count; ++i)
    {
        const pelti_fbx_motion* motion = pelti_fbx_motion_of(&f->takes[i], model->object);
        if (motion != NULL && motion->drives[PELTI_FBX_SCALE].is_present)
        {
            PELT_TRY(note_motion(f, model, motion));
        }
    }
    model->skips_parent_scale =
        parent != NULL && ((model->inherit == PELTI_FBX_RRS && !parent->is_unit_scale) ||
                           (model->inherit == PELTI_FBX_RRSS && !parent->is_uniform_scale));
    if (model->skips_parent_scale && model->inherit == PELTI_FBX_RRSS)
    {
        model->is_unit_scale = model->is_uniform_scale = false;
        model->moves_scale = model->moves_scale || parent->moves_scale;
        model->chain = parent->chain + 1;
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Nodes

pelt_result pelti_fbx_add_node(pelti_fbx* f, uint32_t* out, const char* name, uint32_t parent,
                               pelt_transform rest)
{
    // Doubles of the file may be beyond the range of float.
    for (size_t i = 0; i < sizeof rest / sizeof(float); ++i)
    {
        if (!isfinite(((const float*)&rest)[i]))
        {
            return pelti_fbx_fail(&f->file, PELT_ERROR_DATA,
                                  "the transform of node \"%.60s\" is not finite", name);
        }
    }
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

// The node that undoes the scale of this node, for children that skip it.
static pelt_result find_unscaled(pelti_fbx* f, uint32_t model_node)
{
    pelti_fbx_model_node* p = &f->model_nodes[model_node];
    if (p->unscaled != PELT_NONE)
    {
        return PELT_OK;
    }
    double scale[3];
    pelti_fbx_child_scale_at(scale, f, p->model, NULL, (pelti_fbx_moment){0});
    pelt_transform rest = pelt_transform_identity();
    rest.scale = pelt_vec3_make((float)pelti_fbx_inverse_scale(scale[0]),
                                (float)pelti_fbx_inverse_scale(scale[1]),
                                (float)pelti_fbx_inverse_scale(scale[2]));
    char* name = pelt_arena_format(f->file.scratch, "%s (unscaled)", f->nodes[p->node].name);
    return name != NULL ? pelti_fbx_add_node(f, &p->unscaled, name, p->node, rest)
                        : pelt_error_memory(f->error);
}

// Add a node to the list of its model; the first node stays the first.
static pelt_result list_model_node(pelti_fbx* f, uint32_t* out, uint32_t model, uint32_t node)
{
    void* model_nodes = f->model_nodes;
    if (!pelti_fbx_grow(&f->file, &model_nodes, &f->model_node_capacity, f->model_node_count,
                        sizeof *f->model_nodes))
    {
        return PELT_ERROR_MEMORY;
    }
    f->model_nodes = model_nodes;
    *out = f->model_node_count++;
    pelti_fbx_model_node* first = NULL;
    if (f->models[model].first == PELT_NONE)
    {
        f->models[model].first = *out;
    }
    else
    {
        first = &f->model_nodes[f->models[model].first];
    }
    f->model_nodes[*out] = (pelti_fbx_model_node){.model = model,
                                                  .node = node,
                                                  .unscaled = PELT_NONE,
                                                  .next = first ? first->next : PELT_NONE};
    if (first != NULL)
    {
        first->next = *out;
    }
    return PELT_OK;
}

// Create a node for a model, below a node of its parent model or else below parent_node.
static pelt_result add_model_node(pelti_fbx* f, uint32_t* out, uint32_t model,
                                  uint32_t parent_model_node, uint32_t parent_node,
                                  const char* name)
{
    bool skips_parent_scale = f->models[model].skips_parent_scale;
    PELT_TRY(pelti_fbx_charge(&f->file, f->models[model].chain));
    if (parent_model_node != PELT_NONE)
    {
        if (skips_parent_scale)
        {
            PELT_TRY(find_unscaled(f, parent_model_node));
        }
        const pelti_fbx_model_node* p = &f->model_nodes[parent_model_node];
        parent_node = skips_parent_scale ? p->unscaled : p->node;
    }
    pelti_fbx_transform rest;
    pelti_fbx_transform_at(&rest, f, model, NULL, (pelti_fbx_moment){0});
    uint32_t node = PELT_NONE;
    PELT_TRY(pelti_fbx_add_node(f, &node, name, parent_node, pelti_fbx_to_transform(&rest)));
    return list_model_node(f, out, model, node);
}

static pelt_result add_root(pelti_fbx* f)
{
    f->root_node = PELT_NONE;
    if (!f->converts_axes)
    {
        return PELT_OK;
    }
    pelt_mat3 rotation = pelt_mat34_linear(&f->axes);
    pelt_transform rest = pelt_transform_identity();
    if (pelt_mat3_determinant(&rotation) < 0.0f)
    {
        // A left-handed file: mirror along x before rotating.
        rest.scale.x = -1.0f;
        for (int i = 0; i < 3; ++i)
        {
            rotation.m[i][0] = -rotation.m[i][0];
        }
    }
    rest.rotation = pelt_quat_from_mat3(&rotation);
    return pelti_fbx_add_node(f, &f->root_node, "RootNode", PELT_NONE, rest);
}

pelt_result pelti_fbx_read_models(pelti_fbx* f)
{
    PELT_TRY(list_models(f));
    PELT_TRY(add_root(f));
    uint32_t spheric = 0;
    for (uint32_t i = 0; i < f->model_count; ++i)
    {
        pelti_fbx_model* m = &f->models[i];
        pelti_fbx_read_local(f, m);
        spheric += m->local.order == 6;
        PELT_TRY(find_scale(f, m));
        PELT_TRY(find_motion(f, m));
        uint32_t model_node;
        uint32_t parent = m->parent != PELT_NONE ? f->models[m->parent].first : PELT_NONE;
        PELT_TRY(
            add_model_node(f, &model_node, i, parent, f->root_node, f->objects[m->object].name));
    }
    return spheric > 0 ? pelti_fbx_repair(f, "%u %s spherical rotation order; read as x, y, z",
                                          spheric, pelti_plural(spheric, "node has", "nodes have"))
                       : PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Copies

// The copy of a model below `node`. Missing copies of it and its ancestors are created.
static pelt_result find_copy(pelti_fbx* f, uint32_t* copies, uint32_t model, uint32_t node,
                             const char* suffix)
{
    // Find the highest ancestor without a copy, and create from there downwards.
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
        if (copy == NULL)
        {
            return pelt_error_memory(f->error);
        }
        PELT_TRY(pelti_fbx_charge(&f->file, f->model_count));
        PELT_TRY(add_model_node(f, &copies[top], top,
                                parent != PELT_NONE ? copies[parent] : PELT_NONE, node, copy));
    }
    return PELT_OK;
}

pelt_result pelti_fbx_copy_joints(pelti_fbx* f, uint32_t* joint_models, uint32_t* joints,
                                  uint32_t count, uint32_t node, const char* suffix)
{
    uint32_t* copies = pelti_fbx_alloc(&f->file, f->model_count, sizeof *copies);
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
            joints[i] =
                result == PELT_OK ? f->model_nodes[copies[joint_models[i]]].node : joints[i];
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
