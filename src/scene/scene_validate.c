// SPDX-License-Identifier: MIT
// Every promise that pelt.h makes about a scene, checked once so that no loop has to.
#include "../base/exact.h"

#include "../../include/pelt/prepare.h"

#include "../base/mesh_check.h"

#include <string.h>

static bool are_finite(const float* values, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        if (!isfinite(values[i]))
        {
            return false;
        }
    }
    return true;
}

static const char* name_of(const char* name)
{
    return name ? name : "";
}

static pelt_result missing(pelt_error* error, const char* what, const char* name)
{
    return pelt_error_set(error, PELT_ERROR_DATA, "%s \"%s\" has a count without its array", what,
                          name);
}

// A count that is not zero comes with an array.
static bool is_missing(uint32_t count, const void* array)
{
    return count > 0 && array == NULL;
}

static pelt_result check_counts(const pelt_scene* scene, pelt_error* error)
{
    if (is_missing(scene->node_count, scene->nodes) ||
        is_missing(scene->mesh_count, scene->meshes) ||
        is_missing(scene->skin_count, scene->skins) ||
        is_missing(scene->instance_count, scene->instances) ||
        is_missing(scene->clip_count, scene->clips) ||
        is_missing(scene->material_count, scene->materials) ||
        is_missing(scene->image_count, scene->images) ||
        is_missing(scene->repair_count, scene->repairs) ||
        is_missing(scene->loss_count, scene->losses) ||
        is_missing(scene->helper_count, scene->helpers))
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "the scene counts nodes, meshes, skins, instances, clips, materials, "
                              "images, repairs, losses or helpers without their array");
    }
    return PELT_OK;
}

// Loops over all instances and all skins count in 32 bits, and PELT_NONE is no index.
static pelt_result check_totals(const pelt_scene* scene, pelt_error* error)
{
    uint64_t vertices = 0, indices = 0, influences = 0, morphs = 0, joints = 0;
    for (uint64_t i = 0; i < (uint64_t)scene->mesh_count + scene->instance_count; ++i)
    {
        // Every mesh once, also those that no instance shows.
        uint64_t index = i < scene->mesh_count ? i : scene->instances[i - scene->mesh_count].mesh;
        if (index < scene->mesh_count)
        {
            vertices += scene->meshes[index].vertex_count;
            indices += scene->meshes[index].index_count;
            influences += scene->meshes[index].weights.influence_count;
            morphs += scene->meshes[index].morph_count;
        }
    }
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        joints += scene->skins[i].joint_count;
    }
    const struct
    {
        const char* what;
        uint64_t count;
    } totals[] = {{"vertices", vertices},
                  {"triangle corners", indices},
                  {"influences", influences},
                  {"morph targets", morphs},
                  {"joints", joints}};
    for (uint32_t i = 0; i < sizeof totals / sizeof totals[0]; ++i)
    {
        if (totals[i].count >= PELT_NONE)
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "the scene has %llu %s in all meshes, instances and skins "
                                  "together, and pelt supports less than %u; split the scene",
                                  (unsigned long long)totals[i].count, totals[i].what, PELT_NONE);
        }
    }
    return PELT_OK;
}

static pelt_result check_images(const pelt_scene* scene, pelt_error* error)
{
    for (uint32_t i = 0; i < scene->image_count; ++i)
    {
        const pelt_image* image = &scene->images[i];
        if (image->name == NULL || (image->size > 0 && image->bytes == NULL))
        {
            return pelt_error_set(error, PELT_ERROR_DATA, "image %u has no %s", i,
                                  image->name == NULL ? "name" : "bytes");
        }
    }
    return PELT_OK;
}

