// SPDX-License-Identifier: MIT
// What the parts of the FBX reader share while one file is read: the file's objects on one side,
// pelt's scene on the other. pelti_read_fbx() says in which order the parts are called.
#ifndef PELT_FBX_READ_H
#define PELT_FBX_READ_H

#include "../repairs.h"
#include "fbx_dom.h"

// ---------------------------------------------------------------------------------------------
// Objects and how they are connected

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
    const pelti_fbx_node* defaults;     ///< those of its class, or NULL
    uint32_t first_child, first_parent; ///< links, or PELT_NONE
} pelti_fbx_object;

typedef struct pelti_fbx_link
{
    uint32_t child, parent;           ///< objects; parent PELT_NONE: the root of the scene
    const pelti_fbx_value* property;  ///< which one of the parent; NULL: the parent itself
    uint32_t next_child, next_parent; ///< the next link of the same parent, of the same child
} pelti_fbx_link;

// ---------------------------------------------------------------------------------------------
// Curves

/// Ticks of FBX: what times are counted in.
#define PELTI_FBX_SECOND 46186158000.0

/// A key and the way to the next one.
typedef struct pelti_fbx_key
{
    double time; ///< in ticks of FBX
    double value;
    char way; ///< 'c' constant, 'n' constant at the next value, 'l' line, 's' spline
    double slope_in, slope_out;   ///< per tick
    double weight_in, weight_out; ///< length of the handles, as a part of the way
} pelti_fbx_key;

typedef struct pelti_fbx_curve
{
    uint32_t key_count;
    const pelti_fbx_key* keys;
} pelti_fbx_curve;

/// Where a function of time is asked for: at a jump, its two sides differ.
typedef struct pelti_fbx_moment
{
    double time;
    bool is_before; ///< the limit from earlier times
} pelti_fbx_moment;

pelt_result pelti_fbx_load_curve(pelti_fbx_curve* out, pelti_fbx_file* file,
                                 const pelti_fbx_node* node);
double pelti_fbx_curve_at(const pelti_fbx_curve* curve, pelti_fbx_moment moment);

/// What moves the numbers of one property.
typedef struct pelti_fbx_drive
{
    bool is_there;
    const pelti_fbx_curve* curves[3]; ///< NULL: the value stays
    double values[3];
} pelti_fbx_drive;

typedef enum pelti_fbx_property
{
    PELTI_FBX_TRANSLATION,
    PELTI_FBX_ROTATION,
    PELTI_FBX_SCALE,
    PELTI_FBX_PERCENT, ///< of a channel of shapes
    PELTI_FBX_PROPERTIES
} pelti_fbx_property;

/// What one take does to one object.
typedef struct pelti_fbx_motion
{
    pelti_fbx_drive drives[PELTI_FBX_PROPERTIES];
} pelti_fbx_motion;

typedef struct pelti_fbx_take_info
{
    uint32_t object;
    const char* name;
    double start, stop;         ///< ticks
    const uint32_t* moved;      ///< by object: its place in motions; PELT_NONE: no take moves it
    pelti_fbx_motion** motions; ///< NULL: stays at rest
} pelti_fbx_take_info;

// ---------------------------------------------------------------------------------------------
// Models

typedef struct pelti_fbx_quat
{
    double x, y, z, w;
} pelti_fbx_quat;

/// A model's place relative to its parent, before what it inherits is taken apart.
typedef struct pelti_fbx_placing
{
    double numbers[3][3]; ///< translation, rotation in degrees, scale
    double rotation_offset[3], rotation_pivot[3], scaling_offset[3], scaling_pivot[3];
    pelti_fbx_quat before, after; ///< what stands left and right of the rotation
    int order;                    ///< of the angles
    bool has_pivots;
} pelti_fbx_placing;

typedef struct pelti_fbx_transform
{
    double translation[3];
    pelti_fbx_quat rotation;
    double scale[3];
} pelti_fbx_transform;

typedef enum pelti_fbx_inherit
{
    PELTI_FBX_RRSS = 0, ///< scales multiply axis by axis, whatever turns between them
    PELTI_FBX_RSRS,     ///< as everywhere else
    PELTI_FBX_RRS,      ///< the parent's own scale is not inherited: Maya's segment scale
} pelti_fbx_inherit;

