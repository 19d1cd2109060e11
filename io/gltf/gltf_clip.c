// SPDX-License-Identifier: MIT
// Animations: each becomes a clip, each channel a track, or one for each primitive of its mesh.
#include "gltf_read.h"

#include <string.h>

typedef struct channel
{
    const pelti_json* json;
    pelti_json_path at;
    uint32_t node; // glTF node
    pelt_path path;
    pelt_interpolation interpolation;
    const pelti_gltf_times* times;
    pelti_accessor values;
    uint32_t width; // floats per value
} channel;

// A clip under construction.
typedef struct clip_builder
{
    pelt_clip* clip;
    pelt_track* tracks;
    const pelti_json* samplers;
    pelti_json_path samplers_at;
    uint32_t ignored;       // channels that animate nothing that pelt has
    uint32_t sheared;       // of nodes that became two
    uint32_t dropped;       // keys out of order
    uint32_t surplus;       // samplers with more values than keys
    uint32_t bad_rotations; // rotations far from unit length
} clip_builder;

// ---------------------------------------------------------------------------------------------
// Times

pelt_result pelti_gltf_read_times(const pelti_gltf_times** out, pelti_gltf* g, uint32_t index,
                                  const pelti_json_path* at)
{
    pelti_gltf_times* times = &g->times[index];
    *out = times;
    if (times->times != NULL)
    {
        return PELT_OK;
    }
    pelti_accessor accessor;
    PELT_TRY(pelti_accessor_open(&accessor, g, index, at));
    if (accessor.width != 1)
    {
        return pelti_gltf_fail(g, at, "accessor %u must hold single numbers, the times", index);
    }
    void *memory = NULL, *kept_memory = NULL;
    PELT_TRY(pelti_gltf_alloc(&memory, g, accessor.count, sizeof(float)));
    float* numbers = memory;
    times->times = numbers;
    uint32_t count = times->count = times->given = accessor.count;
    pelti_accessor_floats(numbers, 1, &accessor);
    bool is_good = count == 0 || (isfinite(numbers[0]) && isfinite(numbers[count - 1]));
    for (uint32_t i = 1; i < count; ++i)
    {
        is_good &= numbers[i] > numbers[i - 1];
    }
    if (is_good)
    {
        return PELT_OK;
    }
    pelt_result result = pelti_gltf_alloc_scratch(&kept_memory, g, count, sizeof(uint32_t));
    uint32_t* kept = kept_memory;
    times->kept = kept;
    times->count = 0;
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        if (isfinite(numbers[i]) && (times->count == 0 || numbers[i] > numbers[times->count - 1]))
        {
            numbers[times->count] = numbers[i];
            kept[times->count++] = i;
        }
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Channels

// Node and property of a channel; node stays PELT_NONE when the channel animates nothing that pelt
// has.
static pelt_result read_target(channel* out, pelti_gltf* g)
{
    static const char* const paths[] = {"translation", "rotation", "scale", "weights"};
    const pelti_json* target = NULL;
    const char* path = "";
    uint32_t node = PELT_NONE;
    pelti_json_path here = pelti_json_member(&out->at, "target");
    pelt_result result = pelti_gltf_get_object(&target, g, out->json, "target", &out->at);
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_index(&node, g, PELTI_GLTF_NODES, target, "node", &here);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_string(&path, g, target, "path", &here);
    }
    out->node = PELT_NONE;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; ++i)
    {
        if (strcmp(path, paths[i]) == 0)
        {
            out->path = (pelt_path)i;
            out->node = node;
        }
    }
    return result;
}

static pelt_result read_interpolation(pelt_interpolation* out, pelti_gltf* g,
                                      const pelti_json* sampler, const pelti_json_path* at)
{
    static const char* const names[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    const char* name = names[0];
    PELT_TRY(pelti_gltf_get_string(&name, g, sampler, "interpolation", at));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        if (strcmp(name, names[i]) == 0)
        {
            *out = (pelt_interpolation)i;
            return PELT_OK;
        }
    }
    return pelti_gltf_fail(g, at, "there is no interpolation \"%.40s\"", name);
}

