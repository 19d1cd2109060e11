// SPDX-License-Identifier: MIT
// The report of a measurement, confirmed by one in double precision.
#include "bake_compare.h"
#include "bake_scene.h"
#include "rigs.h"

#include <stdlib.h>
#include <string.h>

static int compare_numbers(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static bool is_key_time(const pelt_baked_clip* clip, float time)
{
    for (uint32_t r = 0; r < clip->run_count; ++r)
    {
        const pelt_baked_run* run = &clip->runs[r];
        for (uint32_t key = 0; key <= run->key_count - (clip->wraps ? 0 : 1); ++key)
        {
            double rate = (double)run->rate;
            double own = (double)run->start + (rate > 0.0 ? key / rate : 0.0);
            if (fabs((double)time - own) < 1e-6)
            {
                return true;
            }
        }
    }
    return false;
}

// Vertices a few meters from the origin, in float: 2^-23 of them, some times over.
static const double rounding = 1.5e-6;

typedef struct clip_check
{
    bake_difference found;
    double at_keys;
    double* distances; // of all times
    size_t count;
} clip_check;

static int check_error(const pelt_bake_error* error, const clip_check* own)
{
    ENSURE_NEAR(error->max, own->found.max, rounding);
    ENSURE_NEAR(error->max_at_keys, own->at_keys, rounding);
    ENSURE_NEAR(error->rms, sqrt(own->found.squares / (double)own->found.count), rounding);
    ENSURE_NEAR(error->normal_max, own->found.normal_max, 1e-3);
    ENSURE_NEAR(error->normal_mean, own->found.normal_sum / (double)own->found.normal_count, 1e-4);
    // The histogram has 128 bins to an octave, and the report the upper end of one.
    qsort(own->distances, own->count, sizeof *own->distances, compare_numbers);
    double p99 = own->distances[(size_t)ceil(0.99 * (double)own->count) - 1];
    ENSURE(error->p99 >= p99 - rounding);
    ENSURE(error->p99 <= p99 * (1.0 + 1.0 / 128.0) + rounding);
    return 0;
}

// Recompute everything at the times that the report lists.
static int check_report(const pelt_scene* scene, const pelt_bake_options* options)
{
    pelt_baked* baked;
    pelt_bake_report report;
    bake_comparison c;
    ENSURE(pelt_bake(&baked, scene, options, NULL) == PELT_OK);
    ENSURE(pelt_baked_measure(&report, baked, scene, NULL, NULL) == PELT_OK);
    ENSURE(report.clip_count == baked->clip_count);
    ENSURE(bake_comparison_create(&c, scene, baked));
    double worst = 0.0;
    for (uint32_t clip = 0; clip < report.clip_count; ++clip)
    {
        const pelt_bake_clip_report* own = &report.clips[clip];
        memset(c.joint_errors, 0, baked->joint_count * sizeof *c.joint_errors);
        clip_check all = {0};
        for (uint32_t i = 0; i < own->time_count; ++i)
        {
            bake_difference at = {0};
            bake_compare_at(&at, &c, clip, clip, own->times[i]);
            ENSURE_NEAR(own->errors[i], at.max, rounding);
            all.distances = realloc(all.distances, (all.count + at.count) * sizeof(double));
            memcpy(all.distances + all.count, c.distances, at.count * sizeof(double));
            all.count += at.count;
            all.found.max = fmax(all.found.max, at.max);
            all.found.squares += at.squares;
            all.found.count += at.count;
            all.found.normal_max = fmax(all.found.normal_max, at.normal_max);
            all.found.normal_sum += at.normal_sum;
            all.found.normal_count += at.normal_count;
            if (is_key_time(&baked->clips[clip], own->times[i]))
            {
                all.at_keys = fmax(all.at_keys, at.max);
            }
        }
        ENSURE(check_error(&own->error, &all) == 0);
        for (uint32_t joint = 0; joint < baked->joint_count; ++joint)
        {
            ENSURE_NEAR(own->joint_errors[joint], c.joint_errors[joint], rounding);
        }
        // The vertex and the time that it names are as bad as it says.
        bake_difference at = {0};
        bake_compare_at(&at, &c, clip, clip, own->error.worst_time);
        ENSURE(scene->instance_count == 1 && own->error.worst_instance == 0);
        ENSURE_NEAR(c.distances[own->error.worst_vertex], own->error.max, rounding);
        const pelt_weights* weights = &scene->meshes[scene->instances[0].mesh].weights;
        ENSURE(own->error.worst_joint ==
               weights->influences[weights->first[own->error.worst_vertex]].joint);
        worst = fmax(worst, own->error.max);
        free(all.distances);
    }
    ENSURE(report.error.max == worst && report.clips[report.worst_clip].error.max == worst);
    bake_comparison_destroy(&c);
    pelt_bake_report_destroy(&report);
    pelt_baked_destroy(baked);
    return 0;
}

static int figures_are_confirmed_in_double(void)
{
    bake_scene* s = bake_scene_dance(4);
    for (int encoding = 0; encoding < PELT_ENCODING_VERTEX; ++encoding)
    {
        pelt_bake_options options = {.encoding = (pelt_encoding)encoding};
        ENSURE(check_report(&s->scene, &options) == 0);
    }
    bake_scene_free(s);
    return 0;
}

static int figures_of_the_human_are_confirmed_in_double(void)
{
    pelt_scene* scene;
    const uint32_t clip = 0;
    ENSURE(pelt_rig_build(&scene, "human?vertices=2000", NULL) == PELT_OK);
    pelt_bake_options options = {.bits = 64, .clip_count = 1, .clips = &clip};
    ENSURE(check_report(scene, &options) == 0);
    pelt_scene_destroy(scene);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Closed forms

enum
{
    ROTATION_KEYS = 9
};

static bake_scene* make_rotation(float step)
{
    bake_scene* s = bake_scene_make(2);
    bake_scene_clip(s, "rotation", (ROTATION_KEYS - 1) / 30.0f);
    bake_scene_rotate(s, 1, pelt_vec3_make(1, 0, 0), 0.0f, 30.0f, ROTATION_KEYS, step);
    return s;
}

static int matrices_of_floats_are_off_by_the_sagitta_and_exact_at_keys(void)
{
    bake_scene* s = make_rotation(0.4f);
    pelt_bake_options options = {.encoding = PELT_ENCODING_MATRIX, .bits = 32};
    pelt_baked* baked;
    pelt_bake_report report;
    ENSURE(pelt_bake(&baked, &s->scene, &options, NULL) == PELT_OK);
    ENSURE(pelt_baked_measure(&report, baked, &s->scene, NULL, NULL) == PELT_OK);
    // Seven times between two keys: one of them is the middle.
    ENSURE_NEAR(report.error.max, hypot(0.4, 0.1) * (1.0 - cos(0.2)), 1e-6);
    ENSURE(report.error.max_at_keys < 1e-6);
    ENSURE(report.clips[0].time_count == (ROTATION_KEYS - 1) * 8 + 1 + 2);
    // The triangle has sin(0.4) / 0.4 of the area of a sector of 0.4 radians.
    for (int key = 0; key < ROTATION_KEYS; ++key)
    {
        double chord = key + 1 < ROTATION_KEYS ? 1.0 - sin(0.4) / 0.4 : 0.0;
        ENSURE_NEAR(report.clips[0].chord_errors[key], chord, 1e-4);
    }
    ENSURE_NEAR(report.bytes_per_joint_key, (double)pelt_baked_bytes(baked) / (2.0 * ROTATION_KEYS),
                1e-9);
    pelt_bake_report_destroy(&report);
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

// A vertex that one joint moves is where that joint puts it, by every method.
static int methods_agree_where_joints_are_not_blended(void)
{
    bake_scene* s = bake_scene_dance(3);
    uint32_t joints[3 * BAKE_SCENE_VERTICES];
    float ones[3 * BAKE_SCENE_VERTICES];
    for (uint32_t v = 0; v < 3 * BAKE_SCENE_VERTICES; ++v)
    {
        joints[v] = v / BAKE_SCENE_VERTICES;
        ones[v] = 1.0f;
    }
    pelt_weights_source source = {.vertex_count = 3 * BAKE_SCENE_VERTICES,
                                  .joint_count = 3,
                                  .per_vertex = 1,
                                  .joints_u32 = joints,
                                  .weights = ones};
    ENSURE(pelt_weights_import(&s->mesh.weights, NULL, &source, s->arena) == PELT_OK);
    s->mesh.cors = s->positions;
    pelt_baked* baked;
    ENSURE(pelt_bake(&baked, &s->scene, NULL, NULL) == PELT_OK);
    double expected = 0.0;
    for (int method = 0; method <= PELT_METHOD_CRS; ++method)
    {
        pelt_measure_options options = {.deform = {.method = (pelt_method)method, .mix = 0.5f}};
        pelt_bake_report report;
        ENSURE(pelt_baked_measure(&report, baked, &s->scene, &options, NULL) == PELT_OK);
        expected = method == 0 ? report.error.max : expected;
        ENSURE(expected > 1e-5);
        ENSURE_NEAR(report.error.max, expected, rounding);
        pelt_bake_report_destroy(&report);
    }
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

// Deform source and bake by the method, at the time and vertex that the report names: to the bit if
// that is asked for.
static int check_methods(bake_scene* s, const pelt_vec3* shaped, bool is_exact)
{
    s->mesh.cors = s->positions;
    pelt_baked* baked;
    pelt_frame frame;
    pelt_pose pose;
    pelt_palette palette;
    ENSURE(pelt_bake(&baked, &s->scene, &(pelt_bake_options){.bits = 64}, NULL) == PELT_OK);
    ENSURE(pelt_frame_create(&frame, &s->scene) == PELT_OK);
    ENSURE(pelt_pose_create(&pose, &s->scene) == PELT_OK);
    ENSURE(pelt_palette_create(&palette, 3) == PELT_OK);
    for (int method = 0; method <= PELT_METHOD_CRS; ++method)
    {
        pelt_measure_options options = {
            .deform = {.method = (pelt_method)method, .mix = 0.3f, .is_exact = is_exact},
            .between = 3};
        pelt_bake_report report;
        ENSURE(pelt_baked_measure(&report, baked, &s->scene, &options, NULL) == PELT_OK);
        const pelt_bake_error* error = &report.error;
        uint32_t clip = report.worst_clip;
        pelt_pose_sample(&pose, &s->scene, &s->clips[clip], error->worst_time, PELT_WRAP_CLAMP);
        pelt_frame_update(&frame, &s->scene, &pose, &options.deform);
        pelt_vec3 moved[3 * BAKE_SCENE_VERTICES];
        pelt_unbake(palette.matrices, baked,
                    &(pelt_playback){.base = {clip, error->worst_time, PELT_WRAP_CLAMP}});
        pelt_palette_decompose(&palette);
        pelt_deform_input input = {.positions = shaped,
                                   .cors = s->mesh.cors,
                                   .weights = &s->mesh.weights,
                                   .palette = &palette};
        pelt_deform(&(pelt_surface){.positions = moved}, &input, &options.deform,
                    (pelt_range){0, s->mesh.vertex_count});
        float found = pelt_vec3_distance(moved[error->worst_vertex],
                                         frame.surfaces[0].positions[error->worst_vertex]);
        ENSURE_NEAR(found, error->max, is_exact ? 0.0 : 2.0 * rounding);
        pelt_bake_report_destroy(&report);
    }
    pelt_palette_destroy(&palette);
    pelt_pose_destroy(&pose);
    pelt_frame_destroy(&frame);
    pelt_baked_destroy(baked);
    return 0;
}

static int methods_deform_source_and_bake(void)
{
    bake_scene* s = bake_scene_dance(3);
    ENSURE(check_methods(s, s->positions, false) == 0);
    ENSURE(check_methods(s, s->positions, true) == 0);
    bake_scene_free(s);
    return 0;
}

// A morph target that is always there, and makes everything twice as large before skinning.
static int default_morph_weights_apply_to_source_and_bake(void)
{
    bake_scene* s = bake_scene_dance(3);
    pelt_vec3 shaped[3 * BAKE_SCENE_VERTICES];
    const pelt_morph morph = {.name = "large", .positions = s->positions};
    const float weight = 1.0f;
    for (uint32_t v = 0; v < s->mesh.vertex_count; ++v)
    {
        shaped[v] = pelt_vec3_add(s->positions[v], s->positions[v]);
    }
    s->mesh.morph_count = s->scene.morph_weight_count = 1;
    s->mesh.morphs = &morph;
    s->mesh.morph_weights = &weight;
    ENSURE(check_methods(s, shaped, false) == 0);
    ENSURE(check_methods(s, shaped, true) == 0);
    bake_scene_free(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------

static int refuse(const pelt_baked* baked, const pelt_scene* scene, const char* words)
{
    pelt_bake_report report;
    pelt_error error = {""};
    ENSURE(pelt_baked_measure(&report, baked, scene, NULL, &error) == PELT_ERROR_DATA);
    if (strstr(error.message, words) == NULL)
    {
        printf("  \"%s\" without \"%s\"\n", error.message, words);
        return 1;
    }
    ENSURE(report.arena == NULL);
    return 0;
}

static int other_scenes_are_refused(void)
{
    bake_scene* s = bake_scene_dance(3);
    pelt_baked* baked;
    ENSURE(pelt_bake(&baked, &s->scene, NULL, NULL) == PELT_OK);
    pelt_scene other = s->scene;
    other.instance_count = 0;
    ENSURE(refuse(baked, &other, "0 instances") == 0);
    other = s->scene;
    other.clip_count = 1;
    ENSURE(refuse(baked, &other, "no clip bow") == 0);
    s->clips[1].duration += 0.5f;
    ENSURE(refuse(baked, &s->scene, "no clip bow") == 0);
    s->clips[1].duration -= 0.5f;
    s->positions[5].x += 0.01f;
    ENSURE(refuse(baked, &s->scene, "boxes is not the one that was baked") == 0);
    s->positions[5].x -= 0.01f;
    bake_scene* longer = bake_scene_dance(4);
    ENSURE(refuse(baked, &longer->scene, "boxes") == 0);
    bake_scene_free(longer);
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return 0;
}

void test_bake_measure(void)
{
    RUN(figures_are_confirmed_in_double);
    RUN(figures_of_the_human_are_confirmed_in_double);
    RUN(matrices_of_floats_are_off_by_the_sagitta_and_exact_at_keys);
    RUN(methods_agree_where_joints_are_not_blended);
    RUN(methods_deform_source_and_bake);
    RUN(default_morph_weights_apply_to_source_and_bake);
    RUN(other_scenes_are_refused);
}
