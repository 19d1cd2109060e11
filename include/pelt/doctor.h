// SPDX-License-Identifier: MIT
// What will go wrong with a character: findings, and the repair of those that have one. Link
// libpelt.
//
//     pelt_load(&scene, "hero.glb", NULL, &error);
//     pelt_diagnosis diagnosis;
//     pelt_scene_diagnose(&diagnosis, scene, NULL, arena);
//     for (uint32_t i = 0; i < diagnosis.finding_count; ++i)
//         puts(diagnosis.findings[i].message);
//
// What the reader has fixed on load is a finding as well: the file has the fault, the scene no
// longer. With pelt_load_options.is_checked, so is what only the format forbids. docs/doctor.md
// lists all kinds with their thresholds.
//
// Experimental, see pelt.h.
#ifndef PELT_DOCTOR_H
#define PELT_DOCTOR_H

#include "pelt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pelt_severity
{
    PELT_SEVERITY_NOTE = 0, ///< good to know; some program may take it badly
    PELT_SEVERITY_WARNING,  ///< will be seen, in some pose or with some method
    PELT_SEVERITY_ERROR,    ///< data that mean nothing
    PELT_SEVERITY_COUNT
} pelt_severity;

PELT_API const char* pelt_severity_name(pelt_severity severity); ///< "note", "warning", "error"

/// Every kind has an id that does not change, which is its name in lower case with hyphens:
/// PELT_FINDING_WEIGHT_SUMS is "weight-sums".
typedef enum pelt_finding_kind
{
    // The file
    PELT_FINDING_UNREADABLE = 0, ///< it cannot be loaded; never of a scene
    PELT_FINDING_NOT_FINITE,     ///< numbers that are infinite or NaN
    PELT_FINDING_STALE_DATA,     ///< centers or normal factors that no longer fit their mesh
    PELT_FINDING_OTHER_REPAIR,   ///< anything else that was fixed on load
    PELT_FINDING_MISSING_BOUNDS, ///< positions or key times of a glTF without min and max
    PELT_FINDING_BYTE_STRIDE,    ///< strides of a glTF that its specification forbids
    PELT_FINDING_SKIN_TYPES,     ///< component types of joints or weights that it forbids

    // Weights
    PELT_FINDING_WEIGHT_SUMS,         ///< weights that do not sum to one
    PELT_FINDING_NEGATIVE_WEIGHTS,    ///< weights below zero
    PELT_FINDING_JOINT_RANGE,         ///< joints that the skin does not have
    PELT_FINDING_PADDING_JOINTS,      ///< the same, with weight 0
    PELT_FINDING_DUPLICATE_JOINTS,    ///< a joint twice on one vertex
    PELT_FINDING_UNWEIGHTED_VERTICES, ///< vertices of a skinned mesh that nothing moves
    PELT_FINDING_MANY_INFLUENCES,     ///< and how far vertices move when the weakest are dropped
    PELT_FINDING_SEAM_WEIGHTS,        ///< vertices at the same position that move apart
    PELT_FINDING_SIGN_ORDER,          ///< results that depend on the order of influences, where
                                      ///< signs follow a running sum (Blender)
    // Skeleton
    PELT_FINDING_SINGULAR_BIND,    ///< inverse bind matrices that flatten space
    PELT_FINDING_BIND_ROW,         ///< inverse bind matrices whose last row is not 0 0 0 1
    PELT_FINDING_SKELETON_ROOT,    ///< joints without a common root, or not below that of the skin
    PELT_FINDING_BIND_POSE,        ///< the stored pose is not the bind pose
    PELT_FINDING_UNUSED_JOINTS,    ///< joints that move nothing
    PELT_FINDING_SCALED_JOINTS,    ///< uniform scale, relative to the bind pose
    PELT_FINDING_STRETCHED_JOINTS, ///< non-uniform scale or shear
    PELT_FINDING_MIRRORED_JOINTS,  ///< some joints mirror and others do not

    // Surface
    PELT_FINDING_DEGENERATE_TRIANGLES, ///< triangles without area
    PELT_FINDING_FLIPPED_NORMALS,      ///< normals that point into the surface
    PELT_FINDING_MISSING_NORMALS,      ///< a mesh without any
    PELT_FINDING_NORMAL_LENGTH,        ///< normals or tangents that are not of unit length

    // Clips
    PELT_FINDING_FLIP_RISK,       ///< joints of a vertex near 180 degrees apart
    PELT_FINDING_KEY_JUMPS,       ///< one key far from its neighbors
    PELT_FINDING_KEY_ORDER,       ///< keys that are not later than the one before
    PELT_FINDING_ROTATION_LENGTH, ///< rotations that are not of unit length
    PELT_FINDING_STILL_CLIP,      ///< a clip in which nothing moves

    // Rules of a project
    PELT_FINDING_BUDGET, ///< more than a budget allows; only the program has budgets

    PELT_FINDING_KIND_COUNT
} pelt_finding_kind;

