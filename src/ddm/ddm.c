// SPDX-License-Identifier: MIT
// Direct delta mush (Le and Lewis 2019), the precomputation: for each joint the smoothed moments of
// the surface that it influences, then for each point its joints, with moments about its center.
#include "../base/exact.h"

#include "../base/mesh_check.h"
#include "../base/progress.h"
#include "ddm_smooth.h"

#include <math.h>
#include <stdlib.h>

enum
{
    CHUNK = 256, // points of a task
    DEFAULT_INFLUENCES = 16,
    SECOND_MOMENTS = 6, // xx, xy, xz, yy, yz, zz
};

// Variance that is added to a neighborhood in every direction, relative to its own: a line of
// vertices has a rotation about itself then, that of its joints, and flat regions are well
// conditioned in float.
static const double isotropy = 1e-3;

// Squared radii below this part of the squared distance from the origin are rounding. Those below
// 1e-60 have no inverse in float.
static const double least_square = 1e-13;

// One joint of a point. Weights are those of the smoothed surface.
typedef struct moment_block
{
    pelt_joint_index joint;
    double weight, center_weight; // by lambda, and by kappa
    pelti_double3 vector;
    double moments[SECOND_MOMENTS];
} moment_block;

typedef struct ddm_solver
{
    const pelt_ddm_options* options; // with numbers for all defaults
    double translation;
    pelti_ddm_surface surface;
    pelti_ddm_series moments, weights;
    pelti_ddm_column* columns; // of each joint
    uint32_t* first;           // of each point: its first block; point_count + 1
    moment_block* blocks;      // of each point: strongest first, once it is finished
    uint32_t* counts;          // of each point: blocks that are kept
    pelti_double3* centers;    // of each point, from the origin of the surface
    double* radii;
    double* dropped; // of each point: weight that is lost
    pelti_progress progress;
    atomic_bool is_out_of_memory;
} ddm_solver;

const char* pelt_ddm_variant_name(pelt_ddm_variant variant)
{
    static const char* const names[] = {"v0", "v2", "v3", "v4", "v5"};
    PELT_ASSERT((uint32_t)variant < PELT_DDM_VARIANT_COUNT);
    return names[variant];
}

// ---------------------------------------------------------------------------------------------
// Options

static float number_of(float value, float usual)
{
    return value == 0.0f ? usual : value < 0.0f ? 0.0f : value; // NaN is refused below
}

static pelt_result read_options(pelt_ddm_options* out, const pelt_ddm_options* options,
                                pelt_error* error)
{
    *out = options != NULL ? *options : (pelt_ddm_options){0};
    out->iterations = out->iterations == 0 ? 20 : out->iterations;
    out->lambda = number_of(out->lambda, 1.0f);
    out->kappa = number_of(out->kappa, 0.5f * out->lambda);
    out->alpha = number_of(out->alpha, 0.5f);
    out->min_weight = number_of(out->min_weight, 1e-3f);
    out->max_influences = out->max_influences == 0 ? DEFAULT_INFLUENCES : out->max_influences;
    if ((uint32_t)out->variant >= PELT_DDM_VARIANT_COUNT ||
        out->iterations > PELT_DDM_MAX_ITERATIONS)
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "variant is %d and iterations %u; there are %d variants and up to %u "
                              "iterations",
                              (int)out->variant, out->iterations, (int)PELT_DDM_VARIANT_COUNT,
                              PELT_DDM_MAX_ITERATIONS);
    }
    if (!(out->lambda <= PELT_DDM_MAX_LAMBDA) || !(out->kappa <= out->lambda) ||
        !(out->alpha <= 1.0f) || !(out->min_weight <= 0.1f))
    {
        return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                              "lambda is %g, kappa %g, alpha %g and min_weight %g; the limits are "
                              "%g, lambda, 1 and 0.1",
                              (double)out->lambda, (double)out->kappa, (double)out->alpha,
                              (double)out->min_weight, (double)PELT_DDM_MAX_LAMBDA);
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Joints

