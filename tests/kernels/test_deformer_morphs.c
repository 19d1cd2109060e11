// SPDX-License-Identifier: MIT
// Deformers with morph targets against the reference: pelt_morph_apply(), then pelt_deform().
#include "deformer_check.h"
#include "pelt/prepare.h"
#include "rigs.h"
#include "test.h"

#include <string.h>

enum
{
    VERTICES_MAX = 300,
    TARGETS = 5
};

// Random vertices with targets that move all of them, some, and none, with and without directions.
typedef struct shaped_set
{
    point_set m;
    pelt_vec3 deltas[TARGETS][3][VERTICES_MAX];
    pelt_morph morphs[TARGETS];
    pelt_mesh mesh;
    pelt_deformer_source source;
} shaped_set;

static shaped_set* shaped_create(uint64_t seed, uint32_t count, uint32_t influences, float degrees)
{
    static shaped_set storage;
    shaped_set* s = &storage;
    test_random random = {seed};
    memset(s, 0, sizeof *s);
    s->m = point_set_random(seed, count, 11, influences, degrees);
    for (uint32_t v = 0; v < count; ++v)
    {
        // Directions of a mesh need not be of unit length.
        s->m.normals[v] = pelt_vec3_scale(s->m.normals[v], seed % 2 == 0 ? 1.0f : 2.5f);
        for (uint32_t i = 0; i < TARGETS * 3; ++i)
        {
            // The third target moves a few vertices, the last one none.
            bool is_moved = i / 3 < 2 || i / 3 == 3 || (i / 3 == 2 && v % 61 == 7);
            pelt_vec3 delta = test_point(&random, 0.4f);
            s->deltas[i / 3][i % 3][v] = is_moved ? delta : (pelt_vec3){0.0f, 0.0f, 0.0f};
        }
    }
    // To nothing: its morph targets cancel this normal out.
    s->deltas[0][1][0] = pelt_vec3_scale(s->m.normals[0], -2.0f);
    for (uint32_t i = 0; i < TARGETS; ++i)
    {
        s->morphs[i] = (pelt_morph){"target", s->deltas[i][0], i == 1 ? NULL : s->deltas[i][1],
                                    i == 1 ? NULL : s->deltas[i][2]};
    }
    s->morphs[3].positions = NULL;
    s->mesh = (pelt_mesh){.vertex_count = count,
                          .positions = s->m.positions,
                          .normals = s->m.normals,
                          .tangents = s->m.tangents,
                          .morph_count = TARGETS,
                          .morphs = s->morphs};
    s->source = (pelt_deformer_source){.positions = s->m.positions,
                                       .normals = s->m.normals,
                                       .tangents = s->m.tangents,
                                       .cors = s->m.cors,
                                       .weights = &s->m.weights,
                                       .morph_count = TARGETS,
                                       .morphs = s->morphs};
    return s;
}

static const float weight_sets[][TARGETS] = {
    {0.5f, -0.3f, 1.0f, 0.25f, 1.0f}, {0.0f, 0.0f, 1.5f, 0.0f, 0.0f},
    {0.0f, 0.7f, 0.0f, 0.0f, 0.0f},   {0.5f, 0.0f, 0.0f, 0.0f, -2.0f},
    {0.0f, 0.0f, 0.0f, 0.0f, 1.0f},   {0.0f, 0.0f, 0.0f, 0.0f, 0.0f},
};

static pelt_surface reference_of(const shaped_set* s, const pelt_deform_options* options,
                                 const float* weights)
{
    static surface_buffers buffers;
    return deform_shaped(&buffers, &s->mesh, weights, point_set_input(&s->m), options);
}

