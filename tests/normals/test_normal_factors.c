// SPDX-License-Identifier: MIT
// Weight gradients on meshes where they are known, and normals from deformed triangles.
#include "failing_heap.h"
#include "mesh_builder.h"

#include <string.h>

enum
{
    SIDE = 9,
    GRID = SIDE * SIDE
};

// A sheet in space with one weight that is linear on it. The mesh_builder has no room for
// directions.
typedef struct sheet
{
    mesh_builder* mesh_builder;
    pelt_mesh* mesh;
    pelt_vec3 normals[BUILDER_VERTICES], cors[BUILDER_VERTICES];
    pelt_vec4 tangents[BUILDER_VERTICES];
    pelt_vec3 gradient; // of the weight of joint 7; joint 3 has the rest
    pelt_vec3 normal;
} sheet;

static float weight_at(const sheet* s, pelt_vec3 p)
{
    return 0.5f + pelt_vec3_dot(s->gradient, p);
}

// A square of half-width 0.5, rotated in space; vertices are moved within it, and each quad is cut
// along either diagonal.
static sheet* make_sheet(uint64_t seed)
{
    static sheet storage;
    sheet* s = &storage;
    test_random random = {seed};
    pelt_quat rotation = test_rotation(&random, 180.0f);
    *s = (sheet){.mesh_builder = mesh_builder_create()};
    s->mesh = &s->mesh_builder->mesh;
    s->gradient = pelt_quat_rotate(rotation, pelt_vec3_make(0.3f, -0.2f, 0.0f));
    s->normal = pelt_quat_rotate(rotation, pelt_vec3_make(0.0f, 0.0f, 1.0f));
    for (uint32_t v = 0; v < GRID; ++v)
    {
        float x = (float)(v % SIDE) / (SIDE - 1) - 0.5f, y = (float)(v / SIDE) / (SIDE - 1) - 0.5f;
        x += test_uniform(&random, -0.04f, 0.04f);
        y += test_uniform(&random, -0.04f, 0.04f);
        pelt_vec3 p = pelt_quat_rotate(rotation, pelt_vec3_make(x, y, 0.0f));
        mesh_builder_add_shared(s->mesh_builder, p, 3, 7, weight_at(s, p));
    }
    for (uint32_t v = 0; v < GRID - SIDE; ++v)
    {
        if (v % SIDE + 1 < SIDE)
        {
            uint32_t q[4] = {v, v + 1, v + SIDE + 1, v + SIDE};
            uint32_t cut = test_uniform(&random, 0.0f, 1.0f) < 0.5f;
            mesh_builder_add_triangle(s->mesh_builder, q[cut], q[cut + 1], q[cut + 2]);
            mesh_builder_add_triangle(s->mesh_builder, q[cut], q[cut + 2], q[(cut + 3) % 4]);
        }
    }
    for (uint32_t v = 0; v < BUILDER_VERTICES; ++v)
    {
        // Not quite perpendicular to the normal, as textures leave it.
        pelt_vec3 t = pelt_quat_rotate(test_rotation(&random, 180.0f), s->normal);
        s->normals[v] = s->normal;
        s->tangents[v] = (pelt_vec4){t.x, t.y, t.z, v % 2 ? 1.0f : -1.0f};
    }
    s->mesh->normals = s->normals;
    s->mesh->tangents = s->tangents;
    mesh_builder_bind(s->mesh_builder);
    return s;
}

static void free_sheet(sheet* s)
{
    pelt_arena_destroy(s->mesh_builder->arena);
}

static pelt_normal_factors build(const mesh_builder* s, const pelt_vec3* cors, uint32_t max_joints)
{
    pelt_normal_factors out;
    pelt_normal_options options = {.max_joints = max_joints};
    return pelt_normal_factors_build(&out, &s->mesh, cors, &options, s->arena, NULL) == PELT_OK
               ? out
               : (pelt_normal_factors){0};
}

// The gradient that two gradients represent.
static pelt_vec3 in_space(const pelt_normal_factors* f, uint32_t v, pelt_vec3 normal, float alpha,
                          float beta)
{
    pelt_vec3 u = f->tangents[v], w = pelt_vec3_cross(normal, u);
    return pelt_vec3_mad(pelt_vec3_scale(u, alpha), beta, w);
}

