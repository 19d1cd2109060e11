// SPDX-License-Identifier: MIT
#include "model_options.h"

#include "pelt/gl.h"

pelt_deform_options model_options(const view_settings* in, uint32_t view)
{
    pelt_deform_options out = {.method = (pelt_method)in->methods[view], .mix = in->mix};
    pelt_convention_apply(&out, (pelt_convention)in->convention);
    out.sign_rule = (pelt_sign_rule)in->sign_rule;
    out.normal_rule = (pelt_normal_rule)in->normals[view];
    return out;
}

bool model_options_fit_gpu(const pelt_deform_options* options, const view_settings* in)
{
    bool is_usual = options->method == PELT_METHOD_LBS || options->sign_rule == PELT_SIGN_HEAVIEST;
    return pelt_gpu_has_method(options->method) && is_usual &&
           !pelt_convention_recomputes((pelt_convention)in->convention);
}
