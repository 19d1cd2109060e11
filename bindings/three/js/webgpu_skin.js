// SPDX-License-Identifier: MIT
// Skinned meshes under WebGPURenderer: a compute pass skins, and materials read its result.
import { Fn, normalLocal, storage, tangentLocal, vertexIndex } from 'three/tsl';
import { copyMaterial } from './material.js';
import { createSkin, SkinBase } from './skin_base.js';
import { bufferOf, deviceOf, dispatch, freeOutput, outputOf, pipelineOf, skinningModule } from './webgpu_compute.js';

// Position, normal, tangent, center and mix factor of each vertex, four numbers each.
function restVertices({ positions, normals, tangents, centers, mixFactors })
{
    const count = positions.length / 3, out = new Float32Array(16 * count);
    for (let i = 0; i < count; ++i)
    {
        out.set(positions.subarray(3 * i, 3 * i + 3), 16 * i);
        normals !== null && out.set(normals.subarray(3 * i, 3 * i + 3), 16 * i + 4);
        tangents !== null && out.set(tangents.subarray(4 * i, 4 * i + 4), 16 * i + 8);
        centers !== null && out.set(centers.subarray(3 * i, 3 * i + 3), 16 * i + 12);
        out[16 * i + 15] = mixFactors === null ? -1 : mixFactors[i];
    }
    return out;
}

// Joints and weights, four at a time.
function influenceWords({ joints, weights })
{
    const out = new Uint32Array(2 * joints.length), bits = new Uint32Array(weights.buffer, weights.byteOffset,
                                                                          weights.length);
    for (let i = 0; i < joints.length; i += 4)
    {
        out.set(joints.subarray(i, i + 4), 2 * i);
        out.set(bits.subarray(i, i + 4), 2 * i + 4);
    }
    return out;
}

// Changes of positions and normals by each morph target, four numbers each.
function targetChanges({ attributes, morphAttributes, morphTargetsRelative: isRelative }, { positions, normals })
{
    const { position: moved = [], normal: bent = [] } = morphAttributes, count = attributes.position.count;
    const out = new Float32Array(8 * count * moved.length);
    moved.forEach((target, k) =>
    {
        for (let i = 0; i < count; ++i)
        {
            const at = 8 * (count * k + i);
            for (const [c, get] of ['getX', 'getY', 'getZ'].entries())
            {
                out[at + c] = target[get](i) - (isRelative ? 0 : positions[3 * i + c]);
                if (bent[k] !== undefined && normals !== null)
                {
                    out[at + 4 + c] = bent[k][get](i) - (isRelative ? 0 : normals[3 * i + c]);
                }
            }
        }
    });
    return { changes: out, count: moved.length };
}

class Skin extends SkinBase
{
    attach()
    {
        const { mesh, arrays, body: { renderer } } = this;
        this.device = deviceOf(renderer);
        this.count = arrays.positions.length / 3;
        this.targets = targetChanges(mesh.geometry, arrays);
        const { device } = this, buffer = (data, isUniform) => bufferOf(device, data, isUniform);
        this.buffers = {
            sizes: buffer(new Uint32Array(4), true),
            palette: buffer(new Float32Array(16 * arrays.jointCount)),
            rest: buffer(restVertices(arrays)),
            influences: buffer(influenceWords(this.skinner.influences(this.influences))),
            targets: buffer(this.targets.changes),
            weights: buffer(new Float32Array(this.targets.count)),
        };
        this.factorBuffer = null;
        this.output = outputOf(renderer, 3 * this.count);
        const patched = (material) => this._patch(copyMaterial(material));
        mesh.material = Array.isArray(mesh.material) ? mesh.material.map(patched) : patched(mesh.material);
        this.materials = [mesh.material].flat();
    }

    // Stock skinning runs first, and its result is replaced. Shadows take the same node.
    _patch(material)
    {
        const vertices = storage(this.output.attribute, 'vec4', 3 * this.count).toReadOnly();
        const hasTangents = this.arrays.tangents !== null;
        material.positionNode = Fn(() =>
        {
            const at = vertexIndex.mul(3);
            this.hasNormals && normalLocal.assign(vertices.element(at.add(1)).xyz);
            hasTangents && tangentLocal.assign(vertices.element(at.add(2)).xyz);
            return vertices.element(at).xyz;
        })();
        return material;
    }

    setCenters() { this.device.queue.writeBuffer(this.buffers.rest, 0, restVertices(this.arrays)); }

    setFactors(factors)
    {
        this.factorBuffer?.destroy();
        this.factorBuffer = factors === null ? null : bufferOf(this.device, factors.data);
    }

    refresh()
    {
        const { code, constants } = skinningModule(this.constants);
        this.pipeline = pipelineOf(this.device, code, 'skin', constants);
        this.isAccurate = this.constants.normals === 'accurate';
        this.updatePalette(); // three.js updates skeletons once per animation frame
    }

    setPalette(texels)
    {
        const { device, buffers, body, targets, mesh } = this;
        const sizes = new Uint32Array([this.count, targets.count, 0, 0]);
        new Float32Array(sizes.buffer)[2] = body.mix;
        device.queue.writeBuffer(buffers.sizes, 0, sizes);
        device.queue.writeBuffer(buffers.palette, 0, texels);
        targets.count > 0 && mesh.morphTargetInfluences !== undefined &&
            device.queue.writeBuffer(buffers.weights, 0, Float32Array.from(mesh.morphTargetInfluences));
        const { palette, rest, influences, targets: changes, weights } = buffers;
        dispatch(device, this.pipeline, [buffers.sizes, palette, rest, influences, changes, weights, this.output.buffer,
                                         ...this.isAccurate ? [this.factorBuffer] : []], this.count);
    }

    detach()
    {
        this.materials.forEach((material) => material.dispose());
        Object.values(this.buffers).forEach((buffer) => buffer.destroy());
        this.setFactors(null);
        freeOutput(this.body.renderer, this.output);
    }
}

/// Deform all skinned meshes of an object by pelt.
export function applySkinning(object, options)
{
    deviceOf(options?.renderer);
    return createSkin(Skin, object, options);
}
