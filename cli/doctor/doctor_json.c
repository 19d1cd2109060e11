// SPDX-License-Identifier: MIT
// The report of pelt doctor for programs: docs/doctor.schema.json describes it.
#include "doctor_report.h"
#include "output.h"

static json_t* named(uint32_t index, const char* name)
{
    return json_pack("{s:I, s:o}", "index", (json_int_t)index, "name", output_string(name));
}

static json_t* describe_location(const doctor_report* report, const pelt_finding* finding)
{
    const pelt_scene* scene = report->scene;
    json_t* location = json_object();
    if (finding->mesh != PELT_NONE)
    {
        json_object_set_new(location, "mesh",
                            named(finding->mesh, scene->meshes[finding->mesh].name));
    }
    if (finding->vertex != PELT_NONE)
    {
        json_object_set_new(location, "vertex", json_integer(finding->vertex));
    }
    if (finding->node != PELT_NONE)
    {
        json_object_set_new(location, "node",
                            named(finding->node, scene->nodes[finding->node].name));
    }
    if (finding->clip != PELT_NONE)
    {
        json_object_set_new(location, "clip",
                            named(finding->clip, scene->clips[finding->clip].name));
        json_object_set_new(location, "time", output_float(finding->time));
    }
    return location;
}

static json_t* describe_finding(const doctor_report* report, const pelt_finding* finding)
{
    const pelt_finding_info* info = pelt_finding_describe(finding->kind);
    json_t* object = json_object();
    json_object_set_new(object, "kind", json_string(info->id));
    json_object_set_new(object, "severity", json_string(pelt_severity_name(finding->severity)));
    json_object_set_new(object, "message", output_string(finding->message));
    json_object_set_new(object, "advice", json_string(info->advice));
    json_object_set_new(object, "fixable", json_boolean(info->is_fixable));
    json_object_set_new(object, "fixed", json_boolean(doctor_is_fixed(report, finding)));
    json_object_set_new(object, "location", describe_location(report, finding));
    json_object_set_new(object, "count", json_integer(finding->count));
    json_object_set_new(object, "value",
                        finding->unit != NULL ? output_real(finding->value) : json_null());
    json_object_set_new(object, "unit", output_string(finding->unit));
    return object;
}

json_t* doctor_as_json(const doctor_report* report)
{
    const pelt_diagnosis* diagnosis = &report->diagnosis;
    json_t* object = json_object();
    json_t* counts = json_object();
    for (int i = PELT_SEVERITY_COUNT - 1; i >= 0; --i)
    {
        json_object_set_new(counts, pelt_severity_name((pelt_severity)i),
                            json_integer(diagnosis->counts[i]));
    }
    json_t* findings = json_array();
    for (uint32_t i = 0; i < diagnosis->finding_count; ++i)
    {
        json_array_append_new(findings, describe_finding(report, &diagnosis->findings[i]));
    }
    json_object_set_new(object, "input", output_string(report->input));
    json_object_set_new(object, "counts", counts);
    json_object_set_new(object, "fail_on", json_string(pelt_severity_name(report->fail_on)));
    json_object_set_new(object, "failed", json_boolean(doctor_has_failed(report)));
    json_object_set_new(object, "output", output_string(report->output));
    json_object_set(object, "lost", report->lost != NULL ? report->lost : json_null());
    json_object_set_new(object, "findings", findings);
    return object;
}
