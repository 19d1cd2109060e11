// SPDX-License-Identifier: MIT
// The page of three_test.mjs for WebGPURenderer. Only render targets are drawn to: presenting a canvas
// ends the GPU process of SwiftShader.
import * as THREE from 'three/webgpu';
import { attribute, float, modelWorldMatrix, normalLocal, positionLocal, varying, vec2, vec4, vertexIndex } from 'three/tsl';
import { createPelt } from 'pelt';
import { createPeltArrays } from 'pelt/arrays';
import { applySkinning, boundsOf, METHODS, NORMALS } from 'pelt-three/webgpu';
import { bytesOf, check, degrees, farthest, instanceOf, load, meshesOf, play, runPage, skip } from './page_tools.js';

const WIDTH = 256;
const camera = new THREE.PerspectiveCamera();
let renderer;

// A material that draws each vertex as a point at a pixel of its own.
function probe(value, rows)
{
    const material = new THREE.MeshBasicNodeMaterial();
    const x = float(vertexIndex.mod(WIDTH)).add(0.5).div(WIDTH), y = float(vertexIndex.div(WIDTH)).add(0.5).div(rows);
    material.vertexNode = vec4(vec2(x, y).mul(2).sub(1).mul(vec2(1, -1)), 0, 1);
    material.fragmentNode = vec4(varying(value), 1);
    return material;
}

// 0: positions in the world, 1: normals.
async function readBack(scene, mesh, what)
{
    const count = mesh.geometry.attributes.position.count, rows = Math.ceil(count / WIDTH);
    const target = new THREE.RenderTarget(WIDTH, rows, { type: THREE.FloatType, depthBuffer: false });
    const own = mesh.material, value = what === 0 ? modelWorldMatrix.mul(vec4(positionLocal, 1)).xyz
        : modelWorldMatrix.mul(vec4(normalLocal, 0)).xyz.normalize();
    mesh.material = probe(value, rows);
    mesh.material.positionNode = [own].flat()[0].positionNode;
    const others = [];
    scene.traverse((child) => { (child.isMesh || child.isLine) && child !== mesh && others.push(child); });
    others.forEach((other) => other.layers.disableAll());
    mesh.frustumCulled = false;
    mesh.isMesh = false;
    mesh.isPoints = true;
    renderer.setRenderTarget(target);
    renderer.setClearColor(0x000000, 0);
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    mesh.isMesh = true;
    mesh.isPoints = false;
    others.forEach((other) => other.layers.enable(0));
    const pixels = await renderer.readRenderTargetPixelsAsync(target, 0, 0, WIDTH, rows);
    mesh.material.dispose();
    mesh.material = own;
    target.dispose();
    const stride = pixels.length / rows / 4 >= WIDTH ? pixels.length / rows : 4 * WIDTH;
    return Float32Array.from({ length: 3 * count }, (_, i) =>
    {
        const vertex = Math.floor(i / 3);
        return pixels[Math.floor(vertex / WIDTH) * stride + 4 * (vertex % WIDTH) + i % 3];
    });
}

async function compareModel(pelt, subject)
{
    const model = await load(subject.name), scene = new THREE.Scene();
    scene.add(model.scene);
    play(model, subject);
    const meshes = meshesOf(model.scene);
    const rest = new Float32Array(await bytesOf(subject.rest));
    const owners = meshes.map((mesh) => instanceOf(mesh, subject.instances, rest));
    check(owners.every((owner) => owner >= 0), `${subject.name}: ${meshes.length} meshes are instances of pelt`);
    const skin = applySkinning(model.scene, { pelt, renderer, mix: 0.3 });
    for (const { method, normals, url } of subject.runs)
    {
        const expected = new Float32Array(await bytesOf(url)), total = expected.length / 2;
        skin.method = method;
        skin.normals = normals;
        let far = 0, angle = 0;
        for (const [i, mesh] of meshes.entries())
        {
            const { first, count } = subject.instances[owners[i]];
            const part = (offset) => expected.subarray(offset + 3 * first, offset + 3 * (first + count));
            far = Math.max(far, farthest(await readBack(scene, mesh, 0), part(0)));
            const hasNormals = mesh.geometry.attributes.normal !== undefined;
            angle = hasNormals ? Math.max(angle, degrees(farthest(await readBack(scene, mesh, 1), part(total)))) : angle;
        }
        check(far <= 1e-5 * subject.size && angle <= 0.05, `${subject.name} ${method} ${normals}: ` +
            `${(far / subject.size).toExponential(1)} of the size, ${angle.toExponential(1)} degrees`);
    }
    skin.dispose();
}

