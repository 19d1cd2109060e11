// SPDX-License-Identifier: MIT
// A glTF document under construction: its JSON, and the one buffer for its new arrays.
#ifndef PELT_GLTF_WRITE_H
#define PELT_GLTF_WRITE_H

#include "pelt/io.h"

#include <jansson.h>
#include <stdio.h>

// ---------------------------------------------------------------------------------------------
// Document and buffer: gltf_write_buffer.c

/// The location of an accessor whose bytes may be used again.
typedef struct pelti_gltf_known
{
    uint64_t hash; ///< of kind and bytes; 0: the slot is free
    uint64_t kind; ///< type, use and bounds
    size_t offset, size;
    uint32_t accessor;
} pelti_gltf_known;

/// {0} with a root is an empty document. Failed allocations are recorded, and the writer of the
/// file checks once, at the end.
typedef struct pelti_gltf_document
{
    json_t* root;
    uint32_t buffer; ///< index of the buffer that `bytes` is
    uint8_t* bytes;
    size_t size, capacity;
    pelti_gltf_known* known; ///< open addressing, known_capacity is a power of two
    size_t known_count, known_capacity;
    const uint8_t* chunks; ///< more chunks of a GLB, copied from the source; not owned
    size_t chunks_size;
    bool is_out_of_memory;
} pelti_gltf_document;

typedef enum pelti_gltf_component
{
    PELTI_GLTF_S8 = 5120,
    PELTI_GLTF_U8 = 5121,
    PELTI_GLTF_S16 = 5122,
    PELTI_GLTF_U16 = 5123,
    PELTI_GLTF_U32 = 5125,
    PELTI_GLTF_FLOAT = 5126,
} pelti_gltf_component;

/// The values are those of bufferView.target.
typedef enum pelti_gltf_use
{
    PELTI_GLTF_PLAIN = 0, ///< clips and skins
    PELTI_GLTF_VERTICES = 34962,
    PELTI_GLTF_INDICES = 34963,
} pelti_gltf_use;

/// An array that becomes an accessor.
typedef struct pelti_gltf_array
{
    const void* data; ///< count * width components; NULL: zeros, which take no room in the file
    size_t count;
    uint32_t width; ///< 1 to 4, or 16 for matrices by columns
    pelti_gltf_component component;
    pelti_gltf_use use;
    bool has_bounds;    ///< with min and max; floats only
    bool is_normalized; ///< integers that represent fractions
    /// Elements of vertices begin at multiples of four bytes: those of other sizes are padded. For
    /// pelti_gltf_add_array() only.
    bool is_padded;
} pelti_gltf_array;

/// @return without data if the addition has none
pelti_gltf_array pelti_gltf_array_of(const pelt_addition* addition, size_t vertex_count);
size_t pelti_gltf_array_size(const pelti_gltf_array* array); ///< in bytes

void pelti_gltf_destroy(pelti_gltf_document* document);

/// Append bytes as they are, starting at a multiple of four.
/// @return where they start
size_t pelti_gltf_append_bytes(pelti_gltf_document* document, const void* bytes, size_t size);

/// Append bytes with a view of them, for pictures.
/// @return index of the view
uint32_t pelti_gltf_add_view(pelti_gltf_document* document, const void* bytes, size_t size);

/// Add an accessor with its view, or find the one that already holds the same.
/// @return index
uint32_t pelti_gltf_add_array(pelti_gltf_document* document, const pelti_gltf_array* array);

/// Put an array instead of an accessor's old bytes, of the same size.
void pelti_gltf_replace_array(pelti_gltf_document* document, const pelti_gltf_array* array,
                              uint32_t accessor, size_t offset);

/// A list of the document, created on first use.
json_t* pelti_gltf_list_of(pelti_gltf_document* document, const char* name);

/// Add the name of an extension to a list of the document, unless it is there.
/// @param list_name  "extensionsUsed" or "extensionsRequired"
void pelti_gltf_list_extension(pelti_gltf_document* document, const char* list_name,
                               const char* name);

