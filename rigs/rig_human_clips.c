// SPDX-License-Identifier: MIT
// Clips of the human. Angles in degrees, for the left side: an arm along +x is lowered by a
// rotation about -z and bent forwards about -y, a leg along -y swings forwards about -x.
#include "rig_clips.h"
#include "rig_human.h"

// Bend the joints of every finger of a hand; 0 straight, 1 a fist.
static void curl_fingers(const rig_moment* m, rig_side side, float curl)
{
    static const uint32_t rows[4] = {HUMAN_INDEX, HUMAN_MIDDLE, HUMAN_RING, HUMAN_LITTLE};
    for (int i = 0; i < 4; ++i)
    {
        // Fingers that spread at rest close up as they bend.
        float close = curl * (1.5f - (float)i) * 4.0f;
        rig_pose_angles(m, rows[i], side, 0.0f, close, -80.0f * curl);
        rig_pose_angles(m, rows[i] + 1, side, 0.0f, 0.0f, -95.0f * curl);
        rig_pose_angles(m, rows[i] + 2, side, 0.0f, 0.0f, -65.0f * curl);
    }
    rig_pose_angles(m, HUMAN_THUMB, side, 10.0f * curl, 12.0f * curl, -38.0f * curl);
    rig_pose_angles(m, HUMAN_THUMB + 1, side, 0.0f, 32.0f * curl, -12.0f * curl);
    rig_pose_angles(m, HUMAN_THUMB + 2, side, 0.0f, 48.0f * curl, 0.0f);
}

// An arm hanging at the side.
static void hang_arm(const rig_moment* m, rig_side side, float swing, float elbow)
{
    rig_pose_angles(m, HUMAN_CLAVICLE, side, 0.0f, 0.0f, -7.0f);
    rig_pose_angles(m, HUMAN_UPPER_ARM, side, swing, 0.0f, -68.0f);
    rig_pose_angles(m, HUMAN_FOREARM, side, 0.0f, -elbow, 0.0f);
    rig_pose_angles(m, HUMAN_HAND, side, 0.0f, 0.0f, -6.0f);
    curl_fingers(m, side, 0.22f);
}

// Angles of a leg about x: hips, thigh, knee and ankle, each against its parent.
typedef struct leg_pose
{
    float hips, thigh, knee, foot;
    float spread; ///< of the thigh outwards; the foot stays vertical
} leg_pose;

static pelt_vec3 bone(const rig_moment* m, uint32_t from, uint32_t to)
{
    return pelt_vec3_sub(rig_joint_position(m->rig, m->map->left[to]),
                         rig_joint_position(m->rig, m->map->left[from]));
}

// Where a posed leg puts its heel or its ball, relative to the hips.
static pelt_vec3 sole_point(const rig_moment* m, const leg_pose* leg, pelt_vec3 from_ankle)
{
    pelt_quat q = rig_rotation(leg->hips, 0.0f, 0.0f);
    pelt_vec3 p = pelt_quat_rotate(q, bone(m, HUMAN_HIPS, HUMAN_THIGH));
    q = pelt_quat_mul(q, rig_twist_lift(leg->thigh, leg->spread));
    p = pelt_vec3_add(p, pelt_quat_rotate(q, bone(m, HUMAN_THIGH, HUMAN_SHIN)));
    q = pelt_quat_mul(q, rig_rotation(leg->knee, 0.0f, 0.0f));
    p = pelt_vec3_add(p, pelt_quat_rotate(q, bone(m, HUMAN_SHIN, HUMAN_FOOT)));
    q = pelt_quat_mul(q, rig_rotation(leg->foot, 0.0f, -leg->spread));
    return pelt_vec3_add(p, pelt_quat_rotate(q, from_ankle));
}

static void pose_leg(const rig_moment* m, rig_side side, const leg_pose* leg)
{
    rig_pose_quat(m, HUMAN_THIGH, side, rig_twist_lift(leg->thigh, leg->spread));
    rig_pose_angles(m, HUMAN_SHIN, side, leg->knee, 0.0f, 0.0f);
    rig_pose_angles(m, HUMAN_FOOT, side, leg->foot, 0.0f, -leg->spread);
}

