// SPDX-License-Identifier: MIT
// Bakes of characters as they play on the GPU and on the CPU: built-in rigs and real models, in all
// encodings.
#include "crowd_compare.h"
#include "gl_scene.h"
#include "pelt/io.h"
#include "rigs.h"

static pelt_gl* gl;
static gl_difference worst;

enum
{
    PLAYBACK_COUNT = 6
};

typedef enum bake_extent
{
    RARE,   ///< in a full sweep
    COMMON, ///< one small rig
    USUAL,  ///< larger characters, too
} bake_extent;

typedef struct bake_choice
{
    pelt_encoding encoding;
    uint32_t bits;
    pelt_texel texel;
    pelt_palette_kind kind;
    bake_extent extent;
    pelt_bake_layout layout;
} bake_choice;

// In one pass and in two, each kind of motion and of texel; few different programs, as software
// takes a second to compile one.
static const bake_choice choices[] = {
    {PELT_ENCODING_QT, 64, PELT_TEXEL_RGBA32UI, PELT_PALETTE_POSED, USUAL, PELT_BAKE_LAYOUT_MODERN},
    {PELT_ENCODING_QT, 96, PELT_TEXEL_RGBA32UI, PELT_PALETTE_BAKED, COMMON,
     PELT_BAKE_LAYOUT_MODERN},
    {PELT_ENCODING_QT, 128, PELT_TEXEL_RGBA16UI, PELT_PALETTE_POSED, RARE, PELT_BAKE_LAYOUT_MODERN},
    {PELT_ENCODING_LOCAL, 16, PELT_TEXEL_RGBA32UI, PELT_PALETTE_POSED, USUAL,
     PELT_BAKE_LAYOUT_MODERN},
    {PELT_ENCODING_LOCAL, 12, PELT_TEXEL_RGBA32UI, PELT_PALETTE_BAKED, RARE,
     PELT_BAKE_LAYOUT_MODERN},
    {PELT_ENCODING_MATRIX, 8, PELT_TEXEL_RGBA8UI, PELT_PALETTE_POSED, RARE,
     PELT_BAKE_LAYOUT_MODERN},
    {PELT_ENCODING_MATRIX, 16, PELT_TEXEL_RGBA16UI, PELT_PALETTE_POSED, COMMON,
     PELT_BAKE_LAYOUT_MODERN},
    {PELT_ENCODING_MATRIX, 32, PELT_TEXEL_RGBA8UI, PELT_PALETTE_POSED, RARE,
     PELT_BAKE_LAYOUT_MODERN},
    {PELT_ENCODING_DQ, 8, PELT_TEXEL_RGBA16UI, PELT_PALETTE_POSED, RARE, PELT_BAKE_LAYOUT_MODERN},
    {PELT_ENCODING_DQ, 16, PELT_TEXEL_RGBA16UI, PELT_PALETTE_POSED, RARE, PELT_BAKE_LAYOUT_MODERN},
    {PELT_ENCODING_DQ, 32, PELT_TEXEL_RGBA16UI, PELT_PALETTE_POSED, RARE, PELT_BAKE_LAYOUT_MODERN},
    {PELT_ENCODING_MATRIX, 8, PELT_TEXEL_RGBA8UI, PELT_PALETTE_POSED, USUAL,
     PELT_BAKE_LAYOUT_THESIS},
    {PELT_ENCODING_MATRIX, 8, PELT_TEXEL_RGBA8UI, PELT_PALETTE_BAKED, RARE,
     PELT_BAKE_LAYOUT_THESIS},
    {PELT_ENCODING_DQ, 8, PELT_TEXEL_RGBA8UI, PELT_PALETTE_POSED, USUAL, PELT_BAKE_LAYOUT_THESIS},
    {PELT_ENCODING_DQ, 8, PELT_TEXEL_RGBA8UI, PELT_PALETTE_BAKED, RARE, PELT_BAKE_LAYOUT_THESIS},
    {PELT_ENCODING_VERTEX, 11, PELT_TEXEL_RGBA32UI, PELT_PALETTE_BAKED, USUAL,
     PELT_BAKE_LAYOUT_MODERN},
    {PELT_ENCODING_VERTEX, 16, PELT_TEXEL_RGBA32UI, PELT_PALETTE_BAKED, RARE,
     PELT_BAKE_LAYOUT_MODERN},
    {PELT_ENCODING_VERTEX, 8, PELT_TEXEL_RGBA8UI, PELT_PALETTE_BAKED, COMMON,
     PELT_BAKE_LAYOUT_THESIS},
};