// Zero where a vertex has no such joint.
static pelt_vec3 gradient_of(const pelt_normal_factors* f, uint32_t v, uint32_t joint,
                             pelt_vec3 normal)
{
    for (uint32_t i = f->first[v]; i < f->first[v + 1]; ++i)
    {
        if (f->factors[i].joint == joint)
        {
            return in_space(f, v, normal, f->factors[i].alpha, f->factors[i].beta);
        }
    }
    return pelt_vec3_make(0.0f, 0.0f, 0.0f);
}

// Weights are floats: 6e-8 over an edge of 0.05 or more.
static const double rounding = 5e-6;

static int linear_weights_have_exact_gradients_on_any_triangulation(void)
{
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        sheet* s = make_sheet(seed);
        pelt_normal_factors f = build(s->mesh_builder, NULL, 0);
        ENSURE(f.vertex_count == GRID && f.max_factors == 2 && f.factor_count == 2 * GRID);
        for (uint32_t v = 0; v < GRID; ++v)
        {
            ENSURE_NEAR(pelt_vec3_length(f.tangents[v]), 1.0, 1e-6);
            ENSURE_NEAR(pelt_vec3_dot(f.tangents[v], s->normal), 0.0, 1e-6);
            ENSURE_POINT(gradient_of(&f, v, 7, s->normal), s->gradient, rounding);
            ENSURE_POINT(gradient_of(&f, v, 3, s->normal), pelt_vec3_scale(s->gradient, -1.0f),
                         rounding);
        }
        free_sheet(s);
    }
    return 0;
}

// Directions without help from the mesh are as good as any, and perpendicular to the triangles.
static int meshes_without_directions_get_some(void)
{
    sheet* s = make_sheet(5);
    for (int missing = 1; missing < 4; ++missing)
    {
        s->mesh->tangents = missing & 1 ? NULL : s->tangents;
        s->mesh->normals = missing & 2 ? NULL : s->normals;
        pelt_normal_factors f = build(s->mesh_builder, NULL, 0);
        for (uint32_t v = 0; v < GRID; ++v)
        {
            ENSURE_NEAR(pelt_vec3_length(f.tangents[v]), 1.0, 1e-6);
            ENSURE_POINT(gradient_of(&f, v, 7, s->normal), s->gradient, rounding);
        }
    }
    free_sheet(s);
    return 0;
}

static int tangents_that_stand_on_the_surface_are_replaced(void)
{
    sheet* s = make_sheet(6);
    for (uint32_t v = 0; v < GRID; ++v)
    {
        s->tangents[v] = (pelt_vec4){s->normal.x, s->normal.y, s->normal.z, 1.0f};
        s->normals[v] = v % 2 ? s->normal : pelt_vec3_make(0.0f, 0.0f, 0.0f);
    }
    pelt_normal_factors f = build(s->mesh_builder, NULL, 0);
    for (uint32_t v = 0; v < GRID; ++v)
    {
        ENSURE_NEAR(pelt_vec3_length(f.tangents[v]), 1.0, 1e-6);
        ENSURE_NEAR(pelt_vec3_dot(f.tangents[v], s->normal), 0.0, 1e-5);
    }
    free_sheet(s);
    return 0;
}

// Bumps in the weights, so that the two sides of a cut differ when they are taken alone.
static void bend_weights(sheet* s)
{
    test_random random = {77};
    for (uint32_t v = 0; v < GRID; ++v)
    {
        float w = test_uniform(&random, 0.1f, 0.9f);
        s->mesh_builder->weights[v * BUILDER_SLOTS] = 1.0f - w;
        s->mesh_builder->weights[v * BUILDER_SLOTS + 1] = w;
    }
}

// Cut the sheet along a row: triangles above it get copies of its vertices, with other tangents.
static void cut_sheet(sheet* s, uint32_t row)
{
    uint32_t copies[SIDE];
    for (uint32_t i = 0; i < SIDE; ++i)
    {
        uint32_t v = row * SIDE + i;
        copies[i] = mesh_builder_add_shared(s->mesh_builder, s->mesh_builder->positions[v], 3, 7,
                                            s->mesh_builder->weights[v * BUILDER_SLOTS + 1]);
        s->mesh_builder->weights[copies[i] * BUILDER_SLOTS] =
            s->mesh_builder->weights[v * BUILDER_SLOTS];
    }
    for (uint32_t i = 0; i < s->mesh->index_count; i += 3)
    {
        uint32_t* t = s->mesh_builder->indices + i;
        bool is_above = t[0] / SIDE + t[1] / SIDE + t[2] / SIDE > 3 * row;
        for (int k = 0; is_above && k < 3; ++k)
        {
            t[k] = t[k] / SIDE == row ? copies[t[k] % SIDE] : t[k];
        }
    }
    mesh_builder_bind(s->mesh_builder);
}

