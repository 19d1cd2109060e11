// SPDX-License-Identifier: MIT
// Programs: skinning vertex code with a main() and the caller's fragment shader, compiled
// once and kept.
#include "gl_context.h"

#include <epoxy/gl.h>
#include <string.h>

enum
{
    LOG_MAX = 1024,
};

static const char empty_fragment[] = "void main()\n{\n}\n";
static const char* const feedback_outputs[] = {"pelt_out_position", "pelt_out_normal",
                                               "pelt_out_tangent"};

// The first line of a driver's log is the cause; later ones are consequences.
static pelt_result report(pelt_error* error, const char* stage, pelt_method method, char* log)
{
    char* line = log + strspn(log, " \r\n\t");
    line[strcspn(line, "\r\n")] = '\0';
    return pelt_error_set(error, PELT_ERROR_DATA, "the %s for method %s does not build: %s", stage,
                          pelt_method_name(method), line[0] != '\0' ? line : "no reason given");
}

static pelt_result compile(GLuint program, GLenum stage, const char* const texts[2],
                           pelt_method method, pelt_error* error)
{
    GLuint shader = glCreateShader(stage);
    GLint is_compiled = GL_FALSE;
    glShaderSource(shader, 2, texts, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &is_compiled);
    if (!is_compiled)
    {
        char log[LOG_MAX] = "";
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        glDeleteShader(shader);
        return report(error, stage == GL_VERTEX_SHADER ? "vertex shader" : "fragment shader",
                      method, log);
    }
    glAttachShader(program, shader);
    // The program keeps the shader alive.
    glDeleteShader(shader);
    return PELT_OK;
}

static pelt_result compile_vertex(GLuint program, const pelt_gl* gl,
                                  const pelt_gl_program_desc* desc, pelt_error* error)
{
    char* text;
    pelt_shader_desc shader = {.language = gl->info.language,
                               .method = desc->method,
                               .scale = desc->scale,
                               .layout = desc->layout,
                               .influence_count = desc->influence_count,
                               .palette = desc->palette,
                               .block_bytes = gl->info.block_bytes,
                               .has_mix_factors = desc->has_mix_factors,
                               .normals = desc->normals,
                               .baked = desc->baked,
                               .sign_rule = desc->sign_rule,
                               .main = desc->vertex_main};
    pelt_result result = pelt_shader_source(&text, &shader, error);
    if (result == PELT_OK)
    {
        const char* const texts[2] = {text, ""};
        result = compile(program, GL_VERTEX_SHADER, texts, desc->method, error);
        pelt_release(text);
    }
    return result;
}

static pelt_result link_program(GLuint program, const pelt_gl_program_desc* desc, pelt_error* error)
{
    GLint is_linked = GL_FALSE;
    if (desc->vertex_main == NULL)
    {
        glTransformFeedbackVaryings(program, 3, feedback_outputs, GL_INTERLEAVED_ATTRIBS);
    }
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &is_linked);
    if (!is_linked)
    {
        char log[LOG_MAX] = "";
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        return report(error, "program", desc->method, log);
    }
    return PELT_OK;
}

// The uniforms of joints and factors.
static void bind_locations(GLuint program)
{
    GLuint block = glGetUniformBlockIndex(program, "pelt_palette");
    if (block != GL_INVALID_INDEX)
    {
        glUniformBlockBinding(program, block, PELT_GL_PALETTE_BINDING);
    }
    GLint before = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &before);
    glUseProgram(program);
    // A uniform that a program does not read has location -1, and setting it does nothing.
    glUniform1i(glGetUniformLocation(program, "pelt_palette"), PELT_GL_PALETTE_UNIT);
    glUniform1i(glGetUniformLocation(program, "pelt_normal_factors"), PELT_GL_NORMAL_UNIT);
    glUniform1i(glGetUniformLocation(program, "pelt_baked"), PELT_GL_BAKED_UNIT);
    // The pose pass has no palette to read, but one to write.
    glUniform1i(glGetUniformLocation(program, "pelt_playbacks"), PELT_GL_PALETTE_UNIT);
    glUseProgram((GLuint)before);
}

