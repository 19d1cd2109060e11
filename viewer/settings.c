// SPDX-License-Identifier: MIT
#include "settings.h"

#include "pelt/gl.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char* const settings_modes[] = {"Compare", "Crowd", "Benchmark"};
const char* const settings_skinnings[] = {"CPU", "GPU", "bone texture", "vertex texture"};
const char* const settings_colors[] = {"materials", "difference", "normal error", "weights",
                                       "joints",    "mix factor", "bulge",        "radius",
                                       "volume",    "strain"};
static const char* const heat_ranges[HEAT_RANGE_COUNT] = {"clip", "95 %", "fixed"};
const char* const settings_brush_tools[] = {"add", "subtract", "smooth"};
static const char* const brush_targets[] = {"mix factors", "weights"};
static const char* const overlays[OVERLAY_COUNT] = {"none", "wipe", "onion skin"};
static const char* const layouts[] = {"1", "2", "4"};
static const char* const viewports[] = {"1", "2", "3", "4"};
const char* const settings_presets[] = {"methods", "mix 0 to 1", "normals", "textures"};
static const char* const debug_forms[] = {"matrix", "dual quaternion"};

const char* settings_technique_name(int technique)
{
    return crowd_technique_describe((crowd_technique)technique)->name;
}

const char* settings_method_name(int method)
{
    return pelt_method_info((pelt_method)method)->label;
}

const char* settings_normals_name(int rule)
{
    return pelt_normal_rule_name((pelt_normal_rule)rule);
}

const char* settings_convention_name(int convention)
{
    return pelt_convention_name((pelt_convention)convention);
}

const char* settings_sign_rule_name(int rule)
{
    return pelt_sign_rule_name((pelt_sign_rule)rule);
}

const char* settings_encoding_name(int encoding)
{
    return pelt_encoding_name((pelt_encoding)encoding);
}

const char* settings_variant_name(int variant)
{
    return pelt_dqs_variant_name((pelt_dqs_variant)variant);
}

const char* settings_viewport_name(int view)
{
    return viewports[view];
}

const char* settings_own_convention_name(int choice)
{
    return choice > 0 ? settings_convention_name(choice - 1) : "as all";
}

const char* settings_own_sign_name(int choice)
{
    return choice > 0 ? settings_sign_rule_name(choice - 1) : "as all";
}

#define FLAG(name, field, is_kept)                                                                 \
    {                                                                                              \
        name, SETTING_FLAG, offsetof(view_settings, field), is_kept, 0.0f, 0.0f, NULL, NULL, 0     \
    }
#define NUMBER(name, field, low, high, is_kept)                                                    \
    {                                                                                              \
        name, SETTING_NUMBER, offsetof(view_settings, field), is_kept, low, high, NULL, NULL, 0    \
    }
#define CHOICE(name, field, names, is_kept)                                                        \
    {                                                                                              \
        name, SETTING_CHOICE, offsetof(view_settings, field), is_kept, 0.0f, 0.0f, names, NULL,    \
            (int)(sizeof names / sizeof *names)                                                    \
    }
#define NAMED(name, field, name_of, count, is_kept)                                                \
    {                                                                                              \
        name, SETTING_CHOICE, offsetof(view_settings, field), is_kept, 0.0f, 0.0f, NULL, name_of,  \
            count                                                                                  \
    }
