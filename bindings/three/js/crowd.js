// SPDX-License-Identifier: MIT
// Crowds of WebGLRenderer.
import { Matrix4, MeshDepthMaterial, MeshDistanceMaterial, RGBADepthPacking } from 'three';
import { instancedMesh } from './bodies.js';
import { floatTexture, releaseCopy } from './common.js';
import { PeltCrowdBase } from './crowd_base.js';
import { copyMaterial } from './material.js';
import { WORDS_PER_PLAYBACK } from './members.js';
import { FACTOR_WIDTH, motionMaterial, patchMaterial } from './patch.js';
import { bakedTexture, PosePass } from './pose_pass.js';
import { applySkinning } from './skin.js';

// Materials of one body: what the vertex shaders read, and the constants that decide their text.
class CrowdSkin
{
    constructor(crowd, level, body)
    {
        this.crowd = crowd;
        this.level = level;
        this.body = body;
        const { isVertices } = level.bake.texture;
        this.motion = null; // material of motion vectors
        this.uniforms = isVertices ? { pelt_baked: { value: level.baked }, pelt_clip_before: { value: null } } : {
            pelt_posed: level.pass.posed,
            pelt_posed_before: { value: [] },
            pelt_clip_before: { value: null },
            pelt_first_joint: { value: 0 },
            pelt_joint_count: { value: level.pass.jointCount },
            pelt_normal_factors: { value: null },
            pelt_mix: { value: 0.5 },
        };
    }

    get constants()
    {
        const { crowd: { method, normals }, level: { bake }, body: { arrays, factors, influences } } = this;
        if (bake.texture.isVertices)
        {
            return { isVertices: true, texelWords: bake.image.wordsPerTexel };
        }
        const isAccurate = normals === 'accurate' && factors !== null;
        return { isPosed: true, method, normals: isAccurate ? 'accurate' : 'standard', influences,
                 isScaled: bake.texture.isStretched, slots: isAccurate ? factors.slots : 0,
                 hasCenters: isAccurate && factors.hasCenters, hasMixFactors: arrays.mixFactors !== null };
    }

    refresh()
    {
        const { uniforms, crowd, body: { factors } } = this;
        if (uniforms.pelt_mix === undefined)
        {
            return;
        }
        uniforms.pelt_mix.value = crowd.mix;
        if (this.factors !== factors)
        {
            uniforms.pelt_normal_factors.value?.dispose();
            uniforms.pelt_normal_factors.value = factors === null ? null : floatTexture(factors.data, FACTOR_WIDTH);
            this.factors = factors;
        }
        const text = JSON.stringify(this.constants);
        if (text !== this.text)
        {
            this.materials.forEach((material) => { material.needsUpdate = true; });
            this.motion?.dispose();
            this.motion = null;
            this.text = text;
        }
    }

    createMesh()
    {
        const { body, body: { mesh } } = this;
        const patched = (material) => patchMaterial(copyMaterial(material), this, material);
        const out = instancedMesh(body, Array.isArray(mesh.material) ? mesh.material.map(patched)
            : patched(mesh.material));
        out.customDepthMaterial = patched(mesh.customDepthMaterial ??
            new MeshDepthMaterial({ depthPacking: RGBADepthPacking }));
        out.customDistanceMaterial = patched(mesh.customDistanceMaterial ?? new MeshDistanceMaterial());
        this.materials = [out.material, out.customDepthMaterial, out.customDistanceMaterial].flat();
        return out;
    }

    dispose()
    {
        this.motion?.dispose();
        this.materials.forEach((material) => material.dispose());
        this.uniforms.pelt_normal_factors?.value?.dispose();
    }
}

/// Instances of one character under WebGLRenderer.
export class PeltCrowd extends PeltCrowdBase
{
    _createMeshes(level)
    {
        this.passes ??= new Map(); // by bake
        if (level.bake.texture.isVertices)
        {
            level.baked = bakedTexture(level.bake);
        }
        else
        {
            this.passes.has(level.bake) || this.passes.set(level.bake, new PosePass(level.bake));
            level.pass = this.passes.get(level.bake);
        }
        level.skins = level.bodies.map((body) => new CrowdSkin(this, level, body));
        level.meshes = level.skins.map((skin) => skin.createMesh());
        this._refreshMeshes(level);
        level.reserve(1, false, false);
    }

