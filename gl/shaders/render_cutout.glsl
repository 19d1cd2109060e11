// SPDX-License-Identifier: MIT
// Depths of surfaces that are not opaque, for shadow maps: masked texels are discarded, and blended
// surfaces are dithered by their alpha.

// A threshold above 0: interleaved gradient noise, as in render_light.glsl.
float dither_threshold()
{
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    return 1.0 - noise;
}

void main()
{
    float threshold = alpha_rule.x == ALPHA_MASK ? alpha_rule.y : dither_threshold();
    if (base_at_fragment().a < threshold)
    {
        discard;
    }
}
