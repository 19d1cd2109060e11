// SPDX-License-Identifier: MIT
// What is timed at a point: the deformer, the reference, and touching the bytes that it moves.
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

/// Build the deformer for a point; its set and threads may be changed afterwards.
pelt_result deform_job_create(deform_job* out, deform_subject* subject, const deform_point* point);
void deform_job_destroy(deform_job* job); ///< {0} is allowed

/// Whether the deformer of one point serves another.
bool deform_job_fits(const deform_job* job, const deform_point* point);

/// The kernels that are timed: rows name the set that these are compiled for.
const pelti_block_kernels* deform_job_kernels(const deform_job* job);

/// Seconds for all vertices.
typedef struct deform_times
{
    double own;
    double touch; ///< the time that memory alone would take, on as many threads
} deform_times;

/// Read what the deformer reads and write what it writes, without arithmetic: with ordinary stores
/// and with stores that go past the caches, whichever is faster. Both are timed in turns.
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
