// SPDX-License-Identifier: MIT
// pelt render: a picture or an animation of a character.
#include "commands.h"
#include "method_frame.h"
#include "picture.h"
#include "render/render_job.h"
#include "requests/clip_request.h"
#include "source.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char* const skinning_names[] = {"cpu", "gpu", NULL};

static const arg_option options[] = {
    {.name = "method",
     .kind = ARG_TEXT,
     .value = "METHODS",
     .help = "skinning method; default that of the file, or else lbs; a list such as lbs,dqs,crs"
             " gives panels side by side; each one of",
     .choice_name = pelt_method_name,
     .choice_count = PELT_METHOD_COUNT},
    {.name = "normals",
     .kind = ARG_TEXT,
     .value = "RULES",
     .help = "how normals are computed: with constant weights, by the derivative of the method, by"
             " the formula of Tarini et al., or from the deformed triangles; default that of the"
             " convention; a list gives panels; each one of",
     .choice_name = method_list_normal_name,
     .choice_count = METHOD_LIST_RULE_MAX},
    {.name = "time",
     .kind = ARG_SPAN,
     .value = "SECONDS",
     .help =
         "time in the clip, or without --clip in the first in which anything moves; default 0; for"
         " an animation a part of it, A:B, default all"},
    {.name = "fps",
     .kind = ARG_NUMBER,
     .value = "N",
     .minimum = 1.0,
     .maximum = 240.0,
     .help = "frames per second of an animation; default 30"},
    {.name = "size",
     .kind = ARG_TEXT,
     .value = "WxH",
     .help = "pixels of one panel; default 960x720, smaller for several"},
    {.name = "view",
     .kind = ARG_CHOICE,
     .value = "VIEW",
     .choices = render_view_names,
     .help = "camera position; default three-quarter; orbit goes around once during an animation;"
             " one of"},
    {.name = "show",
     .kind = ARG_TEXT,
     .value = "LIST",
     .help = "what to draw: ground (default), wire, bones, bone-boxes, cors (centers of rotation),"
             " boxes, normals, facets, untextured, none, and as colors one of weights,"
             " weights:JOINT, difference:METHOD and normal-error"},
    {.name = "range",
     .kind = ARG_NUMBER,
     .value = "R",
     .minimum = 1e-6,
     .maximum = 1e6,
     .help = "end of the color scale: meters for difference, degrees for normal-error; default"
             " fitted to the picture"},
    {.name = "skinning",
     .kind = ARG_CHOICE,
     .value = "WHERE",
     .choices = skinning_names,
     .help = "where vertices are deformed; default cpu, as in pelt deform; gpu uses the shaders"
             " where they give the same result; one of"},
    {.name = "focus",
     .kind = ARG_TEXT,
     .value = "JOINT",
     .help = "frame the vertices that follow this joint, instead of everything"},
    {.name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .value = "FILE",
     .help = "file to write: .png for a picture, .webp for an animation, and a name with a number"
             " such as %04d.png for an animation as one picture per frame"},
    {0},
};

enum
{
    SIDE_MIN = 32,
    SIDE_MAX = 8192,
    FRAME_MAX = 20000,
    ORBIT_SECONDS = 4, // a rotation around a still character
};

typedef struct render_request
{
    const args* arguments;
    render_job job;
    method_list how;
    pose_request pose;
    pelt_scene* scene;
} render_request;

// ---------------------------------------------------------------------------------------------
// What the command line says before a file is read

static bool ends_with(const char* text, const char* ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length > tail && strcasecmp(text + length - tail, ending) == 0;
}

static int choose_file(render_job* out, const args* arguments)
{
    out->path = args_text(arguments, "output", NULL);
    if (out->path == NULL)
    {
        return message_usage("missing output file: give -o FILE.png or FILE.webp");
    }
    bool is_png = ends_with(out->path, ".png");
    if (!is_png && !ends_with(out->path, ".webp"))
    {
        return message_usage("%s does not end in .png or .webp", out->path);
    }
    bool is_animation = !is_png || strchr(out->path, '%') != NULL;
    out->rate = is_animation ? args_number(arguments, "fps", 30.0f) : 0.0f;
    return EXIT_DONE;
}

// Panels of several methods are meant to be shown next to each other.
static void default_size(render_job* out, uint32_t panel_count)
{
    static const uint32_t sizes[][2] = {{960, 720}, {720, 640}, {560, 600}, {440, 520}};
    uint32_t row = panel_count < 4 ? panel_count - 1 : 3;
    out->width = sizes[row][0];
    out->height = sizes[row][1];
}

