// SPDX-License-Identifier: MIT
#include "twist_report.h"

#include "message.h"
#include "output.h"

void twist_report_destroy(twist_report* in)
{
    pelt_release(in->requests);
    pelt_release(in->bones);
    *in = (twist_report){0};
}

static double degrees(float radians)
{
    return (double)radians * 180.0 / (double)PELT_PI;
}

typedef struct turn_words
{
    char text[64];
} turn_words;

static turn_words words_for(float twist)
{
    turn_words words = {"which no clip turns"};
    if (degrees(twist) >= 0.5)
    {
        snprintf(words.text, sizeof words.text, "up to %.0f degrees in the clips", degrees(twist));
    }
    return words;
}

static void print_bone(const pelt_twist_bone* bone, const pelt_scene* scene)
{
    const char *joint = scene->nodes[bone->node].name, *child = scene->nodes[bone->child].name;
    turn_words own = words_for(bone->own_twist), childs = words_for(bone->child_twist);
    bool has_own = bone->source != PELT_TWIST_CHILD, has_child = bone->source != PELT_TWIST_OWN;
    message_note("%u twist joint%s from %s to %s, for the twist of %s%s%s%s%s%s%s", bone->count,
                 bone->count == 1 ? "" : "s", joint, child, has_own ? joint : "",
                 has_own ? ", " : "", has_own ? own.text : "",
                 has_own && has_child ? ", and of " : "", has_child ? child : "",
                 has_child ? ", " : "", has_child ? childs.text : "");
}

void twist_report_print(const twist_report* in, const pelt_scene* scene)
{
    const pelt_twist_report* report = &in->added;
    for (uint32_t i = 0; i < in->count; ++i)
    {
        print_bone(&in->bones[i], scene);
    }
    message_note("weights split at %u vertices; at most %u influences on one%s",
                 report->split_count, report->max_influences,
                 report->pruned_count > 0 ? ", weaker ones dropped to keep to that" : "");
    if (report->over_four_count > 0)
    {
        message_note("%u vertices have more than 4 influences; where an engine reads only 4, as "
                     "three.js does, use --max-influences 4",
                     report->over_four_count);
    }
    if (report->copied_count > 0)
    {
        message_note("%u meshes copied, since skins with and without these joints share them",
                     report->copied_count);
    }
}

static json_t* describe_bone(const pelt_twist_bone* bone, const pelt_scene* scene)
{
    json_t* out = json_object();
    json_object_set_new(out, "joint", output_string(scene->nodes[bone->node].name));
    json_object_set_new(out, "child", output_string(scene->nodes[bone->child].name));
    json_object_set_new(out, "count", json_integer(bone->count));
    json_object_set_new(out, "source", json_string(pelt_twist_source_name(bone->source)));
    json_object_set_new(out, "length", output_float(bone->length));
    json_object_set_new(out, "slenderness", output_float(bone->slenderness));
    json_object_set_new(out, "own_blend", output_float(bone->own_blend));
    json_object_set_new(out, "child_blend", output_float(bone->child_blend));
    json_object_set_new(out, "own_degrees", output_real(degrees(bone->own_twist)));
    json_object_set_new(out, "child_degrees", output_real(degrees(bone->child_twist)));
    return out;
}

json_t* twist_report_describe(const twist_report* in, const pelt_scene* scene)
{
    if (in->count == 0)
    {
        return json_null();
    }
    const pelt_twist_report* report = &in->added;
    const struct
    {
        const char* name;
        uint32_t value;
    } counts[] = {
        {"joints", report->joint_count},
        {"tracks", report->track_count},
        {"split_vertices", report->split_count},
        {"max_influences", report->max_influences},
        {"over_four", report->over_four_count},
        {"pruned", report->pruned_count},
        {"copied_meshes", report->copied_count},
        {"dropped_cors", report->cors_count},
        {"dropped_factors", report->factors_count},
    };
    json_t *out = json_object(), *bones = json_array();
    for (uint32_t i = 0; i < in->count; ++i)
    {
        json_array_append_new(bones, describe_bone(&in->bones[i], scene));
    }
    json_object_set_new(out, "bones", bones);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
    {
        json_object_set_new(out, counts[i].name, json_integer(counts[i].value));
    }
    return out;
}
