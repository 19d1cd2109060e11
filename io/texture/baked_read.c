// SPDX-License-Identifier: MIT
// Reads the JSON file of a bake. Arrays are as long as their text, so no file can ask for more
// memory than its size justifies.
#include "baked_file.h"

#include "../readers.h"
#include "../text_parse.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Members that have to be there

pelt_result pelti_baked_need(const pelti_json** out, pelti_baked_reader* r,
                             const pelti_json* object, const char* member,
                             const pelti_json_path* at)
{
    *out = pelti_json_get(object, member);
    pelti_json_path here = pelti_json_member(at, member);
    return *out != NULL ? PELT_OK : pelti_gltf_fail(&r->g, &here, "this is missing");
}

pelt_result pelti_baked_need_u32(uint32_t* out, pelti_baked_reader* r, const pelti_json* object,
                                 const char* member, const pelti_json_path* at)
{
    const pelti_json* value;
    size_t number = 0;
    PELT_TRY(pelti_baked_need(&value, r, object, member, at));
    PELT_TRY(pelti_gltf_get_size(&number, &r->g, object, member, at));
    if (number >= PELT_NONE)
    {
        pelti_json_path here = pelti_json_member(at, member);
        return pelti_gltf_fail(&r->g, &here, "%zu is too large", number);
    }
    *out = (uint32_t)number;
    return PELT_OK;
}

pelt_result pelti_baked_need_text(const char** out, pelti_baked_reader* r, const pelti_json* object,
                                  const char* member, const pelti_json_path* at)
{
    const pelti_json* value;
    PELT_TRY(pelti_baked_need(&value, r, object, member, at));
    return pelti_gltf_get_string(out, &r->g, object, member, at);
}

pelt_result pelti_baked_need_digest(uint64_t* out, pelti_baked_reader* r, const pelti_json* object,
                                    const pelti_json_path* at)
{
    const char* text = NULL;
    PELT_TRY(pelti_baked_need_text(&text, r, object, "digest", at));
    pelti_json_path here = pelti_json_member(at, "digest");
    if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
    {
        return pelti_gltf_fail(&r->g, &here, "\"%.40s\" must be 16 hexadecimal digits", text);
    }
    *out = strtoull(text, NULL, 16);
    return PELT_OK;
}

pelt_result pelti_baked_check_name(const char* path, pelt_error* error)
{
    const char* name = path + pelti_path_folder(path);
    return pelti_path_is_relative(name) && pelti_utf8_is_valid(name, strlen(name))
               ? PELT_OK
               : pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                "%s: a bake of this name could not be read again, since its JSON "
                                "file names the others: no backslash, scheme or broken UTF-8",
                                path);
}

// A name that stays with the bake.
static pelt_result need_name(const char** out, pelti_baked_reader* r, const pelti_json* object,
                             const char* member, const pelti_json_path* at)
{
    const char* text = NULL;
    PELT_TRY(pelti_baked_need_text(&text, r, object, member, at));
    *out = pelt_arena_string(r->g.arena, text);
    if (*out == NULL)
    {
        return pelt_error_memory(r->g.error);
    }
    return PELT_OK;
}

static pelt_result need_float(float* out, pelti_baked_reader* r, const pelti_json* object,
                              const char* member, const pelti_json_path* at)
{
    const pelti_json* value;
    PELT_TRY(pelti_baked_need(&value, r, object, member, at));
    return pelti_gltf_get_floats(out, 1, &r->g, object, member, at);
}

static pelt_result need_bool(bool* out, pelti_baked_reader* r, const pelti_json* object,
                             const char* member, const pelti_json_path* at)
{
    const pelti_json* value;
    PELT_TRY(pelti_baked_need(&value, r, object, member, at));
    return pelti_gltf_get_bool(out, &r->g, object, member, at);
}

// A list of objects, and zeroed memory for the result.
typedef struct object_list
{
    const pelti_json* array;
    uint32_t count;
    void* out;
    pelti_json_path at;
} object_list;

