// SPDX-License-Identifier: MIT
// The contracts of pelt_deform() as sentences, for programs that fill its structs themselves, and
// the check of its results.
#include "../base/exact.h"

#include "../../include/pelt/prepare.h"

#include "../base/mesh_check.h"

pelt_result pelt_deform_options_validate(const pelt_deform_options* options, pelt_error* error)
{
    PELT_ASSERT(options != NULL);
    if ((uint32_t)options->method >= PELT_METHOD_COUNT ||
        (uint32_t)options->normal_rule >= PELT_NORMAL_RULE_COUNT ||
        (uint32_t)options->sign_rule >= PELT_SIGN_RULE_COUNT ||
        (uint32_t)options->scale_pivot > PELT_SCALE_ORIGIN ||
        (uint32_t)options->dqs_variant >= PELT_DQS_VARIANT_COUNT ||
        (uint32_t)options->lms_variant >= PELT_LMS_VARIANT_COUNT)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "method, normal_rule, sign_rule, scale_pivot, dqs_variant or "
                              "lms_variant of the options is out of range");
    }
    if (!(options->mix >= 0.0f && options->mix <= 1.0f) ||
        !(options->distance_correction >= 0.0f && options->distance_correction <= 1.0f) ||
        !isfinite(options->normal_clamp))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "mix is %g, distance_correction %g and normal_clamp %g; the first "
                              "two must be from 0 to 1, and all of them finite",
                              (double)options->mix, (double)options->distance_correction,
                              (double)options->normal_clamp);
    }
    return PELT_OK;
}

static pelt_result check_pointers(const pelt_surface* out, const pelt_deform_input* input,
                                  pelt_error* error)
{
    if (input->positions == NULL || input->weights == NULL || input->palette == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "%s of the input is NULL; deformation needs positions, weights and a "
                              "palette",
                              input->positions == NULL ? "positions"
                              : input->weights == NULL ? "weights"
                                                       : "palette");
    }
    if ((out->normals != NULL && input->normals == NULL) ||
        (out->tangents != NULL && input->tangents == NULL))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "%s are asked for, but the input has none; set them, for instance "
                              "from pelt_normals_compute(), or leave the output NULL",
                              out->normals != NULL && input->normals == NULL ? "normals"
                                                                             : "tangents");
    }
    if (input->displacements != NULL &&
        (input->stencils == NULL || input->stencils->vertex_count != input->weights->vertex_count))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "displacements need the stencils of the same mesh; see "
                              "pelt_stencils_build()");
    }
    return PELT_OK;
}

static pelt_result check_strides(const pelt_surface* out, const pelt_deform_input* input,
                                 pelt_error* error)
{
    const struct
    {
        const char* name;
        uint32_t stride, width;
    } rows[] = {{"input positions", input->position_stride, 12},
                {"input normals", input->normal_stride, 12},
                {"input tangents", input->tangent_stride, 16},
                {"output positions", out->position_stride, 12},
                {"output normals", out->normal_stride, 12},
                {"output tangents", out->tangent_stride, 16}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    {
        if (rows[i].stride != 0 && (rows[i].stride % 4 != 0 || rows[i].stride < rows[i].width))
        {
            return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                  "the stride of %s is %u bytes; it must be a multiple of 4 and at "
                                  "least %u, or 0 for packed arrays",
                                  rows[i].name, rows[i].stride, rows[i].width);
        }
    }
    return PELT_OK;
}

static pelt_result check_counts(const pelt_deform_input* input, pelt_range range, pelt_error* error)
{
    const pelt_weights* weights = input->weights;
    const pelt_normal_factors* factors = input->normal_factors;
    uint32_t palette_count = input->palette->joint_count;
    if (range.first > weights->vertex_count || range.count > weights->vertex_count - range.first)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "the range of %u vertices from %u exceeds the %u of the weights",
                              range.count, range.first, weights->vertex_count);
    }
    if (weights->joint_count > palette_count)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "the weights have %u joints, but the palette has %u",
                              weights->joint_count, palette_count);
    }
    if (factors != NULL &&
        (factors->vertex_count != weights->vertex_count || factors->joint_count > palette_count))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "the normal factors are those of another mesh: they have %u vertices "
                              "and %u joints, the weights %u and the palette %u",
                              factors->vertex_count, factors->joint_count, weights->vertex_count,
                              palette_count);
    }
    if (input->bones != NULL && weights->joint_count > input->bones->joint_count)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "the weights have %u joints, but the bones are those of %u",
                              weights->joint_count, input->bones->joint_count);
    }
    PELT_TRY(pelti_offsets_check(weights, weights->vertex_count, NULL, error));
    return pelti_joints_check(weights, NULL, error);
}

static pelt_result check_needs(const pelt_deform_input* input, const pelt_deform_options* options,
                               pelt_error* error)
{
    const pelt_method_traits* traits = pelt_method_info(options->method);
    if (traits->needs_centers && input->cors == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "%s needs centers of rotation; see pelt_cor_solve()", traits->name);
    }
    if (traits->needs_smoothing && input->weights->ddm == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "%s needs smoothed weights, without which it is lbs; see "
                              "pelt_ddm_solve()",
                              traits->name);
    }
    bool has_motions = input->palette->motions != NULL && input->palette->stretches != NULL;
    if (traits->needs_motions && !has_motions)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "%s needs a palette with motions and stretches; see "
                              "pelt_palette_create()",
                              traits->name);
    }
    if (options->normal_rule != PELT_NORMAL_STANDARD && !traits->has_derivatives)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "there are no %s normals for %s; use the standard rule",
                              pelt_normal_rule_name(options->normal_rule), traits->name);
    }
    if (options->normal_rule != PELT_NORMAL_STANDARD && input->normal_factors == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "%s normals need normal factors; see pelt_normal_factors_build()",
                              pelt_normal_rule_name(options->normal_rule));
    }
    if (options->distance_correction > 0.0f && input->bones == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "distance_correction needs bones; see pelt_bones_build()");
    }
    return PELT_OK;
}

