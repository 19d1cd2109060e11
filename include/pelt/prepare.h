// SPDX-License-Identifier: MIT
// What is computed once for a character, offline, so that it deforms better: centers of rotation,
// twist joints, and weight gradients for normals, for a mesh or for a whole scene.
#ifndef PELT_PREPARE_H
#define PELT_PREPARE_H

#include "pelt.h"

#ifdef __cplusplus
extern "C" {
#endif

// =============================================================================================
// Centers of rotation
//
// Offline: the point about which each vertex turns under PELT_METHOD_CRS. It is the mean of all
// points of the surface, each counted by how much its skinning weights resemble those of the
// vertex. Nothing but the weights of the vertex enters, so vertices with equal weights have equal
// centers to the last bit, and the two sides of a seam stay together. A vertex with fewer than
// two influences, or that no triangle resembles, gets its own position: CRS is LBS there.
//
// Source: Le and Hodgins, "Real-time Skeletal Skinning with Optimized Centers of Rotation", 2016.

typedef enum pelt_cor_solver
{
    PELT_COR_FAST = 0, ///< one sum per pair of joints; FULL to 2e-6 of the model's size
    PELT_COR_FULL,     ///< the definition in double precision: every vertex times every triangle
    PELT_COR_PAPER,    ///< the source's own way: a search in weight space, then over the surface
    PELT_COR_SOLVER_COUNT,
} pelt_cor_solver;

PELT_API const char* pelt_cor_solver_name(pelt_cor_solver solver); ///< "fast", "full", "paper"

typedef struct pelt_cor_options
{
    pelt_cor_solver solver;
    float sigma;   ///< width of the similarity in weight space (Eq. 1); 0: 0.1
    float epsilon; ///< triangles are halved until no edge spans more weight; 0: 0.1, below 0: whole
    float omega;   ///< PAPER: how far apart in weight space the search begins; 0: 0.1
    float cutoff;  ///< PAPER: the similarity at which the search ends; 0: 1e-6

    /// Solve a sample: of the vertices with two influences or more only the first, and every
    /// stride-th after it; out keeps what it held for the others. How long a slow solver would
    /// take, and how far another is from it, can so be told on large meshes. 0: all.
    uint32_t stride;

    /// Told how much is done, from 0 to 1; false cancels. Comes from the threads that work, one
    /// call at a time. NULL: not wanted.
    bool (*progress)(float part, void* user);
    void* user; ///< handed to progress
} pelt_cor_options;

/// Meshes that one skin deforms together: the body counts where the coat looks for its centers.
typedef struct pelt_cor_input
{
    uint32_t mesh_count;
    const pelt_mesh* const* meshes; ///< skinned, with valid indices: see pelt_scene_validate()
} pelt_cor_input;

/// What a solver met on its way.
typedef struct pelt_cor_report
{
    uint32_t vertex_count;
    uint32_t triangle_count;
    uint64_t sample_count;     ///< triangles with two joints or more, after halving
    uint32_t solved_count;     ///< vertices that a center was looked for: two influences or more
    uint32_t single_count;     ///< vertices that keep their position: fewer than two influences
    uint32_t dissimilar_count; ///< of solved_count, keep their position: no triangle resembles them
    uint32_t pair_count;       ///< FAST: pairs of joints that meet on a vertex
    uint32_t tabulated_count;  ///< FAST: of pair_count, those whose sum was tabulated
    uint32_t exact_count;      ///< FAST: vertices done in double, as tables are too coarse for them
    size_t peak_bytes;         ///< memory in use at most, beyond input and output
} pelt_cor_report;

/// Find the center of every vertex.
///
/// Runs on the `run` hook; the result does not depend on it, to the last bit. FAST takes time in
/// proportion to vertices and triangles, and less than 300 bytes for each of them or 512 KB,
/// however often triangles are halved (a sigma below 0.03 takes longer, and more). FULL takes the
/// time of vertices times triangles. PAPER keeps the halved triangles, which may be very many.
///
/// @param out      for each mesh, vertex_count centers in bind space
/// @param options  NULL: all defaults
/// @param report   may be NULL
/// @return PELT_OK, PELT_ERROR_MEMORY, PELT_ERROR_ARGUMENT for an option out of range, or
///         PELT_ERROR_CANCELED; out holds nothing of use then
PELT_API pelt_result pelt_cor_solve(pelt_vec3* const* out, const pelt_cor_input* input,
                                    const pelt_cor_options* options, pelt_cor_report* report);

/// Bring centers up to date after weights were edited: a stroke of a painting tool, an undo.
///
/// Finds what changed by comparing weights, and solves again for the vertices that this concerns:
/// those that share a pair of joints with a triangle at a changed vertex. The centers are those of
/// pelt_cor_solve() on the new weights, to the last bit. Positions and triangles must be those
/// that cors were computed with.
///
/// @param cors    for each mesh, its centers under the old weights; become those under the new
/// @param input   the meshes with the new weights
/// @param before  for each mesh, the old weights
/// @return as pelt_cor_solve(); after an error cors holds some old, some new centers
PELT_API pelt_result pelt_cor_update(pelt_vec3* const* cors, const pelt_cor_input* input,
                                     const pelt_weights* const* before,
                                     const pelt_cor_options* options, pelt_cor_report* report);

// =============================================================================================
// Twist joints
//
// Offline: joints along a bone over which the twist at its ends is spread, so that plain linear
// blending in any engine loses little of a limb's radius where it would collapse: a limb turned by
// a keeps cos(a / 2) of it, and cos(a / (2 n + 2)) with n twist joints.
//
// A bone goes from a joint to its child joint; of several, to the one that most joints hang from.
// Its twist is the angle about this axis of a rotation split into swing and twist, and is zero in
// the bind pose. Two rotations end on a bone: that of the child against the joint (a hand rolls,
// and the forearm follows) and the joint's own against its parent joint (a shoulder rolls, and the
// skin near it stays). With own = b, child = c, joint k of n is at part p of the bone and is turned
// against the bone by
//
//     CHILD  c * k / (n + 1)                       p = k / (n + 1)         the joint stays at 0
//     OWN    b * (k / (n + 1) - 1)                 p = k / (n + 1)         the joint stays at 1
//     BOTH   b * (k / n - 1) + c * (k - 1) / n     p = (k - 1) / (n - 1)   its weight is all theirs
//
// The weight of the joint on a vertex goes to the two of them that its projection onto the bone
// lies between, linearly: hat functions, whose sum is one. Nothing else of the vertex's weights
// changes, so poses without twist deform as before.
//
// Source: Le and Hodgins 2016, section 4 and Figure 5, where n is 1; the projection is e_proj of
// Jacobson and Sorkine, "Stretchable and Twistable Bones for Skeletal Shape Deformation", 2011.

typedef enum pelt_twist_source
{
    /// What turns by 5 degrees or more in the clips. The roll of a joint whose own bone is long, is
    /// requested for as well, or has joints with "twist" or "roll" in their name, counts there and
    /// not along its parent's; if that is only long, and nothing else turns, it is spread after
    /// all. Nothing turns: OWN where the child's bone is such a one, else CHILD.
    PELT_TWIST_AUTO = 0,
    PELT_TWIST_CHILD, ///< of the child joint against this one: hand, foot
    PELT_TWIST_OWN,   ///< of this joint against its parent joint: upper arm, thigh
    PELT_TWIST_BOTH,
} pelt_twist_source;

PELT_API const char* pelt_twist_source_name(pelt_twist_source source); ///< "auto", "child" ...

/// A request: twist joints along the bone of one joint.
typedef struct pelt_twist
{
    uint32_t node;            ///< of the joint
    uint32_t count;           ///< joints to add, up to 16, for BOTH at least 2; 0: 3
    pelt_twist_source source; ///< which twist is spread
} pelt_twist;

/// What there is to know about a bone before twist joints are added.
typedef struct pelt_twist_bone
{
    uint32_t node, child;
    uint32_t count;           ///< as requested, default filled in
    pelt_twist_source source; ///< as requested, or what AUTO found
    float length;             ///< in units of bind space
    float slenderness; ///< length by mean distance of the joint's skin from the bone; 0: none
    float own_blend;   ///< part of the joint's weight that it shares with joints above it; 0: its
                       ///< skin ends there like a machine's
    float child_blend; ///< the same with the child and what is below it
    float own_twist;   ///< largest in any clip, radians; 0 without a parent joint
    float child_twist;
    bool is_long; ///< 5 % of the size of its meshes or more, and slenderness 2.5 or more
} pelt_twist_bone;

/// Check requests and find out what they mean.
/// @param out    count bones
/// @param error  names the joint that has no child joint, no length or several children alike, is
///               named twice or has twist joints, or whose roll would be spread twice: by OWN here
///               and CHILD along the parent's bone
/// @return PELT_OK, PELT_ERROR_ARGUMENT or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_twist_plan(pelt_twist_bone* out, const pelt_scene* scene,
                                     const pelt_twist* twists, uint32_t count, pelt_error* error);

