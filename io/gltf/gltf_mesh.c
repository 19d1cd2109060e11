// SPDX-License-Identifier: MIT
// Meshes: one for each primitive that has triangles, in the order of the file, with its triangles
// and morph targets.
#include "gltf_read.h"

#include <stdio.h>
#include <string.h>

enum
{
    MODE_TRIANGLES = 4,
    MODE_STRIP = 5,
    MODE_FAN = 6,
};

// Corners in the order of the primitive.
typedef struct corners
{
    uint32_t* indices;
    uint32_t count;
} corners;

static pelt_result check_indices(pelti_gltf* g, const corners* c, uint32_t vertex_count,
                                 const pelti_json_path* at)
{
    for (uint32_t i = 0; i < c->count; ++i)
    {
        if (c->indices[i] >= vertex_count)
        {
            return pelti_gltf_fail(g, at, "index %u is %u, but there are %u vertices", i,
                                   c->indices[i], vertex_count);
        }
    }
    return PELT_OK;
}

static pelt_result read_indices(corners* out, pelti_gltf* g, const pelti_primitive* primitive,
                                uint32_t index)
{
    pelti_json_path here = pelti_json_member(&primitive->at, "indices");
    pelti_accessor accessor;
    void* memory = NULL;
    pelt_result result = pelti_accessor_open(&accessor, g, index, &here);
    if (result == PELT_OK && (accessor.width != 1 || !pelti_accessor_is_unsigned(&accessor)))
    {
        result = pelti_gltf_fail(g, &here, "accessor %u must hold single unsigned integers", index);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_alloc(&memory, g, accessor.count, sizeof(uint32_t));
    }
    if (result != PELT_OK)
    {
        return result;
    }
    pelti_accessor_integers(memory, 1, &accessor);
    *out = (corners){memory, accessor.count};
    return check_indices(g, out, primitive->mesh->vertex_count, &here);
}

static pelt_result count_up(corners* out, pelti_gltf* g, uint32_t vertex_count)
{
    void* memory = NULL;
    pelt_result result = pelti_gltf_alloc(&memory, g, vertex_count, sizeof(uint32_t));
    *out = (corners){memory, result == PELT_OK ? vertex_count : 0};
    for (uint32_t i = 0; i < out->count; ++i)
    {
        out->indices[i] = i;
    }
    return result;
}

// Triangle i of a strip or fan, by the glTF specification, 3.7.2.1.
static void unroll(uint32_t* out, const corners* c, size_t mode)
{
    for (uint32_t i = 0; i + 2 < c->count; ++i, out += 3)
    {
        uint32_t odd = i % 2;
        bool is_strip = mode == MODE_STRIP;
        out[0] = c->indices[is_strip ? i : i + 1];
        out[1] = c->indices[is_strip ? i + 1 + odd : i + 2];
        out[2] = c->indices[is_strip ? i + 2 - odd : 0];
    }
}

static pelt_result unroll_corners(corners* c, pelti_gltf* g, size_t mode)
{
    uint32_t triangles = c->count < 3 ? 0 : c->count - 2;
    if (triangles > UINT32_MAX / 3)
    {
        return pelti_gltf_fail(g, NULL, "%u triangles are more than pelt can count", triangles);
    }
    void* memory = NULL;
    PELT_TRY(pelti_gltf_alloc(&memory, g, 3 * (size_t)triangles, sizeof(uint32_t)));
    unroll(memory, c, mode);
    *c = (corners){memory, 3 * triangles};
    return PELT_OK;
}

