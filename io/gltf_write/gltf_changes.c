// SPDX-License-Identifier: MIT
// Writes the changes of a scene since it was read into a copy of its file.
#include "../gltf/gltf_read.h"
#include "gltf_additions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Whether a repair concerns a rotation or a key, which the function above corrects.
static bool gltf_is_clip_repair(const pelt_repair* repair)
{
    return repair->kind == PELT_REPAIR_ROTATION_LENGTH || repair->kind == PELT_REPAIR_KEY_ORDER;
}

// ---------------------------------------------------------------------------------------------
// Nodes

// Rotations that are far from unit length, by the limit of the reader.
static void fix_rotation(pelti_gltf_document* document, json_t* node)
{
    json_t* list = json_object_get(node, "rotation");
    float q[4] = {0};
    double square = 0.0;
    for (size_t i = 0; i < 4 && json_array_size(list) == 4; ++i)
    {
        q[i] = (float)json_number_value(json_array_get(list, i));
        square += (double)q[i] * (double)q[i];
    }
    if (list != NULL && !(fabs(square - 1.0) < 1e-2))
    {
        pelt_quat unit = pelt_quat_normalize(pelt_quat_make(q[0], q[1], q[2], q[3]));
        pelti_gltf_set(document, node, "rotation", pelti_gltf_floats(document, &unit.x, 4));
    }
}

// ---------------------------------------------------------------------------------------------
// Clips

typedef struct clip_repair
{
    pelti_gltf_copy* copy;
    pelti_gltf g; // reads the source
} clip_repair;

static uint32_t accessor_of(const clip_repair* r, const json_t* sampler, const char* name)
{
    double index = json_number_value(json_object_get(sampler, name));
    uint32_t count = r->g.lists[PELTI_GLTF_ACCESSORS].count;
    return index >= 0.0 && index < (double)count ? (uint32_t)index : PELT_NONE;
}

// Numbers of a key, with its tangents; weights of morph targets are single numbers. 0: unknown
static size_t key_size(const pelti_gltf_times* times, const pelti_accessor* values, bool is_cubic)
{
    size_t total = (size_t)values->count * values->width;
    size_t size =
        values->width > 1 ? (is_cubic ? 3u : 1u) * (size_t)values->width : total / times->given;
    return size <= total / times->given ? size : 0;
}

// Write a sampler again, with the keys and values that the reader has kept.
static pelt_result write_sampler(clip_repair* r, json_t* sampler, const char* path)
{
    pelti_gltf* g = &r->g;
    pelti_gltf_document* document = r->copy->document;
    const pelti_json_path at = {.member = "animations"};
    const char* how = json_string_value(json_object_get(sampler, "interpolation"));
    bool is_cubic = how != NULL && strcmp(how, "CUBICSPLINE") == 0;
    uint32_t input = accessor_of(r, sampler, "input"), output = accessor_of(r, sampler, "output");
    const pelti_gltf_times* times = NULL;
    pelti_accessor values = {0};
    if (input == PELT_NONE || output == PELT_NONE)
    {
        return PELT_OK;
    }
    pelt_result result = pelti_gltf_read_times(&times, g, input, &at);
    result = result == PELT_OK ? pelti_accessor_open(&values, g, output, &at) : result;
    size_t size = result == PELT_OK && times->count > 0 ? key_size(times, &values, is_cubic) : 0;
    if (size == 0)
    {
        return result;
    }
    float* floats = pelt_allocate((size_t)values.count * values.width, sizeof *floats);
    if (floats == NULL)
    {
        return pelt_error_memory(r->copy->error);
    }
    pelti_accessor_floats(floats, values.width, &values);
    for (uint32_t i = 0; times->kept != NULL && i < times->count; ++i)
    {
        memmove(floats + i * size, floats + times->kept[i] * size, size * sizeof *floats);
    }
    if (strcmp(path, "rotation") == 0 && size == 4)
    {
        pelti_gltf_fix_rotations(floats, times->count);
    }
    pelti_gltf_array keys = {.data = times->times,
                             .count = times->count,
                             .width = 1,
                             .component = PELTI_GLTF_FLOAT,
                             .has_bounds = true};
    pelti_gltf_array numbers = {.data = floats,
                                .count = times->count * size / values.width,
                                .width = values.width,
                                .component = PELTI_GLTF_FLOAT};
    pelti_gltf_set(document, sampler, "input", json_integer(pelti_gltf_add_array(document, &keys)));
    pelti_gltf_set(document, sampler, "output",
                   json_integer(pelti_gltf_add_array(document, &numbers)));
    pelt_release(floats);
    return PELT_OK;
}

