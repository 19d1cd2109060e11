// SPDX-License-Identifier: MIT
// Centers of rotation and mix factors that pelt wrote into a file, and whether they still fit:
// other programs change meshes and carry attributes along that they do not know.
#include "gltf_read.h"
#include "pelt/prepare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// How far from its vertex a center may lie that should lie on it, as a part of the mesh's size:
// what rounding to 10 bits or more leaves. A change of scale or origin is far beyond.
static const float place_tolerance = 1e-3f;

const char* pelti_gltf_digest(const pelti_primitive* primitive, const char* owner)
{
    const pelti_json* extras = pelti_json_get(primitive->json, "extras");
    return pelti_json_string(pelti_json_get(pelti_json_get(extras, owner), "digest"));
}

bool pelti_gltf_is_digest(const char* text, uint64_t digest)
{
    char expected[17];
    snprintf(expected, sizeof expected, "%016" PRIx64, digest);
    return strcmp(text, expected) == 0;
}

// Without a digest: a vertex with fewer than two influences is its own center. Where nothing has
// any, centers have no effect.
static bool are_in_place(const pelt_mesh* mesh, const pelt_vec3* cors)
{
    const uint32_t* first = mesh->weights.first;
    pelt_bounds bounds = pelt_bounds_empty();
    pelt_bounds_add(&bounds, mesh->positions, mesh->vertex_count);
    float tolerance = place_tolerance * pelt_bounds_diagonal(&bounds);
    for (uint32_t v = 0; first != NULL && v < mesh->vertex_count; ++v)
    {
        bool is_single = first[v + 1] - first[v] < 2;
        if (is_single && !(pelt_vec3_distance(mesh->positions[v], cors[v]) <= tolerance))
        {
            return false;
        }
    }
    return true;
}

static pelt_result check_digest(bool* out, pelti_gltf* g, const pelti_primitive* primitive,
                                const char* given)
{
    uint64_t digest;
    pelt_result result = pelt_cor_digest(&digest, primitive->mesh);
    *out = result == PELT_OK && pelti_gltf_is_digest(given, digest);
    return result == PELT_OK ? PELT_OK : pelt_error_memory(g->error);
}

static const char pruned_words[] = "belong to weights that were pruned";
static const char stale_words[] = "belong to other positions, triangles or weights than it has now";

static pelt_result leave_out(pelti_gltf* g, const pelti_primitive* primitive, pelt_repair_kind kind,
                             const char* why)
{
    bool is_mix = kind == PELT_REPAIR_MIX_DROPPED;
    pelt_result result = pelti_gltf_repair_add(g, "mesh \"%.60s\": its %s %s; they were left out",
                                               primitive->mesh->name,
                                               is_mix ? "mix factors" : "centers of rotation", why);
    if (result == PELT_OK)
    {
        pelti_repairs_classify(&g->repairs, kind, 0);
    }
    return result;
}

pelt_result pelti_gltf_read_cors(pelti_gltf* g, const pelti_primitive* primitive, bool is_pruned)
{
    float* floats;
    uint32_t width;
    pelt_mesh* mesh = primitive->mesh;
    pelt_result result = pelti_gltf_attribute(&floats, &width, g, primitive, "_PELT_COR", 3, 3);
    if (result != PELT_OK || floats == NULL)
    {
        return result;
    }
    if (pelti_floats_clean(floats, 3 * (size_t)mesh->vertex_count) > 0)
    {
        return leave_out(g, primitive, PELT_REPAIR_CORS_DROPPED, "are not finite");
    }
    if (is_pruned)
    {
        return leave_out(g, primitive, PELT_REPAIR_CORS_DROPPED, pruned_words);
    }
    const char* given = pelti_gltf_digest(primitive, "pelt_cor");
    bool is_fitting = given == NULL && are_in_place(mesh, (const pelt_vec3*)floats);
    result = given != NULL ? check_digest(&is_fitting, g, primitive, given) : PELT_OK;
    if (result == PELT_OK && !is_fitting)
    {
        return leave_out(g, primitive, PELT_REPAIR_CORS_DROPPED, stale_words);
    }
    mesh->cors = (const pelt_vec3*)floats;
    return result;
}

pelt_result pelti_gltf_check_mix(pelti_gltf* g, const pelti_primitive* primitive, bool is_pruned)
{
    pelt_mesh* mesh = primitive->mesh;
    const char* given = pelti_gltf_digest(primitive, "pelt_mix");
    if (mesh->mix_factors == NULL || given == NULL)
    {
        return PELT_OK;
    }
    bool is_fitting = false;
    pelt_result result = is_pruned ? PELT_OK : check_digest(&is_fitting, g, primitive, given);
    mesh->is_mix_computed = is_fitting;
    if (result != PELT_OK || is_fitting)
    {
        return result;
    }
    mesh->mix_factors = NULL;
    return leave_out(g, primitive, PELT_REPAIR_MIX_DROPPED, is_pruned ? pruned_words : stale_words);
}
