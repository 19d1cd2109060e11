// SPDX-License-Identifier: MIT
// Any bytes as a file: refused with a sentence, or a scene that keeps every promise.
#ifndef PELT_FUZZ_READER_H
#define PELT_FUZZ_READER_H

#include "readers.h"
#include "scene_stages.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

typedef pelt_result (*fuzz_reader)(pelt_scene** out, const pelt_source* source,
                                   const pelt_load_options* options, pelt_error* error);

/// Read, validate, and go on with the stages of scene_stages.h.
/// @return whether there was a scene, small enough to go on with
bool fuzz_read(fuzz_reader read, const uint8_t* data, size_t size, uint32_t freedom);

#endif
