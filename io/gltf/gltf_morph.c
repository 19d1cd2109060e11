// SPDX-License-Identifier: MIT
// Morph targets of a primitive, their names and the weights they start with.
#include "gltf_read.h"

static pelt_result read_shape(pelt_vec3** out, pelti_gltf* g, const pelti_primitive* primitive,
                              const pelti_json* target, const char* name, const pelti_place* at)
{
    float* floats;
    uint32_t width;
    pelt_mesh* mesh = primitive->mesh;
    pelt_result result =
        pelti_gltf_attribute_of(&floats, &width, g, target, name, 3, 3, mesh->vertex_count, at);
    *out = (pelt_vec3*)floats;
    if (floats == NULL || result != PELT_OK)
    {
        return result;
    }
    size_t bad = pelti_floats_clean(floats, 3 * (size_t)mesh->vertex_count);
    return bad == 0
               ? PELT_OK
               : pelti_gltf_repair_count(g, PELT_REPAIR_NOT_FINITE, bad,
                                         "mesh \"%.60s\": set %zu %s of a shape's %s to 0, not "
                                         "finite",
                                         mesh->name, bad, pelti_plural(bad, "number", "numbers"),
                                         name);
}

static pelt_result name_shape(const char** out, pelti_gltf* g, const pelti_json* mesh, size_t index)
{
    const pelti_json* names = pelti_json_get(pelti_json_get(mesh, "extras"), "targetNames");
    const char* name = pelti_json_string(pelti_json_at(names, index));
    *out = name != NULL ? pelt_arena_string(g->arena, name)
                        : pelt_arena_format(g->arena, "shape_%zu", index);
    return *out != NULL ? PELT_OK : pelt_error_memory(g->error);
}

static pelt_result read_target(pelt_morph* out, pelti_gltf* g, const pelti_primitive* primitive,
                               const pelti_json* target, const pelti_place* at)
{
    if (!pelti_json_is(target, PELTI_JSON_OBJECT))
    {
        return pelti_gltf_fail(g, at, "this must be an object");
    }
    pelt_vec3 *positions = NULL, *normals = NULL, *tangents = NULL;
    pelt_result result = read_shape(&positions, g, primitive, target, "POSITION", at);
    if (result == PELT_OK && primitive->mesh->normals != NULL)
    {
        result = read_shape(&normals, g, primitive, target, "NORMAL", at);
    }
    if (result == PELT_OK && primitive->mesh->tangents != NULL)
    {
        result = read_shape(&tangents, g, primitive, target, "TANGENT", at);
    }
    out->positions = positions;
    out->normals = normals;
    out->tangents = tangents;
    return result;
}

static pelt_result read_targets(pelti_gltf* g, const pelti_primitive* primitive,
                                const pelti_json* targets, const pelti_json* mesh)
{
    size_t count = pelti_json_size(targets);
    pelti_place here = pelti_place_member(&primitive->at, "targets");
    void* memory = NULL;
    pelt_result result = pelti_gltf_alloc(&memory, g, count, sizeof(pelt_morph));
    pelt_morph* morphs = memory;
    for (size_t i = 0; i < count && result == PELT_OK; ++i)
    {
        pelti_place element = pelti_place_index(&here, i);
        result = name_shape(&morphs[i].name, g, mesh, i);
        if (result == PELT_OK)
        {
            result = read_target(&morphs[i], g, primitive, pelti_json_at(targets, i), &element);
        }
    }
    primitive->mesh->morphs = morphs;
    primitive->mesh->morph_count = (uint32_t)count;
    return result;
}

// The scene keeps start weights with the mesh, not with each use of it: those of the first visible
// node that has any take their place.
static pelt_result read_defaults(pelti_gltf* g, const pelti_primitive* primitive, uint32_t mesh)
{
    uint32_t node = g->meshes[mesh].weight_node;
    pelti_gltf_kind kind = node != PELT_NONE ? PELTI_GLTF_NODES : PELTI_GLTF_MESHES;
    uint32_t index = node != PELT_NONE ? node : mesh;
    const pelti_json* owner = pelti_gltf_item(g, kind, index);
    pelti_place list = {.member = pelti_gltf_kind_name(kind)}, at = pelti_place_index(&list, index);
    void* memory = NULL;
    if (pelti_json_get(owner, "weights") == NULL)
    {
        return PELT_OK;
    }
    uint32_t count = primitive->mesh->morph_count;
    pelt_result result = pelti_gltf_alloc(&memory, g, count, sizeof(float));
    if (result == PELT_OK && count == 1 &&
        !pelti_json_is(pelti_json_get(owner, "weights"), PELTI_JSON_ARRAY))
    {
        result = pelti_gltf_fail(g, &at, "its weights must be an array");
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_floats(memory, count, g, owner, "weights", &at);
    }
    primitive->mesh->morph_weights = memory;
    return result;
}

pelt_result pelti_gltf_read_morphs(pelti_gltf* g, const pelti_primitive* primitive, uint32_t mesh)
{
    const pelti_json* targets = NULL;
    pelt_result result =
        pelti_gltf_get_array(&targets, g, primitive->json, "targets", &primitive->at);
    if (result != PELT_OK || pelti_json_size(targets) == 0)
    {
        return result;
    }
    result = read_targets(g, primitive, targets, pelti_gltf_item(g, PELTI_GLTF_MESHES, mesh));
    return result == PELT_OK ? read_defaults(g, primitive, mesh) : result;
}
