// SPDX-License-Identifier: MIT
// --quantize and --meshopt: smaller GLB files, and what they lose.
#ifndef PELT_PACK_REQUEST_H
#define PELT_PACK_REQUEST_H

#include "args.h"
#include "output_file.h"

extern const arg_option pack_request_options[];

/// The report of packing.
typedef struct pack_result
{
    pelt_pack_options options;
    pelt_pack_report packed;
    double largest_offset; ///< of a vertex in the clips, meters; if quantized
    double height;         ///< of the character, meters
} pack_result;

bool pack_request_is_set(const args* arguments);

/// Check the format of the file, before anything is read.
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int pack_request_check(const args* arguments, const output_file* file);

/// Make a smaller file of a GLB file in memory, and measure how far its vertices are off.
/// @param inout  replaced
int pack_request_apply(pack_result* out, pelt_source* inout, const args* arguments);

/// A note on stderr.
void pack_request_print(const pack_result* in);

/// Member `packed` of a report: null where nothing was asked for.
void pack_request_describe(json_t* report, const pack_result* in);

#endif
