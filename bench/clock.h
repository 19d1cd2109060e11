// SPDX-License-Identifier: MIT
// Time for measurements.
#ifndef PELT_CLOCK_H
#define PELT_CLOCK_H

/// Seconds since some moment, never going back.
double clock_seconds(void);

#endif
