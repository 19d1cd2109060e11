// SPDX-License-Identifier: MIT
// Materials of WebGLRenderer with the skinning functions of pelt.
import { ShaderMaterial } from 'three';
import { GLSL } from './shaders.js';

/// Texels in a row of the textures that shaders read.
export const PALETTE_WIDTH = 256;
export const FACTOR_WIDTH = 1024;

/// A row of the textures that the pose pass reads and writes.
export const POSED_WIDTH = 1024;

// Where joints are: in the texture of a skeleton, or in four textures that the pose pass has
// filled for all instances.
const SKELETON = `
#define PELT_PALETTE_TEXTURE
#define PELT_PALETTE_WIDTH ${PALETTE_WIDTH}
`;
function posedTexel(name)
{
    const fetched = (i) => `texelFetch(${name}[${i}], pixel, 0)`;
    return `texel == 0u ? ${fetched(0)} : texel == 1u ? ${fetched(1)} : texel == 2u ? ${fetched(2)} : ${fetched(3)}`;
}

const POSED = `
#define PELT_PALETTE_OWN
#define PELT_PALETTE_POSED
${GLSL.instance}
uniform highp sampler2D pelt_posed[4];
#ifdef PELT_MOTION
uniform highp sampler2D pelt_posed_before[4];
bool pelt_is_before = false;
#endif
vec4 pelt_palette_texel(uint joint, uint texel)
{
    uint at = joint + pelt_instance_joint();
    ivec2 pixel = ivec2(int(at) % ${POSED_WIDTH}, int(at) / ${POSED_WIDTH});
#ifdef PELT_MOTION
    if (pelt_is_before)
    {
        return ${posedTexel('pelt_posed_before')};
    }
#endif
    return ${posedTexel('pelt_posed')};
}
`;

// The library, attributes and a function from a rest vertex, morph targets included, to a skinned
// one. Textures and constants are those of a Skin or of a crowd.
function jointDeclarations({ method, normals, influences, isScaled, slots, hasCenters, hasMixFactors, isPosed })
{
    const isAccurate = normals === 'accurate';
    return `
#define PELT_INFLUENCES ${influences}
#define PELT_SCALE ${isScaled ? 'PELT_GPU_SCALE_LOCAL' : 'PELT_GPU_SCALE_NONE'}
${isAccurate ? `#define PELT_NORMAL_SLOTS ${slots}
#define PELT_NORMAL_CENTERS ${hasCenters ? 1 : 0}
#define PELT_NORMAL_WIDTH ${FACTOR_WIDTH}` : ''}
${isPosed ? POSED : SKELETON}
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
`;
}

// Vertices of a bake, which has no joints.
function vertexDeclarations({ texelWords })
{
    return `
#define PELT_BAKED_TEXEL_WORDS ${texelWords}
precision highp usampler2D;
${GLSL.texture}
${GLSL.texture_vertex}
in uint pelt_vertex_id;
in uvec4 pelt_playback;
in vec4 pelt_times;

pelt_vertex pelt_three_skin(vec3 position, vec3 normal, vec4 tangent)
{
    pelt_rest rest = pelt_rest(position, normal, tangent, vec3(0.0), 0.0, 0);
    return pelt_baked_vertex(rest, pelt_vertex_id, pelt_play(pelt_playback, pelt_times));
}
`;
}

// Instances of a crowd are no SkinnedMesh, for which alone three.js defines USE_SKINNING.
function declarations(constants)
{
    const { isPosed, isVertices } = constants;
    return `
${isPosed || isVertices ? '#define PELT_CROWD' : ''}
#if defined(USE_SKINNING) || defined(PELT_CROWD)
${isVertices ? vertexDeclarations(constants) : jointDeclarations(constants)}
#endif
`;
}

// Positions come before normals, which depend on them: begin_vertex and morphtarget_vertex move to
// the beginning of main(). Depth materials have no normals.
const SKIN_NORMAL = `
#if defined(USE_SKINNING) || defined(PELT_CROWD)
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
#if defined(USE_SKINNING) || defined(PELT_CROWD)
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

/// Give a material the functions of a skin: an object with `constants`, the members of
/// jointDeclarations() or vertexDeclarations(), and `uniforms`. What the material's own onBeforeCompile does comes afterwards.
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

/// A material that writes how far each pixel of a crowd has moved since the frame before, in
/// normalized device coordinates.
export function motionMaterial(skin, source)
{
    const { isVertices } = skin.constants;
    const pelt = isVertices ? vertexDeclarations(skin.constants) : jointDeclarations(skin.constants);
    const rest = 'pelt_three_skin(transformed, vec3(0.0), vec4(0.0)).position';
    return new ShaderMaterial({
        name: 'PeltMotion',
        side: source.side,
        uniforms: skin.uniforms,
        vertexShader: `
#define PELT_MOTION
${pelt}
uniform mat4 pelt_clip_before;
in mat4 pelt_previous_matrix;
out vec4 pelt_now, pelt_old;
#include <morphtarget_pars_vertex>
void main()
{
    #include <begin_vertex>
    #include <morphtarget_vertex>
    pelt_now = projectionMatrix * modelViewMatrix * instanceMatrix * vec4(${rest}, 1.0);
    ${isVertices ? '' : 'pelt_is_before = true;'}
    pelt_old = pelt_clip_before * pelt_previous_matrix * vec4(${rest}, 1.0);
    gl_Position = pelt_now;
}`,
        fragmentShader: `
in vec4 pelt_now, pelt_old;
void main()
{
    gl_FragColor = vec4(pelt_now.xy / pelt_now.w - pelt_old.xy / pelt_old.w, 0.0, 1.0);
}`,
    });
}
