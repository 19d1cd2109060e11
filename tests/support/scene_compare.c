// SPDX-License-Identifier: MIT
#include "scene_compare.h"

#include "gltf_write/gltf_write.h"

#include <stddef.h>
#include <string.h>

// Where nodes of one scene are in the other, which may have more of them. The writer says where it
// has put them; whether they are there is checked.
static const uint32_t* nodes_in;

static uint32_t in_other(uint32_t node)
{
    return node == PELT_NONE || nodes_in == NULL ? node : nodes_in[node];
}

static bool is_same_name(const char* a, const char* b, uint32_t freedom)
{
    return (freedom & SCENE_NAMES_FREE) != 0 || a == b ||
           (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool test_is_same(const void* a, const void* b, size_t count, size_t size)
{
    return (a == NULL) == (b == NULL) && (a == NULL || memcmp(a, b, count * size) == 0);
}

static int check_nodes(const pelt_scene* a, const pelt_scene* b, uint32_t freedom)
{
    ENSURE(a->node_count == b->node_count ||
           ((freedom & SCENE_MORE_NODES) != 0 && a->node_count < b->node_count));
    for (uint32_t i = 0; i < a->node_count; ++i)
    {
        ENSURE(in_other(i) < b->node_count && (i == 0 || in_other(i) > in_other(i - 1)));
        const pelt_node *x = &a->nodes[i], *y = &b->nodes[in_other(i)];
        // A root may hang below the node that gathers joints, which comes first.
        bool is_gathered = nodes_in != NULL && nodes_in[0] > 0 && x->parent == PELT_NONE;
        ENSURE(is_same_name(x->name, y->name, freedom));
        ENSURE(y->parent == in_other(x->parent) || (is_gathered && y->parent == 0));
        ENSURE(test_is_same(&x->rest, &y->rest, 1, sizeof x->rest));
    }
    return 0;
}

static int check_weights(const pelt_weights* a, const pelt_weights* b)
{
    ENSURE(a->vertex_count == b->vertex_count && a->joint_count == b->joint_count);
    ENSURE(a->influence_count == b->influence_count && a->max_influences == b->max_influences);
    ENSURE(test_is_same(a->first, b->first, a->first != NULL ? a->vertex_count + 1 : 0, 4));
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

static int check_morphs(const pelt_mesh* a, const pelt_mesh* b, uint32_t freedom)
{
    ENSURE(a->morph_count == b->morph_count);
    for (uint32_t i = 0; i < a->morph_count; ++i)
    {
        const pelt_morph *x = &a->morphs[i], *y = &b->morphs[i];
        ENSURE(is_same_name(x->name, y->name, freedom));
        ENSURE(is_same_shape(x->positions, y->positions, a->vertex_count));
        ENSURE(test_is_same(x->normals, y->normals, a->vertex_count, sizeof(pelt_vec3)));
        ENSURE(test_is_same(x->tangents, y->tangents, a->vertex_count, sizeof(pelt_vec3)));
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
        ENSURE(test_is_same(a->first, b->first, (size_t)a->vertex_count + 1, sizeof *a->first));
        for (uint32_t i = 0; i < a->factor_count; ++i)
        {
            // Padding follows the joint; the numbers follow one another.
            const pelt_normal_factor *x = &a->factors[i], *y = &b->factors[i];
            ENSURE(x->joint == y->joint);
            ENSURE(test_is_same(&x->weight, &y->weight, 1,
                                sizeof *x - offsetof(pelt_normal_factor, weight)));
        }
        ENSURE(test_is_same(a->tangents, b->tangents, a->vertex_count, sizeof *a->tangents));
        ENSURE(test_is_same(a->plane_normals, b->plane_normals, a->vertex_count,
                            sizeof *a->plane_normals));
        ENSURE(test_is_same(a->centers, b->centers, a->vertex_count, sizeof *a->centers));
        ENSURE(test_is_same(a->center_derivatives, b->center_derivatives,
                            2 * (size_t)a->vertex_count, sizeof *a->center_derivatives));
    }
    return 0;
}

static int check_mesh(const pelt_mesh* a, const pelt_mesh* b, uint32_t freedom)
{
    ENSURE(is_same_name(a->name, b->name, freedom) && a->material == b->material);
    ENSURE(a->vertex_count == b->vertex_count && a->index_count == b->index_count);
    ENSURE(test_is_same(a->positions, b->positions, a->vertex_count, sizeof(pelt_vec3)));
    ENSURE(test_is_same(a->normals, b->normals, a->vertex_count, sizeof(pelt_vec3)));
    ENSURE(test_is_same(a->tangents, b->tangents, a->vertex_count, sizeof(pelt_vec4)));
    ENSURE(test_is_same(a->uvs, b->uvs, a->vertex_count, sizeof(pelt_vec2)));
    for (uint32_t set = 1; set < PELT_MAX_UV_SETS; ++set)
    {
        ENSURE(test_is_same(pelt_mesh_uvs(a, set), pelt_mesh_uvs(b, set), a->vertex_count,
                            sizeof(pelt_vec2)));
    }
    ENSURE(test_is_same(a->colors, b->colors, a->vertex_count, sizeof(pelt_vec4)));
    ENSURE(test_is_same(a->cors, b->cors, a->vertex_count, sizeof(pelt_vec3)));
    ENSURE(test_is_same(a->mix_factors, b->mix_factors, a->vertex_count, sizeof(float)));
    ENSURE(a->has_method == b->has_method && (!a->has_method || a->method == b->method));
    ENSURE(test_is_same(a->indices, b->indices, a->index_count, sizeof(uint32_t)));
    return check_morphs(a, b, freedom);
}

static int check_skins(const pelt_scene* a, const pelt_scene* b, uint32_t freedom)
{
    ENSURE(a->skin_count == b->skin_count && a->instance_count == b->instance_count);
    for (uint32_t i = 0; i < a->skin_count; ++i)
    {
        const pelt_skin *x = &a->skins[i], *y = &b->skins[i];
        ENSURE(is_same_name(x->name, y->name, freedom) && x->joint_count == y->joint_count);
        for (uint32_t k = 0; k < x->joint_count; ++k)
        {
            ENSURE(y->joints[k] == in_other(x->joints[k]));
        }
        ENSURE(
            test_is_same(x->inverse_binds, y->inverse_binds, x->joint_count, sizeof(pelt_mat34)));
    }
    for (uint32_t i = 0; i < a->instance_count; ++i)
    {
        const pelt_instance *x = &a->instances[i], *y = &b->instances[i];
        ENSURE(x->mesh == y->mesh && x->skin == y->skin);
        // An extra node hangs below that of the instance.
        ENSURE(x->skin != PELT_NONE || y->node == in_other(x->node) ||
               (b->nodes[y->node].parent == in_other(x->node) && nodes_in != NULL));
        ENSURE(x->first_morph_weight == y->first_morph_weight);
    }
    return 0;
}

static int check_clip(const pelt_clip* a, const pelt_clip* b, uint32_t freedom)
{
    ENSURE(is_same_name(a->name, b->name, freedom) && a->duration == b->duration);
    ENSURE(a->track_count == b->track_count);
    for (uint32_t i = 0; i < a->track_count; ++i)
    {
        const pelt_track *x = &a->tracks[i], *y = &b->tracks[i];
        size_t parts = x->interpolation == PELT_INTERPOLATION_CUBIC ? 3 : 1;
        bool is_morph = x->path == PELT_PATH_MORPH;
        ENSURE(x->path == y->path);
        ENSURE(y->target == (is_morph ? x->target : in_other(x->target)));
        ENSURE(x->interpolation == y->interpolation);
        ENSURE(x->key_count == y->key_count && x->width == y->width);
        ENSURE(test_is_same(x->times, y->times, x->key_count, sizeof(float)));
        ENSURE(test_is_same(x->values, y->values, parts * x->key_count * x->width, sizeof(float)));
    }
    return 0;
}

static int check_materials(const pelt_scene* a, const pelt_scene* b, uint32_t freedom)
{
    ENSURE(a->material_count == b->material_count);
    for (uint32_t i = 0; i < a->material_count; ++i)
    {
        const pelt_material *x = &a->materials[i], *y = &b->materials[i];
        ENSURE(is_same_name(x->name, y->name, freedom));
        ENSURE(test_is_same(&x->base_color, &y->base_color, 1, sizeof x->base_color));
        ENSURE(x->roughness == y->roughness && x->metallic == y->metallic);
        ENSURE(x->is_double_sided == y->is_double_sided && x->is_unlit == y->is_unlit);
        ENSURE(x->alpha_mode == y->alpha_mode && x->alpha_cutoff == y->alpha_cutoff);
        ENSURE(test_is_same(&x->emissive, &y->emissive, 1, sizeof x->emissive));
        for (uint32_t slot = 0; slot < PELT_SLOT_COUNT; ++slot)
        {
            const pelt_texture *s = &x->textures[slot], *t = &y->textures[slot];
            ENSURE(is_same_name(s->image, t->image, freedom) && s->uv_set == t->uv_set);
            ENSURE(test_is_same(&s->sampler, &t->sampler, 1, sizeof s->sampler));
            ENSURE(s->is_transformed == t->is_transformed && s->rotation == t->rotation);
            ENSURE(test_is_same(&s->offset, &t->offset, 1, sizeof s->offset));
            ENSURE(test_is_same(&s->scale, &t->scale, 1, sizeof s->scale));
        }
        ENSURE(x->textures[PELT_SLOT_NORMAL].image == NULL || x->normal_scale == y->normal_scale);
        ENSURE(x->textures[PELT_SLOT_OCCLUSION].image == NULL ||
               x->occlusion_strength == y->occlusion_strength);
    }
    return 0;
}

// Writers keep PNG, JPEG and WebP; of anything else they keep the name.
static bool is_picture(const pelt_image* image)
{
    return image->size >= 12 && (memcmp(image->bytes, "\x89PNG\r\n\x1a\n", 8) == 0 ||
                                 memcmp(image->bytes, "\xff\xd8\xff", 3) == 0 ||
                                 memcmp(image->bytes + 8, "WEBP", 4) == 0);
}

static int check_images(const pelt_scene* a, const pelt_scene* b, uint32_t freedom)
{
    ENSURE(a->image_count == b->image_count || (freedom & SCENE_MORE_NODES) != 0);
    for (uint32_t i = 0; i < a->image_count; ++i)
    {
        uint32_t found = pelt_scene_find_image(b, a->images[i].name);
        // Names that are no UTF-8 are lost, and with them the way to the picture.
        ENSURE(found != PELT_NONE || (freedom & SCENE_NAMES_FREE) != 0);
        if (found != PELT_NONE && is_picture(&a->images[i]))
        {
            ENSURE(a->images[i].size == b->images[found].size);
            ENSURE(test_is_same(a->images[i].bytes, b->images[found].bytes, a->images[i].size, 1));
        }
    }
    return 0;
}

static bool is_used(const pelt_scene* scene, uint32_t mesh)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        if (scene->instances[i].mesh == mesh)
        {
            return true;
        }
    }
    return false;
}

static int compare(const pelt_scene* a, const pelt_scene* b, uint32_t freedom)
{
    ENSURE(check_nodes(a, b, freedom) == 0 && check_skins(a, b, freedom) == 0 &&
           check_materials(a, b, freedom) == 0);
    ENSURE(check_images(a, b, freedom) == 0);
    ENSURE(a->mesh_count == b->mesh_count && a->clip_count == b->clip_count);
    ENSURE(a->morph_weight_count == b->morph_weight_count);
    for (uint32_t i = 0; i < a->mesh_count; ++i)
    {
        const pelt_mesh *x = &a->meshes[i], *y = &b->meshes[i];
        ENSURE(check_mesh(x, y, freedom) == 0);
        if (freedom == SCENE_EXACT || is_used(a, i))
        {
            ENSURE(check_weights(&x->weights, &y->weights) == 0);
            ENSURE(check_factors(x->normal_factors, y->normal_factors) == 0);
        }
    }
    for (uint32_t i = 0; i < a->clip_count; ++i)
    {
        ENSURE(check_clip(&a->clips[i], &b->clips[i], freedom) == 0);
    }
    return 0;
}

int scene_compare(const pelt_scene* a, const pelt_scene* b, uint32_t freedom)
{
    pelti_gltf_layout layout = {0};
    bool has_more = (freedom & SCENE_MORE_NODES) != 0 && a->node_count != b->node_count;
    ENSURE(!has_more || pelti_gltf_layout_create(&layout, a) == PELT_OK);
    nodes_in = layout.index_of;
    int failure = compare(a, b, freedom);
    nodes_in = NULL;
    pelti_gltf_layout_destroy(&layout);
    return failure;
}
