// SPDX-License-Identifier: MIT
// Nodes: the hierarchy, what each carries, and the scene of its roots.
#include "gltf_write.h"

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

// Defaults are left out, to the bit: -0 is not one of them.
static void set_unless(pelti_gltf_document* document, json_t* node, const char* key,
                       const float* values, const float* defaults, uint32_t count)
{
    if (memcmp(values, defaults, count * sizeof *values) != 0)
    {
        pelti_gltf_set(document, node, key, pelti_gltf_floats(document, values, count));
    }
}

static json_t* make_node(pelti_gltf_document* document, const pelt_node* node)
{
    static const float zero[3] = {0.0f, 0.0f, 0.0f}, one[3] = {1.0f, 1.0f, 1.0f};
    static const float no_turn[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    json_t* out = json_object();
    pelti_gltf_set_name(document, out, node->name);
    set_unless(document, out, "translation", &node->rest.translation.x, zero, 3);
    set_unless(document, out, "rotation", &node->rest.rotation.x, no_turn, 4);
    set_unless(document, out, "scale", &node->rest.scale.x, one, 3);
    return out;
}

// Put a node under its parent, or into the scene.
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

// Hang a node of the file below one of the scene, or at the root.
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
                        is_own ? make_node(document, &scene->nodes[next++]) : json_object());
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
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        if (!layout->is_joined[scene->instances[i].mesh])
        {
            place_instance(document, scene, layout, i);
        }
    }
}
