// SPDX-License-Identifier: MIT
// The animation texture thesis (2021).
#include "bake/bake_subject.h"
#include "pelt/bake.h"
#include "reproduce.h"
#include "statistics.h"
#include "textures2021_regions.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Tables 1 to 8

static pelt_result measure_models(reproduction* inout, pelt_error* error)
{
    static const struct
    {
        const char *name, *rig;
        uint32_t meshes, vertices, triangles, bones;
    } models[] = {{"Box", "rig:box", 2, 312, 116, 4},
                  {"Vampire", "rig:human?vertices=45066", 1, 45066, 15022, 65},
                  {"X Bot", "rig:human?vertices=99796", 2, 99796, 49112, 52},
                  {"Y Bot", "rig:human?vertices=319944", 2, 319944, 159272, 67}};
    for (uint32_t i = 0; i < (inout->is_quick ? 1 : COUNT_OF(models)); ++i)
    {
        pelt_scene* scene;
        PELT_TRY(bench_scene_load(&scene, models[i].rig, error));
        double vertices = 0.0, triangles = 0.0;
        for (uint32_t k = 0; k < scene->mesh_count; ++k)
        {
            vertices += scene->meshes[k].vertex_count;
            triangles += scene->meshes[k].index_count / 3;
        }
        double tolerance = i == 0 ? 0.0 : -1.0;
        const char* name = models[i].name;
        reproduce_number(inout, reproduce_label(inout, "%s: meshes", name), "", models[i].meshes,
                         scene->mesh_count, tolerance);
        reproduce_number(inout, reproduce_label(inout, "%s: vertices", name), "",
                         models[i].vertices, vertices, tolerance);
        reproduce_number(inout, reproduce_label(inout, "%s: triangles", name), "",
                         models[i].triangles, triangles, tolerance);
        reproduce_number(inout, reproduce_label(inout, "%s: bones", name), "", models[i].bones,
                         scene->skins[0].joint_count, tolerance);
        pelt_scene_destroy(scene);
    }
    return PELT_OK;
}

static pelt_result measure_sizes(reproduction* inout, pelt_error* error)
{
    bench_report report = {0};
    const bench_options options = {.is_quick = inout->is_quick};
    pelt_result result = thesis_sizes_measure(&report, &options, error);
    const bench_table* rows = &report.tables[0];
    for (uint32_t i = 0; result == PELT_OK && i < rows->row_count; ++i)
    {
        const bench_cell* row = rows->cells[i];
        double published = reproduce_cell(&report, "document", row, "thesis_texels");
        if (isfinite(published))
        {
            reproduce_number(inout,
                             reproduce_label(inout, "%s, %s: texels", row[0].text, row[4].text), "",
                             published, reproduce_cell(&report, "document", row, "texels"), 0.0);
        }
    }
    bench_report_destroy(&report);
    return result;
}

// Figure 13: both textures of the Vampire become 256 texels high.
static pelt_result measure_padding(reproduction* inout, pelt_error* error)
{
    static const pelt_encoding encodings[] = {PELT_ENCODING_DQ, PELT_ENCODING_MATRIX};
    pelt_scene* scene;
    PELT_TRY(bench_scene_load(&scene, "rig:human?vertices=2000", error));
    uint32_t clip = pelt_scene_find_clip(scene, "twist");
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; result == PELT_OK && i < COUNT_OF(encodings); ++i)
    {
        pelt_baked* baked;
        const pelt_bake_options options = {.encoding = encodings[i],
                                           .layout = PELT_BAKE_LAYOUT_THESIS,
                                           .is_padded = true,
                                           .clip_count = 1,
                                           .clips = &clip};
        result = pelt_bake(&baked, scene, &options, error);
        if (result == PELT_OK)
        {
            reproduce_number(inout,
                             reproduce_label(inout, "65 bones, %s, powers of two: height",
                                             pelt_encoding_name(encodings[i])),
                             "texels", 256.0, baked->height, 0.0);
            pelt_baked_destroy(baked);
        }
    }
    pelt_scene_destroy(scene);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Tables 9 to 16: crowds

