// SPDX-License-Identifier: MIT
// Encodes keys joint by joint, parents first. Each joint is encoded relative to its parent as
// decoded, so that rounding errors do not accumulate along limbs.
#include "../base/exact.h"

#include "bake_code.h"
#include "bake_record.h"

#include <string.h>

// Counts depend on times in a file: they are added in 64 bits and must fit into 32.
static pelt_result create_samples(pelti_samples* out, uint64_t key_count, uint64_t count,
                                  uint32_t joint_count, pelt_arena* arena)
{
    *out = (pelti_samples){.key_count = (uint32_t)key_count, .count = (uint32_t)count};
    if (key_count >= UINT32_MAX || count >= UINT32_MAX)
    {
        return PELT_ERROR_MEMORY;
    }
    out->key_samples = pelt_arena_alloc(arena, out->key_count, sizeof *out->key_samples);
    out->spans = pelt_arena_alloc(arena, out->key_count, sizeof *out->spans);
    out->next = pelt_arena_alloc(arena, out->key_count, sizeof *out->next);
    out->motions = pelt_arena_alloc(arena, (size_t)out->count * joint_count, sizeof *out->motions);
    bool has_memory =
        out->key_samples != NULL && out->spans != NULL && out->next != NULL && out->motions != NULL;
    return has_memory ? PELT_OK : PELT_ERROR_MEMORY;
}

pelti_sample_counts pelti_clip_count_samples(const pelti_clip_times* times, uint32_t between)
{
    pelti_sample_counts counts = {0};
    for (uint32_t r = 0; r < times->run_count; ++r)
    {
        const pelti_run_times* run = &times->runs[r];
        uint64_t spans = run->is_held ? 1 : between;
        uint64_t keys = pelti_run_key_count(run, times->wraps);
        counts.keys += keys;
        counts.samples += run->intervals * spans + keys - run->intervals;
    }
    return counts;
}

