// SPDX-License-Identifier: MIT
// Where FBX skins were bound: by their clusters, by the bind pose of the file, or else where they
// are. Positions are chosen so that inverse bind matrices can be written down.
#include "fbx_fixture.h"

#include <string.h>

// A mesh with joints a and b, all of them elsewhere at rest than when bound: the mesh was at
// (0, 5, 0) and is at (0, 0, 2), a was at (1, 0, 0) and is at (0, 0, 3), b was at (0, 1, 0),
// rotated by 90 degrees about z, and is at (0, 0, 4).
#define A_BIND "1,0,0,0,0,1,0,0,0,0,1,0,1,0,0,1"
#define B_BIND "0,1,0,0,-1,0,0,0,0,0,1,0,0,1,0,1"
#define MESH_BIND "1,0,0,0,0,1,0,0,0,0,1,0,0,5,0,1"
// From mesh to joint.
#define A_TRANSFORM "1,0,0,0,0,1,0,0,0,0,1,0,-1,5,0,1"
#define B_TRANSFORM "0,-1,0,0,1,0,0,0,0,0,1,0,4,0,0,1"

#define MATRIX(name, numbers) name ": *16 {\na: " numbers "\n}\n"
#define POSE_NODE(id, numbers) "PoseNode:  {\nNode: " #id "\n" MATRIX("Matrix", numbers) "}\n"
#define POSE(id, nodes)                                                                            \
    "Pose: " #id ", \"Pose::p\", \"BindPose\" {\nType: \"BindPose\"\nVersion: 100\n" nodes "}\n"
#define BIND_POSE POSE(60, POSE_NODE(1, A_BIND) POSE_NODE(2, B_BIND) POSE_NODE(3, MESH_BIND))

typedef struct bind_text
{
    const char *a, *b; // what the clusters say; goes before weights of 1
    const char* poses;
    const char* more; // of the header
} bind_text;

// The header of a file from Maya.
#define MAYA                                                                                       \
    "SceneInfo: \"SceneInfo::GlobalInfo\", \"UserData\" {\nProperties70: {\n"                      \
    "P: \"Original|ApplicationName\", \"KString\", \"\", \"\", \"Maya\"\n}\n}\n"

static const char* write_connected(const bind_text* t, const char* connections)
{
    static char text[16384];
    snprintf(text, sizeof text,
             "; FBX 7.5.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7500\n%s}\n"
             "GlobalSettings: {\nProperties70: {\n"
             "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n}\n}\nObjects: {\n"
             "Model: 1, \"Model::a\", \"LimbNode\" {\nProperties70: {\n"
             "P: \"Lcl Translation\", \"\", \"\", \"A\",0,0,3\n}\n}\n"
             "Model: 2, \"Model::b\", \"LimbNode\" {\nProperties70: {\n"
             "P: \"Lcl Translation\", \"\", \"\", \"A\",0,0,4\n}\n}\n"
             "Model: 3, \"Model::body\", \"Mesh\" {\nProperties70: {\n"
             "P: \"Lcl Translation\", \"\", \"\", \"A\",0,0,2\n}\n}\n"
             "Geometry: 4, \"Geometry::\", \"Mesh\" {\nVertices: *9 {\na: 0,0,0,1,0,0,0,1,0\n}\n"
             "PolygonVertexIndex: *3 {\na: 0,1,-3\n}\n}\n"
             "Deformer: 5, \"Deformer::\", \"Skin\" {\n}\n"
             "Deformer: 6, \"SubDeformer::\", \"Cluster\" {\n%sIndexes: *2 {\na: 0,1\n}\n"
             "Weights: *2 {\na: 1,1\n}\n}\n"
             "Deformer: 7, \"SubDeformer::\", \"Cluster\" {\n%sIndexes: *1 {\na: 2\n}\n"
             "Weights: *1 {\na: 1\n}\n}\n%s}\n"
             "Connections: {\nC: \"OO\",1,0\nC: \"OO\",2,0\nC: \"OO\",3,0\nC: \"OO\",4,3\n"
             "C: \"OO\",5,4\nC: \"OO\",6,5\nC: \"OO\",7,5\nC: \"OO\",1,6\nC: \"OO\",2,7\n%s}\n",
             t->more != NULL ? t->more : "", t->a, t->b, t->poses, connections);
    return text;
}

static const char* write_file(const bind_text* t)
{
    return write_connected(t, "");
}

static int has_inverse_bind(const pelt_scene* scene, uint32_t joint, const pelt_mat34* expected)
{
    const pelt_mat34* found = &scene->skins[0].inverse_binds[joint];
    for (int i = 0; i < 12; ++i)
    {
        ENSURE_NEAR(found->m[i / 4][i % 4], expected->m[i / 4][i % 4], 1e-6);
    }
    return 0;
}

