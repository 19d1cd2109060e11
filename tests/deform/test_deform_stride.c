// SPDX-License-Identifier: MIT
// Vertex buffers of engines: attributes next to each other in one struct per vertex, read and
// written where they lie. The truth is the same call on packed arrays, to the bit.
#include "gradient_points.h"

#include <string.h>

enum
{
    VERTICES = 40,
    JOINTS = ORACLE_JOINTS,
};

// As an engine might have it: something before, between and after.
typedef struct engine_vertex
{
    float uv[2];
    pelt_vec3 position;
    uint32_t color;
    pelt_vec3 normal;
    pelt_vec4 tangent;
    float mark;
} engine_vertex;

static void fill(engine_vertex* out, const point_set* from)
{
    memset(out, 0x5a, from->vertex_count * sizeof *out);
    for (uint32_t v = 0; v < from->vertex_count; ++v)
    {
        out[v].position = from->positions[v];
        out[v].normal = from->normals[v];
        out[v].tangent = from->tangents[v];
    }
}

static pelt_surface surface_of(engine_vertex* buffer)
{
    return (pelt_surface){.positions = &buffer->position,
                          .normals = &buffer->normal,
                          .tangents = &buffer->tangent,
                          .position_stride = sizeof *buffer,
                          .normal_stride = sizeof *buffer,
                          .tangent_stride = sizeof *buffer};
}

static pelt_deform_input input_of(const engine_vertex* buffer, const gradient_points* s)
{
    pelt_deform_input input = point_set_input(&s->m);
    input.normal_factors = &s->factors;
    input.positions = &buffer->position;
    input.normals = &buffer->normal;
    input.tangents = &buffer->tangent;
    input.position_stride = input.normal_stride = input.tangent_stride = sizeof *buffer;
    return input;
}

static int check_same(const engine_vertex* buffer, const pelt_surface* packed, uint32_t count)
{
    engine_vertex untouched;
    memset(&untouched, 0x5a, sizeof untouched);
    for (uint32_t v = 0; v < count; ++v)
    {
        ENSURE(memcmp(&buffer[v].position, &packed->positions[v], sizeof(pelt_vec3)) == 0);
        ENSURE(memcmp(&buffer[v].normal, &packed->normals[v], sizeof(pelt_vec3)) == 0);
        ENSURE(memcmp(&buffer[v].tangent, &packed->tangents[v], sizeof(pelt_vec4)) == 0);
        ENSURE(memcmp(buffer[v].uv, untouched.uv, sizeof untouched.uv) == 0);
        ENSURE(buffer[v].color == untouched.color);
        ENSURE(memcmp(&buffer[v].mark, &untouched.mark, sizeof untouched.mark) == 0);
    }
    return 0;
}

static int vertex_buffers_deform_as_packed_arrays_do(void)
{
    static engine_vertex rest[1024], moved[1024];
    gradient_points s = gradient_points_make(11, 1.0f, true);
    uint32_t count = s.m.vertex_count;
    ENSURE(count > 0 && count <= 1024);
    for (uint32_t i = 0; i < PELT_METHOD_COUNT * PELT_NORMAL_RULE_COUNT; ++i)
    {
        pelt_deform_options options = {.method = (pelt_method)(i / PELT_NORMAL_RULE_COUNT),
                                       .normal_rule =
                                           (pelt_normal_rule)(i % PELT_NORMAL_RULE_COUNT),
                                       .mix = 0.5f};
        pelt_surface packed = gradient_points_deform(&s, &options);
        fill(rest, &s.m);
        fill(moved, &s.m);
        pelt_deform_input input = input_of(rest, &s);
        pelt_surface out = surface_of(moved);
        pelt_deform(&out, &input, &options, (pelt_range){0, count});
        ENSURE(check_same(moved, &packed, count) == 0);

        // The same buffer for both.
        out = surface_of(rest);
        pelt_deform(&out, &input, &options, (pelt_range){0, count});
        ENSURE(check_same(rest, &packed, count) == 0);
    }
    point_set_free(&s.m);
    return 0;
}

