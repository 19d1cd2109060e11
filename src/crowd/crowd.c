// SPDX-License-Identifier: MIT
// Crowds. Playback is a pseudorandom function of seed, member and time. The bounding box of a
// member is that of its key, with a margin during a cross-fade. Members are culled and get levels
// of detail by their boxes.
#include "../base/exact.h"

#include "../../include/pelt/crowd.h"
#include "../baked/baked_decode.h"

// ---------------------------------------------------------------------------------------------
// Margin of cross-fades
//
// A joint moves p to position + linear (p - pivot). Fades interpolate positions on a line, and the
// length of linear (p - pivot) is at most that of p - pivot times the largest stretch. So the
// surface stays within reach of the positions of joints without parents. These are between those of
// both clips, which are in the boxes of the clips or outside by a distance that is measured here.

typedef struct joint_reach
{
    float reach;   // from its pivot to the farthest vertex that it moves, at rest; < 0: none
    float stretch; // largest of all keys
    float travel;  // farthest position from the pivot of its parent
    float outside; // farthest position out of the box of its key
    pelt_bounds positions;
} joint_reach;

// Largest sum of a row: at least the largest singular value.
static float stretch_of(const pelti_motion* motion)
{
    const float* s = motion->stretch;
    float xx = fabsf(s[0]), yy = fabsf(s[1]), zz = fabsf(s[2]);
    float yz = fabsf(s[3]), zx = fabsf(s[4]), xy = fabsf(s[5]);
    return fmaxf(xx + xy + zx, fmaxf(xy + yy + yz, zx + yz + zz));
}

static pelt_vec3 position_of(const pelti_motion* motion, pelt_encoding encoding)
{
    return encoding == PELT_ENCODING_DQ ? pelt_dquat_translation(motion->dual) : motion->position;
}

static float distance_outside(const pelt_bounds* box, pelt_vec3 p)
{
    float x = fmaxf(box->min.x - p.x, p.x - box->max.x);
    float y = fmaxf(box->min.y - p.y, p.y - box->max.y);
    float z = fmaxf(box->min.z - p.z, p.z - box->max.z);
    return fmaxf(0.0f, fmaxf(x, fmaxf(y, z)));
}

// Measure from one key to the next, where a position deviates most from the chord in the middle.
static void measure_key(joint_reach* reaches, const pelt_baked* baked, pelti_key_time at,
                        const pelt_bounds* box)
{
    pelti_key_pair pairs[3];
    for (int i = 0; i < 3; ++i)
    {
        at.u = at.run->is_held ? 0.0f : 0.5f * (float)i;
        pairs[i] = pelti_key_pair_of(baked, &at, false);
    }
    for (uint32_t joint = 0; joint < baked->joint_count; ++joint)
    {
        joint_reach* out = &reaches[joint];
        uint32_t parent = baked->joints[joint].parent;
        pelt_vec3 origin = parent != PELT_NONE ? baked->joints[parent].pivot : (pelt_vec3){0};
        pelt_vec3 positions[3];
        for (int i = 0; i < 3; ++i)
        {
            pelti_motion motion = pelti_motion_decode(&pairs[i], joint, baked->joints[joint].pivot);
            positions[i] = position_of(&motion, baked->encoding);
            out->stretch = fmaxf(out->stretch, stretch_of(&motion));
        }
        pelt_vec3 chord = pelt_vec3_lerp(positions[0], positions[2], 0.5f);
        float bend = pelt_vec3_distance(chord, positions[1]);
        for (int i = 0; i < 3; i += 2)
        {
            out->travel = fmaxf(out->travel, pelt_vec3_distance(origin, positions[i]) + bend);
            out->outside = fmaxf(out->outside, distance_outside(box, positions[i]) + bend);
        }
        pelt_bounds_add(&out->positions, positions, 3);
    }
}

