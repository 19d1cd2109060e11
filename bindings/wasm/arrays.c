// SPDX-License-Identifier: MIT
// Skinners for JavaScript: typed arrays in; deformed arrays, centers and factors out.
#include "../../include/pelt/skinner.h"
#include "web.h"

#include "../../include/pelt/gl.h"

#include <string.h>

pelt_error web_error;

// ---------------------------------------------------------------------------------------------
// Module

static void stop(const char* condition, const char* file, int line, void* user)
{
    (void)user;
    pelt_error_set(&web_error, PELT_ERROR_ARGUMENT, "a contract is broken: %s (%s:%d)", condition,
                   file, line);
    __builtin_trap();
}

/// The first call. Broken contracts become traps, which are exceptions of JavaScript.
void WEB_EXPORT(web_start)(void)
{
    const pelt_hooks hooks = {.assert_failed = stop};
    pelt_hooks_set(&hooks);
}

const char* WEB_EXPORT(web_version)(void)
{
    return pelt_version();
}

const char* WEB_EXPORT(web_message)(void)
{
    return web_error.message;
}

/// "memory", "argument" ... of a result
const char* WEB_EXPORT(web_result_name)(uint32_t result)
{
    return pelt_result_name((pelt_result)result);
}

void* WEB_EXPORT(web_allocate)(size_t size)
{
    return pelt_allocate(size, 1);
}

void WEB_EXPORT(web_release)(void* memory)
{
    pelt_release(memory);
}

// @return PELT_METHOD_COUNT or another count: there is none of that name
uint32_t WEB_EXPORT(web_find_method)(const char* name)
{
    return pelt_method_find(name);
}

uint32_t WEB_EXPORT(web_find_normal_rule)(const char* name)
{
    return pelt_normal_rule_find(name);
}

uint32_t WEB_EXPORT(web_find_sign_rule)(const char* name)
{
    uint32_t i = 0;
    while (i < PELT_SIGN_RULE_COUNT && strcmp(name, pelt_sign_rule_name((pelt_sign_rule)i)) != 0)
    {
        ++i;
    }
    return i;
}

/// NULL: there is no such method; for lists
const char* WEB_EXPORT(web_method_name)(uint32_t method)
{
    return method < PELT_METHOD_COUNT ? pelt_method_name((pelt_method)method) : NULL;
}

pelt_deform_options web_deform_options(const web_options* in)
{
    return (pelt_deform_options){.method = (pelt_method)in->method,
                                 .normal_rule = (pelt_normal_rule)in->normal_rule,
                                 .sign_rule = (pelt_sign_rule)in->sign_rule,
                                 .scale_pivot = (pelt_scale_pivot)in->scale_pivot,
                                 .is_exact = in->is_exact != 0,
                                 .mix = in->mix};
}

// ---------------------------------------------------------------------------------------------
// Skinners

/// A mesh as JavaScript writes it: packed arrays.
typedef struct web_mesh
{
    uint32_t vertex_count, joint_count, index_count, influences_per_vertex;
    const float *positions, *normals, *tangents;
    const uint32_t* indices;
    const uint16_t* joints;
    const float* weights;
    const float *centers, *mix_factors;
    const float* joint_positions;
    const uint32_t* joint_parents;
} web_mesh;

/// A skinner with the arrays that it deforms into and the matrices that it reads.
typedef struct web_skinner
{
    pelt_skinner* skinner;
    float* matrices;  // 16 per joint, column after column
    float* positions; // 3 per vertex
    float* normals;   // 3 per vertex
    float* tangents;  // 4 per vertex; NULL: the mesh has none
    bool has_normals;
} web_skinner;

void WEB_EXPORT(web_skinner_destroy)(web_skinner* skinner)
{
    if (skinner == NULL)
    {
        return;
    }
    pelt_skinner_destroy(skinner->skinner);
    pelt_release(skinner->matrices);
    pelt_release(skinner->positions);
    pelt_release(skinner->normals);
    pelt_release(skinner->tangents);
    pelt_release(skinner);
}

