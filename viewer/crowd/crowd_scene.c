// SPDX-License-Identifier: MIT
#include "crowd_scene.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Programs: quiet gray, soft light, and distance that fades into the background

typedef enum crowd_program_kind
{
    CROWD_BACKGROUND = 0, ///< one triangle
    CROWD_GROUND,         ///< a strip of four: a grid
    CROWD_SHADOW,         ///< the same for each member: a soft spot
    CROWD_FRUSTUM,        ///< 24 vertices of lines
    CROWD_MEMBER,         ///< a skinned mesh of a crowd
} crowd_program_kind;

/// Locations of uniforms, -1 for those that a program lacks.
typedef struct crowd_program
{
    pelt_gl_program program;
    int32_t view; ///< mat4: clip from world
    int32_t eye;  ///< vec4: eye; w: meters at which everything has faded
    int32_t size; ///< vec4: height of the ground, its half-width, radius of the crowd, of a shadow
    int32_t frozen; ///< mat4: clip from world of the frustum that is shown
    int32_t color;  ///< vec4: linear base color
    int32_t rule;   ///< vec2: 1 with a texture; below which alpha there is nothing
} crowd_program;

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

// @param skin  of members; NULL for all others
static pelt_result get_program(crowd_program* out, pelt_gl* gl, crowd_program_kind kind,
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

// ---------------------------------------------------------------------------------------------
// Mesh of a bake

pelt_result bake_mesh_create(pelt_gl_mesh* out, pelt_gl* gl, const pelt_baked* baked,
                             const pelt_scene* scene, uint32_t instance, const float* mix_factors,
                             pelt_error* error)
{
    pelt_mesh mixed = scene->meshes[scene->instances[instance].mesh];
    const pelt_mesh* mesh = &mixed;
    mixed.mix_factors = mix_factors;
    const pelt_gl_mesh_options options = {.vertex_ids = baked->instances[instance].vertex_ids};
    bool is_morphed = options.vertex_ids == NULL && mesh->morph_weights != NULL &&
                      pelt_morph_is_active(mesh, mesh->morph_weights);
    pelt_result result = pelt_gl_mesh_create(out, gl, mesh, &options, error);
    if (result != PELT_OK || !is_morphed)
    {
        return result;
    }
    pelt_vec3* both = calloc(2 * (size_t)mesh->vertex_count, sizeof *both);
    const pelt_surface rest = {.positions = both,
                               .normals = mesh->normals != NULL ? both + mesh->vertex_count : NULL};
    if (both == NULL)
    {
        pelt_gl_mesh_destroy(out);
        return pelt_error_memory(error);
    }
    pelt_morph_apply(&rest, mesh, NULL, (pelt_range){0, mesh->vertex_count});
    pelt_gl_mesh_update(out, &rest);
    free(both);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Scene

// Blue and orange, for all kinds of color vision.
const pelt_color crowd_level_colors[CROWD_LEVELS] = {{86, 130, 196, 255}, {226, 140, 60, 255}};

struct crowd_part
{
    pelt_gl_mesh mesh;
    crowd_program program;
    uint32_t first_joint;
    uint32_t material; // or PELT_NONE
};

// ---------------------------------------------------------------------------------------------
// Creating

static bool is_drawn(const pelt_scene* scene, uint32_t instance)
{
    const pelt_mesh* mesh = &scene->meshes[scene->instances[instance].mesh];
    return mesh->index_count > 0;
}

static pelt_result create_part(struct crowd_part* out, crowd_scene* stage, uint32_t level,
                               const pelt_baked* baked, uint32_t instance, pelt_error* error)
{
    const pelt_scene* scene = stage->scene;
    const pelt_mesh* mesh = &scene->meshes[scene->instances[instance].mesh];
    out->first_joint = baked->instances[instance].first;
    out->material = mesh->material;
    PELT_TRY(
        bake_mesh_create(&out->mesh, stage->gl, baked, scene, instance, mesh->mix_factors, error));
    pelt_gl_program_desc desc = pelt_gl_crowd_program_desc(&stage->levels[level].crowd, &out->mesh,
                                                           stage->method, stage->scale);
    return get_program(&out->program, stage->gl, CROWD_MEMBER, &desc, error);
}

// Poses are decoded once for each member, if they fit; otherwise every vertex would decode its
// joints.
static pelt_result create_crowd(crowd_level* out, crowd_scene* stage, pelt_encoding encoding,
                                pelt_error* error)
{
    if (encoding != PELT_ENCODING_VERTEX)
    {
        pelt_result result = pelt_gl_crowd_create(&out->crowd, stage->gl, &out->texture,
                                                  stage->count, PELT_PALETTE_POSED, error);
        if (result != PELT_ERROR_UNSUPPORTED)
        {
            return result;
        }
    }
    return pelt_gl_crowd_create(&out->crowd, stage->gl, &out->texture, stage->count,
                                PELT_PALETTE_BAKED, error);
}

static pelt_result create_level(crowd_scene* stage, uint32_t level, const pelt_baked* baked,
                                pelt_error* error)
{
    crowd_level* out = &stage->levels[level];
    uint32_t count = stage->scene->instance_count;
    out->parts = pelt_allocate(count, sizeof *out->parts);
    if (out->parts == NULL)
    {
        return pelt_error_memory(error);
    }
    memset(out->parts, 0, count * sizeof *out->parts);
    pelt_result result = pelt_gl_baked_create(&out->texture, stage->gl, baked, error);
    if (result == PELT_OK)
    {
        result = create_crowd(out, stage, baked->encoding, error);
    }
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        result = is_drawn(stage->scene, i)
                     ? create_part(&out->parts[i], stage, level, baked, i, error)
                     : PELT_OK;
    }
    stage->level_count += result == PELT_OK;
    return result;
}

static pelt_result create_members(crowd_scene* out, pelt_error* error)
{
    out->transforms = pelt_allocate(out->count, sizeof *out->transforms);
    out->playbacks = pelt_allocate(out->count, sizeof *out->playbacks);
    out->member_levels = pelt_allocate(out->count, sizeof *out->member_levels);
    out->visible = pelt_allocate(out->count, sizeof *out->visible);
    out->order = pelt_allocate(out->count, sizeof *out->order);
    out->shadows = pelt_allocate(out->count, sizeof *out->shadows);
    if (out->transforms == NULL || out->playbacks == NULL || out->member_levels == NULL ||
        out->visible == NULL || out->order == NULL || out->shadows == NULL)
    {
        return pelt_error_memory(error);
    }
    memset(out->member_levels, 0, out->count);
    return PELT_OK;
}

static pelt_result create_textures(crowd_scene* out, const pelt_picture* pictures,
                                   pelt_error* error)
{
    uint32_t count = out->scene->material_count;
    out->textures = pelt_allocate(count + 1u, sizeof *out->textures);
    if (out->textures == NULL)
    {
        return pelt_error_memory(error);
    }
    memset(out->textures, 0, (count + 1u) * sizeof *out->textures);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    for (uint32_t i = 0; i < count && pictures != NULL; ++i)
    {
        // Crowds show base colors only.
        const pelt_picture* picture = &pictures[PELT_SLOT_COUNT * i + PELT_SLOT_BASE_COLOR];
        if (picture->pixels == NULL)
        {
            continue;
        }
        // Materials that show the same picture share its texture.
        for (uint32_t k = 0; k < i && out->textures[i] == 0; ++k)
        {
            const pelt_picture* before = &pictures[PELT_SLOT_COUNT * k + PELT_SLOT_BASE_COLOR];
            out->textures[i] = before->pixels == picture->pixels ? out->textures[k] : 0;
        }
        if (out->textures[i] != 0)
        {
            continue;
        }
        glGenTextures(1, &out->textures[i]);
        glBindTexture(GL_TEXTURE_2D, out->textures[i]);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, (GLsizei)picture->width,
                     (GLsizei)picture->height, 0, GL_RGBA, GL_UNSIGNED_BYTE, picture->pixels);
        glGenerateMipmap(GL_TEXTURE_2D);
    }
    return PELT_OK;
}

