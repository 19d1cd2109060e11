// SPDX-License-Identifier: MIT
// Makes tests/data/three_golden.txt, vertices that three.js has posed. Run it again with
//   npm install --prefix /tmp/three three@0.187.0
//   node tests/outside/three_golden.mjs MODELS /tmp/three > tests/data/three_golden.txt
// MODELS is the folder of the test models; the second word is where `three` is installed, by
// default the first folder of NODE_PATH.
//
// three.js reads the file, its AnimationMixer poses the nodes, and SkinnedMesh.getVertexPosition
// (morphs, then applyBoneTransform) places the vertices, which then go to world space. Before
// anything is printed, the sum over joints is formed once more from three's matrices and has to
// agree. That sum is also used where three.js itself falls short: it knows four influences per
// vertex, so meshes with JOINTS_1 get their positions from it.
// Materials are taken out before reading, since images need a browser. Vertices without any weight
// are not sampled: there three.js follows joint 0, and pelt leaves the vertex at rest. Rotations are
// brought to unit length: three.js would scale by what SimpleSkin's three decimals are off.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

// Enough to catch a wrong joint, weight or key, and small enough to keep in the repository.
const SAMPLES = 20;
const MESHES_PER_MOMENT = 4;
// three.js computes in double: what is left is rounding of its float attributes.
const AGREEMENT = 1e-6;

globalThis.ProgressEvent ??= class extends Event {};
globalThis.self ??= globalThis;

const [modelFolder, packageFolder = (process.env.NODE_PATH ?? '').split(path.delimiter)[0]] =
    process.argv.slice(2);
if (!modelFolder || !packageFolder)
{
    console.error('usage: node three_golden.mjs MODELS [FOLDER_WITH_THREE]');
    process.exit(1);
}

// ESM ignores NODE_PATH; and every module has to get the same copy of three.
const three = [path.join(packageFolder, 'node_modules', 'three'), path.join(packageFolder, 'three')]
    .find((folder) => fs.existsSync(path.join(folder, 'package.json')));
const fromThree = (file) => import(pathToFileURL(path.join(three, file)).href);
const THREE = await fromThree('build/three.module.js');
const { GLTFLoader } = await fromThree('examples/jsm/loaders/GLTFLoader.js');
const { MeshoptDecoder } = await fromThree('examples/jsm/libs/meshopt_decoder.module.js');

// Before three.js makes weights sum to one, note which vertices have none at all. With more than
// four influences the weights of all of them have to sum to one: sumOverJoints sees to it.
const normalize = THREE.SkinnedMesh.prototype.normalizeSkinWeights;
THREE.SkinnedMesh.prototype.normalizeSkinWeights = function ()
{
    const { geometry } = this;
    const count = geometry.attributes.position.count;
    geometry.userData.weightless ??= new Set([...Array(count).keys()]
        .filter((vertex) => influences(this, vertex).every(([, weight]) => weight === 0)));
    if (geometry.attributes.joints_1 === undefined)
    {
        normalize.call(this);
    }
};

// -------------------------------------------------------------------------------------------------
// Reading

// The JSON of a file with its buffers inside and without materials.
function readJson(file)
{
    const bytes = fs.readFileSync(file);
    const isBinary = bytes.toString('latin1', 0, 4) === 'glTF';
    const jsonSize = isBinary ? bytes.readUInt32LE(12) : 0;
    const json = JSON.parse(isBinary ? bytes.toString('utf8', 20, 20 + jsonSize) : bytes.toString());
    json.buffers?.forEach((buffer, i) =>
    {
        let content = null;
        if (buffer.uri !== undefined && !buffer.uri.startsWith('data:'))
        {
            content = fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(buffer.uri)));
        }
        else if (buffer.uri === undefined && isBinary && i === 0)
        {
            content = bytes.subarray(28 + jsonSize, 28 + jsonSize + buffer.byteLength);
        }
        buffer.uri = content === null
            ? buffer.uri
            : 'data:application/octet-stream;base64,' + content.toString('base64');
    });
    delete json.materials;
    delete json.textures;
    delete json.images;
    json.meshes?.forEach((mesh) => mesh.primitives.forEach((p) => delete p.material));
    return json;
}