enum
{
    CHOICE_COUNT = sizeof choices / sizeof choices[0]
};

// On a key, between two, behind the end, repeating, in a cross-fade, with another clip on top.
static void choose_playbacks(pelt_playback out[PLAYBACK_COUNT], const pelt_baked* baked)
{
    const pelt_baked_clip* clip = &baked->clips[0];
    uint32_t last = baked->clip_count - 1;
    float step = clip->runs[0].rate > 0.0f ? 1.0f / clip->runs[0].rate : 0.0f;
    float other = baked->clips[last].duration;
    out[0] = (pelt_playback){.base = {0, clip->runs[0].start + step, PELT_WRAP_CLAMP}};
    out[1] = (pelt_playback){.base = {0, 0.37f * clip->duration, PELT_WRAP_CLAMP}};
    out[2] = (pelt_playback){.base = {0, 1.5f * clip->duration, PELT_WRAP_CLAMP}};
    out[3] = (pelt_playback){.base = {0, 2.6f * clip->duration, PELT_WRAP_LOOP}};
    out[4] = (pelt_playback){.base = {0, 0.2f * clip->duration, PELT_WRAP_LOOP},
                             .next = {last, 0.7f * other, PELT_WRAP_LOOP},
                             .fade = 0.4f};
    out[5] = out[4];
    if (baked->encoding == PELT_ENCODING_QT || baked->encoding == PELT_ENCODING_LOCAL)
    {
        out[5].additive = (pelt_moment){last, 0.3f * other, PELT_WRAP_CLAMP};
        out[5].additive_weight = 0.8f;
    }
}

static int compare_instances(const gl_scene* s, const pelt_baked* baked, const bake_choice* choice,
                             pelt_method method)
{
    pelt_playback playbacks[PLAYBACK_COUNT];
    choose_playbacks(playbacks, baked);
    // Without its scale a part of a character that binds at a hundredth is a speck far from the
    // origin, where a float has fewer digits than the speck: the character is the measure.
    bool has_no_scale =
        choice->layout == PELT_BAKE_LAYOUT_THESIS && choice->encoding == PELT_ENCODING_DQ;
    uint32_t count = s->scene->instance_count;
    crowd_case* cases = pelt_arena_alloc(s->arena, count, sizeof *cases);
    ENSURE(cases != NULL);
    for (uint32_t i = 0; i < count; ++i)
    {
        const pelt_instance* instance = &s->scene->instances[i];
        crowd_case c = {.baked = baked,
                        .playbacks = playbacks,
                        .count = PLAYBACK_COUNT,
                        .instance = i,
                        .how = {.mesh = &s->scene->meshes[instance->mesh],
                                .cors = s->prepared.meshes[instance->mesh].cors,
                                .method = method,
                                .mix = 0.5f,
                                .size = has_no_scale ? (double)baked->height_meters : 0.0},
                        .scale = PELT_GPU_SCALE_LOCAL,
                        .kind = choice->kind};
        // Without centers of its own a mesh that is not skinned goes by its one joint.
        c.how.method = c.how.cors != NULL ? method : PELT_METHOD_LBS;
        cases[i] = c;
    }
    return crowd_compare(&worst, gl, cases, count);
}

