// SPDX-License-Identifier: MIT
// A crowd on the GPU: bakes and meshes of each level of detail, members, and the picture of those
// in view. Needs no window; tests draw with it too.
#ifndef PELT_CROWD_SCENE_H
#define PELT_CROWD_SCENE_H

#include "pelt/gl.h"
#include "pelt/render.h"

enum
{
    CROWD_LEVELS = 2, ///< bone texture near, vertex texture far
};

/// Costs of a frame.
typedef struct crowd_counts
{
    uint32_t members, visible;
    uint32_t by_level[CROWD_LEVELS];
    uint32_t fading; ///< of the visible
    uint32_t draw_calls;
    uint64_t triangles, vertices;
} crowd_counts;

/// A bake on the GPU, with the members that play it, and the meshes and programs that draw it.
typedef struct crowd_level
{
    pelt_gl_baked texture;
    pelt_gl_crowd crowd;
    struct crowd_part* parts; ///< one for each instance of the scene
} crowd_level;

typedef struct crowd_scene
{
    pelt_gl* gl;
    const pelt_scene* scene;
    const pelt_baked* baked; ///< of level 0
    pelt_method method;
    float mix;
    pelt_gpu_scale scale; ///< of joints; NONE under LBS, whose matrices have it
    pelt_crowd_bounds bounds;
    crowd_level levels[CROWD_LEVELS];
    uint32_t level_count; ///< that there are bakes for
    uint32_t* textures;   ///< of materials; 0: none
    float ground;         ///< height
    float footprint;      ///< radius of a member's shadow
    float spacing;        ///< at which members do not touch, whatever they play
    float radius;         ///< of the crowd, meters
    uint32_t empty_array, shadow_array, shadow_buffer;

    uint32_t count;
    pelt_crowd_transform* transforms;
    pelt_playback* playbacks;
    uint8_t* member_levels;
    pelt_crowd_visible* visible;
    uint32_t* order;
    pelt_crowd_transform* shadows; ///< transforms of those whose shadow is in view
    pelt_range by_level[PELT_CROWD_LEVEL_MAX];
    crowd_counts counts; ///< of the last frame
} crowd_scene;

typedef struct crowd_scene_desc
{
    const pelt_scene* scene;
    const pelt_picture* textures;          ///< PELT_SLOT_COUNT for each material; NULL: none
    const pelt_baked* bakes[CROWD_LEVELS]; ///< of all clips; NULL after the first: no such level
    uint32_t count;                        ///< members
    pelt_method method; ///< of bakes of joints; one that has shaders, and the centers that it needs
    float mix;          ///< 0 is LBS, 1 is DQS
} crowd_scene_desc;

/// @param desc  scene and bakes must outlive the stage
/// @return PELT_OK, or as pelt_gl_crowd_create()
pelt_result crowd_scene_create(crowd_scene** out, pelt_gl* gl, const crowd_scene_desc* desc,
                               pelt_error* error);
void crowd_scene_destroy(crowd_scene* in); ///< NULL is allowed

/// Give each member its transform.
void crowd_scene_arrange(crowd_scene* inout, const pelt_crowd_act* act, float spacing);

/// Advance all members, and find which are in view.
/// @param view  levels that are not there are left out
void crowd_scene_play(crowd_scene* inout, const pelt_crowd_act* act, double time,
                      const pelt_crowd_view* view);

/// Upload the members in view.
pelt_result crowd_scene_upload(crowd_scene* inout, pelt_error* error);

typedef struct crowd_shot
{
    float clip_from_world[16];
    pelt_vec3 eye;
    bool has_level_colors; ///< instead of materials
    bool has_ground;
    const float* frozen; ///< clip_from_world of a frustum to show as lines; NULL: none
} crowd_shot;

/// Draw into the bound framebuffer, over all of it. Leaves depth test and blending off.
pelt_result crowd_scene_draw(crowd_scene* inout, const crowd_shot* shot, pelt_error* error);

extern const pelt_color crowd_level_colors[CROWD_LEVELS];

// ---------------------------------------------------------------------------------------------
// Mesh of a bake

/// Upload the mesh of an instance. Shaders add no morph targets: those that a bake of joints leaves
/// at default weights become part of the rest surface. A bake of vertices is relative to the mesh
/// as it is.
/// @param mix_factors  of its vertices; NULL: none
/// @return as pelt_gl_mesh_create()
pelt_result bake_mesh_create(pelt_gl_mesh* out, pelt_gl* gl, const pelt_baked* baked,
                             const pelt_scene* scene, uint32_t instance, const float* mix_factors,
                             pelt_error* error);

#endif
