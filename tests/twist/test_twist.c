// SPDX-License-Identifier: MIT
// Twist joints on a straight limb, where every weight and angle has a closed form, and on the arm
// of a person.
#include "pelt/metrics.h"
#include "rigs.h"
#include "test.h"
#include "twist_limb.h"

#include <stdlib.h>
#include <string.h>

static const pelt_vec3 x_axis = {1, 0, 0}, y_axis = {0, 1, 0}, z_axis = {0, 0, 1};
static const pelt_twist_source sources[] = {PELT_TWIST_CHILD, PELT_TWIST_OWN, PELT_TWIST_BOTH};

// ---------------------------------------------------------------------------------------------
// Weights

static float weight_of(const pelt_weights* weights, uint32_t v, uint32_t joint)
{
    for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
    {
        if (weights->influences[i].joint == joint)
        {
            return weights->influences[i].weight;
        }
    }
    return 0.0f;
}

// The triangle of height one over `position`, which stays one beyond the first and the last.
static double hat(double part, double position, double step, bool is_first, bool is_last)
{
    if ((is_first && part < position) || (is_last && part > position))
    {
        return 1.0;
    }
    return fmax(0.0, 1.0 - fabs(part - position) / step);
}

// The lower bone goes from x = 2 to 3; four stations for n = 3, or three where both twists count.
static double share_of(pelt_twist_source source, uint32_t k, double x)
{
    double part = x - 2.0;
    switch (source)
    {
    case PELT_TWIST_OWN:
        return k == 0 ? hat(part, 1.0, 0.25, false, true)
                      : hat(part, 0.25 * k, 0.25, k == 1, false);
    case PELT_TWIST_BOTH:
        return k == 0 ? 0.0 : hat(part, 0.5 * (k - 1.0), 0.5, k == 1, k == 3);
    default:
        return hat(part, 0.25 * k, 0.25, k == 0, k == 3);
    }
}

static int weights_are_hats_along_the_bone(void)
{
    for (int s = 0; s < 3; ++s)
    {
        twist_limb* l = twist_limb_make();
        pelt_scene* twisted = twist_limb_twist(l, LIMB_LOWER, 3, sources[s]);
        ENSURE(twisted != NULL && pelt_scene_validate(twisted, NULL) == PELT_OK);
        const pelt_weights *before = &l->mesh.weights, *after = &twisted->meshes[0].weights;
        ENSURE(after->joint_count == LIMB_JOINT_COUNT + 3 && after->max_influences == 3);
        for (uint32_t v = 0; v < LIMB_VERTEX_COUNT; ++v)
        {
            double x = (double)l->positions[v].x, old = (double)weight_of(before, v, LIMB_LOWER);
            for (uint32_t k = 0; k <= 3; ++k)
            {
                uint32_t joint = k == 0 ? LIMB_LOWER : LIMB_JOINT_COUNT + k - 1;
                // Positions come from the inverse binds: some roundings of a number near 3,
                // times 4.
                ENSURE_NEAR(weight_of(after, v, joint), old * share_of(sources[s], k, x), 1e-5);
            }
            ENSURE(weight_of(after, v, LIMB_UPPER) == weight_of(before, v, LIMB_UPPER));
            ENSURE(weight_of(after, v, LIMB_HAND) == weight_of(before, v, LIMB_HAND));
        }
        pelt_scene_destroy(twisted);
        twist_limb_free(l);
    }
    return 0;
}

static int weights_stay_positive_and_sum_to_one(void)
{
    pelt_scene *human, *twisted;
    pelt_twist* requests;
    uint32_t count;
    ENSURE(pelt_rig_build(&human, "human?vertices=3000", NULL) == PELT_OK);
    ENSURE(pelt_twist_find(&requests, &count, human) == PELT_OK && count > 0);
    pelt_twist_options options = {.twist_count = count, .twists = requests};
    pelt_twist_report report;
    ENSURE(pelt_twist_add(&twisted, human, &options, &report, NULL) == PELT_OK);
    const pelt_weights* weights = &twisted->meshes[0].weights;
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        double sum = 0.0;
        for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
        {
            ENSURE(weights->influences[i].weight > 0.0f);
            sum += (double)weights->influences[i].weight;
        }
        ENSURE_NEAR(sum, 1.0, 1e-6);
    }
    ENSURE(report.joint_count == 3 * count && report.split_count > 0);
    ENSURE(report.max_influences == weights->max_influences);
    pelt_scene_destroy(twisted);
    pelt_release(requests);
    pelt_scene_destroy(human);
    return 0;
}

