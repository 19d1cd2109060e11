// SPDX-License-Identifier: MIT
// A program of somebody else, with the core: half of a tetrahedron moves up.
#include <pelt/color.h>
#include <pelt/metrics.h>
#include <pelt/prepare.h>
#include <stdio.h>

int main(void)
{
    const pelt_vec3 rest[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const uint32_t indices[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    const uint32_t first[] = {0, 1, 2, 3, 4};
    const pelt_influence influences[] = {{0, 0, 1}, {0, 0, 1}, {1, 0, 1}, {0, 0, 1}};
    const pelt_weights weights = {4, 2, 1, 4, (uint32_t*)first, (pelt_influence*)influences};
    pelt_vec3 out[4];
    pelt_palette palette;
    if (pelt_palette_create(&palette, 2) != PELT_OK)
    {
        return 1;
    }
    palette.matrices[0] = palette.matrices[1] = pelt_mat34_identity();
    palette.matrices[1].m[1][3] = 1.0f; // the second joint: one meter up, so twice as high
    pelt_palette_decompose(&palette);
    pelt_deform(&(pelt_surface){.positions = out},
                &(pelt_deform_input){.positions = rest, .weights = &weights, .palette = &palette},
                &(pelt_deform_options){.method = PELT_METHOD_DQS}, (pelt_range){0, 4});
    pelt_palette_destroy(&palette);
    double volume = pelt_mesh_volume(out, indices, 12);
    printf("%s %s %f\n", PELT_VERSION_STRING, pelt_cor_solver_name(PELT_COR_FAST), volume);
    return volume > 0.333333 && volume < 0.333334 ? 0 : 1; // 1/6 of 1 * 2 * 1
}