static const pelt_mat34 a_inverse = {{{1, 0, 0, -1}, {0, 1, 0, 5}, {0, 0, 1, 0}}};
static const pelt_mat34 b_inverse = {{{0, 1, 0, 4}, {-1, 0, 0, 0}, {0, 0, 1, 0}}};

static int is_bound(const bind_text* t)
{
    pelt_error error;
    pelt_scene* scene = fbx_read(write_file(t), &error);
    ENSURE(scene != NULL && scene->skin_count == 1 && scene->skins[0].joint_count == 2);
    int result =
        has_inverse_bind(scene, 0, &a_inverse) != 0 || has_inverse_bind(scene, 1, &b_inverse) != 0;
    pelt_scene_destroy(scene);
    return result;
}

static int bind_pose_says_what_clusters_leave_out(void)
{
    // Both, the joint's, and the mesh's; the last needs the bind pose for the mesh alone.
    ENSURE(is_bound(&(bind_text){"", "", BIND_POSE, NULL}) == 0);
    ENSURE(is_bound(&(bind_text){MATRIX("Transform", A_TRANSFORM), "", BIND_POSE, NULL}) == 0);
    ENSURE(is_bound(&(bind_text){MATRIX("TransformLink", A_BIND), MATRIX("TransformLink", B_BIND),
                                 POSE(60, POSE_NODE(3, MESH_BIND)), NULL}) == 0);
    // What one cluster says of the mesh serves the other.
    ENSURE(is_bound(&(bind_text){MATRIX("TransformLink", A_BIND) MATRIX("Transform", A_TRANSFORM),
                                 "", POSE(60, POSE_NODE(2, B_BIND)), NULL}) == 0);
    return 0;
}

static int clusters_go_before_the_bind_pose(void)
{
    ENSURE(is_bound(&(bind_text){
               MATRIX("TransformLink", A_BIND) MATRIX("Transform", A_TRANSFORM),
               MATRIX("TransformLink", B_BIND) MATRIX("Transform", B_TRANSFORM),
               POSE(60, POSE_NODE(1, B_BIND) POSE_NODE(2, MESH_BIND) POSE_NODE(3, A_BIND)),
               NULL}) == 0);
    return 0;
}

// Each skin of Maya has a bind pose of its own; what that leaves out may be in another.
static int bind_pose_with_the_mesh_goes_before_others(void)
{
    ENSURE(is_bound(&(bind_text){"", "",
                                 POSE(60, POSE_NODE(1, B_BIND) POSE_NODE(2, B_BIND))
                                     POSE(61, POSE_NODE(1, A_BIND) POSE_NODE(3, MESH_BIND)),
                                 NULL}) == 0);
    return 0;
}

static bool has_repair(const pelt_scene* scene, const char* words)
{
    bool is_there = false;
    for (uint32_t i = 0; i < scene->repair_count; ++i)
    {
        is_there = is_there || strstr(scene->repairs[i].message, words) != NULL;
    }
    return is_there;
}

// At rest such a mesh looks as it does without its skin.
static int skins_that_nothing_binds_are_bound_where_they_stand(void)
{
    pelt_error error;
    pelt_scene* scene = fbx_read(write_file(&(bind_text){"", "", "", NULL}), &error);
    ENSURE(scene != NULL && has_repair(scene, "2 clusters have no bind pose"));
    const pelt_mat34 a = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, -1}}};
    const pelt_mat34 b = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, -2}}};
    ENSURE(has_inverse_bind(scene, 0, &a) == 0 && has_inverse_bind(scene, 1, &b) == 0);
    pelt_scene_destroy(scene);
    return 0;
}

// Joints of Maya follow a mesh that moved after it was bound: so where that was must be known.
static int bind_pose_tells_that_the_mesh_moved(void)
{
    const char* with_pose[] = {BIND_POSE, POSE(60, POSE_NODE(1, A_BIND))};
    for (int i = 0; i < 2; ++i)
    {
        pelt_error error;
        pelt_scene* scene =
            fbx_read(write_file(&(bind_text){MATRIX("Transform", A_TRANSFORM),
                                             MATRIX("Transform", B_TRANSFORM), with_pose[i], MAYA}),
                     &error);
        ENSURE(scene != NULL);
        uint32_t bind = pelt_scene_find_node(scene, "body (bind)");
        ENSURE(bind != PELT_NONE && has_repair(scene, "body was moved after it was bound"));
        ENSURE_POINT(scene->nodes[bind].rest.translation, pelt_vec3_make(0.0f, -5.0f, 0.0f), 1e-6);
        pelt_scene_destroy(scene);
    }
    return 0;
}

