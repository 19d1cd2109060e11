// SPDX-License-Identifier: MIT
// The conclusion of a comparison: which contender to use, and why, as sentences.
#ifndef PELT_VERDICT_H
#define PELT_VERDICT_H

#include "comparison.h"
#include "contender_cost.h"

enum
{
    VERDICT_TIE_PERCENT = 10, ///< scores that differ by no more are equal
    VERDICT_REASON_MAX = 4,
};

/// Where contenders differ in a quantity.
typedef struct moment
{
    quantity what;
    uint32_t motion, frame; ///< the frame is among those of all motions
    uint32_t row;
    uint32_t worst, best; ///< contenders
    double spread;        ///< meters between them, see comparison_length()
} moment;

/// A moment, and a sentence about it.
typedef struct finding
{
    moment at;
    const char* text;
} finding;

typedef struct verdict
{
    uint32_t choice;      ///< contender
    const char* headline; ///< one sentence
    const char* summary;  ///< the score of all, in one or two sentences
    const char* sampling; ///< what was not measured, in one sentence; "": nothing
    const char* cost;     ///< what the choice costs against the first contender
    uint32_t reason_count;
    const finding*
        reasons[VERDICT_REASON_MAX]; ///< of the findings, those in which the choice gains most
    uint32_t finding_count;
    finding* findings; ///< of every motion, largest spread first
    finding caveat;    ///< where another contender is better most; text NULL: nowhere
    finding shared;    ///< what is worst under the choice and no better under others; text NULL
} verdict;

/// @param costs  one per contender
/// @param arena  owns the texts
/// @return PELT_OK or PELT_ERROR_MEMORY
pelt_result verdict_reach(verdict* out, const comparison* in, const contender_cost* costs,
                          pelt_arena* arena);

#endif
