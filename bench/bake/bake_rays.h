// SPDX-License-Identifier: MIT
// What a thesis (2021) leaves to further work, section 5.2.1: offsets of vertices as rays, within a
// sphere or an ellipsoid, against coordinates in a box.
#ifndef PELT_BAKE_RAYS_H
#define PELT_BAKE_RAYS_H

#include "bake_subject.h"
#include "bench.h"

/// Add table `rays`.
bench_table* bake_rays_begin(bench_report* out);

/// Add a row for each code: how far vertices are off at the keys of all clips. As in the thesis, a
/// clip has one volume for the offsets of all vertices from their places in the rest pose.
pelt_result bake_rays_add(bench_table* out, const char* name, bake_subject* subject,
                          pelt_error* error);

#endif
