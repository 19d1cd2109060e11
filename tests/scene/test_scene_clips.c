// SPDX-License-Identifier: MIT
// Clips of one scene on the skeleton of another, by the names of nodes.
#include "failing_heap.h"
#include "rigs.h"

#include <stdlib.h>
#include <string.h>

static const pelt_add_clips_options labeled = {.label = "file"};

// A file of clips for a rig: the same skeleton below one more node, so that no index is the same,
// and no meshes.
typedef struct clip_file
{
    pelt_scene* rig;
    pelt_node* nodes;
    pelt_track* tracks;
    pelt_clip* clips;
    pelt_scene scene;
} clip_file;

static bool make_clip_file(clip_file* out, const char* rig)
{
    *out = (clip_file){0};
    if (pelt_rig_build(&out->rig, rig, NULL) != PELT_OK)
    {
        return false;
    }
    const pelt_scene* in = out->rig;
    uint32_t track_count = 0;
    for (uint32_t i = 0; i < in->clip_count; ++i)
    {
        track_count += in->clips[i].track_count;
    }
    out->nodes = calloc(in->node_count + 1u, sizeof *out->nodes);
    out->tracks = calloc(track_count + 1u, sizeof *out->tracks);
    out->clips = calloc(in->clip_count + 1u, sizeof *out->clips);
    out->nodes[0] = (pelt_node){"above", PELT_NONE, pelt_transform_identity()};
    for (uint32_t i = 0; i < in->node_count; ++i)
    {
        out->nodes[i + 1] = in->nodes[i];
        out->nodes[i + 1].parent = in->nodes[i].parent == PELT_NONE ? 0 : in->nodes[i].parent + 1;
    }
    pelt_track* next = out->tracks;
    for (uint32_t i = 0; i < in->clip_count; ++i)
    {
        out->clips[i] = in->clips[i];
        out->clips[i].tracks = next;
        for (uint32_t k = 0; k < in->clips[i].track_count; ++k)
        {
            *next = in->clips[i].tracks[k];
            next++->target += 1;
        }
    }
    out->scene = (pelt_scene){.node_count = in->node_count + 1,
                              .nodes = out->nodes,
                              .clip_count = in->clip_count,
                              .clips = out->clips};
    return true;
}

static void destroy_clip_file(clip_file* in)
{
    free(in->nodes);
    free(in->tracks);
    free(in->clips);
    pelt_scene_destroy(in->rig);
}

static bool is_pose_same(const pelt_scene* a, const pelt_clip* x, const pelt_scene* b,
                         const pelt_clip* y, float time)
{
    pelt_pose one, other;
    bool is_made = pelt_pose_create(&one, a) == PELT_OK && pelt_pose_create(&other, b) == PELT_OK;
    if (!is_made || one.node_count != other.node_count)
    {
        return false;
    }
    pelt_pose_sample(&one, a, x, time, PELT_WRAP_CLAMP);
    pelt_pose_sample(&other, b, y, time, PELT_WRAP_CLAMP);
    bool is_same = memcmp(one.locals, other.locals, one.node_count * sizeof *one.locals) == 0;
    pelt_pose_destroy(&one);
    pelt_pose_destroy(&other);
    return is_same;
}

