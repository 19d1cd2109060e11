// SPDX-License-Identifier: MIT
// The members of a crowd: where each of them is, what it plays, and which of them are in view.
import { Box3, Frustum, Matrix4, Vector3 } from 'three';

export const WORDS_PER_PLAYBACK = 8; // pelt_gpu_playback
const HYSTERESIS = 0.05;

/// Clips that a member plays at once: from the first it fades into the second; the third is added.
const BASE = 0, NEXT = 1, ADDITIVE = 2, TRACKS = 3;

const ARRAYS = [['matrices', Float32Array, 16], ['previousMatrices', Float32Array, 16], ['clips', Int32Array, TRACKS],
                ['times', Float64Array, TRACKS], ['speeds', Float32Array, TRACKS], ['loops', Uint8Array, TRACKS],
                ['fades', Float32Array, 1], ['fadeSeconds', Float32Array, 1], ['weights', Float32Array, 1],
                ['states', Uint8Array, 1], ['levels', Uint8Array, 1], ['colors', Float32Array, 3],
                ['previousWords', Uint32Array, WORDS_PER_PLAYBACK]];

export const FREE = 0, DRAWN = 1, HIDDEN = 2, LIVE = 3; // states

const words = new Uint32Array(WORDS_PER_PLAYBACK), floats = new Float32Array(words.buffer);
const matrix = new Matrix4(), box = new Box3(), center = new Vector3(), extent = new Vector3(), eye = new Vector3();

/// Arrays with one element, or several numbers, for each member.
export class Members
{
    constructor(bake, capacity)
    {
        this.bake = bake;
        this.capacity = 0;
        this.count = 0; // of numbers in use, free ones included
        this.freed = [];
        this._grow(Math.max(1, capacity));
    }

    _grow(capacity)
    {
        for (const [name, type, width] of ARRAYS)
        {
            const array = new type(width * capacity);
            this[name] !== undefined && array.set(this[name]);
            this[name] = array;
        }
        this.capacity = capacity;
    }

    add()
    {
        const i = this.freed.pop() ?? this.count++;
        if (i >= this.capacity)
        {
            this._grow(2 * this.capacity);
        }
        this.states[i] = DRAWN;
        this.levels[i] = 0;
        this.fades[i] = this.fadeSeconds[i] = this.weights[i] = 0;
        this.clips.fill(-1, TRACKS * i, TRACKS * i + TRACKS);
        this.colors.fill(1, 3 * i, 3 * i + 3);
        return i;
    }

    /// The number of a member, as long as there is one.
    use(i)
    {
        if (!(Number.isInteger(i) && i >= 0 && i < this.count && this.states[i] !== FREE))
        {
            throw new Error(`the crowd has no instance ${i}`);
        }
        return i;
    }

    remove(i)
    {
        this.states[this.use(i)] = FREE;
        this.freed.push(i);
    }

    set(i, track, { clip, time = 0, speed = 1, loop = true })
    {
        const at = TRACKS * i + track;
        this.clips[at] = clip;
        this.times[at] = time;
        this.speeds[at] = speed;
        this.loops[at] = loop ? 1 : 0;
        this._wrap(at);
    }

    // Times stay within the clip, where floats are precise.
    _wrap(at)
    {
        const { duration } = this.bake.clips[this.clips[at]];
        const time = this.times[at];
        this.times[at] = this.loops[at] === 0 ? Math.min(Math.max(time, 0), duration)
            : duration > 0 ? time - Math.floor(time / duration) * duration : 0;
    }

    play(i, options, fade)
    {
        const base = TRACKS * i + BASE;
        if (!(fade > 0) || this.clips[base] < 0)
        {
            this.set(i, BASE, options);
            this._endFade(i);
            return;
        }
        if (this.fades[i] >= 0.5)
        {
            this._copyNext(i); // a fade that is more than half over has ended
        }
        this.set(i, NEXT, options);
        this.fades[i] = 0;
        this.fadeSeconds[i] = fade;
    }

    addClip(i, options, weight)
    {
        this.weights[i] = weight;
        weight !== 0 && this.set(i, ADDITIVE, options);
    }

    _copyNext(i)
    {
        const base = TRACKS * i + BASE, next = TRACKS * i + NEXT;
        for (const array of [this.clips, this.times, this.speeds, this.loops])
        {
            array[base] = array[next];
        }
    }

    _endFade(i)
    {
        this.fades[i] = this.fadeSeconds[i] = 0;
        this.clips[TRACKS * i + NEXT] = -1;
    }

    isFading(i) { return this.clips[TRACKS * i + NEXT] >= 0; }

    advance(seconds)
    {
        for (let i = 0; i < this.count; ++i)
        {
            if (this.states[i] === FREE || this.states[i] === LIVE)
            {
                continue;
            }
            for (let at = TRACKS * i; at < TRACKS * i + TRACKS; ++at)
            {
                if (this.clips[at] >= 0)
                {
                    this.times[at] += this.speeds[at] * seconds;
                    this._wrap(at);
                }
            }
            if (this.isFading(i))
            {
                this.fades[i] = Math.min(1, this.fades[i] + seconds / this.fadeSeconds[i]);
                if (this.fades[i] >= 1)
                {
                    this._copyNext(i);
                    this._endFade(i);
                }
            }
        }
    }

