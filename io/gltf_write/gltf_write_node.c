// SPDX-License-Identifier: MIT
// Nodes, the scene of their roots, and clips.
#include "gltf_write.h"

#include <math.h>
#include <string.h>

void pelti_gltf_add_header(pelti_gltf_document* document, const char* scene_name)
{
    json_t* asset = json_object();
    pelti_gltf_set(document, asset, "generator", json_string("pelt " PELT_VERSION_STRING));
    pelti_gltf_set(document, asset, "version", json_string("2.0"));
    json_t* scene = json_object();
    pelti_gltf_set_name(document, scene, scene_name);

    pelti_gltf_set(document, document->root, "asset", asset);
    pelti_gltf_set(document, document->root, "scene", json_integer(0));
    pelti_gltf_push(document, pelti_gltf_list_of(document, "scenes"), scene);
}

// Defaults are left out, if they have the same bits: -0 is not a default.
static void set_unless(pelti_gltf_document* document, json_t* node, const char* key,
                       const float* values, const float* defaults, uint32_t count)
{
    if (memcmp(values, defaults, count * sizeof *values) != 0)
    {
        pelti_gltf_set(document, node, key, pelti_gltf_floats(document, values, count));
    }
}

json_t* pelti_gltf_make_node(pelti_gltf_document* document, const pelt_node* node)
{
    static const float zero[3] = {0.0f, 0.0f, 0.0f}, one[3] = {1.0f, 1.0f, 1.0f};
    static const float no_rotation[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    json_t* out = json_object();
    pelti_gltf_set_name(document, out, node->name);
    set_unless(document, out, "translation", &node->rest.translation.x, zero, 3);
    set_unless(document, out, "rotation", &node->rest.rotation.x, no_rotation, 4);
    set_unless(document, out, "scale", &node->rest.scale.x, one, 3);
    return out;
}

void pelti_gltf_set_helper(pelti_gltf_document* document, const pelt_scene* scene,
                           const pelt_helper* helper, const uint32_t* index_of)
{
    json_t* node = json_array_get(pelti_gltf_list_of(document, "nodes"), index_of[helper->node]);
    json_t* rule = json_object();
    float columns[16];
    pelt_mat34_to_columns(columns, &helper->source_from_parent);
    if (json_object_get(node, "extras") == NULL)
    {
        pelti_gltf_set(document, node, "extras", json_object());
    }
    pelti_gltf_set(document, rule, "version", json_string(PELT_VERSION_STRING));
    pelti_gltf_set(document, rule, "joint", json_integer(index_of[helper->source]));
    pelti_gltf_set_name(document, rule, scene->nodes[helper->source].name);
    pelti_gltf_set(document, rule, "factor", json_real((double)helper->factor));
    pelti_gltf_set(document, rule, "center", pelti_gltf_floats(document, &helper->center.x, 3));
    pelti_gltf_set(document, rule, "offset", pelti_gltf_floats(document, columns, 16));
    pelti_gltf_set(document, json_object_get(node, "extras"), "pelt_helper", rule);
}

// Add a node to its parent, or to the scene.
static void hang(pelti_gltf_document* document, uint32_t node, uint32_t parent)
{
    json_t* above = parent == PELT_NONE
                        ? json_array_get(pelti_gltf_list_of(document, "scenes"), 0)
                        : json_array_get(pelti_gltf_list_of(document, "nodes"), parent);
    const char* member = parent == PELT_NONE ? "nodes" : "children";
    if (json_object_get(above, member) == NULL)
    {
        pelti_gltf_set(document, above, member, json_array());
    }
    pelti_gltf_push(document, json_object_get(above, member), json_integer(node));
}

// Add a node of the file to one of the scene, or to the root.
static void hang_below(pelti_gltf_document* document, const pelti_gltf_layout* layout,
                       uint32_t index, uint32_t parent)
{
    hang(document, index, parent != PELT_NONE ? layout->index_of[parent] : PELT_NONE);
}

static void place_instance(pelti_gltf_document* document, const pelt_scene* scene,
                           const pelti_gltf_layout* layout, uint32_t index)
{
    const pelt_instance* instance = &scene->instances[index];
    uint32_t node = layout->index_of[layout->node_of[index]];
    json_t* out = json_array_get(pelti_gltf_list_of(document, "nodes"), node);
    if (layout->node_of[index] >= scene->node_count)
    {
        pelti_gltf_set_name(document, out, scene->meshes[instance->mesh].name);
        hang_below(document, layout, node,
                   instance->skin == PELT_NONE ? instance->node : PELT_NONE);
    }
    pelti_gltf_set(document, out, "mesh", json_integer(layout->mesh_of[instance->mesh]));
    if (instance->skin != PELT_NONE)
    {
        pelti_gltf_set(document, out, "skin", json_integer(instance->skin));
    }
}

// All nodes, those of the scene among the extra ones.
static void push_nodes(pelti_gltf_document* document, const pelt_scene* scene,
                       const pelti_gltf_layout* layout)
{
    json_t* nodes = pelti_gltf_list_of(document, "nodes");
    uint32_t next = 0;
    for (uint32_t i = 0; i < layout->node_count; ++i)
    {
        bool is_own = next < scene->node_count && layout->index_of[next] == i;
        pelti_gltf_push(document, nodes,
                        is_own ? pelti_gltf_make_node(document, &scene->nodes[next++])
                               : json_object());
    }
}

void pelti_gltf_add_nodes(pelti_gltf_document* document, const pelt_scene* scene,
                          const pelti_gltf_layout* layout)
{
    if (layout->node_count > 0)
    {
        push_nodes(document, scene, layout);
    }
    if (layout->gathering != PELT_NONE)
    {
        json_t* nodes = pelti_gltf_list_of(document, "nodes");
        pelti_gltf_set_name(document, json_array_get(nodes, layout->gathering), "skeleton");
        hang(document, layout->gathering, PELT_NONE);
    }
    for (uint32_t i = 0; i < scene->node_count; ++i)
    {
        uint32_t index = layout->index_of[i];
        if (layout->is_gathered[i])
        {
            hang(document, index, layout->gathering);
        }
        else
        {
            hang_below(document, layout, index, scene->nodes[i].parent);
        }
    }
    for (uint32_t i = 0; i < scene->helper_count; ++i)
    {
        pelti_gltf_set_helper(document, scene, &scene->helpers[i], layout->index_of);
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        if (!layout->is_joined[scene->instances[i].mesh])
        {
            place_instance(document, scene, layout, i);
        }
    }
}

// ---------------------------------------------------------------------------------------------
static const char* const path_names[] = {"translation", "rotation", "scale", "weights"};
static const char* const interpolation_names[] = {"LINEAR", "STEP", "CUBICSPLINE"};

json_t* pelti_gltf_make_sampler(pelti_gltf_document* document, const pelt_track* track)
{
    // Weights of morph targets are scalars, one after the other.
    bool is_morph = track->path == PELT_PATH_MORPH;
    size_t parts = track->interpolation == PELT_INTERPOLATION_CUBIC ? 3 : 1;
    pelti_gltf_array times = {.data = track->times,
                              .count = track->key_count,
                              .width = 1,
                              .component = PELTI_GLTF_FLOAT,
                              .has_bounds = true};
    pelti_gltf_array values = {.data = track->values,
                               .count = parts * track->key_count * (is_morph ? track->width : 1),
                               .width = is_morph ? 1 : track->width,
                               .component = PELTI_GLTF_FLOAT};
    json_t* out = json_object();
    pelti_gltf_set(document, out, "input", json_integer(pelti_gltf_add_array(document, &times)));
    if (track->interpolation != PELT_INTERPOLATION_LINEAR)
    {
        pelti_gltf_set(document, out, "interpolation",
                       json_string(interpolation_names[track->interpolation]));
    }
    pelti_gltf_set(document, out, "output", json_integer(pelti_gltf_add_array(document, &values)));
    return out;
}

float pelti_gltf_last_time(const pelt_clip* clip)
{
    float last = 0.0f;
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        const pelt_track* track = &clip->tracks[i];
        last = fmaxf(last, track->times[track->key_count - 1]);
    }
    return last;
}

