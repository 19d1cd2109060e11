// SPDX-License-Identifier: MIT
// The layout of the animation texture thesis (2021): bytes per joint, relative to the box of its
// positions. docs/texture_format.md defines it. Uses skin_texture.glsl.

// A texel of this layout is one word of four bytes.
vec4 pelt_thesis_bytes(uint at)
{
    return vec4(pelt_baked_texel(at));
}

// Four bytes as numbers from -1 to 1.
vec4 pelt_thesis_values(uint at)
{
    return (pelt_thesis_bytes(at) - 128.0) / 127.0;
}

// Three bytes of the pivot and one of the stretch.
// row  words per row
uvec4 pelt_thesis_pivot_bytes(uint joint, uint row)
{
    uvec4 head = pelt_baked_texel(0u);
    uint keys = head.x | (head.y << 8u), joints = (head.z | (head.w << 8u)) & 0x3FFFu;
    uint rows = PELT_BAKED_KIND == PELT_BAKED_MATRIX ? 3u : 2u;
    uint above = (joint & 1u) * row + 2u + (joint >> 1u);
    uint after = (2u + rows * joint) * row + 1u + keys;
    return pelt_baked_texel(pelt_thesis_has_room(keys, joints) ? above : after);
}

vec3 pelt_thesis_pivot(uint joint, uint row, float unit)
{
    return 2.0 * unit * (vec3(pelt_thesis_pivot_bytes(joint, row).xyz) - 128.0);
}

// The value of 1 in the linear part of a matrix.
float pelt_thesis_stretch(uint joint, uint row)
{
    return pelt_power_of_two(127u + (pelt_thesis_pivot_bytes(joint, row).w & 31u));
}

struct pelt_thesis_box
{
    vec4 center;
    vec4 bounds;
};

struct pelt_thesis_matrix
{
    mat3 linear;
    vec3 position;
};

// at  first texel of a joint in the column of metadata
pelt_thesis_box pelt_thesis_matrix_box(uint at, uint row, float unit)
{
    vec4 a = pelt_thesis_bytes(at), b = pelt_thesis_bytes(at + row);
    vec4 c = pelt_thesis_bytes(at + 2u * row);
    // The integer part has the sign of the fraction.
    vec3 fraction = (vec3(a.w, b.xy) - 128.0) / 127.0;
    vec3 signs = vec3(fraction.x < 0.0 ? -1.0 : 1.0, fraction.y < 0.0 ? -1.0 : 1.0,
                     fraction.z < 0.0 ? -1.0 : 1.0);
    return pelt_thesis_box(vec4(unit * (fraction + signs * a.xyz), 0.0),
                           vec4(unit * (vec3(b.zw, c.x) + c.yzw / 255.0), 0.0));
}

pelt_thesis_box pelt_thesis_dual_box(uint at, uint row, float unit)
{
    return pelt_thesis_box(unit * (pelt_thesis_bytes(at) - 128.0),
                           unit * pelt_thesis_bytes(at + row));
}

// at  first texel of a joint in the column of a key
pelt_thesis_matrix pelt_thesis_matrix_at(uint at, uint row, pelt_thesis_box box)
{
    vec4 x = pelt_thesis_values(at), y = pelt_thesis_values(at + row);
    vec4 z = pelt_thesis_values(at + 2u * row);
    return pelt_thesis_matrix(transpose(mat3(x.xyz, y.xyz, z.xyz)),
                              box.center.xyz + box.bounds.xyz * vec3(x.w, y.w, z.w));
}

pelt_dquat pelt_thesis_dual_at(uint at, uint row, pelt_thesis_box box)
{
    return pelt_dquat(pelt_thesis_values(at),
                      box.center + box.bounds * pelt_thesis_values(at + row));
}
