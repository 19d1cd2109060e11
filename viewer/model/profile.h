// SPDX-License-Identifier: MIT
// What the heat map shows, over a whole clip: the largest value of each viewport at many moments,
// and the worst of them. Measured in the background.
#ifndef PELT_PROFILE_H
#define PELT_PROFILE_H

#include "pelt/metrics.h"
#include "settings.h"

enum
{
    PROFILE_MOMENTS = 64,
};

/// What is measured.
typedef struct profile_key
{
    uint32_t clip; ///< PELT_NONE: nothing
    pelt_metric metric;
    uint32_t view_count;
    pelt_deform_options deform[VIEW_MAX], reference[VIEW_MAX];
    bool is_measured[VIEW_MAX]; ///< DISTANCE: not of a viewport that is its own reference
    uint32_t data_revision;     ///< of weights and what depends on them
} profile_key;

bool profile_key_is_same(const profile_key* a, const profile_key* b);

/// A place of the surface at a moment.
typedef struct profile_place
{
    uint32_t instance, vertex; ///< PELT_NONE: none
    float time;
    float value; ///< in the unit of the metric, with its sign
} profile_place;

typedef struct profile
{
    profile_key key;
    uint32_t count; ///< of moments
    float times[PROFILE_MOMENTS];
    profile_place places[VIEW_MAX][PROFILE_MOMENTS]; ///< the worst of each moment
    uint32_t worst_view, worst;                      ///< PELT_NONE: nothing differs from 0
    float high;                                      ///< the largest magnitude
} profile;

/// Measure on any thread.
/// @param out       key is set
/// @param progress  return false to cancel
/// @return PELT_OK, PELT_ERROR_MEMORY, PELT_ERROR_ARGUMENT or PELT_ERROR_CANCELED
pelt_result profile_measure(profile* out, const pelt_scene* scene,
                            bool (*progress)(float part, void* user), void* user,
                            pelt_error* error);

#endif
