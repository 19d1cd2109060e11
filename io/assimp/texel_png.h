// SPDX-License-Identifier: MIT
// Bare texels as a PNG file.
#ifndef PELTI_TEXEL_PNG_H
#define PELTI_TEXEL_PNG_H

#include "pelt/pelt.h"

/// @param out   the file; free with pelt_release()
/// @param rgba  4 bytes for each texel, rows from top to bottom
/// @return PELT_OK, PELT_ERROR_MEMORY, or PELT_ERROR_UNSUPPORTED for a size that is out of range
pelt_result pelti_texel_png(uint8_t** out, size_t* out_size, const uint8_t* rgba, uint32_t width,
                            uint32_t height, pelt_error* error);

#endif
