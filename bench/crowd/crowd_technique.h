// SPDX-License-Identifier: MIT
// Techniques to draw a crowd with, and the stages of a frame that can be left out of them.
#ifndef PELT_CROWD_TECHNIQUE_H
#define PELT_CROWD_TECHNIQUE_H

#include "pelt/gl.h"

typedef enum crowd_technique
{
    CROWD_CONTROL = 0, ///< no animation
    CROWD_CPU_MATRIX,
    CROWD_GPU_MATRIX,
    CROWD_GPU_DQ,
    CROWD_GPU_CRS,
    CROWD_MATRIX_TEXTURE,
    CROWD_DQ_TEXTURE,
    CROWD_QT_TEXTURE,
    CROWD_VERTEX_TEXTURE,
    CROWD_MATRIX_POSED, ///< a pass decodes the joints of all instances before they are drawn
    CROWD_QT_POSED,
    CROWD_THESIS_MATRIX_TEXTURE, ///< in PELT_BAKE_LAYOUT_THESIS
    CROWD_THESIS_DQ_TEXTURE,
    CROWD_THESIS_VERTEX_TEXTURE,
    CROWD_TECHNIQUE_COUNT
} crowd_technique;

typedef enum crowd_kind
{
    CROWD_STATIC = 0, ///< one instanced draw of each mesh
    CROWD_SINGLY,     ///< skeletons on the CPU, one draw of each mesh and instance
    CROWD_BAKED,      ///< one instanced draw of each mesh, which decodes an animation texture
    CROWD_SKINNED,    ///< skeletons and vertices on the CPU, uploaded, one draw of each mesh and
                      ///< instance
} crowd_kind;

typedef struct crowd_technique_info
{
    const char* name; ///< "gpu-matrix"
    crowd_kind kind;
    const char* method;        ///< that skins, by name: see pelt_method_find()
    pelt_encoding encoding;    ///< BAKED
    pelt_palette_kind palette; ///< BAKED: where joints are decoded
    pelt_bake_layout layout;   ///< BAKED
} crowd_technique_info;

const crowd_technique_info* crowd_technique_describe(crowd_technique technique);

/// @return CROWD_TECHNIQUE_COUNT when there is none of that name
crowd_technique crowd_technique_find(const char* name);

/// Stages that can be left out of a frame to measure their cost: Tables 13 and 15 of the animation
/// texture thesis (2021). Bits are in the order of its columns from right to left, so that
/// ascending numbers are in the order of its rows.
typedef enum crowd_stage
{
    CROWD_UPLOAD = 1 << 0,        ///< palettes or playbacks stay as they are
    CROWD_SKELETON = 1 << 1,      ///< SINGLY: no pose and no palette is computed
    CROWD_SWITCH = 1 << 2,        ///< SINGLY: all instances of one mesh, then those of the next;
                                  ///< skeletons are computed and uploaded for each mesh again
    CROWD_INTERPOLATION = 1 << 3, ///< textures: a joint is decoded from one key instead of two
    CROWD_METADATA = 1 << 4,      ///< textures: everything but keys is read from a uniform block
    CROWD_SKINNING = 1 << 5,      ///< textures: joints are decoded, but move no vertex
    CROWD_ORDER = 1 << 6,         ///< THESIS: joints are decoded at one key, then at the next
                                  ///< (4.8 there), instead of each at both
    CROWD_JOINTS = 1 << 7,        ///< textures: fewer joints for each vertex
} crowd_stage;

enum
{
    CROWD_STAGE_COUNT = 8,
    CROWD_STAGES_ALL = (1 << CROWD_STAGE_COUNT) - 1,
};

/// A sum of crowd_stage.
typedef uint32_t crowd_stage_set;

/// The stages that a technique has.
crowd_stage_set crowd_technique_stages(crowd_technique technique);

/// "skeleton"
const char* crowd_stage_name(crowd_stage stage);

/// "switch, skeleton", or "nothing" for none.
void crowd_stages_write(char* out, size_t size, crowd_stage_set stages);

#endif
