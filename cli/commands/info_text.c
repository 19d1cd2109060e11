// SPDX-License-Identifier: MIT
// The report of pelt info as text: a summary, for people.
#include "info.h"
#include "output.h"
#include "terminal.h"

#include <string.h>

static const char* or_dash(const char* text)
{
    return text != NULL && text[0] != '\0' ? text : "-";
}

// The line above a table: "3 clips", "no clips".
static void print_count(FILE* stream, uint32_t count, const char* one, const char* many)
{
    if (count == 0)
    {
        fprintf(stream, "\nno %s\n", many);
        return;
    }
    fprintf(stream, "\n%u %s\n", count, message_plural(count, one, many));
}

static void print_size(FILE* stream, const pelt_scene* scene, const scene_statistics* facts)
{
    const pelt_bounds* box = &facts->totals.bounds;
    char name[512];
    snprintf(name, sizeof name, "%s", or_dash(scene->name));
    terminal_text_clean(name);
    const mesh_totals* totals = &facts->totals;
    fprintf(stream, "%s: %llu %s, %llu %s, %u %s, %u %s\n", name,
            (unsigned long long)totals->vertex_count,
            message_plural(totals->vertex_count, "vertex", "vertices"),
            (unsigned long long)totals->triangle_count,
            message_plural(totals->triangle_count, "triangle", "triangles"), facts->joint_count,
            message_plural(facts->joint_count, "joint", "joints"), scene->node_count,
            message_plural(scene->node_count, "node", "nodes"));
    if (box->min.x > box->max.x)
    {
        return;
    }
    pelt_vec3 size = pelt_vec3_sub(box->max, box->min);
    fprintf(stream, "size %.4g x %.4g x %.4g m, from (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g)\n",
            (double)size.x, (double)size.y, (double)size.z, (double)box->min.x, (double)box->min.y,
            (double)box->min.z, (double)box->max.x, (double)box->max.y, (double)box->max.z);
}

static void attribute_cell(table* out, const pelt_mesh* mesh)
{
    char uvs[32] = "";
    uint32_t uv_set_count = 0;
    for (uint32_t i = 0; i < PELT_MAX_UV_SETS; ++i)
    {
        uv_set_count += pelt_mesh_uvs(mesh, i) != NULL;
    }
    if (uv_set_count > 1)
    {
        snprintf(uvs, sizeof uvs, " uvs(%u)", uv_set_count);
    }
    table_cell(out, "positions%s%s%s%s%s%s%s%s", mesh->normals != NULL ? " normals" : "",
               mesh->tangents != NULL ? " tangents" : "",
               uv_set_count > 1    ? uvs
               : uv_set_count == 1 ? " uvs"
                                   : "",
               mesh->colors != NULL ? " colors" : "", mesh->cors != NULL ? " cors" : "",
               mesh->mix_factors != NULL ? " mix" : "",
               mesh->normal_factors != NULL ? " normal-factors" : "",
               mesh->bounds != NULL ? " bounds" : "");
}

static bool print_meshes(FILE* stream, const pelt_scene* scene)
{
    table list;
    fprintf(stream, "\n%u %s, %u %s\n", scene->mesh_count,
            message_plural(scene->mesh_count, "mesh", "meshes"), scene->instance_count,
            message_plural(scene->instance_count, "instance", "instances"));
    table_begin(&list, "lrrllrl",
                (const char* const[]){"NAME", "VERTICES", "TRIANGLES", "ATTRIBUTES", "METHOD",
                                      "MORPHS", "MATERIAL"});
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        table_cell(&list, "%s", or_dash(mesh->name));
        table_cell(&list, "%u", mesh->vertex_count);
        table_cell(&list, "%u", mesh->index_count / 3);
        attribute_cell(&list, mesh);
        table_cell(&list, "%s", mesh->has_method ? pelt_method_name(mesh->method) : "-");
        table_cell(&list, "%u", mesh->morph_count);
        table_cell(&list, "%s",
                   mesh->material != PELT_NONE ? or_dash(scene->materials[mesh->material].name)
                                               : "-");
    }
    return table_end(&list, stream);
}

static void alpha_cell(table* out, const pelt_material* material)
{
    if (material->alpha_mode == PELT_ALPHA_MASK)
    {
        table_cell(out, "mask %.3g",
                   material->alpha_cutoff > 0.0f ? (double)material->alpha_cutoff : 0.5);
        return;
    }
    table_cell(out, "%s", material->alpha_mode == PELT_ALPHA_BLEND ? "blend" : "opaque");
}

