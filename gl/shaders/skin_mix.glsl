// SPDX-License-Identifier: MIT
// The mix of linear blend and dual quaternion skinning by a factor, 0 to 1: their matrices are
// averaged, so that normals follow from the mean matrix and not from a mean of normals.

pelt_motion pelt_skin_mix(vec3 position, pelt_influences influences, float factor)
{
    pelt_motion lbs = pelt_skin_lbs(position, influences);
    pelt_motion dqs = pelt_skin_dqs(position, influences);
    return pelt_motion((1.0 - factor) * lbs.linear + factor * dqs.linear,
                       (1.0 - factor) * lbs.position + factor * dqs.position);
}