static void smooth_joint(void* context, uint32_t joint)
{
    ddm_solver* s = context;
    if (pelti_progress_is_canceled(&s->progress) || atomic_load(&s->is_out_of_memory))
    {
        return;
    }
    uint32_t count = s->surface.column_first[joint + 1] - s->surface.column_first[joint];
    if (count > 0 && !pelti_ddm_smooth(&s->columns[joint], &s->surface, joint, &s->moments,
                                       &s->weights, (double)s->options->min_weight))
    {
        atomic_store(&s->is_out_of_memory, true);
    }
    pelti_progress_add(&s->progress, count);
}

static moment_block block_of(const pelti_ddm_entry* entry, uint32_t joint)
{
    const double* sums = entry->sums;
    moment_block out = {.joint = (pelt_joint_index)joint,
                        .weight = sums[9],
                        .center_weight = fmax(sums[10], 0.0),
                        .vector = {sums[0], sums[1], sums[2]}};
    for (int k = 0; k < SECOND_MOMENTS; ++k)
    {
        out.moments[k] = sums[3 + k];
    }
    return out;
}

// Sort entries of joints by point; those of a point are in the order of joints then.
static bool sort_by_point(ddm_solver* s, pelt_arena* scratch)
{
    uint32_t point_count = s->surface.point_count;
    uint32_t* first = s->first =
        pelt_arena_alloc(scratch, (size_t)point_count + 2, sizeof *s->first);
    s->counts = pelt_arena_alloc(scratch, point_count, sizeof *s->counts);
    s->centers = pelt_arena_alloc(scratch, point_count, sizeof *s->centers);
    s->radii = pelt_arena_alloc(scratch, point_count, sizeof *s->radii);
    s->dropped = pelt_arena_alloc(scratch, point_count, sizeof *s->dropped);
    if (first == NULL || s->counts == NULL || s->centers == NULL || s->radii == NULL ||
        s->dropped == NULL)
    {
        return false;
    }
    uint64_t total = 0;
    for (uint32_t joint = 0; joint < s->surface.joint_count; ++joint)
    {
        for (uint32_t i = 0; i < s->columns[joint].count; ++i, ++total)
        {
            ++first[s->columns[joint].entries[i].point + 2];
        }
    }
    s->blocks =
        total < UINT32_MAX ? pelt_arena_alloc(scratch, (size_t)total, sizeof *s->blocks) : NULL;
    // Filling advances each offset to its final value.
    for (uint32_t point = 0; point < point_count; ++point)
    {
        first[point + 2] += first[point + 1];
    }
    for (uint32_t joint = 0; joint < s->surface.joint_count && s->blocks != NULL; ++joint)
    {
        for (uint32_t i = 0; i < s->columns[joint].count; ++i)
        {
            const pelti_ddm_entry* entry = &s->columns[joint].entries[i];
            s->blocks[first[entry->point + 1]++] = block_of(entry, joint);
        }
        pelt_release(s->columns[joint].entries);
        s->columns[joint] = (pelti_ddm_column){0};
    }
    return s->blocks != NULL;
}

// ---------------------------------------------------------------------------------------------
// Points

static int compare_blocks(const void* a, const void* b)
{
    const moment_block *x = a, *y = b;
    return x->weight != y->weight ? (x->weight < y->weight) - (x->weight > y->weight)
                                  : (x->joint > y->joint) - (x->joint < y->joint);
}

// Divide the sums of the blocks by their weight. @return the center
static pelti_double3 normalize_blocks(moment_block* blocks, uint32_t count, double weight)
{
    pelti_double3 center = {0.0, 0.0, 0.0};
    double center_weight = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        blocks[i].weight /= weight;
        blocks[i].vector = pelti_double3_scale(blocks[i].vector, 1.0 / weight);
        center = pelti_double3_mad(center, 1.0, blocks[i].vector);
        center_weight += blocks[i].center_weight;
        for (int k = 0; k < SECOND_MOMENTS; ++k)
        {
            blocks[i].moments[k] /= weight;
        }
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        blocks[i].center_weight =
            center_weight > 0.0 ? blocks[i].center_weight / center_weight : blocks[i].weight;
    }
    return center;
}

