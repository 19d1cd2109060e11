// SPDX-License-Identifier: MIT
#include "comparison.h"

#include "cor_request.h"
#include "mix_request.h"
#include "pelt/gl.h"
#include "pelt/prepare.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const quantity_info quantity_infos[QUANTITY_COUNT] = {
    {"shape_error", "Shape error", true, 0.10},
    {"radius_loss", "Radius lost", false, 0.10},
    {"bulge", "Bulge", true, 0.10},
    {"collapse", "Collapse", false, 0.50},
    {"volume_change", "Change of volume", false, 0.05},
};

enum
{
    // Crossing triangles take longer than all the others: they are counted where pictures are made.
    METRICS = PELT_METRICS_ALL & ~PELT_METRIC_BIT(PELT_METRIC_INTERSECTION) &
              ~PELT_METRIC_BIT(PELT_METRIC_DISTANCE),
};

// ---------------------------------------------------------------------------------------------
// Setting up

static int add_centers(pelt_scene* inout, const contender_list* contenders, pelt_arena* arena)
{
    for (uint32_t i = 0; i < contenders->count; ++i)
    {
        if (contenders->items[i].deform.method == PELT_METHOD_CRS)
        {
            cor_report unused;
            return cor_request_add(&unused, inout, PELT_PREPARE_MISSING, &(pelt_cor_options){0},
                                   arena);
        }
    }
    return EXIT_DONE;
}

static int add_mix_factors(pelt_scene* inout, const contender_list* contenders, pelt_arena* arena)
{
    bool is_wanted = false;
    for (uint32_t i = 0; i < contenders->count; ++i)
    {
        is_wanted = is_wanted || contenders->items[i].is_painted;
    }
    mix_report unused;
    return is_wanted && !contender_has_map(inout)
               ? mix_request_add(&unused, inout, &(mix_request){.is_wanted = true}, arena)
               : EXIT_DONE;
}

static pelt_result leave_factors_out(pelt_scene* out, const pelt_scene* scene, pelt_arena* arena)
{
    pelt_mesh* meshes = pelt_arena_alloc(arena, scene->mesh_count, sizeof *meshes);
    if (meshes == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        meshes[i] = scene->meshes[i];
        meshes[i].mix_factors = NULL;
    }
    *out = *scene;
    out->meshes = meshes;
    return PELT_OK;
}

