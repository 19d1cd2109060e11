// SPDX-License-Identifier: MIT
// A crowd that plays from bakes, without what depends on the renderer.
import { AnimationMixer, Box3, Group, LoopOnce, LoopRepeat, Matrix4, Quaternion, Ray, Vector3 } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { Level } from './bodies.js';
import { choice, METHODS, NORMALS, updateMatrices } from './common.js';
import { DRAWN, HIDDEN, LIVE, Members, membersInView, WORDS_PER_PLAYBACK } from './members.js';

const ONE = new Vector3(1, 1, 1), ZERO = new Vector3(), NO_TURN = new Quaternion();
const box = new Box3(), ray = new Ray(), hit = new Vector3(), inverse = new Matrix4(), matrix = new Matrix4();

/// Rows of a joint as a matrix of three.js.
function setRows(out, m, at = 0)
{
    return out.set(m[at], m[at + 1], m[at + 2], m[at + 3], m[at + 4], m[at + 5], m[at + 6], m[at + 7],
                   m[at + 8], m[at + 9], m[at + 10], m[at + 11], 0, 0, 0, 1);
}

// Names as GLTFLoader writes them.
const plain = (name) => name.replace(/\s/g, '_').replace(/[[\].:/]/g, '');

/// Instances of one character. See pelt-three.d.ts for what members mean.
export class PeltCrowdBase extends Group
{
    constructor(scene, bake, { pelt, renderer = null, method = 'crs', normals = 'standard', mix = 0.5, capacity = 64,
                               animations = [], margin = 0.02 } = {})
    {
        super();
        if (!bake.texture.isVertices && typeof pelt?.createSkinner !== 'function')
        {
            throw new Error('PeltCrowd needs { pelt }: what createPelt() of the package pelt, or ' +
                            'createPeltArrays() of pelt/arrays, resolves to');
        }
        this.name = 'PeltCrowd';
        this.pelt = pelt;
        this.bake = bake;
        this.animations = animations;
        this.margin = margin * (bake.height || 1);
        this._tracksMotion = false;
        this._method = choice(method, METHODS, 'method');
        this._normals = choice(normals, NORMALS, 'rule for normals');
        this._mix = mix;
        this._hasColors = false;
        this.renderer = renderer;
        this.members = new Members(bake, capacity);
        this.levels = [];
        this.live = new Map(); // promoted members
        this.visibleCount = 0;
        this._inverseBinds = new Map();
        this.addLevel({ scene, bake, distance: 0 });
    }

    // ------------------------------------------------------------------------------------------
    // What is drawn

    get method() { return this._method; }
    get normals() { return this._normals; }
    get mix() { return this._mix; }

    set method(method)
    {
        this._method = choice(method, METHODS, 'method');
        this._refresh();
    }

    set normals(normals)
    {
        this._normals = choice(normals, NORMALS, 'rule for normals');
        this._refresh();
    }

    set mix(mix)
    {
        this._mix = mix;
        this._refresh();
    }

    addLevel({ scene, bake = this.bake, distance })
    {
        const last = this.levels.at(-1)?.distance ?? -1;
        if (!(distance > last))
        {
            throw new Error(`levels of detail come with rising distances; ${distance} follows ${last}`);
        }
        const level = new Level(this.pelt, { scene, bake, distance });
        level.clipOf = this.bake.clips.map(({ name }) => bake.clipIndex(name));
        level.prepare(this._method, this._normals);
        this._createMeshes(level);
        this.levels.push(level);
        this.add(...level.meshes);
        return this;
    }

    _refresh()
    {
        this.levels.forEach((level) =>
        {
            level.prepare(this._method, this._normals);
            this._refreshMeshes(level);
        });
    }

    // ------------------------------------------------------------------------------------------
    // Instances

    get count() { return this.members.count - this.members.freed.length; }

    addInstance({ matrix: given = null, position = ZERO, quaternion = NO_TURN, scale = ONE, clip = 0, time = 0,
                  speed = 1, loop = true, color = null } = {})
    {
        const index = this.bake.clipIndex(clip);
        const i = this.members.add();
        this.members.set(i, 0, { clip: index, time, speed, loop });
        this.setMatrixAt(i, given ?? matrix.compose(position, quaternion, scale));
        this.members.previousMatrices.set(this.members.matrices.subarray(16 * i, 16 * i + 16), 16 * i);
        this.members.previousWords.set(this.members.words(i, this.levels[0].clipOf), WORDS_PER_PLAYBACK * i);
        color !== null && this.setColorAt(i, color);
        return i;
    }

