// SPDX-License-Identifier: MIT
// Base color and alpha of a material at a point of its surface.

#define ALPHA_MASK 1.0 // as in pelt_alpha_mode
#define ALPHA_BLEND 2.0

in vec2 uv;
in vec4 tint;

uniform sampler2D base_map;
uniform vec4 base_color;
uniform vec3 alpha_rule; // mode, cutoff, 1 with a texture, 2 with its alpha only

vec4 base_at_fragment()
{
    vec4 base = base_color * tint;
    if (alpha_rule.z > 0.5)
    {
        // Textures of materials that are not opaque have premultiplied alpha.
        vec4 texel = texture(base_map, uv);
        float alpha = alpha_rule.x > 0.5 ? max(texel.a, 1.0 / 255.0) : 1.0;
        base *= vec4(alpha_rule.z > 1.5 ? vec3(1.0) : texel.rgb / alpha, texel.a);
    }
    return base;
}
