// SPDX-License-Identifier: MIT
// Centers of rotation for the skinned meshes of a scene: the options, the work, and words about it.
#ifndef PELT_CENTERS_H
#define PELT_CENTERS_H

#include "args.h"
#include "pelt/prepare.h"
#include "scene_statistics.h"

#include <jansson.h>

extern const arg_option centers_options[]; ///< --solver, --sigma, --epsilon, --omega, --cutoff

/// The first of centers_options that is on the command line; NULL: none.
const char* centers_find_given(const args* arguments);

/// What centers_options ask for.
/// @return EXIT_DONE, or EXIT_USAGE after a sentence about an option without effect
int centers_choose(pelt_cor_options* out, const args* arguments);

typedef enum centers_source
{
    CENTERS_AUTO = 0, ///< the mesh's own, computed where it has none
    CENTERS_COMPUTE,  ///< computed for every skinned mesh
} centers_source;

typedef struct centers
{
    pelt_cor_options options;
    uint32_t mesh_count;
    pelt_vec3** computed;    ///< one per mesh; NULL: not skinned, or its own are used
    uint32_t computed_count; ///< meshes that have an entry
    uint32_t problem_count;  ///< meshes of one skin are one problem
    pelt_cor_report report;  ///< of all problems together; peak_bytes is that of the largest
    uint32_t
        influences[STATISTICS_BIN_COUNT]; ///< vertices by influences, of the meshes of all problems
    double seconds;                       ///< spent on computing
} centers;

/// Compute centers; meshes whose instances use the same skin are solved together.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int centers_create(centers* out, const pelt_scene* scene, centers_source source,
                   const pelt_cor_options* options);

void centers_destroy(centers* in);

/// Let a frame use what was computed. It refers to *in until that is destroyed.
void centers_attach(pelt_frame* frame, const centers* in);

/// A few lines on stderr about what was computed.
void centers_print(const centers* in);

/// The same as JSON, and more.
json_t* centers_describe(const centers* in);

/// Members `solver`, `sigma`, `epsilon` and those that belong to the solver, defaults filled in.
json_t* centers_describe_options(const pelt_cor_options* options);

#endif
