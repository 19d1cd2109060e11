// SPDX-License-Identifier: MIT
// The page of crowd_test.mjs: crowds on the GPU against what `pelt unbake` and the decoder on the
// CPU say.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { createPelt } from 'pelt';
import { loadBake, PeltCrowd, readBake } from 'pelt-three';
import { check, farthest, runPage } from './page_tools.js';

const WIDTH = 2048;
const renderer = new THREE.WebGLRenderer();
renderer.debug.onShaderError = (gl, program, vertex, fragment) =>
    check(false, `a shader: ${gl.getShaderInfoLog(vertex)} ${gl.getShaderInfoLog(fragment)}`);
const camera = new THREE.PerspectiveCamera();

async function loadScene(url)
{
    return new GLTFLoader().parseAsync(await (await fetch(url)).arrayBuffer(), '/');
}

// ----------------------------------------------------------------------------------------------
// Reading vertices back: each is drawn as a point at a pixel of its own.

const probes = { peltWhat: { value: 0 }, peltRows: { value: 1 }, peltVertices: { value: 1 } };

function probe()
{
    const material = new THREE.MeshStandardMaterial();
    material.onBeforeCompile = (shader) =>
    {
        Object.assign(shader.uniforms, probes);
        shader.vertexShader = `out vec3 peltOut;\nuniform int peltWhat, peltVertices;\nuniform float peltRows;\n${shader.vertexShader}`
            .replace(/\}\s*$/, `
                peltOut = peltWhat == 1 ? normalize(objectNormal) : peltWhat == 2 ? worldPosition.xyz : transformed;
                int peltAt = gl_InstanceID * peltVertices + gl_VertexID;
                vec2 pixel = vec2(peltAt % ${WIDTH}, peltAt / ${WIDTH}) + 0.5;
                gl_Position = vec4(2.0 * pixel / vec2(${WIDTH}.0, peltRows) - 1.0, 0.0, 1.0);
                gl_PointSize = 1.0;
            }`).replace('#include <worldpos_vertex>', `vec4 worldPosition = vec4(transformed, 1.0);
                #ifdef USE_INSTANCING
                    worldPosition = instanceMatrix * worldPosition;
                #endif
                worldPosition = modelMatrix * worldPosition;`);
        shader.fragmentShader = `in vec3 peltOut;\n${shader.fragmentShader}`
            .replace(/\}\s*$/, 'gl_FragColor = vec4(peltOut, 1.0);\n}');
    };
    material.customProgramCacheKey = () => 'probe';
    return material;
}

function probeAll(object)
{
    object.traverse((child) => { child.isMesh && (child.material = probe()); });
    return object;
}

// 0: positions in model space, 1: normals, 2: positions in the world.
function readBack(root, mesh, what)
{
    const vertices = mesh.geometry.attributes.position.count, count = (mesh.count ?? 1) * vertices;
    const rows = Math.ceil(count / WIDTH);
    const target = new THREE.WebGLRenderTarget(WIDTH, rows, { type: THREE.FloatType });
    probes.peltWhat.value = what;
    probes.peltRows.value = rows;
    probes.peltVertices.value = vertices;
    const others = [];
    root.traverse((child) => { child.isMesh && child !== mesh && others.push(child); });
    others.forEach((other) => other.layers.disableAll());
    mesh.frustumCulled = false;
    mesh.isMesh = false;
    mesh.isPoints = true;
    renderer.setRenderTarget(target);
    renderer.setClearColor(0x000000, 0);
    renderer.clear();
    renderer.render(root, camera);
    mesh.isMesh = true;
    mesh.isPoints = false;
    others.forEach((other) => other.layers.enable(0));
    const pixels = new Float32Array(4 * WIDTH * rows);
    renderer.readRenderTargetPixels(target, 0, 0, WIDTH, rows, pixels);
    target.dispose();
    return Float32Array.from({ length: 3 * count }, (_, i) => pixels[4 * Math.floor(i / 3) + i % 3]);
}

// ----------------------------------------------------------------------------------------------

async function open(subject, pelt, options = {})
{
    const bake = await loadBake(`/${subject.name}/bake.json`);
    const { scene } = await new GLTFLoader().parseAsync(bake.mesh, '/');
    probeAll(scene);
    return new PeltCrowd(scene, bake, { pelt, method: subject.isVertices ? 'lbs' : subject.method, ...options });
}

