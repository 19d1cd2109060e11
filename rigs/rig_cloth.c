// SPDX-License-Identifier: MIT
// The cloth of Le and Hodgins 2016, Table 1: 51 x 51 vertices, 5 000 triangles, 9 joints, and
// weights by distance with a dropoff of 2. It lies level, one meter wide.
#include "rig_builder.h"
#include "rig_params.h"
#include "rig_parts.h"

#define JOINT_COUNT 9
#define INFLUENCE_COUNT 5

static const float spacing = 0.4f; // of the 3 x 3 joints, in meters

// The center carries the others, so that the cloth can be moved as a whole.
static void add_joints(rig_builder* rig)
{
    static const struct
    {
        const char* name;
        float x, z;
    } positions[JOINT_COUNT] = {
        {"center", 0.0f, 0.0f},      {"west", -1.0f, 0.0f},       {"east", 1.0f, 0.0f},
        {"north", 0.0f, -1.0f},      {"south", 0.0f, 1.0f},       {"north_west", -1.0f, -1.0f},
        {"north_east", 1.0f, -1.0f}, {"south_west", -1.0f, 1.0f}, {"south_east", 1.0f, 1.0f}};
    for (uint32_t i = 0; i < JOINT_COUNT; ++i)
    {
        pelt_vec3 position = {spacing * positions[i].x, 0.0f, spacing * positions[i].z};
        rig_joint(rig, positions[i].name, i > 0 ? 0 : PELT_NONE, position);
    }
}

// ---------------------------------------------------------------------------------------------
// Mesh

typedef struct pull
{
    uint32_t joint;
    float strength;
} pull;

// Joints by falling strength, distance^-2. The small addition makes it finite at a joint and moves
// weights by 1e-5 at most elsewhere.
static void find_pulls(pull pulls[JOINT_COUNT], const rig_builder* rig, pelt_vec3 p)
{
    for (uint32_t joint = 0; joint < JOINT_COUNT; ++joint)
    {
        pelt_vec3 d = pelt_vec3_sub(p, rig_joint_position(rig, joint));
        pull next = {joint, 1.0f / (pelt_vec3_dot(d, d) + 1e-6f)};
        uint32_t i = joint;
        for (; i > 0 && pulls[i - 1].strength < next.strength; --i)
        {
            pulls[i] = pulls[i - 1];
        }
        pulls[i] = next;
    }
}

// Maya cuts the list after the strongest, which tears where the last one changes. Here the first
// one left out is taken off the others: a joint fades in and out.
static void fill_weights(rig_mesh* mesh, const rig_builder* rig, uint32_t vertex)
{
    pull pulls[JOINT_COUNT];
    find_pulls(pulls, rig, mesh->positions[vertex]);
    float cut = pulls[INFLUENCE_COUNT].strength, sum = 0.0f;
    for (uint32_t i = 0; i < INFLUENCE_COUNT; ++i)
    {
        sum += pulls[i].strength - cut;
    }
    for (uint32_t i = 0; i < INFLUENCE_COUNT; ++i)
    {
        size_t slot = (size_t)vertex * INFLUENCE_COUNT + i;
        mesh->joints[slot] = pulls[i].joint;
        mesh->weights[slot] = (pulls[i].strength - cut) / sum;
    }
}

static void add_mesh(rig_builder* rig, uint32_t size)
{
    uint32_t quads = size - 1;
    rig_mesh* mesh = rig_mesh_add(rig, "cloth", size * size, 6 * quads * quads, INFLUENCE_COUNT,
                                  pelt_vec3_make(0.55f, 0.2f, 0.3f));
    if (mesh == NULL)
    {
        return;
    }
    mesh->is_double_sided = true;
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; ++vertex)
    {
        float u = (float)(vertex / size) / (float)quads, v = (float)(vertex % size) / (float)quads;
        mesh->positions[vertex] = pelt_vec3_make(u - 0.5f, 0.0f, v - 0.5f);
        mesh->normals[vertex] = pelt_vec3_make(0.0f, 1.0f, 0.0f);
        mesh->uvs[vertex] = (pelt_vec2){u, v};
        fill_weights(mesh, rig, vertex);
    }
    rig_grid_indices(mesh->indices, 0, quads, quads);
}

