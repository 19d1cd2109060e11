// SPDX-License-Identifier: MIT
// Centers of rotation, against a dense implementation of the definition and closed forms.
#include "mesh_builder.h"
#include "pelt/metrics.h"

#include <string.h>

// The facts below hold for every solver that sums over all triangles: the definition, and what
// comes within 2e-6 of the size of the model. Sizes here are up to 16.
static pelt_cor_solver solver;

static double rounding(double exact)
{
    return solver == PELT_COR_FAST ? fmax(exact, 3e-5) : exact;
}

static bool are_near(const pelt_vec3* a, const pelt_vec3* b, uint32_t count)
{
    return pelt_positions_compare(a, b, count).max <= rounding(0.0);
}

// Triangles are taken whole unless options say how to halve them.
static pelt_result solve(pelt_vec3* out, const mesh_builder* s, const pelt_cor_options* options)
{
    pelt_cor_options all = options != NULL ? *options : (pelt_cor_options){0};
    const pelt_mesh* mesh = &s->mesh;
    all.solver = solver;
    all.epsilon = all.epsilon != 0.0f ? all.epsilon : -1.0f;
    return pelt_cor_solve(&out, &(pelt_cor_input){1, &mesh}, &all, NULL, NULL);
}

// ---------------------------------------------------------------------------------------------
// The definition, dense: every joint has a weight, most of them 0; every pair, every triangle.

// Adds `part` of the weights of a vertex.
static void dense_weights(double out[BUILDER_JOINTS], const pelt_mesh* mesh, uint32_t v,
                          double part)
{
    for (uint32_t i = mesh->weights.first[v]; i < mesh->weights.first[v + 1]; ++i)
    {
        const pelt_influence* inf = &mesh->weights.influences[i];
        out[inf->joint] += part * (double)inf->weight;
    }
}

// Le and Hodgins 2016, Eq. 1: over all ordered pairs of different joints.
static double dense_similarity(const double p[BUILDER_JOINTS], const double v[BUILDER_JOINTS],
                               double sigma)
{
    double sum = 0.0;
    for (int j = 0; j < BUILDER_JOINTS; ++j)
    {
        for (int k = 0; k < BUILDER_JOINTS; ++k)
        {
            double product = p[j] * p[k] * v[j] * v[k];
            double distance = p[j] * v[k] - p[k] * v[j];
            if (j != k && product > 0.0) // terms that are 0 are left out for speed
            {
                sum += product * exp(-distance * distance / (sigma * sigma));
            }
        }
    }
    return sum;
}

static double coordinate(const pelt_mesh* mesh, uint32_t v, int axis)
{
    pelt_vec3 p = mesh->positions[v];
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

// Lagrange's identity: |u x v|^2 = |u|^2 |v|^2 - (u . v)^2.
static double area_of(const pelt_mesh* mesh, const uint32_t* t)
{
    double uu = 0.0, vv = 0.0, uv = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        double u = coordinate(mesh, t[1], k) - coordinate(mesh, t[0], k);
        double v = coordinate(mesh, t[2], k) - coordinate(mesh, t[0], k);
        uu += u * u;
        vv += v * v;
        uv += u * v;
    }
    return 0.5 * sqrt(fmax(0.0, uu * vv - uv * uv));
}

// Eq. 4. Returns false when no triangle is similar to the vertex.
static bool dense_center(pelt_vec3* out, const pelt_mesh* mesh, uint32_t v, double sigma)
{
    double own[BUILDER_JOINTS] = {0}, top[3] = {0}, bottom = 0.0;
    dense_weights(own, mesh, v, 1.0);
    for (uint32_t i = 0; i < mesh->index_count; i += 3)
    {
        double mean[BUILDER_JOINTS] = {0}, center[3] = {0};
        for (uint32_t k = 0; k < 3; ++k)
        {
            uint32_t corner = mesh->indices[i + k];
            dense_weights(mean, mesh, corner, 1.0 / 3.0);
            for (int axis = 0; axis < 3; ++axis)
            {
                center[axis] += coordinate(mesh, corner, axis) / 3.0;
            }
        }
        double w = dense_similarity(own, mean, sigma) * area_of(mesh, mesh->indices + i);
        bottom += w;
        for (int k = 0; k < 3; ++k)
        {
            top[k] += w * center[k];
        }
    }
    *out = pelt_vec3_make((float)(top[0] / bottom), (float)(top[1] / bottom),
                          (float)(top[2] / bottom));
    return bottom > 0.0;
}