#define VIEW(number, index)                                                                        \
    NAMED("view." number ".method", methods[index], settings_method_name, PELT_METHOD_COUNT,       \
          true),                                                                                   \
        CHOICE("view." number ".skinning", skinnings[index], settings_skinnings, true),            \
        NAMED("view." number ".normals", normals[index], settings_normals_name,                    \
              PELT_NORMAL_RULE_COUNT, true),                                                       \
        NUMBER("view." number ".mix", mixes[index], -1.0f, 1.0f, false),                           \
        NAMED("view." number ".convention", own_conventions[index], settings_own_convention_name,  \
              1 + PELT_CONVENTION_COUNT, false),                                                   \
        NAMED("view." number ".sign", own_signs[index], settings_own_sign_name,                    \
              1 + PELT_SIGN_RULE_COUNT, false),                                                    \
        NAMED("view." number ".variant", variants[index], settings_variant_name,                   \
              PELT_DQS_VARIANT_COUNT, false),                                                      \
        NUMBER("view." number ".correction", corrections[index], 0.0f, 1.0f, false),               \
        CHOICE("view." number ".with", references[index], viewports, false)

static const setting table[] = {
    CHOICE("mode", mode, settings_modes, false),
    CHOICE("views", layout, layouts, true),
    CHOICE("overlay", overlay, overlays, false),
    NUMBER("overlay.split", split, 0.0f, 1.0f, false),
    VIEW("1", 0),
    VIEW("2", 1),
    VIEW("3", 2),
    VIEW("4", 3),
    NUMBER("mix", mix, 0.0f, 1.0f, true),
    FLAG("mix.file", has_own_mix, false),
    FLAG("brush", has_brush, false),
    CHOICE("brush.target", brush_target, brush_targets, false),
    CHOICE("brush.tool", brush_tool, settings_brush_tools, false),
    FLAG("brush.mirror", is_brush_mirrored, true),
    NUMBER("brush.radius", brush_radius, 0.005f, 0.5f, true),
    NUMBER("brush.strength", brush_strength, 0.0f, 1.0f, true),
    NUMBER("brush.value", brush_value, 0.0f, 1.0f, false),
    NUMBER("sigma", sigma, 0.03f, 1.0f, false),
    NUMBER("epsilon", epsilon, 0.02f, 1.0f, false),
    NAMED("texture.encoding", bake_encoding, settings_encoding_name, SETTINGS_ENCODING_COUNT, true),
    NUMBER("texture.rate", bake_rate, 0.0f, 120.0f, true),
    FLAG("texture.spherical", is_spherical, true),
    FLAG("texture.merge", is_merged, true),
    NAMED("convention", convention, settings_convention_name, PELT_CONVENTION_COUNT, false),
    NAMED("sign", sign_rule, settings_sign_rule_name, PELT_SIGN_RULE_COUNT, false),
    NUMBER("camera.lens", lens, 5.0f, 100.0f, true),
    FLAG("camera.orthographic", is_orthographic, true),
    FLAG("camera.follow", is_following, true),
    FLAG("play", is_playing, false),
    FLAG("loop", is_looping, true),
    NUMBER("speed", speed, 0.05f, 4.0f, false),
    NUMBER("fade", fade, 0.0f, 2.0f, true),
    CHOICE("colors", colors, settings_colors, false),
    CHOICE("heat.range", heat_range, heat_ranges, true),
    NUMBER("heat.high", heat_high, 0.01f, 1000.0f, true),
    FLAG("pane.heat", has_heat, true),
    FLAG("pane.doctor", has_doctor, true),
    FLAG("show.ground", has_ground, true),
    FLAG("show.wire", has_wire, true),
    FLAG("show.bones", has_bones, true),
    FLAG("show.centers", has_centers, true),
    FLAG("show.boxes", has_boxes, true),
    FLAG("show.facets", has_facets, true),
    FLAG("show.joint_boxes", has_joint_boxes, true),
    FLAG("show.texture_boxes", has_texture_boxes, true),
    FLAG("show.gray", has_gray, true),
    FLAG("show.normals", has_normals, true),
    FLAG("show.textures", has_textures, true),
    FLAG("show.turntable", has_turntable, false),
    FLAG("show.gizmo", has_gizmo, true),
    FLAG("pane.side", has_side, true),
    FLAG("pane.parameters", has_parameters, true),
    FLAG("pane.pose", has_pose, true),
    FLAG("pane.show", has_show, true),
    FLAG("pane.debug", has_debug, true),
    FLAG("pane.performance", has_performance, true),
    FLAG("pane.texture", has_texture, true),
    CHOICE("texture.view", texture_view, viewports, false),
    FLAG("help", has_help, false),
    FLAG("vsync", has_vsync, true),
    CHOICE("debug.form", debug_form, debug_forms, true),
    FLAG("debug.skips_bind", debug_skips_bind, true),
    NAMED("bench.technique", bench_technique, settings_technique_name, CROWD_TECHNIQUE_COUNT, true),
    NUMBER("bench.instances", bench_instances, 1.0f, 4096.0f, true),
    NUMBER("bench.spacing", bench_spacing, 0.5f, 4.0f, true),
    FLAG("bench.update", bench_updates, true),
    NUMBER("bench.seconds", bench_seconds, 0.1f, 60.0f, true),
    FLAG("bench.test.control", bench_tests[CROWD_CONTROL], true),
    FLAG("bench.test.cpu-matrix", bench_tests[CROWD_CPU_MATRIX], true),
    FLAG("bench.test.gpu-matrix", bench_tests[CROWD_GPU_MATRIX], true),
    FLAG("bench.test.gpu-dq", bench_tests[CROWD_GPU_DQ], true),
    FLAG("bench.test.gpu-crs", bench_tests[CROWD_GPU_CRS], true),
    FLAG("bench.test.matrix-texture", bench_tests[CROWD_MATRIX_TEXTURE], true),
    FLAG("bench.test.dq-texture", bench_tests[CROWD_DQ_TEXTURE], true),
    FLAG("bench.test.qt-texture", bench_tests[CROWD_QT_TEXTURE], true),
    FLAG("bench.test.vertex-texture", bench_tests[CROWD_VERTEX_TEXTURE], true),
    FLAG("bench.test.matrix-posed", bench_tests[CROWD_MATRIX_POSED], true),
    FLAG("bench.test.qt-posed", bench_tests[CROWD_QT_POSED], true),
    FLAG("bench.test.thesis-matrix-texture", bench_tests[CROWD_THESIS_MATRIX_TEXTURE], true),
    FLAG("bench.test.thesis-dq-texture", bench_tests[CROWD_THESIS_DQ_TEXTURE], true),
    FLAG("bench.test.thesis-vertex-texture", bench_tests[CROWD_THESIS_VERTEX_TEXTURE], true),
    FLAG("bench.without.upload", bench_stages[0], true),
    FLAG("bench.without.skeleton", bench_stages[1], true),
    FLAG("bench.without.switch", bench_stages[2], true),
    FLAG("bench.without.interpolation", bench_stages[3], true),
    FLAG("bench.without.metadata", bench_stages[4], true),
    FLAG("bench.without.skinning", bench_stages[5], true),
    FLAG("bench.without.order", bench_stages[6], true),
    FLAG("bench.without.joints", bench_stages[7], true),
    NAMED("crowd.method", crowd_method, settings_method_name, PELT_METHOD_COUNT, true),
    NUMBER("crowd.count", crowd_count, 1.0f, 20000.0f, true),
    NUMBER("crowd.spacing", crowd_spacing, 0.0f, 1000.0f, false),
    NUMBER("crowd.seed", crowd_seed, 0.0f, 999.0f, true),
    NUMBER("crowd.period", crowd_period, 0.5f, 30.0f, true),
    NUMBER("crowd.distance", crowd_distance, 0.5f, 500.0f, true),
    FLAG("crowd.fades", crowd_has_fades, true),
    FLAG("crowd.culling", crowd_has_culling, true),
    FLAG("crowd.levels", crowd_has_levels, true),
    FLAG("crowd.colors", crowd_has_colors, true),
    FLAG("crowd.freeze", crowd_is_frozen, false),
};

