// SPDX-License-Identifier: MIT
// A character twice, deformed by two methods, in the same pose.
import { AnimationMixer, Box3, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { applySkinning } from 'pelt-three';

const point = new Vector3(), other = new Vector3();

const POINTS = 800; // of a pose, for the camera

function addCorners(points, { min, max })
{
    for (let i = 0; i < 8; ++i)
    {
        points.push(i & 1 ? min.x : max.x, i & 2 ? min.y : max.y, i & 4 ? min.z : max.z);
    }
}

/// A GLB file as three.js reads it. Objects know which mesh and node of pelt they are.
export async function parseScene(bytes)
{
    const gltf = await new GLTFLoader().parseAsync(bytes.slice().buffer, '');
    // A mesh of pelt is a primitive of the file.
    let before = 0;
    const firsts = gltf.parser.json.meshes.map(({ primitives }) => (before += primitives.length) - primitives.length);
    gltf.scene.traverse((object) =>
    {
        const { meshes, primitives = 0, nodes } = gltf.parser.associations.get(object) ?? {};
        object.isMesh && (object.userData.peltMesh = meshes === undefined ? null : firsts[meshes] + primitives);
        object.userData.peltNode = nodes ?? object.userData.peltNode ?? null;
    });
    return gltf;
}

function meshesOf(root)
{
    const meshes = [];
    root.traverse((object) => { object.isMesh && meshes.push(object); });
    return meshes;
}

// One of the two.
class View
{
    constructor(root, pelt, method)
    {
        this.root = root;
        this.meshes = meshesOf(root);
        this.meshes.forEach((mesh) => { mesh.castShadow = mesh.receiveShadow = true; });
        this.skin = applySkinning(root, { pelt, method });
        this.mixer = new AnimationMixer(root);
        this.action = null;
    }

    play(clip)
    {
        this.mixer.stopAllAction();
        this.action = clip === undefined ? null : this.mixer.clipAction(clip).play();
    }

    pose(time)
    {
        if (this.action !== null)
        {
            // A clip that ends at its duration would start again there.
            this.action.time = Math.min(time, this.action.getClip().duration * (1 - 1e-6));
            this.mixer.update(0);
        }
        this.root.updateMatrixWorld(true);
    }
}

export class Character
{
    /// @param methods  of the two views
    constructor(gltf, { name, pelt, paint, methods })
    {
        this.name = name;
        this.gltf = gltf;
        this.clips = gltf.animations;
        this.clip = 0;
        const meshes = meshesOf(gltf.scene);
        meshes.forEach((mesh) => paint.prepare(mesh));
        this.views = [gltf.scene, clone(gltf.scene)].map((root, i) => new View(root, pelt, methods[i]));
        this.vertexCount = meshes.reduce((sum, { geometry }) => sum + geometry.attributes.position.count, 0);
        this.bones = [...new Set(this.views[0].skin.meshes.flatMap(({ skeleton }) => skeleton.bones))];
        this.play(0);
    }

    get duration() { return this.clips[this.clip]?.duration ?? 0; }

    play(clip)
    {
        this.clip = clip;
        this.views.forEach((view) => view.play(this.clips[clip]));
        this.pose(0);
    }

    pose(time)
    {
        this.time = time;
        this.views.forEach((view) => view.pose(time));
    }

    /// How far the two surfaces are apart in the pose, at most, in the world.
    /// @param points       gets some points of the second surface, or null
    /// @param writesPaint  whether distances become the values that are painted
    difference(points = null, writesPaint = false)
    {
        const [first, second] = this.views, step = 3 * Math.ceil(this.vertexCount / POINTS);
        let most = 0;
        first.skin.meshes.forEach((mesh, k) =>
        {
            const twin = second.skin.meshes[k];
            const a = first.skin.positions(mesh).slice(), b = second.skin.positions(twin);
            const values = mesh.geometry.attributes.paint_value, scale = mesh.matrixWorld.getMaxScaleOnAxis();
            for (let i = 0; i < a.length; i += 3)
            {
                const gap = scale * Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]);
                most = Math.max(most, gap);
                writesPaint && (values.array[i / 3] = gap);
            }
            for (let i = 0; points !== null && i < b.length; i += step)
            {
                points.push(...point.fromArray(b, i).applyMatrix4(twin.matrixWorld));
            }
            values.needsUpdate ||= writesPaint;
        });
        return most;
    }

    /// Play a clip through: points of all moments and their box, how far the surfaces are apart at
    /// most, and when.
    survey(clip = this.clip, samples = Math.max(4, Math.min(20, Math.round(4e5 / this.vertexCount))))
    {
        const { clip: oldClip, time: oldTime } = this, points = [], box = new Box3();
        clip !== oldClip && this.play(clip);
        let most = 0, at = 0;
        for (let i = 0; i < samples; ++i)
        {
            const time = this.duration * (i + 0.5) / samples;
            this.pose(time);
            const gap = this.difference(points);
            [most, at] = gap > most ? [gap, time] : [most, at];
        }
        this.views[1].meshes.forEach((mesh) => mesh.isSkinnedMesh || addCorners(points, box.setFromObject(mesh)));
        box.setFromArray(points);
        clip !== oldClip && this.play(oldClip);
        this.pose(oldTime);
        return { box, points, most, at };
    }

    /// The clip in which the methods differ most, as far as there is time to look.
    /// @param budget  milliseconds
    mostTelling(budget)
    {
        const start = performance.now();
        let [best, most] = [0, -1];
        for (let clip = 0; clip < this.clips.length && performance.now() - start < budget; ++clip)
        {
            const found = this.survey(clip, 6);
            [best, most] = found.most > most * 1.001 ? [clip, found.most] : [best, most];
        }
        return best;
    }

    /// Paint the weights of a bone.
    paintWeights(bone)
    {
        for (const mesh of this.views[0].skin.meshes)
        {
            const { attributes } = mesh.geometry, values = attributes.paint_value, joint = mesh.skeleton.bones.indexOf(bone);
            const sets = [[attributes.skinIndex, attributes.skinWeight], [attributes.joints_1, attributes.weights_1]]
                .filter(([joints]) => joints !== undefined);
            for (let i = 0; i < values.count; ++i)
            {
                let sum = 0;
                for (const [joints, weights] of sets)
                {
                    for (let k = 0; k < 4; ++k)
                    {
                        sum += joints.getComponent(i, k) === joint ? weights.getComponent(i, k) : 0;
                    }
                }
                values.array[i] = sum;
            }
            values.needsUpdate = true;
        }
    }

    paintNothing()
    {
        this.views[0].skin.meshes.forEach(({ geometry: { attributes: { paint_value: values } } }) =>
        {
            values.array.fill(0);
            values.needsUpdate = true;
        });
    }

    /// Where a vertex of a mesh of pelt, or a node, is in a view; null: it is not drawn.
    locate({ mesh = null, vertex = null, node = null }, view = 1, out = new Vector3())
    {
        const { root, meshes, skin } = this.views[view];
        const found = mesh === null ? undefined : meshes.find(({ userData }) => userData.peltMesh === mesh);
        if (found !== undefined && vertex !== null && vertex < found.geometry.attributes.position.count)
        {
            const own = found.isSkinnedMesh;
            own ? out.fromArray(skin.positions(found), 3 * vertex)
                : out.fromBufferAttribute(found.geometry.attributes.position, vertex);
            return out.applyMatrix4(found.matrixWorld);
        }
        let place = null;
        node !== null && root.traverse((object) => { place = object.userData.peltNode === node && !object.isMesh ? object : place; });
        return place === null ? null : out.setFromMatrixPosition(place.matrixWorld);
    }

    /// The bone of a vertex that a ray hits, by its largest weight, or null.
    boneAt(raycaster, view)
    {
        const [hit] = this.views[view].skin.raycast(raycaster);
        if (hit === undefined)
        {
            return null;
        }
        const { skinIndex, skinWeight } = hit.object.geometry.attributes, { a, b, c } = hit.face;
        const near = [a, b, c].map((i) => [hit.point.distanceTo(this._vertex(view, hit.object, i)), i])
            .sort((x, y) => x[0] - y[0])[0][1];
        const strongest = [0, 1, 2, 3].reduce((best, k) =>
            (skinWeight.getComponent(near, k) > skinWeight.getComponent(near, best) ? k : best), 0);
        const bone = hit.object.skeleton.bones[skinIndex.getComponent(near, strongest)];
        return this.views[0].skin.meshes[this.views[view].skin.meshes.indexOf(hit.object)]
            .skeleton.bones[hit.object.skeleton.bones.indexOf(bone)] ?? null;
    }

    _vertex(view, mesh, index)
    {
        return other.fromArray(this.views[view].skin.positions(mesh), 3 * index).applyMatrix4(mesh.matrixWorld).clone();
    }

    dispose()
    {
        this.views.forEach(({ skin, root }) =>
        {
            skin.dispose();
            root.removeFromParent();
        });
        meshesOf(this.gltf.scene).forEach(({ geometry, material, skeleton }) =>
        {
            geometry.dispose();
            skeleton?.dispose();
            [material].flat().forEach((one) =>
            {
                Object.values(one).forEach((value) => { value?.isTexture && value.dispose(); });
                one.dispose();
            });
        });
        this.views[1].skin.meshes?.forEach(({ skeleton }) => skeleton?.dispose());
    }
}
