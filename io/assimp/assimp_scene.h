// SPDX-License-Identifier: MIT
// What the parts of the assimp reader share while one file is read: assimp's scene and pelt's. Each
// part fills in its own arrays; pelti_read_assimp() calls them in order. Without assimp in the
// build all of this is empty.
#ifndef PELT_ASSIMP_SCENE_H
#define PELT_ASSIMP_SCENE_H

#include "../load_report.h"
#include "../readers.h"

#ifdef PELT_WITH_ASSIMP

#include <assimp/scene.h>

/// A node of the result. One of assimp's nodes may need two, see pelti_split_matrix().
typedef struct pelti_assimp_node
{
    pelt_node node;
    bool is_split; ///< the node before it, its parent, has the other factor of its matrix
} pelti_assimp_node;

/// One of assimp's nodes, and the node of the scene.
typedef struct pelti_assimp_visit
{
    const struct aiNode* source;
    uint32_t parent; ///< index of a visit, or PELT_NONE
    uint32_t node;
} pelti_assimp_visit;

typedef struct pelti_assimp
{
    const struct aiScene* source;
    const char* path;
    uint32_t max_influences;
    pelt_arena* arena;
    pelt_scene* scene;
    pelt_error* error;

    pelti_assimp_visit* visits; ///< assimp's nodes, depth first
    uint32_t visit_count;
    pelti_assimp_node* nodes;
    uint32_t node_count, node_capacity;
    uint32_t* names; ///< hash table: node + 1, or 0
    uint32_t name_capacity;
    uint32_t sheared_count; ///< nodes that became two
    const char* first_sheared;

    uint32_t* skin_of_mesh; ///< or PELT_NONE
    pelti_repairs repairs;
} pelti_assimp;

/// Record a repair of the input.
/// @return PELT_OK, or the result of a failed allocation
pelt_result pelti_assimp_repair(pelti_assimp* a, const char* format, ...);

/// Run the importer that fits the content or else the extension of the file.
/// @return NULL with the message in *error and its code in *result; else for aiReleaseImport()
const struct aiScene* pelti_assimp_import(const pelt_source* source, pelt_result* result,
                                          pelt_error* error);

// In the order of the calls.
pelt_result pelti_assimp_read_nodes(pelti_assimp* a);
pelt_result pelti_assimp_read_materials(pelti_assimp* a);
pelt_result pelti_assimp_read_images(pelti_assimp* a);
pelt_result pelti_assimp_read_meshes(pelti_assimp* a);
pelt_result pelti_assimp_read_instances(pelti_assimp* a);
pelt_result pelti_assimp_read_clips(pelti_assimp* a);

/// The first node of that name, depth first; or PELT_NONE.
uint32_t pelti_assimp_find_node(const pelti_assimp* a, const char* name);

/// Append a node, or two when the matrix shears.
/// @param out  the one that carries the name
pelt_result pelti_assimp_add_node(pelti_assimp* a, uint32_t* out, const char* name, uint32_t parent,
                                  const pelt_mat34* matrix);

/// The node that first puts a mesh into the scene; node 0 when none does.
uint32_t pelti_assimp_node_of_mesh(const pelti_assimp* a, uint32_t mesh);

/// Which vertices of the file a mesh keeps.
typedef struct pelti_assimp_kept
{
    uint32_t count;
    uint32_t* sources; ///< vertex of the file, for each that is kept
    uint32_t* kept;    ///< the inverse: index in `sources`, for each vertex of the file
} pelti_assimp_kept;

/// Weights of one mesh as the file has them, vertex by vertex.
typedef struct pelti_assimp_weights
{
    uint32_t* first; ///< mNumVertices + 1
    uint32_t* joints;
    float* weights;
    uint32_t dropped; ///< name a vertex that does not exist
    uint32_t loose;   ///< vertices without a weight
} pelti_assimp_weights;

/// Gather; everything is pelt_release()d by pelti_assimp_release_weights(), also after failure.
pelt_result pelti_assimp_gather_weights(pelti_assimp_weights* out, const struct aiMesh* mesh);
void pelti_assimp_release_weights(pelti_assimp_weights* weights);

/// The skin of a mesh, and its weights on the vertices that are kept.
pelt_result pelti_assimp_read_skin(pelti_assimp* a, pelt_skin* skin, pelt_mesh* out, uint32_t mesh,
                                   const pelti_assimp_weights* weights,
                                   const pelti_assimp_kept* kept);

/// Column 3 is the translation in both libraries.
pelt_mat34 pelti_assimp_matrix(const struct aiMatrix4x4* m);

bool pelti_assimp_is_finite(const pelt_mat34* m);

#endif

#endif