// Morph targets are added before skinning, as on the CPU.
async function testMorphs(pelt, subject)
{
    const model = await load(subject.name), scene = new THREE.Scene().add(model.scene);
    play(model, subject);
    const [mesh] = meshesOf(model.scene), { geometry } = mesh;
    const target = (sign) => new THREE.Float32BufferAttribute(Array.from(geometry.attributes.normal.array,
        (x, i) => sign * 0.02 * x * (i % 7)), 3);
    geometry.morphAttributes.position = [target(1), target(-0.5)];
    geometry.morphTargetsRelative = true;
    mesh.updateMorphTargets();
    const skin = applySkinning(mesh, { pelt, renderer, method: 'crs' });
    mesh.morphTargetInfluences.forEach((_, i, all) => { all[i] = 0.8 / (i + 1); });
    mesh.skeleton.update();
    const found = await readBack(scene, mesh, 0), expected = skin.positions(mesh).slice();
    const point = new THREE.Vector3();
    for (let i = 0; i < expected.length; i += 3)
    {
        point.fromArray(expected, i).applyMatrix4(mesh.matrixWorld).toArray(expected, i);
    }
    const far = farthest(found, expected) / subject.size;
    mesh.morphTargetInfluences.fill(0);
    mesh.skeleton.update();
    const change = farthest(await readBack(scene, mesh, 0), expected) / subject.size;
    check(far <= 1e-5 && change > 1e-3, `${subject.name}, morph targets: ${far.toExponential(1)} of the size`);
    skin.dispose();
}

// What a light sees of the character is what is in shadow behind it.
async function testShadow(pelt)
{
    const model = await load('arm.glb');
    play(model, { clip: 'twist', time: 0.9 });
    const [mesh] = meshesOf(model.scene);
    mesh.castShadow = true;
    mesh.frustumCulled = false;
    const skin = applySkinning(mesh, { pelt, renderer, method: 'dqs' });
    const box = boundsOf(skin), center = box.getCenter(new THREE.Vector3());
    const size = 0.7 * box.getSize(new THREE.Vector3()).length();
    const light = new THREE.DirectionalLight(0xffffff, 3);
    light.position.copy(center).add(new THREE.Vector3(0, 0, 2 * size));
    light.target.position.copy(center);
    light.castShadow = true;
    light.shadow.mapSize.set(1024, 1024);
    Object.assign(light.shadow.camera, { left: -size, right: size, top: size, bottom: -size, near: 0.1 * size, far: 5 * size });
    const wall = new THREE.Mesh(new THREE.PlaneGeometry(2 * size, 2 * size), new THREE.MeshLambertMaterial());
    wall.position.copy(center).add(new THREE.Vector3(0, 0, -size));
    wall.receiveShadow = true;
    const scene = new THREE.Scene().add(model.scene, light, light.target, wall);
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = THREE.BasicShadowMap;
    const eye = new THREE.OrthographicCamera(-size, size, size, -size, 0.1 * size, 5 * size);
    eye.position.copy(light.position);
    eye.lookAt(center);
    const pixels = 256, target = new THREE.RenderTarget(pixels, pixels);
    const draw = async () =>
    {
        await nextFrame();
        renderer.setRenderTarget(target);
        renderer.setClearColor(0x000000, 1);
        renderer.render(scene, eye);
        renderer.setRenderTarget(null);
        const out = await renderer.readRenderTargetPixelsAsync(target, 0, 0, pixels, pixels);
        return Array.from({ length: pixels * pixels }, (_, i) => out[4 * i]);
    };
    mesh.material.colorWrite = mesh.material.depthWrite = false;
    const shadow = (await draw()).map((value) => value < 100);
    const own = mesh.material.positionNode;
    mesh.material.positionNode = null; // stock skinning
    mesh.material.needsUpdate = true;
    const linear = (await draw()).map((value) => value < 100);
    mesh.material.positionNode = own;
    mesh.material.needsUpdate = true;
    mesh.castShadow = false;
    mesh.material.colorWrite = mesh.material.depthWrite = true;
    wall.visible = false;
    mesh.material.emissive.set(0xffffff);
    const silhouette = (await draw()).map((value) => value > 20);
    const different = (mask) => mask.filter((value, i) => value !== silhouette[i]).length;
    const covered = silhouette.filter(Boolean).length;
    check(covered > 500 && different(shadow) < 0.05 * covered && different(linear) > 2 * different(shadow),
          `shadow: ${different(shadow)} of ${covered} pixels differ from the silhouette, ${different(linear)} by lbs`);
    renderer.shadowMap.enabled = false;
    target.dispose();
    skin.dispose();
}

