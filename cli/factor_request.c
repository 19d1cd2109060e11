// SPDX-License-Identifier: MIT
// Normal factors for the skinned meshes of a scene.
#include "factor_request.h"

#include "clock.h"
#include "message.h"
#include "output.h"

static const char* const joint_names[] = {"2", "3", "4", "8", NULL};
static const uint32_t joint_counts[] = {2, 3, 4, 8};
static const char* const bit_names[] = {"32", "16", "8", NULL};
static const uint32_t bit_counts[] = {0, 16, 8};

const arg_option factors_options[] = {
    {.name = "normals",
     .kind = ARG_FLAG,
     .help = "factors for accurate normals, as the vertex attributes _PELT_NORMAL_*"},
    {.name = "normal-joints",
     .kind = ARG_CHOICE,
     .value = "N",
     .choices = joint_names,
     .help = "how many joints of a vertex they know about, default 4; one of"},
    {.name = "normal-bits",
     .kind = ARG_CHOICE,
     .value = "B",
     .choices = bit_names,
     .help =
         "floats, or integers with fewer bits that take less room; how far this turns normals is"
         " measured; default 32; one of"},
    {0},
};

int factors_choose(factors_request* out, const args* arguments)
{
    *out = (factors_request){0};
    bool has_count = args_is_set(arguments, "normal-joints");
    if (!args_is_set(arguments, "normals"))
    {
        const char* useless = has_count                               ? "normal-joints"
                              : args_is_set(arguments, "normal-bits") ? "normal-bits"
                                                                      : NULL;
        return useless != NULL ? message_usage("--%s has no effect without --normals", useless)
                               : EXIT_DONE;
    }
    out->joints = has_count ? joint_counts[args_choice(arguments, "normal-joints")] : 4;
    out->bits = bit_counts[args_choice(arguments, "normal-bits")];
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------

static void count(factors* inout, const pelt_normal_factors* built)
{
    inout->built_count++;
    inout->vertex_count += built->vertex_count;
    inout->has_centers = inout->has_centers && built->centers != NULL;
    for (uint32_t v = 0; v < built->vertex_count; ++v)
    {
        inout->varying_count += built->first[v + 1] > built->first[v];
    }
}

static const pelt_vec3* cors_of(const pelt_scene* scene, pelt_vec3* const* cors, uint32_t mesh)
{
    return cors != NULL && cors[mesh] != NULL ? cors[mesh] : scene->meshes[mesh].cors;
}

// Put rounded factors in the place of those that were built, and measure what that does.
static pelt_result quantize(factors* inout, const pelt_scene* scene, pelt_vec3* const* cors)
{
    pelt_arena* arena = inout->arena;
    uint32_t count = scene->mesh_count;
    pelt_normal_factors* all = pelt_arena_alloc(arena, count, sizeof *all);
    factors_pair pair = {.exact = inout->built,
                         .rounded = pelt_arena_alloc(arena, count, sizeof *pair.rounded),
                         .cors = pelt_arena_alloc(arena, count, sizeof *pair.cors)};
    if (all == NULL || pair.rounded == NULL || pair.cors == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        pair.cors[i] = cors_of(scene, cors, i);
        if (pair.exact[i] != NULL)
        {
            pelt_result result =
                pelt_normal_factors_quantize(&all[i], pair.exact[i], inout->request.bits, arena);
            if (result != PELT_OK)
            {
                return result;
            }
            pair.rounded[i] = &all[i];
        }
    }
    // A skinned mesh without normals has no factors, and may have no centers for crs.
    pair.cors = inout->has_centers && inout->bare_count == 0 ? pair.cors : NULL;
    inout->built = pair.rounded;
    return factors_error_measure(&inout->rounding, scene, &pair);
}

static pelt_result build(factors* inout, const pelt_scene* scene, pelt_vec3* const* cors)
{
    const pelt_normal_options options = {.max_joints = inout->request.joints};
    pelt_normal_factors* all = pelt_arena_alloc(inout->arena, scene->mesh_count, sizeof *all);
    inout->built = pelt_arena_alloc(inout->arena, scene->mesh_count, sizeof *inout->built);
    pelt_result result = all != NULL && inout->built != NULL ? PELT_OK : PELT_ERROR_MEMORY;
    for (uint32_t i = 0; i < scene->mesh_count && result == PELT_OK; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        if (mesh->weights.vertex_count == 0 || mesh->normals == NULL)
        {
            inout->bare_count += mesh->weights.vertex_count > 0;
            continue;
        }
        result = pelt_normal_factors_build(&all[i], mesh, cors_of(scene, cors, i), &options,
                                           inout->arena);
        if (result == PELT_OK)
        {
            inout->built[i] = &all[i];
            count(inout, &all[i]);
        }
    }
    return result;
}

int factors_create(factors* out, const pelt_scene* scene, pelt_vec3* const* cors,
                   const factors_request* request)
{
    double start = clock_seconds();
    *out = (factors){.request = *request,
                     .mesh_count = scene->mesh_count,
                     .has_centers = true,
                     .arena = pelt_arena_create()};
    pelt_result result = out->arena != NULL ? build(out, scene, cors) : PELT_ERROR_MEMORY;
    out->seconds = clock_seconds() - start;
    if (result == PELT_OK && request->bits != 0)
    {
        result = quantize(out, scene, cors);
    }
    if (result != PELT_OK)
    {
        factors_destroy(out);
        return message_memory();
    }
    return EXIT_DONE;
}

void factors_destroy(factors* in)
{
    pelt_arena_destroy(in->arena);
    *in = (factors){0};
}

// ---------------------------------------------------------------------------------------------

void factors_print(const factors* in)
{
    if (in->built_count == 0)
    {
        return;
    }
    message_note("normal factors with up to %u joints in %.2f ms: for %llu vertices of %llu, as "
                 "weights are constant around the others; %s",
                 in->request.joints, 1e3 * in->seconds, (unsigned long long)in->varying_count,
                 (unsigned long long)in->vertex_count,
                 in->has_centers ? "for lbs, dqs, mix and crs"
                                 : "for lbs, dqs and mix; crs needs --cor");
    if (in->request.bits != 0)
    {
        message_note("%u bits turn these normals by %.2g degrees on average, and by %.2g at most",
                     in->request.bits, normal_error_mean(&in->rounding), in->rounding.max);
    }
    if (in->bare_count > 0)
    {
        message_note("meshes without normals, which got no factors: %u", in->bare_count);
    }
}

json_t* factors_describe(const factors* in)
{
    json_t* rounding =
        in->request.bits == 0
            ? json_null()
            : json_pack("{s:o, s:o}", "mean", output_real(normal_error_mean(&in->rounding)), "max",
                        output_real(in->rounding.max));
    return json_pack(
        "{s:i, s:i, s:o, s:b, s:o, s:I, s:I, s:I, s:I}", "joints", (int)in->request.joints, "bits",
        in->request.bits != 0 ? (int)in->request.bits : 32, "rounding_degrees", rounding, "centers",
        in->has_centers && in->built_count > 0, "seconds", output_real(in->seconds), "meshes",
        (json_int_t)in->built_count, "without_normals", (json_int_t)in->bare_count, "vertices",
        (json_int_t)in->vertex_count, "varying", (json_int_t)in->varying_count);
}
