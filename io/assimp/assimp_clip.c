// SPDX-License-Identifier: MIT
// Clips: channels of nodes and morph weights become tracks, in seconds, with keys in order.
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

// A key before it is written to a track.
typedef struct ordered_key
{
    float time;
    uint32_t key;
} ordered_key;

static int by_time(const void* a, const void* b)
{
    const ordered_key *x = a, *y = b;
    if (x->time != y->time)
    {
        return x->time < y->time ? -1 : 1;
    }
    return x->key < y->key ? -1 : x->key > y->key;
}

// Keys of any kind: the offset of the time of key i, and how to read its value.
typedef struct key_source
{
    const void* keys;
    uint32_t count, width;
    double (*time)(const void* keys, uint32_t key);
    // Fill in `width` floats.
    void (*value)(float* out, const struct key_source* source, uint32_t key);
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

static void vector_value(float* out, const key_source* source, uint32_t key)
{
    const struct aiVector3D* v = &((const struct aiVectorKey*)source->keys)[key].mValue;
    out[0] = v->x;
    out[1] = v->y;
    out[2] = v->z;
}

static double rotation_time(const void* keys, uint32_t key)
{
    return ((const struct aiQuatKey*)keys)[key].mTime;
}

static void rotation_value(float* out, const key_source* source, uint32_t key)
{
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

static void morph_value(float* out, const key_source* source, uint32_t key)
{
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

// Times in seconds, in order; of keys at the same time the last is kept. Returns how many are left.
static uint32_t order_keys(ordered_key* out, clip_source* clip, const key_source* source)
{
    uint32_t count = 0, kept = 0;
    bool is_ordered = true;
    for (uint32_t key = 0; key < source->count; ++key)
    {
        float time = (float)(source->time(source->keys, key) / clip->ticks_per_second);
        if (isfinite(time))
        {
            is_ordered = is_ordered && (count == 0 || time > out[count - 1].time);
            out[count++] = (ordered_key){time, key};
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

static pelt_result add_track(clip_source* clip, uint32_t target, pelt_path path,
                             const key_source* source)
{
    if (source->count == 0 || source->width == 0)
    {
        return PELT_OK;
    }
    pelt_arena* arena = clip->a->arena;
    ordered_key* order = pelt_allocate(source->count, sizeof *order);
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
    for (uint32_t i = 0; i < count; ++i)
    {
        float* value = values + (size_t)track.key_count * source->width;
        source->value(value, source, order[i].key);
        if (!are_finite(value, source->width))
        {
            clip->bad_keys++;
            continue;
        }
        times[track.key_count++] = order[i].time;
        clip->last_time = fmaxf(clip->last_time, order[i].time);
    }
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

static pelt_result read_channel(clip_source* clip, const struct aiNodeAnim* channel)
{
    static const struct aiQuatKey still = {0.0, {1.0f, 0.0f, 0.0f, 0.0f}};
    static const key_source stillness = {&still, 1, 4, rotation_time, rotation_value};
    uint32_t node = pelti_assimp_find_node(clip->a, channel->mNodeName.data);
    if (node == PELT_NONE)
    {
        clip->unknown_channels++;
        return PELT_OK;
    }
    if (clip->a->nodes[node].is_split)
    {
        // A channel replaces the whole matrix of its node. In a node that was split it drives the
        // upper half, and the lower stops rotating while the clip plays.
        PELT_TRY(add_track(clip, node, PELT_PATH_ROTATION, &stillness));
        node--;
    }
    const key_source positions = {channel->mPositionKeys, channel->mNumPositionKeys, 3, vector_time,
                                  vector_value};
    const key_source rotations = {channel->mRotationKeys, channel->mNumRotationKeys, 4,
                                  rotation_time, rotation_value};
    const key_source scales = {channel->mScalingKeys, channel->mNumScalingKeys, 3, vector_time,
                               vector_value};
    PELT_TRY(add_track(clip, node, PELT_PATH_TRANSLATION, &positions));
    PELT_TRY(add_track(clip, node, PELT_PATH_ROTATION, &rotations));
    return add_track(clip, node, PELT_PATH_SCALE, &scales);
}

// Channels have the name of a mesh or of its node.
static pelt_result read_morph_channels(clip_source* clip)
{
    const struct aiAnimation* animation = clip->animation;
    const pelt_scene* scene = clip->a->scene;
    uint32_t count = animation->mNumMorphMeshChannels;
    if (count == 0)
    {
        return PELT_OK;
    }
    pelti_name_list names = {0};
    const char** given = pelt_allocate(count, sizeof *given); // NULL: none
    bool* is_known = pelt_allocate(count, sizeof *is_known);  // of the first by its name
    pelt_result result = given != NULL && is_known != NULL ? PELT_OK : PELT_ERROR_MEMORY;
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        const char* name = animation->mMorphMeshChannels[i]->mName.data;
        given[i] = name[0] != '\0' ? name : NULL;
        is_known[i] = false;
    }
    if (result != PELT_OK || pelti_name_list_create(&names, given, sizeof *given, count) != PELT_OK)
    {
        result = pelt_error_memory(clip->a->error);
    }
    for (uint32_t i = 0; i < scene->instance_count && result == PELT_OK; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        const pelt_mesh* mesh = &scene->meshes[instance->mesh];
        uint32_t index = pelti_name_list_find(&names, mesh->name);
        if (index == PELT_NONE)
        {
            index = pelti_name_list_find(&names, clip->a->nodes[instance->node].node.name);
        }
        if (index == PELT_NONE || mesh->morph_count == 0)
        {
            continue;
        }
        is_known[index] = true;
        const struct aiMeshMorphAnim* channel = animation->mMorphMeshChannels[index];
        key_source source = {channel->mKeys, channel->mNumKeys, mesh->morph_count, morph_time,
                             morph_value};
        result = add_track(clip, i, PELT_PATH_MORPH, &source);
    }
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        clip->unknown_channels +=
            given[i] == NULL || !is_known[pelti_name_list_find(&names, given[i])];
    }
    pelti_name_list_destroy(&names);
    pelt_release(is_known);
    pelt_release(given);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Clips

static pelt_result report_clip(clip_source* clip)
{
    pelti_assimp* a = clip->a;
    if (!(clip->animation->mTicksPerSecond > 0.0))
    {
        PELT_TRY(pelti_assimp_repair(a, "clip %s has no key rate; assumed %g keys per second",
                                     clip->name, clip->ticks_per_second));
    }
    if (clip->bad_keys > 0)
    {
        PELT_TRY(pelti_assimp_repair(
            a, "clip %s: dropped %u %s, not finite or at the time of another", clip->name,
            clip->bad_keys, pelti_plural(clip->bad_keys, "key", "keys")));
    }
    if (clip->unknown_channels > 0)
    {
        PELT_TRY(pelti_assimp_repair(a, "clip %s: dropped %u %s of nodes that are not in the file",
                                     clip->name, clip->unknown_channels,
                                     pelti_plural(clip->unknown_channels, "channel", "channels")));
    }
    return PELT_OK;
}

static pelt_result read_clip(pelti_assimp* a, pelt_clip* out, uint32_t index)
{
    const struct aiAnimation* animation = a->source->mAnimations[index];
    const char* name = animation->mName.data;
    clip_source clip = {.a = a, .animation = animation};
    clip.name = name[0] != '\0' ? pelt_arena_string(a->arena, name)
                                : pelt_arena_format(a->arena, "clip %u", index);
    // Assimp's own tools use 25 when a file states no rate.
    clip.ticks_per_second = animation->mTicksPerSecond > 0.0 ? animation->mTicksPerSecond : 25.0;
    // Three per node, one for the lower half of a split one, and one per instance for morph
    // weights.
    size_t morph_tracks = animation->mNumMorphMeshChannels > 0 ? a->scene->instance_count : 0;
    size_t most_tracks = 4 * (size_t)animation->mNumChannels + morph_tracks;
    clip.tracks = pelt_arena_alloc(a->arena, most_tracks, sizeof *clip.tracks);
    if (clip.name == NULL || clip.tracks == NULL)
    {
        return pelt_error_memory(a->error);
    }
    for (uint32_t i = 0; i < animation->mNumChannels; ++i)
    {
        PELT_TRY(read_channel(&clip, animation->mChannels[i]));
    }
    PELT_TRY(read_morph_channels(&clip));
    float duration = (float)(animation->mDuration / clip.ticks_per_second);
    duration = isfinite(duration) ? fmaxf(duration, clip.last_time) : clip.last_time;
    *out = (pelt_clip){clip.name, duration, clip.track_count, clip.tracks};
    return report_clip(&clip);
}

pelt_result pelti_assimp_read_clips(pelti_assimp* a)
{
    uint32_t count = a->source->mNumAnimations;
    pelt_clip* clips = pelt_arena_alloc(a->arena, count, sizeof *clips);
    if (clips == NULL)
    {
        return pelt_error_memory(a->error);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        PELT_TRY(read_clip(a, &clips[i], i));
    }
    a->scene->clips = clips;
    a->scene->clip_count = count;
    return PELT_OK;
}

#endif
