// SPDX-License-Identifier: MIT
// What pelt keeps of glTF files, as @gltf-transform/core reads them:
//
//     npm install --prefix NPM @gltf-transform/core @gltf-transform/extensions meshoptimizer draco3dgltf
//     node tests/outside/gltf_kept.mjs PELT MODELS NPM
//
// One glTF of each folder of MODELS, with extras, a camera and unknown extensions added,
// goes through convert, bake, enhance --twist and doctor --fix; with PELT_SWEEP=full all of them do,
// also as they are. Materials with their textures, images byte by byte, the names, extras and
// cameras of nodes, attributes other than weights, and clips other than baked ones have to be the
// same. Extensions are compared in the JSON, as gltf-transform drops those that it does not know.
// Without these packages: SKIP, and exit 77.

import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const [pelt, models, npm] = process.argv.slice(2);
if (!npm)
{
    console.error('usage: node gltf_kept.mjs PELT MODELS NPM');
    process.exit(2);
}
const require = createRequire(path.join(path.resolve(npm), 'package.json'));
let NodeIO, ALL_EXTENSIONS, MeshoptDecoder, draco;
try
{
    ({ NodeIO } = require('@gltf-transform/core'));
    ({ ALL_EXTENSIONS } = require('@gltf-transform/extensions'));
    ({ MeshoptDecoder } = require('meshoptimizer'));
    draco = require('draco3dgltf');
}
catch (error)
{
    console.log(`SKIP gltf_kept: ${error.message.split('\n')[0]}`);
    process.exit(77);
}
await MeshoptDecoder.ready;
const io = new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({
    'meshopt.decoder': MeshoptDecoder,
    'draco3d.decoder': await draco.createDecoderModule(),
});
io.setLogger({ debug() {}, info() {}, warn() {}, error() {} });

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pelt-kept-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

function listFiles(from)
{
    return fs.readdirSync(from, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? listFiles(path.join(from, entry.name))
                            : /\.(glb|gltf)$/.test(entry.name) ? [path.join(from, entry.name)] : []);
}

function readJson(file)
{
    const bytes = fs.readFileSync(file);
    return bytes.toString('latin1', 0, 4) === 'glTF'
        ? JSON.parse(bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)))
        : JSON.parse(bytes.toString());
}

const digest = (bytes) => bytes ? crypto.createHash('sha1').update(bytes).digest('hex') : null;

// ---------------------------------------------------------------------------------------------
// What a document has

const SLOTS = ['BaseColor', 'MetallicRoughness', 'Normal', 'Occlusion', 'Emissive'];

function describeTexture(material, slot)
{
    const texture = material[`get${slot}Texture`](), info = material[`get${slot}TextureInfo`]();
    return texture && {
        image: digest(texture.getImage()), type: texture.getMimeType(), name: texture.getName(),
        extras: texture.getExtras(), set: info.getTexCoord(),
        sampler: [info.getMagFilter(), info.getMinFilter(), info.getWrapS(), info.getWrapT()],
    };
}

function describeMaterial(material)
{
    return {
        name: material.getName(), extras: material.getExtras(),
        color: material.getBaseColorFactor(), emissive: material.getEmissiveFactor(),
        metallic: material.getMetallicFactor(), roughness: material.getRoughnessFactor(),
        alpha: [material.getAlphaMode(), material.getAlphaCutoff(), material.getDoubleSided()],
        normal: material.getNormalScale(), occlusion: material.getOcclusionStrength(),
        textures: SLOTS.map((slot) => describeTexture(material, slot)),
    };
}

function describePrimitive(primitive, isOf)
{
    const array = (accessor) => accessor && digest(Buffer.from(Float64Array.from(accessor.getArray()).buffer));
    const semantics = primitive.listSemantics().filter(isOf).sort();
    return {
        extras: Object.fromEntries(Object.entries(primitive.getExtras()).filter(([key]) => !key.startsWith('pelt_'))),
        material: primitive.getMaterial()?.getName() ?? null,
        attributes: Object.fromEntries(semantics.map((name) => [name, array(primitive.getAttribute(name))])),
        targets: primitive.listTargets().map((target) =>
            target.listSemantics().sort().map((name) => array(target.getAttribute(name)))),
    };
}

