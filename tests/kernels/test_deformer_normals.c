// SPDX-License-Identifier: MIT
// Accurate normals of deformers against the reference, on characters with triangles.
#include "kernels/deformer.h"
#include "pelt/prepare.h"
#include "shared_rig.h"
#include "test.h"

#include <string.h>

// A character in a random pose, with factors, by the reference and by a deformer.
typedef struct subject
{
    const pelt_scene* scene;
    const pelt_mesh* mesh;
    pelt_frame frame;
    pelt_pose pose;
    pelt_arena* arena;
    pelt_normal_factors factors;
    pelt_deformer_source source;
    pelt_surface surface, expected;
    float scale; // of all joints; 0: none
} subject;

static pelt_surface take_surface(pelt_arena* arena, uint32_t count)
{
    return (pelt_surface){.positions = pelt_arena_alloc(arena, count, sizeof(pelt_vec3)),
                          .normals = pelt_arena_alloc(arena, count, sizeof(pelt_vec3)),
                          .tangents = pelt_arena_alloc(arena, count, sizeof(pelt_vec4))};
}

// Tangents of any direction across normals, with one in eight not quite across.
static const pelt_vec4* make_tangents(const pelt_mesh* mesh, pelt_arena* arena)
{
    test_random random = {77};
    pelt_vec4* out = pelt_arena_alloc(arena, mesh->vertex_count, sizeof *out);
    for (uint32_t v = 0; v < mesh->vertex_count && out != NULL; ++v)
    {
        pelt_vec3 n = mesh->normals[v], t = pelt_quat_rotate(test_rotation(&random, 180.0f), n);
        t = pelt_vec3_normalize(pelt_vec3_mad(t, -pelt_vec3_dot(t, n), n));
        t = v % 8 == 0 ? pelt_vec3_normalize(pelt_vec3_mad(t, 0.3f, n)) : t;
        out[v] = (pelt_vec4){t.x, t.y, t.z, v % 3 == 0 ? -1.0f : 1.0f};
    }
    return out;
}

static bool subject_create(subject* out, const char* rig)
{
    out->scene = shared_rig(rig);
    out->scale = 0.0f;
    if (out->scene == NULL || pelt_frame_create(&out->frame, out->scene) != PELT_OK ||
        pelt_pose_create(&out->pose, out->scene) != PELT_OK)
    {
        return false;
    }
    const pelt_mesh* mesh = out->mesh = &out->scene->meshes[0];
    const pelt_cor_input input = {1, &mesh};
    uint32_t count = mesh->vertex_count;
    out->arena = pelt_arena_create();
    pelt_vec3* cors = pelt_arena_alloc(out->arena, count, sizeof *cors);
    out->surface = take_surface(out->arena, count);
    out->expected = take_surface(out->arena, count);
    if (pelt_cor_solve(&cors, &input, NULL, NULL, NULL) != PELT_OK ||
        pelt_normal_factors_build(&out->factors, mesh, cors, NULL, out->arena, NULL) != PELT_OK)
    {
        return false;
    }
    out->frame.cors[0] = cors;
    out->frame.normal_factors[0] = &out->factors;
    out->source = (pelt_deformer_source){.positions = mesh->positions,
                                         .normals = mesh->normals,
                                         .tangents = make_tangents(mesh, out->arena),
                                         .cors = cors,
                                         .normal_factors = &out->factors,
                                         .weights = &mesh->weights};
    return true;
}

static void subject_destroy(subject* s)
{
    pelt_arena_destroy(s->arena);
    pelt_pose_destroy(&s->pose);
    pelt_frame_destroy(&s->frame);
}

// How far joints rotate, and what else they do.
typedef enum pose_kind
{
    POSE_GENTLE, // kernels do it alone
    POSE_WILD,
    POSE_SCALED,
    POSE_MIRRORED, // all of it
    POSE_MIXED,    // here and there
    POSE_KIND_COUNT
} pose_kind;

