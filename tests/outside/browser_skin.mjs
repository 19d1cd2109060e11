// SPDX-License-Identifier: MIT
// The shaders of `pelt shaders` in a browser, against `pelt deform`:
//     node tests/outside/browser_skin.mjs PELT CHROMIUM
// ESSL runs in WebGL 2, WGSL in WebGPU where the browser has it, both on SwiftShader. HLSL takes a
// way round where glslangValidator and spirv-cross are: to SPIR-V, and from there to ESSL. Joints,
// weights, palettes and factors for normals are made here from the glTF file and the words of the
// README alone, so the test also shows that the README is complete. Prints the largest
// differences: positions in parts of the model's size, normals in degrees.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { askPage } from './browser.mjs';

const SUBJECTS = [
    { rig: 'arm', clip: 'bend', time: 0.7 },
    { rig: 'arm', clip: 'twist', time: 0.9 },
    { rig: 'human?vertices=3000', clip: 'walk', time: 0.4 },
    { rig: 'cloth', clip: 'drape', time: 0.6 }, // more than 4 influences
    // Children rotate within the stretch of their parents, which is shear.
    { rig: 'arm', clip: 'bend', time: 0.7, scale: { shoulder: [1, 1.4, 0.8], elbow: [0.7, 1, 1.3] } },
    { rig: 'human?vertices=3000', clip: 'walk', time: 0.4, scale: { spine: [1.2, 0.9, 1.1] } },
];
const METHODS = ['lbs', 'dqs', 'mix', 'crs'];
const SLOTS = 4;
// What is asked of `pelt shaders`. Joints that scale are for those that know about it.
const VARIANTS = [
    { palette: 'block', influences: 4, scale: 'none', layout: 'compact', normals: 'standard' },
    { palette: 'texture', influences: 8, scale: 'none', layout: 'compact', normals: 'standard' },
    { palette: 'block', influences: 5, scale: 'none', layout: 'shared', normals: 'standard' },
    { palette: 'block', influences: 4, scale: 'none', layout: 'compact', normals: 'accurate' },
    { palette: 'block', influences: 4, scale: 'local', layout: 'compact', normals: 'standard' },
    { palette: 'texture', influences: 8, scale: 'local', layout: 'shared', normals: 'accurate' },
    { palette: 'texture', influences: 8, scale: 'origin', layout: 'compact', normals: 'standard' },
    { palette: 'block', influences: 4, scale: 'origin', layout: 'compact', normals: 'accurate' },
];
const MIX = 0.3;
const SIZE_LIMIT = 1e-5; // of the size: what the tests of libpelt_gl allow
const DEGREE_LIMIT = 0.05;