typedef struct pelti_fbx_model
{
    uint32_t object;
    uint32_t parent; ///< model, or PELT_NONE
    uint32_t place;  ///< the one that carries its name
    pelti_fbx_placing placing;
    pelti_fbx_inherit inherit;
    bool is_freed;      ///< hangs below the node that takes its parent's scale away
    bool is_unit_scale; ///< the scale that its children see is 1, always
    bool is_even_scale; ///< or at least the same along all axes
    bool moves_scale;   ///< in some take, or is another there than at rest
    bool is_moving;     ///< by some take, itself or what it hangs from
    uint32_t chain;     ///< ancestors whose scales are multiplied into its own
} pelti_fbx_model;

/// A model put into the tree of nodes. Most models have one place.
typedef struct pelti_fbx_place
{
    uint32_t model;
    uint32_t node;
    uint32_t inner; ///< node that takes the scale away for children; PELT_NONE: none yet
    uint32_t next;  ///< another place of the same model
} pelti_fbx_place;

/// What a bind pose says of one object.
typedef struct pelti_fbx_bound
{
    uint32_t pose;     ///< object
    uint32_t object;   ///< that was bound
    pelt_mat34 matrix; ///< from it to the model, without the turn of the axes
} pelti_fbx_bound;

typedef struct pelti_fbx
{
    pelti_fbx_file file;
    uint32_t max_influences;
    double unit;     ///< meters per unit of the file
    pelt_mat34 axes; ///< from the axes of the file to Y up
    bool is_turned;  ///< the axes are not the identity
    bool is_maya;    ///< Maya wrote it
    pelt_arena* arena;
    pelt_scene* scene;
    pelt_error* error;

    pelti_fbx_object* objects;
    uint32_t object_count;
    pelti_fbx_link* links;
    uint32_t link_count;
    uint32_t* table; ///< hash table of ids: object + 1, or 0
    uint32_t table_capacity;

    pelti_fbx_bound* bounds; ///< all bind poses, end to end
    uint32_t bound_count;

    pelti_fbx_model* models; ///< parents first
    uint32_t model_count;
    uint32_t* model_of_object; ///< or PELT_NONE
    uint32_t root_node;        ///< turns the axes; PELT_NONE: none
    pelti_fbx_place* places;
    uint32_t place_count, place_capacity;
    pelt_node* nodes;
    uint32_t node_count, node_capacity;

    pelti_fbx_take_info* takes;
    uint32_t take_count;

    const struct pelti_fbx_shapes** shapes_of_mesh; ///< or NULL
    uint32_t* material_of_object;                   ///< or PELT_NONE
    pelti_repairs repairs;
} pelti_fbx;

/// Remember something that was fixed on load.
pelt_result pelti_fbx_repair(pelti_fbx* f, const char* format, ...);

// In the order of the calls.
pelt_result pelti_fbx_read_objects(pelti_fbx* f);
void pelti_fbx_read_settings(pelti_fbx* f);
pelt_result pelti_fbx_read_bind_poses(pelti_fbx* f);
pelt_result pelti_fbx_read_takes(pelti_fbx* f);
pelt_result pelti_fbx_read_models(pelti_fbx* f);
pelt_result pelti_fbx_read_materials(pelti_fbx* f);
pelt_result pelti_fbx_read_meshes(pelti_fbx* f);
pelt_result pelti_fbx_write_clips(pelti_fbx* f);
pelt_result pelti_fbx_list_losses(pelti_fbx* f);

/// What a texture is to a material, by the property that it is connected with.
bool pelti_fbx_is_base(const pelti_fbx_value* property);
bool pelti_fbx_is_transparency(const pelti_fbx_value* property);
bool pelti_fbx_is_relief(const pelti_fbx_value* property); ///< normals or bumps

/// Whether the picture of the base color has the transparency of the material in its alpha.
bool pelti_fbx_has_alpha_texture(const pelti_fbx* f, const pelti_fbx_object* material);

// ---------------------------------------------------------------------------------------------
// Properties: the object's own, then those of its class

