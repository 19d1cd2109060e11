// SPDX-License-Identifier: MIT
#include "helper_curve.h"

void helper_curve_draw(plot* out, const pelt_helpers_report* report)
{
    *out = (plot){.title = "Distance from the target method by number of helper joints",
                  .x_title = "helper joints",
                  .y_title = "root mean square distance (mm)",
                  .is_linear = true};
    plot_series* training = plot_series_add(out, "poses of the fit", PLOT_CIRCLE, PLOT_BLUE);
    plot_series* held_out = plot_series_add(out, "poses held out", PLOT_SQUARE, PLOT_VERMILION);
    training->is_line = held_out->is_line = true;
    for (uint32_t i = 0; i < report->step_count; ++i)
    {
        const pelt_helpers_step* step = &report->steps[i];
        plot_point_add(training, (plot_point){.x = step->count, .y = 1e3 * (double)step->rms});
        plot_point_add(held_out,
                       (plot_point){.x = step->count, .y = 1e3 * (double)step->held_out_rms});
    }
}
