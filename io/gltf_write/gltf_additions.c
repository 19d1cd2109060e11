// SPDX-License-Identifier: MIT
// Copies a glTF file with new vertex attributes, and nothing else changed.
#define _XOPEN_SOURCE 700

#include "gltf_additions.h"
#include "../gltf/gltf_read.h"
#include "../json/json_tree.h"
#include "../readers.h"
#include "../writers.h"
#include "gltf_pack.h"

#include <stdlib.h>
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

// Extensions that pelt does not know may use any number as an index: each number counts as a
// reference.
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

static void gltf_reuse_destroy(pelti_gltf_reuse* reuse)
{
    pelt_release(reuse->accessor_uses);
    pelt_release(reuse->view_uses);
    *reuse = (pelti_gltf_reuse){0};
}

// @param root  must outlive the counts
static pelt_result gltf_reuse_create(pelti_gltf_reuse* out, const json_t* root, pelt_error* error)
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
        gltf_reuse_destroy(out);
    }
    return result;
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

// Whether an accessor is a plain array of these numbers, without other properties that would have
// to change.
static bool is_same_type(const json_t* accessor, const pelti_gltf_array* array)
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

// Whether an accessor is unused and has room for the array: then it is reused.
// @param offset  where its bytes are in the buffer of the document
static bool gltf_reuse_find(size_t* offset, pelti_gltf_reuse* reuse, uint32_t accessor_index,
                            const pelti_gltf_document* document, const pelti_gltf_array* array)
{
    const json_t* accessor =
        item_of(reuse->accessors, reuse->accessor_count, (double)accessor_index);
    double view_index = number_of(accessor, "bufferView", -1.0);
    const json_t* view = item_of(reuse->views, reuse->view_count, view_index);
    if (view == NULL || reuse->accessor_uses[accessor_index] > 0 ||
        reuse->view_uses[(size_t)view_index] != 1 || !is_same_type(accessor, array) ||
        !is_whole_view(view, document, (double)pelti_gltf_array_size(array)))
    {
        return false;
    }
    reuse->accessor_uses[accessor_index]++;
    *offset = (size_t)number_of(view, "byteOffset", 0.0);
    return true;
}

// The buffer of an accessor, or PELT_NONE.
static uint32_t gltf_reuse_buffer(const pelti_gltf_reuse* reuse, uint32_t accessor_index)
{
    const json_t* accessor =
        item_of(reuse->accessors, reuse->accessor_count, (double)accessor_index);
    const json_t* view =
        item_of(reuse->views, reuse->view_count, number_of(accessor, "bufferView", -1.0));
    double buffer = number_of(view, "buffer", -1.0);
    return buffer >= 0.0 && buffer < (double)UINT32_MAX ? (uint32_t)buffer : PELT_NONE;
}

// ---------------------------------------------------------------------------------------------
// ---------------------------------------------------------------------------------------------
// The primitive of a mesh

enum
{
    MODE_TRIANGLES = 4, // smaller modes are points and lines
};

// Primitives that become meshes in pelt_load().
static bool is_counted(const json_t* primitive)
{
    const json_t* mode = json_object_get(primitive, "mode");
    const json_t* attributes = json_object_get(primitive, "attributes");
    return (mode == NULL || json_number_value(mode) >= MODE_TRIANGLES) &&
           json_object_get(attributes, "POSITION") != NULL;
}

// Primitives of all meshes, in their order.
// @param out  NULL: only count
static uint32_t list_primitives(json_t** out, const json_t* root)
{
    const json_t *mesh, *meshes = json_object_get(root, "meshes");
    uint32_t count = 0;
    size_t i, k;
    json_array_foreach(meshes, i, mesh)
    {
        json_t *primitive, *primitives = json_object_get(mesh, "primitives");
        json_array_foreach(primitives, k, primitive)
        {
            if (!is_counted(primitive))
            {
                continue;
            }
            if (out != NULL)
            {
                out[count] = primitive;
            }
            ++count;
        }
    }
    return count;
}

