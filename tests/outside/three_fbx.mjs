// SPDX-License-Identifier: MIT
// FBX files that pelt has converted, against three.js on the source:
//
//     npm install --prefix NPM three
//     node tests/outside/three_fbx.mjs PELT MODELS NPM
//
// FBXLoader reads the source and GLTFLoader what pelt convert has made of it; both are skinned by
// three.js. Vertices have to be at the same places within 1e-5 of the size, at every key of every
// clip: FBXLoader reads the values of keys, and not the curves between them. It lists corners and
// pelt vertices, so that each is compared with the nearest of the others, both ways. Names, colors,
// opacity and emission of materials are compared, too. What three.js does in another way than
// Maya, whose meshes pelt is compared with elsewhere, is listed with the reason.
// Without these packages: SKIP, and exit 77.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [pelt, models, npm] = process.argv.slice(2);
if (!npm)
{
    console.error('usage: node three_fbx.mjs PELT MODELS NPM');
    process.exit(2);
}
const three = path.join(npm, 'node_modules/three');
if (!fs.existsSync(path.join(three, 'package.json')))
{
    console.log(`SKIP three_fbx: there is no three in ${npm}`);
    process.exit(77);
}
globalThis.ProgressEvent ??= class extends Event {};
globalThis.self ??= globalThis;
globalThis.window ??= globalThis;
// Images are not looked at.
globalThis.document ??= { createElementNS: () => ({ addEventListener() {}, removeEventListener() {} }) };
const load = (file) => import(pathToFileURL(path.join(three, file)).href);
const THREE = await load('build/three.module.js');
const { FBXLoader } = await load('examples/jsm/loaders/FBXLoader.js');
const { GLTFLoader } = await load('examples/jsm/loaders/GLTFLoader.js');

const TOLERANCE = 1e-5;

// Parts of names of files whose positions three.js finds in another way. Those of Maya are compared
// with Maya's own meshes in tests/fbx.
const OTHERWISE = [
    ['half_skinned', 'three.js lets vertices without weights follow the first joint'],
    ['maya_dq_weights', 'three.js ignores segment scale compensation'],
    ['sausage_7500_ascii_deform', 'three.js ignores segment scale compensation'],
    ['sausage_7500_binary_deform', 'three.js ignores segment scale compensation'],
    ['combined', 'three.js ignores segment scale compensation'],
    ['maya_transformed_skin', 'three.js ignores that the mesh was moved after binding'],
];

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pelt-fbx-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

function listFiles(from)
{
    return fs.readdirSync(from, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? listFiles(path.join(from, entry.name))
                            : entry.name.endsWith('.fbx') ? [path.join(from, entry.name)] : []);
}

function meshesOf(root)
{
    const found = [];
    root.traverse((object) => object.isMesh && found.push(object));
    return found;
}

// All vertices in world space, in meters.
function pointsOf(root, unit)
{
    const points = [], point = new THREE.Vector3();
    root.updateMatrixWorld(true);
    for (const mesh of meshesOf(root))
    {
        mesh.skeleton?.update();
        for (let i = 0; i < mesh.geometry.attributes.position.count; ++i)
        {
            mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld).multiplyScalar(unit);
            points.push(point.x, point.y, point.z);
        }
    }
    return points;
}

// The largest distance from a point of one set to the nearest of the other.
function farthest(from, to)
{
    let worst = 0;
    for (let i = 0; i < from.length; i += 3)
    {
        let best = Infinity;
        for (let k = 0; k < to.length && best > 0; k += 3)
        {
            const [x, y, z] = [from[i] - to[k], from[i + 1] - to[k + 1], from[i + 2] - to[k + 2]];
            best = Math.min(best, x * x + y * y + z * z);
        }
        worst = Math.max(worst, best);
    }
    return Math.sqrt(worst);
}

function sizeOf(points)
{
    const box = new THREE.Box3().setFromArray(points);
    return box.getSize(new THREE.Vector3()).length();
}

function pose(root, clip, time)
{
    const mixer = new THREE.AnimationMixer(root);
    const action = mixer.clipAction(clip);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    mixer.setTime(time);
    return () => { mixer.stopAllAction(); mixer.uncacheRoot(root); };
}

