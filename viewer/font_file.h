// SPDX-License-Identifier: MIT
// TrueType fonts of the system.
#ifndef PELT_FONT_FILE_H
#define PELT_FONT_FILE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum font_style
{
    FONT_PLAIN = 0,
    FONT_MONO
} font_style;

/// @return a path that can be read, or NULL where there is none
const char* font_file_find(font_style style);

#ifdef __cplusplus
}
#endif

#endif