static const float usual_lens = 28.65f; // 0.5 radians

view_settings settings_default(void)
{
    return (view_settings){
        .layout = 1,
        .split = 0.5f,
        .methods = {PELT_METHOD_LBS, PELT_METHOD_CRS, PELT_METHOD_DQS, PELT_METHOD_MIX},
        .skinnings = {SKINNING_GPU, SKINNING_GPU, SKINNING_GPU, SKINNING_GPU},
        .mixes = {-1.0f, -1.0f, -1.0f, -1.0f},
        .mix = 0.5f,
        .brush_radius = 0.05f,
        .brush_strength = 1.0f,
        .brush_value = 1.0f,
        .sigma = 0.1f,
        .epsilon = 0.1f,
        .is_merged = true,
        .lens = usual_lens,
        .is_following = true,
        .is_playing = true,
        .is_looping = true,
        .speed = 1.0f,
        .fade = 0.3f,
        .heat_high = 10.0f,
        .has_heat = true,
        .has_ground = true,
        .has_textures = true,
        .has_gizmo = true,
        .has_side = true,
        .has_parameters = true,
        .has_pose = true,
        .has_vsync = true,
        .bench_technique = CROWD_QT_POSED,
        .bench_instances = 64.0f,
        .bench_spacing = 1.0f,
        .bench_updates = true,
        .bench_seconds = 4.0f,
        .bench_tests = {[CROWD_CONTROL] = true,
                        [CROWD_GPU_MATRIX] = true,
                        [CROWD_GPU_DQ] = true,
                        [CROWD_GPU_CRS] = true,
                        [CROWD_MATRIX_TEXTURE] = true,
                        [CROWD_DQ_TEXTURE] = true,
                        [CROWD_QT_TEXTURE] = true,
                        [CROWD_VERTEX_TEXTURE] = true,
                        [CROWD_MATRIX_POSED] = true,
                        [CROWD_QT_POSED] = true},
        .crowd_count = 500.0f,
        .crowd_seed = 1.0f,
        .crowd_period = 4.0f,
        .crowd_distance = 15.0f,
        .crowd_has_fades = true,
        .crowd_has_culling = true,
    };
}

