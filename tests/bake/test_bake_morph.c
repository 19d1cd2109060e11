// SPDX-License-Identifier: MIT
// Morph targets and bakes of joints: refused where a clip animates them, measured where they are
// left out, and part of the character where their default weights are not 0.
#include "bake_scene.h"

#include <string.h>

enum
{
    KEYS = 31,
    TARGETS = 2,
};

// The dance with a target that moves all vertices by 0.3 m, one that moves them by 0.1 m at a right
// angle, and a track whose weights go from `first` to `last` during the first clip.
typedef struct morph_scene
{
    bake_scene* s;
    pelt_vec3 deltas[TARGETS][3 * BAKE_SCENE_VERTICES];
    pelt_morph morphs[TARGETS];
    float defaults[TARGETS], times[KEYS], weights[KEYS][TARGETS];
} morph_scene;

static void make_scene(morph_scene* out, float first, float last)
{
    *out = (morph_scene){.s = bake_scene_dance(3)};
    bake_scene* s = out->s;
    for (uint32_t v = 0; v < s->mesh.vertex_count; ++v)
    {
        out->deltas[0][v] = pelt_vec3_make(0.0f, 0.0f, 0.3f);
        out->deltas[1][v] = pelt_vec3_make(0.1f, 0.0f, 0.0f);
    }
    for (uint32_t i = 0; i < TARGETS; ++i)
    {
        out->morphs[i] = (pelt_morph){.name = "target", .positions = out->deltas[i]};
    }
    for (uint32_t key = 0; key < KEYS; ++key)
    {
        out->times[key] = (float)(key / 30.0);
        out->weights[key][0] = out->weights[key][1] =
            first + (last - first) * (float)key / (KEYS - 1);
    }
    s->mesh.morph_count = s->scene.morph_weight_count = TARGETS;
    s->mesh.morphs = out->morphs;
    s->mesh.morph_weights = out->defaults;
    s->tracks[0][s->clips[0].track_count++] =
        (pelt_track){.path = PELT_PATH_MORPH,
                     .interpolation = PELT_INTERPOLATION_LINEAR,
                     .key_count = KEYS,
                     .width = TARGETS,
                     .times = out->times,
                     .values = out->weights[0]};
}

static int animated_targets_are_refused_with_what_helps(void)
{
    const struct
    {
        float first, last;
    } weights[] = {{0.0f, 1.0f}, {1.0f, 1.0f}}; // animated, and constant but not the default
    for (int i = 0; i < 2; ++i)
    {
        morph_scene m;
        make_scene(&m, weights[i].first, weights[i].last);
        for (int encoding = 0; encoding < PELT_ENCODING_VERTEX; ++encoding)
        {
            pelt_baked* baked;
            pelt_error error = {""};
            pelt_bake_options options = {.encoding = (pelt_encoding)encoding};
            ENSURE(pelt_bake(&baked, &m.s->scene, &options, &error) == PELT_ERROR_UNSUPPORTED);
            ENSURE(baked == NULL && strstr(error.message, "--encoding vertex") != NULL);
            ENSURE(strstr(error.message, "clip dance") != NULL);
            // A clip without morph tracks is not affected.
            const uint32_t bow = 1;
            options.clip_count = 1;
            options.clips = &bow;
            ENSURE(pelt_bake(&baked, &m.s->scene, &options, NULL) == PELT_OK);
            pelt_baked_destroy(baked);
        }
        bake_scene_free(m.s);
    }
    return 0;
}

static int tracks_that_keep_default_weights_are_baked(void)
{
    morph_scene m;
    make_scene(&m, 0.0f, 0.0f);
    pelt_baked* baked;
    ENSURE(pelt_bake(&baked, &m.s->scene, NULL, NULL) == PELT_OK);
    pelt_baked_destroy(baked);
    m.defaults[0] = m.defaults[1] = 0.5f;
    ENSURE(pelt_bake(&baked, &m.s->scene, NULL, NULL) == PELT_ERROR_UNSUPPORTED);
    for (uint32_t key = 0; key < KEYS; ++key)
    {
        m.weights[key][0] = m.weights[key][1] = 0.5f;
    }
    ENSURE(pelt_bake(&baked, &m.s->scene, NULL, NULL) == PELT_OK);
    pelt_baked_destroy(baked);
    bake_scene_free(m.s);
    return 0;
}