static uint32_t width_of(const channel* c, const pelti_gltf* g)
{
    const pelti_gltf_node* node = &g->nodes[c->node];
    const pelt_scene* scene = g->scene;
    switch (c->path)
    {
    case PELT_PATH_TRANSLATION:
    case PELT_PATH_SCALE:
        return 3;
    case PELT_PATH_ROTATION:
        return 4;
    case PELT_PATH_MORPH:
        return node->instance_count > 0
                   ? scene->meshes[scene->instances[node->first_instance].mesh].morph_count
                   : 0;
    }
    return 0;
}

static size_t parts_of(const channel* c)
{
    return c->interpolation == PELT_INTERPOLATION_CUBIC ? 3 : 1;
}

// Weights are stored as single numbers, everything else as vectors.
static pelt_result check_values(channel* c, clip_builder* b, pelti_gltf* g,
                                const pelti_json_path* at)
{
    uint32_t element = c->path == PELT_PATH_MORPH ? 1 : c->width;
    // Below 2^64: a time and a morph target each take more than a byte of the file.
    uint64_t needed = (uint64_t)c->times->given * parts_of(c) * (c->width / element);
    if (c->values.width != element || c->values.count < needed)
    {
        return pelti_gltf_fail(g, at,
                               "accessor %u has %u elements of %u components; %u keys need %llu of "
                               "%u",
                               c->values.index, c->values.count, c->values.width, c->times->given,
                               (unsigned long long)needed, element);
    }
    b->surplus += c->values.count > needed;
    return PELT_OK;
}

static pelt_result read_sampler(channel* out, clip_builder* b, pelti_gltf* g)
{
    size_t index = SIZE_MAX;
    uint32_t input = PELT_NONE, output = PELT_NONE;
    PELT_TRY(pelti_gltf_get_size(&index, g, out->json, "sampler", &out->at));
    if (index >= pelti_json_size(b->samplers))
    {
        return pelti_gltf_fail(g, &out->at, "its sampler must be one of %zu",
                               pelti_json_size(b->samplers));
    }
    const pelti_json* json = pelti_json_at(b->samplers, index);
    pelti_json_path at = pelti_json_element(&b->samplers_at, index);
    pelti_json_path input_at = pelti_json_member(&at, "input");
    pelti_json_path output_at = pelti_json_member(&at, "output");
    pelt_result result = pelti_gltf_get_index(&input, g, PELTI_GLTF_ACCESSORS, json, "input", &at);
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_index(&output, g, PELTI_GLTF_ACCESSORS, json, "output", &at);
    }
    if (result == PELT_OK && (input == PELT_NONE || output == PELT_NONE))
    {
        result = pelti_gltf_fail(g, &at, "a sampler needs input and output");
    }
    if (result == PELT_OK)
    {
        result = read_interpolation(&out->interpolation, g, json, &at);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_read_times(&out->times, g, input, &input_at);
    }
    if (result == PELT_OK)
    {
        result = pelti_accessor_open(&out->values, g, output, &output_at);
    }
    return result == PELT_OK ? check_values(out, b, g, &output_at) : result;
}

// ---------------------------------------------------------------------------------------------
// Values

uint32_t pelti_gltf_fix_rotations(float* values, uint32_t count)
{
    uint32_t bad = 0;
    for (uint32_t i = 0; i < count; ++i, values += 4)
    {
        pelt_quat q = pelt_quat_make(values[0], values[1], values[2], values[3]);
        double square = (double)q.x * (double)q.x + (double)q.y * (double)q.y +
                        (double)q.z * (double)q.z + (double)q.w * (double)q.w;
        if (fabs(square - 1.0) < 1e-6)
        {
            continue;
        }
        bad += !(fabs(square - 1.0) < 0.05);
        q = pelt_quat_normalize(q);
        memcpy(values, &q.x, 4 * sizeof *values);
    }
    return bad;
}

