// SPDX-License-Identifier: MIT
import type { PeltSkin, SkinningOptions } from './pelt-three.js';
import type { Object3D } from 'three';
import type { WebGPURenderer } from 'three/webgpu';

export { Bake, BakedTexture, boundsOf, loadBake, METHODS, NORMALS, PeltSkin, raycastSkinned, readBake,
         readKTX2 } from './pelt-three.js';
export type { Method, Moment, NormalRule, Playback, SkinningOptions } from './pelt-three.js';

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
