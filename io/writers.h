// SPDX-License-Identifier: MIT
// One function per mesh format, and what they share; io/save.c opens, dispatches and commits.
#ifndef PELT_WRITERS_H
#define PELT_WRITERS_H

#include "pelt/io.h"

#include <stdio.h>

/// All write what pelt_save_surfaces() promises. Failed writes stay in the stream's error flag,
/// where pelti_file_commit() finds them; the result is about everything else.
pelt_result pelti_write_obj(FILE* stream, const pelt_scene* scene, const pelt_surface* surfaces,
                            pelt_error* error);
pelt_result pelti_write_ply(FILE* stream, const pelt_scene* scene, const pelt_surface* surfaces,
                            pelt_error* error);
pelt_result pelti_write_glb(FILE* stream, const pelt_scene* scene, const pelt_surface* surfaces,
                            pelt_error* error);
pelt_result pelti_write_gltf(FILE* stream, const pelt_scene* scene, const pelt_surface* surfaces,
                             pelt_error* error);

/// pelt_image_type() of a picture that glTF files are written with: PNG, JPEG or WebP.
/// @return NULL: it is none of them
const char* pelti_gltf_image_type(const void* bytes, size_t size);

#endif
