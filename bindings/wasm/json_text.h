// SPDX-License-Identifier: MIT
// JSON values as all answers to JavaScript have them.
#ifndef PELT_JSON_TEXT_H
#define PELT_JSON_TEXT_H

#include <jansson.h>
#include <stdint.h>

/// Names come from files: bytes that are not UTF-8 are left out. NULL becomes null.
json_t* web_text(const char* value);

/// PELT_NONE becomes null.
json_t* web_index(uint32_t index);

/// Compact text; releases the value.
/// @return NULL: out of memory, see web_message(); otherwise for web_release_text()
char* web_print(json_t* value);

#endif
