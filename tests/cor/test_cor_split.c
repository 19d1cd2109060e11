// SPDX-License-Identifier: MIT
// Halved triangles: the pieces, against a mesh that is really halved.
#include "pelt/metrics.h"
#include "rigs.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MAX_VERTICES = 60000,
    MAX_JOINTS = 8, // of the rigs used here
};

// A mesh with a weight for every joint at every vertex. Triangles share no vertices, but for those
// they began with.
typedef struct dense_mesh
{
    uint32_t vertex_count, index_count;
    pelt_vec3* positions;
    float (*weights)[MAX_JOINTS];
    uint32_t* indices;
} dense_mesh;

static dense_mesh make_dense(const pelt_mesh* mesh)
{
    dense_mesh m = {
        mesh->vertex_count, mesh->index_count, malloc(MAX_VERTICES * sizeof *m.positions),
        calloc(MAX_VERTICES, sizeof *m.weights), malloc(6 * MAX_VERTICES * sizeof *m.indices)};
    memcpy(m.positions, mesh->positions, mesh->vertex_count * sizeof *m.positions);
    memcpy(m.indices, mesh->indices, mesh->index_count * sizeof *m.indices);
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        for (uint32_t i = mesh->weights.first[v]; i < mesh->weights.first[v + 1]; ++i)
        {
            m.weights[v][mesh->weights.influences[i].joint] = mesh->weights.influences[i].weight;
        }
    }
    return m;
}

static void free_dense(dense_mesh* m)
{
    free(m->positions);
    free(m->weights);
    free(m->indices);
}

static double weight_distance(const dense_mesh* m, uint32_t a, uint32_t b)
{
    double sum = 0.0;
    for (int j = 0; j < MAX_JOINTS; ++j)
    {
        double d = (double)m->weights[a][j] - (double)m->weights[b][j];
        sum += d * d;
    }
    return sqrt(sum);
}

static uint32_t add_middle(dense_mesh* m, uint32_t a, uint32_t b)
{
    uint32_t v = m->vertex_count++;
    m->positions[v] = pelt_vec3_lerp(m->positions[a], m->positions[b], 0.5f);
    for (int j = 0; j < MAX_JOINTS; ++j)
    {
        m->weights[v][j] = 0.5f * (m->weights[a][j] + m->weights[b][j]);
    }
    return v;
}

// Halve triangles at their longest edge, again and again, until no edge is longer than epsilon. Of
// edges with equal lengths the one opposite the first corner is halved: by the mirror image of a
// triangle, sums differ in the order of epsilon squared.
static bool halve(dense_mesh* m, double epsilon)
{
    for (uint32_t t = 0; t < m->index_count;)
    {
        uint32_t* c = m->indices + t;
        double longest = 0.0;
        uint32_t opposite = 0;
        for (uint32_t i = 0; i < 3; ++i)
        {
            double length = weight_distance(m, c[(i + 1) % 3], c[(i + 2) % 3]);
            opposite = length > longest ? i : opposite;
            longest = fmax(length, longest);
        }
        if (longest <= epsilon)
        {
            t += 3;
            continue;
        }
        if (m->vertex_count == MAX_VERTICES || m->index_count + 3 > 6 * MAX_VERTICES)
        {
            return false;
        }
        uint32_t a = (opposite + 1) % 3, b = (opposite + 2) % 3;
        uint32_t middle = add_middle(m, c[a], c[b]), other[3] = {c[0], c[1], c[2]};
        c[a] = middle;
        other[b] = middle;
        memcpy(m->indices + m->index_count, other, sizeof other);
        m->index_count += 3;
    }
    return true;
}

// Centers by the definition on the current mesh.
static pelt_vec3* solve_dense(const dense_mesh* m)
{
    pelt_arena* arena = pelt_arena_create();
    uint32_t* joints = malloc((size_t)m->vertex_count * MAX_JOINTS * sizeof *joints);
    for (uint32_t i = 0; i < m->vertex_count * MAX_JOINTS; ++i)
    {
        joints[i] = i % MAX_JOINTS;
    }
    pelt_mesh mesh = {.vertex_count = m->vertex_count,
                      .index_count = m->index_count,
                      .positions = m->positions,
                      .indices = m->indices};
    pelt_weights_source source = {.vertex_count = m->vertex_count,
                                  .joint_count = MAX_JOINTS,
                                  .per_vertex = MAX_JOINTS,
                                  .joints_u32 = joints,
                                  .weights = m->weights[0]};
    pelt_vec3* centers = malloc(m->vertex_count * sizeof *centers);
    const pelt_mesh* meshes[1] = {&mesh};
    pelt_cor_options options = {.solver = PELT_COR_FULL, .epsilon = -1.0f};
    bool is_ok =
        pelt_weights_import(&mesh.weights, NULL, &source, arena) == PELT_OK &&
        pelt_cor_solve(&centers, &(pelt_cor_input){1, meshes}, &options, NULL, NULL) == PELT_OK;
    free(joints);
    pelt_arena_destroy(arena);
    if (!is_ok)
    {
        free(centers);
        return NULL;
    }
    return centers;
}

