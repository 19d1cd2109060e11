// SPDX-License-Identifier: MIT
// Content of a glTF file that a scene cannot hold. It is searched after everything else has been
// read and checked, so invalid content is ignored here.
#include "../load_report.h"
#include "gltf_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    NAMED_COUNT = 6, // extensions listed by name; more are counted
};

typedef enum loss_kind
{
    LOSS_SPECULAR,
    LOSS_UVS,
    LOSS_COLORS,
    LOSS_ATTRIBUTE,
    LOSS_LINES,
    LOSS_CAMERA,
    LOSS_LIGHT,
    LOSS_SCENE,
    LOSS_EXTRAS,
    LOSS_EXTENSION, // and the paths behind it
    LOSS_MORE = LOSS_EXTENSION + NAMED_COUNT,
    LOSS_COUNT
} loss_kind;

typedef struct loss_list
{
    pelti_loss kinds[LOSS_COUNT];
    char names[NAMED_COUNT][80];
} loss_list;

// ---------------------------------------------------------------------------------------------
// Materials

static void count_material(pelti_loss* kinds, const pelti_json* material)
{
    kinds[LOSS_SPECULAR].count += pelti_gltf_extension(material, PELTI_GLTF_SPECULAR) != NULL;
}

// ---------------------------------------------------------------------------------------------
// Meshes

static bool begins(const char* name, const char* start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

// Whether all keys of an object are known, exactly or by their start; false if it is not an object.
static bool are_known(const pelti_json* object, const char* start)
{
    if (!pelti_json_is(object, PELTI_JSON_OBJECT) || object->count == 0)
    {
        return false;
    }
    for (uint32_t i = 0; i < object->count; ++i)
    {
        if (!begins(object->as.values[2 * i].as.string, start))
        {
            return false;
        }
    }
    return true;
}

// @param known  start of the names that pelt reads or writes there; NULL: none
static void count_extras(pelti_loss* kinds, const pelti_json* owner, const char* known)
{
    const pelti_json* extras = pelti_json_get(owner, "extras");
    kinds[LOSS_EXTRAS].count += extras != NULL && !pelti_json_is(extras, PELTI_JSON_NULL) &&
                                (known == NULL || !are_known(extras, known));
}

static void count_primitive(pelti_loss* kinds, const pelti_json* primitive)
{
    const pelti_json* mode = pelti_json_get(primitive, "mode");
    const pelti_json* attributes = pelti_json_get(primitive, "attributes");
    count_extras(kinds, primitive, "pelt_");
    if (pelti_json_is(mode, PELTI_JSON_NUMBER) && mode->as.number < 4.0)
    {
        kinds[LOSS_LINES].count++;
        return;
    }
    bool has_names = pelti_json_is(attributes, PELTI_JSON_OBJECT);
    for (uint32_t i = 0; has_names && i < attributes->count; ++i)
    {
        const char* name = attributes->as.values[2 * i].as.string;
        kinds[LOSS_UVS].count +=
            begins(name, "TEXCOORD_") && strtoul(name + 9, NULL, 10) >= PELT_MAX_UV_SETS;
        kinds[LOSS_COLORS].count += begins(name, "COLOR_") && strcmp(name, "COLOR_0") != 0;
        kinds[LOSS_ATTRIBUTE].count += name[0] == '_' && !begins(name, "_PELT_");
    }
}

// ---------------------------------------------------------------------------------------------
// The rest

static void count_lists(pelti_loss* kinds, const pelti_gltf* g)
{
    for (int kind = 0; kind < PELTI_GLTF_KIND_COUNT; ++kind)
    {
        for (uint32_t i = 0; i < g->lists[kind].count; ++i)
        {
            count_extras(kinds, pelti_json_at(g->lists[kind].array, i),
                         kind == PELTI_GLTF_MESHES ? "targetNames" : NULL);
        }
    }
    for (uint32_t i = 0; i < g->lists[PELTI_GLTF_MATERIALS].count; ++i)
    {
        count_material(kinds, pelti_gltf_item(g, PELTI_GLTF_MATERIALS, i));
    }
    for (uint32_t i = 0; i < g->lists[PELTI_GLTF_MESHES].count; ++i)
    {
        const pelti_json* primitives =
            pelti_json_get(pelti_gltf_item(g, PELTI_GLTF_MESHES, i), "primitives");
        for (size_t k = 0; k < pelti_json_size(primitives); ++k)
        {
            count_primitive(kinds, pelti_json_at(primitives, k));
        }
    }
}

static void count_root(pelti_loss* kinds, const pelti_gltf* g)
{
    const pelti_json* lights = pelti_gltf_extension(g->root, "KHR_lights_punctual");
    uint32_t scene_count = g->lists[PELTI_GLTF_SCENES].count;
    count_extras(kinds, g->root, NULL);
    count_extras(kinds, pelti_json_get(g->root, "asset"), NULL);
    kinds[LOSS_CAMERA].count = (uint32_t)pelti_json_size(pelti_json_get(g->root, "cameras"));
    kinds[LOSS_LIGHT].count = (uint32_t)pelti_json_size(pelti_json_get(lights, "lights"));
    kinds[LOSS_SCENE].count = scene_count > 1 ? scene_count - 1 : 0;
}

// By the result of reading. Lights and specular colors are counted one by one.
static bool is_kept(const char* extension)
{
    static const char* const kept[] = {
        PELTI_GLTF_DRACO,          "KHR_mesh_quantization", "EXT_meshopt_compression",
        "KHR_meshopt_compression", "KHR_materials_unlit",   "EXT_texture_webp",
        "KHR_lights_punctual",     PELTI_GLTF_TRANSFORM,    PELTI_GLTF_EMISSIVE_STRENGTH,
        PELTI_GLTF_SPECULAR};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; ++i)
    {
        if (strcmp(extension, kept[i]) == 0)
        {
            return true;
        }
    }
    return false;
}

