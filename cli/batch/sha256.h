// SPDX-License-Identifier: MIT
// SHA-256 of files, by which `pelt batch` knows whether they have changed.
#ifndef PELT_SHA256_H
#define PELT_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sha256
{
    uint32_t state[8];
    uint64_t size; ///< bytes so far
    uint8_t block[64];
} sha256;

/// 64 hexadecimal digits.
typedef struct sha256_text
{
    char digits[65];
} sha256_text;

void sha256_begin(sha256* out);
void sha256_add(sha256* inout, const void* bytes, size_t size);
sha256_text sha256_end(sha256* inout);

/// @return false: the file cannot be read
bool sha256_file(sha256_text* out, const char* path);

#endif
