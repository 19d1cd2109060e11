// SPDX-License-Identifier: MIT
// The choice of kernels by instruction set, and the grids on which they tabulate.
#include "../base/exact.h"

#include "cor_kernel_wide.h"

#include "cor_kernel.h"

#include <string.h>

static const pelti_cor_kernels* get(pelti_isa isa)
{
    switch (isa)
    {
    case PELTI_ISA_AVX2:
        return pelti_cor_kernels_avx2();
    case PELTI_ISA_AVX512:
        return pelti_cor_kernels_avx512();
    default:
        return &kernels;
    }
}

uint32_t pelti_cor_kernels_list(const pelti_cor_kernels* out[PELTI_COR_KERNELS_MAX])
{
    uint32_t count = 0;
    for (int isa = 0; isa < PELTI_ISA_COUNT; ++isa)
    {
        if (pelti_isa_is_there((pelti_isa)isa))
        {
            out[count++] = get((pelti_isa)isa);
        }
    }
    return count;
}

const pelti_cor_kernels* pelti_cor_kernels_get(void)
{
    return get(pelti_isa_get());
}

// =============================================================================================
// Where the nodes of a table of centers lie, and where a pair of weights falls between them.

enum
{
    BEFORE = PELTI_COR_POINTS / 2 - 1 // nodes of a stencil before its middle cell
};

// Lagrange polynomials through nodes -3.5, -2.5 ... 3.5, as coefficients: basis[power][node].
static void make_basis(float basis[PELTI_COR_POINTS][PELTI_COR_POINTS])
{
    for (int node = 0; node < PELTI_COR_POINTS; ++node)
    {
        double coefficients[PELTI_COR_POINTS] = {1.0}, scale = 1.0;
        int degree = 0;
        for (int other = 0; other < PELTI_COR_POINTS; ++other)
        {
            if (other != node)
            {
                double root = other - 3.5;
                for (int power = ++degree; power >= 0; --power)
                {
                    coefficients[power] =
                        (power > 0 ? coefficients[power - 1] : 0.0) - root * coefficients[power];
                }
                scale *= node - other;
            }
        }
        for (int power = 0; power < PELTI_COR_POINTS; ++power)
        {
            basis[power][node] = (float)(coefficients[power] / scale);
        }
    }
}

// Columns that a kernel needs, and what a row of nodes has more for interpolation.
static double columns_for(double sigma)
{
    return 5.6 / sigma;
}

enum
{
    COLUMNS_LEAST = PELTI_COR_LANES - PELTI_COR_POINTS
};

uint32_t pelti_cor_grid_find(double sigma)
{
    // The weights of a pair may add up to slightly more than 1.
    double more = ceil((0.999 * columns_for(sigma) - COLUMNS_LEAST) / PELTI_COR_LANES);
    return (uint32_t)fmin(fmax(more, 0.0), PELTI_COR_GRIDS);
}

// In a, exp(-(r q (a - b) / sigma)^2) is a Gaussian of width sigma or more, and interpolation
// through eight points has an error of at most 2e-6. In r, its width is sigma only for small r; r /
// (r + shift) makes rows denser there. Errors are up to 2e-5 near r = 0.1, but masses and the
// factors of vertices scale them by r^2: the result is below 1e-6 everywhere.
void pelti_cor_grid_make(pelti_cor_grid* out, uint32_t which)
{
    double columns = COLUMNS_LEAST + PELTI_COR_LANES * (double)which;
    double sigma = columns_for(1.0) / columns, rows = ceil(7.0 / sqrt(sigma));
    double shift = sigma < 0.4 ? 1.7 / (1.0 / sqrt(sigma) - 1.0) : 3.0;
    memset(out, 0, sizeof *out);
    out->column_count = PELTI_COR_LANES * (which + 1);
    out->row_count = (uint32_t)rows + PELTI_COR_POINTS;
    out->column_scale = (float)columns;
    // r = 1 is a node, because many pairs have all the weight.
    out->row_scale = (float)(rows * (1.0 + shift));
    out->row_shift = (float)shift;
    PELT_ASSERT(out->row_count <= PELTI_COR_ROWS_MAX);
    make_basis(out->basis);
    for (uint32_t i = 0; i < out->row_count; ++i)
    {
        double t = ((double)i - BEFORE) / (double)out->row_scale;
        out->row_r[i] = (float)(shift * t / (1.0 - t));
    }
}

uint32_t pelti_cor_chart_row(const pelti_cor_chart* chart, float x, float y)
{
    const pelti_cor_grid* grid = chart->grid;
    float r = (x + y) * chart->vertex_scale;
    float row = r / (r + grid->row_shift) * grid->row_scale;
    uint32_t cell = row > 0.0f ? (uint32_t)row : 0, last = grid->row_count - PELTI_COR_POINTS - 1;
    return cell < last ? cell : last;
}
