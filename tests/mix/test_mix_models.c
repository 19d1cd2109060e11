// SPDX-License-Identifier: MIT
// Mix factors of real characters with clips.
#define _POSIX_C_SOURCE 200809L

#include "mix_check.h"
#include "pelt/io.h"

#include <glob.h>
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
    static const char* const patterns[] = {"*/*.glb", "*/*.gltf", "*/*.fbx"};
    char path[4096];
    int failed = 0;
    uint32_t count = 0;
    for (size_t i = 0; !test_is_full_sweep() && i < sizeof samples / sizeof samples[0]; ++i)
    {
        snprintf(path, sizeof path, "%s/%s", test_models_folder(), samples[i]);
        failed |= check_file(path, &count);
    }
    for (int i = 0; test_is_full_sweep() && i < 3; ++i)
    {
        glob_t found;
        snprintf(path, sizeof path, "%s/%s", test_models_folder(), patterns[i]);
        bool has_some = glob(path, 0, NULL, &found) == 0;
        for (size_t k = 0; has_some && k < found.gl_pathc; ++k)
        {
            failed |= check_file(found.gl_pathv[k], &count);
        }
        if (has_some)
        {
            globfree(&found);
        }
    }
    ENSURE(count >= (test_is_full_sweep() ? 20 : sizeof samples / sizeof samples[0]));
    return failed;
}

void test_mix_models(void)
{
    if (test_models_folder() == NULL)
    {
        test_skip("all_models_have_less_energy_and_bulge_no_more_than_dqs",
                  "no models folder; set PELT_MODELS");
        return;
    }
    RUN(all_models_have_less_energy_and_bulge_no_more_than_dqs);
}