// The lower of heel and ball, as a height above the hips.
static float sole_height(const rig_moment* m, const leg_pose* leg)
{
    pelt_vec3 heel = sole_point(m, leg, pelt_vec3_make(0.0f, -0.094f, -0.030f));
    pelt_vec3 ball = sole_point(m, leg, pelt_vec3_make(0.0f, -0.094f, 0.120f));
    return fminf(heel.y, ball.y);
}

// One leg of a walk, its heel touching the floor at phase 0. The bumps follow the usual curves of
// gait analysis: the knee gives a little under the load and folds in the swing; the ankle rolls
// over the standing foot, pushes off, and lifts the toes.
static leg_pose walk_leg(float phase)
{
    leg_pose leg = {0};
    leg.thigh = -6.0f - 23.0f * rig_cosine(phase + 0.03f);
    leg.knee = 5.0f + 12.0f * rig_bump(phase, 0.13f, 0.10f) + 55.0f * rig_bump(phase, 0.73f, 0.15f);
    leg.foot = 6.0f * rig_bump(phase, 0.07f, 0.05f) - 9.0f * rig_bump(phase, 0.42f, 0.14f) +
               17.0f * rig_bump(phase, 0.64f, 0.07f);
    return leg;
}

static void walk_keys(const rig_moment* m)
{
    float sway = rig_sine(m->phase), swing = rig_cosine(m->phase);
    leg_pose left = walk_leg(m->phase), right = walk_leg(m->phase + 0.5f);
    // The lower foot is on the floor: this lifts and lowers the body by itself.
    float hips = rig_joint_position(m->rig, m->map->left[HUMAN_HIPS]).y;
    float lift = -hips - fminf(sole_height(m, &left), sole_height(m, &right));
    rig_pose_offset(m, HUMAN_HIPS, RIG_LEFT, pelt_vec3_make(0.018f * sway, lift, 0.0f));
    rig_pose_angles(m, HUMAN_HIPS, RIG_LEFT, 0.0f, -6.0f * swing, -2.5f * sway);
    rig_pose_angles(m, HUMAN_SPINE, RIG_LEFT, 2.0f, 4.0f * swing, 1.5f * sway);
    rig_pose_angles(m, HUMAN_WAIST, RIG_LEFT, 1.0f, 5.0f * swing, 1.5f * sway);
    rig_pose_angles(m, HUMAN_CHEST, RIG_LEFT, 1.0f, 5.0f * swing, 1.0f * sway);
    rig_pose_angles(m, HUMAN_NECK, RIG_LEFT, -1.0f, -4.0f * swing, -0.5f * sway);
    rig_pose_angles(m, HUMAN_HEAD, RIG_LEFT, -2.0f, -4.0f * swing, -1.0f * sway);
    pose_leg(m, RIG_LEFT, &left);
    pose_leg(m, RIG_RIGHT, &right);
    rig_pose_angles(m, HUMAN_TOE, RIG_LEFT, -28.0f * rig_bump(m->phase, 0.58f, 0.08f), 0.0f, 0.0f);
    rig_pose_angles(m, HUMAN_TOE, RIG_RIGHT, -28.0f * rig_bump(m->phase, 0.08f, 0.08f), 0.0f, 0.0f);
    hang_arm(m, RIG_LEFT, 4.0f + 22.0f * swing, 22.0f - 12.0f * swing);
    hang_arm(m, RIG_RIGHT, 4.0f - 22.0f * swing, 22.0f + 12.0f * swing);
}

