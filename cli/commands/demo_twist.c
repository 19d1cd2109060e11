// SPDX-License-Identifier: MIT
// The built-in human with twist joints along a forearm.
#include "demo_twist.h"
#include "pelt/prepare.h"

#include "message.h"

enum
{
    KEY_COUNT = 3, // at half a turn a shorter arc would not know which way
};

// Keys of a hand that rolls, about the bone that it ends.
static void write_keys(float* values, pelt_quat rest)
{
    for (int i = 0; i < KEY_COUNT; ++i)
    {
        float angle = PELT_PI * (float)i / (KEY_COUNT - 1);
        pelt_quat roll = pelt_quat_axis_angle(pelt_vec3_make(1.0f, 0.0f, 0.0f), angle);
        pelt_quat key = pelt_quat_mul(rest, roll);
        values[4 * i + 0] = key.x;
        values[4 * i + 1] = key.y;
        values[4 * i + 2] = key.z;
        values[4 * i + 3] = key.w;
    }
}

int demo_twist_create(pelt_scene** out, const pelt_scene* human, uint32_t count)
{
    // Twist joints follow clips, and the built-in ones turn the whole body as well.
    static const float times[KEY_COUNT] = {0.0f, 0.5f, 1.0f};
    float values[KEY_COUNT * 4];
    uint32_t hand = pelt_scene_find_node(human, "hand_l");
    write_keys(values, human->nodes[hand].rest.rotation);
    pelt_track track = {.target = hand,
                        .path = PELT_PATH_ROTATION,
                        .key_count = KEY_COUNT,
                        .width = 4,
                        .times = times,
                        .values = values};
    pelt_clip clip = {.name = "roll", .duration = 1.0f, .track_count = 1, .tracks = &track};
    pelt_scene scene = *human;
    scene.clip_count = 1;
    scene.clips = &clip;

    pelt_error error = {0};
    pelt_twist request = {pelt_scene_find_node(human, "forearm_l"), count, PELT_TWIST_CHILD};
    pelt_twist_options options = {.twist_count = 1, .twists = &request};
    return message_error(pelt_twist_add(out, &scene, &options, NULL, &error), &error);
}
