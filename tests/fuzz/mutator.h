// SPDX-License-Identifier: MIT
// Mutation that knows the container, so that what is inside gets to the reader: lengths, offsets
// and checksums fit afterwards, and packed bytes are unpacked, changed and packed again.
#ifndef PELT_MUTATOR_H
#define PELT_MUTATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A function of libFuzzer: changes some bytes in place.
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

/// Called by libFuzzer instead of the above.
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed);

/// Numbers below `limit` from a seed, the same everywhere.
uint32_t mutator_pick(uint64_t* state, uint32_t limit);

/// Bytes with room, of a file that is put together.
typedef struct mutator_bytes
{
    uint8_t* data;
    size_t size, room;
    bool is_full; ///< something had no room
} mutator_bytes;

void mutator_put(mutator_bytes* out, const void* bytes, size_t size);
void mutator_put_number(mutator_bytes* out, uint64_t number, uint32_t size); ///< little-endian

/// The bytes, changed by libFuzzer.
void mutator_put_changed(mutator_bytes* out, const uint8_t* bytes, size_t size);

/// The same for bytes packed by zlib: unpacked, changed, packed. As they are when they are none.
void mutator_put_repacked(mutator_bytes* out, const uint8_t* bytes, size_t size);

/// A PNG with one chunk changed and a checksum that fits; anything else is changed by libFuzzer.
/// @return its new size
size_t mutator_change_png(uint8_t* data, size_t size, size_t max_size, uint64_t* state);

uint64_t mutator_read(const uint8_t* bytes, uint32_t size); ///< little-endian

#endif
