// SPDX-License-Identifier: MIT
// A program of somebody else, with shaders: their text needs no driver, and without one a context
// is answered with a sentence.
#include <pelt/render.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char* text;
    pelt_gl* gl;
    pelt_error error = {{0}};
    if (pelt_shader_source(&text, &(pelt_shader_desc){.method = PELT_METHOD_DQS}, &error))
    {
        return 1;
    }
    int is_glsl = strncmp(text, "#version ", 9) == 0 && strstr(text, "void main()") != NULL;
    pelt_release(text);
    pelt_result result = pelt_gl_create(&gl, PELT_GL_OFFSCREEN, &error);
    printf("%s\n", result == PELT_OK ? pelt_gl_describe(gl).renderer : error.message);
    pelt_gl_destroy(gl);
    return is_glsl && (result == PELT_OK || error.message[0] != '\0') ? 0 : 1;
}