static int copies_along_a_seam_agree_in_space(void)
{
    const uint32_t row = 4;
    sheet* s = make_sheet(8);
    pelt_vec3 whole[GRID];
    bend_weights(s);
    mesh_builder_bind(s->mesh_builder);
    pelt_normal_factors f = build(s->mesh_builder, NULL, 0);
    for (uint32_t v = 0; v < GRID; ++v)
    {
        whole[v] = gradient_of(&f, v, 7, s->normal);
    }
    cut_sheet(s, row);
    f = build(s->mesh_builder, NULL, 0);
    for (uint32_t v = 0; v < GRID; ++v)
    {
        ENSURE_POINT(gradient_of(&f, v, 7, s->normal), whole[v], rounding);
    }
    for (uint32_t i = 0; i < SIDE; ++i)
    {
        ENSURE_POINT(gradient_of(&f, GRID + i, 7, s->normal), whole[row * SIDE + i], rounding);
    }
    free_sheet(s);
    return 0;
}

// Two squares that meet at a right angle along the z axis, each with its own normals. The weight
// grows on one of them alone.
static int creases_keep_gradients_apart(void)
{
    mesh_builder* s = mesh_builder_create();
    const pelt_vec3 ahead = {1.0f, 0.0f, 0.0f}, down = {0.0f, -1.0f, 0.0f};
    const pelt_vec3 z = {0.0f, 0.0f, 1.0f};
    pelt_vec3 normals[8];
    for (uint32_t v = 0; v < 8; ++v)
    {
        float far = (float)(v % 4 / 2), along = (float)(v % 2);
        pelt_vec3 p = pelt_vec3_scale(v < 4 ? ahead : down, far);
        mesh_builder_add_shared(s, pelt_vec3_mad(p, along, z), 0, 1,
                                v < 4 ? 0.5f + 0.25f * far : 0.5f);
        normals[v] = v < 4 ? pelt_vec3_make(0.0f, 1.0f, 0.0f) : pelt_vec3_make(-1.0f, 0.0f, 0.0f);
    }
    for (uint32_t first = 0; first < 8; first += 4)
    {
        mesh_builder_add_triangle(s, first, first + 1, first + 2);
        mesh_builder_add_triangle(s, first + 1, first + 3, first + 2);
    }
    s->mesh.normals = normals;
    ENSURE(mesh_builder_bind(s));
    pelt_normal_factors f = build(s, NULL, 0);
    for (uint32_t v = 0; v < 4; ++v)
    {
        ENSURE_POINT(gradient_of(&f, v, 1, normals[v]), pelt_vec3_scale(ahead, 0.25f), 1e-6);
        ENSURE(f.first[v + 5] == f.first[v + 4]);
    }
    pelt_arena_destroy(s->arena);
    return 0;
}

// All weights together are one everywhere.
static int check_whole(const pelt_normal_factors* f, uint32_t v)
{
    double weight = 0.0, moments[4] = {0}, size = 1.0;
    for (uint32_t i = f->first[v]; i < f->first[v + 1]; ++i)
    {
        weight += (double)f->factors[i].weight;
        for (int k = 0; k < 4; ++k)
        {
            moments[k] += (double)f->factors[i].moments[k / 2][k % 2];
            size += fabs((double)f->factors[i].moments[k / 2][k % 2]);
        }
    }
    ENSURE_NEAR(weight, 1.0, 1e-6);
    for (int k = 0; k < 4; ++k)
    {
        ENSURE_NEAR(moments[k], k == 0 || k == 3 ? 1.0 : 0.0, 1e-6 * size);
    }
    return 0;
}

