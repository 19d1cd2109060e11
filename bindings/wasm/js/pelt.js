// SPDX-License-Identifier: MIT
// The full module: files, clips, methods, bakes.
import { Handle, Instance, METHODS, NORMALS, PeltArrays, PeltError, prepareBits } from './module.js';

export { METHODS, NORMALS, PeltArrays, PeltError } from './module.js';

const SURFACE = [['positions', 3], ['normals', 3], ['tangents', 4]];
const MESH = [['positions', 3], ['normals', 3], ['tangents', 4], ['uvs', 2], ['colors', 4],
              ['indices', 0], ['centers', 3], ['mixFactors', 1]];
const ENCODINGS = ['qt', 'local', 'matrix', 'dq', 'vertex'];
const CARRIERS = ['attributes', 'texcoord'];
const MAPS = ['weight', 'uniform', 'signed'];
const NONE = 0xffffffff;

const cssColor = (number) => `#${number.toString(16).padStart(6, '0')}`;

/// A character: a file with its scene, a pose, and the deformed surfaces.
export class Character extends Handle
{
    constructor(instance, bytes, { name = 'character', files = {}, maxInfluences = 0,
                                   check = false } = {})
    {
        // The character owns these copies and releases them.
        const entries = Object.entries(files).flatMap(([file, content]) =>
            [instance.putText(file), instance.put(content), content.byteLength]);
        const list = instance.put(Uint32Array.from(entries));
        const at = instance.call('web_character_load', instance.putText(name), instance.put(bytes),
                                 bytes.byteLength, list, entries.length / 3, maxInfluences,
                                 check ? 1 : 0);
        super(instance, instance.checked(at), 'web_character_destroy');
        this.fileName = name;
    }

    _json(name, ...more)
    {
        const instance = this._instance;
        const at = instance.checked(instance.call(name, this._use(), ...more));
        const text = instance.text(at);
        instance.call('web_release_text', at);
        return JSON.parse(text);
    }

    /// Meshes, skins, nodes, clips, and what was repaired on loading.
    get info() { return (this._info ??= this._json('web_character_info')); }

    doctor() { return this._json('web_character_doctor'); }

    /// Measure methods on all clips, and say which one to use.
    compare({ methods = ['lbs', 'dqs', 'mix', 'crs'], frames = 0, onProgress = null } = {})
    {
        const instance = this._instance;
        return instance.reporting(onProgress, () => instance.with([methods.join(',')], (names) =>
            this._json('web_character_compare', names, frames)));
    }

    addClips(other, label = '')
    {
        const instance = this._instance;
        this._info = undefined;
        instance.with([label], (at) => instance.check(
            instance.call('web_character_add_clips', this._use(), other._use(), at)));
        return this;
    }

    addTestClips()
    {
        this._info = undefined;
        this._instance.check(this._instance.call('web_character_add_test_clips', this._use()));
        return this;
    }

    prepare(what, { again = false, maxJoints = 4, bits = 0, carrier = null, onProgress = null } = {})
    {
        const instance = this._instance;
        this._info = undefined;
        instance.reporting(onProgress, () => instance.check(instance.call(
            'web_character_prepare', this._use(), prepareBits(what), again ? 1 : 0, maxJoints, bits)));
        if (carrier !== null)
        {
            if (!CARRIERS.includes(carrier))
            {
                throw new PeltError(`there is no carrier "${carrier}"; choose ${CARRIERS.join(' or ')}`, 'argument');
            }
            instance.check(instance.call('web_character_set_carrier', this._use(), CARRIERS.indexOf(carrier)));
        }
        return this;
    }

    _clip(clip)
    {
        const { clips } = this.info;
        const index = typeof clip === 'string' ? clips.findIndex(({ name }) => name === clip) : clip;
        if (!Number.isInteger(index) || index < 0 || index >= clips.length)
        {
            const names = clips.map(({ name }) => name).join(', ');
            throw new PeltError(`${this.fileName} has no clip ${clip}; ` +
                                (names === '' ? 'it has none' : `its clips are ${names}`), 'argument');
        }
        return index;
    }

    pose({ clip = null, time = 0, loop = false, joints = null } = {})
    {
        if (!Number.isFinite(time))
        {
            throw new PeltError(`the time is ${time}; it has to be a finite number`, 'argument');
        }
        const instance = this._instance;
        const index = clip === null ? NONE : this._clip(clip);
        instance.with([joints === null ? null : JSON.stringify(joints)], (at) => instance.check(
            instance.call('web_character_pose', this._use(), index, time, loop ? 1 : 0, at)));
        return this;
    }

    deform(options)
    {
        const instance = this._instance, { instances, meshes } = this.info;
        instance.with([instance.options(options)], (at) => instance.check(
            instance.call('web_character_deform', this._use(), at)));
        this._info = undefined; // centers may be new
        return instances.map(({ mesh, skin }, index) => ({
            mesh, skin, ...Object.fromEntries(SURFACE.map(([name, width], which) =>
            {
                const at = instance.call('web_character_surface', this._at, index, which) >>> 0;
                return [name, at === 0 ? null
                    : instance.floats(at, width * meshes[mesh].vertices)];
            })),
        }));
    }

