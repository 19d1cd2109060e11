// SPDX-License-Identifier: MIT
#include "crowd_programs.h"

#include <epoxy/gl.h>
#include <stdio.h>

// ---------------------------------------------------------------------------------------------
// Vertices

static const char background_vertex[] = //
    "out vec2 corner;\n"
    "void main()\n"
    "{\n"
    "    corner = vec2(float(gl_VertexID % 2), float(gl_VertexID / 2)) * 4.0 - 1.0;\n"
    "    gl_Position = vec4(corner, 0.0, 1.0);\n"
    "}\n";

static const char ground_vertex[] =
    "uniform mat4 crowd_view;\n"
    "uniform vec4 crowd_size;\n"
    "out vec3 position;\n"
    "void main()\n"
    "{\n"
    "    vec2 corner = vec2(float(gl_VertexID % 2), float(gl_VertexID / 2)) * 2.0 - 1.0;\n"
    "    position = vec3(crowd_size.y * corner.x, crowd_size.x, crowd_size.y * corner.y);\n"
    "    gl_Position = crowd_view * vec4(position, 1.0);\n"
    "}\n";

static const char shadow_vertex[] =
    "layout(location = 14) in vec4 pelt_crowd_position;\n"
    "uniform mat4 crowd_view;\n"
    "uniform vec4 crowd_size;\n"
    "out vec3 position;\n"
    "out vec2 corner;\n"
    "void main()\n"
    "{\n"
    "    corner = vec2(float(gl_VertexID % 2), float(gl_VertexID / 2)) * 2.0 - 1.0;\n"
    "    vec2 at = pelt_crowd_position.xz + pelt_crowd_position.w * crowd_size.w * corner;\n"
    "    position = vec3(at.x, crowd_size.x, at.y);\n"
    "    gl_Position = crowd_view * vec4(position, 1.0);\n"
    "}\n";

// Twelve edges of the cube that clip space is, four along each axis.
static const char frustum_vertex[] =
    "uniform mat4 crowd_view;\n"
    "uniform mat4 crowd_frozen;\n"
    "void main()\n"
    "{\n"
    "    int edge = gl_VertexID / 2, axis = edge / 4;\n"
    "    vec3 at = vec3(0.0);\n"
    "    at[axis] = float(gl_VertexID % 2) * 2.0 - 1.0;\n"
    "    at[(axis + 1) % 3] = float(edge % 2) * 2.0 - 1.0;\n"
    "    at[(axis + 2) % 3] = float(edge / 2 % 2) * 2.0 - 1.0;\n"
    "    vec4 world = inverse(crowd_frozen) * vec4(at, 1.0);\n"
    "    gl_Position = crowd_view * vec4(world.xyz / world.w, 1.0);\n"
    "}\n";

static const char member_vertex[] = //
    "uniform mat4 crowd_view;\n"
    "out vec3 position;\n"
    "out vec3 normal;\n"
    "out vec2 uv;\n"
    "out vec4 tint;\n"
    "void main()\n"
    "{\n"
    "    pelt_vertex vertex = pelt_crowd_transform(pelt_skin());\n"
    "    position = vertex.position;\n"
    "    normal = vertex.normal;\n"
    "    uv = pelt_uv;\n"
    "    tint = pelt_color;\n"
    "    gl_Position = crowd_view * vec4(position, 1.0);\n"
    "}\n";

// ---------------------------------------------------------------------------------------------
// Fragments

// The background as pelt render has it.
static const char background_fragment[] =
    "in vec2 corner;\n"
    "out vec4 pixel;\n"
    "void main()\n"
    "{\n"
    "    float r = dot(corner, corner);\n"
    "    float gray = 0.915 - 0.15 * r / (1.0 + 0.35 * r);\n"
    "    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.0671, 0.00584))));\n"
    "    pixel = vec4(vec3(gray, gray + 0.003, gray + 0.008) + (noise - 0.5) / 255.0, 1.0);\n"
    "}\n";

// Lines every meter and every ten, which thin out to their mean (Golus, "The best darn grid
// shader", 2023).
static const char ground_fragment[] =
    "in vec3 position;\n"
    "uniform vec4 crowd_size;\n"
    "uniform vec4 crowd_eye;\n"
    "out vec4 pixel;\n"
    "float grid(vec2 cell, float width)\n"
    "{\n"
    "    vec2 step_size = max(fwidth(cell), vec2(1e-6));\n"
    "    vec2 drawn = clamp(vec2(width), step_size, vec2(0.5));\n"
    "    vec2 away = 1.0 - abs(fract(cell) * 2.0 - 1.0);\n"
    "    vec2 line = 1.0 - smoothstep(drawn - 1.5 * step_size, drawn + 1.5 * step_size, away);\n"
    "    line *= clamp(vec2(width) / drawn, 0.0, 1.0);\n"
    "    line = mix(line, vec2(width), clamp(2.0 * step_size - 1.0, 0.0, 1.0));\n"
    "    return mix(line.x, 1.0, line.y);\n"
    "}\n"
    "void main()\n"
    "{\n"
    "    float fade = 1.0 - smoothstep(0.9, 1.6, length(position.xz) / crowd_size.z);\n"
    "    float line = max(0.25 * grid(position.xz, 0.02), 0.45 * grid(0.1 * position.xz, 0.004));\n"
    "    line *= fade;\n"
    "    pixel = vec4(vec3(0.32) * line, line);\n"
    "}\n";

