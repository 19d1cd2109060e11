// SPDX-License-Identifier: MIT
// Benchmark mode without its interface: a crowd of the current character, and the benchmark of
// `pelt bench crowd` between the frames of the window.
#ifndef PELT_BENCHMARK_H
#define PELT_BENCHMARK_H

#include "crowd/crowd_run.h"
#include "settings.h"

enum
{
    BENCHMARK_PATH_BYTES = 1024,
    BENCHMARK_INSTANCE_MAX = 4096, ///< on show
};

typedef enum benchmark_state
{
    BENCHMARK_IDLE = 0, ///< nothing was measured yet
    BENCHMARK_RUNNING,
    BENCHMARK_CANCELED, ///< curves are what there was until then
    BENCHMARK_WRITTEN,  ///< its files are in the folder
} benchmark_state;

typedef struct benchmark
{
    draw_target target;  ///< without a context: not needed yet
    const char* subject; ///< name of the character; NULL: none
    crowd_subject character;
    char reason[200]; ///< why there is no crowd of it; "": there is

    // The crowd on show.
    crowd_cast cast;           ///< without parts: none
    crowd_instances instances; ///< of capacity 0: none
    char note[200];            ///< why there is none by this technique; "": there is
    crowd_draw shown;
    uint32_t revision; ///< another number for another cast
    float spacing;
    double time;   ///< of the animation, seconds
    bool is_drawn; ///< in the last frame

    // The benchmark.
    benchmark_state state;
    crowd_run run;           ///< while RUNNING
    crowd_schedule schedule; ///< afterwards: what it found
    char folder[BENCHMARK_PATH_BYTES];
} benchmark;

/// The description of the current or last measurement.
const crowd_schedule* benchmark_schedule(const benchmark* in);

/// Draws and vertices of the crowd on show in the last frame.
void benchmark_count(const benchmark* in, uint32_t* draw_count, uint64_t* vertex_count);

/// Make crowds of a character, until benchmark_forget().
/// @param name, scene  must stay as they are until then
void benchmark_take(benchmark* inout, pelt_gl* gl, const char* name, const pelt_scene* scene);

/// The mode is left: release the crowd on show and its picture. A benchmark that runs keeps them.
/// @return false: there was nothing to release
bool benchmark_leave(benchmark* inout);

/// The character is about to change: end the current measurement.
void benchmark_forget(benchmark* inout);
void benchmark_destroy(benchmark* inout);

/// Draw the crowd on show, or spend some time on the benchmark.
/// @param width,height  of the picture, pixels
/// @param waits         until the benchmark is done
pelt_result benchmark_update(benchmark* inout, const view_settings* settings, int32_t width,
                             int32_t height, bool waits, pelt_error* error);

/// Start it with a character taken.
/// @return PELT_OK, or why it cannot be: no character, no technique, no folder for the results
pelt_result benchmark_start(benchmark* inout, const view_settings* settings, pelt_error* error);

/// A folder without results of a crowd: the given one, or "crowd-2" where "crowd" has some.
/// @return false: there is none
bool benchmark_free_folder(char out[BENCHMARK_PATH_BYTES], const char* folder);

/// Stop without writing files, and keep the results so far.
void benchmark_cancel(benchmark* inout);

#endif
