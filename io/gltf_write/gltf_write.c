// SPDX-License-Identifier: MIT
// Scenes and surfaces as glTF 2.0.
#include "gltf_write.h"

#include "../file_write.h"
#include "../writers.h"

static pelti_gltf_target target_of(const pelti_gltf_document* document, pelt_format format)
{
    pelti_gltf_home home = format == PELT_FORMAT_GLB ? PELTI_GLTF_HOME_CHUNK : PELTI_GLTF_HOME_URI;
    return (pelti_gltf_target){
        .format = format, .home = document->size > 0 ? home : PELTI_GLTF_HOME_NONE, .digits = 9};
}

static pelt_result finish(FILE* stream, pelti_gltf_document* document, pelt_format format,
                          pelt_error* error)
{
    pelti_gltf_target target = target_of(document, format);
    pelti_gltf_close_buffer(document, &target);
    pelt_result result = pelti_gltf_write(stream, document, &target, error);
    pelti_gltf_destroy(document);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Surfaces

static pelt_result check_mesh(const pelt_mesh* mesh, pelt_error* error)
{
    if (mesh->vertex_count == 0 || mesh->positions == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "mesh \"%s\" has no vertices: glTF cannot hold it",
                              mesh->name != NULL ? mesh->name : "");
    }
    return PELT_OK;
}

// A node of its own at the root, for the surface is in model space.
static void add_surface(pelti_gltf_document* document, const pelt_mesh* mesh, json_t* primitive)
{
    json_t *meshes = pelti_gltf_list_of(document, "meshes"), *out = json_object();
    json_t *primitives = json_array(), *node = json_object();
    uint32_t index = (uint32_t)json_array_size(meshes);

    pelti_gltf_push(document, primitives, primitive);
    pelti_gltf_set_name(document, out, mesh->name);
    pelti_gltf_set(document, out, "primitives", primitives);
    pelti_gltf_push(document, meshes, out);

    pelti_gltf_set_name(document, node, mesh->name);
    pelti_gltf_set(document, node, "mesh", json_integer(index));
    pelti_gltf_push(document, pelti_gltf_list_of(document, "nodes"), node);
    json_t* scene = json_array_get(pelti_gltf_list_of(document, "scenes"), 0);
    if (index == 0)
    {
        pelti_gltf_set(document, scene, "nodes", json_array());
    }
    pelti_gltf_push(document, json_object_get(scene, "nodes"), json_integer(index));
}

// @param next  the first addition of this instance or a later one; moves behind its own
static json_t* make_primitive(pelti_gltf_document* document, const pelt_mesh* mesh,
                              const pelti_gltf_surfaces* what, uint32_t instance, uint32_t* next)
{
    json_t* out = pelti_gltf_primitive(document, mesh);
    for (; *next < what->addition_count && what->additions[*next].mesh == instance; ++*next)
    {
        const pelt_addition* addition = &what->additions[*next];
        pelti_gltf_array array = pelti_gltf_array_of(addition, mesh->vertex_count);
        pelti_gltf_set(document, json_object_get(out, "attributes"), addition->name,
                       json_integer(pelti_gltf_add_array(document, &array)));
    }
    return out;
}

pelt_result pelti_gltf_write_surfaces(FILE* stream, const pelti_gltf_surfaces* what,
                                      pelt_error* error)
{
    const pelt_scene* scene = what->scene;
    uint32_t next = 0;
    pelti_gltf_document document = {.root = json_object()};
    pelti_gltf_add_header(&document, scene->name);
    pelti_gltf_add_materials(&document, scene);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        pelt_mesh shown = scene->meshes[scene->instances[i].mesh];
        shown.positions = what->surfaces[i].positions;
        shown.normals = what->surfaces[i].normals;
        shown.tangents = what->surfaces[i].tangents;
        shown.cors = NULL;
        shown.mix_factors = NULL;
        shown.normal_factors = NULL;
        shown.weights = (pelt_weights){0};
        shown.has_method = false;
        shown.morph_count = 0;
        pelt_result result = check_mesh(&shown, error);
        if (result != PELT_OK)
        {
            pelti_gltf_destroy(&document);
            return result;
        }
        add_surface(&document, &shown, make_primitive(&document, &shown, what, i, &next));
    }
    return finish(stream, &document, what->format, error);
}

pelt_result pelti_write_glb(FILE* stream, const pelt_scene* scene, const pelt_surface* surfaces,
                            pelt_error* error)
{
    const pelti_gltf_surfaces what = {PELT_FORMAT_GLB, scene, surfaces, NULL, 0};
    return pelti_gltf_write_surfaces(stream, &what, error);
}

pelt_result pelti_write_gltf(FILE* stream, const pelt_scene* scene, const pelt_surface* surfaces,
                             pelt_error* error)
{
    const pelti_gltf_surfaces what = {PELT_FORMAT_GLTF, scene, surfaces, NULL, 0};
    return pelti_gltf_write_surfaces(stream, &what, error);
}

// ---------------------------------------------------------------------------------------------
// Scenes

pelt_result pelti_gltf_check_scene(const pelt_scene* scene, pelt_error* error)
{
    pelt_result result = pelt_scene_validate(scene, error);
    for (uint32_t i = 0; i < scene->mesh_count && result == PELT_OK; ++i)
    {
        result = check_mesh(&scene->meshes[i], error);
    }
    for (uint32_t i = 0; i < scene->skin_count && result == PELT_OK; ++i)
    {
        if (scene->skins[i].joint_count == 0)
        {
            const char* name = scene->skins[i].name;
            result = pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                                    "skin \"%s\" has no joints: glTF cannot hold it",
                                    name != NULL ? name : "");
        }
    }
    return result;
}

pelt_result pelti_gltf_write_scene(FILE* stream, pelt_format format, const pelt_scene* scene,
                                   pelt_error* error)
{
    pelti_gltf_layout layout;
    if (pelti_gltf_layout_create(&layout, scene) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    pelti_gltf_document document = {.root = json_object()};
    pelti_gltf_add_header(&document, scene->name);
    pelti_gltf_add_nodes(&document, scene, &layout);
    pelti_gltf_add_materials(&document, scene);
    pelti_gltf_add_meshes(&document, scene, &layout);
    pelti_gltf_add_skins(&document, scene, &layout);
    pelti_gltf_add_clips(&document, scene, &layout);
    pelti_gltf_layout_destroy(&layout);
    return finish(stream, &document, format, error);
}

pelt_result pelt_save_scene(const char* path, pelt_format format, const pelt_scene* scene,
                            pelt_error* error)
{
    PELT_ASSERT(path != NULL && scene != NULL);

    if (format != PELT_FORMAT_GLB && format != PELT_FORMAT_GLTF)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "%s: pelt writes scenes as .glb or .gltf", path);
    }
    pelt_result result = pelti_gltf_check_scene(scene, error);
    pelti_file file;
    if (result == PELT_OK)
    {
        result = pelti_file_open(&file, path, error);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    result = pelti_gltf_write_scene(file.stream, format, scene, error);
    if (result != PELT_OK)
    {
        pelti_file_discard(&file);
        return result;
    }
    return pelti_file_commit(&file, error);
}
