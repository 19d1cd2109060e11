// SPDX-License-Identifier: MIT
// What pages of these tests share: results, characters, comparisons.
import * as THREE from 'three';
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js';
import { FBXLoader } from 'three/addons/loaders/FBXLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';

const lines = [];
let failures = 0;

export function check(isTrue, what)
{
    failures += isTrue ? 0 : 1;
    lines.push(`${isTrue ? 'ok  ' : 'FAIL'} ${what}`);
}

export async function bytesOf(url) { return (await fetch(url)).arrayBuffer(); }

export async function load(name)
{
    const bytes = await bytesOf(`/models/${name}`);
    if (name.endsWith('.fbx'))
    {
        const object = new FBXLoader().parse(bytes, '');
        return { scene: object, animations: object.animations };
    }
    const draco = new DRACOLoader().setDecoderPath('/draco/').setDecoderConfig({ type: 'js' });
    const loader = new GLTFLoader().setDRACOLoader(draco).setMeshoptDecoder(MeshoptDecoder);
    const gltf = await loader.parseAsync(bytes, '/models/');
    draco.dispose();
    return gltf;
}

export function meshesOf(object)
{
    const meshes = [];
    object.traverse((child) => { child.isSkinnedMesh && meshes.push(child); });
    return meshes;
}

export function farthest(a, b)
{
    let most = 0;
    for (let i = 0; i < a.length; i += 3)
    {
        const gap = Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]);
        most = gap <= most ? most : gap; // NaN counts
    }
    return most;
}

export const degrees = (chord) => 2 * Math.asin(Math.min(1, chord / 2)) * 180 / Math.PI;

export function play(model, { clip, time })
{
    if (clip !== null)
    {
        const mixer = new THREE.AnimationMixer(model.scene);
        mixer.clipAction(model.animations.find(({ name }) => name === clip) ?? model.animations[0]).play();
        mixer.setTime(time);
    }
    model.scene.updateMatrixWorld(true);
}

// Which of pelt's instances a mesh is: the one with its vertices.
export function instanceOf(mesh, instances, rest)
{
    const { position } = mesh.geometry.attributes;
    return instances.findIndex(({ first, count }) => count === position.count && Array.from({ length: count }).every((_, v) =>
        Math.hypot(position.getX(v) - rest[3 * (first + v)], position.getY(v) - rest[3 * (first + v) + 1],
                   position.getZ(v) - rest[3 * (first + v) + 2]) < 1e-4 * (1 + Math.abs(position.getX(v)))));
}

/// Run a test and tell the server what it has found.
export function runPage(run)
{
    const report = () => fetch('/results', { method: 'POST', body: JSON.stringify({ lines, failures }) });
    return run().catch((error) => check(false, `${error.stack}`)).then(report);
}

/// Say that something was not tested.
export function skip(what) { lines.push(`SKIP ${what}`); }
