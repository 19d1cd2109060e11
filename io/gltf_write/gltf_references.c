// SPDX-License-Identifier: MIT
// References to the accessors, buffer views and buffers of a glTF file; merging buffers, and
// removing unused items.
#include "gltf_additions.h"

#include "../name_list.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Known extensions

static bool is_known_extension(const char* name)
{
    // Starts of names. Draco and EXT_mesh_gpu_instancing are visited below; the others refer to
    // textures, images, materials, nodes and meshes at most, or, as meshopt does, to buffers.
    static const char* const known[] = {
        "KHR_draco_mesh_compression",
        "KHR_materials_",
        "KHR_texture_",
        "KHR_lights_",
        "KHR_mesh_quantization",
        "KHR_node_",
        "KHR_animation_pointer",
        "KHR_xmp",
        "EXT_texture_",
        "EXT_meshopt_compression",
        "EXT_lights_",
        "KHR_meshopt_",
        "EXT_mesh_gpu_instancing",
        "MSFT_texture_dds",
        "MSFT_lod",
        "MSFT_packing_",
        "VRM",
        "ADOBE_materials_",
        "FB_materials_",
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
    {
        if (strncmp(name, known[i], strlen(known[i])) == 0)
        {
            return true;
        }
    }
    return false;
}

// Extras may contain anything, and are not searched.
static bool has_known_extensions(const json_t* value)
{
    const char* key;
    json_t* member;
    size_t i;
    bool is_known = true;
    if (json_is_object(value))
    {
        json_object_foreach((json_t*)value, key, member)
        {
            const char* name;
            json_t* content;
            if (strcmp(key, "extensions") == 0)
            {
                json_object_foreach(member, name, content)
                {
                    is_known = is_known && is_known_extension(name);
                }
            }
            is_known = is_known && (strcmp(key, "extras") == 0 || has_known_extensions(member));
        }
    }
    json_array_foreach(value, i, member)
    {
        is_known = is_known && has_known_extensions(member);
    }
    return is_known;
}

bool pelti_gltf_references_are_known(const json_t* root)
{
    return has_known_extensions(root);
}

// ---------------------------------------------------------------------------------------------
// Visiting

/// A list whose items are counted, removed and renumbered.
typedef struct reference_table
{
    size_t count;
    uint32_t* uses;  ///< per item
    uint32_t* moved; ///< its new index; NULL: references are counted, not changed
} reference_table;

static uint32_t index_of(const json_t* value, size_t count)
{
    double index = json_is_number(value) ? json_number_value(value) : -1.0;
    return index >= 0.0 && index < (double)count ? (uint32_t)index : PELT_NONE;
}

static void visit(reference_table* table, json_t* owner, const char* key)
{
    uint32_t index = index_of(json_object_get(owner, key), table->count);
    if (index == PELT_NONE)
    {
        return;
    }
    if (table->moved == NULL)
    {
        table->uses[index]++;
    }
    // In place, so that this cannot run out of memory; "2.0" is an index too.
    else if (json_integer_set(json_object_get(owner, key), (json_int_t)table->moved[index]) != 0)
    {
        json_real_set(json_object_get(owner, key), (double)table->moved[index]);
    }
}

static void visit_members(reference_table* table, json_t* object)
{
    const char* key;
    json_t* value;
    json_object_foreach(object, key, value)
    {
        visit(table, object, key);
    }
}

static void visit_primitive(reference_table* table, json_t* primitive)
{
    size_t i;
    json_t* target;
    visit_members(table, json_object_get(primitive, "attributes"));
    visit(table, primitive, "indices");
    json_array_foreach(json_object_get(primitive, "targets"), i, target)
    {
        visit_members(table, target);
    }
}

static void visit_accessors(reference_table* table, json_t* root)
{
    size_t i, k;
    json_t *item, *part;
    json_array_foreach(json_object_get(root, "meshes"), i, item)
    {
        json_array_foreach(json_object_get(item, "primitives"), k, part)
        {
            visit_primitive(table, part);
        }
    }
    json_array_foreach(json_object_get(root, "skins"), i, item)
    {
        visit(table, item, "inverseBindMatrices");
    }
    json_array_foreach(json_object_get(root, "nodes"), i, item)
    {
        json_t* instancing =
            json_object_get(json_object_get(item, "extensions"), "EXT_mesh_gpu_instancing");
        visit_members(table, json_object_get(instancing, "attributes"));
    }
    json_array_foreach(json_object_get(root, "animations"), i, item)
    {
        json_array_foreach(json_object_get(item, "samplers"), k, part)
        {
            visit(table, part, "input");
            visit(table, part, "output");
        }
    }
}

static void visit_accessor_views(reference_table* table, json_t* accessor)
{
    json_t* sparse = json_object_get(accessor, "sparse");
    visit(table, accessor, "bufferView");
    visit(table, json_object_get(sparse, "indices"), "bufferView");
    visit(table, json_object_get(sparse, "values"), "bufferView");
}

static void visit_views(reference_table* table, json_t* root)
{
    size_t i, k;
    json_t *item, *part;
    json_array_foreach(json_object_get(root, "accessors"), i, item)
    {
        visit_accessor_views(table, item);
    }
    json_array_foreach(json_object_get(root, "images"), i, item)
    {
        visit(table, item, "bufferView");
    }
    json_array_foreach(json_object_get(root, "meshes"), i, item)
    {
        json_array_foreach(json_object_get(item, "primitives"), k, part)
        {
            visit(
                table,
                json_object_get(json_object_get(part, "extensions"), "KHR_draco_mesh_compression"),
                "bufferView");
        }
    }
}

uint32_t* pelti_gltf_count_accessors(json_t* root)
{
    reference_table table = {.count = json_array_size(json_object_get(root, "accessors"))};
    table.uses = pelt_allocate(table.count + 1, sizeof *table.uses);
    if (table.uses != NULL)
    {
        memset(table.uses, 0, (table.count + 1) * sizeof *table.uses);
        visit_accessors(&table, root);
    }
    return table.uses;
}

// ---------------------------------------------------------------------------------------------
// Merging

static double number_of(const json_t* object, const char* name)
{
    const json_t* value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : 0.0;
}

// A view, or the extension of a compressed one: both have a buffer and an offset.
static json_t* range_of(json_t* view, int which)
{
    static const char* const names[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
    return which == 0 ? view
                      : json_object_get(json_object_get(view, "extensions"), names[which - 1]);
}

enum
{
    RANGE_COUNT = 3,
};

typedef struct merged_buffer
{
    size_t offset;   // of its bytes in the merged one
    uint32_t index;  // its new index, 0 for those that are merged
    const char* uri; // "": none
} merged_buffer;

// An earlier buffer that is the same file, or PELT_NONE: thousands may name one.
static uint32_t find_same(const pelti_name_list* uris, const merged_buffer* moved,
                          const json_t* buffers, uint32_t index)
{
    uint32_t first =
        moved[index].uri[0] != '\0' ? pelti_name_list_find(uris, moved[index].uri) : PELT_NONE;
    bool is_same = first < index && number_of(json_array_get(buffers, first), "byteLength") ==
                                        number_of(json_array_get(buffers, index), "byteLength");
    return is_same ? first : PELT_NONE;
}

static void move_views(pelti_gltf_document* document, const merged_buffer* moved, size_t count)
{
    size_t i;
    json_t* view;
    json_array_foreach(json_object_get(document->root, "bufferViews"), i, view)
    {
        for (int which = 0; which < RANGE_COUNT; ++which)
        {
            json_t* range = range_of(view, which);
            uint32_t buffer = index_of(json_object_get(range, "buffer"), count);
            if (buffer == PELT_NONE)
            {
                continue;
            }
            double offset = number_of(range, "byteOffset") + (double)moved[buffer].offset;
            pelti_gltf_set(document, range, "buffer", json_integer(moved[buffer].index));
            if (moved[buffer].offset > 0)
            {
                pelti_gltf_set(document, range, "byteOffset", json_integer((json_int_t)offset));
            }
        }
    }
}

// @return whether the buffer has bytes; a placeholder for compressed data has none
static pelt_result append_source(bool* has_bytes, pelti_gltf_document* document,
                                 const pelti_gltf_source* source, uint32_t index, pelt_error* error)
{
    json_t* buffer = json_array_get(json_object_get(source->root, "buffers"), index);
    *has_bytes = true;
    if (json_is_string(json_object_get(buffer, "uri")))
    {
        pelti_blob blob = {0};
        pelt_result result = pelti_gltf_source_buffer(&blob, source, index, error);
        if (result == PELT_OK)
        {
            pelti_gltf_append_bytes(document, blob.data, blob.size);
        }
        pelti_blob_release(&blob);
        return result;
    }
    *has_bytes = index == 0 && source->bin != NULL;
    if (*has_bytes)
    {
        // The chunk is padded to a multiple of four.
        double length = number_of(buffer, "byteLength");
        bool is_inside = length >= 1.0 && length <= (double)source->bin_size;
        pelti_gltf_append_bytes(document, source->bin,
                                is_inside ? (size_t)length : source->bin_size);
    }
    return PELT_OK;
}

static size_t padded(size_t size)
{
    return size + (4 - size % 4) % 4;
}

static pelt_result merge(pelti_gltf_document* document, const pelti_gltf_source* source,
                         merged_buffer* moved, const pelti_name_list* uris, json_t* merged,
                         pelt_error* error)
{
    json_t* buffers = json_object_get(document->root, "buffers");
    size_t count = json_array_size(buffers);
    json_t* first = NULL;
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < count && result == PELT_OK; ++i)
    {
        bool has_bytes;
        size_t start = padded(document->size);
        json_t* buffer = json_array_get(buffers, i);
        uint32_t same = find_same(uris, moved, buffers, i);
        if (same != PELT_NONE)
        {
            moved[i].offset = moved[same].offset;
            continue;
        }
        result = append_source(&has_bytes, document, source, i, error);
        if (has_bytes)
        {
            moved[i].offset = start;
            first = first != NULL ? first : buffer;
            continue;
        }
        moved[i].index = (uint32_t)json_array_size(merged) + 1;
        pelti_gltf_push(document, merged, json_incref(buffer));
    }
    if (result == PELT_OK && first != NULL)
    {
        json_object_del(first, "uri");
        pelti_gltf_set(document, first, "byteLength", json_integer((json_int_t)document->size));
        document->is_out_of_memory |= json_array_insert(merged, 0, first) != 0;
        move_views(document, moved, count);
        pelti_gltf_set(document, document->root, "buffers", json_incref(merged));
    }
    return result;
}

pelt_result pelti_gltf_merge_buffers(pelti_gltf_document* document, const pelti_gltf_source* source,
                                     pelt_error* error)
{
    json_t* buffers = json_object_get(document->root, "buffers");
    uint32_t count = (uint32_t)json_array_size(buffers);
    merged_buffer* moved = pelt_allocate((size_t)count + 1, sizeof *moved);
    json_t* merged = json_array();
    pelti_name_list uris = {0};
    for (uint32_t i = 0; i < count && moved != NULL; ++i)
    {
        const char* uri = json_string_value(json_object_get(json_array_get(buffers, i), "uri"));
        moved[i] = (merged_buffer){.uri = uri != NULL ? uri : ""};
    }
    pelt_result result =
        moved != NULL && merged != NULL &&
                pelti_name_list_create(&uris, &moved[0].uri, sizeof *moved, count) == PELT_OK
            ? merge(document, source, moved, &uris, merged, error)
            : pelt_error_memory(error);
    pelti_name_list_destroy(&uris);
    // Bytes that come later need a buffer of their own, after such a placeholder.
    document->buffer = document->size > 0 ? 0 : count;
    json_decref(merged);
    pelt_release(moved);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Removing

// A range of bytes that is removed from the document.
typedef struct byte_range
{
    size_t begin, end;
} byte_range;

static int compare_ranges(const void* a, const void* b)
{
    const byte_range *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

// The ranges of views that are removed, or of those that stay, in ascending order.
static size_t list_ranges(byte_range* out, const pelti_gltf_document* document,
                          const bool* is_removed, bool is_wanted)
{
    size_t i, count = 0;
    json_t* view;
    json_array_foreach(json_object_get(document->root, "bufferViews"), i, view)
    {
        for (int which = 0; which < RANGE_COUNT && is_removed[i] == is_wanted; ++which)
        {
            json_t* range = range_of(view, which);
            const json_t* buffer = json_object_get(range, "buffer");
            double begin = number_of(range, "byteOffset"), length = number_of(range, "byteLength");
            if (json_is_number(buffer) && json_number_value(buffer) == (double)document->buffer &&
                begin >= 0.0 && length > 0.0 && begin + length <= (double)document->size)
            {
                out[count++] = (byte_range){(size_t)begin, (size_t)(begin + length)};
            }
        }
    }
    qsort(out, count, sizeof *out, compare_ranges);
    return count;
}

// Subtract the ranges that stay from those that are removed. Arrays keep their alignment to four
// bytes.
// @param out  room for gone_count + kept_count ranges
static size_t subtract(byte_range* out, const byte_range* gone, size_t gone_count,
                       const byte_range* kept, size_t kept_count)
{
    size_t count = 0, next = 0, done = 0, covered = 0;
    for (size_t i = 0; i < gone_count; ++i)
    {
        size_t at = gone[i].begin > done ? gone[i].begin : done;
        while (at < gone[i].end)
        {
            // covered: the end of everything that stays and begins at or before `at`
            while (next < kept_count && kept[next].begin <= at)
            {
                covered = kept[next].end > covered ? kept[next].end : covered;
                ++next;
            }
            at = covered > at ? covered : at;
            bool is_limited = next < kept_count && kept[next].begin < gone[i].end;
            size_t end = is_limited ? kept[next].begin : gone[i].end;
            byte_range whole = {padded(at), end / 4 * 4};
            if (at < end && whole.begin < whole.end)
            {
                out[count++] = whole;
            }
            at = at < end ? end : at;
            if (!is_limited)
            {
                break;
            }
        }
        done = gone[i].end > done ? gone[i].end : done;
    }
    return count;
}

static size_t bytes_before(const byte_range* holes, size_t count, size_t offset)
{
    size_t low = 0, high = count, sum = 0;
    // `end` of a hole is now the number of bytes in it and in those before it.
    while (low < high)
    {
        size_t middle = (low + high) / 2;
        bool is_before = holes[middle].begin < offset;
        sum = is_before ? holes[middle].end : sum;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return sum;
}

// @param holes  in ascending order, without overlap; their ends are changed
static void close_holes(pelti_gltf_document* document, byte_range* holes, size_t count)
{
    size_t size = 0, from = 0, sum = 0, i;
    for (size_t h = 0; h <= count; ++h)
    {
        size_t begin = h < count ? holes[h].begin : document->size;
        memmove(document->bytes + size, document->bytes + from, begin - from);
        size += begin - from;
        from = h < count ? holes[h].end : from;
        sum += h < count ? holes[h].end - holes[h].begin : 0;
        if (h < count)
        {
            holes[h].end = sum;
        }
    }
    document->size = size;
    json_t* view;
    json_array_foreach(json_object_get(document->root, "bufferViews"), i, view)
    {
        for (int which = 0; which < RANGE_COUNT; ++which)
        {
            json_t* range = range_of(view, which);
            json_t* offset = json_object_get(range, "byteOffset");
            double buffer = json_is_number(json_object_get(range, "buffer"))
                                ? number_of(range, "buffer")
                                : -1.0;
            if (json_is_number(offset) && buffer == (double)document->buffer)
            {
                size_t old = (size_t)json_number_value(offset);
                size_t moved = old - bytes_before(holes, count, old);
                pelti_gltf_set(document, range, "byteOffset", json_integer((json_int_t)moved));
            }
        }
    }
    json_t* buffer = json_array_get(json_object_get(document->root, "buffers"), document->buffer);
    pelti_gltf_set(document, buffer, "byteLength", json_integer((json_int_t)document->size));
}

static void remove_bytes(pelti_gltf_document* document, const bool* is_removed)
{
    size_t room = RANGE_COUNT * json_array_size(json_object_get(document->root, "bufferViews")) + 1;
    byte_range* gone = pelt_allocate(room, sizeof *gone);
    byte_range* kept = pelt_allocate(room, sizeof *kept);
    byte_range* holes = pelt_allocate(2 * room, sizeof *holes);
    if (gone != NULL && kept != NULL && holes != NULL)
    {
        size_t gone_count = list_ranges(gone, document, is_removed, true);
        size_t kept_count = list_ranges(kept, document, is_removed, false);
        size_t count = subtract(holes, gone, gone_count, kept, kept_count);
        if (count > 0)
        {
            close_holes(document, holes, count);
        }
    }
    else
    {
        document->is_out_of_memory = true;
    }
    pelt_release(gone);
    pelt_release(kept);
    pelt_release(holes);
}

// Leave out the items that are removed, and renumber what refers to the others.
static void remove_items(pelti_gltf_document* document, const char* name, const bool* is_removed,
                         void (*visit_all)(reference_table* table, json_t* root))
{
    json_t* list = json_object_get(document->root, name);
    size_t count = json_array_size(list), kept = 0;
    reference_table table = {.count = count};
    table.moved = pelt_allocate(count + 1, sizeof *table.moved);
    json_t* shorter = json_array();
    if (table.moved == NULL || shorter == NULL)
    {
        document->is_out_of_memory = true;
        pelt_release(table.moved);
        json_decref(shorter);
        return;
    }
    for (size_t i = 0; i < count; ++i)
    {
        table.moved[i] = (uint32_t)kept;
        if (!is_removed[i])
        {
            pelti_gltf_push(document, shorter, json_incref(json_array_get(list, i)));
            ++kept;
        }
    }
    visit_all(&table, document->root);
    // glTF has no empty lists.
    if (kept > 0)
    {
        pelti_gltf_set(document, document->root, name, shorter);
    }
    else
    {
        json_object_del(document->root, name);
        json_decref(shorter);
    }
    pelt_release(table.moved);
}

// @return the views that only removed accessors refer to; NULL: out of memory
static bool* find_views(json_t* root, const bool* is_removed, bool* has_any)
{
    size_t count = json_array_size(json_object_get(root, "bufferViews")), i;
    reference_table gone = {.count = count}, all = {.count = count};
    gone.uses = pelt_allocate(count + 1, sizeof *gone.uses);
    all.uses = pelt_allocate(count + 1, sizeof *all.uses);
    bool* out = pelt_allocate(count + 1, sizeof *out);
    *has_any = false;
    if (gone.uses != NULL && all.uses != NULL && out != NULL)
    {
        json_t* accessor;
        memset(gone.uses, 0, (count + 1) * sizeof *gone.uses);
        memset(all.uses, 0, (count + 1) * sizeof *all.uses);
        visit_views(&all, root);
        json_array_foreach(json_object_get(root, "accessors"), i, accessor)
        {
            if (is_removed[i])
            {
                visit_accessor_views(&gone, accessor);
            }
        }
        for (i = 0; i < count; ++i)
        {
            out[i] = gone.uses[i] > 0 && gone.uses[i] == all.uses[i];
            *has_any = *has_any || out[i];
        }
    }
    else
    {
        pelt_release(out);
        out = NULL;
    }
    pelt_release(gone.uses);
    pelt_release(all.uses);
    return out;
}

void pelti_gltf_sweep(pelti_gltf_document* document, const uint32_t* before, size_t before_count)
{
    json_t* root = document->root;
    size_t count = json_array_size(json_object_get(root, "accessors"));
    uint32_t* uses = pelti_gltf_count_accessors(root);
    bool* is_removed = pelt_allocate(count + 1, sizeof *is_removed);
    bool *views = NULL, has_any = false, has_views = false;
    for (size_t i = 0; i < count && uses != NULL && is_removed != NULL; ++i)
    {
        is_removed[i] = uses[i] == 0 && (i >= before_count || before[i] > 0);
        has_any = has_any || is_removed[i];
    }
    if (has_any)
    {
        views = find_views(root, is_removed, &has_views);
    }
    document->is_out_of_memory |= uses == NULL || is_removed == NULL || (has_any && views == NULL);
    if (views != NULL)
    {
        // The tables of the document have other indices from now on.
        pelt_release(document->known);
        document->known = NULL;
        document->known_count = document->known_capacity = 0;
        remove_items(document, "accessors", is_removed, visit_accessors);
        if (has_views)
        {
            remove_bytes(document, views);
            remove_items(document, "bufferViews", views, visit_views);
        }
    }
    pelt_release(views);
    pelt_release(uses);
    pelt_release(is_removed);
}
