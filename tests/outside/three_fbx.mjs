// SPDX-License-Identifier: MIT
// FBX files that pelt has converted, against three.js on the source:
//
//     npm install --prefix NPM three
//     node tests/outside/three_fbx.mjs PELT MODELS NPM
//
// FBXLoader reads the source and GLTFLoader what pelt convert has made of it; both are skinned by
// three.js. Vertices have to be at the same positions within 1e-5 of the size, at every key of every
// clip: FBXLoader reads the values of keys, and not the curves between them. It lists corners and
// pelt vertices, so that each is compared with the nearest of the others, both ways. Names, colors,
// opacity and emission of materials are compared, too. FBXLoader differs from Maya in four
// statements, named below; pelt follows Maya, whose own meshes tests/fbx compares. For the files of
// OTHERWISE three.js is corrected in that statement alone, and has to agree then, and not before.
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

// What FBXLoader of three.js 0.187 does otherwise, by parts of names of files.
const OTHERWISE = [
    // SkinnedMesh.normalizeSkinWeights(), which parseModels() calls, gives vertices without weights
    // to the first joint: "vector.set( 1, 0, 0, 0 ); // do something reasonable". In Maya and
    // Blender they follow the node of the mesh.
    ['half_skinned', 'unweighted'],
    // generateTransform() applies InheritType, but to the stored pose only. AnimationParser makes
    // tracks of the keys of Lcl Scaling, and Object3D multiplies by the whole matrix of the parent:
    // once a clip plays, children inherit a scale that Maya compensates.
    ['sausage_7500_ascii_deform', 'scale'],
    ['sausage_7500_binary_deform', 'scale'],
    ['combined', 'scale'],
    // interpolateRotations() divides rotations by 180 degrees and more: its loop "for ( let t = 0; t < 1;
    // t += 1 / numSubIntervals )" leaves the second of both keys out.
    ['maya_dq_weights', 'keys'],
    // bindSkeleton(): "model.bind( new Skeleton( ... ), model.matrixWorld )". The mesh is bound where
    // it is now, and Transform of the clusters, where it was when it was bound, is never read.
    ['maya_transformed_skin', 'moved'],
];

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pelt-fbx-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

function listFiles(from)
{
    return fs.readdirSync(from, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? listFiles(path.join(from, entry.name))
                            : entry.name.endsWith('.fbx') ? [path.join(from, entry.name)] : []);
}

// FBXLoader without keys between those of the file.
async function loaderOfKeys()
{
    const folderOf = path.join(three, 'examples/jsm/loaders');
    const text = fs.readFileSync(path.join(folderOf, 'FBXLoader.js'), 'utf8');
    const condition = 'absoluteSpan[ 0 ] >= 180 || absoluteSpan[ 1 ] >= 180 || absoluteSpan[ 2 ] >= 180';
    const changed = text.replace(condition, 'false')
        .replace(/from 'three'/g, `from '${pathToFileURL(path.join(three, 'build/three.module.js')).href}'`)
        .replace(/from '(\.\.\/[^']*)'/g, (all, to) => `from '${pathToFileURL(path.join(folderOf, to)).href}'`);
    fs.writeFileSync(path.join(folder, 'FBXLoader.mjs'), changed);
    return (await import(pathToFileURL(path.join(folder, 'FBXLoader.mjs')).href)).FBXLoader;
}

// Vertices without weights, which the next call would give to the first joint.
const unweighted = new WeakMap();
const normalize = THREE.SkinnedMesh.prototype.normalizeSkinWeights;
THREE.SkinnedMesh.prototype.normalizeSkinWeights = function ()
{
    const weights = this.geometry.attributes.skinWeight, found = new Set();
    for (let i = 0; i < weights.count; ++i)
    {
        if (new THREE.Vector4().fromBufferAttribute(weights, i).manhattanLength() === 0)
        {
            found.add(i);
        }
    }
    unweighted.set(this, found);
    normalize.call(this);
};

// World matrices with the scale that a node inherits by its InheritType, as generateTransform() has
// them for the stored pose. What no track moves comes from the file, since the stored pose contains
// the compensation already.
function inheritScale(root, tracks)
{
    const rad = (list) => (list ?? [0, 0, 0]).map(THREE.MathUtils.degToRad);
    const rotationOf = (angles, order) =>
        new THREE.Quaternion().setFromEuler(new THREE.Euler(...rad(angles), order ?? 'ZYX'));
    const locals = new Map();
    root.traverse((node) =>
    {
        const data = node.userData.transformData;
        if (data === undefined || !node.isBone)
        {
            return;
        }
        const q = tracks.has(`${node.name}.quaternion`) ? node.quaternion
            : rotationOf(data.preRotation).multiply(rotationOf(data.rotation, data.eulerOrder))
                .multiply(rotationOf(data.postRotation).invert());
        const s = tracks.has(`${node.name}.scale`) ? node.scale
            : new THREE.Vector3(...(data.scale ?? [1, 1, 1]));
        locals.set(node, s);
        const parent = node.parent.matrixWorld;
        const rotated = new THREE.Matrix4().extractRotation(parent);
        const scaled = rotated.clone().invert()
            .multiply(new THREE.Matrix4().copyPosition(parent).invert().multiply(parent));
        const rotation = new THREE.Matrix4().makeRotationFromQuaternion(q);
        const above = locals.get(node.parent);
        if (data.inheritType === 2 && above !== undefined)
        {
            scaled.multiply(new THREE.Matrix4().makeScale(1 / above.x, 1 / above.y, 1 / above.z));
        }
        const world = data.inheritType === 1 ? rotated.multiply(scaled).multiply(rotation)
            : rotated.multiply(rotation).multiply(scaled);
        world.scale(s).setPosition(node.position.clone().applyMatrix4(parent));
        node.matrixWorld.copy(world);
    });
}

