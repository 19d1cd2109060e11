// SPDX-License-Identifier: MIT
// Centers of rotation: checks of options, the choice of a solver, and updates after weights have
// changed. Le and Hodgins, "Real-time Skeletal Skinning with Optimized Centers of Rotation", 2016.
#include "../base/exact.h"

#include "cor.h"

#include "../base/mesh_check.h"

#include <float.h>
#include <string.h>

const char* pelt_cor_solver_name(pelt_cor_solver solver)
{
    static const char* const names[PELT_COR_SOLVER_COUNT] = {"fast", "full", "paper"};
    PELT_ASSERT((uint32_t)solver < PELT_COR_SOLVER_COUNT);
    return names[solver];
}

// ---------------------------------------------------------------------------------------------
// What solvers call

enum
{
    // Aligned for any type.
    SIZE_FIELD = 16
};

void* pelti_cor_allocate(pelti_cor_problem* problem, size_t count, size_t size)
{
    if (count > (SIZE_MAX - SIZE_FIELD) / size)
    {
        return NULL;
    }
    size_t bytes = count * size + SIZE_FIELD;
    char* memory = pelt_allocate(bytes, 1);
    if (memory == NULL)
    {
        return NULL;
    }
    memcpy(memory, &bytes, sizeof bytes);
    problem->memory.now += bytes;
    if (problem->memory.peak < problem->memory.now)
    {
        problem->memory.peak = problem->memory.now;
    }
    return memory + SIZE_FIELD;
}

void pelti_cor_release(pelti_cor_problem* problem, void* memory)
{
    if (memory != NULL)
    {
        char* begin = (char*)memory - SIZE_FIELD;
        size_t bytes;
        memcpy(&bytes, begin, sizeof bytes);
        problem->memory.now -= bytes;
        pelt_release(begin);
    }
}

void pelti_cor_put(pelti_cor_problem* problem, uint32_t vertex, const double sums[4])
{
    // The mesh of the vertex: the last one whose first vertex is not after it.
    const uint32_t* mesh_first = problem->surface.mesh_first;
    uint32_t mesh = 0, end = problem->input->mesh_count;
    while (end - mesh > 1)
    {
        uint32_t middle = mesh + (end - mesh) / 2;
        bool is_before = mesh_first[middle] <= vertex;
        mesh = is_before ? middle : mesh;
        end = is_before ? end : middle;
    }
    pelt_vec3* out = &problem->out[mesh][vertex - mesh_first[mesh]];
    if (sums[3] > DBL_MIN)
    {
        *out = pelt_vec3_make((float)(sums[0] / sums[3]), (float)(sums[1] / sums[3]),
                              (float)(sums[2] / sums[3]));
        return;
    }
    *out = problem->surface.positions[vertex];
    atomic_fetch_add_explicit(&problem->dissimilar_count, 1, memory_order_relaxed);
}

bool pelti_cor_step(pelti_cor_problem* problem, uint64_t steps)
{
    const pelt_cor_options* options = problem->options;
    unsigned long long done = atomic_fetch_add(&problem->steps_done, steps) + steps;
    if (options->progress != NULL && !atomic_flag_test_and_set(&problem->is_telling))
    {
        double part = (double)done / (double)(problem->step_count > 0 ? problem->step_count : 1);
        if (!pelti_cor_is_canceled(problem) &&
            !options->progress((float)(part < 1.0 ? part : 1.0), options->user))
        {
            atomic_store(&problem->is_canceled, true);
        }
        atomic_flag_clear(&problem->is_telling);
    }
    return !pelti_cor_is_canceled(problem);
}

// ---------------------------------------------------------------------------------------------
// The surface

static void sort_weights(pelti_cor_weight* out, const pelt_influence* from, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t at = i;
        for (; at > 0 && out[at - 1].joint > from[i].joint; --at)
        {
            out[at] = out[at - 1];
        }
        out[at] = (pelti_cor_weight){from[i].joint, from[i].weight};
    }
}

enum
{
    CHUNK = 4096
};

