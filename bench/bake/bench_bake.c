// SPDX-License-Identifier: MIT
// Suite `bake`: animation textures of built-in rigs and of files, in each encoding and for several
// budgets: size, error against the source, time against sampling it. Two tables compare them with
// the animation texture thesis (2021).
#include "bake_subject.h"
#include "bench.h"
#include "thesis_rays.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Plot

static const struct
{
    plot_mark mark;
    plot_color color;
    plot_anchor anchor; // of labels: away from the line
} styles[PELT_ENCODING_COUNT] = {
    [PELT_ENCODING_QT] = {PLOT_CIRCLE, PLOT_BLUE, PLOT_RIGHT},
    [PELT_ENCODING_LOCAL] = {PLOT_SQUARE, PLOT_VERMILION, PLOT_RIGHT},
    [PELT_ENCODING_MATRIX] = {PLOT_TRIANGLE, PLOT_GREEN, PLOT_ABOVE},
    [PELT_ENCODING_DQ] = {PLOT_DIAMOND, PLOT_PURPLE, PLOT_ABOVE},
    [PELT_ENCODING_VERTEX] = {PLOT_STAR, PLOT_BLACK, PLOT_ABOVE},
};

void bake_plot_begin(plot* out)
{
    *out = (plot){.title = "Largest error of animation textures",
                  .x_title = "bytes per joint and key of the source",
                  .y_title = "millimeters per meter of height",
                  .notes = {"lines: the human, by bits or budget", "loose marks: other characters",
                            "hollow: fewer keys, or a variant"}};
    // Single marks first, so that lines and their labels cover them.
    for (int i = 0; i < PELT_ENCODING_COUNT; ++i)
    {
        plot_series_add(out, NULL, styles[i].mark, styles[i].color);
    }
    for (int i = 0; i < PELT_ENCODING_COUNT; ++i)
    {
        const char* label = pelt_encoding_name((pelt_encoding)i);
        plot_series_add(out, label, styles[i].mark, styles[i].color)->is_line = true;
    }
}

void bake_plot_add(plot* out, const char* subject, const char* encoding, bool is_variant,
                   const bake_trial* trial)
{
    char name[16];
    size_t length = strcspn(encoding, " ");
    snprintf(name, sizeof name, "%.*s", (int)length, encoding);
    pelt_encoding found = pelt_encoding_find(name);
    bool is_line = strcmp(subject, "rig:human") == 0 && !is_variant;
    if (found == PELT_ENCODING_COUNT || strcmp(subject, "rig:box") == 0)
    {
        return;
    }
    plot_series* series = &out->series[(is_line ? PELT_ENCODING_COUNT : 0) + (int)found];
    if (series->point_count < PLOT_POINT_MAX)
    {
        plot_point_add(series, (plot_point){.x = trial->bytes_per_joint_key,
                                            .y = trial->everywhere.max,
                                            .label = is_line ? encoding + length + 1 : NULL,
                                            .anchor = styles[found].anchor,
                                            .is_hollow = is_variant});
    }
}

// ---------------------------------------------------------------------------------------------
// Rays

// mm/m: millimeters per meter of height.
static const bench_column ray_columns[] = {
    {"subject", "SUBJECT", BENCH_TEXT}, {"code", "CODE", BENCH_TEXT},
    {"bytes_per_offset", "BYTES", 0},   {"offsets", "OFFSETS", 0},
    {"max", "MAX", BENCH_DIGITS},       {"rms", "RMS MM/M", BENCH_DIGITS},
    {"max_to_box", "MAX TO BOX", 2},    {"rms_to_box", "RMS TO BOX", 2},
};

bench_table* bake_rays_begin(bench_report* out)
{
    return bench_table_add(out, "rays", ray_columns, COUNT_OF(ray_columns));
}

static uint32_t count_vertices(const pelt_scene* scene)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        count += scene->meshes[scene->instances[i].mesh].vertex_count;
    }
    return count;
}

