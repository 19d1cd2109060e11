// SPDX-License-Identifier: MIT
// Arrays of your own, deformed by centers of rotation: the interface for engines, skinner.h. A tube
// with two joints twists; its radius stays, which linear blending would lose.
#include <pelt/skinner.h>

#include <math.h>
#include <stdio.h>

enum
{
    RINGS = 40,
    SIDES = 24,
    VERTICES = RINGS * SIDES,
    TRIANGLES = 2 * SIDES * (RINGS - 1),
};

// A vertex buffer as an engine has it.
typedef struct vertex
{
    float position[3], normal[3];
    uint8_t joints[4], weights[4]; // 255 is 1
} vertex;

static vertex vertices[VERTICES];
static uint16_t indices[TRIANGLES][3];

static void make_tube(void)
{
    uint16_t(*triangle)[3] = indices;
    for (int v = 0; v < VERTICES; ++v)
    {
        float x = 2.0f * (float)(v / SIDES) / (RINGS - 1) - 1.0f;
        float angle = 6.2831853f * (float)(v % SIDES) / SIDES, c = cosf(angle), s = sinf(angle);
        uint8_t second = (uint8_t)(255.0f * fminf(fmaxf(0.5f + x, 0.0f), 1.0f) + 0.5f);
        vertices[v] = (vertex){{x, 0.2f * c, 0.2f * s},
                               {0.0f, c, s},
                               {0, 1, 0, 0},
                               {(uint8_t)(255 - second), second, 0, 0}};
        if (v + SIDES < VERTICES)
        {
            int next = v - v % SIDES + (v + 1) % SIDES;
            const int corners[6] = {v, next, v + SIDES, next, next + SIDES, v + SIDES};
            for (int i = 0; i < 6; ++i)
            {
                triangle[i / 3][i % 3] = (uint16_t)corners[i];
            }
            triangle += 2;
        }
    }
}

static pelt_result twist(const pelt_deform_options* options, pelt_error* error)
{
    const pelt_skinner_desc desc = {.vertex_count = VERTICES,
                                    .joint_count = 2,
                                    .positions = vertices[0].position,
                                    .normals = vertices[0].normal,
                                    .position_stride = sizeof(vertex),
                                    .normal_stride = sizeof(vertex),
                                    .index_count = 3 * TRIANGLES,
                                    .indices_u16 = indices[0],
                                    .joints_u8 = vertices[0].joints,
                                    .weights_unorm8 = vertices[0].weights,
                                    .joint_stride = sizeof(vertex),
                                    .weight_stride = sizeof(vertex)};
    // World matrix times inverse bind matrix, column after column: the second joint rotates by 170
    // degrees about the tube.
    float c = cosf(2.9670597f), s = sinf(2.9670597f);
    const float matrices[2][16] = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                                   {1, 0, 0, 0, 0, c, s, 0, 0, -s, c, 0, 0, 0, 0, 1}};
    static float results[VERTICES][6];
    const pelt_skinner_output out = {.positions = results[0],
                                     .normals = results[0] + 3,
                                     .position_stride = sizeof results[0],
                                     .normal_stride = sizeof results[0]};
    pelt_skinner* skinner;
    pelt_result result = pelt_skinner_create(&skinner, &desc, error);
    if (result == PELT_OK)
    {
        result = pelt_skinner_prepare(skinner, PELT_SKINNER_CENTERS, error); // once
    }
    if (result == PELT_OK) // for each frame
    {
        result = pelt_skinner_deform(skinner, &out, matrices[0], PELT_MATRIX_COLUMNS_4X4, options,
                                     error);
    }
    pelt_skinner_destroy(skinner);
    float least = 1.0f;
    for (int v = 0; v < VERTICES; ++v)
    {
        least = fminf(least, hypotf(results[v][1], results[v][2]) / 0.2f);
    }
    if (result == PELT_OK)
    {
        printf("%s: least radius %.3f\n", pelt_method_name(options->method), (double)least);
    }
    return result;
}

int main(void)
{
    static const pelt_method methods[] = {PELT_METHOD_LBS, PELT_METHOD_CRS};
    make_tube();
    for (int i = 0; i < 2; ++i)
    {
        pelt_error error;
        if (twist(&(pelt_deform_options){.method = methods[i]}, &error) != PELT_OK)
        {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
    }
    return 0;
}
