// SPDX-License-Identifier: MIT
#include "comparison.h"

#include "pelt/gl.h"
#include "pelt/prepare.h"
#include "requests/cor_request.h"
#include "requests/ddm_request.h"
#include "requests/mix_request.h"
#include "terminal.h"

#include <math.h>

const quantity_info quantity_infos[QUANTITY_COUNT] = {
    {"shape_error", "Shape error", true, 0.10},
    {"radius_loss", "Radius lost", false, 0.10},
    {"bulge", "Bulge", true, 0.10},
    {"collapse", "Collapse", false, 0.50},
    {"volume_change", "Change of volume", false, 0.05},
};

enum
{
    FRAME_LIMIT = 240,       // of each contender
    FRAME_LEAST = 24,        // of large characters
    SURFACE_LIMIT = 48,      // of these that have surface quantities
    SURFACE_LEAST = 8,       // of large characters
    CLIP_LIMIT = 256,        // that are played
    VERTEX_LIMIT = 1u << 14, // from which on a mesh is measured in one instance
};

// The limit of vertices in all frames of a contender, above which fewer frames are measured: 240
// frames of a character of 5 000 vertices, and a third of these for surface quantities.
static const uint32_t frame_vertices = 1200000, surface_vertices = 400000;

// ---------------------------------------------------------------------------------------------
// Setting up

static int add_centers(pelt_scene* inout, const contender_list* contenders, pelt_arena* arena)
{
    for (uint32_t i = 0; i < contenders->count; ++i)
    {
        if (pelt_method_info(contenders->items[i].deform.method)->needs_centers)
        {
            cor_report unused;
            return cor_request_add(&unused, inout, PELT_PREPARE_MISSING, &(pelt_cor_options){0},
                                   arena);
        }
    }
    return EXIT_DONE;
}

