// SPDX-License-Identifier: MIT
// Deformers of point sets, compared with the reference.
#ifndef PELT_DEFORMER_CHECK_H
#define PELT_DEFORMER_CHECK_H

#include "kernels/deformer.h"
#include "point_set.h"

enum
{
    DEFORMER_CHECK_VERTICES_MAX = 1184
};

/// The methods that kernels know.
extern const pelt_method deformer_methods[4];

typedef struct surface_buffers
{
    pelt_vec3 positions[DEFORMER_CHECK_VERTICES_MAX], normals[DEFORMER_CHECK_VERTICES_MAX];
    pelt_vec4 tangents[DEFORMER_CHECK_VERTICES_MAX];
} surface_buffers;

/// All of them, NaN until something is written.
pelt_surface surface_of(surface_buffers* buffers);

pelt_deformer_source source_of(const point_set* m);
pelt_range whole_of(const pelt_deformer* deformer);

/// Stretch joints at random, and mirror those whose bits are set.
void scale_joints(point_set* m, uint64_t seed, uint32_t mirrors);

double degrees_between(pelt_vec3 a, pelt_vec3 b);

/// The reference with morph targets: pelt_morph_apply() to all vertices, then pelt_deform().
/// @param input  but for positions and directions, which are those of the mesh
pelt_surface deform_shaped(surface_buffers* buffers, const pelt_mesh* mesh,
                           const float* morph_weights, pelt_deform_input input,
                           const pelt_deform_options* options);

/// Ensure that positions are near the expected ones, by some of the size, and directions by some
/// degrees and of unit length, w to the bit.
int check_near(const pelt_deformer* deformer, const pelt_surface* out, const pelt_surface* expected,
               double tolerance, double degrees);

/// The same by every kernel that this machine has. Those that fuse products with sums all give the
/// same bits.
int check_run(const point_set* m, const pelt_deformer_options* how,
              const pelt_deform_options* options, double tolerance, double degrees);

#endif
