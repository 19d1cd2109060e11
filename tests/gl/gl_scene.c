// SPDX-License-Identifier: MIT
#include "gl_scene.h"

int gl_scene_find_factors(gl_scene* s, uint32_t slots)
{
    const pelt_scene_normal_options options = {.max_joints = slots};
    ENSURE(pelt_scene_add_normal_factors(&s->prepared, PELT_PREPARE_ALL, &options, NULL, s->arena,
                                         NULL) == PELT_OK);
    return 0;
}

int gl_scene_open(gl_scene* out, pelt_scene* scene)
{
    *out = (gl_scene){.scene = scene, .prepared = *scene, .arena = pelt_arena_create()};
    ENSURE(pelt_pose_create(&out->pose, scene) == PELT_OK);
    ENSURE(pelt_frame_create(&out->frame, scene) == PELT_OK);
    ENSURE(pelt_scene_add_cors(&out->prepared, PELT_PREPARE_ALL, NULL, NULL, out->arena, NULL) ==
           PELT_OK);
    return 0;
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
    uint32_t influences = s->scene->meshes[instance->mesh].weights.max_influences;
    uint32_t due = influences + (uint32_t)how->kind + (uint32_t)how->pivot;
    s->compared_count++;
    s->scaled_count += !palette->is_rigid;
    for (uint32_t i = 0; i < GL_METHOD_COUNT; ++i)
    {
        if (s->has_rotations && i != due % GL_METHOD_COUNT)
        {
            continue;
        }
        gl_case c = *how;
        c.mesh = &s->scene->meshes[instance->mesh];
        c.palette = palette;
        c.cors = s->prepared.meshes[instance->mesh].cors;
        c.method = gl_methods[i];
        c.factors = how->rule != PELT_NORMAL_STANDARD
                        ? s->prepared.meshes[instance->mesh].normal_factors
                        : NULL;
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
