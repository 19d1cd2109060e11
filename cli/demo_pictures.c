// SPDX-License-Identifier: MIT
// The pictures of pelt demo: comparisons of the methods, as papers show them.
#include "demo_pictures.h"

#include "message.h"
#include "sheet.h"
#include "source.h"
#include "view.h"

enum
{
    ROW_MAX = 5,
    PANEL_MAX = ROW_MAX * PELT_METHOD_COUNT,
};

// A moment of a clip; a row of panels.
typedef struct demo_moment
{
    const char* clip;
    float time;       // seconds
    const char* note; // what the label says about it; NULL: nothing
} demo_moment;

// One file: moments from top to bottom, methods from left to right.
typedef struct demo_sheet
{
    const char* file;
    const char* rig;
    const char* methods;
    const char* show;
    view from;
    uint32_t width, height; // pixels of a panel
    pelt_color background;  // {0}: that of the library
    uint32_t columns;       // 0: one per method
    demo_moment moments[ROW_MAX];
} demo_sheet;

static const demo_sheet sheets[] = {
    // Le and Hodgins 2016, Figure 2.
    {.file = "bar.png",
     .rig = "rig:bar?vertices=1500", // few enough for the wire to show the twist
     .background = {243, 244, 246, 255},
     .methods = "lbs,lms,sbs,dqs,crs",
     .show = "wire",
     .from = VIEW_FRONT,
     .width = 200,
     .height = 150,
     .moments = {{"twist90", 1.0f, "90\u00b0 twist"},
                 {"twist135", 1.0f, "135\u00b0 twist"},
                 {"bend90", 1.0f, "90\u00b0 bend"},
                 {"bend120", 1.0f, "120\u00b0 bend"},
                 {"bend90_translate", 1.0f, "bend and move"}}},
    // Bittner et al. 2019, Figure 6.
    {.file = "cuboid.png",
     .rig = "rig:cuboid?vertices=9000",
     .methods = "lbs,dqs,crs",
     .show = "wire",
     .from = VIEW_FRONT,
     .background = {243, 244, 246, 255},
     .width = 360,
     .height = 400,
     .moments = {{"pose", 1.0f, NULL}}},
    {.file = "human.png",
     .rig = "rig:human",
     .methods = "lbs,dqs,crs",
     .show = "ground",
     .from = VIEW_SIDE,
     .width = 420,
     .height = 480,
     .moments = {{"extreme", 1.4f, NULL}}},
    {.file = "difference.png",
     .rig = "rig:human",
     .methods = "dqs,crs",
     .show = "ground,difference:lbs",
     .from = VIEW_SIDE,
     .width = 420,
     .height = 480,
     .moments = {{"extreme", 1.4f, NULL}}},
};

// A file in the making.
typedef struct demo_work
{
    const demo_sheet* plan;
    const char* folder;
    shot set;
    deforming how;
    uint32_t count; // of pictures and labels
    pelt_picture pictures[PANEL_MAX];
    char labels[PANEL_MAX][64];
} demo_work;

static void read_methods(deforming* out, const char* list)
{
    *out = (deforming){0};
    for (; *list != '\0'; list += list[3] == ',' ? 4 : 3)
    {
        char name[4] = {list[0], list[1], list[2], '\0'};
        deforming_add(out, &(pelt_deform_options){pelt_method_find(name), .mix = 0.5f});
    }
}

// Each row has a camera of its own, the same for all methods.
static int draw_row(demo_work* inout, float time, const char* note)
{
    shot* set = &inout->set;
    sheet row = {set, note, inout->plan->width, inout->plan->height};
    set->box = pelt_bounds_empty();
    int code = shot_survey(set, time);
    if (code != EXIT_DONE)
    {
        return code;
    }
    pelt_camera camera =
        view_camera(inout->plan->from, &set->box, (float)row.width / (float)row.height, 0, 1);
    code = sheet_draw(inout->pictures + inout->count, inout->labels + inout->count, &row, time,
                      &camera);
    inout->count += inout->how.count;
    return code;
}

