// SPDX-License-Identifier: MIT
// Deformers against the reference: every kernel, method, rule, format, order and shape of mesh.
#include "deformer_check.h"
#include "failing_heap.h"
#include "pelt/prepare.h"
#include "rigs.h"

#include <stdlib.h>
#include <string.h>

static int every_kernel_agrees_with_the_reference(void)
{
    static const uint32_t counts[] = {1, 31, 32, 33, 64, 95, 300};
    bool is_full = test_is_full_sweep();
    uint64_t seed = 1;
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c)
    {
        for (uint32_t influences = 1; influences <= 12; influences += influences < 5 ? 1 : 3)
        {
            // Small rotations keep blocks in one hemisphere, large ones do not.
            float degrees = seed % 3 == 0 ? 170.0f : 50.0f;
            point_set m = point_set_random(seed, counts[c], 13, influences, degrees);
            for (uint32_t i = 0; i < 4 * 4 * 2; ++i)
            {
                pelt_deform_options options = {.method = deformer_methods[i % 4],
                                               .sign_rule = (pelt_sign_rule)(i / 4 % 4),
                                               .mix = 0.3f};
                pelt_deformer_options how = {.order = (pelt_vertex_order)(i / 16),
                                             .weights = PELT_WEIGHTS_FLOAT};
                if (is_full || (seed + i) % 3 == 0)
                {
                    ENSURE(check_run(&m, &how, &options, 2e-6, 0.05) == 0);
                }
            }
            point_set_free(&m);
            ++seed;
        }
    }
    return 0;
}

static int variants_of_dqs_agree_too(void)
{
    for (uint32_t i = 0; i < 6; ++i)
    {
        point_set m = point_set_random(70 + i, 200, 9, 4, i < 3 ? 60.0f : 170.0f);
        pelt_deform_options options = {.method = PELT_METHOD_DQS,
                                       .dqs_variant = (pelt_dqs_variant)(i % 3)};
        pelt_deformer_options how = {.weights = PELT_WEIGHTS_FLOAT};
        ENSURE(check_run(&m, &how, &options, 2e-6, 0.05) == 0);
        point_set_free(&m);
    }
    return 0;
}

// A block of one joint only moves rigidly; with these weights any sum over joints is really taken.
static int kernels_are_used_where_they_can_be(void)
{
    static surface_buffers buffers;
    for (uint32_t i = 0; i < 12; ++i)
    {
        point_set m = point_set_random(90 + i, 256, 6, 3, 40.0f);
        pelt_deform_options options = {.method = deformer_methods[i % 4],
                                       .scale_pivot = (pelt_scale_pivot)(i / 8),
                                       .mix = 0.5f};
        if (i >= 4)
        {
            scale_joints(&m, i, 0);
        }
        pelt_deformer_source source = source_of(&m);
        pelt_deformer* deformer;
        ENSURE(pelt_deformer_create(&deformer, &source, NULL) == PELT_OK);
        pelt_surface out = surface_of(&buffers), expected = point_set_deform(&m, &options);
        pelt_deformer_run(deformer, &out, &m.palette, &options, whole_of(deformer));
        uint32_t different = 0;
        for (uint32_t slot = 0; slot < 256; ++slot)
        {
            uint32_t v = pelt_deformer_order(deformer)[slot];
            different += memcmp(&out.positions[slot], &expected.positions[v], 12) != 0;
        }
        // What the reference does is the same to the bit; rounding of 16 bits is not.
        bool is_covered = options.method != PELT_METHOD_CRS || i < 8;
        ENSURE(is_covered ? different > 200 : different == 0);
        pelt_deformer_destroy(deformer);
        point_set_free(&m);
    }
    return 0;
}

// A weight is off by 1/131070; three of them move the vertex between slots at most two units apart
// in these poses, and the strongest makes up for it.
static int weights_of_16_bits_stay_within_their_bound(void)
{
    for (uint32_t i = 0; i < 8; ++i)
    {
        point_set m = point_set_random(110 + i, 300, 11, 4, 60.0f);
        pelt_deform_options options = {.method = deformer_methods[i % 4], .mix = 0.6f};
        pelt_deformer_options how = {.order = (pelt_vertex_order)(i / 4)};
        ENSURE(check_run(&m, &how, &options, 3 * 2 / 131070.0, 0.05) == 0);
        point_set_free(&m);
    }
    return 0;
}

