// SPDX-License-Identifier: MIT
// Which reader a file needs: by its content, then by its extension.
#include "fbx_dom.h"

#include <string.h>

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

// A JSON object with the one member that every glTF has.
static bool is_gltf_text(const pelti_blob* file)
{
    size_t start = file->size >= 3 && memcmp(file->data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (start < file->size && strchr(" \t\r\n", file->data[start]) && file->data[start] != 0)
    {
        ++start;
    }
    return start < file->size && file->data[start] == '{' &&
           has_text(file->data + start, file->size - start, "\"asset\"");
}

static pelt_format find_format(const pelti_blob* file, const char* path)
{
    pelt_format named = pelt_format_of(path);
    if (file->size >= 4 && memcmp(file->data, "glTF", 4) == 0)
    {
        return PELT_FORMAT_GLB;
    }
    if (is_gltf_text(file))
    {
        return PELT_FORMAT_GLTF;
    }
    if (pelti_fbx_is_binary(file) || pelti_fbx_is_text(file))
    {
        return PELT_FORMAT_FBX;
    }
    return named == PELT_FORMAT_GLB || named == PELT_FORMAT_GLTF ? named : PELT_FORMAT_ASSIMP;
}

pelt_result pelt_format_find(pelt_format* out, const char* path, pelt_error* error)
{
    PELT_ASSERT(out != NULL && path != NULL);
    *out = PELT_FORMAT_UNKNOWN;
    pelti_blob file;
    pelt_result result = pelti_blob_read(&file, path, error);
    if (result == PELT_OK)
    {
        *out = find_format(&file, path);
        pelti_blob_release(&file);
    }
    return result;
}

static pelt_result read_scene(pelt_scene** out, const pelti_blob* file, const char* path,
                              const pelt_load_options* options, pelt_error* error)
{
    if (file->size == 0)
    {
        return pelt_error_set(error, PELT_ERROR_DATA, "%s is empty", path);
    }
    switch (find_format(file, path))
    {
    case PELT_FORMAT_FBX:
        return pelti_read_fbx(out, file, path, options, error);
    case PELT_FORMAT_ASSIMP:
        return pelti_read_assimp(out, file, path, options, error);
    default:
        return pelti_read_gltf(out, file, path, options, error);
    }
}

// The readers check what they read; this is the promise to the caller.
static pelt_result check_scene(const pelt_scene* scene, const char* path, pelt_error* error)
{
    pelt_error broken;
    pelt_result result = pelt_scene_validate(scene, &broken);
    return result == PELT_OK ? PELT_OK
                             : pelt_error_set(error, result, "%s: %s", path, broken.message);
}

pelt_result pelt_load(pelt_scene** out, const char* path, const pelt_load_options* options,
                      pelt_error* error)
{
    PELT_ASSERT(out != NULL && path != NULL);
    *out = NULL;

    pelti_blob file;
    pelt_result result = pelti_blob_read(&file, path, error);
    if (result != PELT_OK)
    {
        return result;
    }
    const pelt_load_options defaults = {0};
    result = read_scene(out, &file, path, options != NULL ? options : &defaults, error);
    pelti_blob_release(&file);
    if (result == PELT_OK)
    {
        result = check_scene(*out, path, error);
    }
    if (result != PELT_OK)
    {
        pelt_scene_destroy(*out);
        *out = NULL;
    }
    return result;
}
