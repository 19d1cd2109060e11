// SPDX-License-Identifier: MIT
// Visits every array and string of a scene, in one order, to copy scenes. A new pointer in a scene
// needs a line here, and only here.
#include "../base/exact.h"

#include "../../include/pelt/bounds.h"
#include "../../include/pelt/ddm.h"
#include "scene_private.h"

#include <string.h>

static void* visit_array(const pelt_scene_visitor* v, const void* array, size_t count, size_t size)
{
    return array != NULL ? v->array(array, count, size, v->user) : NULL;
}

static const char* visit_string(const pelt_scene_visitor* v, const char* text)
{
    return text != NULL ? v->string(text, v->user) : NULL;
}

static void visit_morphs(const pelt_scene_visitor* v, pelt_mesh* mesh)
{
    pelt_morph* morphs = visit_array(v, mesh->morphs, mesh->morph_count, sizeof *morphs);
    for (uint32_t i = 0; morphs != NULL && i < mesh->morph_count; ++i)
    {
        pelt_morph* morph = &morphs[i];
        morph->name = visit_string(v, morph->name);
        morph->positions = visit_array(v, morph->positions, mesh->vertex_count, sizeof(pelt_vec3));
        morph->normals = visit_array(v, morph->normals, mesh->vertex_count, sizeof(pelt_vec3));
        morph->tangents = visit_array(v, morph->tangents, mesh->vertex_count, sizeof(pelt_vec3));
    }
    mesh->morphs = morphs;
    mesh->morph_weights = visit_array(v, mesh->morph_weights, mesh->morph_count, sizeof(float));
}

static const pelt_normal_factors* visit_normal_factors(const pelt_scene_visitor* v,
                                                       const pelt_normal_factors* source)
{
    pelt_normal_factors* out = visit_array(v, source, 1, sizeof *out);
    if (out != NULL)
    {
        size_t count = out->vertex_count;
        out->first = visit_array(v, out->first, count + 1, sizeof *out->first);
        out->factors = visit_array(v, out->factors, out->factor_count, sizeof *out->factors);
        out->tangents = visit_array(v, out->tangents, count, sizeof *out->tangents);
        out->plane_normals = visit_array(v, out->plane_normals, count, sizeof *out->plane_normals);
        out->centers = visit_array(v, out->centers, count, sizeof *out->centers);
        out->center_derivatives =
            visit_array(v, out->center_derivatives, 2 * count, sizeof *out->center_derivatives);
    }
    return out;
}

static const pelt_ddm* visit_ddm(const pelt_scene_visitor* v, const pelt_ddm* source)
{
    pelt_ddm* out = visit_array(v, source, 1, sizeof *out);
    if (out != NULL)
    {
        size_t count = out->vertex_count, influence_count = out->influence_count;
        out->first = visit_array(v, out->first, count + 1, sizeof *out->first);
        out->influences = visit_array(v, out->influences, influence_count, sizeof *out->influences);
        out->centers = visit_array(v, out->centers, count, sizeof *out->centers);
        out->radii = visit_array(v, out->radii, count, sizeof *out->radii);
        out->vectors = visit_array(v, out->vectors, influence_count, sizeof *out->vectors);
        out->moments =
            visit_array(v, out->moments, influence_count, PELT_DDM_MOMENTS * sizeof *out->moments);
    }
    return out;
}

static const pelt_mesh_bounds* visit_bounds(const pelt_scene_visitor* v,
                                            const pelt_mesh_bounds* source)
{
    pelt_mesh_bounds* out = visit_array(v, source, 1, sizeof *out);
    if (out != NULL)
    {
        pelt_clip_box* clips = visit_array(v, out->clips, out->clip_count, sizeof *clips);
        for (uint32_t i = 0; clips != NULL && i < out->clip_count; ++i)
        {
            clips[i].clip = visit_string(v, clips[i].clip);
        }
        out->clips = clips;
        out->joints = visit_array(v, out->joints, out->joint_count, sizeof *out->joints);
    }
    return out;
}

