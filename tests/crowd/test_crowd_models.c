// SPDX-License-Identifier: MIT
// Boxes of real characters against all of their vertices: some have vertices that stick out only
// when they move, and keys that are far apart.
#include "crowd_points.h"
#include "pelt/io.h"

static const char* const models[] = {
    "AssetGenerator_skins/Animation_Skin_09.gltf",
    "CesiumMan/CesiumMan.glb",
    "ufbx_maya_dq_weights/maya_dq_weights_7500_ascii.fbx",
    "momentum_misc/model_with_motion.glb",
};

// How far vertices stick out of boxes, as a part of the height.
static double largest_excess(crowd_points* inout, int count)
{
    test_random random = {3};
    double most = -INFINITY;
    for (int i = 0; i < count; ++i)
    {
        pelt_playback playback = crowd_points_random(inout, &random);
        pelt_bounds box = pelt_crowd_bounds_at(&inout->bounds, &playback);
        crowd_points_play(inout, &playback);
        for (uint32_t v = 0; v < inout->count; ++v)
        {
            pelt_vec3 p = inout->points[v];
            pelt_vec3 low = pelt_vec3_sub(box.min, p), high = pelt_vec3_sub(p, box.max);
            double x = (double)fmaxf(low.x, high.x), y = (double)fmaxf(low.y, high.y);
            most = fmax(most, fmax(fmax(x, y), (double)fmaxf(low.z, high.z)));
        }
    }
    return most / (double)inout->baked->height_meters;
}

static int check_model(const char* name)
{
    char path[4096];
    pelt_scene* scene;
    pelt_error error = {""};
    snprintf(path, sizeof path, "%s/%s", test_models_folder(), name);
    if (pelt_load(&scene, path, NULL, &error) != PELT_OK)
    {
        printf("  %s\n", error.message);
        return 1;
    }
    for (int encoding = PELT_ENCODING_QT; encoding <= PELT_ENCODING_LOCAL; ++encoding)
    {
        crowd_points all;
        ENSURE(crowd_points_create(&all, scene, (pelt_encoding)encoding));
        double most = largest_excess(&all, 40);
        printf("  %s, %s: %.4f of the height left\n", name,
               pelt_encoding_name((pelt_encoding)encoding), -most);
        ENSURE(most <= 1e-6);
        crowd_points_destroy(&all);
    }
    pelt_scene_destroy(scene);
    return 0;
}

static int boxes_hold_real_characters(void)
{
    int failed = 0;
    for (size_t i = 0; i < sizeof models / sizeof *models; ++i)
    {
        failed += check_model(models[i]);
    }
    return failed;
}

void test_crowd_models(void)
{
    RUN_ON_MODELS(boxes_hold_real_characters);
}