/// Find the joints that deserve it: long bones that twist by 30 degrees or more in a clip. A name
/// is only a hint: arms, thighs, legs and the like need 10 degrees, and none where there are no
/// clips. Twist counts at ends where the skin is smooth, with a blend of 0.02 or more: parts of
/// machines, which follow one joint each, stay as they are. Bones that already have joints with
/// "twist" or "roll" in their name are left out.
/// @param out  requests for 3 joints each, of a source that is not AUTO where one end is not
/// smooth;
///             free with pelt_release()
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_twist_find(pelt_twist** out, uint32_t* count, const pelt_scene* scene);

typedef struct pelt_twist_options
{
    uint32_t twist_count;
    const pelt_twist* twists;
    uint32_t max_influences; ///< of a vertex in the result, the strongest; 0: all
} pelt_twist_options;

typedef struct pelt_twist_report
{
    uint32_t joint_count;     ///< nodes added
    uint32_t track_count;     ///< tracks added to clips
    uint32_t split_count;     ///< vertices whose weights were split
    uint32_t over_four_count; ///< vertices with more than 4 influences: some engines read only 4
    uint32_t pruned_count;    ///< vertices that had more than options->max_influences
    uint32_t max_influences;  ///< most on one vertex: up to one more for each twisted bone there
    uint32_t copied_count;    ///< meshes copied because skins with and without the joint share them
    uint32_t cors_count;      ///< meshes whose centers of rotation were dropped: weights changed
    uint32_t factors_count;   ///< meshes whose normal factors were dropped, for the same reason
} pelt_twist_report;

