// SPDX-License-Identifier: MIT
// report.json, as docs/compare.schema.json defines it.
#include "compare_report.h"

#include "output.h"
#include "pelt/deformer.h"

#include <math.h>

// One number per contender, by its name.
static json_t* describe_values(const comparison* in, const moment* at)
{
    json_t* out = json_object();
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        double value = comparison_value(in, i, at->frame, at->row, at->what);
        json_object_set_new(out, in->contenders.items[i].name, output_float((float)value));
    }
    return out;
}

static json_t* describe_moment(const comparison* in, const finding* found)
{
    const moment* at = &found->at;
    const compare_motion* m = &in->motions.items[at->motion];
    return json_pack("{s:s, s:o, s:o, s:o, s:s, s:s, s:o, s:o}", "quantity",
                     quantity_infos[at->what].name, "motion", output_string(m->name), "time",
                     output_float(motion_time(m, at->frame - m->first_frame)), "joint",
                     at->row > 0 ? output_string(in->rows[at->row].name) : json_null(), "worst",
                     in->contenders.items[at->worst].name, "best",
                     in->contenders.items[at->best].name, "values", describe_values(in, at), "text",
                     output_string(found->text));
}

static json_t* describe_optional(const comparison* in, const finding* found)
{
    return found->text != NULL ? describe_moment(in, found) : json_null();
}

static json_t* describe_recommendation(const compare_report* r)
{
    const verdict* why = r->why;
    json_t* reasons = json_array();
    for (uint32_t i = 0; i < why->reason_count; ++i)
    {
        json_array_append_new(reasons, output_string(why->reasons[i]->text));
    }
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "contender",
                     r->data->contenders.items[why->choice].name, "headline",
                     output_string(why->headline), "summary", output_string(why->summary),
                     "reasons", reasons, "cost", output_string(why->cost), "against",
                     describe_optional(r->data, &why->caveat), "shared",
                     describe_optional(r->data, &why->shared));
}

// ---------------------------------------------------------------------------------------------
// Contenders

static json_t* describe_cost(const contender_cost* cost)
{
    json_t* gpu = json_null();
    if (cost->is_on_gpu)
    {
        gpu = json_pack("{s:I, s:I, s:I, s:I, s:o}", "bytes_per_joint",
                        (json_int_t)cost->gpu.joint_bytes, "bytes_per_scaled_joint",
                        (json_int_t)cost->gpu.scaled_joint_bytes, "skin_bytes_per_vertex",
                        (json_int_t)cost->gpu.skin_bytes, "bytes",
                        (json_int_t)(cost->gpu.palette_total + cost->gpu.vertex_total),
                        "seconds_per_vertex", output_real(cost->gpu_seconds));
    }
    return json_pack("{s:o, s:b, s:I, s:o}", "cpu_seconds_per_vertex",
                     output_real(cost->cpu_seconds), "has_kernel", cost->has_kernel,
                     "bytes_per_vertex", (json_int_t)cost->vertex_bytes, "gpu", gpu);
}

// The four quantities of a row over some frames.
static json_t* describe_summary(const comparison* in, uint32_t contender, uint32_t motion,
                                uint32_t row)
{
    json_t* out = json_object();
    for (int what = 0; what < QUANTITY_COUNT; ++what)
    {
        double value = comparison_summary(in, contender, motion, row, (quantity)what);
        json_object_set_new(out, quantity_infos[what].name, output_float((float)value));
    }
    return out;
}

static json_t* describe_summaries(const comparison* in, uint32_t motion, uint32_t row)
{
    json_t* out = json_object();
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        json_object_set_new(out, in->contenders.items[i].name,
                            describe_summary(in, i, motion, row));
    }
    return out;
}

static json_t* describe_totals(const comparison* in, uint32_t contender)
{
    comparison_surface surface = comparison_surface_summary(in, contender);
    double volume[2];
    compare_volume_range(volume, in, contender);
    json_t* out = describe_summary(in, contender, PELT_NONE, 0);
    json_t* more =
        json_pack("{s:[o, o], s:o, s:o, s:o, s:o, s:o}", "volume_range", output_real(volume[0]),
                  output_real(volume[1]), "strain_rms", output_real(surface.strain_rms), "fold_95",
                  output_real(surface.fold_95), "normal_95", output_real(surface.normal_95), "jump",
                  output_real(surface.jump), "gap", output_real(surface.gap));
    json_object_update(out, more);
    json_decref(more);
    return out;
}

static json_t* describe_contenders(const compare_report* r)
{
    const comparison* in = r->data;
    json_t* out = json_array();
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        const compare_contender* c = &in->contenders.items[i];
        bool has_factor = pelt_method_info(c->deform.method)->has_mix_factor && !c->is_painted;
        json_array_append_new(
            out, json_pack("{s:s, s:s, s:s, s:o, s:b, s:o, s:b, s:o, s:o}", "name", c->name,
                           "title", c->title, "method", pelt_method_name(c->deform.method), "mix",
                           has_factor ? output_float(c->deform.mix) : json_null(), "painted",
                           c->is_painted, "distance_correction",
                           output_float(c->deform.distance_correction), "eligible",
                           comparison_is_eligible(in, i), "total", describe_totals(in, i), "cost",
                           describe_cost(&r->costs[i])));
    }
    return out;
}

// ---------------------------------------------------------------------------------------------
// Joints and motions