// To rounding: relative to the factors, and absolute where they are nothing but rounding.
static int check_sums(const pelt_normal_factors* f)
{
    for (uint32_t v = 0; v < f->vertex_count; ++v)
    {
        double alpha = 0.0, beta = 0.0, size = 0.0;
        for (uint32_t i = f->first[v]; i < f->first[v + 1]; ++i)
        {
            alpha += (double)f->factors[i].alpha;
            beta += (double)f->factors[i].beta;
            size += fabs((double)f->factors[i].alpha) + fabs((double)f->factors[i].beta);
        }
        ENSURE_NEAR(alpha, 0.0, 1e-6 * size + 1e-12);
        ENSURE_NEAR(beta, 0.0, 1e-6 * size + 1e-12);
        ENSURE(f->first[v] == f->first[v + 1] || check_whole(f, v) == 0);
    }
    return 0;
}

// The mesh_builder has triangles with the same corner twice, and six joints on a vertex.
static int factors_of_a_vertex_sum_to_zero_under_any_limit(void)
{
    const uint32_t limits[] = {0, 2, 3, 4, 8};
    for (uint64_t seed = 1; seed < 20; ++seed)
    {
        mesh_builder* s = mesh_builder_random(seed);
        ENSURE(s != NULL);
        for (uint32_t i = 0; i < 5; ++i)
        {
            pelt_normal_factors f = build(s, NULL, limits[i]);
            ENSURE(f.vertex_count == s->mesh.vertex_count);
            ENSURE(limits[i] == 0 ? f.max_factors > 8 : f.max_factors == limits[i]);
            ENSURE(check_sums(&f) == 0);
        }
        pelt_arena_destroy(s->arena);
    }
    return 0;
}

static uint32_t slot_of(const pelt_normal_factors* f, uint32_t v, uint32_t joint)
{
    uint32_t i = f->first[v];
    while (i < f->first[v + 1] && f->factors[i].joint != joint)
    {
        ++i;
    }
    return i - f->first[v];
}

static int influences_come_first_and_limits_keep_the_order(void)
{
    mesh_builder* s = mesh_builder_random(3);
    const pelt_weights* weights = &s->mesh.weights;
    pelt_normal_factors f = build(s, NULL, 0), few = build(s, NULL, 4);
    for (uint32_t v = 0; v < f.vertex_count; ++v)
    {
        uint32_t own = weights->first[v + 1] - weights->first[v], at = f.first[v];
        uint32_t count = f.first[v + 1] - at, few_count = few.first[v + 1] - few.first[v];
        for (uint32_t i = 0; i < count; ++i)
        {
            const pelt_normal_factor* factor = &f.factors[at + i];
            ENSURE(i >= own || factor->joint == weights->influences[weights->first[v] + i].joint);
            ENSURE(isfinite(factor->alpha) && isfinite(factor->beta));
        }
        ENSURE(few_count == (count < 4 ? count : 4));
        uint32_t last = 0;
        for (uint32_t i = 0; i < few_count; ++i)
        {
            uint32_t slot = slot_of(&f, v, few.factors[few.first[v] + i].joint);
            ENSURE(i == 0 ? slot == 0 : slot > last && slot < count);
            last = slot;
        }
    }
    pelt_arena_destroy(s->arena);
    return 0;
}

// Corners at distances 1 and 4 in perpendicular directions: gradients of 1 and 1/4. What a limit
// drops goes to the vertex's own joint.
static int steepest_neighbors_come_first(void)
{
    mesh_builder* s = mesh_builder_create();
    const pelt_vec3 z = {0.0f, 0.0f, 1.0f};
    mesh_builder_add_shared(s, pelt_vec3_make(0.0f, 0.0f, 0.0f), 0, 1, 0.0f);
    mesh_builder_add_shared(s, pelt_vec3_make(1.0f, 0.0f, 0.0f), 0, 5, 1.0f);
    mesh_builder_add_shared(s, pelt_vec3_make(0.0f, 4.0f, 0.0f), 0, 2, 1.0f);
    mesh_builder_add_triangle(s, 0, 1, 2);
    ENSURE(mesh_builder_bind(s));
    pelt_normal_factors f = build(s, NULL, 0), few = build(s, NULL, 2);
    ENSURE(f.first[1] == 3 && f.factors[1].joint == 5 && f.factors[2].joint == 2);
    ENSURE_POINT(gradient_of(&f, 0, 5, z), pelt_vec3_make(1.0f, 0.0f, 0.0f), 1e-6);
    ENSURE_POINT(gradient_of(&f, 0, 2, z), pelt_vec3_make(0.0f, 0.25f, 0.0f), 1e-6);
    ENSURE_POINT(gradient_of(&f, 0, 0, z), pelt_vec3_make(-1.0f, -0.25f, 0.0f), 1e-6);
    ENSURE(few.first[1] == 2);
    ENSURE_POINT(gradient_of(&few, 0, 5, z), pelt_vec3_make(1.0f, 0.0f, 0.0f), 1e-6);
    ENSURE_POINT(gradient_of(&few, 0, 0, z), pelt_vec3_make(-1.0f, 0.0f, 0.0f), 1e-6);
    pelt_arena_destroy(s->arena);
    return 0;
}

