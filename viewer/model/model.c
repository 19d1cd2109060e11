// SPDX-License-Identifier: MIT
#include "model.h"

#include "painted_file.h"
#include "pelt/io.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Setting up

static const pelt_mesh* mesh_of(const pelt_scene* scene, uint32_t instance)
{
    return &scene->meshes[scene->instances[instance].mesh];
}

static bool has_centers(const pelt_scene* scene)
{
    bool has_all = true;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        bool is_skinned = scene->instances[i].skin != PELT_NONE;
        has_all = has_all && (!is_skinned || mesh_of(scene, i)->cors != NULL);
    }
    return has_all;
}

static void describe_scene(view_model* inout)
{
    const pelt_scene* scene = inout->character->scene;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = mesh_of(scene, i);
        bool is_plain = scene->instances[i].skin != PELT_NONE && mesh->morph_count == 0 &&
                        mesh->weights.vertex_count > 0;
        inout->needs_surfaces = inout->needs_surfaces || !is_plain;
        inout->has_own_mix = inout->has_own_mix || mesh->mix_factors != NULL;
    }
    inout->has_centers = has_centers(&inout->character->data.scene);
}

static bool create_view(viewport* out, const pelt_scene* scene)
{
    view_target_create(&out->target);
    out->values = calloc((size_t)scene->instance_count + 1, sizeof *out->values);
    bool is_whole = out->values != NULL && pelt_frame_create(&out->frame, scene) == PELT_OK;
    for (uint32_t i = 0; is_whole && i < scene->instance_count; ++i)
    {
        out->values[i] = calloc((size_t)mesh_of(scene, i)->vertex_count + 1, sizeof(float));
        is_whole = out->values[i] != NULL;
    }
    return is_whole;
}

static void destroy_view(viewport* in, const pelt_scene* scene)
{
    for (uint32_t i = 0; in->values != NULL && i < scene->instance_count; ++i)
    {
        free(in->values[i]);
    }
    free(in->values);
    pelt_frame_destroy(&in->frame);
    view_target_destroy(&in->target);
    bake_slot_destroy(&in->bake);
}

static pelt_result fill(view_model* inout, pelt_gl* gl, pelt_error* error)
{
    view_character* character = inout->character;
    const pelt_scene* scene = &character->data.scene;
    pelt_stage_options options = {.textures = character->textures.pictures};
    PELT_TRY(pelt_stage_create(&inout->stage, gl, character->scene, &options, error));
    uint32_t most = 1;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        most = scene->meshes[i].vertex_count > most ? scene->meshes[i].vertex_count : most;
    }
    inout->scratch = calloc(most, sizeof *inout->scratch);
    inout->joint_colors = calloc((size_t)scene->node_count + 1, sizeof *inout->joint_colors);
    inout->surfaces = calloc((size_t)scene->mesh_count + 1, sizeof *inout->surfaces);
    bool is_whole =
        inout->scratch != NULL && inout->joint_colors != NULL && inout->surfaces != NULL &&
        pelt_joint_colors(inout->joint_colors, scene) == PELT_OK &&
        joint_mix_create(&inout->mix, scene) && pelt_pose_create(&inout->pose, scene) == PELT_OK &&
        pelt_pose_create(&inout->other, scene) == PELT_OK &&
        pelt_cursor_create(&inout->cursors[0], scene) == PELT_OK &&
        pelt_cursor_create(&inout->cursors[1], scene) == PELT_OK;
    for (uint32_t i = 0; is_whole && i < VIEW_MAX; ++i)
    {
        is_whole = create_view(&inout->views[i], scene);
    }
    return is_whole ? PELT_OK : pelt_error_memory(error);
}

pelt_result model_create(view_model** out, view_character* character, pelt_gl* gl,
                         pelt_error* error)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
    {
        return pelt_error_memory(error);
    }
    (*out)->character = character;
    (*out)->gl = gl;
    (*out)->is_stale = true;
    (*out)->profile.key.clip = PELT_NONE;
    describe_scene(*out);
    pelt_result result = fill(*out, gl, error);
    if (result != PELT_OK)
    {
        (*out)->character = NULL;
        model_destroy(*out);
        *out = NULL;
    }
    return result;
}