static pelt_result need_list(object_list* out, pelti_baked_reader* r, const pelti_json* object,
                             const char* member, size_t size, const pelti_json_path* at)
{
    PELT_TRY(pelti_baked_need(&out->array, r, object, member, at));
    PELT_TRY(pelti_gltf_get_array(&out->array, &r->g, object, member, at));
    out->count = (uint32_t)pelti_json_size(out->array);
    out->at = pelti_json_member(at, member);
    return pelti_gltf_alloc(&out->out, &r->g, out->count, size);
}

// One of several words, by its index.
static pelt_result fail_word(pelti_baked_reader* r, const char* member, const char* text,
                             const pelti_json_path* at)
{
    pelti_json_path here = pelti_json_member(at, member);
    return pelti_gltf_fail(&r->g, &here, "\"%.40s\" is not known", text);
}

// ---------------------------------------------------------------------------------------------
// Clips

// An array of numbers that is an element of an array; null leaves them unchanged.
static pelt_result read_row(float* out, size_t count, pelti_baked_reader* r,
                            const pelti_json* value, const pelti_json_path* at)
{
    bool is_good = pelti_json_is(value, PELTI_JSON_NULL) || pelti_json_size(value) == count;
    for (size_t i = 0; i < count && is_good && !pelti_json_is(value, PELTI_JSON_NULL); ++i)
    {
        const pelti_json* number = pelti_json_at(value, i);
        is_good = pelti_json_is(number, PELTI_JSON_NUMBER) && fabs(number->as.number) < 3.4e38;
        out[i] = is_good ? (float)number->as.number : 0.0f;
    }
    return is_good
               ? PELT_OK
               : pelti_gltf_fail(&r->g, at, "this must be an array of %zu finite numbers", count);
}

static pelt_result read_bounds(pelt_bounds* out, pelti_baked_reader* r, const pelti_json* value,
                               const pelti_json_path* at)
{
    *out = pelt_bounds_empty();
    float row[6] = {out->min.x, out->min.y, out->min.z, out->max.x, out->max.y, out->max.z};
    PELT_TRY(read_row(row, 6, r, value, at));
    *out = (pelt_bounds){{row[0], row[1], row[2]}, {row[3], row[4], row[5]}};
    bool is_empty = pelti_json_is(value, PELTI_JSON_NULL);
    return !is_empty && (row[0] > row[3] || row[1] > row[4] || row[2] > row[5])
               ? pelti_gltf_fail(&r->g, at, "the minimum of this box is above its maximum")
               : PELT_OK;
}

static pelt_result read_run(pelt_baked_run* out, pelti_baked_reader* r, const pelti_json* object,
                            const pelti_json_path* at)
{
    const struct
    {
        const char* member;
        uint32_t* to;
    } numbers[] = {{"keys", &out->key_count},
                   {"first_word", &out->first_word},
                   {"key_words", &out->key_words},
                   {"table", &out->table}};
    PELT_TRY(need_float(&out->start, r, object, "start", at));
    PELT_TRY(need_float(&out->rate, r, object, "rate", at));
    for (size_t i = 0; i < 4; ++i)
    {
        PELT_TRY(pelti_baked_need_u32(numbers[i].to, r, object, numbers[i].member, at));
    }
    return need_bool(&out->is_held, r, object, "held", at);
}

static pelt_result read_runs(pelt_baked_clip* inout, pelti_baked_reader* r,
                             const pelti_json* object, const pelti_json_path* at)
{
    object_list list = {0};
    PELT_TRY(need_list(&list, r, object, "runs", sizeof *inout->runs, at));
    pelt_baked_run* runs = list.out;
    uint64_t keys = 0;
    for (uint32_t i = 0; i < list.count; ++i)
    {
        pelti_json_path here = pelti_json_element(&list.at, i);
        PELT_TRY(read_run(&runs[i], r, pelti_json_at(list.array, i), &here));
        keys += runs[i].key_count;
    }
    inout->runs = runs;
    inout->run_count = list.count;
    inout->key_count = keys < PELT_NONE ? (uint32_t)keys : PELT_NONE; // too many for any list
    return PELT_OK;
}

