// SPDX-License-Identifier: MIT
// Crowds of WebGPURenderer: a compute pass decodes joints, and vertex shaders skin.
import { attribute, float, Fn, instanceIndex, materialColor, normalLocal, positionLocal, positionPrevious, storage,
         tangentLocal, uniform, varying, vec4, wgsl, wgslFn } from 'three/tsl';
import { Mesh, StorageBufferAttribute } from 'three/webgpu';
import { copyAppearance } from './bodies.js';
import { releaseCopy } from './common.js';
import { PeltCrowdBase } from './crowd_base.js';
import { copyMaterial } from './material.js';
import { WORDS_PER_PLAYBACK } from './members.js';
import { WGSL } from './shaders_wgsl.js';
import { bufferOf, deviceOf, dispatch, freeOutput, outputOf, pipelineOf, poseModule } from './webgpu_compute.js';
import { applySkinning } from './webgpu_skin.js';

// ----------------------------------------------------------------------------------------------
// The pose pass

/// Joints of all instances that play one bake, in a buffer that grows.
class ComputePass
{
    constructor(renderer, bake)
    {
        this.renderer = renderer;
        this.device = deviceOf(renderer);
        this.jointCount = bake.texture.jointCount;
        const { code, constants } = poseModule(bake.texture.kind);
        this.pipeline = pipelineOf(this.device, code, 'pose', constants);
        this.words = bufferOf(this.device, bake.image.words);
        this.capacity = 0;
        this.output = null;
        this.playbackBuffer = null;
        this.version = 0; // of the output, which materials read
    }

    reserve(count)
    {
        if (count <= this.capacity)
        {
            return;
        }
        this._freeBuffers();
        this.capacity = Math.max(count, 2 * this.capacity, 16);
        this.playbacks = new Uint32Array(WORDS_PER_PLAYBACK * this.capacity);
        this.playbackBuffer = bufferOf(this.device, this.playbacks);
        this.output = outputOf(this.renderer, 4 * this.jointCount * this.capacity);
        this.version += 1;
    }

    update(count)
    {
        this.device.queue.writeBuffer(this.playbackBuffer, 0, this.playbacks, 0, WORDS_PER_PLAYBACK * count);
        dispatch(this.device, this.pipeline, [this.words, this.playbackBuffer, this.output.buffer],
                 count * this.jointCount);
    }

    _freeBuffers()
    {
        this.playbackBuffer?.destroy();
        this.output !== null && freeOutput(this.renderer, this.output);
    }

    dispose()
    {
        this._freeBuffers();
        this.words.destroy();
    }
}

// ----------------------------------------------------------------------------------------------
// Skinning

const TEXELS = ['x', 'y', 'z', 'r'];

// A function that skins a vertex by the texels of its joints: columns of the result are the position,
// the normal and the tangent.
function skinFunction({ method, influences, isScaled })
{
    const library = WGSL.skin
        .replace(/override PELT_INFLUENCES: i32 = \d+;/, `const PELT_INFLUENCES: i32 = ${influences};`)
        .replace(/override PELT_SCALE: i32 = \w+;/, `const PELT_SCALE: i32 = ${isScaled ? 1 : 0};`)
        .replace(/^override /gm, 'const ');
    const joints = Array.from({ length: influences }, (_, i) => i);
    const texels = joints.flatMap((i) => TEXELS.map((part) => `${part}${i}`));
    const palette = wgsl(`${library}
var<private> pelt_texels: array<vec4f, ${4 * influences}>;
fn pelt_palette_texel(joint: u32, texel: u32) -> vec4f {
    return pelt_texels[4u * joint + texel];
}
`);
    return wgslFn(`
fn pelt_three_skin(position: vec3f, normal: vec3f, tangent: vec3f, center: vec4f, weights: vec4f, weights_2: vec4f, ${
    texels.map((name) => `${name}: vec4f`).join(', ')}) -> mat3x3f {
    ${texels.map((name, i) => `pelt_texels[${i}] = ${name};`).join(' ')}
    var rest: pelt_rest;
    rest.position = position;
    rest.normal = normal;
    rest.tangent = vec4f(tangent, 1.0);
    rest.center = center.xyz;
    rest.mix_factor = center.w;
    let influences = pelt_influences_make(vec4u(0u, 1u, 2u, 3u), weights, vec4u(4u, 5u, 6u, 7u), weights_2);
    let skinned = pelt_deform_${method}(rest, influences);
    return mat3x3f(skinned.position, skinned.normal, skinned.tangent.xyz);
}
`, [palette]);
}

