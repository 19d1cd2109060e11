// SPDX-License-Identifier: MIT
// Built-in characters, made by code: usable wherever a file is.
#ifndef PELT_RIGS_H
#define PELT_RIGS_H

#include "pelt/pelt.h"

/// Build a rig by name, with parameters as in a query: "human", "human?vertices=200000".
/// A leading "rig:" is allowed. An unknown name or parameter is answered with the valid ones.
/// @param out  free with pelt_scene_destroy()
pelt_result pelt_rig_build(pelt_scene** out, const char* name, pelt_error* error);

/// Every parameter is a whole number within limits.
typedef struct pelt_rig_range
{
    uint32_t min, max;
} pelt_rig_range;

typedef struct pelt_rig_info
{
    const char* name;
    const char* summary;      ///< one line
    const char* parameters;   ///< "vertices=20000": names with their defaults, or ""
    pelt_rig_range ranges[2]; ///< of the parameters, in their order
    uint32_t parameter_count;
} pelt_rig_info;

/// @return number of rigs; *out points to static data
uint32_t pelt_rig_list(const pelt_rig_info** out);

#endif
