// SPDX-License-Identifier: MIT
// Joints of an animation texture: records, the three encodings of a motion, blends of moments, and
// the hierarchy. Uses skin_texture.glsl and skin_texture_thesis.glsl.

// The motion of a joint relative to its parent, in the encoding in which it is stored and blended.
struct pelt_local
{
    vec4 rotation;  // unit quaternion; encoding dq: the real part
    vec4 position;  // of the pivot; encoding dq: the dual part
    mat3 stretch;   // symmetric; encoding matrix: the whole linear part
    bool is_skewed; // the stretch is not uniform
};

// Reads the components of a record in order, at both keys.
struct pelt_record
{
    uint at;  // next word of the record
    uint bit; // next bit of the keys
    pelt_words words;
    pelt_words key;
    pelt_words next;
};

// A component at key and next key.
vec2 pelt_take(inout pelt_record record, pelt_moment moment, float scale)
{
    uint component = pelt_word(record.words, record.at);
    uint width = component & 31u;
    width = width == 31u ? 32u : width;
    uint first = pelt_bits(record.key, moment.key, record.bit, width);
    uint second = pelt_bits(record.next, moment.next, record.bit, width);
    record.at += 1u;
    record.bit += width;
    return vec2(pelt_component_value(component, scale, first),
                pelt_component_value(component, scale, second));
}

// Three components at key and next key.
struct pelt_key_pair
{
    vec3 first;
    vec3 second;
};

pelt_key_pair pelt_take_vector(inout pelt_record record, pelt_moment moment, float scale)
{
    vec2 x = pelt_take(record, moment, scale);
    vec2 y = pelt_take(record, moment, scale);
    vec2 z = pelt_take(record, moment, scale);
    return pelt_key_pair(vec3(x.x, y.x, z.x), vec3(x.y, y.y, z.y));
}

vec3 pelt_take_between(inout pelt_record record, pelt_moment moment, float scale)
{
    pelt_key_pair keys = pelt_take_vector(record, moment, scale);
    return (1.0 - moment.u) * keys.first + moment.u * keys.second;
}

// One axis of the deviation of a path, see pelt_take_path().
// code  4 bits width, 1 bit mantissa, 5 bits exponent
float pelt_take_step(inout pelt_record record, pelt_moment moment, uint code, float scale)
{
    uint width = code & 15u;
    if (width == 0u)
    {
        return 0.0;
    }
    uint value = pelt_bits(record.key, moment.key, record.bit, width);
    record.bit += width;
    float range = scale * float(2u + ((code >> 4u) & 1u)) *
                  pelt_power_of_two(((code >> 5u) & 31u) + 97u);
    float middle = float(1u << (width - 1u));
    return range * ((float(value) - middle) / (middle + middle));
}

// The deviation of the path after the first key from linear interpolation: a parabola that is zero
// at both keys.
vec3 pelt_take_path(inout pelt_record record, pelt_moment moment, float scale)
{
    uint path = pelt_word(record.words, record.at);
    record.at += 1u;
    float x = pelt_take_step(record, moment, path & 1023u, scale);
    float y = pelt_take_step(record, moment, (path >> 10u) & 1023u, scale);
    float z = pelt_take_step(record, moment, (path >> 20u) & 1023u, scale);
    return 4.0 * moment.u * (1.0 - moment.u) * vec3(x, y, z);
}

// A rotation stored in one word.
vec4 pelt_take_axes(inout pelt_record record, bool has_axes)
{
    if (!has_axes)
    {
        return vec4(0.0, 0.0, 0.0, 1.0);
    }
    uint word = pelt_word(record.words, record.at);
    record.at += 1u;
    vec3 steps = vec3(float(word & 1023u), float((word >> 10u) & 1023u),
                      float((word >> 20u) & 1023u));
    return pelt_quat_from_vector((steps - 511.0) / 511.0);
}

void pelt_take_stretch(inout pelt_local pose, inout pelt_record record, pelt_moment moment,
                       uint flags, float unit)
{
    uint stretch = (flags >> 25u) & 3u;
    if (stretch == 1u)
    {
        vec2 keys = pelt_take(record, moment, unit);
        pose.stretch = mat3(1.0) * ((1.0 - moment.u) * keys.x + moment.u * keys.y);
    }
    else if (stretch == 2u)
    {
        vec3 same = pelt_take_between(record, moment, unit);  // xx yy zz
        vec3 other = pelt_take_between(record, moment, unit); // yz zx xy
        pose.stretch = mat3(vec3(same.x, other.z, other.y), vec3(other.z, same.y, other.x),
                            vec3(other.y, other.x, same.z));
        pose.is_skewed = true;
    }
}

