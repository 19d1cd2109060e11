// SPDX-License-Identifier: MIT
// The WebAssembly modules against the program, in node:
//     node tests/wasm/module_test.mjs PELT PACKAGE [MODELS]
// PACKAGE is the folder that `make wasm` fills. Without MODELS only built-in rigs are used.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import zlib from 'node:zlib';

const [program, built, models] = process.argv.slice(2);
if (!built)
{
    console.error('usage: node module_test.mjs PELT PACKAGE [MODELS]');
    process.exit(2);
}
const pelt = path.resolve(program);
const load = (name) => import(pathToFileURL(path.join(path.resolve(built), name)));
const { createPelt, METHODS, PeltError } = await load('pelt.js');
const { createPeltArrays } = await load('arrays.js');
const isFull = process.env.PELT_SWEEP === 'full';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pelt-wasm-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
let checks = 0, failures = 0;

function check(isTrue, what)
{
    ++checks;
    failures += isTrue ? 0 : 1;
    isTrue || console.log(`FAIL ${what}`);
}

function run(...words)
{
    const output = path.join(folder, words.at(-1));
    execFileSync(pelt, [...words.slice(0, -1), output], { stdio: ['ignore', 'ignore', 'pipe'] });
    return fs.readFileSync(output);
}

function thrown(act)
{
    try
    {
        act();
    }
    catch (error)
    {
        return error;
    }
    return null;
}

// Numbers to 1e-4.
function isEqual(a, b)
{
    return typeof a === 'number' ? Math.abs(a - b) <= 1e-4 * Math.max(1, Math.abs(b))
        : typeof a !== 'object' || a === null ? a === b
        : Object.keys(a).length === Object.keys(b).length &&
          Object.keys(a).every((key) => isEqual(a[key], b[key]));
}

const isSame = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)) === 0;

// ----------------------------------------------------------------------------------------------
// Inputs

function findModels(extensions)
{
    const all = models === undefined || !fs.existsSync(models) ? []
        : fs.readdirSync(models, { recursive: true }).map(String).sort();
    const found = all.filter((name) => extensions.includes(path.extname(name).toLowerCase()));
    found.length > 0 || console.log(`SKIP ${extensions}: no models folder`);
    return found.map((name) => path.join(models, name));
}

// The files that a glTF refers to, below its folder.
function neighbors(file)
{
    const folderOf = path.dirname(file);
    return path.extname(file) === '.gltf'
        ? Object.fromEntries(fs.readdirSync(folderOf, { recursive: true })
            .map((name) => [name, path.join(folderOf, name)])
            .filter(([, name]) => name !== file && fs.statSync(name).isFile())
            .map(([name, at]) => [name, fs.readFileSync(at)]))
        : {};
}

function read(peltModule, file)
{
    return peltModule.load(fs.readFileSync(file), { name: file, files: neighbors(file) });
}

// ----------------------------------------------------------------------------------------------

const started = performance.now();
const module = await createPelt();
const arrays = await createPeltArrays();

function testEnhance(file)
{
    const name = path.basename(file);
    let expected;
    try
    {
        expected = run('enhance', file, '--cor', '--normals', '-o', 'enhanced.glb');
    }
    catch (error)
    {
        return; // nothing to enhance, or broken on purpose
    }
    const character = read(module, file);
    character.prepare({ centers: true, normalFactors: true },
                      { again: true });
    // Filters of meshoptimizer round differently with each instruction set.
    const isFiltered = expected.includes('EXT_meshopt') ||
        fs.readFileSync(file).includes('"filter":"OCTAHEDRAL"');
    const saved = character.saveGLB();
    check(isFiltered ? saved.length === expected.length : isSame(saved, expected),
          `enhance ${name}: other bytes than the program's`);
    character.dispose();
}

function testDeform(file, { clip, time })
{
    const name = path.basename(file);
    const character = read(module, file);
    character.pose({ clip, time });
    const size = sizeOf(character.deform({ method: 'lbs' }));
    for (const method of METHODS)
    {
        for (const normals of method === 'lms' || method === 'sbs' || method === 'ddm' ? ['standard'] : ['standard', 'accurate'])
        {
            const posed = clip === null ? [] : ['--clip', character.info.clips[clip].name, '--time', `${time}`];
            const expected = run('deform', file, ...posed, '--method', method, '--normals', normals,
                                 ...(method === 'mix' ? ['--mix', '0.5'] : []), '-o', 'deformed.ply');
            character.deform({ method, normals, exact: true });
            // Logarithms are those of the C library.
            const saved = character.saveSurfaces('ply');
            check(method === 'lms' ? saved.length === expected.length : isSame(saved, expected),
                  `deform ${name} ${method} ${normals}: other bits than the program's`);
            const reference = character.deform({ method, normals, exact: true })
                .map(({ positions }) => positions.slice());
            const fast = character.deform({ method, normals });
            const gap = Math.max(...reference.map((all, i) => all.reduce((most, x, k) =>
                Math.max(most, Math.abs(x - fast[i].positions[k])), 0)));
            check(gap <= 2e-6 * size, `deform ${name} ${method} ${normals}: kernels are off by ${gap / size} of the size`);
        }
    }
    character.dispose();
}