// Make the moments of a block those about a center. @return the trace of the second ones
static double shift_block(moment_block* inout, pelti_double3 center)
{
    const double p[3] = {center.x, center.y, center.z};
    const double m[3] = {inout->vector.x, inout->vector.y, inout->vector.z};
    static const int rows[SECOND_MOMENTS] = {0, 0, 0, 1, 1, 2};
    static const int columns[SECOND_MOMENTS] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < SECOND_MOMENTS; ++k)
    {
        int r = rows[k], c = columns[k];
        inout->moments[k] += inout->weight * p[r] * p[c] - p[r] * m[c] - m[r] * p[c];
    }
    inout->vector = pelti_double3_mad(inout->vector, -inout->weight, center);
    return inout->moments[0] + inout->moments[3] + inout->moments[5];
}

// Make moments relative to the radius of the neighborhood, and round in every direction.
static void scale_block(moment_block* inout, double radius)
{
    double unit = radius > 0.0 ? 1.0 / radius : 0.0;
    inout->vector = pelti_double3_scale(inout->vector, unit);
    for (int k = 0; k < SECOND_MOMENTS; ++k)
    {
        bool is_diagonal = k == 0 || k == 3 || k == 5;
        inout->moments[k] =
            unit * unit * inout->moments[k] + (is_diagonal ? isotropy * inout->weight : 0.0);
    }
}

static void finish_point(ddm_solver* s, uint32_t point)
{
    moment_block* blocks = s->blocks + s->first[point];
    uint32_t count = s->first[point + 1] - s->first[point];
    qsort(blocks, count, sizeof *blocks, compare_blocks);
    uint32_t limit = s->options->max_influences;
    count = count < limit ? count : limit;
    double weight = 0.0, square = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        weight += blocks[i].weight;
    }
    s->counts[point] = count;
    s->centers[point] = s->surface.positions[point];
    if (count == 0)
    {
        return;
    }
    s->dropped[point] = 1.0 - weight;
    pelti_double3 center = normalize_blocks(blocks, count, weight);
    for (uint32_t i = 0; i < count; ++i)
    {
        square += shift_block(&blocks[i], center);
    }
    bool is_alone = s->surface.first[point + 1] == s->surface.first[point];
    bool is_still = is_alone || s->moments.count == 1 ||
                    !(square > least_square * pelti_double3_dot(center, center) + 1e-60);
    s->radii[point] = is_still ? 0.0 : sqrt(square);
    s->centers[point] = is_still ? s->surface.positions[point] : center;
    for (uint32_t i = 0; i < count; ++i)
    {
        scale_block(&blocks[i], s->radii[point]);
        blocks[i].weight =
            s->translation * blocks[i].weight + (1.0 - s->translation) * blocks[i].center_weight;
    }
    qsort(blocks, count, sizeof *blocks, compare_blocks);
}

static void finish_points(void* context, uint32_t task)
{
    ddm_solver* s = context;
    uint32_t begin = task * CHUNK, count = s->surface.point_count;
    for (uint32_t i = begin; i < begin + CHUNK && i < count; ++i)
    {
        finish_point(s, i);
    }
}

// ---------------------------------------------------------------------------------------------
// The result

typedef struct ddm_arrays
{
    uint32_t* first;
    pelt_influence* influences;
    pelt_vec3 *centers, *vectors;
    float *radii, *moments;
} ddm_arrays;

