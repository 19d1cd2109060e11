// SPDX-License-Identifier: MIT
// The page of three_test.mjs: draws what it is asked to, and compares what shaders compute with
// what `pelt deform` has written.
import * as THREE from 'three';
import { createPelt } from 'pelt';
import { createPeltArrays } from 'pelt/arrays';
import { applySkinning, boundsOf, METHODS, NORMALS, raycastSkinned } from 'pelt-three';
import { bytesOf, check, degrees, farthest, instanceOf, load, meshesOf, play, runPage } from './page_tools.js';

const WIDTH = 256;
const renderer = new THREE.WebGLRenderer();
renderer.debug.onShaderError = (gl, program, vertex, fragment) =>
    check(false, `a shader: ${gl.getShaderInfoLog(vertex)} ${gl.getShaderInfoLog(fragment)}`);
const camera = new THREE.PerspectiveCamera();

// ----------------------------------------------------------------------------------------------
// Reading vertices back: each is drawn as a point at a pixel of its own.

const probes = { peltWhat: { value: 0 }, peltRows: { value: 1 } };

// @param hasNormals  whether the shader has objectNormal
function probe(material, hasNormals)
{
    material.onBeforeCompile = (shader) =>
    {
        Object.assign(shader.uniforms, probes);
        shader.vertexShader = `out vec3 peltOut;\nuniform int peltWhat;\nuniform float peltRows;\n${shader.vertexShader}`
            .replace(/\}\s*$/, `
                peltOut = (modelMatrix * vec4(transformed, 1.0)).xyz;
                ${hasNormals ? 'if (peltWhat == 1) { peltOut = normalize(mat3(modelMatrix) * objectNormal); }' : ''}
                vec2 pixel = vec2(gl_VertexID % ${WIDTH}, gl_VertexID / ${WIDTH}) + 0.5;
                gl_Position = vec4(2.0 * pixel / vec2(${WIDTH}.0, peltRows) - 1.0, 0.0, 1.0);
                gl_PointSize = 1.0;
            }`);
        shader.fragmentShader = `in vec3 peltOut;\n${shader.fragmentShader}`
            .replace(/\}\s*$/, 'gl_FragColor = vec4(peltOut, 1.0);\n}');
    };
    material.customProgramCacheKey = () => `probe ${hasNormals}`;
    return material;
}

function readBack(scene, mesh, what)
{
    const count = mesh.geometry.attributes.position.count, rows = Math.ceil(count / WIDTH);
    const target = new THREE.WebGLRenderTarget(WIDTH, rows, { type: THREE.FloatType });
    probes.peltWhat.value = what;
    probes.peltRows.value = rows;
    const others = [];
    scene.traverse((child) =>
    {
        (child.isMesh || child.isLine) && child !== mesh && child.visible && others.push(child);
    });
    others.forEach((other) => other.layers.disableAll());
    mesh.frustumCulled = false;
    mesh.isMesh = false;
    mesh.isPoints = true;
    renderer.setRenderTarget(target);
    renderer.setClearColor(0x000000, 0);
    renderer.clear();
    renderer.render(scene, camera);
    mesh.isMesh = true;
    mesh.isPoints = false;
    others.forEach((other) => other.layers.enable(0));
    const pixels = new Float32Array(4 * WIDTH * rows);
    renderer.readRenderTargetPixels(target, 0, 0, WIDTH, rows, pixels);
    target.dispose();
    return Float32Array.from({ length: 3 * count }, (_, i) => pixels[4 * Math.floor(i / 3) + i % 3]);
}

// ----------------------------------------------------------------------------------------------