// By every kernel that this machine has; those that fuse products with sums give the same bits.
static int check_morphs(const shaped_set* s, const pelt_deformer_options* how,
                        const pelt_deform_options* options, const float* weights)
{
    static surface_buffers fused, other;
    pelt_deformer* deformer;
    pelt_surface expected = reference_of(s, options, weights);
    ENSURE(pelt_deformer_create(&deformer, &s->source, how) == PELT_OK);
    for (int isa = 0; isa < PELTI_ISA_COUNT; ++isa)
    {
        const pelti_block_kernels* kernels = pelti_block_kernels_for((pelti_isa)isa);
        if (kernels != NULL)
        {
            pelt_surface out = surface_of(isa <= PELTI_ISA_AVX2 ? &fused : &other);
            pelti_deformer_run_morphed(deformer, kernels, &out, &s->m.palette, options, weights,
                                       whole_of(deformer));
            ENSURE(check_near(deformer, &out, &expected, 2e-6, 0.05) == 0);
            ENSURE(isa <= PELTI_ISA_AVX2 || memcmp(&fused, &other, sizeof fused) == 0);
        }
    }
    pelt_deformer_destroy(deformer);
    return 0;
}

// ---------------------------------------------------------------------------------------------

static int morph_targets_are_as_in_the_reference(void)
{
    static const uint32_t counts[] = {1, 31, 33, 64, 300};
    bool is_full = test_is_full_sweep();
    const uint32_t set_count = sizeof weight_sets / sizeof weight_sets[0];
    for (uint32_t i = 0; i < 5 * PELT_METHOD_COUNT * 2 * set_count; ++i)
    {
        // Small rotations keep blocks in one hemisphere, large ones do not.
        uint32_t count = counts[i % 5], at = i / 5;
        pelt_deform_options options = {.method = (pelt_method)(at % PELT_METHOD_COUNT),
                                       .sign_rule = (pelt_sign_rule)(i % 3),
                                       .mix = 0.3f};
        at /= PELT_METHOD_COUNT;
        pelt_deformer_options how = {.order = (pelt_vertex_order)(at % 2),
                                     .weights = PELT_WEIGHTS_FLOAT};
        if (is_full || i % 3 == 0)
        {
            shaped_set* s = shaped_create(i, count, 1 + i % 7, i % 4 == 0 ? 170.0f : 50.0f);
            ENSURE(check_morphs(s, &how, &options, weight_sets[at / 2]) == 0);
            point_set_free(&s->m);
        }
    }
    return 0;
}

static int joints_that_scale_move_morph_targets_too(void)
{
    for (uint32_t i = 0; i < 16; ++i)
    {
        shaped_set* s = shaped_create(400 + i, 150, 3, 60.0f);
        test_random random = {i};
        for (uint32_t joint = 0; joint < s->m.joint_count; ++joint)
        {
            pelt_transform t = pelt_transform_identity();
            t.scale = pelt_vec3_add(test_point(&random, 0.3f), pelt_vec3_make(1, 1, 1));
            pelt_mat34 scale = pelt_mat34_from_transform(t);
            s->m.palette.matrices[joint] = pelt_mat34_mul(&s->m.palette.matrices[joint], &scale);
        }
        point_set_pose(&s->m);
        pelt_deform_options options = {.method = (pelt_method)(i % 4),
                                       .scale_pivot = (pelt_scale_pivot)(i / 4 % 2),
                                       .mix = 0.5f};
        pelt_deformer_options how = {.weights = PELT_WEIGHTS_FLOAT};
        ENSURE(check_morphs(s, &how, &options, weight_sets[i / 8]) == 0);
        point_set_free(&s->m);
    }
    return 0;
}

