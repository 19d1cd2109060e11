// SPDX-License-Identifier: MIT
// Clips and weights for export: parts, rates, motion on the spot, fewer keys, fewer influences.
#include "failing_heap.h"
#include "pelt/prepare.h"
#include "rigs.h"

#include <string.h>

enum
{
    KEYS = 5
};

// A joint below a node that is rotated and scaled, which moves on a curve and nods.
typedef struct walker
{
    pelt_node nodes[2];
    pelt_skin skin;
    uint32_t joint;
    pelt_mat34 bind;
    float times[KEYS], moves[9 * KEYS], rotations[4 * KEYS];
    pelt_track tracks[2];
    pelt_clip clip;
    pelt_scene scene;
} walker;

static void make_walker(walker* out, pelt_interpolation interpolation)
{
    *out = (walker){.joint = 1, .bind = pelt_mat34_identity()};
    out->nodes[0] = (pelt_node){"above", PELT_NONE, pelt_transform_identity()};
    out->nodes[0].rest.rotation = pelt_quat_axis_angle(pelt_vec3_make(1, 0, 0), -1.2f);
    out->nodes[0].rest.scale = pelt_vec3_make(0.5f, 0.5f, 0.5f);
    out->nodes[0].rest.translation = pelt_vec3_make(3, 0, 1);
    out->nodes[1] = (pelt_node){"hips", 0, pelt_transform_identity()};
    bool is_cubic = interpolation == PELT_INTERPOLATION_CUBIC;
    for (uint32_t i = 0; i < KEYS; ++i)
    {
        float t = 0.4f * (float)i, *move = out->moves + (is_cubic ? 9 : 3) * i;
        out->times[i] = t;
        for (uint32_t part = 0; part < (is_cubic ? 3u : 1u); ++part)
        {
            float shift = (float)part;
            *move++ = sinf(3.0f * t + shift);
            *move++ = 1.0f + 0.5f * t * t - shift;
            *move++ = cosf(2.0f * t - shift);
        }
        pelt_quat rotation = pelt_quat_axis_angle(pelt_vec3_make(0, 0, 1), 0.9f * sinf(4.0f * t));
        memcpy(out->rotations + 4 * i, &rotation, sizeof rotation);
    }
    out->tracks[0] =
        (pelt_track){1, PELT_PATH_TRANSLATION, interpolation, KEYS, 3, out->times, out->moves};
    out->tracks[1] = (pelt_track){
        1, PELT_PATH_ROTATION, PELT_INTERPOLATION_LINEAR, KEYS, 4, out->times, out->rotations};
    out->clip = (pelt_clip){"walk", 1.6f, 2, out->tracks};
    out->skin = (pelt_skin){"skin", 1, &out->joint, &out->bind};
    out->scene = (pelt_scene){.node_count = 2,
                              .nodes = out->nodes,
                              .skin_count = 1,
                              .skins = &out->skin,
                              .clip_count = 1,
                              .clips = &out->clip};
}

static pelt_transform sample(const pelt_scene* scene, const pelt_clip* clip, uint32_t node, float t)
{
    pelt_pose pose;
    pelt_transform found = pelt_transform_identity();
    if (pelt_pose_create(&pose, scene) == PELT_OK)
    {
        pelt_pose_sample(&pose, scene, clip, t, PELT_WRAP_CLAMP);
        found = pose.locals[node];
        pelt_pose_destroy(&pose);
    }
    return found;
}

static pelt_vec3 model_position(const pelt_scene* scene, const pelt_clip* clip, float t)
{
    pelt_mat34 above = pelt_mat34_from_transform(sample(scene, clip, 0, t));
    return pelt_mat34_point(&above, sample(scene, clip, 1, t).translation);
}

