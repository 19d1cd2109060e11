// SPDX-License-Identifier: MIT
// Boxes of palettes and of scenes, against every vertex that is deformed.
#include "pelt/bounds.h"

#include "failing_heap.h"
#include "point_set.h"
#include "shared_rig.h"

#include <string.h>

// By how much the farthest of some points is out of a box; negative: the room that is left.
static float excess(const pelt_bounds* box, const pelt_vec3* points, uint32_t count)
{
    float most = -INFINITY;
    for (uint32_t i = 0; i < count; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            float p = (&points[i].x)[axis];
            most = fmaxf(most, fmaxf((&box->min.x)[axis] - p, p - (&box->max.x)[axis]));
        }
    }
    return most;
}

static pelt_mesh mesh_of(const point_set* m)
{
    return (pelt_mesh){.vertex_count = m->weights.vertex_count,
                       .positions = m->positions,
                       .cors = m->cors,
                       .weights = m->weights,
                       .material = PELT_NONE};
}

// ---------------------------------------------------------------------------------------------
// Closed forms

// The corners of a cube on one joint, which rotates it by 45 degrees: its box is wider by the
// square root of two, and not by more, as a box of a rotated box is for other shapes.
static int box_of_a_turned_cube_is_exact(void)
{
    pelt_vec3 corners[8];
    pelt_influence influences[8] = {{0}};
    uint32_t first[9];
    for (uint32_t i = 0; i < 8; ++i)
    {
        corners[i] =
            pelt_vec3_make(i & 1 ? 3.0f : 1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f);
        influences[i].weight = 1.0f;
        first[i] = i;
    }
    first[8] = 8;
    const pelt_mesh mesh = {.vertex_count = 8,
                            .positions = corners,
                            .weights = {.vertex_count = 8,
                                        .joint_count = 1,
                                        .influence_count = 8,
                                        .max_influences = 1,
                                        .first = first,
                                        .influences = influences}};
    pelt_skin_bounds* bounds;
    pelt_palette palette;
    ENSURE(pelt_skin_bounds_create(&bounds, &mesh) == PELT_OK);
    ENSURE(pelt_palette_create(&palette, 1) == PELT_OK);
    const pelt_vec3 axis = {0.0f, 0.0f, 1.0f};
    pelt_mat3 rotation = pelt_mat3_from_quat(pelt_quat_axis_angle(axis, 0.25f * PELT_PI));
    palette.matrices[0] = pelt_mat34_make(&rotation, pelt_vec3_make(0.0f, 5.0f, 0.0f));
    pelt_palette_decompose(&palette);
    const pelt_deform_options options = {0};
    pelt_bounds box = pelt_skin_bounds_at(bounds, &palette, &options, NULL);
    const float root = sqrtf(0.5f);
    // Room for rounding is a few millionths of the coordinates.
    ENSURE_POINT(box.min, pelt_vec3_make(0.0f, 5.0f, -1.0f), 3e-4f);
    ENSURE_POINT(box.max, pelt_vec3_make(4.0f * root, 5.0f + 4.0f * root, 1.0f), 3e-4f);
    pelt_palette_destroy(&palette);
    pelt_skin_bounds_destroy(bounds);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Random joints

enum
{
    COUNT = 300,
    JOINTS = 7
};

typedef struct variation
{
    float degrees; // joints rotate by up to this
    float scale;   // and stretch by up to this
    bool has_mirror;
} variation;

static point_set make_points(uint64_t seed, const variation* how)
{
    point_set m = point_set_random(seed, COUNT, JOINTS, 4, how->degrees);
    test_random random = {seed};
    for (uint32_t joint = 0; joint < JOINTS; ++joint)
    {
        pelt_transform size = pelt_transform_identity();
        size.scale = pelt_vec3_add(test_point(&random, how->scale), pelt_vec3_make(1, 1, 1));
        size.scale.x *= how->has_mirror && joint == 3 ? -1.0f : 1.0f;
        pelt_mat34 s = pelt_mat34_from_transform(size);
        if (how->scale > 0.0f || how->has_mirror)
        {
            m.palette.matrices[joint] = pelt_mat34_mul(&m.palette.matrices[joint], &s);
        }
    }
    point_set_pose(&m);
    return m;
}

static int check_points(uint64_t seed, const variation* how, const pelt_deform_options* options,
                        float* finite)
{
    point_set m = make_points(seed, how);
    if (pelt_method_info(options->method)->needs_smoothing)
    {
        pelt_ddm_variant variant = (pelt_ddm_variant)(seed % PELT_DDM_VARIANT_COUNT);
        ENSURE(point_set_smooth(&m, &(pelt_ddm_options){.variant = variant}));
    }
    const pelt_mesh mesh = mesh_of(&m);
    pelt_skin_bounds* bounds;
    ENSURE(pelt_skin_bounds_create(&bounds, &mesh) == PELT_OK);
    pelt_surface out = point_set_deform(&m, options);
    pelt_bounds box = pelt_skin_bounds_at(bounds, &m.palette, options, NULL);
    *finite += isfinite(box.min.x) ? 1.0f : 0.0f;
    float more = excess(&box, out.positions, COUNT);
    if (!(more <= 0.0f))
    {
        printf("  %s, seed %u, rule %d, pivot %d, variant %d: %g out\n",
               pelt_method_name(options->method), (unsigned)seed, (int)options->sign_rule,
               (int)options->scale_pivot, (int)options->dqs_variant, (double)more);
    }
    pelt_skin_bounds_destroy(bounds);
    point_set_free(&m);
    ENSURE(more <= 0.0f);
    return 0;
}

// All methods with all their options, joints at random.
static int boxes_hold_random_joints(void)
{
    static const variation variations[] = {{20.0f, 0.0f, false},  {90.0f, 0.0f, false},
                                           {180.0f, 0.0f, false}, {360.0f, 0.0f, false},
                                           {90.0f, 0.3f, false},  {180.0f, 0.5f, true}};
    int total = 0;
    float finite = 0.0f;
    const uint64_t last = test_is_full_sweep() ? 12 : 3;
    for (uint64_t seed = 1; seed <= last; ++seed)
    {
        for (size_t i = 0; i < sizeof variations / sizeof variations[0]; ++i)
        {
            for (int k = 0; k < PELT_METHOD_COUNT * PELT_SIGN_RULE_COUNT * 2 * 3; ++k)
            {
                const pelt_deform_options options = {
                    .method = (pelt_method)(k % PELT_METHOD_COUNT),
                    .sign_rule = (pelt_sign_rule)(k / PELT_METHOD_COUNT % PELT_SIGN_RULE_COUNT),
                    .scale_pivot =
                        (pelt_scale_pivot)(k / PELT_METHOD_COUNT / PELT_SIGN_RULE_COUNT % 2),
                    .dqs_variant =
                        (pelt_dqs_variant)(k / PELT_METHOD_COUNT / PELT_SIGN_RULE_COUNT / 2),
                    .lms_variant = (pelt_lms_variant)(seed % 2),
                    .mix = 0.7f};
                ENSURE(check_points(seed, &variations[i], &options, &finite) == 0);
                ++total;
            }
        }
    }
    printf("  %d boxes, %.0f %% of them finite\n", total, 100.0 * (double)finite / total);
    ENSURE(finite > 0.5f * (float)total);
    return 0;
}

// Boxes of joints for crs hold vertices in any pose, far from what was measured: joints are
// anywhere and differ in size. The margin of measured poses is nothing but rounding.
static int boxes_of_joints_hold_crs(void)
{
    static const variation rotations = {360.0f, 0.0f, false};
    const pelt_deform_options options = {.method = PELT_METHOD_CRS};
    for (uint64_t seed = 1; seed <= 40; ++seed)
    {
        point_set m = make_points(seed, &rotations);
        pelt_mesh mesh = mesh_of(&m);
        pelt_node nodes[JOINTS];
        uint32_t joints[JOINTS];
        pelt_mat34 binds[JOINTS];
        test_random random = {seed};
        for (uint32_t j = 0; j < JOINTS; ++j)
        {
            nodes[j] = (pelt_node){"joint", PELT_NONE, pelt_transform_identity()};
            joints[j] = j;
            binds[j] = pelt_mat34_identity();
            pelt_transform size = pelt_transform_identity();
            float s = 1.0f + 0.8f * test_point(&random, 1.0f).x;
            size.scale = pelt_vec3_make(s, s, s);
            pelt_mat34 scale = pelt_mat34_from_transform(size);
            m.palette.matrices[j] = pelt_mat34_mul(&m.palette.matrices[j], &scale);
        }
        point_set_pose(&m);
        const pelt_skin skin = {"skin", JOINTS, joints, binds};
        const pelt_instance instance = {.mesh = 0, .skin = 0};
        pelt_scene scene = {.node_count = JOINTS,
                            .mesh_count = 1,
                            .skin_count = 1,
                            .instance_count = 1,
                            .nodes = nodes,
                            .meshes = &mesh,
                            .skins = &skin,
                            .instances = &instance};
        pelt_arena* arena = pelt_arena_create();
        pelt_scene_bounds_report report;
        ENSURE(pelt_scene_add_bounds(&scene, &options, &report, arena, NULL) == PELT_OK);
        pelt_surface out = point_set_deform(&m, &options);
        pelt_bounds box = pelt_mesh_bounds_at(scene.meshes[0].bounds, &skin, m.palette.matrices);
        ENSURE(report.margin < 1e-5f);
        ENSURE(excess(&box, out.positions, COUNT) <= 1e-5f);
        pelt_arena_destroy(arena);
        point_set_free(&m);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Characters

typedef struct character
{
    pelt_scene scene;
    pelt_arena* arena;
    pelt_frame frame;
    pelt_pose pose;
    pelt_skin_bounds* bounds[8];
} character;

static bool character_create(character* out, const char* name)
{
    const pelt_scene* rig = shared_rig(name);
    *out = (character){.arena = pelt_arena_create()};
    if (rig == NULL || out->arena == NULL || rig->instance_count > 8)
    {
        return false;
    }
    out->scene = *rig;
    bool is_ok = pelt_scene_add_cors(&out->scene, PELT_PREPARE_MISSING, NULL, NULL, out->arena,
                                     NULL) == PELT_OK &&
                 pelt_scene_add_ddm(&out->scene, PELT_PREPARE_MISSING, NULL, NULL, out->arena,
                                    NULL) == PELT_OK &&
                 pelt_frame_create(&out->frame, &out->scene) == PELT_OK &&
                 pelt_frame_prepare(&out->frame, &out->scene) == PELT_OK &&
                 pelt_pose_create(&out->pose, &out->scene) == PELT_OK;
    for (uint32_t i = 0; i < out->scene.instance_count && is_ok; ++i)
    {
        const pelt_instance* instance = &out->scene.instances[i];
        is_ok =
            instance->skin == PELT_NONE ||
            pelt_skin_bounds_create(&out->bounds[i], &out->scene.meshes[instance->mesh]) == PELT_OK;
    }
    return is_ok;
}

static void character_destroy(character* c)
{
    for (uint32_t i = 0; i < 8; ++i)
    {
        pelt_skin_bounds_destroy(c->bounds[i]);
    }
    pelt_frame_destroy(&c->frame);
    pelt_pose_destroy(&c->pose);
    pelt_arena_destroy(c->arena);
}

static float worst_excess(character* c, const pelt_deform_options* options)
{
    float worst = -INFINITY;
    pelt_frame_update(&c->frame, &c->scene, &c->pose, options);
    for (uint32_t i = 0; i < c->scene.instance_count; ++i)
    {
        const pelt_instance* instance = &c->scene.instances[i];
        if (instance->skin != PELT_NONE)
        {
            const pelt_mesh* mesh = &c->scene.meshes[instance->mesh];
            pelt_bounds box =
                pelt_skin_bounds_at(c->bounds[i], &c->frame.palettes[instance->skin], options,
                                    c->pose.morph_weights + instance->first_morph_weight);
            worst = fmaxf(worst, excess(&box, c->frame.surfaces[i].positions, mesh->vertex_count));
        }
    }
    return worst;
}

// Clips, and every joint rotated at random on top of them.
static int boxes_hold_characters_in_any_pose(void)
{
    static const char* const names[] = {"human?vertices=2000", "raptor?vertices=2000", "box",
                                        "arm"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; ++n)
    {
        character c;
        test_random random = {n + 1};
        ENSURE(character_create(&c, names[n]));
        for (int k = 0; k < 60; ++k)
        {
            const pelt_deform_options options = {.method = (pelt_method)(k % PELT_METHOD_COUNT),
                                                 .mix = 0.5f};
            uint32_t clip = (uint32_t)k % (c.scene.clip_count > 0 ? c.scene.clip_count : 1);
            if (c.scene.clip_count > 0)
            {
                float time = test_uniform(&random, 0.0f, c.scene.clips[clip].duration);
                pelt_pose_sample(&c.pose, &c.scene, &c.scene.clips[clip], time, PELT_WRAP_CLAMP);
            }
            for (uint32_t j = 0; j < c.scene.node_count && k % 3 != 0; ++j)
            {
                pelt_quat rotation = test_rotation(&random, k % 3 == 1 ? 40.0f : 180.0f);
                c.pose.locals[j].rotation = pelt_quat_mul(c.pose.locals[j].rotation, rotation);
            }
            ENSURE(worst_excess(&c, &options) <= 0.0f);
        }
        character_destroy(&c);
    }
    return 0;
}

// Weights of morph targets of both signs, beyond one.
static int boxes_hold_morph_targets(void)
{
    const variation how = {60.0f, 0.2f, false};
    for (uint64_t seed = 1; seed <= 12; ++seed)
    {
        point_set m = make_points(seed, &how);
        pelt_vec3 moves[2][COUNT];
        test_random random = {seed + 99};
        for (uint32_t v = 0; v < COUNT; ++v)
        {
            moves[0][v] = test_point(&random, 0.3f);
            moves[1][v] = pelt_vec3_make(0.5f, 0.0f, v % 2 == 0 ? 0.2f : 0.0f);
        }
        const pelt_morph morphs[3] = {
            {.positions = moves[0]}, {.positions = NULL}, {.positions = moves[1]}};
        const float weights[3] = {-1.5f, 1.0f, 0.8f};
        const pelt_ddm_options smoothing = {.variant =
                                                (pelt_ddm_variant)(seed % PELT_DDM_VARIANT_COUNT)};
        ENSURE(point_set_smooth(&m, &smoothing));
        pelt_mesh mesh = mesh_of(&m);
        mesh.morphs = morphs;
        mesh.morph_count = 3;
        pelt_skin_bounds* bounds;
        ENSURE(pelt_skin_bounds_create(&bounds, &mesh) == PELT_OK);
        for (uint32_t v = 0; v < COUNT; ++v)
        {
            m.positions[v] = pelt_vec3_mad(m.positions[v], weights[0], moves[0][v]);
            m.positions[v] = pelt_vec3_mad(m.positions[v], weights[2], moves[1][v]);
        }
        for (int k = 0; k < PELT_METHOD_COUNT; ++k)
        {
            const pelt_deform_options options = {.method = (pelt_method)k, .mix = 0.5f};
            pelt_surface out = point_set_deform(&m, &options);
            pelt_bounds box = pelt_skin_bounds_at(bounds, &m.palette, &options, weights);
            ENSURE(excess(&box, out.positions, COUNT) <= 0.0f);
        }
        pelt_skin_bounds_destroy(bounds);
        point_set_free(&m);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Boxes in files

static int boxes_of_clips_hold_all_times(void)
{
    static const char* const names[] = {"human?vertices=2000", "box"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; ++n)
    {
        for (int method = 0; method < 4; ++method)
        {
            character c;
            test_random random = {n + 7};
            const pelt_deform_options options = {.method = (pelt_method)method, .mix = 0.5f};
            ENSURE(character_create(&c, names[n]));
            ENSURE(pelt_scene_add_bounds(&c.scene, &options, NULL, c.arena, NULL) == PELT_OK);
            for (int k = 0; k < 40; ++k)
            {
                uint32_t clip = (uint32_t)k % c.scene.clip_count;
                float time = test_uniform(&random, 0.0f, c.scene.clips[clip].duration);
                pelt_pose_sample(&c.pose, &c.scene, &c.scene.clips[clip], time, PELT_WRAP_CLAMP);
                pelt_frame_update(&c.frame, &c.scene, &c.pose, &options);
                for (uint32_t i = 0; i < c.scene.instance_count; ++i)
                {
                    const pelt_instance* instance = &c.scene.instances[i];
                    const pelt_mesh* mesh = &c.scene.meshes[instance->mesh];
                    ENSURE(mesh->bounds != NULL && mesh->bounds->method == options.method);
                    const pelt_vec3* p = c.frame.surfaces[i].positions;
                    const pelt_bounds joints = pelt_mesh_bounds_at(
                        mesh->bounds, &c.scene.skins[instance->skin], c.frame.model_from_node);
                    // Deformers differ from the reference by 2e-6 of the size.
                    float room = 4e-6f * pelt_bounds_diagonal(&mesh->bounds->box);
                    ENSURE(excess(&mesh->bounds->clips[clip].box, p, mesh->vertex_count) <= room);
                    ENSURE(excess(&mesh->bounds->box, p, mesh->vertex_count) <= room);
                    ENSURE(excess(&joints, p, mesh->vertex_count) <= room);
                }
            }
            character_destroy(&c);
        }
    }
    return 0;
}

// Every vertex is a mean of points in boxes of joints.
static int joint_boxes_hold_lbs_in_any_pose(void)
{
    character c;
    test_random random = {5};
    const pelt_deform_options options = {0};
    ENSURE(character_create(&c, "human?vertices=2000"));
    ENSURE(pelt_scene_add_bounds(&c.scene, &options, NULL, c.arena, NULL) == PELT_OK);
    for (int k = 0; k < 40; ++k)
    {
        for (uint32_t j = 0; j < c.scene.node_count; ++j)
        {
            c.pose.locals[j].rotation = test_rotation(&random, 180.0f);
        }
        pelt_frame_update(&c.frame, &c.scene, &c.pose, &options);
        const pelt_mesh* mesh = &c.scene.meshes[c.scene.instances[0].mesh];
        pelt_bounds box =
            pelt_mesh_bounds_at(mesh->bounds, &c.scene.skins[0], c.frame.model_from_node);
        ENSURE(excess(&box, c.frame.surfaces[0].positions, mesh->vertex_count) <=
               4e-6f * pelt_bounds_diagonal(&box));
    }
    character_destroy(&c);
    return 0;
}

static int missing_centers_are_an_error(void)
{
    const pelt_scene* rig = shared_rig("box");
    pelt_arena* arena = pelt_arena_create();
    pelt_scene scene = *rig;
    pelt_error error = {{0}};
    const pelt_deform_options options = {.method = PELT_METHOD_CRS};
    ENSURE(pelt_scene_add_bounds(&scene, &options, NULL, arena, &error) == PELT_ERROR_DATA);
    ENSURE(strstr(error.message, "centers of rotation") != NULL);
    ENSURE(scene.meshes == rig->meshes);
    pelt_arena_destroy(arena);
    return 0;
}

static pelt_result try_bounds(const void* context)
{
    pelt_scene scene = *(const pelt_scene*)context;
    pelt_arena* arena = pelt_arena_create();
    const pelt_deform_options options = {.method = PELT_METHOD_DQS};
    pelt_skin_bounds* bounds = NULL;
    pelt_result result = arena != NULL ? PELT_OK : PELT_ERROR_MEMORY;
    result = result == PELT_OK ? pelt_skin_bounds_create(&bounds, scene.meshes) : result;
    result =
        result == PELT_OK ? pelt_scene_add_bounds(&scene, &options, NULL, arena, NULL) : result;
    pelt_skin_bounds_destroy(bounds);
    pelt_arena_destroy(arena);
    return result;
}

static int no_memory_is_an_error(void)
{
    ENSURE(failing_heap_check(try_bounds, shared_rig("box"), 4) == 0);
    return 0;
}

void test_skin_bounds(void)
{
    RUN(box_of_a_turned_cube_is_exact);
    RUN(boxes_hold_random_joints);
    RUN(boxes_of_joints_hold_crs);
    RUN(boxes_hold_characters_in_any_pose);
    RUN(boxes_hold_morph_targets);
    RUN(boxes_of_clips_hold_all_times);
    RUN(joint_boxes_hold_lbs_in_any_pose);
    RUN(missing_centers_are_an_error);
    RUN(no_memory_is_an_error);
}
