// SPDX-License-Identifier: MIT
// Small scenes to take pictures of, and where things are in them by a camera of the tests' own.
#ifndef PELT_RENDER_FIXTURE_H
#define PELT_RENDER_FIXTURE_H

#include "gl_compare.h"
#include "pelt/render.h"
#include "picture.h"

enum
{
    RENDER_WIDTH = 160,
    RENDER_HEIGHT = 120,
};

/// A square of one meter in the plane z = 0, standing on y = 0 and facing +Z. Vertices are upper
/// left, lower left, lower right, upper right; the diagonal goes from the first to the third.
typedef struct render_square
{
    pelt_vec3 positions[4], normals[4];
    pelt_vec2 uvs[4];
    uint32_t indices[6];
    pelt_material material;
    pelt_mesh mesh;
    pelt_node node;
    pelt_instance instance;
    pelt_scene scene;
} render_square;

void render_square_make(render_square* out);

/// A picture to be taken; {0} fields are defaults.
typedef struct render_case
{
    pelt_gl* gl;
    const pelt_scene* scene;
    const pelt_clip* clip; ///< at its end; NULL: as stored
    pelt_deform_options deform;
    pelt_skinning skinning;
    const pelt_method* method;          ///< of mesh 0 in the frame; NULL: as it starts
    const pelt_vec3* cors;              ///< of mesh 0
    const pelt_normal_factors* factors; ///< of mesh 0, or NULL
    pelt_camera camera;
    pelt_look look;
    pelt_stage_options options;
    uint32_t width, height; ///< 0: RENDER_WIDTH, RENDER_HEIGHT
} render_case;

/// @param out  free with pelt_picture_destroy()
pelt_result render_take(pelt_picture* out, const render_case* c, pelt_error* error);

/// From 0, 0 in the upper left corner to RENDER_WIDTH, RENDER_HEIGHT; z is the distance. In double,
/// from first principles.
typedef struct render_point
{
    double x, y, z;
} render_point;

render_point render_project(const pelt_camera* camera, pelt_vec3 p, double width, double height);

pelt_color render_pixel(const pelt_picture* picture, render_point at);

/// Pixels that differ by more than so many steps in some channel.
uint32_t render_count_different(const pelt_picture* a, const pelt_picture* b, int steps);

#endif
