// SPDX-License-Identifier: MIT
#include "gl_compare.h"

#include "gl_spread.h"

#include <stdlib.h>
#include <string.h>

const pelt_method gl_methods[GL_METHOD_COUNT] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_MIX,
                                                 PELT_METHOD_CRS};

pelt_gl* gl_open(pelt_gl_source source, const char* suite)
{
    pelt_gl* gl;
    pelt_error error = {0};
    if (pelt_gl_create(&gl, source, &error) != PELT_OK)
    {
        test_skip(suite, error.message);
        return NULL;
    }
    pelt_gl_info info = pelt_gl_describe(gl);
    printf("  %s, %s\n", info.version, info.renderer);
    return gl;
}

static void keep_larger(double* worst, double value)
{
    // Written so that NaN counts as the worst.
    *worst = value <= *worst ? *worst : value;
}

void gl_difference_join(gl_difference* worst, const gl_difference* other)
{
    keep_larger(&worst->position, other->position);
    keep_larger(&worst->normal, other->normal);
    keep_larger(&worst->tangent, other->tangent);
    keep_larger(&worst->beyond, other->beyond);
}

bool gl_difference_is_small(const gl_difference* difference)
{
    return difference->position <= 1e-5 && difference->normal <= 0.05 &&
           difference->tangent <= 0.05;
}

bool gl_difference_is_rounding(const gl_difference* difference)
{
    return difference->position <= 1e-5 && difference->beyond <= 1e-3;
}

pelt_mesh gl_mesh_of(const point_set* m)
{
    return (pelt_mesh){.vertex_count = m->vertex_count,
                       .positions = m->positions,
                       .normals = m->normals,
                       .tangents = m->tangents,
                       .weights = m->weights,
                       .material = PELT_NONE};
}

void gl_stretch_joints(point_set* m, gl_mirrors which)
{
    test_random random = {23};
    for (uint32_t joint = 0; joint < m->joint_count; ++joint)
    {
        bool is_mirror = which == GL_MIRRORS_ALL || (which == GL_MIRRORS_ODD && joint % 2 == 1);
        pelt_mat34 map = pelt_mat34_identity();
        for (int i = 0; i < 3; ++i)
        {
            map.m[i][i] = powf(2.5f, test_uniform(&random, -1.0f, 1.0f));
            map.m[i][(i + 1) % 3] = test_uniform(&random, -0.3f, 0.3f);
        }
        map.m[0][0] = is_mirror ? -map.m[0][0] : map.m[0][0];
        m->palette.matrices[joint] = pelt_mat34_mul(&m->palette.matrices[joint], &map);
    }
    point_set_pose(m);
}

pelt_surface gl_surface_make(const pelt_mesh* mesh, pelt_arena* arena)
{
    size_t count = mesh->vertex_count;
    pelt_surface out = {0};
    out.positions = pelt_arena_alloc(arena, count, sizeof *out.positions);
    out.normals = mesh->normals ? pelt_arena_alloc(arena, count, sizeof *out.normals) : NULL;
    out.tangents = mesh->tangents ? pelt_arena_alloc(arena, count, sizeof *out.tangents) : NULL;
    return out;
}

// Fewer influences by the importer: an independent way to the same weights.
static int prune(pelt_weights* out, const pelt_weights* weights, uint32_t limit, pelt_arena* arena)
{
    uint32_t* joints = pelt_arena_alloc(arena, weights->influence_count, sizeof *joints);
    float* values = pelt_arena_alloc(arena, weights->influence_count, sizeof *values);
    ENSURE(joints != NULL && values != NULL);
    for (uint32_t i = 0; i < weights->influence_count; ++i)
    {
        joints[i] = weights->influences[i].joint;
        values[i] = weights->influences[i].weight;
    }
    pelt_weights_source source = {.vertex_count = weights->vertex_count,
                                  .joint_count = weights->joint_count,
                                  .first = weights->first,
                                  .joints_u32 = joints,
                                  .weights = values,
                                  .max_influences = limit};
    ENSURE(pelt_weights_import(out, NULL, &source, arena) == PELT_OK);
    return 0;
}

int gl_reference(pelt_surface* out, const gl_case* c, pelt_arena* arena)
{
    uint32_t limit = c->max_influences > 0 ? c->max_influences : PELT_GPU_INFLUENCE_MAX;
    pelt_weights weights = c->mesh->weights;
    if (weights.max_influences > limit)
    {
        ENSURE(prune(&weights, &c->mesh->weights, limit, arena) == 0);
    }
    pelt_deform_input input = {.positions = c->mesh->positions,
                               .normals = c->mesh->normals,
                               .tangents = c->mesh->tangents,
                               .cors = c->cors,
                               .mix_factors =
                                   c->mix_factors ? c->mix_factors : c->mesh->mix_factors,
                               .normal_factors = c->factors,
                               .weights = &weights,
                               .palette = c->palette};
    pelt_deform_options options = {.method = c->method,
                                   .scale_pivot = c->pivot,
                                   .mix = c->mix,
                                   .normal_rule = c->rule,
                                   .sign_rule = c->sign_rule};
    *out = gl_surface_make(c->mesh, arena);
    pelt_deform(out, &input, &options, (pelt_range){0, c->mesh->vertex_count});
    return 0;
}

