// SPDX-License-Identifier: MIT
// The state of the FBX reader, from the objects of the file to the scene. pelti_read_fbx() calls
// the parts in order.
#ifndef PELT_FBX_READ_H
#define PELT_FBX_READ_H

#include "../load_report.h"
#include "fbx_dom.h"

// ---------------------------------------------------------------------------------------------
// Objects and connections

typedef enum pelti_fbx_class
{
    PELTI_FBX_OTHER = 0,
    PELTI_FBX_MODEL,
    PELTI_FBX_GEOMETRY,
    PELTI_FBX_DEFORMER, ///< skins, clusters, blend shapes and their channels
    PELTI_FBX_MATERIAL,
    PELTI_FBX_TEXTURE,
    PELTI_FBX_VIDEO,
    PELTI_FBX_POSE,
    PELTI_FBX_STACK,
    PELTI_FBX_LAYER,
    PELTI_FBX_CURVE_NODE,
    PELTI_FBX_CURVE,
} pelti_fbx_class;

typedef struct pelti_fbx_object
{
    int64_t id;
    pelti_fbx_class kind;
    const pelti_fbx_node* node;
    const char* name;
    const pelti_fbx_value* subtype;     ///< "Mesh", "Cluster" ...; or NULL
    const pelti_fbx_node* properties;   ///< its own, or NULL
    const pelti_fbx_node* defaults;     ///< defaults of its class, or NULL
    uint32_t first_child, first_parent; ///< links, or PELT_NONE
} pelti_fbx_object;

typedef struct pelti_fbx_link
{
    uint32_t child, parent;           ///< objects; parent PELT_NONE: the root of the scene
    const pelti_fbx_value* property;  ///< property of the parent; NULL: the parent itself
    uint32_t next_child, next_parent; ///< next link of the same parent, next link of the same child
} pelti_fbx_link;

// ---------------------------------------------------------------------------------------------
// Curves

/// Ticks per second, the time unit of FBX.
#define PELTI_FBX_SECOND 46186158000.0

/// A key and the interpolation up to the next one.
typedef struct pelti_fbx_key
{
    double time; ///< in ticks of FBX
    double value;
    char interpolation; ///< 'c' constant, 'n' constant at the next value, 'l' line, 's' spline
    double slope_in, slope_out; ///< per tick
    double weight_in,
        weight_out; ///< length of the handles as a fraction of the time between the keys
} pelti_fbx_key;

typedef struct pelti_fbx_curve
{
    uint32_t key_count;
    const pelti_fbx_key* keys;
} pelti_fbx_curve;

/// A time at which a function is evaluated. At a discontinuity, the limits from the left and from
/// the right differ.
typedef struct pelti_fbx_moment
{
    double time;
    bool is_before; ///< limit from the left
} pelti_fbx_moment;

pelt_result pelti_fbx_load_curve(pelti_fbx_curve* out, pelti_fbx_file* file,
                                 const pelti_fbx_node* node);
double pelti_fbx_curve_at(const pelti_fbx_curve* curve, pelti_fbx_moment moment);

typedef enum pelti_fbx_blend
{
    PELTI_FBX_ADDITIVE = 0,
    PELTI_FBX_OVERRIDE,    ///< hides the layers before it, whatever its weight
    PELTI_FBX_PASSTHROUGH, ///< hides them by its weight
} pelti_fbx_blend;

/// An animation layer after the first of its take: see fbx_layer.c.
typedef struct pelti_fbx_layer
{
    pelti_fbx_blend blend;
    bool blends_quaternions, multiplies_scales; ///< otherwise angles and scales are added
    bool is_muted, is_solo;
    double weight;                ///< percentage
    pelti_fbx_curve weight_curve; ///< without keys: constant
} pelti_fbx_layer;

/// Animation of one property in one layer: an AnimationCurveNode and its curves.
typedef struct pelti_fbx_drive
{
    bool is_present;
    const pelti_fbx_curve* curves[3]; ///< NULL: constant
    double values[3];
    const pelti_fbx_layer* layer; ///< NULL: the first
    struct pelti_fbx_drive* next; ///< the same property in the next layer that has it
} pelti_fbx_drive;

