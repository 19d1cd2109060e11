// SPDX-License-Identifier: MIT
#include "click_queue.h"

#include <math.h>
#include <string.h>

static const double double_click_seconds = 0.3;
static const float double_click_pixels = 6.0f;

static bool is_second_press(const click_queue* in, double time, double frame_seconds,
                            const float position[2])
{
    float distance =
        hypotf(position[0] - in->press_position[0], position[1] - in->press_position[1]);
    return in->has_press && time - in->press_time <= double_click_seconds + frame_seconds &&
           distance <= double_click_pixels;
}

void click_queue_add(click_queue* inout, bool is_press, double time, double frame_seconds,
                     const float position[2])
{
    click_event event = {.is_press = is_press};
    if (is_press)
    {
        event.is_double = is_second_press(inout, time, frame_seconds, position);
        inout->has_press = !event.is_double;
        inout->press_time = time;
        memcpy(inout->press_position, position, sizeof inout->press_position);
    }
    // More events than fit are of no use, but the last one says whether the button is down.
    uint32_t index = inout->count < CLICK_QUEUE_MAX ? inout->count++ : CLICK_QUEUE_MAX - 1u;
    inout->events[index] = event;
}

void click_queue_next(click_queue* inout)
{
    inout->is_double = false;
    if (inout->count == 0)
    {
        return;
    }
    inout->is_down = inout->events[0].is_press;
    inout->is_double = inout->events[0].is_double;
    --inout->count;
    memmove(inout->events, inout->events + 1, inout->count * sizeof *inout->events);
}