/// Make a scene with twist joints.
///
/// New nodes follow the old ones and are called like their joint with "_twist1" ... added; new
/// joints follow the old ones in each skin that has the joint. Clips get a rotation track for each
/// new joint where their twist moves: its keys are those of the rotations it follows, and more
/// where a straight line between two would be off by over 0.05 degrees, up to 64 for one. Angles go
/// on past half a turn, so nothing flips. Twist joints follow clips, not overrides of other joints.
///
/// @param out     a valid scene of its own; free with pelt_scene_destroy()
/// @param report  may be NULL
/// @return as pelt_twist_plan(), or PELT_ERROR_DATA when a skin would get over PELT_MAX_JOINTS
/// joints
PELT_API pelt_result pelt_twist_add(pelt_scene** out, const pelt_scene* scene,
                                    const pelt_twist_options* options, pelt_twist_report* report,
                                    pelt_error* error);

// =============================================================================================
// Normals that know about weights
//
// Where weights change over the surface, skinning shears and bends it, and a normal that is only
// turned with its vertex is wrong: by 30 degrees and more in strong poses. What is missing is how
// the weights change over the triangles around the vertex. That does not depend on the pose, so it
// is found once, offline, as a few factors for each vertex and joint; pelt_deform() then knows the
// derivative of each method. docs/normals.md has the formulas.
//
// Source: Tarini, Panozzo and Sorkine-Hornung, "Accurate and Efficient Lighting for Skinned
// Models", 2014, whose factors are alpha and beta. The others, exact derivatives for DQS and CRS,
// and the way of authored normals are pelt's own.

