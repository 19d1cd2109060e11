// SPDX-License-Identifier: MIT
// Inner loops of the fast solver, written once over wide floats; cor_kernel_*.c compile them.
// Nothing is fused or reordered, and everything counts in 16 lanes, whatever the width of a
// register, so that all machines give the same bits.
#include "cor_kernel.h"

#include "../base/wide_kernel.h"

enum
{
    PARTS = PELTI_COR_LANES / PELTI_WIDE_LANES, // registers that are 16 lanes
};

// Nodes go through registers of eight lanes at most: what was just written to wider ones takes
// longer to come back.
#if PELTI_WIDE_LANES > 8
#define STRIP_LANES 8
#else
#define STRIP_LANES PELTI_WIDE_LANES
#endif

typedef float strip __attribute__((vector_size(4 * STRIP_LANES)));
typedef float strip_memory __attribute__((vector_size(4 * STRIP_LANES), aligned(4), may_alias));
typedef float quarter_memory __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t wide_int_memory
    __attribute__((vector_size(4 * PELTI_WIDE_LANES), aligned(4), may_alias));

enum
{
    STRIPS = 4 * PELTI_COR_POINTS / STRIP_LANES, // registers for a row of a stencil
};

// ---------------------------------------------------------------------------------------------
// Pieces of kernels

// 2^-(d^2), with a relative error of 2e-7; results below 2^-125 are replaced by it.
PELTI_INLINE wide gauss(wide d)
{
    const float least = -125.0f;
    wide t = -(d * d);
    wide_int is_large = t >= least;
    t = (wide)(((wide_int)t & is_large) | ((wide_int)wide_all(least) & ~is_large));

    wide_int n = __builtin_convertvector(t - 0.5f, wide_int); // t <= 0: rounds to nearest
    wide f = t - __builtin_convertvector(n, wide);
    // 2^f for |f| <= 1/2 by the polynomial whose largest relative error is least: 7.5e-8.
    wide p = f * 1.327647198e-03f + 9.675541334e-03f;
    p = p * f + 5.550713274e-02f;
    p = p * f + 2.402211972e-01f;
    p = p * f + 6.931469671e-01f;
    p = p * f + 1.000000072f;
    return p * (wide)((n + 127) << 23);
}

// The weights of the eight nodes around a position.
PELTI_INLINE void node_weights(float out[8], const pelti_cor_grid* grid, float part)
{
    for (int i = 0; i < PELTI_COR_POINTS; i += STRIP_LANES)
    {
        strip w = *(const strip_memory*)(grid->basis[7] + i);
        for (int power = 6; power >= 0; --power)
        {
            w = w * part + *(const strip_memory*)(grid->basis[power] + i);
        }
        *(strip_memory*)(out + i) = w;
    }
}

// Weights of eight nodes, each for four channels.
PELTI_INLINE void channel_weights(strip out[STRIPS], const float weights[8])
{
#if STRIP_LANES == 8
    strip w = *(const strip_memory*)weights;
    out[0] = __builtin_shufflevector(w, w, 0, 0, 0, 0, 1, 1, 1, 1);
    out[1] = __builtin_shufflevector(w, w, 2, 2, 2, 2, 3, 3, 3, 3);
    out[2] = __builtin_shufflevector(w, w, 4, 4, 4, 4, 5, 5, 5, 5);
    out[3] = __builtin_shufflevector(w, w, 6, 6, 6, 6, 7, 7, 7, 7);
#else
    for (int i = 0; i < STRIPS; ++i)
    {
        out[i] = wide_all(weights[i]);
    }
#endif
}

// Four channels, once for each node that a strip holds.
PELTI_INLINE strip repeat_channels(const float channels[4])
{
#if STRIP_LANES == 8
    const quarter_memory m = *(const quarter_memory*)channels;
    return __builtin_shufflevector(m, m, 0, 1, 2, 3, 0, 1, 2, 3);
#else
    return wide_load(channels);
#endif
}

