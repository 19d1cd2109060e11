// SPDX-License-Identifier: MIT
// The report of pelt doctor for code hosts: SARIF 2.1.0, with a rule for each kind of finding.
#include "doctor_report.h"
#include "output.h"

#include <string.h>

// Bytes that a URI cannot hold as they are become %XX; a ':' would look like a scheme.
static json_t* uri_of(const char* path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-._~/";
    static const char digits[] = "0123456789ABCDEF";
    char text[3 * 1024 + 1];
    size_t size = 0;
    for (const char* at = path; *at != '\0' && size + 3 < sizeof text; ++at)
    {
        unsigned char byte = (unsigned char)*at;
        if (strchr(plain, byte) != NULL)
        {
            text[size++] = *at;
            continue;
        }
        text[size++] = '%';
        text[size++] = digits[byte >> 4];
        text[size++] = digits[byte & 15];
    }
    text[size] = '\0';
    return json_string(text);
}

static json_t* text_object(const char* text)
{
    return json_pack("{s:o}", "text", output_string(text));
}

static json_t* list_rules(void)
{
    json_t* rules = json_array();
    for (int i = 0; i < PELT_FINDING_KIND_COUNT; ++i)
    {
        const pelt_finding_info* info = pelt_finding_describe((pelt_finding_kind)i);
        json_array_append_new(rules, json_pack("{s:s, s:o, s:o}", "id", info->id,
                                               "shortDescription", text_object(info->summary),
                                               "help", text_object(info->advice)));
    }
    return rules;
}

static void add_name(json_t* names, const char* kind, const char* name)
{
    json_array_append_new(names, json_pack("{s:o, s:s}", "name",
                                           output_string(name != NULL ? name : "-"), "kind", kind));
}

static json_t* describe_location(const doctor_report* report, const pelt_finding* finding)
{
    const pelt_scene* scene = report->scene;
    json_t* names = json_array();
    if (finding->mesh != PELT_NONE)
    {
        add_name(names, "object", scene->meshes[finding->mesh].name);
    }
    if (finding->node != PELT_NONE)
    {
        add_name(names, "member", scene->nodes[finding->node].name);
    }
    if (finding->clip != PELT_NONE)
    {
        add_name(names, "resource", scene->clips[finding->clip].name);
    }
    // Code hosts show only what has a line.
    return json_pack("{s:{s:{s:o}, s:{s:i}}, s:o}", "physicalLocation", "artifactLocation", "uri",
                     uri_of(report->input), "region", "startLine", 1, "logicalLocations", names);
}

static json_t* describe_result(const doctor_report* report, const pelt_finding* finding)
{
    const pelt_finding_info* info = pelt_finding_describe(finding->kind);
    json_t* properties = json_object();
    if (finding->vertex != PELT_NONE)
    {
        json_object_set_new(properties, "vertex", json_integer(finding->vertex));
    }
    if (finding->clip != PELT_NONE)
    {
        json_object_set_new(properties, "time", output_float(finding->time));
    }
    if (finding->unit != NULL)
    {
        json_object_set_new(properties, "value", output_real(finding->value));
        json_object_set_new(properties, "unit", json_string(finding->unit));
    }
    json_object_set_new(properties, "fixed", json_boolean(doctor_is_fixed(report, finding)));
    return json_pack("{s:s, s:i, s:s, s:o, s:[o], s:o}", "ruleId", info->id, "ruleIndex",
                     (int)finding->kind, "level", pelt_severity_name(finding->severity), "message",
                     text_object(finding->message), "locations", describe_location(report, finding),
                     "properties", properties);
}

json_t* doctor_as_sarif(const doctor_report* report)
{
    json_t* results = json_array();
    for (uint32_t i = 0; i < report->diagnosis.finding_count; ++i)
    {
        json_array_append_new(results, describe_result(report, &report->diagnosis.findings[i]));
    }
    return json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:o}]}", "$schema",
                     "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs",
                     "tool", "driver", "name", "pelt doctor", "version", PELT_VERSION_STRING,
                     "rules", list_rules(), "results", results);
}
