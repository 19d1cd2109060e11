// SPDX-License-Identifier: MIT
// The page of crowd_test.mjs for WebGPURenderer.
import * as THREE from 'three/webgpu';
import { float, instanceIndex, modelWorldMatrix, mrt, normalLocal, output, positionLocal, varying, vec2, vec4, velocity,
         vertexIndex } from 'three/tsl';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { createPelt } from 'pelt';
import { loadBake, PeltCrowd } from 'pelt-three/webgpu';
import { check, degrees, farthest, runPage, skip } from './page_tools.js';

const WIDTH = 2048;
const camera = new THREE.PerspectiveCamera();
let renderer;

async function draw(root, target, view = camera)
{
    await new Promise((resolve) => { requestAnimationFrame(resolve); });
    renderer.setRenderTarget(target);
    renderer.setClearColor(0x000000, 0);
    renderer.render(root, view);
    renderer.setRenderTarget(null);
}

// Each vertex of each instance as a point at a pixel of its own. 0: positions in the world, 1: normals.
async function readBack(root, mesh, what)
{
    const vertices = mesh.geometry.attributes.position.count, count = mesh.count * vertices;
    const rows = Math.ceil(count / WIDTH);
    const target = new THREE.RenderTarget(WIDTH, rows, { type: THREE.FloatType, depthBuffer: false });
    const own = mesh.material, material = new THREE.MeshBasicNodeMaterial();
    const at = instanceIndex.mul(vertices).add(vertexIndex);
    const pixel = vec2(float(at.mod(WIDTH)).add(0.5).div(WIDTH), float(at.div(WIDTH)).add(0.5).div(rows));
    material.vertexNode = vec4(pixel.mul(2).sub(1).mul(vec2(1, -1)), 0, 1);
    material.fragmentNode = vec4(varying(what === 0 ? modelWorldMatrix.mul(vec4(positionLocal, 1)).xyz
        : modelWorldMatrix.mul(vec4(normalLocal, 0)).xyz.normalize()), 1);
    material.positionNode = own.positionNode;
    mesh.material = material;
    const others = [];
    root.traverse((child) => { child.isMesh && child !== mesh && others.push(child); });
    others.forEach((other) => other.layers.disableAll());
    mesh.isMesh = false;
    mesh.isPoints = true;
    await draw(root, target);
    mesh.isMesh = true;
    mesh.isPoints = false;
    others.forEach((other) => other.layers.enable(0));
    mesh.material = own;
    const pixels = await renderer.readRenderTargetPixelsAsync(target, 0, 0, WIDTH, rows);
    material.dispose();
    target.dispose();
    return Float32Array.from({ length: 3 * count }, (_, i) => pixels[4 * Math.floor(i / 3) + i % 3]);
}

async function open(subject, pelt, options = {})
{
    const bake = await loadBake(`/${subject.name}/bake.json`);
    const { scene } = await new GLTFLoader().parseAsync(bake.mesh, '/');
    return new PeltCrowd(scene, bake, { pelt, renderer, method: subject.method, ...options });
}

function expectedOf(all, subject, i, k)
{
    const total = subject.counts.reduce((sum, count) => sum + count, 0);
    const before = subject.counts.slice(0, k).reduce((sum, count) => sum + count, 0);
    return all.subarray(3 * (total * i + before), 3 * (total * i + before + subject.counts[k]));
}

async function compareUnbaked(subject, pelt)
{
    const crowd = await open(subject, pelt), expected = new Float32Array(await (await fetch(`/${subject.name}/expected`)).arrayBuffer());
    subject.moments.forEach((moment) => crowd.addInstance(moment));
    crowd.update(renderer);
    let far = 0;
    for (const [k, mesh] of crowd.levels[0].meshes.entries())
    {
        const found = await readBack(crowd, mesh, 0), width = 3 * subject.counts[k];
        subject.moments.forEach((_, i) =>
        {
            far = Math.max(far, farthest(expectedOf(expected, subject, i, k), found.subarray(width * i, width * (i + 1))));
        });
    }
    check(far <= 1e-4 * subject.size, `${subject.name}: ${subject.moments.length} instances, ` +
        `${(far / subject.size).toExponential(1)} of the size off pelt unbake`);
    crowd.dispose();
}

