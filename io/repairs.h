// SPDX-License-Identifier: MIT
// What a reader had to fix, sentence by sentence, until the scene takes it over.
#ifndef PELT_REPAIRS_H
#define PELT_REPAIRS_H

#include "pelt/pelt.h"

#include <stdarg.h>

/// {0} is empty.
typedef struct pelti_repairs
{
    struct pelti_repair* last;
    uint32_t count;
    uint32_t mesh_number, clip_number; ///< what is read now, counted from 1; 0: neither
} pelti_repairs;

/// Remember a sentence.
/// @param arena  of the scene
/// @return false when out of memory; so the others
bool pelti_repairs_add(pelti_repairs* inout, pelt_arena* arena, const char* format,
                       va_list arguments);

/// Say what kind the last sentence is of; else it is PELT_REPAIR_OTHER.
/// @param count  how many things it is about; 0: not counted
void pelti_repairs_classify(pelti_repairs* inout, pelt_repair_kind kind, uint32_t count);

/// One sentence for each kind of thing that was wrong with the weights of a mesh.
bool pelti_repairs_add_weights(pelti_repairs* inout, pelt_arena* arena, const char* mesh,
                               const pelt_weights_report* report);

/// The words that go with a count: "vertex has" for 1, else "vertices have".
const char* pelti_plural(uint64_t count, const char* one, const char* many);

/// Hand all sentences to the scene, in their order.
bool pelti_repairs_write(pelt_scene* out, pelt_arena* arena, const pelti_repairs* repairs);

#endif
