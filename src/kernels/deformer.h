// SPDX-License-Identifier: MIT
// Blocks of vertices that share joints, and kernels that move a block.
#ifndef PELTI_DEFORMER_H
#define PELTI_DEFORMER_H

#include "../../include/pelt/deformer.h"
#include "../../include/pelt/prepare.h"

#include "../base/wide.h"

enum
{
    PELTI_BLOCK = PELT_DEFORMER_BLOCK,
    PELTI_BLOCK_JOINTS_MAX = 48, ///< with more the reference is faster
    PELTI_LINE = 64, ///< bytes of a cache line, and of the widest load, which then takes but one
    PELTI_LARGE_SURFACE = 32 << 20, ///< bytes that no cache holds until they are read
    PELTI_MIDDLE_SURFACE = 1 << 20, ///< larger than any second-level cache, with its inputs
};

/// Vertices that are moved together. Their rest attributes are planes of PELTI_BLOCK floats; the
/// last block repeats its last vertex.
typedef struct pelti_block
{
    uint32_t first_joint; ///< in the lists of pelt_deformer, which have a plane of weights for each
    uint8_t joint_count;  ///< more than PELTI_BLOCK_JOINTS_MAX: not listed, the reference does it
    uint8_t vertex_count;
    uint16_t run_length; ///< blocks from this one on that have the same list, with itself
} pelti_block;

/// The joints around the vertices of a block, whose weights change there, as pelt_normal_factors
/// has them. Rows of planes follow each other: see pelti_factor_rows_of().
#define PELTI_SMALL_ANGLE 1e-4f ///< a tenth of what normals may be off by, in radians

typedef struct pelti_factor_block
{
    uint32_t first_joint; ///< in a list like that of pelti_block; the first has no planes, because
                          ///< everything is relative to it
    uint32_t first_plane;
    uint16_t run_length; ///< as in pelti_block
    uint8_t joint_count; ///< 0: weights are constant, and there are but three planes, the normals
                         ///< of the vertices' triangles; more than PELTI_BLOCK_JOINTS_MAX: none
    /// For vertices without the plane of their triangles, see pelti_has_plane_normal(), some
    bool needs_plane_normals; ///< would need it where joints stretch
    bool has_skewed_tangents; ///< have tangents that are not across their normals
} pelti_factor_block;

/// Rows of planes of a pelti_factor_block.
typedef struct pelti_factor_rows
{
    float* axes[2];    ///< three planes each; the second is perpendicular to the normal
    float* normal_x;   ///< of the normal, along the first
    float* normal_z;   ///< along the normal of their plane
    float* center;     ///< three; NULL where there are no centers, as the next
    float* centers[2]; ///< three each: its derivatives
    float* weights;    ///< a plane for each joint but the first, as in those that follow
    float* slopes[2];  ///< of the weight, along the axes
    float* changes[2]; ///< three: what the joint moves as its weight changes, which is axes times
                       ///< moments without the weight, and the slope times the vertex, seen from
                       ///< its center if it has one
} pelti_factor_rows;

typedef enum pelti_attribute
{
    PELTI_POSITIONS,
    PELTI_NORMALS,
    PELTI_TANGENTS,
    PELTI_ATTRIBUTE_COUNT
} pelti_attribute;

/// Three planes for an attribute of a block: what a morph target adds to it. PELT_NONE, before the
/// first target of a direction, is the direction of the source, which need not be of unit length.
typedef struct pelti_block_morph
{
    uint32_t target;
    pelti_attribute attribute;
} pelti_block_morph;

struct pelt_deformer
{
    pelt_deformer_source source;
    pelt_deformer_options options;
    uint32_t block_count;
    size_t bytes;
    pelti_block* blocks;
    uint32_t* order;                   ///< vertex of each slot
    uint32_t* slots;                   ///< the inverse
    uint16_t* joints;                  ///< lists of all blocks
    float* weights;                    ///< or
    uint16_t* weights_u16;             ///< 65535 is one
    float* positions;                  ///< [block][3][PELTI_BLOCK]
    float* normals;                    ///< unit; or NULL
    float* tangents;                   ///< [block][4][PELTI_BLOCK], unit; or NULL
    float* cors;                       ///< or NULL
    float* mix_factors;                ///< [block][PELTI_BLOCK], or NULL
    pelti_factor_block* factor_blocks; ///< or NULL: only standard normals
    uint16_t* factor_joints;
    float* factor_planes;
    size_t*
        first_morphs; ///< block_count + 1 offsets into morph targets; or NULL: there are no targets
    pelti_block_morph* block_morphs;
    float* morph_planes; ///< [target][3][PELTI_BLOCK]
    pelt_arena* arena;   ///< owns all of these, and the deformer
};

