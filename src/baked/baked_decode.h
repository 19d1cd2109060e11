// SPDX-License-Identifier: MIT
// Decodes the motion of one joint between two keys.
#ifndef PELTI_BAKED_DECODE_H
#define PELTI_BAKED_DECODE_H

#include "baked_texels.h"

/// The motion of a joint relative to its parent, in the representation of its encoding.
typedef struct pelti_motion
{
    pelt_quat rotation;
    pelt_vec3 position; ///< of the pivot
    float stretch[6];   ///< xx yy zz yz zx xy
    pelt_mat3 linear;   ///< matrices
    pelt_dquat dual;    ///< dual quaternions
} pelti_motion;

/// Two keys of a run and the table that describes them, in a texture or while it is encoded.
typedef struct pelti_key_pair
{
    pelt_encoding encoding;
    const uint32_t* table;
    const uint32_t *key, *next;
    float u;    ///< from key to next
    float unit; ///< of positions
    float stretch_unit;
    bool is_spherical;
    uint32_t row_words; ///< THESIS: from one row of the texture to the next; else 0
} pelti_key_pair;

pelti_motion pelti_motion_decode(const pelti_key_pair* pair, uint32_t joint, pelt_vec3 pivot);
pelt_mat34 pelti_motion_matrix(const pelti_motion* motion, pelt_encoding encoding, pelt_vec3 pivot);

/// The two keys of a run before and after a moment of its clip, and the fraction between them.
typedef struct pelti_key_time
{
    const pelt_baked_run* run;
    uint32_t key, next;
    float u;
} pelti_key_time;

pelti_key_time pelti_clip_at(const pelt_baked_clip* clip, float time, pelt_wrap wrap);

/// @param baked  any encoding but VERTEX
pelti_key_pair pelti_key_pair_of(const pelt_baked* baked, const pelti_key_time* at,
                                 bool is_spherical);

/// Whether the instances of a scene are those that were baked.
/// @return PELT_OK or PELT_ERROR_DATA
pelt_result pelti_baked_match(const pelt_baked* baked, const pelt_scene* scene, pelt_error* error);

// =============================================================================================
// The layout of the animation texture thesis (2021)

enum
{
    PELTI_THESIS_HEAD_ROWS = 2, ///< of metadata, above the joints
    PELTI_THESIS_FRAMES_MAX = 0xFFFF,
    PELTI_THESIS_JOINTS_MAX = 0x3FFF,
    PELTI_THESIS_VERTICES_MAX = 0xFFFFFF,
    PELTI_THESIS_FIRST_KEY = 1, ///< column after the metadata, and word
    PELTI_THESIS_FIRST_PIVOT = 2,
    PELTI_THESIS_PIVOT_STEP = 2,   ///< units, so that pivots reach as far as centers
    PELTI_THESIS_STRETCH_MAX = 31, ///< largest exponent
    PELTI_THESIS_BOX_ROWS = 7,     ///< of vertices: their number, then center and bounds
};

/// Bit of the word of the number of vertices.
#define PELTI_THESIS_NORMALS (UINT32_C(1) << 31)

/// Bits of word 0 besides the number of keys.
#define PELTI_THESIS_WRAPS (UINT32_C(1) << 30)
#define PELTI_THESIS_PADDED (UINT32_C(1) << 31)

/// Rows of a joint: 3 for matrices, 2 for dual quaternions.
uint32_t pelti_thesis_rows(pelt_encoding encoding);

/// Rows of vertices: one for the position of each, and one for its normal.
uint32_t pelti_thesis_vertex_rows(uint32_t vertex_count, bool has_normals);

/// Width or height of a texture that holds so many columns or rows.
uint64_t pelti_thesis_extent(uint64_t count, bool is_padded);

/// Columns of a texture that is not padded: metadata, keys, and pivots where the two rows above the
/// keys have no room for them.
uint64_t pelti_thesis_columns(uint32_t key_count, uint32_t joint_count);

/// What tells where pivots are.
typedef struct pelti_thesis_size
{
    uint32_t key_count, joint_count;
    uint32_t width; ///< of the texture
    pelt_encoding encoding;
} pelti_thesis_size;

/// Index of the word of a joint's pivot and stretch.
size_t pelti_thesis_pivot_index(uint32_t joint, const pelti_thesis_size* size);

/// The word of a joint's pivot and stretch.
/// @param words  of the texture
uint32_t pelti_thesis_pivot_word(const uint32_t* words, uint32_t joint, uint32_t width,
                                 pelt_encoding encoding);
pelt_vec3 pelti_thesis_pivot(uint32_t word, float unit);

/// Bounds of the position of a joint, or of its dual part, in meters.
typedef struct pelti_thesis_box
{
    float center[4], bounds[4];
    float stretch; ///< the value of 127 steps in the linear part of a matrix
} pelti_thesis_box;

pelti_thesis_box pelti_thesis_read_box(const pelti_key_pair* pair, uint32_t joint);

/// Row and channel of a number of a motion.
typedef struct pelti_thesis_channel
{
    uint32_t row; ///< of those of the joint
    uint32_t channel;
    uint32_t axis; ///< of the box, or PELT_NONE: a rotation
} pelti_thesis_channel;

pelti_thesis_channel pelti_thesis_channel_of(uint32_t value, pelt_encoding encoding);

/// The numbers of a motion at a key: twelve of a matrix, the linear part by rows and the position,
/// or eight of a dual quaternion, real part and dual part.
void pelti_thesis_read(float out[12], const uint32_t* key, const pelti_key_pair* pair,
                       uint32_t joint, const pelti_thesis_box* box);

#endif
