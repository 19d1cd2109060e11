// SPDX-License-Identifier: MIT
// The glTF 2.0 reader, in the order of its work: file, buffers, accessors, nodes, skins, materials,
// meshes, clips. Each step fills a part of the scene and stores here what later steps need.
#ifndef PELTI_GLTF_READ_H
#define PELTI_GLTF_READ_H

#include "../json/json_parse.h"
#include "../load_report.h"
#include "../readers.h"

/// Path of a value in the JSON: a chain on the stack that is only formatted for a message.
typedef struct pelti_json_path
{
    const struct pelti_json_path* outer; ///< NULL: the root
    const char* member;                  ///< NULL: an element of an array
    size_t index;
} pelti_json_path;

static inline pelti_json_path pelti_json_member(const pelti_json_path* outer, const char* member)
{
    return (pelti_json_path){.outer = outer, .member = member};
}

static inline pelti_json_path pelti_json_element(const pelti_json_path* outer, size_t index)
{
    return (pelti_json_path){.outer = outer, .index = index};
}

/// The lists at the root of the JSON.
typedef enum pelti_gltf_kind
{
    PELTI_GLTF_ACCESSORS,
    PELTI_GLTF_ANIMATIONS,
    PELTI_GLTF_BUFFER_VIEWS,
    PELTI_GLTF_BUFFERS,
    PELTI_GLTF_IMAGES,
    PELTI_GLTF_MATERIALS,
    PELTI_GLTF_MESHES,
    PELTI_GLTF_NODES,
    PELTI_GLTF_SAMPLERS,
    PELTI_GLTF_SCENES,
    PELTI_GLTF_SKINS,
    PELTI_GLTF_TEXTURES,
    PELTI_GLTF_KIND_COUNT
} pelti_gltf_kind;

typedef struct pelti_gltf_list
{
    const pelti_json* array; ///< of objects; NULL: the file has none
    uint32_t count;
} pelti_gltf_list;

/// Bytes of a buffer or buffer view, read on first use.
typedef struct pelti_gltf_bytes
{
    const uint8_t* data; ///< NULL: not read yet
    size_t size;
    size_t stride;  ///< of a view; 0: elements are packed
    uint8_t* owned; ///< to release when done; NULL: a part of the file
} pelti_gltf_bytes;

/// A file that buffers name.
typedef struct pelti_gltf_file
{
    struct pelti_gltf_file* next;
    uint64_t device, number; ///< see pelti_input
    const char* name;        ///< in source->files; NULL: it lies on the disk
    pelti_blob blob;
} pelti_gltf_file;

typedef struct pelti_gltf_node
{
    uint32_t parent; ///< glTF node, or PELT_NONE
    uint32_t node;   ///< of the scene: carries children, mesh and joint
    uint32_t mesh, skin;
    bool is_split;   ///< its matrix shears: it became two nodes
    bool is_visible; ///< in the default scene
    bool is_placed;
    uint32_t first_instance, instance_count;
} pelti_gltf_node;

typedef struct pelti_gltf_mesh
{
    uint32_t first, count; ///< meshes of the scene, one per primitive
    uint32_t joint_count;  ///< of the smallest skin that carries it in the scene; 0: no skin does
    uint32_t weight_node;  ///< glTF node whose morph weights replace the mesh's, or PELT_NONE
} pelti_gltf_mesh;

/// The name of an image for materials.
typedef struct pelti_gltf_image
{
    const char* name; ///< its URI, with or without escapes, when it is a file; no two
                      ///< others have the same
    bool is_file, is_read;
} pelti_gltf_image;

/// Key times: many tracks share them, so they are read once.
typedef struct pelti_gltf_times
{
    const float* times;   ///< NULL: not read yet
    uint32_t count;       ///< keys that are kept
    uint32_t given;       ///< keys in the file
    const uint32_t* kept; ///< indices of the kept keys in the file; NULL: all are
} pelti_gltf_times;

/// Elements of an accessor that are not in its buffer view.
typedef struct pelti_gltf_decoded
{
    const char* name; ///< of the attribute; NULL: indices
    uint32_t accessor;
    void* data; ///< as many elements as the accessor has
    uint32_t component;
    size_t stride;
} pelti_gltf_decoded;