typedef struct sort_job
{
    pelti_cor_surface* surface;
    const pelt_weights* weights;
    uint32_t vertex_base, weight_base;
} sort_job;

static void sort_chunk(void* context, uint32_t index)
{
    const sort_job* job = context;
    pelt_range range = pelti_cor_chunk(job->weights->vertex_count, CHUNK, index);
    for (uint32_t v = range.first; v < range.first + range.count; ++v)
    {
        uint32_t from = job->weights->first[v];
        job->surface->first[job->vertex_base + v] = job->weight_base + from;
        sort_weights(job->surface->weights + job->weight_base + from,
                     job->weights->influences + from, job->weights->first[v + 1] - from);
    }
}

static void join_weights(pelti_cor_surface* surface, const pelt_cor_input* input)
{
    uint32_t weight_base = 0;
    for (uint32_t m = 0; m < input->mesh_count; ++m)
    {
        const pelt_weights* weights = &input->meshes[m]->weights;
        sort_job job = {surface, weights, surface->mesh_first[m], weight_base};
        pelt_run(pelti_cor_chunk_count(weights->vertex_count, CHUNK), sort_chunk, &job);
        weight_base += weights->influence_count;
    }
    surface->first[surface->vertex_count] = weight_base;
}

// Positions and indices of several meshes, one after the other.
static bool join_meshes(pelti_cor_problem* problem)
{
    const pelt_cor_input* input = problem->input;
    pelti_cor_surface* surface = &problem->surface;
    pelt_vec3* positions =
        pelti_cor_allocate(problem, surface->vertex_count, sizeof *surface->positions);
    uint32_t* indices =
        pelti_cor_allocate(problem, surface->triangle_count, 3 * sizeof *surface->indices);
    surface->copies[0] = positions;
    surface->copies[1] = indices;
    if (positions == NULL || indices == NULL)
    {
        return false;
    }
    surface->positions = positions;
    surface->indices = indices;
    for (uint32_t m = 0; m < input->mesh_count; ++m)
    {
        const pelt_mesh* mesh = input->meshes[m];
        memcpy(positions + surface->mesh_first[m], mesh->positions,
               mesh->vertex_count * sizeof *positions);
        for (uint32_t i = 0; i < mesh->index_count; ++i)
        {
            *indices++ = mesh->indices[i] + surface->mesh_first[m];
        }
    }
    return true;
}

static bool make_surface(pelti_cor_problem* problem)
{
    const pelt_cor_input* input = problem->input;
    pelti_cor_surface* surface = &problem->surface;
    surface->mesh_first = pelti_cor_allocate(problem, input->mesh_count + 1, sizeof(uint32_t));
    if (surface->mesh_first == NULL)
    {
        return false;
    }
    uint32_t influence_count = 0;
    for (uint32_t m = 0; m < input->mesh_count; ++m)
    {
        const pelt_mesh* mesh = input->meshes[m];
        surface->mesh_first[m] = surface->vertex_count;
        surface->vertex_count += mesh->vertex_count;
        surface->triangle_count += mesh->index_count / 3;
        influence_count += mesh->weights.influence_count;
    }
    surface->mesh_first[input->mesh_count] = surface->vertex_count;

    surface->first =
        pelti_cor_allocate(problem, (size_t)surface->vertex_count + 1, sizeof *surface->first);
    surface->weights = pelti_cor_allocate(problem, influence_count, sizeof *surface->weights);
    if (surface->first == NULL || surface->weights == NULL)
    {
        return false;
    }
    join_weights(surface, input);
    if (input->mesh_count == 1)
    {
        surface->positions = input->meshes[0]->positions;
        surface->indices = input->meshes[0]->indices;
        return true;
    }
    return join_meshes(problem);
}

uint32_t pelti_cor_most_joints(const pelti_cor_surface* surface)
{
    uint32_t most = 0;
    for (uint32_t v = 0; v < surface->vertex_count; ++v)
    {
        uint32_t count = pelti_cor_joint_count(surface, v);
        most = count > most ? count : most;
    }
    return most;
}

