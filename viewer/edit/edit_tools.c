// SPDX-License-Identifier: MIT
#include "edit_tools.h"

#include "gizmo.h"

#include <stdio.h>
#include <string.h>

static const char* const ring_names[POSE_AXIS_COUNT] = {"twist", "bend", "side"};

// ---------------------------------------------------------------------------------------------
// Changes, and undo

static void record(edit_state* inout, edit_kind kind)
{
    if (inout->history_count == EDIT_HISTORY_MAX)
    {
        --inout->history_count;
        memmove(inout->history, inout->history + 1, inout->history_count * sizeof *inout->history);
    }
    inout->history[inout->history_count++] = kind;
}

void edit_tools_pick(view_app* inout, uint32_t node)
{
    inout->tools.is_joint_picked = node != PELT_NONE;
    inout->joint = node != PELT_NONE ? node : inout->joint;
    inout->tools.is_list_scrolled = node != PELT_NONE;
}

void edit_tools_remember(view_app* inout)
{
    pose_edit_remember(&inout->edit, inout->joint);
    record(&inout->tools, EDIT_POSE);
}

// Show what was painted. Textures are baked again when a stroke has ended.
static void update_weights(view_app* inout, bool is_final)
{
    pelt_error error = {0};
    if (model_update_weights(inout->model, is_final, &error) != PELT_OK)
    {
        app_fail(inout, error.message);
    }
    if (is_final)
    {
        app_forget_bakes(inout);
    }
}

bool edit_tools_hold_weights(const view_app* in)
{
    bool is_stroke = in->tools.is_painting && in->tools.target == BRUSH_WEIGHTS;
    return is_stroke || in->tools.is_waiting;
}

// Weights may change while no job reads them; one that does is canceled, and starts again later.
static bool may_edit_weights(view_app* inout)
{
    view_job* job = &inout->job;
    bool is_reading = job->kind == JOB_SOLVE || job->kind == JOB_BAKE || job->kind == JOB_MEASURE ||
                      job->kind == JOB_PROFILE || job->kind == JOB_EXAMINE;
    inout->tools.is_waiting = is_reading;
    if (is_reading)
    {
        atomic_store(&job->is_canceled, true);
    }
    return !is_reading;
}

static bool undo_weights(view_app* inout)
{
    view_model* model = inout->model;
    if (model == NULL || !weight_brush_undo(&model->weight_brush, &model->mask, &model->weights))
    {
        return false;
    }
    update_weights(inout, true);
    return true;
}

// @return false: there was nothing
static bool undo_one(view_app* inout, edit_kind kind)
{
    view_model* model = inout->model;
    switch (kind)
    {
    case EDIT_POSE:
        return pose_edit_undo(&inout->edit);
    case EDIT_MIX:
        return model != NULL && mix_brush_undo(&model->mix_brush, &model->mask, &model->mix);
    case EDIT_WEIGHTS:
        return undo_weights(inout);
    }
    return false;
}

void edit_tools_undo(view_app* inout)
{
    edit_state* tools = &inout->tools;
    bool is_done = false;
    while (!is_done && tools->history_count > 0)
    {
        edit_kind kind = tools->history[tools->history_count - 1];
        if (kind == EDIT_WEIGHTS && (tools->is_painting || !may_edit_weights(inout)))
        {
            ++tools->undo_waiting;
            return;
        }
        --tools->history_count;
        is_done = undo_one(inout, kind);
    }
}

void edit_tools_clear_paint(view_app* inout)
{
    view_model* model = inout->model;
    if (mix_brush_clear(&model->mix_brush, &model->mask, &model->mix, model->character->scene))
    {
        record(&inout->tools, EDIT_MIX);
    }
}

static void update_colors(view_app* inout)
{
    static const int shown[BRUSH_COUNT] = {
        [BRUSH_MIX] = COLORS_MIX, [BRUSH_WEIGHTS] = COLORS_WEIGHTS};
    edit_state* tools = &inout->tools;
    view_settings* settings = &inout->settings;
    int brush = settings->has_brush ? 1 + settings->brush_target : 0;
    if (brush == tools->shown_brush)
    {
        return;
    }
    bool is_as_left = tools->shown_brush == 0 || settings->colors == shown[tools->shown_brush - 1];
    if (tools->shown_brush == 0)
    {
        tools->colors_before = settings->colors;
    }
    if (brush > 0)
    {
        settings->colors = shown[brush - 1];
    }
    else if (is_as_left)
    {
        settings->colors = tools->colors_before;
    }
    tools->shown_brush = brush;
}

