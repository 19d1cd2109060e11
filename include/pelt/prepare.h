// SPDX-License-Identifier: MIT
// What is computed once for a character, offline, so that it deforms better: centers of rotation,
// twist joints, weight gradients for normals, and mix factors, for a mesh or for a whole scene; and
// what is known about its joints.
#ifndef PELT_PREPARE_H
#define PELT_PREPARE_H

#include "pelt.h"

#ifdef __cplusplus
extern "C" {
#endif

// =============================================================================================
// Centers of rotation
//
// The point about which CRS rotates each vertex: the mean over the surface,
// weighted by how similar the skinning weights there are to those of the vertex. It depends on the
// vertex only through its weights, so that vertices with equal weights have equal centers to the
// last bit, and seams stay closed. A vertex with fewer than two influences, or without any similar
// triangle, is its own center: there CRS is LBS.
//
// Source: Le and Hodgins, "Real-time Skeletal Skinning with Optimized Centers of Rotation", 2016.

typedef enum pelt_cor_solver
{
    PELT_COR_FAST = 0, ///< one sum per pair of joints; within 2e-6 of the model's size of FULL
    PELT_COR_FULL,     ///< the definition in double precision: every vertex times every triangle
    PELT_COR_PAPER,    ///< the published algorithm: a search in weight space, then over the surface
    PELT_COR_SOLVER_COUNT,
} pelt_cor_solver;

PELT_API const char* pelt_cor_solver_name(pelt_cor_solver solver); ///< "fast", "full", "paper"

typedef struct pelt_cor_options
{
    pelt_cor_solver solver;
    float sigma;   ///< width of the similarity in weight space (Eq. 1); 0: 0.1
    float epsilon; ///< triangles are bisected until the weights along no edge differ by more; 0:
                   ///< 0.1, below 0: never
    float omega;   ///< PAPER: how far apart in weight space the search begins; 0: 0.1
    float cutoff;  ///< PAPER: the similarity at which the search ends; 0: 1e-6

    /// Solve for a sample of the vertices with two or more influences: the first, and every
    /// stride-th after it; `out` keeps its values for the others. To estimate the time and the
    /// error of solvers on large meshes. 0: all.
    uint32_t stride;

    /// Called with the part that is done, from 0 to 1; return false to cancel. Comes from worker
    /// threads, one call at a time. May be NULL.
    bool (*progress)(float part, void* user);
    void* user; ///< handed to progress
} pelt_cor_options;

/// Meshes that one skin deforms are one surface: a coat has its centers in the body below it.
typedef struct pelt_cor_input
{
    uint32_t mesh_count;
    const pelt_mesh* const* meshes; ///< skinned
} pelt_cor_input;

/// Statistics of a solve.
typedef struct pelt_cor_report
{
    uint32_t vertex_count;
    uint32_t triangle_count;
    uint64_t sample_count; ///< triangles with two or more joints, after bisection
    uint32_t solved_count; ///< vertices with two or more influences
    uint32_t single_count; ///< vertices with fewer, which are their own centers
    uint32_t
        dissimilar_count; ///< of solved_count, those without a similar triangle: their own centers
    uint32_t pair_count;  ///< FAST: pairs of joints that share a vertex
    uint32_t tabulated_count; ///< FAST: of pair_count, those whose sum was tabulated
    uint32_t exact_count;     ///< FAST: vertices summed in double, where tables are too coarse
    uint32_t coarse_count;    ///< FAST: vertices that should be, but there are too many
    float epsilon;            ///< that was used; INFINITY: triangles were not bisected
    size_t peak_bytes;        ///< peak memory, without input and output
} pelt_cor_report;

/// Compute the center of every vertex.
///
/// Runs in parallel through the `run` hook, with the same bits for any number of threads. FAST is
/// linear in vertices and triangles and takes less than 300 bytes for each, or 512 KB, however
/// often triangles are bisected (more, and longer, with a sigma below 0.03). FULL takes the time of
/// vertices times triangles. PAPER stores the bisected triangles, which may be very many.
///
/// FAST limits work that is out of proportion, which no character comes near: where adjacent
/// vertices have unrelated weights nearly everywhere, epsilon is doubled until there are fewer
/// pieces (`epsilon` of the report), and where too many vertices resemble next to none of the
/// surface, those that resemble it least are summed in double (`coarse_count` has the others; one
/// whose tables say nothing is its own center).
///
/// @param out      for each mesh, vertex_count centers in bind space
/// @param options  NULL: all defaults
/// @param report   may be NULL
/// @param error    may be NULL
/// @return PELT_OK, PELT_ERROR_MEMORY, PELT_ERROR_ARGUMENT for an option out of range,
///         PELT_ERROR_DATA for indices, offsets or joints that are out of range, or
///         PELT_ERROR_CANCELED; after an error the content of `out` is undefined
PELT_API pelt_result pelt_cor_solve(pelt_vec3* const* out, const pelt_cor_input* input,
                                    const pelt_cor_options* options, pelt_cor_report* report,
                                    pelt_error* error);

/// Update centers after weights were edited, by a stroke of a weight brush for instance.
///
/// Compares old and new weights and solves for the vertices that are affected: those that share a
/// pair of joints with a triangle at a changed vertex. The result equals that of pelt_cor_solve()
/// to the last bit, unless that one limits its work. Positions and triangles must be unchanged.
///
/// @param cors    for each mesh, the centers for the old weights; become those for the new ones
/// @param input   the meshes with the new weights
/// @param before  for each mesh, the old weights
/// @param error   may be NULL
/// @return as pelt_cor_solve(); after an error `cors` holds old and new centers
PELT_API pelt_result pelt_cor_update(pelt_vec3* const* cors, const pelt_cor_input* input,
                                     const pelt_weights* const* before,
                                     const pelt_cor_options* options, pelt_cor_report* report,
                                     pelt_error* error);

// =============================================================================================
// Twist joints
//
// Additional joints along a bone that distribute the twist of its ends, so that linear blending in
// any engine keeps the radius of a limb: after a twist by angle a, cos(a / (2 n + 2)) of it remains
// with n twist joints, against cos(a / 2) without.
//
// A bone goes from a joint to its child joint; if there are several, to the one with the most
// descendants. Twist is the angle about this axis of a rotation decomposed into swing and twist; it
// is zero in the bind pose. Two rotations act on a bone: that of the child relative to the joint (a
// hand rolls, and the forearm follows) and that of the joint relative to its parent joint (a
// shoulder rolls, and the skin near it stays behind). With twists b of the joint and c of the
// child, twist joint k of n is at fraction p of the bone and rotates relative to it by
//
//     CHILD  c * k / (n + 1)                       p = k / (n + 1)         the joint stays at 0
//     OWN    b * (k / (n + 1) - 1)                 p = k / (n + 1)         the joint stays at 1
//     BOTH   b * (k / n - 1) + c * (k - 1) / n     p = (k - 1) / (n - 1)   it gives all its weight
//
// The weight of the joint on a vertex is divided linearly between the two of them on either side of
// the vertex's projection onto the bone (hat functions, whose sum is one). All other weights stay,
// so poses without twist deform as before.
//
// Source: Le and Hodgins 2016, section 4 and Figure 5, where n is 1; the projection is e_proj of
// Jacobson and Sorkine, "Stretchable and Twistable Bones for Skeletal Shape Deformation", 2011.

typedef enum pelt_twist_source
{
    /// Whatever twists by 5 degrees or more in the clips. The twist of a child joint whose own bone
    /// is long, has a request too, or has joints with "twist" or "roll" in their names is left to
    /// that bone; if that bone is only long and nothing else twists, it is distributed here after
    /// all. If nothing twists: OWN where the child's bone is of this kind, else CHILD.
    PELT_TWIST_AUTO = 0,
    PELT_TWIST_CHILD, ///< of the child relative to the joint: hand, foot
    PELT_TWIST_OWN,   ///< of the joint relative to its parent joint: upper arm, thigh
    PELT_TWIST_BOTH,
} pelt_twist_source;

PELT_API const char* pelt_twist_source_name(pelt_twist_source source); ///< "auto", "child" ...

/// A request for twist joints along the bone of one joint.
typedef struct pelt_twist
{
    uint32_t node;            ///< of the joint
    uint32_t count;           ///< joints to add, up to 16, for BOTH at least 2; 0: 3
    pelt_twist_source source; ///< which twist is distributed
} pelt_twist;

/// What is known about a bone before twist joints are added.
typedef struct pelt_twist_bone
{
    uint32_t node, child;
    uint32_t count;           ///< as requested, with the default filled in
    pelt_twist_source source; ///< as requested, or what AUTO found
    float length;             ///< in units of bind space
    float slenderness;        ///< length divided by the mean distance of its skin; 0: it has none
    float own_blend;   ///< fraction of the joint's weight that is shared with joints above it; 0:
                       ///< rigid parts meet there
    float child_blend; ///< the same for the child and its descendants
    float own_twist;   ///< largest in any clip, in radians; 0 without a parent joint
    float child_twist;
    bool is_long; ///< at least 5 % of the size of its meshes, with slenderness 2.5 or more
} pelt_twist_bone;

/// Check requests and resolve their defaults.
/// @param out    count bones
/// @param error  names the joint that has no child joint, no length or several equal children, is
///               requested twice, already has twist joints, or whose twist would be distributed
///               twice: as OWN here and as CHILD of its parent
/// @return PELT_OK, PELT_ERROR_ARGUMENT or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_twist_plan(pelt_twist_bone* out, const pelt_scene* scene,
                                     const pelt_twist* twists, uint32_t count, pelt_error* error);

