// SPDX-License-Identifier: MIT
// A character that JavaScript holds.
#ifndef PELT_CHARACTER_H
#define PELT_CHARACTER_H

#include "../../include/pelt/bounds.h"
#include "../../include/pelt/io.h"

/// A file that another refers to, as JavaScript writes it.
typedef struct web_file
{
    char* name;
    void* bytes;
    size_t size;
} web_file;

/// What can be computed: the values of PELT_SKINNER_CENTERS and the following, and boxes.
enum
{
    WEB_CENTERS = 2,
    WEB_NORMAL_FACTORS = 4,
    WEB_MIX_FACTORS = 8,
    WEB_BOUNDS = 16,
};

typedef struct web_character
{
    pelt_source source; ///< owns path and bytes
    pelt_files lookup;  ///< in files
    web_file* files;
    uint32_t file_count;
    pelt_scene* read; ///< as it was loaded
    pelt_scene scene; ///< a shallow copy, with what was prepared
    pelt_arena* arena;
    pelt_pose pose;
    pelt_cursor cursor;
    pelt_frame frame;
    pelt_skin_bounds** bounds; ///< one per mesh, made when they are asked for; or NULL
    bool has_smoothing;        ///< smoothed weights for methods that need them
    bool has_factors;          ///< normal factors are as complete as they can be
    pelt_baked* baked;
} web_character;

/// Write the scene as pelt has read it: decoded, triangles only, with the textures that are among
/// the files of the character.
/// @param path  .glb or .gltf, for web_take_file()
uint32_t web_character_save_scene(const web_character* in, const char* path);

/// Options of a bake as JavaScript writes them; 0 is the default of each.
typedef struct web_bake_options
{
    uint32_t encoding, finds_encoding, bits;
    float max_error; ///< meters per meter of height
    float rate;
    uint32_t clip_count;
    const uint32_t* clips;
    uint32_t socket_count;
    const uint32_t* sockets;
    uint32_t has_no_morphs;
} web_bake_options;

#endif