static void visit_mesh(const pelt_scene_visitor* v, pelt_mesh* mesh)
{
    uint32_t count = mesh->vertex_count;
    pelt_weights* weights = &mesh->weights;
    mesh->name = visit_string(v, mesh->name);
    mesh->positions = visit_array(v, mesh->positions, count, sizeof(pelt_vec3));
    mesh->normals = visit_array(v, mesh->normals, count, sizeof(pelt_vec3));
    mesh->tangents = visit_array(v, mesh->tangents, count, sizeof(pelt_vec4));
    mesh->uvs = visit_array(v, mesh->uvs, count, sizeof(pelt_vec2));
    for (uint32_t i = 0; i < PELT_MAX_UV_SETS - 1; ++i)
    {
        mesh->more_uvs[i] = visit_array(v, mesh->more_uvs[i], count, sizeof(pelt_vec2));
    }
    mesh->colors = visit_array(v, mesh->colors, count, sizeof(pelt_vec4));
    mesh->indices = visit_array(v, mesh->indices, mesh->index_count, sizeof(uint32_t));
    mesh->cors = visit_array(v, mesh->cors, count, sizeof(pelt_vec3));
    mesh->mix_factors = visit_array(v, mesh->mix_factors, count, sizeof(float));
    mesh->normal_factors = visit_normal_factors(v, mesh->normal_factors);
    weights->first = visit_array(v, weights->first, (size_t)count + 1, sizeof(uint32_t));
    weights->influences =
        visit_array(v, weights->influences, weights->influence_count, sizeof(pelt_influence));
    weights->ddm = visit_ddm(v, weights->ddm);
    visit_morphs(v, mesh);
    mesh->bounds = visit_bounds(v, mesh->bounds);
}

static void visit_skin(const pelt_scene_visitor* v, pelt_skin* skin)
{
    skin->name = visit_string(v, skin->name);
    skin->joints = visit_array(v, skin->joints, skin->joint_count, sizeof(uint32_t));
    skin->inverse_binds =
        visit_array(v, skin->inverse_binds, skin->joint_count, sizeof(pelt_mat34));
}

// Number of the values of a track; unchecked counts may exceed any memory.
static size_t count_numbers(const pelt_track* track)
{
    size_t parts = track->interpolation == PELT_INTERPOLATION_CUBIC ? 3 : 1;
    size_t width = parts * track->width;
    return width == 0 || track->key_count <= SIZE_MAX / width ? width * track->key_count : SIZE_MAX;
}

static void visit_clip(const pelt_scene_visitor* v, pelt_clip* clip)
{
    pelt_track* tracks = visit_array(v, clip->tracks, clip->track_count, sizeof *tracks);
    for (uint32_t i = 0; tracks != NULL && i < clip->track_count; ++i)
    {
        pelt_track* track = &tracks[i];
        track->times = visit_array(v, track->times, track->key_count, sizeof(float));
        track->values = visit_array(v, track->values, count_numbers(track), sizeof(float));
    }
    clip->name = visit_string(v, clip->name);
    clip->tracks = tracks;
}

