// SPDX-License-Identifier: MIT
// Deformers: preparing a mesh.
#include "../base/exact.h"

#include "deformer.h"

// ---------------------------------------------------------------------------------------------
// The order of vertices: by the set of joints that influence them

typedef struct sort_entry
{
    uint64_t key;
    uint32_t vertex;
} sort_entry;

// Up to four joints in ascending order, 16 bits each: sets with a common start are neighbors.
typedef struct joint_key
{
    uint32_t joints[4]; // one more than the joint; 0: none
    uint32_t count;
} joint_key;

static void key_add(joint_key* inout, uint16_t joint)
{
    uint32_t at = inout->count++;
    for (; at > 0 && inout->joints[at - 1] > joint + 1u; --at)
    {
        inout->joints[at] = inout->joints[at - 1];
    }
    inout->joints[at] = joint + 1u;
}

static uint64_t key_bits(const joint_key* key)
{
    return (uint64_t)key->joints[0] << 48 | (uint64_t)key->joints[1] << 32 |
           (uint64_t)key->joints[2] << 16 | key->joints[3];
}

// The strongest joints of a vertex.
static uint64_t weight_key(const pelt_weights* weights, uint32_t v)
{
    joint_key key = {0};
    for (uint32_t i = weights->first[v]; i < weights->first[v + 1] && key.count < 4; ++i)
    {
        key_add(&key, weights->influences[i].joint);
    }
    return key_bits(&key);
}

// The joints around a vertex, its own first; only its own where weights are constant.
static uint64_t neighborhood_key(const pelt_weights* weights, const pelt_normal_factors* factors,
                                 uint32_t v)
{
    joint_key key = {0};
    if (factors->first[v] == factors->first[v + 1])
    {
        return weight_key(weights, v);
    }
    for (uint32_t i = factors->first[v]; i < factors->first[v + 1] && key.count < 4; ++i)
    {
        key_add(&key, factors->factors[i].joint);
    }
    return key_bits(&key);
}

// One pass of a stable radix sort. False: all entries have the same digit, and nothing was written.
static bool sort_digit(sort_entry* out, const sort_entry* in, uint32_t count, uint32_t shift)
{
    uint32_t starts[256] = {0};
    for (uint32_t i = 0; i < count; ++i)
    {
        ++starts[in[i].key >> shift & 255];
    }
    if (starts[in[0].key >> shift & 255] == count)
    {
        return false;
    }
    uint32_t sum = 0;
    for (uint32_t digit = 0; digit < 256; ++digit)
    {
        uint32_t own = starts[digit];
        starts[digit] = sum;
        sum += own;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        out[starts[in[i].key >> shift & 255]++] = in[i];
    }
    return true;
}

// Sort into `from` or `to`; returns the one with the result.
static sort_entry* sort_keys(sort_entry* from, sort_entry* to, uint32_t count)
{
    for (uint32_t shift = 0; shift < 64 && count > 0; shift += 8)
    {
        if (sort_digit(to, from, count, shift))
        {
            sort_entry* swap = from;
            from = to;
            to = swap;
        }
    }
    return from;
}