// The first and the last vertex of each instance, at rest.
static bool deform_instances(pelt_vec3 out[2][2], const pelt_scene* scene)
{
    pelt_pose pose = {0};
    pelt_frame frame = {0};
    bool is_ready = scene->instance_count == 2 && pelt_pose_create(&pose, scene) == PELT_OK &&
                    pelt_frame_create(&frame, scene) == PELT_OK;
    if (is_ready)
    {
        pelt_frame_update(&frame, scene, &pose, &(pelt_deform_options){0});
        for (int i = 0; i < 2; ++i)
        {
            out[i][0] = frame.surfaces[i].positions[0];
            out[i][1] = frame.surfaces[i].positions[2];
        }
    }
    pelt_frame_destroy(&frame);
    pelt_pose_destroy(&pose);
    return is_ready;
}

// A second model, at (10, 0, 2), shows the geometry. Joint a moves its vertices from the bind by
// (-1, 0, 3); joint b takes (0, 6, 0) to (5, 0, 4). Maya adds how each model moved since the bind
// at (0, 5, 0), by (0, -5, 2) and (10, -5, 2); in other files joints alone decide.
static int instances_of_a_skinned_mesh_deform_as_in_maya(void)
{
    const pelt_vec3 moved[2] = {{0.0f, -5.0f, 2.0f}, {10.0f, -5.0f, 2.0f}};
    const pelt_vec3 by_joints[2] = {{-1.0f, 5.0f, 3.0f}, {5.0f, 0.0f, 4.0f}};
    for (int is_maya = 0; is_maya < 2; ++is_maya)
    {
        pelt_error error;
        pelt_vec3 found[2][2];
        pelt_scene* scene = fbx_read(
            write_connected(
                &(bind_text){MATRIX("TransformLink", A_BIND) MATRIX("Transform", A_TRANSFORM),
                             MATRIX("TransformLink", B_BIND) MATRIX("Transform", B_TRANSFORM),
                             "Model: 8, \"Model::copy\", \"Mesh\" {\nProperties70: {\n"
                             "P: \"Lcl Translation\", \"\", \"\", \"A\",10,0,2\n}\n}\n",
                             is_maya ? MAYA : NULL},
                "C: \"OO\",8,0\nC: \"OO\",4,8\n"),
            &error);
        ENSURE(scene != NULL && scene->skin_count == 2 && deform_instances(found, scene));
        for (int i = 0; i < 2; ++i)
        {
            pelt_vec3 offset = pelt_vec3_scale(moved[i], (float)is_maya);
            ENSURE_POINT(found[i][0], pelt_vec3_add(by_joints[0], offset), 1e-5);
            ENSURE_POINT(found[i][1], pelt_vec3_add(by_joints[1], offset), 1e-5);
        }
        pelt_scene_destroy(scene);
    }
    return 0;
}

// As Maya does: see test_maya.c.
static int weights_that_sum_to_less_than_one_are_divided_in_every_mode(void)
{
    static const char* const modes[] = {"", "Mode: \"Normalize\"\n", "Mode: \"Total1\"\n"};
    for (int i = 0; i < 3; ++i)
    {
        char a[256], b[256];
        const char* indices = "Indexes: *3 {\na: 0,1,2\n}\n";
        snprintf(a, sizeof a, "%s%sWeights: *3 {\na: 0.75,0.75,0.75\n}\n", modes[i], indices);
        snprintf(b, sizeof b, "%s%sWeights: *3 {\na: 0.249,0.249,0.249\n}\n", modes[i], indices);
        pelt_error error;
        pelt_scene* scene = fbx_read(write_file(&(bind_text){a, b, BIND_POSE, NULL}), &error);
        ENSURE(scene != NULL && scene->skins[0].joint_count == 2);
        const pelt_weights* weights = &scene->meshes[0].weights;
        ENSURE(weights->vertex_count == 3 && weights->influence_count == 6);
        for (uint32_t v = 0; v < 3; ++v)
        {
            const pelt_influence* influences = weights->influences + weights->first[v];
            ENSURE_NEAR(influences[0].weight, 0.75 / 0.999, 1e-7);
            ENSURE_NEAR(influences[1].weight, 0.249 / 0.999, 1e-7);
        }
        pelt_scene_destroy(scene);
    }
    return 0;
}

void test_fbx_bind(void)
{
    RUN(bind_pose_says_what_clusters_leave_out);
    RUN(clusters_go_before_the_bind_pose);
    RUN(bind_pose_with_the_mesh_goes_before_others);
    RUN(skins_that_nothing_binds_are_bound_where_they_stand);
    RUN(bind_pose_tells_that_the_mesh_moved);
    RUN(instances_of_a_skinned_mesh_deform_as_in_maya);
    RUN(weights_that_sum_to_less_than_one_are_divided_in_every_mode);
}