// Whether motion * stretch is the matrix, up to the error of the decomposition of an
// ill-conditioned matrix in float. The sign of the quaternion, which pelt_palette_align() changes,
// does not matter.
static bool is_split_of(const pelt_palette* palette, uint32_t joint)
{
    const pelt_mat34* matrix = &palette->matrices[joint];
    pelt_mat3 rotation = pelt_mat3_from_quat(palette->motions[joint].real);
    pelt_mat3 linear = pelt_mat3_mul(&rotation, &palette->stretches[joint]);
    pelt_vec3 translation = pelt_dquat_translation(palette->motions[joint]);
    pelt_mat34 product = pelt_mat34_make(&linear, translation);
    float size[2] = {0.0f, 0.0f}, error[2] = {0.0f, 0.0f}; // linear part, translation
    for (int i = 0; i < 12; ++i)
    {
        int part = i % 4 == 3;
        float expected = matrix->m[i / 4][i % 4];
        size[part] = fmaxf(size[part], fabsf(expected));
        error[part] = fmaxf(error[part], fabsf(product.m[i / 4][i % 4] - expected));
    }
    return error[0] <= 1e-4f * size[0] && error[1] <= 1e-4f * size[1];
}

static pelt_result check_palette(const pelt_palette* palette, pelt_error* error)
{
    if (palette->joint_count > 0 && palette->matrices == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "the palette has no matrices");
    }
    for (uint32_t joint = 0; joint < palette->joint_count; ++joint)
    {
        for (int i = 0; i < 12; ++i)
        {
            if (!isfinite(palette->matrices[joint].m[i / 4][i % 4]))
            {
                return pelt_error_set(error, PELT_ERROR_DATA,
                                      "the matrix of joint %u is not finite", joint);
            }
        }
        bool is_split = palette->motions != NULL && palette->stretches != NULL;
        if (is_split && !is_split_of(palette, joint))
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "the motion of joint %u is not that of its matrix; call "
                                  "pelt_palette_decompose() after writing matrices",
                                  joint);
        }
    }
    return PELT_OK;
}

pelt_result pelt_deform_validate(const pelt_surface* out, const pelt_deform_input* input,
                                 const pelt_deform_options* options, pelt_range range,
                                 pelt_error* error)
{
    if (out == NULL || input == NULL || options == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "the %s is NULL",
                              out == NULL     ? "output"
                              : input == NULL ? "input"
                                              : "struct of options");
    }
    PELT_TRY(pelt_deform_options_validate(options, error));
    PELT_TRY(check_pointers(out, input, error));
    PELT_TRY(check_strides(out, input, error));
    PELT_TRY(check_counts(input, range, error));
    PELT_TRY(check_needs(input, options, error));
    return check_palette(input->palette, error);
}

// ---------------------------------------------------------------------------------------------
// Results that left the range of float, found before they are used

typedef struct attribute_array
{
    const char* what;
    const float* values; // or NULL
    uint32_t width;
    uint32_t stride; // bytes; 0: packed
} attribute_array;

// The first vertex with a number that is not finite, or vertex_count.
static uint32_t find_broken(const attribute_array* array, uint32_t vertex_count)
{
    size_t bytes = array->stride > 0 ? array->stride : array->width * sizeof(float);
    uint32_t vertex = 0;
    for (; array->values != NULL && vertex < vertex_count; ++vertex)
    {
        const float* value =
            (const float*)(const void*)((const char*)array->values + bytes * vertex);
        for (uint32_t i = 0; i < array->width; ++i)
        {
            if (!isfinite(value[i]))
            {
                return vertex;
            }
        }
    }
    return vertex_count;
}

pelt_result pelt_surfaces_validate(const pelt_surface* surfaces, const pelt_scene* scene,
                                   pelt_error* error)
{
    PELT_ASSERT(surfaces != NULL || scene->instance_count == 0);

    for (uint32_t instance = 0; instance < scene->instance_count; ++instance)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[instance].mesh];
        const pelt_surface* surface = &surfaces[instance];
        const attribute_array arrays[] = {
            {"position", (const float*)surface->positions, 3, surface->position_stride},
            {"normal", (const float*)surface->normals, 3, surface->normal_stride},
            {"tangent", (const float*)surface->tangents, 4, surface->tangent_stride}};
        for (int i = 0; i < 3; ++i)
        {
            uint32_t vertex = find_broken(&arrays[i], mesh->vertex_count);
            if (vertex < mesh->vertex_count)
            {
                return pelt_error_set(error, PELT_ERROR_DATA,
                                      "the %s of vertex %u of instance %u (mesh \"%s\") is beyond "
                                      "the range of float; make the numbers of the pose or of the "
                                      "model smaller",
                                      arrays[i].what, vertex, instance,
                                      mesh->name != NULL ? mesh->name : "");
            }
        }
    }
    return PELT_OK;
}
