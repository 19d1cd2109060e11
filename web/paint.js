// SPDX-License-Identifier: MIT
// What the surface shows instead of its material: plain grey, or a color map of one number per vertex.
import { BufferAttribute, DataTexture, RGBAFormat, SRGBColorSpace, UnsignedByteType } from 'three';

export const MODES = ['material', 'grey', 'difference', 'weights'];
const COLORS = 256;
const MAP_OF = { difference: 'uniform', weights: 'weight' };

function mapTexture(pelt, map)
{
    const data = new Uint8Array(4 * COLORS);
    for (let i = 0; i < COLORS; ++i)
    {
        const color = parseInt(pelt.mapColor(map, i / (COLORS - 1)).slice(1), 16);
        data.set([color >> 16, color >> 8 & 255, color & 255, 255], 4 * i);
    }
    const texture = new DataTexture(data, COLORS, 1, RGBAFormat, UnsignedByteType);
    texture.colorSpace = SRGBColorSpace;
    texture.needsUpdate = true;
    return texture;
}

/// One for all materials of the page: what they show, and the color maps.
export class Paint
{
    constructor(pelt)
    {
        this.pelt = pelt;
        this.maps = { uniform: mapTexture(pelt, 'uniform'), weight: mapTexture(pelt, 'weight') };
        this.uniforms = { paint_mode: { value: 0 }, paint_map: { value: this.maps.uniform }, paint_scale: { value: 1 } };
        this.mode = 'material';
    }

    /// @param scale  values are multiplied by it
    set(mode, scale = 1)
    {
        this.mode = mode;
        this.uniforms.paint_mode.value = Math.min(2, MODES.indexOf(mode));
        this.uniforms.paint_map.value = this.maps[MAP_OF[mode] ?? 'uniform'];
        this.uniforms.paint_scale.value = scale;
    }

    /// Colors of the current map for a legend, as CSS.
    gradient()
    {
        const stops = Array.from({ length: 17 }, (_, i) => this.pelt.mapColor(MAP_OF[this.mode] ?? 'uniform', i / 16));
        return `linear-gradient(to right, ${stops.join(', ')})`;
    }

    /// Give a mesh the attribute, and its materials the shader code. Before pelt-three copies them.
    prepare(mesh)
    {
        const { geometry } = mesh;
        if (geometry.attributes.paint_value === undefined)
        {
            geometry.setAttribute('paint_value', new BufferAttribute(new Float32Array(geometry.attributes.position.count), 1));
        }
        for (const material of [mesh.material].flat())
        {
            material.onBeforeCompile = (shader) =>
            {
                Object.assign(shader.uniforms, this.uniforms);
                shader.vertexShader = shader.vertexShader.replace('#include <common>', VERTEX)
                    .replace('#include <uv_vertex>', '#include <uv_vertex>\n    paint_v = paint_value;');
                shader.fragmentShader = shader.fragmentShader.replace('#include <common>', FRAGMENT)
                    .replace('#include <color_fragment>', COLOR).replace('#include <metalnessmap_fragment>', ROUGHNESS)
                    .replace('#include <emissivemap_fragment>', EMISSIVE);
            };
        }
    }
}

const VERTEX = `
#include <common>
in float paint_value;
out float paint_v;
`;
const FRAGMENT = `
#include <common>
in float paint_v;
uniform int paint_mode;
uniform float paint_scale;
uniform sampler2D paint_map;
`;
const COLOR = `
#include <color_fragment>
if (paint_mode == 1) diffuseColor.rgb = vec3(0.38);
if (paint_mode == 2) diffuseColor.rgb = texture2D(paint_map, vec2(clamp(paint_v * paint_scale, 0.002, 0.998), 0.5)).rgb;
`;
const ROUGHNESS = `
#include <metalnessmap_fragment>
if (paint_mode > 0) { roughnessFactor = 0.75; metalnessFactor = 0.0; }
`;
const EMISSIVE = `
#include <emissivemap_fragment>
if (paint_mode > 0) totalEmissiveRadiance = vec3(0.0);
if (paint_mode == 2) { totalEmissiveRadiance = 0.45 * diffuseColor.rgb; diffuseColor.rgb *= 0.55; } // closer to the legend
`;
