// SPDX-License-Identifier: MIT
// What has changed in the meshes of a scene since it was read, written into a copy of its file.
#include "gltf_additions.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// What differs

enum
{
    CHANGED_WEIGHTS = 1,
    CHANGED_NORMALS = 2,
    CHANGED_TANGENTS = 4,
    CHANGED_INDICES = 8,
    CHANGED_DISPLAY = 16, // UVs, colors and morph targets with numbers that were not finite
    CHANGED_DETAILS = 32, // see fix_details()
};

static uint32_t changes_of_repair(pelt_repair_kind kind)
{
    switch (kind)
    {
    case PELT_REPAIR_WEIGHT_SUMS:
    case PELT_REPAIR_DUPLICATE_JOINTS:
    case PELT_REPAIR_NEGATIVE_WEIGHTS:
    case PELT_REPAIR_JOINT_RANGE:
    case PELT_REPAIR_PRUNED:
        return CHANGED_WEIGHTS;
    case PELT_REPAIR_NOT_FINITE:
        return CHANGED_WEIGHTS | CHANGED_DISPLAY;
    case PELT_REPAIR_DIRECTION_LENGTH:
        return CHANGED_NORMALS | CHANGED_TANGENTS;
    case PELT_REPAIR_OTHER:
        return CHANGED_DETAILS;
    default:
        return 0;
    }
}

static uint32_t changes_of_arrays(const pelt_mesh* read, const pelt_mesh* mesh)
{
    return (mesh->weights.first != read->weights.first ? CHANGED_WEIGHTS : 0u) |
           (mesh->normals != read->normals ? CHANGED_NORMALS : 0u) |
           (mesh->tangents != read->tangents ? CHANGED_TANGENTS : 0u) |
           (mesh->indices != read->indices ? CHANGED_INDICES : 0u);
}

// @param out  one number per mesh
static void list_changes(uint32_t* out, const pelti_gltf_change* change)
{
    const pelt_scene* read = change->read;
    for (uint32_t i = 0; i < read->mesh_count; ++i)
    {
        out[i] = changes_of_arrays(&read->meshes[i], &change->scene->meshes[i]);
    }
    for (uint32_t i = 0; i < read->repair_count; ++i)
    {
        const pelt_repair* repair = &read->repairs[i];
        if (repair->mesh < read->mesh_count)
        {
            out[repair->mesh] |= changes_of_repair(repair->kind);
        }
    }
}

bool pelti_gltf_has_changes(const pelti_gltf_change* change)
{
    const pelt_scene* read = change->read;
    bool has_any = false;
    for (uint32_t i = 0; i < read->mesh_count; ++i)
    {
        has_any |= changes_of_arrays(&read->meshes[i], &change->scene->meshes[i]) != 0;
    }
    for (uint32_t i = 0; i < read->repair_count; ++i)
    {
        const pelt_repair* repair = &read->repairs[i];
        bool is_of_mesh = repair->mesh != PELT_NONE && changes_of_repair(repair->kind) != 0;
        has_any |= is_of_mesh || pelti_gltf_is_clip_repair(repair);
    }
    return has_any;
}

// ---------------------------------------------------------------------------------------------
// Attributes

static void set_floats(pelti_gltf_document* document, json_t* owner, const char* name,
                       const float* values, uint32_t width, const pelt_mesh* mesh)
{
    // Bounds are what glTF asks of positions, which here are those of morph targets.
    pelti_gltf_array array = {.data = values,
                              .count = mesh->vertex_count,
                              .width = width,
                              .component = PELTI_GLTF_FLOAT,
                              .use = PELTI_GLTF_VERTICES,
                              .has_bounds = strcmp(name, "POSITION") == 0};
    if (values != NULL && json_object_get(owner, name) != NULL)
    {
        pelti_gltf_set(document, owner, name, json_integer(pelti_gltf_add_array(document, &array)));
    }
}

static bool is_of_set(const char* key)
{
    return strncmp(key, "JOINTS_", 7) == 0 || strncmp(key, "WEIGHTS_", 8) == 0;
}

static void set_weights(pelti_gltf_document* document, json_t* attributes, const pelt_mesh* mesh)
{
    const char* key;
    json_t* value;
    void* next;
    // A mesh that no node gives a skin keeps its weights.
    if (mesh->weights.first == NULL)
    {
        return;
    }
    json_object_foreach_safe(attributes, next, key, value)
    {
        if (is_of_set(key))
        {
            json_object_del(attributes, key);
        }
    }
    pelti_gltf_set_weights(document, attributes, &mesh->weights);
}

