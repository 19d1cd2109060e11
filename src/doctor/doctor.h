// SPDX-License-Identifier: MIT
// What the parts of a diagnosis share: the list of findings, and which skin deforms which mesh.
#ifndef PELTI_DOCTOR_H
#define PELTI_DOCTOR_H

#include "../../include/pelt/doctor.h"

typedef struct pelti_finding_list
{
    pelt_finding* items;
    uint32_t count, capacity;
} pelti_finding_list;

typedef struct pelti_doctor
{
    const pelt_scene* scene;
    pelt_diagnose_options options; ///< without zeros
    pelt_arena* arena;             ///< of the findings
    pelt_arena* scratch;
    pelti_finding_list list;
    float size;      ///< diagonal of the character at rest, in meters
    uint32_t* skins; ///< of each mesh: that of its first skinned instance, or PELT_NONE
    bool** is_used;  ///< for each skin, its joints that have weights
    bool* is_needed; ///< for each node: it moves something visible
    pelt_pose pose;
    pelt_mat34* model_from_node;
    pelt_palette* palettes; ///< one per skin
    bool has_failed;        ///< out of memory
} pelti_doctor;

/// Fill the palettes for a moment of a clip, or for the stored pose.
void pelti_doctor_pose(pelti_doctor* d, uint32_t clip, float time);

/// The position of a vertex by linear blending of its strongest influences alone, with normalized
/// weights. A vertex without influences does not move.
/// @param limit  influences; PELT_NONE: all
pelt_vec3 pelti_vertex_blend(const pelt_mesh* mesh, uint32_t vertex, uint32_t limit,
                             const pelt_mat34* matrices);

/// A finding without a location.
pelt_finding pelti_finding_make(pelt_finding_kind kind, pelt_severity severity);

/// Add a finding with its sentence. Failures are remembered.
void pelti_finding_add(pelti_doctor* d, const pelt_finding* finding, const char* format, ...)
    PELT_PRINTF(3, 4);

/// Names for sentences: never NULL, and never longer than a sentence allows.
#define PELTI_NAME "\"%.60s\""
const char* pelti_mesh_name(const pelti_doctor* d, uint32_t mesh);
const char* pelti_node_name(const pelti_doctor* d, uint32_t node);
const char* pelti_clip_name(const pelti_doctor* d, uint32_t clip);

/// The word that goes with a count.
const char* pelti_word(uint32_t count, const char* one, const char* many);

/// Meters as the millimeters of a finding.
double pelti_millimeters(float meters);

/// Three significant digits, and all digits before the decimal point.
typedef struct pelti_digits
{
    char text[32];
} pelti_digits;

pelti_digits pelti_number(double value);

/// "in clip "walk" at 0.40 s", or "in the stored pose"; short enough for a sentence.
typedef struct pelti_moment
{
    char text[112];
} pelti_moment;

pelti_moment pelti_moment_describe(const pelti_doctor* d, uint32_t clip, float time);

// ---------------------------------------------------------------------------------------------
// Checks, in the order of the kinds

/// Nodes that move something: joints with weights, nodes with meshes, and all above them.
/// @return NULL when out of memory
bool* pelti_nodes_find_needed(const pelti_doctor* d);

void pelti_check_repairs(pelti_doctor* d);
void pelti_check_weights(pelti_doctor* d); ///< unweighted vertices, unused joints
void pelti_check_binds(pelti_doctor* d);
void pelti_check_surfaces(pelti_doctor* d);
void pelti_check_keys(pelti_doctor* d);
void pelti_check_motion(pelti_doctor* d); ///< whatever needs poses

// ---------------------------------------------------------------------------------------------
// Skeleton

/// Whether an inverse bind matrix leaves no volume of a cube.
bool pelti_bind_is_flat(const pelt_mat34* a);

// ---------------------------------------------------------------------------------------------
// Surfaces

/// Whether the area of a triangle is zero up to the rounding of its longest edge.
bool pelti_triangle_is_degenerate(const pelt_mesh* mesh, uint32_t first_index);

/// Vertices whose normal points into every triangle around them.
/// @param out  vertex_count
/// @return false when out of memory
bool pelti_normals_find_flipped(bool* out, uint32_t* count, const pelt_mesh* mesh);

/// A hash of a position, equal for equal positions.
uint32_t pelti_position_hash(pelt_vec3 position, uint32_t seed);

/// The first vertex at the position of each vertex of a mesh.
/// @param leaders  vertex_count
/// @return false when out of memory
bool pelti_leaders_find(uint32_t* leaders, const pelt_mesh* mesh);

// ---------------------------------------------------------------------------------------------
// Seams

/// A vertex of a skinned mesh, and the first one at the same position under the same skin.
typedef struct pelti_seam
{
    uint32_t mesh, vertex;
    uint32_t first_mesh, first_vertex;
} pelti_seam;

/// Vertices with other weights than the first vertex at their position, by more than a tolerance.
/// @param skins  of each mesh, or PELT_NONE
/// @return false when out of memory
bool pelti_seams_find(pelti_seam** out, uint32_t* count, const pelt_scene* scene,
                      const uint32_t* skins, pelt_arena* arena);

/// The skin of the first skinned instance of each mesh, or PELT_NONE.
/// @return NULL when out of memory
uint32_t* pelti_mesh_skins(const pelt_scene* scene, pelt_arena* arena);

// ---------------------------------------------------------------------------------------------
// Motion

/// What pelti_doctor.palettes hold: one pose of a clip, or the stored one.
typedef struct pelti_sample
{
    uint32_t clip; ///< or PELT_NONE: at rest
    float time;
    bool is_first; ///< of its clip
} pelti_sample;

/// A check of every pose: created once, called for each sample, at the end of each clip and at the
/// end of all. NULL: nothing to do. States are in the scratch arena.
typedef struct pelti_observer
{
    void* (*create)(pelti_doctor* d);
    void (*look)(void* state, pelti_doctor* d, const pelti_sample* sample);
    void (*end_clip)(void* state, pelti_doctor* d, uint32_t clip);
    void (*end)(void* state, pelti_doctor* d);
} pelti_observer;

extern const pelti_observer pelti_observe_influences, pelti_observe_seams, pelti_observe_signs,
    pelti_observe_flips, pelti_observe_stretches;

#endif
