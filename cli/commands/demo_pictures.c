// SPDX-License-Identifier: MIT
// The pictures of pelt demo: comparisons of the methods, as papers show them, and of what else
// makes characters look right.
#include "demo_pictures.h"

#include "demo_picture_list.h"
#include "pelt/io.h"
#include "pelt/prepare.h"
#include "render/panel_grid.h"
#include "source.h"
#include "terminal.h"

#include <string.h>

enum
{
    PANEL_MAX = DEMO_ROW_MAX * METHOD_LIST_MAX,
};

// The last rig that was built: many files show the same.
typedef struct demo_rig
{
    const char* rig;
    pelt_scene* scene;
} demo_rig;

// A file in the making.
typedef struct demo_drawing
{
    const demo_picture* plan;
    const char* folder;
    pelt_gl* gl;
    method_renderer renderer;
    method_list how;
    pelt_scene* twisted; // of the present row
    pelt_bounds box;     // of all moments
    uint32_t count;      // of pictures and labels
    pelt_picture pictures[PANEL_MAX];
    char labels[PANEL_MAX][64];
} demo_drawing;

static int take_rig(demo_rig* inout, const char* rig)
{
    if (inout->rig != NULL && strcmp(inout->rig, rig) == 0)
    {
        return EXIT_DONE;
    }
    pelt_scene_destroy(inout->scene);
    *inout = (demo_rig){0};
    int code = source_load_mesh(&inout->scene, rig);
    inout->rig = code == EXIT_DONE ? rig : NULL;
    return code;
}

// ---------------------------------------------------------------------------------------------
// Twist joints

enum
{
    KEY_COUNT = 3, // at half a turn a shorter arc would not know which way
};

// Keys of a hand that rolls, about the bone that it ends.
static void write_keys(float* values, pelt_quat rest)
{
    for (int i = 0; i < KEY_COUNT; ++i)
    {
        float angle = PELT_PI * (float)i / (KEY_COUNT - 1);
        pelt_quat roll = pelt_quat_axis_angle(pelt_vec3_make(1.0f, 0.0f, 0.0f), angle);
        pelt_quat key = pelt_quat_mul(rest, roll);
        values[4 * i + 0] = key.x;
        values[4 * i + 1] = key.y;
        values[4 * i + 2] = key.z;
        values[4 * i + 3] = key.w;
    }
}

// The built-in human with twist joints along its left forearm, and one clip that turns the hand by
// half a turn within a second.
static int create_twisted(pelt_scene** out, const pelt_scene* human, uint32_t count)
{
    // Twist joints follow clips, and the built-in ones turn the whole body as well.
    static const float times[KEY_COUNT] = {0.0f, 0.5f, 1.0f};
    float values[KEY_COUNT * 4];
    uint32_t hand = pelt_scene_find_node(human, "hand_l");
    write_keys(values, human->nodes[hand].rest.rotation);
    pelt_track track = {.target = hand,
                        .path = PELT_PATH_ROTATION,
                        .key_count = KEY_COUNT,
                        .width = 4,
                        .times = times,
                        .values = values};
    pelt_clip clip = {.name = "roll", .duration = 1.0f, .track_count = 1, .tracks = &track};
    pelt_scene scene = *human;
    scene.clip_count = 1;
    scene.clips = &clip;

    pelt_error error = {0};
    pelt_twist request = {pelt_scene_find_node(human, "forearm_l"), count, PELT_TWIST_CHILD};
    pelt_twist_options options = {.twist_count = 1, .twists = &request};
    return message_error(pelt_twist_add(out, &scene, &options, NULL, &error), &error);
}

// ---------------------------------------------------------------------------------------------
// A row

static void choose_methods(method_list* out, const demo_picture* plan, pelt_convention convention)
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

static int choose_sight(demo_drawing* inout)
{
    method_renderer* renderer = &inout->renderer;
    const char* focus = inout->plan->focus;
    int code = show_list_choose(&renderer->show, inout->plan->show);
    inout->how.needs_factors = renderer->show.colors == SHOW_NORMAL_ERROR;
    return code == EXIT_DONE && focus != NULL
               ? show_list_find_joint(&renderer->show.focus, focus, renderer->scene)
               : code;
}

