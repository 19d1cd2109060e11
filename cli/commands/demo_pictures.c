// SPDX-License-Identifier: MIT
// The pictures of pelt demo: comparisons of the methods, as papers show them, and of what else
// makes characters look right.
#include "demo_pictures.h"

#include "demo_sheets.h"
#include "demo_twist.h"
#include "message.h"
#include "pelt/io.h"
#include "render/sheet.h"
#include "source.h"

#include <string.h>

enum
{
    PANEL_MAX = DEMO_ROW_MAX * METHOD_LIST_MAX,
};

// The last rig that was built: many files show the same.
typedef struct demo_stock
{
    const char* rig;
    pelt_scene* scene;
} demo_stock;

// A file in the making.
typedef struct demo_work
{
    const demo_sheet* plan;
    const char* folder;
    pelt_gl* gl;
    shot set;
    method_list how;
    pelt_scene* twisted; // of the present row
    pelt_bounds box;     // of all moments
    uint32_t count;      // of pictures and labels
    pelt_picture pictures[PANEL_MAX];
    char labels[PANEL_MAX][64];
} demo_work;

static int take_rig(demo_stock* inout, const char* rig)
{
    if (inout->rig != NULL && strcmp(inout->rig, rig) == 0)
    {
        return EXIT_DONE;
    }
    pelt_scene_destroy(inout->scene);
    *inout = (demo_stock){0};
    int code = source_load_mesh(&inout->scene, rig);
    inout->rig = code == EXIT_DONE ? rig : NULL;
    return code;
}

// ---------------------------------------------------------------------------------------------
// A row

static void choose_methods(method_list* out, const demo_sheet* plan, pelt_convention convention)
{
    *out = (method_list){.rule_count = plan->rule_count};
    memcpy(out->rules, plan->rules, sizeof out->rules);
    for (const char* list = plan->methods; *list != '\0'; list += list[3] == ',' ? 4 : 3)
    {
        char name[4] = {list[0], list[1], list[2], '\0'};
        pelt_deform_options how = {pelt_method_find(name), .mix = 0.5f};
        pelt_convention_apply(&how, convention);
        method_list_add(out, &how);
    }
}

static int choose_sight(demo_work* inout)
{
    shot* set = &inout->set;
    const char* focus = inout->plan->focus;
    int code = show_list_choose(&set->show, inout->plan->show);
    inout->how.needs_factors = set->show.colors == SHOW_NORMAL_ERROR;
    return code == EXIT_DONE && focus != NULL
               ? show_list_find_joint(&set->show.focus, focus, set->scene)
               : code;
}

// The shot stays, as the legend is made from it.
static int begin_row(demo_work* inout, pelt_convention convention)
{
    shot* set = &inout->set;
    choose_methods(&inout->how, inout->plan, convention);
    set->how = &inout->how;
    set->from = inout->plan->from;
    set->background = inout->plan->background;
    int code = choose_sight(inout);
    code = code == EXIT_DONE ? shot_create(set, inout->gl) : code;
    code = code == EXIT_DONE ? shot_survey(set, set->pose->time) : code;
    if (code == EXIT_DONE)
    {
        pelt_bounds_add(&inout->box, &set->box.min, 1);
        pelt_bounds_add(&inout->box, &set->box.max, 1);
    }
    return code;
}

// One camera for all methods, and for moments that stand beside each other.
static int draw_row(demo_work* inout, const char* note)
{
    const demo_sheet* plan = inout->plan;
    shot* set = &inout->set;
    sheet row = {set, note, plan->width, plan->height};
    const pelt_bounds* box = plan->columns != 0 ? &inout->box : &set->box;
    pelt_camera camera = view_camera(set->from, box, (float)row.width / (float)row.height, 0, 1);
    int code = sheet_draw(inout->pictures + inout->count, inout->labels + inout->count, &row,
                          set->pose->time, &camera);
    inout->count += inout->how.count;
    return code;
}

static int pose_moment(pose_request* out, const pelt_scene* scene, const demo_moment* moment)
{
    *out = (pose_request){.time = moment->time};
    if (moment->clip != NULL)
    {
        out->clip = &scene->clips[pelt_scene_find_clip(scene, moment->clip)];
    }
    else if (moment->twist_count > 0)
    {
        out->clip = &scene->clips[0];
        out->time = out->clip->duration;
    }
    if (pelt_pose_create(&out->pose, scene) != PELT_OK)
    {
        return message_memory();
    }
    pelt_error error = {0};
    pelt_result result = moment->pose != NULL
                             ? pelt_overrides_parse(&out->overrides, &out->override_count,
                                                    moment->pose, scene, &error)
                             : PELT_OK;
    return message_error(result, &error);
}

