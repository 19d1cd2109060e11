// SPDX-License-Identifier: MIT
import type { Bake, CrowdOptions, PeltCrowd as WebGLCrowd, PeltSkin, SkinningOptions } from './pelt-three.js';
import type { Camera, Object3D } from 'three';
import type { WebGPURenderer } from 'three/webgpu';

export { Bake, BakedTexture, boundsOf, loadBake, METHODS, NORMALS, PeltSkin, raycastSkinned, readBake,
         readKTX2 } from './pelt-three.js';
export type { CrowdOptions, InstanceOptions, InstanceState, LiveInstance, Method, Moment, NormalRule, Playback,
              PlayOptions, SkinningOptions } from './pelt-three.js';

export interface WebGPUSkinningOptions extends SkinningOptions
{
    /** After renderer.init(). */
    renderer: WebGPURenderer;
}

/**
 * Deform all skinned meshes of an object by pelt, in a compute pass when three.js updates the skeleton.
 * Copies of materials read the result in their positionNode, which replaces one of your own.
 */
export function applySkinning(object: Object3D, options: WebGPUSkinningOptions): PeltSkin;

declare const Crowd: new (scene: Object3D, bake: Bake, options: CrowdOptions & { renderer: WebGPURenderer }) =>
    Omit<WebGLCrowd, 'update' | 'renderMotion'>;

/**
 * A crowd as that of pelt-three, for bakes of joints, with standard normals. A compute pass decodes
 * joints; meshes are plain ones that are drawn `count` times. With tracksMotion the node `velocity` of
 * three.js has motion vectors.
 */
export class PeltCrowd extends Crowd
{
    update(renderer: WebGPURenderer, cameras?: Camera | Camera[], seconds?: number): void;
}
