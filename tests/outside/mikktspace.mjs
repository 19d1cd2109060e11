// SPDX-License-Identifier: MIT
// Tangents that pelt computes against npm's mikktspace: node mikktspace.mjs PACKAGES PELT GLTF...
// PACKAGES is the folder with mikktspace.
//
// Each file gets a normal map and loses its tangents; pelt convert computes them again. mikktspace
// gives a tangent to each corner of a triangle, pelt one to each vertex: vertices whose corners agree
// in mikktspace are compared.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';

const [packages, pelt, ...files] = process.argv.slice(2);
const { generateTangents } = createRequire(path.join(packages, 'x.js'))('mikktspace');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mikktspace-'));
const white = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQ'
    + 'DwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const TYPES = { 5121: Uint8Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

function read(json, buffers, index)
{
    const accessor = json.accessors[index], view = json.bufferViews[accessor.bufferView];
    const width = WIDTHS[accessor.type], Type = TYPES[accessor.componentType];
    const step = view.byteStride ?? width * Type.BYTES_PER_ELEMENT;
    const out = new Type(width * accessor.count);
    const start = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    const bytes = buffers[view.buffer];
    for (let i = 0; i < accessor.count; ++i)
    {
        const element = new Type(bytes.buffer.slice(bytes.byteOffset + start + i * step,
            bytes.byteOffset + start + i * step + width * Type.BYTES_PER_ELEMENT));
        out.set(element, i * width);
    }
    return out;
}

// Normals as pelt reads them. Two that differ in length alone are one normal then, where mikktspace
// would hold vertices apart; lengths within 1e-6 of one stay, as does their rounding.
function makeUnit(normals)
{
    const f = Math.fround;
    for (let i = 0; i < normals.length; i += 3)
    {
        const v = normals.subarray(i, i + 3);
        const largest = Math.max(...v.map(Math.abs));
        if (Math.abs(v[0] ** 2 + v[1] ** 2 + v[2] ** 2 - 1) >= 1e-6 && largest > 0)
        {
            v.forEach((x, k) => { v[k] = x / largest; });
            const squares = v.map((x) => x * x);
            const scale = f(1 / f(Math.sqrt(f(f(squares[0] + squares[1]) + squares[2]))));
            v.forEach((x, k) => { v[k] = x * scale; });
        }
    }
}

// Angle between the tangents of a vertex, in degrees; 180 for different signs.
function difference(a, b)
{
    const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const size = Math.hypot(a[0], a[1], a[2]) * Math.hypot(b[0], b[1], b[2]);
    const cross = Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0]);
    return a[3] !== b[3] || !(size > 0) ? 180 : Math.atan2(cross, dot) * 180 / Math.PI;
}

function comparePrimitive(json, buffers, primitive, totals)
{
    const get = (name) => read(json, buffers, primitive.attributes[name]);
    const indices = read(json, buffers, primitive.indices);
    const [p, n, uv, t] = ['POSITION', 'NORMAL', 'TEXCOORD_0', 'TANGENT'].map(get);
    makeUnit(n);
    const unroll = (from, width) =>
    {
        const out = new Float32Array(width * indices.length);
        indices.forEach((v, i) => out.set(from.subarray(v * width, (v + 1) * width), i * width));
        return out;
    };
    const corners = generateTangents(unroll(p, 3), unroll(n, 3), unroll(uv, 2));
    // The same with UVs in the next float up or down: what changes then is rounding.
    const bits = new Uint32Array(uv.slice().buffer);
    const moved = new Float32Array(bits.map((b) => (b === 0 ? 0 : b + ((b >> 3) & 1) * 2 - 1)).buffer);
    const shaken = generateTangents(unroll(p, 3), unroll(n, 3), unroll(moved, 2));
    const unstable = new Set();
    indices.forEach((v, i) =>
    {
        if (difference(corners.subarray(4 * i, 4 * i + 4), shaken.subarray(4 * i, 4 * i + 4)) > 0.02)
        {
            unstable.add(v);
        }
    });
    const lists = new Map();
    indices.forEach((v, i) =>
    {
        // The sign of glTF, whose v points downwards, is the other one.
        const tangent = [...corners.subarray(4 * i, 4 * i + 3), -corners[4 * i + 3]];
        lists.set(v, [...(lists.get(v) ?? []), tangent]);
    });
    for (const [v, list] of lists)
    {
        // Where no triangle has a texture direction, mikktspace leaves its initial value.
        if (list.some((tangent) => tangent[0] === 1 && tangent[1] === 0 && tangent[2] === 0))
        {
            ++totals.arbitrary;
            continue;
        }
        ++totals.all;
        totals.unstable += unstable.has(v) ? 1 : 0;
        if (!unstable.has(v) && list.every((other) => difference(list[0], other) < 0.01))
        {
            ++totals.compared;
            const off = difference(list[0], t.subarray(4 * v, 4 * v + 4));
            totals.good += off < 0.1 ? 1 : 0;
            totals.worst = Math.max(totals.worst, off);
        }
    }
}

let failed = 0;
for (const file of files)
{
    const run = (...words) => execFileSync(pelt, words, { stdio: ['ignore', 'ignore', 'pipe'] });
    const [plain, bare, output] = ['plain', 'bare', 'out'].map((s) => path.join(folder, `${s}.gltf`));
    run('convert', file, '-o', plain);
    const json = JSON.parse(fs.readFileSync(plain, 'utf8'));
    json.images = [...(json.images ?? []), { uri: white }];
    json.textures = [...(json.textures ?? []), { source: json.images.length - 1 }];
    json.materials = [...(json.materials ?? []), {}];
    json.materials.forEach((material) =>
        material.normalTexture = { index: json.textures.length - 1 });
    json.meshes.flatMap((mesh) => mesh.primitives).forEach((primitive) =>
    {
        delete primitive.attributes.TANGENT;
        primitive.targets?.forEach((target) => delete target.TANGENT);
        primitive.material ??= json.materials.length - 1;
    });
    fs.writeFileSync(bare, JSON.stringify(json));
    run('convert', bare, '-o', output);
    const result = JSON.parse(fs.readFileSync(output, 'utf8'));
    const buffers = result.buffers.map(({ uri }) => Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64'));
    const totals = { all: 0, arbitrary: 0, unstable: 0, compared: 0, good: 0, worst: 0 };
    result.meshes.flatMap((mesh) => mesh.primitives)
        .filter((primitive) => primitive.attributes.TANGENT !== undefined)
        .forEach((primitive) => comparePrimitive(result, buffers, primitive, totals));
    const isGood = totals.compared > 0.5 * totals.all && totals.good === totals.compared;
    failed += isGood ? 0 : 1;
    console.log(`${isGood ? 'ok  ' : 'FAIL'} ${path.basename(file)}: ${totals.good} of `
        + `${totals.compared} tangents within 0.1 degrees, worst ${totals.worst.toFixed(4)}; `
        + `of ${totals.all} vertices ${totals.all - totals.compared - totals.unstable} have several and `
        + `${totals.unstable} hang on rounding; ${totals.arbitrary} more have none`);
}
fs.rmSync(folder, { recursive: true });
process.exitCode = failed > 0 || files.length === 0 ? 1 : 0;