// At most twenty keys of a clip, with the first and the last.
function keyTimes(clip)
{
    const all = [...new Set(clip.tracks.flatMap((track) => [...track.times]))].sort((a, b) => a - b);
    const step = Math.max(1, Math.floor(all.length / 20));
    return all.filter((time, i) => i % step === 0 || i + 1 === all.length);
}

// three.js takes the colors of FBX for sRGB; pelt and Blender take them for linear, as Maya does.
function describe(material, isFbx)
{
    const numbers = (color) => (isFbx ? color?.clone().convertLinearToSRGB() : color)?.toArray();
    const emissive = numbers(material.emissive)?.map((x) => x * material.emissiveIntensity);
    return { color: numbers(material.color), opacity: material.opacity, emissive };
}

function compareMaterials(source, result)
{
    const problems = [];
    const list = (root, isFbx) => new Map(meshesOf(root).flatMap((mesh) => mesh.material)
        .map((material) => [material.name, describe(material, isFbx)]));
    const found = list(result, false);
    for (const [name, expected] of list(source, true))
    {
        if (name === '__DEFAULT')
        {
            continue; // of meshes without a material
        }
        const got = found.get(name);
        if (got === undefined)
        {
            problems.push(`material ${name} is not there`);
            continue;
        }
        for (const member of ['color', 'opacity', 'emissive'])
        {
            const a = [expected[member]].flat(), b = [got[member]].flat();
            if (a.some((x, i) => Math.abs(x - b[i]) > 2e-3))
            {
                problems.push(`material ${name}: ${member} ${a} became ${b}`);
            }
        }
    }
    return problems;
}

let failures = 0, checked = 0;
for (const file of listFiles(models).sort())
{
    const name = path.basename(file), output = path.join(folder, 'out.glb');
    execFileSync(pelt, ['convert', file, '-o', output], { stdio: ['ignore', 'ignore', 'ignore'] });
    const bytes = (at) => { const b = fs.readFileSync(at); return b.buffer.slice(b.byteOffset, b.byteOffset + b.length); };
    let source;
    try
    {
        source = new FBXLoader().parse(bytes(file), '');
    }
    catch (error)
    {
        console.log(`SKIP ${name}: FBXLoader: ${error.message}`);
        continue;
    }
    const gltf = await new Promise((resolve, reject) => new GLTFLoader().parse(bytes(output), '', resolve, reject));
    const unit = (source.userData.unitScaleFactor ?? 1) / 100, problems = [];
    const clips = source.animations.filter((clip) => clip.tracks.length > 0);
    let worst = 0, moments = 0;
    const compare = (time, clip) =>
    {
        const ours = pointsOf(gltf.scene, 1), theirs = pointsOf(source, unit);
        const off = Math.max(farthest(ours, theirs), farthest(theirs, ours)) / sizeOf(ours);
        worst = Math.max(worst, off);
        ++moments;
    };
    if (clips.length === 0)
    {
        compare();
    }
    for (const clip of clips)
    {
        const mine = gltf.animations.find((other) => other.name === clip.name) ??
            (clips.length === 1 && gltf.animations.length === 1 ? gltf.animations[0] : undefined);
        if (mine === undefined)
        {
            problems.push(`clip ${clip.name} is not there`);
            continue;
        }
        const times = keyTimes(clip);
        for (const time of times)
        {
            const ends = [pose(source, clip, time), pose(gltf.scene, mine, time - times[0])];
            compare(time, clip);
            ends.forEach((end) => end());
        }
    }
    problems.push(...compareMaterials(source, gltf.scene));
    const reason = OTHERWISE.find(([part]) => name.includes(part))?.[1];
    if (worst > TOLERANCE && reason === undefined)
    {
        problems.push(`vertices are off by ${worst.toExponential(2)} of the size`);
    }
    ++checked;
    failures += problems.length > 0;
    console.log(`${problems.length > 0 ? 'FAILED' : 'ok    '} ${name}: ${moments} moments, off by ${worst.toExponential(1)} of the size` +
        (worst > TOLERANCE && reason !== undefined ? ` (${reason})` : '') +
        problems.map((problem) => `\n         ${problem}`).join(''));
}
console.log(`${checked} files, ${failures} with problems`);
process.exit(failures > 0 ? 1 : 0);
