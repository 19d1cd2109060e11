// SPDX-License-Identifier: MIT
// The picture of pelt demo that shows animation textures.
#ifndef PELT_DEMO_TEXTURES_H
#define PELT_DEMO_TEXTURES_H

/// Bake the walk of the built-in human in two encodings and draw a square for each texel, colored
/// by the highest bytes of its first three channels, into textures.png in the folder. Needs no
/// OpenGL.
/// @return the exit code
int demo_textures_draw(const char* folder);

#endif
