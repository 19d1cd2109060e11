// SPDX-License-Identifier: MIT
#include "model.h"

#include "pelt/metrics.h"

#include <stdlib.h>
#include <string.h>

static const pelt_mesh* mesh_of(const pelt_scene* scene, uint32_t instance)
{
    return &scene->meshes[scene->instances[instance].mesh];
}

float model_values_farthest(const pelt_scene* scene, const pelt_frame* a, const pelt_frame* b)
{
    double farthest = 0.0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        pelt_difference difference = pelt_positions_compare(
            a->surfaces[i].positions, b->surfaces[i].positions, mesh_of(scene, i)->vertex_count);
        farthest = fmax(farthest, difference.max);
    }
    return (float)farthest;
}

static void fill_distances(float** out, const pelt_scene* scene, const pelt_frame* a,
                           const pelt_frame* b)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        for (uint32_t v = 0; v < mesh_of(scene, i)->vertex_count; ++v)
        {
            out[i][v] =
                pelt_vec3_distance(a->surfaces[i].positions[v], b->surfaces[i].positions[v]);
        }
    }
}

// In degrees. @return the mean
static float fill_angles(float** out, view_model* inout, const pelt_frame* frame)
{
    const pelt_scene* scene = &inout->character->data.scene;
    double sum = 0.0;
    uint64_t count = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_surface* surface = &frame->surfaces[i];
        const pelt_mesh* mesh = mesh_of(scene, i);
        bool is_known = surface->normals != NULL &&
                        pelt_normals_recompute(inout->scratch, mesh, surface->positions) == PELT_OK;
        for (uint32_t v = 0; v < mesh->vertex_count; ++v)
        {
            float angle = NAN;
            if (is_known)
            {
                pelt_vec3 a = surface->normals[v], b = inout->scratch[v];
                float sine = pelt_vec3_length(pelt_vec3_cross(a, b));
                angle = atan2f(sine, pelt_vec3_dot(a, b)) * 180.0f / PELT_PI;
                sum += (double)angle;
                ++count;
            }
            out[i][v] = angle;
        }
    }
    return count > 0 ? (float)(sum / (double)count) : 0.0f;
}

static void fill_weights(float** out, const pelt_scene* scene, uint32_t node)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        uint32_t skin = scene->instances[i].skin;
        const pelt_mesh* mesh = mesh_of(scene, i);
        for (uint32_t v = 0; v < mesh->vertex_count; ++v)
        {
            out[i][v] = 0.0f;
            const pelt_weights* weights = &mesh->weights;
            bool is_skinned = skin != PELT_NONE && v < weights->vertex_count;
            for (uint32_t k = is_skinned ? weights->first[v] : 0;
                 is_skinned && k < weights->first[v + 1]; ++k)
            {
                bool is_joint = scene->skins[skin].joints[weights->influences[k].joint] == node;
                out[i][v] += is_joint ? weights->influences[k].weight : 0.0f;
            }
        }
    }
}

