// SPDX-License-Identifier: MIT
// Better skinning for WebGPURenderer. For WebGLRenderer see pelt-three.
export { loadBake, readBake, readKTX2 } from './bake.js';
export { METHODS, NORMALS } from './common.js';
export { BakedTexture } from './decode.js';
export { boundsOf, PeltSkin, raycastSkinned } from './skin_base.js';
export { PeltCrowd } from './webgpu_crowd.js';
export { applySkinning } from './webgpu_skin.js';