// Bind meshes where they were: Transform of a cluster is from there to its joint.
function bindAsStored(root, text)
{
    const numbers = (part, name) => new RegExp(`${name}: \\*16 {\\s*a: ([^}]*)}`).exec(part)[1]
        .split(',').map(Number);
    const cluster = text.split('"Cluster"').slice(1).find((part) => /TransformLink: \*16/.test(part));
    const joint = new THREE.Matrix4().fromArray(numbers(cluster, 'TransformLink'));
    const bound = joint.multiply(new THREE.Matrix4().fromArray(numbers(cluster, 'Transform')));
    for (const mesh of meshesOf(root).filter((one) => one.isSkinnedMesh))
    {
        mesh.bindMode = 'detached';
        mesh.bind(mesh.skeleton, bound);
    }
}

function meshesOf(root)
{
    const found = [];
    root.traverse((object) => object.isMesh && found.push(object));
    return found;
}

// All vertices in world space, in meters; corrected for one kind of OTHERWISE, or none.
function pointsOf(root, unit, kind, clip)
{
    const points = [], point = new THREE.Vector3();
    root.updateMatrixWorld(true);
    if (kind === 'scale')
    {
        inheritScale(root, new Set(clip?.tracks.map((track) => track.name)));
    }
    for (const mesh of meshesOf(root))
    {
        mesh.skeleton?.update();
        for (let i = 0; i < mesh.geometry.attributes.position.count; ++i)
        {
            const isFree = kind === 'unweighted' && unweighted.get(mesh)?.has(i);
            (isFree ? point.fromBufferAttribute(mesh.geometry.attributes.position, i)
                : mesh.getVertexPosition(i, point))
                .applyMatrix4(mesh.matrixWorld).multiplyScalar(unit);
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
    const kind = OTHERWISE.find(([part]) => name.includes(part))?.[1];
    const better = kind === 'keys' ? new (await loaderOfKeys())().parse(bytes(file), '') : source;
    // As three.js has it, and corrected.
    let worst = 0, corrected = 0, moments = 0;
    const compareOnce = (clip, correction) =>
    {
        const ours = pointsOf(gltf.scene, 1);
        const theirs = pointsOf(correction ? better : source, unit, correction, clip);
        return Math.max(farthest(ours, theirs), farthest(theirs, ours)) / sizeOf(ours);
    };
    const compare = (clip) =>
    {
        worst = Math.max(worst, compareOnce(clip));
        if (kind === 'moved')
        {
            const meshes = meshesOf(source).map((mesh) => [mesh, mesh.bindMatrix.clone()]);
            bindAsStored(source, fs.readFileSync(file, 'latin1'));
            corrected = Math.max(corrected, compareOnce(clip, kind));
            meshes.forEach(([mesh, bound]) =>
            {
                mesh.bindMode = 'attached';
                mesh.bind(mesh.skeleton, bound);
            });
        }
        else
        {
            corrected = Math.max(corrected, compareOnce(clip, kind));
        }
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
        const exact = better.animations[source.animations.indexOf(clip)];
        const times = keyTimes(exact);
        for (const time of times)
        {
            const ends = [pose(source, clip, time), pose(gltf.scene, mine, time - times[0]),
                better !== source ? pose(better, exact, time) : () => {}];
            compare(clip);
            ends.forEach((end) => end());
        }
    }
    problems.push(...compareMaterials(source, gltf.scene));
    if (!(corrected <= TOLERANCE))
    {
        problems.push(`vertices are off by ${corrected.toExponential(2)} of the size`);
    }
    if (kind !== undefined && worst <= TOLERANCE)
    {
        problems.push(`three.js agrees without its correction "${kind}", which can go`);
    }
    ++checked;
    failures += problems.length > 0;
    console.log(`${problems.length > 0 ? 'FAILED' : 'ok    '} ${name}: ${moments} moments, off by ` +
        `${corrected.toExponential(1)} of the size` +
        (kind === undefined ? '' : `, ${worst.toExponential(1)} as three.js has it ("${kind}")`) +
        problems.map((problem) => `\n         ${problem}`).join(''));
}
console.log(`${checked} files, ${failures} with problems`);
process.exit(failures > 0 ? 1 : 0);