void edit_tools_update(view_app* inout)
{
    edit_state* tools = &inout->tools;
    update_colors(inout);
    bool is_used = inout->settings.has_brush && inout->settings.mode == MODE_COMPARE;
    tools->is_waiting = tools->is_waiting && (is_used || tools->undo_waiting > 0);
    uint32_t waiting = tools->is_painting ? 0 : tools->undo_waiting;
    tools->undo_waiting -= waiting;
    for (; waiting > 0; --waiting)
    {
        edit_tools_undo(inout);
    }
}

// ---------------------------------------------------------------------------------------------
// Brush

static float brush_radius(const view_app* in)
{
    pelt_bounds box = character_box(in->model->character, PELT_NONE);
    return in->settings.brush_radius * pelt_bounds_diagonal(&box);
}

static bool paint_mix(view_app* inout, uint32_t view, const model_hit* hit)
{
    const view_settings* settings = &inout->settings;
    mix_dab dab = {.radius = brush_radius(inout),
                   .strength = settings->brush_strength,
                   .value = settings->brush_value};
    return model_paint_mix(inout->model, view, hit, &dab);
}

static bool paint_weights(view_app* inout, uint32_t view, const model_hit* hit)
{
    const view_settings* settings = &inout->settings;
    weight_dab dab = {.radius = brush_radius(inout),
                      .strength = settings->brush_strength,
                      .tool = (weight_tool)settings->brush_tool,
                      .node = inout->joint,
                      .is_mirrored = settings->is_brush_mirrored};
    return inout->joint == PELT_NONE || model_paint_weights(inout->model, view, hit, &dab);
}

static void paint(view_app* inout, uint32_t view, pixel at)
{
    model_hit hit;
    if (!model_find(&hit, inout->model, view, at.x, at.y))
    {
        return;
    }
    bool is_mix = inout->tools.target == BRUSH_MIX;
    if (!(is_mix ? paint_mix : paint_weights)(inout, view, &hit))
    {
        app_fail(inout, "out of memory");
    }
}

// Update what the dabs of this frame have changed.
static void show_paint(view_app* inout)
{
    if (inout->model->weights.has_pending)
    {
        update_weights(inout, false);
    }
}

static void lift(view_app* inout)
{
    view_model* model = inout->model;
    inout->tools.is_painting = false;
    if (mix_brush_lift(&model->mix_brush, &model->mask))
    {
        record(&inout->tools, EDIT_MIX);
    }
    if (weight_brush_lift(&model->weight_brush, &model->mask))
    {
        record(&inout->tools, EDIT_WEIGHTS);
        update_weights(inout, true);
    }
}

// A dab every few pixels of a stroke.
static void paint_along(view_app* inout, uint32_t view, pixel from, pixel to)
{
    const float step = 4.0f; // pixels
    int count = (int)fminf(ceilf(hypotf(to.x - from.x, to.y - from.y) / step), 64.0f);
    for (int i = 1; i <= count; ++i)
    {
        float part = (float)i / (float)count;
        paint(inout, view,
              (pixel){from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)});
    }
}

// @return false: not yet
static bool begin(view_app* inout, uint32_t view)
{
    edit_state* tools = &inout->tools;
    tools->view = view;
    tools->target = inout->settings.brush_target;
    tools->is_painting = tools->target == BRUSH_MIX || may_edit_weights(inout);
    return tools->is_painting;
}

static void use_brush(view_app* inout, uint32_t view, const gui_drag* drag)
{
    edit_state* tools = &inout->tools;
    pixel at = {drag->x, drag->y};
    bool is_mine = tools->is_painting && tools->view == view;
    if (drag->is_left_down && !tools->is_painting)
    {
        if (begin(inout, view))
        {
            paint(inout, view, at);
        }
    }
    else if (drag->is_left_down && is_mine)
    {
        paint_along(inout, view, tools->last, at);
    }
    else if (is_mine)
    {
        lift(inout);
    }
    else if (tools->view == view && tools->undo_waiting == 0)
    {
        tools->is_waiting = false; // the button went up before the stroke could begin
    }
    show_paint(inout);
    tools->last = drag->is_left_down ? at : tools->last;
}

