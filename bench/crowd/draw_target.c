// SPDX-License-Identifier: MIT
// A framebuffer without a window, a camera, and shaders that light a crowd.
#include "draw_target.h"

#include <epoxy/gl.h>
#include <math.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

// ---------------------------------------------------------------------------------------------
// Framebuffer

// Mesa's software driver allocates memory for every draw and frees it again. By default the C
// library returns it to the system until a large block has been freed, and most of a frame is page
// faults: the same draw was up to three times as fast after a large crowd as before it.
static void keep_heap(void)
{
#if defined(__GLIBC__)
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
    mallopt(M_MMAP_THRESHOLD, 1 << 25);
#endif
}

void draw_target_resize(draw_target* target, int32_t width, int32_t height)
{
    target->width = width;
    target->height = height;
    glBindTexture(GL_TEXTURE_2D, target->color);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glBindTexture(GL_TEXTURE_2D, 0);
    glBindRenderbuffer(GL_RENDERBUFFER, target->depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width, height);
    glBindRenderbuffer(GL_RENDERBUFFER, 0);
}

static void create_color(draw_target* out)
{
    glGenTextures(1, &out->color);
    glBindTexture(GL_TEXTURE_2D, out->color);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

pelt_result draw_target_attach(draw_target* out, pelt_gl* gl, pelt_error* error)
{
    *out = (draw_target){.gl = gl};
    keep_heap();
    create_color(out);
    glGenRenderbuffers(1, &out->depth);
    draw_target_resize(out, DRAW_WIDTH, DRAW_HEIGHT);
    glGenFramebuffers(1, &out->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, out->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, out->color, 0);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, out->depth);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    {
        draw_target_destroy(out);
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "this driver has no framebuffer of %d x %d pixels to draw into",
                              DRAW_WIDTH, DRAW_HEIGHT);
    }
    return PELT_OK;
}

pelt_result draw_target_create(draw_target* out, pelt_error* error)
{
    pelt_gl* gl;
    *out = (draw_target){0};
    PELT_TRY(pelt_gl_create(&gl, PELT_GL_OFFSCREEN, error));
    pelt_result result = draw_target_attach(out, gl, error);
    out->owns_gl = result == PELT_OK;
    if (result != PELT_OK)
    {
        pelt_gl_destroy(gl);
    }
    return result;
}

void draw_target_destroy(draw_target* target)
{
    if (target->gl == NULL)
    {
        return;
    }
    glDeleteFramebuffers(1, &target->framebuffer);
    glDeleteTextures(1, &target->color);
    glDeleteRenderbuffers(1, &target->depth);
    if (target->owns_gl)
    {
        pelt_gl_destroy(target->gl);
    }
    *target = (draw_target){0};
}

void draw_target_clear(const draw_target* target)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glViewport(0, 0, target->width, target->height);
    glEnable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glClearColor(0.92f, 0.92f, 0.91f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

void draw_target_finish(void)
{
    glFinish();
}

void draw_target_read(const draw_target* target, pelt_color* out)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glReadPixels(0, 0, DRAW_WIDTH, DRAW_HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, out);
}

// ---------------------------------------------------------------------------------------------
// Camera

static void set_row(float out[16], int row, pelt_vec3 axis, float shift)
{
    out[row] = axis.x;
    out[4 + row] = axis.y;
    out[8 + row] = axis.z;
    out[12 + row] = shift;
}