async function compareModel(pelt, subject)
{
    const model = await load(subject.name);
    const scene = new THREE.Scene();
    scene.add(model.scene, new THREE.DirectionalLight());
    play(model, subject);
    const meshes = meshesOf(model.scene);
    for (const mesh of meshes)
    {
        mesh.material = probe(new THREE.MeshStandardMaterial(), true);
    }
    const rest = new Float32Array(await bytesOf(subject.rest));
    const owners = meshes.map((mesh) => instanceOf(mesh, subject.instances, rest));
    check(owners.every((owner) => owner >= 0), `${subject.name}: ${meshes.length} meshes are instances of pelt`);
    const skin = applySkinning(model.scene, { pelt, mix: 0.3 });
    for (const { method, normals, url } of subject.runs)
    {
        const expected = new Float32Array(await bytesOf(url));
        const total = expected.length / 2;
        skin.method = method;
        skin.normals = normals;
        let far = 0, angle = 0;
        for (const [i, mesh] of meshes.entries())
        {
            const { first, count } = subject.instances[owners[i]];
            const part = (offset) => expected.subarray(offset + 3 * first, offset + 3 * (first + count));
            far = Math.max(far, farthest(readBack(scene, mesh, 0), part(0)));
            const hasNormals = mesh.geometry.attributes.normal !== undefined;
            angle = hasNormals ? Math.max(angle, degrees(farthest(readBack(scene, mesh, 1), part(total)))) : angle;
        }
        check(far <= 1e-5 * subject.size && angle <= 0.05, `${subject.name} ${method} ${normals}: ` +
            `${(far / subject.size).toExponential(1)} of the size, ${angle.toExponential(1)} degrees`);
    }
    if (pelt.canDeform)
    {
        testPicking(skin, subject);
        testBounds(model, skin, subject);
    }
    skin.dispose();
}

// Boxes that three.js culls by contain the deformed vertices of all methods, and are not much larger.
function testBounds(model, skin, subject)
{
    const box = new THREE.Box3(), exact = new THREE.Box3(), size = new THREE.Vector3();
    let outside = 0, ratio = 0;
    for (let i = 0; i < 12; ++i)
    {
        play(model, { ...subject, time: 0.31 * i });
        skin.method = METHODS[i % METHODS.length];
        for (const mesh of skin.meshes)
        {
            exact.setFromArray(skin.positions(mesh));
            box.copy(mesh.boundingBox).expandByScalar(1e-5 * subject.size);
            outside += box.containsBox(exact) && mesh.boundingSphere.radius >= 0.5 * exact.getSize(size).length() ? 0 : 1;
            const most = exact.getSize(size).length();
            ratio = Math.max(ratio, box.getSize(size).length() / most);
        }
    }
    const all = boundsOf(skin), same = boundsOf(model.scene);
    check(outside === 0 && ratio < 6, `${subject.name}: ${outside} boxes leave vertices out, and they are at most ` +
        `${ratio.toFixed(2)} times as large`);
    check(same.containsBox(all), `${subject.name}: boundsOf() an object contains its skins`);
}

// A ray to the middle of a deformed triangle hits there; the box is that of the deformed vertices.
function testPicking(skin, { name, size })
{
    const box = boundsOf(skin), center = box.getCenter(new THREE.Vector3());
    const positions = skin.skins[0].positions(), { index } = skin.meshes[0].geometry;
    const point = new THREE.Vector3();
    for (let i = 0; i < 3; ++i)
    {
        point.add(new THREE.Vector3().fromArray(positions, 3 * (index ? index.getX(i) : i)));
    }
    point.divideScalar(3).applyMatrix4(skin.meshes[0].matrixWorld);
    const from = point.clone().add(point.clone().sub(center).normalize().multiplyScalar(size));
    skin.skins.forEach(({ mesh }) => { mesh.material.side = THREE.DoubleSide; });
    const ray = new THREE.Raycaster(from, point.clone().sub(from).normalize());
    const hits = raycastSkinned(ray, skin);
    const gap = Math.min(Infinity, ...hits.map((hit) => hit.point.distanceTo(point)));
    check(gap <= 1e-5 * size, `${name}: a ray to a triangle hits ${gap / size} of the size away`);
    check(box.containsPoint(point) && hits.every(({ object }) => skin.meshes.includes(object)),
          `${name}: the box contains the triangle`);
}

// ----------------------------------------------------------------------------------------------