static pelt_result check_texture(const pelt_material* material, pelt_texture_slot slot,
                                 pelt_error* error)
{
    const pelt_texture* texture = &material->textures[slot];
    const pelt_sampler* sampler = &texture->sampler;
    const float transform[] = {texture->rotation, texture->offset.x, texture->offset.y,
                               texture->scale.x, texture->scale.y};
    if (sampler->wrap_u > PELT_TEXTURE_MIRROR || sampler->wrap_v > PELT_TEXTURE_MIRROR ||
        sampler->mag_filter > PELT_TEXTURE_NEAREST || sampler->min_filter > PELT_TEXTURE_NEAREST ||
        sampler->mips > PELT_MIPS_NONE)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "the %s sampler of material \"%s\" has a value that does not exist",
                              pelt_texture_slot_name(slot), name_of(material->name));
    }
    if (texture->uv_set >= PELT_MAX_UV_SETS || !are_finite(transform, 5))
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "the %s texture of material \"%s\" has UV set %u of %u, or a "
                              "transform that is not finite",
                              pelt_texture_slot_name(slot), name_of(material->name),
                              texture->uv_set, PELT_MAX_UV_SETS);
    }
    return PELT_OK;
}

static pelt_result check_materials(const pelt_scene* scene, pelt_error* error)
{
    for (uint32_t i = 0; i < scene->material_count; ++i)
    {
        const pelt_material* material = &scene->materials[i];
        const float numbers[] = {
            material->base_color.x, material->base_color.y,      material->base_color.z,
            material->base_color.w, material->roughness,         material->metallic,
            material->emissive.x,   material->emissive.y,        material->emissive.z,
            material->normal_scale, material->occlusion_strength};
        if (material->alpha_mode > PELT_ALPHA_BLEND || !isfinite(material->alpha_cutoff) ||
            material->alpha_cutoff < 0.0f)
        {
            return pelt_error_set(
                error, PELT_ERROR_DATA, "material \"%s\" has alpha mode %d with a cutoff of %g",
                name_of(material->name), (int)material->alpha_mode, (double)material->alpha_cutoff);
        }
        if (!are_finite(numbers, sizeof numbers / sizeof numbers[0]))
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "material \"%s\" has a factor that is not finite",
                                  name_of(material->name));
        }
        for (uint32_t slot = 0; slot < PELT_SLOT_COUNT; ++slot)
        {
            PELT_TRY(check_texture(material, (pelt_texture_slot)slot, error));
        }
    }
    return PELT_OK;
}

static pelt_result check_nodes(const pelt_scene* scene, pelt_error* error)
{
    for (uint32_t i = 0; i < scene->node_count; ++i)
    {
        const pelt_node* node = &scene->nodes[i];
        if (node->name == NULL)
        {
            return pelt_error_set(error, PELT_ERROR_DATA, "node %u has no name", i);
        }
        if (node->parent != PELT_NONE && node->parent >= i)
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "node %u (%s) does not come after its parent %u", i, node->name,
                                  node->parent);
        }
        const float* rest = (const float*)&node->rest;
        if (!are_finite(rest, sizeof node->rest / sizeof(float)))
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "the transform of node %u (%s) is not finite", i, node->name);
        }
        float length = sqrtf(pelt_quat_dot(node->rest.rotation, node->rest.rotation));
        if (fabsf(length - 1.0f) > 1e-5f)
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "the rotation of node %u (%s) has length %g instead of 1", i,
                                  node->name, (double)length);
        }
    }
    return PELT_OK;
}

// Packed as pelt_weights promises: in order, positive, no joint twice, sum one.
static pelt_result check_vertex_weights(const pelt_weights* weights, uint32_t v, const char* mesh,
                                        pelt_error* error)
{
    const pelt_influence* inf = weights->influences + weights->first[v];
    uint32_t count = weights->first[v + 1] - weights->first[v];
    double sum = 0.0;

    for (uint32_t i = 0; i < count; ++i)
    {
        if (inf[i].joint >= weights->joint_count || !(inf[i].weight > 0.0f) ||
            !isfinite(inf[i].weight))
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "vertex %u of mesh \"%s\" gives weight %g to joint %u of %u", v,
                                  mesh, (double)inf[i].weight, inf[i].joint, weights->joint_count);
        }
        if (i > 0 && (inf[i].weight > inf[i - 1].weight ||
                      (inf[i].weight == inf[i - 1].weight && inf[i].joint <= inf[i - 1].joint)))
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "influences of vertex %u of mesh \"%s\" are not strongest first",
                                  v, mesh);
        }
        for (uint32_t k = 0; k < i; ++k)
        {
            if (inf[k].joint == inf[i].joint)
            {
                return pelt_error_set(error, PELT_ERROR_DATA,
                                      "vertex %u of mesh \"%s\" names joint %u twice", v, mesh,
                                      inf[i].joint);
            }
        }
        sum += (double)inf[i].weight;
    }
    if (count > 0 && fabs(sum - 1.0) > 1e-5)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "weights of vertex %u of mesh \"%s\" sum to %g", v, mesh, sum);
    }
    return PELT_OK;
}

