// SPDX-License-Identifier: MIT
// The JSON file of a bake, as docs/baked.schema.json describes it.
#include "../gltf_write/gltf_write.h"
#include "baked_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct json_writer
{
    pelti_gltf_document document;
    const pelt_baked* baked;
    pelt_bounds* joint_bounds; // of the surface that each joint moves; NULL: not known
    double side;               // the largest of the boxes of clips
    double step;               // of boxes; 0: none
} json_writer;

enum
{
    BOX_RATE = 30, // boxes of keys for each second: culling needs no more
};

static const double MULTIPLE_LIMIT = 1e9;  // integers that any reader of JSON keeps
static const double BOX_PRECISION = 1e-3;  // of the largest side
static const double ROOT_PRECISION = 1e-5; // 0.01 mm per meter, and 0.0006 degrees

uint64_t pelti_words_digest(const uint32_t* words, size_t count)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < count; ++i)
    {
        for (uint32_t shift = 0; shift < 32; shift += 8)
        {
            hash = (hash ^ (words[i] >> shift & 0xFF)) * 0x100000001B3u;
        }
    }
    return hash;
}

const char* pelti_joint_kind_name(pelt_baked_joint_kind kind)
{
    static const char* const names[PELTI_JOINT_KIND_COUNT] = {"joint", "instance", "socket",
                                                              "ancestor"};
    return names[kind];
}

// ---------------------------------------------------------------------------------------------
// Values

static void set(json_writer* w, json_t* object, const char* key, json_t* value)
{
    pelti_gltf_set(&w->document, object, key, value);
}

static void set_text(json_writer* w, json_t* object, const char* key, const char* text)
{
    text = text != NULL ? text : "";
    set(w, object, key, pelti_gltf_string(text, strlen(text)));
}

// The number with the fewest digits that reads back as this float: 0.1 rather than 0.100000001.
static json_t* make_float(float value)
{
    char text[32];
    double shortest = (double)value;
    // "1" rather than "1.0"; a negative zero keeps its sign.
    if (value == floorf(value) && fabsf(value) < 1e6f && !(value == 0.0f && signbit(value)))
    {
        return json_integer((json_int_t)value);
    }
    for (int digits = 6; digits < 9; ++digits)
    {
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        double number = strtod(text, NULL);
        if ((float)number == value)
        {
            shortest = number;
            break;
        }
    }
    return json_real(shortest);
}

static json_t* make_floats(json_writer* w, const float* values, uint32_t count)
{
    json_t* list = json_array();
    for (uint32_t i = 0; i < count; ++i)
    {
        pelti_gltf_push(&w->document, list, make_float(values[i]));
    }
    return list;
}

static void set_float(json_writer* w, json_t* object, const char* key, float value)
{
    set(w, object, key, make_float(value));
}

static void set_digest(json_writer* w, json_t* object, uint64_t digest)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, digest);
    set_text(w, object, "digest", text);
}

static bool is_empty(const pelt_bounds* box)
{
    return !(box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z);
}

// Minimum and maximum; null where the box is empty.
static json_t* make_bounds(json_writer* w, const pelt_bounds* bounds)
{
    const pelt_vec3 *low = &bounds->min, *high = &bounds->max;
    const float values[6] = {low->x, low->y, low->z, high->x, high->y, high->z};
    return is_empty(bounds) ? json_null() : make_floats(w, values, 6);
}

// ---------------------------------------------------------------------------------------------
// Keys

// The largest power of ten up to a number, as readers of JSON parse it; 0: there is none in the
// range of float.
static double find_step(double most)
{
    char text[32];
    if (!(most > 1e-30 && most < 1e30))
    {
        return 0.0;
    }
    snprintf(text, sizeof text, "1e%d", (int)floor(log10(most)));
    return strtod(text, NULL);
}

static double find_side(const pelt_baked* baked)
{
    double side = 0.0;
    for (uint32_t i = 0; i < baked->clip_count; ++i)
    {
        const pelt_bounds* box = &baked->clips[i].bounds;
        if (!is_empty(box))
        {
            side = fmax(side, (double)box->max.x - (double)box->min.x);
            side = fmax(side, (double)box->max.y - (double)box->min.y);
            side = fmax(side, (double)box->max.z - (double)box->min.z);
        }
    }
    return side;
}

// The multiple of the step that is not above a number, or not below, as readers compute it.
static double round_outward(float value, double step, bool is_up)
{
    double multiple = is_up ? ceil((double)value / step) : floor((double)value / step);
    float there = (float)(multiple * step);
    return is_up ? multiple + (there < value) : multiple - (there > value);
}