// 0: unknown
static size_t count_vertices(const json_t* root, const json_t* primitive)
{
    const json_t* position = json_object_get(json_object_get(primitive, "attributes"), "POSITION");
    const json_t* accessors = json_object_get(root, "accessors");
    double index = json_is_number(position) ? json_number_value(position) : -1.0;
    if (!(index >= 0.0 && index < (double)json_array_size(accessors)))
    {
        return 0;
    }
    const json_t* accessor = json_array_get(accessors, (size_t)index);
    double count = json_number_value(json_object_get(accessor, "count"));
    return count >= 1.0 && count < (double)UINT32_MAX ? (size_t)count : 0;
}

// The state of several additions to one document.
typedef struct additions_job
{
    const pelti_gltf_source* source;
    pelti_gltf_document* document;
    const pelti_gltf_copy* copy;
    const pelt_addition* additions;
    uint32_t count;
    uint32_t* replaced; // per addition: the accessor that its attribute had, or PELT_NONE
    pelti_gltf_reuse reuse;
    pelt_error* error;
} additions_job;

static pelt_result find_primitives(pelti_gltf_copy* copy)
{
    uint32_t count = list_primitives(NULL, copy->document->root);
    copy->primitives = pelt_allocate(count, sizeof *copy->primitives);
    if (copy->primitives == NULL)
    {
        return pelt_error_memory(copy->error);
    }
    copy->primitive_count = list_primitives(copy->primitives, copy->document->root);
    return PELT_OK;
}

// NULL: there is no such mesh.
static json_t* primitive_of(const additions_job* job, const pelt_addition* addition)
{
    return addition->mesh < job->copy->primitive_count ? job->copy->primitives[addition->mesh]
                                                       : NULL;
}

static bool has_numbers(const pelt_addition* addition)
{
    return addition->values != NULL || addition->integers != NULL;
}

// Attributes to replace are null by now, and are skipped.
static void take_away_named(const additions_job* job)
{
    for (uint32_t i = 0; i < job->count; ++i)
    {
        const pelt_addition* addition = &job->additions[i];
        if (addition->name == NULL || has_numbers(addition))
        {
            continue;
        }
        const char *key, *name = addition->name;
        json_t *value, *attributes = json_object_get(primitive_of(job, addition), "attributes");
        void* next;
        size_t length = strlen(name);
        bool is_start = length > 0 && name[length - 1] == '*';
        json_object_foreach_safe(attributes, next, key, value)
        {
            bool is_meant = is_start ? strncmp(key, name, length - 1) == 0 : strcmp(key, name) == 0;
            if (is_meant && !json_is_null(value))
            {
                json_object_del(attributes, key);
            }
        }
    }
}

// Attributes to replace release their accessors.
static pelt_result release_replaced(additions_job* job)
{
    json_t* root = job->document->root;
    job->replaced = pelt_allocate((size_t)job->count + 1, sizeof *job->replaced);
    if (job->replaced == NULL)
    {
        return pelt_error_memory(job->error);
    }
    size_t accessor_count = json_array_size(json_object_get(root, "accessors"));
    for (uint32_t i = 0; i < job->count; ++i)
    {
        const pelt_addition* addition = &job->additions[i];
        json_t* attributes = json_object_get(primitive_of(job, addition), "attributes");
        json_t* old = has_numbers(addition) ? json_object_get(attributes, addition->name) : NULL;
        double index = json_is_number(old) ? json_number_value(old) : -1.0;
        bool is_there = index >= 0.0 && index < (double)accessor_count;
        job->replaced[i] = is_there ? (uint32_t)index : PELT_NONE;
        if (is_there)
        {
            // Not deleted: the new member gets its position in the object.
            pelti_gltf_set(job->document, attributes, addition->name, json_null());
        }
    }
    take_away_named(job);
    return gltf_reuse_create(&job->reuse, root, job->error);
}

