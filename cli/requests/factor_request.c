// SPDX-License-Identifier: MIT
#include "factor_request.h"

#include "clock.h"
#include "output.h"
#include "terminal.h"

static const char* const joint_names[] = {"2", "3", "4", "8", NULL};
static const uint32_t joint_counts[] = {2, 3, 4, 8};
static const char* const bit_names[] = {"32", "16", "8", NULL};
static const uint32_t bit_counts[] = {0, 16, 8};

const arg_option factor_request_options[] = {
    {.name = "normals",
     .kind = ARG_FLAG,
     .help = "factors for accurate normals, as the vertex attributes _PELT_NORMAL_*"},
    {.name = "normal-joints",
     .kind = ARG_CHOICE,
     .value = "N",
     .choices = joint_names,
     .help = "joints per vertex that the factors account for; default 4; one of"},
    {.name = "normal-bits",
     .kind = ARG_CHOICE,
     .value = "B",
     .choices = bit_names,
     .help = "bits per factor: 32 for floats, 16 or 8 for integers, which take less space; the "
             "resulting"
             " deviation of normals is reported; default 32; one of"},
    {.name = "normal-cotangents",
     .kind = ARG_FLAG,
     .help = "weight triangles by cotangents, as Tarini et al. 2014; default: by area"},
    {0},
};

int factor_request_choose(factor_request* out, const args* arguments)
{
    *out = (factor_request){0};
    bool has_count = args_is_set(arguments, "normal-joints");
    if (!args_is_set(arguments, "normals"))
    {
        const char* useless = has_count                                     ? "normal-joints"
                              : args_is_set(arguments, "normal-bits")       ? "normal-bits"
                              : args_is_set(arguments, "normal-cotangents") ? "normal-cotangents"
                                                                            : NULL;
        return useless != NULL ? message_usage("--%s has no effect without --normals", useless)
                               : EXIT_DONE;
    }
    out->is_wanted = true;
    out->options.max_joints = has_count ? joint_counts[args_choice(arguments, "normal-joints")] : 4;
    out->options.bits = bit_counts[args_choice(arguments, "normal-bits")];
    out->options.has_cotangents = args_is_set(arguments, "normal-cotangents");
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------
// What rounding has done to normals

enum
{
    CLIP_MAX = 4,
    MOMENT_COUNT = 2,
};

typedef struct factors_test
{
    const pelt_scene* scene; // with exact factors
    bool has_centers;
    pelt_pose pose;
    pelt_frame exact, rounded;
} factors_test;

static bool has_all_cors(const pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        if (scene->meshes[i].weights.vertex_count > 0 && scene->meshes[i].cors == NULL)
        {
            return false;
        }
    }
    return true;
}

static pelt_result create_test(factors_test* out, const pelt_scene* exact,
                               const pelt_scene* rounded)
{
    *out = (factors_test){.scene = exact, .has_centers = has_all_cors(exact)};
    return pelt_pose_create(&out->pose, exact) == PELT_OK &&
                   pelt_frame_create(&out->exact, exact) == PELT_OK &&
                   pelt_frame_create(&out->rounded, rounded) == PELT_OK
               ? PELT_OK
               : PELT_ERROR_MEMORY;
}

static void destroy_test(factors_test* test)
{
    pelt_frame_destroy(&test->rounded);
    pelt_frame_destroy(&test->exact);
    pelt_pose_destroy(&test->pose);
}

static void add_pose(normal_error* inout, factors_test* test)
{
    for (uint32_t i = 0; i < PELT_METHOD_COUNT; ++i)
    {
        const pelt_method_traits* method = pelt_method_info((pelt_method)i);
        // A mix of methods that are measured anyway adds nothing.
        bool is_measured = method->has_derivatives && !method->has_mix_factor &&
                           (!method->needs_centers || test->has_centers);
        if (!is_measured)
        {
            continue;
        }
        const pelt_deform_options how = {.method = (pelt_method)i,
                                         .normal_rule = PELT_NORMAL_ACCURATE};
        pelt_frame_update(&test->exact, test->scene, &test->pose, &how);
        pelt_frame_update(&test->rounded, test->scene, &test->pose, &how);
        for (uint32_t k = 0; k < test->scene->instance_count; ++k)
        {
            const pelt_instance* instance = &test->scene->instances[k];
            const pelt_normal_factors* factors = test->exact.normal_factors[instance->mesh];
            if (factors != NULL && instance->skin != PELT_NONE)
            {
                normal_error_add(inout, factors, test->rounded.surfaces[k].normals,
                                 test->exact.surfaces[k].normals);
            }
        }
    }
}

static void rotate_joints(factors_test* test)
{
    const pelt_quat rotation =
        pelt_quat_axis_angle(pelt_vec3_make(1.0f, 0.0f, 0.0f), 30.0f * PELT_PI / 180.0f);
    pelt_pose_rest(&test->pose, test->scene);
    for (uint32_t i = 0; i < test->scene->skin_count; ++i)
    {
        const pelt_skin* skin = &test->scene->skins[i];
        for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
        {
            uint32_t node = skin->joints[joint];
            test->pose.locals[node].rotation =
                pelt_quat_mul(test->scene->nodes[node].rest.rotation, rotation);
        }
    }
}

