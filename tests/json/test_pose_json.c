// SPDX-License-Identifier: MIT
// Joint changes from JSON.
#include "pelt/io.h"
#include "rigs.h"

#include "test.h"

#include <string.h>

static pelt_result parse(pelt_override** out, uint32_t* count, const char* json, pelt_error* error)
{
    pelt_scene* scene;
    if (pelt_rig_build(&scene, "rig:arm?vertices=300", error) != PELT_OK)
    {
        return PELT_ERROR_MEMORY;
    }
    pelt_result result = pelt_overrides_parse(out, count, json, scene, error);
    pelt_scene_destroy(scene);
    return result;
}

static int every_member_is_read(void)
{
    pelt_override* o;
    uint32_t count;
    ENSURE(parse(&o, &count,
                 "{\"elbow\": [{\"axis\": [0, 0, 2], \"degrees\": 90},"
                 "             {\"scale\": 1.5, \"space\": \"model\"}],"
                 " \"wrist\": {\"translate\": [1, 2, 3], \"scale\": [1, 2, 3]}}",
                 NULL) == PELT_OK);
    ENSURE(count == 3);
    ENSURE(o[0].node == o[1].node && o[0].node != o[2].node);
    ENSURE_NEAR(o[0].angle, 0.5f * PELT_PI, 1e-6);
    ENSURE_POINT(o[0].axis, pelt_vec3_make(0, 0, 2), 0.0);
    ENSURE(o[0].space == PELT_SPACE_JOINT && o[1].space == PELT_SPACE_MODEL);
    ENSURE_POINT(o[1].scale, pelt_vec3_make(1.5f, 1.5f, 1.5f), 0.0);
    ENSURE_POINT(o[2].translate, pelt_vec3_make(1, 2, 3), 0.0);
    ENSURE_POINT(o[2].scale, pelt_vec3_make(1, 2, 3), 0.0);
    pelt_release(o);
    return 0;
}

static int nothing_to_change_is_valid(void)
{
    pelt_override* o;
    uint32_t count = 1;
    ENSURE(parse(&o, &count, "{}", NULL) == PELT_OK && count == 0);
    pelt_release(o);
    return 0;
}

static int wrong_text_is_answered_with_what_and_where(void)
{
    const char* wrong[][2] = {
        {"", "line"},
        {"{\"elbow\": ", "line"},
        {"[]", "object"},
        {"{\"elbw\": {}}", "elbow"},
        {"{\"elbow\": 3}", "elbow"},
        {"{\"elbow\": {\"angle\": 3}}", "degrees"},
        {"{\"elbow\": {\"axis\": [0, 0, 1]}}", "degrees"},
        {"{\"elbow\": {\"axis\": [0, 0, 0], \"degrees\": 3}}", "elbow.axis"},
        {"{\"elbow\": {\"axis\": [0, 1], \"degrees\": 3}}", "elbow.axis"},
        {"{\"elbow\": {\"translate\": [0, 1, 1e300]}}", "elbow.translate"},
        {"{\"elbow\": {\"scale\": 0}}", "elbow.scale"},
        {"{\"elbow\": {\"space\": \"world\"}}", "model"},
        {"{\"elbow\": {}, \"elbow\": {}}", "line"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
    {
        pelt_override* o;
        uint32_t count;
        pelt_error error = {{0}};
        ENSURE(parse(&o, &count, wrong[i][0], &error) != PELT_OK);
        ENSURE(o == NULL && count == 0);
        if (strstr(error.message, wrong[i][1]) == NULL)
        {
            printf("  %s: %s\n", wrong[i][0], error.message);
        }
        ENSURE(strstr(error.message, wrong[i][1]) != NULL);
    }
    return 0;
}

void test_pose_json(void)
{
    RUN(every_member_is_read);
    RUN(nothing_to_change_is_valid);
    RUN(wrong_text_is_answered_with_what_and_where);
}
