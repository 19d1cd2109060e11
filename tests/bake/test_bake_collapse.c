// SPDX-License-Identifier: MIT
// Joints that scale to nothing: hidden parts, squashed balls. Positions stay finite and right, by a
// comparison in double precision.
#include "bake_compare.h"
#include "bake_scene.h"

#include <string.h>

enum
{
    KEYS = 31,
};

// How a joint scales over a second.
typedef enum scaling
{
    SHRINK,  // down to the least in the middle, and back
    SUDDEN,  // from 1 to the least from one key to the next, where it stays
    FLATTEN, // SHRINK along one axis
    SCALING_COUNT,
} scaling;

// A chain of three; the middle joint rotates and scales, and the last one rotates.
static bake_scene* make_scene(scaling how, float least, uint32_t joint)
{
    bake_scene* s = bake_scene_make(3);
    float times[KEYS], scales[KEYS][3];
    bake_scene_clip(s, "hide", 1.0f);
    for (uint32_t key = 0; key < KEYS; ++key)
    {
        times[key] = (float)(key / 30.0);
        float now = how == SUDDEN ? (key > 12 ? least : 1.0f)
                                  : fmaxf(least, fabsf(1.0f - 2.0f * times[key]));
        scales[key][0] = scales[key][2] = how == FLATTEN ? 1.0f : now;
        scales[key][1] = now;
    }
    bake_scene_rotate(s, 1, pelt_vec3_make(1, 0, 0), 0.0f, 30.0f, KEYS, 0.05f);
    bake_scene_rotate(s, 2, pelt_vec3_make(0, 0, 1), 0.0f, 30.0f, KEYS, -0.04f);
    bake_scene_track(s, joint, PELT_PATH_SCALE, PELT_INTERPOLATION_LINEAR, KEYS, times, scales[0]);
    return s;
}

static int compare(const pelt_scene* scene, pelt_encoding encoding, double limit)
{
    pelt_baked* baked;
    pelt_bake_report report;
    bake_comparison c;
    test_random random = {7};
    const pelt_bake_options options = {.encoding = encoding};
    ENSURE(pelt_bake(&baked, scene, &options, NULL) == PELT_OK);
    ENSURE(bake_comparison_create(&c, scene, baked));
    ENSURE(bake_compare_keys(&c, 0, 0) < 1e-3);
    ENSURE(bake_compare_random(&c, 0, 0, 100, &random) < limit);
    ENSURE(pelt_baked_measure(&report, baked, scene, NULL, NULL) == PELT_OK);
    ENSURE(report.error.max < limit);
    pelt_bake_report_destroy(&report);
    bake_comparison_destroy(&c);
    pelt_baked_destroy(baked);
    return 0;
}

// LOCAL interpolates what the source does, but nothing is told of poses below a 3000th of the size,
// QT follows the path, DQ and MATRIX go straight between keys: where all shrinks by 1 in 1/30 s,
// they are a quarter of the rotation off, 1 m away.
static int collapsed_joints_stay_where_they_are(void)
{
    static const float scales[] = {0.0f, 1e-30f, 1e-20f, 1e-9f, 1e-6f, 1e-4f, 1e-3f, 1e-2f};
    static const double limits[] = {5e-4, 5e-4, 2e-2, 2e-2};
    for (int how = 0; how < SCALING_COUNT; ++how)
    {
        for (size_t i = 0; i < sizeof scales / sizeof *scales; ++i)
        {
            for (uint32_t joint = 0; joint < 3; ++joint)
            {
                bake_scene* s = make_scene((scaling)how, scales[i], joint);
                for (int encoding = 0; encoding < PELT_ENCODING_VERTEX; ++encoding)
                {
                    // Six numbers of a stretch share the bits of a key of QT.
                    bool is_crowded = how == FLATTEN && encoding == PELT_ENCODING_QT;
                    double limit = is_crowded ? 5e-3 : limits[encoding];
                    if (compare(&s->scene, (pelt_encoding)encoding, limit) != 0)
                    {
                        printf("  scaling %d to %g of joint %u by %s\n", how, (double)scales[i],
                               joint, pelt_encoding_name((pelt_encoding)encoding));
                        return 1;
                    }
                }
                bake_scene_free(s);
            }
        }
    }
    return 0;
}

static double local_error(float least, uint32_t bits)
{
    bake_scene* s = make_scene(SHRINK, least, 1);
    pelt_baked* baked;
    pelt_bake_report report = {.error = {.max = INFINITY}};
    const pelt_bake_options options = {.encoding = PELT_ENCODING_LOCAL, .bits = bits};
    if (pelt_bake(&baked, &s->scene, &options, NULL) == PELT_OK)
    {
        (void)pelt_baked_measure(&report, baked, &s->scene, NULL, NULL);
    }
    double error = report.error.max;
    pelt_bake_report_destroy(&report);
    pelt_baked_destroy(baked);
    bake_scene_free(s);
    return error;
}

// A few bits for a scale leave nothing of a small one. They do no worse than to one that stays.
static int coarse_steps_are_no_worse_for_small_scales(void)
{
    for (uint32_t bits = 2; bits <= 8; ++bits)
    {
        double usual = local_error(0.5f, bits);
        ENSURE(local_error(1e-3f, bits) < 2.0 * usual);
        ENSURE(local_error(0.0f, bits) < 2.0 * usual);
    }
    return 0;
}

static int budgets_hold_where_joints_collapse(void)
{
    for (int encoding = 0; encoding < PELT_ENCODING_MATRIX; ++encoding)
    {
        bake_scene* s = make_scene(SHRINK, 0.0f, 1);
        pelt_baked* baked;
        pelt_bake_report report;
        const pelt_bake_options options = {
            .encoding = (pelt_encoding)encoding, .has_budget = true, .max_error = 1e-4};
        ENSURE(pelt_bake(&baked, &s->scene, &options, NULL) == PELT_OK);
        ENSURE(pelt_baked_measure(&report, baked, &s->scene, NULL, NULL) == PELT_OK);
        ENSURE(report.error.max <= 1e-4);
        pelt_bake_report_destroy(&report);
        pelt_baked_destroy(baked);
        bake_scene_free(s);
    }
    return 0;
}

void test_bake_collapse(void)
{
    RUN(collapsed_joints_stay_where_they_are);
    RUN(coarse_steps_are_no_worse_for_small_scales);
    RUN(budgets_hold_where_joints_collapse);
}
