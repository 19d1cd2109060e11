// SPDX-License-Identifier: MIT
// Encodes offsets in four bytes, relative to a box, a sphere or an ellipsoid.
#include "thesis_rays.h"

// The volume that codes are relative to. Radii are half the extents of the box, the radius of the
// sphere, or the semi-axes of the ellipsoid.
typedef struct code_volume
{
    pelt_vec3 center, radii;
} code_volume;

const char* thesis_code_name(thesis_code code)
{
    static const char* const names[THESIS_CODE_COUNT] = {"box", "ray", "ellipsoid"};
    return names[code];
}

static pelt_vec3 divide(pelt_vec3 a, pelt_vec3 b)
{
    return pelt_vec3_make(b.x > 0.0f ? a.x / b.x : 0.0f, b.y > 0.0f ? a.y / b.y : 0.0f,
                          b.z > 0.0f ? a.z / b.z : 0.0f);
}

static pelt_vec3 multiply(pelt_vec3 a, pelt_vec3 b)
{
    return pelt_vec3_make(a.x * b.x, a.y * b.y, a.z * b.z);
}

// The farthest offset in units of the radii.
static float farthest(const code_volume* volume, const pelt_vec3* offsets, size_t count)
{
    float largest = 0.0f;
    for (size_t i = 0; i < count; ++i)
    {
        pelt_vec3 from = pelt_vec3_sub(offsets[i], volume->center);
        largest = fmaxf(largest, pelt_vec3_length(divide(from, volume->radii)));
    }
    return largest;
}

static code_volume find_volume(thesis_code code, const pelt_vec3* offsets, size_t count)
{
    if (code == THESIS_CODE_RAY)
    {
        code_volume sphere = {.radii = {1.0f, 1.0f, 1.0f}};
        sphere.radii = pelt_vec3_scale(sphere.radii, farthest(&sphere, offsets, count));
        return sphere;
    }
    pelt_vec3 low = offsets[0], high = offsets[0];
    for (size_t i = 1; i < count; ++i)
    {
        low = pelt_vec3_make(fminf(low.x, offsets[i].x), fminf(low.y, offsets[i].y),
                             fminf(low.z, offsets[i].z));
        high = pelt_vec3_make(fmaxf(high.x, offsets[i].x), fmaxf(high.y, offsets[i].y),
                              fmaxf(high.z, offsets[i].z));
    }
    code_volume volume = {pelt_vec3_scale(pelt_vec3_add(low, high), 0.5f),
                          pelt_vec3_scale(pelt_vec3_sub(high, low), 0.5f)};
    if (code == THESIS_CODE_ELLIPSOID)
    {
        volume.radii = pelt_vec3_scale(volume.radii, farthest(&volume, offsets, count));
    }
    return volume;
}

// Quantize a value from -1 to 1 to a byte, in 254 steps.
static float through_byte(float value)
{
    return floorf(127.0f * value + 0.5f) / 127.0f;
}

static pelt_vec3 through_bytes(pelt_vec3 v)
{
    return pelt_vec3_make(through_byte(v.x), through_byte(v.y), through_byte(v.z));
}

// Encode and decode an offset.
static pelt_vec3 recode(thesis_code code, const code_volume* volume, pelt_vec3 offset)
{
    pelt_vec3 inside = divide(pelt_vec3_sub(offset, volume->center), volume->radii);
    pelt_vec3 kept = through_bytes(inside);
    if (code != THESIS_CODE_BOX)
    {
        float length = floorf(255.0f * pelt_vec3_length(inside) + 0.5f) / 255.0f;
        kept = pelt_vec3_normalize(through_bytes(pelt_vec3_normalize(inside)));
        kept = pelt_vec3_scale(kept, length);
    }
    return pelt_vec3_add(volume->center, multiply(volume->radii, kept));
}

thesis_code_error thesis_code_measure(thesis_code code, const pelt_vec3* offsets, size_t count)
{
    thesis_code_error error = {0};
    if (count == 0)
    {
        return error;
    }
    code_volume volume = find_volume(code, offsets, count);
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i)
    {
        double distance = (double)pelt_vec3_distance(recode(code, &volume, offsets[i]), offsets[i]);
        error.max = fmax(error.max, distance);
        sum += distance * distance;
    }
    error.rms = sqrt(sum / (double)count);
    return error;
}
