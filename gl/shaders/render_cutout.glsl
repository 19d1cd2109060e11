// SPDX-License-Identifier: MIT
// Depths of surfaces that are not opaque, for maps of shadows: masks have their holes, and as many
// texels of a blended surface are there as it hides light.

// Thresholds that any three by three texels have about evenly (interleaved gradient noise, Jimenez
// 2014), above 0.
float dither_threshold()
{
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    return 1.0 - noise;
}

void main()
{
    float threshold = alpha_rule.x == ALPHA_MASK ? alpha_rule.y : dither_threshold();
    if (base_at_place().a < threshold)
    {
        discard;
    }
}