static int check_choice(const gl_scene* s, const bake_choice* choice, pelt_method method)
{
    pelt_baked* baked;
    pelt_error error = {0};
    // Playbacks are of the first and the last clip.
    const uint32_t last = s->scene->clip_count - 1, ends[] = {0, last};
    uint32_t clip_count = test_is_full_sweep() ? 0 : last > 0 ? 2 : 1;
    bool is_thesis = choice->layout == PELT_BAKE_LAYOUT_THESIS;
    pelt_bake_options options = {.encoding = choice->encoding,
                                 .bits = choice->bits,
                                 .layout = choice->layout,
                                 .is_padded = choice->kind == PELT_PALETTE_POSED,
                                 .clip_count = is_thesis ? 1 : clip_count,
                                 .clips = ends,
                                 .texel = choice->texel,
                                 .max_size = is_thesis ? 16384 : 0};
    pelt_result result = pelt_bake(&baked, s->scene, &options, &error);
    if (result != PELT_OK)
    {
        printf("  %s\n", error.message);
        return 1;
    }
    int failed = compare_instances(s, baked, choice, method);
    pelt_baked_destroy(baked);
    return failed;
}

static int judge(const char* name, const bake_choice* choice)
{
    printf("  %s, %s %s %u: position %.1e of size, normal %.1e degrees\n", name,
           pelt_bake_layout_name(choice->layout), pelt_encoding_name(choice->encoding),
           choice->bits, worst.position, worst.normal);
    ENSURE(gl_difference_is_small(&worst));
    return 0;
}

static int check_scene(const char* name, pelt_scene* scene, bake_extent least)
{
    gl_scene s;
    int failed = gl_scene_open(&s, scene);
    for (uint32_t i = 0; i < CHOICE_COUNT && !failed; ++i)
    {
        if (choices[i].extent < least && !test_is_full_sweep())
        {
            continue;
        }
        worst = (gl_difference){0};
        pelt_method method = choices[i].kind == PELT_PALETTE_BAKED
                                 ? PELT_METHOD_LBS
                                 : gl_methods[i % GL_METHOD_COUNT];
        failed = check_choice(&s, &choices[i], method) || judge(name, &choices[i]);
    }
    gl_scene_close(&s);
    return failed;
}

static int check_rig(const char* name, bake_extent least)
{
    pelt_scene* scene;
    ENSURE(pelt_rig_build(&scene, name, NULL) == PELT_OK);
    return check_scene(name, scene, least);
}

// Accurate normals read joints that have no weight at the vertex, in one pass and in two.
static int accurate_normals_follow_baked_joints(void)
{
    pelt_scene* scene;
    gl_scene s;
    pelt_baked* baked;
    pelt_playback playbacks[PLAYBACK_COUNT];
    ENSURE(pelt_rig_build(&scene, "arm?vertices=500", NULL) == PELT_OK);
    ENSURE(gl_scene_open(&s, scene) == 0);
    ENSURE(gl_scene_find_factors(&s, 4) == 0);
    ENSURE(pelt_bake(&baked, scene, NULL, NULL) == PELT_OK);
    choose_playbacks(playbacks, baked);
    worst = (gl_difference){0};
    uint32_t method_count = test_is_full_sweep() ? GL_METHOD_COUNT : 2;
    for (uint32_t i = 0; i < method_count; ++i)
    {
        crowd_case c = {.baked = baked,
                        .playbacks = playbacks,
                        .count = PLAYBACK_COUNT,
                        .how = {.mesh = &scene->meshes[0],
                                .cors = s.prepared.meshes[0].cors,
                                .method = gl_methods[i],
                                .mix = 0.5f,
                                .factors = s.prepared.meshes[0].normal_factors,
                                .rule = PELT_NORMAL_ACCURATE},
                        .kind = i % 2 ? PELT_PALETTE_POSED : PELT_PALETTE_BAKED};
        ENSURE(crowd_compare(&worst, gl, &c, 1) == 0);
    }
    printf("  position %.1e of size, normal %.1e, beyond rounding %.1e degrees\n", worst.position,
           worst.normal, worst.beyond);
    ENSURE(gl_difference_is_rounding(&worst));
    pelt_baked_destroy(baked);
    gl_scene_close(&s);
    return 0;
}

