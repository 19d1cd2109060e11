// SPDX-License-Identifier: MIT
// Normal factors for the skinned meshes of a scene: the options, the work, and words about it.
#ifndef PELT_FACTORS_H
#define PELT_FACTORS_H

#include "args.h"
#include "commands/factors_error.h"

#include <jansson.h>

extern const arg_option factors_options[]; ///< --normals, --normal-joints, --normal-bits

/// What is asked for.
typedef struct factors_request
{
    uint32_t joints; ///< of a vertex; 0: no factors
    uint32_t bits;   ///< of integers, 16 or 8; 0: floats
} factors_request;

/// @return EXIT_DONE, or EXIT_USAGE after a sentence about an option without effect
int factors_choose(factors_request* out, const args* arguments);

typedef struct factors
{
    factors_request request;
    uint32_t mesh_count;
    const pelt_normal_factors** built; ///< one per mesh; NULL: not skinned, or without normals
    uint32_t built_count;              ///< meshes that have an entry
    uint32_t bare_count;               ///< skinned meshes without normals
    uint64_t vertex_count;             ///< of built meshes
    uint64_t varying_count;            ///< of vertex_count: weights are not constant around them
    bool has_centers;                  ///< for method crs, in every built mesh
    normal_error rounding;             ///< by bits, of the normals
    double seconds;                    ///< spent on building
    pelt_arena* arena;
} factors;

/// Build factors for every skinned mesh that has normals.
/// @param cors  of each mesh, or NULL where the mesh's own count; NULL: they do everywhere
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int factors_create(factors* out, const pelt_scene* scene, pelt_vec3* const* cors,
                   const factors_request* request);

void factors_destroy(factors* in);

/// A line on stderr about what was built.
void factors_print(const factors* in);

/// The same as JSON.
json_t* factors_describe(const factors* in);

#endif