// Which blocks run together, and in which order, changes no bit.
static int ranges_do_not_matter(void)
{
    static surface_buffers once, parts;
    point_set m = point_set_random(300, 300, 9, 4, 120.0f);
    pelt_deformer_source source = source_of(&m);
    pelt_deformer* deformer;
    ENSURE(pelt_deformer_create(&deformer, &source, NULL) == PELT_OK);
    for (uint32_t i = 0; i < 4; ++i)
    {
        pelt_deform_options options = {.method = deformer_methods[i], .mix = 0.5f};
        pelt_surface out = surface_of(&once), other = surface_of(&parts);
        pelt_deformer_run(deformer, &out, &m.palette, &options, whole_of(deformer));
        uint32_t left = pelt_deformer_block_count(deformer);
        while (left > 0)
        {
            uint32_t count = left < 1 + i ? left : 1 + i;
            left -= count;
            pelt_deformer_run(deformer, &other, &m.palette, &options, (pelt_range){left, count});
        }
        ENSURE(memcmp(&once, &parts, sizeof once) == 0);
    }
    pelt_deformer_destroy(deformer);
    point_set_free(&m);
    return 0;
}

// A vertex buffer: position, normal and tangent of a vertex side by side, with other things between
// them, which stay as they are; and the same from a source with strides.
static int vertex_buffers_are_written_in_place(void)
{
    enum
    {
        STRIDE = 13 // floats
    };
    static float rest[DEFORMER_CHECK_VERTICES_MAX * STRIDE + 1],
        moved[DEFORMER_CHECK_VERTICES_MAX * STRIDE + 1];
    static surface_buffers packed;
    for (uint32_t order = 0; order < 2; ++order)
    {
        point_set m = point_set_random(310, 250, 9, 4, 60.0f);
        float *from = rest + 1, *to = moved + 1; // aligned to no more than a float
        for (uint32_t v = 0; v < m.vertex_count; ++v)
        {
            memcpy(from + v * STRIDE, &m.positions[v], 12);
            memcpy(from + v * STRIDE + 4, &m.normals[v], 12);
            memcpy(from + v * STRIDE + 8, &m.tangents[v], 16);
            to[v * STRIDE + 3] = to[v * STRIDE + 7] = to[v * STRIDE + 12] = 42.0f;
        }
        pelt_deformer_source source = source_of(&m), strided = source;
        strided.positions = (pelt_vec3*)(void*)from;
        strided.normals = (pelt_vec3*)(void*)(from + 4);
        strided.tangents = (pelt_vec4*)(void*)(from + 8);
        strided.position_stride = strided.normal_stride = strided.tangent_stride = 4 * STRIDE;
        pelt_deformer_options how = {.order = (pelt_vertex_order)order};
        pelt_deformer *a, *b;
        ENSURE(pelt_deformer_create(&a, &source, &how) == PELT_OK);
        ENSURE(pelt_deformer_create(&b, &strided, &how) == PELT_OK);
        for (uint32_t i = 0; i < PELT_METHOD_COUNT; ++i)
        {
            pelt_deform_options options = {.method = (pelt_method)i, .mix = 0.5f};
            pelt_surface out = surface_of(&packed);
            pelt_surface buffer = {(pelt_vec3*)(void*)to,
                                   (pelt_vec3*)(void*)(to + 4),
                                   (pelt_vec4*)(void*)(to + 8),
                                   4 * STRIDE,
                                   4 * STRIDE,
                                   4 * STRIDE};
            pelt_deformer_run(a, &out, &m.palette, &options, whole_of(a));
            pelt_deformer_run(b, &buffer, &m.palette, &options, whole_of(b));
            for (uint32_t v = 0; v < m.vertex_count; ++v)
            {
                ENSURE(memcmp(to + v * STRIDE, &packed.positions[v], 12) == 0);
                ENSURE(memcmp(to + v * STRIDE + 4, &packed.normals[v], 12) == 0);
                ENSURE(memcmp(to + v * STRIDE + 8, &packed.tangents[v], 16) == 0);
                ENSURE(to[v * STRIDE + 3] == 42.0f && to[v * STRIDE + 7] == 42.0f);
                ENSURE(to[v * STRIDE + 12] == 42.0f);
            }
        }
        pelt_deformer_destroy(a);
        pelt_deformer_destroy(b);
        point_set_free(&m);
    }
    return 0;
}