void draw_target_look(draw_target* target, const pelt_bounds* box)
{
    const float aspect = (float)target->width / (float)target->height;
    pelt_camera camera = pelt_camera_frame(box, 0.5f, 0.6f, aspect);
    float angle = camera.field_of_view > 0.0f ? camera.field_of_view : 0.5f;
    pelt_vec3 away = pelt_vec3_sub(camera.eye, camera.target);
    float distance = pelt_vec3_length(away);
    float reach = pelt_vec3_length(pelt_vec3_sub(box->max, box->min));
    float far_plane = distance + reach, near_plane = fmaxf(distance - reach, 1e-3f * far_plane);
    pelt_vec3 back = pelt_vec3_scale(away, 1.0f / distance);
    pelt_vec3 right = pelt_vec3_normalize(pelt_vec3_make(back.z, 0.0f, -back.x));
    pelt_vec3 up = pelt_vec3_cross(back, right);

    // The rows of the projection, each a multiple of one row of the view.
    float tall = 1.0f / tanf(0.5f * angle), wide = tall / aspect;
    float slope = (near_plane + far_plane) / (near_plane - far_plane);
    float* out = target->clip_from_world;
    set_row(out, 0, pelt_vec3_scale(right, wide), -wide * pelt_vec3_dot(right, camera.eye));
    set_row(out, 1, pelt_vec3_scale(up, tall), -tall * pelt_vec3_dot(up, camera.eye));
    set_row(out, 2, pelt_vec3_scale(back, slope),
            -slope * pelt_vec3_dot(back, camera.eye) +
                2.0f * near_plane * far_plane / (near_plane - far_plane));
    set_row(out, 3, pelt_vec3_scale(back, -1.0f), pelt_vec3_dot(back, camera.eye));
}

// ---------------------------------------------------------------------------------------------
// Programs

#define CROWD_MAIN(declaration, vertex)                                                            \
    declaration                                                                                    \
        "uniform mat4 crowd_view;\n"                                                               \
        "out vec3 crowd_normal;\n"                                                                 \
        "vec3 crowd_rotate(vec3 v)\n"                                                              \
        "{\n"                                                                                      \
        "    return vec3(crowd_transform.z * v.x + crowd_transform.w * v.z, v.y,\n"                \
        "                crowd_transform.z * v.z - crowd_transform.w * v.x);\n"                    \
        "}\n"                                                                                      \
        "void main()\n"                                                                            \
        "{\n"                                                                                      \
        "    pelt_vertex vertex = " vertex ";\n"                                                   \
        "    vec3 position = vec3(crowd_transform.x, 0.0, crowd_transform.y);\n"                   \
        "    crowd_normal = crowd_rotate(vertex.normal);\n"                                        \
        "    gl_Position = crowd_view * vec4(crowd_rotate(vertex.position) + position, 1.0);\n"    \
        "}\n"

// Decodes joints and adds an invisible amount, so that compilers do not remove the decoding.
#define DECODING                                                                                   \
    "pelt_vertex crowd_decode()\n"                                                                 \
    "{\n"                                                                                          \
    "    pelt_rest rest = pelt_gather_rest();\n"                                                   \
    "    pelt_influences influences = pelt_decode(pelt_gather_influences(), rest.index);\n"        \
    "    vec4 sum = vec4(0.0);\n"                                                                  \
    "    for (int i = 0; i < PELT_INFLUENCES; ++i)\n"                                              \
    "    {\n"                                                                                      \
    "        uint joint = influences.joints[i];\n"                                                 \
    "        sum += pelt_palette_texel(joint, 0u) + pelt_palette_texel(joint, 1u) +\n"             \
    "               pelt_palette_texel(joint, 2u) + pelt_palette_texel(joint, 3u);\n"              \
    "    }\n"                                                                                      \
    "    pelt_vertex vertex = pelt_vertex_at_rest(rest);\n"                                        \
    "    vertex.position += 1e-20 * sum.xyz + 1e-20 * sum.w;\n"                                    \
    "    return vertex;\n"                                                                         \
    "}\n"