    bounds(options)
    {
        const instance = this._instance;
        const needsCenters = ['crs'].includes(options?.method) &&
            this.info.meshes.some(({ influences, centers }) => influences > 0 && !centers);
        if (needsCenters)
        {
            this.prepare({ centers: true });
        }
        return instance.with([new Float32Array(6), instance.options(options)], (out, how) =>
        {
            instance.check(instance.call('web_character_bounds', out, this._use(), how));
            const [x0, y0, z0, x1, y1, z1] = instance.floats(out, 6);
            return { min: [x0, y0, z0], max: [x1, y1, z1] };
        });
    }

    mesh(index)
    {
        const instance = this._instance, mesh = this.info.meshes[index];
        if (mesh === undefined)
        {
            throw new PeltError(`${this.fileName} has no mesh ${index}`, 'argument');
        }
        return Object.fromEntries(MESH.map(([name, width], which) =>
        {
            const at = instance.call('web_character_mesh', this._use(), index, which) >>> 0;
            const view = name === 'indices' ? instance.words(at, 3 * mesh.triangles)
                : instance.floats(at, width * mesh.vertices);
            return [name, at === 0 ? null : view];
        }));
    }

    /// Matrices of all nodes, or of the joints of a skin from bind pose to model, after deform().
    matrices(skin = null)
    {
        const count = skin === null ? this.info.nodes.length : this.info.skins[skin]?.joints.length;
        if (count === undefined)
        {
            throw new PeltError(`${this.fileName} has no skin ${skin}`, 'argument');
        }
        const at = this._instance.call('web_character_matrices', this._use(), skin ?? NONE) >>> 0;
        return this._instance.floats(at, 12 * count);
    }

    _take(name)
    {
        const instance = this._instance;
        return instance.with([name, new Uint32Array(1)], (path, size) =>
        {
            const at = instance.call('web_take_file', path, size) >>> 0;
            const bytes = at === 0 ? null
                : instance.bytes(at, instance.words(size, 1)[0]).slice();
            instance.call('web_free_file', at);
            return bytes;
        });
    }

    _save(call, name, ...more)
    {
        const instance = this._instance;
        instance.with([name, ...more], (...at) => instance.check(
            instance.call(call, this._use(), ...at)));
        return this._take(name);
    }

    saveGLB() { return this._save('web_character_save', 'character.glb'); }

    saveScene() { return this._save('web_character_save_scene', 'scene.glb'); }

    saveSurfaces(format = 'glb')
    {
        return this._save('web_character_save_surfaces', `surfaces.${format}`);
    }

    bake({ name = 'character', encoding, bits = 0, maxError = 0, rate = 0, clips = [], sockets = [],
           leaveOutMorphs = false, onProgress = null } = {})
    {
        const instance = this._instance, { nodes } = this.info;
        const nodeOf = (socket) =>
        {
            const index = nodes.findIndex((node) => node.name === socket);
            if (index < 0)
            {
                throw new PeltError(`${this.fileName} has no node ${socket}`, 'argument');
            }
            return index;
        };
        const numbers = Uint32Array.from(clips, (clip) => this._clip(clip));
        const nodeNumbers = Uint32Array.from(sockets, nodeOf);
        const kind = encoding === undefined ? 0 : instance.find('encoding', encoding, ENCODINGS);
        instance.with([numbers, nodeNumbers, `${name}.json`], (clipsAt, socketsAt, path) =>
        {
            const words = new Uint32Array(10);
            const floats = new Float32Array(words.buffer);
            words.set([kind, encoding === undefined && maxError > 0 ? 1 : 0, bits]);
            floats.set([maxError, rate], 3);
            words.set([numbers.length, clipsAt, nodeNumbers.length, socketsAt, leaveOutMorphs ? 1 : 0], 5);
            instance.reporting(onProgress, () => instance.with([words], (options) => instance.check(
                instance.call('web_character_bake', this._use(), path, options))));
        });
        return { json: new TextDecoder().decode(this._take(`${name}.json`)),
                 texture: this._take(`${name}.ktx2`), mesh: this._take(`${name}.glb`) };
    }

    measureBake({ onProgress = null, ...options } = {})
    {
        const instance = this._instance;
        return instance.reporting(onProgress, () => instance.with([new Float64Array(3), instance.options(options)], (out, how) =>
        {
            instance.check(instance.call('web_character_measure_bake', out, this._use(), how));
            const [max, rms, maxAtKeys] = new Float64Array(instance.memory.buffer, out, 3);
            return { max, rms, maxAtKeys };
        }));
    }
}

export class Pelt extends PeltArrays
{
    load(bytes, options)
    {
        if (!(bytes instanceof ArrayBuffer || ArrayBuffer.isView(bytes)))
        {
            throw new PeltError('a character is loaded from an ArrayBuffer or a typed array', 'argument');
        }
        return new Character(this._instance, bytes, options);
    }

    /// '#e69f00': the color of a method in all plots and pictures.
    methodColor(method)
    {
        return cssColor(this._instance.call('web_series_color', this._instance.find('method', method, METHODS)));
    }

    /// A color of a map, for 0 to 1.
    mapColor(map, value)
    {
        if (!MAPS.includes(map))
        {
            throw new PeltError(`there is no color map "${map}"; choose ${MAPS.join(', ')}`, 'argument');
        }
        return cssColor(this._instance.call('web_map_color', MAPS.indexOf(map), value));
    }
}

export async function createPelt({ wasm = new URL('pelt.wasm', import.meta.url) } = {})
{
    return new Pelt(await Instance.create(wasm));
}