static pelt_result repair_clip(clip_repair* r, json_t* clip)
{
    json_t *channels = json_object_get(clip, "channels"), *channel;
    json_t* samplers = json_object_get(clip, "samplers");
    bool* is_done = pelt_allocate(json_array_size(samplers) + 1, sizeof *is_done);
    pelt_result result = is_done != NULL ? PELT_OK : pelt_error_memory(r->copy->error);
    size_t i;
    if (is_done != NULL)
    {
        memset(is_done, 0, (json_array_size(samplers) + 1) * sizeof *is_done);
    }
    json_array_foreach(channels, i, channel)
    {
        json_t* target = json_object_get(channel, "target");
        const char* path = json_string_value(json_object_get(target, "path"));
        double number = json_number_value(json_object_get(channel, "sampler"));
        size_t index = number >= 0.0 && number < 4e9 ? (size_t)number : SIZE_MAX;
        bool is_pointer = path == NULL || strcmp(path, "pointer") == 0;
        bool is_read = json_object_get(target, "node") != NULL && !is_pointer &&
                       index < json_array_size(samplers);
        if (result == PELT_OK && is_read && !is_done[index])
        {
            is_done[index] = true;
            result = write_sampler(r, json_array_get(samplers, index), path);
        }
    }
    pelt_release(is_done);
    return result;
}

static pelt_result repair_all(clip_repair* r, const pelt_scene* read)
{
    json_t* clips = json_object_get(r->copy->document->root, "animations");
    uint32_t last = PELT_NONE;
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < read->repair_count && result == PELT_OK; ++i)
    {
        const pelt_repair* repair = &read->repairs[i];
        // Repairs of one clip are consecutive.
        if (gltf_is_clip_repair(repair) && repair->clip != PELT_NONE && repair->clip != last)
        {
            last = repair->clip;
            result = repair_clip(r, json_array_get(clips, last));
        }
    }
    return result;
}

// Rotations of nodes, and keys of the clips that have repairs.
static pelt_result gltf_repair_clips(pelti_gltf_copy* copy, const pelt_scene* read)
{
    bool has_nodes = false, has_clips = false;
    json_t* node;
    size_t i;
    for (uint32_t k = 0; k < read->repair_count; ++k)
    {
        const pelt_repair* repair = &read->repairs[k];
        bool is_ours = gltf_is_clip_repair(repair);
        has_nodes |= is_ours && repair->clip == PELT_NONE;
        has_clips |= is_ours && repair->clip != PELT_NONE;
    }
    if (has_nodes)
    {
        json_array_foreach(json_object_get(copy->document->root, "nodes"), i, node)
        {
            fix_rotation(copy->document, node);
        }
    }
    if (!has_clips)
    {
        return PELT_OK;
    }
    const pelt_source* file = copy->source->file;
    const pelti_blob bytes = {(uint8_t*)file->bytes, file->size};
    clip_repair r = {.copy = copy, .g = {.path = file->path, .source = file, .error = copy->error}};
    pelt_result result = pelti_gltf_arrays_open(&r.g, &bytes);
    result = result == PELT_OK ? repair_all(&r, read) : result;
    pelti_gltf_arrays_close(&r.g);
    return result;
}

