// SPDX-License-Identifier: MIT
// Shaders of animation textures without some of their stages, for A/B tests: the source that
// pelt_shader_source() makes, with statements replaced.
#ifndef PELT_CROWD_VARIANT_H
#define PELT_CROWD_VARIANT_H

#include "crowd_technique.h"
#include "draw_target.h"

enum
{
    CROWD_SHADER_STAGES = CROWD_INTERPOLATION | CROWD_METADATA | CROWD_SKINNING | CROWD_ORDER,
    CROWD_VARIANT_COUNT = 16,
};

/// The header, tables and ranges of a texture, as a uniform block of its texels.
typedef struct crowd_metadata
{
    uint32_t texel_count; ///< 0: too large for a block, or no joints
    uint32_t row;         ///< THESIS: texels per row of the texture; else 0
    uint32_t buffer;
} crowd_metadata;

/// @param out  free with crowd_metadata_destroy()
pelt_result crowd_metadata_create(crowd_metadata* out, const pelt_baked* baked, pelt_error* error);
void crowd_metadata_destroy(crowd_metadata* metadata); ///< {0} is allowed, and remains

/// For the next draws by programs without CROWD_METADATA.
void crowd_metadata_bind(const crowd_metadata* metadata);

/// @param off  some of CROWD_SHADER_STAGES
/// @return below CROWD_VARIANT_COUNT
uint32_t crowd_variant_index(crowd_stage_set off);

/// A program for a mesh of a crowd, without some stages.
/// @param out   free with glDeleteProgram()
/// @param desc  by pelt_gl_crowd_program_desc(), of joints in a texture
pelt_result crowd_variant_create(draw_program* out, pelt_gl* gl, const pelt_gl_program_desc* desc,
                                 crowd_stage_set off, const crowd_metadata* metadata,
                                 pelt_error* error);

#endif
