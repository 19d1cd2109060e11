// SPDX-License-Identifier: MIT
// Files: what pelt reads and writes. Link libpelt_io; one built with PELT_READER_ONLY has the
// section Reading alone, for plain glTF and GLB.
#ifndef PELT_IO_H
#define PELT_IO_H

#include "bake.h"

#ifdef __cplusplus
extern "C" {
#endif

// =============================================================================================
// Reading

/// The format by the extension of a file name, in upper or lower case.
PELT_API pelt_format pelt_format_of(const char* path);

/// What reading one file may cost; a file that costs more is refused with a sentence. 0 in a field
/// means the default, which is proportional to the size of the file.
typedef struct pelt_load_limits
{
    /// Bytes at any one time, without the file itself. 0: 96 MB, plus 256 times the size of the
    /// file and of those it refers to.
    size_t memory;
    /// Numbers, keys and references that are processed. 0: 4 million, plus 64 for each byte.
    uint64_t elements;
    uint32_t depth;   ///< of nesting, up to 1024; 0: 256
    uint32_t seconds; ///< of CPU time, for a reader in a child process, and ten times as many of
                      ///< wall time; 0: 8, plus one for each MB
} pelt_load_limits;

/// Where assimp runs, which reads the formats that pelt does not.
typedef enum pelt_isolation
{
    /// In a child process with the limits of pelt_load_limits, so that a crash or a file made to
    /// exhaust memory does not affect the caller. The child is forked without exec: handlers of
    /// pthread_atfork() run, and a handler of SIGCHLD is called. It closes all inherited files,
    /// runs without the hooks, and never outlives the call. A lock that another thread held at that
    /// moment stays locked in it: on Linux a child that has not worked for a second is replaced by
    /// a new one, so that `files` may be asked again. The limit on memory works on Linux, without
    /// AddressSanitizer. Where the kernel has Landlock and seccomp, the child can only read files,
    /// below the folder of the source or, for the functions of `files`, anywhere: it has no network
    /// and no other processes, and writes nothing. docs/files.md has the details.
    PELT_ISOLATION_CHILD = 0,
    /// In the calling process, for programs that must not fork. Malicious files may then crash it
    /// or exhaust its memory.
    PELT_ISOLATION_NONE,
} pelt_isolation;

/// Files that do not lie on a disk: in an archive, a package or memory.
typedef struct pelt_files
{
    /// Return the bytes of a file that another file refers to. They must stay valid until `close`.
    /// Called on the calling thread, or in the child process of assimp, see pelt_isolation.
    /// @param name  relative to the file that refers to it, with '/' between folders and URI
    /// escapes
    ///              resolved; never contains ".."
    /// @return false: there is no such file
    bool (*open)(const void** bytes, size_t* size, const char* name, void* user);
    void (*close)(const void* bytes, size_t size, void* user); ///< NULL: nothing to do
    void* user;                                                ///< handed to both
} pelt_files;

/// A file in memory.
typedef struct pelt_source
{
    const char* path; ///< for messages, the extension, and the folder of files that it refers to;
                      ///< NULL: no folder, so that such files must come from `files`
    const void* bytes;
    size_t size;
    const pelt_files* files; ///< that it refers to; NULL: those below the folder of path
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

    /// Also list in scene->repairs what the format forbids although nothing had to be fixed for it.
    /// glTF only.
    bool is_checked;

    /// Called with the part that is done, from 0 to 1, on the calling thread; return false to
    /// cancel. assimp without isolation cannot be canceled. May be NULL.
    bool (*progress)(float part, void* user);
    void* user; ///< handed to progress
} pelt_load_options;

/// Load a character. The format is determined by the content, then by the extension.
///
/// A glTF primitive becomes one mesh with its vertices in their order; formats that list corners,
/// like FBX, get one vertex for equal corners. Units become meters, with Y up. What was fixed on
/// load is listed in scene->repairs. Files that the file refers to are read only from below its own
/// folder, with all links resolved.
///
/// Centers of rotation and normal factors in a glTF are used only if they fit the mesh as it is
/// now, after max_influences; otherwise they are dropped, with a repair of their own kind.
///
/// Malformed input gives a result and a sentence, whatever it is: every number of a glTF or FBX is
/// checked before use, and assimp, which reads all other formats, runs in a child process. What a
/// file may cost is limited, see pelt_load_limits.
///
/// @param out      a valid scene (see pelt_scene_validate); free with pelt_scene_destroy()
/// @param path     "-": the standard input. That and pipes are read to their end, and the format is
///                 determined by the content alone; files that the standard input refers to are
///                 looked up in the current folder
/// @param options  NULL: defaults
/// @return PELT_OK; PELT_ERROR_READ: it cannot be read; PELT_ERROR_DATA: malformed, or too costly;
///         PELT_ERROR_UNSUPPORTED, PELT_ERROR_CANCELED or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_load(pelt_scene** out, const char* path, const pelt_load_options* options,
                               pelt_error* error);

