// SPDX-License-Identifier: MIT
// The vertices of the crowd of the page as the GPU has skinned them: each is drawn as a point at a
// pixel of its own.

// Runs in the page.
async function read()
{
    const { WebGLRenderTarget, FloatType, Scene } = await import('three');
    const { renderer } = page.stage, { crowd } = page.crowd, [mesh] = crowd.levels[0].meshes;
    crowd.update(renderer); // all instances, in their order
    const vertices = mesh.geometry.attributes.position.count, count = mesh.count * vertices, width = 2048;
    const rows = Math.ceil(count / width), { material } = mesh, compile = material.onBeforeCompile, key = material.customProgramCacheKey;
    material.onBeforeCompile = function (shader, owner)
    {
        compile.call(this, shader, owner);
        shader.vertexShader = `out vec3 read_out;\n${shader.vertexShader}`.replace(/\}\s*$/, `
            read_out = transformed;
            int read_at = gl_InstanceID * ${vertices} + gl_VertexID;
            vec2 pixel = vec2(read_at % ${width}, read_at / ${width}) + 0.5;
            gl_Position = vec4(2.0 * pixel / vec2(${width}.0, ${rows}.0) - 1.0, 0.0, 1.0);
            gl_PointSize = 1.0;\n}`);
        shader.fragmentShader = `in vec3 read_out;\n${shader.fragmentShader}`.replace(/\}\s*$/, 'gl_FragColor = vec4(read_out, 1.0);\n}');
    };
    material.customProgramCacheKey = () => `read ${key.call(material)}`;
    material.needsUpdate = true;
    const target = new WebGLRenderTarget(width, rows, { type: FloatType }), scene = new Scene(), parent = crowd.parent;
    scene.add(crowd);
    Object.assign(mesh, { frustumCulled: false, isMesh: false, isPoints: true });
    renderer.setRenderTarget(target);
    renderer.setClearColor(0x000000, 0);
    renderer.clear();
    renderer.render(scene, page.stage.crowd.camera);
    Object.assign(mesh, { isMesh: true, isPoints: false });
    const pixels = new Float32Array(4 * width * rows);
    renderer.readRenderTargetPixels(target, 0, 0, width, rows, pixels);
    renderer.setRenderTarget(null);
    target.dispose();
    parent.add(crowd);
    Object.assign(material, { onBeforeCompile: compile, customProgramCacheKey: key, needsUpdate: true });
    const positions = Float32Array.from({ length: 3 * count }, (_, i) => pixels[4 * Math.floor(i / 3) + i % 3]);
    const bytes = new Uint8Array(positions.buffer);
    let text = '';
    for (let i = 0; i < bytes.length; i += 32768)
    {
        text += String.fromCharCode(...bytes.subarray(i, i + 32768));
    }
    return { vertices, text: btoa(text) };
}

/// Positions of all instances in model space, one instance after another.
export async function readCrowd(browser)
{
    const { vertices, text } = await browser.evaluate(`(${read})()`);
    const bytes = Buffer.from(text, 'base64');
    return { vertices, positions: new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)) };
}
