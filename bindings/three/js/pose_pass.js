// SPDX-License-Identifier: MIT
// The pose pass of WebGLRenderer: decodes each joint of each instance once, into four textures.
import { BufferGeometry, BufferAttribute, Camera, DataTexture, FloatType, GLSL3, Mesh, NearestFilter, NoBlending,
         RawShaderMaterial, RGBAFormat, RGBAIntegerFormat, UnsignedByteType, UnsignedIntType, UnsignedShortType,
         WebGLRenderTarget } from 'three';
import { POSED_WIDTH } from './patch.js';
import { GLSL } from './shaders.js';

const PRECISION = `precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
`;
const TYPES = { rgba32ui: UnsignedIntType, rgba16ui: UnsignedShortType, rgba8ui: UnsignedByteType };
const KINDS = { pose: 'PELT_BAKED_POSE', matrix: 'PELT_BAKED_MATRIX', dual: 'PELT_BAKED_DUAL' };

function integerTexture(data, width, height, type)
{
    const texture = new DataTexture(data, width, height, RGBAIntegerFormat, type);
    texture.needsUpdate = true;
    return texture;
}

/// The texture of a bake on the GPU.
export function bakedTexture({ image: { data, width, height, texel } })
{
    return integerTexture(data, width, height, TYPES[texel]);
}

function fragmentOf({ image, texture })
{
    return `${PRECISION}
#define PELT_PALETTE_WIDTH ${POSED_WIDTH}
#define PELT_POSE_TARGETS
#define PELT_BAKED_TEXEL_WORDS ${image.wordsPerTexel}
#define PELT_BAKED_KIND ${KINDS[texture.kind]}
${GLSL.texture}
${GLSL.texture_joint}
${GLSL.pose_fragment}`;
}

/// Joints of all instances that play one bake.
export class PosePass
{
    constructor(bake)
    {
        this.jointCount = bake.texture.jointCount;
        this.baked = bakedTexture(bake);
        this.uniforms = { pelt_baked: { value: this.baked }, pelt_playbacks: { value: null } };
        this.posed = { value: [] }; // textures that shaders read
        this.target = null;
        const triangle = new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(9), 3));
        this.mesh = new Mesh(triangle, new RawShaderMaterial({
            glslVersion: GLSL3, uniforms: this.uniforms, blending: NoBlending, depthTest: false, depthWrite: false,
            vertexShader: `${PRECISION}${GLSL.pose_vertex}`, fragmentShader: fragmentOf(bake),
        }));
        this.mesh.frustumCulled = false;
        this.camera = new Camera();
    }

    /// Room for the playbacks of `count` instances: words, until update().
    playbacks(count)
    {
        const rows = Math.max(1, Math.ceil(2 * count / POSED_WIDTH));
        const texture = this.uniforms.pelt_playbacks.value;
        if (texture === null || texture.image.height < rows)
        {
            texture?.dispose();
            this.uniforms.pelt_playbacks.value = integerTexture(new Uint32Array(4 * POSED_WIDTH * rows), POSED_WIDTH,
                                                                rows, UnsignedIntType);
        }
        return this.uniforms.pelt_playbacks.value.image.data;
    }

    _reserve(rows)
    {
        if (this.target !== null && this.target.height >= rows)
        {
            return;
        }
        this.target?.dispose();
        this.target = new WebGLRenderTarget(POSED_WIDTH, rows, {
            count: 4, type: FloatType, format: RGBAFormat, minFilter: NearestFilter, magFilter: NearestFilter,
            depthBuffer: false });
        this.posed.value = this.target.textures;
    }

    update(renderer, count)
    {
        const rows = Math.max(1, Math.ceil(count * this.jointCount / POSED_WIDTH));
        this._reserve(rows);
        this.uniforms.pelt_playbacks.value.needsUpdate = true;
        this.target.viewport.set(0, 0, POSED_WIDTH, rows); // only rows in use
        const before = renderer.getRenderTarget(), { autoClear } = renderer, isXR = renderer.xr.enabled;
        renderer.autoClear = renderer.xr.enabled = false;
        renderer.setRenderTarget(this.target);
        renderer.render(this.mesh, this.camera);
        renderer.setRenderTarget(before);
        renderer.autoClear = autoClear;
        renderer.xr.enabled = isXR;
    }

    dispose()
    {
        this.baked.dispose();
        this.uniforms.pelt_playbacks.value?.dispose();
        this.target?.dispose();
        this.mesh.geometry.dispose();
        this.mesh.material.dispose();
    }
}