/// The same from memory: what pelt_load() does once the file has been read.
PELT_API pelt_result pelt_load_memory(pelt_scene** out, const pelt_source* source,
                                      const pelt_load_options* options, pelt_error* error);

/// As pelt_load(), and return the file itself, for pelt_save_enhanced().
/// @param source  free with pelt_source_release(); refers to path
PELT_API pelt_result pelt_load_keep(pelt_scene** out, pelt_source* source, const char* path,
                                    const pelt_load_options* options, pelt_error* error);

// =============================================================================================
// Textures of a scene
//
// pelt does not decode images: it finds them and tells their type.

/// Find the file of a texture that is not an image of the scene. A stored path is relative to the
/// folder of the source; of a path that leads elsewhere, for instance on another machine, the file
/// name is looked up in the folder of the source, in "textures" and in the media folder of an FBX,
/// if need be regardless of case. Files outside the folder of the source are never returned.
/// @param out      path of the file; free with pelt_release()
/// @param source   path that was given to pelt_load()
/// @param texture  pelt_material.texture
/// @return PELT_OK, PELT_ERROR_READ when there is none, or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_texture_path(char** out, const char* source, const char* texture,
                                       pelt_error* error);

/// The MIME type of an image by its first bytes: PNG, JPEG, WebP, KTX2, DDS or AVIF.
/// @return NULL: none of these
PELT_API const char* pelt_image_type(const void* bytes, size_t size);

// =============================================================================================
// Writing
//
// Output files appear whole or not at all: they are written to a temporary file in the folder of
// the target, ".pelt.tmp-" and 16 random digits, and renamed. Links are followed. The path "-" is
// the standard output; it, devices and pipes are written directly.

/// Write a whole scene as glTF 2.0: nodes, meshes, skins, clips, morph targets, materials. Loading
/// it gives the same scene, except for what glTF cannot express: a clip that continues after its
/// last key gets another key at its end, and one without tracks is left out. A skinned mesh is at
/// the root, on a node without a transform that no clip moves; where there is none it gets one.
/// Joints of a skin that have no common ancestor get one, too. Images of the scene are embedded;
/// other textures stay references if their paths are relative, see pelt_scene_pack().
/// @param format  PELT_FORMAT_GLB or PELT_FORMAT_GLTF
PELT_API pelt_result pelt_save_scene(const char* path, pelt_format format, const pelt_scene* scene,
                                     pelt_error* error);

