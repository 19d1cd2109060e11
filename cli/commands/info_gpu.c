// SPDX-License-Identifier: MIT
// The memory of a character on the GPU, by method: pelt info --gpu.
#include "gpu_cost.h"
#include "info.h"
#include "output.h"

static uint64_t index_total(const pelt_scene* scene)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        count += scene->meshes[i].index_count;
    }
    return count * sizeof(uint32_t);
}

static json_t* describe_method(const pelt_scene* scene, pelt_method method)
{
    gpu_cost cost = gpu_cost_of(scene, method);
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "method", pelt_method_name(method),
                     "bytes_per_joint", (json_int_t)cost.joint_bytes, "bytes_per_scaled_joint",
                     (json_int_t)cost.scaled_joint_bytes, "bytes_per_vertex",
                     (json_int_t)cost.vertex_bytes, "skin_bytes_per_vertex",
                     (json_int_t)cost.skin_bytes, "palette_bytes", (json_int_t)cost.palette_total,
                     "vertex_bytes", (json_int_t)cost.vertex_total, "total_bytes",
                     (json_int_t)(cost.palette_total + cost.vertex_total + index_total(scene)));
}

static json_t* describe_mesh(const pelt_mesh* mesh)
{
    json_t* bytes = json_object();
    for (uint32_t i = 0; i < PELT_METHOD_COUNT; ++i)
    {
        pelt_method method = (pelt_method)i;
        if (pelt_gpu_has_method(method))
        {
            json_object_set_new(bytes, pelt_method_name(method),
                                json_integer(gpu_cost_vertex_bytes(mesh, method)));
        }
    }
    return json_pack("{s:o, s:I, s:o}", "name", output_string(mesh->name), "influences",
                     (json_int_t)pelt_gpu_influence_count(mesh, 0), "bytes_per_vertex", bytes);
}

json_t* info_gpu_as_json(const pelt_scene* scene, const pelt_joint_scale* scale)
{
    json_t* methods = json_array();
    json_t* meshes = json_array();
    for (uint32_t i = 0; i < PELT_METHOD_COUNT; ++i)
    {
        if (pelt_gpu_has_method((pelt_method)i))
        {
            json_array_append_new(methods, describe_method(scene, (pelt_method)i));
        }
    }
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        json_array_append_new(meshes, describe_mesh(&scene->meshes[i]));
    }
    return json_pack("{s:o, s:o, s:I, s:s}", "methods", methods, "meshes", meshes, "index_bytes",
                     (json_int_t)index_total(scene), "scale", scale->is_rigid ? "none" : "local");
}

static void method_row(table* list, const pelt_scene* scene, pelt_method method)
{
    gpu_cost cost = gpu_cost_of(scene, method);
    uint64_t total = cost.palette_total + cost.vertex_total + index_total(scene);
    table_cell(list, "%s", pelt_method_name(method));
    table_cell(list, "%u", cost.joint_bytes);
    table_cell(list, "%u", cost.scaled_joint_bytes);
    table_cell(list, "%u", cost.vertex_bytes);
    table_cell(list, "%u", cost.skin_bytes);
    table_cell(list, "%llu", (unsigned long long)cost.palette_total);
    table_cell(list, "%llu", (unsigned long long)cost.vertex_total);
    table_cell(list, "%llu", (unsigned long long)total);
}

bool info_gpu_as_text(FILE* stream, const pelt_scene* scene, const pelt_joint_scale* scale)
{
    table list;
    fprintf(
        stream,
        "\nGPU memory in bytes, compact palettes; totals are for rigid joints and include %llu for "
        "indices:\n",
        (unsigned long long)index_total(scene));
    table_begin(&list, "lrrrrrrr",
                (const char* const[]){"METHOD", "PER JOINT", "IF SCALED", "PER VERTEX",
                                      "FOR SKINNING", "PALETTES", "VERTICES", "TOTAL"});
    for (uint32_t i = 0; i < PELT_METHOD_COUNT; ++i)
    {
        if (pelt_gpu_has_method((pelt_method)i))
        {
            method_row(&list, scene, (pelt_method)i);
        }
    }
    bool is_whole = table_end(&list, stream);
    if (scene->skin_count > 0)
    {
        fprintf(stream, "shaders: pelt shaders --scale %s\n",
                scale->is_rigid ? "none" : "local, or origin to scale as Maya and UsdSkel do");
    }
    return is_whole;
}
