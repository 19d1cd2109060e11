// SPDX-License-Identifier: MIT
// Centres of rotation in time proportional to the mesh. The similarity of Eq. 1 (Le and Hodgins
// 2016) is a sum over pairs of joints, so that Eq. 4 is too: each pair is summed by itself, over
// the triangles that have both joints, term by term when they are few and through a table when they
// are many (cor_kernel.h). What tables are too coarse for is done again by the definition.
#include "cor_pairs.h"
#include "cor_sample.h"

#include <float.h>
#include <string.h>

enum
{
    VERTEX_CHUNK = 512,    // vertices per task
    TRIANGLE_CHUNK = 4096, // triangles per task
    SAMPLE_CHUNK = 128,    // samples at a time on the stack
    PART_SAMPLES = 8192,   // samples that are worth a task of their own
    PARTS_MAX = 8,         // tasks per pair
    FLOAT_TERMS = 8192,    // samples summed in one float table before it is added to another
    BATCH_BYTES_MIN = 256 << 10,
    BATCH_BYTES_PER_ELEMENT = 100, // vertex or triangle
};

// Nanoseconds on a current machine; they decide between list and table, and so must not depend on
// the machine.
static const double list_term_cost = 1.0, table_row_cost = 250.0, table_sample_cost = 30.0,
                    table_vertex_cost = 25.0;

// A sum from tables counts when it is not so much smaller than the mass they hold that errors of
// interpolation, up to 1e-6 of the mass and mostly far less, could show.
static const double trusted_part = 2e-2;

typedef struct gather_task
{
    pelti_cor_pair* pair;
    uint32_t part;
    pelti_cor_nodes filled; // of the table
    double mass;
} gather_task;

typedef struct fast_solver
{
    pelti_cor_problem* problem;
    const pelti_cor_kernels* kernels;
    pelti_cor_sets sets;
    pelti_cor_pairs pairs;
    pelti_cor_pieces pieces;
    uint32_t* piece_counts; // NULL: triangles are taken whole
    uint64_t* set_samples;
    pelti_cor_grid grid;
    bool has_grid;
    double area_scale; // brings areas near 1, far from what float cannot hold
    double (*sums)[4]; // of each vertex to do

    // The batch at work:
    pelt_range batch; // of pairs
    pelti_cor_source* sources;
    float* numbers; // of lists and tables
    _Atomic(uint32_t)* wanted;
    gather_task* tasks;
    uint32_t task_count;

    uint32_t* exact; // vertices to do again, as places in todo
    uint32_t exact_count;
} fast_solver;

static uint32_t chunk_count(uint32_t count, uint32_t chunk)
{
    return count / chunk + (count % chunk > 0);
}

static pelt_range chunk_range(uint32_t count, uint32_t chunk, uint32_t index)
{
    uint32_t first = index * chunk;
    return (pelt_range){first, count - first < chunk ? count - first : chunk};
}

// ---------------------------------------------------------------------------------------------
// Pieces

static void count_pieces(void* context, uint32_t index)
{
    const fast_solver* solver = context;
    const pelti_cor_problem* problem = solver->problem;
    pelt_range range = chunk_range(solver->sets.triangle_count, TRIANGLE_CHUNK, index);
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        const uint32_t* t = problem->surface.indices + (size_t)3 * solver->sets.triangles[i];
        pelti_cor_split split;
        pelti_cor_piece pieces[SAMPLE_CHUNK];
        pelti_cor_split_begin(&split, &problem->surface, t, problem->epsilon);
        solver->piece_counts[i] = 0;
        for (uint32_t n; (n = pelti_cor_split_next(&split, pieces, SAMPLE_CHUNK)) > 0;)
        {
            solver->piece_counts[i] += n;
        }
    }
}

