// SPDX-License-Identifier: MIT
// Whether three.js, which knows linear blending only, plays a file of `pelt enhance --helpers` with
// the error that pelt states:
//   node tests/outside/three_helpers.mjs PELT MODELS FOLDER_WITH_THREE
// The poses are those of the report for the first clip that moves. Largest and root mean square
// distance from `pelt deform --method crs` of the source may differ from those of the report by 2 %
// of it, for three.js rounds differently, and by what copies of vertices on seams weigh: 10 % of
// the mean.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

globalThis.ProgressEvent ??= class extends Event {};
globalThis.self ??= globalThis;

const [pelt, models, packageFolder] = process.argv.slice(2);
if (!packageFolder)
{
    console.error('usage: node three_helpers.mjs PELT MODELS FOLDER_WITH_THREE');
    process.exit(2);
}
const three = path.resolve(packageFolder, 'node_modules', 'three');
const fromThree = (file) => import(pathToFileURL(path.join(three, file)).href);
const THREE = await fromThree('build/three.module.js');
const { GLTFLoader } = await fromThree('examples/jsm/loaders/GLTFLoader.js');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pelt_helpers_'));

// The JSON without materials, since images need a browser.
function withoutMaterials(file)
{
    const bytes = fs.readFileSync(file);
    const size = bytes.readUInt32LE(12);
    const json = JSON.parse(bytes.toString('utf8', 20, 20 + size));
    ['materials', 'textures', 'images', 'samplers'].forEach((name) => delete json[name]);
    json.meshes.forEach((mesh) => mesh.primitives.forEach((p) => delete p.material));
    const text = Buffer.from(JSON.stringify(json));
    const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
    const rest = bytes.subarray(20 + size);
    const header = Buffer.alloc(20);
    header.write('glTF', 0, 'latin1');
    header.writeUInt32LE(2, 4);
    header.writeUInt32LE(20 + padded.length + rest.length, 8);
    header.writeUInt32LE(padded.length, 12);
    header.write('JSON', 16, 'latin1');
    const whole = Buffer.concat([header, padded, rest]);
    return whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.length);
}

async function load(file)
{
    const { scene, animations } = await new GLTFLoader().parseAsync(withoutMaterials(file), '');
    const meshes = [];
    scene.traverse((object) => object.isSkinnedMesh && meshes.push(object));
    return { scene, meshes, animations };
}

// All skinned vertices in world space.
function pose(character, mixer, time)
{
    mixer.setTime(time);
    character.scene.updateMatrixWorld(true);
    return character.meshes.flatMap((mesh) =>
    {
        mesh.skeleton.update();
        const { count } = mesh.geometry.attributes.position;
        return Array.from({ length: count }, (_, v) => mesh.getVertexPosition(v, new THREE.Vector3())
            .applyMatrix4(mesh.matrixWorld));
    });
}

function target(source, clip, time)
{
    const text = execFileSync(pelt, ['deform', source, '--clip', clip, '--time', `${time}`,
        '--method', 'crs', '-o', '-', '--format', 'obj'],
    { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
    return text.split('\n').filter((line) => line.startsWith('v '))
        .map((line) => line.split(' ').slice(1, 4).map(Number));
}

function check(name, is, what)
{
    console.log(`${is ? 'ok  ' : 'FAIL'} ${name} ${what}`);
    return is ? 0 : 1;
}

async function compare(name)
{
    const source = path.join(models, name), output = path.join(folder, 'helped.glb');
    const report = JSON.parse(execFileSync(pelt, ['enhance', source, '--helpers', '8', '--json', '-o',
        output], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })).helpers;
    const stated = report.clips.find((clip) => clip.clip !== null && clip.held_out.lbs_max > 0);
    const { training, held_out: held } = stated;
    const count = training.poses + held.poses;
    const character = await load(output);
    const clip = character.animations.find((animation) => animation.name === stated.clip)
        ?? character.animations[0];
    const mixer = new THREE.AnimationMixer(character.scene);
    mixer.clipAction(clip).play();
    let most = 0, squares = 0, total = 0;
    for (let i = 0; i < count; ++i)
    {
        const time = Math.fround((i + 0.5) / count * clip.duration);
        const now = pose(character, mixer, time), goal = target(source, stated.clip, time);
        if (now.length !== goal.length)
        {
            return check(name, false, `has ${now.length} vertices instead of ${goal.length}`);
        }
        now.forEach((p, v) =>
        {
            const d = Math.hypot(p.x - goal[v][0], p.y - goal[v][1], p.z - goal[v][2]);
            most = Math.max(most, d);
            squares += d * d;
        });
        total += now.length;
    }
    const rms = Math.sqrt(squares / total), largest = Math.max(training.max, held.max);
    const stated_rms = Math.sqrt((training.poses * training.rms ** 2 + held.poses * held.rms ** 2)
        / count);
    return check(name, Math.abs(most - largest) < 0.02 * largest,
                 `is off by ${most} at most, stated ${largest}`)
        + check(name, Math.abs(rms - stated_rms) < 0.1 * stated_rms,
                `is off by ${rms} on average, stated ${stated_rms}`);
}

let failed = 0;
for (const name of ['CesiumMan/CesiumMan.glb', 'Fox/Fox.glb'])
{
    failed += await compare(name);
}
fs.rmSync(folder, { recursive: true, force: true });
process.exit(failed > 0 ? 1 : 0);
