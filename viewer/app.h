// SPDX-License-Identifier: MIT
// The state of pelt-view, and what changes it.
#ifndef PELT_APP_H
#define PELT_APP_H

#include "benchmark/benchmark.h"
#include "crowd/crowd_mode.h"
#include "file_list.h"
#include "gui.h"
#include "model/job.h"
#include "model/model.h"
#include "panes/performance.h"

enum
{
    RECENT_MAX = 8,
    EDIT_HISTORY_MAX = 128,
    PATH_BYTES = 1024,
    WINDOW_MIN_WIDTH = 840, ///< units of the layout: the toolbar fits
    WINDOW_MIN_HEIGHT = 480,
};

/// Files that are waiting.
typedef struct file_queue
{
    char** paths;
    uint32_t count, next;
} file_queue;

/// Clips that were added to a character of other proportions.
typedef struct other_clips
{
    uint32_t first, count; ///< count 0: none
    bool is_rotation_wanted;
    char warning[192];
} other_clips;

// The interaction of the mouse with a character in a viewport, and the order of changes, for undo.
typedef enum edit_kind
{
    EDIT_POSE = 0,
    EDIT_MIX,
    EDIT_WEIGHTS,
} edit_kind;

/// What a drag with the left button does to the camera.
typedef enum camera_drag
{
    CAMERA_DRAG_NONE = 0,
    CAMERA_DRAG_ROTATE,
    CAMERA_DRAG_PAN,
} camera_drag;

typedef struct edit_state
{
    edit_kind history[EDIT_HISTORY_MAX]; ///< oldest first
    uint32_t history_count;

    bool is_joint_picked;  ///< by a person: then it has a gizmo
    bool is_list_scrolled; ///< the list of joints is to show the chosen one
    bool is_splitting;     ///< the line of the wipe is dragged
    int camera_drag;       ///< of the left button: camera_drag
    uint32_t camera_view;  ///< viewport in which it began
    uint32_t hot_ring;     ///< below the mouse, or PELT_NONE
    uint32_t held_ring;    ///< that is being dragged, or PELT_NONE
    bool is_painting;
    int target;            ///< of this stroke: brush_target
    bool is_waiting;       ///< a change of weights waits until no job reads them
    uint32_t undo_waiting; ///< changes that are to be taken back then
    uint32_t view;         ///< in which it is dragged
    pixel last;            ///< where the mouse was

    int shown_brush;   ///< of the last frame: brush_target, plus 1; 0: none
    int colors_before; ///< that the brush has replaced
} edit_state;

/// An animation texture as a picture: the highest byte of each component of a texel.
typedef struct texel_picture
{
    uint32_t texture;        ///< of OpenGL, 0: none
    const pelt_baked* shown; ///< that it was made of, to be compared only
    uint32_t revision;       ///< of it
} texel_picture;

typedef struct file_browser
{
    bool is_open, is_saving;
    int type; ///< of the files that are listed
    file_list list;
    char path[PATH_BYTES]; ///< of the folder, while it is typed
    char name[256];        ///< of the file that is saved
} file_browser;

/// What waits until it is known whether unsaved paint may be lost.
typedef enum unsaved_question
{
    QUESTION_NONE = 0,
    QUESTION_QUIT,
    QUESTION_SHOW, ///< another character
} unsaved_question;

typedef struct view_app
{
    // The environment.
    GLFWwindow* window;
    pelt_gl* gl;
    pelt_pool* pool;
    float scale;      ///< pixels per unit of the layout
    bool is_scripted; ///< time goes by frames, without waiting: --frames, --script
    uint64_t frame;   ///< drawn with a character so far
    bool is_done;

    // The content.
    view_settings settings;
    view_model* model; ///< NULL: the first is being loaded
    const char** clip_names;
    view_job job;
    char waiting[PATH_BYTES]; ///< file to open when the job, which is canceled, has ended; "": none
    character_purpose waiting_purpose;
    file_queue offered;       ///< files that may have clips for the character
    bool is_clip_wanted;      ///< the first clip that comes from them is played
    bool is_relative_to_rest; ///< their clips are applied relative to the rest poses
    other_clips other_clips;
    playback playback;
    pose_edit edit;
    edit_state tools;
    orbit camera;
    orbit placed;         ///< the camera as it was set; until moved, it follows clip and viewports
    float placed_aspect;  ///< of these; 0: not placed
    float view_size[2];   ///< of each viewport, pixels
    uint32_t wanted_view; ///< viewport whose surface has it
    bool is_looking_at_worst; ///< when the next frame has been drawn, the camera goes to `wanted`
    profile_place wanted;
    int placed_mode;
    uint32_t placed_clip;
    uint32_t trim_count; ///< frames after which freed memory is still given back
    uint32_t joint;      ///< node that is chosen, or PELT_NONE
    performance performance;
    texel_picture texels;
    float texel_zoom, texel_x, texel_y; ///< of the Texture pane, pixels
    bool is_texel_free;                 ///< it does not follow the play-head
    float texel_field[2];               ///< width and height of what it is seen in, pixels

    benchmark benchmark;
    view_crowd crowd;

    // Texts and values that are edited before they are applied.
    int next_encoding;
    float next_rate;
    char filter[64];
    char pose_path[PATH_BYTES];
    char save_path[PATH_BYTES];
    char open_path[PATH_BYTES];

    bool is_picture_wanted; ///< at the end of this frame
    char picture_path[PATH_BYTES];
    file_browser browser;
    unsaved_question question;
    bool is_answered, is_discarded; ///< by the interface; acted upon before the next frame
    view_character* held;           ///< QUESTION_SHOW: that is to be shown
    uint32_t saved_revisions[2];    ///< of mix factors and weights, as they are in a file

    char error[600]; ///< of the pop-up; "": none
    char note[600];  ///< a line in the toolbar: what was written, or is missing
    char* recent[RECENT_MAX];
    uint32_t recent_count;
} view_app;

