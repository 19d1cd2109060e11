// SPDX-License-Identifier: MIT
// Characters that Maya deformed and wrote as OBJ, met by pelt from the FBX of the same scene, by
// the method that the FBX names.
//
// The OBJ and the FBX list the same polygons in the same order, but not the same vertices: a
// reader splits them at seams. So a polygon of n corners is compared with the next n - 2 triangles:
// each corner of one side needs a corner of the other at its position.
#define _POSIX_C_SOURCE 200809L
#include "pelt/io.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Relative to the model's size; float leaves 5e-7.
static const float tolerance = 1e-5f;

#define KENNEY "ufbx_maya_kenney_character/maya_kenney_character_"
#define SAUSAGE "ufbx_maya_game_sausage/maya_game_sausage_"
#define DUAL "ufbx_maya_dual_quaternion/maya_dual_quaternion"
#define SCALED "ufbx_maya_dual_quaternion_scale/maya_dual_quaternion_scale"
#define MIXED "ufbx_maya_dq_weights/maya_dq_weights_"
#define MOVED "ufbx_maya_transformed_skin/maya_transformed_skin_"
#define HALF "ufbx_blender_half_skinned/blender_293_half_skinned"

typedef struct truth
{
    const char* fbx;
    const char* obj;
    const char* clip;   // NULL: the pose in the file
    float time;         // seconds from the start of the take
    pelt_method method; // which the file has to name, unless Blender wrote it
    float unit;         // meters per unit of the OBJ
} truth;

// ---------------------------------------------------------------------------------------------
// OBJ, as Maya writes it

enum
{
    MAX_POINTS = 4096,
    MAX_CORNERS = 8, // of a polygon
};

typedef struct points
{
    uint32_t count;
    pelt_vec3 at[MAX_POINTS];
} points;