static void measure_clip(joint_reach* reaches, const pelt_baked* baked, const pelt_baked_clip* clip)
{
    const pelt_bounds* box = clip->key_bounds;
    for (uint32_t i = 0; i < clip->run_count; ++i)
    {
        const pelt_baked_run* run = &clip->runs[i];
        for (uint32_t key = 0; key < run->key_count; ++key)
        {
            bool is_last = key + 1 == run->key_count;
            uint32_t next = !is_last ? key + 1 : clip->wraps ? 0 : key;
            measure_key(reaches, baked, (pelti_key_time){run, key, next, 0.0f}, box++);
        }
    }
}

static void measure_instance(joint_reach* reaches, const pelt_baked* baked, const pelt_scene* scene,
                             uint32_t instance)
{
    const pelt_mesh* mesh = &scene->meshes[scene->instances[instance].mesh];
    bool is_skinned =
        scene->instances[instance].skin != PELT_NONE && mesh->weights.vertex_count > 0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        const pelt_influence rigid = {.joint = 0, .weight = 1.0f};
        const pelt_influence* influences = &rigid;
        uint32_t count = 1;
        if (is_skinned)
        {
            influences = mesh->weights.influences + mesh->weights.first[v];
            count = mesh->weights.first[v + 1] - mesh->weights.first[v];
        }
        for (uint32_t i = 0; i < count; ++i)
        {
            uint32_t joint = baked->instances[instance].first + influences[i].joint;
            float distance = pelt_vec3_distance(mesh->positions[v], baked->joints[joint].pivot);
            reaches[joint].reach = fmaxf(reaches[joint].reach, distance);
        }
    }
}

static float fade_margin(joint_reach* reaches, const pelt_baked* baked)
{
    float margin = 0.0f;
    // Children before parents.
    for (uint32_t i = baked->joint_count; i-- > 0;)
    {
        uint32_t joint = baked->joint_order[i], parent = baked->joints[joint].parent;
        const joint_reach* in = &reaches[joint];
        if (in->reach < 0.0f)
        {
            continue;
        }
        float reach = in->stretch * in->reach;
        if (parent != PELT_NONE)
        {
            reaches[parent].reach = fmaxf(reaches[parent].reach, in->travel + reach);
            continue;
        }
        // Dual quaternions blend along a screw motion. The vector part of the product shows that a
        // position is a mean of both plus a perpendicular offset of at most half their distance.
        bool is_screw = baked->encoding == PELT_ENCODING_DQ;
        float offset = is_screw ? 0.5f * pelt_bounds_diagonal(&in->positions) : 0.0f;
        margin = fmaxf(margin, in->outside + offset + reach);
    }
    return margin;
}

pelt_result pelt_crowd_bounds_create(pelt_crowd_bounds* out, const pelt_baked* baked,
                                     const pelt_scene* scene, pelt_error* error)
{
    *out = (pelt_crowd_bounds){.baked = baked, .additive_margin = INFINITY};
    pelt_result result = pelti_baked_match(baked, scene, error);
    if (result != PELT_OK || baked->encoding == PELT_ENCODING_VERTEX ||
        baked->encoding == PELT_ENCODING_MATRIX)
    {
        return result;
    }
    joint_reach* reaches = pelt_allocate(baked->joint_count, sizeof *reaches);
    if (reaches == NULL)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t joint = 0; joint < baked->joint_count; ++joint)
    {
        reaches[joint] = (joint_reach){.reach = -1.0f, .positions = pelt_bounds_empty()};
    }
    for (uint32_t i = 0; i < baked->instance_count; ++i)
    {
        measure_instance(reaches, baked, scene, i);
    }
    for (uint32_t clip = 0; clip < baked->clip_count; ++clip)
    {
        measure_clip(reaches, baked, &baked->clips[clip]);
    }
    out->fade_margin = fade_margin(reaches, baked);
    pelt_release(reaches);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Each frame

static pelt_bounds box_at(const pelt_baked* baked, const pelt_moment* moment)
{
    PELT_ASSERT(moment->clip < baked->clip_count);
    const pelt_baked_clip* clip = &baked->clips[moment->clip];
    pelti_key_time at = pelti_clip_at(clip, moment->time, moment->wrap);
    uint32_t key = at.key;
    for (const pelt_baked_run* run = clip->runs; run != at.run; ++run)
    {
        key += run->key_count;
    }
    return clip->key_bounds[key];
}

