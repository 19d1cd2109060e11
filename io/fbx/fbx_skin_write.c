// SPDX-License-Identifier: MIT
// Skins of the scene: joints as nodes, weights by vertex, and meshes that moved after binding.
#include "fbx_read.h"

#include "../matrix_decompose.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Meshes that moved after they were bound

static bool is_near(const pelt_mat34* a, const pelt_mat34* b)
{
    float size = 0.0f, off = 0.0f;
    for (int i = 0; i < 12; ++i)
    {
        size = fmaxf(size, fabsf(a->m[i / 4][i % 4]));
        off = fmaxf(off, fabsf(a->m[i / 4][i % 4] - b->m[i / 4][i % 4]));
    }
    return off <= 1e-4f * size;
}

// Maya adds the way that the mesh itself has gone since it was bound to the motion of its joints.
// Here that way is the mesh's node and a node that undoes the place of binding; copies of the
// joints hang from it, so that those of the file stay where they are.
static pelt_result follow_mesh(pelti_fbx* f, uint32_t* joints, const pelti_fbx_skin_source* source,
                               uint32_t model)
{
    uint32_t node = f->places[f->models[model].place].node;
    const char* name = f->objects[f->models[model].object].name;
    pelt_mat34 rest = pelti_fbx_rest_matrix(f, node), inverse;
    bool is_same = !f->is_maya || (is_near(&rest, &source->bind) && !f->models[model].is_moving);
    if (is_same || !pelt_mat34_inverse(&inverse, &source->bind))
    {
        return PELT_OK;
    }
    pelt_transform parts[2];
    uint32_t count = pelti_split_matrix(parts, &inverse);
    char* bind = pelt_arena_format(f->file.scratch, "%s (bind)", name);
    pelt_result result = bind != NULL ? PELT_OK : pelt_error_memory(f->error);
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        result = pelti_fbx_add_node(f, &node, bind, node, parts[i]);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    result = pelti_fbx_copy_joints(f, source->models, joints, source->joint_count, node, name);
    return result == PELT_OK
               ? pelti_fbx_repair(
                     f,
                     "mesh %s was moved after it was bound, which Maya adds to its joints; "
                     "gave it joints of its own that include this, named \"JOINT (%s)\"",
                     name, name)
               : result;
}

pelt_result pelti_fbx_write_skin(pelti_fbx* f, pelt_skin* out, const pelti_fbx_skin_source* source,
                                 uint32_t model)
{
    uint32_t count = source->joint_count + (source->loose > 0);
    // For the way up from the mesh.
    pelt_result result = pelti_fbx_charge(&f->file, f->node_count);
    if (result != PELT_OK)
    {
        return result;
    }
    uint32_t mesh_node = f->places[f->models[model].place].node;
    uint32_t* joints = pelt_arena_alloc(f->arena, count, sizeof *joints);
    pelt_mat34* inverse_binds = pelt_arena_alloc(f->arena, count, sizeof *inverse_binds);
    char* name = pelt_arena_string(f->arena, f->objects[f->models[model].object].name);
    if (joints == NULL || inverse_binds == NULL || name == NULL)
    {
        return pelt_error_memory(f->error);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t joint = i < source->joint_count ? source->models[i] : PELT_NONE;
        joints[i] = joint != PELT_NONE ? f->places[f->models[joint].place].node : mesh_node;
        inverse_binds[i] =
            i < source->joint_count ? source->inverse_binds[i] : pelt_mat34_identity();
    }
    *out = (pelt_skin){name, count, joints, inverse_binds};
    return follow_mesh(f, joints, source, model);
}

// ---------------------------------------------------------------------------------------------
// Weights by vertex

// Vertices that nothing holds get the last joint, which is the mesh's own node.
static uint32_t list_vertex(const pelti_fbx_skin_source* s, uint32_t point, uint32_t* joints,
                            float* weights)
{
    uint32_t count = s->first[point + 1] - s->first[point];
    memcpy(joints, s->joints + s->first[point], count * sizeof *joints);
    memcpy(weights, s->weights + s->first[point], count * sizeof *weights);
    if (!pelti_fbx_is_held(s, point))
    {
        joints[count] = s->joint_count;
        weights[count++] = 1.0f;
    }
    return count;
}

pelt_result pelti_fbx_write_weights(pelti_fbx* f, pelt_mesh* out, const pelti_fbx_skin_source* s,
                                    const uint32_t* points, uint32_t vertex_count)
{
    uint64_t most = 0;
    for (uint32_t v = 0; v < vertex_count; ++v)
    {
        most += s->first[points[v] + 1] - s->first[points[v]] + 1;
    }
    pelt_result result = pelti_fbx_charge(&f->file, most);
    if (result != PELT_OK)
    {
        return result;
    }
    uint32_t* first = pelti_fbx_take(&f->file, (size_t)vertex_count + 1, sizeof *first);
    uint32_t* joints = pelti_fbx_take(&f->file, (size_t)most, sizeof *joints);
    float* weights = pelti_fbx_take(&f->file, (size_t)most, sizeof *weights);
    if (first == NULL || joints == NULL || weights == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t v = 0; v < vertex_count; ++v)
    {
        first[v + 1] = first[v] + list_vertex(s, points[v], joints + first[v], weights + first[v]);
    }
    const pelt_weights_source source = {.vertex_count = vertex_count,
                                        .joint_count = s->joint_count + (s->loose > 0),
                                        .first = first,
                                        .joints_u32 = joints,
                                        .weights = weights,
                                        .max_influences = f->max_influences};
    pelt_weights_report report = {0};
    result = pelt_weights_import(&out->weights, &report, &source, f->arena);
    return result == PELT_OK && pelti_repairs_add_weights(&f->repairs, f->arena, out->name, &report)
               ? PELT_OK
               : pelt_error_memory(f->error);
}