typedef struct pelti_gltf
{
    const char* path;
    const pelt_source* source;
    pelti_load_budget budget;
    pelt_error* error;
    pelt_arena* arena;   ///< of the scene
    pelt_arena* scratch; ///< until the end of the reading
    pelt_scene* scene;

    const uint8_t* bin; ///< the binary chunk of a GLB; NULL: none
    size_t bin_size;
    const pelti_json* root;
    pelti_gltf_list lists[PELTI_GLTF_KIND_COUNT];

    pelti_gltf_file* files; ///< read so far
    pelti_gltf_bytes* buffers;
    pelti_gltf_bytes* views;
    pelti_gltf_times* times;     ///< one per accessor
    pelti_gltf_decoded* decoded; ///< of the primitive that is being read
    uint32_t decoded_count;
    pelti_gltf_node* nodes;
    pelti_gltf_mesh* meshes;
    pelti_gltf_image* images;
    pelt_image* scene_images; ///< room for all of them, of which the scene counts what it has
    pelti_repairs repairs;
} pelti_gltf;

// ---------------------------------------------------------------------------------------------
// gltf_json.c: values with their types checked

/// "file: /meshes/0/name: sentence", as PELT_ERROR_DATA.
pelt_result pelti_gltf_fail(pelti_gltf* g, const pelti_json_path* at, const char* format, ...)
    PELT_PRINTF(3, 4);

/// Record a repair of the input.
pelt_result pelti_gltf_repair_add(pelti_gltf* g, const char* format, ...) PELT_PRINTF(2, 3);

/// The same with the kind of the repair.
pelt_result pelti_gltf_repair_count(pelti_gltf* g, pelt_repair_kind kind, size_t count,
                                    const char* format, ...) PELT_PRINTF(4, 5);

/// Zeroed memory of the scene, or of the reading, charged to the budget of the file.
pelt_result pelti_gltf_alloc(void** out, pelti_gltf* g, size_t count, size_t size);
pelt_result pelti_gltf_alloc_scratch(void** out, pelti_gltf* g, size_t count, size_t size);

/// Each reads a member of an object; if it is missing, *out does not change.
pelt_result pelti_gltf_get_size(size_t* out, pelti_gltf* g, const pelti_json* object,
                                const char* member, const pelti_json_path* at);
pelt_result pelti_gltf_get_bool(bool* out, pelti_gltf* g, const pelti_json* object,
                                const char* member, const pelti_json_path* at);
pelt_result pelti_gltf_get_floats(float* out, size_t count, pelti_gltf* g, const pelti_json* object,
                                  const char* member, const pelti_json_path* at);
pelt_result pelti_gltf_get_string(const char** out, pelti_gltf* g, const pelti_json* object,
                                  const char* member, const pelti_json_path* at);
pelt_result pelti_gltf_get_object(const pelti_json** out, pelti_gltf* g, const pelti_json* object,
                                  const char* member, const pelti_json_path* at);
pelt_result pelti_gltf_get_array(const pelti_json** out, pelti_gltf* g, const pelti_json* object,
                                 const char* member, const pelti_json_path* at);

/// An index into one of the lists.
pelt_result pelti_gltf_get_index(uint32_t* out, pelti_gltf* g, pelti_gltf_kind kind,
                                 const pelti_json* object, const char* member,
                                 const pelti_json_path* at);
pelt_result pelti_gltf_check_index(uint32_t* out, pelti_gltf* g, pelti_gltf_kind kind,
                                   const pelti_json* value, const pelti_json_path* at);

/// A member of the object's `extensions`, or NULL.
const pelti_json* pelti_gltf_extension(const pelti_json* object, const char* name);

/// Materials by diffuse color, specular color and glossiness.
#define PELTI_GLTF_SPECULAR "KHR_materials_pbrSpecularGlossiness"

#define PELTI_GLTF_TRANSFORM "KHR_texture_transform"
#define PELTI_GLTF_EMISSIVE_STRENGTH "KHR_materials_emissive_strength"

const pelti_json* pelti_gltf_item(const pelti_gltf* g, pelti_gltf_kind kind, uint32_t index);
const char* pelti_gltf_kind_name(pelti_gltf_kind kind);

/// A copy of the object's name, or "noun_index".
pelt_result pelti_gltf_name(const char** out, pelti_gltf* g, const pelti_json* object,
                            const char* noun, uint32_t index, const pelti_json_path* at);