/// Prepare a scene for pelt_save_scene() or pelt_save_surfaces(), so that its textures are found
/// from the folder of the new file: texture files of the source become images of the scene, which
/// are embedded. If the new file is in the folder of the source, they stay references, spelled as
/// the files are.
///
/// scene->losses then also lists what the writer cannot keep: clips without tracks, and textures
/// that are missing or not PNG, JPEG or WebP, which the materials then lack; of images of the scene
/// the names stay.
///
/// @param inout   a shallow copy of a scene; its materials, images and losses are replaced
/// @param source  path that was given to pelt_load(); NULL: images of the scene only
/// @param path    file to be written; "-" is in no folder
/// @param arena   owns what is new; must live as long as the scene is used
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_scene_pack(pelt_scene* inout, const char* source, const char* path,
                                     pelt_arena* arena, pelt_error* error);

/// Copy the user's own glTF file and add what its meshes were prepared with, see prepare.h and
/// pelt_scene_additions(). Everything else is preserved: materials, textures, clips, extensions and
/// extras, including those unknown to pelt. Doing it again replaces the data and does not grow the
/// file.
///
///     pelt_load_keep(&scene, &source, "hero.glb", NULL, &error);
///     pelt_scene_add_cors(scene, PELT_PREPARE_ALL, NULL, NULL, scene->arena, &error);
///     pelt_save_enhanced("hero.glb", &source, scene, &error);
///
/// Twist joints change the skeleton, so scenes from pelt_twist_add() need pelt_save_copy().
/// @param path    file to write, .glb or .gltf, or "-"; may be that of the source
/// @param source  a glTF file
/// @param scene   what pelt_load() made of it without max_influences, prepared
/// @return PELT_OK; PELT_ERROR_UNSUPPORTED: the scene is not from a glTF file; or as
///         pelt_save_additions()
PELT_API pelt_result pelt_save_enhanced(const char* path, const pelt_source* source,
                                        const pelt_scene* scene, pelt_error* error);

/// Copy the user's own glTF file and write what has changed in its scene: weights, normals,
/// tangents, triangles and prepared data of meshes, what pelt_load() has repaired in them, in
/// rotations of nodes and in keys, nodes and joints that were appended to their lists, as
/// pelt_twist_add() does, and clips: those that are still there stay with all that the file says of
/// them, under their new names; others are written or left out. Everything else is preserved, as by
/// pelt_save_enhanced(). Data that were replaced leave the file, unless an extension that pelt does
/// not know may use them. A file in which nothing changes or was repaired on reading, and which
/// need not become another container, is copied byte by byte.
///
/// A GLB file holds everything that the source refers to; a .gltf does so unless it goes to the
/// folder of the source. Images that cannot be read stay references.
///
///     pelt_load_keep(&scene, &source, "hero.glb", NULL, &error);
///     pelt_scene better = *scene;
///     pelt_scene_fix(&better, arena);
///     pelt_save_copy("fixed.glb", PELT_FORMAT_GLB, &source, scene, &better, &error);
///
/// @param path    file to write, or "-"; may be that of the source
/// @param format  PELT_FORMAT_GLB or PELT_FORMAT_GLTF
/// @param source  a glTF file
/// @param read    what pelt_load() made of it
/// @param scene   the same, or a copy with as many meshes, which may have other arrays; arrays that
///                equal those of `read` are not written. Positions, UVs, colors and morph targets
///                have to be those of `read`, and nodes and joints have to start with those of
///                `read`
/// @return PELT_OK; PELT_ERROR_UNSUPPORTED: the scene is not from a glTF file; or as
///         pelt_save_additions()
PELT_API pelt_result pelt_save_copy(const char* path, pelt_format format, const pelt_source* source,
                                    const pelt_scene* read, const pelt_scene* scene,
                                    pelt_error* error);

/// pelt_save_scene() and pelt_save_copy() into memory, as a GLB file.
/// @param out  free with pelt_source_release(); has no path
PELT_API pelt_result pelt_scene_to_glb(pelt_source* out, const pelt_scene* scene,
                                       pelt_error* error);
PELT_API pelt_result pelt_copy_to_glb(pelt_source* out, const pelt_source* source,
                                      const pelt_scene* read, const pelt_scene* scene,
                                      pelt_error* error);

