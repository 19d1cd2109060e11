// SPDX-License-Identifier: MIT
// Shaders of crowd mode: quiet gray, soft light, and distance that fades into the background.
#ifndef PELT_CROWD_PROGRAMS_H
#define PELT_CROWD_PROGRAMS_H

#include "pelt/gl.h"

typedef enum crowd_program_kind
{
    CROWD_BACKGROUND = 0, ///< one triangle
    CROWD_GROUND,         ///< a strip of four: a grid
    CROWD_SHADOW,         ///< the same for each place: a soft spot
    CROWD_FRUSTUM,        ///< 24 vertices of lines
    CROWD_MEMBER,         ///< a skinned mesh of a crowd
} crowd_program_kind;

/// Locations of uniforms, -1 for those that a program lacks.
typedef struct crowd_program
{
    pelt_gl_program program;
    int32_t view; ///< mat4: clip from world
    int32_t eye;  ///< vec4: eye; w: meters at which everything has faded
    int32_t size; ///< vec4: height of the ground, its half-width, radius of the crowd, of a shadow
    int32_t frozen; ///< mat4: clip from world of the frustum that is shown
    int32_t color;  ///< vec4: linear base color
    int32_t rule;   ///< vec2: 1 with a texture; below which alpha there is nothing
} crowd_program;

/// @param skin  of members; NULL for all others
pelt_result crowd_program_get(crowd_program* out, pelt_gl* gl, crowd_program_kind kind,
                              const pelt_gl_program_desc* skin, pelt_error* error);

#endif
