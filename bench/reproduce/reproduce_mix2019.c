// SPDX-License-Identifier: MIT
// The deform factor thesis (2019): dual quaternion and linear blend skinning, combined.
#include "normal_error.h"
#include "pelt/gl.h"
#include "pelt/prepare.h"
#include "published.h"
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float factors[] = {0.0f, 0.25f, 0.5f, 0.55f, 0.75f, 1.0f};

static pelt_deform_options mix_of(float factor)
{
    return (pelt_deform_options){.method = PELT_METHOD_MIX, .mix = factor};
}

// ---------------------------------------------------------------------------------------------
// Algorithm 1

static pelt_result measure_algorithm(reproduction* inout, pelt_error* error)
{
    reproduce_body body;
    PELT_TRY(reproduce_body_create(&body, "rig:human?vertices=5000", error));
    reproduce_body_pose(&body, "extreme", 1.4f);
    published_distance worst = published_compare(inout, &body, PUBLISHED_MIX);
    reproduce_number(inout, "largest distance from the published lines, of the size", "", 0.0,
                     worst.position, 2e-6);
    reproduce_number(inout, "normals by the inverse transpose: largest angle", "degrees", 0.0,
                     worst.normal, 0.1);
    reproduce_body_destroy(&body);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Tables

static pelt_result measure_models(reproduction* inout, pelt_error* error)
{
    static const struct
    {
        const char *name, *rig;
        uint32_t vertices, triangles, bones;
    } models[] = {{"Mutant", "rig:human?vertices=25259", 25259, 11271, 43},
                  {"Groo", "rig:human?vertices=54220", 54220, 27146, 53},
                  {"Starkie", "rig:human?vertices=87849", 87849, 90048, 65}};
    for (uint32_t i = 0; i < COUNT_OF(models); ++i)
    {
        pelt_scene* scene;
        PELT_TRY(bench_scene_load(&scene, models[i].rig, error));
        uint32_t vertices = 0, triangles = 0;
        for (uint32_t k = 0; k < scene->mesh_count; ++k)
        {
            vertices += scene->meshes[k].vertex_count;
            triangles += scene->meshes[k].index_count / 3;
        }
        const char* name = models[i].name;
        reproduce_number(inout, reproduce_label(inout, "%s: vertices", name), "",
                         models[i].vertices, vertices, -1.0);
        reproduce_number(inout, reproduce_label(inout, "%s: triangles", name), "",
                         models[i].triangles, triangles, -1.0);
        reproduce_number(inout, reproduce_label(inout, "%s: bones", name), "", models[i].bones,
                         scene->skins[0].joint_count, -1.0);
        pelt_scene_destroy(scene);
    }
    return PELT_OK;
}

static pelt_result measure_memory(reproduction* inout, pelt_error* error)
{
    static const struct
    {
        const char* name;
        pelt_method method;
        uint32_t scalars;
    } rows[] = {
        {"lbs", PELT_METHOD_LBS, 12}, {"dqs", PELT_METHOD_DQS, 8}, {"mix", PELT_METHOD_MIX, 20}};
    (void)error;
    for (uint32_t i = 0; i < COUNT_OF(rows); ++i)
    {
        uint32_t own =
            pelt_gpu_joint_floats(rows[i].method, PELT_GPU_SCALE_NONE, PELT_GPU_LAYOUT_COMPACT);
        reproduce_number(inout, reproduce_label(inout, "%s: scalars per joint", rows[i].name), "",
                         rows[i].scalars, own, 0.0);
        reproduce_number(inout, reproduce_label(inout, "%s: uniform bytes per joint", rows[i].name),
                         "", 4.0 * rows[i].scalars, 4.0 * own, 0.0);
    }
    const pelt_attribute_set set = 1u << PELT_ATTRIBUTE_POSITION | 1u << PELT_ATTRIBUTE_NORMAL |
                                   1u << PELT_ATTRIBUTE_UV | 1u << PELT_ATTRIBUTE_JOINTS |
                                   1u << PELT_ATTRIBUTE_WEIGHTS;
    double own = pelt_gpu_vertex_bytes(set, 4);
    reproduce_number(inout, "bytes per vertex", "", 64.0, own, -1.0);
    reproduce_number(inout, "bytes per vertex with joints of 32 bits", "", 64.0, own + 8.0, 0.0);
    return PELT_OK;
}

static pelt_result measure_speed(reproduction* inout, pelt_error* error)
{
    static const char* const methods[] = {"dqs", "mix"};
    static const char* const published[] = {"0.97 Mutant, 0.99 Groo, 0.97 Starkie",
                                            "0.99 Mutant, 0.94 Groo, 0.97 Starkie"};
    const bench_report* gpu;
    PELT_TRY(reproduce_suite(&gpu, inout, "gpu", NULL, error));
    for (uint32_t k = 0; k < COUNT_OF(methods); ++k)
    {
        reproduce_unjudged(inout, reproduce_label(inout, "time of a frame, %s to lbs", methods[k]),
                           "", published[k], reproduce_gpu_ratio(gpu, methods[k], "standard", 4));
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Section 5.1: antipodality

// The palette has the negative of the quaternion, which rotates the other way round.
static pelt_result measure_antipodality(reproduction* inout, pelt_error* error)
{
    static const pelt_dqs_variant variants[] = {PELT_DQS_ANTIPODAL, PELT_DQS_BASIC,
                                                PELT_DQS_OPTIMIZED};
    reproduce_body bar;
    double first = 0.0;
    PELT_TRY(reproduce_body_create(&bar, "rig:bar", error));
    reproduce_body_pose(&bar, "twist180", 0.95f);
    // Rotated by 100 degrees as a whole, one half has rotated by more than 180.
    pelt_quat rotation =
        pelt_quat_axis_angle(pelt_vec3_make(1.0f, 0.0f, 0.0f), PELT_PI * 100.0f / 180.0f);
    bar.pose.locals[0].rotation = pelt_quat_mul(rotation, bar.pose.locals[0].rotation);
    for (uint32_t i = 0; i < COUNT_OF(variants); ++i)
    {
        const pelt_deform_options options = {.method = PELT_METHOD_DQS, .dqs_variant = variants[i]};
        const pelt_region_metrics* all = reproduce_body_measure(&bar, &options);
        double strain = 100.0 * all->metrics[PELT_METRIC_RIGIDITY].rms;
        bool is_basic = variants[i] == PELT_DQS_BASIC;
        first = i == 0 ? strain : first;
        reproduce_claim(inout,
                        reproduce_label(inout, "forearm twisted by 171 degrees, %s: rms strain",
                                        pelt_dqs_variant_name(variants[i])),
                        "%", is_basic ? "longer path, discontinuous" : "smooth", strain,
                        is_basic ? strain > first + 1.0 : fabs(strain - first) < 0.1);
    }
    reproduce_body_destroy(&bar);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Sections 5.2 and 5.3: factors

static pelt_result measure_half(reproduction* inout, pelt_error* error)
{
    static const char* const poses[][2] = {{"rig:human?vertices=5000", "squat"},
                                           {"rig:human?vertices=5000", "extreme"},
                                           {"rig:raptor?vertices=3000", "roar"}};
    for (uint32_t i = 0; i < COUNT_OF(poses); ++i)
    {
        reproduce_body body;
        reproduce_worst worst[3];
        PELT_TRY(reproduce_body_create(&body, poses[i][0], error));
        for (uint32_t k = 0; k < 3; ++k)
        {
            pelt_deform_options options = mix_of(0.5f * (float)k);
            worst[k] = reproduce_body_play(&body, poses[i][1], &options, 9);
        }
        reproduce_body_destroy(&body);
        for (uint32_t k = 0; k < 3; ++k)
        {
            reproduce_claim(
                inout,
                reproduce_label(inout, "%s, factor %.1f: bulge", poses[i][1], 0.5 * (double)k),
                "mm", k == 2 ? "bulges" : "less than dqs", 1e3 * worst[k].bulge,
                k == 2 || worst[k].bulge < worst[2].bulge);
            reproduce_claim(inout,
                            reproduce_label(inout, "%s, factor %.1f: radius lost", poses[i][1],
                                            0.5 * (double)k),
                            "%", k == 0 ? "collapses" : "less than lbs", worst[k].radius_lost,
                            k == 0 || worst[k].radius_lost < worst[0].radius_lost);
        }
    }
    return PELT_OK;
}

// The elbow of the arm by factor, in a bend and a twist.
static pelt_result add_sweep(reproduction* inout, const char* input, const char* clip, float time,
                             const char* title, bool is_twist, pelt_error* error)
{
    reproduce_body body;
    double before = (double)NAN;
    PELT_TRY(reproduce_body_create(&body, input, error));
    plot_series* series = plot_series_add(inout->plot, title, is_twist ? PLOT_SQUARE : PLOT_CIRCLE,
                                          is_twist ? PLOT_VERMILION : PLOT_BLUE);
    series->is_line = true;
    for (uint32_t i = 0; i < COUNT_OF(factors); ++i)
    {
        pelt_deform_options options = mix_of(factors[i]);
        reproduce_body_pose(&body, clip, time);
        const pelt_metric_summary* m = reproduce_body_measure(&body, &options)->metrics;
        double own = is_twist ? 100.0 * (double)m[PELT_METRIC_COLLAPSE].max
                              : 1e3 * (double)m[PELT_METRIC_BULGE].max;
        const char* what = reproduce_label(inout, "%s, factor %.2f: %s", title, (double)factors[i],
                                           is_twist ? "radius lost" : "bulge");
        bool grows = isnan(before) || own > before;
        reproduce_claim(inout, what, is_twist ? "%" : "mm",
                        is_twist ? "less with the factor" : "more with the factor", own,
                        is_twist ? isnan(before) || own < before : grows);
        plot_point_add(series, (plot_point){.x = (double)factors[i], .y = own});
        before = own;
    }
    reproduce_body_destroy(&body);
    return PELT_OK;
}

static pelt_result measure_bend(reproduction* inout, pelt_error* error)
{
    *inout->plot = (plot){.title = "Bulge by the deform factor",
                          .x_title = "factor",
                          .y_title = "bulge, mm",
                          .is_linear = true};
    return add_sweep(inout, "rig:bar", "bend120", 1.0f, "bend by 120 degrees", false, error);
}

static pelt_result measure_twist(reproduction* inout, pelt_error* error)
{
    *inout->plot = (plot){.title = "Candy wrapper by the deform factor",
                          .x_title = "factor",
                          .y_title = "radius lost, %",
                          .is_linear = true};
    return add_sweep(inout, "rig:bar", "twist180", 1.0f, "twist by 180 degrees", true, error);
}

// ---------------------------------------------------------------------------------------------
// Figures 5.9 to 5.11

enum
{
    FRAMES_PER_RUN = 50,
    FACTOR_COUNT = 5,
};

// Memory of the process in megabytes; NaN where the system does not tell.
static double resident_megabytes(void)
{
    char line[256];
    unsigned long kilobytes = 0;
    FILE* file = fopen("/proc/self/status", "r");
    while (file != NULL && kilobytes == 0 && fgets(line, sizeof line, file) != NULL)
    {
        kilobytes = strncmp(line, "VmRSS:", 6) == 0 ? strtoul(line + 6, NULL, 10) : 0;
    }
    if (file != NULL)
    {
        fclose(file);
    }
    return kilobytes > 0 ? (double)kilobytes / 1000.0 : (double)NAN;
}

// Frame times of one character at five factors, which alternate, so that other load on the machine
// affects all of them.
static pelt_result add_endurance(reproduction* inout, plot* picture, const char* name,
                                 const char* input, uint32_t frame_count, pelt_error* error)
{
    static const float own[FACTOR_COUNT] = {0.0f, 0.25f, 0.55f, 0.75f, 1.0f};
    reproduce_body body;
    double sums[FACTOR_COUNT] = {0.0}, first[FACTOR_COUNT] = {0.0}, last[FACTOR_COUNT] = {0.0};
    PELT_TRY(reproduce_body_create(&body, input, error));
    pelt_result result = pelt_frame_prepare(&body.frame, &body.scene);
    uint32_t rounds = frame_count / FRAMES_PER_RUN;
    double memory = (double)NAN;
    const pelt_clip* clip = &body.scene.clips[0];
    plot_series* series[FACTOR_COUNT] = {0};
    for (uint32_t i = 0; i < FACTOR_COUNT; ++i)
    {
        static const char* const labels[] = {"0", "0.25", "0.55", "0.75", "1"};
        series[i] = plot_series_add(picture, labels[i], (plot_mark)i, (plot_color)i);
    }
    for (uint32_t run = 0; result == PELT_OK && run < rounds * FACTOR_COUNT; ++run)
    {
        uint32_t at = run % FACTOR_COUNT, round = run / FACTOR_COUNT;
        pelt_deform_options options = mix_of(own[at]);
        double start = clock_seconds();
        for (uint32_t i = 0; i < FRAMES_PER_RUN; ++i)
        {
            float time = (float)(round * FRAMES_PER_RUN + i) / 60.0f;
            pelt_pose_sample(&body.pose, &body.scene, clip, time, PELT_WRAP_LOOP);
            pelt_frame_update(&body.frame, &body.scene, &body.pose, &options);
        }
        double seconds = (clock_seconds() - start) / FRAMES_PER_RUN;
        sums[at] += seconds;
        first[at] += round < rounds / 2 ? seconds : 0.0;
        last[at] += round >= rounds - rounds / 2 ? seconds : 0.0;
        memory = run == FACTOR_COUNT - 1 ? resident_megabytes() : memory;
        if (series[at]->point_count < PLOT_POINT_MAX)
        {
            plot_point_add(series[at],
                           (plot_point){.x = (round + 1.0) * FRAMES_PER_RUN, .y = 1e3 * seconds});
        }
    }
    double growth = resident_megabytes() - memory;
    double low = (double)INFINITY, high = 0.0, drift = 0.0;
    for (uint32_t i = 0; i < FACTOR_COUNT; ++i)
    {
        reproduce_unjudged(inout,
                           reproduce_label(inout, "%s, factor %.2f: mean of %u frames", name,
                                           (double)own[i], rounds * FRAMES_PER_RUN),
                           "ms", "", 1e3 * sums[i] / rounds);
        low = fmin(low, sums[i]);
        high = fmax(high, sums[i]);
        drift = fmax(drift, fabs(last[i] / first[i] - 1.0));
    }
    reproduce_unjudged(inout, reproduce_label(inout, "%s: slowest factor to fastest", name), "",
                       "similar", high / low);
    reproduce_unjudged(inout, reproduce_label(inout, "%s: change from first half to second", name),
                       "%", "stable", 100.0 * drift);
    reproduce_unjudged(inout, reproduce_label(inout, "%s: memory after the first frames", name),
                       "MB", "", memory);
    reproduce_unjudged(inout, reproduce_label(inout, "%s: growth of memory until the last", name),
                       "MB", "", growth);
    reproduce_body_destroy(&body);
    return result == PELT_OK ? PELT_OK : pelt_error_memory(error);
}

static pelt_result measure_endurance(reproduction* inout, pelt_error* error)
{
    uint32_t frames = inout->is_quick ? 100 : 3000;
    static const char* const cases[][3] = {
        {"Mutant", "rig:human?vertices=25259", "Frame time by the deform factor, Mutant"},
        {"Groo", "rig:raptor?vertices=54220", "Frame time by the deform factor, Groo"},
        {"Starkie", "rig:human?vertices=87849", "Frame time by the deform factor, Starkie"}};
    for (uint32_t i = 0; i < COUNT_OF(cases); ++i)
    {
        inout->plot[i] =
            (plot){.title = cases[i][2], .x_title = "frame", .y_title = "ms", .is_linear = true};
        PELT_TRY(add_endurance(inout, &inout->plot[i], cases[i][0], cases[i][1], frames, error));
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Appendix A: normals as a blend of rotated normals

// A vertex with the weights w and 1 - w of a joint that rotates by an angle about x and of one that
// does not: the normals of both, averaged, point along the mean, but have no length where they are
// opposite; before they are normalized, light fades by the length.
static void add_closed_form(reproduction* inout)
{
    static const double angles[] = {60.0, 120.0, 170.0};
    for (uint32_t i = 0; i < COUNT_OF(angles); ++i)
    {
        double angle = angles[i] * (double)PELT_PI / 180.0, worst = 0.0, shortest = 1.0;
        for (int k = 0; k <= 1000; ++k)
        {
            double w = 1e-3 * k, x = 1.0 - w + w * cos(angle), y = w * sin(angle);
            double exact = 2.0 * atan2(w * sin(0.5 * angle), 1.0 - w + w * cos(0.5 * angle));
            worst = fmax(worst, fabs(atan2(y, x) - exact));
            shortest = fmin(shortest, hypot(x, y));
        }
        worst *= 180.0 / (double)PELT_PI;
        reproduce_claim(inout,
                        reproduce_label(inout,
                                        "%.0f degrees twist: largest angle to the normal "
                                        "of dqs",
                                        angles[i]),
                        "degrees", i == 0 ? "small" : "larger with the rotation", worst,
                        i == 0 ? worst < 5.0 : worst > 5.0);
        reproduce_unjudged(inout,
                           reproduce_label(inout, "%.0f degrees twist: shortest blend", angles[i]),
                           "of 1", "", shortest);
    }
}

// Mean angle between normals and those of the deformed triangles, in degrees.
static double mean_angle(const pelt_vec3* normals, const pelt_vec3* truth, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t v = 0; v < count; ++v)
    {
        sum += normal_angle(normals[v], truth[v]);
    }
    return sum / count;
}

// Normals of lbs and of dqs, interpolated by the factor, against those of the combined matrix
// (line 7 of algorithm 1).
static pelt_result add_interpolated(reproduction* inout, reproduce_body* bar, const char* clip,
                                    float factor)
{
    const pelt_deform_options options[] = {reproduce_lbs, reproduce_dqs, mix_of(factor)};
    const pelt_mesh* mesh = &bar->scene.meshes[0];
    uint32_t count = mesh->vertex_count;
    pelt_vec3* sums = reproduce_allocate(inout, (size_t)2 * count, sizeof *sums);
    if (sums == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    pelt_vec3* truth = sums + count;
    const pelt_surface* surface = &bar->frame.surfaces[0];
    reproduce_body_pose(bar, clip, 1.0f);
    for (uint32_t i = 0; i < 3; ++i)
    {
        pelt_frame_update(&bar->frame, &bar->scene, &bar->pose, &options[i]);
        for (uint32_t v = 0; v < count && i < 2; ++v)
        {
            float part = i == 0 ? 1.0f - factor : factor;
            pelt_vec3 before = i == 0 ? (pelt_vec3){0} : sums[v];
            sums[v] = pelt_vec3_mad(before, part, surface->normals[v]);
        }
    }
    pelt_result result = pelt_normals_recompute(truth, mesh, surface->positions);
    if (result == PELT_OK)
    {
        reproduce_unjudged(inout,
                           reproduce_label(inout, "%s, factor %.1f, inverse transpose: mean angle",
                                           clip, (double)factor),
                           "degrees", "", mean_angle(surface->normals, truth, count));
        reproduce_unjudged(inout,
                           reproduce_label(inout, "%s, factor %.1f, interpolated: mean angle", clip,
                                           (double)factor),
                           "degrees", "artifacts", mean_angle(sums, truth, count));
    }
    pelt_release(sums);
    return result;
}

static pelt_result measure_interpolated(reproduction* inout, pelt_error* error)
{
    static const char* const clips[] = {"twist90", "twist135", "twist180", "bend120"};
    reproduce_body bar;
    add_closed_form(inout);
    PELT_TRY(reproduce_body_create(&bar, "rig:bar", error));
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; result == PELT_OK && i < COUNT_OF(clips); ++i)
    {
        result = add_interpolated(inout, &bar, clips[i], 0.5f);
    }
    reproduce_body_destroy(&bar);
    return result == PELT_OK ? PELT_OK : pelt_error_memory(error);
}

// ---------------------------------------------------------------------------------------------
// Section 6.2: distances to the bones

static pelt_result measure_distance(reproduction* inout, pelt_error* error)
{
    static const float corrections[] = {0.0f, 0.5f, 1.0f};
    reproduce_body bar;
    double before = (double)NAN;
    PELT_TRY(reproduce_body_create(&bar, "rig:bar", error));
    reproduce_body_pose(&bar, "bend120", 1.0f);
    for (uint32_t i = 0; i < COUNT_OF(corrections); ++i)
    {
        const pelt_deform_options options = {.method = PELT_METHOD_DQS,
                                             .distance_correction = corrections[i]};
        double own =
            1e3 * (double)reproduce_body_measure(&bar, &options)->metrics[PELT_METRIC_BULGE].max;
        reproduce_claim(inout,
                        reproduce_label(inout, "bend by 120 degrees, correction %.1f: bulge",
                                        (double)corrections[i]),
                        "mm", i == 0 ? "bulges" : "pushed back", own, i == 0 || own < before);
        before = own;
    }
    reproduce_body_destroy(&bar);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------

static const reproduce_item items[] = {
    {.name = "table4.1",
     .title = "post-processing of assimp",
     .remark = "A list of flags of another program; pelt reads glTF and FBX itself, and "
               "docs/files.md says what it asks of assimp."},
    {.name = "algorithm1",
     .title = "combination of the matrices of lbs and dqs",
     .command = "pelt deform --method mix --mix 0.5",
     .measure = measure_algorithm,
     .remark = "The rest is the rounding of floats."},
    {.name = "table5.1",
     .title = "models",
     .command = "pelt info rig:human",
     .measure = measure_models,
     .remark = "The models are not public: rigs of about their size."},
    {.name = "figure5.1",
     .title = "dqs with and without antipodality",
     .command = "pelt deform --dqs basic",
     .measure = measure_antipodality},
    {.name = "figures5.2-5.5",
     .title = "factor 0.5: between the bulge of dqs and the collapse of "
              "lbs",
     .command = "pelt compare rig:human --method lbs,mix,dqs -o report",
     .measure = measure_half,
     .remark = "The models are not public: the order is judged. In the roar of the raptor nothing "
               "collapses: the radius is the same to 0.2 % under all factors."},
    {.name = "figures5.6-5.7",
     .title = "elbow bent by 120 degrees, by factor",
     .command = "pelt compare rig:bar --method mix --mix 0,0.25,0.5,0.75,1 -o sweep",
     .measure = measure_bend,
     .remark = "The bar in place of an elbow."},
    {.name = "figure5.8",
     .title = "elbow twisted by 180 degrees, by factor",
     .command = "pelt render rig:bar --clip twist180 --time 1 --method mix --mix 0,0.25,0.5,0.75,1 "
                "-o t.png",
     .measure = measure_twist,
     .remark = "A loss of less than 20 % from factor 0.8 on, where the thesis calls the artifact "
               "less observable."},
    {.name = "table5.2",
     .title = "scalars per joint, bytes per vertex",
     .command = "pelt info rig:human --gpu",
     .measure = measure_memory,
     .remark = "Joint indices have 16 bits here."},
    {.name = "table5.3",
     .title = "milliseconds per frame of three models",
     .command = "pelt bench gpu",
     .measure = measure_speed,
     .needs_gl = true,
     .remark = "Whole frames on a GPU there; skinning alone here, of one human, often by a "
               "software driver."},
    {.name = "figures5.9-5.11",
     .title = "robustness: 3000 frames at five factors",
     .measure = measure_endurance,
     .remark = "Deformers of the CPU, positions and normals, on all threads: factors differ by "
               "about a tenth, as in the thesis. Changes over time are other load on the machine. "
               "tools/mix_endurance does the same in the viewer: docs/viewer.md."},
    {.name = "figureA.1",
     .title = "interpolated normals (appendix A)",
     .measure = measure_interpolated,
     .remark =
         "First in closed form: the normals of two joints, averaged. Then on the bar: normals "
         "of lbs and dqs, interpolated by the factor, next to those of the combined matrix, "
         "against the deformed triangles. They are as good up to 135 degrees, and worse "
         "where lbs collapses. Interpolation is measured here only: it saves nothing."},
    {.name = "section6.2",
     .title = "further work: distance to the bones, factors by joint",
     .command = "pelt deform --method dqs --correct-distance 1",
     .measure = measure_distance,
     .remark = "Factors of joints and of vertices: docs/mix.md."},
};

const reproduce_document reproduce_mix2019 = {
    .name = "mix2019",
    .title = "the deform factor thesis: dual quaternion and linear blend skinning combined, 2019",
    .items = items,
    .item_count = COUNT_OF(items)};