/// The weight w of one joint over the triangles around one vertex: means by their areas. Directions
/// 0 and 1 are the two axes of the vertex, and x is measured from the vertex, in meters.
typedef struct pelt_normal_factor
{
    pelt_joint_index joint;
    float weight;        ///< near the mean of w, above 0: where methods are best expanded
    float alpha, beta;   ///< derivative of w along axis 0 and 1, per meter
    float moments[2][2]; ///< [i][k]: derivative of w x[k] along axis i; where w is constant, w for
                         ///< i == k
} pelt_normal_factor;

/// Factors of every vertex, packed end to end as in pelt_weights: first the influences of the
/// vertex in their order (of a list as long as max_factors some may be cut, but never the first),
/// then joints that only its neighbors have, steepest first. Over a vertex
/// weights sum to 1, alpha and beta to 0, moments to the unit matrix. Where weights are constant
/// there are none, nor where triangles say nothing about the surface: slivers about a thousand
/// times as long as high, triangles folded on each other.
///
/// The axes of a vertex lie in the mean plane of its triangles: start with normal n, tangent t and
/// cross(n, t), and turn all three on the shortest way so that n becomes the normal of that plane,
/// which is (2a, 2b, 1 - aa - bb) / (1 + aa + bb) in them with the tilt (a, b).
struct pelt_normal_factors
{
    uint32_t vertex_count;
    uint32_t joint_count;
    uint32_t factor_count;               ///< == first[vertex_count]
    uint32_t max_factors;                ///< most factors on one vertex
    uint32_t slot_count;                 ///< that files keep for each vertex: 2, 3, 4 or 8; 0: as
                                         ///< few as hold max_factors
    uint32_t bits;                       ///< 16 or 8: see pelt_normal_factors_quantize(); 0: floats
    const uint32_t* first;               ///< vertex_count + 1 offsets
    const pelt_normal_factor* factors;   ///< factor_count
    const pelt_vec3* tangents;           ///< vertex_count: unit, perpendicular to the normals
    const pelt_vec2* tilts;              ///< vertex_count: no longer than 1
    const pelt_vec3* centers;            ///< vertex_count centers of rotation, also where a vertex
                                         ///< has one influence: there its neighbors' mean; or NULL
    const pelt_vec3* center_derivatives; ///< 2 * vertex_count: how fast the center of rotation
                                         ///< moves along the two axes; NULL with centers
};

typedef struct pelt_normal_options
{
    uint32_t max_joints; ///< most factors per vertex: 2, 3, 4 or 8; 0: no limit. The strongest
                         ///< influence stays, and those whose weights change most; the others are
                         ///< taken to move as the vertex does. Becomes slot_count
} pelt_normal_options;

/// Find the factors of a skinned mesh, in time proportional to its size.
///
/// The mesh is welded where position and weights are equal, so that seams do not show. Vertices
/// whose normals differ by more than a degree stay apart: there is a crease. Tangents are the
/// mesh's own made perpendicular to its normals; without tangents, or where one is parallel to
/// its normal, any direction serves, and without normals the triangles give them. Triangles without
/// area, or with a corner that nothing pulls on, do not count.
///
/// Made for the bind pose; where morphs turn normals, the axes are turned along, and where they
/// move positions alone, pelt_deform_input.displacements moves them.
///
/// @param mesh     skinned, with valid indices: see pelt_scene_validate()
/// @param cors     its centers of rotation, for PELT_METHOD_CRS; or NULL
/// @param options  NULL: all defaults
/// @param arena    owns the arrays of out
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_ARGUMENT for an option out of range; *out is
///         then {0}
PELT_API pelt_result pelt_normal_factors_build(pelt_normal_factors* out, const pelt_mesh* mesh,
                                               const pelt_vec3* cors,
                                               const pelt_normal_options* options,
                                               pelt_arena* arena);

/// Round factors to what integers of 16 or 8 bits hold, which files then keep them as.
///
/// A weight becomes a whole number of 1 / 65535 or 1 / 255, gradients and moments of the units of
/// their vertex, see pelt_normal_units(): the sums stay what they are, exactly. Components of
/// tangents and tilts become whole numbers of 1 / 32767, whatever the bits. Centers stay floats. A
/// vertex with more than 64 factors, or with a moment beyond 120 where bits are 8, is left without.
///
/// @param out    its centers are those of factors
/// @param bits   16 or 8
/// @param arena  owns the other arrays of out
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_ARGUMENT for other bits; *out is then {0}
PELT_API pelt_result pelt_normal_factors_quantize(pelt_normal_factors* out,
                                                  const pelt_normal_factors* factors, uint32_t bits,
                                                  pelt_arena* arena);

