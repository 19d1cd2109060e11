// SPDX-License-Identifier: MIT
// Base color and alpha of a material at a point of its surface.

#define ALPHA_MASK 1.0 // as in pelt_alpha_mode
#define ALPHA_BLEND 2.0

in vec4 uv; // of two sets
in vec4 tint;

uniform sampler2D base_map;
uniform vec4 base_color;
uniform vec4 base_row_u; // see map_uv()
uniform vec4 base_row_v;
uniform vec3 alpha_rule; // mode, cutoff, 1 with a texture, 2 with its alpha only

// UVs in a texture: rows of the matrix that acts on (u, v, 1); w of the first selects the set.
vec2 map_uv(vec4 row_u, vec4 row_v)
{
    vec3 from = vec3(row_u.w > 0.5 ? uv.zw : uv.xy, 1.0);
    return vec2(dot(row_u.xyz, from), dot(row_v.xyz, from));
}

vec4 base_at_fragment()
{
    vec4 base = base_color * tint;
    if (alpha_rule.z > 0.5)
    {
        // Textures of materials that are not opaque have premultiplied alpha.
        vec4 texel = texture(base_map, map_uv(base_row_u, base_row_v));
        float alpha = alpha_rule.x > 0.5 ? max(texel.a, 1.0 / 255.0) : 1.0;
        base *= vec4(alpha_rule.z > 1.5 ? vec3(1.0) : texel.rgb / alpha, texel.a);
    }
    return base;
}