// Every vertex is inside of the box, which is not much larger than the mesh.
function testBounds()
{
    const character = read(module, human);
    for (const method of METHODS)
    {
        character.pose({ clip: 'extreme', time: 1.7 });
        const surfaces = character.deform({ method });
        const size = sizeOf(surfaces);
        const positions = surfaces[0].positions.slice();
        const { min, max } = character.bounds({ method });
        const far = positions.reduce((most, x, i) => Math.max(most, min[i % 3] - x, x - max[i % 3]), 0);
        const diagonal = Math.hypot(...max.map((x, i) => x - min[i]));
        // Those of lms and sbs are wide.
        const isTight = diagonal < 1.25 * size || method === 'lms' || method === 'sbs';
        check(far <= 1e-6 * size && isTight, `bounds ${method}: a box of ${diagonal / size} of the size`);
    }
    character.dispose();
}

function sizeOf(surfaces)
{
    const least = [Infinity, Infinity, Infinity], most = [-Infinity, -Infinity, -Infinity];
    for (const { positions } of surfaces)
    {
        positions.forEach((x, i) =>
        {
            least[i % 3] = Math.min(least[i % 3], x);
            most[i % 3] = Math.max(most[i % 3], x);
        });
    }
    return Math.hypot(...most.map((x, i) => x - least[i]));
}

const human = path.join(folder, 'human.glb');
run('rig', 'human?vertices=6000', '-o', 'human.glb');
testEnhance(human);
testDeform(human, { clip: 0, time: 0.3 });
for (const file of findModels(['.glb', '.gltf']))
{
    testEnhance(file);
}
const deformed = findModels(['.glb', '.fbx']).filter((_, i) => isFull || i % 6 === 0);
for (const file of deformed)
{
    const character = thrown(() => read(module, file).dispose()) === null ? read(module, file) : null;
    if (character === null || character.info.instances.length === 0)
    {
        continue;
    }
    const clip = character.info.clips.findIndex(({ duration }) => duration > 0);
    const time = clip < 0 ? 0 : Number((0.4 * character.info.clips[clip].duration).toFixed(3));
    character.dispose();
    testDeform(file, { clip: clip < 0 ? null : clip, time });
}

function testBake()
{
    execFileSync(pelt, ['bake', human, '-o', path.join(folder, 'baked')], { stdio: 'ignore' });
    const character = read(module, human);
    const { json, texture, mesh } = character.bake({ name: 'human' });
    const expected = (ending) => fs.readFileSync(path.join(folder, 'baked', `human${ending}`));
    // Sines and cosines are those of the C library: here and there the last bit differs.
    const theirs = expected('.ktx2');
    const different = texture.reduce((count, byte, i) => count + (byte !== theirs[i] ? 1 : 0), 0);
    check(texture.length === theirs.length && different < 0.001 * theirs.length,
          `bake: ${different} bytes of the texture differ from the program's`);
    const known = JSON.parse(expected('.json')), own = JSON.parse(json);
    check(isEqual({ ...own, texture: 0 }, { ...known, texture: 0 }), 'bake: another JSON file than the program\'s');
    check(isSame(mesh, expected('.glb')), 'bake: another mesh than the program\'s');
    check(character.measureBake().max < 0.01, 'bake: the error is large');
    const error = character.measureBake({ method: 'crs' });
    check(isEqual(error, character.prepare({ centers: true }).measureBake({ method: 'crs' })), 'bake: measuring computes no centers');
    check(character.doctor().every(({ message, kind }) => message && kind), 'doctor: findings have messages');
    character.dispose();
}