/// What the gradients (x) and the moments (y) of a vertex are whole numbers of, where factors have
/// bits: powers of two, so that nothing is rounded when they are multiplied out. The largest whole
/// number is at most 32767 or 127, and 1 / y is one too.
PELT_API pelt_vec2 pelt_normal_units(const pelt_normal_factors* factors, uint32_t vertex);

/// Check that factors fit a mesh and keep every promise of pelt_normal_factors: joints that exist,
/// finite numbers, sums to 1e-5 (rounding leaves 1e-7), tangents unit and
/// across the normals to 1e-3. pelt_scene_validate() does this for the factors of its meshes.
/// @param mesh   skinned, with valid weights
/// @param error  names the vertex, or what is missing
/// @return PELT_OK or PELT_ERROR_DATA
PELT_API pelt_result pelt_normal_factors_validate(const pelt_normal_factors* factors,
                                                  const pelt_mesh* mesh, pelt_error* error);

/// A neighbor of a vertex, with the gradient of the function that is 1 there and 0 at the other
/// neighbors: mean over the triangles around the vertex by area, in their plane, per meter.
typedef struct pelt_stencil_entry
{
    uint32_t vertex;
    pelt_vec3 gradient;
} pelt_stencil_entry;

/// How displacements bend the surface: with d the displacement of each vertex, the map of the
/// surroundings of vertex v is 1 + sum over its neighbors of (d[neighbor] - d[v]) gradient^T.
/// Vertices that are welded by pelt_normal_factors_build() are a group, and have one list.
struct pelt_stencils
{
    uint32_t vertex_count, group_count;
    const uint32_t* groups;            ///< vertex_count
    const uint32_t* first;             ///< group_count + 1 offsets
    const pelt_stencil_entry* entries; ///< first[group_count]; none of a group whose triangles say
                                       ///< nothing about the surface
    const pelt_vec3* normals;          ///< group_count: of the triangles, unit, or zero
};

/// Find the stencils of a mesh, skinned or not, for pelt_deform_input.displacements. Time is
/// proportional to the size of the mesh, memory about 120 bytes for a vertex.
/// @param mesh   with valid indices: see pelt_scene_validate()
/// @param arena  owns the arrays of out
/// @return PELT_OK or PELT_ERROR_MEMORY; *out is then {0}
PELT_API pelt_result pelt_stencils_build(pelt_stencils* out, const pelt_mesh* mesh,
                                         pelt_arena* arena);

/// Normals of a deformed mesh from its triangles: what the rules are measured with.
///
/// Authored normals differ from those of the triangles, on purpose or because triangles are coarse.
/// This difference is carried along by the mean deformation around the vertex: in the bind pose the
/// authored normals come back. Vertices are welded as by pelt_normal_factors_build(). The side is
/// that of the triangles, so a mirrored pose has its normals inside. Where triangles have no area
/// the authored normal stays.
///
/// @param out        mesh->vertex_count normals; may be mesh->normals
/// @param positions  mesh->vertex_count deformed positions
/// @return PELT_OK or PELT_ERROR_MEMORY
PELT_API pelt_result pelt_normals_recompute(pelt_vec3* out, const pelt_mesh* mesh,
                                            const pelt_vec3* positions);

// =============================================================================================
// Whole scenes
//
// The above for all meshes of a scene, in the order in which they build on each other: factors for
// normals follow from centers of rotation, and both from weights, which twist joints change.
//
//     pelt_scene better = *scene;
//     pelt_scene_add_cors(&better, PELT_PREPARE_MISSING, NULL, NULL, arena);
//     pelt_scene_add_normal_factors(&better, PELT_PREPARE_MISSING, NULL, NULL, arena);
//
// Both work on a copy of the struct, whose meshes they replace; the scene that it was copied from
// stays as it is and must outlive the copy. Frames of the copy deform with what was added,
// pelt_save_enhanced() writes it into the user's own file, and pelt_save_scene() into a new one.

