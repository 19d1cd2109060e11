// SPDX-License-Identifier: MIT
// Direct delta mush: the smoothed weights of PELT_METHOD_DDM, which are computed once per
// character.
#ifndef PELT_DDM_H
#define PELT_DDM_H

#include "prepare.h"

#ifdef __cplusplus
extern "C" {
#endif

// Delta mush deforms a mesh by LBS, smooths the result, and adds the details back that smoothing
// has removed from the rest pose, in the frame of the smoothed surface. It makes rigid or roughly
// painted weights look good, but the smoothing has to iterate for each frame. Direct delta mush
// does all of it beforehand: a vertex gets smoothed weights, which for each joint are a symmetric
// 4x4 matrix of moments instead of a number, and follows the rotation that fits its moved
// neighborhood best.
//
//     pelt_scene_add_ddm(&scene, PELT_PREPARE_MISSING, NULL, NULL, arena, &error);
//     options.method = PELT_METHOD_DDM; // frames use what was added
//
// Source: Le and Lewis, "Direct Delta Mush Skinning and Variants", ACM TOG 38(4), 2019.
// docs/methods.md has the formulas and what is pelt's own.

/// The variants of the paper, from the most accurate to the smallest. v1, which avoids the singular
/// value decomposition of v0, has no counterpart: pelt needs none for v0.
typedef enum pelt_ddm_variant
{
    PELT_DDM_V0 = 0, ///< full: the rotation that fits the neighborhood
    PELT_DDM_V2,     ///< mean quaternion by smoothed weights, smoothed positions
    PELT_DDM_V3,     ///< mean matrix by smoothed weights, smoothed positions
    PELT_DDM_V4,     ///< CRS with smoothed weights and the smoothed position as center
    PELT_DDM_V5,     ///< LBS with smoothed weights
    PELT_DDM_VARIANT_COUNT
} pelt_ddm_variant;

PELT_API const char* pelt_ddm_variant_name(pelt_ddm_variant variant); ///< "v0", "v2" ...

enum
{
    /// Three rows of an influence: those of its symmetric matrix of second moments, each with a
    /// component of its first moments at the end: xx xy xz x, xy yy yz y, xz yz zz z. Together with
    /// the weight they are the 4x4 block of the paper.
    PELT_DDM_MOMENTS = 12,
};

/// Smoothed weights of a mesh: vertex v has influences[first[v]] up to, but not including,
/// influences[first[v + 1]], strongest first, of the joints around it. A vertex without weights of
/// its own has none.
struct pelt_ddm
{
    uint32_t vertex_count;
    uint32_t joint_count;
    uint32_t influence_count; ///< == first[vertex_count]
    pelt_ddm_variant variant;
    /// 1 - alpha: how far the position follows the smoothed surface; the rest follows the center
    float translation;
    const uint32_t* first;            ///< vertex_count + 1 offsets
    const pelt_influence* influences; ///< positive, sum to one
    const pelt_vec3* centers;         ///< of each vertex: its smoothed rest position
    /// Of each vertex: the root mean square distance of its neighborhood from its center, the unit
    /// of the next two. 0: nothing is smoothed there, and the vertex follows LBS.
    const float* radii;
    const pelt_vec3* vectors; ///< V2 and V3, else NULL; of each influence: first moments about the
                              ///< center, which sum to zero over a vertex
    const float* moments; ///< V0, else NULL; of each influence: PELT_DDM_MOMENTS about the center
    uint64_t digest;      ///< pelt_cor_digest() of the mesh
};

typedef struct pelt_ddm_options
{
    pelt_ddm_variant variant;
    uint32_t iterations; ///< p of the paper, up to PELT_DDM_MAX_ITERATIONS; 0: 20
    float
        lambda; ///< smoothing of one iteration, which moves a vertex towards the mean of its
                ///< neighbors; up to PELT_DDM_MAX_LAMBDA; 0: 1, below 0: no smoothing, which is LBS
    float kappa; ///< the same for the weights by which centers move, up to lambda; 0: half of
                 ///< lambda, below 0: none
    float alpha; ///< from 0 to 1: how far vertices follow their centers instead of the smoothed
                 ///< surface, which keeps volume; 0: 0.5, below 0: not at all
    float min_weight;        ///< smoothed weights below it are dropped; 0: 1e-3, below 0: 0
    uint32_t max_influences; ///< of a vertex after smoothing; 0: 16

    /// Called with the part that is done, from 0 to 1; return false to cancel. May be NULL.
    bool (*progress)(float part, void* user);
    void* user; ///< handed to progress
} pelt_ddm_options;

#define PELT_DDM_MAX_ITERATIONS 1000u
#define PELT_DDM_MAX_LAMBDA 100.0f

/// Statistics of a solve.
typedef struct pelt_ddm_report
{
    uint32_t mesh_count;
    uint32_t vertex_count;
    uint32_t point_count;     ///< vertices after welding
    uint32_t still_count;     ///< points without neighbors or weights, which follow LBS
    uint64_t influence_count; ///< of vertices, after smoothing
    uint32_t max_influences;  ///< on one vertex
    uint32_t ring_count;      ///< how many edges far smoothing reaches
    float dropped_weight;     ///< the largest sum of weights that a vertex has lost
    size_t bytes;             ///< of the result
} pelt_ddm_report;

/// Compute smoothed weights.
///
/// Vertices at one position are one point, across meshes too, with the mean of their weights: seams
/// stay closed. Points are neighbors where an edge of a triangle joins them; the shape of triangles
/// does not count, so that those without area do no harm. The smoothing is
/// (I + lambda (I - P))^-iterations with P the mean over neighbors, evaluated in double to 1e-10.
///
/// Runs in parallel through the `run` hook, with the same bits for any number of threads.
///
/// @param out      for each mesh
/// @param input    meshes that one skin deforms are one surface
/// @param options  NULL: all defaults
/// @param report   may be NULL
/// @param arena    owns the arrays of out
/// @param error    may be NULL
/// @return PELT_OK, PELT_ERROR_MEMORY, PELT_ERROR_ARGUMENT for an option out of range,
///         PELT_ERROR_DATA for indices, offsets or joints that are out of range, or
///         PELT_ERROR_CANCELED
PELT_API pelt_result pelt_ddm_solve(pelt_ddm* out, const pelt_cor_input* input,
                                    const pelt_ddm_options* options, pelt_ddm_report* report,
                                    pelt_arena* arena, pelt_error* error);

/// pelt_ddm_solve() for the skinned meshes of a scene: sets pelt_mesh.weights.ddm. With
/// PELT_PREPARE_MISSING, meshes whose smoothed weights fit their digest keep them.
///
/// @param inout  a valid scene, or a copy of its struct; its meshes are replaced
/// @param arena  owns what is new; must live as long as *inout is used
/// @return as pelt_ddm_solve(); after an error *inout is unchanged
PELT_API pelt_result pelt_scene_add_ddm(pelt_scene* inout, pelt_prepare_scope scope,
                                        const pelt_ddm_options* options, pelt_ddm_report* report,
                                        pelt_arena* arena, pelt_error* error);

/// Bytes of the arrays of smoothed weights.
PELT_API size_t pelt_ddm_size(const pelt_ddm* ddm);

#ifdef __cplusplus
}
#endif

#endif
