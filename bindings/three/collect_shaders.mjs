// SPDX-License-Identifier: MIT
// Writes the skinning functions of `pelt shaders` as a module for pelt-three:
//     node collect_shaders.mjs PELT OUTPUT
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const [pelt, output] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pelt-shaders-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
execFileSync(pelt, ['shaders', '--lang', 'essl', '--normals', 'accurate', '-o', folder],
             { stdio: ['ignore', 'ignore', 'inherit'] });

// Comments tell readers of the library what it does; programs do without them.
const strip = (text) => text.replace(/^\s*\/\/.*\n/gm, '').replace(/\s*\/\/.*$/gm, '').replace(/\n{2,}/g, '\n');
const read = (...names) => names.map((name) => strip(fs.readFileSync(path.join(folder, `skin_${name}.glsl`), 'utf8'))).join('\n');

const parts = {
    base: read('constants', 'common', 'palette', 'stretch'),
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
// Made by collect_shaders.mjs of \`pelt shaders --lang essl --normals accurate\`.
export const GLSL = ${JSON.stringify(parts, null, 1)};
`);
