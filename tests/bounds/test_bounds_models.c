// SPDX-License-Identifier: MIT
// Boxes of palettes on real characters: what they hold, and how much larger they are than needed.
#define _POSIX_C_SOURCE 200809L

#include "model_files.h"
#include "pelt/bounds.h"
#include "pelt/io.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    MOST_FRAMES = 60 // of each character and method, over all clips
};

static const pelt_method methods[] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_MIX,
                                      PELT_METHOD_CRS};

// A method on one instance.
typedef struct figures
{
    float ratios[MOST_FRAMES]; // of the axis along which the box is largest for what it holds
    int count;
    float excess;
} figures;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare_floats(const void* a, const void* b)
{
    const float *p = a, *q = b;
    return *p < *q ? -1 : *p > *q;
}

static float median_of(figures* inout)
{
    qsort(inout->ratios, (size_t)inout->count, sizeof *inout->ratios, compare_floats);
    return inout->ratios[inout->count / 2];
}

static void add_frame(figures* inout, const pelt_bounds* box, const pelt_bounds* exact)
{
    float worst = 0.0f, diagonal = pelt_bounds_diagonal(exact);
    for (int axis = 0; axis < 3; ++axis)
    {
        float low = (&exact->min.x)[axis], high = (&exact->max.x)[axis];
        float size = (&box->max.x)[axis] - (&box->min.x)[axis];
        // A flat mesh has no thickness that anything could be a part of.
        float needed = fmaxf(high - low, 1e-3f * diagonal);
        worst = fmaxf(worst, size / needed);
        inout->excess = fmaxf(inout->excess, (&box->min.x)[axis] - low);
        inout->excess = fmaxf(inout->excess, high - (&box->max.x)[axis]);
    }
    inout->ratios[inout->count++] = worst;
}

typedef struct play
{
    const pelt_scene* scene;
    pelt_frame frame;
    pelt_pose pose;
    pelt_clip trials; // for characters without clips
    double seconds;   // of the fastest box
    float worst;      // median
} play;

static void measure_instance(figures* out, play* p, uint32_t i, const pelt_skin_bounds* bounds,
                             const pelt_deform_options* options)
{
    const pelt_instance* instance = &p->scene->instances[i];
    uint32_t clips = p->scene->clip_count > 0 ? p->scene->clip_count : 1;
    uint32_t per_clip = MOST_FRAMES / clips > 0 ? MOST_FRAMES / clips : 1;
    for (uint32_t k = 0; k < per_clip * clips && out->count < MOST_FRAMES; ++k)
    {
        const pelt_clip* clip =
            p->scene->clip_count > 0 ? &p->scene->clips[k / per_clip] : &p->trials;
        float time = clip->duration * ((float)(k % per_clip) + 0.37f) / (float)per_clip;
        pelt_pose_sample(&p->pose, p->scene, clip, time, PELT_WRAP_CLAMP);
        pelt_frame_update(&p->frame, p->scene, &p->pose, options);
        double start = seconds();
        pelt_bounds box = pelt_skin_bounds_at(bounds, &p->frame.palettes[instance->skin], options,
                                              p->pose.morph_weights + instance->first_morph_weight);
        p->seconds = fmin(p->seconds, seconds() - start);
        pelt_bounds exact = pelt_bounds_empty();
        pelt_bounds_add(&exact, p->frame.surfaces[i].positions,
                        p->scene->meshes[instance->mesh].vertex_count);
        add_frame(out, &box, &exact);
    }
}

static int check_instance(play* p, uint32_t i)
{
    const pelt_mesh* mesh = &p->scene->meshes[p->scene->instances[i].mesh];
    pelt_skin_bounds* bounds;
    ENSURE(pelt_skin_bounds_create(&bounds, mesh) == PELT_OK);
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; ++k)
    {
        const pelt_deform_options options = {.method = methods[k], .mix = 0.5f};
        figures out = {.excess = -INFINITY};
        measure_instance(&out, p, i, bounds, &options);
        float median = median_of(&out);
        p->worst = fmaxf(p->worst, median);
        // Nothing sticks out, and boxes are at most 15 % larger along any axis.
        ENSURE(out.excess <= 0.0f);
        ENSURE(median <= 1.15f);
    }
    pelt_skin_bounds_destroy(bounds);
    return 0;
}

static int check_scene(pelt_scene* scene, const char* path)
{
    play p = {.scene = scene, .seconds = INFINITY};
    pelt_arena* arena = pelt_arena_create();
    ENSURE(arena != NULL);
    ENSURE(pelt_scene_add_cors(scene, PELT_PREPARE_MISSING, NULL, NULL, arena, NULL) == PELT_OK);
    ENSURE(pelt_motion_range_build(&p.trials, scene, NULL, arena) == PELT_OK);
    ENSURE(pelt_frame_create(&p.frame, scene) == PELT_OK);
    ENSURE(pelt_frame_prepare(&p.frame, scene) == PELT_OK);
    ENSURE(pelt_pose_create(&p.pose, scene) == PELT_OK);
    uint32_t count = 0;
    // Some files have hundreds of copies of one mesh.
    for (uint32_t i = 0; i < scene->instance_count && count < 12; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        if (instance->skin != PELT_NONE && scene->meshes[instance->mesh].weights.first != NULL)
        {
            ENSURE(check_instance(&p, i) == 0);
            ++count;
        }
    }
    if (count > 0)
    {
        printf("  %s: %u meshes, at most %.1f %% too large, from %.1f us per box\n",
               strrchr(path, '/'), count, 100.0 * ((double)p.worst - 1.0), 1e6 * p.seconds);
    }
    pelt_frame_destroy(&p.frame);
    pelt_pose_destroy(&p.pose);
    pelt_arena_destroy(arena);
    return 0;
}

static int boxes_hold_all_characters_and_are_small(void)
{
    int checked = 0;
    glob_t found;
    ENSURE(model_files_find(&found, MODEL_FILES_READ));
    for (size_t i = 0; i < found.gl_pathc; ++i)
    {
        pelt_scene* scene;
        if (pelt_load(&scene, found.gl_pathv[i], NULL, NULL) == PELT_OK)
        {
            int failed = check_scene(scene, found.gl_pathv[i]);
            pelt_scene_destroy(scene);
            ENSURE(!failed);
            ++checked;
        }
    }
    globfree(&found);
    ENSURE(checked >= 30);
    return 0;
}

void test_bounds_models(void)
{
    RUN_ON_MODELS(boxes_hold_all_characters_and_are_small);
}
