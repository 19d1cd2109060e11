// SPDX-License-Identifier: MIT
// Vertices of an animation texture, which needs no joints. Uses skin_texture.glsl and
// skin_texture_thesis.glsl.

// The unit vector of octahedral coordinates (Meyer et al., "On Floating-Point Normal Vectors",
// 2010).
vec3 pelt_octahedron(vec2 e)
{
    float z = 1.0 - abs(e.x) - abs(e.y);
    vec2 signs = vec2(e.x < 0.0 ? -1.0 : 1.0, e.y < 0.0 ? -1.0 : 1.0);
    vec2 folded = z < 0.0 ? (1.0 - abs(e.yx)) * signs : e;
    return normalize(vec3(folded, z));
}

vec3 pelt_stored_normal(inout pelt_words words, uint key, uint bit, uint width)
{
    vec2 steps = vec2(float(pelt_bits(words, key, bit, width)),
                      float(pelt_bits(words, key, bit + width, width)));
    return pelt_octahedron(2.0 * steps / float((1u << width) - 1u) - 1.0);
}

// The same in the layout of the thesis: one box of all vertices, then a row for each position, and
// one for each normal.
pelt_vertex pelt_thesis_vertex(pelt_rest rest, uint vertex, pelt_moment moment, float unit)
{
    uint row = moment.table, box = 2u * row, at = box + vertex * row;
    pelt_words words = pelt_words_make();
    uint head = pelt_word(words, box);
    vec3 center, bounds;
    for (int i = 0; i < 3; ++i)
    {
        center[i] = unit * pelt_word_float(words, box + (1u + uint(i)) * row);
        bounds[i] = unit * pelt_word_float(words, box + (4u + uint(i)) * row);
    }
    vec3 first = pelt_thesis_values(at + moment.key).xyz;
    vec3 second = pelt_thesis_values(at + moment.next).xyz;
    vec3 offset = center + bounds * ((1.0 - moment.u) * first + moment.u * second);
    vec3 normal = rest.normal;
    if ((head & 0x80000000u) != 0u)
    {
        at += (head & 0x7FFFFFFFu) * row;
        first = pelt_thesis_values(at + moment.key).xyz;
        second = pelt_thesis_values(at + moment.next).xyz;
        normal = normalize((1.0 - moment.u) * first + moment.u * second);
    }
    return pelt_vertex(rest.position + offset, normal, rest.tangent);
}

// The rest position plus the stored offset, and the stored normal, or else the rest normal.
pelt_vertex pelt_vertex_stored(pelt_rest rest, uint vertex, pelt_moment moment, float unit)
{
    if (PELT_BAKED_LAYOUT == PELT_BAKED_THESIS)
    {
        return pelt_thesis_vertex(rest, vertex, moment, unit);
    }
    pelt_words words = pelt_words_make(), key = pelt_words_make(), next = pelt_words_make();
    uint header = pelt_word(words, moment.table);
    uint width = header & 255u, normal_width = (header >> 8u) & 255u;
    bool is_shared = (header & 0x10000u) != 0u;
    uint component = moment.table + 1u + (is_shared ? 0u : 3u * vertex);
    uint bit = vertex * (3u * width + 2u * normal_width);

    vec3 position = rest.position;
    for (int i = 0; i < 3; ++i)
    {
        uint word = pelt_word(words, component + uint(i));
        float first = pelt_component_value(word, unit, pelt_bits(key, moment.key, bit, width));
        float second = pelt_component_value(word, unit, pelt_bits(next, moment.next, bit, width));
        position[i] += (1.0 - moment.u) * first + moment.u * second;
        bit += width;
    }
    vec3 normal = rest.normal;
    if (normal_width > 0u)
    {
        vec3 first = pelt_stored_normal(key, moment.key, bit, normal_width);
        vec3 second = pelt_stored_normal(next, moment.next, bit, normal_width);
        normal = normalize((1.0 - moment.u) * first + moment.u * second);
    }
    return pelt_vertex(position, normal, rest.tangent);
}

// vertex  its index in the texture: see pelt_baked_instance.vertex_ids
pelt_vertex pelt_baked_vertex(pelt_rest rest, uint vertex, pelt_playing playing)
{
    pelt_vertex result = pelt_vertex_at_rest(rest);
    for (int i = 0; i < (playing.fade != 0.0 ? 2 : 1); ++i)
    {
        pelt_vertex stored = pelt_vertex_stored(rest, vertex, playing.moments[i], playing.units.x);
        float factor = i == 0 ? 1.0 : playing.fade;
        result.position = (1.0 - factor) * result.position + factor * stored.position;
        result.normal = i == 0 ? stored.normal
                               : normalize((1.0 - factor) * result.normal + factor * stored.normal);
    }
    return result;
}
