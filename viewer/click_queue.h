// SPDX-License-Identifier: MIT
// Presses and releases of a mouse button, one per frame, so that none is lost in a slow frame.
#ifndef PELT_CLICK_QUEUE_H
#define PELT_CLICK_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum
{
    CLICK_QUEUE_MAX = 16,
};

typedef struct click_event
{
    bool is_press;
    bool is_double; ///< the second press of a double click
} click_event;

/// {0} is a button that is up.
typedef struct click_queue
{
    click_event events[CLICK_QUEUE_MAX]; ///< oldest first
    uint32_t count;
    bool is_down;      ///< in this frame
    bool is_double;    ///< a double click in this frame
    bool has_press;    ///< the last press can be the first of a double click
    double press_time; ///< of the last press, seconds
    float press_position[2];
} click_queue;

/// Add an event.
///
/// Events are seen when a frame begins, so that the time between two of them is known to within the
/// duration of a frame: a double click is allowed so much more than the usual 0.3 s.
///
/// @param time           when it was seen, seconds
/// @param frame_seconds  duration of the last frame
/// @param position       of the mouse, pixels
void click_queue_add(click_queue* inout, bool is_press, double time, double frame_seconds,
                     const float position[2]);

/// Begin a frame: take the next event, if there is one, into is_down and is_double.
void click_queue_next(click_queue* inout);

#ifdef __cplusplus
}
#endif

#endif
