// SPDX-License-Identifier: MIT
#include "ddm_tube.h"

#include <stdlib.h>
#include <string.h>

uint32_t ddm_tube_vertex(uint32_t ring, uint32_t column)
{
    return ring * TUBE_COLUMNS + column;
}

mesh_builder* ddm_tube_create(float blend)
{
    mesh_builder* s = mesh_builder_create();
    for (uint32_t ring = 0; ring < TUBE_RINGS; ++ring)
    {
        float x = 2.0f * (float)ring / (TUBE_RINGS - 1) - 1.0f;
        float right = blend > 0.0f ? 0.5f + 0.5f * x / blend : x < 0.0f ? 0.0f : 1.0f;
        right = fminf(fmaxf(right, 0.0f), 1.0f);
        for (uint32_t column = 0; column < TUBE_COLUMNS; ++column)
        {
            float angle = 2.0f * PELT_PI * (float)(column % TUBE_SIDES) / TUBE_SIDES;
            pelt_vec3 at = {x, 0.25f * cosf(angle), 0.25f * sinf(angle)};
            uint32_t v = mesh_builder_add_vertex(s, at);
            if (right < 1.0f)
            {
                mesh_builder_add_influence(s, v, 0, 1.0f - right);
            }
            if (right > 0.0f)
            {
                mesh_builder_add_influence(s, v, 1, right);
            }
        }
    }
    for (uint32_t ring = 0; ring + 1 < TUBE_RINGS; ++ring)
    {
        for (uint32_t column = 0; column < TUBE_SIDES; ++column)
        {
            uint32_t a = ddm_tube_vertex(ring, column), b = ddm_tube_vertex(ring, column + 1);
            uint32_t c = ddm_tube_vertex(ring + 1, column);
            uint32_t d = ddm_tube_vertex(ring + 1, column + 1);
            mesh_builder_add_triangle(s, a, c, b);
            mesh_builder_add_triangle(s, b, c, d);
        }
    }
    mesh_builder_bind(s);
    return s;
}

// ---------------------------------------------------------------------------------------------

static void connect(double m[TUBE_POINTS][TUBE_POINTS], uint32_t a, uint32_t b)
{
    m[a][b] = m[b][a] = 1.0;
}

static uint32_t point_of(uint32_t ring, uint32_t column)
{
    return ring * TUBE_SIDES + column % TUBE_SIDES;
}

static void connect_all(double m[TUBE_POINTS][TUBE_POINTS])
{
    for (uint32_t ring = 0; ring < TUBE_RINGS; ++ring)
    {
        for (uint32_t k = 0; k < TUBE_SIDES; ++k)
        {
            connect(m, point_of(ring, k), point_of(ring, k + 1));
            if (ring + 1 < TUBE_RINGS)
            {
                connect(m, point_of(ring, k), point_of(ring + 1, k));
                connect(m, point_of(ring, k + 1), point_of(ring + 1, k)); // the diagonal
            }
        }
    }
}

// a <- a^-1 right, by elimination with the largest pivot of each column.
static void solve(double (*a)[TUBE_POINTS], double (*right)[TUBE_POINTS])
{
    for (uint32_t k = 0; k < TUBE_POINTS; ++k)
    {
        uint32_t best = k;
        for (uint32_t i = k + 1; i < TUBE_POINTS; ++i)
        {
            best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
        }
        for (uint32_t c = 0; c < TUBE_POINTS; ++c)
        {
            double swap = a[k][c];
            a[k][c] = a[best][c];
            a[best][c] = swap;
            swap = right[k][c];
            right[k][c] = right[best][c];
            right[best][c] = swap;
        }
        for (uint32_t i = 0; i < TUBE_POINTS; ++i)
        {
            double factor = i != k ? a[i][k] / a[k][k] : 0.0;
            for (uint32_t c = 0; c < TUBE_POINTS && factor != 0.0; ++c)
            {
                a[i][c] -= factor * a[k][c];
                right[i][c] -= factor * right[k][c];
            }
        }
    }
    for (uint32_t k = 0; k < TUBE_POINTS; ++k)
    {
        for (uint32_t c = 0; c < TUBE_POINTS; ++c)
        {
            right[k][c] /= a[k][k];
        }
    }
}

ddm_tube_matrix* ddm_tube_smoothing(double rate, uint32_t iterations)
{
    ddm_tube_matrix* out = calloc(1, sizeof *out);
    ddm_tube_matrix *edges = calloc(1, sizeof *edges), *left = calloc(1, sizeof *left);
    connect_all(edges->m);
    for (uint32_t i = 0; i < TUBE_POINTS; ++i)
    {
        out->m[i][i] = 1.0;
    }
    for (uint32_t step = 0; step < iterations; ++step)
    {
        for (uint32_t i = 0; i < TUBE_POINTS; ++i)
        {
            double degree = 0.0;
            for (uint32_t k = 0; k < TUBE_POINTS; ++k)
            {
                degree += edges->m[i][k];
            }
            for (uint32_t k = 0; k < TUBE_POINTS; ++k)
            {
                left->m[i][k] = (i == k ? 1.0 + rate : 0.0) - rate * edges->m[i][k] / degree;
            }
        }
        solve(left->m, out->m);
    }
    free(edges);
    free(left);
    return out;
}

// ---------------------------------------------------------------------------------------------

pelt_mat34 ddm_tube_rotation(pelt_vec3 axis, float degrees)
{
    pelt_mat3 rotation =
        pelt_mat3_from_quat(pelt_quat_axis_angle(axis, degrees * PELT_PI / 180.0f));
    return pelt_mat34_make(&rotation, pelt_vec3_make(0.0f, 0.0f, 0.0f));
}

void ddm_tube_pose_set(ddm_tube_pose* out, const pelt_mat34* left, const pelt_mat34* right)
{
    for (uint32_t joint = 0; joint < BUILDER_JOINTS; ++joint)
    {
        out->matrices[joint] = joint == 1 ? *right : *left;
    }
    out->palette = (pelt_palette){.joint_count = BUILDER_JOINTS,
                                  .matrices = out->matrices,
                                  .motions = out->motions,
                                  .stretches = out->stretches};
    pelt_palette_decompose(&out->palette);
}

void ddm_tube_deform(pelt_vec3* positions, pelt_vec3* normals, const mesh_builder* tube,
                     const ddm_tube_pose* pose, pelt_method method)
{
    const pelt_surface out = {.positions = positions, .normals = normals};
    const pelt_deform_input input = {.positions = tube->mesh.positions,
                                     .normals = tube->mesh.normals,
                                     .weights = &tube->mesh.weights,
                                     .palette = &pose->palette};
    const pelt_deform_options options = {.method = method};
    pelt_deform(&out, &input, &options, (pelt_range){0, tube->mesh.vertex_count});
}
