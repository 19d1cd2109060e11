// SPDX-License-Identifier: MIT
// Primitives of KHR_draco_mesh_compression: the arrays of their accessors, decoded.
#include "draco_decode.h"
#include "gltf_read.h"

#ifndef PELT_WITH_DRACO

const bool pelti_gltf_has_draco = false;

// A primitive that exists only in compressed form is refused where positions are read.
pelt_result pelti_gltf_decode_draco(pelti_gltf* g, const pelti_primitive* primitive)
{
    (void)g, (void)primitive;
    return PELT_OK;
}

#else

const bool pelti_gltf_has_draco = true;

enum
{
    // Bytes that libdraco uses for the connectivity of a triangle and of a vertex.
    FACE_SIZE = 128,
    POINT_SIZE = 64,
    MODE_TRIANGLES = 4,
};

typedef struct draco_reader
{
    pelti_gltf* g;
    const pelti_primitive* primitive;
    const pelti_json* attributes; // of the extension: unique ids by names
    pelti_json_path at;           // the extension
    pelti_accessor indices, positions;
    pelti_draco* mesh;
} draco_reader;

static pelt_result fail(draco_reader* r, pelti_draco_status status, const char* name)
{
    switch (status)
    {
    case PELTI_DRACO_OK:
        return PELT_OK;
    case PELTI_DRACO_MEMORY:
        return pelt_error_memory(r->g->error);
    case PELTI_DRACO_LIMITS:
        return pelti_load_fail_memory(&r->g->budget, r->g->path, r->g->error);
    case PELTI_DRACO_COUNTS:
        return pelti_gltf_fail(r->g, &r->at,
                               "the compressed mesh does not have the %u indices and %u vertices "
                               "of its accessors",
                               r->indices.count, r->positions.count);
    case PELTI_DRACO_MISSING:
        return pelti_gltf_fail(r->g, &r->at,
                               "the compressed mesh has no attribute for %.40s with as many "
                               "components as its accessor",
                               name);
    case PELTI_DRACO_BROKEN:
        break;
    }
    return pelti_gltf_fail(r->g, &r->at, "the Draco data are broken");
}

static pelt_result open_accessor(pelti_accessor* out, draco_reader* r, const pelti_json* owner,
                                 const char* name)
{
    uint32_t index = PELT_NONE;
    const pelti_json_path* at = &r->primitive->at;
    PELT_TRY(pelti_gltf_get_index(&index, r->g, PELTI_GLTF_ACCESSORS, owner, name, at));
    return index != PELT_NONE
               ? pelti_accessor_open(out, r->g, index, at)
               : pelti_gltf_fail(r->g, at, "a compressed primitive must have %.40s", name);
}

// Room for decoded elements, charged like the elements of any other array.
static pelt_result add_array(pelti_gltf_decoded** out, draco_reader* r, const char* name,
                             const pelti_accessor* accessor, size_t component_size)
{
    pelti_gltf* g = r->g;
    void* memory = NULL;
    PELT_TRY(
        pelti_gltf_alloc_scratch(&memory, g, accessor->count, accessor->width * component_size));
    *out = &g->decoded[g->decoded_count++];
    **out = (pelti_gltf_decoded){.name = name,
                                 .accessor = accessor->index,
                                 .data = memory,
                                 .component = accessor->component,
                                 .stride = accessor->width * component_size};
    return PELT_OK;
}

static pelt_result decode_indices(draco_reader* r)
{
    pelti_gltf_decoded* array;
    PELT_TRY(add_array(&array, r, NULL, &r->indices, sizeof(uint32_t)));
    array->component = PELTI_COMPONENT_U32;
    pelti_draco_faces(array->data, r->mesh);
    return PELT_OK;
}

static pelt_result decode_attribute(draco_reader* r, const char* name)
{
    pelti_accessor accessor;
    pelti_gltf_decoded* array;
    size_t id = 0;
    PELT_TRY(pelti_gltf_get_size(&id, r->g, r->attributes, name, &r->at));
    PELT_TRY(open_accessor(&accessor, r, r->primitive->attributes, name));
    if (accessor.count != r->positions.count)
    {
        return pelti_gltf_fail(r->g, &r->at, "accessor %u has %u elements for %u vertices",
                               accessor.index, accessor.count, r->positions.count);
    }
    PELT_TRY(add_array(&array, r, name, &accessor, pelti_component_size(accessor.component)));
    pelti_draco_status status =
        id <= UINT32_MAX ? pelti_draco_values(array->data, r->mesh, (uint32_t)id, accessor.width,
                                              (pelti_draco_component)accessor.component)
                         : PELTI_DRACO_MISSING;
    return fail(r, status, name);
}