static void subject_pose(subject* s, uint64_t seed, pose_kind kind)
{
    test_random random = {seed};
    float degrees = kind == POSE_WILD ? 90.0f : 15.0f;
    for (uint32_t node = 0; node < s->scene->node_count; ++node)
    {
        pelt_transform* local = &s->pose.locals[node];
        *local = s->scene->nodes[node].rest;
        local->rotation = pelt_quat_mul(local->rotation, test_rotation(&random, degrees));
        if (kind >= POSE_SCALED)
        {
            local->scale.x *= test_uniform(&random, 0.8f, 1.25f);
            local->scale.y *= test_uniform(&random, 0.8f, 1.25f);
            local->scale.z *= test_uniform(&random, 0.8f, 1.25f);
        }
        bool is_root = s->scene->nodes[node].parent == PELT_NONE;
        if ((kind == POSE_MIRRORED && is_root) || (kind == POSE_MIXED && node % 4 == 3))
        {
            local->scale.x *= -1.0f;
        }
    }
}

static void scale_palette(pelt_palette* inout, float scale)
{
    for (uint32_t joint = 0; joint < inout->joint_count; ++joint)
    {
        for (int k = 0; k < 12; ++k)
        {
            inout->matrices[joint].m[k / 4][k % 4] *= scale;
        }
    }
    pelt_palette_decompose(inout);
}

// By the reference.
static void subject_expect(subject* s, const pelt_deform_options* options)
{
    pelt_frame_update(&s->frame, s->scene, &s->pose, options);
    if (s->scale > 0.0f)
    {
        scale_palette(&s->frame.palettes[0], s->scale);
    }
    const pelt_deform_input input = {.positions = s->source.positions,
                                     .normals = s->source.normals,
                                     .tangents = s->source.tangents,
                                     .cors = s->source.cors,
                                     .normal_factors = s->source.normal_factors,
                                     .weights = s->source.weights,
                                     .palette = &s->frame.palettes[0]};
    pelt_deform(&s->expected, &input, options, (pelt_range){0, s->mesh->vertex_count});
}

static pelt_range whole(const pelt_deformer* deformer)
{
    return (pelt_range){0, pelt_deformer_block_count(deformer)};
}

static bool is_near_tangent(pelt_vec4 a, pelt_vec4 b, float sine)
{
    return a.w == b.w &&
           pelt_vec3_distance(pelt_vec3_make(a.x, a.y, a.z), pelt_vec3_make(b.x, b.y, b.z)) < sine;
}

// How many normals are those of the reference to the bit, all of them and all tangents being within
// 0.05 degrees; UINT32_MAX: one is not, or a position is off by 2e-6 of the size.
static uint32_t count_same(const subject* s, const pelt_deformer* deformer)
{
    const pelt_surface* expected = &s->expected;
    const float sine = 8.7e-4f; // of 0.05 degrees
    pelt_bounds box = pelt_bounds_empty();
    const pelt_vec3 origin = {0.0f, 0.0f, 0.0f};
    pelt_bounds_add(&box, expected->positions, s->mesh->vertex_count);
    pelt_bounds_add(&box, &origin, 1);
    uint32_t same = 0;
    for (uint32_t i = 0; i < s->mesh->vertex_count; ++i)
    {
        uint32_t v = pelt_deformer_order(deformer)[i];
        uint32_t slot = deformer->options.order == PELT_ORDER_SORTED ? i : v;
        pelt_vec3 p = s->surface.positions[slot], n = s->surface.normals[slot];
        bool is_near =
            pelt_vec3_distance(p, expected->positions[v]) <= 2e-6f * pelt_bounds_diagonal(&box) &&
            pelt_vec3_distance(n, expected->normals[v]) < sine &&
            (deformer->source.tangents == NULL ||
             is_near_tangent(s->surface.tangents[slot], expected->tangents[v], sine));
        if (!is_near)
        {
            return UINT32_MAX;
        }
        same += memcmp(&n, &expected->normals[v], sizeof n) == 0;
    }
    return same;
}

// ---------------------------------------------------------------------------------------------

