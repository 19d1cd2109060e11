// SPDX-License-Identifier: MIT
// The derivative of the mix. That factors vary from vertex to vertex is left out: they are painted
// to vary slowly.

// What the position does along both axes, as vertex and weights change over the surface.
mat2x3 pelt_jacobian_mix(vec3 position, pelt_influences influences, pelt_rates rates, float factor)
{
    return (1.0 - factor) * pelt_jacobian_lbs(position, influences, rates) +
           factor * pelt_jacobian_dqs(position, influences, rates);
}
