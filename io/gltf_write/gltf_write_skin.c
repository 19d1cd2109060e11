// SPDX-License-Identifier: MIT
// Skins: joints, inverse bind matrices, and the weights of primitives in sets of four.
#include "gltf_write.h"

#include <stdlib.h>
#include <string.h>

enum
{
    SET_WIDTH = 4,
    SLOT_LIMIT = 32, // the widest list of influences that is kept place by place
};

// ---------------------------------------------------------------------------------------------
// Weights

// Where each influence goes: to its own slot in the source, so that it is there again when the
// file is read; or, where slots are too many or not unique, to its rank among them.
typedef struct set_plan
{
    uint32_t set_count;
    bool is_by_slot;
} set_plan;

static set_plan plan_sets(const pelt_weights* weights)
{
    uint32_t width = 1;
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        uint32_t seen = 0;
        for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
        {
            uint32_t slot = weights->influences[i].slot;
            if (slot >= SLOT_LIMIT || (seen >> slot & 1u) != 0)
            {
                uint32_t most = weights->max_influences > 0 ? weights->max_influences : 1;
                return (set_plan){(most + SET_WIDTH - 1) / SET_WIDTH, false};
            }
            seen |= (uint32_t)1 << slot;
            width = slot >= width ? slot + 1 : width;
        }
    }
    return (set_plan){(width + SET_WIDTH - 1) / SET_WIDTH, true};
}

// By slot; those of one slot stay as they are, strongest first.
static int compare_slots(const void* left, const void* right)
{
    const pelt_influence *a = left, *b = right;
    return a->slot != b->slot       ? (a->slot > b->slot) - (a->slot < b->slot)
           : a->weight != b->weight ? (a->weight < b->weight) - (a->weight > b->weight)
                                    : (a->joint > b->joint) - (a->joint < b->joint);
}

typedef struct weight_set
{
    uint16_t* joints; // vertex_count * SET_WIDTH
    uint8_t* narrow_joints;
    float* weights;
    pelt_influence* ordered; // influences of each vertex, by slot
    uint32_t* next;          // of each vertex: the first that no set has yet
} weight_set;

static void order_influences(const weight_set* out, const pelt_weights* weights)
{
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        uint32_t start = weights->first[v], end = weights->first[v + 1];
        out->next[v] = start;
        for (uint32_t i = start; i < end; ++i)
        {
            out->ordered[i] = weights->influences[i];
        }
        qsort(out->ordered + start, end - start, sizeof *out->ordered, compare_slots);
    }
}

// Sets come one after the other, so that each influence is looked at once.
static void fill_set(const weight_set* out, const pelt_weights* weights, const set_plan* plan,
                     uint32_t set)
{
    size_t size = (size_t)weights->vertex_count * SET_WIDTH;
    memset(out->joints, 0, size * sizeof *out->joints);
    memset(out->weights, 0, size * sizeof *out->weights);
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        for (uint32_t* i = &out->next[v]; *i < weights->first[v + 1]; ++*i)
        {
            const pelt_influence* influence = &out->ordered[*i];
            uint32_t place = plan->is_by_slot ? influence->slot : *i - weights->first[v];
            if (place / SET_WIDTH != set)
            {
                break;
            }
            size_t at = (size_t)v * SET_WIDTH + place % SET_WIDTH;
            out->joints[at] = influence->joint;
            out->weights[at] = influence->weight;
        }
    }
    for (size_t i = 0; i < size; ++i)
    {
        out->narrow_joints[i] = (uint8_t)out->joints[i];
    }
}

static void set_one(pelti_gltf_document* document, json_t* attributes, const char* name,
                    uint32_t set, const pelti_gltf_array* array)
{
    char numbered[32];
    snprintf(numbered, sizeof numbered, "%s_%u", name, set);
    pelti_gltf_set(document, attributes, numbered,
                   json_integer(pelti_gltf_add_array(document, array)));
}

