// SPDX-License-Identifier: MIT
// Bakes of real characters: how exact the encodings have to be, in millimeters per meter of height.
#include "bake_compare.h"
#include "pelt/bake.h"
#include "pelt/io.h"
#include "rigs.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

typedef enum effort
{
    QUICK,
    SECOND, // for each search within a budget
    SECONDS,
} effort;

typedef struct model
{
    const char* name;  // in the folder of models, or a rig
    effort effort;     // what takes more is for PELT_SWEEP=full
    double at_samples; // the largest error of 12 bytes there
    bool has_squash;   // every joint scales in its own way, which takes more bytes
} model;

static const model models[] = {
    {"CesiumMan/CesiumMan.glb", QUICK, 0.3, false},
    {"Fox/Fox.glb", SECOND, 0.3, false},
    {"Godot_platformer_player/player.glb", QUICK, 0.3, false},
    {"ufbx_maya_kenney_character/maya_kenney_character_7700_binary.fbx", SECOND, 0.3, false},
    {"rig:human", SECONDS, 0.3, false},
    {"KayKit_Knight/Knight.glb", SECONDS, 0.3, false},
    {"Quaternius_Velociraptor/Velociraptor.glb", SECONDS, 0.3, false},
    {"RobotExpressive/RobotExpressive.glb", SECONDS, 0.3, false},
    {"Godot_mannequiny/mannequiny.glb", SECONDS, 1.0, true},
};

enum
{
    MODEL_COUNT = sizeof models / sizeof *models
};

static bool is_wanted(const model* own, effort most)
{
    return own->effort <= most || test_is_full_sweep();
}

static pelt_scene* load(const model* own)
{
    char path[4096];
    pelt_scene* scene = NULL;
    pelt_error error = {""};
    snprintf(path, sizeof path, "%s/%s", test_models_folder(), own->name);
    pelt_result result = strncmp(own->name, "rig:", 4) == 0
                             ? pelt_rig_build(&scene, own->name, &error)
                             : pelt_load(&scene, path, NULL, &error);
    if (result != PELT_OK)
    {
        printf("  %s: %s\n", own->name, error.message);
    }
    return scene;
}

// The largest errors of clips, of all characters together, in millimeters per meter of height.
typedef struct clip_errors
{
    double everywhere[256], at_samples[256];
    uint32_t count;
} clip_errors;

