// SPDX-License-Identifier: MIT
// Chooses the reader of a file, by its content and then by its extension, and the limits of
// reading.
#include "readers.h"
#include "writers.h"

#include <ctype.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// By name

static const struct
{
    const char* extension;
    pelt_format format;
} formats[] = {
    {"glb", PELT_FORMAT_GLB},
    {"gltf", PELT_FORMAT_GLTF},
    {"obj", PELT_FORMAT_OBJ},
    {"ply", PELT_FORMAT_PLY},
    // Assimp has more readers; these are formats that carry characters or motion.
    {"fbx", PELT_FORMAT_FBX},
    {"dae", PELT_FORMAT_ASSIMP},
    {"x", PELT_FORMAT_ASSIMP},
    {"md2", PELT_FORMAT_ASSIMP},
    {"md3", PELT_FORMAT_ASSIMP},
    {"md5mesh", PELT_FORMAT_ASSIMP},
    {"md5anim", PELT_FORMAT_ASSIMP},
    {"mdl", PELT_FORMAT_ASSIMP},
    {"ms3d", PELT_FORMAT_ASSIMP},
    {"b3d", PELT_FORMAT_ASSIMP},
    {"bvh", PELT_FORMAT_ASSIMP},
    {"smd", PELT_FORMAT_ASSIMP},
    {"pmx", PELT_FORMAT_ASSIMP},
    {"iqm", PELT_FORMAT_ASSIMP},
    {"blend", PELT_FORMAT_ASSIMP},
    {"3ds", PELT_FORMAT_ASSIMP},
    {"ase", PELT_FORMAT_ASSIMP},
    {"lwo", PELT_FORMAT_ASSIMP},
    {"cob", PELT_FORMAT_ASSIMP},
    {"ogex", PELT_FORMAT_ASSIMP},
    {"stl", PELT_FORMAT_ASSIMP},
};

enum
{
    FORMAT_COUNT = sizeof formats / sizeof formats[0],
};

static bool is_same_word(const char* a, const char* b)
{
    while (*a != '\0' && tolower((unsigned char)*a) == tolower((unsigned char)*b))
    {
        ++a;
        ++b;
    }
    return *a == '\0' && *b == '\0';
}

pelt_format pelt_format_of(const char* path)
{
    PELT_ASSERT(path != NULL);

    const char* dot = strrchr(path + pelti_path_folder(path), '.');
    for (uint32_t i = 0; dot != NULL && i < FORMAT_COUNT; ++i)
    {
        if (is_same_word(dot + 1, formats[i].extension))
        {
            return formats[i].format;
        }
    }
    return PELT_FORMAT_UNKNOWN;
}

// ---------------------------------------------------------------------------------------------
// By content

static bool has_text(const uint8_t* data, size_t size, const char* text)
{
    size_t length = strlen(text);
    const uint8_t* end = data + size;
    while ((size_t)(end - data) >= length)
    {
        const uint8_t* start = memchr(data, text[0], (size_t)(end - data) - length + 1);
        if (start == NULL)
        {
            return false;
        }
        if (memcmp(start, text, length) == 0)
        {
            return true;
        }
        data = start + 1;
    }
    return false;
}

enum
{
    HEAD = 1 << 16, // tells any format but a glTF file whose JSON begins with something else
    LONGEST_SEARCH = 1 << 26, // to recognize glTF in JSON
    STEP = 1 << 24,           // between two progress reports
};

static bool is_glb(const pelti_blob* file)
{
    return file->size >= 4 && memcmp(file->data, "glTF", 4) == 0;
}

