// SPDX-License-Identifier: MIT
// All settings as one plain struct, and a table of their names: scripts set them by name, the state
// file lists all, and the configuration keeps those that outlast a session.
#ifndef PELT_SETTINGS_H
#define PELT_SETTINGS_H

#include "crowd/crowd_technique.h"
#include "pelt/metrics.h"
#include "pelt/pelt.h"

#include <jansson.h>

enum
{
    VIEW_MAX = 4,
};

/// The mode of the window.
typedef enum view_mode
{
    MODE_COMPARE = 0,
    MODE_CROWD, ///< many of the character, who play from one texture
    MODE_BENCHMARK,
    MODE_COUNT
} view_mode;

/// Where vertices are skinned.
typedef enum view_skinning
{
    SKINNING_CPU = 0,
    SKINNING_GPU,
    SKINNING_BONE_TEXTURE,   ///< joints from an animation texture, by shaders
    SKINNING_VERTEX_TEXTURE, ///< vertices from one
    SKINNING_COUNT
} view_skinning;

/// The meaning of the colors of a character.
typedef enum view_colors
{
    COLORS_MATERIALS = 0,
    COLORS_DIFFERENCE,   ///< distance to the first viewport
    COLORS_NORMAL_ERROR, ///< angle to the normals of the deformed triangles
    COLORS_WEIGHTS,      ///< of the chosen joint
    COLORS_JOINTS,       ///< weights of all joints, mixed of a color for each
    COLORS_MIX,          ///< factor between LBS and DQS
    COLORS_BULGE,        ///< metrics of pelt/metrics.h against the bind pose
    COLORS_RADIUS,
    COLORS_VOLUME,
    COLORS_STRAIN,
    COLORS_COUNT
} view_colors;

/// Where the colors of measured values end.
typedef enum heat_range
{
    HEAT_RANGE_CLIP = 0,   ///< at the largest of the clip
    HEAT_RANGE_PERCENTILE, ///< at what 95 % of the vertices have or less at this moment
    HEAT_RANGE_FIXED,
    HEAT_RANGE_COUNT
} heat_range;

/// How the first two viewports are laid over each other.
typedef enum view_overlay
{
    OVERLAY_NONE = 0,
    OVERLAY_WIPE,  ///< one on each side of a line
    OVERLAY_ONION, ///< the second half transparent over the first
    OVERLAY_COUNT
} view_overlay;

/// What the brush paints.
typedef enum brush_target
{
    BRUSH_MIX = 0, ///< factors between LBS and DQS
    BRUSH_WEIGHTS, ///< weights of the chosen joint
    BRUSH_COUNT
} brush_target;

typedef struct view_settings
{
    int mode;              ///< view_mode
    int layout;            ///< 0, 1, 2: 1, 2 or 4 viewports
    int overlay;           ///< view_overlay, of two viewports or more
    float split;           ///< of the wipe, from 0 to 1
    int methods[VIEW_MAX]; ///< pelt_method
    int skinnings[VIEW_MAX];
    int normals[VIEW_MAX]; ///< pelt_normal_rule

    // What a viewport may have of its own.
    float mixes[VIEW_MAX];         ///< factor between LBS and DQS; below 0: that of all
    int own_conventions[VIEW_MAX]; ///< pelt_convention, plus 1; 0: that of all
    int own_signs[VIEW_MAX];       ///< pelt_sign_rule, plus 1; 0: that of the convention
    int variants[VIEW_MAX];        ///< pelt_dqs_variant
    float corrections[VIEW_MAX];   ///< pelt_deform_options.distance_correction
    int references[VIEW_MAX];      ///< viewport that it is compared with

    float mix;          ///< 0 is LBS, 1 is DQS
    bool has_own_mix;   ///< factors per vertex of the file instead
    bool has_brush;     ///< the mouse paints
    int brush_target;   ///< brush_target
    float brush_radius; ///< in parts of the diagonal of the character's box
    float brush_strength;
    float brush_value;      ///< factor that is painted
    int brush_tool;         ///< weight_tool
    bool is_brush_mirrored; ///< weights are painted on both sides
    float sigma, epsilon;   ///< of centers of rotation
    int bake_encoding;      ///< pelt_encoding of bone textures
    float bake_rate;        ///< of textures, Hz; 0: the keys of the clip
    bool is_spherical;      ///< matrices are interpolated with rotations on the arc
    bool is_merged;         ///< copies of a vertex share their slot in vertex textures
    int convention;         ///< pelt_convention
    int sign_rule;          ///< pelt_sign_rule

    float lens;           ///< vertical field of view, degrees
    bool is_orthographic; ///< a field of view near 0
    bool is_following;    ///< the camera moves along with characters that travel

    bool is_playing, is_looping;
    float speed;
    float fade; ///< seconds of a cross-fade

    int colors;      ///< view_colors
    int heat_range;  ///< heat_range
    float heat_high; ///< of HEAT_RANGE_FIXED: millimeters, or percent
    bool has_heat;   ///< pane on the right
    bool has_doctor; ///< the same
    bool has_ground, has_wire, has_bones, has_centers, has_boxes, has_facets, has_turntable;
    bool has_gray; ///< one material for all, without textures
    bool has_joint_boxes, has_texture_boxes, has_normals, has_textures;
    bool has_gizmo;                                               ///< of the chosen joint
    bool has_side, has_parameters, has_pose, has_show, has_debug; ///< panes on the right
    bool has_performance, has_texture;                            ///< panes above the timeline
    bool has_help;
    bool has_vsync;

    int texture_view; ///< viewport whose texture is shown, or else the first that has one

    int debug_form;        ///< 0: matrix, 1: dual quaternion
    bool debug_skips_bind; ///< show where the joint is, not its motion since the bind pose

    // Crowd mode.
    int crowd_method;     ///< pelt_method
    float crowd_count;    ///< members, a whole number
    float crowd_spacing;  ///< meters; 0: as much as the character needs
    float crowd_seed;     ///< a whole number
    float crowd_period;   ///< seconds from one clip to the next
    float crowd_distance; ///< meters from which vertex textures are drawn
    bool crowd_has_fades, crowd_has_culling, crowd_has_levels;
    bool crowd_has_colors; ///< by level
    bool crowd_is_frozen;  ///< the frustum that culls

    // Benchmark mode.
    int bench_technique; ///< crowd_technique on show
    float bench_instances;
    float bench_spacing; ///< 1: room to rotate
    bool bench_updates;  ///< every instance moves in every frame
    float bench_seconds; ///< for each technique, about
    bool bench_tests[CROWD_TECHNIQUE_COUNT];
    bool bench_stages[CROWD_STAGE_COUNT]; ///< of A/B tests
} view_settings;

