// SPDX-License-Identifier: MIT
// Instances that play an animation texture: their playbacks, as attributes or as a texture, and the
// pass that decodes their poses.
#include "gl_context.h"
#include "shader_text.h"
#include "stage.h"

#include <epoxy/gl.h>
#include <stddef.h>
#include <string.h>

enum
{
    JOINT_FLOATS = 16, // of the shared layout
    ROW_PLAYBACKS = PELT_PALETTE_WIDTH / 2,
    // The last row of a palette may be longer than its joints, and is decoded to its end.
    SPARE_PLAYBACKS = PELT_PALETTE_WIDTH / 4,
};

static size_t palette_rows(const pelt_gl_crowd* crowd, uint32_t instance_count)
{
    return pelti_texels_rows((size_t)instance_count * crowd->baked->joint_count * JOINT_FLOATS);
}

static size_t playback_rows(uint32_t instance_count)
{
    return ((size_t)instance_count + SPARE_PLAYBACKS + ROW_PLAYBACKS - 1) / ROW_PLAYBACKS;
}

// ---------------------------------------------------------------------------------------------
// Creation

static void create_playback_texture(pelt_gl_crowd* crowd)
{
    glActiveTexture(GL_TEXTURE0 + PELT_GL_PALETTE_UNIT);
    glGenTextures(1, &crowd->playbacks);
    glBindTexture(GL_TEXTURE_2D, crowd->playbacks);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32UI, PELT_PALETTE_WIDTH,
                 (GLsizei)playback_rows(crowd->instance_count), 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT,
                 crowd->staging);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
}

// @return whether the driver can write to the palette
static bool create_palette(pelt_gl_crowd* crowd)
{
    GLint read = 0, draw = 0;
    crowd->palette = pelti_texels_create(palette_rows(crowd, crowd->instance_count), NULL);
    glActiveTexture(GL_TEXTURE0);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw);
    glGenFramebuffers(1, &crowd->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, crowd->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, crowd->palette, 0);
    bool is_complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)read);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)draw);
    return is_complete;
}

static const char* file_of(const char* name)
{
    const pelt_shader_file* files;
    uint32_t count = pelt_shader_files(&files);
    for (uint32_t i = 0; i < count; ++i)
    {
        if (strcmp(files[i].name, name) == 0)
        {
            return files[i].text;
        }
    }
    return NULL;
}

static pelt_result find_pose_program(pelt_gl_crowd* crowd, pelt_gl* gl, pelt_error* error)
{
    // Programs add the prologue of their language themselves.
    char* source;
    PELT_TRY(pelt_shader_pose_source(&source, PELT_GLSL_330, &crowd->baked->format, error));
    const char* fragment = source + strlen(pelt_shader_prologue(PELT_GLSL_330));
    pelt_gl_program program;
    pelt_gl_program_desc desc = {
        .influence_count = 1, .vertex_main = file_of("pose_vertex.glsl"), .fragment = fragment};
    pelt_result result = pelt_gl_program_get(&program, gl, &desc, error);
    crowd->pose_program = program.name;
    pelt_release(source);
    return result;
}

static pelt_result create_posed(pelt_gl_crowd* crowd, pelt_gl* gl, pelt_error* error)
{
    size_t rows = palette_rows(crowd, crowd->instance_count);
    if (rows > gl->info.texture_rows)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "%u joints of %u instances do not fit into a texture of this driver",
                              crowd->baked->joint_count, crowd->instance_count);
    }
    create_playback_texture(crowd);
    glGenVertexArrays(1, &crowd->vertex_array);
    if (!create_palette(crowd))
    {
        pelti_gl_check(NULL, "");
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "this driver cannot write textures of floats, which OpenGL ES calls "
                              "EXT_color_buffer_float; use PELT_PALETTE_BAKED");
    }
    PELT_TRY(pelti_gl_check(error, "poses of a crowd"));
    return find_pose_program(crowd, gl, error);
}

static pelt_result create_baked(pelt_gl_crowd* crowd, pelt_error* error)
{
    size_t bytes = crowd->instance_count * sizeof *crowd->staging;
    glGenBuffers(1, &crowd->buffer);
    glBindBuffer(GL_ARRAY_BUFFER, crowd->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)bytes, crowd->staging, GL_DYNAMIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    return pelti_gl_check(error, "instances of a crowd");
}