static pelt_result decode_arrays(draco_reader* r)
{
    void* memory = NULL;
    pelti_gltf* g = r->g;
    PELT_TRY(
        pelti_gltf_alloc_scratch(&memory, g, (size_t)r->attributes->count + 1, sizeof *g->decoded));
    g->decoded = memory;
    PELT_TRY(decode_indices(r));
    for (uint32_t i = 0; i < r->attributes->count; ++i)
    {
        PELT_TRY(decode_attribute(r, r->attributes->as.values[2 * (size_t)i].as.string));
    }
    return PELT_OK;
}

// Counts of the accessors, which those of the compressed mesh must equal, within the budget.
static pelt_result check_counts(draco_reader* r)
{
    pelti_gltf* g = r->g;
    size_t mode = MODE_TRIANGLES;
    PELT_TRY(pelti_gltf_get_size(&mode, g, r->primitive->json, "mode", &r->primitive->at));
    if (mode != MODE_TRIANGLES)
    {
        pelti_gltf_fail(g, &r->at, "pelt reads compressed triangle lists, not strips or fans");
        return PELT_ERROR_UNSUPPORTED;
    }
    PELT_TRY(open_accessor(&r->indices, r, r->primitive->json, "indices"));
    PELT_TRY(open_accessor(&r->positions, r, r->primitive->attributes, "POSITION"));
    if (r->indices.width != 1 || r->indices.count % 3 != 0)
    {
        return fail(r, PELTI_DRACO_COUNTS, NULL);
    }
    uint64_t elements = (uint64_t)r->indices.count + r->positions.count;
    return pelti_load_charge(&g->budget, elements, g->path, g->error);
}

static pelt_result decode_mesh(draco_reader* r, const pelti_json* extension)
{
    pelti_gltf* g = r->g;
    uint32_t view = PELT_NONE;
    const pelti_gltf_bytes* bytes;
    PELT_TRY(
        pelti_gltf_get_index(&view, g, PELTI_GLTF_BUFFER_VIEWS, extension, "bufferView", &r->at));
    if (view == PELT_NONE)
    {
        return pelti_gltf_fail(g, &r->at, "it names no buffer view");
    }
    PELT_TRY(pelti_gltf_view(&bytes, g, view));
    size_t faces = r->indices.count / 3, points = r->positions.count;
    size_t size = faces * FACE_SIZE + points * POINT_SIZE;
    if (!pelt_budget_charge(&g->budget.memory, size))
    {
        return pelti_load_fail_memory(&g->budget, g->path, g->error);
    }
    const pelti_draco_expectation expected = {.face_count = (uint32_t)faces,
                                              .point_count = (uint32_t)points,
                                              .memory = g->budget.memory.left};
    pelti_draco_status status = pelti_draco_create(&r->mesh, bytes->data, bytes->size, &expected);
    pelt_result result = status == PELTI_DRACO_OK ? decode_arrays(r) : fail(r, status, NULL);
    pelti_draco_destroy(r->mesh);
    pelt_budget_release(&g->budget.memory, size);
    return result;
}

pelt_result pelti_gltf_decode_draco(pelti_gltf* g, const pelti_primitive* primitive)
{
    const pelti_json* extension = pelti_gltf_extension(primitive->json, PELTI_GLTF_DRACO);
    g->decoded_count = 0;
    if (extension == NULL)
    {
        return PELT_OK;
    }
    pelti_json_path outer = pelti_json_member(&primitive->at, "extensions");
    draco_reader r = {
        .g = g, .primitive = primitive, .at = pelti_json_member(&outer, PELTI_GLTF_DRACO)};
    PELT_TRY(pelti_gltf_get_object(&r.attributes, g, extension, "attributes", &r.at));
    if (r.attributes == NULL)
    {
        return pelti_gltf_fail(g, &r.at, "it names no attributes");
    }
    PELT_TRY(check_counts(&r));
    return decode_mesh(&r, extension);
}

#endif
