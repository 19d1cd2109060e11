// SPDX-License-Identifier: MIT
// Inner loops of the fast solver: each is written once over eight floats, which the compiler maps
// to what the machine has. Nothing is fused or reordered, so that all machines give the same bits.
#include "../base/exact.h"

#include "../base/wide.h"
#include "cor_kernel.h"

typedef float wide __attribute__((vector_size(64)));
typedef int32_t wide_int __attribute__((vector_size(64)));
typedef float wide_memory __attribute__((vector_size(64), aligned(4), may_alias));
typedef float half __attribute__((vector_size(32)));
typedef float half_memory __attribute__((vector_size(32), aligned(4), may_alias));

#define LOAD(from) (*(const wide_memory*)(from))
#define STORE(to, value) (*(wide_memory*)(to) = (value))
#define LOAD_HALF(from) (*(const half_memory*)(from))
#define STORE_HALF(to, value) (*(half_memory*)(to) = (value))
#define ALL(value) ((wide){0} + (value))

// ---------------------------------------------------------------------------------------------
// Pieces of kernels

// exp(-d^2), to 2e-7 of the value; what would be below exp(-87) is that.
PELTI_INLINE void gauss(wide* out, const wide* d)
{
    const float least = -87.0f, log2_e = 1.44269504f;
    const float ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f; // their sum is ln 2
    wide t = -(*d * *d);
    wide_int is_large = t >= least;
    t = (wide)(((wide_int)t & is_large) | ((wide_int)ALL(least) & ~is_large));

    wide_int n = __builtin_convertvector(t * log2_e - 0.5f, wide_int); // t <= 0: rounds to nearest
    wide whole = __builtin_convertvector(n, wide);
    wide r = t - whole * ln2_high - whole * ln2_low;
    // The Taylor series is enough: |r| <= ln(2) / 2, and the next term is below 1.2e-8.
    wide p = r * (1.0f / 5040.0f) + 1.0f / 720.0f;
    p = p * r + 1.0f / 120.0f;
    p = p * r + 1.0f / 24.0f;
    p = p * r + 1.0f / 6.0f;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    *out = p * (wide)((n + 127) << 23);
}

// The weights of the eight nodes around a place.
PELTI_INLINE void node_weights(float out[8], const pelti_cor_grid* grid, float part)
{
    half w = LOAD_HALF(grid->basis[7]);
    for (int power = 6; power >= 0; --power)
    {
        w = w * part + LOAD_HALF(grid->basis[power]);
    }
    STORE_HALF(out, w);
}

// Weights of four neighboring nodes, each for four channels.
PELTI_INLINE void channel_weights(wide* out, const float* w)
{
    *out = (wide){w[0], w[0], w[0], w[0], w[1], w[1], w[1], w[1],
                  w[2], w[2], w[2], w[2], w[3], w[3], w[3], w[3]};
}

PELTI_INLINE void add_lanes(double* out, const wide* lanes)
{
    for (int i = 0; i < PELTI_COR_LANES; ++i)
    {
        *out += (double)(*lanes)[i];
    }
}

// ---------------------------------------------------------------------------------------------
// The kernels

PELTI_INLINE void sum_list(double out[4], const pelti_cor_list* list, float x, float y)
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
        wide sums[4] = {{0}};
        for (size_t i = first; i < end; i += PELTI_COR_LANES)
        {
            wide s, d = x * LOAD(p + PELTI_COR_W * stride + i) - y * LOAD(p + i);
            gauss(&s, &d);
            for (int k = 0; k < 4; ++k)
            {
                sums[k] += s * LOAD(p + (size_t)(PELTI_COR_MASS_X + k) * stride + i);
            }
        }
        for (int k = 0; k < 4; ++k)
        {
            add_lanes(&out[k], &sums[k]);
        }
    }
}

PELTI_INLINE void spread_drops(float* table, const pelti_cor_grid* grid,
                               const pelti_cor_drop* drops, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        const pelti_cor_drop* drop = &drops[i];
        float columns[8], rows[8];
        wide parts[2], mass = LOAD(drop->mass);
        node_weights(columns, grid, drop->place.column_part);
        node_weights(rows, grid, drop->place.row_part);
        for (int k = 0; k < 2; ++k)
        {
            channel_weights(&parts[k], columns + 4 * k);
            parts[k] *= mass;
        }
        size_t node = (size_t)drop->place.row * grid->column_count + drop->place.column;
        for (uint32_t r = 0; r < 8; ++r)
        {
            float* to = table + 4 * (node + (size_t)r * grid->column_count);
            STORE(to, LOAD(to) + rows[r] * parts[0]);
            STORE(to + 16, LOAD(to + 16) + rows[r] * parts[1]);
        }
    }
}