static int outputs_that_are_missing_are_not_computed(void)
{
    static surface_buffers all, some;
    point_set m = point_set_random(320, 100, 5, 3, 60.0f);
    pelt_deformer_source source = source_of(&m);
    pelt_deformer* deformer;
    ENSURE(pelt_deformer_create(&deformer, &source, NULL) == PELT_OK);
    pelt_deform_options options = {.method = PELT_METHOD_DQS};
    pelt_surface out = surface_of(&all), less = surface_of(&some);
    less.positions = NULL;
    less.tangents = NULL;
    pelt_deformer_run(deformer, &out, &m.palette, &options, whole_of(deformer));
    pelt_deformer_run(deformer, &less, &m.palette, &options, whole_of(deformer));
    ENSURE(memcmp(all.normals, some.normals, sizeof all.normals) == 0);
    ENSURE(isnan(some.positions[0].x) && isnan(some.tangents[0].x));
    pelt_deformer_destroy(deformer);
    point_set_free(&m);
    return 0;
}

static int order_is_a_permutation_and_indices_follow(void)
{
    point_set m = point_set_random(330, 300, 20, 4, 60.0f);
    pelt_deformer_source source = source_of(&m);
    pelt_deformer* deformer;
    ENSURE(pelt_deformer_create(&deformer, &source, NULL) == PELT_OK);
    uint32_t indices[300];
    bool is_seen[300] = {false};
    for (uint32_t i = 0; i < 300; ++i)
    {
        indices[i] = i;
        uint32_t v = pelt_deformer_order(deformer)[i];
        ENSURE(v < 300 && !is_seen[v]);
        is_seen[v] = true;
    }
    pelt_deformer_remap(deformer, indices, 300);
    for (uint32_t v = 0; v < 300; ++v)
    {
        ENSURE(pelt_deformer_order(deformer)[indices[v]] == v);
    }
    pelt_deformer_destroy(deformer);
    point_set_free(&m);
    return 0;
}

// Up to 150 joints in a block.
static int crowded_blocks_are_as_in_the_reference(void)
{
    for (uint32_t i = 0; i < 4; ++i)
    {
        point_set m = point_set_random(340 + i, 200, 150, 8, 60.0f);
        pelt_deform_options options = {.method = deformer_methods[i], .mix = 0.5f};
        pelt_deformer_options how = {.weights = PELT_WEIGHTS_FLOAT};
        ENSURE(check_run(&m, &how, &options, 2e-6, 0.05) == 0);
        point_set_free(&m);
    }
    return 0;
}

// Every second vertex loses its influences, which no import would leave.
static int vertices_without_influences_stay(void)
{
    static uint32_t first[DEFORMER_CHECK_VERTICES_MAX + 1];
    point_set m = point_set_random(350, 200, 5, 1, 60.0f);
    for (uint32_t v = 0; v < m.vertex_count; ++v)
    {
        first[v + 1] = first[v] + v % 2;
    }
    m.weights.first = first;
    m.weights.influence_count = first[m.vertex_count];
    for (uint32_t i = 0; i < 4; ++i)
    {
        pelt_deform_options options = {.method = deformer_methods[i], .mix = 0.5f};
        pelt_deformer_options how = {.weights = PELT_WEIGHTS_FLOAT};
        ENSURE(check_run(&m, &how, &options, 2e-6, 0.05) == 0);
    }
    // Positions alone, where no normal of length zero gives the sum over no joints away.
    static surface_buffers buffers;
    pelt_surface out = {.positions = surface_of(&buffers).positions};
    pelt_deformer_source source = {.positions = m.positions, .weights = &m.weights};
    pelt_deformer* deformer;
    ENSURE(pelt_deformer_create(&deformer, &source, NULL) == PELT_OK);
    pelt_deformer_run(deformer, &out, &m.palette, &(pelt_deform_options){0}, whole_of(deformer));
    for (uint32_t slot = 0; slot < m.vertex_count; ++slot)
    {
        uint32_t v = pelt_deformer_order(deformer)[slot];
        ENSURE(v % 2 == 1 || memcmp(&out.positions[slot], &m.positions[v], 12) == 0);
    }
    pelt_deformer_destroy(deformer);
    point_set_free(&m);
    return 0;
}