static pelt_result allocate(web_skinner* out, const web_mesh* mesh)
{
    size_t vertices = mesh->vertex_count, joints = mesh->joint_count;
    out->has_normals = mesh->normals != NULL;
    out->matrices = pelt_allocate(joints, 16 * sizeof(float));
    out->positions = pelt_allocate(vertices, 3 * sizeof(float));
    out->normals = pelt_allocate(vertices, 3 * sizeof(float));
    out->tangents = mesh->tangents != NULL ? pelt_allocate(vertices, 4 * sizeof(float)) : NULL;
    bool is_complete = out->matrices != NULL && out->positions != NULL && out->normals != NULL &&
                       (out->tangents != NULL || mesh->tangents == NULL);
    if (!is_complete)
    {
        return pelt_error_memory(&web_error);
    }
    memset(out->matrices, 0, joints * 16 * sizeof(float));
    for (size_t i = 0; i < 4 * joints; ++i)
    {
        out->matrices[i / 4 * 16 + i % 4 * 5] = 1.0f;
    }
    return PELT_OK;
}

/// @return NULL: see web_message()
web_skinner* WEB_EXPORT(web_skinner_create)(const web_mesh* mesh)
{
    const pelt_skinner_desc desc = {.vertex_count = mesh->vertex_count,
                                    .joint_count = mesh->joint_count,
                                    .positions = mesh->positions,
                                    .normals = mesh->normals,
                                    .tangents = mesh->tangents,
                                    .index_count = mesh->index_count,
                                    .indices_u32 = mesh->indices,
                                    .influences_per_vertex = mesh->influences_per_vertex,
                                    .joints_u16 = mesh->joints,
                                    .weights = mesh->weights,
                                    .centers = mesh->centers,
                                    .mix_factors = mesh->mix_factors,
                                    .joint_positions = mesh->joint_positions,
                                    .joint_parents = mesh->joint_parents};
    web_skinner* out = pelt_allocate(1, sizeof *out);
    if (out == NULL)
    {
        pelt_error_memory(&web_error);
        return NULL;
    }
    *out = (web_skinner){0};
    pelt_result result = pelt_skinner_create(&out->skinner, &desc, &web_error);
    result = result == PELT_OK ? allocate(out, mesh) : result;
    if (result != PELT_OK)
    {
        web_skinner_destroy(out);
        return NULL;
    }
    return out;
}

/// @param what  bits of PELT_SKINNER_NORMALS and the following
uint32_t WEB_EXPORT(web_skinner_prepare)(web_skinner* skinner, uint32_t what)
{
    pelt_result result = pelt_skinner_prepare(skinner->skinner, what, &web_error);
    skinner->has_normals = pelt_skinner_normals(skinner->skinner) != NULL;
    return result;
}

#ifndef WEB_ARRAYS_ONLY

/// Deform by the matrices of the skinner into its arrays.
uint32_t WEB_EXPORT(web_skinner_deform)(web_skinner* skinner, const web_options* options)
{
    const pelt_deform_options how = web_deform_options(options);
    const pelt_skinner_output out = {.positions = skinner->positions,
                                     .normals = skinner->has_normals ? skinner->normals : NULL,
                                     .tangents = skinner->tangents};
    return pelt_skinner_deform(skinner->skinner, &out, skinner->matrices, PELT_MATRIX_COLUMNS_4X4,
                               &how, &web_error);
}

#endif

/// An array of a skinner. NULL: there is none.
const void* WEB_EXPORT(web_skinner_array)(const web_skinner* skinner, uint32_t which)
{
    const void* const arrays[] = {skinner->matrices,
                                  skinner->positions,
                                  skinner->has_normals ? skinner->normals : NULL,
                                  skinner->tangents,
                                  pelt_skinner_normals(skinner->skinner),
                                  pelt_skinner_centers(skinner->skinner),
                                  pelt_skinner_mix_factors(skinner->skinner)};
    return which < sizeof arrays / sizeof arrays[0] ? arrays[which] : NULL;
}

// ---------------------------------------------------------------------------------------------
// What shaders read

/// Influences sorted as shaders need them: strongest first.
/// @param per_vertex  slots of a vertex; weights beyond them are dropped and the others normalized
void WEB_EXPORT(web_skinner_influences)(uint16_t* joints, float* weights,
                                        const web_skinner* skinner, uint32_t per_vertex)
{
    const pelt_weights* in = pelt_skinner_weights(skinner->skinner);
    for (uint32_t v = 0; v < in->vertex_count; ++v)
    {
        uint32_t count = in->first[v + 1] - in->first[v];
        count = count < per_vertex ? count : per_vertex;
        const pelt_influence* influences = in->influences + in->first[v];
        double sum = 0.0;
        for (uint32_t i = 0; i < count; ++i)
        {
            sum += (double)influences[i].weight;
        }
        bool is_cut = count < in->first[v + 1] - in->first[v];
        for (uint32_t i = 0; i < per_vertex; ++i)
        {
            size_t at = (size_t)v * per_vertex + i;
            joints[at] = i < count ? influences[i].joint : 0;
            float weight = i < count ? influences[i].weight : 0.0f;
            weights[at] = is_cut ? (float)((double)weight / sum) : weight;
        }
    }
}

