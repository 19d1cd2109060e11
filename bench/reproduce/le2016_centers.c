// SPDX-License-Identifier: MIT
#include "le2016_centers.h"

#include "center_sum.h"
#include "pelt/prepare.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Section 4: parameters

typedef struct parameter_case
{
    const char* name;
    pelt_cor_options options;
    bool is_claimed; // the paper calls the result visually indistinguishable
} parameter_case;

static const parameter_case parameters[] = {
    {"sigma 0.05, epsilon 0.05", {.sigma = 0.05f, .epsilon = 0.05f}, true},
    {"sigma 0.03, epsilon 0.03", {.sigma = 0.03f, .epsilon = 0.03f}, true},
    {"epsilon 0.05", {.epsilon = 0.05f}, true},
    {"epsilon off", {.epsilon = -1.0f}, false},
    {"sigma 0.2", {.sigma = 0.2f}, false},
    {"sigma 0.5", {.sigma = 0.5f}, false},
    {"omega 0.2", {.solver = PELT_COR_PAPER, .omega = 0.2f}, true},
    {"omega 0.02", {.solver = PELT_COR_PAPER, .omega = 0.02f}, false},
    {"cutoff 1e-8", {.solver = PELT_COR_PAPER, .cutoff = 1e-8f}, true},
    {"cutoff 1e-3", {.solver = PELT_COR_PAPER, .cutoff = 1e-3f}, false},
};

// The largest distance that other centers move the surface, over a clip, relative to the diagonal.
static double surface_change(reproduction* job, reproduce_body* body, const char* clip,
                             const pelt_vec3* other)
{
    const pelt_mesh* mesh = &body->scene.meshes[0];
    pelt_vec3* first = reproduce_allocate(job, mesh->vertex_count, sizeof *first);
    double worst = 0.0;
    for (int i = 1; first != NULL && i <= 4; ++i)
    {
        reproduce_body_pose(
            body, clip,
            0.25f * (float)i *
                body->scene.clips[pelt_scene_find_clip(&body->scene, clip)].duration);
        pelt_frame_update(&body->frame, &body->scene, &body->pose, &reproduce_crs);
        memcpy(first, body->frame.surfaces[0].positions, mesh->vertex_count * sizeof *first);
        body->frame.cors[0] = other;
        pelt_frame_update(&body->frame, &body->scene, &body->pose, &reproduce_crs);
        body->frame.cors[0] = mesh->cors;
        worst = fmax(worst, pelt_positions_compare(first, body->frame.surfaces[0].positions,
                                                   mesh->vertex_count)
                                .max);
    }
    pelt_release(first);
    return worst / pelt_body_get_info(body->body)->size;
}

// Indistinguishable: less than half a percent of the diagonal, a pixel or two in their figures.
static pelt_result add_parameters(reproduction* inout, const char* input, const char* clip,
                                  pelt_error* error)
{
    reproduce_body body;
    PELT_TRY(reproduce_body_create(&body, input, error));
    const pelt_mesh* mesh = &body.scene.meshes[0];
    pelt_vec3* own = pelt_arena_alloc(body.arena, mesh->vertex_count, sizeof *own);
    pelt_result result = own != NULL ? PELT_OK : pelt_error_memory(error);
    for (uint32_t i = 0; result == PELT_OK && i < COUNT_OF(parameters); ++i)
    {
        const pelt_cor_input meshes = {1, &mesh};
        result = pelt_cor_solve(&own, &meshes, &parameters[i].options, NULL, error);
        double change = 1e3 * surface_change(inout, &body, clip, own);
        const char* what = reproduce_label(inout, "%s, %s: largest move of the surface", input,
                                           parameters[i].name);
        if (parameters[i].is_claimed)
        {
            reproduce_claim(inout, what, "mm/m", "indistinguishable", change, change < 5.0);
        }
        else
        {
            reproduce_unjudged(inout, what, "mm/m", "", change);
        }
    }
    reproduce_body_destroy(&body);
    return result;
}

// Largest move of the surface over sigma.
static pelt_result plot_sigma(reproduction* inout, const char* input, const char* clip,
                              plot_mark mark, pelt_error* error)
{
    static const float sigmas[] = {0.02f, 0.03f, 0.05f, 0.07f, 0.14f, 0.2f, 0.3f, 0.5f};
    reproduce_body body;
    PELT_TRY(reproduce_body_create(&body, input, error));
    const pelt_mesh* mesh = &body.scene.meshes[0];
    pelt_vec3* own = pelt_arena_alloc(body.arena, mesh->vertex_count, sizeof *own);
    pelt_result result = own != NULL ? PELT_OK : pelt_error_memory(error);
    plot_series* series = plot_series_add(inout->plot, input, mark, (plot_color)mark);
    series->is_line = true;
    for (uint32_t i = 0; result == PELT_OK && i < COUNT_OF(sigmas); ++i)
    {
        const pelt_cor_input meshes = {1, &mesh};
        const pelt_cor_options options = {.sigma = sigmas[i]};
        result = pelt_cor_solve(&own, &meshes, &options, NULL, error);
        double change = 1e3 * surface_change(inout, &body, clip, own);
        plot_point_add(series, (plot_point){.x = (double)sigmas[i], .y = change});
    }
    reproduce_body_destroy(&body);
    return result;
}