// Instances anywhere, fading, growing in number: positions and normals against the CPU.
async function compareDecoded(subject, pelt)
{
    const crowd = await open(subject, pelt, { mix: 0.3, capacity: 2 }), { bake } = crowd, last = bake.clips.length - 1;
    const root = new THREE.Scene().add(crowd);
    crowd.position.set(1, 2, 3);
    const add = (i) =>
    {
        crowd.addInstance({ clip: i % (last + 1), time: 0.37 * i, loop: i % 3 !== 0, position: new THREE.Vector3(i, 0, -1),
                            scale: new THREE.Vector3(1 + 0.1 * i, 1, 1), color: new THREE.Color(0xff8000),
                            quaternion: new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 1, 0), i) });
        crowd.play(i, (i + 1) % (last + 1), { fade: 2, time: 0.21 * i });
        i % 2 === 0 && crowd.playAdditive(i, last, { weight: 0.3 + 0.1 * i, time: 0.5 });
    };
    for (let i = 0; i < 20; ++i)
    {
        add(i);
        i === 4 && crowd.update(renderer, [], 0.1);
    }
    crowd.update(renderer, [], 0.7);
    for (const method of [subject.method, 'mix'])
    {
        crowd.method = method;
        crowd.update(renderer);
        const [far, angle] = await farFromDecoded(crowd, root, pelt, method);
        check(far <= 1e-5 * subject.size && angle <= 0.05, `${subject.name}: fades by ${method}, ` +
            `${(far / subject.size).toExponential(1)} of the size and ${angle.toExponential(1)} degrees off the CPU`);
    }
    crowd.dispose();
}

async function farFromDecoded(crowd, root, pelt, method)
{
    const [{ arrays, instance }] = crowd.levels[0].bodies, [mesh] = crowd.levels[0].meshes;
    const skinner = pelt.createSkinner(arrays).prepare({ centers: true }), width = arrays.positions.length;
    const positions = await readBack(root, mesh, 0), directions = await readBack(root, mesh, 1);
    const point = new THREE.Vector3(), world = new THREE.Matrix4();
    let far = 0, chord = 0;
    for (let i = 0; i < crowd.count; ++i)
    {
        const rows = crowd.bake.texture.decode(crowd.members.playback(i)), { matrices } = skinner;
        for (let j = 0; j < arrays.jointCount; ++j)
        {
            const at = 12 * (instance.first_joint + j);
            new THREE.Matrix4().set(...rows.subarray(at, at + 12), 0, 0, 0, 1).toArray(matrices, 16 * j);
        }
        const surface = skinner.deform({ method, mix: 0.3 }), own = [surface.positions.slice(), surface.normals.slice()];
        crowd.getMatrixAt(i, world).premultiply(crowd.matrixWorld);
        const direction = new THREE.Matrix3().getNormalMatrix(world);
        for (let v = 0; v < width; v += 3)
        {
            point.fromArray(own[0], v).applyMatrix4(world).toArray(own[0], v);
            point.fromArray(own[1], v).applyMatrix3(direction).normalize().toArray(own[1], v);
        }
        far = Math.max(far, farthest(own[0], positions.subarray(width * i, width * (i + 1))));
        chord = Math.max(chord, farthest(own[1], directions.subarray(width * i, width * (i + 1))));
    }
    skinner.dispose();
    return [far, degrees(chord)];
}