/// Find the bones that benefit: long ones that twist by 30 degrees or more in some clip. Names are
/// hints: arms, thighs, legs and the like need 10 degrees, and none if there are no clips. Twist
/// counts only at ends where the skin is smooth, with a blend of 0.02 or more; rigid parts, as of
/// machines, are left alone. So are bones with joints that have "twist" or "roll" in their names.
/// @param out  requests for 3 joints each, whose source is not AUTO where one end is not smooth;
///             free with pelt_release()
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_twist_find(pelt_twist** out, uint32_t* count, const pelt_scene* scene);

typedef struct pelt_twist_options
{
    uint32_t twist_count;
    const pelt_twist* twists;
    uint32_t max_influences; ///< of each vertex keep only the strongest; 0: all
} pelt_twist_options;

typedef struct pelt_twist_report
{
    uint32_t joint_count;     ///< nodes added
    uint32_t track_count;     ///< tracks added to clips
    uint32_t split_count;     ///< vertices whose weights were split
    uint32_t over_four_count; ///< vertices with more than 4 influences: some engines read only 4
    uint32_t pruned_count;    ///< vertices that had more than options->max_influences
    uint32_t max_influences;  ///< of any vertex: one more at most for each bone with twist joints
    uint32_t copied_count;    ///< meshes copied, as skins with and without the joint shared them
    uint32_t cors_count;      ///< meshes whose centers of rotation were dropped: weights changed
    uint32_t factors_count;   ///< meshes whose normal factors were dropped, for the same reason
    uint32_t mix_count;       ///< meshes whose computed mix factors were
} pelt_twist_report;

