// SPDX-License-Identifier: MIT
// pelt deforms skinned characters. This header includes the core library. Its chapters are the
// manual, in the order of a program:
//
//     scene.h   meshes, skins, nodes, clips; built from your own arrays or loaded (io.h)
//     pose.h    the transforms of all nodes at a time, and the palettes of joint motions
//     deform.h  the skinning methods, morph targets, and frames: the whole pipeline in one call
//
// They include base.h (errors, hooks, memory), math3d.h and color.h. prepare.h has what is computed
// once per character, offline; deformer.h is skinning at the speed of memory; bounds.h has bounding
// boxes; skinner.h is one mesh behind a flat, checked interface, for engines with their own arrays
// and for other languages.
//
// Stability: while the version is 0.x, a minor release may change names and structs, and a patch
// release changes neither. The names of the shared libraries contain both numbers (libpelt.so.0.1),
// so that a program never runs with an interface it was not compiled for. From 1.0 on the stable
// headers keep their source and binary interface within a major version: base.h, math3d.h, scene.h,
// pose.h and deform.h. All others are experimental and change when something better is found.
// Structs whose {0} is the default may get new fields at their end with any minor version;
// initialize them by name. File formats have rules of their own: docs/files.md.
#ifndef PELT_PELT_H
#define PELT_PELT_H

#include "base.h"
#include "color.h"
#include "deform.h"
#include "math3d.h"
#include "pose.h"
#include "scene.h"

#endif
