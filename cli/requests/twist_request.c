// SPDX-License-Identifier: MIT
#include "twist_request.h"

#include "output.h"
#include "scene_statistics.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Options

const arg_option twist_request_options[] = {
    {.name = "twist",
     .kind = ARG_TEXT,
     .value = "JOINTS",
     .help = "joints along bones that distribute their twist: auto, or JOINT[:COUNT][:SOURCE],..."
             " with source child, own or both"},
    {.name = "max-influences",
     .kind = ARG_COUNT,
     .value = "N",
     .minimum = 1,
     .maximum = 64,
     .help = "keep the N strongest influences of a vertex, with --twist, default all; or of one "
             "whose weights change, with --helpers, default 4"},
    {0},
};

int twist_request_check(const args* arguments)
{
    if (args_is_set(arguments, "max-influences") && !args_is_set(arguments, "twist") &&
        !args_is_set(arguments, "helpers") && !args_is_set(arguments, "max-error"))
    {
        return message_usage("--max-influences has no effect without --twist or --helpers");
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------
// JOINT[:COUNT][:SOURCE],...

typedef struct twist_parser
{
    const pelt_scene* scene;
    scene_statistics facts;
    twist_report* out;
} twist_parser;

static uint32_t find_joint(const twist_parser* parser, const char* name)
{
    for (uint32_t i = 0; i < parser->facts.joint_count; ++i)
    {
        if (strcmp(parser->scene->nodes[parser->facts.joints[i]].name, name) == 0)
        {
            return parser->facts.joints[i];
        }
    }
    return PELT_NONE;
}

static int unknown_joint(const twist_parser* parser, const char* name)
{
    uint32_t count = parser->facts.joint_count;
    const char** names = calloc((size_t)count + 1, sizeof *names);
    if (names == NULL)
    {
        return message_memory();
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        names[i] = parser->scene->nodes[parser->facts.joints[i]].name;
    }
    args_near near = args_find_near(name, names, count);
    free(names);
    return near.names[0] != '\0'
               ? message_usage("unknown joint \"%s\"; did you mean %s?", name, near.names)
               : message_usage("unknown joint \"%s\"; pelt info --joints lists all", name);
}

static bool read_count(uint32_t* out, const char* text)
{
    size_t length = strspn(text, "0123456789");
    // Four digits are above any limit; the library reports the limit.
    *out = length > 0 && length < 4 ? (uint32_t)strtoul(text, NULL, 10) : 1000;
    return length > 0 && text[length] == '\0' && *out > 0;
}

static bool read_source(pelt_twist_source* out, const char* text)
{
    for (pelt_twist_source i = PELT_TWIST_CHILD; i <= PELT_TWIST_BOTH; ++i)
    {
        if (strcmp(text, pelt_twist_source_name(i)) == 0)
        {
            *out = i;
            return true;
        }
    }
    return false;
}

// Names may contain colons, so words are taken from the end, as long as they are a count or a
// source and no joint has the whole as its name.
static void read_words(pelt_twist* out, const twist_parser* parser, char* item)
{
    for (char* colon = strrchr(item, ':'); colon != NULL; colon = strrchr(item, ':'))
    {
        bool is_name = find_joint(parser, item) != PELT_NONE;
        if (is_name ||
            (!read_source(&out->source, colon + 1) && !read_count(&out->count, colon + 1)))
        {
            return;
        }
        *colon = '\0';
    }
}

// The reason why a joint was not found: a wrong word after its name, or another name.
static int wrong_item(const twist_parser* parser, char* item)
{
    if (item[0] == '\0')
    {
        return message_usage("--twist has an empty item next to a comma");
    }
    for (char* colon = strchr(item, ':'); colon != NULL; colon = strchr(colon + 1, ':'))
    {
        *colon = '\0';
        bool is_known = find_joint(parser, item) != PELT_NONE || strcmp(item, "auto") == 0;
        if (is_known)
        {
            return message_usage(
                "\"%s\" after %s must be a count, child, own or both, as in --twist %s:4",
                colon + 1, item, item);
        }
        *colon = ':';
    }
    return unknown_joint(parser, item);
}

static int read_item(const twist_parser* parser, char* item)
{
    pelt_twist request = {0};
    read_words(&request, parser, item);
    request.node = find_joint(parser, item);
    if (request.node == PELT_NONE)
    {
        return wrong_item(parser, item);
    }
    parser->out->requests[parser->out->count++] = request;
    return EXIT_DONE;
}

static int read_list(const twist_parser* parser, char* text)
{
    size_t room = 1;
    for (const char* c = text; *c != '\0'; ++c)
    {
        room += *c == ',';
    }
    parser->out->requests = pelt_allocate(room, sizeof *parser->out->requests);
    if (parser->out->requests == NULL)
    {
        return message_memory();
    }
    int code = EXIT_DONE;
    for (char* item = text; item != NULL && code == EXIT_DONE;)
    {
        char* comma = strchr(item, ',');
        if (comma != NULL)
        {
            *comma = '\0';
        }
        code = read_item(parser, item);
        item = comma != NULL ? comma + 1 : NULL;
    }
    return code;
}

// "auto" and "auto:4", unless a joint is called like that.
static bool is_auto(uint32_t* count, const twist_parser* parser, const char* text)
{
    *count = 0;
    bool is_word = strncmp(text, "auto", 4) == 0 && (text[4] == '\0' || text[4] == ':');
    return is_word && find_joint(parser, "auto") == PELT_NONE &&
           (text[4] == '\0' || read_count(count, text + 5));
}

static int find_bones(const twist_parser* parser, uint32_t count)
{
    twist_report* out = parser->out;
    if (pelt_twist_find(&out->requests, &out->count, parser->scene) != PELT_OK)
    {
        return message_memory();
    }
    for (uint32_t i = 0; i < out->count; ++i)
    {
        out->requests[i].count = count;
    }
    if (out->count == 0)
    {
        message_note(
            "no bone needs twist joints: auto takes those that are long and slender, are weighted "
            "smoothly and twist in a clip; --twist JOINT adds them to any bone");
    }
    return EXIT_DONE;
}

static int read_requests(const twist_parser* parser, const char* value)
{
    uint32_t count;
    if (is_auto(&count, parser, value))
    {
        return find_bones(parser, count);
    }
    char* text = malloc(strlen(value) + 1);
    if (text == NULL)
    {
        return message_memory();
    }
    int code = read_list(parser, strcpy(text, value));
    free(text);
    return code;
}

// ---------------------------------------------------------------------------------------------
// The work

static int add(twist_report* out, pelt_scene** scene, const args* arguments)
{
    pelt_error error = {0};
    pelt_scene* twisted;
    pelt_twist_options options = {
        .twist_count = out->count,
        .twists = out->requests,
        .max_influences = (uint32_t)args_number(arguments, "max-influences", 0.0f),
    };
    out->bones = pelt_allocate(out->count, sizeof *out->bones);
    if (out->bones == NULL)
    {
        return message_memory();
    }
    pelt_result result = pelt_twist_plan(out->bones, *scene, out->requests, out->count, &error);
    if (result == PELT_OK)
    {
        result = pelt_twist_add(&twisted, *scene, &options, &out->added, &error);
    }
    if (result == PELT_OK)
    {
        out->read = *scene;
        *scene = twisted;
    }
    return message_error(result, &error);
}

int twist_request_add(twist_report* out, pelt_scene** scene, const args* arguments)
{
    *out = (twist_report){0};
    const char* value = args_text(arguments, "twist", NULL);
    if (value == NULL)
    {
        return EXIT_DONE;
    }
    twist_parser parser = {.scene = *scene, .out = out};
    if (scene_statistics_create(&parser.facts, *scene) != PELT_OK)
    {
        return message_memory();
    }
    int code = read_requests(&parser, value);
    scene_statistics_destroy(&parser.facts);
    if (code == EXIT_DONE && out->count > 0)
    {
        code = add(out, scene, arguments);
    }
    if (code != EXIT_DONE)
    {
        twist_report_destroy(out);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// Report

void twist_report_destroy(twist_report* in)
{
    pelt_release(in->requests);
    pelt_release(in->bones);
    pelt_scene_destroy(in->read);
    *in = (twist_report){0};
}

static double degrees(float radians)
{
    return (double)radians * 180.0 / (double)PELT_PI;
}

typedef struct twist_words
{
    char text[64];
} twist_words;

static twist_words words_for(float twist)
{
    twist_words words = {"which no clip twists"};
    if (degrees(twist) >= 0.5)
    {
        snprintf(words.text, sizeof words.text, "up to %.0f degrees in the clips", degrees(twist));
    }
    return words;
}

static void print_bone(const pelt_twist_bone* bone, const pelt_scene* scene)
{
    const char *joint = scene->nodes[bone->node].name, *child = scene->nodes[bone->child].name;
    twist_words own = words_for(bone->own_twist), childs = words_for(bone->child_twist);
    const char* words = message_plural(bone->count, "twist joint", "twist joints");
    switch (bone->source)
    {
    case PELT_TWIST_OWN:
        message_note("%u %s from %s to %s, for the twist of %s, %s", bone->count, words, joint,
                     child, joint, own.text);
        break;
    case PELT_TWIST_CHILD:
        message_note("%u %s from %s to %s, for the twist of %s, %s", bone->count, words, joint,
                     child, child, childs.text);
        break;
    default:
        message_note("%u %s from %s to %s, for the twist of %s, %s, and of %s, %s", bone->count,
                     words, joint, child, joint, own.text, child, childs.text);
        break;
    }
}

void twist_report_print(const twist_report* in, const pelt_scene* scene)
{
    const pelt_twist_report* report = &in->added;
    for (uint32_t i = 0; i < in->count; ++i)
    {
        print_bone(&in->bones[i], scene);
    }
    message_note("split the weights of %u %s; at most %u %s per vertex%s", report->split_count,
                 message_plural(report->split_count, "vertex", "vertices"), report->max_influences,
                 message_plural(report->max_influences, "influence", "influences"),
                 report->pruned_count > 0 ? "; weaker ones were dropped" : "");
    if (report->over_four_count > 0)
    {
        message_note(
            "%u %s more than 4 influences; for engines that read only 4, such as three.js, "
            "use --max-influences 4",
            report->over_four_count,
            message_plural(report->over_four_count, "vertex has", "vertices have"));
    }
    if (report->copied_count > 0)
    {
        message_note("copied %u %s shared by skins with and without these joints",
                     report->copied_count, message_plural(report->copied_count, "mesh", "meshes"));
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
