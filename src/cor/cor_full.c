// SPDX-License-Identifier: MIT
// Centers of rotation by the definition (Le and Hodgins 2016, Eq. 1 and 4): the plain sum over all
// triangles, in double precision. The oracle of faster solvers.
#include "../base/exact.h"

#include "cor.h"

typedef struct entry
{
    uint32_t joint;
    double weight;
} entry;

// The weights at the center of a triangle, its area and the center: the terms of Eq. 4.
typedef struct sample
{
    const entry* entries; // by ascending joint
    uint32_t count;
    uint64_t joints; // bit (joint % 64) set for each: no common bit means no common joint
    double area;
    double center[3];
} sample;

// The joints of a triangle's corners, each once, with its weight at every corner.
typedef struct corner_entry
{
    uint32_t joint;
    double weights[3];
} corner_entry;

enum
{
    CHUNK = 64,          // vertices per task
    MAX_SAMPLES = 16384, // held at a time
    PIECES = 64,
};

typedef struct full_solver
{
    pelti_cor_problem* problem;
    double (*sums)[4]; // of each vertex to do
    sample* samples;
    uint32_t sample_count, sample_capacity;
    uint32_t triangle_count; // whose last samples these are: for progress
    entry* entries;          // of samples: sample_capacity times most joints of a triangle
    uint32_t entry_count;
    corner_entry* corners;
    double inverse_sigma2;
} full_solver;

static uint64_t joint_bit(uint32_t joint)
{
    return (uint64_t)1 << (joint % 64);
}

// ---------------------------------------------------------------------------------------------
// From triangles to samples

// Returns the number of joints.
static uint32_t merge_corners(corner_entry* out, const pelti_cor_surface* surface,
                              const uint32_t* t)
{
    uint32_t count = 0;
    for (int corner = 0; corner < 3; ++corner)
    {
        for (uint32_t i = surface->first[t[corner]]; i < surface->first[t[corner] + 1]; ++i)
        {
            uint32_t joint = surface->weights[i].joint, at = 0;
            while (at < count && out[at].joint < joint)
            {
                ++at;
            }
            if (at == count || out[at].joint != joint)
            {
                for (uint32_t k = count++; k > at; --k)
                {
                    out[k] = out[k - 1];
                }
                out[at] = (corner_entry){.joint = joint};
            }
            out[at].weights[corner] = (double)surface->weights[i].weight;
        }
    }
    return count;
}

static double mean(const double corners[3], const double at[3])
{
    return corners[0] * at[0] + corners[1] * at[1] + corners[2] * at[2];
}

static void add_sample(full_solver* solver, const uint32_t* t, uint32_t joint_count, double area,
                       const pelti_cor_piece* piece)
{
    const pelt_vec3* p = solver->problem->surface.positions;
    const double at[3] = {1.0 - piece->b1 - piece->b2, piece->b1, piece->b2};
    const double x[3] = {(double)p[t[0]].x, (double)p[t[1]].x, (double)p[t[2]].x};
    const double y[3] = {(double)p[t[0]].y, (double)p[t[1]].y, (double)p[t[2]].y};
    const double z[3] = {(double)p[t[0]].z, (double)p[t[1]].z, (double)p[t[2]].z};
    entry* entries = solver->entries + solver->entry_count;
    sample* out = &solver->samples[solver->sample_count++];
    *out = (sample){.entries = entries,
                    .count = joint_count,
                    .area = area * piece->share,
                    .center = {mean(x, at), mean(y, at), mean(z, at)}};
    for (uint32_t i = 0; i < joint_count; ++i)
    {
        entries[i] = (entry){solver->corners[i].joint, mean(solver->corners[i].weights, at)};
        out->joints |= joint_bit(entries[i].joint);
    }
    solver->entry_count += joint_count;
}

// ---------------------------------------------------------------------------------------------
// The sum

// Eq. 1. The sum is over ordered pairs; here each pair counts once, and the factor 2 cancels in Eq.
// 4.
static double similarity(const pelti_cor_weight* p, uint32_t p_count, const sample* v,
                         double inverse_sigma2)
{
    double sum = 0.0;
    for (uint32_t i = 0, k = 0; i < p_count && k < v->count;)
    {
        if (p[i].joint != v->entries[k].joint)
        {
            bool is_p_behind = p[i].joint < v->entries[k].joint;
            i += is_p_behind;
            k += !is_p_behind;
            continue;
        }
        double pj = (double)p[i].weight, vj = v->entries[k].weight;
        for (uint32_t a = ++i, b = ++k; a < p_count && b < v->count;)
        {
            if (p[a].joint != v->entries[b].joint)
            {
                bool is_p_behind = p[a].joint < v->entries[b].joint;
                a += is_p_behind;
                b += !is_p_behind;
                continue;
            }
            double pk = (double)p[a++].weight, vk = v->entries[b++].weight;
            double distance = pj * vk - pk * vj;
            sum += pj * pk * vj * vk * exp(-distance * distance * inverse_sigma2);
        }
    }
    return sum;
}

