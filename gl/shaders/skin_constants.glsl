// SPDX-License-Identifier: MIT
// What the functions are compiled for. Define any of these before this text to change it.

// Influences of a vertex that count: 1 to 8.
#ifndef PELT_INFLUENCES
#define PELT_INFLUENCES 4
#endif

// What joints do under dqs, mix and crs besides turning and moving; lbs carries everything.
#define PELT_SCALE_NONE 0   // nothing: if they do scale, it is left out
#define PELT_SCALE_LOCAL 1  // scale, shear or mirror about the vertex (crs: about its center)
#define PELT_SCALE_ORIGIN 2 // the same about the origin, as Maya and UsdSkel
#ifndef PELT_SCALE
#define PELT_SCALE PELT_SCALE_NONE
#endif

// What the palette holds of a joint, in texels of four floats.
#define PELT_LAYOUT_SHARED 0        // 4: rows of the matrix, rotation. All methods, all scales
#define PELT_LAYOUT_MATRIX 1        // 3: rows of the matrix. lbs
#define PELT_LAYOUT_MOTION 2        // 2: rotation, dual part. dqs without scale
#define PELT_LAYOUT_MATRIX_MOTION 3 // 5: rows of the matrix, rotation, dual part. mix without scale
#ifndef PELT_LAYOUT
#define PELT_LAYOUT PELT_LAYOUT_SHARED
#endif

// Accurate normals: factors that a vertex has room for, and whether its center of rotation is among
// them (0 or 1).
#ifndef PELT_NORMAL_SLOTS
#define PELT_NORMAL_SLOTS 4
#endif
#ifndef PELT_NORMAL_CENTERS
#define PELT_NORMAL_CENTERS 0
#endif

// Animation textures: words in a texel, 4, 2 or 1; its width, 0 to ask the texture; the form in
// which motions are stored; and how they are arranged.
#ifndef PELT_BAKED_TEXEL_WORDS
#define PELT_BAKED_TEXEL_WORDS 4
#endif
#ifndef PELT_BAKED_WIDTH
#define PELT_BAKED_WIDTH 0
#endif
#define PELT_BAKED_POSE 0   // rotation, position and stretch: qt, local
#define PELT_BAKED_MATRIX 1 // matrix
#define PELT_BAKED_DUAL 2   // dq
#ifndef PELT_BAKED_KIND
#define PELT_BAKED_KIND PELT_BAKED_POSE
#endif
#define PELT_BAKED_MODERN 0
#define PELT_BAKED_THESIS 1 // matrix and dq with one word in a texel
#ifndef PELT_BAKED_LAYOUT
#define PELT_BAKED_LAYOUT PELT_BAKED_MODERN
#endif
