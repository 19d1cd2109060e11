// SPDX-License-Identifier: MIT
// What reading one file may still cost, and whom to tell how far it is.
#ifndef PELT_LOAD_BUDGET_H
#define PELT_LOAD_BUDGET_H

#include "pelt/io.h"

typedef struct pelti_load_budget
{
    pelt_load_options options; ///< of the caller
    size_t file_size;          ///< of the file, and of those it names as far as they are known
    pelt_load_limits limits;   ///< for that size
    pelt_budget memory;        ///< for arenas, see pelt_arena_limit(), and what else is large
    uint64_t elements;         ///< that may still be gone through
    uint64_t until_told;       ///< elements before the caller is told next
    float part;                ///< done, as the caller has been told
} pelti_load_budget;

/// @param options  NULL: defaults
void pelti_load_start(pelti_load_budget* out, const pelt_load_options* options, size_t file_size);

/// A file that the first one names brings its own share.
void pelti_load_grow(pelti_load_budget* inout, size_t file_size);

/// Pay for work that a file could make slow out of proportion. Now and then tells the caller.
/// @param path  of the file, for the sentence
/// @return PELT_OK, PELT_ERROR_DATA: too much, or PELT_ERROR_CANCELED
pelt_result pelti_load_charge(pelti_load_budget* inout, uint64_t elements, const char* path,
                              pelt_error* error);

/// Tell the caller how much is done, 0 to 1. @return PELT_OK or PELT_ERROR_CANCELED
pelt_result pelti_load_tell(pelti_load_budget* inout, float part, const char* path,
                            pelt_error* error);

/// The result of a reader: memory that ran out because of the limit is the file's fault.
pelt_result pelti_load_finish(const pelti_load_budget* budget, pelt_result result, const char* path,
                              pelt_error* error);

/// The sentence for a file that takes more memory than its limit.
pelt_result pelti_load_fail_memory(const pelti_load_budget* budget, const char* path,
                                   pelt_error* error);

#endif