pelt_bounds pelt_crowd_bounds_at(const pelt_crowd_bounds* bounds, const pelt_playback* playback)
{
    const pelt_baked* baked = bounds->baked;
    bool has_poses = baked->encoding == PELT_ENCODING_QT || baked->encoding == PELT_ENCODING_LOCAL;
    bool is_added = has_poses && playback->additive_weight != 0.0f;
    pelt_bounds box = box_at(baked, &playback->base);
    float margin = bounds->margin;
    if (playback->fade != 0.0f)
    {
        pelt_bounds next = box_at(baked, &playback->next);
        pelt_bounds_add(&box, &next.min, 1);
        pelt_bounds_add(&box, &next.max, 1);
        margin += bounds->fade_margin;
    }
    margin += is_added ? bounds->additive_margin : 0.0f;
    pelt_vec3 more = {margin, margin, margin};
    return (pelt_bounds){pelt_vec3_sub(box.min, more), pelt_vec3_add(box.max, more)};
}

// ---------------------------------------------------------------------------------------------
// Playback

// Purpose of a random number, so that each purpose has its own sequence.
typedef enum random_use
{
    USE_PERIOD,
    USE_PHASE,
    USE_SPEED,
    USE_CLIP,
    USE_OFFSET,
    USE_HEADING,
    USE_SIZE,
    USE_X,
    USE_Z,
} random_use;

// From 0 to below 1, by the finalizer of SplitMix64 (Steele et al., "Fast splittable pseudorandom
// number generators", 2014).
static float random_part(const pelt_crowd_act* act, uint32_t member, random_use use, uint64_t index)
{
    const uint64_t keys[] = {act->seed, member, (uint64_t)use, index};
    uint64_t z = 0;
    for (int i = 0; i < 4; ++i)
    {
        z = (z ^ keys[i]) + 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        z ^= z >> 31;
    }
    return (float)(z >> 40) / (float)(1u << 24);
}

static uint32_t random_below(const pelt_crowd_act* act, uint32_t member, uint64_t index,
                             uint32_t count)
{
    return (uint32_t)(random_part(act, member, USE_CLIP, index) * (float)count);
}

// The clip of a period, one of count. Periods with an even index choose freely; those with an odd
// one choose a clip that differs from both neighbors, so that no period depends on earlier ones.
static uint32_t clip_of_period(const pelt_crowd_act* act, uint32_t member, uint64_t index,
                               uint32_t count)
{
    if (count == 2)
    {
        return (random_below(act, member, 0, 2) + (uint32_t)(index % 2)) % 2;
    }
    if (count < 2 || index % 2 == 0)
    {
        return random_below(act, member, index, count);
    }
    uint32_t a = random_below(act, member, index - 1, count);
    uint32_t b = random_below(act, member, index + 1, count);
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    uint32_t clip = random_below(act, member, index, count - (low == high ? 1 : 2));
    clip += clip >= low;
    clip += low != high && clip >= high;
    return clip;
}

// @param index  of the period
// @param since  seconds since it began
static pelt_moment moment_of(const pelt_crowd_act* act, const pelt_baked* baked, uint32_t member,
                             uint64_t index, double since)
{
    uint32_t count = act->clip_count > 0 ? act->clip_count : baked->clip_count;
    uint32_t clip = clip_of_period(act, member, index, count);
    clip = act->clip_count > 0 ? act->clips[clip] : clip;
    PELT_ASSERT(clip < baked->clip_count);
    double speed = 0.85 + 0.3 * (double)random_part(act, member, USE_SPEED, 0);
    double offset = (double)random_part(act, member, USE_OFFSET, index);
    double duration = (double)baked->clips[clip].duration;
    double time = duration > 0.0 ? fmod(speed * since + offset * duration, duration) : 0.0;
    return (pelt_moment){.clip = clip, .time = (float)time, .wrap = PELT_WRAP_LOOP};
}

