// SPDX-License-Identifier: MIT
// Centres of rotation for the skinned meshes of a scene: the options, the work, and words about it.
#ifndef PELT_CENTRES_H
#define PELT_CENTRES_H

#include "args.h"
#include "pelt/pelt.h"
#include "scene_statistics.h"

#include <jansson.h>

extern const arg_option centres_options[]; ///< --solver, --sigma, --epsilon, --omega, --cutoff

/// The first of centres_options that is on the command line; NULL: none.
const char* centres_find_given(const args* arguments);

/// What centres_options ask for.
/// @return EXIT_DONE, or EXIT_USAGE after a sentence about an option without effect
int centres_choose(pelt_cor_options* out, const args* arguments);

typedef enum centres_source
{
    CENTRES_AUTO = 0, ///< the mesh's own, computed where it has none
    CENTRES_COMPUTE,  ///< computed for every skinned mesh
} centres_source;

typedef struct centres
{
    pelt_cor_options options;
    uint32_t mesh_count;
    pelt_vec3** computed;    ///< one per mesh; NULL: not skinned, or its own are used
    uint32_t computed_count; ///< meshes that have an entry
    uint32_t problem_count;  ///< meshes of one skin are one problem
    pelt_cor_report report;  ///< of all problems together; peak_bytes is that of the largest
    uint32_t influences[FACTS_BIN_COUNT]; ///< vertices by influences, of the meshes of all problems
    double seconds;                       ///< spent on computing
} centres;

/// Compute centres; meshes whose instances use the same skin are solved together.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int centres_create(centres* out, const pelt_scene* scene, centres_source source,
                   const pelt_cor_options* options);

void centres_destroy(centres* in);

/// Let a frame use what was computed. It refers to *in until that is destroyed.
void centres_lend(pelt_frame* frame, const centres* in);

/// A few lines on stderr about what was computed.
void centres_print(const centres* in);

/// The same as JSON, and more.
json_t* centres_describe(const centres* in);

/// Members `solver`, `sigma`, `epsilon` and those that belong to the solver, defaults filled in.
json_t* centres_describe_options(const pelt_cor_options* options);

#endif
