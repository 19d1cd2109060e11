// SPDX-License-Identifier: MIT
// Blocks of vertices that share joints, and kernels that move a block.
#ifndef PELTI_DEFORMER_H
#define PELTI_DEFORMER_H

#include "../../include/pelt/deformer.h"

#include "../base/wide.h"

enum
{
    PELTI_BLOCK = PELT_DEFORMER_BLOCK,
    PELTI_BLOCK_JOINTS_MAX = 48, ///< with more the reference is faster
};

/// Vertices that are moved together. Their rest attributes are planes of PELTI_BLOCK floats; the
/// last block repeats its last vertex.
typedef struct pelti_block
{
    uint32_t first_joint; ///< in the lists of pelt_deformer, which have a plane of weights for each
    uint16_t joint_count; ///< more than PELTI_BLOCK_JOINTS_MAX: not listed, the reference does it
    uint16_t vertex_count;
} pelti_block;

struct pelt_deformer
{
    pelt_deformer_source source;
    pelt_deformer_options options;
    uint32_t block_count;
    size_t bytes;
    pelti_block* blocks;
    uint32_t* order;       ///< vertex of each place
    uint32_t* places;      ///< the inverse
    uint16_t* joints;      ///< lists of all blocks
    float* weights;        ///< or
    uint16_t* weights_u16; ///< 65535 is one
    float* positions;      ///< [block][3][PELTI_BLOCK]
    float* normals;        ///< unit; or NULL
    float* tangents;       ///< [block][4][PELTI_BLOCK], unit; or NULL
    float* cors;           ///< or NULL
    float* mix_factors;    ///< [block][PELTI_BLOCK], or NULL
    pelt_arena* arena;     ///< owns all of these, and the deformer
};

/// A block in a pose, as kernels read it.
typedef struct pelti_block_job
{
    const pelt_palette* palette;
    const uint16_t* joints;
    uint32_t joint_count;
    const float* weights; ///< or NULL:
    const uint16_t* weights_u16;
    const float* positions;
    const float* normals;  ///< or NULL: not wanted
    const float* tangents; ///< or NULL: not wanted
    const float* cors;
    const float* mix_factors; ///< or NULL:
    float mix;
    bool is_local; ///< joints scale about the vertex or its center, not about the origin
    float side;    ///< -1 where all joints mirror
    float signs[PELTI_BLOCK_JOINTS_MAX]; ///< of quaternions
} pelti_block_job;

/// Planes of a block that has been moved.
typedef struct pelti_block_result
{
    float positions[3][PELTI_BLOCK];
    float normals[3][PELTI_BLOCK];
    float tangents[4][PELTI_BLOCK];
} pelti_block_result;

/// Move a block; false: something is out of the ordinary, and the reference has to do it.
typedef bool (*pelti_block_mover)(pelti_block_result* out, const pelti_block_job* job);

typedef struct pelti_block_kernels
{
    pelti_block_mover move[PELT_METHOD_COUNT];        ///< where joints are rigid; NULL: none
    pelti_block_mover move_scaled[PELT_METHOD_COUNT]; ///< where they are not
    pelti_block_mover move_rigid; ///< by any method, where all vertices follow one rigid joint

    /// Write three or four planes of a block as packed vectors.
    void (*pack3)(float* out, const float* planes);
    void (*pack4)(float* out, const float* planes);
} pelti_block_kernels;

const pelti_block_kernels* pelti_block_kernels_base(void);
const pelti_block_kernels* pelti_block_kernels_avx2(void);
const pelti_block_kernels* pelti_block_kernels_avx512(void);

/// NULL: not on this machine.
const pelti_block_kernels* pelti_block_kernels_for(pelti_isa isa);

/// As pelt_deformer_run(), by some kernels.
void pelti_deformer_run(const pelt_deformer* deformer, const pelti_block_kernels* kernels,
                        const pelt_surface* out, const pelt_palette* palette,
                        const pelt_deform_options* options, pelt_range blocks);

/// Whether some kernel can do this, so that not every vertex is left to the reference.
bool pelti_deformer_covers(const pelt_deformer* deformer, const pelt_surface* out,
                           const pelt_palette* palette, const pelt_deform_options* options);

/// Sort vertices by their joints: `order` gets the vertex of each place.
pelt_result pelti_sort_by_joints(uint32_t* order, const pelt_weights* weights);

#endif