    deleteInstance(i)
    {
        this.live.has(i) && this.demote(i);
        this.members.remove(i);
    }

    setMatrixAt(i, value) { value.toArray(this.members.matrices, 16 * this.members.use(i)); }
    getMatrixAt(i, out = new Matrix4()) { return out.fromArray(this.members.matrices, 16 * this.members.use(i)); }

    setColorAt(i, { r, g, b })
    {
        this._hasColors = true;
        this.members.colors.set([r, g, b], 3 * this.members.use(i));
    }

    setVisibleAt(i, isVisible)
    {
        const { states } = this.members;
        if (states[this.members.use(i)] !== LIVE)
        {
            states[i] = isVisible ? DRAWN : HIDDEN;
        }
    }

    getVisibleAt(i) { return this.members.states[this.members.use(i)] === DRAWN; }

    play(i, clip, { fade = 0, time = 0, speed = 1, loop = true } = {})
    {
        this.members.play(this.members.use(i), { clip: this.bake.clipIndex(clip), time, speed, loop }, fade);
        return this;
    }

    /// The change of a clip since its first key, added to what an instance plays. Weight 0: none.
    playAdditive(i, clip, { weight = 1, time = 0, speed = 1, loop = true } = {})
    {
        this.members.addClip(this.members.use(i), { clip: this.bake.clipIndex(clip), time, speed, loop }, weight);
        return this;
    }

    /// What an instance plays: clip, time, speed, loop, next, fade ...
    stateAt(i) { return this.members.describe(this.members.use(i)); }

    // ------------------------------------------------------------------------------------------
    // Poses on the CPU

    _jointIndex(name)
    {
        const { joints } = this.bake;
        const index = joints.findIndex((joint) => joint.name === name);
        const found = index >= 0 ? index : joints.findIndex((joint) => plain(joint.name) === name);
        if (found < 0 || this.bake.texture.isVertices)
        {
            throw new Error(`the bake has no joint ${name}; nodes that carry something are baked with sockets`);
        }
        return found;
    }

    // From a joint at rest to model space: joints of a skin start from their bind pose.
    _bindMatrix(joint)
    {
        if (!this._inverseBinds.has(joint))
        {
            const body = this.levels[0].bodies.find(({ mesh, instance: { first_joint: first } }) =>
                mesh.isSkinnedMesh && joint >= first && joint < first + mesh.skeleton.bones.length);
            const bind = new Matrix4();
            if (body !== undefined)
            {
                const { mesh, instance } = body;
                bind.copy(mesh.skeleton.boneInverses[joint - instance.first_joint]).multiply(mesh.bindMatrix).invert();
            }
            this._inverseBinds.set(joint, bind);
        }
        return this._inverseBinds.get(joint);
    }

    /// The matrix of a joint or socket in the world.
    socketMatrix(i, name, out = new Matrix4())
    {
        const joint = this._jointIndex(name), { texture } = this.bake;
        this.members.use(i);
        if (this.live.has(i))
        {
            const node = this.live.get(i).nodes.get(joint);
            node?.updateWorldMatrix(true, false);
            return node === undefined ? out.identity() : out.copy(node.matrixWorld);
        }
        setRows(out, texture.jointMatrix(joint, texture.play(this.members.playback(i))));
        this.updateWorldMatrix(true, false);
        return out.multiply(this._bindMatrix(joint)).premultiply(this.getMatrixAt(i, matrix))
            .premultiply(this.matrixWorld);
    }

    /// The box of an instance in the world: that of its clip from key to key.
    boundsAt(i, out = new Box3())
    {
        this.members.box(this.members.use(i), out);
        this.updateWorldMatrix(true, false);
        return out.expandByScalar(this.margin).applyMatrix4(this.getMatrixAt(i, matrix).premultiply(this.matrixWorld));
    }