float settings_lens(const view_settings* in)
{
    // Lines that are parallel meet 500 heights of the picture away.
    return in->is_orthographic ? 0.002f : in->lens * PELT_PI / 180.0f;
}

uint32_t settings_view_count(const view_settings* in)
{
    return settings_overlay(in) != OVERLAY_NONE ? 2 : 1u << in->layout;
}

view_overlay settings_overlay(const view_settings* in)
{
    return in->layout > 0 ? (view_overlay)in->overlay : OVERLAY_NONE;
}

// ---------------------------------------------------------------------------------------------

static void* field_of(view_settings* in, const setting* which)
{
    return (char*)in + which->offset;
}

static const void* value_of(const view_settings* in, const setting* which)
{
    return (const char*)in + which->offset;
}

static pelt_result set_flag(bool* out, const setting* which, const char* value, pelt_error* error)
{
    bool is_on = strcmp(value, "on") == 0 || strcmp(value, "true") == 0;
    if (!is_on && strcmp(value, "off") != 0 && strcmp(value, "false") != 0)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT, "%s is on or off, not \"%s\"",
                              which->name, value);
    }
    *out = is_on;
    return PELT_OK;
}

static pelt_result set_number(float* out, const setting* which, const char* value,
                              pelt_error* error)
{
    char* end;
    float number = strtof(value, &end);
    if (end == value || *end != '\0' || !(number >= which->low && number <= which->high))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "%s is a number from %g to %g, not \"%s\"", which->name,
                              (double)which->low, (double)which->high, value);
    }
    *out = number;
    return PELT_OK;
}

static const char* choice_name(const setting* which, int choice)
{
    return which->choices != NULL ? which->choices[choice] : which->name_of(choice);
}

