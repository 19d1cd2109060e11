// SPDX-License-Identifier: MIT
#include "method_renderer.h"

#include "method_frame.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------------------------
// Setting up

static int create_stage(method_renderer* inout, pelt_gl* gl)
{
    const pelt_scene* scene = inout->scene;
    pelt_textures textures = {0};
    pelt_error error = {0};
    pelt_result result = PELT_OK;
    if (inout->show.colors == SHOW_MATERIALS)
    {
        result = pelt_textures_load(&textures, inout->source, scene, &error);
    }
    if (textures.left_out_count > 0)
    {
        message_note("%s", textures.note);
    }
    if (result == PELT_OK)
    {
        pelt_stage_options options = {.textures = textures.pictures};
        result = pelt_stage_create(&inout->stage, gl, scene, &options, &error);
    }
    pelt_textures_destroy(&textures);
    return message_error(result, &error);
}

static int prepare_scene(pelt_scene* inout, const method_renderer* renderer)
{
    const method_list* how = renderer->how;
    uint32_t with_centers = METHOD_LIST_WITH(needs_centers);
    if (method_list_has(how, with_centers) ||
        (show_list_methods(&renderer->show) & with_centers) != 0)
    {
        cor_report unused;
        TRY(cor_request_add(&unused, inout, how->cor_scope, &how->cor, renderer->arena));
    }
    if ((show_list_methods(&renderer->show) & METHOD_LIST_WITH(needs_smoothing)) != 0)
    {
        TRY(ddm_request_add(inout, &how->ddm, renderer->arena));
    }
    return method_frame_prepare(inout, how, renderer->arena);
}

// Joints of all skins, each node once, for the legend.
static void list_parts(method_renderer* inout, const pelt_color* joints, bool* is_listed)
{
    const pelt_scene* scene = inout->scene;
    for (uint32_t s = 0; s < scene->skin_count; ++s)
    {
        for (uint32_t j = 0; j < scene->skins[s].joint_count; ++j)
        {
            uint32_t node = scene->skins[s].joints[j];
            if (!is_listed[node])
            {
                const char* name = scene->nodes[node].name;
                inout->parts[inout->part_count] = joints[node];
                inout->part_names[inout->part_count++] = name != NULL ? name : "";
                is_listed[node] = true;
            }
        }
    }
}

static int create_colors(method_renderer* inout)
{
    const pelt_scene* scene = inout->scene;
    pelt_color* joints = pelt_arena_alloc(inout->arena, scene->node_count, sizeof *joints);
    inout->parts = pelt_arena_alloc(inout->arena, scene->node_count, sizeof *inout->parts);
    inout->part_names =
        pelt_arena_alloc(inout->arena, scene->node_count, sizeof *inout->part_names);
    bool* is_listed = pelt_arena_alloc(inout->arena, scene->node_count, sizeof *is_listed);
    if (joints == NULL || inout->parts == NULL || inout->part_names == NULL || is_listed == NULL ||
        pelt_joint_colors(joints, scene) != PELT_OK ||
        pelt_weight_colors(&inout->colors, scene, joints, inout->arena) != PELT_OK)
    {
        return message_memory();
    }
    list_parts(inout, joints, is_listed);
    return EXIT_DONE;
}

static int create_buffers(method_renderer* inout, const pelt_scene* prepared)
{
    const pelt_scene* scene = inout->scene;
    if (pelt_frame_create(&inout->frame, prepared) != PELT_OK ||
        pelt_frame_create(&inout->reference, prepared) != PELT_OK ||
        !vertex_values_create(&inout->values, scene) ||
        !vertex_values_create(&inout->shares, scene))
    {
        return message_memory();
    }
    method_list_attach_methods(&inout->frame, scene, inout->how);
    method_list_attach_mix(&inout->frame, scene, inout->how);
    if (inout->is_prepared && pelt_frame_prepare(&inout->frame, prepared) != PELT_OK)
    {
        return message_memory();
    }
    pelt_frame_share(&inout->reference, &inout->frame);
    if (inout->show.focus != PELT_NONE)
    {
        vertex_values_shares(&inout->shares, scene, inout->show.focus);
    }
    if (inout->show.colors == SHOW_WEIGHTS)
    {
        vertex_values_weights(&inout->values, scene, inout->show.node);
    }
    return inout->show.colors == SHOW_JOINTS ? create_colors(inout) : EXIT_DONE;
}

int method_renderer_create(method_renderer* inout, pelt_gl* gl)
{
    pelt_scene prepared = *inout->scene;
    inout->box = pelt_bounds_empty();
    inout->farthest = 0.0f;
    inout->arena = pelt_arena_create();
    int code = inout->arena != NULL ? prepare_scene(&prepared, inout) : message_memory();
    if (code != EXIT_DONE)
    {
        goto cleanup;
    }
    code = create_buffers(inout, &prepared);
    if (code != EXIT_DONE)
    {
        goto cleanup;
    }
    code = create_stage(inout, gl);
    if (code != EXIT_DONE)
    {
        goto cleanup;
    }
    return EXIT_DONE;
cleanup:
    method_renderer_destroy(inout);
    return code;
}

