// SPDX-License-Identifier: MIT
// The list of rigs, and their names with parameters: "rig:name?parameter=value&parameter=value".
#include "rigs.h"

#include "rig_params.h"

#include <stdio.h>
#include <string.h>

enum
{
    VERTICES_MAX = 2000000, // which take seconds
};

static const pelt_rig_info infos[] = {
    {"bar",
     "round bar with one joint: the twists and bends of Le and Hodgins, Figure 2",
     "vertices=4000",
     {{100, VERTICES_MAX}},
     1},
    {"cuboid",
     "flat-shaded cuboid with a chain of five bones: twist by 180, bend by 120 degrees",
     "vertices=16800",
     {{168, VERTICES_MAX}},
     1},
    {"arm",
     "arm with shoulder, elbow, wrist and hand: elbow bend and forearm twist",
     "vertices=6000",
     {{200, VERTICES_MAX}},
     1},
    {"box",
     "a box and a ball, 312 vertices on four bones: moves, rotates and scales in a loop",
     "",
     {{0, 0}},
     0},
    {"human",
     "person of 65 joints, fingers included: walks, waves, squats, twists and more",
     "vertices=20000&influences=4",
     {{2000, VERTICES_MAX}, {1, 16}},
     2},
    {"raptor",
     "two-legged dinosaur of 79 joints: runs, whips its tail, roars",
     "vertices=15000&influences=4",
     {{2000, VERTICES_MAX}, {1, 16}},
     2},
    {"cloth",
     "square cloth over a 3 x 3 grid of joints: waves and drapes",
     "vertices=2601",
     {{100, VERTICES_MAX}},
     1},
};
#define RIG_COUNT ((uint32_t)(sizeof(infos) / sizeof(infos[0])))

// One entry per info, in the same order.
static const rig_build builders[RIG_COUNT] = {
    rig_build_bar,   rig_build_cuboid, rig_build_arm,   rig_build_box,
    rig_build_human, rig_build_raptor, rig_build_cloth,
};

uint32_t pelt_rig_list(const pelt_rig_info** out)
{
    PELT_ASSERT(out != NULL);
    *out = infos;
    return RIG_COUNT;
}

// ---------------------------------------------------------------------------------------------
// Tokens of a query: parts of a longer text

typedef struct token
{
    const char* text;
    int length;
} token;

// The text up to any of the stop characters. *rest goes past the stop, or to NULL at the end.
static token next_token(const char** rest, const char* stops)
{
    const char* text = *rest;
    size_t length = strcspn(text, stops);
    *rest = text[length] != '\0' ? text + length + 1 : NULL;
    return (token){text, (int)(length < 100000 ? length : 100000)};
}

// For messages: long enough to recognize what was typed, short enough to leave room for the rest.
static int shown(token w)
{
    return w.length < 60 ? w.length : 60;
}

static bool is_token(token w, const char* text)
{
    return strlen(text) == (size_t)w.length && memcmp(w.text, text, (size_t)w.length) == 0;
}

// A whole number: an optional minus and digits, nothing else. No locale, no hexadecimal.
static bool parse_whole(double* out, token w)
{
    int start = w.length > 0 && w.text[0] == '-' ? 1 : 0;
    double value = 0.0;
    for (int i = start; i < w.length; ++i)
    {
        if (w.text[i] < '0' || w.text[i] > '9')
        {
            return false;
        }
        value = 10.0 * value + (w.text[i] - '0');
    }
    *out = start > 0 ? -value : value;
    return w.length > start;
}

// ---------------------------------------------------------------------------------------------
// Parameters

// "name=value" number `index` of a rig's own list.
static bool parameter_at(token* name, token* value, uint32_t rig, uint32_t index)
{
    const char* rest = infos[rig].parameters;
    for (uint32_t i = 0; rest != NULL && *rest != '\0'; ++i)
    {
        *name = next_token(&rest, "=");
        *value = next_token(&rest, "&");
        if (i == index)
        {
            return true;
        }
    }
    return false;
}

static void fill_defaults(rig_params* out, uint32_t rig)
{
    token name, value;
    for (uint32_t i = 0; parameter_at(&name, &value, rig, i); ++i)
    {
        parse_whole(&out->values[i], value);
    }
}

