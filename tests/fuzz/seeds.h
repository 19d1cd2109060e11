// SPDX-License-Identifier: MIT
// Small files that fuzzing starts from: one for each feature of a format, put together in code.
#ifndef PELT_SEEDS_H
#define PELT_SEEDS_H

#include "pelt/io.h"

/// Path of a seed, DIR/TARGET/NAME, valid until the next call; the folder is there.
const char* seed_path(const char* target, const char* name);

/// Write a seed, or end the program with a sentence.
void seed_write(const char* target, const char* name, const void* bytes, size_t size);

/// A step that every seed depends on, or the end of the program.
void seed_require(bool is_true, const char* what);

/// Each set of seeds, in a file of its own; what is written has been read once.
void seeds_gltf(void);
void seeds_fbx(void);
void seeds_picture(void);
void seeds_baked(void);
void seeds_text(void); ///< poses, names of rigs, weights

#endif
