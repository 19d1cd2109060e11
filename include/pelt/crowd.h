// SPDX-License-Identifier: MIT
// Crowds that play from one bake: who of many members is in view, how far away, and what each of
// them plays. Read top to bottom: bounds, frustum, culling, acting. Link libpelt; nothing here
// needs a GPU, allocates per frame, or keeps anything between calls. Drawing is in gl.h.
//
//     pelt_crowd_bounds_create(&bounds, baked, scene, &error);                   // once
//     for (uint32_t i = 0; i < count; ++i)
//         transforms[i] = pelt_crowd_member_transform(&act, i, count, 1.5f);
//
//     for (uint32_t i = 0; i < count; ++i)                                       // per frame
//         playbacks[i] = pelt_crowd_play(&act, baked, i, time);
//     pelt_crowd_view view = {.frustum = pelt_frustum_of(clip_from_world), .eye = eye,
//                             .level_count = 2, .distances = {20.0f}};
//     pelt_crowd_members members = {&bounds, transforms, playbacks, levels};
//     uint32_t seen = pelt_crowd_cull(visible, &members, &view, all);
//     pelt_crowd_sort(order, by_level, visible, seen);    // level 0 first
//     for each level: pelt_gl_crowd_gather(&crowds[level], &members, order + by_level[level].first,
//                                          by_level[level].count);
#ifndef PELT_CROWD_H
#define PELT_CROWD_H

#include "bake.h"

#ifdef __cplusplus
extern "C" {
#endif

// =============================================================================================
// Bounds
//
// A bake knows the box of the surface from each key to the next. Two clips that are blended can
// leave the boxes of both: an arm that points forward in one and backward in the other sweeps out
// to the side. How far follows from the skeleton, and is computed once.

/// How much room the surface of a bake takes, whatever it plays.
typedef struct pelt_crowd_bounds
{
    const pelt_baked* baked;
    /// Meters on each side of every box, at first 0. Boxes of joints have room for 2 % of the
    /// character's size, relative to linear blend skinning. Set it when that is too little: for
    /// dual quaternions or centers of rotation, which bulge, and for bakes whose error between keys
    /// is larger (pelt_baked_measure()).
    float margin;
    /// Meters on each side of the box of both clips, during a cross-fade.
    float fade_margin;
    /// The same for playbacks with an additive clip, which can lead anywhere. At first INFINITY:
    /// they are never culled.
    float additive_margin;
} pelt_crowd_bounds;

/// Find how far fades can leave the boxes of their clips. VERTEX and MATRIX blend on straight lines
/// and cannot. Otherwise the origin of a chain of joints goes (QT, LOCAL) or nearly goes (DQ) on a
/// straight line, and the surface stays within reach of it: QT has chains of one joint, a few
/// decimeters of a human, LOCAL the whole skeleton, which with its arms stretched out is longer.
/// Decodes every key once: milliseconds.
/// @param baked  must outlive the bounds
/// @param scene  that was baked
/// @return PELT_OK, PELT_ERROR_DATA when scene and bake do not fit, or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_crowd_bounds_create(pelt_crowd_bounds* out, const pelt_baked* baked,
                                              const pelt_scene* scene, pelt_error* error);

/// The box of the surface as it plays, in model space.
PELT_API pelt_bounds pelt_crowd_bounds_at(const pelt_crowd_bounds* bounds,
                                          const pelt_playback* playback);

// =============================================================================================
// Frustum

/// The transform of a member: scale, rotate, then translate.
typedef struct pelt_crowd_transform
{
    pelt_vec3 position; ///< meters
    float scale;        ///< of the whole member, not 0
    pelt_quat rotation; ///< of unit length
} pelt_crowd_transform;

/// Six planes that face inward: x, y, z and w of a plane make a x + b y + c z + d, which is at
/// least 0 inside.
typedef struct pelt_frustum
{
    pelt_vec4 planes[6]; ///< left, right, bottom, top, near, far
} pelt_frustum;

/// The frustum of a camera (Gribb and Hartmann, 2001).
/// @param clip_from_world  projection times view, m[4 * column + row], for depths from -1 to 1.
///                         Others (from 0 to 1, reversed, without a far plane) work as well: a
///                         plane may then be farther out than necessary.
PELT_API pelt_frustum pelt_frustum_of(const float clip_from_world[16]);

