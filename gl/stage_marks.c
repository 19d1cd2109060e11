// SPDX-License-Identifier: MIT
// Marks of a pose: bones and joints, centers of rotation, boxes, normals. Many of one shape each.
#include "stage.h"

#include <epoxy/gl.h>

// Locations and kinds as in render_mark_vertex.glsl.
enum
{
    FROM_LOCATION = 11,
    ALONG_LOCATION = 12,
    COLOR_LOCATION = 13,
    SIDE_LOCATION = 14,
    UP_LOCATION = 15,
    KIND_BONE = 0,
    KIND_JOINT,
    KIND_BOX,
    KIND_DOT,
    KIND_LINE,
};

typedef struct mark
{
    pelt_vec3 from;
    pelt_vec4 along; // w: radius
    pelt_vec4 color;
    pelt_vec3 side, up; // boxes only
} mark;

static const pelt_vec4 bone_color = {0.97f, 0.77f, 0.16f, 1.0f};
static const pelt_vec4 joint_color = {0.16f, 0.72f, 0.29f, 1.0f};
static const pelt_vec4 cor_color = {0.93f, 0.12f, 0.12f, 1.0f};
static const pelt_vec4 box_color = {0.10f, 0.28f, 0.62f, 0.85f};
static const pelt_vec4 look_box_color = {0.62f, 0.16f, 0.42f, 0.7f};
static const pelt_vec4 normal_color = {0.06f, 0.42f, 0.46f, 0.9f};

// ---------------------------------------------------------------------------------------------
static void point_at(GLuint location, GLint size, GLsizei stride, size_t offset, GLuint divisor)
{
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, size, GL_FLOAT, GL_FALSE, stride, (const void*)offset);
    glVertexAttribDivisor(location, divisor);
}

// Bind the marks of the bound buffer from one on: drawing from a first instance needs newer
// drivers.
static void point_at_marks(uint32_t first)
{
    size_t start = first * sizeof(mark);
    point_at(FROM_LOCATION, 3, sizeof(mark), start + offsetof(mark, from), 1);
    point_at(ALONG_LOCATION, 4, sizeof(mark), start + offsetof(mark, along), 1);
    point_at(COLOR_LOCATION, 4, sizeof(mark), start + offsetof(mark, color), 1);
    point_at(SIDE_LOCATION, 3, sizeof(mark), start + offsetof(mark, side), 1);
    point_at(UP_LOCATION, 3, sizeof(mark), start + offsetof(mark, up), 1);
}

void pelti_marks_create(pelti_marks* out, uint32_t instance_count)
{
    pelt_vec3 shapes[PELTI_SHAPE_VERTICES];
    pelti_shapes_write(shapes);
    glGenVertexArrays(1, &out->shape_array);
    glGenVertexArrays(1, &out->dot_array);
    glGenVertexArrays(1, &out->line_array);
    glGenBuffers(1, &out->shape_buffer);
    glGenBuffers(1, &out->instance_buffer);
    glGenBuffers(1, &out->dot_buffer);

    glBindVertexArray(out->shape_array);
    glBindBuffer(GL_ARRAY_BUFFER, out->shape_buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof shapes, shapes, GL_STATIC_DRAW);
    point_at(PELT_ATTRIBUTE_POSITION, 3, sizeof(pelt_vec3), 0, 0);
    glBindBuffer(GL_ARRAY_BUFFER, out->instance_buffer);
    out->mark_capacity = instance_count + 1;
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(out->mark_capacity * sizeof(mark)), NULL,
                 GL_DYNAMIC_DRAW);
    point_at_marks(0);

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
    glDeleteVertexArrays(1, &marks->line_array);
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

static mark* map_marks(pelti_marks* marks, uint32_t count, pelt_error* error)
{
    glBindBuffer(GL_ARRAY_BUFFER, marks->instance_buffer);
    if (count > marks->mark_capacity) // boxes of a look, as many as there are
    {
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof(mark)), NULL, GL_DYNAMIC_DRAW);
        marks->mark_capacity = count;
    }
    mark* out = glMapBufferRange(GL_ARRAY_BUFFER, 0, (GLsizeiptr)(count * sizeof *out),
                                 GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    if (out == NULL)
    {
        pelti_gl_check(NULL, "");
        pelt_error_set(error, PELT_ERROR_MEMORY, "out of GPU memory: bones and boxes");
    }
    return out;
}

// ---------------------------------------------------------------------------------------------
// Boxes

