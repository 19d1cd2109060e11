// SPDX-License-Identifier: MIT
// Normal factors as vertex attributes, for new files and for copies.
#include "../gltf/gltf_normals.h"
#include "pelt/io.h"

#include <inttypes.h>
#include <string.h>

typedef struct normals_writer
{
    const pelt_normal_factors* factors;
    uint32_t mesh, slots;
    pelt_addition* additions;
    uint32_t count;
    pelt_vec2* units; // of each vertex, where factors have bits
    pelt_arena* arena;
    bool is_out_of_memory;
} normals_writer;

static void* take(normals_writer* w, size_t count, size_t size)
{
    void* memory = pelt_arena_alloc(w->arena, count, size);
    w->is_out_of_memory |= memory == NULL;
    return memory;
}

static pelt_addition* add(normals_writer* w, const char* name, uint32_t width)
{
    pelt_addition* out = &w->additions[w->count++];
    *out = (pelt_addition){
        .mesh = w->mesh, .vertex_count = w->factors->vertex_count, .name = name, .width = width};
    return out;
}

static const char* take_name(normals_writer* w, const char* table, uint32_t group)
{
    char* name = take(w, 1, PELTI_NORMAL_NAME_SIZE);
    if (name != NULL)
    {
        pelti_normal_name(name, table, group);
    }
    return name;
}

// ---------------------------------------------------------------------------------------------

// NULL: the slot is not used.
static const pelt_normal_factor* factor_at(const normals_writer* w, uint32_t vertex, uint32_t slot)
{
    const uint32_t* first = w->factors->first;
    return slot < first[vertex + 1] - first[vertex] ? &w->factors->factors[first[vertex] + slot]
                                                    : NULL;
}

static uint32_t size_of(pelt_integer_type type)
{
    return type == PELT_INTEGER_U8 || type == PELT_INTEGER_S8 || type == PELT_INTEGER_UNORM8 ? 1
                                                                                             : 2;
}

// Room for the integers of an addition, all of them 0.
static void* take_integers(normals_writer* w, pelt_addition* addition, pelt_integer_type type)
{
    void* integers = take(w, (size_t)addition->vertex_count * addition->width, size_of(type));
    addition->integers = integers;
    addition->integer_type = type;
    return integers;
}

static void put_integer(void* integers, pelt_integer_type type, size_t index, long value)
{
    uint8_t* bytes = integers;
    uint16_t* words = integers;
    if (size_of(type) == 1)
    {
        bytes[index] = (uint8_t)value; // of a negative number its complement, as int8_t has it
        return;
    }
    words[index] = (uint16_t)value;
}

// Joints of floats are unsigned shorts, whatever their number.
static void add_joints(normals_writer* w, uint32_t group)
{
    bool is_narrow = w->factors->bits != 0 && w->factors->joint_count <= UINT8_MAX + 1;
    pelt_integer_type type = is_narrow ? PELT_INTEGER_U8 : PELT_INTEGER_U16;
    uint32_t width = pelti_normal_lanes(w->slots, size_of(type));
    pelt_addition* addition = add(w, take_name(w, "JOINTS", group), width);
    void* joints = take_integers(w, addition, type);
    for (size_t i = 0; i < (size_t)addition->vertex_count * width && joints != NULL; ++i)
    {
        const pelt_normal_factor* factor =
            factor_at(w, (uint32_t)(i / width), PELTI_NORMAL_LANES * group + (uint32_t)(i % width));
        put_integer(joints, type, i, factor != NULL ? (long)factor->joint : 0);
    }
}

static float number_at(const normals_writer* w, const pelti_normal_table* table, uint32_t vertex,
                       uint32_t slot)
{
    const pelt_normal_factor* factor = factor_at(w, vertex, slot);
    float number = 0.0f;
    if (factor != NULL)
    {
        memcpy(&number, (const char*)factor + table->offset, sizeof number);
    }
    return number;
}

static void add_floats(normals_writer* w, const pelti_normal_table* table, uint32_t group)
{
    uint32_t width = pelti_normal_lanes(w->slots, sizeof(float));
    pelt_addition* addition = add(w, take_name(w, table->name, group), width);
    size_t count = (size_t)addition->vertex_count * width;
    float* values = take(w, count, sizeof *values);
    for (size_t i = 0; i < count && values != NULL; ++i)
    {
        values[i] = number_at(w, table, (uint32_t)(i / width),
                              PELTI_NORMAL_LANES * group + (uint32_t)(i % width));
    }
    addition->values = values;
}

// Numbers divided by what they are multiples of; see pelt_normal_factors_quantize().
static void add_integers(normals_writer* w, const pelti_normal_table* table, uint32_t group)
{
    static const pelt_integer_type types[2][2] = {{PELT_INTEGER_UNORM8, PELT_INTEGER_UNORM16},
                                                  {PELT_INTEGER_S8, PELT_INTEGER_S16}};
    bool is_wide = w->factors->bits == 16, is_weight = table->unit < 0;
    pelt_integer_type type = types[!is_weight][is_wide];
    uint32_t width = pelti_normal_lanes(w->slots, size_of(type));
    pelt_addition* addition = add(w, take_name(w, table->name, group), width);
    size_t count = (size_t)addition->vertex_count * width;
    void* integers = take_integers(w, addition, type);
    for (size_t i = 0; i < count && integers != NULL && w->units != NULL; ++i)
    {
        uint32_t vertex = (uint32_t)(i / width);
        float number =
            number_at(w, table, vertex, PELTI_NORMAL_LANES * group + (uint32_t)(i % width));
        float unit = table->unit == 0 ? w->units[vertex].x : w->units[vertex].y;
        put_integer(integers, type, i,
                    is_weight ? lrintf(number * (is_wide ? 65535.0f : 255.0f))
                              : lrintf(number / unit));
    }
}