static void forget_weight_colors(view_model* inout)
{
    pelt_arena_destroy(inout->color_arena);
    inout->color_arena = NULL;
    inout->weight_colors = NULL;
}

// Made on first use: few sessions show weights of all joints.
static bool make_weight_colors(view_model* inout)
{
    if (inout->color_arena == NULL)
    {
        inout->color_arena = pelt_arena_create();
    }
    return inout->weight_colors != NULL ||
           (inout->color_arena != NULL &&
            pelt_weight_colors(&inout->weight_colors, &inout->character->data.scene,
                               inout->joint_colors, inout->color_arena) == PELT_OK);
}

void model_destroy(view_model* in)
{
    if (in == NULL)
    {
        return;
    }
    pelt_stage_destroy(in->stage);
    for (uint32_t i = 0; i < VIEW_MAX && in->character != NULL; ++i)
    {
        destroy_view(&in->views[i], in->character->scene);
    }
    pelt_pose_destroy(&in->pose);
    pelt_pose_destroy(&in->other);
    pelt_cursor_destroy(&in->cursors[0]);
    pelt_cursor_destroy(&in->cursors[1]);
    joint_mix_destroy(&in->mix);
    forget_weight_colors(in);
    free(in->joint_colors);
    model_metrics_destroy(in);
    pelt_arena_destroy(in->findings);
    free(in->gray);
    free(in->gray_colors);
    mix_brush_destroy(&in->mix_brush);
    weight_brush_destroy(&in->weight_brush);
    brush_mask_destroy(&in->mask);
    free(in->surfaces);
    free(in->scratch);
    character_destroy(in->character);
    live_weights_destroy(&in->weights); // the scene has them
    free(in);
}

// All that was made of the scene's centers and factors.
static void take_data(view_model* inout)
{
    const pelt_scene* scene = &inout->character->data.scene;
    for (uint32_t v = 0; v < VIEW_MAX; ++v)
    {
        for (uint32_t i = 0; i < scene->mesh_count; ++i)
        {
            inout->views[v].frame.cors[i] = scene->meshes[i].cors;
            inout->views[v].frame.smoothed[i] = scene->meshes[i].weights.ddm;
            inout->views[v].frame.normal_factors[i] = scene->meshes[i].normal_factors;
        }
    }
    inout->has_centers = has_centers(scene);
    inout->is_stale = true;
}

void model_replace_data(view_model* inout, character_data* data)
{
    character_data_destroy(&inout->character->data);
    inout->character->data = *data;
    *data = (character_data){0};
    take_data(inout);
    for (uint32_t v = 0; v < VIEW_MAX; ++v)
    {
        bake_slot_unload(&inout->views[v].bake);
    }
}

pelt_deform_options model_view_options(const view_model* in, const view_settings* settings,
                                       uint32_t view)
{
    pelt_deform_options out = settings_deform_options(settings, view);
    bool is_missing = pelt_method_info(out.method)->needs_centers && !in->has_centers;
    out.method = is_missing ? PELT_METHOD_LBS : out.method;
    return out;
}

void model_forget_bakes(view_model* inout)
{
    for (uint32_t v = 0; v < VIEW_MAX; ++v)
    {
        bake_slot_destroy(&inout->views[v].bake);
        inout->views[v].time_count = 0;
    }
    inout->is_stale = true;
}

uint32_t model_find_bake(bake_request* out, const view_model* in, const view_settings* settings,
                         const playback* from)
{
    for (uint32_t i = 0; i < settings_view_count(settings); ++i)
    {
        if (bake_request_of(out, settings, i, from) && !bake_slot_fits(&in->views[i].bake, out))
        {
            return i;
        }
    }
    return PELT_NONE;
}

