// SPDX-License-Identifier: MIT
// The whole scene in a file that a command writes, and the words about it.
#include "scene_file.h"

#include "message.h"
#include "output.h"

#include <string.h>

typedef struct scene_totals
{
    uint64_t vertex_count, triangle_count;
    uint32_t clip_count; // those that glTF can hold: with tracks
} scene_totals;

// Of the meshes themselves, which the file holds once however often they are put into the scene.
static scene_totals totals_of(const pelt_scene* scene)
{
    scene_totals totals = {0};
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        totals.vertex_count += scene->meshes[i].vertex_count;
        totals.triangle_count += scene->meshes[i].index_count / 3;
    }
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        totals.clip_count += scene->clips[i].track_count > 0;
    }
    return totals;
}

bool scene_file_is(pelt_format format)
{
    return format == PELT_FORMAT_GLB || format == PELT_FORMAT_GLTF;
}

int scene_file_save(const mesh_file* file, const pelt_scene* scene)
{
    pelt_error error = {0};
    pelt_result result = pelt_save_scene(file->path, file->format, scene, &error);
    if (result != PELT_OK)
    {
        return message_error(result, &error);
    }
    scene_totals totals = totals_of(scene);
    message_note("wrote %s: meshes %u, vertices %llu, triangles %llu, nodes %u, skins %u, clips %u",
                 strcmp(file->path, "-") == 0 ? "to the standard output" : file->path,
                 scene->mesh_count, (unsigned long long)totals.vertex_count,
                 (unsigned long long)totals.triangle_count, scene->node_count, scene->skin_count,
                 totals.clip_count);
    return EXIT_DONE;
}

void scene_file_describe(json_t* report, const mesh_file* file, const pelt_scene* scene)
{
    scene_totals totals = totals_of(scene);
    json_object_set_new(report, "output", output_string(file->path));
    json_object_set_new(report, "meshes", json_integer(scene->mesh_count));
    json_object_set_new(report, "vertices", json_integer((json_int_t)totals.vertex_count));
    json_object_set_new(report, "triangles", json_integer((json_int_t)totals.triangle_count));
    json_object_set_new(report, "nodes", json_integer(scene->node_count));
    json_object_set_new(report, "skins", json_integer(scene->skin_count));
    json_object_set_new(report, "clips", json_integer(totals.clip_count));
}
