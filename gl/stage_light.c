// SPDX-License-Identifier: MIT
// Lights and occlusion: a shadow map of the key light, and small ones from all over the sky, whose
// mean is the occlusion of ambient light.
#include "stage.h"

#include <epoxy/gl.h>

enum
{
    KEY_SIDE = 1024, // texels
    SKY_SIDE = 256,  // of a tile
    SKY_COLUMNS = 4,
    SKY_ROWS = 2,
    SKY_TRIANGLES = 600000, // more are not drawn into its maps by software
};

// As render_frame in render_light.glsl, std140.
typedef struct frame_block
{
    pelti_mat4 key_from_model;
    pelti_mat4 sky_from_model[PELTI_SKY_COUNT];
    pelti_mat4 earth_from_model;
    pelt_vec4 sky_directions[PELTI_SKY_COUNT];
    pelt_vec4 eye, key_direction, map_steps, ground, ink, earth;
} frame_block;

static pelt_vec3 direction_of(float azimuth, float elevation)
{
    return pelt_vec3_make(sinf(azimuth) * cosf(elevation), sinf(elevation),
                          cosf(azimuth) * cosf(elevation));
}

// The radius in which the ground is occluded, relative to the map.
static const float earth_radius = 0.09f;

// Three high and four low directions, at equal angles, none above another.
static pelt_vec3 sky_direction(uint32_t i)
{
    return i < 3 ? direction_of(2.0f * PELT_PI * ((float)i + 0.25f) / 3.0f, 1.08f)
                 : direction_of(2.0f * PELT_PI * ((float)i - 2.9f) / 4.0f, 0.42f);
}

// From the upper left of the camera, so that every view is lit.
static pelt_vec3 key_direction(const pelti_view* view)
{
    float behind = atan2f(-view->right.z, view->right.x);
    return direction_of(behind - 0.75f, 0.88f);
}

// ---------------------------------------------------------------------------------------------
// Maps

static void create_map(uint32_t* texture, uint32_t* framebuffer, int width, int height)
{
    const GLenum none = GL_NONE;
    glGenTextures(1, texture);
    glBindTexture(GL_TEXTURE_2D, *texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, width, height, 0, GL_DEPTH_COMPONENT,
                 GL_UNSIGNED_INT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glGenFramebuffers(1, framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, *texture, 0);
    glDrawBuffers(1, &none);
    glReadBuffer(GL_NONE);
}

void pelti_lights_create(pelti_lights* out)
{
    GLint read = 0, draw = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw);
    glActiveTexture(GL_TEXTURE0);
    create_map(&out->key_texture, &out->key_framebuffer, KEY_SIDE, KEY_SIDE);
    create_map(&out->sky_texture, &out->sky_framebuffer, SKY_COLUMNS * SKY_SIDE,
               SKY_ROWS * SKY_SIDE);
    glBindTexture(GL_TEXTURE_2D, 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)read);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)draw);
    glGenBuffers(1, &out->frame_buffer);
    glBindBuffer(GL_UNIFORM_BUFFER, out->frame_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof(frame_block), NULL, GL_DYNAMIC_DRAW);
    glBindBuffer(GL_UNIFORM_BUFFER, 0);
}

void pelti_lights_destroy(pelti_lights* lights)
{
    glDeleteFramebuffers(1, &lights->key_framebuffer);
    glDeleteFramebuffers(1, &lights->sky_framebuffer);
    glDeleteTextures(1, &lights->key_texture);
    glDeleteTextures(1, &lights->sky_texture);
    glDeleteBuffers(1, &lights->frame_buffer);
    *lights = (pelti_lights){0};
}

static void begin_map(uint32_t framebuffer)
{
    const float farthest = 1.0f;
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glClearBufferfv(GL_DEPTH, 0, &farthest);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(2.0f, 4.0f);
}

