// SPDX-License-Identifier: MIT
// Centers of rotation as their authors compute them (Le and Hodgins 2016, section 3.2; Bittner et
// al. 2019, Algorithms 3 and 4): vertices with similar weights are looked up, and a search over
// the surface starts at their triangles and ends where these no longer resemble the vertex.
#include "../base/exact.h"

#include "cor_paper.h"

#include <string.h>

enum
{
    CHUNK = 32, // vertices taken at a time

    // Searches at the same time, each with memory of its own for all triangles. Memory that no
    // thread comes to use is asked for but not touched.
    MAX_WORKERS = 16,
};

typedef struct joint_match
{
    double p, v; // weights of the vertex and of the triangle
} joint_match;

// What one search at a time needs.
typedef struct worker
{
    pelti_cor_probe probe;
    joint_match* matches; // most joints of a vertex + 1
    uint32_t* seeds;      // one per member of the clusters
    uint32_t* queue;      // one per triangle
    uint64_t* visited;    // one bit per triangle
    double* similarities; // of visited triangles; 0: below the cutoff
    uint32_t queue_count;
} worker;

typedef struct paper_solver
{
    pelti_cor_problem* problem;
    pelti_cor_mesh mesh;
    pelti_cor_graph graph;
    pelti_cor_clusters clusters;
    double inverse_sigma2;
    uint32_t joint_count;
    size_t word_count; // of 64 triangles
    uint32_t* order;   // todo, shuffled
    atomic_uint next_chunk;
    uint32_t worker_count;
    worker workers[MAX_WORKERS];
} paper_solver;

// ---------------------------------------------------------------------------------------------
// The center of one vertex

// Eq. 1: each pair stands for two ordered ones.
static double similarity(const paper_solver* solver, worker* w, uint32_t triangle)
{
    const pelti_cor_graph* graph = &solver->graph;
    joint_match* matches = w->matches;
    uint32_t count = 0;
    for (uint32_t i = graph->first[triangle]; i < graph->first[triangle + 1]; ++i)
    {
        double p = w->probe.weights[graph->weights[i].joint];
        matches[count] = (joint_match){p, (double)graph->weights[i].weight};
        count += p > 0.0;
    }
    double sum = 0.0;
    for (uint32_t j = 0; j < count; ++j)
    {
        for (uint32_t k = j + 1; k < count; ++k)
        {
            joint_match a = matches[j], b = matches[k];
            double distance = a.p * b.v - b.p * a.v;
            sum += a.p * b.p * a.v * b.v * exp(-distance * distance * solver->inverse_sigma2);
        }
    }
    return 2.0 * sum;
}

// Algorithm 4, lines 7 to 13, but that what resembles the vertex is summed up later.
static void visit(const paper_solver* solver, worker* w, uint32_t triangle)
{
    uint64_t* word = &w->visited[triangle / 64];
    uint64_t bit = (uint64_t)1 << (triangle % 64);
    if ((*word & bit) == 0)
    {
        *word |= bit;
        double s = similarity(solver, w, triangle);
        bool is_similar = s >= solver->problem->cutoff;
        w->similarities[triangle] = is_similar ? s : 0.0;
        w->queue[w->queue_count] = triangle;
        w->queue_count += is_similar;
    }
}

static void search(const paper_solver* solver, worker* w)
{
    const pelti_cor_graph* graph = &solver->graph;
    uint32_t seed_count = pelti_cor_clusters_query(w->seeds, &solver->clusters, &solver->mesh,
                                                   &w->probe, solver->problem->omega);
    w->queue_count = 0;
    for (uint32_t i = 0; i < seed_count; ++i)
    {
        uint32_t seed = w->seeds[i];
        for (uint32_t k = graph->corner_first[seed]; k < graph->corner_first[seed + 1]; ++k)
        {
            visit(solver, w, graph->corner_triangles[k]);
        }
    }
    // The queue grows as its triangles are visited: sides that meet at an edge form a ring.
    for (uint32_t i = 0; i < w->queue_count; ++i)
    {
        uint32_t first_side = 3 * w->queue[i];
        for (uint32_t side = first_side; side < first_side + 3; ++side)
        {
            for (uint32_t k = graph->next_side[side]; k != side; k = graph->next_side[k])
            {
                visit(solver, w, k / 3);
            }
        }
    }
}

// Eq. 4, and nothing is visited any more. The order is that of the triangles, whatever the search
// came across first: its order would change with weights elsewhere, which a center must not.
static void sum_up(double out[4], const paper_solver* solver, worker* w)
{
    double x = 0.0, y = 0.0, z = 0.0, area = 0.0;
    for (size_t word = 0; word < solver->word_count; ++word)
    {
        size_t triangle = 64 * word;
        for (uint64_t bits = w->visited[word]; bits != 0; bits >>= 1, ++triangle)
        {
            if ((bits & 1) != 0)
            {
                const double* moment = solver->graph.moments[triangle];
                double s = w->similarities[triangle];
                x += s * moment[0];
                y += s * moment[1];
                z += s * moment[2];
                area += s * moment[3];
            }
        }
        w->visited[word] = 0;
    }
    out[0] = x;
    out[1] = y;
    out[2] = z;
    out[3] = area;
}

