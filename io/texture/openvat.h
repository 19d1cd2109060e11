// SPDX-License-Identifier: MIT
// Bakes of vertices in the form of OpenVAT, for engines that have its importer.
#ifndef PELT_OPENVAT_H
#define PELT_OPENVAT_H

#include "texture_file.h"

/// Columns are slots of vertices, rows are frames: those of all clips one after the other, first
/// with positions and then, from the middle of the texture on, with normals. Slots that do not fit
/// into one row continue below its frames.
typedef struct pelti_openvat
{
    uint32_t width, height; ///< in texels
    uint32_t frame_count;   ///< of all clips
} pelti_openvat;

/// @return PELT_OK, or PELT_ERROR_UNSUPPORTED: it is too large for a texture
pelt_result pelti_openvat_plan(pelti_openvat* out, const pelt_baked* baked, pelt_error* error);

/// Where a slot is in the first frame: TEXCOORD_1 of the mesh.
pelt_vec2 pelti_openvat_uv(const pelti_openvat* plan, uint32_t slot);

/// The texture as PNG, and its remap_info.json.
/// @param png, json  free with pelti_blob_release(), also after a failure
/// @param scene      that was baked
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result pelti_openvat_make(pelti_blob* png, pelti_blob* json, const pelti_openvat* plan,
                               const pelt_baked* baked, const pelt_scene* scene, pelt_error* error);

#endif