// Three keys of five joints leave no room for pivots above them.
static int thesis_bakes_of_few_keys_play_as_on_the_cpu(void)
{
    static const bake_choice thesis[] = {{PELT_ENCODING_MATRIX, 8, PELT_TEXEL_RGBA8UI,
                                          PELT_PALETTE_POSED, USUAL, PELT_BAKE_LAYOUT_THESIS},
                                         {PELT_ENCODING_DQ, 8, PELT_TEXEL_RGBA8UI,
                                          PELT_PALETTE_POSED, USUAL, PELT_BAKE_LAYOUT_THESIS}};
    pelt_scene* scene;
    gl_scene s;
    ENSURE(pelt_rig_build(&scene, "arm?vertices=500", NULL) == PELT_OK);
    ENSURE(gl_scene_open(&s, scene) == 0);
    for (uint32_t i = 0; i < 4; ++i)
    {
        pelt_baked* baked;
        const uint32_t clip = 0;
        const pelt_bake_options options = {.encoding = thesis[i % 2].encoding,
                                           .layout = PELT_BAKE_LAYOUT_THESIS,
                                           .is_padded = i >= 2,
                                           .clip_count = 1,
                                           .clips = &clip,
                                           .timing = PELT_BAKE_RATE,
                                           .rate = 2.0f / scene->clips[0].duration};
        ENSURE(pelt_bake(&baked, scene, &options, NULL) == PELT_OK);
        ENSURE(baked->clips[0].key_count == 3 && baked->joint_count == 5);
        worst = (gl_difference){0};
        ENSURE(compare_instances(&s, baked, &thesis[i % 2], PELT_METHOD_LBS) == 0);
        pelt_baked_destroy(baked);
        ENSURE(judge("arm, 3 keys", &thesis[i % 2]) == 0);
    }
    gl_scene_close(&s);
    return 0;
}

static int bakes_of_the_human_play_as_on_the_cpu(void)
{
    return check_rig("human?vertices=2000", RARE);
}

static int bakes_of_the_arm_play_as_on_the_cpu(void)
{
    return check_rig("arm?vertices=500", COMMON);
}

// The robot's parts scale, and have no skin, some of them.
static int bakes_of_models_play_as_on_the_cpu(void)
{
    static const char* const names[] = {"RobotExpressive/RobotExpressive.glb", "Fox/Fox.glb",
                                        "CesiumMan/CesiumMan.glb"};
    uint32_t count = test_is_full_sweep() ? sizeof names / sizeof names[0] : 1;
    for (uint32_t i = 0; i < count; ++i)
    {
        char path[4096];
        pelt_scene* scene;
        snprintf(path, sizeof path, "%s/%s", test_models_folder(), names[i]);
        ENSURE(pelt_load(&scene, path, NULL, NULL) == PELT_OK);
        ENSURE(check_scene(names[i], scene, USUAL) == 0);
    }
    return 0;
}

void test_gl_bake(void)
{
    gl = gl_open(PELT_GL_OFFSCREEN, "gl_bake");
    if (gl == NULL)
    {
        return;
    }
    RUN(accurate_normals_follow_baked_joints);
    RUN(bakes_of_the_arm_play_as_on_the_cpu);
    RUN(thesis_bakes_of_few_keys_play_as_on_the_cpu);
    if (test_is_full_sweep())
    {
        RUN(bakes_of_the_human_play_as_on_the_cpu);
    }
    RUN_ON_MODELS(bakes_of_models_play_as_on_the_cpu);
    pelt_gl_destroy(gl);
}