/// Make a copy of a scene with twist joints.
///
/// New nodes come after the old ones and are named after their joint, with "_twist1" ... appended;
/// new joints come after the old ones in each skin that has the joint. Clips get a rotation track
/// for each new joint whose twist changes, with the keys of the rotations it depends on, and up to
/// 64 more between two where linear interpolation would be off by more than 0.05 degrees. Angles
/// continue beyond 180 degrees, so nothing flips. Twist joints follow clips, not overrides of other
/// joints.
///
/// @param out     a valid scene of its own; free with pelt_scene_destroy()
/// @param report  may be NULL
/// @return as pelt_twist_plan(), or PELT_ERROR_DATA when a skin would exceed PELT_MAX_JOINTS
PELT_API pelt_result pelt_twist_add(pelt_scene** out, const pelt_scene* scene,
                                    const pelt_twist_options* options, pelt_twist_report* report,
                                    pelt_error* error);

// =============================================================================================
// Accurate normals
//
// Where weights vary over the surface, skinning shears and bends it, and a normal that only rotates
// with its vertex is wrong, by 30 degrees and more in extreme poses. What is missing is the
// gradient of the weights over the adjacent triangles. It does not depend on the pose, so
// it is computed once, as a few factors for each vertex and joint, from which pelt_deform() gets
// the derivative of each method. docs/normals.md has the formulas.
//
// Source: Tarini, Panozzo and Sorkine-Hornung, "Accurate and Efficient Lighting for Skinned
// Models", 2014, whose factors are alpha and beta. The other factors, exact derivatives for DQS and
// CRS, and the treatment of authored normals are pelt's own.

/// The weight w of one joint near one vertex: means over the adjacent triangles, weighted by
/// area. Axes 0 and 1 are the two axes of the vertex; x is relative to the vertex, in meters.
typedef struct pelt_normal_factor
{
    pelt_joint_index joint;
    float weight;        ///< near the mean of w, above 0: the point at which methods are linearized
    float alpha, beta;   ///< derivative of w along axis 0 and 1, per meter
    float moments[2][2]; ///< [i][k]: derivative of w x[k] along axis i; where w is constant, w for
                         ///< i == k
} pelt_normal_factor;

/// Factors of every vertex, packed end to end as in pelt_weights: first the influences of the
/// vertex in their order (all but the first may be cut to meet max_joints), then joints that
/// influence only its neighbors, steepest first. For each vertex, weights sum to 1, alpha and beta
/// to 0, moments to the identity. Where weights are constant there are no factors, nor where
/// triangles do not define a surface: slivers about a thousand times as long as high, or triangles
/// folded onto each other.
///
/// The axes of a vertex lie in the mean plane of its triangles: take normal n, tangent t and
/// cross(n, t), and rotate them by the shortest rotation that takes n to the normal of that plane.
/// In these coordinates it is (2a, 2b, 1 - aa - bb) / (1 + aa + bb), where (a, b) is its
/// stereographic projection.
struct pelt_normal_factors
{
    uint32_t vertex_count;
    uint32_t joint_count;
    uint32_t factor_count;             ///< == first[vertex_count]
    uint32_t max_factors;              ///< most factors on one vertex
    uint32_t slot_count;               ///< per vertex in files: 2, 3, 4 or 8; 0: as few as
                                       ///< hold max_factors
    uint32_t bits;                     ///< 16 or 8: see pelt_normal_factors_quantize(); 0: floats
    const uint32_t* first;             ///< vertex_count + 1 offsets
    const pelt_normal_factor* factors; ///< factor_count
    const pelt_vec3* tangents;         ///< vertex_count: unit, perpendicular to the normals
    const pelt_vec2* plane_normals;    ///< vertex_count: (a, b), no longer than 1
    const pelt_vec3* centers;          ///< vertex_count centers of rotation; those of vertices with
                                       ///< one influence are the mean of their neighbors'; or NULL
    const pelt_vec3* center_derivatives; ///< 2 * vertex_count: derivatives of the center along
                                         ///< the two axes; NULL where centers is
};