static const char shadow_fragment[] =
    "in vec3 position;\n"
    "in vec2 corner;\n"
    "uniform vec4 crowd_eye;\n"
    "out vec4 pixel;\n"
    "void main()\n"
    "{\n"
    "    float open = clamp(1.0 - dot(corner, corner), 0.0, 1.0);\n"
    "    float away = clamp(distance(position, crowd_eye.xyz) / crowd_eye.w, 0.0, 1.0);\n"
    "    pixel = vec4(0.0, 0.0, 0.0, 0.42 * open * open * (1.0 - 0.6 * away));\n"
    "}\n";

static const char frustum_fragment[] = //
    "out vec4 pixel;\n"
    "void main()\n"
    "{\n"
    "    pixel = vec4(0.80, 0.22, 0.16, 1.0);\n"
    "}\n";

// A key light, a sky and an earth in linear light; what is far away pales.
static const char member_fragment[] =
    "in vec3 position;\n"
    "in vec3 normal;\n"
    "in vec2 uv;\n"
    "in vec4 tint;\n"
    "uniform vec4 crowd_eye;\n"
    "uniform vec4 crowd_color;\n"
    "uniform vec2 crowd_rule;\n"
    "uniform sampler2D crowd_map;\n"
    "out vec4 pixel;\n"
    "void main()\n"
    "{\n"
    "    vec4 base = crowd_color * tint;\n"
    "    if (crowd_rule.x > 0.5)\n"
    "    {\n"
    "        base *= texture(crowd_map, uv);\n"
    "    }\n"
    "    if (base.a < crowd_rule.y)\n"
    "    {\n"
    "        discard;\n"
    "    }\n"
    "    vec3 to_eye = crowd_eye.xyz - position;\n"
    "    vec3 n = dot(normal, normal) > 0.01 ? normalize(normal)\n"
    "                                        : normalize(cross(dFdx(position), dFdy(position)));\n"
    "    n = dot(n, to_eye) < 0.0 ? -n : n;\n"
    "    vec3 key = vec3(1.15, 1.11, 1.04) * max(dot(n, normalize(vec3(0.5, 0.75, 0.45))), 0.0);\n"
    "    vec3 sky = mix(vec3(0.20, 0.19, 0.18), vec3(0.46, 0.49, 0.54), 0.5 + 0.5 * n.y);\n"
    "    vec3 light = base.rgb * (key + sky);\n"
    "    light = light / (1.0 + 0.25 * light);\n"
    "    vec3 color = pow(light, vec3(1.0 / 2.2));\n"
    "    float away = clamp(length(to_eye) / crowd_eye.w, 0.0, 1.0);\n"
    "    pixel = vec4(mix(color, vec3(0.86), 0.55 * away * away), 1.0);\n"
    "}\n";

// ---------------------------------------------------------------------------------------------

static const char* const vertices[] = {
    [CROWD_BACKGROUND] = background_vertex, [CROWD_GROUND] = ground_vertex,
    [CROWD_SHADOW] = shadow_vertex,         [CROWD_FRUSTUM] = frustum_vertex,
    [CROWD_MEMBER] = member_vertex,
};

static const char* const fragments[] = {
    [CROWD_BACKGROUND] = background_fragment, [CROWD_GROUND] = ground_fragment,
    [CROWD_SHADOW] = shadow_fragment,         [CROWD_FRUSTUM] = frustum_fragment,
    [CROWD_MEMBER] = member_fragment,
};

pelt_result crowd_program_get(crowd_program* out, pelt_gl* gl, crowd_program_kind kind,
                              const pelt_gl_program_desc* skin, pelt_error* error)
{
    char text[4096];
    const char* transform = kind == CROWD_MEMBER ? pelt_gl_crowd_transform_text() : "";
    int length = snprintf(text, sizeof text, "%s%s", transform, vertices[kind]);
    PELT_ASSERT(length > 0 && (size_t)length < sizeof text);
    pelt_gl_program_desc desc = skin != NULL ? *skin : (pelt_gl_program_desc){.influence_count = 1};
    desc.vertex_main = text;
    desc.fragment = fragments[kind];
    *out = (crowd_program){0};
    pelt_result result = pelt_gl_program_get(&out->program, gl, &desc, error);
    if (result == PELT_OK)
    {
        uint32_t name = out->program.name;
        out->view = glGetUniformLocation(name, "crowd_view");
        out->eye = glGetUniformLocation(name, "crowd_eye");
        out->size = glGetUniformLocation(name, "crowd_size");
        out->frozen = glGetUniformLocation(name, "crowd_frozen");
        out->color = glGetUniformLocation(name, "crowd_color");
        out->rule = glGetUniformLocation(name, "crowd_rule");
    }
    return result;
}
