// SPDX-License-Identifier: MIT
// The default background: light gray, darker towards the edges, in sRGB.

in vec2 corner;

out vec4 pixel;

void main()
{
    float r = dot(corner, corner);
    float gray = 0.915 - 0.15 * r / (1.0 + 0.35 * r);
    // Noise as in render_light.glsl, below the step of a byte, prevents banding.
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    pixel = vec4(vec3(gray, gray + 0.003, gray + 0.008) + (noise - 0.5) / 255.0, 1.0);
}
