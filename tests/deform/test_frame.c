// SPDX-License-Identifier: MIT
// The whole pipeline in one call, against the same pipeline run stage by stage.
#include "test.h"

#include <string.h>

enum
{
    // More than two chunks of work, and not a multiple of anything.
    COUNT = 5003,
    JOINTS = 3,
    NODES = 8
};

// Two skins over six of the nodes, the second in another bind pose; one mesh without a skin.
// Instances: mesh 0 on skin 0, mesh 1 (with a shape) on skin 1, mesh 0 again unskinned on node 7,
// mesh 1 again on skin 0 with another weight of its shape.
typedef struct stage
{
    pelt_arena* arena;
    pelt_node nodes[NODES];
    pelt_vec3 positions[COUNT], normals[COUNT], cors[COUNT], shape[COUNT];
    pelt_vec4 tangents[COUNT];
    uint32_t joints[2][JOINTS];
    pelt_mat34 inverse_binds[2][JOINTS];
    pelt_morph morph;
    pelt_mesh meshes[2];
    pelt_skin skins[2];
    pelt_instance instances[4];
    pelt_scene scene;
    pelt_pose pose;
} stage;

static void fill_vertices(stage* s, test_random* random)
{
    for (uint32_t v = 0; v < COUNT; ++v)
    {
        pelt_vec3 tangent = pelt_vec3_normalize(test_point(random, 1.0f));
        s->positions[v] = test_point(random, 1.0f);
        s->normals[v] = pelt_vec3_normalize(test_point(random, 1.0f));
        s->tangents[v] = (pelt_vec4){tangent.x, tangent.y, tangent.z, 1.0f};
        s->cors[v] = test_point(random, 0.5f);
        s->shape[v] = test_point(random, 0.2f);
    }
}

// Vertices 0, 10, 20 ... get no weight.
static pelt_result fill_weights(stage* s, test_random* random)
{
    static uint32_t joints[COUNT * JOINTS];
    static float weights[COUNT * JOINTS];
    for (uint32_t i = 0; i < COUNT * JOINTS; ++i)
    {
        joints[i] = i % JOINTS;
        weights[i] = i / JOINTS % 10 == 0 ? 0.0f : test_uniform(random, 0.0f, 1.0f);
    }
    pelt_weights_source source = {.vertex_count = COUNT,
                                  .joint_count = JOINTS,
                                  .per_vertex = JOINTS,
                                  .joints_u32 = joints,
                                  .weights = weights};
    return pelt_weights_import(&s->meshes[0].weights, NULL, &source, s->arena);
}

static void fill_skeleton(stage* s, test_random* random)
{
    for (uint32_t i = 0; i < NODES; ++i)
    {
        s->nodes[i] =
            (pelt_node){"node", i > 0 ? (i - 1) / 2 : PELT_NONE, pelt_transform_identity()};
        s->nodes[i].rest.translation = test_point(random, 0.5f);
    }
    for (uint32_t i = 0; i < 2 * JOINTS; ++i)
    {
        pelt_transform bind = pelt_transform_identity();
        bind.translation = test_point(random, 0.5f);
        s->joints[i / JOINTS][i % JOINTS] = i;
        s->inverse_binds[i / JOINTS][i % JOINTS] = pelt_mat34_from_transform(bind);
    }
}

static stage* make(uint64_t seed)
{
    static stage storage;
    stage* s = &storage;
    test_random random = {seed};
    *s = (stage){.arena = pelt_arena_create()};
    fill_vertices(s, &random);
    fill_skeleton(s, &random);
    s->meshes[0] = (pelt_mesh){.name = "mesh",
                               .vertex_count = COUNT,
                               .positions = s->positions,
                               .normals = s->normals,
                               .tangents = s->tangents,
                               .cors = s->cors,
                               .material = PELT_NONE};
    pelt_result result = fill_weights(s, &random);
    s->morph = (pelt_morph){"shape", s->shape, s->shape, s->shape};
    s->meshes[1] = s->meshes[0];
    s->meshes[1].morph_count = 1;
    s->meshes[1].morphs = &s->morph;
    s->skins[0] = (pelt_skin){"a", JOINTS, s->joints[0], s->inverse_binds[0]};
    s->skins[1] = (pelt_skin){"b", JOINTS, s->joints[1], s->inverse_binds[1]};
    s->instances[0] = (pelt_instance){0, 0, PELT_NONE, 0};
    s->instances[1] = (pelt_instance){1, 1, PELT_NONE, 0};
    s->instances[2] = (pelt_instance){0, PELT_NONE, 7, 1};
    s->instances[3] = (pelt_instance){1, 0, PELT_NONE, 1};
    s->scene = (pelt_scene){.node_count = NODES,
                            .mesh_count = 2,
                            .skin_count = 2,
                            .instance_count = 4,
                            .morph_weight_count = 2,
                            .nodes = s->nodes,
                            .meshes = s->meshes,
                            .skins = s->skins,
                            .instances = s->instances};
    if (result != PELT_OK || pelt_scene_validate(&s->scene, NULL) != PELT_OK ||
        pelt_pose_create(&s->pose, &s->scene) != PELT_OK)
    {
        return NULL;
    }
    for (uint32_t i = 0; i < NODES; ++i)
    {
        s->pose.locals[i].rotation = test_rotation(&random, 180.0f);
        s->pose.locals[i].scale.y = test_uniform(&random, 0.8f, 1.2f);
    }
    s->pose.morph_weights[0] = 0.7f;
    s->pose.morph_weights[1] = -0.4f;
    return s;
}

