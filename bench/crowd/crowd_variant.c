// SPDX-License-Identifier: MIT
// Shaders of animation textures without some of their stages.
#include "crowd_variant.h"

#include <epoxy/gl.h>
#include <stdio.h>
#include <string.h>

enum
{
    TEXEL_MAX = 1024, // of 16 bytes, the block size that every driver supports
    BINDING = 2,      // of uniform blocks; palettes and the viewer's light use others
    HEAD_TEXT = 1024, // characters that are added, at most
    CLIP_WORDS = 4,   // of docs/texture_format.md
    RUN_WORDS = 8,
};

// ---------------------------------------------------------------------------------------------
// Metadata

// Number of words before the keys of all clips; 0 if a table comes after keys.
static uint32_t count_metadata(const pelt_baked* baked)
{
    uint32_t first_key = UINT32_MAX, last_table = 0;
    const uint32_t* words = baked->words;
    for (uint32_t c = 0; c < words[5]; ++c)
    {
        const uint32_t* clip = words + words[6] + CLIP_WORDS * c;
        for (uint32_t r = 0; r < clip[1]; ++r)
        {
            const uint32_t* run = words + clip[0] + RUN_WORDS * r;
            first_key = run[3] < first_key ? run[3] : first_key;
            last_table = run[5] > last_table ? run[5] : last_table;
        }
    }
    return last_table < first_key ? first_key : 0;
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

// In the layout of the thesis: two rows, and the first column of the others. Pivots that have no
// room there are not counted on.
static uint32_t count_thesis(const pelt_baked* baked)
{
    uint32_t key_count = baked->clips[0].key_count;
    bool has_room = baked->width == 1 + key_count;
    return has_room ? 2 * baked->width + baked->height - 2 : 0;
}

// The index of a texel of the block in the texture.
static size_t thesis_texel(uint32_t index, uint32_t row)
{
    return index < 2 * row ? index : (size_t)(index - 2 * row + 2) * row;
}

pelt_result crowd_metadata_create(crowd_metadata* out, const pelt_baked* baked, pelt_error* error)
{
    *out = (crowd_metadata){0};
    bool has_joints = baked->encoding != PELT_ENCODING_VERTEX;
    bool is_thesis = baked->layout == PELT_BAKE_LAYOUT_THESIS;
    uint32_t word_count = pelt_texel_words(baked->texel);
    // The last texel may contain both metadata and keys.
    uint32_t count = !has_joints ? 0
                     : is_thesis ? count_thesis(baked)
                                 : (count_metadata(baked) + word_count - 1) / word_count;
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
        size_t texel = is_thesis ? thesis_texel(i, baked->width) : i;
        unpack(texels[i], baked->words + texel * word_count, word_count);
    }
    glGenBuffers(1, &out->buffer);
    glBindBuffer(GL_UNIFORM_BUFFER, out->buffer);
    glBufferData(GL_UNIFORM_BUFFER, (GLsizeiptr)(count * sizeof *texels), texels, GL_STATIC_DRAW);
    glBindBuffer(GL_UNIFORM_BUFFER, 0);
    pelt_release(texels);
    out->texel_count = count;
    out->row = is_thesis ? baked->width : 0;
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

// ---------------------------------------------------------------------------------------------
// Text

uint32_t crowd_variant_index(crowd_stage_set off)
{
    return (off & CROWD_SHADER_STAGES) / CROWD_INTERPOLATION;
}

// The parts of a vertex shader.
typedef struct variant_text
{
    char* vertex;         // of the library, with statements replaced
    char head[HEAD_TEXT]; // inserted after its first lines
    char keys[HEAD_TEXT]; // inserted at `cut`
    size_t cut;
} variant_text;

// Overwrite a statement of the library with another one, which must not be longer.
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

// Read one key instead of two.
static pelt_result remove_interpolation(char* text, bool is_thesis, pelt_error* error)
{
    if (is_thesis)
    {
        PELT_TRY(replace(text,
                         "pelt_thesis_matrix b = pelt_thesis_matrix_at(at + moment.next, row, "
                         "box);",
                         "pelt_thesis_matrix b = a;", error));
        return replace(text, "pelt_dquat b = pelt_thesis_dual_at(at + moment.next, row, box);",
                       "pelt_dquat b = a;", error);
    }
    PELT_TRY(replace(text, "uint second = pelt_bits(record.next, moment.next, record.bit, width);",
                     "uint second = first;", error));
    return replace(text, "x - float(key));", "0.0);", error);
}

static void write_block(variant_text* out, uint32_t texel_count)
{
    snprintf(out->head, sizeof out->head,
             "layout(std140) uniform crowd_metadata\n"
             "{\n"
             "    uvec4 crowd_texels[%u];\n"
             "};\n",
             texel_count);
}

// The same of the thesis: only keys are read as values, all else from the block.
static pelt_result move_thesis_metadata(variant_text* inout, const crowd_metadata* metadata,
                                        pelt_error* error)
{
    char* words = strstr(inout->vertex, "struct pelt_words");
    if (words == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "the shaders of textures have no words to read from elsewhere");
    }
    write_block(inout, metadata->texel_count);
    inout->cut = (size_t)(words - inout->vertex);
    snprintf(inout->keys, sizeof inout->keys,
             "uvec4 pelt_baked_texel(uint at)\n"
             "{\n"
             "    return crowd_texels[at < %uu ? at : %uu + at / %uu];\n"
             "}\n",
             2 * metadata->row, 2 * metadata->row - 2, metadata->row);
    PELT_TRY(replace(inout->vertex, "uvec4 pelt_baked_texel(uint at)", "uvec4 key_texel(uint at)",
                     error));
    return replace(inout->vertex, "(pelt_thesis_bytes(at) - 128.0) / 127.0",
                   "(vec4(key_texel(at)) - 128.) / 127.", error);
}

