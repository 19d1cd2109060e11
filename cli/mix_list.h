// SPDX-License-Identifier: MIT
// Factors of --mix: one, or several to compare.
#ifndef PELT_MIX_LIST_H
#define PELT_MIX_LIST_H

#include "args.h"

enum
{
    MIX_LIST_MAX = 8,
};

typedef struct mix_list
{
    uint32_t count; ///< 0: --mix is not given
    float factors[MIX_LIST_MAX];
} mix_list;

/// Read --mix, an ARG_TEXT: numbers from 0 to 1 with commas between, none twice.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int mix_list_choose(mix_list* out, const args* arguments);

#endif
