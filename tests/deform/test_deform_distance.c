// SPDX-License-Identifier: MIT
// Vertices that have moved away from their bones are pushed back, without tearing the surface.
#include "body_fixture.h"
#include "pelt/prepare.h"
#include "rigs.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static const pelt_deform_options dqs = {.method = PELT_METHOD_DQS};
static const pelt_deform_options corrected = {.method = PELT_METHOD_DQS,
                                              .distance_correction = 1.0f};

static float largest_distance(const pelt_surface* a, const pelt_vec3* b, uint32_t count)
{
    float most = 0.0f;
    for (uint32_t v = 0; v < count; ++v)
    {
        most = fmaxf(most, pelt_vec3_distance(a->positions[v], b[v]));
    }
    return most;
}

static float bulge_of(body_fixture* f, const char* clip, const pelt_deform_options* options)
{
    if (!body_fixture_pose(f, clip, 1.0f, options))
    {
        return NAN;
    }
    body_fixture_measure(f);
    return body_fixture_whole(f, PELT_METRIC_BULGE)->max;
}

// On the outside of a bend dqs takes vertices to sqrt(s^2 + r^2) from the joint, where they had r
// at rest: there, pushed back by a part of the way, that part of the bulge is gone, and all of it
// in the end. lbs has no such bulge.
static int bends_do_not_bulge(void)
{
    body_fixture f;
    ENSURE(body_fixture_open(&f, "rig:bar?vertices=2000"));
    float plain = bulge_of(&f, "bend120", &dqs);
    ENSURE(plain > 0.03f);
    pelt_deform_options options = corrected;
    for (float strength = 0.25f; strength <= 1.0f; strength += 0.25f)
    {
        options.distance_correction = strength;
        ENSURE_NEAR(bulge_of(&f, "bend120", &options), (1.0f - strength) * plain, 2e-5f);
    }
    options.method = PELT_METHOD_MIX;
    options.mix = 0.7f;
    ENSURE(bulge_of(&f, "bend120", &options) < 5e-5f);
    options.method = PELT_METHOD_CRS;
    ENSURE(bulge_of(&f, "bend120", &options) < 5e-5f);
    body_fixture_close(&f);
    return 0;
}

// Nothing has moved away from its bones: nothing is pushed.
static int twists_and_the_rest_pose_stay(void)
{
    static const char* const rigs[] = {"rig:bar?vertices=500", "rig:human?vertices=2000"};
    for (int i = 0; i < 2; ++i)
    {
        body_fixture f;
        ENSURE(body_fixture_open(&f, rigs[i]));
        for (pelt_method method = 0; method < PELT_METHOD_COUNT; ++method)
        {
            pelt_deform_options options = {.method = method, .distance_correction = 1.0f};
            body_fixture_step(&f, &options);
            ENSURE(largest_distance(&f.frame.surfaces[0], f.scene.meshes[0].positions,
                                    f.scene.meshes[0].vertex_count) < 2e-6f);
        }
        body_fixture_close(&f);
    }
    body_fixture f;
    ENSURE(body_fixture_open(&f, "rig:bar?vertices=500"));
    uint32_t count = f.scene.meshes[0].vertex_count;
    pelt_vec3* before = malloc(count * sizeof *before);
    for (pelt_method method = PELT_METHOD_LBS; method <= PELT_METHOD_DQS; ++method)
    {
        // Under lbs vertices come nearer to the bone, which is not a bulge.
        pelt_deform_options plain = {.method = method};
        pelt_deform_options pushed = {.method = method, .distance_correction = 1.0f};
        ENSURE(body_fixture_pose(&f, "twist135", 1.0f, &plain));
        memcpy(before, f.frame.surfaces[0].positions, count * sizeof *before);
        ENSURE(body_fixture_pose(&f, "twist135", 1.0f, &pushed));
        ENSURE(largest_distance(&f.frame.surfaces[0], before, count) < 2e-6f);
    }
    free(before);
    body_fixture_close(&f);
    return 0;
}