static pelt_result check_length(pelti_baked_reader* r, const object_list* list, uint32_t count)
{
    return list->count == count
               ? PELT_OK
               : pelti_gltf_fail(&r->g, &list->at, "there are %u elements for %u keys", list->count,
                                 count);
}

// The short form of a list with an element for each key, which version 1 has not: an object.
// @param memory  for the elements; NULL: it is a list
static pelt_result find_short(void** memory, pelti_json_path* here, pelti_baked_reader* r,
                              const pelti_json* value, uint32_t count, size_t size)
{
    *memory = NULL;
    // Each key takes some bytes of the texture; its words are compared later.
    if (!pelti_json_is(value, PELTI_JSON_OBJECT))
    {
        return PELT_OK;
    }
    return count < PELT_NONE ? pelti_gltf_alloc(memory, &r->g, count, size)
                             : pelti_gltf_fail(&r->g, here, "there are too many keys");
}

static pelt_result read_key_bounds(pelt_baked_clip* inout, pelti_baked_reader* r,
                                   const pelti_json* object, const pelti_json_path* at)
{
    object_list list = {0};
    void* memory = NULL;
    pelti_json_path short_at = pelti_json_member(at, "key_bounds");
    const pelti_json* value = pelti_json_get(object, "key_bounds");
    pelt_result found =
        find_short(&memory, &short_at, r, value, inout->key_count, sizeof(pelt_bounds));
    if (found != PELT_OK || memory != NULL)
    {
        inout->key_bounds = memory;
        return found == PELT_OK
                   ? pelti_baked_read_boxes(memory, inout->key_count, r, value, &short_at)
                   : found;
    }
    PELT_TRY(need_list(&list, r, object, "key_bounds", sizeof(pelt_bounds), at));
    PELT_TRY(check_length(r, &list, inout->key_count));
    pelt_bounds* bounds = list.out;
    for (uint32_t i = 0; i < list.count; ++i)
    {
        pelti_json_path here = pelti_json_element(&list.at, i);
        PELT_TRY(read_bounds(&bounds[i], r, pelti_json_at(list.array, i), &here));
    }
    inout->key_bounds = bounds;
    return PELT_OK;
}

static pelt_result read_root_motion(pelt_baked_clip* inout, pelti_baked_reader* r,
                                    const pelti_json* object, const pelti_json_path* at)
{
    object_list list = {0};
    void* memory = NULL;
    pelti_json_path short_at = pelti_json_member(at, "root_motion");
    const pelti_json* value = pelti_json_get(object, "root_motion");
    pelt_result found =
        find_short(&memory, &short_at, r, value, inout->key_count, sizeof(pelt_transform));
    if (found != PELT_OK || memory != NULL)
    {
        inout->root_motion = memory;
        return found == PELT_OK
                   ? pelti_baked_read_motion(memory, inout->key_count, r, value, &short_at)
                   : found;
    }
    PELT_TRY(need_list(&list, r, object, "root_motion", sizeof(pelt_transform), at));
    PELT_TRY(check_length(r, &list, inout->key_count));
    pelt_transform* motion = list.out;
    for (uint32_t i = 0; i < list.count; ++i)
    {
        pelti_json_path here = pelti_json_element(&list.at, i);
        float row[10] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f};
        PELT_TRY(read_row(row, 10, r, pelti_json_at(list.array, i), &here));
        motion[i] = (pelt_transform){
            {row[0], row[1], row[2]}, {row[3], row[4], row[5], row[6]}, {row[7], row[8], row[9]}};
    }
    inout->root_motion = motion;
    return PELT_OK;
}

