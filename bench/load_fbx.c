// SPDX-License-Identifier: MIT
// Writes binary FBX 7.4: nested records with the offset of their end and a list of values.
#include "load_inputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    KEYS_PER_SECOND = 30,
    CHAIN = 6, // joints of a limb
    RECORD_HEAD = 13,
};

static const int64_t ticks_per_second = 46186158000;

// ---------------------------------------------------------------------------------------------
// Records. Errors of writing are found by ferror() at the end.

typedef struct record
{
    long start, values;
    uint32_t value_count;
} record;

static void put_number(FILE* out, uint64_t number, int size)
{
    for (int i = 0; i < size; ++i)
    {
        fputc((int)(number >> 8 * i & 0xff), out);
    }
}

static record begin(FILE* out, const char* name)
{
    record r = {.start = ftell(out)};
    put_number(out, 0, 8);
    put_number(out, 0, 4);
    put_number(out, strlen(name), 1);
    fputs(name, out);
    r.values = ftell(out);
    return r;
}

// Call after the last value, before nested records.
static void end_values(FILE* out, record* r)
{
    long end = ftell(out);
    fseek(out, r->start + 4, SEEK_SET);
    put_number(out, r->value_count, 4);
    put_number(out, (uint64_t)(end - r->values), 4);
    fseek(out, end, SEEK_SET);
}

static void end_record(FILE* out, const record* r, bool has_records)
{
    for (int i = 0; i < RECORD_HEAD && has_records; ++i)
    {
        fputc(0, out);
    }
    long end = ftell(out);
    fseek(out, r->start, SEEK_SET);
    put_number(out, (uint64_t)end, 4);
    fseek(out, end, SEEK_SET);
}

static void put_id(FILE* out, record* r, int64_t id)
{
    fputc('L', out);
    put_number(out, (uint64_t)id, 8);
    r->value_count++;
}

static void put_real(FILE* out, record* r, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    fputc('D', out);
    put_number(out, bits, 8);
    r->value_count++;
}

static void put_text(FILE* out, record* r, const char* text)
{
    fputc('S', out);
    put_number(out, strlen(text), 4);
    fputs(text, out);
    r->value_count++;
}

// ---------------------------------------------------------------------------------------------
// Objects

static record begin_object(FILE* out, const char* kind, int64_t id, const char* subtype)
{
    record r = begin(out, kind);
    put_id(out, &r, id);
    put_text(out, &r, "");
    put_text(out, &r, subtype);
    end_values(out, &r);
    return r;
}

static void put_property(FILE* out, const char* name, const double* values, int count)
{
    record r = begin(out, "P");
    put_text(out, &r, name);
    for (int i = 0; i < 3; ++i)
    {
        put_text(out, &r, "");
    }
    for (int i = 0; i < count; ++i)
    {
        put_real(out, &r, values[i]);
    }
    end_values(out, &r);
    end_record(out, &r, false);
}

static void put_array(FILE* out, const char* name, char type, const uint64_t* bits, uint32_t count)
{
    int size = type == 'l' ? 8 : 4;
    record r = begin(out, name);
    fputc(type, out);
    put_number(out, count, 4);
    put_number(out, 0, 4); // not compressed
    put_number(out, (uint64_t)size * count, 4);
    for (uint32_t i = 0; i < count; ++i)
    {
        put_number(out, bits[i], size);
    }
    r.value_count = 1;
    end_values(out, &r);
    end_record(out, &r, false);
}

static uint64_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void put_link(FILE* out, int64_t child, int64_t parent, const char* property)
{
    record r = begin(out, "C");
    put_text(out, &r, property != NULL ? "OP" : "OO");
    put_id(out, &r, child);
    put_id(out, &r, parent);
    if (property != NULL)
    {
        put_text(out, &r, property);
    }
    end_values(out, &r);
    end_record(out, &r, false);
}

// ---------------------------------------------------------------------------------------------
// The dance

enum
{
    ID_STACK = 1,
    ID_LAYER = 2,
    ID_JOINT = 1000, // first of each kind
    ID_CURVE_NODE = 100000,
    ID_CURVE = 200000,
};

// Degrees: a slow and a fast oscillation, with different rates for each curve.
static double angle_at(uint32_t curve, double seconds)
{
    double rate = 2.0 + 0.37 * (curve % 11), quick = 9.0 + 0.71 * (curve % 7);
    return 35.0 * sin(rate * seconds + curve) + 6.0 * sin(quick * seconds + 2.0 * curve);
}

