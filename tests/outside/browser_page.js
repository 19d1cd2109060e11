// SPDX-License-Identifier: MIT
// Runs in the browser for browser_skin.mjs: skins the subjects of /cases with the shaders that come
// along, by WebGL 2 and by WebGPU, and posts what they made of positions and normals.

const WIDTH = 1024; // of a palette texture, and of the picture that WebGPU draws vertices into
const JOINTS_BEFORE = 600; // empty ones, so that no joint is in the first row of a texture

// Compiling takes longer than skinning: each shader once, for all its subjects.
const compiled = new Map();

function once(shader, compileIt)
{
    if (!compiled.has(shader))
    {
        compiled.set(shader, compileIt());
    }
    return compiled.get(shader);
}

// ----------------------------------------------------------------------------------------------
// WebGL 2: the shader as it is, with the identity for a view, so that gl_Position is the result.

const gl = document.createElement('canvas').getContext('webgl2');

function compile(kind, text)
{
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS))
    {
        throw new Error(gl.getShaderInfoLog(shader));
    }
    return shader;
}

function link(vertexText, normalName)
{
    const program = gl.createProgram();
    gl.attachShader(program, compile(gl.VERTEX_SHADER, vertexText));
    gl.attachShader(program, compile(gl.FRAGMENT_SHADER,
        '#version 300 es\nprecision highp float;\nout vec4 c;\nvoid main() { c = vec4(1.0); }\n'));
    gl.transformFeedbackVaryings(program, ['gl_Position', normalName],
                                 gl.SEPARATE_ATTRIBS);
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS))
    {
        throw new Error(gl.getProgramInfoLog(program));
    }
    return program;
}

function fillBuffer(target, data, usage)
{
    const buffer = gl.createBuffer();
    gl.bindBuffer(target, buffer);
    gl.bufferData(target, data, usage);
    return buffer;
}

function setAttributes(subject, run)
{
    gl.bindVertexArray(gl.createVertexArray());
    for (const { location, size, values } of attributesOf(subject, run))
    {
        fillBuffer(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
        gl.enableVertexAttribArray(location);
        values instanceof Uint16Array
            ? gl.vertexAttribIPointer(location, size, gl.UNSIGNED_SHORT, 0, 0)
            : gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
    }
}

function setTexture(program, name, unit, values)
{
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, WIDTH, values.length / 4 / WIDTH, 0, gl.RGBA,
                  gl.FLOAT, values);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.uniform1i(gl.getUniformLocation(program, name), unit);
}

function setPalette(program, run)
{
    const whole = padPalette(run);
    if (run.palette === 'block')
    {
        gl.uniformBlockBinding(program, gl.getUniformBlockIndex(program, 'pelt_palette'), 0);
        const buffer = fillBuffer(gl.UNIFORM_BUFFER, whole, gl.STATIC_DRAW);
        gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, buffer);
        return;
    }
    setTexture(program, 'pelt_palette', 0, whole);
}

// As uniforms, or in the blocks that HLSL has for them.
function setUniforms(program, mix)
{
    gl.uniformMatrix4fv(gl.getUniformLocation(program, 'pelt_clip_from_model'), false, IDENTITY);
    gl.uniform1f(gl.getUniformLocation(program, 'pelt_mix'), mix);
    const blocks = [[1, 'pelt_view', IDENTITY], [2, 'pelt_blend', [mix, 0, 0, 0]]];
    for (const [binding, name, values] of blocks)
    {
        const block = gl.getUniformBlockIndex(program, name);
        if (block !== gl.INVALID_INDEX)
        {
            const buffer = fillBuffer(gl.UNIFORM_BUFFER, new Float32Array(values), gl.STATIC_DRAW);
            gl.uniformBlockBinding(program, block, binding);
            gl.bindBufferBase(gl.UNIFORM_BUFFER, binding, buffer);
        }
    }
}

function skinByWebGL(subject, run)
{
    const count = subject.positions.length / 3;
    const isHlsl = run.language === 'hlsl';
    const program = once(run.shader, () =>
        link(run.shader, isHlsl ? '_entryPointOutput_normal' : 'pelt_out_normal'));
    gl.useProgram(program);
    setAttributes(subject, run);
    setPalette(program, run);
    setUniforms(program, subject.mix);
    if (run.normals === 'accurate')
    {
        setTexture(program, 'pelt_normal_factors', 1, factorTexels(subject, run));
    }

    const results = [new Float32Array(4 * count), new Float32Array(3 * count)];
    const buffers = results.map((array) => fillBuffer(gl.ARRAY_BUFFER, array, gl.STREAM_READ));
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, gl.createTransformFeedback());
    buffers.forEach((buffer, i) => gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, i, buffer));
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, count);
    gl.endTransformFeedback();
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
    results.forEach((array, i) =>
    {
        gl.bindBuffer(gl.COPY_READ_BUFFER, buffers[i]);
        gl.getBufferSubData(gl.COPY_READ_BUFFER, 0, array);
    });
    if (gl.getError() !== gl.NO_ERROR)
    {
        throw new Error('WebGL reports an error');
    }
    return { positions: dropFourth(results[0]), normals: [...results[1]] };
}

