// SPDX-License-Identifier: MIT
// Pictures of materials. Those inside the file become images of the scene, still compressed; those
// beside it stay names.
#include "gltf_read.h"

#include <stdlib.h>
#include <string.h>

// Whether two URIs differ by nothing but escapes.
static pelt_result compare_uris(bool* out, pelti_gltf* g, const char* a, const char* b)
{
    size_t size_a = strlen(a) + 1, size_b = strlen(b) + 1;
    char* decoded = pelt_allocate(size_a + size_b, 1);
    if (decoded == NULL)
    {
        return pelt_error_memory(g->error);
    }
    memcpy(decoded, a, size_a);
    memcpy(decoded + size_a, b, size_b);
    pelti_uri_unescape(decoded);
    pelti_uri_unescape(decoded + size_a);
    *out = strcmp(decoded, decoded + size_a) == 0;
    pelt_release(decoded);
    return PELT_OK;
}

// A file is called as its image is, where that is its URI but for escapes: the writer puts it
// there.
static pelt_result name_file(pelti_gltf_image* out, pelti_gltf* g, const pelti_json* image,
                             const char* uri)
{
    const pelti_json* value = pelti_json_get(image, "name");
    bool has_name = value != NULL && pelti_json_is(value, PELTI_JSON_STRING);
    const char* name = has_name ? pelti_json_string(value) : uri;
    bool is_same = false;
    pelt_result result = compare_uris(&is_same, g, name, uri);
    if (result != PELT_OK)
    {
        return result;
    }
    out->is_file = true;
    out->name = pelt_arena_string(g->arena, is_same ? name : uri);
    return out->name != NULL ? PELT_OK : pelt_error_memory(g->error);
}

static pelt_result name_image(pelti_gltf_image* out, pelti_gltf* g, uint32_t image)
{
    pelti_place list = {.member = "images"}, at = pelti_place_index(&list, image);
    const pelti_json* json = pelti_gltf_item(g, PELTI_GLTF_IMAGES, image);
    const char* uri = NULL;
    pelt_result result = pelti_gltf_get_string(&uri, g, json, "uri", &at);
    if (result != PELT_OK)
    {
        return result;
    }
    if (uri == NULL || pelti_uri_is_data(uri))
    {
        return pelti_gltf_name(&out->name, g, json, "image", image, &at);
    }
    return name_file(out, g, json, uri);
}

// By name, files before others.
static int compare_names(const void* left, const void* right)
{
    const pelti_gltf_image* a = *(pelti_gltf_image* const*)left;
    const pelti_gltf_image* b = *(pelti_gltf_image* const*)right;
    int order = strcmp(a->name, b->name);
    return order != 0                 ? order
           : a->is_file != b->is_file ? (a->is_file ? -1 : 1)
                                      : (a > b) - (a < b);
}

// Materials find images by name, so that one that is taken gets its number behind it.
static pelt_result part_names(pelti_gltf* g, pelti_gltf_image** sorted, uint32_t count)
{
    const char* before = NULL;
    for (uint32_t i = 0; i < count; ++i)
    {
        pelti_gltf_image* image = sorted[i];
        bool is_taken = before != NULL && strcmp(before, image->name) == 0;
        before = image->name;
        if (is_taken && !image->is_file)
        {
            uint32_t index = (uint32_t)(image - g->images);
            image->name = pelt_arena_format(g->arena, "%s_%u", image->name, index);
        }
        if (image->name == NULL)
        {
            return pelt_error_memory(g->error);
        }
    }
    return PELT_OK;
}

pelt_result pelti_gltf_name_images(pelti_gltf* g)
{
    uint32_t count = g->lists[PELTI_GLTF_IMAGES].count;
    void *names = NULL, *order = NULL, *images = NULL;
    pelt_result result = pelti_gltf_alloc_scratch(&names, g, count, sizeof *g->images);
    if (result != PELT_OK)
    {
        return result;
    }
    result = pelti_gltf_alloc_scratch(&order, g, count, sizeof(pelti_gltf_image*));
    if (result != PELT_OK)
    {
        return result;
    }
    result = pelti_gltf_alloc(&images, g, count, sizeof(pelt_image));
    g->images = names;
    g->scene_images = images;
    g->scene->images = images;
    pelti_gltf_image** sorted = order;
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        sorted[i] = &g->images[i];
        result = name_image(sorted[i], g, i);
    }
    if (result == PELT_OK && count > 1)
    {
        qsort(sorted, count, sizeof *sorted, compare_names);
        result = part_names(g, sorted, count);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Content

static pelt_result copy_bytes(pelt_image* out, pelti_gltf* g, const uint8_t* data, size_t size)
{
    void* memory = NULL;
    pelt_result result = pelti_gltf_alloc(&memory, g, size, 1);
    if (result == PELT_OK && size > 0)
    {
        memcpy(memory, data, size);
    }
    out->bytes = memory;
    out->size = size;
    return result;
}

static pelt_result read_content(pelt_image* out, pelti_gltf* g, uint32_t image)
{
    pelti_place list = {.member = "images"}, at = pelti_place_index(&list, image);
    const pelti_json* json = pelti_gltf_item(g, PELTI_GLTF_IMAGES, image);
    const char* uri = NULL;
    pelt_result result = pelti_gltf_get_string(&uri, g, json, "uri", &at);
    if (result != PELT_OK)
    {
        return result;
    }
    if (uri != NULL)
    {
        pelti_place here = pelti_place_member(&at, "uri");
        pelti_blob blob = {0};
        result = pelti_uri_decode(&blob, g, uri, &here);
        if (result == PELT_OK)
        {
            result = copy_bytes(out, g, blob.data, blob.size);
        }
        pelti_blob_release(&blob);
        return result;
    }
    uint32_t view = PELT_NONE;
    const pelti_gltf_bytes* bytes = NULL;
    result = pelti_gltf_get_index(&view, g, PELTI_GLTF_BUFFER_VIEWS, json, "bufferView", &at);
    if (result == PELT_OK && view == PELT_NONE)
    {
        result = pelti_gltf_fail(g, &at, "it has neither a uri nor a bufferView");
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_view(&bytes, g, view);
    }
    return result == PELT_OK ? copy_bytes(out, g, bytes->data, bytes->size) : result;
}

// A character without its paint still deforms: a picture that is not there is noted, not fatal.
static pelt_result add_image(pelti_gltf* g, uint32_t image)
{
    pelt_error reason = {{0}};
    pelt_error* error = g->error;
    pelt_image found = {.name = g->images[image].name};
    g->error = &reason;
    pelt_result result = read_content(&found, g, image);
    g->error = error;
    if (result == PELT_ERROR_MEMORY)
    {
        return pelt_error_memory(g->error);
    }
    if (result != PELT_OK)
    {
        return pelti_gltf_repair_add(g, "the picture of image %u is left out: %s", image,
                                     reason.message);
    }
    g->scene_images[g->scene->image_count++] = found;
    return PELT_OK;
}

pelt_result pelti_gltf_read_image(const char** out, pelti_gltf* g, uint32_t image)
{
    pelti_gltf_image* known = &g->images[image];
    *out = known->name;
    if (known->is_file || known->is_read)
    {
        return PELT_OK;
    }
    known->is_read = true;
    return add_image(g, image);
}