// three.js updates some things once per animation frame.
const nextFrame = () => new Promise((resolve) => { requestAnimationFrame(resolve); });

// Switching leaves nothing behind, neither in the renderer nor in pelt.
async function testSwitching(pelt, subject)
{
    const model = await load(subject.name), scene = new THREE.Scene().add(model.scene);
    play(model, subject);
    const target = new THREE.RenderTarget(8, 8), [mesh] = meshesOf(model.scene);
    meshesOf(model.scene).forEach((one) => { one.frustumCulled = false; });
    const draw = () =>
    {
        renderer.setRenderTarget(target);
        renderer.render(scene, camera);
        renderer.setRenderTarget(null);
    };
    const counts = () => ['geometries', 'textures', 'attributes', 'storageAttributes'].map((what) => renderer.info.memory[what]).join();
    const original = [mesh.geometry, mesh.material];
    const switched = (times) =>
    {
        const skin = applySkinning(model.scene, { pelt, renderer });
        for (let i = 0; i < times; ++i)
        {
            skin.method = METHODS[i % METHODS.length];
            skin.normals = NORMALS[Math.floor(i / METHODS.length) % NORMALS.length];
            draw();
        }
        skin.dispose();
        draw();
    };
    switched(8);
    const before = counts(), bytes = pelt.memoryBytes;
    switched(100);
    check(counts() === before && pelt.memoryBytes === bytes, `100 switches: ${before} become ${counts()}`);
    check(mesh.geometry === original[0] && mesh.material === original[1], 'dispose() gives the material back');
    target.dispose();
}

function testErrors(pelt)
{
    const thrown = (act) => { try { act(); return ''; } catch (error) { return error.message; } };
    check(thrown(() => applySkinning(new THREE.Mesh(), { pelt })).includes('needs { renderer }'),
          'applySkinning() without a renderer is an error');
    check(thrown(() => applySkinning(new THREE.Mesh(), { pelt, renderer: new THREE.WebGPURenderer({ canvas: new OffscreenCanvas(8, 8) }) }))
        .includes('renderer.init()'), 'a renderer that is not ready is an error');
}

async function run()
{
    if (!await navigator.gpu?.requestAdapter())
    {
        skip('WebGPURenderer: this Chromium has no WebGPU');
        return;
    }
    renderer = new THREE.WebGPURenderer({ canvas: new OffscreenCanvas(8, 8) });
    await renderer.init();
    renderer.backend.device.addEventListener('uncapturederror', ({ error }) => check(false, error.message));
    const { subjects } = await (await fetch('/cases')).json();
    const [pelt, arrays] = await Promise.all([createPelt(), createPeltArrays()]);
    for (const [i, subject] of subjects.entries())
    {
        await compareModel(i % 2 === 0 ? pelt : arrays, subject);
    }
    await testMorphs(pelt, subjects[0]);
    await testShadow(pelt);
    await testSwitching(arrays, subjects[0]);
    testErrors(arrays);
}

runPage(run);
