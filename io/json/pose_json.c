// SPDX-License-Identifier: MIT
// Joint changes from JSON, as pelt_overrides_parse() describes them.
#include "../name_list.h"
#include "pelt/io.h"

#include "json_tree.h"

#include <ctype.h>
#include <string.h>

// Path of a value in the text, for messages.
typedef struct change_path
{
    const char* joint;
    const char* member;
} change_path;

static pelt_result bad_value(pelt_error* error, change_path at, const char* wanted)
{
    return pelt_error_set(error, PELT_ERROR_DATA, "pose: %s.%s must be %s", at.joint, at.member,
                          wanted);
}

static bool read_number(float* out, const json_t* value)
{
    *out = (float)json_number_value(value);
    return json_is_number(value) && isfinite(*out);
}

static bool read_vec3(pelt_vec3* out, const json_t* value)
{
    return json_is_array(value) && json_array_size(value) == 3 &&
           read_number(&out->x, json_array_get(value, 0)) &&
           read_number(&out->y, json_array_get(value, 1)) &&
           read_number(&out->z, json_array_get(value, 2));
}

static bool is_zero(pelt_vec3 v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

static pelt_result read_axis(pelt_override* out, const json_t* value, change_path at,
                             pelt_error* error)
{
    bool is_good = read_vec3(&out->axis, value) && !is_zero(out->axis);
    return is_good ? PELT_OK : bad_value(error, at, "three numbers that are not all zero");
}

static pelt_result read_degrees(pelt_override* out, const json_t* value, change_path at,
                                pelt_error* error)
{
    bool is_good = read_number(&out->angle, value);
    out->angle *= PELT_PI / 180.0f;
    return is_good ? PELT_OK : bad_value(error, at, "a finite number of degrees");
}

static pelt_result read_translate(pelt_override* out, const json_t* value, change_path at,
                                  pelt_error* error)
{
    return read_vec3(&out->translate, value) ? PELT_OK
                                             : bad_value(error, at, "three finite numbers, meters");
}

static pelt_result read_scale(pelt_override* out, const json_t* value, change_path at,
                              pelt_error* error)
{
    bool is_good =
        json_is_number(value) ? read_number(&out->scale.x, value) : read_vec3(&out->scale, value);
    if (json_is_number(value))
    {
        out->scale.y = out->scale.z = out->scale.x;
    }
    // pelt_override stores "no scale" as three zeros.
    return is_good && !is_zero(out->scale)
               ? PELT_OK
               : bad_value(error, at, "a number or three, finite and not all zero");
}

static pelt_result read_space(pelt_override* out, const json_t* value, change_path at,
                              pelt_error* error)
{
    const char* name = json_string_value(value);
    bool is_model = name != NULL && strcmp(name, "model") == 0;
    if (!is_model && (name == NULL || strcmp(name, "joint") != 0))
    {
        return bad_value(error, at, "\"joint\" or \"model\"");
    }
    out->space = is_model ? PELT_SPACE_MODEL : PELT_SPACE_JOINT;
    return PELT_OK;
}

static const struct
{
    const char* name;
    pelt_result (*read)(pelt_override* out, const json_t* value, change_path at, pelt_error* error);
} members[] = {
    {"axis", read_axis},   {"degrees", read_degrees}, {"translate", read_translate},
    {"scale", read_scale}, {"space", read_space},
};

enum
{
    MEMBER_COUNT = sizeof members / sizeof members[0]
};

static pelt_result read_change(pelt_override* out, const char* joint, json_t* change,
                               pelt_error* error)
{
    if (!json_is_object(change))
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "pose: %s must be an object such as "
                              "{\"axis\": [0, 0, 1], \"degrees\": 90}, or an array of such",
                              joint);
    }

    const char* name;
    json_t* value;
    json_object_foreach(change, name, value)
    {
        size_t member = 0;
        while (member < MEMBER_COUNT && strcmp(name, members[member].name) != 0)
        {
            ++member;
        }
        pelt_result result =
            member < MEMBER_COUNT
                ? members[member].read(out, value, (change_path){joint, name}, error)
                : pelt_error_set(error, PELT_ERROR_DATA,
                                 "pose: %s has no member \"%s\"; the members are axis, degrees, "
                                 "translate, scale and space",
                                 joint, name);
        if (result != PELT_OK)
        {
            return result;
        }
    }

    bool has_axis = json_object_get(change, "axis") != NULL;
    bool has_degrees = json_object_get(change, "degrees") != NULL;
    if (has_axis != has_degrees)
    {
        return pelt_error_set(error, PELT_ERROR_DATA, "pose: %s has \"%s\" but no \"%s\"", joint,
                              has_axis ? "axis" : "degrees", has_axis ? "degrees" : "axis");
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Unknown joints

static bool has_word(const char* text, const char* word)
{
    for (; *text != '\0'; ++text)
    {
        size_t i = 0;
        while (word[i] != '\0' &&
               tolower((unsigned char)text[i]) == tolower((unsigned char)word[i]))
        {
            ++i;
        }
        if (word[i] == '\0')
        {
            return true;
        }
    }
    return false;
}

static bool is_similar(const char* name, const char* wanted)
{
    return wanted[0] != '\0' && (has_word(name, wanted) || has_word(wanted, name));
}

// Names that contain the requested one, or else the first in the scene.
static uint32_t list_names(char* out, size_t size, const pelt_scene* scene, const char* similar)
{
    uint32_t listed = 0;
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < scene->node_count && listed < 12; ++i)
    {
        const char* name = scene->nodes[i].name;
        if (name == NULL || name[0] == '\0' || (similar != NULL && !is_similar(name, similar)) ||
            used + strlen(name) + 3 > size)
        {
            continue;
        }
        used += (size_t)snprintf(out + used, size - used, "%s%s", listed > 0 ? ", " : "", name);
        ++listed;
    }
    return listed;
}