// @return whether the box can be written as multiples of the step
static bool round_box(double out[6], const pelt_bounds* box, double step)
{
    const float low[3] = {box->min.x, box->min.y, box->min.z};
    const float high[3] = {box->max.x, box->max.y, box->max.z};
    bool is_good = step > 0.0 && !is_empty(box);
    for (int i = 0; i < 3 && is_good; ++i)
    {
        out[i] = round_outward(low[i], step, false);
        out[3 + i] = round_outward(high[i], step, true);
        is_good = fabs(out[i]) < MULTIPLE_LIMIT && fabs(out[3 + i]) < MULTIPLE_LIMIT;
    }
    return is_good;
}

// The union of rounded boxes is the rounded union.
static json_t* make_rounded_bounds(json_writer* w, const pelt_bounds* bounds)
{
    double box[6];
    float values[6];
    if (!round_box(box, bounds, w->step))
    {
        return make_bounds(w, bounds);
    }
    for (int i = 0; i < 6; ++i)
    {
        values[i] = (float)(box[i] * w->step);
    }
    return make_floats(w, values, 6);
}

// Multiples of a step, each as its difference from the same number of the row before.
static void push_row(json_writer* w, json_t* list, double* last, const double* row, uint32_t width)
{
    for (uint32_t k = 0; k < width; ++k)
    {
        pelti_gltf_push(&w->document, list, json_integer((json_int_t)(row[k] - last[k])));
        last[k] = row[k];
    }
}

static json_t* make_rows(json_writer* w, double step, json_t* values)
{
    json_t* out = json_object();
    set(w, out, "step", json_real(step));
    set(w, out, "values", values);
    return out;
}

// Keys that share a box, so that there are at most BOX_RATE boxes for each second.
static uint32_t find_span(const pelt_baked_clip* clip)
{
    float rate = 0.0f;
    for (uint32_t i = 0; i < clip->run_count; ++i)
    {
        rate = fmaxf(rate, clip->runs[i].rate);
    }
    float span = floorf(rate / BOX_RATE + 0.1f); // rates are fitted to the lengths of clips
    return span < 1.0f ? 1 : span < (float)clip->key_count ? (uint32_t)span : clip->key_count;
}

static pelt_bounds unite(const pelt_bounds* boxes, uint32_t count)
{
    pelt_bounds out = boxes[0];
    for (uint32_t i = 1; i < count; ++i)
    {
        pelt_bounds_add(&out, &boxes[i].min, 1);
        pelt_bounds_add(&out, &boxes[i].max, 1);
    }
    return out;
}

static json_t* make_box_list(json_writer* w, const pelt_baked_clip* clip)
{
    json_t* list = json_array();
    for (uint32_t i = 0; i < clip->key_count; ++i)
    {
        pelti_gltf_push(&w->document, list, make_bounds(w, &clip->key_bounds[i]));
    }
    return list;
}

static json_t* make_key_bounds(json_writer* w, const pelt_baked_clip* clip)
{
    json_t* values = json_array();
    double last[6] = {0.0}, box[6];
    uint32_t span = find_span(clip);
    bool is_short = clip->key_count > 0;
    for (uint32_t i = 0; i < clip->key_count && is_short; ++i)
    {
        is_short = round_box(box, &clip->key_bounds[i], w->step);
    }
    for (uint32_t i = 0; is_short && i < clip->key_count; i += span)
    {
        uint32_t count = clip->key_count - i < span ? clip->key_count - i : span;
        pelt_bounds bounds = unite(&clip->key_bounds[i], count);
        round_box(box, &bounds, w->step);
        push_row(w, values, last, box, 6);
    }
    if (!is_short)
    {
        json_decref(values);
        return make_box_list(w, clip);
    }
    json_t* out = make_rows(w, w->step, values);
    if (span > 1)
    {
        set(w, out, "span", json_integer(span));
    }
    return out;
}

// Numbers of all keys of one part of root motion.
typedef struct part
{
    const pelt_transform* motion;
    size_t offset;
    uint32_t width, count; // count: of keys that are written
    double step;           // 0: numbers are written as they are
} part;

static void read_part(float out[4], const part* p, uint32_t key)
{
    memcpy(out, (const char*)(p->motion + key) + p->offset, p->width * sizeof *out);
}

// @param size  of what its numbers are a part of; 0: the largest of them
static part find_part(const pelt_baked_clip* clip, size_t offset, uint32_t width, double size)
{
    part out = {.motion = clip->root_motion, .offset = offset, .width = width, .count = 1};
    double most = 0.0;
    float first[4], row[4];
    read_part(first, &out, 0);
    for (uint32_t i = 0; i < clip->key_count; ++i)
    {
        read_part(row, &out, i);
        out.count = memcmp(row, first, width * sizeof *row) != 0 ? clip->key_count : out.count;
        for (uint32_t k = 0; k < width; ++k)
        {
            most = fmax(most, fabs((double)row[k]));
        }
    }
    double step = find_step(ROOT_PRECISION * (size > 0.0 ? size : most));
    bool is_short = out.count > 1 && step > 0.0 && most < MULTIPLE_LIMIT * step;
    out.step = is_short ? step : 0.0;
    return out;
}

