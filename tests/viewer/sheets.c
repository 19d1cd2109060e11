// SPDX-License-Identifier: MIT
#include "sheets.h"

#include <stdlib.h>
#include <string.h>

// @return its positions, to be filled in
static pelt_vec3* add_sheet(sheets* s)
{
    uint32_t index = s->scene.mesh_count++;
    pelt_vec3* positions = calloc(SHEET_SIDE * SHEET_SIDE, sizeof *positions);
    uint32_t* indices = calloc(6 * SHEET_SQUARES * SHEET_SQUARES, sizeof *indices);
    uint32_t* first = calloc(SHEET_SIDE * SHEET_SIDE + 1, sizeof *first);
    pelt_influence* influences = calloc(SHEET_SIDE * SHEET_SIDE, sizeof *influences);
    uint32_t count = 0;
    for (uint32_t v = 0; v < SHEET_SIDE * SHEET_SIDE; ++v)
    {
        influences[v].weight = 1.0f;
        first[v + 1] = v + 1;
    }
    for (uint32_t y = 0; y < SHEET_SQUARES; ++y)
    {
        for (uint32_t x = 0; x < SHEET_SQUARES; ++x)
        {
            uint32_t a = y * SHEET_SIDE + x, b = a + 1, c = a + SHEET_SIDE, d = c + 1;
            const uint32_t corners[6] = {a, b, d, a, d, c};
            memcpy(indices + count, corners, sizeof corners);
            count += 6;
        }
    }
    s->meshes[index] = (pelt_mesh){
        .vertex_count = SHEET_SIDE * SHEET_SIDE,
        .index_count = count,
        .positions = positions,
        .indices = indices,
        .weights = {SHEET_SIDE * SHEET_SIDE, 1, SHEET_SIDE * SHEET_SIDE, 1, first, influences},
        .material = PELT_NONE};
    s->instances[index] = (pelt_instance){.mesh = index};
    s->skin = (pelt_skin){.joint_count = 1, .joints = &s->joint};
    s->scene.instance_count = s->scene.mesh_count;
    s->scene.meshes = s->meshes;
    s->scene.instances = s->instances;
    s->scene.skins = &s->skin;
    s->scene.skin_count = 1;
    s->node = (pelt_node){"joint", PELT_NONE, pelt_transform_identity()};
    s->scene.nodes = &s->node;
    s->scene.node_count = 1;
    return positions;
}

void sheets_destroy(sheets* in)
{
    for (uint32_t i = 0; i < in->scene.mesh_count; ++i)
    {
        free((void*)(uintptr_t)in->meshes[i].positions);
        free((void*)(uintptr_t)in->meshes[i].indices);
        free((void*)(uintptr_t)in->meshes[i].weights.first);
        free((void*)(uintptr_t)in->meshes[i].weights.influences);
    }
}

surface_point sheets_point(const sheets* in, uint32_t mesh, uint32_t triangle)
{
    const uint32_t* corners = in->meshes[mesh].indices + 3 * triangle;
    const pelt_vec3* p = in->meshes[mesh].positions;
    pelt_vec3 sum = pelt_vec3_add(p[corners[0]], pelt_vec3_add(p[corners[1]], p[corners[2]]));
    return (surface_point){mesh, triangle, pelt_vec3_scale(sum, 1.0f / 3.0f)};
}

void sheets_add_plane(sheets* inout, float x, float z)
{
    test_random random = {9};
    pelt_vec3* positions = add_sheet(inout);
    for (uint32_t v = 0; v < SHEET_SIDE * SHEET_SIDE; ++v)
    {
        uint32_t column = v % SHEET_SIDE, row = v / SHEET_SIDE;
        pelt_vec3 noise = test_point(&random, 0.25f / SHEET_SQUARES);
        bool is_inside = column > 0 && column < SHEET_SQUARES && row > 0 && row < SHEET_SQUARES;
        positions[v] =
            pelt_vec3_make(x + (float)column / SHEET_SQUARES + (is_inside ? noise.x : 0.0f),
                           (float)row / SHEET_SQUARES + (is_inside ? noise.y : 0.0f), z);
    }
}

void sheets_add_cylinder(sheets* inout, float radius)
{
    pelt_vec3* positions = add_sheet(inout);
    for (uint32_t v = 0; v < SHEET_SIDE * SHEET_SIDE; ++v)
    {
        float angle = 2.0f * PELT_PI * (float)(v % SHEET_SIDE % SHEET_SQUARES) / SHEET_SQUARES;
        positions[v] = pelt_vec3_make(radius * cosf(angle), 0.04f * (float)(v / SHEET_SIDE),
                                      radius * sinf(angle));
    }
}
