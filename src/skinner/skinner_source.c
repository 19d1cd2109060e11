// SPDX-License-Identifier: MIT
// Descriptions of skinners, which are checked and copied here.
#include "../base/exact.h"

#include "skinner_source.h"

#include <math.h>
#include <string.h>

// An attribute of the description.
typedef struct attribute
{
    const char* name;
    const float* values;
    uint32_t width, stride;
} attribute;

static pelt_result validate_attribute(const attribute* from, uint32_t count, const char* element,
                                      pelt_error* error)
{
    size_t stride = from->stride > 0 ? from->stride : from->width * sizeof(float);
    if (stride % sizeof(float) != 0 || stride < from->width * sizeof(float))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "the stride of %ss is %u bytes; it must be a multiple of 4, and %u "
                              "or more",
                              from->name, from->stride, from->width * (uint32_t)sizeof(float));
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        const float* value = (const float*)(const void*)((const char*)from->values + stride * i);
        for (uint32_t k = 0; k < from->width; ++k)
        {
            if (!isfinite(value[k]))
            {
                return pelt_error_set(error, PELT_ERROR_ARGUMENT, "the %s of %s %u is not finite",
                                      from->name, element, i);
            }
        }
    }
    return PELT_OK;
}

// Check and copy; *out stays NULL where there is no array.
static pelt_result copy_attribute(const float** out, pelt_arena* arena, const attribute* from,
                                  uint32_t count, const char* element, pelt_error* error)
{
    if (from->values == NULL)
    {
        return PELT_OK;
    }
    PELT_TRY(validate_attribute(from, count, element, error));
    size_t stride = from->stride > 0 ? from->stride : from->width * sizeof(float);
    float* copy = pelt_arena_alloc(arena, (size_t)count * from->width, sizeof *copy);
    if (copy == NULL)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        memcpy(copy + (size_t)i * from->width, (const char*)from->values + stride * i,
               from->width * sizeof(float));
    }
    *out = copy;
    return PELT_OK;
}

static pelt_result copy_attributes(pelt_mesh* mesh, pelt_arena* arena,
                                   const pelt_skinner_desc* desc, pelt_error* error)
{
    const struct
    {
        attribute from;
        const float** to;
    } rows[] = {
        {{"position", desc->positions, 3, desc->position_stride}, (const float**)&mesh->positions},
        {{"normal", desc->normals, 3, desc->normal_stride}, (const float**)&mesh->normals},
        {{"tangent", desc->tangents, 4, desc->tangent_stride}, (const float**)&mesh->tangents},
        {{"center", desc->centers, 3, 0}, (const float**)&mesh->cors},
        {{"mix factor", desc->mix_factors, 1, 0}, &mesh->mix_factors},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    {
        PELT_TRY(
            copy_attribute(rows[i].to, arena, &rows[i].from, desc->vertex_count, "vertex", error));
    }
    for (uint32_t v = 0; mesh->normals != NULL && v < desc->vertex_count; ++v)
    {
        pelt_vec3* normal = (pelt_vec3*)&mesh->normals[v];
        *normal = pelt_vec3_normalize(*normal);
    }
    for (uint32_t v = 0; mesh->mix_factors != NULL && v < desc->vertex_count; ++v)
    {
        if (mesh->mix_factors[v] < 0.0f || mesh->mix_factors[v] > 1.0f)
        {
            return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                  "the mix factor of vertex %u is %g; it must be from 0 to 1", v,
                                  (double)mesh->mix_factors[v]);
        }
    }
    return PELT_OK;
}

static pelt_result copy_indices(pelt_mesh* mesh, pelt_arena* arena, const pelt_skinner_desc* desc,
                                pelt_error* error)
{
    int array_count = (desc->indices_u16 != NULL) + (desc->indices_u32 != NULL);
    if (desc->index_count % 3 != 0 || desc->index_count == PELT_NONE)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "index_count is %u, but triangles have three indices each",
                              desc->index_count);
    }
    if (desc->index_count > 0 && array_count != 1)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "index_count is %u, but there are %d arrays of indices; set one",
                              desc->index_count, array_count);
    }
    uint32_t* indices = pelt_arena_alloc(arena, desc->index_count, sizeof *indices);
    if (indices == NULL)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t i = 0; i < desc->index_count; ++i)
    {
        indices[i] = desc->indices_u16 != NULL ? desc->indices_u16[i] : desc->indices_u32[i];
        if (indices[i] >= desc->vertex_count)
        {
            return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                  "index %u is vertex %u, but there are %u vertices", i, indices[i],
                                  desc->vertex_count);
        }
    }
    mesh->index_count = desc->index_count;
    mesh->indices = indices;
    return PELT_OK;
}