static pelt_result draw_depths(pelt_stage* stage, const pelti_mat4* clip, const pelti_shot* shot,
                               pelt_error* error)
{
    pelt_result result = pelti_bodies_draw(stage, PELTI_PASS_DEPTH, clip, shot, error);
    return result == PELT_OK && !stage->is_opaque
               ? pelti_bodies_draw(stage, PELTI_PASS_CUTOUT, clip, shot, error)
               : result;
}

// Once for a pose and a direction: pictures from one camera share it.
static pelt_result draw_key(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    pelti_lights* lights = &stage->lights;
    pelt_vec3 direction = key_direction(&shot->view);
    if (lights->is_key_drawn && direction.x == lights->key_direction.x &&
        direction.y == lights->key_direction.y && direction.z == lights->key_direction.z)
    {
        return PELT_OK;
    }
    float side;
    // As wide as the softest edge, so that it is not cut off.
    pelti_mat4 clip = pelti_mat4_parallel(&side, &stage->bounds, direction, 12.0f / KEY_SIDE);
    begin_map(lights->key_framebuffer);
    glViewport(0, 0, KEY_SIDE, KEY_SIDE);
    lights->key_from_model = pelti_mat4_to_texture(&clip);
    lights->key_direction = (pelt_vec4){direction.x, direction.y, direction.z, side / KEY_SIDE};
    pelt_result result = draw_depths(stage, &clip, shot, error);
    lights->is_key_drawn = result == PELT_OK;
    return result;
}

static pelt_result draw_tile(pelt_stage* stage, int tile, const pelti_mat4* clip,
                             const pelti_shot* shot, pelt_error* error)
{
    glViewport(tile % SKY_COLUMNS * SKY_SIDE, tile / SKY_COLUMNS * SKY_SIDE, SKY_SIDE, SKY_SIDE);
    return draw_depths(stage, clip, shot, error);
}

// The occlusion of the ground.
static pelt_result draw_earth(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    float side;
    pelti_mat4 clip = pelti_mat4_parallel(&side, &stage->bounds, pelt_vec3_make(0.0f, -1.0f, 0.0f),
                                          earth_radius + 2.0f / SKY_SIDE);
    stage->lights.earth_from_model = pelti_mat4_to_texture(&clip);
    // Scales along y, which is depth, and along x.
    stage->lights.earth_slope = fabsf(clip.m[6] / clip.m[0]);
    return draw_tile(stage, PELTI_SKY_COUNT, &clip, shot, error);
}

// Whether maps of the sky, which have all triangles eight times, take too long: those of two million
// triangles take a driver that draws on the processor half a minute.
static bool is_sky_empty(const pelt_stage* stage)
{
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < stage->scene->instance_count; ++i)
    {
        uint32_t mesh = stage->scene->instances[i].mesh;
        bool is_drawn = !pelti_body_is_duplicate(stage, i);
        triangles += is_drawn ? stage->meshes[mesh].mesh.index_count / 3 : 0;
    }
    return stage->gl->info.is_software && triangles > SKY_TRIANGLES;
}

// Once for a pose: the sky does not rotate with the camera.
static pelt_result draw_sky(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    pelti_lights* lights = &stage->lights;
    bool is_empty = is_sky_empty(stage);
    begin_map(lights->sky_framebuffer);
    pelt_result result = is_empty ? PELT_OK : draw_earth(stage, shot, error);
    lights->sky_texel = 0.0f;
    for (int i = 0; i < PELTI_SKY_COUNT && result == PELT_OK && !is_empty; ++i)
    {
        float side;
        pelti_mat4 clip =
            pelti_mat4_parallel(&side, &stage->bounds, sky_direction((uint32_t)i), 5.0f / SKY_SIDE);
        lights->sky_from_model[i] = pelti_mat4_to_texture(&clip);
        lights->sky_texel = fmaxf(lights->sky_texel, side / SKY_SIDE);
        result = draw_tile(stage, i, &clip, shot, error);
    }
    lights->is_sky_drawn = result == PELT_OK;
    return result;
}

