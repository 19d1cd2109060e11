// SPDX-License-Identifier: MIT
// Crowds of pelt-three in Chromium against `pelt unbake` and `pelt deform`:
//     node tests/three/crowd_test.mjs PELT PROJECT CHROMIUM MODELS webgl|webgpu
// PROJECT is a folder with node_modules of three, pelt and pelt-three.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { askPage } from '../outside/browser.mjs';
import { addPackages } from './packages.mjs';

const [program, project, chromium, models, api] = process.argv.slice(2);
if (!['webgl', 'webgpu'].includes(api))
{
    console.error('usage: node crowd_test.mjs PELT PROJECT CHROMIUM MODELS webgl|webgpu');
    process.exit(2);
}
const pelt = path.resolve(program), modules = path.resolve(project, 'node_modules');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pelt-crowd-'));
process.on('exit', () =>
{
    try
    {
        fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
    catch
    {
        // A browser that is ending still writes there.
    }
});
const { createPelt } = await import(pathToFileURL(path.join(modules, 'pelt/pelt.js')));
const module = await createPelt();
const run = (...words) => execFileSync(pelt, words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });

// The same numbers each time.
let seed = 1;
function random()
{
    seed = Math.imul(seed, 1664525) + 1013904223 >>> 0;
    return seed / 2 ** 32;
}

const answers = {};

// A bake, and what `pelt unbake` makes of it at random moments, deformed by a method.
function addBake(file, options, { method, count, sockets = [] })
{
    const name = `${path.basename(file).replace(/\..*/, '')}-${options.join('').replaceAll('-', '')}`;
    run('bake', path.resolve(folder, file), ...options, ...sockets.flatMap((socket) => ['--socket', socket]),
        '--method', method, '--force', '-o', `${name}/bake.json`);
    for (const end of ['json', 'ktx2', 'glb'])
    {
        answers[`/${name}/bake.${end}`] = fs.readFileSync(path.join(folder, name, `bake.${end}`));
    }
    run('unbake', `${name}/bake.json`, '-o', `${name}/unbaked.glb`);
    answers[`/${name}/unbaked.glb`] = fs.readFileSync(path.join(folder, name, 'unbaked.glb'));
    const json = JSON.parse(answers[`/${name}/bake.json`]);
    const character = module.load(answers[`/${name}/unbaked.glb`], { name: 'unbaked.glb' });
    const moments = Array.from({ length: count }, () =>
    {
        const clip = Math.floor(random() * json.clips.length);
        return { clip: json.clips[clip].name, time: random() * json.clips[clip].duration, loop: random() < 0.5 };
    });
    const isVertices = json.encoding === 'vertex';
    const expected = moments.map(({ clip, time }) =>
    {
        character.pose({ clip, time });
        return character.deform({ method: isVertices ? 'lbs' : method }).map(({ positions }) =>
            Buffer.from(positions.slice().buffer));
    }).flat();
    answers[`/${name}/expected`] = Buffer.concat(expected);
    const first = new Float32Array(Buffer.concat(expected.slice(0, json.instances.length)).buffer);
    const extents = [0, 1, 2].map((axis) =>
    {
        const values = first.filter((_, i) => i % 3 === axis);
        return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
    });
    character.dispose();
    return { name, method, moments, isVertices, size: Math.hypot(...extents), sockets,
             counts: json.instances.map(({ vertices }) => vertices) };
}

const model = (name) => path.resolve(models, name);
const exists = (name) => fs.existsSync(model(name));

run('rig', 'human?vertices=2000', '-o', 'human.glb');
answers['/human.glb'] = fs.readFileSync(path.join(folder, 'human.glb'));
const decoded = (bake) => ({ ...bake, isDecoded: true });
const local = addBake('human.glb', ['--encoding', 'local'], { method: 'crs', count: 500, sockets: ['hand_l'] });
const subjects = [
    local, { ...local, isDecoded: true, isWhole: true },
    decoded(addBake('human.glb', ['--encoding', 'dq'], { method: 'dqs', count: 1 })),
    addBake('human.glb', ['--encoding', 'qt'], { method: 'lbs', count: 8 }),
    decoded(addBake('human.glb', ['--encoding', 'matrix'], { method: 'lbs', count: 1 })),
    addBake('human.glb', ['--encoding', 'vertex', '--texel', 'rgba16ui'], { method: 'lbs', count: 20 }),
];
// Scaled joints; six meshes, some of them without a skin.
for (const name of ['RobotExpressive/RobotExpressive.glb', 'KayKit_Knight/Knight.glb'])
{
    exists(name) ? subjects.push(addBake(model(name), ['--encoding', 'local'], { method: 'crs', count: 12 }))
        : console.log(`SKIP ${name}: it is not there`);
}

addPackages(answers, modules, api === 'webgl' ? 'three.module.js' : 'three.webgpu.js');
answers['/page.js'] = fs.readFileSync(new URL(api === 'webgl' ? 'crowd_page.js' : 'webgpu_crowd_page.js', import.meta.url));
answers['/page_tools.js'] = fs.readFileSync(new URL('page_tools.js', import.meta.url));
answers['/cases'] = JSON.stringify({ subjects });

const started = performance.now();
const { lines, failures } = await askPage(chromium, folder, answers);
console.log(lines.join('\n'));
console.log(`${lines.length} checks, ${failures} failed, ${((performance.now() - started) / 1e3).toFixed(1)} s in Chromium`);
process.exit(failures > 0 ? 1 : 0);