void model_replace_bake(view_model* inout, uint32_t view, pelt_baked* baked,
                        const bake_request* request)
{
    bake_slot_replace(&inout->views[view].bake, baked, request);
    inout->views[view].time_count = 0;
    inout->is_stale = true;
}

// ---------------------------------------------------------------------------------------------
// Deforming

// Factors of joints that were set and of vertices that were painted, else those of the file, else
// the slider's. A viewport with a factor of its own has that everywhere.
static void attach_mix(viewport* inout, const pelt_scene* scene, const joint_mix* mix, bool has_own,
                       bool is_even)
{
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const float* own = has_own ? scene->meshes[i].mix_factors : NULL;
        const float* factors = joint_mix_has_any(mix) ? mix->vertices[i] : own;
        inout->frame.mix_factors[i] = is_even ? NULL : factors;
    }
}

static void pose_frame(view_model* inout, viewport* view, const pelt_scene* scene,
                       const pelt_deform_options* options)
{
    double start = character_clock();
    pelt_frame_pose(&view->frame, scene, &inout->pose, options);
    inout->times.palette += character_clock() - start;
}

static void recompute_normals(viewport* inout, const pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_surface* surface = &inout->frame.surfaces[i];
        if (surface->normals != NULL)
        {
            (void)pelt_normals_recompute(surface->normals, mesh_of(scene, i), surface->positions);
        }
    }
}

// Update a running mean.
static void add_time(viewport* inout, double value)
{
    double share = inout->time_count < 1 ? 1.0 : 0.1;
    inout->skin_ms += share * (value - inout->skin_ms);
    ++inout->time_count;
}

static bool is_technique_same(const view_settings* a, const view_settings* b, uint32_t view)
{
    return a->methods[view] == b->methods[view] && a->skinnings[view] == b->skinnings[view] &&
           a->normals[view] == b->normals[view] && a->mixes[view] == b->mixes[view] &&
           settings_convention(a, view) == settings_convention(b, view) &&
           a->own_signs[view] == b->own_signs[view] && a->sign_rule == b->sign_rule &&
           a->variants[view] == b->variants[view] && a->corrections[view] == b->corrections[view];
}

// As attach_mix() has them.
static mix_source mix_source_of(const view_model* in, const view_settings* settings, uint32_t view)
{
    bool is_even = settings->mixes[view] >= 0.0f;
    if (is_even || !joint_mix_has_any(&in->mix))
    {
        return (mix_source){.kind = !is_even && settings->has_own_mix ? 1 : 0};
    }
    return (mix_source){2, in->mix.revision, settings->mix};
}

// By the texture of the viewport, if it has one and shaders do what is asked for.
static bool play_bake(view_model* inout, uint32_t index, const model_input* input,
                      const pelt_deform_options* options)
{
    viewport* view = &inout->views[index];
    const pelt_scene* scene = &inout->character->data.scene;
    bake_request request;
    if (!bake_request_of(&request, &input->settings, index, &input->playback) ||
        !bake_slot_fits(&view->bake, &request))
    {
        return false;
    }
    bool is_vertex = request.encoding == PELT_ENCODING_VERTEX;
    if (!is_vertex && !settings_fit_gpu(options, settings_convention(&input->settings, index)))
    {
        return false;
    }
    pose_frame(inout, view, scene, options); // for bones, centers and joints that scale
    bake_play play = {.scene = scene,
                      .playback = &input->playback,
                      .options = options,
                      .palettes = view->frame.palettes,
                      .mix_factors = view->frame.mix_factors,
                      .mix = mix_source_of(inout, &input->settings, index)};
    pelt_error unused = {0};
    if (view->time_count == 0)
    {
        // Upload the mesh and compile its shaders.
        (void)bake_slot_play(view->frame.surfaces, &view->bake, inout->gl, &play, &unused);
    }
    double start = character_clock();
    if (bake_slot_play(view->frame.surfaces, &view->bake, inout->gl, &play, &unused) != PELT_OK)
    {
        return false;
    }
    double spent = character_clock() - start;
    inout->times.skin += spent;
    add_time(view, spent);
    return true;
}

