// SPDX-License-Identifier: MIT
// Draws one shot of a stage: the camera, and everything in order.
#include "stage.h"

#include <epoxy/gl.h>

// ---------------------------------------------------------------------------------------------
// Camera

float pelti_shot_scale(const pelti_shot* shot, pelt_vec3 at)
{
    float distance = pelt_vec3_dot(shot->view.back, pelt_vec3_sub(shot->eye, at));
    return shot->pixels_per_radian / fmaxf(distance, 1e-6f);
}

// The range of depths, with some margin for bones that stick out.
static void choose_depths(float* near, float* far, const pelt_stage* stage, const pelti_shot* shot)
{
    pelt_vec3 corners[8];
    float low = INFINITY, high = 0.0f;
    pelti_box_corners(corners, &stage->bounds);
    for (int i = 0; i < 8; ++i)
    {
        float depth = pelt_vec3_dot(shot->view.back, pelt_vec3_sub(shot->eye, corners[i]));
        low = fminf(low, depth);
        high = fmaxf(high, depth);
    }
    float size = fmaxf(pelt_bounds_diagonal(&stage->bounds), 1e-6f);
    *far = high + size + shot->ground_radius;
    // The ground comes nearer than the character; 24 bits of depth suffice for that.
    *near = fmaxf(0.02f * low, 1e-4f * *far);
}

static pelti_shot make_shot(const pelt_stage* stage, uint32_t width, uint32_t height,
                            const pelt_camera* camera, const pelt_look* look)
{
    float field_of_view = camera->field_of_view > 0.0f ? camera->field_of_view : 0.5f;
    pelti_shot shot = {.width = width,
                       .height = height,
                       .look = look,
                       .view = pelti_view_toward(pelt_vec3_sub(camera->eye, camera->target)),
                       .eye = camera->eye,
                       .pixels_per_radian = 0.5f * (float)height / tanf(0.5f * field_of_view),
                       .ground_radius = 4.0f * pelt_bounds_diagonal(&stage->bounds)};
    float near, far;
    choose_depths(&near, &far, stage, &shot);
    pelti_mat4 projection =
        pelti_mat4_perspective(field_of_view, (float)width / (float)height,
                               camera->near_plane > 0.0f ? camera->near_plane : near,
                               camera->far_plane > 0.0f ? camera->far_plane : far);
    pelti_mat4 view = pelti_mat4_view(&shot.view, shot.eye);
    shot.clip_from_model = pelti_mat4_mul(&projection, &view);
    return shot;
}

// ---------------------------------------------------------------------------------------------
// State

bool pelti_can_switch_srgb(void)
{
    return epoxy_is_desktop_gl() || epoxy_has_gl_extension("GL_EXT_sRGB_write_control");
}

// Whether the framebuffer has an sRGB format, in which conversion is optional.
static bool is_srgb_target(GLint framebuffer)
{
    if (!pelti_can_switch_srgb())
    {
        return false;
    }
    GLenum window = epoxy_is_desktop_gl() ? GL_BACK_LEFT : GL_BACK;
    GLint encoding = GL_LINEAR;
    glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER,
                                          framebuffer != 0 ? GL_COLOR_ATTACHMENT0 : window,
                                          GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING, &encoding);
    return encoding == GL_SRGB;
}

static void describe_target(pelti_shot* out, const pelt_stage* stage, GLint framebuffer)
{
    GLint samples = 0;
    glGetIntegerv(GL_SAMPLES, &samples);
    out->is_sampled = samples > 1;
    out->is_srgb = is_srgb_target(framebuffer);
    out->is_own = framebuffer != 0 && (GLuint)framebuffer == stage->target.framebuffer;
}