static bool make_pieces(fast_solver* solver)
{
    pelti_cor_problem* problem = solver->problem;
    const pelti_cor_sets* sets = &solver->sets;
    bool is_halved = problem->epsilon < (double)INFINITY;
    solver->set_samples = pelti_cor_allocate(problem, sets->set_count, sizeof *solver->set_samples);
    solver->piece_counts =
        is_halved ? pelti_cor_allocate(problem, sets->triangle_count, sizeof *solver->piece_counts)
                  : NULL;
    if (solver->set_samples == NULL || (is_halved && solver->piece_counts == NULL))
    {
        return false;
    }
    if (is_halved)
    {
        pelt_run(chunk_count(sets->triangle_count, TRIANGLE_CHUNK), count_pieces, solver);
    }
    for (uint32_t i = 0; i < sets->set_count; ++i)
    {
        const pelti_cor_set* set = &sets->sets[i];
        solver->set_samples[i] = is_halved ? 0 : set->triangle_count;
        for (uint32_t k = 0; k < set->triangle_count && is_halved; ++k)
        {
            solver->set_samples[i] += solver->piece_counts[set->triangle_first + k];
        }
        problem->report.sample_count += solver->set_samples[i];
    }
    solver->pieces = (pelti_cor_pieces){problem, sets, solver->piece_counts, {0}};
    return true;
}

static void choose_origin(fast_solver* solver)
{
    const pelti_cor_surface* surface = &solver->problem->surface;
    pelt_bounds box = pelt_bounds_empty();
    pelt_bounds_add(&box, surface->positions, surface->vertex_count);
    double* origin = solver->pieces.origin;
    origin[0] = 0.5 * ((double)box.min.x + (double)box.max.x);
    origin[1] = 0.5 * ((double)box.min.y + (double)box.max.y);
    origin[2] = 0.5 * ((double)box.min.z + (double)box.max.z);
    double size = (double)pelt_bounds_diagonal(&box);
    solver->area_scale = size > 0.0 ? surface->triangle_count / (size * size) : 1.0;
}

// ---------------------------------------------------------------------------------------------
// List or table

static size_t batch_bytes(const fast_solver* solver)
{
    size_t elements =
        (size_t)solver->problem->surface.vertex_count + solver->problem->surface.triangle_count;
    size_t bytes = BATCH_BYTES_PER_ELEMENT * elements;
    return bytes > BATCH_BYTES_MIN ? bytes : BATCH_BYTES_MIN;
}

static size_t list_stride(uint64_t sample_count)
{
    return (size_t)(sample_count + PELTI_COR_LANES - 1) / PELTI_COR_LANES * PELTI_COR_LANES;
}

static size_t pair_floats(const fast_solver* solver, const pelti_cor_pair* pair)
{
    return pair->part_count > 0
               ? (size_t)(pair->part_count + 1) * pelti_cor_grid_size(&solver->grid)
               : PELTI_COR_PLANES * list_stride(pair->sample_count);
}

static double list_cost(const pelti_cor_pair* pair)
{
    return list_term_cost * (double)pair->sample_count * pair->vertex_count;
}

// Where two joints have all the weight, r is 1, and so is the number of rows, but for
// interpolation.
static double tabulation_cost(const fast_solver* solver, const pelti_cor_pair* pair)
{
    uint32_t rows = solver->grid.row_count;
    uint32_t sum_rows = pair->is_shared_by_vertices ? rows : PELTI_COR_POINTS;
    uint32_t mass_rows = pair->is_shared_by_triangles ? rows : PELTI_COR_POINTS;
    return table_row_cost * sum_rows * mass_rows + table_sample_cost * (double)pair->sample_count +
           table_vertex_cost * pair->vertex_count;
}

static double pair_cost(const fast_solver* solver, const pelti_cor_pair* pair)
{
    return pair->todo_count == 0   ? 0.0
           : pair->part_count == 0 ? list_cost(pair) * pair->todo_count / pair->vertex_count
                                   : tabulation_cost(solver, pair);
}