static int compare_numbers(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median_of(double* values, uint32_t count)
{
    qsort(values, count, sizeof *values, compare_numbers);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

typedef struct quality
{
    double worst, worst_at_samples; // millimeters per meter
    double bytes;                   // per joint and key
} quality;

// @param errors  gets those of all clips; may be NULL
static bool measure(quality* out, clip_errors* errors, const pelt_scene* scene,
                    const pelt_bake_options* options)
{
    pelt_baked* baked;
    pelt_bake_report report;
    pelt_error error = {""};
    if (pelt_bake(&baked, scene, options, &error) != PELT_OK ||
        pelt_baked_measure(&report, baked, scene, NULL, &error) != PELT_OK)
    {
        printf("  %s\n", error.message);
        return false;
    }
    double scale = 1e3 / (double)baked->height_meters;
    for (uint32_t i = 0; errors != NULL && i < report.clip_count && errors->count < 256; ++i)
    {
        errors->everywhere[errors->count] = scale * report.clips[i].error.max;
        errors->at_samples[errors->count++] = scale * report.clips[i].error.max_at_keys;
    }
    *out = (quality){.worst = scale * report.error.max,
                     .worst_at_samples = scale * report.error.max_at_keys,
                     .bytes = report.bytes_per_joint_key};
    pelt_bake_report_destroy(&report);
    pelt_baked_destroy(baked);
    return true;
}

// Medians over the clips of all characters, and the worst clip of each at samples.
static int check_bits(clip_errors* errors, const pelt_bake_options* options, bool has_worst)
{
    errors->count = 0;
    for (size_t i = 0; i < MODEL_COUNT; ++i)
    {
        pelt_scene* scene = is_wanted(&models[i], SECOND) ? load(&models[i]) : NULL;
        quality q;
        ENSURE(!is_wanted(&models[i], SECOND) || scene != NULL);
        if (scene != NULL)
        {
            ENSURE(measure(&q, models[i].has_squash ? NULL : errors, scene, options));
            printf("  %u bytes, %s: worst %.3f, at samples %.3f\n", options->bits / 8,
                   models[i].name, q.worst, q.worst_at_samples);
            ENSURE(!has_worst || q.worst_at_samples <= models[i].at_samples);
        }
        pelt_scene_destroy(scene);
    }
    return 0;
}

static int twelve_bytes_are_a_fifth_of_a_millimeter_per_meter(void)
{
    clip_errors errors;
    ENSURE(check_bits(&errors, &(pelt_bake_options){.bits = 96}, true) == 0);
    ENSURE(median_of(errors.everywhere, errors.count) <= 0.2);
    return 0;
}

static int eight_bytes_are_half_a_millimeter_per_meter(void)
{
    clip_errors errors;
    ENSURE(check_bits(&errors, &(pelt_bake_options){.bits = 64}, false) == 0);
    ENSURE(median_of(errors.everywhere, errors.count) <= 0.5);
    pelt_bake_options poses = {.bits = 64, .has_no_correction = true};
    ENSURE(check_bits(&errors, &poses, false) == 0);
    ENSURE(median_of(errors.at_samples, errors.count) <= 0.08);
    return 0;
}

// Bytes by joint and key of the source: the mean over all files, and in each no more than ACL 2.1
// takes for 0.1 mm at samples, 1.7 to 5.2. The bound holds everywhere in every file.
static int check_budget(const pelt_bake_options* expected, double error, double most_bytes)
{
    pelt_bake_options options = *expected;
    options.has_budget = options.is_relative = true;
    options.max_error = 1e-3 * error;
    double sum = 0.0;
    int count = 0;
    for (size_t i = 0; i < MODEL_COUNT; ++i)
    {
        pelt_scene* scene = is_wanted(&models[i], QUICK) ? load(&models[i]) : NULL;
        quality q;
        ENSURE(!is_wanted(&models[i], QUICK) || scene != NULL);
        if (scene != NULL)
        {
            ENSURE(measure(&q, NULL, scene, &options));
            printf("  %s, %s: %.2f bytes, %.3f mm/m\n", pelt_encoding_name(options.encoding),
                   models[i].name, q.bytes, q.worst);
            ENSURE(q.worst <= error);
            ENSURE(q.bytes <= 5.2 || models[i].has_squash);
            sum += models[i].has_squash ? 0.0 : q.bytes;
            count += !models[i].has_squash;
        }
        pelt_scene_destroy(scene);
    }
    ENSURE(!test_is_full_sweep() || sum / count <= most_bytes);
    return 0;
}

static int local_takes_two_bytes_for_a_tenth_of_a_millimeter(void)
{
    return check_budget(&(pelt_bake_options){.encoding = PELT_ENCODING_LOCAL}, 0.1, 2.2);
}

static int qt_takes_three_bytes_for_a_millimeter(void)
{
    return check_budget(&(pelt_bake_options){.timing = PELT_BAKE_AUTO}, 1.0, 2.6);
}

// Whether a joint moves any vertex; what nothing follows is not stored.
static bool is_used(const pelt_scene* scene, uint32_t skin, uint32_t joint)
{
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_weights* weights = &scene->meshes[scene->instances[i].mesh].weights;
        bool has_skin = scene->instances[i].skin == skin;
        for (uint32_t k = 0; has_skin && k < weights->influence_count; ++k)
        {
            if (weights->influences[k].joint == joint)
            {
                return true;
            }
        }
    }
    return false;
}

// The pose that is blended on the CPU, to 1e-4 of the height: origins of joints.
static int check_fades(const pelt_scene* scene)
{
    pelt_bake_options options = {.encoding = PELT_ENCODING_LOCAL};
    pelt_baked* baked;
    pelt_pose a, b;
    ENSURE(pelt_bake(&baked, scene, &options, NULL) == PELT_OK);
    ENSURE(pelt_pose_create(&a, scene) == PELT_OK && pelt_pose_create(&b, scene) == PELT_OK);
    pelt_mat34* frames = calloc(scene->node_count, sizeof *frames);
    pelt_mat34* motions = calloc(baked->joint_count, sizeof *motions);
    test_random random = {4};
    double most = 0.0;
    for (int i = 0; i < 60; ++i)
    {
        uint32_t clips[2], first = 0;
        float times[2], factor = test_uniform(&random, 0.0f, 1.0f);
        for (int k = 0; k < 2; ++k)
        {
            clips[k] = (uint32_t)(i * (k + 1)) % baked->clip_count;
            times[k] = test_uniform(&random, 0.0f, baked->clips[clips[k]].duration);
            uint32_t own = pelt_scene_find_clip(scene, baked->clips[clips[k]].name);
            pelt_pose_sample(k == 0 ? &a : &b, scene, &scene->clips[own], times[k],
                             PELT_WRAP_CLAMP);
        }
        pelt_pose_blend(&a, &a, &b, factor);
        pelt_pose_to_model(frames, scene, &a);
        pelt_unbake(motions, baked,
                    &(pelt_playback){.base = {clips[0], times[0], PELT_WRAP_CLAMP},
                                     .next = {clips[1], times[1], PELT_WRAP_CLAMP},
                                     .fade = factor});
        for (uint32_t s = 0; s < scene->skin_count; first += scene->skins[s++].joint_count)
        {
            for (uint32_t joint = 0; joint < scene->skins[s].joint_count; ++joint)
            {
                pelt_mat34 bind;
                bool has_bind = pelt_mat34_inverse(&bind, &scene->skins[s].inverse_binds[joint]);
                pelt_vec3 origin = pelt_mat34_translation(&bind);
                pelt_vec3 expected = pelt_mat34_translation(&frames[scene->skins[s].joints[joint]]);
                pelt_vec3 found = pelt_mat34_point(&motions[first + joint], origin);
                double off = (double)pelt_vec3_distance(expected, found);
                most = has_bind && off > most && is_used(scene, s, joint) ? off : most;
            }
        }
    }
    printf("  fades: %.2g of the height\n", most / (double)baked->height_meters);
    ENSURE(most <= 1e-4 * (double)baked->height_meters);
    free(frames);
    free(motions);
    pelt_pose_destroy(&a);
    pelt_pose_destroy(&b);
    pelt_baked_destroy(baked);
    return 0;
}

static int local_fades_are_blended_poses(void)
{
    for (size_t i = 0; i < MODEL_COUNT; ++i)
    {
        pelt_scene* scene = is_wanted(&models[i], SECOND) ? load(&models[i]) : NULL;
        ENSURE(!is_wanted(&models[i], SECOND) || scene != NULL);
        ENSURE(scene == NULL || check_fades(scene) == 0);
        pelt_scene_destroy(scene);
    }
    return 0;
}

// Largest distance at times that no search has sampled, per meter of height; in double precision,
// by other code than that of searches.
static double error_anywhere(const pelt_scene* scene, const pelt_baked* baked)
{
    bake_comparison c;
    test_random random = {2026};
    double most = 0.0;
    uint32_t count = test_is_full_sweep() ? 40 : 10;
    if (!bake_comparison_create(&c, scene, baked))
    {
        return INFINITY;
    }
    for (uint32_t i = 0, clip = 0; i < scene->clip_count; ++i)
    {
        if (scene->clips[i].track_count > 0)
        {
            most = fmax(most, bake_compare_random(&c, i, clip++, count, &random));
        }
    }
    bake_comparison_destroy(&c);
    return most / (double)baked->height_meters;
}

// With clips; those that take seconds are for PELT_SWEEP=full.
static bool is_taken(const pelt_scene* scene)
{
    bool has_tracks = false;
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        has_tracks = has_tracks || scene->clips[i].track_count > 0;
    }
    bool is_quick = scene->node_count * scene->clip_count <= 100;
    return has_tracks && scene->instance_count > 0 && (is_quick || test_is_full_sweep());
}