// Whether a text begins as a JSON object.
static bool is_object(const pelti_blob* file)
{
    size_t start = file->size >= 3 && memcmp(file->data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (start < file->size && strchr(" \t\r\n", file->data[start]) && file->data[start] != 0)
    {
        ++start;
    }
    return start < file->size && file->data[start] == '{';
}

// Whether an object has the member that every glTF file has, anywhere.
static pelt_result search_asset(bool* is_found, pelti_input* input, pelt_error* error)
{
    static const char member[] = "\"asset\"";
    size_t searched = 0;
    for (;;)
    {
        const pelti_blob* file = &input->blob;
        size_t from = searched > sizeof member ? searched - sizeof member : 0;
        *is_found = has_text(file->data + from, file->size - from, member);
        bool is_text = memchr(file->data + from, '\0', file->size - from) == NULL;
        if (*is_found || !is_text || input->is_complete || file->size > LONGEST_SEARCH)
        {
            return PELT_OK;
        }
        searched = file->size;
        PELT_TRY(pelti_input_read(input, 2 * searched, error));
    }
}

// By the content, of which no more is read than necessary, then by the name.
static pelt_result find_format(pelt_format* out, pelti_input* input, pelt_error* error)
{
    pelt_format named = pelt_format_of(input->name);
    bool is_named = named == PELT_FORMAT_GLB || named == PELT_FORMAT_GLTF;
    *out = PELT_FORMAT_ASSIMP;
    PELT_TRY(pelti_input_read(input, HEAD, error));
    const pelti_blob* file = &input->blob;
    if (is_glb(file))
    {
        *out = PELT_FORMAT_GLB;
    }
    else if (pelti_fbx_is_binary(file) || pelti_fbx_is_text(file))
    {
        *out = PELT_FORMAT_FBX;
    }
    else if (is_object(file))
    {
        bool is_gltf = is_named;
        PELT_TRY(is_named ? PELT_OK : search_asset(&is_gltf, input, error));
        *out = is_gltf ? PELT_FORMAT_GLTF : PELT_FORMAT_ASSIMP;
    }
    else if (is_named)
    {
        *out = named;
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Reading

// Whether to read more than the beginning: gigabytes of zeros are not read.
static pelt_result check_head(pelt_format format, const pelti_input* input, pelt_error* error)
{
    const pelti_blob* head = &input->blob;
    if (head->size == 0)
    {
        return pelt_error_set(error, PELT_ERROR_DATA, "%s is empty", input->name);
    }
    if (format == PELT_FORMAT_ASSIMP)
    {
        return pelti_assimp_check(head, input->name, error);
    }
    bool is_gltf = format == PELT_FORMAT_GLB || format == PELT_FORMAT_GLTF;
    // Zeros may only pad the end.
    bool is_text = input->is_complete || memchr(head->data, '\0', head->size) == NULL;
    return !is_gltf || is_glb(head) || (is_object(head) && is_text)
               ? PELT_OK
               : pelt_error_set(error, PELT_ERROR_DATA,
                                "%s: this is no glTF: it is neither GLB nor a JSON object",
                                input->name);
}

static pelt_result read_rest(pelti_input* input, const pelt_load_options* options,
                             pelt_error* error)
{
    pelti_load_budget told;
    pelti_load_start(&told, options, 0);
    pelt_result result = PELT_OK;
    while (result == PELT_OK && !input->is_complete)
    {
        result = pelti_load_progress(&told, 0.0f, input->name, error);
        result =
            result == PELT_OK ? pelti_input_read(input, input->blob.size + STEP, error) : result;
    }
    return result;
}

static pelt_result read_scene(pelt_scene** out, pelt_format format, const pelt_source* source,
                              const pelt_load_options* options, pelt_error* error)
{
    switch (format)
    {
    case PELT_FORMAT_FBX:
        return pelti_read_fbx(out, source, options, error);
    case PELT_FORMAT_ASSIMP:
        return options->isolation == PELT_ISOLATION_CHILD
                   ? pelti_read_isolated(out, source, options, error)
                   : pelti_read_assimp(out, source, options, error);
    default:
        return pelti_read_gltf(out, source, options, error);
    }
}

// Readers check what they read; this check is the promise to the caller.
static pelt_result check_scene(const pelt_scene* scene, const char* path, pelt_error* error)
{
    pelt_error broken;
    pelt_result result = pelt_scene_validate(scene, &broken);
    return result == PELT_OK ? PELT_OK
                             : pelt_error_set(error, result, "%s: %s", path, broken.message);
}

static pelt_result load(pelt_scene** out, pelt_format format, const pelt_source* source,
                        const pelt_load_options* options, pelt_error* error)
{
    const pelt_load_options defaults = {0};
    pelt_result result =
        read_scene(out, format, source, options != NULL ? options : &defaults, error);
    if (result == PELT_OK)
    {
        (*out)->format = format;
        result = check_scene(*out, source->path, error);
    }
    if (result != PELT_OK)
    {
        pelt_scene_destroy(*out);
        *out = NULL;
    }
    return result;
}

static pelt_result find_and_check(pelt_format* out, pelti_input* input, pelt_error* error)
{
    PELT_TRY(find_format(out, input, error));
    return check_head(*out, input, error);
}

pelt_result pelt_load_memory(pelt_scene** out, const pelt_source* source,
                             const pelt_load_options* options, pelt_error* error)
{
    PELT_ASSERT(out != NULL && source != NULL);
    PELT_ASSERT(source->bytes != NULL || source->size == 0);
    *out = NULL;

    const pelt_source named = pelti_source_named(source);
    pelti_input input = {.name = named.path,
                         .size = named.size,
                         .blob = {(uint8_t*)named.bytes, named.size},
                         .is_complete = true};
    pelt_format format;
    PELT_TRY(find_and_check(&format, &input, error));
    return load(out, format, &named, options, error);
}

// The whole file, once its beginning is that of a character.
static pelt_result read_source(pelt_source* out, pelt_format* format, const char* path,
                               const pelt_load_options* options, pelt_error* error)
{
    pelti_input input;
    PELT_TRY(pelti_input_open(&input, path, PELTI_INPUT_ANY, error));
    pelt_result result = find_and_check(format, &input, error);
    if (result == PELT_OK)
    {
        result = read_rest(&input, options, error);
    }
    if (result == PELT_OK)
    {
        *out = (pelt_source){.path = input.name, .bytes = input.blob.data, .size = input.blob.size};
        input.blob = (pelti_blob){0};
    }
    pelti_input_close(&input);
    return result;
}

pelt_result pelt_load_keep(pelt_scene** out, pelt_source* source, const char* path,
                           const pelt_load_options* options, pelt_error* error)
{
    PELT_ASSERT(out != NULL && source != NULL && path != NULL);
    *out = NULL;
    *source = (pelt_source){0};

    pelt_format format;
    pelt_result result = read_source(source, &format, path, options, error);
    if (result == PELT_OK)
    {
        result = load(out, format, source, options, error);
    }
    if (result != PELT_OK)
    {
        pelt_source_release(source);
    }
    return result;
}

pelt_result pelt_load(pelt_scene** out, const char* path, const pelt_load_options* options,
                      pelt_error* error)
{
    pelt_source source;
    pelt_result result = pelt_load_keep(out, &source, path, options, error);
    pelt_source_release(&source);
    return result;
}

// ---------------------------------------------------------------------------------------------
enum
{
    MEMORY_BASE = 96 << 20,
    // Primitives that share one large array take its memory once each.
    MEMORY_PER_BYTE = 256,
    ELEMENTS_BASE = 1 << 22,
    ELEMENTS_PER_BYTE = 64,
    DEPTH = 256,
    DEEPEST = 1024, // readers recurse for each level
    SECONDS_BASE = 8,
    BYTES_PER_SECOND = 1 << 20,
    REPORT_INTERVAL = 1 << 18, // elements; some milliseconds
};

// Default limits for files with this total size.
static pelt_load_limits fill_limits(pelt_load_limits limits, size_t file_size)
{
    if (limits.memory == 0)
    {
        bool is_countable = file_size < (SIZE_MAX - MEMORY_BASE) / MEMORY_PER_BYTE;
        limits.memory = is_countable ? MEMORY_BASE + MEMORY_PER_BYTE * file_size : SIZE_MAX;
    }
    if (limits.elements == 0)
    {
        limits.elements = ELEMENTS_BASE + ELEMENTS_PER_BYTE * (uint64_t)file_size;
    }
    if (limits.seconds == 0)
    {
        uint64_t seconds = SECONDS_BASE + (uint64_t)file_size / BYTES_PER_SECOND;
        limits.seconds = seconds < INT32_MAX ? (uint32_t)seconds : INT32_MAX;
    }
    limits.depth = limits.depth == 0 ? DEPTH : limits.depth < DEEPEST ? limits.depth : DEEPEST;
    return limits;
}

void pelti_load_start(pelti_load_budget* out, const pelt_load_options* options, size_t file_size)
{
    *out = (pelti_load_budget){.file_size = file_size, .until_report = REPORT_INTERVAL};
    out->options = options != NULL ? *options : (pelt_load_options){0};
    out->limits = fill_limits(out->options.limits, file_size);
    out->memory.left = out->limits.memory;
    out->elements = out->limits.elements;
}

void pelti_load_grow(pelti_load_budget* inout, size_t file_size)
{
    inout->file_size += file_size;
    pelt_load_limits grown = fill_limits(inout->options.limits, inout->file_size);
    inout->memory.left += grown.memory - inout->limits.memory;
    inout->elements += grown.elements - inout->limits.elements;
    inout->limits = grown;
}

pelt_result pelti_load_progress(pelti_load_budget* inout, float part, const char* path,
                                pelt_error* error)
{
    inout->until_report = REPORT_INTERVAL;
    inout->part = part > inout->part ? part : inout->part;
    const pelt_load_options* options = &inout->options;
    return options->progress == NULL || options->progress(inout->part, options->user)
               ? PELT_OK
               : pelt_error_set(error, PELT_ERROR_CANCELED, "reading %s was canceled", path);
}

pelt_result pelti_load_charge(pelti_load_budget* inout, uint64_t elements, const char* path,
                              pelt_error* error)
{
    if (elements > inout->elements)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "%s: takes more work than a file of %zu bytes should", path,
                              inout->file_size);
    }
    inout->elements -= elements;
    if (elements < inout->until_report)
    {
        inout->until_report -= elements;
        return PELT_OK;
    }
    return pelti_load_progress(inout, inout->part, path, error);
}

pelt_result pelti_load_fail_memory(const pelti_load_budget* budget, const char* path,
                                   pelt_error* error)
{
    return pelt_error_set(error, PELT_ERROR_DATA,
                          "%s: takes more than %zu MB of memory, the limit for a file of %zu bytes",
                          path, budget->limits.memory >> 20, budget->file_size);
}

pelt_result pelti_load_finish(const pelti_load_budget* budget, pelt_result result, const char* path,
                              pelt_error* error)
{
    return result == PELT_ERROR_MEMORY && budget->memory.is_exceeded
               ? pelti_load_fail_memory(budget, path, error)
               : result;
}

// ---------------------------------------------------------------------------------------------
const char* pelt_image_type(const void* bytes, size_t size)
{
    static const struct
    {
        uint32_t offset, length;
        const char* magic;
        const char* type;
    } rows[] = {
        {0, 8, "\x89PNG\r\n\x1a\n", "image/png"},
        {0, 3, "\xff\xd8\xff", "image/jpeg"},
        {8, 4, "WEBP", "image/webp"},
        {0, 12, "\xabKTX 20\xbb\r\n\x1a\n", "image/ktx2"},
        {0, 4, "DDS ", "image/vnd-ms.dds"},
        {4, 8, "ftypavif", "image/avif"},
    };
    for (size_t i = 0; bytes != NULL && i < sizeof rows / sizeof *rows; ++i)
    {
        if (size >= rows[i].offset + rows[i].length &&
            memcmp((const uint8_t*)bytes + rows[i].offset, rows[i].magic, rows[i].length) == 0 &&
            (rows[i].offset != 8 || memcmp(bytes, "RIFF", 4) == 0))
        {
            return rows[i].type;
        }
    }
    return NULL;
}

const char* pelti_gltf_image_type(const void* bytes, size_t size)
{
    const char* type = pelt_image_type(bytes, size);
    bool is_held =
        type != NULL && (strcmp(type, "image/png") == 0 || strcmp(type, "image/jpeg") == 0 ||
                         strcmp(type, "image/webp") == 0);
    return is_held ? type : NULL;
}