static pelt_result check_weights(const pelt_mesh* mesh, pelt_error* error)
{
    const pelt_weights* weights = &mesh->weights;
    const char* name = name_of(mesh->name);
    if (weights->first == NULL)
    {
        return PELT_OK;
    }
    // Offsets first, all of them: only then may any be followed.
    PELT_TRY(pelti_offsets_check(weights, mesh->vertex_count, name, error));
    pelt_result result = PELT_OK;
    for (uint32_t v = 0; v < weights->vertex_count && result == PELT_OK; ++v)
    {
        result = check_vertex_weights(weights, v, name, error);
    }
    return result;
}

typedef struct mesh_array
{
    const char* what;
    const void* data;
    uint32_t width; // floats per vertex
} mesh_array;

static pelt_result check_arrays(const pelt_mesh* mesh, const mesh_array* arrays, uint32_t count,
                                pelt_error* error)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        if (arrays[i].data != NULL &&
            !are_finite(arrays[i].data, (size_t)mesh->vertex_count * arrays[i].width))
        {
            return pelt_error_set(error, PELT_ERROR_DATA, "%s of mesh \"%s\" are not all finite",
                                  arrays[i].what, name_of(mesh->name));
        }
    }
    return PELT_OK;
}

static pelt_result check_mesh(const pelt_scene* scene, const pelt_mesh* mesh, pelt_error* error)
{
    const char* name = name_of(mesh->name);
    if (is_missing(mesh->vertex_count, mesh->positions) ||
        is_missing(mesh->index_count, mesh->indices) || is_missing(mesh->morph_count, mesh->morphs))
    {
        return missing(error, "mesh", name);
    }
    const mesh_array arrays[] = {
        {"positions", mesh->positions, 3},    {"normals", mesh->normals, 3},
        {"tangents", mesh->tangents, 4},      {"UVs", mesh->uvs, 2},
        {"colors", mesh->colors, 4},          {"centers of rotation", mesh->cors, 3},
        {"mix factors", mesh->mix_factors, 1}};
    pelt_result result = check_arrays(mesh, arrays, sizeof arrays / sizeof arrays[0], error);
    for (uint32_t i = 1; i < PELT_MAX_UV_SETS && result == PELT_OK; ++i)
    {
        const mesh_array uvs = {"UVs", pelt_mesh_uvs(mesh, i), 2};
        result = check_arrays(mesh, &uvs, 1, error);
    }
    for (uint32_t i = 0; i < mesh->morph_count && result == PELT_OK; ++i)
    {
        const pelt_morph* morph = &mesh->morphs[i];
        const mesh_array displacements[] = {{"morph positions", morph->positions, 3},
                                            {"morph normals", morph->normals, 3},
                                            {"morph tangents", morph->tangents, 3}};
        result = check_arrays(mesh, displacements, sizeof displacements / sizeof displacements[0],
                              error);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    if (mesh->morph_weights && !are_finite(mesh->morph_weights, mesh->morph_count))
    {
        return pelt_error_set(error, PELT_ERROR_DATA, "morph weights of mesh \"%s\" are not finite",
                              name);
    }
    if (mesh->has_method && mesh->method >= PELT_METHOD_COUNT)
    {
        return pelt_error_set(error, PELT_ERROR_DATA, "mesh \"%s\" names method %d of %d", name,
                              (int)mesh->method, (int)PELT_METHOD_COUNT);
    }
    PELT_TRY(pelti_triangles_check(mesh, error));
    if (mesh->material != PELT_NONE && mesh->material >= scene->material_count)
    {
        return pelt_error_set(error, PELT_ERROR_DATA, "mesh \"%s\" names material %u of %u", name,
                              mesh->material, scene->material_count);
    }
    result = check_weights(mesh, error);
    return result == PELT_OK && mesh->normal_factors != NULL
               ? pelt_normal_factors_validate(mesh->normal_factors, mesh, error)
               : result;
}

static pelt_result check_skin(const pelt_scene* scene, const pelt_skin* skin, pelt_error* error)
{
    if (is_missing(skin->joint_count, skin->joints) ||
        is_missing(skin->joint_count, skin->inverse_binds))
    {
        return missing(error, "skin", name_of(skin->name));
    }
    // A joint is a uint16_t in pelt_influence.
    if (skin->joint_count > PELT_MAX_JOINTS)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "skin \"%s\" has %u joints, and pelt supports %u; split the mesh "
                              "among several skins",
                              name_of(skin->name), skin->joint_count, PELT_MAX_JOINTS);
    }
    for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
    {
        if (skin->joints[joint] >= scene->node_count)
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "joint %u of skin \"%s\" is node %u of %u", joint,
                                  name_of(skin->name), skin->joints[joint], scene->node_count);
        }
        if (!are_finite(&skin->inverse_binds[joint].m[0][0], 12))
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "inverse bind matrix %u of skin \"%s\" is not finite", joint,
                                  name_of(skin->name));
        }
    }
    return PELT_OK;
}