static pelt_result gltf_read_triangles(pelti_gltf* g, const pelti_primitive* primitive)
{
    pelt_mesh* mesh = primitive->mesh;
    uint32_t index = PELT_NONE;
    size_t mode = MODE_TRIANGLES;
    corners c = {0};
    pelt_result result = pelti_gltf_get_index(&index, g, PELTI_GLTF_ACCESSORS, primitive->json,
                                              "indices", &primitive->at);
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_size(&mode, g, primitive->json, "mode", &primitive->at);
    }
    if (result == PELT_OK)
    {
        result = index != PELT_NONE ? read_indices(&c, g, primitive, index)
                                    : count_up(&c, g, mesh->vertex_count);
    }
    if (result == PELT_OK && mode != MODE_TRIANGLES)
    {
        result = unroll_corners(&c, g, mode);
    }
    if (result == PELT_OK && c.count % 3 != 0)
    {
        result = pelti_gltf_repair_add(g, "mesh \"%.60s\": left out %u %s no triangle", mesh->name,
                                       c.count % 3,
                                       pelti_plural(c.count % 3, "corner at its end that makes",
                                                    "corners at its end that make"));
    }
    mesh->indices = c.indices;
    mesh->index_count = c.count - c.count % 3;
    return result;
}

// ---------------------------------------------------------------------------------------------
static pelt_result read_shape(pelt_vec3** out, pelti_gltf* g, const pelti_primitive* primitive,
                              const pelti_json* target, const char* name, const pelti_json_path* at)
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
    return bad == 0 ? PELT_OK
                    : pelti_gltf_repair_count(
                          g, PELT_REPAIR_NOT_FINITE, bad,
                          "mesh \"%.60s\": set %zu %s of a morph target's %s to 0, not "
                          "finite",
                          mesh->name, bad, pelti_plural(bad, "number", "numbers"), name);
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
                               const pelti_json* target, const pelti_json_path* at)
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
    pelti_json_path here = pelti_json_member(&primitive->at, "targets");
    void* memory = NULL;
    pelt_result result = pelti_gltf_alloc(&memory, g, count, sizeof(pelt_morph));
    pelt_morph* morphs = memory;
    for (size_t i = 0; i < count && result == PELT_OK; ++i)
    {
        pelti_json_path element = pelti_json_element(&here, i);
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
// node that has any replace them.
static pelt_result read_defaults(pelti_gltf* g, const pelti_primitive* primitive, uint32_t mesh)
{
    uint32_t node = g->meshes[mesh].weight_node;
    pelti_gltf_kind kind = node != PELT_NONE ? PELTI_GLTF_NODES : PELTI_GLTF_MESHES;
    uint32_t index = node != PELT_NONE ? node : mesh;
    const pelti_json* owner = pelti_gltf_item(g, kind, index);
    pelti_json_path list = {.member = pelti_gltf_kind_name(kind)},
                    at = pelti_json_element(&list, index);
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
    PELT_TRY(read_targets(g, primitive, targets, pelti_gltf_item(g, PELTI_GLTF_MESHES, mesh)));
    return read_defaults(g, primitive, mesh);
}

// ---------------------------------------------------------------------------------------------
// ---------------------------------------------------------------------------------------------
// Attributes

size_t pelti_floats_clean(float* values, size_t count)
{
    size_t bad = 0;
    for (size_t i = 0; i < count; ++i)
    {
        if (!isfinite(values[i]))
        {
            values[i] = 0.0f;
            ++bad;
        }
    }
    return bad;
}

pelt_result pelti_gltf_attribute_of(float** out, uint32_t* given_width, pelti_gltf* g,
                                    const pelti_json* attributes, const char* name,
                                    uint32_t min_width, uint32_t width, uint32_t vertex_count,
                                    const pelti_json_path* at)
{
    uint32_t index = PELT_NONE;
    pelti_accessor accessor;
    pelti_json_path here = pelti_json_member(at, name);
    *out = NULL;
    pelt_result result =
        pelti_gltf_get_index(&index, g, PELTI_GLTF_ACCESSORS, attributes, name, at);
    if (result != PELT_OK || index == PELT_NONE)
    {
        return result;
    }
    PELT_TRY(pelti_accessor_open(&accessor, g, index, &here));
    if (accessor.width < min_width || accessor.width > width)
    {
        return pelti_gltf_fail(g, &here, "accessor %u has %u components per element instead of %u",
                               index, accessor.width, width);
    }
    if (accessor.count != vertex_count)
    {
        return pelti_gltf_fail(g, &here, "accessor %u has %u elements for %u vertices", index,
                               accessor.count, vertex_count);
    }
    void* memory = NULL;
    result = pelti_gltf_alloc(&memory, g, accessor.count, width * sizeof(float));
    if (result == PELT_OK)
    {
        pelti_accessor_floats(memory, width, &accessor);
        *out = memory;
        *given_width = accessor.width;
    }
    return result;
}

pelt_result pelti_gltf_attribute(float** out, uint32_t* given_width, pelti_gltf* g,
                                 const pelti_primitive* primitive, const char* name,
                                 uint32_t min_width, uint32_t width)
{
    pelti_json_path here = pelti_json_member(&primitive->at, "attributes");
    return pelti_gltf_attribute_of(out, given_width, g, primitive->attributes, name, min_width,
                                   width, primitive->mesh->vertex_count, &here);
}

static pelt_result read_positions(pelti_gltf* g, const pelti_primitive* primitive)
{
    pelti_json_path outer = pelti_json_member(&primitive->at, "attributes");
    pelti_json_path here = pelti_json_member(&outer, "POSITION");
    uint32_t index = 0, width;
    pelti_accessor accessor;
    float* floats = NULL;
    pelt_result result = pelti_gltf_get_index(&index, g, PELTI_GLTF_ACCESSORS,
                                              primitive->attributes, "POSITION", &outer);
    if (result == PELT_OK)
    {
        result = pelti_accessor_open(&accessor, g, index, &here);
    }
    if (result == PELT_OK && accessor.data == NULL && accessor.sparse_count == 0 &&
        pelti_gltf_extension(primitive->json, PELTI_GLTF_DRACO) != NULL)
    {
        result = pelti_gltf_fail_draco(g, &primitive->at);
    }
    if (result == PELT_OK)
    {
        primitive->mesh->vertex_count = accessor.count;
        result = pelti_gltf_attribute(&floats, &width, g, primitive, "POSITION", 3, 3);
    }
    for (size_t i = 0; result == PELT_OK && i < 3 * (size_t)accessor.count; ++i)
    {
        if (!isfinite(floats[i]))
        {
            result = pelti_gltf_fail(g, &here, "the position of vertex %zu is not finite", i / 3);
        }
    }
    primitive->mesh->positions = (const pelt_vec3*)floats;
    return result;
}

// Normalize a direction. Returns true when it was far from unit length: quantized ones are off by 1
// %.
static bool fix_direction(float v[3], pelt_vec3 instead)
{
    double square =
        (double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2];
    // A direction of unit length up to rounding keeps its bits.
    if (fabs(square - 1.0) < 1e-6)
    {
        return false;
    }
    pelt_vec3 unit = isfinite(square) && square > 0.0
                         ? pelt_vec3_normalize(pelt_vec3_make(v[0], v[1], v[2]))
                         : instead;
    v[0] = unit.x;
    v[1] = unit.y;
    v[2] = unit.z;
    return !(fabs(square - 1.0) < 0.05);
}

static pelt_result read_normals(pelti_gltf* g, const pelti_primitive* primitive)
{
    float* floats;
    uint32_t width, bad = 0;
    pelt_mesh* mesh = primitive->mesh;
    pelt_result result = pelti_gltf_attribute(&floats, &width, g, primitive, "NORMAL", 3, 3);
    for (size_t i = 0; floats != NULL && i < mesh->vertex_count; ++i)
    {
        bad += fix_direction(floats + 3 * i, pelt_vec3_make(0.0f, 1.0f, 0.0f));
    }
    mesh->normals = (const pelt_vec3*)floats;
    return result == PELT_OK && bad > 0
               ? pelti_gltf_repair_count(g, PELT_REPAIR_DIRECTION_LENGTH, bad,
                                         "mesh \"%.60s\": normalized %u %s not of unit length",
                                         mesh->name, bad, pelti_plural(bad, "normal", "normals"))
               : result;
}

static pelt_result read_tangents(pelti_gltf* g, const pelti_primitive* primitive)
{
    float* floats;
    uint32_t width, bad = 0;
    pelt_mesh* mesh = primitive->mesh;
    pelt_result result = pelti_gltf_attribute(&floats, &width, g, primitive, "TANGENT", 4, 4);
    for (size_t i = 0; floats != NULL && i < mesh->vertex_count; ++i)
    {
        bad += fix_direction(floats + 4 * i, pelt_vec3_make(1.0f, 0.0f, 0.0f));
        floats[4 * i + 3] = floats[4 * i + 3] < 0.0f ? -1.0f : 1.0f;
    }
    mesh->tangents = (const pelt_vec4*)floats;
    return result == PELT_OK && bad > 0
               ? pelti_gltf_repair_count(g, PELT_REPAIR_DIRECTION_LENGTH, bad,
                                         "mesh \"%.60s\": normalized %u %s not of unit length",
                                         mesh->name, bad, pelti_plural(bad, "tangent", "tangents"))
               : result;
}

// Attributes for display: NaN becomes zero.
static pelt_result clean_attribute(pelti_gltf* g, const char* mesh, const char* name, float* floats,
                                   size_t count)
{
    size_t bad = floats != NULL ? pelti_floats_clean(floats, count) : 0;
    return bad == 0
               ? PELT_OK
               : pelti_gltf_repair_count(g, PELT_REPAIR_NOT_FINITE, bad,
                                         "mesh \"%.60s\": set %zu %s of %s to 0, not finite", mesh,
                                         bad, pelti_plural(bad, "number", "numbers"), name);
}

static pelt_result read_uv_set(const pelt_vec2** out, pelti_gltf* g,
                               const pelti_primitive* primitive, uint32_t uv_set)
{
    float* floats;
    uint32_t width;
    char name[32];
    const pelt_mesh* mesh = primitive->mesh;
    snprintf(name, sizeof name, "TEXCOORD_%u", uv_set);
    PELT_TRY(pelti_gltf_attribute(&floats, &width, g, primitive, name, 2, 2));
    *out = (const pelt_vec2*)floats;
    return clean_attribute(g, mesh->name, name, floats, 2 * (size_t)mesh->vertex_count);
}

static pelt_result read_uvs(pelti_gltf* g, const pelti_primitive* primitive)
{
    pelt_mesh* mesh = primitive->mesh;
    uint32_t count = pelti_gltf_count_uv_sets(primitive);
    mesh->carrier = count < PELT_MAX_UV_SETS ? PELT_CARRIER_TEXCOORD : PELT_CARRIER_ATTRIBUTES;
    if (count > 0)
    {
        PELT_TRY(read_uv_set(&mesh->uvs, g, primitive, 0));
    }
    for (uint32_t i = 1; i < count; ++i)
    {
        PELT_TRY(read_uv_set(&mesh->more_uvs[i - 1], g, primitive, i));
    }
    return PELT_OK;
}

static pelt_result read_colors(pelti_gltf* g, const pelti_primitive* primitive)
{
    float* floats;
    uint32_t width = 4;
    pelt_mesh* mesh = primitive->mesh;
    PELT_TRY(pelti_gltf_attribute(&floats, &width, g, primitive, "COLOR_0", 3, 4));
    for (size_t i = 0; floats != NULL && width == 3 && i < mesh->vertex_count; ++i)
    {
        floats[4 * i + 3] = 1.0f;
    }
    mesh->colors = (const pelt_vec4*)floats;
    return clean_attribute(g, mesh->name, "COLOR_0", floats, 4 * (size_t)mesh->vertex_count);
}

// Factors between LBS and DQS that pelt wrote into the file.
static pelt_result read_mix_factors(pelti_gltf* g, const pelti_primitive* primitive)
{
    float* floats;
    uint32_t bad = 0;
    pelt_mesh* mesh = primitive->mesh;
    pelt_result result = pelti_gltf_read_carried(&floats, g, primitive, "_PELT_MIX", "mix", 1);
    for (size_t i = 0; floats != NULL && i < mesh->vertex_count; ++i)
    {
        // NaN becomes the lower end.
        float inside = fminf(fmaxf(floats[i], 0.0f), 1.0f);
        bad += floats[i] != inside;
        floats[i] = inside;
    }
    mesh->mix_factors = floats;
    return result == PELT_OK && bad > 0
               ? pelti_gltf_repair_add(g, "mesh \"%.60s\": clamped %u %s of _PELT_MIX to 0 to 1",
                                       mesh->name, bad, pelti_plural(bad, "factor", "factors"))
               : result;
}

// The method that pelt wrote into the file.
static pelt_result read_method(pelti_gltf* g, const pelti_primitive* primitive)
{
    const pelti_json* extras = pelti_json_get(primitive->json, "extras");
    const pelti_json* skinning = pelti_json_get(extras, "pelt_skinning");
    const char* name = pelti_json_string(pelti_json_get(skinning, "method"));
    pelt_method method = name != NULL ? pelt_method_find(name) : PELT_METHOD_COUNT;
    if (skinning == NULL)
    {
        return PELT_OK;
    }
    if (method == PELT_METHOD_COUNT)
    {
        return pelti_gltf_repair_add(g,
                                     "mesh \"%.60s\": its extras.pelt_skinning was ignored: "
                                     "\"%.20s\" is not a method",
                                     primitive->mesh->name, name != NULL ? name : "");
    }
    primitive->mesh->has_method = true;
    primitive->mesh->method = method;
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Primitives

static pelt_result read_primitive(pelti_gltf* g, const pelti_primitive* primitive, uint32_t mesh)
{
    static pelt_result (*const steps[])(pelti_gltf * g, const pelti_primitive* primitive) = {
        pelti_gltf_decode_draco, read_positions, read_normals,
        read_tangents,           read_uvs,       read_colors,
        read_mix_factors,        read_method,    gltf_read_triangles};
    pelt_result result = PELT_OK;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == PELT_OK; ++i)
    {
        result = steps[i](g, primitive);
    }
    bool is_pruned = false;
    if (result == PELT_OK)
    {
        result = pelti_gltf_read_weights(&is_pruned, g, primitive, g->meshes[mesh].joint_count);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_read_cors(g, primitive, is_pruned);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_check_mix(g, primitive, is_pruned);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_read_normals(g, primitive, is_pruned);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_read_bounds(g, primitive);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_read_morphs(g, primitive, mesh);
    }
    primitive->mesh->material = PELT_NONE;
    return result == PELT_OK
               ? pelti_gltf_get_index(&primitive->mesh->material, g, PELTI_GLTF_MATERIALS,
                                      primitive->json, "material", &primitive->at)
               : result;
}

// Only primitives with triangles become meshes.
static pelt_result is_kept(bool* out, pelti_gltf* g, const pelti_json* primitive,
                           const pelti_json_path* at)
{
    size_t mode = 4;
    const pelti_json* attributes = NULL;
    *out = false;
    if (!pelti_json_is(primitive, PELTI_JSON_OBJECT))
    {
        return pelti_gltf_fail(g, at, "this must be an object");
    }
    pelt_result result = pelti_gltf_get_size(&mode, g, primitive, "mode", at);
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_object(&attributes, g, primitive, "attributes", at);
    }
    if (result == PELT_OK && mode > 6)
    {
        result = pelti_gltf_fail(g, at, "%zu is no mode of a primitive", mode);
    }
    *out = mode >= 4 && pelti_json_get(attributes, "POSITION") != NULL;
    return result;
}