// ---------------------------------------------------------------------------------------------
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
    case PELT_REPAIR_PADDING_JOINTS:
    case PELT_REPAIR_SKIN_TYPES:
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

static bool is_same(const void* a, const void* b, size_t count, size_t size)
{
    return a == b || (a != NULL && b != NULL && memcmp(a, b, count * size) == 0);
}

static bool are_same_weights(const pelt_weights* a, const pelt_weights* b)
{
    return a->first == b->first ||
           (a->influence_count == b->influence_count &&
            is_same(a->first, b->first, (size_t)a->vertex_count + 1, sizeof *a->first) &&
            is_same(a->influences, b->influences, a->influence_count, sizeof *a->influences));
}

// By content: a scene may be a copy of the one that was read.
static uint32_t changes_of_arrays(const pelt_mesh* read, const pelt_mesh* mesh)
{
    uint32_t count = mesh->vertex_count;
    bool are_same_indices =
        mesh->index_count == read->index_count &&
        is_same(mesh->indices, read->indices, mesh->index_count, sizeof *mesh->indices);
    return (are_same_weights(&mesh->weights, &read->weights) ? 0u : CHANGED_WEIGHTS) |
           (is_same(mesh->normals, read->normals, count, sizeof *mesh->normals) ? 0u
                                                                                : CHANGED_NORMALS) |
           (is_same(mesh->tangents, read->tangents, count, sizeof *mesh->tangents)
                ? 0u
                : CHANGED_TANGENTS) |
           (are_same_indices ? 0u : CHANGED_INDICES);
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
    bool has_any = pelti_gltf_has_grown(change);
    for (uint32_t i = 0; i < read->mesh_count; ++i)
    {
        has_any |= changes_of_arrays(&read->meshes[i], &change->scene->meshes[i]) != 0;
    }
    for (uint32_t i = 0; i < read->repair_count; ++i)
    {
        const pelt_repair* repair = &read->repairs[i];
        bool is_of_mesh = repair->mesh != PELT_NONE && changes_of_repair(repair->kind) != 0;
        has_any |= is_of_mesh || gltf_is_clip_repair(repair);
    }
    return has_any;
}

// ---------------------------------------------------------------------------------------------
// Attributes

static void set_floats(pelti_gltf_document* document, json_t* owner, const char* name,
                       const float* values, uint32_t width, const pelt_mesh* mesh)
{
    // glTF requires bounds for positions, here those of morph targets.
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
    // A mesh without a skinned node keeps its weights.
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
    pelti_gltf_set_weights(document, attributes, &mesh->weights, false);
}

static void set_display(pelti_gltf_document* document, json_t* primitive, const pelt_mesh* mesh)
{
    json_t* attributes = json_object_get(primitive, "attributes");
    json_t* targets = json_object_get(primitive, "targets");
    for (uint32_t i = 0; i < PELT_MAX_UV_SETS; ++i)
    {
        char name[32];
        const pelt_vec2* uvs = pelt_mesh_uvs(mesh, i);
        snprintf(name, sizeof name, "TEXCOORD_%u", i);
        set_floats(document, attributes, name, uvs != NULL ? &uvs->x : NULL, 2, mesh);
    }
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

// Extra corners at the end of a list of triangles.
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
        if (json_object_get(attributes, "TANGENT") == NULL)
        {
            pelti_gltf_set(document, attributes, "TANGENT", json_null());
        }
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
    pelt_result result = pelti_gltf_unpack_draco(copy, changes);
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        if (result == PELT_OK && changes[i] != 0)
        {
            apply(copy->document, copy->primitives[i], &scene->meshes[i], changes[i]);
        }
    }
    pelt_release(changes);
    PELT_TRY(result);
    PELT_TRY(gltf_repair_clips(copy, change->read));
    return pelti_gltf_apply_growth(copy, change);
}