/// Move a value into an object or array; NULL counts as a failed allocation.
void pelti_gltf_set(pelti_gltf_document* document, json_t* object, const char* key, json_t* value);
void pelti_gltf_push(pelti_gltf_document* document, json_t* array, json_t* value);

json_t* pelti_gltf_floats(pelti_gltf_document* document, const float* values, uint32_t count);

/// A name, or an empty one if it is not UTF-8. NULL is out of memory, and nothing else.
json_t* pelti_gltf_string(const char* text, size_t size);

/// Name an object, if there is a name.
void pelti_gltf_set_name(pelti_gltf_document* document, json_t* object, const char* name);

// ---------------------------------------------------------------------------------------------
// Layout: gltf_write_layout.c

/// Which glTF mesh a mesh becomes, and which node carries an instance. A node of glTF carries one
/// mesh, so meshes that always appear together at one node are primitives of one; an instance
/// that finds its node taken gets one more, and so does a skinned one unless there is a root
/// without a transform for it. Extra nodes come in between, so that instances keep their order.
typedef struct pelti_gltf_layout
{
    const bool* is_joined;    ///< per mesh: a primitive of the same glTF mesh as the one before
    const bool* is_gathered;  ///< per node: a root that hangs below the one that gathers joints
    const uint32_t* mesh_of;  ///< per mesh
    const uint32_t* node_of;  ///< per instance; from scene->node_count up: an extra node
    const uint32_t* index_of; ///< per node, then per extra node: its index in the file
    uint32_t gathering;       ///< index of the node above skeletons of several trees, or PELT_NONE
    uint32_t node_count;      ///< with all these
    pelt_arena* arena;
} pelti_gltf_layout;

/// @param scene  valid
pelt_result pelti_gltf_layout_create(pelti_gltf_layout* out, const pelt_scene* scene);
/// Length of a name without the number of a primitive, "_3", that pelt_load() puts behind it.
size_t pelti_gltf_base_length(const char* name);
void pelti_gltf_layout_destroy(pelti_gltf_layout* layout);

// ---------------------------------------------------------------------------------------------
// Parts of a document, one file each

void pelti_gltf_add_header(pelti_gltf_document* document, const char* scene_name);
void pelti_gltf_add_materials(pelti_gltf_document* document, const pelt_scene* scene);

/// One primitive, not yet in a mesh.
json_t* pelti_gltf_primitive(pelti_gltf_document* document, const pelt_mesh* mesh);

enum
{
    PELTI_CARRIER_SETS = 4 ///< TEXCOORD_2 and TEXCOORD_3, and those before that glTF asks for
};

/// Whether TEXCOORD_2 and TEXCOORD_3 have the centers and mix factors of a mesh.
bool pelti_carrier_is_texcoord(const pelt_mesh* mesh);

/// What such a mesh has as a UV set: x and y of centers in set 2, z and the mix factor in set 3.
/// Sets before these must be there, so those that the mesh lacks repeat its first set.
/// @param out  vertex_count pairs; NULL: the mesh has that set itself
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result pelti_carrier_uvs(const float** out, const pelt_mesh* mesh, uint32_t set,
                              pelt_arena* arena);

/// The member pelt_carrier of extras: how many sets are the mesh's own, and what the others have.
const char* pelti_carrier_extras(const pelt_mesh* mesh, pelt_arena* arena);

/// The boxes of a mesh as the member pelt_bounds of an object, for its extras.
/// @return NULL when out of memory
json_t* pelti_bounds_describe(const pelt_mesh* mesh);

/// The triangles of a mesh, of 16 bits where they suffice.
/// @return index of the accessor
uint32_t pelti_gltf_add_indices(pelti_gltf_document* document, const pelt_mesh* mesh);
void pelti_gltf_add_meshes(pelti_gltf_document* document, const pelt_scene* scene,
                           const pelti_gltf_layout* layout);

/// JOINTS_n and WEIGHTS_n of a primitive.
/// @param is_quantized  weights in 16 bits, which sum to 65535 for each vertex; else as floats
void pelti_gltf_set_weights(pelti_gltf_document* document, json_t* attributes,
                            const pelt_weights* weights, bool is_quantized);
void pelti_gltf_add_skins(pelti_gltf_document* document, const pelt_scene* scene,
                          const pelti_gltf_layout* layout);
