// SPDX-License-Identifier: MIT
// Normal factors for the skinned meshes of a scene.
#include "factors.h"

#include "clock.h"
#include "message.h"
#include "output.h"

static const char* const joint_names[] = {"2", "3", "4", "8", NULL};
static const uint32_t joint_counts[] = {2, 3, 4, 8};

const arg_option factors_options[] = {
    {.name = "normals",
     .kind = ARG_FLAG,
     .help = "factors for accurate normals, as the vertex attributes _PELT_NORMAL_*"},
    {.name = "normal-joints",
     .kind = ARG_CHOICE,
     .value = "N",
     .choices = joint_names,
     .help = "how many joints of a vertex they know about, default 4; one of"},
    {0},
};

int factors_choose(uint32_t* out, const args* arguments)
{
    bool is_wanted = args_is_set(arguments, "normals");
    bool has_count = args_is_set(arguments, "normal-joints");
    uint32_t joints = has_count ? joint_counts[args_choice(arguments, "normal-joints")] : 4;
    *out = is_wanted ? joints : 0;
    return has_count && !is_wanted
               ? message_usage("--normal-joints has no effect without --normals")
               : EXIT_DONE;
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

static pelt_result build(factors* inout, const pelt_scene* scene, pelt_vec3* const* cors)
{
    const pelt_normal_options options = {.max_joints = inout->max_joints};
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
        const pelt_vec3* own = cors != NULL && cors[i] != NULL ? cors[i] : mesh->cors;
        result = pelt_normal_factors_build(&all[i], mesh, own, &options, inout->arena);
        if (result == PELT_OK)
        {
            inout->built[i] = &all[i];
            count(inout, &all[i]);
        }
    }
    return result;
}

int factors_create(factors* out, const pelt_scene* scene, pelt_vec3* const* cors,
                   uint32_t max_joints)
{
    double start = clock_seconds();
    *out = (factors){.max_joints = max_joints,
                     .mesh_count = scene->mesh_count,
                     .has_centers = true,
                     .arena = pelt_arena_create()};
    if (out->arena == NULL || build(out, scene, cors) != PELT_OK)
    {
        factors_destroy(out);
        return message_memory();
    }
    out->seconds = clock_seconds() - start;
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
                 in->max_joints, 1e3 * in->seconds, (unsigned long long)in->varying_count,
                 (unsigned long long)in->vertex_count,
                 in->has_centers ? "for lbs, dqs, mix and crs"
                                 : "for lbs, dqs and mix; crs needs --cor");
    if (in->bare_count > 0)
    {
        message_note("meshes without normals, which got no factors: %u", in->bare_count);
    }
}

json_t* factors_describe(const factors* in)
{
    return json_pack("{s:i, s:b, s:o, s:I, s:I, s:I, s:I}", "joints", (int)in->max_joints,
                     "centers", in->has_centers && in->built_count > 0, "seconds",
                     output_real(in->seconds), "meshes", (json_int_t)in->built_count,
                     "without_normals", (json_int_t)in->bare_count, "vertices",
                     (json_int_t)in->vertex_count, "varying", (json_int_t)in->varying_count);
}
