// SPDX-License-Identifier: MIT
// The report of pelt info as JSON: everything, for programs.
#include "info.h"
#include "output.h"

static json_t* node_name(const pelt_scene* scene, uint32_t node)
{
    return node != PELT_NONE ? output_string(scene->nodes[node].name) : json_null();
}

static json_t* index_or_null(uint32_t index)
{
    return index != PELT_NONE ? json_integer(index) : json_null();
}

static json_t* describe_attributes(const pelt_mesh* mesh)
{
    const struct
    {
        const char* name;
        bool is_there;
    } attributes[] = {
        {"positions", mesh->positions != NULL},
        {"normals", mesh->normals != NULL},
        {"tangents", mesh->tangents != NULL},
        {"uvs", mesh->uvs != NULL},
        {"uvs_1", pelt_mesh_uvs(mesh, 1) != NULL},
        {"uvs_2", pelt_mesh_uvs(mesh, 2) != NULL},
        {"uvs_3", pelt_mesh_uvs(mesh, 3) != NULL},
        {"uvs_4", pelt_mesh_uvs(mesh, 4) != NULL},
        {"uvs_5", pelt_mesh_uvs(mesh, 5) != NULL},
        {"uvs_6", pelt_mesh_uvs(mesh, 6) != NULL},
        {"uvs_7", pelt_mesh_uvs(mesh, 7) != NULL},
        {"colors", mesh->colors != NULL},
        {"weights", mesh->weights.vertex_count > 0},
        {"cors", mesh->cors != NULL},
        {"mix_factors", mesh->mix_factors != NULL},
        {"normal_factors", mesh->normal_factors != NULL},
    };
    json_t* list = json_array();
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; ++i)
    {
        if (attributes[i].is_there)
        {
            json_array_append_new(list, json_string(attributes[i].name));
        }
    }
    return list;
}

static json_t* describe_influences(const pelt_mesh* mesh)
{
    uint32_t bins[STATISTICS_BIN_COUNT];
    scene_statistics_histogram(bins, mesh);
    return json_pack("{s:o, s:I, s:I}", "histogram", scene_statistics_describe(bins), "max",
                     (json_int_t)mesh->weights.max_influences, "total",
                     (json_int_t)mesh->weights.influence_count);
}

static json_t* describe_mesh(const pelt_scene* scene, const pelt_mesh* mesh)
{
    json_t* morphs = json_array();
    for (uint32_t i = 0; i < mesh->morph_count; ++i)
    {
        json_array_append_new(morphs, output_string(mesh->morphs[i].name));
    }
    bool has_material = mesh->material != PELT_NONE;
    json_t* material =
        has_material ? output_string(scene->materials[mesh->material].name) : json_null();
    json_t* method = mesh->has_method ? json_string(pelt_method_name(mesh->method)) : json_null();
    return json_pack("{s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "name", output_string(mesh->name),
                     "vertices", (json_int_t)mesh->vertex_count, "triangles",
                     (json_int_t)(mesh->index_count / 3), "attributes", describe_attributes(mesh),
                     "influences", describe_influences(mesh), "method", method, "morphs", morphs,
                     "material", material);
}

static json_t* describe_sampler(const pelt_sampler* sampler)
{
    static const char* const wraps[] = {"repeat", "clamp", "mirror"};
    static const char* const filters[] = {"linear", "nearest"};
    static const char* const mips[] = {"linear", "nearest", "none"};
    return json_pack("{s:s, s:s, s:s, s:s, s:s}", "wrap_u", wraps[sampler->wrap_u], "wrap_v",
                     wraps[sampler->wrap_v], "mag_filter", filters[sampler->mag_filter],
                     "min_filter", filters[sampler->min_filter], "mips", mips[sampler->mips]);
}

static json_t* describe_texture(const pelt_texture* texture)
{
    json_t* out =
        json_pack("{s:o, s:I, s:o}", "image", output_string(texture->image), "uv_set",
                  (json_int_t)texture->uv_set, "sampler", describe_sampler(&texture->sampler));
    if (texture->is_transformed)
    {
        json_object_set_new(
            out, "transform",
            json_pack("{s:[o,o], s:o, s:[o,o]}", "offset", output_float(texture->offset.x),
                      output_float(texture->offset.y), "rotation", output_float(texture->rotation),
                      "scale", output_float(texture->scale.x), output_float(texture->scale.y)));
    }
    return out;
}

// Those that the material has, by what they are for.
static json_t* describe_textures(const pelt_material* material)
{
    static const char* const keys[PELT_SLOT_COUNT] = {"base_color", "metallic_roughness", "normal",
                                                      "occlusion", "emissive"};
    json_t* out = json_object();
    for (uint32_t slot = 0; slot < PELT_SLOT_COUNT; ++slot)
    {
        const pelt_texture* texture = &material->textures[slot];
        if (texture->image != NULL)
        {
            json_object_set_new(out, keys[slot], describe_texture(texture));
        }
    }
    json_t* normal = json_object_get(out, keys[PELT_SLOT_NORMAL]);
    json_t* occlusion = json_object_get(out, keys[PELT_SLOT_OCCLUSION]);
    if (normal != NULL)
    {
        json_object_set_new(normal, "scale", output_float(material->normal_scale));
    }
    if (occlusion != NULL)
    {
        json_object_set_new(occlusion, "strength", output_float(material->occlusion_strength));
    }
    return out;
}