// Weights of zero are no weights, and a block that no target in use moves is as without them.
static int blocks_at_rest_keep_their_bits(void)
{
    static surface_buffers plain, still, some;
    shaped_set* s = shaped_create(500, 300, 4, 60.0f);
    pelt_deform_options options = {.method = PELT_METHOD_DQS};
    pelt_deformer* deformer;
    // One block alone is moved.
    memset(s->deltas[2], 0, sizeof s->deltas[2]);
    ENSURE(pelt_deformer_create(&deformer, &s->source, NULL) == PELT_OK);
    uint32_t moved = pelt_deformer_order(deformer)[3 * PELT_DEFORMER_BLOCK + 5];
    pelt_deformer_destroy(deformer);
    s->deltas[2][0][moved] = pelt_vec3_make(0.5f, 0.0f, 0.0f);
    ENSURE(pelt_deformer_create(&deformer, &s->source, NULL) == PELT_OK);
    pelt_surface a = surface_of(&plain), b = surface_of(&still), c = surface_of(&some);
    pelt_deformer_run(deformer, &a, &s->m.palette, &options, whole_of(deformer));
    pelt_deformer_run_morphed(deformer, &b, &s->m.palette, &options, weight_sets[4],
                              whole_of(deformer));
    pelt_deformer_run_morphed(deformer, &c, &s->m.palette, &options, weight_sets[1],
                              whole_of(deformer));
    ENSURE(memcmp(&plain, &still, sizeof plain) == 0);
    uint32_t different = 0;
    for (uint32_t slot = 0; slot < 300; ++slot)
    {
        bool is_same = memcmp(&plain.positions[slot], &some.positions[slot], 12) == 0;
        ENSURE(is_same || slot / PELT_DEFORMER_BLOCK == 3);
        different += !is_same;
    }
    ENSURE(different == 1);
    pelt_deformer_destroy(deformer);
    point_set_free(&s->m);
    return 0;
}