static void clear(const pelt_surface* surface, uint32_t count)
{
    memset(surface->positions, 0xff, count * sizeof *surface->positions);
    memset(surface->normals, 0xff, count * sizeof *surface->normals);
    memset(surface->tangents, 0xff, count * sizeof *surface->tangents);
}

// By every set of kernels; those that fuse agree to the bit.
static int check_pose(subject* s, const pelt_deformer* deformer, const pelt_deform_options* options)
{
    uint32_t count = s->mesh->vertex_count;
    pelt_arena* arena = pelt_arena_create();
    pelt_vec3* normals = pelt_arena_alloc(arena, count, sizeof *normals);
    pelt_vec4* tangents = pelt_arena_alloc(arena, count, sizeof *tangents);
    subject_expect(s, options);
    for (int isa = 0; isa < PELTI_ISA_COUNT; ++isa)
    {
        const pelti_block_kernels* kernels = pelti_block_kernels_for((pelti_isa)isa);
        if (kernels != NULL)
        {
            clear(&s->surface, count);
            pelti_deformer_run(deformer, kernels, &s->surface, &s->frame.palettes[0], options,
                               whole(deformer));
            ENSURE(count_same(s, deformer) <= count);
            if (isa > PELTI_ISA_AVX2)
            {
                ENSURE(memcmp(normals, s->surface.normals, count * sizeof *normals) == 0);
                ENSURE(memcmp(tangents, s->surface.tangents, count * sizeof *tangents) == 0);
            }
            memcpy(normals, s->surface.normals, count * sizeof *normals);
            memcpy(tangents, s->surface.tangents, count * sizeof *tangents);
        }
    }
    pelt_arena_destroy(arena);
    return 0;
}

// Methods, rules of signs, both pivots of scale, both orders, with tangents and without.
static int check_rig(const char* rig)
{
    subject s;
    ENSURE(subject_create(&s, rig));
    const pelt_vec4* tangents = s.source.tangents;
    const uint32_t step = test_is_full_sweep() ? 1 : 3; // which has no divisor with the counts
    for (uint32_t i = 0; i < 4 * POSE_KIND_COUNT * 4; i += step)
    {
        pose_kind kind = (pose_kind)(i / 4 % POSE_KIND_COUNT);
        uint32_t rotation = i / (4 * POSE_KIND_COUNT);
        pelt_deform_options options = {.method = (pelt_method)(i % 4),
                                       .sign_rule = (pelt_sign_rule)rotation,
                                       .normal_rule = PELT_NORMAL_ACCURATE,
                                       .scale_pivot =
                                           rotation % 2 == 1 ? PELT_SCALE_ORIGIN : PELT_SCALE_LOCAL,
                                       .mix = 0.3f};
        const pelt_deformer_options how = {.order = (pelt_vertex_order)(rotation / 3),
                                           .weights = PELT_WEIGHTS_FLOAT};
        pelt_deformer* deformer;
        s.source.tangents = rotation == 0 ? NULL : tangents;
        ENSURE(pelt_deformer_create(&deformer, &s.source, &how) == PELT_OK);
        subject_pose(&s, i, kind);
        if (check_pose(&s, deformer, &options) != 0)
        {
            printf("  %s, %s, pose %d, rotation %u\n", rig, pelt_method_name(options.method),
                   (int)kind, rotation);
            return 1;
        }
        pelt_deformer_destroy(deformer);
    }
    s.source.tangents = tangents;
    subject_destroy(&s);
    return 0;
}

// Round and flat-shaded, with few joints and many.
static int every_kernel_agrees_with_the_reference(void)
{
    ENSURE(check_rig("arm?vertices=1500") == 0);
    ENSURE(check_rig("cuboid?vertices=2000") == 0);
    ENSURE(check_rig("human?vertices=2000") == 0);
    ENSURE(!test_is_full_sweep() || check_rig("human?vertices=2000&influences=8") == 0);
    return 0;
}