// similarity[center + i]: of nodes i columns apart in rows with product of r and q.
PELTI_INLINE void similarity_row(float* similarity, uint32_t center, uint32_t count,
                                 const pelti_cor_grid* grid, float product)
{
    const wide steps = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    float distance = product / (grid->sigma * grid->column_scale);
    for (uint32_t i = 0; i < count; i += PELTI_COR_LANES)
    {
        wide s, d = (steps + (float)i) * distance;
        gauss(&s, &d);
        STORE(similarity + center + i, s);
    }
    for (uint32_t i = 1; i < count; ++i)
    {
        similarity[center - i] = similarity[center + i];
    }
}

// Columns whose similarity is not below exp(-22): 3e-10 of what is next to them.
PELTI_INLINE uint32_t reach(const pelti_cor_grid* grid, float product)
{
    float columns = 4.7f * grid->sigma * grid->column_scale / fabsf(product);
    return columns < (float)grid->column_count ? (uint32_t)columns : grid->column_count;
}

// Add the masses of a block of columns to sums.
PELTI_INLINE void add_block(wide sums[4], const float* masses, const float* similarity)
{
    for (int i = 0; i < PELTI_COR_BLOCK; ++i)
    {
        wide w = LOAD(similarity - i);
        sums[0] += w * masses[4 * i];
        sums[1] += w * masses[4 * i + 1];
        sums[2] += w * masses[4 * i + 2];
        sums[3] += w * masses[4 * i + 3];
    }
}

// Add one row of masses to one row of sums, whose four channels are planes.
PELTI_INLINE void convolve_row(float* sums, const float* masses, const float* similarity,
                               const uint32_t bits[2], uint32_t columns, uint32_t near)
{
    const uint32_t both = (1u << PELTI_COR_LANES / PELTI_COR_BLOCK) - 1;
    for (uint32_t i = 0; i < columns; i += PELTI_COR_LANES)
    {
        if ((bits[0] >> i / PELTI_COR_BLOCK & both) == 0)
        {
            continue;
        }
        uint32_t first = i > near ? (i - near) / PELTI_COR_BLOCK : 0;
        uint32_t end = i + PELTI_COR_LANES + near;
        end = ((end < columns ? end : columns) + PELTI_COR_BLOCK - 1) / PELTI_COR_BLOCK;
        float* to = sums + i;
        wide s[4];
        for (size_t k = 0; k < 4; ++k)
        {
            s[k] = LOAD(to + k * columns);
        }
        for (uint32_t j = first; j < end; ++j)
        {
            if ((bits[1] >> j & 1) != 0)
            {
                ptrdiff_t from = PELTI_COR_BLOCK * (ptrdiff_t)j;
                add_block(s, masses + 4 * from, similarity + ((ptrdiff_t)i - from));
            }
        }
        for (size_t k = 0; k < 4; ++k)
        {
            STORE(to + k * columns, s[k]);
        }
    }
}

PELTI_INLINE void convolve_rows(float* sums, const float* masses, const pelti_cor_grid* grid,
                                const pelti_cor_nodes* wanted, const pelti_cor_nodes* filled)
{
    const uint32_t columns = grid->column_count;
    float similarity[2 * PELTI_COR_COLUMNS_MAX + PELTI_COR_LANES];
    float planes[4 * PELTI_COR_COLUMNS_MAX];
    for (uint32_t m = 0; m < grid->row_count; ++m)
    {
        memset(planes, 0, sizeof planes);
        for (uint32_t n = 0; n < grid->row_count && wanted->rows[m] != 0; ++n)
        {
            if (filled->rows[n] != 0)
            {
                float product = grid->row_r[m] * grid->row_r[n];
                uint32_t near = reach(grid, product);
                uint32_t count = near + PELTI_COR_LANES + PELTI_COR_BLOCK;
                const uint32_t bits[2] = {wanted->rows[m], filled->rows[n]};
                similarity_row(similarity, columns, count < columns ? count : columns, grid,
                               product);
                convolve_row(planes, masses + (size_t)4 * n * columns, similarity + columns, bits,
                             columns, near);
            }
        }
        float* row = sums + (size_t)4 * m * columns;
        for (uint32_t i = 0; i < columns && wanted->rows[m] != 0; ++i)
        {
            for (uint32_t k = 0; k < 4; ++k)
            {
                row[4 * i + k] = planes[k * columns + i];
            }
        }
    }
}

