// SPDX-License-Identifier: MIT
// pelt doctor: finds faults of a character, and repairs those that can be repaired.
#include "commands.h"
#include "doctor/doctor_report.h"
#include "doctor/doctor_rules.h"
#include "output.h"
#include "output_file.h"
#include "packed_scene.h"
#include "rigs.h"
#include "source.h"
#include "terminal.h"

#include <string.h>

static const char* const format_names[] = {"glb", "gltf", NULL};

static const arg_option options[] = {
    {.name = "fix", .kind = ARG_FLAG, .help = "write a repaired copy to the file of --output"},
    {.name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .value = "FILE",
     .help = "file of --fix: .glb or .gltf"},
    {.name = "format",
     .kind = ARG_CHOICE,
     .value = "FORMAT",
     .choices = format_names,
     .help = "its format, if the file name does not tell; one of"},
    {.name = "fail-on",
     .kind = ARG_CHOICE,
     .value = "SEVERITY",
     .choice_name = pelt_severity_name,
     .choice_count = PELT_SEVERITY_COUNT,
     .help = "exit with 2 if anything is as severe; default error; one of"},
    {.name = "rules",
     .kind = ARG_TEXT,
     .value = "FILE",
     .help = "rules of the project; default pelt.json next to the input or above, or none"},
    {.name = "sarif",
     .kind = ARG_TEXT,
     .value = "FILE",
     .help = "also write the findings as SARIF 2.1.0, for code hosts"},
    {0},
};

/// The state of one run; {0} owns nothing.
typedef struct consultation
{
    doctor_report report;
    pelt_scene* scene;
    pelt_source source; ///< the input; {0}: a rig
    doctor_rules rules; ///< of the project
    pelt_arena* arena;  ///< of findings and repairs
    output_file file;   ///< of --fix
    const char* sarif_path;
    bool is_json;
    bool is_unsupported; ///< the input is valid, but not for this build
} consultation;

// ---------------------------------------------------------------------------------------------
// Options

static int read_options(consultation* c, const args* arguments)
{
    bool is_fix = args_is_set(arguments, "fix");
    const char* input = arguments->operands[0];
    c->is_json = args_is_set(arguments, "json");
    c->sarif_path = args_text(arguments, "sarif", NULL);
    c->report.input = input;
    const char* rules = args_text(arguments, "rules", NULL);
    if (rules == NULL || strcmp(rules, "none") != 0)
    {
        TRY(doctor_rules_read(&c->rules, rules, input));
    }
    c->report.fail_on = args_is_set(arguments, "fail-on")
                            ? (pelt_severity)args_choice(arguments, "fail-on")
                        : c->rules.has_fail_on ? c->rules.fail_on
                                               : PELT_SEVERITY_ERROR;
    if (c->sarif_path != NULL && strcmp(c->sarif_path, "-") == 0)
    {
        return message_usage("--sarif needs the name of a file: the report is on the standard "
                             "output");
    }
    if (c->sarif_path != NULL && output_is_same_file(c->sarif_path, input))
    {
        return message_usage("--sarif %s is the input itself; give another name", c->sarif_path);
    }
    if (!is_fix)
    {
        return args_is_set(arguments, "output") || args_is_set(arguments, "format")
                   ? message_usage("-o and --format are for the file of --fix: add --fix, or leave "
                                   "them out")
                   : EXIT_DONE;
    }
    int code = output_file_choose_among(&c->file, arguments, format_names);
    if (code == EXIT_DONE && strcmp(c->file.path, "-") == 0)
    {
        return message_usage("--fix needs the name of a file: the report is on the standard "
                             "output");
    }
    bool is_same =
        code == EXIT_DONE && c->sarif_path != NULL && strcmp(c->sarif_path, c->file.path) == 0;
    return is_same ? message_usage("--sarif and -o name the same file") : code;
}

// ---------------------------------------------------------------------------------------------
// Examination

static void show_part(float part, void* user)
{
    (void)user;
    progress_show(part);
}

// A file that cannot be read is a finding of its own.
static int diagnose_unreadable(consultation* c, const pelt_error* error)
{
    pelt_finding* finding = pelt_arena_alloc(c->arena, 1, sizeof *finding);
    char* message = pelt_arena_string(c->arena, error->message);
    if (finding == NULL || message == NULL)
    {
        return message_memory();
    }
    *finding = (pelt_finding){.kind = PELT_FINDING_UNREADABLE,
                              .severity = PELT_SEVERITY_ERROR,
                              .message = message,
                              .mesh = PELT_NONE,
                              .vertex = PELT_NONE,
                              .node = PELT_NONE,
                              .clip = PELT_NONE};
    c->report.diagnosis = (pelt_diagnosis){.finding_count = 1, .findings = finding};
    c->report.diagnosis.counts[PELT_SEVERITY_ERROR] = 1;
    return EXIT_DONE;
}

