// SPDX-License-Identifier: MIT
// The file that a command writes: -o, --format, and the words about the meshes in it.
#include "mesh_file.h"

#include "message.h"
#include "output.h"

#include <string.h>

static const char* const format_names[] = {"obj", "ply", "glb", "gltf", NULL};

const arg_option mesh_file_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .value = "FILE",
     .help = "file to write: .obj, .ply, .glb or .gltf; - is the standard output"},
    {.name = "format",
     .kind = ARG_CHOICE,
     .value = "FORMAT",
     .choices = format_names,
     .help = "format of the file, when its name does not say it; one of"},
    {0},
};

static pelt_format format_named(const char* name)
{
    char file[16];
    snprintf(file, sizeof file, "x.%s", name);
    return pelt_format_of(file);
}

static bool is_among(pelt_format format, const char* const* names)
{
    for (; *names != NULL; ++names)
    {
        if (format_named(*names) == format)
        {
            return true;
        }
    }
    return false;
}

// ".obj, .ply or .glb"
static void list_extensions(char* out, size_t size, const char* const* names)
{
    size_t used = 0;
    for (size_t i = 0; names[i] != NULL && used < size; ++i)
    {
        const char* between = i == 0 ? "" : names[i + 1] == NULL ? " or " : ", ";
        used += (size_t)snprintf(out + used, size - used, "%s.%s", between, names[i]);
    }
}

int mesh_file_choose_among(mesh_file* out, const args* arguments, const char* const* names)
{
    char extensions[64];
    list_extensions(extensions, sizeof extensions, names);
    *out = (mesh_file){.path = args_text(arguments, "output", NULL)};
    if (out->path == NULL)
    {
        return message_usage("there is no output: give -o FILE%s", extensions);
    }
    out->format = args_is_set(arguments, "format")
                      ? format_named(names[args_choice(arguments, "format")])
                      : pelt_format_of(out->path);
    if (!is_among(out->format, names))
    {
        return message_usage("%s: the name does not end in %s; rename it or give --format",
                             out->path, extensions);
    }
    if (strcmp(out->path, "-") == 0 && args_is_set(arguments, "json"))
    {
        return message_usage("-o - and --json both want the standard output");
    }
    return EXIT_DONE;
}

int mesh_file_choose(mesh_file* out, const args* arguments)
{
    return mesh_file_choose_among(out, arguments, format_names);
}

mesh_totals mesh_totals_of(const pelt_scene* scene, const pelt_frame* frame)
{
    mesh_totals totals = {.bounds = pelt_bounds_empty()};
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        totals.vertex_count += mesh->vertex_count;
        totals.triangle_count += mesh->index_count / 3;
        pelt_bounds_add(&totals.bounds, frame->surfaces[i].positions, mesh->vertex_count);
    }
    return totals;
}

int mesh_file_save(const mesh_file* file, const pelt_scene* scene, const pelt_frame* frame)
{
    pelt_error error = {0};
    pelt_result result =
        pelt_save_surfaces(file->path, file->format, scene, frame->surfaces, &error);
    if (result != PELT_OK)
    {
        return message_error(result, &error);
    }
    mesh_totals totals = mesh_totals_of(scene, frame);
    pelt_bounds box = totals.bounds;
    message_note("wrote %s: %llu vertices, %llu triangles, "
                 "from (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) m",
                 strcmp(file->path, "-") == 0 ? "to the standard output" : file->path,
                 (unsigned long long)totals.vertex_count, (unsigned long long)totals.triangle_count,
                 (double)box.min.x, (double)box.min.y, (double)box.min.z, (double)box.max.x,
                 (double)box.max.y, (double)box.max.z);
    return EXIT_DONE;
}

void mesh_file_describe(json_t* report, const mesh_file* file, const pelt_scene* scene,
                        const pelt_frame* frame)
{
    mesh_totals totals = mesh_totals_of(scene, frame);
    json_object_set_new(report, "output", output_string(file->path));
    json_object_set_new(report, "vertices", json_integer((json_int_t)totals.vertex_count));
    json_object_set_new(report, "triangles", json_integer((json_int_t)totals.triangle_count));
    json_object_set_new(report, "bounds", output_bounds(&totals.bounds));
}