static bool allocate_arrays(ddm_arrays* out, uint32_t vertex_count, size_t count,
                            pelt_ddm_variant variant, pelt_arena* arena)
{
    bool has_vectors = variant == PELT_DDM_V2 || variant == PELT_DDM_V3;
    bool has_moments = variant == PELT_DDM_V0;
    *out = (ddm_arrays){
        .first = pelt_arena_alloc(arena, (size_t)vertex_count + 1, sizeof *out->first),
        .influences = pelt_arena_alloc(arena, count, sizeof *out->influences),
        .centers = pelt_arena_alloc(arena, vertex_count, sizeof *out->centers),
        .radii = pelt_arena_alloc(arena, vertex_count, sizeof *out->radii),
        .vectors = has_vectors ? pelt_arena_alloc(arena, count, sizeof *out->vectors) : NULL,
        .moments = has_moments
                       ? pelt_arena_alloc(arena, count, PELT_DDM_MOMENTS * sizeof *out->moments)
                       : NULL,
    };
    return out->first != NULL && out->influences != NULL && out->centers != NULL &&
           out->radii != NULL && (out->vectors != NULL) == has_vectors &&
           (out->moments != NULL) == has_moments;
}

static void write_moments(float out[PELT_DDM_MOMENTS], const moment_block* block)
{
    const double* m = block->moments;
    const double rows[PELT_DDM_MOMENTS] = {m[0], m[1], m[2], block->vector.x,
                                           m[1], m[3], m[4], block->vector.y,
                                           m[2], m[4], m[5], block->vector.z};
    for (int k = 0; k < PELT_DDM_MOMENTS; ++k)
    {
        out[k] = (float)rows[k];
    }
}

static void write_vertex(const ddm_arrays* to, const ddm_solver* s, uint32_t vertex, uint32_t point)
{
    const moment_block* blocks = s->blocks + s->first[point];
    uint32_t count = to->first[vertex + 1] - to->first[vertex];
    for (uint32_t i = 0; i < count; ++i)
    {
        size_t at = (size_t)to->first[vertex] + i;
        to->influences[at] =
            (pelt_influence){blocks[i].joint, (uint16_t)i, (float)blocks[i].weight};
        if (to->vectors != NULL)
        {
            to->vectors[at] = pelti_double3_to(blocks[i].vector);
        }
        if (to->moments != NULL)
        {
            write_moments(to->moments + PELT_DDM_MOMENTS * at, &blocks[i]);
        }
    }
    to->centers[vertex] =
        pelti_double3_to(pelti_double3_mad(s->centers[point], 1.0, s->surface.origin));
    to->radii[vertex] = (float)s->radii[point];
}

static pelt_result write_mesh(pelt_ddm* out, const ddm_solver* s, const pelt_mesh* mesh,
                              const uint32_t* points, pelt_arena* arena)
{
    const pelt_weights* weights = &mesh->weights;
    uint64_t total = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        total += weights->first[v + 1] > weights->first[v] ? s->counts[points[v]] : 0;
    }
    ddm_arrays to;
    if (total >= UINT32_MAX ||
        !allocate_arrays(&to, mesh->vertex_count, (size_t)total, s->options->variant, arena))
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        bool is_skinned = weights->first[v + 1] > weights->first[v];
        to.first[v + 1] = to.first[v] + (is_skinned ? s->counts[points[v]] : 0);
        write_vertex(&to, s, v, points[v]);
    }
    *out = (pelt_ddm){.vertex_count = mesh->vertex_count,
                      .joint_count = weights->joint_count,
                      .influence_count = (uint32_t)total,
                      .variant = s->options->variant,
                      .translation = (float)s->translation,
                      .first = to.first,
                      .influences = to.influences,
                      .centers = to.centers,
                      .radii = to.radii,
                      .vectors = to.vectors,
                      .moments = to.moments};
    return pelt_cor_digest(&out->digest, mesh);
}

static void report_points(pelt_ddm_report* out, const ddm_solver* s)
{
    *out = (pelt_ddm_report){.point_count = s->surface.point_count,
                             .ring_count = s->moments.count - 1};
    for (uint32_t i = 0; i < s->surface.point_count; ++i)
    {
        out->still_count += s->radii[i] == 0.0;
        out->dropped_weight = fmaxf(out->dropped_weight, (float)s->dropped[i]);
        out->max_influences =
            s->counts[i] > out->max_influences ? s->counts[i] : out->max_influences;
    }
}

