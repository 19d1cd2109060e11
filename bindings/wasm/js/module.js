// SPDX-License-Identifier: MIT
// What both modules share: loading WebAssembly, memory, errors, and skinners.

/// What pelt throws: a sentence, and what kind of failure it is.
export class PeltError extends Error
{
    constructor(message, code)
    {
        super(message);
        this.name = 'PeltError';
        this.code = code;
    }
}

const NO_SYSTEM = 52; // ENOSYS of WASI
const NO_FILE = 8; // EBADF

// The modules read no files and print nothing; what their C library imports for that fails.
function system()
{
    const absent = () => NO_SYSTEM;
    const names = ['fd_close', 'fd_seek', 'fd_write', 'fd_fdstat_get', 'fd_prestat_dir_name',
                   'fd_readdir', 'path_filestat_get', 'path_open', 'path_unlink_file'];
    return {
        ...Object.fromEntries(names.map((name) => [name, absent])),
        fd_prestat_get: () => NO_FILE, // there are no folders
        proc_exit: () => { throw new PeltError('the module has ended', 'internal'); },
    };
}

async function compile(source)
{
    if (source instanceof WebAssembly.Module)
    {
        return source;
    }
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source))
    {
        return WebAssembly.compile(source);
    }
    if (source instanceof URL && source.protocol === 'file:')
    {
        const { readFile } = await import('node:fs/promises');
        return WebAssembly.compile(await readFile(source));
    }
    const response = await (source instanceof Response ? source : fetch(source));
    if (!response.ok)
    {
        throw new PeltError(`cannot load ${response.url}: ${response.status}`, 'read');
    }
    return response.headers.get('Content-Type') === 'application/wasm'
        ? WebAssembly.compileStreaming(response)
        : WebAssembly.compile(await response.arrayBuffer());
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/// An instance of a module, and its memory. Addresses and sizes are numbers.
export class Instance
{
    onProgress = null; // of the call that runs
    static async create(source)
    {
        const instance = new Instance();
        const imports = {
            ...system(),
            clock_time_get: (id, precision, at) =>
            {
                instance.words(at, 2).fill(0);
                return 0;
            },
            environ_get: () => 0,
            environ_sizes_get: (count, size) =>
            {
                instance.words(count, 1)[0] = instance.words(size, 1)[0] = 0;
                return 0;
            },
        };
        const pelt = { progress: (part) => instance.onProgress === null || instance.onProgress(part) !== false };
        const { exports } = await WebAssembly.instantiate(await compile(source),
                                                          { pelt, wasi_snapshot_preview1: imports })
            .then((made) => ('exports' in made ? made : made.instance));
        instance.exports = exports;
        instance.memory = exports.memory;
        exports.__wasm_call_ctors();
        exports.web_start();
        return instance;
    }

    floats(at, count) { return new Float32Array(this.memory.buffer, at, count); }
    words(at, count) { return new Uint32Array(this.memory.buffer, at, count); }
    bytes(at, count) { return new Uint8Array(this.memory.buffer, at, count); }

    text(at)
    {
        const all = new Uint8Array(this.memory.buffer);
        return decoder.decode(all.subarray(at, all.indexOf(0, at)));
    }

