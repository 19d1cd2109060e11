// SPDX-License-Identifier: MIT
// The output file of a command, a mesh or a whole scene: -o, --format, and the messages about it.
#ifndef PELT_OUTPUT_FILE_H
#define PELT_OUTPUT_FILE_H

#include "args.h"
#include "pelt/io.h"

#include <jansson.h>

extern const arg_option output_file_options[];

typedef struct output_file
{
    const char* path;
    pelt_format format;
} output_file;

/// Where to and in which format, by --output and --format; before any work, so that mistakes show
/// early.
/// @param names  the choices of --format, which are extensions; ends with NULL
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int output_file_choose_among(output_file* out, const args* arguments, const char* const* names);

/// The same, for output_file_options.
int output_file_choose(output_file* out, const args* arguments);

/// Write the surfaces of a frame and report it on stderr.
int output_file_save_mesh(const output_file* file, const pelt_scene* scene,
                          const pelt_frame* frame);

/// Members `output`, `vertices`, `triangles` and `bounds` of a report.
void output_file_describe_mesh(json_t* report, const output_file* file, const pelt_scene* scene,
                               const pelt_frame* frame);

/// Whether a format holds a scene: skeleton, skins and clips besides the meshes.
bool output_file_holds_scene(pelt_format format);

/// Write a scene and report it on stderr.
/// @return the exit code
int output_file_save_scene(const output_file* file, const pelt_scene* scene);

/// The same for a scene that was read from a glTF file, of which everything is kept.
/// @param source  the file
/// @param read    what was read
/// @param scene   the same, or a copy with other arrays in its meshes: see pelt_save_copy()
int output_file_save_copy(const output_file* file, const pelt_source* source,
                          const pelt_scene* read, const pelt_scene* scene);

/// Write a GLB file that is in memory, and say so on stderr.
/// @param scene  that it holds, for the message
int output_file_save_source(const output_file* file, const pelt_source* source,
                            const pelt_scene* scene);

/// Members `output`, `meshes`, `vertices`, `triangles`, `nodes`, `skins` and `clips` of a report.
void output_file_describe_scene(json_t* report, const output_file* file, const pelt_scene* scene);

#endif