static int centers_are_those_of_the_definition(void)
{
    uint32_t resembled = 0;
    for (uint64_t seed = 1; seed <= 6; ++seed)
    {
        mesh_builder* s = mesh_builder_random(seed);
        pelt_vec3 centers[60];
        pelt_cor_options options = {.sigma = seed % 2 == 0 ? 0.3f : 0.0f};
        double sigma = seed % 2 == 0 ? (double)0.3f : 0.1;
        ENSURE(s != NULL && solve(centers, s, &options) == PELT_OK);
        for (uint32_t v = 0; v < 60; ++v)
        {
            pelt_vec3 expected;
            bool is_resembled = dense_center(&expected, &s->mesh, v, sigma);
            // Numbers up to 1, computed in double and rounded to float once.
            ENSURE_POINT(centers[v], is_resembled ? expected : s->positions[v], rounding(2e-7));
            resembled += is_resembled;
        }
        pelt_arena_destroy(s->arena);
    }
    ENSURE(resembled > 200); // otherwise the test compares nothing
    return 0;
}

static int vertex_that_nothing_resembles_keeps_its_position(void)
{
    mesh_builder* s = mesh_builder_create();
    for (uint32_t i = 0; i < 3; ++i)
    {
        mesh_builder_add_shared(s, pelt_vec3_make((float)(i & 1), (float)(i >> 1), 0), 0, 1, 0.5f);
    }
    mesh_builder_add_triangle(s, 0, 1, 2);
    uint32_t single = mesh_builder_add_vertex(s, pelt_vec3_make(3, 4, 5));
    mesh_builder_add_influence(s, single, 1, 1.0f);
    mesh_builder_add_vertex(s, pelt_vec3_make(6, 7, 8)); // no influence at all
    mesh_builder_add_shared(s, pelt_vec3_make(-1, -2, -3), 0, 7,
                            0.5f); // one joint in common is not a pair
    mesh_builder_add_shared(s, pelt_vec3_make(9, 9, 9), 64, 65, 0.5f); // not joints 0 and 1
    pelt_vec3 centers[7];
    ENSURE(mesh_builder_bind(s) && solve(centers, s, NULL) == PELT_OK);
    ENSURE(memcmp(centers + single, s->positions + single, 4 * sizeof centers[0]) == 0);
    ENSURE_POINT(centers[0], pelt_vec3_make(1.0f / 3.0f, 1.0f / 3.0f, 0), rounding(1e-7));
    pelt_arena_destroy(s->arena);
    return 0;
}

// Copies with the same weights elsewhere, in other slots and without triangles.
static int equal_weights_have_the_same_center_to_the_bit(void)
{
    mesh_builder* s = mesh_builder_random(11);
    for (uint32_t v = 0; v < 60; ++v)
    {
        uint32_t copy = mesh_builder_add_vertex(s, pelt_vec3_make(5, 6, 7));
        for (uint32_t i = 0; i < BUILDER_SLOTS; ++i)
        {
            s->joints[copy * BUILDER_SLOTS + i] =
                s->joints[v * BUILDER_SLOTS + BUILDER_SLOTS - 1 - i];
            s->weights[copy * BUILDER_SLOTS + i] =
                s->weights[v * BUILDER_SLOTS + BUILDER_SLOTS - 1 - i];
        }
    }
    pelt_vec3 centers[120];
    ENSURE(mesh_builder_bind(s) && solve(centers, s, NULL) == PELT_OK);
    for (uint32_t v = 0; v < 60; ++v)
    {
        // Vertices to which no triangle is similar keep their positions.
        const pelt_vec3* same = centers[60 + v].x == 5.0f ? &s->positions[v] : &centers[60 + v];
        ENSURE(memcmp(&centers[v], same, sizeof *same) == 0);
    }
    pelt_arena_destroy(s->arena);
    return 0;
}

