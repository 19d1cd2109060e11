// SPDX-License-Identifier: MIT
// Growth laws and a plot of the times of many models, with times that papers report.
#ifndef PELT_COR_SUMMARY_H
#define PELT_COR_SUMMARY_H

#include "bench.h"
#include "cor_subject.h"

// ---------------------------------------------------------------------------------------------
// Published times

typedef enum cor_source
{
    /// Le and Hodgins, "Real-time Skeletal Skinning with Optimized Centers of Rotation", 2016,
    /// Table 1: triangles halved (epsilon 0.1), eight cores at 2.4 GHz.
    COR_LE_HODGINS = 0,

    /// Bittner et al. 2019, Figure 8, with all optimizations: triangles whole, four cores.
    COR_BITTNER,
    COR_SOURCE_COUNT,
} cor_source;

typedef struct cor_figure
{
    const char* model;
    cor_source source;
    double vertex_count;
    double seconds;
    plot_anchor anchor; ///< of its name in a plot, away from its neighbors
} cor_figure;

/// @return NULL when no paper has such a model; model may be NULL
const cor_figure* cor_figure_find(const char* model);

/// Add a series for each paper.
void cor_figure_plot(plot* out);

// ---------------------------------------------------------------------------------------------
// Summary

enum
{
    COR_RECORD_MAX = 32,
};

/// Triangles whole, as in Bittner et al. 2019, and halved, as in Le and Hodgins 2016.
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
    cor_source source; ///< the paper whose times are of this kind
} cor_cut_info;

extern const cor_cut_info cor_cuts[COR_CUT_COUNT];

typedef struct cor_record
{
    cor_cut cut;
    bool is_on_curve; ///< one of a family of models that differ in size only
    double vertex_count;
    cor_time times[PELT_COR_SOLVER_COUNT];
} cor_record;

typedef struct cor_summary
{
    uint32_t record_count;
    cor_record records[COR_RECORD_MAX];
} cor_summary;

/// Add a record; records beyond COR_RECORD_MAX are ignored.
void cor_summary_add(cor_summary* out, const cor_record* record);

/// Add a table of the growth laws of records on the curve, for each solver.
void cor_summary_fit(bench_report* out, const cor_summary* in);

/// Plot time against vertices, with halved triangles, and the published times.
void cor_summary_draw(plot* out, const cor_summary* in);

#endif