/// Influences of the vertex that has most.
uint32_t WEB_EXPORT(web_skinner_max_influences)(const web_skinner* skinner)
{
    return pelt_skinner_weights(skinner->skinner)->max_influences;
}

/// Floats of a vertex in web_skinner_factors(), the texture of docs/gpu.md. 0: there are no
/// factors, or a vertex has more than shaders read.
uint32_t WEB_EXPORT(web_skinner_factor_floats)(const web_skinner* skinner)
{
    const pelt_normal_factors* factors = pelt_skinner_normal_factors(skinner->skinner);
    if (factors == NULL)
    {
        return 0;
    }
    const pelt_gpu_normals normals = pelt_gpu_normals_of(factors, PELT_NORMAL_ACCURATE);
    return pelt_gpu_normal_floats(&normals);
}

/// Slots of a vertex in that texture: PELT_NORMAL_SLOTS of the shader.
uint32_t WEB_EXPORT(web_skinner_factor_slots)(const web_skinner* skinner)
{
    const pelt_normal_factors* factors = pelt_skinner_normal_factors(skinner->skinner);
    return factors != NULL ? pelt_gpu_normals_of(factors, PELT_NORMAL_ACCURATE).slot_count : 0;
}

/// @param out  vertex_count * web_skinner_factor_floats()
void WEB_EXPORT(web_skinner_factors)(float* out, const web_skinner* skinner)
{
    const pelt_normal_factors* factors = pelt_skinner_normal_factors(skinner->skinner);
    const pelt_gpu_normals normals = pelt_gpu_normals_of(factors, PELT_NORMAL_ACCURATE);
    pelt_gpu_normals_write(out, factors, &normals);
}

// ---------------------------------------------------------------------------------------------
// Palettes

/// The joints of a skeleton for shaders.
typedef struct web_palette
{
    pelt_palette palette;
    float* matrices; // 16 per joint, column after column
    float* texels;   // 16 per joint: the shared layout of docs/gpu.md
} web_palette;

void WEB_EXPORT(web_palette_destroy)(web_palette* palette)
{
    if (palette == NULL)
    {
        return;
    }
    pelt_palette_destroy(&palette->palette);
    pelt_release(palette->matrices);
    pelt_release(palette->texels);
    pelt_release(palette);
}

/// @return NULL: out of memory
web_palette* WEB_EXPORT(web_palette_create)(uint32_t joint_count)
{
    web_palette* out = pelt_allocate(1, sizeof *out);
    if (out == NULL)
    {
        pelt_error_memory(&web_error);
        return NULL;
    }
    *out = (web_palette){.matrices = pelt_allocate(joint_count, 16 * sizeof(float)),
                         .texels = pelt_allocate(joint_count, 16 * sizeof(float))};
    bool is_ok = out->matrices != NULL && out->texels != NULL &&
                 pelt_palette_create(&out->palette, joint_count) == PELT_OK;
    if (!is_ok)
    {
        pelt_error_memory(&web_error);
        web_palette_destroy(out);
        return NULL;
    }
    return out;
}

/// Which: 0 matrices, 1 texels
float* WEB_EXPORT(web_palette_array)(web_palette* palette, uint32_t which)
{
    return which == 0 ? palette->matrices : palette->texels;
}

/// From matrices to texels. @return whether all joints are rigid
bool WEB_EXPORT(web_palette_update)(web_palette* palette)
{
    pelt_palette_set(&palette->palette, palette->matrices, PELT_MATRIX_COLUMNS_4X4);
    pelt_gpu_palette_write(palette->texels, &palette->palette, PELT_METHOD_CRS,
                           PELT_GPU_SCALE_LOCAL, PELT_GPU_LAYOUT_SHARED);
    return palette->palette.is_rigid;
}