typedef struct pelt_normal_options
{
    uint32_t max_joints; ///< factors per vertex at most: 2, 3, 4 or 8; 0: no limit. The strongest
                         ///< influence is kept, and those whose weights change most; the others are
                         ///< assumed to move as the vertex does. Becomes slot_count
    /// Means over triangles are weighted by cotangents, as published: by the part of a triangle in
    /// the mixed Voronoi cell of the vertex. false: by area, which is nearer to the deformed
    /// triangles. Source: Meyer et al., "Discrete Differential-Geometry Operators for Triangulated
    /// 2-Manifolds", 2003.
    bool has_cotangents;
} pelt_normal_options;

/// Compute the factors of a skinned mesh, in linear time.
///
/// Vertices with equal position and weights are welded, so that seams do not show, unless their
/// normals differ by more than a degree, as at a crease. Tangents are the mesh's own, made
/// perpendicular to its normals; where there is none, or it is parallel to the normal, any
/// direction is used, and without normals those of the triangles. Triangles without area or with an
/// unweighted corner do not count.
///
/// The factors are those of the bind pose. Where morph targets rotate normals, the axes rotate
/// along; where targets have positions only, pelt_deform_input.displacements accounts for them.
///
/// @param mesh     skinned
/// @param cors     its centers of rotation, for methods that need them; or NULL
/// @param options  NULL: all defaults
/// @param arena    owns the arrays of out
/// @param error    may be NULL
/// @return PELT_OK, PELT_ERROR_MEMORY, PELT_ERROR_ARGUMENT for an option out of range, or
///         PELT_ERROR_DATA for indices, offsets or joints that are; *out is then {0}
PELT_API pelt_result pelt_normal_factors_build(pelt_normal_factors* out, const pelt_mesh* mesh,
                                               const pelt_vec3* cors,
                                               const pelt_normal_options* options,
                                               pelt_arena* arena, pelt_error* error);

/// Quantize factors to 16 or 8 bits, so that files can store them as integers.
///
/// Weights become multiples of 1 / 65535 or 1 / 255, gradients and moments multiples of the units
/// of their vertex, see pelt_normal_units(), with all sums preserved exactly. Components of
/// tangents and plane normals become multiples of 1 / 32767 in both cases. Centers stay floats. A
/// vertex with more than 64 factors, or with 8 bits and a moment beyond 120, loses its factors.
///
/// @param out    shares the centers of `factors`
/// @param bits   16 or 8
/// @param arena  owns the other arrays of out
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_ARGUMENT for other bits; *out is then {0}
PELT_API pelt_result pelt_normal_factors_quantize(pelt_normal_factors* out,
                                                  const pelt_normal_factors* factors, uint32_t bits,
                                                  pelt_arena* arena);

/// The units of the gradients (x) and moments (y) of a vertex, whose factors are quantized. They
/// are powers of two, so that products with them are exact; the factors are at most 32767 or 127 of
/// them, and 1 / y is an integer.
PELT_API pelt_vec2 pelt_normal_units(const pelt_normal_factors* factors, uint32_t vertex);

/// Check that factors fit a mesh and are as pelt_normal_factors describes them: joints that exist,
/// finite numbers, sums within 1e-5 (rounding leaves 1e-7), unit tangents that are perpendicular to
/// the normals within 1e-3. pelt_scene_validate() includes this.
/// @param mesh   skinned, with valid weights
/// @param error  names the vertex, or what is missing
/// @return PELT_OK or PELT_ERROR_DATA
PELT_API pelt_result pelt_normal_factors_validate(const pelt_normal_factors* factors,
                                                  const pelt_mesh* mesh, pelt_error* error);

/// A neighbor of a vertex, with the gradient of its hat function, which is 1 there and 0 at the
/// other vertices: the mean over the adjacent triangles, weighted by area, per meter.
typedef struct pelt_stencil_entry
{
    uint32_t vertex;
    pelt_vec3 gradient;
} pelt_stencil_entry;

