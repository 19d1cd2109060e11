// SPDX-License-Identifier: MIT
// Mix factors of real characters with clips.
#define _POSIX_C_SOURCE 200809L

#include "mix_check.h"
#include "model_files.h"
#include "pelt/io.h"

#include <string.h>

// Small files, one for each kind of trouble: few vertices, long clips, scale, limits that hold
// back.
static const char* const samples[] = {
    "Fox/Fox.glb", "SimpleSkin/SimpleSkin.gltf", "Godot_platformer_player/player.glb",
    "momentum_misc/model_with_motion.glb", "RobotExpressive/RobotExpressive.glb"};

static int check_file(const char* path, uint32_t* count)
{
    pelt_scene* scene;
    int failed = 0;
    if (pelt_load(&scene, path, NULL, NULL) != PELT_OK)
    {
        return 0;
    }
    if (scene->clip_count > 0 && scene->skin_count > 0)
    {
        printf("  %s:", strrchr(path, '/') + 1);
        failed = mix_check_scene(scene, test_is_full_sweep() ? 0 : 12);
        printf("\n");
        ++*count;
    }
    pelt_scene_destroy(scene);
    return failed;
}

// All files with PELT_SWEEP=full.
static int all_models_have_less_energy_and_bulge_no_more_than_dqs(void)
{
    char path[4096];
    int failed = 0;
    uint32_t count = 0;
    for (size_t i = 0; !test_is_full_sweep() && i < sizeof samples / sizeof samples[0]; ++i)
    {
        snprintf(path, sizeof path, "%s/%s", test_models_folder(), samples[i]);
        failed |= check_file(path, &count);
    }
    glob_t found;
    ENSURE(model_files_find(&found, MODEL_FILES_READ));
    for (size_t i = 0; test_is_full_sweep() && i < found.gl_pathc; ++i)
    {
        failed |= check_file(found.gl_pathv[i], &count);
    }
    globfree(&found);
    ENSURE(count >= (test_is_full_sweep() ? 20 : sizeof samples / sizeof samples[0]));
    return failed;
}

void test_mix_models(void)
{
    RUN_ON_MODELS(all_models_have_less_energy_and_bulge_no_more_than_dqs);
}