static json_t* describe_joints(const comparison* in)
{
    json_t* out = json_array();
    for (uint32_t i = 1; i < in->row_count; ++i)
    {
        const pelt_metric_region* region = &in->info->regions[in->rows[i].region];
        json_array_append_new(out, json_pack("{s:o, s:I, s:I, s:o, s:o, s:o}", "name",
                                             output_string(in->rows[i].name), "node",
                                             (json_int_t)region->node, "vertices",
                                             (json_int_t)region->vertex_count, "area",
                                             output_real(region->area), "thickness",
                                             output_real(in->rows[i].thickness), "contenders",
                                             describe_summaries(in, PELT_NONE, i)));
    }
    return out;
}

static json_t* describe_curve(const comparison* in, const compare_motion* m, uint32_t contender,
                              quantity what)
{
    json_t* out = json_array();
    for (uint32_t i = 0; i < m->frame_count; ++i)
    {
        double value = comparison_value(in, contender, m->first_frame + i, 0, what);
        json_array_append_new(out, output_float((float)value));
    }
    return out;
}

static json_t* describe_curves(const comparison* in, const compare_motion* m)
{
    json_t* out = json_object();
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        json_t* curves = json_object();
        for (int what = 0; what < QUANTITY_COUNT; ++what)
        {
            json_object_set_new(curves, quantity_infos[what].name,
                                describe_curve(in, m, i, (quantity)what));
        }
        json_object_set_new(out, in->contenders.items[i].name, curves);
    }
    return out;
}

static json_t* describe_motions(const comparison* in)
{
    json_t* out = json_array();
    for (uint32_t i = 0; i < in->motions.count; ++i)
    {
        const compare_motion* m = &in->motions.items[i];
        json_t* times = json_array();
        for (uint32_t k = 0; k < m->frame_count; ++k)
        {
            json_array_append_new(times, output_float(motion_time(m, k)));
        }
        json_array_append_new(
            out, json_pack("{s:o, s:s, s:o, s:o, s:o, s:o}", "name", output_string(m->name), "kind",
                           motion_kind_names[m->kind], "duration",
                           output_float(m->clip != NULL ? m->clip->duration : 0.0f), "times", times,
                           "contenders", describe_summaries(in, i, 0), "frames",
                           describe_curves(in, m)));
    }
    return out;
}

// ---------------------------------------------------------------------------------------------

static json_t* describe_figures(const compare_report* r)
{
    const comparison* in = r->data;
    json_t* out = json_array();
    for (uint32_t i = 0; i < r->figures->count; ++i)
    {
        const figure* f = &r->figures->items[i];
        json_t* crossings = json_object();
        for (uint32_t k = 0; k < in->contenders.count; ++k)
        {
            json_object_set_new(crossings, in->contenders.items[k].name,
                                json_integer(f->crossings[k]));
        }
        json_t* one = describe_moment(in, &f->about);
        json_object_set_new(one, "crossings", crossings);
        json_object_set_new(one, "visible",
                            i < r->figures->picture_count ? output_real(f->visible) : json_null());
        json_array_append_new(out, one);
    }
    return out;
}

static json_t* describe_character(const comparison* in)
{
    const pelt_body_info* info = in->info;
    return json_pack("{s:I, s:I, s:I, s:o, s:o, s:b, s:I}", "vertices",
                     (json_int_t)info->vertex_count, "triangles", (json_int_t)info->triangle_count,
                     "joints", (json_int_t)(info->region_count - 1), "size",
                     output_real(info->size), "thickness", output_real(in->rows[0].thickness),
                     "closed", info->is_closed, "crossings", (json_int_t)info->intersection_count);
}

static json_t* describe_sampling(const comparison* in)
{
    const motion_list* motions = &in->motions;
    bool has_clips = motions->clip_total > 0;
    return json_pack(
        "{s:I, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "frames",
        (json_int_t)motions->frame_count, "all_frames", output_real(motions->frame_total),
        "precision", output_real(comparison_precision(in)), "surface_frames",
        (json_int_t)comparison_surface_count(in), "clips",
        has_clips ? (json_int_t)motions->count : 0, "all_clips", (json_int_t)motions->clip_total,
        "instances", (json_int_t)in->scene->instance_count, "all_instances",
        (json_int_t)in->instance_total, "triangles", (json_int_t)in->info->triangle_count,
        "all_triangles", (json_int_t)in->info->triangle_total);
}

json_t* compare_as_json(const compare_report* r)
{
    const comparison* in = r->data;
    json_t* findings = json_array();
    for (uint32_t i = 0; i < r->why->finding_count; ++i)
    {
        json_array_append_new(findings, describe_moment(in, &r->why->findings[i]));
    }
    bool has_gl = r->figures->renderer[0] != '\0';
    return json_pack("{s:s, s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:s, s:o}",
                     "format", "pelt-compare", "version", 1, "pelt", PELT_VERSION_STRING, "input",
                     output_string(in->input), "character", describe_character(in), "sampling",
                     describe_sampling(in), "recommendation", describe_recommendation(r),
                     "contenders", describe_contenders(r), "joints", describe_joints(in), "motions",
                     describe_motions(in), "findings", findings, "figures", describe_figures(r),
                     "pictures", r->figures->picture_count > 0, "instruction_set",
                     pelt_deformer_isa(), "renderer",
                     has_gl ? output_string(r->figures->renderer) : json_null());
}
