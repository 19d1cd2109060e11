// SPDX-License-Identifier: MIT
// The file that a command writes: -o, --format, and the words about the meshes in it.
#ifndef PELT_MESH_FILE_H
#define PELT_MESH_FILE_H

#include "args.h"
#include "pelt/io.h"

#include <jansson.h>

extern const arg_option mesh_file_options[];

typedef struct mesh_file
{
    const char* path;
    pelt_format format;
} mesh_file;

/// Where to and in which format, by --output and --format; before any work, so that mistakes show
/// early.
/// @param names  the choices of --format, which are extensions; ends with NULL
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int mesh_file_choose_among(mesh_file* out, const args* arguments, const char* const* names);

/// The same, for mesh_file_options.
int mesh_file_choose(mesh_file* out, const args* arguments);

/// Write the surfaces of a frame and say so on stderr.
int mesh_file_save(const mesh_file* file, const pelt_scene* scene, const pelt_frame* frame);

/// Members `output`, `vertices`, `triangles` and `bounds` of a report.
void mesh_file_describe(json_t* report, const mesh_file* file, const pelt_scene* scene,
                        const pelt_frame* frame);

/// Vertices and triangles of all instances, and the box around them.
typedef struct mesh_totals
{
    uint64_t vertex_count, triangle_count;
    pelt_bounds bounds;
} mesh_totals;

mesh_totals mesh_totals_of(const pelt_scene* scene, const pelt_frame* frame);

#endif
