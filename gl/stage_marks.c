// SPDX-License-Identifier: MIT
// What explains a pose: bones and joints, centers of rotation, boxes. Many of one shape each.
#include "stage.h"

#include <epoxy/gl.h>

// Locations and kinds as in render_mark_vertex.glsl.
enum
{
    FROM_LOCATION = 11,
    ALONG_LOCATION = 12,
    COLOR_LOCATION = 13,
    KIND_BONE = 0,
    KIND_JOINT,
    KIND_BOX,
    KIND_DOT,
};

typedef struct mark
{
    pelt_vec3 from;
    pelt_vec4 along; // w: radius
    pelt_vec4 color;
} mark;

static const pelt_vec4 bone_color = {0.97f, 0.77f, 0.16f, 1.0f};
static const pelt_vec4 joint_color = {0.16f, 0.72f, 0.29f, 1.0f};
static const pelt_vec4 cor_color = {0.93f, 0.12f, 0.12f, 1.0f};
static const pelt_vec4 box_color = {0.10f, 0.28f, 0.62f, 0.85f};

// ---------------------------------------------------------------------------------------------
static void point_at(GLuint location, GLint size, GLsizei stride, size_t offset, GLuint divisor)
{
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, size, GL_FLOAT, GL_FALSE, stride, (const void*)offset);
    glVertexAttribDivisor(location, divisor);
}

