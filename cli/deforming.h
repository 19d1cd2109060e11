// SPDX-License-Identifier: MIT
// How the joints of a command's input blend: --method and the options that go with it.
#ifndef PELT_DEFORMING_H
#define PELT_DEFORMING_H

#include "args.h"
#include "centres.h"

extern const char* const deforming_names[]; ///< of all methods, in their order; ends with NULL
extern const arg_option
    deforming_options[]; ///< --mix, --convention, --sign-rule, --dqs, --normals, --cor

/// The methods that a command shall run, in the order of the command line, and where centres of
/// rotation come from.
typedef struct deforming
{
    uint32_t count;
    pelt_deform_options methods[PELT_METHOD_COUNT];
    bool is_mix_given;  ///< one factor for all vertices, whatever the file says
    bool is_recomputed; ///< normals from the deformed triangles, by none of the methods' rules
    centres_source source;
    pelt_cor_options cor;
} deforming;

/// Read --method, a name or several with commas between, default lbs, and the options around it.
/// One that has no effect on any of the methods is refused.
/// @param also  bits 1 << method of those that the command needs besides
/// @return the exit code, after a sentence on stderr when it is not EXIT_DONE
int deforming_choose(deforming* out, const args* arguments, uint32_t also);

/// Another method with the same options.
pelt_deform_options deforming_by(const deforming* in, pelt_method method);

/// Leave the file's own mix factors out of a frame when --mix is given.
void deforming_lend(pelt_frame* frame, const pelt_scene* scene, const deforming* in);

bool deforming_has(const deforming* in, pelt_method method);

/// A method by its name; the sentence about a wrong one begins with `option`.
int deforming_find(pelt_method* out, const char* name, const char* option);

#endif