    _refreshMeshes(level) { level.skins.forEach((skin) => skin.refresh()); }

    _reserve(level, count) { level.reserve(count, this._hasColors, this.tracksMotion); }

    // Playbacks of all instances in view, and a pass for each bake of joints.
    _decode(renderer, lists)
    {
        const counts = new Map();
        lists.forEach((list, k) => counts.set(this.levels[k].pass, (counts.get(this.levels[k].pass) ?? 0) + list.length));
        const totals = this._gatherPlaybacks(lists, (level, list, first) =>
        {
            const { pass } = level;
            if (pass === undefined)
            {
                this._gatherVertices(level, list);
                return;
            }
            const data = pass.playbacks(counts.get(pass)), previous = this._previousOf(level);
            const old = previous?.playbacks(counts.get(pass)), { previousWords } = this.members;
            list.forEach((i, n) =>
            {
                const at = WORDS_PER_PLAYBACK * (first + n), from = WORDS_PER_PLAYBACK * i;
                data.set(this.members.words(i, level.clipOf), at);
                old?.set(previousWords.subarray(from, from + WORDS_PER_PLAYBACK), at);
            });
            for (const { uniforms, body } of level.skins)
            {
                uniforms.pelt_first_joint.value = first * pass.jointCount + body.instance.first_joint;
                uniforms.pelt_posed_before = previous?.posed ?? uniforms.pelt_posed_before;
            }
        });
        totals.forEach((count, pass) =>
        {
            pass !== undefined && count > 0 && pass.update(renderer, count);
            pass !== undefined && count > 0 && this.tracksMotion && pass.previous.update(renderer, count);
        });
    }

    // The pass that decodes the joints of the frame before.
    _previousOf({ pass, bake })
    {
        if (this.tracksMotion && pass.previous === undefined)
        {
            pass.previous = new PosePass(bake);
        }
        return this.tracksMotion ? pass.previous : undefined;
    }

    /// After update(), with tracksMotion: draw how far each pixel of the crowd has moved since the
    /// frame before, in normalized device coordinates, into the render target that is set.
    renderMotion(renderer, camera)
    {
        if (!this.tracksMotion)
        {
            throw new Error('motion vectors need the frame before: set tracksMotion');
        }
        const clip = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse)
            .multiply(this.matrixWorld);
        const skins = this.levels.flatMap(({ skins: own, meshes }) => own.map((skin, k) => [skin, meshes[k]]));
        const materials = skins.map(([, mesh]) => mesh.material);
        for (const [skin, mesh] of skins)
        {
            skin.uniforms.pelt_clip_before.value = this.clipBefore ?? clip;
            mesh.material = skin.motion ??= motionMaterial(skin, [mesh.material].flat()[0]);
        }
        const { autoClear } = renderer;
        renderer.autoClear = false;
        renderer.render(this, camera);
        renderer.autoClear = autoClear;
        skins.forEach(([, mesh], k) => { mesh.material = materials[k]; });
        this.clipBefore = clip;
    }

    // A bake of vertices is decoded by the vertex shader.
    _gatherVertices(level, list)
    {
        const floats = new Float32Array(WORDS_PER_PLAYBACK);
        const words = new Uint32Array(floats.buffer);
        list.forEach((i, n) =>
        {
            words.set(this.members.words(i, level.clipOf));
            level.playbacks.array.set(words.subarray(0, 4), 4 * n);
            level.times.array.set(floats.subarray(4), 4 * n);
        });
        level.playbacks.needsUpdate = level.times.needsUpdate = true;
    }

    _applySkinning(object)
    {
        const { pelt, method, normals, mix } = this;
        return applySkinning(object, { pelt, method, normals, mix });
    }

    _disposeMeshes(level)
    {
        level.skins.forEach((skin) => skin.dispose());
        level.meshes.forEach((mesh, k) =>
        {
            mesh.dispose();
            releaseCopy(mesh.geometry, level.bodies[k].mesh.geometry);
        });
        level.baked?.dispose();
    }

    dispose()
    {
        super.dispose();
        this.passes.forEach((pass) =>
        {
            pass.previous?.dispose();
            pass.dispose();
        });
    }
}
