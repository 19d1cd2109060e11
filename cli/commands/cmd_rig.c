// SPDX-License-Identifier: MIT
// pelt rig: list the built-in characters, or write one.
#include "commands.h"
#include "output.h"
#include "output_file.h"
#include "rigs.h"
#include "source.h"
#include "terminal.h"

#include <string.h>

static int list_as_json(const char* path)
{
    const pelt_rig_info* rigs;
    uint32_t count = pelt_rig_list(&rigs);
    json_t* list = json_array();
    for (uint32_t i = 0; i < count; ++i)
    {
        json_t* ranges = json_array();
        for (uint32_t k = 0; k < rigs[i].parameter_count; ++k)
        {
            const pelt_rig_range* range = &rigs[i].ranges[k];
            json_array_append_new(
                ranges, json_pack("[I, I]", (json_int_t)range->min, (json_int_t)range->max));
        }
        json_array_append_new(list,
                              json_pack("{s:o, s:o, s:o, s:o}", "name", output_string(rigs[i].name),
                                        "summary", output_string(rigs[i].summary), "parameters",
                                        output_string(rigs[i].parameters), "ranges", ranges));
    }
    return output_json(json_pack("{s:o}", "rigs", list), path);
}

// "2000 to 2000000, 1 to 16"
static void describe_ranges(char* out, size_t size, const pelt_rig_info* rig)
{
    size_t used = 0;
    snprintf(out, size, "-");
    for (uint32_t i = 0; i < rig->parameter_count && used < size; ++i)
    {
        used += (size_t)snprintf(out + used, size - used, "%s%u to %u", i > 0 ? ", " : "",
                                 rig->ranges[i].min, rig->ranges[i].max);
    }
}

static int list_as_text(const char* path)
{
    output out;
    TRY(output_open(&out, path));
    const pelt_rig_info* rigs;
    uint32_t count = pelt_rig_list(&rigs);
    table list;
    table_begin(&list, "llll", (const char* const[]){"NAME", "PARAMETERS", "RANGE", "WHAT IT IS"});
    for (uint32_t i = 0; i < count; ++i)
    {
        char ranges[64];
        describe_ranges(ranges, sizeof ranges, &rigs[i]);
        table_cell(&list, "rig:%s", rigs[i].name);
        table_cell(&list, "%s", rigs[i].parameters[0] != '\0' ? rigs[i].parameters : "-");
        table_cell(&list, "%s", ranges);
        table_cell(&list, "%s", rigs[i].summary);
    }
    bool is_whole = table_end(&list, out.stream);
    return is_whole ? output_close(&out) : output_fail(&out);
}

static int write_scene(const args* arguments, const pelt_scene* scene, const output_file* file)
{
    output summary = {0};
    if (args_is_set(arguments, "json"))
    {
        json_t* json = json_object();
        json_object_set_new(json, "input", output_string(arguments->operands[0]));
        output_file_describe_scene(json, file, scene);
        int code = output_json_prepare(&summary, json, NULL);
        if (code != EXIT_DONE)
        {
            return code;
        }
    }
    TRY(output_discard_on(&summary, output_file_save_scene(file, scene)));
    return output_deliver(&summary);
}

// The mesh in the stored pose.
static int write_mesh(const args* arguments, const pelt_scene* scene, const output_file* file)
{
    output summary = {0};
    pelt_frame frame = {0};
    pelt_pose pose = {0};
    int code = EXIT_DONE;
    if (pelt_frame_create(&frame, scene) != PELT_OK || pelt_pose_create(&pose, scene) != PELT_OK)
    {
        code = message_memory();
        goto cleanup;
    }
    pelt_frame_update(&frame, scene, &pose, &(pelt_deform_options){0});
    if (args_is_set(arguments, "json"))
    {
        json_t* json = json_object();
        json_object_set_new(json, "input", output_string(arguments->operands[0]));
        output_file_describe_mesh(json, file, scene, &frame);
        code = output_json_prepare(&summary, json, NULL);
        if (code != EXIT_DONE)
        {
            goto cleanup;
        }
    }
    code = output_file_save_mesh(file, scene, &frame);
    if (code == EXIT_DONE)
    {
        code = output_deliver(&summary);
    }
cleanup:
    output_discard(&summary);
    pelt_pose_destroy(&pose);
    pelt_frame_destroy(&frame);
    return code;
}

static int write_rig(const args* arguments)
{
    output_file file;
    TRY(output_file_choose(&file, arguments));
    char name[256];
    const char* operand = arguments->operands[0];
    snprintf(name, sizeof name, "%s%s", strncmp(operand, "rig:", 4) == 0 ? "" : "rig:", operand);

    pelt_scene* scene;
    TRY(source_load(&scene, name));
    int code = output_file_holds_scene(file.format) ? write_scene(arguments, scene, &file)
                                                    : write_mesh(arguments, scene, &file);
    pelt_scene_destroy(scene);
    return code;
}

static int run(const args* arguments)
{
    if (arguments->operand_count > 0)
    {
        return write_rig(arguments);
    }
    const char* path = args_text(arguments, "output", NULL);
    return args_is_set(arguments, "json") ? list_as_json(path) : list_as_text(path);
}

const args_command cmd_rig = {
    .name = "rig",
    .summary = "list the built-in characters, or write one",
    .operands = "[NAME]",
    .description =
        "Without NAME, lists the built-in characters with their parameters. With NAME, writes\n"
        "one: the whole character as .glb or .gltf, or its mesh at rest as .obj or .ply.\n"
        "Parameters follow the name, as in human?vertices=50000.",
    .example = "pelt rig human?vertices=50000 -o human.glb",
    .max_operands = 1,
    .tables = {output_file_options, args_common},
    .run = run,
};