// The factors that a viewport has: textures of vertices were baked with those of the file.
static void fill_factors(viewport* view, const pelt_scene* scene, float mix)
{
    bool is_vertex = view->is_from_bake && view->bake.request.encoding == PELT_ENCODING_VERTEX;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        const pelt_mesh* mesh = &scene->meshes[instance->mesh];
        const float* factors =
            is_vertex ? mesh->mix_factors : view->frame.mix_factors[instance->mesh];
        for (uint32_t v = 0; v < mesh->vertex_count; ++v)
        {
            float own = factors != NULL ? factors[v] : mix;
            view->values[i][v] = instance->skin != PELT_NONE ? own : NAN;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Metrics

void model_metrics_destroy(view_model* inout)
{
    pelt_pose_metrics_destroy(&inout->pose_metrics);
    pelt_body_destroy(inout->body);
    free(inout->metric_values);
    inout->body = NULL;
    inout->metric_values = NULL;
    inout->pose_metrics = (pelt_pose_metrics){0};
}

static bool prepare_metrics(view_model* inout)
{
    pelt_error unused = {0};
    if (inout->body != NULL)
    {
        return true;
    }
    if (pelt_body_create(&inout->body, &inout->character->data.scene, &unused) != PELT_OK)
    {
        return false;
    }
    uint32_t count = pelt_body_get_info(inout->body)->vertex_count;
    inout->metric_values = calloc((size_t)count + 1, sizeof *inout->metric_values);
    bool is_whole = inout->metric_values != NULL &&
                    pelt_pose_metrics_create(&inout->pose_metrics, inout->body) == PELT_OK;
    if (!is_whole)
    {
        model_metrics_destroy(inout);
    }
    return is_whole;
}

// @return the largest magnitude
static float fill_metric(viewport* view, view_model* inout, pelt_metric metric)
{
    const pelt_scene* scene = &inout->character->data.scene;
    bool is_known = prepare_metrics(inout);
    const pelt_body_info* body = is_known ? pelt_body_get_info(inout->body) : NULL;
    float most = 0.0f;
    if (is_known)
    {
        pelt_metric_input input = {.metrics = PELT_METRIC_BIT(metric),
                                   .surfaces = view->frame.surfaces,
                                   .palettes = view->frame.palettes};
        input.values[metric] = inout->metric_values;
        pelt_body_measure(&inout->pose_metrics, inout->body, &input);
        const pelt_metric_summary* all = &inout->pose_metrics.regions[0].metrics[metric];
        most = fmaxf(all->max, -all->min);
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        uint32_t first = is_known ? body->first_vertices[i] : PELT_NONE;
        for (uint32_t v = 0; v < mesh_of(scene, i)->vertex_count; ++v)
        {
            view->values[i][v] = first != PELT_NONE ? inout->metric_values[first + v] : NAN;
        }
    }
    return most;
}

// ---------------------------------------------------------------------------------------------
// Over the clip

bool model_profile_key(profile_key* out, const view_model* in, const view_settings* settings,
                       const playback* from)
{
    *out = (profile_key){.clip = from->clip,
                         .metric = settings_metric(settings),
                         .view_count = settings_view_count(settings),
                         .data_revision = in->data_revision};
    bool has_any = false;
    for (uint32_t i = 0; i < out->view_count; ++i)
    {
        uint32_t reference = settings_reference(settings, i);
        out->deform[i] = model_view_options(in, settings, i);
        out->reference[i] = model_view_options(in, settings, reference);
        out->is_measured[i] = out->metric != PELT_METRIC_DISTANCE || reference != i;
        has_any = has_any || out->is_measured[i];
    }
    return has_any && out->clip != PELT_NONE && out->metric != PELT_METRIC_COUNT &&
           in->character->scene->skin_count > 0 && settings->mode == MODE_COMPARE;
}

bool model_has_profile(const view_model* in, const view_settings* settings, const playback* from)
{
    profile_key key;
    return model_profile_key(&key, in, settings, from) &&
           profile_key_is_same(&key, &in->profile.key);
}

// ---------------------------------------------------------------------------------------------
// Range

pelt_color_map model_color_map(view_colors colors)
{
    const view_settings as = {.colors = (int)colors};
    pelt_metric metric = settings_metric(&as);
    bool is_signed = metric != PELT_METRIC_COUNT && pelt_metric_describe(metric)->is_signed;
    return colors == COLORS_WEIGHTS ? PELT_COLOR_MAP_WEIGHT
           : is_signed              ? PELT_COLOR_MAP_SIGNED
                                    : PELT_COLOR_MAP_UNIFORM;
}

// Vertices of all viewports by the magnitude of their values.
static uint32_t count_values(uint32_t bins[HEAT_BINS], const view_model* in, uint32_t view_count,
                             float scale)
{
    const pelt_scene* scene = &in->character->data.scene;
    uint32_t count = 0;
    memset(bins, 0, HEAT_BINS * sizeof *bins);
    for (uint32_t view = 0; view < view_count; ++view)
    {
        for (uint32_t i = 0; i < scene->instance_count; ++i)
        {
            for (uint32_t v = 0; v < mesh_of(scene, i)->vertex_count; ++v)
            {
                float part = fabsf(in->views[view].values[i][v]) / scale * (float)HEAT_BINS;
                if (part >= 0.0f) // not NaN
                {
                    ++bins[part < (float)HEAT_BINS ? (uint32_t)part : HEAT_BINS - 1];
                    ++count;
                }
            }
        }
    }
    return count;
}

// The value below which 95 % of vertices are, within a bin of the largest.
static float percentile_of(const view_model* in, uint32_t view_count)
{
    float scale = in->most;
    for (int i = 0; i < 2 && scale > 0.0f; ++i) // once more where most bins were empty
    {
        uint32_t bins[HEAT_BINS], sum = 0, bin = 0;
        uint32_t count = count_values(bins, in, view_count, scale);
        while (bin + 1 < HEAT_BINS && (double)(sum + bins[bin]) < 0.95 * (double)count)
        {
            sum += bins[bin++];
        }
        scale *= (float)(bin + 1) / (float)HEAT_BINS;
    }
    return scale;
}

static bool is_length(pelt_metric metric)
{
    return strcmp(pelt_metric_describe(metric)->unit, "m") == 0;
}

static float find_scale(const view_model* in, const model_input* input, uint32_t view_count)
{
    const view_settings* settings = &input->settings;
    pelt_metric metric = settings_metric(settings);
    if (metric == PELT_METRIC_COUNT)
    {
        return fmaxf(in->most, 1.0f);
    }
    float least = is_length(metric) ? 1e-3f : 0.01f; // where nothing differs
    switch ((heat_range)settings->heat_range)
    {
    case HEAT_RANGE_FIXED:
        return settings->heat_high * (is_length(metric) ? 1e-3f : 1e-2f);
    case HEAT_RANGE_PERCENTILE:
        return fmaxf(percentile_of(in, view_count), 0.1f * least);
    case HEAT_RANGE_CLIP:
    case HEAT_RANGE_COUNT:
        break;
    }
    bool has_profile = model_has_profile(in, settings, &input->playback);
    return fmaxf(has_profile ? fmaxf(in->profile.high, in->most) : in->most, least);
}

// As parts of the scale; around the middle of the colors where values have signs.
static void divide(float** inout, const pelt_scene* scene, float scale, bool is_signed)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        for (uint32_t v = 0; v < mesh_of(scene, i)->vertex_count; ++v)
        {
            float part = inout[i][v] / scale;
            inout[i][v] = is_signed ? 0.5f + 0.5f * part : part;
        }
    }
}