// units  of positions, and of stretches
void pelt_take_pose(inout pelt_local pose, inout pelt_record record, pelt_moment moment,
                    uint flags, vec2 units)
{
    pose.rotation = pelt_take_axes(record, (flags & 0x400000u) != 0u);
    vec4 rotation_axes = pelt_take_axes(record, (flags & 0x20000000u) != 0u);
    vec4 axes = pelt_take_axes(record, (flags & 0x40000000u) != 0u);
    if ((flags & 0x800000u) != 0u)
    {
        pelt_key_pair keys = pelt_take_vector(record, moment, 1.0);
        vec4 first = pelt_quat_from_vector(pelt_quat_rotate(rotation_axes, keys.first));
        vec4 second = pelt_quat_from_vector(pelt_quat_rotate(rotation_axes, keys.second));
        // As the reference, which rotates both keys.
        pose.rotation = pelt_quat_mul(pose.rotation, pelt_quat_slerp(first, second, moment.u));
    }
    if ((flags & 0x1000000u) != 0u)
    {
        vec3 position = pelt_take_between(record, moment, units.x);
        pose.position = vec4(pelt_quat_rotate(axes, position), 0.0);
    }
    pelt_take_stretch(pose, record, moment, flags, units.y);
    if ((flags & 0x8000000u) != 0u)
    {
        vec3 path = pelt_take_path(record, moment, 1.0);
        vec4 change = vec4(pelt_quat_rotate(rotation_axes, path), 1.0);
        pose.rotation = normalize(pelt_quat_mul(pose.rotation, change));
    }
    if ((flags & 0x10000000u) != 0u)
    {
        pose.position.xyz += pelt_quat_rotate(axes, pelt_take_path(record, moment, units.x));
    }
}

// A column of a matrix between two keys: the direction by spherical, the length by linear
// interpolation; all linear if they are more than a right angle apart.
vec3 pelt_mix_column(vec3 a, vec3 b, float u)
{
    vec3 from = pelt_normalize(a), to = pelt_normalize(b);
    if (dot(from, to) < 0.0)
    {
        return (1.0 - u) * a + u * b;
    }
    vec2 parts = pelt_arc_parts(dot(to - from, to - from), u);
    float size = (1.0 - u) * length(a) + u * length(b);
    return size * pelt_normalize(parts.x * from + parts.y * to);
}

void pelt_mix_linear(inout pelt_local pose, mat3 first, mat3 second, float u, bool is_spherical)
{
    pose.stretch = (1.0 - u) * first + u * second;
    if (is_spherical)
    {
        pose.stretch =
            mat3(pelt_mix_column(first[0], second[0], u), pelt_mix_column(first[1], second[1], u),
                 pelt_mix_column(first[2], second[2], u));
    }
    pose.is_skewed = true;
}

void pelt_take_matrix(inout pelt_local pose, inout pelt_record record, pelt_moment moment,
                      vec2 units, bool is_spherical)
{
    pelt_key_pair x = pelt_take_vector(record, moment, units.y);
    pelt_key_pair y = pelt_take_vector(record, moment, units.y);
    pelt_key_pair z = pelt_take_vector(record, moment, units.y);
    pelt_mix_linear(pose, transpose(mat3(x.first, y.first, z.first)),
                    transpose(mat3(x.second, y.second, z.second)), moment.u, is_spherical);
    pose.position = vec4(pelt_take_between(record, moment, units.x), 0.0);
}

// Dual quaternions between two keys or two moments: a linear blend in the hemisphere of the first,
// divided by the length of the real part.
pelt_dquat pelt_mix_duals(pelt_dquat a, pelt_dquat b, float u)
{
    float other = dot(a.real, b.real) < 0.0 ? -u : u;
    vec4 real = (1.0 - u) * a.real + other * b.real;
    vec4 dual = (1.0 - u) * a.dual + other * b.dual;
    float size = length(real);
    return pelt_dquat(real / size, dual / size);
}

