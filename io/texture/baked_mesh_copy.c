// SPDX-License-Identifier: MIT
// Copies the glTF file of a bake as its mesh. It leaves out the clips that are in the texture and,
// with VERTEX, skins.
#include "baked_file.h"

#include "../gltf_write/gltf_additions.h"
#include "../name_list.h"

#include <string.h>

typedef struct mesh_copy
{
    const pelti_baked_mesh_copy* what;
    pelti_gltf_copy* copy;
    pelti_gltf_document* document;
    json_t* root;
    uint32_t next; // addition of the current instance, or a later one
} mesh_copy;

// ---------------------------------------------------------------------------------------------
// Clips

// Clips may share a name: as many of them are removed as were baked.
// @param left  per clip of the scene, zeroed
static void remove_named(mesh_copy* m, const pelti_name_list* names, uint32_t* left)
{
    const pelt_scene* scene = m->what->scene;
    const pelt_baked* baked = m->what->baked;
    json_t *clips = json_object_get(m->root, "animations"), *kept = json_array();
    for (uint32_t i = 0; i < baked->clip_count; ++i)
    {
        uint32_t first = pelti_name_list_find(names, baked->clips[i].name);
        if (first != PELT_NONE)
        {
            left[first]++;
        }
    }
    for (uint32_t i = 0; i < json_array_size(clips) && i < scene->clip_count; ++i)
    {
        uint32_t first = pelti_name_list_find(names, scene->clips[i].name);
        if (left[first] == 0)
        {
            pelti_gltf_push(m->document, kept, json_incref(json_array_get(clips, i)));
        }
        left[first] -= left[first] > 0;
    }
    // glTF has no empty lists.
    if (json_array_size(kept) > 0)
    {
        pelti_gltf_set(m->document, m->root, "animations", json_incref(kept));
    }
    else
    {
        json_object_del(m->root, "animations");
    }
    json_decref(kept);
}