PELTI_INLINE wide reverse(wide a)
{
#if PELTI_WIDE_LANES == 16
    return __builtin_shufflevector(a, a, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
#elif PELTI_WIDE_LANES == 8
    return __builtin_shufflevector(a, a, 7, 6, 5, 4, 3, 2, 1, 0);
#else
    return __builtin_shufflevector(a, a, 3, 2, 1, 0);
#endif
}

// ---------------------------------------------------------------------------------------------
// Lists

PELTI_INLINE double add_lanes(const wide sums[PARTS])
{
    double lanes[PELTI_COR_LANES];
    for (int i = 0; i < PELTI_COR_LANES; ++i)
    {
        lanes[i] = (double)sums[i / PELTI_WIDE_LANES][i % PELTI_WIDE_LANES];
    }
    for (int half = PELTI_COR_LANES / 2; half > 0; half /= 2)
    {
        for (int i = 0; i < half; ++i)
        {
            lanes[i] += lanes[i + half];
        }
    }
    return lanes[0];
}

static void sum_list(double out[4], const pelti_cor_list* list, float x, float y)
{
    enum
    {
        BLOCK = 2048 // terms added up in float before they go to double
    };
    const float* p = list->planes;
    const size_t stride = list->stride;
    for (int k = 0; k < 4; ++k)
    {
        out[k] = 0.0;
    }
    for (size_t first = 0; first < stride; first += BLOCK)
    {
        size_t end = stride - first < BLOCK ? stride : first + BLOCK;
        wide sums[4][PARTS] = {{{0}}};
        for (size_t i = first; i < end; i += PELTI_COR_LANES)
        {
            for (int part = 0; part < PARTS; ++part)
            {
                const float* at = p + i + (size_t)part * PELTI_WIDE_LANES;
                wide s = gauss(x * wide_load(at + PELTI_COR_W * stride) - y * wide_load(at));
                for (int k = 0; k < 4; ++k)
                {
                    sums[k][part] += s * wide_load(at + (size_t)(PELTI_COR_MASS_X + k) * stride);
                }
            }
        }
        for (int k = 0; k < 4; ++k)
        {
            out[k] += add_lanes(sums[k]);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Stencils

// Nodes around a position: the first column and row, and their weights.
typedef struct stencil
{
    float columns[8], rows[8];
    uint32_t column, row;
} stencil;

// Cells of positions along one axis, 0 to `last`, and the fractions in them. NaN also gets a cell.
PELTI_INLINE void find_cells(int32_t* cells, float* parts, wide at, int32_t last)
{
    wide_int cell = __builtin_convertvector(at, wide_int);
    cell &= cell > 0;
    wide_int is_inside = cell < last;
    cell = (cell & is_inside) | (last & ~is_inside);
    *(wide_int_memory*)cells = cell;
    wide_store(parts, at - __builtin_convertvector(cell, wide) - 0.5f);
}

// Positions of weights x, y, whose sum is multiplied by `scale`. Some are computed at a time and
// used after that: each has a long latency, and a processor looks ahead only so far.
PELTI_INLINE void make_stencils(stencil out[PELTI_COR_LANES], const pelti_cor_chart* chart,
                                const float* x, const float* y, float scale, uint32_t count)
{
    const pelti_cor_grid* grid = chart->grid;
    int32_t columns[PELTI_COR_LANES], rows[PELTI_COR_LANES];
    float column_parts[PELTI_COR_LANES], row_parts[PELTI_COR_LANES];
    for (uint32_t i = 0; i < count; i += PELTI_WIDE_LANES)
    {
        wide first = wide_load(x + i), all = first + wide_load(y + i), r = all * scale;
        // The stencil starts 3 nodes before the cell, and so does the count of nodes.
        find_cells(columns + i, column_parts + i,
                   (first / all - chart->a_first) * chart->a_scale * grid->column_scale,
                   (int32_t)grid->column_count - PELTI_COR_POINTS - 1);
        find_cells(rows + i, row_parts + i, r / (r + grid->row_shift) * grid->row_scale,
                   (int32_t)grid->row_count - PELTI_COR_POINTS - 1);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        out[i].column = (uint32_t)columns[i];
        out[i].row = (uint32_t)rows[i];
        node_weights(out[i].columns, grid, column_parts[i]);
        node_weights(out[i].rows, grid, row_parts[i]);
    }
}

// ---------------------------------------------------------------------------------------------
// From pieces to a table

PELTI_INLINE void spread_one(float* tables, const pelti_cor_grid* grid, const stencil* s,
                             const float mass[4])
{
    strip channels = repeat_channels(mass), parts[STRIPS];
    channel_weights(parts, s->columns);
    for (int i = 0; i < STRIPS; ++i)
    {
        parts[i] *= channels;
    }
    size_t shift = s->column % PELTI_COR_SHIFTS;
    float* to = tables + shift * pelti_cor_grid_size(grid) +
                4 * ((size_t)s->row * grid->column_count + s->column - shift);
    for (uint32_t r = 0; r < PELTI_COR_POINTS; ++r, to += 4 * (size_t)grid->column_count)
    {
        strip* nodes = (strip*)to;
        for (int i = 0; i < STRIPS; ++i)
        {
            nodes[i] += s->rows[r] * parts[i];
        }
    }
}

static void spread_block(float* tables, const pelti_cor_chart* chart, const pelti_cor_block* block,
                         uint32_t count)
{
    for (uint32_t first = 0; first < count; first += PELTI_COR_LANES)
    {
        stencil stencils[PELTI_COR_LANES];
        uint32_t here = count - first < PELTI_COR_LANES ? count - first : PELTI_COR_LANES;
        make_stencils(stencils, chart, block->v + first, block->w + first, chart->piece_scale,
                      here);
        for (uint32_t i = 0; i < here; ++i)
        {
            spread_one(tables, chart->grid, &stencils[i], block->masses[first + i]);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// From masses to sums

// similarity[center + i]: of nodes i columns apart, which are `distance` each, as gauss() counts.
PELTI_INLINE void similarity_row(float* similarity, uint32_t center, uint32_t count, float distance)
{
    static const float steps[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const wide step = wide_load(steps);
    for (uint32_t i = 0; i < count; i += PELTI_WIDE_LANES)
    {
        wide s = gauss((step + (float)i) * distance);
        wide_store(similarity + center + i, s);
        wide_store(similarity + center - i - (PELTI_WIDE_LANES - 1), reverse(s));
    }
}

// Columns whose similarity is at least 2^-24: smaller ones change nothing in float.
PELTI_INLINE uint32_t reach(uint32_t columns, float distance)
{
    float near = 4.9f / fabsf(distance);
    return near < (float)columns ? (uint32_t)near : columns;
}

// Add one row of masses to one row of sums, whose four channels are planes.
PELTI_INLINE void convolve_row(float* sums, const float* masses, const float* similarity,
                               uint32_t columns, uint32_t near)
{
    for (uint32_t i = 0; i < columns; i += PELTI_COR_LANES)
    {
        uint32_t first = i > near ? i - near : 0, end = i + PELTI_COR_LANES + near;
        end = end < columns ? end : columns;
        wide s[4][PARTS];
        for (size_t k = 0; k < 4; ++k)
        {
            for (size_t part = 0; part < PARTS; ++part)
            {
                s[k][part] = wide_load(sums + k * columns + i + part * PELTI_WIDE_LANES);
            }
        }
        for (uint32_t from = first; from < end; ++from)
        {
            const float *mass = masses + 4 * (size_t)from, *row = similarity + i;
            for (size_t part = 0; part < PARTS; ++part)
            {
                wide w = wide_load(row + part * PELTI_WIDE_LANES - from);
                s[0][part] += w * mass[0];
                s[1][part] += w * mass[1];
                s[2][part] += w * mass[2];
                s[3][part] += w * mass[3];
            }
        }
        for (size_t k = 0; k < 4; ++k)
        {
            for (size_t part = 0; part < PARTS; ++part)
            {
                wide_store(sums + k * columns + i + part * PELTI_WIDE_LANES, s[k][part]);
            }
        }
    }
}

static void convolve_rows(float* sums, const float* masses, const pelti_cor_chart* chart,
                          uint64_t wanted, uint64_t filled)
{
    const pelti_cor_grid* grid = chart->grid;
    const uint32_t columns = grid->column_count;
    const float step = (float)PELTI_COR_LIST_SCALE / (chart->sigma * grid->column_scale);
    float similarity[2 * PELTI_COR_COLUMNS_MAX + PELTI_COR_LANES];
    float planes[4 * PELTI_COR_COLUMNS_MAX];
    for (uint32_t m = 0; m < grid->row_count; ++m)
    {
        if ((wanted >> m & 1) == 0)
        {
            continue;
        }
        memset(planes, 0, 4 * columns * sizeof *planes);
        for (uint32_t n = 0; n < grid->row_count; ++n)
        {
            if ((filled >> n & 1) != 0)
            {
                float distance = grid->row_r[m] * grid->row_r[n] * step;
                uint32_t near = reach(columns, distance);
                uint32_t count = near + PELTI_COR_LANES;
                similarity_row(similarity, columns, count < columns ? count : columns, distance);
                convolve_row(planes, masses + (size_t)4 * n * columns, similarity + columns,
                             columns, near);
            }
        }
        float* row = sums + (size_t)4 * m * columns;
        for (uint32_t i = 0; i < columns; ++i)
        {
            for (uint32_t k = 0; k < 4; ++k)
            {
                row[4 * i + k] = planes[k * columns + i];
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// From a table to vertices

PELTI_INLINE void look_up_one(float out[4], const float* sums, const pelti_cor_grid* grid,
                              const stencil* s)
{
    strip total[STRIPS] = {{0}}, weights[STRIPS];
    const float* from = sums + 4 * ((size_t)s->row * grid->column_count + s->column);
    for (uint32_t r = 0; r < PELTI_COR_POINTS; ++r, from += (size_t)4 * grid->column_count)
    {
        for (int i = 0; i < STRIPS; ++i)
        {
            total[i] += s->rows[r] * *(const strip_memory*)(from + i * STRIP_LANES);
        }
    }
    channel_weights(weights, s->columns);
    // Columns 0 and 4, 1 and 5 ... first, then those two by two, however many a strip holds.
    float lanes[PELTI_COR_LANES];
    for (int i = 0; i < STRIPS / 2; ++i)
    {
        *(strip_memory*)(lanes + i * STRIP_LANES) =
            weights[i] * total[i] + weights[i + STRIPS / 2] * total[i + STRIPS / 2];
    }
    const quarter_memory* q = (const quarter_memory*)lanes;
    *(quarter_memory*)out = (q[0] + q[1]) + (q[2] + q[3]);
}

static void look_up_group(float (*out)[4], const float* sums, const pelti_cor_chart* chart,
                          const float* x, const float* y, uint32_t count)
{
    stencil stencils[PELTI_COR_LANES];
    make_stencils(stencils, chart, x, y, chart->vertex_scale, count);
    for (uint32_t i = 0; i < count; ++i)
    {
        look_up_one(out[i], sums, chart->grid, &stencils[i]);
    }
}

static const pelti_cor_kernels kernels = {sum_list, spread_block, convolve_rows, look_up_group};