const pelti_fbx_node* pelti_fbx_property_of(const pelti_fbx_object* object, const char* name);
double pelti_fbx_property_real(const pelti_fbx_object* object, const char* name, double otherwise);
void pelti_fbx_property_vec3(double out[3], const pelti_fbx_object* object, const char* name,
                             double otherwise);

bool pelti_fbx_is_subtype(const pelti_fbx_object* object, const char* word);

/// The object with a number, or PELT_NONE.
uint32_t pelti_fbx_find_object(const pelti_fbx* f, int64_t id);

/// The next child of a class, or PELT_NONE. *link starts as object->first_child.
uint32_t pelti_fbx_next_child(const pelti_fbx* f, uint32_t* link, pelti_fbx_class kind);

// ---------------------------------------------------------------------------------------------
// Transforms

void pelti_fbx_read_placing(pelti_fbx* f, pelti_fbx_model* model);

/// @param motion  NULL: as the file stores it
void pelti_fbx_numbers_at(double out[3], const pelti_fbx_model* model,
                          const pelti_fbx_motion* motion, pelti_fbx_property which,
                          pelti_fbx_moment moment);

/// The parts of the transform of the model's node, in pelt's units: each asks only for the curves
/// that it follows from.
/// @param take  NULL: at rest
void pelti_fbx_place_at(double out[3], const pelti_fbx* f, uint32_t model,
                        const pelti_fbx_take_info* take, pelti_fbx_moment moment);
pelti_fbx_quat pelti_fbx_turn_at(const pelti_fbx* f, uint32_t model,
                                 const pelti_fbx_take_info* take, pelti_fbx_moment moment);
void pelti_fbx_size_at(double out[3], const pelti_fbx* f, uint32_t model,
                       const pelti_fbx_take_info* take, pelti_fbx_moment moment);

/// All of them.
void pelti_fbx_transform_at(pelti_fbx_transform* out, const pelti_fbx* f, uint32_t model,
                            const pelti_fbx_take_info* take, pelti_fbx_moment moment);

/// The scale of the model's node, which `inner` takes away.
void pelti_fbx_scale_at(double out[3], const pelti_fbx* f, uint32_t model,
                        const pelti_fbx_take_info* take, pelti_fbx_moment moment);

pelt_transform pelti_fbx_to_transform(const pelti_fbx_transform* in);
double pelti_fbx_inverse_scale(double scale);

/// The matrix of translation, Euler rotation and scale, as geometric transforms have it.
pelt_mat34 pelti_fbx_geometric(const pelti_fbx* f, const pelti_fbx_object* object);

/// Sixteen numbers of the file, column by column.
bool pelti_fbx_matrix(pelt_mat34* out, const pelti_fbx* f, const pelti_fbx_reals* numbers);

const pelti_fbx_motion* pelti_fbx_motion_of(const pelti_fbx_take_info* take, uint32_t object);

// ---------------------------------------------------------------------------------------------
// Nodes

pelt_result pelti_fbx_add_node(pelti_fbx* f, uint32_t* out, const char* name, uint32_t parent,
                               pelt_transform rest);

/// Copies of the joints of a skin, and of all above them, below a node: joints[] is replaced.
pelt_result pelti_fbx_copy_joints(pelti_fbx* f, uint32_t* joint_models, uint32_t* joints,
                                  uint32_t count, uint32_t node, const char* suffix);

/// The model matrix of a model's first place at rest, without the turn of the axes.
pelt_mat34 pelti_fbx_rest_matrix(const pelti_fbx* f, uint32_t node);

// ---------------------------------------------------------------------------------------------
// Tracks

/// A function of time as it shall be sampled.
typedef struct pelti_fbx_signal
{
    void (*value)(double* out, const struct pelti_fbx_signal* signal, pelti_fbx_moment moment);
    const pelti_fbx* f;
    const pelti_fbx_take_info* take;
    uint32_t subject; ///< model, or mesh for shapes
    uint32_t width;
    bool is_rotation;
    double tolerance; ///< radians, or part of the largest number
    uint32_t cost;    ///< of a value, for pelti_fbx_charge()
} pelti_fbx_signal;

/// Times between which nothing happens: keys of everything that takes part.
typedef struct pelti_fbx_times
{
    double* at;
    uint32_t count, capacity;
} pelti_fbx_times;

