// SPDX-License-Identifier: MIT
// Animation textures on the GPU: what shaders decode and skin with is what pelt_unbake() decodes
// and pelt_deform() skins with, in one pass and in two.
#include "crowd_compare.h"
#include "random_bake.h"

#include <epoxy/gl.h>
#include <string.h>

static pelt_gl* gl;
static bool is_es;

enum
{
    VERTEX_COUNT = 100,
    JOINT_COUNT = 23,
    INSTANCE_COUNT = 24,
};

static const pelt_palette_kind kinds[] = {PELT_PALETTE_BAKED, PELT_PALETTE_POSED};

static const pelt_texel texels[] = {PELT_TEXEL_RGBA32UI, PELT_TEXEL_RGBA16UI, PELT_TEXEL_RGBA8UI};
static gl_difference worst;

// ---------------------------------------------------------------------------------------------
// Random textures

static int compare_fixture(const random_bake_desc* desc, pelt_method method, pelt_gpu_scale scale,
                           pelt_palette_kind kind)
{
    pelt_playback playbacks[INSTANCE_COUNT];
    test_random random = {desc->seed + 100};
    pelt_baked* baked = random_bake_make(desc);
    ENSURE(baked != NULL);
    for (uint32_t i = 0; i < INSTANCE_COUNT; ++i)
    {
        playbacks[i] = random_bake_play(baked, &random);
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
    int failed = crowd_compare(&worst, gl, &c, 1);
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

// Vertices that move equally share a slot, and slots have any width.
static int vertices_are_decoded(void)
{
    int failed = 0;
    for (int i = 0; i < 3; ++i)
    {
        pelt_playback playbacks[INSTANCE_COUNT];
        test_random random = {200};
        random_bake_desc desc = {.encoding = PELT_ENCODING_VERTEX,
                                 .texel = texels[is_es ? 0 : 2],
                                 .seed = (uint64_t)(60 + i),
                                 .joint_count = 120,
                                 .vertex_count = VERTEX_COUNT};
        pelt_baked* baked = random_bake_make(&desc);
        ENSURE(baked != NULL);
        for (uint32_t k = 0; k < INSTANCE_COUNT; ++k)
        {
            playbacks[k] = random_bake_play(baked, &random);
        }
        point_set points = point_set_random(3, VERTEX_COUNT, 1, 1, 0.0f);
        pelt_mesh mesh = gl_mesh_of(&points);
        crowd_case c = {.baked = baked,
                        .playbacks = playbacks,
                        .count = INSTANCE_COUNT,
                        .how = {.mesh = &mesh},
                        .kind = PELT_PALETTE_BAKED};
        begin();
        ENSURE(crowd_compare(&worst, gl, &c, 1) == 0);
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
    // A driver takes a second to compile a decoder, whose text for ES is the same but for its head:
    // they alternate. That of local has its own with methods, below.
    int first = is_es && !test_is_full_sweep() ? PELT_ENCODING_DQ : PELT_ENCODING_QT;
    int step = test_is_full_sweep() ? 1 : 2;
    for (int encoding = first; encoding < PELT_ENCODING_VERTEX; encoding += step)
    {
        // The same program for all of them: each kind of texel is that of some encoding.
        pelt_palette_kind kind = kinds[(encoding / 2 + (is_es && test_is_full_sweep())) % 2];
        for (int i = 0; i < 6; ++i)
        {
            begin();
            random_bake_desc desc = {.encoding = (pelt_encoding)encoding,
                                     .texel = texels[(encoding + is_es) % 3],
                                     .seed = (uint64_t)(7 + i),
                                     .joint_count = JOINT_COUNT,
                                     .has_parents = encoding == PELT_ENCODING_LOCAL,
                                     .has_stretch = true};
            ENSURE(compare_fixture(&desc, PELT_METHOD_LBS, PELT_GPU_SCALE_NONE, kind) == 0);
            failed += judge(names[encoding]);
        }
    }
    return failed;
}

// Joints rotate and move: no method needs more than the product of their quaternions.
static int every_method_skins_with_rigid_joints(void)
{
    int failed = 0;
    // Every other one: those between are checked with joints that scale. So has decoding in the
    // shader of a method that is not linear, which takes longest to compile.
    bool is_full = test_is_full_sweep();
    for (int i = 0; i < GL_METHOD_COUNT; i += is_full ? 1 : 2)
    {
        begin();
        pelt_method method = gl_methods[i];
        random_bake_desc desc = {.encoding = PELT_ENCODING_LOCAL,
                                 .texel = PELT_TEXEL_RGBA32UI,
                                 .seed = 31,
                                 .joint_count = JOINT_COUNT,
                                 .has_parents = true,
                                 .is_calm = true};
        ENSURE(compare_fixture(&desc, method, PELT_GPU_SCALE_NONE,
                               kinds[is_full ? i % 2 : i / 2]) == 0);
        failed += judge(pelt_method_name(method));
    }
    return failed;
}

// Stretches of parents shear their children, whose rotation is that of a polar decomposition.
static int every_method_skins_with_joints_that_scale(void)
{
    static const pelt_gpu_scale scales[] = {PELT_GPU_SCALE_LOCAL, PELT_GPU_SCALE_ORIGIN};
    int failed = 0;
    for (int i = 0; i < GL_METHOD_COUNT; ++i)
    {
        begin();
        pelt_method method = gl_methods[i];
        random_bake_desc desc = {.encoding = PELT_ENCODING_LOCAL,
                                 .texel = PELT_TEXEL_RGBA32UI,
                                 .seed = 41,
                                 .joint_count = JOINT_COUNT,
                                 .has_parents = true,
                                 .has_stretch = true,
                                 .is_calm = true};
        pelt_palette_kind kind = kinds[(i / 2) % 2];
        bool has_both = test_is_full_sweep();
        // Each way to scale and each kind of palette has both.
        bool is_local_due = i == 0 || i == 3;
        if (has_both || is_local_due)
        {
            ENSURE(compare_fixture(&desc, method, scales[i % 2], kind) == 0);
        }
        if (has_both || !is_local_due)
        {
            desc.encoding = PELT_ENCODING_QT;
            desc.has_parents = false;
            desc.is_mirrored = true;
            ENSURE(compare_fixture(&desc, method, scales[i % 2], kind) == 0);
        }
        failed += judge(pelt_method_name(method));
    }
    return failed;
}

// ---------------------------------------------------------------------------------------------
// Drawing

static const char column_main[] = "flat out vec3 seen;\n"
                                  "flat out int column;\n"
                                  "void main()\n"
                                  "{\n"
                                  "    seen = pelt_skin().position;\n"
                                  "    column = gl_InstanceID;\n"
                                  "    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, "
                                  "gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);\n"
                                  "}\n";
static const char column_fragment[] = "flat in vec3 seen;\n"
                                      "flat in int column;\n"
                                      "out vec4 color;\n"
                                      "void main()\n"
                                      "{\n"
                                      "    if (int(gl_FragCoord.x) != column)\n"
                                      "    {\n"
                                      "        discard;\n"
                                      "    }\n"
                                      "    color = vec4(seen, 1.0);\n"
                                      "}\n";

// A texture of floats, one row, bound to be drawn into.
static GLuint make_target(GLuint* texture)
{
    GLuint framebuffer;
    glGenTextures(1, texture);
    glBindTexture(GL_TEXTURE_2D, *texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, INSTANCE_COUNT, 1, 0, GL_RGBA, GL_FLOAT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *texture, 0);
    glViewport(0, 0, INSTANCE_COUNT, 1);
    return framebuffer;
}

// Each instance writes the position of its vertex into its own pixel, in two draws.
static int draw_columns(pelt_vec4 pixels[INSTANCE_COUNT], const pelt_baked* baked,
                        const pelt_playback* playbacks, const pelt_mesh* source,
                        pelt_palette_kind kind)
{
    pelt_gl_baked texture;
    pelt_gl_crowd crowd;
    pelt_gl_mesh mesh;
    pelt_gl_program program;
    pelt_range all = {3, INSTANCE_COUNT - 3};
    ENSURE(pelt_gl_baked_create(&texture, gl, baked, NULL) == PELT_OK);
    ENSURE(pelt_gl_mesh_create(&mesh, gl, source, NULL, NULL) == PELT_OK);
    ENSURE(pelt_gl_crowd_create(&crowd, gl, &texture, INSTANCE_COUNT, kind, NULL) == PELT_OK);
    pelt_gl_crowd_update(&crowd, playbacks, INSTANCE_COUNT);
    ENSURE(pelt_gl_crowd_pose(&crowd, NULL) == PELT_OK);
    pelt_gl_program_desc desc =
        pelt_gl_crowd_program_desc(&crowd, &mesh, PELT_METHOD_LBS, PELT_GPU_SCALE_NONE);
    desc.vertex_main = column_main;
    desc.fragment = column_fragment;
    ENSURE(pelt_gl_program_get(&program, gl, &desc, NULL) == PELT_OK);
    pelt_gl_crowd_use(&crowd, &program, 0.0f);
    pelt_gl_crowd_draw(&crowd, &program, &mesh, 0, all);
    glReadPixels(0, 0, INSTANCE_COUNT, 1, GL_RGBA, GL_FLOAT, pixels);
    pelt_gl_crowd_destroy(&crowd);
    pelt_gl_mesh_destroy(&mesh);
    pelt_gl_baked_destroy(&texture);
    return 0;
}

// The pose pass leaves framebuffer and viewport alone, or nothing would be in the picture.
static int instances_of_a_range_are_drawn_each_in_its_own_pose(void)
{
    const uint32_t indices[3] = {0, 1, 2};
    random_bake_desc desc = {.encoding = PELT_ENCODING_LOCAL,
                             .texel = PELT_TEXEL_RGBA32UI,
                             .seed = 77,
                             .joint_count = JOINT_COUNT,
                             .has_parents = true};
    pelt_playback playbacks[INSTANCE_COUNT];
    test_random random = {5};
    pelt_baked* baked = random_bake_make(&desc);
    point_set points = point_set_random(8, 3, JOINT_COUNT, 1, 0.0f);
    ENSURE(baked != NULL);
    for (uint32_t i = 0; i < INSTANCE_COUNT; ++i)
    {
        playbacks[i] = random_bake_play(baked, &random);
    }
    for (uint32_t v = 0; v < 3; ++v)
    {
        points.positions[v] = points.positions[0];
        points.joints[v] = 4;
        points.raw_weights[v] = 1.0f;
    }
    point_set_bind(&points);
    pelt_mesh mesh = gl_mesh_of(&points);
    mesh.indices = indices;
    mesh.index_count = 3;
    for (int k = 0; k < 2; ++k)
    {
        GLuint texture, framebuffer = make_target(&texture);
        pelt_vec4 pixels[INSTANCE_COUNT];
        int failed = draw_columns(pixels, baked, playbacks, &mesh, kinds[k]);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glDeleteFramebuffers(1, &framebuffer);
        glDeleteTextures(1, &texture);
        ENSURE(failed == 0 && glGetError() == GL_NO_ERROR);
        for (uint32_t i = 0; i + 3 < INSTANCE_COUNT; ++i)
        {
            pelt_mat34 matrices[JOINT_COUNT];
            pelt_unbake(matrices, baked, &playbacks[i + 3]);
            pelt_vec3 expected = pelt_mat34_point(&matrices[4], mesh.positions[0]);
            pelt_vec3 got = {pixels[i].x, pixels[i].y, pixels[i].z};
            ENSURE_POINT(got, expected, 1e-5);
        }
    }
    point_set_free(&points);
    pelt_arena_destroy(baked->arena);
    return 0;
}

static int poses_of_local_are_decoded_beforehand(void)
{
    static const pelt_encoding encodings[] = {PELT_ENCODING_LOCAL, PELT_ENCODING_QT};
    for (int i = 0; i < 2; ++i)
    {
        pelt_gl_baked texture;
        pelt_gl_crowd crowd;
        random_bake_desc desc = {.encoding = encodings[i],
                                 .texel = PELT_TEXEL_RGBA32UI,
                                 .seed = 1,
                                 .joint_count = JOINT_COUNT};
        pelt_baked* baked = random_bake_make(&desc);
        ENSURE(baked != NULL);
        ENSURE(pelt_gl_baked_create(&texture, gl, baked, NULL) == PELT_OK);
        ENSURE(texture.byte_count == pelt_baked_bytes(baked));
        ENSURE(pelt_gl_crowd_create(&crowd, gl, &texture, 5, PELT_PALETTE_AUTO, NULL) == PELT_OK);
        ENSURE(crowd.kind == (i ? PELT_PALETTE_BAKED : PELT_PALETTE_POSED));
        pelt_gl_crowd_destroy(&crowd);
        pelt_gl_baked_destroy(&texture);
        pelt_arena_destroy(baked->arena);
    }
    return 0;
}

// Without a width: the driver has no texture of so many joints.
static int too_large_a_crowd_is_refused(void)
{
    pelt_gl_crowd crowd;
    pelt_error error = {0};
    pelt_gl_baked texture = {.format = {.encoding = PELT_ENCODING_LOCAL}, .joint_count = 60000};
    ENSURE(pelt_gl_crowd_create(&crowd, gl, &texture, 60000, PELT_PALETTE_POSED, &error) ==
           PELT_ERROR_UNSUPPORTED);
    ENSURE(strstr(error.message, "do not fit") != NULL);
    pelt_baked huge = {
        .encoding = PELT_ENCODING_QT, .texel = PELT_TEXEL_RGBA32UI, .width = 1 << 20, .height = 1};
    ENSURE(pelt_gl_baked_create(&texture, gl, &huge, &error) == PELT_ERROR_UNSUPPORTED);
    ENSURE(strstr(error.message, "too large") != NULL);
    return 0;
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
            RUN(instances_of_a_range_are_drawn_each_in_its_own_pose);
            RUN(poses_of_local_are_decoded_beforehand);
            RUN(too_large_a_crowd_is_refused);
        }
        pelt_gl_destroy(gl);
    }
}