function findModels(folder)
{
    return fs.readdirSync(folder, { recursive: true })
        .filter((name) => /\.(glb|gltf)$/i.test(name))
        .map((name) => name.split(path.sep).join('/'))
        .sort((a, b) => (a < b ? -1 : 1));
}

// Everything drawn, with the number of its primitive in the file, counted over all meshes.
function listInstances(gltf, json)
{
    const firstPrimitive = [0];
    json.meshes.forEach((mesh, i) => firstPrimitive.push(firstPrimitive[i] + mesh.primitives.length));
    const instances = [];
    gltf.scene.traverse((object) =>
    {
        if (object.isMesh)
        {
            const from = gltf.parser.associations.get(object);
            const node = from.nodes ?? gltf.parser.associations.get(object.parent).nodes;
            const primitive = firstPrimitive[from.meshes] + (from.primitives ?? 0);
            instances.push({ object, primitive, skin: json.nodes[node].skin ?? -1 });
        }
    });
    return instances.sort((a, b) => a.primitive - b.primitive || a.skin - b.skin);
}

// -------------------------------------------------------------------------------------------------
// Posing

// Times that a float holds, inside of the clip.
function listMoments(gltf, instances)
{
    const clips = gltf.animations;
    const last = clips.length - 1;
    const moments = [];
    for (const clip of new Set(last < 0 ? [] : [0, last >> 1, last]))
    {
        const parts = clips.length < 3 || clip === 0 ? [0.31, 0.77] : [0.57];
        parts.forEach((part) =>
            moments.push({ clip, time: Math.fround(part * clips[clip].duration) }));
    }
    const hasShapes = instances.some(({ object }) => object.morphTargetInfluences?.length > 0);
    return moments.length > 0 && !hasShapes ? moments : [{ clip: -1, time: 0 }, ...moments];
}

function pose(gltf, rest, moment)
{
    rest.forEach(({ object, position, quaternion, scale, shapes }) =>
    {
        object.position.copy(position);
        object.quaternion.copy(quaternion);
        object.scale.copy(scale);
        // In the stored pose all morph targets have weight 0, which would test nothing.
        shapes?.forEach((weight, i) =>
            (object.morphTargetInfluences[i] = moment.clip >= 0 ? weight : (i + 1) / 8));
    });
    if (moment.clip >= 0)
    {
        const mixer = new THREE.AnimationMixer(gltf.scene);
        const action = mixer.clipAction(gltf.animations[moment.clip]);
        action.setLoop(THREE.LoopOnce);
        action.clampWhenFinished = true;
        action.play();
        mixer.setTime(moment.time);
    }
    gltf.scene.updateMatrixWorld(true);
}

function normalizeRotations(gltf)
{
    gltf.scene.traverse((object) => object.quaternion.normalize());
    for (const track of gltf.animations.flatMap((clip) => clip.tracks))
    {
        // Keys of a cubic spline hold tangents as well.
        const isPlain = track.getValueSize() === 4 && track.ValueTypeName === 'quaternion';
        for (let i = 0; isPlain && i < track.values.length; i += 4)
        {
            const length = Math.hypot(...track.values.subarray(i, i + 4));
            track.values.subarray(i, i + 4).forEach((v, c) => (track.values[i + c] = v / length));
        }
    }
}

function listRest(gltf)
{
    const rest = [];
    gltf.scene.traverse((object) => rest.push({
        object,
        position: object.position.clone(),
        quaternion: object.quaternion.clone(),
        scale: object.scale.clone(),
        shapes: object.morphTargetInfluences?.slice(),
    }));
    return rest;
}

// -------------------------------------------------------------------------------------------------
// Vertices

function influences(object, vertex)
{
    const attributes = object.geometry.attributes;
    const sets = [[attributes.skinIndex, attributes.skinWeight]];
    for (let i = 1; attributes[`joints_${i}`] !== undefined; ++i)
    {
        sets.push([attributes[`joints_${i}`], attributes[`weights_${i}`]]);
    }
    return sets.flatMap(([joints, weights]) =>
        [0, 1, 2, 3].map((c) => [joints.getComponent(vertex, c), weights.getComponent(vertex, c)]));
}