// Attributes of shadows are one transform each.
static void create_arrays(crowd_scene* out)
{
    glGenVertexArrays(1, &out->empty_array);
    glGenVertexArrays(1, &out->shadow_array);
    glGenBuffers(1, &out->shadow_buffer);
    glBindVertexArray(out->shadow_array);
    glBindBuffer(GL_ARRAY_BUFFER, out->shadow_buffer);
    glVertexAttribPointer(PELT_CROWD_POSITION_LOCATION, 4, GL_FLOAT, GL_FALSE, sizeof *out->shadows,
                          NULL);
    glVertexAttribDivisor(PELT_CROWD_POSITION_LOCATION, 1);
    glEnableVertexAttribArray(PELT_CROWD_POSITION_LOCATION);
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

// The ground is at the lowest point of all members. Boxes of joints have a margin all around.
static void measure(crowd_scene* out)
{
    pelt_bounds all = pelt_bounds_empty();
    float narrow = INFINITY;
    for (uint32_t i = 0; i < out->baked->clip_count; ++i)
    {
        pelt_bounds box = out->baked->clips[i].bounds;
        pelt_bounds_add(&all, &box.min, 1);
        pelt_bounds_add(&all, &box.max, 1);
        narrow = fminf(narrow, fminf(box.max.x - box.min.x, box.max.z - box.min.z));
    }
    bool has_margin = out->baked->encoding != PELT_ENCODING_VERTEX;
    out->ground = all.min.y + (has_margin ? 0.02f * out->baked->height_meters : 0.0f);
    out->footprint = 0.5f * narrow;
    pelt_vec3 size = pelt_vec3_sub(all.max, all.min);
    out->spacing = fmaxf(hypotf(size.x, size.z), 1e-3f);
}

static pelt_result fill(crowd_scene* out, const crowd_scene_desc* desc, pelt_error* error)
{
    if (out->method != PELT_METHOD_LBS)
    {
        PELT_TRY(pelt_gpu_scene_scale(&out->scale, out->scene));
    }
    PELT_TRY(pelt_crowd_bounds_create(&out->bounds, out->baked, out->scene, error));
    PELT_TRY(create_members(out, error));
    PELT_TRY(create_textures(out, desc->textures, error));
    for (uint32_t i = 0; i < CROWD_LEVELS && desc->bakes[i] != NULL; ++i)
    {
        PELT_TRY(create_level(out, i, desc->bakes[i], error));
    }
    create_arrays(out);
    measure(out);
    return PELT_OK;
}

pelt_result crowd_scene_create(crowd_scene** out, pelt_gl* gl, const crowd_scene_desc* desc,
                               pelt_error* error)
{
    PELT_ASSERT(desc->count > 0 && desc->bakes[0] != NULL);
    *out = pelt_allocate(1, sizeof **out);
    if (*out == NULL)
    {
        return pelt_error_memory(error);
    }
    **out = (crowd_scene){.gl = gl,
                          .scene = desc->scene,
                          .baked = desc->bakes[0],
                          .count = desc->count,
                          .method = desc->method,
                          .mix = desc->mix};
    pelt_result result = fill(*out, desc, error);
    if (result != PELT_OK)
    {
        crowd_scene_destroy(*out);
        *out = NULL;
    }
    return result;
}

static void destroy_level(crowd_level* in, uint32_t part_count)
{
    for (uint32_t i = 0; in->parts != NULL && i < part_count; ++i)
    {
        pelt_gl_mesh_destroy(&in->parts[i].mesh);
    }
    pelt_gl_crowd_destroy(&in->crowd);
    pelt_gl_baked_destroy(&in->texture);
    pelt_release(in->parts);
}

void crowd_scene_destroy(crowd_scene* in)
{
    if (in == NULL)
    {
        return;
    }
    for (uint32_t i = 0; i < CROWD_LEVELS; ++i)
    {
        destroy_level(&in->levels[i], in->scene->instance_count);
    }
    if (in->textures != NULL)
    {
        glDeleteTextures((GLsizei)in->scene->material_count, in->textures);
    }
    glDeleteVertexArrays(1, &in->empty_array);
    glDeleteVertexArrays(1, &in->shadow_array);
    glDeleteBuffers(1, &in->shadow_buffer);
    pelt_release(in->textures);
    pelt_release(in->transforms);
    pelt_release(in->playbacks);
    pelt_release(in->member_levels);
    pelt_release(in->visible);
    pelt_release(in->order);
    pelt_release(in->shadows);
    pelt_release(in);
}

// ---------------------------------------------------------------------------------------------
// Members

void crowd_scene_arrange(crowd_scene* inout, const pelt_crowd_act* act, float spacing)
{
    inout->radius = 0.0f;
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        inout->transforms[i] = pelt_crowd_member_transform(act, i, inout->count, spacing);
        inout->radius = fmaxf(inout->radius, pelt_vec3_length(inout->transforms[i].position));
    }
    inout->radius += inout->spacing;
}

