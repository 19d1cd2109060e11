// SPDX-License-Identifier: MIT
// Whether three.js shows what `pelt convert --quantize --meshopt` has written as it shows the source:
//   node tests/outside/three_packed.mjs PELT MODELS FOLDER_WITH_THREE
// Vertices of skinned meshes are compared at times of the first clip, by three.js alone: they may be
// off by what pelt says that quantization loses, and 5 % more between the frames that pelt has looked
// at. three.js uses rotations as they are stored, not made unit: what that adds is 1 / 8000 of the
// size, or less. Materials are taken out before reading, since images need a browser. PELT_SWEEP=full
// takes all characters.

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
    console.error('usage: node three_packed.mjs PELT MODELS FOLDER_WITH_THREE');
    process.exit(2);
}
const three = path.resolve(packageFolder, 'node_modules', 'three');
const fromThree = (file) => import(pathToFileURL(path.join(three, file)).href);
const THREE = await fromThree('build/three.module.js');
const { GLTFLoader } = await fromThree('examples/jsm/loaders/GLTFLoader.js');
const { MeshoptDecoder } = await fromThree('examples/jsm/libs/meshopt_decoder.module.js');

const list = (from) => fs.readdirSync(path.join(models, from), { withFileTypes: true })
    .flatMap((entry) => entry.isDirectory() ? list(path.join(from, entry.name))
        : /\.(glb|gltf|fbx|dae)$/.test(entry.name) ? [path.join(from, entry.name)] : []);
// three.js has no decoder of Draco here, and what is compressed by meshopt is not packed again.
const files = process.env.PELT_SWEEP === 'full'
    ? list('').filter((name) => !/_draco|_meshopt/.test(name))
    : ['CesiumMan/CesiumMan.glb', 'Fox/Fox.glb', 'KayKit_Knight/Knight.glb', 'SimpleSkin/SimpleSkin.gltf',
        'Godot_mannequiny/mannequiny.glb', 'RobotExpressive/RobotExpressive.glb'];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pelt_packed_'));

// The JSON without materials, and the binary chunk as it is.
function withoutMaterials(file)
{
    const bytes = fs.readFileSync(file);
    const size = bytes.readUInt32LE(12);
    const json = JSON.parse(bytes.toString('utf8', 20, 20 + size));
    for (const name of ['materials', 'textures', 'images', 'samplers'])
    {
        delete json[name];
    }
    json.meshes.forEach((mesh) => mesh.primitives.forEach((p) => delete p.material));
    const text = Buffer.from(JSON.stringify(json));
    const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
    const header = Buffer.alloc(20);
    const rest = bytes.subarray(20 + size);
    header.write('glTF', 0, 'latin1');
    header.writeUInt32LE(2, 4);
    header.writeUInt32LE(20 + padded.length + rest.length, 8);
    header.writeUInt32LE(padded.length, 12);
    header.write('JSON', 16, 'latin1');
    const whole = Buffer.concat([header, padded, rest]);
    return whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.length);
}

function makeUnit(track)
{
    for (let i = 0; i < track.values.length; i += 4)
    {
        const q = track.values.subarray(i, i + 4);
        const size = Math.hypot(...q);
        q.forEach((x, k) => { q[k] = x / size; });
    }
}

async function load(file, isUnit)
{
    const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
    const { scene, animations } = await loader.parseAsync(withoutMaterials(file), '');
    const meshes = [];
    animations.flatMap((clip) => clip.tracks)
        .filter((track) => isUnit && track.name.endsWith('quaternion')).forEach(makeUnit);
    scene.traverse((object) => object.isSkinnedMesh && meshes.push(object));
    return { scene, meshes, clip: animations[0], mixer: new THREE.AnimationMixer(scene) };
}

// All skinned vertices in world space.
function pose(character, part)
{
    if (character.clip)
    {
        character.mixer.clipAction(character.clip).play();
        character.mixer.setTime(part * character.clip.duration);
    }
    character.scene.updateMatrixWorld(true);
    const points = [];
    for (const mesh of character.meshes)
    {
        mesh.skeleton.update();
        const { count } = mesh.geometry.attributes.position;
        for (let v = 0; v < count; ++v)
        {
            points.push(mesh.getVertexPosition(v, new THREE.Vector3())
                .applyMatrix4(mesh.matrixWorld));
        }
    }
    return points;
}

// The largest offset of a vertex, and the size of the character.
async function compare(plain, packed, isUnit)
{
    const before = await load(plain, isUnit);
    const after = await load(packed, isUnit);
    let most = 0, count = 0;
    const box = new THREE.Box3();
    for (const part of [0, 0.21, 0.5, 0.83])
    {
        const a = pose(before, part);
        const b = pose(after, part);
        count = a.length === b.length ? a.length : 0;
        a.forEach((point, i) => { most = Math.max(most, point.distanceTo(b[i] ?? point)); });
        box.setFromPoints(a);
    }
    return { most, count, size: count > 0 ? box.getSize(new THREE.Vector3()).length() : 0 };
}

async function check(file)
{
    const name = file.replaceAll('/', '_');
    const packed = path.join(folder, `${name}.glb`);
    const plain = path.join(folder, `plain_${name}.glb`);
    const source = path.join(models, file);
    execFileSync(pelt, ['convert', source, '-o', plain], { stdio: 'ignore' });
    const report = JSON.parse(execFileSync(pelt,
        ['convert', source, '--quantize', '--meshopt', '--json', '-o', packed],
        { stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 26 }));
    const said = report.packed.max_error;
    const unit = await compare(plain, packed, true);
    const stored = await compare(plain, packed, false);
    const isGood = unit.most <= 1.05 * said + 1e-6 * unit.size &&
        stored.most <= 1.05 * said + unit.size / 8000;
    // A character without skinned vertices proves nothing.
    const word = unit.count === 0 ? 'none' : isGood ? 'ok  ' : 'FAIL';
    const mm = (x) => (1e3 * x).toPrecision(3);
    console.log(`${word} three.js ${name}: ${unit.count} vertices, ${mm(unit.most)} mm off, ` +
        `${mm(stored.most)} with rotations as stored; pelt says ${mm(said)} mm`);
    return isGood;
}

let failed = 0;
for (const file of files.filter((name) => fs.existsSync(path.join(models, name))))
{
    failed += (await check(file)) ? 0 : 1;
}
fs.rmSync(folder, { recursive: true });
console.log(`${files.length - failed} passed, ${failed} failed, 0 skipped`);
process.exit(failed === 0 ? 0 : 1);