// Materials of one body of a level.
class CrowdSkin
{
    constructor(crowd, level, body)
    {
        this.crowd = crowd;
        this.level = level;
        this.body = body;
        this.first = uniform(0, 'uint'); // joint of the mesh, of the first instance
        this.mix = uniform(0.5);
        const { mesh } = body, copied = [mesh.material].flat().map(copyMaterial);
        this.mesh = copyAppearance(new Mesh(body.geometry, Array.isArray(mesh.material) ? copied : copied[0]), mesh);
        this.materials = copied;
        this.colorNodes = copied.map(({ colorNode }) => colorNode);
    }

    get constants()
    {
        const { crowd: { method, tracksMotion, _hasColors: hasColors }, level, body: { influences } } = this;
        return { method, influences, isScaled: level.bake.texture.isStretched, tracksMotion, hasColors,
                 pass: level.pass.version, capacity: level.capacity };
    }

    // Nodes refer to buffers and are made anew where these grow.
    refresh()
    {
        this.mix.value = this.crowd.mix;
        const { constants } = this, text = JSON.stringify(constants);
        if (text === this.text || this.level.capacity === 0)
        {
            return;
        }
        this.text = text;
        const node = this._positionNode(constants);
        this.materials.forEach((material, k) =>
        {
            material.positionNode = node;
            material.colorNode = constants.hasColors && !this.colorNodes[k]
                ? materialColor.mul(varying(vec4(this.level.colors.element(instanceIndex).xyz, 1))) : this.colorNodes[k];
            material.needsUpdate = true;
        });
    }

    _positionNode(constants)
    {
        const { level, body: { arrays, geometry } } = this, skin = skinFunction(constants);
        const hasNormals = geometry.attributes.normal !== undefined, hasTangents = arrays.tangents !== null;
        const perVertex = (name, type) => attribute(`pelt_${name}`, type);
        const joints = constants.influences > 4 ? [perVertex('joints', 'uvec4'), perVertex('joints_2', 'uvec4')]
            : [perVertex('joints', 'uvec4')];
        const center = () => vec4(constants.method === 'crs' ? perVertex('cor', 'vec3') : positionLocal,
                                  arrays.mixFactors === null ? this.mix : perVertex('mix', 'float'));
        return Fn((_, builder) =>
        {
            const first = this.first.add(instanceIndex.mul(level.pass.jointCount));
            const skinned = (palette) =>
            {
                const texel = (i, part) =>
                    palette.element(first.add(joints[i >> 2]['xyzw'[i & 3]]).mul(4).add(part));
                const texels = Array.from({ length: 4 * constants.influences }, (_unused, k) => texel(k >> 2, k & 3));
                return skin(positionLocal, hasNormals ? normalLocal : positionLocal,
                            hasTangents ? tangentLocal : positionLocal, center(), perVertex('weights', 'vec4'),
                            constants.influences > 4 ? perVertex('weights_2', 'vec4') : vec4(0), ...texels);
            };
            const matrix = level.matrices.element(instanceIndex);
            const inCrowd = (m, v, w) => m.mul(vec4(v, float(w))).xyz;
            if (constants.tracksMotion && builder.needsPreviousData())
            {
                const before = skinned(level.pass.previous.node).toVar();
                positionPrevious.assign(inCrowd(level.previousMatrices.element(instanceIndex), before.element(0), 1));
            }
            const now = skinned(level.pass.node).toVar();
            if (hasNormals)
            {
                // The inverse transpose, for matrices without shear.
                const size = (column) => matrix.element(column).xyz.dot(matrix.element(column).xyz);
                const normal = now.element(1);
                normalLocal.assign(inCrowd(matrix, vec4(normal.x.div(size(0)), normal.y.div(size(1)),
                                                        normal.z.div(size(2)), 0).xyz, 0).normalize());
            }
            hasTangents && tangentLocal.assign(inCrowd(matrix, now.element(2), 0).normalize());
            return inCrowd(matrix, now.element(0), 1);
        })();
    }

    dispose() { this.materials.forEach((material) => material.dispose()); }
}

/// Instances of one character under WebGPURenderer. Normals are standard ones.
export class PeltCrowd extends PeltCrowdBase
{
    constructor(scene, bake, options)
    {
        deviceOf(options?.renderer);
        super(scene, bake, options);
    }

