// SPDX-License-Identifier: MIT
// Animation textures on the CPU, after docs/texture_format.md: what pelt_unbake() does, in double
// precision.

const NONE = 0xffffffff;
export const KINDS = ['pose', 'matrix', 'dual'];

const scratch = new Uint32Array(1), scratchFloat = new Float32Array(scratch.buffer);

function floatOf(word)
{
    scratch[0] = word;
    return scratchFloat[0];
}

// A number of `width` bits in a list of bits that starts at word `first`.
function bitsAt(words, first, bit, width)
{
    if (width === 0)
    {
        return 0;
    }
    const at = first + (bit >>> 5), shift = bit & 31;
    let value = words[at] >>> shift;
    if (shift + width > 32)
    {
        value |= words[at + 1] << 32 - shift;
    }
    return (width < 32 ? value & (1 << width) - 1 : value) >>> 0;
}

function componentValue(component, scale, value)
{
    const width = component & 31;
    if (width === 0)
    {
        return floatOf(component);
    }
    if (width === 31)
    {
        return floatOf(value);
    }
    const range = scale * (32 + (component >>> 5 & 31)) * 2 ** ((component >>> 10 & 31) - 28);
    return floatOf(component & 0xffff8000) + range * (value / (2 ** width - 1));
}

// ----------------------------------------------------------------------------------------------
// Quaternions x y z w, and matrices of three rows

function multiply(a, b)
{
    return [a[3] * b[0] + b[3] * a[0] + a[1] * b[2] - a[2] * b[1],
            a[3] * b[1] + b[3] * a[1] + a[2] * b[0] - a[0] * b[2],
            a[3] * b[2] + b[3] * a[2] + a[0] * b[1] - a[1] * b[0],
            a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]];
}

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const mixed = (a, b, u) => a.map((x, i) => (1 - u) * x + u * b[i]);
const conjugate = (q) => [-q[0], -q[1], -q[2], q[3]];
const rotate = (q, v) => multiply(multiply(q, [...v, 0]), conjugate(q)).slice(0, 3);

function normalized(q)
{
    const size = Math.sqrt(dot(q, q));
    return q.map((x) => x / size);
}

// The unit quaternion of a rotation vector, axis times tan(angle / 4).
function quaternionOf(v)
{
    const square = dot(v, v), factor = 1 / (1 + square);
    return [2 * v[0] * factor, 2 * v[1] * factor, 2 * v[2] * factor, (1 - square) * factor];
}

function slerp(a, b, u)
{
    const cosine = dot(a, b), sign = cosine < 0 ? -1 : 1;
    const angle = Math.acos(Math.min(1, Math.abs(cosine)));
    if (angle < 1e-6)
    {
        return normalized(mixed(a, b.map((x) => sign * x), u));
    }
    const first = Math.sin((1 - u) * angle) / Math.sin(angle), second = sign * Math.sin(u * angle) / Math.sin(angle);
    return a.map((x, i) => first * x + second * b[i]);
}

function rowsOf([x, y, z, w])
{
    return [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
            2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
            2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)];
}

// 3 x 3 matrices, row after row.
function product(a, b)
{
    return Array.from({ length: 9 }, (_, i) =>
    {
        const row = 3 * Math.floor(i / 3), column = i % 3;
        return a[row] * b[column] + a[row + 1] * b[3 + column] + a[row + 2] * b[6 + column];
    });
}

// xx yy zz yz zx xy
const symmetric = ([xx, yy, zz, yz, zx, xy]) => [xx, xy, zx, xy, yy, yz, zx, yz, zz];
const UNIFORM = [1, 1, 1, 0, 0, 0];

// ----------------------------------------------------------------------------------------------
// Records

// Reads the components of a record in order, at a key and at the next one.
class Record
{
    constructor(words, at, moment)
    {
        this.words = words;
        this.at = at + 1;
        this.bit = words[at] & 0xfffff;
        this.moment = moment;
    }

    word() { return this.words[this.at++]; }

    // Numbers at the key and at the next.
    take(count, scale)
    {
        const { words, moment } = this, first = [], second = [];
        for (let i = 0; i < count; ++i)
        {
            const component = this.word(), width = (component & 31) === 31 ? 32 : component & 31;
            first.push(componentValue(component, scale, bitsAt(words, moment.key, this.bit, width)));
            second.push(componentValue(component, scale, bitsAt(words, moment.next, this.bit, width)));
            this.bit += width;
        }
        return [first, second];
    }

    between(count, scale) { return mixed(...this.take(count, scale), this.moment.u); }

    axes(has)
    {
        if (!has)
        {
            return [0, 0, 0, 1];
        }
        const word = this.word();
        return quaternionOf([0, 10, 20].map((shift) => ((word >>> shift & 1023) - 511) / 511));
    }