static void count_members(crowd_scene* inout, uint32_t visible)
{
    inout->counts = (crowd_counts){.members = inout->count, .visible = visible};
    for (uint32_t i = 0; i < CROWD_LEVELS; ++i)
    {
        inout->counts.by_level[i] = inout->by_level[i].count;
    }
    for (uint32_t i = 0; i < visible; ++i)
    {
        inout->counts.fading += inout->playbacks[inout->order[i]].fade > 0.0f;
    }
}

static pelt_crowd_members members_of(const crowd_scene* in)
{
    return (pelt_crowd_members){&in->bounds, in->transforms, in->playbacks, in->member_levels};
}

void crowd_scene_play(crowd_scene* inout, const pelt_crowd_act* act, double time,
                      const pelt_crowd_view* view)
{
    pelt_crowd_view here = *view;
    here.level_count =
        view->level_count < inout->level_count ? view->level_count : inout->level_count;
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        inout->playbacks[i] = pelt_crowd_play(act, inout->baked, i, time);
    }
    pelt_crowd_members members = members_of(inout);
    uint32_t seen = pelt_crowd_cull(inout->visible, &members, &here, (pelt_range){0, inout->count});
    pelt_crowd_sort(inout->order, inout->by_level, inout->visible, seen);
    count_members(inout, seen);
}

