// SPDX-License-Identifier: MIT
// Runs in the browser for browser_bake.mjs: plays the bakes of /cases with the shaders that come
// along, by WebGL 2, and posts positions and normals of all instances.

const WIDTH = 1024; // of palettes, and of the texture of playbacks
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const FLOAT = '#version 300 es\nprecision highp float;\nout vec4 c;\nvoid main() { c = vec4(1.0); }\n';

const gl = document.createElement('canvas').getContext('webgl2');

function link(vertex, fragment, outputs)
{
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]])
    {
        const shader = gl.createShader(kind);
        gl.shaderSource(shader, text);
        gl.compileShader(shader);
        if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS))
        {
            throw new Error(gl.getShaderInfoLog(shader));
        }
        gl.attachShader(program, shader);
    }
    if (outputs)
    {
        gl.transformFeedbackVaryings(program, outputs, gl.SEPARATE_ATTRIBS);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS))
    {
        throw new Error(gl.getProgramInfoLog(program));
    }
    gl.useProgram(program);
    return program;
}

function makeTexture(unit, internal, width, height, format, type, data)
{
    const texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, internal, width, height, 0, format, type, data);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    return texture;
}

// Words are the same in every format: only the view of their bytes differs.
function bakeTexture(unit, { texel, width, height, words })
{
    const bytes = new Uint32Array(words).buffer;
    const [internal, type, data] = {
        rgba32ui: [gl.RGBA32UI, gl.UNSIGNED_INT, new Uint32Array(bytes)],
        rgba16ui: [gl.RGBA16UI, gl.UNSIGNED_SHORT, new Uint16Array(bytes)],
        rgba8ui: [gl.RGBA8UI, gl.UNSIGNED_BYTE, new Uint8Array(bytes)],
    }[texel];
    makeTexture(unit, internal, width, height, gl.RGBA_INTEGER, type, data);
}

function setSampler(program, name, unit)
{
    gl.uniform1i(gl.getUniformLocation(program, name), unit);
}

function addAttribute(location, data, size, integer)
{
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(location);
    integer ? gl.vertexAttribIPointer(location, size, integer, 0, 0)
            : gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
}

// 32 bytes of each instance: four integers, four floats.
function addPlaybacks(playbacks)
{
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Uint32Array(playbacks), gl.STATIC_DRAW);
    gl.vertexAttribIPointer(12, 4, gl.UNSIGNED_INT, 32, 0);
    gl.vertexAttribPointer(13, 4, gl.FLOAT, false, 32, 16);
    for (const location of [12, 13])
    {
        gl.enableVertexAttribArray(location);
        gl.vertexAttribDivisor(location, 1);
    }
}

// The pose pass: joints of all instances into a texture.
function posePalette(one, [vertex, fragment])
{
    if (!gl.getExtension('EXT_color_buffer_float'))
    {
        throw new Error('there is no EXT_color_buffer_float');
    }
    const count = one.playbacks.length / 8;
    const rows = Math.ceil(4 * count * one.joint_count / WIDTH);
    const padded = new Uint32Array(4 * WIDTH);
    padded.set(one.playbacks);
    makeTexture(1, gl.RGBA32UI, WIDTH, 1, gl.RGBA_INTEGER, gl.UNSIGNED_INT, padded);
    const palette = makeTexture(2, gl.RGBA32F, WIDTH, rows, gl.RGBA, gl.FLOAT, null);
    const program = link(vertex, fragment);
    setSampler(program, 'pelt_baked', 0);
    setSampler(program, 'pelt_playbacks', 1);
    gl.activeTexture(gl.TEXTURE2);
    gl.bindTexture(gl.TEXTURE_2D, null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, palette, 0);
    gl.viewport(0, 0, WIDTH, rows);
    gl.bindVertexArray(gl.createVertexArray());
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.bindTexture(gl.TEXTURE_2D, palette);
}

function skin(mesh, one, { palette, skin: text, pose })
{
    bakeTexture(0, one);
    if (pose)
    {
        posePalette(one, pose);
    }
    const program = link(text, FLOAT, ['gl_Position', 'pelt_out_normal']);
    setSampler(program, 'pelt_baked', 0);
    setSampler(program, 'pelt_palette', 2);
    gl.uniform1ui(gl.getUniformLocation(program, 'pelt_first_joint'), one.first);
    gl.uniform1ui(gl.getUniformLocation(program, 'pelt_joint_count'), one.joint_count);
    gl.uniformMatrix4fv(gl.getUniformLocation(program, 'pelt_clip_from_model'), false, IDENTITY);

    gl.bindVertexArray(gl.createVertexArray());
    addAttribute(0, new Float32Array(mesh.positions), 3);
    addAttribute(1, new Float32Array(mesh.normals), 3);
    if (one.vertex_ids)
    {
        addAttribute(11, new Uint32Array(one.vertex_ids), 1, gl.UNSIGNED_INT);
    }
    else
    {
        addAttribute(5, new Uint16Array(mesh.joints), 4, gl.UNSIGNED_SHORT);
        addAttribute(6, new Float32Array(mesh.weights), 4);
    }
    if (palette === 'baked')
    {
        addPlaybacks(one.playbacks);
    }
    const instances = one.playbacks.length / 8, total = instances * mesh.vertex_count;
    const results = [new Float32Array(4 * total), new Float32Array(3 * total)];
    const buffers = results.map((array) =>
    {
        const buffer = gl.createBuffer();
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.bufferData(gl.ARRAY_BUFFER, array, gl.STREAM_READ);
        return buffer;
    });
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, gl.createTransformFeedback());
    buffers.forEach((buffer, i) => gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, i, buffer));
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArraysInstanced(gl.POINTS, 0, mesh.vertex_count, instances);
    gl.endTransformFeedback();
    gl.disable(gl.RASTERIZER_DISCARD);
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
    return { positions: [...results[0]].filter((_, i) => i % 4 !== 3), normals: [...results[1]] };
}

async function main()
{
    const mesh = await (await fetch('/cases')).json();
    return mesh.cases.flatMap((one, index) => one.shaders.map((shader) =>
        ({ index, palette: shader.palette, ...skin(mesh, one, shader) })));
}

main()
    .then((results) => ({ results }), (error) => ({ error: String(error) }))
    .then((answer) => fetch('/results', { method: 'POST', body: JSON.stringify(answer) }));