static pelt_result count_primitives(pelti_gltf* g, uint32_t index)
{
    pelti_json_path list = {.member = "meshes"}, at = pelti_json_element(&list, index);
    pelti_json_path here = pelti_json_member(&at, "primitives");
    const pelti_json* primitives = NULL;
    pelti_gltf_mesh* mesh = &g->meshes[index];
    pelt_result result = pelti_gltf_get_array(
        &primitives, g, pelti_gltf_item(g, PELTI_GLTF_MESHES, index), "primitives", &at);
    mesh->first = g->scene->mesh_count;
    for (size_t i = 0; i < pelti_json_size(primitives) && result == PELT_OK; ++i)
    {
        pelti_json_path element = pelti_json_element(&here, i);
        bool is_counted;
        result = is_kept(&is_counted, g, pelti_json_at(primitives, i), &element);
        mesh->count += is_counted;
        if (result == PELT_OK && !is_counted)
        {
            result = pelti_gltf_repair_add(
                g,
                "primitive %zu of mesh %u has no triangles (points, lines or no POSITION) and "
                "was left out",
                i, index);
        }
    }
    g->scene->mesh_count += mesh->count;
    return result;
}

static pelt_result name_mesh(pelt_mesh* out, pelti_gltf* g, const pelti_json* json, uint32_t index,
                             size_t part)
{
    pelti_json_path list = {.member = "meshes"}, at = pelti_json_element(&list, index);
    pelt_result result = pelti_gltf_name(&out->name, g, json, "mesh", index, &at);
    if (result == PELT_OK && g->meshes[index].count > 1)
    {
        out->name = pelt_arena_format(g->arena, "%s_%zu", out->name, part);
        result = out->name != NULL ? PELT_OK : pelt_error_memory(g->error);
    }
    return result;
}

