// SPDX-License-Identifier: MIT
// Texts and programs of the renderer.
#include "shader_text.h"
#include "stage.h"

#include <epoxy/gl.h>
#include <string.h>

const char* pelti_render_file(const char* name)
{
    uint32_t i = 0;
    while (strcmp(pelti_render_text[i].name, name) != 0)
    {
        ++i;
        PELT_ASSERT(i < pelti_render_text_count);
    }
    return pelti_render_text[i].text;
}

char* pelti_render_join(const char* const* texts, uint32_t count)
{
    size_t size = 1;
    for (uint32_t i = 0; i < count; ++i)
    {
        size += strlen(texts[i]);
    }
    char* joined = pelt_allocate(size, 1);
    char* end = joined;
    for (uint32_t i = 0; i < count && joined != NULL; ++i)
    {
        strcpy(end, texts[i]);
        end += strlen(end);
    }
    return joined;
}

pelt_result pelti_render_program(uint32_t* out, pelt_gl* gl, const char* vertex,
                                 const char* fragment, pelt_error* error)
{
    pelt_gl_program program;
    pelt_gl_program_desc desc = {.influence_count = 1, .vertex_main = vertex, .fragment = fragment};
    pelt_result result = pelt_gl_program_get(&program, gl, &desc, error);
    *out = program.name;
    if (result == PELT_OK)
    {
        glUseProgram(program.name);
    }
    return result;
}

void pelti_uniform_matrix(uint32_t program, const char* name, const pelti_mat4* value)
{
    glUniformMatrix4fv(glGetUniformLocation(program, name), 1, GL_FALSE, value->m);
}

void pelti_uniform_float(uint32_t program, const char* name, float value)
{
    glUniform1f(glGetUniformLocation(program, name), value);
}

void pelti_uniform_int(uint32_t program, const char* name, int32_t value)
{
    glUniform1i(glGetUniformLocation(program, name), value);
}

void pelti_uniform_vec3(uint32_t program, const char* name, pelt_vec3 value)
{
    glUniform3f(glGetUniformLocation(program, name), value.x, value.y, value.z);
}

void pelti_uniform_vec4(uint32_t program, const char* name, pelt_vec4 value)
{
    glUniform4f(glGetUniformLocation(program, name), value.x, value.y, value.z, value.w);
}