static void deform_view(view_model* inout, uint32_t index, const model_input* input,
                        bool is_measured)
{
    const view_settings* in = &input->settings;
    const pelt_scene* scene = &inout->character->data.scene;
    viewport* view = &inout->views[index];
    pelt_deform_options options = model_view_options(inout, in, index);
    pelt_convention convention = settings_convention(in, index);
    bool is_on_gpu = in->skinnings[index] == SKINNING_GPU && settings_fit_gpu(&options, convention);
    bool is_same = is_technique_same(in, &inout->shown.settings, index);
    view->time_count = is_same ? view->time_count : 0;
    view->is_on_gpu = is_on_gpu;
    view->lacks_centers = (int)options.method != in->methods[index];
    attach_mix(view, scene, &inout->mix, in->has_own_mix, in->mixes[index] >= 0.0f);
    view->is_from_bake = play_bake(inout, index, input, &options);
    if (view->is_from_bake)
    {
        return;
    }
    if (is_on_gpu && !is_measured)
    {
        pose_frame(inout, view, scene, &options);
        return;
    }
    double start = character_clock();
    pelt_frame_update(&view->frame, scene, &inout->pose, &options);
    if (pelt_convention_recomputes(convention) || options.distance_correction > 0.0f)
    {
        recompute_normals(view, scene);
    }
    double spent = character_clock() - start;
    inout->times.deform += spent;
    if (!is_on_gpu)
    {
        add_time(view, spent);
    }
}

// ---------------------------------------------------------------------------------------------
// Drawing

static uint32_t show_bits(const view_settings* in)
{
    return (in->has_ground ? PELT_SHOW_GROUND : 0u) | (in->has_wire ? PELT_SHOW_WIRE : 0u) |
           (in->has_bones ? PELT_SHOW_BONES : 0u) | (in->has_centers ? PELT_SHOW_CORS : 0u) |
           (in->has_boxes ? PELT_SHOW_BOXES : 0u) | (in->has_facets ? PELT_SHOW_FACETS : 0u) |
           (in->has_joint_boxes ? PELT_SHOW_JOINT_BOXES : 0u) |
           (in->has_normals ? PELT_SHOW_NORMALS : 0u) |
           (in->has_textures ? 0u : PELT_SHOW_UNTEXTURED);
}

// One material for all, if asked for. @return NULL: their own
static const pelt_color* const* find_gray(view_model* inout, const model_input* input)
{
    const pelt_scene* scene = inout->character->scene;
    if (!input->settings.has_gray)
    {
        return NULL;
    }
    if (inout->gray_colors == NULL)
    {
        uint32_t most = 1;
        for (uint32_t i = 0; i < scene->mesh_count; ++i)
        {
            most = scene->meshes[i].vertex_count > most ? scene->meshes[i].vertex_count : most;
        }
        inout->gray = calloc(most, sizeof *inout->gray);
        inout->gray_colors = calloc((size_t)scene->instance_count + 1, sizeof *inout->gray_colors);
        for (uint32_t i = 0; inout->gray != NULL && i < most; ++i)
        {
            inout->gray[i] = (pelt_color){176, 176, 176, 255};
        }
        for (uint32_t i = 0; inout->gray_colors != NULL && i < scene->instance_count; ++i)
        {
            inout->gray_colors[i] = inout->gray; // NULL without memory: their own
        }
    }
    return inout->gray_colors;
}