static pelt_result add_attribute(additions_job* job, uint32_t index, json_t* primitive)
{
    const pelt_addition* addition = &job->additions[index];
    pelti_gltf_document* document = job->document;
    pelti_gltf_array array =
        pelti_gltf_array_of(addition, count_vertices(document->root, primitive));
    if (array.count != addition->vertex_count)
    {
        return pelt_error_set(job->error, PELT_ERROR_DATA,
                              "%s: mesh %u has %zu vertices instead of %u; has the file changed?",
                              job->source->path, addition->mesh, array.count,
                              addition->vertex_count);
    }
    size_t offset;
    uint32_t accessor = job->replaced[index];
    if (accessor != PELT_NONE && gltf_reuse_find(&offset, &job->reuse, accessor, document, &array))
    {
        pelti_gltf_replace_array(document, &array, accessor, offset);
    }
    else
    {
        accessor = pelti_gltf_add_array(document, &array);
    }
    pelti_gltf_set(document, json_object_get(primitive, "attributes"), addition->name,
                   json_integer(accessor));
    return PELT_OK;
}

static void merge_extras(additions_job* job, json_t* primitive, const json_t* extras)
{
    const char* key;
    json_t* value;
    json_t* merged = json_object_get(primitive, "extras");
    merged = merged != NULL ? json_incref(merged) : json_object();
    bool is_kept = json_object_get(primitive, "extras") != NULL;
    json_object_foreach((json_t*)extras, key, value)
    {
        if (json_is_null(value))
        {
            is_kept = json_object_del(merged, key) != 0 && is_kept;
        }
        else
        {
            pelti_gltf_set(job->document, merged, key, json_incref(value));
        }
    }
    if (is_kept || json_object_size(merged) > 0)
    {
        pelti_gltf_set(job->document, primitive, "extras", json_incref(merged));
    }
    else
    {
        json_object_del(primitive, "extras");
    }
    json_decref(merged);
}

// Members of the file's own extras stay, unless the new ones have their name.
static pelt_result add_extras(additions_job* job, uint32_t index, json_t* primitive)
{
    const pelt_addition* addition = &job->additions[index];
    json_t* extras;
    pelti_json_text text = {
        .name = job->source->path, .bytes = addition->extras, .size = strlen(addition->extras)};
    pelt_result result = pelti_json_tree(&extras, &text, job->error);
    if (result == PELT_ERROR_MEMORY)
    {
        return result;
    }
    json_t* present = json_object_get(primitive, "extras");
    if (!json_is_object(extras))
    {
        json_decref(extras);
        return pelt_error_set(job->error, PELT_ERROR_DATA,
                              "%s: the extras for mesh %u are not a JSON object", job->source->path,
                              addition->mesh);
    }
    // glTF allows any value; extras that are not an object are kept.
    if (present == NULL || json_is_object(present))
    {
        merge_extras(job, primitive, extras);
    }
    json_decref(extras);
    return PELT_OK;
}