static pelt_result remove_clips(mesh_copy* m)
{
    const pelt_scene* scene = m->what->scene;
    pelti_name_list names = {0};
    uint32_t* left = pelt_allocate((size_t)scene->clip_count + 1, sizeof *left);
    if (left == NULL ||
        pelti_name_list_create(&names, scene->clip_count > 0 ? &scene->clips[0].name : NULL,
                               sizeof *scene->clips, scene->clip_count) != PELT_OK)
    {
        pelt_release(left);
        return pelt_error_memory(m->copy->error);
    }
    memset(left, 0, ((size_t)scene->clip_count + 1) * sizeof *left);
    remove_named(m, &names, left);
    pelti_name_list_destroy(&names);
    pelt_release(left);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// VERTEX: primitives

static bool has_start(const char* text, const char* start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static void remove_members(json_t* object, const char* start)
{
    const char* key;
    json_t* value;
    void* next;
    json_object_foreach_safe(object, next, key, value)
    {
        if (has_start(key, start))
        {
            json_object_del(object, key);
        }
    }
}

static void set_floats(mesh_copy* m, json_t* attributes, const char* name, const float* values,
                       uint32_t width, uint32_t count)
{
    pelti_gltf_array array = {.data = values,
                              .count = count,
                              .width = width,
                              .component = PELTI_GLTF_FLOAT,
                              .use = PELTI_GLTF_VERTICES};
    pelti_gltf_set(m->document, attributes, name,
                   json_integer(pelti_gltf_add_array(m->document, &array)));
}

// OpenVAT uses the second set of UVs: those of the file move up by one.
static void move_uvs(mesh_copy* m, json_t* attributes)
{
    char from[32], to[32];
    uint32_t count = 1;
    do
    {
        snprintf(from, sizeof from, "TEXCOORD_%u", count);
    } while (json_object_get(attributes, from) != NULL && ++count < 1000);
    while (--count > 0)
    {
        snprintf(from, sizeof from, "TEXCOORD_%u", count);
        snprintf(to, sizeof to, "TEXCOORD_%u", count + 1);
        pelti_gltf_set(m->document, attributes, to, json_incref(json_object_get(attributes, from)));
        json_object_del(attributes, from);
    }
}

static void move_uvs_of_textures(json_t* value)
{
    const char* key;
    json_t* member;
    size_t i;
    json_t* set = json_object_get(value, "texCoord");
    if (json_integer_value(set) > 0)
    {
        json_integer_set(set, json_integer_value(set) + 1);
    }
    json_object_foreach(value, key, member)
    {
        move_uvs_of_textures(strcmp(key, "extras") != 0 ? member : NULL);
    }
    json_array_foreach(value, i, member)
    {
        move_uvs_of_textures(member);
    }
}

static void set_numbers(mesh_copy* m, json_t* attributes, uint32_t instance)
{
    for (; m->next < m->what->addition_count && m->what->additions[m->next].mesh == instance;
         ++m->next)
    {
        const pelt_addition* own = &m->what->additions[m->next];
        set_floats(m, attributes, own->name, own->values, own->width, own->vertex_count);
    }
}

// @return new; NULL: out of memory
static json_t* make_primitive(mesh_copy* m, uint32_t instance)
{
    uint32_t mesh = m->what->scene->instances[instance].mesh;
    json_t* out = json_deep_copy(m->copy->primitives[mesh]);
    json_t* attributes = json_object_get(out, "attributes");
    json_t* extras = json_object_get(out, "extras");
    remove_members(attributes, "JOINTS_");
    remove_members(attributes, "WEIGHTS_");
    remove_members(attributes, "_PELT_");
    remove_members(extras, "pelt_");
    if (json_is_object(extras) && json_object_size(extras) == 0)
    {
        json_object_del(out, "extras");
    }
    json_object_del(out, "targets");
    if (m->what->has_openvat)
    {
        move_uvs(m, attributes);
    }
    set_numbers(m, attributes, instance);
    return out;
}

// ---------------------------------------------------------------------------------------------
// VERTEX: nodes

// Put nodes on a stack that are not marked yet, and mark them.
static size_t push_nodes(uint32_t* stack, size_t size, bool* is_visible, size_t count,
                         const json_t* list)
{
    size_t i;
    json_t* value;
    json_array_foreach(list, i, value)
    {
        double index = json_is_number(value) ? json_number_value(value) : -1.0;
        if (index >= 0.0 && index < (double)count && !is_visible[(size_t)index])
        {
            is_visible[(size_t)index] = true;
            stack[size++] = (uint32_t)index;
        }
    }
    return size;
}

// The nodes of the scene that is shown; all where there is none.
// @return free with pelt_release(); NULL: out of memory
static bool* find_visible(json_t* nodes, const json_t* scene)
{
    size_t count = json_array_size(nodes);
    bool* out = pelt_allocate(count + 1, sizeof *out);
    uint32_t* stack = pelt_allocate(count + 1, sizeof *stack);
    if (out != NULL && stack != NULL)
    {
        memset(out, scene == NULL, (count + 1) * sizeof *out);
        size_t size = push_nodes(stack, 0, out, count, json_object_get(scene, "nodes"));
        while (size > 0)
        {
            const json_t* node = json_array_get(nodes, stack[--size]);
            size = push_nodes(stack, size, out, count, json_object_get(node, "children"));
        }
    }
    else
    {
        pelt_release(out);
        out = NULL;
    }
    pelt_release(stack);
    return out;
}

static json_t* shown_scene(const mesh_copy* m)
{
    json_t* scenes = json_object_get(m->root, "scenes");
    return json_array_get(scenes, (size_t)json_number_value(json_object_get(m->root, "scene")));
}

// The remaining primitives of a mesh without its triangles: points and lines. NULL: nothing
static json_t* make_rest(mesh_copy* m, const json_t* mesh)
{
    json_t *primitives = json_object_get(mesh, "primitives"), *kept = json_array(), *part;
    size_t i;
    json_array_foreach(primitives, i, part)
    {
        const json_t* mode = json_object_get(part, "mode");
        if (mode != NULL && json_number_value(mode) < 4.0)
        {
            pelti_gltf_push(m->document, kept, json_deep_copy(part));
        }
    }
    json_t* out = json_array_size(kept) > 0 ? json_copy((json_t*)mesh) : NULL;
    if (out != NULL)
    {
        pelti_gltf_set(m->document, out, "primitives", json_incref(kept));
    }
    json_decref(kept);
    return out;
}

// Remove the triangles, skins and morph weights of nodes.
// @param count  of nodes that were there before
static void release_nodes(mesh_copy* m, json_t* meshes, const bool* is_visible, size_t count)
{
    json_t* old = json_object_get(m->root, "meshes");
    json_t* nodes = json_object_get(m->root, "nodes");
    for (size_t i = 0; i < count; ++i)
    {
        json_t* node = json_array_get(nodes, i);
        json_t* index = json_object_get(node, "mesh");
        const json_t* mesh = json_array_get(old, (size_t)json_number_value(index));
        if (index == NULL)
        {
            continue;
        }
        json_t* kept = is_visible[i] ? make_rest(m, mesh) : json_deep_copy(mesh);
        if (is_visible[i])
        {
            json_object_del(node, "mesh");
            json_object_del(node, "skin");
            json_object_del(node, "weights");
        }
        if (kept != NULL)
        {
            pelti_gltf_set(m->document, node, "mesh",
                           json_integer((json_int_t)json_array_size(meshes)));
            pelti_gltf_push(m->document, meshes, kept);
        }
    }
}

// A node of its own at the root, because motions transform to model space.
static void add_instance(mesh_copy* m, json_t* meshes, uint32_t index)
{
    const pelt_mesh* mesh = &m->what->scene->meshes[m->what->scene->instances[index].mesh];
    json_t *out = json_object(), *primitives = json_array(), *node = json_object();
    json_t* nodes = pelti_gltf_list_of(m->document, "nodes");
    pelti_gltf_push(m->document, primitives, make_primitive(m, index));
    pelti_gltf_set_name(m->document, out, mesh->name);
    pelti_gltf_set(m->document, out, "primitives", primitives);
    pelti_gltf_set_name(m->document, node, mesh->name);
    pelti_gltf_set(m->document, node, "mesh", json_integer((json_int_t)json_array_size(meshes)));
    pelti_gltf_push(m->document, meshes, out);
    json_t* scene = shown_scene(m);
    if (scene != NULL && json_object_get(scene, "nodes") == NULL)
    {
        pelti_gltf_set(m->document, scene, "nodes", json_array());
    }
    if (scene != NULL)
    {
        pelti_gltf_push(m->document, json_object_get(scene, "nodes"),
                        json_integer((json_int_t)json_array_size(nodes)));
    }
    pelti_gltf_push(m->document, nodes, node);
}

static void remove_free_skins(mesh_copy* m)
{
    json_t* node;
    size_t i;
    bool is_used = false;
    json_array_foreach(json_object_get(m->root, "nodes"), i, node)
    {
        is_used = is_used || json_object_get(node, "skin") != NULL;
    }
    if (!is_used)
    {
        json_object_del(m->root, "skins");
    }
}

static pelt_result part_instances(mesh_copy* m)
{
    json_t* nodes = json_object_get(m->root, "nodes");
    size_t count = json_array_size(nodes);
    json_t* meshes = json_array();
    bool* is_visible = find_visible(nodes, shown_scene(m));
    if (is_visible == NULL || meshes == NULL)
    {
        pelt_release(is_visible);
        json_decref(meshes);
        return pelt_error_memory(m->copy->error);
    }
    for (uint32_t i = 0; i < m->what->scene->instance_count; ++i)
    {
        add_instance(m, meshes, i);
    }
    release_nodes(m, meshes, is_visible, count);
    pelti_gltf_set(m->document, m->root, "meshes", meshes);
    remove_free_skins(m);
    if (m->what->has_openvat)
    {
        move_uvs_of_textures(json_object_get(m->root, "materials"));
    }
    pelt_release(is_visible);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------

static pelt_result edit(pelti_gltf_copy* copy, const void* user)
{
    const pelti_baked_mesh_copy* what = user;
    const pelti_gltf_change change = {what->scene, what->scene};
    mesh_copy m = {
        .what = what, .copy = copy, .document = copy->document, .root = copy->document->root};
    pelt_result result = pelti_gltf_apply_changes(copy, &change);
    if (result == PELT_OK && what->baked->encoding == PELT_ENCODING_VERTEX)
    {
        // No clip animates a mesh without its skin.
        json_object_del(m.root, "animations");
        return part_instances(&m);
    }
    return result == PELT_OK ? remove_clips(&m) : result;
}

static pelt_result write_copy(FILE* stream, const pelti_baked_mesh_copy* what,
                              const pelti_gltf_source* source, pelt_error* error)
{
    bool is_vertex = what->baked->encoding == PELT_ENCODING_VERTEX;
    pelt_addition* additions = NULL;
    uint32_t count = 0;
    pelt_arena* arena = pelt_arena_create();
    if (arena == NULL ||
        (!is_vertex && pelt_scene_additions(&additions, &count, what->scene, arena) != PELT_OK))
    {
        pelt_arena_destroy(arena);
        return pelt_error_memory(error);
    }
    pelti_gltf_document document = {0};
    pelti_gltf_copy copy = {.source = source, .document = &document, .error = error};
    const pelti_gltf_edits edits = {.additions = additions,
                                    .addition_count = count,
                                    .run = edit,
                                    .user = what,
                                    .is_self_contained = true};
    pelt_result result = pelti_gltf_copy_make(&copy, NULL, PELT_FORMAT_GLB, &edits);
    result = result == PELT_OK ? pelti_gltf_write(stream, &document, &copy.target, error) : result;
    pelti_gltf_copy_destroy(&copy);
    pelt_arena_destroy(arena);
    return result;
}

pelt_result pelti_baked_write_copy(FILE* stream, const pelti_baked_mesh_copy* what,
                                   const pelt_source* source, pelt_error* error)
{
    const pelt_source named = pelti_source_named(source);
    pelti_gltf_source opened;
    pelt_result result = pelti_gltf_source_open(&opened, &named, error);
    if (result == PELT_OK)
    {
        result = write_copy(stream, what, &opened, error);
        pelti_gltf_source_close(&opened);
    }
    return result;
}
