// SPDX-License-Identifier: MIT
#include "camera.h"

#include "panes/panes.h"

#include <GLFW/glfw3.h>
#include <math.h>
#include <string.h>

static const float degree = PELT_PI / 180.0f;

// ---------------------------------------------------------------------------------------------
// Framing

// The middle of a picture, where controls at its top and its foot do not cover it.
static orbit_fill fill_of(const view_app* in, float height)
{
    const float controls = 44.0f; // pixels, at the top and at the foot
    float free_part = 1.0f - 2.0f * controls * in->scale / height;
    return (orbit_fill){.across = 0.94f, .high = fminf(fmaxf(free_part, 0.4f), 0.82f)};
}

static orbit frame_character(const view_app* in, float width, float height)
{
    const outline* shape = character_outline(in->model->character, in->playback.clip);
    pelt_vec3 corners[8];
    const pelt_vec3* points = shape->points;
    uint32_t count = shape->count;
    if (count == 0 || !isfinite(pelt_bounds_diagonal(&shape->box)))
    {
        for (uint32_t i = 0; i < 8; ++i)
        {
            corners[i] =
                pelt_vec3_make(i & 1 ? 0.5f : -0.5f, i & 2 ? 0.5f : -0.5f, i & 4 ? 0.5f : -0.5f);
        }
        points = corners;
        count = 8;
    }
    return orbit_frame(points, count, width / height, fill_of(in, height),
                       settings_lens(&in->settings));
}

void camera_place(view_app* inout, float width, float height)
{
    float aspect = width / height, lens = settings_lens(&inout->settings);
    uint32_t clip = inout->playback.clip;
    inout->view_size[0] = width;
    inout->view_size[1] = height;
    bool is_moved = memcmp(&inout->camera, &inout->placed, sizeof inout->camera) != 0;
    bool is_other = inout->placed_aspect != aspect || inout->placed_clip != clip;
    bool is_other_mode = inout->placed_mode != inout->settings.mode;
    if (inout->placed_aspect == 0.0f || is_other_mode || (is_other && !is_moved))
    {
        pelt_bounds box = character_box(inout->model->character, clip);
        inout->camera = inout->settings.mode == MODE_CROWD
                            ? crowd_mode_camera(&inout->crowd, &inout->settings, &box)
                            : frame_character(inout, width, height);
        orbit_set_lens(&inout->camera, lens);
        inout->placed_mode = inout->settings.mode;
        inout->placed = inout->camera;
        inout->placed_aspect = aspect;
        inout->placed_clip = clip;
    }
    orbit_set_lens(&inout->camera, lens);
    orbit_set_lens(&inout->placed, lens);
}

// The surface around a joint as it is posed: vertices of which it has some weight.
static bool find_joint_box(pelt_bounds* out, const view_app* in)
{
    const pelt_scene* scene = in->model->character->scene;
    *out = pelt_bounds_empty();
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        const pelt_weights* weights = &scene->meshes[instance->mesh].weights;
        const pelt_vec3* positions = in->model->views[0].frame.surfaces[i].positions;
        for (uint32_t v = 0; instance->skin != PELT_NONE && v < weights->vertex_count; ++v)
        {
            for (uint32_t k = weights->first[v]; k < weights->first[v + 1]; ++k)
            {
                const pelt_influence* influence = &weights->influences[k];
                if (scene->skins[instance->skin].joints[influence->joint] == in->joint &&
                    influence->weight > 0.3f)
                {
                    pelt_bounds_add(out, &positions[v], 1);
                }
            }
        }
    }
    return out->min.x <= out->max.x;
}

static void frame_box(view_app* inout, const pelt_bounds* box)
{
    pelt_vec3 corners[8];
    for (uint32_t i = 0; i < 8; ++i)
    {
        corners[i] =
            pelt_vec3_make(i & 1 ? box->max.x : box->min.x, i & 2 ? box->max.y : box->min.y,
                           i & 4 ? box->max.z : box->min.z);
        corners[i] = pelt_vec3_sub(corners[i], inout->model->anchor);
    }
    float width = inout->view_size[0], height = inout->view_size[1];
    inout->camera = orbit_fit(&inout->camera, corners, 8, width / height, fill_of(inout, height));
}

static void frame(view_app* inout)
{
    pelt_bounds box;
    if (inout->tools.is_joint_picked && find_joint_box(&box, inout))
    {
        frame_box(inout, &box);
        return;
    }
    const outline* shape = character_outline(inout->model->character, inout->playback.clip);
    inout->camera =
        orbit_fit(&inout->camera, shape->points, shape->count,
                  inout->view_size[0] / inout->view_size[1], fill_of(inout, inout->view_size[1]));
}

