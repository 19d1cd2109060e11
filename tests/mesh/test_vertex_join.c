// SPDX-License-Identifier: MIT
// Which vertices are joined, and which are not.
#include "mesh/vertex_join.h"
#include "test.h"

// Lips: two vertices at one position, one on the jaw.
static int vertices_with_different_weights_are_not_joined(void)
{
    const pelt_vec3 points[4] = {
        {1.0f, 2.0f, 3.0f}, {1.0f, 2.0f, 3.0f}, {1.0f, 2.0f, 3.0f}, {1.0f, 2.0f, 4.0f}};
    const uint32_t first[5] = {0, 1, 2, 3, 4}, joints[4] = {0, 1, 0, 0};
    const float weights[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    const pelti_join_array arrays[1] = {{points, sizeof points[0]}};
    const pelti_join_input input = {4, 1, arrays, first, joints, weights};
    uint32_t sources[4], joined[4], count;
    ENSURE(pelti_join_vertices(sources, joined, &count, &input) == PELT_OK);
    ENSURE(count == 3 && sources[0] == 0 && sources[1] == 1 && sources[2] == 3);
    ENSURE(joined[0] == 0 && joined[1] == 1 && joined[2] == 0 && joined[3] == 2);
    return 0;
}

void test_vertex_join(void)
{
    RUN(vertices_with_different_weights_are_not_joined);
}
