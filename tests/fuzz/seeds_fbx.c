// SPDX-License-Identifier: MIT
// The file with everything that the tests have as text, and the same in the binary form.
#include "seeds.h"
#include "text_parse.h"

#include "fbx/fbx_dom.h"
#include "fbx_fixture.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct writer
{
    uint8_t bytes[65536];
    size_t size;
    uint32_t version;
    bool is_packed; // arrays by zlib
} writer;

static void put(writer* out, const void* bytes, size_t size)
{
    seed_require(out->size + size <= sizeof out->bytes, "the FBX seeds need a larger buffer");
    memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
}

static void put_number(writer* out, uint64_t number, uint32_t size)
{
    uint8_t bytes[8];
    for (uint32_t i = 0; i < size; ++i)
    {
        bytes[i] = (uint8_t)(number >> 8 * i);
    }
    put(out, bytes, size);
}

// Arrays of the text form are numbers with commas: those of times and objects are long integers.
static void put_array(writer* out, const char* name, const pelti_fbx_value* value)
{
    const uint8_t *at = value->data.bytes, *end = at + value->data.size;
    bool is_index = strstr(name, "Index") != NULL || strcmp(name, "Materials") == 0;
    bool is_long = strcmp(name, "KeyTime") == 0;
    char type = is_long ? 'l' : is_index ? 'i' : 'd';
    uint8_t plain[4096];
    size_t size = 0;
    uint32_t count = 0;
    for (; at < end && size + 8 <= sizeof plain; ++count)
    {
        pelti_number number = pelti_number_parse((const char*)at, (const char*)end);
        at = (const uint8_t*)number.end;
        int32_t small = is_index ? (int32_t)number.value : 0;
        int64_t integer = number.is_integer ? number.integer : (int64_t)number.value;
        const void* bytes = is_long    ? (void*)&integer
                            : is_index ? (void*)&small
                                       : (void*)&number.value;
        memcpy(plain + size, bytes, type == 'i' ? 4 : 8);
        size += type == 'i' ? 4 : 8;
        while (at < end && (*at == ',' || *at == ' ' || *at == '\n'))
        {
            ++at;
        }
    }
    uint8_t packed[4096];
    uLongf packed_size = sizeof packed;
    seed_require(compress(packed, &packed_size, plain, (uLong)size) == Z_OK, "zlib failed");
    put(out, &type, 1);
    put_number(out, count, 4);
    put_number(out, out->is_packed, 4);
    put_number(out, out->is_packed ? packed_size : size, 4);
    put(out, out->is_packed ? packed : plain, out->is_packed ? packed_size : size);
}

static void put_value(writer* out, const char* name, const pelti_fbx_value* value)
{
    switch (value->kind)
    {
    case PELTI_FBX_INTEGER:
        put(out, "L", 1);
        put_number(out, (uint64_t)value->integer, 8);
        break;
    case PELTI_FBX_REAL:
        put(out, "D", 1);
        put(out, &value->real, 8);
        break;
    case PELTI_FBX_TEXT:
        put(out, strcmp(name, "Content") == 0 ? "R" : "S", 1);
        put_number(out, value->data.size, 4);
        put(out, value->data.bytes, value->data.size);
        break;
    case PELTI_FBX_ARRAY:
        put_array(out, name, value);
        break;
    }
}

// Names like "Model::hip" of the text form are "hip\0\1Model" in the binary one, which readers of
// the one also take for the other.
static void put_nodes(writer* out, const pelti_fbx_node* node)
{
    uint32_t word = out->version >= 7500 ? 8 : 4;
    for (; node != NULL; node = node->next)
    {
        size_t start = out->size, length = strlen(node->name);
        put(out, (uint8_t[25]){0}, 3 * word);
        put_number(out, length, 1);
        put(out, node->name, length);
        size_t values = out->size;
        for (uint32_t i = 0; i < node->value_count; ++i)
        {
            put_value(out, node->name, &node->values[i]);
        }
        size_t value_size = out->size - values;
        if (node->first_child != NULL)
        {
            put_nodes(out, node->first_child);
            put(out, (uint8_t[25]){0}, 3 * word + 1);
        }
        size_t end = out->size;
        out->size = start;
        put_number(out, end, word);
        put_number(out, node->value_count, word);
        put_number(out, value_size, word);
        out->size = end;
    }
}

static void write_binary(const char* name, const pelti_fbx_file* file, uint32_t version,
                         bool is_packed)
{
    writer* out = calloc(1, sizeof *out);
    seed_require(out != NULL, "out of memory");
    out->version = version;
    out->is_packed = is_packed;
    put(out, "Kaydara FBX Binary  \0\x1a\0", 23);
    put_number(out, version, 4);
    put_nodes(out, file->root.first_child);
    put(out, (uint8_t[25]){0}, version >= 7500 ? 25 : 13);

    pelt_error error = {""};
    pelt_scene* scene = fbx_read_bytes(out->bytes, out->size, &error);
    seed_require(scene != NULL && scene->clip_count == 1 && scene->skin_count == 1 &&
                     scene->mesh_count == 2 && scene->meshes[0].morph_count == 1,
                 error.message[0] != '\0' ? error.message : "the binary FBX lacks something");
    pelt_scene_destroy(scene);
    seed_write("fbx", name, out->bytes, out->size);
    free(out);
}

void seeds_fbx(void)
{
    const char* text = fbx_everything();
    seed_write("fbx", "everything.fbx", text, strlen(text));

    pelt_error error = {""};
    pelti_fbx_file file = {.data = (const uint8_t*)text,
                           .size = strlen(text),
                           .is_text = true,
                           .path = "everything.fbx",
                           .scratch = pelt_arena_create(),
                           .error = &error};
    pelti_load_start(&file.budget, NULL, file.size);
    seed_require(pelti_fbx_parse(&file) == PELT_OK, error.message);
    write_binary("binary_7400.fbx", &file, 7400, false);
    write_binary("packed_7500.fbx", &file, 7500, true);
    pelt_arena_destroy(file.scratch);
}
