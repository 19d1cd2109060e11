// SPDX-License-Identifier: MIT
// Boxes of joints and ends of bones, on rigs whose measures are known.
#include "rigs.h"
#include "test.h"

#include <stdlib.h>

static int open_shapes(pelt_joint_shape** out, pelt_scene** scene, const char* rig)
{
    ENSURE(pelt_rig_build(scene, rig, NULL) == PELT_OK);
    *out = malloc((*scene)->node_count * sizeof **out);
    ENSURE(*out != NULL && pelt_joint_shapes(*out, *scene) == PELT_OK);
    return 0;
}

// The bar is 2 m long and 0.4 m thick, its joints are at one end and in the middle. Rings of
// vertices are no wider than the bar: only the plane between the halves lies within a ring's width.
static int bone_of_the_bar_ends_with_the_bar(void)
{
    pelt_joint_shape* shapes;
    pelt_scene* scene;
    ENSURE(open_shapes(&shapes, &scene, "rig:bar") == 0);
    const pelt_joint_shape* joint = &shapes[pelt_scene_find_node(scene, "joint")];
    const pelt_joint_shape* root = &shapes[pelt_scene_find_node(scene, "root")];
    ENSURE(joint->has_tail && !root->has_tail);
    ENSURE_POINT(joint->tail, pelt_vec3_make(1.0f, 0.0f, 0.0f), 1e-6);
    ENSURE_POINT(joint->box.max, pelt_vec3_make(1.0f, 0.2f, 0.2f), 2e-3);
    ENSURE_NEAR(joint->box.min.x, 0.0, 0.1);
    ENSURE_NEAR(joint->box.min.y, -0.2, 2e-3);
    ENSURE_NEAR(root->box.min.x, 0.0, 1e-6);
    ENSURE_NEAR(root->box.max.x, 1.0, 0.1);
    free(shapes);
    pelt_scene_destroy(scene);
    return 0;
}

// The hand of the arm has a joint at its end, which nothing follows: there is no bone beyond.
// Without it the bone of the hand goes as far as its fingers, 0.12 m.
static int bones_that_have_an_end_get_no_other(void)
{
    pelt_joint_shape* shapes;
    pelt_scene* scene;
    ENSURE(open_shapes(&shapes, &scene, "rig:arm") == 0);
    uint32_t tip = pelt_scene_find_node(scene, "tip"), hand = pelt_scene_find_node(scene, "hand");
    ENSURE(!shapes[tip].has_tail && !(shapes[tip].box.min.x <= shapes[tip].box.max.x));
    for (uint32_t i = 0; i < scene->node_count; ++i)
    {
        ENSURE(!shapes[i].has_tail);
    }
    pelt_skin skin = scene->skins[0];
    ENSURE(skin.joints[skin.joint_count - 1] == tip);
    skin.joint_count -= 1;
    pelt_scene shorter = *scene;
    shorter.skins = &skin;
    ENSURE(pelt_joint_shapes(shapes, &shorter) == PELT_OK);
    ENSURE(shapes[hand].has_tail);
    ENSURE_POINT(shapes[hand].tail, pelt_vec3_make(0.12f, 0.0f, 0.0f), 1e-6);
    free(shapes);
    pelt_scene_destroy(scene);
    return 0;
}

// One joint at the center of a cube of 2 m.
static int a_bone_without_a_joint_above_goes_to_the_middle_of_its_vertices(void)
{
    pelt_vec3 corners[8];
    uint32_t first[9] = {0}, joint = 0;
    pelt_influence influences[8];
    for (uint32_t i = 0; i < 8; ++i)
    {
        corners[i] =
            pelt_vec3_make(i & 1 ? 1.0f : -1.0f, i & 2 ? 7.0f : 5.0f, i & 4 ? 1.0f : -1.0f);
        influences[i] = (pelt_influence){.joint = 0, .weight = 1.0f};
        first[i + 1] = i + 1;
    }
    // The joint is at a height of 5, and rotated by a quarter about z: its x axis points upwards.
    const pelt_mat34 inverse_bind = {
        {{0.0f, 1.0f, 0.0f, -5.0f}, {-1.0f, 0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f, 0.0f}}};
    const pelt_mesh mesh = {.vertex_count = 8,
                            .positions = corners,
                            .weights = {.vertex_count = 8,
                                        .joint_count = 1,
                                        .influence_count = 8,
                                        .max_influences = 1,
                                        .first = first,
                                        .influences = influences}};
    const pelt_node node = {.parent = PELT_NONE, .rest = pelt_transform_identity()};
    const pelt_skin skin = {.joint_count = 1, .joints = &joint, .inverse_binds = &inverse_bind};
    const pelt_instance instance = {.skin = 0};
    const pelt_scene scene = {.node_count = 1,
                              .mesh_count = 1,
                              .skin_count = 1,
                              .instance_count = 1,
                              .nodes = &node,
                              .meshes = &mesh,
                              .skins = &skin,
                              .instances = &instance};
    pelt_joint_shape shape;
    ENSURE(pelt_joint_shapes(&shape, &scene) == PELT_OK);
    ENSURE(shape.has_tail);
    ENSURE_POINT(shape.tail, pelt_vec3_make(2.0f, 0.0f, 0.0f), 1e-6);
    ENSURE_POINT(shape.box.min, pelt_vec3_make(0.0f, -1.0f, -1.0f), 1e-6);
    ENSURE_POINT(shape.box.max, pelt_vec3_make(2.0f, 1.0f, 1.0f), 1e-6);
    return 0;
}