pelt_result le2016_measure_parameters(reproduction* inout, pelt_error* error)
{
    *inout->plot = (plot){.title = "Centers of rotation by other sigma than 0.1",
                          .x_title = "sigma",
                          .y_title = "largest move of the surface, mm per m of size"};
    PELT_TRY(plot_sigma(inout, "rig:bar?vertices=2000", "bend120", PLOT_CIRCLE, error));
    PELT_TRY(plot_sigma(inout, "rig:cloth?vertices=1000", "drape", PLOT_SQUARE, error));
    PELT_TRY(plot_sigma(inout, "rig:raptor?vertices=2000", "tail", PLOT_TRIANGLE, error));
    PELT_TRY(add_parameters(inout, "rig:bar?vertices=2000", "bend120", error));
    PELT_TRY(add_parameters(inout, "rig:cloth?vertices=1000", "drape", error));
    return inout->is_quick ? PELT_OK
                           : add_parameters(inout, "rig:raptor?vertices=3000", "tail", error);
}

// ---------------------------------------------------------------------------------------------
// Section 5: other similarities and integrals

// Vertices whose similar surface is less than a hundredth of the mean: there is next to nothing to
// take a mean of.
static void add_alone(reproduction* inout, const char* what, const pelt_mesh* mesh,
                      const center_sum* sums, uint32_t least_joints, bool is_worse, double* other)
{
    double mean = 0.0;
    uint32_t alone = 0, count = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        mean += sums[v].mass / mesh->vertex_count;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        bool counts = mesh->weights.first[v + 1] - mesh->weights.first[v] >= least_joints;
        count += counts;
        alone += counts && sums[v].mass < 0.01 * mean;
    }
    double part = count > 0 ? 100.0 * alone / count : 0.0;
    if (is_worse)
    {
        reproduce_claim(inout, what, "%", "small number of similar vertices", part, part > *other);
    }
    else
    {
        reproduce_unjudged(inout, what, "%", "", part);
        *other = part;
    }
}

static pelt_result add_choices(reproduction* inout, const char* name, const char* input,
                               const char* clip, pelt_error* error)
{
    static const struct
    {
        const char* name;
        center_choice choice;
    } choices[] = {{"Eq. 1 over triangles", {0}},
                   {"over vertices", {.is_vertices = true}},
                   {"Gaussian similarity", {.is_gaussian = true}}};
    reproduce_body body;
    double alone = 0.0;
    PELT_TRY(reproduce_body_create(&body, input, error));
    const pelt_mesh* mesh = &body.scene.meshes[0];
    center_sum* sums = pelt_arena_alloc(body.arena, mesh->vertex_count, sizeof *sums);
    pelt_vec3* centers = pelt_arena_alloc(body.arena, mesh->vertex_count, sizeof *centers);
    pelt_result result = sums != NULL && centers != NULL ? PELT_OK : pelt_error_memory(error);
    for (uint32_t i = 0; result == PELT_OK && i < COUNT_OF(choices); ++i)
    {
        result = center_sum_solve(sums, mesh, choices[i].choice);
        for (uint32_t v = 0; result == PELT_OK && v < mesh->vertex_count; ++v)
        {
            bool is_single = mesh->weights.first[v + 1] - mesh->weights.first[v] < 2;
            const double* p = sums[v].position;
            centers[v] = is_single ? mesh->positions[v]
                                   : pelt_vec3_make((float)p[0], (float)p[1], (float)p[2]);
        }
        double change = 1e3 * surface_change(inout, &body, clip, centers);
        const char* what =
            reproduce_label(inout, "%s, %s: largest move of the surface", name, choices[i].name);
        if (i == 2)
        {
            reproduce_unjudged(inout, what, "mm/m", "", change);
        }
        else
        {
            reproduce_claim(inout, what, "mm/m", i == 0 ? "the definition" : "also suitable",
                            change, change < 5.0);
        }
        if (i != 1)
        {
            add_alone(inout,
                      reproduce_label(inout, "%s, %s: vertices of 3 joints or more left alone",
                                      name, choices[i].name),
                      mesh, sums, 3, i == 2, &alone);
        }
    }
    reproduce_body_destroy(&body);
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : result;
}

pelt_result le2016_measure_choices(reproduction* inout, pelt_error* error)
{
    PELT_TRY(add_choices(inout, "cloth", "rig:cloth?vertices=600", "drape", error));
    return add_choices(inout, "person, up to 8 joints", "rig:human?vertices=2000&influences=8",
                       "squat", error);
}