// What is for display, and the words of the reader.
static void visit_rest(const pelt_scene_visitor* v, pelt_scene* scene)
{
    pelt_material* materials =
        visit_array(v, scene->materials, scene->material_count, sizeof *materials);
    for (uint32_t i = 0; materials != NULL && i < scene->material_count; ++i)
    {
        materials[i].name = visit_string(v, materials[i].name);
        for (uint32_t slot = 0; slot < PELT_SLOT_COUNT; ++slot)
        {
            pelt_texture* texture = &materials[i].textures[slot];
            texture->image = visit_string(v, texture->image);
        }
    }
    pelt_image* images = visit_array(v, scene->images, scene->image_count, sizeof *images);
    for (uint32_t i = 0; images != NULL && i < scene->image_count; ++i)
    {
        images[i].name = visit_string(v, images[i].name);
        images[i].bytes = visit_array(v, images[i].bytes, images[i].size, 1);
    }
    pelt_repair* repairs = visit_array(v, scene->repairs, scene->repair_count, sizeof *repairs);
    for (uint32_t i = 0; repairs != NULL && i < scene->repair_count; ++i)
    {
        repairs[i].message = visit_string(v, repairs[i].message);
    }
    scene->materials = materials;
    scene->images = images;
    scene->repairs = repairs;
    pelt_loss* losses = visit_array(v, scene->losses, scene->loss_count, sizeof *losses);
    for (uint32_t i = 0; losses != NULL && i < scene->loss_count; ++i)
    {
        losses[i].what = visit_string(v, losses[i].what);
    }
    scene->losses = losses;
}

static void visit_figure(const pelt_scene_visitor* v, pelt_scene* scene)
{
    pelt_node* nodes = visit_array(v, scene->nodes, scene->node_count, sizeof *nodes);
    pelt_mesh* meshes = visit_array(v, scene->meshes, scene->mesh_count, sizeof *meshes);
    pelt_skin* skins = visit_array(v, scene->skins, scene->skin_count, sizeof *skins);
    pelt_clip* clips = visit_array(v, scene->clips, scene->clip_count, sizeof *clips);
    for (uint32_t i = 0; nodes != NULL && i < scene->node_count; ++i)
    {
        nodes[i].name = visit_string(v, nodes[i].name);
    }
    for (uint32_t i = 0; meshes != NULL && i < scene->mesh_count; ++i)
    {
        visit_mesh(v, &meshes[i]);
    }
    for (uint32_t i = 0; skins != NULL && i < scene->skin_count; ++i)
    {
        visit_skin(v, &skins[i]);
    }
    for (uint32_t i = 0; clips != NULL && i < scene->clip_count; ++i)
    {
        visit_clip(v, &clips[i]);
    }
    scene->nodes = nodes;
    scene->meshes = meshes;
    scene->skins = skins;
    scene->clips = clips;
    scene->helpers = visit_array(v, scene->helpers, scene->helper_count, sizeof *scene->helpers);
    scene->instances =
        visit_array(v, scene->instances, scene->instance_count, sizeof *scene->instances);
}

void pelt_scene_visit(pelt_scene* scene, const pelt_scene_visitor* visitor)
{
    PELT_ASSERT(scene != NULL && visitor != NULL);

    scene->name = visit_string(visitor, scene->name);
    visit_figure(visitor, scene);
    visit_rest(visitor, scene);
}

// ---------------------------------------------------------------------------------------------
// Copies

typedef struct copier
{
    pelt_arena* arena;
    bool is_out_of_memory;
} copier;

static void* copy_array(const void* source, size_t count, size_t size, void* user)
{
    copier* c = user;
    void* copy = c->is_out_of_memory ? NULL : pelt_arena_alloc(c->arena, count, size);
    c->is_out_of_memory = copy == NULL;
    return copy != NULL && count > 0 ? memcpy(copy, source, count * size) : copy;
}

static const char* copy_string(const char* text, void* user)
{
    return copy_array(text, strlen(text) + 1, 1, user);
}

pelt_scene* pelti_scene_copy(const pelt_scene* scene)
{
    copier c = {.arena = pelt_arena_create()};
    pelt_scene* out = c.arena != NULL ? copy_array(scene, 1, sizeof *scene, &c) : NULL;
    if (out != NULL)
    {
        out->arena = c.arena;
        pelt_scene_visit(out, &(pelt_scene_visitor){copy_array, copy_string, &c});
    }
    if (out == NULL || c.is_out_of_memory)
    {
        pelt_arena_destroy(c.arena);
        return NULL;
    }
    return out;
}