function describeClip(clip)
{
    return { name: clip.getName(), extras: clip.getExtras(), channels: clip.listChannels().map((channel) =>
        [channel.getTargetNode()?.getName(), channel.getTargetPath(),
         digest(Buffer.from(Float64Array.from(channel.getSampler().getOutput().getArray()).buffer))]) };
}

// ---------------------------------------------------------------------------------------------

let problems = [];

function same(what, expected, found)
{
    const [a, b] = [JSON.stringify(expected), JSON.stringify(found)];
    if (a !== b)
    {
        problems.push(`${what}: ${a?.slice(0, 160)} became ${b?.slice(0, 160)}`);
    }
}

// The extensions of objects of a list at the root; those of compression are not data.
function compareExtensions(source, result, list)
{
    const bare = ({ KHR_draco_mesh_compression, ...rest } = {}) => rest;
    (source[list] ?? []).forEach((object, i) =>
    {
        same(`extensions of ${list}[${i}]`, bare(object.extensions), bare(result[list]?.[i]?.extensions));
        same(`extras of ${list}[${i}]`, object.extras, result[list]?.[i]?.extras);
    });
}

// @param how  convert, bake, twist or fix
async function compare(file, output, how)
{
    const [a, b] = [await io.read(file), await io.read(output)].map((document) => document.getRoot());
    const [x, y] = [readJson(file), readJson(output)];
    // Twist joints change weights, and what reading has repaired is written.
    const info = JSON.parse(execFileSync(pelt, ['info', file, '--json'], { stdio: ['ignore', 'pipe', 'ignore'] }));
    const changes = how === 'twist' || how === 'fix' || info.repairs.length > 0;
    const isOf = (name) => !changes || !/^(JOINTS|WEIGHTS|NORMAL|TANGENT|_PELT)/.test(name);
    same('materials', a.listMaterials().map(describeMaterial), b.listMaterials().map(describeMaterial));
    same('images', a.listTextures().map((texture) => digest(texture.getImage())),
         b.listTextures().map((texture) => digest(texture.getImage())));
    const node = (item) => [item.getName(), item.getExtras(), item.getCamera()?.getName() ?? null];
    same('nodes', a.listNodes().map(node), b.listNodes().slice(0, a.listNodes().length).map(node));
    a.listMeshes().forEach((mesh, i) => mesh.listPrimitives().forEach((primitive, k) =>
        same(`mesh ${i}, primitive ${k}`, describePrimitive(primitive, isOf),
             describePrimitive(b.listMeshes()[i].listPrimitives()[k],
                               (name) => isOf(name) && primitive.getAttribute(name) !== null))));
    if (how === 'convert')
    {
        same('clips', a.listAnimations().map(describeClip), b.listAnimations().map(describeClip));
    }
    same('extras', a.getExtras(), b.getExtras());
    same('asset extras', x.asset.extras, y.asset.extras);
    same('cameras', x.cameras, y.cameras);
    same('extensions', x.extensions, y.extensions);
    for (const list of ['scenes', 'nodes', 'materials', 'textures', 'images', 'samplers', 'skins', 'cameras'])
    {
        compareExtensions(x, y, list);
    }
    const used = (json) => (json.extensionsUsed ?? []).filter((name) => name !== 'KHR_draco_mesh_compression');
    same('extensions in use', used(x), used(y).filter((name) => used(x).includes(name)));
}