static bool contains(const pelt_bounds* box, pelt_vec3 p, float margin)
{
    return p.x >= box->min.x - margin && p.x <= box->max.x + margin && p.y >= box->min.y - margin &&
           p.y <= box->max.y + margin && p.z >= box->min.z - margin && p.z <= box->max.z + margin;
}

// Where the posed surface is, in the space of the joint that each vertex follows. A margin for the
// rounding of two matrices: 1e-5 of 2 m.
static int check_pose(const pelt_joint_shape* shapes, const pelt_scene* scene,
                      const pelt_frame* frame, bool is_rest, uint32_t* count)
{
    const pelt_mesh* mesh = &scene->meshes[scene->instances[0].mesh];
    const pelt_weights* weights = &mesh->weights;
    const pelt_skin* skin = &scene->skins[scene->instances[0].skin];
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        uint32_t influences = weights->first[v + 1] - weights->first[v];
        if (influences == 1 || (is_rest && influences > 0))
        {
            uint32_t node = skin->joints[weights->influences[weights->first[v]].joint];
            pelt_mat34 node_from_model;
            ENSURE(pelt_mat34_inverse(&node_from_model, &frame->model_from_node[node]));
            pelt_vec3 position =
                pelt_mat34_point(&node_from_model, frame->surfaces[0].positions[v]);
            ENSURE(contains(&shapes[node].box, position, 2e-5f));
            ++*count;
        }
    }
    return 0;
}

static int boxes_move_with_what_follows_their_joints(void)
{
    static const char* const rigs[] = {"rig:bar", "rig:arm", "rig:human?vertices=2000"};
    for (uint32_t r = 0; r < 3; ++r)
    {
        pelt_joint_shape* shapes;
        pelt_scene* scene;
        pelt_pose pose;
        pelt_frame frame;
        uint32_t at_rest = 0, moved = 0;
        ENSURE(open_shapes(&shapes, &scene, rigs[r]) == 0);
        ENSURE(pelt_pose_create(&pose, scene) == PELT_OK);
        ENSURE(pelt_frame_create(&frame, scene) == PELT_OK);
        pelt_pose_rest(&pose, scene);
        pelt_frame_update(&frame, scene, &pose, &(pelt_deform_options){0});
        ENSURE(check_pose(shapes, scene, &frame, true, &at_rest) == 0);
        ENSURE(at_rest == scene->meshes[0].vertex_count);
        for (uint32_t i = 0; i < scene->clip_count; ++i)
        {
            const pelt_clip* clip = &scene->clips[i];
            pelt_pose_sample(&pose, scene, clip, 0.7f * clip->duration, PELT_WRAP_CLAMP);
            pelt_frame_update(&frame, scene, &pose, &(pelt_deform_options){0});
            ENSURE(check_pose(shapes, scene, &frame, false, &moved) == 0);
        }
        ENSURE(moved > 100);
        pelt_frame_destroy(&frame);
        pelt_pose_destroy(&pose);
        free(shapes);
        pelt_scene_destroy(scene);
    }
    return 0;
}

void test_joint_shapes(void)
{
    RUN(bone_of_the_bar_ends_with_the_bar);
    RUN(bones_that_have_an_end_get_no_other);
    RUN(a_bone_without_a_joint_above_goes_to_the_middle_of_its_vertices);
    RUN(boxes_move_with_what_follows_their_joints);
}