static int morph_targets_are_added_into_vertex_buffers(void)
{
    const pelt_vec3 positions[2] = {{1, 2, 3}, {4, 5, 6}}, deltas[2] = {{1, 0, 0}, {0, 2, 0}};
    const pelt_vec3 normals[2] = {{0, 1, 0}, {0, 0, 1}};
    const pelt_morph morph = {.positions = deltas};
    const pelt_mesh mesh = {.vertex_count = 2,
                            .positions = positions,
                            .normals = normals,
                            .morph_count = 1,
                            .morphs = &morph};
    const float half = 0.5f;
    engine_vertex buffer[2];
    memset(buffer, 0, sizeof buffer);
    pelt_surface out = surface_of(buffer);
    pelt_morph_apply(&out, &mesh, &half, (pelt_range){0, 2});
    ENSURE_POINT(buffer[0].position, pelt_vec3_make(1.5f, 2.0f, 3.0f), 0.0f);
    ENSURE_POINT(buffer[1].position, pelt_vec3_make(4.0f, 6.0f, 6.0f), 0.0f);
    ENSURE_POINT(buffer[1].normal, normals[1], 0.0f);
    return 0;
}

static int broken_numbers_are_found_in_vertex_buffers(void)
{
    const pelt_mesh mesh = {.vertex_count = 3};
    const pelt_instance instance = {.skin = PELT_NONE};
    const pelt_scene scene = {
        .mesh_count = 1, .instance_count = 1, .meshes = &mesh, .instances = &instance};
    engine_vertex buffer[3];
    memset(buffer, 0, sizeof buffer);
    buffer[1].mark = buffer[1].uv[0] = NAN; // not pelt's
    pelt_surface surface = surface_of(buffer);
    pelt_error error = {{0}};
    ENSURE(pelt_surfaces_validate(&surface, &scene, &error) == PELT_OK);
    buffer[2].normal.z = INFINITY;
    ENSURE(pelt_surfaces_validate(&surface, &scene, &error) == PELT_ERROR_DATA);
    ENSURE(strstr(error.message, "normal of vertex 2 ") != NULL);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Contracts

static int broken_count;

static void count_broken(const char* condition, const char* file, int line, void* user)
{
    (void)condition, (void)file, (void)line, (void)user;
    ++broken_count;
}

// Contracts that a call breaks; it may go on, so the call must be harmless.
static int count_contracts(const pelt_surface* out, const pelt_deform_input* input,
                           pelt_range range)
{
    pelt_hooks before = pelt_hooks_get(), counting = before;
    counting.assert_failed = count_broken;
    pelt_hooks_set(&counting);
    broken_count = 0;
    pelt_deform(out, input, &(pelt_deform_options){0}, range);
    pelt_hooks_set(&before);
    return broken_count;
}

static int counts_that_do_not_agree_are_asserted(void)
{
    point_set m = point_set_random(3, VERTICES, JOINTS, 4, 30.0f);
    pelt_vec3 moved[VERTICES];
    pelt_surface out = {.positions = moved};
    pelt_deform_input input = point_set_input(&m);
    pelt_range none = {0, 0};
    ENSURE(count_contracts(&out, &input, none) == 0);
    ENSURE(count_contracts(&out, &input, (pelt_range){0, VERTICES}) == 0);

    input.position_stride = 13;
    ENSURE(count_contracts(&out, &input, none) == 1);
    input.position_stride = 0;
    out.position_stride = 2;
    ENSURE(count_contracts(&out, &input, none) == 1);
    out.position_stride = 0;

    pelt_palette small = m.palette;
    small.joint_count = JOINTS - 1;
    input.palette = &small;
    ENSURE(count_contracts(&out, &input, none) == 1);
    input.palette = &m.palette;

    pelt_normal_factors others = {.vertex_count = VERTICES + 1, .joint_count = JOINTS};
    input.normal_factors = &others;
    ENSURE(count_contracts(&out, &input, none) == 1);
    point_set_free(&m);
    return 0;
}

void test_deform_stride(void)
{
    RUN(vertex_buffers_deform_as_packed_arrays_do);
    RUN(morph_targets_are_added_into_vertex_buffers);
    RUN(broken_numbers_are_found_in_vertex_buffers);
    RUN(counts_that_do_not_agree_are_asserted);
}