// Sort vertices by their joints, or first by the joints around them where there are factors:
// `order` gets the vertex of each slot.
// @param factors  or NULL
static pelt_result sort_by_joints(uint32_t* order, const pelt_weights* weights,
                                  const pelt_normal_factors* factors)
{
    uint32_t count = weights->vertex_count;
    sort_entry* entries = pelt_allocate(count, 2 * sizeof *entries);
    if (entries == NULL && count > 0)
    {
        return PELT_ERROR_MEMORY;
    }
    sort_entry* sorted = entries;
    for (uint32_t v = 0; v < count; ++v)
    {
        sorted[v] = (sort_entry){weight_key(weights, v), v};
    }
    sorted = sort_keys(sorted, entries + count, count);
    // The sort is stable: this keeps the order of own joints among vertices with the same around.
    for (uint32_t i = 0; i < count && factors != NULL; ++i)
    {
        sorted[i].key = neighborhood_key(weights, factors, sorted[i].vertex);
    }
    if (factors != NULL)
    {
        sorted = sort_keys(sorted, sorted == entries ? entries + count : entries, count);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        order[i] = sorted[i].vertex;
    }
    pelt_release(entries);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Blocks

static const uint32_t too_many = PELTI_BLOCK_JOINTS_MAX + 1; // or a vertex that has none

static void list_joints(pelti_joint_list* out, const pelt_deformer* deformer, uint32_t block)
{
    const pelt_weights* weights = deformer->source.weights;
    uint32_t first = block * PELTI_BLOCK, end = first + deformer->blocks[block].vertex_count;
    out->count = 0;
    for (uint32_t slot = first; slot < end; ++slot)
    {
        uint32_t v = deformer->order[slot];
        // The reference does not move such a vertex; a sum over no joints would.
        out->count = weights->first[v] == weights->first[v + 1] ? too_many : out->count;
        for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
        {
            pelti_joint_list_add(out, weights->influences[i].joint);
        }
    }
}

// Cut the sorted vertices into blocks, and count what lists and weights of all will need.
static void cut_blocks(pelt_deformer* out, uint32_t* joint_count)
{
    uint32_t vertex_count = out->source.weights->vertex_count, sum = 0;
    for (uint32_t block = 0; block < out->block_count; ++block)
    {
        uint32_t left = vertex_count - block * PELTI_BLOCK;
        pelti_block* to = &out->blocks[block];
        pelti_joint_list list;
        to->vertex_count = (uint8_t)(left < PELTI_BLOCK ? left : PELTI_BLOCK);
        list_joints(&list, out, block);
        to->joint_count = (uint8_t)list.count;
        to->first_joint = sum;
        sum += list.count < too_many ? list.count : 0;
    }
    *joint_count = sum;
}

// ---------------------------------------------------------------------------------------------

// Weights of 16 bits that sum to one: the strongest takes the remainder.
static void quantize(uint16_t* out, const pelt_influence* influences, uint32_t count)
{
    int32_t left = 65535;
    for (uint32_t i = 1; i < count; ++i)
    {
        out[i] = (uint16_t)(influences[i].weight * 65535.0f + 0.5f);
        left -= out[i];
    }
    out[0] = (uint16_t)(left > 0 ? left : 0);
}

static void fill_weights(pelt_deformer* out, uint32_t block, uint32_t lane, uint32_t v)
{
    const pelt_weights* weights = out->source.weights;
    const pelti_block* to = &out->blocks[block];
    const pelt_influence* influences = weights->influences + weights->first[v];
    uint32_t count = weights->first[v + 1] - weights->first[v];
    const uint16_t* joints = out->joints + to->first_joint;
    uint16_t rounded[PELTI_BLOCK_JOINTS_MAX];
    quantize(rounded, influences, count);
    for (uint32_t i = 0; i < count; ++i)
    {
        size_t joint =
            to->first_joint + pelti_joint_find(joints, to->joint_count, influences[i].joint);
        size_t at = joint * PELTI_BLOCK + lane;
        if (out->weights != NULL)
        {
            out->weights[at] = influences[i].weight;
        }
        else
        {
            out->weights_u16[at] = rounded[i];
        }
    }
}

// Directions of unit length keep it in kernels that only rotate them.
static void fill_attributes(pelt_deformer* out, uint32_t block, uint32_t lane, uint32_t v)
{
    const pelt_deformer_source* source = &out->source;
    size_t at = (size_t)block * 3 * PELTI_BLOCK;
    pelti_put3(out->positions + at, lane,
               *pelt_vec3_at(source->positions, source->position_stride, v));
    if (out->normals != NULL)
    {
        pelt_vec3 n = *pelt_vec3_at(source->normals, source->normal_stride, v);
        pelti_put3(out->normals + at, lane, pelt_vec3_normalize(n));
    }
    if (out->cors != NULL)
    {
        pelti_put3(out->cors + at, lane, source->cors[v]);
    }
    if (out->tangents != NULL)
    {
        float* planes = out->tangents + (size_t)block * 4 * PELTI_BLOCK;
        pelt_vec4 t = *pelt_vec4_at(source->tangents, source->tangent_stride, v);
        pelti_put3(planes, lane, pelt_vec3_normalize(pelt_vec3_make(t.x, t.y, t.z)));
        planes[3 * PELTI_BLOCK + lane] = t.w;
    }
    if (out->mix_factors != NULL)
    {
        out->mix_factors[(size_t)block * PELTI_BLOCK + lane] = source->mix_factors[v];
    }
}

static void fill_block(pelt_deformer* out, uint32_t block)
{
    const pelti_block* to = &out->blocks[block];
    bool is_listed = to->joint_count < too_many;
    if (is_listed)
    {
        pelti_joint_list list;
        list_joints(&list, out, block);
        memcpy(out->joints + to->first_joint, list.joints, list.count * sizeof *list.joints);
    }
    for (uint32_t lane = 0; lane < PELTI_BLOCK; ++lane)
    {
        uint32_t v = pelti_vertex_at(out, block, lane);
        fill_attributes(out, block, lane, v);
        if (is_listed)
        {
            fill_weights(out, block, lane, v);
        }
    }
}

static void find_runs(pelt_deformer* out)
{
    for (uint32_t block = out->block_count; block-- > 0;)
    {
        pelti_block *to = &out->blocks[block], *next = to + 1;
        bool is_equal = block + 1 < out->block_count &&
                        pelti_joints_are_equal(out->joints + to->first_joint, to->joint_count,
                                               out->joints + next->first_joint, next->joint_count);
        to->run_length = pelti_run_length(is_equal, is_equal ? next->run_length : 0);
    }
}

// ---------------------------------------------------------------------------------------------

void* pelti_deformer_take(pelt_deformer* out, size_t count, size_t size)
{
    if (count > (SIZE_MAX - PELTI_LINE) / size)
    {
        return NULL;
    }
    char* memory = pelt_arena_alloc(out->arena, count * size + PELTI_LINE, 1);
    if (memory == NULL)
    {
        return NULL;
    }
    out->bytes += count * size + PELTI_LINE;
    return memory + (PELTI_LINE - (uintptr_t)memory % PELTI_LINE) % PELTI_LINE;
}

static float* take_planes(pelt_deformer* out, const void* source, uint32_t width, bool* is_ok)
{
    if (source == NULL)
    {
        return NULL;
    }
    float* planes =
        pelti_deformer_take(out, (size_t)out->block_count * width * PELTI_BLOCK, sizeof *planes);
    *is_ok = *is_ok && planes != NULL;
    return planes;
}

static bool take_blocks(pelt_deformer* out)
{
    uint32_t count = out->source.weights->vertex_count;
    out->blocks = pelti_deformer_take(out, out->block_count, sizeof *out->blocks);
    out->order = pelti_deformer_take(out, count, sizeof *out->order);
    out->slots = pelti_deformer_take(out, count, sizeof *out->slots);
    return out->blocks != NULL && out->order != NULL && out->slots != NULL;
}

static bool take_data(pelt_deformer* out, uint32_t joint_count)
{
    const pelt_deformer_source* source = &out->source;
    bool is_ok = true, is_float = out->options.weights == PELT_WEIGHTS_FLOAT;
    size_t weight_count = (size_t)joint_count * PELTI_BLOCK;
    out->joints = pelti_deformer_take(out, joint_count, sizeof *out->joints);
    out->weights = is_float ? pelti_deformer_take(out, weight_count, sizeof *out->weights) : NULL;
    out->weights_u16 =
        is_float ? NULL : pelti_deformer_take(out, weight_count, sizeof *out->weights_u16);
    out->positions = take_planes(out, source->positions, 3, &is_ok);
    out->normals = take_planes(out, source->normals, 3, &is_ok);
    out->tangents = take_planes(out, source->tangents, 4, &is_ok);
    out->cors = take_planes(out, source->cors, 3, &is_ok);
    out->mix_factors = take_planes(out, source->mix_factors, 1, &is_ok);
    return is_ok && out->joints != NULL && (out->weights != NULL || out->weights_u16 != NULL);
}

// ---------------------------------------------------------------------------------------------
// Morph targets: a block that one moves has planes of its displacements, which
// deformer_morph_kernel.h adds to the block at rest.

static const pelt_vec3* deltas_of(const pelt_morph* morph, pelti_attribute attribute)
{
    return attribute == PELTI_POSITIONS ? morph->positions
           : attribute == PELTI_NORMALS ? morph->normals
                                        : morph->tangents;
}

// Whether a target displaces an attribute of any vertex of a block.
static bool moves_block(const pelt_deformer* deformer, uint32_t block, const pelt_morph* morph,
                        pelti_attribute attribute)
{
    const pelt_vec3* deltas = deltas_of(morph, attribute);
    bool is_kept = attribute == PELTI_POSITIONS ||
                   (attribute == PELTI_NORMALS ? deformer->normals : deformer->tangents) != NULL;
    for (uint32_t lane = 0; lane < PELTI_BLOCK && deltas != NULL && is_kept; ++lane)
    {
        pelt_vec3 delta = deltas[pelti_vertex_at(deformer, block, lane)];
        if (delta.x != 0.0f || delta.y != 0.0f || delta.z != 0.0f)
        {
            return true;
        }
    }
    return false;
}

static pelt_vec3 direction_at(const pelt_deformer_source* source, pelti_attribute attribute,
                              uint32_t v)
{
    if (attribute == PELTI_NORMALS)
    {
        return *pelt_vec3_at(source->normals, source->normal_stride, v);
    }
    pelt_vec4 t = *pelt_vec4_at(source->tangents, source->tangent_stride, v);
    return pelt_vec3_make(t.x, t.y, t.z);
}

// A morph target for a block, written if there is memory for it: see pelti_block_morph.
static void add_morph(pelt_deformer* inout, size_t index, uint32_t block, uint32_t target,
                      pelti_attribute attribute)
{
    if (inout->block_morphs == NULL)
    {
        return;
    }
    inout->block_morphs[index] = (pelti_block_morph){target, attribute};
    float* planes = inout->morph_planes + index * 3 * PELTI_BLOCK;
    for (uint32_t lane = 0; lane < PELTI_BLOCK; ++lane)
    {
        uint32_t v = pelti_vertex_at(inout, block, lane);
        pelti_put3(planes, lane,
                   target == PELT_NONE ? direction_at(&inout->source, attribute, v)
                                       : deltas_of(&inout->source.morphs[target], attribute)[v]);
    }
}

// All morph targets, in the order of blocks, attributes and targets. Returns their number.
static size_t list_morphs(pelt_deformer* inout)
{
    size_t count = 0;
    for (uint32_t block = 0; block < inout->block_count; ++block)
    {
        inout->first_morphs[block] = count;
        for (uint32_t i = 0; i < PELTI_ATTRIBUTE_COUNT; ++i)
        {
            pelti_attribute attribute = (pelti_attribute)i;
            bool has_rest = attribute == PELTI_POSITIONS;
            for (uint32_t target = 0; target < inout->source.morph_count; ++target)
            {
                bool is_moved = moves_block(inout, block, &inout->source.morphs[target], attribute);
                if (is_moved && !has_rest)
                {
                    add_morph(inout, count++, block, PELT_NONE, attribute);
                    has_rest = true;
                }
                if (is_moved)
                {
                    add_morph(inout, count++, block, target, attribute);
                }
            }
        }
    }
    inout->first_morphs[inout->block_count] = count;
    return count;
}

static bool add_morphs(pelt_deformer* out)
{
    out->first_morphs =
        pelti_deformer_take(out, (size_t)out->block_count + 1, sizeof *out->first_morphs);
    if (out->first_morphs == NULL)
    {
        return false;
    }
    size_t count = list_morphs(out);
    out->morph_planes = pelti_deformer_take(out, count, 3 * PELTI_BLOCK * sizeof(float));
    out->block_morphs = pelti_deformer_take(out, count, sizeof *out->block_morphs);
    if (out->morph_planes == NULL || out->block_morphs == NULL)
    {
        return false;
    }
    list_morphs(out);
    return true;
}

// ---------------------------------------------------------------------------------------------

static bool prepare(pelt_deformer* out)
{
    uint32_t joint_count;
    const pelt_normal_factors* factors = out->source.normal_factors;
    if (!take_blocks(out) || sort_by_joints(out->order, out->source.weights, factors) != PELT_OK)
    {
        return false;
    }
    for (uint32_t slot = 0; slot < out->source.weights->vertex_count; ++slot)
    {
        out->slots[out->order[slot]] = slot;
    }
    cut_blocks(out, &joint_count);
    if (!take_data(out, joint_count))
    {
        return false;
    }
    for (uint32_t block = 0; block < out->block_count; ++block)
    {
        fill_block(out, block);
    }
    find_runs(out);
    return (factors == NULL || out->normals == NULL || pelti_deformer_add_factors(out)) &&
           (out->source.morph_count == 0 || add_morphs(out));
}

pelt_result pelt_deformer_create(pelt_deformer** out, const pelt_deformer_source* source,
                                 const pelt_deformer_options* options)
{
    PELT_ASSERT(out != NULL && source != NULL);
    PELT_ASSERT(source->weights != NULL && source->positions != NULL);
    PELT_ASSERT(source->morph_count == 0 || source->morphs != NULL);
    *out = NULL;
    pelt_arena* arena = pelt_arena_create();
    pelt_deformer* made = arena != NULL ? pelt_arena_alloc(arena, 1, sizeof *made) : NULL;
    if (made == NULL)
    {
        pelt_arena_destroy(arena);
        return PELT_ERROR_MEMORY;
    }
    uint32_t count = source->weights->vertex_count;
    *made = (pelt_deformer){.source = *source,
                            .options = options != NULL ? *options : (pelt_deformer_options){0},
                            .block_count = count / PELTI_BLOCK + (count % PELTI_BLOCK > 0),
                            .bytes = sizeof *made,
                            .arena = arena};
    if (!prepare(made))
    {
        pelt_deformer_destroy(made);
        return PELT_ERROR_MEMORY;
    }
    *out = made;
    return PELT_OK;
}

void pelt_deformer_destroy(pelt_deformer* deformer)
{
    if (deformer != NULL)
    {
        pelt_arena_destroy(deformer->arena);
    }
}

uint32_t pelt_deformer_block_count(const pelt_deformer* deformer)
{
    return deformer->block_count;
}

size_t pelt_deformer_bytes(const pelt_deformer* deformer)
{
    return deformer->bytes;
}

const uint32_t* pelt_deformer_order(const pelt_deformer* deformer)
{
    return deformer->order;
}

void pelt_deformer_remap(const pelt_deformer* deformer, uint32_t* indices, uint32_t index_count)
{
    for (uint32_t i = 0; i < index_count; ++i)
    {
        PELT_ASSERT(indices[i] < deformer->source.weights->vertex_count);
        indices[i] = deformer->slots[indices[i]];
    }
}