static pelt_result read_mesh(pelt_mesh* meshes, pelti_gltf* g, uint32_t index)
{
    pelti_json_path list = {.member = "meshes"}, at = pelti_json_element(&list, index);
    pelti_json_path here = pelti_json_member(&at, "primitives");
    const pelti_json* json = pelti_gltf_item(g, PELTI_GLTF_MESHES, index);
    const pelti_json* primitives = pelti_json_get(json, "primitives");
    uint32_t next = g->meshes[index].first;
    pelt_result result = PELT_OK;
    for (size_t i = 0; i < pelti_json_size(primitives) && result == PELT_OK; ++i)
    {
        pelti_primitive primitive = {.json = pelti_json_at(primitives, i),
                                     .at = pelti_json_element(&here, i)};
        primitive.attributes = pelti_json_get(primitive.json, "attributes");
        bool is_counted;
        result = is_kept(&is_counted, g, primitive.json, &primitive.at);
        if (result != PELT_OK || !is_counted)
        {
            continue;
        }
        primitive.mesh = &meshes[next++];
        g->repairs.mesh_number = next;
        result = name_mesh(primitive.mesh, g, json, index, i);
        if (result == PELT_OK)
        {
            result = read_primitive(g, &primitive, index);
        }
    }
    g->repairs.mesh_number = 0;
    return result;
}

