// SPDX-License-Identifier: MIT
#include "gradient_points.h"

#include <stdlib.h>

static void* allocate(const point_set* m, size_t count, size_t size)
{
    void* memory = pelt_arena_alloc(m->arena, count, size);
    if (memory == NULL)
    {
        abort();
    }
    return memory;
}

pelt_vec3 gradient_xyz(pelt_vec4 t)
{
    return pelt_vec3_make(t.x, t.y, t.z);
}

void gradient_points_axes(pelt_vec3 axes[2], const gradient_points* s, uint32_t v)
{
    pelt_vec3 n = s->m.normals[v], u = gradient_xyz(s->m.tangents[v]);
    pelt_vec3 about = pelt_vec3_cross(n, s->planes[v]);
    float angle = atan2f(pelt_vec3_length(about), pelt_vec3_dot(n, s->planes[v]));
    pelt_quat rotation = angle > 1e-6f ? pelt_quat_axis_angle(pelt_vec3_normalize(about), angle)
                                       : pelt_quat_identity();
    axes[0] = pelt_quat_rotate(rotation, u);
    axes[1] = pelt_quat_rotate(rotation, pelt_vec3_cross(n, u));
}

static pelt_normal_factor make_factor(const gradient_points* s, uint32_t v, uint32_t joint)
{
    uint32_t at = v * s->m.joint_count + joint;
    pelt_vec3 axes[2];
    gradient_points_axes(axes, s, v);
    pelt_normal_factor out = {.joint = (pelt_joint_index)joint,
                              .weight = s->means[at],
                              .alpha = pelt_vec3_dot(s->gradients[at], axes[0]),
                              .beta = pelt_vec3_dot(s->gradients[at], axes[1])};
    for (int i = 0; i < 4; ++i)
    {
        pelt_vec3 step = pelt_mat3_vector(&s->products[at], axes[i / 2]);
        out.moments[i / 2][i % 2] =
            pelt_vec3_dot(step, axes[i % 2]) + (i / 2 == i % 2 ? s->means[at] : 0.0f);
    }
    return out;
}

void gradient_points_write(gradient_points* s)
{
    const point_set* m = &s->m;
    for (uint32_t v = 0; v < m->vertex_count; ++v)
    {
        pelt_vec3 axes[2], n = m->normals[v], u = gradient_xyz(m->tangents[v]);
        float slope = 1.0f + pelt_vec3_dot(n, s->planes[v]);
        gradient_points_axes(axes, s, v);
        s->tangents[v] = u;
        s->plane_normals[v] =
            (pelt_vec2){pelt_vec3_dot(u, s->planes[v]) / slope,
                        pelt_vec3_dot(pelt_vec3_cross(n, u), s->planes[v]) / slope};
        s->first[v + 1] = (v + 1) * m->joint_count;
        for (uint32_t joint = 0; joint < m->joint_count; ++joint)
        {
            s->list[v * m->joint_count + joint] = make_factor(s, v, joint);
        }
        s->center_derivatives[2 * v] = pelt_mat3_vector(&s->center_gradients[v], axes[0]);
        s->center_derivatives[2 * v + 1] = pelt_mat3_vector(&s->center_gradients[v], axes[1]);
    }
    s->factors = (pelt_normal_factors){.vertex_count = m->vertex_count,
                                       .joint_count = m->joint_count,
                                       .factor_count = s->first[m->vertex_count],
                                       .max_factors = m->joint_count,
                                       .first = s->first,
                                       .factors = s->list,
                                       .tangents = s->tangents,
                                       .plane_normals = s->plane_normals,
                                       .centers = s->centers,
                                       .center_derivatives = s->center_derivatives};
}

static pelt_mat3 random_mat3(test_random* random, float size)
{
    pelt_mat3 out;
    for (int i = 0; i < 9; ++i)
    {
        out.m[i / 3][i % 3] = size * test_uniform(random, -1.0f, 1.0f);
    }
    return out;
}

