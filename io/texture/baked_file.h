// SPDX-License-Identifier: MIT
// The files of a bake: JSON, texture and mesh.
#ifndef PELT_BAKED_FILE_H
#define PELT_BAKED_FILE_H

#include "../gltf/gltf_read.h"
#include "../writers.h"
#include "openvat.h"
#include "texture_file.h"

#include <stdio.h>

#define PELTI_BAKED_FORMAT "pelt-bake"
#define PELTI_BAKED_AXES "+Y up, right-handed"

enum
{
    PELTI_BAKED_VERSION = 2, ///< older ones can be read, too
};

/// By which a texture is recognized: FNV-1a of 64 bits over the words, lowest byte first.
uint64_t pelti_words_digest(const uint32_t* words, size_t count);

/// "joint", "instance", "socket" or "ancestor".
const char* pelti_joint_kind_name(pelt_baked_joint_kind kind);

enum
{
    PELTI_JOINT_KIND_COUNT = PELT_BAKED_ANCESTOR + 1,
};

static inline pelti_texture pelti_baked_texture(const pelt_baked* baked)
{
    return (pelti_texture){baked->texel, baked->width, baked->height, (uint32_t*)baked->words};
}

// ---------------------------------------------------------------------------------------------
// Writing

/// Files next to the JSON file.
typedef struct pelti_baked_names
{
    const char* texture;
    pelt_texture_format format;
    const char* mesh; ///< NULL: none
} pelti_baked_names;

/// @param out    free with pelti_blob_release()
/// @param scene  that was baked; NULL: without the parts of the surface that joints move
pelt_result pelti_baked_json(pelti_blob* out, const pelt_baked* baked,
                             const pelti_baked_names* names, const pelt_scene* scene,
                             pelt_error* error);

/// Whether a scene is the one that was baked, and a GLB file can hold it.
pelt_result pelti_baked_check_scene(const pelt_baked* baked, const pelt_scene* scene,
                                    pelt_error* error);

/// The mesh as a GLB file. Failed writes stay in the stream's error flag.
/// @param scene    that fits
/// @param source   the glTF file that the scene was read from, which is copied; NULL: the scene is
///                 written
/// @param openvat  whose UVs the mesh gets; NULL: none
pelt_result pelti_baked_write_mesh(FILE* stream, const pelt_baked* baked, const pelt_scene* scene,
                                   const pelt_source* source, const pelti_openvat* openvat,
                                   pelt_error* error);

typedef struct pelti_baked_mesh_copy
{
    const pelt_baked* baked;
    const pelt_scene* scene; ///< that was baked, with the arrays that were read
    /// VERTEX: attributes of floats, in the order of instances, which `mesh` is here
    const pelt_addition* additions;
    uint32_t addition_count;
    bool has_openvat; ///< TEXCOORD_1 is among them
} pelti_baked_mesh_copy;

/// Write a GLB file. Failed writes stay in the stream's error flag.
/// @param source  the file that the scene was read from
pelt_result pelti_baked_write_copy(FILE* stream, const pelti_baked_mesh_copy* what,
                                   const pelt_source* source, pelt_error* error);

enum
{
    PELTI_BAKED_TEXTURE,
    PELTI_BAKED_MESH,
    PELTI_BAKED_VAT, ///< of OpenVAT, and what belongs to it
    PELTI_BAKED_REMAP,
    PELTI_BAKED_COMPANION, ///< what the caller adds
    PELTI_BAKED_JSON,      ///< last: it names texture and mesh
    PELTI_BAKED_FILE_COUNT,
};

/// A bake whose files are on the disk, under temporary names.
typedef struct pelti_baked_output
{
    const pelt_baked* baked;
    const pelt_scene* scene; ///< NULL: no mesh
    pelt_texture_format format;
    char* paths[PELTI_BAKED_FILE_COUNT]; ///< NULL: no such file
    pelti_file files[PELTI_BAKED_FILE_COUNT];
} pelti_baked_output;

/// Rename the files to their paths. If there is a JSON file already, this takes two steps, because
/// no system call renames several files at once:
///
/// 1. Texture and mesh get a second name with a random tag, "hero-0123456789abcdef.ktx2". A JSON
///    file that refers to these names replaces the old one: from here on the new bake is in place.
/// 2. Texture and mesh replace those of the old bake, to which no JSON file refers any more; then
///    the JSON file with the usual names replaces that of step 1. The tagged names are removed.
///
/// A process that is killed in between leaves the old bake or the new one, which may keep its
/// tagged names until the next bake. Writers in one folder wait for each other, see
/// pelti_lock_folder().
pelt_result pelti_baked_commit(pelti_baked_output* inout, pelt_error* error);

// ---------------------------------------------------------------------------------------------
// Reading

/// A bake that is being read, with the JSON tools of the glTF reader.
typedef struct pelti_baked_reader
{
    pelti_gltf g; ///< of the JSON file; its arena is that of the bake
    pelt_baked* baked;
} pelti_baked_reader;

/// The boxes and the root motion of a clip in their short forms, which are objects.
pelt_result pelti_baked_read_boxes(pelt_bounds* out, uint32_t count, pelti_baked_reader* r,
                                   const pelti_json* object, const pelti_json_path* at);
pelt_result pelti_baked_read_motion(pelt_transform* out, uint32_t count, pelti_baked_reader* r,
                                    const pelti_json* object, const pelti_json_path* at);

/// Everything except the content of other files.
pelt_result pelti_baked_read_json(pelti_baked_reader* r);

/// A file that the JSON names, which must be next to it or below.
/// @param out   free with pelti_blob_release()
/// @param path  of the file, for messages, in the scratch memory of the reader
pelt_result pelti_baked_read_file(pelti_blob* out, const char** path, pelti_baked_reader* r,
                                  const char* name, const pelti_json_path* at);

/// The texture, compared with the JSON.
pelt_result pelti_baked_read_texture(pelti_baked_reader* r);

/// The slots of vertices, from the mesh.
pelt_result pelti_baked_read_mesh(pelti_baked_reader* r);

/// Whether files named after a path can be read as those of a bake.
/// @return PELT_OK or PELT_ERROR_ARGUMENT
pelt_result pelti_baked_check_name(const char* path, pelt_error* error);

/// Members that must be present.
pelt_result pelti_baked_need(const pelti_json** out, pelti_baked_reader* r,
                             const pelti_json* object, const char* member,
                             const pelti_json_path* at);
pelt_result pelti_baked_need_u32(uint32_t* out, pelti_baked_reader* r, const pelti_json* object,
                                 const char* member, const pelti_json_path* at);
pelt_result pelti_baked_need_text(const char** out, pelti_baked_reader* r, const pelti_json* object,
                                  const char* member, const pelti_json_path* at);

/// A digest in 16 hexadecimal digits.
pelt_result pelti_baked_need_digest(uint64_t* out, pelti_baked_reader* r, const pelti_json* object,
                                    const pelti_json_path* at);

#endif