// @param keys  scratch, key_count
static void put_curve(FILE* out, uint32_t curve, uint64_t* keys, uint32_t key_count)
{
    static const uint64_t automatic = 0x8 | 0x100 | 0x2000;
    static const uint64_t no_data[4] = {0};
    const uint64_t uses = key_count;
    record r = begin_object(out, "AnimationCurve", ID_CURVE + (int64_t)curve, "");
    for (uint32_t i = 0; i < key_count; ++i)
    {
        keys[i] = (uint64_t)(i * (ticks_per_second / KEYS_PER_SECOND));
    }
    put_array(out, "KeyTime", 'l', keys, key_count);
    for (uint32_t i = 0; i < key_count; ++i)
    {
        keys[i] = float_bits((float)angle_at(curve, (double)i / KEYS_PER_SECOND));
    }
    put_array(out, "KeyValueFloat", 'f', keys, key_count);
    put_array(out, "KeyAttrFlags", 'i', &automatic, 1);
    put_array(out, "KeyAttrDataFloat", 'f', no_data, 4);
    put_array(out, "KeyAttrRefCount", 'i', &uses, 1);
    end_record(out, &r, true);
}

static void put_joint(FILE* out, uint32_t joint)
{
    const double yes = 1.0, rotation[3] = {10.0, 3.0 * joint, -20.0},
                 translation[3] = {0.0, 10.0, 0.0};
    record r = begin_object(out, "Model", ID_JOINT + (int64_t)joint, "LimbNode");
    record properties = begin(out, "Properties70");
    end_values(out, &properties);
    put_property(out, "RotationActive", &yes, 1);
    put_property(out, "InheritType", &yes, 1);
    put_property(out, "PreRotation", rotation, 3);
    put_property(out, "Lcl Translation", translation, 3);
    end_record(out, &properties, true);
    end_record(out, &r, true);
}

static void put_objects(FILE* out, load_dance dance, uint64_t* keys, uint32_t key_count)
{
    record objects = begin(out, "Objects");
    end_values(out, &objects);
    record stack = begin_object(out, "AnimationStack", ID_STACK, "");
    end_record(out, &stack, false);
    record layer = begin_object(out, "AnimationLayer", ID_LAYER, "");
    end_record(out, &layer, false);
    for (uint32_t i = 0; i < dance.joint_count; ++i)
    {
        put_joint(out, i);
        record node = begin_object(out, "AnimationCurveNode", ID_CURVE_NODE + (int64_t)i, "");
        end_record(out, &node, false);
        for (uint32_t k = 0; k < 3; ++k)
        {
            put_curve(out, 3 * i + k, keys, key_count);
        }
    }
    end_record(out, &objects, true);
}

// Limbs are children of the first joint.
static int64_t parent_of(uint32_t joint)
{
    if (joint == 0)
    {
        return 0;
    }
    return ID_JOINT + (joint % CHAIN == 1 ? 0 : (int64_t)joint - 1);
}

static void put_links(FILE* out, load_dance dance)
{
    static const char* const parts[3] = {"d|X", "d|Y", "d|Z"};
    record links = begin(out, "Connections");
    end_values(out, &links);
    put_link(out, ID_LAYER, ID_STACK, NULL);
    for (uint32_t i = 0; i < dance.joint_count; ++i)
    {
        put_link(out, ID_JOINT + (int64_t)i, parent_of(i), NULL);
        put_link(out, ID_CURVE_NODE + (int64_t)i, ID_LAYER, NULL);
        put_link(out, ID_CURVE_NODE + (int64_t)i, ID_JOINT + (int64_t)i, "Lcl Rotation");
        for (uint32_t k = 0; k < 3; ++k)
        {
            put_link(out, ID_CURVE + (int64_t)(3 * i + k), ID_CURVE_NODE + (int64_t)i, parts[k]);
        }
    }
    end_record(out, &links, true);
}

pelt_result load_dance_write(const char* path, load_dance dance, pelt_error* error)
{
    uint32_t key_count = (uint32_t)(dance.seconds * KEYS_PER_SECOND) + 1;
    uint64_t* keys = malloc(key_count * sizeof *keys);
    if (keys == NULL)
    {
        return pelt_error_memory(error);
    }
    FILE* out = fopen(path, "wb");
    bool is_written = out != NULL;
    if (is_written)
    {
        fwrite("Kaydara FBX Binary  \0\x1a", 1, 23, out); // with its final zero
        put_number(out, 7400, 4);
        put_objects(out, dance, keys, key_count);
        put_links(out, dance);
        put_number(out, 0, 8);
        put_number(out, 0, RECORD_HEAD - 8);
        is_written = ferror(out) == 0;
        is_written = fclose(out) == 0 && is_written;
    }
    free(keys);
    return is_written ? PELT_OK
                      : pelt_error_set(error, PELT_ERROR_WRITE,
                                       "cannot write the temporary file %s", path);
}