static int degenerate_triangles_and_lone_vertices_are_harmless(void)
{
    mesh_builder* s = mesh_builder_random(12);
    pelt_vec3 before[60], after[64];
    ENSURE(solve(before, s, NULL) == PELT_OK);
    mesh_builder_add_triangle(s, 4, 4, 4);
    mesh_builder_add_triangle(s, 4, 5, 4);
    // Three points on a line, along an axis, where the area is 0 without rounding.
    for (uint32_t i = 0; i < 3; ++i)
    {
        mesh_builder_add_shared(s, pelt_vec3_make(0.25f * (float)i, 0.5f, 0.5f), 0, 1, 0.5f);
    }
    mesh_builder_add_triangle(s, 60, 61, 62);
    mesh_builder_add_shared(s, pelt_vec3_make(2, 2, 2), 0, 1, 0.3f);
    ENSURE(mesh_builder_bind(s) && solve(after, s, NULL) == PELT_OK);
    ENSURE(are_near(before, after, 60) && isfinite(pelt_vec3_length(after[63])));
    pelt_arena_destroy(s->arena);
    return 0;
}

// The first vertices have no influences, so that the first list of joints is the empty one.
static int a_mesh_may_begin_with_vertices_without_joints(void)
{
    mesh_builder* s = mesh_builder_create();
    pelt_vec3 centers[4];
    mesh_builder_add_vertex(s, pelt_vec3_make(1, 2, 3));
    mesh_builder_add_triangle(s, 0, 0, 0);
    ENSURE(mesh_builder_bind(s) && solve(centers, s, NULL) == PELT_OK);
    ENSURE_POINT(centers[0], s->positions[0], 0);
    for (uint32_t i = 0; i < 3; ++i)
    {
        mesh_builder_add_shared(s, pelt_vec3_make((float)i, (float)(i % 2), 0), 0, 1, 0.5f);
    }
    mesh_builder_add_triangle(s, 1, 2, 3);
    ENSURE(mesh_builder_bind(s) && solve(centers, s, NULL) == PELT_OK);
    ENSURE_POINT(centers[0], s->positions[0], 0);
    // All weights are equal: the centroid, of thirds that are rounded.
    ENSURE_POINT(centers[1], pelt_vec3_make(1, 1.0f / 3.0f, 0), 1e-6);
    pelt_arena_destroy(s->arena);
    return 0;
}

// One triangle whose corners have four joints each, all different: it is all there is, so any
// vertex with two of the twelve joints gets its centroid.
static int triangle_may_have_twelve_joints(void)
{
    mesh_builder* s = mesh_builder_create();
    for (uint32_t v = 0; v < 3; ++v)
    {
        mesh_builder_add_vertex(s, pelt_vec3_make((float)(3 * (v == 1)), (float)(3 * (v == 2)), 6));
        for (uint32_t i = 0; i < 4; ++i)
        {
            mesh_builder_add_influence(s, v, v + 7 * i, 0.25f);
        }
    }
    mesh_builder_add_triangle(s, 0, 1, 2);
    mesh_builder_add_shared(s, pelt_vec3_make(9, 9, 9), 0, 23, 0.4f);
    pelt_vec3 centers[4];
    ENSURE(mesh_builder_bind(s) && solve(centers, s, NULL) == PELT_OK);
    for (uint32_t v = 0; v < 4; ++v)
    {
        ENSURE_POINT(centers[v], pelt_vec3_make(1, 1, 6), rounding(1e-6));
    }
    pelt_arena_destroy(s->arena);
    return 0;
}

