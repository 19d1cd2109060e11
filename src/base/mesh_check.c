// SPDX-License-Identifier: MIT
// Checks of the indices in a mesh, before loops use them.
#include "mesh_check.h"

static const char* name_of(const char* name)
{
    return name != NULL ? name : "";
}

static pelt_result missing(pelt_error* error, const char* name)
{
    return pelt_error_set(error, PELT_ERROR_DATA, "mesh \"%s\" has a count without its array",
                          name_of(name));
}

pelt_result pelti_triangles_check(const pelt_mesh* mesh, pelt_error* error)
{
    if (mesh->index_count > 0 && mesh->indices == NULL)
    {
        return missing(error, mesh->name);
    }
    if (mesh->index_count % 3 != 0)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "mesh \"%s\" has %u indices, which is not a multiple of 3",
                              name_of(mesh->name), mesh->index_count);
    }
    for (uint32_t i = 0; i < mesh->index_count; ++i)
    {
        if (mesh->indices[i] >= mesh->vertex_count)
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "index %u of mesh \"%s\" is %u, past its %u vertices", i,
                                  name_of(mesh->name), mesh->indices[i], mesh->vertex_count);
        }
    }
    return PELT_OK;
}

pelt_result pelti_offsets_check(const pelt_weights* weights, uint32_t vertex_count,
                                const char* name, pelt_error* error)
{
    if (weights->first == NULL || (weights->influence_count > 0 && weights->influences == NULL))
    {
        return missing(error, name);
    }
    if (weights->vertex_count != vertex_count || weights->first[0] != 0 ||
        weights->first[weights->vertex_count] != weights->influence_count)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "the weights of mesh \"%s\" do not fit its %u vertices",
                              name_of(name), vertex_count);
    }
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        if (weights->first[v] > weights->first[v + 1] ||
            weights->first[v + 1] - weights->first[v] > weights->max_influences)
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "vertex %u of mesh \"%s\" has a wrong number of influences", v,
                                  name_of(name));
        }
    }
    return PELT_OK;
}

pelt_result pelti_joints_check(const pelt_weights* weights, const char* name, pelt_error* error)
{
    for (uint32_t i = 0; i < weights->influence_count; ++i)
    {
        if (weights->influences[i].joint >= weights->joint_count)
        {
            return pelt_error_set(
                error, PELT_ERROR_DATA, "influence %u of mesh \"%s\" names joint %u of %u", i,
                name_of(name), weights->influences[i].joint, weights->joint_count);
        }
    }
    return PELT_OK;
}

pelt_result pelti_skinned_mesh_check(const pelt_mesh* mesh, pelt_error* error)
{
    if (mesh->vertex_count > 0 && mesh->positions == NULL)
    {
        return missing(error, mesh->name);
    }
    PELT_TRY(pelti_triangles_check(mesh, error));
    PELT_TRY(pelti_offsets_check(&mesh->weights, mesh->vertex_count, mesh->name, error));
    return pelti_joints_check(&mesh->weights, mesh->name, error);
}
