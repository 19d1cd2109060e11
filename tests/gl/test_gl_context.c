// SPDX-License-Identifier: MIT
#include "gl_compare.h"

#include <string.h>

static int context_knows_its_limits(void)
{
    pelt_gl* gl;
    ENSURE(pelt_gl_create(&gl, PELT_GL_OFFSCREEN, NULL) == PELT_OK);
    pelt_gl_info info = pelt_gl_describe(gl);
    ENSURE(info.language == PELT_GLSL_330);
    ENSURE(info.block_bytes >= 16384 && info.block_bytes <= 65536);
    ENSURE(info.texture_rows >= 1024 && info.program_count == 0);
    ENSURE(info.renderer != NULL && info.version != NULL);
    pelt_gl_destroy(gl);
    return 0;
}

static int current_context_of_the_program_serves_too(void)
{
    pelt_gl *window, *gl;
    point_set m = point_set_random(21, 100, 4, 2, 90.0f);
    pelt_mesh mesh = gl_mesh_of(&m);
    gl_difference worst = {0};
    gl_case c = {.mesh = &mesh, .palette = &m.palette, .method = PELT_METHOD_DQS};

    ENSURE(pelt_gl_create(&window, PELT_GL_OFFSCREEN, NULL) == PELT_OK);
    ENSURE(pelt_gl_create(&gl, PELT_GL_CURRENT, NULL) == PELT_OK);
    ENSURE(gl_compare(&worst, gl, &c) == 0);
    ENSURE(gl_difference_is_small(&worst));
    pelt_gl_destroy(gl);
    pelt_gl_destroy(window);
    point_set_free(&m);
    return 0;
}

static int without_a_current_context_the_error_says_so(void)
{
    pelt_gl* gl;
    pelt_error error = {0};
    ENSURE(pelt_gl_create(&gl, PELT_GL_CURRENT, &error) == PELT_ERROR_ARGUMENT);
    ENSURE(gl == NULL && strstr(error.message, "current") != NULL);
    return 0;
}

// The second must survive the end of the first: they share an EGL display.
static int two_contexts_live_side_by_side(void)
{
    pelt_gl *first, *second;
    point_set m = point_set_random(22, 100, 4, 2, 90.0f);
    pelt_mesh mesh = gl_mesh_of(&m);
    gl_difference worst = {0};
    gl_case c = {.mesh = &mesh, .palette = &m.palette};

    ENSURE(pelt_gl_create(&first, PELT_GL_OFFSCREEN, NULL) == PELT_OK);
    ENSURE(pelt_gl_create(&second, PELT_GL_OFFSCREEN, NULL) == PELT_OK);
    ENSURE(pelt_gl_make_current(first, NULL) == PELT_OK);
    ENSURE(gl_compare(&worst, first, &c) == 0);
    pelt_gl_destroy(first);
    ENSURE(pelt_gl_make_current(second, NULL) == PELT_OK);
    ENSURE(gl_compare(&worst, second, &c) == 0);
    ENSURE(gl_difference_is_small(&worst));
    pelt_gl_destroy(second);
    point_set_free(&m);
    return 0;
}

void test_gl_context(void)
{
    pelt_gl* gl = gl_open(PELT_GL_OFFSCREEN, "gl_context");
    if (gl == NULL)
    {
        return;
    }
    pelt_gl_destroy(gl);
    RUN(context_knows_its_limits);
    RUN(current_context_of_the_program_serves_too);
    RUN(without_a_current_context_the_error_says_so);
    RUN(two_contexts_live_side_by_side);
}
