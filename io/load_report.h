// SPDX-License-Identifier: MIT
// What a reader had to fix (repairs) and what it read that a scene cannot hold (losses).
#ifndef PELTI_LOAD_REPORT_H
#define PELTI_LOAD_REPORT_H

#include "pelt/pelt.h"

#include <stdarg.h>

// ---------------------------------------------------------------------------------------------
// Repairs

/// The repairs of a scene that is being read. {0} is empty.
typedef struct pelti_repairs
{
    struct pelti_repair* last;
    uint32_t count;
    uint32_t mesh_number, clip_number; ///< of what is being read, counted from 1; 0: neither
} pelti_repairs;

/// Add a message.
/// @param arena  of the scene
/// @return false when out of memory, as for the other functions
bool pelti_repairs_add(pelti_repairs* inout, pelt_arena* arena, const char* format,
                       va_list arguments);

/// Set the kind of the last message, which is PELT_REPAIR_OTHER otherwise.
/// @param count  how many items it is about; 0: not counted
void pelti_repairs_classify(pelti_repairs* inout, pelt_repair_kind kind, uint32_t count);

/// One message for each kind of fault in the weights of a mesh.
bool pelti_repairs_add_weights(pelti_repairs* inout, pelt_arena* arena, const char* mesh,
                               const pelt_weights_report* report);

/// The text that goes with a count, for example "vertex has" for 1 and else "vertices have".
const char* pelti_plural(uint64_t count, const char* one, const char* many);

/// Store all repairs in the scene, in their order.
bool pelti_repairs_write(pelt_scene* out, pelt_arena* arena, const pelti_repairs* repairs);

// ---------------------------------------------------------------------------------------------
// Losses

typedef struct pelti_loss
{
    const char *one, *many; ///< "camera", "cameras"; many is NULL: `one` is listed without a count
    uint32_t count;         ///< 0: not listed
} pelti_loss;

/// Append losses to those that the scene lists already.
/// @param arena  owns the list and its texts
/// @return false when out of memory
bool pelti_losses_add(pelt_scene* inout, pelt_arena* arena, const pelti_loss* losses,
                      uint32_t count);

#endif
