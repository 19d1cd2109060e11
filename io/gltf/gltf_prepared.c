// SPDX-License-Identifier: MIT
// Centers of rotation, mix factors and normal factors that pelt wrote into a file, and whether they
// still fit: other programs change meshes and copy attributes that they do not know.
#include "gltf_normals.h"
#include "gltf_read.h"
#include "pelt/prepare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Allowed distance between a center and the vertex that it should coincide with, as a fraction of
// the mesh's diagonal. It covers rounding to 10 bits; a change of scale or origin is far beyond.
static const float center_tolerance = 1e-3f;

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

// ---------------------------------------------------------------------------------------------
// Carriers: attributes of pelt's own, or TEXCOORD_2 and TEXCOORD_3

static const pelti_json* carrier_of(const pelti_primitive* primitive)
{
    return pelti_json_get(pelti_json_get(primitive->json, "extras"), "pelt_carrier");
}

uint32_t pelti_gltf_count_uv_sets(const pelti_primitive* primitive)
{
    const pelti_json* count = pelti_json_get(carrier_of(primitive), "texcoord");
    double number = pelti_json_is(count, PELTI_JSON_NUMBER) ? count->as.number : -1.0;
    bool is_carrier = (number == 0.0 || number == 1.0 || number == 2.0) &&
                      pelti_json_get(primitive->attributes, "TEXCOORD_2") != NULL &&
                      pelti_json_get(primitive->attributes, "TEXCOORD_3") != NULL;
    return is_carrier ? (uint32_t)number : PELT_MAX_UV_SETS;
}

pelt_result pelti_gltf_read_carried(float** out, pelti_gltf* g, const pelti_primitive* primitive,
                                    const char* name, const char* flag, uint32_t width)
{
    uint32_t given;
    bool is_carried = primitive->mesh->carrier == PELT_CARRIER_TEXCOORD &&
                      pelti_json_get(primitive->attributes, name) == NULL;
    const pelti_json* has_it = pelti_json_get(carrier_of(primitive), flag);
    *out = NULL;
    if (!is_carried)
    {
        return pelti_gltf_attribute(out, &given, g, primitive, name, width, width);
    }
    if (!pelti_json_is(has_it, PELTI_JSON_TRUE))
    {
        return PELT_OK;
    }
    float *first, *second;
    void* memory = NULL;
    size_t count = primitive->mesh->vertex_count;
    PELT_TRY(pelti_gltf_attribute(&first, &given, g, primitive, "TEXCOORD_2", 2, 2));
    PELT_TRY(pelti_gltf_attribute(&second, &given, g, primitive, "TEXCOORD_3", 2, 2));
    PELT_TRY(pelti_gltf_alloc(&memory, g, count * width, sizeof(float)));
    float* floats = memory;
    for (size_t v = 0; v < count; ++v)
    {
        const float values[4] = {first[2 * v], first[2 * v + 1], second[2 * v], second[2 * v + 1]};
        memcpy(floats + v * width, width == 3 ? values : values + 3, width * sizeof *floats);
    }
    *out = floats;
    return PELT_OK;
}