/// How displacements deform the surface: if d[v] is the displacement of vertex v, the deformation
/// gradient there is the identity + sum over its neighbors of (d[neighbor] - d[v]) gradient^T.
/// Vertices that pelt_normal_factors_build() welds form a group with one list.
struct pelt_stencils
{
    uint32_t vertex_count, group_count;
    const uint32_t* groups;            ///< vertex_count
    const uint32_t* first;             ///< group_count + 1 offsets
    const pelt_stencil_entry* entries; ///< first[group_count]; none where triangles do not define a
                                       ///< surface
    const pelt_vec3* normals;          ///< group_count: of the triangles, unit, or zero
};

/// Compute the stencils of a mesh, skinned or not, for pelt_deform_input.displacements, in linear
/// time and with about 120 bytes per vertex.
/// @param mesh   with valid indices: see pelt_scene_validate()
/// @param arena  owns the arrays of out
/// @return PELT_OK or PELT_ERROR_MEMORY; *out is then {0}
PELT_API pelt_result pelt_stencils_build(pelt_stencils* out, const pelt_mesh* mesh,
                                         pelt_arena* arena);

/// Normals of a deformed mesh from its triangles: the reference that normal rules are measured
/// against.
///
/// Authored normals differ from those of the triangles, on purpose or because triangles are coarse.
/// The difference is transformed by the mean deformation near the vertex, so that the bind pose
/// reproduces the authored normals. Vertices are welded as by pelt_normal_factors_build(). Normals
/// point to the outside of the triangles as they are wound, so those of a mirrored pose point
/// inwards. Where triangles have no area the authored normal is kept.
///
/// @param out        mesh->vertex_count normals; may be mesh->normals
/// @param positions  mesh->vertex_count deformed positions
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_normals_recompute(pelt_vec3* out, const pelt_mesh* mesh,
                                            const pelt_vec3* positions);

// =============================================================================================
// Whole scenes
//
// The above for all meshes of a scene, in order of dependence: normal factors depend on centers of
// rotation, and both on weights, which twist joints change.
//
//     pelt_scene_add_cors(scene, PELT_PREPARE_MISSING, NULL, NULL, scene->arena, &error);
//     pelt_scene_add_normal_factors(scene, PELT_PREPARE_MISSING, NULL, NULL, scene->arena, &error);
//
// These replace the scene's array of meshes. Frames use what was added, pelt_save_enhanced() writes
// it into the user's own file, and pelt_save_scene() into a new one. To keep the original as it is,
// for a comparison, work on a copy of the struct with an arena of its own:
//
//     pelt_scene better = *scene;
//     pelt_scene_add_cors(&better, PELT_PREPARE_MISSING, NULL, NULL, arena, &error);
//     ...
//     pelt_arena_destroy(arena);
//     pelt_scene_destroy(scene);
//
// Such a copy shares everything else with the original and owns nothing: the original must outlive
// it, and it must not be passed to pelt_scene_destroy(), which would free the original.

/// For which meshes something is computed.
typedef enum pelt_prepare_scope
{
    PELT_PREPARE_MISSING = 0, ///< those without it
    PELT_PREPARE_ALL,
} pelt_prepare_scope;

typedef struct pelt_scene_cor_report
{
    uint32_t mesh_count;    ///< meshes that got centers
    uint32_t problem_count; ///< that were solved; the meshes of one skin are one problem
    uint32_t factors_count; ///< meshes whose normal factors were dropped: centers changed
    pelt_cor_report total;  ///< sums over the problems; peak_bytes is that of the largest
} pelt_scene_cor_report;

/// Compute the centers of rotation of skinned meshes. Meshes of one skin are solved together, see
/// pelt_cor_input, also if only one of them lacks centers; a mesh with several skins belongs to
/// that of its first instance. Normal factors of meshes that get centers are dropped, since they
/// depend on these.
/// @param inout    a valid scene, or a copy of its struct; its meshes are replaced
/// @param options  NULL: all defaults; `progress` is about all problems together, `stride` must be
/// 0
/// @param report   may be NULL
/// @param arena    owns what is new; must live as long as *inout is used
/// @param error    may be NULL
/// @return as pelt_cor_solve(); after an error *inout is unchanged
PELT_API pelt_result pelt_scene_add_cors(pelt_scene* inout, pelt_prepare_scope scope,
                                         const pelt_cor_options* options,
                                         pelt_scene_cor_report* report, pelt_arena* arena,
                                         pelt_error* error);

/// Update the centers of all skinned meshes after weights were edited, see pelt_cor_update().
/// @param cors    for each mesh, its centers for the old weights, which become those for the new
///                ones; NULL where it is not skinned
/// @param scene   with the new weights
/// @param before  for each mesh, its old weights
/// @param report  may be NULL; factors_count is 0
/// @param error   may be NULL
/// @return as pelt_cor_update()
PELT_API pelt_result pelt_scene_update_cors(pelt_vec3* const* cors, const pelt_scene* scene,
                                            const pelt_weights* before,
                                            const pelt_cor_options* options,
                                            pelt_scene_cor_report* report, pelt_error* error);

