// SPDX-License-Identifier: MIT
#include "export_request.h"

#include "output.h"
#include "output_file.h"
#include "requests/pose_request.h"
#include "scene_statistics.h"
#include "terminal.h"

#include <string.h>

const arg_option export_request_options[] = {
    {.name = "clip",
     .kind = ARG_TEXT,
     .value = "NAME[=NEW]",
     .help = "write this clip only, under a new name if there is one; repeat for more",
     .may_repeat = true},
    {.name = "trim",
     .kind = ARG_SPAN,
     .value = "A:B",
     .minimum = 0.0,
     .maximum = 1e6,
     .help = "part of each clip, in seconds"},
    {.name = "fps",
     .kind = ARG_NUMBER,
     .value = "N",
     .minimum = 1.0,
     .maximum = 1000.0,
     .help = "sample clips N times per second; default: their keys as they are"},
    {.name = "in-place",
     .kind = ARG_CHOICE,
     .value = "HOW",
     .choice_name = pelt_root_motion_name,
     .choice_first = PELT_ROOT_MOTION_REMOVE,
     .choice_count = PELT_ROOT_MOTION_COUNT,
     .help = "remove the motion of the root over the ground, or move it to the node above; one of"},
    {.name = "simplify-keys",
     .kind = ARG_TEXT,
     .value = "LENGTH",
     .help = "drop keys as long as no vertex is off by more, as 0.1mm, or relative to the height as"
             " 0.1mm/m"},
    {.name = "max-influences",
     .kind = ARG_COUNT,
     .value = "N",
     .minimum = 1,
     .maximum = 65535,
     .help = "keep the N strongest influences of each vertex"},
    {.name = "min-weight",
     .kind = ARG_NUMBER,
     .value = "W",
     .minimum = 0.0,
     .maximum = 1.0,
     .help = "drop influences with less weight than this"},
    {0},
};

// ---------------------------------------------------------------------------------------------
// Clips

// A clip by "NAME" or "NAME=NEW"; a name may have a '=' itself.
static int choose_clip(pelt_clip* out, const pelt_scene* scene, const char* text)
{
    const char* equals = strrchr(text, '=');
    uint32_t index = pelt_scene_find_clip(scene, text);
    if (index != PELT_NONE || equals == NULL)
    {
        int code = pose_request_find_clip(&index, scene, text);
        *out = code == EXIT_DONE ? scene->clips[index] : *out;
        return code;
    }
    char* name = pelt_arena_format(scene->arena, "%.*s", (int)(equals - text), text);
    char* renamed = name != NULL ? pelt_arena_string(scene->arena, equals + 1) : NULL;
    if (renamed == NULL)
    {
        return message_memory();
    }
    if (renamed[0] == '\0')
    {
        return message_usage("--clip %s has no new name behind the =", text);
    }
    int code = pose_request_find_clip(&index, scene, name);
    if (code == EXIT_DONE)
    {
        *out = scene->clips[index];
        out->name = renamed;
    }
    return code;
}

static int choose_clips(pelt_scene* inout, const args* arguments)
{
    const char* names[ARGS_REPEAT_MAX];
    uint32_t count = args_list(names, arguments, "clip");
    uint32_t total = count > 0 ? count : inout->clip_count;
    pelt_clip* clips = pelt_arena_alloc(inout->arena, total, sizeof *clips);
    if (clips == NULL)
    {
        return message_memory();
    }
    for (uint32_t i = 0; i < total; ++i)
    {
        int code = count > 0 ? choose_clip(&clips[i], inout, names[i]) : EXIT_DONE;
        clips[i] = count > 0 ? clips[i] : inout->clips[i];
        if (code != EXIT_DONE)
        {
            return code;
        }
        for (uint32_t k = 0; k < i && count > 0; ++k)
        {
            if (strcmp(clips[k].name, clips[i].name) == 0)
            {
                return message_usage("--clip gives two clips the name \"%s\"", clips[i].name);
            }
        }
    }
    inout->clips = clips;
    inout->clip_count = total;
    return EXIT_DONE;
}

