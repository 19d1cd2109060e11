// SPDX-License-Identifier: MIT
// An FBX file as a tree of named nodes with values, the same for the binary and the text form.
// Arrays keep their encoding until their numbers are read.
#ifndef PELT_FBX_DOM_H
#define PELT_FBX_DOM_H

#include "../readers.h"

typedef enum pelti_fbx_kind
{
    PELTI_FBX_INTEGER,
    PELTI_FBX_REAL,
    PELTI_FBX_TEXT,  ///< bytes, not terminated; also embedded images
    PELTI_FBX_ARRAY, ///< numbers, see pelti_fbx_array
} pelti_fbx_kind;

/// Numbers in the encoding of the file.
typedef struct pelti_fbx_array
{
    char type;      ///< 'b', 'c', 'i', 'l', 'f', 'd' as in the binary form; 't': text with commas
    bool is_packed; ///< deflated with zlib
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
        } data; ///< of text or an array
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

/// The state of parsing one file.
typedef struct pelti_fbx_file
{
    const uint8_t* data;
    size_t size;
    size_t at;
    uint32_t version; ///< 7400 is FBX 2014
    bool is_text;
    pelti_load_budget budget; ///< limits on work and memory: see pelti_fbx_charge()
    const char* path;
    pelt_arena* scratch; ///< memory of the tree and of numbers, released after reading
    pelt_error* error;
    pelti_fbx_node root;
} pelti_fbx_file;

/// Parse the file: fill in version and root. Set data, size, path, scratch and error before.
pelt_result pelti_fbx_parse(pelti_fbx_file* file);
pelt_result pelti_fbx_parse_binary(pelti_fbx_file* file);
pelt_result pelti_fbx_parse_text(pelti_fbx_file* file);

/// Set an error message that starts with the path of the file. @return code
pelt_result pelti_fbx_fail(const pelti_fbx_file* file, pelt_result code, const char* format, ...);

/// Charge work that could be out of proportion to the file size (arrays that inflate, objects that
/// are referenced many times). @return an error when the file exceeds its budget
pelt_result pelti_fbx_charge(pelti_fbx_file* file, uint64_t amount);

/// Zeroed scratch memory. @return NULL with the error set
void* pelti_fbx_alloc(const pelti_fbx_file* file, size_t count, size_t size);

/// Make room for one more element of a list in scratch memory. @return false with the error set
bool pelti_fbx_grow(const pelti_fbx_file* file, void** items, uint32_t* capacity, uint32_t count,
                    size_t size);

// ---------------------------------------------------------------------------------------------
// Lookup. A NULL node has no values and no children.

const pelti_fbx_node* pelti_fbx_child(const pelti_fbx_node* node, const char* name);

int64_t pelti_fbx_integer(const pelti_fbx_node* node, uint32_t index, int64_t otherwise);
double pelti_fbx_real(const pelti_fbx_node* node, uint32_t index, double otherwise);

/// @return the value at the index if it is text, or NULL
const pelti_fbx_value* pelti_fbx_text(const pelti_fbx_node* node, uint32_t index);
bool pelti_fbx_is_word(const pelti_fbx_value* text, const char* word);

/// Whether the first value of a child, such as a mapping mode, is this text.
bool pelti_fbx_child_is(const pelti_fbx_node* node, const char* child, const char* word);

/// A terminated copy in UTF-8, with the escapes of the text form ("&quot;") and of 3ds Max
/// ("FBXASC032") replaced. Text of 16-bit characters is converted; bytes that are no UTF-8 are
/// taken for Latin-1.
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

/// The numbers of the child `name`. A missing child is not an error: count is 0.
pelt_result pelti_fbx_read_reals(pelti_fbx_reals* out, pelti_fbx_file* file,
                                 const pelti_fbx_node* node, const char* name);
pelt_result pelti_fbx_read_integers(pelti_fbx_integers* out, pelti_fbx_file* file,
                                    const pelti_fbx_node* node, const char* name);

#endif
