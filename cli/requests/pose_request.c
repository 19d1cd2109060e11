// SPDX-License-Identifier: MIT
// The pose of a command: --clip, --time, --wrap and --pose.
#include "pose_request.h"

#include "output.h"
#include "pelt/io.h"
#include "source.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

const arg_option pose_request_options[] = {
    {.name = "clip", .kind = ARG_TEXT, .value = "NAME", .help = "animation clip to sample"},
    {.name = "wrap",
     .kind = ARG_CHOICE,
     .value = "RULE",
     .choice_name = pelt_wrap_name,
     .choice_count = PELT_WRAP_COUNT,
     .help = "how to sample outside the duration of the clip; default clamp; one of"},
    {.name = "pose",
     .kind = ARG_TEXT,
     .value = "JSON",
     .help = "changes to joints on top of that, as JSON or @FILE, such as"
             " {\"elbow\": {\"axis\": [0, 0, 1], \"degrees\": 90}}"},
    {0},
};

const arg_option pose_request_moment[] = {
    {.name = "time",
     .kind = ARG_NUMBER,
     .value = "SECONDS",
     .help = "time in the clip, or without --clip in the first in which anything moves; default 0"},
    {0},
};

int pose_request_find_clip(uint32_t* out, const pelt_scene* scene, const char* name)
{
    enum
    {
        MOST = 256,
    };
    *out = pelt_scene_find_clip(scene, name);
    if (*out != PELT_NONE)
    {
        return EXIT_DONE;
    }
    const char* names[MOST];
    uint32_t count = scene->clip_count < MOST ? scene->clip_count : MOST;
    for (uint32_t i = 0; i < count; ++i)
    {
        names[i] = scene->clips[i].name;
    }
    return args_unknown_name("clip", name, names, count);
}

void pose_request_choose_default(pose_request* inout, const pelt_scene* scene)
{
    uint32_t clip = pelt_scene_default_clip(scene);
    inout->clip = &scene->clips[clip];
    message_note("no --clip given: using %s, the first clip%s", inout->clip->name,
                 clip > 0 ? " in which anything moves" : "");
}

int pose_request_choose(pose_request* out, const pelt_scene* scene, const args* arguments)
{
    *out = (pose_request){
        .time = args_number(arguments, "time", 0.0f),
        .wrap = (pelt_wrap)args_choice(arguments, "wrap"),
    };
    const char* name = args_text(arguments, "clip", NULL);
    if (name != NULL)
    {
        uint32_t clip;
        TRY(pose_request_find_clip(&clip, scene, name));
        out->clip = &scene->clips[clip];
    }
    else if (args_is_set(arguments, "time"))
    {
        if (scene->clip_count == 0)
        {
            return message_usage("--time needs a clip, and the input has none");
        }
        pose_request_choose_default(out, scene);
    }
    if (args_is_set(arguments, "wrap") && out->clip == NULL)
    {
        return message_usage("--wrap needs --clip or --time");
    }
    bool is_outside = out->clip != NULL && (out->time < 0.0f || out->time > out->clip->duration);
    if (is_outside && out->wrap == PELT_WRAP_CLAMP)
    {
        message_note("time %g s is outside clip %s, which lasts %g s: using the nearest frame",
                     (double)out->time, out->clip->name, (double)out->clip->duration);
    }
    return EXIT_DONE;
}

static int parse_overrides(pose_request* inout, const pelt_scene* scene, const char* json)
{
    pelt_error error = {0};
    pelt_result result =
        pelt_overrides_parse(&inout->overrides, &inout->override_count, json, scene, &error);
    return message_error(result, &error);
}

static int read_overrides(pose_request* inout, const pelt_scene* scene, const char* value)
{
    if (value[0] != '@')
    {
        return parse_overrides(inout, scene, value);
    }
    char* text;
    int code = source_read_text(&text, value + 1);
    if (code == EXIT_DONE)
    {
        code = parse_overrides(inout, scene, text);
    }
    free(text);
    return code;
}

void pose_request_sample(pose_request* inout, const pelt_scene* scene, float time)
{
    inout->time = time;
    if (inout->clip != NULL)
    {
        pelt_pose_play(&inout->pose, &inout->cursor, scene, inout->clip, time, inout->wrap);
    }
    else
    {
        pelt_pose_rest(&inout->pose, scene);
    }
    if (inout->override_count > 0)
    {
        pelt_pose_override(&inout->pose, scene, inout->overrides, inout->override_count);
    }
}

int pose_request_create(pose_request* inout, const pelt_scene* scene, const args* arguments)
{
    if (pelt_pose_create(&inout->pose, scene) != PELT_OK ||
        pelt_cursor_create(&inout->cursor, scene) != PELT_OK)
    {
        pose_request_destroy(inout);
        return message_memory();
    }
    const char* changes = args_text(arguments, "pose", NULL);
    bool is_taken = arguments->operand_count > 0 && strcmp(arguments->operands[0], "-") == 0;
    if (is_taken && changes != NULL && strcmp(changes, "@-") == 0)
    {
        pose_request_destroy(inout);
        return message_usage("the input and --pose @- both need the standard input");
    }
    int code = changes != NULL ? read_overrides(inout, scene, changes) : EXIT_DONE;
    if (code != EXIT_DONE)
    {
        pose_request_destroy(inout);
        return code;
    }
    pose_request_sample(inout, scene, inout->time);
    return EXIT_DONE;
}

void pose_request_destroy(pose_request* in)
{
    pelt_pose_destroy(&in->pose);
    pelt_cursor_destroy(&in->cursor);
    pelt_release(in->overrides);
    *in = (pose_request){0};
}

void pose_request_describe(json_t* report, const pose_request* in)
{
    json_object_set_new(report, "clip", output_string(in->clip != NULL ? in->clip->name : NULL));
    json_object_set_new(report, "time", in->clip != NULL ? output_float(in->time) : json_null());
    json_object_set_new(report, "overrides", json_integer(in->override_count));
}
