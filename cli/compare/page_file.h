// SPDX-License-Identifier: MIT
// Style and script of a report: files of cli/compare/page, put into the program by cmake.
#ifndef PELT_PAGE_FILE_H
#define PELT_PAGE_FILE_H

#include <stdint.h>

typedef struct page_file
{
    const char* name;
    const char* text;
} page_file;

extern const page_file page_files[];
extern const uint32_t page_files_count;

#endif
