// SPDX-License-Identifier: MIT
// The same mesh, pose and method on the GPU and by the reference.
#ifndef PELT_GL_COMPARE_H
#define PELT_GL_COMPARE_H

#include "pelt/gl.h"
#include "point_set.h"

/// Methods that have shaders.
enum
{
    GL_METHOD_COUNT = 4
};
extern const pelt_method gl_methods[GL_METHOD_COUNT];

/// A context; or NULL, after the suite is skipped with a reason.
pelt_gl* gl_open(pelt_gl_source source, const char* suite);

typedef struct gl_case
{
    const pelt_mesh* mesh;
    const pelt_palette* palette;
    const pelt_vec3* cors;    ///< crs
    const float* mix_factors; ///< mix, or NULL
    pelt_method method;
    float mix;
    pelt_scale_pivot pivot;
    pelt_sign_rule sign_rule;
    uint32_t max_influences; ///< 0: 8
    pelt_palette_kind kind;
    pelt_gpu_layout layout;
    const pelt_normal_factors* factors; ///< for the rule, or NULL
    pelt_normal_rule rule;
    const pelt_normal_factors* compact; ///< what `factors` is rounded from, for the GPU; or NULL
    double size; ///< that positions are compared by, meters; 0: the posed mesh's box
} gl_case;

/// Largest differences between the GPU and the reference.
typedef struct gl_difference
{
    double position; ///< of gl_case.size, or of the diagonal of the posed mesh's box
    double normal;   ///< degrees
    double tangent;  ///< degrees; 180 where w differs
    double beyond; ///< degrees, of normals and tangents, for rules other than the standard: beyond
                   ///< eight times what changes in the last bit do to the reference
} gl_difference;

void gl_difference_join(gl_difference* worst, const gl_difference* other);

/// Positions to 1e-5 of the size, directions to 0.05 degrees: rounding of float through a blend of
/// joints, with room for drivers that fuse or reorder. A wrong formula is far beyond.
bool gl_difference_is_small(const gl_difference* difference);

/// Rules that take derivatives rotate normals far where they nearly vanish: at folds. There, and
/// only there, the reference is no more certain than the GPU; elsewhere they agree to 0.001
/// degrees.
bool gl_difference_is_rounding(const gl_difference* difference);

/// @return 0 when the GPU did its work; differences are the largest of *worst and this case
int gl_compare(gl_difference* worst, pelt_gl* gl, const gl_case* c);

/// The differences between two surfaces of a case.
int gl_compare_surfaces(gl_difference* worst, const pelt_surface* expected, const pelt_surface* got,
                        const gl_case* c);

/// Arrays for all that a mesh has.
pelt_surface gl_surface_make(const pelt_mesh* mesh, pelt_arena* arena);

/// What the GPU makes of a case, in arrays of the arena. @return 0 when it did
int gl_deform(pelt_surface* out, pelt_gl* gl, const gl_case* c, pelt_arena* arena);

/// What the reference makes of it.
int gl_reference(pelt_surface* out, const gl_case* c, pelt_arena* arena);

double gl_degrees_between(pelt_vec3 a, pelt_vec3 b); ///< of unit vectors that are nearly parallel
double gl_tangent_degrees(pelt_vec4 a, pelt_vec4 b); ///< without w

/// A point_set as a mesh without triangles.
pelt_mesh gl_mesh_of(const point_set* m);

typedef enum gl_mirrors
{
    GL_MIRRORS_NONE,
    GL_MIRRORS_ALL,
    GL_MIRRORS_ODD, ///< every second joint
} gl_mirrors;

/// Let joints scale along each axis by 0.4 to 2.5, shear, and mirror.
void gl_stretch_joints(point_set* m, gl_mirrors which);

#endif