typedef struct pelt_scene_normal_options
{
    uint32_t max_joints; ///< see pelt_normal_options; 0: no limit
    uint32_t bits;       ///< 16 or 8: see pelt_normal_factors_quantize(); 0: floats
    bool has_cotangents; ///< see pelt_normal_options
} pelt_scene_normal_options;

typedef struct pelt_scene_normal_report
{
    uint32_t mesh_count;     ///< meshes that got factors
    uint32_t centered_count; ///< of these, those with centers of rotation
    uint32_t bare_count;     ///< skinned meshes without normals, which get no factors
    uint64_t vertex_count;   ///< of the meshes that got factors
    uint64_t varying_count;  ///< of these, those near which weights vary
} pelt_scene_normal_report;

/// Compute the normal factors of skinned meshes that have normals, with the centers of rotation of
/// the mesh if it has any; factors without those centers count as missing.
/// @param inout    a valid scene, or a copy of its struct; its meshes are replaced
/// @param options  NULL: all defaults
/// @param report   may be NULL
/// @param arena    owns what is new; must live as long as *inout is used
/// @param error    may be NULL
/// @return PELT_OK, PELT_ERROR_MEMORY, PELT_ERROR_ARGUMENT for an option out of range, or
///         PELT_ERROR_DATA as pelt_normal_factors_build(); after an error *inout is unchanged
PELT_API pelt_result pelt_scene_add_normal_factors(pelt_scene* inout, pelt_prepare_scope scope,
                                                   const pelt_scene_normal_options* options,
                                                   pelt_scene_normal_report* report,
                                                   pelt_arena* arena, pelt_error* error);

/// How mix factors are computed. Weights of terms: 0 is the default, below 0 leaves the term out.
typedef struct pelt_mix_options
{
    float volume;     ///< weight of the squared change of volume per area; default 1
    float bulge;      ///< of the squared change of the distance to the bone; default 1
    float rigidity;   ///< of the squared strain times the distance to the bone; default 0.1, since
                      ///< every bend strains the skin
    float smoothness; ///< of the squared gradient of the factors; default 1
    uint32_t max_frames; ///< of all clips together, at which the energy is measured; 0: 48, fewer
                         ///< where vertices in all frames would be more than 2^20, down to 8; each
                         ///< vertex is then measured in a part of them if there would be more than
                         ///< 2^18 measurements, but in 8 at least
    uint32_t max_bound_frames; ///< of all clips together, at which bulges are limited; 0: all that
                               ///< pelt_body_measure_clip() has by default, fewer where vertices in
                               ///< all frames would be more than 2^23, down to 48

    /// Called with the part that is done, from 0 to 1; return false to cancel. May be NULL.
    bool (*progress)(float part, void* user);
    void* user; ///< handed to progress
} pelt_mix_options;

/// What was found. Energies are means over the surface and the frames, in square meters; their root
/// is a length.
typedef struct pelt_scene_mix_report
{
    bool has_blend; ///< false: no vertex has two joints, so that all factors give the same result
                    ///< and none were computed
    uint32_t mesh_count;  ///< that got factors
    uint32_t clip_count;  ///< that were played; 0: there are none, and pelt_motion_range_build()
                          ///< made one
    uint32_t frame_count; ///< at which the energy was measured
    uint32_t bound_count; ///< at which bulges were limited
    uint32_t step_count;  ///< of the descent
    float fixed_factor;   ///< the common factor with the least energy
    float bound_factor;   ///< the next one with which no vertex bulges more than the worst of DQS:
                          ///< nearly always the same
    double lbs_energy, dqs_energy, fixed_energy, bound_energy; ///< of common factors
    double energy;           ///< of the factors that were found; never above bound_energy
    double smoothness;       ///< what their gradient added to it in the descent
    float dqs_bulge;         ///< the largest PELT_METRIC_BULGE of DQS in any frame, in meters; 0
                             ///< where has_blend is false
    float least, mean, most; ///< of the factors; the mean is by area
} pelt_scene_mix_report;