static int clips_that_were_split_off_come_back_to_the_bit(void)
{
    const pelt_rig_info* rigs;
    uint32_t rig_count = pelt_rig_list(&rigs), clip_count = 0;
    for (uint32_t r = 0; r < rig_count; ++r)
    {
        clip_file file;
        pelt_scene* scene = NULL;
        ENSURE(make_clip_file(&file, rigs[r].name));
        ENSURE(pelt_rig_build(&scene, rigs[r].name, NULL) == PELT_OK);
        uint32_t expected = scene->clip_count;
        scene->clip_count = 0;
        pelt_add_clips_report report;
        ENSURE(pelt_scene_add_clips(scene, &report, &file.scene, &labeled, scene->arena) ==
               PELT_OK);
        ENSURE(report.clip_count == expected && report.dropped_count == 0);
        ENSURE(scene->clip_count == expected);
        ENSURE(pelt_scene_validate(scene, NULL) == PELT_OK);
        for (uint32_t i = 0; i < expected; ++i)
        {
            const pelt_clip *clip = &scene->clips[i], *source = &file.rig->clips[i];
            ENSURE(strcmp(clip->name, source->name) == 0 && clip->name != source->name);
            for (uint32_t k = 0; k <= 16; ++k)
            {
                float time = source->duration * (float)k / 16.0f;
                ENSURE(is_pose_same(scene, clip, file.rig, source, time));
            }
        }
        clip_count += expected;
        pelt_scene_destroy(scene);
        destroy_clip_file(&file);
    }
    ENSURE(clip_count > 0);
    return 0;
}

// ---------------------------------------------------------------------------------------------

static const float times[] = {0.0f, 1.0f};
static const float values[] = {0.0f, 0.0f, 0.0f, 1.0f, 2.0f, 3.0f};

static pelt_track translate(uint32_t target)
{
    return (pelt_track){target, PELT_PATH_TRANSLATION, PELT_INTERPOLATION_LINEAR, 2, 3, times,
                        values};
}

static pelt_node node(const char* name, uint32_t parent)
{
    return (pelt_node){name, parent, pelt_transform_identity()};
}

static int tracks_without_a_node_are_dropped(void)
{
    pelt_node here[] = {node("hip", PELT_NONE), node("knee", 0)};
    pelt_node there[] = {node("knee", PELT_NONE), node("tail", PELT_NONE)};
    pelt_track both[] = {translate(1), translate(0)}, strange[] = {translate(1)};
    pelt_clip clips[] = {{"walk", 1.0f, 2, both}, {"wag", 1.0f, 1, strange}};
    pelt_scene scene = {.node_count = 2, .nodes = here};
    pelt_scene from = {.node_count = 2, .nodes = there, .clip_count = 2, .clips = clips};
    pelt_arena* arena = pelt_arena_create();
    pelt_add_clips_report report;
    ENSURE(pelt_scene_add_clips(&scene, &report, &from, NULL, arena) == PELT_OK);
    ENSURE(report.clip_count == 1 && report.track_count == 1 && report.dropped_count == 2);
    ENSURE(scene.clip_count == 1 && strcmp(scene.clips[0].name, "walk") == 0);
    ENSURE(scene.clips[0].track_count == 1 && scene.clips[0].tracks[0].target == 1);
    ENSURE(scene.clips[0].tracks[0].times != times && scene.clips[0].tracks[0].values != values);
    pelt_arena_destroy(arena);
    return 0;
}

static int nodes_of_one_name_are_matched_in_their_order(void)
{
    pelt_node here[] = {node("b", PELT_NONE), node("a", 0), node("b", 0), node("c", 0)};
    pelt_node there[] = {node("d", PELT_NONE), node("b", 0), node("b", 0), node("b", 0),
                         node("a", 0)};
    pelt_scene scene = {.node_count = 4, .nodes = here};
    pelt_scene from = {.node_count = 5, .nodes = there};
    const uint32_t expected[] = {PELT_NONE, 0, 2, PELT_NONE, 1};
    uint32_t found[5];
    ENSURE(pelt_scene_match_nodes(found, &scene, &from) == PELT_OK);
    ENSURE(memcmp(found, expected, sizeof found) == 0);
    return 0;
}