// All materials that three.js lights or not, and those of shadows, put vertices at the same place.
async function testMaterials(pelt, subject)
{
    const materials = [new THREE.MeshBasicMaterial(), new THREE.MeshLambertMaterial(), new THREE.MeshPhongMaterial(),
                       new THREE.MeshToonMaterial(), new THREE.MeshPhysicalMaterial({ clearcoat: 1 }),
                       new THREE.MeshMatcapMaterial(), new THREE.MeshNormalMaterial(), new THREE.MeshDepthMaterial()];
    const { url } = subject.runs.find(({ method, normals }) => method === 'crs' && normals === 'standard');
    const expected = new Float32Array(await bytesOf(url));
    for (const material of materials)
    {
        const model = await load(subject.name);
        const scene = new THREE.Scene();
        scene.add(model.scene, new THREE.DirectionalLight());
        play(model, subject);
        const [mesh] = meshesOf(model.scene);
        mesh.material = probe(material, false);
        mesh.geometry.computeTangents?.call === undefined || mesh.geometry.attributes.uv === undefined ||
            mesh.geometry.computeTangents();
        const skin = applySkinning(mesh, { pelt, method: 'crs' });
        const far = farthest(readBack(scene, mesh, 0), expected.subarray(0, expected.length / 2));
        check(far <= 1e-5 * subject.size, `${material.type}: ${(far / subject.size).toExponential(1)} of the size`);
        skin.dispose();
    }
}

// What a light sees of the character is what is in shadow behind it.
async function testShadow(pelt)
{
    const model = await load('arm.glb');
    play(model, { clip: 'twist', time: 0.9 });
    const [mesh] = meshesOf(model.scene);
    mesh.castShadow = true;
    const skin = applySkinning(mesh, { pelt, method: 'dqs' });
    const box = boundsOf(skin), center = box.getCenter(new THREE.Vector3());
    const size = 0.7 * box.getSize(new THREE.Vector3()).length();
    const light = new THREE.DirectionalLight(0xffffff, 3);
    light.position.copy(center).add(new THREE.Vector3(0, 0, 2 * size));
    light.target.position.copy(center);
    light.castShadow = true;
    light.shadow.mapSize.set(2048, 2048);
    Object.assign(light.shadow.camera, { left: -size, right: size, top: size, bottom: -size, near: 0.1 * size, far: 5 * size });
    const wall = new THREE.Mesh(new THREE.PlaneGeometry(2 * size, 2 * size), new THREE.MeshLambertMaterial());
    wall.position.copy(center).add(new THREE.Vector3(0, 0, -size));
    wall.receiveShadow = true;
    const scene = new THREE.Scene();
    scene.add(model.scene, light, light.target, wall);
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = THREE.BasicShadowMap;
    const eye = new THREE.OrthographicCamera(-size, size, size, -size, 0.1 * size, 5 * size);
    eye.position.copy(light.position);
    eye.lookAt(center);
    const pixels = 512, target = new THREE.WebGLRenderTarget(pixels, pixels);
    const draw = () =>
    {
        const out = new Uint8Array(4 * pixels * pixels);
        renderer.setRenderTarget(target);
        renderer.setClearColor(0x000000, 1);
        renderer.clear();
        renderer.render(scene, eye);
        renderer.readRenderTargetPixels(target, 0, 0, pixels, pixels, out);
        return Array.from({ length: pixels * pixels }, (_, i) => out[4 * i]);
    };
    mesh.frustumCulled = false;
    mesh.material.colorWrite = mesh.material.depthWrite = false;
    const shadow = draw().map((value) => value < 100);
    const depth = mesh.customDepthMaterial;
    mesh.customDepthMaterial = undefined; // that of three.js
    const linear = draw().map((value) => value < 100);
    mesh.customDepthMaterial = depth;
    mesh.castShadow = false;
    mesh.material.colorWrite = mesh.material.depthWrite = true;
    wall.visible = false;
    mesh.material.emissive.set(0xffffff);
    const silhouette = draw().map((value) => value > 20);
    const different = (mask) => mask.filter((value, i) => value !== silhouette[i]).length;
    const covered = silhouette.filter(Boolean).length;
    check(covered > 2000 && different(shadow) < 0.03 * covered && different(linear) > 2 * different(shadow),
          `shadow: ${different(shadow)} of ${covered} pixels differ from the silhouette, ${different(linear)} by lbs`);
    renderer.shadowMap.enabled = false;
    skin.dispose();
}