static int examine(consultation* c)
{
    const char* input = c->report.input;
    pelt_error error = {0};
    pelt_result result;
    if (strncmp(input, "rig:", 4) == 0)
    {
        result = pelt_rig_build(&c->scene, input, &error);
        if (result != PELT_OK)
        {
            return message_error(result, &error);
        }
    }
    else
    {
        progress_begin("reading");
        pelt_load_options how = {.progress = progress_part, .is_checked = true};
        result = pelt_load_keep(&c->scene, &c->source, input, &how, &error);
        progress_end();
    }
    c->is_unsupported = result == PELT_ERROR_UNSUPPORTED;
    if (result == PELT_ERROR_DATA || result == PELT_ERROR_READ || c->is_unsupported)
    {
        return diagnose_unreadable(c, &error);
    }
    if (result != PELT_OK)
    {
        return message_error(result, &error);
    }
    c->report.scene = c->scene;
    progress_begin("examining");
    result = pelt_scene_diagnose(&c->report.diagnosis, c->scene,
                                 &(pelt_diagnose_options){.progress = show_part}, c->arena);
    progress_end();
    return result == PELT_OK ? EXIT_DONE : message_memory();
}

// ---------------------------------------------------------------------------------------------
// Report

static int prepare_text(output* out, const doctor_report* report)
{
    TRY(output_open(out, NULL));
    bool is_whole = doctor_as_text(out->stream, report);
    return is_whole && text_stream_close(&out->content) ? EXIT_DONE : output_fail(out);
}

static bool is_gltf(const consultation* c)
{
    return output_file_holds_scene(c->scene->format);
}

static bool has_fixable(const pelt_diagnosis* diagnosis)
{
    for (uint32_t i = 0; i < diagnosis->finding_count; ++i)
    {
        if (pelt_finding_describe(diagnosis->findings[i].kind)->is_fixable)
        {
            return true;
        }
    }
    return false;
}

static int save_fixed(const consultation* c, const pelt_scene* fixed)
{
    int code = is_gltf(c) ? output_file_save_copy(&c->file, &c->source, c->scene, fixed)
                          : output_file_save_scene(&c->file, fixed);
    if (code == EXIT_DONE && !has_fixable(&c->report.diagnosis))
    {
        message_note("there is nothing to fix in %s: %s is a copy of it", c->report.input,
                     c->file.path);
    }
    return code;
}

// The report is complete before the output file is moved to its path.
static int deliver(consultation* c, const pelt_scene* fixed)
{
    output words = {0}, sarif = {0};
    const doctor_report* report = &c->report;
    int code = c->is_json ? output_json_prepare(&words, doctor_as_json(report), NULL)
                          : prepare_text(&words, report);
    if (code == EXIT_DONE && c->sarif_path != NULL)
    {
        code = output_json_prepare(&sarif, doctor_as_sarif(report), c->sarif_path);
    }
    if (code == EXIT_DONE && fixed != NULL)
    {
        code = save_fixed(c, fixed);
    }
    if (code == EXIT_DONE)
    {
        code = output_deliver(&sarif);
    }
    if (code == EXIT_DONE)
    {
        code = output_deliver(&words);
    }
    output_discard(&sarif);
    output_discard(&words);
    return code;
}

static int deliver_fixed(consultation* c)
{
    pelt_scene fixed = *c->scene;
    if (has_fixable(&c->report.diagnosis) && pelt_scene_fix(&fixed, c->arena) != PELT_OK)
    {
        return message_memory();
    }
    packed_scene written;
    TRY(is_gltf(c) ? packed_scene_create_copy(&written, &fixed)
                   : packed_scene_create(&written, &fixed, c->report.input, c->file.path));
    c->report.output = c->file.path;
    c->report.lost = packed_scene_describe_lost(&written);
    int code = deliver(c, &written.scene);
    if (code == EXIT_DONE)
    {
        packed_scene_print_lost(&written, "");
    }
    json_decref(c->report.lost);
    packed_scene_destroy(&written);
    return code;
}

static int run(const args* arguments)
{
    consultation c = {0};
    TRY(read_options(&c, arguments));
    c.arena = pelt_arena_create();
    int code = c.arena != NULL ? examine(&c) : message_memory();
    if (code == EXIT_DONE)
    {
        code = doctor_rules_apply(&c.report.diagnosis, &c.rules, c.scene, c.arena);
    }
    if (code == EXIT_DONE)
    {
        code = c.file.path != NULL && c.scene != NULL ? deliver_fixed(&c) : deliver(&c, NULL);
    }
    bool has_failed = doctor_has_failed(&c.report);
    pelt_scene_destroy(c.scene);
    pelt_source_release(&c.source);
    pelt_arena_destroy(c.arena);
    int verdict = c.is_unsupported ? EXIT_UNSUPPORTED : has_failed ? EXIT_INPUT : EXIT_DONE;
    return code == EXIT_DONE ? verdict : code;
}

const args_command cmd_doctor = {
    .name = "doctor",
    .summary = "find what will go wrong with a character, and repair it",
    .operands = "INPUT",
    .description =
        "Examines weights, skeleton, surface and clips, and lists what was repaired on reading.\n"
        "Each finding has a severity, a location, a number and what to do. With --fix a copy is\n"
        "written in which everything is repaired that pelt can repair; a glTF file keeps all\n"
        "else, and is copied byte by byte when there is nothing to repair. Exits with 2 if a\n"
        "finding that was not repaired is as severe as --fail-on says; the default is error.\n"
        "A file pelt.json in the folder of the input or above it sets budgets and severities for\n"
        "a project.",
    .example = "pelt doctor character.glb --fail-on warning --sarif doctor.sarif",
    .min_operands = 1,
    .max_operands = 1,
    .tables = {options, args_common},
    .run = run,
};