static pelt_result draw_view(view_model* inout, uint32_t index, const model_input* input,
                             pelt_error* error)
{
    viewport* view = &inout->views[index];
    pelt_deform_options options = model_view_options(inout, &input->settings, index);
    pelt_skinning skinning = view->is_on_gpu ? PELT_SKINNING_GPU : PELT_SKINNING_CPU;
    if (view->is_on_gpu && view->time_count == 0)
    {
        // Shaders are compiled on their first use, which is not part of the cost of a technique.
        (void)pelt_stage_pose(inout->stage, &view->frame, &options, skinning, error);
    }
    double start = character_clock();
    pelt_result result = pelt_stage_upload(inout->stage, &view->frame, &options, skinning, error);
    double uploaded = character_clock();
    result = result == PELT_OK ? pelt_stage_skin(inout->stage, error) : result;
    double posed = character_clock();
    if (result != PELT_OK ||
        view_target_bind(&view->target, input->width, input->height, error) != PELT_OK)
    {
        return result != PELT_OK ? result : PELT_ERROR_UNSUPPORTED;
    }
    int colors = input->settings.colors;
    bool has_values = colors != COLORS_MATERIALS && colors != COLORS_JOINTS;
    pelt_look look = {
        .show = show_bits(&input->settings),
        .values = has_values ? (const float* const*)view->values : NULL,
        .map = model_color_map((view_colors)colors),
        .colors = colors == COLORS_JOINTS ? inout->weight_colors : find_gray(inout, input),
    };
    if (input->settings.has_texture_boxes && view->is_from_bake)
    {
        look.box_count = bake_slot_boxes(&look.boxes, &view->bake, &inout->character->data.scene,
                                         input->playback.clip);
    }
    view->box_count = look.box_count;
    orbit from = model_camera(inout, &input->camera);
    pelt_camera camera = orbit_camera(&from);
    result = pelt_stage_draw(inout->stage, input->width, input->height, &camera, &look, error);
    view_target_resolve(&view->target);
    inout->times.upload += uploaded - start;
    inout->times.skin += posed - uploaded;
    inout->times.draw += character_clock() - posed;
    if (view->is_on_gpu)
    {
        add_time(view, posed - start);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------

static bool is_scale_kept(const view_settings* a, const view_settings* b, const model_input* from,
                          const model_input* to)
{
    bool is_kept = a->colors == b->colors && from->playback.clip == to->playback.clip &&
                   memcmp(a->references, b->references, sizeof a->references) == 0;
    for (uint32_t i = 0; i < settings_view_count(b); ++i)
    {
        is_kept = is_kept && is_technique_same(a, b, i);
    }
    return is_kept;
}

// Distances are measured while a character plays; deforming it on the CPU for that in every frame
// would cost more than drawing it. The budget is half a millisecond per frame.
static bool is_measure_due(view_model* inout, const model_input* input)
{
    const double budget = 0.5;
    const view_settings *in = &input->settings, *shown = &inout->shown.settings;
    double interval = fmin(ceil(inout->measure_ms / budget), 30.0);
    bool is_needed = settings_metric(in) != PELT_METRIC_COUNT ||
                     in->colors == COLORS_NORMAL_ERROR || inout->needs_surfaces ||
                     inout->is_stale || !in->is_playing || in->has_brush;
    bool is_new = in->colors != shown->colors || in->layout != shown->layout ||
                  input->joint != inout->shown.joint || in->mix != shown->mix ||
                  in->has_own_mix != shown->has_own_mix ||
                  input->mix_revision != inout->shown.mix_revision ||
                  input->data_revision != inout->shown.data_revision;
    return is_needed || is_new || (double)++inout->frames_since >= interval;
}

static void measure(view_model* inout, const model_input* input)
{
    const pelt_scene* scene = &inout->character->data.scene;
    uint32_t count = settings_view_count(&input->settings);
    if (!is_scale_kept(&inout->shown.settings, &input->settings, &inout->shown, input))
    {
        inout->most = 0.0f;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        viewport* view = &inout->views[i];
        uint32_t reference = settings_reference(&input->settings, i);
        view->farthest = i != reference ? model_values_farthest(scene, &view->frame,
                                                                &inout->views[reference].frame)
                                        : 0.0f;
        if (input->settings.colors == COLORS_DIFFERENCE)
        {
            inout->most = fmaxf(inout->most, view->farthest);
        }
    }
    model_values_fill(inout, input, count);
}

static pelt_vec3 find_anchor(view_model* inout, const model_input* input)
{
    bool follows = input->settings.is_following &&
                   character_outline(inout->character, input->playback.clip)->is_traveling;
    return follows
               ? outline_place(&inout->character->data.scene, inout->views[0].frame.model_from_node)
               : pelt_vec3_make(0.0f, 0.0f, 0.0f);
}

orbit model_camera(const view_model* in, const orbit* from)
{
    orbit out = *from;
    out.target = pelt_vec3_add(out.target, in->anchor);
    return out;
}

pelt_result model_update(view_model* inout, const model_input* input, const pose_edit* edit,
                         pelt_error* error)
{
    inout->is_drawn = inout->is_stale || memcmp(&inout->shown, input, sizeof *input) != 0;
    if (!inout->is_drawn)
    {
        return PELT_OK;
    }
    const pelt_scene* scene = &inout->character->data.scene;
    uint32_t count = settings_view_count(&input->settings);
    if (input->settings.colors == COLORS_JOINTS && !make_weight_colors(inout))
    {
        return pelt_error_memory(error);
    }
    bool is_measured = is_measure_due(inout, input);
    inout->times = (model_times){0};
    double start = character_clock();
    playback_sample(&inout->pose, &inout->other, inout->cursors, &input->playback, scene);
    pose_edit_apply(&inout->pose, scene, edit);
    inout->times.pose = character_clock() - start;
    joint_mix_fill(&inout->mix, scene, input->settings.mix, input->settings.has_own_mix);
    for (uint32_t i = 0; i < count; ++i)
    {
        deform_view(inout, i, input, is_measured);
    }
    inout->anchor = find_anchor(inout, input);
    if (is_measured)
    {
        double from = character_clock();
        measure(inout, input);
        double spent = character_clock() - from;
        inout->times.deform += spent;
        inout->measure_ms = inout->times.deform;
        inout->frames_since = 0;
    }
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        result = draw_view(inout, i, input, error);
    }
    inout->is_stale = false;
    memcpy(&inout->shown, input, sizeof *input);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Picking

// How far along a ray a triangle is; infinite where it is not. Source: Moeller and Trumbore 1997.
static float hit_distance(pelt_vec3 eye, pelt_vec3 ray, const pelt_vec3* points,
                          const uint32_t* corners)
{
    pelt_vec3 a = points[corners[0]];
    pelt_vec3 u = pelt_vec3_sub(points[corners[1]], a);
    pelt_vec3 v = pelt_vec3_sub(points[corners[2]], a);
    pelt_vec3 p = pelt_vec3_cross(ray, v);
    float determinant = pelt_vec3_dot(u, p);
    pelt_vec3 t = pelt_vec3_sub(eye, a);
    pelt_vec3 q = pelt_vec3_cross(t, u);
    float x = pelt_vec3_dot(t, p) / determinant;
    float y = pelt_vec3_dot(ray, q) / determinant;
    float distance = pelt_vec3_dot(v, q) / determinant;
    bool is_inside = x >= 0.0f && y >= 0.0f && x + y <= 1.0f && distance > 0.0f;
    return is_inside ? distance : INFINITY;
}

static uint32_t strongest_joint(const pelt_scene* scene, uint32_t instance, uint32_t vertex)
{
    const pelt_instance* of = &scene->instances[instance];
    const pelt_weights* weights = &scene->meshes[of->mesh].weights;
    if (of->skin == PELT_NONE)
    {
        return of->node;
    }
    bool has_any =
        vertex < weights->vertex_count && weights->first[vertex] < weights->first[vertex + 1];
    return has_any
               ? scene->skins[of->skin].joints[weights->influences[weights->first[vertex]].joint]
               : PELT_NONE;
}

bool model_find(model_hit* out, const view_model* in, uint32_t view, float x, float y)
{
    const pelt_scene* scene = in->character->scene;
    orbit from = model_camera(in, &in->shown.camera);
    projection camera = orbit_project(&from, (float)in->shown.width, (float)in->shown.height);
    pelt_vec3 ray = projection_ray(&camera, x, y);
    float nearest = INFINITY;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = mesh_of(scene, i);
        const pelt_vec3* points = in->views[view].frame.surfaces[i].positions;
        for (uint32_t k = 0; k + 2 < mesh->index_count; k += 3)
        {
            float distance = hit_distance(camera.eye, ray, points, mesh->indices + k);
            if (distance < nearest)
            {
                nearest = distance;
                *out = (model_hit){
                    .instance = i,
                    .point = {.mesh = scene->instances[i].mesh, .triangle = k / 3},
                };
            }
        }
    }
    out->point.position = pelt_vec3_mad(camera.eye, nearest, ray);
    return nearest < INFINITY;
}

uint32_t model_joint_at(const view_model* in, const model_hit* hit)
{
    const pelt_scene* scene = in->character->scene;
    uint32_t vertex = mesh_of(scene, hit->instance)->indices[3 * hit->point.triangle];
    return strongest_joint(scene, hit->instance, vertex);
}

// Positions of all meshes as a viewport has them; if one has several instances, the one below the
// brush.
static const pelt_vec3* const* find_surfaces(view_model* inout, uint32_t view, const model_hit* hit)
{
    const pelt_scene* scene = inout->character->scene;
    const pelt_surface* surfaces = inout->views[view].frame.surfaces;
    for (uint32_t i = scene->instance_count; i > 0; --i)
    {
        inout->surfaces[scene->instances[i - 1].mesh] = surfaces[i - 1].positions;
    }
    inout->surfaces[hit->point.mesh] = surfaces[hit->instance].positions;
    return inout->surfaces;
}

bool model_paint_mix(view_model* inout, uint32_t view, const model_hit* hit, const mix_dab* dab)
{
    return mix_brush_dab(&inout->mix_brush, &inout->mask, &inout->mix, inout->character->scene,
                         find_surfaces(inout, view, hit), &hit->point, dab);
}

bool model_paint_weights(view_model* inout, uint32_t view, const model_hit* hit,
                         const weight_dab* dab)
{
    const pelt_scene* scene = inout->character->scene;
    bool is_there = inout->weights.meshes != NULL || live_weights_create(&inout->weights, scene);
    return is_there && weight_brush_dab(&inout->weight_brush, &inout->mask, &inout->weights, scene,
                                        find_surfaces(inout, view, hit), &hit->point, dab);
}

pelt_result model_update_weights(view_model* inout, bool is_final, pelt_error* error)
{
    view_character* character = inout->character;
    const pelt_cor_options options = {.sigma = character->data.sigma,
                                      .epsilon = character->data.epsilon};
    pelt_result result = live_weights_update(&inout->weights, character->scene,
                                             &character->data.scene, &options, is_final, error);
    for (uint32_t i = 0; i < inout->weights.mesh_count && result == PELT_OK; ++i)
    {
        if (inout->weights.is_changed[i])
        {
            result = pelt_stage_update_weights(inout->stage, i, error);
        }
    }
    take_data(inout);
    forget_weight_colors(inout);
    ++inout->mix.revision; // those of joints are means by weights
    ++inout->data_revision;
    model_metrics_destroy(inout); // of the weights before
    return result;
}

pelt_result model_save_fixed(const char* path, const view_model* in, pelt_error* error)
{
    pelt_scene fixed = *in->character->scene;
    pelt_arena* arena = pelt_arena_create();
    if (arena == NULL || pelt_scene_fix(&fixed, arena) != PELT_OK)
    {
        pelt_arena_destroy(arena);
        return pelt_error_memory(error);
    }
    pelt_result result = pelt_scene_pack(&fixed, in->character->path, path, arena, error);
    if (result == PELT_OK)
    {
        result = pelt_save_scene(path, PELT_FORMAT_GLB, &fixed, error);
    }
    pelt_arena_destroy(arena);
    return result;
}

pelt_result model_save(const char* path, const view_model* in, pelt_error* error)
{
    const view_character* character = in->character;
    // Painted weights are saved with the centers and factors that the picture shows.
    const pelt_scene* scene = in->weights.is_edited ? &character->data.scene : character->scene;
    return painted_file_save(path, scene, &in->mix, character->path, error);
}