// A tube about y: a rotation by 1/12 takes it onto itself, so centers lie on the axis. cosf and
// sinf leave the corners off by a rounding.
static int round_bar_has_its_centers_on_the_axis(void)
{
    mesh_builder* s = mesh_builder_create();
    for (uint32_t i = 0; i < 12 * 20; ++i)
    {
        float a = (float)(i % 12) * PELT_PI / 6.0f, y = (float)(i / 12) / 19.0f;
        mesh_builder_add_shared(s, pelt_vec3_make(cosf(a), y, sinf(a)), 0, 1, y);
    }
    for (uint32_t i = 0; i < 12 * 19; ++i)
    {
        uint32_t next = i / 12 * 12 + (i + 1) % 12;
        mesh_builder_add_triangle(s, i, i + 12, next);
        mesh_builder_add_triangle(s, next, i + 12, next + 12);
    }
    pelt_vec3 centers[12 * 20];
    ENSURE(mesh_builder_bind(s) && solve(centers, s, NULL) == PELT_OK);
    for (uint32_t v = 12; v < 12 * 19; ++v)
    {
        ENSURE_POINT(centers[v], pelt_vec3_make(0, centers[v].y, 0), rounding(1e-6));
    }
    pelt_arena_destroy(s->arena);
    return 0;
}

// Two triangles of equal area, at x = 0 with the vertex's own weights (1/2, 1/2) and at x = 1 with
// (0.9, 0.1): s0 = 1/16 and s1 = 0.0225 exp(-0.4^2 / sigma^2), so x = s1 / (s0 + s1).
static int sigma_is_the_width_of_the_kernel(void)
{
    static const float sigmas[5] = {0.0f, 0.1f, 0.3f, 1.0f, 100.0f};
    mesh_builder* s = mesh_builder_create();
    for (uint32_t v = 0; v < 6; ++v)
    {
        pelt_vec3 p = pelt_vec3_make((float)(v / 3), (float)(v % 3 == 1), (float)(v % 3 == 2));
        mesh_builder_add_shared(s, p, 0, 1, v < 3 ? 0.5f : 0.1f);
    }
    mesh_builder_add_triangle(s, 0, 1, 2);
    mesh_builder_add_triangle(s, 3, 4, 5);
    ENSURE(mesh_builder_bind(s));
    for (int i = 0; i < 5; ++i)
    {
        pelt_vec3 centers[6];
        double sigma = i == 0 ? 0.1 : (double)sigmas[i];
        double s1 = 0.0225 * exp(-0.16 / (sigma * sigma));
        ENSURE(solve(centers, s, &(pelt_cor_options){.sigma = sigmas[i]}) == PELT_OK);
        // Weights of 0.1 are rounded to float: 1e-7 of s1, times 10 in the exponent.
        ENSURE_NEAR(centers[0].x, s1 / (0.0625 + s1), rounding(1e-6));
    }
    pelt_arena_destroy(s->arena);
    return 0;
}

static int number_of_threads_does_not_show(void)
{
    mesh_builder* s = mesh_builder_random(13);
    for (uint32_t v = 60; v < 300; ++v)
    {
        mesh_builder_add_shared(s, pelt_vec3_make(0, 0, (float)v), 0, 1, (float)v / 301.0f);
    }
    static pelt_vec3 plain[300], threaded[300];
    ENSURE(mesh_builder_bind(s) && solve(plain, s, NULL) == PELT_OK);
    for (uint32_t threads = 1; threads <= 5; threads = threads * threads + 1)
    {
        pelt_hooks before = pelt_hooks_get();
        pelt_pool* pool = pelt_pool_create(threads);
        pelt_hooks_set(&(pelt_hooks){.run = pelt_pool_run, .run_user = pool});
        memset(threaded, 0, sizeof threaded);
        pelt_result result = solve(threaded, s, NULL);
        pelt_hooks_set(&before);
        pelt_pool_destroy(pool);
        ENSURE(result == PELT_OK && memcmp(plain, threaded, sizeof plain) == 0);
    }
    pelt_arena_destroy(s->arena);
    return 0;
}

