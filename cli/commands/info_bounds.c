// SPDX-License-Identifier: MIT
// Boxes in the report of pelt info.
#include "info.h"
#include "output.h"
#include "requests/bounds_request.h"
#include "terminal.h"

#include <inttypes.h>

static json_t* describe_mesh(const pelt_mesh_bounds* bounds, const pelt_scene* scene,
                             const pelt_skin* skin)
{
    json_t *clips = json_array(), *joints = json_array();
    for (uint32_t i = 0; i < bounds->clip_count; ++i)
    {
        json_array_append_new(clips,
                              json_pack("{s:o, s:o}", "name", output_string(bounds->clips[i].clip),
                                        "box", bounds_describe_box(&bounds->clips[i].box)));
    }
    for (uint32_t i = 0; i < bounds->joint_count; ++i)
    {
        const pelt_bounds* box = &bounds->joints[i];
        bool is_joint = skin != NULL && i < skin->joint_count;
        json_array_append_new(
            joints,
            json_pack("{s:o, s:o}", "name",
                      is_joint ? output_string(scene->nodes[skin->joints[i]].name) : json_null(),
                      "box", box->min.x <= box->max.x ? bounds_describe_box(box) : json_null()));
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "method",
                     output_string(pelt_method_name(bounds->method)), "box",
                     bounds_describe_box(&bounds->box), "clips", clips, "joints", joints);
}

static const pelt_skin* skin_of(const pelt_scene* scene, uint32_t mesh)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        if (scene->instances[i].mesh == mesh && scene->instances[i].skin != PELT_NONE)
        {
            return &scene->skins[scene->instances[i].skin];
        }
    }
    return NULL;
}

json_t* info_bounds_as_json(const pelt_scene* scene)
{
    json_t* meshes = json_array();
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh_bounds* bounds = scene->meshes[i].bounds;
        json_array_append_new(
            meshes, bounds != NULL ? describe_mesh(bounds, scene, skin_of(scene, i)) : json_null());
    }
    return meshes;
}

static void print_box(FILE* stream, const char* label, const char* name, const pelt_bounds* box)
{
    char shown[25];
    snprintf(shown, sizeof shown, "%s", name != NULL ? name : "");
    terminal_text_clean(shown);
    fprintf(stream, "    %-5s %-24s  %9.4f %9.4f %9.4f  %9.4f %9.4f %9.4f\n", label, shown,
            (double)box->min.x, (double)box->min.y, (double)box->min.z, (double)box->max.x,
            (double)box->max.y, (double)box->max.z);
}

bool info_bounds_as_text(FILE* stream, const pelt_scene* scene)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh_bounds* bounds = scene->meshes[i].bounds;
        const pelt_skin* skin = skin_of(scene, i);
        if (bounds == NULL)
        {
            continue;
        }
        fprintf(stream, "bounds of mesh %" PRIu32 " for method %s: least and largest x, y, z\n", i,
                pelt_method_name(bounds->method));
        print_box(stream, "all", "", &bounds->box);
        for (uint32_t c = 0; c < bounds->clip_count; ++c)
        {
            print_box(stream, "clip", bounds->clips[c].clip, &bounds->clips[c].box);
        }
        for (uint32_t j = 0; j < bounds->joint_count; ++j)
        {
            bool is_joint = skin != NULL && j < skin->joint_count;
            if (bounds->joints[j].min.x <= bounds->joints[j].max.x)
            {
                print_box(stream, "joint", is_joint ? scene->nodes[skin->joints[j]].name : "",
                          &bounds->joints[j]);
            }
        }
        ++count;
    }
    if (count == 0)
    {
        fprintf(stream, "bounds: none; pelt enhance --bounds adds them\n");
    }
    return !ferror(stream);
}
