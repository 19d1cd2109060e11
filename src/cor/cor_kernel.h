// SPDX-License-Identifier: MIT
// Inner loops of the fast solver of centers of rotation: the sum over one pair of joints, term by
// term or through a table.
//
// A vertex with weights x, y on the two joints and a piece of surface with weights v, w there have
// distance x w - y v (Le and Hodgins 2016, Eq. 1). With x = r a, y = r (1 - a) and v = q b,
// w = q (1 - b) that is r q (a - b): where the vertex and the piece stand between the two joints,
// times how much of each belongs to the pair at all. So the sum over all pieces is a smooth
// function of (a, r). A table of it has columns of equal distance in a; between two rows the
// sum is then a convolution along the columns, for all pieces at once.
#ifndef PELTI_COR_KERNEL_H
#define PELTI_COR_KERNEL_H

#include "../../include/pelt/pelt.h"

enum
{
    PELTI_COR_LANES = 16,        ///< lists and rows of tables are padded to a multiple of this
    PELTI_COR_BLOCK = 8,         ///< columns of a table that are used together, or not at all
    PELTI_COR_POINTS = 8,        ///< of interpolation in each direction
    PELTI_COR_COLUMNS_MAX = 224, ///< for sigma = PELTI_COR_TABLE_SIGMA
    PELTI_COR_ROWS_MAX = 64,
    PELTI_COR_KERNELS_MAX = 3,
};

/// With a narrower kernel tables become larger than what they save.
#define PELTI_COR_TABLE_SIGMA 0.03

/// Pieces of surface that touch a pair of joints, as planes of `stride` floats. A plane ends with
/// pieces of mass 0 up to a multiple of PELTI_COR_LANES.
typedef struct pelti_cor_list
{
    size_t stride;
    float* planes; ///< PELTI_COR_PLANES of them
} pelti_cor_list;

typedef enum pelti_cor_plane
{
    PELTI_COR_V, ///< weight on the first joint, divided by sigma
    PELTI_COR_W, ///< weight on the second joint, divided by sigma
    PELTI_COR_MASS_X,
    PELTI_COR_MASS_Y,
    PELTI_COR_MASS_Z,
    PELTI_COR_MASS, ///< area times both weights; the three above are this times the position
    PELTI_COR_PLANES,
} pelti_cor_plane;

/// How a table divides (a, r). Nodes lie 3 before and 4 behind the range too, for interpolation.
typedef struct pelti_cor_grid
{
    float sigma;
    uint32_t column_count; ///< nodes in a, padded
    uint32_t row_count;    ///< nodes in r
    float column_scale;    ///< columns per unit of a
    float row_scale;       ///< rows per unit of r / (r + row_shift)
    float row_shift;
    float basis[PELTI_COR_POINTS][PELTI_COR_POINTS]; ///< by power of the place between two nodes
    float row_r[PELTI_COR_ROWS_MAX];                 ///< r of each row
} pelti_cor_grid;

/// Where a weight pair lies in a table: node 0 of the stencil and the place in the middle cell,
/// -1/2 to 1/2.
typedef struct pelti_cor_place
{
    uint32_t column, row;
    float column_part, row_part;
} pelti_cor_place;

/// A mass to be spread over a table; x y z mass, four times, as the kernel reads it.
typedef struct pelti_cor_drop
{
    float mass[16];
    pelti_cor_place place;
} pelti_cor_drop;

void pelti_cor_grid_make(pelti_cor_grid* out, double sigma);

/// Floats of a table: four to a node, row by row.
static inline uint32_t pelti_cor_grid_size(const pelti_cor_grid* grid)
{
    return 4 * grid->column_count * grid->row_count;
}

/// Some nodes of a table: for each row, a bit for every PELTI_COR_BLOCK columns.
typedef struct pelti_cor_nodes
{
    uint32_t rows[PELTI_COR_ROWS_MAX];
} pelti_cor_nodes;

/// The bits of one row for a place.
static inline uint32_t pelti_cor_place_bits(pelti_cor_place place)
{
    uint32_t last = place.column + PELTI_COR_POINTS - 1;
    return (uint32_t)1 << place.column / PELTI_COR_BLOCK | (uint32_t)1 << last / PELTI_COR_BLOCK;
}

pelti_cor_place pelti_cor_grid_place(const pelti_cor_grid* grid, float x, float y);

/// The same for every instruction set, to the last bit.
typedef struct pelti_cor_kernels
{
    /// Sum a list for a vertex with weights x, y, without the factor x y. out: x y z mass.
    void (*sum)(double out[4], const pelti_cor_list* list, float x, float y);

    /// Add masses to the nodes of a table.
    void (*spread)(float* table, const pelti_cor_grid* grid, const pelti_cor_drop* drops,
                   uint32_t count);

    /// From masses on the nodes `filled` to the sums of Eq. 1 on the nodes `wanted`.
    void (*convolve)(float* sums, const float* masses, const pelti_cor_grid* grid,
                     const pelti_cor_nodes* wanted, const pelti_cor_nodes* filled);

    /// Read a table of sums between its nodes.
    void (*look_up)(float out[4], const float* sums, const pelti_cor_grid* grid,
                    pelti_cor_place place);
} pelti_cor_kernels;

/// Those for this machine, or for what PELT_ISA names.
const pelti_cor_kernels* pelti_cor_kernels_get(void);

/// All that this machine can run, the best last.
uint32_t pelti_cor_kernels_list(const pelti_cor_kernels* out[PELTI_COR_KERNELS_MAX]);

#endif
