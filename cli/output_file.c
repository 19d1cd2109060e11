// SPDX-License-Identifier: MIT
// The output file of a command: -o, --format, and the messages about its meshes.
#include "output_file.h"

#include "output.h"
#include "scene_statistics.h"
#include "terminal.h"

#include <string.h>

static const char* const format_names[] = {"obj", "ply", "glb", "gltf", NULL};

const arg_option output_file_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .value = "FILE",
     .help = "file to write: .obj, .ply, .glb or .gltf; - for the standard output"},
    {.name = "format",
     .kind = ARG_CHOICE,
     .value = "FORMAT",
     .choices = format_names,
     .help = "format, if the file name does not tell; one of"},
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

int output_file_choose_among(output_file* out, const args* arguments, const char* const* names)
{
    char extensions[64];
    list_extensions(extensions, sizeof extensions, names);
    *out = (output_file){.path = args_text(arguments, "output", NULL)};
    if (out->path == NULL)
    {
        return message_usage("missing output file: give -o FILE%s", extensions);
    }
    out->format = args_is_set(arguments, "format")
                      ? format_named(names[args_choice(arguments, "format")])
                      : pelt_format_of(out->path);
    if (!is_among(out->format, names))
    {
        return message_usage("%s does not end in %s; rename it or give --format", out->path,
                             extensions);
    }
    if (strcmp(out->path, "-") == 0 && args_is_set(arguments, "json"))
    {
        return message_usage("-o - and --json both need the standard output");
    }
    return EXIT_DONE;
}

int output_file_choose(output_file* out, const args* arguments)
{
    return output_file_choose_among(out, arguments, format_names);
}

// ---------------------------------------------------------------------------------------------
// A mesh: the surfaces of a frame

int output_file_save_mesh(const output_file* file, const pelt_scene* scene, const pelt_frame* frame)
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
    message_note("wrote %s: %llu %s, %llu %s, from (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) m",
                 strcmp(file->path, "-") == 0 ? "to the standard output" : file->path,
                 (unsigned long long)totals.vertex_count,
                 message_plural(totals.vertex_count, "vertex", "vertices"),
                 (unsigned long long)totals.triangle_count,
                 message_plural(totals.triangle_count, "triangle", "triangles"), (double)box.min.x,
                 (double)box.min.y, (double)box.min.z, (double)box.max.x, (double)box.max.y,
                 (double)box.max.z);
    return EXIT_DONE;
}

void output_file_describe_mesh(json_t* report, const output_file* file, const pelt_scene* scene,
                               const pelt_frame* frame)
{
    mesh_totals totals = mesh_totals_of(scene, frame);
    json_object_set_new(report, "output", output_string(file->path));
    json_object_set_new(report, "vertices", json_integer((json_int_t)totals.vertex_count));
    json_object_set_new(report, "triangles", json_integer((json_int_t)totals.triangle_count));
    json_object_set_new(report, "bounds", output_bounds(&totals.bounds));
}

// ---------------------------------------------------------------------------------------------
// A whole scene

typedef struct scene_totals
{
    uint64_t vertex_count, triangle_count;
    uint32_t clip_count; // those that glTF can hold: with tracks
} scene_totals;

// Bytes of the meshes themselves, once each, however many instances they have.
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

bool output_file_holds_scene(pelt_format format)
{
    return format == PELT_FORMAT_GLB || format == PELT_FORMAT_GLTF;
}

static void print_scene(const output_file* file, const pelt_scene* scene)
{
    scene_totals totals = totals_of(scene);
    message_note("wrote %s: %u %s, %llu %s, %llu %s, %u %s, %u %s, %u %s",
                 strcmp(file->path, "-") == 0 ? "to the standard output" : file->path,
                 scene->mesh_count, message_plural(scene->mesh_count, "mesh", "meshes"),
                 (unsigned long long)totals.vertex_count,
                 message_plural(totals.vertex_count, "vertex", "vertices"),
                 (unsigned long long)totals.triangle_count,
                 message_plural(totals.triangle_count, "triangle", "triangles"), scene->node_count,
                 message_plural(scene->node_count, "node", "nodes"), scene->skin_count,
                 message_plural(scene->skin_count, "skin", "skins"), totals.clip_count,
                 message_plural(totals.clip_count, "clip", "clips"));
}

int output_file_save_scene(const output_file* file, const pelt_scene* scene)
{
    pelt_error error = {0};
    pelt_result result = pelt_save_scene(file->path, file->format, scene, &error);
    if (result == PELT_OK)
    {
        print_scene(file, scene);
    }
    return message_error(result, &error);
}

int output_file_save_copy(const output_file* file, const pelt_source* source,
                          const pelt_scene* read, const pelt_scene* scene)
{
    pelt_error error = {0};
    pelt_result result = pelt_save_copy(file->path, file->format, source, read, scene, &error);
    if (result == PELT_OK)
    {
        print_scene(file, scene);
    }
    return message_error(result, &error);
}

int output_file_save_source(const output_file* file, const pelt_source* source,
                            const pelt_scene* scene)
{
    pelt_error error = {0};
    pelt_result result = pelt_save_bytes(file->path, source->bytes, source->size, &error);
    if (result == PELT_OK)
    {
        print_scene(file, scene);
    }
    return message_error(result, &error);
}

void output_file_describe_scene(json_t* report, const output_file* file, const pelt_scene* scene)
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