static int choose_size(render_job* out, const args* arguments)
{
    const char* text = args_text(arguments, "size", NULL);
    uint32_t columns = method_list_columns(out->how), rows = out->how->count / columns;
    default_size(out, columns);
    if (text == NULL)
    {
        return EXIT_DONE;
    }
    unsigned long sides[2] = {0, 0};
    char* end = NULL;
    bool is_valid = text[0] >= '0' && text[0] <= '9';
    sides[0] = is_valid ? strtoul(text, &end, 10) : 0;
    is_valid = is_valid && (*end == 'x' || *end == 'X') && end[1] >= '0' && end[1] <= '9';
    sides[1] = is_valid ? strtoul(end + 1, &end, 10) : 0;
    if (!is_valid || *end != '\0')
    {
        return message_usage("--size needs two numbers as in 960x720, not \"%s\"", text);
    }
    for (int i = 0; i < 2; ++i)
    {
        if (sides[i] < SIDE_MIN || sides[i] > SIDE_MAX)
        {
            return message_usage("--size must be from %dx%d to %dx%d, not %s", SIDE_MIN, SIDE_MIN,
                                 SIDE_MAX, SIDE_MAX, text);
        }
    }
    out->width = (uint32_t)sides[0];
    out->height = (uint32_t)sides[1];
    // Checked before an hour of drawing, not after it.
    uint64_t width = (uint64_t)columns * sides[0], height = (uint64_t)rows * sides[1];
    if (width > PELT_PICTURE_MAX_SIDE || height > PELT_PICTURE_MAX_SIDE ||
        width * height > PELT_PICTURE_MAX_PIXELS)
    {
        return message_usage("--size %s with %u panels is too large: the limits are %u pixels "
                             "per side and %u million in all",
                             text, out->how->count, PELT_PICTURE_MAX_SIDE,
                             PELT_PICTURE_MAX_PIXELS / 1000000);
    }
    return EXIT_DONE;
}

// A picture shows one time and one view; an animation needs a clip or a camera that moves.
static int refuse_unfit(const render_job* in, const args* arguments)
{
    bool is_animation = in->rate > 0.0f;
    if (is_animation)
    {
        bool is_moment = args_is_set(arguments, "time") && !args_is_span(arguments, "time");
        return is_moment && in->view != VIEW_ORBIT
                   ? message_usage("--time %s is one moment; an animation needs a part of the "
                                   "clip, as in 0:1, or --view orbit",
                                   args_text(arguments, "time", ""))
                   : EXIT_DONE;
    }
    if (args_is_span(arguments, "time"))
    {
        return message_usage("--time %s is for an animation: give -o FILE.webp, or one moment",
                             args_text(arguments, "time", ""));
    }
    if (args_is_set(arguments, "fps") || in->view == VIEW_ORBIT)
    {
        return message_usage("--%s is for an animation: give -o FILE.webp, or leave it out",
                             args_is_set(arguments, "fps") ? "fps" : "view orbit");
    }
    if (args_is_set(arguments, "exact"))
    {
        return message_usage("--exact is for an animation: a picture is exact without it");
    }
    return EXIT_DONE;
}

static int choose_range(show_list* inout, const args* arguments)
{
    inout->range = args_number(arguments, "range", 0.0f);
    bool is_angle = inout->colors == SHOW_NORMAL_ERROR;
    if (inout->range > 0.0f && !is_angle && inout->colors != SHOW_DIFFERENCE)
    {
        return message_usage("--range goes with --show difference:METHOD or --show normal-error");
    }
    return is_angle && inout->range > 180.0f
               ? message_usage("--range is an angle of at most 180 degrees for normal-error, not "
                               "%s",
                               args_text(arguments, "range", ""))
               : EXIT_DONE;
}

// Recomputed normals have no error, by definition.
static int choose_normals(method_list* inout, const show_list* show)
{
    inout->needs_factors = show->colors == SHOW_NORMAL_ERROR;
    for (uint32_t i = 0; inout->needs_factors && i < inout->rule_count; ++i)
    {
        if (method_list_is_recomputed(inout, i))
        {
            return message_usage("--show normal-error compares with recomputed normals; choose "
                                 "other rules with --normals");
        }
    }
    return EXIT_DONE;
}

static int choose(render_request* inout)
{
    const args* arguments = inout->arguments;
    render_job* job = &inout->job;
    job->view = (camera_view)args_choice(arguments, "view");
    job->is_skinned_on_gpu = args_choice(arguments, "skinning") == 1;
    job->how = &inout->how;
    job->pose = &inout->pose;
    TRY(choose_file(job, arguments));
    TRY(show_list_choose(&job->show, args_text(arguments, "show", NULL)));
    TRY(choose_range(&job->show, arguments));
    TRY(method_list_choose(&inout->how, arguments, show_list_methods(&job->show)));
    TRY(choose_normals(&inout->how, &job->show));
    TRY(choose_size(job, arguments));
    return refuse_unfit(job, arguments);
}

// ---------------------------------------------------------------------------------------------
// What it says about the scene

