// SPDX-License-Identifier: MIT
// The fragment for three.js in docs/bounds.md culls nothing that is visible: node three_bounds.mjs
// DOCS THREE ENHANCED.glb...  THREE is the folder of the package.
//
// Every clip is played, and in each frame cameras look at single vertices on the outside of the
// character from all around, with a view that is hardly larger than that vertex. A mesh that has a
// vertex in view must not be culled. Cameras that look past it show that something is culled at all.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

globalThis.ProgressEvent ??= class extends Event {};
globalThis.self ??= globalThis;

const [page, three, ...files] = process.argv.slice(2);
const fromThree = (file) => import(pathToFileURL(path.join(three, file)).href);
const THREE = await fromThree('build/three.module.js');
const { GLTFLoader } = await fromThree('examples/jsm/loaders/GLTFLoader.js');

// The fragment as a module, in which THREE is global.
const fragment = /^### three\.js$.*?^```js\n(.*?)^```$/ms.exec(fs.readFileSync(page, 'utf8'))[1];
if (fragment.trim().split('\n').length > 20)
{
    throw new Error('the fragment has more than 20 lines');
}
globalThis.THREE = THREE;
const { updateBounds } =
    await import(`data:text/javascript,${encodeURIComponent(fragment)}`);

const FRAMES = 12;
const DIRECTIONS = 26;

// Materials need images, and these a browser.
function readBare(file)
{
    const bytes = fs.readFileSync(file);
    const size = bytes.readUInt32LE(12);
    const json = JSON.parse(bytes.toString('utf8', 20, 20 + size));
    json.meshes.flatMap((mesh) => mesh.primitives).forEach((p) => delete p.material);
    for (const list of ['materials', 'textures', 'images', 'samplers'])
    {
        delete json[list];
    }
    const content = bytes.subarray(28 + size, 28 + size + json.buffers[0].byteLength);
    json.buffers[0].uri = `data:application/octet-stream;base64,${content.toString('base64')}`;
    json.extensionsUsed = json.extensionsRequired = undefined;
    return JSON.stringify(json);
}

function directions()
{
    const all = [];
    for (let k = 0; k < 27; ++k)
    {
        if (k !== 13)
        {
            all.push(new THREE.Vector3(Math.floor(k / 9) - 1, (Math.floor(k / 3) % 3) - 1,
                                       (k % 3) - 1).normalize());
        }
    }
    return all;
}

// A camera next to the character that sees a small square around a point.
function lookAt(point, from, size)
{
    const half = 1e-3 * size;
    const camera = new THREE.OrthographicCamera(-half, half, half, -half, 0, 2 * size);
    camera.position.copy(point).addScaledVector(from, size);
    camera.up.set(0.3, 0.9, 0.1);
    camera.lookAt(point);
    camera.updateMatrixWorld();
    camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
    camera.matrixWorldInverse.copy(camera.matrixWorld).invert();
    return new THREE.Frustum().setFromProjectionMatrix(
        camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse));
}

function outermost(mesh, all)
{
    const points = all.map(() => new THREE.Vector3());
    const best = all.map(() => -Infinity);
    const point = new THREE.Vector3();
    for (let v = 0; v < mesh.geometry.attributes.position.count; ++v)
    {
        mesh.getVertexPosition(v, point).applyMatrix4(mesh.matrixWorld);
        all.forEach((direction, i) =>
        {
            if (point.dot(direction) > best[i])
            {
                best[i] = point.dot(direction);
                points[i].copy(point);
            }
        });
    }
    return points;
}

let failed = 0;
for (const file of files)
{
    const gltf = await new GLTFLoader().parseAsync(readBare(file), '');
    const meshes = [];
    gltf.scene.traverse((node) =>
    {
        if (node.isSkinnedMesh && node.geometry.userData.pelt_bounds)
        {
            meshes.push(node);
        }
    });
    const mixer = new THREE.AnimationMixer(gltf.scene), all = directions();
    let looks = 0, wrong = 0, wrongAtRest = 0, culled = 0, past = 0;
    const atRest = meshes.map((mesh) =>
    {
        mesh.geometry.computeBoundingSphere();
        return mesh.geometry.boundingSphere.clone();
    });
    for (const clip of gltf.animations)
    {
        mixer.stopAllAction();
        mixer.clipAction(clip).play();
        for (let frame = 0; frame < FRAMES; ++frame)
        {
            mixer.setTime(clip.duration * (frame + 0.5) / FRAMES);
            gltf.scene.updateMatrixWorld(true);
            meshes.forEach((mesh, m) =>
            {
                updateBounds(mesh);
                const points = outermost(mesh, all);
                const size = points[0].distanceTo(points[points.length - 1]);
                points.forEach((point, i) =>
                {
                    const view = lookAt(point, all[(i * 7) % DIRECTIONS], size);
                    ++looks;
                    wrong += view.intersectsObject(mesh) ? 0 : 1;
                    const sphere = atRest[m].clone().applyMatrix4(mesh.matrixWorld);
                    wrongAtRest += view.intersectsSphere(sphere) ? 0 : 1;
                    const away = point.clone().addScaledVector(all[i], 2 * size);
                    ++past;
                    const across = all[(i + 9) % DIRECTIONS];
                    culled += lookAt(away, across, size).intersectsObject(mesh) ? 0 : 1;
                });
            });
        }
    }
    const isGood = wrong === 0 && looks > 0 && culled > 0.5 * past;
    failed += isGood ? 0 : 1;
    console.log(`${isGood ? 'ok  ' : 'FAIL'} ${path.basename(file)}: ${wrong} of ${looks} visible `
        + `meshes are culled, ${wrongAtRest} by the sphere of the pose at rest; ${culled} of ${past} `
        + 'out of view are culled');
}
process.exitCode = failed > 0 || files.length === 0 ? 1 : 0;
