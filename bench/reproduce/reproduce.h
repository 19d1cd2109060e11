// SPDX-License-Identifier: MIT
// Tables, figures, algorithms and experiments of the five main sources, each with a function that
// measures the published figures here.
#ifndef PELT_REPRODUCE_H
#define PELT_REPRODUCE_H

#include "bench.h"
#include "pelt/metrics.h"

#include <stdio.h>

/// Whether a measured figure is the published one.
typedef enum reproduce_verdict
{
    REPRODUCE_UNJUDGED = 0, ///< not judged: another machine, or another character
    REPRODUCE_AGREES,
    REPRODUCE_DIFFERS,
} reproduce_verdict;

const char* reproduce_verdict_name(reproduce_verdict verdict); ///< "", "agrees", "differs"

/// One figure.
typedef struct reproduce_row
{
    char what[96];
    const char* unit;        ///< "" for ratios and counts
    char published[96];      ///< a number or a statement; "": none
    double published_number; ///< NaN: a statement, or nothing
    double measured;         ///< NaN: cannot be measured here
    reproduce_verdict verdict;
} reproduce_row;

enum
{
    REPRODUCE_PLOT_MAX = 3, ///< of an item
};

/// Measurements in progress.
typedef struct reproduction
{
    bool is_quick;
    const char* item_name; ///< of the current item, for progress
    uint32_t row_count, row_capacity;
    reproduce_row* rows; ///< of the current item
    plot* plot;          ///< REPRODUCE_PLOT_MAX of the current item; series_count 0: none
    char label[96];      ///< see reproduce_label()
    bool is_out_of_memory;
    /// Reports of suites that several items read, each measured once.
    bench_report suites[8];
    const char* suite_names[8];
    bool is_suite_merged[8]; ///< bench_options.is_merged
    uint32_t suite_count;
} reproduction;

typedef struct reproduce_item
{
    const char* name;    ///< "table1"
    const char* title;   ///< what it is
    const char* command; ///< another command that shows it; NULL: none
    const char* picture; ///< a file of pelt demo that shows it; NULL: none
    /// NULL: there is nothing to measure, as `remark` says.
    pelt_result (*measure)(reproduction* inout, pelt_error* error);
    const char* remark; ///< why figures differ, or where pelt has it
    bool needs_gl;
} reproduce_item;

typedef struct reproduce_document
{
    const char* name;
    const char* title;
    const reproduce_item* items;
    uint32_t item_count;
} reproduce_document;

/// @return number of documents; *out points to static data
uint32_t reproduce_document_list(const reproduce_document* const** out);

extern const reproduce_document reproduce_bittner2019, reproduce_le2016, reproduce_textures2021,
    reproduce_mix2019, reproduce_tarini2014;

/// Release everything.
void reproduction_destroy(reproduction* in);

// ---------------------------------------------------------------------------------------------
// For functions that measure

/// The methods that documents compare, with all other options at their defaults.
extern const pelt_deform_options reproduce_lbs, reproduce_dqs, reproduce_crs;

/// pelt_allocate(), which records a failure: the item then ends with an error.
void* reproduce_allocate(reproduction* inout, size_t count, size_t size);

/// Format a text; valid until the next call.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
const char*
reproduce_label(reproduction* inout, const char* format, ...);

/// Add a figure that was published as a number.
/// @param tolerance  largest difference that counts as agreement; below 0: not judged
void reproduce_number(reproduction* inout, const char* what, const char* unit, double published,
                      double measured, double tolerance);

/// Add a figure that was published as a statement.
void reproduce_claim(reproduction* inout, const char* what, const char* unit, const char* claim,
                     double measured, bool holds);

/// Add a figure without a published one, or one that is not judged.
void reproduce_unjudged(reproduction* inout, const char* what, const char* unit,
                        const char* published, double measured);

/// The report of `pelt bench SUITE`, with --quick if the reproduction is quick. Measured once, and
/// once more with is_merged.
/// @param options  NULL: defaults
pelt_result reproduce_suite(const bench_report** out, reproduction* inout, const char* suite,
                            const bench_options* options, pelt_error* error);

/// @return NULL if there is none of that key
const bench_table* reproduce_table(const bench_report* report, const char* key);

/// The first row of a table whose texts in the given columns are as given.
/// @return NULL if there is none
const bench_cell* reproduce_find_row(const bench_report* report, const char* table,
                                     const char* first_key, const char* first,
                                     const char* second_key, const char* second);

/// A cell of such a row. @return NaN if row is NULL or there is no column of this key
double reproduce_cell(const bench_report* report, const char* table, const bench_cell* row,
                      const char* key);

/// The time of a frame of `pelt bench gpu` relative to lbs with standard normals. @return or NaN
double reproduce_gpu_ratio(const bench_report* gpu, const char* method, const char* rule,
                           uint32_t influences);

// ---------------------------------------------------------------------------------------------
// A character in a pose, under any method

typedef struct reproduce_body
{
    pelt_scene* source;
    pelt_scene scene; ///< with centers
    pelt_arena* arena;
    pelt_body* body;
    pelt_pose pose;
    pelt_frame frame;
    pelt_pose_metrics metrics;
} reproduce_body;

/// @param input  "rig:NAME" or a file
pelt_result reproduce_body_create(reproduce_body* out, const char* input, pelt_error* error);
void reproduce_body_destroy(reproduce_body* in); ///< {0} is allowed

/// Sample a clip and build palettes.
void reproduce_body_pose(reproduce_body* inout, const char* clip, float time);

/// Deform by a method and measure volume, radius, bulge, collapse, edges and rigidity.
/// @return of the whole body; valid until the next call
const pelt_region_metrics* reproduce_body_measure(reproduce_body* inout,
                                                  const pelt_deform_options* options);

/// Largest numbers of a clip.
typedef struct reproduce_worst
{
    double radius_lost; ///< percent
    double bulge;       ///< meters
    double edge;        ///< strain, in magnitude
} reproduce_worst;

/// Play a clip.
/// @param frame_count  evenly spread, at least 2
reproduce_worst reproduce_body_play(reproduce_body* inout, const char* clip,
                                    const pelt_deform_options* options, uint32_t frame_count);

/// All vertices of the scene in the present pose.
uint32_t reproduce_body_vertex_count(const reproduce_body* in);

/// Largest and root mean square distance of two deformations of the present pose, in meters.
pelt_difference reproduce_body_compare(reproduction* job, reproduce_body* inout,
                                       const pelt_deform_options* a, const pelt_deform_options* b);

#endif