static void plan_pair(fast_solver* solver, pelti_cor_pair* pair)
{
    size_t most = batch_bytes(solver);
    bool is_list_small = PELTI_COR_PLANES * sizeof(float) * pair->sample_count <= most;
    if (!solver->has_grid || (is_list_small && list_cost(pair) <= tabulation_cost(solver, pair)))
    {
        return;
    }
    size_t table = pelti_cor_grid_size(&solver->grid) * sizeof(float);
    uint64_t parts = pair->sample_count / PART_SAMPLES + 1;
    parts = parts < PARTS_MAX ? parts : PARTS_MAX;
    while (parts > 1 && (parts + 1) * table > most)
    {
        --parts;
    }
    pair->part_count = (uint32_t)parts;
    solver->problem->report.tabulated_count++;
}

static void plan_pairs(fast_solver* solver)
{
    pelti_cor_problem* problem = solver->problem;
    solver->has_grid = problem->sigma >= PELTI_COR_TABLE_SIGMA;
    if (solver->has_grid)
    {
        pelti_cor_grid_make(&solver->grid, problem->sigma);
    }
    double cost = 0.0;
    for (uint32_t i = 0; i < solver->pairs.pair_count; ++i)
    {
        plan_pair(solver, &solver->pairs.pairs[i]);
        cost += pair_cost(solver, &solver->pairs.pairs[i]);
    }
    problem->report.pair_count = solver->pairs.pair_count;
    problem->step_count = (uint64_t)cost + 1;
}

// As many pairs as fit into memory.
static pelt_range next_batch(const fast_solver* solver, uint32_t first)
{
    size_t most = batch_bytes(solver), bytes = 0;
    uint32_t end = first;
    for (; end < solver->pairs.pair_count; ++end)
    {
        const pelti_cor_pair* pair = &solver->pairs.pairs[end];
        bytes += pair_floats(solver, pair) * sizeof(float) +
                 pair->source_count * sizeof(pelti_cor_source);
        if (bytes > most && end > first)
        {
            break;
        }
    }
    return (pelt_range){first, end - first};
}

// ---------------------------------------------------------------------------------------------
// Samples of a pair, into its list or tables

// Brings the pieces of some triangles of a pair, counted through its sources.
typedef struct pair_walk
{
    const fast_solver* solver;
    const pelti_cor_pair* pair;
    uint32_t source; // the next one
    uint32_t skip, left;
    pelti_cor_stream stream;
} pair_walk;

static void walk_begin(pair_walk* walk, const fast_solver* solver, const pelti_cor_pair* pair,
                       pelt_range triangles)
{
    walk->solver = solver;
    walk->pair = pair;
    walk->source = 0;
    walk->skip = triangles.first;
    walk->left = triangles.count;
    walk->stream.next = walk->stream.end = 0;
    walk->stream.is_inside = false;
    walk->stream.pieces = &solver->pieces;
}

static uint32_t walk_next(pair_walk* walk, pelti_cor_sample* out)
{
    for (;;)
    {
        uint32_t count = pelti_cor_stream_next(&walk->stream, out, SAMPLE_CHUNK);
        if (count > 0 || walk->left == 0)
        {
            return count;
        }
        const pelti_cor_source* source = &walk->pair->sources[walk->source++];
        uint32_t size = walk->solver->sets.sets[source->set].triangle_count;
        if (walk->skip >= size)
        {
            walk->skip -= size;
            continue;
        }
        uint32_t here = size - walk->skip < walk->left ? size - walk->skip : walk->left;
        pelti_cor_stream_begin(&walk->stream, &walk->solver->pieces, source->set, source->places,
                               (pelt_range){walk->skip, here});
        walk->left -= here;
        walk->skip = 0;
    }
}

static double sample_mass(const fast_solver* solver, const pelti_cor_sample* sample)
{
    return sample->v * sample->w * sample->area * solver->area_scale;
}