const [pelt, chromium] = process.argv.slice(2);
if (!pelt || !chromium)
{
    console.error('usage: node browser_skin.mjs PELT CHROMIUM');
    process.exit(2);
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pelt-browser-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

function runPelt(...words)
{
    execFileSync(pelt, words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
}

// ----------------------------------------------------------------------------------------------
// glTF, as pelt writes it

function readGlb(name)
{
    const bytes = fs.readFileSync(path.join(folder, name));
    const length = bytes.readUInt32LE(12);
    return { ...JSON.parse(bytes.subarray(20, 20 + length)), bytes: bytes.subarray(28 + length) };
}

const COMPONENTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const READERS = {
    5121: [1, (bytes, at) => bytes.readUInt8(at)],
    5123: [2, (bytes, at) => bytes.readUInt16LE(at)],
    5126: [4, (bytes, at) => bytes.readFloatLE(at)],
};

function readAccessor(gltf, index)
{
    const accessor = gltf.accessors[index];
    const view = gltf.bufferViews[accessor.bufferView];
    const count = COMPONENTS[accessor.type];
    const [size, read] = READERS[accessor.componentType];
    const stride = view.byteStride ?? count * size;
    const start = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    return Array.from({ length: accessor.count * count }, (_, i) =>
        read(gltf.bytes, start + Math.floor(i / count) * stride + i % count * size));
}

function onlyPrimitive(gltf)
{
    if (gltf.meshes.length !== 1 || gltf.meshes[0].primitives.length !== 1)
    {
        throw new Error('a subject has to be one mesh');
    }
    return gltf.meshes[0].primitives[0].attributes;
}

// Eight influences for each vertex, strongest first, ties by joint.
function packInfluences(gltf, attributes)
{
    const sets = [0, 1].filter((set) => attributes[`JOINTS_${set}`] !== undefined)
        .map((set) => [readAccessor(gltf, attributes[`JOINTS_${set}`]),
                       readAccessor(gltf, attributes[`WEIGHTS_${set}`])]);
    const joints = [], weights = [];
    let most = 0;
    for (let vertex = 0; vertex < sets[0][0].length / 4; ++vertex)
    {
        const all = sets.flatMap(([j, w]) => [0, 1, 2, 3].map((i) =>
            [j[4 * vertex + i], w[4 * vertex + i]])).filter(([, weight]) => weight > 0);
        all.sort(([j, v], [k, w]) => w - v || j - k);
        most = Math.max(most, all.length);
        for (let i = 0; i < 8; ++i)
        {
            joints.push(all[i]?.[0] ?? 0);
            weights.push(all[i]?.[1] ?? 0);
        }
    }
    return { joints, weights, most };
}

// ----------------------------------------------------------------------------------------------
// Pose and palette. Matrices are 16 numbers, column by column, as in glTF.

function slerp(a, b, factor)
{
    const dot = a.reduce((sum, x, i) => sum + x * b[i], 0);
    const angle = Math.acos(Math.min(1, Math.abs(dot)));
    const [u, v] = angle < 1e-6 ? [1 - factor, factor]
        : [Math.sin((1 - factor) * angle) / Math.sin(angle),
           Math.sin(factor * angle) / Math.sin(angle)];
    return a.map((x, i) => u * x + (dot < 0 ? -v : v) * b[i]);
}

function sampleTrack(gltf, sampler, time, isRotation)
{
    const times = readAccessor(gltf, sampler.input);
    const values = readAccessor(gltf, sampler.output);
    const size = values.length / times.length;
    const key = (i) => values.slice(size * i, size * (i + 1));
    const next = times.findIndex((t) => t > time);
    if (next <= 0)
    {
        return key(next < 0 ? times.length - 1 : 0);
    }
    const factor = (time - times[next - 1]) / (times[next] - times[next - 1]);
    const [a, b] = [key(next - 1), key(next)];
    if (sampler.interpolation === 'STEP')
    {
        return a;
    }
    return isRotation ? slerp(a, b, factor) : a.map((x, i) => x + factor * (b[i] - x));
}

function multiply(a, b)
{
    return Array.from({ length: 16 }, (_, i) => [0, 1, 2, 3].reduce((sum, k) =>
        sum + a[4 * k + i % 4] * b[4 * Math.floor(i / 4) + k], 0));
}

function matrixOf({ translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] })
{
    const length = Math.hypot(...rotation);
    const [x, y, z, w] = rotation.map((q) => q / length);
    const columns = [[1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
                     [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
                     [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]];
    return [...columns.flatMap((c, i) => [...c.map((v) => v * scale[i]), 0]), ...translation, 1];
}

function jointMatrices(gltf, { clip, time, scale = {} })
{
    const nodes = gltf.nodes.map((node) => ({ ...node, scale: scale[node.name] ?? node.scale }));
    const animation = gltf.animations.find(({ name }) => name === clip);
    for (const { target, sampler } of animation.channels)
    {
        nodes[target.node][target.path] = sampleTrack(gltf, animation.samplers[sampler], time,
                                                      target.path === 'rotation');
    }
    const parents = new Map(nodes.flatMap(({ children = [] }, i) => children.map((c) => [c, i])));
    const globalOf = (i) => parents.has(i)
        ? multiply(globalOf(parents.get(i)), matrixOf(nodes[i])) : matrixOf(nodes[i]);
    const inverses = readAccessor(gltf, gltf.skins[0].inverseBindMatrices);
    return gltf.skins[0].joints.map((node, i) =>
        multiply(globalOf(node), inverses.slice(16 * i, 16 * i + 16)));
}

// The quaternion of a rotation matrix: the largest component by a square root, the others from it.
function quaternionOf(m)
{
    const at = (row, column) => m[4 * column + row];
    const squares = [1 + at(0, 0) - at(1, 1) - at(2, 2), 1 - at(0, 0) + at(1, 1) - at(2, 2),
                     1 - at(0, 0) - at(1, 1) + at(2, 2), 1 + at(0, 0) + at(1, 1) + at(2, 2)];
    const largest = squares.indexOf(Math.max(...squares));
    const [xy, xz, yz] = [at(1, 0) + at(0, 1), at(2, 0) + at(0, 2), at(2, 1) + at(1, 2)];
    const [wx, wy, wz] = [at(2, 1) - at(1, 2), at(0, 2) - at(2, 0), at(1, 0) - at(0, 1)];
    const q = [[squares[0], xy, xz, wx], [xy, squares[1], yz, wy], [xz, yz, squares[2], wz],
               [wx, wy, wz, squares[3]]][largest];
    const length = Math.hypot(...q);
    return q.map((x) => x / length);
}

// Half the translation times the rotation.
function dualOf([x, y, z, w], [a, b, c])
{
    return [a * w + b * z - c * y, b * w + c * x - a * z, c * w + a * y - b * x,
            -(a * x + b * y + c * z)].map((v) => v / 2);
}

function invert3(a)
{
    const [[b, c, d], [e, f, g], [h, i, j]] = a;
    const cofactors = [[f * j - g * i, g * h - e * j, e * i - f * h],
                       [d * i - c * j, b * j - d * h, c * h - b * i],
                       [c * g - d * f, d * e - b * g, b * f - c * e]];
    const determinant = b * cofactors[0][0] + c * cofactors[0][1] + d * cofactors[0][2];
    return [0, 1, 2].map((row) => [0, 1, 2].map((column) => cofactors[column][row] / determinant));
}

// The rotation next to a matrix: the mean with its inverse transpose, again and again.
function rotationOf(m)
{
    let a = [0, 1, 2].map((row) => [0, 1, 2].map((column) => m[4 * column + row]));
    for (let step = 0; step < 40; ++step)
    {
        const inverse = invert3(a);
        a = a.map((row, i) => row.map((x, j) => (x + inverse[j][i]) / 2));
    }
    return [0, 1, 2].flatMap((column) => [a[0][column], a[1][column], a[2][column], 0]);
}

// The table of the README.
function paletteOf(matrices, { method, scale, layout })
{
    const isShared = layout === 'shared' || (scale !== 'none' && method !== 'lbs');
    const values = matrices.flatMap((m) =>
    {
        const rows = [0, 1, 2].flatMap((row) => [m[row], m[4 + row], m[8 + row], m[12 + row]]);
        const rotation = quaternionOf(rotationOf(m));
        const dual = dualOf(rotation, m.slice(12, 15));
        const compact = { lbs: rows, dqs: [...rotation, ...dual], crs: [...rows, ...rotation],
                          mix: [...rows, ...rotation, ...dual] }[method];
        return isShared ? [...rows, ...rotation] : compact;
    });
    return { values, floats: values.length / matrices.length };
}

// Factors for normals of each vertex, without and with centers, from the attributes of the file.
function factorsOf(gltf, attributes, hasCenters)
{
    const read = (name) => readAccessor(gltf, attributes[`_PELT_NORMAL_${name}`]);
    const [tangents, planeNormals, joints] = ['TANGENT', 'PLANE_NORMAL', 'JOINTS_0'].map(read);
    const centers = hasCenters ? ['CENTER', 'CENTER_RATE_U', 'CENTER_RATE_V'].map(read) : [];
    const lanes = ['WEIGHTS', 'ALPHA', 'BETA', 'MOMENT_UU', 'MOMENT_UV', 'MOMENT_VU', 'MOMENT_VV']
        .map((name) => read(`${name}_0`));
    const values = [];
    for (let v = 0; v < tangents.length / 3; ++v)
    {
        const slots = [0, 1, 2, 3].map((i) => [joints[4 * v + i], ...lanes.map((l) => l[4 * v + i])]);
        const count = slots.filter(([, weight]) => weight > 0).length;
        values.push(...tangents.slice(3 * v, 3 * v + 3), count, ...planeNormals.slice(2 * v, 2 * v + 2),
                    ...centers.flatMap((c) => c.slice(3 * v, 3 * v + 3)),
                    ...(hasCenters ? [0] : [0, 0]), ...slots.flat());
    }
    return { values, header: hasCenters ? 16 : 8, slots: SLOTS };
}

// ----------------------------------------------------------------------------------------------
// Subjects, shaders, browser

// What `pelt deform` makes of a subject.
function deform(input, subject, { method, scale, normals })
{
    const output = `${[method, scale, normals].join('-')}-${input}`;
    const pose = Object.fromEntries(Object.entries(subject.scale ?? {})
        .map(([joint, factors]) => [joint, { scale: factors }]));
    runPelt('deform', input, '--clip', subject.clip, '--time', String(subject.time),
            '--method', method, '--pose', JSON.stringify(pose), '--normals', normals,
            ...(method === 'mix' ? ['--mix', String(MIX)] : []),
            ...(scale === 'origin' ? ['--convention', 'usd', '--sign-rule', 'heaviest'] : []),
            '-o', output);
    const deformed = readGlb(output);
    const { POSITION, NORMAL } = onlyPrimitive(deformed);
    return { positions: readAccessor(deformed, POSITION), normals: readAccessor(deformed, NORMAL) };
}

function loadSubject(subject, index)
{
    const input = `${index}.glb`;
    runPelt('rig', subject.rig, '-o', `rest-${input}`);
    runPelt('enhance', `rest-${input}`, '--cor', '--normals', '--normal-joints', String(SLOTS),
            '-o', input);
    const gltf = readGlb(input);
    const attributes = onlyPrimitive(gltf);
    return {
        ...subject,
        input,
        title: `${subject.rig} ${subject.clip}${subject.scale ? ', scaled' : ''}`,
        mix: MIX,
        positions: readAccessor(gltf, attributes.POSITION),
        normals: readAccessor(gltf, attributes.NORMAL),
        cors: readAccessor(gltf, attributes._PELT_COR),
        ...packInfluences(gltf, attributes),
        matrices: jointMatrices(gltf, subject),
        factors: [false, true].map((hasCenters) => factorsOf(gltf, attributes, hasCenters)),
    };
}

const LOCATIONS = ['position', 'normal', 'tangent', 'uv', '', 'joints', 'weights', 'more_joints',
                   'more_weights', 'center'];

// HLSL has names where ESSL has locations, and the tools add words of their own.
function esslOfHlsl(file)
{
    const spirv = path.join(folder, 'hlsl.spv');
    execFileSync('glslangValidator', ['-D', '-V', '-S', 'vert', '-e', 'main', path.basename(file),
                                      '-o', spirv], { cwd: path.dirname(file) });
    return execFileSync('spirv-cross', [spirv, '--es', '--version', '300'], { encoding: 'utf8' })
        .replace(/location = \d+(.* input_(\w+);)/g,
                 (_, rest, name) => `location = ${LOCATIONS.indexOf(name)}${rest}`)
        .replace(/SPIRV_Cross_Combined(\w+)SPIRV_Cross_DummySampler/g, '$1');
}

function hasTools()
{
    try
    {
        execFileSync('glslangValidator', ['--version'], { stdio: 'ignore' });
        execFileSync('spirv-cross', ['--revision'], { stdio: 'ignore' });
        return true;
    }
    catch
    {
        console.log('SKIP hlsl: there is no glslangValidator or no spirv-cross');
        return false;
    }
}

function writeShaders(language, variant, index)
{
    const output = `${language}-${index}`;
    const { palette, influences, scale, layout, normals } = variant;
    runPelt('shaders', '--lang', language, '--palette', palette, '--influences', String(influences),
        '--scale', scale, '--palette-layout', layout, '--normals', normals, '-o', output);
    return fs.readdirSync(path.join(folder, output)).filter((name) => /^skin_\w+_\d/.test(name))
        .map((name) => path.join(folder, output, name));
}

function makeRuns(subjects)
{
    const runs = [];
    const languages = ['essl', 'wgsl', ...(hasTools() ? ['hlsl'] : [])];
    for (const [round, language] of languages.entries())
    {
        for (const [index, variant] of VARIANTS.entries())
        {
            // Each variant in one of the languages, or with PELT_SWEEP=full in all of them.
            if (process.env.PELT_SWEEP !== 'full' && index % languages.length !== round)
            {
                continue;
            }
            const fitting = [...subjects.keys()].filter((i) =>
                subjects[i].most <= variant.influences &&
                (subjects[i].scale !== undefined) === (variant.scale !== 'none'));
            for (const file of writeShaders(language, variant, index))
            {
                const method = path.basename(file).split('_')[1];
                const shader = language === 'hlsl' ? esslOfHlsl(file)
                    : fs.readFileSync(file, 'utf8');
                runs.push(...fitting.map((subject) => ({ ...variant, language, method, subject, shader,
                    joints: paletteOf(subjects[subject].matrices, { ...variant, method }) })));
            }
        }
    }
    return runs;
}

// ----------------------------------------------------------------------------------------------
// Verdict

function sizeOf(positions)
{
    const extent = (axis) =>
    {
        const values = positions.filter((_, i) => i % 3 === axis);
        return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
    };
    return Math.hypot(extent(0), extent(1), extent(2));
}

// Once for each, however many shaders have to give it.
const known = new Map();

function expectedOf(subject, run)
{
    const key = [subject.input, run.method, run.scale, run.normals].join();
    if (!known.has(key))
    {
        known.set(key, deform(subject.input, subject, run));
    }
    return known.get(key);
}

function compare(subject, run, result)
{
    const wanted = expectedOf(subject, run);
    const triple = (array, i) => array.slice(3 * i, 3 * i + 3);
    let distance = 0, chord = 0;
    for (let i = 0; i < wanted.positions.length / 3; ++i)
    {
        const gap = (a, b) => Math.hypot(...triple(a, i).map((x, k) => x - triple(b, i)[k]));
        const far = gap(wanted.positions, result.positions);
        const off = gap(wanted.normals, result.normals);
        // The largest, with a NaN counting as that.
        distance = far <= distance ? distance : far;
        chord = off <= chord ? chord : off;
    }
    return { size: distance / sizeOf(subject.positions),
             degrees: 2 * Math.asin(Math.min(1, chord / 2)) * 180 / Math.PI };
}

const subjects = SUBJECTS.map(loadSubject);
const runs = makeRuns(subjects);
const page = fs.readFileSync(new URL('browser_page.js', import.meta.url));
const { results, error } = await askPage(chromium, folder, {
    '/': '<script src="page.js"></script>',
    '/page.js': page,
    '/cases': JSON.stringify({ subjects, runs }),
});
if (error)
{
    console.log(`FAIL ${error}`);
    process.exit(1);
}
const unrun = new Set();
let failed = 0;
for (const [i, run] of runs.entries())
{
    const title = [`${run.language} ${run.method}`, `${run.palette} ${run.influences}`, run.layout,
                   run.scale, run.normals, subjects[run.subject].title].join(', ');
    if (results[i] === null)
    {
        unrun.add(run.language);
        continue;
    }
    const { size, degrees } = compare(subjects[run.subject], run, results[i]);
    const isNear = size <= SIZE_LIMIT && degrees <= DEGREE_LIMIT;
    failed += isNear ? 0 : 1;
    console.log(`${isNear ? 'ok  ' : 'FAIL'} ${title}: ${size.toExponential(1)} of the size, ` +
        `${degrees.toExponential(1)} degrees`);
}
for (const language of unrun)
{
    console.log(`SKIP ${language} in a browser: this one has no WebGPU`);
}
console.log(`${runs.length} runs, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
