// SPDX-License-Identifier: MIT
// Angles between the normals of each rule and those of the deformed triangles.
#include "normal_error.h"

#include <math.h>

static size_t count_vertices(const pelt_scene* scene)
{
    size_t count = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        count += scene->meshes[scene->instances[i].mesh].vertex_count;
    }
    return count;
}

static pelt_result prepare(normal_subject* s)
{
    pelt_scene prepared = *s->scene;
    s->truth = pelt_arena_alloc(s->arena, count_vertices(s->scene), sizeof *s->truth);
    bool is_ok =
        s->truth != NULL && pelt_pose_create(&s->pose, s->scene) == PELT_OK &&
        pelt_scene_add_cors(&prepared, PELT_PREPARE_ALL, NULL, NULL, s->arena, NULL) == PELT_OK &&
        pelt_scene_add_normal_factors(&prepared, PELT_PREPARE_ALL, NULL, NULL, s->arena, NULL) ==
            PELT_OK &&
        pelt_frame_create(&s->frame, &prepared) == PELT_OK;
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}

pelt_result normal_subject_create(normal_subject* out, const pelt_scene* scene)
{
    *out = (normal_subject){.scene = scene, .arena = pelt_arena_create()};
    pelt_result result = out->arena != NULL ? prepare(out) : PELT_ERROR_MEMORY;
    if (result != PELT_OK)
    {
        normal_subject_destroy(out);
    }
    return result;
}

void normal_subject_destroy(normal_subject* subject)
{
    pelt_frame_destroy(&subject->frame);
    pelt_pose_destroy(&subject->pose);
    pelt_arena_destroy(subject->arena);
    *subject = (normal_subject){0};
}

// The matrix that moves a vertex: of its strongest joint, of the node without a skin, or NULL.
static const pelt_mat34* matrix_of(const pelt_scene* scene, const pelt_instance* instance,
                                   const pelt_frame* frame, uint32_t vertex)
{
    const pelt_weights* weights = &scene->meshes[instance->mesh].weights;
    if (instance->skin == PELT_NONE)
    {
        return &frame->model_from_node[instance->node];
    }
    uint32_t first = weights->first[vertex];
    return first < weights->first[vertex + 1]
               ? &frame->palettes[instance->skin].matrices[weights->influences[first].joint]
               : NULL;
}

static bool is_mirror(const pelt_mat34* matrix)
{
    pelt_mat3 linear = pelt_mat34_linear(matrix);
    return pelt_mat3_determinant(&linear) < 0.0f;
}

pelt_result normal_truth(pelt_vec3* out, const pelt_scene* scene, uint32_t instance,
                         const pelt_frame* frame)
{
    const pelt_mesh* mesh = &scene->meshes[scene->instances[instance].mesh];
    PELT_TRY(pelt_normals_recompute(out, mesh, frame->surfaces[instance].positions));
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        const pelt_mat34* matrix = matrix_of(scene, &scene->instances[instance], frame, v);
        if (matrix != NULL && is_mirror(matrix))
        {
            out[v] = pelt_vec3_scale(out[v], -1.0f);
        }
    }
    return PELT_OK;
}

double normal_angle(pelt_vec3 a, pelt_vec3 b)
{
    // atan2() of sine and cosine: the cosine alone is inaccurate for small angles.
    pelt_vec3 cross = pelt_vec3_cross(a, b);
    return atan2((double)pelt_vec3_length(cross), (double)pelt_vec3_dot(a, b)) *
           (180.0 / 3.14159265358979323846);
}

bool normal_error_counts(const pelt_normal_factors* factors, uint32_t vertex)
{
    return factors->first[vertex + 1] > factors->first[vertex];
}

void normal_error_add(normal_error* inout, const pelt_normal_factors* factors,
                      const pelt_vec3* normals, const pelt_vec3* truth)
{
    for (uint32_t v = 0; v < factors->vertex_count; ++v)
    {
        if (normal_error_counts(factors, v))
        {
            double angle = normal_angle(normals[v], truth[v]);
            inout->sum += angle;
            inout->max = fmax(inout->max, angle);
            ++inout->count;
        }
    }
}

double normal_error_mean(const normal_error* in)
{
    return in->count > 0 ? in->sum / (double)in->count : 0.0;
}

pelt_result normal_subject_measure(normal_error errors[PELT_NORMAL_RULE_COUNT],
                                   normal_subject* subject, pelt_method method, pelt_error* error)
{
    for (int rule = 0; rule < PELT_NORMAL_RULE_COUNT; ++rule)
    {
        pelt_deform_options options = {
            .method = method, .mix = 0.5f, .normal_rule = (pelt_normal_rule)rule};
        pelt_frame_update(&subject->frame, subject->scene, &subject->pose, &options);
        PELT_TRY(pelt_surfaces_validate(subject->frame.surfaces, subject->scene, error));
        pelt_vec3* truth = subject->truth;
        for (uint32_t i = 0; i < subject->scene->instance_count; ++i)
        {
            uint32_t mesh = subject->scene->instances[i].mesh;
            const pelt_surface* surface = &subject->frame.surfaces[i];
            const pelt_normal_factors* factors = subject->frame.normal_factors[mesh];
            // Positions are the same under all rules.
            if (factors != NULL && rule == 0 &&
                normal_truth(truth, subject->scene, i, &subject->frame) != PELT_OK)
            {
                return pelt_error_memory(error);
            }
            if (factors != NULL)
            {
                normal_error_add(&errors[rule], factors, surface->normals, truth);
            }
            truth += subject->scene->meshes[mesh].vertex_count;
        }
    }
    return PELT_OK;
}