// One scale of all joints has kernels of its own, as there are none for stretches here.
static int one_scale_of_all_joints_is_no_stretch(void)
{
    static const float scales[] = {9.2e-5f, 0.37f, 352.0f};
    subject s;
    pelt_deformer* deformer;
    pelti_block_kernels kernels = *pelti_block_kernels_for(pelti_isa_get());
    memset(kernels.move_accurate[PELTI_JOINTS_STRETCHED], 0,
           sizeof kernels.move_accurate[PELTI_JOINTS_STRETCHED]);
    ENSURE(subject_create(&s, "human?vertices=4000"));
    ENSURE(pelt_deformer_create(&deformer, &s.source,
                                &(pelt_deformer_options){.weights = PELT_WEIGHTS_FLOAT}) ==
           PELT_OK);
    for (uint32_t i = 0; i < 4 * 3 * 2; ++i)
    {
        pelt_deform_options options = {.method = (pelt_method)(i % 4),
                                       .normal_rule = PELT_NORMAL_ACCURATE,
                                       .scale_pivot = (pelt_scale_pivot)(i / 12),
                                       .mix = 0.3f};
        s.scale = scales[i / 4 % 3];
        subject_pose(&s, i, POSE_GENTLE);
        ENSURE(check_pose(&s, deformer, &options) == 0);
        pelti_deformer_run(deformer, &kernels, &s.surface, &s.frame.palettes[0], &options,
                           whole(deformer));
        ENSURE(count_same(&s, deformer) < s.mesh->vertex_count / 2);
    }
    pelt_deformer_destroy(deformer);
    subject_destroy(&s);
    return 0;
}

// Only the first vertices of a character, for every length of the last block.
static int every_tail_agrees_with_the_reference(void)
{
    subject s;
    ENSURE(subject_create(&s, "human?vertices=2000&influences=8"));
    const pelt_mesh* mesh = s.mesh;
    pelt_weights weights = mesh->weights;
    pelt_normal_factors factors = s.factors;
    pelt_mesh part = *mesh;
    s.mesh = &part;
    s.source.weights = &weights;
    s.source.normal_factors = &factors;
    for (uint32_t count = 1; count <= 2 * PELTI_BLOCK + 1; ++count)
    {
        const pelt_deformer_options how = {.order = (pelt_vertex_order)(count / 4 % 2),
                                           .weights = PELT_WEIGHTS_FLOAT};
        pelt_deform_options options = {
            .method = (pelt_method)(count % 4), .normal_rule = PELT_NORMAL_ACCURATE, .mix = 0.5f};
        pelt_deformer* deformer;
        part.vertex_count = weights.vertex_count = factors.vertex_count = count;
        weights.influence_count = weights.first[count];
        factors.factor_count = factors.first[count];
        ENSURE(pelt_deformer_create(&deformer, &s.source, &how) == PELT_OK);
        subject_pose(&s, count, count / 8 % 2 == 0 ? POSE_GENTLE : POSE_SCALED);
        ENSURE(check_pose(&s, deformer, &options) == 0);
        pelt_deformer_destroy(deformer);
    }
    subject_destroy(&s);
    return 0;
}

// What the reference does is the same to the bit, and hardly a normal of a kernel is.
static int kernels_are_used_where_they_can_be(void)
{
    subject s;
    pelt_deformer* deformer;
    ENSURE(subject_create(&s, "human?vertices=4000"));
    ENSURE(pelt_deformer_create(&deformer, &s.source,
                                &(pelt_deformer_options){.weights = PELT_WEIGHTS_FLOAT}) ==
           PELT_OK);
    uint32_t count = s.mesh->vertex_count;
    for (uint32_t i = 0; i < PELT_METHOD_COUNT * 2 * 3; ++i)
    {
        pelt_deform_options options = {.method = (pelt_method)(i / 6),
                                       .normal_rule = (pelt_normal_rule)(1 + i % 2),
                                       .scale_pivot =
                                           i / 2 % 3 == 2 ? PELT_SCALE_ORIGIN : PELT_SCALE_LOCAL,
                                       .mix = 0.5f};
        bool is_scaled = i / 2 % 3 > 0;
        subject_pose(&s, 7, is_scaled ? POSE_SCALED : POSE_GENTLE);
        subject_expect(&s, &options);
        ENSURE(s.frame.palettes[0].is_rigid == !is_scaled);
        pelt_deformer_run(deformer, &s.surface, &s.frame.palettes[0], &options, whole(deformer));
        uint32_t same = count_same(&s, deformer);
        bool is_far = options.method == PELT_METHOD_CRS && options.scale_pivot == PELT_SCALE_ORIGIN;
        bool is_covered = options.normal_rule == PELT_NORMAL_ACCURATE &&
                          options.method <= PELT_METHOD_CRS && !is_far;
        ENSURE(is_covered ? same < count / 5 : same == count);
    }
    pelt_deformer_destroy(deformer);
    subject_destroy(&s);
    return 0;
}

