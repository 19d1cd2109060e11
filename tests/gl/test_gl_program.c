// SPDX-License-Identifier: MIT
// Programs with shaders of the caller: what a renderer does.
#include "gl_compare.h"

#include <epoxy/gl.h>
#include <string.h>

static pelt_gl* gl;

static int broken_shaders_are_named_with_the_reason(void)
{
    pelt_gl_program program;
    pelt_error error = {0};
    pelt_gl_program_desc desc = {.method = PELT_METHOD_CRS,
                                 .vertex_main = "void main() { no_such_thing(); }\n"};
    ENSURE(pelt_gl_program_get(&program, gl, &desc, &error) == PELT_ERROR_DATA);
    ENSURE(strstr(error.message, "vertex shader for method crs") != NULL);
    ENSURE(strstr(error.message, "no_such_thing") != NULL);
    ENSURE(strchr(error.message, '\n') == NULL);

    desc.vertex_main = "void main() { gl_Position = vec4(pelt_skin().position, 1.0); }\n";
    desc.fragment = "in vec3 never_written; out vec4 c; void main() { c = never_written; }\n";
    ENSURE(pelt_gl_program_get(&program, gl, &desc, &error) == PELT_ERROR_DATA);
    ENSURE(strstr(error.message, "fragment shader") != NULL);
    ENSURE(pelt_gl_describe(gl).program_count == 0);
    return 0;
}

static int equal_descriptions_share_a_program(void)
{
    char main_text[] = "void main() { gl_Position = vec4(pelt_skin().position, 1.0); }\n";
    char same_text[sizeof main_text];
    memcpy(same_text, main_text, sizeof main_text);
    pelt_gl_program a, b, c;
    pelt_gl_program_desc desc = {.method = PELT_METHOD_DQS, .vertex_main = main_text};
    ENSURE(pelt_gl_program_get(&a, gl, &desc, NULL) == PELT_OK);
    desc = (pelt_gl_program_desc){.method = PELT_METHOD_DQS,
                                  .influence_count = 4,
                                  .palette = PELT_PALETTE_BLOCK,
                                  .vertex_main = same_text};
    uint32_t count = pelt_gl_describe(gl).program_count;
    ENSURE(pelt_gl_program_get(&b, gl, &desc, NULL) == PELT_OK);
    ENSURE(a.name == b.name && pelt_gl_describe(gl).program_count == count);
    desc.influence_count = 3;
    ENSURE(pelt_gl_program_get(&c, gl, &desc, NULL) == PELT_OK);
    ENSURE(c.name != a.name && pelt_gl_describe(gl).program_count == count + 1);
    return 0;
}

// The pivot of scale makes another program, but not under lbs, which has none.
static int scale_makes_another_program(void)
{
    pelt_gl_program programs[3], lbs[2];
    const pelt_gpu_scale scales[] = {PELT_GPU_SCALE_NONE, PELT_GPU_SCALE_LOCAL,
                                     PELT_GPU_SCALE_ORIGIN};
    for (int i = 0; i < 3; ++i)
    {
        pelt_gl_program_desc desc = {
            .method = PELT_METHOD_CRS, .scale = scales[i], .influence_count = 1};
        ENSURE(pelt_gl_program_get(&programs[i], gl, &desc, NULL) == PELT_OK);
        desc.method = PELT_METHOD_LBS;
        ENSURE(pelt_gl_program_get(&lbs[i % 2], gl, &desc, NULL) == PELT_OK);
    }
    ENSURE(programs[0].name != programs[1].name && programs[1].name != programs[2].name);
    ENSURE(programs[0].name != programs[2].name && lbs[0].name == lbs[1].name);
    return 0;
}

// So does a rule for normals, and room for more factors; without a rule, room makes no difference.
static int normals_make_another_program(void)
{
    pelt_gl_program programs[4];
    const pelt_gpu_normals normals[] = {{.slot_count = 2, .has_centers = true},
                                        {0},
                                        {PELT_NORMAL_ACCURATE, 2, false, false},
                                        {PELT_NORMAL_ACCURATE, 3, false, false}};
    for (int i = 0; i < 4; ++i)
    {
        pelt_gl_program_desc desc = {.influence_count = 1, .normals = normals[i]};
        ENSURE(pelt_gl_program_get(&programs[i], gl, &desc, NULL) == PELT_OK);
    }
    ENSURE(programs[0].name == programs[1].name);
    ENSURE(programs[1].name != programs[2].name && programs[2].name != programs[3].name);
    return 0;
}

