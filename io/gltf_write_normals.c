// SPDX-License-Identifier: MIT
// Normal factors as vertex attributes, for files of pelt's own and for those of others.
#include "gltf_normals.h"
#include "pelt/io.h"

#include <inttypes.h>
#include <string.h>

typedef struct normals_writer
{
    const pelt_normal_factors* factors;
    uint32_t mesh, slots;
    pelt_addition* additions;
    uint32_t count;
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

static void add_joints(normals_writer* w, uint32_t group)
{
    uint32_t width = pelti_normal_joint_lanes(w->slots), vertex_count = w->factors->vertex_count;
    pelt_addition* addition = add(w, take_name(w, "JOINTS", group), width);
    uint16_t* joints = take(w, (size_t)vertex_count * width, sizeof *joints);
    for (uint32_t v = 0; v < vertex_count && joints != NULL; ++v)
    {
        for (uint32_t k = 0; k < pelti_normal_lanes(w->slots); ++k)
        {
            const pelt_normal_factor* factor = factor_at(w, v, PELTI_NORMAL_LANES * group + k);
            joints[(size_t)v * width + k] = factor != NULL ? (uint16_t)factor->joint : 0;
        }
    }
    addition->integers = joints;
}

static void add_table(normals_writer* w, const pelti_normal_table* table, uint32_t group)
{
    uint32_t width = pelti_normal_lanes(w->slots), vertex_count = w->factors->vertex_count;
    pelt_addition* addition = add(w, take_name(w, table->name, group), width);
    float* values = take(w, (size_t)vertex_count * width, sizeof *values);
    for (uint32_t v = 0; v < vertex_count && values != NULL; ++v)
    {
        for (uint32_t k = 0; k < width; ++k)
        {
            const pelt_normal_factor* factor = factor_at(w, v, PELTI_NORMAL_LANES * group + k);
            if (factor != NULL)
            {
                memcpy(&values[(size_t)v * width + k], (const char*)factor + table->offset,
                       sizeof *values);
            }
        }
    }
    addition->values = values;
}

// The rates of both axes lie one after the other for each vertex.
static const float* split_rates(normals_writer* w, uint32_t axis)
{
    const pelt_normal_factors* from = w->factors;
    pelt_vec3* out = take(w, from->vertex_count, sizeof *out);
    for (uint32_t v = 0; v < from->vertex_count && out != NULL; ++v)
    {
        out[v] = from->center_rates[2 * (size_t)v + axis];
    }
    return out != NULL ? &out->x : NULL;
}

static void add_arrays(normals_writer* w)
{
    const pelt_normal_factors* from = w->factors;
    bool is_centered = from->centers != NULL;
    const float* values[PELTI_NORMAL_ARRAY_COUNT] = {
        &from->tangents->x, &from->tilts->x, is_centered ? &from->centers->x : NULL,
        is_centered ? split_rates(w, 0) : NULL, is_centered ? split_rates(w, 1) : NULL};
    for (uint32_t i = 0; i < PELTI_NORMAL_ARRAY_COUNT; ++i)
    {
        const pelti_normal_array* array = &pelti_normal_arrays[i];
        if (!array->is_center || is_centered)
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

// What the factors belong to, and how they came about.
static void add_extras(normals_writer* w, const pelt_mesh* mesh)
{
    uint64_t digest;
    const pelt_vec3* cors = w->factors->centers != NULL ? mesh->cors : NULL;
    w->is_out_of_memory |= pelt_normal_digest(&digest, mesh, cors) != PELT_OK;
    w->additions[0].extras =
        pelt_arena_format(w->arena,
                          "{\"pelt_normals\": {\"joints\": %u, \"version\": \"%s\", "
                          "\"digest\": \"%016" PRIx64 "\"}}",
                          w->slots, PELT_VERSION_STRING, digest);
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
    w.slots = slots > 0 ? slots : slots_for(most);
    uint32_t group_count = (w.slots + PELTI_NORMAL_LANES - 1) / PELTI_NORMAL_LANES;
    w.additions = take(
        &w, (size_t)group_count * (PELTI_NORMAL_TABLE_COUNT + 1) + PELTI_NORMAL_ARRAY_COUNT + 1,
        sizeof *w.additions);
    *out = NULL;
    *count = 0;
    if (w.additions == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t group = 0; group < group_count; ++group)
    {
        add_joints(&w, group);
        for (uint32_t i = 0; i < PELTI_NORMAL_TABLE_COUNT; ++i)
        {
            add_table(&w, &pelti_normal_tables[i], group);
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