// The techniques of the thesis, and its second benchmark if merged.
static pelt_result crowd(const bench_report** out, reproduction* inout, bool is_merged,
                         pelt_error* error)
{
    const bench_options quick = {.techniques = "control,gpu-matrix,gpu-dq,thesis-matrix-texture,"
                                               "thesis-dq-texture,thesis-vertex-texture",
                                 .is_merged = is_merged,
                                 .seconds = 0.1};
    const bench_options whole = {.techniques =
                                     "control,cpu-matrix,gpu-matrix,gpu-dq,thesis-matrix-texture,"
                                     "thesis-dq-texture,thesis-vertex-texture",
                                 .is_merged = is_merged,
                                 .seconds = 5.0};
    return reproduce_suite(out, inout, "crowd", inout->is_quick ? &quick : &whole, error);
}

static double crowd_cell(const bench_report* report, const char* technique, const char* key)
{
    const bench_cell* row =
        reproduce_find_row(report, "techniques", "technique", technique, NULL, NULL);
    return reproduce_cell(report, "techniques", row, key);
}

// Frames per second over instances, as in figures 22 to 26 and 30 to 33.
static void plot_rates(plot* out, const bench_report* report, const char* title)
{
    static const struct
    {
        const char* technique;
        plot_mark mark;
        plot_color color;
    } lines[] = {{"control", PLOT_STAR, PLOT_BLACK},
                 {"cpu-matrix", PLOT_CIRCLE, PLOT_BLACK},
                 {"gpu-matrix", PLOT_CIRCLE, PLOT_BLUE},
                 {"gpu-dq", PLOT_CIRCLE, PLOT_VERMILION},
                 {"thesis-matrix-texture", PLOT_SQUARE, PLOT_SKY_BLUE},
                 {"thesis-dq-texture", PLOT_SQUARE, PLOT_GREEN},
                 {"thesis-vertex-texture", PLOT_TRIANGLE, PLOT_PURPLE}};
    *out = (plot){.title = title, .x_title = "instances", .y_title = "frames per second"};
    const bench_table* points = reproduce_table(report, "points");
    for (uint32_t i = 0; points != NULL && i < COUNT_OF(lines); ++i)
    {
        plot_series* series =
            plot_series_add(out, lines[i].technique, lines[i].mark, lines[i].color);
        series->is_line = true;
        for (uint32_t k = 0; k < points->row_count; ++k)
        {
            const bench_cell* row = points->cells[k];
            if (strcmp(row[0].text, lines[i].technique) == 0)
            {
                plot_point_add(series,
                               (plot_point){.x = reproduce_cell(report, "points", row, "instances"),
                                            .y = reproduce_cell(report, "points", row, "fps")});
            }
        }
    }
}

static pelt_result measure_breakpoints(reproduction* inout, pelt_error* error)
{
    static const struct
    {
        const char* technique;
        const char* published[3]; // 120, 60 and 30 frames per second: Box, Vampire, X Bot, Y Bot
    } rows[] = {{"cpu-matrix", {"", "", ""}},
                {"gpu-dq", {"3.5, 38, 41, 100", "4.5, 49, 58, 100", "5.1, 52, 64, 100"}},
                {"gpu-matrix", {"1.8, 16, 21, 92", "2.1, 25, 32, 95", "2.3, 26, 33, 89"}},
                {"thesis-dq-texture", {"75, 56, 53, 71", "63, 62, 57, 77", "63, 67, 57, 77"}},
                {"thesis-matrix-texture", {"56, 38, 38, 58", "50, 46, 40, 59", "48, 47, 41, 61"}},
                {"thesis-vertex-texture", {"113, 88, 88, 0", "100, 99, 87, 0", "100, 102, 83, 0"}}};
    static const char* const keys[] = {"at_120_fps_percent", "at_60_fps_percent",
                                       "at_30_fps_percent"};
    static const int rates[] = {120, 60, 30};
    const bench_report* report;
    PELT_TRY(crowd(&report, inout, false, error));
    plot_rates(inout->plot, report, "Frames per second over instances: box");
    for (uint32_t i = 0; i < COUNT_OF(rows); ++i)
    {
        const bench_cell* row =
            reproduce_find_row(report, "breakpoints", "technique", rows[i].technique, NULL, NULL);
        for (uint32_t k = 0; row != NULL && k < 3; ++k)
        {
            reproduce_unjudged(inout,
                               reproduce_label(inout, "%s, %d frames per second: of control",
                                               rows[i].technique, rates[k]),
                               "%", rows[i].published[k],
                               reproduce_cell(report, "breakpoints", row, keys[k]));
        }
    }
    return PELT_OK;
}