// ---------------------------------------------------------------------------------------------
// The steps

/// Container, JSON, version and extensions.
pelt_result pelti_gltf_open(pelti_gltf* g, const pelti_blob* file);

/// The JSON alone: g->root is any object.
pelt_result pelti_gltf_parse(pelti_gltf* g, const pelti_blob* json);

/// The message that says how to convert.
pelt_result pelti_gltf_fail_draco(pelti_gltf* g, const pelti_json_path* at);

/// Bytes of a buffer view.
pelt_result pelti_gltf_view(const pelti_gltf_bytes** out, pelti_gltf* g, uint32_t index);
void pelti_gltf_release_buffers(pelti_gltf* g);

/// The bytes that `buffer`, `byteOffset` and `byteLength` of an object describe.
pelt_result pelti_gltf_slice(const uint8_t** out, size_t* size, pelti_gltf* g,
                             const pelti_json* object, const pelti_json_path* at);

/// Decode a compressed view. @param extension  its EXT_ or KHR_meshopt_compression
pelt_result pelti_gltf_decompress(pelti_gltf_bytes* out, pelti_gltf* g, const pelti_json* extension,
                                  const pelti_json_path* at);

/// The bytes of a data URI. @param out  free with pelt_release()
pelt_result pelti_uri_decode(pelti_blob* out, pelti_gltf* g, const char* uri,
                             const pelti_json_path* at);
bool pelti_uri_is_data(const char* uri);

/// The file of a relative URI, below the folder of g->path.
/// @param out  free with pelt_release()
pelt_result pelti_uri_path(char** out, pelti_gltf* g, const char* uri, const pelti_json_path* at);

pelt_result pelti_gltf_read_nodes(pelti_gltf* g);

/// gltf_helper.c: rules of helper joints. What is wrong is left out, with a repair.
pelt_result pelti_gltf_read_helpers(pelti_gltf* g);
pelt_result pelti_gltf_read_skins(pelti_gltf* g);
pelt_result pelti_gltf_read_materials(pelti_gltf* g);

pelt_result pelti_gltf_read_meshes(pelti_gltf* g);
pelt_result pelti_gltf_read_instances(pelti_gltf* g);
pelt_result pelti_gltf_read_clips(pelti_gltf* g);
pelt_result pelti_gltf_list_losses(pelti_gltf* g);

/// Faults that need no repair for reading, as repairs: see pelt_load_options.is_checked.
pelt_result pelti_gltf_check(pelti_gltf* g);

// ---------------------------------------------------------------------------------------------
// gltf_accessor.c: typed arrays

typedef enum pelti_component
{
    PELTI_COMPONENT_S8 = 5120,
    PELTI_COMPONENT_U8 = 5121,
    PELTI_COMPONENT_S16 = 5122,
    PELTI_COMPONENT_U16 = 5123,
    PELTI_COMPONENT_U32 = 5125,
    PELTI_COMPONENT_F32 = 5126,
} pelti_component;

/// An accessor whose elements have all been checked to be inside its buffers.
typedef struct pelti_accessor
{
    uint32_t index;
    uint32_t count;
    uint32_t width; ///< components per element: 1 to 4, or 16
    pelti_component component;
    bool is_normalized;
    const uint8_t* data; ///< NULL: zeros
    size_t stride;
    uint32_t sparse_count;
    pelti_component sparse_component;
    const uint8_t* sparse_indices;
    const uint8_t* sparse_data; ///< packed elements
} pelti_accessor;

size_t pelti_component_size(pelti_component component);

/// Accessors of a compressed primitive have its decoded elements.
pelt_result pelti_accessor_open(pelti_accessor* out, pelti_gltf* g, uint32_t index,
                                const pelti_json_path* at);

/// Elements as floats, each at out + i * out_width.
void pelti_accessor_floats(float* out, uint32_t out_width, const pelti_accessor* accessor);

/// Elements of an accessor of unsigned integers.
void pelti_accessor_integers(uint32_t* out, uint32_t out_width, const pelti_accessor* accessor);
bool pelti_accessor_is_unsigned(const pelti_accessor* accessor);

/// The container and JSON of a file, to read arrays without a scene. Starts a budget.
/// @param g  with path, source and error; close it for any result
pelt_result pelti_gltf_arrays_open(pelti_gltf* g, const pelti_blob* file);
void pelti_gltf_arrays_close(pelti_gltf* g);