typedef enum pelti_fbx_property
{
    PELTI_FBX_TRANSLATION,
    PELTI_FBX_ROTATION,
    PELTI_FBX_SCALE,
    PELTI_FBX_PERCENT, ///< of a blend shape channel
    PELTI_FBX_PROPERTIES
} pelti_fbx_property;

/// The value over all layers.
/// @param order  rotation order of the Euler angles
void pelti_fbx_drive_at(double out[3], const pelti_fbx_drive* drive, pelti_fbx_property which,
                        int order, pelti_fbx_moment moment);

/// The value of a layer that changes nothing, for channels that it does not have.
/// @param rest  value of the object
double pelti_fbx_neutral(const pelti_fbx_layer* layer, pelti_fbx_property which, double rest);

/// The animated properties of one object in one take.
typedef struct pelti_fbx_motion
{
    pelti_fbx_drive drives[PELTI_FBX_PROPERTIES];
} pelti_fbx_motion;

typedef struct pelti_fbx_take
{
    uint32_t object;
    const char* name;
    double start, stop;         ///< ticks
    const uint32_t* moved;      ///< by object: its index in motions; PELT_NONE: no take animates it
    pelti_fbx_motion** motions; ///< NULL: not animated in this take
} pelti_fbx_take;

// ---------------------------------------------------------------------------------------------
// Models

typedef struct pelti_fbx_quat
{
    double x, y, z, w;
} pelti_fbx_quat;

/// The local transform of a model as FBX states it.
typedef struct pelti_fbx_local
{
    double numbers[3][3]; ///< translation, rotation in degrees, scale
    double rotation_offset[3], rotation_pivot[3], scaling_offset[3], scaling_pivot[3];
    pelti_fbx_quat pre_rotation, post_rotation; ///< product before and after the animated rotation
    int order;                                  ///< rotation order of the Euler angles
    bool has_pivots;
} pelti_fbx_local;

// Rotations by Euler angles in degrees. Slerp takes the shorter arc.
pelti_fbx_quat pelti_fbx_quat_mul(pelti_fbx_quat a, pelti_fbx_quat b);
pelti_fbx_quat pelti_fbx_quat_slerp(pelti_fbx_quat a, pelti_fbx_quat b, double part);
pelti_fbx_quat pelti_fbx_quat_from_angles(const double degrees[3], int order);
void pelti_fbx_angles_from_quat(double degrees[3], pelti_fbx_quat q, int order);

typedef struct pelti_fbx_transform
{
    double translation[3];
    pelti_fbx_quat rotation;
    double scale[3];
} pelti_fbx_transform;

typedef enum pelti_fbx_inherit
{
    PELTI_FBX_RRSS = 0, ///< scales multiply per axis, independent of the rotations between them
    PELTI_FBX_RSRS,     ///< the usual product of matrices
    PELTI_FBX_RRS, ///< the parent's own scale is not inherited: Maya's segment scale compensation
} pelti_fbx_inherit;

typedef struct pelti_fbx_model
{
    uint32_t object;
    uint32_t parent; ///< model, or PELT_NONE
    uint32_t first;  ///< the model node that has its name
    pelti_fbx_local local;
    pelti_fbx_inherit inherit;
    bool skips_parent_scale; ///< its node is a child of the node that undoes its parent's scale
    bool is_unit_scale;      ///< the scale that its children inherit is always 1
    bool is_uniform_scale;   ///< or at least uniform
    bool moves_scale;        ///< in some take the scale is animated or differs from the rest pose
    bool is_moving;          ///< some take animates it or an ancestor
    uint32_t chain;          ///< ancestors whose scales are multiplied into its own
} pelti_fbx_model;

/// A node of the scene that a model became. Most models have one; joints of moved meshes have
/// copies.
typedef struct pelti_fbx_model_node
{
    uint32_t model;
    uint32_t node;
    uint32_t unscaled; ///< child that undoes the scale; PELT_NONE: not needed yet
    uint32_t next;     ///< next node of the same model
} pelti_fbx_model_node;

/// One entry of a bind pose.
typedef struct pelti_fbx_bind_entry
{
    uint32_t pose;     ///< object of the pose
    uint32_t object;   ///< object that was bound
    pelt_mat34 matrix; ///< model_from_object, without the conversion of axes
} pelti_fbx_bind_entry;

