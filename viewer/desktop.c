// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L

#include "desktop.h"

#include "pelt/io.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ---------------------------------------------------------------------------------------------
// Paths

static int hex_digit(char digit)
{
    static const char digits[] = "0123456789abcdef";
    char lower = digit >= 'A' && digit <= 'F' ? (char)(digit - 'A' + 'a') : digit;
    const char* found = lower != '\0' ? strchr(digits, lower) : NULL;
    return found != NULL ? (int)(found - digits) : -1;
}

// %20 and the like; what is not two digits stays, as does %00.
static void decode_percent(char* inout)
{
    char* to = inout;
    for (const char* from = inout; *from != '\0';)
    {
        int high = from[0] == '%' ? hex_digit(from[1]) : -1;
        int low = high >= 0 ? hex_digit(from[2]) : -1;
        bool is_code = low >= 0 && 16 * high + low > 0;
        *to++ = is_code ? (char)(16 * high + low) : *from;
        from += is_code ? 3 : 1;
    }
    *to = '\0';
}

// Remove spaces around a text, then a pair of quotes.
static void strip(char* inout)
{
    size_t length = strlen(inout), skipped = strspn(inout, " \t\r\n");
    while (length > skipped && strchr(" \t\r\n", inout[length - 1]) != NULL)
    {
        --length;
    }
    char first = inout[skipped];
    bool is_quoted =
        length >= skipped + 2 && (first == '"' || first == '\'') && inout[length - 1] == first;
    skipped += is_quoted ? 1 : 0;
    length -= is_quoted ? 1 : 0;
    memmove(inout, inout + skipped, length - skipped);
    inout[length - skipped] = '\0';
}

bool typed_path_read(char* out, size_t size, const char* text)
{
    if (strlen(text) >= size)
    {
        return false;
    }
    strcpy(out, text);
    strip(out);
    if (strncasecmp(out, "file://", 7) == 0)
    {
        // Between the slashes may be the name of this machine.
        const char* path = strchr(out + 7, '/');
        path = path != NULL ? path : out + 7;
        memmove(out, path, strlen(path) + 1);
        decode_percent(out);
        return true;
    }
    const char* home = getenv("HOME");
    if (home == NULL || out[0] != '~' || (out[1] != '/' && out[1] != '\0'))
    {
        return true;
    }
    size_t home_length = strlen(home), rest = strlen(out + 1) + 1;
    if (home_length + rest > size)
    {
        return false;
    }
    memmove(out + home_length, out + 1, rest);
    memcpy(out, home, home_length);
    return true;
}

// ---------------------------------------------------------------------------------------------
// JSON files

pelt_result json_file_save(const char* path, json_t* object, pelt_error* error)
{
    char* text =
        object != NULL ? json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(7)) : NULL;
    json_decref(object);
    pelt_result result =
        text != NULL ? pelt_save_bytes(path, text, strlen(text), error) : pelt_error_memory(error);
    free(text);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Clicks

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
    // More events than fit are dropped, but the last one has the state of the button.
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

// ---------------------------------------------------------------------------------------------
// Fonts

static bool is_readable(const char* path)
{
    FILE* file = fopen(path, "rb");
    if (file != NULL)
    {
        fclose(file);
    }
    return file != NULL;
}

const char* font_file_find(font_style style)
{
    static const char* const files[][6] = {
        [FONT_PLAIN] = {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                        "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
                        "/usr/share/fonts/noto/NotoSans-Regular.ttf",
                        "/usr/share/fonts/TTF/DejaVuSans.ttf",
                        "/usr/share/fonts/dejavu/DejaVuSans.ttf",
                        "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf"},
        [FONT_MONO] = {"/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
                       "/usr/share/fonts/truetype/noto/NotoSansMono-Regular.ttf",
                       "/usr/share/fonts/noto/NotoSansMono-Regular.ttf",
                       "/usr/share/fonts/TTF/DejaVuSansMono.ttf",
                       "/usr/share/fonts/dejavu/DejaVuSansMono.ttf",
                       "/usr/share/fonts/dejavu-sans-mono-fonts/DejaVuSansMono.ttf"},
    };
    for (int i = 0; i < 6; ++i)
    {
        if (is_readable(files[style][i]))
        {
            return files[style][i];
        }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------
// Colors

// A light neutral gray, as in the pictures of `pelt render`, and one blue for selections.
const theme_colors theme = {
    .ink = {0.13f, 0.14f, 0.15f},
    .muted = {0.36f, 0.37f, 0.39f},
    .light = {1.0f, 1.0f, 1.0f},
    .accent = {0.11f, 0.40f, 0.68f},
    .paper = {0.925f, 0.925f, 0.92f},
    .field = {0.985f, 0.985f, 0.98f},
    .edge = {0.74f, 0.745f, 0.75f},
    .button = {0.86f, 0.86f, 0.855f},
    .hovered = {0.80f, 0.86f, 0.92f},
    .chosen = {0.72f, 0.82f, 0.92f},
    .field_hovered = {0.87f, 0.91f, 0.95f},
    .section = {0.86f, 0.865f, 0.87f},
    .title = {0.82f, 0.83f, 0.84f},
    .grab = {0.56f, 0.73f, 0.89f},
    .grab_active = {0.42f, 0.64f, 0.85f},
    .progress = {0.56f, 0.73f, 0.89f},
};