static void name_extensions(loss_list* out, const pelti_gltf* g)
{
    const pelti_json* used = pelti_json_get(g->root, "extensionsUsed");
    uint32_t count = 0;
    for (size_t i = 0; i < pelti_json_size(used); ++i)
    {
        const char* name = pelti_json_string(pelti_json_at(used, i));
        if (name == NULL || is_kept(name))
        {
            continue;
        }
        if (count == NAMED_COUNT)
        {
            out->kinds[LOSS_MORE].count++;
            continue;
        }
        snprintf(out->names[count], sizeof out->names[count], "the extension %.60s", name);
        out->kinds[LOSS_EXTENSION + count] = (pelti_loss){out->names[count], NULL, 1};
        ++count;
    }
}

pelt_result pelti_gltf_list_losses(pelti_gltf* g)
{
    loss_list list = {
        .kinds = {
            [LOSS_SPECULAR] = {"specular color with glossiness", "specular colors with glossiness",
                               0},
            [LOSS_UVS] = {"UV set above TEXCOORD_7", "UV sets above TEXCOORD_7", 0},
            [LOSS_COLORS] = {"additional set of vertex colors", "additional sets of vertex colors",
                             0},
            [LOSS_ATTRIBUTE] = {"custom vertex attribute", "custom vertex attributes", 0},
            [LOSS_LINES] = {"point or line primitive", "point or line primitives", 0},
            [LOSS_CAMERA] = {"camera", "cameras", 0},
            [LOSS_LIGHT] = {"light", "lights", 0},
            [LOSS_SCENE] = {"further scene", "further scenes", 0},
            [LOSS_EXTRAS] = {"object with extras", "objects with extras", 0},
            [LOSS_MORE] = {"more extension", "more extensions", 0},
        }};
    count_root(list.kinds, g);
    count_lists(list.kinds, g);
    name_extensions(&list, g);
    return pelti_losses_add(g->scene, g->arena, list.kinds, LOSS_COUNT)
               ? PELT_OK
               : pelt_error_memory(g->error);
}