// Morph targets are added before skinning, as on the CPU.
async function testMorphs(pelt, subject)
{
    const model = await load(subject.name);
    const scene = new THREE.Scene();
    scene.add(model.scene);
    play(model, subject);
    const [mesh] = meshesOf(model.scene);
    const target = (sign) => new THREE.Float32BufferAttribute(Array.from(mesh.geometry.attributes.normal.array,
        (x, i) => sign * 0.02 * x * (i % 7)), 3);
    mesh.geometry.morphAttributes.position = [target(1), target(-0.5)];
    mesh.geometry.morphTargetsRelative = true;
    mesh.updateMorphTargets();
    mesh.material = probe(new THREE.MeshBasicMaterial(), false);
    const skin = applySkinning(mesh, { pelt, method: 'crs' });
    const world = () =>
    {
        const out = skin.skins[0].positions().slice(), point = new THREE.Vector3();
        for (let i = 0; i < out.length; i += 3)
        {
            point.fromArray(out, i).applyMatrix4(mesh.matrixWorld).toArray(out, i);
        }
        return out;
    };
    const plain = world();
    mesh.morphTargetInfluences.forEach((_, i, all) => { all[i] = 0.8 / (i + 1); });
    const far = farthest(readBack(scene, mesh, 0), world());
    check(far <= 1e-5 * subject.size && farthest(world(), plain) > 1e-3 * subject.size,
          `${subject.name}, morph targets: ${(far / subject.size).toExponential(1)} of the size`);
    skin.dispose();
}

// Switching leaves no programs, textures or geometries behind, nor memory of pelt.
async function testSwitching(pelt, subject)
{
    const model = await load(subject.name);
    const scene = new THREE.Scene();
    scene.add(model.scene);
    play(model, subject);
    const target = new THREE.WebGLRenderTarget(8, 8);
    renderer.setRenderTarget(target);
    const counts = () => [renderer.info.programs.length, renderer.info.memory.textures, renderer.info.memory.geometries].join();
    renderer.render(scene, camera);
    const original = meshesOf(model.scene).map(({ geometry, material }) => [geometry, material]).flat();
    meshesOf(model.scene).forEach((mesh) => { mesh.frustumCulled = false; });
    renderer.render(scene, camera);
    const before = counts();
    const skin = applySkinning(model.scene, { pelt });
    const step = (i) =>
    {
        skin.method = METHODS[i % METHODS.length];
        skin.normals = NORMALS[Math.floor(i / METHODS.length) % NORMALS.length];
        renderer.render(scene, camera);
    };
    for (let i = 0; i < 8; ++i)
    {
        step(i);
    }
    const warm = counts(), bytes = pelt.memoryBytes;
    for (let i = 0; i < 100; ++i)
    {
        step(i);
    }
    check(counts() === warm && pelt.memoryBytes === bytes, `100 switches: ${warm} become ${counts()}`);
    skin.dispose();
    renderer.render(scene, camera);
    const restored = meshesOf(model.scene).map(({ geometry, material }) => [geometry, material]).flat();
    check(restored.every((part, i) => part === original[i]), 'dispose() gives geometries and materials back');
    check(counts() === before, `after dispose(): ${before} become ${counts()}`);
    for (let i = 0; i < 20; ++i)
    {
        applySkinning(model.scene, { pelt, normals: 'accurate' }).dispose();
    }
    check(pelt.memoryBytes === bytes, '20 times applied and disposed of: pelt has the memory that it had');
}

function testErrors(pelt)
{
    const thrown = (act) => { try { act(); return ''; } catch (error) { return error.message; } };
    const mesh = new THREE.Mesh();
    check(thrown(() => applySkinning(mesh, {})).includes('needs { pelt }'), 'applySkinning() without pelt is an error');
    check(thrown(() => applySkinning(mesh, { pelt })).includes('no skinned mesh'), 'an object without skinned meshes is an error');
}

async function run()
{
    const { subjects } = await (await fetch('/cases')).json();
    const [pelt, arrays] = await Promise.all([createPelt(), createPeltArrays()]);
    for (const [i, subject] of subjects.entries())
    {
        await compareModel(i % 2 === 0 ? pelt : arrays, subject);
    }
    await testMaterials(arrays, subjects[0]);
    await testShadow(pelt);
    await testMorphs(pelt, subjects[0]);
    await testSwitching(arrays, subjects[0]);
    testErrors(arrays);
}

runPage(run);
