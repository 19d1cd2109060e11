// SPDX-License-Identifier: MIT
// Which bones get twist joints, what requests mean, and what is answered to those that cannot be.
#include "rigs.h"
#include "twist_limb.h"

#include <stdlib.h>
#include <string.h>

static const pelt_vec3 x_axis = {1, 0, 0}, z_axis = {0, 0, 1};

// Whether a request is refused with a sentence that has these words in it.
static bool is_refused(const pelt_scene* scene, const pelt_twist* requests, uint32_t count,
                       const char* words)
{
    pelt_twist_bone bones[4];
    pelt_error error = {{0}};
    pelt_scene* twisted;
    pelt_twist_options options = {.twist_count = count, .twists = requests};
    pelt_result plan = pelt_twist_plan(bones, scene, requests, count, &error);
    bool is_said = strstr(error.message, words) != NULL;
    pelt_result add = pelt_twist_add(&twisted, scene, &options, NULL, NULL);
    return plan == PELT_ERROR_ARGUMENT && add == PELT_ERROR_ARGUMENT && twisted == NULL && is_said;
}

static int what_cannot_be_is_said(void)
{
    twist_limb* l = twist_limb_make();
    const pelt_scene* scene = &l->scene;
    pelt_twist hand = {.node = LIMB_HAND}, many = {LIMB_LOWER, 17, PELT_TWIST_CHILD};
    pelt_twist lone = {LIMB_LOWER, 1, PELT_TWIST_BOTH}, root = {LIMB_ROOT, 3, PELT_TWIST_OWN};
    pelt_twist same[2] = {{.node = LIMB_LOWER}, {.node = LIMB_LOWER}};
    pelt_twist twice[2] = {{LIMB_UPPER, 3, PELT_TWIST_CHILD}, {LIMB_LOWER, 3, PELT_TWIST_OWN}};
    ENSURE(is_refused(scene, &hand, 1, "\"hand\" has no child joint"));
    ENSURE(is_refused(scene, &many, 1, "17 twist joints: from 1 to 16"));
    ENSURE(is_refused(scene, &lone, 1, "from 2 to 16"));
    ENSURE(is_refused(scene, &root, 1, "no parent joint"));
    ENSURE(is_refused(scene, same, 2, "named twice"));
    ENSURE(is_refused(scene, twice, 2, "twist of joint \"lower\" would be spread twice"));
    twist_limb_free(l);
    return 0;
}

static int a_bone_without_length_is_refused(void)
{
    twist_limb* l = twist_limb_make();
    pelt_twist lower = {.node = LIMB_LOWER};
    pelt_mat34 bind;
    pelt_mat34_inverse(&bind, &l->binds[LIMB_LOWER]);
    l->binds[LIMB_HAND].m[0][3] = l->binds[LIMB_HAND].m[1][3] = l->binds[LIMB_HAND].m[2][3] = 0.0f;
    pelt_mat3 rotation = pelt_mat34_linear(&l->binds[LIMB_HAND]);
    pelt_vec3 position = pelt_mat3_vector(&rotation, pelt_mat34_translation(&bind));
    l->binds[LIMB_HAND].m[0][3] = -position.x;
    l->binds[LIMB_HAND].m[1][3] = -position.y;
    l->binds[LIMB_HAND].m[2][3] = -position.z;
    ENSURE(is_refused(&l->scene, &lower, 1, "from \"lower\" to \"hand\" has no length"));
    twist_limb_free(l);
    return 0;
}

static int a_node_that_no_skin_has_is_refused(void)
{
    twist_limb* l = twist_limb_make();
    l->skin.joint_count = LIMB_HAND; // weights of the hand do not matter here
    pelt_twist hand = {.node = LIMB_HAND}, lower = {.node = LIMB_LOWER};
    ENSURE(is_refused(&l->scene, &hand, 1, "\"hand\" is not a joint"));
    ENSURE(is_refused(&l->scene, &lower, 1, "\"lower\" has no child joint"));
    twist_limb_free(l);
    return 0;
}

static int bones_of_equal_rank_are_refused(void)
{
    pelt_scene* human;
    ENSURE(pelt_rig_build(&human, "human?vertices=2000", NULL) == PELT_OK);
    pelt_twist hand = {.node = pelt_scene_find_node(human, "hand_l")};
    ENSURE(is_refused(human, &hand, 1, "several equal bones leave joint \"hand_l\""));
    pelt_scene_destroy(human);
    return 0;
}