static void destroy(stage* s)
{
    pelt_pose_destroy(&s->pose);
    pelt_arena_destroy(s->arena);
}

static bool are_equal(const pelt_surface* a, const pelt_surface* b)
{
    return memcmp(a->positions, b->positions, COUNT * sizeof(pelt_vec3)) == 0 &&
           memcmp(a->normals, b->normals, COUNT * sizeof(pelt_vec3)) == 0 &&
           memcmp(a->tangents, b->tangents, COUNT * sizeof(pelt_vec4)) == 0;
}

static pelt_surface new_surface(pelt_arena* arena)
{
    return (pelt_surface){.positions = pelt_arena_alloc(arena, COUNT, sizeof(pelt_vec3)),
                          .normals = pelt_arena_alloc(arena, COUNT, sizeof(pelt_vec3)),
                          .tangents = pelt_arena_alloc(arena, COUNT, sizeof(pelt_vec4))};
}

static void sign_palette(pelt_palette* palette, const stage* s, uint32_t skin,
                         const pelt_deform_options* options)
{
    pelt_joint_parent parents[JOINTS];
    pelt_quat rotations[NODES];
    pelt_joint_parents_find(parents, &s->skins[skin], &s->scene);
    pelt_pose_to_rotations(rotations, &s->scene, &s->pose);
    if (options->sign_rule == PELT_SIGN_HIERARCHY)
    {
        pelt_palette_unwrap(palette, &s->skins[skin], parents, rotations);
    }
    else if (options->dqs_variant == PELT_DQS_OPTIMIZED)
    {
        pelt_palette_align(palette, parents);
    }
}

// Pose, palette, shapes, deformation: each stage by its own function, all vertices at once.
static int walk(pelt_surface* out, const stage* s, uint32_t index,
                const pelt_deform_options* options)
{
    const pelt_instance* instance = &s->scene.instances[index];
    const pelt_mesh* mesh = &s->meshes[instance->mesh];
    pelt_mat34 model_from_node[NODES];
    pelt_palette palette;
    pelt_surface shaped = new_surface(s->arena);
    *out = new_surface(s->arena);
    pelt_pose_to_model(model_from_node, &s->scene, &s->pose);
    ENSURE(pelt_palette_create(&palette, JOINTS) == PELT_OK);
    pelt_palette_build(&palette, &s->skins[instance->skin], model_from_node);
    sign_palette(&palette, s, instance->skin, options);
    pelt_morph_apply(&shaped, mesh, s->pose.morph_weights + instance->first_morph_weight,
                     (pelt_range){0, COUNT});
    bool has_shapes = mesh->morph_count > 0;
    pelt_deform_input input = {.positions = has_shapes ? shaped.positions : mesh->positions,
                               .normals = has_shapes ? shaped.normals : mesh->normals,
                               .tangents = has_shapes ? shaped.tangents : mesh->tangents,
                               .cors = mesh->cors,
                               .weights = &mesh->weights,
                               .palette = &palette};
    pelt_deform(out, &input, options, (pelt_range){0, COUNT});
    pelt_palette_destroy(&palette);
    return 0;
}

