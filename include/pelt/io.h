// SPDX-License-Identifier: MIT
// Files: what pelt reads and writes. Link libpelt_io; one built with PELT_READER_ONLY has the
// section Reading alone, for plain glTF and GLB.
#ifndef PELT_IO_H
#define PELT_IO_H

#include "pelt.h"

#ifdef __cplusplus
extern "C" {
#endif

// =============================================================================================
// Reading

/// By the extension of a file name, upper or lower case.
PELT_API pelt_format pelt_format_of(const char* path);

/// By the content of a file, then by its extension: what pelt_load() takes it for. No more of it is
/// read than needed, and what is read of a pipe is gone.
/// @param out  PELT_FORMAT_GLB, PELT_FORMAT_GLTF, PELT_FORMAT_FBX or PELT_FORMAT_ASSIMP
/// @return PELT_OK, PELT_ERROR_READ or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_format_find(pelt_format* out, const char* path, pelt_error* error);

/// What reading one file may cost; one that costs more is refused with a sentence. 0 in a field is
/// the default, which grows with the file: all those pass whose cost is in proportion to their
/// size.
typedef struct pelt_load_limits
{
    /// Bytes at any one time, the file itself not counted. 0: 96 MB, and 256 times the bytes of the
    /// file and of those it names.
    size_t memory;
    /// Numbers, keys and references that are gone through. 0: 4 million, and 64 for each byte.
    uint64_t elements;
    uint32_t depth;   ///< of parts inside parts; no more than 1024; 0: 256
    uint32_t seconds; ///< of processor time, for a reader in a process of its own, and ten times as
                      ///< many by the clock; 0: 8, and one more for each MB
} pelt_load_limits;

/// Where formats are read that pelt leaves to assimp.
typedef enum pelt_isolation
{
    /// In a child process with the limits of pelt_load_limits, so that nothing that happens there
    /// happens to the caller. It is a copy of the calling process without its other threads, made
    /// by fork(): handlers of pthread_atfork() run, and a handler of SIGCHLD hears of it. It closes
    /// all files that it inherits, runs without the hooks, and never outlives the call. A limit on
    /// memory needs Linux, and no AddressSanitizer.
    PELT_ISOLATION_CHILD = 0,
    /// In the calling process: for programs that must not fork. assimp may then crash it, or take
    /// all of its memory and time, on files made to do so.
    PELT_ISOLATION_NONE,
} pelt_isolation;

/// Files that do not lie on a disk: in an archive, a package or memory.
typedef struct pelt_files
{
    /// Give the bytes of a file that another one names. They stay as they are until `close`. Runs
    /// on the calling thread; for formats of assimp in its child process, see pelt_isolation.
    /// @param name  relative to the file that names it, with '/' between folders and escapes of
    ///              URIs replaced; never leads up
    /// @return false: there is no such file
    bool (*open)(const void** bytes, size_t* size, const char* name, void* user);
    void (*close)(const void* bytes, size_t size, void* user); ///< NULL: nothing to do
    void* user;                                                ///< handed to both
} pelt_files;

/// A file in memory.
typedef struct pelt_source
{
    const char* path; ///< for sentences, the extension, and the folder of what it names; NULL: it
                      ///< has none, and names no file unless `files` knows it
    const void* bytes;
    size_t size;
    const pelt_files* files; ///< that it names; NULL: those below the folder of path
} pelt_source;

/// Read a whole file. Folders, pipes and devices are refused.
/// @param out  free with pelt_source_release(); refers to path
PELT_API pelt_result pelt_source_read(pelt_source* out, const char* path, pelt_error* error);
PELT_API void pelt_source_release(pelt_source* source);

typedef struct pelt_load_options
{
    uint32_t max_influences; ///< keep only the strongest of each vertex; 0: all
    pelt_load_limits limits;
    pelt_isolation isolation;

    /// Told how much is done, from 0 to 1; false cancels. Comes from the calling thread. assimp
    /// without isolation cannot be canceled. NULL: not wanted.
    bool (*progress)(float part, void* user);
    void* user; ///< handed to progress
} pelt_load_options;

/// Read a character. The format is found by the content, then by the extension.
///
/// Vertices of a glTF keep the order of the file, one mesh for each primitive, in its order; files
/// that list corners instead, like FBX, get one vertex for equal corners. Meters, Y up. What had to
/// be fixed on load is listed in scene->repairs. Files that a file names are read only from
/// below its own folder, all links followed.
///
/// Centers of rotation and normal factors that a glTF holds are taken only where they belong to the
/// mesh as it is now, after max_influences; else they are left out, with a repair of a kind of its
/// own.
///
/// A broken file is a result and a sentence, whatever it holds: every number of a glTF or FBX is
/// checked before use, and assimp, which reads all else, runs in a process of its own. What a file
/// costs is limited, see pelt_load_limits.
///
/// @param out      a valid scene (see pelt_scene_validate); free with pelt_scene_destroy()
/// @param path     "-": the standard input. That, pipes and the like are read to their end, and the
///                 format is known by the content alone; files that the standard input names are
///                 looked for in the current folder
/// @param options  NULL: defaults
/// @return PELT_OK; PELT_ERROR_READ: it cannot be opened; PELT_ERROR_DATA: broken, or too costly;
///         PELT_ERROR_UNSUPPORTED, PELT_ERROR_CANCELED or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_load(pelt_scene** out, const char* path, const pelt_load_options* options,
                               pelt_error* error);