static void release_problem(pelti_cor_problem* problem)
{
    pelti_cor_release(problem, problem->todo);
    pelti_cor_release(problem, problem->surface.copies[1]);
    pelti_cor_release(problem, problem->surface.copies[0]);
    pelti_cor_release(problem, problem->surface.weights);
    pelti_cor_release(problem, problem->surface.first);
    pelti_cor_release(problem, problem->surface.mesh_first);
}

// ---------------------------------------------------------------------------------------------
// Who is to be solved

// Vertices with fewer than two joints are their own centers; the others have to be solved.
// is_concerned: one flag per vertex, or NULL for all.
static bool choose_vertices(pelti_cor_problem* problem, const uint8_t* is_concerned)
{
    const pelti_cor_surface* surface = &problem->surface;
    problem->todo = pelti_cor_allocate(problem, surface->vertex_count, sizeof *problem->todo);
    if (problem->todo == NULL)
    {
        return false;
    }
    for (uint32_t m = 0; m < problem->input->mesh_count; ++m)
    {
        pelt_vec3* out = problem->out[m] - surface->mesh_first[m];
        for (uint32_t v = surface->mesh_first[m]; v < surface->mesh_first[m + 1]; ++v)
        {
            bool is_single = pelti_cor_joint_count(surface, v) < 2;
            problem->report.single_count += is_single;
            if (is_single)
            {
                out[v] = surface->positions[v];
            }
            else if (is_concerned == NULL || is_concerned[v])
            {
                problem->todo[problem->todo_count++] = v;
            }
        }
    }
    // Every stride-th vertex to solve, beginning with the first.
    uint32_t stride = problem->options->stride, kept = 0;
    for (uint64_t i = 0; stride > 1 && i < problem->todo_count; i += stride)
    {
        problem->todo[kept++] = problem->todo[i];
    }
    problem->todo_count = stride > 1 ? kept : problem->todo_count;
    return true;
}

static float given(float value, float otherwise)
{
    return value != 0.0f ? value : otherwise;
}

static pelt_result read_options(pelti_cor_problem* problem, pelt_error* error)
{
    const pelt_cor_options* options = problem->options;
    problem->sigma = (double)given(options->sigma, 0.1f);
    problem->epsilon = (double)given(options->epsilon, 0.1f);
    problem->omega = (double)given(options->omega, 0.1f);
    problem->cutoff = (double)given(options->cutoff, 1e-6f);
    if (problem->epsilon < 0.0)
    {
        problem->epsilon = (double)INFINITY;
    }
    if ((uint32_t)options->solver >= PELT_COR_SOLVER_COUNT)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "there is no solver %d for centers of rotation",
                              (int)options->solver);
    }
    // Below this limit, halving a triangle whose corners share no joint gives millions of pieces.
    const double least = 0.001;
    if (!(problem->sigma >= least && problem->sigma <= 1e6 && problem->epsilon >= least &&
          problem->omega > 0.0 && problem->cutoff > 0.0))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "sigma is %g, epsilon %g, omega %g and cutoff %g; sigma must be from "
                              "%g to 1e6, epsilon at least %g or below 0, the others above 0",
                              problem->sigma, problem->epsilon, problem->omega, problem->cutoff,
                              least, least);
    }
    return PELT_OK;
}

static pelt_result solve(pelti_cor_problem* problem)
{
    if (problem->todo_count == 0)
    {
        return PELT_OK;
    }
    switch (problem->options->solver)
    {
    case PELT_COR_FULL:
        return pelti_cor_full(problem);
    case PELT_COR_PAPER:
        return pelti_cor_paper(problem);
    default:
        return pelti_cor_fast(problem);
    }
}

// =============================================================================================
// Which centers a change of weights concerns: a center is a sum over pairs of joints, and a pair's
// part changes only with triangles that have both joints at their corners, and to the last bit with
// vertices that have both.

// Pairs of joints at the corners of one changed triangle, before or after the change, as bits: row
// j has the joints that joint j is paired with.
typedef struct pair_bits
{
    uint32_t joint_count;
    uint32_t row_words;
    uint64_t* rows;
} pair_bits;