static pelt_result build(pelt_gl_program* out, const pelt_gl* gl, const pelt_gl_program_desc* desc,
                         pelt_error* error)
{
    GLuint program = glCreateProgram();
    const char* fragment = desc->fragment ? desc->fragment : empty_fragment;
    const char* const texts[2] = {pelt_shader_prologue(gl->info.language), fragment};

    pelt_result result = compile_vertex(program, gl, desc, error);
    if (result == PELT_OK)
    {
        result = compile(program, GL_FRAGMENT_SHADER, texts, desc->method, error);
    }
    if (result == PELT_OK)
    {
        result = link_program(program, desc, error);
    }
    if (result != PELT_OK)
    {
        glDeleteProgram(program);
        return result;
    }
    bind_locations(program);
    *out = (pelt_gl_program){.name = program,
                             .mix = glGetUniformLocation(program, "pelt_mix"),
                             .first_joint = glGetUniformLocation(program, "pelt_first_joint"),
                             .joint_count = glGetUniformLocation(program, "pelt_joint_count")};
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// The cache

static bool same_text(const char* a, const char* b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_normals(const pelt_gpu_normals* a, const pelt_gpu_normals* b)
{
    return a->rule == b->rule && a->slot_count == b->slot_count &&
           a->has_centers == b->has_centers && a->is_compact == b->is_compact;
}

static bool same_bake(const pelt_gpu_baked* a, const pelt_gpu_baked* b)
{
    return a->encoding == b->encoding && a->layout == b->layout && a->texel == b->texel &&
           a->width == b->width;
}

static bool same_desc(const pelt_gl_program_desc* a, const pelt_gl_program_desc* b)
{
    return a->method == b->method && a->scale == b->scale && a->layout == b->layout &&
           a->influence_count == b->influence_count && a->palette == b->palette &&
           a->has_mix_factors == b->has_mix_factors && a->sign_rule == b->sign_rule &&
           same_normals(&a->normals, &b->normals) && same_bake(&a->baked, &b->baked) &&
           same_text(a->vertex_main, b->vertex_main) && same_text(a->fragment, b->fragment);
}

// Defaults are replaced by their values: equal meaning, equal key.
static pelt_gl_program_desc normal_form(const pelt_gl_program_desc* desc)
{
    pelt_gl_program_desc key = *desc;
    const pelt_method_traits* traits = pelt_method_info(key.method);
    key.scale = traits->needs_motions ? key.scale : PELT_GPU_SCALE_NONE;
    key.sign_rule = traits->needs_motions ? key.sign_rule : PELT_SIGN_HEAVIEST;
    key.influence_count = key.influence_count > 0 ? key.influence_count : 4;
    key.palette = key.palette == PELT_PALETTE_AUTO ? PELT_PALETTE_BLOCK : key.palette;
    key.baked = key.palette == PELT_PALETTE_BAKED ? key.baked : (pelt_gpu_baked){0};
    key.has_mix_factors = key.has_mix_factors && traits->has_mix_factor;
    key.normals = key.normals.rule != PELT_NORMAL_STANDARD ? key.normals : (pelt_gpu_normals){0};
    return key;
}

static bool copy_text(const char** text)
{
    if (*text == NULL)
    {
        return true;
    }
    size_t size = strlen(*text) + 1;
    char* copy = pelt_allocate(size, 1);
    if (copy != NULL)
    {
        memcpy(copy, *text, size);
    }
    *text = copy;
    return copy != NULL;
}

static void destroy_entry(pelti_program* entry)
{
    glDeleteProgram(entry->program.name);
    pelt_release((void*)entry->key.vertex_main);
    pelt_release((void*)entry->key.fragment);
    pelt_release(entry);
}

static pelt_result create_entry(pelti_program** out, const pelt_gl* gl,
                                const pelt_gl_program_desc* key, pelt_error* error)
{
    pelti_program* entry = pelt_allocate(1, sizeof *entry);
    if (entry == NULL)
    {
        return pelt_error_memory(error);
    }
    *entry = (pelti_program){.key = *key};
    bool has_main = copy_text(&entry->key.vertex_main);
    bool has_fragment = copy_text(&entry->key.fragment);
    pelt_result result = has_main && has_fragment ? build(&entry->program, gl, key, error)
                                                  : pelt_error_memory(error);
    if (result != PELT_OK)
    {
        destroy_entry(entry);
        return result;
    }
    *out = entry;
    return PELT_OK;
}

pelt_result pelt_gl_program_get(pelt_gl_program* out, pelt_gl* gl, const pelt_gl_program_desc* desc,
                                pelt_error* error)
{
    *out = (pelt_gl_program){.mix = -1, .first_joint = -1, .joint_count = -1};
    pelt_gl_program_desc key = normal_form(desc);
    pelti_program* entry = gl->programs;
    while (entry != NULL && !same_desc(&entry->key, &key))
    {
        entry = entry->next;
    }
    if (entry == NULL)
    {
        PELT_TRY(create_entry(&entry, gl, &key, error));
        entry->next = gl->programs;
        gl->programs = entry;
        gl->info.program_count++;
    }
    *out = entry->program;
    return PELT_OK;
}

void pelti_programs_destroy(pelt_gl* gl)
{
    while (gl->programs != NULL)
    {
        pelti_program* entry = gl->programs;
        gl->programs = entry->next;
        destroy_entry(entry);
    }
}

pelt_gl_program_desc pelt_gl_program_desc_of(const pelt_gl_mesh* mesh,
                                             const pelt_gl_palette* palette)
{
    return (pelt_gl_program_desc){.method = palette->method,
                                  .scale = palette->scale,
                                  .layout = palette->layout,
                                  .influence_count = mesh->influence_count,
                                  .palette = palette->kind,
                                  .has_mix_factors =
                                      (mesh->attributes & 1u << PELT_ATTRIBUTE_MIX) != 0,
                                  .normals = mesh->normals,
                                  .sign_rule = palette->sign_rule};
}

void pelt_gl_program_use(const pelt_gl_program* program, const pelt_gl_palette* palette, float mix)
{
    glUseProgram(program->name);
    pelt_gl_palette_bind(palette);
    if (program->mix >= 0)
    {
        glUniform1f(program->mix, mix);
    }
}