static int add_smoothing(pelt_scene* inout, const contender_list* contenders, pelt_arena* arena)
{
    bool is_needed = false;
    for (uint32_t i = 0; i < contenders->count; ++i)
    {
        is_needed =
            is_needed || pelt_method_info(contenders->items[i].deform.method)->needs_smoothing;
    }
    return is_needed ? ddm_request_add(inout, &(pelt_ddm_options){0}, arena) : EXIT_DONE;
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

static uint32_t clamp(uint64_t value, uint32_t least, uint32_t most)
{
    return value < least ? least : value > most ? most : (uint32_t)value;
}

// Vertices of a character. Closed meshes have two triangles for each vertex; a file that uses its
// vertices far more often is counted by its triangles.
static uint32_t count_vertices(const pelt_body_info* info)
{
    uint32_t implied = info->triangle_count / 2;
    return info->vertex_count > implied ? info->vertex_count : implied;
}

// Fewer frames for many vertices, unless the caller has asked for a number; and in any case where
// the numbers of so many joints would take more than a quarter of a gigabyte.
static uint32_t limit_frames(const comparison* in, const comparison_request* request)
{
    uint64_t frame = (uint64_t)in->contenders.count * in->row_count * QUANTITY_COUNT;
    uint32_t most = clamp((1u << 26) / frame, 1, UINT32_MAX);
    uint32_t usual = clamp(frame_vertices / count_vertices(in->info), FRAME_LEAST, FRAME_LIMIT);
    uint32_t wanted = request->frame_limit > 0 ? request->frame_limit
                      : request->is_exact      ? UINT32_MAX
                                               : usual;
    return most < wanted ? most : wanted;
}

// Surface quantities are measured every so many frames: at most a third of them.
static uint32_t choose_step(const comparison* in, const comparison_request* request)
{
    uint32_t third = clamp(in->motions.frame_count / 3, SURFACE_LEAST, SURFACE_LIMIT);
    uint32_t most = clamp(surface_vertices / count_vertices(in->info), SURFACE_LEAST, third);
    return request->is_exact ? 1 : (in->motions.frame_count + most - 1) / most;
}

static int choose_instances(comparison* inout, pelt_scene* scene, bool is_exact)
{
    inout->instance_total = scene->instance_count;
    uint64_t limit = is_exact ? UINT64_MAX : VERTEX_LIMIT;
    return pelt_scene_skip_copies(scene, limit, inout->arena) == PELT_OK ? EXIT_DONE
                                                                         : message_memory();
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
    TRY(choose_instances(inout, scene, request->is_exact));
    TRY(add_centers(scene, &inout->contenders, inout->arena));
    TRY(add_smoothing(scene, &inout->contenders, inout->arena));
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
    TRY(add_mix_factors(scene, &inout->contenders, inout->arena));
    if (leave_factors_out(&inout->plain, scene, inout->arena) != PELT_OK ||
        list_rows(inout) != PELT_OK)
    {
        return message_memory();
    }
    motion_request motions = {.clips = request->clips,
                              .clip_count = request->clip_count,
                              .clip_limit = request->is_exact ? UINT32_MAX : CLIP_LIMIT,
                              .frame_limit = limit_frames(inout, request)};
    if (motion_list_create(&inout->motions, scene, inout->info, &motions, inout->arena) != PELT_OK)
    {
        return message_memory();
    }
    inout->surface_step = choose_step(inout, request);
    return EXIT_DONE;
}

int comparison_run(comparison* out, const comparison_request* request)
{
    *out = (comparison){.input = request->input, .contenders = request->contenders};
    TRY(prepare(out, request));
    return comparison_measure(out);
}

void comparison_destroy(comparison* in)
{
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

float* comparison_values(const comparison* in, uint32_t contender, uint32_t frame, uint32_t row)
{
    size_t index = ((size_t)contender * in->motions.frame_count + frame) * in->row_count + row;
    return in->values + index * QUANTITY_COUNT;
}

double comparison_value(const comparison* in, uint32_t contender, uint32_t frame, uint32_t row,
                        quantity what)
{
    return (double)comparison_values(in, contender, frame, row)[what];
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

double comparison_precision(const comparison* in)
{
    double largest = 0.0;
    bool is_sample = in->motions.frame_total > in->motions.frame_count;
    for (uint32_t k = 0; is_sample && k < in->contenders.count; ++k)
    {
        double squares[2] = {0.0, 0.0};
        for (uint32_t i = 0; i < in->motions.frame_count; ++i)
        {
            double value = comparison_value(in, k, i, 0, QUANTITY_SHAPE);
            squares[i % 2] += value * value;
        }
        uint32_t count = in->motions.frame_count;
        double all = sqrt((squares[0] + squares[1]) / count);
        double half = sqrt(squares[0] / ((count + 1) / 2));
        largest = all > 0.0 ? fmax(largest, fabs(half / all - 1.0)) : largest;
    }
    return largest;
}

bool comparison_has_surface(const comparison* in, uint32_t frame)
{
    return frame % in->surface_step == in->surface_step - 1;
}

uint32_t comparison_surface_count(const comparison* in)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < in->motions.frame_count; ++i)
    {
        count += comparison_has_surface(in, i);
    }
    return count;
}

comparison_surface* comparison_surface_at(const comparison* in, uint32_t contender, uint32_t frame)
{
    return &in->surfaces[(size_t)contender * in->motions.frame_count + frame];
}

comparison_surface comparison_surface_summary(const comparison* in, uint32_t contender)
{
    comparison_surface out = {0};
    double squares = 0.0;
    for (uint32_t i = 0; i < in->motions.frame_count; ++i)
    {
        if (comparison_has_surface(in, i))
        {
            const comparison_surface* frame = comparison_surface_at(in, contender, i);
            squares += frame->strain_rms * frame->strain_rms;
            out.fold_95 = fmax(out.fold_95, frame->fold_95);
            out.normal_95 = fmax(out.normal_95, frame->normal_95);
            out.jump = fmax(out.jump, frame->jump);
            out.gap = fmax(out.gap, frame->gap);
        }
    }
    out.strain_rms = sqrt(squares / comparison_surface_count(in));
    return out;
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