// Whether the weights of a vertex differ.
static bool is_changed(const pelt_weights* before, const pelt_weights* now, uint32_t v)
{
    uint32_t count = now->first[v + 1] - now->first[v];
    if (before->first[v + 1] - before->first[v] != count)
    {
        return true;
    }
    const pelt_influence* a = before->influences + before->first[v];
    const pelt_influence* b = now->influences + now->first[v];
    for (uint32_t i = 0; i < count; ++i)
    {
        if (a[i].joint != b[i].joint || a[i].weight != b[i].weight)
        {
            return true;
        }
    }
    return false;
}

static void collect_joints(uint64_t* bits, const pelt_weights* weights, uint32_t v)
{
    for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
    {
        uint32_t joint = weights->influences[i].joint;
        bits[joint / 64] |= (uint64_t)1 << (joint % 64);
    }
}

// Pair every joint of the set with every other.
static void pair_up(pair_bits* pairs, const uint64_t* set)
{
    for (uint32_t j = 0; j < pairs->joint_count; ++j)
    {
        if ((set[j / 64] >> (j % 64) & 1) != 0)
        {
            uint64_t* row = pairs->rows + (size_t)j * pairs->row_words;
            for (uint32_t w = 0; w < pairs->row_words; ++w)
            {
                row[w] |= set[w];
            }
        }
    }
}

// Pairs of a changed vertex. Its triangles have the same pairs; a vertex without triangles still
// decides how a pair is summed. `set` is scratch.
static void pair_vertex(pair_bits* pairs, uint64_t* set, const pelt_weights* now,
                        const pelt_weights* before, uint32_t v)
{
    memset(set, 0, pairs->row_words * sizeof *set);
    collect_joints(set, before, v);
    collect_joints(set, now, v);
    pair_up(pairs, set);
}

// Pairs at the triangles of one mesh that have a changed corner. `set` is scratch.
static void pair_triangles(pair_bits* pairs, uint64_t* set, const uint8_t* is_corner_changed,
                           const pelt_mesh* mesh, const pelt_weights* before)
{
    for (uint32_t i = 0; i < mesh->index_count; i += 3)
    {
        const uint32_t* t = mesh->indices + i;
        if (is_corner_changed[t[0]] | is_corner_changed[t[1]] | is_corner_changed[t[2]])
        {
            memset(set, 0, pairs->row_words * sizeof *set);
            for (int k = 0; k < 3; ++k)
            {
                collect_joints(set, before, t[k]);
                collect_joints(set, &mesh->weights, t[k]);
            }
            pair_up(pairs, set);
        }
    }
}

static bool has_pair(const pair_bits* pairs, const pelti_cor_surface* surface, uint32_t v)
{
    for (uint32_t i = surface->first[v]; i < surface->first[v + 1]; ++i)
    {
        for (uint32_t k = i + 1; k < surface->first[v + 1]; ++k)
        {
            uint32_t joint = surface->weights[i].joint, other = surface->weights[k].joint;
            uint64_t word = pairs->rows[(size_t)joint * pairs->row_words + other / 64];
            if ((word >> (other % 64) & 1) != 0)
            {
                return true;
            }
        }
    }
    return false;
}

