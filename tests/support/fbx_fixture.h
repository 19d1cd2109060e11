// SPDX-License-Identifier: MIT
// Small FBX files in text, put together by tests.
#ifndef PELT_FBX_FIXTURE_H
#define PELT_FBX_FIXTURE_H

#include "readers.h"
#include "test.h"

/// Ticks of FBX in a second.
#define FBX_SECOND 46186158000ll

/// A whole file: objects and connections between header and end. Printed into a buffer of its own,
/// which the next call overwrites. In meters.
const char* fbx_text(const char* objects, const char* connections);

/// Read text or bytes under the name "folder/test.fbx". NULL: refused, with the sentence in *error.
pelt_scene* fbx_read(const char* text, pelt_error* error);
pelt_scene* fbx_read_bytes(const void* bytes, size_t size, pelt_error* error);

/// Two joints and a skinned strip of two quads with everything: layers, two materials, a picture, a
/// shape, and a take that moves joints and shape.
const char* fbx_everything(void);

#endif
