// SPDX-License-Identifier: MIT
#include "crowd_instances.h"

#include <math.h>

pelt_result crowd_instances_create(crowd_instances* out, uint32_t capacity)
{
    *out = (crowd_instances){.capacity = capacity};
    out->places = pelt_allocate(capacity, sizeof *out->places);
    out->offsets = pelt_allocate(capacity, sizeof *out->offsets);
    if (out->places == NULL || out->offsets == NULL)
    {
        crowd_instances_destroy(out);
        return PELT_ERROR_MEMORY;
    }
    return PELT_OK;
}

void crowd_instances_destroy(crowd_instances* instances)
{
    pelt_release(instances->places);
    pelt_release(instances->offsets);
    *instances = (crowd_instances){0};
}

// From 0 to 1, by the finalizer of SplitMix64 (Steele et al., "Fast splittable pseudorandom number
// generators", 2014).
static float random_part(uint64_t index)
{
    uint64_t z = (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (float)(z >> 40) / (float)(1u << 24);
}

void crowd_instances_arrange(crowd_instances* instances, uint32_t count, float spacing)
{
    PELT_ASSERT(count > 0 && count <= instances->capacity);
    uint32_t columns = (uint32_t)ceil(sqrt((double)count));
    uint32_t rows = (count + columns - 1) / columns;
    instances->count = count;
    for (uint32_t i = 0; i < count; ++i)
    {
        float heading = 6.2831853f * random_part(2 * (uint64_t)i);
        float* place = instances->places[i];
        place[0] = spacing * ((float)(i % columns) - 0.5f * (float)(columns - 1));
        place[1] = spacing * ((float)(i / columns) - 0.5f * (float)(rows - 1));
        place[2] = cosf(heading);
        place[3] = sinf(heading);
        instances->offsets[i] = random_part(2 * (uint64_t)i + 1);
    }
}

pelt_bounds crowd_instances_bounds(const crowd_instances* instances, const pelt_bounds* one)
{
    float reach = fmaxf(hypotf(one->min.x, one->min.z), hypotf(one->max.x, one->max.z));
    pelt_bounds out = pelt_bounds_empty();
    for (uint32_t i = 0; i < instances->count; ++i)
    {
        const float* place = instances->places[i];
        pelt_vec3 corners[2] = {{place[0] - reach, one->min.y, place[1] - reach},
                                {place[0] + reach, one->max.y, place[1] + reach}};
        pelt_bounds_add(&out, corners, 2);
    }
    return out;
}
