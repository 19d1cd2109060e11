// SPDX-License-Identifier: MIT
#include "mesh_mirror.h"

#include <stdlib.h>
#include <string.h>

enum
{
    SAMPLE_COUNT = 400, // points that a plane is tried with
};

typedef struct placed_point
{
    pelt_vec3 position;
    uint32_t point;
} placed_point;

static pelt_vec3 reflect(pelt_vec3 in, uint32_t axis, float center)
{
    float* const components[] = {&in.x, &in.y, &in.z};
    *components[axis] = 2.0f * center - *components[axis];
    return in;
}

static int compare_heights(const void* a, const void* b)
{
    const placed_point *x = a, *y = b;
    int order = (x->position.y > y->position.y) - (x->position.y < y->position.y);
    return order != 0 ? order : (x->point > y->point) - (x->point < y->point);
}

static pelt_vec3 position_of(const surface_walk* walk, const pelt_scene* scene, uint32_t point)
{
    uint32_t vertex = walk->members[walk->member_first[point]];
    uint32_t mesh = surface_walk_mesh(walk, vertex);
    return scene->meshes[mesh].positions[vertex - walk->mesh_first[mesh]];
}

// The point nearest to a position. @param sorted  by height
static uint32_t find_near(const placed_point* sorted, uint32_t count, pelt_vec3 at, float tolerance)
{
    uint32_t low = 0, high = count;
    while (low < high)
    {
        uint32_t middle = low + (high - low) / 2;
        if (sorted[middle].position.y < at.y - tolerance)
        {
            low = middle + 1;
        }
        else
        {
            high = middle;
        }
    }
    float nearest = tolerance;
    uint32_t found = PELT_NONE;
    for (uint32_t i = low; i < count && sorted[i].position.y <= at.y + tolerance; ++i)
    {
        float distance = pelt_vec3_distance(sorted[i].position, at);
        bool is_nearer = distance < nearest || (distance == nearest && found == PELT_NONE);
        nearest = is_nearer ? distance : nearest;
        found = is_nearer ? sorted[i].point : found;
    }
    return found;
}

// The part of some points that have a partner across a plane.
static float try_plane(const placed_point* sorted, uint32_t count, uint32_t axis, float center,
                       float tolerance)
{
    uint32_t step = count / SAMPLE_COUNT + 1, tried = 0, found = 0;
    for (uint32_t i = 0; i < count; i += step)
    {
        pelt_vec3 at = reflect(sorted[i].position, axis, center);
        found += find_near(sorted, count, at, tolerance) != PELT_NONE ? 1 : 0;
        ++tried;
    }
    return tried > 0 ? (float)found / (float)tried : 0.0f;
}

static float choose_plane(mesh_mirror* out, const placed_point* sorted, uint32_t count,
                          const pelt_bounds* box)
{
    const float middles[] = {0.5f * (box->min.x + box->max.x), 0.5f * (box->min.y + box->max.y),
                             0.5f * (box->min.z + box->max.z)};
    float best = 0.0f;
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        const float centers[] = {0.0f, middles[axis]};
        for (uint32_t i = 0; i < 2; ++i)
        {
            float part = try_plane(sorted, count, axis, centers[i], out->tolerance);
            if (part > best)
            {
                best = part;
                out->axis = axis;
                out->center = centers[i];
            }
        }
    }
    return best;
}

static void find_partners(mesh_mirror* out, const placed_point* sorted, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        pelt_vec3 at = reflect(sorted[i].position, out->axis, out->center);
        out->partners[sorted[i].point] = find_near(sorted, count, at, out->tolerance);
    }
    // Copies of weights go both ways, or nowhere.
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t partner = out->partners[i];
        if (partner != PELT_NONE && out->partners[partner] != i)
        {
            out->partners[i] = PELT_NONE;
        }
    }
}

bool mesh_mirror_find(mesh_mirror* out, const surface_walk* walk, const pelt_scene* scene)
{
    uint32_t count = walk->point_count;
    placed_point* sorted = calloc((size_t)count + 1, sizeof *sorted);
    uint32_t* partners = calloc((size_t)count + 1, sizeof *partners);
    pelt_bounds box = pelt_bounds_empty();
    *out = (mesh_mirror){.is_known = true};
    for (uint32_t i = 0; sorted != NULL && i < count; ++i)
    {
        sorted[i] = (placed_point){position_of(walk, scene, i), i};
        pelt_bounds_add(&box, &sorted[i].position, 1);
    }
    bool has_memory = sorted != NULL && partners != NULL;
    if (has_memory && count > 0)
    {
        qsort(sorted, count, sizeof *sorted, compare_heights);
        out->tolerance = 5e-3f * pelt_bounds_diagonal(&box);
        if (choose_plane(out, sorted, count, &box) >= 0.5f)
        {
            out->partners = partners;
            partners = NULL;
            find_partners(out, sorted, count);
        }
    }
    free(partners);
    free(sorted);
    out->is_known = has_memory;
    return has_memory;
}

void mesh_mirror_destroy(mesh_mirror* in)
{
    free(in->partners);
    *in = (mesh_mirror){0};
}

// ---------------------------------------------------------------------------------------------
// Joints

static pelt_vec3 bind_position(const pelt_skin* skin, uint32_t joint)
{
    pelt_mat34 bind;
    bool is_known = pelt_mat34_inverse(&bind, &skin->inverse_binds[joint]);
    return is_known ? pelt_mat34_translation(&bind) : pelt_vec3_make(NAN, NAN, NAN);
}

// Letters that names have in common at both ends.
static size_t similarity(const char* a, const char* b)
{
    size_t length_a = a != NULL ? strlen(a) : 0, length_b = b != NULL ? strlen(b) : 0;
    size_t shorter = length_a < length_b ? length_a : length_b, front = 0, back = 0;
    while (front < shorter && a[front] == b[front])
    {
        ++front;
    }
    while (back < shorter - front && a[length_a - 1 - back] == b[length_b - 1 - back])
    {
        ++back;
    }
    // "arm" is more like "arm" than "arm_twist" is.
    return 4 * (front + back) + (length_a == length_b ? 1 : 0);
}

uint32_t mesh_mirror_joint(const mesh_mirror* in, const pelt_skin* skin, const pelt_scene* scene,
                           uint32_t node)
{
    uint32_t own = pelt_skin_find_joint(skin, node), best = PELT_NONE;
    if (own == PELT_NONE)
    {
        return PELT_NONE;
    }
    pelt_vec3 here = bind_position(skin, own);
    pelt_vec3 there = reflect(here, in->axis, in->center);
    if (pelt_vec3_distance(here, there) <= in->tolerance)
    {
        return node;
    }
    size_t most = 0;
    for (uint32_t i = 0; i < skin->joint_count; ++i)
    {
        float distance = pelt_vec3_distance(bind_position(skin, i), there);
        size_t match = similarity(scene->nodes[node].name, scene->nodes[skin->joints[i]].name);
        bool is_near = distance <= 2.0f * in->tolerance;
        if (is_near && i != own && (best == PELT_NONE || match > most))
        {
            best = skin->joints[i];
            most = match;
        }
    }
    return best;
}