static pelt_result add(additions_job* job, uint32_t index)
{
    const pelt_addition* addition = &job->additions[index];
    json_t* primitive = primitive_of(job, addition);
    if (primitive == NULL)
    {
        return pelt_error_set(job->error, PELT_ERROR_ARGUMENT, "%s: there is no mesh %u",
                              job->source->path, addition->mesh);
    }
    bool is_uv_set = addition->name != NULL && strncmp(addition->name, "TEXCOORD_", 9) == 0;
    if (addition->name != NULL && addition->name[0] != '_' && !is_uv_set)
    {
        return pelt_error_set(
            job->error, PELT_ERROR_ARGUMENT,
            "the attribute \"%s\" must begin with '_', as glTF asks, or be a UV set",
            addition->name);
    }
    pelt_result result = PELT_OK;
    if (has_numbers(addition))
    {
        result = add_attribute(job, index, primitive);
    }
    if (result == PELT_OK && addition->extras != NULL)
    {
        result = add_extras(job, index, primitive);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// The buffer that is added to

static pelt_result append_buffer(additions_job* job, uint32_t index)
{
    pelti_blob blob = {0};
    pelt_result result = pelti_gltf_source_buffer(&blob, job->source, index, job->error);
    if (result == PELT_OK)
    {
        pelti_gltf_append_bytes(job->document, blob.data, blob.size);
    }
    pelti_blob_release(&blob);
    return result;
}

// The buffer inside the text that has the replaced attributes, or PELT_NONE.
static uint32_t find_inner_buffer(const additions_job* job)
{
    json_t* buffers = json_object_get(job->source->root, "buffers");
    for (uint32_t i = 0; i < job->count; ++i)
    {
        uint32_t buffer = job->replaced[i] != PELT_NONE
                              ? gltf_reuse_buffer(&job->reuse, job->replaced[i])
                              : PELT_NONE;
        const json_t* uri = json_object_get(json_array_get(buffers, buffer), "uri");
        if (buffer != PELT_NONE && json_is_string(uri) && pelti_uri_is_data(json_string_value(uri)))
        {
            return buffer;
        }
    }
    return PELT_NONE;
}

// Only the first buffer can be the binary chunk of a GLB. It is, or becomes it; otherwise the new
// data get a buffer of their own, the same one each time.
static pelt_result open_buffer(additions_job* job, pelti_gltf_home* home, pelt_format format)
{
    const pelti_gltf_source* source = job->source;
    json_t* buffers = json_object_get(source->root, "buffers");
    json_t* first = json_array_get(buffers, 0);
    bool has_uri = json_is_string(json_object_get(first, "uri"));
    *home = format == PELT_FORMAT_GLB ? PELTI_GLTF_HOME_CHUNK : PELTI_GLTF_HOME_URI;
    if (first == NULL)
    {
        return PELT_OK;
    }
    if (!has_uri && source->bin != NULL)
    {
        pelti_gltf_append_bytes(job->document, source->bin, source->bin_size);
        return PELT_OK;
    }
    if (has_uri && format == PELT_FORMAT_GLB)
    {
        return append_buffer(job, 0);
    }
    *home = PELTI_GLTF_HOME_URI;
    uint32_t inner = find_inner_buffer(job);
    job->document->buffer = inner != PELT_NONE ? inner : (uint32_t)json_array_size(buffers);
    return inner != PELT_NONE ? append_buffer(job, inner) : PELT_OK;
}

// A buffer that did not grow keeps its stated length.
static void close_buffer(pelti_gltf_document* document, pelti_gltf_target* target,
                         size_t size_before)
{
    json_t* buffers = json_object_get(document->root, "buffers");
    json_t* length =
        json_incref(json_object_get(json_array_get(buffers, document->buffer), "byteLength"));
    target->home = document->size > 0 ? target->home : PELTI_GLTF_HOME_NONE;
    pelti_gltf_close_buffer(document, target);
    if (length != NULL && document->size == size_before)
    {
        pelti_gltf_set(document, json_array_get(buffers, document->buffer), "byteLength",
                       json_incref(length));
    }
    json_decref(length);
}

// ---------------------------------------------------------------------------------------------
// Where the file goes

static pelt_result choose_format(pelt_format* out, const char* path,
                                 const pelti_gltf_source* source, pelt_error* error)
{
    *out = pelt_format_of(path);
    if (strcmp(path, "-") == 0)
    {
        *out = source->is_glb ? PELT_FORMAT_GLB : PELT_FORMAT_GLTF;
    }
    return *out == PELT_FORMAT_GLB || *out == PELT_FORMAT_GLTF
               ? PELT_OK
               : pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                                "%s: what is added to a glTF file is written as .glb or .gltf",
                                path);
}

static pelt_result write_file(const char* path, const pelti_gltf_copy* copy)
{
    pelti_file file;
    PELT_TRY(pelti_file_open(&file, path, copy->error));
    pelt_result result = pelti_gltf_write(file.stream, copy->document, &copy->target, copy->error);
    if (result != PELT_OK)
    {
        pelti_file_discard(&file);
        return result;
    }
    return pelti_file_commit(&file, copy->error);
}

// ---------------------------------------------------------------------------------------------
// Copies

static pelt_result add_all(additions_job* job)
{
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < job->count && result == PELT_OK; ++i)
    {
        result = add(job, i);
    }
    return result;
}