// At vertex 0 joints 0 and 1 have 0.9 and 0.1 and keep them; joint 2 replaces joint 0 one
// edge further. Joint 1 gets none of the two slots, though it is an influence.
static int limits_keep_what_changes_most(void)
{
    mesh_builder* s = mesh_builder_create();
    const pelt_vec3 corners[3] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}};
    for (int k = 0; k < 3; ++k)
    {
        uint32_t v = mesh_builder_add_shared(s, corners[k], k == 1 ? 2 : 0, 1, 0.1f);
        ENSURE(v == (uint32_t)k);
    }
    mesh_builder_add_triangle(s, 0, 1, 2);
    ENSURE(mesh_builder_bind(s));
    pelt_normal_factors f = build(s, NULL, 2);
    ENSURE(f.first[1] == 2 && f.factors[0].joint == 0 && f.factors[1].joint == 2);
    pelt_vec3 z = {0.0f, 0.0f, 1.0f};
    ENSURE_POINT(gradient_of(&f, 0, 2, z), pelt_vec3_make(0.9f, 0.0f, 0.0f), 1e-6);
    pelt_arena_destroy(s->arena);
    return 0;
}

// Vertex 0 belongs to joint 0 alone. Its only neighbors belong to joint 1.
static int neighbors_bring_their_joints(void)
{
    mesh_builder* s = mesh_builder_create();
    mesh_builder_add_shared(s, pelt_vec3_make(0.0f, 0.0f, 0.0f), 0, 1, 0.0f);
    mesh_builder_add_shared(s, pelt_vec3_make(2.0f, -1.0f, 0.0f), 0, 1, 1.0f);
    mesh_builder_add_shared(s, pelt_vec3_make(2.0f, 1.0f, 0.0f), 0, 1, 1.0f);
    mesh_builder_add_triangle(s, 0, 1, 2);
    ENSURE(mesh_builder_bind(s));
    pelt_normal_factors f = build(s, NULL, 0);
    ENSURE(f.first[1] == 2 && f.factors[0].joint == 0 && f.factors[1].joint == 1);
    pelt_vec3 z = {0.0f, 0.0f, 1.0f};
    ENSURE_POINT(gradient_of(&f, 0, 1, z), pelt_vec3_make(0.5f, 0.0f, 0.0f), 1e-6);
    ENSURE_POINT(gradient_of(&f, 0, 0, z), pelt_vec3_make(-0.5f, 0.0f, 0.0f), 1e-6);
    // Two corners of three are joint 1's, so its mean weight is 2/3. From 0 to 1 the square of a
    // weight changes like the weight itself, as twice the weight would at 1/2. Between the two,
    // with a = (-1/2, 1/2) and C = diag(a): (1 + a a^T) c = (1/4, 1/4) + (1/3, 2/3) / 2 for c = (4,
    // 5) / 9.
    const pelt_normal_factor *own = &f.factors[0], *other = &f.factors[1];
    ENSURE_NEAR(own->weight, 4.0 / 9.0, 1e-6);
    ENSURE_NEAR(other->weight, 5.0 / 9.0, 1e-6);
    // Wherever the weight of joint 0 is not zero the slot is: moments are all joint 1's.
    for (int k = 0; k < 4; ++k)
    {
        ENSURE_NEAR(own->moments[k / 2][k % 2], 0.0, 1e-6);
        ENSURE_NEAR(other->moments[k / 2][k % 2], k == 0 || k == 3 ? 1.0 : 0.0, 1e-6);
    }
    pelt_arena_destroy(s->arena);
    return 0;
}