    moment(i, track)
    {
        const at = TRACKS * i + track;
        return this.clips[at] < 0 ? null
            : { clip: this.clips[at], time: this.times[at], loop: this.loops[at] !== 0 };
    }

    /// As BakedTexture.decode() takes it.
    playback(i)
    {
        return { base: this.moment(i, BASE), next: this.moment(i, NEXT), fade: this.fades[i],
                 additive: this.moment(i, ADDITIVE), weight: this.weights[i] };
    }

    /// What a member plays, with names of clips.
    describe(i)
    {
        const { clips } = this.bake;
        const one = (track) =>
        {
            const moment = this.moment(i, track), at = TRACKS * i + track;
            return moment === null ? null : { ...moment, clip: clips[moment.clip].name, speed: this.speeds[at] };
        };
        return { ...one(BASE), next: one(NEXT), fade: this.fades[i],
                 fadeSeconds: this.fadeSeconds[i], additive: one(ADDITIVE), weight: this.weights[i] };
    }

    /// The pelt_gpu_playback of a member. A view, until the next call.
    /// @param clipOf  the number of each clip in the bake that is drawn
    words(i, clipOf)
    {
        const short = (track) =>
        {
            const at = TRACKS * i + track;
            return this.clips[at] < 0 ? 0 : clipOf[this.clips[at]] | (this.loops[at] !== 0 ? 0x8000 : 0);
        };
        words[0] = (short(BASE) | short(NEXT) << 16) >>> 0;
        words[1] = short(ADDITIVE);
        floats[2] = this.fades[i];
        floats[3] = this.weights[i];
        floats.set(this.times.subarray(TRACKS * i, TRACKS * i + TRACKS), 4);
        words[7] = 0;
        return words;
    }

    /// The box of a member in the space of the bake, from key to key; null where it is not known.
    box(i, out = new Box3())
    {
        out.makeEmpty();
        this.bake.expandByMoment(out, this.moment(i, BASE));
        const { kind } = this.bake.texture, isStraight = this.bake.texture.isVertices || kind === 'matrix';
        if (this.isFading(i))
        {
            this.bake.expandByMoment(out, this.moment(i, NEXT));
        }
        // Rotations between two clips lead out of the boxes of both; additive clips lead anywhere.
        return (this.isFading(i) || this.weights[i] !== 0) && !isStraight ? null : out;
    }
}

// ----------------------------------------------------------------------------------------------

function viewOf(camera)
{
    camera.updateWorldMatrix(true, false);
    camera.matrixWorldInverse.copy(camera.matrixWorld).invert();
    matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    return new Frustum().setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth);
}

// Whether a box around `center`, moved by the matrix in `m`, is in front of all planes.
function meets({ planes }, m, middle, half)
{
    for (const { normal: n, constant } of planes)
    {
        const reach = half.x * Math.abs(n.x * m[0] + n.y * m[1] + n.z * m[2]) +
            half.y * Math.abs(n.x * m[4] + n.y * m[5] + n.z * m[6]) +
            half.z * Math.abs(n.x * m[8] + n.y * m[9] + n.z * m[10]);
        if (n.dot(middle) + constant < -reach)
        {
            return false;
        }
    }
    return true;
}

function levelOf(level, distance, distances)
{
    let now = Math.min(level, distances.length);
    while (now < distances.length && distance > distances[now] * (1 + HYSTERESIS))
    {
        now += 1;
    }
    while (now > 0 && distance <= distances[now - 1] * (1 - HYSTERESIS))
    {
        now -= 1;
    }
    return now;
}

/// The members in view, in a list for each level of detail.
/// @param world      from the space of the crowd
/// @param cameras    the first is that of levels; none: all are in view
/// @param distances  where levels 1, 2 ... begin
/// @param margin     added to boxes
export function membersInView(members, world, cameras, distances, margin)
{
    const lists = Array.from({ length: distances.length + 1 }, () => []);
    const views = cameras.map(viewOf);
    cameras.length > 0 && eye.setFromMatrixPosition(cameras[0].matrixWorld);
    for (let i = 0; i < members.count; ++i)
    {
        if (members.states[i] !== DRAWN)
        {
            continue;
        }
        if (views.length === 0)
        {
            lists[members.levels[i] = 0].push(i);
            continue;
        }
        const isKnown = members.box(i, box) !== null && !box.isEmpty();
        box.getCenter(center);
        box.getSize(extent).multiplyScalar(0.5).addScalar(margin);
        matrix.fromArray(members.matrices, 16 * i).premultiply(world);
        center.applyMatrix4(matrix);
        members.levels[i] = levelOf(members.levels[i], eye.distanceTo(center), distances);
        if (!isKnown || views.some((view) => meets(view, matrix.elements, center, extent)))
        {
            lists[members.levels[i]].push(i);
        }
    }
    return lists;
}