// The check for files without a digest: a vertex with fewer than two influences is its own center.
// Centers of a mesh without influences have no effect.
static bool are_plausible(const pelt_mesh* mesh, const pelt_vec3* cors)
{
    const uint32_t* first = mesh->weights.first;
    pelt_bounds bounds = pelt_bounds_empty();
    pelt_bounds_add(&bounds, mesh->positions, mesh->vertex_count);
    float tolerance = center_tolerance * pelt_bounds_diagonal(&bounds);
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

static pelt_result check_mesh_digest(bool* out, pelti_gltf* g, const pelti_primitive* primitive,
                                     const char* given)
{
    uint64_t digest;
    pelt_result result = pelt_cor_digest(&digest, primitive->mesh);
    *out = result == PELT_OK && pelti_gltf_is_digest(given, digest);
    return result == PELT_OK ? PELT_OK : pelt_error_memory(g->error);
}

static const char pruned_message[] = "belong to weights that were pruned";
static const char stale_message[] =
    "belong to other positions, triangles or weights than it has now";

static pelt_result drop_attribute(pelti_gltf* g, const pelti_primitive* primitive,
                                  pelt_repair_kind kind, const char* why)
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
    pelt_mesh* mesh = primitive->mesh;
    pelt_result result = pelti_gltf_read_carried(&floats, g, primitive, "_PELT_COR", "centers", 3);
    if (result != PELT_OK || floats == NULL)
    {
        return result;
    }
    if (pelti_floats_clean(floats, 3 * (size_t)mesh->vertex_count) > 0)
    {
        return drop_attribute(g, primitive, PELT_REPAIR_CORS_DROPPED, "are not finite");
    }
    if (is_pruned)
    {
        return drop_attribute(g, primitive, PELT_REPAIR_CORS_DROPPED, pruned_message);
    }
    const char* given = pelti_gltf_digest(primitive, "pelt_cor");
    bool is_fitting = given == NULL && are_plausible(mesh, (const pelt_vec3*)floats);
    result = given != NULL ? check_mesh_digest(&is_fitting, g, primitive, given) : PELT_OK;
    if (result == PELT_OK && !is_fitting)
    {
        return drop_attribute(g, primitive, PELT_REPAIR_CORS_DROPPED, stale_message);
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
    pelt_result result = is_pruned ? PELT_OK : check_mesh_digest(&is_fitting, g, primitive, given);
    mesh->is_mix_computed = is_fitting;
    if (result != PELT_OK || is_fitting)
    {
        return result;
    }
    mesh->mix_factors = NULL;
    return drop_attribute(g, primitive, PELT_REPAIR_MIX_DROPPED,
                          is_pruned ? pruned_message : stale_message);
}

// ---------------------------------------------------------------------------------------------
// Normal factors

const pelti_normal_table pelti_normal_tables[PELTI_NORMAL_TABLE_COUNT] = {
    {"WEIGHTS", offsetof(pelt_normal_factor, weight), -1},
    {"ALPHA", offsetof(pelt_normal_factor, alpha), 0},
    {"BETA", offsetof(pelt_normal_factor, beta), 0},
    {"MOMENT_UU", offsetof(pelt_normal_factor, moments), 1},
    {"MOMENT_UV", offsetof(pelt_normal_factor, moments) + 1 * sizeof(float), 1},
    {"MOMENT_VU", offsetof(pelt_normal_factor, moments) + 2 * sizeof(float), 1},
    {"MOMENT_VV", offsetof(pelt_normal_factor, moments) + 3 * sizeof(float), 1},
};

const pelti_normal_array pelti_normal_arrays[PELTI_NORMAL_ARRAY_COUNT] = {
    {PELTI_NORMAL_PREFIX "TANGENT", 3, false},      {PELTI_NORMAL_PREFIX "PLANE_NORMAL", 2, false},
    {PELTI_NORMAL_PREFIX "CENTER", 3, true},        {PELTI_NORMAL_PREFIX "CENTER_RATE_U", 3, true},
    {PELTI_NORMAL_PREFIX "CENTER_RATE_V", 3, true},
};

void pelti_normal_name(char out[PELTI_NORMAL_NAME_SIZE], const char* table, uint32_t group)
{
    snprintf(out, PELTI_NORMAL_NAME_SIZE, PELTI_NORMAL_PREFIX "%s_%u", table, group);
}

enum
{
    MAX_GROUPS = 64 // more than any vertex needs; bounds the time of looking up names
};

typedef struct normals_reader
{
    pelti_gltf* g;
    const pelti_primitive* primitive;
    uint32_t vertex_count;
    uint32_t group_count, slots;
    uint32_t bits;              // of integers; 0: floats
    float* units;               // two for each vertex, where there are bits
    float* lanes;               // room for a group of every vertex
    pelt_normal_factor* padded; // slots for each vertex
    pelt_normal_factors* out;
    bool is_left_out; // and the reason is among the repairs
} normals_reader;

static pelt_result drop_factors(normals_reader* r, const char* name, const char* why)
{
    r->is_left_out = true;
    return pelti_gltf_repair_add(r->g, "normal factors of mesh \"%.60s\": %s%s; they were left out",
                                 r->primitive->mesh->name, name, why);
}

// Progress so far: after a part was left out, later steps are skipped.
static bool goes_on(const normals_reader* r, pelt_result result)
{
    return result == PELT_OK && !r->is_left_out;
}

typedef enum attribute_kind
{
    KIND_FLOAT,
    KIND_JOINT,     // whole, not negative
    KIND_WEIGHT,    // float, or a fraction in as many bits as the reader has found
    KIND_NUMBER,    // float, or a whole number
    KIND_DIRECTION, // float, or a fraction in 16 bits
} attribute_kind;

static bool is_kind(const pelti_accessor* accessor, attribute_kind kind, uint32_t bits)
{
    pelti_component component = accessor->component;
    if (kind == KIND_JOINT)
    {
        return pelti_accessor_is_unsigned(accessor);
    }
    if (kind == KIND_FLOAT || bits == 0)
    {
        return component == PELTI_COMPONENT_F32;
    }
    if (kind == KIND_WEIGHT)
    {
        return accessor->is_normalized &&
               component == (bits == 8 ? PELTI_COMPONENT_U8 : PELTI_COMPONENT_U16);
    }
    bool is_wide = kind == KIND_DIRECTION || bits == 16;
    return accessor->is_normalized == (kind == KIND_DIRECTION) &&
           component == (is_wide ? PELTI_COMPONENT_S16 : PELTI_COMPONENT_S8);
}

static pelt_result open_named(pelti_accessor* out, normals_reader* r, const char* name)
{
    const pelti_primitive* primitive = r->primitive;
    pelti_json_path outer = pelti_json_member(&primitive->at, "attributes");
    pelti_json_path here = pelti_json_member(&outer, name);
    uint32_t index = PELT_NONE;
    PELT_TRY(pelti_gltf_get_index(&index, r->g, PELTI_GLTF_ACCESSORS, primitive->attributes, name,
                                  &outer));
    if (index == PELT_NONE)
    {
        return drop_factors(r, name, " is missing");
    }
    return pelti_accessor_open(out, r->g, index, &here);
}

static const char other_type[] = " has another type or count than it should";

static pelt_result check_kind(normals_reader* r, const pelti_accessor* accessor, const char* name,
                              attribute_kind kind)
{
    return is_kind(accessor, kind, r->bits) && accessor->count == r->vertex_count
               ? PELT_OK
               : drop_factors(r, name, other_type);
}

static pelt_result open_attribute(pelti_accessor* out, normals_reader* r, const char* name,
                                  uint32_t width, attribute_kind kind)
{
    pelt_result result = open_named(out, r, name);
    if (goes_on(r, result))
    {
        result = check_kind(r, out, name, kind);
    }
    return goes_on(r, result) && out->width != width ? drop_factors(r, name, other_type) : result;
}

// ---------------------------------------------------------------------------------------------
// Slots

static pelt_result find_slots(normals_reader* r)
{
    char name[PELTI_NORMAL_NAME_SIZE];
    pelti_accessor first;
    pelti_normal_name(name, pelti_normal_tables[0].name, 0);
    pelt_result result = open_named(&first, r, name);
    if (goes_on(r, result))
    {
        r->bits = first.component == PELTI_COMPONENT_U8    ? 8
                  : first.component == PELTI_COMPONENT_U16 ? 16
                                                           : 0;
        result = check_kind(r, &first, name, KIND_WEIGHT);
    }
    if (!goes_on(r, result))
    {
        return result;
    }
    do
    {
        pelti_normal_name(name, pelti_normal_tables[0].name, ++r->group_count);
    } while (r->group_count < MAX_GROUPS && pelti_json_get(r->primitive->attributes, name) != NULL);
    if (first.width < 2 || first.width > PELTI_NORMAL_LANES ||
        (r->group_count > 1 && first.width < PELTI_NORMAL_LANES))
    {
        return drop_factors(r, "their slots", " do not come by 2, 3 or 4");
    }
    r->slots = first.width + PELTI_NORMAL_LANES * (r->group_count - 1);
    return r->slots > UINT32_MAX / (r->vertex_count + 1u) ? drop_factors(r, "they", " are too many")
                                                          : PELT_OK;
}

static pelt_normal_factor* slot_of(const normals_reader* r, uint32_t vertex, uint32_t group,
                                   uint32_t lane)
{
    return &r->padded[(size_t)vertex * r->slots + PELTI_NORMAL_LANES * group + lane];
}

static pelt_result read_table(normals_reader* r, const pelti_normal_table* table, uint32_t group)
{
    char name[PELTI_NORMAL_NAME_SIZE];
    pelti_accessor accessor;
    uint32_t width = r->slots < PELTI_NORMAL_LANES ? r->slots : PELTI_NORMAL_LANES;
    pelti_normal_name(name, table->name, group);
    pelt_result result =
        open_attribute(&accessor, r, name, width, table->unit < 0 ? KIND_WEIGHT : KIND_NUMBER);
    if (!goes_on(r, result))
    {
        return result;
    }
    pelti_accessor_floats(r->lanes, width, &accessor);
    for (uint32_t v = 0; v < r->vertex_count; ++v)
    {
        float unit =
            r->bits != 0 && table->unit >= 0 ? r->units[2 * (size_t)v + (size_t)table->unit] : 1.0f;
        for (uint32_t k = 0; k < width; ++k)
        {
            float value = r->lanes[(size_t)v * width + k] * unit;
            memcpy((char*)slot_of(r, v, group, k) + table->offset, &value, sizeof value);
        }
    }
    return PELT_OK;
}

// Joints may have unused lanes.

static pelt_result read_joints(normals_reader* r, uint32_t group, uint32_t* lanes)
{
    char name[PELTI_NORMAL_NAME_SIZE];
    pelti_accessor accessor;
    uint32_t used = r->slots < PELTI_NORMAL_LANES ? r->slots : PELTI_NORMAL_LANES;
    pelti_normal_name(name, "JOINTS", group);
    pelt_result result = open_named(&accessor, r, name);
    if (goes_on(r, result))
    {
        result = check_kind(r, &accessor, name, KIND_JOINT);
    }
    if (goes_on(r, result) && (accessor.width < used || accessor.width > PELTI_NORMAL_LANES))
    {
        result = drop_factors(r, name, other_type);
    }
    if (!goes_on(r, result))
    {
        return result;
    }
    pelti_accessor_integers(lanes, accessor.width, &accessor);
    for (uint32_t v = 0; v < r->vertex_count; ++v)
    {
        for (uint32_t k = 0; k < used; ++k)
        {
            uint32_t joint = lanes[(size_t)v * accessor.width + k];
            slot_of(r, v, group, k)->joint =
                joint < PELT_MAX_JOINTS ? (pelt_joint_index)joint : PELT_NO_JOINT;
        }
    }
    return PELT_OK;
}

static pelt_result read_units(normals_reader* r)
{
    void* memory = NULL;
    pelti_accessor accessor;
    pelt_result result = open_attribute(&accessor, r, PELTI_NORMAL_SCALE, 2, KIND_FLOAT);
    if (goes_on(r, result))
    {
        result = pelti_gltf_alloc_scratch(&memory, r->g, r->vertex_count, sizeof(pelt_vec2));
    }
    r->units = memory;
    if (goes_on(r, result))
    {
        pelti_accessor_floats(r->units, 2, &accessor);
    }
    return result;
}

static pelt_result read_slots(normals_reader* r)
{
    void *padded = NULL, *lanes = NULL;
    size_t count = r->vertex_count;
    _Static_assert(sizeof(float) == sizeof(uint32_t), "lanes hold both");
    pelt_result result =
        pelti_gltf_alloc_scratch(&padded, r->g, count * r->slots, sizeof *r->padded);
    if (result == PELT_OK)
    {
        result = pelti_gltf_alloc_scratch(&lanes, r->g, count * PELTI_NORMAL_LANES, sizeof(float));
    }
    r->padded = padded;
    r->lanes = lanes;
    if (result == PELT_OK && r->bits != 0)
    {
        result = read_units(r);
    }
    for (uint32_t group = 0; group < r->group_count && goes_on(r, result); ++group)
    {
        result = read_joints(r, group, lanes);
        for (uint32_t i = 0; i < PELTI_NORMAL_TABLE_COUNT && goes_on(r, result); ++i)
        {
            result = read_table(r, &pelti_normal_tables[i], group);
        }
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// From slots to factors packed end to end

static bool is_used(const pelt_normal_factor* slot)
{
    for (uint32_t i = 0; i < PELTI_NORMAL_TABLE_COUNT; ++i)
    {
        float value;
        memcpy(&value, (const char*)slot + pelti_normal_tables[i].offset, sizeof value);
        if (value != 0.0f)
        {
            return true;
        }
    }
    return false;
}

static uint32_t count_used(const normals_reader* r, uint32_t vertex)
{
    uint32_t count = r->slots;
    while (count > 0 && !is_used(&r->padded[(size_t)vertex * r->slots + count - 1]))
    {
        --count;
    }
    return count;
}

// The lanes that the writer provides: arrays of integers may have unused ones.
static uint32_t slot_count_of(const normals_reader* r, uint32_t most)
{
    const pelti_json* extras = pelti_json_get(r->primitive->json, "extras");
    const pelti_json* json = pelti_json_get(pelti_json_get(extras, "pelt_normals"), "joints");
    double count = pelti_json_is(json, PELTI_JSON_NUMBER) ? json->as.number : 0.0;
    bool is_known = count == 2.0 || count == 3.0 || count == 4.0 || count == 8.0;
    return is_known && count >= most && count <= r->slots ? (uint32_t)count : 0;
}

static pelt_result pack_slots(normals_reader* r)
{
    void *memory = NULL, *factors = NULL;
    PELT_TRY(pelti_gltf_alloc(&memory, r->g, (size_t)r->vertex_count + 1, sizeof(uint32_t)));
    uint32_t *first = memory, most = 0;
    for (uint32_t v = 0; v < r->vertex_count; ++v)
    {
        uint32_t count = count_used(r, v);
        first[v + 1] = first[v] + count;
        most = count > most ? count : most;
    }
    uint32_t total = first[r->vertex_count];
    PELT_TRY(pelti_gltf_alloc(&factors, r->g, total, sizeof(pelt_normal_factor)));
    for (uint32_t v = 0; v < r->vertex_count; ++v)
    {
        memcpy((pelt_normal_factor*)factors + first[v], r->padded + (size_t)v * r->slots,
               (first[v + 1] - first[v]) * sizeof(pelt_normal_factor));
    }
    *r->out = (pelt_normal_factors){.vertex_count = r->vertex_count,
                                    .joint_count = r->primitive->mesh->weights.joint_count,
                                    .factor_count = total,
                                    .max_factors = most,
                                    .slot_count = slot_count_of(r, most),
                                    .bits = r->bits,
                                    .first = first,
                                    .factors = factors};
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Axes and centers

static bool has_centers(const normals_reader* r)
{
    for (uint32_t i = 0; i < PELTI_NORMAL_ARRAY_COUNT; ++i)
    {
        if (pelti_normal_arrays[i].is_center &&
            pelti_json_get(r->primitive->attributes, pelti_normal_arrays[i].name) != NULL)
        {
            return true;
        }
    }
    return false;
}

// @param width  numbers that are used; elements may have one more
static void read_array(const normals_reader* r, float* out, uint32_t stride, uint32_t width,
                       const pelti_accessor* accessor)
{
    if (accessor->width == width)
    {
        pelti_accessor_floats(out, stride, accessor);
        return;
    }
    pelti_accessor_floats(r->lanes, PELTI_NORMAL_LANES, accessor);
    for (size_t v = 0; v < r->vertex_count; ++v)
    {
        memcpy(out + v * stride, r->lanes + v * PELTI_NORMAL_LANES, width * sizeof *out);
    }
}

static pelt_result read_arrays(normals_reader* r)
{
    enum
    {
        WIDTHS = 3 + 2 + 3 + 6
    };
    size_t count = r->vertex_count;
    bool is_centered = has_centers(r);
    void* memory = NULL;
    pelt_result result =
        pelti_gltf_alloc(&memory, r->g, count * (is_centered ? WIDTHS : 5), sizeof(float));
    float *tangents = memory, *plane_normals = tangents + 3 * count,
          *centers = plane_normals + 2 * count, *gradients = centers + 3 * count;
    const struct
    {
        float* to;
        uint32_t stride;
    } targets[PELTI_NORMAL_ARRAY_COUNT] = {
        {tangents, 3}, {plane_normals, 2}, {centers, 3}, {gradients, 6}, {gradients + 3, 6}};
    for (uint32_t i = 0; i < PELTI_NORMAL_ARRAY_COUNT && goes_on(r, result); ++i)
    {
        const pelti_normal_array* array = &pelti_normal_arrays[i];
        pelti_accessor accessor;
        if (array->is_center && !is_centered)
        {
            continue;
        }
        bool is_short = r->bits != 0 && !array->is_center;
        uint32_t width =
            is_short ? pelti_normal_lanes(array->width, sizeof(int16_t)) : array->width;
        result = open_attribute(&accessor, r, array->name, width,
                                array->is_center ? KIND_FLOAT : KIND_DIRECTION);
        if (goes_on(r, result))
        {
            read_array(r, targets[i].to, targets[i].stride, array->width, &accessor);
        }
    }
    r->out->tangents = (const pelt_vec3*)tangents;
    r->out->plane_normals = (const pelt_vec2*)plane_normals;
    r->out->centers = is_centered ? (const pelt_vec3*)centers : NULL;
    r->out->center_derivatives = is_centered ? (const pelt_vec3*)gradients : NULL;
    return result;
}

// ---------------------------------------------------------------------------------------------

static bool has_any(const pelti_json* attributes)
{
    for (uint32_t i = 0; i < attributes->count; ++i)
    {
        const char* key = pelti_json_string(&attributes->as.values[2 * (size_t)i]);
        if (strncmp(key, PELTI_NORMAL_PREFIX, strlen(PELTI_NORMAL_PREFIX)) == 0)
        {
            return true;
        }
    }
    return false;
}

static pelt_result check(normals_reader* r)
{
    pelt_error why = {{0}};
    if (pelt_normal_factors_validate(r->out, r->primitive->mesh, &why) == PELT_OK)
    {
        return PELT_OK;
    }
    r->is_left_out = true;
    return pelti_gltf_repair_add(r->g, "%s; they were left out", why.message);
}

// Factors of another mesh may be valid as well: only the digest tells.
static pelt_result check_digest(normals_reader* r)
{
    const pelt_mesh* mesh = r->primitive->mesh;
    const char* given = pelti_gltf_digest(r->primitive, "pelt_normals");
    uint64_t digest;
    if (pelt_normal_digest(&digest, mesh, r->out->centers != NULL ? mesh->cors : NULL) != PELT_OK)
    {
        return pelt_error_memory(r->g->error);
    }
    if (given != NULL && pelti_gltf_is_digest(given, digest))
    {
        return PELT_OK;
    }
    return drop_factors(r, "",
                        given != NULL
                            ? "they belong to other positions, normals, triangles, weights "
                              "or centers than it has now"
                            : "there is no digest that says what they belong to");
}

static pelt_result read_all(normals_reader* r)
{
    static pelt_result (*const steps[])(normals_reader * r) = {
        find_slots, read_slots, pack_slots, read_arrays, check, check_digest};
    void* memory = NULL;
    pelt_result result = pelti_gltf_alloc(&memory, r->g, 1, sizeof *r->out);
    r->out = memory;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && goes_on(r, result); ++i)
    {
        result = steps[i](r);
    }
    if (goes_on(r, result))
    {
        r->primitive->mesh->normal_factors = r->out;
    }
    return result;
}

pelt_result pelti_gltf_read_normals(pelti_gltf* g, const pelti_primitive* primitive, bool is_pruned)
{
    normals_reader reader = {
        .g = g, .primitive = primitive, .vertex_count = primitive->mesh->vertex_count};
    if (!has_any(primitive->attributes))
    {
        return PELT_OK;
    }
    pelt_result result = is_pruned ? drop_factors(&reader, "its weights were pruned", "")
                         : primitive->mesh->weights.first == NULL
                             ? drop_factors(&reader, "it has no weights", "")
                             : read_all(&reader);
    if (result == PELT_OK && reader.is_left_out)
    {
        pelti_repairs_classify(&g->repairs, PELT_REPAIR_NORMALS_DROPPED, 0);
    }
    return result;
}
