// SPDX-License-Identifier: MIT
// The pictures of pelt demo: comparisons of the methods, as papers show them, and of what else
// makes characters look right.
#include "demo_pictures.h"

#include "demo_picture_list.h"
#include "demo_textures.h"
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

// A file under construction.
typedef struct demo_drawing
{
    const demo_picture* plan;
    const char* folder;
    pelt_gl* gl;
    method_renderer renderer;
    method_list how;
    pelt_scene* twisted; // of the present row
    pelt_bounds box;     // of all rows
    uint32_t count;      // of pictures and labels
    pelt_picture pictures[PANEL_MAX];
    char labels[PANEL_MAX][64];
} demo_drawing;

// ---------------------------------------------------------------------------------------------
// Twist joints

enum
{
    KEY_COUNT = 3, // at 180 degrees the shorter arc is undetermined
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

// The built-in human with twist joints along its left forearm, and one clip that rotates the hand
// by 180 degrees within a second.
static int create_twisted(pelt_scene** out, const pelt_scene* human, uint32_t count)
{
    // Twist joints follow clips, and the built-in ones rotate the whole body as well.
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

// Set up the renderer and measure the pose. The legend is made from it later.
static int begin_row(demo_drawing* inout, pelt_convention convention)
{
    const demo_picture* plan = inout->plan;
    method_renderer* renderer = &inout->renderer;
    choose_methods(&inout->how, plan, convention);
    renderer->how = &inout->how;
    renderer->view = plan->view;
    renderer->background = plan->background;
    int code = show_list_choose(&renderer->show, plan->show);
    if (code != EXIT_DONE)
    {
        return code;
    }
    inout->how.needs_factors = renderer->show.colors == SHOW_NORMAL_ERROR;
    if (plan->focus != NULL)
    {
        code = show_list_find_joint(&renderer->show.focus, plan->focus, renderer->scene);
        if (code != EXIT_DONE)
        {
            return code;
        }
    }
    code = method_renderer_create(renderer, inout->gl);
    if (code != EXIT_DONE)
    {
        return code;
    }
    TRY(method_renderer_measure(renderer, renderer->pose->time));
    pelt_bounds_add(&inout->box, &renderer->box.min, 1);
    pelt_bounds_add(&inout->box, &renderer->box.max, 1);
    return EXIT_DONE;
}

// One camera for all methods, and for poses that are shown next to each other.
static int draw_row(demo_drawing* inout, const char* note)
{
    const demo_picture* plan = inout->plan;
    method_renderer* renderer = &inout->renderer;
    panel_row row = {renderer, note, plan->width, plan->height};
    const pelt_bounds* box = plan->columns != 0 ? &inout->box : &renderer->box;
    pelt_camera camera =
        camera_view_make(renderer->view, box, (float)row.width / (float)row.height, 0, 1);
    int code = panel_row_draw(inout->pictures + inout->count, inout->labels + inout->count, &row,
                              renderer->pose->time, &camera);
    inout->count += inout->how.count;
    return code;
}

static int choose_pose(pose_request* out, const pelt_scene* scene, const demo_picture_row* row)
{
    *out = (pose_request){.time = row->time};
    if (row->clip != NULL)
    {
        out->clip = &scene->clips[pelt_scene_find_clip(scene, row->clip)];
    }
    else if (row->twist_count > 0)
    {
        out->clip = &scene->clips[0];
        out->time = out->clip->duration;
    }
    if (pelt_pose_create(&out->pose, scene) != PELT_OK)
    {
        return message_memory();
    }
    pelt_error error = {0};
    pelt_result result =
        row->pose != NULL
            ? pelt_overrides_parse(&out->overrides, &out->override_count, row->pose, scene, &error)
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

// Replace the current row by another.
static int change_row(demo_drawing* inout, const pelt_scene* scene, const demo_picture_row* row)
{
    end_row(inout);
    if (row->twist_count > 0)
    {
        int code = create_twisted(&inout->twisted, scene, row->twist_count);
        if (code != EXIT_DONE)
        {
            return code;
        }
    }
    pose_request* pose = inout->renderer.pose;
    inout->renderer =
        (method_renderer){.scene = inout->twisted != NULL ? inout->twisted : scene, .pose = pose};
    TRY(choose_pose(pose, inout->renderer.scene, row));
    return begin_row(inout, row->convention);
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

static void free_panels(demo_drawing* inout)
{
    for (uint32_t i = 0; i < PANEL_MAX; ++i)
    {
        pelt_picture_destroy(&inout->pictures[i]);
    }
}

static int draw_picture(const demo_picture* plan, const demo_pictures* in, const pelt_scene* scene,
                        pelt_gl* gl)
{
    pose_request pose = {0};
    demo_drawing drawing = {.plan = plan,
                            .folder = in->folder,
                            .gl = gl,
                            .renderer = {.pose = &pose},
                            .box = pelt_bounds_empty()};
    int code = EXIT_DONE;
    // With a common camera, all rows are measured before the first is drawn.
    for (uint32_t i = 0; plan->columns != 0 && i < plan->row_count; ++i)
    {
        code = change_row(&drawing, scene, &plan->rows[i]);
        if (code != EXIT_DONE)
        {
            goto cleanup;
        }
    }
    for (uint32_t i = 0; i < plan->row_count; ++i)
    {
        code = change_row(&drawing, scene, &plan->rows[i]);
        if (code != EXIT_DONE)
        {
            goto cleanup;
        }
        code = draw_row(&drawing, plan->rows[i].note);
        if (code != EXIT_DONE)
        {
            goto cleanup;
        }
    }
    code = save(&drawing);
cleanup:
    end_row(&drawing);
    free_panels(&drawing);
    return code;
}

static int draw_input(const demo_pictures* in, pelt_gl* gl)
{
    demo_drawing drawing = {
        .plan = &demo_picture_of_input,
        .folder = in->folder,
        .gl = gl,
        .renderer = {.scene = in->scene, .source = in->source, .pose = in->pose},
    };
    int code = begin_row(&drawing, PELT_CONVENTION_PELT);
    if (code != EXIT_DONE)
    {
        goto cleanup;
    }
    code = draw_row(&drawing, NULL);
    if (code != EXIT_DONE)
    {
        goto cleanup;
    }
    code = save(&drawing);
cleanup:
    method_renderer_destroy(&drawing.renderer);
    free_panels(&drawing);
    return code;
}

static bool is_chosen(const demo_pictures* in, const char* file)
{
    uint32_t i = 0;
    while (i < in->file_count && strcmp(in->files[i], file) != 0)
    {
        ++i;
    }
    return in->files == NULL || i < in->file_count;
}

static int draw_all(const demo_pictures* in, pelt_gl* gl)
{
    const demo_picture* pictures;
    uint32_t count = demo_picture_list(&pictures);
    const char* rig = NULL;
    pelt_scene* scene = NULL; // of the rig, which the pictures that follow each other share
    message_note("pictures in the same folder:");
    int code = in->scene != NULL ? draw_input(in, gl) : EXIT_DONE;
    for (uint32_t i = 0; code == EXIT_DONE && i < count; ++i)
    {
        if (!is_chosen(in, pictures[i].file))
        {
            continue;
        }
        if (rig == NULL || strcmp(rig, pictures[i].rig) != 0)
        {
            pelt_scene_destroy(scene);
            rig = pictures[i].rig;
            code = source_load_mesh(&scene, rig);
        }
        if (code == EXIT_DONE)
        {
            code = draw_picture(&pictures[i], in, scene, gl);
        }
    }
    pelt_scene_destroy(scene);
    return code == EXIT_DONE && in->files == NULL ? demo_textures_draw(in->folder) : code;
}

int demo_pictures_make(const demo_pictures* in)
{
    pelt_error error = {0};
    pelt_gl* gl;
    if (pelt_gl_create(&gl, PELT_GL_OFFSCREEN, &error) != PELT_OK)
    {
        message_note("no pictures, since OpenGL is not available: %s", error.message);
        return EXIT_DONE;
    }
    int code = draw_all(in, gl);
    pelt_gl_destroy(gl);
    return code;
}
