// SPDX-License-Identifier: MIT
// Checks of the poses of clips: their order, joints that scale, and joints near 180 degrees apart.
#include "../base/exact.h"

#include "doctor.h"

#include "../base/double3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const pelti_observer* const observers[] = {&pelti_observe_influences, &pelti_observe_seams,
                                                  &pelti_observe_signs, &pelti_observe_stretches,
                                                  &pelti_observe_flips};

enum
{
    OBSERVER_COUNT = sizeof observers / sizeof observers[0],
};

// Samples of a clip at a rate, first and last moment included.
static double count_samples(const pelt_clip* clip, double rate)
{
    return ceil((double)clip->duration * rate) + 1.0;
}

// The number of samples is reduced so that all clips together have at most max_samples, but at
// least two each.
static double choose_rate(const pelti_doctor* d)
{
    double rate = (double)d->options.rate, seconds = 0.0;
    for (uint32_t i = 0; i < d->scene->clip_count; ++i)
    {
        seconds += (double)d->scene->clips[i].duration;
    }
    double most = (double)d->options.max_samples;
    return seconds * rate > most ? most / seconds : rate;
}

static void show(void* const* states, pelti_doctor* d, const pelti_sample* sample)
{
    pelti_doctor_pose(d, sample->clip, sample->time);
    for (uint32_t i = 0; i < OBSERVER_COUNT; ++i)
    {
        observers[i]->look(states[i], d, sample);
    }
}

static void show_clip(void* const* states, pelti_doctor* d, uint32_t clip, double rate)
{
    const pelt_clip* shown = &d->scene->clips[clip];
    uint32_t count = (uint32_t)count_samples(shown, rate);
    for (uint32_t i = 0; i < count; ++i)
    {
        double part = count > 1 ? (double)i / (double)(count - 1) : 0.0;
        pelti_sample sample = {clip, (float)(part * (double)shown->duration), i == 0};
        show(states, d, &sample);
    }
    for (uint32_t i = 0; i < OBSERVER_COUNT; ++i)
    {
        if (observers[i]->end_clip != NULL)
        {
            observers[i]->end_clip(states[i], d, clip);
        }
    }
}

void pelti_check_motion(pelti_doctor* d)
{
    void* states[OBSERVER_COUNT];
    for (uint32_t i = 0; i < OBSERVER_COUNT; ++i)
    {
        states[i] = observers[i]->create(d);
        d->has_failed |= states[i] == NULL;
    }
    if (d->has_failed)
    {
        return;
    }
    show(states, d, &(pelti_sample){PELT_NONE, 0.0f, true});
    double rate = choose_rate(d);
    for (uint32_t c = 0; c < d->scene->clip_count; ++c)
    {
        show_clip(states, d, c, rate);
        if (d->options.progress != NULL)
        {
            d->options.progress((float)(c + 1) / (float)d->scene->clip_count, d->options.user);
        }
    }
    for (uint32_t i = 0; i < OBSERVER_COUNT; ++i)
    {
        if (observers[i]->end != NULL)
        {
            observers[i]->end(states[i], d);
        }
    }
}

// =============================================================================================
// Joints that scale, shear or mirror, relative to the bind pose and to a scale that all share.

// Ratio of axes that is visible in a program that does not scale.
static const double visible_ratio = 1.1;

// Relative to a length; exporters round by less, and it is not visible.
static const double scale_tolerance = 0.01;

typedef enum stretch_class
{
    STRETCH_SCALED,
    STRETCH_UNEVEN,
    STRETCH_MIRRORED,
    STRETCH_CLASS_COUNT
} stretch_class;

// Per skin and class.
typedef struct stretch_record
{
    uint32_t clip_count, last_clip; // in which it happens
    uint32_t joint;                 // the worst
    double factor, amount;
    pelti_sample moment;
} stretch_record;

// Per skin.
typedef struct stretch_state
{
    stretch_record records[STRETCH_CLASS_COUNT];
    double unit; // scale of most joints in the stored pose
} stretch_state;

static void* create_stretches(pelti_doctor* d)
{
    return pelt_arena_alloc(d->scratch, d->scene->skin_count, sizeof(stretch_state));
}

// Singular values of a stretch, largest first; negative where it mirrors.
static void find_lengths(double out[3], const pelt_mat3* stretch)
{
    double matrix[3][3], vectors[3][3];
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            matrix[i][j] = (double)stretch->m[i][j];
        }
    }
    pelti_eigen_symmetric3(out, vectors, matrix);
}

static void record(stretch_record* inout, uint32_t joint, double factor, double amount,
                   const pelti_sample* sample)
{
    bool is_new_clip = sample->clip != PELT_NONE && inout->last_clip != sample->clip + 1;
    inout->clip_count += is_new_clip;
    inout->last_clip = is_new_clip ? sample->clip + 1 : inout->last_clip;
    // The first of nearly equal ones: rounding must not decide.
    if (amount > 1.001 * inout->amount)
    {
        inout->joint = joint;
        inout->factor = factor;
        inout->amount = amount;
        inout->moment = *sample;
    }
}

static bool is_mirror(const double lengths[3])
{
    return lengths[0] + lengths[1] + lengths[2] < 0.0;
}