/// How a file is made smaller.
typedef struct pelt_pack_options
{
    /// KHR_mesh_quantization. Positions are integers of 16 bits on a grid that the meshes of a skin
    /// share, and inverse bind matrices lead back from it. Weights, UVs between -1 and 1 and keys
    /// of rotations have 16 bits, normals and tangents 8. Meshes that are also shown without a skin
    /// keep their positions.
    bool is_quantized;
    /// EXT_meshopt_compression of everything but images. Loses nothing; triangles may begin with
    /// another of their corners.
    bool is_compressed;
} pelt_pack_options;

typedef struct pelt_pack_report
{
    size_t bytes_before, bytes;
    uint32_t mesh_count;     ///< whose positions were quantized
    uint32_t unpacked_count; ///< whose positions were not
    bool has_prepared;       ///< centers, factors or boxes were computed again
} pelt_pack_report;

/// Make a GLB file smaller. Everything else stays. Centers of rotation, normal factors and boxes
/// are computed again for the quantized meshes; mix factors stay.
/// @param out     free with pelt_source_release(); has no path
/// @param source  a GLB file, with all buffers inside
/// @param report  may be NULL
/// @return PELT_OK, PELT_ERROR_MEMORY, PELT_ERROR_DATA or PELT_ERROR_UNSUPPORTED for a file that
///         cannot be read or is compressed
PELT_API pelt_result pelt_pack_glb(pelt_source* out, const pelt_source* source,
                                   const pelt_pack_options* options, pelt_pack_report* report,
                                   pelt_error* error);

/// The type of integer attributes; normalized ones are fractions, as in glTF.
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

/// Data to add to a mesh: a vertex attribute, extras, or both. A name without values removes the
/// attribute; a name that ends in '*' removes all that begin with it, except those that are added.
///
/// With `_PELT_COR` add the extras {"pelt_cor": {"digest": "0123456789abcdef"}} with the
/// pelt_cor_digest() of the mesh in 16 hexadecimal digits, so that pelt_load() can tell when they
/// no longer fit.
typedef struct pelt_addition
{
    uint32_t mesh;         ///< of the scene that pelt_load() made of the same file
    uint32_t vertex_count; ///< of that mesh; a file that has changed since is refused
    const char* name;      ///< of the attribute; begins with '_', as glTF asks, or is a UV set
                           ///< ("TEXCOORD_2"); NULL: none
    uint32_t width;        ///< numbers per vertex, 1 to 4
    const float* values;   ///< width * vertex_count; what is not finite is refused
    const void* integers;  ///< the same, of whole numbers, instead of values; those of a vertex
                           ///< are a multiple of four bytes
    pelt_integer_type integer_type;
    /// JSON object that is merged into the extras of the primitive; members that are null are
    /// removed. NULL: none. Ignored if the extras of the file are not an object.
    const char* extras;
} pelt_addition;

/// Normal factors as vertex attributes for pelt_save_additions(), which pelt_load() reads;
/// docs/files.md describes them. Quantized factors become integers.
/// @param out    additions of the mesh; the first has the extras, with the digest, and the last
///               removes all other attributes of the kind
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
/// that a mesh lacks are removed from the file, where they may be stale.
/// @param out    refers to the scene
/// @param arena  owns the arrays
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_scene_additions(pelt_addition** out, uint32_t* count,
                                          const pelt_scene* scene, pelt_arena* arena);

/// Copy a glTF file and add vertex attributes and extras to its primitives, or replace them.
/// Everything else is preserved, as by pelt_save_enhanced().
/// @param path    file to write, .glb or .gltf; may be the source itself
/// @param source  file that was read
PELT_API pelt_result pelt_save_additions(const char* path, const char* source,
                                         const pelt_addition* additions, uint32_t count,
                                         pelt_error* error);

/// The same from memory.
PELT_API pelt_result pelt_save_source_additions(const char* path, const pelt_source* source,
                                                const pelt_addition* additions, uint32_t count,
                                                pelt_error* error);

