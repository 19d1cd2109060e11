// SPDX-License-Identifier: MIT
// Rotations and keys that were repaired on reading, repaired in a copy of the file.
#include "gltf_additions.h"

#include "../gltf/gltf_read.h"

#include <math.h>
#include <string.h>

bool pelti_gltf_is_clip_repair(const pelt_repair* repair)
{
    return repair->kind == PELT_REPAIR_ROTATION_LENGTH || repair->kind == PELT_REPAIR_KEY_ORDER;
}

// ---------------------------------------------------------------------------------------------
// Nodes

// Those that are far from unit length, as the reader has it.
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

// Numbers of a key, with its tangents; weights of morph targets come one by one. 0: unknown
static size_t key_size(const pelti_gltf_times* times, const pelti_accessor* values, bool is_cubic)
{
    size_t total = (size_t)values->count * values->width;
    size_t size =
        values->width > 1 ? (is_cubic ? 3u : 1u) * (size_t)values->width : total / times->given;
    return size <= total / times->given ? size : 0;
}

// A sampler again, with the keys and values that the reader has kept.
static pelt_result write_sampler(clip_repair* r, json_t* sampler, const char* path)
{
    pelti_gltf* g = &r->g;
    pelti_gltf_document* document = r->copy->document;
    const pelti_place at = {.member = "animations"};
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
        // Repairs of one clip follow one another.
        if (pelti_gltf_is_clip_repair(repair) && repair->clip != PELT_NONE && repair->clip != last)
        {
            last = repair->clip;
            result = repair_clip(r, json_array_get(clips, last));
        }
    }
    return result;
}

pelt_result pelti_gltf_repair_clips(pelti_gltf_copy* copy, const pelt_scene* read)
{
    bool has_nodes = false, has_clips = false;
    json_t* node;
    size_t i;
    for (uint32_t k = 0; k < read->repair_count; ++k)
    {
        const pelt_repair* repair = &read->repairs[k];
        bool is_ours = pelti_gltf_is_clip_repair(repair);
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
