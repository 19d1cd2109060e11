// SPDX-License-Identifier: MIT
// Animation textures: the clips of a scene baked into one texture of integers, which shaders decode
// without help from the CPU, for crowds drawn by instancing. Link libpelt.
//
//     pelt_bake(&baked, scene, NULL, &error);            // rotations and positions, 12 bytes a key
//     pelt_bake(&baked, scene, &(pelt_bake_options){.has_budget = true, .finds_encoding = true,
//               .timing = PELT_BAKE_AUTO, .max_error = 1e-4, .is_relative = true}, &error);
//                                                        // the smallest within 0.1 mm per meter
//     pelt_baked_measure(&report, baked, scene, NULL);   // how far vertices are off, and where
//     pelt_unbake(matrices, baked, &playback);           // what a shader does, on the CPU
//     pelt_unbake_scene(&clips, NULL, baked, scene, NULL, &error); // for programs that play clips
//
// io.h writes and reads baked textures as files, gl.h has shaders that play them;
// docs/texture_format.md defines the texture bit by bit, docs/textures.md helps to choose an
// encoding.
#ifndef PELT_BAKE_H
#define PELT_BAKE_H

#include "pelt.h"

#ifdef __cplusplus
extern "C" {
#endif

// =============================================================================================
// What a bake is
//
// Every joint of every skin is one joint of the bake, skin after skin in the order of the scene;
// after them comes one joint for each instance without a skin, which follows its node, and one for
// each socket. The motion of a joint takes the bind pose to model space, as in pelt_palette. It is
// stored at keys that are evenly spaced in time, and interpolated between them. A VERTEX bake lists
// joints for their names and root motion only: what it stores is how far vertices are from where
// the mesh has them, morph targets included.

/// How motions are stored.
typedef enum pelt_encoding
{
    /// Rotation and position of each joint in model space, with as many bits for each as the reach
    /// of the joint needs, and a correction of the path to the next key. One pass, no state.
    PELT_ENCODING_QT = 0,
    /// Rotation, position and scale relative to the parent joint: fewest bytes, exact between keys,
    /// and limbs keep their length in cross-fades. Needs a pass that composes poses.
    PELT_ENCODING_LOCAL,
    PELT_ENCODING_MATRIX, ///< twelve numbers of the matrix of each joint
    PELT_ENCODING_DQ,     ///< dual quaternion of each joint, after its scale
    PELT_ENCODING_VERTEX, ///< positions and normals of vertices: no skeleton at playback
    PELT_ENCODING_COUNT
} pelt_encoding;

PELT_API const char* pelt_encoding_name(pelt_encoding encoding); ///< "qt", "local" ...

/// @return PELT_ENCODING_COUNT when there is none of that name
PELT_API pelt_encoding pelt_encoding_find(const char* name);

/// Bits that an encoding can be given, see pelt_bake_options.bits.
typedef struct pelt_encoding_bits
{
    uint32_t usual;   ///< where pelt_bake_options.bits is 0
    const char* text; ///< "64, 96 or 128"
} pelt_encoding_bits;

PELT_API pelt_encoding_bits pelt_encoding_bits_of(pelt_encoding encoding);
PELT_API bool pelt_encoding_has_bits(pelt_encoding encoding, uint32_t bits);

/// How keys are arranged in the texture.
typedef enum pelt_bake_layout
{
    /// A header, tables and keys of any number of clips, with bits where they are needed.
    PELT_BAKE_LAYOUT_MODERN = 0,
    /// That of the animation texture thesis (2021), to compare with: 8 bits for each
    /// number, one column for each key, two rows (DQ) or three (MATRIX) for each joint, or one
    /// (VERTEX) for each position and normal, relative to one box, and metadata in the first
    /// column. One clip, MATRIX, DQ and VERTEX only, RGBA8UI. Scale is left out of DQ, and jumps
    /// are smoothed.
    PELT_BAKE_LAYOUT_THESIS,
    PELT_BAKE_LAYOUT_COUNT
} pelt_bake_layout;

PELT_API const char* pelt_bake_layout_name(pelt_bake_layout layout); ///< "modern", "thesis"

/// @return PELT_BAKE_LAYOUT_COUNT when there is none of that name
PELT_API pelt_bake_layout pelt_bake_layout_find(const char* name);

/// The texel of the texture: four unsigned integers, which WebGL 2, Direct3D 11 and all later APIs
/// can fetch. The content is the same 32-bit words for each.
typedef enum pelt_texel
{
    PELT_TEXEL_AUTO = 0,
    PELT_TEXEL_RGBA32UI, ///< four words
    PELT_TEXEL_RGBA16UI, ///< two words, the lower half of each first
    PELT_TEXEL_RGBA8UI,  ///< one word, the lowest byte first
    PELT_TEXEL_COUNT
} pelt_texel;

PELT_API const char* pelt_texel_name(pelt_texel texel); ///< "auto", "rgba32ui" ...

/// Words in one texel: 4, 2 or 1.
PELT_API uint32_t pelt_texel_words(pelt_texel texel);

/// A run of keys at one rate. Runs of a clip follow each other in time; between two of them the
/// motion may jump.
typedef struct pelt_baked_run
{
    float start; ///< time of the first key, in seconds
    float rate;  ///< keys per second; 0 if there is only one
    uint32_t key_count;
    uint32_t first_word; ///< of the keys in the texture
    uint32_t key_words;  ///< from one key to the next
    uint32_t table;      ///< word that the table of the run starts at
    bool is_held;        ///< keys are held until the next, not interpolated
} pelt_baked_run;

typedef struct pelt_baked_clip
{
    const char* name;
    float duration; ///< seconds, that of the source
    bool loops;     ///< it ends as it begins
    bool wraps;     ///< after the last key comes the first, 1 / rate later: it loops in one run
    uint32_t run_count;
    const pelt_baked_run* runs;
    pelt_bounds bounds;                ///< of the surface at all times: the union of key_bounds
    uint32_t key_count;                ///< of all runs
    const pelt_bounds* key_bounds;     ///< key_count: from each key to the next, under linear
                                       ///< blending, with room for 2 % of the size; VERTEX: exact
    const pelt_transform* root_motion; ///< key_count: the root joint in model space; NULL: no root
} pelt_baked_clip;

typedef enum pelt_baked_joint_kind
{
    PELT_BAKED_SKIN_JOINT = 0,
    PELT_BAKED_INSTANCE, ///< an instance that follows its node
    PELT_BAKED_SOCKET,   ///< a node to which something can be attached
    PELT_BAKED_ANCESTOR, ///< an animated node above a skeleton, for LOCAL
} pelt_baked_joint_kind;

typedef struct pelt_baked_joint
{
    const char* name; ///< of its node
    pelt_baked_joint_kind kind;
    uint32_t parent; ///< a joint of the bake that it moves relative to, or PELT_NONE
    pelt_vec3 pivot; ///< of its rotation, in the space that its motion starts from
} pelt_baked_joint;

/// What of the bake an instance of the scene reads.
typedef struct pelt_baked_instance
{
    const char* name; ///< of its mesh
    uint32_t vertex_count;
    uint32_t first; ///< joint 0 of its skin, or the joint that it follows
    uint32_t joint_count;
    /// VERTEX: the slot of each vertex in the texture; vertices with the same motion share one.
    /// NULL otherwise.
    const uint32_t* vertex_ids;
    uint64_t digest; ///< of its rest positions: see pelt_baked_digest()
} pelt_baked_instance;

/// What a search found for one of the encodings that it compared.
typedef struct pelt_bake_candidate
{
    pelt_encoding encoding;
    bool is_met;      ///< it keeps the budget
    bool is_given_up; ///< it was not finished: by an estimate it takes more bytes than the other
    size_t bytes;     ///< of its texture; is_given_up: about; otherwise 0 unless is_met
    double max_error; ///< meters. With max_error: unless is_met what it reaches, and 0 if it fails
                      ///< for another reason. With max_bytes alone: the error that is left
} pelt_bake_candidate;

typedef struct pelt_baked
{
    pelt_encoding encoding;
    pelt_bake_layout layout;
    pelt_texel texel;
    uint32_t width, height; ///< of the texture, in texels
    const uint32_t* words;  ///< pelt_texel_words(texel) * width * height
    float unit;             ///< scale of positions, a power of two; THESIS: times 0.01
    float stretch_unit;     ///< the same of matrices and stretches; THESIS: 1
    float height_meters;    ///< of the character at rest, for errors relative to it
    uint32_t clip_count, joint_count, instance_count, vertex_count; ///< vertex_count: VERTEX only
    const pelt_baked_clip* clips;
    const pelt_baked_joint* joints;
    const uint32_t* joint_order;          ///< joint_count, parents before children
    uint32_t root;                        ///< the joint whose motion is root_motion, or PELT_NONE
    const pelt_baked_instance* instances; ///< those of the scene
    uint32_t candidate_count; ///< of options->finds_encoding; 0 otherwise, and after reading a file
    const pelt_bake_candidate* candidates; ///< the chosen one first
    pelt_arena* arena;                     ///< owns everything above, and the bake
} pelt_baked;

PELT_API void pelt_baked_destroy(pelt_baked* baked); ///< NULL is allowed

/// Bytes of the texture.
PELT_API size_t pelt_baked_bytes(const pelt_baked* baked);

/// @return index, or PELT_NONE
PELT_API uint32_t pelt_baked_find_clip(const pelt_baked* baked, const char* name);

/// The digest by which a mesh is recognized: importers may reorder or merge vertices.
PELT_API uint64_t pelt_baked_digest(const pelt_vec3* positions, uint32_t count);

// =============================================================================================
// Baking

/// Which times are sampled.
typedef enum pelt_bake_timing
{
    PELT_BAKE_KEYS = 0, ///< the source's own keys: their rate and their first
    PELT_BAKE_RATE,     ///< options->rate, from time 0
    PELT_BAKE_AUTO, ///< for has_budget, for each clip: the rate that takes the fewest bytes, from
                    ///< a twelfth of the source's to eight times as many
} pelt_bake_timing;

/// Where a bound on the error holds.
typedef enum pelt_bake_scope
{
    PELT_BAKE_EVERYWHERE = 0,
    PELT_BAKE_AT_SAMPLES,
} pelt_bake_scope;

typedef struct pelt_bake_options
{
    pelt_encoding encoding; ///< 0: QT
    /// For has_budget: find the encoding, too, instead of taking `encoding`. LOCAL and QT are
    /// compared, which the same shaders play: the one with fewer bytes is taken, or with max_bytes
    /// alone the one with the smaller error. pelt_baked.encoding and candidates say which, and why.
    bool finds_encoding;
    /// QT: bits of a key, 64, 96 or 128; LOCAL: largest number of bits of a value; MATRIX, DQ: bits
    /// of a value, 8, 16 or 32; VERTEX: bits of a coordinate, 4 to 16, where a budget may take 1 to
    /// 24. 0: 96, 16, 16, 16, 16; under PELT_BAKE_LAYOUT_THESIS 8, and there are no others.
    uint32_t bits;
    pelt_bake_layout layout;
    bool has_budget;  ///< find the fewest bits, and with PELT_BAKE_AUTO the rate, for max_error;
                      ///< with max_bytes alone, the smallest error. max_error holds at every vertex
                      ///< and, unless AT_SAMPLES, at any time
    double max_error; ///< meters, for has_budget; 0: none
    bool is_relative; ///< max_error is per meter of height: see pelt_baked.height_meters
    pelt_bake_scope scope; ///< of max_error
    size_t max_bytes;      ///< of the texture, for has_budget; 0: none

    pelt_bake_timing timing;
    float rate; ///< for PELT_BAKE_RATE, in Hz

    uint32_t clip_count; ///< 0: all that have tracks
    const uint32_t* clips;
    uint32_t socket_count;
    const uint32_t* sockets; ///< nodes that get a joint of their own; not for VERTEX

    bool has_no_correction; ///< QT: poses only, without the correction of the path between keys
    bool has_no_followers;  ///< QT: store joints that move rigidly with another, too
    bool has_no_morphs;     ///< all but VERTEX, which store joints: leave out morph targets that a
                            ///< clip animates. Otherwise such a clip is refused. max_error then
                            ///< holds for joints; pelt_baked_measure() includes what is left out
    bool has_mesh_bounds;   ///< VERTEX: one range for all vertices rather than one for each
    bool keeps_copies; ///< VERTEX: store vertices with the same motion, such as those along seams,
                       ///< one by one
    uint32_t normal_bits; ///< VERTEX: of each of two numbers of a normal, 2 to 16; 0: as many as
                          ///< of a coordinate, but at least 6 and at most 8
    pelt_deform_options deform; ///< VERTEX: how surfaces are deformed, as in pelt_frame_update();
                                ///< always by the reference, for the same bytes on every machine
    bool is_padded;             ///< THESIS: width and height are powers of two
    pelt_texel texel;           ///< AUTO: what fits the encoding
    uint32_t max_size;          ///< of the texture's width and height; 0: 4096
    /// Bytes that baking may take, by an estimate before it starts; more is refused. 0: 320 MB and
    /// 128 times the bytes of the scene's tracks and vertices, so that a small file with extreme
    /// times cannot take gigabytes. It also ends the search for a rate.
    size_t max_memory;

    /// Called with the part that is done, from 0 to 1; return false to cancel. May be NULL.
    bool (*progress)(float part, void* user);
    void* user;
} pelt_bake_options;

/// Bake clips of a scene into a texture. Runs in parallel through the `run` hook, with the same
/// bytes for any number of threads.
/// @param options  NULL: all defaults
/// @return PELT_OK; PELT_ERROR_DATA: nothing to bake, or joints that are not finite;
///         PELT_ERROR_ARGUMENT: an option out of range; PELT_ERROR_UNSUPPORTED: too large for a
///         texture or for max_memory, animated morph targets that the encoding cannot store, or a
///         budget that cannot be met, with what can be reached; PELT_ERROR_MEMORY or
///         PELT_ERROR_CANCELED
PELT_API pelt_result pelt_bake(pelt_baked** out, const pelt_scene* scene,
                               const pelt_bake_options* options, pelt_error* error);

// =============================================================================================
// Playing

/// A moment of a clip.
typedef struct pelt_moment
{
    uint32_t clip;
    float time; ///< seconds
    pelt_wrap wrap;
} pelt_moment;

/// What an instance plays; {0} is the beginning of the first clip.
typedef struct pelt_playback
{
    pelt_moment base;
    pelt_moment next;      ///< that base fades into
    float fade;            ///< 0: base only, 1: next only
    pelt_moment additive;  ///< its change since the first key of its clip is added
    float additive_weight; ///< 0: nothing is added
    bool is_spherical;     ///< MATRIX: interpolate rotations on the arc, for low rates
} pelt_playback;

/// Decode the motion of every joint, as shaders do. Cross-fades interpolate what is stored: with
/// LOCAL that is the pose, and the result is that of pelt_pose_blend().
/// @param out    baked->joint_count, from bind pose to model space; joints that no vertex and no
///               socket follows are not stored, and may be anywhere
/// @param baked  any encoding but VERTEX
PELT_API void pelt_unbake(pelt_mat34* out, const pelt_baked* baked, const pelt_playback* playback);

/// The surface of an instance out of a VERTEX bake, in model space.
/// @param out   positions and normals, of the mesh's vertices; tangents are left as they are
/// @param mesh  of the instance
PELT_API void pelt_unbake_vertices(const pelt_surface* out, const pelt_baked* baked,
                                   uint32_t instance, const pelt_mesh* mesh,
                                   const pelt_playback* playback);

/// Check what decoders rely on, after reading a bake from outside: offsets and counts inside the
/// texture, finite numbers, parents without cycles. What pelt_bake() returns is valid.
PELT_API pelt_result pelt_baked_validate(const pelt_baked* baked, pelt_error* error);

// =============================================================================================
// Back to clips

typedef struct pelt_unbake_options
{
    uint32_t clip_count;   ///< 0: all
    const uint32_t* clips; ///< of the bake
    float rate; ///< keys per second; 0: the keys of the bake, and between them as many as max_error
                ///< needs, up to 7
    double max_error;  ///< meters between vertices of clips and bake; 0: 0.1 mm per meter of height
    size_t max_memory; ///< bytes that keys or morph targets may take; more is refused; 0: 384 MB

    /// Called with the part that is done, from 0 to 1; return false to cancel. May be NULL.
    bool (*progress)(float part, void* user);
    void* user;
} pelt_unbake_options;

/// How far clips are off the bake that they were made of, at their keys and between, with linear
/// blending.
typedef struct pelt_unbake_report
{
    double max;             ///< meters
    uint32_t worst_clip;    ///< of the scene that was made
    float worst_time;       ///< seconds
    uint32_t key_count;     ///< of all clips
    uint32_t sheared_count; ///< nodes that a key shears, which clips cannot; VERTEX: 0
    uint32_t worst_sheared; ///< the node that loses most by it, or PELT_NONE
} pelt_unbake_report;

/// Convert a bake back into clips, on the skeleton that it was made of. Motions of joints become
/// rotations, translations and scales of their nodes. A bake interpolates motions, clips
/// interpolate these: keys are as dense as it takes. Jumps become two keys that are close together,
/// and keys that are held stay so. Nodes that no joint of the bake moves keep their stored pose.
///
/// A VERTEX bake becomes one morph target for each key, of meshes without a skin.
///
/// @param out      a scene of its own, with the clips of the bake only; free with
///                 pelt_scene_destroy()
/// @param report   may be NULL
/// @param scene    that was baked; its clips do not matter
/// @param options  NULL: all defaults
/// @return PELT_OK; PELT_ERROR_DATA when scene and bake do not fit; PELT_ERROR_ARGUMENT: an option
///         out of range; PELT_ERROR_UNSUPPORTED: keys or morph targets would take more than
///         max_memory; PELT_ERROR_MEMORY or PELT_ERROR_CANCELED
PELT_API pelt_result pelt_unbake_scene(pelt_scene** out, pelt_unbake_report* report,
                                       const pelt_baked* baked, const pelt_scene* scene,
                                       const pelt_unbake_options* options, pelt_error* error);

// =============================================================================================
// Measuring
//
// The bake is decoded at its keys and between them, deformed, and compared with the source, which
// is sampled exactly, morph targets included. A bake of joints has morph targets at the default
// weights of the mesh, as the mesh file of the bake does. A position that is not finite in either
// is an infinite distance.

/// Distances in meters, angles in degrees.
typedef struct pelt_bake_error
{
    double max, p99, rms; ///< over vertices and times, between keys too
    double max_at_keys;
    double normal_max, normal_mean; ///< angle between normals; 0 where a mesh has none
    uint32_t worst_instance, worst_vertex;
    uint32_t worst_joint; ///< of the bake: the strongest influence of that vertex
    float worst_time;
} pelt_bake_error;

typedef struct pelt_bake_clip_report
{
    pelt_bake_error error;
    uint32_t time_count;
    const float* times;        ///< that were compared, in seconds
    const float* errors;       ///< time_count: largest distance, meters
    const float* joint_errors; ///< baked->joint_count: largest at vertices that it influences most
    /// For each key of the clip, how far the straight line between two keys leaves the arc of a
    /// vertex, as an area relative to the sector: where samples are missing.
    const float* chord_errors;
} pelt_bake_clip_report;

typedef struct pelt_bake_report
{
    pelt_bake_error error; ///< over all clips
    uint32_t worst_clip;
    double morph_max; ///< meters that animated morph targets move vertices at most, which the bake
                      ///< leaves out and `error` includes; VERTEX: 0
    double bytes_per_joint_key; ///< of the whole texture, by nodes that are joints and keys of the
                                ///< source
    uint32_t clip_count;
    const pelt_bake_clip_report* clips;
    pelt_arena* arena;
} pelt_bake_report;

typedef struct pelt_measure_options
{
    pelt_deform_options deform; ///< both are deformed this way, by deformers unless is_exact:
                                ///< distances are then off by no more than 4e-6 of the size
    uint32_t between;           ///< times between two keys; 0: 7
    /// Vertices times moments that are compared at most. In longer bakes, moments at equal
    /// distances are used, at least two of each clip. 0: 500 million, which are some seconds.
    uint64_t max_vertices;
    bool (*progress)(float part, void* user);
    void* user;
} pelt_measure_options;

/// @param out    free with pelt_bake_report_destroy()
/// @param scene  that was baked
/// @return PELT_OK, PELT_ERROR_DATA when scene and bake do not fit, PELT_ERROR_MEMORY or
///         PELT_ERROR_CANCELED
PELT_API pelt_result pelt_baked_measure(pelt_bake_report* out, const pelt_baked* baked,
                                        const pelt_scene* scene,
                                        const pelt_measure_options* options, pelt_error* error);
PELT_API void pelt_bake_report_destroy(pelt_bake_report* report);

#ifdef __cplusplus
}
#endif

#endif
