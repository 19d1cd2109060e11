// SPDX-License-Identifier: MIT
// Suite `pose`: from a clip and a time to the matrices of a palette, by sampling as the reference
// does and by a player, for built-in rigs or files.
#include "bench.h"

#include <math.h>
#include <stdlib.h>

static const bench_column columns[] = {
    {"character", "CHARACTER", BENCH_TEXT},
    {"node_count", "NODES", 0},
    {"track_count", "TRACKS", 0},
    {"sample_ns", "SAMPLE", 1},
    {"player_ns", "PLAYER", 1},
    {"to_model_ns", "TO MODEL", 1},
    {"matrices_ns", "MATRICES", 1},
    {"split_ns", "SPLIT", 1},
    {"frame_ns", "PER NODE", 1},
    {"speedup", "TIMES", 2},
    {"difference", "DIFFERENCE/1E-7", 1},
};

enum
{
    FRAMES = 64, // played by each run
};

typedef struct pose_run
{
    const pelt_scene* scene;
    const pelt_clip* clip;
    pelt_player* player;
    pelt_pose pose, reference;
    pelt_mat34* model_from_node;
    pelt_palette palette;  // of the first skin
    pelt_palette matrices; // the same without motions and stretches, which lbs does not need
    float start;
} pose_run;

// From frame to frame at 60 Hz, through the clip and on.
static float next_time(pose_run* run)
{
    run->start = fmodf(run->start + 1.0f / 60.0f, fmaxf(run->clip->duration, 1.0f / 60.0f));
    return run->start;
}

static void run_sample(void* context)
{
    pose_run* run = context;
    for (int i = 0; i < FRAMES; ++i)
    {
        pelt_pose_sample(&run->reference, run->scene, run->clip, next_time(run), PELT_WRAP_LOOP);
    }
}

static void run_player(void* context)
{
    pose_run* run = context;
    for (int i = 0; i < FRAMES; ++i)
    {
        pelt_player_sample(&run->pose, run->player, next_time(run), PELT_WRAP_LOOP);
    }
}

static void run_to_model(void* context)
{
    pose_run* run = context;
    for (int i = 0; i < FRAMES; ++i)
    {
        pelt_pose_to_model(run->model_from_node, run->scene, &run->pose);
    }
}

static void run_matrices(void* context)
{
    pose_run* run = context;
    for (int i = 0; i < FRAMES; ++i)
    {
        pelt_palette_build(&run->matrices, &run->scene->skins[0], run->model_from_node);
    }
}

static void run_palette(void* context)
{
    pose_run* run = context;
    for (int i = 0; i < FRAMES; ++i)
    {
        pelt_palette_build(&run->palette, &run->scene->skins[0], run->model_from_node);
    }
}

// The largest difference of a component of a rotation, over the clip.
static double find_difference(pose_run* run)
{
    double most = 0.0;
    for (float time = 0.0f; time < run->clip->duration; time += 1.0f / 61.0f)
    {
        pelt_pose_sample(&run->reference, run->scene, run->clip, time, PELT_WRAP_LOOP);
        pelt_player_sample(&run->pose, run->player, time, PELT_WRAP_LOOP);
        for (uint32_t node = 0; node < run->scene->node_count; ++node)
        {
            pelt_quat a = run->reference.locals[node].rotation, b = run->pose.locals[node].rotation;
            most = fmax(most, fmax(fmax(fabs((double)a.x - b.x), fabs((double)a.y - b.y)),
                                   fmax(fabs((double)a.z - b.z), fabs((double)a.w - b.w))));
        }
    }
    return most;
}

static void measure(bench_table* out, pose_run* run, const char* name, double budget)
{
    double nodes = run->scene->node_count, unit = 1e9 / (FRAMES * nodes);
    double difference = find_difference(run);
    double sample = unit * bench_fastest(run_sample, run, budget);
    double player = unit * bench_fastest(run_player, run, budget);
    double to_model = unit * bench_fastest(run_to_model, run, budget);
    double matrices = unit * bench_fastest(run_matrices, run, budget);
    double palette = unit * bench_fastest(run_palette, run, budget);
    bench_cell* row = bench_row_add(out);
    bench_cell_set(&row[0], name);
    row[1].number = nodes;
    row[2].number = run->clip->track_count;
    row[3].number = sample;
    row[4].number = player;
    row[5].number = to_model;
    row[6].number = matrices;
    row[7].number = palette - matrices;
    row[8].number = player + to_model + matrices;
    row[9].number = (sample + to_model + matrices) / row[8].number;
    row[10].number = 1e7 * difference;
}

static pelt_result measure_scene(bench_table* out, const pelt_scene* scene, const char* name,
                                 double budget, pelt_error* error)
{
    if (scene->clip_count == 0 || scene->skin_count == 0)
    {
        return pelt_error_set(error, PELT_ERROR_DATA, "%s has no %s to measure", name,
                              scene->clip_count == 0 ? "clips" : "skin");
    }
    pose_run run = {.scene = scene, .clip = &scene->clips[pelt_scene_default_clip(scene)]};
    run.model_from_node = malloc(scene->node_count * sizeof *run.model_from_node);
    bool is_ok = run.model_from_node != NULL &&
                 pelt_player_create(&run.player, scene, run.clip) == PELT_OK &&
                 pelt_pose_create(&run.pose, scene) == PELT_OK &&
                 pelt_pose_create(&run.reference, scene) == PELT_OK &&
                 pelt_palette_create(&run.palette, scene->skins[0].joint_count) == PELT_OK;
    if (is_ok)
    {
        run.matrices = run.palette;
        run.matrices.motions = NULL;
        run.matrices.stretches = NULL;
        measure(out, &run, name, budget);
    }
    pelt_palette_destroy(&run.palette);
    pelt_pose_destroy(&run.reference);
    pelt_pose_destroy(&run.pose);
    pelt_player_destroy(run.player);
    free(run.model_from_node);
    return is_ok ? PELT_OK : pelt_error_memory(error);
}

pelt_result bench_pose(bench_report* out, const bench_options* options, pelt_error* error)
{
    static const char* const rig_names[] = {"rig:arm", "rig:human"};
    bench_table* table = bench_table_add(out, "rows", columns, COUNT_OF(columns));
    bool has_files = options->input_count > 0;
    const char* const* inputs = has_files ? options->inputs : rig_names;
    uint32_t count = has_files ? options->input_count : COUNT_OF(rig_names);
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; result == PELT_OK && i < count; ++i)
    {
        const char* name = bench_file_name(inputs[i]);
        pelt_scene* scene;
        bench_tell(options, name);
        result = bench_scene_load(&scene, inputs[i], error);
        if (result == PELT_OK)
        {
            result = measure_scene(table, scene, name, options->is_quick ? 0.01 : 0.2, error);
            pelt_scene_destroy(scene);
        }
    }
    bench_tell(options, NULL);
    return result;
}
