// SPDX-License-Identifier: MIT
// Real characters: every skinned file of the models folder on the GPU and by the reference.
#include "gl_scene.h"
#include "pelt/io.h"

#include <stdlib.h>
#include <string.h>

static pelt_gl* gl;

enum
{
    LINE_MAX_LENGTH = 1024,
    MODEL_MINIMUM = 40, // fewer would mean that the list is not read
    MOMENT_COUNT = 3,
};

enum
{
    RULE_COUNT = 2
};

static const pelt_normal_rule rules[RULE_COUNT] = {PELT_NORMAL_STANDARD, PELT_NORMAL_ACCURATE};
static gl_difference worst_of_all[RULE_COUNT][GL_METHOD_COUNT];

// @return NULL, after saying why, when pelt does not read such files
static pelt_scene* load(const char* name, int* failed)
{
    char path[4096];
    pelt_error error = {0};
    pelt_scene* scene = NULL;
    snprintf(path, sizeof path, "%s/%s", test_models_folder(), name);
    pelt_result result = pelt_load(&scene, path, NULL, &error);
    if (result != PELT_OK)
    {
        printf("  %s: left out: %s\n", name, error.message);
        *failed = result != PELT_ERROR_UNSUPPORTED;
    }
    return scene;
}

// Pivots of scale alternate; in a full sweep block and texture do, too. Else methods do, after the
// first moment by the standard rule: it is programs to compile that take long.
static int compare_moments(gl_scene* s, pelt_normal_rule rule)
{
    const pelt_clip* clip = s->scene->clip_count > 0 ? &s->scene->clips[0] : NULL;
    bool is_full = test_is_full_sweep();
    for (uint32_t i = 0; i < MOMENT_COUNT; ++i)
    {
        float duration = clip != NULL ? clip->duration : 0.0f;
        gl_scene_pose(s, clip, duration * (float)(i + 1) / (float)(MOMENT_COUNT + 1));
        gl_case how = {.kind = i % 2 || !is_full ? PELT_PALETTE_TEXTURE : PELT_PALETTE_BLOCK,
                       .pivot = i % 2 ? PELT_SCALE_ORIGIN : PELT_SCALE_LOCAL,
                       .rule = rule};
        s->has_rotations = !is_full && (i > 0 || rule != PELT_NORMAL_STANDARD);
        ENSURE(gl_scene_compare(s, gl, &how) == 0);
    }
    return 0;
}

static int judge(const gl_scene* s, const char* name, uint32_t r)
{
    bool is_small = true;
    printf("  %-46s %s", name, pelt_normal_rule_name(rules[r]));
    for (uint32_t i = 0; i < GL_METHOD_COUNT; ++i)
    {
        is_small = is_small &&
                   (rules[r] == PELT_NORMAL_STANDARD ? gl_difference_is_small(&s->worst[i])
                                                     : gl_difference_is_rounding(&s->worst[i]));
        gl_difference_join(&worst_of_all[r][i], &s->worst[i]);
        printf(" %s %.0e %.0e", pelt_method_name(gl_methods[i]), s->worst[i].position,
               s->worst[i].normal);
    }
    puts(s->scaled_count > 0 ? " (joints scale)" : "");
    ENSURE(is_small);
    return 0;
}

static int check_model(const char* name, uint32_t* count)
{
    gl_scene s;
    int failed = 0;
    pelt_scene* scene = load(name, &failed);
    if (scene == NULL)
    {
        return failed;
    }
    failed = gl_scene_open(&s, scene) || gl_scene_find_factors(&s, 8);
    for (uint32_t r = 0; r < RULE_COUNT && !failed; ++r)
    {
        memset(s.worst, 0, sizeof s.worst);
        failed = compare_moments(&s, rules[r]) || (s.compared_count > 0 && judge(&s, name, r));
    }
    *count += s.compared_count > 0;
    gl_scene_close(&s);
    return failed;
}

static bool is_character(const char* name)
{
    const char* dot = strrchr(name, '.');
    return dot != NULL &&
           (strcmp(dot, ".glb") == 0 || strcmp(dot, ".gltf") == 0 || strcmp(dot, ".fbx") == 0);
}

// Rows of the folder's own list, "| name | bytes | ...". A model that fails does not keep the
// others from being looked at.
static int check_listed(FILE* list, uint32_t* count)
{
    char line[LINE_MAX_LENGTH], name[LINE_MAX_LENGTH];
    int failures = 0;
    while (fgets(line, sizeof line, list) != NULL)
    {
        if (sscanf(line, "| %1023[^| ] |", name) == 1 && is_character(name))
        {
            failures += check_model(name, count);
        }
    }
    return failures;
}

static int skinned_files_follow_the_reference(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/MANIFEST.md", test_models_folder());
    FILE* list = fopen(path, "r");
    ENSURE(list != NULL);
    printf("  largest differences: position of size, normal in degrees\n");
    uint32_t count = 0;
    memset(worst_of_all, 0, sizeof worst_of_all);
    int failures = check_listed(list, &count);
    fclose(list);
    for (uint32_t i = 0; i < RULE_COUNT * GL_METHOD_COUNT; ++i)
    {
        const gl_difference* worst = &worst_of_all[i / GL_METHOD_COUNT][i % GL_METHOD_COUNT];
        printf("  all %u files, %s, %s: position %.1e of size, normal %.1e, tangent %.1e, beyond "
               "rounding %.1e degrees\n",
               count, pelt_normal_rule_name(rules[i / GL_METHOD_COUNT]),
               pelt_method_name(gl_methods[i % GL_METHOD_COUNT]), worst->position, worst->normal,
               worst->tangent, worst->beyond);
    }
    ENSURE(failures == 0);
    ENSURE(count >= MODEL_MINIMUM);
    return 0;
}

void test_gl_models(void)
{
    gl = gl_open(PELT_GL_OFFSCREEN, "gl_models");
    if (gl == NULL)
    {
        return;
    }
    RUN_ON_MODELS(skinned_files_follow_the_reference);
    pelt_gl_destroy(gl);
}