/// The name of a UV set, by which textures refer to it.
typedef struct pelti_fbx_uv_name
{
    const pelti_fbx_value* name;
    uint32_t uv_set;
} pelti_fbx_uv_name;

enum
{
    PELTI_FBX_MAX_UV_NAMES = 64, ///< files have one to eight
};

typedef struct pelti_fbx
{
    pelti_fbx_file file;
    uint32_t max_influences;
    double unit;        ///< meters per unit of the file
    pelt_mat34 axes;    ///< from the axes of the file to Y up
    bool converts_axes; ///< the axes are not the identity
    bool is_maya;       ///< Maya wrote it
    bool is_blender;    ///< Blender wrote it
    pelt_arena* arena;
    pelt_scene* scene;
    pelt_error* error;

    pelti_fbx_object* objects;
    uint32_t object_count;
    pelti_fbx_link* links;
    uint32_t link_count;
    uint32_t* table; ///< hash table of ids: object + 1, or 0
    uint32_t table_capacity;

    pelti_fbx_bind_entry* bind_entries; ///< entries of all bind poses
    uint32_t bind_entry_count;

    pelti_fbx_model* models; ///< parents first
    uint32_t model_count;
    uint32_t* model_of_object; ///< or PELT_NONE
    uint32_t root_node;        ///< converts the axes; PELT_NONE: not needed
    pelti_fbx_model_node* model_nodes;
    uint32_t model_node_count, model_node_capacity;
    pelt_node* nodes;
    uint32_t node_count, node_capacity;

    pelti_fbx_take* takes;
    uint32_t take_count;

    const struct pelti_fbx_blend_shapes** blend_shapes_of_mesh; ///< or NULL
    uint32_t* material_of_object;                               ///< or PELT_NONE
    uint32_t* texture_of_slot;   ///< object, or PELT_NONE; PELT_SLOT_COUNT for each material
    pelti_fbx_uv_name* uv_names; ///< of UV sets other than the first
    uint32_t uv_name_count;
    pelti_repairs repairs;
} pelti_fbx;

/// Record a repair of the input.
pelt_result pelti_fbx_repair(pelti_fbx* f, const char* format, ...);

/// @param object  the layer
pelt_result pelti_fbx_read_layer(pelti_fbx_layer* out, pelti_fbx* f, uint32_t object);

// The steps in the order of the calls.
pelt_result pelti_fbx_read_objects(pelti_fbx* f);
void pelti_fbx_read_settings(pelti_fbx* f);
pelt_result pelti_fbx_read_bind_poses(pelti_fbx* f);
pelt_result pelti_fbx_read_takes(pelti_fbx* f);
pelt_result pelti_fbx_read_models(pelti_fbx* f);
pelt_result pelti_fbx_read_materials(pelti_fbx* f);
pelt_result pelti_fbx_read_meshes(pelti_fbx* f);
pelt_result pelti_fbx_write_clips(pelti_fbx* f);

/// The role of a texture in a material, by the property it is connected to.
typedef enum pelti_fbx_role
{
    PELTI_FBX_ROLE_OTHER = 0,
    PELTI_FBX_ROLE_COLOR,
    PELTI_FBX_ROLE_ALPHA,
    PELTI_FBX_ROLE_NORMAL,
    PELTI_FBX_ROLE_BUMP,
    PELTI_FBX_ROLE_NORMAL_OR_BUMP, ///< the property does not tell
    PELTI_FBX_ROLE_ROUGHNESS,
    PELTI_FBX_ROLE_METALLIC,
    PELTI_FBX_ROLE_OCCLUSION,
    PELTI_FBX_ROLE_EMISSIVE,
} pelti_fbx_role;

pelti_fbx_role pelti_fbx_role_of(const pelti_fbx* f, const pelti_fbx_value* property);

/// Whether a texture that is connected to a material is one of those of the scene.
/// @param material, texture  objects
bool pelti_fbx_keeps_texture(const pelti_fbx* f, uint32_t material, uint32_t texture);

/// Whether the image of the base color contains the opacity of the material in its alpha.
bool pelti_fbx_has_alpha_texture(const pelti_fbx* f, const pelti_fbx_object* material);