void method_renderer_destroy(method_renderer* in)
{
    pelt_stage_destroy(in->stage);
    vertex_values_destroy(&in->values);
    vertex_values_destroy(&in->shares);
    pelt_frame_destroy(&in->frame);
    pelt_frame_destroy(&in->reference);
    pelt_arena_destroy(in->arena);
    in->stage = NULL;
    in->arena = NULL;
}

// ---------------------------------------------------------------------------------------------
// Taking pictures

static void move_to(method_renderer* inout, float time)
{
    pose_request_sample(inout->pose, inout->scene, time);
    if (inout->show.colors == SHOW_DIFFERENCE)
    {
        pelt_deform_options how = method_list_by(inout->how, inout->show.reference);
        pelt_frame_update(&inout->reference, inout->scene, &inout->pose->pose, &how);
    }
}

static int check_surfaces(const method_renderer* in, const pelt_frame* frame)
{
    pelt_error error = {0};
    return message_error(pelt_surfaces_validate(frame->surfaces, in->scene, &error), &error);
}

static void add_points(pelt_bounds* box, const pelt_vec3* points, uint32_t count, camera_view view)
{
    pelt_quat rotation = camera_view_from_model(view);
    for (uint32_t i = 0; i < count; ++i)
    {
        pelt_vec3 rotated = pelt_quat_rotate(rotation, points[i]);
        pelt_bounds_add(box, &rotated, 1);
    }
}

static void add_corners(pelt_bounds* box, const pelt_vec3* points, uint32_t count, camera_view view)
{
    pelt_bounds own = pelt_bounds_empty();
    pelt_bounds_add(&own, points, count);
    for (uint32_t i = 0; count > 0 && i < 8; ++i)
    {
        pelt_vec3 corner = {(i & 1) != 0 ? own.max.x : own.min.x,
                            (i & 2) != 0 ? own.max.y : own.min.y,
                            (i & 4) != 0 ? own.max.z : own.min.z};
        add_points(box, &corner, 1, view);
    }
}

// What follows the joint in focus more than it follows others.
static void add_focused(pelt_bounds* box, const pelt_vec3* points, const float* shares,
                        uint32_t count, camera_view view)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        add_points(box, &points[i], shares[i] >= 0.5f ? 1 : 0, view);
    }
}

static void add_to_box(method_renderer* inout)
{
    const pelt_scene* scene = inout->scene;
    bool has_focus = inout->show.focus != PELT_NONE;
    bool has_boxes = (inout->show.bits & PELT_SHOW_BOXES) != 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_vec3* points = inout->frame.surfaces[i].positions;
        uint32_t count = scene->meshes[scene->instances[i].mesh].vertex_count;
        if (has_focus)
        {
            add_focused(&inout->box, points, inout->shares.arrays[i], count, inout->view);
        }
        else
        {
            (has_boxes ? add_corners : add_points)(&inout->box, points, count, inout->view);
        }
    }
}

// Shaders square distances.
static int check_size(const method_renderer* in)
{
    const float most = 1e18f;
    const pelt_bounds* box = &in->box;
    float reach = fmaxf(pelt_vec3_length(box->min), pelt_vec3_length(box->max));
    bool is_empty = box->min.x > box->max.x;
    if (is_empty || reach <= most)
    {
        return EXIT_DONE;
    }
    pelt_error error = {0};
    return message_error(pelt_error_set(&error, PELT_ERROR_DATA,
                                        "the pose extends to %.3g m, and pictures show at most %g "
                                        "m; scale the model down",
                                        (double)reach, (double)most),
                         &error);
}

static int recompute_normals(method_renderer* inout)
{
    bool is_done =
        normal_error_scale_recompute(&inout->reference, inout->scene, &inout->frame) == PELT_OK;
    return is_done ? EXIT_DONE : message_memory();
}

// What the frame holds with what it is compared with, for the scale of the colors.
static int compare(method_renderer* inout, uint32_t method)
{
    if (inout->show.colors == SHOW_DIFFERENCE)
    {
        float distance = vertex_values_farthest(inout->scene, &inout->frame, &inout->reference);
        inout->farthest = fmaxf(inout->farthest, distance);
    }
    if (inout->show.colors == SHOW_NORMAL_ERROR)
    {
        TRY(recompute_normals(inout));
        normal_error_scale_add(&inout->scales[method], inout->scene, &inout->frame,
                               &inout->reference);
    }
    return EXIT_DONE;
}