// An animation without --clip is that of the default clip; a rotation needs none.
static int choose_clip(render_request* inout)
{
    render_job* job = &inout->job;
    bool needs_clip = job->rate > 0.0f && job->view != VIEW_ORBIT && inout->pose.clip == NULL;
    if (!needs_clip)
    {
        return EXIT_DONE;
    }
    if (inout->scene->clip_count == 0)
    {
        return message_usage("an animation needs a clip, and the input has none; "
                             "--view orbit circles the character instead");
    }
    pose_request_choose_default(&inout->pose, inout->scene);
    return EXIT_DONE;
}

static int choose_frames(render_request* inout)
{
    render_job* job = &inout->job;
    const arg_setting* time = args_get(inout->arguments, "time");
    job->start = inout->pose.time;
    job->frame_count = 1;
    job->is_exact = job->rate == 0.0f || args_is_set(inout->arguments, "exact");
    if (job->rate == 0.0f)
    {
        return EXIT_DONE;
    }
    job->is_still = inout->pose.clip == NULL || (time->is_set && time->number == time->end);
    double duration = job->is_still  ? ORBIT_SECONDS
                      : time->is_set ? time->end - time->number
                                     : (double)inout->pose.clip->duration;
    if (!job->is_still && time->end > (double)inout->pose.clip->duration &&
        inout->pose.wrap == PELT_WRAP_CLAMP)
    {
        message_note("clip %s ends at %g s: its last frame is held; --wrap loop repeats it",
                     inout->pose.clip->name, (double)inout->pose.clip->duration);
    }
    // The last frame is before the end of the clip, so that a looping clip repeats without a pause.
    double count = fmax(1.0, round(duration * (double)job->rate));
    if (count > FRAME_MAX)
    {
        return message_usage("that makes %.0f frames, more than %d; choose a part of the clip with "
                             "--time A:B, or a lower --fps",
                             count, FRAME_MAX);
    }
    job->frame_count = (uint32_t)count;
    return EXIT_DONE;
}

// Joints by their names, and meshes with normals where these are shown.
static int find_shown(show_list* inout, const args* arguments, pelt_scene* scene)
{
    const char* focus = args_text(arguments, "focus", NULL);
    if (focus != NULL)
    {
        TRY(show_list_find_joint(&inout->focus, focus, scene));
    }
    if (inout->colors == SHOW_WEIGHTS)
    {
        return show_list_find_joint(&inout->node, inout->joint, scene);
    }
    if (inout->colors == SHOW_JOINTS && scene->skin_count == 0)
    {
        message_note("--show weights needs a skin; the input has none");
        return EXIT_INPUT;
    }
    return inout->colors == SHOW_NORMAL_ERROR ? show_list_prepare_normals(scene) : EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------

static int draw(render_request* inout)
{
    render_report report;
    output summary = {0};
    inout->job.summary = args_is_set(inout->arguments, "json") ? &summary : NULL;
    TRY(output_discard_on(&summary, render_job_run(&report, &inout->job)));
    render_report_note(&report, &inout->job);
    return output_deliver(&summary);
}

static int render_scene(render_request* inout)
{
    const pelt_scene* scene = inout->scene;
    inout->job.scene = scene;
    TRY(method_list_settle(&inout->how, inout->arguments, show_list_methods(&inout->job.show),
                           scene));
    TRY(pose_request_choose(&inout->pose, scene, inout->arguments));
    TRY(choose_clip(inout));
    TRY(choose_frames(inout));
    TRY(find_shown(&inout->job.show, inout->arguments, inout->scene));
    TRY(pose_request_create(&inout->pose, scene, inout->arguments));
    int code = draw(inout);
    pose_request_destroy(&inout->pose);
    return code;
}

static int run(const args* arguments)
{
    const char* input = arguments->operands[0];
    render_request request = {.arguments = arguments, .job.input = input};
    request.job.source = strncmp(input, "rig:", 4) != 0 ? input : NULL;
    TRY(choose(&request));
    TRY(source_load_mesh(&request.scene, input));
    int code = clip_request_add(NULL, request.scene, arguments);
    code = code == EXIT_DONE ? render_scene(&request) : code;
    pelt_scene_destroy(request.scene);
    return code;
}

const args_command cmd_render = {
    .name = "render",
    .summary = "draw a picture or an animation of a character",
    .operands = "INPUT",
    .description =
        "Draws the character in the pose given by --clip, --time and --pose, default the stored\n"
        "pose, with OpenGL and without a window. A .png file is a picture, a .webp file an\n"
        "animation of the clip. Several methods give panels side by side. One camera has all\n"
        "panels and frames in view.",
    .example = "pelt render rig:human --clip twist --time 1 --method lbs,dqs,crs -o twist.png",
    .min_operands = 1,
    .max_operands = 1,
    .tables = {options, method_frame_exact, pose_request_options, clip_request_options,
               method_list_options, cor_request_options, ddm_request_options, args_common},
    .run = run,
};
