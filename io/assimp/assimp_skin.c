// SPDX-License-Identifier: MIT
// Bones: assimp lists vertices per bone, pelt joints per vertex.
#include "assimp_scene.h"

#ifdef PELT_WITH_ASSIMP

#include <string.h>

void pelti_assimp_release_weights(pelti_assimp_weights* weights)
{
    pelt_release(weights->first);
    pelt_release(weights->joints);
    pelt_release(weights->weights);
    *weights = (pelti_assimp_weights){0};
}

// Weights of zero are padding.
static bool is_listed(const struct aiMesh* mesh, const struct aiVertexWeight* weight)
{
    return weight->mWeight != 0.0f && weight->mVertexId < mesh->mNumVertices;
}

// Influences of every vertex into first[v + 1].
static uint32_t count_influences(uint32_t* first, uint32_t* dropped, const struct aiMesh* mesh)
{
    uint32_t count = 0;
    memset(first, 0, ((size_t)mesh->mNumVertices + 1) * sizeof *first);
    for (uint32_t b = 0; b < mesh->mNumBones; ++b)
    {
        const struct aiBone* bone = mesh->mBones[b];
        for (uint32_t i = 0; i < bone->mNumWeights; ++i)
        {
            const struct aiVertexWeight* weight = &bone->mWeights[i];
            *dropped += weight->mWeight != 0.0f && weight->mVertexId >= mesh->mNumVertices;
            if (is_listed(mesh, weight))
            {
                first[weight->mVertexId + 1]++;
                count++;
            }
        }
    }
    return count;
}

// first[v] is the start of vertex v; afterwards, its end.
static void place_influences(const pelti_assimp_weights* out, const struct aiMesh* mesh)
{
    for (uint32_t b = 0; b < mesh->mNumBones; ++b)
    {
        const struct aiBone* bone = mesh->mBones[b];
        for (uint32_t i = 0; i < bone->mNumWeights; ++i)
        {
            const struct aiVertexWeight* weight = &bone->mWeights[i];
            if (is_listed(mesh, weight))
            {
                uint32_t at = out->first[weight->mVertexId]++;
                out->joints[at] = b;
                out->weights[at] = weight->mWeight;
            }
        }
    }
}

static uint32_t count_loose(const pelti_assimp_weights* weights, uint32_t vertex_count)
{
    uint32_t loose = 0;
    for (uint32_t v = 0; v < vertex_count; ++v)
    {
        bool is_held = false;
        for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
        {
            is_held = is_held || (weights->weights[i] > 0.0f && isfinite(weights->weights[i]));
        }
        loose += !is_held;
    }
    return loose;
}

