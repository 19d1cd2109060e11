// SPDX-License-Identifier: MIT
#include "scene_compare.h"

#include <string.h>

static bool is_same_name(const char* a, const char* b, scene_names names)
{
    return names == SCENE_NAMES_FREE || a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

// Both arrays, or neither.
static bool are_same(const void* a, const void* b, size_t count, size_t size)
{
    return (a == NULL) == (b == NULL) && (a == NULL || memcmp(a, b, count * size) == 0);
}

static int check_nodes(const pelt_scene* a, const pelt_scene* b, scene_names names)
{
    ENSURE(a->node_count == b->node_count);
    for (uint32_t i = 0; i < a->node_count; ++i)
    {
        ENSURE(is_same_name(a->nodes[i].name, b->nodes[i].name, names));
        ENSURE(a->nodes[i].parent == b->nodes[i].parent);
        ENSURE(are_same(&a->nodes[i].rest, &b->nodes[i].rest, 1, sizeof a->nodes[i].rest));
    }
    return 0;
}

static int check_weights(const pelt_weights* a, const pelt_weights* b)
{
    ENSURE(a->vertex_count == b->vertex_count && a->joint_count == b->joint_count);
    ENSURE(a->influence_count == b->influence_count && a->max_influences == b->max_influences);
    ENSURE(are_same(a->first, b->first, a->first != NULL ? a->vertex_count + 1 : 0, 4));
    for (uint32_t i = 0; i < a->influence_count; ++i)
    {
        ENSURE(a->influences[i].joint == b->influences[i].joint);
        ENSURE(a->influences[i].slot == b->influences[i].slot);
        ENSURE(a->influences[i].weight == b->influences[i].weight);
    }
    return 0;
}

// A shape that moves nothing may have zeros, or nothing.
static bool is_same_shape(const pelt_vec3* a, const pelt_vec3* b, uint32_t count)
{
    const pelt_vec3* given = a != NULL ? a : b;
    if (a != NULL && b != NULL)
    {
        return memcmp(a, b, count * sizeof *a) == 0;
    }
    for (uint32_t i = 0; i < count && given != NULL; ++i)
    {
        if (given[i].x != 0.0f || given[i].y != 0.0f || given[i].z != 0.0f)
        {
            return false;
        }
    }
    return true;
}

static int check_morphs(const pelt_mesh* a, const pelt_mesh* b, scene_names names)
{
    ENSURE(a->morph_count == b->morph_count);
    for (uint32_t i = 0; i < a->morph_count; ++i)
    {
        const pelt_morph *x = &a->morphs[i], *y = &b->morphs[i];
        ENSURE(is_same_name(x->name, y->name, names));
        ENSURE(is_same_shape(x->positions, y->positions, a->vertex_count));
        ENSURE(are_same(x->normals, y->normals, a->vertex_count, sizeof(pelt_vec3)));
        ENSURE(are_same(x->tangents, y->tangents, a->vertex_count, sizeof(pelt_vec3)));
        float weight_a = a->morph_weights != NULL ? a->morph_weights[i] : 0.0f;
        float weight_b = b->morph_weights != NULL ? b->morph_weights[i] : 0.0f;
        ENSURE(weight_a == weight_b);
    }
    return 0;
}

static int check_factors(const pelt_normal_factors* a, const pelt_normal_factors* b)
{
    ENSURE((a == NULL) == (b == NULL));
    if (a != NULL)
    {
        ENSURE(a->vertex_count == b->vertex_count && a->factor_count == b->factor_count);
        ENSURE(are_same(a->first, b->first, (size_t)a->vertex_count + 1, sizeof *a->first));
        ENSURE(are_same(a->factors, b->factors, a->factor_count, sizeof *a->factors));
        ENSURE(are_same(a->tangents, b->tangents, a->vertex_count, sizeof *a->tangents));
        ENSURE(are_same(a->tilts, b->tilts, a->vertex_count, sizeof *a->tilts));
        ENSURE(are_same(a->centers, b->centers, a->vertex_count, sizeof *a->centers));
        ENSURE(are_same(a->center_rates, b->center_rates, 2 * (size_t)a->vertex_count,
                        sizeof *a->center_rates));
    }
    return 0;
}

static int check_mesh(const pelt_mesh* a, const pelt_mesh* b, scene_names names)
{
    ENSURE(is_same_name(a->name, b->name, names) && a->material == b->material);
    ENSURE(a->vertex_count == b->vertex_count && a->index_count == b->index_count);
    ENSURE(are_same(a->positions, b->positions, a->vertex_count, sizeof(pelt_vec3)));
    ENSURE(are_same(a->normals, b->normals, a->vertex_count, sizeof(pelt_vec3)));
    ENSURE(are_same(a->tangents, b->tangents, a->vertex_count, sizeof(pelt_vec4)));
    ENSURE(are_same(a->uvs, b->uvs, a->vertex_count, sizeof(pelt_vec2)));
    ENSURE(are_same(a->colors, b->colors, a->vertex_count, sizeof(pelt_vec4)));
    ENSURE(are_same(a->cors, b->cors, a->vertex_count, sizeof(pelt_vec3)));
    ENSURE(are_same(a->mix_factors, b->mix_factors, a->vertex_count, sizeof(float)));
    ENSURE(are_same(a->indices, b->indices, a->index_count, sizeof(uint32_t)));
    ENSURE(check_weights(&a->weights, &b->weights) == 0);
    ENSURE(check_factors(a->normal_factors, b->normal_factors) == 0);
    return check_morphs(a, b, names);
}

static int check_skins(const pelt_scene* a, const pelt_scene* b, scene_names names)
{
    ENSURE(a->skin_count == b->skin_count && a->instance_count == b->instance_count);
    for (uint32_t i = 0; i < a->skin_count; ++i)
    {
        const pelt_skin *x = &a->skins[i], *y = &b->skins[i];
        ENSURE(is_same_name(x->name, y->name, names) && x->joint_count == y->joint_count);
        ENSURE(are_same(x->joints, y->joints, x->joint_count, sizeof(uint32_t)));
        ENSURE(are_same(x->inverse_binds, y->inverse_binds, x->joint_count, sizeof(pelt_mat34)));
    }
    for (uint32_t i = 0; i < a->instance_count; ++i)
    {
        const pelt_instance *x = &a->instances[i], *y = &b->instances[i];
        ENSURE(x->mesh == y->mesh && x->skin == y->skin);
        ENSURE(x->skin != PELT_NONE || x->node == y->node);
        ENSURE(x->first_morph_weight == y->first_morph_weight);
    }
    return 0;
}

static int check_clip(const pelt_clip* a, const pelt_clip* b, scene_names names)
{
    ENSURE(is_same_name(a->name, b->name, names) && a->duration == b->duration);
    ENSURE(a->track_count == b->track_count);
    for (uint32_t i = 0; i < a->track_count; ++i)
    {
        const pelt_track *x = &a->tracks[i], *y = &b->tracks[i];
        size_t parts = x->interpolation == PELT_INTERPOLATION_CUBIC ? 3 : 1;
        ENSURE(x->target == y->target && x->path == y->path);
        ENSURE(x->interpolation == y->interpolation);
        ENSURE(x->key_count == y->key_count && x->width == y->width);
        ENSURE(are_same(x->times, y->times, x->key_count, sizeof(float)));
        ENSURE(are_same(x->values, y->values, parts * x->key_count * x->width, sizeof(float)));
    }
    return 0;
}

static int check_materials(const pelt_scene* a, const pelt_scene* b, scene_names names)
{
    ENSURE(a->material_count == b->material_count);
    for (uint32_t i = 0; i < a->material_count; ++i)
    {
        const pelt_material *x = &a->materials[i], *y = &b->materials[i];
        ENSURE(is_same_name(x->name, y->name, names) &&
               is_same_name(x->texture, y->texture, names));
        ENSURE(are_same(&x->base_color, &y->base_color, 1, sizeof x->base_color));
        ENSURE(x->roughness == y->roughness && x->metallic == y->metallic);
        ENSURE(x->is_double_sided == y->is_double_sided && x->is_unlit == y->is_unlit);
        ENSURE(x->alpha_mode == y->alpha_mode && x->alpha_cutoff == y->alpha_cutoff);
        ENSURE(are_same(&x->sampler, &y->sampler, 1, sizeof x->sampler));
    }
    return 0;
}

// Writers keep PNG, JPEG and WebP; of anything else they keep the name.
static bool is_picture(const pelt_image* image)
{
    return image->size >= 12 && (memcmp(image->bytes, "\x89PNG", 4) == 0 ||
                                 memcmp(image->bytes, "\xff\xd8\xff", 3) == 0 ||
                                 memcmp(image->bytes + 8, "WEBP", 4) == 0);
}

static int check_images(const pelt_scene* a, const pelt_scene* b, scene_names names)
{
    ENSURE(a->image_count == b->image_count);
    for (uint32_t i = 0; i < a->image_count; ++i)
    {
        ENSURE(is_same_name(a->images[i].name, b->images[i].name, names));
        if (!is_picture(&a->images[i]))
        {
            continue;
        }
        ENSURE(a->images[i].size == b->images[i].size);
        ENSURE(are_same(a->images[i].bytes, b->images[i].bytes, a->images[i].size, 1));
    }
    return 0;
}

int scene_compare(const pelt_scene* a, const pelt_scene* b, scene_names names)
{
    ENSURE(check_nodes(a, b, names) == 0 && check_skins(a, b, names) == 0 &&
           check_materials(a, b, names) == 0);
    ENSURE(check_images(a, b, names) == 0);
    ENSURE(a->mesh_count == b->mesh_count && a->clip_count == b->clip_count);
    ENSURE(a->morph_weight_count == b->morph_weight_count);
    for (uint32_t i = 0; i < a->mesh_count; ++i)
    {
        ENSURE(check_mesh(&a->meshes[i], &b->meshes[i], names) == 0);
    }
    for (uint32_t i = 0; i < a->clip_count; ++i)
    {
        ENSURE(check_clip(&a->clips[i], &b->clips[i], names) == 0);
    }
    return 0;
}