static pelt_result create_kind(pelt_gl_crowd* out, pelt_gl* gl, const pelt_gl_baked* baked,
                               uint32_t instance_count, pelt_palette_kind kind, pelt_error* error)
{
    size_t count = playback_rows(instance_count) * ROW_PLAYBACKS;
    *out = (pelt_gl_crowd){.baked = baked, .kind = kind, .instance_count = instance_count};
    out->staging = pelt_allocate(count, sizeof *out->staging);
    out->transform_staging = pelt_allocate(instance_count, sizeof *out->transform_staging);
    if (out->staging == NULL || out->transform_staging == NULL)
    {
        pelt_gl_crowd_destroy(out);
        return pelt_error_memory(error);
    }
    memset(out->staging, 0, count * sizeof *out->staging);
    glGenBuffers(1, &out->transform_buffer);
    pelt_result result =
        kind == PELT_PALETTE_POSED ? create_posed(out, gl, error) : create_baked(out, error);
    if (result != PELT_OK)
    {
        pelt_gl_crowd_destroy(out);
    }
    return result;
}

pelt_result pelt_gl_crowd_create(pelt_gl_crowd* out, pelt_gl* gl, const pelt_gl_baked* baked,
                                 uint32_t instance_count, pelt_palette_kind kind, pelt_error* error)
{
    PELT_ASSERT(instance_count > 0);
    PELT_ASSERT(kind == PELT_PALETTE_AUTO || kind == PELT_PALETTE_BAKED ||
                kind == PELT_PALETTE_POSED);
    PELT_ASSERT(kind != PELT_PALETTE_POSED || baked->format.encoding != PELT_ENCODING_VERTEX);
    if (kind == PELT_PALETTE_AUTO && baked->format.encoding == PELT_ENCODING_LOCAL)
    {
        pelt_result result = create_kind(out, gl, baked, instance_count, PELT_PALETTE_POSED, error);
        if (result != PELT_ERROR_UNSUPPORTED)
        {
            return result;
        }
    }
    return create_kind(out, gl, baked, instance_count,
                       kind == PELT_PALETTE_AUTO ? PELT_PALETTE_BAKED : kind, error);
}

void pelt_gl_crowd_destroy(pelt_gl_crowd* crowd)
{
    glDeleteBuffers(1, &crowd->buffer);
    glDeleteBuffers(1, &crowd->transform_buffer);
    glDeleteTextures(1, &crowd->playbacks);
    glDeleteTextures(1, &crowd->palette);
    glDeleteFramebuffers(1, &crowd->framebuffer);
    glDeleteVertexArrays(1, &crowd->vertex_array);
    pelt_release(crowd->staging);
    pelt_release(crowd->transform_staging);
    *crowd = (pelt_gl_crowd){0};
}

// ---------------------------------------------------------------------------------------------
// Each frame

static void upload(pelt_gl_crowd* crowd, uint32_t count)
{
    crowd->used_count = count;
    if (crowd->kind == PELT_PALETTE_POSED)
    {
        GLsizei rows = (GLsizei)((count + ROW_PLAYBACKS - 1) / ROW_PLAYBACKS);
        pelti_texels_bind(crowd->playbacks, 0);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, PELT_PALETTE_WIDTH, rows, GL_RGBA_INTEGER,
                        GL_UNSIGNED_INT, crowd->staging);
        return;
    }
    glBindBuffer(GL_ARRAY_BUFFER, crowd->buffer);
    glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)(count * sizeof *crowd->staging),
                    crowd->staging);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void pelt_gl_crowd_update(pelt_gl_crowd* crowd, const pelt_playback* playbacks, uint32_t count)
{
    PELT_ASSERT(count <= crowd->instance_count);
    for (uint32_t i = 0; i < count; ++i)
    {
        PELT_ASSERT(playbacks[i].base.clip < crowd->baked->clip_count);
        crowd->staging[i] = pelt_gpu_playback_of(&playbacks[i]);
    }
    crowd->has_transforms = false;
    upload(crowd, count);
}

void pelt_gl_crowd_gather(pelt_gl_crowd* crowd, const pelt_crowd_members* members,
                          const uint32_t* order, uint32_t count)
{
    PELT_ASSERT(count <= crowd->instance_count);
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t member = order != NULL ? order[i] : i;
        const pelt_playback* playback = &members->playbacks[member];
        PELT_ASSERT(playback->base.clip < crowd->baked->clip_count);
        crowd->staging[i] = pelt_gpu_playback_of(playback);
        crowd->transform_staging[i] = members->transforms[member];
    }
    crowd->has_transforms = true;
    upload(crowd, count);
    glBindBuffer(GL_ARRAY_BUFFER, crowd->transform_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *crowd->transform_staging),
                 crowd->transform_staging, GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