// What `pelt bake FILE --max-error 0.1mm/m` does.
static int check_readme_bake(const char* name, const pelt_scene* scene)
{
    const pelt_bake_options options = {.has_budget = true,
                                       .finds_encoding = true,
                                       .timing = PELT_BAKE_AUTO,
                                       .max_error = 1e-4,
                                       .is_relative = true};
    pelt_baked* baked;
    pelt_error error = {""};
    if (pelt_bake(&baked, scene, &options, &error) != PELT_OK ||
        pelt_baked_validate(baked, &error) != PELT_OK)
    {
        printf("  %s: %s\n", name, error.message);
        return 1;
    }
    double found = error_anywhere(scene, baked);
    printf("  %s: %s, %zu bytes, %.4f mm/m\n", name, pelt_encoding_name(baked->encoding),
           pelt_baked_bytes(baked), 1e3 * found);
    const pelt_bake_candidate* tried = baked->candidates;
    ENSURE(found <= options.max_error && baked->candidate_count == 2);
    ENSURE(tried[0].encoding == baked->encoding && tried[0].is_met);
    ENSURE(tried[0].bytes == pelt_baked_bytes(baked));
    ENSURE(!tried[1].is_met || tried[1].bytes >= tried[0].bytes);
    pelt_baked_destroy(baked);
    return 0;
}

static int budget_alone_is_kept_by_every_file(void)
{
    char path[4096], line[1024], name[1024];
    snprintf(path, sizeof path, "%s/MANIFEST.md", test_models_folder());
    FILE* list = fopen(path, "r");
    ENSURE(list != NULL);
    int count = 0, failures = 0;
    while (fgets(line, sizeof line, list) != NULL)
    {
        pelt_scene* scene = NULL;
        pelt_error error;
        bool is_file = sscanf(line, "| %1023[^| ] |", name) == 1 && strchr(name, '/') != NULL;
        snprintf(path, sizeof path, "%s/%s", test_models_folder(), name);
        if (is_file && test_takes_model(path) && pelt_load(&scene, path, NULL, &error) == PELT_OK &&
            is_taken(scene))
        {
            failures += check_readme_bake(name, scene) != 0;
            ++count;
        }
        pelt_scene_destroy(scene);
    }
    fclose(list);
    ENSURE(failures == 0);
    ENSURE(count >= (test_is_full_sweep() ? 30 : 15));
    return 0;
}

void test_bake_models(void)
{
    RUN_ON_MODELS(twelve_bytes_are_a_fifth_of_a_millimeter_per_meter);
    RUN_ON_MODELS(eight_bytes_are_half_a_millimeter_per_meter);
    RUN_ON_MODELS(local_takes_two_bytes_for_a_tenth_of_a_millimeter);
    RUN_ON_MODELS(qt_takes_three_bytes_for_a_millimeter);
    RUN_ON_MODELS(budget_alone_is_kept_by_every_file);
    RUN_ON_MODELS(local_fades_are_blended_poses);
}