static pelt_vec3* solve_halved(const pelt_mesh* mesh, pelt_cor_solver solver, float epsilon,
                               pelt_cor_report* report)
{
    pelt_vec3* centers = malloc(mesh->vertex_count * sizeof *centers);
    pelt_cor_options options = {.solver = solver, .epsilon = epsilon};
    pelt_cor_input input = {1, &mesh};
    if (pelt_cor_solve(&centers, &input, &options, report, NULL) == PELT_OK)
    {
        return centers;
    }
    free(centers);
    return NULL;
}

static int compare_to_halved_mesh(const pelt_mesh* mesh, float epsilon)
{
    dense_mesh dense = make_dense(mesh);
    ENSURE(halve(&dense, (double)epsilon));
    ENSURE(dense.index_count > mesh->index_count); // or there is nothing to compare
    pelt_vec3* expected = solve_dense(&dense);
    for (int solver = 0; solver < 2; ++solver)
    {
        pelt_cor_report report;
        pelt_vec3* centers = solve_halved(mesh, (pelt_cor_solver)solver, epsilon, &report);
        ENSURE(expected != NULL && centers != NULL);
        double worst = pelt_positions_compare(expected, centers, mesh->vertex_count).max;
        printf("  %s %s, epsilon %g: %u triangles become %u, centers differ by %.1e m\n",
               mesh->name, pelt_cor_solver_name((pelt_cor_solver)solver), (double)epsilon,
               mesh->index_count / 3, dense.index_count / 3, worst);
        // Middles of the mesh are rounded to float, sizes are near 1 m.
        ENSURE(worst <= 2e-6);
        free(centers);
    }
    free(expected);
    free_dense(&dense);
    return 0;
}

static int pieces_are_the_triangles_of_a_halved_mesh(void)
{
    static const char* const names[] = {"box", "bar?vertices=100", "arm?vertices=200",
                                        "cuboid?vertices=200"};
    for (int i = 0; i < 4; ++i)
    {
        pelt_scene* scene;
        ENSURE(pelt_rig_build(&scene, names[i], NULL) == PELT_OK);
        // One after the other, or both.
        bool is_full = test_is_full_sweep();
        ENSURE((i % 2 == 1 && !is_full) || compare_to_halved_mesh(&scene->meshes[0], 0.1f) == 0);
        ENSURE((i % 2 == 0 && !is_full) || compare_to_halved_mesh(&scene->meshes[0], 0.07f) == 0);
        pelt_scene_destroy(scene);
    }
    return 0;
}

// The sum over pieces is the midpoint rule for an integral: half the size, a quarter of the error,
// once pieces are smaller than sigma.
static int centers_converge_as_epsilon_shrinks(void)
{
    pelt_scene* scene;
    ENSURE(pelt_rig_build(&scene, "bar?vertices=100", NULL) == PELT_OK);
    const pelt_mesh* mesh = &scene->meshes[0];
    pelt_vec3* limit = solve_halved(mesh, PELT_COR_FAST, 0.004f, NULL);
    double before = 1.0;
    for (float epsilon = 0.08f; epsilon > 0.015f; epsilon *= 0.5f)
    {
        pelt_vec3* centers = solve_halved(mesh, PELT_COR_FAST, epsilon, NULL);
        ENSURE(limit != NULL && centers != NULL);
        double error = pelt_positions_compare(centers, limit, mesh->vertex_count).max;
        printf("  epsilon %-5g error %.1e m\n", (double)epsilon, error);
        ENSURE(error < 0.5 * before);
        before = error;
        free(centers);
    }
    ENSURE(before < 5e-4);
    free(limit);
    pelt_scene_destroy(scene);
    return 0;
}

static int memory_does_not_grow_with_pieces(void)
{
    pelt_scene* scene;
    ENSURE(pelt_rig_build(&scene, "arm?vertices=1000", NULL) == PELT_OK);
    const pelt_mesh* mesh = &scene->meshes[0];
    pelt_cor_report report;
    pelt_vec3* centers = solve_halved(mesh, PELT_COR_FAST, 0.01f, &report);
    double elements = mesh->vertex_count + mesh->index_count / 3.0;
    printf("  %u triangles, %.0f pieces, %.0f bytes per element\n", mesh->index_count / 3,
           (double)report.sample_count, (double)report.peak_bytes / elements);
    ENSURE(centers != NULL && (double)report.sample_count > 50.0 * elements);
    ENSURE((double)report.peak_bytes < 300.0 * elements);
    free(centers);
    pelt_scene_destroy(scene);
    return 0;
}

void test_cor_split(void)
{
    RUN(pieces_are_the_triangles_of_a_halved_mesh);
    RUN(centers_converge_as_epsilon_shrinks);
    RUN(memory_does_not_grow_with_pieces);
}