pelt_result crowd_scene_upload(crowd_scene* inout, pelt_error* error)
{
    pelt_crowd_members members = members_of(inout);
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < inout->level_count && result == PELT_OK; ++i)
    {
        pelt_gl_crowd* crowd = &inout->levels[i].crowd;
        pelt_gl_crowd_gather(crowd, &members, inout->order + inout->by_level[i].first,
                             inout->by_level[i].count);
        result = pelt_gl_crowd_pose(crowd, error);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Drawing

static void set_frame(const crowd_program* program, const crowd_scene* stage,
                      const crowd_shot* shot)
{
    float reach = fmaxf(2.0f * stage->radius, pelt_vec3_length(shot->eye) + stage->radius);
    glUniformMatrix4fv(program->view, 1, GL_FALSE, shot->clip_from_world);
    glUniform4f(program->eye, shot->eye.x, shot->eye.y, shot->eye.z, reach);
}

static void draw_background(const crowd_scene* stage, const crowd_program* program)
{
    glDisable(GL_DEPTH_TEST);
    glUseProgram(program->program.name);
    glBindVertexArray(stage->empty_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void draw_ground(const crowd_scene* stage, const crowd_program* program,
                        const crowd_shot* shot)
{
    float far_out = 3.0f * stage->radius + pelt_vec3_length(shot->eye);
    glUseProgram(program->program.name);
    set_frame(program, stage, shot);
    glUniform4f(program->size, stage->ground, far_out, stage->radius, stage->footprint);
    glBindVertexArray(stage->empty_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

// Members in front of the camera: a shadow may be in view when its member is not, and is drawn for
// members that a frozen frustum culls.
static void draw_shadows(crowd_scene* inout, const crowd_program* program, const crowd_shot* shot)
{
    float r = inout->footprint;
    pelt_bounds flat = {{-r, inout->ground, -r}, {r, inout->ground, r}};
    pelt_frustum frustum = pelt_frustum_of(shot->clip_from_world);
    uint32_t count = 0;
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        if (pelt_frustum_meets(&frustum, &flat, &inout->transforms[i]))
        {
            inout->shadows[count++] = inout->transforms[i];
        }
    }
    glBindBuffer(GL_ARRAY_BUFFER, inout->shadow_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *inout->shadows), inout->shadows,
                 GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glUseProgram(program->program.name);
    set_frame(program, inout, shot);
    glUniform4f(program->size, inout->ground, 0.0f, inout->radius, inout->footprint);
    glBindVertexArray(inout->shadow_array);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)count);
}

static void draw_frozen(const crowd_scene* stage, const crowd_program* program,
                        const crowd_shot* shot)
{
    glUseProgram(program->program.name);
    set_frame(program, stage, shot);
    glUniformMatrix4fv(program->frozen, 1, GL_FALSE, shot->frozen);
    glBindVertexArray(stage->empty_array);
    glDrawArrays(GL_LINES, 0, 24);
}

static void set_material(const crowd_scene* stage, const struct crowd_part* part, uint32_t level,
                         bool has_level_colors)
{
    const crowd_program* program = &part->program;
    pelt_material plain = {.base_color = {0.56f, 0.55f, 0.53f, 1.0f}};
    const pelt_material* material =
        part->material != PELT_NONE ? &stage->scene->materials[part->material] : &plain;
    pelt_vec4 color = material->base_color;
    uint32_t texture = part->material != PELT_NONE ? stage->textures[part->material] : 0;
    if (has_level_colors)
    {
        pelt_color c = crowd_level_colors[level];
        color = (pelt_vec4){pelt_srgb_to_linear(c.r), pelt_srgb_to_linear(c.g),
                            pelt_srgb_to_linear(c.b), 1.0f};
        texture = 0;
    }
    bool is_mask = material->alpha_mode == PELT_ALPHA_MASK && !has_level_colors;
    float cutoff = material->alpha_cutoff > 0.0f ? material->alpha_cutoff : 0.5f;
    glUniform4f(program->color, color.x, color.y, color.z, color.w);
    glUniform2f(program->rule, texture != 0 ? 1.0f : 0.0f, is_mask ? cutoff : -1.0f);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture);
}

static void draw_level(crowd_scene* inout, uint32_t index, const crowd_shot* shot)
{
    const crowd_level* level = &inout->levels[index];
    pelt_range all = {0, level->crowd.used_count};
    for (uint32_t i = 0; i < inout->scene->instance_count && all.count > 0; ++i)
    {
        const struct crowd_part* part = &level->parts[i];
        if (part->mesh.index_count == 0)
        {
            continue;
        }
        pelt_gl_crowd_use(&level->crowd, &part->program.program, inout->mix);
        set_frame(&part->program, inout, shot);
        set_material(inout, part, index, shot->has_level_colors);
        pelt_gl_crowd_draw(&level->crowd, &part->program.program, &part->mesh, part->first_joint,
                           all);
        ++inout->counts.draw_calls;
        inout->counts.triangles += (uint64_t)all.count * (part->mesh.index_count / 3);
        inout->counts.vertices += (uint64_t)all.count * part->mesh.vertex_count;
    }
}

pelt_result crowd_scene_draw(crowd_scene* inout, const crowd_shot* shot, pelt_error* error)
{
    crowd_program programs[CROWD_MEMBER];
    for (int i = 0; i < CROWD_MEMBER; ++i)
    {
        PELT_TRY(get_program(&programs[i], inout->gl, (crowd_program_kind)i, NULL, error));
    }
    inout->counts.draw_calls = 0;
    inout->counts.triangles = inout->counts.vertices = 0;
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
    glClear(GL_DEPTH_BUFFER_BIT);
    draw_background(inout, &programs[CROWD_BACKGROUND]);
    // The ground hides nothing, and no member is below it: it is drawn first.
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    if (shot->has_ground)
    {
        draw_ground(inout, &programs[CROWD_GROUND], shot);
        draw_shadows(inout, &programs[CROWD_SHADOW], shot);
    }
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    for (uint32_t i = 0; i < inout->level_count; ++i)
    {
        draw_level(inout, i, shot);
    }
    if (shot->frozen != NULL)
    {
        draw_frozen(inout, &programs[CROWD_FRUSTUM], shot);
    }
    glDisable(GL_DEPTH_TEST);
    glBindVertexArray(0);
    glUseProgram(0);
    return PELT_OK;
}