// Set all state that drawing relies on; the user's program may have set any.
static void reset_state(void)
{
    static const GLenum off[] = {GL_BLEND,
                                 GL_CULL_FACE,
                                 GL_SCISSOR_TEST,
                                 GL_STENCIL_TEST,
                                 GL_DITHER,
                                 GL_POLYGON_OFFSET_FILL,
                                 GL_SAMPLE_COVERAGE,
                                 GL_SAMPLE_ALPHA_TO_COVERAGE,
                                 GL_RASTERIZER_DISCARD};
    static const GLenum off_on_desktops[] = {GL_COLOR_LOGIC_OP, GL_DEPTH_CLAMP,
                                             GL_SAMPLE_ALPHA_TO_ONE, GL_SAMPLE_MASK,
                                             GL_PRIMITIVE_RESTART};
    for (size_t i = 0; i < sizeof off / sizeof *off; ++i)
    {
        glDisable(off[i]);
    }
    if (pelti_can_switch_srgb())
    {
        glDisable(GL_FRAMEBUFFER_SRGB);
    }
    if (epoxy_is_desktop_gl())
    {
        for (size_t i = 0; i < sizeof off_on_desktops / sizeof *off_on_desktops; ++i)
        {
            glDisable(off_on_desktops[i]);
        }
        glEnable(GL_MULTISAMPLE);
        glEnable(GL_PROGRAM_POINT_SIZE);
        glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
        glDepthRange(0.0, 1.0);
    }
    else
    {
        glDepthRangef(0.0f, 1.0f);
    }
    for (GLuint unit = 0; unit < PELTI_UNIT_COUNT; ++unit)
    {
        glBindSampler(unit, 0);
    }
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glCullFace(GL_BACK);
    glFrontFace(GL_CCW);
    glLineWidth(1.0f);
    // Colors are premultiplied by alpha everywhere.
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

// ---------------------------------------------------------------------------------------------
// Layers

static pelt_result draw_background(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    pelt_color c = shot->look->background;
    float alpha = (float)c.a / 255.0f;
    const float color[4] = {(float)c.r / 255.0f * alpha, (float)c.g / 255.0f * alpha,
                            (float)c.b / 255.0f * alpha, alpha};
    const float farthest = 1.0f;
    glClearBufferfv(GL_COLOR, 0, color);
    glClearBufferfv(GL_DEPTH, 0, &farthest);
    bool is_default = c.r == 0 && c.g == 0 && c.b == 0 && c.a == 0;
    return is_default ? pelti_back_draw(stage, error) : PELT_OK;
}

static pelt_result draw_surfaces(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    bool has_wire = (shot->look->show & PELT_SHOW_WIRE) != 0;
    // Slightly behind its own edges.
    if (has_wire)
    {
        glEnable(GL_POLYGON_OFFSET_FILL);
        glPolygonOffset(1.0f, 1.0f);
    }
    if (pelti_blend_needs_stencil(stage, shot))
    {
        const GLint clear = 0;
        glClearBufferiv(GL_STENCIL, 0, &clear);
        glEnable(GL_STENCIL_TEST);
        glStencilFunc(GL_ALWAYS, 1, 0xff);
        glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    }
    pelt_result result =
        stage->shades_pixels
            ? pelti_shade_draw(stage, shot, error)
            : pelti_bodies_draw(stage, PELTI_PASS_SURFACE, &shot->clip_from_model, shot, error);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_POLYGON_OFFSET_FILL);
    return result;
}

// Blended surfaces are above the ground: it is drawn first, unless the eye is below it.
static bool is_ground_before(const pelt_stage* stage, const pelti_shot* shot)
{
    return shot->eye.y < stage->bounds.min.y;
}

static pelt_result draw_ground_behind(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    return is_ground_before(stage, shot) ? PELT_OK : pelti_ground_draw(stage, shot, error);
}

static pelt_result draw_ground_before(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    return is_ground_before(stage, shot) ? pelti_ground_draw(stage, shot, error) : PELT_OK;
}

static pelt_result draw_wire(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    glEnable(GL_BLEND);
    glDepthMask(GL_FALSE);
    pelt_result result =
        pelti_bodies_draw(stage, PELTI_PASS_WIRE, &shot->clip_from_model, shot, error);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    return result;
}

typedef pelt_result (*layer_draw)(pelt_stage* stage, const pelti_shot* shot, pelt_error* error);

// From back to front; bones come last, except dots that would be hidden in them.
static pelt_result draw_layers(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    static const struct
    {
        uint32_t bit; // of pelt_show; 0: always
        layer_draw draw;
    } layers[] = {{0, draw_background},
                  {0, draw_surfaces},
                  {PELT_SHOW_GROUND, draw_ground_behind},
                  {0, pelti_blend_draw},
                  {PELT_SHOW_GROUND, draw_ground_before},
                  {PELT_SHOW_WIRE, draw_wire},
                  {PELT_SHOW_NORMALS, pelti_normals_draw},
                  {PELT_SHOW_BOXES, pelti_boxes_draw},
                  {PELT_SHOW_JOINT_BOXES, pelti_joint_boxes_draw},
                  {0, pelti_look_boxes_draw},
                  {PELT_SHOW_BONES, pelti_bones_draw},
                  {PELT_SHOW_CORS, pelti_cors_draw}};
    pelt_result result = PELT_OK;
    for (size_t i = 0; i < sizeof layers / sizeof *layers && result == PELT_OK; ++i)
    {
        if (layers[i].bit == 0 || (shot->look->show & layers[i].bit))
        {
            result = layers[i].draw(stage, shot, error);
        }
    }
    return result;
}

pelt_result pelt_stage_draw(pelt_stage* stage, uint32_t width, uint32_t height,
                            const pelt_camera* camera, const pelt_look* look, pelt_error* error)
{
    PELT_ASSERT(stage->frame != NULL);
    PELT_ASSERT(width > 0 && height > 0);
    GLint read = 0, target = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    pelti_shot shot = make_shot(stage, width, height, camera, look);
    reset_state();
    pelt_result result = pelti_lights_update(stage, &shot, error);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)read);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)target);
    glViewport(0, 0, (GLsizei)width, (GLsizei)height);
    describe_target(&shot, stage, target);
    if (result == PELT_OK)
    {
        result = draw_layers(stage, &shot, error);
    }
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glUseProgram(0);
    return result == PELT_OK ? pelti_gl_check(error, "drawing a stage") : result;
}
