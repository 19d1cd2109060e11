// SPDX-License-Identifier: MIT
// Pairs of joints that share vertices and come near half a turn apart, where the shorter way
// between their rotations changes sides.
#include "../base/exact.h"

#include "doctor.h"

#include <math.h>
#include <stdlib.h>

// A weaker influence jumps as well, but hardly moves its vertex.
static const float weight_min = 0.1f;

static const float risky_degrees = 170.0f;

typedef struct joint_pair
{
    uint32_t skin;
    pelt_joint_index joint, other; // other is the stronger on the vertices that they share
    uint32_t mesh, vertex;         // such a vertex
    float degrees;                 // the most of this clip
    float time;
    float side; // of the cosine of half the angle, followed from sample to sample; 0: none yet
    bool is_crossed;
} joint_pair;

typedef struct flip_state
{
    joint_pair* pairs;
    uint32_t pair_count;
    pelt_quat** previous; // for each skin, rotations of the sample before, with continuous signs
} flip_state;

// ---------------------------------------------------------------------------------------------
// Pairs

// Lower joint first, whichever is stronger.
static uint64_t key_of(const joint_pair* pair)
{
    uint64_t low = pair->joint < pair->other ? pair->joint : pair->other;
    uint64_t high = pair->joint < pair->other ? pair->other : pair->joint;
    return (uint64_t)pair->skin << 32 | low << 16 | high;
}

static int by_joints(const void* a, const void* b)
{
    const joint_pair *x = a, *y = b;
    uint64_t s = key_of(x), t = key_of(y);
    if (s != t)
    {
        return s < t ? -1 : 1;
    }
    if (x->mesh != y->mesh)
    {
        return x->mesh < y->mesh ? -1 : 1;
    }
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

// Pairs of the strongest influence of each vertex with others that count: signs are chosen between
// these.
static size_t list_pairs(joint_pair* out, const pelti_doctor* d)
{
    size_t count = 0;
    for (uint32_t m = 0; m < d->scene->mesh_count; ++m)
    {
        const pelt_weights* weights = &d->scene->meshes[m].weights;
        uint32_t vertex_count = d->skins[m] != PELT_NONE ? weights->vertex_count : 0;
        for (uint32_t v = 0; v < vertex_count; ++v)
        {
            const pelt_influence* strongest = &weights->influences[weights->first[v]];
            for (uint32_t i = weights->first[v] + 1;
                 i < weights->first[v + 1] && weights->influences[i].weight >= weight_min; ++i)
            {
                if (out != NULL)
                {
                    out[count] = (joint_pair){.skin = d->skins[m],
                                              .joint = weights->influences[i].joint,
                                              .other = strongest->joint,
                                              .mesh = m,
                                              .vertex = v};
                }
                ++count;
            }
        }
    }
    return count;
}

static bool find_pairs(flip_state* out, const pelti_doctor* d)
{
    size_t total = list_pairs(NULL, d);
    out->pairs = pelt_arena_alloc(d->scratch, total, sizeof *out->pairs);
    if (out->pairs == NULL)
    {
        return false;
    }
    list_pairs(out->pairs, d);
    qsort(out->pairs, total, sizeof *out->pairs, by_joints);
    for (size_t i = 0; i < total; ++i)
    {
        const joint_pair* last = out->pair_count > 0 ? &out->pairs[out->pair_count - 1] : NULL;
        if (last == NULL || key_of(last) != key_of(&out->pairs[i]))
        {
            out->pairs[out->pair_count++] = out->pairs[i];
        }
    }
    return true;
}

static void* create(pelti_doctor* d)
{
    const pelt_scene* scene = d->scene;
    flip_state* state = pelt_arena_alloc(d->scratch, 1, sizeof *state);
    if (state == NULL || !find_pairs(state, d))
    {
        return NULL;
    }
    state->previous = pelt_arena_alloc(d->scratch, scene->skin_count, sizeof *state->previous);
    for (uint32_t s = 0; state->previous != NULL && s < scene->skin_count; ++s)
    {
        state->previous[s] =
            pelt_arena_alloc(d->scratch, scene->skins[s].joint_count, sizeof *state->previous[s]);
        if (state->previous[s] == NULL)
        {
            return NULL;
        }
    }
    return state->previous != NULL ? state : NULL;
}

// ---------------------------------------------------------------------------------------------
// Samples

static void follow(flip_state* state, const pelti_doctor* d, bool is_first)
{
    for (uint32_t s = 0; s < d->scene->skin_count; ++s)
    {
        for (uint32_t j = 0; j < d->scene->skins[s].joint_count; ++j)
        {
            pelt_quat q = d->palettes[s].motions[j].real, before = state->previous[s][j];
            bool is_turned = !is_first && pelt_quat_dot(before, q) < 0.0f;
            state->previous[s][j] = is_turned ? pelt_quat_scale(q, -1.0f) : q;
        }
    }
}

static void look(void* in, pelti_doctor* d, const pelti_sample* sample)
{
    flip_state* state = in;
    if (sample->clip == PELT_NONE)
    {
        return;
    }
    follow(state, d, sample->is_first);
    for (uint32_t i = 0; i < state->pair_count; ++i)
    {
        joint_pair* pair = &state->pairs[i];
        // There is no rotation between a joint and a mirror image, and no way to be shorter.
        if (d->palettes[pair->skin].has_mixed_handedness)
        {
            continue;
        }
        float cosine = pelt_quat_dot(state->previous[pair->skin][pair->joint],
                                     state->previous[pair->skin][pair->other]);
        if (sample->is_first)
        {
            pair->degrees = 0.0f;
            pair->is_crossed = false;
            pair->side = cosine;
        }
        // Between two samples the pair may pass through half a turn.
        bool is_crossing = !sample->is_first && cosine * pair->side < 0.0f;
        float degrees =
            is_crossing ? 180.0f : 2.0f * acosf(fminf(1.0f, fabsf(cosine))) * 180.0f / PELT_PI;
        pair->side = cosine;
        pair->is_crossed |= is_crossing;
        if (degrees > pair->degrees)
        {
            pair->degrees = degrees;
            pair->time = sample->time;
        }
    }
}

static void end_clip(void* in, pelti_doctor* d, uint32_t clip)
{
    const flip_state* state = in;
    for (uint32_t i = 0; i < state->pair_count; ++i)
    {
        const joint_pair* pair = &state->pairs[i];
        if (!(pair->degrees > risky_degrees))
        {
            continue;
        }
        const pelt_skin* skin = &d->scene->skins[pair->skin];
        pelt_finding finding = pelti_finding_make(
            PELT_FINDING_FLIP_RISK, pair->is_crossed ? PELT_SEVERITY_WARNING : PELT_SEVERITY_NOTE);
        finding.mesh = pair->mesh;
        finding.vertex = pair->vertex;
        finding.node = skin->joints[pair->joint];
        finding.clip = clip;
        finding.time = pair->time;
        finding.value = (double)pair->degrees;
        finding.unit = "degrees";
        pelti_finding_add(d, &finding,
                          "clip " PELTI_NAME ": joints " PELTI_NAME " and " PELTI_NAME
                          " %s %s degrees at %.2f s; they share vertex %u of mesh " PELTI_NAME,
                          pelti_clip_name(d, clip), pelti_node_name(d, finding.node),
                          pelti_node_name(d, skin->joints[pair->other]),
                          pair->is_crossed ? "pass through" : "differ by",
                          pelti_number(finding.value).text, (double)pair->time, pair->vertex,
                          pelti_mesh_name(d, pair->mesh));
    }
}

const pelti_observer pelti_observe_flips = {create, look, end_clip, NULL};
