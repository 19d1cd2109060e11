// SPDX-License-Identifier: MIT
// Write-back: attributes that are replaced leave their place in the buffer to the new ones, so that
// a file does not grow each time.
#include "gltf_additions.h"

#include <string.h>

enum
{
    TYPE_COUNT = 4
};

// ---------------------------------------------------------------------------------------------
// Who uses what

static const char* const accessor_keys[] = {
    "attributes", "indices", "targets", "inverseBindMatrices", "input", "output", "extensions"};
static const char* const view_keys[] = {"bufferView", "extensions"};

typedef struct use_counter
{
    const char* const* keys; // of members that name what is counted, themselves or further down
    size_t key_count;
    uint32_t* uses;
    size_t count;
} use_counter;

static bool is_key(const use_counter* counter, const char* key)
{
    for (size_t i = 0; i < counter->key_count; ++i)
    {
        if (strcmp(counter->keys[i], key) == 0)
        {
            return true;
        }
    }
    return false;
}

// Extensions that pelt does not know may mean anything by a number: each counts as a use.
static void count_uses(const use_counter* counter, const json_t* value, bool is_below_key)
{
    const char* key;
    json_t* member;
    size_t i;
    if (json_is_object(value))
    {
        json_object_foreach((json_t*)value, key, member)
        {
            count_uses(counter, member, is_below_key || is_key(counter, key));
        }
    }
    json_array_foreach(value, i, member)
    {
        count_uses(counter, member, is_below_key);
    }
    double index = is_below_key && json_is_number(value) ? json_number_value(value) : -1.0;
    if (index >= 0.0 && index < (double)counter->count)
    {
        counter->uses[(size_t)index]++;
    }
}

static pelt_result make_counts(uint32_t** out, const json_t* root, use_counter counter,
                               pelt_error* error)
{
    *out = pelt_allocate(counter.count + 1, sizeof **out);
    if (*out == NULL)
    {
        return pelt_error_memory(error);
    }
    memset(*out, 0, (counter.count + 1) * sizeof **out);
    counter.uses = *out;
    count_uses(&counter, root, false);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------

pelt_result pelti_gltf_reuse_create(pelti_gltf_reuse* out, const json_t* root, pelt_error* error)
{
    *out = (pelti_gltf_reuse){.accessors = json_object_get(root, "accessors"),
                              .views = json_object_get(root, "bufferViews")};
    out->accessor_count = json_array_size(out->accessors);
    out->view_count = json_array_size(out->views);
    use_counter accessors = {accessor_keys, sizeof accessor_keys / sizeof accessor_keys[0], NULL,
                             out->accessor_count};
    use_counter views = {view_keys, sizeof view_keys / sizeof view_keys[0], NULL, out->view_count};
    pelt_result result = make_counts(&out->accessor_uses, root, accessors, error);
    if (result == PELT_OK)
    {
        result = make_counts(&out->view_uses, root, views, error);
    }
    if (result != PELT_OK)
    {
        pelti_gltf_reuse_destroy(out);
    }
    return result;
}

void pelti_gltf_reuse_destroy(pelti_gltf_reuse* reuse)
{
    pelt_release(reuse->accessor_uses);
    pelt_release(reuse->view_uses);
    *reuse = (pelti_gltf_reuse){0};
}

static double number_of(const json_t* object, const char* name, double otherwise)
{
    const json_t* value = json_object_get(object, name);
    return value == NULL ? otherwise : json_is_number(value) ? json_number_value(value) : -1.0;
}

static const json_t* item_of(const json_t* list, size_t count, double index)
{
    bool is_inside = index >= 0.0 && index < (double)count;
    return is_inside ? json_array_get(list, (size_t)index) : NULL;
}

static bool has_any(const json_t* object, const char* const* names, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        if (json_object_get(object, names[i]) != NULL)
        {
            return true;
        }
    }
    return false;
}

// Plain numbers as the array wants them, with nothing besides that would have to change too.
static bool is_alike(const json_t* accessor, const pelti_gltf_array* array)
{
    static const char* const types[TYPE_COUNT] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    static const char* const more[] = {"sparse", "min", "max", "extensions"};
    const char* type = json_string_value(json_object_get(accessor, "type"));
    return array->width <= TYPE_COUNT && type != NULL &&
           strcmp(type, types[array->width - 1]) == 0 &&
           number_of(accessor, "componentType", 0.0) == (double)array->component &&
           json_is_true(json_object_get(accessor, "normalized")) == array->is_normalized &&
           number_of(accessor, "count", 0.0) == (double)array->count &&
           number_of(accessor, "byteOffset", 0.0) == 0.0 && !has_any(accessor, more, 4);
}

static bool is_whole_view(const json_t* view, const pelti_gltf_document* document, double size)
{
    static const char* const more[] = {"byteStride", "extensions"};
    double offset = number_of(view, "byteOffset", 0.0);
    return number_of(view, "buffer", -1.0) == (double)document->buffer && !has_any(view, more, 2) &&
           number_of(view, "byteLength", 0.0) == size && offset >= 0.0 &&
           offset + size <= (double)document->size && (size_t)offset % 4 == 0;
}

bool pelti_gltf_reuse_find(size_t* offset, pelti_gltf_reuse* reuse, uint32_t accessor_index,
                           const pelti_gltf_document* document, const pelti_gltf_array* array)
{
    const json_t* accessor =
        item_of(reuse->accessors, reuse->accessor_count, (double)accessor_index);
    double view_index = number_of(accessor, "bufferView", -1.0);
    const json_t* view = item_of(reuse->views, reuse->view_count, view_index);
    if (view == NULL || reuse->accessor_uses[accessor_index] > 0 ||
        reuse->view_uses[(size_t)view_index] != 1 || !is_alike(accessor, array) ||
        !is_whole_view(view, document, (double)pelti_gltf_array_size(array)))
    {
        return false;
    }
    reuse->accessor_uses[accessor_index]++;
    *offset = (size_t)number_of(view, "byteOffset", 0.0);
    return true;
}

uint32_t pelti_gltf_reuse_buffer(const pelti_gltf_reuse* reuse, uint32_t accessor_index)
{
    const json_t* accessor =
        item_of(reuse->accessors, reuse->accessor_count, (double)accessor_index);
    const json_t* view =
        item_of(reuse->views, reuse->view_count, number_of(accessor, "bufferView", -1.0));
    double buffer = number_of(view, "buffer", -1.0);
    return buffer >= 0.0 && buffer < (double)UINT32_MAX ? (uint32_t)buffer : PELT_NONE;
}