void edit_tools_stroke(view_app* inout, const float* points, uint32_t count)
{
    float width = (float)inout->model->shown.width, height = (float)inout->model->shown.height;
    pixel last = {0};
    if (!begin(inout, 0))
    {
        return;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        pixel at = {points[2 * i] * width, points[2 * i + 1] * height};
        if (i == 0)
        {
            paint(inout, 0, at);
        }
        else
        {
            paint_along(inout, 0, last, at);
        }
        last = at;
    }
    lift(inout);
}

// ---------------------------------------------------------------------------------------------
// Gizmo

static projection view_of(const view_app* in, gui_rect rect)
{
    orbit camera = model_camera(in->model, &in->camera);
    return orbit_project(&camera, rect.width, rect.height);
}

static bool has_gizmo(const view_app* in, uint32_t view)
{
    // Animation textures have no edits.
    return in->settings.has_gizmo && in->tools.is_joint_picked && in->joint != PELT_NONE &&
           !in->settings.has_brush && !in->model->views[view].is_from_bake;
}

static gizmo gizmo_in(const view_app* in, uint32_t view, const projection* camera)
{
    const pelt_mat34* frames = in->model->views[view].frame.model_from_node;
    joint_edit edit = pose_edit_of(&in->edit, in->joint);
    return gizmo_of(in->model->character->scene, &frames[in->joint], &edit, camera,
                    72.0f * in->scale);
}

static void rotate(view_app* inout, const gizmo* rings, const projection* camera, pixel to)
{
    edit_state* tools = &inout->tools;
    float degrees = gizmo_rotate(rings, tools->held_ring, camera, tools->last, to);
    if (degrees != 0.0f)
    {
        joint_edit edit = pose_edit_of(&inout->edit, inout->joint);
        gizmo_apply(&edit, tools->held_ring, degrees);
        pose_edit_set(&inout->edit, &edit);
    }
}

// @return whether the mouse is on a ring
static bool use_gizmo(view_app* inout, uint32_t view, const gui_drag* drag, gui_rect rect)
{
    edit_state* tools = &inout->tools;
    projection camera = view_of(inout, rect);
    gizmo rings = gizmo_in(inout, view, &camera);
    pixel at = {drag->x, drag->y};
    bool is_mine = tools->held_ring != PELT_NONE && tools->view == view;
    if (is_mine && drag->is_left_down)
    {
        rotate(inout, &rings, &camera, at);
    }
    else if (is_mine)
    {
        tools->held_ring = PELT_NONE;
    }
    else if (drag->is_hovered && tools->held_ring == PELT_NONE)
    {
        tools->hot_ring = gizmo_pick(&rings, &camera, at, 6.0f * inout->scale);
        tools->view = view;
        if (drag->is_left_begun && tools->hot_ring != PELT_NONE)
        {
            edit_tools_remember(inout);
            tools->held_ring = tools->hot_ring;
        }
    }
    else if (tools->view == view)
    {
        tools->hot_ring = PELT_NONE;
    }
    tools->last = is_mine || drag->is_hovered ? at : tools->last;
    return is_mine || (tools->view == view && tools->hot_ring != PELT_NONE);
}

bool edit_tools_use(view_app* inout, uint32_t view, const gui_drag* drag, gui_rect rect)
{
    bool is_choosing = gui_is_control_down() && !inout->tools.is_painting;
    if (inout->settings.has_brush && !is_choosing)
    {
        use_brush(inout, view, drag);
        return true;
    }
    if (inout->settings.has_brush)
    {
        return false; // a click chooses a joint
    }
    if (inout->tools.is_painting)
    {
        lift(inout); // switched off by its key, with the button still down
    }
    return has_gizmo(inout, view) && use_gizmo(inout, view, drag, rect);
}

// ---------------------------------------------------------------------------------------------
// Drawing

enum
{
    RIM_POINT_COUNT = 49,
};

// Colors that can be told apart with any color vision (Okabe and Ito), red first.
static const uint8_t ring_colors[POSE_AXIS_COUNT][3] = {{213, 94, 0}, {0, 158, 115}, {0, 114, 178}};