// The corners of a face line, as point indices. Returns how many, 0 when the line is wrong.
static uint32_t parse_face(uint32_t* corners, const char* line, uint32_t point_count)
{
    uint32_t count = 0;
    for (const char* at = strchr(line, ' '); at != NULL; at = strchr(at + 1, ' '))
    {
        unsigned long index = strtoul(at, NULL, 10);
        if (index == 0)
        {
            continue; // a space at the end
        }
        if (index > point_count || count == MAX_CORNERS)
        {
            return 0;
        }
        corners[count++] = (uint32_t)index - 1;
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// The deformed mesh

typedef struct pose_request
{
    pelt_scene* scene;
    pelt_pose pose;
    pelt_frame frame;
} pose_request;

static bool pose_model(pose_request* out, const char* path, const truth* t)
{
    pelt_error error;
    if (pelt_load(&out->scene, path, NULL, &error) != PELT_OK)
    {
        printf("  %s\n", error.message);
        return false;
    }
    if (pelt_pose_create(&out->pose, out->scene) != PELT_OK ||
        pelt_frame_create(&out->frame, out->scene) != PELT_OK)
    {
        return false;
    }
    if (t->clip != NULL)
    {
        uint32_t clip = pelt_scene_find_clip(out->scene, t->clip);
        if (clip == PELT_NONE)
        {
            return false;
        }
        pelt_pose_sample(&out->pose, out->scene, &out->scene->clips[clip], t->time,
                         PELT_WRAP_CLAMP);
    }
    pelt_deform_options options = {0};
    pelt_convention_apply(&options, PELT_CONVENTION_MAYA);
    for (uint32_t i = 0; i < out->scene->mesh_count && out->scene->meshes[i].has_method; ++i)
    {
        out->frame.methods[i] = out->scene->meshes[i].method;
    }
    pelt_frame_update(&out->frame, out->scene, &out->pose, &options);
    return true;
}

static void free_posed(pose_request* p)
{
    pelt_frame_destroy(&p->frame);
    pelt_pose_destroy(&p->pose);
    pelt_scene_destroy(p->scene);
}

// ---------------------------------------------------------------------------------------------
// Comparison

static float nearest(pelt_vec3 p, const pelt_vec3* others, uint32_t count)
{
    float best = INFINITY;
    for (uint32_t i = 0; i < count; ++i)
    {
        best = fminf(best, pelt_vec3_distance(p, others[i]));
    }
    return best;
}

// The larger of the distances from either set to the other.
static float set_distance(const pelt_vec3* a, uint32_t a_count, const pelt_vec3* b,
                          uint32_t b_count)
{
    float worst = 0.0f;
    for (uint32_t i = 0; i < a_count; ++i)
    {
        worst = fmaxf(worst, nearest(a[i], b, b_count));
    }
    for (uint32_t i = 0; i < b_count; ++i)
    {
        worst = fmaxf(worst, nearest(b[i], a, a_count));
    }
    return worst;
}

// What has been read of an OBJ, and how far it is from the deformed mesh.
typedef struct comparison
{
    const pelt_mesh* mesh;
    const pelt_vec3* positions;
    uint32_t next_index;
    float worst;
} comparison;

static int compare_face(comparison* c, const points* p, const char* line)
{
    uint32_t corners[MAX_CORNERS];
    pelt_vec3 expected[MAX_CORNERS], found[3 * MAX_CORNERS];
    uint32_t count = parse_face(corners, line, p->count);
    ENSURE(count >= 3);
    uint32_t found_count = 3 * (count - 2);
    ENSURE(c->next_index + found_count <= c->mesh->index_count);
    for (uint32_t i = 0; i < count; ++i)
    {
        expected[i] = p->at[corners[i]];
    }
    for (uint32_t i = 0; i < found_count; ++i)
    {
        found[i] = c->positions[c->mesh->indices[c->next_index++]];
    }
    c->worst = fmaxf(c->worst, set_distance(expected, count, found, found_count));
    return 0;
}

static int compare_file(comparison* c, points* p, FILE* file, float unit)
{
    char line[512];
    while (fgets(line, sizeof line, file) != NULL)
    {
        pelt_vec3 v;
        if (sscanf(line, "v %f %f %f", &v.x, &v.y, &v.z) == 3)
        {
            ENSURE(p->count < MAX_POINTS);
            p->at[p->count++] = pelt_vec3_scale(v, unit);
        }
        else if (line[0] == 'f' && compare_face(c, p, line) != 0)
        {
            return 1;
        }
    }
    ENSURE(c->next_index == c->mesh->index_count);
    return 0;
}

static int compare_posed(const pose_request* model, const truth* t)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", test_models_folder(), t->obj);
    ENSURE(model->scene->instance_count == 1);
    const pelt_mesh* mesh = &model->scene->meshes[model->scene->instances[0].mesh];
    ENSURE(mesh->has_method == (strstr(t->fbx, HALF) == NULL) && mesh->method == t->method);
    comparison c = {.mesh = mesh, .positions = model->frame.surfaces[0].positions};
    static points p;
    p.count = 0;
    FILE* file = fopen(path, "r");
    ENSURE(file != NULL);
    int result = compare_file(&c, &p, file, t->unit);
    fclose(file);
    if (result == 0)
    {
        pelt_bounds bounds = pelt_bounds_empty();
        pelt_bounds_add(&bounds, p.at, p.count);
        float off = c.worst / pelt_bounds_diagonal(&bounds);
        printf("  %s: %.2g of its size\n", t->obj, (double)off);
        ENSURE_NEAR(off, 0.0f, tolerance);
    }
    return result;
}

static int check(const truth* t)
{
    char fbx[4096];
    snprintf(fbx, sizeof fbx, "%s/%s", test_models_folder(), t->fbx);
    pose_request model = {0};
    int result = pose_model(&model, fbx, t) ? compare_posed(&model, t) : 1;
    free_posed(&model);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Facts

static const float cm = 0.01f;

static int kenney_character_meets_maya_at_frame_4(void)
{
    return check(&(truth){KENNEY "7700_binary.fbx", KENNEY "4.obj", "Take 001", 4.0f / 24.0f,
                          PELT_METHOD_LBS, cm});
}

static int kenney_character_meets_maya_at_frame_9(void)
{
    return check(&(truth){KENNEY "7700_binary.fbx", KENNEY "9.obj", "Take 001", 9.0f / 24.0f,
                          PELT_METHOD_LBS, cm});
}

// The numbers of these OBJ files count frames from 0, or for spin from 20; takes are read from
// their own start, which is 1 for wiggle.
static int check_sausage(const char* fbx, const char* clip, const char* obj, int frame)
{
    char fbx_path[256], obj_path[256];
    snprintf(fbx_path, sizeof fbx_path, SAUSAGE "%s", fbx);
    snprintf(obj_path, sizeof obj_path, SAUSAGE "%s", obj);
    return check(&(truth){fbx_path, obj_path, clip, (float)frame / 24.0f, PELT_METHOD_LBS, cm});
}

static int sausage_spin_meets_maya_in_text_and_binary(void)
{
    ENSURE(check_sausage("7500_ascii_spin.fbx", "spin", "spin_7.obj", 7) == 0);
    ENSURE(check_sausage("7500_ascii_spin.fbx", "spin", "spin_15.obj", 15) == 0);
    ENSURE(check_sausage("7500_binary_spin.fbx", "spin", "spin_7.obj", 7) == 0);
    ENSURE(check_sausage("7500_binary_spin.fbx", "spin", "spin_15.obj", 15) == 0);
    return 0;
}

static int sausage_wiggle_meets_maya_in_text_and_binary(void)
{
    ENSURE(check_sausage("7500_ascii_wiggle.fbx", "wiggle", "wiggle_10.obj", 9) == 0);
    ENSURE(check_sausage("7500_ascii_wiggle.fbx", "wiggle", "wiggle_18.obj", 17) == 0);
    ENSURE(check_sausage("7500_binary_wiggle.fbx", "wiggle", "wiggle_10.obj", 9) == 0);
    ENSURE(check_sausage("7500_binary_wiggle.fbx", "wiggle", "wiggle_18.obj", 17) == 0);
    return 0;
}

// Joints that scale, and children that do not inherit it.
static int sausage_deform_meets_maya_in_text_and_binary(void)
{
    ENSURE(check_sausage("7500_ascii_deform.fbx", "deform", "deform_8.obj", 8) == 0);
    ENSURE(check_sausage("7500_ascii_deform.fbx", "deform", "deform_15.obj", 15) == 0);
    ENSURE(check_sausage("7500_binary_deform.fbx", "deform", "deform_8.obj", 8) == 0);
    ENSURE(check_sausage("7500_binary_deform.fbx", "deform", "deform_15.obj", 15) == 0);
    return 0;
}

static int takes_of_one_file_meet_maya(void)
{
    static const char* const files[] = {"7500_ascii_combined.fbx", "7500_binary_combined.fbx"};
    for (int i = 0; i < 2; ++i)
    {
        ENSURE(check_sausage(files[i], "wiggle", "wiggle_10.obj", 9) == 0);
        ENSURE(check_sausage(files[i], "wiggle", "wiggle_18.obj", 17) == 0);
        ENSURE(check_sausage(files[i], "spin", "spin_7.obj", 7) == 0);
        ENSURE(check_sausage(files[i], "spin", "spin_15.obj", 15) == 0);
        ENSURE(check_sausage(files[i], "deform", "deform_8.obj", 8) == 0);
        ENSURE(check_sausage(files[i], "deform", "deform_15.obj", 15) == 0);
    }
    return 0;
}

static int dual_quaternions_meet_maya(void)
{
    return check(&(truth){DUAL "_7500_ascii.fbx", DUAL ".obj", NULL, 0.0f, PELT_METHOD_DQS, cm});
}

static int dual_quaternions_of_joints_that_scale_meet_maya(void)
{
    return check(
        &(truth){SCALED "_7500_ascii.fbx", SCALED ".obj", NULL, 0.0f, PELT_METHOD_DQS, cm});
}

// The take starts at frame 1.
static int check_mixed(const char* fbx, const char* obj, int frame)
{
    return check(&(truth){fbx, obj, "Take 001", (float)(frame - 1) / 24.0f, PELT_METHOD_MIX, cm});
}

static int mixed_weights_meet_maya_in_text_and_binary(void)
{
    ENSURE(check_mixed(MIXED "7500_ascii.fbx", MIXED "10.obj", 10) == 0);
    ENSURE(check_mixed(MIXED "7500_ascii.fbx", MIXED "18.obj", 18) == 0);
    ENSURE(check_mixed(MIXED "7500_binary.fbx", MIXED "10.obj", 10) == 0);
    ENSURE(check_mixed(MIXED "7500_binary.fbx", MIXED "18.obj", 18) == 0);
    return 0;
}

// Maya adds what the mesh has gone since it was bound.
static int mesh_that_moved_after_binding_meets_maya(void)
{
    static const int frames[] = {0, 4, 8};
    for (int i = 0; i < 3; ++i)
    {
        char obj[128];
        snprintf(obj, sizeof obj, MOVED "%d.obj", frames[i]);
        ENSURE(check(&(truth){MOVED "7700_ascii.fbx", obj, "Take 001", (float)frames[i] / 24.0f,
                              PELT_METHOD_LBS, cm}) == 0);
    }
    return 0;
}

// A copy of a text file in which records have another name, so that readers skip them.
static bool hide_records(const char* to, const char* from, const char* const* names)
{
    static char text[1 << 17];
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", test_models_folder(), from);
    FILE* file = fopen(path, "rb");
    size_t size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    text[size] = '\0';
    for (; *names != NULL; ++names)
    {
        for (char* at = strstr(text, *names); at != NULL; at = strstr(at + 1, *names))
        {
            at[0] = 'x';
        }
    }
    FILE* copy = fopen(to, "wb");
    bool is_ok = file != NULL && size < sizeof text - 1 && copy != NULL &&
                 fwrite(text, 1, size, copy) == size;
    is_ok = (file == NULL || fclose(file) == 0) && is_ok;
    return (copy == NULL || fclose(copy) == 0) && is_ok;
}

static int bind_pose_stands_in_for_matrices_of_clusters(void)
{
    static const char* const hidden[][3] = {
        {"TransformLink: "}, {"Transform: "}, {"TransformLink: ", "Transform: "}};
    char copy[] = "/tmp/pelt_test_XXXXXX";
    int descriptor = mkstemp(copy);
    ENSURE(descriptor >= 0 && close(descriptor) == 0);
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; ++i)
    {
        ENSURE(hide_records(copy, MOVED "7700_ascii.fbx", hidden[i]));
        const truth t = {copy, MOVED "8.obj", "Take 001", 8.0f / 24.0f, PELT_METHOD_LBS, cm};
        pose_request model = {0};
        int result = pose_model(&model, copy, &t) ? compare_posed(&model, &t) : 1;
        free_posed(&model);
        ENSURE(result == 0);
    }
    return remove(copy);
}

// Maya's exporter leaves out small weights, and Maya shows what remains divided by its sum: left as
// it is, or completed by the mesh, the first of these would be off by 7e-4 and the other by 1e-3.
static int weights_that_meet_maya_have_sums_below_one(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", test_models_folder(), MIXED "7500_ascii.fbx");
    pelt_scene* scene;
    pelt_error error;
    ENSURE(pelt_load(&scene, path, NULL, &error) == PELT_OK);
    bool is_told = false;
    for (uint32_t i = 0; i < scene->repair_count; ++i)
    {
        is_told = is_told || strstr(scene->repairs[i].message, "do not sum to 1") != NULL;
    }
    pelt_scene_destroy(scene);
    ENSURE(is_told);
    return 0;
}

// Vertices without weights follow the mesh.
static int half_skinned_plane_meets_blender(void)
{
    return check(&(truth){HALF "_7400_binary.fbx", HALF ".obj", NULL, 0.0f, PELT_METHOD_LBS, 1.0f});
}

void test_maya(void)
{
    RUN_ON_MODELS(kenney_character_meets_maya_at_frame_4);
    RUN_ON_MODELS(kenney_character_meets_maya_at_frame_9);
    RUN_ON_MODELS(sausage_spin_meets_maya_in_text_and_binary);
    RUN_ON_MODELS(sausage_wiggle_meets_maya_in_text_and_binary);
    RUN_ON_MODELS(sausage_deform_meets_maya_in_text_and_binary);
    RUN_ON_MODELS(takes_of_one_file_meet_maya);
    RUN_ON_MODELS(dual_quaternions_meet_maya);
    RUN_ON_MODELS(dual_quaternions_of_joints_that_scale_meet_maya);
    RUN_ON_MODELS(mixed_weights_meet_maya_in_text_and_binary);
    RUN_ON_MODELS(mesh_that_moved_after_binding_meets_maya);
    RUN_ON_MODELS(bind_pose_stands_in_for_matrices_of_clusters);
    RUN_ON_MODELS(weights_that_meet_maya_have_sums_below_one);
    RUN_ON_MODELS(half_skinned_plane_meets_blender);
}