static pelt_result list_rows(comparison* inout)
{
    const pelt_body_info* info = inout->info;
    inout->rows = pelt_arena_alloc(inout->arena, info->region_count, sizeof *inout->rows);
    for (uint32_t i = 0; inout->rows != NULL && i < info->region_count; ++i)
    {
        const pelt_metric_region* region = &info->regions[i];
        if (i > 0 && region->vertex_count == 0)
        {
            continue;
        }
        const char* joint = i > 0 ? inout->scene->nodes[region->node].name : "body";
        const char* name =
            joint != NULL ? joint : pelt_arena_format(inout->arena, "node %u", region->node);
        double thickness = region->area > 0.0 ? 2.0 * region->volume / region->area : 0.0;
        inout->rows[inout->row_count++] = (comparison_row){i, name, fmax(thickness, 0.0)};
        if (name == NULL)
        {
            return PELT_ERROR_MEMORY;
        }
    }
    return inout->rows != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

// Fewer frames where the numbers of so many joints would take more than a quarter of a gigabyte.
static uint32_t limit_frames(const comparison* in, uint32_t wanted)
{
    uint64_t frame = (uint64_t)in->contenders.count * in->row_count * QUANTITY_COUNT;
    uint64_t most = (1u << 26) / frame;
    return most < wanted ? (uint32_t)most : wanted;
}

static int prepare(comparison* inout, const comparison_request* request)
{
    pelt_error error = {0};
    inout->arena = pelt_arena_create();
    pelt_scene* scene =
        inout->arena != NULL ? pelt_arena_alloc(inout->arena, 1, sizeof *scene) : NULL;
    if (scene == NULL)
    {
        return message_memory();
    }
    *scene = *request->scene;
    inout->scene = scene;
    int code = add_centers(scene, &inout->contenders, inout->arena);
    if (code != EXIT_DONE)
    {
        return code;
    }
    pelt_result result = pelt_body_create(&inout->body, scene, &error);
    if (result != PELT_OK)
    {
        return message_error(result, &error);
    }
    inout->info = pelt_body_get_info(inout->body);
    if (inout->info->vertex_count == 0)
    {
        pelt_error_set(&error, PELT_ERROR_DATA,
                       "%s: no mesh is bound to a skeleton, so that there is nothing to compare",
                       inout->input);
        return message_error(PELT_ERROR_DATA, &error);
    }
    code = add_mix_factors(scene, &inout->contenders, inout->arena);
    if (code != EXIT_DONE)
    {
        return code;
    }
    if (leave_factors_out(&inout->plain, scene, inout->arena) != PELT_OK ||
        list_rows(inout) != PELT_OK ||
        motion_list_create(&inout->motions, scene, inout->info, request->clips, request->clip_count,
                           limit_frames(inout, request->frame_limit), inout->arena) != PELT_OK)
    {
        return message_memory();
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------
// Measuring

static float* value_at(const comparison* in, uint32_t contender, uint32_t frame, uint32_t row)
{
    size_t place = ((size_t)contender * in->motions.frame_count + frame) * in->row_count + row;
    return in->values + place * QUANTITY_COUNT;
}

typedef struct recorder
{
    comparison* out;
    uint32_t contender;
    const compare_motion* motion;
    float time; // of the last frame
} recorder;

static bool are_finite(const float values[QUANTITY_COUNT])
{
    bool is_finite = true;
    for (int i = 0; i < QUANTITY_COUNT; ++i)
    {
        is_finite = is_finite && isfinite(values[i]);
    }
    return is_finite;
}

static bool record_frame(const pelt_pose_metrics* pose, float time, uint32_t index, uint32_t count,
                         void* user)
{
    recorder* r = user;
    comparison* out = r->out;
    r->time = time;
    PELT_ASSERT(count == r->motion->frame_count);
    uint32_t frame = r->motion->first_frame + index;
    for (uint32_t i = 0; i < out->row_count; ++i)
    {
        uint32_t region = out->rows[i].region;
        double rest = out->info->regions[region].volume;
        const pelt_region_metrics* measured = &pose->regions[region];
        float* values = value_at(out, r->contender, frame, i);
        values[QUANTITY_SHAPE] = (float)measured->metrics[PELT_METRIC_BULGE].rms;
        values[QUANTITY_RADIUS] = fmaxf(-measured->metrics[PELT_METRIC_RADIUS].min, 0.0f);
        values[QUANTITY_BULGE] = fmaxf(measured->metrics[PELT_METRIC_BULGE].max, 0.0f);
        values[QUANTITY_COLLAPSE] = measured->metrics[PELT_METRIC_COLLAPSE].max;
        values[QUANTITY_VOLUME] = rest > 0.0 ? (float)(measured->volume / rest - 1.0) : 0.0f;
        if (!are_finite(values))
        {
            return false;
        }
    }
    float done = (float)(r->contender * out->motions.frame_count + frame + 1);
    progress_show(done / (float)(out->contenders.count * out->motions.frame_count));
    return true;
}

static pelt_result measure_motion(comparison* inout, uint32_t contender,
                                  const compare_motion* moving, pelt_error* error)
{
    recorder r = {.out = inout, .contender = contender, .motion = moving};
    float duration = moving->clip != NULL ? moving->clip->duration : 0.0f;
    pelt_clip_request request = {
        .metrics = METRICS,
        .deform = inout->contenders.items[contender].deform,
        // More than enough, so that the limit decides.
        .rate = duration > 0.0f ? 2.0f * (float)moving->frame_count / duration : 0.0f,
        .max_frames = moving->frame_count,
        .frame = record_frame,
        .user = &r};
    pelt_result result =
        pelt_body_measure_clip(&inout->totals[contender], inout->body,
                               comparison_scene(inout, contender), moving->clip, &request, error);
    return result == PELT_ERROR_CANCELED
               ? pelt_error_set(error, PELT_ERROR_DATA,
                                "%s: in %s at %.3g s positions are beyond the range of numbers; "
                                "scale the model down, or leave the clip out",
                                inout->input, moving->name, (double)r.time)
               : result;
}

static int measure(comparison* inout)
{
    size_t count = (size_t)inout->contenders.count * inout->motions.frame_count * inout->row_count;
    inout->values = pelt_arena_alloc(inout->arena, count * QUANTITY_COUNT, sizeof(float));
    if (inout->values == NULL)
    {
        return message_memory();
    }
    pelt_error error = {0};
    pelt_result result = PELT_OK;
    progress_begin("measuring");
    for (uint32_t i = 0; result == PELT_OK && i < inout->contenders.count; ++i)
    {
        result = pelt_clip_metrics_create(&inout->totals[i], inout->body);
        for (uint32_t k = 0; result == PELT_OK && k < inout->motions.count; ++k)
        {
            result = measure_motion(inout, i, &inout->motions.items[k], &error);
        }
    }
    progress_end();
    return result == PELT_ERROR_MEMORY ? message_memory() : message_error(result, &error);
}

int comparison_run(comparison* out, const comparison_request* request)
{
    *out = (comparison){.input = request->input, .contenders = request->contenders};
    int code = prepare(out, request);
    return code == EXIT_DONE ? measure(out) : code;
}

void comparison_destroy(comparison* in)
{
    for (uint32_t i = 0; i < CONTENDER_MAX; ++i)
    {
        pelt_clip_metrics_destroy(&in->totals[i]);
    }
    pelt_body_destroy(in->body);
    pelt_arena_destroy(in->arena);
    *in = (comparison){0};
}

// ---------------------------------------------------------------------------------------------
// Reading

const pelt_scene* comparison_scene(const comparison* in, uint32_t contender)
{
    return in->contenders.items[contender].is_painted ? in->scene : &in->plain;
}

double comparison_value(const comparison* in, uint32_t contender, uint32_t frame, uint32_t row,
                        quantity what)
{
    return (double)value_at(in, contender, frame, row)[what];
}

double comparison_summary(const comparison* in, uint32_t contender, uint32_t motion, uint32_t row,
                          quantity what)
{
    bool is_all = motion == PELT_NONE;
    uint32_t first = is_all ? 0 : in->motions.items[motion].first_frame;
    uint32_t count = is_all ? in->motions.frame_count : in->motions.items[motion].frame_count;
    double squares = 0.0, worst = 0.0;
    for (uint32_t i = first; i < first + count; ++i)
    {
        double value = comparison_value(in, contender, i, row, what);
        squares += value * value;
        worst = fabs(value) > fabs(worst) ? value : worst;
    }
    return what == QUANTITY_SHAPE ? sqrt(squares / count) : worst;
}

double comparison_length(const comparison* in, uint32_t row, quantity what, double value)
{
    // A round limb whose volume changes by a part p has changed its radius by p / 2.
    double part = what == QUANTITY_VOLUME ? 0.5 : 1.0;
    return fabs(value) * (quantity_infos[what].is_length ? 1.0 : part * in->rows[row].thickness);
}

bool comparison_exceeds(const comparison* in, uint32_t row, quantity what, double value)
{
    const quantity_info* info = &quantity_infos[what];
    double limit = info->limit * (info->is_length ? in->rows[row].thickness : 1.0);
    return limit > 0.0 && fabs(value) > limit;
}

bool comparison_is_eligible(const comparison* in, uint32_t contender)
{
    bool has_other = false;
    for (uint32_t i = 0; i < in->contenders.count; ++i)
    {
        has_other = has_other || contender_is_on_gpu(&in->contenders.items[i]);
    }
    return contender_is_on_gpu(&in->contenders.items[contender]) || !has_other;
}
