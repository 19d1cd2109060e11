// SPDX-License-Identifier: MIT
// Skinned meshes of three.js under pelt, without what depends on the renderer.
import { Box3, BufferAttribute, Matrix4, Mesh, Vector3 } from 'three';
import { influenceSlots, meshArrays, solveCenters } from './body.js';
import { farthestCenter, followBounds, JointBoxes, pivotsOf, targetReach, unfollowBounds } from './bounds.js';
import { choice, METHODS, NORMALS, shallowCopy, updateMatrices } from './common.js';

// ----------------------------------------------------------------------------------------------
// Palettes follow skeletons

const followers = new WeakMap(); // skins by skeleton

function follow(skin)
{
    const { skeleton } = skin.mesh;
    if (!followers.has(skeleton))
    {
        const own = Object.hasOwn(skeleton, 'update') ? skeleton.update : null;
        followers.set(skeleton, { skins: new Set(), own });
        const update = skeleton.update;
        skeleton.update = function ()
        {
            update.call(this);
            followers.get(this)?.skins.forEach((follower) => follower.updatePalette());
        };
    }
    followers.get(skeleton).skins.add(skin);
}

function unfollow(skin)
{
    const { skeleton } = skin;
    const entry = followers.get(skeleton);
    entry.skins.delete(skin);
    if (entry.skins.size === 0)
    {
        followers.delete(skeleton);
        delete skeleton.update;
        if (entry.own !== null)
        {
            skeleton.update = entry.own;
        }
    }
}

const matrix = new Matrix4(), point = new Vector3();
const skins = new WeakMap(); // by mesh

/// One mesh and what pelt has attached to it. Renderers add attach(), setCenters(), setFactors(),
/// setPalette(), refresh() and detach().
export class SkinBase
{
    constructor(body, mesh, arrays)
    {
        this.body = body;
        this.mesh = mesh;
        this.skeleton = mesh.skeleton;
        this.arrays = arrays;
        this.hasNormals = arrays.normals !== null;
        this.skinner = null;
        this.isScaled = false;
        this.factors = null;
        this.palette = body.pelt.createPalette(arrays.jointCount);
        this.original = { geometry: mesh.geometry, material: mesh.material,
                          customDepthMaterial: mesh.customDepthMaterial,
                          customDistanceMaterial: mesh.customDistanceMaterial };
        this.skinner = this.createSkinner(arrays);
        this.influences = influenceSlots(this.skinner);
        this.attach();
        follow(this);
        this.centerReach = null;
        this.boxes = new JointBoxes(arrays, pivotsOf(mesh));
        skins.set(mesh, this);
        this.targetReach = targetReach(this.original.geometry);
        this.poses = new Float32Array(16 * arrays.jointCount);
        followBounds(mesh, (out) => this.bounds(out));
    }

    /// The box of the deformed vertices in the world; with pelt/arrays, which does not deform, one
    /// that contains them.
    worldBounds(out)
    {
        const { mesh, body: { pelt } } = this;
        mesh.updateWorldMatrix(true, false);
        if (!pelt.canDeform)
        {
            return this.bounds(out).applyMatrix4(mesh.matrixWorld);
        }
        const positions = this.positions();
        out.makeEmpty();
        for (let i = 0; i < positions.length; i += 3)
        {
            out.expandByPoint(point.fromArray(positions, i).applyMatrix4(mesh.matrixWorld));
        }
        return out;
    }

    /// A box that contains the mesh in its pose, in its space, without deforming it.
    bounds(out)
    {
        const { method } = this.body, influences = this.mesh.morphTargetInfluences ?? [];
        this.centerReach ??= this.arrays.centers === null ? null : farthestCenter(this.arrays);
        const reach = method === 'lbs' ? 0 : method === 'crs' ? this.centerReach ?? 0 : this.boxes.toPivot;
        const change = this.targetReach.reduce((sum, most, k) => sum + Math.abs(influences[k] ?? 0) * most, 0);
        this.writeMatrices(this.poses);
        return this.boxes.boundsAt(this.poses, reach, change, out);
    }

    /// Decides the text of the shaders.
    get constants()
    {
        const { method } = this.body, isAccurate = this.body.normals === 'accurate' && this.factors !== null;
        return { method, normals: isAccurate ? 'accurate' : 'standard', influences: this.influences,
                 isScaled: this.isScaled, slots: isAccurate ? this.factors.slots : 0,
                 hasCenters: isAccurate && this.factors.hasCenters,
                 hasMixFactors: this.arrays.mixFactors !== null };
    }

