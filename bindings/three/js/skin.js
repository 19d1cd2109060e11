// SPDX-License-Identifier: MIT
// Skinned meshes under WebGLRenderer.
import { BufferAttribute, MeshDepthMaterial, MeshDistanceMaterial, RGBADepthPacking } from 'three';
import { floatTexture, releaseCopy, setInfluences, shallowCopy } from './common.js';
import { copyMaterial } from './material.js';
import { FACTOR_WIDTH, PALETTE_WIDTH, patchMaterial } from './patch.js';
import { createSkin, SkinBase } from './skin_base.js';

class Skin extends SkinBase
{
    // Attributes go to a geometry of this mesh alone, which shares all others.
    attach()
    {
        const { mesh, arrays, body } = this;
        this.uniforms = {
            pelt_palette: { value: floatTexture(new Float32Array(16 * arrays.jointCount), PALETTE_WIDTH) },
            pelt_normal_factors: { value: null },
            pelt_mix: { value: body.mix },
        };
        const { joints, weights } = this.skinner.influences(this.influences);
        const geometry = shallowCopy(mesh.geometry);
        setInfluences(geometry, joints, weights, this.influences);
        if (arrays.mixFactors !== null)
        {
            geometry.setAttribute('pelt_mix', new BufferAttribute(arrays.mixFactors, 1));
        }
        mesh.geometry = geometry;

        const patched = (material) => patchMaterial(copyMaterial(material), this, material);
        mesh.material = Array.isArray(mesh.material) ? mesh.material.map(patched) : patched(mesh.material);
        mesh.customDepthMaterial = patched(mesh.customDepthMaterial ??
            new MeshDepthMaterial({ depthPacking: RGBADepthPacking }));
        mesh.customDistanceMaterial = patched(mesh.customDistanceMaterial ?? new MeshDistanceMaterial());
        this.materials = [mesh.material, mesh.customDepthMaterial, mesh.customDistanceMaterial].flat();
    }

    setCenters(centers)
    {
        const { geometry } = this.mesh;
        if (geometry.attributes.pelt_cor === undefined)
        {
            geometry.setAttribute('pelt_cor', new BufferAttribute(centers, 3));
        }
    }

    setFactors(factors)
    {
        const uniform = this.uniforms.pelt_normal_factors;
        uniform.value?.dispose();
        uniform.value = factors === null ? null : floatTexture(factors.data, FACTOR_WIDTH);
    }

    setPalette(texels)
    {
        const texture = this.uniforms.pelt_palette.value;
        texture.image.data.set(texels);
        texture.needsUpdate = true;
    }

    refresh()
    {
        this.uniforms.pelt_mix.value = this.body.mix;
        const text = JSON.stringify(this.constants);
        if (text !== this.text)
        {
            this.text = text;
            this.materials.forEach((material) => { material.needsUpdate = true; });
        }
    }

    detach()
    {
        this.materials.forEach((material) => material.dispose());
        releaseCopy(this.mesh.geometry, this.original.geometry);
        this.uniforms.pelt_palette.value.dispose();
        this.setFactors(null);
    }
}

/// Deform all skinned meshes of an object by pelt.
export function applySkinning(object, options) { return createSkin(Skin, object, options); }