static int mix_factors_of_vertices_are_used(void)
{
    static surface_buffers buffers;
    static float factors[DEFORMER_CHECK_VERTICES_MAX];
    point_set m = point_set_random(360, 200, 9, 4, 60.0f);
    test_random random = {360};
    for (uint32_t v = 0; v < m.vertex_count; ++v)
    {
        factors[v] = test_uniform(&random, 0.0f, 1.0f);
    }
    pelt_deform_options options = {.method = PELT_METHOD_MIX};
    pelt_deform_input input = point_set_input(&m);
    pelt_deformer_source source = source_of(&m);
    input.mix_factors = source.mix_factors = factors;
    pelt_surface out = surface_of(&buffers), expected = point_set_deform(&m, &options);
    pelt_deform(&expected, &input, &options, (pelt_range){0, m.vertex_count});
    pelt_deformer_options how = {.weights = PELT_WEIGHTS_FLOAT};
    pelt_deformer* deformer;
    ENSURE(pelt_deformer_create(&deformer, &source, &how) == PELT_OK);
    pelt_deformer_run(deformer, &out, &m.palette, &options, whole_of(deformer));
    ENSURE(check_near(deformer, &out, &expected, 2e-6, 0.05) == 0);
    pelt_deformer_destroy(deformer);
    point_set_free(&m);
    return 0;
}

// What names a set runs it: sets that fuse have other bits than the base set, and
// pelt_deformer_run() has those of the set that pelt_deformer_isa() names, which PELT_ISA may have
// chosen.
static int kernels_are_those_of_the_set_they_name(void)
{
    static surface_buffers named, other;
    point_set m = point_set_random(390, 300, 9, 4, 30.0f);
    pelt_deformer_source source = source_of(&m);
    pelt_deformer* deformer;
    pelt_deform_options options = {.method = PELT_METHOD_DQS};
    ENSURE(pelt_deformer_create(&deformer, &source, NULL) == PELT_OK);
    const pelti_block_kernels *base = pelti_block_kernels_for(PELTI_ISA_BASE), *chosen = NULL;
    for (int isa = 0; isa < PELTI_ISA_COUNT; ++isa)
    {
        const pelti_block_kernels* kernels = pelti_block_kernels_for((pelti_isa)isa);
        ENSURE(kernels == NULL || kernels->isa == (pelti_isa)isa);
        if (kernels != NULL && kernels != base)
        {
            pelt_surface out = surface_of(&named);
            pelti_deformer_run(deformer, kernels, &out, &m.palette, &options, whole_of(deformer));
            out = surface_of(&other);
            pelti_deformer_run(deformer, base, &out, &m.palette, &options, whole_of(deformer));
            ENSURE(memcmp(&named, &other, sizeof named) != 0);
        }
        bool is_chosen = strcmp(pelti_isa_name((pelti_isa)isa), pelt_deformer_isa()) == 0;
        chosen = is_chosen ? kernels : chosen;
    }
    ENSURE(chosen != NULL);
    pelt_surface out = surface_of(&named);
    pelti_deformer_run(deformer, chosen, &out, &m.palette, &options, whole_of(deformer));
    out = surface_of(&other);
    pelt_deformer_run(deformer, &out, &m.palette, &options, whole_of(deformer));
    ENSURE(memcmp(&named, &other, sizeof named) == 0);
    pelt_deformer_destroy(deformer);
    point_set_free(&m);
    return 0;
}

// Every length of the last block, by every number of influences.
static int every_tail_agrees_with_the_reference(void)
{
    for (uint32_t count = 1; count <= 2 * PELTI_BLOCK + 1; ++count)
    {
        point_set m = point_set_random(400 + count, count, 7, 1 + count % 9, 40.0f);
        for (uint32_t i = 0; i < 4; ++i)
        {
            pelt_deform_options options = {.method = deformer_methods[i], .mix = 0.4f};
            pelt_deformer_options how = {.order = (pelt_vertex_order)((count + i) % 2),
                                         .weights = PELT_WEIGHTS_FLOAT};
            ENSURE(check_run(&m, &how, &options, 2e-6, 0.05) == 0);
        }
        point_set_free(&m);
    }
    return 0;
}

// Arrays of a surface at some distance from the start of a cache line, with a number before and
// after each that no kernel may change.
typedef struct placed_arrays
{
    _Alignas(64) float floats[3][4 * DEFORMER_CHECK_VERTICES_MAX + 32];
} placed_arrays;

static const float mark = 4711.0f;

static pelt_surface place_arrays(placed_arrays* out, uint32_t offset, uint32_t count)
{
    static const uint32_t widths[3] = {3, 3, 4};
    memset(out, 0xff, sizeof *out);
    for (int i = 0; i < 3; ++i)
    {
        out->floats[i][offset] = out->floats[i][offset + 1 + widths[i] * count] = mark;
    }
    return (pelt_surface){.positions = (pelt_vec3*)(void*)&out->floats[0][offset + 1],
                          .normals = (pelt_vec3*)(void*)&out->floats[1][offset + 1],
                          .tangents = (pelt_vec4*)(void*)&out->floats[2][offset + 1]};
}

