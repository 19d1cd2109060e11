// SPDX-License-Identifier: MIT
// What comes before deforming: sampling a clip, and the palette.
#ifndef PELT_PALETTE_ROWS_H
#define PELT_PALETTE_ROWS_H

#include "bench.h"

pelt_result bench_palettes(bench_report* out, const bench_options* options, pelt_error* error);

#endif
