// SPDX-License-Identifier: MIT
#include "model.h"

#include "pelt/metrics.h"

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

static void divide(float** inout, const pelt_scene* scene, float scale)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        for (uint32_t v = 0; v < mesh_of(scene, i)->vertex_count; ++v)
        {
            inout[i][v] /= scale;
        }
    }
}

void model_values_fill(view_model* inout, const model_input* input, uint32_t count)
{
    const pelt_scene* scene = &inout->character->data.scene;
    view_colors colors = (view_colors)input->settings.colors;
    if (colors == COLORS_MATERIALS || colors == COLORS_JOINTS)
    {
        return;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        viewport* view = &inout->views[i];
        if (colors == COLORS_DIFFERENCE)
        {
            uint32_t reference = settings_reference(&input->settings, i);
            fill_distances(view->values, scene, &view->frame, &inout->views[reference].frame);
        }
        else if (colors == COLORS_NORMAL_ERROR)
        {
            view->angle = fill_angles(view->values, inout, &view->frame);
            // The mean says little about the worst normals, which are about ten times as far off.
            inout->scale = fmaxf(inout->scale, 10.0f * view->angle);
        }
        else if (colors == COLORS_MIX)
        {
            fill_factors(view, scene, settings_deform_options(&input->settings, i).mix);
            inout->scale = 1.0f;
        }
        else
        {
            fill_weights(view->values, scene, input->joint);
            inout->scale = 1.0f;
        }
    }
    // If nothing differs, the scale ends at a millimeter or a degree.
    float least = colors == COLORS_DIFFERENCE ? 1e-3f : 1.0f;
    inout->scale = fmaxf(inout->scale, least);
    for (uint32_t i = 0; i < count; ++i)
    {
        divide(inout->views[i].values, scene, inout->scale);
    }
}