    path(scale)
    {
        const word = this.word(), { u, key } = this.moment;
        return [0, 10, 20].map((shift) =>
        {
            const code = word >>> shift & 1023, width = code & 15;
            if (width === 0)
            {
                return 0;
            }
            const value = bitsAt(this.words, key, this.bit, width);
            this.bit += width;
            const range = scale * (2 + (code >>> 4 & 1)) * 2 ** ((code >>> 5) - 30);
            return 4 * u * (1 - u) * range * (value - 2 ** (width - 1)) / 2 ** width;
        });
    }

    stretch(kind, scale)
    {
        return kind === 0 ? UNIFORM : kind === 2 ? this.between(6, scale)
            : [...Array(3).fill(this.between(1, scale)[0]), 0, 0, 0];
    }
}

const has = (flags, bit) => (flags >>> bit & 1) !== 0;

function takePose(record, flags, pivot, unit, stretchUnit)
{
    const { u } = record.moment;
    let rotation = record.axes(has(flags, 22)), position = pivot;
    const rotationAxes = record.axes(has(flags, 29)), axes = record.axes(has(flags, 30));
    if (has(flags, 23))
    {
        const [a, b] = record.take(3, 1).map((v) => quaternionOf(rotate(rotationAxes, v)));
        rotation = multiply(rotation, slerp(a, b, u));
    }
    if (has(flags, 24))
    {
        position = rotate(axes, record.between(3, unit));
    }
    const stretch = record.stretch(flags >>> 25 & 3, stretchUnit);
    if (has(flags, 27))
    {
        rotation = normalized(multiply(rotation, [...rotate(rotationAxes, record.path(1)), 1]));
    }
    if (has(flags, 28))
    {
        const path = rotate(axes, record.path(unit));
        position = position.map((x, i) => x + path[i]);
    }
    return { rotation, position, stretch };
}

// Dual quaternions as lists of eight numbers.
function mixedDuals(a, b, u)
{
    const sign = dot(a.slice(0, 4), b.slice(0, 4)) < 0 ? -1 : 1;
    const sum = mixed(a, b.map((x) => sign * x), u), size = Math.sqrt(dot(sum.slice(0, 4), sum.slice(0, 4)));
    return sum.map((x) => x / size);
}

function takeDual(record, flags, unit, stretchUnit)
{
    const real = record.take(4, 1), dual = record.take(4, unit);
    const [a, b] = [0, 1].map((k) => [...real[k], ...dual[k]]);
    return { dual: mixedDuals(a, b, record.moment.u), stretch: record.stretch(flags >>> 25 & 3, stretchUnit) };
}

// What of a motion between two keys or two moments does not depend on its kind.
const BLENDS = { rotation: slerp, position: mixed, stretch: mixed, linear: mixed, dual: mixedDuals };

function blended(a, b, u)
{
    return Object.fromEntries(Object.keys(a).map((part) => [part, BLENDS[part](a[part], b[part], u)]));
}

// The change of a clip since its first key, added to a motion.
function added(pose, first, now, weight)
{
    const change = slerp([0, 0, 0, 1], multiply(conjugate(first.rotation), now.rotation), weight);
    const more = (part) => pose[part].map((x, i) => x + weight * (now[part][i] - first[part][i]));
    return { rotation: multiply(pose.rotation, change), position: more('position'), stretch: more('stretch') };
}

// The linear part and the position of a motion.
function mapOf({ rotation, position, stretch, linear, dual }, pivot)
{
    if (linear !== undefined)
    {
        return { linear, position };
    }
    const map = product(rowsOf(rotation ?? dual), symmetric(stretch));
    if (rotation !== undefined)
    {
        return { linear: map, position };
    }
    // D(S (p - pivot)): the translation of a dual quaternion is 2 * dual * conjugate(real).
    const translation = multiply(dual.slice(4), conjugate(dual.slice(0, 4)));
    return { linear: map, position: translation.slice(0, 3).map((x) => 2 * x) };
}

function octahedron(ex, ey)
{
    let z = 1 - Math.abs(ex) - Math.abs(ey), x = ex, y = ey;
    if (z < 0)
    {
        x = (1 - Math.abs(ey)) * (ex < 0 ? -1 : 1);
        y = (1 - Math.abs(ex)) * (ey < 0 ? -1 : 1);
    }
    return normalized([x, y, z]);
}

// ----------------------------------------------------------------------------------------------

