// SPDX-License-Identifier: MIT
// Any numbers as weights: what comes out keeps every promise of pelt_weights.
#include "pelt/pelt.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void check(const pelt_weights* weights, pelt_vec3* positions)
{
    pelt_mesh mesh = {.name = "fuzz",
                      .vertex_count = weights->vertex_count,
                      .positions = positions,
                      .weights = *weights,
                      .material = PELT_NONE};
    pelt_scene scene = {.mesh_count = 1, .meshes = &mesh};
    if (pelt_scene_validate(&scene, NULL) != PELT_OK)
    {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size < 3)
    {
        return 0;
    }
    // Three bytes of shape, then records of a joint byte and a weight.
    uint32_t stride = 1 + data[0] % 9;
    pelt_weights_source source = {.joint_count = 1 + data[1],
                                  .per_vertex = stride,
                                  .max_influences = data[2] % 6,
                                  .vertex_count = (uint32_t)((size - 3) / 5) / stride};
    uint32_t count = source.vertex_count * stride;
    uint32_t* joints = calloc(count + 1, sizeof *joints);
    float* weights = calloc(count + 1, sizeof *weights);
    pelt_vec3* positions = calloc(source.vertex_count + 1, sizeof *positions);
    for (uint32_t i = 0; i < count; ++i)
    {
        joints[i] = data[3 + 5 * i];
        memcpy(&weights[i], data + 4 + 5 * i, sizeof weights[i]);
    }
    source.joints_u32 = joints;
    source.weights = weights;

    pelt_arena* arena = pelt_arena_create();
    pelt_weights out;
    if (pelt_weights_import(&out, NULL, &source, arena) == PELT_OK)
    {
        check(&out, positions);
    }
    pelt_arena_destroy(arena);
    free(positions);
    free(weights);
    free(joints);
    return 0;
}
