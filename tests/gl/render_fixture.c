// SPDX-License-Identifier: MIT
#include "render_fixture.h"

#include <stdlib.h>
#include <string.h>

void render_square_make(render_square* out)
{
    *out = (render_square){.positions = {{-0.5f, 1.0f, 0.0f},
                                         {-0.5f, 0.0f, 0.0f},
                                         {0.5f, 0.0f, 0.0f},
                                         {0.5f, 1.0f, 0.0f}},
                           .uvs = {{0.0f, 0.0f}, {0.0f, 1.0f}, {1.0f, 1.0f}, {1.0f, 0.0f}},
                           .indices = {0, 1, 2, 0, 2, 3},
                           .material = {.base_color = {0.5f, 0.5f, 0.5f, 1.0f}, .roughness = 1.0f},
                           .node = {.parent = PELT_NONE, .rest = pelt_transform_identity()},
                           .instance = {.mesh = 0, .skin = PELT_NONE, .node = 0}};
    for (int i = 0; i < 4; ++i)
    {
        out->normals[i] = pelt_vec3_make(0.0f, 0.0f, 1.0f);
    }
    out->mesh = (pelt_mesh){.vertex_count = 4,
                            .index_count = 6,
                            .positions = out->positions,
                            .normals = out->normals,
                            .uvs = out->uvs,
                            .indices = out->indices};
    out->scene = (pelt_scene){.node_count = 1,
                              .mesh_count = 1,
                              .instance_count = 1,
                              .material_count = 1,
                              .nodes = &out->node,
                              .meshes = &out->mesh,
                              .instances = &out->instance,
                              .materials = &out->material};
}

static pelt_result draw(const pelt_picture* out, pelt_stage* stage, const pelt_frame* frame,
                        const render_case* c, pelt_error* error)
{
    pelt_result result = pelt_stage_pose(stage, frame, &c->deform, c->skinning, error);
    return result == PELT_OK ? pelt_stage_picture(out, stage, &c->camera, &c->look, error) : result;
}

static pelt_result take(const pelt_picture* out, const render_case* c, pelt_pose* pose,
                        pelt_frame* frame, pelt_error* error)
{
    pelt_stage* stage;
    if (c->clip != NULL)
    {
        pelt_pose_sample(pose, c->scene, c->clip, c->clip->duration, PELT_WRAP_CLAMP);
    }
    if (c->method != NULL)
    {
        frame->methods[0] = *c->method;
    }
    if (c->cors != NULL)
    {
        frame->cors[0] = c->cors;
    }
    if (c->factors != NULL)
    {
        frame->normal_factors[0] = c->factors;
    }
    pelt_frame_update(frame, c->scene, pose, &c->deform);
    pelt_result result = pelt_stage_create(&stage, c->gl, c->scene, &c->options, error);
    if (result == PELT_OK)
    {
        result = draw(out, stage, frame, c, error);
    }
    pelt_stage_destroy(stage);
    return result;
}

pelt_result render_take(pelt_picture* out, const render_case* c, pelt_error* error)
{
    pelt_pose pose = {0};
    pelt_frame frame = {0};
    pelt_result result = pelt_picture_create(out, c->width ? c->width : RENDER_WIDTH,
                                             c->height ? c->height : RENDER_HEIGHT, error);
    if (result == PELT_OK)
    {
        result = pelt_pose_create(&pose, c->scene);
    }
    if (result == PELT_OK)
    {
        result = pelt_frame_create(&frame, c->scene);
    }
    if (result == PELT_OK)
    {
        result = take(out, c, &pose, &frame, error);
    }
    if (result != PELT_OK)
    {
        pelt_picture_destroy(out);
    }
    pelt_frame_destroy(&frame);
    pelt_pose_destroy(&pose);
    return result;
}

render_point render_project(const pelt_camera* camera, pelt_vec3 p, double width, double height)
{
    double back[3] = {(double)camera->eye.x - (double)camera->target.x,
                      (double)camera->eye.y - (double)camera->target.y,
                      (double)camera->eye.z - (double)camera->target.z};
    double length = sqrt(back[0] * back[0] + back[1] * back[1] + back[2] * back[2]);
    double flat = sqrt(back[0] * back[0] + back[2] * back[2]);
    double right[2] = {back[2] / flat, -back[0] / flat}; // x and z
    double up[3] = {-back[0] * back[1] / (flat * length), flat / length,
                    -back[2] * back[1] / (flat * length)};
    double d[3] = {(double)p.x - (double)camera->eye.x, (double)p.y - (double)camera->eye.y,
                   (double)p.z - (double)camera->eye.z};
    double x = right[0] * d[0] + right[1] * d[2];
    double y = up[0] * d[0] + up[1] * d[1] + up[2] * d[2];
    double z = -(back[0] * d[0] + back[1] * d[1] + back[2] * d[2]) / length;
    double scale = 0.5 * height / tan(0.5 * (double)camera->field_of_view);
    return (render_point){0.5 * width + scale * x / z, 0.5 * height - scale * y / z, z};
}

pelt_color render_pixel(const pelt_picture* picture, render_point at)
{
    if (!(at.x >= 0.0 && at.y >= 0.0 && at.x < picture->width && at.y < picture->height))
    {
        return (pelt_color){0};
    }
    return picture->pixels[(size_t)at.y * picture->width + (size_t)at.x];
}

uint32_t render_count_different(const pelt_picture* a, const pelt_picture* b, int steps)
{
    uint32_t count = 0;
    for (size_t i = 0; i < (size_t)a->width * a->height; ++i)
    {
        pelt_color p = a->pixels[i], q = b->pixels[i];
        count += abs(p.r - q.r) > steps || abs(p.g - q.g) > steps || abs(p.b - q.b) > steps ||
                 abs(p.a - q.a) > steps;
    }
    return count;
}
