// SPDX-License-Identifier: MIT
// A sample of a surface whose pixels are shaded already. It takes the color of the pixel that it is
// in or, where that shows another surface, of the neighbor whose depth continues the triangle.

uniform sampler2D shaded_color;
uniform sampler2D shaded_depth;

out vec4 pixel;

void main()
{
    const ivec2 around[4] = ivec2[4](ivec2(-1, 0), ivec2(1, 0), ivec2(0, -1), ivec2(0, 1));
    ivec2 center = ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(shaded_depth, 0) - 1;
    vec2 slope = vec2(dFdx(gl_FragCoord.z), dFdy(gl_FragCoord.z));
    // Below that, depths are the same: they have 24 bits. The first of equal ones is taken.
    float rounding = 4.0e-7 + 0.02 * (abs(slope.x) + abs(slope.y));
    ivec2 best = center;
    float least = max(abs(texelFetch(shaded_depth, center, 0).r - gl_FragCoord.z), rounding);
    for (int i = 0; i < 4; ++i)
    {
        ivec2 at = clamp(center + around[i], ivec2(0), last);
        float expected = gl_FragCoord.z + dot(vec2(at - center), slope);
        float off = max(abs(texelFetch(shaded_depth, at, 0).r - expected), rounding);
        best = off < least ? at : best;
        least = min(off, least);
    }
    vec4 shaded = texelFetch(shaded_color, best, 0);
    // A surface thinner than a pixel, which none of these shows.
    if (shaded.a == 0.0)
    {
        discard;
    }
    pixel = shaded;
}