static pelt_result read_values(float** out, clip_builder* b, pelti_gltf* g, const channel* c)
{
    void* memory = NULL;
    size_t size = parts_of(c) * c->width;
    PELT_TRY(pelti_gltf_alloc(&memory, g, c->values.count, c->values.width * sizeof(float)));
    float* values = memory;
    pelti_accessor_floats(values, c->values.width, &c->values);
    // Drop the values of the keys that were dropped.
    for (uint32_t i = 0; c->times->kept != NULL && i < c->times->count; ++i)
    {
        memmove(values + i * size, values + c->times->kept[i] * size, size * sizeof *values);
    }
    for (size_t i = 0; i < c->times->count * size; ++i)
    {
        if (!isfinite(values[i]))
        {
            return pelti_gltf_fail(g, &c->at, "value %zu of accessor %u is not finite", i / size,
                                   c->values.index);
        }
    }
    if (c->path == PELT_PATH_ROTATION && c->interpolation != PELT_INTERPOLATION_CUBIC)
    {
        b->bad_rotations += pelti_gltf_fix_rotations(values, c->times->count);
        pelt_rotations_align(values, c->times->count);
    }
    *out = values;
    return PELT_OK;
}

static void add_track(clip_builder* b, const channel* c, uint32_t target, const float* values)
{
    pelt_clip* clip = b->clip;
    const pelti_gltf_times* times = c->times;
    b->tracks[clip->track_count++] = (pelt_track){.target = target,
                                                  .path = c->path,
                                                  .interpolation = c->interpolation,
                                                  .key_count = times->count,
                                                  .width = c->width,
                                                  .times = times->times,
                                                  .values = values};
    clip->duration = fmaxf(clip->duration, times->times[times->count - 1]);
}

// One track, or for weights one for each instance that the node has; they share their numbers.
static pelt_result add_tracks(clip_builder* b, pelti_gltf* g, const channel* c)
{
    const pelti_gltf_node* node = &g->nodes[c->node];
    float* values = NULL;
    PELT_TRY(read_values(&values, b, g, c));
    if (c->path != PELT_PATH_MORPH)
    {
        add_track(b, c, node->node, values);
        return PELT_OK;
    }
    for (uint32_t i = 0; i < node->instance_count; ++i)
    {
        uint32_t instance = node->first_instance + i;
        if (g->scene->meshes[g->scene->instances[instance].mesh].morph_count != c->width)
        {
            return pelti_gltf_fail(g, &c->at,
                                   "the primitives of mesh %u have different numbers of "
                                   "morph targets",
                                   node->mesh);
        }
        add_track(b, c, instance, values);
    }
    return PELT_OK;
}

static pelt_result read_channel(clip_builder* b, pelti_gltf* g, channel* c)
{
    if (!pelti_json_is(c->json, PELTI_JSON_OBJECT))
    {
        return pelti_gltf_fail(g, &c->at, "this must be an object");
    }
    PELT_TRY(read_target(c, g));
    c->width = c->node != PELT_NONE ? width_of(c, g) : 0;
    bool is_sheared =
        c->node != PELT_NONE && g->nodes[c->node].is_split && c->path != PELT_PATH_MORPH;
    if (c->width == 0 || is_sheared)
    {
        b->sheared += is_sheared;
        b->ignored += !is_sheared;
        return PELT_OK;
    }
    PELT_TRY(read_sampler(c, b, g));
    b->dropped += c->times->given - c->times->count;
    if (c->times->count == 0)
    {
        b->ignored++;
        return PELT_OK;
    }
    return add_tracks(b, g, c);
}

// ---------------------------------------------------------------------------------------------
// Clips