function sumOverJoints(object, vertex)
{
    const base = THREE.Mesh.prototype.getVertexPosition.call(object, vertex, new THREE.Vector3());
    const all = influences(object, vertex);
    const total = all.reduce((sum, [, weight]) => sum + weight, 0);
    const out = new THREE.Vector3();
    for (const [joint, weight] of all.filter(([, w]) => w !== 0))
    {
        const matrix = new THREE.Matrix4().multiplyMatrices(
            object.skeleton.bones[joint].matrixWorld, object.skeleton.boneInverses[joint]);
        out.addScaledVector(base.clone().applyMatrix4(matrix), weight / total);
    }
    return out;
}

function worldPosition(object, vertex, file)
{
    const position = object.getVertexPosition(vertex, new THREE.Vector3());
    position.applyMatrix4(object.matrixWorld);
    if (!object.isSkinnedMesh)
    {
        return position;
    }
    const sum = sumOverJoints(object, vertex);
    if (object.geometry.attributes.joints_1 !== undefined)
    {
        return sum;
    }
    const limit = AGREEMENT * (1 + sum.length());
    if (!(sum.distanceTo(position) <= limit))
    {
        throw new Error(`${file}: vertex ${vertex} is ${position.toArray()}, not ${sum.toArray()}`);
    }
    return position;
}

function sampleVertices(object)
{
    const count = object.geometry.attributes.position.count;
    const step = Math.max(1, (count - 1) / (SAMPLES - 1));
    const vertices = [];
    for (let i = 0; i < SAMPLES && Math.round(i * step) < count; ++i)
    {
        vertices.push(Math.round(i * step));
    }
    return vertices.filter((v) => !object.geometry.userData.weightless?.has(v));
}

const number = (value) => String(Number(value.toPrecision(9)));

function printMoment(lines, gltf, instances, moment, round, file)
{
    const clip = moment.clip >= 0 ? gltf.animations[moment.clip].name : 'stored pose';
    lines.push(`moment ${moment.clip} ${number(moment.time)} ${clip}`);
    // All of them one after another, when there are many.
    const stride = Math.ceil(instances.length / MESHES_PER_MOMENT);
    for (const { object, primitive, skin } of instances.filter((_, i) => i % stride === round % stride))
    {
        lines.push(`mesh ${primitive} ${skin} ${object.geometry.attributes.position.count}`);
        for (const vertex of sampleVertices(object))
        {
            const at = worldPosition(object, vertex, file);
            lines.push(`v ${vertex} ${number(at.x)} ${number(at.y)} ${number(at.z)}`);
        }
    }
}

async function printModel(lines, name)
{
    const file = path.join(modelFolder, name);
    const json = readJson(file);
    if (json.extensionsRequired?.includes('KHR_draco_mesh_compression'))
    {
        return false;
    }
    const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
    const gltf = await loader.parseAsync(JSON.stringify(json), '');
    const instances = listInstances(gltf, json);
    normalizeRotations(gltf);
    const rest = listRest(gltf);
    lines.push(`model ${name}`);
    listMoments(gltf, instances).forEach((moment, round) =>
    {
        pose(gltf, rest, moment);
        printMoment(lines, gltf, instances, moment, round, name);
    });
    return true;
}

const lines = [];
let modelCount = 0;
for (const name of findModels(modelFolder))
{
    modelCount += (await printModel(lines, name)) ? 1 : 0;
}
lines.push(`end ${modelCount}`);
process.stdout.write(`\
# SPDX-License-Identifier: MIT
# Vertices posed by three.js r${THREE.REVISION}. Do not edit; made by tests/three_golden.mjs.
# Comments are only here, at the top. Then, line by line:
#   model <path of the file in the folder of models>
#   moment <clip in the order of the file> <seconds> <name of the clip>
#     clip -1: the stored pose, but with weight (i + 1) / 8 for morph target i
#   mesh <primitive, counted over all meshes of the file> <skin, -1: none> <number of vertices>
#   v <vertex> <x> <y> <z, world space>
#   end <number of models>
`);
process.stdout.write(lines.join('\n') + '\n');