json_t* pelti_gltf_make_held_sampler(pelti_gltf_document* document, const pelt_track* track,
                                     float time)
{
    bool is_cubic = track->interpolation == PELT_INTERPOLATION_CUBIC;
    size_t parts = is_cubic ? 3 : 1, count = track->key_count, width = track->width;
    size_t key_size = parts * width;
    float* times = pelt_allocate(count + 1, sizeof *times);
    float* values = pelt_allocate(key_size * (count + 1), sizeof *values);
    json_t* out = NULL;
    if (times != NULL && values != NULL)
    {
        memcpy(times, track->times, count * sizeof *times);
        memcpy(values, track->values, key_size * count * sizeof *values);
        times[count] = time;
        float* added = values + key_size * count;
        memcpy(added, added - key_size, key_size * sizeof *added);
        if (is_cubic)
        {
            // Flat from the old last key to the new one: tangents after it, and on both sides here.
            memset(added - width, 0, 2 * width * sizeof *added);
            memset(added + 2 * width, 0, width * sizeof *added);
        }
        pelt_track held = *track;
        held.key_count = track->key_count + 1;
        held.times = times;
        held.values = values;
        out = pelti_gltf_make_sampler(document, &held);
    }
    document->is_out_of_memory = document->is_out_of_memory || out == NULL;
    pelt_release(values);
    pelt_release(times);
    return out;
}

