// SPDX-License-Identifier: MIT
// Writes what a scene has besides the content of its file: nodes and joints of skins at the end of
// their lists, as pelt_twist_add() appends them, and its clips, which may be others.
#include "../gltf/gltf_read.h"
#include "gltf_additions.h"

#include <string.h>

static bool is_same_track(const pelt_track* a, const pelt_track* b)
{
    size_t parts = a->interpolation == PELT_INTERPOLATION_CUBIC ? 3 : 1;
    size_t count = parts * a->key_count * a->width;
    return a->target == b->target && a->path == b->path && a->interpolation == b->interpolation &&
           a->key_count == b->key_count && a->width == b->width &&
           (a->times == b->times ||
            memcmp(a->times, b->times, a->key_count * sizeof *a->times) == 0) &&
           (a->values == b->values || memcmp(a->values, b->values, count * sizeof *a->values) == 0);
}

// Whether a clip begins with the tracks of another one.
static bool has_tracks_of(const pelt_clip* clip, const pelt_clip* read)
{
    bool is_same = clip->track_count >= read->track_count && clip->duration == read->duration;
    for (uint32_t i = 0; i < read->track_count && is_same && clip->tracks != read->tracks; ++i)
    {
        is_same = is_same_track(&clip->tracks[i], &read->tracks[i]);
    }
    return is_same;
}

static bool is_same_clip(const pelt_clip* a, const pelt_clip* b)
{
    return a->track_count == b->track_count && has_tracks_of(a, b);
}

static bool has_other_clips(const pelti_gltf_change* change)
{
    const pelt_scene *read = change->read, *scene = change->scene;
    bool is_other = scene->clip_count != read->clip_count;
    for (uint32_t i = 0; i < read->clip_count && !is_other; ++i)
    {
        is_other = !is_same_clip(&scene->clips[i], &read->clips[i]) ||
                   strcmp(scene->clips[i].name, read->clips[i].name) != 0;
    }
    return is_other;
}

bool pelti_gltf_has_grown(const pelti_gltf_change* change)
{
    const pelt_scene *read = change->read, *scene = change->scene;
    bool has_grown = scene->node_count > read->node_count || has_other_clips(change);
    for (uint32_t i = 0; i < read->skin_count; ++i)
    {
        has_grown |= scene->skins[i].joint_count > read->skins[i].joint_count;
    }
    return has_grown;
}

typedef struct growth
{
    pelti_gltf_document* document;
    const pelt_scene *read, *scene;
    uint32_t* index_of; // per node of the scene: its index in the file
} growth;

// ---------------------------------------------------------------------------------------------
// Nodes

// Find the origin of the nodes of the scene by reading the nodes of the file again.
static pelt_result map_nodes(growth* w, pelti_gltf_copy* copy)
{
    const pelt_source* file = copy->source->file;
    const pelti_blob bytes = {(uint8_t*)file->bytes, file->size};
    pelt_scene nodes = {0};
    pelti_gltf g = {.path = file->path, .source = file, .error = copy->error, .scene = &nodes};
    pelt_result result = pelti_gltf_arrays_open(&g, &bytes);
    result = result == PELT_OK ? pelti_gltf_read_nodes(&g) : result;
    if (result == PELT_OK && nodes.node_count != w->read->node_count)
    {
        result = pelt_error_set(copy->error, PELT_ERROR_DATA,
                                "%s: the file has %u nodes and the scene %u; has the file changed?",
                                copy->source->path, nodes.node_count, w->read->node_count);
    }
    for (uint32_t i = 0; i < w->scene->node_count && result == PELT_OK; ++i)
    {
        w->index_of[i] = PELT_NONE;
    }
    for (uint32_t i = 0; i < g.lists[PELTI_GLTF_NODES].count && result == PELT_OK; ++i)
    {
        // A matrix with shear becomes two nodes; the second has the children.
        w->index_of[g.nodes[i].node] = i;
    }
    pelti_gltf_arrays_close(&g);
    return result;
}