static void solve_vertex(const paper_solver* solver, worker* w, uint32_t vertex)
{
    const pelti_cor_surface* surface = &solver->problem->surface;
    const pelti_cor_weight* list = surface->weights + surface->first[vertex];
    uint32_t count = pelti_cor_joint_count(surface, vertex);
    double sums[4];
    pelti_cor_probe_set(&w->probe, list, count);
    search(solver, w);
    sum_up(sums, solver, w);
    pelti_cor_probe_clear(&w->probe, list, count);
    pelti_cor_put(solver->problem, vertex, sums);
}

// ---------------------------------------------------------------------------------------------
// All vertices

// A worker is a task that takes vertices until none is left. With fewer threads than workers the
// last ones find nothing to do.
static void work(void* context, uint32_t index)
{
    paper_solver* solver = context;
    pelti_cor_problem* problem = solver->problem;
    worker* w = &solver->workers[index];
    memset(w->visited, 0, solver->word_count * sizeof *w->visited);
    for (uint32_t joint = 0; joint < solver->joint_count; ++joint)
    {
        w->probe.weights[joint] = 0.0;
    }
    for (;;)
    {
        uint64_t first = (uint64_t)CHUNK * atomic_fetch_add(&solver->next_chunk, 1);
        if (first >= problem->todo_count)
        {
            return;
        }
        uint64_t left = problem->todo_count - first, count = left < CHUNK ? left : CHUNK;
        if (!pelti_cor_step(problem, count))
        {
            return;
        }
        for (uint64_t i = first; i < first + count; ++i)
        {
            solve_vertex(solver, w, solver->order[i]);
        }
    }
}

// Neighbors cost alike: without shuffling, one worker would get all that is expensive.
static void shuffle(uint32_t* out, const uint32_t* list, uint32_t count)
{
    uint64_t state = 1;
    for (uint32_t i = 0; i < count; ++i)
    {
        // Knuth's linear congruential generator; its upper bits are the random ones.
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint32_t other = (uint32_t)((state >> 33) % ((uint64_t)i + 1));
        out[i] = out[other];
        out[other] = list[i];
    }
}

static bool allocate_workers(paper_solver* solver)
{
    pelti_cor_problem* problem = solver->problem;
    const pelti_cor_surface* surface = &problem->surface;
    size_t triangle_count = solver->graph.triangle_count;
    uint32_t chunk_count = pelti_cor_chunk_count(problem->todo_count, CHUNK);
    solver->worker_count = chunk_count < MAX_WORKERS ? chunk_count : MAX_WORKERS;
    solver->joint_count = pelti_cor_joint_limit(surface);
    solver->word_count = (triangle_count + 63) / 64;
    size_t most_joints = pelti_cor_most_joints(surface);
    for (uint32_t i = 0; i < solver->worker_count; ++i)
    {
        worker* w = &solver->workers[i];
        w->probe.weights =
            pelti_cor_allocate(problem, solver->joint_count, sizeof *w->probe.weights);
        w->matches = pelti_cor_allocate(problem, most_joints + 1, sizeof *w->matches);
        w->seeds = pelti_cor_allocate(problem, solver->clusters.member_count, sizeof *w->seeds);
        w->queue = pelti_cor_allocate(problem, triangle_count + 1, sizeof *w->queue);
        w->visited = pelti_cor_allocate(problem, solver->word_count, sizeof *w->visited);
        w->similarities = pelti_cor_allocate(problem, triangle_count, sizeof *w->similarities);
        if (!w->probe.weights || !w->matches || !w->seeds || !w->queue || !w->visited ||
            !w->similarities)
        {
            return false;
        }
    }
    return true;
}

static void release_workers(paper_solver* solver)
{
    for (uint32_t i = 0; i < solver->worker_count; ++i)
    {
        worker* w = &solver->workers[i];
        pelti_cor_release(solver->problem, w->similarities);
        pelti_cor_release(solver->problem, w->visited);
        pelti_cor_release(solver->problem, w->queue);
        pelti_cor_release(solver->problem, w->seeds);
        pelti_cor_release(solver->problem, w->matches);
        pelti_cor_release(solver->problem, w->probe.weights);
    }
}

pelt_result pelti_cor_paper(pelti_cor_problem* problem)
{
    paper_solver solver = {.problem = problem,
                           .inverse_sigma2 = 1.0 / (problem->sigma * problem->sigma)};
    problem->step_count = problem->todo_count;
    solver.order = pelti_cor_allocate(problem, problem->todo_count, sizeof *solver.order);
    bool is_ok =
        solver.order != NULL && pelti_cor_mesh_create(&solver.mesh, problem) &&
        pelti_cor_graph_create(&solver.graph, problem, &solver.mesh) &&
        pelti_cor_clusters_create(&solver.clusters, problem, &solver.mesh, &solver.graph) &&
        allocate_workers(&solver);
    if (is_ok)
    {
        problem->report.sample_count = solver.mesh.triangle_count;
        shuffle(solver.order, problem->todo, problem->todo_count);
        pelt_run(solver.worker_count, work, &solver);
    }
    release_workers(&solver);
    pelti_cor_clusters_release(&solver.clusters, problem);
    pelti_cor_graph_release(&solver.graph, problem);
    pelti_cor_mesh_release(&solver.mesh, problem);
    pelti_cor_release(problem, solver.order);
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}
