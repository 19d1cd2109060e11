// SPDX-License-Identifier: MIT
// Records of jobs that are done: what they read, by content, and what came of them.
#define _XOPEN_SOURCE 700

#include "batch.h"
#include "doctor/doctor_rules.h"
#include "output.h"
#include "sha256.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define RECORD_VERSION 1

static const char* record_path(const batch* in, const batch_job* job, const char* extension)
{
    return pelt_arena_format(in->arena, "%s%s", job->record, extension);
}

static json_t* words_as_json(const batch* in)
{
    json_t* list = json_array();
    json_array_append_new(list, json_string(in->command->name));
    for (uint32_t i = 0; i < in->word_count; ++i)
    {
        json_array_append_new(list, output_string(in->words[i]));
    }
    json_array_append_new(list, json_boolean(in->has_pictures));
    return list;
}

// The rules of `pelt doctor` that hold for an input: a file that was not there before is no file
// that has changed.
static json_t* rules_as_json(const batch* in, const batch_job* job)
{
    char path[4096];
    bool has_rules =
        strcmp(in->command->name, "doctor") == 0 && doctor_rules_find(path, job->input);
    return has_rules ? output_string(path) : json_null();
}

// ---------------------------------------------------------------------------------------------
// Reading

static bool is_file_same(const json_t* file)
{
    const char* path = json_string_value(json_object_get(file, "path"));
    const char* digest = json_string_value(json_object_get(file, "sha256"));
    sha256_text now;
    return path != NULL && digest != NULL && sha256_file(&now, path) &&
           strcmp(now.digits, digest) == 0;
}

static bool are_files_same(const json_t* files)
{
    size_t i = 0;
    json_t* file = NULL;
    bool is_same = json_is_array(files);
    json_array_foreach(files, i, file)
    {
        is_same = is_same && is_file_same(file);
    }
    return is_same;
}

static bool has_text(const json_t* object, const char* name, const char* text)
{
    const char* value = json_string_value(json_object_get(object, name));
    return value != NULL && strcmp(value, text) == 0;
}

static bool is_current(const batch_job* job, const json_t* record, const json_t* words,
                       const json_t* rules)
{
    struct stat status;
    return json_integer_value(json_object_get(record, "record")) == RECORD_VERSION &&
           has_text(record, "pelt", PELT_VERSION_STRING) && has_text(record, "input", job->input) &&
           has_text(record, "output", job->output) &&
           json_equal(json_object_get(record, "command"), words) &&
           json_equal(json_object_get(record, "rules"), rules) && stat(job->output, &status) == 0 &&
           are_files_same(json_object_get(record, "files"));
}

static int take_result(batch_job* inout, const batch* in, const json_t* record)
{
    inout->is_done = true;
    inout->is_up_to_date = true;
    inout->exit_code = (int)json_integer_value(json_object_get(record, "exit_code"));
    const char* message = json_string_value(json_object_get(record, "message"));
    inout->message = message != NULL ? pelt_arena_string(in->arena, message) : NULL;
    inout->figures = json_incref(json_object_get(record, "figures"));
    return message == NULL || inout->message != NULL ? EXIT_DONE : message_memory();
}

// A record that is missing, damaged or of another version means that the job has to run.
int batch_record_check(bool* is_up_to_date, const batch* in, batch_job* inout)
{
    *is_up_to_date = false;
    const char* path = record_path(in, inout, ".json");
    json_t* words = words_as_json(in);
    json_t* rules = rules_as_json(in, inout);
    if (path == NULL || words == NULL || rules == NULL)
    {
        json_decref(words);
        json_decref(rules);
        return message_memory();
    }
    json_t* record = json_load_file(path, 0, NULL);
    int code = EXIT_DONE;
    if (record != NULL && is_current(inout, record, words, rules))
    {
        *is_up_to_date = true;
        code = take_result(inout, in, record);
    }
    json_decref(record);
    json_decref(words);
    json_decref(rules);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Writing

// The next path of a rule in the syntax of make; the text is changed. NULL: there is none.
static char* next_prerequisite(char** inout)
{
    char* from = *inout;
    while (*from == ' ' || *from == '\n' || (from[0] == '\\' && from[1] == '\n'))
    {
        ++from;
    }
    if (*from == '\0')
    {
        return NULL;
    }
    char *first = from, *to = from;
    while (*from != '\0' && *from != ' ' && *from != '\n')
    {
        bool is_escaped = (from[0] == '\\' && (from[1] == ' ' || from[1] == '#')) ||
                          (from[0] == '$' && from[1] == '$');
        from += is_escaped;
        *to++ = *from++;
    }
    *inout = *from != '\0' ? from + 1 : from;
    *to = '\0';
    return first;
}

static json_t* file_as_json(const char* path)
{
    sha256_text digest;
    return sha256_file(&digest, path)
               ? json_pack("{s:o, s:s}", "path", output_string(path), "sha256", digest.digits)
               : NULL;
}

// Files that the job has read, by the rule that it wrote. NULL: one cannot be read any more.
static json_t* files_as_json(const char* rule_path)
{
    char* text = NULL;
    pelt_source rule = {0};
    pelt_error error;
    if (pelt_source_read(&rule, rule_path, &error) != PELT_OK)
    {
        return NULL;
    }
    json_t* list = json_array();
    text = strstr((char*)(uintptr_t)rule.bytes, ": ");
    text = text != NULL ? text + 2 : NULL;
    for (char* path = NULL; text != NULL && (path = next_prerequisite(&text)) != NULL;)
    {
        json_t* file = file_as_json(path);
        if (file == NULL || json_array_append_new(list, file) != 0)
        {
            json_decref(list);
            list = NULL;
            text = NULL;
        }
    }
    pelt_source_release(&rule);
    return list;
}

int batch_record_save(const batch* in, const batch_job* job)
{
    const char* path = record_path(in, job, ".json");
    const char* rule = record_path(in, job, ".d");
    json_t* files = path != NULL && rule != NULL ? files_as_json(rule) : NULL;
    if (files == NULL)
    {
        return path != NULL && rule != NULL ? EXIT_DONE : message_memory(); // it runs again
    }
    json_t* record = json_object();
    json_object_set_new(record, "record", json_integer(RECORD_VERSION));
    json_object_set_new(record, "pelt", json_string(PELT_VERSION_STRING));
    json_object_set_new(record, "command", words_as_json(in));
    json_object_set_new(record, "rules", rules_as_json(in, job));
    json_object_set_new(record, "input", output_string(job->input));
    json_object_set_new(record, "output", output_string(job->output));
    json_object_set_new(record, "exit_code", json_integer(job->exit_code));
    json_object_set_new(record, "message", output_string(job->message));
    json_object_set(record, "figures", job->figures != NULL ? job->figures : json_null());
    json_object_set_new(record, "files", files);
    return output_json(record, path);
}
