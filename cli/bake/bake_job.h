// SPDX-License-Identifier: MIT
// Baking, measuring and writing an animation texture, with progress on the terminal.
#ifndef PELT_BAKE_JOB_H
#define PELT_BAKE_JOB_H

#include "packed_scene.h"

enum
{
    BAKE_PATH_MAX = 4096,
    BAKE_NAME_MAX = 240, ///< what file systems allow, with an ending
};

typedef struct bake_job
{
    const char* input;
    const pelt_scene* scene;
    const pelt_source* source; ///< the file of the input; NULL: none
    char folder[BAKE_PATH_MAX];
    char name[BAKE_NAME_MAX]; ///< of the files, without ending
    pelt_bake_options bake;
    pelt_measure_options measure; ///< of the error; progress is the job's own
    pelt_texture_format format;
    bool has_openvat;
    bool is_forced;      ///< whatever its error is
    bool may_take_local; ///< instead of the encoding, if its error is too large

    // Results:
    pelt_baked* baked;
    pelt_bake_report report;
    packed_scene written; ///< the mesh
    double bake_seconds, measure_seconds;
} bake_job;

/// The name of output files for an input: "hero" for "models/hero.glb". Characters that readers of
/// a bake do not accept in it, such as those of paths, schemes and broken UTF-8, become '_'.
/// @return whether there were none
bool bake_job_name(char out[BAKE_NAME_MAX], const char* input);

/// The path of a file of the bake: "folder/hero.json" for ".json".
void bake_job_path(char out[BAKE_PATH_MAX], const bake_job* in, const char* ending);

/// The endings of all files, in the order in which reports list them.
/// @return how many
uint32_t bake_job_endings(const char* out[8], const bake_job* in);

/// Bake and measure. An error above 1 % of the height, and above that of the budget, is refused
/// unless the job is forced; where the user has not chosen an encoding, LOCAL is tried first.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int bake_job_run(bake_job* inout);

/// Write all files of a bake that was made, and the folder if it is missing: all or none.
int bake_job_save(const bake_job* in);

void bake_job_destroy(bake_job* in); ///< what was found

#endif