int method_renderer_measure(method_renderer* inout, float time)
{
    move_to(inout, time);
    int code = inout->show.colors == SHOW_DIFFERENCE ? check_surfaces(inout, &inout->reference)
                                                     : EXIT_DONE;
    if (code != EXIT_DONE)
    {
        return code;
    }
    for (uint32_t i = 0; i < inout->how->count; ++i)
    {
        pelt_frame_update(&inout->frame, inout->scene, &inout->pose->pose, &inout->how->methods[i]);
        code = check_surfaces(inout, &inout->frame);
        if (code != EXIT_DONE)
        {
            return code;
        }
        add_to_box(inout);
        code = check_size(inout);
        if (code != EXIT_DONE)
        {
            return code;
        }
        TRY(compare(inout, i));
    }
    uint32_t mixed_count = method_frame_count_mixed(inout->scene, &inout->frame);
    inout->mixed_count = mixed_count > inout->mixed_count ? mixed_count : inout->mixed_count;
    return EXIT_DONE;
}

static float angle_scale(const method_renderer* in)
{
    float end = 0.0f;
    for (uint32_t i = 0; i < in->how->count; ++i)
    {
        end = fmaxf(end, normal_error_scale_end(&in->scales[i]));
    }
    return end;
}

float method_renderer_scale(const method_renderer* in)
{
    show_list_colors colors = in->show.colors;
    if (colors == SHOW_MATERIALS || colors == SHOW_JOINTS || colors == SHOW_WEIGHTS)
    {
        return colors == SHOW_WEIGHTS ? 1.0f : NAN;
    }
    if (in->show.range > 0.0f)
    {
        return in->show.range;
    }
    // If nothing differs, the scale ends at a millimeter.
    float distance = in->farthest > 0.0f ? in->farthest : 0.001f;
    return colors == SHOW_NORMAL_ERROR ? angle_scale(in) : distance;
}

// Numbers of the surface that the frame holds, as parts of the scale.
static int fill_values(method_renderer* inout)
{
    float scale = method_renderer_scale(inout);
    if (inout->show.colors == SHOW_DIFFERENCE)
    {
        vertex_values_distances(&inout->values, inout->scene, &inout->frame, &inout->reference,
                                scale);
    }
    if (inout->show.colors == SHOW_NORMAL_ERROR)
    {
        TRY(recompute_normals(inout));
        vertex_values_angles(&inout->values, inout->scene, &inout->frame, &inout->reference, scale);
    }
    return EXIT_DONE;
}

static pelt_look look_of(const method_renderer* in)
{
    bool has_values = in->show.colors != SHOW_MATERIALS && in->show.colors != SHOW_JOINTS;
    return (pelt_look){
        .show = in->show.bits,
        .background = in->background,
        .values = has_values ? (const float* const*)in->values.arrays : NULL,
        .map = in->show.colors == SHOW_WEIGHTS ? PELT_COLOR_MAP_WEIGHT : PELT_COLOR_MAP_UNIFORM,
        .colors = in->colors,
    };
}

int method_renderer_draw(method_renderer* inout, const pelt_picture* out, uint32_t method,
                         float time, const pelt_camera* camera)
{
    const pelt_scene* scene = inout->scene;
    const pelt_deform_options* how = &inout->how->methods[method];
    move_to(inout, time);
    TRY(method_frame_update(&inout->frame, scene, &inout->pose->pose, inout->how, method));
    TRY(fill_values(inout));
    pelt_look look = look_of(inout);
    pelt_error error = {0};
    pelt_result result = pelt_stage_pose(inout->stage, &inout->frame, how, inout->skinning, &error);
    if (result == PELT_OK)
    {
        result = pelt_stage_picture(out, inout->stage, camera, &look, &error);
    }
    uint32_t left_out = result == PELT_OK ? pelt_stage_cover(inout->stage).left_out : 0;
    if (left_out > 0)
    {
        message_note("%" PRIu32 " triangles are not drawn: others cover the picture 32 times, or "
                     "are as many as this machine draws in good time",
                     left_out);
    }
    return message_error(result, &error);
}

void method_renderer_legend_make(method_renderer_legend* out, const method_renderer* in)
{
    float scale = method_renderer_scale(in);
    *out = (method_renderer_legend){.is_needed = in->show.colors != SHOW_MATERIALS};
    out->legend = (pelt_legend){.map = look_of(in).map, .high = scale, .title = out->title};
    if (in->show.colors == SHOW_JOINTS)
    {
        out->legend.part_count = in->part_count;
        out->legend.parts = in->parts;
        out->legend.part_names = in->part_names;
        out->is_needed = in->part_count > 0;
        snprintf(out->title, sizeof out->title, "weights: a color for each joint");
    }
    else if (in->show.colors == SHOW_WEIGHTS)
    {
        snprintf(out->title, sizeof out->title, "weight of %s", in->show.joint);
    }
    else if (in->show.colors == SHOW_NORMAL_ERROR)
    {
        snprintf(out->title, sizeof out->title, "normals off by (degrees)");
    }
    else
    {
        bool is_small = scale < 0.1f;
        out->legend.high = scale * (is_small ? 1000.0f : 100.0f);
        snprintf(out->title, sizeof out->title, "distance to %s (%s)",
                 pelt_method_name(in->show.reference), is_small ? "mm" : "cm");
    }
}