size_t pelt_ddm_size(const pelt_ddm* ddm)
{
    size_t each = sizeof *ddm->influences + (ddm->vectors != NULL ? sizeof *ddm->vectors : 0) +
                  (ddm->moments != NULL ? PELT_DDM_MOMENTS * sizeof *ddm->moments : 0);
    size_t own = sizeof *ddm->first + sizeof *ddm->centers + sizeof *ddm->radii;
    return ddm->influence_count * each + ddm->vertex_count * own;
}

static void report_mesh(pelt_ddm_report* inout, const pelt_ddm* ddm)
{
    ++inout->mesh_count;
    inout->vertex_count += ddm->vertex_count;
    inout->influence_count += ddm->influence_count;
    inout->bytes += pelt_ddm_size(ddm);
}

// ---------------------------------------------------------------------------------------------

static bool prepare(ddm_solver* s, const pelt_cor_input* input, pelt_arena* scratch)
{
    const pelt_ddm_options* options = s->options;
    if (!pelti_ddm_surface_create(&s->surface, input, scratch) ||
        !pelti_ddm_series_create(&s->moments, (double)options->lambda, options->iterations,
                                 scratch) ||
        !pelti_ddm_series_create(&s->weights, (double)options->kappa, options->iterations, scratch))
    {
        return false;
    }
    uint32_t steps = s->surface.column_first[s->surface.joint_count];
    s->progress = (pelti_progress){.tell = options->progress,
                                   .user = options->user,
                                   .step_count = steps > 0 ? steps : 1,
                                   .step_limit = steps,
                                   .is_telling = ATOMIC_FLAG_INIT};
    s->columns = pelt_arena_alloc(scratch, s->surface.joint_count, sizeof *s->columns);
    return s->columns != NULL;
}

static pelt_result solve(pelt_ddm* out, ddm_solver* s, const pelt_cor_input* input,
                         pelt_ddm_report* report, pelt_arena* arena, pelt_arena* scratch)
{
    if (!prepare(s, input, scratch))
    {
        return PELT_ERROR_MEMORY;
    }
    pelt_run(s->surface.joint_count, smooth_joint, s);
    bool is_sorted = !atomic_load(&s->is_out_of_memory) && sort_by_point(s, scratch);
    for (uint32_t joint = 0; joint < s->surface.joint_count; ++joint)
    {
        pelt_release(s->columns[joint].entries);
    }
    if (pelti_progress_is_canceled(&s->progress))
    {
        return PELT_ERROR_CANCELED;
    }
    if (!is_sorted)
    {
        return PELT_ERROR_MEMORY;
    }
    pelt_run((s->surface.point_count + CHUNK - 1) / CHUNK, finish_points, s);
    report_points(report, s);
    for (uint32_t i = 0; i < input->mesh_count; ++i)
    {
        PELT_TRY(write_mesh(&out[i], s, input->meshes[i], s->surface.points[i], arena));
        report_mesh(report, &out[i]);
    }
    return PELT_OK;
}

pelt_result pelt_ddm_solve(pelt_ddm* out, const pelt_cor_input* input,
                           const pelt_ddm_options* options, pelt_ddm_report* report,
                           pelt_arena* arena, pelt_error* error)
{
    PELT_ASSERT(out != NULL && input != NULL && arena != NULL);
    pelt_ddm_options settled;
    pelt_ddm_report unused;
    PELT_TRY(read_options(&settled, options, error));
    for (uint32_t i = 0; i < input->mesh_count; ++i)
    {
        PELT_TRY(pelti_skinned_mesh_check(input->meshes[i], error));
        out[i] = (pelt_ddm){0};
    }
    pelt_arena* scratch = pelt_arena_create();
    ddm_solver s = {.options = &settled, .translation = 1.0 - (double)settled.alpha};
    pelt_result result =
        scratch != NULL ? solve(out, &s, input, report != NULL ? report : &unused, arena, scratch)
                        : PELT_ERROR_MEMORY;
    pelt_arena_destroy(scratch);
    return result == PELT_ERROR_MEMORY ? pelt_error_memory(error)
           : result == PELT_ERROR_CANCELED
               ? pelt_error_set(error, result, "smoothing the weights was canceled")
               : result;
}
