// SPDX-License-Identifier: MIT
// Deformers: skinning on the CPU at the speed of memory. The functions of pelt.h are the
// reference and deform one vertex after the other; a deformer is made once for a mesh and then
// gives the same surface, up to rounding, in a tenth of the time.
//
//     pelt_deformer* deformer;
//     pelt_deformer_source source = {.positions = mesh->positions, .normals = mesh->normals,
//                                    .weights = &mesh->weights};
//     pelt_deformer_create(&deformer, &source, NULL);
//     pelt_deformer_remap(deformer, indices, mesh->index_count);
//     for each frame:
//         pelt_palette_build(&palette, skin, model_from_node);
//         pelt_deformer_run(deformer, &surface, &palette, &options, whole);
//
// The vertices are sorted by the joints that influence them and divided into blocks, each of which
// shares a short list of joints. Surfaces come out in this order: remap the index buffer and
// whatever else is stored by vertex (texture coordinates, colors) once, or ask for PELT_ORDER_KEPT,
// which takes up to two and a half times as long. docs/speed.md says why, and how fast. With
// source.morphs, pelt_deformer_run_morphed() adds morph targets by their weights first.
//
// Experimental, see pelt.h.
#ifndef PELT_DEFORMER_H
#define PELT_DEFORMER_H

#include "pelt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A mesh at rest, as in pelt_deform_input. The arrays are not copied where they are needed only
/// for vertices that kernels do not cover: all of them must outlive the deformer, unchanged.
typedef struct pelt_deformer_source
{
    const pelt_vec3* positions; ///< weights->vertex_count, in the bind pose
    const pelt_vec3* normals;   ///< or NULL
    const pelt_vec4* tangents;  ///< or NULL
    uint32_t position_stride, normal_stride, tangent_stride; ///< bytes; 0: packed
    const pelt_vec3* cors;                     ///< or NULL; see needs_centers in deform.h
    const float* mix_factors;                  ///< or NULL: pelt_deform_options.mix
    const pelt_normal_factors* normal_factors; ///< or NULL: PELT_NORMAL_STANDARD
    const pelt_weights* weights;
    uint32_t morph_count;     ///< for pelt_deformer_run_morphed()
    const pelt_morph* morphs; ///< morph_count
} pelt_deformer_source;

/// The order in which vertices are written.
typedef enum pelt_vertex_order
{
    PELT_ORDER_SORTED = 0, ///< by joints, see pelt_deformer_order()
    PELT_ORDER_KEPT,       ///< as in the source
} pelt_vertex_order;

typedef enum pelt_weight_format
{
    /// 16 bits, rounded so that they sum to one: each is off by at most 1.5e-5, and a vertex by as
    /// much of the distance between the positions that its joints alone would give it, for each
    /// joint.
    PELT_WEIGHTS_UNORM16 = 0,
    PELT_WEIGHTS_FLOAT, ///< as in the source
} pelt_weight_format;

/// {0} is the fastest.
typedef struct pelt_deformer_options
{
    pelt_vertex_order order;
    pelt_weight_format weights;
} pelt_deformer_options;

#define PELT_DEFORMER_BLOCK 32u ///< vertices of a block; the last has what is left

/// Prepare a mesh, which takes as long as a few frames of pelt_deform(). A deformer is as large as
/// the positions, normals, tangents and centers of its source, with eight bytes for each vertex,
/// and two, or four for floats, for each joint of a block and vertex: about four on characters.
/// With normal_factors it is about twice as large, and sorts vertices first by the joints of their
/// normal factors. It keeps the displacements of morph targets for the blocks that they move:
/// twelve bytes for each vertex, attribute and target, and as much again for normals and for
/// tangents that targets change.
/// @param out      free with pelt_deformer_destroy(); NULL on failure
/// @param options  NULL: {0}
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_deformer_create(pelt_deformer** out, const pelt_deformer_source* source,
                                          const pelt_deformer_options* options);
PELT_API void pelt_deformer_destroy(pelt_deformer* deformer); ///< NULL is allowed

PELT_API uint32_t pelt_deformer_block_count(const pelt_deformer* deformer);

/// Bytes that a deformer takes.
PELT_API size_t pelt_deformer_bytes(const pelt_deformer* deformer);

/// For each output slot of PELT_ORDER_SORTED, the vertex of the source that is written to it. Under
/// PELT_ORDER_KEPT too, as the order in which blocks take the vertices.
PELT_API const uint32_t* pelt_deformer_order(const pelt_deformer* deformer);

/// Replace indices of the source's vertices by output slots.
PELT_API void pelt_deformer_remap(const pelt_deformer* deformer, uint32_t* indices,
                                  uint32_t index_count);

/// Deform the vertices of a range of blocks: block b has the slots 32 b to 32 b + 31. Allocates
/// nothing and changes nothing but `out`; threads may run different blocks of one deformer at the
/// same time, and the bits do not depend on how blocks are divided. Tasks of 64 blocks and more
/// repay starting a thread. Sets with fused multiply-adds all give the same bits, "base" gives the
/// same on every machine: see pelt_deformer_isa().
///
/// The result is that of pelt_deform(): with PELT_WEIGHTS_FLOAT to 2e-6 of the size of the model,
/// normals to 0.05 degrees. Kernels cover LBS, DQS, MIX and CRS with PELT_NORMAL_STANDARD and
/// PELT_NORMAL_ACCURATE; blocks whose quaternions do not lie in one hemisphere or whose joints
/// differ in handedness, vertices that collapse, CRS with scale about the origin unless all joints
/// have the same scale, and everything else go through the reference, with the weights of the
/// source. That takes somewhat longer than pelt_deform() does. So do, with PELT_NORMAL_ACCURATE,
/// blocks in which some joints are ten times as large as others, and blocks that mix vertices of
/// constant and of changing weights, if the output has tangents that are not
/// perpendicular to normals, or joints scale about the vertex.
/// options->distance_correction has no effect here, since a deformer knows no bones.
/// @param out      by slot, or by vertex under PELT_ORDER_KEPT; packed, or with strides; not the
///                 arrays of the source
/// @param palette  weights->joint_count joints, or more; prepared for the options, as
///                 pelt_deform() needs it
PELT_API void pelt_deformer_run(const pelt_deformer* deformer, const pelt_surface* out,
                                const pelt_palette* palette, const pelt_deform_options* options,
                                pelt_range blocks);

/// The same with morph targets: the surface of pelt_morph_apply(), then pelt_deform(), within the
/// same bounds. Targets are first added to the blocks that they move, on the stack, which takes 1
/// to 3 ns per vertex, and 3 more where they change accurate normals, see docs/speed.md; other
/// blocks take as long as without.
///
/// Targets that move vertices and have no normals leave normals as they are, under every rule: see
/// pelt_deform_input.displacements for one that does not, which pelt_frame_update() uses under
/// PELT_NORMAL_ACCURATE.
/// @param morph_weights  source->morph_count; NULL: all 0
PELT_API void pelt_deformer_run_morphed(const pelt_deformer* deformer, const pelt_surface* out,
                                        const pelt_palette* palette,
                                        const pelt_deform_options* options,
                                        const float* morph_weights, pelt_range blocks);

/// The instruction set of the kernels in use: "base" (SSE2, NEON or none), "avx2" or "avx512". It
/// is the best that the machine has, unless PELT_ISA in the environment names another. "avx2" and
/// "avx512" fuse products with sums and agree to the bit; "base" does not, and differs from them by
/// rounding.
PELT_API const char* pelt_deformer_isa(void);

#ifdef __cplusplus
}
#endif

#endif