/// The defaults.
view_settings settings_default(void);

/// The field of view of the camera, in radians.
float settings_lens(const view_settings* in);

/// Viewports that are drawn.
uint32_t settings_view_count(const view_settings* in);

/// view_overlay; NONE for one viewport.
view_overlay settings_overlay(const view_settings* in);

typedef enum setting_kind
{
    SETTING_FLAG,   ///< bool
    SETTING_NUMBER, ///< float
    SETTING_CHOICE, ///< int
} setting_kind;

typedef struct setting
{
    const char* name;
    setting_kind kind;
    size_t offset; ///< in settings
    bool is_kept;  ///< in the configuration
    float low, high;
    const char* const* choices;  ///< or name_of
    const char* (*name_of)(int); ///< the name of a choice
    int choice_count;
} setting;

/// Set by name and text: "mix" "0.3", "show.wire" "on", "view.1.method" "crs".
/// @return PELT_OK, or PELT_ERROR_ARGUMENT with the names or the range that there are
pelt_result settings_set(view_settings* inout, const char* name, const char* value,
                         pelt_error* error);

/// Add all settings as members, or only those that are kept.
void settings_write(json_t* object, const view_settings* in, bool only_kept);

/// Apply members that are valid, and ignore the rest.
void settings_read(view_settings* inout, const json_t* object);

extern const char* const settings_modes[MODE_COUNT];
extern const char* const settings_skinnings[SKINNING_COUNT];
extern const char* const settings_colors[COLORS_COUNT];
extern const char* const settings_brush_tools[3]; ///< by weight_tool

/// Names of values, as the library and the benchmark have them.
const char* settings_technique_name(int technique); ///< "control" ...
const char* settings_method_name(int method);       ///< "LBS" ...
const char* settings_normals_name(int rule);
const char* settings_convention_name(int convention);
const char* settings_sign_rule_name(int rule);
const char* settings_encoding_name(int encoding);
const char* settings_variant_name(int variant);
const char* settings_viewport_name(int view);         ///< "1" ...
const char* settings_own_convention_name(int choice); ///< "as all", or choice - 1
const char* settings_own_sign_name(int choice);

enum
{
    SETTINGS_ENCODING_COUNT = PELT_ENCODING_VERTEX, ///< those of joints
};

/// Sets of techniques for several viewports.
typedef enum view_preset
{
    PRESET_METHODS = 0, ///< LBS, DQS, CRS and mix
    PRESET_MIX,         ///< mix by factors from 0 to 1
    PRESET_NORMALS,     ///< one method with each rule of normals
    PRESET_TEXTURES,    ///< one method by shaders and from textures
    PRESET_COUNT
} view_preset;

extern const char* const settings_presets[PRESET_COUNT];

/// Apply a preset: four viewports, or two of normals.
void settings_apply_preset(view_settings* inout, view_preset preset);

/// The convention of a viewport.
pelt_convention settings_convention(const view_settings* in, uint32_t view);

/// The viewport that another is compared with, among those that are shown.
uint32_t settings_reference(const view_settings* in, uint32_t view);

/// How a viewport deforms.
pelt_deform_options settings_deform_options(const view_settings* in, uint32_t view);

/// The metric that colors show, or PELT_METRIC_COUNT.
pelt_metric settings_metric(const view_settings* in);

/// Whether two sets of options mean the same.
bool settings_deform_is_same(const pelt_deform_options* a, const pelt_deform_options* b);

/// Whether shaders give what the CPU gives under these options.
bool settings_fit_gpu(const pelt_deform_options* options, pelt_convention convention);

#endif
