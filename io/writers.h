// SPDX-License-Identifier: MIT
// One function per mesh format; io/save.c opens, dispatches and commits.
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

#endif
