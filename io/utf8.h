// SPDX-License-Identifier: MIT
// Which bytes are UTF-8 (RFC 3629). JSON must be.
#ifndef PELT_UTF8_H
#define PELT_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/// Bytes of the character that begins there, 1 to 4.
/// @param end  beyond the text; not at
/// @return 0 when it is not UTF-8
size_t pelti_utf8_size(const char* at, const char* end);

bool pelti_utf8_is_valid(const char* text, size_t size);

#endif
