// SPDX-License-Identifier: MIT
// The GPU resources of a crowd for one technique.
#ifndef PELT_CROWD_CAST_H
#define PELT_CROWD_CAST_H

#include "crowd_subject.h"
#include "crowd_technique.h"
#include "crowd_variant.h"

/// A mesh of the character.
typedef struct crowd_part
{
    pelt_gl_mesh mesh;
    uint32_t skin;
    uint32_t first_joint;                       ///< BAKED: pelt_baked_instance.first
    draw_program programs[3];                   ///< by pelt_gpu_scale; compiled when first needed
    draw_program variants[CROWD_VARIANT_COUNT]; ///< BAKED: without stages
} crowd_part;

typedef struct crowd_cast
{
    crowd_technique technique;
    draw_target* target;
    crowd_subject* subject;
    uint32_t capacity; ///< most instances; lower than in the options if there are many joints
    const crowd_instances* instances; ///< of the last arrangement
    uint32_t part_count;
    crowd_part* parts;
    uint32_t palette_count;
    pelt_gl_palette* palettes; ///< SINGLY: one for each skin
    pelt_baked* baked;         ///< BAKED
    pelt_gl_baked texture;     ///< BAKED
    crowd_metadata metadata;   ///< BAKED
    pelt_gl_crowd crowd;       ///< BAKED
    pelt_playback* playbacks;  ///< BAKED
    pelt_frame frame;          ///< SKINNED: of one instance after another
    uint32_t transform_buffer; ///< STATIC and BAKED
} crowd_cast;

typedef struct crowd_cast_options
{
    uint32_t capacity;       ///< most instances, at least 1
    uint32_t max_influences; ///< of a vertex; 0: 8
    uint32_t bits;           ///< of the bake; 0: the default of the encoding
} crowd_cast_options;

/// @param out      free with crowd_cast_destroy(); must not be moved
/// @param target, subject  must outlive it
pelt_result crowd_cast_create(crowd_cast* out, crowd_technique technique, draw_target* target,
                              crowd_subject* subject, const crowd_cast_options* options,
                              pelt_error* error);
void crowd_cast_destroy(crowd_cast* cast);

/// Set the transforms of the crowd, and aim the camera at all of it.
/// @param instances  up to the capacity; must outlive the next draws
void crowd_cast_arrange(crowd_cast* cast, const crowd_instances* instances);

/// Draw a frame.
/// @param time  seconds; each instance plays the clip from its own offset on
/// @param off   stages to leave out; those that the technique does not have are ignored
pelt_result crowd_cast_draw(crowd_cast* cast, double time, crowd_stage_set off, pelt_error* error);

/// The largest number of joints of a vertex.
uint32_t crowd_cast_influences(const crowd_cast* cast);

/// Bytes of the animation texture; 0: none.
size_t crowd_cast_texture_bytes(const crowd_cast* cast);

#endif
