// SPDX-License-Identifier: MIT
// Repairs that readers do not make: triangles, normals, weights of seams.
#include "../base/exact.h"

#include "doctor.h"

#include <string.h>

// Prepared data for other weights or triangles no longer fits.
static void drop_prepared(pelt_mesh* mesh)
{
    mesh->cors = NULL;
    mesh->normal_factors = NULL;
    mesh->bounds = NULL;
    mesh->mix_factors = mesh->is_mix_computed ? NULL : mesh->mix_factors;
    mesh->is_mix_computed = false;
}

static bool fix_triangles(pelt_mesh* mesh, pelt_arena* arena)
{
    uint32_t bad = 0;
    for (uint32_t t = 0; t + 2 < mesh->index_count; t += 3)
    {
        bad += pelti_triangle_is_degenerate(mesh, t);
    }
    if (bad == 0)
    {
        return true;
    }
    uint32_t* indices = pelt_arena_alloc(arena, mesh->index_count, sizeof *indices);
    if (indices == NULL)
    {
        return false;
    }
    uint32_t kept = 0;
    for (uint32_t t = 0; t + 2 < mesh->index_count; t += 3)
    {
        if (!pelti_triangle_is_degenerate(mesh, t))
        {
            memcpy(indices + kept, mesh->indices + t, 3 * sizeof *indices);
            kept += 3;
        }
    }
    mesh->indices = indices;
    mesh->index_count = kept;
    drop_prepared(mesh);
    return true;
}

static bool fix_normals(pelt_mesh* mesh, pelt_arena* arena)
{
    if (mesh->normals == NULL)
    {
        return true;
    }
    bool* is_flipped = pelt_allocate((size_t)mesh->vertex_count + 1, sizeof *is_flipped);
    if (is_flipped == NULL)
    {
        return false;
    }
    uint32_t count;
    bool is_ok = pelti_normals_find_flipped(is_flipped, &count, mesh);
    if (is_ok && count > 0)
    {
        pelt_vec3* normals = pelt_arena_alloc(arena, mesh->vertex_count, sizeof *normals);
        pelt_vec4* tangents = pelt_arena_alloc(arena, mesh->vertex_count, sizeof *tangents);
        is_ok = normals != NULL && tangents != NULL;
        for (uint32_t v = 0; is_ok && v < mesh->vertex_count; ++v)
        {
            normals[v] = pelt_vec3_scale(mesh->normals[v], is_flipped[v] ? -1.0f : 1.0f);
            // The bitangent keeps its direction, which is that of the texture.
            tangents[v] = mesh->tangents != NULL ? mesh->tangents[v] : tangents[v];
            tangents[v].w *= is_flipped[v] ? -1.0f : 1.0f;
        }
        mesh->normals = is_ok ? normals : mesh->normals;
        mesh->tangents = is_ok && mesh->tangents != NULL ? tangents : mesh->tangents;
        mesh->normal_factors = NULL;
    }
    pelt_release(is_flipped);
    return is_ok;
}

// ---------------------------------------------------------------------------------------------
// Seams

// Whether a vertex can have the weights of the first vertex at its position: its mesh may also be
// used with a smaller skin.
static bool fits(const pelt_weights* from, uint32_t vertex, uint32_t joint_count)
{
    uint32_t i = from->first[vertex];
    while (i < from->first[vertex + 1] && from->influences[i].joint < joint_count)
    {
        ++i;
    }
    return i == from->first[vertex + 1];
}

// Copy the weights of a mesh, those of seams from elsewhere.
// @param seams  those of this mesh, by ascending vertex
static bool copy_weights(pelt_mesh* out, const pelt_scene* scene, const pelti_seam* seams,
                         uint32_t count, pelt_arena* arena)
{
    const pelt_weights* old = &out->weights;
    size_t room = old->influence_count;
    for (uint32_t i = 0; i < count; ++i)
    {
        const pelt_weights* from = &scene->meshes[seams[i].first_mesh].weights;
        room += from->first[seams[i].first_vertex + 1] - from->first[seams[i].first_vertex];
    }
    uint32_t* first = pelt_arena_alloc(arena, (size_t)old->vertex_count + 1, sizeof *first);
    pelt_influence* influences = pelt_arena_alloc(arena, room, sizeof *influences);
    if (first == NULL || influences == NULL || room > UINT32_MAX)
    {
        return false;
    }
    pelt_weights made = {.vertex_count = old->vertex_count, .joint_count = old->joint_count};
    for (uint32_t v = 0, next = 0; v < old->vertex_count; ++v)
    {
        const pelt_weights* from = old;
        uint32_t vertex = v;
        if (next < count && seams[next].vertex == v)
        {
            const pelt_weights* other = &scene->meshes[seams[next].first_mesh].weights;
            bool is_taken = fits(other, seams[next].first_vertex, old->joint_count);
            from = is_taken ? other : old;
            vertex = is_taken ? seams[next].first_vertex : v;
            ++next;
        }
        uint32_t number = from->first[vertex + 1] - from->first[vertex];
        memcpy(influences + made.influence_count, from->influences + from->first[vertex],
               number * sizeof *influences);
        first[v] = made.influence_count;
        made.influence_count += number;
        made.max_influences = number > made.max_influences ? number : made.max_influences;
    }
    first[old->vertex_count] = made.influence_count;
    made.first = first;
    made.influences = influences;
    out->weights = made;
    drop_prepared(out);
    return true;
}

// @param meshes  copies of those of the scene
static bool fix_seams(pelt_mesh* meshes, const pelt_scene* scene, pelt_arena* arena)
{
    pelt_arena* scratch = pelt_arena_create();
    pelti_seam* seams = NULL;
    uint32_t count = 0;
    const uint32_t* skins = scratch != NULL ? pelti_mesh_skins(scene, scratch) : NULL;
    bool is_ok = skins != NULL && pelti_seams_find(&seams, &count, scene, skins, scratch);
    for (uint32_t begin = 0, end; is_ok && begin < count; begin = end)
    {
        end = begin + 1;
        while (end < count && seams[end].mesh == seams[begin].mesh)
        {
            ++end;
        }
        is_ok = copy_weights(&meshes[seams[begin].mesh], scene, seams + begin, end - begin, arena);
    }
    pelt_arena_destroy(scratch);
    return is_ok;
}

// ---------------------------------------------------------------------------------------------

pelt_result pelt_scene_fix(pelt_scene* inout, pelt_arena* arena)
{
    PELT_ASSERT(inout != NULL && arena != NULL);
    pelt_mesh* meshes = pelt_arena_alloc(arena, inout->mesh_count, sizeof *meshes);
    if (meshes == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    if (inout->mesh_count > 0)
    {
        memcpy(meshes, inout->meshes, inout->mesh_count * sizeof *meshes);
    }
    bool is_ok = fix_seams(meshes, inout, arena);
    for (uint32_t m = 0; m < inout->mesh_count && is_ok; ++m)
    {
        is_ok = fix_triangles(&meshes[m], arena) && fix_normals(&meshes[m], arena);
    }
    if (!is_ok)
    {
        return PELT_ERROR_MEMORY;
    }
    inout->meshes = meshes;
    return PELT_OK;
}
