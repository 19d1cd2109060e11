// SPDX-License-Identifier: MIT
// Clips of the raptor. Angles in degrees: a leg along -y swings forwards about -x, the head along
// +z rises about -x.
#include "rig_clips.h"
#include "rig_raptor.h"

// A wave that runs down the tail and grows towards its end.
static void wave_tail(const rig_moment* m, float swing, float lift, float lag)
{
    for (uint32_t i = 0; i < RAPTOR_TAIL_COUNT; ++i)
    {
        float along = (float)i / (float)(RAPTOR_TAIL_COUNT - 1);
        float strength = 0.4f + 0.6f * along;
        float angle = swing * strength * rig_sine(m->phase - lag * along);
        float rise = lift * strength * rig_cosine(m->phase - lag * along);
        rig_pose_angles(m, RAPTOR_TAIL + i, RIG_LEFT, rise, angle, 0.0f);
    }
}

// @param base  angle between toes and foot
// @param curl  angle within the toes
static void pose_toes(const rig_moment* m, rig_side side, float base, float curl)
{
    for (uint32_t i = 1; i < RAPTOR_TOE_COUNT; ++i)
    {
        rig_pose_angles(m, RAPTOR_TOE_1 + 2 * i, side, base, 0.0f, 0.0f);
        rig_pose_angles(m, RAPTOR_TOE_1 + 2 * i + 1, side, curl, 0.0f, 0.0f);
    }
}

// Angles of a leg about x, each against its parent.
typedef struct leg_pose
{
    float thigh, knee, ankle;
} leg_pose;

// One leg of a run, touching down in front at phase 0 and pushing off near 0.4.
static leg_pose run_leg(float phase)
{
    leg_pose leg;
    leg.thigh = -8.0f - 32.0f * rig_cosine(phase);
    leg.knee = 8.0f + 42.0f * rig_bump(phase, 0.68f, 0.17f) - 22.0f * rig_bump(phase, 0.40f, 0.14f);
    leg.ankle = 12.0f + 18.0f * rig_cosine(phase) + 26.0f * rig_bump(phase, 0.42f, 0.12f) -
                20.0f * rig_bump(phase, 0.20f, 0.12f) - 30.0f * rig_bump(phase, 0.72f, 0.15f);
    return leg;
}

static void pose_leg(const rig_moment* m, rig_side side, const leg_pose* leg, float phase)
{
    rig_pose_angles(m, RAPTOR_THIGH, side, leg->thigh, 0.0f, 0.0f);
    rig_pose_angles(m, RAPTOR_SHIN, side, leg->knee, 0.0f, 0.0f);
    rig_pose_angles(m, RAPTOR_FOOT, side, leg->ankle, 0.0f, 0.0f);
    // Toes on the ground compensate the rotation of the leg; those in the air hang.
    float stance = rig_bump(phase, 0.17f, 0.20f), swing = 1.0f - stance;
    float flat = -(leg->thigh + leg->knee + leg->ankle);
    pose_toes(m, side, 10.0f * swing + flat * stance, 14.0f * swing);
}

static pelt_vec3 bone(const rig_moment* m, uint32_t from, uint32_t to)
{
    return pelt_vec3_sub(rig_joint_position(m->rig, m->map->left[to]),
                         rig_joint_position(m->rig, m->map->left[from]));
}

// How far a pose lifts the root of the middle toe against the hips.
static float toe_rise(const rig_moment* m, const leg_pose* leg)
{
    static const uint32_t rows[4] = {RAPTOR_THIGH, RAPTOR_SHIN, RAPTOR_FOOT, RAPTOR_TOE_3};
    const float angles[3] = {leg->thigh, leg->knee, leg->ankle};
    float rise = 0.0f, angle = 0.0f;
    for (int i = 0; i < 3; ++i)
    {
        angle += angles[i];
        pelt_vec3 rest = bone(m, rows[i], rows[i + 1]);
        rise += pelt_quat_rotate(rig_rotation(angle, 0.0f, 0.0f), rest).y - rest.y;
    }
    return rise;
}