// ----------------------------------------------------------------------------------------------
// WebGPU: there is no feedback, so an entry point around that of the shader, which is made a function
// for it, sends each vertex to a pixel.

const probe = `
struct probe_output
{
    @builtin(position) position: vec4f,
    @location(0) @interpolate(flat, either) skinned: vec3f,
    @location(1) @interpolate(flat, either) normal: vec3f,
}

@vertex
fn probe(input: pelt_input, @location(4) pixel: vec2f) -> probe_output
{
    let output = main(input);
    return probe_output(vec4f(pixel, 0.5, 1.0), output.position.xyz, output.normal);
}

struct probe_pixel
{
    @location(0) position: vec4f,
    @location(1) normal: vec4f,
}

@fragment
fn store(in: probe_output) -> probe_pixel
{
    return probe_pixel(vec4f(in.skinned, 1.0), vec4f(in.normal, 1.0));
}
`;

// What nothing here is compared by, tangent and UV, and the middle of the pixel that a vertex is
// stored in. In one buffer, since there may be eight.
function othersOf(count)
{
    const values = new Float32Array(8 * count);
    for (let i = 0; i < count; ++i)
    {
        values[8 * i + 6] = 2 * (i % WIDTH + 0.5) / WIDTH - 1;
        values[8 * i + 7] = 1 - 2 * (Math.floor(i / WIDTH) + 0.5) / WIDTH;
    }
    return { size: 8, values, attributes: [
        { shaderLocation: 2, offset: 0, format: 'float32x4' },
        { shaderLocation: 3, offset: 16, format: 'float32x2' },
        { shaderLocation: 4, offset: 24, format: 'float32x2' },
    ] };
}

function gpuBuffer(device, data, usage)
{
    const buffer = device.createBuffer({ size: (data.byteLength + 3) & ~3, usage: usage |
                                         GPUBufferUsage.COPY_DST });
    device.queue.writeBuffer(buffer, 0, data);
    return buffer;
}

function gpuTexture(device, values)
{
    const size = [WIDTH, values.length / 4 / WIDTH];
    const texture = device.createTexture({ size, format: 'rgba32float', usage:
        GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST });
    device.queue.writeTexture({ texture }, values, { bytesPerRow: 16 * WIDTH }, size);
    return texture.createView();
}

function gpuResources(device, subject, run)
{
    const uniform = (values) => ({ buffer: gpuBuffer(device, values, GPUBufferUsage.UNIFORM) });
    const whole = padPalette(run);
    const entries = [
        { binding: 0, resource: run.palette === 'block' ? uniform(whole) : gpuTexture(device, whole) },
        { binding: 1, resource: uniform(new Float32Array(IDENTITY)) },
    ];
    if (run.method === 'mix')
    {
        entries.push({ binding: 2, resource: uniform(new Float32Array([subject.mix, 0, 0, 0])) });
    }
    if (run.normals === 'accurate')
    {
        entries.push({ binding: 3, resource: gpuTexture(device, factorTexels(subject, run)) });
    }
    return entries;
}

function makePipeline(device, run, attributes)
{
    const code = run.shader.replace(/^@vertex\n/m, '') + probe;
    const module = device.createShaderModule({ code });
    const buffers = attributes.map(({ location, size, values, attributes: several }) => ({
        arrayStride: size * values.BYTES_PER_ELEMENT,
        attributes: several ?? [{ shaderLocation: location, offset: 0,
            format: values instanceof Uint16Array ? 'uint16x4' : `float32x${size}` }],
    }));
    return device.createRenderPipeline({
        layout: 'auto',
        vertex: { module, entryPoint: 'probe', buffers },
        fragment: { module, entryPoint: 'store',
                    targets: [{ format: 'rgba32float' }, { format: 'rgba32float' }] },
        primitive: { topology: 'point-list' },
    });
}