static void show_ring(const view_app* in, uint32_t ring, const gizmo_point* points, gui_rect rect)
{
    const edit_state* tools = &in->tools;
    bool is_held = tools->held_ring == ring;
    bool is_hot = is_held || (tools->held_ring == PELT_NONE && tools->hot_ring == ring);
    bool is_other = tools->held_ring != PELT_NONE && !is_held;
    const uint8_t* color = ring_colors[ring];
    for (uint32_t i = 0; i + 1 < GIZMO_POINT_COUNT;)
    {
        // Collect points up to the next change between front and back.
        float xy[2 * GIZMO_POINT_COUNT];
        bool is_front = points[i].is_front && points[i + 1].is_front;
        uint32_t count = 0;
        for (; i + count < GIZMO_POINT_COUNT; ++count)
        {
            const gizmo_point* point = &points[i + count];
            bool is_end = i + count + 1 == GIZMO_POINT_COUNT;
            xy[2 * count] = rect.x + point->at.x;
            xy[2 * count + 1] = rect.y + point->at.y;
            if (is_end || (point->is_front && point[1].is_front) != is_front)
            {
                break;
            }
        }
        float alpha = (is_front ? 1.0f : 0.35f) * (is_other ? 0.4f : 1.0f);
        gui_curve(xy, count + 1,
                  (gui_pen){color[0], color[1], color[2], (uint8_t)(255.0f * alpha),
                            (is_hot ? 4.0f : 2.0f) * in->scale});
        i += count;
    }
}

// An eighth of a ring, in the middle of its front: from the corner of a rectangle to the opposite.
static void record_ring(uint32_t ring, const gizmo_point* points, gui_rect rect)
{
    const uint32_t count = GIZMO_POINT_COUNT - 1, part = count / 8;
    for (uint32_t i = 0; i < count; ++i)
    {
        const gizmo_point *from = &points[i], *to = &points[(i + part) % count];
        bool is_inside = true;
        for (uint32_t k = 0; k < 3 * part; ++k)
        {
            is_inside = is_inside && points[(i + count - part + k) % count].is_front;
        }
        if (is_inside)
        {
            char name[32];
            snprintf(name, sizeof name, "ring_%s", ring_names[ring]);
            gui_record(name, (gui_rect){rect.x + from->at.x, rect.y + from->at.y,
                                        to->at.x - from->at.x, to->at.y - from->at.y});
            return;
        }
    }
}

static void show_gizmo(view_app* inout, uint32_t view, gui_rect rect)
{
    const edit_state* tools = &inout->tools;
    projection camera = view_of(inout, rect);
    gizmo rings = gizmo_in(inout, view, &camera);
    gizmo_point points[GIZMO_POINT_COUNT];
    for (uint32_t ring = 0; ring < POSE_AXIS_COUNT; ++ring)
    {
        if (gizmo_draw(points, &rings, ring, &camera))
        {
            show_ring(inout, ring, points, rect);
            if (view == 0)
            {
                record_ring(ring, points, rect);
            }
        }
    }
    uint32_t ring = tools->held_ring != PELT_NONE ? tools->held_ring : tools->hot_ring;
    if (ring != PELT_NONE && tools->view == view)
    {
        joint_edit edit = pose_edit_of(&inout->edit, inout->joint);
        char text[64];
        snprintf(text, sizeof text, "%s %.0f deg", ring_names[ring], (double)edit.degrees[ring]);
        gui_tip(text);
    }
}

static void show_rim(view_app* inout, uint32_t view, const gui_drag* drag, gui_rect rect)
{
    model_hit hit;
    if (!drag->is_hovered || !model_find(&hit, inout->model, view, drag->x, drag->y))
    {
        return;
    }
    projection camera = view_of(inout, rect);
    float radius = brush_radius(inout) * projection_scale(&camera, hit.point.position);
    float xy[2 * RIM_POINT_COUNT];
    for (uint32_t i = 0; i < RIM_POINT_COUNT; ++i)
    {
        float angle = 2.0f * PELT_PI * (float)i / (float)(RIM_POINT_COUNT - 1);
        xy[2 * i] = rect.x + drag->x + radius * cosf(angle);
        xy[2 * i + 1] = rect.y + drag->y + radius * sinf(angle);
    }
    // Dark on light and light on dark.
    gui_curve(xy, RIM_POINT_COUNT, (gui_pen){255, 255, 255, 200, 3.0f * inout->scale});
    gui_curve(xy, RIM_POINT_COUNT, (gui_pen){30, 30, 30, 255, 1.0f * inout->scale});
}

void edit_tools_show(view_app* inout, uint32_t view, const gui_drag* drag, gui_rect rect)
{
    if (inout->settings.has_brush)
    {
        show_rim(inout, view, drag, rect);
    }
    else if (has_gizmo(inout, view))
    {
        show_gizmo(inout, view, rect);
    }
}