void pelti_marks_create(pelti_marks* out, uint32_t instance_count)
{
    pelt_vec3 shapes[PELTI_SHAPE_VERTICES];
    pelti_shapes_write(shapes);
    glGenVertexArrays(1, &out->shape_array);
    glGenVertexArrays(1, &out->dot_array);
    glGenBuffers(1, &out->shape_buffer);
    glGenBuffers(1, &out->instance_buffer);
    glGenBuffers(1, &out->dot_buffer);

    glBindVertexArray(out->shape_array);
    glBindBuffer(GL_ARRAY_BUFFER, out->shape_buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof shapes, shapes, GL_STATIC_DRAW);
    point_at(PELT_ATTRIBUTE_POSITION, 3, sizeof(pelt_vec3), 0, 0);
    glBindBuffer(GL_ARRAY_BUFFER, out->instance_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((instance_count + 1) * sizeof(mark)), NULL,
                 GL_DYNAMIC_DRAW);
    point_at(FROM_LOCATION, 3, sizeof(mark), offsetof(mark, from), 1);
    point_at(ALONG_LOCATION, 4, sizeof(mark), offsetof(mark, along), 1);
    point_at(COLOR_LOCATION, 4, sizeof(mark), offsetof(mark, color), 1);

    glBindVertexArray(out->dot_array);
    glBindBuffer(GL_ARRAY_BUFFER, out->dot_buffer);
    point_at(PELT_ATTRIBUTE_POSITION, 3, sizeof(pelt_vec3), 0, 0);
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void pelti_marks_destroy(pelti_marks* marks)
{
    glDeleteVertexArrays(1, &marks->shape_array);
    glDeleteVertexArrays(1, &marks->dot_array);
    glDeleteBuffers(1, &marks->shape_buffer);
    glDeleteBuffers(1, &marks->instance_buffer);
    glDeleteBuffers(1, &marks->dot_buffer);
    pelt_release(marks->dots);
    *marks = (pelti_marks){0};
}

// ---------------------------------------------------------------------------------------------

static pelt_result use_program(uint32_t* out, pelt_stage* stage, const pelti_shot* shot,
                               pelt_error* error)
{
    pelt_result result =
        pelti_render_program(out, stage->gl, pelti_render_file("render_mark_vertex.glsl"),
                             pelti_render_file("render_mark.glsl"), error);
    if (result == PELT_OK)
    {
        pelti_uniform_matrix(*out, "clip_from_model", &shot->clip_from_model);
        pelti_uniform_vec3(*out, "mark_eye", shot->eye);
    }
    return result;
}

static mark* map_marks(const pelti_marks* marks, uint32_t count, pelt_error* error)
{
    glBindBuffer(GL_ARRAY_BUFFER, marks->instance_buffer);
    mark* out = glMapBufferRange(GL_ARRAY_BUFFER, 0, (GLsizeiptr)(count * sizeof *out),
                                 GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    if (out == NULL)
    {
        pelti_gl_check(NULL, "");
        pelt_error_set(error, PELT_ERROR_MEMORY, "out of GPU memory: bones and boxes");
    }
    return out;
}

pelt_result pelti_boxes_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    uint32_t program, count = stage->scene->instance_count;
    pelt_result result = use_program(&program, stage, shot, error);
    if (result != PELT_OK || count == 0)
    {
        return result;
    }
    mark* out = map_marks(&stage->marks, count, error);
    if (out == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        const pelt_bounds* bounds = &stage->bodies[i].bounds;
        pelt_vec3 size = pelt_vec3_sub(bounds->max, bounds->min);
        out[i] = (mark){bounds->min, {size.x, size.y, size.z, 0.0f}, box_color};
    }
    glUnmapBuffer(GL_ARRAY_BUFFER);
    pelti_uniform_int(program, "kind", KIND_BOX);
    glEnable(GL_BLEND);
    glBindVertexArray(stage->marks.shape_array);
    glDrawArraysInstanced(GL_LINES, PELTI_BONE_VERTICES + PELTI_BALL_VERTICES, PELTI_BOX_VERTICES,
                          (GLsizei)count);
    ++stage->gl->info.draw_count;
    glDisable(GL_BLEND);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Bones

static pelt_vec3 joint_place(const pelt_stage* stage, uint32_t joint)
{
    return pelt_mat34_translation(&stage->frame->model_from_node[stage->skeleton.nodes[joint]]);
}

static void measure_bones(pelt_stage* stage)
{
    pelti_skeleton* skeleton = &stage->skeleton;
    for (uint32_t i = 0; i < skeleton->count; ++i)
    {
        uint32_t parent = skeleton->parents[i];
        skeleton->lengths[i] = 0.0f;
        if (parent != PELT_NONE)
        {
            float length = pelt_vec3_distance(joint_place(stage, i), joint_place(stage, parent));
            skeleton->lengths[i] = length;
            skeleton->lengths[parent] = fmaxf(skeleton->lengths[parent], length);
        }
    }
}

static float clamp(float value, float low, float high)
{
    return fminf(fmaxf(value, low), high);
}

// Balls first, then bones. @return number of bones
static uint32_t write_bones(mark* out, pelt_stage* stage, const pelti_shot* shot)
{
    const pelti_skeleton* skeleton = &stage->skeleton;
    float size = pelt_bounds_diagonal(&stage->bounds);
    uint32_t bone_count = 0;
    for (uint32_t i = 0; i < skeleton->count; ++i)
    {
        pelt_vec3 at = joint_place(stage, i);
        // Fingers keep joints that can be seen, and a long bone does not get a pumpkin.
        float pixel = 1.0f / pelti_shot_scale(shot, at);
        bool is_alone = skeleton->lengths[i] == 0.0f;
        float radius = is_alone ? 0.006f * size
                                : clamp(0.05f * skeleton->lengths[i], 0.002f * size, 0.008f * size);
        radius = fmaxf(radius, 1.5f * pixel);
        out[i] = (mark){at, {0.0f, 0.0f, 0.0f, radius}, joint_color};
        uint32_t parent = skeleton->parents[i];
        if (parent != PELT_NONE)
        {
            pelt_vec3 from = joint_place(stage, parent);
            pelt_vec3 along = pelt_vec3_sub(at, from);
            float length = pelt_vec3_length(along);
            float thickness = fmaxf(clamp(0.09f * length, 0.0f, 0.02f * size), 0.75f * pixel);
            out[skeleton->count + bone_count++] =
                (mark){from, {along.x, along.y, along.z, thickness}, bone_color};
        }
    }
    return bone_count;
}

pelt_result pelti_bones_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    const float farthest = 1.0f;
    uint32_t program, count = stage->skeleton.count;
    pelt_result result = use_program(&program, stage, shot, error);
    if (result != PELT_OK || count == 0)
    {
        return result;
    }
    measure_bones(stage);
    mark* out = map_marks(&stage->marks, 2 * count, error);
    if (out == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t bone_count = write_bones(out, stage, shot);
    glUnmapBuffer(GL_ARRAY_BUFFER);

    // Through the surface, but in the right order among themselves.
    glClearBufferfv(GL_DEPTH, 0, &farthest);
    glBindVertexArray(stage->marks.shape_array);
    pelti_uniform_int(program, "kind", KIND_JOINT);
    glDrawArraysInstanced(GL_TRIANGLES, PELTI_BONE_VERTICES, PELTI_BALL_VERTICES, (GLsizei)count);
    // The bones stand behind the balls in the buffer; a first instance needs newer drivers.
    size_t start = count * sizeof(mark);
    point_at(FROM_LOCATION, 3, sizeof(mark), start + offsetof(mark, from), 1);
    point_at(ALONG_LOCATION, 4, sizeof(mark), start + offsetof(mark, along), 1);
    point_at(COLOR_LOCATION, 4, sizeof(mark), start + offsetof(mark, color), 1);
    pelti_uniform_int(program, "kind", KIND_BONE);
    glDrawArraysInstanced(GL_TRIANGLES, 0, PELTI_BONE_VERTICES, (GLsizei)bone_count);
    stage->gl->info.draw_count += 2;
    point_at(FROM_LOCATION, 3, sizeof(mark), offsetof(mark, from), 1);
    point_at(ALONG_LOCATION, 4, sizeof(mark), offsetof(mark, along), 1);
    point_at(COLOR_LOCATION, 4, sizeof(mark), offsetof(mark, color), 1);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Centers of rotation

static pelt_result ensure_dots(pelti_marks* marks, uint32_t count, pelt_error* error)
{
    if (count <= marks->dot_capacity)
    {
        return PELT_OK;
    }
    pelt_release(marks->dots);
    marks->dots = pelt_allocate(count, sizeof *marks->dots);
    marks->dot_capacity = marks->dots ? count : 0;
    return marks->dots ? PELT_OK : pelt_error_memory(error);
}

static bool is_same_place(pelt_vec3 a, pelt_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Centers where their vertices' joints take them. A vertex that is its own center has none to show.
static uint32_t move_cors(pelt_vec3* out, const pelt_stage* stage, const pelt_instance* instance)
{
    const pelt_mesh* mesh = &stage->scene->meshes[instance->mesh];
    const pelt_vec3* cors = stage->frame->cors[instance->mesh];
    const pelt_surface moved = {.positions = out};
    const pelt_deform_input input = {.positions = cors,
                                     .weights = &mesh->weights,
                                     .palette = &stage->frame->palettes[instance->skin]};
    const pelt_deform_options options = {.method = PELT_METHOD_LBS};
    pelt_deform_lbs(&moved, &input, &options, (pelt_range){0, mesh->vertex_count});
    uint32_t count = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        if (!is_same_place(cors[v], mesh->positions[v]))
        {
            out[count++] = out[v];
        }
    }
    return count;
}

static void draw_dots(const pelti_marks* marks, uint32_t count)
{
    glBindBuffer(GL_ARRAY_BUFFER, marks->dot_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *marks->dots), marks->dots,
                 GL_STREAM_DRAW);
    glBindVertexArray(marks->dot_array);
    glDrawArrays(GL_POINTS, 0, (GLsizei)count);
}

pelt_result pelti_cors_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    const pelt_scene* scene = stage->scene;
    uint32_t program;
    pelt_result result = use_program(&program, stage, shot, error);
    if (result != PELT_OK)
    {
        return result;
    }
    pelti_uniform_int(program, "kind", KIND_DOT);
    pelti_uniform_float(program, "dot_size", fmaxf(3.0f, (float)shot->height / 160.0f));
    glVertexAttrib4f(COLOR_LOCATION, cor_color.x, cor_color.y, cor_color.z, cor_color.w);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    for (uint32_t i = 0; i < scene->instance_count && result == PELT_OK; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        if (instance->skin != PELT_NONE && stage->frame->cors[instance->mesh] != NULL)
        {
            result = ensure_dots(&stage->marks, scene->meshes[instance->mesh].vertex_count, error);
            if (result == PELT_OK)
            {
                draw_dots(&stage->marks, move_cors(stage->marks.dots, stage, instance));
                ++stage->gl->info.draw_count;
            }
        }
    }
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    return result;
}
