// SPDX-License-Identifier: MIT
// Clips of one scene on the skeleton of another, by the names of nodes.
#include "failing_heap.h"
#include "rigs.h"

#include <stdlib.h>
#include <string.h>

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
        ENSURE(pelt_scene_add_clips(scene, &report, &file.scene, "file", scene->arena) == PELT_OK);
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

static int names_that_are_taken_get_the_label(void)
{
    pelt_node nodes[] = {node("hip", PELT_NONE)};
    pelt_track tracks[] = {translate(0)};
    pelt_clip clips[] = {
        {"take", 1.0f, 1, tracks}, {"run", 1.0f, 1, tracks}, {"take", 1.0f, 1, tracks}};
    pelt_scene scene = {.node_count = 1, .nodes = nodes, .clip_count = 1, .clips = clips};
    pelt_scene from = {.node_count = 1, .nodes = nodes, .clip_count = 3, .clips = clips};
    pelt_arena* arena = pelt_arena_create();
    ENSURE(pelt_scene_add_clips(&scene, NULL, &from, "file", arena) == PELT_OK);
    ENSURE(pelt_scene_add_clips(&scene, NULL, &from, NULL, arena) == PELT_OK);
    const char* const expected[] = {"take",   "take (file)", "run",   "take (file 2)",
                                    "take 2", "run 2",       "take 3"};
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
    if (arena != NULL)
    {
        result = pelt_scene_add_clips(&scene, NULL, &file->scene, "file", arena);
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
    RUN(names_that_are_taken_get_the_label);
    RUN(targets_follow_the_mesh_of_their_name);
    RUN(out_of_memory_leaves_the_scene_as_it_was);
}
