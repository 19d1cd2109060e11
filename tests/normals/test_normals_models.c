// SPDX-License-Identifier: MIT
// Accurate normals of real characters in their clips, measured with the triangles they deform to.
#include "model_files.h"
#include "normal_error.h"
#include "pelt/io.h"

#include <string.h>

static const pelt_method exact_methods[] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_MIX,
                                            PELT_METHOD_CRS};

enum
{
    MOMENTS = 4,    // of each clip
    MOST_CLIPS = 8, // of each file, from all over its list
    QUICK_CLIPS = 3 // without PELT_SWEEP=full
};

static void add_error(normal_error* sum, const normal_error* error)
{
    sum->sum += error->sum;
    sum->count += error->count;
    sum->max = fmax(sum->max, error->max);
}

// Where nothing bends both rules are right, and rounding decides.
static const double rounding = 1e-3; // degrees

static int check_clip(normal_error total[PELT_NORMAL_RULE_COUNT], normal_subject* subject,
                      const pelt_clip* clip, pelt_method method)
{
    normal_error errors[PELT_NORMAL_RULE_COUNT] = {0};
    for (int moment = 1; moment <= MOMENTS; ++moment)
    {
        float time = clip->duration * (float)moment / MOMENTS;
        pelt_pose_sample(&subject->pose, subject->scene, clip, time, PELT_WRAP_CLAMP);
        ENSURE(normal_subject_measure(errors, subject, method, NULL) == PELT_OK);
    }
    for (int rule = 0; rule < PELT_NORMAL_RULE_COUNT; ++rule)
    {
        add_error(&total[rule], &errors[rule]);
    }
    double standard = normal_error_mean(&errors[PELT_NORMAL_STANDARD]);
    double accurate = normal_error_mean(&errors[PELT_NORMAL_ACCURATE]);
    if (!(accurate <= standard + rounding))
    {
        printf("  clip %s: standard %.3f, accurate %.3f degrees\n", clip->name, standard, accurate);
        return 1;
    }
    return 0;
}

static int check_method(normal_subject* subject, pelt_method method, const char* path)
{
    const pelt_scene* scene = subject->scene;
    normal_error total[PELT_NORMAL_RULE_COUNT] = {0};
    uint32_t step = scene->clip_count / (test_is_full_sweep() ? MOST_CLIPS : QUICK_CLIPS) + 1;
    int failures = 0;
    for (uint32_t c = 0; c < scene->clip_count; c += step)
    {
        failures += check_clip(total, subject, &scene->clips[c], method);
    }
    double standard = normal_error_mean(&total[PELT_NORMAL_STANDARD]);
    double accurate = normal_error_mean(&total[PELT_NORMAL_ACCURATE]);
    if (failures > 0 || !(accurate <= 0.5 * standard + rounding))
    {
        printf("  %s by %s: standard %.3f, accurate %.3f degrees\n", path, pelt_method_name(method),
               standard, accurate);
        ++failures;
    }
    return failures;
}

static bool is_animated_skin(const pelt_scene* scene)
{
    bool has_normals = false;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        has_normals = has_normals || (mesh->normals != NULL && mesh->weights.first != NULL);
    }
    return has_normals && scene->clip_count > 0;
}

static int check_file(const char* path, uint32_t* checked)
{
    pelt_scene* scene;
    pelt_error error;
    if (pelt_load(&scene, path, NULL, &error) != PELT_OK)
    {
        return 0; // what cannot be read is the matter of other tests
    }
    int failures = 0;
    normal_subject subject;
    if (is_animated_skin(scene))
    {
        ENSURE(normal_subject_create(&subject, scene) == PELT_OK);
        for (int i = 0; i < 4; ++i)
        {
            failures += check_method(&subject, exact_methods[i], path);
        }
        normal_subject_destroy(&subject);
        ++*checked;
    }
    pelt_scene_destroy(scene);
    return failures;
}

// Mean angles over vertices with varying weights, over all clips; and in no clip a worse one.
static int accurate_normals_halve_the_error_at_least(void)
{
    int failures = 0;
    uint32_t checked = 0;
    glob_t found;
    ENSURE(model_files_find(&found, MODEL_FILES_READ));
    for (size_t i = 0; i < found.gl_pathc; ++i)
    {
        failures +=
            test_takes_model(found.gl_pathv[i]) ? check_file(found.gl_pathv[i], &checked) : 0;
    }
    globfree(&found);
    ENSURE(checked > 10);
    return failures;
}

// Mean angles over vertices of a shaped instance.
static double measure_shape(const pelt_scene* scene, uint32_t instance, pelt_frame* frame,
                            const pelt_pose* pose, pelt_normal_rule rule)
{
    static pelt_vec3 truth[1 << 16];
    uint32_t count = scene->meshes[scene->instances[instance].mesh].vertex_count;
    double sum = 0.0;
    pelt_frame_update(frame, scene, pose, &(pelt_deform_options){.normal_rule = rule});
    if (count > 1 << 16 || normal_truth(truth, scene, instance, frame) != PELT_OK)
    {
        return NAN;
    }
    for (uint32_t v = 0; v < count; ++v)
    {
        sum += normal_angle(frame->surfaces[instance].normals[v], truth[v]);
    }
    return sum / count;
}

// The robot's face has morph targets for its moods, which move positions alone, and no skin.
static int normals_follow_the_moods_of_a_robot(void)
{
    char path[4096];
    pelt_scene* scene;
    pelt_frame frame;
    pelt_pose pose;
    uint32_t checked = 0;
    snprintf(path, sizeof path, "%s/RobotExpressive/RobotExpressive.glb", test_models_folder());
    ENSURE(pelt_load(&scene, path, NULL, NULL) == PELT_OK);
    ENSURE(pelt_frame_create(&frame, scene) == PELT_OK);
    ENSURE(pelt_pose_create(&pose, scene) == PELT_OK);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        for (uint32_t k = 0; k < mesh->morph_count && pelt_morph_lacks_normals(mesh, NULL); ++k)
        {
            float* weight = &pose.morph_weights[scene->instances[i].first_morph_weight + k];
            *weight = 1.0f;
            double standard = measure_shape(scene, i, &frame, &pose, PELT_NORMAL_STANDARD);
            double accurate = measure_shape(scene, i, &frame, &pose, PELT_NORMAL_ACCURATE);
            ENSURE(accurate <= 0.05 * standard + rounding);
            checked += standard > 3.0;
            *weight = 0.0f;
        }
    }
    ENSURE(checked == 3);
    pelt_pose_destroy(&pose);
    pelt_frame_destroy(&frame);
    pelt_scene_destroy(scene);
    return 0;
}

void test_normals_models(void)
{
    RUN_ON_MODELS(accurate_normals_halve_the_error_at_least);
    RUN_ON_MODELS(normals_follow_the_moods_of_a_robot);
}