// ---------------------------------------------------------------------------------------------
// Properties: those of the object, otherwise the defaults of its class

const pelti_fbx_node* pelti_fbx_property_of(const pelti_fbx_object* object, const char* name);
double pelti_fbx_property_real(const pelti_fbx_object* object, const char* name, double otherwise);
const pelti_fbx_value* pelti_fbx_property_text(const pelti_fbx_object* object,
                                               const char* name); ///< or NULL
void pelti_fbx_property_vec3(double out[3], const pelti_fbx_object* object, const char* name,
                             double otherwise);

bool pelti_fbx_is_subtype(const pelti_fbx_object* object, const char* word);

/// The object with a number, or PELT_NONE.
uint32_t pelti_fbx_find_object(const pelti_fbx* f, int64_t id);

/// The next child of a class, or PELT_NONE. *link starts as object->first_child.
uint32_t pelti_fbx_next_child(const pelti_fbx* f, uint32_t* link, pelti_fbx_class kind);

// ---------------------------------------------------------------------------------------------
// Transforms

void pelti_fbx_read_local(pelti_fbx* f, pelti_fbx_model* model);

/// @param motion  NULL: the values of the object
void pelti_fbx_numbers_at(double out[3], const pelti_fbx_model* model,
                          const pelti_fbx_motion* motion, pelti_fbx_property which,
                          pelti_fbx_moment moment);

/// Parts of the local transform of a model's node, in pelt's units. Each evaluates only the curves
/// it depends on.
/// @param take  NULL: rest pose
void pelti_fbx_translation_at(double out[3], const pelti_fbx* f, uint32_t model,
                              const pelti_fbx_take* take, pelti_fbx_moment moment);
pelti_fbx_quat pelti_fbx_rotation_at(const pelti_fbx* f, uint32_t model, const pelti_fbx_take* take,
                                     pelti_fbx_moment moment);
void pelti_fbx_scale_at(double out[3], const pelti_fbx* f, uint32_t model,
                        const pelti_fbx_take* take, pelti_fbx_moment moment);

/// The complete local transform.
void pelti_fbx_transform_at(pelti_fbx_transform* out, const pelti_fbx* f, uint32_t model,
                            const pelti_fbx_take* take, pelti_fbx_moment moment);

/// The scale that children of the node inherit, including inherited per-axis scales.
void pelti_fbx_child_scale_at(double out[3], const pelti_fbx* f, uint32_t model,
                              const pelti_fbx_take* take, pelti_fbx_moment moment);

pelt_transform pelti_fbx_to_transform(const pelti_fbx_transform* in);
double pelti_fbx_inverse_scale(double scale);

/// The geometric transform of a model, which applies to its mesh but not to its children.
pelt_mat34 pelti_fbx_geometric(const pelti_fbx* f, const pelti_fbx_object* object);

/// Sixteen numbers of the file, column by column. @return false: not a finite matrix
bool pelti_fbx_matrix(pelt_mat34* out, const pelti_fbx* f, const pelti_fbx_reals* numbers);

const pelti_fbx_motion* pelti_fbx_motion_of(const pelti_fbx_take* take, uint32_t object);

// ---------------------------------------------------------------------------------------------
// Nodes

pelt_result pelti_fbx_add_node(pelti_fbx* f, uint32_t* out, const char* name, uint32_t parent,
                               pelt_transform rest);

/// Copy the joints of a skin, and all their ancestors, below a node. joints[] is replaced by the
/// copies.
pelt_result pelti_fbx_copy_joints(pelti_fbx* f, uint32_t* joint_models, uint32_t* joints,
                                  uint32_t count, uint32_t node, const char* suffix);

/// model_from_node in the rest pose, without the conversion of axes.
pelt_mat34 pelti_fbx_rest_matrix(const pelti_fbx* f, uint32_t node);

// ---------------------------------------------------------------------------------------------
// Tracks

/// A function of time to sample.
typedef struct pelti_fbx_signal
{
    void (*value)(double* out, const struct pelti_fbx_signal* signal, pelti_fbx_moment moment);
    const pelti_fbx* f;
    const pelti_fbx_take* take;
    uint32_t subject; ///< model, or mesh for morph weights
    uint32_t width;
    bool is_rotation;
    double tolerance; ///< radians, or relative to the largest value
    uint32_t cost;    ///< of one evaluation, for pelti_fbx_charge()
} pelti_fbx_signal;

