// SPDX-License-Identifier: MIT
// The published algorithm of Le and Hodgins, "Real-time Skeletal Skinning with Optimized Centers of
// Rotation", 2016, section 4: a search in weight space, then over the surface.
#include "../base/exact.h"

#include "cor_paper.h"

#include <float.h>
#include <string.h>

enum
{
    CHUNK = 32, // vertices taken at a time

    // The number of searches at the same time, each with memory for all triangles. Memory of a
    // search that no thread runs is allocated but not touched.
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

// Eq. 1: each pair represents two ordered ones.
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

// Algorithm 4, lines 7 to 13. Triangles similar to the vertex are summed later.
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
    // The queue grows as its triangles are visited: halfedges that meet at an edge form a ring.
    for (uint32_t i = 0; i < w->queue_count; ++i)
    {
        uint32_t first_halfedge = 3 * w->queue[i];
        for (uint32_t halfedge = first_halfedge; halfedge < first_halfedge + 3; ++halfedge)
        {
            for (uint32_t k = graph->next_halfedge[halfedge]; k != halfedge;
                 k = graph->next_halfedge[k])
            {
                visit(solver, w, k / 3);
            }
        }
    }
}

// Eq. 4; marks of visited triangles are cleared. The sum is in the order of triangles, because the
// order of the search would change with weights elsewhere, and a center must not.
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

// Neighbors have similar costs: without shuffling, one worker would get all that is expensive.
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

// =============================================================================================
// Neighbors in weight space (Le and Hodgins 2016, section 3.2): clusters reject distant vertices
// without a look at them.

// Rounded so that it rejects too little rather than too much: distances of members are floats.
static const double slack = 1e-6;

uint32_t pelti_cor_joint_limit(const pelti_cor_surface* surface)
{
    uint32_t limit = 0;
    for (uint32_t i = 0; i < surface->first[surface->vertex_count]; ++i)
    {
        uint32_t joint = surface->weights[i].joint;
        limit = joint >= limit ? joint + 1 : limit;
    }
    return limit;
}

void pelti_cor_probe_set(pelti_cor_probe* probe, const pelti_cor_weight* list, uint32_t count)
{
    probe->norm2 = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        double weight = (double)list[i].weight;
        probe->weights[list[i].joint] = weight;
        probe->norm2 += weight * weight;
    }
}

void pelti_cor_probe_clear(pelti_cor_probe* probe, const pelti_cor_weight* list, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        probe->weights[list[i].joint] = 0.0;
    }
}

// Squared distance. The joints of the probe that the vertex does not have are what remains of the
// total. The distance between equal weights is exactly 0, because both sums then have the same
// terms.
static double distance2(const pelti_cor_probe* probe, const pelti_cor_mesh* mesh, uint32_t v)
{
    double apart = 0.0, met = 0.0;
    for (uint32_t i = mesh->first[v]; i < mesh->first[v + 1]; ++i)
    {
        double own = probe->weights[mesh->weights[i].joint];
        double difference = own - (double)mesh->weights[i].weight;
        apart += difference * difference;
        met += own * own;
    }
    double rest = probe->norm2 - met;
    return apart + (rest > 0.0 ? rest : 0.0);
}

// ---------------------------------------------------------------------------------------------
// Building

// A vertex that waits for its cluster.
typedef struct point
{
    uint32_t vertex;
    uint32_t cluster;
    double distance; // from the center of the cluster
} point;

typedef struct builder
{
    pelti_cor_clusters* clusters;
    const pelti_cor_mesh* mesh;
    pelti_cor_probe probe;
    point* points; // member_count
    double* gaps;  // from the newest center to each
} builder;

// Assign the points that are nearer to the newest center than to their own. Returns the farthest.
static uint32_t move_points(builder* b, uint32_t newest)
{
    uint32_t farthest = 0;
    for (uint32_t i = 0; i < b->clusters->member_count; ++i)
    {
        point* p = &b->points[i];
        // The triangle inequality: a center far away cannot be nearer to a point that is close to
        // its own.
        if (b->gaps[p->cluster] < 2.0 * p->distance + slack)
        {
            double distance = sqrt(distance2(&b->probe, b->mesh, p->vertex));
            if (distance < p->distance)
            {
                p->distance = distance;
                p->cluster = newest;
            }
        }
        farthest = p->distance > b->points[farthest].distance ? i : farthest;
    }
    return farthest;
}