/// What the joints of a palette do.
typedef enum pelti_joints_kind
{
    PELTI_JOINTS_RIGID,
    PELTI_JOINTS_UNIFORM, ///< rigid but for one scale of all of them
    PELTI_JOINTS_STRETCHED,
    PELTI_JOINTS_KIND_COUNT
} pelti_joints_kind;

/// A deformer in a pose, and where kernels write.
typedef struct pelti_kernel_args
{
    const pelt_deformer* deformer;
    const pelt_palette* palette;
    const pelt_deform_options* options;
    bool has_normals, has_tangents; ///< there, and wanted
    bool finds_signs; ///< of quaternions, for each block; false: those of the palette are used
    pelti_joints_kind kind;
    float scale; ///< 1; of PELTI_JOINTS_UNIFORM, by which each joint scales

    /// Packed vectors of three and of four numbers, PELTI_BLOCK for each block from the first of a
    /// range on.
    float *positions, *normals, *tangents;
    bool is_streamed; ///< written past the caches; each block of it begins with a cache line
} pelti_kernel_args;

/// Move blocks, one after the other.
/// @return how many; fewer than blocks.count: the next one needs the reference
typedef uint32_t (*pelti_block_mover)(const pelti_kernel_args* run, pelt_range blocks);

enum
{
    PELTI_MORPHED_PLANES_MAX = 17 + 9 * 11 ///< accurate normals with twelve joints around a block
};

/// A block at rest with morph targets added, as a deformer that has no other block.
typedef struct pelti_morphed_block
{
    pelt_deformer deformer;
    pelti_factor_block factor_block;
    _Alignas(PELTI_LINE) float positions[3 * PELTI_BLOCK];
    _Alignas(PELTI_LINE) float normals[3 * PELTI_BLOCK];
    _Alignas(PELTI_LINE) float tangents[4 * PELTI_BLOCK];
    _Alignas(PELTI_LINE) float factor_planes[PELTI_MORPHED_PLANES_MAX * PELTI_BLOCK];
} pelti_morphed_block;

/// @param is_accurate  with the data of accurate normals
typedef void (*pelti_block_morpher)(pelti_morphed_block* out, const pelt_deformer* deformer,
                                    const float* morph_weights, uint32_t block, bool is_accurate);

typedef struct pelti_block_kernels
{
    pelti_isa isa; ///< that they are compiled for
    pelti_block_mover move[PELTI_JOINTS_KIND_COUNT][PELT_METHOD_COUNT];          ///< NULL: none
    pelti_block_mover move_accurate[PELTI_JOINTS_KIND_COUNT][PELT_METHOD_COUNT]; ///< normals
    pelti_block_morpher morph;
    bool always_streams; ///< in tests: surfaces of any size are streamed
} pelti_block_kernels;

/// Signs of quaternions and handedness of the joints of a block.
typedef struct pelti_block_signs
{
    float handedness;                 ///< -1 where all joints mirror
    float of[PELTI_BLOCK_JOINTS_MAX]; ///< of quaternions
} pelti_block_signs;

/// Signs that all vertices of a block have in common; false: there are none.
bool pelti_block_signs_find(pelti_block_signs* out, const pelti_kernel_args* run,
                            const uint16_t* joints, uint32_t joint_count);

const pelti_block_kernels* pelti_block_kernels_base(void);
const pelti_block_kernels* pelti_block_kernels_avx2(void);
const pelti_block_kernels* pelti_block_kernels_avx512(void);

/// Lanes behind the last vertex of a block repeat it.
PELTI_INLINE uint32_t pelti_vertex_at(const pelt_deformer* deformer, uint32_t block, uint32_t lane)
{
    uint32_t last = deformer->blocks[block].vertex_count - 1u;
    return deformer->order[block * PELTI_BLOCK + (lane < last ? lane : last)];
}

/// Whether accurate normals store the plane of a vertex's triangles: where weights change around
/// it, and in a block of constant weights where the vertex has several joints, which may bend its
/// neighborhood by stretching.
PELTI_INLINE bool pelti_has_plane_normal(const pelt_deformer_source* source, uint32_t v,
                                         bool is_constant)
{
    const uint32_t* first = is_constant ? source->weights->first : source->normal_factors->first;
    return first[v + 1] - first[v] > (is_constant ? 1u : 0u);
}

/// From the normal to that plane.
PELTI_INLINE pelt_vec2 pelti_plane_normal_at(const pelt_deformer_source* source, uint32_t v,
                                             bool is_constant)
{
    return pelti_has_plane_normal(source, v, is_constant) ? source->normal_factors->plane_normals[v]
                                                          : (pelt_vec2){0.0f, 0.0f};
}

PELTI_INLINE bool pelti_block_morph_is_used(const pelti_block_morph* morph,
                                            const float* morph_weights)
{
    return morph->target != PELT_NONE && morph_weights[morph->target] != 0.0f;
}

