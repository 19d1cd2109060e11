// SPDX-License-Identifier: MIT
// Positions that three.js computed, from tests/data/three_golden.txt, against what pelt makes of
// the same files. The text says how it was made, and tests/outside/three_golden.mjs makes it again.
#include "pelt/io.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

// Relative to the model's size. Both compute the same formula from the same floats, three.js in
// double; a chain of joints in float loses some units in the last place, 1e-6, and files in
// centimeters or with quantized positions lose a digit more in their inverse binds.
static const double TOLERANCE = 1e-5;

enum
{
    LINE_MAX_LENGTH = 512,
};

// The model that the lines are about, posed as the last "moment" said.
typedef struct model
{
    char name[LINE_MAX_LENGTH];
    pelt_scene* scene;
    pelt_pose pose;
    pelt_frame frame;
    const pelt_vec3* positions; // of the instance that the last "mesh" named
    uint32_t vertex_count;
    double size; // meters, diagonal of the moment's box
    double worst;
    uint32_t sample_count;
} model;

static FILE* open_golden(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/three_golden.txt", test_data_folder);
    return fopen(path, "r");
}

static int close_model(model* m)
{
    if (m->scene == NULL)
    {
        return 0;
    }
    printf("  %-48s %5u vertices, differs by %.1e of its size\n", m->name, m->sample_count,
           m->worst);
    pelt_frame_destroy(&m->frame);
    pelt_pose_destroy(&m->pose);
    pelt_scene_destroy(m->scene);
    m->scene = NULL;
    ENSURE(m->sample_count > 0);
    ENSURE(m->worst <= TOLERANCE);
    return 0;
}

static int open_model(model* m, const char* name)
{
    char path[4096];
    pelt_error error = {0};
    *m = (model){0};
    snprintf(m->name, sizeof m->name, "%s", name);
    snprintf(path, sizeof path, "%s/%s", test_models_folder(), name);
    if (pelt_load(&m->scene, path, NULL, &error) != PELT_OK)
    {
        printf("  %s\n", error.message);
        return 1;
    }
    ENSURE(pelt_pose_create(&m->pose, m->scene) == PELT_OK);
    ENSURE(pelt_frame_create(&m->frame, m->scene) == PELT_OK);
    return 0;
}

// The stored pose, in which the morph targets get the weights that the text speaks of.
static void pose_stored(model* m)
{
    pelt_pose_rest(&m->pose, m->scene);
    for (uint32_t i = 0; i < m->scene->instance_count; ++i)
    {
        const pelt_instance* instance = &m->scene->instances[i];
        for (uint32_t s = 0; s < m->scene->meshes[instance->mesh].morph_count; ++s)
        {
            m->pose.morph_weights[instance->first_morph_weight + s] = (float)(s + 1) / 8.0f;
        }
    }
}

static int take_moment(model* m, const char* line)
{
    int clip;
    float time;
    ENSURE(m->scene != NULL && sscanf(line, "%d %f", &clip, &time) == 2);
    ENSURE(clip < (int)m->scene->clip_count);
    if (clip < 0)
    {
        pose_stored(m);
    }
    else
    {
        pelt_pose_sample(&m->pose, m->scene, &m->scene->clips[clip], time, PELT_WRAP_CLAMP);
    }
    pelt_frame_update(&m->frame, m->scene, &m->pose, &(pelt_deform_options){0});

    pelt_bounds box = pelt_bounds_empty();
    for (uint32_t i = 0; i < m->scene->instance_count; ++i)
    {
        uint32_t count = m->scene->meshes[m->scene->instances[i].mesh].vertex_count;
        pelt_bounds_add(&box, m->frame.surfaces[i].positions, count);
    }
    m->size = (double)pelt_bounds_diagonal(&box);
    m->positions = NULL;
    return 0;
}

// Primitive and skin name one instance in each of the models.
static int take_mesh(model* m, const char* line)
{
    uint32_t mesh, vertex_count;
    int skin;
    ENSURE(m->scene != NULL && sscanf(line, "%u %d %u", &mesh, &skin, &vertex_count) == 3);
    m->positions = NULL;
    for (uint32_t i = 0; i < m->scene->instance_count; ++i)
    {
        const pelt_instance* instance = &m->scene->instances[i];
        uint32_t wanted = skin < 0 ? PELT_NONE : (uint32_t)skin;
        if (instance->mesh == mesh && instance->skin == wanted)
        {
            m->positions = m->frame.surfaces[i].positions;
            m->vertex_count = m->scene->meshes[mesh].vertex_count;
        }
    }
    ENSURE(m->positions != NULL);
    ENSURE(m->vertex_count == vertex_count);
    return 0;
}

static int take_vertex(model* m, const char* line)
{
    uint32_t vertex;
    double at[3];
    ENSURE(sscanf(line, "%u %lf %lf %lf", &vertex, &at[0], &at[1], &at[2]) == 4);
    ENSURE(m->positions != NULL && vertex < m->vertex_count);
    pelt_vec3 p = m->positions[vertex];
    double x = (double)p.x - at[0];
    double y = (double)p.y - at[1];
    double z = (double)p.z - at[2];
    double distance = sqrt(x * x + y * y + z * z) / m->size;
    // NaN counts as the largest.
    m->worst = distance <= m->worst ? m->worst : distance;
    m->sample_count++;
    return 0;
}

static int take_line(model* m, char* line, uint32_t* model_count)
{
    line[strcspn(line, "\r\n")] = '\0';
    char* rest = strchr(line, ' ');
    ENSURE(rest != NULL);
    *rest++ = '\0';
    if (strcmp(line, "model") == 0)
    {
        ++*model_count;
        int failed = close_model(m);
        return open_model(m, rest) != 0 || failed;
    }
    if (strcmp(line, "moment") == 0)
    {
        return take_moment(m, rest);
    }
    return strcmp(line, "mesh") == 0 ? take_mesh(m, rest) : take_vertex(m, rest);
}

// After a failure the other models are still tested.
static int check_all(FILE* file)
{
    model m = {0};
    char line[LINE_MAX_LENGTH];
    uint32_t model_count = 0;
    bool is_lost = false, is_whole = false;
    int failures = 0;
    while (!is_whole && fgets(line, sizeof line, file) != NULL)
    {
        bool is_model = strncmp(line, "model ", 6) == 0;
        is_whole = strncmp(line, "end ", 4) == 0 && strtoul(line + 4, NULL, 10) == model_count;
        if (!is_whole && line[0] != '#' && (is_model || !is_lost))
        {
            bool has_failed = take_line(&m, line, &model_count) != 0;
            failures += has_failed;
            // At a new model it may be the one before that has failed.
            is_lost = has_failed && (!is_model || m.scene == NULL);
        }
    }
    failures += close_model(&m);
    ENSURE(is_whole && model_count > 0);
    return failures;
}

static int glb_and_gltf_files_deform_as_in_three_js(void)
{
    FILE* file = open_golden();
    ENSURE(file != NULL);
    int failures = check_all(file);
    fclose(file);
    ENSURE(failures == 0);
    return 0;
}

void test_three(void)
{
    RUN_ON_MODELS(glb_and_gltf_files_deform_as_in_three_js);
}