/// The same from memory: what pelt_load() does once the file has been read.
PELT_API pelt_result pelt_load_memory(pelt_scene** out, const pelt_source* source,
                                      const pelt_load_options* options, pelt_error* error);

/// The same as pelt_load(), and the file itself, for pelt_save_enhanced(): a pipe cannot be read
/// twice.
/// @param source  free with pelt_source_release(); refers to path
PELT_API pelt_result pelt_load_keep(pelt_scene** out, pelt_source* source, const char* path,
                                    const pelt_load_options* options, pelt_error* error);

// =============================================================================================
// Textures of a scene
//
// pelt decodes no pictures here: it says where they are, and what they are.

/// The file that a texture stands for which is no image of the scene. A stored path is taken below
/// the folder of the source; one that leads elsewhere, such as that of another machine, stands for
/// its last name beside the source, in "textures" or in the media folder of an FBX. Where no file
/// is spelled that way, upper and lower case of that name may differ. No file outside the folder
/// is ever found.
/// @param out      path of the file; free with pelt_release()
/// @param source   path that was given to pelt_load()
/// @param texture  pelt_material.texture
/// @return PELT_OK, PELT_ERROR_READ when there is none, or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_texture_path(char** out, const char* source, const char* texture,
                                       pelt_error* error);

/// The MIME type of a picture by its first bytes: PNG, JPEG, WebP, KTX2, DDS or AVIF.
/// @return NULL: it is none of them
PELT_API const char* pelt_image_type(const void* bytes, size_t size);

// =============================================================================================
// Writing
//
// Every writer makes the file appear whole or not at all: it writes beside the target and
// renames. The path "-" is the standard output; that, devices and pipes are written in place.

/// Write a whole scene as glTF 2.0: nodes, meshes, skins, clips, morphs, materials. Reading it back
/// gives the same scene, but for what glTF has no place for: a clip that goes on after its last key
/// gets another key at its end, one that moves nothing is left out. Images of the scene go into the
/// file; other textures stay references, see pelt_scene_pack().
/// @param format  PELT_FORMAT_GLB or PELT_FORMAT_GLTF
PELT_API pelt_result pelt_save_scene(const char* path, pelt_format format, const pelt_scene* scene,
                                     pelt_error* error);

