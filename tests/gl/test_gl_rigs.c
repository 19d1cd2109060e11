// SPDX-License-Identifier: MIT
// Built-in characters in the poses of their clips, on the GPU and by the reference.
#include "gl_scene.h"
#include "rigs.h"

static pelt_gl* gl;

static uint32_t most_influences(const pelt_scene* scene)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        uint32_t count = scene->meshes[i].weights.max_influences;
        most = count > most ? count : most;
    }
    return most;
}

// The pivot makes no difference where joints do not scale.
static int compare_pose(gl_scene* s, const pelt_clip* clip, float time)
{
    gl_scene_pose(s, clip, time);
    for (uint32_t count = 1; count <= most_influences(s->scene); ++count)
    {
        gl_case how = {.max_influences = count, .kind = PELT_PALETTE_BLOCK};
        ENSURE(gl_scene_compare(s, gl, &how) == 0);
        how.kind = PELT_PALETTE_TEXTURE;
        how.pivot = PELT_SCALE_ORIGIN;
        ENSURE(gl_scene_compare(s, gl, &how) == 0);
    }
    return 0;
}

static int check_rig(const char* name)
{
    pelt_scene* scene;
    gl_scene s;
    ENSURE(pelt_rig_build(&scene, name, NULL) == PELT_OK);
    ENSURE(gl_scene_open(&s, scene) == 0);
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        // Not the end of a twist by 180 degrees: there rounding decides the signs.
        ENSURE(compare_pose(&s, &scene->clips[i], 0.4f * scene->clips[i].duration) == 0);
        ENSURE(compare_pose(&s, &scene->clips[i], 0.9f * scene->clips[i].duration) == 0);
    }
    for (uint32_t i = 0; i < GL_METHOD_COUNT; ++i)
    {
        printf("  %s: position %.1e of size, normal %.1e, tangent %.1e degrees\n",
               pelt_method_name(gl_methods[i]), s.worst[i].position, s.worst[i].normal,
               s.worst[i].tangent);
        ENSURE(gl_difference_is_small(&s.worst[i]));
    }
    if (s.scaled_count > 0)
    {
        printf("  joints scale in %u of %u comparisons\n", s.scaled_count, s.compared_count);
    }
    gl_scene_close(&s);
    return 0;
}

static int bar_follows_the_reference(void)
{
    return check_rig("bar?vertices=1000");
}

static int arm_follows_the_reference(void)
{
    return check_rig("arm?vertices=1500");
}

static int human_follows_the_reference(void)
{
    return check_rig("human?vertices=2000");
}

static int box_follows_the_reference(void)
{
    return check_rig("box");
}

void test_gl_rigs(void)
{
    gl = gl_open(PELT_GL_OFFSCREEN, "gl_rigs");
    if (gl == NULL)
    {
        return;
    }
    RUN(bar_follows_the_reference);
    RUN(arm_follows_the_reference);
    RUN(human_follows_the_reference);
    RUN(box_follows_the_reference);
    pelt_gl_destroy(gl);
}
