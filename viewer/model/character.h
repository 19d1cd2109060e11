// SPDX-License-Identifier: MIT
// A character in memory: a background thread loads a file, first everything that is needed to show
// it, then centers of rotation and normal factors.
#ifndef PELT_CHARACTER_H
#define PELT_CHARACTER_H

#include "outline.h"
#include "pelt/prepare.h"
#include "picture.h"

/// Centers of rotation and normal factors of a scene.
typedef struct character_data
{
    pelt_scene scene; ///< a shallow copy, with what was added
    pelt_arena* arena;
    bool is_solved;       ///< else these are missing where the file has none
    float sigma, epsilon; ///< of the centers, or of the attempt to solve for them; 0: none yet
    double solve_ms;      ///< that they took
} character_data;

typedef struct view_character
{
    char* path;        ///< as it was given: a file, or "rig:human"
    pelt_scene* scene; ///< as it was loaded
    character_data data;
    pelt_textures textures; ///< of its materials
    uint32_t clip;          ///< to begin with, or PELT_NONE
    float farthest;         ///< between LBS and DQS in that clip, meters; 0 if not measured
    outline* outlines;      ///< in each clip, then in the stored pose; empty: not measured yet
    uint64_t vertex_count;
    bool has_clips_only; ///< clips for the character of the request: only path and scene are there
} view_character;

/// Called with the part that is done and what is being done; return false to cancel.
typedef bool (*character_progress)(float part, const char* what, void* user);

/// When a file is a source of clips for the current character, rather than a new one.
typedef enum character_purpose
{
    CHARACTER_OPEN = 0, ///< when it has no mesh
    CHARACTER_DROP,     ///< when it has no mesh, or the same skeleton
    CHARACTER_OFFER,    ///< the same; if it is none, it is loaded no further than to know
} character_purpose;

typedef struct character_request
{
    const char* path;
    character_purpose purpose;
    const pelt_scene* host; ///< the character that is there; NULL: none
    float sigma, epsilon;
    character_progress progress;
    void* user;
} character_request;

/// Load a file or build a rig, its textures, and find the clip in which methods differ most. It can
/// be shown by all methods that need no centers of rotation; character_prepare() solves for them.
/// @param out  free with character_destroy(); NULL after a failure
pelt_result character_load(view_character** out, const character_request* request,
                           pelt_error* error);
void character_destroy(view_character* in); ///< NULL is allowed

/// The outline of a clip, which is measured if it was not yet. @param clip  or PELT_NONE
const outline* character_outline(view_character* inout, uint32_t clip);

/// The box of a clip, which is measured if it was not yet. @param clip  or PELT_NONE
pelt_bounds character_box(view_character* inout, uint32_t clip);

/// Add clips by the names of joints, called after the file where a name is taken.
/// @param from                 has_clips_only
/// @param is_relative_to_rest  see pelt_add_clips_options
pelt_result character_add_clips(view_character* inout, pelt_add_clips_report* report,
                                const view_character* from, bool is_relative_to_rest);

/// Remove all tracks of nodes but rotations from some clips.
pelt_result character_keep_rotations(view_character* inout, uint32_t first_clip, uint32_t count);

/// The name of a path without folders.
const char* character_file_name(const char* path);

/// Solve for centers, and for the normal factors that depend on them.
/// @param out  free with character_data_destroy()
pelt_result character_prepare(character_data* out, const pelt_scene* scene,
                              const character_request* request, pelt_error* error);
void character_data_destroy(character_data* in);

/// Milliseconds of a clock that never goes back.
double character_clock(void);

#endif