static int a_part_is_the_clip_as_it_was_there(void)
{
    for (int how = 0; how < 3; ++how)
    {
        walker w;
        make_walker(&w, (pelt_interpolation)how);
        pelt_arena* arena = pelt_arena_create();
        pelt_clip part = w.clip;
        // One end is at a key, the other is not.
        const pelt_edit_clip_options options = {.is_trimmed = true, .start = 0.4f, .end = 1.3f};
        ENSURE(pelt_scene_edit_clip(&part, &w.scene, &options, arena, NULL) == PELT_OK);
        ENSURE_NEAR(part.duration, 0.9f, 1e-6f);
        ENSURE(part.tracks[0].times[0] == 0.0f && part.tracks[0].key_count == 4);
        ENSURE_NEAR(part.tracks[0].times[3], 0.9f, 1e-6f);
        for (int i = 1; i < 30; ++i)
        {
            // Off the keys, where a step would be a matter of rounding.
            float t = 0.9f * ((float)i + 0.3f) / 30.0f;
            pelt_transform found = sample(&w.scene, &part, 1, t);
            pelt_transform expected = sample(&w.scene, &w.clip, 1, t + 0.4f);
            ENSURE_POINT(found.translation, expected.translation, 2e-6);
            ENSURE_NEAR(fabsf(pelt_quat_dot(found.rotation, expected.rotation)), 1.0f, 1e-6f);
        }
        pelt_arena_destroy(arena);
    }
    return 0;
}

static int a_part_that_is_not_there_is_refused(void)
{
    walker w;
    make_walker(&w, PELT_INTERPOLATION_LINEAR);
    pelt_arena* arena = pelt_arena_create();
    pelt_clip part = w.clip;
    pelt_error error = {0};
    const pelt_edit_clip_options late = {.is_trimmed = true, .start = 2.0f, .end = 3.0f};
    ENSURE(pelt_scene_edit_clip(&part, &w.scene, &late, arena, &error) == PELT_ERROR_ARGUMENT);
    ENSURE(strstr(error.message, "walk") != NULL && part.tracks == w.tracks);
    const pelt_edit_clip_options longer = {.is_trimmed = true, .start = 1.0f, .end = 3.0f};
    ENSURE(pelt_scene_edit_clip(&part, &w.scene, &longer, arena, &error) == PELT_OK);
    ENSURE_NEAR(part.duration, 0.6f, 1e-6f);
    pelt_arena_destroy(arena);
    return 0;
}

static int a_rate_has_the_values_of_the_clip_at_its_frames(void)
{
    walker w;
    make_walker(&w, PELT_INTERPOLATION_CUBIC);
    pelt_arena* arena = pelt_arena_create();
    pelt_clip found = w.clip;
    const pelt_edit_clip_options options = {.rate = 30.0f};
    ENSURE(pelt_scene_edit_clip(&found, &w.scene, &options, arena, NULL) == PELT_OK);
    for (uint32_t i = 0; i < 2; ++i)
    {
        const pelt_track* track = &found.tracks[i];
        ENSURE(track->key_count == 49 && track->interpolation == PELT_INTERPOLATION_LINEAR);
        ENSURE_NEAR(track->times[48], 1.6f, 1e-6f);
    }
    for (int frame = 0; frame <= 48; ++frame)
    {
        float t = (float)frame / 30.0f;
        ENSURE_POINT(sample(&w.scene, &found, 1, t).translation,
                     sample(&w.scene, &w.clip, 1, t).translation, 1e-6);
    }
    pelt_arena_destroy(arena);
    return 0;
}

// Whatever is above the joint, it stays over one point of the ground and keeps its height; or the
// node above carries it where it was.
static int motion_over_the_ground_is_removed_or_moved(void)
{
    for (int how = 0; how < 3; ++how)
    {
        walker w;
        make_walker(&w, (pelt_interpolation)how);
        pelt_arena* arena = pelt_arena_create();
        pelt_clip still = w.clip, moved = w.clip;
        const pelt_edit_clip_options remove = {.root_motion = PELT_ROOT_MOTION_REMOVE};
        const pelt_edit_clip_options move = {.root_motion = PELT_ROOT_MOTION_PARENT};
        ENSURE(pelt_scene_edit_clip(&still, &w.scene, &remove, arena, NULL) == PELT_OK);
        ENSURE(pelt_scene_edit_clip(&moved, &w.scene, &move, arena, NULL) == PELT_OK);
        ENSURE(still.track_count == 2 && moved.track_count == 3 && moved.tracks[2].target == 0);
        pelt_vec3 start = model_position(&w.scene, &w.clip, 0.0f);
        for (float t = 0.05f; t < 1.6f; t += 0.11f)
        {
            pelt_vec3 was = model_position(&w.scene, &w.clip, t);
            ENSURE_POINT(model_position(&w.scene, &still, t),
                         pelt_vec3_make(start.x, was.y, start.z), 4e-6);
            ENSURE_POINT(model_position(&w.scene, &moved, t), was, 4e-6);
            ENSURE_POINT(sample(&w.scene, &moved, 1, t).translation,
                         sample(&w.scene, &still, 1, t).translation, 0.0);
        }
        pelt_arena_destroy(arena);
    }
    return 0;
}

