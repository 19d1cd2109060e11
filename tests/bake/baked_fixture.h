// SPDX-License-Identifier: MIT
// Small bakes, word by word after docs/texture_format.md.
#ifndef PELT_BAKED_FIXTURE_H
#define PELT_BAKED_FIXTURE_H

#include "pelt/bake.h"

/// Two clips: "walk", which wraps, with three keys, and "wave" with two runs, of two keys and of
/// one that is held. Joint 0 rotates and moves, joint 1 follows it, all others are at rest.
/// The first joint is the root.
/// @param joint_count  2 or more, up to 64
/// @param scene        whose instances it has, all of one skin; NULL: one instance, of no mesh
/// @return free with pelt_baked_destroy(); NULL: out of memory
pelt_baked* baked_fixture(pelt_texel texel, uint32_t joint_count, const pelt_scene* scene);

/// A VERTEX bake of the same clips, with 24 slots that the vertices of the scene share.
pelt_baked* baked_fixture_vertices(pelt_texel texel, const pelt_scene* scene);

/// Whether everything is equal but the order of joints.
bool baked_is_same(const pelt_baked* a, const pelt_baked* b);

#endif
