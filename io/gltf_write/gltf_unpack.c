// SPDX-License-Identifier: MIT
// Removes the Draco compression of primitives that have to be changed.
#include "../gltf/gltf_read.h"
#include "gltf_additions.h"

#include <string.h>

static bool is_compressed(const json_t* primitive)
{
    return json_object_get(json_object_get(primitive, "extensions"), PELTI_GLTF_DRACO) != NULL;
}

// Decoded arrays become accessors of the document, of the same type.
static void set_array(pelti_gltf_document* document, json_t* primitive,
                      const pelti_gltf_decoded* decoded)
{
    const json_t* old =
        json_array_get(json_object_get(document->root, "accessors"), decoded->accessor);
    bool is_index = decoded->name == NULL, is_float = decoded->component == PELTI_COMPONENT_F32;
    size_t component_size = pelti_component_size((pelti_component)decoded->component);
    pelti_gltf_array array = {.data = decoded->data,
                              .count = (size_t)json_number_value(json_object_get(old, "count")),
                              .width = (uint32_t)(decoded->stride / component_size),
                              .component = (pelti_gltf_component)decoded->component,
                              .use = is_index ? PELTI_GLTF_INDICES : PELTI_GLTF_VERTICES,
                              .is_normalized = json_is_true(json_object_get(old, "normalized")),
                              .has_bounds =
                                  !is_index && is_float && strcmp(decoded->name, "POSITION") == 0};
    json_t* owner = is_index ? primitive : json_object_get(primitive, "attributes");
    pelti_gltf_set(document, owner, is_index ? "indices" : decoded->name,
                   json_integer(pelti_gltf_add_array(document, &array)));
}

static pelt_result unpack(pelti_gltf_copy* copy, pelti_gltf* g, json_t* primitive,
                          const pelti_primitive* packed)
{
    PELT_TRY(pelti_gltf_decode_draco(g, packed));
    for (uint32_t i = 0; i < g->decoded_count; ++i)
    {
        set_array(copy->document, primitive, &g->decoded[i]);
    }
    json_t* extensions = json_object_get(primitive, "extensions");
    json_object_del(extensions, PELTI_GLTF_DRACO);
    if (json_object_size(extensions) == 0)
    {
        json_object_del(primitive, "extensions");
    }
    return PELT_OK;
}

// Primitives that become meshes in pelt_load().
static bool is_counted(const pelti_json* primitive)
{
    const pelti_json* mode = pelti_json_get(primitive, "mode");
    const pelti_json* attributes = pelti_json_get(primitive, "attributes");
    return (!pelti_json_is(mode, PELTI_JSON_NUMBER) || mode->as.number >= 4.0) &&
           pelti_json_get(attributes, "POSITION") != NULL;
}

static pelt_result unpack_all(pelti_gltf_copy* copy, pelti_gltf* g, const uint32_t* is_wanted)
{
    uint32_t next = 0;
    pelti_json_path list = {.member = "meshes"};
    for (uint32_t i = 0; i < g->lists[PELTI_GLTF_MESHES].count; ++i)
    {
        pelti_json_path at = pelti_json_element(&list, i);
        pelti_json_path here = pelti_json_member(&at, "primitives");
        const pelti_json* primitives =
            pelti_json_get(pelti_gltf_item(g, PELTI_GLTF_MESHES, i), "primitives");
        for (size_t k = 0; k < pelti_json_size(primitives); ++k)
        {
            pelti_primitive packed = {.json = pelti_json_at(primitives, k),
                                      .at = pelti_json_element(&here, k)};
            packed.attributes = pelti_json_get(packed.json, "attributes");
            if (!is_counted(packed.json) || next >= copy->primitive_count)
            {
                continue;
            }
            uint32_t mesh = next++;
            if (is_wanted[mesh] != 0 && is_compressed(copy->primitives[mesh]))
            {
                PELT_TRY(unpack(copy, g, copy->primitives[mesh], &packed));
            }
        }
    }
    return PELT_OK;
}

static void remove_name(json_t* root, const char* list_name, const char* name)
{
    json_t* list = json_object_get(root, list_name);
    for (size_t i = json_array_size(list); i-- > 0;)
    {
        const char* text = json_string_value(json_array_get(list, i));
        if (text != NULL && strcmp(text, name) == 0)
        {
            json_array_remove(list, i);
        }
    }
    if (list != NULL && json_array_size(list) == 0)
    {
        json_object_del(root, list_name);
    }
}

// The file requires no decoder if nothing in it is compressed any more.
static void forget_extension(json_t* root)
{
    const json_t *mesh, *primitive;
    size_t i, k;
    json_array_foreach(json_object_get(root, "meshes"), i, mesh)
    {
        json_array_foreach(json_object_get(mesh, "primitives"), k, primitive)
        {
            if (is_compressed(primitive))
            {
                return;
            }
        }
    }
    remove_name(root, "extensionsUsed", PELTI_GLTF_DRACO);
    remove_name(root, "extensionsRequired", PELTI_GLTF_DRACO);
}

pelt_result pelti_gltf_unpack_draco(pelti_gltf_copy* copy, const uint32_t* is_wanted)
{
    bool has_any = false;
    for (uint32_t i = 0; i < copy->primitive_count; ++i)
    {
        has_any = has_any || (is_wanted[i] != 0 && is_compressed(copy->primitives[i]));
    }
    if (!has_any)
    {
        return PELT_OK;
    }
    const pelt_source* file = copy->source->file;
    const pelti_blob bytes = {(uint8_t*)file->bytes, file->size};
    pelti_gltf g = {.path = file->path, .source = file, .error = copy->error};
    pelt_result result = pelti_gltf_arrays_open(&g, &bytes);
    result = result == PELT_OK ? unpack_all(copy, &g, is_wanted) : result;
    pelti_gltf_arrays_close(&g);
    if (result == PELT_OK)
    {
        forget_extension(copy->document->root);
    }
    return result;
}