/// Compute mix factors for PELT_METHOD_MIX from the motion of the character: those with the least
/// mean of volume^2 + bulge^2 + (r rigidity)^2 / 10 over surface and frames, with the metrics of
/// metrics.h and r the distance to the bone, that are also smooth over the surface. docs/mix.md has
/// the formulas.
///
/// Frames are those of all clips; without clips, of pelt_motion_range_build(). The search starts at
/// the best common factor and takes only steps that lower the energy. No vertex gets a factor that
/// takes it farther from its bones, in any of report->bound_count frames, than the worst vertex is
/// under DQS. Vertices at the same position get one factor. Factors that meshes have already are
/// replaced. Instances of the same mesh are left out that pelt_scene_skip_copies() skips,
/// with 2^14 vertices.
///
/// Runs in parallel through the `run` hook, with the same bits for any number of threads.
///
/// @param inout    a valid scene, or a copy of its struct; its meshes are replaced
/// @param options  NULL: all defaults
/// @param report   may be NULL
/// @param arena    owns what is new; must live as long as *inout is used
/// @param error    may be NULL
/// @return PELT_OK, PELT_ERROR_MEMORY, PELT_ERROR_CANCELED, or PELT_ERROR_UNSUPPORTED as
///         pelt_body_create(); after an error *inout is unchanged
PELT_API pelt_result pelt_scene_add_mix_factors(pelt_scene* inout, const pelt_mix_options* options,
                                                pelt_scene_mix_report* report, pelt_arena* arena,
                                                pelt_error* error);

// =============================================================================================
// Joints
//
// The skeleton of a scene, worked out from the bind pose. A vertex follows the joint that has its
// largest weight.

/// A node as part of the one tree that the joints of all skins form.
typedef struct pelt_joint_node
{
    bool is_joint;        ///< of any skin
    uint32_t above;       ///< node of the nearest joint above, or PELT_NONE
    uint32_t child_count; ///< joints that this node is the nearest one above of
} pelt_joint_node;

/// @param out  scene->node_count
PELT_API void pelt_joint_tree_find(pelt_joint_node* out, const pelt_scene* scene);

/// A joint in its own space: model_from_node of a pose takes it to where it is drawn.
typedef struct pelt_joint_shape
{
    pelt_bounds box; ///< of the vertices that follow the joint; empty if none does
    pelt_vec3 tail;  ///< end of its bone, where no joint is below it: away from the joint above, as
                     ///< far as vertices that follow it reach. Without a joint above, towards the
                     ///< middle of the box
    bool has_tail;   ///< false: joints are below it, or no vertex beyond it follows
} pelt_joint_shape;

/// @param out  scene->node_count; nodes that are no joints get an empty box and no tail
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_joint_shapes(pelt_joint_shape* out, const pelt_scene* scene);

/// A bone in bind space. Each end follows its own joint, so that bones may stretch.
typedef struct pelt_bone
{
    pelt_joint_index joints[2]; ///< of head and tail; the same where it ends without a joint
    pelt_vec3 ends[2];
} pelt_bone;

/// The bones of a skin: joint j has bones[first[j]] up to, but not including, bones[first[j + 1]].
/// One goes to each child joint, up to 32; without any, to the tail of pelt_joint_shape, or
/// nowhere. A joint whose inverse bind matrix is singular has none.
struct pelt_bones
{
    uint32_t joint_count;
    const uint32_t* first;  ///< joint_count + 1 offsets
    const pelt_bone* bones; ///< first[joint_count]
};

/// @param out    scene->skin_count
/// @param arena  owns their arrays
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_bones_build(pelt_bones* out, const pelt_scene* scene, pelt_arena* arena);

/// Directions of a joint in its own space in the stored pose, of unit length and perpendicular.
typedef struct pelt_joint_axes
{
    pelt_vec3 along; ///< the direction of its bone: to the mean of the joints directly below it, or
                     ///< to the tail of pelt_joint_shape, or on from the joint above; else +Y
    pelt_vec3 bend;  ///< the bone bends toward +Z of the model, where characters look, about this
                     ///< axis by positive angles; a bone that points there bends down
} pelt_joint_axes;

/// @param out  scene->node_count; nodes that are no joints get +Y and +X
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_joint_axes_find(pelt_joint_axes* out, const pelt_scene* scene);

typedef struct pelt_motion_range_options
{
    float bend, twist; ///< largest angles in radians; 0: pi / 3
} pelt_motion_range_options;

/// A clip that tries all joints, for scenes without clips of their own. Each joint bends about two
/// axes across its bone, see pelt_joint_axes, both ways, and twists about it, for a second each and
/// back to the stored pose in between. Joints of one level of the skeleton move at the same time,
/// those below them afterwards; a joint without another above it does not deform anything and
/// rests.
/// @param options  NULL: all defaults
/// @param arena    owns the arrays of out
/// @return PELT_OK or PELT_ERROR_MEMORY; *out is then {0}
PELT_API pelt_result pelt_motion_range_build(pelt_clip* out, const pelt_scene* scene,
                                             const pelt_motion_range_options* options,
                                             pelt_arena* arena);

// =============================================================================================
// Digests
//
// Files store centers and factors with the mesh that they were computed from, and other programs
// may change that mesh: they quantize positions, prune weights, bake transforms. A digest of the
// data that they depend on tells whether they still fit.
//
// It does not depend on the order of vertices and triangles or on whether equal vertices are
// welded, and ignores triangles without three distinct corners: it changes only if the surface
// does. docs/files.md defines it for other programs.

