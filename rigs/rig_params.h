// SPDX-License-Identifier: MIT
// Parameters of a rig, from "name=value&name=value".
#ifndef PELT_RIG_PARAMS_H
#define PELT_RIG_PARAMS_H

#include "pelt/pelt.h"

/// Values in the order of the rig's own list of pelt_rig_info.parameters, defaults filled in.
typedef struct rig_params
{
    double values[8];
} rig_params;

/// One rig: builds a scene from parameters that are already checked against its limits.
typedef pelt_result (*rig_build)(pelt_scene** out, const rig_params* params, pelt_error* error);

pelt_result rig_build_bar(pelt_scene** out, const rig_params* params, pelt_error* error);
pelt_result rig_build_cuboid(pelt_scene** out, const rig_params* params, pelt_error* error);
pelt_result rig_build_arm(pelt_scene** out, const rig_params* params, pelt_error* error);
pelt_result rig_build_box(pelt_scene** out, const rig_params* params, pelt_error* error);
pelt_result rig_build_human(pelt_scene** out, const rig_params* params, pelt_error* error);
pelt_result rig_build_raptor(pelt_scene** out, const rig_params* params, pelt_error* error);
pelt_result rig_build_cloth(pelt_scene** out, const rig_params* params, pelt_error* error);

#endif