/// Write deformed surfaces of a scene: each instance as one object (OBJ) or node (GLB), or all as
/// one mesh (PLY). In a PLY file all vertices have the same properties: normals if no surface lacks
/// them, UVs and colors (sRGB) if any mesh has them, zero and white elsewhere. Numbers that are not
/// finite are refused: see pelt_surfaces_validate().
/// @param surfaces  one per instance, with positions, and with any strides
PELT_API pelt_result pelt_save_surfaces(const char* path, pelt_format format,
                                        const pelt_scene* scene, const pelt_surface* surfaces,
                                        pelt_error* error);

/// The content of a file to be written.
typedef struct pelt_file
{
    const char* path;
    const void* bytes;
    size_t size;
} pelt_file;

/// Write several files. All are on the disk before the first is renamed, so that running out of
/// memory or space changes nothing. Then they are renamed in the order of the list, one after the
/// other, since no system renames several files at once: each appears whole, but a process that is
/// killed meanwhile leaves the first of the new files with the last of the old ones. Put a file
/// that refers to others last. Other calls that write to the same folder wait, in other processes
/// too, so that their files do not mix with these (".pelt.lock"). Paths must differ. For bakes
/// there is pelt_save_baked(), which is safe at any time.
PELT_API pelt_result pelt_save_files(const pelt_file* files, uint32_t count, pelt_error* error);

/// Write one file, whole or not at all. Allocates nothing if the path is "-".
PELT_API pelt_result pelt_save_bytes(const char* path, const void* bytes, size_t size,
                                     pelt_error* error);

/// Remove the temporary files of writers on all threads, which must not continue. For handlers of
/// signals that end the program: async-signal-safe. The libraries install no handlers themselves.
PELT_API void pelt_save_abort(void);

// =============================================================================================
// Animation textures
//
// What pelt_bake() makes, as files of one name in one folder:
// the texture, hero.ktx2; what programs on the CPU need to know about it, hero.json; and the mesh
// that it moves, hero.glb. docs/baked.schema.json describes the JSON file.

/// The file of a texture. Each holds the same words; see docs/texture_format.md.
typedef enum pelt_texture_format
{
    PELT_TEXTURE_KTX2 = 0, ///< for Vulkan, OpenGL and WebGPU: uploaded as it is
    PELT_TEXTURE_PNG,      ///< of 8 or 16 bits; RGBA32UI as RGBA16UI of twice the width
    PELT_TEXTURE_EXR,      ///< the channels of the texel, of 32 bits each
    PELT_TEXTURE_DDS,      ///< for Direct3D: uploaded as it is
    PELT_TEXTURE_RAW,      ///< words alone, little-endian
    PELT_TEXTURE_FORMAT_COUNT
} pelt_texture_format;

/// "ktx2", "png" ..., which is also the extension of the file.
PELT_API const char* pelt_texture_format_name(pelt_texture_format format);

/// @return PELT_TEXTURE_FORMAT_COUNT when there is none of that name
PELT_API pelt_texture_format pelt_texture_format_find(const char* name);

/// The vertex attribute of a VERTEX bake's mesh with pelt_baked_instance.vertex_ids, as floats:
/// glTF has no attributes of 32-bit integers.
#define PELT_VERTEX_ID_ATTRIBUTE "_PELT_VERTEX_ID"