static void add_samples(const full_solver* solver, double sums[4], uint32_t vertex)
{
    const pelti_cor_surface* surface = &solver->problem->surface;
    const pelti_cor_weight* weights = surface->weights + surface->first[vertex];
    uint32_t count = pelti_cor_joint_count(surface, vertex);
    uint64_t joints = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        joints |= joint_bit(weights[i].joint);
    }
    for (uint32_t i = 0; i < solver->sample_count; ++i)
    {
        const sample* s = &solver->samples[i];
        if ((joints & s->joints) != 0)
        {
            double w = s->area * similarity(weights, count, s, solver->inverse_sigma2);
            sums[0] += w * s->center[0];
            sums[1] += w * s->center[1];
            sums[2] += w * s->center[2];
            sums[3] += w;
        }
    }
}

static void add_chunk(void* context, uint32_t index)
{
    const full_solver* solver = context;
    pelt_range range = pelti_cor_chunk(solver->problem->todo_count, CHUNK, index);
    if (!pelti_cor_step(solver->problem, (uint64_t)range.count * solver->triangle_count))
    {
        return;
    }
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        add_samples(solver, solver->sums[i], solver->problem->todo[i]);
    }
}

// Add the collected samples to all vertices, and empty the list.
static void flush(full_solver* solver)
{
    pelt_run(pelti_cor_chunk_count(solver->problem->todo_count, CHUNK), add_chunk, solver);
    solver->problem->report.sample_count += solver->sample_count;
    solver->sample_count = 0;
    solver->triangle_count = 0;
    solver->entry_count = 0;
}

static void add_triangle(full_solver* solver, const uint32_t* t)
{
    const pelti_cor_surface* surface = &solver->problem->surface;
    uint32_t joint_count = merge_corners(solver->corners, surface, t);
    double area = pelti_cor_area(surface, t);
    if (joint_count < 2)
    {
        return;
    }
    pelti_cor_split split;
    pelti_cor_piece pieces[PIECES];
    pelti_cor_split_begin(&split, surface, t, solver->problem->epsilon);
    for (uint32_t n; (n = pelti_cor_split_next(&split, pieces, PIECES)) > 0;)
    {
        for (uint32_t i = 0; i < n; ++i)
        {
            if (solver->sample_count == solver->sample_capacity)
            {
                flush(solver);
            }
            add_sample(solver, t, joint_count, area, &pieces[i]);
        }
    }
}

static void solve(full_solver* solver)
{
    pelti_cor_problem* problem = solver->problem;
    const pelti_cor_surface* surface = &problem->surface;
    problem->step_count = (uint64_t)problem->todo_count * surface->triangle_count;
    for (uint32_t i = 0; i < surface->triangle_count && !pelti_cor_is_canceled(problem); ++i)
    {
        add_triangle(solver, surface->indices + 3 * (size_t)i);
        solver->triangle_count++;
    }
    flush(solver);
    for (uint32_t i = 0; i < problem->todo_count; ++i)
    {
        pelti_cor_put(problem, problem->todo[i], solver->sums[i]);
    }
}

pelt_result pelti_cor_full(pelti_cor_problem* problem)
{
    uint32_t triangle_joints = 3 * pelti_cor_most_joints(&problem->surface);
    uint32_t triangle_count = problem->surface.triangle_count;
    full_solver solver = {
        .problem = problem,
        .sample_capacity = triangle_count < MAX_SAMPLES ? triangle_count + 1 : MAX_SAMPLES,
        .inverse_sigma2 = 1.0 / (problem->sigma * problem->sigma),
    };
    solver.sums = pelti_cor_allocate(problem, problem->todo_count, sizeof *solver.sums);
    solver.samples = pelti_cor_allocate(problem, solver.sample_capacity, sizeof *solver.samples);
    solver.entries = pelti_cor_allocate(problem, (size_t)solver.sample_capacity * triangle_joints,
                                        sizeof *solver.entries);
    solver.corners = pelti_cor_allocate(problem, triangle_joints, sizeof *solver.corners);
    bool is_ok = solver.sums && solver.samples && solver.entries && solver.corners;
    if (is_ok)
    {
        for (uint32_t i = 0; i < problem->todo_count; ++i)
        {
            for (int k = 0; k < 4; ++k)
            {
                solver.sums[i][k] = 0.0;
            }
        }
        solve(&solver);
    }
    pelti_cor_release(problem, solver.corners);
    pelti_cor_release(problem, solver.entries);
    pelti_cor_release(problem, solver.samples);
    pelti_cor_release(problem, solver.sums);
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}
