// SPDX-License-Identifier: MIT
// Keys that jump, and clips that stand still.
#include "../base/exact.h"

#include "../scene/track.h"
#include "doctor.h"

#include <math.h>
#include <string.h>

// A jump is one large step between neighboring frames, several times as large as the steps around
// it: fast motion has large steps in a row.
static const float frame_seconds = 0.1f; // keys farther apart are no neighboring frames
static const double jump_degrees = 90.0;
static const double certain_degrees = 150.0; // no character turns that far in one frame
static const float jump_distance = 0.1f;     // of the size of the character
static const double jump_ratio = 4.0;
static const float hidden_scale = 1e-3f; // what is smaller is not seen, and may jump

static const float* value_at(const pelt_track* track, uint32_t key)
{
    return track->values + (size_t)track->width * key;
}

// Between two keys: degrees of a rotation, else a distance in units of the parent.
static double distance_of(const pelt_track* track, uint32_t from, uint32_t to)
{
    const float *a = value_at(track, from), *b = value_at(track, to);
    double sum = 0.0;
    if (track->path == PELT_PATH_ROTATION)
    {
        for (uint32_t i = 0; i < 4; ++i)
        {
            sum += (double)a[i] * (double)b[i];
        }
        return 2.0 * acos(fmin(1.0, fabs(sum))) * 180.0 / (double)PELT_PI;
    }
    for (uint32_t i = 0; i < track->width; ++i)
    {
        double difference = (double)b[i] - (double)a[i];
        sum += difference * difference;
    }
    return sqrt(sum);
}

// The step that ends at a key; none before the first and after the last.
static double step_to(const pelt_track* track, uint32_t key)
{
    return key > 0 && key < track->key_count ? distance_of(track, key - 1, key) : 0.0;
}

// One bad key is a jump there and back.
static bool is_spike(const pelt_track* track, uint32_t key)
{
    double step = step_to(track, key);
    return key + 1 < track->key_count && jump_ratio * distance_of(track, key - 1, key + 1) < step &&
           jump_ratio * fmax(step_to(track, key - 1), step_to(track, key + 2)) < step;
}

static bool is_jump(const pelt_track* track, uint32_t key, double limit)
{
    double step = step_to(track, key);
    if (!(step > limit) || track->times[key] - track->times[key - 1] > frame_seconds)
    {
        return false;
    }
    double around = fmax(step_to(track, key - 1), step_to(track, key + 1));
    return jump_ratio * around < step || is_spike(track, key);
}

// ---------------------------------------------------------------------------------------------
// Nodes that are scaled to nothing: a common way to hide things, and they may jump while hidden

// For each node, in one clip: which scale hides it.
typedef struct hider
{
    bool is_always;          // that of the stored pose, of itself or a node above
    const pelt_track* track; // keys of itself or the nearest node above; NULL: none do
} hider;

static bool is_hidden_key(const pelt_track* track, uint32_t key)
{
    uint32_t stride = track->interpolation == PELT_INTERPOLATION_CUBIC ? 3 : 1;
    const float* scale = track->values + (size_t)track->width * (stride * key + stride / 2);
    return fmaxf(fabsf(scale[0]), fmaxf(fabsf(scale[1]), fabsf(scale[2]))) < hidden_scale;
}

static bool hides_ever(const pelt_track* track)
{
    uint32_t key = 0;
    while (key < track->key_count && !is_hidden_key(track, key))
    {
        ++key;
    }
    return key < track->key_count;
}

static bool hides_at(const pelt_track* track, float time)
{
    uint32_t first = 0, end = track->key_count;
    while (end - first > 1)
    {
        uint32_t middle = first + (end - first) / 2;
        bool is_before = track->times[middle] <= time;
        first = is_before ? middle : first;
        end = is_before ? end : middle;
    }
    return is_hidden_key(track, first);
}

static void find_hiders(hider* out, const pelt_scene* scene, const pelt_clip* clip)
{
    memset(out, 0, scene->node_count * sizeof *out);
    for (uint32_t n = 0; n < scene->node_count; ++n)
    {
        pelt_vec3 scale = scene->nodes[n].rest.scale;
        out[n].is_always =
            fmaxf(fabsf(scale.x), fmaxf(fabsf(scale.y), fabsf(scale.z))) < hidden_scale;
    }
    for (uint32_t t = 0; t < clip->track_count; ++t)
    {
        const pelt_track* track = &clip->tracks[t];
        if (track->path == PELT_PATH_SCALE)
        {
            out[track->target] = (hider){false, hides_ever(track) ? track : NULL};
        }
    }
    for (uint32_t n = 0; n < scene->node_count; ++n)
    {
        uint32_t parent = scene->nodes[n].parent;
        if (parent != PELT_NONE)
        {
            out[n].is_always |= out[parent].is_always;
            out[n].track = out[n].track != NULL ? out[n].track : out[parent].track;
        }
    }
}

