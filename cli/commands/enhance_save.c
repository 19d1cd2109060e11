// SPDX-License-Identifier: MIT
// The end of pelt enhance: additions to the user's file, or a scene written anew.
#include "enhance.h"

#include "message.h"
#include "output.h"
#include "pelt/io.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool enhance_is_addition(const enhancement* in)
{
    return in->is_gltf && in->twists.count == 0;
}

// ---------------------------------------------------------------------------------------------
// Additions

typedef struct additions
{
    const enhancement* in;
    pelt_addition* list;
    uint32_t count;
    pelt_arena* arena;
} additions;

static void enhance_mesh(pelt_mesh* inout, const enhancement* in, uint32_t index)
{
    if (in->has_cor)
    {
        inout->cors = in->centers.computed[index];
        inout->normal_factors = NULL;
    }
    if (in->normals.joints > 0)
    {
        inout->normal_factors = in->factors.built[index];
    }
}

// What the centers belong to and how they came about, for whoever reads the file later.
static const char* make_cor_extras(const additions* in, const pelt_mesh* mesh)
{
    uint64_t digest;
    char text[17];
    if (pelt_cor_digest(&digest, mesh) != PELT_OK)
    {
        return NULL;
    }
    snprintf(text, sizeof text, "%016" PRIx64, digest);
    json_t* how = centers_describe_options(&in->in->cor);
    json_object_set_new(how, "version", json_string(PELT_VERSION_STRING));
    json_object_set_new(how, "digest", json_string(text));
    char* dump = output_json_text(json_pack("{s:o}", "pelt_cor", how), 0);
    const char* out = dump != NULL ? pelt_arena_string(in->arena, dump) : NULL;
    free(dump);
    return out;
}

static pelt_result add_centers(additions* out, uint32_t index, const pelt_mesh* mesh)
{
    pelt_addition* addition = &out->list[out->count++];
    *addition = (pelt_addition){
        .mesh = index,
        .vertex_count = mesh->vertex_count,
        .name = "_PELT_COR",
        .width = 3,
        .values = &mesh->cors[0].x,
        .extras = make_cor_extras(out, mesh),
    };
    return addition->extras != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

static pelt_result add_factors(additions* out, uint32_t index, const pelt_mesh* mesh)
{
    pelt_addition* parts;
    uint32_t count;
    pelt_result result =
        pelt_normal_additions(&parts, &count, index, mesh, out->in->normals.joints, out->arena);
    if (result == PELT_OK)
    {
        memcpy(out->list + out->count, parts, count * sizeof *parts);
        out->count += count;
    }
    return result;
}

// Factors that belong to other centers than the mesh will have.
static void remove_factors(additions* out, uint32_t mesh)
{
    out->list[out->count++] = (pelt_addition){
        .mesh = mesh, .name = "_PELT_NORMAL_*", .extras = "{\"pelt_normals\": null}"};
}

static pelt_result gather(additions* out)
{
    enum
    {
        MOST_OF_MESH = 32 // centers, two groups of factors, and what they have for each vertex
    };
    const enhancement* in = out->in;
    size_t room = (size_t)in->scene->mesh_count * MOST_OF_MESH;
    out->list = pelt_arena_alloc(out->arena, room, sizeof *out->list);
    pelt_result result = out->list != NULL ? PELT_OK : PELT_ERROR_MEMORY;
    for (uint32_t i = 0; i < in->scene->mesh_count && result == PELT_OK; ++i)
    {
        pelt_mesh mesh = in->scene->meshes[i];
        enhance_mesh(&mesh, in, i);
        bool has_cor = in->has_cor && mesh.cors != NULL;
        if (has_cor)
        {
            result = add_centers(out, i, &mesh);
        }
        if (result == PELT_OK && in->normals.joints > 0 && mesh.normal_factors != NULL)
        {
            result = add_factors(out, i, &mesh);
        }
        else if (has_cor)
        {
            remove_factors(out, i);
        }
    }
    return result;
}

static pelt_result save_additions(const enhancement* in, pelt_error* error)
{
    additions all = {.in = in, .arena = pelt_arena_create()};
    pelt_result result =
        all.arena != NULL && gather(&all) == PELT_OK
            ? pelt_save_source_additions(in->path, &in->file, all.list, all.count, error)
            : pelt_error_memory(error);
    pelt_arena_destroy(all.arena);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Scenes

static pelt_result save_scene(const enhancement* in, pelt_error* error)
{
    pelt_scene scene = in->written.scene;
    pelt_mesh* meshes = calloc((size_t)scene.mesh_count + 1, sizeof *meshes);
    if (meshes == NULL)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t i = 0; i < scene.mesh_count; ++i)
    {
        meshes[i] = scene.meshes[i];
        enhance_mesh(&meshes[i], in, i);
    }
    scene.meshes = meshes;
    bool is_text = pelt_format_of(in->path) == PELT_FORMAT_GLTF;
    pelt_result result =
        pelt_save_scene(in->path, is_text ? PELT_FORMAT_GLTF : PELT_FORMAT_GLB, &scene, error);
    free(meshes);
    return result;
}

int enhance_save(const enhancement* in)
{
    pelt_error error = {0};
    pelt_result result =
        enhance_is_addition(in) ? save_additions(in, &error) : save_scene(in, &error);
    return message_error(result, &error);
}