static int alignment_does_not_matter(void)
{
    static surface_buffers buffers;
    static placed_arrays placed;
    const uint32_t count = 75;
    point_set m = point_set_random(500, count, 7, 3, 40.0f);
    pelt_deformer_source source = source_of(&m);
    pelt_deformer* deformer;
    ENSURE(pelt_deformer_create(&deformer, &source, NULL) == PELT_OK);
    for (uint32_t i = 0; i < 16 * 4 * PELTI_ISA_COUNT; ++i)
    {
        pelt_deform_options options = {.method = deformer_methods[i % 4], .mix = 0.5f};
        const pelti_block_kernels* kernels = pelti_block_kernels_for((pelti_isa)(i / 64));
        if (kernels != NULL)
        {
            uint32_t offset = i / 4 % 16;
            pelt_surface out = surface_of(&buffers), other = place_arrays(&placed, offset, count);
            pelti_deformer_run(deformer, kernels, &out, &m.palette, &options, whole_of(deformer));
            pelti_deformer_run(deformer, kernels, &other, &m.palette, &options, whole_of(deformer));
            ENSURE(memcmp(out.positions, other.positions, count * sizeof(pelt_vec3)) == 0);
            ENSURE(memcmp(out.normals, other.normals, count * sizeof(pelt_vec3)) == 0);
            ENSURE(memcmp(out.tangents, other.tangents, count * sizeof(pelt_vec4)) == 0);
            ENSURE(placed.floats[0][offset] == mark && placed.floats[1][offset] == mark);
            ENSURE(placed.floats[2][offset] == mark);
            ENSURE(placed.floats[0][offset + 1 + 3 * count] == mark);
            ENSURE(placed.floats[1][offset + 1 + 3 * count] == mark);
            ENSURE(placed.floats[2][offset + 1 + 4 * count] == mark);
        }
    }
    pelt_deformer_destroy(deformer);
    point_set_free(&m);
    return 0;
}

// Surfaces that no cache holds are written otherwise, if they begin with a line.
static int large_surfaces_have_the_same_bits(void)
{
    static placed_arrays small, large;
    const uint32_t count = 9 * PELTI_BLOCK + 5, aligned = 15;
    point_set m = point_set_random(505, count, 7, 3, 100.0f); // some blocks are the reference's
    pelt_deformer_source source = source_of(&m);
    pelt_deformer* deformer;
    ENSURE(pelt_deformer_create(&deformer, &source, NULL) == PELT_OK);
    for (uint32_t i = 0; i < 3 * 4 * PELTI_ISA_COUNT; ++i)
    {
        pelt_deform_options options = {.method = deformer_methods[i % 4], .mix = 0.5f};
        const pelti_block_kernels* kernels = pelti_block_kernels_for((pelti_isa)(i / 12));
        if (kernels != NULL)
        {
            pelti_block_kernels eager = *kernels;
            eager.always_streams = true;
            uint32_t offset = aligned - i / 4 % 3 * 4;
            pelt_surface out = place_arrays(&small, offset, count);
            pelti_deformer_run(deformer, kernels, &out, &m.palette, &options, whole_of(deformer));
            out = place_arrays(&large, offset, count);
            pelti_deformer_run(deformer, &eager, &out, &m.palette, &options, whole_of(deformer));
            ENSURE(memcmp(&small, &large, sizeof small) == 0);
        }
    }
    pelt_deformer_destroy(deformer);
    point_set_free(&m);
    return 0;
}

typedef struct thread_work
{
    const pelt_deformer* deformer;
    const pelt_surface* out;
    const pelt_palette* palette;
    const pelt_deform_options* options;
} thread_work;

static void run_one_block(void* context, uint32_t index)
{
    const thread_work* work = context;
    pelt_deformer_run(work->deformer, work->out, work->palette, work->options,
                      (pelt_range){index, 1});
}

