// SPDX-License-Identifier: MIT
// Materials of WebGLRenderer with the skinning functions of pelt.
import { GLSL } from './shaders.js';

/// Texels in a row of the textures that shaders read.
export const PALETTE_WIDTH = 256;
export const FACTOR_WIDTH = 1024;

// The library, attributes and a function from a rest vertex, morph targets included, to a skinned
// one. Textures and constants are those of a Skin.
function declarations({ method, normals, influences, isScaled, slots, hasCenters, hasMixFactors })
{
    const isAccurate = normals === 'accurate';
    return `
#ifdef USE_SKINNING
#define PELT_PALETTE_TEXTURE
#define PELT_PALETTE_WIDTH ${PALETTE_WIDTH}
#define PELT_INFLUENCES ${influences}
#define PELT_SCALE ${isScaled ? 'PELT_GPU_SCALE_LOCAL' : 'PELT_GPU_SCALE_NONE'}
${isAccurate ? `#define PELT_NORMAL_SLOTS ${slots}
#define PELT_NORMAL_CENTERS ${hasCenters ? 1 : 0}
#define PELT_NORMAL_WIDTH ${FACTOR_WIDTH}` : ''}
${GLSL.base}
${GLSL[method]}
${isAccurate ? GLSL.normals + GLSL[`normals_${method}`] : ''}
in uvec4 pelt_joints;
in vec4 pelt_weights;
${influences > 4 ? 'in uvec4 pelt_joints_2;\nin vec4 pelt_weights_2;' : ''}
${method === 'crs' ? 'in vec3 pelt_cor;' : ''}
${method === 'mix' ? (hasMixFactors ? 'in float pelt_mix;' : 'uniform float pelt_mix;') : ''}

pelt_vertex pelt_three_skin(vec3 position, vec3 normal, vec4 tangent)
{
    pelt_influences influences = pelt_influences_make(pelt_joints, pelt_weights,
        ${influences > 4 ? 'pelt_joints_2, pelt_weights_2' : 'uvec4(0u), vec4(0.0)'});
    pelt_rest rest = pelt_rest(position, normal, tangent,
        ${method === 'crs' ? 'pelt_cor' : 'vec3(0.0)'}, ${method === 'mix' ? 'pelt_mix' : '0.0'},
        gl_VertexID);
    return pelt_deform_${method}${isAccurate ? '_accurate' : ''}(rest, influences);
}
#endif
`;
}

// Positions come before normals, which depend on them: begin_vertex and morphtarget_vertex move to
// the beginning of main(). Depth materials have no normals.
const SKIN_NORMAL = `
#ifdef USE_SKINNING
#define PELT_SKINNED
    #ifdef USE_TANGENT
        pelt_vertex pelt_skinned = pelt_three_skin(transformed, objectNormal, vec4(objectTangent, tangent.w));
        objectTangent = pelt_skinned.tangent.xyz;
    #else
        pelt_vertex pelt_skinned = pelt_three_skin(transformed, objectNormal, vec4(0.0));
    #endif
    objectNormal = pelt_skinned.normal;
#endif
`;
const SKIN_POSITION = `
#ifdef USE_SKINNING
    #ifndef PELT_SKINNED
        pelt_vertex pelt_skinned = pelt_three_skin(transformed, vec3(0.0), vec4(0.0));
    #endif
    transformed = pelt_skinned.position;
#endif
`;

const START = '#include <begin_vertex>', MORPH = '#include <morphtarget_vertex>';
const INSTANCE = '#include <morphinstance_vertex>';

function patchVertexShader(text, skin)
{
    return text
        .replace(START, '').replace(MORPH, '').replace(INSTANCE, '')
        .replace('#include <skinning_pars_vertex>', () => declarations(skin))
        .replace(/void main\(\)\s*\{/, (main) => `${main}\n${INSTANCE}\n${START}\n${MORPH}\n`)
        .replace('#include <skinbase_vertex>', '')
        .replace('#include <skinnormal_vertex>', SKIN_NORMAL)
        .replace('#include <skinning_vertex>', SKIN_POSITION);
}

/// Give a material the functions of a skin: an object with the members of declarations() and
/// `uniforms`. What the material's own onBeforeCompile does comes afterwards.
export function patchMaterial(material, skin, original = material)
{
    const compile = original.onBeforeCompile, key = original.customProgramCacheKey;
    material.onBeforeCompile = function (shader, renderer)
    {
        Object.assign(shader.uniforms, skin.uniforms);
        shader.vertexShader = patchVertexShader(shader.vertexShader, skin.constants);
        compile.call(this, shader, renderer);
    };
    material.customProgramCacheKey = function ()
    {
        return `pelt ${JSON.stringify(skin.constants)} ${key.call(original)}`;
    };
    return material;
}

/// A copy of a material, with its constants, which clone() resets, and its functions.
export function copyMaterial(material)
{
    const copy = material.clone();
    if (material.defines !== undefined)
    {
        copy.defines = { ...material.defines };
    }
    copy.onBeforeCompile = material.onBeforeCompile;
    copy.customProgramCacheKey = material.customProgramCacheKey;
    return copy;
}