pelt_playback pelt_crowd_play(const pelt_crowd_act* act, const pelt_baked* baked, uint32_t member,
                              double time)
{
    PELT_ASSERT(time >= 0.0);
    if (act->has_no_fades || (act->clip_count > 0 ? act->clip_count : baked->clip_count) < 2)
    {
        return (pelt_playback){.base = moment_of(act, baked, member, 0, time)};
    }
    double mean = act->period > 0.0f ? (double)act->period : 4.0;
    double period = mean * (0.75 + 0.5 * (double)random_part(act, member, USE_PERIOD, 0));
    double fade = fmin(act->fade > 0.0f ? (double)act->fade : 0.4, 0.5 * period);
    // Period 0 began before time 0, and for some members also the fade into period 1.
    double from = time + period * (1.0 + (double)random_part(act, member, USE_PHASE, 0));
    double whole = floor(from / period), since = from - whole * period;
    uint64_t index = (uint64_t)whole;
    pelt_moment now = moment_of(act, baked, member, index, since);
    if (since >= fade)
    {
        return (pelt_playback){.base = now};
    }
    float part = (float)(since / fade);
    return (pelt_playback){.base = moment_of(act, baked, member, index - 1, since + period),
                           .next = now,
                           .fade = part * part * (3.0f - 2.0f * part)};
}

pelt_crowd_transform pelt_crowd_member_transform(const pelt_crowd_act* act, uint32_t member,
                                                 uint32_t count, float spacing)
{
    PELT_ASSERT(member < count);
    uint32_t columns = (uint32_t)ceil(sqrt((double)count)), rows = (count + columns - 1) / columns;
    float offset_x = 0.4f * (random_part(act, member, USE_X, 0) - 0.5f);
    float offset_z = 0.4f * (random_part(act, member, USE_Z, 0) - 0.5f);
    float x = (float)(member % columns) - 0.5f * (float)(columns - 1) + offset_x;
    float z = (float)(member / columns) - 0.5f * (float)(rows - 1) + offset_z;
    float heading = 2.0f * PELT_PI * random_part(act, member, USE_HEADING, 0);
    return (pelt_crowd_transform){
        .position = {spacing * x, 0.0f, spacing * z},
        .scale = 0.92f + 0.16f * random_part(act, member, USE_SIZE, 0),
        .rotation = {0.0f, sinf(0.5f * heading), 0.0f, cosf(0.5f * heading)},
    };
}

// ---------------------------------------------------------------------------------------------
// Culling and levels of detail

// Starts at the previous level and moves one level at a time, so that hysteresis applies to every
// limit.
static uint32_t next_level(uint32_t level, float distance, const pelt_crowd_view* view)
{
    uint32_t last = view->level_count > 0 ? view->level_count - 1 : 0;
    level = level < last ? level : last;
    while (level < last && distance > view->distances[level] * (1.0f + view->hysteresis))
    {
        ++level;
    }
    while (level > 0 && distance <= view->distances[level - 1] * (1.0f - view->hysteresis))
    {
        --level;
    }
    return level;
}

static float distance_to(const pelt_bounds* box, const pelt_crowd_transform* transform,
                         pelt_vec3 eye)
{
    pelt_vec3 middle = pelt_vec3_scale(pelt_vec3_lerp(box->min, box->max, 0.5f), transform->scale);
    pelt_vec3 center =
        pelt_vec3_add(transform->position, pelt_quat_rotate(transform->rotation, middle));
    return pelt_vec3_distance(center, eye);
}

