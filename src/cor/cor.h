// SPDX-License-Identifier: MIT
// Centers of rotation, private: one problem in the form that all solvers take.
#ifndef PELTI_COR_H
#define PELTI_COR_H

#include "../../include/pelt/prepare.h"

#include <stdatomic.h>

typedef struct pelti_cor_weight
{
    uint32_t joint;
    float weight;
} pelti_cor_weight;

/// All meshes as one, with consecutive numbers of vertices and triangles.
typedef struct pelti_cor_surface
{
    uint32_t vertex_count;
    uint32_t triangle_count;
    const pelt_vec3* positions;
    const uint32_t* indices;
    uint32_t* first;           ///< vertex_count + 1 offsets into weights
    pelti_cor_weight* weights; ///< of each vertex by ascending joint: lists are compared by walking
                               ///< along both, and sums over pairs have one order
    uint32_t* mesh_first;      ///< mesh_count + 1: the first vertex of each mesh
    void* copies[2];           ///< positions and indices, unless they are those of a single mesh
} pelti_cor_surface;

/// Counts memory that is allocated and not yet released. Only the calling thread allocates.
typedef struct pelti_cor_memory
{
    size_t now, peak;
} pelti_cor_memory;

typedef struct pelti_cor_problem
{
    const pelt_cor_input* input;
    pelt_vec3* const* out;
    pelti_cor_surface surface;
    double sigma;
    double epsilon; ///< INFINITY: triangles are not divided. FAST may enlarge it
    double omega, cutoff;

    uint32_t todo_count;
    uint32_t* todo; ///< vertices to solve, ascending: those with two influences or more

    pelti_cor_memory memory;
    pelt_cor_report report;
    atomic_uint dissimilar_count;

    const pelt_cor_options* options;
    uint64_t step_count; ///< work that the solver expects, in a unit of its own
    atomic_ullong steps_done;
    atomic_flag is_telling;
    atomic_bool is_canceled;
} pelti_cor_problem;

/// The solvers: centers of problem->todo go through pelti_cor_put(). PELT_ERROR_MEMORY, or PELT_OK
/// also when canceled.
pelt_result pelti_cor_fast(pelti_cor_problem* problem);
pelt_result pelti_cor_full(pelti_cor_problem* problem);
pelt_result pelti_cor_paper(pelti_cor_problem* problem);

/// Write the center of a vertex from the sums of Eq. 4: numerator, and denominator in sums[3].
void pelti_cor_put(pelti_cor_problem* problem, uint32_t vertex, const double sums[4]);

/// Report that part of the work is done. May be called from any thread.
/// @return false: canceled, stop
bool pelti_cor_step(pelti_cor_problem* problem, uint64_t steps);

static inline bool pelti_cor_is_canceled(const pelti_cor_problem* problem)
{
    return atomic_load_explicit(&problem->is_canceled, memory_order_relaxed);
}

void* pelti_cor_allocate(pelti_cor_problem* problem, size_t count, size_t size);
void pelti_cor_release(pelti_cor_problem* problem, void* memory);

/// Loops in pieces of `chunk`: how many tasks, and what task `index` covers.
static inline uint32_t pelti_cor_chunk_count(uint32_t count, uint32_t chunk)
{
    return count / chunk + (count % chunk > 0);
}

static inline pelt_range pelti_cor_chunk(uint32_t count, uint32_t chunk, uint32_t index)
{
    uint32_t first = index * chunk;
    return (pelt_range){first, count - first < chunk ? count - first : chunk};
}

static inline uint32_t pelti_cor_joint_count(const pelti_cor_surface* surface, uint32_t vertex)
{
    return surface->first[vertex + 1] - surface->first[vertex];
}

/// The largest number of joints of a vertex.
uint32_t pelti_cor_most_joints(const pelti_cor_surface* surface);

/// Area of a triangle in the bind pose.
double pelti_cor_area(const pelti_cor_surface* surface, const uint32_t corners[3]);

// ---------------------------------------------------------------------------------------------
// Triangles, halved until no edge spans more than epsilon in weight space

enum
{
    // Halving twice halves every edge, and epsilon is at least 0.001: 64 is more than enough.
    PELTI_COR_SPLIT_DEPTH = 64,
};

/// A piece of a triangle: the barycentric coordinates of its center (of corners 1 and 2) and its
/// share of the area.
typedef struct pelti_cor_piece
{
    double b1, b2, share;
} pelti_cor_piece;

/// A part of a triangle that may have to be halved.
typedef struct pelti_cor_part
{
    double corners[3][2]; ///< barycentric coordinates
    double lengths2[3];   ///< squared, of the edges opposite to them in weight space
    double share;         ///< of the triangle's area
} pelti_cor_part;

/// Iterates over the pieces of one triangle, without further memory.
typedef struct pelti_cor_split
{
    double limit2; ///< squared epsilon
    uint32_t depth;
    pelti_cor_part stack[PELTI_COR_SPLIT_DEPTH];
} pelti_cor_split;

/// Begin with the three weight lists of a triangle.
void pelti_cor_split_begin(pelti_cor_split* out, const pelti_cor_surface* surface,
                           const uint32_t corners[3], double epsilon);

/// The next pieces, in an order that depends on the triangle alone.
/// @return how many; 0: that was all
uint32_t pelti_cor_split_next(pelti_cor_split* split, pelti_cor_piece* out, uint32_t capacity);

/// The corner of a triangle opposite its longest edge; 3 when no edge is longer than the limit.
/// @param lengths2  squared, of the edges opposite to each corner
static inline int pelti_cor_longest_edge(const double lengths2[3], double limit2)
{
    double longest = limit2;
    int opposite = 3;
    for (int i = 0; i < 3; ++i)
    {
        if (lengths2[i] > longest)
        {
            longest = lengths2[i];
            opposite = i;
        }
    }
    return opposite;
}

#endif
