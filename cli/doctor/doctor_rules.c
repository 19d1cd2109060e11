// SPDX-License-Identifier: MIT
// Rules are a list; all that match the path of a character apply, and the last one counts.
#define _XOPEN_SOURCE 700

#include "doctor_rules.h"

#include "output.h"
#include "pelt/bake.h"
#include "source.h"
#include "terminal.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RULES_NAME "pelt.json"

// ---------------------------------------------------------------------------------------------
// Finding the file

// The folder of an input as an absolute path that ends in a slash, and the rest of its path.
static bool split_input(char folder[4096], char name[4096], const char* input)
{
    char* resolved = realpath(input, NULL);
    char* slash = resolved != NULL ? strrchr(resolved, '/') : NULL;
    if (slash == NULL || strlen(resolved) >= 4096 - sizeof RULES_NAME)
    {
        free(resolved);
        return false;
    }
    snprintf(name, 4096, "%s", slash + 1);
    slash[1] = '\0';
    snprintf(folder, 4096, "%s", resolved);
    free(resolved);
    return true;
}

// Look for the file in a folder and above it; `name` becomes the input relative to its folder.
static bool find_above(char path[4096], char name[4096], const char* input)
{
    char folder[4096];
    if (!split_input(folder, name, input))
    {
        return false;
    }
    for (size_t length = strlen(folder); length > 0;)
    {
        snprintf(path, 4096, "%.*s%s", (int)length, folder, RULES_NAME);
        if (access(path, R_OK) == 0)
        {
            char below[4096];
            snprintf(below, sizeof below, "%s", name);
            size_t used = strlen(folder) - length;
            memcpy(name, folder + length, used);
            snprintf(name + used, 4096 - used, "%s", below);
            return true;
        }
        do
        {
            --length; // past the slash, then to the one before
        } while (length > 0 && folder[length - 1] != '/');
    }
    return false;
}

bool doctor_rules_find(char path[4096], const char* input)
{
    char name[4096];
    return strcmp(input, "-") != 0 && find_above(path, name, input);
}

// The input relative to the folder of a file that the user names; else its name alone.
static void name_from(char name[4096], const char* rules_path, const char* input)
{
    char top[4096], folder[4096], rules_name[4096];
    if (!split_input(top, rules_name, rules_path) || !split_input(folder, name, input))
    {
        snprintf(name, 4096, "%s", input);
        return;
    }
    size_t length = strlen(top);
    if (strncmp(folder, top, length) == 0)
    {
        char below[4096];
        snprintf(below, sizeof below, "%s", name);
        size_t used = strlen(folder) - length;
        memcpy(name, folder + length, used);
        snprintf(name + used, 4096 - used, "%s", below);
    }
}

// ---------------------------------------------------------------------------------------------
// Reading

static int refuse(const doctor_rules* rules, size_t rule, const char* what, const char* name)
{
    message_note("%s: rule %zu: %s \"%s\"; pelt help doctor and docs/doctor.md list all",
                 rules->path, rule + 1, what, name);
    return EXIT_INPUT;
}

static pelt_finding_kind find_kind(const char* id)
{
    uint32_t kind = 0;
    while (kind < PELT_FINDING_KIND_COUNT &&
           strcmp(pelt_finding_describe((pelt_finding_kind)kind)->id, id) != 0)
    {
        ++kind;
    }
    return (pelt_finding_kind)kind;
}

static pelt_severity severity_of(const json_t* value)
{
    const char* name = json_is_string(value) ? json_string_value(value) : "";
    uint32_t severity = 0;
    while (severity < PELT_SEVERITY_COUNT &&
           strcmp(pelt_severity_name((pelt_severity)severity), name) != 0)
    {
        ++severity;
    }
    return (pelt_severity)severity;
}

static int read_severities(doctor_rules* inout, size_t rule, json_t* object)
{
    const char* id = NULL;
    json_t* value = NULL;
    json_object_foreach(object, id, value)
    {
        pelt_finding_kind kind = find_kind(id);
        pelt_severity severity = severity_of(value);
        if (kind == PELT_FINDING_KIND_COUNT)
        {
            return refuse(inout, rule, "there is no finding", id);
        }
        if (severity == PELT_SEVERITY_COUNT)
        {
            return refuse(inout, rule, "note, warning or error is needed for", id);
        }
        inout->has_severity[kind] = true;
        inout->is_ignored[kind] = false;
        inout->severity[kind] = severity;
    }
    return EXIT_DONE;
}

static int read_ignored(doctor_rules* inout, size_t rule, const json_t* list)
{
    for (size_t i = 0; i < json_array_size(list); ++i)
    {
        const char* id = json_string_value(json_array_get(list, i));
        pelt_finding_kind kind = id != NULL ? find_kind(id) : PELT_FINDING_KIND_COUNT;
        if (kind == PELT_FINDING_KIND_COUNT)
        {
            return refuse(inout, rule, "there is no finding", id != NULL ? id : "");
        }
        inout->is_ignored[kind] = true;
    }
    return EXIT_DONE;
}

