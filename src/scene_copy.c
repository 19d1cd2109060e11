// SPDX-License-Identifier: MIT
// A scene of one's own to change, made of somebody else's.
#include "scene_copy.h"

#include <string.h>

// After the first failure nothing more is copied; the caller looks once, at the end.
typedef struct copier
{
    pelt_arena* arena;
    bool is_out_of_memory;
} copier;

static void* copy_array(copier* c, const void* source, size_t count, size_t size)
{
    if (source == NULL || c->is_out_of_memory)
    {
        return NULL;
    }
    void* copy = pelt_arena_alloc(c->arena, count, size);
    c->is_out_of_memory = copy == NULL;
    return copy != NULL && count > 0 ? memcpy(copy, source, count * size) : copy;
}

static const char* copy_string(copier* c, const char* text)
{
    return text != NULL ? copy_array(c, text, strlen(text) + 1, 1) : NULL;
}

static void copy_morphs(copier* c, pelt_mesh* mesh)
{
    pelt_morph* morphs = copy_array(c, mesh->morphs, mesh->morph_count, sizeof *morphs);
    for (uint32_t i = 0; morphs != NULL && i < mesh->morph_count; ++i)
    {
        pelt_morph* morph = &morphs[i];
        morph->name = copy_string(c, morph->name);
        morph->positions = copy_array(c, morph->positions, mesh->vertex_count, sizeof(pelt_vec3));
        morph->normals = copy_array(c, morph->normals, mesh->vertex_count, sizeof(pelt_vec3));
        morph->tangents = copy_array(c, morph->tangents, mesh->vertex_count, sizeof(pelt_vec3));
    }
    mesh->morphs = morphs;
    mesh->morph_weights = copy_array(c, mesh->morph_weights, mesh->morph_count, sizeof(float));
}

static void copy_mesh(copier* c, pelt_mesh* mesh)
{
    uint32_t count = mesh->vertex_count;
    pelt_weights* weights = &mesh->weights;
    mesh->name = copy_string(c, mesh->name);
    mesh->positions = copy_array(c, mesh->positions, count, sizeof(pelt_vec3));
    mesh->normals = copy_array(c, mesh->normals, count, sizeof(pelt_vec3));
    mesh->tangents = copy_array(c, mesh->tangents, count, sizeof(pelt_vec4));
    mesh->uvs = copy_array(c, mesh->uvs, count, sizeof(pelt_vec2));
    mesh->colors = copy_array(c, mesh->colors, count, sizeof(pelt_vec4));
    mesh->indices = copy_array(c, mesh->indices, mesh->index_count, sizeof(uint32_t));
    mesh->cors = copy_array(c, mesh->cors, count, sizeof(pelt_vec3));
    mesh->mix_factors = copy_array(c, mesh->mix_factors, count, sizeof(float));
    weights->first = copy_array(c, weights->first, (size_t)count + 1, sizeof(uint32_t));
    weights->influences =
        copy_array(c, weights->influences, weights->influence_count, sizeof(pelt_influence));
    copy_morphs(c, mesh);
}

static void copy_skin(copier* c, pelt_skin* skin)
{
    skin->name = copy_string(c, skin->name);
    skin->joints = copy_array(c, skin->joints, skin->joint_count, sizeof(uint32_t));
    skin->inverse_binds = copy_array(c, skin->inverse_binds, skin->joint_count, sizeof(pelt_mat34));
}

static void copy_clip(copier* c, pelt_clip* clip)
{
    pelt_track* tracks = copy_array(c, clip->tracks, clip->track_count, sizeof *tracks);
    for (uint32_t i = 0; tracks != NULL && i < clip->track_count; ++i)
    {
        pelt_track* track = &tracks[i];
        size_t parts = track->interpolation == PELT_INTERPOLATION_CUBIC ? 3 : 1;
        track->times = copy_array(c, track->times, track->key_count, sizeof(float));
        track->values =
            copy_array(c, track->values, parts * track->key_count * track->width, sizeof(float));
    }
    clip->name = copy_string(c, clip->name);
    clip->tracks = tracks;
}

// What is for display, and the words of the reader.
static void copy_rest(copier* c, pelt_scene* scene)
{
    pelt_material* materials =
        copy_array(c, scene->materials, scene->material_count, sizeof *materials);
    for (uint32_t i = 0; materials != NULL && i < scene->material_count; ++i)
    {
        materials[i].name = copy_string(c, materials[i].name);
        materials[i].texture = copy_string(c, materials[i].texture);
    }
    pelt_image* images = copy_array(c, scene->images, scene->image_count, sizeof *images);
    for (uint32_t i = 0; images != NULL && i < scene->image_count; ++i)
    {
        images[i].name = copy_string(c, images[i].name);
        images[i].bytes = copy_array(c, images[i].bytes, images[i].size, 1);
    }
    pelt_repair* repairs = copy_array(c, scene->repairs, scene->repair_count, sizeof *repairs);
    for (uint32_t i = 0; repairs != NULL && i < scene->repair_count; ++i)
    {
        repairs[i].message = copy_string(c, repairs[i].message);
    }
    scene->materials = materials;
    scene->images = images;
    scene->repairs = repairs;
}

static void copy_figure(copier* c, pelt_scene* scene)
{
    pelt_node* nodes = copy_array(c, scene->nodes, scene->node_count, sizeof *nodes);
    pelt_mesh* meshes = copy_array(c, scene->meshes, scene->mesh_count, sizeof *meshes);
    pelt_skin* skins = copy_array(c, scene->skins, scene->skin_count, sizeof *skins);
    pelt_clip* clips = copy_array(c, scene->clips, scene->clip_count, sizeof *clips);
    for (uint32_t i = 0; nodes != NULL && i < scene->node_count; ++i)
    {
        nodes[i].name = copy_string(c, nodes[i].name);
    }
    for (uint32_t i = 0; meshes != NULL && i < scene->mesh_count; ++i)
    {
        copy_mesh(c, &meshes[i]);
    }
    for (uint32_t i = 0; skins != NULL && i < scene->skin_count; ++i)
    {
        copy_skin(c, &skins[i]);
    }
    for (uint32_t i = 0; clips != NULL && i < scene->clip_count; ++i)
    {
        copy_clip(c, &clips[i]);
    }
    scene->nodes = nodes;
    scene->meshes = meshes;
    scene->skins = skins;
    scene->clips = clips;
    scene->instances =
        copy_array(c, scene->instances, scene->instance_count, sizeof *scene->instances);
}

pelt_scene* pelti_scene_copy(const pelt_scene* scene)
{
    copier c = {.arena = pelt_arena_create()};
    pelt_scene* out = c.arena != NULL ? copy_array(&c, scene, 1, sizeof *scene) : NULL;
    if (out != NULL)
    {
        out->arena = c.arena;
        out->name = copy_string(&c, out->name);
        copy_figure(&c, out);
        copy_rest(&c, out);
    }
    if (out == NULL || c.is_out_of_memory)
    {
        pelt_arena_destroy(c.arena);
        return NULL;
    }
    return out;
}