// Values that are the same at all keys are written once, unrounded.
static json_t* make_part(json_writer* w, const part* p)
{
    json_t* list = json_array();
    double last[4] = {0.0}, multiples[4];
    for (uint32_t i = 0; i < p->count; ++i)
    {
        float row[4];
        read_part(row, p, i);
        for (uint32_t k = 0; k < p->width; ++k)
        {
            multiples[k] = p->step > 0.0 ? nearbyint((double)row[k] / p->step) : 0.0;
            if (p->step == 0.0)
            {
                pelti_gltf_push(&w->document, list, make_float(row[k]));
            }
        }
        if (p->step > 0.0)
        {
            push_row(w, list, last, multiples, p->width);
        }
    }
    return p->step > 0.0 ? make_rows(w, p->step, list) : list;
}

static json_t* make_root_motion(json_writer* w, const pelt_baked_clip* clip)
{
    json_t* out = json_object();
    part position = find_part(clip, offsetof(pelt_transform, translation), 3, w->side);
    part rotation = find_part(clip, offsetof(pelt_transform, rotation), 4, 1.0);
    part scale = find_part(clip, offsetof(pelt_transform, scale), 3, 0.0);
    set(w, out, "position", make_part(w, &position));
    set(w, out, "rotation", make_part(w, &rotation));
    set(w, out, "scale", make_part(w, &scale));
    return out;
}

// ---------------------------------------------------------------------------------------------
// Parts

static json_t* make_texture(json_writer* w, const pelti_baked_names* names)
{
    const pelt_baked* baked = w->baked;
    json_t* out = json_object();
    pelti_texture texture = pelti_baked_texture(baked);
    set_text(w, out, "file", names->texture);
    set_text(w, out, "format", pelt_texture_format_name(names->format));
    set_text(w, out, "texel", pelti_texel_name(baked->texel));
    set(w, out, "width", json_integer(baked->width));
    set(w, out, "height", json_integer(baked->height));
    set_digest(w, out, pelti_words_digest(baked->words, pelti_texture_words(&texture)));
    return out;
}

static json_t* make_run(json_writer* w, const pelt_baked_run* run)
{
    json_t* out = json_object();
    set_float(w, out, "start", run->start);
    set_float(w, out, "rate", run->rate);
    set(w, out, "keys", json_integer(run->key_count));
    set(w, out, "first_word", json_integer(run->first_word));
    set(w, out, "key_words", json_integer(run->key_words));
    set(w, out, "table", json_integer(run->table));
    set(w, out, "held", json_boolean(run->is_held));
    return out;
}

static json_t* make_clip(json_writer* w, const pelt_baked_clip* clip)
{
    json_t *out = json_object(), *runs = json_array();
    set_text(w, out, "name", clip->name);
    set_float(w, out, "duration", clip->duration);
    set(w, out, "loops", json_boolean(clip->loops));
    set(w, out, "wraps", json_boolean(clip->wraps));
    for (uint32_t i = 0; i < clip->run_count; ++i)
    {
        pelti_gltf_push(&w->document, runs, make_run(w, &clip->runs[i]));
    }
    set(w, out, "runs", runs);
    set(w, out, "bounds", make_rounded_bounds(w, &clip->bounds));
    set(w, out, "key_bounds", make_key_bounds(w, clip));
    if (clip->root_motion != NULL)
    {
        set(w, out, "root_motion", make_root_motion(w, clip));
    }
    return out;
}

static json_t* make_joint(json_writer* w, uint32_t index)
{
    const pelt_baked_joint* joint = &w->baked->joints[index];
    json_t* out = json_object();
    set_text(w, out, "name", joint->name);
    if (joint->kind != PELT_BAKED_SKIN_JOINT)
    {
        set_text(w, out, "kind", pelti_joint_kind_name(joint->kind));
    }
    if (joint->parent != PELT_NONE)
    {
        set(w, out, "parent", json_integer(joint->parent));
    }
    set(w, out, "pivot", make_floats(w, &joint->pivot.x, 3));
    if (w->joint_bounds != NULL)
    {
        set(w, out, "bounds", make_rounded_bounds(w, &w->joint_bounds[index]));
    }
    return out;
}

static json_t* make_instance(json_writer* w, const pelt_baked_instance* instance)
{
    json_t* out = json_object();
    set_text(w, out, "mesh", instance->name);
    set(w, out, "vertices", json_integer(instance->vertex_count));
    set(w, out, "first_joint", json_integer(instance->first));
    set(w, out, "joints", json_integer(instance->joint_count));
    set_digest(w, out, instance->digest);
    return out;
}