typedef struct pelt_save_baked_options
{
    pelt_texture_format format;
    /// The scene that was baked: its meshes are written as a GLB file. With VERTEX, which needs it,
    /// each instance is a mesh of its own without a skin, at rest; otherwise the file has the whole
    /// scene but for its clips. Also adds to the JSON file which part of the surface each joint
    /// moves. NULL: neither.
    const pelt_scene* scene;
    /// The file that the scene was loaded from. If it is glTF, the GLB file is a copy of it with
    /// everything that it has, such as textures, cameras, extras and extensions, except for clips
    /// that were baked and data that only these used. With VERTEX its nodes stay, but carry no
    /// meshes and play no clips. NULL, or another format: the GLB file has what the scene has.
    const pelt_source* source;
    /// VERTEX: also write the textures of OpenVAT 1.1, for its importers: hero_vat.png with
    /// positions and normals of 16 bits, hero-remap_info.json, and TEXCOORD_1 in the GLB file.
    /// Clips are sampled at whole rates.
    bool has_openvat;
    /// One more file to write with the others, such as a plot; NULL: none.
    const pelt_file* companion;
} pelt_save_baked_options;

/// Write a bake. It appears as a whole or not at all: the JSON file names a texture and a mesh of
/// one bake at any time, also if the process is killed, and if several write to one path at once,
/// where the last one stays. A bake that replaces another has names such as
/// hero-0123456789abcdef.ktx2 for an instant; if the process is killed then, it keeps them until it
/// is replaced, so read names from the JSON file. This does not extend to the companion and to the
/// files of OpenVAT, each of which is whole by itself.
/// @param path     of the JSON file, which ends in ".json"; the texture and the mesh get the same
///                 name, with their own extensions
/// @param baked    valid: see pelt_baked_validate()
/// @param options  NULL: defaults
/// @return PELT_OK; PELT_ERROR_ARGUMENT: another extension, a VERTEX bake without its scene, or
///         OpenVAT without VERTEX;
///         PELT_ERROR_DATA: baked or scene is not valid, or they do not fit;
///         PELT_ERROR_UNSUPPORTED: too large for the file format; PELT_ERROR_WRITE or
///         PELT_ERROR_MEMORY
PELT_API pelt_result pelt_save_baked(const char* path, const pelt_baked* baked,
                                     const pelt_save_baked_options* options, pelt_error* error);

/// Read a bake: the JSON file, the texture and, with VERTEX, the mesh that it names. What the
/// texture says itself is compared with the JSON file, and words with their digest: files that do
/// not belong together are refused. Nothing in them is trusted, as with pelt_load().
/// @param out      valid; free with pelt_baked_destroy()
/// @param path     of the JSON file, or "-", the standard input
/// @param options  for limits and progress; NULL: defaults
/// @return as pelt_load()
PELT_API pelt_result pelt_load_baked(pelt_baked** out, const char* path,
                                     const pelt_load_options* options, pelt_error* error);

/// The same from memory.
PELT_API pelt_result pelt_load_baked_memory(pelt_baked** out, const pelt_source* source,
                                            const pelt_load_options* options, pelt_error* error);

/// Find the mesh of a bake, for pelt_load(): the GLB file that the JSON file names, which lies in
/// its folder or below.
/// @param out   path of the file; free with pelt_release()
/// @param path  of the JSON file
/// @return PELT_OK; PELT_ERROR_DATA: not a bake, or it names no mesh; PELT_ERROR_READ or
///         PELT_ERROR_MEMORY
PELT_API pelt_result pelt_baked_mesh_path(char** out, const char* path, pelt_error* error);

// =============================================================================================
// Poses

/// Parse joint changes from JSON, an object with one member per joint:
///
///     { "elbow": { "axis": [0, 0, 1], "degrees": 120 },
///       "hip":   { "translate": [0, -0.1, 0], "space": "model", "scale": 1.5 } }
///
/// Members: `axis` with `degrees`; `translate`, three numbers in meters; `scale`, a number or
/// three; `space`, "joint" (default) or "model". An array applies several changes one after the
/// other.
///
/// @param out    overrides in the order of the text; free with pelt_release()
/// @param count  how many
PELT_API pelt_result pelt_overrides_parse(pelt_override** out, uint32_t* count, const char* json,
                                          const pelt_scene* scene, pelt_error* error);

#ifdef __cplusplus
}
#endif

#endif