static int read_budget(doctor_rules* inout, size_t rule, json_t* object)
{
    const char* name = NULL;
    json_t* value = NULL;
    json_object_foreach(object, name, value)
    {
        double* limit = strcmp(name, "joints") == 0         ? &inout->joints
                        : strcmp(name, "influences") == 0   ? &inout->influences
                        : strcmp(name, "vertices") == 0     ? &inout->vertices
                        : strcmp(name, "triangles") == 0    ? &inout->triangles
                        : strcmp(name, "clip_seconds") == 0 ? &inout->clip_seconds
                        : strcmp(name, "bake_bytes") == 0   ? &inout->bake_bytes
                                                            : NULL;
        if (limit == NULL)
        {
            return refuse(inout, rule, "there is no budget", name);
        }
        if (!json_is_null(value) && !(json_number_value(value) > 0.0))
        {
            return refuse(inout, rule, "a number above 0, or null for no limit, is needed for",
                          name);
        }
        *limit = json_number_value(value); // 0 for null
    }
    return EXIT_DONE;
}

static int read_rule(doctor_rules* inout, size_t index, json_t* rule, const char* input)
{
    const char* pattern = json_string_value(json_object_get(rule, "files"));
    const char* name = NULL;
    json_t* value = NULL;
    json_object_foreach(rule, name, value)
    {
        bool is_known = strcmp(name, "files") == 0 || strcmp(name, "fail_on") == 0 ||
                        strcmp(name, "severity") == 0 || strcmp(name, "ignore") == 0 ||
                        strcmp(name, "budget") == 0;
        if (!is_known)
        {
            return refuse(inout, index, "there is no member", name);
        }
    }
    if (!json_is_object(rule) || pattern == NULL)
    {
        return refuse(inout, index, "it must be an object with a text", "files");
    }
    if (fnmatch(pattern, input, 0) != 0)
    {
        return EXIT_DONE;
    }
    json_t* fail_on = json_object_get(rule, "fail_on");
    if (fail_on != NULL)
    {
        inout->fail_on = severity_of(fail_on);
        inout->has_fail_on = true;
        if (inout->fail_on == PELT_SEVERITY_COUNT)
        {
            return refuse(inout, index, "note, warning or error is needed for", "fail_on");
        }
    }
    TRY(read_severities(inout, index, json_object_get(rule, "severity")));
    TRY(read_ignored(inout, index, json_object_get(rule, "ignore")));
    return read_budget(inout, index, json_object_get(rule, "budget"));
}

static int read_all(doctor_rules* inout, const json_t* file, const char* input)
{
    const json_t* rules = json_object_get(file, "doctor");
    if (!json_is_array(rules))
    {
        message_note("%s has no list \"doctor\": it looks like {\"doctor\": [{\"files\": \"*\", "
                     "\"budget\": {\"joints\": 75}}]}",
                     inout->path);
        return EXIT_INPUT;
    }
    for (size_t i = 0; i < json_array_size(rules); ++i)
    {
        TRY(read_rule(inout, i, json_array_get(rules, i), input));
    }
    return EXIT_DONE;
}

