// SPDX-License-Identifier: MIT
#include "clip_request.h"

#include "output.h"
#include "source.h"
#include "terminal.h"

#include <math.h>
#include <string.h>

const arg_option clip_request_options[] = {
    {.name = "clips",
     .kind = ARG_TEXT,
     .value = "FILE...",
     .help = "add the clips of these files (FBX, glTF, BVH ...) to those of the input, by the names"
             " of joints",
     .may_repeat = true,
     .takes_many = true},
    {.name = "retarget-rest",
     .kind = ARG_FLAG,
     .help = "apply them relative to the rest poses of both files; default: keys as they are"},
    {0},
};

bool clip_request_is_set(const args* arguments)
{
    return args_is_set(arguments, "clips");
}

// ---------------------------------------------------------------------------------------------
// Words

static double degrees(float radians)
{
    return (double)radians * (180.0 / 3.14159265358979323846);
}

// A note about a file, as one sentence.
static void note_file(const clip_report* report, const pelt_scene* scene, bool is_relative)
{
    const pelt_add_clips_report* added = &report->files[report->file_count - 1].added;
    const pelt_rest_difference* rest = &report->files[report->file_count - 1].rest;
    char name[80] = "", dropped[80] = "", held[96] = "", bones[192] = "", rotated[160] = "";
    if (added->clip_count == 1)
    {
        snprintf(name, sizeof name, ", %.60s", scene->clips[scene->clip_count - 1].name);
    }
    if (added->dropped_count > 0)
    {
        snprintf(dropped, sizeof dropped, "; %u %s no joint here", added->dropped_count,
                 message_plural(added->dropped_count, "track found", "tracks found"));
    }
    if (added->held_count > 0)
    {
        snprintf(held, sizeof held, "; %u still %s the rest rotation of the file",
                 added->held_count, message_plural(added->held_count, "joint has", "joints have"));
    }
    bool differs = rest->shortest < 0.95f || rest->longest > 1.05f;
    if (differs)
    {
        char least[24] = "";
        if (rest->longest > 1.005f * rest->shortest)
        {
            snprintf(least, sizeof least, "%.3g to ", (double)rest->shortest);
        }
        snprintf(bones, sizeof bones,
                 "; its bones are %s%.3g times as long as here (median %.3g, most %.60s)%s", least,
                 (double)rest->longest, (double)rest->median, scene->nodes[rest->bone].name,
                 is_relative ? "" : ", and its translations move joints there");
    }
    bool is_rotated = degrees(rest->angle) > 5.0;
    if (is_rotated)
    {
        snprintf(rotated, sizeof rotated, "; rest poses differ by up to %.1f degrees (%.60s)",
                 degrees(rest->angle), scene->nodes[rest->joint].name);
    }
    message_note_later("%s: %u %s added%s%s%s%s%s%s", report->files[report->file_count - 1].path,
                       added->clip_count, message_plural(added->clip_count, "clip", "clips"), name,
                       dropped, held, bones, rotated,
                       !is_relative && (differs || is_rotated)
                           ? "; if the result is crooked, try --retarget-rest"
                           : "");
}

static int refuse_file(const char* path, const pelt_scene* from, const args* arguments)
{
    uint32_t track_count = 0;
    for (uint32_t i = 0; i < from->clip_count; ++i)
    {
        track_count += from->clips[i].track_count;
    }
    if (track_count == 0)
    {
        message_note("%s has no clip in which anything moves; pelt info lists what it has", path);
        return EXIT_INPUT;
    }
    const pelt_track* track = NULL;
    for (uint32_t i = 0; i < from->clip_count && track == NULL; ++i)
    {
        track = from->clips[i].track_count > 0 ? from->clips[i].tracks : NULL;
    }
    bool is_node = track->path != PELT_PATH_MORPH;
    message_note("%s: none of its %u %s a joint of %s%s%s%s; pelt info --joints lists the names",
                 path, track_count, message_plural(track_count, "track finds", "tracks finds"),
                 arguments->operands[0], is_node ? ", which has no \"" : "",
                 is_node ? from->nodes[track->target].name : "", is_node ? "\"" : "");
    return EXIT_INPUT;
}

