// SPDX-License-Identifier: MIT
// What skins and crowds share: options, textures, attributes.
import { BufferAttribute, BufferGeometry, DataTexture, FloatType, IntType, RGBAFormat } from 'three';

/// What shaders offer.
export const METHODS = ['lbs', 'dqs', 'mix', 'crs'];
export const NORMALS = ['standard', 'accurate'];

export function choice(value, list, what)
{
    if (!list.includes(value))
    {
        throw new Error(`there is no ${what} "${value}"; choose ${list.slice(0, -1).join(', ')} or ${list.at(-1)}`);
    }
    return value;
}

export function floatTexture(data, width)
{
    const texels = Math.max(1, Math.ceil(data.length / 4)), height = Math.ceil(texels / width);
    const all = new Float32Array(4 * width * height);
    all.set(data);
    const texture = new DataTexture(all, width, height, RGBAFormat, FloatType);
    texture.needsUpdate = true;
    return texture;
}

export function integers(array, itemSize)
{
    const attribute = new BufferAttribute(array, itemSize);
    attribute.gpuType = IntType;
    return attribute;
}

// The first or second four numbers of each vertex, of a list with `slots` numbers per vertex.
function halfOf(array, slots, half)
{
    return array.filter((_, i) => Math.floor(i % slots / 4) === half);
}

/// Influences of a vertex, 4 or 8, as attributes.
export function setInfluences(geometry, joints, weights, count)
{
    for (const [half, ending] of count === 4 ? [[0, '']] : [[0, ''], [1, '_2']])
    {
        const part = (array) => (count === 4 ? array : halfOf(array, 8, half));
        geometry.setAttribute(`pelt_joints${ending}`, integers(part(joints), 4));
        geometry.setAttribute(`pelt_weights${ending}`, new BufferAttribute(part(weights), 4));
    }
}

/// A geometry of its own attributes later on, which shares all that it has now.
export function shallowCopy(geometry)
{
    const copy = new BufferGeometry();
    copy.name = geometry.name;
    copy.index = geometry.index;
    // three.js uploads all attributes; those of pelt are read on the CPU.
    Object.assign(copy.attributes, Object.fromEntries(Object.entries(geometry.attributes)
        .filter(([name]) => !name.startsWith('_pelt_'))));
    Object.assign(copy.morphAttributes, geometry.morphAttributes);
    copy.morphTargetsRelative = geometry.morphTargetsRelative;
    copy.groups = geometry.groups;
    copy.boundingBox = geometry.boundingBox;
    copy.boundingSphere = geometry.boundingSphere;
    copy.drawRange = geometry.drawRange;
    copy.userData = geometry.userData;
    return copy;
}

/// Free what the copy of a geometry has of its own on the GPU, and nothing that it shares.
export function releaseCopy(copy, geometry)
{
    copy.index = null;
    for (const name of Object.keys(geometry.attributes))
    {
        copy.deleteAttribute(name);
    }
    copy.dispose();
}

/// Update the matrices of an object, of its parents and of all below it. updateWorldMatrix() alone
/// leaves bindMatrixInverse of skinned meshes as it was.
export function updateMatrices(object)
{
    object.updateWorldMatrix(true, false);
    object.updateMatrixWorld(true);
}