pelt_result pelti_fbx_add_times(pelti_fbx_file* file, pelti_fbx_times* times,
                                const pelti_fbx_drive* drive);

/// Keys, as few as keep to the tolerance: straight lines or splines, whichever takes less room.
pelt_result pelti_fbx_bake(pelt_track* out, pelti_fbx* f, const pelti_fbx_signal* signal,
                           pelti_fbx_times* times);

// ---------------------------------------------------------------------------------------------
// Meshes

/// Polygons of a geometry, and their attributes corner by corner.
typedef struct pelti_fbx_surface
{
    uint32_t point_count, corner_count, polygon_count;
    const pelt_vec3* points;  ///< meters, the geometric transform applied
    const uint32_t* corners;  ///< point of each
    const uint32_t* first;    ///< polygon_count + 1
    const pelt_vec3* normals; ///< by corner, or NULL; so the others
    const pelt_vec3* tangents;
    const pelt_vec3* binormals;
    const pelt_vec2* uvs;
    const pelt_vec4* colors;
    const uint32_t* materials; ///< by polygon, places in the model's list; or NULL
    const uint32_t* triangles; ///< corners, three for each triangle
    const uint32_t* polygon_of_triangle;
    uint32_t triangle_count;
} pelti_fbx_surface;

pelt_result pelti_fbx_read_surface(pelti_fbx_surface* out, pelti_fbx* f, uint32_t geometry,
                                   const pelt_mat34* geometric, const char* name);

/// Cut polygons into triangles.
pelt_result pelti_fbx_triangulate(pelti_fbx_surface* surface, pelti_fbx* f, const char* name);

/// Weights of a geometry, point by point.
typedef struct pelti_fbx_skin_source
{
    uint32_t object; ///< the skin; PELT_NONE: none
    uint32_t joint_count;
    uint32_t* models; ///< of each joint, or PELT_NONE
    pelt_mat34* inverse_binds;
    pelt_mat34 bind; ///< of the mesh, when it was bound
    uint32_t* first; ///< point_count + 1
    uint32_t* joints;
    float* weights;
    bool has_method;
    pelt_method method;
    const float* mix_factors; ///< by point, or NULL
    uint32_t loose;           ///< points without weights
} pelti_fbx_skin_source;

/// @param model  that shows the geometry
pelt_result pelti_fbx_read_skin(pelti_fbx_skin_source* out, pelti_fbx* f, uint32_t geometry,
                                uint32_t model, uint32_t point_count);

/// Fill in `bind` and `inverse_binds` of a skin whose joints are known.
/// @param clusters  object of each joint
/// @param unbound   how many of them are taken as bound where they stand
pelt_result pelti_fbx_read_binds(pelti_fbx_skin_source* out, pelti_fbx* f, uint32_t model,
                                 const uint32_t* clusters, uint32_t* unbound);

/// Whether any joint holds a point.
bool pelti_fbx_is_held(const pelti_fbx_skin_source* source, uint32_t point);

/// The skin of a mesh as the scene has it.
pelt_result pelti_fbx_write_skin(pelti_fbx* f, pelt_skin* out, const pelti_fbx_skin_source* source,
                                 uint32_t model);

/// Weights for vertices, each of which is a point of the file.
pelt_result pelti_fbx_write_weights(pelti_fbx* f, pelt_mesh* out,
                                    const pelti_fbx_skin_source* source, const uint32_t* points,
                                    uint32_t vertex_count);

/// The shapes of a geometry: its channels, in order.
typedef struct pelti_fbx_shapes
{
    uint32_t count;
    uint32_t* channels; ///< objects
    uint32_t* shapes;   ///< geometries
    double* full;       ///< percent at which a shape is whole
} pelti_fbx_shapes;

pelt_result pelti_fbx_find_shapes(pelti_fbx_shapes* out, pelti_fbx* f, uint32_t geometry,
                                  const char* name);
pelt_result pelti_fbx_write_morphs(pelti_fbx* f, pelt_mesh* out, const pelti_fbx_shapes* shapes,
                                   const uint32_t* points, uint32_t point_count,
                                   const pelt_mat34* geometric);

#endif