pelt_result pelti_clip_sample(pelti_samples* out, const pelti_bake_source* source,
                              const pelt_clip* clip, const pelti_clip_times* times,
                              uint32_t between, pelt_arena* arena)
{
    pelti_sample_counts counts = pelti_clip_count_samples(times, between);
    pelti_bake_sampler sampler;
    if (create_samples(out, counts.keys, counts.samples, source->joint_count, arena) != PELT_OK ||
        pelti_bake_sampler_create(&sampler, source->scene) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t sample = 0, key = 0;
    for (uint32_t r = 0; r < times->run_count; ++r)
    {
        const pelti_run_times* run = &times->runs[r];
        uint32_t first = key, keys = pelti_run_key_count(run, times->wraps);
        for (; key < first + keys; ++key)
        {
            bool has_next = key - first < run->intervals && !run->is_held;
            out->key_samples[key] = sample;
            out->spans[key] = has_next ? between : 1;
            out->next[key] = !has_next ? key : key + 1 < first + keys ? key + 1 : first;
            for (uint32_t i = 0; i < out->spans[key]; ++i, ++sample)
            {
                double x = (double)(key - first) + (double)i / between;
                pelti_bake_sample(out->motions + (size_t)sample * source->joint_count, source,
                                  &sampler, clip, pelti_run_time(run, x));
            }
        }
    }
    pelti_bake_sampler_destroy(&sampler);
    return PELT_OK;
}

pelt_result pelti_samples_join(pelti_samples* out, const pelti_samples* const* parts,
                               uint32_t part_count, uint32_t joint_count, pelt_arena* arena)
{
    uint64_t key_count = 0, count = 0;
    for (uint32_t p = 0; p < part_count; ++p)
    {
        key_count += parts[p]->key_count;
        count += parts[p]->count;
    }
    if (create_samples(out, key_count, count, joint_count, arena) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t key = 0, sample = 0;
    for (uint32_t p = 0; p < part_count; ++p)
    {
        for (uint32_t i = 0; i < parts[p]->key_count; ++i)
        {
            out->key_samples[key + i] = sample + parts[p]->key_samples[i];
            out->spans[key + i] = parts[p]->spans[i];
            out->next[key + i] = key + parts[p]->next[i];
        }
        memcpy(out->motions + (size_t)sample * joint_count, parts[p]->motions,
               (size_t)parts[p]->count * joint_count * sizeof *out->motions);
        key += parts[p]->key_count;
        sample += parts[p]->count;
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------

// Words of a record and of a key that one joint can take at most: a matrix of floats.
enum
{
    RECORD_WORDS_MAX = 24,
    KEY_BITS_MAX = 20 * 32,
};

static void decode_joint(pelt_mat34* decoded, const pelti_code_job* job, const pelti_code* code,
                         uint32_t joint)
{
    const pelti_samples* samples = job->samples;
    uint32_t joint_count = job->source->joint_count, parent = job->plan->parents[joint];
    pelt_vec3 pivot = job->plan->pivots[joint];
    for (uint32_t key = 0; key < samples->key_count; ++key)
    {
        pelti_key_pair pair = {.encoding = job->encoding,
                               .table = code->table,
                               .key = code->keys + (size_t)key * code->key_words,
                               .next = code->keys + (size_t)samples->next[key] * code->key_words,
                               .unit = job->unit,
                               .stretch_unit = job->stretch_unit};
        for (uint32_t i = 0; i < samples->spans[key]; ++i)
        {
            pelt_mat34* motions = decoded + (size_t)(samples->key_samples[key] + i) * joint_count;
            pair.u = (float)i / (float)samples->spans[key];
            pelti_motion motion = pelti_motion_decode(&pair, joint, pivot);
            pelt_mat34 matrix = pelti_motion_matrix(&motion, job->encoding, pivot);
            motions[joint] =
                parent == PELT_NONE ? matrix : pelt_mat34_mul(&motions[parent], &matrix);
        }
    }
}

// Keys were written with the largest possible stride; remove the gaps.
static void pack_keys(pelti_code* code, size_t bits)
{
    uint32_t key_words = (uint32_t)((bits + 31) / 32);
    for (uint32_t key = 0; key < code->key_count; ++key)
    {
        memmove(code->keys + (size_t)key * key_words, code->keys + (size_t)key * code->key_words,
                key_words * sizeof *code->keys);
    }
    code->key_words = key_words;
}

pelt_result pelti_code_make(pelti_code* code, pelt_mat34* decoded, const pelti_code_job* job,
                            const pelti_quality* quality, pelt_arena* arena)
{
    const pelti_samples* samples = job->samples;
    uint32_t joint_count = job->source->joint_count, index_words = (joint_count + 1) / 2;
    uint32_t key_words = joint_count * (KEY_BITS_MAX / 32);
    *code = (pelti_code){.key_count = samples->key_count, .key_words = key_words};
    code->table = pelt_arena_alloc(arena, index_words + (size_t)joint_count * RECORD_WORDS_MAX,
                                   sizeof *code->table);
    code->keys =
        pelt_arena_alloc(arena, (size_t)key_words * samples->key_count, sizeof *code->keys);
    pelti_record_scratch scratch;
    if (code->table == NULL || code->keys == NULL ||
        pelti_record_scratch_create(&scratch, job, quality, arena) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    code->table_words = index_words;
    pelti_key_writer writer = {
        .keys = code->keys, .key_words = key_words, .key_count = samples->key_count};
    for (uint32_t i = 0; i < joint_count; ++i)
    {
        uint32_t joint = job->plan->order[i];
        uint32_t* record = code->table + code->table_words;
        size_t first_bit = writer.bit;
        uint32_t words = 0;
        if (job->plan->is_stored[joint])
        {
            pelti_relative_motions(&scratch, job, joint, decoded);
            words = pelti_record_encode(record, &writer, &scratch, job, quality, joint);
        }
        if (words > 0)
        {
            if (code->table_words > UINT16_MAX || first_bit >= (1u << PELTI_RECORD_BITS))
            {
                return PELT_ERROR_UNSUPPORTED;
            }
            record[0] |= (uint32_t)first_bit;
            code->table[joint / 2] |= code->table_words << 16 * (joint % 2);
            code->table_words += words;
        }
        decode_joint(decoded, job, code, joint);
    }
    pack_keys(code, writer.bit);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------

// The error of a vertex is the blend of the differences between exact and decoded motions.
pelt_result pelti_code_compare(pelti_probe_error* inout, const pelti_code_job* job,
                               const pelti_probe_list* list, const pelt_mat34* decoded)
{
    const pelti_samples* samples = job->samples;
    uint32_t joint_count = job->source->joint_count;
    pelt_mat34* differences = pelt_allocate(joint_count, sizeof *differences);
    if (differences == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0, key = 0; i < samples->count; ++i)
    {
        bool is_key = key < samples->key_count && samples->key_samples[key] == i;
        key += is_key;
        for (uint32_t joint = 0; joint < joint_count; ++joint)
        {
            size_t at = (size_t)i * joint_count + joint;
            differences[joint] = pelt_mat34_mad(&samples->motions[at], -1.0f, &decoded[at]);
        }
        float largest = 0.0f; // squares: a root for each vertex would take as long as the rest
        for (uint32_t p = 0; p < list->count; ++p)
        {
            if (list->probes[p].count == 0)
            {
                continue;
            }
            pelt_vec3 off = pelti_probe_position(list, p, differences);
            float square = pelt_vec3_dot(off, off);
            largest = square > largest ? square : largest;
            if (inout->joints != NULL)
            {
                float* own = &inout->joints[list->influences[list->probes[p].first].joint];
                *own = square > *own * *own ? sqrtf(square) : *own;
            }
        }
        double distance = sqrt((double)largest);
        inout->everywhere = fmax(inout->everywhere, distance);
        inout->at_keys = is_key ? fmax(inout->at_keys, distance) : inout->at_keys;
    }
    pelt_release(differences);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Plan

// Whether a joint keeps at least a thirty-second of its size during clips, along any axis.
static bool is_solid(const pelti_bake_source* source, const pelti_samples* const* clips,
                     uint32_t clip_count, uint32_t joint)
{
    double largest = 0.0, inverse = 0.0;
    for (uint32_t c = 0; c < clip_count; ++c)
    {
        for (uint32_t i = 0; i < clips[c]->count; ++i)
        {
            pelti_motion_size size =
                pelti_size_of(&clips[c]->motions[(size_t)i * source->joint_count + joint]);
            largest = fmax(largest, size.largest);
            inverse = fmax(inverse, size.inverse);
        }
    }
    return largest * inverse <= PELTI_SOLID;
}

// The largest displacement of a joint relative to another during a clip, at its farthest vertex.
static double relative_motion(const pelti_bake_source* source, const pelti_samples* clip,
                              uint32_t joint, uint32_t other)
{
    const pelti_bake_joint* own = &source->joints[joint];
    // A joint without vertices may still be the parent of joints that have some.
    double reach = own->is_used ? (double)own->center_reach : 0.3 * (double)source->size;
    double most = 0.0;
    pelt_mat34 first = {0};
    for (uint32_t i = 0; i < clip->count; ++i)
    {
        const pelt_mat34* motions = clip->motions + (size_t)i * source->joint_count;
        pelt_mat34 back, now;
        if (!pelt_mat34_inverse(&back, &motions[other]))
        {
            return INFINITY;
        }
        now = pelt_mat34_mul(&back, &motions[joint]);
        first = i == 0 ? now : first;
        double square = 0.0;
        for (int k = 0; k < 9; ++k)
        {
            double d = (double)now.m[k / 3][k % 3] - (double)first.m[k / 3][k % 3];
            square += d * d;
        }
        pelt_vec3 a = pelt_mat34_point(&first, own->center),
                  b = pelt_mat34_point(&now, own->center);
        most = fmax(most, sqrt(square) * reach + (double)pelt_vec3_distance(a, b));
    }
    return most * (double)source->joints[other].scale;
}

// Whether a joint moves rigidly with another for most of the time.
static bool is_mostly_rigid(const pelti_bake_source* source, const pelti_samples* const* clips,
                            uint32_t clip_count, uint32_t joint, uint32_t other, double tolerance)
{
    uint64_t rigid = 0, all = 0;
    for (uint32_t i = 0; i < clip_count; ++i)
    {
        double motion = relative_motion(source, clips[i], joint, other);
        if (!isfinite(motion))
        {
            return false;
        }
        rigid += motion <= tolerance ? clips[i]->key_count : 0;
        all += clips[i]->key_count;
    }
    return 2 * rigid > all;
}

// Whether a joint only rotates about a fixed point of another, as limbs do: it needs no positions.
static bool is_hinged(const pelti_bake_source* source, const pelti_samples* const* clips,
                      uint32_t clip_count, uint32_t joint, uint32_t other, double tolerance)
{
    pelt_vec3 origin = source->joints[joint].origin;
    for (uint32_t c = 0; c < clip_count; ++c)
    {
        pelt_vec3 first = origin;
        for (uint32_t i = 0; i < clips[c]->count; ++i)
        {
            const pelt_mat34* motions = clips[c]->motions + (size_t)i * source->joint_count;
            pelt_mat34 back;
            if (!pelt_mat34_inverse(&back, &motions[other]))
            {
                return false;
            }
            pelt_vec3 at = pelt_mat34_point(&back, pelt_mat34_point(&motions[joint], origin));
            first = i == 0 ? at : first;
            double moved = (double)(source->joints[other].scale * pelt_vec3_distance(at, first));
            if (!(moved <= tolerance))
            {
                return false;
            }
        }
    }
    return true;
}

// The first used joint of a group is its leader. The others need no keys in clips in which they are
// rigid with it. With a budget, joints that rotate about a fixed point of a leader follow it too
// and store rotations only. Leaders have no parent, so a decoder reads two joints at most.
static pelt_result find_followers(pelti_bake_plan* plan, const pelti_bake_source* source,
                                  const pelti_samples* const* clips, uint32_t clip_count,
                                  bool has_hinges, double tolerance)
{
    uint32_t* groups = pelt_allocate(2 * (size_t)source->joint_count, sizeof *groups);
    if (groups == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t* leaders = groups + source->joint_count; // of each group
    for (uint32_t i = 0; i < source->joint_count; ++i)
    {
        uint32_t joint = source->order[i], above = source->joints[joint].above;
        uint32_t group = above != PELT_NONE ? groups[above] : PELT_NONE;
        uint32_t leader = group != PELT_NONE ? leaders[group] : PELT_NONE;
        uint32_t other = leader != PELT_NONE ? leader : above;
        bool is_used = source->joints[joint].is_used;
        bool is_rigid = other != PELT_NONE && plan->is_solid[other] &&
                        is_mostly_rigid(source, clips, clip_count, joint, other, tolerance);
        bool is_rotating = !is_rigid && is_used && has_hinges && leader != PELT_NONE &&
                           plan->is_solid[leader] &&
                           is_hinged(source, clips, clip_count, joint, leader, tolerance);
        leaders[joint] = PELT_NONE;
        groups[joint] = is_rigid ? group : joint;
        if (is_rotating)
        {
            plan->parents[joint] = leader;
            plan->pivots[joint] = source->joints[joint].origin;
            plan->reaches[joint] = source->joints[joint].origin_reach;
        }
        else if (is_used)
        {
            uint32_t* own = &leaders[groups[joint]];
            plan->parents[joint] = *own;
            *own = *own == PELT_NONE ? joint : *own;
        }
    }
    pelt_release(groups);
    return PELT_OK;
}

static void find_skeleton(pelti_bake_plan* plan, const pelti_bake_source* source)
{
    for (uint32_t joint = 0; joint < source->joint_count; ++joint)
    {
        plan->parents[joint] = source->joints[joint].above;
    }
    for (uint32_t i = source->joint_count; i-- > 0;)
    {
        uint32_t joint = source->order[i], parent = plan->parents[joint];
        if (plan->is_stored[joint] && parent != PELT_NONE)
        {
            plan->is_stored[parent] = true;
        }
    }
}

pelt_result pelti_bake_plan_create(pelti_bake_plan* out, const pelti_bake_source* source,
                                   const pelti_samples* const* clips, uint32_t clip_count,
                                   const pelt_bake_options* options, double tolerance,
                                   pelt_arena* arena)
{
    uint32_t count = source->joint_count;
    *out = (pelti_bake_plan){.parents = pelt_arena_alloc(arena, count, sizeof *out->parents),
                             .pivots = pelt_arena_alloc(arena, count, sizeof *out->pivots),
                             .reaches = pelt_arena_alloc(arena, count, sizeof *out->reaches),
                             .is_stored = pelt_arena_alloc(arena, count, sizeof *out->is_stored),
                             .is_solid = pelt_arena_alloc(arena, count, sizeof *out->is_solid),
                             .order = source->order};
    if (out->parents == NULL || out->pivots == NULL || out->reaches == NULL ||
        out->is_stored == NULL || out->is_solid == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t joint = 0; joint < count; ++joint)
    {
        const pelti_bake_joint* own = &source->joints[joint];
        out->parents[joint] = PELT_NONE;
        bool is_center = options->encoding == PELT_ENCODING_QT;
        out->pivots[joint] = is_center ? own->center : own->origin;
        out->reaches[joint] = is_center ? own->center_reach : own->origin_reach;
        out->is_stored[joint] = own->is_used;
        out->is_solid[joint] = is_solid(source, clips, clip_count, joint);
    }
    if (options->encoding == PELT_ENCODING_LOCAL)
    {
        find_skeleton(out, source);
    }
    else if (options->encoding == PELT_ENCODING_QT && !options->has_no_followers)
    {
        return find_followers(out, source, clips, clip_count, options->has_budget, tolerance);
    }
    return PELT_OK;
}
