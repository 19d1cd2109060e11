// SPDX-License-Identifier: MIT
// The bounding box of a character that plays from a bake: the boxes of its keys, and a margin
// during a cross-fade.
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
