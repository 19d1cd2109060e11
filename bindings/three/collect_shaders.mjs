// SPDX-License-Identifier: MIT
// Writes the skinning functions of `pelt shaders` as a module for pelt-three:
//     node collect_shaders.mjs PELT OUTPUT OUTPUT_OF_WGSL
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const [pelt, output, outputWgsl] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pelt-shaders-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const write = (...options) => execFileSync(pelt, ['shaders', ...options, '-o', folder],
                                           { stdio: ['ignore', 'ignore', 'inherit'] });
write('--lang', 'essl', '--palette', 'posed', '--normals', 'accurate');
write('--lang', 'essl', '--palette', 'baked', '--encoding', 'vertex');

// Comments tell readers of the library what it does; programs do without them.
const strip = (text) => text.replace(/^\s*\/\/.*\n/gm, '').replace(/\s*\/\/.*$/gm, '').replace(/\n{2,}/g, '\n');
const readFile = (name) => strip(fs.readFileSync(path.join(folder, `${name}.glsl`), 'utf8'));
const read = (...names) => names.map((name) => readFile(`skin_${name}`)).join('\n');

const parts = {
    base: read('constants', 'common', 'palette', 'stretch'),
    instance: read('instance'),
    texture: read('constants', 'common', 'texture', 'texture_thesis'),
    texture_joint: read('texture_joint'),
    texture_vertex: read('texture_vertex'),
    pose_vertex: readFile('pose_vertex'),
    pose_fragment: readFile('pose_texture'),
    lbs: read('lbs'),
    dqs: read('dqs'),
    mix: read('lbs', 'dqs', 'mix'),
    crs: read('crs'),
    normals: read('normals'),
    normals_lbs: read('normals_lbs'),
    normals_dqs: read('normals_dqs'),
    normals_mix: read('normals_lbs', 'normals_dqs', 'normals_mix'),
    normals_crs: read('normals_crs'),
};
fs.writeFileSync(output, `// SPDX-License-Identifier: MIT
// Made by collect_shaders.mjs of what \`pelt shaders\` writes.
export const GLSL = ${JSON.stringify(parts, null, 1)};
`);

// Libraries of WGSL, and what compute modules add to them.
write('--lang', 'wgsl', '--palette', 'posed', '--normals', 'standard');
const readWgsl = (name) => fs.readFileSync(path.join(folder, `${name}.wgsl`), 'utf8');
const entryOf = (name) =>
{
    const text = readWgsl(name);
    return strip(text.slice(text.lastIndexOf('// SPDX-License-Identifier')));
};
const METHODS = ['lbs', 'dqs', 'mix', 'crs'];
const wgsl = { skin: strip(readWgsl('pelt_skin')), texture: strip(readWgsl('pelt_texture')), pose: entryOf('pose_compute'),
               ...Object.fromEntries(METHODS.map((method) => [`compute_${method}`, entryOf(`compute_${method}`)])) };
write('--lang', 'wgsl', '--palette', 'texture', '--normals', 'accurate');
wgsl.normals = strip(readWgsl('pelt_normals'));
METHODS.forEach((method) => { wgsl[`compute_${method}_accurate`] = entryOf(`compute_${method}_accurate`); });
fs.writeFileSync(outputWgsl, `// SPDX-License-Identifier: MIT
// Made by collect_shaders.mjs of what \`pelt shaders --lang wgsl\` writes.
export const WGSL = ${JSON.stringify(wgsl, null, 1)};
`);
