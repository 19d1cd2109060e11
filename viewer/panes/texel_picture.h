// SPDX-License-Identifier: MIT
// An animation texture as something to look at: the highest byte of each component of a texel.
#ifndef PELT_TEXEL_PICTURE_H
#define PELT_TEXEL_PICTURE_H

#include "pelt/bake.h"

typedef struct texel_picture
{
    uint32_t texture;        ///< of OpenGL, 0: none
    const pelt_baked* shown; ///< that it was made of, to be compared only
} texel_picture;

/// Make it show a bake, unless it does already.
/// @return false: no memory
bool texel_picture_update(texel_picture* inout, const pelt_baked* baked);
void texel_picture_destroy(texel_picture* in);

#endif