static int centers_move_along_with_the_mesh(void)
{
    mesh_builder* s = mesh_builder_random(14);
    pelt_vec3 before[60], after[60], move = pelt_vec3_make(2, -1, 0.5f);
    pelt_quat rotation = pelt_quat_axis_angle(pelt_vec3_make(1, 2, 3), 1.2f);
    ENSURE(solve(before, s, NULL) == PELT_OK);
    for (uint32_t v = 0; v < 60; ++v)
    {
        s->positions[v] = pelt_vec3_add(pelt_quat_rotate(rotation, s->positions[v]), move);
    }
    ENSURE(solve(after, s, NULL) == PELT_OK);
    for (uint32_t v = 0; v < 60; ++v)
    {
        // Corners up to 4 m out are rounded; areas, and so the mean, follow them.
        ENSURE_POINT(after[v], pelt_vec3_add(pelt_quat_rotate(rotation, before[v]), move),
                     rounding(3e-6));
    }
    pelt_arena_destroy(s->arena);
    return 0;
}

// The vertices and triangles of a mesh_builder, divided between two meshes: triangles go where
// their first corner goes, and both meshes have all vertices, so that none needs to be renumbered.
static int meshes_of_one_skin_are_solved_together(void)
{
    mesh_builder* s = mesh_builder_random(15);
    pelt_vec3 whole[60], parts[2][60];
    uint32_t indices[2][BUILDER_INDICES];
    pelt_mesh meshes[2] = {s->mesh, s->mesh};
    for (uint32_t m = 0; m < 2; ++m)
    {
        meshes[m].indices = indices[m];
        meshes[m].index_count = 0;
    }
    for (uint32_t i = 0; i < s->mesh.index_count; i += 3)
    {
        pelt_mesh* to = &meshes[s->indices[i] % 2];
        memcpy(indices[to - meshes] + to->index_count, s->indices + i, 3 * sizeof *s->indices);
        to->index_count += 3;
    }
    const pelt_mesh* both[2] = {&meshes[0], &meshes[1]};
    pelt_vec3* out[2] = {parts[0], parts[1]};
    pelt_cor_options options = {.solver = solver, .epsilon = -1.0f};
    pelt_cor_report report;
    ENSURE(solve(whole, s, NULL) == PELT_OK);
    ENSURE(pelt_cor_solve(out, &(pelt_cor_input){2, both}, &options, &report, NULL) == PELT_OK);
    ENSURE(report.vertex_count == 120 && report.triangle_count == 80);
    for (uint32_t m = 0; m < 2; ++m)
    {
        // The order of triangles is another: rounding of double, then of float.
        ENSURE(pelt_positions_compare(whole, parts[m], 60).max <= rounding(2e-7));
    }
    pelt_arena_destroy(s->arena);
    return 0;
}

// The first, the eighth, the fifteenth ... of the vertices with two influences have the bits of a
// whole solve, and the others do not change. A stride past the end leaves one vertex.
static int stride_solves_a_sample_and_leaves_the_rest(void)
{
    static const uint32_t strides[3] = {1, 7, UINT32_MAX};
    mesh_builder* s = mesh_builder_random(15);
    pelt_vec3 whole[60], marks[60], sample[60];
    ENSURE(solve(whole, s, NULL) == PELT_OK);
    for (uint32_t v = 0; v < 60; ++v)
    {
        marks[v] = pelt_vec3_make(-9, (float)v, 9);
    }
    for (int i = 0; i < 3; ++i)
    {
        memcpy(sample, marks, sizeof marks);
        ENSURE(solve(sample, s, &(pelt_cor_options){.stride = strides[i]}) == PELT_OK);
        for (uint32_t v = 0, n = 0; v < 60; ++v)
        {
            bool is_single = s->mesh.weights.first[v + 1] - s->mesh.weights.first[v] < 2;
            bool is_solved = is_single || n % strides[i] == 0;
            ENSURE(memcmp(&sample[v], is_solved ? &whole[v] : &marks[v], sizeof marks[0]) == 0);
            n += !is_single;
        }
    }
    pelt_arena_destroy(s->arena);
    return 0;
}

