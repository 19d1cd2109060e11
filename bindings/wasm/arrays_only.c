// SPDX-License-Identifier: MIT
// Takes the place of what the small module leaves out: methods on the CPU, the published solver for
// centers of rotation, mix factors and smoothed weights. js/arrays.js calls nothing that gets here
// but the last, which answers with a sentence.
#include "../../include/pelt/ddm.h"
#include "../../include/pelt/deformer.h"
#include "../../include/pelt/prepare.h"
#include "../../src/cor/cor.h"

#define WITHOUT_METHOD(name)                                                                       \
    void name(const pelt_surface* out, const pelt_deform_input* input,                             \
              const pelt_deform_options* options, pelt_range range)                                \
    {                                                                                              \
        (void)out, (void)input, (void)options, (void)range;                                        \
        __builtin_trap();                                                                          \
    }

WITHOUT_METHOD(pelt_deform_lbs)
WITHOUT_METHOD(pelt_deform_dqs)
WITHOUT_METHOD(pelt_deform_mix)
WITHOUT_METHOD(pelt_deform_crs)
WITHOUT_METHOD(pelt_deform_lms)
WITHOUT_METHOD(pelt_deform_sbs)
WITHOUT_METHOD(pelt_deform_ddm)

pelt_result pelti_cor_paper(pelti_cor_problem* problem)
{
    (void)problem;
    return PELT_ERROR_ARGUMENT;
}

pelt_result pelt_scene_add_mix_factors(pelt_scene* inout, const pelt_mix_options* options,
                                       pelt_scene_mix_report* report, pelt_arena* arena,
                                       pelt_error* error)
{
    (void)inout, (void)options, (void)report, (void)arena;
    return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                          "the small module has no mix factors; use the module pelt instead of "
                          "pelt/arrays");
}

pelt_result pelt_ddm_solve(pelt_ddm* out, const pelt_cor_input* input,
                           const pelt_ddm_options* options, pelt_ddm_report* report,
                           pelt_arena* arena, pelt_error* error)
{
    (void)out, (void)input, (void)options, (void)report, (void)arena;
    return pelt_error_set(
        error, PELT_ERROR_UNSUPPORTED,
        "the small module has no direct delta mush; use the module pelt instead of "
        "pelt/arrays");
}

pelt_result pelt_deformer_create(pelt_deformer** out, const pelt_deformer_source* source,
                                 const pelt_deformer_options* options)
{
    (void)source, (void)options;
    *out = NULL;
    return PELT_ERROR_UNSUPPORTED;
}

void pelt_deformer_destroy(pelt_deformer* deformer)
{
    (void)deformer;
}