PELTI_INLINE void look_up_place(float out[4], const float* sums, const pelti_cor_grid* grid,
                                pelti_cor_place place)
{
    float columns[8], rows[8], lanes[16];
    node_weights(columns, grid, place.column_part);
    node_weights(rows, grid, place.row_part);
    wide total[2] = {{0}}, weights[2];
    const float* from = sums + 4 * ((size_t)place.row * grid->column_count + place.column);
    for (uint32_t r = 0; r < 8; ++r, from += (size_t)4 * grid->column_count)
    {
        total[0] += rows[r] * LOAD(from);
        total[1] += rows[r] * LOAD(from + 16);
    }
    channel_weights(&weights[0], columns);
    channel_weights(&weights[1], columns + 4);
    STORE(lanes, weights[0] * total[0] + weights[1] * total[1]);
    for (int k = 0; k < 4; ++k)
    {
        out[k] = (lanes[k] + lanes[k + 4]) + (lanes[k + 8] + lanes[k + 12]);
    }
}

// ---------------------------------------------------------------------------------------------
// Once for each instruction set

static void sum_base(double out[4], const pelti_cor_list* list, float x, float y)
{
    sum_list(out, list, x, y);
}

static void spread_base(float* table, const pelti_cor_grid* grid, const pelti_cor_drop* drops,
                        uint32_t count)
{
    spread_drops(table, grid, drops, count);
}

static void convolve_base(float* sums, const float* masses, const pelti_cor_grid* grid,
                          const pelti_cor_nodes* wanted, const pelti_cor_nodes* filled)
{
    convolve_rows(sums, masses, grid, wanted, filled);
}

static void look_up_base(float out[4], const float* sums, const pelti_cor_grid* grid,
                         pelti_cor_place place)
{
    look_up_place(out, sums, grid, place);
}

#if PELTI_HAS_X86_SETS

#define AVX2 __attribute__((target("avx2"))) static

AVX2 void sum_avx2(double out[4], const pelti_cor_list* list, float x, float y)
{
    sum_list(out, list, x, y);
}

AVX2 void spread_avx2(float* table, const pelti_cor_grid* grid, const pelti_cor_drop* drops,
                      uint32_t count)
{
    spread_drops(table, grid, drops, count);
}

AVX2 void convolve_avx2(float* sums, const float* masses, const pelti_cor_grid* grid,
                        const pelti_cor_nodes* wanted, const pelti_cor_nodes* filled)
{
    convolve_rows(sums, masses, grid, wanted, filled);
}

AVX2 void look_up_avx2(float out[4], const float* sums, const pelti_cor_grid* grid,
                       pelti_cor_place place)
{
    look_up_place(out, sums, grid, place);
}

#define AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl"))) static

AVX512 void sum_avx512(double out[4], const pelti_cor_list* list, float x, float y)
{
    sum_list(out, list, x, y);
}

AVX512 void spread_avx512(float* table, const pelti_cor_grid* grid, const pelti_cor_drop* drops,
                          uint32_t count)
{
    spread_drops(table, grid, drops, count);
}

AVX512 void convolve_avx512(float* sums, const float* masses, const pelti_cor_grid* grid,
                            const pelti_cor_nodes* wanted, const pelti_cor_nodes* filled)
{
    convolve_rows(sums, masses, grid, wanted, filled);
}

AVX512 void look_up_avx512(float out[4], const float* sums, const pelti_cor_grid* grid,
                           pelti_cor_place place)
{
    look_up_place(out, sums, grid, place);
}

static const pelti_cor_kernels avx2 = {sum_avx2, spread_avx2, convolve_avx2, look_up_avx2};
static const pelti_cor_kernels avx512 = {sum_avx512, spread_avx512, convolve_avx512,
                                         look_up_avx512};

#endif

static const pelti_cor_kernels base = {sum_base, spread_base, convolve_base, look_up_base};

static const pelti_cor_kernels* const sets[PELTI_ISA_COUNT] = {
    [PELTI_ISA_BASE] = &base,
#if PELTI_HAS_X86_SETS
    [PELTI_ISA_AVX2] = &avx2,
    [PELTI_ISA_AVX512] = &avx512,
#endif
};

uint32_t pelti_cor_kernels_list(const pelti_cor_kernels* out[PELTI_COR_KERNELS_MAX])
{
    uint32_t count = 0;
    for (int isa = 0; isa < PELTI_ISA_COUNT; ++isa)
    {
        if (pelti_isa_is_there((pelti_isa)isa))
        {
            out[count++] = sets[isa];
        }
    }
    return count;
}

const pelti_cor_kernels* pelti_cor_kernels_get(void)
{
    return sets[pelti_isa_get()];
}