static json_t* describe_material(const pelt_material* material)
{
    static const char* const modes[] = {"opaque", "mask", "blend"};
    pelt_vec4 c = material->base_color;
    pelt_vec3 e = material->emissive;
    bool is_mask = material->alpha_mode == PELT_ALPHA_MASK;
    float cutoff = material->alpha_cutoff > 0.0f ? material->alpha_cutoff : 0.5f;
    return json_pack(
        "{s:o, s:[o,o,o,o], s:o, s:o, s:[o,o,o], s:s, s:o, s:b, s:b, s:o}", "name",
        output_string(material->name), "base_color", output_float(c.x), output_float(c.y),
        output_float(c.z), output_float(c.w), "metallic", output_float(material->metallic),
        "roughness", output_float(material->roughness), "emissive", output_float(e.x),
        output_float(e.y), output_float(e.z), "alpha_mode", modes[material->alpha_mode],
        "alpha_cutoff", is_mask ? output_float(cutoff) : json_null(), "double_sided",
        (int)material->is_double_sided, "unlit", (int)material->is_unlit, "textures",
        describe_textures(material));
}

static json_t* describe_skin(const pelt_scene* scene, const pelt_skin* skin)
{
    json_t* joints = json_array();
    for (uint32_t i = 0; i < skin->joint_count; ++i)
    {
        json_array_append_new(joints, node_name(scene, skin->joints[i]));
    }
    return json_pack("{s:o, s:I, s:o}", "name", output_string(skin->name), "joint_count",
                     (json_int_t)skin->joint_count, "joints", joints);
}

static json_t* describe_clip(const pelt_clip* clip, bool is_default)
{
    return json_pack("{s:o, s:o, s:I, s:b}", "name", output_string(clip->name), "duration",
                     output_float(clip->duration), "tracks", (json_int_t)clip->track_count,
                     "default", is_default);
}

static json_t* describe_instance(const pelt_scene* scene, const pelt_instance* instance)
{
    bool has_skin = instance->skin != PELT_NONE;
    json_t* skin = has_skin ? json_integer(instance->skin) : json_null();
    json_t* node = has_skin ? json_null() : node_name(scene, instance->node);
    return json_pack("{s:I, s:o, s:o}", "mesh", (json_int_t)instance->mesh, "skin", skin, "node",
                     node);
}

static json_t* describe_joint(const pelt_scene* scene, const scene_statistics* facts,
                              uint32_t joint)
{
    return json_pack("{s:o, s:o, s:o}", "name", node_name(scene, facts->joints[joint]), "parent",
                     node_name(scene, facts->joint_parents[joint]), "node",
                     index_or_null(facts->joints[joint]));
}

static json_t* describe_scale(const pelt_scene* scene, const pelt_joint_scale* in)
{
    if (scene->skin_count == 0)
    {
        return json_null();
    }
    bool has_clip = in->clip != NULL;
    return json_pack("{s:b, s:b, s:b, s:o, s:o, s:o, s:o, s:o}", "rigid", in->is_rigid, "uniform",
                     in->is_uniform, "mirrors", in->has_mirrors, "least", output_float(in->least),
                     "most", output_float(in->most), "joint", node_name(scene, in->node), "clip",
                     has_clip ? output_string(in->clip) : json_null(), "time",
                     has_clip ? output_float(in->time) : json_null());
}

static void add_lists(json_t* report, const pelt_scene* scene, const scene_statistics* facts)
{
    json_t* meshes = json_array();
    json_t* skins = json_array();
    json_t* joints = json_array();
    json_t* clips = json_array();
    json_t* instances = json_array();
    json_t* repairs = json_array();
    json_t* materials = json_array();
    json_t* lost = json_array();
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        json_array_append_new(meshes, describe_mesh(scene, &scene->meshes[i]));
    }
    for (uint32_t i = 0; i < scene->material_count; ++i)
    {
        json_array_append_new(materials, describe_material(&scene->materials[i]));
    }
    for (uint32_t i = 0; i < scene->loss_count; ++i)
    {
        json_array_append_new(lost, output_string(scene->losses[i].what));
    }
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        json_array_append_new(skins, describe_skin(scene, &scene->skins[i]));
    }
    for (uint32_t i = 0; i < facts->joint_count; ++i)
    {
        json_array_append_new(joints, describe_joint(scene, facts, i));
    }
    uint32_t chosen = pelt_scene_default_clip(scene);
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        json_array_append_new(clips, describe_clip(&scene->clips[i], i == chosen));
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        json_array_append_new(instances, describe_instance(scene, &scene->instances[i]));
    }
    for (uint32_t i = 0; i < scene->repair_count; ++i)
    {
        json_array_append_new(repairs, output_string(scene->repairs[i].message));
    }
    json_object_set_new(report, "meshes", meshes);
    json_object_set_new(report, "materials", materials);
    json_object_set_new(report, "instances", instances);
    json_object_set_new(report, "skins", skins);
    json_object_set_new(report, "joints", joints);
    json_object_set_new(report, "clips", clips);
    json_object_set_new(report, "repairs", repairs);
    json_object_set_new(report, "lost", lost);
}

json_t* info_as_json(const char* input, const pelt_scene* scene, const scene_statistics* facts,
                     const pelt_joint_scale* scale)
{
    json_t* report = json_object();
    json_object_set_new(report, "input", output_string(input));
    json_object_set_new(report, "name", output_string(scene->name));
    json_object_set_new(report, "vertices", json_integer((json_int_t)facts->totals.vertex_count));
    json_object_set_new(report, "triangles",
                        json_integer((json_int_t)facts->totals.triangle_count));
    json_object_set_new(report, "nodes", json_integer(scene->node_count));
    json_object_set_new(report, "bounds", output_bounds(&facts->totals.bounds));
    json_object_set_new(report, "joint_scale", describe_scale(scene, scale));
    add_lists(report, scene, facts);
    return report;
}