static pelt_result factors_error_measure(normal_error* out, const pelt_scene* exact,
                                         const pelt_scene* rounded)
{
    *out = (normal_error){0};
    factors_test test;
    pelt_result result = create_test(&test, exact, rounded);
    uint32_t clip_count = exact->clip_count < CLIP_MAX ? exact->clip_count : CLIP_MAX;
    for (uint32_t i = 0; i < clip_count * MOMENT_COUNT && result == PELT_OK; ++i)
    {
        // From all over the list.
        uint64_t index = (uint64_t)(i / MOMENT_COUNT) * exact->clip_count / clip_count;
        const pelt_clip* clip = &exact->clips[index];
        float part = (float)(i % MOMENT_COUNT + 1) / (MOMENT_COUNT + 1);
        pelt_pose_sample(&test.pose, exact, clip, part * clip->duration, PELT_WRAP_CLAMP);
        add_pose(out, &test);
    }
    if (clip_count == 0 && result == PELT_OK)
    {
        rotate_joints(&test);
        add_pose(out, &test);
    }
    destroy_test(&test);
    return result;
}

// The effect of rounding on normals can only be measured relative to exact factors.
static pelt_result measure_rounding(normal_error* out, const pelt_scene* source,
                                    const pelt_scene* rounded, uint32_t max_joints,
                                    bool has_cotangents)
{
    pelt_scene exact = *source;
    const pelt_scene_normal_options options = {.max_joints = max_joints,
                                               .has_cotangents = has_cotangents};
    pelt_arena* arena = pelt_arena_create();
    bool is_ok = arena != NULL && pelt_scene_add_normal_factors(&exact, PELT_PREPARE_ALL, &options,
                                                                NULL, arena, NULL) == PELT_OK;
    pelt_result result = is_ok ? factors_error_measure(out, &exact, rounded) : PELT_ERROR_MEMORY;
    pelt_arena_destroy(arena);
    return result;
}

int factor_request_add(factor_report* out, pelt_scene* inout, const factor_request* request,
                       pelt_arena* arena)
{
    const pelt_scene_normal_options* options = &request->options;
    *out = (factor_report){.options = *options};
    const pelt_scene before = *inout;
    double start = clock_seconds();
    pelt_error error = {0};
    pelt_result result =
        pelt_scene_add_normal_factors(inout, PELT_PREPARE_ALL, options, &out->found, arena, &error);
    out->seconds = clock_seconds() - start;
    if (result == PELT_OK && options->bits != 0)
    {
        result = measure_rounding(&out->rounding, &before, inout, options->max_joints,
                                  options->has_cotangents);
        error = (pelt_error){"out of memory"};
    }
    return result == PELT_OK ? EXIT_DONE : message_error(result, &error);
}

// ---------------------------------------------------------------------------------------------
// Report

// For crs, in every mesh.
static bool has_centers(const factor_report* in)
{
    return in->found.centered_count == in->found.mesh_count;
}

void factor_report_print(const factor_report* in)
{
    const pelt_scene_normal_report* found = &in->found;
    if (found->mesh_count == 0)
    {
        return;
    }
    message_note(
        "computed normal factors with up to %u joints in %.2f ms for %llu of %llu %s; weights "
        "are constant around the others; methods: %s",
        in->options.max_joints, 1e3 * in->seconds, (unsigned long long)found->varying_count,
        (unsigned long long)found->vertex_count,
        message_plural(found->vertex_count, "vertex", "vertices"),
        has_centers(in) ? "lbs, dqs, mix and crs" : "lbs, dqs and mix; crs needs --cor");
    if (in->options.bits != 0)
    {
        message_note(
            "rounding to %u bits changes these normals by %.2g degrees on average and %.2g at most",
            in->options.bits, normal_error_mean(&in->rounding), in->rounding.max);
    }
    if (found->bare_count > 0)
    {
        message_note("%u %s no normals, so they get no factors", found->bare_count,
                     message_plural(found->bare_count, "skinned mesh has", "skinned meshes have"));
    }
}

json_t* factor_report_describe(const factor_report* in)
{
    const pelt_scene_normal_report* found = &in->found;
    uint32_t bits = in->options.bits;
    json_t* rounding =
        bits == 0 ? json_null()
                  : json_pack("{s:o, s:o}", "mean", output_real(normal_error_mean(&in->rounding)),
                              "max", output_real(in->rounding.max));
    return json_pack(
        "{s:i, s:i, s:o, s:b, s:o, s:I, s:I, s:I, s:I}", "joints", (int)in->options.max_joints,
        "bits", bits != 0 ? (int)bits : 32, "rounding_degrees", rounding, "centers",
        has_centers(in) && found->mesh_count > 0, "seconds", output_real(in->seconds), "meshes",
        (json_int_t)found->mesh_count, "without_normals", (json_int_t)found->bare_count, "vertices",
        (json_int_t)found->vertex_count, "varying", (json_int_t)found->varying_count);
}