// Read metadata from a uniform block. Keys, which pelt_bits() reads, are read by a copy of the
// function that reads texels; it is inserted at the cut.
static pelt_result move_metadata(variant_text* inout, uint32_t texel_count, pelt_error* error)
{
    static const char function[] = "uint pelt_word(inout", after[] = "float pelt_word_float(";
    char* begin = strstr(inout->vertex, function);
    char* end = begin != NULL ? strstr(begin, after) : NULL;
    size_t size = end != NULL ? (size_t)(end - begin) : 0;
    if (end == NULL || size >= sizeof inout->keys)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "the shaders of textures have no words to read from elsewhere");
    }
    memcpy(inout->keys, begin, size);
    inout->keys[size] = '\0';
    inout->cut = (size_t)(end - inout->vertex);
    write_block(inout, texel_count);
    PELT_TRY(replace(inout->keys, "uint pelt_word(", "uint key_word(", error));
    const char* const calls[][2] = {{"pelt_baked_texel(texel)", "crowd_texels[texel]"},
                                    {"uint value = pelt_word(", "uint value = key_word("},
                                    {"value |= pelt_word(", "value |= key_word("}};
    for (int i = 0; i < 3; ++i)
    {
        PELT_TRY(replace(inout->vertex, calls[i][0], calls[i][1], error));
    }
    return PELT_OK;
}

static pelt_result write_vertex(variant_text* out, pelt_gl* gl, const pelt_gl_program_desc* desc,
                                pelt_error* error)
{
    pelt_shader_desc shader = {.language = pelt_gl_describe(gl).language,
                               .method = desc->method,
                               .scale = desc->scale,
                               .influence_count = desc->influence_count,
                               .palette = desc->palette,
                               .baked = desc->baked,
                               .main = desc->vertex_main};
    return pelt_shader_source(&out->vertex, &shader, error);
}

// ---------------------------------------------------------------------------------------------
// Programs

static bool compile(GLuint program, GLenum stage, const char* const* texts, const GLint* sizes,
                    GLsizei count)
{
    GLuint shader = glCreateShader(stage);
    GLint is_compiled = GL_FALSE;
    glShaderSource(shader, count, texts, sizes);
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
                         variant_text* text, pelt_error* error)
{
    GLuint program = glCreateProgram();
    const char* prologue = pelt_shader_prologue(pelt_gl_describe(gl).language);
    size_t start = strlen(prologue), cut = text->cut > start ? text->cut : start;
    const GLint sizes[5] = {(GLint)start, (GLint)strlen(text->head), (GLint)(cut - start),
                            (GLint)strlen(text->keys), (GLint)strlen(text->vertex + cut)};
    const char* const vertex_texts[5] = {prologue, text->head, text->vertex + start, text->keys,
                                         text->vertex + cut};
    const char* const fragment_texts[2] = {prologue, desc->fragment};
    if (!compile(program, GL_VERTEX_SHADER, vertex_texts, sizes, 5) ||
        !compile(program, GL_FRAGMENT_SHADER, fragment_texts, NULL, 2) || !link_program(program))
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
    draw_kind kind = (off & CROWD_SKINNING) != 0 ? DRAW_DECODED
                     : (off & CROWD_ORDER) != 0  ? DRAW_BY_KEYS
                                                 : DRAW_INSTANCED;
    bool is_thesis = desc->baked.layout == PELT_BAKE_LAYOUT_THESIS;
    pelt_gl_program_desc full = draw_program_describe(*desc, kind);
    variant_text text = {0};
    pelt_result result = write_vertex(&text, gl, &full, error);
    if (result == PELT_OK && (off & (CROWD_INTERPOLATION | CROWD_ORDER)) != 0)
    {
        result = remove_interpolation(text.vertex, is_thesis, error);
    }
    if (result == PELT_OK && (off & CROWD_METADATA) != 0)
    {
        result = is_thesis ? move_thesis_metadata(&text, metadata, error)
                           : move_metadata(&text, metadata->texel_count, error);
    }
    if (result == PELT_OK)
    {
        result = build(out, gl, &full, &text, error);
    }
    pelt_release(text.vertex);
    return result;
}