static pelt_result check_instances(const pelt_scene* scene, pelt_error* error)
{
    uint32_t morph_weight_count = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        if (instance->mesh >= scene->mesh_count)
        {
            return pelt_error_set(error, PELT_ERROR_DATA, "instance %u names mesh %u of %u", i,
                                  instance->mesh, scene->mesh_count);
        }
        const pelt_mesh* mesh = &scene->meshes[instance->mesh];
        bool is_skinned = instance->skin != PELT_NONE;
        if (is_skinned ? instance->skin >= scene->skin_count : instance->node >= scene->node_count)
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "instance %u names a %s that does not exist", i,
                                  is_skinned ? "skin" : "node");
        }
        if (is_skinned && (mesh->weights.first == NULL ||
                           mesh->weights.joint_count > scene->skins[instance->skin].joint_count))
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "the weights of mesh \"%s\" do not fit skin \"%s\"",
                                  name_of(mesh->name), name_of(scene->skins[instance->skin].name));
        }
        if (instance->first_morph_weight != morph_weight_count)
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "morph weights of instance %u start at %u instead of %u", i,
                                  instance->first_morph_weight, morph_weight_count);
        }
        morph_weight_count += mesh->morph_count;
    }
    if (morph_weight_count != scene->morph_weight_count)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "the scene counts %u morph weights, its instances %u",
                              scene->morph_weight_count, morph_weight_count);
    }
    return PELT_OK;
}

// Floats per value that the target of a track asks for; 0 when there is no such target.
static uint32_t width_of_target(const pelt_scene* scene, const pelt_track* track)
{
    switch (track->path)
    {
    case PELT_PATH_TRANSLATION:
    case PELT_PATH_SCALE:
        return track->target < scene->node_count ? 3 : 0;
    case PELT_PATH_ROTATION:
        return track->target < scene->node_count ? 4 : 0;
    case PELT_PATH_MORPH:
        return track->target < scene->instance_count
                   ? scene->meshes[scene->instances[track->target].mesh].morph_count
                   : 0;
    }
    return 0;
}

static pelt_result check_track(const pelt_scene* scene, const pelt_clip* clip, uint32_t index,
                               pelt_error* error)
{
    const pelt_track* track = &clip->tracks[index];
    if (track->key_count == 0 || track->width == 0 || track->times == NULL ||
        track->values == NULL || track->width != width_of_target(scene, track))
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "track %u of clip \"%s\" does not fit its target %u", index,
                              name_of(clip->name), track->target);
    }
    for (uint32_t key = 0; key < track->key_count; ++key)
    {
        float time = track->times[key];
        if (!isfinite(time) || time > clip->duration || (key > 0 && time <= track->times[key - 1]))
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "key %u of track %u of clip \"%s\" has a wrong time %g", key,
                                  index, name_of(clip->name), (double)time);
        }
    }
    size_t parts = track->interpolation == PELT_INTERPOLATION_CUBIC ? 3 : 1;
    if (!are_finite(track->values, parts * track->key_count * track->width))
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "values of track %u of clip \"%s\" are not all finite", index,
                              name_of(clip->name));
    }
    return PELT_OK;
}

