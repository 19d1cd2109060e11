// SPDX-License-Identifier: MIT
// Times that documents report for computing centers of rotation.
#ifndef PELT_COR_FIGURES_H
#define PELT_COR_FIGURES_H

#include "plot.h"

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
    plot_side side; ///< of its name in a plot: away from its neighbors
} cor_figure;

/// @return NULL when no document has such a model; model may be NULL
const cor_figure* cor_figure_find(const char* model);

/// Add a series for each document.
void cor_figure_plot(plot* out);

#endif
