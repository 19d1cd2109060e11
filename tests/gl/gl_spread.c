// SPDX-License-Identifier: MIT
#include "gl_spread.h"

#include <string.h>

enum
{
    ROUND_COUNT = 4,
};

// A number changed by as much as rounding changes it, or one of that size.
static float shake(float value, float size, test_random* random)
{
    const float unit = 1.2e-7f;
    return value + unit * fmaxf(fabsf(value), size) * test_uniform(random, -1.0f, 1.0f);
}

static pelt_dquat shake_motion(pelt_dquat motion, float size, test_random* random)
{
    float parts[7];
    pelt_vec3 t = pelt_dquat_translation(motion);
    memcpy(parts, &motion.real, sizeof motion.real);
    memcpy(parts + 4, &t, sizeof t);
    for (int i = 0; i < 7; ++i)
    {
        parts[i] = shake(parts[i], i < 4 ? 1.0f : size, random);
    }
    return pelt_dquat_make(pelt_quat_make(parts[0], parts[1], parts[2], parts[3]),
                           pelt_vec3_make(parts[4], parts[5], parts[6]));
}

static void shake_joint(pelt_palette* palette, uint32_t joint, float size, test_random* random)
{
    for (int i = 0; i < 12; ++i)
    {
        float* value = &palette->matrices[joint].m[i / 4][i % 4];
        *value = shake(*value, i % 4 == 3 ? size : 0.0f, random);
    }
    for (int i = 0; i < 9; ++i)
    {
        float* value = &palette->stretches[joint].m[i / 3][i % 3];
        *value = shake(*value, 0.0f, random);
    }
    palette->motions[joint] = shake_motion(palette->motions[joint], size, random);
}

static bool copy_palette(pelt_palette* out, const pelt_palette* palette, pelt_arena* arena)
{
    size_t count = palette->joint_count;
    *out = *palette;
    out->matrices = pelt_arena_alloc(arena, count, sizeof *out->matrices);
    out->motions = pelt_arena_alloc(arena, count, sizeof *out->motions);
    out->stretches = pelt_arena_alloc(arena, count, sizeof *out->stretches);
    if (out->matrices == NULL || out->motions == NULL || out->stretches == NULL)
    {
        return false;
    }
    memcpy(out->matrices, palette->matrices, count * sizeof *out->matrices);
    memcpy(out->motions, palette->motions, count * sizeof *out->motions);
    memcpy(out->stretches, palette->stretches, count * sizeof *out->stretches);
    return true;
}

static void widen(gl_spread* spread, const pelt_surface* a, const pelt_surface* b, uint32_t v)
{
    if (a->normals != NULL)
    {
        spread->normal = fmax(spread->normal, gl_degrees_between(a->normals[v], b->normals[v]));
    }
    if (a->tangents != NULL)
    {
        spread->tangent = fmax(spread->tangent, gl_tangent_degrees(a->tangents[v], b->tangents[v]));
    }
}

int gl_spread_find(gl_spread* out, const pelt_surface* expected, const gl_case* c, double size,
                   pelt_arena* arena)
{
    test_random random = {41};
    memset(out, 0, c->mesh->vertex_count * sizeof *out);
    for (int round = 0; round < ROUND_COUNT; ++round)
    {
        pelt_palette palette;
        pelt_surface shaken;
        gl_case other = *c;
        other.palette = &palette;
        ENSURE(copy_palette(&palette, c->palette, arena));
        for (uint32_t joint = 0; joint < palette.joint_count; ++joint)
        {
            shake_joint(&palette, joint, (float)size, &random);
        }
        ENSURE(gl_reference(&shaken, &other, arena) == 0);
        for (uint32_t v = 0; v < c->mesh->vertex_count; ++v)
        {
            widen(&out[v], expected, &shaken, v);
        }
    }
    return 0;
}