/// What is the same for all findings of a kind.
typedef struct pelt_finding_info
{
    const char* id;      ///< "weight-sums"
    const char* summary; ///< what it is, as one sentence
    const char* advice;  ///< what to do, as one or two sentences
    bool is_fixable;     ///< pelt_scene_fix(), or writing the scene as it was loaded, repairs it
} pelt_finding_info;

PELT_API const pelt_finding_info* pelt_finding_describe(pelt_finding_kind kind);

/// Indices are those of the scene, or PELT_NONE where a finding has none.
typedef struct pelt_finding
{
    pelt_finding_kind kind;
    pelt_severity severity;
    const char* message; ///< one sentence that names the object
    uint32_t mesh;
    uint32_t vertex; ///< the worst of the mesh, or the first
    uint32_t node;   ///< a joint, or the target of a track
    uint32_t clip;
    float time;     ///< seconds; 0 where there is no clip
    uint32_t count; ///< how many vertices, triangles, joints or keys are concerned; 0: not counted
    double value;   ///< how bad it is, in `unit`
    const char* unit; ///< "mm", "degrees", "sum", "factor"; NULL: there is no such number
} pelt_finding;

/// Worst severity first, then in the order of the kinds, of meshes and of clips.
typedef struct pelt_diagnosis
{
    uint32_t finding_count;
    const pelt_finding* findings;
    uint32_t counts[PELT_SEVERITY_COUNT]; ///< findings of each severity
} pelt_diagnosis;

typedef struct pelt_diagnose_options
{
    uint32_t max_influences; ///< what an engine takes, for MANY_INFLUENCES; 0: 4
    float rate;              ///< samples of clips per second; 0: 30
    uint32_t max_samples;    ///< of all clips together, which lowers the rate; 0: 4096

    /// Called with the part that is done, from 0 to 1, on the calling thread; may be NULL.
    void (*progress)(float part, void* user);
    void* user; ///< handed to progress
} pelt_diagnose_options;

/// Examine a scene: its repairs, weights, skeleton, surface, keys, and the poses of its clips.
/// @param scene    valid
/// @param options  NULL: defaults
/// @param arena    owns the findings, which refer to the scene only by index
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_scene_diagnose(pelt_diagnosis* out, const pelt_scene* scene,
                                         const pelt_diagnose_options* options, pelt_arena* arena);

/// Repair what has a repair and is still in a scene: triangles without area are removed, normals
/// that point into the surface flipped, vertices at the same position get the weights of the first.
/// Weights, rotations and lengths of normals were repaired by the reader. Centers of rotation and
/// normal factors are dropped from meshes whose weights or triangles change, since they no longer
/// fit.
/// @param inout  a shallow copy of a scene; its list of meshes is replaced
/// @param arena  owns what is new; must live as long as the scene is used
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_scene_fix(pelt_scene* inout, pelt_arena* arena);

#ifdef __cplusplus
}
#endif

#endif