    createSkinner(arrays)
    {
        return this.body.pelt.createSkinner(arrays);
    }

    /// What the method and the rule for normals read.
    prepare(centers)
    {
        const { body } = this;
        if (centers !== null && this.arrays.centers !== centers)
        {
            this.arrays.centers = centers;
            this.centerReach = null;
            this.skinner.dispose();
            this.skinner = this.createSkinner(this.arrays);
            this.dropFactors();
        }
        centers !== null && this.setCenters(centers);
        if (body.normals === 'accurate' && this.hasNormals && this.factors === null)
        {
            // A vertex with more factors than shaders read leaves standard normals.
            this.factors = this.skinner.prepare({ normalFactors: true }).normalFactorTexels();
            this.setFactors(this.factors);
        }
    }

    dropFactors()
    {
        this.factors = null;
        this.setFactors(null);
    }

    /// Matrices from the geometry at rest to the geometry now.
    writeMatrices(out)
    {
        const { mesh } = this, { bones, boneInverses } = mesh.skeleton;
        for (let i = 0; i < bones.length; ++i)
        {
            matrix.copy(mesh.bindMatrixInverse);
            if (bones[i])
            {
                matrix.multiply(bones[i].matrixWorld);
            }
            matrix.multiply(boneInverses[i]).multiply(mesh.bindMatrix).toArray(out, 16 * i);
        }
    }

    updatePalette()
    {
        this.writeMatrices(this.palette.matrices);
        if (!this.palette.update() && !this.isScaled)
        {
            this.isScaled = true;
            this.refresh();
        }
        this.setPalette(this.palette.texels);
    }

    /// Deformed positions in the space of the mesh. A view, or an array of its own.
    positions()
    {
        const { pelt, method, mix } = this.body;
        if (!pelt.canDeform)
        {
            throw new Error('deformed positions need the module pelt: pass createPelt() of pelt, not that of ' +
                            'pelt/arrays');
        }
        this.mesh.updateWorldMatrix(true, false);
        const morphed = this.morphed();
        const skinner = morphed === null ? this.skinner
            : this.createSkinner({ ...this.arrays, positions: morphed });
        this.writeMatrices(skinner.matrices);
        const { positions } = skinner.deform({ method, mix });
        if (morphed !== null)
        {
            const copy = positions.slice();
            skinner.dispose();
            return copy;
        }
        return positions;
    }

    // null: no morph target is active.
    morphed()
    {
        const { morphTargetInfluences: influences, geometry } = this.mesh;
        const targets = geometry.morphAttributes.position;
        if (!targets || !influences?.some((influence) => influence !== 0))
        {
            return null;
        }
        const isRelative = geometry.morphTargetsRelative;
        const base = isRelative ? 1 : 1 - influences.reduce((sum, influence) => sum + influence, 0);
        const out = this.arrays.positions.map((x) => base * x);
        for (const [k, target] of targets.entries())
        {
            for (let i = 0; i < target.count && influences[k] !== 0; ++i)
            {
                out[3 * i] += influences[k] * target.getX(i);
                out[3 * i + 1] += influences[k] * target.getY(i);
                out[3 * i + 2] += influences[k] * target.getZ(i);
            }
        }
        return out;
    }

    dispose()
    {
        unfollow(this);
        skins.delete(this.mesh);
        unfollowBounds(this.mesh);
        this.detach();
        Object.assign(this.mesh, this.original);
        this.palette.dispose();
        this.skinner.dispose();
    }
}

/// All meshes of a character under pelt.
export class PeltSkin
{
    /// @param Skin  the class of a mesh, by renderer
    constructor(Skin, meshes, { pelt, renderer, method = 'crs', normals = 'standard', mix = 0.5 })
    {
        this.pelt = pelt;
        this.renderer = renderer;
        this._method = choice(method, METHODS, 'method');
        this._normals = choice(normals, NORMALS, 'rule for normals');
        this._mix = mix;
        this.skins = [];
        this.isDisposed = false;
        try
        {
            meshes.forEach((mesh) => this.skins.push(new Skin(this, mesh, meshArrays(mesh))));
            this.centers = null;
            this._prepare();
        }
        catch (error)
        {
            this.dispose();
            throw error;
        }
    }