// ---------------------------------------------------------------------------------------------

// Properties of meshes that depend on the nodes that use them.
static pelt_result gather_uses(pelti_gltf* g)
{
    for (uint32_t i = 0; i < g->lists[PELTI_GLTF_MESHES].count; ++i)
    {
        g->meshes[i] = (pelti_gltf_mesh){.weight_node = PELT_NONE};
    }
    for (uint32_t i = 0; i < g->lists[PELTI_GLTF_NODES].count; ++i)
    {
        const pelti_gltf_node* node = &g->nodes[i];
        if (node->mesh == PELT_NONE)
        {
            continue;
        }
        pelti_gltf_mesh* mesh = &g->meshes[node->mesh];
        // A node outside of the scene has no instance: weights for its skin could not be written.
        bool has_skin = node->is_visible && node->skin != PELT_NONE;
        uint32_t joints = has_skin ? g->scene->skins[node->skin].joint_count : 0;
        bool is_smaller = mesh->joint_count == 0 || joints < mesh->joint_count;
        mesh->joint_count = joints > 0 && is_smaller ? joints : mesh->joint_count;

        bool has_weights =
            pelti_json_get(pelti_gltf_item(g, PELTI_GLTF_NODES, i), "weights") != NULL;
        if (node->is_visible && has_weights && mesh->weight_node == PELT_NONE)
        {
            mesh->weight_node = i;
        }
    }
    return PELT_OK;
}

pelt_result pelti_gltf_read_meshes(pelti_gltf* g)
{
    uint32_t count = g->lists[PELTI_GLTF_MESHES].count;
    void* memory = NULL;
    pelt_result result = gather_uses(g);
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        result = count_primitives(g, i);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_alloc(&memory, g, g->scene->mesh_count, sizeof(pelt_mesh));
    }
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        result = read_mesh(memory, g, i);
    }
    g->decoded_count = 0; // accessors are those of the file again
    g->scene->meshes = memory;
    return result;
}