static void texture_row(table* out, const pelt_material* material, pelt_texture_slot slot)
{
    static const char* const wraps[] = {"repeat", "clamp", "mirror"};
    const pelt_texture* texture = &material->textures[slot];
    const pelt_sampler* sampler = &texture->sampler;
    table_cell(out, "%s", or_dash(material->name));
    table_cell(out, "%s", pelt_texture_slot_name(slot));
    table_cell(out, "%s", texture->image);
    table_cell(out, "%u%s", texture->uv_set, texture->is_transformed ? " transformed" : "");
    table_cell(out, "%s %s%s%s", wraps[sampler->wrap_u], wraps[sampler->wrap_v],
               sampler->mag_filter == PELT_TEXTURE_NEAREST ? " nearest" : "",
               sampler->mips == PELT_MIPS_NONE ? " no-mips" : "");
}

static bool print_textures(FILE* stream, const pelt_scene* scene)
{
    table list;
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->material_count * PELT_SLOT_COUNT; ++i)
    {
        const pelt_material* material = &scene->materials[i / PELT_SLOT_COUNT];
        count += material->textures[i % PELT_SLOT_COUNT].image != NULL;
    }
    print_count(stream, count, "texture", "textures");
    if (count == 0)
    {
        return true;
    }
    table_begin(&list, "lllll",
                (const char* const[]){"MATERIAL", "FOR", "IMAGE", "UV SET", "SAMPLER"});
    for (uint32_t i = 0; i < scene->material_count * PELT_SLOT_COUNT; ++i)
    {
        const pelt_material* material = &scene->materials[i / PELT_SLOT_COUNT];
        if (material->textures[i % PELT_SLOT_COUNT].image != NULL)
        {
            texture_row(&list, material, (pelt_texture_slot)(i % PELT_SLOT_COUNT));
        }
    }
    return table_end(&list, stream);
}

static bool print_materials(FILE* stream, const pelt_scene* scene)
{
    table list;
    print_count(stream, scene->material_count, "material", "materials");
    if (scene->material_count == 0)
    {
        return true;
    }
    table_begin(
        &list, "llrrrl",
        (const char* const[]){"NAME", "ALPHA", "SIDES", "METALLIC", "ROUGHNESS", "EMISSIVE"});
    for (uint32_t i = 0; i < scene->material_count; ++i)
    {
        const pelt_material* material = &scene->materials[i];
        pelt_vec3 e = material->emissive;
        table_cell(&list, "%s", or_dash(material->name));
        alpha_cell(&list, material);
        table_cell(&list, "%d", material->is_double_sided ? 2 : 1);
        table_cell(&list, "%.3g", (double)material->metallic);
        table_cell(&list, "%.3g", (double)material->roughness);
        if (e.x > 0.0f || e.y > 0.0f || e.z > 0.0f)
        {
            table_cell(&list, "%.3g %.3g %.3g", (double)e.x, (double)e.y, (double)e.z);
        }
        else
        {
            table_cell(&list, "%s", material->is_unlit ? "unlit" : "-");
        }
    }
    return table_end(&list, stream) && print_textures(stream, scene);
}

static bool print_influences(FILE* stream, const pelt_scene* scene)
{
    table list;
    fprintf(stream, "\nvertices by number of influences:\n");
    table_begin(&list, "lrrrrrrr",
                (const char* const[]){"MESH", "0", "1", "2", "3", "4", "5+", "MAX"});
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        uint32_t bins[STATISTICS_BIN_COUNT];
        scene_statistics_histogram(bins, mesh);
        table_cell(&list, "%s", or_dash(mesh->name));
        for (uint32_t bin = 0; bin < STATISTICS_BIN_COUNT; ++bin)
        {
            table_cell(&list, "%u", bins[bin]);
        }
        table_cell(&list, "%u", mesh->weights.max_influences);
    }
    return table_end(&list, stream);
}