    /// Instances whose boxes a ray hits: `instanceId` and `point`.
    raycast(raycaster, intersects)
    {
        for (let i = 0; i < this.members.count; ++i)
        {
            if (this.members.states[i] !== DRAWN)
            {
                continue;
            }
            this.members.box(i, box);
            box.expandByScalar(this.margin);
            matrix.fromArray(this.members.matrices, 16 * i).premultiply(this.matrixWorld);
            ray.copy(raycaster.ray).applyMatrix4(inverse.copy(matrix).invert());
            if (ray.intersectBox(box, hit) !== null)
            {
                const point = hit.clone().applyMatrix4(matrix), distance = raycaster.ray.origin.distanceTo(point);
                distance >= raycaster.near && distance <= raycaster.far &&
                    intersects.push({ distance, point, object: this, instanceId: i });
            }
        }
    }

    // ------------------------------------------------------------------------------------------
    // Live characters

    /// Replace an instance by a character of its own, in the same pose: a clone of the object that
    /// was given, with a mixer that goes on with the same clips, where `animations` has them.
    promote(i)
    {
        this.members.use(i);
        if (this.bake.texture.isVertices || this.live.has(i))
        {
            throw new Error(this.live.has(i) ? `instance ${i} is live already`
                : 'a bake of vertices has no joints, which a live character needs');
        }
        const [{ scene, bodies }] = this.levels, object = clone(scene);
        this.getMatrixAt(i, matrix).decompose(object.position, object.quaternion, object.scale);
        object.visible = true;
        this.add(object);
        const live = { index: i, object, ...this._mixer(i, object) };
        live.nodes = this._pose(object, scene, bodies, this.bake.texture.decode(this.members.playback(i)));
        live.skin = this._applySkinning(object);
        this.members.states[i] = LIVE;
        this.live.set(i, live);
        return live;
    }

    // Give the bones of a clone the matrices of all joints. Returns nodes by joint.
    _pose(object, scene, bodies, rows)
    {
        const twins = new Map(), nodes = new Map(), models = new Map();
        const walk = (own, other) =>
        {
            twins.set(own, other);
            own.children.forEach((child, k) => walk(child, other.children[k]));
        };
        walk(scene, object);
        for (const { mesh, instance: { first_joint: first } } of bodies)
        {
            const own = mesh.isSkinnedMesh ? mesh.skeleton.bones : [mesh];
            own.forEach((node, k) => node && nodes.set(first + k, twins.get(node)));
        }
        for (const [joint, node] of nodes)
        {
            models.set(node, setRows(new Matrix4(), rows, 12 * joint).multiply(this._bindMatrix(joint)));
        }
        const pose = (node, parent) =>
        {
            if (models.has(node))
            {
                inverse.copy(parent).invert().multiply(models.get(node))
                    .decompose(node.position, node.quaternion, node.scale);
            }
            node.updateMatrix();
            const model = new Matrix4().multiplyMatrices(parent, node.matrix);
            node.children.forEach((child) => pose(child, model));
        };
        object.children.forEach((child) => pose(child, new Matrix4()));
        updateMatrices(object);
        return nodes;
    }

    // A mixer at the same moment of the same clips, bound to the object at rest: that is the pose of
    // bones that only one of two clips moves.
    _mixer(i, object)
    {
        const mixer = new AnimationMixer(object), { next, fade, fadeSeconds, ...base } = this.stateAt(i);
        const playing = [base, next?.clip === base.clip ? null : next].map((one) =>
        {
            const animation = this.animations.find(({ name }) => name === one?.clip);
            if (animation === undefined)
            {
                return null;
            }
            const action = mixer.clipAction(animation).setLoop(one.loop ? LoopRepeat : LoopOnce, Infinity);
            action.clampWhenFinished = !one.loop;
            action.timeScale = one.speed;
            return { action: action.play(), time: one.time };
        });
        if (playing[0] !== null && playing[1] !== null)
        {
            playing[0].action.fadeOut(fadeSeconds);
            playing[1].action.fadeIn(fadeSeconds);
            mixer.update(fade * fadeSeconds); // as far as the fade is
        }
        playing.forEach((one) => one !== null && Object.assign(one.action, { time: one.time, paused: false }));
        return { mixer, actions: { base: playing[0]?.action ?? null, next: playing[1]?.action ?? null } };
    }

