// SPDX-License-Identifier: MIT
// What people type and click, and the colors that they read.
#define _POSIX_C_SOURCE 200809L

#include "desktop.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool means(const char* text, const char* path)
{
    char out[64];
    return typed_path_read(out, sizeof out, text) && strcmp(out, path) == 0;
}

static int paths_are_read_as_people_paste_them(void)
{
    char old[512];
    snprintf(old, sizeof old, "%s", getenv("HOME") != NULL ? getenv("HOME") : "");
    setenv("HOME", "/users/me", 1);
    bool is_right = means("a.glb", "a.glb") && means("  /x/a b.glb\n", "/x/a b.glb") &&
                    means("\"/x/a b.glb\"", "/x/a b.glb") && means("'/x/a b.glb' ", "/x/a b.glb") &&
                    means("~/x.glb", "/users/me/x.glb") && means("~", "/users/me") &&
                    means("'~/x.glb'", "/users/me/x.glb") && means("~other/x", "~other/x") &&
                    means("file:///x/a%20b%25.glb", "/x/a b%.glb") &&
                    means("file://localhost/x/%C3%A4.glb", "/x/\xc3\xa4.glb") &&
                    means("FILE:///x", "/x") && means("rig:human", "rig:human");
    // What is no code stays: a name can have a percent sign.
    bool is_kept = means("file:///100%", "/100%") && means("file:///%zz%00", "/%zz%00") &&
                   means("100%25.glb", "100%25.glb") && means("'", "'") && means("", "");
    char small[10];
    bool is_bounded = !typed_path_read(small, sizeof small, "/0123456789") &&
                      !typed_path_read(small, sizeof small, "~/x");
    setenv("HOME", old, 1);
    ENSURE(is_right);
    ENSURE(is_kept);
    ENSURE(is_bounded);
    return 0;
}

static void tap(click_queue* inout, double time, double frame, float x)
{
    const float position[2] = {x, 20.0f};
    click_queue_add(inout, true, time, frame, position);
    click_queue_add(inout, false, time, frame, position);
}

// @return the frame in which it is a double click, or -1
static int double_click_frame(click_queue* inout)
{
    int found = -1;
    for (int i = 0; i < 8; ++i)
    {
        click_queue_next(inout);
        found = inout->is_double ? i : found;
    }
    return found;
}

static int clicks_within_one_slow_frame_are_a_double_click(void)
{
    click_queue queue = {0};
    tap(&queue, 10.0, 1.5, 5.0f);
    tap(&queue, 10.0, 1.5, 6.0f);
    const bool expected[5] = {true, false, true, false, false};
    for (int i = 0; i < 5; ++i)
    {
        click_queue_next(&queue);
        ENSURE(queue.is_down == expected[i] && queue.is_double == (i == 2));
    }
    return 0;
}

static int a_double_click_may_take_a_frame_longer(void)
{
    click_queue slow = {0}, fast = {0}, apart = {0};
    tap(&slow, 1.0, 0.5, 5.0f);
    tap(&slow, 1.7, 0.5, 5.0f);
    ENSURE(double_click_frame(&slow) == 2);
    tap(&fast, 1.0, 0.016, 5.0f);
    tap(&fast, 1.7, 0.016, 5.0f);
    ENSURE(double_click_frame(&fast) == -1);
    tap(&apart, 1.0, 0.016, 5.0f);
    tap(&apart, 1.1, 0.016, 45.0f);
    ENSURE(double_click_frame(&apart) == -1);
    return 0;
}

static int three_clicks_are_one_double_click(void)
{
    click_queue queue = {0};
    int count = 0;
    for (int i = 0; i < 3; ++i)
    {
        tap(&queue, 1.0 + 0.1 * i, 0.016, 5.0f);
    }
    for (int i = 0; i < 8; ++i)
    {
        click_queue_next(&queue);
        count += queue.is_double ? 1 : 0;
    }
    ENSURE(count == 1);
    return 0;
}

static int a_flood_of_clicks_ends_as_the_last_one(void)
{
    click_queue queue = {0};
    for (int i = 0; i < 100; ++i)
    {
        tap(&queue, 1.0, 1.0, 5.0f);
    }
    for (int i = 0; i < CLICK_QUEUE_MAX + 1; ++i)
    {
        click_queue_next(&queue);
    }
    ENSURE(!queue.is_down && queue.count == 0);
    return 0;
}

// Source: https://www.w3.org/TR/WCAG21/#dfn-relative-luminance
static double linear(float channel)
{
    double c = (double)channel;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(theme_color in)
{
    return 0.2126 * linear(in.red) + 0.7152 * linear(in.green) + 0.0722 * linear(in.blue);
}

static double contrast(theme_color a, theme_color b)
{
    double x = luminance(a), y = luminance(b);
    return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

static int text_has_enough_contrast(void)
{
    const theme_color below[] = {theme.paper,  theme.field,         theme.button,
                                 theme.chosen, theme.field_hovered, theme.hovered,
                                 theme.grab,   theme.grab_active,   theme.progress,
                                 theme.title,  theme.section};
    for (size_t i = 0; i < sizeof below / sizeof *below; ++i)
    {
        ENSURE(contrast(theme.ink, below[i]) >= 4.5);
    }
    ENSURE(contrast(theme.muted, theme.paper) >= 4.5);
    ENSURE(contrast(theme.muted, theme.field) >= 4.5);
    ENSURE(contrast(theme.light, theme.accent) >= 4.5);
    // Black on white, as the definition says.
    ENSURE(fabs(contrast((theme_color){0}, (theme_color){1.0f, 1.0f, 1.0f}) - 21.0) < 1e-6);
    return 0;
}

void test_view_input(void)
{
    RUN(paths_are_read_as_people_paste_them);
    RUN(clicks_within_one_slow_frame_are_a_double_click);
    RUN(a_double_click_may_take_a_frame_longer);
    RUN(three_clicks_are_one_double_click);
    RUN(a_flood_of_clicks_ends_as_the_last_one);
    RUN(text_has_enough_contrast);
}