static sample_summary rating_of(const bench_report* report, const char* technique)
{
    double count = crowd_cell(report, technique, "points");
    return (sample_summary){.count = isfinite(count) ? (uint32_t)count : 0,
                            .mean = crowd_cell(report, technique, "rating"),
                            .deviation = crowd_cell(report, technique, "rating_deviation")};
}

// Adds the difference of the means in percent, and p.
static welch_test add_test(reproduction* inout, const bench_report* report, const char* a,
                           const char* b, const char* published)
{
    sample_summary first = rating_of(report, a), second = rating_of(report, b);
    welch_test test = welch_compare(&first, &second);
    reproduce_unjudged(inout, reproduce_label(inout, "%s against %s: mean rating", a, b), "%",
                       published, 100.0 * (first.mean / second.mean - 1.0));
    reproduce_unjudged(inout, reproduce_label(inout, "%s against %s: p", a, b), "", "", test.p);
    return test;
}

// Whether a is faster than b on average and not by chance: 1 yes, 0 undecided, -1 slower.
static double verdict_of(const bench_report* report, welch_test test, const char* a, const char* b)
{
    double difference = rating_of(report, a).mean - rating_of(report, b).mean;
    return !(test.p < 0.05) ? 0.0 : difference > 0.0 ? 1.0 : -1.0;
}

static pelt_result measure_hypothesis(reproduction* inout, pelt_error* error)
{
    static const struct
    {
        const char *name, *claim;
        const char* pairs[2][2];
        const char* published[2];
    } hypotheses[] = {{"H1, dual quaternions always outperform matrices",
                       "confirmed",
                       {{"gpu-dq", "gpu-matrix"}, {"thesis-dq-texture", "thesis-matrix-texture"}},
                       {"122 Box, 98.9, 97.9, 4.6 Y Bot", "25.1 Box, 45.6, 36.4, 23.5 Y Bot"}},
                      {"H2, bone textures always outperform GPU skinning",
                       "rejected",
                       {{"thesis-dq-texture", "gpu-dq"}, {"thesis-matrix-texture", "gpu-matrix"}},
                       {"-22 Y Bot", ""}},
                      {"H3, vertex textures always outperform bone textures",
                       "confirmed for simple meshes",
                       {{"thesis-vertex-texture", "thesis-dq-texture"},
                        {"thesis-vertex-texture", "thesis-matrix-texture"}},
                       {"", ""}}};
    const bench_report* report;
    PELT_TRY(crowd(&report, inout, false, error));
    for (uint32_t i = 0; i < COUNT_OF(hypotheses); ++i)
    {
        double least = 1.0;
        for (uint32_t k = 0; k < 2; ++k)
        {
            const char* const* pair = hypotheses[i].pairs[k];
            welch_test test = add_test(inout, report, pair[0], pair[1], hypotheses[i].published[k]);
            least = fmin(least, verdict_of(report, test, pair[0], pair[1]));
        }
        reproduce_unjudged(
            inout,
            reproduce_label(inout, "%s: 1 confirmed, 0 undecided, -1 rejected", hypotheses[i].name),
            "", hypotheses[i].claim, least);
    }
    return PELT_OK;
}