static int motion_goes_nowhere_without_a_free_node_above(void)
{
    walker w;
    make_walker(&w, PELT_INTERPOLATION_LINEAR);
    pelt_arena* arena = pelt_arena_create();
    pelt_clip clip = w.clip;
    pelt_error error = {0};
    const pelt_edit_clip_options move = {.root_motion = PELT_ROOT_MOTION_PARENT};
    w.tracks[1].target = 0;
    ENSURE(pelt_scene_edit_clip(&clip, &w.scene, &move, arena, &error) == PELT_ERROR_ARGUMENT);
    ENSURE(strstr(error.message, "above") != NULL);
    w.tracks[1].target = 1;
    w.nodes[1].parent = PELT_NONE;
    ENSURE(pelt_scene_edit_clip(&clip, &w.scene, &move, arena, &error) == PELT_ERROR_ARGUMENT);
    ENSURE(strstr(error.message, "hips") != NULL && clip.tracks == w.tracks);
    pelt_arena_destroy(arena);
    return 0;
}

// The scene gets a node above hips, everything stays where it was, and the node takes the motion.
static int a_node_is_added_where_motion_has_none(void)
{
    walker w;
    make_walker(&w, PELT_INTERPOLATION_LINEAR);
    pelt_arena* arena = pelt_arena_create();
    w.tracks[1].target = 0; // the node above is animated
    pelt_scene scene = w.scene;
    uint32_t added = 0;
    ENSURE(pelt_scene_add_root_nodes(&scene, &added, arena) == PELT_OK && added == 1);
    ENSURE(scene.node_count == 3 && strcmp(scene.nodes[1].name, "root") == 0);
    ENSURE(scene.nodes[1].parent == 0 && scene.nodes[2].parent == 1 &&
           scene.skins[0].joints[0] == 2);
    ENSURE(pelt_scene_validate(&scene, NULL) == PELT_OK);
    pelt_clip moved = scene.clips[0];
    const pelt_edit_clip_options move = {.root_motion = PELT_ROOT_MOTION_PARENT};
    ENSURE(pelt_scene_edit_clip(&moved, &scene, &move, arena, NULL) == PELT_OK);
    ENSURE(moved.track_count == 3 && moved.tracks[2].target == 1);
    pelt_pose before, after;
    ENSURE(pelt_pose_create(&before, &w.scene) == PELT_OK);
    ENSURE(pelt_pose_create(&after, &scene) == PELT_OK);
    for (float t = 0.05f; t < 1.6f; t += 0.11f)
    {
        pelt_pose_sample(&before, &w.scene, &w.clip, t, PELT_WRAP_CLAMP);
        pelt_pose_sample(&after, &scene, &moved, t, PELT_WRAP_CLAMP);
        pelt_mat34 old[2], new[3];
        pelt_pose_to_model(old, &w.scene, &before);
        pelt_pose_to_model(new, &scene, &after);
        ENSURE_POINT(pelt_mat34_point(&new[2], pelt_vec3_make(1, 2, 3)),
                     pelt_mat34_point(&old[1], pelt_vec3_make(1, 2, 3)), 4e-6);
    }
    pelt_pose_destroy(&before);
    pelt_pose_destroy(&after);
    // A second call finds nothing to do.
    ENSURE(pelt_scene_add_root_nodes(&scene, &added, arena) == PELT_OK && added == 0);
    pelt_arena_destroy(arena);
    return 0;
}

