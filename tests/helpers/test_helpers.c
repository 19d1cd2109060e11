// SPDX-License-Identifier: MIT
// Helper joints: their rule against its closed form, and what is fitted on a limb, where the target
// is known, and on an arm.
#include "failing_heap.h"
#include "pelt/helpers.h"
#include "rigs.h"
#include "test.h"
#include "twist_limb.h"

#include <stdlib.h>
#include <string.h>

static const pelt_vec3 x_axis = {1, 0, 0};

static pelt_helpers_options options_for(uint32_t count, pelt_method method)
{
    return (pelt_helpers_options){.count = count, .target.method = method};
}

static pelt_scene* build(const char* name)
{
    pelt_scene* scene = NULL;
    return pelt_rig_build(&scene, name, NULL) == PELT_OK ? scene : NULL;
}

// ---------------------------------------------------------------------------------------------
// The rule

// The source rotates by an angle about z through a point; all values follow from the half angle.
static int a_rule_follows_its_closed_form(void)
{
    const pelt_vec3 pivot = {0.3f, -0.2f, 0.5f}, center = {0.4f, 0.1f, 0.2f};
    for (int i = 0; i < 40; ++i)
    {
        double angle = -3.1 + 0.155 * i, x = 0.05 + 0.02 * i;
        float cosine = (float)cos(angle), sine = (float)sin(angle);
        pelt_mat34 source = pelt_mat34_identity(), identity = pelt_mat34_identity();
        source.m[0][0] = source.m[1][1] = cosine;
        source.m[1][0] = sine;
        source.m[0][1] = -sine;
        pelt_vec3 turned = pelt_mat34_point(&source, pivot);
        source.m[0][3] = pivot.x - turned.x;
        source.m[1][3] = pivot.y - turned.y;
        const pelt_helper helper = {
            .factor = (float)x, .center = center, .source_from_parent = pelt_mat34_identity()};
        pelt_transform local = pelt_helper_evaluate(&helper, &identity, &source);
        double half = atan2(x * sin(0.5 * angle), 1.0 - x + x * cos(0.5 * angle));
        ENSURE_NEAR(local.rotation.z, sin(half), 2e-6);
        ENSURE_NEAR(local.rotation.w, cos(half), 2e-6);
        pelt_vec3 moved = pelt_mat34_point(&source, center);
        pelt_vec3 expected = pelt_vec3_lerp(center, moved, (float)x);
        ENSURE_POINT(local.translation, expected, 2e-6);
        ENSURE_NEAR(local.scale.x, 1.0, 2e-6);
    }
    return 0;
}

// Moving parent and source together does not change the transform between them; offsets cancel.
static int a_rule_is_relative_to_the_parent(void)
{
    test_random random = {3};
    for (int i = 0; i < 50; ++i)
    {
        pelt_transform parts[4];
        pelt_mat34 m[4];
        for (int k = 0; k < 4; ++k)
        {
            parts[k] = (pelt_transform){
                test_point(&random, 1.0f), test_rotation(&random, 80.0f), {1.0f, 1.0f, 1.0f}};
            m[k] = pelt_mat34_from_transform(parts[k]);
        }
        // parent P, motion D in its space, bind offset K, and a motion G of the world.
        pelt_mat34 inverse, source = pelt_mat34_mul(&m[0], &m[1]), moved[2];
        ENSURE(pelt_mat34_inverse(&inverse, &m[2]));
        source = pelt_mat34_mul(&source, &inverse);
        const pelt_helper helper = {
            .factor = 0.3f, .center = {0.1f, 0.2f, 0.3f}, .source_from_parent = m[2]};
        const pelt_helper plain = {.factor = 0.3f,
                                   .center = {0.1f, 0.2f, 0.3f},
                                   .source_from_parent = pelt_mat34_identity()};
        moved[0] = pelt_mat34_mul(&m[3], &m[0]);
        moved[1] = pelt_mat34_mul(&m[3], &source);
        pelt_mat34 identity = pelt_mat34_identity();
        pelt_transform a = pelt_helper_evaluate(&helper, &moved[0], &moved[1]),
                       b = pelt_helper_evaluate(&plain, &identity, &m[1]);
        ENSURE_POINT(a.translation, b.translation, 1e-5);
        ENSURE_NEAR(fabsf(pelt_quat_dot(a.rotation, b.rotation)), 1.0, 1e-5);
    }
    return 0;
}