/// A texture of the modern layout: its words and what they say.
export class BakedTexture
{
    /// @param words  Uint32Array; the first says whether it is a texture of pelt
    constructor(words)
    {
        if (words.length < 12 || words[0] !== 0x544c4550 || words[1] !== 1 || words[2] > 1)
        {
            throw new Error('this is no animation texture of pelt: its header says otherwise');
        }
        this.words = words;
        this.isVertices = words[2] === 1;
        this.jointCount = this.isVertices ? 0 : words[3];
        this.vertexCount = this.isVertices ? words[3] : 0;
        this.unit = floatOf(words[7]);
        this.stretchUnit = floatOf(words[8]);
        this.clips = Array.from({ length: words[5] }, (_, i) => this._clip(words[6] + 4 * i));
        this.joints = Array.from({ length: this.jointCount }, (_, i) =>
        {
            const at = words[4] + 4 * i;
            return { parent: words[at] === NONE ? null : words[at],
                     pivot: [1, 2, 3].map((k) => floatOf(words[at + k])) };
        });
        if (!this.joints.every(({ parent }) => parent === null || parent < this.jointCount))
        {
            throw new Error('the animation texture is damaged: a joint has a parent that is not there');
        }
        this._findKind();
    }

    _clip(at)
    {
        const { words } = this, first = words[at];
        if (!(words[at + 1] > 0 && first + 8 * words[at + 1] <= words.length))
        {
            throw new Error('the animation texture is damaged: a clip lies outside of it');
        }
        const runs = Array.from({ length: words[at + 1] }, (_, i) =>
        {
            const run = first + 8 * i;
            return { start: floatOf(words[run]), rate: floatOf(words[run + 1]), keys: words[run + 2],
                     firstWord: words[run + 3], keyWords: words[run + 4], table: words[run + 5],
                     isHeld: has(words[run + 6], 0) };
        });
        if (!runs.every(({ keys, firstWord, keyWords }) => keys > 0 && firstWord + keys * keyWords <= words.length))
        {
            throw new Error('the animation texture is damaged: keys lie outside of it');
        }
        return { duration: floatOf(words[at + 2]), wraps: has(words[at + 3], 0), loops: has(words[at + 3], 1), runs };
    }

    _recordOf(joint, table)
    {
        const offset = this.words[table + (joint >>> 1)] >>> (joint & 1) * 16 & 0xffff;
        return offset === 0 ? null : table + offset;
    }

    // The kind of the motions, and whether they stretch.
    _findKind()
    {
        this.kind = 'pose';
        this.isStretched = false;
        for (const { table } of this.clips.flatMap(({ runs }) => runs))
        {
            for (let joint = 0; joint < this.jointCount; ++joint)
            {
                const record = this._recordOf(joint, table);
                if (record !== null)
                {
                    const flags = this.words[record];
                    this.kind = KINDS[flags >>> 20 & 3];
                    this.isStretched ||= this.kind === 'matrix' || (flags >>> 25 & 3) !== 0;
                }
            }
        }
    }

    /// The keys next to a moment { clip, time, loop }: first words, the position between them, the
    /// table of their run, and which key of the clip it is.
    keysAt({ clip, time, loop = true })
    {
        const { duration, wraps, runs } = this.clips[clip];
        const t = !loop ? Math.min(Math.max(time, 0), duration)
            : duration > 0 ? time - Math.floor(time / duration) * duration : 0;
        let index = 0, before = 0;
        while (index + 1 < runs.length && runs[index + 1].start <= t)
        {
            before += runs[index].keys;
            ++index;
        }
        const { start, rate, keys, firstWord, keyWords, table, isHeld } = runs[index];
        const x = Math.min(Math.max((t - start) * rate, 0), wraps ? keys : keys - 1);
        const key = Math.min(Math.floor(x), keys - 1), next = key + 1 < keys ? key + 1 : wraps ? 0 : key;
        return { table, key: firstWord + key * keyWords, next: firstWord + next * keyWords,
                 u: isHeld ? 0 : x - key, index: before + key };
    }

    // The motion of a joint relative to its parent, in the encoding in which it is blended.
    _local(joint, keys)
    {
        const { pivot } = this.joints[joint], at = this._recordOf(joint, keys.table);
        if (at === null)
        {
            return { pose: { rotation: [0, 0, 0, 1], position: pivot, stretch: UNIFORM },
                     matrix: { linear: [1, 0, 0, 0, 1, 0, 0, 0, 1], position: pivot },
                     dual: { dual: [0, 0, 0, 1, ...pivot.map((x) => 0.5 * x), 0], stretch: UNIFORM } }[this.kind];
        }
        const record = new Record(this.words, at, keys), flags = this.words[at];
        if (this.kind === 'pose')
        {
            return takePose(record, flags, pivot, this.unit, this.stretchUnit);
        }
        if (this.kind === 'matrix')
        {
            return { linear: record.between(9, this.stretchUnit), position: record.between(3, this.unit) };
        }
        return takeDual(record, flags, this.unit, this.stretchUnit);
    }