static pelt_result set_choice(int* out, const setting* which, const char* value, pelt_error* error)
{
    char names[256] = "";
    for (int i = 0; i < which->choice_count; ++i)
    {
        if (strcasecmp(choice_name(which, i), value) == 0)
        {
            *out = i;
            return PELT_OK;
        }
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", i > 0 ? ", " : "",
                 choice_name(which, i));
    }
    return pelt_error_set(error, PELT_ERROR_ARGUMENT, "%s is one of %s, not \"%s\"", which->name,
                          names, value);
}

pelt_result settings_set(view_settings* inout, const char* name, const char* value,
                         pelt_error* error)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    {
        if (strcmp(table[i].name, name) != 0)
        {
            continue;
        }
        void* field = field_of(inout, &table[i]);
        switch (table[i].kind)
        {
        case SETTING_FLAG:
            return set_flag(field, &table[i], value, error);
        case SETTING_NUMBER:
            return set_number(field, &table[i], value, error);
        case SETTING_CHOICE:
            return set_choice(field, &table[i], value, error);
        }
    }
    return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                          "there is no setting \"%s\"; the file of --state lists all", name);
}

// ---------------------------------------------------------------------------------------------

void settings_write(json_t* object, const view_settings* in, bool only_kept)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    {
        const setting* which = &table[i];
        if (only_kept && !which->is_kept)
        {
            continue;
        }
        const void* value = value_of(in, which);
        json_t* json = NULL;
        switch (which->kind)
        {
        case SETTING_FLAG:
            json = json_boolean(*(const bool*)value);
            break;
        case SETTING_NUMBER:
            json = json_real((double)*(const float*)value);
            break;
        case SETTING_CHOICE:
            json = json_string(choice_name(which, *(const int*)value));
            break;
        }
        json_object_set_new(object, which->name, json);
    }
}

static void read_one(view_settings* inout, const setting* which, const json_t* value)
{
    void* field = field_of(inout, which);
    if (which->kind == SETTING_FLAG && json_is_boolean(value))
    {
        *(bool*)field = json_is_true(value);
    }
    if (which->kind == SETTING_NUMBER && json_is_number(value))
    {
        float number = (float)json_number_value(value);
        *(float*)field = number >= which->low && number <= which->high ? number : *(float*)field;
    }
    if (which->kind == SETTING_CHOICE && json_is_string(value))
    {
        (void)set_choice(field, which, json_string_value(value), NULL);
    }
}

