// SPDX-License-Identifier: MIT
// Characters with normal factors, and files to write them to.
#ifndef PELT_FACTOR_FIXTURE_H
#define PELT_FACTOR_FIXTURE_H

#include "pelt/io.h"

#include "test.h"

enum
{
    FACTOR_FIXTURE_MESH_MAX = 64,
};

typedef struct factor_fixture
{
    const pelt_scene* scene;
    pelt_scene* owned;   ///< the same; NULL for a rig, which is shared
    pelt_scene enhanced; ///< the same with factors, and centers
    pelt_mesh meshes[FACTOR_FIXTURE_MESH_MAX];
    pelt_normal_factors factors[FACTOR_FIXTURE_MESH_MAX];
    pelt_arena* arena;
} factor_fixture;

/// Two names for files, in a folder of this process.
extern char factor_fixture_path[64], factor_fixture_plain[64];
int factor_fixture_folder_is_made(void); ///< a fact, and the first
void factor_fixture_close(void);         ///< removes the files and their folder

/// Factors for every skinned mesh that has normals; takes the scene over.
/// @return how many; 0 on failure as well
uint32_t factor_fixture_build(factor_fixture* out, pelt_scene* scene, uint32_t limit,
                              bool has_cors);
bool factor_fixture_build_rig(factor_fixture* out, const char* rig, uint32_t limit, bool has_cors);
void factor_fixture_free(factor_fixture* c);

/// Round the factors to integers.
bool factor_fixture_quantize(factor_fixture* inout, uint32_t bits);

/// Additions of all meshes with factors, and with centers, in the arena of the character.
uint32_t factor_fixture_additions(pelt_addition** out, const factor_fixture* c, uint32_t slots);

#endif
