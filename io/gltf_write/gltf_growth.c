// SPDX-License-Identifier: MIT
// What a scene has more than the file it was read from: nodes, joints of skins, tracks and clips at
// the end of their lists, as pelt_twist_add() and pelt_scene_add_clips() append them.
#include "../gltf/gltf_read.h"
#include "gltf_additions.h"

bool pelti_gltf_has_grown(const pelti_gltf_change* change)
{
    const pelt_scene *read = change->read, *scene = change->scene;
    bool has_grown = scene->node_count > read->node_count || scene->clip_count > read->clip_count;
    for (uint32_t i = 0; i < read->skin_count; ++i)
    {
        has_grown |= scene->skins[i].joint_count > read->skins[i].joint_count;
    }
    for (uint32_t i = 0; i < read->clip_count; ++i)
    {
        has_grown |= scene->clips[i].track_count > read->clips[i].track_count;
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

// Where the nodes of the scene come from, by reading the nodes of the file again.
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

// The primitives of a mesh are instances that follow one another, with the same keys; the channel
// of the first is that of the mesh.
static bool is_repeated(const growth* w, const pelt_clip* clip, uint32_t index)
{
    const pelt_track* track = &clip->tracks[index];
    return track->path == PELT_PATH_MORPH && index > 0 && track[-1].path == PELT_PATH_MORPH &&
           node_of(w, track) == node_of(w, &track[-1]);
}

// Clips move translation, rotation and scale only, so that a matrix becomes these.
// @return false: the node is one of two that a matrix with shear became, and cannot be animated
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
        pelti_gltf_push(w->document, samplers, pelti_gltf_make_sampler(w->document, track));
        pelti_gltf_push(w->document, channels, channel);
    }
}

static void add_clip(growth* w, json_t* clips, const pelt_clip* clip)
{
    json_t* out = json_object();
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

static void add_clips(growth* w)
{
    bool has_new = w->scene->clip_count > w->read->clip_count;
    json_t* clips = has_new ? pelti_gltf_list_of(w->document, "animations")
                            : json_object_get(w->document->root, "animations");
    for (uint32_t i = 0; i < w->read->clip_count; ++i)
    {
        if (w->scene->clips[i].track_count > w->read->clips[i].track_count)
        {
            add_tracks(w, json_array_get(clips, i), &w->scene->clips[i],
                       w->read->clips[i].track_count);
        }
    }
    for (uint32_t i = w->read->clip_count; i < w->scene->clip_count; ++i)
    {
        add_clip(w, clips, &w->scene->clips[i]);
    }
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
        add_joints(&w);
        add_clips(&w);
    }
    pelt_release(w.index_of);
    return result;
}