void pelt_take_dual(inout pelt_local pose, inout pelt_record record, pelt_moment moment,
                    uint flags, vec2 units)
{
    pelt_key_pair real = pelt_take_vector(record, moment, 1.0);
    vec2 real_w = pelt_take(record, moment, 1.0);
    pelt_key_pair dual = pelt_take_vector(record, moment, units.x);
    vec2 dual_w = pelt_take(record, moment, units.x);
    pelt_dquat between = pelt_mix_duals(
        pelt_dquat(vec4(real.first, real_w.x), vec4(dual.first, dual_w.x)),
        pelt_dquat(vec4(real.second, real_w.y), vec4(dual.second, dual_w.y)), moment.u);
    pose.rotation = between.real;
    pose.position = between.dual;
    pelt_take_stretch(pose, record, moment, flags, units.y);
}

void pelt_take_thesis(inout pelt_local pose, uint joint, pelt_moment moment, float unit,
                      bool is_spherical)
{
    uint row = moment.table, rows = PELT_BAKED_KIND == PELT_BAKED_MATRIX ? 3u : 2u;
    uint at = (2u + rows * joint) * row;
    if (PELT_BAKED_KIND == PELT_BAKED_MATRIX)
    {
        pelt_thesis_box box = pelt_thesis_matrix_box(at, row, unit);
        pelt_thesis_matrix a = pelt_thesis_matrix_at(at + moment.key, row, box);
        pelt_thesis_matrix b = pelt_thesis_matrix_at(at + moment.next, row, box);
        float stretch = pelt_thesis_stretch(joint, row);
        pelt_mix_linear(pose, stretch * a.linear, stretch * b.linear, moment.u, is_spherical);
        pose.position = vec4((1.0 - moment.u) * a.position + moment.u * b.position, 0.0);
        return;
    }
    pelt_thesis_box box = pelt_thesis_dual_box(at, row, unit);
    pelt_dquat a = pelt_thesis_dual_at(at + moment.key, row, box);
    pelt_dquat b = pelt_thesis_dual_at(at + moment.next, row, box);
    pelt_dquat between = pelt_mix_duals(a, b, moment.u);
    pose.rotation = between.real;
    pose.position = between.dual;
}

// The stored motion of a joint at a moment; a joint without a record does not move.
pelt_local pelt_local_stored(uint joint, vec3 pivot, pelt_moment moment, vec2 units,
                             bool is_spherical)
{
    bool is_dual = PELT_BAKED_KIND == PELT_BAKED_DUAL;
    pelt_local pose;
    pose.rotation = vec4(0.0, 0.0, 0.0, 1.0);
    pose.position = vec4(is_dual ? 0.5 * pivot : pivot, 0.0);
    pose.stretch = mat3(1.0);
    pose.is_skewed = false;
    if (PELT_BAKED_LAYOUT == PELT_BAKED_THESIS)
    {
        pelt_take_thesis(pose, joint, moment, units.x, is_spherical);
        return pose;
    }
    pelt_record record;
    record.words = pelt_words_make();
    record.key = pelt_words_make();
    record.next = pelt_words_make();
    uint pair = pelt_word(record.words, moment.table + (joint >> 1u));
    uint offset = (joint & 1u) == 0u ? pair & 0xFFFFu : pair >> 16u;
    if (offset == 0u)
    {
        return pose;
    }
    record.at = moment.table + offset;
    uint flags = pelt_word(record.words, record.at);
    record.at += 1u;
    record.bit = flags & 0xFFFFFu;
    if (PELT_BAKED_KIND == PELT_BAKED_MATRIX)
    {
        pelt_take_matrix(pose, record, moment, units, is_spherical);
    }
    else if (PELT_BAKED_KIND == PELT_BAKED_DUAL)
    {
        pelt_take_dual(pose, record, moment, flags, units);
    }
    else
    {
        pelt_take_pose(pose, record, moment, flags, units);
    }
    return pose;
}

pelt_local pelt_local_fade(pelt_local a, pelt_local b, float factor)
{
    mat3 stretch = (1.0 - factor) * a.stretch + factor * b.stretch;
    bool is_skewed = a.is_skewed || b.is_skewed;
    if (PELT_BAKED_KIND == PELT_BAKED_DUAL)
    {
        pelt_dquat between = pelt_mix_duals(pelt_dquat(a.rotation, a.position),
                                            pelt_dquat(b.rotation, b.position), factor);
        return pelt_local(between.real, between.dual, stretch, is_skewed);
    }
    return pelt_local(pelt_quat_slerp(a.rotation, b.rotation, factor),
                      (1.0 - factor) * a.position + factor * b.position, stretch, is_skewed);
}

