// SPDX-License-Identifier: MIT
// A lit surface: a key light with a shadow, a back light, and a sky with ambient occlusion; or the
// colors of values, with weak shading so that they can be read.

in vec3 position;
in vec3 normal;
in float value;
in vec3 shown;

uniform sampler2D value_map;
uniform vec4 material; // roughness, metallic, 1: unlit, 1: values or 2: colors instead
uniform sampler2D surface_map; // green: roughness, blue: metallic
uniform sampler2D normal_map;
uniform sampler2D occlusion_map;
uniform sampler2D emissive_map;
uniform vec4 surface_row_u, surface_row_v; // see map_uv()
uniform vec4 normal_row_u, normal_row_v;
uniform vec4 occlusion_row_u, occlusion_row_v;
uniform vec4 emissive_row_u, emissive_row_v;
uniform vec4 details; // scale of normals, strength of occlusion, 1: surface_map, 1: emissive_map
uniform vec3 emissive;
uniform float is_flat;
uniform float is_sampled; // 1: alpha to coverage
uniform float is_linear;  // 1: the framebuffer blends linear light and encodes sRGB

out vec4 pixel;

const vec3 key_light = vec3(1.22, 1.18, 1.11);
const vec3 back_light = vec3(0.30, 0.34, 0.40);
const vec3 sky_light = vec3(0.44, 0.47, 0.52);
const vec3 earth_light = vec3(0.22, 0.205, 0.19);

vec3 find_normal(vec3 to_eye)
{
    vec3 flat_normal = normalize(cross(dFdx(position), dFdy(position)));
    if (is_flat > 0.5 || dot(normal, normal) < 0.01)
    {
        return dot(flat_normal, to_eye) < 0.0 ? -flat_normal : flat_normal;
    }
    return normalize(gl_FrontFacing ? normal : -normal);
}

// The normal of a normal map, whose tangents come from derivatives of the UVs on the screen (Schueler,
// "Normal Mapping Without Precomputed Tangents", ShaderX 5, 2006). n faces the eye.
vec3 bent_normal(vec3 n)
{
    vec2 at = map_uv(normal_row_u, normal_row_v);
    vec3 across = cross(dFdy(position), n);
    vec3 along = cross(n, dFdx(position));
    vec3 tangent = across * dFdx(at.x) + along * dFdy(at.x);
    vec3 bitangent = across * dFdx(at.y) + along * dFdy(at.y);
    float longest = max(dot(tangent, tangent), dot(bitangent, bitangent));
    if (details.x == 0.0 || longest <= 0.0)
    {
        return n;
    }
    vec3 texel = 2.0 * texture(normal_map, at).xyz - 1.0;
    // v goes down, and green up.
    vec2 slope = details.x * inversesqrt(longest) * vec2(texel.x, -texel.y);
    return normalize(slope.x * tangent + slope.y * bitangent + texel.z * n);
}

// GGX with the Smith visibility term as approximated by Hammon, "PBR Diffuse Lighting for GGX+Smith
// Microsurfaces", 2017.
float specular_lobe(vec3 n, vec3 v, vec3 l, float roughness)
{
    vec3 h = normalize(v + l);
    float nh = max(dot(n, h), 0.0);
    float nl = max(dot(n, l), 0.0);
    float nv = abs(dot(n, v)) + 1e-4;
    float a = roughness * roughness;
    float d = nh * nh * (a * a - 1.0) + 1.0;
    return a * a / (3.14159265 * d * d) * 0.5 / (mix(2.0 * nl * nv, nl + nv, a) + 1e-4);
}

vec3 fresnel(vec3 facing, float cosine)
{
    return facing + (1.0 - facing) * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0);
}

// Radiance of the sky in a direction. Roughness blurs the horizon.
vec3 sky_toward(vec3 direction, float roughness)
{
    float edge = mix(0.15, 1.0, roughness);
    return mix(earth_light, 1.25 * sky_light, smoothstep(-edge, edge, direction.y));
}

// Reflectance of the environment (Karis, "Physically Based Shading on Mobile", 2014).
vec3 mirrored_share(vec3 facing, float roughness, float nv)
{
    vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a = min(r.x * r.x, exp2(-9.28 * nv)) * r.x + r.y;
    vec2 ab = vec2(-1.04, 1.04) * a + r.zw;
    return facing * ab.x + ab.y;
}

vec3 light_from(vec3 direction, vec3 n, vec3 v, vec3 diffuse, vec3 facing, float roughness)
{
    float nl = max(dot(n, direction), 0.0);
    vec3 mirrored = fresnel(facing, dot(v, normalize(v + direction)));
    // Lights are in units of pi.
    return nl * (diffuse + 3.14159265 * specular_lobe(n, v, direction, roughness) * mirrored);
}

