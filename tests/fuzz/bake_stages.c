// SPDX-License-Identifier: MIT
#include "bake_stages.h"

#include "scene_stages.h"

#include <time.h>

// Ends what takes long: that a stage can be canceled is a promise of its own.
static bool is_in_time(float part, void* user)
{
    const clock_t* start = user;
    REQUIRE(part >= 0.0f && part <= 1.0f);
    return clock() - *start < 2 * CLOCKS_PER_SEC;
}

static void check_answer(pelt_result result, const void* out, const pelt_error* error)
{
    REQUIRE(result == PELT_OK ? out != NULL : out == NULL && error->message[0] != '\0');
}

void stages_unbake(const pelt_baked* baked, const pelt_scene* scene, float rate)
{
    clock_t start = clock();
    pelt_error error = {""};
    pelt_scene* clips = NULL;
    pelt_unbake_report unbaked;
    const pelt_unbake_options back = {.rate = rate, .progress = is_in_time, .user = &start};
    pelt_result result = pelt_unbake_scene(&clips, &unbaked, baked, scene, &back, &error);
    check_answer(result, clips, &error);
    REQUIRE(result != PELT_OK || pelt_scene_validate(clips, &error) == PELT_OK);
    pelt_scene_destroy(clips);

    start = clock();
    error = (pelt_error){""};
    pelt_bake_report report = {0};
    const pelt_measure_options measure = {.progress = is_in_time, .user = &start};
    result = pelt_baked_measure(&report, baked, scene, &measure, &error);
    REQUIRE(result == PELT_OK || error.message[0] != '\0');
    pelt_bake_report_destroy(&report);
}

void stages_bake(const pelt_scene* scene, const pelt_bake_options* options)
{
    clock_t start = clock();
    pelt_bake_options timed = *options;
    timed.progress = is_in_time;
    timed.user = &start;
    pelt_baked* baked = NULL;
    pelt_error error = {""};
    pelt_result result = pelt_bake(&baked, scene, &timed, &error);
    check_answer(result, baked, &error);
    if (result == PELT_OK)
    {
        REQUIRE(pelt_baked_validate(baked, &error) == PELT_OK);
        stages_unbake(baked, scene, 0.0f);
        pelt_baked_destroy(baked);
    }
}