int gl_deform(pelt_surface* out, pelt_gl* gl, const gl_case* c, pelt_arena* arena)
{
    pelt_gl_mesh mesh;
    pelt_gl_palette palette;
    pelt_error error = {0};
    pelt_gl_mesh_options options = {.max_influences = c->max_influences,
                                    .cors = c->cors,
                                    .mix_factors = c->mix_factors,
                                    .normal_factors = c->factors,
                                    .normal_rule = c->rule};
    *out = gl_surface_make(c->mesh, arena);
    ENSURE(pelt_gl_mesh_create(&mesh, gl, c->mesh, &options, &error) == PELT_OK);
    if (c->compact != NULL)
    {
        ENSURE(pelt_gl_mesh_set_compact_normals(&mesh, gl, c->compact, c->mesh->normals, c->rule,
                                                &error) == PELT_OK);
    }
    ENSURE(pelt_gl_palette_create(&palette, gl, c->palette->joint_count, c->kind, &error) ==
           PELT_OK);
    pelt_gl_palette_set_layout(&palette, c->layout);
    pelt_gl_palette_set_signs(&palette, c->sign_rule);
    pelt_gl_palette_update(&palette, c->palette, c->method, c->pivot);
    pelt_result result = pelt_gl_skin(out, gl, &mesh, &palette, c->mix, &error);
    if (result != PELT_OK)
    {
        printf("  %s\n", error.message);
    }
    ENSURE(c->kind == PELT_PALETTE_AUTO || palette.kind == c->kind);
    pelt_gl_palette_destroy(&palette);
    pelt_gl_mesh_destroy(&mesh);
    ENSURE(result == PELT_OK);
    return 0;
}

// From their distance: the arc cosine has no digits there.
double gl_degrees_between(pelt_vec3 a, pelt_vec3 b)
{
    double half = 0.5 * (double)pelt_vec3_distance(a, b);
    return half < 1.0 ? 2.0 * asin(half) * 180.0 / (double)PELT_PI : half * 180.0;
}

double gl_tangent_degrees(pelt_vec4 a, pelt_vec4 b)
{
    return gl_degrees_between(pelt_vec3_make(a.x, a.y, a.z), pelt_vec3_make(b.x, b.y, b.z));
}

static void compare_vertex(gl_difference* worst, const pelt_surface* a, const pelt_surface* b,
                           uint32_t v, double size)
{
    keep_larger(&worst->position,
                (double)pelt_vec3_distance(a->positions[v], b->positions[v]) / size);
    if (a->normals != NULL)
    {
        keep_larger(&worst->normal, gl_degrees_between(a->normals[v], b->normals[v]));
    }
    if (a->tangents != NULL)
    {
        pelt_vec4 s = a->tangents[v], t = b->tangents[v];
        keep_larger(&worst->tangent, s.w == t.w ? gl_tangent_degrees(s, t) : 180.0);
    }
}

static int compare_to_spread(gl_difference* worst, const pelt_surface* expected,
                             const pelt_surface* got, const gl_case* c, double size)
{
    pelt_arena* arena = pelt_arena_create();
    gl_spread* spreads = pelt_arena_alloc(arena, c->mesh->vertex_count, sizeof *spreads);
    int failed = spreads == NULL || gl_spread_find(spreads, expected, c, size, arena);
    for (uint32_t v = 0; v < c->mesh->vertex_count && !failed; ++v)
    {
        gl_difference one = {0};
        compare_vertex(&one, expected, got, v, size);
        keep_larger(&worst->beyond, one.normal - 8.0 * spreads[v].normal);
        keep_larger(&worst->beyond, one.tangent - 8.0 * spreads[v].tangent);
    }
    pelt_arena_destroy(arena);
    return failed;
}

int gl_compare_surfaces(gl_difference* worst, const pelt_surface* expected, const pelt_surface* got,
                        const gl_case* c)
{
    // The posed box: bind space may have units of its own, which the joints undo.
    pelt_bounds box = pelt_bounds_empty();
    pelt_bounds_add(&box, expected->positions, c->mesh->vertex_count);
    double size = c->size > 0.0 ? c->size : (double)pelt_bounds_diagonal(&box);
    for (uint32_t v = 0; v < c->mesh->vertex_count; ++v)
    {
        compare_vertex(worst, expected, got, v, size);
    }
    return c->rule != PELT_NORMAL_STANDARD ? compare_to_spread(worst, expected, got, c, size) : 0;
}

int gl_compare(gl_difference* worst, pelt_gl* gl, const gl_case* c)
{
    pelt_arena* arena = pelt_arena_create();
    pelt_surface expected = {0}, got = {0};
    int failed = gl_reference(&expected, c, arena) || gl_deform(&got, gl, c, arena) ||
                 gl_compare_surfaces(worst, &expected, &got, c);
    pelt_arena_destroy(arena);
    return failed;
}