// A foot that slides does not carry the character: one joint of three.
static int motion_of_a_limb_stays(void)
{
    walker w;
    make_walker(&w, PELT_INTERPOLATION_LINEAR);
    pelt_node nodes[4] = {w.nodes[0],
                          w.nodes[1],
                          {"knee", 1, pelt_transform_identity()},
                          {"foot", 2, w.nodes[1].rest}};
    uint32_t joints[3] = {1, 2, 3};
    pelt_mat34 binds[3] = {w.bind, w.bind, w.bind};
    w.skin = (pelt_skin){"skin", 3, joints, binds};
    w.scene.nodes = nodes;
    w.scene.node_count = 4;
    w.tracks[0].target = 3;
    pelt_arena* arena = pelt_arena_create();
    pelt_clip clip = w.clip;
    const pelt_edit_clip_options remove = {.root_motion = PELT_ROOT_MOTION_REMOVE};
    ENSURE(pelt_scene_edit_clip(&clip, &w.scene, &remove, arena, NULL) == PELT_OK);
    ENSURE(clip.tracks[0].values == w.tracks[0].values);
    // Below the hips, two of three do.
    w.tracks[0].target = 2;
    ENSURE(pelt_scene_edit_clip(&clip, &w.scene, &remove, arena, NULL) == PELT_OK);
    ENSURE(clip.tracks[0].values != w.tracks[0].values);
    pelt_arena_destroy(arena);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Keys

// The largest distance of a vertex between two clips, at times that are no keys.
static double distance_between(const pelt_scene* scene, const pelt_clip* a, const pelt_clip* b)
{
    double worst = 0.0;
    pelt_frame frames[2];
    pelt_pose pose;
    const pelt_deform_options options = {0};
    if (pelt_frame_create(&frames[0], scene) != PELT_OK ||
        pelt_frame_create(&frames[1], scene) != PELT_OK ||
        pelt_pose_create(&pose, scene) != PELT_OK)
    {
        return 1e9;
    }
    for (int i = 0; i <= 97; ++i)
    {
        for (int k = 0; k < 2; ++k)
        {
            const pelt_clip* clip = k == 0 ? a : b;
            pelt_pose_sample(&pose, scene, clip, a->duration * (float)i / 97.0f, PELT_WRAP_CLAMP);
            pelt_frame_update(&frames[k], scene, &pose, &options);
        }
        for (uint32_t n = 0; n < scene->instance_count; ++n)
        {
            for (uint32_t v = 0; v < scene->meshes[scene->instances[n].mesh].vertex_count; ++v)
            {
                double off = (double)pelt_vec3_distance(frames[0].surfaces[n].positions[v],
                                                        frames[1].surfaces[n].positions[v]);
                worst = off > worst ? off : worst;
            }
        }
    }
    pelt_frame_destroy(&frames[0]);
    pelt_frame_destroy(&frames[1]);
    pelt_pose_destroy(&pose);
    return worst;
}

// Keys of 120 frames per second are far more than a walk needs.
static int fewer_keys_keep_every_vertex_within_the_limit(void)
{
    pelt_scene* scene = NULL;
    ENSURE(pelt_rig_build(&scene, "rig:human?vertices=2000", NULL) == PELT_OK);
    pelt_arena* arena = pelt_arena_create();
    uint32_t index = pelt_scene_find_clip(scene, "walk");
    ENSURE(index != PELT_NONE);
    pelt_clip dense = scene->clips[index];
    const pelt_edit_clip_options often = {.rate = 120.0f};
    ENSURE(pelt_scene_edit_clip(&dense, scene, &often, arena, NULL) == PELT_OK);
    uint64_t before = UINT64_MAX;
    static const float limits[] = {1e-5f, 1e-4f, 1e-3f};
    for (int i = 0; i < 3; ++i)
    {
        pelt_clip fewer = dense;
        pelt_simplify_report report;
        ENSURE(pelt_scene_simplify_clip(&fewer, &report, scene, limits[i], arena) == PELT_OK);
        ENSURE(report.error <= (double)limits[i] && report.error > 0.2 * (double)limits[i]);
        ENSURE(report.keys_after < before && 2 * report.keys_after < report.keys_before);
        before = report.keys_after;
        // Between the times that were measured, another quarter.
        ENSURE(distance_between(scene, &dense, &fewer) <= 1.25 * (double)limits[i]);
        ENSURE(fewer.duration == dense.duration);
    }
    // Without an error nothing moves but by rounding.
    pelt_clip same = dense;
    ENSURE(pelt_scene_simplify_clip(&same, NULL, scene, 0.0f, arena) == PELT_OK);
    ENSURE(distance_between(scene, &dense, &same) < 1e-6);
    pelt_arena_destroy(arena);
    pelt_scene_destroy(scene);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Weights

static int few_influences_are_the_strongest(void)
{
    pelt_scene* scene = NULL;
    ENSURE(pelt_rig_build(&scene, "rig:human?vertices=2000", NULL) == PELT_OK);
    pelt_arena* arena = pelt_arena_create();
    pelt_scene fewer = *scene;
    pelt_prune_report report;
    const pelt_prune_options options = {.max_influences = 2, .min_weight = 0.2f};
    ENSURE(pelt_scene_prune_weights(&fewer, &report, &options, arena) == PELT_OK);
    uint64_t dropped = 0, vertices = 0;
    for (uint32_t m = 0; m < scene->mesh_count; ++m)
    {
        const pelt_weights *before = &scene->meshes[m].weights, *after = &fewer.meshes[m].weights;
        for (uint32_t v = 0; v < scene->meshes[m].vertex_count; ++v)
        {
            uint32_t first = before->first[v], count = before->first[v + 1] - first, kept = 0;
            float sum = 0.0f;
            for (uint32_t i = 0; i < count; ++i)
            {
                bool is_kept = i == 0 || (i < 2 && before->influences[first + i].weight >= 0.2f);
                kept += is_kept;
                sum += is_kept ? before->influences[first + i].weight : 0.0f;
            }
            dropped += count - kept;
            vertices += kept < count;
            ENSURE(after->first[v + 1] - after->first[v] == kept);
            for (uint32_t i = 0; i < kept; ++i)
            {
                const pelt_influence* found = &after->influences[after->first[v] + i];
                ENSURE(found->joint == before->influences[first + i].joint);
                ENSURE_NEAR(found->weight, before->influences[first + i].weight / sum, 1e-6f);
            }
        }
    }
    ENSURE(dropped > 0 && report.dropped_count == dropped && report.vertex_count == vertices);
    // A second time there is nothing to do, and arrays stay.
    pelt_scene again = fewer;
    const pelt_prune_options two = {.max_influences = 2};
    ENSURE(pelt_scene_prune_weights(&again, &report, &two, arena) == PELT_OK);
    ENSURE(report.mesh_count == 0 &&
           again.meshes[0].weights.first == fewer.meshes[0].weights.first);
    pelt_arena_destroy(arena);
    pelt_scene_destroy(scene);
    return 0;
}

static pelt_result attempt(const void* context)
{
    const pelt_scene* scene = context;
    pelt_scene edited = *scene;
    pelt_clip clip = scene->clips[0];
    const pelt_track* tracks = clip.tracks;
    pelt_arena* arena = pelt_arena_create();
    const pelt_edit_clip_options edit = {
        .is_trimmed = true, .end = 0.5f, .rate = 10.0f, .root_motion = PELT_ROOT_MOTION_REMOVE};
    const pelt_prune_options prune = {.max_influences = 1};
    pelt_result result = PELT_ERROR_MEMORY;
    if (arena != NULL)
    {
        result = pelt_scene_edit_clip(&clip, scene, &edit, arena, NULL);
        bool is_kept = result == PELT_OK || clip.tracks == tracks;
        tracks = clip.tracks;
        result =
            result == PELT_OK ? pelt_scene_simplify_clip(&clip, NULL, scene, 1e-3f, arena) : result;
        is_kept = is_kept && (result == PELT_OK || clip.tracks == tracks);
        result =
            result == PELT_OK ? pelt_scene_prune_weights(&edited, NULL, &prune, arena) : result;
        is_kept = is_kept && (result == PELT_OK || edited.meshes == scene->meshes);
        result = is_kept ? result : PELT_ERROR_DATA;
    }
    pelt_arena_destroy(arena);
    return result;
}

static int out_of_memory_leaves_everything_as_it_was(void)
{
    pelt_scene* scene = NULL;
    ENSURE(pelt_rig_build(&scene, "rig:arm?vertices=300", NULL) == PELT_OK);
    ENSURE(failing_heap_check(attempt, scene, 256) == 0);
    pelt_scene_destroy(scene);
    return 0;
}

void test_clip_edit(void)
{
    RUN(a_part_is_the_clip_as_it_was_there);
    RUN(a_part_that_is_not_there_is_refused);
    RUN(a_rate_has_the_values_of_the_clip_at_its_frames);
    RUN(motion_over_the_ground_is_removed_or_moved);
    RUN(motion_goes_nowhere_without_a_free_node_above);
    RUN(a_node_is_added_where_motion_has_none);
    RUN(motion_of_a_limb_stays);
    RUN(fewer_keys_keep_every_vertex_within_the_limit);
    RUN(few_influences_are_the_strongest);
    RUN(out_of_memory_leaves_everything_as_it_was);
}