/// Prepare a scene for pelt_save_scene() or pelt_save_surfaces(), so that the file finds its
/// pictures from where it will lie. Those that lie beside the source become images of the scene,
/// which go into the file; when that goes into the folder of the source they stay where they are,
/// and materials get their names as they are really spelled.
///
/// Afterwards scene->losses also lists what the writer cannot keep: pictures that are missing or
/// neither PNG, JPEG nor WebP, whose names stay in the materials, and clips without tracks.
///
/// @param inout   a copy of the struct; its materials, images and losses are replaced
/// @param source  path that was given to pelt_load(); NULL: images of the scene only
/// @param path    file to be written; "-" is in no folder
/// @param arena   owns what is new; must live as long as the scene is used
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_scene_pack(pelt_scene* inout, const char* source, const char* path,
                                     pelt_arena* arena, pelt_error* error);

/// Copy the user's own glTF file and put into it what its meshes were prepared with, see prepare.h
/// and pelt_scene_additions(). All else stays as it was: materials, textures, clips, extensions,
/// extras, also those that pelt does not know. Written again, the file keeps its size.
///
///     pelt_load_keep(&scene, &source, "hero.glb", NULL, &error);
///     pelt_scene better = *scene;
///     pelt_scene_add_cors(&better, PELT_PREPARE_ALL, NULL, NULL, arena);
///     pelt_save_enhanced("hero.glb", &source, &better, &error);
///
/// Twist joints change more than can be added: what pelt_twist_add() makes is for
/// pelt_save_scene().
/// @param path    file to write, .glb or .gltf, or "-"; may be that of the source
/// @param source  a glTF file
/// @param scene   what pelt_load() made of it without max_influences, prepared
/// @return PELT_OK; PELT_ERROR_UNSUPPORTED: the scene is not from a glTF file; or as
///         pelt_save_additions()
PELT_API pelt_result pelt_save_enhanced(const char* path, const pelt_source* source,
                                        const pelt_scene* scene, pelt_error* error);

/// What the integers of an addition are. Normalized ones stand for fractions, as in glTF.
typedef enum pelt_integer_type
{
    PELT_INTEGER_U16 = 0, ///< uint16_t
    PELT_INTEGER_U8,      ///< uint8_t
    PELT_INTEGER_S16,     ///< int16_t
    PELT_INTEGER_S8,      ///< int8_t
    PELT_INTEGER_UNORM16, ///< uint16_t, of 65535
    PELT_INTEGER_UNORM8,  ///< uint8_t, of 255
    PELT_INTEGER_SNORM16, ///< int16_t, of 32767
    PELT_INTEGER_TYPE_COUNT
} pelt_integer_type;

/// Something to add to a mesh: an attribute of every vertex, extras, or both. A name without
/// numbers takes the attribute away, and one that ends in '*' all that begin like it, but for those
/// that are added along with it.
///
/// Whoever adds `_PELT_COR` should add the extras {"pelt_cor": {"digest": "0123456789abcdef"}} with
/// pelt_cor_digest() of the mesh in 16 hexadecimal digits, so that pelt_load() can tell when they
/// no longer fit.
typedef struct pelt_addition
{
    uint32_t mesh;         ///< of the scene that pelt_load() made of the same file
    uint32_t vertex_count; ///< of that mesh; a file that has changed since is refused
    const char* name;      ///< of the attribute; begins with '_', as glTF asks; NULL: none
    uint32_t width;        ///< numbers per vertex, 1 to 4
    const float* values;   ///< width * vertex_count; what is not finite is refused
    const void* integers;  ///< the same, of whole numbers, instead of values; those of a vertex
                           ///< are a multiple of four bytes
    pelt_integer_type integer_type;
    /// JSON object whose members go into the extras of the primitive, those that are null out of
    /// them; NULL: none. Extras of the file that are no object stay as they are, and these are left
    /// out.
    const char* extras;
} pelt_addition;