const char* pelt_gl_crowd_transform_text(void)
{
    return pelti_render_file("render_transform.glsl");
}

static const GLenum switches[] = {GL_DEPTH_TEST, GL_STENCIL_TEST, GL_SCISSOR_TEST, GL_CULL_FACE,
                                  GL_BLEND};

enum
{
    SWITCH_COUNT = sizeof switches / sizeof switches[0]
};

// The state of the renderer that the pose pass changes.
typedef struct pass_state
{
    GLint read, draw, viewport[4];
    GLboolean color_mask[4], is_on[SWITCH_COUNT];
} pass_state;

static void begin_pass(pass_state* out)
{
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &out->read);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &out->draw);
    glGetIntegerv(GL_VIEWPORT, out->viewport);
    glGetBooleanv(GL_COLOR_WRITEMASK, out->color_mask);
    for (int i = 0; i < SWITCH_COUNT; ++i)
    {
        out->is_on[i] = glIsEnabled(switches[i]);
        glDisable(switches[i]);
    }
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

static void end_pass(const pass_state* before)
{
    const GLboolean* mask = before->color_mask;
    const GLint* viewport = before->viewport;
    glColorMask(mask[0], mask[1], mask[2], mask[3]);
    for (int i = 0; i < SWITCH_COUNT; ++i)
    {
        if (before->is_on[i])
        {
            glEnable(switches[i]);
        }
    }
    glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)before->read);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)before->draw);
}

