// SPDX-License-Identifier: MIT
#include "gl_scene.h"

static int solve_centers(gl_scene* s)
{
    s->cors = pelt_arena_alloc(s->arena, s->scene->mesh_count, sizeof *s->cors);
    ENSURE(s->cors != NULL);
    for (uint32_t i = 0; i < s->scene->mesh_count; ++i)
    {
        const pelt_mesh* mesh = &s->scene->meshes[i];
        if (mesh->weights.vertex_count > 0)
        {
            s->cors[i] = pelt_arena_alloc(s->arena, mesh->vertex_count, sizeof(pelt_vec3));
            pelt_cor_input input = {1, &mesh};
            ENSURE(pelt_cor_solve(&s->cors[i], &input, NULL, NULL) == PELT_OK);
        }
    }
    return 0;
}

int gl_scene_find_factors(gl_scene* s, uint32_t slots)
{
    s->factors = pelt_arena_alloc(s->arena, s->scene->mesh_count, sizeof *s->factors);
    ENSURE(s->factors != NULL);
    for (uint32_t i = 0; i < s->scene->mesh_count; ++i)
    {
        const pelt_mesh* mesh = &s->scene->meshes[i];
        const pelt_normal_options options = {.max_joints = slots};
        if (mesh->weights.vertex_count > 0)
        {
            ENSURE(pelt_normal_factors_build(&s->factors[i], mesh, s->cors[i], &options,
                                             s->arena) == PELT_OK);
        }
    }
    return 0;
}

int gl_scene_open(gl_scene* out, pelt_scene* scene)
{
    *out = (gl_scene){.scene = scene, .arena = pelt_arena_create()};
    ENSURE(pelt_pose_create(&out->pose, scene) == PELT_OK);
    ENSURE(pelt_frame_create(&out->frame, scene) == PELT_OK);
    return solve_centers(out);
}

void gl_scene_close(gl_scene* s)
{
    pelt_arena_destroy(s->arena);
    pelt_frame_destroy(&s->frame);
    pelt_pose_destroy(&s->pose);
    pelt_scene_destroy(s->scene);
}

void gl_scene_pose(gl_scene* s, const pelt_clip* clip, float time)
{
    pelt_pose_rest(&s->pose, s->scene);
    if (clip != NULL)
    {
        pelt_pose_sample(&s->pose, s->scene, clip, time, PELT_WRAP_CLAMP);
    }
    pelt_frame_update(&s->frame, s->scene, &s->pose, &(pelt_deform_options){0});
}

static int compare_instance(gl_scene* s, pelt_gl* gl, const pelt_instance* instance,
                            const gl_case* how)
{
    const pelt_palette* palette = &s->frame.palettes[instance->skin];
    s->compared_count++;
    s->scaled_count += !palette->is_rigid;
    for (uint32_t i = 0; i < GL_METHOD_COUNT; ++i)
    {
        gl_case c = *how;
        c.mesh = &s->scene->meshes[instance->mesh];
        c.palette = palette;
        c.cors = s->cors[instance->mesh];
        c.method = gl_methods[i];
        c.factors = how->rule != PELT_NORMAL_STANDARD ? &s->factors[instance->mesh] : NULL;
        c.mix = 0.5f;
        ENSURE(gl_compare(&s->worst[i], gl, &c) == 0);
    }
    return 0;
}

int gl_scene_compare(gl_scene* s, pelt_gl* gl, const gl_case* how)
{
    for (uint32_t i = 0; i < s->scene->instance_count; ++i)
    {
        const pelt_instance* instance = &s->scene->instances[i];
        if (instance->skin != PELT_NONE)
        {
            ENSURE(compare_instance(s, gl, instance, how) == 0);
        }
    }
    return 0;
}
