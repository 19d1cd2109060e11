// SPDX-License-Identifier: MIT
// The heap of the process, which lives long and opens many files.
#ifndef PELT_MEMORY_USE_H
#define PELT_MEMORY_USE_H

#include <stdint.h>

/// Keep large blocks apart from small ones, from now on: those that end give their pages back, and
/// what stays does not scatter among them.
void memory_use_prepare(void);

/// Give back what is free.
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