static void print_scale(FILE* stream, const pelt_scene* scene, const pelt_joint_scale* in)
{
    if (in->is_rigid)
    {
        fputs("joints are rigid: none scales, shears or mirrors\n", stream);
        return;
    }
    const char* mirrors = in->has_mirrors ? "; some mirror" : "";
    if (in->node == PELT_NONE)
    {
        fprintf(stream, "all joints scale by %.4g in every pose%s\n", (double)in->unit, mirrors);
        return;
    }
    char path[512] = "", moment[64] = "";
    if (in->clip != NULL)
    {
        snprintf(moment, sizeof moment, " at %.3f s", (double)in->time);
    }
    snprintf(path, sizeof path, "%.200s%s%.200s%s", or_dash(scene->nodes[in->node].name),
             in->clip != NULL ? ", clip " : "", in->clip != NULL ? in->clip : "", moment);
    terminal_text_clean(path);
    fprintf(stream, "joints scale by %.4g to %.4g (farthest: %s), %s%s\n", (double)in->least,
            (double)in->most, path, in->is_uniform ? "uniformly" : "non-uniformly or with shear",
            mirrors);
}

static bool print_skins(FILE* stream, const pelt_scene* scene, const pelt_joint_scale* scale)
{
    table list;
    print_count(stream, scene->skin_count, "skin", "skins");
    if (scene->skin_count == 0)
    {
        return true;
    }
    print_scale(stream, scene, scale);
    table_begin(&list, "lr", (const char* const[]){"NAME", "JOINTS"});
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        table_cell(&list, "%s", or_dash(scene->skins[i].name));
        table_cell(&list, "%u", scene->skins[i].joint_count);
    }
    return table_end(&list, stream);
}

static bool print_joints(FILE* stream, const pelt_scene* scene, const scene_statistics* facts)
{
    table list;
    print_count(stream, facts->joint_count, "joint", "joints");
    table_begin(&list, "rll", (const char* const[]){"NODE", "NAME", "PARENT"});
    for (uint32_t i = 0; i < facts->joint_count; ++i)
    {
        uint32_t parent = facts->joint_parents[i];
        table_cell(&list, "%u", facts->joints[i]);
        table_cell(&list, "%s", or_dash(scene->nodes[facts->joints[i]].name));
        table_cell(&list, "%s", parent != PELT_NONE ? or_dash(scene->nodes[parent].name) : "-");
    }
    return table_end(&list, stream);
}

static bool print_clips(FILE* stream, const pelt_scene* scene)
{
    table list;
    print_count(stream, scene->clip_count, "clip", "clips");
    if (scene->clip_count == 0)
    {
        return true;
    }
    uint32_t chosen = pelt_scene_default_clip(scene);
    table_begin(&list, "lrrl", (const char* const[]){"NAME", "SECONDS", "TRACKS", "DEFAULT"});
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        table_cell(&list, "%s", or_dash(scene->clips[i].name));
        table_cell(&list, "%.3f", (double)scene->clips[i].duration);
        table_cell(&list, "%u", scene->clips[i].track_count);
        table_cell(&list, "%s", i == chosen ? "yes" : "-");
    }
    return table_end(&list, stream);
}

static bool print_repairs(FILE* stream, const pelt_scene* scene)
{
    if (scene->repair_count == 0)
    {
        fputs("\nno repairs were needed\n", stream);
        return true;
    }
    table list;
    print_count(stream, scene->repair_count, "repair", "repairs");
    table_begin(&list, "l", (const char* const[]){"REPAIRED ON READING"});
    for (uint32_t i = 0; i < scene->repair_count; ++i)
    {
        table_cell(&list, "%s", scene->repairs[i].message);
    }
    return table_end(&list, stream);
}

static void print_losses(FILE* stream, const pelt_scene* scene)
{
    if (scene->loss_count > 0)
    {
        fputs("\nnot in the scene:", stream);
    }
    for (uint32_t i = 0; i < scene->loss_count; ++i)
    {
        fprintf(stream, "%s %s", i > 0 ? ";" : "", scene->losses[i].what);
    }
    fputs(scene->loss_count > 0 ? "\n" : "", stream);
}

bool info_as_text(FILE* stream, const pelt_scene* scene, const scene_statistics* facts,
                  const pelt_joint_scale* scale, bool has_joint_list)
{
    print_size(stream, scene, facts);
    bool is_whole = print_meshes(stream, scene) && print_materials(stream, scene) &&
                    print_influences(stream, scene) && print_skins(stream, scene, scale) &&
                    (!has_joint_list || print_joints(stream, scene, facts)) &&
                    print_clips(stream, scene) && print_repairs(stream, scene);
    print_losses(stream, scene);
    return is_whole;
}