static void fill_list(const fast_solver* solver, gather_task* task)
{
    pelti_cor_list* list = &task->pair->list;
    const size_t stride = list->stride;
    const double scale = 1.0 / solver->problem->sigma;
    pelti_cor_sample samples[SAMPLE_CHUNK];
    pair_walk walk;
    walk_begin(&walk, solver, task->pair, (pelt_range){0, task->pair->triangle_count});
    float* to = list->planes;
    for (uint32_t count; (count = walk_next(&walk, samples)) > 0;)
    {
        for (uint32_t i = 0; i < count; ++i, ++to)
        {
            const pelti_cor_sample* s = &samples[i];
            double mass = sample_mass(solver, s);
            to[PELTI_COR_V * stride] = (float)(s->v * scale);
            to[PELTI_COR_W * stride] = (float)(s->w * scale);
            to[PELTI_COR_MASS_X * stride] = (float)(mass * s->center[0]);
            to[PELTI_COR_MASS_Y * stride] = (float)(mass * s->center[1]);
            to[PELTI_COR_MASS_Z * stride] = (float)(mass * s->center[2]);
            to[PELTI_COR_MASS * stride] = (float)mass;
            task->mass += mass;
        }
    }
    for (; to < list->planes + stride; ++to)
    {
        for (size_t plane = 0; plane < PELTI_COR_PLANES; ++plane)
        {
            to[plane * stride] = 0.0f;
        }
    }
}

static void make_drop(pelti_cor_drop* out, const fast_solver* solver,
                      const pelti_cor_sample* sample)
{
    double mass = sample_mass(solver, sample);
    for (int k = 0; k < 3; ++k)
    {
        out->mass[k] = out->mass[k + 4] = (float)(mass * sample->center[k]);
    }
    out->mass[3] = out->mass[7] = (float)mass;
    out->place = pelti_cor_grid_place(&solver->grid, (float)sample->v, (float)sample->w);
}

static void add_table(float* to, const float* from, size_t size)
{
    for (size_t i = 0; i < size; ++i)
    {
        to[i] += from[i];
    }
}

static pelt_range part_triangles(const pelti_cor_pair* pair, uint32_t part)
{
    uint64_t all = pair->triangle_count;
    uint32_t first = (uint32_t)(all * part / pair->part_count);
    uint32_t end = (uint32_t)(all * (part + 1) / pair->part_count);
    return (pelt_range){first, end - first};
}

static void mark_filled(pelti_cor_nodes* nodes, pelti_cor_place place)
{
    for (uint32_t i = 0; i < PELTI_COR_POINTS; ++i)
    {
        nodes->rows[place.row + i] |= pelti_cor_place_bits(place);
    }
}

static void fill_table(const fast_solver* solver, gather_task* task)
{
    const size_t size = pelti_cor_grid_size(&solver->grid);
    float* table = task->pair->table + task->part * size;
    float recent[4 * PELTI_COR_COLUMNS_MAX * PELTI_COR_ROWS_MAX];
    pelti_cor_sample samples[SAMPLE_CHUNK];
    pelti_cor_drop drops[SAMPLE_CHUNK];
    pair_walk walk;
    walk_begin(&walk, solver, task->pair, part_triangles(task->pair, task->part));
    memset(table, 0, size * sizeof *table);
    memset(recent, 0, size * sizeof *recent);
    uint32_t terms = 0;
    for (uint32_t count; (count = walk_next(&walk, samples)) > 0; terms += count)
    {
        uint32_t drop_count = 0;
        for (uint32_t i = 0; i < count; ++i)
        {
            double mass = sample_mass(solver, &samples[i]);
            if (mass > 0.0)
            {
                make_drop(&drops[drop_count], solver, &samples[i]);
                mark_filled(&task->filled, drops[drop_count++].place);
                task->mass += mass;
            }
        }
        solver->kernels->spread(recent, &solver->grid, drops, drop_count);
        if (terms > FLOAT_TERMS)
        {
            add_table(table, recent, size);
            memset(recent, 0, size * sizeof *recent);
            terms = 0;
        }
    }
    add_table(table, recent, size);
}