static int twist_joints_are_added_once(void)
{
    twist_limb* l = twist_limb_make();
    pelt_twist lower = {.node = LIMB_LOWER};
    pelt_scene* twisted = twist_limb_twist(l, LIMB_LOWER, 3, PELT_TWIST_CHILD);
    ENSURE(twisted != NULL && is_refused(twisted, &lower, 1, "has twist joints already"));
    pelt_scene_destroy(twisted);
    twist_limb_free(l);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// What AUTO means

static pelt_twist_source source_found(float own, float child, uint32_t count)
{
    twist_limb* l = twist_limb_make();
    const float owns[2] = {0.0f, own}, children[2] = {0.0f, child};
    twist_limb_rotate(l, LIMB_LOWER, x_axis, owns, 2);
    twist_limb_rotate(l, LIMB_HAND, x_axis, children, 2);
    pelt_twist request = {LIMB_LOWER, count, PELT_TWIST_AUTO};
    pelt_twist_bone bone = {.source = PELT_TWIST_AUTO};
    pelt_twist_plan(&bone, &l->scene, &request, 1, NULL);
    twist_limb_free(l);
    return bone.source;
}

static int the_source_is_the_joint_that_rotates(void)
{
    ENSURE(source_found(0.5f, 0.0f, 0) == PELT_TWIST_OWN);
    ENSURE(source_found(0.0f, 0.5f, 0) == PELT_TWIST_CHILD);
    ENSURE(source_found(0.5f, -0.5f, 0) == PELT_TWIST_BOTH);
    ENSURE(source_found(0.0f, 0.0f, 0) == PELT_TWIST_CHILD);
    ENSURE(source_found(0.5f, 0.6f, 1) == PELT_TWIST_CHILD);
    ENSURE(source_found(0.7f, 0.6f, 1) == PELT_TWIST_OWN);
    return 0;
}

// The lower bone is long, so its roll is its own, unless there is nothing else to spread.
static int a_roll_that_nobody_takes_is_spread(void)
{
    twist_limb* l = twist_limb_make();
    const float angles[2] = {0.0f, 1.0f};
    twist_limb_rotate(l, LIMB_LOWER, x_axis, angles, 2);
    pelt_twist requests[2] = {{.node = LIMB_UPPER}, {.node = LIMB_LOWER}};
    pelt_twist_bone bones[2];
    ENSURE(pelt_twist_plan(bones, &l->scene, requests, 1, NULL) == PELT_OK);
    ENSURE(bones[0].source == PELT_TWIST_CHILD);
    ENSURE(pelt_twist_plan(bones, &l->scene, requests, 2, NULL) == PELT_OK);
    ENSURE(bones[0].source == PELT_TWIST_OWN && bones[1].source == PELT_TWIST_OWN);
    twist_limb_rotate(l, LIMB_UPPER, x_axis, angles, 2);
    ENSURE(pelt_twist_plan(bones, &l->scene, requests, 1, NULL) == PELT_OK);
    ENSURE(bones[0].source == PELT_TWIST_OWN);
    twist_limb_free(l);
    return 0;
}

// A root has no roll of its own to spread, so its bone takes that of the next.
static int requests_along_a_whole_limb_fit_together(void)
{
    twist_limb* l = twist_limb_make();
    const float angles[2] = {0.0f, 1.0f};
    for (uint32_t joint = LIMB_UPPER; joint <= LIMB_HAND; ++joint)
    {
        twist_limb_rotate(l, joint, x_axis, angles, 2);
    }
    pelt_twist requests[3] = {{.node = LIMB_LOWER}, {.node = LIMB_UPPER}, {.node = LIMB_ROOT}};
    pelt_twist_bone bones[3];
    ENSURE(pelt_twist_plan(bones, &l->scene, requests, 3, NULL) == PELT_OK);
    ENSURE(bones[2].source == PELT_TWIST_CHILD);
    ENSURE(bones[1].source == PELT_TWIST_CHILD);
    ENSURE(bones[0].source == PELT_TWIST_CHILD);
    ENSURE(pelt_twist_plan(bones, &l->scene, requests, 2, NULL) == PELT_OK);
    ENSURE(bones[1].source == PELT_TWIST_OWN && bones[0].source == PELT_TWIST_BOTH);
    twist_limb_free(l);
    return 0;
}

// Added along the lower bone before, so that the upper one must leave its roll alone.
static int a_roll_that_was_spread_before_is_not_spread_again(void)
{
    twist_limb* l = twist_limb_make();
    const float angles[2] = {0.0f, 1.0f};
    twist_limb_rotate(l, LIMB_LOWER, x_axis, angles, 2);
    twist_limb_rotate(l, LIMB_UPPER, x_axis, angles, 2);
    pelt_scene* twisted = twist_limb_twist(l, LIMB_LOWER, 3, PELT_TWIST_OWN);
    pelt_twist request = {.node = LIMB_UPPER};
    pelt_twist_bone bone;
    ENSURE(pelt_twist_plan(&bone, twisted, &request, 1, NULL) == PELT_OK);
    ENSURE(bone.source == PELT_TWIST_OWN);
    pelt_scene_destroy(twisted);
    twist_limb_free(l);
    return 0;
}

static int a_plan_measures_bone_and_twist(void)
{
    twist_limb* l = twist_limb_make();
    const float angles[3] = {0.0f, -2.0f, 1.0f}, bends[3] = {0.0f, 0.0f, 1.5f};
    twist_limb_rotate(l, LIMB_HAND, x_axis, angles, 3);
    twist_limb_rotate(l, LIMB_UPPER, z_axis, bends, 3);
    pelt_twist request = {.node = LIMB_LOWER};
    pelt_twist_bone bone;
    ENSURE(pelt_twist_plan(&bone, &l->scene, &request, 1, NULL) == PELT_OK);
    ENSURE(bone.node == LIMB_LOWER && bone.child == LIMB_HAND && bone.count == 3);
    ENSURE_NEAR(bone.length, 1.0, 1e-6);
    ENSURE_NEAR(bone.slenderness, 5.0, 1e-4); // a meter by the radius of 0.2
    ENSURE_NEAR(bone.child_twist, 2.0, 3e-6);
    ENSURE_NEAR(bone.own_twist, 0.0, 3e-6);
    ENSURE(bone.is_long);
    twist_limb_free(l);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Finding

static uint32_t count_found(const pelt_scene* scene, uint32_t* last)
{
    pelt_twist* found;
    uint32_t count = 0;
    pelt_twist_find(&found, &count, scene);
    *last = count > 0 ? found[count - 1].node : PELT_NONE;
    pelt_release(found);
    return count;
}

static int long_bones_that_twist_are_found(void)
{
    twist_limb* l = twist_limb_make();
    uint32_t last;
    float angles[2] = {0.0f, 0.4f}; // 23 degrees
    twist_limb_rotate(l, LIMB_HAND, x_axis, angles, 2);
    ENSURE(count_found(&l->scene, &last) == 0);
    l->nodes[LIMB_LOWER].name = "Bip01 L Forearm";
    ENSURE(count_found(&l->scene, &last) == 1 && last == LIMB_LOWER);
    l->nodes[LIMB_LOWER].name = "lower";
    l->clip.track_count = 0;
    angles[1] = 0.6f; // 34 degrees
    twist_limb_rotate(l, LIMB_HAND, x_axis, angles, 2);
    ENSURE(count_found(&l->scene, &last) == 1 && last == LIMB_LOWER);
    l->nodes[LIMB_HAND].name = "lower_roll";
    ENSURE(count_found(&l->scene, &last) == 0);
    twist_limb_free(l);
    return 0;
}

// Give every vertex to its strongest joint alone, from an index on.
static void bind_rigidly(twist_limb* l, float from)
{
    pelt_influence* influences = (pelt_influence*)l->mesh.weights.influences;
    uint32_t *first = (uint32_t*)l->mesh.weights.first, count = 0;
    for (uint32_t v = 0, i = 0; v < LIMB_VERTEX_COUNT; ++v)
    {
        uint32_t end = first[v + 1];
        bool is_rigid = l->positions[v].x > from;
        first[v] = count;
        for (uint32_t k = i; k < end && (k == i || !is_rigid); ++k)
        {
            influences[count] = influences[k];
            influences[count++].weight = is_rigid ? 1.0f : influences[k].weight;
        }
        i = end;
    }
    first[LIMB_VERTEX_COUNT] = l->mesh.weights.influence_count = count;
}

// All twist by 34 degrees at elbow and hand. A machine is not to be twisted; a limb of rubber with
// a hand of metal twists at the elbow only.
static int parts_of_machines_are_left_alone(void)
{
    const float angles[2] = {0.0f, 0.6f};
    for (int is_half = 0; is_half < 2; ++is_half)
    {
        twist_limb* l = twist_limb_make();
        pelt_twist* found;
        pelt_twist_bone bone;
        uint32_t count;
        twist_limb_rotate(l, LIMB_LOWER, x_axis, angles, 2);
        twist_limb_rotate(l, LIMB_HAND, x_axis, angles, 2);
        bind_rigidly(l, is_half ? 2.5f : 0.0f);
        ENSURE(pelt_scene_validate(&l->scene, NULL) == PELT_OK);
        ENSURE(pelt_twist_find(&found, &count, &l->scene) == PELT_OK);
        ENSURE(count == (is_half ? 1 : 0));
        if (is_half)
        {
            ENSURE(found[0].node == LIMB_LOWER && found[0].source == PELT_TWIST_OWN);
            ENSURE(pelt_twist_plan(&bone, &l->scene, found, 1, NULL) == PELT_OK);
            // At the elbow the weight grows by 1/20 from ring to ring, which shares 5 rings' worth
            // of the 10.5 there; 30 rings follow, and the last may fall to either joint.
            ENSURE_NEAR(bone.own_blend, 5.0 / 40.5, 0.004);
            ENSURE(bone.child_blend == 0.0f);
        }
        // A joint that is named by the caller is always split.
        ENSURE(pelt_twist_plan(&bone, &l->scene, &(pelt_twist){.node = LIMB_LOWER}, 1, NULL) ==
               PELT_OK);
        ENSURE(bone.source == PELT_TWIST_BOTH);
        pelt_release(found);
        twist_limb_free(l);
    }
    return 0;
}

static int without_clips_names_decide(void)
{
    twist_limb* l = twist_limb_make();
    uint32_t last;
    l->scene.clip_count = 0;
    ENSURE(count_found(&l->scene, &last) == 0);
    l->nodes[LIMB_UPPER].name = "LeftUpperArm";
    ENSURE(count_found(&l->scene, &last) == 1 && last == LIMB_UPPER);
    twist_limb_free(l);
    return 0;
}

static int arms_and_thighs_of_a_person_are_found(void)
{
    pelt_scene* human;
    pelt_twist* found;
    uint32_t count;
    ENSURE(pelt_rig_build(&human, "human?vertices=3000", NULL) == PELT_OK);
    ENSURE(pelt_twist_find(&found, &count, human) == PELT_OK && count == 6);
    for (uint32_t i = 0; i < count; ++i)
    {
        const char* name = human->nodes[found[i].node].name;
        ENSURE(strncmp(name, "upper_arm", 9) == 0 || strncmp(name, "forearm", 7) == 0 ||
               strncmp(name, "thigh", 5) == 0);
    }
    pelt_twist_bone bones[6];
    ENSURE(pelt_twist_plan(bones, human, found, count, NULL) == PELT_OK);
    pelt_release(found);
    pelt_scene_destroy(human);
    return 0;
}

enum
{
    CROWD = 60000
};

// A limb in a scene that a file has made large in every way that is cheap to write: a chain and a
// bunch of joints, with a skin for each, and instances of a mesh of one vertex. Anything that grows
// with the product of two of these takes hours.
typedef struct crowd
{
    twist_limb* limb;
    pelt_node nodes[LIMB_JOINT_COUNT + 2 * CROWD];
    uint32_t joints[2][CROWD + 1];
    pelt_mat34 binds[CROWD + 1];
    pelt_skin skins[3];
    pelt_mesh meshes[2];
    pelt_instance instances[2 * CROWD];
    pelt_scene scene;
} crowd;

static crowd* make_crowd(void)
{
    static const uint32_t first[2] = {0, 1};
    static const pelt_influence whole = {.weight = 1.0f};
    crowd* c = calloc(1, sizeof *c);
    c->limb = twist_limb_make();
    memcpy(c->nodes, c->limb->nodes, sizeof c->limb->nodes);
    for (uint32_t i = 0; i < 2 * CROWD; ++i)
    {
        uint32_t node = LIMB_JOINT_COUNT + i;
        bool is_chain = i < CROWD && i > 0;
        c->nodes[node] =
            (pelt_node){"part", is_chain ? node - 1 : LIMB_ROOT, pelt_transform_identity()};
        c->joints[i / CROWD][i % CROWD] = node;
        c->instances[i] = (pelt_instance){.mesh = i > 0, .skin = i > 0 ? 1 + i % 2 : 0};
    }
    for (uint32_t i = 0; i <= CROWD; ++i)
    {
        c->binds[i] = pelt_mat34_identity();
        c->binds[i].m[1][3] = -(float)i;
    }
    c->joints[0][CROWD] = c->joints[1][CROWD] = LIMB_ROOT;
    c->skins[0] = c->limb->skin;
    c->skins[1] = (pelt_skin){"chain", CROWD + 1, c->joints[0], c->binds};
    c->skins[2] = (pelt_skin){"bunch", CROWD + 1, c->joints[1], c->binds};
    c->meshes[0] = c->limb->mesh;
    c->meshes[1] = (pelt_mesh){.name = "dot",
                               .vertex_count = 1,
                               .positions = c->limb->positions,
                               .weights = {.vertex_count = 1,
                                           .joint_count = CROWD + 1,
                                           .influence_count = 1,
                                           .max_influences = 1,
                                           .first = first,
                                           .influences = &whole},
                               .material = PELT_NONE};
    c->scene = (pelt_scene){.name = "crowd",
                            .node_count = LIMB_JOINT_COUNT + 2 * CROWD,
                            .nodes = c->nodes,
                            .mesh_count = 2,
                            .meshes = c->meshes,
                            .skin_count = 3,
                            .skins = c->skins,
                            .instance_count = 2 * CROWD,
                            .instances = c->instances};
    return c;
}

static int a_limb_in_a_crowd_is_found_without_waiting(void)
{
    crowd* c = make_crowd();
    uint32_t last;
    c->limb->nodes[LIMB_UPPER].name = c->nodes[LIMB_UPPER].name = "LeftUpperArm";
    c->limb->scene.clip_count = 0;
    ENSURE(pelt_scene_validate(&c->scene, NULL) == PELT_OK);
    ENSURE(count_found(&c->limb->scene, &last) == 1 && last == LIMB_UPPER);
    ENSURE(count_found(&c->scene, &last) == 1 && last == LIMB_UPPER);
    twist_limb_free(c->limb);
    free(c);
    return 0;
}

// Every second joint of the chain's beginning: the dot is split for the chain, and stays as it was
// for the bunch.
static int a_crowd_is_twisted_without_waiting(void)
{
    crowd* c = make_crowd();
    enum
    {
        WANTED = 5000
    };
    pelt_twist* wanted = calloc(WANTED, sizeof *wanted);
    for (uint32_t i = 0; i < WANTED; ++i)
    {
        wanted[i] = (pelt_twist){LIMB_JOINT_COUNT + 2 * i, 1, PELT_TWIST_CHILD};
    }
    pelt_twist_options options = {.twist_count = WANTED, .twists = wanted};
    pelt_twist_report report;
    pelt_scene* twisted;
    ENSURE(pelt_twist_add(&twisted, &c->scene, &options, &report, NULL) == PELT_OK);
    ENSURE(report.joint_count == WANTED && report.copied_count == 1);
    ENSURE(twisted->mesh_count == 3 && twisted->node_count == c->scene.node_count + WANTED);
    ENSURE(twisted->instances[1].mesh == 1 && twisted->instances[2].mesh == 2);
    ENSURE(twisted->instances[2 * CROWD - 2].mesh == 2);
    pelt_scene_destroy(twisted);
    free(wanted);
    twist_limb_free(c->limb);
    free(c);
    return 0;
}

void test_twist_plan(void)
{
    RUN(what_cannot_be_is_said);
    RUN(a_bone_without_length_is_refused);
    RUN(a_node_that_no_skin_has_is_refused);
    RUN(bones_of_equal_rank_are_refused);
    RUN(twist_joints_are_added_once);
    RUN(the_source_is_the_joint_that_rotates);
    RUN(a_roll_that_nobody_takes_is_spread);
    RUN(requests_along_a_whole_limb_fit_together);
    RUN(a_roll_that_was_spread_before_is_not_spread_again);
    RUN(a_plan_measures_bone_and_twist);
    RUN(long_bones_that_twist_are_found);
    RUN(parts_of_machines_are_left_alone);
    RUN(without_clips_names_decide);
    RUN(arms_and_thighs_of_a_person_are_found);
    RUN(a_limb_in_a_crowd_is_found_without_waiting);
    RUN(a_crowd_is_twisted_without_waiting);
}
