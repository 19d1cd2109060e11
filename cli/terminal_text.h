// SPDX-License-Identifier: MIT
// Names come from files, and none of them may speak to the terminal: no control characters, no
// changes of writing direction, no line ends of other kinds, nothing that is not UTF-8.
#ifndef PELT_TERMINAL_TEXT_H
#define PELT_TERMINAL_TEXT_H

#include <stdbool.h>

/// Put '?' in the place of every character, or stray byte, that could do more than show a letter.
/// The text becomes no longer. Line ends count as such: it is one line afterwards.
void terminal_text_clean(char* text);

/// Whether terminal_text_clean() would leave it as it is, apart from line ends.
bool terminal_text_is_clean(const char* text);

#endif
