// SPDX-License-Identifier: MIT
// The animation texture that one viewport plays from: baked in the background, decoded by shaders.
#ifndef PELT_BAKE_SLOT_H
#define PELT_BAKE_SLOT_H

#include "pelt/gl.h"
#include "playback.h"
#include "settings.h"

/// The request of a bake.
typedef struct bake_request
{
    pelt_encoding encoding;
    float rate;                 ///< Hz; 0: the keys of the clip
    bool is_spherical;          ///< MATRIX: played with rotations on the arc
    uint32_t clip, next_clip;   ///< VERTEX: these only; else PELT_NONE, for all
    pelt_deform_options deform; ///< VERTEX
    bool keeps_copies;          ///< VERTEX
} bake_request;

/// Whether textures of joints are played with rotations on the arc.
bool bake_is_spherical(const view_settings* in);

bool bake_request_is_same(const bake_request* a, const bake_request* b);

/// The bake that a viewport needs.
/// @return false: its technique has no texture
bool bake_request_of(bake_request* out, const view_settings* in, uint32_t view,
                     const playback* from);

/// Where factors between LBS and DQS come from, to know whether they are others.
typedef struct mix_source
{
    int kind;          ///< 0: options; 1: the file; 2: painted, or of joints
    uint32_t revision; ///< of the painted
    float mix;         ///< where nothing was painted
} mix_source;

typedef struct bake_slot
{
    pelt_baked* baked; ///< NULL: none yet
    bake_request request;
    pelt_gl_baked texture;
    pelt_gl_crowd crowd;
    pelt_gl_mesh* meshes; ///< one per instance; NULL: to be uploaded
    uint32_t mesh_count;
    mix_source mix; ///< of the factors that these have

    pelt_bounds* boxes; ///< see bake_slot_boxes()
    uint32_t box_count, box_clip;

    bool is_measured; ///< or given up, see `error`
    pelt_deform_options measured_by;
    pelt_bake_error error; ///< of all clips; NaN: not known
} bake_slot;

/// Bake, on any thread.
/// @param progress  return false to cancel; may be NULL
pelt_result bake_slot_bake(pelt_baked** out, const pelt_scene* scene, const bake_request* request,
                           bool (*progress)(float part, void* user), void* user, pelt_error* error);

/// Whether its error is known, or has been given up, under these options.
bool bake_slot_is_measured(const bake_slot* in, const pelt_deform_options* deform);

/// @param error  NULL: it has been given up
void bake_slot_set_error(bake_slot* inout, const pelt_deform_options* deform,
                         const pelt_bake_error* error);

/// Replace the bake; the slot owns it.
void bake_slot_replace(bake_slot* inout, pelt_baked* baked, const bake_request* request);

/// Drop the copy on the GPU: centers have changed.
void bake_slot_unload(bake_slot* inout);
void bake_slot_destroy(bake_slot* inout);

/// Whether it is the bake that a viewport needs.
bool bake_slot_fits(const bake_slot* in, const bake_request* request);

/// The boxes that the bits of the texture are spread over in a clip: those of the positions of each
/// joint, or of each vertex, of some among thousands. They are found when they are first asked for.
/// @param clip  of the scene
/// @return how many; *out is valid until the next call; 0: none, or no memory
uint32_t bake_slot_boxes(const pelt_bounds** out, bake_slot* inout, const pelt_scene* scene,
                         uint32_t clip);

typedef struct bake_play
{
    const pelt_scene* scene;
    const playback* playback;
    const pelt_deform_options* options;
    const pelt_palette* palettes;    ///< of this moment, to know whether joints scale
    const float* const* mix_factors; ///< of each mesh, or NULL
    mix_source mix;                  ///< of these
} bake_play;

/// Decode and skin all instances by shaders, and read the surfaces back.
/// @param out  one surface per instance
pelt_result bake_slot_play(const pelt_surface* out, bake_slot* inout, pelt_gl* gl,
                           const bake_play* play, pelt_error* error);

#endif
