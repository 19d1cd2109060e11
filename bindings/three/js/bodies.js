// SPDX-License-Identifier: MIT
// The meshes of a character that a bake moves, with what shaders read of them.
import { BufferAttribute, InstancedBufferAttribute, InstancedMesh } from 'three';
import { influenceSlots, meshArrays, rememberCenters, solveCenters } from './body.js';
import { integers, setInfluences, shallowCopy } from './common.js';

// ----------------------------------------------------------------------------------------------
// Which mesh is which instance of the bake

const MASK = (1n << 64n) - 1n;

function addWord(hash, word)
{
    let x = ((hash ^ word) + 0x9e3779b97f4a7c15n) & MASK;
    x = (x ^ x >> 30n) * 0xbf58476d1ce4e5b9n & MASK;
    x = (x ^ x >> 27n) * 0x94d049bb133111ebn & MASK;
    return x ^ x >> 31n;
}

// pelt_baked_digest() of positions at rest.
function digestOf(positions)
{
    const floats = positions.map((x) => (x === 0 ? 0 : x)); // -0 is 0
    const words = new Uint32Array(floats.buffer);
    let hash = addWord(0n, BigInt(positions.length / 3));
    for (const word of words)
    {
        hash = addWord(hash, BigInt(word));
    }
    return hash.toString(16).padStart(16, '0');
}

// Meshes with as many vertices as an instance; where there are several, those with its digest, and
// else in the order of the file.
function matchMeshes(scene, bake)
{
    const meshes = [];
    scene.traverse((child) => { child.isMesh && meshes.push(child); });
    const digests = new Map(), used = new Set();
    const digest = (mesh) =>
    {
        digests.has(mesh) || digests.set(mesh, digestOf(meshArrays(mesh).positions));
        return digests.get(mesh);
    };
    return bake.instances.map((instance) =>
    {
        const fits = meshes.filter((mesh) => !used.has(mesh) &&
            mesh.geometry.attributes.position.count === instance.vertices &&
            (!mesh.isSkinnedMesh || mesh.skeleton.bones.length <= instance.joints || bake.texture.isVertices));
        const mesh = fits.length > 1 ? fits.find((fit) => digest(fit) === instance.digest) ?? fits[0] : fits[0];
        if (mesh === undefined)
        {
            throw new Error(`the object has no mesh "${instance.mesh}" of ${instance.vertices} vertices: it is not ` +
                            'the character that was baked');
        }
        used.add(mesh);
        return mesh;
    });
}

// ----------------------------------------------------------------------------------------------

/// What a mesh has for shaders: influences, centers, factors for normals.
class Body
{
    constructor(pelt, mesh, instance, isVertices)
    {
        this.pelt = pelt;
        this.mesh = mesh;
        this.instance = instance;
        this.arrays = isVertices ? null : meshArrays(mesh);
        this.factors = null;
        this.geometry = shallowCopy(mesh.geometry);
        if (isVertices)
        {
            this._setVertexIds();
            return;
        }
        this._use((skinner) =>
        {
            this.influences = influenceSlots(skinner);
            const { joints, weights } = skinner.influences(this.influences);
            setInfluences(this.geometry, joints, weights, this.influences);
        });
        if (this.arrays.mixFactors !== null)
        {
            this.geometry.setAttribute('pelt_mix', new BufferAttribute(this.arrays.mixFactors, 1));
        }
    }

    _setVertexIds()
    {
        const ids = this.mesh.geometry.attributes._pelt_vertex_id;
        if (ids === undefined)
        {
            throw new Error(`mesh "${this.instance.mesh}" has no _PELT_VERTEX_ID: take the GLB file of the bake, ` +
                            'which has it');
        }
        this.influences = 0;
        this.geometry.setAttribute('pelt_vertex_id', integers(Uint32Array.from({ length: ids.count },
            (_, i) => ids.getX(i)), 1));
    }

    _use(run)
    {
        const skinner = this.pelt.createSkinner(this.arrays);
        try
        {
            return run(skinner);
        }
        finally
        {
            skinner.dispose();
        }
    }

