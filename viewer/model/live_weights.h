// SPDX-License-Identifier: MIT
// Weights that are edited while they are shown. Vertices get other influences one by one; an update
// then packs the weights again, and finds the centers of rotation and the factors for normals that
// depend on them.
#ifndef PELT_LIVE_WEIGHTS_H
#define PELT_LIVE_WEIGHTS_H

#include "pelt/prepare.h"

typedef struct live_mesh live_mesh;

typedef struct live_weights
{
    uint32_t mesh_count;
    live_mesh* meshes;     ///< NULL: nothing was edited yet
    pelt_mesh* loaded;     ///< the lists of meshes of both scenes
    pelt_mesh* prepared;   //
    pelt_vec3** cors;      ///< of each mesh; NULL: none
    pelt_vec3* scratch;    ///< centers before an update
    pelt_weights* before;  ///< weights before an update
    bool* is_changed;      ///< by the last update: each mesh
    bool has_pending;      ///< influences were set since the last update
    bool is_edited;        ///< weights differ, or have differed, from those of the file
    double center_ms;      ///< that the last update of centers took
    double factor_ms;      ///< that of the factors for normals
    uint32_t center_count; ///< centers that the last update has moved
} live_weights;

/// Take copies of all weights. @return false: no memory
bool live_weights_create(live_weights* out, const pelt_scene* scene);
void live_weights_destroy(live_weights* in); ///< {0} is allowed, and remains

/// The influences of a vertex, as they were set last. They stay until the next call of
/// live_weights_set().
const pelt_influence* live_weights_row(const live_weights* in, uint32_t mesh, uint32_t vertex,
                                       uint32_t* count);

/// How many influences a vertex may have: 4, or as many as any has in the file.
uint32_t live_weights_limit(const live_weights* in, uint32_t mesh);

/// Set the influences of a vertex, as pelt_weights has them. @return false: no memory
bool live_weights_set(live_weights* inout, uint32_t mesh, uint32_t vertex,
                      const pelt_influence* influences, uint32_t count);

/// Bring two scenes up to date whose lists of meshes become those of `inout`.
/// @param loaded    loses centers and factors that no longer fit
/// @param prepared  gets new ones where it had some; its struct may be a copy of the other
/// @param is_final  else factors for normals that take long are left out until an update that is
/// @return PELT_OK, PELT_ERROR_MEMORY, or as pelt_cor_update(); after an error there are no centers
pelt_result live_weights_update(live_weights* inout, pelt_scene* loaded, pelt_scene* prepared,
                                const pelt_cor_options* options, bool is_final, pelt_error* error);

#endif