static void gather(void* context, uint32_t index)
{
    const fast_solver* solver = context;
    gather_task* task = &solver->tasks[index];
    uint32_t parts = task->pair->part_count;
    if (pelti_cor_step(solver->problem,
                       parts > 0 ? (uint64_t)tabulation_cost(solver, task->pair) / parts : 0))
    {
        parts > 0 ? fill_table(solver, task) : fill_list(solver, task);
    }
}

static void sum_table(const fast_solver* solver, pelti_cor_pair* pair,
                      const pelti_cor_nodes* filled)
{
    const size_t size = pelti_cor_grid_size(&solver->grid);
    pelti_cor_nodes wanted = {{0}};
    for (uint32_t i = 0; i < solver->grid.row_count; ++i)
    {
        wanted.rows[i] = atomic_load_explicit(&pair->wanted[i], memory_order_relaxed);
    }
    solver->kernels->convolve(pair->table + pair->part_count * size, pair->table, &solver->grid,
                              &wanted, filled);
}

// The first task of each pair speaks for it.
static void finish_pair(void* context, uint32_t index)
{
    const fast_solver* solver = context;
    const size_t size = pelti_cor_grid_size(&solver->grid);
    pelti_cor_pair* pair = solver->tasks[index].pair;
    pelti_cor_nodes filled = {{0}};
    if (solver->tasks[index].part > 0)
    {
        return;
    }
    pair->mass = 0.0;
    for (uint32_t i = index; i < solver->task_count && solver->tasks[i].pair == pair; ++i)
    {
        const gather_task* task = &solver->tasks[i];
        pair->mass += task->mass;
        for (uint32_t row = 0; row < PELTI_COR_ROWS_MAX; ++row)
        {
            filled.rows[row] |= task->filled.rows[row];
        }
        if (i > index)
        {
            add_table(pair->table, pair->table + task->part * size, size);
        }
    }
    if (pair->part_count > 0)
    {
        sum_table(solver, pair, &filled);
    }
}

// ---------------------------------------------------------------------------------------------
// Vertices

typedef void (*vertex_pair)(void* context, pelti_cor_pair* pair, float x, float y);

static void for_each_pair(const fast_solver* solver, uint32_t vertex, vertex_pair visit,
                          void* context)
{
    const pelti_cor_surface* surface = &solver->problem->surface;
    for (uint32_t i = surface->first[vertex]; i < surface->first[vertex + 1]; ++i)
    {
        for (uint32_t k = i + 1; k < surface->first[vertex + 1]; ++k)
        {
            const pelti_cor_weight *a = &surface->weights[i], *b = &surface->weights[k];
            pelti_cor_pair* pair = pelti_cor_pairs_find(&solver->pairs, a->joint, b->joint);
            visit(context, pair, a->weight, b->weight);
        }
    }
}

static bool is_in_batch(const fast_solver* solver, const pelti_cor_pair* pair)
{
    const pelti_cor_pair* first = &solver->pairs.pairs[solver->batch.first];
    return pair >= first && pair < first + solver->batch.count;
}

static void want_nodes(void* context, pelti_cor_pair* pair, float x, float y)
{
    const fast_solver* solver = context;
    if (pair->part_count == 0 || !is_in_batch(solver, pair))
    {
        return;
    }
    pelti_cor_place place = pelti_cor_grid_place(&solver->grid, x, y);
    uint32_t bits = pelti_cor_place_bits(place);
    for (uint32_t i = place.row; i < place.row + PELTI_COR_POINTS; ++i)
    {
        // Reading first keeps the line shared between cores: all bits are soon set.
        if ((~atomic_load_explicit(&pair->wanted[i], memory_order_relaxed) & bits) != 0)
        {
            atomic_fetch_or_explicit(&pair->wanted[i], bits, memory_order_relaxed);
        }
    }
}

static void want_chunk(void* context, uint32_t index)
{
    fast_solver* solver = context;
    pelt_range range = chunk_range(solver->problem->todo_count, VERTEX_CHUNK, index);
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        for_each_pair(solver, solver->problem->todo[i], want_nodes, solver);
    }
}