static int frame_is_the_stages_bit_for_bit(void)
{
    // Each method, and then some poses in which signs of quaternions are to be aligned or wound.
    for (uint32_t i = 0; i < PELT_METHOD_COUNT + 8; ++i)
    {
        stage* s = make(i + 1);
        pelt_deform_options options = {.method = (pelt_method)(i % PELT_METHOD_COUNT), .mix = 0.3f};
        if (i >= PELT_METHOD_COUNT)
        {
            options.method = PELT_METHOD_DQS;
            options.dqs_variant = PELT_DQS_OPTIMIZED;
            options.sign_rule = i % 2 == 0 ? PELT_SIGN_HEAVIEST : PELT_SIGN_HIERARCHY;
        }
        pelt_frame frame;
        ENSURE(s != NULL && pelt_frame_create(&frame, &s->scene) == PELT_OK);
        ENSURE(frame.instance_count == 4 && frame.cors[0] == s->cors);
        pelt_frame_update(&frame, &s->scene, &s->pose, &options);
        for (uint32_t k = 0; k < 4; k += k == 1 ? 2 : 1)
        {
            pelt_surface expected;
            ENSURE(walk(&expected, s, k, &options) == 0);
            ENSURE(are_equal(&frame.surfaces[k], &expected));
        }
        pelt_frame_destroy(&frame);
        destroy(s);
    }
    return 0;
}

static int number_of_threads_does_not_show(void)
{
    stage* s = make(20);
    pelt_frame plain, threaded;
    ENSURE(s != NULL && pelt_frame_create(&plain, &s->scene) == PELT_OK);
    ENSURE(pelt_frame_create(&threaded, &s->scene) == PELT_OK);
    for (uint32_t threads = 1; threads <= 5; ++threads)
    {
        pelt_deform_options options = {.method = (pelt_method)(threads % PELT_METHOD_COUNT)};
        pelt_frame_update(&plain, &s->scene, &s->pose, &options);
        pelt_hooks before = pelt_hooks_get(), hooks = before;
        pelt_pool* pool = pelt_pool_create(threads);
        hooks.run = pelt_pool_run;
        hooks.run_user = pool;
        pelt_hooks_set(&hooks);
        // Twice: what the frame before left behind must not show either.
        pelt_frame_update(&threaded, &s->scene, &s->pose, &options);
        pelt_frame_update(&threaded, &s->scene, &s->pose, &options);
        pelt_hooks_set(&before);
        pelt_pool_destroy(pool);
        for (uint32_t k = 0; k < 4; ++k)
        {
            ENSURE(are_equal(&plain.surfaces[k], &threaded.surfaces[k]));
        }
    }
    pelt_frame_destroy(&plain);
    pelt_frame_destroy(&threaded);
    destroy(s);
    return 0;
}

static int unskinned_instance_follows_its_node(void)
{
    stage* s = make(30);
    pelt_frame frame;
    ENSURE(s != NULL && pelt_frame_create(&frame, &s->scene) == PELT_OK);
    pelt_frame_update(&frame, &s->scene, &s->pose, &(pelt_deform_options){0});
    pelt_mat34 model_from_node[NODES];
    pelt_pose_to_model(model_from_node, &s->scene, &s->pose);
    pelt_mat3 linear = pelt_mat34_linear(&model_from_node[7]);
    for (uint32_t v = 0; v < COUNT; ++v)
    {
        const pelt_surface* out = &frame.surfaces[2];
        ENSURE_POINT(out->positions[v], pelt_mat34_point(&model_from_node[7], s->positions[v]),
                     1e-6);
        pelt_vec4 t = s->tangents[v], moved = out->tangents[v];
        pelt_vec3 expected = pelt_mat3_vector(&linear, pelt_vec3_make(t.x, t.y, t.z));
        ENSURE_POINT(pelt_vec3_make(moved.x, moved.y, moved.z), pelt_vec3_normalize(expected),
                     1e-6);
        // Normals stay perpendicular to what was perpendicular to them.
        pelt_vec3 side = pelt_vec3_cross(s->normals[v], pelt_vec3_make(0.6f, 0.0f, 0.8f));
        ENSURE_NEAR(pelt_vec3_dot(out->normals[v], pelt_mat3_vector(&linear, side)), 0.0, 2e-6);
    }
    pelt_frame_destroy(&frame);
    destroy(s);
    return 0;
}

static int vertices_without_weights_stay(void)
{
    stage* s = make(40);
    pelt_frame frame;
    ENSURE(s != NULL && pelt_frame_create(&frame, &s->scene) == PELT_OK);
    for (uint32_t method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        pelt_deform_options options = {.method = (pelt_method)method};
        pelt_frame_update(&frame, &s->scene, &s->pose, &options);
        for (uint32_t v = 0; v < COUNT; v += 10)
        {
            // At rest, or where the shape puts them.
            pelt_vec3 shaped = pelt_vec3_mad(s->positions[v], 0.7f, s->shape[v]);
            ENSURE_POINT(frame.surfaces[0].positions[v], s->positions[v], 0.0);
            ENSURE_POINT(frame.surfaces[0].normals[v], s->normals[v], 0.0);
            ENSURE_POINT(frame.surfaces[1].positions[v], shaped, 0.0);
        }
    }
    pelt_frame_destroy(&frame);
    destroy(s);
    return 0;
}

