// SPDX-License-Identifier: MIT
#include "crowd_variant.h"

#include <epoxy/gl.h>
#include <stdio.h>
#include <string.h>

enum
{
    TEXEL_MAX = 1024, // of 16 bytes, as blocks have on every driver
    BINDING = 2,      // of uniform blocks: palettes and the viewer's light have others
    HEAD_TEXT = 1024,
    CLIP_WORDS = 4, // of docs/texture_format.md
    RUN_WORDS = 8,
};

// ---------------------------------------------------------------------------------------------
// Metadata

// The first word of the keys of any clip.
static uint32_t first_key(const pelt_baked* baked)
{
    uint32_t first = UINT32_MAX;
    const uint32_t* words = baked->words;
    for (uint32_t c = 0; c < words[5]; ++c)
    {
        const uint32_t* clip = words + words[6] + CLIP_WORDS * c;
        for (uint32_t r = 0; r < clip[1]; ++r)
        {
            uint32_t keys = words[clip[0] + RUN_WORDS * r + 3];
            first = keys < first ? keys : first;
        }
    }
    return first;
}

// The four channels of a texel, as a shader fetches them.
static void unpack(uint32_t out[4], const uint32_t* words, uint32_t word_count)
{
    uint32_t channels = 4 / word_count, bits = 32 / channels;
    for (uint32_t i = 0; i < 4; ++i)
    {
        uint32_t word = words[i / channels] >> (i % channels * bits);
        out[i] = bits < 32 ? word & ((1u << bits) - 1u) : word;
    }
}

pelt_result crowd_metadata_create(crowd_metadata* out, const pelt_baked* baked, pelt_error* error)
{
    *out = (crowd_metadata){0};
    bool has_joints =
        baked->layout != PELT_LAYOUT_THESIS && baked->encoding != PELT_ENCODING_VERTEX;
    uint32_t word_count = pelt_texel_words(baked->texel);
    uint32_t count = has_joints ? first_key(baked) / word_count : 0;
    if (count == 0 || count > TEXEL_MAX)
    {
        return PELT_OK;
    }
    uint32_t(*texels)[4] = pelt_allocate(count, sizeof *texels);
    if (texels == NULL)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        unpack(texels[i], baked->words + (size_t)i * word_count, word_count);
    }
    glGenBuffers(1, &out->buffer);
    glBindBuffer(GL_UNIFORM_BUFFER, out->buffer);
    glBufferData(GL_UNIFORM_BUFFER, (GLsizeiptr)(count * sizeof *texels), texels, GL_STATIC_DRAW);
    glBindBuffer(GL_UNIFORM_BUFFER, 0);
    pelt_release(texels);
    out->texel_count = count;
    return PELT_OK;
}

void crowd_metadata_destroy(crowd_metadata* metadata)
{
    glDeleteBuffers(1, &metadata->buffer);
    *metadata = (crowd_metadata){0};
}

void crowd_metadata_bind(const crowd_metadata* metadata)
{
    glBindBufferBase(GL_UNIFORM_BUFFER, BINDING, metadata->buffer);
}

// What PELT_BAKED_OWN asks for: a block for metadata, texels for keys.
static void write_head(char out[HEAD_TEXT], uint32_t count)
{
    snprintf(out, HEAD_TEXT,
             "#define PELT_BAKED_OWN\n"
             "uniform highp usampler2D pelt_baked;\n"
             "layout(std140) uniform crowd_metadata\n"
             "{\n"
             "    uvec4 crowd_texels[%u];\n"
             "};\n"
             "uvec4 pelt_baked_texel(uint at)\n"
             "{\n"
             "    if (at < %uu)\n"
             "    {\n"
             "        return crowd_texels[at];\n"
             "    }\n"
             "    int width = textureSize(pelt_baked, 0).x;\n"
             "    return texelFetch(pelt_baked, ivec2(int(at) %% width, int(at) / width), 0);\n"
             "}\n",
             count, count);
}

// ---------------------------------------------------------------------------------------------
// Text

uint32_t crowd_variant_index(crowd_stage_set off)
{
    return (off & CROWD_SHADER_STAGES) / CROWD_INTERPOLATION;
}

