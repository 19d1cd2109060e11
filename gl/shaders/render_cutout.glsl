// SPDX-License-Identifier: MIT
// Depths of surfaces that are not opaque, for maps of shadows: masks have their holes, and as many
// texels of a blended surface are there as it hides light.

// Thresholds that any square of four by four texels has all of (Bayer 1973), 1/32 to 31/32.
float dither_threshold()
{
    ivec2 texel = ivec2(gl_FragCoord.xy);
    int x = texel.x ^ texel.y, y = texel.y;
    int rank = (x & 1) << 3 | (y & 1) << 2 | (x & 2) | (y & 2) >> 1;
    return (float(rank) + 0.5) / 16.0;
}

void main()
{
    float threshold = alpha_rule.x == ALPHA_MASK ? alpha_rule.y : dither_threshold();
    if (base_at_place().a < threshold)
    {
        discard;
    }
}
