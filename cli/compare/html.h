// SPDX-License-Identifier: MIT
// Elements of an HTML page.
#ifndef PELT_HTML_H
#define PELT_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// Begin a page that loads nothing: the head up to an open <style> element, with the style of all
/// reports in it.
/// @param subject, rest  the title, in two parts
void html_page_begin(FILE* out, const char* subject, const char* rest);
void html_page_body(FILE* out); ///< after more styles: the body begins
/// The footer and the script of all reports.
/// @param maker  the command
void html_page_end(FILE* out, const char* maker);

/// Text from anywhere, for content and for attributes in double quotes.
void html_text(FILE* out, const char* text);

/// A PNG file as a data URI.
void html_data_uri(FILE* out, const uint8_t* bytes, size_t size);

/// A table that can be sorted: its headings are buttons.
/// @param caption  what its rows have in common
void html_table_begin(FILE* out, const char* caption);

/// @param unit  below the name; NULL: none
void html_table_heading(FILE* out, const char* name, const char* unit, bool is_number);
void html_table_body(FILE* out);                ///< after the headings
void html_table_row(FILE* out, bool is_choice); ///< begin one; the one before is closed
void html_table_end(FILE* out);

/// The first cell of a row.
/// @param title  shown when pointed at; NULL: none
void html_table_name(FILE* out, const char* name, const char* title);

typedef struct html_number
{
    double value;     ///< to sort by; not finite: "-"
    const char* text; ///< as it is shown
    bool is_best;
    bool is_marked; ///< beyond a limit
} html_number;

void html_table_number(FILE* out, html_number number);
void html_table_text(FILE* out, const char* text);

#endif