// ---------------------------------------------------------------------------------------------
// Clips

// The position and rotation of a joint in the model at a time of a clip.
typedef struct placement
{
    pelt_vec3 position;
    pelt_quat rotation;
} placement;

typedef placement (*placement_at)(pelt_vec3 rest, float t);

// A wave runs along x; each joint rotates with its slope. t: 0 to 1 is one period.
static placement flap_at(pelt_vec3 rest, float t)
{
    const float height = 0.12f, waves_per_meter = 0.9f;
    float wave_number = 2.0f * PELT_PI * waves_per_meter;
    float phase = wave_number * rest.x - 2.0f * PELT_PI * t;
    float slope_angle = atanf(height * wave_number * cosf(phase));
    return (placement){pelt_vec3_make(rest.x, height * sinf(phase), rest.z),
                       pelt_quat_axis_angle(pelt_vec3_make(0.0f, 0.0f, 1.0f), slope_angle)};
}

// The cloth settles on a ball under its center, which comes to touch ever more of it: distances
// from the center become arcs. t: 0 is flat, 1 is the ball.
static placement drape_at(pelt_vec3 rest, float t)
{
    const float ball_radius = 0.42f;
    float distance = pelt_vec3_length(rest);
    float angle = t * distance / ball_radius;
    if (!(angle > 0.0f))
    {
        return (placement){rest, pelt_quat_identity()};
    }
    float radius = ball_radius / t;
    float shrink = radius * sinf(angle) / distance;
    pelt_vec3 axis = pelt_vec3_make(rest.z, 0.0f, -rest.x); // rotates +y towards the rim
    return (placement){
        pelt_vec3_make(shrink * rest.x, radius * (cosf(angle) - 1.0f), shrink * rest.z),
        pelt_quat_axis_angle(axis, angle)};
}

// All other joints are children of the center: keys are relative to its position.
static void key_joints(rig_builder* rig, placement_at placement_of, float t, float time)
{
    pelt_vec3 root_rest = rig_joint_position(rig, 0);
    placement root = placement_of(root_rest, t);
    pelt_quat undo = pelt_quat_conjugate(root.rotation);
    rig_key_offset(rig, 0, time, pelt_vec3_sub(root.position, root_rest));
    rig_key_rotation(rig, 0, time, root.rotation);

    for (uint32_t joint = 1; joint < rig_joint_count(rig); ++joint)
    {
        pelt_vec3 rest = rig_joint_position(rig, joint);
        placement p = placement_of(rest, t);
        pelt_vec3 local = pelt_quat_rotate(undo, pelt_vec3_sub(p.position, root.position));
        rig_key_offset(rig, joint, time, pelt_vec3_sub(local, pelt_vec3_sub(rest, root_rest)));
        rig_key_rotation(rig, joint, time, pelt_quat_mul(undo, p.rotation));
    }
}

static void add_clips(rig_builder* rig)
{
    const int step_count = 24;
    rig_clip(rig, "flap", 2.0f);
    for (int step = 0; step <= step_count; ++step)
    {
        // The last step is the first one again, so that the clip loops.
        float t = (float)(step % step_count) / (float)step_count;
        key_joints(rig, flap_at, t, 2.0f * (float)step / (float)step_count);
    }

    rig_clip(rig, "drape", 1.0f);
    for (int step = 0; step <= step_count; ++step)
    {
        float t = (float)step / (float)step_count;
        key_joints(rig, drape_at, t, t);
    }
}

pelt_result rig_build_cloth(pelt_scene** out, const rig_params* params, pelt_error* error)
{
    rig_builder* rig = rig_begin("cloth");
    add_joints(rig);
    add_mesh(rig, (uint32_t)round(sqrt(params->values[0])));
    add_clips(rig);
    return rig_finish(rig, out, error);
}