    /// Call an exported function. A trap becomes an exception, and the module goes on.
    call(name, ...numbers)
    {
        const stack = this.exports.__stack_pointer.value;
        try
        {
            return this.exports[name](...numbers);
        }
        catch (error)
        {
            this.exports.__stack_pointer.value = stack;
            if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError))
            {
                throw error;
            }
            const reason = this.text(this.exports.web_message());
            throw new PeltError(`pelt has stopped: ${reason || error.message}`, 'internal');
        }
    }

    /// Run calls that tell `onProgress`, from 0 to 1, how much is done; false from it cancels.
    reporting(onProgress, run)
    {
        this.onProgress = onProgress ?? null;
        try
        {
            return run();
        }
        finally
        {
            this.onProgress = null;
        }
    }

    /// Throw the sentence of a result that is not 0.
    check(result)
    {
        if (result !== 0)
        {
            throw new PeltError(this.text(this.call('web_message')),
                                this.text(this.call('web_result_name', result)));
        }
    }

    /// The same for functions that return an address.
    checked(at)
    {
        if (at === 0)
        {
            throw new PeltError(this.text(this.call('web_message')), 'data');
        }
        return at >>> 0;
    }

    allocate(size)
    {
        const at = this.call('web_allocate', Math.max(size, 1)) >>> 0;
        if (at === 0)
        {
            throw new PeltError('out of memory', 'memory');
        }
        return at;
    }

    release(at) { this.call('web_release', at); }

    /// Copy bytes, or a typed array, into the module.
    put(array)
    {
        const bytes = ArrayBuffer.isView(array)
            ? new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
            : new Uint8Array(array);
        const at = this.allocate(bytes.length);
        this.bytes(at, bytes.length).set(bytes);
        return at;
    }

    putText(text) { return this.put(encoder.encode(`${text}\0`)); }

    /// Run with copies of arrays and texts, which are released afterwards.
    /// @param values  typed arrays, strings, or null and undefined for address 0
    with(values, run)
    {
        const at = [];
        try
        {
            for (const value of values)
            {
                at.push(value === null || value === undefined ? 0
                    : typeof value === 'string' ? this.putText(value) : this.put(value));
            }
            return run(...at);
        }
        finally
        {
            at.forEach((address) => this.release(address));
        }
    }

    find(kind, name, list)
    {
        const value = this.with([String(name)], (at) => this.call(`web_find_${kind}`, at));
        if (value >= list.length)
        {
            throw new PeltError(`there is no ${kind.replace('_', ' ')} "${name}"; choose ` +
                                `${list.slice(0, -1).join(', ')} or ${list.at(-1)}`, 'argument');
        }
        return value;
    }

    /// web_options of C, as an array.
    options({ method = 'lbs', normals = 'standard', signs = 'heaviest', scale = 'local', mix = 0.5,
              exact = false } = {})
    {
        const out = new Float32Array(6);
        const words = new Uint32Array(out.buffer);
        words[0] = this.find('method', method, METHODS);
        words[1] = this.find('normal_rule', normals, NORMALS);
        words[2] = this.find('sign_rule', signs, SIGNS);
        words[3] = SCALES.indexOf(scale);
        if (words[3] === 0xffffffff)
        {
            throw new PeltError(`there is no scale "${scale}"; choose local or origin`, 'argument');
        }
        words[4] = exact ? 1 : 0;
        out[5] = mix;
        return out;
    }
}

/// Names in the order of the enums of C.
export const METHODS = ['lbs', 'dqs', 'mix', 'crs', 'lms', 'sbs', 'ddm'];
export const NORMALS = ['standard', 'accurate', 'paper'];
const SIGNS = ['heaviest', 'running', 'first', 'hierarchy'];
const SCALES = ['local', 'origin'];

const PREPARE = { normals: 1, centers: 2, normalFactors: 4, mixFactors: 8, bounds: 16 };

export function prepareBits(what)
{
    const unknown = Object.keys(what).find((name) => !(name in PREPARE));
    if (unknown !== undefined)
    {
        throw new PeltError(`nothing can be computed by the name of ${unknown}; choose ` +
                            `${Object.keys(PREPARE).join(', ')}`, 'argument');
    }
    return Object.keys(PREPARE).reduce((bits, name) => bits | (what[name] ? PREPARE[name] : 0), 0);
}

// ---------------------------------------------------------------------------------------------

// An object of the module, which is freed by dispose().
export class Handle
{
    constructor(instance, at, release)
    {
        this._instance = instance;
        this._at = at;
        this._release = release;
    }

    get isDisposed() { return this._at === 0; }

    /// The address, as long as there is one.
    _use()
    {
        if (this._at === 0)
        {
            throw new PeltError('this object was disposed of', 'argument');
        }
        return this._at;
    }

    dispose()
    {
        if (this._at !== 0)
        {
            this._instance.call(this._release, this._at);
            this._at = 0;
        }
    }
}

const ARRAYS = ['matrices', 'positions', 'normals', 'tangents', 'bindNormals', 'centers', 'mixFactors'];
const MESH_ARRAYS = [['positions', Float32Array, 3], ['normals', Float32Array, 3],
                     ['tangents', Float32Array, 4], ['indices', Uint32Array, 0],
                     ['joints', Uint16Array, 0], ['weights', Float32Array, 0],
                     ['centers', Float32Array, 3], ['mixFactors', Float32Array, 1],
                     ['jointPositions', Float32Array, 0], ['jointParents', Uint32Array, 0]];

function checkMesh(mesh)
{
    const { vertexCount, jointCount } = mesh;
    const per = mesh.influencesPerVertex ?? 4;
    const lengths = { joints: per * vertexCount, weights: per * vertexCount,
                      jointPositions: 3 * jointCount, jointParents: jointCount };
    for (const [name, type, width] of MESH_ARRAYS)
    {
        const array = mesh[name];
        const length = lengths[name] ?? (width > 0 ? width * vertexCount : undefined);
        if (array === undefined || array === null)
        {
            continue;
        }
        if (!(array instanceof type))
        {
            throw new PeltError(`${name} is no ${type.name}`, 'argument');
        }
        if (length !== undefined && array.length !== length)
        {
            throw new PeltError(`${name} has ${array.length} numbers instead of ${length}`, 'argument');
        }
    }
}

