// SPDX-License-Identifier: MIT
// The methods and conventions by name.
#include "../base/exact.h"

#include "../../include/pelt/pelt.h"

#include <string.h>

typedef struct method_row
{
    void (*deform)(const pelt_surface* out, const pelt_deform_input* input,
                   const pelt_deform_options* options, pelt_range range);
    pelt_method_traits traits;
} method_row;

enum
{
    // The data of a joint on the GPU.
    MATRIX = 12,
    ROTATION = 4,
    DUAL_QUATERNION = 8,
};

// Colors are those of pelt_series_color(), in its order: a test compares them.
static const method_row methods[PELT_METHOD_COUNT] = {
    [PELT_METHOD_LBS] = {.deform = pelt_deform_lbs,
                         .traits = {.name = "lbs",
                                    .label = "LBS",
                                    .title = "linear blend",
                                    .color = {0x00, 0x72, 0xb2, 255},
                                    .has_derivatives = true,
                                    .has_kernels = true,
                                    .gpu_joint_floats = MATRIX,
                                    .shader_parts = 1u << PELT_METHOD_LBS}},
    [PELT_METHOD_DQS] = {.deform = pelt_deform_dqs,
                         .traits = {.name = "dqs",
                                    .label = "DQS",
                                    .title = "dual quaternions",
                                    .color = {0xd5, 0x5e, 0x00, 255},
                                    .needs_motions = true,
                                    .has_dqs_variant = true,
                                    .has_derivatives = true,
                                    .has_kernels = true,
                                    .gpu_joint_floats = DUAL_QUATERNION,
                                    .shader_parts = 1u << PELT_METHOD_DQS}},
    [PELT_METHOD_MIX] = {.deform = pelt_deform_mix,
                         .traits = {.name = "mix",
                                    .label = "mix",
                                    .title = "mix of LBS and DQS",
                                    .color = {0x8f, 0x3f, 0x73, 255},
                                    .needs_motions = true,
                                    .has_mix_factor = true,
                                    .has_dqs_variant = true,
                                    .has_derivatives = true,
                                    .has_kernels = true,
                                    .gpu_joint_floats = MATRIX + DUAL_QUATERNION,
                                    .shader_parts = 1u << PELT_METHOD_LBS | 1u << PELT_METHOD_DQS |
                                                    1u << PELT_METHOD_MIX}},
    [PELT_METHOD_CRS] = {.deform = pelt_deform_crs,
                         .traits = {.name = "crs",
                                    .label = "CRS",
                                    .title = "centers of rotation",
                                    .color = {0x00, 0x9e, 0x73, 255},
                                    .needs_motions = true,
                                    .needs_centers = true,
                                    .has_derivatives = true,
                                    .has_kernels = true,
                                    .gpu_joint_floats = MATRIX + ROTATION,
                                    .shader_parts = 1u << PELT_METHOD_CRS}},
    [PELT_METHOD_LMS] = {.deform = pelt_deform_lms,
                         .traits = {.name = "lms",
                                    .label = "LMS",
                                    .title = "log-matrix blend",
                                    .color = {0x22, 0x22, 0x22, 255},
                                    .needs_motions = true,
                                    .has_lms_variant = true}},
    [PELT_METHOD_SBS] = {.deform = pelt_deform_sbs,
                         .traits = {.name = "sbs",
                                    .label = "SBS",
                                    .title = "spherical blend",
                                    .color = {0x56, 0xb4, 0xe9, 255},
                                    .needs_motions = true}},
    [PELT_METHOD_DDM] = {.deform = pelt_deform_ddm,
                         .traits = {.name = "ddm",
                                    .label = "DDM",
                                    .title = "direct delta mush",
                                    .color = {0xe6, 0x9f, 0x00, 255},
                                    .needs_motions = true,
                                    .needs_smoothing = true}},
};

const pelt_method_traits* pelt_method_info(pelt_method method)
{
    PELT_ASSERT(method < PELT_METHOD_COUNT);
    return &methods[method].traits;
}

const char* pelt_method_name(pelt_method method)
{
    return pelt_method_info(method)->name;
}

