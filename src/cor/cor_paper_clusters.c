// SPDX-License-Identifier: MIT
// Neighbors in weight space (Le and Hodgins 2016, section 3.2): clusters reject distant vertices
// without a look at them.
#include "../base/exact.h"

#include "cor_paper.h"

#include <float.h>

// Rejects too little rather than too much: distances are rounded, those of members to float.
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

// Squared. What the probe has at joints that the vertex has not is all that was not met on the
// way. Equal weights are 0 apart to the bit, as both sums then have the same terms.
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

// Bring the points that are nearer to the newest center than to theirs. Returns the farthest.
static uint32_t move_points(builder* b, uint32_t newest)
{
    uint32_t farthest = 0;
    for (uint32_t i = 0; i < b->clusters->member_count; ++i)
    {
        point* p = &b->points[i];
        // The triangle inequality: centers far apart cannot compete for a point close to one.
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
    // Ends of lists; filling from the back turns them into beginnings.
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