async function compareUnbaked(subject, pelt)
{
    const crowd = await open(subject, pelt);
    subject.moments.forEach((moment) => crowd.addInstance(moment));
    crowd.update(renderer);
    const started = performance.now();
    const expected = new Float32Array(await (await fetch(`/${subject.name}/expected`)).arrayBuffer());
    const total = subject.counts.reduce((sum, count) => sum + count, 0);
    let far = 0, before = 0;
    crowd.levels[0].meshes.forEach((mesh, k) =>
    {
        const found = readBack(crowd, mesh, 0), width = 3 * subject.counts[k];
        subject.moments.forEach((_, i) =>
        {
            far = Math.max(far, farthest(found.subarray(width * i, width * (i + 1)),
                                         expected.subarray(3 * total * i + 3 * before)));
        });
        before += subject.counts[k];
    });
    check(far <= 1e-4 * subject.size, `${subject.name}: ${subject.moments.length} instances, ` +
        `${(far / subject.size).toExponential(1)} of the size off pelt unbake, ` +
        `${((performance.now() - started) / 1e3).toFixed(1)} s`);
    crowd.dispose();
}

// ----------------------------------------------------------------------------------------------
// Fades and additive clips, against the decoder on the CPU and the skinning of the library

async function compareDecoded(subject, pelt)
{
    const crowd = await open(subject, pelt, { mix: 0.3 }), { bake } = crowd, last = bake.clips.length - 1;
    for (let i = 0; i < 8; ++i)
    {
        crowd.addInstance({ clip: i % (last + 1), time: 0.37 * i, loop: i % 3 !== 0 });
        crowd.play(i, (i + 1) % (last + 1), { fade: 2, time: 0.21 * i });
        i % 2 === 0 && crowd.playAdditive(i, last, { weight: 0.3 + 0.1 * i, time: 0.5 });
    }
    crowd.update(renderer, [], 0.7);
    check(crowd.stateAt(3).fade > 0.3 && crowd.stateAt(3).next !== null, `${subject.name}: instances fade`);
    for (const [method, normals] of [[subject.method, 'standard'], ...subject.isWhole ? [['crs', 'accurate'], ['mix', 'accurate']] : []])
    {
        crowd.method = method;
        crowd.normals = normals;
        const [far, angle] = farFromDecoded(crowd, pelt, method, normals);
        check(far <= 1e-5 * subject.size && angle <= 0.05, `${subject.name}: fades by ${method}, ${normals}, ` +
            `${(far / subject.size).toExponential(1)} of the size and ${angle.toExponential(1)} degrees off the CPU`);
    }
    crowd.dispose();
}

function farFromDecoded(crowd, pelt, method, normals)
{
    const { texture } = crowd.bake;
    let far = 0, chord = 0;
    crowd.levels[0].bodies.forEach(({ arrays, instance }, k) =>
    {
        const skinner = pelt.createSkinner(arrays);
        skinner.prepare({ centers: true, normalFactors: true });
        const mesh = crowd.levels[0].meshes[k], width = arrays.positions.length;
        const positions = readBack(crowd, mesh, 0), directions = readBack(crowd, mesh, 1);
        for (let i = 0; i < crowd.count; ++i)
        {
            const rows = texture.decode(crowd.members.playback(i)), { matrices } = skinner;
            for (let j = 0; j < arrays.jointCount; ++j)
            {
                const at = 12 * (instance.first_joint + j);
                new THREE.Matrix4().set(...rows.subarray(at, at + 12), 0, 0, 0, 1).toArray(matrices, 16 * j);
            }
            const surface = skinner.deform({ method, normals, mix: 0.3 });
            far = Math.max(far, farthest(surface.positions, positions.subarray(width * i)));
            chord = Math.max(chord, farthest(surface.normals, directions.subarray(width * i)));
        }
        skinner.dispose();
    });
    return [far, 2 * Math.asin(Math.min(1, chord / 2)) * 180 / Math.PI];
}

// ----------------------------------------------------------------------------------------------