static void set_lists(json_writer* w, json_t* root)
{
    const pelt_baked* baked = w->baked;
    json_t *clips = json_array(), *joints = json_array(), *instances = json_array();
    for (uint32_t i = 0; i < baked->clip_count; ++i)
    {
        pelti_gltf_push(&w->document, clips, make_clip(w, &baked->clips[i]));
    }
    for (uint32_t i = 0; i < baked->joint_count; ++i)
    {
        pelti_gltf_push(&w->document, joints, make_joint(w, i));
    }
    for (uint32_t i = 0; i < baked->instance_count; ++i)
    {
        pelti_gltf_push(&w->document, instances, make_instance(w, &baked->instances[i]));
    }
    set(w, root, "clips", clips);
    set(w, root, "joints", joints);
    set(w, root, "instances", instances);
}

static void set_all(json_writer* w, const pelti_baked_names* names)
{
    json_t* root = w->document.root;
    const pelt_baked* baked = w->baked;
    set_text(w, root, "format", PELTI_BAKED_FORMAT);
    set(w, root, "version", json_integer(PELTI_BAKED_VERSION));
    set_text(w, root, "generator", "pelt " PELT_VERSION_STRING);
    set_text(w, root, "axes", PELTI_BAKED_AXES);
    set_text(w, root, "length_unit", "meter");
    set_text(w, root, "encoding", pelt_encoding_name(baked->encoding));
    set_text(w, root, "layout", pelt_bake_layout_name(baked->layout));
    set(w, root, "texture", make_texture(w, names));
    if (names->mesh != NULL)
    {
        set_text(w, root, "mesh", names->mesh);
    }
    if (baked->encoding == PELT_ENCODING_VERTEX)
    {
        set_text(w, root, "vertex_id_attribute", PELT_VERTEX_ID_ATTRIBUTE);
        set(w, root, "vertices", json_integer(baked->vertex_count));
    }
    set_float(w, root, "unit", baked->unit);
    set_float(w, root, "stretch_unit", baked->stretch_unit);
    set_float(w, root, "height", baked->height_meters);
    if (baked->root != PELT_NONE)
    {
        set(w, root, "root", json_integer(baked->root));
    }
    set_lists(w, root);
}

// ---------------------------------------------------------------------------------------------

// Boxes of the vertices that each joint influences, in the space that its motion starts from.
static bool find_joint_bounds(json_writer* w, const pelt_scene* scene)
{
    const pelt_baked* baked = w->baked;
    w->joint_bounds = pelt_allocate(baked->joint_count, sizeof *w->joint_bounds);
    for (uint32_t i = 0; w->joint_bounds != NULL && i < baked->joint_count; ++i)
    {
        w->joint_bounds[i] = pelt_bounds_empty();
    }
    for (uint32_t i = 0; w->joint_bounds != NULL && i < baked->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        const pelt_mesh* mesh = &scene->meshes[instance->mesh];
        pelt_bounds* bounds = w->joint_bounds + baked->instances[i].first;
        if (instance->skin == PELT_NONE)
        {
            pelt_bounds_add(bounds, mesh->positions, mesh->vertex_count);
            continue;
        }
        const pelt_weights* weights = &mesh->weights;
        for (uint32_t v = 0; v < weights->vertex_count; ++v)
        {
            for (uint32_t k = weights->first[v]; k < weights->first[v + 1]; ++k)
            {
                pelt_bounds_add(&bounds[weights->influences[k].joint], &mesh->positions[v], 1);
            }
        }
    }
    return w->joint_bounds != NULL;
}

pelt_result pelti_baked_json(pelti_blob* out, const pelt_baked* baked,
                             const pelti_baked_names* names, const pelt_scene* scene,
                             pelt_error* error)
{
    *out = (pelti_blob){0};
    json_writer w = {.document = {.root = json_object()}, .baked = baked, .side = find_side(baked)};
    w.step = find_step(BOX_PRECISION * w.side);
    bool has_bounds = scene != NULL && baked->encoding != PELT_ENCODING_VERTEX;
    w.document.is_out_of_memory = has_bounds && !find_joint_bounds(&w, scene);
    if (!w.document.is_out_of_memory)
    {
        set_all(&w, names);
    }
    char* text = w.document.is_out_of_memory
                     ? NULL
                     : pelti_gltf_text(w.document.root, JSON_COMPACT | JSON_REAL_PRECISION(9));
    pelti_gltf_destroy(&w.document);
    pelt_release(w.joint_bounds);
    if (text == NULL)
    {
        return pelt_error_memory(error);
    }
    *out = (pelti_blob){(uint8_t*)text, strlen(text)};
    return PELT_OK;
}