/// Key times of all curves that the function depends on. Between them it is smooth.
typedef struct pelti_fbx_times
{
    double* at;
    uint32_t count, capacity;
} pelti_fbx_times;

pelt_result pelti_fbx_add_times(pelti_fbx_file* file, pelti_fbx_times* times,
                                const pelti_fbx_drive* drive);

/// Sample the function with as few keys as the tolerance allows: linear or cubic, whichever is
/// smaller.
pelt_result pelti_fbx_bake(pelt_track* out, pelti_fbx* f, const pelti_fbx_signal* signal,
                           pelti_fbx_times* times);

// ---------------------------------------------------------------------------------------------
// Meshes

/// Polygons of a geometry, with attributes by corner.
typedef struct pelti_fbx_surface
{
    uint32_t point_count, corner_count, polygon_count;
    const pelt_vec3* points;  ///< meters, the geometric transform applied
    const uint32_t* corners;  ///< point of each corner
    const uint32_t* first;    ///< polygon_count + 1
    const pelt_vec3* normals; ///< by corner, or NULL; the others as well
    const pelt_vec3* tangents;
    const pelt_vec3* binormals;
    const pelt_vec2* uvs[PELT_MAX_UV_SETS];
    const pelt_vec4* colors;
    const uint32_t* materials; ///< by polygon: index in the model's list; or NULL
    const uint32_t* triangles; ///< corners, three for each triangle
    const uint32_t* polygon_of_triangle;
    uint32_t triangle_count;
} pelti_fbx_surface;

pelt_result pelti_fbx_read_surface(pelti_fbx_surface* out, pelti_fbx* f, uint32_t geometry,
                                   const pelt_mat34* geometric, const char* name);

/// Weights of a geometry by point.
typedef struct pelti_fbx_skin_source
{
    uint32_t object; ///< the skin; PELT_NONE: none
    uint32_t joint_count;
    uint32_t* models; ///< model of each joint, or PELT_NONE
    pelt_mat34* inverse_binds;
    pelt_mat34 bind; ///< model_from_mesh at binding
    uint32_t* first; ///< point_count + 1
    uint32_t* joints;
    float* weights;
    bool has_method;
    pelt_method method;
    const float* mix_factors; ///< by point, or NULL
    uint32_t unweighted;      ///< points without weights
} pelti_fbx_skin_source;

/// @param model  model that shows the geometry
pelt_result pelti_fbx_read_skin(pelti_fbx_skin_source* out, pelti_fbx* f, uint32_t geometry,
                                uint32_t model, uint32_t point_count);

/// The skin of a mesh, with joints as nodes of the scene.
pelt_result pelti_fbx_write_skin(pelti_fbx* f, pelt_skin* out, const pelti_fbx_skin_source* source,
                                 uint32_t model);

/// Weights by vertex. points[] has the point of each vertex.
pelt_result pelti_fbx_write_weights(pelti_fbx* f, pelt_mesh* out,
                                    const pelti_fbx_skin_source* source, const uint32_t* points,
                                    uint32_t vertex_count);

/// The blend shape channels of a geometry.
typedef struct pelti_fbx_blend_shapes
{
    uint32_t count;
    uint32_t* channels; ///< objects
    uint32_t* shapes;   ///< geometries
    double* full;       ///< percentage with full effect
    double* before;     ///< percentage without effect: 0, or of the shape before it in its channel
    double* after;      ///< the same of the shape after it; not finite: it is the last
} pelti_fbx_blend_shapes;

/// The weight of a target by the percentage of its channel.
double pelti_fbx_shape_weight(const pelti_fbx_blend_shapes* shapes, uint32_t index, double percent);

pelt_result pelti_fbx_find_blend_shapes(pelti_fbx_blend_shapes* out, pelti_fbx* f,
                                        uint32_t geometry, const char* name);
pelt_result pelti_fbx_write_morphs(pelti_fbx* f, pelt_mesh* out,
                                   const pelti_fbx_blend_shapes* shapes, const uint32_t* points,
                                   uint32_t point_count, const pelt_mat34* geometric);

#endif