// Decodes all joints at the first key, then all at the second, and adds them up by their parts.
#define DECODING_BY_KEYS                                                                           \
    "pelt_vertex crowd_skin_by_keys()\n"                                                           \
    "{\n"                                                                                          \
    "    pelt_rest rest = pelt_gather_rest();\n"                                                   \
    "    pelt_influences influences = pelt_gather_influences();\n"                                 \
    "    pelt_playing playing = pelt_play(pelt_playback, pelt_times);\n"                           \
    "    uint joints[PELT_INFLUENCES];\n"                                                          \
    "    for (int i = 0; i < PELT_INFLUENCES; ++i)\n"                                              \
    "    {\n"                                                                                      \
    "        joints[i] = influences.weights[i] != 0.0\n"                                           \
    "                        ? pelt_instance_joint() + influences.joints[i] : 0xFFFFFFFFu;\n"      \
    "        influences.joints[i] = uint(i);\n"                                                    \
    "    }\n"                                                                                      \
    "    for (int key = 0; key < 2; ++key)\n"                                                      \
    "    {\n"                                                                                      \
    "        float part = key == 0 ? 1.0 - playing.moments[0].u : playing.moments[0].u;\n"         \
    "        for (int i = 0; i < PELT_INFLUENCES; ++i)\n"                                          \
    "        {\n"                                                                                  \
    "            pelt_joint own = pelt_joint_at(joints[i], playing);\n"                            \
    "            if (key == 0)\n"                                                                  \
    "            {\n"                                                                              \
    "                pelt_decoded_set(i, pelt_joint(part * own.x, part * own.y, part * own.z,\n"   \
    "                                               part * own.rotation));\n"                      \
    "                continue;\n"                                                                  \
    "            }\n"                                                                              \
    "            vec4 before = pelt_decoded[4 * i + 3];\n"                                         \
    "            float other = dot(before, own.rotation) < 0.0 ? -part : part;\n"                  \
    "            pelt_decoded_set(i, pelt_joint(pelt_decoded[4 * i] + part * own.x,\n"             \
    "                                           pelt_decoded[4 * i + 1] + part * own.y,\n"         \
    "                                           pelt_decoded[4 * i + 2] + part * own.z,\n"         \
    "                                           normalize(before + other * own.rotation)));\n"     \
    "        }\n"                                                                                  \
    "        playing.moments[0].key = playing.moments[0].next;\n"                                  \
    "    }\n"                                                                                      \
    "    return PELT_DEFORM(rest, influences);\n"                                                  \
    "}\n"

#define BY_UNIFORM "uniform vec4 crowd_transform;\n"
#define BY_ATTRIBUTE "layout(location = 14) in vec4 crowd_transform;\n"
#define AT_REST "pelt_vertex(pelt_position, pelt_normal, pelt_tangent)"

static const char* const mains[] = {
    [DRAW_SKINNED] = CROWD_MAIN(BY_UNIFORM, "pelt_skin()"),
    [DRAW_INSTANCED] = CROWD_MAIN(BY_ATTRIBUTE, "pelt_skin()"),
    [DRAW_DECODED] = DECODING CROWD_MAIN(BY_ATTRIBUTE, "crowd_decode()"),
    [DRAW_BY_KEYS] = DECODING_BY_KEYS CROWD_MAIN(BY_ATTRIBUTE, "crowd_skin_by_keys()"),
    [DRAW_STATIC] = CROWD_MAIN(BY_ATTRIBUTE, AT_REST),
    [DRAW_STATIC_SINGLE] = CROWD_MAIN(BY_UNIFORM, AT_REST),
};

// A mesh may have no normals.
static const char fragment[] =
    "in vec3 crowd_normal;\n"
    "out vec4 color;\n"
    "void main()\n"
    "{\n"
    "    float size = max(dot(crowd_normal, crowd_normal), 1e-12);\n"
    "    float light = dot(crowd_normal, vec3(0.36, 0.80, 0.48)) * inversesqrt(size);\n"
    "    color = vec4(vec3(0.62, 0.64, 0.68) * (0.45 + 0.55 * max(light, 0.0)), 1.0);\n"
    "}\n";

pelt_gl_program_desc draw_program_describe(pelt_gl_program_desc desc, draw_kind kind)
{
    desc.vertex_main = mains[kind];
    desc.fragment = fragment;
    return desc;
}

void draw_program_locate(draw_program* inout)
{
    inout->view = glGetUniformLocation(inout->program.name, "crowd_view");
    inout->transform = glGetUniformLocation(inout->program.name, "crowd_transform");
}

pelt_result draw_program_get(draw_program* out, pelt_gl* gl, pelt_gl_program_desc desc,
                             draw_kind kind, pelt_error* error)
{
    desc = draw_program_describe(desc, kind);
    *out = (draw_program){0};
    PELT_TRY(pelt_gl_program_get(&out->program, gl, &desc, error));
    draw_program_locate(out);
    return PELT_OK;
}

void draw_program_look(const draw_program* program, const draw_target* target)
{
    glUniformMatrix4fv(program->view, 1, GL_FALSE, target->clip_from_world);
}

void draw_program_transform(const draw_program* program, const float transform[4])
{
    glUniform4fv(program->transform, 1, transform);
}