/// Whether a box may be in view. False is certain; true is not: near an edge of the frustum a box
/// may be outside of it and behind none of its planes alone.
/// @param box  in model space
PELT_API bool pelt_frustum_meets(const pelt_frustum* frustum, const pelt_bounds* box,
                                 const pelt_crowd_transform* transform);

// =============================================================================================
// Culling

enum
{
    PELT_CROWD_LEVEL_MAX = 4, ///< of detail
};

/// The members of a crowd. Arrays have one element for each.
typedef struct pelt_crowd_members
{
    const pelt_crowd_bounds* bounds; ///< of the bake of level 0; others show the same clips
    const pelt_crowd_transform* transforms;
    const pelt_playback* playbacks;
    uint8_t* levels; ///< of the frame before, at first 0, and of this one after it; NULL:
                     ///< forgotten, and there is no hysteresis
} pelt_crowd_members;

/// The camera, and the levels of detail.
typedef struct pelt_crowd_view
{
    pelt_frustum frustum;
    bool has_no_culling;                       ///< all members are visible; only levels are found
    pelt_vec3 eye;                             ///< that distances are measured from
    uint32_t level_count;                      ///< 1 to PELT_CROWD_LEVEL_MAX; 0: 1
    float distances[PELT_CROWD_LEVEL_MAX - 1]; ///< where level 1, 2 ... begins, rising, in meters
    /// A member changes its level when it is beyond the limit by this part of it, so that no member
    /// that walks along the limit flickers; 0.05 is 5 %, 0 is none.
    float hysteresis;
} pelt_crowd_view;

/// A member that may be in view.
typedef struct pelt_crowd_visible
{
    uint32_t member;
    uint32_t level;
    float distance; ///< meters from the eye to the middle of its box
} pelt_crowd_visible;

/// Find the members in view. No member with a vertex in view is left out, up to what
/// pelt_crowd_bounds says about boxes. Levels depend on distances alone: those of members out of
/// view go on as well.
///
/// Ranges do not touch each other: threads may share a crowd, each with its own list. Lists of one
/// range after another, put together, are the list of both.
///
/// @param out      range.count; in the order of members
/// @param members  levels are written, in the range
/// @param range    of members
/// @return number of members written to out
PELT_API uint32_t pelt_crowd_cull(pelt_crowd_visible* out, const pelt_crowd_members* members,
                                  const pelt_crowd_view* view, pelt_range range);

/// Sort members by level, each level in the order of the list.
/// @param out     count members
/// @param levels  where in out each level is
PELT_API void pelt_crowd_sort(uint32_t* out, pelt_range levels[PELT_CROWD_LEVEL_MAX],
                              const pelt_crowd_visible* visible, uint32_t count);

// =============================================================================================
// Acting
//
// Something for a crowd to do in demonstrations, tests and benchmarks. Everything follows from
// seed, member and time, so that any moment can be looked at, in any order.

typedef struct pelt_crowd_act
{
    uint32_t seed;
    bool has_no_fades;     ///< every member keeps to one clip
    float period;          ///< mean seconds from one clip to the next, above 0; 0: 4
    float fade;            ///< seconds of a cross-fade, at most half of the time of a clip; 0: 0.4
    uint32_t clip_count;   ///< 0: all of the bake
    const uint32_t* clips; ///< of the bake
} pelt_crowd_act;

/// What a member plays: one clip after another, never the same twice in a row if there are two,
/// each from a random moment on and at a speed of its own, 0.85 to 1.15. Before a clip ends it is
/// faded into the next.
/// @param time  seconds, from 0 on
PELT_API pelt_playback pelt_crowd_play(const pelt_crowd_act* act, const pelt_baked* baked,
                                       uint32_t member, double time);

/// The transform of a member in a grid that is centered at the origin of the ground, +Y up: with a
/// random offset of up to a fifth of the spacing, a random heading, and a scale from 0.92 to 1.08.
/// These do not depend on count.
/// @param spacing  meters
PELT_API pelt_crowd_transform pelt_crowd_member_transform(const pelt_crowd_act* act,
                                                          uint32_t member, uint32_t count,
                                                          float spacing);

#ifdef __cplusplus
}
#endif

#endif