static int ranges_and_strides_do_not_matter(void)
{
    enum
    {
        STRIDE = 13 // floats
    };
    static float buffer[VERTICES_MAX * STRIDE];
    static surface_buffers once, parts;
    for (uint32_t i = 0; i < 8; ++i)
    {
        shaped_set* s = shaped_create(510 + i, 300, 4, i % 2 == 0 ? 60.0f : 150.0f);
        pelt_deform_options options = {.method = (pelt_method)(i % 4), .mix = 0.5f};
        pelt_deformer_options how = {.order = (pelt_vertex_order)(i / 4)};
        pelt_deformer* deformer;
        ENSURE(pelt_deformer_create(&deformer, &s->source, &how) == PELT_OK);
        pelt_surface out = surface_of(&once), other = surface_of(&parts);
        const pelt_surface strided = {(pelt_vec3*)(void*)buffer,
                                      (pelt_vec3*)(void*)(buffer + 4),
                                      (pelt_vec4*)(void*)(buffer + 8),
                                      4 * STRIDE,
                                      4 * STRIDE,
                                      4 * STRIDE};
        pelt_deformer_run_morphed(deformer, &out, &s->m.palette, &options, weight_sets[0],
                                  whole_of(deformer));
        pelt_deformer_run_morphed(deformer, &strided, &s->m.palette, &options, weight_sets[0],
                                  whole_of(deformer));
        for (uint32_t left = pelt_deformer_block_count(deformer); left > 0;)
        {
            uint32_t count = left < 3 ? left : 3;
            left -= count;
            pelt_deformer_run_morphed(deformer, &other, &s->m.palette, &options, weight_sets[0],
                                      (pelt_range){left, count});
        }
        ENSURE(memcmp(&once, &parts, sizeof once) == 0);
        for (uint32_t v = 0; v < 300; ++v)
        {
            ENSURE(memcmp(buffer + v * STRIDE, &once.positions[v], 12) == 0);
            ENSURE(memcmp(buffer + v * STRIDE + 4, &once.normals[v], 12) == 0);
            ENSURE(memcmp(buffer + v * STRIDE + 8, &once.tangents[v], 16) == 0);
        }
        pelt_deformer_destroy(deformer);
        point_set_free(&s->m);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------

// A character in a pose, with a target that moves the upper half and may rotate its normals.
typedef struct character
{
    pelt_scene* scene;
    pelt_frame frame;
    pelt_arena* arena;
    pelt_normal_factors factors;
    pelt_morph morph;
    pelt_mesh mesh;
    pelt_surface shaped, out;
} character;

static pelt_surface allocate_surface(pelt_arena* arena, uint32_t count)
{
    return (pelt_surface){.positions = pelt_arena_alloc(arena, count, sizeof(pelt_vec3)),
                          .normals = pelt_arena_alloc(arena, count, sizeof(pelt_vec3)),
                          .tangents = pelt_arena_alloc(arena, count, sizeof(pelt_vec4))};
}

static void character_shape(character* c, bool has_directions, test_random* random)
{
    uint32_t count = c->mesh.vertex_count;
    pelt_vec3* bulge = pelt_arena_alloc(c->arena, count, sizeof *bulge);
    pelt_vec3* rotate = pelt_arena_alloc(c->arena, count, sizeof *rotate);
    pelt_vec4* tangents = pelt_arena_alloc(c->arena, count, sizeof *tangents);
    c->mesh.tangents = tangents;
    for (uint32_t v = 0; v < count; ++v)
    {
        bool is_moved = c->mesh.positions[v].y > 1.0f;
        pelt_vec3 n = c->mesh.normals[v], t = pelt_vec3_cross(n, test_point(random, 1.0f));
        t = pelt_vec3_normalize(t);
        tangents[v] = (pelt_vec4){t.x, t.y, t.z, 1.0f};
        bulge[v] = pelt_vec3_scale(n, is_moved ? 0.02f : 0.0f);
        rotate[v] = pelt_vec3_scale(test_point(random, 1.0f), is_moved ? 0.4f : 0.0f);
    }
    c->morph = (pelt_morph){"bulge", bulge, has_directions ? rotate : NULL,
                            has_directions ? rotate : NULL};
    c->mesh.morphs = &c->morph;
    c->mesh.morph_count = 1;
}

static bool character_create(character* out, bool is_scaled, bool has_directions)
{
    pelt_pose pose;
    test_random random = {9};
    if (pelt_rig_build(&out->scene, "human?vertices=2000", NULL) != PELT_OK ||
        pelt_frame_create(&out->frame, out->scene) != PELT_OK ||
        pelt_pose_create(&pose, out->scene) != PELT_OK)
    {
        return false;
    }
    for (uint32_t node = 0; node < out->scene->node_count; ++node)
    {
        pelt_quat rest = out->scene->nodes[node].rest.rotation;
        pose.locals[node].rotation = pelt_quat_mul(rest, test_rotation(&random, 20.0f));
        pose.locals[node].scale.y *= is_scaled ? 0.95f : 1.0f;
    }
    pelt_frame_update(&out->frame, out->scene, &pose, &(pelt_deform_options){0});
    pelt_pose_destroy(&pose);
    out->arena = pelt_arena_create();
    out->mesh = out->scene->meshes[0];
    out->shaped = allocate_surface(out->arena, out->mesh.vertex_count);
    out->out = allocate_surface(out->arena, out->mesh.vertex_count);
    character_shape(out, has_directions, &random);
    return pelt_normal_factors_build(&out->factors, &out->mesh, out->mesh.positions, NULL,
                                     out->arena, NULL) == PELT_OK;
}

static void character_destroy(character* c)
{
    pelt_frame_destroy(&c->frame);
    pelt_scene_destroy(c->scene);
    pelt_arena_destroy(c->arena);
}

// The axes of accurate normals rotate along with the normals of morph targets.
static int check_accurate(const character* c, const pelt_deformer* deformer, pelt_method method,
                          float weight, bool has_tangents)
{
    pelt_surface out = c->out;
    out.tangents = has_tangents ? out.tangents : NULL;
    const pelt_mesh* mesh = &c->mesh;
    const pelt_palette* palette = &c->frame.palettes[0];
    const pelt_deform_options options = {
        .method = method, .mix = 0.4f, .normal_rule = PELT_NORMAL_ACCURATE};
    const pelt_deform_input input = {.positions = c->shaped.positions,
                                     .normals = c->shaped.normals,
                                     .tangents = c->shaped.tangents,
                                     .cors = mesh->positions,
                                     .normal_factors = &c->factors,
                                     .weights = &mesh->weights,
                                     .palette = palette};
    pelt_morph_apply(&c->shaped, mesh, &weight, (pelt_range){0, mesh->vertex_count});
    pelt_deform(&c->shaped, &input, &options, (pelt_range){0, mesh->vertex_count});
    pelt_deformer_run_morphed(deformer, &out, palette, &options, &weight, whole_of(deformer));
    uint32_t same = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        pelt_vec4 t = c->out.tangents[v], e = c->shaped.tangents[v];
        ENSURE_POINT(out.positions[v], c->shaped.positions[v], 2e-6 * 2); // meters
        ENSURE(degrees_between(out.normals[v], c->shaped.normals[v]) < 0.05);
        ENSURE(!has_tangents || degrees_between(pelt_vec3_make(t.x, t.y, t.z),
                                                pelt_vec3_make(e.x, e.y, e.z)) < 0.05);
        same += memcmp(&out.normals[v], &c->shaped.normals[v], 12) == 0;
    }
    // Kernels do most of them where they can.
    ENSURE(has_tangents || !palette->is_rigid || same < mesh->vertex_count / 2);
    return 0;
}

// @param has_centers  with them there is crs, and factors refer to them
static int check_character(bool is_scaled, bool has_directions, bool has_centers)
{
    character c;
    pelt_deformer* deformer;
    ENSURE(character_create(&c, is_scaled, has_directions));
    const pelt_deformer_source source = {.positions = c.mesh.positions,
                                         .normals = c.mesh.normals,
                                         .tangents = c.mesh.tangents,
                                         .cors = has_centers ? c.mesh.positions : NULL,
                                         .normal_factors = &c.factors,
                                         .weights = &c.mesh.weights,
                                         .morph_count = 1,
                                         .morphs = &c.morph};
    const pelt_deformer_options how = {.order = PELT_ORDER_KEPT, .weights = PELT_WEIGHTS_FLOAT};
    ENSURE(pelt_deformer_create(&deformer, &source, &how) == PELT_OK);
    for (uint32_t i = 0; i < 4 * 2; ++i)
    {
        float weight = i < 4 ? 0.8f : -0.5f;
        pelt_method method = (pelt_method)(i % 4);
        if (has_centers || method != PELT_METHOD_CRS)
        {
            ENSURE(check_accurate(&c, deformer, method, weight, false) == 0);
            ENSURE(check_accurate(&c, deformer, method, weight, true) == 0);
        }
    }
    pelt_deformer_destroy(deformer);
    character_destroy(&c);
    return 0;
}

static int accurate_normals_follow_morph_targets(void)
{
    for (int i = 0; i < 8; ++i)
    {
        ENSURE(check_character(i % 2 == 0, i / 2 % 2 == 0, i / 4 == 0) == 0);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------

static int targets_take_what_the_header_says(void)
{
    shaped_set* s = shaped_create(600, 288, 4, 60.0f);
    pelt_deformer_source bare = s->source;
    bare.morph_count = 0;
    pelt_deformer *with, *without;
    ENSURE(pelt_deformer_create(&with, &s->source, NULL) == PELT_OK);
    ENSURE(pelt_deformer_create(&without, &bare, NULL) == PELT_OK);
    // Nine blocks: three attributes of the first target, one of the second, two of the fourth, none
    // of the last, and both directions at rest; three of five vertices in one to five blocks.
    const size_t size = 32 * 12 + sizeof(pelti_block_morph), least = (3 + 1 + 2 + 2) * 9 + 3;
    const size_t fixed = 10 * sizeof(size_t) + 3 * PELTI_LINE;
    size_t bytes = pelt_deformer_bytes(with) - pelt_deformer_bytes(without);
    ENSURE(bytes >= least * size + fixed && bytes <= (least + 3 * 4) * size + fixed);
    pelt_deformer_destroy(with);
    pelt_deformer_destroy(without);
    point_set_free(&s->m);
    return 0;
}

void test_deformer_morphs(void)
{
    RUN(morph_targets_are_as_in_the_reference);
    RUN(joints_that_scale_move_morph_targets_too);
    RUN(blocks_at_rest_keep_their_bits);
    RUN(ranges_and_strides_do_not_matter);
    RUN(accurate_normals_follow_morph_targets);
    RUN(targets_take_what_the_header_says);
}