static pelt_result check_clip(const pelt_scene* scene, const pelt_clip* clip, pelt_error* error)
{
    if (clip->name == NULL || !(clip->duration >= 0.0f) || !isfinite(clip->duration))
    {
        return pelt_error_set(error, PELT_ERROR_DATA, "clip \"%s\" has no name or duration %g",
                              name_of(clip->name), (double)clip->duration);
    }
    if (is_missing(clip->track_count, clip->tracks))
    {
        return missing(error, "clip", clip->name);
    }
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        PELT_TRY(check_track(scene, clip, i, error));
    }
    return PELT_OK;
}

// Nodes with both roles that a helper refers to, or a child of a helper, would be placed too late.
static pelt_result check_helpers(const pelt_scene* scene, pelt_error* error)
{
    for (uint32_t i = 0; i < scene->helper_count; ++i)
    {
        const pelt_helper* helper = &scene->helpers[i];
        bool is_in_range = helper->node < scene->node_count && helper->source < scene->node_count;
        if (!is_in_range || scene->nodes[helper->node].parent == PELT_NONE ||
            helper->source == helper->node)
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "helper %u does not name a node with a parent and another node",
                                  i);
        }
        if (!(helper->factor >= 0.0f && helper->factor <= 1.0f) ||
            !are_finite(&helper->center.x, 3) || !are_finite(helper->source_from_parent.m[0], 12))
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "the rule of helper %u (%s) has a factor outside of 0 to 1 or a "
                                  "number that is not finite",
                                  i, scene->nodes[helper->node].name);
        }
    }
    return PELT_OK;
}

static void mark_helpers(bool* out, const pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->helper_count; ++i)
    {
        out[scene->helpers[i].node] = true;
    }
}

static pelt_result check_helper_nodes(const pelt_scene* scene, pelt_error* error)
{
    bool* is_helper = scene->helper_count > 0 ? pelt_allocate(scene->node_count, 1) : NULL;
    if (is_helper == NULL)
    {
        return scene->helper_count > 0 ? pelt_error_memory(error) : PELT_OK;
    }
    memset(is_helper, 0, scene->node_count);
    mark_helpers(is_helper, scene);
    uint32_t wrong = PELT_NONE;
    for (uint32_t i = 0; i < scene->node_count; ++i)
    {
        uint32_t parent = scene->nodes[i].parent;
        wrong = parent != PELT_NONE && is_helper[parent] ? parent : wrong;
    }
    for (uint32_t i = 0; i < scene->helper_count; ++i)
    {
        wrong = is_helper[scene->helpers[i].source] ? scene->helpers[i].source : wrong;
    }
    pelt_release(is_helper);
    return wrong == PELT_NONE ? PELT_OK
                              : pelt_error_set(error, PELT_ERROR_DATA,
                                               "helper node %u (%s) has children or another helper",
                                               wrong, scene->nodes[wrong].name);
}

pelt_result pelt_scene_validate(const pelt_scene* scene, pelt_error* error)
{
    PELT_ASSERT(scene != NULL);
    pelt_result result = check_counts(scene, error);
    if (result == PELT_OK)
    {
        result = check_totals(scene, error);
    }
    if (result == PELT_OK)
    {
        result = check_images(scene, error);
    }
    if (result == PELT_OK)
    {
        result = check_materials(scene, error);
    }
    if (result == PELT_OK)
    {
        result = check_nodes(scene, error);
    }
    for (uint32_t i = 0; i < scene->mesh_count && result == PELT_OK; ++i)
    {
        result = check_mesh(scene, &scene->meshes[i], error);
    }
    for (uint32_t i = 0; i < scene->skin_count && result == PELT_OK; ++i)
    {
        result = check_skin(scene, &scene->skins[i], error);
    }
    if (result == PELT_OK)
    {
        result = check_instances(scene, error);
    }
    for (uint32_t i = 0; i < scene->clip_count && result == PELT_OK; ++i)
    {
        result = check_clip(scene, &scene->clips[i], error);
    }
    if (result == PELT_OK)
    {
        result = check_helpers(scene, error);
    }
    return result == PELT_OK ? check_helper_nodes(scene, error) : result;
}
