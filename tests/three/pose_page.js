// SPDX-License-Identifier: MIT
// The page of pose_test.mjs.
const lines = [];
let failures = 0;

function check(isTrue, what)
{
    failures += isTrue ? 0 : 1;
    lines.push(`${isTrue ? 'ok  ' : 'FAIL'} ${what}`);
}

// ----------------------------------------------------------------------------------------------
// Test vectors

// A playback as pelt_gpu_playback.
function wordsOf(text)
{
    const words = new Uint32Array(8), floats = new Float32Array(words.buffer), parts = text.split(/ +/);
    const shifts = { base: [0, 0, 4], next: [0, 16, 5], additive: [1, 0, 6] };
    for (let i = 1; i < parts.length;)
    {
        if (parts[i] in shifts)
        {
            const [word, shift, time] = shifts[parts[i]];
            words[word] |= (Number(parts[i + 1]) | (parts[i + 3] === 'loop' ? 0x8000 : 0)) << shift;
            floats[time] = Number(parts[i + 2]);
            i += 4;
        }
        else
        {
            floats[parts[i] === 'fade' ? 2 : 3] = Number(parts[i + 1]);
            i += 2;
        }
    }
    return words;
}

function readVectors(text)
{
    const textures = [], rows = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    for (let i = 0; i < rows.length; ++i)
    {
        const texture = textures.at(-1);
        if (rows[i].startsWith('texture'))
        {
            const [, name, count] = rows[i].split(' '), words = [];
            while (words.length < Number(count))
            {
                words.push(...rows[++i].split(' ').map((word) => parseInt(word, 16)));
            }
            textures.push({ name, words: Uint32Array.from(words), plays: [] });
        }
        else if (rows[i].startsWith('play'))
        {
            texture.plays.push({ words: wordsOf(rows[i]), rows: [] });
        }
        else
        {
            texture.plays.at(-1).rows.push(rows[i].split(/ +/).map(Number));
        }
    }
    return textures;
}

// ----------------------------------------------------------------------------------------------

const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;

function upload(device, data)
{
    const size = Math.max(16, Math.ceil(data.byteLength / 16) * 16);
    const buffer = device.createBuffer({ size, usage: STORAGE | COPY_SRC | COPY_DST });
    device.queue.writeBuffer(buffer, 0, data);
    return buffer;
}

async function compute(device, pipeline, buffers, groups, out)
{
    const encoder = device.createCommandEncoder(), pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0),
        entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })) }));
    pass.dispatchWorkgroups(groups);
    pass.end();
    const copy = device.createBuffer({ size: out.size, usage: MAP_READ | COPY_DST });
    encoder.copyBufferToBuffer(out, 0, copy, 0, out.size);
    device.queue.submit([encoder.finish()]);
    await copy.mapAsync(GPUMapMode.READ);
    return new Float32Array(copy.getMappedRange().slice());
}

// Vertices are decoded by a pass of the test's own, at the place of the rest position of each row.
const VERTEX_MAIN = `
@group(0) @binding(0) var<storage, read> baked: array<vec4u>;
@group(0) @binding(1) var<storage, read> playbacks: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> vertices: array<vec4f>;
fn pelt_baked_texel(at: u32) -> vec4u { return baked[min(at, arrayLength(&baked) - 1u)]; }
fn pelt_palette_texel(joint: u32, texel: u32) -> vec4f { return vec4f(); }
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let count = arrayLength(&vertices) / 2u / (arrayLength(&playbacks) / 2u);
    let instance = id.x / count;
    var rest: pelt_rest;
    rest.position = vertices[2u * id.x].xyz;
    let playing = pelt_play(playbacks[2u * instance], bitcast<vec4f>(playbacks[2u * instance + 1u]));
    let result = pelt_baked_vertex(rest, id.x % count, playing);
    vertices[2u * id.x] = vec4f(result.position, 1.0);
    vertices[2u * id.x + 1u] = vec4f(result.normal, 0.0);
}`;

async function compile(device, code, entryPoint)
{
    const started = performance.now(), module = device.createShaderModule({ code });
    const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module, entryPoint } });
    return { pipeline, seconds: (performance.now() - started) / 1e3 };
}

async function testTexture(device, { name, words, plays })
{
    const text = async (file) => (await fetch(file)).text();
    const isVertices = words[2] === 1, kind = { matrix: 'matrix', dual: 'dq' }[name] ?? 'qt';
    const code = isVertices ? await text('/pelt_skin.wgsl') + await text('/pelt_texture.wgsl') + VERTEX_MAIN
        : await text(`/${kind}.wgsl`);
    const { pipeline, seconds } = await compile(device, code, isVertices ? 'main' : 'pose');
    check(seconds < 60, `${name}: compiled in ${seconds.toFixed(2)} s`);
    const count = plays[0].rows.length;
    const playbacks = new Uint32Array(8 * plays.length);
    plays.forEach((play, i) => playbacks.set(play.words, 8 * i));
    const start = new Float32Array(isVertices ? 8 * count * plays.length : 16 * count * plays.length);
    isVertices && plays.forEach(({ rows }, i) => rows.forEach((row, k) => start.set(row.slice(0, 3), 8 * (count * i + k))));
    const out = upload(device, start);
    const found = await compute(device, pipeline, [upload(device, words), upload(device, playbacks), out],
                                count * plays.length, out);
    let far = 0, length = 0;
    plays.forEach(({ rows }, i) => rows.forEach((row, k) =>
    {
        const at = count * i + k;
        const own = isVertices ? [...row.slice(0, 3), ...found.subarray(8 * at, 8 * at + 3), ...found.subarray(8 * at + 4, 8 * at + 7)]
            : found.subarray(16 * at, 16 * at + 12);
        row.forEach((x, n) => { far = Math.abs(x - own[n]) <= far ? far : Math.abs(x - own[n]); });
        length = Math.max(length, isVertices ? 0 : Math.abs(Math.hypot(...found.subarray(16 * at + 12, 16 * at + 16)) - 1));
    }));
    check(far <= 1e-5 && length <= 1e-5, `${name}: ${plays.length} playbacks, ${far.toExponential(1)} off the test vectors`);
}

async function run()
{
    const adapter = await navigator.gpu?.requestAdapter();
    if (!adapter)
    {
        lines.push('SKIP the compute pose pass: this Chromium has no WebGPU');
        return;
    }
    const device = await adapter.requestDevice();
    device.addEventListener('uncapturederror', ({ error }) => check(false, error.message));
    for (const texture of readVectors(await (await fetch('/vectors')).text()))
    {
        await testTexture(device, texture);
    }
}

const report = () => fetch('/results', { method: 'POST', body: JSON.stringify({ lines, failures }) });
run().catch((error) => check(false, `${error.stack}`)).then(report);