static void wave_keys(const rig_moment* m)
{
    float beat = rig_sine(2.0f * m->phase), breath = rig_sine(m->phase);
    hang_arm(m, RIG_LEFT, 3.0f * breath, 14.0f);
    rig_pose_angles(m, HUMAN_CLAVICLE, RIG_RIGHT, 0.0f, 0.0f, 12.0f);
    rig_pose_quat(m, HUMAN_UPPER_ARM, RIG_RIGHT, rig_twist_lift(-78.0f, 12.0f + 4.0f * beat));
    rig_pose_angles(m, HUMAN_FOREARM, RIG_RIGHT, 0.0f, -80.0f + 22.0f * beat, 0.0f);
    // The hand trails behind the forearm.
    float late = rig_sine(2.0f * m->phase - 0.12f);
    rig_pose_angles(m, HUMAN_HAND, RIG_RIGHT, 0.0f, 16.0f * late, 8.0f);
    curl_fingers(m, RIG_RIGHT, 0.10f + 0.08f * rig_cosine(2.0f * m->phase));
    rig_pose_angles(m, HUMAN_SPINE, RIG_LEFT, 0.0f, 0.0f, 1.5f + 1.0f * breath);
    rig_pose_angles(m, HUMAN_CHEST, RIG_LEFT, -2.0f, -5.0f, 2.0f + 1.0f * beat);
    rig_pose_angles(m, HUMAN_NECK, RIG_LEFT, 0.0f, -4.0f, -3.0f);
    rig_pose_angles(m, HUMAN_HEAD, RIG_LEFT, 0.0f, -6.0f, -5.0f - 2.0f * breath);
}

// From hanging (0) to held out in front (1).
static void reach_ahead(const rig_moment* m, rig_side side, float reach)
{
    pelt_quat down = rig_rotation(0.0f, 0.0f, -68.0f);
    // The last rotation compensates that the trunk bends forwards.
    pelt_quat ahead =
        pelt_quat_mul(rig_rotation(-24.0f, 0.0f, 0.0f), rig_rotation(0.0f, -80.0f, 0.0f));
    rig_pose_angles(m, HUMAN_CLAVICLE, side, 0.0f, -12.0f * reach, -7.0f * (1.0f - reach));
    rig_pose_quat(m, HUMAN_UPPER_ARM, side, pelt_quat_slerp(down, ahead, reach));
    rig_pose_angles(m, HUMAN_FOREARM, side, 0.0f, -14.0f, 0.0f);
    rig_pose_angles(m, HUMAN_HAND, side, 0.0f, 0.0f, -4.0f);
    curl_fingers(m, side, 0.15f);
}

static void squat_keys(const rig_moment* m)
{
    float depth = 0.5f - 0.5f * rig_cosine(m->phase);
    // Thigh and shin rotate in opposite directions; the ankle keeps the foot flat.
    leg_pose leg = {.hips = 24.0f * depth, .spread = 14.0f * depth};
    float shin = 32.0f * depth;
    leg.thigh = -88.0f * depth - leg.hips;
    leg.knee = shin - leg.thigh - leg.hips;
    leg.foot = -shin;
    pelt_vec3 rest =
        pelt_vec3_add(bone(m, HUMAN_HIPS, HUMAN_SHIN), bone(m, HUMAN_SHIN, HUMAN_FOOT));
    pelt_vec3 ankle = sole_point(m, &leg, pelt_vec3_make(0.0f, 0.0f, 0.0f));
    rig_pose_offset(m, HUMAN_HIPS, RIG_LEFT,
                    pelt_vec3_make(0.0f, rest.y - ankle.y, rest.z - ankle.z));
    rig_pose_angles(m, HUMAN_HIPS, RIG_LEFT, leg.hips, 0.0f, 0.0f);
    rig_pose_angles(m, HUMAN_SPINE, RIG_LEFT, 4.0f * depth, 0.0f, 0.0f);
    rig_pose_angles(m, HUMAN_WAIST, RIG_LEFT, 3.0f * depth, 0.0f, 0.0f);
    rig_pose_angles(m, HUMAN_CHEST, RIG_LEFT, -4.0f * depth, 0.0f, 0.0f);
    rig_pose_angles(m, HUMAN_NECK, RIG_LEFT, -9.0f * depth, 0.0f, 0.0f);
    rig_pose_angles(m, HUMAN_HEAD, RIG_LEFT, -12.0f * depth, 0.0f, 0.0f);
    for (rig_side side = RIG_LEFT; side <= RIG_RIGHT; ++side)
    {
        pose_leg(m, side, &leg);
        reach_ahead(m, side, depth);
    }
}

