// SPDX-License-Identifier: MIT
// What a character costs in the memory of a GPU, by method: pelt info --gpu.
#include "info.h"
#include "output.h"
#include "pelt/gl.h"

// Bytes of one method, for a whole scene.
typedef struct gpu_cost
{
    uint32_t joint_bytes;        // of one joint that turns and moves; palette_total is of these
    uint32_t scaled_joint_bytes; // of one that scales as well
    uint32_t vertex_bytes;       // of one vertex of the mesh that has most
    uint32_t skin_bytes;         // of these, what only skinning needs: joints, weights, center
    uint64_t palette_total, vertex_total;
} gpu_cost;

enum
{
    // What a mesh would have without a skin.
    SURFACE_SET = 1u << PELT_ATTRIBUTE_POSITION | 1u << PELT_ATTRIBUTE_NORMAL |
                  1u << PELT_ATTRIBUTE_TANGENT | 1u << PELT_ATTRIBUTE_UV |
                  1u << PELT_ATTRIBUTE_COLOR,
};

static uint32_t bytes_of_vertex(const pelt_mesh* mesh, pelt_method method, pelt_attribute_set mask)
{
    uint32_t influence_count = pelt_gpu_influence_count(mesh, 0);
    return pelt_gpu_vertex_bytes(pelt_gpu_attributes(mesh, method, influence_count) & mask,
                                 influence_count);
}

static uint32_t bytes_of_joint(pelt_method method, pelt_gpu_scale scale)
{
    return pelt_gpu_joint_floats(method, scale, PELT_GPU_LAYOUT_COMPACT) * (uint32_t)sizeof(float);
}

static gpu_cost cost_of(const pelt_scene* scene, pelt_method method)
{
    gpu_cost cost = {.joint_bytes = bytes_of_joint(method, PELT_GPU_SCALE_NONE),
                     .scaled_joint_bytes = bytes_of_joint(method, PELT_GPU_SCALE_LOCAL)};
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        cost.palette_total += (uint64_t)scene->skins[i].joint_count * cost.joint_bytes;
    }
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        uint32_t bytes = bytes_of_vertex(mesh, method, ~0u);
        uint32_t skin_bytes = bytes_of_vertex(mesh, method, ~(pelt_attribute_set)SURFACE_SET);
        cost.vertex_bytes = bytes > cost.vertex_bytes ? bytes : cost.vertex_bytes;
        cost.skin_bytes = skin_bytes > cost.skin_bytes ? skin_bytes : cost.skin_bytes;
        cost.vertex_total += (uint64_t)mesh->vertex_count * bytes;
    }
    return cost;
}

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
    gpu_cost cost = cost_of(scene, method);
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
                                json_integer(bytes_of_vertex(mesh, method, ~0u)));
        }
    }
    return json_pack("{s:o, s:I, s:o}", "name", output_string(mesh->name), "influences",
                     (json_int_t)pelt_gpu_influence_count(mesh, 0), "bytes_per_vertex", bytes);
}

json_t* info_gpu_as_json(const pelt_scene* scene, const joint_scale* scale)
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
    bool is_rigid = joint_scale_for_gpu(scale) == PELT_GPU_SCALE_NONE;
    return json_pack("{s:o, s:o, s:I, s:s}", "methods", methods, "meshes", meshes, "index_bytes",
                     (json_int_t)index_total(scene), "scale", is_rigid ? "none" : "local");
}

static void method_row(table* list, const pelt_scene* scene, pelt_method method)
{
    gpu_cost cost = cost_of(scene, method);
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

bool info_gpu_as_text(FILE* stream, const pelt_scene* scene, const joint_scale* scale)
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
        bool is_rigid = joint_scale_for_gpu(scale) == PELT_GPU_SCALE_NONE;
        fprintf(stream, "shaders: pelt shaders --scale %s\n",
                is_rigid ? "none" : "local, or origin to scale as Maya and UsdSkel do");
    }
    return is_whole;
}