static void set_display(pelti_gltf_document* document, json_t* primitive, const pelt_mesh* mesh)
{
    json_t* attributes = json_object_get(primitive, "attributes");
    json_t* targets = json_object_get(primitive, "targets");
    set_floats(document, attributes, "TEXCOORD_0", mesh->uvs != NULL ? &mesh->uvs->x : NULL, 2,
               mesh);
    set_floats(document, attributes, "COLOR_0", mesh->colors != NULL ? &mesh->colors->x : NULL, 4,
               mesh);
    for (uint32_t i = 0; i < mesh->morph_count; ++i)
    {
        const pelt_morph* morph = &mesh->morphs[i];
        json_t* target = json_array_get(targets, i);
        set_floats(document, target, "POSITION",
                   morph->positions != NULL ? &morph->positions->x : NULL, 3, mesh);
        set_floats(document, target, "NORMAL", morph->normals != NULL ? &morph->normals->x : NULL,
                   3, mesh);
        set_floats(document, target, "TANGENT",
                   morph->tangents != NULL ? &morph->tangents->x : NULL, 3, mesh);
    }
}

static void set_indices(pelti_gltf_document* document, json_t* primitive, const pelt_mesh* mesh)
{
    pelti_gltf_set(document, primitive, "indices",
                   json_integer(pelti_gltf_add_indices(document, mesh)));
    json_object_del(primitive, "mode"); // triangles are the default
}

// ---------------------------------------------------------------------------------------------
// Details: what readers pass over, and others may not

// Joints without weights, or weights without joints.
static void remove_half_sets(json_t* attributes)
{
    const char* key;
    json_t* value;
    void* next;
    json_object_foreach_safe(attributes, next, key, value)
    {
        bool is_joints = strncmp(key, "JOINTS_", 7) == 0;
        char partner[32];
        snprintf(partner, sizeof partner, "%s%.16s", is_joints ? "WEIGHTS_" : "JOINTS_",
                 strchr(key, '_') != NULL ? strchr(key, '_') + 1 : "");
        if (is_of_set(key) && json_object_get(attributes, partner) == NULL)
        {
            json_object_del(attributes, key);
        }
    }
}

// Corners at the end of a list of triangles that make none.
static bool has_spare_corners(const json_t* root, const json_t* primitive)
{
    const json_t* mode = json_object_get(primitive, "mode");
    const json_t* indices = json_object_get(primitive, "indices");
    const json_t* positions = json_object_get(json_object_get(primitive, "attributes"), "POSITION");
    const json_t* accessor =
        json_array_get(json_object_get(root, "accessors"),
                       (size_t)json_number_value(indices != NULL ? indices : positions));
    bool is_list = mode == NULL || json_number_value(mode) == 4.0;
    return is_list && json_integer_value(json_object_get(accessor, "count")) % 3 != 0;
}

static void fix_details(pelti_gltf_document* document, json_t* primitive, const pelt_mesh* mesh)
{
    json_t* extras = json_object_get(primitive, "extras");
    remove_half_sets(json_object_get(primitive, "attributes"));
    if (has_spare_corners(document->root, primitive))
    {
        set_indices(document, primitive, mesh);
    }
    if (!mesh->has_method)
    {
        json_object_del(extras, "pelt_skinning"); // names no method
    }
}

// ---------------------------------------------------------------------------------------------

static void apply(pelti_gltf_document* document, json_t* primitive, const pelt_mesh* mesh,
                  uint32_t changes)
{
    json_t* attributes = json_object_get(primitive, "attributes");
    if ((changes & CHANGED_DETAILS) != 0)
    {
        fix_details(document, primitive, mesh);
    }
    if ((changes & CHANGED_WEIGHTS) != 0)
    {
        set_weights(document, attributes, mesh);
    }
    if ((changes & CHANGED_NORMALS) != 0 && mesh->normals != NULL)
    {
        set_floats(document, attributes, "NORMAL", &mesh->normals->x, 3, mesh);
    }
    if ((changes & CHANGED_TANGENTS) != 0 && mesh->tangents != NULL)
    {
        set_floats(document, attributes, "TANGENT", &mesh->tangents->x, 4, mesh);
    }
    if ((changes & CHANGED_INDICES) != 0)
    {
        set_indices(document, primitive, mesh);
    }
    if ((changes & CHANGED_DISPLAY) != 0)
    {
        set_display(document, primitive, mesh);
    }
    // Compressed data would hide what is new.
    json_t* extensions = json_object_get(primitive, "extensions");
    if (json_object_del(extensions, "KHR_draco_mesh_compression") == 0 &&
        json_object_size(extensions) == 0)
    {
        json_object_del(primitive, "extensions");
    }
}

pelt_result pelti_gltf_apply_changes(pelti_gltf_copy* copy, const pelti_gltf_change* change)
{
    const pelt_scene* scene = change->scene;
    if (copy->primitive_count != scene->mesh_count || change->read->mesh_count != scene->mesh_count)
    {
        return pelt_error_set(copy->error, PELT_ERROR_DATA,
                              "%s: the file has %u meshes and the scene %u; has the file changed?",
                              copy->source->path, copy->primitive_count, scene->mesh_count);
    }
    uint32_t* changes = pelt_allocate((size_t)scene->mesh_count + 1, sizeof *changes);
    if (changes == NULL)
    {
        return pelt_error_memory(copy->error);
    }
    list_changes(changes, change);
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        if (changes[i] != 0)
        {
            apply(copy->document, copy->primitives[i], &scene->meshes[i], changes[i]);
        }
    }
    pelt_release(changes);
    return pelti_gltf_repair_clips(copy, change->read);
}