// ---------------------------------------------------------------------------------------------

static bool is_dark(pelt_color background)
{
    bool is_default = background.r + background.g + background.b + background.a == 0;
    return !is_default && background.a > 0 &&
           2 * background.r + 5 * background.g + background.b < 8 * 110;
}

// Small cells are 0.1 m and large ones 1 m, or as many times ten as keep them in proportion.
static float cell_of(const pelt_bounds* bounds)
{
    float steps = floorf(log10f(fmaxf(0.25f * pelt_bounds_diagonal(bounds), 1.0f)));
    return powf(10.0f, steps);
}

static void fill_frame(frame_block* out, const pelt_stage* stage, const pelti_shot* shot)
{
    const pelt_bounds* bounds = &stage->bounds;
    pelt_vec3 center = pelt_vec3_lerp(bounds->min, bounds->max, 0.5f);
    float ink = is_dark(shot->look->background) ? 0.5f : 0.03f;
    out->key_from_model = stage->lights.key_from_model;
    out->key_direction = stage->lights.key_direction;
    for (uint32_t i = 0; i < PELTI_SKY_COUNT; ++i)
    {
        pelt_vec3 direction = sky_direction(i);
        out->sky_from_model[i] = stage->lights.sky_from_model[i];
        out->sky_directions[i] = (pelt_vec4){direction.x, direction.y, direction.z, 0.0f};
    }
    out->earth_from_model = stage->lights.earth_from_model;
    out->earth = (pelt_vec4){earth_radius, earth_radius * stage->lights.earth_slope, 0.0f, 0.0f};
    out->eye = (pelt_vec4){shot->eye.x, shot->eye.y, shot->eye.z, stage->lights.sky_texel};
    out->map_steps = (pelt_vec4){1.0f / KEY_SIDE, 1.0f / KEY_SIDE, 1.0f / (SKY_COLUMNS * SKY_SIDE),
                                 1.0f / (SKY_ROWS * SKY_SIDE)};
    out->ground = (pelt_vec4){bounds->min.y, center.x, center.z, shot->ground_radius};
    out->ink = (pelt_vec4){ink, ink, 1.15f * ink, cell_of(bounds)};
}

static void bind_all(const pelti_lights* lights, const frame_block* block)
{
    glBindBuffer(GL_UNIFORM_BUFFER, lights->frame_buffer);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof *block, block);
    glBindBufferBase(GL_UNIFORM_BUFFER, PELTI_FRAME_BINDING, lights->frame_buffer);
    glActiveTexture(GL_TEXTURE0 + PELTI_KEY_UNIT);
    glBindTexture(GL_TEXTURE_2D, lights->key_texture);
    glActiveTexture(GL_TEXTURE0 + PELTI_SKY_UNIT);
    glBindTexture(GL_TEXTURE_2D, lights->sky_texture);
    glActiveTexture(GL_TEXTURE0);
}

pelt_result pelti_lights_update(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    pelt_result result = draw_key(stage, shot, error);
    if (result == PELT_OK && !stage->lights.is_sky_drawn)
    {
        result = draw_sky(stage, shot, error);
    }
    glDisable(GL_POLYGON_OFFSET_FILL);
    if (result == PELT_OK)
    {
        frame_block block;
        fill_frame(&block, stage, shot);
        bind_all(&stage->lights, &block);
    }
    return result;
}

void pelti_lights_use(uint32_t program)
{
    GLuint block = glGetUniformBlockIndex(program, "render_frame");
    if (block != GL_INVALID_INDEX)
    {
        glUniformBlockBinding(program, block, PELTI_FRAME_BINDING);
    }
    pelti_uniform_int(program, "key_map", PELTI_KEY_UNIT);
    pelti_uniform_int(program, "sky_map", PELTI_SKY_UNIT);
}