// Motion vectors are where vertices are minus where they were, seen by the camera.
async function testVelocity(subject, pelt)
{
    const crowd = await open(subject, pelt), root = new THREE.Scene().add(crowd);
    crowd.tracksMotion = true;
    crowd.addInstance({ clip: 0, time: 0.1 });
    crowd.update(renderer, [], 0.02);
    const eye = new THREE.OrthographicCamera(-1.2, 1.2, 2.2, -0.2, 0.1, 10), size = 64;
    eye.position.z = 4;
    const target = new THREE.RenderTarget(size, size, { type: THREE.FloatType, count: 2 });
    target.textures[0].name = 'output';
    target.textures[1].name = 'velocity';
    renderer.setMRT(mrt({ output, velocity }));
    const read = async (seconds, shift) =>
    {
        crowd.setMatrixAt(0, crowd.getMatrixAt(0).premultiply(new THREE.Matrix4().makeTranslation(shift, 0, 0)));
        crowd.update(renderer, [], seconds);
        await draw(root, target, eye);
        const pixels = await renderer.readRenderTargetPixelsAsync(target, 0, 0, size, size, 1);
        return Array.from({ length: size * size }, (_, i) => pixels[4 * i]).filter((x) => x !== 0);
    };
    await read(0, 0);
    const still = await read(0, 0), moved = await read(0, 0.12), playing = await read(0.05, 0);
    renderer.setMRT(null);
    // 0.12 m of a view of 2.4 m are 0.1 of 2 units of normalized coordinates, half of it in uv.
    const close = moved.filter((x) => Math.abs(Math.abs(x) - 0.1) < 1e-3 || Math.abs(Math.abs(x) - 0.05) < 1e-3).length;
    check(still.every((x) => Math.abs(x) < 1e-4) && moved.length > 100 && close === moved.length,
          `motion vectors: ${close} of ${moved.length} pixels show the shift, ${still.length} before it`);
    check(playing.filter((x) => Math.abs(x) > 1e-4).length > 50, 'motion vectors: a clip moves pixels');
    target.dispose();
    crowd.dispose();
}

async function testPromotion(subject, pelt)
{
    const bake = await loadBake(`/${subject.name}/bake.json`);
    const { scene, animations } = await new GLTFLoader().parseAsync(await (await fetch('/human.glb')).arrayBuffer(), '/');
    const crowd = new PeltCrowd(scene, bake, { pelt, renderer, animations, method: 'crs' });
    const root = new THREE.Scene().add(crowd), [mesh] = crowd.levels[0].meshes;
    crowd.addInstance({ time: 0.4, position: new THREE.Vector3(1, 0, 2) });
    crowd.update(renderer);
    const before = await readBack(root, mesh, 0), live = crowd.promote(0);
    crowd.update(renderer);
    const [{ mesh: own }] = live.skin.skins;
    own.frustumCulled = false;
    const after = await readBack(root, own, 0);
    const far = farthest(before, after) / subject.size;
    check(!mesh.visible && far <= 1e-5, `promote(0): ${far.toExponential(1)} of the size off the crowd`);
    crowd.demote(0).update(renderer);
    const again = farthest(before, await readBack(root, mesh, 0)) / subject.size;
    check(mesh.visible && again <= 1e-4, `demote(0): ${again.toExponential(1)} of the size off where it was`);
    crowd.dispose();
}

async function run()
{
    if (!await navigator.gpu?.requestAdapter())
    {
        skip('crowds of WebGPURenderer: this Chromium has no WebGPU');
        return;
    }
    renderer = new THREE.WebGPURenderer({ canvas: new OffscreenCanvas(8, 8) });
    await renderer.init();
    renderer.backend.device.addEventListener('uncapturederror', ({ error }) => check(false, error.message));
    const { subjects } = await (await fetch('/cases')).json();
    const pelt = await createPelt(), [local] = subjects;
    for (const subject of subjects.filter(({ isVertices }) => !isVertices))
    {
        subject.isDecoded ? await compareDecoded(subject, pelt) : await compareUnbaked(subject, pelt);
    }
    await testPromotion(local, pelt);
    await testVelocity(local, pelt);
}

runPage(run);