static int prefixes_of_mixamo_and_namespaces_do_not_matter(void)
{
    pelt_node here[] = {node("mixamorig:Hips", PELT_NONE), node("hero:LeftArm", 0),
                        node("mixamorigSpine", 0), node("Head", 0), node("tail", 0)};
    pelt_node there[] = {node("Hips", PELT_NONE),      node("mixamorig1:LeftArm", 0),
                         node("mixamorig4_Spine", 0),  node("hero:Head", 0),
                         node("mixamorig:Tail", 0),    node("hero:mixamorig:Hips", 0),
                         node("mixamorig:LeftArm", 0), node("mixamorig", 0)};
    pelt_scene scene = {.node_count = 5, .nodes = here};
    pelt_scene from = {.node_count = 8, .nodes = there};
    // Case matters, and of two candidates the first is taken.
    const uint32_t expected[] = {0, 1, 2, 3, PELT_NONE, PELT_NONE, PELT_NONE, PELT_NONE};
    uint32_t found[8];
    ENSURE(pelt_scene_match_nodes(found, &scene, &from) == PELT_OK);
    ENSURE(memcmp(found, expected, sizeof found) == 0);
    return 0;
}

static int names_of_programs_are_told_from_names_of_people(void)
{
    const char* const generic[] = {"mixamo.com",
                                   "Take 001",
                                   "",
                                   "Armature|mixamo.com|Layer0",
                                   "Motion",
                                   "Armature|Action.001",
                                   "animation_3",
                                   "Armature|ArmatureAction|BaseLayer",
                                   "Unreal Take",
                                   "AnimStack"};
    const char* const chosen[] = {"walk",    "Armature|Walk",  "Take off",   "Take 001 fast",
                                  "action!", "Walk|BaseLayer", "motionless", "clips"};
    for (size_t i = 0; i < sizeof generic / sizeof generic[0]; ++i)
    {
        ENSURE(pelt_clip_name_is_generic(generic[i]));
    }
    for (size_t i = 0; i < sizeof chosen / sizeof chosen[0]; ++i)
    {
        ENSURE(!pelt_clip_name_is_generic(chosen[i]));
    }
    return 0;
}