typedef struct vertex_sum
{
    const fast_solver* solver;
    double* sums;
    uint64_t cost;
} vertex_sum;

static void add_pair(void* context, pelti_cor_pair* pair, float x, float y)
{
    vertex_sum* sum = context;
    const fast_solver* solver = sum->solver;
    if (pair->sample_count == 0 || !is_in_batch(solver, pair))
    {
        return;
    }
    double parts[4], factor = (double)x * (double)y;
    if (pair->part_count == 0)
    {
        solver->kernels->sum(parts, &pair->list, x, y);
        sum->cost += (uint64_t)(list_term_cost * (double)pair->sample_count);
    }
    else
    {
        const float* sums = pair->table + pair->part_count * pelti_cor_grid_size(&solver->grid);
        float read[4];
        solver->kernels->look_up(read, sums, &solver->grid,
                                 pelti_cor_grid_place(&solver->grid, x, y));
        for (int k = 0; k < 4; ++k)
        {
            parts[k] = (double)read[k];
        }
    }
    for (int k = 0; k < 4; ++k)
    {
        sum->sums[k] += factor * parts[k];
    }
}

static void add_chunk(void* context, uint32_t index)
{
    const fast_solver* solver = context;
    pelt_range range = chunk_range(solver->problem->todo_count, VERTEX_CHUNK, index);
    vertex_sum sum = {solver, NULL, 0};
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        sum.sums = solver->sums[i];
        for_each_pair(solver, solver->problem->todo[i], add_pair, &sum);
    }
    pelti_cor_step(solver->problem, sum.cost);
}

// ---------------------------------------------------------------------------------------------
// Batches

static void add_source(void* context, pelti_cor_pair* pair, const pelti_cor_source* source)
{
    const fast_solver* solver = context;
    if (pair->todo_count > 0 && is_in_batch(solver, pair))
    {
        pair->sources[pair->source_count++] = *source;
    }
}

static void list_sources(fast_solver* solver)
{
    pelti_cor_source* sources = solver->sources;
    for (uint32_t i = 0; i < solver->batch.count; ++i)
    {
        pelti_cor_pair* pair = &solver->pairs.pairs[solver->batch.first + i];
        pair->sources = sources;
        sources += pair->source_count;
        pair->source_count = 0;
    }
    for (uint32_t i = 0; i < solver->sets.set_count; ++i)
    {
        if (solver->sets.sets[i].triangle_count > 0)
        {
            pelti_cor_pairs_of_set(&solver->pairs, &solver->sets, i, add_source, solver);
        }
    }
}

static void list_tasks(fast_solver* solver)
{
    float* numbers = solver->numbers;
    _Atomic(uint32_t)* wanted = solver->wanted;
    solver->task_count = 0;
    for (uint32_t i = 0; i < solver->batch.count; ++i)
    {
        pelti_cor_pair* pair = &solver->pairs.pairs[solver->batch.first + i];
        if (pair->todo_count == 0 || pair->sample_count == 0)
        {
            continue;
        }
        uint32_t stride = (uint32_t)list_stride(pair->sample_count);
        pair->list = (pelti_cor_list){stride, stride, numbers};
        pair->table = numbers;
        numbers += pair_floats(solver, pair);
        pair->wanted = wanted;
        wanted += pair->part_count > 0 ? PELTI_COR_ROWS_MAX : 0;
        uint32_t parts = pair->part_count > 0 ? pair->part_count : 1;
        for (uint32_t part = 0; part < parts; ++part)
        {
            solver->tasks[solver->task_count++] = (gather_task){.pair = pair, .part = part};
        }
    }
}