// surface  roughness, metallic, occlusion
vec3 lit_material(vec3 base, vec3 surface, vec3 n, vec3 v, float key, float sky)
{
    float roughness = clamp(surface.x, 0.12, 1.0);
    vec3 diffuse = (1.0 - surface.y) * base;
    vec3 facing = mix(vec3(0.04), base, surface.y);
    vec3 behind = normalize(vec3(-key_direction.x, 0.35, -key_direction.z));

    // The ground is lit by more of the sky than is visible from here.
    vec3 ambient = mix((0.45 + 0.55 * sky) * earth_light, sky * sky_light, 0.5 + 0.5 * n.y);
    vec3 seen = sky_toward(reflect(-v, n), roughness);
    vec3 light = key * key_light * light_from(key_direction.xyz, n, v, diffuse, facing, roughness);
    sky *= surface.z;
    ambient *= surface.z;
    light += sky * back_light * light_from(behind, n, v, diffuse, facing, roughness);
    light += ambient * diffuse;
    light += sky * seen * mirrored_share(facing, roughness, abs(dot(n, v)));
    return light;
}

// Roughness, metallic and occlusion.
vec3 surface_at_fragment()
{
    vec2 factors = material.xy;
    float open = texture(occlusion_map, map_uv(occlusion_row_u, occlusion_row_v)).r;
    vec2 texel = texture(surface_map, map_uv(surface_row_u, surface_row_v)).gb;
    return vec3(details.z > 0.5 ? factors * texel : factors, mix(1.0, open, details.y));
}

vec3 emission_at_fragment()
{
    vec3 texel = texture(emissive_map, map_uv(emissive_row_u, emissive_row_v)).rgb;
    return details.w > 0.5 ? emissive * texel : emissive;
}

vec3 color_of_value()
{
    // Values that are not numbers: see stage_body.c.
    return value < -1e20 ? vec3(0.216)
                         : texture(value_map, vec2(clamp(value, 0.0, 1.0) * 255.0 / 256.0 +
                                                       0.5 / 256.0, 0.5)).rgb;
}

// Diffuse shading only, without tone mapping, so that the color can be compared with its legend.
vec3 lit_color(vec3 color, vec3 n, float key, float sky)
{
    float lambert = 0.5 + 0.5 * dot(n, key_direction.xyz);
    return color * (0.42 + 0.58 * lambert * mix(0.75, 1.0, key)) * mix(0.7, 1.0, sky);
}

// Coverage of a masked surface: 0 to 1, with a transition one pixel wide.
float mask_coverage(float alpha)
{
    float change = fwidth(alpha);
    return change > 1e-4 && is_sampled > 0.5
               ? clamp((alpha - alpha_rule.y) / change + 0.5, 0.0, 1.0)
               : step(alpha_rule.y, alpha);
}

vec3 find_light(vec3 base)
{
    vec3 v = normalize(eye.xyz - position);
    vec3 flat_or_smooth = find_normal(v);
    vec3 n = material.w < 0.5 ? bent_normal(flat_or_smooth) : flat_or_smooth;
    float facing_key = dot(n, key_direction.xyz);
    float key = facing_key > 0.0 ? key_visibility(position, flat_or_smooth, 2.6, 8) : 0.0;
    float sky = mix(0.2, 1.0, sky_visibility(position, flat_or_smooth));
    if (material.w < 0.5)
    {
        return tone_of_light(lit_material(base, surface_at_fragment(), n, v, key, sky) +
                             emission_at_fragment());
    }
    return lit_color(material.w > 1.5 ? shown : color_of_value(), n, key, sky);
}

void main()
{
    vec4 base = base_at_fragment();
    vec3 light = material.z > 0.5 ? base.rgb : find_light(base.rgb);
    float alpha = 1.0;
    if (alpha_rule.x == ALPHA_MASK)
    {
        alpha = mask_coverage(base.a);
    }
    else if (alpha_rule.x == ALPHA_BLEND)
    {
        alpha = clamp(base.a, 0.0, 1.0);
    }
    // Discard after all derivatives, which need the neighboring fragments.
    if (alpha <= 0.0)
    {
        discard;
    }
    light = clamp(light, 0.0, 1.0);
    light = is_linear > 0.5 ? light : srgb_of_linear(light);
    // The alpha of a mask only selects samples, whose colors are not premultiplied.
    pixel = vec4(alpha_rule.x == ALPHA_BLEND ? light * alpha : light, alpha);
}