static uint8_t* flag_concerned(pelti_cor_problem* problem, const pelt_weights* const* before)
{
    const pelt_cor_input* input = problem->input;
    const pelti_cor_surface* surface = &problem->surface;
    pair_bits pairs = {0};
    for (uint32_t m = 0; m < input->mesh_count; ++m)
    {
        uint32_t now = input->meshes[m]->weights.joint_count;
        uint32_t larger = now > before[m]->joint_count ? now : before[m]->joint_count;
        pairs.joint_count = larger > pairs.joint_count ? larger : pairs.joint_count;
    }
    pairs.row_words = pairs.joint_count / 64 + 1;
    size_t word_count = (size_t)pairs.joint_count * pairs.row_words;
    uint64_t* set = pelti_cor_allocate(problem, pairs.row_words, sizeof *set);
    pairs.rows = pelti_cor_allocate(problem, word_count, sizeof *pairs.rows);
    uint8_t* flags = pelti_cor_allocate(problem, surface->vertex_count, 1);
    if (set == NULL || pairs.rows == NULL || flags == NULL)
    {
        pelti_cor_release(problem, flags);
        flags = NULL;
        goto done;
    }
    memset(pairs.rows, 0, word_count * sizeof *pairs.rows);
    for (uint32_t m = 0; m < input->mesh_count; ++m)
    {
        const pelt_mesh* mesh = input->meshes[m];
        uint8_t* mesh_flags = flags + surface->mesh_first[m];
        PELT_ASSERT(before[m]->vertex_count == mesh->vertex_count);
        for (uint32_t v = 0; v < mesh->vertex_count; ++v)
        {
            mesh_flags[v] = is_changed(before[m], &mesh->weights, v);
            if (mesh_flags[v])
            {
                pair_vertex(&pairs, set, &mesh->weights, before[m], v);
            }
        }
        pair_triangles(&pairs, set, mesh_flags, mesh, before[m]);
    }
    for (uint32_t v = 0; v < surface->vertex_count; ++v)
    {
        flags[v] |= has_pair(&pairs, surface, v);
    }
done:
    pelti_cor_release(problem, pairs.rows);
    pelti_cor_release(problem, set);
    return flags;
}

// before: the old weights of each mesh, or NULL to solve all vertices.
static pelt_result solve_concerned(pelt_vec3* const* out, const pelt_cor_input* input,
                                   const pelt_weights* const* before,
                                   const pelt_cor_options* options, pelt_cor_report* report,
                                   pelt_error* error)
{
    PELT_ASSERT(input != NULL && (out != NULL || input->mesh_count == 0));
    static const pelt_cor_options defaults = {0};
    pelti_cor_problem problem = {.input = input,
                                 .out = out,
                                 .options = options != NULL ? options : &defaults,
                                 .is_telling = ATOMIC_FLAG_INIT};
    PELT_TRY(read_options(&problem, error));
    for (uint32_t m = 0; m < input->mesh_count; ++m)
    {
        PELT_TRY(pelti_skinned_mesh_check(input->meshes[m], error));
    }
    uint8_t* is_concerned = NULL;
    bool is_ok = make_surface(&problem);
    if (is_ok && before != NULL)
    {
        is_concerned = flag_concerned(&problem, before);
        is_ok = is_concerned != NULL;
    }
    is_ok = is_ok && choose_vertices(&problem, is_concerned);
    pelti_cor_release(&problem, is_concerned);

    pelt_result result = is_ok ? solve(&problem) : PELT_ERROR_MEMORY;
    problem.report.vertex_count = problem.surface.vertex_count;
    problem.report.triangle_count = problem.surface.triangle_count;
    problem.report.solved_count = problem.todo_count;
    problem.report.dissimilar_count = atomic_load(&problem.dissimilar_count);
    problem.report.peak_bytes = problem.memory.peak;
    problem.report.epsilon = (float)problem.epsilon;
    if (report != NULL)
    {
        *report = problem.report;
    }
    release_problem(&problem);
    PELT_ASSERT(problem.memory.now == 0);
    if (result == PELT_OK && pelti_cor_is_canceled(&problem))
    {
        return pelt_error_set(error, PELT_ERROR_CANCELED,
                              "the computation of centers of rotation was canceled");
    }
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : result;
}

pelt_result pelt_cor_solve(pelt_vec3* const* out, const pelt_cor_input* input,
                           const pelt_cor_options* options, pelt_cor_report* report,
                           pelt_error* error)
{
    return solve_concerned(out, input, NULL, options, report, error);
}

pelt_result pelt_cor_update(pelt_vec3* const* cors, const pelt_cor_input* input,
                            const pelt_weights* const* before, const pelt_cor_options* options,
                            pelt_cor_report* report, pelt_error* error)
{
    PELT_ASSERT(before != NULL);
    return solve_concerned(cors, input, before, options, report, error);
}
