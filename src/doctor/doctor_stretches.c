// SPDX-License-Identifier: MIT
// Joints that scale, shear or mirror, relative to the bind pose and to a scale that all share.
#include "../base/exact.h"

#include "../base/eigen.h"
#include "doctor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Ratio of axes from which on somebody will see it in a program that does not scale.
static const double visible_ratio = 1.1;

// Of a length; exporters round by less, and people do not see it.
static const double scale_tolerance = 0.01;

typedef enum stretch_class
{
    STRETCH_SCALED,
    STRETCH_UNEVEN,
    STRETCH_MIRRORED,
    STRETCH_CLASS_COUNT
} stretch_class;

// Of one skin and class.
typedef struct stretch_record
{
    uint32_t clip_count, last_clip; // in which it happens
    uint32_t joint;                 // the worst
    double factor, amount;
    pelti_sample moment;
} stretch_record;

// Of one skin.
typedef struct stretch_state
{
    stretch_record records[STRETCH_CLASS_COUNT];
    double unit; // scale of most joints in the stored pose
} stretch_state;

static void* create(pelti_doctor* d)
{
    return pelt_arena_alloc(d->scratch, d->scene->skin_count, sizeof(stretch_state));
}

// Lengths that a stretch makes of three units, longest first; negative where it mirrors.
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
    // Of nearly equals the first: rounding must not choose.
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

// The median scale of joints: that of units, or of a character that is scaled as a whole.
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
        // A flat bind is a finding of its own, and stretches without end.
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

static void look(void* in, pelti_doctor* d, const pelti_sample* sample)
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

static void end(void* in, pelti_doctor* d)
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

const pelti_observer pelti_observe_stretches = {create, look, NULL, end};
