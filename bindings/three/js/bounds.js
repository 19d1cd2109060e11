// SPDX-License-Identifier: MIT
// Boxes that contain a skinned mesh in any pose, in microseconds.
import { Box3, Matrix4, Sphere, Vector3 } from 'three';

const box = new Box3(), point = new Vector3(), matrix = new Matrix4(), pivot = new Vector3();

// By linear blending a vertex is a mean of points in the boxes of its joints, as they are now. Other
// methods rotate it about a point that moves so: about its center, or about joints. That leads at
// most as far out as the vertex is away from there.
export class JointBoxes
{
    /// @param arrays  those of body.js
    /// @param pivots  positions of joints at rest, in the space of the geometry
    constructor({ positions, joints, weights, influencesPerVertex: per, jointCount }, pivots)
    {
        this.boxes = Array.from({ length: jointCount }, () => new Box3());
        this.toPivot = 0;
        for (let v = 0; 3 * v < positions.length; ++v)
        {
            const own = [];
            for (let i = per * v; i < per * (v + 1); ++i)
            {
                weights[i] > 0 && joints[i] < jointCount && own.push(joints[i]);
            }
            point.fromArray(positions, 3 * v);
            own.forEach((joint) => this.boxes[joint].expandByPoint(point));
            own.length > 1 && own.forEach((joint) =>
            {
                this.toPivot = Math.max(this.toPivot, point.distanceTo(pivots[joint]));
            });
        }
    }

    /// The box of the mesh.
    /// @param matrices  of joints, from rest to now
    /// @param reach     how far a vertex may be away from what it rotates about
    /// @param change    how far morph targets move vertices at most
    boundsAt(matrices, reach, change, out)
    {
        let scale = 0;
        out.makeEmpty();
        this.boxes.forEach((own, joint) =>
        {
            if (!own.isEmpty())
            {
                matrix.fromArray(matrices, 16 * joint);
                scale = Math.max(scale, matrix.getMaxScaleOnAxis());
                out.union(box.copy(own).applyMatrix4(matrix));
            }
        });
        return out.isEmpty() ? out : out.expandByScalar(scale * (reach + change));
    }
}

/// The farthest that a vertex with several joints is from its center of rotation.
export function farthestCenter({ positions, centers })
{
    let most = 0;
    for (let i = 0; i < positions.length; i += 3)
    {
        most = Math.max(most, Math.hypot(positions[i] - centers[i], positions[i + 1] - centers[i + 1],
                                         positions[i + 2] - centers[i + 2]));
    }
    return most;
}

/// Positions of joints at rest, in the space of a geometry.
export function pivotsOf({ skeleton, bindMatrix })
{
    return skeleton.boneInverses.map((inverse) =>
        new Vector3().setFromMatrixPosition(matrix.copy(inverse).multiply(bindMatrix).invert()));
}

/// How far each morph target moves a vertex at most.
export function targetReach({ morphAttributes, morphTargetsRelative: isRelative, attributes })
{
    return (morphAttributes.position ?? []).map((target) =>
    {
        let most = 0;
        for (let i = 0; i < target.count; ++i)
        {
            point.fromBufferAttribute(target, i);
            isRelative || point.sub(pivot.fromBufferAttribute(attributes.position, i));
            most = Math.max(most, point.length());
        }
        return most;
    });
}

/// three.js asks a mesh for its box and sphere before it culls: answer with those of this moment.
export function followBounds(mesh, boundsAt)
{
    const own = new Box3(), sphere = new Sphere();
    const define = (name, get) => Object.defineProperty(mesh, name, { configurable: true, enumerable: true, get,
                                                                       set() {} });
    define('boundingBox', () => boundsAt(own));
    define('boundingSphere', () => boundsAt(own).getBoundingSphere(sphere));
}

/// As before followBounds(): three.js computes them when it needs them.
export function unfollowBounds(mesh)
{
    for (const name of ['boundingBox', 'boundingSphere'])
    {
        delete mesh[name];
        mesh[name] = null;
    }
}