// The file with more than anybody knows.
function enrich(file, output)
{
    const json = readJson(file);
    const bytes = fs.readFileSync(file), isBinary = bytes.toString('latin1', 0, 4) === 'glTF';
    (json.buffers ?? []).forEach((buffer, i) =>
    {
        const at = isBinary ? 28 + bytes.readUInt32LE(12) : 0;
        const data = buffer.uri === undefined ? bytes.subarray(at, at + buffer.byteLength)
            : buffer.uri.startsWith('data:') ? Buffer.from(buffer.uri.split(',')[1], 'base64')
            : fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(buffer.uri)));
        buffer.uri = 'data:application/octet-stream;base64,' + data.toString('base64');
    });
    (json.images ?? []).forEach((image) =>
    {
        if (image.uri !== undefined && !image.uri.startsWith('data:'))
        {
            const type = /\.jpe?g$/.test(image.uri) ? 'jpeg' : 'png';
            image.uri = `data:image/${type};base64,` +
                fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(image.uri))).toString('base64');
        }
    });
    json.extensionsUsed = [...(json.extensionsUsed ?? []), 'ACME_paint', 'KHR_lights_punctual'];
    json.extensions = { ...json.extensions, ACME_paint: { brushes: [1, 2.5, 'x'] },
                        KHR_lights_punctual: { lights: [{ type: 'point' }] } };
    json.extras = { by: 'hand', list: [1, null] };
    json.cameras = [...(json.cameras ?? []), { type: 'perspective', name: 'eye', perspective: { yfov: 1, znear: 1 } }];
    json.nodes.push({ name: 'lamp', camera: json.cameras.length - 1, extras: { power: 3 },
                      extensions: { KHR_lights_punctual: { light: 0 } } });
    json.scenes[json.scene ?? 0].nodes.push(json.nodes.length - 1);
    json.nodes.forEach((item, i) => { item.extras = { ...item.extras, number: i }; });
    (json.materials ?? []).forEach((item) => { item.extensions = { ...item.extensions, ACME_paint: { layers: 2 } }; });
    fs.writeFileSync(output, JSON.stringify(json));
}

function run(...words)
{
    try
    {
        execFileSync(pelt, words, { stdio: ['ignore', 'ignore', 'pipe'] });
        return null;
    }
    catch (error)
    {
        return error.stderr.toString().trim().split('\n').at(-1);
    }
}

let checked = 0, failures = 0;
async function check(file, label)
{
    const out = path.join(folder, 'out.glb'), baked = path.join(folder, 'baked');
    const base = path.basename(file).replace(/\.[^.]*$/, '');
    const jobs = [
        ['convert', ['convert', file, '-o', out], out],
        ['fix', ['doctor', file, '--fix', '-o', out, '--fail-on', 'error'], out],
        ['twist', ['enhance', file, '--twist', 'auto', '-o', out], out],
        ['bake', ['bake', file, '-o', baked, '--force'], path.join(baked, `${base}.glb`)],
    ];
    for (const [how, words, output] of jobs)
    {
        fs.rmSync(output, { force: true });
        const message = run(...words);
        if (!fs.existsSync(output))
        {
            console.log(`       ${label}: ${how} writes nothing: ${message}`);
            continue;
        }
        problems = [];
        await compare(file, output, how);
        ++checked;
        failures += problems.length > 0;
        if (problems.length > 0)
        {
            console.log(`FAILED ${label}, ${how}\n         ${problems.slice(0, 4).join('\n         ')}`);
        }
    }
}

// Files of one folder are variants of each other: one of them, or all with PELT_SWEEP=full.
const folders = new Set();
const isFirst = (file) => !folders.has(path.dirname(file)) && folders.add(path.dirname(file));
for (const file of listFiles(models).sort().filter((f) => process.env.PELT_SWEEP === 'full' || isFirst(f)))
{
    const label = path.relative(models, file), rich = path.join(folder, 'rich.gltf');
    if (process.env.PELT_SWEEP === 'full')
    {
        await check(file, label);
    }
    enrich(file, rich);
    await check(rich, `${label} with more`);
}
console.log(`${checked} files written, ${failures} with losses`);
process.exit(failures > 0 ? 1 : 0);
