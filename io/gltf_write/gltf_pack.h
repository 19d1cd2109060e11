// SPDX-License-Identifier: MIT
// Smaller glTF files: the parts of pelt_pack_glb().
#ifndef PELT_GLTF_PACK_H
#define PELT_GLTF_PACK_H

#include "gltf_additions.h"

/// List an extension as used and required.
void pelti_gltf_require(pelti_gltf_document* document, const char* name);

/// A copy of a GLB file in memory. Files that are compressed are refused, but for Draco where the
/// edits have a function that unpacks it.
/// @param out  free with pelt_source_release()
pelt_result pelti_gltf_repack(pelt_source* out, const pelt_source* source,
                              const pelti_gltf_edits* edits, pelt_error* error);

/// gltf_quantize.c: a copy with arrays of fewer bits, without data that depend on the old ones.
/// @param scene   what pelt_load() makes of the source
/// @param report  gets numbers of meshes
pelt_result pelti_gltf_quantize(pelt_source* out, const pelt_source* source,
                                const pelt_scene* scene, pelt_pack_report* report,
                                pelt_error* error);

/// gltf_compress.c: compress the views of the document by EXT_meshopt_compression. They then refer
/// to a buffer without content, and the bytes of the document are what decoders read.
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result pelti_gltf_compress(pelti_gltf_document* document, pelt_error* error);

#endif