static bool allocate_batch(fast_solver* solver)
{
    size_t source_count = 0, number_count = 0, task_count = 0, wanted_count = 0;
    for (uint32_t i = 0; i < solver->batch.count; ++i)
    {
        const pelti_cor_pair* pair = &solver->pairs.pairs[solver->batch.first + i];
        if (pair->todo_count > 0)
        {
            number_count += pair_floats(solver, pair);
            task_count += pair->part_count + 1;
            wanted_count += pair->part_count > 0 ? PELTI_COR_ROWS_MAX : 0;
        }
        source_count += pair->source_count;
    }
    pelti_cor_problem* problem = solver->problem;
    solver->sources = pelti_cor_allocate(problem, source_count, sizeof *solver->sources);
    solver->numbers = pelti_cor_allocate(problem, number_count, sizeof *solver->numbers);
    solver->tasks = pelti_cor_allocate(problem, task_count, sizeof *solver->tasks);
    solver->wanted = pelti_cor_allocate(problem, wanted_count, sizeof *solver->wanted);
    for (size_t i = 0; i < wanted_count && solver->wanted != NULL; ++i)
    {
        atomic_init(&solver->wanted[i], 0);
    }
    return solver->sources && solver->numbers && solver->tasks && solver->wanted;
}

static bool run_batch(fast_solver* solver, pelt_range batch)
{
    solver->batch = batch;
    uint32_t chunks = chunk_count(solver->problem->todo_count, VERTEX_CHUNK);
    bool is_ok = allocate_batch(solver);
    if (is_ok)
    {
        list_sources(solver);
        list_tasks(solver);
        pelt_run(chunks, want_chunk, solver);
        pelt_run(solver->task_count, gather, solver);
        pelt_run(solver->task_count, finish_pair, solver);
        pelt_run(chunks, add_chunk, solver);
    }
    pelti_cor_release(solver->problem, solver->wanted);
    pelti_cor_release(solver->problem, solver->tasks);
    pelti_cor_release(solver->problem, solver->numbers);
    pelti_cor_release(solver->problem, solver->sources);
    return is_ok;
}

// ---------------------------------------------------------------------------------------------
// What sums in float cannot tell

static void add_mass(void* context, pelti_cor_pair* pair, float x, float y)
{
    double* trusted = context;
    // Lists lose nothing but what float cannot hold.
    double part = pair->part_count > 0 ? trusted_part : 1e-25;
    *trusted += part * pair->mass * (double)x * (double)y;
}

static void choose_exact(fast_solver* solver)
{
    for (uint32_t i = 0; i < solver->problem->todo_count; ++i)
    {
        double trusted = 0.0;
        for_each_pair(solver, solver->problem->todo[i], add_mass, &trusted);
        if (trusted > 0.0 && !(solver->sums[i][3] > trusted))
        {
            solver->exact[solver->exact_count++] = i;
        }
    }
    solver->problem->report.exact_count = solver->exact_count;
}

// Eq. 1 and 4 for one pair, over the triangles of one set, in double.
static void add_exactly(double sums[4], const fast_solver* solver, uint32_t set,
                        const uint32_t places[2], const double weights[2])
{
    double scale = 1.0 / (solver->problem->sigma * solver->problem->sigma);
    pelti_cor_sample samples[SAMPLE_CHUNK];
    pelti_cor_stream stream;
    pelti_cor_stream_begin(&stream, &solver->pieces, set, places,
                           (pelt_range){0, solver->sets.sets[set].triangle_count});
    for (uint32_t count; (count = pelti_cor_stream_next(&stream, samples, SAMPLE_CHUNK)) > 0;)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            const pelti_cor_sample* s = &samples[i];
            double distance = weights[0] * s->w - weights[1] * s->v;
            double mass =
                weights[0] * weights[1] * s->v * s->w * s->area * exp(-distance * distance * scale);
            sums[0] += mass * s->center[0];
            sums[1] += mass * s->center[1];
            sums[2] += mass * s->center[2];
            sums[3] += mass;
        }
    }
}

// The place of a joint in a set's list; PELT_NONE when it is not there.
static uint32_t place_of(const pelti_cor_sets* sets, const pelti_cor_set* set, uint32_t joint)
{
    for (uint32_t i = 0; i < set->joint_count; ++i)
    {
        if (sets->joints[set->joint_first + i] == joint)
        {
            return i;
        }
    }
    return PELT_NONE;
}