static void add_units(normals_writer* w)
{
    uint32_t count = w->factors->vertex_count;
    w->units = take(w, count, sizeof *w->units);
    for (uint32_t v = 0; v < count && w->units != NULL; ++v)
    {
        w->units[v] = pelt_normal_units(w->factors, v);
    }
    add(w, PELTI_NORMAL_SCALE, 2)->values = w->units != NULL ? &w->units->x : NULL;
}

// The gradients of both axes lie one after the other for each vertex.
static const float* split_derivatives(normals_writer* w, uint32_t axis)
{
    const pelt_normal_factors* from = w->factors;
    pelt_vec3* out = take(w, from->vertex_count, sizeof *out);
    for (uint32_t v = 0; v < from->vertex_count && out != NULL; ++v)
    {
        out[v] = from->center_derivatives[2 * (size_t)v + axis];
    }
    return out != NULL ? &out->x : NULL;
}

// Tangents and plane normals, which have no component above 1.
static void add_directions(normals_writer* w, const pelti_normal_array* array, const float* values)
{
    uint32_t width = pelti_normal_lanes(array->width, sizeof(int16_t));
    pelt_addition* addition = add(w, array->name, width);
    void* integers = take_integers(w, addition, PELT_INTEGER_SNORM16);
    for (size_t i = 0; i < (size_t)addition->vertex_count * array->width && integers != NULL; ++i)
    {
        put_integer(integers, PELT_INTEGER_SNORM16, i / array->width * width + i % array->width,
                    lrintf(values[i] * (float)INT16_MAX));
    }
}

static void add_arrays(normals_writer* w)
{
    const pelt_normal_factors* from = w->factors;
    bool is_centered = from->centers != NULL;
    const float* values[PELTI_NORMAL_ARRAY_COUNT] = {
        &from->tangents->x, &from->plane_normals->x, is_centered ? &from->centers->x : NULL,
        is_centered ? split_derivatives(w, 0) : NULL, is_centered ? split_derivatives(w, 1) : NULL};
    for (uint32_t i = 0; i < PELTI_NORMAL_ARRAY_COUNT; ++i)
    {
        const pelti_normal_array* array = &pelti_normal_arrays[i];
        if (!array->is_center && from->bits != 0)
        {
            add_directions(w, array, values[i]);
        }
        else if (!array->is_center || is_centered)
        {
            add(w, array->name, array->width)->values = values[i];
        }
    }
}

// ---------------------------------------------------------------------------------------------

// 2, 3, 4, or the next multiple of 4.
static uint32_t slots_for(uint32_t count)
{
    uint32_t groups = (count + PELTI_NORMAL_LANES - 1) / PELTI_NORMAL_LANES;
    return count <= 2 ? 2 : count == 3 ? 3 : groups * PELTI_NORMAL_LANES;
}

// The digest of the mesh, and the options of the factors.
static void add_extras(normals_writer* w, const pelt_mesh* mesh)
{
    uint64_t digest;
    const pelt_vec3* cors = w->factors->centers != NULL ? mesh->cors : NULL;
    w->is_out_of_memory |= pelt_normal_digest(&digest, mesh, cors) != PELT_OK;
    w->additions[0].extras = pelt_arena_format(
        w->arena,
        "{\"pelt_normals\": {\"joints\": %u, \"bits\": %u, \"version\": \"%s\", "
        "\"digest\": \"%016" PRIx64 "\"}}",
        w->slots, w->factors->bits != 0 ? w->factors->bits : 32, PELT_VERSION_STRING, digest);
    w->is_out_of_memory |= w->additions[0].extras == NULL;
}

pelt_result pelt_normal_additions(pelt_addition** out, uint32_t* count, uint32_t index,
                                  const pelt_mesh* mesh, uint32_t slots, pelt_arena* arena)
{
    const pelt_normal_factors* factors = mesh->normal_factors;
    PELT_ASSERT(factors != NULL);
    uint32_t most = factors->max_factors;
    PELT_ASSERT(slots == 0 || (slots >= most && slots == slots_for(slots)));
    normals_writer w = {.factors = factors, .mesh = index, .arena = arena};
    w.slots = slots > 0 ? slots : factors->slot_count > 0 ? factors->slot_count : slots_for(most);
    uint32_t group_count = (w.slots + PELTI_NORMAL_LANES - 1) / PELTI_NORMAL_LANES;
    w.additions = take(
        &w, (size_t)group_count * (PELTI_NORMAL_TABLE_COUNT + 1) + PELTI_NORMAL_ARRAY_COUNT + 2,
        sizeof *w.additions);
    *out = NULL;
    *count = 0;
    if (w.additions == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    if (factors->bits != 0)
    {
        add_units(&w);
    }
    for (uint32_t group = 0; group < group_count; ++group)
    {
        add_joints(&w, group);
        for (uint32_t i = 0; i < PELTI_NORMAL_TABLE_COUNT; ++i)
        {
            const pelti_normal_table* table = &pelti_normal_tables[i];
            factors->bits != 0 ? add_integers(&w, table, group) : add_floats(&w, table, group);
        }
    }
    add_arrays(&w);
    add(&w, PELTI_NORMAL_PREFIX "*", 0);
    add_extras(&w, mesh);
    if (w.is_out_of_memory)
    {
        return PELT_ERROR_MEMORY;
    }
    *out = w.additions;
    *count = w.count;
    return PELT_OK;
}
