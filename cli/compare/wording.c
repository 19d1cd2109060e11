// SPDX-License-Identifier: MIT
#include "wording.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

wording wording_number(double value)
{
    wording out;
    if (!isfinite(value))
    {
        snprintf(out.text, sizeof out.text, "-");
        return out;
    }
    double size = fabs(value);
    int digits = size >= 99.95     ? 0
                 : size >= 9.995   ? 1
                 : size >= 0.9995  ? 2
                 : size >= 0.09995 ? 3
                 : size >= 0.0005  ? 4
                                   : 2;
    snprintf(out.text, sizeof out.text, "%.*f", digits, size < 0.0005 ? 0.0 : value);
    return out;
}

static bool is_giant(const comparison* in)
{
    return in->info->size > 20.0;
}

const char* wording_length_unit(const comparison* in)
{
    return is_giant(in) ? "m" : "mm";
}

double wording_length(const comparison* in, double meters)
{
    return is_giant(in) ? meters : 1e3 * meters;
}

double wording_scaled(const comparison* in, quantity what, double value)
{
    return quantity_infos[what].is_length ? wording_length(in, value) : 100.0 * value;
}

const char* wording_unit(const comparison* in, quantity what)
{
    return quantity_infos[what].is_length ? wording_length_unit(in) : "%";
}

wording wording_value(const comparison* in, quantity what, double value, bool is_signed)
{
    wording out, number = wording_number(wording_scaled(in, what, value));
    bool is_zero = strspn(number.text, "0.") == strlen(number.text);
    snprintf(out.text, sizeof out.text, "%s%.200s %s",
             is_signed && value > 0.0 && !is_zero ? "+" : "", number.text, wording_unit(in, what));
    return out;
}

wording wording_moment(const comparison* in, uint32_t motion, uint32_t frame)
{
    wording out;
    const compare_motion* m = &in->motions.items[motion];
    double time = (double)motion_time(m, frame - m->first_frame);
    switch (m->kind)
    {
    case MOTION_CLIP:
        snprintf(out.text, sizeof out.text, "in clip %.160s at %.2f s", m->name, time);
        break;
    case MOTION_STORED:
        snprintf(out.text, sizeof out.text, "in the stored pose");
        break;
    default:
        snprintf(out.text, sizeof out.text, "when %.160s is %s by %.0f degrees", m->joint,
                 m->kind == MOTION_BEND ? "bent" : "twisted", MOTION_DEGREES * time);
    }
    return out;
}