static void solve_exactly(void* context, uint32_t index)
{
    const fast_solver* solver = context;
    const pelti_cor_surface* surface = &solver->problem->surface;
    double* sums = solver->sums[solver->exact[index]];
    uint32_t vertex = solver->problem->todo[solver->exact[index]];
    memset(sums, 0, 4 * sizeof *sums);
    for (uint32_t s = 0; s < solver->sets.set_count && pelti_cor_step(solver->problem, 0); ++s)
    {
        const pelti_cor_set* set = &solver->sets.sets[s];
        for (uint32_t i = surface->first[vertex]; i < surface->first[vertex + 1]; ++i)
        {
            uint32_t places[2] = {place_of(&solver->sets, set, surface->weights[i].joint)};
            for (uint32_t k = i + 1; k < surface->first[vertex + 1] && places[0] != PELT_NONE; ++k)
            {
                const double weights[2] = {(double)surface->weights[i].weight,
                                           (double)surface->weights[k].weight};
                places[1] = place_of(&solver->sets, set, surface->weights[k].joint);
                if (places[1] != PELT_NONE && set->triangle_count > 0)
                {
                    add_exactly(sums, solver, s, places, weights);
                }
            }
        }
    }
}

static void put_chunk(void* context, uint32_t index)
{
    const fast_solver* solver = context;
    const double* origin = solver->pieces.origin;
    pelt_range range = chunk_range(solver->problem->todo_count, VERTEX_CHUNK, index);
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
    {
        double* sums = solver->sums[i];
        for (int k = 0; k < 3; ++k)
        {
            sums[k] += origin[k] * sums[3];
        }
        pelti_cor_put(solver->problem, solver->problem->todo[i], sums);
    }
}

// ---------------------------------------------------------------------------------------------

static bool run_batches(fast_solver* solver)
{
    pelti_cor_problem* problem = solver->problem;
    uint32_t chunks = chunk_count(problem->todo_count, VERTEX_CHUNK);
    solver->sums = pelti_cor_allocate(problem, problem->todo_count, sizeof *solver->sums);
    solver->exact = pelti_cor_allocate(problem, problem->todo_count, sizeof *solver->exact);
    if (solver->sums == NULL || solver->exact == NULL)
    {
        return false;
    }
    memset(solver->sums, 0, problem->todo_count * sizeof *solver->sums);
    for (uint32_t first = 0; first < solver->pairs.pair_count;)
    {
        pelt_range batch = next_batch(solver, first);
        if (!run_batch(solver, batch))
        {
            return false;
        }
        first += batch.count;
    }
    choose_exact(solver);
    pelt_run(solver->exact_count, solve_exactly, solver);
    pelt_run(chunks, put_chunk, solver);
    return true;
}

static void release_solver(fast_solver* solver)
{
    pelti_cor_problem* problem = solver->problem;
    pelti_cor_release(problem, solver->exact);
    pelti_cor_release(problem, solver->sums);
    pelti_cor_pairs_release(&solver->pairs, problem);
    pelti_cor_release(problem, solver->piece_counts);
    pelti_cor_release(problem, solver->set_samples);
    pelti_cor_sets_release(&solver->sets, problem);
}

pelt_result pelti_cor_fast(pelti_cor_problem* problem)
{
    fast_solver solver = {.problem = problem, .kernels = pelti_cor_kernels_get()};
    bool is_ok = pelti_cor_sets_make(&solver.sets, problem) && make_pieces(&solver) &&
                 pelti_cor_pairs_make(&solver.pairs, problem, &solver.sets, solver.set_samples);
    if (is_ok)
    {
        choose_origin(&solver);
        plan_pairs(&solver);
        is_ok = run_batches(&solver);
    }
    release_solver(&solver);
    return is_ok ? PELT_OK : PELT_ERROR_MEMORY;
}