    _createMeshes(level)
    {
        if (level.bake.texture.isVertices)
        {
            throw new Error('a bake of vertices is played under WebGLRenderer only; take a bake of joints');
        }
        this.passes ??= new Map(); // by bake
        this.passes.has(level.bake) || this.passes.set(level.bake, new ComputePass(this.renderer, level.bake));
        level.pass = this.passes.get(level.bake);
        level.skins = level.bodies.map((body) => new CrowdSkin(this, level, body));
        level.meshes = level.skins.map(({ mesh }) => mesh);
        level.meshes.forEach((mesh) => { mesh.visible = false; });
    }

    _refreshMeshes(level) { level.skins.forEach((skin) => skin.refresh()); }

    // Buffers of a level, as lists that shaders read.
    _reserve(level, count)
    {
        if (count > level.capacity || this._hasColors !== level.hasColors || this.tracksMotion !== level.hasMotion)
        {
            this._freeBuffers(level);
            level.capacity = Math.max(count, 2 * level.capacity, 16);
            level.hasColors = this._hasColors;
            level.hasMotion = this.tracksMotion;
            const list = (width) =>
            {
                const own = new StorageBufferAttribute(new Float32Array(width * level.capacity), width);
                level.attributes.push(own);
                return own;
            };
            level.attributes = [];
            const node = (own, type) => storage(own, type, level.capacity).toReadOnly();
            level.matrices = node(level.matrixList = list(16), 'mat4');
            level.colors = level.hasColors ? node(level.colorList = list(4), 'vec4') : null;
            level.previousMatrices = level.hasMotion ? node(level.previousList = list(16), 'mat4') : null;
        }
    }

    _freeBuffers(level) { (level.attributes ?? []).forEach((own) => freeOutput(this.renderer, { attribute: own })); }

    _gather(level, list)
    {
        const { members } = this, copy = (attributeOf, from, width, stride = width) =>
        {
            list.forEach((i, k) => attributeOf.array.set(from.subarray(width * i, width * i + width), stride * k));
            attributeOf.needsUpdate = true;
        };
        this._reserve(level, list.length);
        if (list.length > 0)
        {
            copy(level.matrixList, members.matrices, 16);
            level.hasColors && copy(level.colorList, members.colors, 3, 4);
            level.hasMotion && copy(level.previousList, members.previousMatrices, 16);
        }
        for (const mesh of level.meshes)
        {
            mesh.count = list.length;
            mesh.visible = list.length > 0;
        }
    }

    _decode(renderer, lists)
    {
        const counts = new Map(), add = (pass, count) => counts.set(pass, (counts.get(pass) ?? 0) + count);
        lists.forEach((list, k) => add(this.levels[k].pass, list.length));
        counts.forEach((count, pass) => this._prepare(pass, count));
        this._gatherPlaybacks(lists, (level, list, first) =>
        {
            const { pass } = level;
            list.forEach((i, n) =>
            {
                const at = WORDS_PER_PLAYBACK * (first + n), { previousWords } = this.members;
                pass.playbacks.set(this.members.words(i, level.clipOf), at);
                pass.previous?.playbacks.set(previousWords.subarray(WORDS_PER_PLAYBACK * i, WORDS_PER_PLAYBACK * (i + 1)), at);
            });
            level.skins.forEach((skin) =>
            {
                skin.first.value = first * pass.jointCount + skin.body.instance.first_joint;
                skin.refresh();
            });
        });
        counts.forEach((count, pass) =>
        {
            count > 0 && pass.update(count);
            count > 0 && pass.previous?.update(count);
        });
    }

    // Room for the joints of all instances, and for those of the frame before.
    _prepare(pass, count)
    {
        if (this.tracksMotion && pass.previous === undefined)
        {
            pass.previous = new ComputePass(this.renderer, [...this.passes].find(([, own]) => own === pass)[0]);
        }
        for (const own of [pass, pass.previous].filter(Boolean))
        {
            const before = own.version;
            own.reserve(Math.max(1, count));
            if (own.version !== before)
            {
                const { attribute: texels } = own.output;
                own.node = storage(texels, 'vec4', texels.count).toReadOnly();
            }
        }
    }

    _applySkinning(object)
    {
        const { pelt, renderer, method, normals, mix } = this;
        return applySkinning(object, { pelt, renderer, method, normals, mix });
    }

    _disposeMeshes(level)
    {
        level.skins.forEach((skin) => skin.dispose());
        level.meshes.forEach((mesh, k) => releaseCopy(mesh.geometry, level.bodies[k].mesh.geometry));
        this._freeBuffers(level);
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