static int influences_are_limited_on_request(void)
{
    twist_limb* l = twist_limb_make();
    pelt_twist request = {LIMB_LOWER, 3, PELT_TWIST_CHILD};
    pelt_twist_options options = {.twist_count = 1, .twists = &request, .max_influences = 2};
    pelt_twist_report report;
    pelt_scene* twisted;
    ENSURE(pelt_twist_add(&twisted, &l->scene, &options, &report, NULL) == PELT_OK);
    ENSURE(pelt_scene_validate(twisted, NULL) == PELT_OK);
    ENSURE(twisted->meshes[0].weights.max_influences == 2 && report.pruned_count > 0);
    pelt_scene_destroy(twisted);
    twist_limb_free(l);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Poses

static double largest_change(const twist_limb* l, const pelt_scene* twisted, float time)
{
    pelt_vec3 *before = twist_limb_deform(&l->scene, time),
              *after = twist_limb_deform(twisted, time);
    pelt_difference difference = pelt_positions_compare(before, after, LIMB_VERTEX_COUNT);
    free(before);
    free(after);
    return difference.max;
}

static int poses_without_twist_are_as_before(void)
{
    for (int s = 0; s < 3; ++s)
    {
        twist_limb* l = twist_limb_make();
        const float bends[3] = {0.0f, 2.0f, -1.5f}, other[3] = {0.0f, -1.0f, 1.2f};
        twist_limb_rotate(l, LIMB_UPPER, x_axis, bends, 3); // the limb as a whole
        twist_limb_rotate(l, LIMB_LOWER, y_axis, bends, 3);
        twist_limb_rotate(l, LIMB_HAND, z_axis, other, 3);
        pelt_scene* twisted = twist_limb_twist(l, LIMB_LOWER, 3, sources[s]);
        ENSURE(twisted != NULL);
        ENSURE(twisted->clips[0].track_count == 3); // nothing to move
        for (float time = 0.0f; time <= 2.0f; time += 0.25f)
        {
            ENSURE(largest_change(l, twisted, time) <= 1e-6);
        }
        pelt_scene_destroy(twisted);
        twist_limb_free(l);
    }
    return 0;
}

// Angle of twist joint k against the bone, about +x, between -pi and pi.
static double roll_of(const twist_limb* l, const pelt_scene* twisted, uint32_t k, float time)
{
    pelt_pose pose;
    pelt_pose_create(&pose, twisted);
    pelt_pose_sample(&pose, twisted, &twisted->clips[0], time, PELT_WRAP_CLAMP);
    pelt_quat q = pose.locals[LIMB_JOINT_COUNT + k - 1].rotation;
    pelt_quat in_model = pelt_quat_mul(pelt_quat_mul(l->frames[LIMB_LOWER], q),
                                       pelt_quat_conjugate(l->frames[LIMB_LOWER]));
    pelt_pose_destroy(&pose);
    return 2.0 * atan2((double)in_model.x, (double)in_model.w);
}

static double law(pelt_twist_source source, double own, double child, double k, double n)
{
    switch (source)
    {
    case PELT_TWIST_OWN:
        return own * (k / (n + 1.0) - 1.0);
    case PELT_TWIST_BOTH:
        return own * (k / n - 1.0) + child * (k - 1.0) / n;
    default:
        return child * k / (n + 1.0);
    }
}

static int a_twist_is_shared_out_by_the_law(void)
{
    const float own[2] = {0.0f, 1.25f}, child[2] = {0.0f, 2.5f};
    for (int s = 0; s < 3; ++s)
    {
        for (uint32_t n = 2; n <= 4; ++n)
        {
            twist_limb* l = twist_limb_make();
            twist_limb_rotate(l, LIMB_LOWER, x_axis, own, 2);
            twist_limb_rotate(l, LIMB_HAND, x_axis, child, 2);
            pelt_scene* twisted = twist_limb_twist(l, LIMB_LOWER, n, sources[s]);
            ENSURE(twisted != NULL);
            for (uint32_t k = 1; k <= n; ++k)
            {
                for (float t = 0.0f; t <= 1.0f; t += 0.125f)
                {
                    double time = (double)t;
                    // Half angles of float quaternions through five products.
                    ENSURE_NEAR(roll_of(l, twisted, k, t),
                                law(sources[s], 1.25 * time, 2.5 * time, k, n), 3e-6);
                }
            }
            pelt_scene_destroy(twisted);
            twist_limb_free(l);
        }
    }
    return 0;
}

// A bend at the same time moves the twist of the hand only by what a swing has of it: nothing.
static int a_bend_does_not_count_as_twist(void)
{
    twist_limb* l = twist_limb_make();
    pelt_quat bend = pelt_quat_axis_angle(z_axis, 1.0f), twist = pelt_quat_axis_angle(x_axis, 1.4f);
    pelt_quat both = pelt_quat_mul(bend, twist);
    float angle = 2.0f * acosf(both.w);
    pelt_vec3 axis = pelt_vec3_make(both.x, both.y, both.z);
    twist_limb_rotate(l, LIMB_HAND, axis, &angle, 1);
    pelt_scene* twisted = twist_limb_twist(l, LIMB_LOWER, 3, PELT_TWIST_CHILD);
    ENSURE_NEAR(roll_of(l, twisted, 2, 0.0f), 0.7, 3e-6);
    pelt_scene_destroy(twisted);
    twist_limb_free(l);
    return 0;
}

// Importers put pivots between joints: their rotations are the child's, too.
static int nodes_between_joints_count(void)
{
    twist_limb* l = twist_limb_make();
    pelt_node nodes[LIMB_JOINT_COUNT + 1];
    memcpy(nodes, l->nodes, sizeof l->nodes);
    nodes[LIMB_JOINT_COUNT] = l->nodes[LIMB_HAND];
    nodes[LIMB_JOINT_COUNT].parent = LIMB_HAND;
    nodes[LIMB_JOINT_COUNT].rest.translation = pelt_vec3_make(0.0f, 0.0f, 0.0f);
    nodes[LIMB_HAND] = (pelt_node){"pivot", LIMB_LOWER, pelt_transform_identity()};
    nodes[LIMB_HAND].rest.translation = l->nodes[LIMB_HAND].rest.translation;
    l->joints[LIMB_HAND] = LIMB_JOINT_COUNT;
    l->scene.nodes = nodes;
    l->scene.node_count = LIMB_JOINT_COUNT + 1;
    const float angle = 1.2f;
    twist_limb_rotate(l, LIMB_HAND, x_axis, &angle, 1);
    // The pivot has the axes of the lower joint, and no rotation of its own at rest.
    pelt_vec3 own = pelt_quat_rotate(pelt_quat_conjugate(l->frames[LIMB_LOWER]), x_axis);
    pelt_quat q = pelt_quat_axis_angle(own, angle);
    memcpy(l->values[LIMB_HAND][0], &q.x, sizeof l->values[LIMB_HAND][0]);
    pelt_scene* twisted = twist_limb_twist(l, LIMB_LOWER, 3, PELT_TWIST_CHILD);
    ENSURE(twisted != NULL);
    // One node more: twist joint k is where roll_of() looks for k + 1.
    ENSURE_NEAR(roll_of(l, twisted, 3, 0.0f), 0.6, 3e-6);
    pelt_scene_destroy(twisted);
    twist_limb_free(l);
    return 0;
}

static int a_stored_pose_that_is_twisted_shows_it(void)
{
    twist_limb* l = twist_limb_make();
    pelt_vec3 own = pelt_quat_rotate(pelt_quat_conjugate(l->frames[LIMB_HAND]), x_axis);
    l->nodes[LIMB_HAND].rest.rotation =
        pelt_quat_mul(l->nodes[LIMB_HAND].rest.rotation, pelt_quat_axis_angle(own, 2.0f));
    pelt_scene* twisted = twist_limb_twist(l, LIMB_LOWER, 3, PELT_TWIST_CHILD);
    ENSURE_NEAR(roll_of(l, twisted, 2, 0.0f), 1.0, 3e-6);
    pelt_scene_destroy(twisted);
    twist_limb_free(l);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Clips

static const pelt_track* track_of(const pelt_scene* twisted, uint32_t k)
{
    const pelt_clip* clip = &twisted->clips[0];
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        if (clip->tracks[i].target == LIMB_JOINT_COUNT + k - 1)
        {
            return &clip->tracks[i];
        }
    }
    return NULL;
}

// Two full rotations: three quarters of them at the last twist joint, without a jump.
static int nothing_flips_beyond_180_degrees(void)
{
    twist_limb* l = twist_limb_make();
    float angles[9];
    for (int i = 0; i < 9; ++i)
    {
        angles[i] = (float)i * 0.5f * PELT_PI;
    }
    twist_limb_rotate(l, LIMB_HAND, x_axis, angles, 9);
    pelt_scene* twisted = twist_limb_twist(l, LIMB_LOWER, 3, PELT_TWIST_CHILD);
    const pelt_track* track = track_of(twisted, 3);
    ENSURE(track != NULL && track->key_count == 9);
    double total = 0.0;
    for (uint32_t i = 1; i < track->key_count; ++i)
    {
        const float *a = track->values + 4 * (i - 1), *b = a + 4;
        double dot = (double)(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
        ENSURE(dot > 0.0);
        total += 2.0 * acos(dot);
    }
    ENSURE_NEAR(total, 3.0 * (double)PELT_PI, 1e-4);
    pelt_scene_destroy(twisted);
    twist_limb_free(l);
    return 0;
}

static int steps_stay_steps(void)
{
    twist_limb* l = twist_limb_make();
    const float angles[3] = {0.0f, 1.0f, 3.0f};
    twist_limb_rotate(l, LIMB_HAND, x_axis, angles, 3);
    l->tracks[0].interpolation = PELT_INTERPOLATION_STEP;
    pelt_scene* twisted = twist_limb_twist(l, LIMB_LOWER, 3, PELT_TWIST_CHILD);
    const pelt_track* track = track_of(twisted, 1);
    ENSURE(track != NULL && track->interpolation == PELT_INTERPOLATION_STEP);
    ENSURE(track->key_count == 3 && track->times[1] == 1.0f);
    ENSURE_NEAR(roll_of(l, twisted, 1, 1.9f), 0.25, 3e-6);
    pelt_scene_destroy(twisted);
    twist_limb_free(l);
    return 0;
}

// A Hermite spline of quaternions about one axis stays in their plane: its angle is that of the
// two coefficients, here with zero tangents, so the spline goes straight from one to the other.
static int splines_are_met_to_a_twentieth_of_a_degree(void)
{
    static float values[2][3][4];
    twist_limb* l = twist_limb_make();
    const float angles[2] = {0.0f, 2.8f};
    twist_limb_rotate(l, LIMB_HAND, x_axis, angles, 2);
    memcpy(values[0][1], l->values[LIMB_HAND][0], sizeof values[0][1]);
    memcpy(values[1][1], l->values[LIMB_HAND][1], sizeof values[1][1]);
    l->tracks[0].interpolation = PELT_INTERPOLATION_CUBIC;
    l->tracks[0].values = values[0][0];
    pelt_scene* twisted = twist_limb_twist(l, LIMB_LOWER, 3, PELT_TWIST_CHILD);
    double worst = 0.0;
    for (int i = 0; i <= 1000; ++i)
    {
        double t = i / 1000.0, s = t * t * (3.0 - 2.0 * t);
        double angle = 2.0 * atan2(s * sin(1.4), (1.0 - s) + s * cos(1.4));
        worst = fmax(worst, fabs(roll_of(l, twisted, 3, (float)t) - 0.75 * angle));
    }
    printf("  worst %.4f degrees with %u keys\n", worst * 180.0 / (double)PELT_PI,
           track_of(twisted, 3)->key_count);
    ENSURE(worst <= 0.05 * (double)PELT_PI / 180.0);
    pelt_scene_destroy(twisted);
    twist_limb_free(l);
    return 0;
}

static int all_else_is_kept(void)
{
    pelt_scene *human, *twisted;
    ENSURE(pelt_rig_build(&human, "human?vertices=3000", NULL) == PELT_OK);
    pelt_twist request = {.node = pelt_scene_find_node(human, "forearm_l")};
    pelt_twist_options options = {.twist_count = 1, .twists = &request};
    ENSURE(pelt_twist_add(&twisted, human, &options, NULL, NULL) == PELT_OK);
    ENSURE(pelt_scene_validate(twisted, NULL) == PELT_OK);
    ENSURE(twisted->node_count == human->node_count + 3);
    ENSURE(strcmp(twisted->nodes[human->node_count].name, "forearm_l_twist1") == 0);
    for (uint32_t i = 0; i < human->node_count; ++i)
    {
        ENSURE(strcmp(twisted->nodes[i].name, human->nodes[i].name) == 0);
        ENSURE(memcmp(&twisted->nodes[i].rest, &human->nodes[i].rest, sizeof(pelt_transform)) == 0);
    }
    ENSURE(twisted->clip_count == human->clip_count);
    for (uint32_t i = 0; i < human->clip_count; ++i)
    {
        ENSURE(twisted->clips[i].duration == human->clips[i].duration);
        ENSURE(twisted->clips[i].track_count >= human->clips[i].track_count);
    }
    // Nothing of the source is referred to.
    pelt_scene_destroy(human);
    ENSURE(pelt_scene_validate(twisted, NULL) == PELT_OK);
    pelt_scene_destroy(twisted);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Meshes and skins

// Two skins with the joint at different indices share a mesh with one that lacks it.
static int skins_that_share_a_mesh_get_their_own(void)
{
    twist_limb* l = twist_limb_make();
    pelt_node nodes[LIMB_JOINT_COUNT + 1];
    memcpy(nodes, l->nodes, sizeof l->nodes);
    nodes[LIMB_JOINT_COUNT] = (pelt_node){"spare", PELT_NONE, pelt_transform_identity()};
    uint32_t spare[LIMB_JOINT_COUNT] = {LIMB_ROOT, LIMB_UPPER, LIMB_JOINT_COUNT, LIMB_HAND};
    pelt_skin skins[3] = {l->skin, l->skin, l->skin};
    skins[2].joints = spare;
    pelt_instance instances[4] = {{0, 0, 0, 0}, {0, 2, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}};
    pelt_scene scene = l->scene;
    scene.nodes = nodes;
    scene.node_count = LIMB_JOINT_COUNT + 1;
    scene.skins = skins;
    scene.skin_count = 3;
    scene.instances = instances;
    scene.instance_count = 4;

    pelt_twist request = {LIMB_LOWER, 3, PELT_TWIST_CHILD};
    pelt_twist_options options = {.twist_count = 1, .twists = &request};
    pelt_twist_report report;
    pelt_scene* twisted;
    ENSURE(pelt_twist_add(&twisted, &scene, &options, &report, NULL) == PELT_OK);
    ENSURE(pelt_scene_validate(twisted, NULL) == PELT_OK);
    ENSURE(report.copied_count == 2 && twisted->mesh_count == 3 && report.joint_count == 3);
    ENSURE(twisted->instances[1].mesh == 0 && twisted->instances[0].mesh == 1);
    ENSURE(twisted->instances[2].mesh == 2 && twisted->instances[3].mesh == 1);
    ENSURE(twisted->skins[0].joint_count == LIMB_JOINT_COUNT + 3);
    ENSURE(twisted->skins[2].joint_count == LIMB_JOINT_COUNT);
    ENSURE(twisted->meshes[0].weights.max_influences == 2);
    ENSURE(twisted->meshes[2].weights.max_influences == 3);
    pelt_scene_destroy(twisted);
    twist_limb_free(l);
    return 0;
}

// An instance that follows a node ignores weights, so it can share what a skin has changed.
static int a_rigid_instance_needs_no_copy(void)
{
    twist_limb* l = twist_limb_make();
    pelt_instance instances[2] = {{0, PELT_NONE, LIMB_ROOT, 0}, {0, 0, 0, 0}};
    l->scene.instances = instances;
    l->scene.instance_count = 2;
    pelt_scene* twisted = twist_limb_twist(l, LIMB_LOWER, 3, PELT_TWIST_CHILD);
    ENSURE(twisted != NULL && twisted->mesh_count == 1);
    ENSURE(twisted->instances[0].mesh == 0 && twisted->instances[1].mesh == 0);
    ENSURE(twisted->meshes[0].weights.joint_count == LIMB_JOINT_COUNT + 3);
    pelt_scene_destroy(twisted);
    twist_limb_free(l);
    return 0;
}

static int centers_of_changed_weights_are_dropped(void)
{
    twist_limb* l = twist_limb_make();
    l->mesh.cors = l->positions;
    pelt_scene* twisted = twist_limb_twist(l, LIMB_LOWER, 1, PELT_TWIST_CHILD);
    ENSURE(twisted != NULL && twisted->meshes[0].cors == NULL);
    pelt_scene_destroy(twisted);
    twist_limb_free(l);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// What it is for

// The thinnest cross section, as a part of the radius at rest.
static double thinnest(const pelt_scene* scene, float time)
{
    pelt_vec3* now = twist_limb_deform(scene, time);
    double least = 1.0;
    for (uint32_t v = 0; v < LIMB_VERTEX_COUNT; ++v)
    {
        least = fmin(least, hypot((double)now[v].y, (double)now[v].z) / 0.2);
    }
    free(now);
    return least;
}

// Two joints that differ by d leave cos(d / 2) where they share equally. Cross sections are at
// such positions; with three twist joints d is a fourth of the twist.
static int a_tube_keeps_the_cosine_of_half_a_step(void)
{
    const float angles[2] = {0.0f, 3.0f};
    for (int s = 0; s < 2; ++s)
    {
        twist_limb* l = twist_limb_make();
        twist_limb_rotate(l, sources[s] == PELT_TWIST_CHILD ? LIMB_HAND : LIMB_LOWER, x_axis,
                          angles, 2);
        pelt_scene* twisted = twist_limb_twist(l, LIMB_LOWER, 3, sources[s]);
        ENSURE_NEAR(thinnest(&l->scene, 1.0f), cos(1.5), 1e-5);
        ENSURE_NEAR(thinnest(twisted, 1.0f), cos(0.375), 1e-5);
        pelt_scene_destroy(twisted);
        twist_limb_free(l);
    }
    return 0;
}

enum
{
    SECTIONS = 24, // from elbow to a little beyond the wrist
};

typedef struct sections
{
    double radius[SECTIONS], count[SECTIONS];
} sections;

// Mean distance from the axis through elbow and wrist of what is near it.
static sections measure(const pelt_scene* scene, const pelt_vec3* rest, const pelt_vec3* now)
{
    sections out = {{0}, {0}};
    pelt_vec3 elbow = {0.445f, 1.427f, -0.020f}, wrist = {0.695f, 1.428f, -0.002f};
    pelt_vec3 bone = pelt_vec3_sub(wrist, elbow);
    float square = pelt_vec3_dot(bone, bone);
    for (uint32_t v = 0; v < scene->meshes[0].vertex_count; ++v)
    {
        float part = pelt_vec3_dot(pelt_vec3_sub(rest[v], elbow), bone) / square;
        if (part < 0.0f || part >= 1.2f)
        {
            continue;
        }
        pelt_vec3 p = pelt_vec3_sub(now[v], elbow);
        pelt_vec3 foot = pelt_vec3_scale(bone, pelt_vec3_dot(p, bone) / square);
        uint32_t section = (uint32_t)(part / 1.2f * SECTIONS);
        out.radius[section] += (double)pelt_vec3_distance(p, foot);
        out.count[section] += 1.0;
    }
    return out;
}

static double largest_loss(const pelt_scene* scene)
{
    pelt_vec3* now = twist_limb_deform(scene, 1.0f);
    const pelt_vec3* rest = scene->meshes[0].positions;
    sections before = measure(scene, rest, rest), after = measure(scene, rest, now);
    double worst = 0.0;
    for (uint32_t i = 0; i < SECTIONS; ++i)
    {
        double loss = before.count[i] > 0 ? 1.0 - after.radius[i] / before.radius[i] : 0.0;
        worst = fmax(worst, loss);
    }
    free(now);
    return worst;
}

// The hand rotated by 180 degrees about the forearm, in a clip of one second.
static int a_forearm_rotated_half_loses_a_fourth_of_the_radius_it_lost(void)
{
    pelt_scene *human, *twisted;
    ENSURE(pelt_rig_build(&human, "human", NULL) == PELT_OK);
    uint32_t hand = pelt_scene_find_node(human, "hand_l");
    pelt_vec3 axis = human->nodes[hand].rest.translation;
    static const float times[2] = {0.0f, 1.0f};
    pelt_quat values[2] = {pelt_quat_identity(), pelt_quat_axis_angle(axis, PELT_PI)};
    pelt_track track = {hand,  PELT_PATH_ROTATION, PELT_INTERPOLATION_LINEAR, 2, 4,
                        times, &values[0].x};
    pelt_clip clip = {"rotate", 1.0f, 1, &track};
    pelt_scene scene = *human;
    scene.clips = &clip;
    scene.clip_count = 1;

    pelt_twist request = {.node = pelt_scene_find_node(human, "forearm_l")};
    pelt_twist_options options = {.twist_count = 1, .twists = &request};
    double before = largest_loss(&scene), after[4];
    printf("  radius lost: %.1f %%; with 1 to 4 twist joints:", 100.0 * before);
    for (uint32_t n = 1; n <= 4; ++n)
    {
        request.count = n;
        ENSURE(pelt_twist_add(&twisted, &scene, &options, NULL, NULL) == PELT_OK);
        after[n - 1] = largest_loss(twisted);
        printf(" %.1f %%", 100.0 * after[n - 1]);
        pelt_scene_destroy(twisted);
    }
    printf("\n");
    ENSURE(after[2] * 4.0 <= before);
    pelt_scene_destroy(human);
    return 0;
}

void test_twist(void)
{
    RUN(weights_are_hats_along_the_bone);
    RUN(weights_stay_positive_and_sum_to_one);
    RUN(influences_are_limited_on_request);
    RUN(poses_without_twist_are_as_before);
    RUN(a_twist_is_shared_out_by_the_law);
    RUN(a_bend_does_not_count_as_twist);
    RUN(nodes_between_joints_count);
    RUN(a_stored_pose_that_is_twisted_shows_it);
    RUN(nothing_flips_beyond_180_degrees);
    RUN(steps_stay_steps);
    RUN(splines_are_met_to_a_twentieth_of_a_degree);
    RUN(all_else_is_kept);
    RUN(skins_that_share_a_mesh_get_their_own);
    RUN(a_rigid_instance_needs_no_copy);
    RUN(centers_of_changed_weights_are_dropped);
    RUN(a_tube_keeps_the_cosine_of_half_a_step);
    RUN(a_forearm_rotated_half_loses_a_fourth_of_the_radius_it_lost);
}