pelt_result pelt_gl_crowd_pose(pelt_gl_crowd* crowd, pelt_error* error)
{
    if (crowd->kind != PELT_PALETTE_POSED || crowd->used_count == 0)
    {
        return PELT_OK;
    }
    pass_state before;
    begin_pass(&before);
    glBindFramebuffer(GL_FRAMEBUFFER, crowd->framebuffer);
    glViewport(0, 0, PELT_PALETTE_WIDTH, (GLsizei)palette_rows(crowd, crowd->used_count));
    pelti_texels_bind(crowd->baked->texture, PELT_GL_BAKED_UNIT);
    pelti_texels_bind(crowd->playbacks, PELT_GL_PALETTE_UNIT);
    glUseProgram(crowd->pose_program);
    glBindVertexArray(crowd->vertex_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glUseProgram(0);
    end_pass(&before);
    return pelti_gl_check(error, "the pose pass");
}

// ---------------------------------------------------------------------------------------------
// Drawing

pelt_gl_program_desc pelt_gl_crowd_program_desc(const pelt_gl_crowd* crowd,
                                                const pelt_gl_mesh* mesh, pelt_method method,
                                                pelt_gpu_scale scale)
{
    bool has_vertices = crowd->baked->format.encoding == PELT_ENCODING_VERTEX;
    PELT_ASSERT(!has_vertices || (mesh->attributes & 1u << PELT_ATTRIBUTE_VERTEX));
    return (pelt_gl_program_desc){.method = has_vertices ? PELT_METHOD_LBS : method,
                                  .scale = scale,
                                  .layout = PELT_GPU_LAYOUT_SHARED,
                                  .influence_count = mesh->influence_count,
                                  .palette = crowd->kind,
                                  .has_mix_factors =
                                      (mesh->attributes & 1u << PELT_ATTRIBUTE_MIX) != 0,
                                  .normals = has_vertices ? (pelt_gpu_normals){0} : mesh->normals,
                                  .baked = crowd->baked->format};
}

void pelt_gl_crowd_use(const pelt_gl_crowd* crowd, const pelt_gl_program* program, float mix)
{
    glUseProgram(program->name);
    if (crowd->kind == PELT_PALETTE_POSED)
    {
        pelti_texels_bind(crowd->palette, PELT_GL_PALETTE_UNIT);
    }
    else
    {
        pelti_texels_bind(crowd->baked->texture, PELT_GL_BAKED_UNIT);
    }
    // Setting a uniform that a program does not have does nothing.
    glUniform1ui(program->joint_count, crowd->baked->joint_count);
    glUniform1f(program->mix, mix);
}

// Let the bound vertex array read two attributes of four numbers from one instance on.
static void enable_instances(uint32_t location)
{
    for (GLuint i = location; i < location + 2; ++i)
    {
        glVertexAttribDivisor(i, 1);
        glEnableVertexAttribArray(i);
    }
}

static void attach_playbacks(const pelt_gl_crowd* crowd, uint32_t instance)
{
    size_t offset = instance * sizeof(pelt_gpu_playback);
    GLsizei stride = sizeof(pelt_gpu_playback);
    glBindBuffer(GL_ARRAY_BUFFER, crowd->buffer);
    glVertexAttribIPointer(PELT_PLAYBACK_LOCATION, 4, GL_UNSIGNED_INT, stride, (void*)offset);
    glVertexAttribPointer(PELT_TIMES_LOCATION, 4, GL_FLOAT, GL_FALSE, stride,
                          (void*)(offset + offsetof(pelt_gpu_playback, base_time)));
    enable_instances(PELT_PLAYBACK_LOCATION);
}

static void attach_transforms(const pelt_gl_crowd* crowd, uint32_t instance)
{
    size_t offset = instance * sizeof(pelt_crowd_transform);
    GLsizei stride = sizeof(pelt_crowd_transform);
    glBindBuffer(GL_ARRAY_BUFFER, crowd->transform_buffer);
    glVertexAttribPointer(PELT_CROWD_POSITION_LOCATION, 4, GL_FLOAT, GL_FALSE, stride,
                          (void*)offset);
    glVertexAttribPointer(PELT_CROWD_ROTATION_LOCATION, 4, GL_FLOAT, GL_FALSE, stride,
                          (void*)(offset + offsetof(pelt_crowd_transform, rotation)));
    enable_instances(PELT_CROWD_POSITION_LOCATION);
}

// Let the vertex array of a mesh read instances from one on, and tell the program in use whose
// joints are the first.
static void attach(const pelt_gl_crowd* crowd, const pelt_gl_program* program,
                   const pelt_gl_mesh* mesh, uint32_t first_joint, uint32_t instance)
{
    bool is_posed = crowd->kind == PELT_PALETTE_POSED;
    uint32_t shift = is_posed ? instance * crowd->baked->joint_count : 0;
    glUniform1ui(program->first_joint, first_joint + shift);
    glBindVertexArray(mesh->vertex_array);
    if (!is_posed)
    {
        attach_playbacks(crowd, instance);
    }
    if (crowd->has_transforms)
    {
        attach_transforms(crowd, instance);
    }
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

// The vertex array is the mesh's, and drawn without a crowd as well.
static void detach(const pelt_gl_crowd* crowd, const pelt_gl_mesh* mesh)
{
    glBindVertexArray(mesh->vertex_array);
    if (crowd->kind == PELT_PALETTE_BAKED)
    {
        glDisableVertexAttribArray(PELT_PLAYBACK_LOCATION);
        glDisableVertexAttribArray(PELT_TIMES_LOCATION);
    }
    if (crowd->has_transforms)
    {
        glDisableVertexAttribArray(PELT_CROWD_POSITION_LOCATION);
        glDisableVertexAttribArray(PELT_CROWD_ROTATION_LOCATION);
    }
}

void pelt_gl_crowd_draw(const pelt_gl_crowd* crowd, const pelt_gl_program* program,
                        const pelt_gl_mesh* mesh, uint32_t first_joint, pelt_range instances)
{
    PELT_ASSERT((uint64_t)instances.first + instances.count <= crowd->used_count);
    attach(crowd, program, mesh, first_joint, instances.first);
    pelti_gl_mesh_draw_instances(mesh, instances.count);
    detach(crowd, mesh);
}

pelt_result pelt_gl_crowd_skin(const pelt_surface* out, pelt_gl* gl,
                               const pelt_gl_crowd_skin_desc* desc, pelt_error* error)
{
    const pelt_gl_crowd* crowd = desc->crowd;
    const pelt_gl_mesh* mesh = desc->mesh;
    PELT_ASSERT(desc->instance < crowd->used_count);
    pelt_gl_program program;
    pelt_gl_program_desc what = pelt_gl_crowd_program_desc(crowd, mesh, desc->method, desc->scale);
    pelt_result result = pelt_gl_program_get(&program, gl, &what, error);
    if (result != PELT_OK || mesh->vertex_count == 0)
    {
        return result;
    }
    uint32_t buffer = pelti_gl_feedback_buffer(gl, mesh);
    pelt_gl_crowd_use(crowd, &program, desc->mix);
    attach(crowd, &program, mesh, desc->first_joint, desc->instance);
    result = pelti_gl_feedback_draw(buffer, gl, mesh, error);
    detach(crowd, mesh);
    glBindVertexArray(0);
    return pelti_gl_feedback_read(out, gl, mesh, result, error);
}
