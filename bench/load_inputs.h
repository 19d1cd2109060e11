// SPDX-License-Identifier: MIT
// What suite `load` reads besides built-in rigs: characters of extreme shapes in small files, long
// lists, and an FBX file with a long clip.
#ifndef PELT_LOAD_INPUTS_H
#define PELT_LOAD_INPUTS_H

#include "bench.h"

typedef enum load_shape
{
    LOAD_SHAPE_FAN = 0,   ///< triangles that share one vertex
    LOAD_SHAPE_LINE,      ///< triangles without area along a line
    LOAD_SHAPE_POINT,     ///< triangles without area at one point
    LOAD_SHAPE_STACK,     ///< one triangle many times, each with its own vertices
    LOAD_SHAPE_RANDOM,    ///< triangles between random vertices
    LOAD_SHAPE_INSTANCES, ///< instances of one skinned mesh
    LOAD_SHAPE_CLIPS,     ///< short clips
    LOAD_SHAPE_COUNT
} load_shape;

const char* load_shape_name(load_shape shape);

/// A valid scene with a skin of 64 joints and a clip. Every vertex has four random joints of it.
/// @param count  triangles, instances or clips
/// @param arena  owns the scene
/// @return false when out of memory
bool load_shape_build(pelt_scene* out, load_shape shape, uint32_t count, pelt_arena* arena);

/// Add a table: for each shape, the times of loading and preparing at two sizes.
/// @param path  a temporary file of the caller, which is overwritten
pelt_result load_shapes_measure(bench_report* out, const bench_options* options, const char* path,
                                pelt_error* error);

/// Add a table of exponents, one row for each kind of list and of work.
/// @param path  a temporary file of the caller, which is overwritten
pelt_result load_growth_measure(bench_report* out, const bench_options* options, const char* path,
                                pelt_error* error);

/// A clip as from motion capture: a binary FBX file that has joints only. All of them rotate, with
/// 30 keys per second on each angle and automatic tangents.
typedef struct load_dance
{
    uint32_t joint_count;
    double seconds;
} load_dance;

pelt_result load_dance_write(const char* path, load_dance dance, pelt_error* error);

#endif