// A crowd of a character with clips of its own, moved somewhere.
async function openHuman(subject, pelt, options = {})
{
    const bake = await loadBake(`/${subject.name}/bake.json`), { scene, animations } = await loadScene('/human.glb');
    probeAll(scene);
    const crowd = new PeltCrowd(scene, bake, { pelt, method: 'crs', animations, ...options });
    crowd.position.set(3, 0, -2);
    crowd.updateMatrixWorld();
    return crowd;
}

const rotated = (x, angle) => ({ position: new THREE.Vector3(x, 0.5, 1), scale: new THREE.Vector3(1.1, 1.1, 1.1),
                                quaternion: new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 1, 0), angle) });

// A live character is where the instance was, and the other way around.
async function testPromotion(subject, pelt)
{
    const crowd = await openHuman(subject, pelt), root = new THREE.Scene().add(crowd), { size } = subject;
    const [first, second] = [0, 1].map((k) => crowd.bake.clips[k].name);
    crowd.addInstance({ ...rotated(-1, 0.4), clip: first, time: 0.3 });
    crowd.addInstance({ ...rotated(1, 2), clip: first, time: 0.7 });
    crowd.play(1, second, { fade: 1, time: 0.2 });
    crowd.update(renderer, [], 0.35);
    const [mesh] = crowd.levels[0].meshes, width = 3 * subject.counts[0];
    for (const i of [0, 1])
    {
        const before = readBack(root, mesh, 2).subarray(width * i, width * (i + 1));
        const hand = crowd.socketMatrix(i, 'hand_l');
        const live = crowd.promote(i);
        crowd.update(renderer);
        const [{ mesh: own }] = live.skin.skins, onCpu = live.skin.positions(own).slice(), point = new THREE.Vector3();
        for (let k = 0; k < onCpu.length; k += 3)
        {
            point.fromArray(onCpu, k).applyMatrix4(own.matrixWorld).toArray(onCpu, k);
        }
        check(farthest(before, onCpu) <= 1e-5 * size, `promote(${i}): before it is drawn, it is ` +
              `${(farthest(before, onCpu) / size).toExponential(1)} of the size off on the CPU`);
        const at = () => readBack(root, own, 2);
        check(mesh.count === 1 && farthest(before, at()) <= 1e-5 * size,
              `promote(${i}): ${(farthest(before, at()) / size).toExponential(1)} of the size off the crowd`);
        check(closeMatrices(hand, crowd.socketMatrix(i, 'hand_l'), 1e-5), `promote(${i}): the socket stays`);
        live.mixer.update(0);
        const error = farthest(before, at()) / size;
        check(error <= 1e-3, `promote(${i}): its clips are ${error.toExponential(1)} of the size off the crowd`);
        live.mixer.update(0.2);
        const moved = at().slice();
        crowd.demote(i).update(renderer);
        const after = readBack(root, mesh, 2).subarray(width * i, width * (i + 1));
        const gap = farthest(moved, after) / size;
        check(mesh.count === 2 && gap <= 1e-3 && farthest(before, after) > 1e-2 * size,
              `demote(${i}): ${gap.toExponential(1)} of the size off the live character`);
    }
    check(crowd.live.size === 0 && crowd.children.length === 1, 'demote() leaves nothing behind');
    crowd.dispose();
}

const closeMatrices = (a, b, gap) => a.elements.every((x, i) => Math.abs(x - b.elements[i]) <= gap);

// Sockets are where three.js moves the nodes of the clips that `pelt unbake` has written.
async function testSockets(subject, pelt)
{
    const crowd = await openHuman(subject, pelt), { scene, animations } = await loadScene(`/${subject.name}/unbaked.glb`);
    let far = 0;
    subject.moments.slice(0, 10).forEach(({ clip, time }, i) =>
    {
        crowd.addInstance({ ...rotated(i, i), clip, time, loop: false });
        const mixer = new THREE.AnimationMixer(scene);
        mixer.clipAction(animations.find(({ name }) => name === clip)).play();
        mixer.setTime(time);
        scene.updateMatrixWorld(true);
        for (const name of ['hand_l', 'head', 'toe_r'])
        {
            const expected = crowd.getMatrixAt(i).premultiply(crowd.matrixWorld)
                .multiply(scene.getObjectByName(name).matrixWorld);
            crowd.socketMatrix(i, name).elements.forEach((x, k) =>
            {
                far = Math.max(far, Math.abs(x - expected.elements[k]));
            });
        }
        mixer.stopAllAction();
    });
    check(far <= 1e-4 * subject.size, `sockets are ${far.toExponential(1)} off the nodes of pelt unbake`);
    crowd.dispose();
}