static int report_counts_vertices_by_what_became_of_them(void)
{
    mesh_builder* s = mesh_builder_create();
    for (uint32_t i = 0; i < 3; ++i)
    {
        mesh_builder_add_shared(s, pelt_vec3_make((float)(i & 1), (float)(i >> 1), 0), 0, 1, 0.5f);
    }
    mesh_builder_add_triangle(s, 0, 1, 2);
    mesh_builder_add_triangle(s, 0, 1, 1); // no area
    mesh_builder_add_influence(s, mesh_builder_add_vertex(s, pelt_vec3_make(3, 4, 5)), 1, 1.0f);
    mesh_builder_add_vertex(s, pelt_vec3_make(6, 7, 8));
    mesh_builder_add_shared(s, pelt_vec3_make(9, 9, 9), 4, 5, 0.5f);
    ENSURE(mesh_builder_bind(s));
    const pelt_mesh* mesh = &s->mesh;
    pelt_vec3 centers[6], *out = centers;
    pelt_cor_options options = {.solver = solver};
    pelt_cor_report report;
    ENSURE(pelt_cor_solve(&out, &(pelt_cor_input){1, &mesh}, &options, &report, NULL) == PELT_OK);
    ENSURE(report.vertex_count == 6 && report.triangle_count == 2 && report.sample_count == 2);
    ENSURE(report.single_count == 2 && report.solved_count == 4 && report.dissimilar_count == 1);
    ENSURE(report.peak_bytes > 0);
    pelt_arena_destroy(s->arena);
    return 0;
}

static int options_out_of_range_are_refused(void)
{
    const float nan = (float)NAN, tiny = 0.0005f;
    const pelt_cor_options wrong[] = {
        {.sigma = tiny}, {.sigma = -0.1f}, {.sigma = nan},   {.epsilon = tiny},
        {.omega = -1},   {.cutoff = -1},   {.epsilon = nan}, {.omega = nan},
    };
    mesh_builder* s = mesh_builder_random(16);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
    {
        pelt_vec3 centers[60];
        ENSURE(solve(centers, s, &wrong[i]) == PELT_ERROR_ARGUMENT);
    }
    pelt_arena_destroy(s->arena);
    return 0;
}

typedef struct watch
{
    float last, stop_at;
    int call_count;
    bool is_falling;
} watch;

static bool watch_progress(float part, void* user)
{
    watch* w = user;
    w->is_falling |= part < w->last || part > 1.0f;
    w->last = part;
    w->call_count++;
    return part < w->stop_at;
}

static int progress_rises_and_can_cancel(void)
{
    mesh_builder* s = mesh_builder_random(17);
    pelt_vec3 centers[60];
    watch all = {.stop_at = 2.0f}, none = {0};
    pelt_cor_options options = {.progress = watch_progress, .user = &all};
    ENSURE(solve(centers, s, &options) == PELT_OK);
    ENSURE(all.call_count > 0 && !all.is_falling && all.last > 0.9f);
    options.user = &none;
    ENSURE(solve(centers, s, &options) == PELT_ERROR_CANCELED);
    ENSURE(none.call_count == 1);
    pelt_arena_destroy(s->arena);
    return 0;
}

static void test_solver(void)
{
    RUN(centers_are_those_of_the_definition);
    RUN(vertex_that_nothing_resembles_keeps_its_position);
    RUN(equal_weights_have_the_same_center_to_the_bit);
    RUN(degenerate_triangles_and_lone_vertices_are_harmless);
    RUN(a_mesh_may_begin_with_vertices_without_joints);
    RUN(triangle_may_have_twelve_joints);
    RUN(round_bar_has_its_centers_on_the_axis);
    RUN(sigma_is_the_width_of_the_kernel);
    RUN(number_of_threads_does_not_show);
    RUN(centers_move_along_with_the_mesh);
    RUN(meshes_of_one_skin_are_solved_together);
    RUN(report_counts_vertices_by_what_became_of_them);
    RUN(options_out_of_range_are_refused);
    RUN(progress_rises_and_can_cancel);
    RUN(stride_solves_a_sample_and_leaves_the_rest);
}

void test_cor(void)
{
    solver = PELT_COR_FULL;
    test_solver();
    solver = PELT_COR_FAST;
    test_solver();
}