static int constant_weights_have_no_factors(void)
{
    sheet* s = make_sheet(9);
    for (uint32_t v = 0; v < GRID; ++v)
    {
        s->mesh_builder->weights[v * BUILDER_SLOTS] = 0.3f;
        s->mesh_builder->weights[v * BUILDER_SLOTS + 1] = 0.7f;
    }
    mesh_builder_bind(s->mesh_builder);
    pelt_normal_factors f = build(s->mesh_builder, NULL, 0);
    ENSURE(f.vertex_count == GRID && f.factor_count == 0 && f.max_factors == 0);
    free_sheet(s);
    return 0;
}

// Triangles without area and triangles with a corner without influences change nothing, and a
// vertex that only they have has no factors.
static int triangles_that_say_nothing_do_not_count(void)
{
    sheet* s = make_sheet(10);
    uint32_t alone =
        mesh_builder_add_shared(s->mesh_builder, s->mesh_builder->positions[3], 3, 7, 0.9f);
    uint32_t unbound = mesh_builder_add_vertex(s->mesh_builder, pelt_vec3_make(3.0f, 0.0f, 0.0f));
    uint32_t isolated =
        mesh_builder_add_shared(s->mesh_builder, pelt_vec3_make(5.0f, 0.0f, 0.0f), 3, 7, 0.2f);
    mesh_builder_add_triangle(s->mesh_builder, alone, alone, 40);
    mesh_builder_add_triangle(s->mesh_builder, alone, 3, 40);
    mesh_builder_add_triangle(s->mesh_builder, 10, 50, unbound);
    mesh_builder_bind(s->mesh_builder);
    pelt_normal_factors f = build(s->mesh_builder, NULL, 0);
    for (uint32_t v = 0; v < GRID; ++v)
    {
        ENSURE_POINT(gradient_of(&f, v, 7, s->normal), s->gradient, rounding);
    }
    for (uint32_t v = GRID; v <= isolated; ++v)
    {
        ENSURE(f.first[v + 1] == f.first[v]);
        ENSURE_NEAR(pelt_vec3_length(f.tangents[v]), 1.0, 1e-6);
    }
    free_sheet(s);
    return 0;
}

static bool is_near(uint32_t a, uint32_t b)
{
    uint32_t dx = a % SIDE > b % SIDE ? a % SIDE - b % SIDE : b % SIDE - a % SIDE;
    uint32_t dy = a / SIDE > b / SIDE ? a / SIDE - b / SIDE : b / SIDE - a / SIDE;
    return dx <= 1 && dy <= 1;
}

// The mean of the centers of a vertex's neighbors, by the areas of its triangles.
static pelt_vec3 mean_center(const sheet* s, uint32_t v)
{
    pelt_vec3 sum = {0};
    float area = 0.0f;
    for (uint32_t i = 0; i < s->mesh->index_count; i += 3)
    {
        const uint32_t* t = s->mesh_builder->indices + i;
        if (t[0] == v || t[1] == v || t[2] == v)
        {
            const pelt_vec3* p = s->mesh_builder->positions;
            float twice = pelt_vec3_length(
                pelt_vec3_cross(pelt_vec3_sub(p[t[1]], p[t[0]]), pelt_vec3_sub(p[t[2]], p[t[0]])));
            for (int k = 0; k < 3; ++k)
            {
                sum = t[k] != v ? pelt_vec3_mad(sum, twice, s->cors[t[k]]) : sum;
            }
            area += 2.0f * twice;
        }
    }
    return pelt_vec3_scale(sum, 1.0f / area);
}