// Write another expression over a statement of the library. It is not longer than the old one.
static pelt_result replace(char* text, const char* old, const char* now, pelt_error* error)
{
    char* at = strstr(text, old);
    if (at == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "the shaders of textures have no \"%s\" to leave out", old);
    }
    size_t length = strlen(now);
    PELT_ASSERT(length <= strlen(old));
    memset(at, ' ', strlen(old));
    memcpy(at, now, length);
    return PELT_OK;
}

// One key is read instead of two, and nothing is between them.
static pelt_result remove_interpolation(char* text, pelt_error* error)
{
    pelt_result result =
        replace(text, "uint second = pelt_bits(record.next, moment.next, record.bit, width);",
                "uint second = first;", error);
    return result == PELT_OK ? replace(text, "x - float(key));", "0.0);", error) : result;
}

static pelt_result write_vertex(char** out, pelt_gl* gl, const pelt_gl_program_desc* desc,
                                crowd_stage_set off, pelt_error* error)
{
    pelt_gl_info info = pelt_gl_describe(gl);
    pelt_shader_desc shader = {.language = info.language,
                               .method = desc->method,
                               .scale = desc->scale,
                               .influence_count = desc->influence_count,
                               .palette = desc->palette,
                               .baked = desc->baked,
                               .main = desc->vertex_main};
    pelt_result result = pelt_shader_source(out, &shader, error);
    if (result == PELT_OK && (off & CROWD_INTERPOLATION) != 0)
    {
        result = remove_interpolation(*out, error);
        if (result != PELT_OK)
        {
            pelt_release(*out);
        }
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Programs

static bool compile(GLuint program, GLenum stage, const char* const* texts, GLsizei count)
{
    GLuint shader = glCreateShader(stage);
    GLint is_compiled = GL_FALSE;
    glShaderSource(shader, count, texts, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &is_compiled);
    glAttachShader(program, shader);
    glDeleteShader(shader);
    return is_compiled;
}

static bool link_program(GLuint program)
{
    GLint is_linked = GL_FALSE;
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &is_linked);
    if (is_linked)
    {
        glUseProgram(program);
        glUniform1i(glGetUniformLocation(program, "pelt_baked"), PELT_GL_BAKED_UNIT);
        GLuint block = glGetUniformBlockIndex(program, "crowd_metadata");
        if (block != GL_INVALID_INDEX)
        {
            glUniformBlockBinding(program, block, BINDING);
        }
    }
    return is_linked;
}

static pelt_result build(draw_program* out, pelt_gl* gl, const pelt_gl_program_desc* desc,
                         const char* head, const char* vertex, pelt_error* error)
{
    GLuint program = glCreateProgram();
    const char* prologue = pelt_shader_prologue(pelt_gl_describe(gl).language);
    const char* const vertex_texts[3] = {prologue, head, vertex + strlen(prologue)};
    const char* const fragment_texts[2] = {prologue, desc->fragment};
    if (!compile(program, GL_VERTEX_SHADER, vertex_texts, 3) ||
        !compile(program, GL_FRAGMENT_SHADER, fragment_texts, 2) || !link_program(program))
    {
        glDeleteProgram(program);
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "this driver does not build shaders without some of their stages");
    }
    out->program =
        (pelt_gl_program){.name = program,
                          .mix = -1,
                          .first_joint = glGetUniformLocation(program, "pelt_first_joint"),
                          .joint_count = glGetUniformLocation(program, "pelt_joint_count")};
    draw_program_locate(out);
    return PELT_OK;
}

pelt_result crowd_variant_create(draw_program* out, pelt_gl* gl, const pelt_gl_program_desc* desc,
                                 crowd_stage_set off, const crowd_metadata* metadata,
                                 pelt_error* error)
{
    PELT_ASSERT(desc->palette == PELT_PALETTE_BAKED &&
                desc->baked.encoding != PELT_ENCODING_VERTEX);
    pelt_gl_program_desc full =
        draw_program_describe(*desc, (off & CROWD_SKINNING) != 0 ? DRAW_DECODED : DRAW_INSTANCED);
    char *vertex, head[HEAD_TEXT] = "";
    if ((off & CROWD_METADATA) != 0)
    {
        write_head(head, metadata->texel_count);
    }
    pelt_result result = write_vertex(&vertex, gl, &full, off, error);
    if (result == PELT_OK)
    {
        result = build(out, gl, &full, head, vertex, error);
        pelt_release(vertex);
    }
    return result;
}