    /// Give an instance back to the crowd, with the clip and the time that its mixer has reached.
    demote(i, { clip = null, time = null } = {})
    {
        const live = this.live.get(i);
        if (live === undefined)
        {
            throw new Error(`instance ${i} is not live`);
        }
        const { object, mixer, skin } = live, { base, next } = live.actions;
        object.updateWorldMatrix(true, false);
        this.updateWorldMatrix(true, false);
        this.setMatrixAt(i, matrix.copy(this.matrixWorld).invert().multiply(object.matrixWorld));
        this._takeTime(i, 0, base);
        if (next !== null)
        {
            this._takeTime(i, 1, next);
            this.members.fades[i] = Math.min(1, next.getEffectiveWeight());
        }
        clip !== null && this.play(i, clip, { time: time ?? 0 });
        skin.dispose();
        mixer.stopAllAction();
        mixer.uncacheRoot(object);
        object.removeFromParent();
        this.members.states[i] = DRAWN;
        this.live.delete(i);
        return this;
    }

    _takeTime(i, track, action)
    {
        if (action !== null)
        {
            const { speed, loop, clip } = track === 0 ? this.stateAt(i) : this.stateAt(i).next;
            this.members.set(i, track, { clip: this.bake.clipIndex(clip), time: action.time, speed, loop });
        }
    }

    // ------------------------------------------------------------------------------------------

    /// Before a frame is drawn: let time pass, find the instances in view, and compute their joints.
    /// @param cameras  one, or several, such as those of shadows; the first is that of levels
    update(renderer, cameras = [], seconds = 0)
    {
        const { members, levels } = this;
        members.advance(seconds);
        this.updateWorldMatrix(true, false);
        const lists = membersInView(members, this.matrixWorld, [cameras].flat(),
                                    levels.slice(1).map(({ distance }) => distance), this.margin);
        this.visibleCount = lists.reduce((sum, list) => sum + list.length, 0);
        lists.forEach((list, k) => this._gather(levels[k], list));
        this._decode(renderer, lists);
        this._tracksMotion && this._keepPrevious();
    }

    /// Whether the pose and the transform of the frame before are kept, for motion vectors.
    get tracksMotion() { return this._tracksMotion; }

    set tracksMotion(isOn)
    {
        this._tracksMotion = isOn;
        isOn && this._keepPrevious();
    }

    _keepPrevious()
    {
        const { members } = this;
        members.previousMatrices.set(members.matrices);
        for (let i = 0; i < members.count; ++i)
        {
            members.clips[3 * i] >= 0 &&
                members.previousWords.set(members.words(i, this.levels[0].clipOf), WORDS_PER_PLAYBACK * i);
        }
    }

    // Write the playbacks of all instances in view, level after level, to the pass of the level.
    // Returns how many each pass has.
    _gatherPlaybacks(lists, write)
    {
        const firsts = new Map();
        lists.forEach((list, k) =>
        {
            const level = this.levels[k], first = firsts.get(level.pass) ?? 0;
            write(level, list, first);
            firsts.set(level.pass, first + list.length);
        });
        return firsts;
    }

    // Transforms and colors of the instances of a level.
    _gather(level, list)
    {
        const { members } = this;
        this._reserve(level, list.length);
        const copy = (attribute, from, width) =>
        {
            list.forEach((i, k) => attribute.array.set(from.subarray(width * i, width * i + width), width * k));
            attribute.clearUpdateRanges();
            attribute.addUpdateRange(0, width * list.length);
            attribute.needsUpdate = true;
        };
        if (list.length > 0)
        {
            copy(level.matrices, members.matrices, 16);
            level.colors !== null && copy(level.colors, members.colors, 3);
            level.previousMatrices !== null && copy(level.previousMatrices, members.previousMatrices, 16);
        }
        for (const mesh of level.meshes)
        {
            mesh.count = list.length;
            mesh.visible = list.length > 0;
        }
    }

    dispose()
    {
        [...this.live.keys()].forEach((i) => this.demote(i));
        this.levels.forEach((level) => this._disposeMeshes(level));
        this.levels = [];
        this.clear();
    }
}
