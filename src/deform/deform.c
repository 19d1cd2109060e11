// SPDX-License-Identifier: MIT
// The methods and conventions by name.
#include "../base/exact.h"

#include "../../include/pelt/pelt.h"

#include <string.h>

typedef struct method_entry
{
    const char* name;
    void (*deform)(const pelt_surface* out, const pelt_deform_input* input,
                   const pelt_deform_options* options, pelt_range range);
} method_entry;

static const method_entry methods[PELT_METHOD_COUNT] = {
    [PELT_METHOD_LBS] = {"lbs", pelt_deform_lbs}, [PELT_METHOD_DQS] = {"dqs", pelt_deform_dqs},
    [PELT_METHOD_MIX] = {"mix", pelt_deform_mix}, [PELT_METHOD_CRS] = {"crs", pelt_deform_crs},
    [PELT_METHOD_LMS] = {"lms", pelt_deform_lms}, [PELT_METHOD_SBS] = {"sbs", pelt_deform_sbs},
};

const char* pelt_method_name(pelt_method method)
{
    PELT_ASSERT(method < PELT_METHOD_COUNT);
    return methods[method].name;
}

pelt_method pelt_method_find(const char* name)
{
    uint32_t method = 0;
    while (method < PELT_METHOD_COUNT && strcmp(methods[method].name, name) != 0)
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
    PELT_ASSERT(options->method < PELT_METHOD_COUNT);
    methods[options->method].deform(out, input, options, range);
}
