// SPDX-License-Identifier: MIT
// Findings of a small character, by numbers that can be worked out by hand.
#include "doctor/doctor.h"
#include "pelt/doctor.h"
#include "rigs.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum
{
    JOINT_COUNT = 6,
    VERTEX_COUNT = 5,
    SLOT_COUNT = 5,
    KEY_MAX = 12,
};

// A tetrahedron of a meter with a copy of its last vertex, and joints that all rest at the origin.
// Every vertex follows the first joint. One clip, without a track so far.
typedef struct patient
{
    pelt_node nodes[JOINT_COUNT];
    uint32_t joints[JOINT_COUNT];
    pelt_mat34 binds[JOINT_COUNT];
    pelt_skin skin;
    pelt_vec3 positions[VERTEX_COUNT], normals[VERTEX_COUNT];
    uint32_t indices[15];
    uint32_t vertex_joints[VERTEX_COUNT][SLOT_COUNT];
    float vertex_weights[VERTEX_COUNT][SLOT_COUNT];
    pelt_mesh mesh;
    pelt_instance instance;
    float times[JOINT_COUNT][KEY_MAX], values[JOINT_COUNT][KEY_MAX * 4];
    pelt_track tracks[JOINT_COUNT];
    pelt_clip clip;
    pelt_scene scene;
    pelt_arena* arena;
    pelt_diagnosis diagnosis;
} patient;

