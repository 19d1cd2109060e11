// SPDX-License-Identifier: MIT
// Smaller glTF files: the two halves of pelt_pack_glb().
#ifndef PELT_GLTF_PACK_H
#define PELT_GLTF_PACK_H

#include "gltf_write.h"

/// List an extension as used and required.
void pelti_gltf_require(pelti_gltf_document* document, const char* name);

/// gltf_compress.c: compress the views of the document by EXT_meshopt_compression. They then refer
/// to a buffer without content, and the bytes of the document are what decoders read.
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result pelti_gltf_compress(pelti_gltf_document* document, pelt_error* error);

#endif
