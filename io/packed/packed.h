// SPDX-License-Identifier: MIT
// Data packed by zlib, in memory of the hooks, and the PNG files that hold it.
#ifndef PELTI_PACKED_H
#define PELTI_PACKED_H

#include "../../include/pelt/base.h"

/// An upper bound on the packed size of `size` bytes.
size_t pelti_pack_bound(size_t size);

/// @param size  room in out, and then the bytes used of it
/// @return false: out of memory
bool pelti_pack(uint8_t* out, size_t* size, const uint8_t* bytes, size_t count);

/// Unpack exactly `count` bytes.
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_DATA: broken, or of another size
pelt_result pelti_unpack(uint8_t* out, size_t count, const uint8_t* packed, size_t size);

/// A PNG file of RGBA texels (ISO/IEC 15948).
/// @param out    free with pelt_release()
/// @param rows   height times: a 0, which is the filter "none", and the bytes of a row
/// @param depth  bits of a channel, 8 or 16; those of 16 have their high byte first
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result pelti_png_pack(uint8_t** out, size_t* size, const uint8_t* rows, uint32_t width,
                           uint32_t height, uint32_t depth);

#endif