// Any linear field of centers has the same gradients everywhere. With one influence, the result
// does not depend on the center: that of the vertex must not matter, and its neighbors' are used.
static int rates_of_centers_are_exact_and_leave_out_vertices_without(void)
{
    sheet* s = make_sheet(11);
    const uint32_t single = 40;
    test_random random = {11};
    pelt_vec3 across = test_point(&random, 1.0f), origin = test_point(&random, 1.0f);
    for (uint32_t v = 0; v < GRID; ++v)
    {
        float along = pelt_vec3_dot(s->mesh_builder->positions[v], s->gradient);
        s->cors[v] = pelt_vec3_mad(origin, along, across);
    }
    s->mesh_builder->weights[single * BUILDER_SLOTS] = 1.0f;
    s->mesh_builder->weights[single * BUILDER_SLOTS + 1] = 0.0f;
    mesh_builder_bind(s->mesh_builder);
    pelt_normal_factors plain = build(s->mesh_builder, s->cors, 0);
    s->cors[single] = s->mesh_builder->positions[single];
    pelt_normal_factors f = build(s->mesh_builder, s->cors, 0);
    size_t size = 2 * GRID * sizeof *f.center_derivatives;
    ENSURE(memcmp(f.center_derivatives, plain.center_derivatives, size) == 0);
    ENSURE_POINT(f.centers[single], mean_center(s, single), 1e-6);
    for (uint32_t v = 0; v < GRID; ++v)
    {
        pelt_vec3 u = f.tangents[v], w = pelt_vec3_cross(s->normal, u);
        float along[2] = {pelt_vec3_dot(s->gradient, u), pelt_vec3_dot(s->gradient, w)};
        ENSURE(v == single || pelt_vec3_distance(f.centers[v], s->cors[v]) == 0.0f);
        for (uint32_t axis = 0; axis < 2 && !is_near(v, single); ++axis)
        {
            ENSURE_POINT(f.center_derivatives[2 * v + axis], pelt_vec3_scale(across, along[axis]),
                         3e-5);
        }
    }
    free_sheet(s);
    return 0;
}

static int limits_that_do_not_exist_are_refused(void)
{
    sheet* s = make_sheet(12);
    const uint32_t limits[] = {1, 5, 6, 7, 9, 1000};
    for (uint32_t i = 0; i < 6; ++i)
    {
        pelt_normal_factors out;
        pelt_normal_options options = {.max_joints = limits[i]};
        ENSURE(pelt_normal_factors_build(&out, s->mesh, NULL, &options, s->mesh_builder->arena,
                                         NULL) == PELT_ERROR_ARGUMENT);
        ENSURE(out.vertex_count == 0 && out.first == NULL);
    }
    free_sheet(s);
    return 0;
}

