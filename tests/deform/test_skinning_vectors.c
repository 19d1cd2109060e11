// SPDX-License-Identifier: MIT
// The library against bindings/vectors/skinning.json, which a program without any code of pelt has
// computed in double precision.
#include "test.h"
#include "json/json_parse.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MAX_JOINTS = 16,
    MAX_SIZE = 1 << 20,
};

typedef struct vectors
{
    pelt_arena* arena;
    const pelti_json* root;
    char* text;
} vectors;

static bool read_vectors(vectors* out)
{
    char path[1024];
    pelti_json_failure failure;
    *out = (vectors){.arena = pelt_arena_create(), .text = malloc(MAX_SIZE)};
    snprintf(path, sizeof path, "%s/../../bindings/vectors/skinning.json", test_data_folder);
    FILE* file = fopen(path, "rb");
    size_t size = file != NULL ? fread(out->text, 1, MAX_SIZE, file) : 0;
    if (file != NULL)
    {
        fclose(file);
    }
    out->root = pelti_json_parse(out->text, size, 16, out->arena, &failure);
    return out->root != NULL;
}

static void free_vectors(vectors* v)
{
    pelt_arena_destroy(v->arena);
    free(v->text);
}

static float number_at(const pelti_json* array, size_t index)
{
    return (float)pelti_json_at(array, index)->as.number;
}

static pelt_vec3 point_at(const pelti_json* vertex, const char* name)
{
    const pelti_json* p = pelti_json_get(vertex, name);
    return pelt_vec3_make(number_at(p, 0), number_at(p, 1), number_at(p, 2));
}

static void read_palette(pelt_palette* out, const pelti_json* matrices)
{
    for (uint32_t joint = 0; joint < out->joint_count; ++joint)
    {
        const pelti_json* rows = pelti_json_at(matrices, joint);
        for (size_t i = 0; i < 12; ++i)
        {
            out->matrices[joint].m[i / 4][i % 4] = number_at(pelti_json_at(rows, i / 4), i % 4);
        }
    }
    pelt_palette_decompose(out);
}

static int check_vertex(const pelti_json* vertex, const pelt_palette* palette, double tolerance)
{
    static const pelt_method methods[] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_CRS};
    const pelti_json* joints = pelti_json_get(vertex, "joints");
    const pelti_json* values = pelti_json_get(vertex, "weights");
    pelt_influence influences[4];
    uint32_t count = (uint32_t)pelti_json_size(joints), first[2] = {0, count};
    ENSURE(count >= 1 && count <= 4);
    for (uint32_t i = 0; i < count; ++i)
    {
        influences[i] = (pelt_influence){.joint = (pelt_joint_index)number_at(joints, i),
                                         .slot = (uint16_t)i,
                                         .weight = number_at(values, i)};
    }
    const pelt_weights weights = {.vertex_count = 1,
                                  .joint_count = palette->joint_count,
                                  .influence_count = count,
                                  .max_influences = count,
                                  .first = first,
                                  .influences = influences};
    pelt_vec3 position = point_at(vertex, "position"), center = point_at(vertex, "center");
    const pelt_deform_input input = {
        .positions = &position, .cors = &center, .weights = &weights, .palette = palette};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; ++i)
    {
        pelt_vec3 moved;
        const pelt_surface out = {.positions = &moved};
        const pelt_deform_options options = {.method = methods[i]};
        pelt_deform(&out, &input, &options, (pelt_range){0, 1});
        pelt_vec3 expected = point_at(vertex, pelt_method_name(methods[i]));
        ENSURE_NEAR(moved.x, expected.x, tolerance);
        ENSURE_NEAR(moved.y, expected.y, tolerance);
        ENSURE_NEAR(moved.z, expected.z, tolerance);
    }
    return 0;
}

static int methods_equal_the_golden_vectors(void)
{
    vectors v;
    pelt_palette palette;
    ENSURE(read_vectors(&v));
    const pelti_json* matrices = pelti_json_get(v.root, "matrices");
    const pelti_json* vertices = pelti_json_get(v.root, "vertices");
    double tolerance = pelti_json_get(v.root, "tolerance")->as.number;
    uint32_t joint_count = (uint32_t)pelti_json_size(matrices);
    ENSURE(joint_count > 0 && joint_count <= MAX_JOINTS && pelti_json_size(vertices) >= 64);
    ENSURE(pelt_palette_create(&palette, joint_count) == PELT_OK);
    read_palette(&palette, matrices);
    ENSURE(palette.is_rigid);
    int failures = 0;
    for (size_t i = 0; i < pelti_json_size(vertices); ++i)
    {
        failures += check_vertex(pelti_json_at(vertices, i), &palette, tolerance);
    }
    pelt_palette_destroy(&palette);
    free_vectors(&v);
    return failures;
}

void test_skinning_vectors(void);

void test_skinning_vectors(void)
{
    RUN(methods_equal_the_golden_vectors);
}
