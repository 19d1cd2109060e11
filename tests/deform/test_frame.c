// SPDX-License-Identifier: MIT
// The whole pipeline in one call, against the same pipeline run stage by stage.
#include "failing_heap.h"
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
// Instances: mesh 0 on skin 0, mesh 1 (with a morph target) on skin 1, mesh 0 again unskinned on
// node 7, mesh 1 again on skin 0 with another weight of its morph target.
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

// Pose, palette, morph targets, deformation: each stage by its own function, all vertices at once.
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
    bool has_morphs = mesh->morph_count > 0;
    pelt_deform_input input = {.positions = has_morphs ? shaped.positions : mesh->positions,
                               .normals = has_morphs ? shaped.normals : mesh->normals,
                               .tangents = has_morphs ? shaped.tangents : mesh->tangents,
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

static void copy_present(pelt_surface* to, const pelt_surface* from)
{
    to->positions = to->positions == NULL ? from->positions : to->positions;
    to->normals = to->normals == NULL ? from->normals : to->normals;
    to->tangents = to->tangents == NULL ? from->tangents : to->tangents;
}

// Every choice of arrays by every method, by the reference and by deformers one after another: an
// array that is computed has the bits that it has when all are.
static int arrays_that_are_null_are_not_computed(void)
{
    for (uint32_t i = 0; i < 8 * PELT_METHOD_COUNT; ++i)
    {
        stage* s = make(300 + i);
        pelt_deform_options options = {.method = (pelt_method)(i / 8), .mix = 0.3f};
        pelt_frame all, some;
        ENSURE(s != NULL && pelt_frame_create(&all, &s->scene) == PELT_OK);
        ENSURE(pelt_frame_create(&some, &s->scene) == PELT_OK);
        if ((i ^ i / 8) % 2 == 1)
        {
            ENSURE(pelt_frame_prepare(&all, &s->scene) == PELT_OK);
            pelt_frame_share(&some, &all);
        }
        for (uint32_t k = 0; k < 4; ++k)
        {
            pelt_surface* surface = &some.surfaces[k];
            surface->positions = i & 1 ? surface->positions : NULL;
            surface->normals = i & 2 ? surface->normals : NULL;
            surface->tangents = i & 4 ? surface->tangents : NULL;
        }
        pelt_frame_update(&all, &s->scene, &s->pose, &options);
        pelt_frame_pose(&some, &s->scene, &s->pose, &options);
        pelt_frame_deform(&some, &s->scene, &s->pose, &options);
        for (uint32_t k = 0; k < 4; ++k)
        {
            pelt_surface computed = some.surfaces[k];
            copy_present(&computed, &all.surfaces[k]);
            ENSURE(are_equal(&computed, &all.surfaces[k]));
        }
        pelt_frame_destroy(&some);
        pelt_frame_destroy(&all);
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

// Mirrored, flattened so that some directions vanish, and so small that squares underflow.
static int directions_of_unskinned_instances_are_unit(void)
{
    static const pelt_vec3 scales[] = {{-1, 1, 1}, {1, 0, 1}, {1e-20f, 1e-20f, 2e-20f}};
    stage* s = make(30);
    pelt_frame frame;
    ENSURE(s != NULL && pelt_frame_create(&frame, &s->scene) == PELT_OK);
    for (uint32_t v = 0; v < COUNT; v += 7)
    {
        s->normals[v] = pelt_vec3_make(1.0f, 0.0f, 0.0f);
        s->tangents[v] = (pelt_vec4){0.0f, 1.0f, 0.0f, 1.0f};
    }
    for (uint32_t i = 0; i < sizeof scales / sizeof scales[0]; ++i)
    {
        for (uint32_t node = 0; node < NODES; ++node)
        {
            s->pose.locals[node].scale = node == 7 ? scales[i] : pelt_vec3_make(1, 1, 1);
        }
        pelt_frame_update(&frame, &s->scene, &s->pose, &(pelt_deform_options){0});
        pelt_mat34 model_from_node[NODES];
        pelt_pose_to_model(model_from_node, &s->scene, &s->pose);
        pelt_mat3 linear = pelt_mat34_linear(&model_from_node[7]);
        for (uint32_t v = 0; v < COUNT; ++v)
        {
            pelt_vec3 normal = frame.surfaces[2].normals[v];
            pelt_vec4 tangent = frame.surfaces[2].tangents[v];
            pelt_vec3 direction = {tangent.x, tangent.y, tangent.z};
            ENSURE_NEAR(pelt_vec3_length(normal), 1.0f, 1e-6f);
            ENSURE_NEAR(pelt_vec3_length(direction), 1.0f, 1e-6f);
            ENSURE(tangent.w == (i == 0 ? -1.0f : 1.0f));
            // The inverse transpose keeps this product of the two at rest, which is 1.
            pelt_vec3 along = pelt_mat3_vector(&linear, s->normals[v]);
            ENSURE(i == 1 || pelt_vec3_dot(normal, along) > 0.0f);
        }
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
            // At rest, or where the morph target puts them.
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

// ---------------------------------------------------------------------------------------------
// Prepared frames

static int surfaces_are_near(const pelt_surface* a, const pelt_surface* b)
{
    pelt_bounds box = pelt_bounds_empty();
    pelt_bounds_add(&box, b->positions, COUNT);
    pelt_bounds_add(&box, &(pelt_vec3){0.0f, 0.0f, 0.0f}, 1);
    double size = (double)pelt_bounds_diagonal(&box);
    for (uint32_t v = 0; v < COUNT; ++v)
    {
        // As pelt_frame_prepare() promises; the sine of 0.05 degrees.
        ENSURE_POINT(a->positions[v], b->positions[v], 2e-6 * size);
        ENSURE(pelt_vec3_distance(a->normals[v], b->normals[v]) < 8.7e-4f);
        pelt_vec4 s = a->tangents[v], t = b->tangents[v];
        ENSURE_POINT(pelt_vec3_make(s.x, s.y, s.z), pelt_vec3_make(t.x, t.y, t.z), 8.7e-4);
        ENSURE(s.w == t.w);
    }
    return 0;
}

// Smaller rotations than those of make(), as characters have: most blocks are for kernels then.
static void calm(stage* s, uint64_t seed)
{
    test_random random = {seed};
    for (uint32_t i = 0; i < NODES; ++i)
    {
        s->pose.locals[i].rotation = test_rotation(&random, 40.0f);
    }
}

static int prepared_frames_are_near_the_reference(void)
{
    for (uint32_t i = 0; i < 4 * PELT_METHOD_COUNT; ++i)
    {
        stage* s = make(60 + i);
        pelt_frame frame, reference;
        pelt_deform_options options = {.method = (pelt_method)(i % PELT_METHOD_COUNT), .mix = 0.3f};
        ENSURE(s != NULL && pelt_frame_create(&frame, &s->scene) == PELT_OK);
        ENSURE(pelt_frame_create(&reference, &s->scene) == PELT_OK);
        if (i / PELT_METHOD_COUNT % 2 == 0)
        {
            calm(s, i);
        }
        // A morph target that is in use, and one that is not.
        s->pose.morph_weights[0] = i / PELT_METHOD_COUNT < 2 ? 0.7f : 0.0f;
        ENSURE(pelt_frame_prepare(&frame, &s->scene) == PELT_OK);
        pelt_frame_update(&frame, &s->scene, &s->pose, &options);
        pelt_frame_update(&reference, &s->scene, &s->pose, &options);
        for (uint32_t k = 0; k < 4; ++k)
        {
            ENSURE(surfaces_are_near(&frame.surfaces[k], &reference.surfaces[k]) == 0);
        }
        // The same frame gives the reference itself when that is asked for.
        options.is_exact = true;
        pelt_frame_update(&frame, &s->scene, &s->pose, &options);
        for (uint32_t k = 0; k < 4; ++k)
        {
            ENSURE(are_equal(&frame.surfaces[k], &reference.surfaces[k]));
        }
        pelt_frame_destroy(&frame);
        pelt_frame_destroy(&reference);
        destroy(s);
    }
    return 0;
}

// Whether an instance comes from a deformer, which has a copy of the positions: it alone does not
// see that they change. That breaks the contract of pelt_frame_prepare(), so it is undone.
static bool is_from_deformer(pelt_frame* frame, stage* s, uint32_t instance,
                             const pelt_deform_options* options)
{
    const uint32_t v = COUNT / 2; // far from vertices without weights, which are the reference's
    const pelt_vec3 before = s->positions[v];
    pelt_frame_update(frame, &s->scene, &s->pose, options);
    pelt_vec3 old = frame->surfaces[instance].positions[v];
    s->positions[v].x += 10.0f;
    pelt_frame_update(frame, &s->scene, &s->pose, options);
    pelt_vec3 now = frame->surfaces[instance].positions[v];
    s->positions[v] = before;
    return pelt_vec3_distance(old, now) == 0.0f;
}

static int deformers_are_used_where_they_fit(void)
{
    static pelt_vec3 other_cors[COUNT];
    stage* s = make(90);
    pelt_frame frame;
    const pelt_deform_options lbs = {0}, crs = {.method = PELT_METHOD_CRS},
                              exact = {.is_exact = true}, lms = {.method = PELT_METHOD_LMS};
    ENSURE(s != NULL && pelt_frame_create(&frame, &s->scene) == PELT_OK);
    calm(s, 90);
    ENSURE(!is_from_deformer(&frame, s, 0, &lbs));
    ENSURE(pelt_frame_prepare(&frame, &s->scene) == PELT_OK);
    ENSURE(is_from_deformer(&frame, s, 0, &lbs) && is_from_deformer(&frame, s, 0, &crs));
    ENSURE(!is_from_deformer(&frame, s, 0, &exact) && !is_from_deformer(&frame, s, 0, &lms));
    // No skin; and morph targets in use.
    ENSURE(!is_from_deformer(&frame, s, 2, &lbs) && is_from_deformer(&frame, s, 1, &lbs));
    ENSURE(is_from_deformer(&frame, s, 3, &crs));
    // Centers that the deformer does not know.
    frame.cors[0] = other_cors;
    ENSURE(!is_from_deformer(&frame, s, 0, &crs) && is_from_deformer(&frame, s, 0, &lbs));
    ENSURE(pelt_frame_prepare(&frame, &s->scene) == PELT_OK);
    ENSURE(is_from_deformer(&frame, s, 0, &crs));
    // One mesh by the reference.
    frame.deformers[0] = NULL;
    ENSURE(!is_from_deformer(&frame, s, 0, &lbs) && is_from_deformer(&frame, s, 3, &lbs));
    pelt_frame_destroy(&frame);
    destroy(s);
    return 0;
}

typedef struct buffer_vertex
{
    pelt_vec3 position;
    float uv[2];
    pelt_vec3 normal;
    pelt_vec4 tangent;
} buffer_vertex;

static int surfaces_may_be_a_vertex_buffer(void)
{
    static buffer_vertex buffer[4][COUNT];
    stage* s = make(95);
    pelt_frame packed, frame;
    ENSURE(s != NULL && pelt_frame_create(&frame, &s->scene) == PELT_OK);
    ENSURE(pelt_frame_create(&packed, &s->scene) == PELT_OK);
    ENSURE(pelt_frame_prepare(&packed, &s->scene) == PELT_OK);
    pelt_frame_share(&frame, &packed);
    calm(s, 95);
    for (uint32_t k = 0; k < 4; ++k)
    {
        const uint32_t stride = sizeof(buffer_vertex);
        frame.surfaces[k] = (pelt_surface){
            &buffer[k]->position, &buffer[k]->normal, &buffer[k]->tangent, stride, stride, stride};
    }
    for (uint32_t i = 0; i < 2 * PELT_METHOD_COUNT; ++i)
    {
        pelt_deform_options options = {.method = (pelt_method)(i / 2), .is_exact = i % 2 == 0};
        pelt_frame_update(&packed, &s->scene, &s->pose, &options);
        pelt_frame_update(&frame, &s->scene, &s->pose, &options);
        for (uint32_t v = 0; v < 4 * COUNT; ++v)
        {
            const pelt_surface* expected = &packed.surfaces[v / COUNT];
            const buffer_vertex* found = &buffer[v / COUNT][v % COUNT];
            ENSURE_POINT(found->position, expected->positions[v % COUNT], 0.0);
            ENSURE_POINT(found->normal, expected->normals[v % COUNT], 0.0);
            ENSURE(memcmp(&found->tangent, &expected->tangents[v % COUNT], sizeof(pelt_vec4)) == 0);
            ENSURE(found->uv[0] == 0.0f && found->uv[1] == 0.0f);
        }
    }
    pelt_frame_destroy(&frame);
    pelt_frame_destroy(&packed);
    destroy(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Many frames

enum
{
    CROWD = 5
};

typedef struct crowd
{
    stage* s;
    pelt_frame singles[CROWD], together[CROWD];
    pelt_pose poses[CROWD];
} crowd;

// The first of either list is prepared, the others share it.
static int create_crowd(crowd* out, stage* s)
{
    test_random random = {123};
    *out = (crowd){.s = s};
    for (uint32_t i = 0; i < CROWD; ++i)
    {
        ENSURE(pelt_frame_create(&out->singles[i], &s->scene) == PELT_OK);
        ENSURE(pelt_frame_create(&out->together[i], &s->scene) == PELT_OK);
        ENSURE(pelt_pose_create(&out->poses[i], &s->scene) == PELT_OK);
        for (uint32_t node = 0; node < NODES; ++node)
        {
            out->poses[i].locals[node].rotation = test_rotation(&random, 60.0f);
        }
        out->poses[i].morph_weights[i % 2] = i < 3 ? 0.2f * (float)i : 0.0f;
        if (i > 0)
        {
            pelt_frame_share(&out->singles[i], &out->singles[0]);
            pelt_frame_share(&out->together[i], &out->together[0]);
            continue;
        }
        ENSURE(pelt_frame_prepare(&out->singles[0], &s->scene) == PELT_OK);
        ENSURE(pelt_frame_prepare(&out->together[0], &s->scene) == PELT_OK);
    }
    return 0;
}

static void destroy_crowd(crowd* in)
{
    for (uint32_t i = CROWD; i-- > 0;)
    {
        pelt_frame_destroy(&in->singles[i]);
        pelt_frame_destroy(&in->together[i]);
        pelt_pose_destroy(&in->poses[i]);
    }
}

static bool is_crowd_equal(const crowd* in)
{
    bool is_equal = true;
    for (uint32_t i = 0; i < CROWD * 4; ++i)
    {
        is_equal = is_equal && are_equal(&in->singles[i / 4].surfaces[i % 4],
                                         &in->together[i / 4].surfaces[i % 4]);
    }
    return is_equal;
}

static void run_backwards(uint32_t count, pelt_task task, void* context, void* user)
{
    (void)user;
    while (count-- > 0)
    {
        task(context, count);
    }
}

// Two instances of one mesh on one skin: deformed once, unless the caller has arrays for both.
static int instances_that_coincide_share_a_surface(void)
{
    stage* s = make(97);
    ENSURE(s != NULL);
    s->instances[2] = s->instances[0];
    const pelt_deform_options options = {.method = PELT_METHOD_DQS};
    pelt_frame frame;
    ENSURE(pelt_frame_create(&frame, &s->scene) == PELT_OK);
    ENSURE(frame.originals[2] == 0 && frame.surfaces[2].positions == frame.surfaces[0].positions);
    // Morph targets have weights per instance, so these two differ, and so do skins.
    ENSURE(frame.originals[3] == 3 && frame.originals[1] == 1);
    pelt_surface expected, own = new_surface(s->arena);
    pelt_frame_update(&frame, &s->scene, &s->pose, &options);
    ENSURE(walk(&expected, s, 0, &options) == 0);
    ENSURE(are_equal(&frame.surfaces[2], &expected));
    frame.surfaces[2] = own;
    pelt_frame_update(&frame, &s->scene, &s->pose, &options);
    ENSURE(are_equal(&own, &expected) && are_equal(&frame.surfaces[0], &expected));
    pelt_frame_destroy(&frame);
    destroy(s);
    return 0;
}

static int many_frames_are_single_ones_bit_for_bit(void)
{
    static uint32_t indices[COUNT / 3 * 3];
    stage* s = make(100);
    crowd all;
    ENSURE(s != NULL);
    for (uint32_t i = 0; i < COUNT / 3 * 3; ++i)
    {
        indices[i] = i;
    }
    // So that normals follow triangles of the morph target, which all have to be there first.
    s->morph.normals = NULL;
    s->meshes[1].indices = indices;
    s->meshes[1].index_count = COUNT / 3 * 3;
    ENSURE(create_crowd(&all, s) == 0);
    for (uint32_t round = 0; round < 12; ++round)
    {
        pelt_deform_options options = {
            .method = (pelt_method)(round % PELT_METHOD_COUNT),
            .mix = 0.4f,
            .sign_rule = round == 8 ? PELT_SIGN_HIERARCHY : PELT_SIGN_HEAVIEST,
            .normal_rule = round > 5 ? PELT_NORMAL_ACCURATE : PELT_NORMAL_STANDARD,
            .is_exact = round == 3};
        for (uint32_t i = 0; i < CROWD; ++i)
        {
            pelt_frame_update(&all.singles[i], &s->scene, &all.poses[i], &options);
        }
        pelt_hooks before = pelt_hooks_get();
        pelt_pool* pool = pelt_pool_create(1 + round % 5);
        pelt_hooks_set(
            &(pelt_hooks){.run = round % 5 == 4 ? run_backwards : pelt_pool_run, .run_user = pool});
        pelt_frames_update(all.together, &s->scene, all.poses, CROWD, &options);
        pelt_hooks_set(&before);
        pelt_pool_destroy(pool);
        ENSURE(is_crowd_equal(&all));
    }
    pelt_frames_update(NULL, &s->scene, NULL, 0, &(pelt_deform_options){0});
    destroy_crowd(&all);
    destroy(s);
    return 0;
}

static int updates_allocate_nothing(void)
{
    stage* s = make(110);
    crowd all;
    ENSURE(s != NULL && create_crowd(&all, s) == 0);
    counting_heap heap = {.kind = HEAP_FAIL_FROM_THEN, .fail_at = 1};
    pelt_hooks before = pelt_hooks_get();
    pelt_hooks_set(&(pelt_hooks){
        .allocate = failing_heap_allocate, .release = failing_heap_release, .memory_user = &heap});
    for (uint32_t method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        pelt_deform_options options = {.method = (pelt_method)method};
        pelt_frame_update(&all.singles[0], &s->scene, &all.poses[0], &options);
        pelt_frames_update(all.together, &s->scene, all.poses, CROWD, &options);
    }
    pelt_hooks_set(&before);
    ENSURE(heap.asked == 0);
    destroy_crowd(&all);
    destroy(s);
    return 0;
}

void test_frame(void)
{
    RUN(frame_is_the_stages_bit_for_bit);
    RUN(arrays_that_are_null_are_not_computed);
    RUN(number_of_threads_does_not_show);
    RUN(unskinned_instance_follows_its_node);
    RUN(directions_of_unskinned_instances_are_unit);
    RUN(vertices_without_weights_stay);
    RUN(factors_of_a_mesh_count_unless_the_frame_has_none);
    RUN(methods_of_a_frame_count_mesh_by_mesh);
    RUN(prepared_frames_are_near_the_reference);
    RUN(deformers_are_used_where_they_fit);
    RUN(surfaces_may_be_a_vertex_buffer);
    RUN(instances_that_coincide_share_a_surface);
    RUN(many_frames_are_single_ones_bit_for_bit);
    RUN(updates_allocate_nothing);
}
