// SPDX-License-Identifier: MIT
// Copies of a glTF file: its JSON with all members, and the files that its URIs name.
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

/// Checks that every list that is used here is an array of objects.
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
/// @param is_one_chunk  pictures that are data URIs go into the binary chunk, too
pelt_result pelti_gltf_source_embed(pelti_gltf_document* document, const pelti_gltf_source* source,
                                    pelti_gltf_home home, bool is_one_chunk, pelt_error* error);

// ---------------------------------------------------------------------------------------------
// Accessors of attributes that are replaced: gltf_additions.c

/// How often the JSON refers to each accessor and view. Attributes to replace no longer refer to
/// theirs.
typedef struct pelti_gltf_reuse
{
    const json_t *accessors, *views;
    size_t accessor_count, view_count; ///< when counted; the lists may have grown since
    uint32_t *accessor_uses, *view_uses;
} pelti_gltf_reuse;

// ---------------------------------------------------------------------------------------------
// Copies: gltf_additions.c

/// A glTF file during a copy.
typedef struct pelti_gltf_copy
{
    const pelti_gltf_source* source;
    pelti_gltf_document* document; ///< its root is that of the source, and is changed
    json_t** primitives;           ///< of the document, by the mesh that pelt_load() makes of them
    uint32_t primitive_count;
    pelti_gltf_target target;
    pelt_error* error;
} pelti_gltf_copy;

/// Changes of a copy. {0}: none.
typedef struct pelti_gltf_edits
{
    const pelt_addition* additions;
    uint32_t addition_count;
    /// Change the document further; called once its buffer is open. NULL: nothing. Accessors and
    /// bytes that nothing refers to afterwards leave the file.
    pelt_result (*run)(pelti_gltf_copy* copy, const void* user);
    const void* user;
    /// Everything in one file, whatever its folder: with GLB, all buffers are one chunk.
    bool is_self_contained;
    bool is_compressed; ///< by EXT_meshopt_compression; only for pelti_gltf_copy_to_glb()
} pelti_gltf_edits;

/// Make the document and target of a copy, ready for pelti_gltf_write().
/// @param out     with source and error; free its members with pelti_gltf_copy_destroy()
/// @param path    file to be written; NULL: in no folder
/// @param format  PELT_FORMAT_GLB or PELT_FORMAT_GLTF
pelt_result pelti_gltf_copy_make(pelti_gltf_copy* out, const char* path, pelt_format format,
                                 const pelti_gltf_edits* edits);
void pelti_gltf_copy_destroy(pelti_gltf_copy* copy);

/// Make a copy and write it.
pelt_result pelti_gltf_copy_save(const char* path, pelt_format format,
                                 const pelti_gltf_source* source, const pelti_gltf_edits* edits,
                                 pelt_error* error);

/// Make a copy as a GLB file in memory.
/// @param out  free with pelt_source_release()
pelt_result pelti_gltf_copy_to_glb(pelt_source* out, const pelti_gltf_source* source,
                                   const pelti_gltf_edits* edits, pelt_error* error);

/// Whether a source refers to other files.
bool pelti_gltf_source_has_files(const pelti_gltf_source* source);

// ---------------------------------------------------------------------------------------------
// References between the lists of a document: gltf_references.c

/// Whether every extension of a document is known to refer to no accessor, view or buffer but in
/// references that the functions below visit.
bool pelti_gltf_references_are_known(const json_t* root);

/// The number of references to each accessor.
/// @param out  one number per accessor; free with pelt_release(); NULL: out of memory
uint32_t* pelti_gltf_count_accessors(json_t* root);

/// Merge all buffers that have bytes into the first buffer, of an empty document.
pelt_result pelti_gltf_merge_buffers(pelti_gltf_document* document, const pelti_gltf_source* source,
                                     pelt_error* error);

/// Remove accessors that have lost all their references, views that only these referred to, and
/// bytes that only these views used.
/// @param before  from pelti_gltf_count_accessors(); there may be more accessors now
void pelti_gltf_sweep(pelti_gltf_document* document, const uint32_t* before, size_t before_count);

// ---------------------------------------------------------------------------------------------
// Changed scenes: gltf_changes.c, gltf_growth.c

/// A scene as it was read, and a copy of it with other arrays in its meshes.
typedef struct pelti_gltf_change
{
    const pelt_scene *read, *scene;
} pelti_gltf_change;

/// Whether anything differs from the file: arrays, or what was repaired on reading and can be
/// repaired in the file.
bool pelti_gltf_has_changes(const pelti_gltf_change* change);

/// Write what differs into the document.
pelt_result pelti_gltf_apply_changes(pelti_gltf_copy* copy, const pelti_gltf_change* change);

/// Whether a scene has more nodes, joints, tracks or clips than were read.
bool pelti_gltf_has_grown(const pelti_gltf_change* change);

/// Write these into the document.
pelt_result pelti_gltf_apply_growth(pelti_gltf_copy* copy, const pelti_gltf_change* change);

/// gltf_unpack.c: primitives that are to be changed, without their Draco compression.
/// @param is_wanted  one number per primitive; 0: it stays compressed
pelt_result pelti_gltf_unpack_draco(pelti_gltf_copy* copy, const uint32_t* is_wanted);

#endif