static void set_all(pelti_gltf_document* document, json_t* attributes, const pelt_weights* weights,
                    const weight_set* scratch)
{
    bool is_narrow = weights->joint_count <= UINT8_MAX + 1;
    pelti_gltf_array joints = {.data = is_narrow ? (const void*)scratch->narrow_joints
                                                 : (const void*)scratch->joints,
                               .count = weights->vertex_count,
                               .width = SET_WIDTH,
                               .component = is_narrow ? PELTI_GLTF_U8 : PELTI_GLTF_U16,
                               .use = PELTI_GLTF_VERTICES};
    pelti_gltf_array values = {.data = scratch->weights,
                               .count = weights->vertex_count,
                               .width = SET_WIDTH,
                               .component = PELTI_GLTF_FLOAT,
                               .use = PELTI_GLTF_VERTICES};
    set_plan plan = plan_sets(weights);
    for (uint32_t set = 0; set < plan.set_count; ++set)
    {
        fill_set(scratch, weights, &plan, set);
        set_one(document, attributes, "JOINTS", set, &joints);
        set_one(document, attributes, "WEIGHTS", set, &values);
    }
}

void pelti_gltf_set_weights(pelti_gltf_document* document, json_t* attributes,
                            const pelt_weights* weights)
{
    size_t size = (size_t)weights->vertex_count * SET_WIDTH;
    weight_set scratch = {.joints = pelt_allocate(size, sizeof *scratch.joints),
                          .narrow_joints = pelt_allocate(size, sizeof *scratch.narrow_joints),
                          .weights = pelt_allocate(size, sizeof *scratch.weights),
                          .ordered =
                              pelt_allocate(weights->influence_count, sizeof *scratch.ordered),
                          .next = pelt_allocate(weights->vertex_count, sizeof *scratch.next)};
    if (scratch.joints != NULL && scratch.narrow_joints != NULL && scratch.weights != NULL &&
        scratch.ordered != NULL && scratch.next != NULL)
    {
        order_influences(&scratch, weights);
        set_all(document, attributes, weights, &scratch);
    }
    else
    {
        document->is_out_of_memory = true;
    }
    pelt_release(scratch.joints);
    pelt_release(scratch.narrow_joints);
    pelt_release(scratch.weights);
    pelt_release(scratch.ordered);
    pelt_release(scratch.next);
}

// ---------------------------------------------------------------------------------------------
// Skins

static uint32_t add_inverse_binds(pelti_gltf_document* document, const pelt_skin* skin)
{
    float(*matrices)[16] = pelt_allocate(skin->joint_count, sizeof *matrices);
    if (matrices == NULL)
    {
        document->is_out_of_memory = true;
        return 0;
    }
    for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
    {
        // By columns; the fourth row of a pelt matrix is implied.
        for (uint32_t column = 0; column < 4; ++column)
        {
            for (uint32_t row = 0; row < 3; ++row)
            {
                matrices[joint][4 * column + row] = skin->inverse_binds[joint].m[row][column];
            }
            matrices[joint][4 * column + 3] = column == 3 ? 1.0f : 0.0f;
        }
    }
    pelti_gltf_array array = {
        .data = matrices, .count = skin->joint_count, .width = 16, .component = PELTI_GLTF_FLOAT};
    uint32_t accessor = pelti_gltf_add_array(document, &array);
    pelt_release(matrices);
    return accessor;
}

void pelti_gltf_add_skins(pelti_gltf_document* document, const pelt_scene* scene,
                          const pelti_gltf_layout* layout)
{
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        const pelt_skin* skin = &scene->skins[i];
        json_t* joints = json_array();
        for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
        {
            pelti_gltf_push(document, joints, json_integer(layout->index_of[skin->joints[joint]]));
        }
        json_t* out = json_object();
        pelti_gltf_set_name(document, out, skin->name);
        pelti_gltf_set(document, out, "inverseBindMatrices",
                       json_integer(add_inverse_binds(document, skin)));
        pelti_gltf_set(document, out, "joints", joints);
        pelti_gltf_push(document, pelti_gltf_list_of(document, "skins"), out);
    }
}
