// SPDX-License-Identifier: MIT
// Clips: channels of nodes and shapes become tracks, in seconds, with keys in order.
#include "assimp_scene.h"

#ifdef PELT_WITH_ASSIMP

#include "../name_list.h"

#include <stdlib.h>
#include <string.h>

// The clip that is being read.
typedef struct clip_source
{
    pelti_assimp* a;
    const struct aiAnimation* animation;
    const char* name;
    double ticks_per_second;
    pelt_track* tracks;
    uint32_t track_count;
    float last_time;
    uint32_t bad_keys, unknown_channels;
} clip_source;

// A key on its way into a track.
typedef struct key_place
{
    float time;
    uint32_t key;
} key_place;

static int by_time(const void* a, const void* b)
{
    const key_place *x = a, *y = b;
    if (x->time != y->time)
    {
        return x->time < y->time ? -1 : 1;
    }
    return x->key < y->key ? -1 : x->key > y->key;
}

// Keys of any kind: where the time of key i is, and how to get its value.
typedef struct key_source
{
    const void* keys;
    uint32_t count, width;
    double (*time)(const void* keys, uint32_t key);
    // Fill in `width` floats.
    void (*value)(float* out, const clip_source* clip, const struct key_source* source,
                  uint32_t key);
} key_source;

static bool are_finite(const float* values, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        if (!isfinite(values[i]))
        {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Kinds of keys

static double vector_time(const void* keys, uint32_t key)
{
    return ((const struct aiVectorKey*)keys)[key].mTime;
}

static void store_vector(float* out, const struct aiVector3D* v)
{
    out[0] = v->x;
    out[1] = v->y;
    out[2] = v->z;
}

static void vector_value(float* out, const clip_source* clip, const key_source* source,
                         uint32_t key)
{
    (void)clip;
    store_vector(out, &((const struct aiVectorKey*)source->keys)[key].mValue);
}

static double rotation_time(const void* keys, uint32_t key)
{
    return ((const struct aiQuatKey*)keys)[key].mTime;
}

static void rotation_value(float* out, const clip_source* clip, const key_source* source,
                           uint32_t key)
{
    (void)clip;
    const struct aiQuaternion* q = &((const struct aiQuatKey*)source->keys)[key].mValue;
    out[0] = q->x;
    out[1] = q->y;
    out[2] = q->z;
    out[3] = q->w;
    if (are_finite(out, 4))
    {
        pelt_quat unit = pelt_quat_normalize(pelt_quat_make(q->x, q->y, q->z, q->w));
        memcpy(out, &unit, sizeof unit);
    }
}

static double morph_time(const void* keys, uint32_t key)
{
    return ((const struct aiMeshMorphKey*)keys)[key].mTime;
}

static void morph_value(float* out, const clip_source* clip, const key_source* source, uint32_t key)
{
    (void)clip;
    const struct aiMeshMorphKey* k = &((const struct aiMeshMorphKey*)source->keys)[key];
    memset(out, 0, source->width * sizeof *out);
    for (uint32_t i = 0; i < k->mNumValuesAndWeights; ++i)
    {
        if (k->mValues[i] < source->width)
        {
            out[k->mValues[i]] = (float)k->mWeights[i];
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Tracks

// Times in seconds, in order; of keys at the same time the last counts. Returns how many are left.
static uint32_t order_keys(key_place* out, clip_source* clip, const key_source* source)
{
    uint32_t count = 0, kept = 0;
    bool is_ordered = true;
    for (uint32_t key = 0; key < source->count; ++key)
    {
        float time = (float)(source->time(source->keys, key) / clip->ticks_per_second);
        if (isfinite(time))
        {
            is_ordered = is_ordered && (count == 0 || time > out[count - 1].time);
            out[count++] = (key_place){time, key};
        }
    }
    if (!is_ordered)
    {
        qsort(out, count, sizeof *out, by_time);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        bool is_repeated = kept > 0 && out[kept - 1].time == out[i].time;
        kept -= is_repeated;
        out[kept++] = out[i];
    }
    clip->bad_keys += source->count - kept;
    return kept;
}

static void fill_track(pelt_track* track, float* times, float* values, clip_source* clip,
                       const key_source* source, const key_place* order, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        float* value = values + (size_t)track->key_count * source->width;
        source->value(value, clip, source, order[i].key);
        if (!are_finite(value, source->width))
        {
            clip->bad_keys++;
            continue;
        }
        times[track->key_count++] = order[i].time;
        clip->last_time = fmaxf(clip->last_time, order[i].time);
    }
}

static pelt_result add_track(clip_source* clip, uint32_t target, pelt_path path,
                             const key_source* source)
{
    if (source->count == 0 || source->width == 0)
    {
        return PELT_OK;
    }
    pelt_arena* arena = clip->a->arena;
    key_place* order = pelt_allocate(source->count, sizeof *order);
    float* times = pelt_arena_alloc(arena, source->count, sizeof *times);
    float* values = pelt_arena_alloc(arena, source->count, source->width * sizeof *values);
    if (order == NULL || times == NULL || values == NULL)
    {
        pelt_release(order);
        return pelt_error_memory(clip->a->error);
    }
    pelt_track track = {
        .target = target, .path = path, .width = source->width, .times = times, .values = values};
    uint32_t count = order_keys(order, clip, source);
    fill_track(&track, times, values, clip, source, order, count);
    pelt_release(order);
    if (path == PELT_PATH_ROTATION)
    {
        pelt_rotations_align(values, track.key_count);
    }
    if (track.key_count > 0)
    {
        clip->tracks[clip->track_count++] = track;
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Channels

// A channel replaces the whole matrix of its node. Of a node that was split it drives the upper
// half, and the lower stops turning while the clip plays.
static pelt_result stop_lower_half(clip_source* clip, uint32_t node)
{
    static const struct aiQuatKey still = {0.0, {1.0f, 0.0f, 0.0f, 0.0f}};
    key_source source = {&still, 1, 4, rotation_time, rotation_value};
    return add_track(clip, node, PELT_PATH_ROTATION, &source);
}

static pelt_result read_channel(clip_source* clip, const struct aiNodeAnim* channel)
{
    uint32_t node = pelti_assimp_find_node(clip->a, channel->mNodeName.data);
    if (node == PELT_NONE)
    {
        clip->unknown_channels++;
        return PELT_OK;
    }
    pelt_result result = PELT_OK;
    if (clip->a->nodes[node].is_split)
    {
        result = stop_lower_half(clip, node);
        node--;
    }
    const key_source positions = {channel->mPositionKeys, channel->mNumPositionKeys, 3, vector_time,
                                  vector_value};
    const key_source rotations = {channel->mRotationKeys, channel->mNumRotationKeys, 4,
                                  rotation_time, rotation_value};
    const key_source scales = {channel->mScalingKeys, channel->mNumScalingKeys, 3, vector_time,
                               vector_value};
    result = result != PELT_OK ? result : add_track(clip, node, PELT_PATH_TRANSLATION, &positions);
    result = result != PELT_OK ? result : add_track(clip, node, PELT_PATH_ROTATION, &rotations);
    return result != PELT_OK ? result : add_track(clip, node, PELT_PATH_SCALE, &scales);
}

// The shape channels of a clip, by name.
typedef struct morph_channels
{
    const char** given; // their names; NULL: none
    bool* is_known;     // of the first by its name: some instance has it
    pelti_name_list names;
} morph_channels;

static void destroy_channels(morph_channels* channels)
{
    pelt_release(channels->given);
    pelt_release(channels->is_known);
    pelti_name_list_destroy(&channels->names);
}

static pelt_result sort_channels(morph_channels* out, const struct aiAnimation* animation)
{
    uint32_t count = animation->mNumMorphMeshChannels;
    *out = (morph_channels){.given = pelt_allocate(count, sizeof *out->given),
                            .is_known = pelt_allocate(count, sizeof *out->is_known)};
    if (out->given == NULL || out->is_known == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        const char* name = animation->mMorphMeshChannels[i]->mName.data;
        out->given[i] = name[0] != '\0' ? name : NULL;
        out->is_known[i] = false;
    }
    return pelti_name_list_create(&out->names, out->given, sizeof *out->given, count);
}

// Channels are called like a mesh or like its node.
static pelt_result read_morph_channel(clip_source* clip, morph_channels* channels,
                                      uint32_t instance_index)
{
    const pelt_scene* scene = clip->a->scene;
    const pelt_instance* instance = &scene->instances[instance_index];
    const pelt_mesh* mesh = &scene->meshes[instance->mesh];
    uint32_t index = pelti_name_list_find(&channels->names, mesh->name);
    if (index == PELT_NONE)
    {
        index = pelti_name_list_find(&channels->names, clip->a->nodes[instance->node].node.name);
    }
    if (index == PELT_NONE || mesh->morph_count == 0)
    {
        return PELT_OK;
    }
    channels->is_known[index] = true;
    const struct aiMeshMorphAnim* channel = clip->animation->mMorphMeshChannels[index];
    key_source source = {channel->mKeys, channel->mNumKeys, mesh->morph_count, morph_time,
                         morph_value};
    return add_track(clip, instance_index, PELT_PATH_MORPH, &source);
}

static uint32_t count_unknown(const morph_channels* channels, uint32_t count)
{
    uint32_t unknown = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        const char* name = channels->given[i];
        bool is_known =
            name != NULL && channels->is_known[pelti_name_list_find(&channels->names, name)];
        unknown += !is_known;
    }
    return unknown;
}

static pelt_result read_morph_channels(clip_source* clip)
{
    morph_channels channels;
    uint32_t count = clip->animation->mNumMorphMeshChannels;
    pelt_result result = sort_channels(&channels, clip->animation);
    if (result != PELT_OK)
    {
        pelt_error_memory(clip->a->error);
    }
    for (uint32_t i = 0; count > 0 && i < clip->a->scene->instance_count && result == PELT_OK; ++i)
    {
        result = read_morph_channel(clip, &channels, i);
    }
    clip->unknown_channels += result == PELT_OK ? count_unknown(&channels, count) : 0;
    destroy_channels(&channels);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Clips

static size_t most_tracks(const clip_source* clip)
{
    // Three per node, one for the lower half of a split one, and one per instance for shapes.
    size_t shapes = clip->animation->mNumMorphMeshChannels > 0 ? clip->a->scene->instance_count : 0;
    return 4 * (size_t)clip->animation->mNumChannels + shapes;
}

static pelt_result read_channels(clip_source* clip)
{
    const struct aiAnimation* animation = clip->animation;
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < animation->mNumChannels && result == PELT_OK; ++i)
    {
        result = read_channel(clip, animation->mChannels[i]);
    }
    return result == PELT_OK ? read_morph_channels(clip) : result;
}

static pelt_result report_clip(clip_source* clip)
{
    pelti_assimp* a = clip->a;
    pelt_result result = PELT_OK;
    if (!(clip->animation->mTicksPerSecond > 0.0))
    {
        result = pelti_assimp_repair(a, "clip %s has no key rate; assumed %g keys per second",
                                     clip->name, clip->ticks_per_second);
    }
    if (clip->bad_keys > 0 && result == PELT_OK)
    {
        result = pelti_assimp_repair(
            a, "clip %s: dropped %u %s, not finite or at the time of another", clip->name,
            clip->bad_keys, pelti_plural(clip->bad_keys, "key", "keys"));
    }
    if (clip->unknown_channels > 0 && result == PELT_OK)
    {
        result = pelti_assimp_repair(a, "clip %s: dropped %u %s of nodes that are not in the file",
                                     clip->name, clip->unknown_channels,
                                     pelti_plural(clip->unknown_channels, "channel", "channels"));
    }
    return result;
}

static pelt_result read_clip(pelti_assimp* a, pelt_clip* out, uint32_t index)
{
    const struct aiAnimation* animation = a->source->mAnimations[index];
    const char* name = animation->mName.data;
    clip_source clip = {.a = a, .animation = animation};
    clip.name = name[0] != '\0' ? pelt_arena_string(a->arena, name)
                                : pelt_arena_format(a->arena, "clip %u", index);
    // 25 is what assimp's own tools take when a file is silent.
    clip.ticks_per_second = animation->mTicksPerSecond > 0.0 ? animation->mTicksPerSecond : 25.0;
    clip.tracks = pelt_arena_alloc(a->arena, most_tracks(&clip), sizeof *clip.tracks);
    if (clip.name == NULL || clip.tracks == NULL)
    {
        return pelt_error_memory(a->error);
    }
    pelt_result result = read_channels(&clip);
    float duration = (float)(animation->mDuration / clip.ticks_per_second);
    duration = isfinite(duration) ? fmaxf(duration, clip.last_time) : clip.last_time;
    *out = (pelt_clip){clip.name, duration, clip.track_count, clip.tracks};
    return result == PELT_OK ? report_clip(&clip) : result;
}

pelt_result pelti_assimp_read_clips(pelti_assimp* a)
{
    uint32_t count = a->source->mNumAnimations;
    pelt_clip* clips = pelt_arena_alloc(a->arena, count, sizeof *clips);
    if (clips == NULL)
    {
        return pelt_error_memory(a->error);
    }
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        result = read_clip(a, &clips[i], i);
    }
    a->scene->clips = clips;
    a->scene->clip_count = count;
    return result;
}

#endif
