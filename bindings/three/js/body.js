// SPDX-License-Identifier: MIT
// What pelt needs to know about skinned meshes of three.js: arrays, centers of rotation, factors.
import { Matrix4, Vector3 } from 'three';

const MAX_INFLUENCES = 8;

// Numbers of an attribute of any kind: interleaved, normalized, of any type.
export function floatsOf(attribute, width)
{
    const out = new Float32Array(width * attribute.count);
    const get = ['getX', 'getY', 'getZ', 'getW'];
    for (let i = 0; i < attribute.count; ++i)
    {
        for (let k = 0; k < width; ++k)
        {
            out[width * i + k] = k < attribute.itemSize ? attribute[get[k]](i) : 0;
        }
    }
    return out;
}

function indicesOf(geometry)
{
    return geometry.index ? Uint32Array.from(geometry.index.array)
        : Uint32Array.from({ length: geometry.attributes.position.count }, (_, i) => i);
}

// GLTFLoader scales the first four weights of a vertex so that they sum to one, also where there are
// more, and leaves the others: undo that.
function restoreSums(first, second)
{
    const sum = (array, i) => array[i] + array[i + 1] + array[i + 2] + array[i + 3];
    for (let i = 0; i < first.length; i += 4)
    {
        const scaled = sum(first, i), rest = sum(second, i);
        const factor = Math.abs(scaled - 1) < 1e-3 && rest > 0 && rest < 1 ? (1 - rest) / scaled : 1;
        for (let k = i; k < i + 4; ++k)
        {
            first[k] *= factor;
        }
    }
}

// The influences of skinIndex, and of joints_1 where the file has more than four.
function influencesOf({ attributes })
{
    const sets = [[attributes.skinIndex, attributes.skinWeight], [attributes.joints_1, attributes.weights_1]]
        .filter(([joints, weights]) => joints !== undefined && weights !== undefined)
        .map(([joints, weights]) => [floatsOf(joints, 4), floatsOf(weights, 4)]);
    if (sets.length > 1)
    {
        restoreSums(sets[0][1], sets[1][1]);
    }
    const count = attributes.position.count, per = 4 * sets.length;
    const joints = new Uint16Array(per * count), weights = new Float32Array(per * count);
    for (const [set, [j, w]] of sets.entries())
    {
        for (let i = 0; i < 4 * count; ++i)
        {
            const at = per * Math.floor(i / 4) + 4 * set + i % 4;
            joints[at] = j[i];
            weights[at] = w[i];
        }
    }
    return { influencesPerVertex: per, joints, weights };
}

const knownCenters = new WeakMap(); // by geometry

/// Centers of a geometry that another object of the same character will need again.
export function rememberCenters(geometry, centers) { knownCenters.set(geometry, centers); }

// A mesh without a skin follows one joint.
function rigidInfluences(count)
{
    return { jointCount: 1, influencesPerVertex: 1, joints: new Uint16Array(count),
             weights: new Float32Array(count).fill(1) };
}

/// The arrays of a mesh as pelt takes them, in the space of its geometry.
export function meshArrays(mesh)
{
    const { attributes } = mesh.geometry;
    return {
        positions: floatsOf(attributes.position, 3),
        normals: attributes.normal === undefined ? null : floatsOf(attributes.normal, 3),
        tangents: attributes.tangent === undefined ? null : floatsOf(attributes.tangent, 4),
        indices: indicesOf(mesh.geometry),
        ...mesh.isSkinnedMesh ? { jointCount: mesh.skeleton.bones.length, ...influencesOf(mesh.geometry) }
            : rigidInfluences(attributes.position.count),
        centers: knownCenters.get(mesh.geometry) ??
            (attributes._pelt_cor === undefined ? null : floatsOf(attributes._pelt_cor, 3)),
        mixFactors: attributes._pelt_mix === undefined ? null : floatsOf(attributes._pelt_mix, 1),
    };
}

function transformed(points, matrix)
{
    const out = new Float32Array(points.length), point = new Vector3();
    for (let i = 0; i < points.length; i += 3)
    {
        point.fromArray(points, i).applyMatrix4(matrix).toArray(out, i);
    }
    return out;
}

function joined(type, arrays)
{
    const out = new type(arrays.reduce((sum, array) => sum + array.length, 0));
    let at = 0;
    for (const array of arrays)
    {
        out.set(array, at);
        at += array.length;
    }
    return out;
}

// All influences of a mesh in lists of `per`.
function widened({ joints, weights, influencesPerVertex }, per)
{
    const count = joints.length / influencesPerVertex;
    const out = { joints: new Uint16Array(per * count), weights: new Float32Array(per * count) };
    for (let i = 0; i < joints.length; ++i)
    {
        const at = per * Math.floor(i / influencesPerVertex) + i % influencesPerVertex;
        out.joints[at] = joints[i];
        out.weights[at] = weights[i];
    }
    return out;
}

/// The centers of rotation of meshes with one skeleton, which are one surface: a coat has its
/// centers in the body below it. One array for each mesh, in the space of its geometry.
export function solveCenters(pelt, meshes, arrays)
{
    if (arrays.every(({ centers }) => centers !== null))
    {
        return arrays.map(({ centers }) => centers);
    }
    const spaces = meshes.map(({ bindMatrix }) => bindMatrix ?? new Matrix4());
    const isSame = spaces.every((space) => space.equals(spaces[0]));
    const per = Math.max(...arrays.map(({ influencesPerVertex }) => influencesPerVertex));
    const wide = arrays.map((a) => widened(a, per));
    let first = 0;
    const indices = arrays.map((a) =>
    {
        const moved = a.indices.map((index) => index + first);
        first += a.positions.length / 3;
        return moved;
    });
    const skinner = pelt.createSkinner({
        positions: joined(Float32Array, arrays.map((a, i) =>
            isSame ? a.positions : transformed(a.positions, spaces[i]))),
        indices: joined(Uint32Array, indices),
        jointCount: arrays[0].jointCount,
        influencesPerVertex: per,
        joints: joined(Uint16Array, wide.map(({ joints }) => joints)),
        weights: joined(Float32Array, wide.map(({ weights }) => weights)),
    });
    try
    {
        const all = skinner.prepare({ centers: true }).centers.slice();
        first = 0;
        return arrays.map(({ positions }, i) =>
        {
            const part = all.slice(first, first += positions.length);
            return isSame ? part : transformed(part, new Matrix4().copy(spaces[i]).invert());
        });
    }
    finally
    {
        skinner.dispose();
    }
}

/// How many influences of a vertex shaders read: 4 or 8.
export function influenceSlots(skinner)
{
    return Math.min(MAX_INFLUENCES, skinner.maxInfluences > 4 ? 8 : 4);
}
