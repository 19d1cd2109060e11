// SPDX-License-Identifier: MIT
// Techniques to draw a crowd with, and the crowd on the GPU as one of them has it.
#ifndef PELT_CROWD_CAST_H
#define PELT_CROWD_CAST_H

#include "crowd_instances.h"
#include "crowd_subject.h"
#include "draw_target.h"

typedef enum crowd_technique
{
    CROWD_CONTROL = 0, ///< no animation
    CROWD_GPU_MATRIX,
    CROWD_GPU_DQ,
    CROWD_GPU_CRS,
    CROWD_MATRIX_TEXTURE,
    CROWD_DQ_TEXTURE,
    CROWD_QT_TEXTURE,
    CROWD_VERTEX_TEXTURE,
    CROWD_MATRIX_POSED, ///< a pass decodes the joints of all instances before they are drawn
    CROWD_QT_POSED,
    CROWD_TECHNIQUE_COUNT
} crowd_technique;

typedef enum crowd_kind
{
    CROWD_STATIC = 0, ///< one instanced draw of each mesh
    CROWD_SINGLY,     ///< skeletons on the CPU, one draw of each mesh and instance
    CROWD_BAKED,      ///< one instanced draw of each mesh, which decodes an animation texture
} crowd_kind;

typedef struct crowd_technique_info
{
    const char* name; ///< "gpu-matrix"
    crowd_kind kind;
    pelt_method method;        ///< that skins
    pelt_encoding encoding;    ///< BAKED
    pelt_palette_kind palette; ///< BAKED: where joints are decoded
} crowd_technique_info;

const crowd_technique_info* crowd_technique_describe(crowd_technique technique);

/// @return CROWD_TECHNIQUE_COUNT when there is none of that name
crowd_technique crowd_technique_find(const char* name);

/// What is left out of a frame, to find out what it costs: document 002, Tables 13 and 15.
typedef struct crowd_toggles
{
    bool has_no_skeleton; ///< SINGLY: no pose and no palette is computed
    bool has_no_upload;   ///< palettes or playbacks stay as they are
    bool has_no_switch;   ///< SINGLY: all instances of one mesh, then those of the next; skeletons
                          ///< are computed and uploaded for each mesh again
} crowd_toggles;

/// A mesh of the character.
typedef struct crowd_part
{
    pelt_gl_mesh mesh;
    uint32_t skin;
    uint32_t first_joint;     ///< BAKED: pelt_baked_instance.first
    draw_program programs[3]; ///< by pelt_gpu_scale; compiled when first needed
} crowd_part;

typedef struct crowd_cast
{
    crowd_technique technique;
    draw_target* target;
    crowd_subject* subject;
    uint32_t capacity;                ///< most instances; fewer than asked for if many joints
    const crowd_instances* instances; ///< of the last arrangement
    uint32_t part_count;
    crowd_part* parts;
    uint32_t palette_count;
    pelt_gl_palette* palettes; ///< SINGLY: one for each skin
    pelt_gl_baked texture;     ///< BAKED
    pelt_gl_crowd crowd;       ///< BAKED
    pelt_playback* playbacks;  ///< BAKED
    uint32_t place_buffer;     ///< STATIC and BAKED
} crowd_cast;

typedef struct crowd_cast_options
{
    uint32_t capacity;       ///< most instances, at least 1
    uint32_t max_influences; ///< of a vertex; 0: 8
    uint32_t bits;           ///< of the bake; 0: what the encoding has by default
} crowd_cast_options;

/// @param out      free with crowd_cast_destroy(); must not be moved
/// @param target, subject  must outlive it
pelt_result crowd_cast_create(crowd_cast* out, crowd_technique technique, draw_target* target,
                              crowd_subject* subject, const crowd_cast_options* options,
                              pelt_error* error);
void crowd_cast_destroy(crowd_cast* cast);

/// Let the crowd stand as instances do, and look at all of it.
/// @param instances  up to the capacity; must outlive the next draws
void crowd_cast_arrange(crowd_cast* cast, const crowd_instances* instances);

/// Draw a frame.
/// @param time  seconds; each instance plays the clip from its own offset on
pelt_result crowd_cast_draw(crowd_cast* cast, double time, const crowd_toggles* toggles,
                            pelt_error* error);

/// Bytes of the animation texture; 0: none.
size_t crowd_cast_texture_bytes(const crowd_cast* cast);

#endif
