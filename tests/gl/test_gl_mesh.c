// SPDX-License-Identifier: MIT
#include "gl_compare.h"

#include <string.h>

static pelt_gl* gl;

// Half of the vertices have six influences, half have two.
static int pruned_vertices_are_counted(void)
{
    point_set m = point_set_random(31, 100, 10, 6, 90.0f);
    for (uint32_t v = 0; v < 100; v += 2)
    {
        memset(&m.raw_weights[6 * v + 2], 0, 4 * sizeof *m.raw_weights);
    }
    point_set_bind(&m);
    pelt_mesh mesh = gl_mesh_of(&m);
    pelt_gl_mesh out;
    ENSURE(pelt_gl_mesh_create(&out, gl, &mesh, &(pelt_gl_mesh_options){.max_influences = 4},
                               NULL) == PELT_OK);
    ENSURE(out.pruned_count == 50 && out.influence_count == 4);
    pelt_gl_mesh_destroy(&out);
    ENSURE(pelt_gl_mesh_create(&out, gl, &mesh, NULL, NULL) == PELT_OK);
    ENSURE(out.pruned_count == 0 && out.influence_count == 6);
    pelt_gl_mesh_destroy(&out);
    point_set_free(&m);
    return 0;
}

static int buffers_have_the_size_that_the_layout_says(void)
{
    point_set m = point_set_random(32, 100, 10, 5, 90.0f);
    pelt_mesh mesh = gl_mesh_of(&m);
    const uint32_t indices[3] = {0, 1, 2};
    mesh.indices = indices;
    mesh.index_count = 3;
    mesh.cors = m.cors;
    pelt_gl_mesh out;
    ENSURE(pelt_gl_mesh_create(&out, gl, &mesh, NULL, NULL) == PELT_OK);
    pelt_attribute_set expected = pelt_gpu_attributes(&mesh, PELT_METHOD_CRS, 5);
    ENSURE(out.attributes == expected);
    ENSURE(out.byte_count == 100 * pelt_gpu_vertex_bytes(expected, 5) + sizeof indices);
    pelt_gl_mesh_destroy(&out);
    point_set_free(&m);
    return 0;
}

static int mesh_without_skin_follows_joint_zero(void)
{
    point_set m = point_set_random(33, 50, 1, 1, 90.0f);
    pelt_mesh mesh = gl_mesh_of(&m);
    mesh.weights = (pelt_weights){0};
    gl_case c = {.mesh = &mesh, .palette = &m.palette};
    pelt_surface out;
    ENSURE(gl_deform(&out, gl, &c, m.arena) == 0);
    for (uint32_t v = 0; v < 50; ++v)
    {
        // Within a cube of 2 m and a move of half a meter: a few units in the last place.
        ENSURE_POINT(out.positions[v], pelt_mat34_point(&m.palette.matrices[0], m.positions[v]),
                     1e-6f);
    }
    point_set_free(&m);
    return 0;
}

// At rest the GPU gives back what it holds: first the mesh, then the surface that replaced it.
static int rest_surface_can_be_replaced(void)
{
    point_set m = point_set_make(10, 1, 1);
    for (uint32_t v = 0; v < 10; ++v)
    {
        m.raw_weights[v] = 1.0f;
        m.positions[v] = pelt_vec3_make((float)v, 0.0f, 0.0f);
    }
    point_set_bind(&m);
    point_set_pose(&m);
    pelt_mesh source = gl_mesh_of(&m);
    pelt_gl_mesh mesh;
    pelt_gl_palette palette;
    pelt_vec3 got[10];
    pelt_surface out = {.positions = got};
    ENSURE(pelt_gl_mesh_create(&mesh, gl, &source, NULL, NULL) == PELT_OK);
    ENSURE(pelt_gl_palette_create(&palette, gl, 1, PELT_PALETTE_AUTO, NULL) == PELT_OK);
    pelt_gl_palette_update(&palette, &m.palette, PELT_METHOD_LBS, PELT_SCALE_LOCAL);
    ENSURE(pelt_gl_skin(&out, gl, &mesh, &palette, 0.0f, NULL) == PELT_OK);
    ENSURE(got[9].x == 9.0f && got[9].y == 0.0f);
    for (uint32_t v = 0; v < 10; ++v)
    {
        m.positions[v].y = 2.0f;
    }
    pelt_gl_mesh_update(&mesh, &(pelt_surface){.positions = m.positions});
    ENSURE(pelt_gl_skin(&out, gl, &mesh, &palette, 0.0f, NULL) == PELT_OK);
    ENSURE(got[9].x == 9.0f && got[9].y == 2.0f && got[0].y == 2.0f);
    pelt_gl_palette_destroy(&palette);
    pelt_gl_mesh_destroy(&mesh);
    point_set_free(&m);
    return 0;
}

static int empty_mesh_is_allowed(void)
{
    pelt_mesh source = {.material = PELT_NONE};
    point_set m = point_set_random(34, 1, 1, 1, 0.0f);
    gl_case c = {.mesh = &source, .palette = &m.palette};
    pelt_surface out;
    ENSURE(gl_deform(&out, gl, &c, m.arena) == 0);
    point_set_free(&m);
    return 0;
}

static int palette_too_large_for_a_block_is_refused(void)
{
    pelt_gl_palette palette;
    pelt_error error = {0};
    ENSURE(pelt_gl_palette_create(&palette, gl, 5000, PELT_PALETTE_BLOCK, &error) ==
           PELT_ERROR_UNSUPPORTED);
    ENSURE(strstr(error.message, "5000 joints") != NULL);
    ENSURE(pelt_gl_palette_create(&palette, gl, 5000, PELT_PALETTE_AUTO, &error) == PELT_OK);
    pelt_gl_palette_destroy(&palette);
    return 0;
}

void test_gl_mesh(void)
{
    gl = gl_open(PELT_GL_OFFSCREEN, "gl_mesh");
    if (gl == NULL)
    {
        return;
    }
    RUN(pruned_vertices_are_counted);
    RUN(buffers_have_the_size_that_the_layout_says);
    RUN(mesh_without_skin_follows_joint_zero);
    RUN(rest_surface_can_be_replaced);
    RUN(empty_mesh_is_allowed);
    RUN(palette_too_large_for_a_block_is_refused);
    pelt_gl_destroy(gl);
}