// Both targets at a weight of 1 move every vertex by (0.1, 0, 0.3). Vertices of one joint are
// rotated with it, so that the distance stays; the motion of joints is exact to 0.1 mm.
static int what_is_left_out_is_in_the_measured_error(void)
{
    morph_scene m;
    make_scene(&m, 0.0f, 1.0f);
    bake_scene* plain = bake_scene_dance(3);
    for (int encoding = 0; encoding < PELT_ENCODING_VERTEX; ++encoding)
    {
        pelt_baked* baked;
        pelt_bake_report report;
        pelt_bake_options options = {.encoding = (pelt_encoding)encoding,
                                     .bits = encoding >= 2 ? 32 : 0,
                                     .has_no_morphs = true};
        ENSURE(pelt_bake(&baked, &m.s->scene, &options, NULL) == PELT_OK);
        for (int is_exact = 0; is_exact < 2; ++is_exact)
        {
            const pelt_measure_options how = {.deform = {.is_exact = is_exact != 0}};
            ENSURE(pelt_baked_measure(&report, baked, &m.s->scene, &how, NULL) == PELT_OK);
            ENSURE_NEAR(report.error.max, sqrt(0.1), 2e-3);
            ENSURE_NEAR(report.error.worst_time, 1.0, 1e-6);
            ENSURE_NEAR(report.morph_max, 0.4, 1e-6); // the sum is a bound
            pelt_bake_report_destroy(&report);
        }
        // For the other clip, and for a scene without targets, the error is that of joints.
        pelt_bake_report without;
        ENSURE(pelt_baked_measure(&report, baked, &m.s->scene, NULL, NULL) == PELT_OK);
        ENSURE(pelt_baked_measure(&without, baked, &plain->scene, NULL, NULL) == PELT_OK);
        ENSURE(report.clips[1].error.max == without.clips[1].error.max);
        ENSURE(without.error.max < 0.05 && without.morph_max == 0.0);
        pelt_bake_report_destroy(&report);
        pelt_bake_report_destroy(&without);
        pelt_baked_destroy(baked);
    }
    bake_scene_free(plain);
    bake_scene_free(m.s);
    return 0;
}

static int vertices_have_them_all(void)
{
    morph_scene m;
    make_scene(&m, 0.0f, 1.0f);
    pelt_baked* baked;
    pelt_bake_report report;
    const pelt_bake_options options = {.encoding = PELT_ENCODING_VERTEX};
    ENSURE(pelt_bake(&baked, &m.s->scene, &options, NULL) == PELT_OK);
    ENSURE(pelt_baked_measure(&report, baked, &m.s->scene, NULL, NULL) == PELT_OK);
    // The sagitta of the fastest rotation, as without targets.
    ENSURE(report.error.max < 0.05 && report.morph_max == 0.0);
    pelt_bake_report_destroy(&report);
    pelt_baked_destroy(baked);
    bake_scene_free(m.s);
    return 0;
}

// A default weight that puts vertices 3 m away from their joints: an error of their rotation counts
// ten times as much as at the vertices of the mesh.
static int budgets_hold_for_default_weights(void)
{
    morph_scene m;
    make_scene(&m, 10.0f, 10.0f);
    m.defaults[0] = m.defaults[1] = 10.0f;
    for (int encoding = 0; encoding < PELT_ENCODING_MATRIX; ++encoding)
    {
        pelt_baked* baked;
        pelt_bake_report report;
        const pelt_bake_options options = {.encoding = (pelt_encoding)encoding,
                                           .has_budget = true,
                                           .max_error = 1e-3,
                                           .scope = PELT_BAKE_AT_SAMPLES};
        ENSURE(pelt_bake(&baked, &m.s->scene, &options, NULL) == PELT_OK);
        ENSURE(pelt_baked_measure(&report, baked, &m.s->scene, NULL, NULL) == PELT_OK);
        ENSURE(report.error.max_at_keys <= 1e-3);
        // Boxes are where the surface is: 3 m in front of the joints at rest.
        ENSURE(baked->clips[0].bounds.max.z > 2.0f);
        pelt_bake_report_destroy(&report);
        pelt_baked_destroy(baked);
    }
    bake_scene_free(m.s);
    return 0;
}

void test_bake_morph(void)
{
    RUN(animated_targets_are_refused_with_what_helps);
    RUN(tracks_that_keep_default_weights_are_baked);
    RUN(what_is_left_out_is_in_the_measured_error);
    RUN(vertices_have_them_all);
    RUN(budgets_hold_for_default_weights);
}