// A thousand normals at one point: finding one's equal must stay short.
static int points_with_many_creases_are_legal(void)
{
    sheet* s = make_sheet(13);
    test_random random = {13};
    for (uint32_t v = GRID; v < 1500; ++v)
    {
        mesh_builder_add_shared(s->mesh_builder, s->mesh_builder->positions[40], 3, 7, 0.25f);
        s->normals[v] = pelt_vec3_normalize(test_point(&random, 1.0f));
    }
    mesh_builder_bind(s->mesh_builder);
    pelt_normal_factors f = build(s->mesh_builder, NULL, 0);
    ENSURE(f.vertex_count == 1500);
    ENSURE_POINT(gradient_of(&f, 40, 7, s->normal), s->gradient, rounding);
    free_sheet(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------

static pelt_result attempt(const void* context)
{
    const sheet* s = context;
    pelt_vec3 normals[GRID];
    pelt_arena* arena = pelt_arena_create();
    pelt_normal_factors out;
    if (arena == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    pelt_result result = pelt_normal_factors_build(&out, s->mesh, s->cors, NULL, arena, NULL);
    if (result != PELT_OK && out.first != NULL)
    {
        result = PELT_ERROR_DATA; // not what the header promises
    }
    pelt_arena_destroy(arena);
    return result == PELT_OK ? pelt_normals_recompute(normals, s->mesh, s->mesh->positions)
                             : result;
}

static int out_of_memory_is_survived(void)
{
    sheet* s = make_sheet(14);
    int failures = failing_heap_check(attempt, s, 1000);
    free_sheet(s);
    return failures;
}

// ---------------------------------------------------------------------------------------------
// Recomputed normals

// Authored normals that point anywhere, also to the inside or along the triangles, move as normals
// do.
static int recomputed_normals_follow_linear_maps(void)
{
    const pelt_mat3 maps[] = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                              {{{0, -3, 0}, {3, 0, 0}, {0, 0, 3}}},
                              {{{0.6f, 0, 0.8f}, {0, 1, 0}, {-0.8f, 0, 0.6f}}}};
    sheet* s = make_sheet(15);
    test_random random = {15};
    pelt_vec3 moved[GRID], out[GRID];
    for (uint32_t v = 0; v < GRID; ++v)
    {
        s->normals[v] = pelt_quat_rotate(test_rotation(&random, 180.0f), s->normal);
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        pelt_mat3 cofactor = pelt_mat3_cofactor(&maps[i]);
        for (uint32_t v = 0; v < GRID; ++v)
        {
            moved[v] = pelt_mat3_vector(&maps[i], s->mesh_builder->positions[v]);
        }
        ENSURE(pelt_normals_recompute(out, s->mesh, moved) == PELT_OK);
        for (uint32_t v = 0; v < GRID; ++v)
        {
            pelt_vec3 expected = pelt_vec3_normalize(pelt_mat3_vector(&cofactor, s->normals[v]));
            ENSURE_POINT(out[v], expected, 1e-5);
        }
    }
    free_sheet(s);
    return 0;
}

// A shear takes the plane of the sheet to a known one.
static int recomputed_normals_of_triangles_are_those_of_the_plane(void)
{
    sheet* s = make_sheet(16);
    pelt_mat3 shear = {{{1, 2, 0}, {0, 1, 0.5f}, {0.3f, 0, 2}}};
    pelt_mat3 cofactor = pelt_mat3_cofactor(&shear);
    pelt_vec3 moved[GRID], out[GRID];
    for (uint32_t v = 0; v < GRID; ++v)
    {
        moved[v] = pelt_mat3_vector(&shear, s->mesh_builder->positions[v]);
    }
    pelt_vec3 expected = pelt_vec3_normalize(pelt_mat3_vector(&cofactor, s->normal));
    for (int has_normals = 0; has_normals < 2; ++has_normals)
    {
        s->mesh->normals = has_normals ? s->normals : NULL;
        ENSURE(pelt_normals_recompute(out, s->mesh, moved) == PELT_OK);
        for (uint32_t v = 0; v < GRID; ++v)
        {
            ENSURE_POINT(out[v], expected, 1e-5);
        }
    }
    free_sheet(s);
    return 0;
}

// Collapsed to a line, or in no triangle: unit length still.
static int recomputed_normals_survive_collapse(void)
{
    sheet* s = make_sheet(17);
    uint32_t isolated =
        mesh_builder_add_shared(s->mesh_builder, pelt_vec3_make(5.0f, 0.0f, 0.0f), 3, 7, 0.2f);
    mesh_builder_bind(s->mesh_builder);
    pelt_vec3 moved[GRID + 1], out[GRID + 1];
    for (int kind = 0; kind < 3; ++kind)
    {
        for (uint32_t v = 0; v <= isolated; ++v)
        {
            moved[v] = pelt_vec3_scale(s->gradient, kind == 0 ? (float)v : 0.0f);
        }
        s->mesh->normals = kind == 2 ? NULL : s->normals;
        ENSURE(pelt_normals_recompute(out, s->mesh, moved) == PELT_OK);
        for (uint32_t v = 0; v <= isolated; ++v)
        {
            ENSURE_NEAR(pelt_vec3_length(out[v]), 1.0, 1e-5);
        }
    }
    free_sheet(s);
    return 0;
}

void test_normal_factors(void)
{
    RUN(linear_weights_have_exact_gradients_on_any_triangulation);
    RUN(meshes_without_directions_get_some);
    RUN(tangents_that_stand_on_the_surface_are_replaced);
    RUN(copies_along_a_seam_agree_in_space);
    RUN(creases_keep_gradients_apart);
    RUN(factors_of_a_vertex_sum_to_zero_under_any_limit);
    RUN(influences_come_first_and_limits_keep_the_order);
    RUN(limits_keep_what_changes_most);
    RUN(steepest_neighbors_come_first);
    RUN(neighbors_bring_their_joints);
    RUN(constant_weights_have_no_factors);
    RUN(triangles_that_say_nothing_do_not_count);
    RUN(rates_of_centers_are_exact_and_leave_out_vertices_without);
    RUN(limits_that_do_not_exist_are_refused);
    RUN(points_with_many_creases_are_legal);
    RUN(out_of_memory_is_survived);
    RUN(recomputed_normals_follow_linear_maps);
    RUN(recomputed_normals_of_triangles_are_those_of_the_plane);
    RUN(recomputed_normals_survive_collapse);
}