static int save(demo_work* inout)
{
    char path[4096];
    pelt_error error = {0};
    pelt_picture whole = {0};
    snprintf(path, sizeof path, "%s/%s", inout->folder, inout->plan->file);
    uint32_t columns = inout->plan->columns != 0 ? inout->plan->columns : inout->how.count;
    int code =
        sheet_compose(&whole, inout->pictures, inout->labels, inout->count, columns, &inout->set);
    if (code == EXIT_DONE)
    {
        code = message_error(pelt_picture_save(path, &whole, "pelt " PELT_VERSION_STRING, &error),
                             &error);
    }
    pelt_picture_destroy(&whole);
    return code;
}

static int draw_moments(demo_work* inout)
{
    const pelt_scene* scene = inout->set.scene;
    int code = EXIT_DONE;
    for (uint32_t i = 0; code == EXIT_DONE && i < ROW_MAX; ++i)
    {
        const demo_moment* moment = &inout->plan->moments[i];
        if (moment->clip != NULL)
        {
            inout->set.pose->clip = &scene->clips[pelt_scene_find_clip(scene, moment->clip)];
            code = draw_row(inout, moment->time, moment->note);
        }
    }
    return code;
}

// Without moments in the sheet, the pose stays as it is.
static int draw_sheet(demo_work* inout, pelt_gl* gl)
{
    shot* set = &inout->set;
    read_methods(&inout->how, inout->plan->methods);
    set->how = &inout->how;
    set->from = inout->plan->from;
    set->background = inout->plan->background;
    int code = shown_choose(&set->show, inout->plan->show);
    code = code == EXIT_DONE ? shot_create(set, gl) : code;
    if (code != EXIT_DONE)
    {
        return code;
    }
    code = inout->plan->moments[0].clip != NULL ? draw_moments(inout)
                                                : draw_row(inout, set->pose->time, NULL);
    code = code == EXIT_DONE ? save(inout) : code;
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        pelt_picture_destroy(&inout->pictures[i]);
    }
    shot_destroy(set);
    return code;
}

static int draw_rig(const demo_sheet* plan, const char* folder, pelt_gl* gl)
{
    pelt_scene* scene;
    int code = source_load_mesh(&scene, plan->rig);
    if (code != EXIT_DONE)
    {
        return code;
    }
    posed pose = {0};
    demo_work work = {.plan = plan, .folder = folder, .set = {.scene = scene, .pose = &pose}};
    code =
        pelt_pose_create(&pose.pose, scene) == PELT_OK ? draw_sheet(&work, gl) : message_memory();
    posed_destroy(&pose);
    pelt_scene_destroy(scene);
    return code;
}

static int draw_input(const demo_pictures* in, pelt_gl* gl)
{
    static const demo_sheet of_input[] = {
        {.file = "input.png",
         .methods = "lbs,dqs,crs",
         .show = "ground",
         .width = 420,
         .height = 480},
    };
    demo_work work = {
        .plan = of_input,
        .folder = in->folder,
        .set = {.scene = in->scene, .source = in->source, .pose = in->pose},
    };
    return draw_sheet(&work, gl);
}

static int draw_all(const demo_pictures* in, pelt_gl* gl)
{
    int code = in->scene != NULL ? draw_input(in, gl) : EXIT_DONE;
    for (size_t i = 0; code == EXIT_DONE && i < sizeof sheets / sizeof sheets[0]; ++i)
    {
        code = draw_rig(&sheets[i], in->folder, gl);
    }
    if (code == EXIT_DONE)
    {
        message_note("pictures are there too: %sbar.png and cuboid.png (the toys of papers), "
                     "human.png, difference.png",
                     in->scene != NULL ? "input.png, " : "");
    }
    return code;
}

int demo_pictures_make(const demo_pictures* in)
{
    pelt_error error = {0};
    pelt_gl* gl;
    if (pelt_gl_create(&gl, PELT_GL_OFFSCREEN, &error) != PELT_OK)
    {
        message_note("there are no pictures, which need OpenGL: %s", error.message);
        return EXIT_DONE;
    }
    int code = draw_all(in, gl);
    pelt_gl_destroy(gl);
    return code;
}