    get method() { return this._method; }
    get normals() { return this._normals; }
    get mix() { return this._mix; }
    get meshes() { return this.skins.map(({ mesh }) => mesh); }

    set method(method)
    {
        this._method = choice(method, METHODS, 'method');
        this._prepare();
    }

    set normals(normals)
    {
        this._normals = choice(normals, NORMALS, 'rule for normals');
        this._prepare();
    }

    set mix(mix)
    {
        this._mix = mix;
        this.skins.forEach((skin) => skin.refresh());
    }

    _prepare()
    {
        if (this._method === 'crs' && this.centers === null)
        {
            this.centers = new Map();
            for (const group of this._groups())
            {
                const solved = solveCenters(this.pelt, group.map(({ mesh }) => mesh),
                                            group.map(({ arrays }) => arrays));
                group.forEach((skin, i) => this.centers.set(skin, solved[i]));
            }
        }
        for (const skin of this.skins)
        {
            skin.prepare(this.centers?.get(skin) ?? null);
            skin.refresh();
        }
    }

    // Meshes with the same bones.
    _groups()
    {
        const groups = [];
        for (const skin of this.skins)
        {
            const { bones } = skin.mesh.skeleton;
            const group = groups.find(([{ mesh }]) => mesh.skeleton.bones.length === bones.length &&
                mesh.skeleton.bones.every((bone, i) => bone === bones[i]));
            group === undefined ? groups.push([skin]) : group.push(skin);
        }
        return groups;
    }

    /// Deformed positions of one of the meshes, in its space: a view, valid until the next call.
    positions(mesh)
    {
        return this.skins.find((skin) => skin.mesh === mesh).positions();
    }

    /// The box of all deformed vertices in the world; with pelt/arrays, which does not deform, one
    /// that contains them.
    bounds(out = new Box3())
    {
        const own = new Box3();
        return this.skins.reduce((sum, skin) => sum.union(skin.worldBounds(own)), out.makeEmpty());
    }

    /// Intersections as those of Raycaster.intersectObject(), with the surface that is drawn.
    raycast(raycaster)
    {
        const hits = [];
        for (const skin of this.skins)
        {
            const geometry = shallowCopy(skin.original.geometry);
            geometry.boundingBox = geometry.boundingSphere = null;
            geometry.morphAttributes = {};
            geometry.attributes.position = new BufferAttribute(skin.positions().slice(), 3);
            const surface = new Mesh(geometry, skin.mesh.material);
            surface.matrixWorld.copy(skin.mesh.matrixWorld);
            surface.layers.mask = skin.mesh.layers.mask;
            hits.push(...raycaster.intersectObject(surface, false).map((hit) => ({ ...hit, object: skin.mesh })));
        }
        return hits.sort((a, b) => a.distance - b.distance);
    }

    /// Give the meshes back as they were.
    dispose()
    {
        this.skins.forEach((skin) => skin.dispose());
        this.skins = [];
        this.isDisposed = true;
    }
}

/// Put all skinned meshes of an object under pelt.
export function createSkin(Skin, object, options)
{
    if (typeof options?.pelt?.createSkinner !== 'function')
    {
        throw new Error('applySkinning needs { pelt }: what createPelt() of the package pelt, or createPeltArrays() ' +
                        'of pelt/arrays, resolves to');
    }
    const meshes = [];
    object.traverse((child) => { child.isSkinnedMesh && meshes.push(child); });
    if (meshes.length === 0)
    {
        throw new Error(`${object.name || 'the object'} has no skinned mesh`);
    }
    updateMatrices(object);
    return new PeltSkin(Skin, meshes, options);
}

/// The box in the world of a PeltSkin, or of all meshes of an object, deformed as they are drawn.
export function boundsOf(target, out = new Box3())
{
    if (target instanceof PeltSkin)
    {
        return target.bounds(out);
    }
    const own = new Box3();
    out.makeEmpty();
    updateMatrices(target);
    target.traverse((mesh) =>
    {
        const skin = skins.get(mesh);
        if (skin !== undefined)
        {
            out.union(skin.worldBounds(own));
            return;
        }
        const count = mesh.isMesh ? mesh.geometry.attributes.position.count : 0;
        for (let i = 0; i < count; ++i)
        {
            out.expandByPoint(mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld));
        }
    });
    return out;
}

/// Intersections with the deformed surface, nearest first.
export function raycastSkinned(raycaster, skin) { return skin.raycast(raycaster); }