// A box transformed by a matrix.
static mark box_mark(const pelt_bounds* box, const pelt_mat34* matrix, pelt_vec4 color)
{
    pelt_mat3 linear = pelt_mat34_linear(matrix);
    pelt_vec3 size = pelt_vec3_sub(box->max, box->min);
    pelt_vec3 along = pelt_mat3_vector(&linear, pelt_vec3_make(size.x, 0.0f, 0.0f));
    return (mark){.from = pelt_mat34_point(matrix, box->min),
                  .along = {along.x, along.y, along.z, 0.0f},
                  .side = pelt_mat3_vector(&linear, pelt_vec3_make(0.0f, size.y, 0.0f)),
                  .up = pelt_mat3_vector(&linear, pelt_vec3_make(0.0f, 0.0f, size.z)),
                  .color = color};
}

static uint32_t write_boxes(mark* out, const pelt_stage* stage, const pelt_look* look)
{
    (void)look;
    const pelt_mat34 as_it_is = pelt_mat34_identity();
    for (uint32_t i = 0; i < stage->scene->instance_count; ++i)
    {
        out[i] = box_mark(&stage->bodies[i].bounds, &as_it_is, box_color);
    }
    return stage->scene->instance_count;
}

static uint32_t write_look_boxes(mark* out, const pelt_stage* stage, const pelt_look* look)
{
    (void)stage;
    const pelt_mat34 as_it_is = pelt_mat34_identity();
    for (uint32_t i = 0; i < look->box_count; ++i)
    {
        out[i] = box_mark(&look->boxes[i], &as_it_is, look_box_color);
    }
    return look->box_count;
}

static uint32_t write_joint_boxes(mark* out, const pelt_stage* stage, const pelt_look* look)
{
    (void)look;
    const pelti_skeleton* skeleton = &stage->skeleton;
    uint32_t count = 0;
    for (uint32_t i = 0; i < skeleton->count; ++i)
    {
        uint32_t node = skeleton->nodes[i];
        const pelt_bounds* box = &skeleton->shapes[node].box;
        pelt_color c = skeleton->colors[node];
        // Darker than on the surface: it is a line in front of the surface.
        const float shade = 0.7f / 255.0f;
        pelt_vec4 color = {shade * c.r, shade * c.g, shade * c.b, 1.0f};
        if (box->min.x <= box->max.x)
        {
            out[count++] = box_mark(box, &stage->frame->model_from_node[node], color);
        }
    }
    return count;
}

typedef uint32_t (*write_marks)(mark* out, const pelt_stage* stage, const pelt_look* look);

static pelt_result draw_boxes(pelt_stage* stage, const pelti_shot* shot, uint32_t capacity,
                              write_marks write, pelt_error* error)
{
    uint32_t program;
    pelt_result result = use_program(&program, stage, shot, error);
    if (result != PELT_OK || capacity == 0)
    {
        return result;
    }
    mark* out = map_marks(&stage->marks, capacity, error);
    if (out == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t count = write(out, stage, shot->look);
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

pelt_result pelti_boxes_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    return draw_boxes(stage, shot, stage->scene->instance_count, write_boxes, error);
}

pelt_result pelti_look_boxes_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    uint32_t count = shot->look->boxes != NULL ? shot->look->box_count : 0;
    return count > 0 ? draw_boxes(stage, shot, count, write_look_boxes, error) : PELT_OK;
}

pelt_result pelti_joint_boxes_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    return draw_boxes(stage, shot, stage->skeleton.count, write_joint_boxes, error);
}

// ---------------------------------------------------------------------------------------------
// Bones

static pelt_vec3 joint_position(const pelt_stage* stage, uint32_t joint)
{
    return pelt_mat34_translation(&stage->frame->model_from_node[stage->skeleton.nodes[joint]]);
}

// @return false: other joints or nothing are at its end
static bool find_tail(pelt_vec3* out, const pelt_stage* stage, uint32_t joint)
{
    uint32_t node = stage->skeleton.nodes[joint];
    const pelt_joint_shape* shape = &stage->skeleton.shapes[node];
    *out = pelt_mat34_point(&stage->frame->model_from_node[node], shape->tail);
    return shape->has_tail;
}

static void measure_bones(pelt_stage* stage)
{
    pelti_skeleton* skeleton = &stage->skeleton;
    for (uint32_t i = 0; i < skeleton->count; ++i)
    {
        uint32_t parent = skeleton->parents[i];
        pelt_vec3 at = joint_position(stage, i), tail;
        skeleton->lengths[i] = 0.0f;
        if (parent != PELT_NONE)
        {
            float length = pelt_vec3_distance(at, joint_position(stage, parent));
            skeleton->lengths[i] = length;
            skeleton->lengths[parent] = fmaxf(skeleton->lengths[parent], length);
        }
        if (find_tail(&tail, stage, i))
        {
            skeleton->lengths[i] = fmaxf(skeleton->lengths[i], pelt_vec3_distance(at, tail));
        }
    }
}

static float clamp(float value, float low, float high)
{
    return fminf(fmaxf(value, low), high);
}