/// One mesh: see pelt_skinner of C.
export class Skinner extends Handle
{
    constructor(instance, mesh)
    {
        const vertexCount = mesh.positions?.length / 3;
        const all = { ...mesh, vertexCount };
        if (!Number.isInteger(vertexCount) || !Number.isInteger(mesh.jointCount))
        {
            throw new PeltError('a mesh needs positions, three floats for each vertex, and jointCount',
                                'argument');
        }
        checkMesh(all);
        const at = instance.with(MESH_ARRAYS.map(([name]) => all[name]), (...arrays) =>
            instance.with([Uint32Array.of(vertexCount, mesh.jointCount, mesh.indices?.length ?? 0,
                                          mesh.influencesPerVertex ?? 4, ...arrays)],
                          (words) => instance.checked(instance.call('web_skinner_create', words))));
        super(instance, at, 'web_skinner_destroy');
        this.vertexCount = vertexCount;
        this.jointCount = mesh.jointCount;
    }

    _view(name)
    {
        const at = this._instance.call('web_skinner_array', this._use(), ARRAYS.indexOf(name)) >>> 0;
        const width = { matrices: 16, tangents: 4, mixFactors: 1 }[name] ?? 3;
        const count = name === 'matrices' ? this.jointCount : this.vertexCount;
        return at === 0 ? null : this._instance.floats(at, width * count);
    }

    get matrices() { return this._view('matrices'); }
    get bindNormals() { return this._view('bindNormals'); }
    get centers() { return this._view('centers'); }
    get mixFactors() { return this._view('mixFactors'); }

    prepare(what)
    {
        this._instance.check(this._instance.call('web_skinner_prepare', this._use(), prepareBits(what)));
        return this;
    }

    deform(options)
    {
        const instance = this._instance;
        if (instance.exports.web_skinner_deform === undefined)
        {
            throw new PeltError('pelt/arrays does not deform; use the module pelt', 'unsupported');
        }
        instance.with([instance.options(options)], (at) =>
            instance.check(instance.call('web_skinner_deform', this._use(), at)));
        return { positions: this._view('positions'), normals: this._view('normals'),
                 tangents: this._view('tangents') };
    }

    get maxInfluences() { return this._instance.call('web_skinner_max_influences', this._use()); }

    influences(perVertex = 4)
    {
        const instance = this._instance, count = perVertex * this.vertexCount;
        const joints = instance.allocate(2 * count), weights = instance.allocate(4 * count);
        instance.call('web_skinner_influences', joints, weights, this._use(), perVertex);
        const out = { joints: new Uint16Array(instance.memory.buffer, joints, count).slice(),
                      weights: instance.floats(weights, count).slice() };
        instance.release(joints);
        instance.release(weights);
        return out;
    }

    normalFactorTexels()
    {
        const instance = this._instance, at = this._use();
        const floats = instance.call('web_skinner_factor_floats', at);
        if (floats === 0)
        {
            return null;
        }
        const count = floats * this.vertexCount;
        const texels = instance.allocate(4 * count);
        instance.call('web_skinner_factors', texels, at);
        const data = instance.floats(texels, count).slice();
        instance.release(texels);
        return { data, floatsPerVertex: floats, slots: instance.call('web_skinner_factor_slots', at),
                 hasCenters: instance.call('web_skinner_array', at, ARRAYS.indexOf('centers')) !== 0 };
    }
}

/// Joints for shaders: matrices in, texels out.
export class Palette extends Handle
{
    constructor(instance, jointCount)
    {
        super(instance, instance.checked(instance.call('web_palette_create', jointCount)),
              'web_palette_destroy');
        this.jointCount = jointCount;
    }

    _view(which)
    {
        const at = this._instance.call('web_palette_array', this._use(), which) >>> 0;
        return this._instance.floats(at, 16 * this.jointCount);
    }

    get matrices() { return this._view(0); }
    get texels() { return this._view(1); }

    /// @return whether all joints are rigid
    update() { return this._instance.call('web_palette_update', this._use()) !== 0; }
}

/// The functions of both modules.
export class PeltArrays
{
    constructor(instance) { this._instance = instance; }

    get version() { return this._instance.text(this._instance.call('web_version')); }
    get memoryBytes() { return this._instance.memory.buffer.byteLength; }
    get canDeform() { return this._instance.exports.web_skinner_deform !== undefined; }
    createSkinner(mesh) { return new Skinner(this._instance, mesh); }
    createPalette(jointCount) { return new Palette(this._instance, jointCount); }
}
