// SPDX-License-Identifier: MIT
// Compute passes of pelt on the device of a WebGPURenderer, with modules of `pelt shaders --lang wgsl`.
import { StorageBufferAttribute } from 'three/webgpu';
import { WGSL } from './shaders_wgsl.js';

export const WORKGROUP = 64, MAX_GROUPS = 65535;

/// The device of a renderer that has been initialized.
export function deviceOf(renderer)
{
    if (renderer?.isWebGPURenderer !== true)
    {
        throw new Error('pelt-three/webgpu needs { renderer }, a WebGPURenderer; WebGLRenderer is for pelt-three');
    }
    const device = renderer.backend?.device;
    if (!device)
    {
        throw new Error('the renderer has no WebGPU device: wait for renderer.init(), and where it has fallen back to ' +
                        'WebGL 2, take WebGLRenderer and pelt-three');
    }
    return device;
}

const pipelines = new WeakMap(); // by device

/// A pipeline of a module, compiled once for each device.
export function pipelineOf(device, code, entryPoint, constants)
{
    pipelines.has(device) || pipelines.set(device, new Map());
    const known = pipelines.get(device), key = JSON.stringify([entryPoint, constants]) + code;
    if (!known.has(key))
    {
        const module = device.createShaderModule({ code });
        known.set(key, device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint, constants } }));
    }
    return known.get(key);
}

/// The module that skins by a method, and its constants.
export function skinningModule({ method, normals, influences, isScaled, slots, hasCenters })
{
    const isAccurate = normals === 'accurate';
    return {
        code: WGSL.skin + (isAccurate ? WGSL.normals : '') + WGSL[`compute_${method}${isAccurate ? '_accurate' : ''}`],
        constants: { PELT_INFLUENCES: influences, PELT_SCALE: isScaled ? 1 : 0,
                     ...isAccurate ? { PELT_NORMAL_SLOTS: slots, PELT_NORMAL_CENTERS: hasCenters ? 1 : 0 } : {} },
    };
}

/// The module that decodes joints of a kind.
export function poseModule(kind)
{
    return { code: WGSL.skin + WGSL.texture + WGSL.pose,
             constants: { PELT_BAKED_TEXEL_WORDS: 4, PELT_BAKED_KIND: { pose: 0, matrix: 1, dual: 2 }[kind] } };
}

const { STORAGE, UNIFORM, COPY_DST } = globalThis.GPUBufferUsage ?? {};

/// A buffer that shaders read.
export function bufferOf(device, data, isUniform = false)
{
    const buffer = device.createBuffer({ size: Math.max(16, Math.ceil(data.byteLength / 16) * 16),
                                         usage: (isUniform ? UNIFORM : STORAGE) | COPY_DST });
    device.queue.writeBuffer(buffer, 0, data);
    return buffer;
}

/// A list of vec4 that a compute pass writes and materials read: an attribute, and its buffer.
export function outputOf(renderer, count)
{
    const attribute = new StorageBufferAttribute(new Float32Array(4 * Math.max(1, count)), 4);
    renderer.backend.createStorageAttribute(attribute);
    return { attribute, buffer: renderer.backend.get(attribute).buffer };
}

export function freeOutput(renderer, { attribute })
{
    attribute.dispose?.(); // where the renderer has used it
    if (renderer.backend.get(attribute).buffer !== undefined)
    {
        renderer.backend.destroyAttribute(attribute);
    }
}

/// One pass, submitted at once: what the renderer submits afterwards sees its result.
export function dispatch(device, pipeline, buffers, invocations, before = () => {})
{
    const encoder = device.createCommandEncoder();
    before(encoder);
    const pass = encoder.beginComputePass(), groups = Math.ceil(invocations / WORKGROUP);
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0),
        entries: buffers.flatMap((buffer, binding) => (buffer === null ? [] : [{ binding, resource: { buffer } }])) }));
    pass.dispatchWorkgroups(Math.min(groups, MAX_GROUPS), Math.ceil(groups / MAX_GROUPS));
    pass.end();
    device.queue.submit([encoder.finish()]);
}
