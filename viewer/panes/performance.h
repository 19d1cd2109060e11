// SPDX-License-Identifier: MIT
// The costs of frames over the last few seconds, and the memory of the process.
#ifndef PELT_PERFORMANCE_H
#define PELT_PERFORMANCE_H

#include <stdbool.h>
#include <stdint.h>

enum
{
    PERFORMANCE_FRAMES = 240,
    PERFORMANCE_QUERIES = 4, ///< that may be pending: results are never waited for
};

/// What is counted of a frame: milliseconds, but for FPS.
typedef enum performance_part
{
    PART_FRAME = 0, ///< from one picture to the next
    PART_FPS,
    PART_POSE,      ///< sampling and edits
    PART_PALETTE,   ///< transforms and palettes of joints
    PART_UPLOAD,    ///< what is passed to the driver
    PART_INTERFACE, ///< events, controls, and the list of what to draw of them
    PART_CPU,       ///< these four
    PART_DEFORM,    ///< skinning and measuring on the CPU
    PART_COUNT
} performance_part;

typedef struct performance
{
    float values[PART_COUNT][PERFORMANCE_FRAMES]; ///< oldest first
    uint32_t count;
    uint32_t draw_count;   ///< of the last frame, without those of the interface
    uint64_t vertex_count; ///< of the characters in it

    // Time on the GPU, by timer queries.
    bool has_timer; ///< the driver counts at all
    uint32_t queries[PERFORMANCE_QUERIES];
    bool is_pending[PERFORMANCE_QUERIES];
    uint32_t next_query;
    float gpu_ms; ///< the last that is known; below 0: none yet
} performance;

typedef struct performance_summary
{
    float mean, median, p1, p99, worst; ///< worst: the highest
} performance_summary;

/// With the context that is current.
void performance_create(performance* out);
void performance_destroy(performance* in); ///< {0} is allowed

/// Time what the GPU does between these; left out while all queries are on their way.
void performance_gpu_begin(performance* inout);
void performance_gpu_end(performance* inout);

/// Add a frame.
/// @param parts  PART_FPS and PART_CPU are computed
void performance_add(performance* inout, const float parts[PART_COUNT]);

performance_summary performance_summarize(const performance* in, performance_part part);

// ---------------------------------------------------------------------------------------------
// Memory

/// From now on, allocate large blocks apart from small ones: freed blocks return their pages, and
/// small ones are not scattered among them.
void memory_use_prepare(void);

/// Return free memory to the system.
void memory_use_trim(void);

typedef struct memory_use
{
    uint64_t resident; ///< bytes of the process in memory, the driver's included; 0: not known
    uint64_t heap;     ///< bytes that are allocated; 0: not known
} memory_use;

memory_use memory_use_now(void);

/// Objects of the OpenGL context that is current: buffers, vertex arrays, textures, renderbuffers
/// and framebuffers.
uint32_t memory_use_gl_objects(void);

#endif
