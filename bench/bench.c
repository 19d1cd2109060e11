// SPDX-License-Identifier: MIT
// The list of suites.
#include "bench.h"

#include "pelt/io.h"
#include "rigs.h"

#include <string.h>

static const bench_suite suites[] = {
    {.name = "deform",
     .summary = "skinning on the CPU, against the reference and the speed of memory",
     .run = bench_deform,
     .has_plot = true},
    {.name = "pose",
     .summary = "clips to poses and palettes, by sampling and by a player",
     .run = bench_pose,
     .max_inputs = UINT32_MAX},
    {.name = "load",
     .summary = "reading files, against reading their bytes and computing a checksum",
     .run = bench_load,
     .max_inputs = 1},
    {.name = "cor",
     .summary = "solvers of centers of rotation, against each other",
     .run = bench_cor,
     .max_inputs = 1,
     .has_plot = true},
    {.name = "normals",
     .summary = "angles between normals and the deformed surface, for each rule",
     .run = bench_normals,
     .max_inputs = UINT32_MAX},
    {.name = "helpers",
     .summary = "helper joints: time of the fit against that of its poses, and what it gains",
     .run = bench_helpers,
     .max_inputs = 1,
     .has_plot = true},
    {.name = "bake",
     .summary = "animation textures: size and error of each encoding, time against sampling",
     .run = bench_bake,
     .max_inputs = UINT32_MAX,
     .has_plot = true},
    {.name = "gpu",
     .summary = "a character on the GPU, each method, rule of normals and number of influences",
     .run = bench_gpu,
     .max_inputs = 1},
    {.name = "crowd",
     .summary = "crowds on the GPU: instances at 120, 60 and 30 frames per second",
     .run = bench_crowd,
     .max_inputs = 1,
     .has_plot = true,
     .has_folder = true},
};

uint32_t bench_suite_list(const bench_suite** out)
{
    *out = suites;
    return COUNT_OF(suites);
}

pelt_result bench_scene_load(pelt_scene** out, const char* input, pelt_error* error)
{
    return strncmp(input, "rig:", 4) == 0 ? pelt_rig_build(out, input, error)
                                          : pelt_load(out, input, NULL, error);
}