static pelt_result read_clip(pelt_baked_clip* out, pelti_baked_reader* r, const pelti_json* object,
                             const pelti_json_path* at)
{
    const pelti_json* bounds = NULL;
    pelti_json_path bounds_at = pelti_json_member(at, "bounds");
    PELT_TRY(need_name(&out->name, r, object, "name", at));
    PELT_TRY(need_float(&out->duration, r, object, "duration", at));
    PELT_TRY(need_bool(&out->loops, r, object, "loops", at));
    PELT_TRY(need_bool(&out->wraps, r, object, "wraps", at));
    PELT_TRY(pelti_baked_need(&bounds, r, object, "bounds", at));
    PELT_TRY(read_bounds(&out->bounds, r, bounds, &bounds_at));
    PELT_TRY(read_runs(out, r, object, at));
    PELT_TRY(read_key_bounds(out, r, object, at));
    return r->baked->root != PELT_NONE ? read_root_motion(out, r, object, at) : PELT_OK;
}

static pelt_result read_clips(pelti_baked_reader* r)
{
    object_list list = {0};
    PELT_TRY(need_list(&list, r, r->g.root, "clips", sizeof *r->baked->clips, NULL));
    pelt_baked_clip* clips = list.out;
    for (uint32_t i = 0; i < list.count; ++i)
    {
        pelti_json_path here = pelti_json_element(&list.at, i);
        PELT_TRY(read_clip(&clips[i], r, pelti_json_at(list.array, i), &here));
    }
    r->baked->clips = clips;
    r->baked->clip_count = list.count;
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Joints and instances

static pelt_result read_joint(pelt_baked_joint* out, pelti_baked_reader* r,
                              const pelti_json* object, const pelti_json_path* at)
{
    const pelti_json* pivot = NULL;
    const char* kind = NULL;
    PELT_TRY(need_name(&out->name, r, object, "name", at));
    PELT_TRY(pelti_gltf_get_string(&kind, &r->g, object, "kind", at));
    uint32_t k = 0; // that of most bakes
    while (kind != NULL && k < PELTI_JOINT_KIND_COUNT &&
           strcmp(kind, pelti_joint_kind_name((pelt_baked_joint_kind)k)) != 0)
    {
        ++k;
    }
    if (k == PELTI_JOINT_KIND_COUNT)
    {
        return fail_word(r, "kind", kind, at);
    }
    out->kind = (pelt_baked_joint_kind)k;
    out->parent = PELT_NONE;
    if (pelti_json_get(object, "parent") != NULL)
    {
        PELT_TRY(pelti_baked_need_u32(&out->parent, r, object, "parent", at));
    }
    PELT_TRY(pelti_baked_need(&pivot, r, object, "pivot", at));
    return pelti_gltf_get_floats(&out->pivot.x, 3, &r->g, object, "pivot", at);
}

// Sort joints after their ancestors, by walking up from each to the first that is listed.
static pelt_result order_joints(pelti_baked_reader* r, const pelt_baked_joint* joints,
                                uint32_t count)
{
    void *order_memory = NULL, *placed_memory = NULL;
    PELT_TRY(pelti_gltf_alloc(&order_memory, &r->g, count, sizeof(uint32_t)));
    PELT_TRY(pelti_gltf_alloc_scratch(&placed_memory, &r->g, count, sizeof(bool)));
    uint32_t *order = order_memory, placed_count = 0;
    bool* is_placed = placed_memory;
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t length = 0;
        for (uint32_t j = i; j != PELT_NONE && !is_placed[j]; j = joints[j].parent)
        {
            bool is_inside = joints[j].parent == PELT_NONE || joints[j].parent < count;
            if (!is_inside || ++length > count - placed_count)
            {
                pelti_json_path list = {.member = "joints"}, here = pelti_json_element(&list, j);
                return pelti_gltf_fail(
                    &r->g, &here, is_inside ? "its parents form a circle" : "there is no joint %u",
                    joints[j].parent);
            }
        }
        uint32_t at = placed_count + length;
        for (uint32_t j = i; j != PELT_NONE && !is_placed[j]; j = joints[j].parent)
        {
            order[--at] = j;
            is_placed[j] = true;
        }
        placed_count += length;
    }
    r->baked->joint_order = order;
    return PELT_OK;
}