uint32_t pelt_crowd_cull(pelt_crowd_visible* out, const pelt_crowd_members* members,
                         const pelt_crowd_view* view, pelt_range range)
{
    PELT_ASSERT(view->level_count <= PELT_CROWD_LEVEL_MAX);
    pelt_crowd_view here = *view;
    here.hysteresis = members->levels != NULL ? view->hysteresis : 0.0f;
    uint32_t count = 0;
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        const pelt_crowd_transform* transform = &members->transforms[i];
        pelt_bounds box = pelt_crowd_bounds_at(members->bounds, &members->playbacks[i]);
        pelt_crowd_visible seen = {.member = i,
                                   .distance = distance_to(&box, transform, view->eye)};
        seen.level =
            next_level(members->levels != NULL ? members->levels[i] : 0, seen.distance, &here);
        if (members->levels != NULL)
        {
            members->levels[i] = (uint8_t)seen.level;
        }
        if (view->has_no_culling || pelt_frustum_meets(&view->frustum, &box, transform))
        {
            out[count++] = seen;
        }
    }
    return count;
}

void pelt_crowd_sort(uint32_t* out, pelt_range levels[PELT_CROWD_LEVEL_MAX],
                     const pelt_crowd_visible* visible, uint32_t count)
{
    for (uint32_t level = 0; level < PELT_CROWD_LEVEL_MAX; ++level)
    {
        levels[level] = (pelt_range){0};
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        PELT_ASSERT(visible[i].level < PELT_CROWD_LEVEL_MAX);
        ++levels[visible[i].level].count;
    }
    uint32_t next[PELT_CROWD_LEVEL_MAX] = {0};
    for (uint32_t level = 1; level < PELT_CROWD_LEVEL_MAX; ++level)
    {
        levels[level].first = levels[level - 1].first + levels[level - 1].count;
        next[level] = levels[level].first;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        out[next[visible[i].level]++] = visible[i].member;
    }
}

// ---------------------------------------------------------------------------------------------
// Frustum

pelt_frustum pelt_frustum_of(const float clip_from_world[16])
{
    const float* m = clip_from_world;
    pelt_frustum frustum;
    for (int i = 0; i < 6; ++i)
    {
        // A point is inside where -w <= x, x <= w, -w <= y ...: planes are sums and differences of
        // the last row and another.
        int row = i / 2;
        float sign = i % 2 == 0 ? 1.0f : -1.0f;
        frustum.planes[i] = (pelt_vec4){m[3] + sign * m[row], m[7] + sign * m[4 + row],
                                        m[11] + sign * m[8 + row], m[15] + sign * m[12 + row]};
    }
    return frustum;
}

bool pelt_frustum_meets(const pelt_frustum* frustum, const pelt_bounds* box,
                        const pelt_crowd_transform* transform)
{
    // Twenty roundings of numbers as large as the largest term below.
    const float rounding = 2e-6f;
    pelt_vec3 middle = pelt_vec3_lerp(box->min, box->max, 0.5f);
    pelt_vec3 half = pelt_vec3_scale(pelt_vec3_sub(box->max, box->min), 0.5f * transform->scale);
    pelt_vec3 rotated =
        pelt_quat_rotate(transform->rotation, pelt_vec3_scale(middle, transform->scale));
    pelt_vec3 center = pelt_vec3_add(transform->position, rotated);
    pelt_mat3 axes = pelt_mat3_from_quat(transform->rotation);
    for (int i = 0; i < 6; ++i)
    {
        pelt_vec4 plane = frustum->planes[i];
        pelt_vec3 normal = {plane.x, plane.y, plane.z};
        float across = 0.0f; // from the center to the corner that is farthest inside
        for (int axis = 0; axis < 3; ++axis)
        {
            pelt_vec3 edge = {axes.m[0][axis], axes.m[1][axis], axes.m[2][axis]};
            across += fabsf(pelt_vec3_dot(normal, edge) * pelt_vec3_component(half, axis));
        }
        float size = pelt_vec3_length(normal) *
                         (pelt_vec3_length(transform->position) + pelt_vec3_length(rotated)) +
                     fabsf(plane.w) + across;
        // False for NaN as well: such a member is not culled.
        if (pelt_vec3_dot(normal, center) + plane.w + across < -rounding * size)
        {
            return false;
        }
    }
    return true;
}
