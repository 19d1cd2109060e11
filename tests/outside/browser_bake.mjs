// SPDX-License-Identifier: MIT
// Animation textures in a browser, against pelt_unbake():
//     node tests/outside/browser_bake.mjs PELT BAKE_CASES CHROMIUM
// The shaders of `pelt shaders --lang essl`, with --palette baked and posed, play bakes in WebGL 2 on
// SwiftShader, all instances in one draw. Prints the largest differences: positions in parts of the
// model's size, normals in degrees.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { askPage } from './browser.mjs';

const SIZE_LIMIT = 1e-4; // of the size
const DEGREE_LIMIT = 0.05;

const [pelt, bakeCases, chromium] = process.argv.slice(2);
if (!pelt || !bakeCases || !chromium)
{
    console.error('usage: node browser_bake.mjs PELT BAKE_CASES CHROMIUM');
    process.exit(2);
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pelt-bake-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

// The vertex shader of a case, and the two of its pose pass.
function writeShaders({ encoding, texel, method }, palette)
{
    const out = path.join(folder, `${encoding}_${palette}`);
    execFileSync(pelt, ['shaders', '--lang', 'essl', '--palette', palette, '--encoding', encoding,
                        '--texel', texel, '--method', method === 'vertex' ? 'all' : method, '-o', out],
                 { stdio: 'ignore' });
    const read = (name) => fs.readFileSync(path.join(out, name), 'utf8');
    const skin = fs.readdirSync(out).find((name) => name.startsWith(`skin_${method}_${palette}`));
    return { palette, skin: read(skin),
             pose: palette === 'posed' ? [read('pose.vert'), read('pose.frag')] : null };
}

function sizeOf(positions)
{
    const extent = (axis) =>
    {
        const values = positions.filter((_, i) => i % 3 === axis);
        return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
    };
    return Math.hypot(extent(0), extent(1), extent(2));
}

// The largest distance between two lists of points, with a NaN counting as that.
function farthest(a, b)
{
    let worst = 0;
    for (let i = 0; i < a.length; i += 3)
    {
        const far = Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]);
        worst = far <= worst ? worst : far;
    }
    return worst;
}

const input = JSON.parse(execFileSync(bakeCases, { maxBuffer: 1 << 30 }));
const size = sizeOf(input.positions);
for (const one of input.cases)
{
    const palettes = one.encoding === 'vertex' ? ['baked'] : ['baked', 'posed'];
    one.shaders = palettes.map((palette) => writeShaders(one, palette));
}
const page = fs.readFileSync(new URL('browser_bake_page.js', import.meta.url));
const { results, error } = await askPage(chromium, folder, {
    '/': '<script src="page.js"></script>', '/page.js': page, '/cases': JSON.stringify(input) });
if (error)
{
    console.error(error);
    process.exit(1);
}
let failed = results.length < 8;
for (const { index, palette, positions, normals } of results)
{
    const one = input.cases[index];
    const far = farthest(one.expected_positions, positions) / size;
    const chord = farthest(one.expected_normals, normals);
    const degrees = 2 * Math.asin(Math.min(1, chord / 2)) * 180 / Math.PI;
    const isSmall = far <= SIZE_LIMIT && degrees <= DEGREE_LIMIT;
    console.log(`${isSmall ? 'ok  ' : 'FAIL'} ${one.encoding} ${one.texel}, ${palette}, ${one.method}: ` +
                `position ${far.toExponential(1)} of the size, normal ${degrees.toExponential(1)} degrees`);
    failed ||= !isSmall;
}
process.exit(failed ? 1 : 0);
