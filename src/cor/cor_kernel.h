// SPDX-License-Identifier: MIT
// Inner loops of the fast solver of centers of rotation: the sum over one pair of joints, term by
// term or through a table.
//
// A vertex with weights x, y on the two joints and a piece of surface with weights v, w there have
// distance x w - y v (Le and Hodgins 2016, Eq. 1). With x = r a, y = r (1 - a) and v = q b,
// w = q (1 - b) that is r q (a - b): the positions of vertex and piece between the two joints,
// times how much of each belongs to the pair at all. So the sum over all pieces is a smooth
// function of (a, r). A table of it has columns of equal distance in a; between two rows the
// sum is then a convolution along the columns, for all pieces at once. Where a pair never has all
// the weight, or only some ratios of it, a chart stretches what there is over the whole table: the
// kernel is wider there, and a small table does.
#ifndef PELTI_COR_KERNEL_H
#define PELTI_COR_KERNEL_H

#include "../../include/pelt/pelt.h"

enum
{
    PELTI_COR_LANES = 16,  ///< lists and rows of tables are padded to a multiple of this
    PELTI_COR_POINTS = 8,  ///< of interpolation in each direction
    PELTI_COR_SHIFTS = 2,  ///< tables that pieces are spread to
    PELTI_COR_BLOCK = 128, ///< pieces that are spread together, at most
    PELTI_COR_GRIDS = 13,  ///< with more columns, tables cost more than they save
    PELTI_COR_COLUMNS_MAX = PELTI_COR_LANES * PELTI_COR_GRIDS,
    PELTI_COR_ROWS_MAX = 64, ///< bits of a mask
    PELTI_COR_KERNELS_MAX = 3,
};

/// Weights of lists are scaled by this over sigma: exp(-t^2) is 2^-(t times this)^2.
#define PELTI_COR_LIST_SCALE 1.2011224087864498

/// Pieces of surface that touch a pair of joints, as planes of `stride` floats. A plane ends with
/// pieces of mass 0 up to a multiple of PELTI_COR_LANES.
typedef struct pelti_cor_list
{
    size_t stride;
    float* planes; ///< PELTI_COR_PLANES of them
} pelti_cor_list;

typedef enum pelti_cor_plane
{
    PELTI_COR_V, ///< weight on the first joint, scaled
    PELTI_COR_W, ///< weight on the second joint, scaled
    PELTI_COR_MASS_X,
    PELTI_COR_MASS_Y,
    PELTI_COR_MASS_Z,
    PELTI_COR_MASS, ///< area times both weights; the three above are this times the position
    PELTI_COR_PLANES,
} pelti_cor_plane;

/// Pieces on their way into a table.
typedef struct pelti_cor_block
{
    float v[PELTI_COR_BLOCK], w[PELTI_COR_BLOCK];
    float masses[PELTI_COR_BLOCK][4]; ///< x y z mass
} pelti_cor_block;

/// How a table divides (a, r), each from 0 to 1. Nodes lie 3 before and 4 behind the range too, for
/// interpolation.
typedef struct pelti_cor_grid
{
    uint32_t column_count; ///< nodes in a, a multiple of PELTI_COR_LANES
    uint32_t row_count;    ///< nodes in r
    float column_scale;    ///< columns per unit of a
    float row_scale;       ///< rows per unit of r / (r + row_shift)
    float row_shift;
    float basis[PELTI_COR_POINTS][PELTI_COR_POINTS]; ///< by power of the position between two nodes
    float row_r[PELTI_COR_ROWS_MAX];                 ///< r of each row
} pelti_cor_grid;

/// Which grid is fine enough for a kernel of width sigma; PELTI_COR_GRIDS or more: none is.
uint32_t pelti_cor_grid_find(double sigma);
void pelti_cor_grid_make(pelti_cor_grid* out, uint32_t which);

/// Floats of a table: four to a node, row by row.
static inline uint32_t pelti_cor_grid_size(const pelti_cor_grid* grid)
{
    return 4 * grid->column_count * grid->row_count;
}

/// How the weights of a pair map to a table. {0} with a_scale, vertex_scale and piece_scale of 1 is
/// the identity.
typedef struct pelti_cor_chart
{
    const pelti_cor_grid* grid;
    float sigma; ///< of the kernel, as stretched
    float a_first, a_scale;
    float vertex_scale, piece_scale; ///< of r and q
} pelti_cor_chart;

/// The first of the rows around a vertex with weights x, y.
uint32_t pelti_cor_chart_row(const pelti_cor_chart* chart, float x, float y);

/// The same for every instruction set, to the last bit.
typedef struct pelti_cor_kernels
{
    /// Sum a list for a vertex with weights x, y, without the factor x y. out: x y z mass.
    void (*sum)(double out[4], const pelti_cor_list* list, float x, float y);

    /// Add pieces to the nodes of PELTI_COR_SHIFTS tables, one after the other, each aligned to a
    /// register: table n has the nodes of columns from n on, and takes pieces whose stencils begin
    /// at n, n + 2 ... That way reads and writes of neighboring pieces never overlap in part, which
    /// would make each wait for the one before.
    void (*spread)(float* tables, const pelti_cor_chart* chart, const pelti_cor_block* block,
                   uint32_t count);

    /// From masses on the nodes to the sums of Eq. 1 on the nodes of some rows, a bit for each.
    /// Rows without mass may be left out.
    void (*convolve)(float* sums, const float* masses, const pelti_cor_chart* chart,
                     uint64_t wanted, uint64_t filled);

    /// Read a table of sums between its nodes, for vertices with weights x, y: PELTI_COR_LANES at
    /// most, with as much room in x and y in any case.
    void (*look_up)(float (*out)[4], const float* sums, const pelti_cor_chart* chart,
                    const float* x, const float* y, uint32_t count);
} pelti_cor_kernels;

/// The kernels of one set; NULL where the compiler does not support it.
const pelti_cor_kernels* pelti_cor_kernels_avx2(void);
const pelti_cor_kernels* pelti_cor_kernels_avx512(void);

/// The kernels for this machine, or for the set that PELT_ISA names.
const pelti_cor_kernels* pelti_cor_kernels_get(void);

/// All kernels that this machine can run, the best last.
uint32_t pelti_cor_kernels_list(const pelti_cor_kernels* out[PELTI_COR_KERNELS_MAX]);

#endif