// A pose that moves, rotates and grows as a whole takes the result along.
static int moving_everything_moves_along(void)
{
    body_fixture f;
    ENSURE(body_fixture_open(&f, "rig:arm?vertices=500"));
    uint32_t count = f.scene.meshes[0].vertex_count;
    pelt_vec3* before = malloc(count * sizeof *before);
    ENSURE(body_fixture_pose(&f, "bend", 1.0f, &corrected));
    memcpy(before, f.frame.surfaces[0].positions, count * sizeof *before);
    pelt_transform move = {.translation = {3.0f, -2.0f, 1.0f},
                           .rotation = pelt_quat_axis_angle(pelt_vec3_make(0.6f, 0.0f, 0.8f), 1.0f),
                           .scale = {2.5f, 2.5f, 2.5f}};
    pelt_mat34 matrix = pelt_mat34_from_transform(move);
    for (uint32_t i = 0; i < f.scene.node_count; ++i)
    {
        if (f.scene.nodes[i].parent == PELT_NONE)
        {
            pelt_transform* local = &f.pose.locals[i];
            local->translation = pelt_mat34_point(&matrix, local->translation);
            local->rotation = pelt_quat_mul(move.rotation, local->rotation);
            local->scale = pelt_vec3_scale(local->scale, 2.5f);
        }
    }
    body_fixture_step(&f, &corrected);
    for (uint32_t v = 0; v < count; ++v)
    {
        before[v] = pelt_mat34_point(&matrix, before[v]);
    }
    ENSURE(largest_distance(&f.frame.surfaces[0], before, count) < 1e-5f);
    free(before);
    body_fixture_close(&f);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Continuity

static float segment_distance(pelt_vec3* nearest, pelt_vec3 head, pelt_vec3 tail, pelt_vec3 point)
{
    pelt_vec3 axis = pelt_vec3_sub(tail, head);
    float square = pelt_vec3_dot(axis, axis);
    float along = square > 0.0f ? pelt_vec3_dot(pelt_vec3_sub(point, head), axis) / square : 0.0f;
    *nearest = pelt_vec3_mad(head, fminf(fmaxf(along, 0.0f), 1.0f), axis);
    return pelt_vec3_distance(point, *nearest);
}

// As published: to the bone that is nearest at rest, among those of all joints of the vertex.
static pelt_vec3 project_as_published(const pelt_deform_input* input, uint32_t v,
                                      pelt_vec3 position)
{
    const pelt_weights* weights = input->weights;
    const pelt_bones* bones = input->bones;
    const pelt_bone* own = NULL;
    pelt_vec3 nearest;
    float rest = INFINITY;
    for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
    {
        uint32_t joint = weights->influences[i].joint;
        for (uint32_t k = bones->first[joint]; k < bones->first[joint + 1]; ++k)
        {
            const pelt_vec3* ends = bones->bones[k].ends;
            float distance = segment_distance(&nearest, ends[0], ends[1], input->positions[v]);
            own = distance < rest ? &bones->bones[k] : own;
            rest = fminf(rest, distance);
        }
    }
    const pelt_mat34* matrices = input->palette->matrices;
    float now =
        segment_distance(&nearest, pelt_mat34_point(&matrices[own->joints[0]], own->ends[0]),
                         pelt_mat34_point(&matrices[own->joints[1]], own->ends[1]), position);
    return now > rest ? pelt_vec3_lerp(nearest, position, rest / now) : position;
}

enum
{
    LINE_MAX = 1025,
    LINE_JOINTS = 16,
};

// Points from one vertex of a mesh to another, with weights in proportion.
typedef struct line
{
    pelt_vec3 positions[LINE_MAX], plain[LINE_MAX], moved[LINE_MAX];
    uint32_t joints[LINE_MAX * LINE_JOINTS];
    float shares[LINE_MAX * LINE_JOINTS];
} line;

static void fill_line(line* out, const pelt_mesh* mesh, uint32_t a, uint32_t b, uint32_t count)
{
    const pelt_weights* weights = &mesh->weights;
    memset(out->joints, 0, sizeof out->joints);
    memset(out->shares, 0, sizeof out->shares);
    for (uint32_t i = 0; i < count; ++i)
    {
        float part = (float)i / (float)(count - 1);
        uint32_t slot = i * LINE_JOINTS;
        out->positions[i] = pelt_vec3_lerp(mesh->positions[a], mesh->positions[b], part);
        for (int end = 0; end < 2; ++end)
        {
            uint32_t v = end == 0 ? a : b;
            for (uint32_t k = weights->first[v]; k < weights->first[v + 1]; ++k, ++slot)
            {
                out->joints[slot] = weights->influences[k].joint;
                out->shares[slot] = weights->influences[k].weight * (end == 0 ? 1.0f - part : part);
            }
        }
    }
}

// How much more one of two neighboring points is pushed than the other, at most, in meters: by the
// library, and as published.
static bool measure_line(float out[2], const body_fixture* f, uint32_t a, uint32_t b,
                         uint32_t count)
{
    static line l;
    fill_line(&l, &f->scene.meshes[0], a, b, count);
    pelt_weights weights;
    const pelt_weights_source source = {.vertex_count = count,
                                        .joint_count = f->scene.skins[0].joint_count,
                                        .per_vertex = LINE_JOINTS,
                                        .joints_u32 = l.joints,
                                        .weights = l.shares};
    if (pelt_weights_create(&weights, &source, NULL) != PELT_OK)
    {
        return false;
    }
    const pelt_deform_input input = {.positions = l.positions,
                                     .weights = &weights,
                                     .palette = &f->frame.palettes[0],
                                     .bones = &f->frame.bones[0]};
    const pelt_range all = {0, count};
    pelt_deform(&(pelt_surface){.positions = l.plain}, &input, &dqs, all);
    pelt_deform(&(pelt_surface){.positions = l.moved}, &input, &corrected, all);
    for (int i = 0; i < 2; ++i)
    {
        pelt_vec3 last = {0.0f, 0.0f, 0.0f};
        for (uint32_t v = 0; v < count; ++v)
        {
            pelt_vec3 to = i == 0 ? l.moved[v] : project_as_published(&input, v, l.plain[v]);
            pelt_vec3 push = pelt_vec3_sub(to, l.plain[v]);
            out[i] = v > 0 ? fmaxf(out[i], pelt_vec3_distance(push, last)) : out[i];
            last = push;
        }
    }
    pelt_weights_destroy(&weights);
    return true;
}

// Between points that are an eighth as far apart, what is continuous steps less: an eighth where it
// is smooth. What tears steps as much as before.
static int the_surface_does_not_tear_where_projection_to_the_nearest_bone_does(void)
{
    body_fixture f;
    ENSURE(body_fixture_open(&f, "rig:human?vertices=2000"));
    ENSURE(body_fixture_pose(&f, "squat", 0.5f, &dqs));
    const pelt_mesh* mesh = &f.scene.meshes[0];
    float coarse[2] = {0.0f, 0.0f}, fine[2] = {0.0f, 0.0f};
    for (uint32_t k = 0; k < mesh->index_count; k += test_is_full_sweep() ? 1 : 23)
    {
        uint32_t a = mesh->indices[k], b = mesh->indices[k - k % 3 + (k + 1) % 3];
        ENSURE(measure_line(coarse, &f, a, b, 129) && measure_line(fine, &f, a, b, 1025));
    }
    printf("  steps of %.2f and %.2f mm; as published %.2f and %.2f mm\n", 1e3 * (double)coarse[0],
           1e3 * (double)fine[0], 1e3 * (double)coarse[1], 1e3 * (double)fine[1]);
    ENSURE(fine[0] < 0.25f * coarse[0] && fine[0] < 1.5e-3f);
    ENSURE(fine[1] > 0.75f * coarse[1] && fine[1] > 1e-2f);
    body_fixture_close(&f);
    return 0;
}

// The largest step of any vertex from one pose to the next.
static float measure_pose_steps(body_fixture* f, const char* clip, int count, pelt_vec3* last)
{
    uint32_t vertex_count = f->scene.meshes[0].vertex_count;
    float most = 0.0f;
    for (int i = 0; i <= count; ++i)
    {
        body_fixture_pose(f, clip, (float)i / (float)count, &corrected);
        most =
            i > 0 ? fmaxf(most, largest_distance(&f->frame.surfaces[0], last, vertex_count)) : most;
        memcpy(last, f->frame.surfaces[0].positions, vertex_count * sizeof *last);
    }
    return most;
}

// Four times as many poses: steps of a quarter.
static int poses_do_not_jump(void)
{
    static const char* const clips[] = {"squat", "wave"};
    body_fixture f;
    ENSURE(body_fixture_open(&f, "rig:human?vertices=2000"));
    pelt_vec3* last = malloc(f.scene.meshes[0].vertex_count * sizeof *last);
    for (int i = 0; i < 2; ++i)
    {
        float coarse = measure_pose_steps(&f, clips[i], 60, last);
        float fine = measure_pose_steps(&f, clips[i], 240, last);
        ENSURE(fine < 0.4f * coarse);
    }
    free(last);
    body_fixture_close(&f);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Normals

// Mean angle between normals and those of the deformed triangles, in degrees.
static double normal_error_of(body_fixture* f, const pelt_vec3* normals, pelt_vec3* truth)
{
    const pelt_mesh* mesh = &f->scene.meshes[0];
    const pelt_surface* surface = &f->frame.surfaces[0];
    double sum = 0.0;
    if (pelt_normals_recompute(truth, mesh, surface->positions) != PELT_OK)
    {
        return (double)NAN;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        float cross = pelt_vec3_length(pelt_vec3_cross(normals[v], truth[v]));
        sum += (double)atan2f(cross, pelt_vec3_dot(normals[v], truth[v]));
    }
    return sum / mesh->vertex_count * 180.0 / (double)PELT_PI;
}

// Under the accurate rule normals are those of the corrected surface; under the standard rule they
// are nearer to it than without the correction. At half of the way, too.
static int normals_follow(void)
{
    static const struct
    {
        const char *rig, *clip;
        pelt_method method;
        float strength;
    } cases[] = {{"rig:bar?vertices=2000", "bend120", PELT_METHOD_DQS, 1.0f},
                 {"rig:bar?vertices=2000", "bend90", PELT_METHOD_DQS, 0.5f},
                 {"rig:arm?vertices=3000", "bend", PELT_METHOD_MIX, 1.0f},
                 {"rig:human?vertices=40000", "squat", PELT_METHOD_DQS, 1.0f}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        body_fixture f;
        double errors[2][2];
        ENSURE(body_fixture_open(&f, cases[i].rig));
        uint32_t count = f.scene.meshes[0].vertex_count;
        pelt_vec3* kept = malloc(2 * count * sizeof *kept);
        pelt_arena* arena = pelt_arena_create();
        ENSURE(pelt_scene_add_normal_factors(&f.scene, PELT_PREPARE_ALL, NULL, NULL, arena, NULL) ==
               PELT_OK);
        f.frame.normal_factors[0] = f.scene.meshes[0].normal_factors;
        for (int rule = 0; rule < 2; ++rule)
        {
            pelt_deform_options options = {.method = cases[i].method,
                                           .mix = 0.8f,
                                           .normal_rule = rule == 0 ? PELT_NORMAL_STANDARD
                                                                    : PELT_NORMAL_ACCURATE};
            ENSURE(body_fixture_pose(&f, cases[i].clip, 1.0f, &options));
            memcpy(kept, f.frame.surfaces[0].normals, count * sizeof *kept);
            options.distance_correction = cases[i].strength;
            ENSURE(body_fixture_pose(&f, cases[i].clip, 1.0f, &options));
            errors[rule][0] = normal_error_of(&f, kept, kept + count);
            errors[rule][1] = normal_error_of(&f, f.frame.surfaces[0].normals, kept + count);
        }
        printf("  %s, %s: standard %.2f without, %.2f with; accurate %.2f without, %.2f with\n",
               cases[i].rig, cases[i].clip, errors[0][0], errors[0][1], errors[1][0], errors[1][1]);
        ENSURE(errors[0][1] < errors[0][0] && errors[1][1] < 0.6 * errors[1][0]);
        free(kept);
        pelt_arena_destroy(arena);
        body_fixture_close(&f);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------

// Deformers leave it to the reference.
static int prepared_frames_correct_too(void)
{
    body_fixture f;
    ENSURE(body_fixture_open(&f, "rig:bar?vertices=500"));
    uint32_t count = f.scene.meshes[0].vertex_count;
    pelt_vec3* before = malloc(count * sizeof *before);
    ENSURE(body_fixture_pose(&f, "bend120", 1.0f, &corrected));
    memcpy(before, f.frame.surfaces[0].positions, count * sizeof *before);
    ENSURE(pelt_frame_prepare(&f.frame, &f.scene) == PELT_OK);
    pelt_frame_update(&f.frame, &f.scene, &f.pose, &corrected);
    ENSURE(memcmp(before, f.frame.surfaces[0].positions, count * sizeof *before) == 0);
    free(before);
    body_fixture_close(&f);
    return 0;
}

// The bar: two joints along x with a bone each, the second to the end of the skin.
static int bones_go_from_joint_to_joint(void)
{
    pelt_scene* scene;
    pelt_bones bones;
    pelt_arena* arena = pelt_arena_create();
    ENSURE(pelt_rig_build(&scene, "rig:bar?vertices=200", NULL) == PELT_OK);
    ENSURE(scene->skin_count == 1 && pelt_bones_build(&bones, scene, arena) == PELT_OK);
    ENSURE(bones.joint_count == 2 && bones.first[0] == 0 && bones.first[1] == 1);
    ENSURE(bones.first[2] == 2);
    ENSURE(bones.bones[0].joints[0] == 0 && bones.bones[0].joints[1] == 1);
    ENSURE(bones.bones[1].joints[0] == 1 && bones.bones[1].joints[1] == 1);
    ENSURE_NEAR(pelt_vec3_distance(bones.bones[0].ends[1], bones.bones[1].ends[0]), 0.0f, 1e-6f);
    ENSURE(bones.bones[1].ends[1].x > bones.bones[1].ends[0].x + 0.1f);
    pelt_scene_destroy(scene);
    pelt_arena_destroy(arena);
    return 0;
}

void test_deform_distance(void)
{
    RUN(bends_do_not_bulge);
    RUN(twists_and_the_rest_pose_stay);
    RUN(moving_everything_moves_along);
    RUN(the_surface_does_not_tear_where_projection_to_the_nearest_bone_does);
    RUN(poses_do_not_jump);
    RUN(normals_follow);
    RUN(prepared_frames_correct_too);
    RUN(bones_go_from_joint_to_joint);
}