pelt_result pelti_assimp_gather_weights(pelti_assimp_weights* out, const struct aiMesh* mesh)
{
    uint32_t vertex_count = mesh->mNumVertices;
    *out = (pelti_assimp_weights){0};
    out->first = pelt_allocate((size_t)vertex_count + 1, sizeof *out->first);
    if (out->first == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t count = count_influences(out->first, &out->dropped, mesh);
    out->joints = pelt_allocate((size_t)count + 1, sizeof *out->joints);
    out->weights = pelt_allocate((size_t)count + 1, sizeof *out->weights);
    if (out->joints == NULL || out->weights == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t v = 0; v < vertex_count; ++v)
    {
        out->first[v + 1] += out->first[v];
    }
    place_influences(out, mesh);
    memmove(out->first + 1, out->first, vertex_count * sizeof *out->first);
    out->first[0] = 0;
    out->loose = count_loose(out, vertex_count);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Joints

// One joint per bone, and one more for the vertices without a bone: the mesh's own node, which they
// follow in the programs that write such files.
static pelt_result read_joints(pelti_assimp* a, pelt_skin* skin, uint32_t mesh, bool has_loose)
{
    const struct aiMesh* source = a->source->mMeshes[mesh];
    uint32_t count = source->mNumBones + has_loose;
    uint32_t* joints = pelt_arena_alloc(a->arena, count, sizeof *joints);
    pelt_mat34* inverse_binds = pelt_arena_alloc(a->arena, count, sizeof *inverse_binds);
    char* skin_name = pelt_arena_string(a->arena, source->mName.data);
    if (joints == NULL || inverse_binds == NULL || skin_name == NULL)
    {
        return pelt_error_memory(a->error);
    }
    *skin = (pelt_skin){skin_name, count, joints, inverse_binds};
    for (uint32_t b = 0; b < source->mNumBones; ++b)
    {
        const char* name = source->mBones[b]->mName.data;
        inverse_binds[b] = pelti_assimp_matrix(&source->mBones[b]->mOffsetMatrix);
        if (!pelti_assimp_is_finite(&inverse_binds[b]))
        {
            return pelt_error_set(a->error, PELT_ERROR_DATA,
                                  "%s: the bind matrix of bone \"%s\" is not finite", a->path,
                                  name);
        }
        joints[b] = pelti_assimp_find_node(a, name);
        if (joints[b] != PELT_NONE)
        {
            continue;
        }
        // A bone without a node gets one below the mesh, at its position in the bind pose. Without
        // an inverse that is the identity, and any bind pose is valid.
        pelt_mat34 bind;
        pelt_mat34_inverse(&bind, &inverse_binds[b]);
        uint32_t parent = a->node_count > 0 ? pelti_assimp_node_of_mesh(a, mesh) : PELT_NONE;
        PELT_TRY(pelti_assimp_add_node(a, &joints[b], name, parent, &bind));
        PELT_TRY(pelti_assimp_repair(a, "bone %s of mesh %s has no node; added one", name,
                                     source->mName.data));
    }
    if (has_loose)
    {
        joints[count - 1] = pelti_assimp_node_of_mesh(a, mesh);
        inverse_binds[count - 1] = pelt_mat34_identity();
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Weights

// The influences of the vertices that are kept; those without any get the joint `loose`.
static pelt_result keep_weights(pelti_assimp_weights* out, const pelti_assimp_weights* in,
                                const pelti_assimp_kept* kept, uint32_t loose)
{
    size_t count = 0;
    for (uint32_t v = 0; v < kept->count; ++v)
    {
        uint32_t source = kept->sources[v];
        count += in->first[source + 1] - in->first[source] + 1;
    }
    *out = (pelti_assimp_weights){0};
    out->first = pelt_allocate((size_t)kept->count + 1, sizeof *out->first);
    out->joints = pelt_allocate(count + 1, sizeof *out->joints);
    out->weights = pelt_allocate(count + 1, sizeof *out->weights);
    if (out->first == NULL || out->joints == NULL || out->weights == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t at = 0;
    for (uint32_t v = 0; v < kept->count; ++v)
    {
        uint32_t source = kept->sources[v];
        bool is_held = false;
        out->first[v] = at;
        for (uint32_t i = in->first[source]; i < in->first[source + 1]; ++i, ++at)
        {
            out->joints[at] = in->joints[i];
            out->weights[at] = in->weights[i];
            is_held = is_held || (in->weights[i] > 0.0f && isfinite(in->weights[i]));
        }
        if (!is_held)
        {
            out->joints[at] = loose;
            out->weights[at++] = 1.0f;
        }
    }
    out->first[kept->count] = at;
    return PELT_OK;
}

// One sentence per mesh and kind.
static pelt_result report_weights(pelti_assimp* a, const char* mesh,
                                  const pelt_weights_report* report,
                                  const pelti_assimp_weights* weights)
{
    if (weights->dropped > 0)
    {
        PELT_TRY(pelti_assimp_repair(a, "mesh %s: dropped %u %s on vertices that do not exist",
                                     mesh, weights->dropped,
                                     pelti_plural(weights->dropped, "weight", "weights")));
    }
    if (weights->loose > 0)
    {
        PELT_TRY(pelti_assimp_repair(
            a, "mesh %s: %u %s the mesh's node", mesh, weights->loose,
            pelti_plural(weights->loose, "vertex of the file has no weights and follows",
                         "vertices of the file have no weights and follow")));
    }
    return !pelti_repairs_add_weights(&a->repairs, a->arena, mesh, report)
               ? pelt_error_memory(a->error)
               : PELT_OK;
}

static pelt_result import_weights(pelti_assimp* a, pelt_mesh* out, uint32_t joint_count,
                                  const pelti_assimp_weights* all, const pelti_assimp_kept* kept)
{
    pelti_assimp_weights raw;
    pelt_weights_report report = {0};
    pelt_result result = keep_weights(&raw, all, kept, joint_count - 1);
    if (result == PELT_OK)
    {
        pelt_weights_source source = {.vertex_count = kept->count,
                                      .joint_count = joint_count,
                                      .first = raw.first,
                                      .joints_u32 = raw.joints,
                                      .weights = raw.weights,
                                      .max_influences = a->max_influences};
        result = pelt_weights_import(&out->weights, &report, &source, a->arena);
    }
    pelti_assimp_release_weights(&raw);
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(a->error)
                                       : report_weights(a, out->name, &report, all);
}

pelt_result pelti_assimp_read_skin(pelti_assimp* a, pelt_skin* skin, pelt_mesh* out, uint32_t mesh,
                                   const pelti_assimp_weights* weights,
                                   const pelti_assimp_kept* kept)
{
    const struct aiMesh* source = a->source->mMeshes[mesh];
    bool has_loose = weights->loose > 0;
    // A joint is a uint16_t in pelt_influence.
    if (source->mNumBones + has_loose > UINT16_MAX)
    {
        return pelt_error_set(a->error, PELT_ERROR_UNSUPPORTED,
                              "%s: mesh \"%s\" has %u bones, and pelt takes %d", a->path,
                              source->mName.data, source->mNumBones, UINT16_MAX - 1);
    }
    PELT_TRY(read_joints(a, skin, mesh, has_loose));
    return import_weights(a, out, skin->joint_count, weights, kept);
}

#endif