/// Which of the meshes that something can be computed for.
typedef enum pelt_prepare_scope
{
    PELT_PREPARE_MISSING = 0, ///< those that lack it; the others keep what they have
    PELT_PREPARE_ALL,
} pelt_prepare_scope;

typedef struct pelt_scene_cor_report
{
    uint32_t mesh_count;    ///< meshes that got centers
    uint32_t problem_count; ///< solved for them: the meshes of one skin are one problem
    uint32_t factors_count; ///< meshes whose normal factors were dropped: centers changed
    pelt_cor_report total;  ///< sums over the problems; peak_bytes is that of the largest
} pelt_scene_cor_report;

/// Give skinned meshes their centers of rotation. Those that one skin deforms are solved together,
/// see pelt_cor_input, also where only one of them lacks centers; a mesh that several skins deform
/// goes with that of its first instance. Normal factors of the meshes that get centers are dropped,
/// since they were made with others, or with none.
/// @param inout    a copy of the struct of a valid scene; its meshes are replaced
/// @param options  NULL: all defaults; `progress` is told about all problems together, `stride`
///                 must be 0
/// @param report   may be NULL
/// @param arena    owns what is new; must live as long as *inout is used
/// @return as pelt_cor_solve(); after an error *inout is unchanged
PELT_API pelt_result pelt_scene_add_cors(pelt_scene* inout, pelt_prepare_scope scope,
                                         const pelt_cor_options* options,
                                         pelt_scene_cor_report* report, pelt_arena* arena);

typedef struct pelt_scene_normal_options
{
    uint32_t max_joints; ///< see pelt_normal_options; 0: no limit
    uint32_t bits;       ///< 16 or 8: see pelt_normal_factors_quantize(); 0: floats
} pelt_scene_normal_options;

typedef struct pelt_scene_normal_report
{
    uint32_t mesh_count;     ///< meshes that got factors
    uint32_t centered_count; ///< of these, with centers of rotation: for PELT_METHOD_CRS
    uint32_t bare_count;     ///< skinned meshes that got none, as they have no normals
    uint64_t vertex_count;   ///< of the meshes that got factors
    uint64_t varying_count;  ///< of these, with factors: weights are not constant around them
} pelt_scene_normal_report;

/// Give skinned meshes that have normals their normal factors, made with the mesh's own centers of
/// rotation where it has any. Factors made without them are missing in this sense.
/// @param inout    a copy of the struct of a valid scene; its meshes are replaced
/// @param options  NULL: all defaults
/// @param report   may be NULL
/// @param arena    owns what is new; must live as long as *inout is used
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_ARGUMENT for an option out of range; after an
///         error *inout is unchanged
PELT_API pelt_result pelt_scene_add_normal_factors(pelt_scene* inout, pelt_prepare_scope scope,
                                                   const pelt_scene_normal_options* options,
                                                   pelt_scene_normal_report* report,
                                                   pelt_arena* arena);

// =============================================================================================
// Digests
//
// Centers and factors are kept in files beside the mesh that they were computed for, and other
// programs change that mesh: they quantize positions, prune weights, bake transforms. A digest of
// what the data follow from tells whether they still fit.
//
// It depends neither on the order of vertices and triangles nor on whether equal vertices are
// welded, and leaves out triangles without three different corners: what keeps the surface to the
// last bit keeps the digest. docs/files.md defines it for other programs.

/// What centers of rotation follow from: positions, triangles and weights.
/// @return PELT_OK or PELT_ERROR_MEMORY; so the next
PELT_API pelt_result pelt_cor_digest(uint64_t* out, const pelt_mesh* mesh);

/// What normal factors follow from: these, the normals, and the centers of rotation.
/// @param cors  that the factors were built with; NULL: none
PELT_API pelt_result pelt_normal_digest(uint64_t* out, const pelt_mesh* mesh,
                                        const pelt_vec3* cors);

#ifdef __cplusplus
}
#endif

#endif
