// SPDX-License-Identifier: MIT
// A glTF file that is copied: its JSON with every member kept, and what its URIs name.
#ifndef PELT_GLTF_ADDITIONS_H
#define PELT_GLTF_ADDITIONS_H

#include "../readers.h"
#include "gltf_write.h"

/// A file as it is, whatever extensions it uses.
typedef struct pelti_gltf_source
{
    const char* path;
    const pelt_source* file;
    bool is_glb;
    json_t* root;
    const uint8_t* bin; ///< binary chunk; NULL: none
    size_t bin_size;
    pelti_blob chunks; ///< all further chunks, with their headers
} pelti_gltf_source;

/// Every list that is followed here is found to be an array of objects.
/// @param file  must outlive the source
pelt_result pelti_gltf_source_open(pelti_gltf_source* out, const pelt_source* file,
                                   pelt_error* error);
void pelti_gltf_source_close(pelti_gltf_source* source);

/// The bytes of a buffer that has a URI, as many as it says it has.
pelt_result pelti_gltf_source_buffer(pelti_blob* out, const pelti_gltf_source* source,
                                     uint32_t index, pelt_error* error);

/// Put the files that buffers and images name into the document: as data URIs, pictures into the
/// binary chunk where there is one. The document's own buffer is left out, and an image that is
/// not there stays a name.
pelt_result pelti_gltf_source_embed(pelti_gltf_document* document, const pelti_gltf_source* source,
                                    pelti_gltf_home home, pelt_error* error);

// ---------------------------------------------------------------------------------------------
// Places of attributes that are replaced: gltf_additions_reuse.c

/// How often the JSON names each accessor and view. Attributes to be replaced have let go of
/// theirs.
typedef struct pelti_gltf_reuse
{
    const json_t *accessors, *views;
    size_t accessor_count, view_count; ///< when counted; the lists may have grown since
    uint32_t *accessor_uses, *view_uses;
} pelti_gltf_reuse;

/// @param root  must outlive the counts
pelt_result pelti_gltf_reuse_create(pelti_gltf_reuse* out, const json_t* root, pelt_error* error);
void pelti_gltf_reuse_destroy(pelti_gltf_reuse* reuse);

/// Whether an accessor is nobody's any more and can take the array: then it is taken.
/// @param offset  where its bytes are in the buffer of the document
bool pelti_gltf_reuse_find(size_t* offset, pelti_gltf_reuse* reuse, uint32_t accessor,
                           const pelti_gltf_document* document, const pelti_gltf_array* array);

/// The buffer that an accessor lies in, or PELT_NONE.
uint32_t pelti_gltf_reuse_buffer(const pelti_gltf_reuse* reuse, uint32_t accessor);

#endif