static bool is_hidden_step(const hider* by, const pelt_track* track, uint32_t key)
{
    return by->is_always || (by->track != NULL && (hides_at(by->track, track->times[key - 1]) ||
                                                   hides_at(by->track, track->times[key])));
}

// ---------------------------------------------------------------------------------------------

static float scale_of_parent(const pelti_doctor* d, uint32_t node)
{
    uint32_t parent = d->scene->nodes[node].parent;
    if (parent == PELT_NONE)
    {
        return 1.0f;
    }
    pelt_mat3 linear = pelt_mat34_linear(&d->model_from_node[parent]);
    return cbrtf(fabsf(pelt_mat3_determinant(&linear)));
}

static void check_track(pelti_doctor* d, uint32_t clip, const pelt_track* track, const hider* by)
{
    bool is_rotation = track->path == PELT_PATH_ROTATION;
    // A skeleton without a mesh has no size to compare with.
    bool is_motion = is_rotation || (track->path == PELT_PATH_TRANSLATION && d->size > 0.0f);
    // Without any mesh, all nodes count.
    bool is_seen = is_motion && (d->scene->instance_count == 0 || d->is_needed[track->target]);
    if (!is_seen || track->interpolation != PELT_INTERPOLATION_LINEAR || track->key_count < 4)
    {
        return;
    }
    float meters = is_rotation ? 1.0f : scale_of_parent(d, track->target);
    double limit = is_rotation ? jump_degrees : (double)(jump_distance * d->size / meters);
    pelt_finding finding = pelti_finding_make(PELT_FINDING_KEY_JUMPS, PELT_SEVERITY_NOTE);
    for (uint32_t key = 1; key < track->key_count; ++key)
    {
        if (is_jump(track, key, limit) && !is_hidden_step(&by[track->target], track, key))
        {
            double step = step_to(track, key);
            finding.time = step > finding.value ? track->times[key] : finding.time;
            finding.value = fmax(step, finding.value);
            finding.count++;
            // A snap from one pose to another may be style.
            bool is_certain = is_spike(track, key) || (is_rotation && step > certain_degrees);
            finding.severity = is_certain ? PELT_SEVERITY_WARNING : finding.severity;
        }
    }
    if (finding.count == 0)
    {
        return;
    }
    finding.clip = clip;
    finding.node = track->target;
    finding.unit = is_rotation ? "degrees" : "mm";
    finding.value *= is_rotation ? 1.0 : 1000.0 * (double)meters;
    pelti_finding_add(d, &finding,
                      "clip " PELTI_NAME ": the %s of node " PELTI_NAME
                      " jumps %u %s, at %.2f s by %s %s in one step",
                      pelti_clip_name(d, clip), is_rotation ? "rotation" : "translation",
                      pelti_node_name(d, track->target), finding.count,
                      pelti_word(finding.count, "time", "times"), (double)finding.time,
                      pelti_number(finding.value).text, finding.unit);
}

static bool is_still(const pelt_clip* clip)
{
    uint32_t i = 0;
    while (i < clip->track_count && !pelti_track_is_moving(&clip->tracks[i]))
    {
        ++i;
    }
    return i == clip->track_count;
}

void pelti_check_keys(pelti_doctor* d)
{
    pelti_doctor_pose(d, PELT_NONE, 0.0f);
    hider* hiders = pelt_arena_alloc(d->scratch, d->scene->node_count, sizeof *hiders);
    if (hiders == NULL)
    {
        d->has_failed = true;
        return;
    }
    for (uint32_t c = 0; c < d->scene->clip_count; ++c)
    {
        const pelt_clip* clip = &d->scene->clips[c];
        find_hiders(hiders, d->scene, clip);
        for (uint32_t t = 0; t < clip->track_count; ++t)
        {
            check_track(d, c, &clip->tracks[t], hiders);
        }
        if (is_still(clip))
        {
            pelt_finding finding = pelti_finding_make(PELT_FINDING_STILL_CLIP, PELT_SEVERITY_NOTE);
            finding.clip = c;
            pelti_finding_add(d, &finding, "clip " PELTI_NAME ": nothing moves",
                              pelti_clip_name(d, c));
        }
    }
}
