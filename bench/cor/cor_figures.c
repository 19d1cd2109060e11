// SPDX-License-Identifier: MIT
// Times that documents report for computing centers of rotation.
#include "cor_figures.h"

#include <string.h>

static const cor_figure figures[] = {
    {"Goliath", COR_LE_HODGINS, 39158, 15.7, PLOT_ABOVE},
    {"man", COR_LE_HODGINS, 20846, 5.6, PLOT_RIGHT},
    {"boy", COR_LE_HODGINS, 22459, 18.0, PLOT_RIGHT},
    {"horse", COR_LE_HODGINS, 8435, 10.9, PLOT_LEFT},
    {"cloth", COR_LE_HODGINS, 2601, 0.7, PLOT_RIGHT},
    {"cuboid", COR_BITTNER, 16800, 18.6, PLOT_LEFT},
    {"wolf", COR_BITTNER, 1291, 0.6, PLOT_ABOVE},
    {"raptor", COR_BITTNER, 15005, 16.2 * 60.0, PLOT_LEFT},
};

enum
{
    FIGURE_COUNT = sizeof figures / sizeof figures[0],
};

const cor_figure* cor_figure_find(const char* model)
{
    for (int i = 0; model != NULL && i < FIGURE_COUNT; ++i)
    {
        if (strcmp(figures[i].model, model) == 0)
        {
            return &figures[i];
        }
    }
    return NULL;
}

void cor_figure_plot(plot* out)
{
    plot_series* series[COR_SOURCE_COUNT] = {
        plot_series_add(out, "Le and Hodgins, 8 cores", PLOT_DIAMOND, PLOT_PURPLE),
        plot_series_add(out, "Bittner et al., 4 cores", PLOT_STAR, PLOT_BLACK),
    };
    for (int i = 0; i < FIGURE_COUNT; ++i)
    {
        const cor_figure* figure = &figures[i];
        plot_point_add(series[figure->source], (plot_point){.x = figure->vertex_count,
                                                            .y = figure->seconds,
                                                            .label = figure->model,
                                                            .side = figure->side});
    }
}
