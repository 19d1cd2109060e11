// SPDX-License-Identifier: MIT
// The report of a finished render_job: text and JSON.
#include "method_frame.h"
#include "output.h"
#include "render_job.h"
#include "terminal.h"

const char* const render_view_names[] = {"three-quarter", "front", "side", "back", "orbit", NULL};

_Static_assert(sizeof render_view_names / sizeof render_view_names[0] == VIEW_COUNT + 1,
               "one name per view, in the order of the enum");

static json_t* describe_size(uint32_t width, uint32_t height)
{
    return json_pack("[I, I]", (json_int_t)width, (json_int_t)height);
}

static json_t* describe_camera(const render_job* job, const pelt_camera* camera)
{
    float angle = camera->field_of_view != 0.0f ? camera->field_of_view : 0.5f;
    return json_pack("{s:s, s:o, s:o, s:o}", "view", render_view_names[job->view], "eye",
                     output_vec3(camera->eye), "target", output_vec3(camera->target),
                     "field_of_view", output_float(angle));
}

// Every method and rule once, in the order of the command line.
static void describe_lists(json_t* summary, const method_list* how)
{
    json_t* methods = json_array();
    json_t* rules = json_array();
    json_t* factors = how->mix.count > 0 ? json_array() : json_null();
    for (uint32_t i = 0; i < how->count; i += how->rule_count)
    {
        json_array_append_new(methods, output_string(method_list_name(how, i)));
    }
    for (uint32_t i = 0; i < how->mix.count; ++i)
    {
        json_array_append_new(factors, output_float(how->mix.factors[i]));
    }
    for (uint32_t i = 0; i < how->rule_count; ++i)
    {
        json_array_append_new(rules, output_string(method_list_rule_name(how, i)));
    }
    json_object_set_new(summary, "methods", methods);
    json_object_set_new(summary, "mix", factors);
    json_object_set_new(summary, "normals", rules);
}

static json_t* describe_errors(const render_report* report, const render_job* job)
{
    const method_list* how = job->how;
    if (job->show.colors != SHOW_NORMAL_ERROR)
    {
        return json_null();
    }
    json_t* out = json_array();
    for (uint32_t i = 0; i < how->count; ++i)
    {
        const normal_error* error = &report->errors[i];
        json_array_append_new(
            out,
            json_pack("{s:s, s:s, s:o, s:o, s:I}", "method", method_list_name(how, i), "normals",
                      method_list_rule_name(how, i), "mean", output_real(normal_error_mean(error)),
                      "max", output_real(error->max), "count", (json_int_t)error->count));
    }
    return out;
}

int render_report_prepare(const render_report* report, const render_job* job)
{
    pose_request pose = *job->pose;
    pose.time = job->start;
    json_t* summary = json_object();
    json_object_set_new(summary, "input", output_string(job->input));
    json_object_set_new(summary, "output", output_string(job->path));
    describe_lists(summary, job->how);
    json_object_set_new(summary, "mesh_methods", method_list_describe_file(job->how, job->scene));
    pose_request_describe(summary, &pose);
    json_object_set_new(summary, "size", describe_size(report->width, report->height));
    json_object_set_new(summary, "panel", describe_size(job->width, job->height));
    json_object_set_new(summary, "frames", json_integer(job->frame_count));
    json_object_set_new(summary, "fps", job->rate > 0.0f ? output_float(job->rate) : json_null());
    json_object_set_new(summary, "camera", describe_camera(job, &report->camera));
    json_object_set_new(summary, "legend_maximum", output_float(report->legend_high));
    json_object_set_new(summary, "mixed_handedness_vertices", json_integer(report->mixed_count));
    json_object_set_new(summary, "normal_error", describe_errors(report, job));
    json_object_set_new(summary, "skinning", json_string(job->is_skinned_on_gpu ? "gpu" : "cpu"));
    json_object_set_new(summary, "exact", json_boolean(job->is_exact));
    json_object_set_new(summary, "renderer", output_string(report->renderer));
    json_object_set_new(summary, "seconds", output_real(report->seconds));
    return output_json_prepare(job->summary, summary, NULL);
}

void render_report_note(const render_report* report, const render_job* job)
{
    const method_list* how = job->how;
    message_note("wrote %s: %u x %u pixels, %u %s, in %.2g s", job->path, report->width,
                 report->height, job->frame_count,
                 message_plural(job->frame_count, "frame", "frames"), report->seconds);
    for (uint32_t i = 0; i < how->count && job->show.colors == SHOW_NORMAL_ERROR; ++i)
    {
        const normal_error* error = &report->errors[i];
        char name[METHOD_LIST_NAME_SIZE];
        method_list_write_name(name, how, i);
        message_note("%s, %s normals: error %.3g degrees on average where weights vary, %.3g at "
                     "most",
                     name, method_list_rule_name(how, i), normal_error_mean(error), error->max);
    }
    method_list_note_file(how);
    method_frame_note_mixed(report->mixed_count, how);
    method_frame_note_unused(job->scene, how);
}
