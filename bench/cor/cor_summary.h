// SPDX-License-Identifier: MIT
// What times of many models say together: growth laws, and a plot.
#ifndef PELT_COR_SUMMARY_H
#define PELT_COR_SUMMARY_H

#include "bench.h"
#include "cor_figures.h"
#include "cor_subject.h"

enum
{
    COR_RECORD_MAX = 32,
};

/// Triangles whole, as Bittner et al. had to take them, and halved, as Le and Hodgins did.
typedef enum cor_cut
{
    COR_WHOLE = 0,
    COR_HALVED,
    COR_CUT_COUNT,
} cor_cut;

typedef struct cor_cut_info
{
    float epsilon;
    const char* name;
    cor_source source; ///< the document whose times are of this kind
} cor_cut_info;

extern const cor_cut_info cor_cuts[COR_CUT_COUNT];

typedef struct cor_record
{
    cor_cut cut;
    bool is_on_curve; ///< one of a family that differs in size alone
    double vertex_count;
    cor_time times[PELT_COR_SOLVER_COUNT];
} cor_record;

typedef struct cor_summary
{
    uint32_t record_count;
    cor_record records[COR_RECORD_MAX];
} cor_summary;

/// Keep a record; those past COR_RECORD_MAX are left out.
void cor_summary_add(cor_summary* out, const cor_record* record);

/// A table of the laws that records on the curve follow, for each solver.
void cor_summary_fit(bench_report* out, const cor_summary* in);

/// Time against vertices, triangles halved, with the figures of documents.
void cor_summary_draw(plot* out, const cor_summary* in);

#endif