/// Normal factors as vertex attributes that pelt_load() makes factors of again, for
/// pelt_save_additions(); docs/files.md describes them. Factors that have bits become integers.
/// @param out    additions of the mesh; the first has the extras, with the digest, and the last
///               takes away what the file has of the kind besides
/// @param index  of the mesh in its scene
/// @param mesh   with factors, and with the centers that these were built with; out refers to it
/// @param slots  factors of a vertex, no fewer than max_factors: 2, 3, 4, or a multiple of 4; 0:
///               slot_count of the factors, or as few as possible where that is 0 too
/// @param arena  owns the arrays
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_normal_additions(pelt_addition** out, uint32_t* count, uint32_t index,
                                           const pelt_mesh* mesh, uint32_t slots,
                                           pelt_arena* arena);

/// Everything that the meshes of a scene were prepared with, for pelt_save_additions(): centers of
/// rotation and normal factors, each with its digest, and mix factors. Centers and normal factors
/// that a mesh lacks are removed from the file, which may have some that no longer fit.
/// @param out    refers to the scene
/// @param arena  owns the arrays
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_scene_additions(pelt_addition** out, uint32_t* count,
                                          const pelt_scene* scene, pelt_arena* arena);

/// Copy a glTF file and add vertex attributes and extras to its primitives. An attribute that is
/// there already is replaced. All else stays as it was: materials, textures, clips, extensions,
/// extras, also those that pelt does not know.
/// @param path    file to write, .glb or .gltf; may be the source itself
/// @param source  file that was read
PELT_API pelt_result pelt_save_additions(const char* path, const char* source,
                                         const pelt_addition* additions, uint32_t count,
                                         pelt_error* error);

/// The same from memory.
PELT_API pelt_result pelt_save_source_additions(const char* path, const pelt_source* source,
                                                const pelt_addition* additions, uint32_t count,
                                                pelt_error* error);

/// Write the surfaces of a scene: each instance as one object (OBJ), one node (GLB), or all
/// as one mesh (PLY).
/// In a PLY file all vertices have the same columns: normals only when no surface lacks them,
/// UVs and colors (sRGB) when any mesh has them, zero and white elsewhere.
/// Numbers that are not finite are refused: see pelt_surfaces_validate().
/// @param surfaces  one per instance, positions required, strides as you like; normals where NULL
///                  are left out
PELT_API pelt_result pelt_save_surfaces(const char* path, pelt_format format,
                                        const pelt_scene* scene, const pelt_surface* surfaces,
                                        pelt_error* error);

/// A file that the caller has put together.
typedef struct pelt_file
{
    const char* path;
    const void* bytes;
    size_t size;
} pelt_file;

/// Write several files that belong together: all of them appear, or none. Each is on the disk
/// before the first takes its place, so that neither memory nor room can run out halfway. Paths
/// must differ.
PELT_API pelt_result pelt_save_files(const pelt_file* files, uint32_t count, pelt_error* error);

/// Write bytes that the caller has put together, a report for instance, with the same promise.
/// Needs no memory when the path is "-".
PELT_API pelt_result pelt_save_bytes(const char* path, const void* bytes, size_t size,
                                     pelt_error* error);

/// Remove what writers on any thread have written so far and not yet renamed: for the handler
/// of a signal that ends the program, and safe to call there. The writers must not go on.
PELT_API void pelt_save_abort(void);

/// Read joint changes from JSON, an object with one member per joint:
///
///     { "elbow": { "axis": [0, 0, 1], "degrees": 120 },
///       "hip":   { "translate": [0, -0.1, 0], "space": "model", "scale": 1.5 } }
///
/// Members: `axis` with `degrees`; `translate`, three numbers in meters; `scale`, a number or
/// three; `space`, "joint" (default) or "model". An array of such values applies them in turn.
///
/// @param out    overrides in the order of the text; free with pelt_release()
/// @param count  how many
PELT_API pelt_result pelt_overrides_parse(pelt_override** out, uint32_t* count, const char* json,
                                          const pelt_scene* scene, pelt_error* error);

#ifdef __cplusplus
}
#endif

#endif