static void run_keys(const rig_moment* m)
{
    float sway = rig_sine(m->phase), step = rig_cosine(2.0f * m->phase);
    leg_pose left = run_leg(m->phase), right = run_leg(m->phase + 0.5f);
    // The lower foot is on the floor, but for a moment of flight after each push.
    float lift = -fminf(toe_rise(m, &left), toe_rise(m, &right)) + 0.03f + 0.02f * step;
    rig_pose_offset(m, RAPTOR_HIPS, RIG_LEFT, pelt_vec3_make(0.012f * sway, lift, 0.0f));
    pose_leg(m, RIG_LEFT, &left, m->phase);
    pose_leg(m, RIG_RIGHT, &right, m->phase + 0.5f);
    rig_pose_angles(m, RAPTOR_HIPS, RIG_LEFT, 3.0f * step, -5.0f * rig_cosine(m->phase),
                    3.0f * sway);
    wave_tail(m, 4.0f, 0.8f, 0.5f);
    for (uint32_t i = 0; i < RAPTOR_SPINE_COUNT; ++i)
    {
        rig_pose_angles(m, RAPTOR_SPINE + i, RIG_LEFT, -0.5f * step, 1.5f * rig_cosine(m->phase),
                        0.0f);
    }
    for (uint32_t i = 0; i < RAPTOR_NECK_COUNT; ++i)
    {
        // The lower neck reaches forwards, the upper keeps the head level.
        float reach = i < 3 ? 7.0f : -5.0f;
        rig_pose_angles(m, RAPTOR_NECK + i, RIG_LEFT, reach + 1.0f * step, 0.0f, -0.6f * sway);
    }
    rig_pose_angles(m, RAPTOR_HEAD, RIG_LEFT, -6.0f - 2.0f * step, 0.0f, 0.0f);
    for (rig_side side = RIG_LEFT; side <= RIG_RIGHT; ++side)
    {
        rig_pose_angles(m, RAPTOR_UPPER_ARM, side, 14.0f + 4.0f * step, 0.0f, 0.0f);
        rig_pose_angles(m, RAPTOR_FOREARM, side, -16.0f, 0.0f, 0.0f);
        rig_pose_angles(m, RAPTOR_HAND, side, 22.0f + 5.0f * step, 0.0f, 0.0f);
    }
}

static void tail_keys(const rig_moment* m)
{
    wave_tail(m, 22.0f, 7.0f, 0.8f);
    rig_pose_angles(m, RAPTOR_HIPS, RIG_LEFT, 0.0f, 5.0f * rig_sine(m->phase + 0.1f), 0.0f);
    for (uint32_t i = 0; i < RAPTOR_NECK_COUNT; ++i)
    {
        rig_pose_angles(m, RAPTOR_NECK + i, RIG_LEFT, 0.0f, -3.0f * rig_sine(m->phase), 0.0f);
    }
}

static void roar_keys(const rig_moment* m)
{
    // Draw back, then thrust and hold, then settle.
    float draw = rig_bump(m->phase, 0.22f, 0.11f);
    float roar = rig_bump(m->phase, 0.55f, 0.19f);
    float shake = roar * rig_sine(9.0f * m->phase);
    rig_pose_angles(m, RAPTOR_HIPS, RIG_LEFT, -4.0f * draw + 5.0f * roar, 0.0f, 0.0f);
    for (uint32_t i = 0; i < RAPTOR_SPINE_COUNT; ++i)
    {
        rig_pose_angles(m, RAPTOR_SPINE + i, RIG_LEFT, -3.0f * draw - 2.0f * roar, 0.0f, 0.0f);
    }
    for (uint32_t i = 0; i < RAPTOR_NECK_COUNT; ++i)
    {
        float bend = i < 3 ? -8.0f * draw + 11.0f * roar : 9.0f * draw - 10.0f * roar;
        rig_pose_angles(m, RAPTOR_NECK + i, RIG_LEFT, bend, 1.2f * shake, 0.8f * shake);
    }
    rig_pose_angles(m, RAPTOR_HEAD, RIG_LEFT, 14.0f * draw - 16.0f * roar, 3.0f * shake, 0.0f);
    rig_pose_angles(m, RAPTOR_JAW, RIG_LEFT, 34.0f * roar + 2.0f * shake, 0.0f, 0.0f);
    wave_tail(m, 3.0f, 0.6f, 0.6f);
    for (rig_side side = RIG_LEFT; side <= RIG_RIGHT; ++side)
    {
        rig_pose_angles(m, RAPTOR_UPPER_ARM, side, -24.0f * roar, 0.0f, 18.0f * roar);
        rig_pose_angles(m, RAPTOR_FOREARM, side, -20.0f * roar, 0.0f, 0.0f);
        for (uint32_t row = RAPTOR_FINGER_1; row <= RAPTOR_FINGER_3; row += 3)
        {
            rig_pose_angles(m, row, side, -22.0f * roar, 0.0f, 0.0f);
            rig_pose_angles(m, row + 1, side, -14.0f * roar, 0.0f, 0.0f);
        }
    }
}

void rig_raptor_clips(rig_builder* rig, const rig_character_map* map)
{
    rig_clip_sample(rig, map, "run", 0.64f, 24, run_keys);
    rig_clip_sample(rig, map, "tail", 2.0f, 32, tail_keys);
    rig_clip_sample(rig, map, "roar", 2.6f, 48, roar_keys);
}