int doctor_rules_read(doctor_rules* out, const char* path, const char* input)
{
    *out = (doctor_rules){0};
    char name[4096];
    if (path != NULL)
    {
        snprintf(out->path, sizeof out->path, "%s", path);
        name_from(name, path, input);
    }
    else if (strcmp(input, "-") == 0 || !find_above(out->path, name, input))
    {
        out->path[0] = '\0';
        return EXIT_DONE;
    }
    char* text = NULL;
    TRY(source_read_text(&text, out->path));
    json_error_t error;
    json_t* file = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (file == NULL)
    {
        message_note("%s is not JSON: line %d: %s", out->path, error.line, error.text);
        return EXIT_INPUT;
    }
    int code = read_all(out, file, name);
    json_decref(file);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Budgets

/// Findings as they are filtered and added.
typedef struct finding_list
{
    pelt_finding* items;
    uint32_t count;
    pelt_arena* arena;
    bool has_failed; ///< out of memory
} finding_list;

static void add_budget(finding_list* inout, double value, double limit, const char* format,
                       const char* name)
{
    if (limit <= 0.0 || value <= limit || inout->has_failed)
    {
        return;
    }
    char what[512];
    snprintf(what, sizeof what, format, name);
    char* message =
        pelt_arena_format(inout->arena, "%s: %.10g, above the budget of %.10g", what, value, limit);
    inout->has_failed = message == NULL;
    inout->items[inout->count++] = (pelt_finding){.kind = PELT_FINDING_BUDGET,
                                                  .severity = PELT_SEVERITY_ERROR,
                                                  .message = message,
                                                  .mesh = PELT_NONE,
                                                  .vertex = PELT_NONE,
                                                  .node = PELT_NONE,
                                                  .clip = PELT_NONE,
                                                  .value = value};
}

static uint32_t most_influences(const pelt_scene* scene)
{
    uint32_t most = 0;
    for (uint32_t m = 0; m < scene->mesh_count; ++m)
    {
        const pelt_weights* weights = &scene->meshes[m].weights;
        for (uint32_t v = 0; v < weights->vertex_count; ++v)
        {
            uint32_t count = weights->first[v + 1] - weights->first[v];
            most = count > most ? count : most;
        }
    }
    return most;
}

static void check_size(finding_list* inout, const doctor_rules* rules, const pelt_scene* scene)
{
    uint32_t joints = 0, skin = 0, clip = 0;
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        skin = scene->skins[i].joint_count > joints ? i : skin;
        joints = scene->skins[skin].joint_count;
    }
    uint64_t vertices = 0, triangles = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        vertices += scene->meshes[scene->instances[i].mesh].vertex_count;
        triangles += scene->meshes[scene->instances[i].mesh].index_count / 3;
    }
    float seconds = 0.0f;
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        clip = scene->clips[i].duration > seconds ? i : clip;
        seconds = scene->clips[clip].duration;
    }
    const char* skin_name = joints > 0 ? scene->skins[skin].name : NULL;
    const char* clip_name = seconds > 0.0f ? scene->clips[clip].name : NULL;
    add_budget(inout, joints, rules->joints, "joints of skin \"%.400s\"",
               skin_name != NULL ? skin_name : "-");
    add_budget(inout, most_influences(scene), rules->influences, "influences of a vertex%s", "");
    add_budget(inout, (double)vertices, rules->vertices, "vertices%s", "");
    add_budget(inout, (double)triangles, rules->triangles, "triangles%s", "");
    add_budget(inout, (double)seconds, rules->clip_seconds, "seconds of clip \"%.400s\"",
               clip_name != NULL ? clip_name : "-");
}

// A character that cannot be baked has no texture that could be too large.
static void check_bake(finding_list* inout, const doctor_rules* rules, const pelt_scene* scene)
{
    if (rules->bake_bytes <= 0.0 || scene->clip_count == 0)
    {
        return;
    }
    pelt_bake_options options = {.has_budget = true,
                                 .finds_encoding = true,
                                 .max_error = 1e-4,
                                 .is_relative = true,
                                 .timing = PELT_BAKE_AUTO};
    pelt_baked* baked = NULL;
    pelt_error error = {0};
    pelt_result result = pelt_bake(&baked, scene, &options, &error);
    inout->has_failed = inout->has_failed || result == PELT_ERROR_MEMORY;
    if (result == PELT_OK)
    {
        add_budget(inout, (double)pelt_baked_bytes(baked), rules->bake_bytes,
                   "bytes of an animation texture within 0.1 mm per meter%s", "");
    }
    pelt_baked_destroy(baked);
}

// ---------------------------------------------------------------------------------------------
// Findings

static void add_severity(finding_list* out, const pelt_diagnosis* in, const doctor_rules* rules,
                         pelt_severity severity)
{
    for (uint32_t i = 0; i < in->finding_count; ++i)
    {
        pelt_finding finding = in->findings[i];
        if (rules->has_severity[finding.kind])
        {
            finding.severity = rules->severity[finding.kind];
        }
        if (finding.severity == severity && !rules->is_ignored[finding.kind])
        {
            out->items[out->count++] = finding;
        }
    }
}

int doctor_rules_apply(pelt_diagnosis* inout, const doctor_rules* rules, const pelt_scene* scene,
                       pelt_arena* arena)
{
    enum
    {
        BUDGET_COUNT = 6,
    };
    if (rules->path[0] == '\0')
    {
        return EXIT_DONE;
    }
    finding_list budgets = {.arena = arena}, list = {.arena = arena};
    budgets.items =
        pelt_arena_alloc(arena, inout->finding_count + BUDGET_COUNT, sizeof *budgets.items);
    list.items = pelt_arena_alloc(arena, inout->finding_count + BUDGET_COUNT, sizeof *list.items);
    if (budgets.items == NULL || list.items == NULL)
    {
        return message_memory();
    }
    if (scene != NULL)
    {
        check_size(&budgets, rules, scene);
        check_bake(&budgets, rules, scene);
    }
    memcpy(budgets.items + budgets.count, inout->findings,
           inout->finding_count * sizeof *budgets.items);
    pelt_diagnosis all = {.finding_count = budgets.count + inout->finding_count,
                          .findings = budgets.items};
    pelt_diagnosis out = {.findings = list.items};
    for (int severity = PELT_SEVERITY_COUNT - 1; severity >= 0; --severity)
    {
        uint32_t before = list.count;
        add_severity(&list, &all, rules, (pelt_severity)severity);
        out.counts[severity] = list.count - before;
    }
    out.finding_count = list.count;
    *inout = out;
    return budgets.has_failed ? message_memory() : EXIT_DONE;
}