static int a_name_of_a_program_becomes_the_label(void)
{
    pelt_node nodes[] = {node("hip", PELT_NONE)};
    pelt_track tracks[] = {translate(0)};
    pelt_clip clips[] = {
        {"mixamo.com", 1.0f, 1, tracks}, {"run", 1.0f, 1, tracks}, {"Take 001", 1.0f, 1, tracks}};
    pelt_scene scene = {.node_count = 1, .nodes = nodes};
    pelt_scene from = {.node_count = 1, .nodes = nodes, .clip_count = 3, .clips = clips};
    pelt_arena* arena = pelt_arena_create();
    ENSURE(pelt_scene_add_clips(&scene, NULL, &from, &labeled, arena) == PELT_OK);
    ENSURE(pelt_scene_add_clips(&scene, NULL, &from, NULL, arena) == PELT_OK);
    const char* const expected[] = {"file", "run", "file 2", "mixamo.com", "run 2", "Take 001"};
    for (uint32_t i = 0; i < 6; ++i)
    {
        ENSURE(strcmp(scene.clips[i].name, expected[i]) == 0);
    }
    pelt_arena_destroy(arena);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Rest poses

// Some rotation that is no other.
static pelt_quat turn_of(uint32_t index)
{
    pelt_vec3 axis = pelt_vec3_normalize(
        pelt_vec3_make(1.0f, 0.3f * (float)index - 0.7f, 0.5f - 0.2f * (float)index));
    return pelt_quat_axis_angle(axis, 0.4f + 0.7f * (float)index);
}

enum
{
    LINKS = 4,
    KEYS = 3
};

// A chain whose joints have other axes: the frame of joint i is rotated by R_i in its own space,
// and lengths are multiplied. With parent p a local rotation q is R_p^-1 q R_i there, and a local
// translation t is R_p^-1 t.
typedef struct chain
{
    pelt_node nodes[LINKS];
    float rotations[LINKS][4 * 3 * KEYS], moves[LINKS][3 * KEYS];
    pelt_track tracks[2 * LINKS];
    pelt_clip clip;
    pelt_scene scene;
} chain;

static const float key_times[KEYS] = {0.0f, 0.5f, 1.0f};

static pelt_quat axes_of(uint32_t index, bool is_turned)
{
    return is_turned && index < LINKS ? turn_of(7 + index) : pelt_quat_identity();
}

static void make_chain(chain* out, bool is_turned, float length, bool is_cubic)
{
    static const char* const names[LINKS] = {"hip", "knee", "ankle", "toe"};
    *out = (chain){0};
    for (uint32_t i = 0; i < LINKS; ++i)
    {
        uint32_t parent = i > 0 ? i - 1 : PELT_NONE;
        pelt_quat above = pelt_quat_conjugate(axes_of(parent, is_turned));
        pelt_quat own = axes_of(i, is_turned);
        pelt_vec3 offset = pelt_vec3_make(0.1f * (float)i, 1.0f, 0.2f);
        out->nodes[i] = node(names[i], parent);
        out->nodes[i].rest.rotation = pelt_quat_mul(pelt_quat_mul(above, turn_of(i)), own);
        out->nodes[i].rest.translation = pelt_vec3_scale(pelt_quat_rotate(above, offset), length);
        for (uint32_t k = 0; k < (is_cubic ? 3u : 1u) * KEYS; ++k)
        {
            // The same numbers serve as tangents.
            pelt_quat q = pelt_quat_mul(pelt_quat_mul(above, turn_of(2 + i + k)), own);
            memcpy(&out->rotations[i][4 * k], &q, sizeof q);
        }
        for (uint32_t k = 0; k < KEYS; ++k)
        {
            pelt_vec3 moved =
                pelt_vec3_add(offset, pelt_vec3_make(0.0f, 0.3f * (float)k, 0.1f * (float)i));
            moved = pelt_vec3_scale(pelt_quat_rotate(above, moved), length);
            memcpy(&out->moves[i][3 * k], &moved, sizeof moved);
        }
        out->tracks[2 * i] =
            (pelt_track){i,
                         PELT_PATH_ROTATION,
                         is_cubic ? PELT_INTERPOLATION_CUBIC : PELT_INTERPOLATION_LINEAR,
                         KEYS,
                         4,
                         key_times,
                         out->rotations[i]};
        out->tracks[2 * i + 1] = (pelt_track){
            i, PELT_PATH_TRANSLATION, PELT_INTERPOLATION_LINEAR, KEYS, 3, key_times, out->moves[i]};
    }
    out->clip = (pelt_clip){"move", 1.0f, 2 * LINKS, out->tracks};
    out->scene = (pelt_scene){
        .node_count = LINKS, .nodes = out->nodes, .clip_count = 1, .clips = &out->clip};
}

// Keys of the same motion on other axes and lengths come back as they were: q and -q are the same.
static int motion_relative_to_rest_does_not_depend_on_axes_and_lengths(void)
{
    for (uint32_t is_cubic = 0; is_cubic < 2; ++is_cubic)
    {
        chain here, there;
        make_chain(&here, false, 1.0f, is_cubic != 0);
        make_chain(&there, true, 2.5f, is_cubic != 0);
        pelt_scene scene = here.scene;
        scene.clip_count = 0;
        pelt_arena* arena = pelt_arena_create();
        const pelt_add_clips_options relative = {.is_relative_to_rest = true};
        pelt_add_clips_report report;
        ENSURE(pelt_scene_add_clips(&scene, &report, &there.scene, &relative, arena) == PELT_OK);
        ENSURE(report.track_count == 2 * LINKS && report.held_count == 0);
        for (uint32_t i = 0; i < 2 * LINKS; ++i)
        {
            const pelt_track *track = &scene.clips[0].tracks[i], *expected = &here.tracks[i];
            bool is_rotation = expected->path == PELT_PATH_ROTATION;
            uint32_t count =
                expected->key_count * expected->width * (is_rotation && is_cubic != 0 ? 3u : 1u);
            // Products of a dozen floats of size one.
            for (uint32_t k = 0; k < count; ++k)
            {
                ENSURE_NEAR(track->values[k], expected->values[k], 5e-6f);
            }
        }
        pelt_arena_destroy(arena);
    }
    return 0;
}

static int rest_poses_are_compared(void)
{
    chain here, there, same;
    pelt_rest_difference found;
    make_chain(&here, false, 1.0f, false);
    make_chain(&same, false, 1.0f, false);
    make_chain(&there, false, 0.5f, false);
    ENSURE(pelt_scene_compare_rest(&found, &here.scene, &same.scene) == PELT_OK);
    ENSURE(found.bone_count == LINKS - 1 && found.shortest == 1.0f && found.longest == 1.0f);
    ENSURE(found.median == 1.0f && found.angle < 1e-3f);
    there.nodes[2].rest.translation = pelt_vec3_scale(there.nodes[2].rest.translation, 4.0f);
    there.nodes[3].rest.rotation = pelt_quat_mul(
        there.nodes[3].rest.rotation, pelt_quat_axis_angle(pelt_vec3_make(0, 0, 1), 0.25f));
    ENSURE(pelt_scene_compare_rest(&found, &here.scene, &there.scene) == PELT_OK);
    ENSURE_NEAR(found.shortest, 0.5f, 1e-6f);
    ENSURE_NEAR(found.longest, 2.0f, 1e-6f);
    ENSURE_NEAR(found.median, 0.5f, 1e-6f);
    ENSURE_NEAR(found.angle, 0.25f, 1e-5f);
    ENSURE(found.joint == 3);
    return 0;
}

static int a_joint_that_does_not_move_has_the_rotation_of_the_file(void)
{
    chain here, there;
    make_chain(&here, false, 1.0f, false);
    make_chain(&there, false, 1.0f, false);
    there.nodes[1].rest.rotation = turn_of(20);
    there.nodes[2].rest.rotation = turn_of(21);
    there.clip.track_count = 1; // the rotation of the hip
    pelt_scene scene = here.scene;
    scene.clip_count = 0;
    pelt_arena* arena = pelt_arena_create();
    pelt_add_clips_report report;
    ENSURE(pelt_scene_add_clips(&scene, &report, &there.scene, NULL, arena) == PELT_OK);
    ENSURE(report.held_count == 2 && report.track_count == 3);
    pelt_pose found, expected;
    ENSURE(pelt_pose_create(&found, &scene) == PELT_OK);
    ENSURE(pelt_pose_create(&expected, &there.scene) == PELT_OK);
    pelt_pose_sample(&found, &scene, scene.clips, 0.5f, PELT_WRAP_CLAMP);
    pelt_pose_sample(&expected, &there.scene, &there.clip, 0.5f, PELT_WRAP_CLAMP);
    for (uint32_t i = 0; i < LINKS; ++i)
    {
        // Sampling normalizes quaternions, which rounds.
        float cosine = pelt_quat_dot(found.locals[i].rotation, expected.locals[i].rotation);
        ENSURE_NEAR(fabsf(cosine), 1.0f, 1e-6f);
    }
    pelt_pose_destroy(&found);
    pelt_pose_destroy(&expected);
    pelt_arena_destroy(arena);
    return 0;
}

static int names_that_are_taken_get_the_label(void)
{
    pelt_node nodes[] = {node("hip", PELT_NONE)};
    pelt_track tracks[] = {translate(0)};
    pelt_clip clips[] = {
        {"jump", 1.0f, 1, tracks}, {"run", 1.0f, 1, tracks}, {"jump", 1.0f, 1, tracks}};
    pelt_scene scene = {.node_count = 1, .nodes = nodes, .clip_count = 1, .clips = clips};
    pelt_scene from = {.node_count = 1, .nodes = nodes, .clip_count = 3, .clips = clips};
    pelt_arena* arena = pelt_arena_create();
    ENSURE(pelt_scene_add_clips(&scene, NULL, &from, &labeled, arena) == PELT_OK);
    ENSURE(pelt_scene_add_clips(&scene, NULL, &from, NULL, arena) == PELT_OK);
    const char* const expected[] = {"jump",   "jump (file)", "run",   "jump (file 2)",
                                    "jump 2", "run 2",       "jump 3"};
    ENSURE(scene.clip_count == 7);
    for (uint32_t i = 0; i < 7; ++i)
    {
        ENSURE(strcmp(scene.clips[i].name, expected[i]) == 0);
    }
    pelt_arena_destroy(arena);
    return 0;
}

static int targets_follow_the_mesh_of_their_name(void)
{
    pelt_mesh here[] = {{.name = "body", .morph_count = 3}, {.name = "head", .morph_count = 2}};
    pelt_mesh there[] = {{.name = "head", .morph_count = 2}, {.name = "body", .morph_count = 2}};
    pelt_instance instances[] = {{.mesh = 0, .skin = PELT_NONE}, {.mesh = 1, .skin = PELT_NONE}};
    pelt_track tracks[] = {{0, PELT_PATH_MORPH, PELT_INTERPOLATION_STEP, 2, 2, times, values},
                           {1, PELT_PATH_MORPH, PELT_INTERPOLATION_STEP, 2, 2, times, values}};
    pelt_clip clips[] = {{"smile", 1.0f, 2, tracks}};
    pelt_scene scene = {
        .mesh_count = 2, .meshes = here, .instance_count = 2, .instances = instances};
    pelt_scene from = {.mesh_count = 2,
                       .meshes = there,
                       .instance_count = 2,
                       .instances = instances,
                       .clip_count = 1,
                       .clips = clips};
    pelt_arena* arena = pelt_arena_create();
    pelt_add_clips_report report;
    ENSURE(pelt_scene_add_clips(&scene, &report, &from, NULL, arena) == PELT_OK);
    ENSURE(report.track_count == 1 && report.dropped_count == 1); // the bodies have other shapes
    ENSURE(scene.clips[0].tracks[0].target == 1);
    pelt_arena_destroy(arena);
    return 0;
}

static pelt_result attempt(const void* context)
{
    const clip_file* file = context;
    pelt_scene scene = *file->rig; // its clips are there already: all get other names
    pelt_arena* arena = pelt_arena_create();
    pelt_result result = PELT_ERROR_MEMORY;
    pelt_rest_difference difference;
    const pelt_add_clips_options relative = {.label = "file", .is_relative_to_rest = true};
    if (arena != NULL && pelt_scene_compare_rest(&difference, &scene, &file->scene) == PELT_OK)
    {
        result = pelt_scene_add_clips(&scene, NULL, &file->scene, &relative, arena);
    }
    bool is_kept = scene.clips == file->rig->clips && scene.clip_count == file->rig->clip_count;
    pelt_arena_destroy(arena);
    return result != PELT_OK && !is_kept ? PELT_ERROR_DATA : result;
}

static int out_of_memory_leaves_the_scene_as_it_was(void)
{
    clip_file file;
    ENSURE(make_clip_file(&file, "arm"));
    ENSURE(failing_heap_check(attempt, &file, 64) == 0);
    destroy_clip_file(&file);
    return 0;
}

void test_scene_clips(void)
{
    RUN(clips_that_were_split_off_come_back_to_the_bit);
    RUN(tracks_without_a_node_are_dropped);
    RUN(nodes_of_one_name_are_matched_in_their_order);
    RUN(prefixes_of_mixamo_and_namespaces_do_not_matter);
    RUN(names_of_programs_are_told_from_names_of_people);
    RUN(a_name_of_a_program_becomes_the_label);
    RUN(motion_relative_to_rest_does_not_depend_on_axes_and_lengths);
    RUN(rest_poses_are_compared);
    RUN(a_joint_that_does_not_move_has_the_rotation_of_the_file);
    RUN(names_that_are_taken_get_the_label);
    RUN(targets_follow_the_mesh_of_their_name);
    RUN(out_of_memory_leaves_the_scene_as_it_was);
}
