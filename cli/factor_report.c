// SPDX-License-Identifier: MIT
#include "factor_report.h"

#include "message.h"
#include "output.h"

// For crs, in every mesh.
static bool has_centers(const factor_report* in)
{
    return in->found.centered_count == in->found.mesh_count;
}

void factor_report_print(const factor_report* in)
{
    const pelt_scene_normal_report* found = &in->found;
    if (found->mesh_count == 0)
    {
        return;
    }
    message_note("computed normal factors with up to %u joints in %.2f ms, for %llu of %llu "
                 "vertices, since weights are constant around the others; %s",
                 in->options.max_joints, 1e3 * in->seconds,
                 (unsigned long long)found->varying_count, (unsigned long long)found->vertex_count,
                 has_centers(in) ? "for lbs, dqs, mix and crs"
                                 : "for lbs, dqs and mix; crs needs --cor");
    if (in->options.bits != 0)
    {
        message_note("%u bits turn these normals by %.2g degrees on average, and by %.2g at most",
                     in->options.bits, normal_error_mean(&in->rounding), in->rounding.max);
    }
    if (found->bare_count > 0)
    {
        message_note("%u %s no normals, and so no factors", found->bare_count,
                     found->bare_count == 1 ? "skinned mesh has" : "skinned meshes have");
    }
}

json_t* factor_report_describe(const factor_report* in)
{
    const pelt_scene_normal_report* found = &in->found;
    uint32_t bits = in->options.bits;
    json_t* rounding =
        bits == 0 ? json_null()
                  : json_pack("{s:o, s:o}", "mean", output_real(normal_error_mean(&in->rounding)),
                              "max", output_real(in->rounding.max));
    return json_pack(
        "{s:i, s:i, s:o, s:b, s:o, s:I, s:I, s:I, s:I}", "joints", (int)in->options.max_joints,
        "bits", bits != 0 ? (int)bits : 32, "rounding_degrees", rounding, "centers",
        has_centers(in) && found->mesh_count > 0, "seconds", output_real(in->seconds), "meshes",
        (json_int_t)found->mesh_count, "without_normals", (json_int_t)found->bare_count, "vertices",
        (json_int_t)found->vertex_count, "varying", (json_int_t)found->varying_count);
}
