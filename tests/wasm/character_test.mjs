// SPDX-License-Identifier: MIT
// What the page asks of a character, against the program, in node: verdict, places of findings, scene,
// carriers, progress:
//     node tests/wasm/character_test.mjs PELT PACKAGE [MODELS]
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [program, built, models] = process.argv.slice(2);
if (!built)
{
    console.error('usage: node character_test.mjs PELT PACKAGE [MODELS]');
    process.exit(2);
}
const { createPelt } = await import(pathToFileURL(path.join(path.resolve(built), 'pelt.js')));
const pelt = await createPelt();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pelt-wasm-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const run = (...words) => execFileSync(path.resolve(program), words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
let failures = 0;

function check(isTrue, what, found)
{
    failures += isTrue ? 0 : 1;
    console.log(isTrue ? `ok   ${what}` : `FAIL ${what}: ${JSON.stringify(found)}`);
}

const load = (file) => pelt.load(fs.readFileSync(path.resolve(folder, file)), { name: path.basename(file) });

function thrown(act)
{
    try
    {
        act();
        return null;
    }
    catch (error)
    {
        return error;
    }
}

// The same choice, sentences and moments; numbers to the 2e-6 that kernels may differ by.
function testVerdict(file)
{
    const name = path.basename(file);
    const character = load(file);
    const parts = [];
    const verdict = character.compare({ frames: 60, onProgress: (part) => { parts.push(part); } });
    const report = path.join(folder, 'report');
    run('compare', path.resolve(folder, file), '--method', 'lbs,dqs,mix,crs', '--frames', '60', '--no-times', '--no-pictures', '-o', report);
    const { recommendation: theirs, contenders } = JSON.parse(fs.readFileSync(path.join(report, 'report.json'), 'utf8'));
    check(verdict.headline === theirs.headline && verdict.summary === theirs.summary && verdict.cost === theirs.cost,
          `${name}: the sentences of pelt compare`, [verdict.headline, theirs.headline, verdict.cost, theirs.cost]);
    check(JSON.stringify(verdict.reasons.map(({ text }) => text)) === JSON.stringify(theirs.reasons),
          `${name}: its reasons`, [verdict.reasons, theirs.reasons]);
    const off = verdict.contenders.map((one, i) =>
        Math.abs(one.shape_error - contenders[i].total.shape_error) / contenders[i].total.shape_error);
    check(Math.max(...off) < 1e-5, `${name}: its numbers`, off);
    const { clips } = character.info;
    check(verdict.reasons.every(({ clip, time, name: motion }) => clips[clip].name === motion && time <= clips[clip].duration),
          `${name}: moments are in its clips`, verdict.reasons);
    check(parts.length > 10 && parts.every((part, i) => part >= 0 && part <= 1 && (i === 0 || part >= parts[i - 1] || part === 0)),
          `${name}: progress grows`, parts.slice(0, 5));
    character.dispose();
}

// What the page draws has the meshes, vertices and clips of what pelt has read.
function testScene(file)
{
    const character = load(file), { info } = character;
    const glb = character.saveScene();
    const copy = pelt.load(glb, { name: 'copy.glb' });
    const vertices = ({ meshes }) => meshes.map((mesh) => mesh.vertices).join(' ');
    check(vertices(copy.info) === vertices(info) && copy.info.repairs.length === 0, `${path.basename(file)}: the scene is the same`,
          [vertices(copy.info), vertices(info), copy.info.repairs]);
    const same = info.meshes.every((_, i) =>
    {
        const [a, b] = [character.mesh(i).positions.slice(), copy.mesh(i).positions.slice()];
        return a.every((value, k) => value === b[k]);
    });
    check(same, `${path.basename(file)}: positions are the same`);
    const text = Buffer.from(glb).toString('latin1');
    check(!/KHR_draco|EXT_meshopt|KHR_mesh_quant/.test(text), `${path.basename(file)}: nothing is compressed`);
    character.dispose();
    copy.dispose();
}

function testCarrier()
{
    const character = load('human.glb').prepare({ centers: true }, { carrier: 'texcoord' });
    run('enhance', 'human.glb', '--cor', '--carrier', 'texcoord', '-o', 'carried.glb');
    check(Buffer.compare(Buffer.from(character.saveGLB()), fs.readFileSync(path.join(folder, 'carried.glb'))) === 0,
          'carrier: the bytes of pelt enhance --carrier texcoord');
    check(/no carrier "pockets"/.test(thrown(() => character.prepare({ centers: true }, { carrier: 'pockets' }))?.message),
          'carrier: another name is an error');
    character.dispose();
}

function testCancel()
{
    const character = load('human.glb');
    const error = thrown(() => character.bake({ onProgress: () => false }));
    check(error?.code === 'canceled', 'bake: progress cancels', error?.message);
    check(character.bake().texture.length > 0, 'bake: and nothing is left of that');
    const unknown = thrown(() => character.compare({ methods: ['lbs', 'best'] }));
    check(/no method "best"/.test(unknown?.message), 'compare: an unknown method is an error', unknown?.message);
    character.dispose();
}

// A character without clips gets the motions that pelt compare plays.
function testTestClips()
{
    run('rig', 'cuboid', '-o', 'cuboid.glb');
    const glb = fs.readFileSync(path.join(folder, 'cuboid.glb'));
    const length = glb.readUInt32LE(12), json = JSON.parse(glb.subarray(20, 20 + length).toString());
    delete json.animations;
    const text = Buffer.from(JSON.stringify(json).padEnd(length, ' '));
    text.copy(glb, 20);
    fs.writeFileSync(path.join(folder, 'still.glb'), glb);
    const character = load('still.glb');
    check(character.info.clips.length === 0, 'test clips: the file has none');
    character.addTestClips();
    const names = character.info.clips.map(({ name }) => name);
    check(names.length > 2 && names.every((name) => /^(bend|twist) /.test(name)), 'test clips: bends and twists', names);
    const positions = (pose) => character.pose(pose).deform({ method: 'lbs' })[0].positions.slice();
    const rest = positions({}), bent = positions({ clip: names[0], time: 1 });
    check(rest.some((value, i) => Math.abs(value - bent[i]) > 0.1), 'test clips: they move');
    const verdict = character.compare({ frames: 40 });
    check(verdict.reasons.length > 0 && verdict.reasons.every(({ clip }) => clip !== null), 'test clips: are compared', verdict.headline);
    character.dispose();
}

// As the tables of src/base say, and docs/compare.md: lbs is the first series color.
function testColors()
{
    check(pelt.methodColor('lbs') === '#0072b2' && pelt.methodColor('dqs') === '#d55e00', 'colors: of Okabe and Ito',
          pelt.methodColor('lbs'));
    check(pelt.mapColor('weight', 0) !== pelt.mapColor('weight', 1), 'colors: maps');
    check(/no color map/.test(thrown(() => pelt.mapColor('rainbow', 0))?.message), 'colors: an unknown map is an error');
}

run('rig', 'human?vertices=3000', '-o', 'human.glb');
testVerdict('human.glb');
testScene('human.glb');
testCarrier();
testCancel();
testTestClips();
testColors();
const outside = ['CesiumMan_draco/CesiumMan.gltf', 'CesiumMan_gltfpack/CesiumMan_meshopt.glb', 'RobotExpressive/RobotExpressive.glb',
                 'ufbx_maya_kenney_character/maya_kenney_character_7700_binary.fbx'];
if (models !== undefined && fs.existsSync(models))
{
    testVerdict(path.resolve(models, 'Fox/Fox.glb'));
    outside.filter((name) => !name.endsWith('.gltf')).forEach((name) => testScene(path.resolve(models, name)));
}
else
{
    console.log('SKIP real characters: no models folder');
}
process.exit(failures > 0 ? 1 : 0);
