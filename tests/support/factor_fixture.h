// SPDX-License-Identifier: MIT
// Characters with normal factors, and files to write them to.
#ifndef PELT_FACTORED_H
#define PELT_FACTORED_H

#include "pelt/io.h"

#include "test.h"

enum
{
    FACTORED_MESH_MAX = 64,
};

typedef struct factored
{
    pelt_scene* scene;
    pelt_scene enhanced; ///< the same with factors, and centres
    pelt_mesh meshes[FACTORED_MESH_MAX];
    pelt_normal_factors factors[FACTORED_MESH_MAX];
    pelt_arena* arena;
} factored;

/// Two names for files, in a folder of this process.
extern char factored_path[64], factored_plain[64];
int factored_folder_is_made(void); ///< a fact, and the first
void factored_close(void);         ///< removes the files and their folder

/// Factors for every skinned mesh that has normals. @return how many; 0 on failure as well
uint32_t factored_build(factored* out, pelt_scene* scene, uint32_t limit, bool has_cors);
bool factored_build_rig(factored* out, const char* rig, uint32_t limit, bool has_cors);
void factored_free(factored* c);

/// Round the factors to integers.
bool factored_quantize(factored* inout, uint32_t bits);

/// Additions of all meshes with factors, and with centres, in the arena of the character.
uint32_t factored_additions(pelt_addition** out, const factored* c, uint32_t slots);

#endif