// ---------------------------------------------------------------------------------------------
// Files

// The file name without folders and ending.
static void find_label(char* out, size_t size, const char* path)
{
    const char* slash = strrchr(path, '/');
    snprintf(out, size, "%s", strcmp(path, "-") == 0 ? "stdin" : slash != NULL ? slash + 1 : path);
    char* ending = strrchr(out, '.');
    if (ending != NULL && ending > out)
    {
        *ending = '\0';
    }
}

static int add_scene(clip_report* report, pelt_scene* inout, const pelt_scene* from,
                     const char* path, const args* arguments)
{
    char label[256]; // as long as a file name may be
    find_label(label, sizeof label, path);
    const pelt_add_clips_options options = {
        .label = label, .is_relative_to_rest = args_is_set(arguments, "retarget-rest")};
    uint32_t index = report->file_count;
    report->files[index].path = path;
    if (pelt_scene_compare_rest(&report->files[index].rest, inout, from) != PELT_OK ||
        pelt_scene_add_clips(inout, &report->files[index].added, from, &options, inout->arena) !=
            PELT_OK)
    {
        return message_memory();
    }
    if (report->files[index].added.clip_count == 0)
    {
        return refuse_file(path, from, arguments);
    }
    report->file_count = index + 1;
    note_file(report, inout, options.is_relative_to_rest);
    return EXIT_DONE;
}

static int add_file(clip_report* report, pelt_scene* inout, const char* path, const args* arguments)
{
    pelt_scene* from;
    TRY(source_load(&from, path));
    int code = add_scene(report, inout, from, path, arguments);
    pelt_scene_destroy(from);
    return code;
}

int clip_request_add(clip_report* out, pelt_scene* inout, const args* arguments)
{
    clip_report own;
    clip_report* report = out != NULL ? out : &own;
    report->file_count = 0;
    const char* paths[ARGS_REPEAT_MAX];
    uint32_t count = args_list(paths, arguments, "clips");
    if (count == 0 && args_is_set(arguments, "retarget-rest"))
    {
        return message_usage("--retarget-rest goes with --clips FILE");
    }
    int code = EXIT_DONE;
    for (uint32_t i = 0; i < count && code == EXIT_DONE; ++i)
    {
        bool is_taken = strcmp(paths[i], "-") == 0 && strcmp(arguments->operands[0], "-") == 0;
        code = is_taken ? message_usage("the input and --clips - both need the standard input")
                        : add_file(report, inout, paths[i], arguments);
    }
    return code;
}

json_t* clip_report_describe(const clip_report* in, const pelt_scene* scene)
{
    json_t* list = json_array();
    for (uint32_t i = 0; i < in->file_count; ++i)
    {
        const pelt_add_clips_report* added = &in->files[i].added;
        const pelt_rest_difference* rest = &in->files[i].rest;
        json_t* lengths =
            rest->bone != PELT_NONE
                ? json_pack("{s:o, s:o, s:o, s:o}", "shortest", output_float(rest->shortest),
                            "longest", output_float(rest->longest), "median",
                            output_float(rest->median), "joint",
                            output_string(scene->nodes[rest->bone].name))
                : json_null();
        json_array_append_new(list,
                              json_pack("{s:o, s:i, s:i, s:i, s:i, s:o, s:o}", "file",
                                        output_string(in->files[i].path), "clips",
                                        (int)added->clip_count, "tracks", (int)added->track_count,
                                        "tracks_without_joint", (int)added->dropped_count,
                                        "held_joints", (int)added->held_count, "bone_lengths",
                                        lengths, "rest_angle", output_real(degrees(rest->angle))));
    }
    return list;
}