// Remove what the edit makes superfluous, where nothing unknown may refer to it.
static pelt_result run_edit(pelti_gltf_copy* copy, const pelti_gltf_edits* edits)
{
    json_t* root = copy->document->root;
    if (edits->run == NULL)
    {
        return PELT_OK;
    }
    bool is_swept = pelti_gltf_references_are_known(root);
    size_t count = json_array_size(json_object_get(root, "accessors"));
    uint32_t* before = is_swept ? pelti_gltf_count_accessors(root) : NULL;
    if (is_swept && before == NULL)
    {
        return pelt_error_memory(copy->error);
    }
    pelt_result result = edits->run(copy, edits->user);
    if (result == PELT_OK && is_swept)
    {
        pelti_gltf_sweep(copy->document, before, count);
    }
    pelt_release(before);
    return result;
}

// Names of files in a glTF are relative to its folder.
static pelt_result embed_files(pelti_gltf_copy* copy, const char* path, bool is_self_contained)
{
    bool is_same_folder = false;
    const pelti_gltf_source* source = copy->source;
    if (!is_self_contained && path != NULL && source->file->files == NULL &&
        pelti_path_is_same_folder(&is_same_folder, path, source->path) != PELT_OK)
    {
        return pelt_error_memory(copy->error);
    }
    return is_same_folder ? PELT_OK
                          : pelti_gltf_source_embed(copy->document, source, copy->target.home,
                                                    is_self_contained, copy->error);
}

static pelt_result make(additions_job* job, pelti_gltf_copy* copy, const char* path,
                        const pelti_gltf_edits* edits)
{
    pelti_gltf_document* document = copy->document;
    bool is_merged = edits->is_self_contained && copy->target.format == PELT_FORMAT_GLB &&
                     pelti_gltf_references_are_known(document->root);
    pelt_result result = find_primitives(copy);
    result = result == PELT_OK ? release_replaced(job) : result;
    if (result == PELT_OK && is_merged)
    {
        result = pelti_gltf_merge_buffers(document, copy->source, copy->error);
        copy->target.home = document->buffer == 0 ? PELTI_GLTF_HOME_CHUNK : PELTI_GLTF_HOME_URI;
    }
    else if (result == PELT_OK)
    {
        result = open_buffer(job, &copy->target.home, copy->target.format);
    }
    size_t size_before = document->size;
    result = result == PELT_OK ? add_all(job) : result;
    result = result == PELT_OK ? run_edit(copy, edits) : result;
    result = result == PELT_OK ? embed_files(copy, path, edits->is_self_contained) : result;
    if (result == PELT_OK)
    {
        close_buffer(document, &copy->target, size_before);
    }
    return result;
}

pelt_result pelti_gltf_copy_make(pelti_gltf_copy* out, const char* path, pelt_format format,
                                 const pelti_gltf_edits* edits)
{
    pelti_gltf_document* document = out->document;
    *document = (pelti_gltf_document){.root = json_incref(out->source->root),
                                      .chunks = out->source->chunks.data,
                                      .chunks_size = out->source->chunks.size};
    out->target = (pelti_gltf_target){.format = format, .digits = 17};
    additions_job job = {.source = out->source,
                         .document = document,
                         .copy = out,
                         .additions = edits->additions,
                         .count = edits->addition_count,
                         .error = out->error};
    pelt_result result = make(&job, out, path, edits);
    gltf_reuse_destroy(&job.reuse);
    pelt_release(job.replaced);
    return result;
}

void pelti_gltf_copy_destroy(pelti_gltf_copy* copy)
{
    pelt_release(copy->primitives);
    pelti_gltf_destroy(copy->document);
    copy->primitives = NULL;
}

