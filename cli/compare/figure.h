// SPDX-License-Identifier: MIT
// Moments that a report shows: which, what is measured there, and pictures of all contenders.
#ifndef PELT_FIGURE_H
#define PELT_FIGURE_H

#include "probe.h"
#include "verdict.h"

enum
{
    FIGURE_MAX = 4,
    FIGURE_MAP_COUNT = 2,
    FIGURE_SIDE = 400, ///< pixels of a picture
};

/// A PNG file in memory.
typedef struct figure_picture
{
    uint8_t* bytes; ///< pelt_release(); NULL: there is none
    size_t size;
} figure_picture;

/// The surface colored by a metric.
typedef struct figure_map
{
    pelt_metric metric;
    float end; ///< of the scale, in the unit of the metric; it begins at 0, or at -end if signed
    double within[CONTENDER_MAX]; ///< magnitude that 95 % of the skin there do not exceed
    figure_picture pictures[CONTENDER_MAX];
} figure_map;

typedef struct figure
{
    finding about;
    uint32_t crossings[CONTENDER_MAX]; ///< pairs of triangles that cross, those at rest included
    double visible; ///< part of the worst vertices of the worst contender that the camera sees; the
                    ///< worst of all is half of them
    figure_picture shaded[CONTENDER_MAX];
    figure_map maps[FIGURE_MAP_COUNT];
} figure;

typedef struct figure_list
{
    uint32_t count;
    figure items[FIGURE_MAX];
    uint32_t picture_count; ///< figures that have pictures: the first so many
    char reason[600];       ///< why not all have
    char renderer[128];     ///< who drew them, and what GPU time is measured on; "": none
    bool is_software;       ///< that renderer runs on the processor
} figure_list;

/// Choose moments: where the choice gains most, by one quantity after the other, then one that
/// speaks against it. Counts crossing triangles there.
/// @param limit  most figures, up to FIGURE_MAX
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int figure_list_choose(figure_list* out, const comparison* in, const verdict* why, uint32_t limit);
void figure_list_destroy(figure_list* in); ///< {0} is allowed

/// Draw the pictures, and measure contenders on the GPU. Without OpenGL there are none, and a
/// driver that draws on the processor draws fewer of characters with many triangles; the reason is
/// set.
/// @param costs  one per contender; NULL: no time is measured
int figure_list_draw(figure_list* inout, contender_cost* costs, const comparison* in);

/// A contender at the moment of a figure.
probe_pose figure_pose(const comparison* in, const moment* at, uint32_t contender);

#endif