// ---------------------------------------------------------------------------------------------
// Keys

/// Key times, read once for all samplers that share them. Keys that are finite and later than the
/// previous one are kept.
pelt_result pelti_gltf_read_times(const pelti_gltf_times** out, pelti_gltf* g, uint32_t index,
                                  const pelti_json_path* at);

/// Normalize the rotations of keys; those of splines are normalized after they are evaluated.
/// @return how many were far from unit length
uint32_t pelti_gltf_fix_rotations(float* values, uint32_t count);

// ---------------------------------------------------------------------------------------------
// Parts of a primitive

/// A primitive under construction as a mesh.
typedef struct pelti_primitive
{
    const pelti_json* json;
    const pelti_json* attributes;
    pelt_mesh* mesh;
    pelti_json_path at;
} pelti_primitive;

/// Whether this build decodes KHR_draco_mesh_compression.
extern const bool pelti_gltf_has_draco;
#define PELTI_GLTF_DRACO "KHR_draco_mesh_compression"

/// gltf_draco.c: decode the arrays of a compressed primitive into g->decoded.
pelt_result pelti_gltf_decode_draco(pelti_gltf* g, const pelti_primitive* primitive);

/// A vertex attribute as floats in the scene's memory, one element for each vertex.
/// @param out    NULL: the primitive has none
/// @param width  floats per element; a narrower attribute is only taken from min_width on
pelt_result pelti_gltf_attribute(float** out, uint32_t* given_width, pelti_gltf* g,
                                 const pelti_primitive* primitive, const char* name,
                                 uint32_t min_width, uint32_t width);

/// The same from any object of attributes, such as a morph target.
pelt_result pelti_gltf_attribute_of(float** out, uint32_t* given_width, pelti_gltf* g,
                                    const pelti_json* attributes, const char* name,
                                    uint32_t min_width, uint32_t width, uint32_t vertex_count,
                                    const pelti_json_path* at);

/// Replace numbers that are not finite by zero.
/// @return how many
size_t pelti_floats_clean(float* values, size_t count);

/// @param is_pruned  some vertex has lost influences to the options
pelt_result pelti_gltf_read_weights(bool* is_pruned, pelti_gltf* g,
                                    const pelti_primitive* primitive, uint32_t joint_count);

/// gltf_prepared.c: UV sets of the mesh itself; PELT_MAX_UV_SETS unless TEXCOORD_2 and TEXCOORD_3
/// have centers and mix factors.
uint32_t pelti_gltf_count_uv_sets(const pelti_primitive* primitive);

/// Centers or mix factors, from an attribute of their own or from TEXCOORD_2 and TEXCOORD_3.
/// @param out    NULL where there are none
/// @param flag   member of extras.pelt_carrier that says that there are
/// @param width  3 for centers, 1 for factors
pelt_result pelti_gltf_read_carried(float** out, pelti_gltf* g, const pelti_primitive* primitive,
                                    const char* name, const char* flag, uint32_t width);

/// Centers of rotation, if they fit positions, triangles and weights.
pelt_result pelti_gltf_read_cors(pelti_gltf* g, const pelti_primitive* primitive, bool is_pruned);

/// Drop mix factors that were computed for other positions, triangles or weights. Factors without a
/// digest were painted, and are always kept.
pelt_result pelti_gltf_check_mix(pelti_gltf* g, const pelti_primitive* primitive, bool is_pruned);

/// The digest of an attribute of pelt, in the object `owner` of the primitive's extras.
/// @return NULL when there is none
const char* pelti_gltf_digest(const pelti_primitive* primitive, const char* owner);
bool pelti_gltf_is_digest(const char* text, uint64_t digest);

/// Normal factors that fit the weights, if all of them are valid.
pelt_result pelti_gltf_read_normals(pelti_gltf* g, const pelti_primitive* primitive,
                                    bool is_pruned);

/// gltf_bounds.c: boxes, if they fit positions, triangles and weights.
pelt_result pelti_gltf_read_bounds(pelti_gltf* g, const pelti_primitive* primitive);
pelt_result pelti_gltf_read_morphs(pelti_gltf* g, const pelti_primitive* primitive, uint32_t mesh);

#endif