static pelt_result copy_weights(pelt_mesh* mesh, pelt_arena* arena, const pelt_skinner_desc* desc,
                                pelt_error* error)
{
    const pelt_weights_source source = {.vertex_count = desc->vertex_count,
                                        .joint_count = desc->joint_count,
                                        .per_vertex = desc->influences_per_vertex,
                                        .first = desc->first,
                                        .joints_u8 = desc->joints_u8,
                                        .joints_u16 = desc->joints_u16,
                                        .joints_u32 = desc->joints_u32,
                                        .weights = desc->weights,
                                        .weights_unorm8 = desc->weights_unorm8,
                                        .weights_unorm16 = desc->weights_unorm16,
                                        .joint_stride = desc->joint_stride,
                                        .weight_stride = desc->weight_stride,
                                        .max_influences = desc->max_influences};
    PELT_TRY(pelt_weights_source_validate(&source, error));
    pelt_result result = pelt_weights_import(&mesh->weights, NULL, &source, arena);
    return result != PELT_OK ? pelt_error_memory(error) : PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Skeleton

// The number of joints above each joint. Each is visited twice: on the way up to a joint that is
// known, and on the way back.
static pelt_result measure_depths(uint32_t* depths, const pelt_skinner_desc* desc,
                                  pelt_error* error)
{
    memset(depths, 0xff, desc->joint_count * sizeof *depths); // PELT_NONE: not known
    for (uint32_t joint = 0; joint < desc->joint_count; ++joint)
    {
        uint32_t count = 0, above = joint;
        while (above != PELT_NONE && depths[above] == PELT_NONE)
        {
            above = desc->joint_parents[above];
            if (above != PELT_NONE && above >= desc->joint_count)
            {
                return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                      "a joint names joint %u as its parent, but there are %u "
                                      "joints",
                                      above, desc->joint_count);
            }
            if (++count > desc->joint_count)
            {
                return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                      "joint %u is above itself: joint_parents has a cycle", joint);
            }
        }
        uint32_t depth = count + (above != PELT_NONE ? depths[above] + 1 : 0);
        for (uint32_t below = joint; count > 0; --count, below = desc->joint_parents[below])
        {
            depths[below] = --depth;
        }
    }
    return PELT_OK;
}

// Nodes are sorted by depth, so that parents come first. Joints have no rotation in the bind pose:
// what needs a skeleton here, bends and bones, depends on the positions alone.
static pelt_result build_skeleton(pelti_skinner_source* out, const pelt_skinner_desc* desc,
                                  pelt_error* error)
{
    uint32_t count = desc->joint_count;
    uint32_t* depths = pelt_arena_alloc(out->arena, count, sizeof *depths);
    uint32_t* node_of_joint = pelt_arena_alloc(out->arena, count, sizeof *node_of_joint);
    pelt_node* nodes = pelt_arena_alloc(out->arena, count, sizeof *nodes);
    pelt_mat34* inverse_binds = pelt_arena_alloc(out->arena, count, sizeof *inverse_binds);
    uint32_t* starts = pelt_arena_alloc(out->arena, (size_t)count + 1, sizeof *starts);
    if (depths == NULL || node_of_joint == NULL || nodes == NULL || inverse_binds == NULL ||
        starts == NULL)
    {
        return pelt_error_memory(error);
    }
    const float* copied = NULL;
    const attribute positions = {"position", desc->joint_positions, 3, 0};
    PELT_TRY(copy_attribute(&copied, out->arena, &positions, count, "joint", error));
    PELT_TRY(measure_depths(depths, desc, error));
    const pelt_vec3* heads = (const pelt_vec3*)copied;
    for (uint32_t joint = 0; joint < count; ++joint)
    {
        starts[depths[joint] + 1]++;
    }
    for (uint32_t depth = 0; depth < count; ++depth)
    {
        starts[depth + 1] += starts[depth];
    }
    for (uint32_t joint = 0; joint < count; ++joint)
    {
        node_of_joint[joint] = starts[depths[joint]]++;
    }
    for (uint32_t joint = 0; joint < count; ++joint)
    {
        uint32_t parent = desc->joint_parents[joint];
        pelt_vec3 origin = parent != PELT_NONE ? heads[parent] : (pelt_vec3){0};
        nodes[node_of_joint[joint]] =
            (pelt_node){.name = pelt_arena_format(out->arena, "joint%u", joint),
                        .parent = parent != PELT_NONE ? node_of_joint[parent] : PELT_NONE,
                        .rest = {pelt_vec3_sub(heads[joint], origin), {0, 0, 0, 1}, {1, 1, 1}}};
        pelt_mat34 inverse = pelt_mat34_identity();
        inverse.m[0][3] = -heads[joint].x;
        inverse.m[1][3] = -heads[joint].y;
        inverse.m[2][3] = -heads[joint].z;
        inverse_binds[joint] = inverse;
        if (nodes[node_of_joint[joint]].name == NULL)
        {
            return pelt_error_memory(error);
        }
    }
    out->skin =
        (pelt_skin){.joint_count = count, .joints = node_of_joint, .inverse_binds = inverse_binds};
    out->instance = (pelt_instance){.node = PELT_NONE};
    out->skeleton = (pelt_scene){.node_count = count,
                                 .nodes = nodes,
                                 .skin_count = 1,
                                 .skins = &out->skin,
                                 .mesh_count = 1,
                                 .meshes = &out->mesh,
                                 .instance_count = 1,
                                 .instances = &out->instance};
    pelt_result result = pelt_bones_build(&out->bones, &out->skeleton, out->arena);
    return result != PELT_OK ? pelt_error_memory(error) : PELT_OK;
}

pelt_result pelti_skinner_source_read(pelti_skinner_source* out, const pelt_skinner_desc* desc,
                                      pelt_error* error)
{
    if (desc->vertex_count == PELT_NONE || (desc->vertex_count > 0 && desc->positions == NULL))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "vertex_count is %u, but there are no positions", desc->vertex_count);
    }
    if ((desc->joint_positions == NULL) != (desc->joint_parents == NULL))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "a skeleton needs joint_positions and joint_parents, but one of them "
                              "is missing");
    }
    out->mesh.name = "mesh";
    out->mesh.vertex_count = desc->vertex_count;
    out->mesh.material = PELT_NONE;
    PELT_TRY(copy_attributes(&out->mesh, out->arena, desc, error));
    PELT_TRY(copy_indices(&out->mesh, out->arena, desc, error));
    PELT_TRY(copy_weights(&out->mesh, out->arena, desc, error));
    bool has_skeleton = desc->joint_parents != NULL && desc->joint_count > 0;
    return has_skeleton ? build_skeleton(out, desc, error) : PELT_OK;
}