// Culling leaves no vertex out that is in view, and levels of detail follow distances.
async function testView(subject, vertices, pelt)
{
    const bake = await loadBake(`/${subject.name}/bake.json`), { scene } = await loadScene('/human.glb');
    const drawn = new PeltCrowd(scene, bake, { pelt, method: 'lbs' });
    const root = new THREE.Scene().add(drawn, new THREE.AmbientLight(0xffffff, 3));
    for (let i = 0; i < 60; ++i)
    {
        drawn.addInstance({ ...rotated(1.3 * (i % 10) - 6, i), clip: i % bake.clips.length, time: 0.1 * i,
                            position: new THREE.Vector3(1.3 * (i % 10) - 6, 0, -1.3 * Math.floor(i / 10)) });
    }
    const eye = new THREE.PerspectiveCamera(35, 1, 0.1, 8);
    eye.position.set(0.4, 1.4, 3);
    eye.rotation.set(0, 0.5, 0);
    const target = new THREE.WebGLRenderTarget(128, 128);
    const draw = (cameras) =>
    {
        drawn.update(renderer, cameras);
        renderer.setRenderTarget(target);
        renderer.setClearColor(0x204060, 1);
        renderer.clear();
        renderer.render(root, eye);
        const pixels = new Uint8Array(4 * 128 * 128);
        renderer.readRenderTargetPixels(target, 0, 0, 128, 128, pixels);
        return pixels;
    };
    const all = draw([]), seen = draw(eye);
    const different = all.filter((value, i) => value !== seen[i]).length;
    const covered = all.filter((value, i) => i % 4 === 0 && value !== all[0]).length;
    check(different === 0 && drawn.visibleCount > 2 && drawn.visibleCount < 40 && covered > 500,
          `culling: ${drawn.visibleCount} of 60 are in view, ${different} of ${covered} pixels differ`);
    const fine = drawn.levels[0].meshes[0];
    const coarse = await loadBake(`/${vertices.name}/bake.json`);
    drawn.addLevel({ scene: (await new GLTFLoader().parseAsync(coarse.mesh, '/')).scene, bake: coarse, distance: 5 });
    const levelled = draw(eye), [, { meshes: [far] }] = drawn.levels;
    const other = all.filter((value, i) => Math.abs(value - levelled[i]) > 12).length;
    check(fine.count > 0 && far.count > 0 && fine.count + far.count === drawn.visibleCount,
          `levels: ${fine.count} near and ${far.count} far`);
    check(other < 0.1 * covered, `levels: ${other} of ${covered} pixels differ`);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(0, -0.2), eye);
    const [hit] = ray.intersectObject(drawn);
    check(hit?.object === drawn && drawn.boundsAt(hit.instanceId).expandByScalar(1e-4).containsPoint(hit.point),
          'a ray finds an instance');
    target.dispose();
    drawn.dispose();
}

// Motion vectors are where vertices are minus where they were, seen by the camera.
async function testMotion(subject, pelt)
{
    const crowd = await openHuman(subject, pelt);
    crowd.position.set(0, 0, 0);
    crowd.tracksMotion = true;
    crowd.addInstance({ clip: 0, time: 0.1 });
    crowd.update(renderer, [], 0.02);
    const eye = new THREE.OrthographicCamera(-1.2, 1.2, 2.2, -0.2, 0.1, 10), size = 64;
    eye.position.z = 4;
    const target = new THREE.WebGLRenderTarget(size, size, { type: THREE.FloatType });
    const read = (seconds, shift) =>
    {
        crowd.setMatrixAt(0, crowd.getMatrixAt(0).premultiply(new THREE.Matrix4().makeTranslation(shift, 0, 0)));
        crowd.update(renderer, [], seconds);
        renderer.setRenderTarget(target);
        renderer.setClearColor(0x000000, 0);
        renderer.clear();
        crowd.renderMotion(renderer, eye);
        const pixels = new Float32Array(4 * size * size);
        renderer.readRenderTargetPixels(target, 0, 0, size, size, pixels);
        return Array.from({ length: size * size }, (_, i) => pixels[4 * i + 3] > 0 ? pixels[4 * i] : NaN).filter((x) => !Number.isNaN(x));
    };
    read(0, 0);
    const still = read(0, 0), moved = read(0, 0.12), playing = read(0.05, 0);
    const close = moved.filter((x) => Math.abs(x - 0.1) < 1e-3).length; // 0.12 m of a view of 2.4 m
    check(still.every((x) => Math.abs(x) < 1e-4) && moved.length > 100 && close === moved.length,
          `motion vectors: ${close} of ${moved.length} pixels show the shift`);
    check(playing.filter((x) => Math.abs(x) > 1e-4).length > 50, 'motion vectors: a clip moves pixels');
    target.dispose();
    crowd.dispose();
}