// The published means, variances and numbers of samples give the published test.
static pelt_result measure_tests(reproduction* inout, pelt_error* error)
{
    static const struct
    {
        const char* name;
        sample_summary a, b; // deviation: the variance
        double freedom, t, p;
    } tables[] = {{"Table 11", {39, 1.44e6, 1.18e11}, {38, 6.49e5, 2.20e10}, 52, 13.19, 3.25e-18},
                  {"Table 14", {43, 20012.14, 1.08e7}, {40, 15579.11, 6.47e6}, 78, 6.89, 1.25e-9}};
    (void)error;
    for (uint32_t i = 0; i < COUNT_OF(tables); ++i)
    {
        sample_summary a = tables[i].a, b = tables[i].b;
        a.deviation = sqrt(a.deviation);
        b.deviation = sqrt(b.deviation);
        welch_test test = welch_compare(&a, &b);
        const char* name = tables[i].name;
        reproduce_number(inout, reproduce_label(inout, "%s: t", name), "", tables[i].t, test.t,
                         0.005 * tables[i].t);
        reproduce_number(inout, reproduce_label(inout, "%s: degrees of freedom", name), "",
                         tables[i].freedom, floor(test.freedom + 0.5), 3.0);
        reproduce_number(inout, reproduce_label(inout, "%s: logarithm of p", name), "",
                         log10(tables[i].p), log10(test.p), 0.3);
    }
    return PELT_OK;
}

// Tables 13 and 15: parts of a frame left out, in percent of all on.
static pelt_result measure_parts(reproduction* inout, pelt_error* error)
{
    static const struct
    {
        const char *technique, *off, *published;
    } rows[] = {{"gpu-dq", "upload", "107"},
                {"gpu-dq", "skeleton", "137"},
                {"gpu-dq", "skeleton, upload", "153"},
                {"gpu-dq", "switch", "53"},
                {"gpu-dq", "switch, skeleton, upload", "240"},
                {"gpu-matrix", "upload", "106"},
                {"gpu-matrix", "skeleton", "256"},
                {"gpu-matrix", "skeleton, upload", "288"},
                {"gpu-matrix", "switch", "56"},
                {"gpu-matrix", "switch, skeleton, upload", "450"},
                {"thesis-dq-texture", "interpolation", "113"},
                {"thesis-dq-texture", "metadata", "103"},
                {"thesis-dq-texture", "skinning", "103"},
                {"thesis-dq-texture", "skinning, metadata, interpolation", "117"},
                {"thesis-matrix-texture", "interpolation", "123"},
                {"thesis-matrix-texture", "metadata", "112"},
                {"thesis-matrix-texture", "skinning", "104"},
                {"thesis-matrix-texture", "skinning, metadata, interpolation", "135"},
                // The coherent order is 6 and 12 % faster (section 4.8).
                {"thesis-dq-texture", "order", "94"},
                {"thesis-matrix-texture", "order", "89"}};
    const bench_report* report;
    PELT_TRY(crowd(&report, inout, false, error));
    for (uint32_t i = 0; i < COUNT_OF(rows); ++i)
    {
        const bench_cell* row = reproduce_find_row(report, "toggles", "technique",
                                                   rows[i].technique, "off", rows[i].off);
        if (row != NULL)
        {
            reproduce_unjudged(
                inout,
                reproduce_label(inout, "%s without %s: rating", rows[i].technique, rows[i].off),
                "%", rows[i].published,
                reproduce_cell(report, "toggles", row, "to_all_on_percent"));
        }
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Section 4.7: operations; section 4.13: duplicated vertices

static pelt_result measure_operations(reproduction* inout, pelt_error* error)
{
    // One vertex, three bones: weights, the vertex, and the product with each link transform.
    double dual_mul = 24 + 8 * 3 + 48 * 3, dual_add = 21 + 8 * 3 + 40 * 3;
    double matrix_mul = 12 + 12 * 3 + 48 * 3, matrix_add = 8 + 12 * 3 + 36 * 3;
    (void)error;
    reproduce_number(inout, "dual quaternions: multiplications", "", 192.0, dual_mul, 0.0);
    reproduce_number(inout, "dual quaternions: additions", "", 165.0, dual_add, 0.0);
    reproduce_number(inout, "matrices: multiplications", "", 192.0, matrix_mul, 0.0);
    reproduce_number(inout, "matrices: additions", "", 152.0, matrix_add, 0.0);
    reproduce_number(inout, "a point times a 4 x 3 matrix: additions", "", 8.0, 9.0, -1.0);
    return PELT_OK;
}

static uint32_t count_positions(const pelt_mesh* mesh)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        uint32_t k = 0;
        while (k < v && pelt_vec3_distance(mesh->positions[k], mesh->positions[v]) > 1e-6f)
        {
            ++k;
        }
        count += k == v;
    }
    return count;
}

