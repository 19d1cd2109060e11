// SPDX-License-Identifier: MIT
// The report of pelt doctor for people: a table of what was found, then each kind with its
// locations.
#include "doctor_report.h"
#include "output.h"
#include "terminal.h"

#include <string.h>

enum
{
    LINE_WIDTH = 100,
    LOCATION_MAX = 8, // of one kind; the others are in the JSON
};

bool doctor_is_fixed(const doctor_report* report, const pelt_finding* finding)
{
    return report->output != NULL && pelt_finding_describe(finding->kind)->is_fixable;
}

bool doctor_has_failed(const doctor_report* report)
{
    for (uint32_t i = 0; i < report->diagnosis.finding_count; ++i)
    {
        const pelt_finding* finding = &report->diagnosis.findings[i];
        if (finding->severity >= report->fail_on && !doctor_is_fixed(report, finding))
        {
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------

// A sentence in lines of LINE_WIDTH, broken between words.
static void print_wrapped(FILE* stream, const char* first_indent, const char* indent,
                          const char* sentence)
{
    char text[1024];
    snprintf(text, sizeof text, "%s", sentence);
    terminal_text_clean(text);
    size_t column = strlen(first_indent);
    bool is_line_start = true;
    fputs(first_indent, stream);
    for (const char* word = text; *word != '\0';)
    {
        size_t length = strcspn(word, " ");
        if (!is_line_start && column + 1 + length > LINE_WIDTH)
        {
            fprintf(stream, "\n%s", indent);
            column = strlen(indent);
            is_line_start = true;
        }
        fprintf(stream, "%s%.*s", is_line_start ? "" : " ", (int)length, word);
        column += length + (is_line_start ? 0 : 1);
        is_line_start = false;
        word += length;
        word += strspn(word, " ");
    }
    fputc('\n', stream);
}

// How many findings from here on are of the same kind and severity.
static uint32_t group_size(const pelt_diagnosis* diagnosis, uint32_t first)
{
    const pelt_finding* found = diagnosis->findings;
    uint32_t end = first + 1;
    while (end < diagnosis->finding_count && found[end].kind == found[first].kind &&
           found[end].severity == found[first].severity)
    {
        ++end;
    }
    return end - first;
}

static const char* fix_word(const doctor_report* report, const pelt_finding* finding)
{
    bool is_fixable = pelt_finding_describe(finding->kind)->is_fixable;
    return doctor_is_fixed(report, finding) ? "done" : is_fixable ? "yes" : "-";
}

static bool print_table(FILE* stream, const doctor_report* report)
{
    const pelt_diagnosis* diagnosis = &report->diagnosis;
    table list;
    table_begin(&list, "llrll",
                (const char* const[]){"SEVERITY", "FINDING", "LOCATIONS", "FIX", "WHAT"});
    for (uint32_t i = 0; i < diagnosis->finding_count;)
    {
        const pelt_finding* finding = &diagnosis->findings[i];
        const pelt_finding_info* info = pelt_finding_describe(finding->kind);
        uint32_t count = group_size(diagnosis, i);
        table_cell(&list, "%s", pelt_severity_name(finding->severity));
        table_cell(&list, "%s", info->id);
        table_cell(&list, "%u", count);
        table_cell(&list, "%s", fix_word(report, finding));
        table_cell(&list, "%s", info->summary);
        i += count;
    }
    return table_end(&list, stream);
}

static void print_group(FILE* stream, const pelt_finding* findings, uint32_t count)
{
    const pelt_finding_info* info = pelt_finding_describe(findings[0].kind);
    fprintf(stream, "\n%s: %s\n", pelt_severity_name(findings[0].severity), info->id);
    uint32_t shown = count <= LOCATION_MAX ? count : LOCATION_MAX - 1;
    for (uint32_t i = 0; i < shown; ++i)
    {
        print_wrapped(stream, "  ", "    ", findings[i].message);
    }
    if (shown < count)
    {
        fprintf(stream, "  and %u more, which --json lists\n", count - shown);
    }
    print_wrapped(stream, "  > ", "    ", info->advice);
}

bool doctor_as_text(FILE* stream, const doctor_report* report)
{
    const pelt_diagnosis* diagnosis = &report->diagnosis;
    char name[512];
    snprintf(name, sizeof name, "%s", report->input);
    terminal_text_clean(name);
    if (diagnosis->finding_count == 0)
    {
        fprintf(stream, "%s: nothing found\n", name);
        return true;
    }
    uint32_t errors = diagnosis->counts[PELT_SEVERITY_ERROR];
    uint32_t warnings = diagnosis->counts[PELT_SEVERITY_WARNING];
    uint32_t notes = diagnosis->counts[PELT_SEVERITY_NOTE];
    fprintf(stream, "%s: %u %s, %u %s, %u %s\n\n", name, errors,
            message_plural(errors, "error", "errors"), warnings,
            message_plural(warnings, "warning", "warnings"), notes,
            message_plural(notes, "note", "notes"));
    bool is_whole = print_table(stream, report);
    for (uint32_t i = 0; i < diagnosis->finding_count && is_whole;)
    {
        uint32_t count = group_size(diagnosis, i);
        print_group(stream, &diagnosis->findings[i], count);
        i += count;
    }
    return is_whole;
}
