// SPDX-License-Identifier: MIT
// Where a mesh and its joints were when they were bound: as the clusters say, else as a bind pose
// of the file says, else where they stand.
#include "fbx_read.h"

#include <string.h>

static pelt_result read_matrix(pelt_mat34* out, bool* is_there, pelti_fbx* f,
                               const pelti_fbx_node* node, const char* name)
{
    pelti_fbx_reals numbers = {0};
    pelt_result result = pelti_fbx_read_reals(&numbers, &f->file, node, name);
    *is_there = result == PELT_OK && pelti_fbx_matrix(out, f, &numbers);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Bind poses

static pelt_result add_bound(pelti_fbx* f, uint32_t* capacity, uint32_t pose,
                             const pelti_fbx_node* node)
{
    bool is_there;
    pelti_fbx_bound entry = {.pose = pose};
    pelt_result result = read_matrix(&entry.matrix, &is_there, f, node, "Matrix");
    entry.object = pelti_fbx_find_object(f, pelti_fbx_integer(pelti_fbx_child(node, "Node"), 0, 0));
    if (result != PELT_OK || !is_there || entry.object == PELT_NONE)
    {
        return result;
    }
    void* bounds = f->bounds;
    if (!pelti_fbx_grow(&f->file, &bounds, capacity, f->bound_count, sizeof *f->bounds))
    {
        return PELT_ERROR_MEMORY;
    }
    f->bounds = bounds;
    f->bounds[f->bound_count++] = entry;
    return PELT_OK;
}

pelt_result pelti_fbx_read_bind_poses(pelti_fbx* f)
{
    uint32_t capacity = 0;
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < f->object_count && result == PELT_OK; ++i)
    {
        const pelti_fbx_object* object = &f->objects[i];
        bool is_pose = object->kind == PELTI_FBX_POSE && pelti_fbx_is_subtype(object, "BindPose");
        const pelti_fbx_node* node = is_pose ? object->node->first_child : NULL;
        for (; node != NULL && result == PELT_OK; node = node->next)
        {
            if (strcmp(node->name, "PoseNode") == 0)
            {
                result = add_bound(f, &capacity, i, node);
            }
        }
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Skins

// What one cluster says.
typedef struct cluster_bind
{
    pelt_mat34 transform; // from the mesh to the joint
    pelt_mat34 link;      // from the joint to the model
    bool has_transform, has_link;
} cluster_bind;

typedef struct bind_reader
{
    pelti_fbx* f;
    pelti_fbx_skin_source* out;
    uint32_t model; // of the mesh
    cluster_bind* binds;
    const pelti_fbx_bound** pose; // by object, or NULL
} bind_reader;

// A file may have a bind pose for each of its skins. That of the mesh goes before the others, and
// of those the first.
static pelt_result choose_pose(bind_reader* r)
{
    pelti_fbx* f = r->f;
    r->pose = pelti_fbx_take(&f->file, f->object_count, sizeof *r->pose);
    if (r->pose == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t mesh = f->models[r->model].object, own = PELT_NONE;
    for (uint32_t i = 0; i < f->bound_count && own == PELT_NONE; ++i)
    {
        own = f->bounds[i].object == mesh ? f->bounds[i].pose : own;
    }
    for (uint32_t i = 0; i < f->bound_count; ++i)
    {
        const pelti_fbx_bound* entry = &f->bounds[i];
        const pelti_fbx_bound** place = &r->pose[entry->object];
        if (*place == NULL || ((*place)->pose != own && entry->pose == own))
        {
            *place = entry;
        }
    }
    return pelti_fbx_charge(&f->file, (uint64_t)f->object_count + f->bound_count);
}

static const pelti_fbx_bound* find_in_pose(const bind_reader* r, uint32_t model)
{
    return r->pose[r->f->models[model].object];
}

static pelt_mat34 matrix_at_rest(const bind_reader* r, uint32_t model)
{
    return pelti_fbx_rest_matrix(r->f, r->f->places[r->f->models[model].place].node);
}

// The first cluster with both matrices tells where the mesh was.
static bool find_mesh(pelt_mat34* out, const bind_reader* r)
{
    for (uint32_t i = 0; i < r->out->joint_count; ++i)
    {
        const cluster_bind* bind = &r->binds[i];
        if (bind->has_transform && bind->has_link)
        {
            *out = pelt_mat34_mul(&bind->link, &bind->transform);
            return true;
        }
    }
    return false;
}

// What the clusters leave out. *unbound counts those that no pose speaks of either.
static pelt_result complete_binds(bind_reader* r, uint32_t* unbound)
{
    pelt_result result = choose_pose(r);
    for (uint32_t i = 0; i < r->out->joint_count && result == PELT_OK; ++i)
    {
        cluster_bind* bind = &r->binds[i];
        uint32_t joint = r->out->models[i];
        const pelti_fbx_bound* bound = joint != PELT_NONE ? find_in_pose(r, joint) : NULL;
        if (!bind->has_link && bound != NULL)
        {
            bind->link = bound->matrix;
            bind->has_link = true;
        }
        else if (!bind->has_link && !bind->has_transform && joint != PELT_NONE)
        {
            // For the way up from the joint.
            result = pelti_fbx_charge(&r->f->file, r->f->node_count);
            bind->link = matrix_at_rest(r, joint);
            ++*unbound;
        }
    }
    if (result == PELT_OK && !find_mesh(&r->out->bind, r))
    {
        const pelti_fbx_bound* mesh = find_in_pose(r, r->model);
        r->out->bind = mesh != NULL ? mesh->matrix : matrix_at_rest(r, r->model);
    }
    return result;
}

static void write_inverse(pelt_mat34* out, const bind_reader* r, const cluster_bind* bind)
{
    *out = bind->transform;
    if (!bind->has_transform)
    {
        pelt_mat34_inverse(out, &bind->link);
        *out = pelt_mat34_mul(out, &r->out->bind);
    }
}

pelt_result pelti_fbx_read_binds(pelti_fbx_skin_source* out, pelti_fbx* f, uint32_t model,
                                 const uint32_t* clusters, uint32_t* unbound)
{
    bind_reader r = {.f = f, .out = out, .model = model};
    r.binds = pelti_fbx_take(&f->file, out->joint_count, sizeof *r.binds);
    pelt_result result = r.binds != NULL ? PELT_OK : PELT_ERROR_MEMORY;
    bool is_complete = true;
    for (uint32_t i = 0; i < out->joint_count && result == PELT_OK; ++i)
    {
        cluster_bind* bind = &r.binds[i];
        const pelti_fbx_node* node = f->objects[clusters[i]].node;
        result = read_matrix(&bind->transform, &bind->has_transform, f, node, "Transform");
        if (result == PELT_OK)
        {
            result = read_matrix(&bind->link, &bind->has_link, f, node, "TransformLink");
        }
        is_complete = is_complete && bind->has_transform && bind->has_link;
    }
    *unbound = 0;
    if (result == PELT_OK && (!is_complete || !find_mesh(&out->bind, &r)))
    {
        result = complete_binds(&r, unbound);
    }
    for (uint32_t i = 0; i < out->joint_count && result == PELT_OK; ++i)
    {
        write_inverse(&out->inverse_binds[i], &r, &r.binds[i]);
    }
    return result;
}
