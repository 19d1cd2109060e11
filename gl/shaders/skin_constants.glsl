// SPDX-License-Identifier: MIT
// Options of the library. To change one, define it before this text.

// Influences per vertex that are read: 1 to 8.
#ifndef PELT_INFLUENCES
#define PELT_INFLUENCES 4
#endif

// How dqs, mix and crs treat scale, shear and mirrors of joints; lbs includes them. The values are
// those of pelt_gpu_scale.
#define PELT_GPU_SCALE_NONE 0   // joints are rigid; if they do scale, it is ignored
#define PELT_GPU_SCALE_LOCAL 1  // about the vertex (crs: about its center)
#define PELT_GPU_SCALE_ORIGIN 2 // about the origin, as in Maya and UsdSkel
#ifndef PELT_SCALE
#define PELT_SCALE PELT_GPU_SCALE_NONE
#endif

// Texels of four floats that the palette has per joint.
#define PELT_LAYOUT_SHARED 0        // 4: rows of the matrix, rotation; all methods, all scales
#define PELT_LAYOUT_MATRIX 1        // 3: rows of the matrix; lbs
#define PELT_LAYOUT_MOTION 2        // 2: rotation, dual part; dqs without scale
#define PELT_LAYOUT_MATRIX_MOTION 3 // 5: rows of the matrix, rotation, dual part; mix without scale
#ifndef PELT_LAYOUT
#define PELT_LAYOUT PELT_LAYOUT_SHARED
#endif

// The sign with which the quaternion of a joint enters a blend.
#define PELT_SIGNS_HEAVIEST 0 // into the hemisphere of the strongest influence
#define PELT_SIGNS_PALETTE 1  // as in the palette, for twists beyond 180 degrees
#ifndef PELT_SIGNS
#define PELT_SIGNS PELT_SIGNS_HEAVIEST
#endif

// Accurate normals: slots for factors per vertex, and whether the texture has centers of rotation
// (0 or 1).
#ifndef PELT_NORMAL_SLOTS
#define PELT_NORMAL_SLOTS 4
#endif
#ifndef PELT_NORMAL_CENTERS
#define PELT_NORMAL_CENTERS 0
#endif

// Animation textures: 32-bit words per texel (4, 2 or 1); width in texels (0: that of the texture);
// encoding of motions; and layout.
#ifndef PELT_BAKED_TEXEL_WORDS
#define PELT_BAKED_TEXEL_WORDS 4
#endif
#ifndef PELT_BAKED_WIDTH
#define PELT_BAKED_WIDTH 0
#endif
#define PELT_BAKED_POSE 0   // rotation, position and stretch; encodings qt and local
#define PELT_BAKED_MATRIX 1 // encoding matrix
#define PELT_BAKED_DUAL 2   // encoding dq
#ifndef PELT_BAKED_KIND
#define PELT_BAKED_KIND PELT_BAKED_POSE
#endif
#define PELT_BAKED_MODERN 0
#define PELT_BAKED_THESIS 1 // encodings matrix, dq and vertex, with one word per texel
#ifndef PELT_BAKED_LAYOUT
#define PELT_BAKED_LAYOUT PELT_BAKED_MODERN
#endif