void settings_read(view_settings* inout, const json_t* object)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    {
        const json_t* value = json_object_get(object, table[i].name);
        if (table[i].is_kept && value != NULL)
        {
            read_one(inout, &table[i], value);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Options of a viewport

pelt_convention settings_convention(const view_settings* in, uint32_t view)
{
    int own = in->own_conventions[view];
    return (pelt_convention)(own > 0 ? own - 1 : in->convention);
}

uint32_t settings_reference(const view_settings* in, uint32_t view)
{
    uint32_t wanted = (uint32_t)in->references[view];
    return wanted < settings_view_count(in) ? wanted : 0;
}

pelt_deform_options settings_deform_options(const view_settings* in, uint32_t view)
{
    pelt_deform_options out = {.method = (pelt_method)in->methods[view],
                               .mix = in->mixes[view] >= 0.0f ? in->mixes[view] : in->mix,
                               .dqs_variant = (pelt_dqs_variant)in->variants[view],
                               .distance_correction = in->corrections[view]};
    pelt_convention_apply(&out, settings_convention(in, view));
    // The sign rule of all viewports goes with their convention.
    int own = in->own_signs[view];
    out.sign_rule = own > 0                         ? (pelt_sign_rule)(own - 1)
                    : in->own_conventions[view] > 0 ? out.sign_rule
                                                    : (pelt_sign_rule)in->sign_rule;
    out.normal_rule = (pelt_normal_rule)in->normals[view];
    return out;
}

pelt_metric settings_metric(const view_settings* in)
{
    static const pelt_metric metrics[COLORS_COUNT] = {
        [COLORS_MATERIALS] = PELT_METRIC_COUNT,    [COLORS_DIFFERENCE] = PELT_METRIC_DISTANCE,
        [COLORS_NORMAL_ERROR] = PELT_METRIC_COUNT, [COLORS_WEIGHTS] = PELT_METRIC_COUNT,
        [COLORS_JOINTS] = PELT_METRIC_COUNT,       [COLORS_MIX] = PELT_METRIC_COUNT,
        [COLORS_BULGE] = PELT_METRIC_BULGE,        [COLORS_RADIUS] = PELT_METRIC_RADIUS,
        [COLORS_VOLUME] = PELT_METRIC_VOLUME,      [COLORS_STRAIN] = PELT_METRIC_EDGE};
    return metrics[in->colors];
}

bool settings_deform_is_same(const pelt_deform_options* a, const pelt_deform_options* b)
{
    return a->method == b->method && a->sign_rule == b->sign_rule &&
           a->scale_pivot == b->scale_pivot && a->dqs_variant == b->dqs_variant &&
           a->lms_variant == b->lms_variant && a->mix == b->mix &&
           a->normal_rule == b->normal_rule && a->normal_clamp == b->normal_clamp &&
           a->is_exact == b->is_exact && a->distance_correction == b->distance_correction;
}

bool settings_fit_gpu(const pelt_deform_options* options, pelt_convention convention)
{
    const pelt_method_traits* traits = pelt_method_info(options->method);
    bool has_signs = !traits->needs_motions || pelt_gpu_has_signs(options->sign_rule);
    bool has_variant = !traits->has_dqs_variant || options->dqs_variant == PELT_DQS_ANTIPODAL;
    return pelt_gpu_has_method(options->method) && has_signs && has_variant &&
           options->distance_correction == 0.0f && !pelt_convention_recomputes(convention);
}

// ---------------------------------------------------------------------------------------------
// Presets

// Techniques differ in one thing only.
static void make_viewports_equal(view_settings* inout, pelt_method method)
{
    for (uint32_t i = 0; i < VIEW_MAX; ++i)
    {
        inout->methods[i] = (int)method;
        inout->skinnings[i] = SKINNING_GPU;
        inout->normals[i] = PELT_NORMAL_STANDARD;
        inout->mixes[i] = -1.0f;
        inout->own_conventions[i] = inout->own_signs[i] = inout->variants[i] = 0;
        inout->corrections[i] = 0.0f;
        inout->references[i] = 0;
    }
}

void settings_apply_preset(view_settings* inout, view_preset preset)
{
    static const pelt_method methods[VIEW_MAX] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_CRS,
                                                  PELT_METHOD_MIX};
    static const view_skinning skinnings[VIEW_MAX] = {
        SKINNING_CPU, SKINNING_GPU, SKINNING_BONE_TEXTURE, SKINNING_VERTEX_TEXTURE};
    pelt_method first = (pelt_method)inout->methods[0];
    make_viewports_equal(inout, preset == PRESET_MIX ? PELT_METHOD_MIX : first);
    inout->layout = preset == PRESET_NORMALS ? 1 : 2;
    for (uint32_t i = 0; i < VIEW_MAX; ++i)
    {
        switch (preset)
        {
        case PRESET_METHODS:
            inout->methods[i] = (int)methods[i];
            break;
        case PRESET_MIX:
            inout->mixes[i] = (float)i / (float)(VIEW_MAX - 1);
            break;
        case PRESET_NORMALS:
            inout->normals[i] = (int)(i % 2 == 0 ? PELT_NORMAL_STANDARD : PELT_NORMAL_ACCURATE);
            break;
        case PRESET_TEXTURES:
            inout->skinnings[i] = (int)skinnings[i];
            break;
        case PRESET_COUNT:
            break;
        }
    }
}