static mark bone_mark(pelt_vec3 from, pelt_vec3 to, float size, float pixel)
{
    pelt_vec3 along = pelt_vec3_sub(to, from);
    float thickness =
        fmaxf(clamp(0.09f * pelt_vec3_length(along), 0.0f, 0.02f * size), 0.75f * pixel);
    return (mark){
        .from = from, .along = {along.x, along.y, along.z, thickness}, .color = bone_color};
}

// Balls first, then bones. @return number of bones
static uint32_t write_bones(mark* out, pelt_stage* stage, const pelti_shot* shot)
{
    const pelti_skeleton* skeleton = &stage->skeleton;
    float size = pelt_bounds_diagonal(&stage->bounds);
    mark* bone = out + skeleton->count;
    for (uint32_t i = 0; i < skeleton->count; ++i)
    {
        pelt_vec3 at = joint_position(stage, i), tail;
        // Limits of radii, so that joints of fingers are visible and long bones do not get large
        // balls.
        float pixel = 1.0f / pelti_shot_scale(shot, at);
        bool is_alone = skeleton->lengths[i] == 0.0f;
        float radius = is_alone ? 0.006f * size
                                : clamp(0.05f * skeleton->lengths[i], 0.002f * size, 0.008f * size);
        radius = fmaxf(radius, 1.5f * pixel);
        out[i] = (mark){.from = at, .along = {0.0f, 0.0f, 0.0f, radius}, .color = joint_color};
        if (skeleton->parents[i] != PELT_NONE)
        {
            *bone++ = bone_mark(joint_position(stage, skeleton->parents[i]), at, size, pixel);
        }
        if (find_tail(&tail, stage, i))
        {
            *bone++ = bone_mark(at, tail, size, pixel);
        }
    }
    return (uint32_t)(bone - out) - skeleton->count;
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
    mark* out = map_marks(&stage->marks, 3 * count, error);
    if (out == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t bone_count = write_bones(out, stage, shot);
    glUnmapBuffer(GL_ARRAY_BUFFER);

    // Drawn through the surface, but with depth among themselves.
    glClearBufferfv(GL_DEPTH, 0, &farthest);
    glBindVertexArray(stage->marks.shape_array);
    pelti_uniform_int(program, "kind", KIND_JOINT);
    glDrawArraysInstanced(GL_TRIANGLES, PELTI_BONE_VERTICES, PELTI_BALL_VERTICES, (GLsizei)count);
    point_at_marks(count); // the bones follow the balls in the buffer
    pelti_uniform_int(program, "kind", KIND_BONE);
    glDrawArraysInstanced(GL_TRIANGLES, 0, PELTI_BONE_VERTICES, (GLsizei)bone_count);
    stage->gl->info.draw_count += 2;
    point_at_marks(0);
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

static bool is_same_position(pelt_vec3 a, pelt_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Centers at their positions under the joints of their vertices. A vertex that is its own center
// has none to show.
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
        if (!is_same_position(cors[v], mesh->positions[v]))
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

// ---------------------------------------------------------------------------------------------
// Normals

// One line for each vertex, by instancing: positions and normals are where the surface has them.
static void draw_normals(const pelt_stage* stage, const pelti_body* body, uint32_t vertex_count)
{
    bool is_skinned = body->is_skinned;
    GLsizei stride = is_skinned ? sizeof(pelti_feedback_vertex) : sizeof(pelt_vec3);
    size_t normals =
        is_skinned ? offsetof(pelti_feedback_vertex, normal) : vertex_count * sizeof(pelt_vec3);
    glBindVertexArray(stage->marks.line_array);
    glBindBuffer(GL_ARRAY_BUFFER, body->surface_buffer);
    point_at(FROM_LOCATION, 3, stride, 0, 1);
    point_at(ALONG_LOCATION, 3, stride, normals, 1);
    glDrawArraysInstanced(GL_LINES, 0, 2, (GLsizei)vertex_count);
}

pelt_result pelti_normals_draw(pelt_stage* stage, const pelti_shot* shot, pelt_error* error)
{
    const pelt_scene* scene = stage->scene;
    uint32_t program;
    PELT_TRY(use_program(&program, stage, shot, error));
    pelti_uniform_int(program, "kind", KIND_LINE);
    pelti_uniform_float(program, "line_length", 0.01f * pelt_bounds_diagonal(&stage->bounds));
    glVertexAttrib4f(COLOR_LOCATION, normal_color.x, normal_color.y, normal_color.z,
                     normal_color.w);
    glEnable(GL_BLEND);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        if (mesh->normals != NULL && mesh->vertex_count > 0 && !pelti_body_is_duplicate(stage, i))
        {
            draw_normals(stage, &stage->bodies[i], mesh->vertex_count);
        }
    }
    glDisable(GL_BLEND);
    return PELT_OK;
}
