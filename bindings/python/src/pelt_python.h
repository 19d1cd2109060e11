// SPDX-License-Identifier: MIT
// What the Python package calls by ctypes: plain numbers, pointers and strings, so that no layout
// of a struct is written a second time in Python. Everything that pelt would assert is checked here
// or in the package. Not an interface for other programs: use the headers of pelt.
#ifndef PELT_PYTHON_H
#define PELT_PYTHON_H

#include "pelt/io.h"
#include "pelt/skinner.h"

/// Options of a deformation as the package passes them.
typedef struct pelt_python_options
{
    int32_t method, normal_rule, sign_rule, scale_pivot, dqs_variant, lms_variant;
    float mix, distance_correction;
} pelt_python_options;

pelt_deform_options pelt_python_read_options(const pelt_python_options* from);

/// A loaded character with what was computed for it.
typedef struct pelt_python_character
{
    pelt_scene* loaded;
    pelt_source source;
    pelt_scene scene; ///< `loaded` with more clips and prepared meshes, which the arena owns
    pelt_arena* arena;
    pelt_frame frame;
    bool has_frame; ///< false: not made yet, or out of date
    pelt_arena* diagnosis_arena;
    struct pelt_diagnosis* diagnosis;
} pelt_python_character;

/// Make the frame, if it is not up to date.
pelt_result pelt_python_update_frame(pelt_python_character* in, pelt_error* error);

/// Whether meshes have what the options need; the sentence names the call that computes it.
pelt_result pelt_python_check_needs(const pelt_python_character* in,
                                    const pelt_deform_options* options, pelt_error* error);

/// A pose in the package's arrays.
pelt_pose pelt_python_pose(const pelt_python_character* in, float* locals, float* morph_weights);

#endif
