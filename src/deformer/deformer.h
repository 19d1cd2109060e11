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
    PELTI_LINE = 64, ///< bytes of a cache line, and of the widest load, which then takes but one
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

/// A deformer in a pose, and where kernels write.
typedef struct pelti_block_run
{
    const pelt_deformer* deformer;
    const pelt_palette* palette;
    const pelt_deform_options* options;
    bool has_normals, has_tangents; ///< there, and wanted

    /// Packed vectors of three and of four numbers, PELTI_BLOCK for each block from the first of a
    /// range on.
    float *positions, *normals, *tangents;
    float* scratch; ///< three planes that kernels may use, from the start of a cache line on
} pelti_block_run;

/// Move blocks, one after the other.
/// @return how many; fewer than blocks.count: something is out of the ordinary with the next one,
///         and the reference has to do it
typedef uint32_t (*pelti_block_mover)(const pelti_block_run* run, pelt_range blocks);

typedef struct pelti_block_kernels
{
    pelti_block_mover move[PELT_METHOD_COUNT];        ///< where joints are rigid; NULL: none
    pelti_block_mover move_scaled[PELT_METHOD_COUNT]; ///< where they are not
} pelti_block_kernels;

/// How quaternions and handedness of a block's joints are to be taken.
typedef struct pelti_block_signs
{
    float side;                       ///< -1 where all joints mirror
    float of[PELTI_BLOCK_JOINTS_MAX]; ///< of quaternions
} pelti_block_signs;

/// Signs that all vertices of a block have in common; false: there are none.
bool pelti_block_signs_find(pelti_block_signs* out, const pelti_block_run* run,
                            const uint16_t* joints, uint32_t joint_count);

const pelti_block_kernels* pelti_block_kernels_base(void);
const pelti_block_kernels* pelti_block_kernels_avx2(void);
const pelti_block_kernels* pelti_block_kernels_avx512(void);

/// NULL: not on this machine.
const pelti_block_kernels* pelti_block_kernels_for(pelti_isa isa);

/// As pelt_deformer_run(), by some kernels.
void pelti_deformer_run(const pelt_deformer* deformer, const pelti_block_kernels* kernels,
                        const pelt_surface* out, const pelt_palette* palette,
                        const pelt_deform_options* options, pelt_range blocks);

/// Sort vertices by their joints: `order` gets the vertex of each place.
pelt_result pelti_sort_by_joints(uint32_t* order, const pelt_weights* weights);

#endif