static void add_nodes(growth* w)
{
    json_t* nodes = pelti_gltf_list_of(w->document, "nodes");
    for (uint32_t i = w->read->node_count; i < w->scene->node_count; ++i)
    {
        const pelt_node* node = &w->scene->nodes[i];
        PELT_ASSERT(node->parent != PELT_NONE);
        json_t* parent = json_array_get(nodes, w->index_of[node->parent]);
        w->index_of[i] = (uint32_t)json_array_size(nodes);
        pelti_gltf_push(w->document, nodes, pelti_gltf_make_node(w->document, node));
        if (json_object_get(parent, "children") == NULL)
        {
            pelti_gltf_set(w->document, parent, "children", json_array());
        }
        pelti_gltf_push(w->document, json_object_get(parent, "children"),
                        json_integer(w->index_of[i]));
    }
}

static void add_helpers(growth* w)
{
    for (uint32_t i = 0; i < w->scene->helper_count; ++i)
    {
        if (w->scene->helpers[i].node >= w->read->node_count)
        {
            pelti_gltf_set_helper(w->document, w->scene, &w->scene->helpers[i], w->index_of);
        }
    }
}

static void add_joints(growth* w)
{
    json_t* skins = json_object_get(w->document->root, "skins");
    for (uint32_t i = 0; i < w->read->skin_count; ++i)
    {
        const pelt_skin* skin = &w->scene->skins[i];
        json_t* out = json_array_get(skins, i);
        uint32_t before = w->read->skins[i].joint_count;
        for (uint32_t k = before; k < skin->joint_count; ++k)
        {
            pelti_gltf_push(w->document, json_object_get(out, "joints"),
                            json_integer(w->index_of[skin->joints[k]]));
        }
        if (skin->joint_count > before)
        {
            pelti_gltf_set(w->document, out, "inverseBindMatrices",
                           json_integer(pelti_gltf_add_inverse_binds(w->document, skin)));
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Clips

static uint32_t node_of(const growth* w, const pelt_track* track)
{
    uint32_t node =
        track->path == PELT_PATH_MORPH ? w->scene->instances[track->target].node : track->target;
    return w->index_of[node];
}

// The primitives of a mesh are consecutive instances with the same keys; the channel of the first
// is that of the mesh.
static bool is_repeated(const growth* w, const pelt_clip* clip, uint32_t index)
{
    const pelt_track* track = &clip->tracks[index];
    return track->path == PELT_PATH_MORPH && index > 0 && track[-1].path == PELT_PATH_MORPH &&
           node_of(w, track) == node_of(w, &track[-1]);
}

// Clips animate translation, rotation and scale, so a matrix is replaced by these.
// @return false: the node is one of two for a matrix with shear, and cannot be animated
static bool make_movable(growth* w, uint32_t node)
{
    json_t* nodes = json_object_get(w->document->root, "nodes");
    json_t* out = json_array_get(nodes, w->index_of[node]);
    const pelt_node* from = &w->scene->nodes[node];
    if (json_object_get(out, "matrix") == NULL)
    {
        return true;
    }
    if (from->parent != PELT_NONE && w->index_of[from->parent] == PELT_NONE)
    {
        return false;
    }
    json_object_del(out, "matrix");
    pelti_gltf_set(w->document, out, "translation",
                   pelti_gltf_floats(w->document, &from->rest.translation.x, 3));
    pelti_gltf_set(w->document, out, "rotation",
                   pelti_gltf_floats(w->document, &from->rest.rotation.x, 4));
    pelti_gltf_set(w->document, out, "scale",
                   pelti_gltf_floats(w->document, &from->rest.scale.x, 3));
    return true;
}

static void add_tracks(growth* w, json_t* out, const pelt_clip* clip, uint32_t first)
{
    json_t *samplers = json_object_get(out, "samplers"),
           *channels = json_object_get(out, "channels");
    // The duration of a clip in glTF is that of its keys.
    bool is_held = first == 0 && clip->duration > pelti_gltf_last_time(clip);
    for (uint32_t i = first; i < clip->track_count; ++i)
    {
        const pelt_track* track = &clip->tracks[i];
        uint32_t node = node_of(w, track);
        bool is_morph = track->path == PELT_PATH_MORPH;
        // The first of the two nodes of a matrix with shear is not in the file.
        if (node == PELT_NONE || is_repeated(w, clip, i) ||
            (!is_morph && !make_movable(w, track->target)))
        {
            continue;
        }
        json_t* channel =
            pelti_gltf_make_channel(w->document, track, json_array_size(samplers), node);
        pelti_gltf_push(w->document, samplers,
                        is_held ? pelti_gltf_make_held_sampler(w->document, track, clip->duration)
                                : pelti_gltf_make_sampler(w->document, track));
        is_held = false;
        pelti_gltf_push(w->document, channels, channel);
    }
}

// Write a clip that is not in the file.
// @param like  one of which it is a version; NULL: none
static void add_clip(growth* w, json_t* clips, const pelt_clip* clip, const json_t* like)
{
    // Extras and extensions of the clip stay, except those of channels, which may be missing now.
    json_t* out = like != NULL ? json_copy((json_t*)like) : json_object();
    pelti_gltf_set_name(w->document, out, clip->name);
    pelti_gltf_set(w->document, out, "channels", json_array());
    pelti_gltf_set(w->document, out, "samplers", json_array());
    add_tracks(w, out, clip, 0);
    // glTF has no clips without tracks.
    if (json_array_size(json_object_get(out, "channels")) > 0)
    {
        pelti_gltf_push(w->document, clips, json_incref(out));
    }
    json_decref(out);
}

// The clip of the file for a clip of the scene.
static uint32_t find_origin(const growth* w, uint32_t index)
{
    const pelt_clip* clip = &w->scene->clips[index];
    const pelt_scene* read = w->read;
    if (index < read->clip_count && has_tracks_of(clip, &read->clips[index]))
    {
        return index;
    }
    uint32_t named = pelt_scene_find_clip(read, clip->name);
    if (named != PELT_NONE && is_same_clip(clip, &read->clips[named]))
    {
        return named;
    }
    // With another name, its arrays are still those that were read.
    for (uint32_t i = 0; i < read->clip_count && clip->track_count > 0; ++i)
    {
        if (clip->tracks == read->clips[i].tracks && is_same_clip(clip, &read->clips[i]))
        {
            return i;
        }
    }
    return PELT_NONE;
}

static const json_t* clip_of_name(const json_t* clips, const pelt_scene* read, const char* name)
{
    uint32_t index = pelt_scene_find_clip(read, name);
    return index != PELT_NONE ? json_array_get(clips, index) : NULL;
}

// A clip of the file is kept, with another name if it has one.
static void write_clip(growth* w, json_t* clips, const json_t* before, uint32_t index)
{
    const pelt_scene* read = w->read;
    const pelt_clip* clip = &w->scene->clips[index];
    uint32_t origin = find_origin(w, index);
    if (origin == PELT_NONE)
    {
        add_clip(w, clips, clip, clip_of_name(before, read, clip->name));
        return;
    }
    json_t* out = json_deep_copy(json_array_get(before, origin));
    if (strcmp(clip->name, read->clips[origin].name) != 0)
    {
        pelti_gltf_set_name(w->document, out, clip->name);
    }
    pelti_gltf_push(w->document, clips, json_incref(out));
    // pelt_twist_add() appends tracks.
    if (clip->track_count > read->clips[origin].track_count)
    {
        add_tracks(w, out, clip, read->clips[origin].track_count);
    }
    json_decref(out);
}

static void write_clips(growth* w)
{
    json_t* root = w->document->root;
    json_t* before = json_incref(json_object_get(root, "animations"));
    json_t* clips = json_array();
    for (uint32_t i = 0; i < w->scene->clip_count; ++i)
    {
        write_clip(w, clips, before, i);
    }
    w->document->is_out_of_memory = w->document->is_out_of_memory || clips == NULL;
    if (json_array_size(clips) > 0)
    {
        pelti_gltf_set(w->document, root, "animations", json_incref(clips));
    }
    else
    {
        json_object_del(root, "animations");
    }
    json_decref(clips);
    json_decref(before);
}

pelt_result pelti_gltf_apply_growth(pelti_gltf_copy* copy, const pelti_gltf_change* change)
{
    growth w = {.document = copy->document, .read = change->read, .scene = change->scene};
    if (!pelti_gltf_has_grown(change))
    {
        return PELT_OK;
    }
    w.index_of = pelt_allocate((size_t)w.scene->node_count + 1, sizeof *w.index_of);
    pelt_result result = w.index_of != NULL ? map_nodes(&w, copy) : pelt_error_memory(copy->error);
    if (result == PELT_OK)
    {
        add_nodes(&w);
        add_helpers(&w);
        add_joints(&w);
        if (has_other_clips(change))
        {
            write_clips(&w);
        }
    }
    pelt_release(w.index_of);
    return result;
}