// Add the change of a clip since its first key to a motion.
pelt_local pelt_local_add(pelt_local pose, pelt_local first, pelt_local now, float weight)
{
    vec4 change = pelt_quat_mul(pelt_quat_conjugate(first.rotation), now.rotation);
    change = pelt_quat_slerp(vec4(0.0, 0.0, 0.0, 1.0), change, weight);
    return pelt_local(pelt_quat_mul(pose.rotation, change),
                      pose.position + weight * (now.position - first.position),
                      pose.stretch + weight * (now.stretch - first.stretch),
                      pose.is_skewed || first.is_skewed || now.is_skewed);
}

// One loop instead of four calls, because compilers inline every call.
pelt_local pelt_local_at(uint joint, vec3 pivot, pelt_playing playing)
{
    bool is_added = playing.weight != 0.0 && PELT_BAKED_KIND == PELT_BAKED_POSE;
    pelt_local pose, first;
    for (int i = 0; i < (is_added ? 4 : 2); ++i)
    {
        if (i == 1 && playing.fade == 0.0)
        {
            continue;
        }
        pelt_local stored = pelt_local_stored(joint, pivot, playing.moments[i], playing.units,
                                              playing.is_spherical);
        if (i == 0)
        {
            pose = stored;
            first = stored;
        }
        else if (i == 1)
        {
            pose = pelt_local_fade(pose, stored, playing.fade);
        }
        else if (i == 2)
        {
            first = stored;
        }
        else
        {
            pose = pelt_local_add(pose, first, stored, playing.weight);
        }
    }
    return pose;
}

// ---------------------------------------------------------------------------------------------
// Hierarchy

// The motion of a joint from bind pose to current pose, as in a palette.
struct pelt_joint
{
    vec4 x; // rows of its matrix, translation last
    vec4 y;
    vec4 z;
    vec4 rotation; // unit quaternion, without the stretch
};

// Whether a symmetric matrix is positive definite.
bool pelt_is_positive(mat3 a)
{
    return a[0].x > 0.0 && a[0].x * a[1].y > a[0].y * a[0].y &&
           dot(a[0], cross(a[1], a[2])) > 0.0;
}

// The parent of a joint, 0xFFFFFFFF for none, and its pivot.
uint pelt_parent(out vec3 pivot, inout pelt_words words, uint joint, pelt_playing playing)
{
    if (PELT_BAKED_LAYOUT == PELT_BAKED_THESIS)
    {
        pivot = pelt_thesis_pivot(joint, playing.moments[0].table, playing.units.x);
        return 0xFFFFFFFFu;
    }
    uint at = playing.joints + 4u * joint;
    uint parent = pelt_word(words, at);
    pivot = vec3(pelt_word_float(words, at + 1u), pelt_word_float(words, at + 2u),
                 pelt_word_float(words, at + 3u));
    return parent;
}

// Concatenate the motions from the joint up to its root.
pelt_joint pelt_joint_at(uint joint, pelt_playing playing)
{
    mat3 linear = mat3(1.0);
    vec3 translation = vec3(0.0);
    vec4 rotation = vec4(0.0, 0.0, 0.0, 1.0);
    bool is_skewed = false;
    pelt_words words = pelt_words_make();
    uint link = joint;
    for (uint i = 0u; i < playing.joint_count && link < playing.joint_count; ++i)
    {
        vec3 pivot;
        uint parent = pelt_parent(pivot, words, link, playing);
        pelt_local pose = pelt_local_at(link, pivot, playing);
        mat3 map = pelt_mat3_from_quat(pose.rotation) * pose.stretch;
        vec3 position = pose.position.xyz;
        if (PELT_BAKED_KIND == PELT_BAKED_DUAL)
        {
            position = pelt_dquat_translation(pelt_dquat(pose.rotation, pose.position));
        }
        linear = map * linear;
        translation = map * (translation - pivot) + position;
        rotation = pelt_quat_mul(pose.rotation, rotation);
        // The joint's own stretch is applied first and does not change the rotation unless it
        // mirrors.
        bool is_first = i == 0u && PELT_BAKED_KIND != PELT_BAKED_MATRIX;
        is_skewed = is_skewed || (pose.is_skewed && !(is_first && pelt_is_positive(pose.stretch)));
        link = parent;
    }
    if (is_skewed)
    {
        rotation = pelt_polar_rotation(linear);
    }
    mat3 rows = transpose(linear);
    return pelt_joint(vec4(rows[0], translation.x), vec4(rows[1], translation.y),
                      vec4(rows[2], translation.z), rotation);
}
