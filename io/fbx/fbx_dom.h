// SPDX-License-Identifier: MIT
// An FBX file as a tree of named nodes with values, the same for the binary and the text form.
// Arrays stay as they lie in the file until somebody asks for their numbers.
#ifndef PELT_FBX_DOM_H
#define PELT_FBX_DOM_H

#include "../load_budget.h"
#include "../readers.h"

typedef enum pelti_fbx_kind
{
    PELTI_FBX_INTEGER,
    PELTI_FBX_REAL,
    PELTI_FBX_TEXT,  ///< bytes, not terminated; pictures too
    PELTI_FBX_ARRAY, ///< numbers, see pelti_fbx_array
} pelti_fbx_kind;

/// Numbers as they lie in the file.
typedef struct pelti_fbx_array
{
    char type;      ///< 'b', 'c', 'i', 'l', 'f', 'd' of the binary form; 't': text with commas
    bool is_packed; ///< by zlib
    uint32_t count;
} pelti_fbx_array;

typedef struct pelti_fbx_value
{
    pelti_fbx_kind kind;
    pelti_fbx_array array;
    union
    {
        int64_t integer;
        double real;
        struct
        {
            const uint8_t* bytes;
            size_t size;
        } data; ///< of a text or an array
    };
} pelti_fbx_value;

typedef struct pelti_fbx_node
{
    const char* name;
    uint32_t value_count;
    const pelti_fbx_value* values;
    struct pelti_fbx_node* first_child;
    struct pelti_fbx_node* next;
} pelti_fbx_node;

/// A file while it is read.
typedef struct pelti_fbx_file
{
    const uint8_t* data;
    size_t size;
    size_t at;
    uint32_t version; ///< 7400 is FBX 2014
    bool is_text;
    pelti_load_budget budget; ///< what reading may still cost: see pelti_fbx_charge()
    const char* path;
    pelt_arena* scratch; ///< for the tree and for numbers, until the file has been read
    pelt_error* error;
    pelti_fbx_node root;
} pelti_fbx_file;

/// Fill in version and root. The file has data, size, path, scratch and error.
pelt_result pelti_fbx_parse(pelti_fbx_file* file);
pelt_result pelti_fbx_parse_binary(pelti_fbx_file* file);
pelt_result pelti_fbx_parse_text(pelti_fbx_file* file);

/// A sentence that starts with the path of the file.
pelt_result pelti_fbx_fail(const pelti_fbx_file* file, pelt_result code, const char* format, ...);

/// Everything that a file could make slow out of proportion (arrays that unpack to more than they
/// are, objects used many times) is paid for here; a file that costs too much is refused.
pelt_result pelti_fbx_charge(pelti_fbx_file* file, uint64_t amount);

/// Zeroed memory until the file has been read. @return NULL with the sentence set
void* pelti_fbx_take(const pelti_fbx_file* file, size_t count, size_t size);

/// Room for one more element of a list in such memory. @return false with the sentence set
bool pelti_fbx_grow(const pelti_fbx_file* file, void** items, uint32_t* capacity, uint32_t count,
                    size_t size);

// ---------------------------------------------------------------------------------------------
// Looking things up; NULL nodes have nothing

const pelti_fbx_node* pelti_fbx_child(const pelti_fbx_node* node, const char* name);

int64_t pelti_fbx_integer(const pelti_fbx_node* node, uint32_t index, int64_t otherwise);
double pelti_fbx_real(const pelti_fbx_node* node, uint32_t index, double otherwise);

/// A value that is text. @return NULL: none
const pelti_fbx_value* pelti_fbx_text(const pelti_fbx_node* node, uint32_t index);
bool pelti_fbx_is_word(const pelti_fbx_value* text, const char* word);

/// The text of a child, such as a mapping mode. Empty when there is none.
bool pelti_fbx_child_is(const pelti_fbx_node* node, const char* child, const char* word);

/// A copy with an end, and with the marks of the text form ("&quot;") put back.
char* pelti_fbx_string(const pelti_fbx_file* file, const pelti_fbx_value* text);

typedef struct pelti_fbx_reals
{
    uint32_t count;
    const double* at;
} pelti_fbx_reals;

typedef struct pelti_fbx_integers
{
    uint32_t count;
    const int64_t* at;
} pelti_fbx_integers;

/// The numbers of the child `name`; none is no error and gives count 0.
pelt_result pelti_fbx_read_reals(pelti_fbx_reals* out, pelti_fbx_file* file,
                                 const pelti_fbx_node* node, const char* name);
pelt_result pelti_fbx_read_integers(pelti_fbx_integers* out, pelti_fbx_file* file,
                                    const pelti_fbx_node* node, const char* name);

#endif
