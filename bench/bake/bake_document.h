// SPDX-License-Identifier: MIT
// Sizes of animation textures in a thesis (2021), Tables 1 to 8, beside those of pelt for as many
// bones, vertices and frames.
#ifndef PELT_BAKE_DOCUMENT_H
#define PELT_BAKE_DOCUMENT_H

#include "bench.h"

/// Add table `document`: a row for each model and layout.
pelt_result bake_document_measure(bench_report* out, const bench_options* options,
                                  pelt_error* error);

#endif