// Positions of all vertices in the pose of the subject.
static void deform(pelt_vec3* out, bake_subject* subject)
{
    const pelt_scene* scene = subject->scene;
    pelt_frame_update(&subject->frame, scene, &subject->pose, &(pelt_deform_options){0});
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        uint32_t count = scene->meshes[scene->instances[i].mesh].vertex_count;
        for (uint32_t v = 0; v < count; ++v)
        {
            *out++ = subject->frame.surfaces[i].positions[v];
        }
    }
}

// Offsets from rest at all keys of a clip.
static size_t find_offsets(pelt_vec3* out, bake_subject* subject, uint32_t clip,
                           const pelt_vec3* rest, uint32_t vertex_count)
{
    const pelt_baked_clip* baked = &subject->source->clips[clip];
    size_t count = 0;
    for (uint32_t r = 0; r < baked->run_count; ++r)
    {
        const pelt_baked_run* run = &baked->runs[r];
        for (uint32_t key = 0; key < run->key_count; ++key)
        {
            float time = run->start + (key > 0 ? (float)key / run->rate : 0.0f);
            pelt_pose_sample(&subject->pose, subject->scene,
                             &subject->scene->clips[subject->clips[clip]], time, PELT_WRAP_CLAMP);
            deform(out + count, subject);
            for (uint32_t v = 0; v < vertex_count; ++v, ++count)
            {
                out[count] = pelt_vec3_sub(out[count], rest[v]);
            }
        }
    }
    return count;
}

// Sums over clips.
typedef struct code_sums
{
    size_t count;
    double max, squares;
} code_sums;

static void add_rows(bench_table* out, const char* name, const code_sums* sums, double height)
{
    static const double bytes[THESIS_CODE_COUNT] = {3.0, 4.0, 4.0};
    for (int code = 0; code < THESIS_CODE_COUNT; ++code)
    {
        double count = (double)sums[code].count;
        bench_cell* row = bench_row_add(out);
        bench_cell_set(&row[0], name);
        bench_cell_set(&row[1], thesis_code_name((thesis_code)code));
        row[2].number = bytes[code];
        row[3].number = count;
        row[4].number = 1e3 * sums[code].max / height;
        row[5].number = 1e3 * sqrt(sums[code].squares / count) / height;
        row[6].number = sums[code].max / sums[THESIS_CODE_BOX].max;
        row[7].number = sqrt(sums[code].squares / sums[THESIS_CODE_BOX].squares);
    }
}