pelt_result pelti_gltf_copy_save(const char* path, pelt_format format,
                                 const pelti_gltf_source* source, const pelti_gltf_edits* edits,
                                 pelt_error* error)
{
    pelti_gltf_document document = {0};
    pelti_gltf_copy copy = {.source = source, .document = &document, .error = error};
    pelt_result result = pelti_gltf_copy_make(&copy, path, format, edits);
    result = result == PELT_OK ? write_file(path, &copy) : result;
    pelti_gltf_copy_destroy(&copy);
    return result;
}

static pelt_result write_memory(FILE* stream, const void* user, pelt_error* error)
{
    const pelti_gltf_copy* copy = user;
    return pelti_gltf_write(stream, copy->document, &copy->target, error);
}

pelt_result pelti_gltf_copy_to_glb(pelt_source* out, const pelti_gltf_source* source,
                                   const pelti_gltf_edits* edits, pelt_error* error)
{
    pelti_gltf_document document = {0};
    pelti_gltf_copy copy = {.source = source, .document = &document, .error = error};
    pelt_result result = pelti_gltf_copy_make(&copy, NULL, PELT_FORMAT_GLB, edits);
    if (result == PELT_OK && edits->is_compressed)
    {
        result = pelti_gltf_compress(&document, error);
    }
    result = result == PELT_OK ? pelti_write_to_memory(out, write_memory, &copy, error) : result;
    pelti_gltf_copy_destroy(&copy);
    return result;
}

// Numbers in glTF must be finite.
static pelt_result check_numbers(const pelt_addition* addition, pelt_error* error)
{
    size_t count = addition->values != NULL ? (size_t)addition->width * addition->vertex_count : 0;
    for (size_t i = 0; i < count; ++i)
    {
        if (!isfinite(addition->values[i]))
        {
            return pelt_error_set(error, PELT_ERROR_DATA,
                                  "%s of vertex %zu of mesh %u is beyond the range of float; make "
                                  "the numbers of the model smaller",
                                  addition->name, i / addition->width, addition->mesh);
        }
    }
    return PELT_OK;
}

pelt_result pelt_save_additions(const char* path, const char* source,
                                const pelt_addition* additions, uint32_t count, pelt_error* error)
{
    PELT_ASSERT(path != NULL && source != NULL);

    pelt_source file;
    pelt_result result = pelti_source_read_any(&file, source, error);
    if (result == PELT_OK)
    {
        result = pelt_save_source_additions(path, &file, additions, count, error);
        pelt_source_release(&file);
    }
    return result;
}

pelt_result pelt_save_source_additions(const char* path, const pelt_source* source,
                                       const pelt_addition* additions, uint32_t count,
                                       pelt_error* error)
{
    PELT_ASSERT(path != NULL && source != NULL && (additions != NULL || count == 0));
    for (uint32_t i = 0; i < count; ++i)
    {
        const pelt_addition* a = &additions[i];
        PELT_ASSERT(a->values == NULL || a->integers == NULL);
        PELT_ASSERT(!has_numbers(a) || (a->name != NULL && a->width >= 1 && a->width <= 4));
        // Elements of vertices start at multiples of four bytes.
        const pelti_gltf_array element = pelti_gltf_array_of(a, 1);
        PELT_ASSERT(a->integers == NULL || pelti_gltf_array_size(&element) % 4 == 0);
        PELT_TRY(check_numbers(a, error));
    }

    const pelt_source named = pelti_source_named(source);
    pelti_gltf_source opened;
    PELT_TRY(pelti_gltf_source_open(&opened, &named, error));
    pelt_format format = PELT_FORMAT_UNKNOWN;
    pelt_result result = choose_format(&format, path, &opened, error);
    // A text that becomes a GLB file has one chunk; a GLB file keeps its buffers.
    const pelti_gltf_edits edits = {.additions = additions,
                                    .addition_count = count,
                                    .is_self_contained =
                                        format == PELT_FORMAT_GLB && !opened.is_glb};
    result =
        result == PELT_OK ? pelti_gltf_copy_save(path, format, &opened, &edits, error) : result;
    pelti_gltf_source_close(&opened);
    return result;
}
