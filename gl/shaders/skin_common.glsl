// SPDX-License-Identifier: MIT
// What the skinning methods share. A method consists of three functions: pelt_skin_X() computes the
// motion of a vertex, pelt_move_X() applies it, and pelt_deform_X() does both.

// The position of a vertex in the current pose, and the linear part of its map, for normals.
struct pelt_motion
{
    mat3 linear;
    vec3 position;
};

// Strongest first: the first influence decides between q and -q, and must not be padding. Unused
// slots have weight 0 and any valid joint; PELT_INFLUENCES slots are read.
struct pelt_influences
{
    uint joints[8];
    float weights[8];
};

// A vertex in the bind pose. Members that the method and the normal rule do not read may be 0.
struct pelt_rest
{
    vec3 position;
    vec3 normal;
    vec4 tangent;
    vec3 center;      // crs: center of rotation
    float mix_factor; // mix: 0 (lbs) to 1 (dqs)
    int index;        // accurate normals: index of the vertex in the texture of factors
};

// A vertex in the current pose, in model space.
struct pelt_vertex
{
    vec3 position;
    vec3 normal;
    vec4 tangent;
};

// A rigid motion: rotate by real, then translate by 2 * dual * conjugate(real). x y z w.
struct pelt_dquat
{
    vec4 real;
    vec4 dual;
};

// Influences 0 to 3, and 4 to 7 where PELT_INFLUENCES is more than 4.
pelt_influences pelt_influences_make(uvec4 joints, vec4 weights, uvec4 more_joints,
                                     vec4 more_weights)
{
    pelt_influences influences;
    for (int i = 0; i < 4; ++i)
    {
        influences.joints[i] = joints[i];
        influences.weights[i] = weights[i];
        influences.joints[i + 4] = more_joints[i];
        influences.weights[i + 4] = more_weights[i];
    }
    return influences;
}

vec4 pelt_quat_mul(vec4 a, vec4 b)
{
    return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

vec4 pelt_quat_conjugate(vec4 q)
{
    return vec4(-q.xyz, q.w);
}

mat3 pelt_mat3_from_quat(vec4 q)
{
    vec3 d = q.xyz + q.xyz;
    vec3 x = q.x * d;
    vec3 w = q.w * d;
    float yy = q.y * d.y, yz = q.y * d.z, zz = q.z * d.z;
    return mat3(vec3(1.0 - (yy + zz), x.y + w.z, x.z - w.y),
                vec3(x.y - w.z, 1.0 - (x.x + zz), yz + w.x),
                vec3(x.z + w.y, yz - w.x, 1.0 - (x.x + yy)));
}

// The dual part is translation * rotation / 2.
pelt_dquat pelt_dquat_make(vec4 rotation, vec3 translation)
{
    vec3 dual = rotation.w * translation + cross(translation, rotation.xyz);
    return pelt_dquat(rotation, 0.5 * vec4(dual, -dot(translation, rotation.xyz)));
}

// The vector part of 2 * dual * conjugate(real).
vec3 pelt_dquat_translation(pelt_dquat d)
{
    return 2.0 * (d.real.w * d.dual.xyz - d.dual.w * d.real.xyz + cross(d.real.xyz, d.dual.xyz));
}

// The sign with which a quaternion enters a blend. q and -q are the same rotation, and the one in
// the hemisphere of the strongest influence is used, unless signs come from the palette.
float pelt_sign_of(vec4 q, vec4 strongest)
{
    return PELT_SIGNS == PELT_SIGNS_HEAVIEST && dot(strongest, q) < 0.0 ? -1.0 : 1.0;
}

// Whether a sum of quaternions is too short to have a direction. The strongest influence is used
// alone then.
bool pelt_is_canceled(vec4 sum)
{
    return !(dot(sum, sum) > 1e-12);
}

// Zero stays zero. The vector is scaled first, so that a tiny one keeps its direction.
vec3 pelt_normalize(vec3 v)
{
    float largest = max(abs(v.x), max(abs(v.y), abs(v.z)));
    return largest > 0.0 ? normalize(v / largest) : vec3(0.0);
}

// A singular map may take a direction to zero. The direction by the strongest joint alone is used
// then, so that results are always unit vectors.
vec3 pelt_unit_or(vec3 moved, vec3 by_strongest, vec3 rest)
{
    if (moved != vec3(0.0))
    {
        return pelt_normalize(moved);
    }
    return by_strongest != vec3(0.0) ? pelt_normalize(by_strongest) : rest;
}

// The sign of the determinant: -1 for maps that mirror.
float pelt_handedness_of(mat3 linear)
{
    return dot(linear[0], cross(linear[1], linear[2])) < 0.0 ? -1.0 : 1.0;
}

// Normals are transformed by the cofactor matrix: the inverse transpose times the determinant,
// which also exists for singular maps. The handedness makes them point outwards from mirrored
// surfaces.
vec3 pelt_move_normal(mat3 linear, float handedness, mat3 strongest, vec3 n)
{
    mat3 cofactor = mat3(cross(linear[1], linear[2]), cross(linear[2], linear[0]),
                         cross(linear[0], linear[1]));
    return pelt_unit_or(handedness * (cofactor * n), strongest * n, n);
}

// A mirror flips tangent.w.
vec4 pelt_move_tangent(mat3 linear, float handedness, mat3 strongest, vec4 t)
{
    return vec4(pelt_unit_or(linear * t.xyz, strongest * t.xyz, t.xyz), handedness * t.w);
}

// The skinned vertex.
// handedness  that of the strongest joint: the determinant of a blend that collapses has any sign
// strongest   linear map of the strongest joint alone
pelt_vertex pelt_move_vertex(pelt_rest rest, pelt_motion motion, float handedness, mat3 strongest)
{
    return pelt_vertex(motion.position,
                       pelt_move_normal(motion.linear, handedness, strongest, rest.normal),
                       pelt_move_tangent(motion.linear, handedness, strongest, rest.tangent));
}

// Vertices without weights stay at rest.
bool pelt_is_unweighted(pelt_influences influences)
{
    return influences.weights[0] == 0.0;
}

pelt_vertex pelt_vertex_at_rest(pelt_rest rest)
{
    return pelt_vertex(rest.position, rest.normal, rest.tangent);
}