static int by_size(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// The median scale of the joints: that of units, or of a character that is scaled as a whole.
static double find_unit(pelti_doctor* d, const pelt_palette* palette, const bool* is_used)
{
    double* sizes = pelt_allocate((size_t)palette->joint_count + 1, sizeof *sizes);
    if (sizes == NULL)
    {
        d->has_failed = true;
        return 1.0;
    }
    uint32_t count = 0;
    for (uint32_t j = 0; j < palette->joint_count; ++j)
    {
        double size = cbrt(fabs((double)pelt_mat3_determinant(&palette->stretches[j])));
        if (is_used[j] && size > 0.0)
        {
            sizes[count++] = size;
        }
    }
    qsort(sizes, count, sizeof *sizes, by_size);
    double unit = count > 0 ? sizes[count / 2] : 1.0;
    pelt_release(sizes);
    return unit;
}

static void look_at_skin(stretch_state* state, const pelt_palette* palette, const pelt_skin* skin,
                         const bool* is_used, const pelti_sample* sample)
{
    stretch_record* records = state->records;
    double scale = state->unit;
    if (palette->is_rigid && scale == 1.0)
    {
        return;
    }
    for (uint32_t j = 0; j < palette->joint_count; ++j)
    {
        double lengths[3];
        // A flat bind pose is a finding of its own, and its stretches are infinite.
        if (!is_used[j] || pelti_bind_is_flat(&skin->inverse_binds[j]))
        {
            continue;
        }
        find_lengths(lengths, &palette->stretches[j]);
        double most = fmax(fabs(lengths[0]), fabs(lengths[2]));
        double least = fmin(fabs(lengths[0]), fabs(lengths[2]));
        if (palette->has_mixed_handedness && is_mirror(lengths))
        {
            record(&records[STRETCH_MIRRORED], j, -1.0, 1.0, sample);
        }
        if (most - least > scale_tolerance * most)
        {
            double ratio = least > 0.0 ? most / least : INFINITY;
            record(&records[STRETCH_UNEVEN], j, ratio, ratio, sample);
        }
        else if (fabs(most / scale - 1.0) > scale_tolerance)
        {
            record(&records[STRETCH_SCALED], j, most / scale, fabs(log(most / scale)), sample);
        }
    }
}

static void look_stretches(void* in, pelti_doctor* d, const pelti_sample* sample)
{
    stretch_state* states = in;
    for (uint32_t s = 0; s < d->scene->skin_count; ++s)
    {
        if (sample->clip == PELT_NONE)
        {
            states[s].unit = find_unit(d, &d->palettes[s], d->is_used[s]);
        }
        look_at_skin(&states[s], &d->palettes[s], &d->scene->skins[s], d->is_used[s], sample);
    }
}

static void report(pelti_doctor* d, uint32_t s, stretch_class class, const stretch_record* found)
{
    static const struct
    {
        pelt_finding_kind kind;
        pelt_severity severity;
        const char* what;
    } classes[STRETCH_CLASS_COUNT] = {
        {PELT_FINDING_SCALED_JOINTS, PELT_SEVERITY_NOTE, "scales by"},
        {PELT_FINDING_STRETCHED_JOINTS, PELT_SEVERITY_WARNING,
         "scales non-uniformly, its axes by a ratio of"},
        {PELT_FINDING_MIRRORED_JOINTS, PELT_SEVERITY_WARNING, "mirrors"},
    };
    if (found->amount == 0.0)
    {
        return;
    }
    const pelt_skin* skin = &d->scene->skins[s];
    pelt_finding finding = pelti_finding_make(classes[class].kind, classes[class].severity);
    if (class == STRETCH_UNEVEN && found->factor < visible_ratio)
    {
        finding.severity = PELT_SEVERITY_NOTE;
    }
    finding.node = skin->joints[found->joint];
    finding.clip = found->moment.clip;
    finding.time = found->moment.time;
    finding.value = found->factor;
    finding.unit = "factor";
    char factor[32] = "", clips[64] = "";
    if (class != STRETCH_MIRRORED)
    {
        snprintf(factor, sizeof factor, " %.3g", found->factor);
    }
    if (found->clip_count > 1)
    {
        snprintf(clips, sizeof clips, "; %u of %u clips have such joints", found->clip_count,
                 d->scene->clip_count);
    }
    pelti_finding_add(d, &finding, "skin " PELTI_NAME ": joint " PELTI_NAME " %s%s %s%s",
                      skin->name != NULL ? skin->name : "-", pelti_node_name(d, finding.node),
                      classes[class].what, factor,
                      pelti_moment_describe(d, finding.clip, finding.time).text, clips);
}

static void end_stretches(void* in, pelti_doctor* d)
{
    const stretch_state* states = in;
    for (uint32_t s = 0; s < d->scene->skin_count; ++s)
    {
        for (int class = 0; class < STRETCH_CLASS_COUNT; ++class)
        {
            report(d, s, (stretch_class) class, &states[s].records[class]);
        }
    }
}

const pelti_observer pelti_observe_stretches = {create_stretches, look_stretches, NULL,
                                                end_stretches};

// =============================================================================================
// Pairs of joints that share vertices and come near 180 degrees apart, where the shorter way
// between their rotations changes sides.

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
    float cosine; // of the cosine of half the angle, followed from sample to sample; 0: none yet
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

static void* create_flips(pelti_doctor* d)
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
            bool is_flipped = !is_first && pelt_quat_dot(before, q) < 0.0f;
            state->previous[s][j] = is_flipped ? pelt_quat_scale(q, -1.0f) : q;
        }
    }
}

static void look_flips(void* in, pelti_doctor* d, const pelti_sample* sample)
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
        // There is no rotation between a joint and a mirrored one.
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
            pair->cosine = cosine;
        }
        // Between two samples the pair may pass through 180 degrees.
        bool is_crossing = !sample->is_first && cosine * pair->cosine < 0.0f;
        float degrees =
            is_crossing ? 180.0f : 2.0f * acosf(fminf(1.0f, fabsf(cosine))) * 180.0f / PELT_PI;
        pair->cosine = cosine;
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

const pelti_observer pelti_observe_flips = {create_flips, look_flips, end_clip, NULL};
