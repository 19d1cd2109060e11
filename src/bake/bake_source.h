// SPDX-License-Identifier: MIT
// The source of a bake: its joints, the vertices that they move, and their motions at a time.
#ifndef PELTI_BAKE_SOURCE_H
#define PELTI_BAKE_SOURCE_H

#include "../../include/pelt/bake.h"

/// A joint of the bake. Distances are weighted: a joint with weight w on a vertex moves it by w
/// times as much.
typedef struct pelti_bake_joint
{
    const char* name;
    pelt_baked_joint_kind kind;
    uint32_t node;
    pelt_mat34 inverse; ///< inverse bind matrix
    uint32_t above;     ///< joint on the same node or the nearest one above, or PELT_NONE
    bool is_used;       ///< a vertex or a socket follows it
    pelt_vec3 center;   ///< of its vertices, by weight
    pelt_vec3 origin;   ///< of the joint itself; both in bind space
    float weight;       ///< the largest on any vertex
    float center_reach; ///< farthest vertex from the center, in units of bind space
    float origin_reach;
    float scale; ///< from bind space to the model, at rest
} pelti_bake_joint;

/// A vertex at which errors are measured.
typedef struct pelti_bake_probe
{
    pelt_vec3 position;
    uint32_t first, count; ///< in pelti_probe_list.influences
} pelti_bake_probe;

/// The weight of a joint of the bake on a probe.
typedef struct pelti_bake_influence
{
    uint32_t joint;
    float weight;
} pelti_bake_influence;

typedef struct pelti_probe_list
{
    uint32_t count;
    pelti_bake_probe* probes;
    pelti_bake_influence* influences;
} pelti_probe_list;

typedef struct pelti_bake_source
{
    const pelt_scene* scene;
    uint32_t joint_count;
    pelti_bake_joint* joints;
    uint32_t* order;           ///< joint_count, ancestors first
    uint32_t* first_joints;    ///< one per instance of the scene
    pelti_probe_list vertices; ///< all, of all instances
    pelti_probe_list probes;   ///< the extreme vertices of each joint, for searches
    float height;              ///< of the scene at rest, meters
    float size;                ///< largest extent at rest
    pelt_arena* arena;
} pelti_bake_source;

/// @param has_ancestors  animated nodes above joints become joints too
/// @param arena          owns the arrays
pelt_result pelti_bake_source_create(pelti_bake_source* out, const pelt_scene* scene,
                                     const pelt_bake_options* options, bool has_ancestors,
                                     pelt_arena* arena, pelt_error* error);

/// The position of a vertex by linear blending.
/// @param motions  of all joints
static inline pelt_vec3 pelti_probe_position(const pelti_probe_list* list, uint32_t index,
                                             const pelt_mat34* motions)
{
    const pelti_bake_probe* probe = &list->probes[index];
    const pelti_bake_influence* influences = list->influences + probe->first;
    pelt_vec3 moved = probe->count > 0 ? pelt_vec3_make(0.0f, 0.0f, 0.0f) : probe->position;
    for (uint32_t i = 0; i < probe->count; ++i)
    {
        moved = pelt_vec3_mad(moved, influences[i].weight,
                              pelt_mat34_point(&motions[influences[i].joint], probe->position));
    }
    return moved;
}

/// Buffers to sample poses with, one for each thread.
typedef struct pelti_bake_sampler
{
    pelt_pose pose;
    pelt_cursor cursor;
    pelt_mat34* model_from_node;
} pelti_bake_sampler;

pelt_result pelti_bake_sampler_create(pelti_bake_sampler* out, const pelt_scene* scene);
void pelti_bake_sampler_destroy(pelti_bake_sampler* sampler);

/// The motion of every joint from the bind pose to the model.
/// @param clip  NULL: the scene at rest
void pelti_bake_sample(pelt_mat34* out, const pelti_bake_source* source,
                       pelti_bake_sampler* sampler, const pelt_clip* clip, float time);

/// Buffers to deform a whole scene with, one for each thread.
typedef struct pelti_surface_sampler
{
    pelt_pose pose;
    pelt_cursor cursor;
    pelt_frame frame;
} pelti_surface_sampler;

/// @param prepared  a frame whose deformers to use; NULL: the reference, so that a bake has the
/// same
///                  bytes on every machine
pelt_result pelti_surface_sampler_create(pelti_surface_sampler* out, const pelt_scene* scene,
                                         const pelt_frame* prepared);
void pelti_surface_sampler_destroy(pelti_surface_sampler* sampler); ///< {0} is allowed

/// Deform all instances: positions and normals are in sampler->frame.surfaces.
void pelti_surface_sample(pelti_surface_sampler* sampler, const pelt_scene* scene,
                          const pelt_clip* clip, float time, const pelt_deform_options* options);

// ---------------------------------------------------------------------------------------------
// Times

/// Keys of a run, evenly spaced from start to end.
typedef struct pelti_run_times
{
    double start, end;  ///< first key; last key, or with wraps the first key again
    uint32_t intervals; ///< between them; 0: one key
    bool is_held;
    bool is_open;       ///< the clip jumps at its end: the last key is sampled before
    double before_jump; ///< when that jump begins, if is_open
} pelti_run_times;

typedef struct pelti_clip_times
{
    bool wraps, loops;
    double source_interval; ///< of the grid of the source's keys, in seconds
    bool is_exact;          ///< LOCAL: interpolated keys reproduce the source at any time
    uint32_t run_count;
    pelti_run_times* runs;
} pelti_clip_times;

/// Find the times of a clip.
/// @param min_rate  keys per second at least, by dividing intervals of the source; not where
///                  out->is_exact, which needs no more than the source's own
pelt_result pelti_clip_times_find(pelti_clip_times* out, const pelti_bake_source* source,
                                  const pelt_clip* clip, const pelt_bake_options* options,
                                  double min_rate, pelt_arena* arena);

/// The same runs with fewer intervals, or more.
/// @param divisor     keep every divisor-th key
/// @param multiplier  divide each interval into this many first
pelt_result pelti_clip_times_scale(pelti_clip_times* out, const pelti_clip_times* times,
                                   uint32_t divisor, uint32_t multiplier, pelt_arena* arena);

uint32_t pelti_run_key_count(const pelti_run_times* run, bool wraps);

/// Time at interval x of a run, in seconds.
float pelti_run_time(const pelti_run_times* run, double x);

#endif
