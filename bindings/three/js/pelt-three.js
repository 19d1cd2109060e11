// SPDX-License-Identifier: MIT
// Better skinning for WebGLRenderer. For WebGPURenderer see pelt-three/webgpu.
export { loadBake, readBake, readKTX2 } from './bake.js';
export { METHODS, NORMALS } from './common.js';
export { PeltCrowd } from './crowd.js';
export { BakedTexture } from './decode.js';
export { applySkinning } from './skin.js';
export { boundsOf, PeltSkin, raycastSkinned } from './skin_base.js';
