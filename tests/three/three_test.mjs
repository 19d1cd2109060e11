// SPDX-License-Identifier: MIT
// pelt-three in Chromium, on SwiftShader, against `pelt deform`:
//     node tests/three/three_test.mjs PELT PROJECT CHROMIUM MODELS webgl|webgpu
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
    console.error('usage: node three_test.mjs PELT PROJECT CHROMIUM MODELS webgl|webgpu');
    process.exit(2);
}
const pelt = path.resolve(program), modules = path.resolve(project, 'node_modules');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pelt-three-'));
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

// Draco, meshopt, eight influences, several meshes on one skeleton.
const CHARACTERS = ['CesiumMan/CesiumMan.glb', 'CesiumMan_draco/CesiumMan.gltf', 'CesiumMan_gltfpack/CesiumMan_meshopt.glb',
                    'Fox/Fox.glb', 'RobotExpressive/RobotExpressive.glb', 'KayKit_Knight/Knight.glb',
                    'momentum_8influences/*.glb'];

function findCharacters()
{
    if (!fs.existsSync(models))
    {
        console.log('SKIP real characters: no models folder');
        return [];
    }
    return CHARACTERS.map((pattern) =>
    {
        const [parent, name] = pattern.split('/');
        const found = fs.existsSync(path.join(models, parent))
            ? fs.readdirSync(path.join(models, parent)).filter((file) => name === file ||
                (name.startsWith('*') && file.endsWith(name.slice(1)))) : [];
        found.length > 0 || console.log(`SKIP ${pattern}: it is not there`);
        return found.map((file) => path.join(models, parent, file));
    }).flat();
}

// Positions and normals of a PLY file as pelt writes it.
function readPly(bytes)
{
    const end = bytes.indexOf('end_header\n') + 11;
    const header = bytes.subarray(0, end).toString().split('\n');
    const count = Number(header.find((line) => line.startsWith('element vertex')).split(' ')[2]);
    const properties = header.slice(0, header.findIndex((line) => line.startsWith('element face')))
        .filter((line) => line.startsWith('property')).map((line) => line.split(' '));
    const sizes = { float: 4, uchar: 1 };
    const offsets = {};
    let stride = 0;
    for (const [, type, name] of properties)
    {
        offsets[name] = stride;
        stride += sizes[type];
    }
    const read = (names) => Float32Array.from({ length: 3 * count }, (_, i) =>
        offsets[names[i % 3]] === undefined ? 0
            : bytes.readFloatLE(end + Math.floor(i / 3) * stride + offsets[names[i % 3]]));
    return { positions: read(['x', 'y', 'z']), normals: read(['nx', 'ny', 'nz']) };
}

function run(...words)
{
    execFileSync(pelt, words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    return fs.readFileSync(path.join(folder, words.at(-1)));
}

const answers = {};
const module = await createPelt();

function addSubject(file)
{
    const name = path.basename(file);
    const neighbors = name.endsWith('.gltf') ? fs.readdirSync(path.dirname(file)) : [name];
    const files = Object.fromEntries(neighbors.map((one) => [one, fs.readFileSync(path.join(path.dirname(file), one))]));
    neighbors.forEach((one) => { answers[`/models/${one}`] = files[one]; });
    const character = module.load(files[name], { name, files });
    const { info } = character;
    const moving = info.clips.find(({ duration }) => duration > 0);
    const time = moving ? Number((0.4 * moving.duration).toFixed(3)) : 0;
    let first = 0;
    const instances = info.instances.map(({ mesh }) =>
    {
        const { vertices } = info.meshes[mesh];
        first += vertices;
        return { first: first - vertices, count: vertices };
    });
    const rest = info.instances.map(({ mesh }) => Array.from(character.mesh(mesh).positions)).flat();
    answers[`/rest/${name}`] = Buffer.from(Float32Array.from(rest).buffer);
    let size = 0;
    const runs = ['lbs', 'dqs', 'mix', 'crs'].flatMap((method) => ['standard', 'accurate'].map((normals) =>
    {
        const posed = moving ? ['--clip', moving.name, '--time', `${time}`] : [];
        const mix = method === 'mix' ? ['--mix', '0.3'] : [];
        const { positions, normals: directions } = readPly(run('deform', path.resolve(file), ...posed, '--method', method,
                                                               '--normals', normals, ...mix, '-o', 'posed.ply'));
        const extent = [0, 1, 2].map((axis) =>
        {
            const values = positions.filter((_, i) => i % 3 === axis);
            return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
        });
        size = Math.hypot(...extent);
        const url = `/expected/${name}/${method}/${normals}`;
        answers[url] = Buffer.concat([Buffer.from(positions.buffer), Buffer.from(directions.buffer)]);
        return { method, normals, url };
    }));
    character.dispose();
    return { name, clip: moving?.name ?? null, time, instances, size, rest: `/rest/${name}`, runs };
}

// Linear blending collapses where the arm is twisted.
answers['/models/arm.glb'] = run('rig', 'arm', '-o', 'arm.glb');
run('rig', 'human?vertices=3000', '-o', 'human.glb');
const subjects = [path.join(folder, 'human.glb'), ...findCharacters()].map(addSubject);

addPackages(answers, modules, api === 'webgl' ? 'three.module.js' : 'three.webgpu.js');
answers['/page.js'] = fs.readFileSync(new URL(api === 'webgl' ? 'three_page.js' : 'webgpu_page.js', import.meta.url));
answers['/page_tools.js'] = fs.readFileSync(new URL('page_tools.js', import.meta.url));
answers['/cases'] = JSON.stringify({ subjects });

const started = performance.now();
const { lines, failures } = await askPage(chromium, folder, answers);
console.log(lines.join('\n'));
console.log(`${lines.length} checks, ${failures} failed, ${((performance.now() - started) / 1e3).toFixed(1)} s in Chromium`);
process.exit(failures > 0 ? 1 : 0);