// Each block by whichever thread comes first.
static int threads_do_not_matter(void)
{
    static surface_buffers once, parts;
    // Some blocks of these poses are the reference's.
    point_set m = point_set_random(510, 299, 9, 4, 100.0f);
    pelt_deformer_source source = source_of(&m);
    for (uint32_t threads = 1; threads <= 4; ++threads)
    {
        pelt_pool* pool = pelt_pool_create(threads);
        ENSURE(pool != NULL);
        for (uint32_t i = 0; i < 8; ++i)
        {
            pelt_deformer* deformer;
            pelt_deformer_options how = {.order = (pelt_vertex_order)(i / 4)};
            pelt_deform_options options = {.method = deformer_methods[i % 4], .mix = 0.5f};
            ENSURE(pelt_deformer_create(&deformer, &source, &how) == PELT_OK);
            pelt_surface out = surface_of(&once), other = surface_of(&parts);
            thread_work work = {deformer, &other, &m.palette, &options};
            pelt_deformer_run(deformer, &out, &m.palette, &options, whole_of(deformer));
            pelt_pool_run(pelt_deformer_block_count(deformer), run_one_block, &work, pool);
            ENSURE(memcmp(&once, &parts, sizeof once) == 0);
            pelt_deformer_destroy(deformer);
        }
        pelt_pool_destroy(pool);
    }
    point_set_free(&m);
    return 0;
}

// The promise is 1.3 times what the mesh takes.
static int characters_take_little_memory(void)
{
    static const char* const rigs[] = {"human?vertices=4000", "raptor?vertices=4000", "arm"};
    for (size_t i = 0; i < sizeof rigs / sizeof rigs[0]; ++i)
    {
        pelt_scene* scene;
        pelt_deformer* deformer;
        ENSURE(pelt_rig_build(&scene, rigs[i], NULL) == PELT_OK);
        const pelt_mesh* mesh = &scene->meshes[0];
        size_t vertex = sizeof *mesh->positions + sizeof *mesh->normals + sizeof(uint32_t) +
                        (mesh->tangents != NULL ? sizeof *mesh->tangents : 0);
        size_t bytes = mesh->vertex_count * vertex + mesh->index_count * sizeof *mesh->indices +
                       mesh->weights.influence_count * sizeof *mesh->weights.influences;
        pelt_deformer_source source = {.positions = mesh->positions,
                                       .normals = mesh->normals,
                                       .tangents = mesh->tangents,
                                       .weights = &mesh->weights};
        ENSURE(pelt_deformer_create(&deformer, &source, NULL) == PELT_OK);
        ENSURE((double)pelt_deformer_bytes(deformer) <= 1.3 * (double)bytes);
        pelt_deformer_destroy(deformer);
        pelt_scene_destroy(scene);
    }
    return 0;
}

static pelt_result create_and_destroy(const void* context)
{
    const point_set* m = context;
    pelt_deformer_source source = source_of(m);
    pelt_deformer* deformer;
    pelt_result result = pelt_deformer_create(&deformer, &source, NULL);
    if (result != PELT_OK && deformer != NULL)
    {
        return PELT_ERROR_DATA;
    }
    pelt_deformer_destroy(deformer);
    return result;
}

static int out_of_memory_is_a_result(void)
{
    point_set m = point_set_random(370, 300, 9, 4, 60.0f);
    ENSURE(failing_heap_check(create_and_destroy, &m, 1000) == 0);
    point_set_free(&m);
    return 0;
}

static int no_vertices_are_no_blocks(void)
{
    const uint32_t first[1] = {0};
    const pelt_vec3 none[1] = {{0}};
    pelt_weights weights = {.joint_count = 1, .first = first};
    pelt_deformer_source source = {.positions = none, .weights = &weights};
    pelt_deformer* deformer;
    ENSURE(pelt_deformer_create(&deformer, &source, NULL) == PELT_OK);
    ENSURE(pelt_deformer_block_count(deformer) == 0);
    pelt_deformer_destroy(deformer);
    return 0;
}

void test_deformer(void)
{
    RUN(every_kernel_agrees_with_the_reference);
    RUN(every_tail_agrees_with_the_reference);
    RUN(variants_of_dqs_agree_too);
    RUN(kernels_are_used_where_they_can_be);
    RUN(kernels_are_those_of_the_set_they_name);
    RUN(weights_of_16_bits_stay_within_their_bound);
    RUN(ranges_do_not_matter);
    RUN(threads_do_not_matter);
    RUN(alignment_does_not_matter);
    RUN(large_surfaces_have_the_same_bits);
    RUN(vertex_buffers_are_written_in_place);
    RUN(outputs_that_are_missing_are_not_computed);
    RUN(order_is_a_permutation_and_indices_follow);
    RUN(crowded_blocks_are_as_in_the_reference);
    RUN(vertices_without_influences_stay);
    RUN(mix_factors_of_vertices_are_used);
    RUN(characters_take_little_memory);
    RUN(out_of_memory_is_a_result);
    RUN(no_vertices_are_no_blocks);
}