static pelt_result count_duplicates(reproduction* inout, pelt_error* error)
{
    pelt_scene* scene;
    double vertices = 0.0, positions = 0.0;
    PELT_TRY(bench_scene_load(&scene, "rig:box", error));
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        vertices += scene->meshes[i].vertex_count;
        positions += count_positions(&scene->meshes[i]);
    }
    reproduce_number(inout, "Box: vertices by unique positions", "", 5.03, vertices / positions,
                     0.01);
    pelt_scene_destroy(scene);
    return PELT_OK;
}

// How much the mean rating of a technique grows when duplicates are merged, in percent.
static double growth_of(const bench_report* before, const bench_report* after,
                        const char* technique)
{
    return 100.0 * (rating_of(after, technique).mean / rating_of(before, technique).mean - 1.0);
}

// Table 16 and figures 30 to 33: t-tests without duplicates, next to those with them.
static pelt_result measure_merged(reproduction* inout, pelt_error* error)
{
    static const struct
    {
        const char *a, *b, *published, *p;
    } pairs[] = {{"gpu-dq", "gpu-matrix", "4.26 Box, 12.6, 9.31, 4.90 Y Bot",
                  "0.40 Box, 0.0044, 0.016, 0.18 Y Bot"},
                 {"thesis-dq-texture", "thesis-matrix-texture", "7.02 Box, 33.8, 3.20, 4.79 Y Bot",
                  "0.08 Box, 9e-11, 0.39, 0.23 Y Bot"}};
    static const char* const grown[] = {"gpu-matrix", "gpu-dq", "thesis-matrix-texture",
                                        "thesis-dq-texture", "thesis-vertex-texture"};
    const bench_report *before, *after;
    PELT_TRY(count_duplicates(inout, error));
    PELT_TRY(crowd(&before, inout, false, error));
    PELT_TRY(crowd(&after, inout, true, error));
    plot_rates(inout->plot, after, "Frames per second over instances: box without duplicates");
    for (uint32_t i = 0; i < COUNT_OF(pairs); ++i)
    {
        sample_summary a = rating_of(after, pairs[i].a), b = rating_of(after, pairs[i].b);
        reproduce_unjudged(
            inout,
            reproduce_label(inout, "%s against %s, merged: mean rating", pairs[i].a, pairs[i].b),
            "%", pairs[i].published, 100.0 * (a.mean / b.mean - 1.0));
        reproduce_unjudged(
            inout, reproduce_label(inout, "%s against %s, merged: p", pairs[i].a, pairs[i].b), "",
            pairs[i].p, welch_compare(&a, &b).p);
    }
    reproduce_unjudged(inout, "control: gain of the mean rating by merging", "%",
                       "100 Box to 35 Y Bot", growth_of(before, after, "control"));
    for (uint32_t i = 0; i < COUNT_OF(grown); ++i)
    {
        reproduce_unjudged(
            inout, reproduce_label(inout, "%s: gain of the mean rating by merging", grown[i]), "%",
            "higher than before", growth_of(before, after, grown[i]));
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Section 4.10: precision

// How much the columns of decoded matrices are shorter than 1 between keys, in percent: limbs
// shrink there and grow at keys, which is the bobbing.
static double shrink_of(reproduction* job, const pelt_baked* baked)
{
    pelt_mat34* motions = reproduce_allocate(job, baked->joint_count, sizeof *motions);
    float least = 1.0f, duration = baked->clips[0].duration;
    for (int i = 0; motions != NULL && i <= 240; ++i)
    {
        const pelt_playback playback = {.base = {0, duration * (float)i / 240.0f, PELT_WRAP_CLAMP}};
        pelt_unbake(motions, baked, &playback);
        for (uint32_t joint = 0; joint < baked->joint_count; ++joint)
        {
            for (int column = 0; column < 3; ++column)
            {
                const float(*m)[4] = (const float(*)[4])motions[joint].m;
                least = fminf(least, pelt_vec3_length(
                                         pelt_vec3_make(m[0][column], m[1][column], m[2][column])));
            }
        }
    }
    pelt_release(motions);
    return 100.0 * (1.0 - (double)least);
}

static const struct
{
    const char* name;
    pelt_bake_options options;
    const char *native, *slow; // what the thesis saw
} precisions[] = {
    {"vertex, 8 bits, one box",
     {.encoding = PELT_ENCODING_VERTEX, .bits = 8, .has_mesh_bounds = true},
     "artifacts for large meshes",
     "bobs"},
    {"matrix, layout of the thesis",
     {.encoding = PELT_ENCODING_MATRIX, .layout = PELT_BAKE_LAYOUT_THESIS},
     "indistinguishable",
     "bobs"},
    {"dq, layout of the thesis",
     {.encoding = PELT_ENCODING_DQ, .layout = PELT_BAKE_LAYOUT_THESIS},
     "imprecise, jittery",
     "does not bob"},
    {"vertex, 16 bits", {.encoding = PELT_ENCODING_VERTEX, .bits = 16}, "", ""},
    {"matrix, 16 bits", {.encoding = PELT_ENCODING_MATRIX, .bits = 16}, "", ""},
    {"dq, 16 bits", {.encoding = PELT_ENCODING_DQ, .bits = 16}, "", ""},
    {"qt, 96 bits", {.encoding = PELT_ENCODING_QT, .bits = 96}, "", ""},
    {"local, 16 bits", {.encoding = PELT_ENCODING_LOCAL, .bits = 16}, "", ""},
};

static pelt_result add_precision(reproduction* inout, const pelt_scene* scene, uint32_t clip,
                                 uint32_t index, float rate, pelt_error* error)
{
    pelt_baked* baked;
    pelt_bake_report report;
    pelt_bake_options options = precisions[index].options;
    const char* name = precisions[index].name;
    char at[16];
    snprintf(at, sizeof at, rate > 0.0f ? "%.0f Hz" : "keys", (double)rate);
    options.clip_count = 1;
    options.clips = &clip;
    options.timing = rate > 0.0f ? PELT_BAKE_RATE : PELT_BAKE_KEYS;
    options.rate = rate;
    PELT_TRY(pelt_bake(&baked, scene, &options, error));
    pelt_result result =
        pelt_baked_measure(&report, baked, scene, &(pelt_measure_options){.between = 3}, error);
    if (result == PELT_OK)
    {
        const char* seen = rate > 0.0f ? precisions[index].slow : precisions[index].native;
        reproduce_unjudged(inout, reproduce_label(inout, "%s, %s: largest error", at, name), "mm",
                           seen, 1e3 * report.error.max);
        reproduce_unjudged(inout, reproduce_label(inout, "%s, %s: rms error", at, name), "mm", "",
                           1e3 * report.error.rms);
        pelt_bake_report_destroy(&report);
    }
    if (result == PELT_OK && rate > 0.0f && options.encoding != PELT_ENCODING_VERTEX)
    {
        double shrink = shrink_of(inout, baked);
        bool bobs = options.encoding == PELT_ENCODING_MATRIX;
        reproduce_claim(inout, reproduce_label(inout, "%s, %s: joints shrink by", at, name), "%",
                        bobs ? "bobs" : "does not bob", shrink, bobs ? shrink > 2.0 : shrink < 0.1);
    }
    pelt_baked_destroy(baked);
    return result;
}

static pelt_result measure_precision(reproduction* inout, pelt_error* error)
{
    pelt_scene* scene;
    PELT_TRY(bench_scene_load(&scene, "rig:human?vertices=2000", error));
    uint32_t clip = pelt_scene_find_clip(scene, "walk");
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; result == PELT_OK && i < 2 * COUNT_OF(precisions); ++i)
    {
        float rate = i < COUNT_OF(precisions) ? 0.0f : 6.0f;
        result = add_precision(inout, scene, clip, i % COUNT_OF(precisions), rate, error);
    }
    pelt_scene_destroy(scene);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Figures 27, 28 and 34

static pelt_result measure_boxes(reproduction* inout, pelt_error* error)
{
    pelt_scene* scene;
    double errors[2] = {0.0, 0.0};
    PELT_TRY(bench_scene_load(&scene, "rig:human?vertices=2000", error));
    uint32_t clip = pelt_scene_find_clip(scene, "walk");
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; result == PELT_OK && i < 2; ++i)
    {
        pelt_baked* baked;
        pelt_bake_report report;
        const pelt_bake_options options = {.encoding = PELT_ENCODING_VERTEX,
                                           .bits = 8,
                                           .has_mesh_bounds = i == 0,
                                           .clip_count = 1,
                                           .clips = &clip};
        result = pelt_bake(&baked, scene, &options, error);
        if (result == PELT_OK)
        {
            result = pelt_baked_measure(&report, baked, scene,
                                        &(pelt_measure_options){.between = 1}, error);
            errors[i] = result == PELT_OK ? 1e3 * report.error.max_at_keys : 0.0;
            if (result == PELT_OK)
            {
                pelt_bake_report_destroy(&report);
            }
            pelt_baked_destroy(baked);
        }
    }
    pelt_scene_destroy(scene);
    reproduce_unjudged(inout, "8 bits, one box for all vertices: largest error at keys", "mm", "",
                       errors[0]);
    reproduce_claim(inout, "8 bits, a box for each vertex: largest error at keys", "mm",
                    "precision is used better", errors[1], errors[1] < errors[0]);
    return result;
}

static pelt_result measure_rays(reproduction* inout, pelt_error* error)
{
    const bench_report* report;
    PELT_TRY(reproduce_suite(&report, inout, "bake", NULL, error));
    const bench_table* rays = NULL;
    for (uint32_t i = 0; i < report->table_count; ++i)
    {
        rays = strcmp(report->tables[i].key, "rays") == 0 ? &report->tables[i] : rays;
    }
    for (uint32_t i = 0; rays != NULL && i < rays->row_count; ++i)
    {
        const bench_cell* row = rays->cells[i];
        reproduce_unjudged(inout,
                           reproduce_label(inout, "%s, %s: rms error to a box of 3 bytes",
                                           row[0].text, row[1].text),
                           "", "may be helpful", reproduce_cell(report, "rays", row, "rms_to_box"));
    }
    return PELT_OK;
}

// A vertex that rotates by 90 degrees between two samples.
static pelt_result measure_chord(reproduction* inout, pelt_error* error)
{
    double quarter = 0.5 * (double)PELT_PI, half = 0.5 * quarter;
    double sine = sin(quarter), weight = sin(half) / sine; // Eq. 7 at t = 1/2
    double linear = hypot(0.5, 0.5), spherical = hypot(weight, weight);
    (void)error;
    reproduce_number(inout, "linear interpolation halfway: length", "of 1", sqrt(0.5), linear,
                     1e-6);
    reproduce_number(inout, "spherical interpolation (Eq. 7) halfway: length", "of 1", 1.0,
                     spherical, 1e-6);
    reproduce_unjudged(inout, "heuristic: part of the sector outside the triangle", "%", "",
                       100.0 * (1.0 - 0.5 * sine / (0.5 * quarter)));
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------

static const reproduce_item items[] = {
    {.name = "figures1-9",
     .title = "background: scene graph, skeletons, pipeline, application",
     .remark = "Drawings and screenshots: there is nothing to measure. The candy wrapper of figure "
               "4 is bittner2019:figure4."},
    {.name = "figures10-11",
     .title = "sampling of vertices, flow of a bake",
     .command = "pelt bake --encoding vertex",
     .remark = "Drawings; pelt stores offsets from the rest pose as well."},
    {.name = "figure12",
     .title = "a box for each bone",
     .command = "pelt render rig:human --show bone-boxes -o boxes.png",
     .remark = "A picture. The boxes are those of the skin; those of the encoding are around the "
               "pivots of a joint over the clip and are not drawn."},
    {.name = "figure13",
     .title = "textures of matrices and dual quaternions, powers of two",
     .command = "pelt bake --bake-layout thesis --padded",
     .measure = measure_padding},
    {.name = "figures14-17",
     .title = "pipelines of shaders, benchmark mode",
     .command = "pelt view",
     .remark = "Drawings and a screenshot; docs/viewer.md has the mode."},
    {.name = "tables1-7",
     .title = "models",
     .command = "pelt info rig:box",
     .measure = measure_models,
     .remark = "Tables 1, 3, 5 and 7. The built-in box is built to be that of table 1; the others "
               "are not public."},
    {.name = "tables2-8",
     .title = "sizes of animation textures",
     .command = "pelt bench bake",
     .measure = measure_sizes,
     .remark = "Textures of vertices are counted as the thesis counts them: a row for each unique "
               "position, without normals."},
    {.name = "tables9-10",
     .title = "instances at 120, 60 and 30 frames per second (figures 18-26)",
     .command = "pelt bench crowd --rig box",
     .measure = measure_breakpoints,
     .needs_gl = true,
     .remark = "Published: Box, Vampire, X Bot, Y Bot on a GPU. Here the box on this driver, with "
               "textures in the layout of the thesis; docs/crowds.md says why a software driver "
               "reverses the order. The thesis does not measure cpu-matrix."},
    {.name = "tables11,14",
     .title = "t-tests, from the published means and variances",
     .measure = measure_tests,
     .remark = "Published means and variances have three digits."},
    {.name = "hypotheses",
     .title = "H1, H2, H3 and table 12",
     .command = "pelt bench crowd",
     .measure = measure_hypothesis,
     .needs_gl = true,
     .remark = "Decided from the ratings of the box on this machine: confirmed if both pairs are "
               "faster with p < 0.05. Few samples leave it undecided."},
    {.name = "tables13,15",
     .title = "parts of a frame left out",
     .command = "pelt bench crowd",
     .measure = measure_parts,
     .needs_gl = true,
     .remark = "The box here; table 15 is of the Y Bot, with textures in the layout of the thesis. "
               "Order: joints of a vertex at one key, then at the next. Quick runs test few "
               "parts."},
    {.name = "section4.7",
     .title = "operations per vertex",
     .measure = measure_operations,
     .remark = "The sums are right; a point times a 4 x 3 matrix takes 9 additions rather than 8."},
    {.name = "section4.10",
     .title = "precision at the rate of the source and at 6 Hz",
     .command = "pelt bake --rate 6 --bake-layout thesis --force",
     .measure = measure_precision,
     .remark = "Bobbing is the shrinking of joints between keys: matrices do it, dual quaternions "
               "do not. Their largest errors are similar, however: joints go from key to key on "
               "their own and not around their parents, which takes feet off their arcs under "
               "both. Encoding local keeps them there and has a sixth of the error."},
    {.name = "figure27", .title = "a box makes better use of 8 bits", .measure = measure_boxes},
    {.name = "figure28",
     .title = "directions and lengths, ellipsoids (section 5.2.1)",
     .command = "pelt bench bake",
     .measure = measure_rays,
     .remark = "They take 4 bytes; a box of 10 bits per axis, which takes as many, has 0.25."},
    {.name = "figure29",
     .title = "variable rate within a clip",
     .command = "pelt bake --rate auto --max-error 0.5mm",
     .measure = textures2021_measure_regions,
     .remark =
         "From another presentation, and not built in the thesis. Clips are cut into equal "
         "regions at keys, each with the rate that takes the fewest bytes within 0.2 mm per "
         "meter, by encoding local or qt. Tables of each region cost more than its rate saves, "
         "so that pelt has one rate for each clip; runs still end where keys jump."},
    {.name = "table16",
     .title = "without duplicated vertices (section 4.13, figures 30-33)",
     .command = "pelt bench crowd --merged",
     .measure = measure_merged,
     .needs_gl = true,
     .remark = "The ratio of the box is the published one, and the box has as many vertices as in "
               "Table 2. Ratings are of this driver, for which vertices are most of the work; the "
               "first benchmark has coherent fetches here, too: their order alone is in "
               "tables13,15."},
    {.name = "figure34",
     .title = "spherical and linear interpolation, a heuristic for rates",
     .command = "pelt bake --json",
     .measure = measure_chord,
     .remark = "Closed form; the JSON report of a bake has the area for each key as chord_errors."},
    {.name = "table17",
     .title = "keys of the viewer",
     .command = "pelt view",
     .remark = "docs/viewer.md; the keys of the thesis move the camera and the texture pane."},
};

const reproduce_document reproduce_textures2021 = {.name = "textures2021",
                                                   .title = "the animation texture thesis, 2021",
                                                   .items = items,
                                                   .item_count = COUNT_OF(items)};