    /// What an instance plays: { base, next, fade, additive, weight }, where base, next and additive
    /// are moments.
    play({ base, next = null, fade = 0, additive = null, weight = 0 })
    {
        const isFaded = next !== null && fade !== 0, isAdded = additive !== null && weight !== 0 && this.kind === 'pose';
        return { base: this.keysAt(base), next: isFaded ? this.keysAt(next) : null, fade,
                 first: isAdded ? this._firstKey(additive.clip) : null,
                 additive: isAdded ? this.keysAt(additive) : null, weight };
    }

    _firstKey(clip)
    {
        const { firstWord, table } = this.clips[clip].runs[0];
        return { table, key: firstWord, next: firstWord, u: 0, index: 0 };
    }

    _motion(joint, playing)
    {
        let pose = this._local(joint, playing.base);
        if (playing.next !== null)
        {
            pose = blended(pose, this._local(joint, playing.next), playing.fade);
        }
        if (playing.additive !== null)
        {
            pose = added(pose, this._local(joint, playing.first), this._local(joint, playing.additive), playing.weight);
        }
        return mapOf(pose, this.joints[joint].pivot);
    }

    /// The motion of a joint from the bind pose to model space, three rows of four numbers.
    jointMatrix(joint, playing, out = new Float64Array(12), at = 0)
    {
        this._rows(this._motion(joint, playing), joint, out, at);
        let { parent } = this.joints[joint];
        for (let i = 0; parent !== null && i < this.jointCount; ++i)
        {
            const above = new Float64Array(12);
            this._rows(this._motion(parent, playing), parent, above, 0);
            prepend(above, 0, out, at);
            ({ parent } = this.joints[parent]);
        }
        return out;
    }

    // X(p) = A (p - pivot) + P.
    _rows({ linear, position }, joint, out, at)
    {
        const { pivot } = this.joints[joint];
        for (let row = 0; row < 3; ++row)
        {
            const [x, y, z] = linear.slice(3 * row, 3 * row + 3);
            out.set([x, y, z, position[row] - x * pivot[0] - y * pivot[1] - z * pivot[2]], at + 4 * row);
        }
    }

    /// The motions of all joints, twelve numbers each.
    decode(playback, out = new Float64Array(12 * this.jointCount))
    {
        const playing = this.play(playback), isDone = new Uint8Array(this.jointCount);
        const visit = (joint, depth) =>
        {
            if (isDone[joint] !== 0 || depth > this.jointCount)
            {
                return;
            }
            isDone[joint] = 1;
            const { parent } = this.joints[joint];
            this._rows(this._motion(joint, playing), joint, out, 12 * joint);
            if (parent !== null)
            {
                visit(parent, depth + 1);
                prepend(out, 12 * parent, out, 12 * joint);
            }
        };
        for (let joint = 0; joint < this.jointCount; ++joint)
        {
            visit(joint, 0);
        }
        return out;
    }

    /// A vertex of the texture: its position as an offset from rest, and its normal or null.
    vertex(vertex, playing)
    {
        const of = (keys) => this._vertex(vertex, keys);
        const base = of(playing.base);
        return playing.next === null ? base : blendedVertex(base, of(playing.next), playing.fade);
    }

    _vertex(vertex, { table, key, next, u })
    {
        const { words } = this, head = words[table], width = head & 255, normalWidth = head >>> 8 & 255;
        const components = table + 1 + (has(head, 16) ? 0 : 3 * vertex), bit = vertex * (3 * width + 2 * normalWidth);
        const at = (from) => ({
            offset: [0, 1, 2].map((i) =>
                componentValue(words[components + i], this.unit, bitsAt(words, from, bit + i * width, width))),
            normal: normalWidth === 0 ? null : octahedron(...[0, 1].map((i) =>
                2 * bitsAt(words, from, bit + 3 * width + i * normalWidth, normalWidth) / (2 ** normalWidth - 1) - 1)),
        });
        return blendedVertex(at(key), at(next), u);
    }
}

function blendedVertex(a, b, u)
{
    return { offset: mixed(a.offset, b.offset, u),
             normal: a.normal === null || b.normal === null ? null : normalized(mixed(a.normal, b.normal, u)) };
}

// B = A B, for matrices of three rows.
function prepend(a, aAt, b, bAt)
{
    for (let column = 0; column < 4; ++column)
    {
        const [x, y, z] = [b[bAt + column], b[bAt + 4 + column], b[bAt + 8 + column]];
        for (let row = 0; row < 3; ++row)
        {
            const r = aAt + 4 * row;
            b[bAt + 4 * row + column] = a[r] * x + a[r + 1] * y + a[r + 2] * z + (column === 3 ? a[r + 3] : 0);
        }
    }
}
