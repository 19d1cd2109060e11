// SPDX-License-Identifier: MIT
// Animation textures on the GPU: what shaders decode and skin with is what pelt_unbake() decodes
// and pelt_deform() skins with, in one pass and in two.
#include "baked_fixture.h"
#include "crowd_compare.h"

static pelt_gl* gl;
static bool is_es;

enum
{
    VERTEX_COUNT = 300,
    JOINT_COUNT = 23,
    INSTANCE_COUNT = 24,
};

static const pelt_palette_kind kinds[] = {PELT_PALETTE_BAKED, PELT_PALETTE_POSED};

static const pelt_texel texels[] = {PELT_TEXEL_RGBA32UI, PELT_TEXEL_RGBA16UI, PELT_TEXEL_RGBA8UI};
static gl_difference worst;

// ---------------------------------------------------------------------------------------------
// Random textures

static int compare_fixture(const baked_fixture_desc* desc, pelt_method method, pelt_gpu_scale scale,
                           pelt_palette_kind kind)
{
    pelt_playback playbacks[INSTANCE_COUNT];
    test_random random = {desc->seed + 100};
    pelt_baked* baked = baked_fixture_make(desc);
    ENSURE(baked != NULL);
    for (uint32_t i = 0; i < INSTANCE_COUNT; ++i)
    {
        playbacks[i] = baked_fixture_play(baked, &random);
    }
    point_set points = point_set_random(desc->seed, VERTEX_COUNT, desc->joint_count, 4, 90.0f);
    pelt_mesh mesh = gl_mesh_of(&points);
    crowd_case c = {
        .baked = baked,
        .playbacks = playbacks,
        .count = INSTANCE_COUNT,
                    .instance = PELT_NONE,
        .how = {.mesh = &mesh,
                .cors = points.cors,
                .method = method,
                .mix = 0.3f,
                .pivot = scale == PELT_GPU_SCALE_ORIGIN ? PELT_SCALE_ORIGIN : PELT_SCALE_LOCAL},
        .scale = scale,
        .kind = kind};
    int failed = crowd_compare(&worst, gl, &c);
    point_set_free(&points);
    pelt_arena_destroy(baked->arena);
    return failed;
}

static void begin(void)
{
    worst = (gl_difference){0};
}

static int judge(const char* what)
{
    printf("  %s: position %.1e of size, normal %.1e degrees\n", what, worst.position,
           worst.normal);
    ENSURE(gl_difference_is_small(&worst));
    return 0;
}

// Vertices that move alike share a place, and places have any width.
static int vertices_are_decoded(void)
{
    int failed = 0;
    for (int i = 0; i < 3; ++i)
    {
        pelt_playback playbacks[INSTANCE_COUNT];
        test_random random = {200};
        baked_fixture_desc desc = {.encoding = PELT_ENCODING_VERTEX,
                                   .texel = texels[i % 3],
                                   .seed = (uint64_t)(60 + i),
                                   .joint_count = 120,
                                   .vertex_count = VERTEX_COUNT};
        pelt_baked* baked = baked_fixture_make(&desc);
        ENSURE(baked != NULL);
        for (uint32_t k = 0; k < INSTANCE_COUNT; ++k)
        {
            playbacks[k] = baked_fixture_play(baked, &random);
        }
        point_set points = point_set_random(3, VERTEX_COUNT, 1, 1, 0.0f);
        pelt_mesh mesh = gl_mesh_of(&points);
        crowd_case c = {.baked = baked,
                        .playbacks = playbacks,
                        .count = INSTANCE_COUNT,
                        .how = {.mesh = &mesh},
                        .kind = PELT_PALETTE_BAKED};
        begin();
        ENSURE(crowd_compare(&worst, gl, &c) == 0);
        failed += judge("vertex");
        point_set_free(&points);
        pelt_arena_destroy(baked->arena);
    }
    return failed;
}

static int every_encoding_is_decoded(void)
{
    static const char* const names[] = {"qt", "local", "matrix", "dq"};
    int failed = 0;
    for (int encoding = PELT_ENCODING_QT; encoding < PELT_ENCODING_VERTEX; ++encoding)
    {
        for (int i = 0; i < 3; ++i)
        {
            begin();
            baked_fixture_desc desc = {.encoding = (pelt_encoding)encoding,
                                       .texel = texels[i % 3],
                                       .seed = (uint64_t)(7 + i),
                                       .joint_count = JOINT_COUNT,
                                       .has_parents = encoding == PELT_ENCODING_LOCAL,
                                       .has_stretch = true};
            ENSURE(compare_fixture(&desc, PELT_METHOD_LBS, PELT_GPU_SCALE_NONE,
                                   kinds[(i + is_es) % 2]) == 0);
            failed += judge(names[encoding]);
        }
    }
    return failed;
}

// Joints turn and move: no method needs more than the product of their quaternions.
static int every_method_skins_with_rigid_joints(void)
{
    int failed = 0;
    for (int i = 0; i < 2 * GL_METHOD_COUNT; ++i)
    {
        begin();
        pelt_method method = gl_methods[i / 2];
        baked_fixture_desc desc = {.encoding = PELT_ENCODING_LOCAL,
                                   .texel = PELT_TEXEL_RGBA32UI,
                                   .seed = 31,
                                   .joint_count = JOINT_COUNT,
                                   .has_parents = true,
                                   .is_calm = true};
        ENSURE(compare_fixture(&desc, method, PELT_GPU_SCALE_NONE, kinds[i % 2]) == 0);
        failed += judge(pelt_method_name(method));
    }
    return failed;
}

// Stretches of parents shear their children, whose rotation is that of a polar decomposition.
static int every_method_skins_with_joints_that_scale(void)
{
    static const pelt_gpu_scale scales[] = {PELT_GPU_SCALE_LOCAL, PELT_GPU_SCALE_ORIGIN};
    int failed = 0;
    for (int i = 0; i < 2 * GL_METHOD_COUNT; ++i)
    {
        begin();
        pelt_method method = gl_methods[i / 2];
        baked_fixture_desc desc = {.encoding = PELT_ENCODING_LOCAL,
                                   .texel = PELT_TEXEL_RGBA32UI,
                                   .seed = 41,
                                   .joint_count = JOINT_COUNT,
                                   .has_parents = true,
                                   .has_stretch = true,
                                   .is_calm = true};
        ENSURE(compare_fixture(&desc, method, scales[i % 2], kinds[(i + i / 2) % 2]) == 0);
        desc.encoding = PELT_ENCODING_QT;
        desc.has_parents = false;
        desc.is_mirrored = true;
        ENSURE(compare_fixture(&desc, method, scales[i % 2], kinds[(i + i / 2) % 2]) == 0);
        failed += judge(pelt_method_name(method));
    }
    return failed;
}

void test_gl_crowd(void)
{
    for (int i = 0; i < 2; ++i)
    {
        is_es = i == 1;
        gl = gl_open(i ? PELT_GL_OFFSCREEN_ES : PELT_GL_OFFSCREEN, "gl_crowd");
        if (gl == NULL)
        {
            continue;
        }
        RUN(every_encoding_is_decoded);
        RUN(vertices_are_decoded);
        if (!is_es)
        {
            RUN(every_method_skins_with_rigid_joints);
            RUN(every_method_skins_with_joints_that_scale);
        }
        pelt_gl_destroy(gl);
    }
}