// A pose, by one call or by many.
typedef struct pose_work
{
    const pelt_deformer* deformer;
    const pelt_palette* palette;
    pelt_deform_options options;
    pelt_surface whole, parts;
    uint32_t vertex_count;
    bool is_same; // whenever it was done again
} pose_work;

static void run_one_block(void* context, uint32_t index)
{
    const pose_work* work = context;
    pelt_deformer_run(work->deformer, &work->parts, work->palette, &work->options,
                      (pelt_range){index, 1});
}

static bool is_same_surface(const pelt_surface* a, const pelt_surface* b, uint32_t count)
{
    bool is_same = true;
    for (uint32_t v = 0; v < count; ++v)
    {
        is_same = is_same &&
                  memcmp(pelt_vec3_at(a->positions, a->position_stride, v),
                         pelt_vec3_at(b->positions, b->position_stride, v), 12) == 0 &&
                  memcmp(pelt_vec3_at(a->normals, a->normal_stride, v),
                         pelt_vec3_at(b->normals, b->normal_stride, v), 12) == 0 &&
                  memcmp(pelt_vec4_at(a->tangents, a->tangent_stride, v),
                         pelt_vec4_at(b->tangents, b->tangent_stride, v), 16) == 0;
    }
    return is_same;
}

// Each block by whichever of four threads comes first, into a vertex buffer.
static int threads_ranges_and_strides_do_not_matter(void)
{
    enum
    {
        STRIDE = 11 // floats
    };
    subject s;
    pelt_deformer* deformer;
    ENSURE(subject_create(&s, "human?vertices=2000"));
    ENSURE(pelt_deformer_create(&deformer, &s.source, NULL) == PELT_OK);
    uint32_t count = s.mesh->vertex_count;
    pelt_pool* pool = pelt_pool_create(4);
    float* buffer = pelt_arena_alloc(s.arena, (size_t)count * STRIDE, sizeof *buffer);
    ENSURE(pool != NULL && buffer != NULL);
    for (uint32_t i = 0; i < 4 * 2; ++i)
    {
        pose_work work = {.deformer = deformer,
                          .palette = &s.frame.palettes[0],
                          .options = {.method = (pelt_method)(i % 4),
                                      .normal_rule = PELT_NORMAL_ACCURATE,
                                      .mix = 0.5f},
                          .whole = s.surface,
                          .parts = {(pelt_vec3*)(void*)buffer, (pelt_vec3*)(void*)(buffer + 3),
                                    (pelt_vec4*)(void*)(buffer + 6), 4 * STRIDE, 4 * STRIDE,
                                    4 * STRIDE}};
        subject_pose(&s, 30 + i, i / 4 == 0 ? POSE_WILD : POSE_SCALED);
        subject_expect(&s, &work.options);
        pelt_deformer_run(deformer, &work.whole, work.palette, &work.options, whole(deformer));
        pelt_pool_run(pelt_deformer_block_count(deformer), run_one_block, &work, pool);
        ENSURE(is_same_surface(&work.whole, &work.parts, count));
    }
    pelt_pool_destroy(pool);
    pelt_deformer_destroy(deformer);
    subject_destroy(&s);
    return 0;
}

enum
{
    CALLER_COUNT = 8
};

static void run_again(void* context, uint32_t index)
{
    pose_work* work = (pose_work*)context + index;
    for (int i = 0; i < 50; ++i)
    {
        pelt_deformer_run(work->deformer, &work->parts, work->palette, &work->options,
                          whole(work->deformer));
        work->is_same =
            work->is_same && is_same_surface(&work->whole, &work->parts, work->vertex_count);
    }
}

