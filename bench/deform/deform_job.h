// SPDX-License-Identifier: MIT
// Times a deformer, the reference, and a copy of the bytes that it moves.
#ifndef PELT_DEFORM_JOB_H
#define PELT_DEFORM_JOB_H

#include "deform_plan.h"
#include "deform_subject.h"

typedef struct deform_job
{
    deform_subject* subject;
    deform_point point;
    pelt_deformer_source source;
    pelt_deform_options options;
    pelt_deformer* deformer;
    char* memory; ///< as many bytes as the deformer reads
    size_t read_size;
} deform_job;

/// Build the deformer for a point; the instruction set and threads of the point may change later.
pelt_result deform_job_create(deform_job* out, deform_subject* subject, const deform_point* point);
void deform_job_destroy(deform_job* job); ///< {0} is allowed

/// Whether the deformer of a job can be used for another point.
bool deform_job_fits(const deform_job* job, const deform_point* point);

/// The kernels that are timed; rows show their instruction set.
const pelti_block_kernels* deform_job_kernels(const deform_job* job);

/// Seconds for all vertices.
typedef struct deform_times
{
    double own;
    double touch; ///< of the same memory traffic without arithmetic, on as many threads
} deform_times;

/// Time the deformer, and reading and writing the same bytes without arithmetic: with ordinary or
/// with non-temporal stores, whichever is faster. Measurements alternate.
/// @param budget  seconds for each
deform_times deform_job_measure(deform_job* job, double budget);

/// Seconds for each vertex by pelt_deform() on one thread, over at most 25 000 of them.
double deform_job_measure_reference(const deform_job* job, double budget);

/// Seconds to create the deformer.
double deform_job_measure_create(const deform_job* job, double budget);

/// Bytes that a frame reads and writes for each vertex.
double deform_job_bytes(const deform_job* job);

/// Measure every point of a plan: tables of deformers, of threads and of preparation, and a plot.
pelt_result bench_deformers(bench_report* out, const deform_plan* plan,
                            const bench_options* options, pelt_error* error);

#endif