static pelt_result unknown_joint(pelt_error* error, const pelt_scene* scene, const char* joint)
{
    char names[300];
    uint32_t listed = list_names(names, sizeof names, scene, joint);
    bool is_all = false;
    if (listed == 0)
    {
        listed = list_names(names, sizeof names, scene, NULL);
        is_all = listed == scene->node_count;
    }
    if (listed == 0)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "pose: there is no joint \"%.60s\": the scene has no named joints",
                              joint);
    }
    return pelt_error_set(error, PELT_ERROR_ARGUMENT, "pose: there is no joint \"%.60s\"; %s %s%s",
                          joint, is_all ? "valid are" : "some of the valid ones are", names,
                          is_all ? "" : " (pelt info --joints lists all)");
}

// ---------------------------------------------------------------------------------------------

static pelt_result read_root(pelt_override** out, uint32_t* count, json_t* root,
                             const pelt_scene* scene, pelt_error* error)
{
    const char* joint;
    json_t* value;
    if (!json_is_object(root))
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "pose: the JSON must be an object with one member per joint");
    }
    size_t room = 1; // zero bytes may come back as NULL
    json_object_foreach(root, joint, value)
    {
        room += json_is_array(value) ? json_array_size(value) : 1;
    }
    pelti_name_list names = {0};
    pelt_override* overrides = pelt_allocate(room, sizeof *overrides);
    if (overrides == NULL ||
        pelti_name_list_create(&names, scene->node_count > 0 ? &scene->nodes[0].name : NULL,
                               sizeof *scene->nodes, scene->node_count) != PELT_OK)
    {
        pelt_release(overrides);
        return pelt_error_memory(error);
    }
    pelt_result result = PELT_OK;
    json_object_foreach(root, joint, value)
    {
        uint32_t node = pelti_name_list_find(&names, joint);
        size_t change_count = json_is_array(value) ? json_array_size(value) : 1;
        result = node != PELT_NONE ? PELT_OK : unknown_joint(error, scene, joint);
        for (size_t i = 0; i < change_count && result == PELT_OK; ++i)
        {
            json_t* change = json_is_array(value) ? json_array_get(value, i) : value;
            overrides[*count] = (pelt_override){.node = node};
            result = read_change(&overrides[(*count)++], joint, change, error);
        }
        if (result != PELT_OK)
        {
            pelt_release(overrides);
            overrides = NULL;
            *count = 0;
            break;
        }
    }
    pelti_name_list_destroy(&names);
    *out = overrides;
    return result;
}

pelt_result pelt_overrides_parse(pelt_override** out, uint32_t* count, const char* json,
                                 const pelt_scene* scene, pelt_error* error)
{
    PELT_ASSERT(out != NULL && count != NULL && json != NULL && scene != NULL);
    *out = NULL;
    *count = 0;

    json_t* root;
    pelti_json_text text = {
        .name = "pose", .bytes = json, .size = strlen(json), .has_unique_names = true};
    pelt_result result = pelti_json_tree(&root, &text, error);
    if (result == PELT_OK)
    {
        result = read_root(out, count, root, scene, error);
        json_decref(root);
    }
    return result;
}
