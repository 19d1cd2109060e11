// SPDX-License-Identifier: MIT
#include "gl_factors.h"

static void make_joints(pelt_normal_factor* out, uint32_t count, const point_set* m, uint32_t v)
{
    const pelt_influence* influences = m->weights.influences + m->weights.first[v];
    uint32_t own = m->weights.first[v + 1] - m->weights.first[v];
    for (uint32_t i = 0; i < count; ++i)
    {
        // Influences of a point_set are neighbors in the list of joints: others follow the last.
        uint32_t other = (influences[0].joint + 17 + i) % m->joint_count;
        out[i].joint = i < own ? influences[i].joint : (pelt_joint_index)other;
    }
}

// Make numbers sum to what they should, by adding the same to all.
static void settle(pelt_normal_factor* factors, uint32_t count, size_t offset, float sum)
{
    double have = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        have += (double)*(float*)((char*)&factors[i] + offset);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        *(float*)((char*)&factors[i] + offset) += (float)(((double)sum - have) / count);
    }
}

static void make_factors(pelt_normal_factor* out, uint32_t count, test_random* random)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        out[i].weight = test_uniform(random, 0.0f, 2.0f / (float)count);
        out[i].alpha = test_uniform(random, -2.0f, 2.0f);
        out[i].beta = test_uniform(random, -2.0f, 2.0f);
        for (int k = 0; k < 4; ++k)
        {
            float mean = k % 3 == 0 ? out[i].weight : 0.0f;
            out[i].moments[k / 2][k % 2] = mean + test_uniform(random, -0.3f, 0.3f);
        }
    }
    settle(out, count, offsetof(pelt_normal_factor, weight), 1.0f);
    settle(out, count, offsetof(pelt_normal_factor, alpha), 0.0f);
    settle(out, count, offsetof(pelt_normal_factor, beta), 0.0f);
    for (size_t k = 0; k < 4; ++k)
    {
        settle(out, count, offsetof(pelt_normal_factor, moments) + k * sizeof(float),
               k % 3 == 0 ? 1.0f : 0.0f);
    }
}

static bool allocate(pelt_normal_factors* out, const point_set* m, uint32_t slots)
{
    size_t count = m->vertex_count;
    out->first = pelt_arena_alloc(m->arena, count + 1, sizeof *out->first);
    out->factors = pelt_arena_alloc(m->arena, count * slots, sizeof *out->factors);
    out->tangents = pelt_arena_alloc(m->arena, count, sizeof *out->tangents);
    out->plane_normals = pelt_arena_alloc(m->arena, count, sizeof *out->plane_normals);
    out->centers = pelt_arena_alloc(m->arena, count, sizeof *out->centers);
    out->center_derivatives =
        pelt_arena_alloc(m->arena, 2 * count, sizeof *out->center_derivatives);
    return out->first && out->factors && out->tangents && out->plane_normals && out->centers &&
           out->center_derivatives;
}

static void make_frame(const pelt_normal_factors* out, const point_set* m, uint32_t v,
                       test_random* random)
{
    pelt_vec4 t = m->tangents[v];
    ((pelt_vec3*)out->tangents)[v] = pelt_vec3_make(t.x, t.y, t.z);
    ((pelt_vec2*)out->plane_normals)[v] =
        (pelt_vec2){test_uniform(random, -0.3f, 0.3f), test_uniform(random, -0.3f, 0.3f)};
    ((pelt_vec3*)out->centers)[v] = test_point(random, 1.0f);
    ((pelt_vec3*)out->center_derivatives)[2 * v] = test_point(random, 0.5f);
    ((pelt_vec3*)out->center_derivatives)[2 * v + 1] = test_point(random, 0.5f);
}

int gl_factors_make(pelt_normal_factors* out, const point_set* m, uint32_t slots, bool has_centers)
{
    test_random random = {31 + slots};
    *out = (pelt_normal_factors){
        .vertex_count = m->vertex_count, .joint_count = m->joint_count, .max_factors = slots};
    ENSURE(allocate(out, m, slots));
    uint32_t* first = (uint32_t*)out->first;
    first[0] = 0;
    for (uint32_t v = 0; v < m->vertex_count; ++v)
    {
        uint32_t count = v % 5 == 0 ? 0 : 2 + v % (slots - 1);
        pelt_normal_factor* factors = (pelt_normal_factor*)out->factors + first[v];
        first[v + 1] = first[v] + count;
        make_joints(factors, count, m, v);
        make_factors(factors, count, &random);
        make_frame(out, m, v, &random);
    }
    out->factor_count = first[m->vertex_count];
    out->centers = has_centers ? out->centers : NULL;
    return 0;
}