enum
{
    SIDE = 8, // pixels
};

// A picture of SIDE x SIDE pixels to draw into.
static GLuint make_target(GLuint* texture)
{
    GLuint framebuffer;
    glGenTextures(1, texture);
    glBindTexture(GL_TEXTURE_2D, *texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *texture, 0);
    glViewport(0, 0, SIDE, SIDE);
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    return framebuffer;
}

static const char vertex_main[] = "out vec4 color;\n"
                                  "uniform float scale;\n"
                                  "void main()\n"
                                  "{\n"
                                  "    pelt_vertex vertex = pelt_skin();\n"
                                  "    color = pelt_color * vec4(0.5, 1.0, 0.0, 1.0);\n"
                                  "    gl_Position = vec4(scale * vertex.position, 1.0);\n"
                                  "}\n";
static const char fragment[] = "in vec4 color;\n"
                               "out vec4 pixel;\n"
                               "void main()\n"
                               "{\n"
                               "    pixel = color;\n"
                               "}\n";

// A triangle to the left of the view that a joint moves over it: red half, green full, since a
// mesh without colors is white.
static int draw_moved_triangle(pelt_palette_kind kind, uint8_t pixel[4])
{
    point_set m = point_set_make(3, 1, 1);
    const uint32_t indices[3] = {0, 1, 2};
    const pelt_vec3 corners[3] = {
        {-14.0f, -4.0f, 0.0f}, {-6.0f, -4.0f, 0.0f}, {-10.0f, 8.0f, 0.0f}};
    memcpy(m.positions, corners, sizeof corners);
    m.raw_weights[0] = m.raw_weights[1] = m.raw_weights[2] = 1.0f;
    m.palette.matrices[0].m[0][3] = 10.0f;
    point_set_bind(&m);
    point_set_pose(&m);
    pelt_mesh source = gl_mesh_of(&m);
    source.indices = indices;
    source.index_count = 3;

    pelt_gl_mesh mesh;
    pelt_gl_palette palette;
    pelt_gl_program program;
    ENSURE(pelt_gl_mesh_create(&mesh, gl, &source, NULL, NULL) == PELT_OK);
    ENSURE(pelt_gl_palette_create(&palette, gl, 1, kind, NULL) == PELT_OK);
    pelt_gl_palette_update(&palette, &m.palette, PELT_METHOD_DQS, PELT_SCALE_LOCAL);
    pelt_gl_program_desc desc = pelt_gl_program_desc_of(&mesh, &palette);
    desc.vertex_main = vertex_main;
    desc.fragment = fragment;
    ENSURE(pelt_gl_program_get(&program, gl, &desc, NULL) == PELT_OK);
    pelt_gl_program_use(&program, &palette, 0.0f);
    glUniform1f(glGetUniformLocation(program.name, "scale"), 0.5f);
    pelt_gl_mesh_draw(&mesh);
    glReadPixels(SIDE / 2, SIDE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    pelt_gl_palette_destroy(&palette);
    pelt_gl_mesh_destroy(&mesh);
    point_set_free(&m);
    return 0;
}

static const char normal_main[] = "out vec4 color;\n"
                                  "void main()\n"
                                  "{\n"
                                  "    pelt_vertex vertex = pelt_skin();\n"
                                  "    color = vec4(0.5 + 0.5 * vertex.normal, 1.0);\n"
                                  "    gl_Position = vec4(vertex.position.xy, 0.0, 1.0);\n"
                                  "}\n";

// A triangle over the view, half of whose weight is on a joint that moved by one along z. That
// weight grows by one per meter along x.
static int draw_sheared_triangle(uint8_t pixel[4])
{
    point_set m = point_set_make(3, 2, 2);
    const uint32_t indices[3] = {0, 1, 2}, first[4] = {0, 2, 4, 6};
    const pelt_vec3 corners[3] = {{-4.0f, -4.0f, 0.0f}, {4.0f, -4.0f, 0.0f}, {0.0f, 4.0f, 0.0f}};
    const pelt_vec3 tangents[3] = {{1.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}};
    const pelt_vec2 plane_normals[3] = {{0.0f, 0.0f}};
    pelt_normal_factor slots[6];
    for (uint32_t i = 0; i < 6; ++i)
    {
        m.joints[i] = i % 2;
        m.raw_weights[i] = 0.5f;
        m.normals[i / 2] = pelt_vec3_make(0.0f, 0.0f, 1.0f);
        slots[i] = (pelt_normal_factor){
            i % 2, 0.5f, i % 2 ? 1.0f : -1.0f, 0.0f, {{0.5f, 0.0f}, {0.0f, 0.5f}}};
    }
    memcpy(m.positions, corners, sizeof corners);
    m.palette.matrices[1].m[2][3] = 1.0f;
    point_set_bind(&m);
    point_set_pose(&m);
    pelt_mesh source = gl_mesh_of(&m);
    source.indices = indices;
    source.index_count = 3;

    pelt_gl_mesh mesh;
    pelt_gl_palette palette;
    pelt_gl_program program;
    const pelt_normal_factors factors = {
        3, 2, 6, 2, 0, 0, first, slots, tangents, plane_normals, NULL, NULL};
    pelt_gl_mesh_options options = {.normal_factors = &factors,
                                    .normal_rule = PELT_NORMAL_ACCURATE};
    ENSURE(pelt_gl_mesh_create(&mesh, gl, &source, &options, NULL) == PELT_OK);
    ENSURE(pelt_gl_palette_create(&palette, gl, 2, PELT_PALETTE_AUTO, NULL) == PELT_OK);
    pelt_gl_palette_update(&palette, &m.palette, PELT_METHOD_LBS, PELT_SCALE_LOCAL);
    pelt_gl_program_desc desc = pelt_gl_program_desc_of(&mesh, &palette);
    desc.vertex_main = normal_main;
    desc.fragment = fragment;
    ENSURE(pelt_gl_program_get(&program, gl, &desc, NULL) == PELT_OK);
    // What another mesh may have left there.
    glActiveTexture(GL_TEXTURE0 + PELT_GL_NORMAL_UNIT);
    glBindTexture(GL_TEXTURE_2D, 0);
    pelt_gl_program_use(&program, &palette, 0.0f);
    pelt_gl_mesh_draw(&mesh);
    glReadPixels(SIDE / 2, SIDE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    pelt_gl_palette_destroy(&palette);
    pelt_gl_mesh_destroy(&mesh);
    point_set_free(&m);
    return 0;
}

// Along x the surface rises by one per meter, so the normal is (-1, 0, 1) / sqrt(2).
static int own_shaders_draw_accurate_normals(void)
{
    GLuint texture, framebuffer = make_target(&texture);
    uint8_t pixel[4] = {0};
    int failed = draw_sheared_triangle(pixel);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
    ENSURE(failed == 0);
    ENSURE_NEAR(pixel[0], 255.0 * (0.5 - 0.5 * sqrt(0.5)), 0.6);
    ENSURE_NEAR(pixel[1], 127.5, 0.6);
    ENSURE_NEAR(pixel[2], 255.0 * (0.5 + 0.5 * sqrt(0.5)), 0.6);
    ENSURE(glGetError() == GL_NO_ERROR);
    return 0;
}

static int own_shaders_draw_a_skinned_triangle(void)
{
    for (uint32_t i = 0; i < 2; ++i)
    {
        GLuint texture, framebuffer = make_target(&texture);
        uint8_t pixel[4] = {0};
        int failed = draw_moved_triangle(i ? PELT_PALETTE_TEXTURE : PELT_PALETTE_BLOCK, pixel);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glDeleteFramebuffers(1, &framebuffer);
        glDeleteTextures(1, &texture);
        ENSURE(failed == 0);
        ENSURE_NEAR(pixel[0], 127.5, 0.6);
        ENSURE(pixel[1] == 255 && pixel[2] == 0 && pixel[3] == 255);
        ENSURE(glGetError() == GL_NO_ERROR);
    }
    return 0;
}

void test_gl_program(void)
{
    gl = gl_open(PELT_GL_OFFSCREEN, "gl_program");
    if (gl == NULL)
    {
        return;
    }
    RUN(broken_shaders_are_named_with_the_reason);
    RUN(equal_descriptions_share_a_program);
    RUN(scale_makes_another_program);
    RUN(normals_make_another_program);
    RUN(own_shaders_draw_a_skinned_triangle);
    RUN(own_shaders_draw_accurate_normals);
    pelt_gl_destroy(gl);
}