/// A vector of three planes.
PELTI_INLINE void pelti_put3(float* planes, uint32_t lane, pelt_vec3 value)
{
    planes[lane] = value.x;
    planes[PELTI_BLOCK + lane] = value.y;
    planes[2 * PELTI_BLOCK + lane] = value.z;
}

PELTI_INLINE pelt_vec3 pelti_get3(const float* planes, uint32_t lane)
{
    return pelt_vec3_make(planes[lane], planes[PELTI_BLOCK + lane], planes[2 * PELTI_BLOCK + lane]);
}

/// The joints of a block's vertices, in ascending order.
typedef struct pelti_joint_list
{
    uint16_t joints[PELTI_BLOCK_JOINTS_MAX];
    uint32_t count; ///< more than PELTI_BLOCK_JOINTS_MAX: too many
} pelti_joint_list;

/// The slot of a joint in a list, or count.
static inline uint32_t pelti_joint_find(const uint16_t* joints, uint32_t count, uint16_t joint)
{
    uint32_t at = 0;
    while (at < count && joints[at] != joint)
    {
        ++at;
    }
    return at;
}

static inline void pelti_joint_list_add(pelti_joint_list* inout, uint16_t joint)
{
    uint32_t at = 0;
    while (at < inout->count && at < PELTI_BLOCK_JOINTS_MAX && inout->joints[at] < joint)
    {
        ++at;
    }
    if (inout->count > PELTI_BLOCK_JOINTS_MAX || (at < inout->count && inout->joints[at] == joint))
    {
        return;
    }
    if (inout->count < PELTI_BLOCK_JOINTS_MAX)
    {
        memmove(inout->joints + at + 1, inout->joints + at,
                (inout->count - at) * sizeof *inout->joints);
        inout->joints[at] = joint;
    }
    ++inout->count;
}

/// Whether two lists of joints are the same.
static inline bool pelti_joints_are_equal(const uint16_t* a, uint32_t a_count, const uint16_t* b,
                                          uint32_t b_count)
{
    return a_count == b_count && a_count <= PELTI_BLOCK_JOINTS_MAX &&
           memcmp(a, b, a_count * sizeof *a) == 0;
}

/// One more than the count of the next block, or 1.
static inline uint16_t pelti_run_length(bool is_equal, uint16_t next)
{
    return (uint16_t)(is_equal && next < UINT16_MAX ? next + 1 : 1);
}

static inline uint32_t pelti_factor_plane_count(uint32_t joint_count, bool has_centers)
{
    return joint_count == 0 ? 3u : (has_centers ? 17u : 8u) + 9 * (joint_count - 1);
}

/// @param planes  the first of a block
PELTI_INLINE pelti_factor_rows pelti_factor_rows_of(float* planes, uint32_t joint_count,
                                                    bool has_centers)
{
    const size_t three = 3 * PELTI_BLOCK, row = (joint_count - 1) * PELTI_BLOCK;
    float *centers = planes + 2 * three + 2 * PELTI_BLOCK,
          *each = centers + (has_centers ? 3 * three : 0);
    return (pelti_factor_rows){
        .axes = {planes, planes + three},
        .normal_x = planes + 2 * three,
        .normal_z = planes + 2 * three + PELTI_BLOCK,
        .center = has_centers ? centers : NULL,
        .centers = {has_centers ? centers + three : NULL, has_centers ? centers + 2 * three : NULL},
        .weights = each,
        .slopes = {each + row, each + 2 * row},
        .changes = {each + 3 * row, each + 6 * row},
    };
}

/// Zeroed memory of a deformer, from the start of a cache line on; NULL: none left.
void* pelti_deformer_take(pelt_deformer* deformer, size_t count, size_t size);

/// Prepare what accurate normals need, where the source has factors. False: out of memory.
bool pelti_deformer_add_factors(pelt_deformer* deformer);

/// NULL: not on this machine.
const pelti_block_kernels* pelti_block_kernels_for(pelti_isa isa);

/// As pelt_deformer_run_morphed(), by some kernels.
void pelti_deformer_run_morphed(const pelt_deformer* deformer, const pelti_block_kernels* kernels,
                                const pelt_surface* out, const pelt_palette* palette,
                                const pelt_deform_options* options, const float* morph_weights,
                                pelt_range blocks);

/// As pelt_deformer_run(), by some kernels.
void pelti_deformer_run(const pelt_deformer* deformer, const pelti_block_kernels* kernels,
                        const pelt_surface* out, const pelt_palette* palette,
                        const pelt_deform_options* options, pelt_range blocks);

/// Whether some kernel supports this, so that not every vertex needs the reference.
bool pelti_deformer_covers(const pelt_deformer* deformer, const pelt_surface* out,
                           const pelt_palette* palette, const pelt_deform_options* options);

#endif
