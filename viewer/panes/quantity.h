// SPDX-License-Identifier: MIT
// Numbers as people write them: three digits, a unit that suits, never an exponent.
#ifndef PELT_QUANTITY_H
#define PELT_QUANTITY_H

#include <stdint.h>

enum
{
    QUANTITY_BYTES = 32, ///< of a text, in all of these
};

/// "0 mm", "below 0.001 mm", "0.412 mm", "11.1 mm", "999 mm", "1.23 m", "156 km". @return out
const char* quantity_length(char out[QUANTITY_BYTES], double meters);

/// "512 bytes", "1.54 kB", "999 kB", "1.23 MB"; a kB has 1000 bytes. @return out
const char* quantity_size(char out[QUANTITY_BYTES], uint64_t bytes);

/// "0.45 ms", "27.2 ms", "999 ms", "1.23 s". @return out
const char* quantity_duration(char out[QUANTITY_BYTES], double milliseconds);

/// Three digits without a unit: "0.00123", "0.412", "1.23", "12.3", "1230". @return out
const char* quantity_number(char out[QUANTITY_BYTES], double number);

/// Digits in groups of three: "20 015". @return out
const char* quantity_grouped(char out[QUANTITY_BYTES], uint64_t number);

#endif