pelt_method pelt_method_find(const char* name)
{
    uint32_t method = 0;
    while (method < PELT_METHOD_COUNT && strcmp(methods[method].traits.name, name) != 0)
    {
        ++method;
    }
    return (pelt_method)method;
}

typedef struct convention_entry
{
    const char* name;
    pelt_sign_rule sign_rule;
    pelt_scale_pivot scale_pivot;
    bool recomputes; // normals, from the deformed triangles
} convention_entry;

static const convention_entry conventions[PELT_CONVENTION_COUNT] = {
    [PELT_CONVENTION_PELT] = {"pelt", PELT_SIGN_HEAVIEST, PELT_SCALE_LOCAL, false},
    [PELT_CONVENTION_BLENDER] = {"blender", PELT_SIGN_RUNNING, PELT_SCALE_LOCAL, true},
    [PELT_CONVENTION_MAYA] = {"maya", PELT_SIGN_HEAVIEST, PELT_SCALE_ORIGIN, true},
    [PELT_CONVENTION_USD] = {"usd", PELT_SIGN_HEAVIEST, PELT_SCALE_ORIGIN, false},
    [PELT_CONVENTION_OGRE] = {"ogre", PELT_SIGN_FIRST, PELT_SCALE_ORIGIN, false},
};

const char* pelt_convention_name(pelt_convention convention)
{
    PELT_ASSERT((uint32_t)convention < PELT_CONVENTION_COUNT);
    return conventions[convention].name;
}

void pelt_convention_apply(pelt_deform_options* options, pelt_convention convention)
{
    PELT_ASSERT((uint32_t)convention < PELT_CONVENTION_COUNT);
    options->sign_rule = conventions[convention].sign_rule;
    options->scale_pivot = conventions[convention].scale_pivot;
    options->normal_rule = PELT_NORMAL_STANDARD;
}

bool pelt_convention_recomputes(pelt_convention convention)
{
    PELT_ASSERT((uint32_t)convention < PELT_CONVENTION_COUNT);
    return conventions[convention].recomputes;
}

const char* pelt_sign_rule_name(pelt_sign_rule rule)
{
    static const char* const names[] = {"heaviest", "running", "first", "hierarchy"};
    PELT_ASSERT((uint32_t)rule < PELT_SIGN_RULE_COUNT);
    return names[rule];
}

const char* pelt_dqs_variant_name(pelt_dqs_variant variant)
{
    static const char* const names[] = {"antipodal", "basic", "optimized"};
    PELT_ASSERT((uint32_t)variant < PELT_DQS_VARIANT_COUNT);
    return names[variant];
}

const char* pelt_lms_variant_name(pelt_lms_variant variant)
{
    static const char* const names[] = {"relative", "published"};
    PELT_ASSERT((uint32_t)variant < PELT_LMS_VARIANT_COUNT);
    return names[variant];
}

static const char* const rule_names[PELT_NORMAL_RULE_COUNT] = {
    [PELT_NORMAL_STANDARD] = "standard",
    [PELT_NORMAL_ACCURATE] = "accurate",
    [PELT_NORMAL_PAPER] = "paper",
};

const char* pelt_normal_rule_name(pelt_normal_rule rule)
{
    PELT_ASSERT(rule < PELT_NORMAL_RULE_COUNT);
    return rule_names[rule];
}

pelt_normal_rule pelt_normal_rule_find(const char* name)
{
    uint32_t rule = 0;
    while (rule < PELT_NORMAL_RULE_COUNT && strcmp(rule_names[rule], name) != 0)
    {
        ++rule;
    }
    return (pelt_normal_rule)rule;
}

void pelt_deform(const pelt_surface* out, const pelt_deform_input* input,
                 const pelt_deform_options* options, pelt_range range)
{
    PELT_ASSERT(out != NULL && input != NULL && options != NULL);
    PELT_ASSERT((uint32_t)options->method < PELT_METHOD_COUNT);
    PELT_ASSERT(input->palette == NULL || input->palette->motions != NULL ||
                !methods[options->method].traits.needs_motions);
    methods[options->method].deform(out, input, options, range);
}