/// Digest of what centers of rotation depend on: positions, triangles and weights.
/// @return PELT_OK or PELT_ERROR_MEMORY, as the next
PELT_API pelt_result pelt_cor_digest(uint64_t* out, const pelt_mesh* mesh);

/// Digest of what normal factors depend on: these, the normals, and the centers of rotation.
/// @param cors  that the factors were built with; NULL: none
PELT_API pelt_result pelt_normal_digest(uint64_t* out, const pelt_mesh* mesh,
                                        const pelt_vec3* cors);

// =============================================================================================
// Clips and weights for export
//
// What tools that write characters for games offer: parts of clips, one rate, motion on the spot,
// fewer keys within an error of vertices, and fewer influences.

/// What becomes of the motion of the character as a whole: the translation of the highest node that
/// has one and carries more than half of the joints of its skeleton, relative to its first key, in
/// the plane of the ground (Y is up).
typedef enum pelt_root_motion
{
    PELT_ROOT_MOTION_KEEP = 0,
    PELT_ROOT_MOTION_REMOVE, ///< the character moves on the spot
    PELT_ROOT_MOTION_PARENT, ///< the node above the joint takes it over, for engines that read it
    PELT_ROOT_MOTION_COUNT
} pelt_root_motion;

PELT_API const char* pelt_root_motion_name(pelt_root_motion motion); ///< "keep", "remove", "parent"

typedef struct pelt_edit_clip_options
{
    bool is_trimmed;
    float start, end; ///< part to keep, in seconds; an end after that of the clip is that of the
                      ///< clip
    float rate;       ///< keys per second, interpolated linearly; 0: keys stay as they are
    pelt_root_motion root_motion;
} pelt_edit_clip_options;

/// Cut a clip to a part, sample it at a rate, and remove the motion of its root, in this order. A
/// spline that is cut keeps its form.
/// @param inout  a copy of the struct of a clip of the scene; its tracks are replaced
/// @param arena  owns what is new
/// @return PELT_OK; PELT_ERROR_ARGUMENT: the part is not in the clip, or there is no node above the
///         joint that could take its motion over; or PELT_ERROR_MEMORY. *inout is then unchanged
PELT_API pelt_result pelt_scene_edit_clip(pelt_clip* inout, const pelt_scene* scene,
                                          const pelt_edit_clip_options* options, pelt_arena* arena,
                                          pelt_error* error);

/// Put a node above the joint that carries the character wherever PELT_ROOT_MOTION_PARENT has none,
/// or one that is animated itself. The node is called "root", or "root motion" if there is one of
/// that name, and has no transform.
/// @param inout  a copy of the struct of a valid scene; nodes, skins, instances and clips are
///               replaced, and indices of nodes change
/// @param added  number of nodes; may be NULL
/// @param arena  owns what is new
/// @return PELT_OK, or PELT_ERROR_MEMORY with *inout unchanged
PELT_API pelt_result pelt_scene_add_root_nodes(pelt_scene* inout, uint32_t* added,
                                               pelt_arena* arena);

typedef struct pelt_simplify_report
{
    uint64_t keys_before, keys_after; ///< of all tracks
    double error; ///< largest distance of a vertex at all keys and halfway between, in meters
} pelt_simplify_report;

/// Remove keys of a clip where interpolation between the others moves no vertex, deformed by
/// PELT_METHOD_LBS, by more than max_error. In clips with more than 1000 key
/// times, vertices are measured at 2000 times.
/// @param inout      a copy of the struct of a clip of the scene; its tracks are replaced
/// @param report     may be NULL
/// @param max_error  in meters
/// @param arena      owns what is new
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_scene_simplify_clip(pelt_clip* inout, pelt_simplify_report* report,
                                              const pelt_scene* scene, float max_error,
                                              pelt_arena* arena);

typedef struct pelt_prune_options
{
    uint32_t max_influences; ///< of a vertex; 0: no limit
    float min_weight;        ///< influences below it are dropped, except for the strongest
} pelt_prune_options;

typedef struct pelt_prune_report
{
    uint32_t mesh_count;     ///< meshes that changed
    uint64_t vertex_count;   ///< vertices with fewer influences than before
    uint64_t dropped_count;  ///< influences
    float largest;           ///< weight of the strongest of them
    uint32_t prepared_count; ///< meshes whose centers, normal factors or computed mix factors were
                             ///< dropped, because they were made for other weights
} pelt_prune_report;

/// Drop influences, and divide the rest by their sum.
/// @param inout   a copy of the struct of a scene; its meshes are replaced
/// @param report  may be NULL
/// @param arena   owns what is new
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_scene_prune_weights(pelt_scene* inout, pelt_prune_report* report,
                                              const pelt_prune_options* options, pelt_arena* arena);

#ifdef __cplusplus
}
#endif

#endif
