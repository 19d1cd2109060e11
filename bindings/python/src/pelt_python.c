// SPDX-License-Identifier: MIT
// Threads, names, and skins made of arrays.
#include "pelt_python.h"

#include "pelt/bake.h"
#include "pelt/metrics.h"

// ---------------------------------------------------------------------------------------------
// Threads

static pelt_pool* pool;

static void use_pool(pelt_pool* next)
{
    pelt_hooks hooks = pelt_hooks_get();
    hooks.run = next != NULL ? pelt_pool_run : NULL;
    hooks.run_user = next;
    pelt_hooks_set(&hooks);
    pool = next;
}

/// Use that many threads; 0: one per core. @return their number
PELT_API uint32_t pelt_python_set_threads(uint32_t count);
uint32_t pelt_python_set_threads(uint32_t count)
{
    pelt_pool* before = pool;
    use_pool(NULL);
    if (before != NULL)
    {
        pelt_pool_destroy(before);
    }
    use_pool(pelt_pool_create(count));
    return pool != NULL ? pelt_pool_thread_count(pool) : 1;
}

/// In a process that fork() made: the threads of the pool are not there. The memory of the pool is
/// left alone.
PELT_API void pelt_python_forget_threads(void);
void pelt_python_forget_threads(void)
{
    use_pool(NULL);
}

// ---------------------------------------------------------------------------------------------
// Names

static const char* scale_pivot_name(uint32_t pivot)
{
    return pivot == PELT_SCALE_LOCAL ? "local" : "origin";
}

/// The name of a value of an enum, which is chosen by its name too. @return NULL: there are no more
PELT_API const char* pelt_python_name(const char* kind, uint32_t index);
const char* pelt_python_name(const char* kind, uint32_t index)
{
    switch (kind[0])
    {
    case 'm':
        return index < PELT_METHOD_COUNT ? pelt_method_name((pelt_method)index) : NULL;
    case 'n':
        return index < PELT_NORMAL_RULE_COUNT ? pelt_normal_rule_name((pelt_normal_rule)index)
                                              : NULL;
    case 's':
        return index < PELT_SIGN_RULE_COUNT ? pelt_sign_rule_name((pelt_sign_rule)index) : NULL;
    case 'd':
        return index < PELT_DQS_VARIANT_COUNT ? pelt_dqs_variant_name((pelt_dqs_variant)index)
                                              : NULL;
    case 'l':
        return index < PELT_LMS_VARIANT_COUNT ? pelt_lms_variant_name((pelt_lms_variant)index)
                                              : NULL;
    case 'p':
        return index <= PELT_SCALE_ORIGIN ? scale_pivot_name(index) : NULL;
    case 'e':
        return index < PELT_ENCODING_COUNT ? pelt_encoding_name((pelt_encoding)index) : NULL;
    case 't':
        return index < PELT_TEXTURE_FORMAT_COUNT
                   ? pelt_texture_format_name((pelt_texture_format)index)
                   : NULL;
    case 'q':
        return index < PELT_METRIC_COUNT ? pelt_metric_describe((pelt_metric)index)->name : NULL;
    case 'u':
        return index < PELT_METRIC_COUNT ? pelt_metric_describe((pelt_metric)index)->unit : NULL;
    default:
        return NULL;
    }
}

pelt_deform_options pelt_python_read_options(const pelt_python_options* from)
{
    return (pelt_deform_options){.method = (pelt_method)from->method,
                                 .normal_rule = (pelt_normal_rule)from->normal_rule,
                                 .sign_rule = (pelt_sign_rule)from->sign_rule,
                                 .scale_pivot = (pelt_scale_pivot)from->scale_pivot,
                                 .dqs_variant = (pelt_dqs_variant)from->dqs_variant,
                                 .lms_variant = (pelt_lms_variant)from->lms_variant,
                                 .mix = from->mix,
                                 .distance_correction = from->distance_correction};
}

// ---------------------------------------------------------------------------------------------
// Skins

/// A skin from packed arrays; those that are NULL do not exist.
/// @param counts  vertices, joints, indices, influences per vertex, most influences
/// @param first   offsets of influences; NULL: as many for each vertex
PELT_API int pelt_python_skin_create(pelt_skinner** out, const uint32_t counts[5],
                                     const float* positions, const float* normals,
                                     const float* tangents, const uint32_t* indices,
                                     const uint32_t* first, const uint32_t* joints,
                                     const float* weights, const float* centers,
                                     const float* mix_factors, const float* joint_positions,
                                     const uint32_t* joint_parents, pelt_error* error);
int pelt_python_skin_create(pelt_skinner** out, const uint32_t counts[5], const float* positions,
                            const float* normals, const float* tangents, const uint32_t* indices,
                            const uint32_t* first, const uint32_t* joints, const float* weights,
                            const float* centers, const float* mix_factors,
                            const float* joint_positions, const uint32_t* joint_parents,
                            pelt_error* error)
{
    const pelt_skinner_desc desc = {.vertex_count = counts[0],
                                    .joint_count = counts[1],
                                    .positions = positions,
                                    .normals = normals,
                                    .tangents = tangents,
                                    .index_count = counts[2],
                                    .indices_u32 = indices,
                                    .influences_per_vertex = counts[3],
                                    .first = first,
                                    .joints_u32 = joints,
                                    .weights = weights,
                                    .max_influences = counts[4],
                                    .centers = centers,
                                    .mix_factors = mix_factors,
                                    .joint_positions = joint_positions,
                                    .joint_parents = joint_parents};
    return (int)pelt_skinner_create(out, &desc, error);
}

/// @param strides  of positions, normals and tangents, in bytes
PELT_API int pelt_python_skin_deform(pelt_skinner* skin, float* positions, float* normals,
                                     float* tangents, const uint32_t strides[3],
                                     const float* matrices, int layout, uint32_t pose_count,
                                     const pelt_python_options* options, pelt_error* error);
int pelt_python_skin_deform(pelt_skinner* skin, float* positions, float* normals, float* tangents,
                            const uint32_t strides[3], const float* matrices, int layout,
                            uint32_t pose_count, const pelt_python_options* options,
                            pelt_error* error)
{
    const pelt_skinner_output out = {.positions = positions,
                                     .normals = normals,
                                     .tangents = tangents,
                                     .position_stride = strides[0],
                                     .normal_stride = strides[1],
                                     .tangent_stride = strides[2]};
    const pelt_deform_options how = pelt_python_read_options(options);
    return (int)pelt_skinner_deform_poses(skin, &out, matrices, (pelt_matrix_layout)layout,
                                          pose_count, &how, error);
}