void camera_look_at_worst(view_app* inout)
{
    const profile_place* place = &inout->wanted;
    if (!inout->is_looking_at_worst)
    {
        return;
    }
    inout->is_looking_at_worst = false;
    if (place->vertex == PELT_NONE)
    {
        return;
    }
    const pelt_frame* frame = &inout->model->views[inout->wanted_view].frame;
    pelt_vec3 at = frame->surfaces[place->instance].positions[place->vertex];
    pelt_bounds whole = character_box(inout->model->character, PELT_NONE);
    float reach = 0.12f * pelt_bounds_diagonal(&whole);
    const pelt_vec3 half = {reach, reach, reach};
    const pelt_bounds box = {pelt_vec3_sub(at, half), pelt_vec3_add(at, half)};
    if (frame->surfaces[place->instance].normals != NULL)
    {
        // From outside, and not from below the ground.
        pelt_vec3 normal = frame->surfaces[place->instance].normals[place->vertex];
        inout->camera.azimuth = atan2f(normal.x, normal.z);
        inout->camera.elevation = asinf(fminf(fmaxf(normal.y, -0.2f), 0.7f));
    }
    frame_box(inout, &box);
}

static void look_from(view_app* inout, float azimuth, float elevation)
{
    inout->camera.azimuth = azimuth * degree;
    inout->camera.elevation = elevation * degree;
}

void camera_run_command(view_app* inout, app_command command)
{
    if (inout->model == NULL || inout->settings.mode == MODE_BENCHMARK ||
        !(inout->view_size[1] > 0.0f))
    {
        return;
    }
    switch (command)
    {
    case COMMAND_FRAME:
        if (inout->settings.mode == MODE_COMPARE)
        {
            frame(inout);
        }
        break;
    case COMMAND_FRONT:
        look_from(inout, 0.0f, 0.0f);
        break;
    case COMMAND_SIDE_VIEW:
        look_from(inout, 90.0f, 0.0f);
        break;
    case COMMAND_TOP:
        look_from(inout, 0.0f, 88.0f);
        break;
    case COMMAND_THREE_QUARTER:
        look_from(inout, 35.0f, 14.0f);
        break;
    default:
        break;
    }
}

void camera_measure(float out[2], const view_app* in)
{
    const pelt_scene* scene = in->model->character->scene;
    orbit from = model_camera(in->model, &in->model->shown.camera);
    float width = (float)in->model->shown.width, height = (float)in->model->shown.height;
    projection camera = orbit_project(&from, width, height);
    pelt_vec3 low = {INFINITY, INFINITY, 0.0f}, high = {-INFINITY, -INFINITY, 0.0f};
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_surface* surface = &in->model->views[0].frame.surfaces[i];
        for (uint32_t v = 0; v < scene->meshes[scene->instances[i].mesh].vertex_count; ++v)
        {
            pixel at = {0.0f, 0.0f};
            if (projection_find(&at, &camera, surface->positions[v]))
            {
                low = pelt_vec3_make(fminf(low.x, at.x), fminf(low.y, at.y), 0.0f);
                high = pelt_vec3_make(fmaxf(high.x, at.x), fmaxf(high.y, at.y), 0.0f);
            }
        }
    }
    out[0] = width > 0.0f && low.x < high.x ? (high.x - low.x) / width : 0.0f;
    out[1] = height > 0.0f && low.y < high.y ? (high.y - low.y) / height : 0.0f;
}

// ---------------------------------------------------------------------------------------------
// Drags

void camera_drag_begin(view_app* inout, bool is_free)
{
    int* out = &inout->tools.camera_drag;
    *out = CAMERA_DRAG_NONE;
    if (gui_key_down(GLFW_KEY_SPACE))
    {
        // The key has played or paused, which was not meant.
        app_run_command(inout, COMMAND_PLAY);
        *out = CAMERA_DRAG_PAN;
    }
    else if (gui_is_alt_down() || is_free)
    {
        *out = gui_is_shift_down() ? CAMERA_DRAG_PAN : CAMERA_DRAG_ROTATE;
    }
}

void camera_drag_over(view_app* inout, const gui_drag* drag, gui_rect rect, bool is_left_here)
{
    orbit* camera = &inout->camera;
    int left = is_left_here && drag->is_left_down ? inout->tools.camera_drag : CAMERA_DRAG_NONE;
    if (is_left_here)
    {
        inout->tools.camera_drag = left;
    }
    orbit_rotate(camera, drag->rotate_x, drag->rotate_y);
    orbit_pan(camera, drag->pan_x, drag->pan_y, rect.height);
    if (left == CAMERA_DRAG_ROTATE)
    {
        orbit_rotate(camera, drag->left_x, drag->left_y);
    }
    if (left == CAMERA_DRAG_PAN)
    {
        orbit_pan(camera, drag->left_x, drag->left_y, rect.height);
    }
    if (drag->wheel != 0.0f)
    {
        orbit_zoom_at(camera, drag->wheel, (pixel){drag->x, drag->y}, rect.width, rect.height);
    }
}