// Le and Hodgins spread the centers as "maximized minimum distance point sets" (Schloemer et al.
// 2011), which are defined for the plane. Farthest point sampling builds such a set from given
// points: each next center is the point that is farthest from all centers before it.
static void choose_centers(builder* b, pelti_cor_problem* problem, uint32_t wanted)
{
    pelti_cor_clusters* out = b->clusters;
    const pelti_cor_mesh* mesh = b->mesh;
    for (uint32_t next = 0; out->cluster_count < wanted && pelti_cor_step(problem, 0);)
    {
        if (b->points[next].distance == 0.0)
        {
            return; // every point has the weights of a center
        }
        uint32_t newest = out->cluster_count++, center = b->points[next].vertex;
        const pelti_cor_weight* list = mesh->weights + mesh->first[center];
        uint32_t count = mesh->first[center + 1] - mesh->first[center];
        pelti_cor_probe_set(&b->probe, list, count);
        out->centers[newest] = center;
        for (uint32_t i = 0; i < newest; ++i)
        {
            b->gaps[i] = sqrt(distance2(&b->probe, mesh, out->centers[i]));
        }
        b->gaps[newest] = 0.0;
        next = move_points(b, newest);
        pelti_cor_probe_clear(&b->probe, list, count);
    }
}

static void fill_clusters(builder* b)
{
    pelti_cor_clusters* out = b->clusters;
    for (uint32_t c = 0; c <= out->cluster_count; ++c)
    {
        out->first[c] = 0;
    }
    for (uint32_t i = 0; i < out->member_count; ++i)
    {
        const point* p = &b->points[i];
        out->first[p->cluster]++;
        out->radii[p->cluster] = fmax(out->radii[p->cluster], p->distance);
    }
    // Ends of lists; filling from the back converts them into beginnings.
    for (uint32_t c = 0, sum = 0; c <= out->cluster_count; ++c)
    {
        out->first[c] = sum += out->first[c];
    }
    for (uint32_t i = out->member_count; i-- > 0;)
    {
        const point* p = &b->points[i];
        out->members[--out->first[p->cluster]] = (pelti_cor_member){p->vertex, (float)p->distance};
    }
}

bool pelti_cor_clusters_create(pelti_cor_clusters* out, pelti_cor_problem* problem,
                               const pelti_cor_mesh* mesh, const pelti_cor_graph* graph)
{
    *out = (pelti_cor_clusters){0};
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        out->member_count += graph->corner_first[v + 1] > graph->corner_first[v];
    }
    uint32_t joint_count = pelti_cor_joint_limit(&problem->surface);
    uint32_t wanted = (uint32_t)ceil(sqrt((double)out->member_count));
    builder b = {.clusters = out, .mesh = mesh};
    b.points = pelti_cor_allocate(problem, out->member_count, sizeof *b.points);
    b.gaps = pelti_cor_allocate(problem, wanted, sizeof *b.gaps);
    b.probe.weights = pelti_cor_allocate(problem, joint_count, sizeof *b.probe.weights);
    out->centers = pelti_cor_allocate(problem, wanted, sizeof *out->centers);
    out->radii = pelti_cor_allocate(problem, wanted, sizeof *out->radii);
    out->first = pelti_cor_allocate(problem, (size_t)wanted + 1, sizeof *out->first);
    out->members = pelti_cor_allocate(problem, out->member_count, sizeof *out->members);
    bool is_ok = b.points && b.gaps && b.probe.weights && out->centers && out->radii &&
                 out->first && out->members;
    if (is_ok)
    {
        for (uint32_t joint = 0; joint < joint_count; ++joint)
        {
            b.probe.weights[joint] = 0.0;
        }
        for (uint32_t c = 0; c < wanted; ++c)
        {
            out->radii[c] = 0.0;
        }
        for (uint32_t v = 0, i = 0; v < mesh->vertex_count; ++v)
        {
            if (graph->corner_first[v + 1] > graph->corner_first[v])
            {
                b.points[i++] = (point){v, 0, DBL_MAX};
            }
        }
        choose_centers(&b, problem, wanted);
        fill_clusters(&b);
    }
    pelti_cor_release(problem, b.probe.weights);
    pelti_cor_release(problem, b.gaps);
    pelti_cor_release(problem, b.points);
    return is_ok;
}

void pelti_cor_clusters_release(pelti_cor_clusters* clusters, pelti_cor_problem* problem)
{
    pelti_cor_release(problem, clusters->members);
    pelti_cor_release(problem, clusters->first);
    pelti_cor_release(problem, clusters->radii);
    pelti_cor_release(problem, clusters->centers);
    *clusters = (pelti_cor_clusters){0};
}

// ---------------------------------------------------------------------------------------------
// The query

uint32_t pelti_cor_clusters_query(uint32_t* out, const pelti_cor_clusters* clusters,
                                  const pelti_cor_mesh* mesh, const pelti_cor_probe* probe,
                                  double omega)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < clusters->cluster_count; ++c)
    {
        double reach = clusters->radii[c] + omega + slack;
        double center2 = distance2(probe, mesh, clusters->centers[c]), center = sqrt(center2);
        if (!(center2 < reach * reach))
        {
            continue;
        }
        for (uint32_t i = clusters->first[c]; i < clusters->first[c + 1]; ++i)
        {
            const pelti_cor_member* member = &clusters->members[i];
            // The triangle inequality again: distances from the center differ by more than that
            // from the probe.
            if (fabs(center - (double)member->distance) < omega + slack &&
                distance2(probe, mesh, member->vertex) < omega * omega)
            {
                out[count++] = member->vertex;
            }
        }
    }
    return count;
}