static pelt_result unknown_parameter(pelt_error* error, uint32_t rig, token name)
{
    char list[160] = "none";
    size_t used = 0;
    token known, value;
    for (uint32_t i = 0; parameter_at(&known, &value, rig, i) && used < sizeof(list); ++i)
    {
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%.*s", i > 0 ? ", " : "",
                                 known.length, known.text);
    }
    return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                          "rig \"%s\" has no parameter \"%.*s\"; it takes %s", infos[rig].name,
                          shown(name), name.text, list);
}

// @return index, or PELT_NONE
static uint32_t find_parameter(uint32_t rig, token name)
{
    token known, unused;
    for (uint32_t i = 0; parameter_at(&known, &unused, rig, i); ++i)
    {
        if (known.length == name.length && memcmp(known.text, name.text, (size_t)name.length) == 0)
        {
            return i;
        }
    }
    return PELT_NONE;
}

static pelt_result set_parameter(double* out, uint32_t rig, uint32_t index, token value,
                                 pelt_error* error)
{
    token name, unused;
    parameter_at(&name, &unused, rig, index);
    if (!parse_whole(out, value))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "%.*s=%.*s of rig \"%s\" is not a whole number", name.length,
                              name.text, shown(value), value.text, infos[rig].name);
    }
    pelt_rig_range range = infos[rig].ranges[index];
    if (!(*out >= range.min && *out <= range.max))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "%.*s=%.*s of rig \"%s\" is out of range %u to %u", name.length,
                              name.text, shown(value), value.text, infos[rig].name, range.min,
                              range.max);
    }
    return PELT_OK;
}

// One "name=value" of the query. *given has a bit for each parameter so far.
static pelt_result parse_pair(rig_params* out, uint32_t* given, uint32_t rig, token pair,
                              pelt_error* error)
{
    const char* rest = pair.text;
    token name = next_token(&rest, "=&");
    if (name.length == pair.length)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "\"%.*s\" of rig \"%s\" has no value; write name=value", shown(pair),
                              pair.text, infos[rig].name);
    }
    uint32_t index = find_parameter(rig, name);
    if (index == PELT_NONE)
    {
        return unknown_parameter(error, rig, name);
    }
    if ((*given & 1u << index) != 0)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "%.*s of rig \"%s\" is given twice",
                              name.length, name.text, infos[rig].name);
    }
    *given |= 1u << index;
    token value = {rest, pair.length - name.length - 1};
    return set_parameter(&out->values[index], rig, index, value, error);
}

// The query is what follows the question mark, or NULL.
static pelt_result parse_query(rig_params* out, uint32_t rig, const char* query, pelt_error* error)
{
    uint32_t given = 0;
    while (query != NULL)
    {
        token pair = next_token(&query, "&");
        PELT_TRY(parse_pair(out, &given, rig, pair, error));
    }
    return PELT_OK;
}

static pelt_result unknown_rig(pelt_error* error, token name)
{
    char list[160] = "";
    size_t used = 0;
    for (uint32_t rig = 0; rig < RIG_COUNT && used < sizeof(list); ++rig)
    {
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", rig > 0 ? ", " : "",
                                 infos[rig].name);
    }
    return pelt_error_set(error, PELT_ERROR_ARGUMENT, "no rig \"%.*s\"; there are %s", shown(name),
                          name.text, list);
}

pelt_result pelt_rig_build(pelt_scene** out, const char* name, pelt_error* error)
{
    PELT_ASSERT(out != NULL && name != NULL);
    *out = NULL;

    const char* rest = strncmp(name, "rig:", 4) == 0 ? name + 4 : name;
    token rig_name = next_token(&rest, "?");
    uint32_t rig = 0;
    while (rig < RIG_COUNT && !is_token(rig_name, infos[rig].name))
    {
        ++rig;
    }
    if (rig == RIG_COUNT)
    {
        return unknown_rig(error, rig_name);
    }

    rig_params params = {0};
    fill_defaults(&params, rig);
    PELT_TRY(parse_query(&params, rig, rest, error));
    return builders[rig](out, &params, error);
}