    setCenters(centers)
    {
        this.arrays.centers = centers;
        this.geometry.setAttribute('pelt_cor', new BufferAttribute(centers, 3));
        rememberCenters(this.mesh.geometry, centers);
        this.factors = null;
    }

    prepareNormals()
    {
        if (this.factors === null && this.arrays.normals !== null)
        {
            this.factors = this._use((skinner) => skinner.prepare({ normalFactors: true }).normalFactorTexels());
        }
    }
}

/// The meshes of one level of detail, ready to be drawn many times.
export class Level
{
    constructor(pelt, { scene, bake, distance })
    {
        this.scene = scene;
        this.bake = bake;
        this.distance = distance;
        this.pelt = pelt;
        this.capacity = 0;
        this.bodies = matchMeshes(scene, bake).map((mesh, i) =>
            new Body(pelt, mesh, bake.instances[i], bake.texture.isVertices));
        this.meshes = []; // of the renderer
    }

    /// What a method and a rule for normals read.
    prepare(method, normals)
    {
        if (this.bake.texture.isVertices)
        {
            return;
        }
        if (method === 'crs')
        {
            this._solveCenters();
        }
        normals === 'accurate' && this.bodies.forEach((body) => body.prepareNormals());
    }

    // Meshes with the same joints are one surface.
    _solveCenters()
    {
        const joints = new Set(this.bodies.map(({ instance }) => instance.first_joint));
        for (const first of joints)
        {
            const group = this.bodies.filter(({ instance }) => instance.first_joint === first);
            if (group.some(({ geometry }) => geometry.attributes.pelt_cor === undefined))
            {
                const solved = solveCenters(this.pelt, group.map(({ mesh }) => mesh), group.map(({ arrays }) => arrays));
                group.forEach((body, i) => body.setCenters(solved[i]));
            }
        }
    }

    /// Attributes of instances, shared by all meshes of the level, for at least `count` of them.
    reserve(count, hasColors, hasMotion)
    {
        if (count <= this.capacity && hasColors === this.hasColors && hasMotion === this.hasMotion)
        {
            return;
        }
        this.capacity = Math.max(count, 2 * this.capacity, 16);
        this.hasColors = hasColors;
        this.hasMotion = hasMotion;
        const attribute = (width, type = Float32Array) =>
            new InstancedBufferAttribute(new type(width * this.capacity), width);
        this.matrices = attribute(16);
        this.colors = hasColors ? attribute(3) : null;
        this.previousMatrices = hasMotion ? attribute(16) : null;
        if (this.bake.texture.isVertices)
        {
            this.playbacks = attribute(4, Uint32Array);
            this.playbacks.gpuType = integers(new Uint32Array(4), 4).gpuType;
            this.times = attribute(4);
        }
        for (const mesh of this.meshes)
        {
            mesh.dispose();
            mesh.instanceMatrix = this.matrices;
            mesh.instanceColor = this.colors;
            hasMotion && mesh.geometry.setAttribute('pelt_previous_matrix', this.previousMatrices);
            if (this.bake.texture.isVertices)
            {
                mesh.geometry.setAttribute('pelt_playback', this.playbacks);
                mesh.geometry.setAttribute('pelt_times', this.times);
            }
        }
    }
}

/// What a mesh that is drawn for each member has of that of the character.
export function copyAppearance(out, mesh)
{
    out.name = mesh.name;
    out.castShadow = mesh.castShadow;
    out.receiveShadow = mesh.receiveShadow;
    out.renderOrder = mesh.renderOrder;
    out.layers.mask = mesh.layers.mask;
    out.frustumCulled = false; // members are culled one by one
    out.raycast = () => {}; // the crowd answers
    if (mesh.morphTargetInfluences !== undefined)
    {
        out.morphTargetInfluences = mesh.morphTargetInfluences;
        out.morphTargetDictionary = mesh.morphTargetDictionary;
    }
    return out;
}

/// A mesh of a body that is drawn once for each member in view.
export function instancedMesh({ geometry, mesh }, material)
{
    return copyAppearance(new InstancedMesh(geometry, material, 0), mesh);
}
