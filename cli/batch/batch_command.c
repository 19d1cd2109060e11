// SPDX-License-Identifier: MIT
// The commands that `pelt batch` can run, and what its report says about each result.
#include "batch.h"
#include "output.h"

#include <stdio.h>
#include <string.h>

static const batch_command commands[] = {
    {"info",
     BATCH_OUTPUT_JSON,
     NULL,
     {{"vertices", "Vertices", NULL, "vertices", 1},
      {"triangles", "Triangles", NULL, "triangles", 1}}},
    {"doctor",
     BATCH_OUTPUT_JSON,
     NULL,
     {{"errors", "Errors", NULL, "counts.error", 1},
      {"warnings", "Warnings", NULL, "counts.warning", 1},
      {"notes", "Notes", NULL, "counts.note", 1}}},
    {"enhance", BATCH_OUTPUT_FILE, ".glb", {{0}}},
    {"deform", BATCH_OUTPUT_FILE, ".glb", {{"vertices", "Vertices", NULL, "vertices", 1}}},
    {"render", BATCH_OUTPUT_FILE, ".png", {{0}}},
    {"compare",
     BATCH_OUTPUT_DIR,
     NULL,
     {{"radius_lost", "Radius lost by lbs", "%", "contenders.0.total.radius_loss", 100},
      {"bulge", "Bulge under lbs", "mm", "contenders.0.total.bulge", 1000}}},
    {"convert",
     BATCH_OUTPUT_FILE,
     ".glb",
     {{"vertices", "Vertices", NULL, "vertices", 1}, {"clips", "Clips", NULL, "clips", 1}}},
    {"bake",
     BATCH_OUTPUT_DIR,
     NULL,
     {{"error", "Largest error", "mm/m", "error.max_per_meter", 1000},
      {"bytes", "Texture", "kB", "texture.bytes", 0.001}}},
};

enum
{
    COMMAND_COUNT = sizeof commands / sizeof commands[0],
};

const batch_command* batch_command_find(const char* name)
{
    for (uint32_t i = 0; i < COMMAND_COUNT; ++i)
    {
        if (strcmp(commands[i].name, name) == 0)
        {
            return &commands[i];
        }
    }
    return NULL;
}

static const char* command_name(uint32_t command)
{
    return command < COMMAND_COUNT ? commands[command].name : NULL;
}

const char* batch_command_names(void)
{
    static char names[128];
    args_join_names(names, sizeof names, command_name, 0, COMMAND_COUNT);
    return names;
}

// A value by a path such as "contenders.0.bulge".
static const json_t* find_value(const json_t* value, const char* path)
{
    while (value != NULL && path[0] != '\0')
    {
        char name[64];
        size_t length = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        value = json_is_array(value) ? json_array_get(value, (size_t)name[0] - '0')
                                     : json_object_get(value, name);
        path += length + (path[length] == '.');
    }
    return value;
}

static json_t* figure_as_json(const batch_figure* figure, const json_t* report)
{
    const json_t* value = find_value(report, figure->path);
    if (json_is_integer(value) && figure->scale == 1.0)
    {
        return json_integer(json_integer_value(value));
    }
    return json_is_number(value) ? output_real(figure->scale * json_number_value(value))
                                 : json_null();
}

json_t* batch_figures_read(const batch_command* command, const char* text, size_t size)
{
    json_t* report = json_loadb(text, size, 0, NULL);
    json_t* figures = json_is_object(report) ? json_object() : NULL;
    for (const batch_figure* f = command->figures; f->name != NULL && figures != NULL; ++f)
    {
        if (json_object_set_new(figures, f->name, figure_as_json(f, report)) != 0)
        {
            json_decref(figures);
            figures = NULL;
        }
    }
    json_decref(report);
    return figures;
}