/// Load a file or rig in the background; the old character stays until it is done. A file with
/// clips only adds them to it, if they fit.
void app_open(view_app* inout, const char* path);

/// Open the first of several files; the others add their clips, if they have the same skeleton, or
/// are put on the list of recent files.
/// @param is_dropped  the first adds its clips too, rather than replace a character that has its
///                    skeleton
void app_open_files(view_app* inout, const char* const* paths, uint32_t count, bool is_dropped);

/// Write the character with what was painted, and tell. @return false: it did not work
bool app_save(view_app* inout, const char* path);

/// End the program, or ask first whether unsaved paint may be lost.
void app_quit(view_app* inout);

/// The answer to the question, which app_update() acts upon: the interface of this frame shows
/// pictures of the character. @param is_discarded  go on without saving
void app_answer(view_app* inout, bool is_discarded);
void app_update_answer(view_app* inout);

/// Take ownership of what was loaded.
/// @param loaded  is freed, or becomes the current character
void app_take_file(view_app* inout, view_character* loaded, character_purpose purpose);

/// Open the file that waits for the last job to end.
/// @return false: there is none
bool app_open_waiting(view_app* inout);

/// Load the next of the files that were offered. @return false: there is none
bool app_open_offered(view_app* inout);
void app_forget_offered(view_app* inout);

/// Remove translations and scales from clips of other proportions, once no job uses them.
void app_keep_rotations(view_app* inout);

/// Do so now, if it was requested.
void app_update_clips(view_app* inout);

/// Replace the current character.
void app_show(view_app* inout, view_character* character);

/// The character has changed: textures of it, crowds and benchmarks are to be made again.
void app_forget_bakes(view_app* inout);

/// Make the list of clips for menus.
void app_name_clips(view_app* inout);

/// Whether centers of rotation have to be solved, according to settings.
bool app_needs_centers(const view_app* in);

/// The settings with the method that crowds have: LBS as long as centers of rotation are missing.
view_settings app_crowd_settings(const view_app* in);

/// Show a sentence in a pop-up.
void app_fail(view_app* inout, const char* message);

/// Actions of a key or a button.
typedef enum app_command
{
    COMMAND_NONE = 0,
    COMMAND_PLAY,
    COMMAND_STEP_BACK,
    COMMAND_STEP_FORWARD,
    COMMAND_START,
    COMMAND_RESET_CAMERA,
    COMMAND_FRAME, ///< the chosen joint, or all of the character
    COMMAND_FRONT,
    COMMAND_SIDE_VIEW,
    COMMAND_TOP,
    COMMAND_THREE_QUARTER,
    COMMAND_WIPE,
    COMMAND_ONION,
    COMMAND_GRAY,
    COMMAND_PICTURE, ///< save the viewports as they are shown
    COMMAND_WORST,   ///< go to the largest value of the heat map in the clip
    COMMAND_ORTHOGRAPHIC,
    COMMAND_ONE_VIEW,
    COMMAND_TWO_VIEWS,
    COMMAND_FOUR_VIEWS,
    COMMAND_HEAT_MAP,
    COMMAND_WIRE,
    COMMAND_BONES,
    COMMAND_GROUND,
    COMMAND_NORMALS,
    COMMAND_TURNTABLE,
    COMMAND_GIZMO,
    COMMAND_BRUSH,
    COMMAND_WEIGHT_BRUSH,
    COMMAND_SIDE,
    COMMAND_PERFORMANCE,
    COMMAND_TEXTURE,
    COMMAND_TEXTURE_BACK,
    COMMAND_TEXTURE_FORWARD,
    COMMAND_TEXTURE_RESET,
    COMMAND_MODE,
    COMMAND_HELP,
    COMMAND_CLOSE, ///< the page of keys
    COMMAND_UNDO,
    COMMAND_OPEN,
    COMMAND_SAVE,
    COMMAND_QUIT,
} app_command;

void app_run_command(view_app* inout, app_command command);

/// Choose a clip by its index, at once or by a fade.
void app_choose_clip(view_app* inout, uint32_t clip, float fade_seconds);

/// Start the benchmark of crowds, in benchmark mode.
pelt_result app_start_benchmark(view_app* inout, pelt_error* error);

/// Apply results of the background, start what settings require, and advance time.
/// @param seconds  since the last frame
void app_update(view_app* inout, float seconds);

/// Draw the viewports.
/// @param width,height  of each, in pixels
void app_draw(view_app* inout, uint32_t width, uint32_t height);

/// The name without folders.
const char* app_model_name(const view_app* in);

/// Put a file first on the list of recent files.
void app_add_recent(view_app* inout, const char* path);
void app_destroy(view_app* inout);

#endif