static pelt_result read_joints(pelti_baked_reader* r)
{
    object_list list = {0};
    PELT_TRY(need_list(&list, r, r->g.root, "joints", sizeof *r->baked->joints, NULL));
    pelt_baked_joint* joints = list.out;
    for (uint32_t i = 0; i < list.count; ++i)
    {
        pelti_json_path here = pelti_json_element(&list.at, i);
        PELT_TRY(read_joint(&joints[i], r, pelti_json_at(list.array, i), &here));
    }
    r->baked->joints = joints;
    r->baked->joint_count = list.count;
    return order_joints(r, joints, list.count);
}

static pelt_result read_instances(pelti_baked_reader* r)
{
    object_list list = {0};
    PELT_TRY(need_list(&list, r, r->g.root, "instances", sizeof *r->baked->instances, NULL));
    pelt_baked_instance* instances = list.out;
    for (uint32_t i = 0; i < list.count; ++i)
    {
        const pelti_json* object = pelti_json_at(list.array, i);
        pelt_baked_instance* out = &instances[i];
        pelti_json_path at = pelti_json_element(&list.at, i);
        PELT_TRY(need_name(&out->name, r, object, "mesh", &at));
        PELT_TRY(pelti_baked_need_u32(&out->vertex_count, r, object, "vertices", &at));
        PELT_TRY(pelti_baked_need_u32(&out->first, r, object, "first_joint", &at));
        PELT_TRY(pelti_baked_need_u32(&out->joint_count, r, object, "joints", &at));
        PELT_TRY(pelti_baked_need_digest(&out->digest, r, object, &at));
    }
    r->baked->instances = instances;
    r->baked->instance_count = list.count;
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------

// Files without a layout are older than this option.
static pelt_result read_layout(pelti_baked_reader* r)
{
    const char* layout = NULL;
    PELT_TRY(pelti_gltf_get_string(&layout, &r->g, r->g.root, "layout", NULL));
    if (layout == NULL)
    {
        return PELT_OK;
    }
    r->baked->layout = pelt_bake_layout_find(layout);
    return r->baked->layout < PELT_BAKE_LAYOUT_COUNT ? PELT_OK
                                                     : fail_word(r, "layout", layout, NULL);
}

// Checks that the rest of the file relies on.
static pelt_result read_header(pelti_baked_reader* r)
{
    const char *format = NULL, *encoding = NULL, *axes = NULL;
    const pelti_json* root = r->g.root;
    uint32_t version = 0;
    PELT_TRY(pelti_gltf_get_string(&format, &r->g, root, "format", NULL));
    if ((format == NULL || strcmp(format, PELTI_BAKED_FORMAT) != 0))
    {
        return pelti_gltf_fail(&r->g, NULL,
                               "is not the JSON file of a bake: its format is \"%.40s\"",
                               format != NULL ? format : "");
    }
    PELT_TRY(pelti_baked_need_u32(&version, r, root, "version", NULL));
    if ((version < 1 || version > PELTI_BAKED_VERSION))
    {
        return pelt_error_set(r->g.error, PELT_ERROR_UNSUPPORTED,
                              "%s: has version %u; pelt reads versions 1 to %d", r->g.path, version,
                              PELTI_BAKED_VERSION);
    }
    PELT_TRY(pelti_baked_need_text(&axes, r, root, "axes", NULL));
    if (strcmp(axes, PELTI_BAKED_AXES) != 0)
    {
        return fail_word(r, "axes", axes, NULL);
    }
    PELT_TRY(pelti_baked_need_text(&encoding, r, root, "encoding", NULL));
    r->baked->encoding = pelt_encoding_find(encoding);
    return r->baked->encoding < PELT_ENCODING_COUNT ? read_layout(r)
                                                    : fail_word(r, "encoding", encoding, NULL);
}

pelt_result pelti_baked_read_json(pelti_baked_reader* r)
{
    const pelti_json* root = r->g.root;
    pelt_baked* baked = r->baked;
    PELT_TRY(read_header(r));
    PELT_TRY(need_float(&baked->unit, r, root, "unit", NULL));
    PELT_TRY(need_float(&baked->stretch_unit, r, root, "stretch_unit", NULL));
    PELT_TRY(need_float(&baked->height_meters, r, root, "height", NULL));
    if (baked->encoding == PELT_ENCODING_VERTEX)
    {
        PELT_TRY(pelti_baked_need_u32(&baked->vertex_count, r, root, "vertices", NULL));
    }
    baked->root = PELT_NONE;
    if (pelti_json_get(root, "root") != NULL)
    {
        PELT_TRY(pelti_baked_need_u32(&baked->root, r, root, "root", NULL));
    }
    PELT_TRY(read_joints(r));
    if (baked->root != PELT_NONE && baked->root >= baked->joint_count)
    {
        pelti_json_path at = {.member = "root"};
        return pelti_gltf_fail(&r->g, &at, "there is no joint %u", baked->root);
    }
    PELT_TRY(read_clips(r));
    return read_instances(r);
}

// ---------------------------------------------------------------------------------------------
// Bounds and root motion of a clip in their compact forms

// A number of a list, which is finite and below the largest float.
static pelt_result read_number(double* out, pelti_baked_reader* r, const pelti_json* list, size_t i,
                               const pelti_json_path* at)
{
    const pelti_json* number = pelti_json_at(list, i);
    bool is_good = pelti_json_is(number, PELTI_JSON_NUMBER) && fabs(number->as.number) < 3.4e38;
    pelti_json_path here = pelti_json_element(at, i);
    *out = is_good ? number->as.number : 0.0;
    return is_good ? PELT_OK : pelti_gltf_fail(&r->g, &here, "this must be a finite number");
}

static pelt_result need_numbers(const pelti_json** out, pelti_baked_reader* r,
                                const pelti_json* object, const char* member,
                                const pelti_json_path* at)
{
    PELT_TRY(pelti_baked_need(out, r, object, member, at));
    return pelti_gltf_get_array(out, &r->g, object, member, at);
}

// Rows of integers, each the difference from the row before. Multiplied by a step, their sums are
// numbers.
typedef struct step_rows
{
    const pelti_json* values;
    pelti_json_path at;
    size_t width, next;
    double step, last[6];
} step_rows;

// @param at  of the object; step_rows keeps the address
static pelt_result open_rows(step_rows* out, size_t width, uint32_t count, pelti_baked_reader* r,
                             const pelti_json* object, const pelti_json_path* at)
{
    const pelti_json* step = pelti_json_get(object, "step");
    pelti_json_path step_at = pelti_json_member(at, "step");
    *out = (step_rows){.at = pelti_json_member(at, "values"), .width = width};
    out->step = pelti_json_is(step, PELTI_JSON_NUMBER) ? step->as.number : 0.0;
    if (!(out->step > 0.0))
    {
        return pelti_gltf_fail(&r->g, &step_at, "this must be a number above 0");
    }
    PELT_TRY(need_numbers(&out->values, r, object, "values", at));
    return pelti_json_size(out->values) == width * count
               ? PELT_OK
               : pelti_gltf_fail(&r->g, &out->at,
                                 "there are %zu elements for %u keys, %zu for each",
                                 pelti_json_size(out->values), count, width);
}

static pelt_result next_row(float* out, step_rows* inout, pelti_baked_reader* r)
{
    for (size_t k = 0; k < inout->width; ++k)
    {
        double number;
        PELT_TRY(read_number(&number, r, inout->values, inout->next, &inout->at));
        inout->last[k] += number;
        out[k] = (float)(inout->last[k] * inout->step);
        if (!isfinite(out[k]))
        {
            pelti_json_path here = pelti_json_element(&inout->at, inout->next);
            return pelti_gltf_fail(&r->g, &here, "the sum is beyond the range of numbers");
        }
        ++inout->next;
    }
    return PELT_OK;
}

pelt_result pelti_baked_read_boxes(pelt_bounds* out, uint32_t count, pelti_baked_reader* r,
                                   const pelti_json* object, const pelti_json_path* at)
{
    uint32_t span = 1;
    step_rows rows;
    pelti_json_path span_at = pelti_json_member(at, "span");
    if (pelti_json_get(object, "span") != NULL)
    {
        PELT_TRY(pelti_baked_need_u32(&span, r, object, "span", at));
    }
    if (span == 0)
    {
        return pelti_gltf_fail(&r->g, &span_at, "this must be above 0");
    }
    PELT_TRY(open_rows(&rows, 6, count / span + (count % span != 0), r, object, at));
    for (uint32_t i = 0; i < count; ++i)
    {
        float row[6];
        if (i % span != 0)
        {
            out[i] = out[i - 1];
            continue;
        }
        PELT_TRY(next_row(row, &rows, r));
        out[i] = (pelt_bounds){{row[0], row[1], row[2]}, {row[3], row[4], row[5]}};
        if (row[0] > row[3] || row[1] > row[4] || row[2] > row[5])
        {
            return pelti_gltf_fail(&r->g, &rows.at, "the minimum of box %u is above its maximum",
                                   i / span);
        }
    }
    return PELT_OK;
}

// Numbers of all keys, or of one key that applies to all; as a list or as rows of differences.
static pelt_result read_part(float* out, size_t stride, uint32_t width, uint32_t count,
                             pelti_baked_reader* r, const pelti_json* object, const char* member,
                             const pelti_json_path* at)
{
    const pelti_json* list = pelti_json_get(object, member);
    pelti_json_path here = pelti_json_member(at, member);
    if (pelti_json_is(list, PELTI_JSON_OBJECT))
    {
        step_rows rows;
        PELT_TRY(open_rows(&rows, width, count, r, list, &here));
        for (uint32_t i = 0; i < count; ++i)
        {
            PELT_TRY(next_row(out + i * stride, &rows, r));
        }
        return PELT_OK;
    }
    PELT_TRY(need_numbers(&list, r, object, member, at));
    size_t size = pelti_json_size(list);
    if (size != width && size != (size_t)width * count)
    {
        return pelti_gltf_fail(&r->g, &here, "there are %zu elements for %u keys, %u for each",
                               size, count, width);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        for (uint32_t k = 0; k < width; ++k)
        {
            double number;
            PELT_TRY(
                read_number(&number, r, list, (size == width ? 0 : (size_t)width * i) + k, &here));
            out[i * stride + k] = (float)number;
        }
    }
    return PELT_OK;
}

pelt_result pelti_baked_read_motion(pelt_transform* out, uint32_t count, pelti_baked_reader* r,
                                    const pelti_json* object, const pelti_json_path* at)
{
    const size_t stride = sizeof *out / sizeof(float);
    if (count == 0)
    {
        return PELT_OK;
    }
    PELT_TRY(read_part(&out->translation.x, stride, 3, count, r, object, "position", at));
    PELT_TRY(read_part(&out->rotation.x, stride, 4, count, r, object, "rotation", at));
    PELT_TRY(read_part(&out->scale.x, stride, 3, count, r, object, "scale", at));
    // Multiples of a step are not of unit length and are normalized; numbers without a step are
    // not.
    bool is_rounded = pelti_json_is(pelti_json_get(object, "rotation"), PELTI_JSON_OBJECT);
    for (uint32_t i = 0; i < count && is_rounded; ++i)
    {
        out[i].rotation = pelt_quat_normalize(out[i].rotation);
    }
    return PELT_OK;
}