// The shot stays, as the legend is made from it.
static int begin_row(demo_drawing* inout, pelt_convention convention)
{
    method_renderer* renderer = &inout->renderer;
    choose_methods(&inout->how, inout->plan, convention);
    renderer->how = &inout->how;
    renderer->from = inout->plan->from;
    renderer->background = inout->plan->background;
    int code = choose_sight(inout);
    code = code == EXIT_DONE ? method_renderer_create(renderer, inout->gl) : code;
    code = code == EXIT_DONE ? method_renderer_measure(renderer, renderer->pose->time) : code;
    if (code == EXIT_DONE)
    {
        pelt_bounds_add(&inout->box, &renderer->box.min, 1);
        pelt_bounds_add(&inout->box, &renderer->box.max, 1);
    }
    return code;
}

// One camera for all methods, and for moments that stand beside each other.
static int draw_row(demo_drawing* inout, const char* note)
{
    const demo_picture* plan = inout->plan;
    method_renderer* renderer = &inout->renderer;
    panel_row row = {renderer, note, plan->width, plan->height};
    const pelt_bounds* box = plan->columns != 0 ? &inout->box : &renderer->box;
    pelt_camera camera =
        camera_view_place(renderer->from, box, (float)row.width / (float)row.height, 0, 1);
    int code = panel_row_draw(inout->pictures + inout->count, inout->labels + inout->count, &row,
                              renderer->pose->time, &camera);
    inout->count += inout->how.count;
    return code;
}

static int pose_moment(pose_request* out, const pelt_scene* scene, const demo_picture_row* moment)
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

static void end_row(demo_drawing* inout)
{
    method_renderer_destroy(&inout->renderer);
    pose_request_destroy(inout->renderer.pose);
    pelt_scene_destroy(inout->twisted);
    inout->twisted = NULL;
}

static int begin_moment(demo_drawing* inout, const pelt_scene* scene,
                        const demo_picture_row* moment)
{
    end_row(inout);
    int code = moment->twist_count > 0 ? create_twisted(&inout->twisted, scene, moment->twist_count)
                                       : EXIT_DONE;
    pose_request* pose = inout->renderer.pose;
    inout->renderer =
        (method_renderer){.scene = inout->twisted != NULL ? inout->twisted : scene, .pose = pose};
    code = code == EXIT_DONE ? pose_moment(pose, inout->renderer.scene, moment) : code;
    return code == EXIT_DONE ? begin_row(inout, moment->convention) : code;
}

// ---------------------------------------------------------------------------------------------
// A file

static int save(demo_drawing* inout)
{
    char path[4096];
    pelt_error error = {0};
    pelt_picture whole = {0};
    const demo_picture* plan = inout->plan;
    snprintf(path, sizeof path, "%s/%s", inout->folder, plan->file);
    uint32_t columns = plan->columns != 0 ? plan->columns : inout->how.count;
    int code = panel_grid_compose(&whole, inout->pictures, inout->labels, inout->count, columns,
                                  &inout->renderer);
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

static void free_pictures(demo_drawing* inout)
{
    for (uint32_t i = 0; i < PANEL_MAX; ++i)
    {
        pelt_picture_destroy(&inout->pictures[i]);
    }
}

static int draw_sheet(const demo_picture* plan, const demo_pictures* in, const pelt_scene* scene,
                      pelt_gl* gl)
{
    pose_request pose = {0};
    demo_drawing work = {.plan = plan,
                         .folder = in->folder,
                         .gl = gl,
                         .renderer = {.pose = &pose},
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
    demo_drawing work = {
        .plan = &demo_picture_of_input,
        .folder = in->folder,
        .gl = gl,
        .renderer = {.scene = in->scene, .source = in->source, .pose = in->pose},
    };
    int code = begin_row(&work, PELT_CONVENTION_PELT);
    code = code == EXIT_DONE ? draw_row(&work, NULL) : code;
    code = code == EXIT_DONE ? save(&work) : code;
    method_renderer_destroy(&work.renderer);
    free_pictures(&work);
    return code;
}

static int draw_all(const demo_pictures* in, pelt_gl* gl)
{
    const demo_picture* sheets;
    uint32_t count = demo_picture_list(&sheets);
    demo_rig stock = {0};
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