// All that a crowd takes goes with it, and the pose pass leaves the renderer as it was.
async function testDisposal(subject, pelt)
{
    const counts = () => [renderer.info.programs.length, renderer.info.memory.textures, renderer.info.memory.geometries].join();
    const draw = async () =>
    {
        const crowd = await openHuman(subject, pelt, { normals: 'accurate' }), root = new THREE.Scene().add(crowd);
        for (let i = 0; i < 40; ++i)
        {
            crowd.addInstance({ clip: 0, time: i, color: new THREE.Color(0xff8000) });
            i % 8 === 0 && crowd.update(renderer);
            i % 8 === 0 && renderer.render(root, camera);
        }
        crowd.deleteInstance(7);
        crowd.update(renderer);
        check(crowd.count === 39 && crowd.visibleCount === 39 && crowd.addInstance() === 7, 'numbers are used again');
        crowd.dispose();
    };
    await draw();
    const before = counts(), bytes = pelt.memoryBytes;
    await draw();
    check(counts() === before && pelt.memoryBytes === bytes, `a crowd that is disposed of: ${before} become ${counts()}`);
}

async function testErrors(subject, pelt)
{
    const bake = await loadBake(`/${subject.name}/bake.json`), { scene } = await loadScene('/human.glb');
    const thrown = (act) => { try { act(); return ''; } catch (error) { return error.message; } };
    check(thrown(() => new PeltCrowd(scene, bake)).includes('needs { pelt }'), 'a crowd without pelt is an error');
    check(thrown(() => new PeltCrowd(new THREE.Group(), bake, { pelt })).includes('not the character'),
          'another character is an error');
    const crowd = new PeltCrowd(scene, bake, { pelt });
    check(thrown(() => crowd.addInstance({ clip: 'fly' })).includes('its clips are'), 'an unknown clip is an error');
    check(thrown(() => crowd.play(3, 0)).includes('no instance 3'), 'an unknown instance is an error');
    check(thrown(() => crowd.socketMatrix(crowd.addInstance(), 'tail')).includes('no joint tail'),
          'an unknown socket is an error');
    const json = JSON.stringify(bake.json), texture = new Uint8Array(await (await fetch(`/${subject.name}/bake.ktx2`)).arrayBuffer());
    for (const size of [0, 20, 100, 104, 300, texture.length - 1])
    {
        const message = thrown(() => readBake({ json, texture: texture.slice(0, size) }));
        check(/no KTX2 file|is cut off|no animation texture/.test(message), `${size} bytes: ${message}`);
    }
    check(thrown(() => readBake({ json: '{}', texture })).includes('not that of `pelt bake`'), 'other JSON is an error');
    crowd.dispose();
}

async function run()
{
    const { subjects } = await (await fetch('/cases')).json();
    const pelt = await createPelt();
    const [local] = subjects, vertices = subjects.find(({ isVertices }) => isVertices);
    for (const subject of subjects)
    {
        subject.isDecoded ? await compareDecoded(subject, pelt) : await compareUnbaked(subject, pelt);
    }
    await testPromotion(local, pelt);
    await testSockets(local, pelt);
    await testView(local, vertices, pelt);
    await testMotion(local, pelt);
    await testDisposal(local, pelt);
    await testErrors(local, pelt);
}

runPage(run);