static patient* admit(void)
{
    static const uint32_t indices[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    patient* p = calloc(1, sizeof *p);
    p->arena = pelt_arena_create();
    for (uint32_t j = 0; j < JOINT_COUNT; ++j)
    {
        p->nodes[j] = (pelt_node){"joint", PELT_NONE, pelt_transform_identity()};
        p->joints[j] = j;
        p->binds[j] = pelt_mat34_identity();
    }
    p->positions[1].x = p->positions[2].y = p->positions[3].z = p->positions[4].z = 1.0f;
    for (uint32_t v = 0; v < VERTEX_COUNT; ++v)
    {
        pelt_vec3 middle = pelt_vec3_make(0.25f, 0.25f, 0.25f);
        p->normals[v] = pelt_vec3_normalize(pelt_vec3_sub(p->positions[v], middle));
        p->vertex_weights[v][0] = 1.0f;
    }
    memcpy(p->indices, indices, sizeof indices);
    p->mesh = (pelt_mesh){.name = "skin",
                          .vertex_count = VERTEX_COUNT,
                          .index_count = 12,
                          .positions = p->positions,
                          .normals = p->normals,
                          .indices = p->indices,
                          .material = PELT_NONE};
    p->skin = (pelt_skin){"skin", 1, p->joints, p->binds};
    p->clip = (pelt_clip){"clip", 1.0f, 0, p->tracks};
    p->scene = (pelt_scene){.node_count = JOINT_COUNT,
                            .mesh_count = 1,
                            .skin_count = 1,
                            .instance_count = 1,
                            .nodes = p->nodes,
                            .meshes = &p->mesh,
                            .skins = &p->skin,
                            .instances = &p->instance,
                            .clips = &p->clip};
    return p;
}

static void discharge(patient* p)
{
    pelt_arena_destroy(p->arena);
    free(p);
}

// Give a vertex its influences: weights of the joints 0, 1 ...
static void weigh(patient* p, uint32_t vertex, const float* weights, uint32_t count)
{
    memset(p->vertex_weights[vertex], 0, sizeof p->vertex_weights[vertex]);
    for (uint32_t i = 0; i < count; ++i)
    {
        p->vertex_joints[vertex][i] = i;
        p->vertex_weights[vertex][i] = weights[i];
    }
    p->skin.joint_count = count > p->skin.joint_count ? count : p->skin.joint_count;
}

// Add a track of a joint: keys a number of seconds apart.
static void animate(patient* p, uint32_t joint, pelt_path path, const float* values, uint32_t count,
                    float seconds)
{
    uint32_t width = path == PELT_PATH_ROTATION ? 4 : 3, track = p->clip.track_count++;
    for (uint32_t key = 0; key < count; ++key)
    {
        p->times[track][key] = seconds * (float)key;
    }
    memcpy(p->values[track], values, sizeof *values * width * count);
    p->tracks[track] = (pelt_track){.target = joint,
                                    .path = path,
                                    .key_count = count,
                                    .width = width,
                                    .times = p->times[track],
                                    .values = p->values[track]};
    p->clip.duration = fmaxf(p->clip.duration, seconds * (float)(count - 1));
    p->scene.clip_count = 1;
}

// Move a joint by a meter along x within a second.
static void push(patient* p, uint32_t joint)
{
    animate(p, joint, PELT_PATH_TRANSLATION, (const float[]){0, 0, 0, 1, 0, 0}, 2, 1.0f);
}

// Rotate a joint about z by angles in degrees, a second apart.
static void rotate(patient* p, uint32_t joint, const float* degrees, uint32_t count)
{
    float values[KEY_MAX * 4];
    for (uint32_t i = 0; i < count; ++i)
    {
        pelt_quat q =
            pelt_quat_axis_angle(pelt_vec3_make(0.0f, 0.0f, 1.0f), degrees[i] * PELT_PI / 180.0f);
        memcpy(values + 4 * i, &q, sizeof q);
    }
    animate(p, joint, PELT_PATH_ROTATION, values, count, 1.0f);
}

// The finding of a kind when it is the only one; else NULL, after a list of all.
static const pelt_finding* examine(patient* p, pelt_finding_kind kind)
{
    pelt_weights_source source = {.vertex_count = VERTEX_COUNT,
                                  .joint_count = p->skin.joint_count,
                                  .per_vertex = SLOT_COUNT,
                                  .joints_u32 = p->vertex_joints[0],
                                  .weights = p->vertex_weights[0]};
    pelt_error error = {{0}};
    if (pelt_weights_import(&p->mesh.weights, NULL, &source, p->arena) != PELT_OK ||
        pelt_scene_validate(&p->scene, &error) != PELT_OK ||
        pelt_scene_diagnose(&p->diagnosis, &p->scene, NULL, p->arena) != PELT_OK)
    {
        printf("  not examined: %s\n", error.message);
        return NULL;
    }
    const pelt_diagnosis* d = &p->diagnosis;
    if (d->finding_count == 1 && d->findings[0].kind == kind)
    {
        return &d->findings[0];
    }
    for (uint32_t i = 0; i < d->finding_count; ++i)
    {
        printf("  found: %s\n", d->findings[i].message);
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------

static int a_healthy_character_has_no_findings(void)
{
    patient* p = admit();
    push(p, 0);
    examine(p, PELT_FINDING_KIND_COUNT);
    ENSURE(p->diagnosis.finding_count == 0);
    discharge(p);
    return 0;
}

// The joint of weight 0.1 moves by a meter, and without it nothing does: 100 mm.
static int dropping_the_weakest_costs_its_own_motion(void)
{
    patient* p = admit();
    weigh(p, 2, (const float[]){0.4f, 0.2f, 0.15f, 0.15f, 0.1f}, 5);
    push(p, 4);
    const pelt_finding* found = examine(p, PELT_FINDING_MANY_INFLUENCES);
    ENSURE(found != NULL);
    ENSURE_NEAR(found->value, 100.0, 1e-3); // rounding of a meter in float
    ENSURE(strcmp(found->unit, "mm") == 0 && found->severity == PELT_SEVERITY_WARNING);
    ENSURE(found->mesh == 0 && found->vertex == 2 && found->count == 1 && found->clip == 0);
    ENSURE_NEAR(found->time, 1.0, 1e-6);
    discharge(p);
    return 0;
}

// With room for three, two joints of 0.15 and 0.1 are dropped: 250 mm of the meter that they move.
static int engines_may_take_fewer_or_more(void)
{
    patient* p = admit();
    weigh(p, 2, (const float[]){0.4f, 0.2f, 0.15f, 0.15f, 0.1f}, 5);
    push(p, 3);
    push(p, 4);
    const pelt_diagnose_options three = {.max_influences = 3}, five = {.max_influences = 5};
    ENSURE(examine(p, PELT_FINDING_MANY_INFLUENCES) != NULL);
    ENSURE(pelt_scene_diagnose(&p->diagnosis, &p->scene, &three, p->arena) == PELT_OK);
    ENSURE(p->diagnosis.finding_count == 1);
    ENSURE_NEAR(p->diagnosis.findings[0].value, 250.0, 1e-3);
    ENSURE(pelt_scene_diagnose(&p->diagnosis, &p->scene, &five, p->arena) == PELT_OK);
    ENSURE(p->diagnosis.finding_count == 0);
    discharge(p);
    return 0;
}

// A second mesh that follows a node and has no weights is no patient.
static int meshes_without_a_skin_are_left_out(void)
{
    patient* p = admit();
    pelt_mesh meshes[2];
    pelt_instance instances[2] = {p->instance, {.mesh = 1, .skin = PELT_NONE, .node = 0}};
    examine(p, PELT_FINDING_KIND_COUNT);
    meshes[0] = meshes[1] = p->mesh;
    meshes[1].weights = (pelt_weights){0};
    p->scene.meshes = meshes;
    p->scene.instances = instances;
    p->scene.mesh_count = p->scene.instance_count = 2;
    pelt_error error = {{0}};
    ENSURE(pelt_scene_validate(&p->scene, &error) == PELT_OK);
    ENSURE(pelt_scene_diagnose(&p->diagnosis, &p->scene, NULL, p->arena) == PELT_OK);
    ENSURE(p->diagnosis.finding_count == 0);
    discharge(p);
    return 0;
}

// What is left is normalized: 0.4 / 0.9 of a meter instead of 0.4.
static int dropping_the_weakest_strengthens_the_others(void)
{
    patient* p = admit();
    weigh(p, 2, (const float[]){0.4f, 0.2f, 0.15f, 0.15f, 0.1f}, 5);
    push(p, 0);
    const pelt_finding* found = examine(p, PELT_FINDING_MANY_INFLUENCES);
    ENSURE(found != NULL);
    ENSURE_NEAR(found->value, 1000.0 * (0.4 / 0.9 - 0.4), 1e-3);
    discharge(p);
    return 0;
}

static int an_influence_that_moves_along_costs_nothing(void)
{
    patient* p = admit();
    weigh(p, 2, (const float[]){0.4f, 0.2f, 0.15f, 0.15f, 0.1f}, 5);
    for (uint32_t j = 0; j < 5; ++j)
    {
        push(p, j);
    }
    const pelt_finding* found = examine(p, PELT_FINDING_MANY_INFLUENCES);
    ENSURE(found != NULL && found->severity == PELT_SEVERITY_NOTE);
    ENSURE_NEAR(found->value, 0.0, 1e-3);
    discharge(p);
    return 0;
}

// Vertices 3 and 4 are copies. Half of the weight of one is on a joint that moves by a meter.
static int a_seam_opens_by_what_its_weights_differ(void)
{
    patient* p = admit();
    weigh(p, 4, (const float[]){0.5f, 0.5f}, 2);
    push(p, 1);
    const pelt_finding* found = examine(p, PELT_FINDING_SEAM_WEIGHTS);
    ENSURE(found != NULL);
    ENSURE_NEAR(found->value, 500.0, 1e-3);
    ENSURE(found->vertex == 4 && found->count == 1);
    discharge(p);
    return 0;
}

static int weights_that_differ_by_rounding_are_no_seam(void)
{
    patient* p = admit();
    weigh(p, 3, (const float[]){0.5f, 0.5f}, 2);
    weigh(p, 4, (const float[]){0.502f, 0.498f}, 2);
    push(p, 1);
    examine(p, PELT_FINDING_KIND_COUNT);
    ENSURE(p->diagnosis.finding_count == 0);
    discharge(p);
    return 0;
}

// 100 degrees per second: 180 degrees is at 1.8 s. Samples are 1/30 s apart.
static int a_joint_that_passes_180_degrees_is_found_there(void)
{
    patient* p = admit();
    weigh(p, 1, (const float[]){0.6f, 0.4f}, 2);
    rotate(p, 1, (const float[]){0, 100, 200}, 3);
    const pelt_finding* found = examine(p, PELT_FINDING_FLIP_RISK);
    ENSURE(found != NULL && found->severity == PELT_SEVERITY_WARNING);
    ENSURE_NEAR(found->time, 1.8, 1.0 / 30.0);
    ENSURE(found->node == 1 && found->clip == 0);
    discharge(p);
    return 0;
}

static int a_joint_below_180_degrees_is_no_risk(void)
{
    patient* p = admit();
    weigh(p, 1, (const float[]){0.6f, 0.4f}, 2);
    rotate(p, 1, (const float[]){0, 80, 165}, 3);
    examine(p, PELT_FINDING_KIND_COUNT);
    ENSURE(p->diagnosis.finding_count == 0);
    discharge(p);
    return 0;
}

// Both joints rotate by 240 degrees, but together.
static int joints_that_rotate_together_are_no_risk(void)
{
    patient* p = admit();
    weigh(p, 1, (const float[]){0.6f, 0.4f}, 2);
    rotate(p, 0, (const float[]){0, 120, 240}, 3);
    rotate(p, 1, (const float[]){0, 120, 240}, 3);
    examine(p, PELT_FINDING_KIND_COUNT);
    ENSURE(p->diagnosis.finding_count == 0);
    discharge(p);
    return 0;
}

// At 0, 120 and -120 degrees the three quaternions cannot agree in pairs; at 0, 60 and -60 they do.
static int signs_depend_on_the_order_where_quaternions_disagree(void)
{
    const float angles[] = {120.0f, 60.0f};
    for (int i = 0; i < 2; ++i)
    {
        patient* p = admit();
        weigh(p, 1, (const float[]){0.4f, 0.3f, 0.3f}, 3);
        rotate(p, 1, (const float[]){0, angles[i]}, 2);
        rotate(p, 2, (const float[]){0, -angles[i]}, 2);
        const pelt_finding* found = examine(p, PELT_FINDING_SIGN_ORDER);
        ENSURE(i == 0 ? found != NULL && found->vertex == 1 : p->diagnosis.finding_count == 0);
        discharge(p);
    }
    return 0;
}

static int scale_is_relative_to_that_of_all_joints(void)
{
    patient* p = admit();
    weigh(p, 1, (const float[]){0.6f, 0.4f}, 2);
    weigh(p, 2, (const float[]){0.0f, 0.5f, 0.5f}, 3);
    for (uint32_t j = 0; j < 3; ++j)
    {
        // Units of a centimeter, which no bind pose undoes.
        p->nodes[j].rest.scale = pelt_vec3_make(100.0f, 100.0f, 100.0f);
    }
    animate(p, 2, PELT_PATH_SCALE, (const float[]){100, 100, 100, 150, 150, 150}, 2, 1.0f);
    const pelt_finding* found = examine(p, PELT_FINDING_SCALED_JOINTS);
    ENSURE(found != NULL && found->node == 2);
    ENSURE_NEAR(found->value, 1.5, 1e-5);
    discharge(p);
    return 0;
}

static int the_stored_pose_is_measured_against_the_bind_pose(void)
{
    patient* p = admit();
    weigh(p, 1, (const float[]){0.75f, 0.25f}, 2);
    p->nodes[1].rest.translation.y = 0.2f;
    const pelt_finding* found = examine(p, PELT_FINDING_BIND_POSE);
    ENSURE(found != NULL && found->vertex == 1);
    ENSURE_NEAR(found->value, 50.0, 1e-4);
    discharge(p);
    return 0;
}

// A thousandth of the size, which is the diagonal of a cube of a meter, is rounding.
static int a_pose_within_rounding_is_the_bind_pose(void)
{
    for (int i = 0; i < 2; ++i)
    {
        patient* p = admit();
        weigh(p, 1, (const float[]){0.5f, 0.5f}, 2);
        float limit = 2e-3f * sqrtf(3.0f);
        p->nodes[1].rest.translation.y = i == 0 ? 0.95f * limit : 1.05f * limit;
        const pelt_finding* found = examine(p, PELT_FINDING_BIND_POSE);
        ENSURE(p->diagnosis.finding_count == (uint32_t)i);
        if (i == 1)
        {
            ENSURE(found != NULL && found->severity == PELT_SEVERITY_NOTE);
            ENSURE_NEAR(found->value, 1.05 * sqrt(3.0), 1e-4);
        }
        discharge(p);
    }
    return 0;
}

// Two columns of length 1 and s at an angle with tangent 1e-6: the volume is 1e-6 of theirs.
static int binds_are_flat_below_a_millionth(void)
{
    for (float scale = 0.01f; scale < 1000.0f; scale *= 10.0f)
    {
        for (int i = 0; i < 2; ++i)
        {
            pelt_mat34 bind = pelt_mat34_identity();
            bind.m[0][0] = bind.m[2][2] = bind.m[0][1] = scale;
            bind.m[1][1] = (i == 0 ? 0.95e-6f : 1.05e-6f) * scale;
            ENSURE(pelti_bind_is_flat(&bind) == (i == 0));
        }
    }
    pelt_mat34 zero = {{{0.0f}}};
    ENSURE(pelti_bind_is_flat(&zero));
    return 0;
}

// The joint with most weight represents the motion of all, whichever it is: against it vertices
// move by what the other one holds, 0.1 of 200 mm.
static int the_pose_is_measured_from_the_joint_with_most_weight(void)
{
    patient* p = admit();
    for (uint32_t v = 0; v < VERTEX_COUNT; ++v)
    {
        weigh(p, v, (const float[]){0.1f, 0.9f}, 2);
    }
    p->nodes[1].rest.translation.y = 0.2f;
    const pelt_finding* found = examine(p, PELT_FINDING_BIND_POSE);
    ENSURE(found != NULL && found->node == 1);
    ENSURE_NEAR(found->value, 20.0, 1e-3);
    discharge(p);
    return 0;
}

static int a_flat_bind_is_an_error_and_has_no_pose_to_compare(void)
{
    patient* p = admit();
    weigh(p, 1, (const float[]){0.75f, 0.25f}, 2);
    p->binds[1].m[1][1] = 0.0f;
    p->nodes[1].rest.translation.y = 0.2f;
    examine(p, PELT_FINDING_SINGULAR_BIND);
    const pelt_diagnosis* d = &p->diagnosis;
    ENSURE(d->finding_count > 0 && d->findings[0].kind == PELT_FINDING_SINGULAR_BIND);
    ENSURE(d->findings[0].severity == PELT_SEVERITY_ERROR && d->findings[0].count == 1);
    ENSURE(d->findings[0].node == 1);
    for (uint32_t i = 0; i < d->finding_count; ++i)
    {
        ENSURE(d->findings[i].kind != PELT_FINDING_BIND_POSE);
    }
    discharge(p);
    return 0;
}

// Sums that three decimals explain are notes; what the caller has asked for, and vertices that the
// scene still has, are not told from repairs.
static int repairs_are_findings_by_what_they_are_about(void)
{
    const struct
    {
        pelt_repair repair;
        bool is_found;
        pelt_severity severity;
    } cases[] = {
        {{.kind = PELT_REPAIR_WEIGHT_SUMS, .value = 1.0019f}, true, PELT_SEVERITY_NOTE},
        {{.kind = PELT_REPAIR_WEIGHT_SUMS, .value = 0.9981f}, true, PELT_SEVERITY_NOTE},
        {{.kind = PELT_REPAIR_WEIGHT_SUMS, .value = 1.0021f}, true, PELT_SEVERITY_WARNING},
        {{.kind = PELT_REPAIR_WEIGHT_SUMS, .value = 0.9979f}, true, PELT_SEVERITY_WARNING},
        {{.kind = PELT_REPAIR_KEY_ORDER, .value = 1.0f}, true, PELT_SEVERITY_WARNING},
        {{.kind = PELT_REPAIR_UNWEIGHTED, .mesh = PELT_NONE}, true, PELT_SEVERITY_WARNING},
        {{.kind = PELT_REPAIR_UNWEIGHTED, .mesh = 0}, false, 0},
        {{.kind = PELT_REPAIR_PRUNED, .mesh = PELT_NONE}, false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        patient* p = admit();
        pelt_repair repair = cases[i].repair;
        repair.message = "repaired";
        repair.count = 7;
        examine(p, PELT_FINDING_KIND_COUNT);
        p->scene.repairs = &repair;
        p->scene.repair_count = 1;
        ENSURE(pelt_scene_diagnose(&p->diagnosis, &p->scene, NULL, p->arena) == PELT_OK);
        ENSURE(p->diagnosis.finding_count == (cases[i].is_found ? 1 : 0));
        if (cases[i].is_found)
        {
            const pelt_finding* found = &p->diagnosis.findings[0];
            bool has_value = repair.kind == PELT_REPAIR_WEIGHT_SUMS;
            ENSURE(found->severity == cases[i].severity && found->count == 7);
            ENSURE(found->value == (has_value ? (double)repair.value : 0.0));
            ENSURE(strcmp(found->message, "repaired") == 0);
        }
        discharge(p);
    }
    return 0;
}

// More than fit at first, the worst first, then by kind, and else as they were found.
static int many_findings_are_listed_in_order(void)
{
    static const pelt_repair_kind kinds[] = {PELT_REPAIR_KEY_ORDER, PELT_REPAIR_OTHER,
                                             PELT_REPAIR_NOT_FINITE, PELT_REPAIR_MIX_DROPPED,
                                             PELT_REPAIR_CORS_DROPPED};
    pelt_repair repairs[100];
    char words[100][8];
    patient* p = admit();
    for (uint32_t i = 0; i < 100; ++i)
    {
        snprintf(words[i], sizeof words[i], "%u", i);
        repairs[i] = (pelt_repair){
            .message = words[i], .kind = kinds[i % 5], .mesh = PELT_NONE, .clip = PELT_NONE};
    }
    examine(p, PELT_FINDING_KIND_COUNT); // which has no findings yet
    p->scene.repairs = repairs;
    p->scene.repair_count = 100;
    const pelt_diagnosis* d = &p->diagnosis;
    ENSURE(d->finding_count == 0);
    ENSURE(pelt_scene_diagnose(&p->diagnosis, &p->scene, NULL, p->arena) == PELT_OK);
    ENSURE(d->finding_count == 100);
    ENSURE(d->counts[PELT_SEVERITY_ERROR] == 20 && d->counts[PELT_SEVERITY_WARNING] == 60);
    ENSURE(d->counts[PELT_SEVERITY_NOTE] == 20);
    for (uint32_t i = 1; i < 100; ++i)
    {
        const pelt_finding *a = &d->findings[i - 1], *b = &d->findings[i];
        ENSURE(a->severity >= b->severity);
        ENSURE(a->severity > b->severity || a->kind <= b->kind);
        ENSURE(a->severity > b->severity || a->kind < b->kind ||
               atoi(a->message) < atoi(b->message));
    }
    discharge(p);
    return 0;
}

// The whole character rotated from Z up to Y up is not distorted.
static int a_motion_of_all_joints_is_no_other_pose(void)
{
    patient* p = admit();
    weigh(p, 1, (const float[]){0.75f, 0.25f}, 2);
    for (uint32_t j = 0; j < 2; ++j)
    {
        p->nodes[j].rest.rotation =
            pelt_quat_axis_angle(pelt_vec3_make(1.0f, 0.0f, 0.0f), -0.5f * PELT_PI);
        p->nodes[j].rest.translation.x = 3.0f;
    }
    examine(p, PELT_FINDING_KIND_COUNT);
    ENSURE(p->diagnosis.finding_count == 0);
    discharge(p);
    return 0;
}

// Keys at 30 per second that rotate by a degree each, but for one that is 120 degrees away.
static int one_bad_key_is_a_jump_and_fast_motion_is_none(void)
{
    for (int is_fast = 0; is_fast < 2; ++is_fast)
    {
        patient* p = admit();
        float values[4 * KEY_MAX];
        for (uint32_t i = 0; i < KEY_MAX; ++i)
        {
            float degrees = is_fast != 0 ? 100.0f * (float)i : i == 6 ? 126.0f : (float)i;
            pelt_quat q =
                pelt_quat_axis_angle(pelt_vec3_make(0.0f, 0.0f, 1.0f), degrees * PELT_PI / 180.0f);
            memcpy(values + 4 * i, &q, sizeof q);
        }
        pelt_rotations_align(values, KEY_MAX);
        animate(p, 0, PELT_PATH_ROTATION, values, KEY_MAX, 1.0f / 30.0f);
        const pelt_finding* found = examine(p, PELT_FINDING_KEY_JUMPS);
        if (is_fast != 0)
        {
            ENSURE(p->diagnosis.finding_count == 0);
        }
        else
        {
            ENSURE(found != NULL && found->severity == PELT_SEVERITY_WARNING);
            ENSURE_NEAR(found->value, 121.0, 1e-2);
            ENSURE_NEAR(found->time, 0.2, 1e-5);
        }
        discharge(p);
    }
    return 0;
}

// A strip of a meter, folded along the y axis so that both halves nearly touch. The normals of the
// fold point along the fold's ridge or are 110 degrees off: odd, but not reversed.
static int normals_at_folds_are_not_reversed(void)
{
    static const pelt_vec3 positions[] = {{1, 0, 0.01f}, {0, 0, 0},      {1, 1, 0.01f},
                                          {0, 1, 0},     {1, 0, -0.01f}, {1, 1, -0.01f}};
    static const uint32_t indices[] = {0, 2, 1, 1, 2, 3, 1, 3, 4, 4, 3, 5};
    const float angle = 110.0f * PELT_PI / 180.0f;
    for (int rotated = 0; rotated < 2; ++rotated)
    {
        pelt_vec3 normals[6] = {{0, 0, 1},  {-1, 0, 0}, {0, 0, 1},
                                {-1, 0, 0}, {0, 0, -1}, {0, 0, -1}};
        // Vertex 2 belongs to the upper half alone, whose normal is z.
        normals[2] =
            rotated == 0 ? pelt_vec3_make(sinf(angle), 0, cosf(angle)) : pelt_vec3_make(0, 0, -1);
        pelt_mesh mesh = {.name = "strip",
                          .vertex_count = 6,
                          .index_count = 12,
                          .positions = positions,
                          .normals = normals,
                          .indices = indices,
                          .material = PELT_NONE};
        bool is_flipped[6];
        uint32_t count;
        ENSURE(pelti_normals_find_flipped(is_flipped, &count, &mesh));
        ENSURE(count == (uint32_t)rotated && is_flipped[2] == (rotated == 1));
    }
    return 0;
}

// One key of 12 is 121 degrees off, on a joint that nothing follows, or that is scaled to nothing.
static int keys_that_nobody_sees_may_jump(void)
{
    for (int which = 0; which < 3; ++which)
    {
        patient* p = admit();
        float rotations[4 * KEY_MAX] = {0}, scales[3 * KEY_MAX];
        uint32_t joint = which == 0 ? 1 : 0;
        for (uint32_t i = 0; i < KEY_MAX; ++i)
        {
            float half = 0.5f * (i == 6 ? 121.0f : 0.0f) * PELT_PI / 180.0f;
            rotations[4 * i + 2] = sinf(half);
            rotations[4 * i + 3] = cosf(half);
            // Hidden from before the jump until after it, or never.
            float scale = which == 1 && i > 3 && i < 9 ? 0.0f : 1.0f;
            scales[3 * i] = scales[3 * i + 1] = scales[3 * i + 2] = scale;
        }
        animate(p, joint, PELT_PATH_ROTATION, rotations, KEY_MAX, 1.0f / 30.0f);
        animate(p, joint, PELT_PATH_SCALE, scales, KEY_MAX, 1.0f / 30.0f);
        examine(p, PELT_FINDING_KEY_JUMPS);
        uint32_t count = 0;
        for (uint32_t i = 0; i < p->diagnosis.finding_count; ++i)
        {
            count += p->diagnosis.findings[i].kind == PELT_FINDING_KEY_JUMPS;
        }
        ENSURE(count == (which == 2 ? 1u : 0u));
        discharge(p);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Repairs

static int fixing_removes_what_it_can(void)
{
    patient* p = admit();
    weigh(p, 4, (const float[]){0.5f, 0.5f}, 2);
    weigh(p, 1, (const float[]){0.5f, 0.5f}, 2);
    push(p, 1);
    p->mesh.index_count = 15;
    p->indices[12] = 0;
    p->indices[13] = p->indices[14] = 1;
    p->normals[2] = pelt_vec3_scale(p->normals[2], -1.0f);
    pelt_vec4 tangents[VERTEX_COUNT] = {
        {1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}};
    p->mesh.tangents = tangents;
    examine(p, PELT_FINDING_KIND_COUNT);
    ENSURE(p->diagnosis.finding_count == 3);

    pelt_scene fixed = p->scene;
    ENSURE(pelt_scene_fix(&fixed, p->arena) == PELT_OK);
    ENSURE(pelt_scene_validate(&fixed, NULL) == PELT_OK);
    ENSURE(pelt_scene_diagnose(&p->diagnosis, &fixed, NULL, p->arena) == PELT_OK);
    ENSURE(p->diagnosis.finding_count == 0);
    const pelt_mesh* mesh = &fixed.meshes[0];
    ENSURE(mesh->index_count == 12);
    ENSURE_POINT(mesh->normals[2], pelt_vec3_scale(p->normals[2], -1.0f), 0.0f);
    ENSURE(mesh->tangents[2].w == -1.0f && mesh->tangents[1].w == 1.0f);
    // As the first vertex at the position of vertex 4, and vertex 1 as it was.
    ENSURE(mesh->weights.first[5] - mesh->weights.first[4] == 1);
    ENSURE(mesh->weights.first[2] - mesh->weights.first[1] == 2);
    // The source is as it was.
    ENSURE(p->mesh.index_count == 15 && p->mesh.weights.first[5] - p->mesh.weights.first[4] == 2);
    discharge(p);
    return 0;
}

static int every_kind_has_its_words(void)
{
    for (int i = 0; i < PELT_FINDING_KIND_COUNT; ++i)
    {
        const pelt_finding_info* info = pelt_finding_describe((pelt_finding_kind)i);
        ENSURE(info->id != NULL && info->summary != NULL && info->advice != NULL);
        ENSURE(strspn(info->id, "abcdefghijklmnopqrstuvwxyz-") == strlen(info->id));
        ENSURE(info->is_fixable == (strstr(info->advice, "--fix") != NULL));
        for (int k = 0; k < i; ++k)
        {
            ENSURE(strcmp(info->id, pelt_finding_describe((pelt_finding_kind)k)->id) != 0);
        }
    }
    return 0;
}

static int the_human_has_nothing_above_a_note(void)
{
    pelt_scene* scene;
    pelt_diagnosis diagnosis;
    pelt_arena* arena = pelt_arena_create();
    ENSURE(pelt_rig_build(&scene, "human?vertices=2000", NULL) == PELT_OK);
    ENSURE(pelt_scene_diagnose(&diagnosis, scene, NULL, arena) == PELT_OK);
    ENSURE(diagnosis.counts[PELT_SEVERITY_WARNING] == 0);
    ENSURE(diagnosis.counts[PELT_SEVERITY_ERROR] == 0);
    pelt_scene_destroy(scene);
    pelt_arena_destroy(arena);
    return 0;
}

void test_doctor(void)
{
    RUN(a_healthy_character_has_no_findings);
    RUN(dropping_the_weakest_costs_its_own_motion);
    RUN(engines_may_take_fewer_or_more);
    RUN(meshes_without_a_skin_are_left_out);
    RUN(dropping_the_weakest_strengthens_the_others);
    RUN(an_influence_that_moves_along_costs_nothing);
    RUN(a_seam_opens_by_what_its_weights_differ);
    RUN(weights_that_differ_by_rounding_are_no_seam);
    RUN(a_joint_that_passes_180_degrees_is_found_there);
    RUN(a_joint_below_180_degrees_is_no_risk);
    RUN(joints_that_rotate_together_are_no_risk);
    RUN(signs_depend_on_the_order_where_quaternions_disagree);
    RUN(scale_is_relative_to_that_of_all_joints);
    RUN(the_stored_pose_is_measured_against_the_bind_pose);
    RUN(a_pose_within_rounding_is_the_bind_pose);
    RUN(binds_are_flat_below_a_millionth);
    RUN(the_pose_is_measured_from_the_joint_with_most_weight);
    RUN(a_flat_bind_is_an_error_and_has_no_pose_to_compare);
    RUN(repairs_are_findings_by_what_they_are_about);
    RUN(many_findings_are_listed_in_order);
    RUN(a_motion_of_all_joints_is_no_other_pose);
    RUN(one_bad_key_is_a_jump_and_fast_motion_is_none);
    RUN(normals_at_folds_are_not_reversed);
    RUN(keys_that_nobody_sees_may_jump);
    RUN(fixing_removes_what_it_can);
    RUN(every_kind_has_its_words);
    RUN(the_human_has_nothing_above_a_note);
}