// @return the largest magnitude
static float fill_view(view_model* inout, const model_input* input, uint32_t index)
{
    const pelt_scene* scene = &inout->character->data.scene;
    viewport* view = &inout->views[index];
    view_colors colors = (view_colors)input->settings.colors;
    switch (colors)
    {
    case COLORS_DIFFERENCE:
        fill_distances(view->values, scene, &view->frame,
                       &inout->views[settings_reference(&input->settings, index)].frame);
        return view->farthest;
    case COLORS_NORMAL_ERROR:
        view->angle = fill_angles(view->values, inout, &view->frame);
        // The mean says little about the worst normals, which are about ten times as far off.
        return 10.0f * view->angle;
    case COLORS_MIX:
        fill_factors(view, scene, settings_deform_options(&input->settings, index).mix);
        return 1.0f;
    case COLORS_WEIGHTS:
        fill_weights(view->values, scene, input->joint);
        return 1.0f;
    default:
        return fill_metric(view, inout, settings_metric(&input->settings));
    }
}

void model_values_fill(view_model* inout, const model_input* input, uint32_t count)
{
    view_colors colors = (view_colors)input->settings.colors;
    if (colors == COLORS_MATERIALS || colors == COLORS_JOINTS)
    {
        return;
    }
    if (colors == COLORS_WEIGHTS || colors == COLORS_MIX)
    {
        inout->most = 1.0f;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        inout->most = fmaxf(inout->most, fill_view(inout, input, i));
    }
    inout->scale = find_scale(inout, input, count);
    (void)count_values(inout->histogram, inout, count, inout->scale);
    bool is_signed = model_color_map(colors) == PELT_COLOR_MAP_SIGNED;
    for (uint32_t i = 0; i < count; ++i)
    {
        divide(inout->views[i].values, &inout->character->data.scene, inout->scale, is_signed);
    }
}