// A mean of what LBS and DQS give, by a factor of each vertex; the option counts when the frame has
// no factors.
static int factors_of_a_mesh_count_unless_the_frame_has_none(void)
{
    static float factors[COUNT];
    stage* s = make(50);
    pelt_frame frame, lbs, dqs;
    for (uint32_t v = 0; v < COUNT; ++v)
    {
        factors[v] = (float)(v % 5) / 4.0f;
    }
    ENSURE(s != NULL);
    s->meshes[0].mix_factors = factors;
    ENSURE(pelt_frame_create(&frame, &s->scene) == PELT_OK);
    ENSURE(pelt_frame_create(&lbs, &s->scene) == PELT_OK);
    ENSURE(pelt_frame_create(&dqs, &s->scene) == PELT_OK);
    pelt_frame_update(&lbs, &s->scene, &s->pose, &(pelt_deform_options){0});
    pelt_frame_update(&dqs, &s->scene, &s->pose, &(pelt_deform_options){.method = PELT_METHOD_DQS});
    for (int round = 0; round < 2; ++round)
    {
        pelt_deform_options mixed = {.method = PELT_METHOD_MIX, .mix = 0.3f};
        frame.mix_factors[0] = round == 0 ? frame.mix_factors[0] : NULL;
        pelt_frame_update(&frame, &s->scene, &s->pose, &mixed);
        for (uint32_t v = 0; v < COUNT; ++v)
        {
            pelt_vec3 expected =
                pelt_vec3_lerp(lbs.surfaces[0].positions[v], dqs.surfaces[0].positions[v],
                               round == 0 ? factors[v] : 0.3f);
            ENSURE_POINT(frame.surfaces[0].positions[v], expected, 1e-6);
        }
    }
    pelt_frame_destroy(&frame);
    pelt_frame_destroy(&lbs);
    pelt_frame_destroy(&dqs);
    destroy(s);
    return 0;
}

// Under one option for all: mesh 0 as DQS alone gives it, mesh 1 as CRS does. What the meshes name
// counts only once the frame has it.
static int methods_of_a_frame_count_mesh_by_mesh(void)
{
    static const pelt_method methods[2] = {PELT_METHOD_DQS, PELT_METHOD_CRS};
    stage* s = make(51);
    pelt_frame frame, alone[2], lbs;
    ENSURE(s != NULL);
    s->meshes[0].has_method = s->meshes[1].has_method = true;
    s->meshes[0].method = s->meshes[1].method = PELT_METHOD_SBS;
    ENSURE(pelt_frame_create(&frame, &s->scene) == PELT_OK);
    ENSURE(pelt_frame_create(&lbs, &s->scene) == PELT_OK);
    pelt_frame_update(&lbs, &s->scene, &s->pose, &(pelt_deform_options){0});
    for (uint32_t i = 0; i < 2; ++i)
    {
        ENSURE(pelt_frame_create(&alone[i], &s->scene) == PELT_OK);
        pelt_frame_update(&alone[i], &s->scene, &s->pose,
                          &(pelt_deform_options){.method = methods[i]});
        ENSURE(!are_equal(&alone[i].surfaces[i], &lbs.surfaces[i]));
        frame.methods[i] = methods[i];
    }
    pelt_frame_update(&frame, &s->scene, &s->pose, &(pelt_deform_options){0});
    for (uint32_t i = 0; i < s->scene.instance_count; ++i)
    {
        uint32_t mesh = s->instances[i].mesh;
        ENSURE(are_equal(&frame.surfaces[i], &alone[mesh].surfaces[i]));
    }
    pelt_frame_destroy(&frame);
    pelt_frame_destroy(&lbs);
    pelt_frame_destroy(&alone[0]);
    pelt_frame_destroy(&alone[1]);
    destroy(s);
    return 0;
}

void test_frame(void)
{
    RUN(frame_is_the_stages_bit_for_bit);
    RUN(number_of_threads_does_not_show);
    RUN(unskinned_instance_follows_its_node);
    RUN(vertices_without_weights_stay);
    RUN(factors_of_a_mesh_count_unless_the_frame_has_none);
    RUN(methods_of_a_frame_count_mesh_by_mesh);
}