// Everything within the plane, and nothing left of the sum over joints.
static void fill_slopes(gradient_points* s, uint32_t v, test_random* random, float size)
{
    uint32_t count = s->m.joint_count, at = v * count;
    const pelt_weights* weights = &s->m.weights;
    pelt_vec3 n =
        pelt_vec3_normalize(pelt_vec3_mad(s->m.normals[v], size, test_point(random, 0.9f)));
    pelt_vec3 sum = {0};
    float mean_sum = 0.0f;
    pelt_mat3 flat = pelt_mat3_outer(n, n), one = pelt_mat3_identity(), product_sum = {0};
    flat = pelt_mat3_mad(&one, -1.0f, &flat);
    s->planes[v] = n;
    for (uint32_t joint = 0; joint < count; ++joint)
    {
        pelt_mat3 product = random_mat3(random, 0.3f * size);
        product = pelt_mat3_mul(&product, &flat);
        s->products[at + joint] = pelt_mat3_mul(&flat, &product);
        s->gradients[at + joint] = pelt_mat3_vector(&flat, test_point(random, size));
        s->means[at + joint] = size * test_uniform(random, -0.1f, 0.1f) / (float)count;
        mean_sum += s->means[at + joint];
        product_sum = pelt_mat3_mad(&product_sum, 1.0f, &s->products[at + joint]);
        sum = pelt_vec3_add(sum, s->gradients[at + joint]);
    }
    for (uint32_t joint = 0; joint < count; ++joint)
    {
        float part = -1.0f / (float)count;
        s->products[at + joint] = pelt_mat3_mad(&s->products[at + joint], part, &product_sum);
        s->gradients[at + joint] = pelt_vec3_mad(s->gradients[at + joint], part, sum);
        s->means[at + joint] += part * mean_sum;
    }
    for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
    {
        s->means[at + weights->influences[i].joint] += weights->influences[i].weight;
    }
}

gradient_points gradient_points_make(uint64_t seed, float size, bool is_stretched)
{
    test_random random = {seed + 100};
    gradient_points s = {.m = point_set_random(seed, 200, ORACLE_JOINTS, 3, 60.0f)};
    point_set* m = &s.m;
    for (uint32_t joint = 0; is_stretched && joint < m->joint_count; ++joint)
    {
        for (int i = 0; i < 9; ++i)
        {
            m->palette.matrices[joint].m[i / 3][i % 3] += test_uniform(&random, -0.3f, 0.3f);
        }
    }
    point_set_pose(m);
    size_t factor_count = m->vertex_count * m->joint_count;
    s.first = allocate(m, m->vertex_count + 1, sizeof *s.first);
    s.list = allocate(m, factor_count, sizeof *s.list);
    s.tangents = allocate(m, m->vertex_count, sizeof *s.tangents);
    s.plane_normals = allocate(m, m->vertex_count, sizeof *s.plane_normals);
    s.centers = allocate(m, m->vertex_count, sizeof *s.centers);
    s.center_derivatives = allocate(m, 2 * m->vertex_count, sizeof *s.center_derivatives);
    s.planes = allocate(m, m->vertex_count, sizeof *s.planes);
    s.center_gradients = allocate(m, m->vertex_count, sizeof *s.center_gradients);
    s.means = allocate(m, factor_count, sizeof *s.means);
    s.gradients = allocate(m, factor_count, sizeof *s.gradients);
    s.products = allocate(m, factor_count, sizeof *s.products);
    for (uint32_t v = 0; v < m->vertex_count; ++v)
    {
        fill_slopes(&s, v, &random, size);
        s.centers[v] = pelt_vec3_add(m->cors[v], test_point(&random, size));
        s.center_gradients[v] = random_mat3(&random, size);
    }
    gradient_points_write(&s);
    return s;
}

pelt_surface gradient_points_deform(const gradient_points* s, const pelt_deform_options* options)
{
    const point_set* m = &s->m;
    pelt_surface out = {.positions = allocate(m, m->vertex_count, sizeof *out.positions),
                        .normals = allocate(m, m->vertex_count, sizeof *out.normals),
                        .tangents = allocate(m, m->vertex_count, sizeof *out.tangents)};
    pelt_deform_input input = point_set_input(m);
    input.normal_factors = &s->factors;
    pelt_deform(&out, &input, options, (pelt_range){0, m->vertex_count});
    return out;
}

pelt_surface gradient_points_deform_by(const gradient_points* s, pelt_method method,
                                       pelt_normal_rule rule)
{
    return gradient_points_deform(
        s, &(pelt_deform_options){.method = method, .mix = 0.4f, .normal_rule = rule});
}