json_t* pelti_gltf_make_channel(pelti_gltf_document* document, const pelt_track* track,
                                size_t sampler, uint32_t node)
{
    json_t* target = json_object();
    pelti_gltf_set(document, target, "node", json_integer(node));
    pelti_gltf_set(document, target, "path", json_string(path_names[track->path]));
    json_t* out = json_object();
    pelti_gltf_set(document, out, "sampler", json_integer((json_int_t)sampler));
    pelti_gltf_set(document, out, "target", target);
    return out;
}

static json_t* make_clip(pelti_gltf_document* document, const pelt_scene* scene,
                         const pelti_gltf_layout* layout, const pelt_clip* clip)
{
    // The duration of a clip in glTF is that of its keys: if it is longer, the first track gets
    // another key.
    bool is_held = clip->duration > pelti_gltf_last_time(clip);
    json_t *samplers = json_array(), *channels = json_array();
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        const pelt_track* track = &clip->tracks[i];
        bool is_morph = track->path == PELT_PATH_MORPH;
        if (is_morph && layout->is_joined[scene->instances[track->target].mesh])
        {
            // The channel of the first primitive animates all of its mesh.
            continue;
        }
        uint32_t node = is_morph ? layout->node_of[track->target] : track->target;
        node = layout->index_of[node];
        size_t sampler = json_array_size(samplers);
        pelti_gltf_push(document, samplers,
                        is_held ? pelti_gltf_make_held_sampler(document, track, clip->duration)
                                : pelti_gltf_make_sampler(document, track));
        is_held = false;
        pelti_gltf_push(document, channels,
                        pelti_gltf_make_channel(document, track, sampler, node));
    }
    json_t* out = json_object();
    pelti_gltf_set_name(document, out, clip->name);
    pelti_gltf_set(document, out, "channels", channels);
    pelti_gltf_set(document, out, "samplers", samplers);
    return out;
}

void pelti_gltf_add_clips(pelti_gltf_document* document, const pelt_scene* scene,
                          const pelti_gltf_layout* layout)
{
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        const pelt_clip* clip = &scene->clips[i];
        if (clip->track_count == 0)
        {
            continue; // glTF cannot hold it
        }
        json_t* out = make_clip(document, scene, layout, clip);
        pelti_gltf_push(document, pelti_gltf_list_of(document, "animations"), out);
    }
}