pelt_result bake_rays_add(bench_table* out, const char* name, bake_subject* subject,
                          pelt_error* error)
{
    uint32_t vertex_count = count_vertices(subject->scene), key_max = 0;
    for (uint32_t i = 0; i < subject->clip_count; ++i)
    {
        uint32_t key_count = subject->source->clips[i].key_count;
        key_max = key_count > key_max ? key_count : key_max;
    }
    pelt_vec3* rest = pelt_allocate((size_t)vertex_count * (key_max + 1), sizeof *rest);
    if (rest == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_vec3* offsets = rest + vertex_count;
    pelt_pose_rest(&subject->pose, subject->scene);
    deform(rest, subject);
    code_sums sums[THESIS_CODE_COUNT] = {0};
    for (uint32_t i = 0; i < subject->clip_count; ++i)
    {
        size_t count = find_offsets(offsets, subject, i, rest, vertex_count);
        for (int code = 0; code < THESIS_CODE_COUNT; ++code)
        {
            thesis_code_error own = thesis_code_measure((thesis_code)code, offsets, count);
            sums[code].count += count;
            sums[code].max = fmax(sums[code].max, own.max);
            sums[code].squares += own.rms * own.rms * (double)count;
        }
    }
    pelt_release(rest);
    add_rows(out, name, sums, subject->height);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Suite

// mm/m: millimeters per meter of height.
static const bench_column encoding_columns[] = {
    {"subject", "SUBJECT", BENCH_TEXT},
    {"encoding", "ENCODING", BENCH_TEXT},
    {"rate", "RATE", BENCH_TEXT},
    {"bytes", "BYTES", 0},
    {"bytes_per_joint_key", "BYTES/KEY", 2},
    {"keys_median", "KEYS MEDIAN", BENCH_DIGITS},
    {"keys_max", "MAX", BENCH_DIGITS},
    {"median", "ALL MEDIAN", BENCH_DIGITS},
    {"max", "MAX", BENCH_DIGITS},
    {"p99", "P99", BENCH_DIGITS},
    {"rms", "RMS MM/M", BENCH_DIGITS},
    {"normal_mean", "NORMALS", 3},
    {"normal_max", "MAX", 2},
    {"bake_ms", "BAKE MS", BENCH_DIGITS},
    {"bake_to_sample", "TO SAMPLE", BENCH_DIGITS},
    {"decode_to_sample", "DECODE TO SAMPLE", 2},
};

static const bench_column budget_columns[] = {
    {"subject", "SUBJECT", BENCH_TEXT},       {"budget", "BUDGET", BENCH_TEXT},
    {"max_allowed", "ALLOWED", BENCH_DIGITS}, {"max", "MAX MM/M", BENCH_DIGITS},
    {"bytes_allowed", "ALLOWED", 0},          {"bytes", "BYTES", 0},
    {"bytes_per_joint_key", "BYTES/KEY", 2},  {"keys", "KEYS", 0},
    {"bake_ms", "BAKE MS", BENCH_DIGITS},     {"bake_to_sample", "TO SAMPLE", BENCH_DIGITS},
};

typedef struct encoding_case
{
    const char* name;
    pelt_bake_options options;
    bool has_half; // also measured with half as many keys
} encoding_case;

static const encoding_case encodings[] = {
    {.name = "qt 64", .options = {.encoding = PELT_ENCODING_QT, .bits = 64}},
    {.name = "qt 64 pose",
     .options = {.encoding = PELT_ENCODING_QT, .bits = 64, .has_no_correction = true}},
    {.name = "qt 96", .options = {.encoding = PELT_ENCODING_QT, .bits = 96}, .has_half = true},
    {.name = "qt 128", .options = {.encoding = PELT_ENCODING_QT, .bits = 128}},
    {.name = "local 16",
     .options = {.encoding = PELT_ENCODING_LOCAL, .bits = 16},
     .has_half = true},
    {.name = "matrix 8", .options = {.encoding = PELT_ENCODING_MATRIX, .bits = 8}},
    {.name = "matrix 16",
     .options = {.encoding = PELT_ENCODING_MATRIX, .bits = 16},
     .has_half = true},
    {.name = "matrix 32", .options = {.encoding = PELT_ENCODING_MATRIX, .bits = 32}},
    {.name = "dq 8", .options = {.encoding = PELT_ENCODING_DQ, .bits = 8}},
    {.name = "dq 16", .options = {.encoding = PELT_ENCODING_DQ, .bits = 16}, .has_half = true},
    {.name = "dq 32", .options = {.encoding = PELT_ENCODING_DQ, .bits = 32}},
    {.name = "vertex 8", .options = {.encoding = PELT_ENCODING_VERTEX, .bits = 8}},
    {.name = "vertex 16",
     .options = {.encoding = PELT_ENCODING_VERTEX, .bits = 16},
     .has_half = true},
    {.name = "vertex 8 mesh",
     .options = {.encoding = PELT_ENCODING_VERTEX, .bits = 8, .has_mesh_bounds = true}},
    {.name = "vertex 16 mesh",
     .options = {.encoding = PELT_ENCODING_VERTEX, .bits = 16, .has_mesh_bounds = true}},
    {.name = "thesis matrix 8",
     .options = {.encoding = PELT_ENCODING_MATRIX, .layout = PELT_BAKE_LAYOUT_THESIS}},
    {.name = "thesis dq 8",
     .options = {.encoding = PELT_ENCODING_DQ, .layout = PELT_BAKE_LAYOUT_THESIS}},
};

// Errors are relative to the subject's height, bytes to those of its default bake.
typedef struct budget_case
{
    const char* name;
    pelt_bake_options options;
    double max_error; // mm/m; 0: none
    double max_bytes; // 0: no limit
} budget_case;

static const budget_case budgets[] = {
    {.name = "local 0.1 mm/m", .options = {.encoding = PELT_ENCODING_LOCAL}, .max_error = 0.1},
    {.name = "local 1 mm/m", .options = {.encoding = PELT_ENCODING_LOCAL}, .max_error = 1.0},
    {.name = "qt 1 mm/m, auto",
     .options = {.encoding = PELT_ENCODING_QT, .timing = PELT_BAKE_AUTO},
     .max_error = 1.0},
    {.name = "qt 0.1 mm/m at samples",
     .options = {.encoding = PELT_ENCODING_QT, .scope = PELT_BAKE_AT_SAMPLES},
     .max_error = 0.1},
    {.name = "qt 3/4 of the bytes", .options = {.encoding = PELT_ENCODING_QT}, .max_bytes = 0.75},
    {.name = "local 1/4 of the bytes",
     .options = {.encoding = PELT_ENCODING_LOCAL},
     .max_bytes = 0.25},
};

typedef struct bake_suite
{
    const bench_options* options;
    bench_table* encodings;
    bench_table* budgets;
    bench_table* rays;
    plot* plot;
    bake_subject subject; // what is being measured
    const char* name;     // of the subject
    char label[160];      // of the progress line
} bake_suite;

static void tell(bake_suite* suite, const char* what)
{
    if (suite->options->progress != NULL)
    {
        snprintf(suite->label, sizeof suite->label, "%s: %s", suite->name, what);
        suite->options->progress(suite->label);
    }
}

// ---------------------------------------------------------------------------------------------
// Encodings

static void add_encoding_row(bake_suite* suite, const char* encoding, const char* rate,
                             const bake_trial* trial)
{
    bench_cell* row = bench_row_add(suite->encodings);
    const double numbers[] = {(double)trial->bytes,
                              trial->bytes_per_joint_key,
                              trial->at_keys.median,
                              trial->at_keys.max,
                              trial->everywhere.median,
                              trial->everywhere.max,
                              trial->p99,
                              trial->rms,
                              trial->normal_mean,
                              trial->normal_max,
                              1e3 * trial->bake_seconds,
                              trial->bake_to_sample,
                              trial->decode_to_sample};
    bench_cell_set(&row[0], suite->name);
    bench_cell_set(&row[1], encoding);
    bench_cell_set(&row[2], rate);
    for (uint32_t i = 0; i < COUNT_OF(numbers); ++i)
    {
        row[3 + i].number = numbers[i];
    }
}

// @param out   the rate of the bake in Hz; 0: it was left out
// @param rate  in Hz; 0: the keys of the source
static pelt_result measure_encoding(double* out, bake_suite* suite, const encoding_case* in,
                                    double rate, pelt_error* error)
{
    bake_trial trial;
    pelt_bake_options options = in->options;
    char text[32] = "keys";
    if (rate > 0.0)
    {
        options.timing = PELT_BAKE_RATE;
        options.rate = (float)rate;
        snprintf(text, sizeof text, "%.3g Hz", rate);
    }
    *out = 0.0;
    pelt_result result = bake_subject_try(&trial, &suite->subject, &options, error);
    if (result != PELT_OK)
    {
        return bake_leave_out(suite->name, in->name, result, error);
    }
    *out = trial.rate;
    add_encoding_row(suite, in->name, text, &trial);
    bool is_variant = rate > 0.0 || options.has_no_correction || options.has_mesh_bounds;
    bake_plot_add(suite->plot, suite->name, in->name, is_variant, &trial);
    return PELT_OK;
}

static pelt_result measure_encodings(bake_suite* suite, pelt_error* error)
{
    for (uint32_t i = 0; i < COUNT_OF(encodings); ++i)
    {
        double rate;
        tell(suite, encodings[i].name);
        PELT_TRY(measure_encoding(&rate, suite, &encodings[i], 0.0, error));
        if (encodings[i].has_half && rate > 0.0)
        {
            PELT_TRY(measure_encoding(&rate, suite, &encodings[i], 0.5 * rate, error));
        }
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Budgets

static pelt_result measure_budget(bake_suite* suite, const budget_case* in, pelt_error* error)
{
    bake_trial trial;
    pelt_bake_options options = in->options;
    options.has_budget = true;
    options.max_error = 1e-3 * in->max_error * suite->subject.height;
    options.max_bytes = (size_t)(in->max_bytes * (double)suite->subject.bytes);
    tell(suite, in->name);
    pelt_result result = bake_subject_try(&trial, &suite->subject, &options, error);
    if (result != PELT_OK)
    {
        return bake_leave_out(suite->name, in->name, result, error);
    }
    bool is_at_keys = options.scope == PELT_BAKE_AT_SAMPLES;
    if (in->max_error > 0.0 && !is_at_keys)
    {
        bool has_fewer_keys = options.timing == PELT_BAKE_AUTO;
        bake_plot_add(suite->plot, suite->name, in->name, has_fewer_keys, &trial);
    }
    bench_cell* row = bench_row_add(suite->budgets);
    bench_cell_set(&row[0], suite->name);
    bench_cell_set(&row[1], in->name);
    row[2].number = in->max_error > 0.0 ? in->max_error : row[2].number;
    row[3].number = is_at_keys ? trial.at_keys.max : trial.everywhere.max;
    row[4].number = in->max_bytes > 0.0 ? (double)options.max_bytes : row[4].number;
    row[5].number = (double)trial.bytes;
    row[6].number = trial.bytes_per_joint_key;
    row[7].number = trial.key_count;
    row[8].number = 1e3 * trial.bake_seconds;
    row[9].number = trial.bake_to_sample;
    return PELT_OK;
}

static pelt_result measure_budgets(bake_suite* suite, pelt_error* error)
{
    for (uint32_t i = 0; i < COUNT_OF(budgets); ++i)
    {
        PELT_TRY(measure_budget(suite, &budgets[i], error));
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------

static pelt_result measure_input(bake_suite* suite, const char* name, const char* input,
                                 bool has_budgets, pelt_error* error)
{
    static const bake_effort effort = {.clip_max = UINT32_MAX, .between = 7, .seconds = 0.05};
    static const bake_effort quick = {.clip_max = 1, .between = 1, .seconds = 0.002};
    pelt_scene* scene;
    suite->name = name;
    tell(suite, "reading");
    PELT_TRY(bench_scene_load(&scene, input, error));
    pelt_result result = bake_subject_create(&suite->subject, scene,
                                             suite->options->is_quick ? quick : effort, error);
    if (result == PELT_OK)
    {
        result = measure_encodings(suite, error);
        result = result == PELT_OK && has_budgets ? measure_budgets(suite, error) : result;
        tell(suite, "rays");
        result =
            result == PELT_OK ? bake_rays_add(suite->rays, name, &suite->subject, error) : result;
        bake_subject_destroy(&suite->subject);
    }
    return result;
}

pelt_result bench_bake(bench_report* out, const bench_options* options, pelt_error* error)
{
    bake_suite suite = {.options = options, .plot = &out->plot};
    suite.encodings =
        bench_table_add(out, "encodings", encoding_columns, COUNT_OF(encoding_columns));
    suite.budgets = bench_table_add(out, "budgets", budget_columns, COUNT_OF(budget_columns));
    suite.rays = bake_rays_begin(out);
    bake_plot_begin(&out->plot);
    pelt_result result = PELT_OK;
    // Files first, so that a missing one is reported at once.
    for (uint32_t i = 0; result == PELT_OK && i < options->input_count; ++i)
    {
        const char* input = options->inputs[i];
        result = measure_input(&suite, bench_file_name(input), input, true, error);
    }
    if (result == PELT_OK)
    {
        result = measure_input(&suite, "rig:box", "rig:box", true, error);
    }
    if (result == PELT_OK)
    {
        // The error depends on joints, so few vertices are enough. Budgets take longer than all
        // other cases together.
        result = measure_input(&suite, "rig:human", "rig:human?vertices=2000", !options->is_quick,
                               error);
    }
    if (result == PELT_OK)
    {
        result = thesis_sizes_measure(out, options, error);
    }
    bench_tell(options, NULL);
    return result;
}
