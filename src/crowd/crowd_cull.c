// SPDX-License-Identifier: MIT
// Culls the members of a crowd and chooses their level of detail.
#include "../base/exact.h"

#include "../../include/pelt/crowd.h"

// Starts at the previous level and moves one level at a time, so that hysteresis applies to every
// limit.
static uint32_t next_level(uint32_t level, float distance, const pelt_crowd_view* view)
{
    uint32_t last = view->level_count > 0 ? view->level_count - 1 : 0;
    level = level < last ? level : last;
    while (level < last && distance > view->distances[level] * (1.0f + view->hysteresis))
    {
        ++level;
    }
    while (level > 0 && distance <= view->distances[level - 1] * (1.0f - view->hysteresis))
    {
        --level;
    }
    return level;
}

static float distance_to(const pelt_bounds* box, const pelt_crowd_transform* transform,
                         pelt_vec3 eye)
{
    pelt_vec3 middle = pelt_vec3_scale(pelt_vec3_lerp(box->min, box->max, 0.5f), transform->scale);
    pelt_vec3 center =
        pelt_vec3_add(transform->position, pelt_quat_rotate(transform->rotation, middle));
    return pelt_vec3_distance(center, eye);
}

uint32_t pelt_crowd_cull(pelt_crowd_visible* out, const pelt_crowd_members* members,
                         const pelt_crowd_view* view, pelt_range range)
{
    PELT_ASSERT(view->level_count <= PELT_CROWD_LEVEL_MAX);
    pelt_crowd_view here = *view;
    here.hysteresis = members->levels != NULL ? view->hysteresis : 0.0f;
    uint32_t count = 0;
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        const pelt_crowd_transform* transform = &members->transforms[i];
        pelt_bounds box = pelt_crowd_bounds_at(members->bounds, &members->playbacks[i]);
        pelt_crowd_visible seen = {.member = i,
                                   .distance = distance_to(&box, transform, view->eye)};
        seen.level =
            next_level(members->levels != NULL ? members->levels[i] : 0, seen.distance, &here);
        if (members->levels != NULL)
        {
            members->levels[i] = (uint8_t)seen.level;
        }
        if (view->has_no_culling || pelt_frustum_meets(&view->frustum, &box, transform))
        {
            out[count++] = seen;
        }
    }
    return count;
}

void pelt_crowd_sort(uint32_t* out, pelt_range levels[PELT_CROWD_LEVEL_MAX],
                     const pelt_crowd_visible* visible, uint32_t count)
{
    for (uint32_t level = 0; level < PELT_CROWD_LEVEL_MAX; ++level)
    {
        levels[level] = (pelt_range){0};
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        PELT_ASSERT(visible[i].level < PELT_CROWD_LEVEL_MAX);
        ++levels[visible[i].level].count;
    }
    uint32_t next[PELT_CROWD_LEVEL_MAX] = {0};
    for (uint32_t level = 1; level < PELT_CROWD_LEVEL_MAX; ++level)
    {
        levels[level].first = levels[level - 1].first + levels[level - 1].count;
        next[level] = levels[level].first;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        out[next[visible[i].level]++] = visible[i].member;
    }
}

// ---------------------------------------------------------------------------------------------
// Frustum

pelt_frustum pelt_frustum_of(const float clip_from_world[16])
{
    const float* m = clip_from_world;
    pelt_frustum frustum;
    for (int i = 0; i < 6; ++i)
    {
        // A point is inside where -w <= x, x <= w, -w <= y ...: planes are sums and differences of
        // the last row and another.
        int row = i / 2;
        float sign = i % 2 == 0 ? 1.0f : -1.0f;
        frustum.planes[i] = (pelt_vec4){m[3] + sign * m[row], m[7] + sign * m[4 + row],
                                        m[11] + sign * m[8 + row], m[15] + sign * m[12 + row]};
    }
    return frustum;
}

bool pelt_frustum_meets(const pelt_frustum* frustum, const pelt_bounds* box,
                        const pelt_crowd_transform* transform)
{
    // Twenty roundings of numbers as large as the largest term below.
    const float rounding = 2e-6f;
    pelt_vec3 middle = pelt_vec3_lerp(box->min, box->max, 0.5f);
    pelt_vec3 half = pelt_vec3_scale(pelt_vec3_sub(box->max, box->min), 0.5f * transform->scale);
    pelt_vec3 rotated =
        pelt_quat_rotate(transform->rotation, pelt_vec3_scale(middle, transform->scale));
    pelt_vec3 center = pelt_vec3_add(transform->position, rotated);
    pelt_mat3 axes = pelt_mat3_from_quat(transform->rotation);
    for (int i = 0; i < 6; ++i)
    {
        pelt_vec4 plane = frustum->planes[i];
        pelt_vec3 normal = {plane.x, plane.y, plane.z};
        float across = 0.0f; // from the center to the corner that is farthest inside
        for (int axis = 0; axis < 3; ++axis)
        {
            pelt_vec3 edge = {axes.m[0][axis], axes.m[1][axis], axes.m[2][axis]};
            across += fabsf(pelt_vec3_dot(normal, edge) * pelt_vec3_component(half, axis));
        }
        float size = pelt_vec3_length(normal) *
                         (pelt_vec3_length(transform->position) + pelt_vec3_length(rotated)) +
                     fabsf(plane.w) + across;
        // False for NaN as well: such a member is not culled.
        if (pelt_vec3_dot(normal, center) + plane.w + across < -rounding * size)
        {
            return false;
        }
    }
    return true;
}
