// SPDX-License-Identifier: MIT
// Accurate normals of vertices with constant weights, in blocks with others. Where several joints
// stretch about such a vertex, the plane of its triangles matters; elsewhere its normal alone does.
#include "deformer_check.h"
#include "gradient_points.h"

#include <string.h>

typedef enum tangent_kind
{
    TANGENTS_NONE,
    TANGENTS_ACROSS,
    TANGENTS_SKEWED, // one in sixteen is not across its normal
    TANGENT_KIND_COUNT
} tangent_kind;

// They are across at first.
static void skew_tangents(point_set* m)
{
    for (uint32_t v = 0; v < m->vertex_count; v += 16)
    {
        pelt_vec3 t = pelt_vec3_mad(gradient_xyz(m->tangents[v]), 0.3f, m->normals[v]);
        t = pelt_vec3_normalize(t);
        m->tangents[v] = (pelt_vec4){t.x, t.y, t.z, m->tangents[v].w};
    }
}

// Vertices of one joint, of two whose weights are constant, and of several that have factors, by
// rotates. Sorting brings them together, but for blocks between one kind and the next.
static gradient_points make_points(uint64_t seed)
{
    gradient_points s = gradient_points_make(seed, 0.3f, true);
    point_set* m = &s.m;
    uint32_t count = 0;
    for (uint32_t v = 0; v < m->vertex_count; ++v)
    {
        uint32_t* joints = m->joints + v * m->stride;
        float* weights = m->raw_weights + v * m->stride;
        s.first[v] = count;
        if (v % 3 == 2)
        {
            memmove(s.list + count, s.list + v * m->joint_count, m->joint_count * sizeof *s.list);
            count += m->joint_count;
            continue;
        }
        joints[0] = 0;
        joints[1] = 1;
        weights[0] = 1.0f;
        weights[1] = v % 3 == 1 ? 0.6f : 0.0f;
        weights[2] = 0.0f;
    }
    s.first[m->vertex_count] = s.factors.factor_count = count;
    point_set_bind(m);
    return s;
}

// A target that moves and rotates every vertex.
static pelt_morph make_morph(const point_set* m)
{
    test_random random = {31};
    pelt_vec3* deltas = pelt_arena_alloc(m->arena, 3 * m->vertex_count, sizeof *deltas);
    for (uint32_t i = 0; i < 3 * m->vertex_count; ++i)
    {
        deltas[i] = test_point(&random, 0.3f);
    }
    return (pelt_morph){"target", deltas, deltas + m->vertex_count, deltas + 2 * m->vertex_count};
}

static pelt_surface reference_of(const gradient_points* s, const pelt_morph* morph, float weight,
                                 const pelt_deform_options* options)
{
    static surface_buffers buffers;
    const point_set* m = &s->m;
    const pelt_mesh mesh = {.vertex_count = m->vertex_count,
                            .positions = m->positions,
                            .normals = m->normals,
                            .tangents = m->tangents,
                            .morph_count = 1,
                            .morphs = morph};
    pelt_deform_input input = point_set_input(m);
    input.normal_factors = &s->factors;
    return deform_shaped(&buffers, &mesh, &weight, input, options);
}

// By every set of kernels.
static int check_kinds(const gradient_points* s, const pelt_morph* morph, float weight,
                       tangent_kind tangents, pelt_method method)
{
    static surface_buffers buffers;
    const pelt_deform_options options = {
        .method = method, .mix = 0.4f, .normal_rule = PELT_NORMAL_ACCURATE};
    pelt_deformer_source source = source_of(&s->m);
    source.tangents = tangents == TANGENTS_NONE ? NULL : source.tangents;
    source.normal_factors = &s->factors;
    source.morph_count = 1;
    source.morphs = morph;
    pelt_deformer* deformer;
    ENSURE(pelt_deformer_create(
               &deformer, &source,
               &(pelt_deformer_options){.order = PELT_ORDER_KEPT, .weights = PELT_WEIGHTS_FLOAT}) ==
           PELT_OK);
    // The third block has vertices of one joint and of two, the fifth also some with factors.
    ENSURE(deformer->factor_blocks[2].joint_count == 0 && deformer->blocks[2].joint_count == 2);
    ENSURE(deformer->factor_blocks[4].joint_count > 2 &&
           deformer->factor_blocks[4].needs_plane_normals);
    pelt_surface expected = reference_of(s, morph, weight, &options);
    for (int isa = 0; isa < PELTI_ISA_COUNT; ++isa)
    {
        const pelti_block_kernels* kernels = pelti_block_kernels_for((pelti_isa)isa);
        if (kernels != NULL)
        {
            pelt_surface out = surface_of(&buffers);
            pelti_deformer_run_morphed(deformer, kernels, &out, &s->m.palette, &options, &weight,
                                       whole_of(deformer));
            if (tangents == TANGENTS_NONE)
            {
                memcpy(out.tangents, expected.tangents, sizeof buffers.tangents);
            }
            ENSURE(check_near(deformer, &out, &expected, 2e-6, 0.05) == 0);
        }
    }
    pelt_deformer_destroy(deformer);
    return 0;
}

static int kinds_of_vertices_share_blocks(void)
{
    for (uint32_t i = 0; i < 4 * TANGENT_KIND_COUNT * 2; ++i)
    {
        gradient_points s = make_points(40 + i);
        tangent_kind tangents = (tangent_kind)(i / 4 % TANGENT_KIND_COUNT);
        if (tangents == TANGENTS_SKEWED)
        {
            skew_tangents(&s.m);
        }
        pelt_morph morph = make_morph(&s.m);
        float weight = i / (4 * TANGENT_KIND_COUNT) == 0 ? 0.0f : 0.4f;
        ENSURE(check_kinds(&s, &morph, weight, tangents, deformer_methods[i % 4]) == 0);
        point_set_free(&s.m);
    }
    return 0;
}

void test_deformer_constant(void)
{
    RUN(kinds_of_vertices_share_blocks);
}
