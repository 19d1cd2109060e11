// SPDX-License-Identifier: MIT
// Joints in a row: weights that pass from each to the next, and clips that rotate them.
#include "rig_chain.h"

// From 0 at t = 0 to 1 at t = 1 with two continuous derivatives, 1/2 exactly at 1/2; clamped.
static float smooth(float t)
{
    // This close to its ends the curve is within 1e-8 of them. Going there at once spares vertices
    // an influence that would be smaller than the rounding of the others.
    const float margin = 1e-3f;
    if (t < margin || t > 1.0f - margin)
    {
        return t < 0.5f ? 0.0f : 1.0f;
    }
    return t * t * t * (10.0f + t * (6.0f * t - 15.0f));
}

static void add_pull(rig_mesh* mesh, uint32_t vertex, uint32_t joint, float weight)
{
    size_t slot = (size_t)vertex * mesh->stride;
    size_t end = slot + mesh->stride;
    while (slot < end && mesh->weights[slot] > 0.0f)
    {
        ++slot;
    }
    PELT_ASSERT(slot < end);
    mesh->joints[slot] = joint;
    mesh->weights[slot] = weight;
}

void rig_chain_weights(const rig_builder* rig, rig_mesh* mesh, pelt_vec3 axis,
                       const rig_link* links, uint32_t link_count)
{
    for (uint32_t vertex = 0; mesh != NULL && vertex < mesh->vertex_count; ++vertex)
    {
        float position = pelt_vec3_dot(mesh->positions[vertex], axis);
        float rest = 1.0f; // what the links so far have handed on
        for (uint32_t i = 0; i < link_count && rest > 0.0f; ++i)
        {
            float passed = 0.0f;
            if (i + 1 < link_count)
            {
                pelt_vec3 next = rig_joint_position(rig, links[i + 1].joint);
                float distance = position - pelt_vec3_dot(next, axis);
                passed = smooth(0.5f + 0.5f * distance / links[i + 1].reach);
            }
            if (passed < 1.0f)
            {
                add_pull(mesh, vertex, links[i].joint, rest * (1.0f - passed));
            }
            rest *= passed;
        }
    }
}

void rig_chain_turn(rig_builder* rig, uint32_t joint, pelt_vec3 axis, float degrees)
{
    int step_count = (int)ceilf(fabsf(degrees) / 30.0f);
    pelt_vec3 u = pelt_vec3_normalize(axis);

    for (int step = 0; step <= step_count; ++step)
    {
        // In double: the cosine of half of 180 degrees stays positive, so that
        // a clip that reaches 180 degrees ends with the sign it had before.
        double part = (double)step / step_count;
        double half = 0.5 * part * degrees * (3.14159265358979323846 / 180.0);
        float s = (float)sin(half);
        pelt_quat q = pelt_quat_make(s * u.x, s * u.y, s * u.z, (float)cos(half));
        rig_key_rotation(rig, joint, (float)part, q);
    }
}
