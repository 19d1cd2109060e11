// SPDX-License-Identifier: MIT
// The example of docs/gpu.md in three.js: its own materials, skinned by functions of pelt.
//     node tests/outside/three_material.mjs PELT CHROMIUM FOLDER_WITH_THREE
// A square that is out of sight at rest is moved before the camera and rotated about y, so that the
// color of its normal tells whether position and normal came through, with a morph target. Materials
// that three.js lights, one with tangents, and that of shadows have to compile.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { askPage } from './browser.mjs';

const [pelt, chromium, npm] = process.argv.slice(2);
if (!npm)
{
    console.error('usage: node three_material.mjs PELT CHROMIUM FOLDER_WITH_THREE');
    process.exit(2);
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pelt-three-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const three = (name) => fs.readFileSync(path.join(npm, 'node_modules/three/build', name), 'utf8');
const docs = fs.readFileSync(new URL('../../docs/gpu.md', import.meta.url), 'utf8');
const example = docs.match(/^```js\n([^]*?)^```$/m)[1];
execFileSync(pelt, ['shaders', '--lang', 'essl', '--method', 'dqs', '-o', folder],
             { stdio: ['ignore', 'ignore', 'pipe'] });
const library = ['constants', 'common', 'palette', 'stretch', 'dqs']
    .map((name) => fs.readFileSync(path.join(folder, `skin_${name}.glsl`), 'utf8')).join('\n');

const ANGLE = Math.PI / 4;
const page = `
import * as THREE from './three.module.js';
${example}

const library = ${JSON.stringify(library)};
const [s, c] = [Math.sin(${ANGLE}), Math.cos(${ANGLE})];
const texels = new Float32Array(4 * 1024);
texels.set([c, 0, s, -10 * c,  0, 1, 0, 0,  -s, 0, c, 10 * s,
            0, Math.sin(${ANGLE} / 2), 0, Math.cos(${ANGLE} / 2)]);
const palette = new THREE.DataTexture(texels, 1024, 1, THREE.RGBAFormat, THREE.FloatType);
palette.needsUpdate = true;

const geometry = new THREE.PlaneGeometry(4, 4).translate(10, 0, 0);
const joints = new THREE.Uint16BufferAttribute(new Uint16Array(16), 4);
joints.gpuType = THREE.IntType;
geometry.setAttribute('pelt_joints', joints);
geometry.setAttribute('pelt_weights', new THREE.Float32BufferAttribute(
    [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], 4));

geometry.setAttribute('tangent', new THREE.Float32BufferAttribute(
    [1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1], 4));
// A morph target takes the square from where the joint would not bring it into sight.
geometry.translate(-100, 0, 0);
geometry.morphAttributes.position = [new THREE.Float32BufferAttribute(
    [100, 0, 0, 100, 0, 0, 100, 0, 0, 100, 0, 0], 3)];
geometry.morphTargetsRelative = true;

const renderer = new THREE.WebGLRenderer();
const problems = [];
renderer.debug.onShaderError = (gl, program, vertex) => problems.push(gl.getShaderInfoLog(vertex));
const camera = new THREE.OrthographicCamera(-1, 1, 1, -1, -50, 50);
const target = new THREE.WebGLRenderTarget(3, 3, { type: THREE.FloatType });
const pixel = new Float32Array(4);
const normalMap = new THREE.DataTexture(new Uint8Array([128, 128, 255, 255]), 1, 1);
for (const material of [new THREE.MeshStandardMaterial({ normalMap }), new THREE.MeshPhongMaterial(),
                        new THREE.MeshBasicMaterial(), new THREE.MeshDepthMaterial(),
                        new THREE.MeshNormalMaterial()])
{
    skinByPelt(material, library, palette);
    const mesh = new THREE.Mesh(geometry, material);
    mesh.morphTargetInfluences = [1];
    mesh.frustumCulled = false; // its box is that of the bind pose
    const scene = new THREE.Scene();
    scene.add(mesh);
    renderer.setRenderTarget(target);
    renderer.clear();
    renderer.render(scene, camera);
}
renderer.readRenderTargetPixels(target, 1, 1, 1, 1, pixel);
fetch('/results', { method: 'POST', body: JSON.stringify({ problems, pixel: [...pixel] }) });
`;

const { problems, pixel } = await askPage(chromium, folder, {
    '/': '<script type="module" src="page.js"></script>',
    '/page.js': `try { await import('./main.js'); }
                 catch (error) { fetch('/results', { method: 'POST', body:
                     JSON.stringify({ problems: [String(error)], pixel: [] }) }); }`,
    '/main.js': page,
    '/three.module.js': three('three.module.js'),
    '/three.core.js': three('three.core.js'),
});
const expected = [0.5 + 0.5 * Math.sin(ANGLE), 0.5, 0.5 + 0.5 * Math.cos(ANGLE), 1];
const isNear = expected.every((value, i) => Math.abs(value - pixel[i]) < 1e-3);
console.log(problems.join('\n'));
console.log(`a pixel of the normal is ${pixel}, expected ${expected}`);
process.exit(problems.length === 0 && isNear ? 0 : 1);