static void end_row(demo_work* inout)
{
    shot_destroy(&inout->set);
    pose_request_destroy(inout->set.pose);
    pelt_scene_destroy(inout->twisted);
    inout->twisted = NULL;
}

static int begin_moment(demo_work* inout, const pelt_scene* scene, const demo_moment* moment)
{
    end_row(inout);
    int code = moment->twist_count > 0
                   ? demo_twist_create(&inout->twisted, scene, moment->twist_count)
                   : EXIT_DONE;
    pose_request* pose = inout->set.pose;
    inout->set = (shot){.scene = inout->twisted != NULL ? inout->twisted : scene, .pose = pose};
    code = code == EXIT_DONE ? pose_moment(pose, inout->set.scene, moment) : code;
    return code == EXIT_DONE ? begin_row(inout, moment->convention) : code;
}

// ---------------------------------------------------------------------------------------------
// A file

static int save(demo_work* inout)
{
    char path[4096];
    pelt_error error = {0};
    pelt_picture whole = {0};
    const demo_sheet* plan = inout->plan;
    snprintf(path, sizeof path, "%s/%s", inout->folder, plan->file);
    uint32_t columns = plan->columns != 0 ? plan->columns : inout->how.count;
    int code =
        sheet_compose(&whole, inout->pictures, inout->labels, inout->count, columns, &inout->set);
    if (code == EXIT_DONE)
    {
        code = message_error(pelt_picture_save(path, &whole, "pelt " PELT_VERSION_STRING, &error),
                             &error);
    }
    pelt_picture_destroy(&whole);
    if (code == EXIT_DONE)
    {
        message_note("%s: %s", plan->file, plan->about);
    }
    return code;
}

static void free_pictures(demo_work* inout)
{
    for (uint32_t i = 0; i < PANEL_MAX; ++i)
    {
        pelt_picture_destroy(&inout->pictures[i]);
    }
}

static int draw_sheet(const demo_sheet* plan, const demo_pictures* in, const pelt_scene* scene,
                      pelt_gl* gl)
{
    pose_request pose = {0};
    demo_work work = {.plan = plan,
                      .folder = in->folder,
                      .gl = gl,
                      .set = {.pose = &pose},
                      .box = pelt_bounds_empty()};
    int code = EXIT_DONE;
    for (uint32_t i = 0; code == EXIT_DONE && plan->columns != 0 && i < plan->moment_count; ++i)
    {
        code = begin_moment(&work, scene, &plan->moments[i]);
    }
    for (uint32_t i = 0; code == EXIT_DONE && i < plan->moment_count; ++i)
    {
        code = begin_moment(&work, scene, &plan->moments[i]);
        code = code == EXIT_DONE ? draw_row(&work, plan->moments[i].note) : code;
    }
    code = code == EXIT_DONE ? save(&work) : code;
    end_row(&work);
    free_pictures(&work);
    return code;
}

static int draw_input(const demo_pictures* in, pelt_gl* gl)
{
    demo_work work = {
        .plan = &demo_sheet_of_input,
        .folder = in->folder,
        .gl = gl,
        .set = {.scene = in->scene, .source = in->source, .pose = in->pose},
    };
    int code = begin_row(&work, PELT_CONVENTION_PELT);
    code = code == EXIT_DONE ? draw_row(&work, NULL) : code;
    code = code == EXIT_DONE ? save(&work) : code;
    shot_destroy(&work.set);
    free_pictures(&work);
    return code;
}

static int draw_all(const demo_pictures* in, pelt_gl* gl)
{
    const demo_sheet* sheets;
    uint32_t count = demo_sheet_list(&sheets);
    demo_stock stock = {0};
    message_note("pictures are there too:");
    int code = in->scene != NULL ? draw_input(in, gl) : EXIT_DONE;
    for (uint32_t i = 0; code == EXIT_DONE && i < count; ++i)
    {
        code = take_rig(&stock, sheets[i].rig);
        code = code == EXIT_DONE ? draw_sheet(&sheets[i], in, stock.scene, gl) : code;
    }
    pelt_scene_destroy(stock.scene);
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
