// SPDX-License-Identifier: MIT
// pelt compare: all methods on all clips of a character, as a report that says which to use.
#include "commands.h"
#include "compare/compare_job.h"
#include "compare/figure.h"
#include "output.h"
#include "requests/clip_request.h"
#include "requests/pose_request.h"
#include "source.h"
#include "terminal.h"

static const arg_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .value = "DIR",
     .help = "folder for report.html and report.json, created if missing"},
    {.name = "clip",
     .kind = ARG_TEXT,
     .value = "NAME",
     .may_repeat = true,
     .help = "clip to play, may be given again; default all"},
    {.name = "frames",
     .kind = ARG_COUNT,
     .value = "N",
     .minimum = 1,
     .maximum = 100000,
     .help = "frames of each method, over all clips; at least 5 per clip; default 240, fewer from "
             "5 000 vertices on, down to 24"},
    {.name = "exact",
     .kind = ARG_FLAG,
     .help = "sample nothing: all clips at 30 frames per second, all quantities in each frame, all "
             "instances of a mesh"},
    {.name = "no-pictures", .kind = ARG_FLAG, .help = "numbers and plots only"},
    {.name = "no-times",
     .kind = ARG_FLAG,
     .help = "do not measure time: a second run then writes the same bytes"},
    {0},
};

// Clips by their names; 0: all.
static int choose_clips(uint32_t out[ARGS_REPEAT_MAX], uint32_t* count, const args* arguments,
                        const pelt_scene* scene)
{
    const char* names[ARGS_REPEAT_MAX];
    *count = args_list(names, arguments, "clip");
    for (uint32_t i = 0; i < *count; ++i)
    {
        TRY(pose_request_find_clip(&out[i], scene, names[i]));
    }
    return EXIT_DONE;
}

static int compare(const args* arguments, const pelt_scene* scene, const char* folder)
{
    uint32_t clips[ARGS_REPEAT_MAX];
    compare_job job = {.request = {.input = arguments->operands[0],
                                   .scene = scene,
                                   .clips = clips,
                                   .frame_limit = (uint32_t)args_number(arguments, "frames", 0.0f),
                                   .is_exact = args_is_set(arguments, "exact")},
                       .folder = folder,
                       .figure_count = FIGURE_MAX,
                       .is_plain = args_is_set(arguments, "no-pictures"),
                       .is_untimed = args_is_set(arguments, "no-times"),
                       .words = args_is_set(arguments, "json") ? COMPARE_JSON : COMPARE_TEXT};
    int code = choose_clips(clips, &job.request.clip_count, arguments, scene);
    if (code == EXIT_DONE)
    {
        code = contender_list_choose(&job.request.contenders, arguments);
    }
    return code == EXIT_DONE ? compare_job_run(&job) : code;
}

static int run(const args* arguments)
{
    const char* folder = args_text(arguments, "output", NULL);
    if (folder == NULL)
    {
        return message_usage("give the folder of the report: -o DIR");
    }
    if (args_is_set(arguments, "exact") && args_is_set(arguments, "frames"))
    {
        return message_usage("--exact measures all frames; leave out --frames");
    }
    pelt_scene* scene;
    TRY(output_folder_check(folder));
    TRY(source_load_mesh(&scene, arguments->operands[0]));
    int code = clip_request_add(NULL, scene, arguments);
    code = code == EXIT_DONE ? compare(arguments, scene, folder) : code;
    pelt_scene_destroy(scene);
    return code;
}

const args_command cmd_compare = {
    .name = "compare",
    .summary = "compare all methods on a character, as a report",
    .operands = "INPUT",
    .description =
        "Plays all clips of a character, or bends and twists its joints where there are none, by\n"
        "every method. Measures what becomes of the shape and what it costs, and writes a page\n"
        "that says which method to use and why, with pictures of the worst moments, plots and\n"
        "tables: report.html, which needs no other file, and report.json.",
    .example = "pelt compare character.glb -o report",
    .min_operands = 1,
    .max_operands = 1,
    .tables = {options, contender_options, clip_request_options, args_common},
    .run = run,
};