function testErrors()
{
    const sentence = thrown(() => module.load(Buffer.from('{"asset":{"version":"2.0"},"nodes":[{"mesh":3}]}'), { name: 'a.gltf' }));
    let theirs;
    try
    {
        fs.writeFileSync(path.join(folder, 'a.gltf'), '{"asset":{"version":"2.0"},"nodes":[{"mesh":3}]}');
        execFileSync(pelt, ['info', 'a.gltf'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    }
    catch (error)
    {
        theirs = error.stderr.toString();
    }
    check(sentence instanceof PeltError && theirs.includes(sentence.message), `errors: ${sentence} is not ${theirs}`);
    const character = read(module, human);
    const errors = [() => character.deform({ method: 'fast' }), () => character.pose({ clip: 'none' }),
                    () => character.pose({ time: NaN }), () => character.mesh(7),
                    () => character.bake({ sockets: ['none'] }), () => character.prepare({ wings: true }),
                    () => character.prepare({ normalFactors: true }, { bits: 9, again: true }),
                    () => module.load('text'),
                    () => arrays.createSkinner({ positions: new Float32Array(6), jointCount: 1,
                                                 joints: Uint16Array.of(1), weights: new Float32Array(8) }),
                    () => arrays.createSkinner({ positions: new Float32Array(3), jointCount: 1,
                                                 joints: Uint16Array.of(9, 0, 0, 0),
                                                 weights: Float32Array.of(1, 0, 0, 0) })];
    for (const act of errors)
    {
        const error = thrown(act);
        check(error instanceof PeltError && error.code !== 'internal' && error.message.length > 10,
              `errors: ${act} gives ${error}`);
    }
    character.dispose();
    character.dispose();
    check(thrown(() => character.pose())?.message === 'this object was disposed of', 'errors: use after dispose()');
}

// A disposed character leaves nothing: memory of the module does not grow.
function testDispose()
{
    const once = () =>
    {
        const character = read(module, human);
        character.pose({ clip: 0, time: 0.1 }).deform({ method: 'crs', normals: 'accurate' });
        character.saveGLB();
        character.dispose();
    };
    once();
    once();
    const before = module.memoryBytes;
    for (let i = 0; i < 40; ++i)
    {
        once();
    }
    check(module.memoryBytes === before, `dispose: memory has grown from ${before} to ${module.memoryBytes}`);
}

// Damaged files give exceptions, and the module works on.
function testHostile()
{
    let seed = 1;
    const random = (count) => (seed = (seed * 1103515245 + 12345) % 2147483648) % count;
    const sources = [human, ...findModels(['.fbx', '.glb']).filter((file) => fs.statSync(file).size < 5e5)
        .filter((_, i) => i % 12 === 0)].map((file) => [file, fs.readFileSync(file)]);
    for (let i = 0; i < (isFull ? 3000 : 300); ++i)
    {
        const [file, bytes] = sources[i % sources.length];
        const broken = Buffer.from(bytes.subarray(0, i % 3 === 0 ? random(bytes.length) : bytes.length));
        for (let k = 0; k < 1 + random(20) && broken.length > 0; ++k)
        {
            broken[random(broken.length)] = random(256);
        }
        const error = thrown(() =>
        {
            const character = module.load(broken, { name: path.basename(file) });
            character.deform({ method: 'crs' });
            character.dispose();
        });
        check(error === null || (error instanceof PeltError && error.code !== 'internal'),
              `hostile: ${path.basename(file)} ${i} gives ${error}`);
    }
    const nested = Buffer.from(`${'['.repeat(1e6)}`);
    check(thrown(() => module.load(nested, { name: 'a.gltf' })) instanceof PeltError, 'hostile: nested');
    testEnhance(human);
}

// The small module computes the centers and factors of the full one.
function testArrays()
{
    const character = read(module, human);
    const mesh = character.mesh(0);
    const glb = fs.readFileSync(human);
    const length = glb.readUInt32LE(12), gltf = JSON.parse(glb.subarray(20, 20 + length));
    const { attributes } = gltf.meshes[0].primitives[0];
    const bytes = glb.subarray(28 + length);
    const accessor = (index, type, width) =>
    {
        const { bufferView, byteOffset = 0, count } = gltf.accessors[index];
        const at = (gltf.bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
        return new type(bytes.buffer.slice(bytes.byteOffset + at,
                                           bytes.byteOffset + at + count * width * type.BYTES_PER_ELEMENT));
    };
    const jointType = gltf.accessors[attributes.JOINTS_0].componentType === 5121 ? Uint8Array : Uint16Array;
    const skinner = arrays.createSkinner({
        positions: mesh.positions.slice(), normals: mesh.normals.slice(), indices: mesh.indices.slice(),
        joints: Uint16Array.from(accessor(attributes.JOINTS_0, jointType, 4)),
        weights: accessor(attributes.WEIGHTS_0, Float32Array, 4),
        jointCount: character.info.skins[0].joints.length });
    skinner.prepare({ centers: true, normalFactors: true });
    character.prepare({ centers: true });
    check(isSame(skinner.centers.slice().buffer, character.mesh(0).centers.slice().buffer),
          'arrays: other centers than the full module\'s');
    const { joints, weights } = skinner.influences(4);
    check(weights.every((w, i) => i % 4 === 0 || w <= weights[i - 1]) && joints.length === weights.length,
          'arrays: influences are sorted');
    check(skinner.normalFactorTexels().data.length % skinner.vertexCount === 0, 'arrays: factors of each vertex');
    check(thrown(() => skinner.deform()) instanceof PeltError, 'arrays: deform() is an error');
    skinner.dispose();
    character.dispose();
}

function testSizes()
{
    const packed = (...names) => names.reduce((sum, name) =>
        sum + zlib.gzipSync(fs.readFileSync(path.join(built, name)), { level: 9 }).length, 0);
    const small = packed('arrays.wasm', 'arrays.js', 'module.js');
    const full = packed('pelt.wasm', 'pelt.js', 'module.js');
    check(small <= 60e3, `sizes: the small module has ${small} bytes gzipped`);
    check(full <= 550e3, `sizes: the full module has ${full} bytes gzipped`);
    console.log(`${small} bytes gzipped for pelt/arrays, ${full} for pelt`);
}

testBake();
testBounds();
testErrors();
testDispose();
testArrays();
testHostile();
testSizes();
console.log(`${checks} checks, ${failures} failed, ${((performance.now() - started) / 1e3).toFixed(1)} s`);
process.exit(failures > 0 ? 1 : 0);
