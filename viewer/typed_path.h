// SPDX-License-Identifier: MIT
// Paths as people type and paste them.
#ifndef PELT_TYPED_PATH_H
#define PELT_TYPED_PATH_H

#include <stdbool.h>
#include <stddef.h>

/// The path that a text means: without spaces around it and quotes, with ~ as $HOME, and a URI such
/// as file:///users/me/my%20hero.glb as the path of the file.
/// @return false: it does not fit into out
bool typed_path_read(char* out, size_t size, const char* text);

#endif
