// SPDX-License-Identifier: MIT
#include "deformer_check.h"

#include <string.h>

const pelt_method deformer_methods[4] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_MIX,
                                         PELT_METHOD_CRS};

pelt_surface surface_of(surface_buffers* buffers)
{
    memset(buffers, 0xff, sizeof *buffers); // NaN where nothing is written
    return (pelt_surface){.positions = buffers->positions,
                          .normals = buffers->normals,
                          .tangents = buffers->tangents};
}

pelt_deformer_source source_of(const point_set* m)
{
    return (pelt_deformer_source){.positions = m->positions,
                                  .normals = m->normals,
                                  .tangents = m->tangents,
                                  .cors = m->cors,
                                  .weights = &m->weights};
}

pelt_range whole_of(const pelt_deformer* deformer)
{
    return (pelt_range){0, pelt_deformer_block_count(deformer)};
}

double degrees_between(pelt_vec3 a, pelt_vec3 b)
{
    pelt_vec3 cross = pelt_vec3_cross(a, b);
    return atan2((double)pelt_vec3_length(cross), (double)pelt_vec3_dot(a, b)) * 180.0 / 3.14159265;
}

pelt_surface deform_shaped(surface_buffers* buffers, const pelt_mesh* mesh,
                           const float* morph_weights, pelt_deform_input input,
                           const pelt_deform_options* options)
{
    pelt_surface out = surface_of(buffers);
    pelt_range range = {0, mesh->vertex_count};
    pelt_morph_apply(&out, mesh, morph_weights, range);
    input.positions = out.positions;
    input.normals = out.normals;
    input.tangents = out.tangents;
    pelt_deform(&out, &input, options, range);
    return out;
}

static float extent_of(const pelt_surface* surface, uint32_t count)
{
    float extent = 0.0f;
    for (uint32_t v = 0; v < count; ++v)
    {
        extent = fmaxf(extent, pelt_vec3_length(surface->positions[v]));
    }
    return extent;
}

int check_near(const pelt_deformer* deformer, const pelt_surface* out, const pelt_surface* expected,
               double tolerance, double degrees)
{
    const pelt_deformer_options* options = &deformer->options;
    uint32_t count = deformer->source.weights->vertex_count;
    const uint32_t* order = pelt_deformer_order(deformer);
    double size = (double)extent_of(expected, count);
    for (uint32_t slot = 0; slot < count; ++slot)
    {
        uint32_t v = order[slot], at = options->order == PELT_ORDER_SORTED ? slot : v;
        pelt_vec4 t = out->tangents[at], e = expected->tangents[v];
        ENSURE_POINT(out->positions[at], expected->positions[v], tolerance * size);
        ENSURE(degrees_between(out->normals[at], expected->normals[v]) < degrees);
        ENSURE_NEAR(pelt_vec3_length(out->normals[at]), 1.0, 2e-6);
        ENSURE(degrees_between(pelt_vec3_make(t.x, t.y, t.z), pelt_vec3_make(e.x, e.y, e.z)) <
               degrees);
        ENSURE(t.w == e.w);
    }
    return 0;
}

int check_run(const point_set* m, const pelt_deformer_options* how,
              const pelt_deform_options* options, double tolerance, double degrees)
{
    static surface_buffers fused, other;
    pelt_deformer_source source = source_of(m);
    pelt_deformer* deformer;
    pelt_surface expected = point_set_deform(m, options);
    ENSURE(pelt_deformer_create(&deformer, &source, how) == PELT_OK);
    for (int isa = 0; isa < PELTI_ISA_COUNT; ++isa)
    {
        const pelti_block_kernels* kernels = pelti_block_kernels_for((pelti_isa)isa);
        if (kernels != NULL)
        {
            surface_buffers* to = isa <= PELTI_ISA_AVX2 ? &fused : &other;
            pelt_surface out = surface_of(to);
            pelti_deformer_run(deformer, kernels, &out, &m->palette, options, whole_of(deformer));
            ENSURE(check_near(deformer, &out, &expected, tolerance, degrees) == 0);
            ENSURE(isa <= PELTI_ISA_AVX2 || memcmp(&fused, &other, sizeof fused) == 0);
        }
    }
    pelt_deformer_destroy(deformer);
    return 0;
}
void scale_joints(point_set* m, uint64_t seed, uint32_t mirrors)
{
    test_random random = {seed};
    for (uint32_t joint = 0; joint < m->joint_count; ++joint)
    {
        pelt_transform t = pelt_transform_identity();
        t.scale = pelt_vec3_add(test_point(&random, 0.4f), pelt_vec3_make(1, 1, 1));
        t.scale.y = (mirrors >> joint & 1) != 0 ? -t.scale.y : t.scale.y;
        pelt_mat34 s = pelt_mat34_from_transform(t);
        m->palette.matrices[joint] = pelt_mat34_mul(&m->palette.matrices[joint], &s);
    }
    point_set_pose(m);
}