static int edit_clips(pelt_clip* clips, const pelt_scene* scene, const args* arguments)
{
    const arg_setting* trim = args_get(arguments, "trim");
    const pelt_edit_clip_options options = {
        .is_trimmed = trim->is_set,
        .start = (float)trim->number,
        .end = (float)trim->end,
        .rate = args_number(arguments, "fps", 0.0f),
        .root_motion = args_is_set(arguments, "in-place")
                           ? (pelt_root_motion)args_choice(arguments, "in-place")
                           : PELT_ROOT_MOTION_KEEP,
    };
    const char* advice = options.root_motion == PELT_ROOT_MOTION_PARENT
                             ? "; --in-place remove needs no other node"
                             : "";
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        pelt_error error = {0};
        pelt_result result = pelt_scene_edit_clip(&clips[i], scene, &options, scene->arena, &error);
        if (result != PELT_OK)
        {
            return result == PELT_ERROR_ARGUMENT ? message_usage("%s%s", error.message, advice)
                                                 : message_error(result, &error);
        }
    }
    return EXIT_DONE;
}

// A glTF file is copied with its nodes as they are; others get the node that is missing.
static int add_roots(pelt_scene* inout, const args* arguments)
{
    uint32_t added = 0;
    bool is_asked = args_is_set(arguments, "in-place") &&
                    args_choice(arguments, "in-place") == PELT_ROOT_MOTION_PARENT;
    if (!is_asked || output_file_holds_scene(inout->format))
    {
        return EXIT_DONE;
    }
    if (pelt_scene_add_root_nodes(inout, &added, inout->arena) != PELT_OK)
    {
        return message_memory();
    }
    if (added > 0)
    {
        message_note_later("added %u %s above the joint that moves the character", added,
                           message_plural(added, "node", "nodes"));
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------
// Keys

static int read_limit(double* limit, bool* is_relative, const args* arguments)
{
    const char* text = args_text(arguments, "simplify-keys", "");
    const char* end;
    bool is_length = args_read_length(limit, is_relative, &end, text) && *end == '\0';
    return is_length ? EXIT_DONE
                     : message_usage("--simplify-keys needs a length such as 0.1mm, 0.5cm or "
                                     "0.002m, or 0.1mm/m of the height, not \"%s\"",
                                     text);
}

static int find_height(double* out, const pelt_scene* scene)
{
    scene_statistics facts = {0};
    if (scene_statistics_create(&facts, scene) != PELT_OK)
    {
        return message_memory();
    }
    const pelt_bounds* box = &facts.totals.bounds;
    *out = box->min.x <= box->max.x ? (double)(box->max.y - box->min.y) : 0.0;
    *out = *out > 0.0 ? *out : (double)pelt_bounds_diagonal(box);
    scene_statistics_destroy(&facts);
    return EXIT_DONE;
}

static int simplify_clips(export_report* out, pelt_clip* clips, const pelt_scene* scene,
                          const args* arguments)
{
    double limit, height = 1.0;
    bool is_relative;
    int code = read_limit(&limit, &is_relative, arguments);
    code = code == EXIT_DONE && is_relative ? find_height(&height, scene) : code;
    progress_begin("simplifying");
    for (uint32_t i = 0; i < scene->clip_count && code == EXIT_DONE; ++i)
    {
        pelt_simplify_report found;
        pelt_result result = pelt_scene_simplify_clip(&clips[i], &found, scene,
                                                      (float)(limit * height), scene->arena);
        code = result == PELT_OK ? EXIT_DONE : message_memory();
        if (code == EXIT_DONE)
        {
            out->keys.keys_before += found.keys_before;
            out->keys.keys_after += found.keys_after;
            bool is_worst = found.error > out->keys.error;
            out->keys.error = is_worst ? found.error : out->keys.error;
        }
        progress_show((float)(i + 1) / (float)scene->clip_count);
    }
    progress_end();
    out->is_simplified = true;
    if (code == EXIT_DONE)
    {
        message_note_later("keys: %llu of %llu kept, vertices off by at most %.3g mm",
                           (unsigned long long)out->keys.keys_after,
                           (unsigned long long)out->keys.keys_before, 1e3 * out->keys.error);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// Weights

static int prune(export_report* out, pelt_scene* inout, const args* arguments)
{
    const pelt_prune_options options = {
        .max_influences = (uint32_t)args_number(arguments, "max-influences", 0.0f),
        .min_weight = args_number(arguments, "min-weight", 0.0f),
    };
    pelt_prune_report* report = &out->weights;
    if (pelt_scene_prune_weights(inout, report, &options, inout->arena) != PELT_OK)
    {
        return message_memory();
    }
    out->is_pruned = true;
    message_note_later("weights: %llu %s dropped at %llu %s, the strongest %.3g",
                       (unsigned long long)report->dropped_count,
                       message_plural(report->dropped_count, "influence", "influences"),
                       (unsigned long long)report->vertex_count,
                       message_plural(report->vertex_count, "vertex", "vertices"),
                       (double)report->largest);
    if (report->prepared_count > 0)
    {
        message_note_later("dropped the centers or factors of %u %s because weights changed; pelt "
                           "enhance computes new ones",
                           report->prepared_count,
                           message_plural(report->prepared_count, "mesh", "meshes"));
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------

int export_request_check(const args* arguments)
{
    double limit;
    bool is_relative;
    const arg_setting* trim = args_get(arguments, "trim");
    if (trim->is_set && !args_is_span(arguments, "trim"))
    {
        return message_usage("--trim needs a part, as in 0.5:2, not %s", trim->text);
    }
    return args_is_set(arguments, "simplify-keys") ? read_limit(&limit, &is_relative, arguments)
                                                   : EXIT_DONE;
}

int export_request_apply(export_report* out, pelt_scene* inout, const args* arguments)
{
    static const char* const of_clips[] = {"clip", "trim", "fps", "in-place", "simplify-keys"};
    static const char* const of_keys[] = {"trim", "fps", "in-place"};
    *out = (export_report){0};
    bool has_clips = false, has_keys = false;
    for (size_t i = 0; i < sizeof of_clips / sizeof of_clips[0]; ++i)
    {
        has_clips = has_clips || args_is_set(arguments, of_clips[i]);
    }
    for (size_t i = 0; i < sizeof of_keys / sizeof of_keys[0]; ++i)
    {
        has_keys = has_keys || args_is_set(arguments, of_keys[i]);
    }
    int code = has_clips ? choose_clips(inout, arguments) : EXIT_DONE;
    code = code == EXIT_DONE ? add_roots(inout, arguments) : code;
    pelt_clip* clips = (pelt_clip*)(uintptr_t)inout->clips; // made by choose_clips() or add_roots()
    code = code == EXIT_DONE && has_keys ? edit_clips(clips, inout, arguments) : code;
    if (code == EXIT_DONE && args_is_set(arguments, "simplify-keys"))
    {
        code = simplify_clips(out, clips, inout, arguments);
    }
    bool has_weights =
        args_is_set(arguments, "max-influences") || args_is_set(arguments, "min-weight");
    return code == EXIT_DONE && has_weights ? prune(out, inout, arguments) : code;
}

void export_report_describe(json_t* report, const export_report* in)
{
    json_t* keys =
        in->is_simplified
            ? json_pack("{s:I, s:I, s:o}", "before", (json_int_t)in->keys.keys_before, "after",
                        (json_int_t)in->keys.keys_after, "error", output_real(in->keys.error))
            : json_null();
    json_t* weights =
        in->is_pruned
            ? json_pack("{s:I, s:I, s:o, s:i}", "vertices", (json_int_t)in->weights.vertex_count,
                        "influences", (json_int_t)in->weights.dropped_count, "strongest",
                        output_float(in->weights.largest), "meshes", (int)in->weights.mesh_count)
            : json_null();
    json_object_set_new(report, "keys", keys);
    json_object_set_new(report, "weights", weights);
}