async function readTexture(device, texture, count)
{
    const rows = Math.ceil(count / WIDTH);
    const buffer = device.createBuffer({ size: 16 * WIDTH * rows,
        usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
    const encoder = device.createCommandEncoder();
    encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow: 16 * WIDTH }, [WIDTH, rows]);
    device.queue.submit([encoder.finish()]);
    await buffer.mapAsync(GPUMapMode.READ);
    return dropFourth(new Float32Array(buffer.getMappedRange()).subarray(0, 4 * count));
}

async function skinByWebGPU(device, subject, run)
{
    const count = subject.positions.length / 3;
    const attributes = [...attributesOf(subject, run), othersOf(count)];
    device.pushErrorScope('validation');
    const pipeline = once(run.shader, () => makePipeline(device, run, attributes));
    const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0),
                                           entries: gpuResources(device, subject, run) });
    const targets = [0, 1].map(() => device.createTexture({ size: [WIDTH, WIDTH],
        format: 'rgba32float',
        usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC }));

    const encoder = device.createCommandEncoder();
    const pass = encoder.beginRenderPass({ colorAttachments: targets.map((texture) => ({
        view: texture.createView(), loadOp: 'clear', storeOp: 'store' })) });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    attributes.forEach(({ values }, i) =>
        pass.setVertexBuffer(i, gpuBuffer(device, values, GPUBufferUsage.VERTEX)));
    pass.draw(count);
    pass.end();
    device.queue.submit([encoder.finish()]);
    const problem = await device.popErrorScope();
    if (problem)
    {
        throw new Error(problem.message);
    }
    return { positions: await readTexture(device, targets[0], count),
             normals: await readTexture(device, targets[1], count) };
}

// ----------------------------------------------------------------------------------------------

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

function dropFourth(values)
{
    return [...values].filter((_, i) => i % 4 !== 3);
}

// Whole rows of texels.
function padRows(values, before)
{
    const rows = Math.ceil((before + values.length) / 4 / WIDTH);
    const whole = new Float32Array(4 * WIDTH * rows);
    whole.set(values, before);
    return whole;
}

function jointsBefore(run)
{
    return run.palette === 'block' ? 0 : JOINTS_BEFORE;
}

// A block has 1024 texels, a texture whole rows.
function padPalette(run)
{
    const { values, floats } = run.joints;
    return padRows(values, jointsBefore(run) * floats);
}

// The factors that a shader reads, with joints as the palette of the run counts them.
function factorTexels(subject, run)
{
    const { values, header, slots } = subject.factors[run.method === 'crs' ? 1 : 0];
    const stride = header + 8 * slots;
    const moved = values.map((x, i) =>
        x + (i % stride >= header && (i % stride - header) % 8 === 0 ? jointsBefore(run) : 0));
    return padRows(moved, 0);
}

// Influences 4 * half to 4 * half + 3 of each vertex.
function halfOf(values, half)
{
    return values.filter((_, i) => Math.floor(i / 4) % 2 === half);
}

function jointsOf(subject, run, half)
{
    return Uint16Array.from(halfOf(subject.joints, half), (joint) => joint + jointsBefore(run));
}

function weightsOf(subject, half)
{
    return Float32Array.from(halfOf(subject.weights, half));
}

function attributesOf(subject, run)
{
    const all = [
        { location: 0, size: 3, values: new Float32Array(subject.positions) },
        { location: 1, size: 3, values: new Float32Array(subject.normals) },
        { location: 5, size: 4, values: jointsOf(subject, run, 0) },
        { location: 6, size: 4, values: weightsOf(subject, 0) },
    ];
    if (run.method === 'crs')
    {
        all.push({ location: 9, size: 3, values: new Float32Array(subject.cors) });
    }
    if (run.influences > 4)
    {
        all.push({ location: 7, size: 4, values: jointsOf(subject, run, 1) },
                 { location: 8, size: 4, values: weightsOf(subject, 1) });
    }
    return all;
}

async function main()
{
    const { subjects, runs } = await (await fetch('/cases')).json();
    const adapter = await navigator.gpu?.requestAdapter();
    const device = await adapter?.requestDevice({ requiredLimits: {
        maxColorAttachmentBytesPerSample: 32 } });
    const results = [];
    for (const run of runs)
    {
        const subject = subjects[run.subject];
        if (run.language === 'wgsl' && !device)
        {
            results.push(null);
            continue;
        }
        results.push(run.language === 'wgsl' ? await skinByWebGPU(device, subject, run)
                                             : skinByWebGL(subject, run));
    }
    return results;
}

main()
    .then((results) => ({ results }), (error) => ({ error: String(error) }))
    .then((answer) => fetch('/results', { method: 'POST', body: JSON.stringify(answer) }));