// An upper bound: channels that are not used leave their capacity empty.
static size_t count_tracks(const pelti_gltf* g, const pelti_json* channels)
{
    size_t count = 0;
    for (size_t i = 0; i < pelti_json_size(channels); ++i)
    {
        const pelti_json* target = pelti_json_get(pelti_json_at(channels, i), "target");
        const pelti_json* node = pelti_json_get(target, "node");
        const char* path = pelti_json_string(pelti_json_get(target, "path"));
        size_t index = pelti_json_is(node, PELTI_JSON_NUMBER) && node->as.number >= 0.0
                           ? (size_t)fmin(node->as.number, 4e9)
                           : SIZE_MAX;
        bool is_morph = path != NULL && strcmp(path, "weights") == 0 &&
                        index < g->lists[PELTI_GLTF_NODES].count;
        count += is_morph ? g->nodes[index].instance_count : 1;
    }
    return count;
}

static pelt_result note_repairs(pelti_gltf* g, const clip_builder* b)
{
    const struct
    {
        pelt_repair_kind kind;
        uint32_t count;
        const char *one, *many;
    } kinds[] = {
        {PELT_REPAIR_OTHER, b->ignored,
         "channel animates nothing that pelt has (no node, no keys, pointers) and was left out",
         "channels animate nothing that pelt has (no node, no keys, pointers) and were left out"},
        {PELT_REPAIR_OTHER, b->sheared, "channel of a node with a shearing matrix was left out",
         "channels of nodes with a shearing matrix were left out"},
        {PELT_REPAIR_KEY_ORDER, b->dropped, "key was not later than the one before and was dropped",
         "keys were not later than the one before and were dropped"},
        {PELT_REPAIR_OTHER, b->surplus, "channel had more values than keys; the rest was ignored",
         "channels had more values than keys; the rest was ignored"},
        {PELT_REPAIR_ROTATION_LENGTH, b->bad_rotations,
         "rotation was not of unit length and was normalized",
         "rotations were not of unit length and were normalized"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
    {
        uint32_t n = kinds[i].count;
        PELT_TRY(n == 0 ? PELT_OK
                        : pelti_gltf_repair_count(g, kinds[i].kind, n, "clip \"%.60s\": %u %s",
                                                  b->clip->name, n,
                                                  pelti_plural(n, kinds[i].one, kinds[i].many)));
    }
    return PELT_OK;
}

static pelt_result read_clip(pelt_clip* out, pelti_gltf* g, uint32_t index)
{
    pelti_json_path list = {.member = "animations"}, at = pelti_json_element(&list, index);
    pelti_json_path channels_at = pelti_json_member(&at, "channels");
    const pelti_json* json = pelti_gltf_item(g, PELTI_GLTF_ANIMATIONS, index);
    const pelti_json *channels = NULL, *samplers = NULL;
    void* memory = NULL;
    pelt_result result = pelti_gltf_name(&out->name, g, json, "clip", index, &at);
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_array(&channels, g, json, "channels", &at);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_get_array(&samplers, g, json, "samplers", &at);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_alloc(&memory, g, count_tracks(g, channels), sizeof(pelt_track));
    }
    clip_builder builder = {.clip = out,
                            .tracks = memory,
                            .samplers = samplers,
                            .samplers_at = pelti_json_member(&at, "samplers")};
    for (size_t i = 0; i < pelti_json_size(channels) && result == PELT_OK; ++i)
    {
        channel c = {.json = pelti_json_at(channels, i), .at = pelti_json_element(&channels_at, i)};
        result = read_channel(&builder, g, &c);
    }
    out->tracks = memory;
    return result == PELT_OK ? note_repairs(g, &builder) : result;
}

pelt_result pelti_gltf_read_clips(pelti_gltf* g)
{
    uint32_t count = g->lists[PELTI_GLTF_ANIMATIONS].count;
    void* memory = NULL;
    pelt_result result = pelti_gltf_alloc(&memory, g, count, sizeof(pelt_clip));
    pelt_clip* clips = memory;
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        g->repairs.clip_number = i + 1;
        result = read_clip(&clips[i], g, i);
    }
    g->repairs.clip_number = 0;
    g->scene->clips = clips;
    g->scene->clip_count = count;
    return result;
}