static int a_rule_scales_and_survives_what_has_no_inverse(void)
{
    pelt_mat34 flat = {{{0}}}, identity = pelt_mat34_identity(), twice = identity;
    const pelt_helper helper = {
        .factor = 0.25f, .center = {1.0f, 0.0f, 0.0f}, .source_from_parent = pelt_mat34_identity()};
    twice.m[0][0] = twice.m[1][1] = twice.m[2][2] = 2.0f;
    pelt_transform local = pelt_helper_evaluate(&helper, &identity, &twice);
    ENSURE_POINT(local.scale, pelt_vec3_make(1.25f, 1.25f, 1.25f), 1e-6);
    ENSURE_NEAR(local.translation.x, 1.25, 1e-6);
    local = pelt_helper_evaluate(&helper, &flat, &twice);
    ENSURE_POINT(local.translation, helper.center, 0.0);
    twice.m[0][0] = -2.0f; // mirrors
    local = pelt_helper_evaluate(&helper, &identity, &twice);
    ENSURE_POINT(local.translation, helper.center, 0.0);
    ENSURE_NEAR(local.rotation.w, 1.0, 0.0);
    return 0;
}

static int scenes_with_wrong_helpers_are_invalid(void)
{
    twist_limb* l = twist_limb_make();
    pelt_node nodes[LIMB_JOINT_COUNT + 2];
    memcpy(nodes, l->nodes, sizeof l->nodes);
    nodes[LIMB_JOINT_COUNT] = (pelt_node){"helper", LIMB_LOWER, pelt_transform_identity()};
    nodes[LIMB_JOINT_COUNT + 1] = (pelt_node){"spare", LIMB_ROOT, pelt_transform_identity()};
    pelt_helper helper = {.node = LIMB_JOINT_COUNT,
                          .source = LIMB_HAND,
                          .factor = 0.5f,
                          .source_from_parent = pelt_mat34_identity()};
    l->scene.nodes = nodes;
    l->scene.node_count = LIMB_JOINT_COUNT + 2;
    l->scene.helpers = &helper;
    l->scene.helper_count = 1;
    ENSURE(pelt_scene_validate(&l->scene, NULL) == PELT_OK);
    helper.factor = 1.5f;
    ENSURE(pelt_scene_validate(&l->scene, NULL) == PELT_ERROR_DATA);
    helper.factor = 0.5f;
    helper.source = helper.node;
    ENSURE(pelt_scene_validate(&l->scene, NULL) == PELT_ERROR_DATA);
    helper.source = 99;
    ENSURE(pelt_scene_validate(&l->scene, NULL) == PELT_ERROR_DATA);
    helper.source = LIMB_HAND;
    nodes[LIMB_JOINT_COUNT + 1].parent = LIMB_JOINT_COUNT;
    ENSURE(pelt_scene_validate(&l->scene, NULL) == PELT_ERROR_DATA);
    twist_limb_free(l);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Results

static int a_twist_by_180_degrees_keeps_its_radius(void)
{
    const float angles[] = {0.0f, 0.25f * PELT_PI, 0.5f * PELT_PI, 0.75f * PELT_PI,
                            0.999f * PELT_PI};
    twist_limb* l = twist_limb_make();
    twist_limb_rotate(l, LIMB_HAND, x_axis, angles, 5);
    pelt_scene* out;
    pelt_helpers_options options = options_for(3, PELT_METHOD_DQS);
    ENSURE(pelt_helpers_add(&out, &l->scene, &options, NULL, NULL, NULL) == PELT_OK);
    const pelt_scene* scenes[] = {&l->scene, out};
    double least[2];
    for (int i = 0; i < 2; ++i)
    {
        pelt_vec3* now = twist_limb_deform(scenes[i], 4.0f);
        least[i] = 1.0;
        for (uint32_t v = 0; v < LIMB_VERTEX_COUNT; ++v)
        {
            least[i] = fmin(least[i], hypot((double)now[v].y, (double)now[v].z) / 0.2);
        }
        free(now);
    }
    ENSURE(least[0] < 0.05); // a point
    ENSURE(least[1] > 0.9);
    pelt_scene_destroy(out);
    twist_limb_free(l);
    return 0;
}

static int old_parts_of_a_scene_do_not_change(void)
{
    pelt_scene *arm = build("arm"), *out;
    pelt_helpers_options options = options_for(6, PELT_METHOD_CRS);
    pelt_helpers_report report;
    pelt_arena* arena = pelt_arena_create();
    ENSURE(pelt_helpers_add(&out, arm, &options, &report, arena, NULL) == PELT_OK);
    ENSURE(pelt_scene_validate(out, NULL) == PELT_OK);
    ENSURE(report.count > 0 && report.count <= 6 && out->helper_count == report.count);
    ENSURE(out->node_count == arm->node_count + report.count);
    for (uint32_t i = 0; i < arm->node_count; ++i)
    {
        ENSURE(strcmp(out->nodes[i].name, arm->nodes[i].name) == 0);
        ENSURE(test_is_same(&out->nodes[i].rest, &arm->nodes[i].rest, 1, sizeof(pelt_transform)));
    }
    const pelt_weights *before = &arm->meshes[0].weights, *now = &out->meshes[0].weights;
    uint32_t kept = 0;
    for (uint32_t v = 0; v < before->vertex_count; ++v)
    {
        uint32_t count = before->first[v + 1] - before->first[v];
        kept += now->first[v + 1] - now->first[v] == count &&
                test_is_same(now->influences + now->first[v], before->influences + before->first[v],
                             count, sizeof(pelt_influence));
        ENSURE(now->first[v + 1] - now->first[v] <= 4);
    }
    ENSURE(kept >= report.kept_count && report.kept_count > 0 && report.changed_count > 0);
    for (uint32_t i = 0; i < arm->clip_count; ++i)
    {
        ENSURE(out->clips[i].duration == arm->clips[i].duration);
        ENSURE(out->clips[i].track_count > arm->clips[i].track_count);
    }
    pelt_scene_destroy(out);
    pelt_scene_destroy(arm);
    pelt_arena_destroy(arena);
    return 0;
}

static double pose_distance(const pelt_scene* a, const pelt_scene* b, const pelt_clip* clip_a,
                            const pelt_clip* clip_b, float time)
{
    const pelt_scene* scenes[] = {a, b};
    const pelt_clip* clips[] = {clip_a, clip_b};
    pelt_frame frames[2];
    for (int i = 0; i < 2; ++i)
    {
        pelt_pose pose;
        pelt_pose_create(&pose, scenes[i]);
        pelt_frame_create(&frames[i], scenes[i]);
        if (clips[i] != NULL)
        {
            pelt_pose_sample(&pose, scenes[i], clips[i], time, PELT_WRAP_CLAMP);
        }
        pelt_frame_update(&frames[i], scenes[i], &pose, &(pelt_deform_options){0});
        pelt_pose_destroy(&pose);
    }
    double most = 0.0;
    for (uint32_t v = 0; v < a->meshes[0].vertex_count; ++v)
    {
        most = fmax(most, (double)pelt_vec3_distance(frames[0].surfaces[0].positions[v],
                                                     frames[1].surfaces[0].positions[v]));
    }
    pelt_frame_destroy(&frames[0]);
    pelt_frame_destroy(&frames[1]);
    return most;
}

// The arm is stored in its bind pose.
static int the_bind_pose_does_not_change(void)
{
    pelt_scene *arm = build("arm"), *out;
    pelt_helpers_options options = options_for(6, PELT_METHOD_CRS);
    ENSURE(pelt_helpers_add(&out, arm, &options, NULL, NULL, NULL) == PELT_OK);
    // Rounding of matrices times a meter.
    ENSURE(pose_distance(arm, out, NULL, NULL, 0.0f) < 1e-6);
    pelt_scene_destroy(out);
    pelt_scene_destroy(arm);
    return 0;
}

// Programs that do not know the rule play the tracks: the surface is the same between keys, too.
static int tracks_move_helpers_as_the_rule_does(void)
{
    pelt_scene *arm = build("arm"), *out;
    pelt_helpers_options options = options_for(6, PELT_METHOD_CRS);
    ENSURE(pelt_helpers_add(&out, arm, &options, NULL, NULL, NULL) == PELT_OK);
    for (uint32_t i = 0; i < out->clip_count; ++i)
    {
        pelt_scene by_tracks = *out;
        by_tracks.helper_count = 0;
        for (int k = 0; k < 13; ++k)
        {
            float time = out->clips[i].duration * ((float)k + 0.37f) / 13.0f;
            // 0.05 degrees at 0.2 m, and 2e-5 of a meter.
            ENSURE(pose_distance(out, &by_tracks, &out->clips[i], &out->clips[i], time) < 3e-4);
        }
    }
    pelt_scene_destroy(out);
    pelt_scene_destroy(arm);
    return 0;
}

// Methods that need data of their own get it, also where the scene has none.
// @param ratio  of the error with helpers to that of plain linear blending, at most
static int fit_arm(pelt_method method, float ratio)
{
    pelt_scene *arm = build("arm"), *out;
    pelt_helpers_options options = options_for(12, method);
    pelt_helpers_report report;
    pelt_arena* arena = pelt_arena_create();
    ENSURE(pelt_helpers_add(&out, arm, &options, &report, arena, NULL) == PELT_OK);
    ENSURE(report.held_out.lbs_rms > 1e-4f);
    ENSURE(report.held_out.rms < ratio * report.held_out.lbs_rms);
    ENSURE(report.training.rms < ratio * report.training.lbs_rms);
    for (uint32_t i = 1; i < report.step_count; ++i)
    {
        ENSURE(report.steps[i].count > report.steps[i - 1].count);
        ENSURE(report.steps[i].rms <= report.steps[i - 1].rms);
    }
    pelt_scene_destroy(out);
    pelt_scene_destroy(arm);
    pelt_arena_destroy(arena);
    return 0;
}

static int helpers_bring_an_arm_close_to_crs(void)
{
    return fit_arm(PELT_METHOD_CRS, 0.4f);
}

static int helpers_bring_an_arm_close_to_direct_delta_mush(void)
{
    return fit_arm(PELT_METHOD_DDM, 0.6f);
}

static int copies_of_a_vertex_get_equal_weights(void)
{
    pelt_scene *human = build("human?vertices=2000"), *out;
    pelt_helpers_options options = options_for(4, PELT_METHOD_DQS);
    options.max_poses = 40;
    ENSURE(pelt_helpers_add(&out, human, &options, NULL, NULL, NULL) == PELT_OK);
    const pelt_mesh *before = &human->meshes[0], *now = &out->meshes[0];
    uint32_t pair_count = 0;
    for (uint32_t a = 0; a < before->vertex_count; ++a)
    {
        for (uint32_t b = a + 1; b < before->vertex_count; ++b)
        {
            const pelt_weights *w = &before->weights, *n = &now->weights;
            uint32_t count = w->first[a + 1] - w->first[a];
            if (memcmp(&before->positions[a], &before->positions[b], sizeof(pelt_vec3)) != 0 ||
                w->first[b + 1] - w->first[b] != count ||
                !test_is_same(w->influences + w->first[a], w->influences + w->first[b], count,
                              sizeof(pelt_influence)))
            {
                continue;
            }
            ++pair_count;
            ENSURE(n->first[a + 1] - n->first[a] == n->first[b + 1] - n->first[b]);
            ENSURE(test_is_same(n->influences + n->first[a], n->influences + n->first[b],
                                n->first[a + 1] - n->first[a], sizeof(pelt_influence)));
        }
    }
    ENSURE(pair_count > 10);
    pelt_scene_destroy(out);
    pelt_scene_destroy(human);
    return 0;
}

static int threads_do_not_change_a_bit(void)
{
    pelt_scene *arm = build("arm"), *out[2];
    pelt_helpers_options options = options_for(3, PELT_METHOD_CRS);
    options.max_poses = 40;
    ENSURE(pelt_helpers_add(&out[0], arm, &options, NULL, NULL, NULL) == PELT_OK);
    pelt_pool* pool = pelt_pool_create(3);
    pelt_hooks_set(&(pelt_hooks){.run = pelt_pool_run, .run_user = pool});
    pelt_result result = pelt_helpers_add(&out[1], arm, &options, NULL, NULL, NULL);
    pelt_hooks_set(&(pelt_hooks){0});
    pelt_pool_destroy(pool);
    ENSURE(result == PELT_OK && out[0]->helper_count == out[1]->helper_count);
    ENSURE(
        test_is_same(out[0]->helpers, out[1]->helpers, out[0]->helper_count, sizeof(pelt_helper)));
    const pelt_weights *a = &out[0]->meshes[0].weights, *b = &out[1]->meshes[0].weights;
    ENSURE(a->influence_count == b->influence_count);
    ENSURE(test_is_same(a->influences, b->influences, a->influence_count, sizeof(pelt_influence)));
    pelt_scene_destroy(out[0]);
    pelt_scene_destroy(out[1]);
    pelt_scene_destroy(arm);
    return 0;
}

static int limits_are_kept(void)
{
    pelt_scene *arm = build("arm"), *out;
    pelt_helpers_report report;
    pelt_arena* arena = pelt_arena_create();
    pelt_helpers_options options = options_for(20, PELT_METHOD_CRS);
    options.max_poses = 40;
    options.max_joints = arm->skins[0].joint_count + 2;
    options.max_influences = 3;
    ENSURE(pelt_helpers_add(&out, arm, &options, &report, arena, NULL) == PELT_OK);
    ENSURE(out->skins[0].joint_count <= options.max_joints && report.count <= 2);
    ENSURE(pelt_scene_validate(out, NULL) == PELT_OK);
    pelt_scene_destroy(out);
    // One that is larger than the error of plain LBS takes the first step only.
    options = (pelt_helpers_options){
        .max_error = 1.0f, .max_poses = 40, .target.method = PELT_METHOD_CRS};
    ENSURE(pelt_helpers_add(&out, arm, &options, &report, arena, NULL) == PELT_OK);
    ENSURE(report.is_reached && report.count == 1);
    pelt_error error;
    pelt_scene* twice;
    ENSURE(pelt_helpers_add(&twice, out, &options, NULL, NULL, &error) == PELT_ERROR_ARGUMENT);
    ENSURE(twice == NULL && strstr(error.message, "already") != NULL);
    pelt_scene_destroy(out);
    options.max_influences = 17;
    ENSURE(pelt_helpers_add(&out, arm, &options, NULL, NULL, &error) == PELT_ERROR_ARGUMENT);
    pelt_scene_destroy(arm);
    pelt_arena_destroy(arena);
    return 0;
}

static bool stop(float part, void* user)
{
    (void)user;
    return part < 0.05f;
}

static int a_fit_can_be_canceled(void)
{
    pelt_scene *arm = build("arm"), *out;
    pelt_helpers_options options = options_for(3, PELT_METHOD_CRS);
    options.progress = stop;
    ENSURE(pelt_helpers_add(&out, arm, &options, NULL, NULL, NULL) == PELT_ERROR_CANCELED);
    ENSURE(out == NULL);
    pelt_scene_destroy(arm);
    return 0;
}

static pelt_result attempt(const void* context)
{
    pelt_scene* out;
    pelt_helpers_options options = options_for(2, PELT_METHOD_DQS);
    options.max_poses = 8;
    pelt_result result = pelt_helpers_add(&out, context, &options, NULL, NULL, NULL);
    pelt_scene_destroy(out);
    return result;
}

static int running_out_of_memory_is_a_result(void)
{
    const float angles[] = {0.0f, 1.0f, 2.0f};
    twist_limb* l = twist_limb_make();
    twist_limb_rotate(l, LIMB_HAND, x_axis, angles, 3);
    ENSURE(failing_heap_check(attempt, &l->scene, 40) == 0);
    twist_limb_free(l);
    return 0;
}

void test_helpers(void)
{
    RUN(a_rule_follows_its_closed_form);
    RUN(a_rule_is_relative_to_the_parent);
    RUN(a_rule_scales_and_survives_what_has_no_inverse);
    RUN(scenes_with_wrong_helpers_are_invalid);
    RUN(a_twist_by_180_degrees_keeps_its_radius);
    RUN(old_parts_of_a_scene_do_not_change);
    RUN(the_bind_pose_does_not_change);
    RUN(tracks_move_helpers_as_the_rule_does);
    RUN(helpers_bring_an_arm_close_to_crs);
    RUN(helpers_bring_an_arm_close_to_direct_delta_mush);
    RUN(copies_of_a_vertex_get_equal_weights);
    RUN(threads_do_not_change_a_bit);
    RUN(limits_are_kept);
    RUN(a_fit_can_be_canceled);
    RUN(running_out_of_memory_is_a_result);
}