// One deformer in many poses at once: whatever a kernel puts aside is its caller's own.
static int callers_share_nothing_but_the_deformer(void)
{
    static pose_work works[CALLER_COUNT];
    subject s;
    pelt_deformer* deformer;
    ENSURE(subject_create(&s, "human?vertices=2000"));
    ENSURE(pelt_deformer_create(&deformer, &s.source, NULL) == PELT_OK);
    pelt_palette palettes[CALLER_COUNT];
    uint32_t count = s.mesh->vertex_count;
    for (uint32_t i = 0; i < CALLER_COUNT; ++i)
    {
        const pelt_deform_options options = {
            .method = (pelt_method)(i % 4), .normal_rule = PELT_NORMAL_ACCURATE, .mix = 0.5f};
        subject_pose(&s, 40 + i, i / 4 == 0 ? POSE_GENTLE : POSE_SCALED);
        subject_expect(&s, &options);
        ENSURE(pelt_palette_create(&palettes[i], s.frame.palettes[0].joint_count) == PELT_OK);
        memcpy(palettes[i].matrices, s.frame.palettes[0].matrices,
               palettes[i].joint_count * sizeof *palettes[i].matrices);
        pelt_palette_decompose(&palettes[i]);
        works[i] = (pose_work){.deformer = deformer,
                               .palette = &palettes[i],
                               .options = options,
                               .whole = take_surface(s.arena, count),
                               .parts = take_surface(s.arena, count),
                               .vertex_count = count,
                               .is_same = true};
        pelt_deformer_run(deformer, &works[i].whole, &palettes[i], &options, whole(deformer));
    }
    pelt_pool* pool = pelt_pool_create(CALLER_COUNT);
    ENSURE(pool != NULL);
    pelt_pool_run(CALLER_COUNT, run_again, works, pool);
    for (uint32_t i = 0; i < CALLER_COUNT; ++i)
    {
        ENSURE(works[i].is_same);
        pelt_palette_destroy(&palettes[i]);
    }
    pelt_pool_destroy(pool);
    pelt_deformer_destroy(deformer);
    subject_destroy(&s);
    return 0;
}

// Without normals to write there is nothing to derive.
static int positions_alone_do_not_depend_on_the_rule(void)
{
    subject s;
    pelt_deformer* deformer;
    ENSURE(subject_create(&s, "arm"));
    subject_pose(&s, 9, POSE_GENTLE);
    ENSURE(pelt_deformer_create(&deformer, &s.source, NULL) == PELT_OK);
    size_t size = s.mesh->vertex_count * sizeof(pelt_vec3);
    pelt_surface alone = {.positions =
                              pelt_arena_alloc(s.arena, s.mesh->vertex_count, sizeof(pelt_vec3))};
    for (uint32_t i = 0; i < 4; ++i)
    {
        pelt_deform_options options = {.method = (pelt_method)i, .mix = 0.5f};
        pelt_frame_update(&s.frame, s.scene, &s.pose, &options);
        pelt_deformer_run(deformer, &s.surface, &s.frame.palettes[0], &options, whole(deformer));
        options.normal_rule = PELT_NORMAL_ACCURATE;
        pelt_deformer_run(deformer, &alone, &s.frame.palettes[0], &options, whole(deformer));
        ENSURE(memcmp(alone.positions, s.surface.positions, size) == 0);
    }
    pelt_deformer_destroy(deformer);
    subject_destroy(&s);
    return 0;
}

void test_deformer_normals(void)
{
    RUN(every_kernel_agrees_with_the_reference);
    RUN(one_scale_of_all_joints_is_no_stretch);
    RUN(every_tail_agrees_with_the_reference);
    RUN(kernels_are_used_where_they_can_be);
    RUN(threads_ranges_and_strides_do_not_matter);
    RUN(callers_share_nothing_but_the_deformer);
    RUN(positions_alone_do_not_depend_on_the_rule);
}