void pelti_gltf_add_nodes(pelti_gltf_document* document, const pelt_scene* scene,
                          const pelti_gltf_layout* layout);
void pelti_gltf_add_clips(pelti_gltf_document* document, const pelt_scene* scene,
                          const pelti_gltf_layout* layout);

/// One element of each of these lists.
json_t* pelti_gltf_make_node(pelti_gltf_document* document, const pelt_node* node);

/// Write the rule of a helper joint into the extras of its node.
/// @param index_of  by node of the scene: index in the file
void pelti_gltf_set_helper(pelti_gltf_document* document, const pelt_scene* scene,
                           const pelt_helper* helper, const uint32_t* index_of);
json_t* pelti_gltf_make_sampler(pelti_gltf_document* document, const pelt_track* track);
/// The same with one more key at `time`, with the value of the last key.
json_t* pelti_gltf_make_held_sampler(pelti_gltf_document* document, const pelt_track* track,
                                     float time);
float pelti_gltf_last_time(const pelt_clip* clip); ///< of any key
json_t* pelti_gltf_make_channel(pelti_gltf_document* document, const pelt_track* track,
                                size_t sampler, uint32_t node);

/// The matrices of all joints. @return index of the accessor
uint32_t pelti_gltf_add_inverse_binds(pelti_gltf_document* document, const pelt_skin* skin);

// ---------------------------------------------------------------------------------------------
// Whole documents: gltf_write.c

/// Deformed surfaces of a scene, each as a node of its own.
typedef struct pelti_gltf_surfaces
{
    pelt_format format;
    const pelt_scene* scene;
    const pelt_surface* surfaces;   ///< one per instance, packed
    const pelt_addition* additions; ///< more attributes, by instances, which `mesh` is here
    uint32_t addition_count;
} pelti_gltf_surfaces;

/// Failed writes stay in the stream's error flag.
pelt_result pelti_gltf_write_surfaces(FILE* stream, const pelti_gltf_surfaces* what,
                                      pelt_error* error);

/// Whether a scene is valid, and glTF can hold it.
pelt_result pelti_gltf_check_scene(const pelt_scene* scene, pelt_error* error);
pelt_result pelti_gltf_write_scene(FILE* stream, pelt_format format, const pelt_scene* scene,
                                   pelt_error* error);

/// Collect the output of a function in memory.
/// @param out  free with pelt_source_release()
pelt_result pelti_write_to_memory(pelt_source* out,
                                  pelt_result (*write)(FILE* stream, const void* user,
                                                       pelt_error* error),
                                  const void* user, pelt_error* error);

// ---------------------------------------------------------------------------------------------
// File: gltf_write.c

/// Where the bytes of the document are stored.
typedef enum pelti_gltf_home
{
    PELTI_GLTF_HOME_NONE = 0, ///< there are none
    PELTI_GLTF_HOME_CHUNK,    ///< binary chunk of a GLB; the buffer is the first
    PELTI_GLTF_HOME_URI,      ///< data URI
} pelti_gltf_home;

typedef struct pelti_gltf_target
{
    pelt_format format; ///< PELT_FORMAT_GLB or PELT_FORMAT_GLTF
    pelti_gltf_home home;
    uint32_t digits; ///< of numbers in the text: 9 bring back a float, 17 a double
} pelti_gltf_target;

/// "data:TYPE;base64,..."
/// @return NULL when out of memory
json_t* pelti_gltf_data_uri(const char* type, const uint8_t* bytes, size_t size);

/// The text of a JSON value. Free it with pelt_release(); NULL: out of memory.
/// @param flags  of jansson
char* pelti_gltf_text(const json_t* root, size_t flags);

/// Give the document's buffer its length and, with PELTI_GLTF_HOME_URI, its content.
void pelti_gltf_close_buffer(pelti_gltf_document* document, const pelti_gltf_target* target);

/// Failed writes stay in the stream's error flag.
pelt_result pelti_gltf_write(FILE* stream, const pelti_gltf_document* document,
                             const pelti_gltf_target* target, pelt_error* error);

#endif
