// SPDX-License-Identifier: MIT
// Clips as functions of time.
#include "rig_clips.h"

void rig_clip_sample(rig_builder* rig, const rig_character_map* map, const char* name,
                     float duration, uint32_t key_count, rig_moment_keys keys)
{
    rig_clip(rig, name, duration);
    for (uint32_t i = 0; i <= key_count; ++i)
    {
        float t = (float)i / (float)key_count;
        // The last key repeats the first to the last bit.
        rig_moment moment = {
            .rig = rig, .map = map, .time = t * duration, .phase = i == key_count ? 0.0f : t};
        keys(&moment);
    }
}

static float radians(float degrees)
{
    return degrees * (PELT_PI / 180.0f);
}

pelt_quat rig_rotation(float x, float y, float z)
{
    pelt_quat qx = pelt_quat_axis_angle(pelt_vec3_make(1.0f, 0.0f, 0.0f), radians(x));
    pelt_quat qy = pelt_quat_axis_angle(pelt_vec3_make(0.0f, 1.0f, 0.0f), radians(y));
    pelt_quat qz = pelt_quat_axis_angle(pelt_vec3_make(0.0f, 0.0f, 1.0f), radians(z));
    return pelt_quat_mul(qx, pelt_quat_mul(qy, qz));
}

pelt_quat rig_twist_lift(float x, float z)
{
    return pelt_quat_mul(rig_rotation(0.0f, 0.0f, z), rig_rotation(x, 0.0f, 0.0f));
}

void rig_pose_quat(const rig_moment* m, uint32_t row, rig_side side, pelt_quat rotation)
{
    uint32_t joint = side == RIG_RIGHT ? m->map->right[row] : m->map->left[row];
    if (side == RIG_RIGHT)
    {
        // A mirror across x = 0 keeps rotations about x and reverses the others.
        rotation = pelt_quat_make(rotation.x, -rotation.y, -rotation.z, rotation.w);
    }
    rig_key_rotation(m->rig, joint, m->time, rotation);
}

void rig_pose_angles(const rig_moment* m, uint32_t row, rig_side side, float x, float y, float z)
{
    rig_pose_quat(m, row, side, rig_rotation(x, y, z));
}

void rig_pose_offset(const rig_moment* m, uint32_t row, rig_side side, pelt_vec3 offset)
{
    uint32_t joint = side == RIG_RIGHT ? m->map->right[row] : m->map->left[row];
    offset.x = side == RIG_RIGHT ? -offset.x : offset.x;
    rig_key_offset(m->rig, joint, m->time, offset);
}

float rig_sine(float phase)
{
    return sinf(2.0f * PELT_PI * phase);
}

float rig_cosine(float phase)
{
    return cosf(2.0f * PELT_PI * phase);
}

float rig_bump(float phase, float center, float width)
{
    float x = phase - center;
    x = (x - roundf(x)) / width;
    return expf(-x * x);
}