static void twist_keys(const rig_moment* m)
{
    float twist = rig_sine(m->phase);
    rig_pose_angles(m, HUMAN_SPINE, RIG_LEFT, 0.0f, 20.0f * twist, 0.0f);
    rig_pose_angles(m, HUMAN_WAIST, RIG_LEFT, 0.0f, 25.0f * twist, 0.0f);
    rig_pose_angles(m, HUMAN_CHEST, RIG_LEFT, 0.0f, 25.0f * twist, 0.0f);
    rig_pose_angles(m, HUMAN_NECK, RIG_LEFT, 0.0f, -35.0f * twist, 0.0f);
    rig_pose_angles(m, HUMAN_HEAD, RIG_LEFT, 0.0f, -40.0f * twist, 0.0f);
    for (rig_side side = RIG_LEFT; side <= RIG_RIGHT; ++side)
    {
        // Both arms screw inwards together, then outwards.
        rig_pose_angles(m, HUMAN_UPPER_ARM, side, 35.0f * twist, 0.0f, -15.0f);
        rig_pose_angles(m, HUMAN_FOREARM, side, 80.0f * twist, 0.0f, 0.0f);
        rig_pose_angles(m, HUMAN_HAND, side, 75.0f * twist, 0.0f, 0.0f);
    }
}

// An arm that reaches up and folds behind the head.
static void fold_arm(const rig_moment* m, rig_side side, float fold, float lift)
{
    rig_pose_angles(m, HUMAN_CLAVICLE, side, 0.0f, 0.0f, 0.22f * lift);
    rig_pose_quat(m, HUMAN_UPPER_ARM, side, rig_twist_lift(-70.0f * fold, lift));
    rig_pose_angles(m, HUMAN_FOREARM, side, 0.0f, -135.0f * fold, 0.0f);
    rig_pose_angles(m, HUMAN_HAND, side, 0.0f, 0.0f, -70.0f * fold);
    curl_fingers(m, side, fold);
}

static void extreme_keys(const rig_moment* m)
{
    float left = 0.5f - 0.5f * rig_cosine(m->phase);
    float right = 0.5f - 0.5f * rig_cosine(2.0f * m->phase);
    fold_arm(m, RIG_LEFT, left, 60.0f * left);
    fold_arm(m, RIG_RIGHT, right, -75.0f * right);
    leg_pose high = {.thigh = -110.0f * left, .knee = 130.0f * left, .foot = 35.0f * left};
    leg_pose back = {.thigh = 25.0f * right, .knee = 100.0f * right, .foot = -20.0f * right};
    high.spread = 20.0f * left;
    pose_leg(m, RIG_LEFT, &high);
    pose_leg(m, RIG_RIGHT, &back);
    rig_pose_angles(m, HUMAN_TOE, RIG_LEFT, 40.0f * left, 0.0f, 0.0f);
    rig_pose_angles(m, HUMAN_TOE, RIG_RIGHT, -45.0f * right, 0.0f, 0.0f);
    float bend = rig_sine(m->phase);
    rig_pose_angles(m, HUMAN_SPINE, RIG_LEFT, 22.0f * left, 0.0f, 14.0f * bend);
    rig_pose_angles(m, HUMAN_WAIST, RIG_LEFT, 22.0f * left, 10.0f * bend, 14.0f * bend);
    rig_pose_angles(m, HUMAN_CHEST, RIG_LEFT, 16.0f * left, 10.0f * bend, 8.0f * bend);
    rig_pose_angles(m, HUMAN_NECK, RIG_LEFT, -25.0f * left, 0.0f, -20.0f * bend);
    rig_pose_angles(m, HUMAN_HEAD, RIG_LEFT, -30.0f * left, 0.0f, -20.0f * bend);
    rig_pose_angles(m, HUMAN_JAW, RIG_LEFT, 8.0f * left, 0.0f, 0.0f);
}

void rig_human_clips(rig_builder* rig, const rig_character_map* map)
{
    rig_clip_sample(rig, map, "walk", 1.1f, 24, walk_keys);
    rig_clip_sample(rig, map, "wave", 2.0f, 32, wave_keys);
    rig_clip_sample(rig, map, "squat", 2.4f, 24, squat_keys);
    rig_clip_sample(rig, map, "twist", 3.0f, 24, twist_keys);
    rig_clip_sample(rig, map, "extreme", 4.0f, 32, extreme_keys);
}
